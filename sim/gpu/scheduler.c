#include "sim/gpu/scheduler.h"

#include <stdio.h>

#include "sim/gpu/cta.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/launch.h"
#include "sim/gpu/lsu.h"
#include "sim/gpu/ready.h"
#include "sim/gpu/sleep.h"

/* A trace says where warps go; otherwise branches do. */
static bool followed(const wf_sm *sm) {
  return sm->source && sm->source->follows;
}

static bool execute(wf_sm *sm, const ptx_inst *inst, wf_warp *w, wf_error *err) {
  const uint32_t mask = wf_simt_top(&w->simt)->mask;
  if (sm->source) return sm->source->execute(sm->source, inst, &w->arch, mask, &sm->effect, err);
  return ptx_execute(inst, &w->arch, mask, &sm->effect, err);
}

static void tell_branch(wf_sm *sm, unsigned warp, ptx_pc from, bool split) {
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->branched) sm->row.listeners[i]->branched(sm, warp, from, split);
}

static void mark_pending(wf_warp *w, const ptx_inst *inst) {
  for (unsigned d = 0; d < inst->n_dst; d++)
    w->pending[inst->dst[d] / 64] |= (uint64_t)1 << (inst->dst[d] % 64);
}

static void count_issue(wf_sm *sm, const ptx_inst *inst, uint32_t active) {
  sm->counters.warp_instructions++;
  sm->counters.thread_instructions += (unsigned)__builtin_popcount(active);
  sm->counters.by_class[inst->cls]++;
  sm->counters.register_reads += inst->n_src;
  sm->counters.register_writes += inst->n_dst;
}

/* Advances past a non-branch instruction, or any that is followed. */
static void advance(wf_sm *sm, wf_warp *w) {
  if (followed(sm)) {
    wf_simt_top(&w->simt)->pc = sm->source->next(sm->source, &w->arch);
    return;
  }
  wf_simt_top(&w->simt)->pc++;
  wf_simt_join(&w->simt);
}

static void branch(wf_sm *sm, unsigned warp, const ptx_inst *inst) {
  wf_warp *w = &sm->warps[warp];
  const wf_simt_entry top = *wf_simt_top(&w->simt);
  const uint32_t taken = sm->effect.taken;
  if (followed(sm))
    advance(sm, w);
  else
    wf_simt_branch(&w->simt, inst, &sm->effect);
  tell_branch(sm, warp, top.pc, !followed(sm) && taken && top.mask & ~taken);
}

static wf_offer_result issue_custom(wf_sm *sm, unsigned warp, const ptx_inst *inst, wf_error *err) {
  wf_unit *unit = sm->gpu->unit_of_class[inst->custom_unit];
  if (!unit) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "the GPU has no such unit (--unit)");
    return WF_OFFER_FAULT;
  }
  wf_unit_offer offer = {.sm = sm->id,
                         .warp = warp,
                         .id = inst->custom_id,
                         .active = sm->effect.active,
                         .effect = &sm->effect,
                         .shared_limit = sm->warps[warp].arch.shared_limit};
  return unit->cls->offer(unit, &offer, err);
}

static void do_barrier(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  wf_cta *cta = &sm->ctas[w->cta];
  if (wf_barrier_come(cta->barriers, inst, &sm->effect, &w->wait))
    wf_sm_set_state(sm, warp, WF_WARP_BARRIER);
  wf_cta_release_barrier(sm, cta, w->wait.id, now);
}

static void start_fixed_latency(wf_sm *sm, unsigned warp, unsigned sched, const ptx_inst *inst,
                                uint64_t now) {
  const wf_gpu_config *c = sm->config;
  unsigned latency = inst->cls == PTX_CLASS_LOAD ? c->param_latency : c->latency[inst->cls];
  if (inst->cls == PTX_CLASS_SFU)
    sm->sfu_free = now + c->interval[PTX_CLASS_SFU];
  else if (inst->cls != PTX_CLASS_LOAD)
    sm->sp_free[sched] = now + c->interval[inst->cls];
  mark_pending(&sm->warps[warp], inst);
  if (inst->n_dst)
    wf_sm_schedule(sm, now + latency,
                   (wf_wheel_event){.inst = inst, .warp = (uint8_t)warp, .kind = WF_WHEEL_RESULT});
}

