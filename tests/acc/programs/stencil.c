/* One dimension, pointers that change places inside of a data region, both kinds of update. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const int n = 600;
  float *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; i++) a[i] = b[i] = (float)(i % 10);
#pragma acc data copyin(a [0:n], b [0:n])
  {
    for (int turn = 0; turn < 5; turn++) {
#pragma acc parallel loop
      for (int i = 1; i < n - 1; i++) {
        const int lower = i - 1, upper = i + 1;
        float sum = 0;
        for (int j = lower; j <= upper; ++j) sum += a[j];
        b[i] = sum / (float)(upper - lower + 1);
      }
      float *t = a;
      a = b;
      b = t;
    }
#pragma acc update host(a [10:5])
    a[12] = 100;
#pragma acc update device(a [12:1])
#pragma acc parallel loop
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
#pragma acc update self(b [0:n])
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += b[i];
  printf("b[11] %.4f, b[13] %.4f, sum %.3f\n", b[11], b[13], sum);
  free(a), free(b);
  return 0;
}
