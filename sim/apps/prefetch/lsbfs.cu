// Breadth-first search as in LonestarGPU 0.9: shortest paths over edges of length 1.
#include "lsrelax.cuh"

KERNEL lsbfs_drelax(const uint32_t *__restrict__ row, const uint32_t *__restrict__ degree,
                    const uint32_t *__restrict__ col, uint32_t *distance, uint32_t *changed,
                    uint32_t n) {
  relax<false>(row, degree, col, nullptr, distance, changed, n);
}
