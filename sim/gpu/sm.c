/* SM: warp state, schedulers, issue. The masks `ready` and `pipe_mask` are kept up to date as
 * events happen, so that a scheduler's choice is a few bit operations a cycle. */
#include "sim/gpu/sm.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/issue_unit.h"

enum { CAUSE_IDLE, CAUSE_MEMORY, CAUSE_DEPENDENCY, CAUSE_STRUCTURAL, CAUSE_BARRIER, CAUSE_UNIT };

bool wf_sm_init(wf_sm *sm, struct wf_gpu *gpu, unsigned id) {
  sm->gpu = gpu;
  sm->config = wf_gpu_get_config(gpu);
  sm->gpu_mem = gpu->mem;
  sm->id = id;
  sm->n_warps = sm->config->warps_per_sm;
  for (unsigned w = 0; w < sm->n_warps; w++)
    sm->sched_mask[w % sm->config->schedulers] |= (uint64_t)1 << w;
  sm->wake = WF_NEVER;
  return wf_lsu_init(sm);
}

void wf_sm_free(wf_sm *sm) {
  for (unsigned w = 0; w < WF_MAX_WARPS; w++) free(sm->warps[w].stack);
  for (unsigned c = 0; c < WF_MAX_CTAS; c++) free(sm->ctas[c].shared);
  for (unsigned b = 0; b < WF_WHEEL; b++) free(sm->wheel[b].events);
  free(sm->register_file);
  free(sm->predicate_file);
  free(sm->local_file);
  wf_lsu_free(sm);
}

/* ---- event wheel ---- */

void wf_sm_schedule(wf_sm *sm, uint64_t when, wf_wheel_event event) {
  wf_bucket *b = &sm->wheel[when % WF_WHEEL];
  if (b->count == b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 4;
    b->events = wf_realloc(b->events, b->capacity, sizeof *b->events);
  }
  b->events[b->count++] = event;
  sm->wheel_used[when % WF_WHEEL / 64] |= (uint64_t)1 << (when % 64);
}

/* First cycle after `now` with an event, WF_NEVER if there is none. */
static uint64_t next_event(const wf_sm *sm, uint64_t now) {
  unsigned start = (unsigned)((now + 1) % WF_WHEEL);
  for (unsigned i = 0; i <= WF_WHEEL / 64; i++) {
    unsigned word = (start / 64 + i) % (WF_WHEEL / 64);
    uint64_t bits = sm->wheel_used[word];
    if (i == 0) bits &= ~(uint64_t)0 << (start % 64);
    if (bits) {
      unsigned at = word * 64 + (unsigned)__builtin_ctzll(bits);
      return now + 1 + (at - start + WF_WHEEL) % WF_WHEEL;
    }
  }
  return WF_NEVER;
}

/* ---- where instructions come from ---- */

/* A trace says where warps go; otherwise branches do. */
static bool followed(const wf_sm *sm) {
  return sm->source && sm->source->follows;
}

static bool execute(wf_sm *sm, const ptx_inst *inst, wf_warp *w, wf_error *err) {
  const uint32_t mask = w->stack[w->depth - 1].mask;
  if (sm->source) return sm->source->execute(sm->source, inst, &w->arch, mask, &sm->effect, err);
  return ptx_execute(inst, &w->arch, mask, &sm->effect, err);
}

/* ---- scoreboard and readiness ---- */

void wf_sm_set_state(wf_sm *sm, unsigned warp, wf_warp_state state) {
  const uint64_t bit = (uint64_t)1 << warp;
  sm->warps[warp].state = (uint8_t)state;
  sm->running = state == WF_WARP_RUN ? sm->running | bit : sm->running & ~bit;
  sm->limit_stale = true;
}

static bool operands_ready(const wf_warp *w, const ptx_inst *inst) {
  uint64_t busy = 0;
  if (inst->cls == PTX_CLASS_EXIT) { /* the slot may be reused: nothing may still write to it */
    for (unsigned i = 0; i < WF_SCOREBOARD_WORDS; i++) busy |= w->pending[i];
    return !busy && !w->loads;
  }
  for (unsigned i = 0; i < inst->n_src; i++)
    busy |= w->pending[inst->src[i] / 64] >> (inst->src[i] % 64);
  for (unsigned i = 0; i < inst->n_dst; i++)
    busy |= w->pending[inst->dst[i] / 64] >> (inst->dst[i] % 64);
  return !(busy & 1);
}

