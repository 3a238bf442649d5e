// Maximal independent set after Luby, a round in two kernels: an active vertex joins whose number
// exceeds those of its active neighbours; then the neighbours of those that joined leave.
#include "driven.cuh"

enum { ACTIVE, JOINS, IN, OUT };

#define GMIS_GRAPH                                                                                 \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                              \
      const uint32_t *__restrict__ number, uint32_t *status

// One that joins in this round still counts as active.
struct LargerNear {
  const uint32_t *__restrict__ col, *__restrict__ number;
  const uint32_t *status;
  uint32_t mine;
  DEVICE_METHOD bool operator()(uint32_t e) const {
    uint32_t w = col[e];
    return status[w] <= JOINS && number[w] > mine;
  }
};

KERNEL gmis_find_thread(uint32_t n, GMIS_GRAPH, uint32_t *joined) {
  uint32_t v = global_thread();
  if (v >= n || status[v] != ACTIVE) return;
  if (any_alone(row[v], row[v + 1], LargerNear{col, number, status, number[v]})) return;
  status[v] = JOINS;
  say(joined);
}

template <bool BALLOT> DEVICE void gmis_find_warp(uint32_t n, GMIS_GRAPH, uint32_t *joined) {
  by_warp<BALLOT>(
      n, [&](uint32_t v) { return status[v] == ACTIVE; },
      [&](uint32_t v) {
        const LargerNear found = {col, number, status, number[v]};
        if (any_together(row[v], row[v + 1], found) || lane_id()) return;
        status[v] = JOINS;
        say(joined);
      });
}
KERNEL gmis_find_flags(uint32_t n, GMIS_GRAPH, uint32_t *joined) {
  gmis_find_warp<false>(n, row, col, number, status, joined);
}
KERNEL gmis_find_ballot(uint32_t n, GMIS_GRAPH, uint32_t *joined) {
  gmis_find_warp<true>(n, row, col, number, status, joined);
}

// The queue may hold vertices that have left since.
KERNEL gmis_find_queue(uint32_t size, const uint32_t *__restrict__ frontier, GMIS_GRAPH,
                       uint32_t *joined, QUEUE_PARAMS) {
  QUEUE
  queue.begin();
  uint32_t i = global_thread(), v = 0;
  bool waits = false;
  if (i < size && status[v = frontier[i]] == ACTIVE) {
    waits = any_alone(row[v], row[v + 1], LargerNear{col, number, status, number[v]});
    if (!waits) {
      status[v] = JOINS;
      say(joined);
    }
  }
  queue.push(waits, v);
  queue.end();
}

#define LEAVE_PARAMS                                                                               \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ col, uint32_t *status

DEVICE void gmis_leave(uint32_t v, LEAVE_PARAMS) {
  if (status[v] != JOINS) return;
  status[v] = IN;
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < row[v + 1]; e++) status[col[e]] = OUT;
}
KERNEL gmis_leave_thread(uint32_t n, LEAVE_PARAMS) {
  if (global_thread() < n) gmis_leave(global_thread(), row, col, status);
}
KERNEL gmis_leave_queue(uint32_t size, const uint32_t *__restrict__ frontier, LEAVE_PARAMS) {
  if (global_thread() < size) gmis_leave(frontier[global_thread()], row, col, status);
}

template <bool BALLOT> DEVICE void gmis_leave_warp(uint32_t n, LEAVE_PARAMS) {
  by_warp<BALLOT>(
      n, [&](uint32_t v) { return status[v] == JOINS; },
      [&](uint32_t v) {
        if (lane_id() == 0) status[v] = IN;
#pragma clang loop unroll(disable)
        for (uint32_t e = row[v] + lane_id(); e < row[v + 1]; e += WARP_LANES) status[col[e]] = OUT;
      });
}
KERNEL gmis_leave_flags(uint32_t n, LEAVE_PARAMS) {
  gmis_leave_warp<false>(n, row, col, status);
}
KERNEL gmis_leave_ballot(uint32_t n, LEAVE_PARAMS) {
  gmis_leave_warp<true>(n, row, col, status);
}
