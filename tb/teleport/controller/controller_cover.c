#include "tb/teleport/controller/controller_cover.h"

#define HIT(name, condition) bin[CONTROLLER_BIN_##name] += (condition) ? 1 : 0

static void cover_rows(uint64_t *bin, const controller_ref *r, const controller_tb *tb) {
  unsigned empty = 0;
  for (unsigned i = 0; i < r->n_rows; i++) {
    const controller_row *row = &r->row[i];
    const controller_range range = controller_ref_range(r, row, tb);
    const bool none = range.inverted || range.outside, last = i + 1 == r->n_rows;
    HIT(row_below_zero, !none && range.low < 0);
    HIT(row_far_below, !none && range.far_lo);
    HIT(row_far_above, !none && range.far_hi);
    HIT(row_inverted, range.inverted);
    HIT(row_outside_above, range.outside && !range.inverted && range.far_hi);
    HIT(row_outside_below, range.outside && !range.inverted && range.far_lo);
    HIT(row_one_byte, !none && range.low == range.high);
    HIT(open_end, !none && r->open_end);
    HIT(open_end_empty, range.inverted && r->open_end && range.high + 1 == range.low);
    HIT(negative_product, row->lo.x < 0 && tb->x);
    HIT(tile, !none && row->lines && row->pitch);
    HIT(tallest_tile, !none && (row->lines + 1) >> r->shape.height_bits);
    HIT(last_row_empty, none && last && empty != i);
    HIT(row_behind_empty_one, !none && empty);
    empty += none;
  }
  HIT(all_rows_empty, empty && empty == r->n_rows);
}

void controller_cover_cycle(uint64_t *bin, const controller_ref *r, const controller_set *set,
                            const controller_tb *tb, bool set_take, bool tb_take, bool offered,
                            bool req_ready) {
  bool full = r->n_rows == r->shape.rows;
  HIT(set_waits, set && !set_take);
  HIT(dispatch_waits, tb && !tb_take);
  HIT(request_stalled, offered && !req_ready);
  HIT(set_and_dispatch_at_once, set_take && tb_take);
  if (set_take) {
    HIT(set, !set->flush && !full);
    HIT(set_last_row, !set->flush && r->n_rows + 1 == r->shape.rows);
    HIT(set_beyond_table, !set->flush && full);
    HIT(flush, set->flush);
    HIT(flush_of_full_table, set->flush && full);
  }
  if (!tb_take) return;
  HIT(dispatch_without_rows, !r->n_rows);
  HIT(dispatch_with_full_table, full);
  cover_rows(bin, r, tb);
}
