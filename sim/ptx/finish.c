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

static bool is_jump(const ptx_build *b, uint32_t i) {
  return b->insts[i].cls == PTX_CLASS_BRANCH && b->insts[i].custom_id == PTX_BRANCH_JUMP;
}

static bool is_return(const ptx_build *b, uint32_t i) {
  return b->insts[i].cls == PTX_CLASS_BRANCH && b->insts[i].custom_id == PTX_BRANCH_RETURN;
}

static bool resolve_targets(ptx_build *b, uint32_t first, bool *past_end) {
  for (uint32_t i = first; i < b->n; i++) {
    const ptx_label_ref *ref = &b->targets[i];
    if (!is_jump(b, i)) continue;
    if (ref->name && !ptx_find_label(b, ref, &b->insts[i].target))
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
  const bool leaves = is_jump(b, i) || is_exit(b, i);
  return !leaves || b->codes[i].guarded;
}

static ptx_cfg *make_cfg(const ptx_build *b) {
  ptx_flow *flows = wf_calloc(b->n, sizeof *flows);
  for (uint32_t i = 0; i < b->n; i++)
    flows[i] = (ptx_flow){.jumps = is_jump(b, i),
                          .exits = is_exit(b, i) || is_return(b, i),
                          .conditional = b->codes[i].guarded,
                          .traps = b->codes[i].run == ptx_trap_handler(),
                          .target = b->insts[i].target};
  ptx_cfg *cfg = ptx_cfg_create(flows, b->n);
  free(flows);
  return cfg;
}

static void set_reconvergence(ptx_build *b, const ptx_cfg *cfg) {
  for (uint32_t i = 0; i < b->n; i++) {
    if (!is_jump(b, i)) continue;
    const uint32_t d = cfg->blocks[cfg->block_of[i]].ipdom;
    b->insts[i].reconverge = d < cfg->n_blocks ? cfg->blocks[d].first : b->n;
  }
}

static bool too_large(const ptx_build *b, const ptx_cfg *cfg) {
  return ptx_lexer_fail(b->lex,
                        "kernel %s is too large to allocate registers for: over its %u blocks "
                        "more than %d live registers add up",
                        b->kernel->name, cfg->n_blocks, PTX_LIVE_LIMIT);
}

static uint8_t reg_class(ptx_type type) {
  if (type == PTX_PRED) return PTX_CLASS_PRED;
  return ptx_type_bytes(type) == 8 ? PTX_CLASS_WIDE : PTX_CLASS_NARROW;
}

/* Values that calls might overwrite which lead back here are kept in memory: more instructions. */
static bool keep_over_calls(ptx_build *b) {
  ptx_link_groups(b);
  if (b->keep_virtual || !ptx_link_saves(b)) return true;
  ptx_cfg *cfg = make_cfg(b);
  ptx_ranges *ranges = ptx_liveness(b->codes, cfg, b->n_vregs);
  const bool fine = ranges ? ptx_link_save(b, ranges) : too_large(b, cfg);
  ptx_ranges_destroy(ranges);
  ptx_cfg_destroy(cfg);
  return fine;
}

static bool allocate(ptx_build *b, const ptx_cfg *cfg, ptx_allocation *result) {
  uint8_t *classes = wf_calloc((size_t)b->n_vregs + 1, 1);
  for (uint32_t v = 0; v < b->n_vregs; v++) classes[v] = reg_class((ptx_type)b->vregs[v].type);
  ptx_ranges *ranges = b->keep_virtual ? NULL : ptx_liveness(b->codes, cfg, b->n_vregs);
  if (b->keep_virtual) {
    *result = ptx_allocate_all(b->n_vregs, classes);
  } else if (ranges) {
    *result = ptx_allocate(ranges, classes);
  }
  const bool there = ranges != NULL;
  bool fine = true;
  if (result->reg && b->n_instances > 1) fine = ptx_link_registers(b, ranges, result, classes);
  ptx_ranges_destroy(ranges);
  free(classes);
  if (result->reg) return fine;
  if (!there) return too_large(b, cfg);
  return ptx_lexer_fail(b->lex, "kernel %s needs more than %d registers or predicates",
                        b->kernel->name, PTX_REGISTER_LIMIT);
}

/* ---- what timing sees ---- */

static void list_reg(uint16_t *list, uint8_t *n, uint32_t reg, bool wide) {
  list[(*n)++] = (uint16_t)reg;
  if (wide) list[(*n)++] = (uint16_t)(reg + 1);
}

/* Those that all functions share come first. */
static uint32_t architectural(const ptx_allocation *a, uint32_t v) {
  return v == PTX_VREG_FRAME ? 0 : v == PTX_VREG_RESULT ? 2 : a->reg[v];
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
    s->reg = architectural(a, s->reg);
    list_reg(inst->src, &inst->n_src, pred ? a->n_regs + s->reg : s->reg, s->wide);
  }
  for (int k = 0; k < c->n_dst; k++) {
    ptx_dest *d = &c->dst[k];
    d->reg = architectural(a, d->reg);
    list_reg(inst->dst, &inst->n_dst, d->bytes ? d->reg : a->n_regs + d->reg, d->bytes == 8);
  }
}

/* Each register is written where it is needed, so one that nothing reads tells of a result that
 * nobody wants. Calls hand registers over unseen. */
static void find_unread(ptx_build *b) {
  uint8_t *read = wf_calloc((size_t)b->n_vregs + 1, 1);
  for (uint32_t i = 0; i < b->n; i++)
    for (int k = 0; k < b->codes[i].n_src; k++) {
      const ptx_source *s = &b->codes[i].src[k];
      if (s->kind == PTX_SOURCE_REG && s->reg < b->n_vregs) read[s->reg] = 1;
    }
  for (uint32_t i = 0; i < b->n && !b->kernel->calls; i++) {
    const ptx_code *c = &b->codes[i];
    b->insts[i].unread = b->insts[i].cls == PTX_CLASS_ATOMIC && c->n_dst == 1 &&
                         c->op < PTX_ATOM_EXCH && !read[c->dst[0].reg];
  }
  free(read);
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

bool ptx_end_body(ptx_build *b) {
  ptx_instance *i = &b->instances[b->current];
  bool past_end = false;
  if (!resolve_targets(b, i->first, &past_end)) return false;
  if (b->current == 0 && (b->n == 0 || past_end || falls_through(b, b->n - 1))) add_return(b);
  i->end = b->n;
  i->vreg_end = b->n_vregs;
  return true;
}

bool ptx_finish(ptx_build *b) {
  b->kernel->calls = b->n_instances > 1;
  if (b->kernel->calls && !keep_over_calls(b)) return false;
  if (!ptx_link_frames(b)) return false;
  ptx_cfg *cfg = make_cfg(b);
  ptx_allocation a = {0};
  set_reconvergence(b, cfg);
  find_unread(b);
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
