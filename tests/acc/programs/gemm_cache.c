/* C = A B by tiles of 16 x 16, which the cache directive names. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif
#define TILE 16
static double a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i + j % 5, b[i][j] = i * j % 7;
#pragma acc parallel loop copyin(a, b) copyout(c)
  for (int i = 0; i < N; i++) {
#pragma acc loop
    for (int j = 0; j < N; j++) {
      double sum = 0;
      for (int l = 0; l < N; l += TILE) {
#pragma acc cache(a [i:1] [l:TILE], b [l:TILE] [j:1])
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
