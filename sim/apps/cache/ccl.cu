// Connected components by hooking and pointer jumping (Soman and others): a thread per edge hangs
// the larger of its ends' roots under the smaller, then every vertex goes up to its root.
#include "suite.cuh"

KERNEL ccl_hook(const uint32_t *__restrict__ from, const uint32_t *__restrict__ to,
                uint32_t *parent, uint32_t *changed, uint32_t n_edges) {
  uint32_t e = global_thread();
  if (e >= n_edges) return;
  uint32_t a = parent[from[e]], b = parent[to[e]];
  if (a == b) return;
  atomic_min(&parent[a > b ? a : b], a > b ? b : a);
  *changed = 1;
}

KERNEL ccl_jump(uint32_t *parent, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t up = parent[v], next = parent[up];
#pragma clang loop unroll(disable)
  while (next != up) {
    up = next;
    next = parent[up];
  }
  parent[v] = up;
}
