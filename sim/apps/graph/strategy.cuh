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

// The value of lane `from`; of the lane `from` further.
#define SHUFFLE(NAME, MODE)                                                                        \
  template <class T> DEVICE T NAME(T value, uint32_t from) {                                       \
    uint32_t got;                                                                                  \
    asm volatile("shfl." MODE ".b32 %0, %1, %2, 31;"                                               \
                 : "=r"(got)                                                                       \
                 : "r"(__builtin_bit_cast(uint32_t, value)), "r"(from));                           \
    return __builtin_bit_cast(T, got);                                                             \
  }
SHUFFLE(shuffle, "idx")
SHUFFLE(shuffle_down, "down")

// In the first of LANES lanes side by side: what all of them have.
template <int LANES, class Work> DEVICE typename Work::Value join_lanes(typename Work::Value mine) {
#pragma unroll
  for (int d = LANES / 2; d; d /= 2) mine = Work::join(mine, shuffle_down(mine, d));
  return mine;
}

// Edges e, e + step, .. below end, by this thread, U of them in flight.
template <int U = IN_FLIGHT, class Work>
DEVICE typename Work::Value walk(const Work &work, uint32_t e, uint32_t end, uint32_t step) {
  typename Work::Value sum = Work::none();
#pragma clang loop unroll(disable)
  for (; e < end; e += U * step) {
    uint32_t got[U];
    work.template load<U>(e, step, end, got);
#pragma unroll
    for (int i = 0; i < U; i++)
      sum = Work::join(sum, __builtin_bit_cast(typename Work::Value, got[i]));
  }
  return sum;
}

// ---- three bins: a list is walked by its thread, by the warp or by the block ----

// each(e, end, mine) for each list of BLOCK_LIST edges and more: a thread walks its edges e, e +
// BLOCK, .. below end; mine: in the list's own thread, whose *count becomes 0. All threads of the
// block call.
template <class Each> DEVICE void lists_of_block(uint32_t start, uint32_t *count, Each each) {
  __shared__ uint32_t owner, first, length;
  for (;;) {
    if (thread_x() == 0) owner = BLOCK;
    barrier();
    if (*count >= BLOCK_LIST) owner = thread_x(); // one of them
    barrier();
    const bool mine = owner == thread_x();
    if (owner == BLOCK) return;
    if (mine) {
      first = start;
      length = *count;
      *count = 0;
    }
    barrier();
    each(first + thread_x(), first + length, mine);
    barrier();
  }
}

// The same for lists of `least` and more, by the lanes of the warp.
template <class Each>
DEVICE void lists_of_warp(uint32_t least, uint32_t start, uint32_t *count, Each each) {
  for (uint32_t left; (left = warp_ballot(*count >= least));) {
    uint32_t owner = 31 - (uint32_t)__builtin_clz(left);
    uint32_t first = shuffle(start, owner), end = first + shuffle(*count, owner);
    const bool mine = lane_id() == owner;
    if (mine) *count = 0;
    each(first + lane_id(), end, mine);
  }
}

// What the thread's own list comes to, `sum` if it is empty: from WARP_LIST edges on by the warp.
// All lanes call.
template <int U = IN_FLIGHT, class Work>
DEVICE typename Work::Value walk_in_warp(const Work &work, uint32_t start, uint32_t count,
                                         typename Work::Value sum) {
  lists_of_warp(WARP_LIST, start, &count, [&](uint32_t e, uint32_t end, bool mine) {
    typename Work::Value part =
        shuffle(join_lanes<WARP_LANES, Work>(walk<U>(work, e, end, WARP_LANES)), 0);
    if (mine) sum = part;
  });
  return Work::join(sum, walk<U>(work, start, start + count, 1));
}

// The thread's own list. All threads of the block call.
template <class Work>
DEVICE typename Work::Value walk_bins(const Work &work, uint32_t start, uint32_t count) {
  typedef typename Work::Value Value;
  __shared__ Value of_warp[BLOCK / WARP_LANES];
  Value sum = Work::none();
  lists_of_block(start, &count, [&](uint32_t e, uint32_t end, bool mine) {
    Value part = join_lanes<WARP_LANES, Work>(walk(work, e, end, BLOCK));
    if (lane_id() == 0) of_warp[warp_in_block()] = part;
    barrier();
    if (mine)
      for (int i = 0; i < BLOCK / WARP_LANES; i++) sum = Work::join(sum, of_warp[i]);
  });
  return walk_in_warp(work, start, count, sum);
}

// ---- the same where edges come to nothing: work.visit<U>(e, step, end) ----

template <int U = IN_FLIGHT, class Work>
DEVICE void visit_list(const Work &work, uint32_t e, uint32_t end, uint32_t step) {
#pragma clang loop unroll(disable)
  for (; e < end; e += U * step) work.template visit<U>(e, step, end);
}

template <class Work>
DEVICE void visit_bins(const Work &work, uint32_t start, uint32_t count,
                       uint32_t warp_list = WARP_LIST) {
  lists_of_block(start, &count,
                 [&](uint32_t e, uint32_t end, bool) { visit_list(work, e, end, BLOCK); });
  lists_of_warp(warp_list, start, &count,
                [&](uint32_t e, uint32_t end, bool) { visit_list(work, e, end, WARP_LANES); });
  visit_list(work, start, start + count, 1);
}

// Each lane's list by the whole warp, as long as it may be. All lanes call.
template <class Work> DEVICE void visit_by_warp(const Work &work, uint32_t start, uint32_t count) {
  for (uint32_t left = warp_ballot(count != 0); left; left &= left - 1) {
    uint32_t owner = (uint32_t)__builtin_ctz(left);
    uint32_t first = shuffle(start, owner), end = first + shuffle(count, owner);
    visit_list(work, first + lane_id(), end, WARP_LANES);
  }
}

// Sets the bits of a list's vertices.
struct SetBits {
  uint32_t *bits;
  const uint32_t *__restrict__ col;
  template <int U> DEVICE_METHOD void visit(uint32_t e, uint32_t step, uint32_t end) const {
    uint32_t at[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, col + e + i * step, 0);
#pragma unroll
    for (int i = 0; i < U; i++)
      reduce_or_if(e + i * step < end, bits + at[i] / 32, 1u << (at[i] & 31));
  }
};

#endif
