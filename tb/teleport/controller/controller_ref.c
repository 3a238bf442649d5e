#include "tb/teleport/controller/controller_ref.h"

#include <string.h>

__extension__ typedef __int128 wide;

void controller_ref_reset(controller_ref *r, const controller_shape *shape) {
  const bool open_end = r->open_end;
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->open_end = open_end;
}

void controller_ref_set(controller_ref *r, const controller_set *set) {
  if (set->flush) {
    r->n_rows = 0;
    r->counter[CONTROLLER_CNT_flushes]++;
  } else if (r->n_rows == r->shape.rows) {
    r->counter[CONTROLLER_CNT_sets_dropped]++;
  } else {
    r->row[r->n_rows++] = set->row;
    r->counter[CONTROLLER_CNT_sets]++;
  }
}

static wide address(const controller_row *row, const controller_end *end, const controller_tb *tb) {
  wide index = (wide)end->x * (wide)tb->x + (wide)end->y * (wide)tb->y +
               (wide)end->z * (wide)tb->z + end->offset;
  return (wide)row->base + (wide)row->size * index;
}

static int64_t within(wide value, wide least, wide most) {
  return (int64_t)(value < least ? least : value > most ? most : value);
}

controller_range controller_ref_range(const controller_ref *r, const controller_row *row,
                                      const controller_tb *tb) {
  const wide low = address(row, &row->lo, tb),
             high = address(row, &row->hi, tb) - r->open_end, /* the last byte */
      most = ((wide)1 << r->shape.addr_bits) - 1, least = -most - 1;
  return (controller_range){.inverted = high<low, .outside = low> most || high < least,
                            .far_lo = low<least, .far_hi = high> most,
                            .low = within(low, least, most),
                            .high = within(high, least, most)};
}

void controller_ref_dispatch(controller_ref *r, const controller_tb *tb, controller_sink sink,
                             void *context) {
  r->counter[CONTROLLER_CNT_tbs]++;
  controller_request q = {.sm = tb->sm, .slot = tb->slot, .last = true, .none = true};
  for (unsigned i = 0; i < r->n_rows; i++) {
    const controller_row *row = &r->row[i];
    const controller_range range = controller_ref_range(r, row, tb);
    q.last = i + 1 == r->n_rows;
    q.none = range.inverted || range.outside;
    q.low = range.low;
    q.high = range.high;
    q.pitch = row->pitch;
    q.lines = row->lines;
    r->counter[CONTROLLER_CNT_rows]++;
    r->counter[CONTROLLER_CNT_rows_empty] += q.none;
    r->counter[CONTROLLER_CNT_ranges_sent] += !q.none;
    if (q.last || !q.none) sink(context, &q);
  }
  if (!r->n_rows) sink(context, &q);
}
