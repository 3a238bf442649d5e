// PageRank with the mff unit.
#include "mff.cuh"
#include "pagerank_work.cuh"
#include "tiles_mff.cuh"

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

// Merge path; the second kernel is pagerank_strategy.cu's.
KERNEL pagerank_edges_mff(PAGERANK_PARAMS, TILE_PARAMS) {
  const Step step = {inv_out_degree, contribution_old, contribution_new, rank, changed,
                     base,           damping,          tolerance};
  walk_tile<Contributions>(Gathers(), in_row, n, TileEnds<float>{tile_list, tile_head, tile_tail},
                           step);
}
