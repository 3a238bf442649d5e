// What the kernels modelled on published benchmarks need beyond warpfab.cuh. Loads stay where the
// originals have them: pointers are `const __restrict__` only where nothing in the kernel writes
// the array, so that clang reloads what a compiler of the originals had to reload.
#ifndef WARPFAB_SUITE_CUH
#define WARPFAB_SUITE_CUH

#include "warpfab.cuh"

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;

DEVICE uint32_t thread_y() {
  return (uint32_t)__nvvm_read_ptx_sreg_tid_y();
}
DEVICE uint32_t block_y() {
  return (uint32_t)__nvvm_read_ptx_sreg_ctaid_y();
}
DEVICE uint32_t block_dim_y() {
  return (uint32_t)__nvvm_read_ptx_sreg_ntid_y();
}
DEVICE uint32_t global_x() {
  return global_thread();
}
DEVICE uint32_t global_y() {
  return block_y() * block_dim_y() + thread_y();
}

// A turn of a loop that is written out as often as it is called, so that what is loaded ahead can
// change its name with each: a copy would wait for the load.
#define TURN(...) [&](__VA_ARGS__) __attribute__((always_inline))

// What was there before.
#define ATOMIC(NAME)                                                                               \
  DEVICE uint32_t atomic_##NAME(uint32_t *at, uint32_t value) {                                    \
    uint32_t old;                                                                                  \
    asm volatile("atom.global." #NAME ".u32 %0, [%1], %2;"                                         \
                 : "=r"(old)                                                                       \
                 : "l"(at), "r"(value)                                                             \
                 : "memory");                                                                      \
    return old;                                                                                    \
  }
ATOMIC(min)
ATOMIC(max)
ATOMIC(add)
DEVICE uint32_t atomic_cas(uint32_t *at, uint32_t expected, uint32_t value) {
  uint32_t old;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(at), "r"(expected), "r"(value)
               : "memory");
  return old;
}

#endif
