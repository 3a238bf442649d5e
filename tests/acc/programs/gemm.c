/* C = A B, rows in rows: extents known when it runs. -DPARALLEL: a parallel region. */
#include <stdio.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 40
#endif

static void multiply(int n, double a[n][n], double b[n][n], double c[n][n]) {
#ifdef PARALLEL
#pragma acc parallel copyin(a [0:n] [0:n], b [0:n] [0:n]) copyout(c [0:n] [0:n])
#else
#pragma acc kernels copyin(a [0:n] [0:n], b [0:n] [0:n]) copyout(c [0:n] [0:n])
#endif
#pragma acc loop independent
  for (int i = 0; i < n; ++i) {
#pragma acc loop independent
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < n; ++l) sum += a[i][l] * b[l][j];
      c[i][j] = sum;
    }
  }
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : SIZE;
  double(*a)[n] = malloc(sizeof(double[n][n])), (*b)[n] = malloc(sizeof(double[n][n])),
  (*c)[n] = malloc(sizeof(double[n][n]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = (i * 3 + j) % 7, b[i][j] = (i - j) % 5;
  multiply(n, a, b, c);
  double trace = 0;
  for (int i = 0; i < n; i++) trace += c[i][i];
  printf("trace %g, corner %g\n", trace, c[n - 1][n - 1]);
  free(a), free(b), free(c);
  return 0;
}
