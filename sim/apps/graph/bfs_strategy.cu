// Breadth-first search by strategies: over a bit vector, over a queue, and along in-edges.
#include "bfs.cuh"
#include "queue.cuh"

// ---- bit vector ----

KERNEL bfs_warp(BFS_PARAMS) {
  uint32_t v = global_thread(), start, count;
  uint32_t word = take_word(active, v, n);
  if (!word) return;
  visit(v, word, out_row, level_of, changed, level, &start, &count);
  visit_by_warp(SetBits{next, out_col}, start, count);
}

KERNEL bfs_bins(BFS_PARAMS) {
  uint32_t v = global_thread(), start, count;
  uint32_t word = take_word(active, v, n);
  visit(v, word, out_row, level_of, changed, level, &start, &count);
  visit_bins(SetBits{next, out_col}, start, count);
}

// ---- queue ----

// visited: a bit a vertex. A stale look at it costs an atomic too many.
struct Claim {
  const uint32_t *__restrict__ col;
  uint32_t *visited, *level_of, level;
  Queue queue;
  template <int U> DEVICE_METHOD void visit(uint32_t e, uint32_t step, uint32_t end) const {
    uint32_t at[U], old[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, col + e + i * step, 0);
#pragma unroll
    for (int i = 0; i < U; i++) old[i] = look_if(e + i * step < end, visited + at[i] / 32, ~0u);
#pragma unroll
    for (int i = 0; i < U; i++) {
      uint32_t bit = 1u << (at[i] & 31);
      old[i] = atomic_or_if(!(old[i] & bit), visited + at[i] / 32, bit, ~0u);
    }
#pragma unroll
    for (int i = 0; i < U; i++) {
      bool mine = !(old[i] >> (at[i] & 31) & 1);
      if (mine) level_of[at[i]] = level;
      queue.push(mine, at[i]);
    }
  }
};

// What the frontier reaches first gets `level`.
KERNEL bfs_queue(FRONTIER_PARAMS, const uint32_t *__restrict__ out_row,
                 const uint32_t *__restrict__ out_col, uint32_t *visited, uint32_t *level_of,
                 uint32_t level, QUEUE_PARAMS) {
  QUEUE
  queue.begin();
  uint32_t i, start = 0, count = 0;
  if (first_of_lanes(size, lanes, &i)) {
    uint32_t v = frontier[i];
    start = out_row[v];
    count = out_row[v + 1] - start;
  }
  visit_bins(Claim{out_col, visited, level_of, level, queue}, start, count, WARP_LIST / lanes);
  queue.end();
}

// Adds the frontier's out-edges to *edges, for the choice of the direction.
KERNEL bfs_edges(uint32_t size, const uint32_t *__restrict__ frontier,
                 const uint32_t *__restrict__ out_row, uint32_t *edges) {
  uint32_t i = global_thread(), count = 0;
  if (i < size) {
    uint32_t v = frontier[i];
    count = out_row[v + 1] - out_row[v];
  }
#pragma unroll
  for (int d = WARP_LANES / 2; d; d /= 2) count += shuffle_down(count, d);
  if (count && lane_id() == 0) atomic_add(edges, count);
}

// ---- bottom-up: a vertex that is not visited looks for an in-neighbour in the frontier ----

enum { LOOKS = 4 }; // in flight; few, since one of the first often ends it

// Whether one of col[e], col[e + step], .. below end is.
DEVICE bool look(const uint32_t *bits, const uint32_t *__restrict__ col, uint32_t e, uint32_t end,
                 uint32_t step) {
  uint32_t at[LOOKS], word[LOOKS];
  bool found = false;
#pragma unroll
  for (int i = 0; i < LOOKS; i++) at[i] = load_if(e + i * step < end, col + e + i * step, 0);
#pragma unroll
  for (int i = 0; i < LOOKS; i++) word[i] = load_if(e + i * step < end, bits + at[i] / 32, 0);
#pragma unroll
  for (int i = 0; i < LOOKS; i++) found |= word[i] >> (at[i] & 31) & 1;
  return found;
}

// The beginning of a list by its thread, what is left of long ones by the warp.
DEVICE bool has_neighbour_in(const uint32_t *bits, const uint32_t *__restrict__ col, uint32_t e,
                             uint32_t end) {
  bool found = false;
  uint32_t alone = end - e < WARP_LIST ? end : e + WARP_LIST;
#pragma clang loop unroll(disable)
  for (; e < alone && !found; e += LOOKS) found = look(bits, col, e, alone, 1);
  for (uint32_t left = warp_ballot(!found && alone < end); left; left &= left - 1) {
    uint32_t owner = (uint32_t)__builtin_ctz(left);
    uint32_t first = shuffle(alone, owner), last = shuffle(end, owner);
    bool any = false;
#pragma clang loop unroll(disable)
    for (; first < last && !any; first += LOOKS * WARP_LANES)
      any = warp_any(look(bits, col, first + lane_id(), last, WARP_LANES));
    if (lane_id() == owner) found = any;
  }
  return found;
}

// Each warp owns a word of visited and of next. *next_size: how many were found.
KERNEL bfs_pull(uint32_t n, const uint32_t *__restrict__ in_row,
                const uint32_t *__restrict__ in_col, const uint32_t *__restrict__ active,
                uint32_t *visited, uint32_t *level_of, uint32_t level, uint32_t *next,
                uint32_t *next_size) {
  uint32_t v = global_thread();
  if ((v & ~(uint32_t)(WARP_LANES - 1)) >= n) return;
  uint32_t done = visited[v / 32];
  bool open = v < n && !(done >> lane_id() & 1);
  if (!warp_any(open)) {
    if (lane_id() == 0) next[v / 32] = 0;
    return;
  }
  bool found = has_neighbour_in(active, in_col, open ? in_row[v] : 0, open ? in_row[v + 1] : 0);
  if (found) level_of[v] = level;
  uint32_t all = warp_ballot(found);
  if (lane_id()) return;
  next[v / 32] = all;
  if (!all) return;
  visited[v / 32] = done | all;
  atomic_add(next_size, (uint32_t)__builtin_popcount(all));
}

// ---- from one form of the frontier to the other ----

KERNEL bfs_to_bits(uint32_t size, const uint32_t *__restrict__ frontier, uint32_t *bits) {
  uint32_t i = global_thread(), v = i < size ? frontier[i] : 0;
  reduce_or_if(i < size, bits + v / 32, 1u << (v & 31));
}

KERNEL bfs_to_queue(uint32_t n, const uint32_t *__restrict__ bits, QUEUE_PARAMS) {
  QUEUE
  queue.begin();
  uint32_t v = global_thread();
  queue.push(v < n && bits[v / 32] >> lane_id() & 1, v);
  queue.end();
}
