// Single-source shortest paths as in LonestarGPU: every vertex pushes along its edges in every
// round.
#include "suite.cuh"

#define UNREACHED 0xffffffffu

KERNEL ssp_relax(const uint32_t *row, const uint32_t *col, const uint32_t *weight,
                 uint32_t *distance, uint32_t *changed, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || distance[v] == UNREACHED) return;
  uint32_t end = row[v + 1];
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < end; e++) {
    uint32_t to = col[e], through = distance[v] + weight[e];
    if (through < distance[to] && through < atomic_min(&distance[to], through)) *changed = 1;
  }
}
