// st-connectivity after Harish and Narayanan: breadth-first searches from both ends at once, a
// colour each, until a vertex has both.
#include "forms.cuh"

enum { RED = 1, GREEN = 2, BOTH = RED | GREEN };

// frontier: colours that the vertex got in the round before. state: all that it has.
KERNEL stcon_visit(const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges,
                   const uint8_t *__restrict__ state, uint8_t *frontier, uint8_t *red_next,
                   uint8_t *green_next, uint32_t *red_parent, uint32_t *green_parent, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t mine = frontier[v];
  if (!mine) return;
  frontier[v] = 0;
  uint32_t end = vertices[v + 1];
#pragma clang loop unroll(disable)
  for (uint32_t e = vertices[v]; e < end; e++) {
    uint32_t to = edges[e], fresh = mine & ~(uint32_t)state[to];
    if (fresh & RED) {
      red_next[to] = 1;
      red_parent[to] = v;
    }
    if (fresh & GREEN) {
      green_next[to] = 1;
      green_parent[to] = v;
    }
  }
}

// met: the smallest vertex that has both colours.
KERNEL stcon_advance(uint8_t *state, uint8_t *frontier, uint8_t *red_next, uint8_t *green_next,
                     uint32_t *again, uint32_t *met, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t fresh = (red_next[v] ? RED : 0u) | (green_next[v] ? GREEN : 0u);
  if (!fresh) return;
  uint32_t all = state[v] | fresh;
  state[v] = (uint8_t)all;
  frontier[v] = (uint8_t)fresh;
  red_next[v] = 0;
  green_next[v] = 0;
  *again = 1;
  if (all == BOTH) reduce_min(met, v);
}

// ---- the same in forms.cuh's forms ----

struct Visit : Steps {
  struct Edge {
    uint32_t to, state;
  };
  const uint32_t *__restrict__ edges;
  const uint8_t *__restrict__ state;
  uint8_t *red_next, *green_next;
  uint32_t *red_parent, *green_parent, v, mine;
  template <bool SURE> DEVICE_METHOD void head(bool wanted, uint32_t e, Edge &edge) const {
    edge.to = load<SURE>(wanted, edges + e, 0);
  }
  template <bool SURE> DEVICE_METHOD void tail(bool wanted, Edge &edge) const {
    edge.state = load<SURE>(wanted, state + edge.to, BOTH);
  }
  DEVICE_METHOD void use(uint32_t, const Edge &edge) const {
    uint32_t to = edge.to, fresh = mine & ~edge.state;
    if (fresh & RED) {
      red_next[to] = 1;
      red_parent[to] = v;
    }
    if (fresh & GREEN) {
      green_next[to] = 1;
      green_parent[to] = v;
    }
  }
};

#define STCON_PARAMS                                                                               \
  const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges,                       \
      const uint8_t *__restrict__ state, uint8_t *frontier, uint8_t *red_next,                     \
      uint8_t *green_next, uint32_t *red_parent, uint32_t *green_parent, uint32_t n
template <int FORM> DEVICE void stcon_walk(STCON_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t mine = frontier[v];
  if (!mine) return;
  frontier[v] = 0;
  Visit work = {{}, edges, state, red_next, green_next, red_parent, green_parent, v, mine};
  uint32_t end = vertices[v + 1];
  walk_list<FORM>(work, vertices[v], end);
}
IN_LOAD_FORMS(stcon_visit, stcon_walk, (STCON_PARAMS), vertices, edges, state, frontier, red_next,
              green_next, red_parent, green_parent, n)
