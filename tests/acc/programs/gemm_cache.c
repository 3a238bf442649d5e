/* C = A B by tiles of 16 x 16, which the cache directive names; -DFCW: the block's iterations fetch
 * one element of each, by fcw. */
#include <stdio.h>

#ifndef N
#define N 64
#endif
#ifndef REAL
#define REAL double
#endif
#define TILE 16
static REAL a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = (REAL)(i + j % 5), b[i][j] = (REAL)(i * j % 7);
#pragma acc parallel loop vector(TILE) copyin(a, b) copyout(c)
  for (int i = 0; i < N; i++) {
#pragma acc loop vector(TILE)
    for (int j = 0; j < N; j++) {
      REAL sum = 0;
      for (int l = 0; l < N; l += TILE) {
#ifdef FCW
#pragma acc fcw FETCH_ONLY(a [i:0:0] [l + j % TILE:0:0], b [l + i % TILE:0:0] [j:0:0])
#else
#pragma acc cache(a [i:1] [l:TILE], b [l:TILE] [j:1])
#endif
        for (int m = l; m < l + TILE; m++) sum += a[i][m] * b[m][j];
      }
      c[i][j] = sum;
    }
  }
  double all = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) all += c[i][j];
  printf("sum %.0f\n", all);
  return 0;
}
