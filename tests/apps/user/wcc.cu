// Weakly connected components, written as a user would, beside --app wcc: trees hooked together in
// one launch of resident blocks, a part of the vertices each (after Afforest and ECL-CC). Who is in
// the tree of a vertex of many edges leaves its other edges to their other ends.
#include "tests/apps/user/user.cuh"

enum { BLOCK = 256 };
struct Lists {
  const uint32_t *__restrict__ row, *__restrict__ col;
};

DEVICE void hook(uint32_t *label, uint32_t a, uint32_t b) {
#pragma clang loop unroll(disable)
  while (a != b) {
    const uint32_t high = a > b ? a : b, low = a > b ? b : a;
    const uint32_t was = atomic_cas_if(true, label + high, high, low, 0);
    if (was == high || was == low) return;
    a = peek(label + was);
    b = peek(label + low);
    label[high] = a;
  }
}
DEVICE uint32_t root_of(uint32_t *label, uint32_t v) {
  uint32_t up = peek(label + v), next = peek(label + up);
#pragma clang loop unroll(disable)
  while (next != up) {
    label[v] = next;
    up = next;
    next = peek(label + up);
  }
  return up;
}
// Edges of v, whose label is `mine`, or, long lists, of the warp's vertices one after the other.
DEVICE void join(const Lists &g, uint32_t *label, bool here, uint32_t v, uint32_t mine) {
  uint32_t start = load_if(here, g.row + v, 0), end = load_if(here, g.row + v + 1, 0);
  for (uint32_t left = warp_ballot(end - start >= 32); left; left &= left - 1) {
    const uint32_t whose = (uint32_t)__builtin_ctz(left), of = shfl(mine, whose);
    const uint32_t stop = shfl(end, whose);
    for (uint32_t e = shfl(start, whose) + lane_id(); e < stop; e += 32) {
      const uint32_t theirs = peek(label + g.col[e]);
      if (theirs != of) hook(label, of, theirs);
    }
  }
  if (end - start >= 32) end = start;
  for (uint32_t e = start; e < end; e += 2) {
    const bool two = e + 1 < end;
    const uint32_t a = g.col[e], b = load_if(two, g.col + e + 1, 0);
    const uint32_t of_a = peek(label + a), of_b = fresh_if(two, label + b, mine);
    if (of_a != mine) hook(label, mine, of_a);
    if (of_b != mine) hook(label, mine, of_b);
  }
}

// sync: 0 words, of which three are used.
KERNEL uwcc(const uint32_t *row, const uint32_t *col, const uint32_t *in_row,
            const uint32_t *in_col, uint32_t *label, uint32_t *sync, uint32_t n) {
  const Lists out = {row, col}, in = {in_row, in_col};
  const uint32_t part = (n + grid_dim_x() - 1) / grid_dim_x();
  const uint32_t first = block_x() * part, end = n < first + part ? n : first + part;
  uint32_t hub = 0, round = 0;
  for (uint32_t v = first + thread_x(); v < end; v += BLOCK) {
    const uint32_t e = row[v], edges = row[v + 1] - e, to = load_if(edges, col + e, v);
    label[v] = to < v ? to : v;
    const uint32_t key = (edges < 4095 ? edges : 4095) << 20 | (v >> 5 & 0xfffff);
    hub = key > hub ? key : hub;
  }
  atomic_max_if(hub, sync + 1, hub, 0);
  all_blocks(sync, round++);
  const uint32_t many = (peek(sync + 1) & 0xfffff) << 5;
  for (int turn = 0; turn < 2; turn++) {
    for (uint32_t v = first + thread_x(); v < end; v += BLOCK) {
      const uint32_t root = root_of(label, v);
      if (v == many) sync[2] = root;
    }
    all_blocks(sync, round++);
    const uint32_t large = peek(sync + 2);
    for (uint32_t base = first; base < end; base += BLOCK) {
      const uint32_t v = base + thread_x();
      const uint32_t mine = fresh_if(v < end, label + v, large);
      const bool here = mine != large;
      if (turn) {
        join(out, label, here, v, mine);
        join(in, label, here, v, mine);
      } else if (here) {
        const uint32_t e = row[v], stop = row[v + 1], i = in_row[v];
        const uint32_t a = load_if(e < stop, col + e, v), b = load_if(e + 1 < stop, col + e + 1, v);
        const uint32_t c = load_if(i < in_row[v + 1], in_col + i, v);
        const uint32_t of_a = fresh_if(a > v, label + a, mine);
        const uint32_t of_b = fresh_if(b != v, label + b, mine);
        const uint32_t of_c = fresh_if(c != v && c != a, label + c, mine);
        if (of_a != mine) hook(label, mine, of_a);
        if (of_b != mine) hook(label, mine, of_b);
        if (of_c != mine) hook(label, mine, of_c);
      }
    }
    all_blocks(sync, round++);
  }
  for (uint32_t v = first + thread_x(); v < end; v += BLOCK) root_of(label, v);
}
