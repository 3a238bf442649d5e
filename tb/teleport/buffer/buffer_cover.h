/* Functional bins of teleport_buffer. */
#ifndef BUFFER_COVER_H
#define BUFFER_COVER_H

#include "tb/teleport/buffer/buffer_ref.h"

#define BUFFER_BINS(X)                                                                             \
  X(ask_fetched), X(ask_here), X(ask_coming), X(ask_known_here), X(ask_known_coming),              \
      X(ask_dropped_all_coming), X(ask_dropped_all_mine), X(ask_dropped_no_ways),                  \
      X(ask_of_dead_block), X(ask_evicts), X(ask_evicts_other_than_first),                         \
      X(ask_takes_empty_beside_others), X(ask_age3_goes), X(ask_age1_goes), X(ask_waits_for_slot), \
      X(ask_waits_for_set), X(ask_waits_for_fetches), X(ask_waits_for_access), X(access_waits),    \
      X(close_without_requests), X(close_nothing_to_wait), X(several_wait_for_a_line),             \
      X(load_hit), X(load_miss), X(load_coming), X(load_of_dead_block),                            \
      X(load_after_fetch_request), X(store_here), X(store_coming), X(store_miss),                  \
      X(store_and_reply_at_once), X(load_and_reply_at_once), X(merge_and_reply_at_once),           \
      X(reply_of_dead), X(reply_ends_several_waits), X(reply_between_wait_and_close),              \
      X(go_stalled), X(go_several), X(go_overlapped), X(end_before_blocks_came),                   \
      X(end_and_ask_of_slot), X(start), X(start_no_ways), X(start_fewer_ways), X(start_waits),     \
      X(fetch_stalled), X(fetch_queue_limit), X(ages_turn), X(ranges_full), X(range_waits),        \
      X(range_none), X(range_below_zero), X(two_blocks_in_front), X(line_of_tile),                 \
      X(last_of_tallest), X(line_outside), X(line_outside_behind_inside), X(line_clipped_low),     \
      X(line_clipped_high), X(line_one_block), X(line_straddles), X(line_cut), X(cap_zero)

#define BUFFER_BIN_(name) BUFFER_BIN_##name
typedef enum buffer_bin { BUFFER_BINS(BUFFER_BIN_), BUFFER_BIN_COUNT } buffer_bin;

/* Counts what happens at an edge, of a model in the state before it. */
void buffer_cover_cycle(uint64_t *bin, const buffer_ref *r, const buffer_inputs *in);
#endif
