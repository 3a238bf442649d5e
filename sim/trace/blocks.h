/* Internal to sim/trace: which thread blocks of a grid were seen. */
#ifndef WF_TRACE_BLOCKS_H
#define WF_TRACE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct wf_blocks {
  uint64_t *seen; /* a bit each */
  uint64_t total, count;
  uint32_t grid[3];
} wf_blocks;

/* The grid has 1 .. 2^32 blocks. */
void wf_blocks_start(wf_blocks *b, const uint32_t grid[3]);
void wf_blocks_free(wf_blocks *b);
/* Number of a block that lies in the grid. */
uint64_t wf_blocks_number(const wf_blocks *b, const uint32_t block[3]);
bool wf_blocks_inside(const wf_blocks *b, const uint32_t block[3]);
bool wf_blocks_see(wf_blocks *b, const uint32_t block[3]); /* false: it was seen before */

#endif
