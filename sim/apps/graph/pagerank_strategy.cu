// PageRank by strategies: whose threads walk a vertex's list.
#include "pagerank.cuh"
#include "tiles.cuh"

// The sum of a vertex's in-neighbours' contributions.
struct Contributions {
  typedef float Value;
  const uint32_t *__restrict__ in_col;
  const float *contribution;
  DEVICE_METHOD static float none() { return 0.0f; }
  DEVICE_METHOD static float join(float a, float b) { return a + b; }
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *got) const {
    uint32_t at[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, in_col + e + i * step, 0);
#pragma unroll
    for (int i = 0; i < U; i++)
      got[i] = load_far_if(e + i * step < end, (const uint32_t *)contribution + at[i], 0);
  }
};

// A step's arguments, and what a vertex's end needs, loaded before its sum is there.
struct Step {
  const float *__restrict__ inv_out_degree, *__restrict__ contribution_old;
  float *contribution_new, *rank;
  uint32_t *changed;
  float base, damping, tolerance;
  struct Vertex {
    uint32_t v;
    float inverse, old;
  };
  DEVICE_METHOD Vertex begin(uint32_t v, bool wanted) const {
    return {v, wanted ? inv_out_degree[v] : 0.0f, wanted && changed ? contribution_old[v] : 0.0f};
  }
  DEVICE_METHOD void end(const Vertex &x, float sum) const {
    finish(x.v, sum, base, damping, x.inverse, x.old, contribution_new, rank, changed, tolerance);
  }
};

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

#define TILE_PARAMS uint32_t *tile_list, float *tile_head, float *tile_tail

KERNEL pagerank_edges(PAGERANK_PARAMS, TILE_PARAMS) {
  STEP walk_tile(work, in_row, n, TileEnds<float>{tile_list, tile_head, tile_tail}, step);
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
