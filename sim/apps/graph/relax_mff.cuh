// The forms of relax.cuh with the mff unit.
#ifndef WARPFAB_RELAX_MFF_CUH
#define WARPFAB_RELAX_MFF_CUH

#include "mff.cuh"
#include "relax.cuh"

// The unit brings the values; the thread loads the weights itself, eight at a time.
template <bool WEIGHTED> DEVICE void relax_gather_mff(GATHER_PARAMS) {
  RelaxVertex x;
  if (!relax_begin(&x, n, in_row, value, active)) return;
  uint32_t best = x.old;
  mff_gather_list(x.start, x.count, [&](const uint32_t *at, uint32_t first, int size, bool all) {
    uint32_t w[MFF_GROUP], d[MFF_GROUP], lower = best;
#pragma unroll
    for (int j = 0; j < MFF_GROUP; j++)
      w[j] = WEIGHTED ? load_if(j < size, in_weight + first + j, 0) : 0;
#pragma unroll
    for (int j = 0; j < MFF_GROUP; j++) d[j] = at[j];
    if (all) {
#pragma unroll
      for (int j = 0; j < MFF_GROUP; j++) lower = minimum(lower, candidate<WEIGHTED>(d[j], w[j]));
      best = size > 0 ? lower : best;
    } else {
#pragma unroll
      for (int j = 0; j < MFF_GROUP; j++) {
        uint32_t got = candidate<WEIGHTED>(d[j], w[j]);
        best = minimum(best, j < size ? got : UNREACHED);
      }
    }
  });
  relax_end(x, best, update, active);
}

DEVICE void relax_commit_mff(COMMIT_PARAMS) {
  uint32_t v = global_thread();
  uint32_t word = take_word(active, v, n);
  if (!word) return;
  uint32_t start, count;
  relax_publish(v, word, out_row, value, update, changed, &start, &count);
  mff_scatter_list(start, count);
}

// Both kernels of one algorithm.
#define RELAX_MFF(NAME, WEIGHTED)                                                                  \
  KERNEL NAME##_gather_mff(GATHER_PARAMS) {                                                        \
    relax_gather_mff<WEIGHTED>(GATHER_ARGS);                                                       \
  }                                                                                                \
  KERNEL NAME##_commit_mff(COMMIT_PARAMS) {                                                        \
    relax_commit_mff(COMMIT_ARGS);                                                                 \
  }

#endif