static wf_pipe pipe_of(const ptx_inst *inst) {
  switch (inst->cls) {
  case PTX_CLASS_SFU:
    return WF_PIPE_SFU;
  case PTX_CLASS_LOAD:
    if (inst->space == PTX_SPACE_PARAM || inst->space == PTX_SPACE_CONST) return WF_PIPE_CONTROL;
    return WF_PIPE_LSU;
  case PTX_CLASS_STORE:
  case PTX_CLASS_ATOMIC:
    return WF_PIPE_LSU;
  case PTX_CLASS_BRANCH:
  case PTX_CLASS_BARRIER:
  case PTX_CLASS_FENCE:
  case PTX_CLASS_LAUNCH:
  case PTX_CLASS_EXIT:
    return WF_PIPE_CONTROL;
  case PTX_CLASS_CUSTOM:
    return WF_PIPE_UNIT;
  default:
    return WF_PIPE_SP;
  }
}

const ptx_inst *wf_sm_next(const wf_warp *w) {
  return &w->arch.launch->kernel->insts[w->stack[w->depth - 1].pc];
}
bool wf_sm_operands_ready(const wf_warp *w, const ptx_inst *inst) {
  return operands_ready(w, inst);
}

static bool may_issue(wf_sm *sm, unsigned warp, const ptx_inst *inst, uint64_t now) {
  if (sm->issue) return wf_issue_may(sm, warp, inst, now);
  return operands_ready(&sm->warps[warp], inst);
}

static const ptx_inst *next_inst(const wf_warp *w) {
  return &w->arch.launch->kernel->insts[w->stack[w->depth - 1].pc];
}

static void set_ready(wf_sm *sm, unsigned warp) {
  uint64_t bit = (uint64_t)1 << warp;
  wf_pipe pipe = pipe_of(next_inst(&sm->warps[warp]));
  if (sm->issue && wf_issue_moves(sm, warp)) pipe = WF_PIPE_SP;
  for (unsigned p = 0; p < WF_PIPE_COUNT; p++) sm->pipe_mask[p] &= ~bit;
  sm->pipe_mask[pipe] |= bit;
  sm->ready |= bit;
}

void wf_sm_recheck(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  if (sm->issue) wf_issue_look(sm, warp, now);
  if (w->state != WF_WARP_RUN || w->ready_at > now) return;
  if (!may_issue(sm, warp, next_inst(w), now)) return;
  set_ready(sm, warp);
  if (sm->wake > now) sm->wake = now;
}

/* A load, or the move in its place, is done: has the warp waited for it? */
static void time_wait(wf_sm *sm, const wf_wheel_event *e, uint64_t now) {
  const wf_warp *w = &sm->warps[e->warp];
  if (w->state != WF_WARP_RUN || w->idle_from >= now) return;
  const ptx_inst *next = next_inst(w);
  bool needs = next->cls == PTX_CLASS_EXIT;
  for (unsigned d = 0; d < e->inst->n_dst; d++) {
    for (unsigned i = 0; i < next->n_src; i++) needs |= next->src[i] == e->inst->dst[d];
    for (unsigned i = 0; i < next->n_dst; i++) needs |= next->dst[i] == e->inst->dst[d];
  }
  if (needs)
    wf_load_times_wait(sm->gpu->load_times, (ptx_pc)(e->inst - w->arch.launch->kernel->insts),
                       now - w->idle_from);
}

static void tell_load_done(wf_sm *sm, const wf_wheel_event *e) {
  if (e->inst->cls != PTX_CLASS_LOAD) return;
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->load_done)
      sm->row.listeners[i]->load_done(sm, e->warp, wf_sm_pc_of(sm, e->warp, e->inst));
}

static void written(wf_warp *w, const ptx_inst *inst) {
  for (unsigned d = 0; d < inst->n_dst; d++)
    w->pending[inst->dst[d] / 64] &= ~((uint64_t)1 << (inst->dst[d] % 64));
}

