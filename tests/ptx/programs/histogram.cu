// Counts in shared memory and in global memory.
#include "device.cuh"
__device__ inline void add(unsigned *at, unsigned n) {
  asm volatile("red.add.u32 [%0], %1;" ::"l"(at), "r"(n) : "memory");
}
KERNEL histogram(const unsigned char *data, unsigned *counts, unsigned n) {
  __shared__ unsigned own[256];
  for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) own[k] = 0;
  __syncthreads();
  for (unsigned i = global_x(); i < n; i += gridDim.x * blockDim.x) add(&own[data[i]], 1);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) add(&counts[k], own[k]);
}
