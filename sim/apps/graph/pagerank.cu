// PageRank, one super-step: every vertex gathers its in-neighbours' contributions
// (rank / out-degree, of the step before) and publishes its own.
#include "mff.cuh"

// Ends a vertex's step. contribution_new: rank times inv_out_degree. rank is written when asked for
// (the last step); *changed is set when the rank still moves by more than the tolerance.
DEVICE void finish(uint32_t v, float sum, float base, float damping, float inverse, float old,
                   float *contribution_new, float *rank, uint32_t *changed, float tolerance) {
  float r = base + damping * sum;
  float c = r * inverse;
  contribution_new[v] = c;
  if (rank) rank[v] = r;
  if (changed) {
    float delta = c - old;
    if (delta < 0.0f) delta = -delta;
    if (delta > tolerance * c && !*changed) *changed = 1;
  }
}

#define PAGERANK_PARAMS                                                                            \
  uint32_t n, const uint32_t *__restrict__ in_row, const uint32_t *__restrict__ in_col,            \
      const float *__restrict__ inv_out_degree, const float *__restrict__ contribution_old,        \
      float *contribution_new, float *rank, uint32_t *changed, float base, float damping,          \
      float tolerance

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

KERNEL pagerank_mff(PAGERANK_PARAMS) {
  uint32_t v = global_thread(), start = 0, count = 0;
  float sum = 0.0f, inverse = 0.0f, old = 0.0f;
  if (v < n) {
    start = in_row[v];
    count = in_row[v + 1] - start;
    inverse = inv_out_degree[v];
    old = changed ? contribution_old[v] : 0.0f;
  }
  mff_gather_list(start, count, [&sum](const uint32_t *at, uint32_t, int size, bool all) {
    const float *word = (const float *)at;
    float x[MFF_GROUP], longer = sum;
#pragma unroll
    for (int j = 0; j < MFF_GROUP; j++) x[j] = word[j];
    if (all) {
#pragma unroll
      for (int j = 0; j < MFF_GROUP; j++) longer += x[j];
      sum = size > 0 ? longer : sum;
    } else { // without divergent branches: adding 0 leaves the bits of a sum >= 0
#pragma unroll
      for (int j = 0; j < MFF_GROUP; j++) sum += j < size ? x[j] : 0.0f;
    }
  });
  if (v < n)
    finish(v, sum, base, damping, inverse, old, contribution_new, rank, changed, tolerance);
}
