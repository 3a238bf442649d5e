// Shortest paths, written as a user would, beside --app sssp.
#include "tests/apps/user/relax.cuh"

KERNEL usssp(const uint32_t *row, const uint32_t *col, const uint32_t *weight, uint32_t *value,
             uint32_t *stamp, uint32_t *list0, uint32_t *list1, uint32_t *size, uint32_t *arrived,
             uint32_t source, uint32_t n) {
  const Lists g = {row, col, weight};
  const Work w = {value, stamp, {list0, list1}, size, arrived};
  for (uint32_t v = global_thread(); v < n; v += grid_dim_x() * THREADS)
    value[v] = v == source ? 0 : ~0u;
  if (global_thread() == 0) {
    list0[0] = source;
    size[0] = 1;
  }
  all_blocks(arrived, 0);
  uint32_t round = 0;
  for (uint32_t listed; (listed = peek(size + round % ROUNDS)); round++) {
    const uint32_t *list = round & 1 ? list1 : list0;
    if (global_thread() == 0) size[(round + 2) % ROUNDS] = 0;
    for (uint32_t first = block_x() * THREADS; first < listed; first += grid_dim_x() * THREADS) {
      bool here = first + thread_x() < listed;
      uint32_t v = fresh_if(here, list + first + thread_x(), 0);
      relax<true>(g, w, here, v, round, round & 1 ? list0 : list1, size + (round + 1) % ROUNDS);
    }
    all_blocks(arrived, round + 1);
  }
}
