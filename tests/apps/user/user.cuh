// What the kernels here share: one launch of resident blocks.
#ifndef USER_CUH
#define USER_CUH

#include "warpfab.cuh"

DEVICE uint32_t add(uint32_t *at, uint32_t by) {
  return atomic_add_if(true, at, by, 0);
}
DEVICE uint32_t peek(const uint32_t *at) {
  return fresh_if(true, at, 0);
}
DEVICE uint32_t shfl(uint32_t v, uint32_t lane) {
  uint32_t got;
  asm volatile("shfl.idx.b32 %0, %1, %2, 31;" : "=r"(got) : "r"(v), "r"(lane));
  return got;
}

DEVICE void all_blocks(uint32_t *arrived, uint32_t round) {
  asm volatile("membar.gl;" ::: "memory");
  __syncthreads();
  if (thread_x() == 0) {
    add(arrived, 1);
    while (peek(arrived) < (round + 1) * grid_dim_x()) continue;
  }
  __syncthreads();
}

#endif
