/* Arrays that stay on the device: as long as the program, as a function runs, and by their address
 * there. */
#include <stdio.h>

#define N 300
static float x[N], y[N];
#pragma acc declare create(x) device_resident(y)
static const float weights[4] = {1, 2, 3, 4};
#pragma acc declare copyin(weights)

static float norm(int n, const float *v) {
  float sum = 0;
#pragma acc declare present(v)
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += v[i] * weights[i % 4];
  return sum;
}

/* On addresses of the device. */
static void saxpy(int n, float a, const float *restrict from, float *restrict to) {
#pragma acc parallel loop deviceptr(from, to)
  for (int i = 0; i < n; i++) to[i] += a * from[i];
}

static int scratch(int n) {
  int t[N], last = 0;
#pragma acc declare copy(t)
  for (int i = 0; i < n; i++) t[i] = i;
#pragma acc update device(t)
#pragma acc parallel loop
  for (int i = 0; i < n; i++) t[i] = t[i] * 3 + 1;
#pragma acc update host(t)
  for (int i = 0; i < n; i++) last += t[i];
  if (last % 2) return last;
  return -last;
}

int main(void) {
  for (int i = 0; i < N; i++) x[i] = i % 7, y[i] = i % 3;
#pragma acc update device(x, y)
#pragma acc parallel loop
  for (int i = 0; i < N; i++) x[i] += 1;
#pragma acc host_data use_device(x, y)
  saxpy(N, 0.5f, x, y);
#pragma acc host_data use_device(x) if_present
  { printf("%.2f ", 0.0); }
  printf("%.2f ", norm(N, y));
#pragma acc update self(x, y)
  float sum = 0;
  for (int i = 0; i < N; i++) sum += x[i] + y[i];
  printf("%.2f %d\n", sum, scratch(100));
  return 0;
}
