// LU decomposition without pivots: a launch for each step, and a small one in shared memory.
#include "common.h"

__global__ void divide(double *a, int n, int k) {
  int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i * n + k] /= a[k * n + k];
}
__global__ void eliminate(double *a, int n, int k) {
  int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x,
      i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
template <int N> __global__ void small(float *a) {
  __shared__ float s[N][N];
  int t = threadIdx.x;
  for (int i = 0; i < N; i++) s[i][t] = a[i * N + t];
  __syncthreads();
  for (int k = 0; k < N - 1; k++) {
    if (t > k) s[t][k] /= s[k][k];
    __syncthreads();
    if (t > k)
      for (int j = k + 1; j < N; j++) s[t][j] -= s[t][k] * s[k][j];
    __syncthreads();
  }
  for (int i = 0; i < N; i++) a[i * N + t] = s[i][t];
}

int main() {
  const int n = 24;
  std::vector<double> a(n * n), lu(n * n);
  std::vector<float> m(32 * 32);
  for (int i = 0; i < n * n; i++) a[i] = random_float() + (i % (n + 1) ? 0 : n);
  for (int i = 0; i < 32 * 32; i++) m[i] = random_float() + (i % 33 ? 0.0f : 32.0f);
  double *da = to_device(a);
  for (int k = 0; k < n - 1; k++) {
    divide<<<1, 32>>>(da, n, k);
    eliminate<<<dim3(3, 3), dim3(8, 8)>>>(da, n, k);
  }
  to_host(lu, da);
  double worst = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k <= (i < j ? i : j); k++)
        sum += (k == i ? 1 : lu[i * n + k]) * lu[k * n + j];
      double off = sum - a[i * n + j];
      if (off < 0) off = -off;
      if (off > worst) worst = off;
    }
  show("lu", lu);
  float *dm = to_device(m);
  small<32><<<1, 32>>>(dm);
  to_host(m, dm);
  show("small", m);
  puts(worst < 1e-10 ? "right" : "wrong");
  return worst >= 1e-10;
}
