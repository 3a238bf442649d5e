// Shortest paths over a queue of the vertices whose distance fell: a thread takes one and relaxes
// its edges, itself or by a child with a thread per edge.
#include "persist.cuh"

struct sssp_dp_graph {
  const uint32_t *row, *col, *weight;
  uint32_t *distance, *queued, *next, *next_size;
};

// queued[v]: the last round for which v was put into the queue.
DEVICE void relax(const sssp_dp_graph &g, uint32_t e, uint32_t distance, uint32_t round) {
  uint32_t to = g.col[e], through = distance + g.weight[e];
  if (through >= g.distance[to] || through >= atomic_min(&g.distance[to], through)) return;
  if (g.queued[to] != round && atomic_max(&g.queued[to], round) < round)
    g.next[atomic_add(g.next_size, 1)] = to;
}

struct sssp_dp_args {
  sssp_dp_graph g;
  uint32_t first, n, distance, round;
};

KERNEL sssp_dp_child(sssp_dp_graph g, uint32_t first, uint32_t n, uint32_t distance,
                     uint32_t round) {
  uint32_t i = global_thread();
  if (i < n) relax(g, first + i, distance, round);
}

template <int FORM>
DEVICE void sssp_dp_relax(sssp_dp_graph g, const uint32_t *queue, uint32_t size, uint32_t round,
                          uint32_t block) {
  uint32_t i = global_thread();
  if (i >= size) return;
  uint32_t v = queue[i], first = g.row[v], n = g.row[v + 1] - first, distance = g.distance[v];
  const sssp_dp_args args = {g, first, n, distance, round};
  if (LAUNCH(FORM, sssp_dp_child, args, n, block)) return;
#pragma clang loop unroll(disable)
  for (uint32_t e = first; e < first + n; e++) relax(g, e, distance, round);
}

IN_THREE_FORMS(sssp_dp_relax,
               (sssp_dp_graph g, const uint32_t *queue, uint32_t size, uint32_t round,
                uint32_t block),
               g, queue, size, round, block)

// ---- the best forms (share.cuh) ----

struct EdgesOf {
  uint32_t first, n, distance; // of the vertex
};

struct Relax : WithoutSum {
  enum { AT_ONCE = IN_FLIGHT };
  typedef EdgesOf List;
  sssp_dp_graph g;
  uint32_t round;
  template <int U>
  DEVICE_METHOD void items(const List (&l)[U], const uint32_t (&i)[U], NoSum (&)[U]) const {
    uint32_t to[U], through[U], old[U], at[U];
    bool wanted[U];
#pragma unroll
    for (int u = 0; u < U; u++) {
      wanted[u] = i[u] < l[u].n;
      to[u] = load_if(wanted[u], g.col + l[u].first + i[u], 0);
      through[u] = l[u].distance + load_if(wanted[u], g.weight + l[u].first + i[u], 0);
    }
#pragma unroll
    for (int u = 0; u < U; u++) old[u] = load_far_if(wanted[u], g.distance + to[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++)
      old[u] = atomic_min_if(through[u] < old[u], g.distance + to[u], through[u], 0);
#pragma unroll
    for (int u = 0; u < U; u++) wanted[u] = through[u] < old[u];
#pragma unroll
    for (int u = 0; u < U; u++) old[u] = atomic_max_if(wanted[u], g.queued + to[u], round, ~0u);
#pragma unroll
    for (int u = 0; u < U; u++) wanted[u] = old[u] < round;
    append(g.next_size, wanted, at);
#pragma unroll
    for (int u = 0; u < U; u++)
      if (wanted[u]) g.next[at[u]] = to[u];
  }
};

#define SSSP_DP_PARAMS                                                                             \
  sssp_dp_graph g, const uint32_t *queue, uint32_t size, uint32_t round, uint32_t block

DEVICE Relax sssp_dp_relax_work(SSSP_DP_PARAMS) {
  return {{}, g, round};
}
DEVICE EdgesOf sssp_dp_relax_list(uint32_t i, SSSP_DP_PARAMS) {
  if (i >= size) return {0, 0, 0};
  uint32_t v = queue[i], first = g.row[v];
  return {first, g.row[v + 1] - first, g.distance[v]};
}
IN_BEST_FORMS(sssp_dp_relax, Relax, (SSSP_DP_PARAMS), g, queue, size, round, block)
IN_PERSISTENT_FORM(sssp_dp_relax, (SSSP_DP_PARAMS), g, queue, size, round, block)
