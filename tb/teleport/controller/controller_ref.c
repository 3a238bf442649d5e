#include "tb/teleport/controller/controller_ref.h"

#include <string.h>

__extension__ typedef __int128 wide;

void controller_ref_reset(controller_ref *r, const controller_shape *shape) {
  controller_levels levels = r->levels;
  memset(r, 0, sizeof *r);
  r->shape = *shape;
  r->levels = levels;
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

/* Rounds towards minus infinity. */
static wide block_of(wide byte, unsigned shift) {
  wide size = (wide)1 << shift;
  return byte >= 0 ? byte / size : -((-byte + size - 1) / size);
}

controller_range controller_ref_range(const controller_ref *r, const controller_row *row,
                                      const controller_tb *tb) {
  const controller_levels *l = &r->levels;
  wide low = address(row, &row->lo, tb),
       high = address(row, &row->hi, tb) - l->open_end; /* the last byte */
  wide first = block_of(low, r->shape.block_shift), last = block_of(high, r->shape.block_shift);
  wide bound_lo = (wide)l->bound_lo, bound_hi = (wide)l->bound_hi;
  controller_range range = {.inverted = high<low, .outside = first> bound_hi || last < bound_lo ||
                                        bound_lo > bound_hi,
                            .clip_lo = first<bound_lo, .clip_hi = last> bound_hi};
  if (range.inverted || range.outside) return range;
  range.first = (uint64_t)(range.clip_lo ? bound_lo : first);
  range.last = (uint64_t)(range.clip_hi ? bound_hi : last);
  return range;
}

void controller_ref_dispatch(controller_ref *r, const controller_tb *tb, controller_sink sink,
                             void *context) {
  uint32_t left = r->levels.cap;
  r->counter[CONTROLLER_CNT_tbs]++;
  for (unsigned i = 0; i < r->n_rows; i++) {
    controller_range range = controller_ref_range(r, &r->row[i], tb);
    r->counter[CONTROLLER_CNT_rows]++;
    if (range.inverted || range.outside) {
      r->counter[CONTROLLER_CNT_rows_empty]++;
      continue;
    }
    r->counter[CONTROLLER_CNT_rows_clipped] += range.clip_lo || range.clip_hi;
    uint64_t n = range.last - range.first;
    bool cut = left == 0 || n > left - 1;
    r->counter[CONTROLLER_CNT_rows_cut] += cut;
    uint64_t count = cut ? left : n + 1;
    for (uint64_t k = 0; k < count; k++)
      sink(context, &(controller_request){tb->sm, tb->slot, false, range.first + k});
    r->counter[CONTROLLER_CNT_requests] += count;
    left -= (uint32_t)count;
  }
  sink(context, &(controller_request){tb->sm, tb->slot, true, 0});
}
