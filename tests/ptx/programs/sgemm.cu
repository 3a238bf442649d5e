// Matrix product by tiles.
#include "device.cuh"
enum { T = 16 };
KERNEL sgemm(const float *a, const float *b, float *c, int n, float alpha, float beta) {
  __shared__ float as[T][T], bs[T][T + 1];
  const int x = (int)(blockIdx.x * T + threadIdx.x), y = (int)(blockIdx.y * T + threadIdx.y);
  float sum = 0.0f;
  for (int k = 0; k < n; k += T) {
    as[threadIdx.y][threadIdx.x] = a[y * n + k + (int)threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(k + (int)threadIdx.y) * n + x];
    __syncthreads();
    for (int j = 0; j < T; j++) sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}
