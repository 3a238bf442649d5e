/* Stages of a transform, in place: each iteration has two elements of its own. */
#include <math.h>
#include <stdio.h>

#define N 256

int main(void) {
  static float re[N], im[N];
  for (int i = 0; i < N; i++) re[i] = (float)(i % 16), im[i] = 0;
#pragma acc data copy(re, im)
  for (int half = N / 2; half >= 1; half /= 2) {
#pragma acc parallel loop
    for (int t = 0; t < N / 2; t++) {
      const int i = t / half * 2 * half + t % half, j = i + half;
      const float angle = -3.14159265f * (float)(t % half) / (float)half;
      const float x = re[i] - re[j], y = im[i] - im[j], c = cosf(angle), s = sinf(angle);
      re[i] += re[j];
      im[i] += im[j];
      re[j] = x * c - y * s;
      im[j] = x * s + y * c;
    }
  }
  float power = 0;
  for (int i = 0; i < N; i++) power += re[i] * re[i] + im[i] * im[i];
  printf("power %.1f, mean %.3f\n", power / N, re[0] / N);
  return 0;
}
