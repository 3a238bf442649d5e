// Breadth-first search by strategies: over a bit vector, over a queue, and along in-edges.
#include "bfs.cuh"
#include "bfs_block.cuh"
#include "bfs_segments.cuh"
#include "shares.cuh"

enum { ALPHA = 14, BETA = 24 }; // of the direction

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

// ---- equal shares of a level's edges, all levels in one launch ----

enum { ROW, COL, VISITED, LEVEL_OF }; // Shares::work

DEVICE void claim_tile(const ShareTile &tile, uint32_t level, const Shares &shares, uint32_t side) {
  enum { U = SHARE_ROWS };
  const uint32_t *col = shares.work(COL), *row = shares.work(ROW);
  uint32_t *visited = shares.work(VISITED), *level_of = shares.work(LEVEL_OF);
  uint32_t v[U], old[U], start[U], count[U];
  bool any = false;
#pragma unroll
  for (int u = 0; u < U; u++) v[u] = load_if(tile.in[u], col + tile.edge[u], 0);
#pragma unroll
  for (int u = 0; u < U; u++) old[u] = look_if(tile.in[u], visited + v[u] / 32, ~0u);
#pragma unroll
  for (int u = 0; u < U; u++) {
    uint32_t bit = 1u << (v[u] & 31);
    bool open = !(old[u] & bit);
    old[u] = atomic_or_if(open, visited + v[u] / 32, bit, ~0u);
    start[u] = load_if(open, row + v[u], 0);
    count[u] = load_if(open, row + v[u] + 1, 0);
  }
#pragma unroll
  for (int u = 0; u < U; u++) {
    bool mine = !(old[u] >> (v[u] & 31) & 1);
    if (mine) level_of[v[u]] = level;
    count[u] = mine ? count[u] - start[u] : 0;
    any |= mine;
  }
  if (any) shares.changed(level);
  share_push(shares.side(side), shares.slot(level), start, count, v);
}

// From the frontier in the state until nothing is found, or `steps` levels are there, or until it
// is time to turn round from push to pull (many != 0: an alpha-th of all edges): the frontier
// grows, has more than 1/alpha of the edges left, and is large enough not to turn back at once.
KERNEL bfs_edges(SHARES_PARAMS, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                 uint32_t *visited, uint32_t *level_of, uint32_t steps, uint32_t many) {
  SHARES(row, col, visited, level_of)
  SHARE_SCRATCH(scratch)
  uint32_t edges = state[STATE_EDGES], found = state[STATE_VERTICES], side = state[STATE_SIDE];
  uint32_t level = state[STATE_STEP], left = state[STATE_LEFT], before = state[STATE_BEFORE];
  bool turns = false;
  while (edges && level < steps && !turns) {
    for (uint32_t t = block_x() + grid_dim_x() * warp_in_block(); t * SHARE < edges;
         t += grid_dim_x() * (SHARE_BLOCK / WARP_LANES)) {
      ShareTile tile = share_tile(shares.side(side), t, edges, found, scratch,
                                  [](bool, uint32_t) { return 0u; });
      claim_tile(tile, level, shares, side ^ 1);
    }
    shares.clear_slot(level + 2);
    uint64_t all = share_meet(shares.slot(level));
    left -= edges;
    before = found;
    edges = edges_of(all);
    found = entries_of(all);
    side ^= 1;
    level++;
    // Of a frontier that hardly grows few vertices find a neighbour: pulling reads all other lists.
    turns = many && found > before + before / 2 && edges > left / ALPHA &&
            (found >= n / BETA || edges > many);
  }
  if (global_thread()) return;
  state[STATE_EDGES] = edges;
  state[STATE_VERTICES] = found;
  state[STATE_SIDE] = side;
  state[STATE_STEP] = level;
  state[STATE_LEFT] = left;
  state[STATE_BEFORE] = before;
}

// ---- bottom-up: a vertex that is not visited looks for an in-neighbour that was ----

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

// A neighbour that was visited is one of the frontier. Each warp owns a word. *found: how many
// were.
KERNEL bfs_pull(uint32_t n, const uint32_t *__restrict__ in_row,
                const uint32_t *__restrict__ in_col, const uint32_t *__restrict__ visited,
                uint32_t *next, uint32_t *level_of, uint32_t level, uint32_t *found) {
  uint32_t v = global_thread();
  if ((v & ~(uint32_t)(WARP_LANES - 1)) >= n) return;
  uint32_t done = visited[v / 32];
  bool open = v < n && !(done >> lane_id() & 1), mine = false;
  if (warp_any(open))
    mine = has_neighbour_in(visited, in_col, open ? in_row[v] : 0, open ? in_row[v + 1] : 0);
  if (mine) level_of[v] = level;
  uint32_t all = warp_ballot(mine);
  if (lane_id()) return;
  next[v / 32] = done | all;
  if (all) atomic_add(found, (uint32_t)__builtin_popcount(all));
}

// What is in `visited` and was not before becomes the frontier.
KERNEL bfs_to_shares(SHARES_PARAMS, const uint32_t *__restrict__ row,
                     const uint32_t *__restrict__ visited, const uint32_t *__restrict__ before) {
  SHARES(row)
  uint32_t v = global_thread();
  if ((v & ~(uint32_t)(WARP_LANES - 1)) >= n) return;
  bool mine = (visited[v / 32] & ~before[v / 32]) >> lane_id() & 1;
  const uint32_t start[1] = {mine ? row[v] : 0}, count[1] = {mine ? row[v + 1] - start[0] : 0};
  share_push<1>(shares.side(0), shares.slot(0), start, count, start);
}
