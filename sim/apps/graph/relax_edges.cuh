// What relax.cuh computes, in equal shares of a level's edges, all steps in one launch.
//
// Offers meet in `value` itself. A step that must read only the values of the step before has them
// copied beside the entries first (carried); else carried is NULL, and values may fall along more
// than one edge a step. queued[v]: the last step in which v was queued.
//
// ORDERED: near vertices first, those up to a limit, which rises by far_delta when none is left
// (far.cuh). That takes more steps, and pays where they are bound by their edges, not by their
// round trips: the other form ends before a step of more than `many` edges.
#ifndef WARPFAB_RELAX_EDGES_CUH
#define WARPFAB_RELAX_EDGES_CUH

#include "far.cuh"
#include "relax.cuh"

enum { ROW, COL, WEIGHT, VALUE, QUEUED, CARRIED, COPIED }; // Shares::work

template <bool WEIGHTED, bool ORDERED>
DEVICE void offer_tile(const ShareTile &tile, uint32_t step, const Shares &shares, uint32_t side,
                       uint32_t limit, const FarPiles &far) {
  enum { U = SHARE_ROWS };
  uint32_t v[U], offer[U], old[U], start[U], count[U];
  bool any = false, later[U];
  const uint32_t *col = shares.work(COL), *weight = shares.work(WEIGHT);
#pragma unroll
  for (int u = 0; u < U; u++) v[u] = load_if(tile.in[u], col + tile.edge[u], 0);
#pragma unroll
  for (int u = 0; u < U; u++) {
    offer[u] = tile.carried[u] + (WEIGHTED ? load_if(tile.in[u], weight + tile.edge[u], 0) : 0);
    if (WEIGHTED && offer[u] < tile.carried[u]) offer[u] = ~0u; // what wraps is no offer
  }
  uint32_t *value = shares.work(VALUE);
#pragma unroll
  for (int u = 0; u < U; u++) old[u] = fresh_if(tile.in[u], value + v[u], 0);
  const uint32_t *row = shares.work(ROW);
#pragma unroll
  for (int u = 0; u < U; u++) {
    bool lower = offer[u] < old[u];
    old[u] = atomic_min_if(lower, value + v[u], offer[u], 0);
    start[u] = load_if(lower, row + v[u], 0);
    count[u] = load_if(lower, row + v[u] + 1, 0);
  }
  uint32_t *queued = shares.work(QUEUED);
#pragma unroll
  for (int u = 0; u < U; u++) {
    bool lower = offer[u] < old[u];
    any |= lower;
    count[u] = lower ? count[u] - start[u] : 0;
    later[u] = ORDERED && count[u] && offer[u] > limit;
    if (later[u]) count[u] = 0;
    old[u] = atomic_exch_if(count[u] != 0, queued + v[u], step, step);
  }
#pragma unroll
  for (int u = 0; u < U; u++)
    if (old[u] == step) count[u] = 0;
  if (any) shares.changed(step);
  if (ORDERED) far_push(far, 0, later, v, offer);
  share_push(shares.side(side), shares.slot(step), start, count, v);
}

#define RELAX_EDGES_PARAMS                                                                         \
  SHARES_PARAMS, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,               \
      const uint32_t *__restrict__ weight, uint32_t *value, uint32_t *queued, uint32_t *carried,   \
      uint32_t *copied, uint32_t steps, uint32_t many
#define RELAX_EDGES_ARGS                                                                           \
  entries, owners, firsts, slots, state, n, tiles, row, col, weight, value, queued, carried,       \
      copied, steps, many

// Values of a step's vertices, as the step before left them.
DEVICE void copy_values(const Shares &shares, uint32_t side, uint32_t found, uint32_t step) {
  ShareSlot *copied = (ShareSlot *)shares.work(COPIED);
  const ShareSide now = shares.side(side);
  for (uint32_t i = global_thread(); i < found; i += grid_dim_x() * SHARE_BLOCK)
    shares.work(CARRIED)[i] =
        fresh_if(true, shares.work(VALUE) + fresh_if(true, now.owners + i, 0), 0);
  if (global_thread() == 0) copied[(step + 2) % SHARE_SLOTS].word = 0;
  share_meet(copied + step % SHARE_SLOTS);
}

