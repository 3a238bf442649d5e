/* One dimension and a radius, written elements as well: downward loop, a rate of two. */
#include <stdio.h>

#ifndef N
#define N 1000
#endif
#define RADIUS 5
static float a[2 * N + 2 * RADIUS + 1], b[N], c[N];

int main(void) {
  for (int i = 0; i < 2 * N + 2 * RADIUS + 1; i++) a[i] = (float)(i % 19);
#pragma acc parallel loop vector_length(128)
  for (int i = N - 1; i >= 0; i--) {
    float sum = 0;
#pragma acc cache(a [2 * i:2 * RADIUS + 1])
    for (int j = 2 * i; j < 2 * i + 2 * RADIUS + 1; j++) sum += a[j];
    b[i] = sum;
  }
#pragma acc parallel loop vector_length(128)
  for (int i = 0; i < N; i++) {
#pragma acc cache(c [i:1])
    {
      c[i] = 0;
      for (int k = 0; k < 4; k++) c[i] += b[i] * (float)k;
      c[i]++;
    }
  }
  double all = 0;
  for (int i = 0; i < N; i++) all += b[i] + c[i];
  printf("sum %.0f\n", all);
  return 0;
}
