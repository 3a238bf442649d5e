// Minimum spanning forest as in LonestarGPU: Boruvka, topology-driven. Every vertex knows its
// component at once; a weight is read only where the edge leaves it.
#include "mst.cuh"

KERNEL lsmst_boruvka_one(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                         const uint32_t *__restrict__ weight,
                         const uint32_t *__restrict__ component, uint8_t *active,
                         uint32_t *found_weight, uint32_t *found_other, uint32_t *found_edge,
                         uint32_t *least_weight, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[v], end = row[v + 1];
  lightest best = {NOTHING, NOTHING, NOTHING};
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < end; e++) {
    uint32_t other = component[col[e]];
    if (other != mine) consider(&best, true, weight[e], other, e);
  }
  if (keep(best, v, found_weight, found_other, found_edge, active))
    lower(&least_weight[mine], best.weight);
}

KERNEL lsmst_boruvka_other(const uint8_t *__restrict__ active,
                           const uint32_t *__restrict__ component,
                           const uint32_t *__restrict__ found_weight,
                           const uint32_t *__restrict__ found_other,
                           const uint32_t *__restrict__ least_weight, uint32_t *least_other,
                           uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[v];
  if (found_weight[v] == least_weight[mine]) lower(&least_other[mine], found_other[v]);
}

KERNEL lsmst_boruvka_edge(
    const uint8_t *__restrict__ active, const uint32_t *__restrict__ component,
    const uint32_t *__restrict__ found_weight, const uint32_t *__restrict__ found_other,
    const uint32_t *__restrict__ found_edge, const uint32_t *__restrict__ least_weight,
    const uint32_t *__restrict__ least_other, uint32_t *least_edge, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[v];
  if (found_weight[v] == least_weight[mine] && found_other[v] == least_other[mine])
    lower(&least_edge[mine], found_edge[v]);
}

KERNEL lsmst_hook(const uint32_t *__restrict__ least_weight,
                  const uint32_t *__restrict__ least_other, const uint32_t *__restrict__ least_edge,
                  uint32_t *successor, uint8_t *in_tree, uint32_t *again, uint32_t n) {
  hook(least_weight, least_other, least_edge, successor, in_tree, again, n);
}

KERNEL lsmst_relabel(const uint32_t *__restrict__ successor, uint32_t *component,
                     uint32_t *least_weight, uint32_t *least_other, uint32_t *least_edge,
                     uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n) return;
  component[v] = root_of(successor, component[v]);
  forget(least_weight, least_other, least_edge, v);
}

// ---- the same in forms.cuh's forms ----

struct Search : Steps {
  struct Edge {
    uint32_t to, other;
  };
  const uint32_t *__restrict__ col, *__restrict__ weight, *__restrict__ component;
  uint32_t mine;
  lightest best;
  template <bool SURE> DEVICE_METHOD void head(bool wanted, uint32_t e, Edge &edge) const {
    edge.to = load<SURE>(wanted, col + e, 0);
  }
  template <bool SURE> DEVICE_METHOD void tail(bool wanted, Edge &edge) const {
    edge.other = load<SURE>(wanted, component + edge.to, mine);
  }
  DEVICE_METHOD void use(uint32_t e, const Edge &edge) {
    if (edge.other != mine) consider(&best, true, weight[e], edge.other, e);
  }
};

#define LSMST_PARAMS                                                                               \
  const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,                              \
      const uint32_t *__restrict__ weight, const uint32_t *__restrict__ component,                 \
      uint8_t *active, uint32_t *found_weight, uint32_t *found_other, uint32_t *found_edge,        \
      uint32_t *least_weight, uint32_t n
template <int FORM> DEVICE void lsmst_search(LSMST_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[v], end = row[v + 1];
  Search work = {{}, col, weight, component, mine, {NOTHING, NOTHING, NOTHING}};
  walk_list<FORM>(work, row[v], end);
  if (keep(work.best, v, found_weight, found_other, found_edge, active))
    lower(&least_weight[mine], work.best.weight);
}
IN_LOAD_FORMS(lsmst_boruvka_one, lsmst_search, (LSMST_PARAMS), row, col, weight, component, active,
              found_weight, found_other, found_edge, least_weight, n)
