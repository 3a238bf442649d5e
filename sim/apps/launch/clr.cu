// Graph colouring by independent sets: in each round a vertex without colour looks for a larger
// number among its neighbours without colour, itself or by a child with a thread per neighbour;
// those without take the round's colour.
#include "persist.cuh"

struct clr_graph {
  const uint32_t *row, *col, *number, *colour;
  uint32_t *largest, *left;
};

DEVICE uint32_t number_if_left(const clr_graph &g, uint32_t e) {
  uint32_t w = g.col[e];
  return g.colour[w] == 0xffffffffu ? g.number[w] : 0;
}

struct clr_args {
  clr_graph g;
  uint32_t v, first, n;
};

KERNEL clr_child(clr_graph g, uint32_t v, uint32_t first, uint32_t n) {
  uint32_t i = global_thread();
  if (i >= n) return;
  uint32_t other = number_if_left(g, first + i);
  if (!other) return;
  *g.left = 1;
  if (other > g.largest[v]) reduce_max(&g.largest[v], other);
}

template <int FORM> DEVICE void clr_find(clr_graph g, uint32_t n_vertices, uint32_t block) {
  uint32_t v = global_thread();
  if (v >= n_vertices || g.colour[v] != 0xffffffffu) return;
  uint32_t first = g.row[v], n = g.row[v + 1] - first, largest = 0;
  const clr_args args = {g, v, first, n};
  g.largest[v] = 0;
  if (LAUNCH(FORM, clr_child, args, n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t e = first; e < first + n; e++) {
    uint32_t other = number_if_left(g, e);
    if (other > largest) largest = other;
  }
  if (!largest) return;
  *g.left = 1;
  g.largest[v] = largest;
}

IN_THREE_FORMS(clr_find, (clr_graph g, uint32_t n_vertices, uint32_t block), g, n_vertices, block)

KERNEL clr_take(const uint32_t *number, uint32_t *colour, const uint32_t *largest, uint32_t now,
                uint32_t n) {
  uint32_t v = global_thread();
  if (v < n && colour[v] == 0xffffffffu && number[v] > largest[v]) colour[v] = now;
}

// ---- the best forms (share.cuh) ----

struct NeighboursOf {
  uint32_t first, n, v;
};
struct Largest {
  uint32_t number;
};

struct FindLargest {
  enum { AT_ONCE = IN_FLIGHT };
  typedef NeighboursOf List;
  typedef Largest Sum;
  clr_graph g;
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], Largest (&got)[U]) const {
    uint32_t w[U];
    bool left[U];
#pragma unroll
    for (int u = 0; u < U; u++) w[u] = load_if(i[u] < l[u].n, g.col + l[u].first + i[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++)
      left[u] = load_far_if(i[u] < l[u].n, g.colour + w[u], 0) == 0xffffffffu;
#pragma unroll
    for (int u = 0; u < U; u++) got[u].number = load_far_if(left[u], g.number + w[u], 0);
  }
  DEVICE_METHOD static void join(Largest *sum, const Largest &other) {
    if (other.number > sum->number) sum->number = other.number;
  }
  DEVICE_METHOD void end(const List &l, const Largest &sum, bool whole) const {
    if (!sum.number) return;
    *g.left = 1;
    if (whole)
      g.largest[l.v] = sum.number;
    else if (sum.number > g.largest[l.v])
      reduce_max(&g.largest[l.v], sum.number);
  }
};

#define CLR_PARAMS clr_graph g, uint32_t n_vertices, uint32_t block

DEVICE FindLargest clr_find_work(CLR_PARAMS) {
  return {g};
}
DEVICE NeighboursOf clr_find_list(uint32_t v, CLR_PARAMS) {
  if (v >= n_vertices || g.colour[v] != 0xffffffffu) return {0, 0, 0};
  g.largest[v] = 0;
  return {g.row[v], g.row[v + 1] - g.row[v], v};
}
IN_BEST_FORMS(clr_find, FindLargest, (CLR_PARAMS), g, n_vertices, block)
IN_PERSISTENT_FORM(clr_find, (CLR_PARAMS), g, n_vertices, block)
