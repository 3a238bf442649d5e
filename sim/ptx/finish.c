/* Completes a kernel: branch targets, control flow, register allocation, and what timing sees. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/allocate.h"
#include "sim/ptx/build.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/loops.h"

static bool is_exit(const ptx_build *b, uint32_t i) {
  return b->insts[i].cls == PTX_CLASS_EXIT;
}

static bool resolve_targets(ptx_build *b, bool *past_end) {
  for (uint32_t i = 0; i < b->n; i++) {
    const ptx_label_ref *ref = &b->targets[i];
    if (!ref->name) continue;
    if (!ptx_find_label(b, ref, &b->insts[i].target))
      return wf_fail(b->lex->err, WF_EXIT_BAD_INPUT, "%s:%u: label '%.*s' is not defined in %s",
                     b->lex->name, b->insts[i].line, (int)(ref->bytes < 80 ? ref->bytes : 80),
                     ref->name, b->kernel->name);
    *past_end |= b->insts[i].target == b->n;
  }
  return true;
}

/* Kernels whose text runs off its end, or jumps there, get the `ret` they imply. */
static void add_return(ptx_build *b) {
  const uint32_t i = b->n;
  ptx_code *c = ptx_append(b);
  c->run = ptx_nop_handler();
  c->text = "ret;";
  c->file = b->module->file;
  c->line = b->lex->token.line;
  b->insts[i].cls = PTX_CLASS_EXIT;
  b->insts[i].line = c->line;
}

static bool falls_through(const ptx_build *b, uint32_t i) {
  const bool leaves = b->targets[i].name || is_exit(b, i);
  return !leaves || b->codes[i].guarded;
}

static ptx_cfg *make_cfg(const ptx_build *b) {
  ptx_flow *flows = wf_calloc(b->n, sizeof *flows);
  for (uint32_t i = 0; i < b->n; i++)
    flows[i] = (ptx_flow){.jumps = b->targets[i].name != NULL,
                          .exits = is_exit(b, i),
                          .conditional = b->codes[i].guarded,
                          .target = b->insts[i].target};
  ptx_cfg *cfg = ptx_cfg_create(flows, b->n);
  free(flows);
  return cfg;
}

static void set_reconvergence(ptx_build *b, const ptx_cfg *cfg) {
  for (uint32_t i = 0; i < b->n; i++) {
    if (!b->targets[i].name) continue;
    const uint32_t d = cfg->blocks[cfg->block_of[i]].ipdom;
    b->insts[i].reconverge = d < cfg->n_blocks ? cfg->blocks[d].first : b->n;
  }
}

static uint8_t reg_class(ptx_type type) {
  if (type == PTX_PRED) return PTX_CLASS_PRED;
  return ptx_type_bytes(type) == 8 ? PTX_CLASS_WIDE : PTX_CLASS_NARROW;
}

static bool allocate(ptx_build *b, const ptx_cfg *cfg, ptx_allocation *result) {
  uint8_t *classes = wf_calloc((size_t)b->n_vregs + 1, 1);
  for (uint32_t v = 0; v < b->n_vregs; v++) classes[v] = reg_class((ptx_type)b->vregs[v].type);
  ptx_ranges *ranges = b->keep_virtual ? NULL : ptx_liveness(b->codes, cfg, b->n_vregs);
  if (b->keep_virtual) {
    *result = ptx_allocate_all(b->n_vregs, classes);
  } else if (ranges) {
    *result = ptx_allocate(ranges, classes);
    ptx_ranges_destroy(ranges);
  }
  free(classes);
  if (result->reg) return true;
  if (!ranges)
    return ptx_lexer_fail(b->lex,
                          "kernel %s is too large to allocate registers for: over its %u blocks "
                          "more than %d live registers add up",
                          b->kernel->name, cfg->n_blocks, PTX_LIVE_LIMIT);
  return ptx_lexer_fail(b->lex, "kernel %s needs more than %d registers or predicates",
                        b->kernel->name, PTX_REGISTER_LIMIT);
}

/* ---- what timing sees ---- */

