// Just enough of CUDA C for the kernels here, for clang without a CUDA installation:
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S
#ifndef WARPFAB_CUH
#define WARPFAB_CUH

typedef unsigned int uint32_t;
typedef int int32_t;
typedef unsigned long long uint64_t;

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __forceinline__
#define DEVICE_METHOD __device__ __forceinline__

enum { WARP_LANES = 32 };

DEVICE uint32_t thread_x() {
  return (uint32_t)__nvvm_read_ptx_sreg_tid_x();
}
DEVICE uint32_t block_x() {
  return (uint32_t)__nvvm_read_ptx_sreg_ctaid_x();
}
DEVICE uint32_t block_dim_x() {
  return (uint32_t)__nvvm_read_ptx_sreg_ntid_x();
}
DEVICE uint32_t grid_dim_x() {
  return (uint32_t)__nvvm_read_ptx_sreg_nctaid_x();
}
DEVICE uint32_t global_thread() {
  return block_x() * block_dim_x() + thread_x();
}
// Blocks are one-dimensional here, so lane and warp follow from tid.x.
DEVICE uint32_t lane_id() {
  return thread_x() & (WARP_LANES - 1);
}
DEVICE uint32_t warp_in_block() {
  return thread_x() / WARP_LANES;
}

DEVICE uint64_t clock64() {
  uint64_t now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

// True in all lanes of the warp if it is in any active one.
DEVICE bool warp_any(bool mine) {
  return __nvvm_vote_any(mine);
}
// Bit l of the result: lane l is active and says yes.
DEVICE uint32_t warp_ballot(bool mine) {
  return __nvvm_vote_ballot(mine);
}

// Loads where wanted, else `otherwise`: a predicated load, as a compiler for real hardware makes of
// a short branch (clang leaves that to the assembler behind it). No memory traffic where not
// wanted.
DEVICE uint32_t load_if(bool wanted, const uint32_t *__restrict__ at, uint32_t otherwise) {
  asm("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted ld.global.nc.u32 %0, [%1]; }"
      : "+r"(otherwise)
      : "l"(at), "r"((uint32_t)wanted));
  return otherwise;
}

// Atomics without a result, where wanted: the warp does not wait for them.
DEVICE void reduce_or_if(bool wanted, uint32_t *word, uint32_t bits) {
  asm volatile(
      "{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted red.global.or.b32 [%0], %1; }"
      :
      : "l"(word), "r"(bits), "r"((uint32_t)wanted)
      : "memory");
}

#endif
