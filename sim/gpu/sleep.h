/* An SM's sleep: cycles in which nothing in it can change are not ticked, but counted. */
#ifndef WF_GPU_SLEEP_H
#define WF_GPU_SLEEP_H

#include "sim/gpu/sm_state.h"

/* Fills in counters for cycles slept through, up to now. */
void wf_sm_settle(wf_sm *sm, uint64_t now);
/* What a warp in WF_WARP_PARKED or WF_WARP_LAUNCHING waited for is there. */
void wf_sm_wake_parked(wf_sm *sm, unsigned warp, uint64_t now);

#endif
