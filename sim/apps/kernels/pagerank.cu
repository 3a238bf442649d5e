// PageRank, one super-step: every vertex gathers its in-neighbours' contributions
// (rank / out-degree, of the step before) and publishes its own.
#include "mff.cuh"

// Ends a vertex's step. contribution_new: rank times inv_out_degree. rank is written when asked for
// (the last step); *changed is set when the rank still moves by more than the tolerance.
DEVICE void finish(uint32_t v, float sum, float base, float damping,
                   const float *__restrict__ inv_out_degree,
                   const float *__restrict__ contribution_old, float *contribution_new, float *rank,
                   uint32_t *changed, float tolerance) {
  float r = base + damping * sum;
  float c = r * inv_out_degree[v];
  contribution_new[v] = c;
  if (rank) rank[v] = r;
  if (changed) {
    float delta = c - contribution_old[v];
    if (delta < 0.0f) delta = -delta;
    if (delta > tolerance * c && !*changed) *changed = 1;
  }
}

#define PAGERANK_PARAMS                                                                            \
  uint32_t n, const uint32_t *__restrict__ in_row, const uint32_t *__restrict__ in_col,            \
      const float *__restrict__ inv_out_degree, const float *__restrict__ contribution_old,        \
      float *contribution_new, float *rank, uint32_t *changed, float base, float damping,          \
      float tolerance

// UNROLL 4: four index loads, then four attribute loads in flight. The sum keeps its order, so all
// forms give the same bits.
template <int UNROLL> DEVICE void pagerank_plain(PAGERANK_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t e = in_row[v], end = in_row[v + 1];
  float sum = 0.0f;
  if (UNROLL == 4) {
#pragma clang loop unroll(disable)
    for (; e + 4 <= end; e += 4) {
      uint32_t a = in_col[e], b = in_col[e + 1], c = in_col[e + 2], d = in_col[e + 3];
      float x = contribution_old[a], y = contribution_old[b];
      float z = contribution_old[c], w = contribution_old[d];
      sum = sum + x;
      sum = sum + y;
      sum = sum + z;
      sum = sum + w;
    }
  }
#pragma clang loop unroll(disable)
  for (; e < end; e++) sum += contribution_old[in_col[e]];
  finish(v, sum, base, damping, inv_out_degree, contribution_old, contribution_new, rank, changed,
         tolerance);
}

#define PLAIN(UNROLL)                                                                              \
  KERNEL pagerank_u##UNROLL(PAGERANK_PARAMS) {                                                     \
    pagerank_plain<UNROLL>(n, in_row, in_col, inv_out_degree, contribution_old, contribution_new,  \
                           rank, changed, base, damping, tolerance);                               \
  }
PLAIN(1)
PLAIN(4)

template <int CHUNK, int BUFFERS> DEVICE void pagerank_mff(PAGERANK_PARAMS) {
  uint32_t v = global_thread(), start = 0, count = 0;
  if (v < n) {
    start = in_row[v];
    count = in_row[v + 1] - start;
  }
  float sum = 0.0f;
  mff_gather_list<CHUNK, BUFFERS>(
      start, count, [](uint32_t, uint32_t) {},
      [&sum](const uint32_t *area, uint32_t, uint32_t size) {
        // In groups of 4 without divergent branches; adding 0 leaves the bits of a sum >= 0.
        const float *mine = (const float *)area + lane_id();
#pragma unroll
        for (uint32_t g = 0; g < CHUNK; g += 4) {
          if (!warp_any(g < size)) break;
#pragma unroll
          for (uint32_t i = g; i < g + 4; i++) {
            float x = mine[i * WARP_LANES];
            sum += i < size ? x : 0.0f;
          }
        }
      });
  if (v < n)
    finish(v, sum, base, damping, inv_out_degree, contribution_old, contribution_new, rank, changed,
           tolerance);
}

#define VARIANT(CHUNK, BUFFERS)                                                                    \
  KERNEL pagerank_mff_c##CHUNK##_b##BUFFERS(PAGERANK_PARAMS) {                                     \
    pagerank_mff<CHUNK, BUFFERS>(n, in_row, in_col, inv_out_degree, contribution_old,              \
                                 contribution_new, rank, changed, base, damping, tolerance);       \
  }
MFF_VARIANTS(VARIANT)
