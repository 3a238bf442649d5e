// A frontier whose edges are dealt out in equal shares to resident blocks, level after level in one
// launch. An entry says where its vertex's list starts and how many of the level's edges lie before
// it; both places come from one 64-bit atomic. A warp takes tiles of SHARE edges, side by side
// whatever the lists' lengths: first[t] is the entry that has tile t's first edge. Between levels
// blocks meet at a barrier of atomics, so all of them must be resident.
#ifndef WARPFAB_SHARES_CUH
#define WARPFAB_SHARES_CUH

#include "queue.cuh"

enum {
  SHARE_BLOCK = 128, // threads; WF_SHARE_*
  SHARE_ROWS = 2,    // edges of a lane at once
  SHARE = SHARE_ROWS * WARP_LANES,
  SHARE_SLOTS = 4
};

// Words of the state, wf_share_state.
enum {
  STATE_EDGES,
  STATE_VERTICES,
  STATE_SIDE,
  STATE_STEP,
  STATE_DEEPEST,
  STATE_LEFT,
  STATE_BEFORE
};

struct ShareEntry {
  uint32_t before, start;
};
// Blocks that arrived (high), entries and edges (low) that were found: one word, so that one load
// sees all of them alike.
struct ShareSlot {
  uint64_t word;
};
enum { EDGE_BITS = 29, ENTRY_BITS = 24, ARRIVED_AT = EDGE_BITS + ENTRY_BITS };
DEVICE uint32_t edges_of(uint64_t word) {
  return (uint32_t)word & (1u << EDGE_BITS) - 1;
}
DEVICE uint32_t entries_of(uint64_t word) {
  return (uint32_t)(word >> EDGE_BITS) & (1u << ENTRY_BITS) - 1;
}

DEVICE uint64_t atomic_add64(uint64_t *at, uint64_t by) {
  uint64_t old;
  asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(at), "l"(by) : "memory");
  return old;
}
DEVICE uint32_t shuffle_up(uint32_t value, uint32_t lanes) {
  uint32_t got;
  asm volatile("shfl.up.b32 %0, %1, %2, 0;" : "=r"(got) : "r"(value), "r"(lanes));
  return got;
}
DEVICE ShareEntry fresh_entry_if(bool wanted, const ShareEntry *at) {
  uint32_t before = 0, start = 0;
  asm volatile("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; "
               "@wanted ld.global.cg.v2.u32 {%0, %1}, [%2]; }"
               : "+r"(before), "+r"(start)
               : "l"(at), "r"((uint32_t)wanted)
               : "memory");
  return ShareEntry{before, start};
}

// A side of the frontier: the one that is read or the one that is filled.
struct ShareSide {
  ShareEntry *entries;
  uint32_t *owners, *first; // owners: the entries' vertices, or NULL
};

// Each lane's N lists that are not empty join the side. All lanes call.
template <int N>
DEVICE void share_push(const ShareSide &side, ShareSlot *slot, const uint32_t (&start)[N],
                       const uint32_t (&count)[N], const uint32_t (&owner)[N]) {
  const uint32_t lane = lane_id();
  uint32_t entries = 0, edges = 0;
#pragma unroll
  for (int u = 0; u < N; u++) {
    entries += count[u] != 0;
    edges += count[u];
  }
  if (!warp_any(entries)) return;
  uint32_t entries_to = entries, edges_to = edges; // of the lanes up to this one
#pragma unroll
  for (uint32_t d = 1; d < WARP_LANES; d *= 2) {
    uint32_t more = shuffle_up(entries_to, d), longer = shuffle_up(edges_to, d);
    entries_to += lane >= d ? more : 0;
    edges_to += lane >= d ? longer : 0;
  }
  uint64_t place = 0;
  if (lane == WARP_LANES - 1)
    place = atomic_add64(&slot->word, (uint64_t)entries_to << EDGE_BITS | edges_to);
  uint32_t at = shuffle(entries_of(place), WARP_LANES - 1) + entries_to - entries;
  uint32_t before = shuffle(edges_of(place), WARP_LANES - 1) + edges_to - edges;
#pragma unroll
  for (int u = 0; u < N; u++) {
    uint32_t tile = (before + SHARE - 1) / SHARE, end = (before + count[u] + SHARE - 1) / SHARE;
    if (count[u]) {
      side.entries[at] = ShareEntry{before, start[u]};
      if (side.owners) side.owners[at] = owner[u];
      if (tile < end) side.first[tile] = at;
    }
    for (uint32_t left = warp_ballot(count[u] && tile + 1 < end); left; left &= left - 1) {
      uint32_t whose = (uint32_t)__builtin_ctz(left);
      uint32_t t = shuffle(tile, whose) + 1, to = shuffle(end, whose), what = shuffle(at, whose);
      for (t += lane; t < to; t += WARP_LANES) side.first[t] = what;
    }
    at += count[u] != 0;
    before += count[u];
  }
}

