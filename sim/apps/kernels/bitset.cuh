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

// Sets one bit. TEST: looks first, and leaves the atomic out when the bit is there already. A stale
// look (L1 is not coherent) only costs an atomic too many.
template <bool TEST> DEVICE void set_bit(uint32_t *bits, uint32_t v) {
  uint32_t *word = bits + v / 32, bit = 1u << (v & 31);
  if (TEST && (*word & bit)) return;
  reduce_or(word, bit);
}

// The bits of a vertex's list. UNROLL 4: four indices are on their way at a time.
template <bool TEST, int UNROLL>
DEVICE void set_list(uint32_t *bits, const uint32_t *__restrict__ col, uint32_t start,
                     uint32_t count) {
  uint32_t e = start, end = start + count;
  if (UNROLL == 4) {
#pragma clang loop unroll(disable)
    for (; e + 4 <= end; e += 4) {
      uint32_t a = col[e], b = col[e + 1], c = col[e + 2], d = col[e + 3];
      set_bit<TEST>(bits, a);
      set_bit<TEST>(bits, b);
      set_bit<TEST>(bits, c);
      set_bit<TEST>(bits, d);
    }
  }
#pragma clang loop unroll(disable)
  for (; e < end; e++) set_bit<TEST>(bits, col[e]);
}

// Names of the plain scatter's variants: NAME_u<unroll>_<atomic or test>.
#define SCATTER_VARIANTS(X) X(1, atomic, false) X(1, test, true) X(4, atomic, false) X(4, test, true)

#endif
