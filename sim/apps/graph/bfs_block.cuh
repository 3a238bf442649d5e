// Breadth-first search by one block, without a barrier of the whole GPU: for frontiers that one
// SM's threads hold. Bits of visited vertices and both sides of the queue lie in shared memory; the
// bits that do not fit there lie in global memory, and a level that does not fit is read back from
// the vertices' levels. The other blocks read the graph into the L2.
//
// A level is a chain of instructions that wait for each other, so it has no branch but for turns:
// each instruction has a predicate of its own, and shared addresses have 32 bits.
#ifndef WARPFAB_BFS_BLOCK_CUH
#define WARPFAB_BFS_BLOCK_CUH

#include "strategy.cuh"

enum {
  SEARCH_BLOCK = 512, // threads; WF_BLOCK_THREADS
  SEARCH_EDGES = 2,   // of a lane at once
  SEARCH_LIST = 64    // from this length on a list is walked by a warp
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
DEVICE uint32_t atomic_or_if_below(uint32_t a, uint32_t b, uint32_t *words, uint32_t i,
                                   uint32_t value, uint32_t otherwise) {
  asm volatile(GLOBAL_IF_BELOW("atom.global.or.b32 %0, [at], %5")
               : "+r"(otherwise)
               : "r"(a), "r"(b), "r"(i), "l"(words), "r"(value)
               : "memory");
  return otherwise;
}
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
DEVICE void shared_store_if_below(uint32_t a, uint32_t b, uint32_t words, uint32_t i,
                                  uint32_t value) {
  asm volatile(SHARED_IF_BELOW("st.shared.u32 [at], %0")::"r"(value), "r"(a), "r"(b), "r"(i),
               "r"(words)
               : "memory");
}
DEVICE uint32_t shared_load(uint32_t at) {
  uint32_t got;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(got) : "r"(at) : "memory");
  return got;
}

// ALL: all bits are in shared memory, else those of vertices below `here`.
template <bool ALL> struct BlockSearch {
  const uint32_t *col;
  uint32_t *visited, *level_of;
  uint32_t n, level, bits, here, ids, places, tail;
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *v) const {
#pragma unroll
    for (int i = 0; i < U; i++) v[i] = fresh_if_below(e + i * step, end, col, e + i * step, NONE);
  }
  template <int U> DEVICE_METHOD void claim(const uint32_t *v) const {
    uint32_t old[U], to[U];
#pragma unroll
    for (int i = 0; i < U; i++)
      old[i] = shared_or_if_below(v[i], here, bits, v[i] / 32, 1u << (v[i] & 31), NONE);
#pragma unroll
    for (int i = 0; !ALL && i < U; i++)
      old[i] =
          atomic_or_if_below(v[i] - here, n - here, visited, v[i] / 32, 1u << (v[i] & 31), old[i]);
#pragma unroll
    for (int i = 0; i < U; i++) {
      old[i] &= 1u << (v[i] & 31);
      to[i] = shared_add_if_below(old[i], 1, tail, 0, 1, NONE);
    }
#pragma unroll
    for (int i = 0; i < U; i++) shared_store_if_below(to[i], places, ids, to[i], v[i]);
#pragma unroll
    for (int i = 0; i < U; i++) store_if_below(old[i], 1, level_of, v[i], level);
  }
  // All lanes call.
  DEVICE_METHOD void walk(uint32_t e, uint32_t step, uint32_t end) const {
    enum { U = SEARCH_EDGES };
    bool more;
    do {
      uint32_t v[U];
      load<U>(e, step, end, v);
      e += U * step;
      more = warp_any(e < end);
      claim<U>(v);
    } while (more);
  }
};

// All threads of the other blocks: a word of each 128 bytes.
DEVICE void warm(const uint32_t *words, uint32_t count) {
  const uint32_t threads = (grid_dim_x() - 1) * block_dim_x();
  for (uint32_t i = (global_thread() - block_dim_x()) * 32; i < count; i += threads * 32)
    fresh_if(true, words + i, 0);
}

#define BLOCK_PARAMS                                                                               \
  uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                  \
      uint32_t *visited, uint32_t *level_of, uint32_t source, uint32_t words, uint32_t places,     \
      uint32_t steps, uint32_t hubs, uint32_t lanes, uint32_t *deepest

// From `source`, whose bit is set in `visited`, until nothing is found or `steps` levels are there;
// *deepest: the last level that found something. hubs: a list has SEARCH_LIST edges. lanes: of a
// vertex, a power of two. A level's count is one of three words: those before and behind it are
// read and cleared meanwhile.
template <bool ALL> DEVICE void bfs_by_block(BLOCK_PARAMS) {
  if (block_x()) {
    warm(row, n);
    warm(col, row[n]);
    return;
  }
  __shared__ volatile uint32_t tails[3];
  for (uint32_t w = thread_x(); w < words; w += SEARCH_BLOCK) wf_shared[w] = 0;
  if (thread_x() < 3) tails[thread_x()] = thread_x() == 0;
  if (thread_x() == 0) wf_shared[words] = source;
  barrier();
  if (thread_x() == 0 && source / 32 < words) wf_shared[source / 32] = 1u << (source & 31);
  barrier();
  const uint32_t lane = thread_x() % lanes, mine = thread_x() / lanes, each = SEARCH_BLOCK / lanes;
  const uint32_t bits = shared_address(wf_shared), here = words * 32 < n ? words * 32 : n;
  uint32_t from = bits + words * 4, to = from + places * 4;
  uint32_t now = shared_address(tails), next = now + 4, later = now + 8;
  uint32_t level = 1;
  for (uint32_t count = steps > 1; count;) {
    const BlockSearch<ALL> work = {col, visited, level_of, n, level, bits, here, to, places, next};
    const bool queued = count <= places;
    const uint32_t size = queued ? count : n;
    for (uint32_t i = mine; i - mine < size; i += each) {
      uint32_t v = i, in = i;
      if (queued)
        v = shared_load(from + i * 4);
      else
        in = fresh_if_below(i, n, level_of, i, NONE) == level - 1 ? i : NONE;
      const uint32_t start = fresh_if_below(in, size, row, v, 0);
      uint32_t end = fresh_if_below(in, size, row + 1, v, 0);
      if (hubs) {
        uint32_t long_list = lane ? 0 : end - start;
        lists_of_warp(SEARCH_LIST, start, &long_list, [&](uint32_t first, uint32_t stop, bool) {
          work.walk(first, WARP_LANES, stop);
        });
        if (end - start >= SEARCH_LIST) end = start;
      }
      work.walk(start + lane, lanes, end);
    }
    if (thread_x() == 0) asm volatile("st.shared.u32 [%0], 0;" ::"r"(later) : "memory");
    barrier();
    count = shared_load(next);
    if (count && ++level >= steps) break;
    const uint32_t free = now, swap = from;
    now = next, next = later, later = free;
    from = to, to = swap;
  }
  if (thread_x() == 0) *deepest = level - 1;
}

KERNEL bfs_block(BLOCK_PARAMS) {
  bfs_by_block<true>(n, row, col, visited, level_of, source, words, places, steps, hubs, lanes,
                     deepest);
}
KERNEL bfs_block_far(BLOCK_PARAMS) {
  bfs_by_block<false>(n, row, col, visited, level_of, source, words, places, steps, hubs, lanes,
                      deepest);
}

#endif
