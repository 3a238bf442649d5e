/* A wf_gpu without time: runs every warp of a launch to its end, one after the other, on the PTX
 * executor. Included by a test, its functions stand in for sim/gpu's, so that applications and
 * kernels are tested without the timing model and without RTL. A unit's instructions are what the
 * test says that they do. */
#ifndef FUNCTIONAL_GPU_H
#define FUNCTIONAL_GPU_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu.h"

enum { FG_POOL = 1 << 20, FG_MAX_LAUNCHES = 1 << 16 }; /* bytes for parameters of launches */
enum { FG_MODULES = 8, FG_MAX_SHARED = 48 * 1024 };

typedef struct fg_warp fg_warp;

/* A unit as its instructions show it, without its RTL. */
typedef struct fg_unit {
  const char *name;
  const ptx_custom_op *ops;
  size_t n_ops;
  bool (*write_base)(wf_gpu *gpu, const char *base, uint32_t value, wf_error *err);
  bool (*run)(fg_warp *w, const ptx_inst *inst, const ptx_effect *effect, wf_error *err);
  bool (*end)(fg_warp *w, wf_error *err); /* of a warp */
} fg_unit;

struct wf_gpu {
  uint8_t *memory;
  uint64_t bytes, used;
  ptx_module *modules[FG_MODULES];
  unsigned n_modules;
  const fg_unit *unit; /* or NULL */
  wf_options options;
  wf_gpu_config config;
  uint64_t instructions; /* warp instructions: stands for cycles */
  uint64_t atomics;
  uint64_t pool, pool_used;     /* 0: no kernel was launched that launches */
  bool no_buffers;              /* answer every request for a buffer with 0 */
  struct fg_launched *launched; /* by threads, in their order */
  uint32_t n_launched;
  uint64_t launched_in_all[2]; /* kernels, groups */
  bool corrupt; /* flip a bit in what the host reads back: results must then be found wrong */
};

typedef struct fg_path {
  ptx_pc pc, reconverge;
  uint32_t mask;
} fg_path;

struct fg_warp {
  wf_gpu *gpu;
  ptx_warp ptx;
  fg_path stack[64];
  unsigned depth; /* 0: ended */
  uint32_t gone;
  uint32_t shared_bytes;
};

static wf_gpu *fg_create(uint64_t bytes, const fg_unit *unit) {
  wf_gpu *gpu = wf_calloc(1, sizeof *gpu);
  gpu->memory = wf_calloc(bytes, 1);
  gpu->bytes = bytes;
  gpu->unit = unit;
  gpu->config.n_sm = 2;
  return gpu;
}

static void fg_destroy(wf_gpu *gpu) {
  for (unsigned i = 0; i < gpu->n_modules; i++) ptx_module_destroy(gpu->modules[i]);
  wf_options_free(&gpu->options);
  free(gpu->launched);
  free(gpu->memory);
  free(gpu);
}

static uint8_t *fg_at(wf_gpu *gpu, uint64_t device, uint64_t bytes, wf_error *err) {
  if (device < WF_IMAGE_BASE || device - WF_IMAGE_BASE + bytes > gpu->bytes) {
    wf_fail(err, WF_EXIT_WRONG, "address 0x%llx + %llu is outside memory",
            (unsigned long long)device, (unsigned long long)bytes);
    return NULL;
  }
  return gpu->memory + (device - WF_IMAGE_BASE);
}

uint64_t wf_gpu_alloc(wf_gpu *gpu, uint64_t bytes, const char *what, wf_error *err) {
  if (gpu->used + bytes + 256 > gpu->bytes) {
    wf_fail(err, WF_EXIT_BAD_INPUT, "memory full: %s needs %llu bytes", what,
            (unsigned long long)bytes);
    return 0;
  }
  uint64_t at = gpu->used;
  gpu->used += (bytes + 255) / 256 * 256;
  return WF_IMAGE_BASE + at;
}

bool wf_gpu_write(wf_gpu *gpu, uint64_t device, const void *host, uint64_t bytes, wf_error *err) {
  uint8_t *at = fg_at(gpu, device, bytes, err);
  if (at) memcpy(at, host, bytes);
  return at;
}

