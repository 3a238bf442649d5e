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

// Four edges at once; FAR: past the L1, where so many lists side by side push each other out.
template <bool FAR>
DEVICE void gsssp_four(uint32_t size, const uint32_t *frontier, GSSSP_EDGES, const uint32_t *cost,
                       uint32_t *updating_cost) {
  enum { AT_ONCE = 4 };
  const auto load = [](bool wanted, const uint32_t *at) {
    return FAR ? load_far_if(wanted, at, 0) : load_if(wanted, at, 0);
  };
  const uint32_t i = global_thread();
  if (i >= size) return;
  const uint32_t v = frontier[i], end = row[v + 1], mine = load(true, cost + v);
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < end; e += AT_ONCE) {
    uint32_t to[AT_ONCE], offer[AT_ONCE];
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++) {
      to[u] = load(e + u < end, col + e + u);
      offer[u] = mine + load(e + u < end, weight + e + u);
    }
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++)
      if (e + u < end) reduce_min(&updating_cost[to[u]], offer[u]);
  }
}
#define GSSSP_FOUR(NAME, FAR)                                                                      \
  KERNEL NAME(uint32_t size, const uint32_t *__restrict__ frontier, GSSSP_EDGES,                   \
              const uint32_t *__restrict__ cost, uint32_t *updating_cost) {                        \
    gsssp_four<FAR>(size, frontier, row, col, weight, cost, updating_cost);                        \
  }
GSSSP_FOUR(gsssp_queue_near, false)
GSSSP_FOUR(gsssp_queue_far, true)

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
