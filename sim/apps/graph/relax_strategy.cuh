// The forms of relax.cuh by strategies: over the bit vector, and pushed from a queue.
#ifndef WARPFAB_RELAX_STRATEGY_CUH
#define WARPFAB_RELAX_STRATEGY_CUH

#include "relax.cuh"
#include "relax_edges.cuh"

// ---- bit vector ----

// The least of what a vertex's in-neighbours offer.
template <bool WEIGHTED> struct Offers {
  typedef uint32_t Value;
  const uint32_t *__restrict__ col, *__restrict__ weight, *__restrict__ value;
  DEVICE_METHOD static uint32_t none() { return UNREACHED; }
  DEVICE_METHOD static uint32_t join(uint32_t a, uint32_t b) { return minimum(a, b); }
  template <int U>
  DEVICE_METHOD void load(uint32_t e, uint32_t step, uint32_t end, uint32_t *got) const {
    uint32_t at[U], w[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, col + e + i * step, 0);
#pragma unroll
    for (int i = 0; i < U; i++)
      w[i] = WEIGHTED ? load_if(e + i * step < end, weight + e + i * step, 0) : 0;
#pragma unroll
    for (int i = 0; i < U; i++) got[i] = load_far_if(e + i * step < end, value + at[i], UNREACHED);
#pragma unroll
    for (int i = 0; i < U; i++) got[i] = candidate<WEIGHTED>(got[i], w[i]);
  }
};

// All threads of the block stay for its long lists.
template <bool WEIGHTED> DEVICE void relax_gather_bins(GATHER_PARAMS) {
  RelaxVertex x;
  x.active = false;
  bool here = relax_begin(&x, n, in_row, value, active);
  uint32_t best = walk_bins(Offers<WEIGHTED>{in_col, in_weight, value}, x.start, x.count);
  if (here) relax_end(x, minimum(best, x.old), update, active);
}

// The warp's active vertices one after the other.
template <bool WEIGHTED> DEVICE void relax_gather_warp(GATHER_PARAMS) {
  RelaxVertex x;
  if (!relax_begin(&x, n, in_row, value, active)) return;
  const Offers<WEIGHTED> work = {in_col, in_weight, value};
  uint32_t best = x.old;
  for (uint32_t left = warp_ballot(x.count != 0); left; left &= left - 1) {
    uint32_t owner = (uint32_t)__builtin_ctz(left);
    uint32_t first = shuffle(x.start, owner), end = first + shuffle(x.count, owner);
    uint32_t least = shuffle(
        join_lanes<WARP_LANES, Offers<WEIGHTED>>(walk(work, first + lane_id(), end, WARP_LANES)),
        0);
    if (lane_id() == owner) best = minimum(best, least);
  }
  relax_end(x, best, update, active);
}

DEVICE void relax_commit_bins(COMMIT_PARAMS) {
  uint32_t v = global_thread(), start, count;
  relax_publish(v, take_word(active, v, n), out_row, value, update, changed, &start, &count);
  visit_bins(SetBits{next, out_col}, start, count);
}

DEVICE void relax_commit_warp(COMMIT_PARAMS) {
  uint32_t v = global_thread(), start, count, word = take_word(active, v, n);
  if (!word) return;
  relax_publish(v, word, out_row, value, update, changed, &start, &count);
  visit_by_warp(SetBits{next, out_col}, start, count);
}

// ---- queue: a vertex whose value fell offers it to its out-neighbours ----
//
// Offers meet in `update`, UNREACHED between steps: who finds it so has the first one, and queues
// the vertex, once. Values themselves change in a second kernel, so that a step reads only those of
// the step before.

