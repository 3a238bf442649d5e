// Breadth-first search, a level a launch.
#include "device.cuh"
struct node {
  int first, count;
};
KERNEL bfs_level(const node *nodes, const int *edges, bool *mask, bool *next, const bool *seen,
                 int *cost, int n) {
  const int v = (int)global_x();
  if (v >= n || !mask[v]) return;
  mask[v] = false;
  for (int e = nodes[v].first; e < nodes[v].first + nodes[v].count; e++) {
    const int to = edges[e];
    if (seen[to]) continue;
    cost[to] = cost[v] + 1;
    next[to] = true;
  }
}
KERNEL bfs_swap(bool *mask, bool *next, bool *seen, bool *over, int n) {
  const int v = (int)global_x();
  if (v >= n || !next[v]) return;
  mask[v] = seen[v] = true;
  *over = true;
  next[v] = false;
}
