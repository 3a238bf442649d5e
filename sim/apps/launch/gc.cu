// Graph colouring by independent sets, as in Pannotia: a vertex whose number exceeds those of all
// its uncoloured neighbours takes the round's colour.
#include "suite.cuh"

KERNEL gc_find_max(const uint32_t *row, const uint32_t *col, const uint32_t *number,
                   const int32_t *colour, uint32_t *left, uint32_t *largest, uint32_t n) {
  uint32_t v = global_thread();
  if (v >= n || colour[v] != -1) return;
  uint32_t max = 0, end = row[v + 1];
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < end; e++) {
    uint32_t w = col[e];
    if (colour[w] == -1) {
      *left = 1;
      uint32_t other = number[w];
      if (other > max) max = other;
    }
  }
  largest[v] = max;
}

KERNEL gc_take(const uint32_t *number, int32_t *colour, const uint32_t *largest, int32_t now,
               uint32_t n) {
  uint32_t v = global_thread();
  if (v < n && colour[v] == -1 && number[v] > largest[v]) colour[v] = now;
}
