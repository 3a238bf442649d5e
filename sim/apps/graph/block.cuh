// A search by one block, without a barrier of the whole GPU: for frontiers that one SM's threads
// hold. Its state lies in shared memory, as far as it fits. The other blocks read the graph into
// the L2.
//
// A round is a chain of instructions that wait for each other, so it has no branch but for turns:
// each instruction has a predicate of its own, and shared addresses have 32 bits.
#ifndef WARPFAB_BLOCK_CUH
#define WARPFAB_BLOCK_CUH

#include "strategy.cuh"

enum {
  SEARCH_BLOCK = 512, // threads; WF_BLOCK_THREADS
  SEARCH_EDGES = 2    // of a lane at once
};
enum { NONE = 0xffffffffu }; // no vertex, no place

extern __shared__ uint32_t wf_shared[];

DEVICE uint32_t shared_address(const volatile uint32_t *at) {
  return (uint32_t)(uint64_t)(const volatile __attribute__((address_space(3))) uint32_t *)at;
}

// An instruction at word %3 of %4 if %1 < %2; %0: its result, else what was there.
#define IF_BELOW(BITS, MAD, INSTRUCTION)                                                           \
  "{ .reg .pred below; .reg .u" BITS " at; mad." MAD ".u32 at, %3, 4, %4; "                        \
  "setp.lt.u32 below, %1, %2; @below " INSTRUCTION "; }"
#define GLOBAL_IF_BELOW(INSTRUCTION) IF_BELOW("64", "wide", INSTRUCTION)
#define SHARED_IF_BELOW(INSTRUCTION) IF_BELOW("32", "lo", INSTRUCTION)

DEVICE uint32_t fresh_if_below(uint32_t a, uint32_t b, const uint32_t *words, uint32_t i,
                               uint32_t otherwise) {
  asm volatile(GLOBAL_IF_BELOW("ld.global.cg.u32 %0, [at]")
               : "+r"(otherwise)
               : "r"(a), "r"(b), "r"(i), "l"(words)
               : "memory");
  return otherwise;
}
DEVICE void store_if_below(uint32_t a, uint32_t b, uint32_t *words, uint32_t i, uint32_t value) {
  asm volatile(GLOBAL_IF_BELOW("st.global.u32 [at], %0")::"r"(value), "r"(a), "r"(b), "r"(i),
               "l"(words)
               : "memory");
}
#define GLOBAL_ATOMIC(NAME, OPERATION)                                                             \
  DEVICE uint32_t NAME(uint32_t a, uint32_t b, uint32_t *words, uint32_t i, uint32_t value,        \
                       uint32_t otherwise) {                                                       \
    asm volatile(GLOBAL_IF_BELOW("atom.global." OPERATION " %0, [at], %5")                         \
                 : "+r"(otherwise)                                                                 \
                 : "r"(a), "r"(b), "r"(i), "l"(words), "r"(value)                                  \
                 : "memory");                                                                      \
    return otherwise;                                                                              \
  }
GLOBAL_ATOMIC(atomic_or_if_below, "or.b32")
GLOBAL_ATOMIC(atomic_min_if_below, "min.u32")
#define SHARED_ATOMIC(NAME, OPERATION)                                                             \
  DEVICE uint32_t NAME(uint32_t a, uint32_t b, uint32_t words, uint32_t i, uint32_t value,         \
                       uint32_t otherwise) {                                                       \
    asm volatile(SHARED_IF_BELOW("atom.shared." OPERATION " %0, [at], %5")                         \
                 : "+r"(otherwise)                                                                 \
                 : "r"(a), "r"(b), "r"(i), "r"(words), "r"(value)                                  \
                 : "memory");                                                                      \
    return otherwise;                                                                              \
  }
SHARED_ATOMIC(shared_or_if_below, "or.b32")
SHARED_ATOMIC(shared_add_if_below, "add.u32")
SHARED_ATOMIC(shared_min_if_below, "min.u32")
DEVICE void shared_store_if_below(uint32_t a, uint32_t b, uint32_t words, uint32_t i,
                                  uint32_t value) {
  asm volatile(SHARED_IF_BELOW("st.shared.u32 [at], %0")::"r"(value), "r"(a), "r"(b), "r"(i),
               "r"(words)
               : "memory");
}
DEVICE uint32_t shared_load_if_below(uint32_t a, uint32_t b, uint32_t words, uint32_t i,
                                     uint32_t otherwise) {
  asm volatile(SHARED_IF_BELOW("ld.shared.u32 %0, [at]")
               : "+r"(otherwise)
               : "r"(a), "r"(b), "r"(i), "r"(words)
               : "memory");
  return otherwise;
}
DEVICE uint32_t shared_load(uint32_t at) {
  uint32_t got;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(at) : "memory");
  return got;
}
DEVICE void shared_store(uint32_t at, uint32_t value) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
}

// All threads of the other blocks: a word of each 128 bytes.
DEVICE void warm(const uint32_t *words, uint32_t count) {
  const uint32_t threads = (grid_dim_x() - 1) * block_dim_x();
  for (uint32_t i = (global_thread() - block_dim_x()) * 32; i < count; i += threads * 32)
    fresh_if(true, words + i, 0);
}

#endif
