// A level of a Barnes-Hut tree (in the plane): a thread per cell adds up its bodies and counts them
// by quadrant, then, where there are enough to split, moves them to their quadrants; itself or by
// children with a thread per body.
#include "persist.cuh"

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

// ---- the best forms (share.cuh) ----

struct BodiesOf {
  uint32_t first, n, cell;
};
struct Added {
  uint32_t count[4], x, y;
};

struct AddBodies {
  enum { AT_ONCE = IN_FLIGHT };
  typedef BodiesOf List;
  typedef Added Sum;
  bht_level l;
  template <int U>
  DEVICE_METHOD void items(const List (&c)[U], const uint32_t (&i)[U], Added (&got)[U]) const {
    uint32_t body[U];
#pragma unroll
    for (int u = 0; u < U; u++) body[u] = load_if(i[u] < c[u].n, l.bodies + c[u].first + i[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++) {
      uint32_t q = i[u] < c[u].n ? quadrant(l, body[u]) : 4;
#pragma unroll
      for (uint32_t k = 0; k < 4; k++) got[u].count[k] = q == k;
      got[u].x = body[u] >> 16;
      got[u].y = body[u] & 0xffff;
    }
  }
  DEVICE_METHOD static void join(Added *sum, const Added &other) {
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) sum->count[k] += other.count[k];
    sum->x += other.x;
    sum->y += other.y;
  }
  DEVICE_METHOD void end(const List &c, const Added &sum, bool whole) const {
    if (whole) {
#pragma unroll
      for (uint32_t k = 0; k < 4; k++) l.count[4 * c.cell + k] = sum.count[k];
      l.sum_x[c.cell] = sum.x;
      l.sum_y[c.cell] = sum.y;
      return;
    }
#pragma unroll
    for (uint32_t k = 0; k < 4; k++)
      reduce_add_if(sum.count[k], &l.count[4 * c.cell + k], sum.count[k]);
    reduce_add(&l.sum_x[c.cell], sum.x);
    reduce_add(&l.sum_y[c.cell], sum.y);
  }
};

struct MoveBodies : WithoutSum {
  enum { AT_ONCE = IN_FLIGHT };
  typedef BodiesOf List;
  bht_level l;
  template <int U>
  DEVICE_METHOD void items(const List (&c)[U], const uint32_t (&i)[U], NoSum (&)[U]) const {
    uint32_t body[U], to[U];
#pragma unroll
    for (int u = 0; u < U; u++) body[u] = load_if(i[u] < c[u].n, l.bodies + c[u].first + i[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++)
      to[u] = atomic_add_if(i[u] < c[u].n, &l.next[4 * c[u].cell + quadrant(l, body[u])], 1, 0);
#pragma unroll
    for (int u = 0; u < U; u++)
      if (i[u] < c[u].n) l.moved[to[u]] = body[u];
  }
};

#define BHT_PARAMS bht_level l, uint32_t block

DEVICE AddBodies bht_add_work(BHT_PARAMS) {
  return {l};
}
DEVICE BodiesOf bht_add_list(uint32_t c, BHT_PARAMS) {
  if (c >= l.n_cells) return {0, 0, 0};
  return {l.cells[c].first, l.cells[c].n, c};
}
IN_BEST_FORMS(bht_add, AddBodies, (BHT_PARAMS), l, block)
IN_PERSISTENT_FORM(bht_add, (BHT_PARAMS), l, block)

DEVICE MoveBodies bht_move_work(BHT_PARAMS) {
  return {{}, l};
}
DEVICE BodiesOf bht_move_list(uint32_t c, BHT_PARAMS) {
  if (c >= l.n_cells || l.cells[c].n <= l.worth) return {0, 0, 0};
  uint32_t at = l.cells[c].first;
#pragma unroll
  for (uint32_t k = 0; k < 4; k++) {
    l.next[4 * c + k] = at;
    at += l.count[4 * c + k];
  }
  return {l.cells[c].first, l.cells[c].n, c};
}
IN_BEST_FORMS(bht_move, MoveBodies, (BHT_PARAMS), l, block)
IN_PERSISTENT_FORM(bht_move, (BHT_PARAMS), l, block)
