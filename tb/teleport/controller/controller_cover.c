#include "tb/teleport/controller/controller_cover.h"

#define HIT(name, condition) bin[CONTROLLER_BIN_##name] += (condition) ? 1 : 0

static void cover_rows(uint64_t *bin, const controller_ref *r, const controller_tb *tb) {
  uint64_t left = r->levels.cap, before_first = 1, before_last = 0;
  unsigned empty = 0;
  controller_ref wide = {
      .shape = r->shape,
      .levels = {.bound_hi = UINT64_MAX >> (64 - r->shape.addr_bits) >> r->shape.block_shift}};
  for (unsigned i = 0; i < r->n_rows; i++) {
    const controller_row *row = &r->row[i];
    controller_range range = controller_ref_range(r, row, tb),
                     all = controller_ref_range(&wide, row, tb);
    HIT(row_below_zero, !all.inverted && all.clip_lo);
    HIT(row_above_memory, !all.inverted && all.clip_hi);
    HIT(row_inverted, range.inverted);
    HIT(row_inverted_in_one_block,
        range.inverted && !range.outside && !range.clip_lo && !range.clip_hi);
    HIT(row_outside, range.outside && !range.inverted);
    HIT(open_end_empty, range.inverted && r->levels.open_end && !all.inverted);
    HIT(negative_product, row->lo.x < 0 && tb->x);
    if (range.inverted || range.outside) {
      empty++;
      continue;
    }
    uint64_t n = range.last - range.first;
    HIT(row_one_block, n == 0);
    HIT(row_many_blocks, n > 2);
    HIT(row_straddles, n == 1);
    HIT(row_clipped_low, range.clip_lo);
    HIT(row_clipped_high, range.clip_hi);
    HIT(row_cut, left && n >= left);
    HIT(row_fills_cap, left && n + 1 == left);
    HIT(row_after_cap, !left && r->levels.cap);
    HIT(cap_zero, !r->levels.cap);
    HIT(open_end, r->levels.open_end);
    HIT(rows_overlap,
        range.first <= before_last && before_first <= range.last && before_first <= before_last);
    before_first = range.first;
    before_last = range.last;
    left -= n >= left ? left : n + 1;
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
  HIT(bounds_crossed, r->n_rows && r->levels.bound_lo > r->levels.bound_hi);
  cover_rows(bin, r, tb);
}
