/* Reference model of teleport_controller, from equations 7.2 and 7.3: what is asked for, not when.
 */
#ifndef CONTROLLER_REF_H
#define CONTROLLER_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { CONTROLLER_MAX_ROWS = 1024 };

typedef struct controller_shape {
  unsigned rows, sms, slots, addr_bits, size_bits, prod_bits, idx_bits, pitch_bits, height_bits;
} controller_shape;

/* An end of a range: base + size * (x * bx + y * by + z * bz + offset). */
typedef struct controller_end {
  int64_t x, y, z, offset;
} controller_end;

typedef struct controller_row {
  uint64_t base;
  uint32_t size;
  controller_end lo, hi;
  uint64_t pitch;
  uint32_t lines; /* less one */
} controller_row;

typedef struct controller_set {
  bool flush;
  controller_row row;
} controller_set;

typedef struct controller_tb {
  uint32_t sm, slot;
  uint64_t x, y, z;
} controller_tb;

/* A range of bytes, and more like it. */
typedef struct controller_request {
  uint32_t sm, slot;
  bool last, none; /* none: the rest is not looked at */
  int64_t low, high;
  uint64_t pitch;
  uint32_t lines;
} controller_request;

#define CONTROLLER_COUNTERS(X)                                                                     \
  X(sets), X(flushes), X(sets_dropped), X(tbs), X(ranges_sent), X(rows), X(rows_empty), X(stalls)
#define CONTROLLER_CNT_(name) CONTROLLER_CNT_##name
typedef enum controller_counter {
  CONTROLLER_COUNTERS(CONTROLLER_CNT_),
  CONTROLLER_CNT_COUNT
} controller_counter;

typedef struct controller_range {
  bool inverted, outside, far_lo, far_hi; /* inverted or outside: empty; far: an end is further
                                             away than can be told */
  int64_t low, high;                      /* bytes, both included */
} controller_range;

typedef struct controller_ref {
  controller_shape shape;
  bool open_end; /* level */
  controller_row row[CONTROLLER_MAX_ROWS];
  unsigned n_rows;
  uint64_t counter[CONTROLLER_CNT_COUNT];
} controller_ref;

typedef void (*controller_sink)(void *context, const controller_request *request);

void controller_ref_reset(controller_ref *r, const controller_shape *shape);
void controller_ref_set(controller_ref *r, const controller_set *set);
/* The bytes that a row covers for a thread block, those of its first line. */
controller_range controller_ref_range(const controller_ref *r, const controller_row *row,
                                      const controller_tb *tb);
/* All ranges of a thread block in order: those of rows that are not empty, and one that is nothing
 * if the last row is. */
void controller_ref_dispatch(controller_ref *r, const controller_tb *tb, controller_sink sink,
                             void *context);

#endif
