/* A kernels region that says nothing of its loops: what is surely independent runs in parallel, a
 * recurrence on one thread. */
#include <stdio.h>

#define N 300

int main(void) {
  static int a[N], b[N], c[N][4];
  for (int i = 0; i < N; i++) a[i] = i % 13;
#pragma acc kernels
  {
    for (int i = 0; i < N; i++) b[i] = 2 * a[i] + 1;
    for (int i = 1; i < N; i++) a[i] = a[i - 1] + b[i];
    for (int i = 0; i < N; i++)
      for (int j = 0; j < 4; j++) c[i][j] = a[i] * (j + 1);
  }
  printf("%d %d %d\n", a[N - 1], b[N - 1], c[N - 1][3]);
  return 0;
}
