// Breadth-first search after Harish and Narayanan: a thread per vertex, Boolean masks. The first
// kernel walks the edges of the frontier, the second makes the next frontier.
#include "forms.cuh"

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

// ---- the same in forms.cuh's forms ----

struct Visit : Steps {
  struct Edge {
    uint32_t to, visited;
  };
  const uint32_t *__restrict__ edges;
  const uint8_t *__restrict__ visited;
  uint8_t *updating;
  uint32_t *cost, level;
  template <bool SURE> DEVICE_METHOD void head(bool wanted, uint32_t e, Edge &edge) const {
    edge.to = load<SURE>(wanted, edges + e, 0);
  }
  template <bool SURE> DEVICE_METHOD void tail(bool wanted, Edge &edge) const {
    edge.visited = load<SURE>(wanted, visited + edge.to, 1);
  }
  DEVICE_METHOD void use(uint32_t, const Edge &edge) const {
    uint32_t to = edge.to;
    if (!edge.visited) {
      cost[to] = level;
      updating[to] = 1;
    }
  }
};

#define HBFS_PARAMS                                                                                \
  const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges, uint8_t *mask,        \
      uint8_t *updating, const uint8_t *__restrict__ visited, uint32_t *cost, uint32_t n
template <int FORM> DEVICE void hbfs_visit(HBFS_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n || !mask[v]) return;
  mask[v] = 0;
  Visit work = {{}, edges, visited, updating, cost, cost[v] + 1};
  uint32_t end = vertices[v + 1];
  walk_list<FORM>(work, vertices[v], end);
}
IN_LOAD_FORMS(hbfs_kernel1, hbfs_visit, (HBFS_PARAMS), vertices, edges, mask, updating, visited,
              cost, n)
