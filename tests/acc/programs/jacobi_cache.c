/* Nine points: each thread names three rows of three; the block's part has a rim of one. */
#include <stdio.h>

#ifndef N
#define N 70
#endif
static float a[N][N], b[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) b[i][j] = (float)(i * 3 + j % 17);
#pragma acc data copyin(b) copyout(a)
#pragma acc kernels loop independent
  for (int i = 1; i < N - 1; i++)
#pragma acc loop independent
    for (int j = 1; j < N - 1; j++) {
      float sum = 0;
#pragma acc cache(b [i - 1:3] [j - 1:3])
      for (int y = i - 1; y <= i + 1; y++)
        for (int x = j - 1; x <= j + 1; x++) sum += b[y][x];
      a[i][j] = sum / 9;
    }
  double all = 0;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) all += a[i][j];
  printf("sum %.2f\n", all);
  return 0;
}
