// Shortest paths by warps and over a queue; the other forms are hsssp and lssssp.
#include "driven.cuh"

#define GSSSP_EDGES                                                                                \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                              \
      const uint32_t *__restrict__ weight

// hsssp_kernel1 by a warp; hsssp_kernel2 follows.
template <bool BALLOT>
DEVICE void gsssp_warp(GSSSP_EDGES, uint8_t *mask, const uint32_t *__restrict__ cost,
                       uint32_t *updating_cost, uint32_t n) {
  by_warp<BALLOT>(
      n, [&](uint32_t v) { return mask[v] != 0; },
      [&](uint32_t v) {
        if (lane_id() == 0) mask[v] = 0;
#pragma clang loop unroll(disable)
        for (uint32_t e = row[v] + lane_id(); e < row[v + 1]; e += WARP_LANES)
          reduce_min(&updating_cost[col[e]], cost[v] + weight[e]);
      });
}
#define GSSSP_WARP(NAME, BALLOT)                                                                   \
  KERNEL NAME(GSSSP_EDGES, uint8_t *mask, const uint32_t *__restrict__ cost,                       \
              uint32_t *updating_cost, uint32_t n) {                                               \
    gsssp_warp<BALLOT>(row, col, weight, mask, cost, updating_cost, n);                            \
  }
GSSSP_WARP(gsssp_flags, false)
GSSSP_WARP(gsssp_ballot, true)

KERNEL gsssp_queue(uint32_t size, const uint32_t *__restrict__ frontier, GSSSP_EDGES,
                   const uint32_t *__restrict__ cost, uint32_t *updating_cost) {
  uint32_t i = global_thread();
  if (i >= size) return;
  uint32_t v = frontier[i];
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < row[v + 1]; e++)
    reduce_min(&updating_cost[col[e]], cost[v] + weight[e]);
}

// Over all vertices: those whose cost fell.
KERNEL gsssp_next(uint32_t n, uint32_t *cost, const uint32_t *__restrict__ updating_cost,
                  QUEUE_PARAMS) {
  QUEUE
  queue.begin();
  uint32_t v = global_thread(), better = v < n ? updating_cost[v] : 0;
  bool fell = v < n && better < cost[v];
  if (fell) cost[v] = better;
  queue.push(fell, v);
  queue.end();
}
