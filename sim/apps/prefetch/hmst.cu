// Minimum spanning forest after Vineet, Harish and others: Boruvka. A vertex's component is that of
// its colour of the round before, so that the search reads two dependent words per neighbour.
#include "mst.cuh"

KERNEL hmst_find_min_edge_weight(const uint32_t *__restrict__ vertices,
                                 const uint32_t *__restrict__ edges,
                                 const uint32_t *__restrict__ weights,
                                 const uint32_t *__restrict__ colour,
                                 const uint32_t *__restrict__ component, uint8_t *active,
                                 uint32_t *found_weight, uint32_t *found_other,
                                 uint32_t *found_edge, uint32_t *least_weight, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[colour[v]], end = vertices[v + 1];
  lightest best = {NOTHING, NOTHING, NOTHING};
#pragma clang loop unroll(disable)
  for (uint32_t e = vertices[v]; e < end; e++) {
    uint32_t other = component[colour[edges[e]]];
    consider(&best, other != mine, weights[e], other, e);
  }
  if (keep(best, v, found_weight, found_other, found_edge, active))
    lower(&least_weight[mine], best.weight);
}

KERNEL hmst_agree_other(const uint8_t *__restrict__ active, const uint32_t *__restrict__ colour,
                        const uint32_t *__restrict__ component,
                        const uint32_t *__restrict__ found_weight,
                        const uint32_t *__restrict__ found_other,
                        const uint32_t *__restrict__ least_weight, uint32_t *least_other,
                        uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[colour[v]];
  if (found_weight[v] == least_weight[mine]) lower(&least_other[mine], found_other[v]);
}

KERNEL hmst_agree_edge(const uint8_t *__restrict__ active, const uint32_t *__restrict__ colour,
                       const uint32_t *__restrict__ component,
                       const uint32_t *__restrict__ found_weight,
                       const uint32_t *__restrict__ found_other,
                       const uint32_t *__restrict__ found_edge,
                       const uint32_t *__restrict__ least_weight,
                       const uint32_t *__restrict__ least_other, uint32_t *least_edge, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[colour[v]];
  if (found_weight[v] == least_weight[mine] && found_other[v] == least_other[mine])
    lower(&least_edge[mine], found_edge[v]);
}

KERNEL hmst_hook(const uint32_t *__restrict__ least_weight,
                 const uint32_t *__restrict__ least_other, const uint32_t *__restrict__ least_edge,
                 uint32_t *successor, uint8_t *in_tree, uint32_t *again, uint32_t n) {
  hook(least_weight, least_other, least_edge, successor, in_tree, again, n);
}

KERNEL hmst_recolour(uint32_t *colour, const uint32_t *__restrict__ component, uint32_t n) {
  uint32_t v = global_thread();
  if (v < n) colour[v] = component[colour[v]];
}

KERNEL hmst_merge(const uint32_t *__restrict__ successor, uint32_t *component,
                  uint32_t *least_weight, uint32_t *least_other, uint32_t *least_edge, uint32_t n) {
  uint32_t c = global_thread();
  if (c >= n) return;
  component[c] = root_of(successor, c);
  forget(least_weight, least_other, least_edge, c);
}

// ---- the same in forms.cuh's forms ----

struct Search {
  struct Edge {
    uint32_t weight, at, other; // at: where something points on
  };
  const uint32_t *__restrict__ edges, *__restrict__ weights, *__restrict__ colour,
      *__restrict__ component;
  uint32_t mine;
  lightest best;
  template <bool SURE> DEVICE_METHOD void head(bool wanted, uint32_t e, Edge &edge) const {
    edge.at = load<SURE>(wanted, edges + e, 0);
    edge.weight = load<SURE>(wanted, weights + e, 0);
  }
  template <bool SURE> DEVICE_METHOD void near(bool wanted, Edge &edge) const {
    edge.at = load<SURE>(wanted, colour + edge.at, 0);
  }
  template <bool SURE> DEVICE_METHOD void tail(bool wanted, Edge &edge) const {
    edge.other = load<SURE>(wanted, component + edge.at, 0);
  }
  DEVICE_METHOD void use(uint32_t e, const Edge &edge) {
    consider(&best, edge.other != mine, edge.weight, edge.other, e);
  }
};

#define HMST_PARAMS                                                                                \
  const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges,                       \
      const uint32_t *__restrict__ weights, const uint32_t *__restrict__ colour,                   \
      const uint32_t *__restrict__ component, uint8_t *active, uint32_t *found_weight,             \
      uint32_t *found_other, uint32_t *found_edge, uint32_t *least_weight, uint32_t n
template <int FORM> DEVICE void hmst_search(HMST_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n || !active[v]) return;
  uint32_t mine = component[colour[v]], end = vertices[v + 1];
  Search work = {edges, weights, colour, component, mine, {NOTHING, NOTHING, NOTHING}};
  walk_list<FORM>(work, vertices[v], end);
  if (keep(work.best, v, found_weight, found_other, found_edge, active))
    lower(&least_weight[mine], work.best.weight);
}
IN_LOAD_FORMS(hmst_find_min_edge_weight, hmst_search, (HMST_PARAMS), vertices, edges, weights,
              colour, component, active, found_weight, found_other, found_edge, least_weight, n)