bool wf_gpu_read(wf_gpu *gpu, void *host, uint64_t device, uint64_t bytes, wf_error *err) {
  const uint8_t *at = fg_at(gpu, device, bytes, err);
  if (at) memcpy(host, at, bytes);
  if (at && gpu->corrupt && bytes > 8) ((uint8_t *)host)[bytes / 2] ^= 1;
  return at;
}

bool wf_gpu_fill(wf_gpu *gpu, uint64_t device, uint8_t byte, uint64_t bytes, wf_error *err) {
  uint8_t *at = fg_at(gpu, device, bytes, err);
  if (at) memset(at, byte, bytes);
  return at;
}

bool wf_gpu_load_ptx(wf_gpu *gpu, const char *name, const char *text, size_t bytes, wf_error *err) {
  const fg_unit *u = gpu->unit;
  ptx_module *m = ptx_parse_text(name, text, bytes, u ? u->ops : NULL, u ? u->n_ops : 0, err);
  if (m) gpu->modules[gpu->n_modules++] = m;
  return m;
}

bool wf_gpu_has_unit(const wf_gpu *gpu, const char *unit) {
  return gpu->unit && strcmp(unit, gpu->unit->name) == 0;
}

bool wf_gpu_unit_base(wf_gpu *gpu, const char *unit, const char *base, uint64_t device,
                      wf_error *err) {
  if (device > UINT32_MAX)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s.%s: more than 32 bits", unit, base);
  return wf_gpu_has_unit(gpu, unit) ? gpu->unit->write_base(gpu, base, (uint32_t)device, err)
                                    : wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no such unit", unit);
}

const wf_options *wf_gpu_options(const wf_gpu *gpu) {
  return &gpu->options;
}

uint64_t wf_gpu_cycles(const wf_gpu *gpu) {
  return gpu->instructions;
}
const wf_gpu_config *wf_gpu_get_config(const wf_gpu *gpu) {
  return &gpu->config;
}

/* ---- launches by threads: run one after the other when their launcher's kernel has ended ---- */

typedef struct fg_launched {
  ptx_launch launch;
  uint32_t shared_bytes;
} fg_launched;

static bool fg_launch_lane(fg_warp *w, const ptx_inst *inst, const ptx_effect *e, uint32_t lane,
                           wf_error *err) {
  wf_gpu *gpu = w->gpu;
  const ptx_kernel *k = ptx_inst_callee(inst);
  const uint8_t *params = fg_at(gpu, e->operand[0][lane], k->param_bytes, err);
  if (!params) return false;
  if (gpu->n_launched == FG_MAX_LAUNCHES)
    return wf_fail(err, WF_EXIT_WRONG, "more than %d launches", FG_MAX_LAUNCHES);
  if (e->operand[0][lane] - gpu->pool >= gpu->pool_used)
    return ptx_launch_fault(inst, &w->ptx, lane, err, "no buffer");
  if (!gpu->launched) gpu->launched = wf_calloc(FG_MAX_LAUNCHES, sizeof *gpu->launched);
  fg_launched *l = &gpu->launched[gpu->n_launched++];
  *l = (fg_launched){.launch = *w->ptx.launch,
                     .shared_bytes = k->shared_bytes + (uint32_t)e->operand[7][lane]};
  l->launch.kernel = k;
  l->launch.params = params;
  for (int d = 0; d < 3; d++) {
    l->launch.nctaid[d] = (uint32_t)e->operand[1 + d][lane];
    l->launch.ntid[d] = (uint32_t)e->operand[4 + d][lane];
    if (!l->launch.nctaid[d] || !l->launch.ntid[d])
      return ptx_launch_fault(inst, &w->ptx, lane, err, "nothing to launch");
  }
  gpu->launched_in_all[inst->custom_id == PTX_LAUNCH_GROUP]++;
  return true;
}

