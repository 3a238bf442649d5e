/* C = A B by tiles that the block's iterations fetch one element each; -DPLAIN without. */
#include <stdio.h>

#ifndef N
#define N 48
#endif
#define T 16
static float a[N][N], b[N][N], c[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = (float)(i + j % 5), b[i][j] = (float)(i * j % 7);
#pragma acc data copyin(a, b) copyout(c)
#pragma acc kernels
#pragma acc loop independent vector(T)
  for (int i = 0; i < N; i++) {
#pragma acc loop independent vector(T)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int l = 0; l < N; l += T) {
        const int row = l + i % T, column = l + j % T;
        (void)row, (void)column;
#ifndef PLAIN
#pragma acc fcw FETCH_ONLY(a [i:0:0] [column:0:0], b [row:0:0] [j:0:0])
#endif
        {
          for (int m = l; m < l + T; m++) sum += a[i][m] * b[m][j];
        }
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