static void run_events(wf_sm *sm, uint64_t now) {
  wf_bucket *b = &sm->wheel[now % WF_WHEEL];
  if (!b->count) return;
  for (unsigned i = 0; i < b->count; i++) {
    wf_wheel_event e = b->events[i];
    wf_warp *w = &sm->warps[e.warp];
    switch (e.kind) {
    case WF_WHEEL_LOOK:
      break;
    case WF_WHEEL_SPARE:
      w->loads--;
      wf_issue_load_done(sm, &e);
      tell_load_done(sm, &e);
      break;
    case WF_WHEEL_LOAD:
      w->loads--;
      written(w, e.inst);
      tell_load_done(sm, &e);
      if (sm->gpu->load_times) time_wait(sm, &e, now);
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
  b->count = 0;
  sm->wheel_used[now % WF_WHEEL / 64] &= ~((uint64_t)1 << (now % 64));
}

/* ---- SIMT stack ---- */

static void push_entry(wf_warp *w, ptx_pc pc, ptx_pc reconverge, uint32_t mask) {
  if (w->depth == w->stack_capacity) {
    w->stack_capacity = w->stack_capacity ? 2 * w->stack_capacity : 16;
    w->stack = wf_realloc(w->stack, w->stack_capacity, sizeof *w->stack);
  }
  w->stack[w->depth++] = (wf_simt_entry){pc, reconverge, mask};
}

/* Paths that have reached their reconvergence point join the entry below. */
static void pop_reconverged(wf_warp *w) {
  while (w->depth > 1 && w->stack[w->depth - 1].pc == w->stack[w->depth - 1].reconverge) w->depth--;
}

static void take_branch(wf_warp *w, const ptx_inst *inst, uint32_t taken) {
  wf_simt_entry *top = &w->stack[w->depth - 1];
  uint32_t mask = top->mask, fall = mask & ~taken;
  ptx_pc next = top->pc + 1, join = inst->reconverge;
  if (!fall || !taken) {
    top->pc = taken ? inst->target : next;
  } else {
    /* The top becomes the entry that waits at the join, unless one below already does. */
    if (top->reconverge == join && w->depth > 1)
      w->depth--;
    else
      top->pc = join;
    if (next != join) push_entry(w, next, join, fall);
    if (inst->target != join) push_entry(w, inst->target, join, taken);
  }
  pop_reconverged(w);
}

/* Lanes leave the kernel; true if none is left. */
static bool drop_lanes(wf_warp *w, uint32_t lanes) {
  unsigned kept = 0;
  for (unsigned i = 0; i < w->depth; i++) {
    w->stack[i].mask &= ~lanes;
    if (w->stack[i].mask) w->stack[kept++] = w->stack[i];
  }
  w->depth = kept;
  if (kept) pop_reconverged(w);
  return kept == 0;
}

static void tell_branch(wf_sm *sm, unsigned warp, ptx_pc from) {
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->branched) sm->row.listeners[i]->branched(sm, warp, from);
}

/* ---- CTAs ---- */

void wf_sm_needs(const wf_gpu_config *c, const ptx_launch *launch, uint32_t *warps,
                 uint32_t *registers) {
  uint32_t threads = launch->ntid[0] * launch->ntid[1] * launch->ntid[2];
  uint32_t g = c->register_granularity, per_warp = launch->kernel->n_regs * PTX_LANES;
  *warps = (threads + PTX_LANES - 1) / PTX_LANES;
  *registers = (per_warp + g - 1) / g * g * *warps;
}

unsigned wf_sm_fit(const wf_gpu_config *c, const ptx_launch *launch, uint32_t shared_bytes,
                   wf_error *err) {
  uint32_t threads = launch->ntid[0] * launch->ntid[1] * launch->ntid[2];
  uint32_t warps, registers;
  wf_sm_needs(c, launch, &warps, &registers);
  const char *name = launch->kernel->name;
  if (warps > c->warps_per_sm)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "kernel %s: a block of %u threads needs %u warps, an SM has %u", name, threads,
                   warps, c->warps_per_sm);
  if (registers > c->registers_per_sm)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "kernel %s: a block needs %u registers (%u a thread), an SM has %u", name,
                   registers, launch->kernel->n_regs, c->registers_per_sm);
  if (shared_bytes > c->shared_bytes_per_sm)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "kernel %s: a block needs %u bytes of shared memory, an SM has %u", name,
                   shared_bytes, c->shared_bytes_per_sm);
  unsigned fit = c->ctas_per_sm;
  if (fit > c->warps_per_sm / warps) fit = c->warps_per_sm / warps;
  if (fit > c->registers_per_sm / registers) fit = c->registers_per_sm / registers;
  if (shared_bytes && fit > c->shared_bytes_per_sm / shared_bytes)
    fit = c->shared_bytes_per_sm / shared_bytes;
  return fit;
}