// A warp's words in shared memory, an element a row and lane; flag: 0 between tiles.
struct ShareScratch {
  volatile uint32_t *flag, *shift, *carried;
};
// Edges of a tile, of this lane: where in col, and what their lists' owners carry.
struct ShareTile {
  uint32_t edge[SHARE_ROWS], carried[SHARE_ROWS];
  bool in[SHARE_ROWS];
};

// carry(wanted, entry) is what the entry's edges carry. All lanes call.
template <class Carry>
DEVICE ShareTile share_tile(const ShareSide &side, uint32_t t, uint32_t edges, uint32_t entries,
                            const ShareScratch &s, Carry carry) {
  const uint32_t lane = lane_id(), base = t * SHARE;
  const uint32_t size = edges - base < SHARE ? edges - base : SHARE;
  uint32_t bound =
      fresh_if(lane < 2 && base + lane * SHARE < edges, side.first + t + lane, entries - 1);
  uint32_t a = shuffle(bound, 0), count = shuffle(bound, 1) - a + 1;
  ShareTile tile;
  if (count == 1) {
    ShareEntry e = fresh_entry_if(true, side.entries + a);
    uint32_t carried = carry(true, a);
#pragma unroll
    for (int u = 0; u < SHARE_ROWS; u++) {
      uint32_t o = u * WARP_LANES + lane;
      tile.in[u] = o < size;
      tile.edge[u] = e.start - e.before + base + o;
      tile.carried[u] = carried;
    }
    return tile;
  }
#pragma unroll
  for (int u = 0; u < SHARE_ROWS; u++) {
    uint32_t r = u * WARP_LANES + lane;
    if (u * (uint32_t)WARP_LANES >= count) break; // uniform
    ShareEntry e = fresh_entry_if(r < count, side.entries + a + r);
    s.shift[r] = e.start - e.before;
    s.carried[r] = carry(r < count, a + r);
    uint32_t o = e.before - base;
    if (r && r < count && o < size) s.flag[o] = 1;
  }
  uint32_t begun = 0; // lists that begin in the rows before
#pragma unroll
  for (int u = 0; u < SHARE_ROWS; u++) {
    uint32_t o = u * WARP_LANES + lane, begin = warp_ballot(s.flag[o]);
    s.flag[o] = 0;
    uint32_t r = begun + __builtin_popcount(begin & (2u << lane) - 1);
    begun += __builtin_popcount(begin);
    tile.in[u] = o < size;
    tile.edge[u] = s.shift[r] + base + o;
    tile.carried[u] = s.carried[r];
  }
  return tile;
}

