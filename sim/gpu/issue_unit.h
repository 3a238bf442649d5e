/* A unit where instructions issue, as the SM sees it: what is told and when, the answers, spare
 * registers with their scoreboard and values, injected loads on their way to the load/store unit.
 * Only sm.c calls these, with sm->issue set.
 *
 * The unit stands beside the decoder. A load that may be replaced is told when it has become its
 * warp's next instruction and its guard is known, at the earliest DECODE cycles before the warp may
 * issue again after a branch; it issues when its answer is there. All other instructions have an
 * answer that is known beforehand: they are told as they issue.
 *
 * An injected load waits outside the warp's order for its index and, if its address needs one,
 * takes a multiply-add's issue slot and latency first; then it takes an issue slot as any load. */
#ifndef WF_GPU_ISSUE_UNIT_H
#define WF_GPU_ISSUE_UNIT_H

#include "sim/gpu/seat.h"
#include "sim/gpu/sm.h"

bool wf_issue_sit(wf_seat *seat, wf_error *err);
/* The warp's next instruction may have become known. */
void wf_issue_look(wf_sm *sm, unsigned warp, uint64_t now);
/* May it issue, as far as operands, answer and spare registers go? */
bool wf_issue_may(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now);
bool wf_issue_moves(const wf_sm *sm,
                    unsigned warp); /* the next instruction is a load that a move replaces */
unsigned wf_issue_move_latency(const wf_sm *sm);
bool wf_issue_full(wf_sm *sm);
/* The instruction is about to be executed. */
void wf_issue_executes(wf_sm *sm, unsigned warp, const ptx_inst *inst);
/* The instruction has been executed, its effect is in sm->effect. *moved: it was a move. False:
 * what was moved is not what the load brings. */
bool wf_issue_issued(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now, bool *moved,
                     wf_error *err);
/* An injected instruction takes the scheduler's slot in this cycle. */
bool wf_issue_inject(wf_sm *sm, unsigned sched, uint64_t now);
bool wf_issue_wants(const wf_sm *sm,
                    uint64_t now); /* an injected instruction waits for nothing but a slot */
void wf_issue_load_done(wf_sm *sm, const wf_wheel_event *e);
void wf_issue_answered(wf_sm *sm, unsigned warp, const wf_issue_answer *answer, uint64_t now);

#endif