static bool fg_launch(fg_warp *w, const ptx_inst *inst, const ptx_effect *e, wf_error *err) {
  uint64_t value[PTX_LANES] = {0};
  for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
    if (!(e->active >> lane & 1)) continue;
    const uint64_t bytes =
        inst->custom_id == PTX_LAUNCH_BUFFER ? (e->operand[1][lane] + 15) / 16 * 16 : 0;
    if (bytes && !w->gpu->no_buffers && w->gpu->pool_used + bytes <= FG_POOL) {
      value[lane] = w->gpu->pool + w->gpu->pool_used;
      w->gpu->pool_used += bytes;
    }
    if (ptx_inst_callee(inst) && !fg_launch_lane(w, inst, e, lane, err)) return false;
  }
  ptx_write_result(inst, &w->ptx, e->active, value);
  return true;
}

/* ---- warps ---- */

/* To its end or past the next barrier. */
static bool fg_run_warp(fg_warp *w, wf_error *err) {
  const ptx_kernel *kernel = w->ptx.launch->kernel;
  while (w->depth) {
    fg_path *top = &w->stack[w->depth - 1];
    uint32_t mask = top->mask & ~w->gone;
    if (!mask || top->pc == top->reconverge || top->pc >= kernel->n_insts) {
      w->depth--;
      continue;
    }
    const ptx_inst *inst = &kernel->insts[top->pc];
    ptx_effect effect = {0};
    w->ptx.clock = w->gpu->instructions++;
    if (!ptx_execute(inst, &w->ptx, mask, &effect, err)) return false;
    if (inst->cls == PTX_CLASS_ATOMIC) w->gpu->atomics++;
    if (inst->cls == PTX_CLASS_EXIT) w->gone |= effect.active;
    if (inst->cls == PTX_CLASS_CUSTOM && !w->gpu->unit->run(w, inst, &effect, err)) return false;
    if (inst->cls == PTX_CLASS_LAUNCH && !fg_launch(w, inst, &effect, err)) return false;
    if (inst->cls == PTX_CLASS_BARRIER) {
      top->pc++;
      return true;
    }
    uint32_t taken = inst->cls == PTX_CLASS_BRANCH ? effect.taken & mask : 0;
    if (!taken) {
      top->pc++;
    } else if (taken == mask) {
      top->pc = inst->target;
    } else {
      if (w->depth + 2 > 64) return wf_fail(err, WF_EXIT_WRONG, "SIMT stack overflow");
      ptx_pc next = top->pc + 1;
      top->pc = inst->reconverge;
      w->stack[w->depth++] = (fg_path){next, inst->reconverge, mask & ~taken};
      w->stack[w->depth++] = (fg_path){inst->target, inst->reconverge, taken};
    }
  }
  return !w->gpu->unit || w->gpu->unit->end(w, err);
}

static uint32_t fg_volume(const uint32_t n[3]) {
  return n[0] * n[1] * n[2];
}

/* Registers start as rubbish. */
static void fg_start_warp(fg_warp *w, wf_gpu *gpu, const ptx_launch *launch,
                          const uint32_t block[3], uint32_t index, uint8_t *shared,
                          uint32_t shared_bytes) {
  const ptx_kernel *k = launch->kernel;
  uint32_t lanes = fg_volume(launch->ntid) - index * PTX_LANES;
  size_t bytes = ((size_t)k->n_regs + 1) * PTX_LANES * 4;
  *w = (fg_warp){.gpu = gpu,
                 .shared_bytes = shared_bytes,
                 .depth = 1,
                 .ptx = {.launch = launch,
                         .reg = aligned_alloc(64, bytes),
                         .pred = wf_calloc(k->n_preds + 1, sizeof(uint32_t)),
                         .shared = shared,
                         .shared_limit = shared_bytes,
                         .ctaid = {block[0], block[1], block[2]},
                         .warp_in_cta = index,
                         .valid = lanes >= PTX_LANES ? UINT32_MAX : (1u << lanes) - 1}};
  w->stack[0] = (fg_path){0, k->n_insts, w->ptx.valid};
  memset(w->ptx.reg, 0x5a, bytes);
}

