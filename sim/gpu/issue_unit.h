/* A unit where instructions issue, as the SM sees it: what is told and when, the answers, spare
 * registers with their scoreboard and values, injected loads on their way to the load/store unit.
 * The SM knows it as the issue stage of its row (row.h).
 *
 * The unit stands beside the decoder. A load that may be replaced is told when it has become its
 * warp's next instruction and its guard is known, at the earliest DECODE cycles before the warp may
 * issue again after a branch; it issues when its answer is there. All other instructions have an
 * answer that is known beforehand: they are told as they issue.
 *
 * What the unit offers beside the program, multiply-adds for addresses and loads, takes issue slots
 * as any instruction. */
#ifndef WF_GPU_ISSUE_UNIT_H
#define WF_GPU_ISSUE_UNIT_H

#include "sim/gpu/seat.h"
#include "sim/gpu/sm_state.h"

/* The warp's next instruction; false: it has none, or its branch is not decided yet. */
bool wf_issue_next(const wf_sm *sm, unsigned warp, uint64_t now, ptx_pc *pc);
bool wf_issue_sit(wf_seat *seat, wf_error *err);
/* The unit answers what it was told; NULL: look at the warp again. */
void wf_issue_answered(wf_sm *sm, unsigned warp, const wf_issue_answer *answer, uint64_t now);

#endif
