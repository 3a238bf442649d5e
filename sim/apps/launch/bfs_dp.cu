// Breadth-first search over a queue of the frontier: a thread takes a vertex and expands its edges,
// itself or by a child with a thread per edge.
#include "persist.cuh"

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
DEVICE void bfs_dp_expand(bfs_dp_graph g, const uint32_t *frontier, uint32_t size, uint32_t level,
                          uint32_t block) {
  uint32_t i = global_thread();
  if (i >= size) return;
  uint32_t v = frontier[i], first = g.row[v], n = g.row[v + 1] - first;
  const bfs_dp_args args = {g, first, n, level};
  if (LAUNCH(FORM, bfs_dp_child, args, n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t e = first; e < first + n; e++) visit(g, g.col[e], level);
}

IN_THREE_FORMS(bfs_dp_expand,
               (bfs_dp_graph g, const uint32_t *frontier, uint32_t size, uint32_t level,
                uint32_t block),
               g, frontier, size, level, block)

DEVICE uint32_t from_lane(uint32_t value, uint32_t lane) {
  uint32_t out;
  asm volatile("shfl.idx.b32 %0, %1, %2, 31;" : "=r"(out) : "r"(value), "r"(lane));
  return out;
}

// The stronger flat form: vertices of WORTH edges or more are expanded by their warp, one after the
// other.
KERNEL bfs_dp_expand_warp(bfs_dp_graph g, const uint32_t *frontier, uint32_t size, uint32_t level,
                          uint32_t block) {
  uint32_t i = global_thread(), first = 0, n = 0;
  if (i < size) {
    uint32_t v = frontier[i];
    first = g.row[v];
    n = g.row[v + 1] - first;
  }
  uint32_t large = warp_ballot(n >= WORTH);
#pragma clang loop unroll(disable)
  while (large) {
    uint32_t owner = (uint32_t)__builtin_ctz(large), start = from_lane(first, owner),
             count = from_lane(n, owner);
#pragma clang loop unroll(disable)
    for (uint32_t e = lane_id(); e < count; e += WARP_LANES) visit(g, g.col[start + e], level);
    large &= large - 1;
  }
  if (n >= WORTH) return;
#pragma clang loop unroll(disable)
  for (uint32_t e = first; e < first + n; e++) visit(g, g.col[e], level);
}

// ---- the best forms (share.cuh) ----

struct EdgesOf {
  uint32_t first, n;
};

struct Visit : WithoutSum {
  enum { AT_ONCE = IN_FLIGHT };
  typedef EdgesOf List;
  bfs_dp_graph g;
  uint32_t level;
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], NoSum (&)[U]) const {
    uint32_t v[U], seen[U], at[U];
    bool found[U];
#pragma unroll
    for (int u = 0; u < U; u++) v[u] = load_if(i[u] < l[u].n, g.col + l[u].first + i[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++) seen[u] = load_far_if(i[u] < l[u].n, g.level + v[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++)
      seen[u] = atomic_cas_if(seen[u] == 0xffffffffu, g.level + v[u], 0xffffffffu, level, 0);
#pragma unroll
    for (int u = 0; u < U; u++) found[u] = seen[u] == 0xffffffffu;
    append(g.next_size, found, at);
#pragma unroll
    for (int u = 0; u < U; u++)
      if (found[u]) g.next[at[u]] = v[u];
  }
};

#define BFS_DP_PARAMS                                                                              \
  bfs_dp_graph g, const uint32_t *frontier, uint32_t size, uint32_t level, uint32_t block

DEVICE Visit bfs_dp_expand_work(BFS_DP_PARAMS) {
  return {{}, g, level};
}
DEVICE EdgesOf bfs_dp_expand_list(uint32_t i, BFS_DP_PARAMS) {
  if (i >= size) return {0, 0};
  uint32_t v = frontier[i], first = g.row[v];
  return {first, g.row[v + 1] - first};
}
IN_BEST_FORMS(bfs_dp_expand, Visit, (BFS_DP_PARAMS), g, frontier, size, level, block)
IN_PERSISTENT_FORM(bfs_dp_expand, (BFS_DP_PARAMS), g, frontier, size, level, block)
