/* An SM's sleep: cycles in which nothing in it can change are not ticked, but counted. */
#ifndef WF_GPU_SLEEP_H
#define WF_GPU_SLEEP_H

#include "sim/gpu/sm_state.h"

/* Why a scheduler issues nothing in a cycle. */
typedef enum wf_stall {
  WF_STALL_IDLE,
  WF_STALL_MEMORY,
  WF_STALL_DEPENDENCY,
  WF_STALL_STRUCTURAL,
  WF_STALL_BARRIER,
  WF_STALL_UNIT
} wf_stall;

void wf_sm_count_stall(wf_sm *sm, wf_stall cause, uint64_t cycles);
/* Fills in counters for cycles slept through, up to now. */
void wf_sm_settle(wf_sm *sm, uint64_t now);
/* What a warp in WF_WARP_PARKED waited for is there. */
void wf_sm_wake_parked(wf_sm *sm, unsigned warp, uint64_t now);

#endif
