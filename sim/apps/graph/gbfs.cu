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

// ---- loops of hbfs_kernel1 as programmers write them for speed ----

// N edges of a turn: all indexes, then what is at them.
template <int N> struct Turn {
  uint32_t to[N];
  uint8_t seen[N];
  DEVICE_METHOD void fetch(const uint32_t *__restrict__ col, const uint8_t *__restrict__ visited,
                           uint32_t e) {
#pragma unroll
    for (int i = 0; i < N; i++) to[i] = col[e + i];
#pragma unroll
    for (int i = 0; i < N; i++) seen[i] = visited[to[i]];
  }
  DEVICE_METHOD void finish(uint8_t *updating, uint32_t *cost, uint32_t level) const {
#pragma unroll
    for (int i = 0; i < N; i++) {
      if (seen[i]) continue;
      cost[to[i]] = level;
      updating[to[i]] = 1;
    }
  }
};

enum { IN_TURN, TESTED, AHEAD }; // when a turn is fetched: itself; in the one before

template <int N, int WHEN>
DEVICE void gbfs_loop(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                      uint8_t *mask, uint8_t *updating, const uint8_t *__restrict__ visited,
                      uint32_t *cost, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !mask[v]) return;
  mask[v] = 0;
  uint32_t e = row[v], end = row[v + 1], level = cost[v] + 1;
  Turn<N> now, next;
  if (WHEN != IN_TURN && e + N <= end) now.fetch(col, visited, e);
#pragma clang loop unroll(disable)
  for (; e + (WHEN == AHEAD ? 2 * N : N) <= end; e += N) {
    if (WHEN == IN_TURN) now.fetch(col, visited, e);
    if (WHEN == AHEAD || (WHEN == TESTED && e + 2 * N <= end)) next.fetch(col, visited, e + N);
    now.finish(updating, cost, level);
    if (WHEN != IN_TURN) now = next;
  }
  if (WHEN == AHEAD && e + N <= end) {
    now.finish(updating, cost, level);
    e += N;
  }
#pragma clang loop unroll(disable)
  for (; e < end; e++) {
    Turn<1> last;
    last.fetch(col, visited, e);
    last.finish(updating, cost, level);
  }
}
#define GBFS_LOOP(NAME, N, WHEN)                                                                   \
  KERNEL NAME(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col, uint8_t *mask,   \
              uint8_t *updating, const uint8_t *__restrict__ visited, uint32_t *cost,              \
              uint32_t n) {                                                                        \
    gbfs_loop<N, WHEN>(row, col, mask, updating, visited, cost, n);                                \
  }
GBFS_LOOP(gbfs_swp, 1, TESTED)
GBFS_LOOP(gbfs_swpnc, 1, AHEAD)
GBFS_LOOP(gbfs_unr2, 2, IN_TURN)
GBFS_LOOP(gbfs_unr3, 3, IN_TURN)
GBFS_LOOP(gbfs_unr2_swp, 2, TESTED)
GBFS_LOOP(gbfs_unr2_swpnc, 2, AHEAD)

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