static void *renew(void *old, size_t bytes) {
  free(old);
  size_t rounded = (bytes + 63) / 64 * 64;
  void *fresh = rounded ? aligned_alloc(64, rounded) : NULL;
  if (fresh) return memset(fresh, 0, rounded);
  return rounded ? wf_calloc(SIZE_MAX / 2, 1) : NULL; /* reports the shortage */
}

bool wf_sm_begin_kernel(wf_sm *sm, const wf_sm_needs_max *most, uint32_t shared_bytes,
                        unsigned ctas) {
  sm->reg_stride = most->registers;
  sm->pred_stride = most->predicates + 1;
  sm->local_stride = most->local_bytes;
  sm->register_file =
      renew(sm->register_file, (size_t)sm->n_warps * sm->reg_stride * 4 * PTX_LANES);
  sm->predicate_file = renew(sm->predicate_file, (size_t)sm->n_warps * sm->pred_stride * 4);
  sm->local_file = renew(sm->local_file, (size_t)sm->n_warps * sm->local_stride * PTX_LANES);
  for (unsigned c = 0; c < ctas; c++) {
    sm->ctas[c].shared_room = shared_bytes;
    sm->ctas[c].shared = renew(sm->ctas[c].shared, shared_bytes);
  }
  wf_l1_clear(sm->l1);
  if (sm->prefetcher) wf_prefetcher_clear(sm->prefetcher);
  const wf_gpu_config *c = sm->config;
  sm->row = (wf_row){0};
  sm->may_bypass = c->l1_tokens || c->l1_abyp || c->l1_pd || c->l1_bypass_stalls || c->l1_sectored;
  return true;
}

/* The n oldest of the warps. */
static uint64_t oldest_of(const wf_sm *sm, uint64_t warps, unsigned n) {
  while ((unsigned)__builtin_popcountll(warps) > n) {
    unsigned youngest = (unsigned)__builtin_ctzll(warps);
    for (uint64_t m = warps; m; m &= m - 1) {
      unsigned w = (unsigned)__builtin_ctzll(m);
      if (sm->warps[w].uid > sm->warps[youngest].uid) youngest = w;
    }
    warps &= ~((uint64_t)1 << youngest);
  }
  return warps;
}

/* Warps come and go: who may allocate in the L1 now? */
static void hand_out_tokens(wf_sm *sm) {
  uint64_t living = 0;
  if (!sm->config->l1_tokens) return;
  for (unsigned w = 0; w < sm->n_warps; w++)
    living |= (uint64_t)(sm->warps[w].state != WF_WARP_FREE) << w;
  sm->tokens = oldest_of(sm, living, sm->config->l1_tokens);
}

static void start_warp(wf_sm *sm, unsigned slot, unsigned cta, unsigned warp_in_cta, uint32_t valid,
                       const ptx_launch *launch, const uint32_t ctaid[3], uint64_t now) {
  const ptx_kernel *k = launch->kernel;
  wf_warp *w = &sm->warps[slot];
  w->arch =
      (ptx_warp){.launch = launch,
                 .reg = (uint32_t(*)[PTX_LANES])sm->register_file + (size_t)slot * sm->reg_stride,
                 .pred = sm->predicate_file + (size_t)slot * sm->pred_stride,
                 .shared = sm->ctas[cta].shared,
                 .shared_limit = sm->ctas[cta].shared_bytes,
                 .ctaid = {ctaid[0], ctaid[1], ctaid[2]},
                 .warp_in_cta = warp_in_cta,
                 .sm_id = sm->id,
                 .warp_slot = slot,
                 .valid = valid};
  if (sm->local_file) w->arch.local = sm->local_file + (size_t)slot * sm->local_stride * PTX_LANES;
  memset(w->pending, 0, sizeof w->pending);
  w->depth = 0;
  push_entry(w, sm->source ? sm->source->start_warp(sm->source, &w->arch) : 0, k->n_insts, valid);
  wf_sm_set_state(sm, slot, WF_WARP_RUN);
  w->cta = (uint8_t)cta;
  w->age = now;
  w->uid = ++sm->warps_started;
  hand_out_tokens(sm);
  w->ready_at = now + 1;
  sm->resident |= (uint64_t)1 << slot;
  if (sm->gpu->observer.warps)
    wf_gpu_see(sm->gpu, &(wf_seen){.kind = WF_SEEN_WARP_START,
                                   .cycle = now,
                                   .name = k->name,
                                   .grid = sm->ctas[cta].grid,
                                   .sm = sm->id,
                                   .slot = slot});
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->warp_start) sm->row.listeners[i]->warp_start(sm, slot);
  wf_sm_schedule(sm, now + 1, (wf_wheel_event){.warp = (uint8_t)slot});
}

