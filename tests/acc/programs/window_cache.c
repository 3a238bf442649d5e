/* Listing 5.1: the mean of what lies within a radius, from one array to another and back. */
#include <stdio.h>

#ifndef N
#define N 500
#endif
#ifndef RADIUS
#define RADIUS 30
#endif
#define ALL (N + 2 * RADIUS)
static float first[ALL], second[ALL];

int main(void) {
  float *a = first, *b = second;
  for (int i = 0; i < ALL; i++) a[i] = b[i] = (float)(i * 11 % 37);
#pragma acc data copy(first, second)
  for (int t = 0; t < 2; t++) {
#pragma acc parallel loop vector_length(128) present(a [0:ALL], b [0:ALL])
    for (int i = RADIUS; i < N + RADIUS; i++) {
      float sum = 0;
#pragma acc cache(a [i - RADIUS:2 * RADIUS + 1])
      for (int j = i - RADIUS; j <= i + RADIUS; j++) sum += a[j];
      b[i] = sum / (2 * RADIUS + 1);
    }
    float *const other = a;
    a = b;
    b = other;
  }
  double all = 0;
  for (int i = 0; i < ALL; i++) all += a[i] * (i % 3);
  printf("sum %.2f\n", all);
  return 0;
}
