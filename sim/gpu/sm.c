#include "sim/gpu/sm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/lsu.h"
#include "sim/gpu/ready.h"
#include "sim/gpu/scheduler.h"
#include "sim/gpu/sleep.h"

bool wf_sm_init(wf_sm *sm, struct wf_gpu *gpu, unsigned id) {
  sm->gpu = gpu;
  sm->config = &gpu->config;
  sm->gpu_mem = gpu->mem;
  sm->id = id;
  sm->n_warps = sm->config->warps_per_sm;
  for (unsigned w = 0; w < sm->n_warps; w++)
    sm->sched_mask[w % sm->config->schedulers] |= (uint64_t)1 << w;
  sm->wake = WF_NEVER;
  return wf_lsu_init(sm);
}

void wf_sm_free(wf_sm *sm) {
  for (unsigned w = 0; w < WF_MAX_WARPS; w++) free(sm->warps[w].simt.entries);
  for (unsigned c = 0; c < WF_MAX_CTAS; c++) free(sm->ctas[c].shared);
  wf_wheel_free(&sm->wheel);
  free(sm->register_file);
  free(sm->predicate_file);
  free(sm->local_file);
  wf_lsu_free(sm);
}

bool wf_sm_tick(wf_sm *sm, uint64_t now, wf_error *err) {
  wf_sm_settle(sm, now);
  sm->last_tick = now;
  sm->counters.occupied_warp_cycles += (unsigned)__builtin_popcountll(sm->resident);
  wf_sm_run_events(sm, now);
  if (wf_lsu_works(sm)) wf_lsu_tick(sm, now);
  for (unsigned s = 0; s < sm->config->schedulers; s++)
    if (!wf_scheduler_tick(sm, s, now, err)) return false;
  bool busy = (sm->ready & wf_scheduler_limit(sm)) || wf_lsu_works(sm) ||
              (sm->row.issue && (wf_scheduler_loses(sm) || sm->row.issue->wants(sm, now)));
  for (unsigned s = 0; !busy && s < sm->config->schedulers; s++) wf_scheduler_rest(sm, s, now);
  sm->wake = busy ? now + 1 : wf_wheel_next(&sm->wheel, now);
  return true;
}

void wf_sm_reply(wf_sm *sm, const wf_packet *packet, uint64_t now) {
  wf_sm_settle(sm, now);
  wf_lsu_reply(sm, packet, now);
  uint64_t next = wf_wheel_next(&sm->wheel, now);
  if (sm->wake > next) sm->wake = next;
}

bool wf_sm_shared_write(wf_sm *sm, unsigned warp, uint32_t offset, uint32_t word) {
  const wf_warp *w = &sm->warps[warp];
  if (w->state == WF_WARP_FREE || offset % 4 || w->arch.shared_limit < 4 ||
      offset > w->arch.shared_limit - 4)
    return false;
  memcpy(w->arch.shared + offset, &word, sizeof word);
  return true;
}

bool wf_sm_idle(const wf_sm *sm) {
  return !sm->resident && sm->live_stores == 0 && wf_lsu_idle(sm);
}

size_t wf_sm_describe(const wf_sm *sm, char *text, size_t bytes) {
  static const char *const names[] = {"free",
                                      "running",
                                      "at a barrier",
                                      "at a fence",
                                      "waiting for a unit",
                                      "waiting for its launches"};
  size_t n = 0;
  for (unsigned i = 0; i < sm->n_warps && n < bytes; i++) {
    const wf_warp *w = &sm->warps[i];
    if (w->state == WF_WARP_FREE) continue;
    const ptx_inst *inst = wf_sm_next(w);
    n += (size_t)snprintf(text + n, bytes - n,
                          "SM %u warp %u: %s, PTX line %u `%s`, %u loads and %u stores in flight\n",
                          sm->id, i, names[w->state], inst->line, ptx_inst_text(inst), w->loads,
                          w->stores);
  }
  for (unsigned i = 0; i < sm->row.n_stages && n < bytes; i++)
    if (sm->row.stages[i]->describe) n += sm->row.stages[i]->describe(sm, text + n, bytes - n);
  return n < bytes ? n : bytes;
}