// Waits for all blocks of the grid; the slot's word then. All threads call.
DEVICE uint64_t share_meet(ShareSlot *slot) {
  __shared__ volatile uint64_t found;
  asm volatile("membar.gl;" ::: "memory");
  barrier();
  if (thread_x() == 0) {
    uint64_t now;
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(&slot->word), "l"(1ull << ARRIVED_AT)
                 : "memory");
    do asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(now) : "l"(&slot->word) : "memory");
    while (now >> ARRIVED_AT != grid_dim_x());
    asm volatile("membar.gl;" ::: "memory"); // the block reads what others wrote only now
    found = now;
  }
  barrier();
  const uint64_t all = found;
  barrier();
  return all;
}

// The frontier's memory: both sides of n entries and `tiles` firsts each. Addresses are kept in
// shared memory and read when needed: registers decide how many warps are resident.
struct Shares {
  enum { ENTRIES, OWNERS = 2, FIRSTS = 4, SLOTS = 6, STATE, WORK, KEPT = WORK + 8 };
  volatile uint64_t *kept;
  DEVICE_METHOD ShareSide side(uint32_t which) const {
    return {(ShareEntry *)kept[ENTRIES + which], (uint32_t *)kept[OWNERS + which],
            (uint32_t *)kept[FIRSTS + which]};
  }
  // For step `step`, zeroed two steps before.
  DEVICE_METHOD ShareSlot *slot(uint32_t step) const {
    return (ShareSlot *)kept[SLOTS] + step % SHARE_SLOTS;
  }
  DEVICE_METHOD void clear_slot(uint32_t step) const {
    if (global_thread()) return;
    slot(step)->word = 0;
  }
  // The algorithm's own, in the order in which they were given.
  DEVICE_METHOD uint32_t *work(int i) const { return (uint32_t *)kept[WORK + i]; }
  DEVICE_METHOD void changed(uint32_t step) const { // all that say so in a step write the same
    ((uint32_t *)kept[STATE])[STATE_DEEPEST] = step;
  }
};
template <int N>
DEVICE void keep_shares(volatile uint64_t *kept, ShareEntry *entries, uint32_t *owners,
                        uint32_t *firsts, ShareSlot *slots, uint32_t *state, uint32_t n,
                        uint32_t tiles, const uint32_t *const (&work)[N]) {
  if (thread_x() == 0) {
    for (int i = 0; i < N; i++) kept[Shares::WORK + i] = (uint64_t)work[i];
    for (uint32_t side = 0; side < 2; side++) {
      kept[Shares::ENTRIES + side] = (uint64_t)(entries + side * n);
      kept[Shares::OWNERS + side] = owners ? (uint64_t)(owners + side * n) : 0;
      kept[Shares::FIRSTS + side] = (uint64_t)(firsts + side * tiles);
    }
    kept[Shares::SLOTS] = (uint64_t)slots;
    kept[Shares::STATE] = (uint64_t)state;
  }
  barrier();
}

#define SHARES_PARAMS                                                                              \
  ShareEntry *entries, uint32_t *owners, uint32_t *firsts, ShareSlot *slots, uint32_t *state,      \
      uint32_t n, uint32_t tiles
#define SHARES(...)                                                                                \
  __shared__ volatile uint64_t shares_kept[Shares::KEPT];                                          \
  keep_shares(shares_kept, entries, owners, firsts, slots, state, n, tiles, {__VA_ARGS__});        \
  const Shares shares = {shares_kept};

// A warp's part of a block's scratch.
#define SHARE_SCRATCH(NAME)                                                                        \
  __shared__ volatile uint32_t NAME##_flag[SHARE_BLOCK * SHARE_ROWS],                              \
      NAME##_shift[SHARE_BLOCK * SHARE_ROWS], NAME##_carried[SHARE_BLOCK * SHARE_ROWS];            \
  const uint32_t NAME##_at = warp_in_block() * SHARE;                                              \
  const ShareScratch NAME = {NAME##_flag + NAME##_at, NAME##_shift + NAME##_at,                    \
                             NAME##_carried + NAME##_at};                                          \
  for (uint32_t u = 0; u < SHARE_ROWS; u++) NAME.flag[u * WARP_LANES + lane_id()] = 0;

#endif
