// sum[v] = the sum of value[col[e]] over v's edges e: what a list of indices leads to. With
// --unit mff the unit walks the lists; C is col then, V is value. rtl/mff_unit/README.md runs it.
#include "mff.cuh"

KERNEL gather(uint32_t *sum, const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
              const uint32_t *__restrict__ value, uint32_t n) {
  uint32_t v = global_thread(), first = 0, count = 0, total = 0;
  if (v < n) {
    first = row[v];
    count = row[v + 1] - first;
  }
#ifdef WARPFAB_UNIT_mff
  mff_gather_list(first, count, [&](const uint32_t *word, uint32_t, int size, bool) {
    for (int j = 0; j < size && j < MFF_GROUP; j++) total += word[j];
  });
#else
  for (uint32_t e = first; e < first + count; e++) total += value[col[e]];
#endif
  if (v < n) sum[v] = total;
}
