#include "sim/gpu/functional.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

/* A path splits at most 31 times; each split leaves the entry that waits at the join and one path
 * beside the one that runs. */
enum { DEPTH = 2 * PTX_LANES + 2 };
/* Instructions of a warp between barriers after which it counts as waiting for a warp that does not
 * run. */
#define PATIENCE (UINT64_C(1) << 28)

typedef struct path {
  ptx_pc pc, reconverge;
  uint32_t mask;
} path;

typedef struct lone_warp {
  ptx_warp arch;
  path stack[DEPTH];
  unsigned depth; /* 0: ended */
} lone_warp;

/* One block's worth of state, used for block after block. */
typedef struct lone_block {
  const ptx_launch *launch;
  lone_warp *warps;
  unsigned n_warps;
  uint32_t threads, shared_bytes;
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

static void join(lone_warp *w) {
  while (w->depth > 1 && w->stack[w->depth - 1].pc == w->stack[w->depth - 1].reconverge) w->depth--;
}

static void branch(lone_warp *w, const ptx_inst *inst, uint32_t taken) {
  path *top = &w->stack[w->depth - 1];
  const uint32_t fall = top->mask & ~taken;
  const ptx_pc next = top->pc + 1, at = inst->reconverge;
  if (!fall || !taken) {
    top->pc = taken ? inst->target : next;
  } else {
    if (top->reconverge == at && w->depth > 1) /* one below waits there already */
      w->depth--;
    else
      top->pc = at;
    if (next != at) w->stack[w->depth++] = (path){next, at, fall};
    if (inst->target != at) w->stack[w->depth++] = (path){inst->target, at, taken};
  }
  join(w);
}

static void leave(lone_warp *w, uint32_t lanes) {
  unsigned kept = 0;
  for (unsigned i = 0; i < w->depth; i++) {
    w->stack[i].mask &= ~lanes;
    if (w->stack[i].mask) w->stack[kept++] = w->stack[i];
  }
  w->depth = kept;
  if (kept) join(w);
}

static bool refuse(const lone_warp *w, const ptx_inst *inst, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "kernel %s: line %u: %s: sample.* executes it without timing, which has neither "
                 "units nor launches by threads",
                 w->arch.launch->kernel->name, inst->line, ptx_inst_text(inst));
}

/* To its end or past its next barrier. */
static bool run_warp(lone_warp *w, wf_functional_counts *counts, wf_error *err) {
  const ptx_kernel *k = w->arch.launch->kernel;
  const uint64_t limit = counts->warp_instructions + PATIENCE;
  ptx_effect effect = {0};
  while (w->depth) {
    path *top = &w->stack[w->depth - 1];
    const ptx_inst *inst = &k->insts[top->pc];
    if (inst->cls == PTX_CLASS_CUSTOM || inst->cls == PTX_CLASS_LAUNCH) return refuse(w, inst, err);
    w->arch.clock = counts->warp_instructions++;
    if (!ptx_execute(inst, &w->arch, top->mask, &effect, err)) return false;
    counts->thread_instructions += (unsigned)__builtin_popcount(effect.active);
    if (inst->cls == PTX_CLASS_BRANCH) {
      branch(w, inst, effect.taken);
      continue;
    }
    top->pc++;
    join(w);
    if (inst->cls == PTX_CLASS_EXIT) leave(w, effect.active);
    if (inst->cls == PTX_CLASS_BARRIER) return true;
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
    w->stack[0] = (path){0, k->n_insts, w->arch.valid};
    w->depth = 1;
  }
}

static bool run_block(lone_block *b, const uint32_t block[3], wf_error *err) {
  start(b, block);
  for (bool running = true; running;) {
    running = false;
    for (unsigned i = 0; i < b->n_warps; i++) {
      if (!b->warps[i].depth) continue;
      if (!run_warp(&b->warps[i], b->counts, err)) return false;
      running |= b->warps[i].depth > 0;
    }
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
  free(b.warps);
  free(b.shared);
  free(b.local);
  free(b.reg);
  free(b.pred);
  return ok;
}
