#include "sim/gpu/sleep.h"

#include "sim/gpu/ready.h"

void wf_sm_count_stall(wf_sm *sm, wf_stall cause, uint64_t cycles) {
  wf_sm_counters *c = &sm->counters;
  uint64_t *const counter[] = {[WF_STALL_IDLE] = &c->stall_idle,
                               [WF_STALL_MEMORY] = &c->stall_memory,
                               [WF_STALL_DEPENDENCY] = &c->stall_dependency,
                               [WF_STALL_STRUCTURAL] = &c->stall_structural,
                               [WF_STALL_BARRIER] = &c->stall_barrier,
                               [WF_STALL_UNIT] = &c->stall_unit};
  *counter[cause] += cycles;
}

void wf_sm_settle(wf_sm *sm, uint64_t now) {
  if (now <= sm->last_tick + 1) return;
  uint64_t slept = now - sm->last_tick - 1;
  for (unsigned s = 0; s < sm->config->schedulers; s++)
    wf_sm_count_stall(sm, sm->sleep_cause[s], slept);
  sm->counters.occupied_warp_cycles += slept * (unsigned)__builtin_popcountll(sm->resident);
  sm->last_tick = now - 1;
}

void wf_sm_wake_parked(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  if (w->state != WF_WARP_PARKED) return;
  wf_sm_settle(sm, now);
  wf_sm_set_state(sm, warp, WF_WARP_RUN);
  wf_sm_recheck(sm, warp, now);
}
