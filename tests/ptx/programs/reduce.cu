// Sums by block: halving in dynamic shared memory, and by shuffles.
#include "device.cuh"
extern __shared__ float sums[];
KERNEL reduce_shared(const float *in, float *out, unsigned n) {
  const unsigned i = global_x(), t = threadIdx.x;
  sums[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
__device__ inline float down(float x, int by) {
  float y;
#if __CUDA_ARCH__ >= 700
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=f"(y) : "f"(x), "r"(by));
#else
  asm volatile("shfl.down.b32 %0, %1, %2, 31;" : "=f"(y) : "f"(x), "r"(by));
#endif
  return y;
}
KERNEL reduce_warp(const float *in, float *out, unsigned n) {
  float x = global_x() < n ? in[global_x()] : 0.0f;
  for (int by = 16; by > 0; by /= 2) x += down(x, by);
  if (threadIdx.x % 32 == 0) out[global_x() / 32] = x;
}
