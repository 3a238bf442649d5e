#include "sim/gpu/functional.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/barrier.h"
#include "sim/gpu/simt.h"

/* Instructions of a warp between barriers after which it counts as waiting for a warp that does not
 * run. */
#define PATIENCE (UINT64_C(1) << 28)

typedef struct lone_warp {
  ptx_warp arch;
  wf_simt simt;
  bool running, waiting;
  wf_barrier_wait wait;
} lone_warp;

/* One block's worth of state, used for block after block. */
typedef struct lone_block {
  const ptx_launch *launch;
  lone_warp *warps;
  unsigned n_warps;
  uint32_t threads, shared_bytes;
  wf_barrier barriers[WF_BARRIERS];
  uint8_t *shared, *local;
  uint32_t (*reg)[PTX_LANES];
  uint32_t *pred;
  wf_functional_counts *counts;
} lone_block;

static uint32_t volume(const uint32_t n[3]) {
  return n[0] * n[1] * n[2];
}

static void *lines(size_t bytes) { /* aligned as registers must be; never empty */
  void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);
  return p ? p : wf_calloc(SIZE_MAX / 2, 1); /* reports the shortage */
}

static bool refuse(const lone_warp *w, const ptx_inst *inst, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "kernel %s: line %u: %s: sample.* executes it without timing, which has neither "
                 "units nor launches by threads",
                 w->arch.launch->kernel->name, inst->line, ptx_inst_text(inst));
}

/* To its end or its next barrier. */
static bool run_warp(lone_block *b, lone_warp *w, wf_error *err) {
  wf_functional_counts *counts = b->counts;
  const ptx_kernel *k = w->arch.launch->kernel;
  const uint64_t limit = counts->warp_instructions + PATIENCE;
  ptx_effect effect = {0};
  while (w->running) {
    wf_simt_entry *top = wf_simt_top(&w->simt);
    const ptx_inst *inst = &k->insts[top->pc];
    if (inst->cls == PTX_CLASS_CUSTOM || inst->cls == PTX_CLASS_LAUNCH) return refuse(w, inst, err);
    w->arch.clock = counts->warp_instructions++;
    if (!ptx_execute(inst, &w->arch, top->mask, &effect, err)) return false;
    counts->thread_instructions += (unsigned)__builtin_popcount(effect.active);
    if (inst->cls == PTX_CLASS_BRANCH) {
      wf_simt_branch(&w->simt, inst, &effect);
      continue;
    }
    top->pc++;
    wf_simt_join(&w->simt);
    if (inst->cls == PTX_CLASS_EXIT) w->running = !wf_simt_drop(&w->simt, effect.active);
    if (inst->cls == PTX_CLASS_BARRIER && (effect.active || inst->custom_id == PTX_BARRIER_ALL)) {
      w->waiting = wf_barrier_come(b->barriers, inst, &effect, &w->wait);
      if (w->waiting) return true;
    }
    if (counts->warp_instructions > limit)
      return wf_fail(err, WF_EXIT_HANG,
                     "kernel %s: a warp ran %llu instructions without a barrier: if it waits for "
                     "another warp, its launches must be "
                     "timed (sample.*)",
                     k->name, (unsigned long long)PATIENCE);
  }
  return true;
}

static void start(lone_block *b, const uint32_t block[3]) {
  const ptx_kernel *k = b->launch->kernel;
  memset(b->shared, 0, b->shared_bytes);
  memset(b->local, 0, (size_t)b->n_warps * PTX_LANES * k->local_bytes);
  for (unsigned i = 0; i < b->n_warps; i++) {
    lone_warp *w = &b->warps[i];
    const uint32_t lanes = b->threads - i * PTX_LANES;
    w->arch = (ptx_warp){.launch = b->launch,
                         .reg = b->reg + (size_t)i * k->n_regs,
                         .pred = b->pred + (size_t)i * (k->n_preds + 1),
                         .shared = b->shared,
                         .shared_limit = b->shared_bytes,
                         .local = k->local_bytes ? b->local + (size_t)i * PTX_LANES * k->local_bytes
                                                 : NULL,
                         .ctaid = {block[0], block[1], block[2]},
                         .warp_in_cta = i,
                         .warp_slot = i,
                         .valid = lanes >= PTX_LANES ? UINT32_MAX : (1u << lanes) - 1};
    wf_simt_start(&w->simt, &(wf_simt_entry){0, k->n_insts, w->arch.valid});
    w->running = true;
    w->waiting = false;
  }
}

/* True if one opens. */
static bool open_barriers(lone_block *b, unsigned running) {
  bool any = false;
  for (unsigned id = 0; id < WF_BARRIERS; id++) {
    if (!wf_barrier_opens(&b->barriers[id], running)) continue;
    any = true;
    for (unsigned i = 0; i < b->n_warps; i++) {
      lone_warp *w = &b->warps[i];
      if (!w->waiting || w->wait.id != id) continue;
      wf_barrier_leave(&b->barriers[id], &w->wait, &w->arch);
      w->waiting = false;
    }
    b->barriers[id] = (wf_barrier){0};
  }
  return any;
}

static bool run_block(lone_block *b, const uint32_t block[3], wf_error *err) {
  start(b, block);
  memset(b->barriers, 0, sizeof b->barriers);
  for (unsigned running = b->n_warps; running;) {
    bool went = false;
    running = 0;
    for (unsigned i = 0; i < b->n_warps; i++) {
      lone_warp *w = &b->warps[i];
      went |= w->running && !w->waiting;
      if (w->running && !w->waiting && !run_warp(b, w, err)) return false;
      running += w->running;
    }
    if (!open_barriers(b, running) && !went && running)
      return wf_fail(err, WF_EXIT_HANG, "kernel %s: its warps wait at barriers that do not open",
                     b->launch->kernel->name);
  }
  return true;
}

bool wf_functional_run(const ptx_launch *launch, uint32_t shared_bytes,
                       wf_functional_counts *counts, wf_error *err) {
  const ptx_kernel *k = launch->kernel;
  const uint32_t threads = volume(launch->ntid), n_warps = (threads + PTX_LANES - 1) / PTX_LANES,
                 *n = launch->nctaid;
  const size_t registers = (size_t)n_warps * k->n_regs * PTX_LANES * 4;
  lone_block b = {.launch = launch,
                  .warps = wf_calloc(n_warps, sizeof *b.warps),
                  .n_warps = n_warps,
                  .threads = threads,
                  .shared_bytes = shared_bytes,
                  .shared = lines(shared_bytes),
                  .local = lines((size_t)n_warps * PTX_LANES * k->local_bytes),
                  .reg = memset(lines(registers), 0, registers),
                  .pred = wf_calloc((size_t)n_warps * (k->n_preds + 1), sizeof *b.pred),
                  .counts = counts};
  bool ok = true;
  for (uint32_t z = 0; ok && z < n[2]; z++)
    for (uint32_t y = 0; ok && y < n[1]; y++)
      for (uint32_t x = 0; ok && x < n[0]; x++)
        ok = run_block(&b, (const uint32_t[]){x, y, z}, err);
  for (unsigned i = 0; i < n_warps; i++) free(b.warps[i].simt.entries);
  free(b.warps);
  free(b.shared);
  free(b.local);
  free(b.reg);
  free(b.pred);
  return ok;
}
