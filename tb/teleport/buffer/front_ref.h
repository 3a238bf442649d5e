/* Reference model of what teleport_buffer has before its requests: ranges that wait, the tile that
 * is cut into lines, the line that is walked block by block; with the edge at which each moves. */
#ifndef BUFFER_FRONT_REF_H
#define BUFFER_FRONT_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { FRONT_RANGES = 64 };

typedef struct front_shape {
  unsigned block_bits, line_shift, pitch_bits, height_bits, cap_bits, ranges;
} front_shape;

typedef struct front_levels {
  uint64_t bound_lo, bound_hi; /* blocks, both included */
  uint32_t cap;                /* requests of a thread block */
} front_levels;

/* From the controller. */
typedef struct front_range {
  uint32_t slot;
  bool last, none; /* none: the rest is not looked at */
  int64_t low, high;
  uint64_t pitch;
  uint32_t lines; /* less one */
} front_range;

typedef struct front_request {
  uint32_t slot;
  bool last; /* no block: the thread block has no more */
  uint64_t block;
} front_request;

typedef struct front_line {
  uint32_t slot;
  bool empty, end; /* end: of the thread block */
  bool outside, clipped;
  uint64_t first, last;
} front_line;

typedef struct front_counts {
  uint64_t ranges, outside, clipped, cut;
} front_counts;

typedef struct front_ref {
  front_shape shape;
  front_levels levels;
  front_range queue[FRONT_RANGES];
  unsigned n;
  bool head; /* queue[0] is offered */
  bool has_tile, walks, has_request;
  front_range tile;
  unsigned at_line;
  front_line lines[2], walk; /* cut, the oldest first; walk.empty: it has no blocks left */
  unsigned n_lines;
  bool first_item;       /* the next line is the first of its thread block */
  uint32_t left;         /* requests that the thread block still has */
  front_request request; /* offered */
  front_counts counts;   /* of the last edge */
} front_ref;

void front_ref_reset(front_ref *f, const front_shape *shape);
bool front_ref_ready(const front_ref *f);
bool front_ref_busy(const front_ref *f);
/* A line of a range, cut at the bounds. */
front_line front_ref_line(const front_ref *f, const front_range *range, unsigned line);
/* One edge: what is taken (NULL: nothing), and whether the request that is offered goes. */
void front_ref_step(front_ref *f, const front_range *taken, bool goes);

#endif
