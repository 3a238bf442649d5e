// What both minimum-spanning-tree applications do after the search: Boruvka's rounds. Of a
// component's lightest edges one is agreed on by three minima: weight, then the smallest component
// at the other end, then the edge's number. With that order components can choose each other in
// pairs but in no longer cycle; of a pair the smaller component drops its edge and becomes the
// root.
#ifndef WARPFAB_MST_CUH
#define WARPFAB_MST_CUH

#include "forms.cuh"

// The lightest edge that a vertex has found to leave its component.
struct lightest {
  uint32_t weight, other, edge;
};

// Selects instead of branches: one short body, as the original's compiler makes of it.
DEVICE void consider(lightest *best, bool leaves, uint32_t weight, uint32_t other, uint32_t edge) {
  bool better =
      leaves & ((weight < best->weight) | ((weight == best->weight) & (other < best->other)));
  best->weight = better ? weight : best->weight;
  best->other = better ? other : best->other;
  best->edge = better ? edge : best->edge;
}

// By vertex: what was found. False: nothing, and nothing ever will be.
DEVICE bool keep(const lightest &best, uint32_t v, uint32_t *found_weight, uint32_t *found_other,
                 uint32_t *found_edge, uint8_t *active) {
  found_weight[v] = best.weight;
  found_other[v] = best.other;
  found_edge[v] = best.edge;
  if (best.edge == NOTHING) active[v] = 0;
  return best.edge != NOTHING;
}

// By component: it hangs itself under the one its edge leads to.
DEVICE void hook(const uint32_t *__restrict__ least_weight,
                 const uint32_t *__restrict__ least_other, const uint32_t *__restrict__ least_edge,
                 uint32_t *successor, uint8_t *in_tree, uint32_t *again, uint32_t n) {
  uint32_t c = global_thread();
  if (c >= n) return;
  uint32_t next = c;
  if (least_weight[c] != NOTHING) {
    uint32_t other = least_other[c];
    if (least_other[other] != c || c > other) {
      next = other;
      in_tree[least_edge[c]] = 1;
      *again = 1;
    }
  }
  successor[c] = next;
}

DEVICE uint32_t root_of(const uint32_t *__restrict__ successor, uint32_t c) {
  uint32_t next = successor[c];
#pragma clang loop unroll(disable)
  while (next != c) {
    c = next;
    next = successor[c];
  }
  return c;
}

DEVICE void forget(uint32_t *least_weight, uint32_t *least_other, uint32_t *least_edge,
                   uint32_t c) {
  least_weight[c] = least_other[c] = least_edge[c] = NOTHING;
}

#endif
