// Breadth-first search as in Rodinia: a byte per vertex says that it is in the frontier; its thread
// walks its edges. A second kernel makes the next frontier.
#include "suite.cuh"

struct node {
  int32_t starting, no_of_edges;
};

KERNEL bfs_rodinia_visit(const node *nodes, const int32_t *edges, uint8_t *mask, uint8_t *updating,
                         const uint8_t *visited, int32_t *cost, int32_t n) {
  int32_t tid = (int32_t)global_thread();
  if (tid >= n || !mask[tid]) return;
  mask[tid] = 0;
#pragma clang loop unroll(disable)
  for (int32_t i = nodes[tid].starting; i < nodes[tid].no_of_edges + nodes[tid].starting; i++) {
    int32_t id = edges[i];
    if (!visited[id]) {
      cost[id] = cost[tid] + 1;
      updating[id] = 1;
    }
  }
}

KERNEL bfs_rodinia_update(uint8_t *mask, uint8_t *updating, uint8_t *visited, uint32_t *over,
                          int32_t n) {
  int32_t tid = (int32_t)global_thread();
  if (tid >= n || !updating[tid]) return;
  mask[tid] = 1;
  visited[tid] = 1;
  *over = 1;
  updating[tid] = 0;
}
