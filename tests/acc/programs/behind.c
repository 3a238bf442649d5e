/* Loops of kernels regions that need what earlier iterations leave, in ways that names hide. */
#include <stdio.h>

#define N 100
static int a[2 * N], b[2 * N];
static float m[20][30];

int main(void) {
  const int n = N;
  for (int i = 0; i < 2 * N; i++) a[i] = i * i % 31, b[i] = i;
  for (int i = 0; i < 600; i++) m[i / 30][i % 30] = (float)(i % 7);
#pragma acc kernels copy(a, b, m)
  {
    for (int i = 0; i < n; i++) a[i] = a[i + 1];
    for (int i = 0; i < n; i++) a[2 * i] = a[i] % 100 + 1;
    for (int i = 0; i < n; i++) a[n - i] = b[i];
    for (int i = 0; i < n; i++) {
      b[i] = a[i];
      b[i + 1] = a[i] * 2;
    }
    for (int i = 1; i < n; i++) *(a + i) = (*(a + i) + *(a + i - 1)) % 1000;
    for (int i = 1; i < n; i++) (a + 1)[i] = a[i] + 3;
    for (int i = 1; i < n; i++) i[a] = a[i - 1] * 2 % 1000;
    for (int i = 1; i < n; i++) {
      const int j = i - 1;
      a[i] = (a[j] + b[i]) % 1000;
    }
    for (int i = 1; i < n; i++) {
      int *p = a;
      p[i] = 2 * p[i - 1] % 1000;
    }
    for (int i = 1; i < 20; i++) {
      float(*rows)[30] = m;
      for (int j = 0; j < 30; j++) rows[i][j] += rows[i - 1][j] / 2;
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2; j++) a[i + j] = (a[i + j] + a[i]) % 1000;
  }
  double s = 0;
  for (int i = 0; i < 2 * N; i++) s += a[i] * (double)(i % 7) + b[i] * (double)(i % 5);
  for (int i = 0; i < 600; i++) s += m[i / 30][i % 30] * (i % 3);
  printf("%.0f\n", s);
  return 0;
}
