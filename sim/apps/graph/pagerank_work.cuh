// PageRank's part in the strategies: what edges come to, and what is done with a vertex's sum.
#ifndef WARPFAB_PAGERANK_WORK_CUH
#define WARPFAB_PAGERANK_WORK_CUH

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

#define TILE_PARAMS uint32_t *tile_list, float *tile_head, float *tile_tail

#endif