/* A move in a load's place. */
static void start_move(wf_sm *sm, unsigned warp, unsigned sched, const ptx_inst *inst,
                       uint64_t now) {
  sm->sp_free[sched] = now + sm->config->interval[PTX_CLASS_INT];
  mark_pending(&sm->warps[warp], inst);
  wf_sm_schedule(sm, now + sm->row.issue->move_latency(sm),
                 (wf_wheel_event){.inst = inst, .warp = (uint8_t)warp, .kind = WF_WHEEL_MOVE});
}

static void start_memory(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  if (!sm->effect.active) return; /* every lane predicated off: nothing to send */
  if (sm->effect.space == PTX_SPACE_PARAM || sm->effect.space == PTX_SPACE_CONST) {
    mark_pending(w, inst);
    wf_sm_schedule(sm, now + sm->config->param_latency,
                   (wf_wheel_event){.inst = inst, .warp = (uint8_t)warp, .kind = WF_WHEEL_RESULT});
    return;
  }
  mark_pending(w, inst);
  wf_lsu_push(sm, warp, inst);
}

static void finish_warp(wf_sm *sm, unsigned warp, uint64_t now) {
  const unsigned slot = sm->warps[warp].cta;
  if (wf_cta_finish_warp(sm, warp, now))
    wf_launcher_block_done(sm->gpu->launcher, sm->id, slot, sm->ctas[slot].grid);
}

/* What an instruction does beyond its registers. Returns false only on a fault. */
static bool dispatch_class(wf_sm *sm, unsigned warp, unsigned sched, const ptx_inst *inst,
                           uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  const ptx_pc pc = wf_simt_top(&w->simt)->pc;
  switch (inst->cls) {
  case PTX_CLASS_BRANCH:
    branch(sm, warp, inst);
    w->ready_at = now + sm->config->branch_latency;
    wf_sm_schedule(sm, w->ready_at, (wf_wheel_event){.warp = (uint8_t)warp});
    return true;
  case PTX_CLASS_EXIT:
    advance(sm, w);
    if (followed(sm) ? w->simt.entries[0].pc == w->arch.launch->kernel->n_insts
                     : wf_simt_drop(&w->simt, sm->effect.active))
      finish_warp(sm, warp, now);
    else
      tell_branch(sm, warp, pc, false);
    return true;
  case PTX_CLASS_BARRIER:
    advance(sm, w);
    if (sm->effect.active || (!followed(sm) && inst->custom_id == PTX_BARRIER_ALL))
      do_barrier(sm, warp, inst, now);
    return true;
  case PTX_CLASS_FENCE:
    advance(sm, w);
    if (w->stores) wf_sm_set_state(sm, warp, WF_WARP_FENCE);
    return true;
  case PTX_CLASS_STORE:
  case PTX_CLASS_ATOMIC:
  case PTX_CLASS_COPY:
    start_memory(sm, warp, inst, now);
    break;
  case PTX_CLASS_LOAD:
    if (wf_sm_pipe_of(inst) == WF_PIPE_LSU) {
      start_memory(sm, warp, inst, now);
      break;
    }
    start_fixed_latency(sm, warp, sched, inst, now);
    break;
  case PTX_CLASS_COPY_GROUP:
    if (inst->custom_id == PTX_COPY_COMMIT)
      w->copy_group = (uint8_t)((w->copy_group + 1) % WF_COPY_GROUPS);
    break;
  case PTX_CLASS_CUSTOM:
    break;
  case PTX_CLASS_LAUNCH:
    wf_sm_set_state(sm, warp, WF_WARP_LAUNCHING);
    break;
  default:
    start_fixed_latency(sm, warp, sched, inst, now);
  }
  advance(sm, w);
  return true;
}

/* After an issue: may the warp issue again next cycle? */
static void update_ready(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  uint64_t bit = (uint64_t)1 << warp;
  sm->ready &= ~bit;
  w->idle_from = w->ready_at > now + 1 ? w->ready_at : now + 1;
  if (sm->row.issue) sm->row.issue->look(sm, warp, now);
  if (w->state == WF_WARP_RUN && w->ready_at <= now + 1 &&
      wf_sm_may_issue(sm, warp, wf_sm_next(w), now))
    wf_sm_set_ready(sm, warp);
}

static bool custom_fault(wf_sm *sm, const ptx_inst *inst, wf_error *err) {
  char what[512];
  snprintf(what, sizeof what, "%.500s", err->text);
  return wf_fail(err, err->code ? err->code : WF_EXIT_WRONG, "PTX line %u, SM %u: %s: %s",
                 inst->line, sm->id, ptx_inst_text(inst), what);
}

