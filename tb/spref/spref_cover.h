/* Functional bins of spare_reg_pref: what its tests must have met. */
#ifndef SPREF_COVER_H
#define SPREF_COVER_H

#include "tb/spref/spref_bench.h"

#define SPREF_BINS(X)                                                                              \
  X(stall_out), X(wait_in), X(all_channels_at_once), X(count_late), X(training), X(pass_b),        \
      X(table_made), X(dropped), X(refused), X(two_heads), X(two_tails), X(head_only),             \
      X(tail_without_base), X(tail_with_ext), X(wide_head), X(wide_tail), X(test_swapped),         \
      X(test_down), X(test_ne), X(test_inclusive), X(move_head), X(move_tail), X(move_second),     \
      X(inject_head), X(inject_tail), X(inject_cache), X(inject_part), X(no_lane_left),            \
      X(tail_in_part), X(tail_skipped), X(distance_1), X(distance_2), X(distance_3),               \
      X(space_limits), X(space_drops_targets), X(irregular), X(clobbered), X(register_shared),     \
      X(exit_known), X(hinted), X(asked_before_loop), X(fault), X(warp_end_alive), X(kernel_live), \
      X(disabled), X(needless), X(needless_in_loop), X(base_kept), X(sum_waits), X(address_far),   \
      X(sieve_silent)

#define SPREF_BIN_(name) SPREF_BIN_##name
typedef enum spref_bin { SPREF_BINS(SPREF_BIN_), SPREF_BIN_COUNT } spref_bin;

/* Before the model takes what is offered at an edge. */
void spref_cover_edge(uint64_t *bin, const spref_ref *r, const spref_offer *o);
/* After it answered. */
void spref_cover_answer(uint64_t *bin, const spref_ref *r, const spref_instr *i,
                        const spref_answer *a);
#endif
