// PageRank, plain forms.
#include "pagerank.cuh"

// UNROLL > 1: that many index loads, then that many attribute loads in flight per thread. The sum
// keeps its order (adding 0 for what is not there), so all forms give the same bits.
template <int UNROLL> DEVICE void pagerank_plain(PAGERANK_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t e = in_row[v], end = in_row[v + 1];
  float sum = 0.0f, inverse = inv_out_degree[v], old = changed ? contribution_old[v] : 0.0f;
#pragma clang loop unroll(disable)
  for (; e < end; e += UNROLL) {
    uint32_t at[UNROLL], got[UNROLL];
#pragma unroll
    for (int i = 0; i < UNROLL; i++) at[i] = load_if(e + i < end, in_col + e + i, 0);
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
      got[i] = load_if(e + i < end, (const uint32_t *)contribution_old + at[i], 0);
#pragma unroll
    for (int i = 0; i < UNROLL; i++) sum += __builtin_bit_cast(float, got[i]);
  }
  finish(v, sum, base, damping, inverse, old, contribution_new, rank, changed, tolerance);
}

#define PLAIN(UNROLL)                                                                              \
  KERNEL pagerank_u##UNROLL(PAGERANK_PARAMS) {                                                     \
    pagerank_plain<UNROLL>(n, in_row, in_col, inv_out_degree, contribution_old, contribution_new,  \
                           rank, changed, base, damping, tolerance);                               \
  }
PLAIN(1)
PLAIN(4)
PLAIN(8)
