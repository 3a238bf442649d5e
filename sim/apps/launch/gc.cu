// Graph colouring by independent sets, as in Pannotia: a vertex whose number exceeds those of all
// its uncoloured neighbours takes the round's colour. As in Pannotia all neighbours are looked at,
// one after the other; in the form `far` four at
// once and past the L1, until one is larger.
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

// waiting: numbers, 0 of vertices with a colour; next: the same for the round after.
KERNEL gc_far(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
              const uint32_t *__restrict__ waiting, uint32_t *next, int32_t *colour, uint32_t *left,
              int32_t now, uint32_t n) {
  enum { AT_ONCE = 4 };
  uint32_t v = global_thread();
  if (v >= n) return;
  uint32_t mine = waiting[v], max = 0;
  if (!mine) {
    next[v] = 0;
    return;
  }
  uint32_t end = row[v + 1];
#pragma clang loop unroll(disable)
  for (uint32_t e = row[v]; e < end && max < mine; e += AT_ONCE) {
    uint32_t other[AT_ONCE];
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++) other[u] = load_if(e + u < end, col + e + u, 0);
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++)
      other[u] = load_far_if(e + u < end, waiting + other[u], 0);
#pragma unroll
    for (uint32_t u = 0; u < AT_ONCE; u++) max = other[u] > max ? other[u] : max;
  }
  if (max > mine)
    *left = 1;
  else
    colour[v] = now;
  next[v] = max > mine ? mine : 0;
}
