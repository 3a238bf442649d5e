// Single-source shortest paths after Harish and Narayanan: vertices whose cost fell push along
// their edges into a second array of costs, by atomic minima; the second kernel takes what is
// better there.
#include "spref.cuh"

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
