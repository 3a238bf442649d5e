// C = A B in tiles of shared memory.
#include "common.h"

template <int TILE> __global__ void gemm(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float ta[TILE][TILE], tb[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < k; t += TILE) {
    ta[threadIdx.y][threadIdx.x] = a[y * k + t + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

int main() {
  const int m = 48, n = 64, k = 32;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (auto &v : a) v = random_float();
  for (auto &v : b) v = random_float() - 0.5f;
  float *da = to_device(a), *db = to_device(b), *dc = to_device(c);
  gemm<16><<<dim3(n / 16, m / 16), dim3(16, 16)>>>(da, db, dc, n, k);
  to_host(c, dc);
  show("tiles of 16", c);
  gemm<8><<<dim3(n / 8, m / 8), dim3(8, 8)>>>(da, db, dc, n, k);
  to_host(c, dc);
  show("tiles of 8", c);
}
