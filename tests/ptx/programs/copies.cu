// Tiles copied past the registers, and matrix instructions.
#include "device.cuh"
KERNEL tiles(const float *in, float *out, int tiles_n) {
  __shared__ float t[2][128];
#if __CUDA_ARCH__ >= 800
  for (int k = 0; k < tiles_n; k++) {
    unsigned to =
        (unsigned)(unsigned long)(__attribute__((address_space(3))) float *)&t[k & 1][threadIdx.x];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
                 "l"(in + k * 128 + threadIdx.x)
                 : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[k * 128 + threadIdx.x] = t[k & 1][127 - threadIdx.x];
  }
  unsigned a[4] = {1, 2, 3, 4}, b[2] = {5, 6};
  float c[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  out[threadIdx.x] += c[0] + c[1] + c[2] + c[3];
#else
  for (int k = 0; k < tiles_n; k++) {
    t[k & 1][threadIdx.x] = in[k * 128 + threadIdx.x];
    __syncthreads();
    out[k * 128 + threadIdx.x] = t[k & 1][127 - threadIdx.x];
  }
#endif
}
