/* Functional bins of apcm that its ports show. Those that only the inside shows are in cover.v. */
#ifndef APCM_COVER_H
#define APCM_COVER_H

#include "tb/apcm/apcm_ref.h"

#define APCM_BINS(X)                                                                               \
  X(load_tracked_first), X(load_tracked_again), X(load_when_full), X(load_open), X(load_bypass),   \
      X(load_protect), X(load_normal), X(method_masked), X(load_as_it_is_learned),                 \
      X(load_waits_for_report), X(access_hit), X(access_miss), X(access_bypass),                   \
      X(access_untracked), X(access_waits), X(miss_into_invalid), X(miss_with_all_reserved),       \
      X(miss_with_all_protected), X(miss_with_protected_and_reserved), X(miss_with_all_kept),      \
      X(miss_takes_kept), X(miss_protected_line_is_oldest), X(protect_first_of_warp),              \
      X(protect_again), X(protect_of_other_load_ignored), X(protect_refused), X(protect_renews),   \
      X(protect_waits_to_renew), X(stale_protection_dropped), X(credit_ages), X(done_ends),        \
      X(done_of_other_load), X(done_of_loop), X(loop_seen), X(loop_known), X(loop_around),         \
      X(loop_no_room), X(loop_left), X(loop_left_inner), X(loop_left_by_some), X(exit_waits),      \
      X(exits_full), X(left_ends), X(left_of_straight_load), X(left_before_event), X(exit_ends),   \
      X(exit_plain), X(start_watched), X(start_not_watched), X(start_during_scan),                 \
      X(start_when_over), X(exit_of_watched), X(kernel_start), X(kernel_start_during_scan),        \
      X(kernel_start_while_watched), X(event_of_accessing_warp), X(watched_hit_first),             \
      X(third_request_dropped), X(mta_evicts), X(mta_would_evict), X(mta_hit_by_other),            \
      X(mta_hit_by_own), X(mta_count_full), X(all_at_once), X(offered_while_busy),                 \
      X(access_during_scan), X(load_during_scan), X(start_as_another_starts),                      \
      X(done_and_exit_together), X(exit_was_first), X(done_waits_for_left), X(done_not_asked),     \
      X(done_asked_for_a_request), X(exit_not_asked), X(several_enter), X(move_waits_for_count),   \
      X(all_enter)

#define APCM_BIN_(name) APCM_BIN_##name
typedef enum apcm_bin { APCM_BINS(APCM_BIN_), APCM_BIN_COUNT } apcm_bin;

/* Counts what is offered at an edge, and what acts at it, of a model in the state before it. */
void apcm_cover_cycle(uint64_t *bin, const apcm_ref *r, const apcm_offers *offers);
#endif