template <bool WEIGHTED> struct Offer {
  const uint32_t *__restrict__ col, *__restrict__ weight, *__restrict__ value;
  uint32_t *update, mine;
  Queue queue;
  template <int U> DEVICE_METHOD void visit(uint32_t e, uint32_t step, uint32_t end) const {
    uint32_t at[U], offer[U], old[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, col + e + i * step, 0);
#pragma unroll
    for (int i = 0; i < U; i++)
      offer[i] = mine + (WEIGHTED ? load_if(e + i * step < end, weight + e + i * step, 0) : 0);
#pragma unroll
    for (int i = 0; i < U; i++) old[i] = load_far_if(e + i * step < end, value + at[i], 0);
#pragma unroll
    for (int i = 0; i < U; i++)
      old[i] = atomic_min_if(offer[i] < old[i], update + at[i], offer[i], 0);
#pragma unroll
    for (int i = 0; i < U; i++) queue.push(old[i] == UNREACHED, at[i]);
  }
};

#define OFFER_PARAMS                                                                               \
  FRONTIER_PARAMS, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,             \
      const uint32_t *__restrict__ weight, const uint32_t *__restrict__ value, uint32_t *update,   \
      QUEUE_PARAMS

// Lists carry their owner's value with them.
template <bool WEIGHTED> DEVICE void relax_offer(OFFER_PARAMS) {
  QUEUE
  __shared__ uint32_t of_block;
  queue.begin();
  uint32_t i, start = 0, count = 0, mine = 0;
  if (first_of_lanes(size, lanes, &i)) {
    uint32_t v = frontier[i];
    start = row[v];
    count = row[v + 1] - start;
    mine = value[v];
  }
  Offer<WEIGHTED> work = {col, weight, value, update, mine, queue};
  lists_of_block(start, &count, [&](uint32_t e, uint32_t end, bool own) {
    if (own) of_block = mine;
    barrier();
    work.mine = of_block;
    visit_list(work, e, end, BLOCK);
  });
  lists_of_warp(WARP_LIST / lanes, start, &count, [&](uint32_t e, uint32_t end, bool own) {
    work.mine = shuffle(mine, (uint32_t)__builtin_ctz(warp_ballot(own)));
    visit_list(work, e, end, WARP_LANES);
  });
  work.mine = mine;
  visit_list(work, start, start + count, 1);
  queue.end();
}

DEVICE void relax_take(uint32_t size, const uint32_t *__restrict__ frontier, uint32_t *value,
                       uint32_t *update) {
  uint32_t i = global_thread();
  if (i >= size) return;
  uint32_t v = frontier[i];
  value[v] = update[v];
  update[v] = UNREACHED;
}

// All kernels of one algorithm.
#define RELAX_STRATEGIES(NAME, WEIGHTED)                                                           \
  KERNEL NAME##_gather_bins(GATHER_PARAMS) {                                                       \
    relax_gather_bins<WEIGHTED>(GATHER_ARGS);                                                      \
  }                                                                                                \
  KERNEL NAME##_gather_warp32(GATHER_PARAMS) {                                                     \
    relax_gather_warp<WEIGHTED>(GATHER_ARGS);                                                      \
  }                                                                                                \
  KERNEL NAME##_commit_bins(COMMIT_PARAMS) {                                                       \
    relax_commit_bins(COMMIT_ARGS);                                                                \
  }                                                                                                \
  KERNEL NAME##_commit_warp(COMMIT_PARAMS) {                                                       \
    relax_commit_warp(COMMIT_ARGS);                                                                \
  }                                                                                                \
  KERNEL NAME##_offer(OFFER_PARAMS) {                                                              \
    relax_offer<WEIGHTED>(size, lanes, frontier, row, col, weight, value, update, next, next_size, \
                          capacity);                                                               \
  }                                                                                                \
  KERNEL NAME##_edges(RELAX_EDGES_PARAMS) {                                                        \
    relax_edges<WEIGHTED>(RELAX_EDGES_ARGS);                                                       \
  }                                                                                                \
  KERNEL NAME##_take(uint32_t size, const uint32_t *__restrict__ frontier, uint32_t *value,        \
                     uint32_t *update) {                                                           \
    relax_take(size, frontier, value, update);                                                     \
  }

#endif
