// Shortest paths over a queue of the vertices whose distance fell: a thread takes one and relaxes
// its edges, itself or by a child with a thread per edge.
#include "launch.cuh"

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
