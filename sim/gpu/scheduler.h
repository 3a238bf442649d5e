/* Warp schedulers: which warp issues, and what its instruction sets going. */
#ifndef WF_GPU_SCHEDULER_H
#define WF_GPU_SCHEDULER_H

#include "sim/gpu/sm.h"

/* One scheduler's cycle. False on a fault. */
bool wf_scheduler_tick(wf_sm *sm, unsigned sched, uint64_t now, wf_error *err);
/* Warps that may issue, as far as core.swl goes. */
uint64_t wf_scheduler_limit(wf_sm *sm);
/* Cycles without an issue, by their cause (wf_sm.sleep_cause). */
void wf_scheduler_count_stall(wf_sm *sm, unsigned cause, uint64_t cycles);

#endif
