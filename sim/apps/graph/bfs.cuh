// Breadth-first search, one super-step, bit-vector scheduling: bit v of `active` says that vertex v
// was reached by an edge in the step before. An unvisited one takes the level and sets the bits of
// its out-neighbours for the next step. Each warp owns one word of the bit vector.
#ifndef WARPFAB_BFS_CUH
#define WARPFAB_BFS_CUH

#include "bitset.cuh"

#define BFS_PARAMS                                                                                 \
  uint32_t n, const uint32_t *__restrict__ out_row, const uint32_t *__restrict__ out_col,          \
      uint32_t *level_of, uint32_t *active, uint32_t *next, uint32_t *changed, uint32_t level

// Whether this thread's vertex is visited now; if so its list of out-edges.
DEVICE bool visit(uint32_t v, uint32_t word, const uint32_t *__restrict__ out_row,
                  uint32_t *level_of, uint32_t *changed, uint32_t level, uint32_t *start,
                  uint32_t *count) {
  *start = *count = 0;
  if (!(word >> lane_id() & 1) || level_of[v] != UNREACHED) return false;
  level_of[v] = level;
  *start = out_row[v];
  *count = out_row[v + 1] - *start;
  if (!*changed) *changed = 1; // the test keeps most warps from writing one hot word
  return true;
}

#endif
