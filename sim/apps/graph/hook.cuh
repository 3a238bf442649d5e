// Components of a symmetric graph by hooking and pointer jumping, most edges left out (Afforest:
// Sutton, Ben-Nun and Barak, IPDPS 2018). label[v]: a vertex of v's tree that is not larger; of a
// tree's root: itself. A tree's larger root is hung under the smaller one by an atomic exchange, so
// a component ends with its smallest vertex as root. First each vertex joins its first two
// neighbours. That mostly leaves one large tree, whose vertices then pass over the rest of their
// lists: an edge is lost only if both of its ends are in that tree.
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

// A vertex and its first neighbour, without an atomic: the smaller one is its label.
DEVICE void hook_one(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                     uint32_t *label) {
  const uint32_t v = global_thread();
  if (v >= n) return;
  const uint32_t e = row[v], to = load_if(e < row[v + 1], col + e, v);
  label[v] = to < v ? to : v;
}

// The first again: it may be the larger one.
DEVICE void hook_two(uint32_t n, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                     uint32_t *label) {
  const uint32_t v = global_thread();
  if (v >= n) return;
  const uint32_t e = row[v], end = row[v + 1], most = e + JOINED_FIRST;
  Hook{col, label, label_of(label, v)}.visit<JOINED_FIRST>(e, 1, end < most ? end : most);
}

// Each vertex under its root: all of them go up together, which halves their ways.
DEVICE void hook_jump(uint32_t n, uint32_t *label) {
  const uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t up = label_of(label, v), next = label_of(label, up);
#pragma clang loop unroll(disable)
  while (next != up) {
    label[v] = next;
    up = next;
    next = label_of(label, up);
  }
}

// *large: the label that most of a warp's vertices have, which lie at equal distances.
DEVICE void hook_sample(uint32_t n, const uint32_t *__restrict__ label, uint32_t *large) {
  const uint32_t mine = label[(uint32_t)((uint64_t)lane_id() * n / WARP_LANES)];
  uint32_t alike = 0, most = 0;
  for (uint32_t l = 0; l < WARP_LANES; l++) alike += shuffle(mine, l) == mine;
  for (uint32_t l = 0; l < WARP_LANES; l++) {
    const uint32_t other = shuffle(alike, l);
    most = other > most ? other : most;
  }
  const uint32_t have = warp_ballot(alike == most);
  if (lane_id() == (uint32_t)__builtin_ctz(have)) *large = mine;
}

DEVICE void hook_rest(uint32_t n, const uint32_t *__restrict__ row,
                      const uint32_t *__restrict__ col, uint32_t *label,
                      const uint32_t *__restrict__ large) {
  __shared__ uint32_t of_block;
  const uint32_t v = global_thread();
  const uint32_t mine = fresh_if(v < n, label + v, *large);
  uint32_t start = 0, count = 0;
  if (mine != *large) {
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
