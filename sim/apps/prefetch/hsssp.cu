// Single-source shortest paths after Harish and Narayanan: vertices whose cost fell push along
// their edges into a second array of costs, by atomic minima; the second kernel takes what is
// better there.
#include "forms.cuh"

KERNEL hsssp_kernel1(const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges,
                     const uint32_t *__restrict__ weights, uint8_t *mask,
                     const uint32_t *__restrict__ cost, uint32_t *updating_cost, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || !mask[v]) return;
  mask[v] = 0;
  uint32_t end = vertices[v + 1];
#pragma clang loop unroll(disable)
  for (uint32_t e = vertices[v]; e < end; e++)
    reduce_min(&updating_cost[edges[e]], cost[v] + weights[e]);
}

KERNEL hsssp_kernel2(uint8_t *mask, uint32_t *cost, uint32_t *updating_cost, uint32_t *again,
                     uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t now = cost[v], better = updating_cost[v];
  if (better < now) {
    cost[v] = better;
    mask[v] = 1;
    *again = 1;
  }
}

// ---- the same in forms.cuh's forms ----

struct Offer : Steps {
  struct Edge {
    uint32_t to, weight;
  };
  const uint32_t *__restrict__ edges, *__restrict__ weights, *__restrict__ cost;
  uint32_t *updating_cost, v;
  template <bool SURE> DEVICE_METHOD void head(bool wanted, uint32_t e, Edge &edge) const {
    edge.weight = load<SURE>(wanted, weights + e, 0);
    edge.to = load<SURE>(wanted, edges + e, 0);
  }
  DEVICE_METHOD void use(uint32_t, const Edge &edge) const {
    reduce_min(&updating_cost[edge.to], cost[v] + edge.weight);
  }
};

#define HSSSP_PARAMS                                                                               \
  const uint32_t *__restrict__ vertices, const uint32_t *__restrict__ edges,                       \
      const uint32_t *__restrict__ weights, uint8_t *mask, const uint32_t *__restrict__ cost,      \
      uint32_t *updating_cost, uint32_t n
template <int FORM> DEVICE void hsssp_offer(HSSSP_PARAMS) {
  uint32_t v = global_thread();
  if (v >= n || !mask[v]) return;
  mask[v] = 0;
  Offer work = {{}, edges, weights, cost, updating_cost, v};
  uint32_t end = vertices[v + 1];
  walk_list<FORM>(work, vertices[v], end);
}
IN_LOAD_FORMS(hsssp_kernel1, hsssp_offer, (HSSSP_PARAMS), vertices, edges, weights, mask, cost,
              updating_cost, n)
