// Components of a symmetric graph by hooking and pointer jumping, most edges left out (Afforest:
// Sutton, Ben-Nun and Barak, IPDPS 2018). label[v]: a vertex of v's tree that is not larger; of a
// tree's root: itself. A tree's larger root is hung under the smaller one by an atomic exchange, so
// a component ends with its smallest vertex as root. First each vertex joins its first neighbour,
// then its second, then the rest. The tree that has a vertex of many edges is mostly large: who is
// in it passes over what is left of its list. An edge is lost only if both ends are in that tree.
#ifndef WARPFAB_HOOK_CUH
#define WARPFAB_HOOK_CUH

#include "strategy.cuh"

enum { JOINED_FIRST = 2 };
enum { REST_AT_ONCE = 4 }; // eight take registers of which an SM then holds a block less

DEVICE uint32_t label_of(const uint32_t *label, uint32_t v) {
  return fresh_if(true, label + v, 0);
}

// a, b: labels of two vertices that an edge joins. Each step up is cut short behind, or others
// would walk all of a way that grows while trees are joined.
DEVICE void hook(uint32_t *label, uint32_t a, uint32_t b) {
#pragma clang loop unroll(disable)
  while (a != b) {
    const uint32_t high = a > b ? a : b, low = a > b ? b : a;
    const uint32_t was = atomic_cas_if(true, label + high, high, low, 0);
    if (was == high || was == low) return;
    a = label_of(label, was);
    b = label_of(label, low);
    label[high] = a;
  }
}

// Joins edges with a vertex whose label is `mine`.
struct Hook {
  const uint32_t *__restrict__ col;
  uint32_t *label, mine;
  template <int U> DEVICE_METHOD void visit(uint32_t e, uint32_t step, uint32_t end) const {
    uint32_t at[U], theirs[U];
#pragma unroll
    for (int i = 0; i < U; i++) at[i] = load_if(e + i * step < end, col + e + i * step, 0);
#pragma unroll
    for (int i = 0; i < U; i++) theirs[i] = fresh_if(e + i * step < end, label + at[i], mine);
#pragma unroll
    for (int i = 0; i < U; i++)
      if (theirs[i] != mine) hook(label, mine, theirs[i]);
  }
};

// A vertex of many edges, in a word: edges above, below them which it is, without its lowest
// `shift` bits.
enum { HUB_BITS = 20, HUB_EDGES = (1 << (32 - HUB_BITS)) - 1 };
struct LargeTree {
  uint32_t hub;
  uint32_t root; // of its tree when all went up last
};

// A vertex and its first neighbour, without an atomic: the smaller one is its label. One warp of
// LOOKED_AT tells its vertex of most edges.
enum { LOOKED_AT = 8 };
DEVICE void hook_one(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                     uint32_t *label, LargeTree *large, uint32_t shift) {
  const uint32_t v = global_thread();
  const uint32_t e = load_if(v < n, row + v, 0), end = load_if(v < n, row + v + 1, 0);
  const uint32_t to = load_if(e < end, col + e, v), edges = end - e;
  if (v < n) label[v] = to < v ? to : v;
  if (v / WARP_LANES % LOOKED_AT) return;
  uint32_t hub = (edges < HUB_EDGES ? edges : HUB_EDGES) << HUB_BITS | v >> shift;
#pragma unroll
  for (uint32_t d = 1; d < WARP_LANES; d *= 2) {
    const uint32_t other = shuffle(hub, lane_id() ^ d);
    hub = other > hub ? other : hub;
  }
  asm volatile("{ .reg .pred one; setp.eq.u32 one, %2, 0; "
               "@one red.global.max.u32 [%0], %1; }"
               :
               : "l"(&large->hub), "r"(hub), "r"(lane_id())
               : "memory");
}

// The second; and the first if it is the larger one.
DEVICE void hook_two(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                     uint32_t *label, const LargeTree *large) {
  const uint32_t v = global_thread();
  if (v >= n) return;
  const uint32_t mine = label_of(label, v);
  if (mine == large->root) return;
  const uint32_t e = row[v], end = row[v + 1];
  const uint32_t one = load_if(e < end, col + e, v), two = load_if(e + 1 < end, col + e + 1, v);
  const uint32_t of_one = fresh_if(one > v, label + one, mine);
  const uint32_t of_two = fresh_if(two != v, label + two, mine);
  if (of_one != mine) hook(label, mine, of_one);
  if (of_two != mine) hook(label, mine, of_two);
}

// Each vertex under its root: those of a round go up together, which halves their ways. The
// vertices of a block lie side by side; if it has fewer threads, what comes later finds short ways.
DEVICE void hook_jump(uint32_t n, uint32_t *label, LargeTree *large, uint32_t shift,
                      uint32_t part) {
  const uint32_t first = block_x() * part, end = n < first + part ? n : first + part;
  const uint32_t hub = (large->hub & (1u << HUB_BITS) - 1) << shift;
#pragma clang loop unroll(disable)
  for (uint32_t v = first + thread_x(); v < end; v += block_dim_x()) {
    uint32_t up = label_of(label, v), next = label_of(label, up);
#pragma clang loop unroll(disable)
    while (next != up) {
      label[v] = next;
      up = next;
      next = label_of(label, up);
    }
    if (v == hub) large->root = up;
  }
}

DEVICE void hook_rest(uint32_t n, const uint32_t *__restrict__ row,
                      const uint32_t *__restrict__ col, uint32_t *label,
                      const LargeTree *large) {
  __shared__ uint32_t of_block;
  const uint32_t v = global_thread();
  const uint32_t mine = fresh_if(v < n, label + v, large->root);
  uint32_t start = 0, count = 0;
  if (mine != large->root) {
    const uint32_t end = row[v + 1];
    start = row[v] + JOINED_FIRST;
    count = start < end ? end - start : 0;
  }
  Hook work = {col, label, mine};
  lists_of_block(start, &count, [&](uint32_t e, uint32_t end, bool own) {
    if (own) of_block = mine;
    barrier();
    work.mine = of_block;
    visit_list<REST_AT_ONCE>(work, e, end, BLOCK);
  });
  lists_of_warp(WARP_LIST, start, &count, [&](uint32_t e, uint32_t end, bool own) {
    work.mine = shuffle(mine, (uint32_t)__builtin_ctz(warp_ballot(own)));
    visit_list<REST_AT_ONCE>(work, e, end, WARP_LANES);
  });
  work.mine = mine;
  visit_list<REST_AT_ONCE>(work, start, start + count, 1);
}

#endif
