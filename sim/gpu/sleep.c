#include "sim/gpu/sleep.h"

#include "sim/gpu/ready.h"

const char *wf_stall_name(wf_stall cause) {
  static const char *const names[WF_STALL_COUNT] = {[WF_STALL_LSU_QUEUE] = "lsu_queue",
                                                    [WF_STALL_L1_PORT] = "l1_port",
                                                    [WF_STALL_L1_MSHR] = "l1_mshr",
                                                    [WF_STALL_NOC] = "noc",
                                                    [WF_STALL_UNIT] = "unit",
                                                    [WF_STALL_PIPE] = "pipe",
                                                    [WF_STALL_LIMIT] = "limit",
                                                    [WF_STALL_MEMORY] = "memory",
                                                    [WF_STALL_DEPENDENCY] = "dependency",
                                                    [WF_STALL_LAUNCH] = "launch",
                                                    [WF_STALL_BARRIER] = "barrier",
                                                    [WF_STALL_IDLE] = "idle"};
  return names[cause];
}

void wf_sm_settle(wf_sm *sm, uint64_t now) {
  if (now <= sm->last_tick + 1) return;
  uint64_t slept = now - sm->last_tick - 1;
  for (unsigned s = 0; s < sm->config->schedulers; s++)
    sm->counters.stalls[sm->sleep_cause[s]] += slept;
  sm->counters.occupied_warp_cycles += slept * (unsigned)__builtin_popcountll(sm->resident);
  sm->last_tick = now - 1;
}

void wf_sm_wake_parked(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  if (w->state != WF_WARP_PARKED && w->state != WF_WARP_LAUNCHING) return;
  wf_sm_settle(sm, now);
  wf_sm_set_state(sm, warp, WF_WARP_RUN);
  wf_sm_recheck(sm, warp, now);
}
