/* Warp schedulers: which warp issues, and what its instruction sets going. */
#ifndef WF_GPU_SCHEDULER_H
#define WF_GPU_SCHEDULER_H

#include "sim/gpu/sm_state.h"

/* One scheduler's cycle. False on a fault. */
bool wf_scheduler_tick(wf_sm *sm, unsigned sched, uint64_t now, wf_error *err);
/* The SM sleeps from here on: what the scheduler's cycles go to until it wakes. */
void wf_scheduler_rest(wf_sm *sm, unsigned sched, uint64_t now);
/* Beside a unit where instructions issue: does a warp lose its next turn? Turns pass while none may
 * issue, too. */
bool wf_scheduler_loses(const wf_sm *sm);
/* Warps that may issue, as far as core.swl goes. */
uint64_t wf_scheduler_limit(wf_sm *sm);

#endif
