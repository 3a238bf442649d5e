/* A transposition by tiles. */
#include <stdio.h>
#define N 40
static int a[N][N], b[N][N];

int main(void) {
  long sum = 0;
  for (int i = 0; i < N * N; i++) a[i / N][i % N] = i * 7 % 31;
#pragma acc parallel loop tile(8, *) copyin(a) copyout(b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) b[j][i] = a[i][j];
  for (int i = 0; i < N * N; i++) sum += (long)b[i / N][i % N] * i;
  printf("sum %ld\n", sum);
  return 0;
}