/* Issues warp's next instruction. *issued says whether it went (a unit may refuse). */
static bool issue(wf_sm *sm, unsigned warp, unsigned sched, uint64_t now, bool *issued,
                  wf_error *err) {
  wf_warp *w = &sm->warps[warp];
  const ptx_inst *inst = wf_sm_next(w);
  w->arch.clock = now;
  *issued = false;
  if (sm->row.issue) sm->row.issue->executes(sm, warp, inst);
  if (!execute(sm, inst, w, err)) {
    if (err && !followed(sm))
      err->code = WF_EXIT_WRONG; /* the program's fault, not the command line's */
    return false;
  }
  if (inst->cls == PTX_CLASS_CUSTOM) {
    wf_offer_result r = issue_custom(sm, warp, inst, err);
    if (r == WF_OFFER_FAULT) return custom_fault(sm, inst, err);
    if (r == WF_OFFER_PARK) {
      wf_sm_set_state(sm, warp, WF_WARP_PARKED);
      sm->ready &= ~((uint64_t)1 << warp);
    }
    if (r != WF_OFFER_DONE) return true;
  }
  if (inst->cls == PTX_CLASS_LAUNCH &&
      !wf_launcher_issue(sm->gpu->launcher, sm->id, warp, inst, &w->arch, &sm->effect, err)) {
    if (err) err->code = WF_EXIT_WRONG;
    return false;
  }
  *issued = true;
  if (sm->row.issue) {
    bool moved;
    if (!sm->row.issue->issued(sm, warp, inst, now, &moved, err)) return false;
    if (moved) {
      count_issue(sm, inst, sm->effect.active);
      sm->counters.by_class[PTX_CLASS_LOAD]--;
      sm->counters.by_class[PTX_CLASS_INT]++;
      sm->counters.register_reads -=
          inst->n_src; /* an address that it does not read, and the spare register */
      sm->counters.register_reads += inst->n_dst;
      start_move(sm, warp, sched, inst, now);
      advance(sm, w);
      update_ready(sm, warp, now);
      return true;
    }
  }
  count_issue(sm, inst, sm->effect.active);
  if (!dispatch_class(sm, warp, sched, inst, now)) return false;
  update_ready(sm, warp, now);
  return true;
}

static uint64_t blocked_pipes(const wf_sm *sm, unsigned sched, uint64_t now) {
  uint64_t blocked = 0;
  if (sm->sp_free[sched] > now) blocked |= sm->pipe_mask[WF_PIPE_SP];
  if (sm->sfu_free > now) blocked |= sm->pipe_mask[WF_PIPE_SFU];
  if (sm->queue_ring.count == sm->config->lsu_queue || sm->free_load == 0xffff)
    blocked |= sm->pipe_mask[WF_PIPE_LSU];
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->may_branch && !sm->row.listeners[i]->may_branch(sm))
      blocked |= sm->pipe_mask[WF_PIPE_CONTROL];
  return blocked;
}

static unsigned oldest(const wf_sm *sm, uint64_t candidates) {
  unsigned best = (unsigned)__builtin_ctzll(candidates);
  for (uint64_t m = candidates & (candidates - 1); m; m &= m - 1) {
    unsigned w = (unsigned)__builtin_ctzll(m);
    if (sm->warps[w].age < sm->warps[best].age) best = w;
  }
  return best;
}

static unsigned choose(const wf_sm *sm, unsigned sched, uint64_t candidates) {
  unsigned last = sm->last_chosen[sched];
  if (sm->config->scheduler == WF_SCHED_GTO)
    return candidates >> last & 1 ? last : oldest(sm, candidates);
  uint64_t after = candidates & ~(((uint64_t)2 << last) - 1);
  return (unsigned)__builtin_ctzll(after ? after : candidates);
}

/* Warps could issue, and none did: what held the first kind of them that is named. */
static wf_stall why_held(const wf_sm *sm, unsigned sched, uint64_t ready, uint64_t now) {
  if (ready & sm->pipe_mask[WF_PIPE_LSU]) {
    if (sm->queue_ring.count == sm->config->lsu_queue) return (wf_stall)sm->head_waits;
    if (sm->free_load == 0xffff) return WF_STALL_LSU_QUEUE;
  }
  if (sm->sp_free[sched] > now && ready & sm->pipe_mask[WF_PIPE_SP]) return WF_STALL_PIPE;
  if (sm->sfu_free > now && ready & sm->pipe_mask[WF_PIPE_SFU]) return WF_STALL_PIPE;
  return WF_STALL_UNIT;
}

