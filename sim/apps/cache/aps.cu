// All pairs shortest paths by Floyd and Warshall, a launch per intermediate vertex.
#include "suite.cuh"

KERNEL aps_through(uint32_t *distance, uint32_t n, uint32_t k) {
  uint32_t to = global_x(), from = global_y();
  if (to >= n || from >= n) return;
  uint32_t through = distance[from * n + k] + distance[k * n + to];
  if (through < distance[from * n + to]) distance[from * n + to] = through;
}
