/* Reference model of teleport_controller, from equations 7.2 and 7.3: what is asked for, not when. */
#ifndef TPC_REF_H
#define TPC_REF_H

#include <stdbool.h>
#include <stdint.h>

enum { TPC_MAX_ROWS = 1024 };

typedef struct tpc_shape {
  unsigned rows, sms, slots, addr_bits, block_shift, size_bits, prod_bits, idx_bits, cap_bits;
} tpc_shape;

/* An end of a range: base + size * (x * bx + y * by + z * bz + offset). */
typedef struct tpc_end {
  int64_t x, y, z, offset;
} tpc_end;

typedef struct tpc_row {
  uint64_t base;
  uint32_t size;
  tpc_end lo, hi;
} tpc_row;

typedef struct tpc_set {
  bool flush;
  tpc_row row;
} tpc_set;

typedef struct tpc_tb {
  uint32_t sm, slot;
  uint64_t x, y, z;
} tpc_tb;

typedef struct tpc_levels {
  uint64_t bound_lo, bound_hi; /* blocks, both included */
  uint32_t cap;                /* requests per thread block */
  bool open_end;
} tpc_levels;

typedef struct tpc_request {
  uint32_t sm, slot;
  bool last;
  uint64_t block;
} tpc_request;

#define TPC_COUNTERS(X) \
  X(sets) X(flushes) X(sets_dropped) X(tbs) X(requests) X(rows) X(rows_empty) X(rows_clipped) X(rows_cut) X(stalls)
typedef enum tpc_counter {
#define X(name) TPC_CNT_##name,
  TPC_COUNTERS(X)
#undef X
  TPC_CNT_COUNT
} tpc_counter;

typedef struct tpc_range {
  bool inverted, outside, clip_lo, clip_hi; /* inverted or outside: empty */
  uint64_t first, last;                     /* blocks */
} tpc_range;

typedef struct tpc_ref {
  tpc_shape shape;
  tpc_levels levels;
  tpc_row row[TPC_MAX_ROWS];
  unsigned n_rows;
  uint64_t counter[TPC_CNT_COUNT];
} tpc_ref;

typedef void (*tpc_sink)(void *context, const tpc_request *request);

void tpc_ref_reset(tpc_ref *r, const tpc_shape *shape);
void tpc_ref_set(tpc_ref *r, const tpc_set *set);
/* The blocks that a row covers for a thread block. */
tpc_range tpc_ref_range(const tpc_ref *r, const tpc_row *row, const tpc_tb *tb);
/* All requests of a thread block in order, its marker included. */
void tpc_ref_dispatch(tpc_ref *r, const tpc_tb *tb, tpc_sink sink, void *context);

#endif
