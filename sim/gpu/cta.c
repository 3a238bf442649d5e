#include "sim/gpu/cta.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/ready.h"
#include "sim/gpu/sleep.h"

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
  sm->may_bypass = c->l1_tokens || c->l1_abyp || c->l1_pd || c->l1_bypass_stalls || c->l1_bypass ||
                   c->l1_sectored;
  return true;
}

uint64_t wf_sm_oldest_of(const wf_sm *sm, uint64_t warps, unsigned n) {
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
  sm->tokens = wf_sm_oldest_of(sm, living, sm->config->l1_tokens);
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
  const ptx_pc first = sm->source ? sm->source->start_warp(sm->source, &w->arch) : 0;
  wf_simt_start(&w->simt, &(wf_simt_entry){first, k->n_insts, valid});
  wf_sm_set_state(sm, slot, WF_WARP_RUN);
  w->cta = (uint8_t)cta;
  w->age = now;
  w->uid = ++sm->warps_started;
  hand_out_tokens(sm);
  w->ready_at = now + 1;
  sm->resident |= (uint64_t)1 << slot;
  if (wf_gpu_sees_warps(sm->gpu))
    wf_gpu_see(sm->gpu, &(wf_seen){.kind = WF_SEEN_WARP_START,
                                   .cycle = sm->gpu->cycle,
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
  memset(cta->barriers, 0, sizeof cta->barriers);
  cta->live = 0;
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

void wf_cta_release_barrier(wf_sm *sm, wf_cta *cta, unsigned id, uint64_t now) {
  wf_barrier *b = &cta->barriers[id];
  if (!cta->live || !wf_barrier_opens(b, cta->live)) return;
  for (uint64_t m = cta->warps; m; m &= m - 1) {
    unsigned slot = (unsigned)__builtin_ctzll(m);
    wf_warp *w = &sm->warps[slot];
    if (w->state != WF_WARP_BARRIER || w->wait.id != id) continue;
    wf_barrier_leave(b, &w->wait, &w->arch);
    wf_sm_set_state(sm, slot, WF_WARP_RUN);
    w->ready_at = now + 1;
    wf_sm_schedule(sm, now + 1, (wf_wheel_event){.warp = (uint8_t)slot});
  }
  *b = (wf_barrier){0};
}

bool wf_cta_finish_warp(wf_sm *sm, unsigned slot, uint64_t now) {
  wf_warp *w = &sm->warps[slot];
  wf_cta *cta = &sm->ctas[w->cta];
  wf_sm_set_state(sm, slot, WF_WARP_FREE);
  if (wf_gpu_sees_warps(sm->gpu))
    wf_gpu_see(
        sm->gpu,
        &(wf_seen){.kind = WF_SEEN_WARP_END, .cycle = sm->gpu->cycle, .sm = sm->id, .slot = slot});
  if (sm->source) sm->source->end_warp(sm->source, &w->arch);
  hand_out_tokens(sm);
  for (unsigned i = 0; i < sm->row.n_listeners; i++)
    if (sm->row.listeners[i]->warp_end) sm->row.listeners[i]->warp_end(sm, slot);
  cta->live--;
  for (unsigned id = 0; id < WF_BARRIERS; id++) wf_cta_release_barrier(sm, cta, id, now);
  if (cta->live) return false;
  sm->resident &= ~cta->warps;
  cta->used = false;
  for (unsigned i = 0; i < sm->row.n_stages; i++)
    if (sm->row.stages[i]->block_end) sm->row.stages[i]->block_end(sm, w->cta);
  return true;
}