/* Each warp runs to its next barrier in turn, so that at every turn's end all have reached one. */
static bool fg_run_block(wf_gpu *gpu, const ptx_launch *launch, const uint32_t block[3],
                         uint32_t shared_bytes, uint8_t *shared, wf_error *err) {
  memset(shared, 0xa5, FG_MAX_SHARED); /* shared memory starts as rubbish */
  uint32_t n_warps = (fg_volume(launch->ntid) + PTX_LANES - 1) / PTX_LANES;
  fg_warp *warps = wf_calloc(n_warps, sizeof *warps);
  for (uint32_t i = 0; i < n_warps; i++)
    fg_start_warp(&warps[i], gpu, launch, block, i, shared, shared_bytes);
  bool ok = true, running = true;
  while (ok && running) {
    running = false;
    for (uint32_t i = 0; ok && i < n_warps; i++) {
      if (!warps[i].depth) continue;
      ok = fg_run_warp(&warps[i], err);
      running |= warps[i].depth > 0;
    }
  }
  for (uint32_t i = 0; i < n_warps; i++) {
    free(warps[i].ptx.reg);
    free(warps[i].ptx.pred);
  }
  free(warps);
  return ok;
}

static bool fg_run_grid(wf_gpu *gpu, const ptx_launch *launch, uint32_t shared_bytes,
                        uint8_t *shared, wf_error *err) {
  const uint32_t *n = launch->nctaid;
  bool ok = shared_bytes <= FG_MAX_SHARED ||
            wf_fail(err, WF_EXIT_WRONG, "%u bytes of shared memory", shared_bytes);
  for (uint32_t b = 0; ok && b < fg_volume(n); b++)
    ok = fg_run_block(gpu, launch, (const uint32_t[]){b % n[0], b / n[0] % n[1], b / n[0] / n[1]},
                      shared_bytes, shared, err);
  return ok;
}

/* What was launched, and what that launches; then all buffers are free again. */
static bool fg_run_launched(wf_gpu *gpu, uint8_t *shared, wf_error *err) {
  bool ok = true;
  for (uint32_t i = 0; ok && i < gpu->n_launched; i++) {
    const fg_launched l = gpu->launched[i];
    ok = fg_run_grid(gpu, &l.launch, l.shared_bytes, shared, err);
  }
  gpu->n_launched = 0;
  gpu->pool_used = 0;
  return ok;
}

/* One, since blocks run one after the other. */
bool wf_gpu_resident_blocks(const wf_gpu *gpu, const char *kernel, uint32_t block,
                            uint32_t shared_bytes, uint32_t *blocks, wf_error *err) {
  (void)gpu, (void)kernel, (void)block, (void)shared_bytes, (void)err;
  *blocks = 1;
  return true;
}

bool wf_gpu_launch(wf_gpu *gpu, const wf_launch_args *args, wf_error *err) {
  const ptx_kernel *k = NULL;
  for (unsigned i = 0; i < gpu->n_modules && !k; i++)
    k = ptx_find_kernel(gpu->modules[i], args->kernel, err);
  if (!k) return false;
  uint32_t shared_bytes = k->shared_bytes + args->shared_bytes;
  if (args->n_params != k->n_params || shared_bytes > FG_MAX_SHARED)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %u parameters of %u, %u bytes of shared memory",
                   args->kernel, args->n_params, k->n_params, shared_bytes);
  uint8_t *params = wf_calloc(k->param_bytes + 8, 1), *shared = wf_calloc(FG_MAX_SHARED, 1);
  for (unsigned i = 0; i < k->n_params; i++)
    memcpy(params + k->params[i].offset, args->params[i], k->params[i].bytes);
  ptx_launch launch = {.kernel = k,
                       .params = params,
                       .global = gpu->memory,
                       .global_base = WF_IMAGE_BASE,
                       .global_bytes = gpu->bytes};
  memcpy(launch.ntid, args->block, sizeof launch.ntid);
  memcpy(launch.nctaid, args->grid, sizeof launch.nctaid);
  if (k->launches && !gpu->pool) gpu->pool = wf_gpu_alloc(gpu, FG_POOL, "launch parameters", err);
  bool ok = (!k->launches || gpu->pool) && fg_run_grid(gpu, &launch, shared_bytes, shared, err) &&
            fg_run_launched(gpu, shared, err);
  free(params);
  free(shared);
  return ok;
}

#endif
