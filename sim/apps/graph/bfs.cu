// Breadth-first search, plain forms.
#include "bfs.cuh"

template <bool TEST, int UNROLL> DEVICE void bfs_plain(BFS_PARAMS) {
  uint32_t v = global_thread();
  uint32_t word = take_word(active, v, n);
  if (!word) return;
  uint32_t start, count;
  if (!visit(v, word, out_row, level_of, changed, level, &start, &count)) return;
  set_list<TEST, UNROLL>(next, out_col, start, count);
}

#define VARIANT(UNROLL, NAME, TEST)                                                                \
  KERNEL bfs_u##UNROLL##_##NAME(BFS_PARAMS) {                                                      \
    bfs_plain<TEST, UNROLL>(n, out_row, out_col, level_of, active, next, changed, level);          \
  }
SCATTER_VARIANTS(VARIANT)
