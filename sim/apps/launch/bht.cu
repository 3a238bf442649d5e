// A level of a Barnes-Hut tree (in the plane): a thread per cell adds up its bodies and counts them
// by quadrant, then, where there are enough to split, moves them to their quadrants; itself or by
// children with a thread per body.
#include "launch.cuh"

struct bht_cell {
  uint32_t first, n; // its bodies
};

struct bht_level {
  const bht_cell *cells;
  const uint32_t *bodies;  // x in the upper half of a word, y in the lower
  uint32_t *moved;         // the same, by quadrant
  uint32_t *count, *next;  // 4 of a cell: bodies in a quadrant; where its next goes
  uint32_t *sum_x, *sum_y; // of a cell
  uint32_t n_cells, shift,
      worth; // shift: of the bit that tells the quadrant; worth: cells with more are split
};

DEVICE uint32_t quadrant(const bht_level &l, uint32_t body) {
  return (body >> (16 + l.shift) & 1) * 2 + (body >> l.shift & 1);
}

DEVICE void add_body(const bht_level &l, uint32_t cell, uint32_t body) {
  reduce_add(&l.count[4 * cell + quadrant(l, body)], 1);
  reduce_add(&l.sum_x[cell], body >> 16);
  reduce_add(&l.sum_y[cell], body & 0xffff);
}

DEVICE void move_body(const bht_level &l, uint32_t cell, uint32_t body) {
  l.moved[atomic_add(&l.next[4 * cell + quadrant(l, body)], 1)] = body;
}

struct bht_args {
  bht_level l;
  uint32_t cell, first, n;
};

KERNEL bht_add_child(bht_args a) {
  uint32_t i = global_thread();
  if (i < a.n) add_body(a.l, a.cell, a.l.bodies[a.first + i]);
}

KERNEL bht_move_child(bht_args a) {
  uint32_t i = global_thread();
  if (i < a.n) move_body(a.l, a.cell, a.l.bodies[a.first + i]);
}

template <int FORM> DEVICE void bht_add(bht_level l, uint32_t block) {
  uint32_t c = global_thread();
  if (c >= l.n_cells) return;
  const bht_args a = {l, c, l.cells[c].first, l.cells[c].n};
  if (LAUNCH(FORM, bht_add_child, a, a.n, block)) return;
  uint32_t count[4] = {0, 0, 0, 0}, x = 0, y = 0;
#pragma clang loop unroll(disable)
  for (uint32_t i = a.first; i < a.first + a.n; i++) {
    uint32_t body = l.bodies[i], q = quadrant(l, body);
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) count[k] += q == k;
    x += body >> 16;
    y += body & 0xffff;
  }
#pragma unroll
  for (uint32_t k = 0; k < 4; k++) l.count[4 * c + k] = count[k];
  l.sum_x[c] = x;
  l.sum_y[c] = y;
}

template <int FORM> DEVICE void bht_move(bht_level l, uint32_t block) {
  uint32_t c = global_thread();
  if (c >= l.n_cells || l.cells[c].n <= l.worth) return;
  const bht_args a = {l, c, l.cells[c].first, l.cells[c].n};
  uint32_t at = a.first;
#pragma unroll
  for (uint32_t k = 0; k < 4; k++) {
    l.next[4 * c + k] = at;
    at += l.count[4 * c + k];
  }
  if (LAUNCH(FORM, bht_move_child, a, a.n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t i = a.first; i < a.first + a.n; i++) {
    uint32_t body = l.bodies[i], *next = &l.next[4 * c + quadrant(l, body)], to = *next;
    *next = to + 1;
    l.moved[to] = body;
  }
}

IN_THREE_FORMS(bht_add, (bht_level l, uint32_t block), l, block)
IN_THREE_FORMS(bht_move, (bht_level l, uint32_t block), l, block)
