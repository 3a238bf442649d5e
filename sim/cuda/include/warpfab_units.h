// What the fabric's units add to a CUDA program's kernels. While one is compiled for `--unit mff`,
// WARPFAB_UNIT_mff is defined, in both parts; without it the program goes another way.
#ifndef WARPFAB_UNITS_H
#define WARPFAB_UNITS_H

#include "cuda_runtime.h"

#ifdef __CUDA__
#define WF_DEVICE_OF_UNITS static __device__ __forceinline__

// ---- mff: all lanes of the warp call together; a lane that wants nothing passes size 0. The host
// says where C, WfV and the bit vector are: warpfabUnitBase("mff", "c_base", C). ----
// Word i of WfV[C[index .. + size)] will be at to[i], in shared memory; at most 32. Does not wait.
WF_DEVICE_OF_UNITS void mff_gather(void *to, unsigned index, unsigned size) {
  asm volatile("mff.gather.b32 [%0], %1, %2;" ::"l"(to), "r"(index), "r"(size) : "memory");
}
// Waits for all gathers of this warp.
WF_DEVICE_OF_UNITS void mff_wait() {
  asm volatile("mff.wait;" ::: "memory");
}
// Sets bit C[index + i] of the bit vector for i < size, at most 32. The kernel's end waits for it.
WF_DEVICE_OF_UNITS void mff_scatter_set(unsigned index, unsigned size) {
  asm volatile("mff.scatter_set %0, %1;" ::"r"(index), "r"(size) : "memory");
}

// ---- launches by threads. A kernel is named as text, for clang refuses its address there: it is
// extern "C" and takes one structure. ----
extern "C" __device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
// A buffer with the structure in it; NULL: there is no memory.
template <class ARGUMENTS> WF_DEVICE_OF_UNITS void *launch_buffer(const ARGUMENTS &arguments) {
  ARGUMENTS *buffer = (ARGUMENTS *)cudaGetParameterBuffer(8, sizeof arguments);
  if (buffer) *buffer = arguments;
  return buffer;
}
#define WF_LAUNCH(INSTRUCTION, KERNEL, BUFFER, GRID, BLOCK, SHARED)                                \
  ({                                                                                               \
    const dim3 grid_(GRID), block_(BLOCK);                                                         \
    unsigned status_;                                                                              \
    asm volatile(INSTRUCTION " %0, " #KERNEL ", %1, {%2, %3, %4}, {%5, %6, %7}, %8;"               \
                 : "=r"(status_)                                                                   \
                 : "l"(BUFFER), "r"(grid_.x), "r"(grid_.y), "r"(grid_.z), "r"(block_.x),           \
                   "r"(block_.y), "r"(block_.z), "r"((unsigned)(SHARED))                           \
                 : "memory");                                                                      \
    (cudaError_t) status_;                                                                         \
  })
// A grid of its own, or a group of blocks that joins the kernel if it runs already (--unit dtbl).
#define launch_grid(KERNEL, BUFFER, GRID, BLOCK, SHARED)                                           \
  WF_LAUNCH("cuda.launch.device", KERNEL, BUFFER, GRID, BLOCK, SHARED)
#define launch_group(KERNEL, BUFFER, GRID, BLOCK, SHARED)                                          \
  WF_LAUNCH("cuda.launch.group", KERNEL, BUFFER, GRID, BLOCK, SHARED)
#undef WF_DEVICE_OF_UNITS
#endif

#endif
