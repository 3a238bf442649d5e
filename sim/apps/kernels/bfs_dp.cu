// Breadth-first search over a queue of the frontier: a thread takes a vertex and expands its edges, itself or by a
// child with a thread per edge.
#include "launch.cuh"

struct bfs_dp_graph {
  const uint32_t *row, *col;
  uint32_t *level, *next, *next_size;
};

DEVICE void visit(const bfs_dp_graph &g, uint32_t v, uint32_t level) {
  if (g.level[v] == 0xffffffffu && atomic_cas(&g.level[v], 0xffffffffu, level) == 0xffffffffu)
    g.next[atomic_add(g.next_size, 1)] = v;
}

struct bfs_dp_args {
  bfs_dp_graph g;
  uint32_t first, n, level;
};

KERNEL bfs_dp_child(bfs_dp_graph g, uint32_t first, uint32_t n, uint32_t level) {
  uint32_t i = global_thread();
  if (i < n) visit(g, g.col[first + i], level);
}

template <int FORM>
DEVICE void bfs_dp_expand(bfs_dp_graph g, const uint32_t *frontier, uint32_t size, uint32_t level, uint32_t block) {
  uint32_t i = global_thread();
  if (i >= size) return;
  uint32_t v = frontier[i], first = g.row[v], n = g.row[v + 1] - first;
  const bfs_dp_args args = {g, first, n, level};
  if (LAUNCH(FORM, bfs_dp_child, args, n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t e = first; e < first + n; e++) visit(g, g.col[e], level);
}

IN_THREE_FORMS(bfs_dp_expand,
               (bfs_dp_graph g, const uint32_t *frontier, uint32_t size, uint32_t level, uint32_t block),
               g, frontier, size, level, block)
