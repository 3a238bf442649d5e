#include "sim/gpu/ready.h"

#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/lsu.h"

wf_pipe wf_sm_pipe_of(const ptx_inst *inst) {
  switch (inst->cls) {
  case PTX_CLASS_SFU:
    return WF_PIPE_SFU;
  case PTX_CLASS_LOAD:
    if (inst->space == PTX_SPACE_PARAM || inst->space == PTX_SPACE_CONST) return WF_PIPE_CONTROL;
    return WF_PIPE_LSU;
  case PTX_CLASS_STORE:
  case PTX_CLASS_ATOMIC:
  case PTX_CLASS_COPY:
    return WF_PIPE_LSU;
  case PTX_CLASS_BRANCH:
  case PTX_CLASS_BARRIER:
  case PTX_CLASS_FENCE:
  case PTX_CLASS_LAUNCH:
  case PTX_CLASS_COPY_GROUP:
  case PTX_CLASS_EXIT:
    return WF_PIPE_CONTROL;
  case PTX_CLASS_CUSTOM:
    return WF_PIPE_UNIT;
  default:
    return WF_PIPE_SP;
  }
}

bool wf_sm_copies_there(const wf_warp *w, const ptx_inst *inst) {
  const unsigned open = w->copy_group;
  if (inst->custom_id == PTX_COPY_COMMIT) return !w->copies[(open + 1) % WF_COPY_GROUPS];
  if (inst->custom_id == PTX_COPY_WAIT_ALL && w->copies[open]) return false;
  for (unsigned ago = 1 + inst->bytes; ago < WF_COPY_GROUPS; ago++)
    if (w->copies[(open + WF_COPY_GROUPS - ago) % WF_COPY_GROUPS]) return false;
  return true;
}

void wf_sm_set_state(wf_sm *sm, unsigned warp, wf_warp_state state) {
  const uint64_t bit = (uint64_t)1 << warp;
  sm->warps[warp].state = (uint8_t)state;
  sm->running = state == WF_WARP_RUN ? sm->running | bit : sm->running & ~bit;
  sm->limit_stale = true;
}

void wf_sm_set_ready(wf_sm *sm, unsigned warp) {
  uint64_t bit = (uint64_t)1 << warp;
  wf_pipe pipe = wf_sm_pipe_of(wf_sm_next(&sm->warps[warp]));
  if (sm->row.issue && sm->row.issue->moves(sm, warp)) pipe = WF_PIPE_SP;
  for (unsigned p = 0; p < WF_PIPE_COUNT; p++) sm->pipe_mask[p] &= ~bit;
  sm->pipe_mask[pipe] |= bit;
  sm->ready |= bit;
}

void wf_sm_recheck(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  if (sm->row.issue) sm->row.issue->look(sm, warp, now);
  if (w->state != WF_WARP_RUN || w->ready_at > now) return;
  if (!wf_sm_may_issue(sm, warp, wf_sm_next(w), now)) return;
  wf_sm_set_ready(sm, warp);
  if (sm->wake > now) sm->wake = now;
}

/* A load, or the move in its place, is done: has the warp waited for it? */
static void time_wait(wf_sm *sm, const wf_wheel_event *e, uint64_t now) {
  const wf_warp *w = &sm->warps[e->warp];
  if (w->state != WF_WARP_RUN || w->idle_from >= now) return;
  const ptx_inst *next = wf_sm_next(w);
  bool needs = next->cls == PTX_CLASS_EXIT;
  for (unsigned d = 0; d < e->inst->n_dst; d++) {
    for (unsigned i = 0; i < next->n_src; i++) needs |= next->src[i] == e->inst->dst[d];
    for (unsigned i = 0; i < next->n_dst; i++) needs |= next->dst[i] == e->inst->dst[d];
  }
  if (needs)
    wf_load_times_wait(sm->gpu->load_times, (ptx_pc)(e->inst - w->arch.launch->kernel->insts),
                       now - w->idle_from);
}

static bool tell_end(wf_sm *sm, const wf_wheel_event *e) {
  wf_load *load = &sm->loads[e->load];
  for (unsigned i = 0; load->mark && i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->load_done &&
        !sm->row.listeners[i]->load_done(sm, e->warp, load->mark))
      return false;
  load->mark = 0; /* told, whatever else it waits for */
  return !load->tag || sm->row.issue->load_done(sm, e->warp, load->tag, e->kind == WF_WHEEL_FAILED);
}

/* False: a unit cannot be told in this cycle; it keeps its place, and tries again in the next. */
static bool write_back(wf_sm *sm, const wf_wheel_event *e, uint64_t now) {
  if (e->load != NO_LOAD) {
    if (!tell_end(sm, e)) {
      wf_sm_schedule(sm, now + 1, *e);
      return false;
    }
    wf_lsu_free_load(sm, e->load);
  }
  sm->warps[e->warp].loads--;
  return true;
}

static void written(wf_warp *w, const ptx_inst *inst) {
  for (unsigned d = 0; d < inst->n_dst; d++)
    w->pending[inst->dst[d] / 64] &= ~((uint64_t)1 << (inst->dst[d] % 64));
}

/* Copies pass shared memory's port one after the other. */
static void store_copy(wf_sm *sm, const wf_wheel_event *e, uint64_t now) {
  wf_wheel_event done = *e;
  if (sm->lsu_free > now + WF_WHEEL / 2) { /* out of the wheel's sight */
    wf_sm_schedule(sm, now + WF_WHEEL / 2, *e);
    return;
  }
  done.kind = WF_WHEEL_COPIED;
  if (sm->lsu_free < now) sm->lsu_free = now;
  sm->lsu_free += e->cycles;
  wf_sm_schedule(sm, sm->lsu_free, done);
}

void wf_sm_run_events(wf_sm *sm, uint64_t now) {
  wf_bucket *b = wf_wheel_now(&sm->wheel, now);
  if (!b->count) return;
  for (unsigned i = 0; i < b->count; i++) {
    wf_wheel_event e = b->events[i];
    wf_warp *w = &sm->warps[e.warp];
    switch (e.kind) {
    case WF_WHEEL_LOOK:
      break;
    case WF_WHEEL_INJECTED:
    case WF_WHEEL_FAILED:
      if (!write_back(sm, &e, now)) continue;
      break;
    case WF_WHEEL_SUM:
      if (!sm->row.issue->sum(sm, e.tag)) wf_sm_schedule(sm, now + 1, e);
      continue;
    case WF_WHEEL_LOAD:
      if (!write_back(sm, &e, now)) continue;
      written(w, e.inst);
      if (sm->gpu->load_times) time_wait(sm, &e, now);
      break;
    case WF_WHEEL_COPY:
      store_copy(sm, &e, now);
      continue;
    case WF_WHEEL_COPIED:
      w->loads--;
      w->copies[e.tag]--;
      break;
    case WF_WHEEL_MOVE:
      written(w, e.inst);
      if (sm->gpu->load_times) time_wait(sm, &e, now);
      break;
    default:
      written(w, e.inst);
    }
    if (!(sm->ready >> e.warp & 1)) wf_sm_recheck(sm, e.warp, now);
  }
  wf_wheel_drop(&sm->wheel, now);
}
