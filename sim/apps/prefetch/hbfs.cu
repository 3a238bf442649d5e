// Breadth-first search after Harish and Narayanan: a thread per vertex, Boolean masks. The first
// kernel walks the edges of the frontier, the second makes the next frontier.
#include "spref.cuh"

KERNEL hbfs_kernel1(const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges,
                    uint8_t *mask, uint8_t *updating, const uint8_t *__restrict__ visited,
                    uint32_t *cost, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !mask[v]) return;
  mask[v] = 0;
  uint32_t end = vertices[v + 1];
#pragma clang loop unroll(disable)
  for (uint32_t e = vertices[v]; e < end; e++) {
    uint32_t to = edges[e];
    if (!visited[to]) {
      cost[to] = cost[v] + 1;
      updating[to] = 1;
    }
  }
}

KERNEL hbfs_kernel2(uint8_t *mask, uint8_t *updating, uint8_t *visited, uint32_t *again,
                    uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !updating[v]) return;
  mask[v] = 1;
  visited[v] = 1;
  updating[v] = 0;
  *again = 1;
}
