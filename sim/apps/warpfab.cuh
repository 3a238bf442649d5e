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
// As a mask.
DEVICE uint32_t lanes_below() {
  return (1u << lane_id()) - 1;
}

// All threads of the block. clang 14 takes its own __syncthreads() not to touch shared memory that
// the kernel's file alone knows, and moves loads of it across; memory clobbered keeps them.
DEVICE void barrier() {
  asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() barrier()

DEVICE uint64_t clock64() {
  uint64_t now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

// Votes, and shuffles elsewhere, have no .sync: the target is sm_35 (rules.mk). From sm_70 on PTX
// wants the forms with a mask of lanes.

// True in all lanes of the warp if it is in any active one.
DEVICE bool warp_any(bool mine) {
  return __nvvm_vote_any(mine);
}
// Bit l of the result: lane l is active and says yes.
DEVICE uint32_t warp_ballot(bool mine) {
  return __nvvm_vote_ballot(mine);
}

// Atomics without a result: the warp does not wait for them.
#define REDUCE(NAME)                                                                               \
  DEVICE void reduce_##NAME(uint32_t *at, uint32_t value) {                                        \
    asm volatile("red.global." #NAME ".u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");           \
  }
REDUCE(min)
REDUCE(max)
REDUCE(add)

// ---- where wanted ----
// Predicated instructions, as a compiler for real hardware makes of a short branch (clang leaves
// that to the assembler behind it): no memory traffic where not wanted, and several in flight.
// %2: wanted.
#define WHERE_WANTED(INSTRUCTION)                                                                  \
  "{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted " INSTRUCTION "; }"

// A word, or `otherwise` where it is not wanted: of what nobody writes meanwhile;
DEVICE uint32_t load_if(bool wanted, const uint32_t *__restrict__ at, uint32_t otherwise) {
  asm(WHERE_WANTED("ld.global.nc.u32 %0, [%1]") : "+r"(otherwise) : "l"(at), "r"((uint32_t)wanted));
  return otherwise;
}
// past the L1: words scattered over more lines than it holds only push each other out of it;
DEVICE uint32_t load_far_if(bool wanted, const uint32_t *at, uint32_t otherwise) {
  asm(WHERE_WANTED("ld.global.cg.u32 %0, [%1]") : "+r"(otherwise) : "l"(at), "r"((uint32_t)wanted));
  return otherwise;
}
// that other blocks write: what is in the L1 may be stale;
DEVICE uint32_t look_if(bool wanted, const uint32_t *at, uint32_t otherwise) {
  asm volatile(WHERE_WANTED("ld.global.u32 %0, [%1]")
               : "+r"(otherwise)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return otherwise;
}
// that other blocks have written in this launch, as it is now.
DEVICE uint32_t fresh_if(bool wanted, const uint32_t *at, uint32_t otherwise) {
  asm volatile(WHERE_WANTED("ld.global.cg.u32 %0, [%1]")
               : "+r"(otherwise)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return otherwise;
}

// What was there before, or `otherwise`.
#define ATOMIC_IF(NAME, OPERATION)                                                                 \
  DEVICE uint32_t atomic_##NAME##_if(bool wanted, uint32_t *at, uint32_t value,                    \
                                     uint32_t otherwise) {                                         \
    asm volatile(WHERE_WANTED("atom.global." OPERATION " %0, [%1], %3")                            \
                 : "+r"(otherwise)                                                                 \
                 : "l"(at), "r"((uint32_t)wanted), "r"(value)                                      \
                 : "memory");                                                                      \
    return otherwise;                                                                              \
  }
ATOMIC_IF(add, "add.u32")
ATOMIC_IF(min, "min.u32")
ATOMIC_IF(max, "max.u32")
ATOMIC_IF(or, "or.b32")
ATOMIC_IF(exch, "exch.b32")
// value where `expected` was.
DEVICE uint32_t atomic_cas_if(bool wanted, uint32_t *at, uint32_t expected, uint32_t value,
                              uint32_t otherwise) {
  asm volatile(WHERE_WANTED("atom.global.cas.b32 %0, [%1], %3, %4")
               : "+r"(otherwise)
               : "l"(at), "r"((uint32_t)wanted), "r"(expected), "r"(value)
               : "memory");
  return otherwise;
}

#define REDUCE_IF(NAME, OPERATION)                                                                 \
  DEVICE void reduce_##NAME##_if(bool wanted, uint32_t *at, uint32_t value) {                      \
    asm volatile(WHERE_WANTED("red.global." OPERATION " [%0], %1")                                 \
                 :                                                                                 \
                 : "l"(at), "r"(value), "r"((uint32_t)wanted)                                      \
                 : "memory");                                                                      \
  }
REDUCE_IF(add, "add.u32")
REDUCE_IF(or, "or.b32")

#endif
