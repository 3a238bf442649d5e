/* An SM's own clock and P-state. Its time is the core's less the cycles in which its clock did not
 * tick; all times inside an SM (sm_state.h) are of that time, and wf_sm_now() is what the GPU
 * around it passes. Without a unit that sets it every SM runs with the core. */
#ifndef WF_GPU_SM_CLOCK_H
#define WF_GPU_SM_CLOCK_H

#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/sm_state.h"

static inline uint64_t wf_sm_now(const wf_sm *sm) {
  return sm->gpu->cycle - sm->clock.lost;
}

/* From now on; it ticks evenly. */
void wf_sm_set_clock(wf_sm *sm, const wf_sm_pace *pace);
/* Tells the observer. */
void wf_sm_see_clock(const wf_sm *sm);
/* Does it tick in this cycle? Asked once. */
bool wf_sm_clock_ticks(wf_sm *sm);
/* The cycle in which it ticks at its time `when`, if this stays so. */
uint64_t wf_sm_clock_reaches(const wf_sm *sm, uint64_t when);
/* Cycles pass in which nothing happens to it. */
void wf_sm_clock_skip(wf_sm *sm, uint64_t cycles);
/* Adds what the SM did while it was in this state. */
void wf_sm_add_pstate(const wf_sm *sm, wf_pstate state, wf_pstate_counters *to);

#endif
