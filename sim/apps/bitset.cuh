// The bit vector of vertices to process (active_vertex_list): bit v & 31 of word v / 32.
#ifndef WARPFAB_BITSET_CUH
#define WARPFAB_BITSET_CUH

#include "warpfab.cuh"

#define UNREACHED 0xffffffffu

// The warp's word, cleared behind it so that the vector can be the next step's `next`: saves a
// clearing pass. 0 if the warp lies past the last vertex. Uniform in the warp.
DEVICE uint32_t take_word(uint32_t *active, uint32_t v, uint32_t n) {
  uint32_t first = v & ~(uint32_t)(WARP_LANES - 1);
  if (first >= n) return 0;
  uint32_t word = active[v / 32];
  if (word && lane_id() == 0) active[v / 32] = 0;
  return word;
}

// Sets the bits of a vertex's list, UNROLL of them in flight at a time. TEST: looks first, and
// leaves the atomic out when the bit is there already. A stale look (L1 is not coherent) only costs
// an atomic too many, but the warp waits for it, as it does not for an atomic.
template <bool TEST, int UNROLL>
DEVICE void set_list(uint32_t *bits, const uint32_t *__restrict__ col, uint32_t start,
                     uint32_t count) {
  uint32_t e = start, end = start + count;
#pragma clang loop unroll(disable)
  for (; e < end; e += UNROLL) {
    uint32_t at[UNROLL], seen[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; i++) at[i] = load_if(e + i < end, col + e + i, 0);
#pragma unroll
    for (int i = 0; i < UNROLL; i++) seen[i] = TEST && e + i < end ? bits[at[i] / 32] : 0;
#pragma unroll
    for (int i = 0; i < UNROLL; i++) {
      uint32_t bit = 1u << (at[i] & 31);
      reduce_or_if(e + i < end && !(seen[i] & bit), bits + at[i] / 32, bit);
    }
  }
}

// Names of the plain scatter's variants: NAME_u<unroll>_<atomic or test>.
#define SCATTER_VARIANTS(X)                                                                        \
  X(1, atomic, false)                                                                              \
  X(4, atomic, false)                                                                              \
  X(8, atomic, false)                                                                              \
  X(1, test, true)                                                                                 \
  X(4, test, true)                                                                                 \
  X(8, test, true)

#endif
