// A frontier that resident blocks keep in segments, level after level in one launch. A block fills
// its own segment through a counter in shared memory, and at the barrier between levels tells the
// others in one word how much that holds: no atomic takes places of all, and nobody looks for whose
// list an edge is of, since an entry is a piece of a list for a few lanes. At most 32 blocks, all
// resident.
#ifndef WARPFAB_SEGMENTS_CUH
#define WARPFAB_SEGMENTS_CUH

#include "warpfab.cuh"

// A block's word of a level: entries, whether it changed something, and a bit that alternates.
enum { SEGMENTS_SOME = 1, SEGMENTS_CHANGED = 2 }; // of all blocks
enum { SEGMENT_COUNT = 0x3fffffff, SEGMENT_CHANGED = 1 << 30, SEGMENT_TURN_AT = 31 };

struct Piece {
  uint32_t start, count;
};
DEVICE Piece fresh_piece_if(bool wanted, const Piece *at) {
  uint32_t start = 0, count = 0;
  asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; "
               "@wanted ld.global.cg.v2.u32 {%0, %1}, [%2]; }"
               : "+r"(start), "+r"(count)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return Piece{start, count};
}
DEVICE void store_piece(Piece *at, uint32_t start, uint32_t count) {
  asm volatile("st.global.cg.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(start), "r"(count) : "memory");
}

struct Segments {
  Piece *pieces;   // [2][blocks][capacity]
  uint32_t *words; // [2][WARP_LANES], 0 at first
  uint32_t capacity;
  // Shared: pieces of the block's own segment; whether it changed something; the others'.
  uint32_t *held, *changed;
  volatile uint32_t *counts, *all;

  DEVICE_METHOD Piece *segment(uint32_t side, uint32_t block) const {
    return pieces + (uint64_t)(side * grid_dim_x() + block) * capacity;
  }
  // The segment that this warp reads: its warps' numbers count in it. So few pieces are dealt over
  // all blocks, and what they find too.
  DEVICE_METHOD uint32_t from() const {
    return (block_x() + warp_in_block()) % grid_dim_x();
  }
  // All threads call, once.
  DEVICE_METHOD void begin() const {
    if (thread_x() == 0) *held = *changed = 0;
    barrier();
  }
  // A list joins the block's segment in pieces of `most` edges.
  DEVICE_METHOD void push(Piece *segment, uint32_t start, uint32_t count, uint32_t most) const {
    if (!count) return;
    Piece *to = segment + __atomic_fetch_add(held, (count + most - 1) / most, __ATOMIC_RELAXED);
#pragma clang loop unroll(disable)
    for (; count > most; count -= most, start += most) store_piece(to++, start, most);
    store_piece(to, start, count);
  }
  // A list from start to end, its pieces dealt over the blocks' segments. All threads call.
  DEVICE_METHOD void push_dealt(uint32_t start, uint32_t end, uint32_t most) const {
    for (uint32_t at = start + (thread_x() * grid_dim_x() + block_x()) * most; at < end;
         at += block_dim_x() * grid_dim_x() * most)
      push(segment(0, block_x()), at, end - at < most ? end - at : most, most);
  }
  // Waits until all blocks have filled the level; says what they have, SEGMENTS_*.
  // All threads call, level by level from 0.
  DEVICE_METHOD uint32_t meet(uint32_t level) const {
    const uint32_t lane = lane_id(), turn = (~level & 2) << (SEGMENT_TURN_AT - 1);
    uint32_t *now = words + (level & 1) * WARP_LANES, word = turn;
    asm volatile("membar.gl;" ::: "memory");
    barrier();
    if (warp_in_block() == 0) {
      if (lane == 0) {
        uint32_t mine = *held | *changed | turn;
        asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(now + block_x()), "r"(mine) : "memory");
        *held = *changed = 0;
      }
      do word = fresh_if(lane < grid_dim_x(), now + lane, word);
      while (warp_any((word ^ turn) >> SEGMENT_TURN_AT));
      counts[lane] = word & SEGMENT_COUNT;
      uint32_t some = warp_any(word & SEGMENT_COUNT), changes = warp_any(word & SEGMENT_CHANGED);
      if (lane == 0) *all = some | changes << 1;
    }
    barrier();
    return *all;
  }
};

#define SEGMENTS_PARAMS Piece *pieces, uint32_t *words, uint32_t capacity
#define SEGMENTS(NAME)                                                                             \
  __shared__ uint32_t NAME##_held, NAME##_changed;                                                 \
  __shared__ volatile uint32_t NAME##_counts[WARP_LANES], NAME##_all;                              \
  const Segments NAME = {pieces,          words,          capacity,   &NAME##_held,                \
                         &NAME##_changed, NAME##_counts, &NAME##_all};                             \
  NAME.begin();

#endif
