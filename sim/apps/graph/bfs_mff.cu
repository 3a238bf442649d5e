// Breadth-first search with the mff unit.
#include "bfs.cuh"
#include "mff.cuh"

KERNEL bfs_mff(BFS_PARAMS) {
  uint32_t v = global_thread();
  uint32_t word = take_word(active, v, n);
  if (!word) return;
  uint32_t start, count;
  visit(v, word, out_row, level_of, changed, level, &start, &count);
  mff_scatter_list(start, count);
}
