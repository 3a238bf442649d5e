/* Functional bins of dtbl_scheduler that its ports, or the reference model beside them, show. Those
 * of the inside are in cover.v. */
#ifndef DTBL_COVER_H
#define DTBL_COVER_H

#include "tb/dtbl/dtbl_ref.h"

#define DTBL_BINS(X)                                                                               \
  X(kernel_host), X(kernel_device), X(kernel_when_full), X(kernel_of_one_block),                   \
      X(kernel_of_three_dimensions), X(kernel_between_ask_and_commit),                             \
      X(group_while_search_is_full), X(group_last_of_command), X(group_not_last_of_command),       \
      X(group_of_three_dimensions), X(group_of_one_block), X(group_during_clearing), X(refused),   \
      X(refused_waits), X(record_written), X(link_written), X(record_read),                        \
      X(memory_request_waits), X(native_block), X(table_block), X(memory_block),                   \
      X(block_waits_for_port), X(block_waits_for_room), X(block_offered_after_waiting),            \
      X(block_skips_full_smx), X(block_skips_diverted_smx), X(all_diverted),                       \
      X(offer_stays_while_diverted), X(slot_given_again_at_once), X(two_ends_at_once),             \
      X(all_smx_end_at_once), X(end_waits), X(end_and_start_on_one_smx), X(kernel_done_host),      \
      X(kernel_done_device), X(kernel_done_waits), X(kernel_done_while_other_runs), X(last_slot),  \
      X(idle_waiting_for_room), X(idle_empty)

#define DTBL_BIN_(name) DTBL_BIN_##name
typedef enum dtbl_bin { DTBL_BINS(DTBL_BIN_), DTBL_BIN_COUNT } dtbl_bin;

typedef struct dtbl_cover {
  uint64_t *bin; /* [DTBL_BIN_COUNT] */
  wf_mask done_before;
  uint8_t slot_before[DTBL_MAX_SMX];
} dtbl_cover;

/* Counts what happens at an edge, of a model in the state before it. */
void dtbl_cover_cycle(dtbl_cover *c, const dtbl_ref *r, const dtbl_in *in, const dtbl_out *out);
#endif