/* Of warps none of which can issue. */
static wf_stall why_waiting(const wf_sm *sm, uint64_t warps) {
  wf_stall cause = WF_STALL_BARRIER;
  for (; warps; warps &= warps - 1) {
    const wf_warp *w = &sm->warps[__builtin_ctzll(warps)];
    wf_stall why = WF_STALL_BARRIER;
    if (w->loads || w->state == WF_WARP_FENCE) return WF_STALL_MEMORY;
    if (w->state == WF_WARP_PARKED) why = WF_STALL_UNIT;
    if (w->state == WF_WARP_LAUNCHING) why = WF_STALL_LAUNCH;
    if (w->state == WF_WARP_RUN) why = WF_STALL_DEPENDENCY;
    if (why == WF_STALL_DEPENDENCY || why < cause) cause = why;
  }
  return cause;
}

static wf_stall why_not(const wf_sm *sm, unsigned sched, uint64_t ready, uint64_t now) {
  const uint64_t mine = sm->resident & sm->sched_mask[sched];
  if (ready) return why_held(sm, sched, ready, now);
  if (sm->ready & mine) return WF_STALL_LIMIT;
  return mine ? why_waiting(sm, mine) : WF_STALL_IDLE;
}

/* Static warp limit: of each scheduler the oldest warps that do not wait at a barrier or fence. */
uint64_t wf_scheduler_limit(wf_sm *sm) {
  if (!sm->config->swl) return UINT64_MAX;
  if (!sm->limit_stale) return sm->limited;
  sm->limited = 0;
  for (unsigned s = 0; s < sm->config->schedulers; s++)
    sm->limited |= wf_sm_oldest_of(sm, sm->running & sm->sched_mask[s], sm->config->swl);
  sm->limit_stale = false;
  return sm->limited;
}

void wf_scheduler_rest(wf_sm *sm, unsigned sched, uint64_t now) {
  const uint64_t ready = sm->ready & sm->sched_mask[sched] & wf_scheduler_limit(sm);
  sm->sleep_cause[sched] = (uint8_t)why_not(sm, sched, ready, now);
}

/* Beside a unit where instructions issue, one turn chooses and the next one issues: round robin
 * goes on behind whom it chose, though he lost his turn, and he loses the next one, too, for which
 * what he has behind was chosen (rtl/spare_reg_pref/spref_choose.v). */
static void lose_turn(wf_sm *sm, unsigned sched, uint64_t candidates) {
  if (!sm->row.issue || !candidates) return;
  const unsigned warp = choose(sm, sched, candidates);
  sm->lost[sched] = (uint64_t)1 << warp;
  if (sm->config->scheduler != WF_SCHED_GTO) sm->last_chosen[sched] = warp;
}

bool wf_scheduler_loses(const wf_sm *sm) {
  uint64_t lost = 0;
  for (unsigned s = 0; s < sm->config->schedulers; s++) lost |= sm->lost[s];
  return lost != 0;
}

/* One scheduler's cycle: it tries its ready warps in policy order until one issues. Beside a unit
 * where instructions issue it may be slower than the SM. */
bool wf_scheduler_tick(wf_sm *sm, unsigned sched, uint64_t now, wf_error *err) {
  uint64_t ready = sm->ready & sm->sched_mask[sched] & wf_scheduler_limit(sm);
  uint64_t candidates = ready & ~blocked_pipes(sm, sched, now);
  if (sm->row.issue) {
    bool took;
    if (!sm->row.issue->turn(sm)) {
      sm->counters.stalls[why_not(sm, sched, ready, now)]++;
      return true;
    }
    candidates &= ~sm->lost[sched];
    sm->lost[sched] = 0;
    if (!sm->row.issue->inject(sm, sched, now, &took, err)) return false;
    if (took) {
      lose_turn(sm, sched, candidates);
      sm->counters.issue_cycles++;
      return true;
    }
  }
  const uint64_t may_go = candidates;
  while (candidates) {
    unsigned warp = choose(sm, sched, candidates);
    bool issued = false;
    const bool may = !sm->row.issue || sm->row.issue->takes(sm, warp);
    if (may && !issue(sm, warp, sched, now, &issued, err)) return false;
    if (issued) {
      sm->last_chosen[sched] = warp;
      sm->counters.issue_cycles++;
      return true;
    }
    candidates &= ~((uint64_t)1 << warp);
  }
  lose_turn(sm, sched, may_go);
  sm->counters.stalls[why_not(sm, sched, ready, now)]++;
  return true;
}
