#include "sim/trace/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

void wf_blocks_start(wf_blocks *b, const uint32_t grid[3]) {
  wf_blocks_free(b);
  memcpy(b->grid, grid, sizeof b->grid);
  b->total = (uint64_t)grid[0] * grid[1] * grid[2];
  b->seen = wf_calloc(b->total / 64 + 1, sizeof *b->seen);
}

void wf_blocks_free(wf_blocks *b) {
  free(b->seen);
  *b = (wf_blocks){0};
}

uint64_t wf_blocks_number(const wf_blocks *b, const uint32_t c[3]) {
  return ((uint64_t)c[2] * b->grid[1] + c[1]) * b->grid[0] + c[0];
}

bool wf_blocks_inside(const wf_blocks *b, const uint32_t c[3]) {
  return c[0] < b->grid[0] && c[1] < b->grid[1] && c[2] < b->grid[2];
}

bool wf_blocks_see(wf_blocks *b, const uint32_t c[3]) {
  const uint64_t n = wf_blocks_number(b, c), bit = (uint64_t)1 << n % 64;
  if (b->seen[n / 64] & bit) return false;
  b->seen[n / 64] |= bit;
  b->count++;
  return true;
}
