// How vertices' lists are shared out over threads. An algorithm says what is done with edges:
//   Work::Value   what edges come to, 32 bits
//   Work::none()  what no edge comes to
//   Work::join(a, b)
//   work.load<U>(e, step, end, got)  got[i]: the bits of edge e + i * step's value, of none() from
//                                    end on; all U in flight
// and the functions here walk a list by a thread, some lanes, a warp or a block.
#ifndef WARPFAB_STRATEGY_CUH
#define WARPFAB_STRATEGY_CUH

#include "warpfab.cuh"

enum {
  IN_FLIGHT = 8,    // edges of a thread
  BLOCK = 256,      // threads; WF_APP_BLOCK
  WARP_LIST = 32,   // from this length on a list is walked by a warp
  BLOCK_LIST = 1024 // by a block
};

DEVICE void barrier() {
  asm volatile("bar.sync 0;" ::: "memory");
}

// Past the L1: words scattered over more lines than it holds only push each other out of it.
DEVICE uint32_t load_far_if(bool wanted, const uint32_t *at, uint32_t otherwise) {
  asm("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted ld.global.cg.u32 %0, [%1]; }"
      : "+r"(otherwise)
      : "l"(at), "r"((uint32_t)wanted));
  return otherwise;
}

template <class T> DEVICE T shuffle(T value, uint32_t lane) {
  uint32_t got;
  asm volatile("shfl.idx.b32 %0, %1, %2, 31;"
               : "=r"(got)
               : "r"(__builtin_bit_cast(uint32_t, value)), "r"(lane));
  return __builtin_bit_cast(T, got);
}

template <class T> DEVICE T shuffle_down(T value, uint32_t lanes) {
  uint32_t got;
  asm volatile("shfl.down.b32 %0, %1, %2, 31;"
               : "=r"(got)
               : "r"(__builtin_bit_cast(uint32_t, value)), "r"(lanes));
  return __builtin_bit_cast(T, got);
}

// In the first of LANES lanes side by side: what all of them have.
template <int LANES, class Work> DEVICE typename Work::Value join_lanes(typename Work::Value mine) {
#pragma unroll
  for (int d = LANES / 2; d; d /= 2) mine = Work::join(mine, shuffle_down(mine, d));
  return mine;
}

// Edges e, e + step, .. below end, by this thread.
template <class Work>
DEVICE typename Work::Value walk(const Work &work, uint32_t e, uint32_t end, uint32_t step) {
  typename Work::Value sum = Work::none();
#pragma clang loop unroll(disable)
  for (; e < end; e += IN_FLIGHT * step) {
    uint32_t got[IN_FLIGHT];
    work.template load<IN_FLIGHT>(e, step, end, got);
#pragma unroll
    for (int i = 0; i < IN_FLIGHT; i++)
      sum = Work::join(sum, __builtin_bit_cast(typename Work::Value, got[i]));
  }
  return sum;
}

// ---- three bins: a list is walked by its thread, by the warp or by the block ----

// Lists of BLOCK_LIST and more, one after the other; *count becomes 0 where that was done. All
// threads of the block call.
template <class Work>
DEVICE typename Work::Value walk_by_block(const Work &work, uint32_t start, uint32_t *count) {
  __shared__ uint32_t owner, first, length;
  __shared__ typename Work::Value of_warp[BLOCK / WARP_LANES];
  typename Work::Value sum = Work::none();
  for (;;) {
    if (thread_x() == 0) owner = BLOCK;
    barrier();
    if (*count >= BLOCK_LIST) owner = thread_x(); // one of them
    barrier();
    const bool mine = owner == thread_x();
    if (owner == BLOCK) return sum;
    if (mine) {
      first = start;
      length = *count;
      *count = 0;
    }
    barrier();
    typename Work::Value part =
        join_lanes<WARP_LANES, Work>(walk(work, first + thread_x(), first + length, BLOCK));
    if (lane_id() == 0) of_warp[warp_in_block()] = part;
    barrier();
    if (mine)
      for (int i = 0; i < BLOCK / WARP_LANES; i++) sum = Work::join(sum, of_warp[i]);
    barrier();
  }
}

// Lists of WARP_LIST and more. All lanes call.
template <class Work>
DEVICE typename Work::Value walk_by_warp(const Work &work, uint32_t start, uint32_t *count) {
  typename Work::Value sum = Work::none();
  for (uint32_t left; (left = warp_ballot(*count >= WARP_LIST));) {
    uint32_t owner = 31 - (uint32_t)__builtin_clz(left);
    uint32_t first = shuffle(start, owner), end = first + shuffle(*count, owner);
    typename Work::Value part =
        join_lanes<WARP_LANES, Work>(walk(work, first + lane_id(), end, WARP_LANES));
    part = shuffle(part, 0);
    if (lane_id() == owner) {
      sum = part;
      *count = 0;
    }
  }
  return sum;
}

// The thread's own list. All threads of the block call.
template <class Work>
DEVICE typename Work::Value walk_bins(const Work &work, uint32_t start, uint32_t count) {
  typename Work::Value sum = walk_by_block(work, start, &count);
  sum = Work::join(sum, walk_by_warp(work, start, &count));
  return Work::join(sum, walk(work, start, start + count, 1));
}

#endif
