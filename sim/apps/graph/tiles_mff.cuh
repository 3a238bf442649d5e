// Merge path with the mff unit: a tile's words come by gathers, a sector of C a lane.
#ifndef WARPFAB_TILES_MFF_CUH
#define WARPFAB_TILES_MFF_CUH

#include "mff.cuh"
#include "tiles.cuh"

struct Gathers {
  enum { LANE_WORDS = 8 }; // one sector of C, so that no run of a lane crosses a block
  struct Pending {};
  DEVICE_METHOD Pending start(uint32_t *words, uint32_t start, uint32_t edges) const {
    const uint32_t end = start + edges;
    uint32_t at = (start & ~(uint32_t)(LANE_WORDS - 1)) + thread_x() * LANE_WORDS;
    for (; warp_any(at < end); at += TILE_THREADS * LANE_WORDS) {
      uint32_t from = at < start ? start : at, to = at + LANE_WORDS < end ? at + LANE_WORDS : end;
      mff_gather(words + (from - start), from, from < to ? to - from : 0);
    }
    return {};
  }
  DEVICE_METHOD void finish(const Pending &, uint32_t *, uint32_t) const { mff_wait(); }
};

#endif
