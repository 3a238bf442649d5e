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

// ---- kept ----
// As many of the contributions as fit lie in shared memory; the others come past the L1. Warps take
// 32 vertices at a time.
enum { KEPT = 12160, AT_ONCE = 4 }; // KEPT: as in strategy.h
__shared__ float kept[KEPT + 1];    // the last is 0: of no edge

DEVICE void keep(const float *all, uint32_t n) {
  const uint32_t end = n < KEPT ? n : KEPT, dim = block_dim_x();
  if (thread_x() == 0) kept[KEPT] = 0;
  for (uint32_t i = thread_x(); i < end; i += dim * AT_ONCE) {
    uint32_t word[AT_ONCE];
#pragma unroll
    for (uint32_t k = 0; k < AT_ONCE; k++)
      word[k] = load_far_if(i + k * dim < end, (const uint32_t *)all + i + k * dim, 0);
#pragma unroll
    for (uint32_t k = 0; k < AT_ONCE; k++)
      if (i + k * dim < end) kept[i + k * dim] = __builtin_bit_cast(float, word[k]);
  }
  barrier();
}

struct KeptContributions : Contributions {
  DEVICE_METHOD explicit KeptContributions(const Contributions &all) : Contributions(all) {}
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *got) const {
    uint32_t at[U], near[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, in_col + e + i * step, KEPT);
#pragma unroll
    for (int i = 0; i < U; i++)
      got[i] = load_far_if(e + i * step < end && at[i] >= KEPT,
                           (const uint32_t *)contribution + at[i], 0);
    // Volatile: all of them before the first that came from far is waited for.
    const volatile float *here = kept;
#pragma unroll
    for (int i = 0; i < U; i++)
      near[i] = __builtin_bit_cast(uint32_t, (float)here[at[i] < KEPT ? at[i] : KEPT]);
#pragma unroll
    for (int i = 0; i < U; i++) got[i] |= near[i]; // one of the two is 0
  }
};

// next: 0 before the launch.
KERNEL pagerank_kept(PAGERANK_PARAMS, uint32_t *next) {
  STEP keep(contribution_old, n);
  const KeptContributions gather(work);
  for (;;) {
    const uint32_t v = shuffle(atomic_add_if(lane_id() == 0, next, WARP_LANES, 0), 0) + lane_id();
    if (v - lane_id() >= n) break;
    const uint32_t start = load_if(v < n, in_row + v, 0);
    const uint32_t count = load_if(v < n, in_row + v + 1, 0) - start;
    const Step::Vertex x = step.begin(v, v < n);
    const float sum = walk_in_warp<AT_ONCE>(gather, start, count, 0);
    if (v < n) step.end(x, sum);
  }
}
