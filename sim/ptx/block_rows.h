/* A row of the preload table: which range of one array a thread block reads, linear in blockIdx, or
 * which tile: several such ranges at one distance. */
#ifndef WF_PTX_BLOCK_ROWS_H
#define WF_PTX_BLOCK_ROWS_H

#include <stdint.h>

/* The thread block b = (blockIdx.x, .y, .z) reads the bytes from the first of the element
 *   base + element_bytes * (b . min + min_offset)   to the last of the element
 *   base + element_bytes * (b . max + max_offset).
 * and `more` further ranges like it, each `pitch` bytes behind the one before. Products and offsets
 * count elements and may be negative; sums are exact (they do not wrap). */
typedef struct wf_preload_row {
  uint64_t base;          /* device address of element 0 */
  uint32_t element_bytes; /* 1..255 */
  int32_t min[3], min_offset, max[3], max_offset;
  uint32_t pitch, more;
} wf_preload_row;

enum { WF_PRELOAD_ROWS = 64 }; /* of the table */

#endif