void wf_sm_start_cta(wf_sm *sm, const wf_sm_block *block, uint64_t now) {
  wf_sm_settle(sm, now);
  const unsigned c = block->slot;
  uint32_t ctaid[3] = {block->ctaid[0], block->ctaid[1], block->ctaid[2]};
  sm->source = sm->gpu->source;
  if (sm->source) sm->source->start_cta(sm->source, ctaid);
  wf_cta *cta = &sm->ctas[c];
  uint32_t threads = block->launch->ntid[0] * block->launch->ntid[1] * block->launch->ntid[2];
  if (cta->shared_room < block->shared_bytes) {
    cta->shared_room = block->shared_bytes;
    cta->shared = renew(cta->shared, block->shared_bytes);
  }
  cta->shared_bytes = block->shared_bytes;
  cta->grid = block->grid;
  cta->used = true;
  cta->at_barrier = cta->live = 0;
  cta->warps = 0;
  sm->counters.ctas++;
  for (unsigned slot = 0; threads; slot++) {
    if (sm->resident >> slot & 1) continue;
    uint32_t valid = threads >= PTX_LANES ? UINT32_MAX : (1u << threads) - 1;
    cta->warps |= (uint64_t)1 << slot;
    start_warp(sm, slot, c, cta->live++, valid, block->launch, ctaid, now);
    threads -= threads >= PTX_LANES ? PTX_LANES : threads;
  }
  if (sm->wake > now + 1) sm->wake = now + 1;
}

static void release_barrier(wf_sm *sm, wf_cta *cta, uint64_t now) {
  if (!cta->live || cta->at_barrier < cta->live) return;
  cta->at_barrier = 0;
  for (uint64_t m = cta->warps; m; m &= m - 1) {
    unsigned slot = (unsigned)__builtin_ctzll(m);
    wf_warp *w = &sm->warps[slot];
    if (w->state != WF_WARP_BARRIER) continue;
    wf_sm_set_state(sm, slot, WF_WARP_RUN);
    w->ready_at = now + 1;
    wf_sm_schedule(sm, now + 1, (wf_wheel_event){.warp = (uint8_t)slot});
  }
}

static void finish_warp(wf_sm *sm, unsigned slot, uint64_t now) {
  wf_warp *w = &sm->warps[slot];
  wf_cta *cta = &sm->ctas[w->cta];
  wf_sm_set_state(sm, slot, WF_WARP_FREE);
  if (sm->gpu->observer.warps)
    wf_gpu_see(sm->gpu,
               &(wf_seen){.kind = WF_SEEN_WARP_END, .cycle = now, .sm = sm->id, .slot = slot});
  if (sm->source) sm->source->end_warp(sm->source, &w->arch);
  hand_out_tokens(sm);
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->warp_end) sm->row.listeners[i]->warp_end(sm, slot);
  cta->live--;
  release_barrier(sm, cta, now);
  if (cta->live) return;
  sm->resident &= ~cta->warps;
  cta->used = false;
  for (unsigned i = 0; i < sm->row.n_stages; i++)
    if (sm->row.stages[i]->block_end) sm->row.stages[i]->block_end(sm, w->cta);
  wf_launcher_block_done(sm->gpu->launcher, sm->id, w->cta, cta->grid);
}

/* ---- issue ---- */

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
    w->stack[w->depth - 1].pc = sm->source->next(sm->source, &w->arch);
    return;
  }
  w->stack[w->depth - 1].pc++;
  pop_reconverged(w);
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

