// Weakly connected components by labels that spread, written as a user would, beside --app wcc:
// along out-edges and along in-edges.
#include "tests/apps/user/relax.cuh"

KERNEL uwcc(const uint32_t *row, const uint32_t *col, const uint32_t *in_row,
            const uint32_t *in_col, uint32_t *value, uint32_t *stamp, uint32_t *list0,
            uint32_t *list1, uint32_t *size, uint32_t *arrived, uint32_t n) {
  const Lists out = {row, col, nullptr}, in = {in_row, in_col, nullptr};
  const Work w = {value, stamp, {list0, list1}, size, arrived};
  for (uint32_t v = global_thread(); v < n; v += grid_dim_x() * THREADS) value[v] = list0[v] = v;
  if (global_thread() == 0) size[0] = n;
  all_blocks(arrived, 0);
  uint32_t round = 0;
  for (uint32_t listed; (listed = peek(size + round % ROUNDS)); round++) {
    const uint32_t *list = round & 1 ? list1 : list0;
    uint32_t *next = round & 1 ? list0 : list1, *next_size = size + (round + 1) % ROUNDS;
    if (global_thread() == 0) size[(round + 2) % ROUNDS] = 0;
    for (uint32_t first = block_x() * THREADS; first < listed; first += grid_dim_x() * THREADS) {
      bool here = first + thread_x() < listed;
      uint32_t v = fresh_if(here, list + first + thread_x(), 0);
      relax<false>(out, w, here, v, round, next, next_size);
      relax<false>(in, w, here, v, round, next, next_size);
    }
    all_blocks(arrived, round + 1);
  }
}
