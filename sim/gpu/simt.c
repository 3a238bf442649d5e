#include "sim/gpu/simt.h"

#include "sim/base/wf_alloc.h"

static void push(wf_simt *s, ptx_pc pc, ptx_pc reconverge, uint32_t mask) {
  if (s->depth == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 16;
    s->entries = wf_realloc(s->entries, s->capacity, sizeof *s->entries);
  }
  s->entries[s->depth++] = (wf_simt_entry){pc, reconverge, mask};
}

void wf_simt_start(wf_simt *s, const wf_simt_entry *all) {
  s->depth = 0;
  push(s, all->pc, all->reconverge, all->mask);
}

static void jump(wf_simt *s, const ptx_inst *inst, uint32_t taken) {
  wf_simt_entry *top = wf_simt_top(s);
  uint32_t mask = top->mask, fall = mask & ~taken;
  ptx_pc next = top->pc + 1, join = inst->reconverge;
  if (!fall || !taken) {
    top->pc = taken ? inst->target : next;
  } else {
    /* The top becomes the entry that waits at the join, unless one below already does. */
    if (top->reconverge == join && s->depth > 1)
      s->depth--;
    else
      top->pc = join;
    if (next != join) push(s, next, join, fall);
    if (inst->target != join) push(s, inst->target, join, taken);
  }
}

/* One path for each function that is called; they run one after the other. */
static void call(wf_simt *s, const ptx_inst *inst, const ptx_effect *e) {
  wf_simt_top(s)->pc++;
  if (inst->target != PTX_NO_TARGET) {
    if (e->taken) push(s, inst->target, WF_SIMT_FUNCTION, e->taken);
    return;
  }
  for (uint32_t left = e->taken; left;) {
    const ptx_pc to = (ptx_pc)e->addr[__builtin_ctz(left)];
    uint32_t same = 0;
    for (uint32_t m = left; m; m &= m - 1)
      if (e->addr[__builtin_ctz(m)] == to) same |= m & -m;
    push(s, to, WF_SIMT_FUNCTION, same);
    left &= ~same;
  }
}

/* Lanes leave the function: they wait in the path of the caller, or in that of another function
 * that was called with this one. */
static void come_back(wf_simt *s, uint32_t lanes) {
  unsigned bottom = s->depth - 1;
  while (s->entries[bottom].reconverge != WF_SIMT_FUNCTION) bottom--;
  unsigned kept = bottom;
  for (unsigned i = bottom; i < s->depth; i++) {
    s->entries[i].mask &= ~lanes;
    if (s->entries[i].mask) s->entries[kept++] = s->entries[i];
  }
  s->depth = kept;
}

void wf_simt_branch(wf_simt *s, const ptx_inst *inst, const ptx_effect *effect) {
  if (inst->custom_id == PTX_BRANCH_CALL)
    call(s, inst, effect);
  else if (inst->custom_id == PTX_BRANCH_RETURN)
    come_back(s, effect->taken);
  else
    jump(s, inst, effect->taken);
  wf_simt_join(s);
}

bool wf_simt_drop(wf_simt *s, uint32_t lanes) {
  unsigned kept = 0;
  for (unsigned i = 0; i < s->depth; i++) {
    s->entries[i].mask &= ~lanes;
    if (s->entries[i].mask) s->entries[kept++] = s->entries[i];
  }
  s->depth = kept;
  if (kept) wf_simt_join(s);
  return kept == 0;
}