static void do_barrier(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_cta *cta = &sm->ctas[sm->warps[warp].cta];
  wf_sm_set_state(sm, warp, WF_WARP_BARRIER);
  cta->at_barrier++;
  release_barrier(sm, cta, now);
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
  wf_sm_schedule(sm, now + wf_issue_move_latency(sm),
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

/* What an instruction does beyond its registers. Returns false only on a fault. */
static bool dispatch_class(wf_sm *sm, unsigned warp, unsigned sched, const ptx_inst *inst,
                           uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  const ptx_pc pc = w->stack[w->depth - 1].pc;
  switch (inst->cls) {
  case PTX_CLASS_BRANCH:
    if (followed(sm))
      advance(sm, w);
    else
      take_branch(w, inst, sm->effect.taken);
    tell_branch(sm, warp, pc);
    w->ready_at = now + sm->config->branch_latency;
    wf_sm_schedule(sm, w->ready_at, (wf_wheel_event){.warp = (uint8_t)warp});
    return true;
  case PTX_CLASS_EXIT:
    advance(sm, w);
    if (followed(sm) ? w->stack[0].pc == w->arch.launch->kernel->n_insts
                     : drop_lanes(w, sm->effect.active))
      finish_warp(sm, warp, now);
    else
      tell_branch(sm, warp, pc);
    return true;
  case PTX_CLASS_BARRIER:
    advance(sm, w);
    if (!followed(sm) || sm->effect.active) do_barrier(sm, warp, now);
    return true;
  case PTX_CLASS_FENCE:
    advance(sm, w);
    if (w->stores) wf_sm_set_state(sm, warp, WF_WARP_FENCE);
    return true;
  case PTX_CLASS_STORE:
  case PTX_CLASS_ATOMIC:
    start_memory(sm, warp, inst, now);
    break;
  case PTX_CLASS_LOAD:
    if (pipe_of(inst) == WF_PIPE_LSU) {
      start_memory(sm, warp, inst, now);
      break;
    }
    start_fixed_latency(sm, warp, sched, inst, now);
    break;
  case PTX_CLASS_CUSTOM:
    break;
  case PTX_CLASS_LAUNCH:
    wf_sm_set_state(sm, warp, WF_WARP_PARKED);
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
  if (sm->issue) wf_issue_look(sm, warp, now);
  if (w->state == WF_WARP_RUN && w->ready_at <= now + 1 && may_issue(sm, warp, next_inst(w), now))
    set_ready(sm, warp);
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
  const ptx_inst *inst = next_inst(w);
  w->arch.clock = now;
  *issued = false;
  if (sm->issue) wf_issue_executes(sm, warp, inst);
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
  if (sm->issue) {
    bool moved;
    if (!wf_issue_issued(sm, warp, inst, now, &moved, err)) return false;
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
  if (sm->queue_count == sm->config->lsu_queue || sm->free_load == 0xffff)
    blocked |= sm->pipe_mask[WF_PIPE_LSU];
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
  unsigned last = sm->last_issued[sched];
  if (sm->config->scheduler == WF_SCHED_GTO)
    return candidates >> last & 1 ? last : oldest(sm, candidates);
  uint64_t after = candidates & ~(((uint64_t)2 << last) - 1);
  return (unsigned)__builtin_ctzll(after ? after : candidates);
}

static unsigned why_not(const wf_sm *sm, unsigned sched, uint64_t candidates) {
  if (candidates) return CAUSE_STRUCTURAL;
  uint64_t mine = sm->resident & sm->sched_mask[sched];
  if (!mine) return CAUSE_IDLE;
  unsigned cause = CAUSE_BARRIER;
  for (; mine; mine &= mine - 1) {
    const wf_warp *w = &sm->warps[__builtin_ctzll(mine)];
    if (w->loads || w->state == WF_WARP_FENCE) return CAUSE_MEMORY;
    if (w->state == WF_WARP_PARKED) cause = CAUSE_UNIT;
    if (w->state == WF_WARP_RUN && cause == CAUSE_BARRIER) cause = CAUSE_DEPENDENCY;
  }
  return cause;
}

static void add_stall(wf_sm *sm, unsigned cause, uint64_t cycles) {
  uint64_t *counter[] = {&sm->counters.stall_idle,       &sm->counters.stall_memory,
                         &sm->counters.stall_dependency, &sm->counters.stall_structural,
                         &sm->counters.stall_barrier,    &sm->counters.stall_unit};
  *counter[cause] += cycles;
}

/* Static warp limit: of each scheduler the oldest warps that do not wait at a barrier or fence. */
static uint64_t within_limit(wf_sm *sm) {
  if (!sm->config->swl) return UINT64_MAX;
  if (!sm->limit_stale) return sm->limited;
  sm->limited = 0;
  for (unsigned s = 0; s < sm->config->schedulers; s++)
    sm->limited |= oldest_of(sm, sm->running & sm->sched_mask[s], sm->config->swl);
  sm->limit_stale = false;
  return sm->limited;
}

/* One scheduler's cycle: it tries its ready warps in policy order until one issues. */
static bool schedule(wf_sm *sm, unsigned sched, uint64_t now, wf_error *err) {
  uint64_t ready = sm->ready & sm->sched_mask[sched] & within_limit(sm);
  uint64_t candidates = ready & ~blocked_pipes(sm, sched, now);
  if (sm->issue) {
    if (wf_issue_inject(sm, sched, now)) {
      sm->counters.issue_cycles++;
      return true;
    }
    if (candidates && wf_issue_full(sm)) candidates = 0;
  }
  while (candidates) {
    unsigned warp = choose(sm, sched, candidates);
    bool issued;
    if (!issue(sm, warp, sched, now, &issued, err)) return false;
    if (issued) {
      sm->last_issued[sched] = warp;
      sm->counters.issue_cycles++;
      return true;
    }
    candidates &= ~((uint64_t)1 << warp);
  }
  sm->sleep_cause[sched] = (uint8_t)why_not(sm, sched, ready);
  add_stall(sm, sm->sleep_cause[sched], 1);
  return true;
}

void wf_sm_settle(wf_sm *sm, uint64_t now) {
  if (now <= sm->last_tick + 1) return;
  uint64_t slept = now - sm->last_tick - 1;
  for (unsigned s = 0; s < sm->config->schedulers; s++) add_stall(sm, sm->sleep_cause[s], slept);
  sm->counters.occupied_warp_cycles += slept * (unsigned)__builtin_popcountll(sm->resident);
  sm->last_tick = now - 1;
}

bool wf_sm_tick(wf_sm *sm, uint64_t now, wf_error *err) {
  wf_sm_settle(sm, now);
  sm->last_tick = now;
  sm->counters.occupied_warp_cycles += (unsigned)__builtin_popcountll(sm->resident);
  run_events(sm, now);
  if (wf_lsu_works(sm)) wf_lsu_tick(sm, now);
  for (unsigned s = 0; s < sm->config->schedulers; s++)
    if (!schedule(sm, s, now, err)) return false;
  bool busy =
      (sm->ready & within_limit(sm)) || wf_lsu_works(sm) || (sm->issue && wf_issue_wants(sm, now));
  sm->wake = busy ? now + 1 : next_event(sm, now);
  return true;
}

void wf_sm_reply(wf_sm *sm, const wf_packet *packet, uint64_t now) {
  wf_sm_settle(sm, now);
  wf_lsu_reply(sm, packet, now);
  uint64_t next = next_event(sm, now);
  if (sm->wake > next) sm->wake = next;
}

void wf_sm_wake_parked(wf_sm *sm, unsigned warp, uint64_t now) {
  wf_warp *w = &sm->warps[warp];
  if (w->state != WF_WARP_PARKED) return;
  wf_sm_settle(sm, now);
  wf_sm_set_state(sm, warp, WF_WARP_RUN);
  wf_sm_recheck(sm, warp, now);
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
  static const char *const names[] = {"free", "running", "at a barrier", "at a fence",
                                      "waiting for a unit"};
  size_t n = 0;
  for (unsigned i = 0; i < sm->n_warps && n < bytes; i++) {
    const wf_warp *w = &sm->warps[i];
    if (w->state == WF_WARP_FREE) continue;
    const ptx_inst *inst = next_inst(w);
    n += (size_t)snprintf(text + n, bytes - n,
                          "SM %u warp %u: %s, PTX line %u `%s`, %u loads and %u stores in flight\n",
                          sm->id, i, names[w->state], inst->line, ptx_inst_text(inst), w->loads,
                          w->stores);
  }
  for (unsigned i = 0; i < sm->row.n_stages && n < bytes; i++)
    if (sm->row.stages[i]->describe) n += sm->row.stages[i]->describe(sm, text + n, bytes - n);
  return n < bytes ? n : bytes;
}
