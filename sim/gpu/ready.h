/* Which warps may issue: states, the scoreboard, and the masks `ready` and `pipe_mask`, which are
 * kept up to date as events happen, so that a scheduler's choice is a few bit operations a cycle.
 */
#ifndef WF_GPU_READY_H
#define WF_GPU_READY_H

#include "sim/gpu/sm_state.h"

void wf_sm_set_state(wf_sm *sm, unsigned warp, wf_warp_state state);
wf_pipe wf_sm_pipe_of(const ptx_inst *inst);
void wf_sm_set_ready(wf_sm *sm, unsigned warp);
/* Something that the warp may have waited for has happened. */
void wf_sm_recheck(wf_sm *sm, unsigned warp, uint64_t now);
/* The events of this cycle. */
void wf_sm_run_events(wf_sm *sm, uint64_t now);

/* May a commit of copies, or a wait for them, go on? */
bool wf_sm_copies_there(const wf_warp *w, const ptx_inst *inst);

static inline bool wf_sm_operands_ready(const wf_warp *w, const ptx_inst *inst) {
  uint64_t busy = 0;
  if (inst->cls == PTX_CLASS_EXIT) { /* the slot may be reused: nothing may still write to it */
    for (unsigned i = 0; i < WF_SCOREBOARD_WORDS; i++) busy |= w->pending[i];
    return !busy && !w->loads;
  }
  if (__builtin_expect(inst->cls == PTX_CLASS_COPY_GROUP, 0)) return wf_sm_copies_there(w, inst);
  for (unsigned i = 0; i < inst->n_src; i++)
    busy |= w->pending[inst->src[i] / 64] >> (inst->src[i] % 64);
  for (unsigned i = 0; i < inst->n_dst; i++)
    busy |= w->pending[inst->dst[i] / 64] >> (inst->dst[i] % 64);
  return !(busy & 1);
}

static inline bool wf_sm_may_issue(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  if (sm->row.issue) return sm->row.issue->may(sm, warp, inst, now);
  return wf_sm_operands_ready(&sm->warps[warp], inst);
}

#endif
