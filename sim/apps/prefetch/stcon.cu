// st-connectivity after Harish and Narayanan: breadth-first searches from both ends at once, a
// colour each, until a vertex has both.
#include "spref.cuh"

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
