/* One streaming multiprocessor: warps, SIMT stacks, scoreboard, schedulers, load/store unit, L1.
 * Internal to sim/gpu. An SM sleeps (is not ticked) while nothing in it can change. */
#ifndef WF_GPU_SM_H
#define WF_GPU_SM_H

#include "sim/gpu/sm_state.h"

bool wf_sm_init(wf_sm *sm, struct wf_gpu *gpu, unsigned id);
void wf_sm_free(wf_sm *sm);
/* One core cycle. Sets sm->wake. False on a fault. */
bool wf_sm_tick(wf_sm *sm, uint64_t now, wf_error *err);
/* A packet for this SM (not a unit's). */
void wf_sm_reply(wf_sm *sm, const wf_packet *packet, uint64_t now);
bool wf_sm_shared_write(wf_sm *sm, unsigned warp, uint32_t offset, uint32_t word);
bool wf_sm_idle(const wf_sm *sm); /* no warps, nothing queued or in flight */
size_t wf_sm_describe(const wf_sm *sm, char *text, size_t bytes);

#endif