static void list_reg(uint16_t *list, uint8_t *n, uint32_t reg, bool wide) {
  list[(*n)++] = (uint16_t)reg;
  if (wide) list[(*n)++] = (uint16_t)(reg + 1);
}

static void map_registers(ptx_code *c, ptx_inst *inst, const ptx_allocation *a) {
  if (c->guarded) {
    c->guard = a->reg[c->guard];
    list_reg(inst->src, &inst->n_src, a->n_regs + c->guard, false);
  }
  for (int k = 0; k < c->n_src; k++) {
    ptx_source *s = &c->src[k];
    const bool pred = s->kind == PTX_SOURCE_PRED;
    if (!pred && s->kind != PTX_SOURCE_REG) continue;
    s->reg = a->reg[s->reg];
    list_reg(inst->src, &inst->n_src, pred ? a->n_regs + s->reg : s->reg, s->wide);
  }
  for (int k = 0; k < c->n_dst; k++) {
    ptx_dest *d = &c->dst[k];
    d->reg = a->reg[d->reg];
    list_reg(inst->dst, &inst->n_dst, d->bytes ? d->reg : a->n_regs + d->reg, d->bytes == 8);
  }
}

static void keep_instructions(ptx_build *b, const ptx_allocation *a) {
  ptx_code *codes = ptx_arena_alloc(&b->module->arena, b->n * sizeof *codes);
  ptx_inst *insts = ptx_arena_alloc(&b->module->arena, b->n * sizeof *insts);
  memcpy(codes, b->codes, b->n * sizeof *codes);
  memcpy(insts, b->insts, b->n * sizeof *insts);
  for (uint32_t i = 0; i < b->n; i++) {
    map_registers(&codes[i], &insts[i], a);
    insts[i].code = &codes[i];
  }
  b->kernel->insts = insts;
  b->kernel->n_insts = b->n;
  b->kernel->n_regs = a->n_regs;
  b->kernel->n_preds = a->n_preds;
}

static void keep_loops(ptx_build *b, const ptx_cfg *cfg) {
  ptx_loop_forest f = ptx_loops_find(cfg, b->n);
  ptx_loop *loops = ptx_arena_alloc(&b->module->arena, ((size_t)f.n_loops + 1) * sizeof *loops);
  uint32_t *loop_of = ptx_arena_alloc(&b->module->arena, b->n * sizeof *loop_of);
  memcpy(loops, f.loops, f.n_loops * sizeof *loops);
  memcpy(loop_of, f.loop_of, b->n * sizeof *loop_of);
  b->kernel->loops = loops;
  b->kernel->loop_of = loop_of;
  b->kernel->n_loops = f.n_loops;
  ptx_loops_free(&f);
}

/* Dynamic shared memory starts where the static ends, aligned for its variables. */
static bool finish_shared(ptx_build *b) {
  const uint32_t align = b->dynamic_align;
  b->kernel->shared_bytes = (b->kernel->shared_bytes + align - 1) & ~(align - 1);
  ptx_resolve(&b->dynamic, b->kernel->shared_bytes);
  return b->kernel->shared_bytes < PTX_SHARED_LIMIT ||
         ptx_lexer_fail(b->lex, "kernel %s needs more than %d bytes of shared memory",
                        b->kernel->name, PTX_SHARED_LIMIT);
}

bool ptx_finish(ptx_build *b) {
  bool past_end = false;
  if (!resolve_targets(b, &past_end)) return false;
  if (b->n == 0 || past_end || falls_through(b, b->n - 1)) add_return(b);
  ptx_cfg *cfg = make_cfg(b);
  ptx_allocation a = {0};
  set_reconvergence(b, cfg);
  bool fine = allocate(b, cfg, &a);
  if (a.n_regs == 0) a.n_regs = 1;
  if (fine && a.n_regs + a.n_preds > UINT16_MAX)
    fine = ptx_lexer_fail(b->lex, "kernel %s needs %u registers and %u predicates, more than %u",
                          b->kernel->name, a.n_regs, a.n_preds, UINT16_MAX);
  if (fine) keep_instructions(b, &a);
  if (fine) keep_loops(b, cfg);
  ptx_cfg_destroy(cfg);
  free(a.reg);
  return fine && finish_shared(b);
}
