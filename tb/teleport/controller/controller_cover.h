/* Functional bins of teleport_controller. */
#ifndef CONTROLLER_COVER_H
#define CONTROLLER_COVER_H

#include "tb/teleport/controller/controller_ref.h"

#define CONTROLLER_BINS(X)                                                                         \
  X(set), X(set_last_row), X(set_beyond_table), X(flush), X(flush_of_full_table),                  \
      X(set_and_dispatch_at_once), X(set_waits), X(dispatch_waits), X(dispatch_without_rows),      \
      X(dispatch_with_full_table), X(request_stalled), X(row_below_zero), X(row_far_below),        \
      X(row_far_above), X(row_inverted), X(row_outside_above), X(row_outside_below),               \
      X(row_one_byte), X(open_end), X(open_end_empty), X(negative_product), X(tile),               \
      X(tallest_tile), X(last_row_empty), X(row_behind_empty_one), X(all_rows_empty)

#define CONTROLLER_BIN_(name) CONTROLLER_BIN_##name
typedef enum controller_bin {
  CONTROLLER_BINS(CONTROLLER_BIN_),
  CONTROLLER_BIN_COUNT
} controller_bin;

/* Counts what is offered at an edge, of a model in the state before it. */
void controller_cover_cycle(uint64_t *bin, const controller_ref *r, const controller_set *set,
                            const controller_tb *tb, bool set_take, bool tb_take, bool offered,
                            bool req_ready);
#endif
