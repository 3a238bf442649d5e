/* The sum of two arrays, element by element; -DTOTAL: of all elements of one; -DMATRIX: a product
 * whose outer loops are one. */
#include <stdio.h>

#ifndef N
#define N 1000
#endif
#define SIDE 64
static float a[N], b[N], c[N], x[SIDE * SIDE], y[SIDE * SIDE], z[SIDE * SIDE];

int main(void) {
  double all = 0;
  for (int i = 0; i < N; i++) a[i] = (float)(i % 17), b[i] = (float)(i % 5);
  for (int i = 0; i < SIDE * SIDE; i++) x[i] = (float)(i % 7), y[i] = (float)(i % 3);
#if defined(TOTAL)
  float sum = 0;
#pragma acc parallel loop copyin(a) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i];
  all = sum;
#elif defined(MATRIX)
#pragma acc parallel loop copyin(x, y) copyout(z)
  for (int i = 0; i < SIDE * SIDE; i++) {
    float sum = 0;
    for (int k = 0; k < SIDE; k++) sum += x[i / SIDE * SIDE + k] * y[k * SIDE + i % SIDE];
    z[i] = sum;
  }
#else
#pragma acc parallel loop copyin(a, b) copyout(c)
  for (int i = 0; i < N; i++) c[i] = a[i] + b[i];
#endif
  for (int i = 0; i < N; i++) all += c[i];
  for (int i = 0; i < SIDE * SIDE; i++) all += z[i];
  printf("sum %.0f\n", all);
  return 0;
}
