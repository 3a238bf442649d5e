// A frontier that resident blocks keep in segments, level after level in one launch. A block fills
// its own segment through a counter in shared memory, and at the barrier between levels tells the
// others in one word how much that holds: no atomic takes places of all, and nobody looks for whose
// list an edge is of, since an entry is a list, or a piece of one, for a few lanes. At most 32
// blocks, all resident.
#ifndef WARPFAB_SEGMENTS_CUH
#define WARPFAB_SEGMENTS_CUH

#include "warpfab.cuh"

// A block's word of a level: entries, flags, and a bit that alternates.
enum {
  SEGMENT_COUNT = 0x1fffffff,
  SEGMENT_FLAG = 1 << 29, // the algorithm's
  SEGMENT_LOST = 1 << 30, // more entries than its segment holds
  SEGMENT_TURN_AT = 31
};
enum { SEGMENTS_SOME = 1 }; // in some block's segment; beside SEGMENT_FLAG, SEGMENT_LOST of any

// FITS: a segment holds whatever its block finds.
template <class Entry, bool FITS> struct Segments {
  Entry *entries;  // [2][blocks][capacity]
  uint32_t *words; // [2][WARP_LANES], 0 at first
  uint32_t capacity;
  // Shared: entries of the block's own segment; the others'; what all have.
  uint32_t *held;
  volatile uint32_t *counts, *all;

  DEVICE_METHOD Entry *segment(uint32_t side, uint32_t block) const {
    return entries + (uint64_t)(side * grid_dim_x() + block) * capacity;
  }
  // The segment that this warp reads: its warps' numbers count in it. So few entries are dealt over
  // all blocks, and what they find too.
  DEVICE_METHOD uint32_t from() const { return (block_x() + warp_in_block()) % grid_dim_x(); }
  // All threads call, once.
  DEVICE_METHOD void begin() const {
    if (thread_x() == 0) *held = 0;
    barrier();
  }
  // Waits until all blocks have filled the level; says what they have, SEGMENTS_SOME and flags.
  // flag(): SEGMENT_FLAG or 0; one thread asks. All threads call, level by level from 0.
  template <class Flag> DEVICE_METHOD uint32_t meet(uint32_t level, Flag flag) const {
    const uint32_t lane = lane_id(), turn = (~level & 2) << (SEGMENT_TURN_AT - 1);
    uint32_t *now = words + (level & 1) * WARP_LANES, word = turn;
    asm volatile("membar.gl;" ::: "memory");
    barrier();
    if (warp_in_block() == 0) {
      if (lane == 0) {
        uint32_t mine = FITS || *held <= capacity ? *held : capacity | SEGMENT_LOST;
        mine |= flag() | turn;
        asm volatile("st.global.cg.u32 [%0], %1;" ::"l"(now + block_x()), "r"(mine) : "memory");
        *held = 0;
      }
      do word = fresh_if(lane < grid_dim_x(), now + lane, word);
      while (warp_any((word ^ turn) >> SEGMENT_TURN_AT));
      counts[lane] = word & SEGMENT_COUNT;
      uint32_t some = warp_any(word & SEGMENT_COUNT), flagged = warp_any(word & SEGMENT_FLAG);
      uint32_t lost = FITS ? 0u : (uint32_t)warp_any(word & SEGMENT_LOST);
      if (lane == 0) *all = some | flagged * SEGMENT_FLAG | lost * SEGMENT_LOST;
    }
    barrier();
    return *all;
  }
};

#define SEGMENTS_PARAMS(ENTRY) ENTRY *entries, uint32_t *words, uint32_t capacity
#define SEGMENTS(ENTRY, FITS, NAME)                                                                \
  __shared__ uint32_t NAME##_held;                                                                 \
  __shared__ volatile uint32_t NAME##_counts[WARP_LANES], NAME##_all;                              \
  const Segments<ENTRY, FITS> NAME = {entries,      words,         capacity,                       \
                                      &NAME##_held, NAME##_counts, &NAME##_all};                   \
  NAME.begin();

#endif
