// Breadth-first search by warps and over a queue; the other forms are hbfs and lsbfs.
#include "driven.cuh"

// hbfs_kernel1 by a warp; hbfs_kernel2 follows.
template <bool BALLOT>
DEVICE void gbfs_warp(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                      uint8_t *mask, uint8_t *updating, const uint8_t *__restrict__ visited,
                      uint32_t *cost, uint32_t n) {
  by_warp<BALLOT>(
      n, [&](uint32_t v) { return mask[v] != 0; },
      [&](uint32_t v) {
        if (lane_id() == 0) mask[v] = 0;
#pragma clang loop unroll(disable)
        for (uint32_t e = row[v] + lane_id(); e < row[v + 1]; e += WARP_LANES) {
          uint32_t to = col[e];
          if (visited[to]) continue;
          cost[to] = cost[v] + 1;
          updating[to] = 1;
        }
      });
}
#define GBFS_WARP(NAME, BALLOT)                                                                    \
  KERNEL NAME(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col, uint8_t *mask,   \
              uint8_t *updating, const uint8_t *__restrict__ visited, uint32_t *cost,              \
              uint32_t n) {                                                                        \
    gbfs_warp<BALLOT>(row, col, mask, updating, visited, cost, n);                                 \
  }
GBFS_WARP(gbfs_flags, false)
GBFS_WARP(gbfs_ballot, true)

// Who sets a vertex's level queues it.
KERNEL gbfs_queue(uint32_t size, const uint32_t *__restrict__ frontier,
                  const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                  uint32_t *cost, uint32_t level, QUEUE_PARAMS) {
  QUEUE
  queue.begin();
  uint32_t i = global_thread(), v = i < size ? frontier[i] : 0;
  uint32_t e = i < size ? row[v] : 0, end = i < size ? row[v + 1] : 0;
#pragma clang loop unroll(disable)
  for (; e < end; e++) {
    uint32_t to = col[e], old = look_if(true, cost + to, 0);
    old = atomic_min_if(old == UNREACHED, cost + to, level, old);
    queue.push(old == UNREACHED, to);
  }
  queue.end();
}
