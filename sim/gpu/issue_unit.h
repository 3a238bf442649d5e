/* A unit where instructions issue, as the SM sees it: what is told and when, the answers, spare
 * registers with their scoreboard and values, injected loads on their way to the load/store unit.
 * The SM knows it as the issue stage of its row (row.h).
 *
 * The unit stands beside the decoder. A load that may be replaced is told when it has become its
 * warp's next instruction and its guard is known, at the earliest DECODE cycles before the warp may
 * issue again after a branch; it issues when its answer is there. All other instructions have an
 * answer that is known beforehand: they are told as they issue.
 *
 * An injected load waits outside the warp's order for its index and, if its address needs one,
 * takes a multiply-add's issue slot and latency first; then it takes an issue slot as any load. An
 * SM has room for a few; while it is full, no load issues that brings another. */
#ifndef WF_GPU_ISSUE_UNIT_H
#define WF_GPU_ISSUE_UNIT_H

#include "sim/gpu/seat.h"
#include "sim/gpu/sm.h"

bool wf_issue_sit(wf_seat *seat, wf_error *err);
/* The unit answers what it was told; NULL: look at the warp again. */
void wf_issue_answered(wf_sm *sm, unsigned warp, const wf_issue_answer *answer, uint64_t now);

#endif
