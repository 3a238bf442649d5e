// PageRank by strategies: whose threads walk a vertex's list.
#include "pagerank_work.cuh"

#define STEP                                                                                       \
  const Contributions work = {in_col, contribution_old};                                           \
  const Step step = {inv_out_degree, contribution_old, contribution_new, rank, changed,            \
                     base,           damping,          tolerance};

KERNEL pagerank_bins(PAGERANK_PARAMS) {
  STEP uint32_t v = global_thread(), start = v < n ? in_row[v] : 0,
                count = v < n ? in_row[v + 1] - start : 0;
  Step::Vertex x = step.begin(v, v < n);
  float sum = walk_bins(work, start, count);
  if (v < n) step.end(x, sum);
}

// LANES lanes a vertex.
#define LANES(COUNT)                                                                               \
  KERNEL pagerank_warp##COUNT(PAGERANK_PARAMS) {                                                   \
    STEP uint32_t v = global_thread() / COUNT, lane = thread_x() % COUNT;                          \
    uint32_t start = v < n ? in_row[v] : 0, end = v < n ? in_row[v + 1] : 0;                       \
    Step::Vertex x = step.begin(v, v < n && lane == 0);                                            \
    float sum = join_lanes<COUNT, Contributions>(walk(work, start + lane, end, COUNT));            \
    if (v < n && lane == 0) step.end(x, sum);                                                      \
  }
LANES(4)
LANES(8)
LANES(16)
LANES(32)

KERNEL pagerank_edges(PAGERANK_PARAMS, TILE_PARAMS) {
  STEP walk_tile<Contributions>(Loads<Contributions>{work}, in_row, n,
                                TileEnds<float>{tile_list, tile_head, tile_tail}, step);
}

KERNEL pagerank_edges_end(PAGERANK_PARAMS, TILE_PARAMS, uint32_t tiles) {
  STEP(void) work;
  uint32_t v = 0;
  float sum;
  if (!join_tiles<Contributions>(in_row, tiles, TileEnds<float>{tile_list, tile_head, tile_tail},
                                 &v, &sum))
    return;
  step.end(step.begin(v, true), sum);
}