template <bool WEIGHTED, bool ORDERED>
DEVICE void offer_level(const Shares &shares, const ShareScratch &scratch, uint32_t edges,
                        uint32_t found, uint32_t side, uint32_t step, bool bounded, uint32_t limit,
                        const FarPiles &far) {
  for (uint32_t t = block_x() + grid_dim_x() * warp_in_block(); t * SHARE < edges;
       t += grid_dim_x() * (SHARE_BLOCK / WARP_LANES)) {
    if (ORDERED) asm volatile("" : "+r"(side)); // no addresses of it in registers over a turn
    ShareTile tile =
        share_tile(shares.side(side), t, edges, found, scratch, [&](bool wanted, uint32_t i) {
          if (bounded) return fresh_if(wanted, shares.work(CARRIED) + i, 0);
          return fresh_if(
              wanted, shares.work(VALUE) + fresh_if(wanted, shares.side(side).owners + i, 0), 0);
        });
    offer_tile<WEIGHTED, ORDERED>(tile, step, shares, side ^ 1, limit, far);
  }
}

template <bool WEIGHTED> DEVICE void relax_edges(RELAX_EDGES_PARAMS) {
  SHARES(row, col, weight, value, queued, carried, copied)
  SHARE_SCRATCH(scratch)
  uint32_t edges = state[STATE_EDGES], found = state[STATE_VERTICES], side = state[STATE_SIDE];
  uint32_t step = state[STATE_STEP];
  for (; edges && step <= steps && edges <= many; step++, side ^= 1) {
    if (steps != ~0u) copy_values(shares, side, found, step);
    offer_level<WEIGHTED, false>(shares, scratch, edges, found, side, step, steps != ~0u, ~0u, {});
    shares.clear_slot(step + 2);
    uint64_t all = share_meet(shares.slot(step));
    edges = edges_of(all);
    found = entries_of(all);
  }
  if (global_thread()) return;
  state[STATE_EDGES] = edges;
  state[STATE_VERTICES] = found;
  state[STATE_SIDE] = side;
  state[STATE_STEP] = step;
}

// The weighted one, ordered, to its end. far: two piles of far_capacity, of which n is for what a
// sorting leaves; far_sizes: 0.
DEVICE void relax_near(SHARES_PARAMS, const uint32_t *__restrict__ row,
                       const uint32_t *__restrict__ col, const uint32_t *__restrict__ weight,
                       uint32_t *value, uint32_t *queued, FAR_PARAMS) {
  SHARES(row, col, weight, value, queued)
  FAR_PILES
  SHARE_SCRATCH(scratch)
  uint32_t edges = state[STATE_EDGES], found = state[STATE_VERTICES], side = state[STATE_SIDE];
  uint32_t limit = far_delta, most = 0; // far ones, at most
  for (uint32_t step = state[STATE_STEP]; edges; step++, side ^= 1) {
    most += edges;
    if (most > far_capacity) limit = FAR_NONE;
    offer_level<true, true>(shares, scratch, edges, found, side, step, false, limit, piles);
    shares.clear_slot(step + 2);
    uint64_t all = share_meet(shares.slot(step));
    for (uint32_t rise = far_delta; !edges_of(all); rise *= 2) {
      const uint32_t count = fresh_if(true, piles.size(0), 0);
      if (!count) break;
      limit = rise < FAR_NONE - limit ? limit + rise : FAR_NONE;
      step++;
      far_sort(piles, count, limit, value, row, shares.side(side ^ 1), shares.slot(step));
      most = n;
      shares.clear_slot(step + 2);
      all = share_meet(shares.slot(step));
      piles.sorted();
    }
    edges = edges_of(all);
    found = entries_of(all);
  }
}

#endif
