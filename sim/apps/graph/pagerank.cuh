// PageRank, one super-step: every vertex gathers its in-neighbours' contributions
// (rank / out-degree, of the step before) and publishes its own.
#ifndef WARPFAB_PAGERANK_CUH
#define WARPFAB_PAGERANK_CUH

#include "warpfab.cuh"

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

#endif
