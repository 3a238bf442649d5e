// Connected component labelling of an image by label equivalence (Hawick and others): a scan looks at
// the four neighbours, an analysis follows the table of equivalences, a third kernel relabels.
#include "suite.cuh"

DEVICE uint32_t better(const uint8_t *__restrict__ image, const uint32_t *labels, uint32_t colour,
                       uint32_t at, uint32_t least) {
  if (image[at] == colour && labels[at] < least) return labels[at];
  return least;
}

KERNEL ccl_scan(const uint8_t *__restrict__ image, const uint32_t *labels, uint32_t *table,
                uint32_t *changed, uint32_t width, uint32_t n) {
  uint32_t id = global_thread();
  if (id >= n) return;
  uint32_t colour = image[id], label = labels[id], least = label, column = id % width;
  if (id >= width) least = better(image, labels, colour, id - width, least);
  if (id + width < n) least = better(image, labels, colour, id + width, least);
  if (column > 0) least = better(image, labels, colour, id - 1, least);
  if (column + 1 < width) least = better(image, labels, colour, id + 1, least);
  if (least < label) {
    atomic_min(&table[label], least);
    *changed = 1;
  }
}

KERNEL ccl_analyse(const uint32_t *labels, uint32_t *table, uint32_t n) {
  uint32_t id = global_thread();
  if (id >= n || labels[id] != id) return;
  uint32_t label = id, next = table[label];
#pragma clang loop unroll(disable)
  while (next != label) {
    label = next;
    next = table[label];
  }
  table[id] = label;
}

KERNEL ccl_label(uint32_t *labels, const uint32_t *table, uint32_t n) {
  uint32_t id = global_thread();
  if (id < n) labels[id] = table[table[labels[id]]];
}
