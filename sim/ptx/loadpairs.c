/* Load-pairs of a kernel; see loadpairs.h. Each loop is gone through twice: from registers that
 * hold what they held at its start, to learn which are constant and which step; then from that, to
 * learn what its loads' addresses are. */
#include "sim/ptx/loadpairs.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/loop_entry.h"

enum { STATE_LIMIT = 1 << 22 };

typedef struct finder {
  const ptx_kernel *k;
  ptx_cfg *cfg;
  ptx_pairs *pairs;
  uint32_t loop;        /* being looked at */
  uint32_t header;      /* its block */
  ptx_reg_state *in;    /* [block][register]: at the block's start */
  bool *reached;        /* [block] */
  ptx_reg_state *now;   /* [register] */
  ptx_reg_state *latch; /* [register]: what all branches back bring */
  uint32_t (*from)[4];  /* [instruction]: definitions that the first sources read */
} finder;

static bool in_loop(const finder *f, ptx_pc pc) {
  uint32_t l = f->k->loop_of[pc];
  while (l != PTX_NO_LOOP && l > f->loop)
    l = f->k->loops[l].parent; /* loops come after those around them */
  return l == f->loop;
}

static bool block_in_loop(const finder *f, uint32_t block) {
  return block < f->cfg->n_blocks && in_loop(f, f->cfg->blocks[block].first);
}

static ptx_reg_state *at_start(const finder *f, uint32_t block) {
  return f->in + (size_t)block * f->k->n_regs;
}

/* ---- values ---- */
static void copy_state(const finder *f, ptx_reg_state *to, const ptx_reg_state *from) {
  memcpy(to, from, f->k->n_regs * sizeof *to);
}

static bool flow_to(finder *f, uint32_t block) {
  ptx_reg_state *to = at_start(f, block);
  if (!f->reached[block]) {
    f->reached[block] = true;
    copy_state(f, to, f->now);
    return true;
  }
  return ptx_value_meet(to, f->now, f->k->n_regs);
}

/* One block; true if that changed what another starts from. */
static bool through_block(finder *f, uint32_t b, bool *latched) {
  const ptx_block *block = &f->cfg->blocks[b];
  bool changed = false;
  copy_state(f, f->now, at_start(f, b));
  for (ptx_pc i = block->first; i <= block->last; i++) ptx_value_step(f->now, &f->k->insts[i], i);
  for (uint32_t s = 0; s < block->n_succ; s++) {
    const uint32_t next = block->succ[s];
    if (next == f->header) {
      if (*latched)
        changed |= ptx_value_meet(f->latch, f->now, f->k->n_regs);
      else
        copy_state(f, f->latch, f->now), changed = *latched = true;
    } else if (block_in_loop(f, next)) {
      changed |= flow_to(f, next);
    }
  }
  return changed;
}

/* From the state at the header to all blocks of the loop. Values only fall, so it ends. */
static void solve(finder *f, const ptx_reg_state *start) {
  bool latched = false;
  memset(f->reached, 0, f->cfg->n_blocks);
  copy_state(f, at_start(f, f->header), start);
  f->reached[f->header] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < f->cfg->n_blocks; b++)
      if (f->reached[b] && block_in_loop(f, b)) changed |= through_block(f, b, &latched);
  }
}

static ptx_value found_at_end(const finder *f, uint32_t r) {
  const ptx_value *v = &f->latch[r].value;
  if (v->kind != PTX_VALUE_START || v->reg != r) return (ptx_value){.kind = PTX_VALUE_OTHER};
  if (v->number)
    return (ptx_value){
        .kind = PTX_VALUE_STRIDE, .wide = v->wide, .known = true, .number = v->number};
  return (ptx_value){.kind = PTX_VALUE_CONST, .reg_v = true, .reg = (uint16_t)r};
}

static void find_values(finder *f) {
  const uint32_t n = f->k->n_regs;
  ptx_reg_state *start = wf_calloc(n, sizeof *start);
  for (uint32_t r = 0; r < n; r++)
    start[r] = (ptx_reg_state){.value = {.kind = PTX_VALUE_START, .reg = (uint16_t)r},
                               .def = PTX_DEF_START};
  solve(f, start);
  for (uint32_t r = 0; r < n; r++) {
    start[r].value = found_at_end(f, r);
    const bool wide = start[r].value.kind == PTX_VALUE_STRIDE && start[r].value.wide;
    if (!wide) continue;
    start[r + 1].value = (ptx_value){.kind = PTX_VALUE_UPPER, .reg = (uint16_t)r};
    r++;
  }
  solve(f, start);
  free(start);
}

/* ---- is a block on every way round? ---- */
static bool on_every_way(const finder *f, uint32_t without) {
  const uint32_t n = f->cfg->n_blocks;
  bool *seen = wf_calloc(n + 1, 1), found = false;
  uint32_t *stack = wf_calloc(n + 1, sizeof *stack), depth = 0;
  if (without != f->header) stack[depth++] = f->header, seen[f->header] = true;
  while (depth && !found) {
    const ptx_block *b = &f->cfg->blocks[stack[--depth]];
    for (uint32_t s = 0; s < b->n_succ; s++) {
      const uint32_t next = b->succ[s];
      if (next == f->header) found = true;
      if (!block_in_loop(f, next) || next == without || seen[next]) continue;
      seen[next] = true;
      stack[depth++] = next;
    }
  }
  free(seen);
  free(stack);
  return !found;
}

/* ---- loads ---- */
static ptx_pair_load *load_at(const ptx_pairs *p, ptx_pc pc) {
  for (uint32_t i = 0; i < p->n_loads; i++)
    if (p->loads[i].pc == pc) return &p->loads[i];
  return NULL;
}

static void refuse(ptx_pair_load *l, const char *reason) {
  l->role = PTX_LOAD_NONE;
  l->reason = reason;
}

static void judge_tail(const finder *f, ptx_pair_load *l, const ptx_value *a) {
  const ptx_pair_load *head = load_at(f->pairs, a->load);
  l->head = a->load;
  if (!head || head->loop != f->loop)
    return refuse(l, "address from a load of another loop or space");
  if (head->role == PTX_LOAD_TAIL) return refuse(l, "address from a tail-load");
  if (head->role != PTX_LOAD_HEAD) return refuse(l, "address from a load that is no head-load");
  l->role = PTX_LOAD_TAIL;
  l->reason = "";
  l->simple = a->simple && a->reg_v && a->wide;
  l->base_v = a->reg_v;
  l->base = a->reg;
  l->extend = a->extend;
  l->shift = a->shift;
  l->offset = a->number;
}

static void judge(const finder *f, ptx_pair_load *l, bool always) {
  const ptx_inst *inst = &f->k->insts[l->pc];
  const ptx_value a = ptx_value_of_address(f->now, inst->code);
  if (inst->space != PTX_SPACE_GLOBAL_NC) return refuse(l, "not ld.global.nc");
  if (inst->vec != 1) return refuse(l, "a vector");
  if (!always || inst->code->guarded) return refuse(l, "not in every iteration");
  switch (a.kind) {
  case PTX_VALUE_CONST:
    return refuse(l, "the same address in every iteration");
  case PTX_VALUE_STRIDE:
    if (!a.known || !a.number) return refuse(l, "steps by what is not known");
    l->role = PTX_LOAD_HEAD;
    l->reason = "";
    l->stride = a.number;
    return;
  case PTX_VALUE_LOADED:
    return judge_tail(f, l, &a);
  default:
    return refuse(l, "address neither steps nor comes from one load");
  }
}

static void judge_loads(finder *f) {
  for (uint32_t i = 0; i < f->pairs->n_loads; i++) {
    ptx_pair_load *l = &f->pairs->loads[i];
    if (l->loop != f->loop) continue;
    const uint32_t b = f->cfg->block_of[l->pc];
    if (!f->reached[b]) continue;
    copy_state(f, f->now, at_start(f, b));
    for (ptx_pc pc = f->cfg->blocks[b].first; pc < l->pc; pc++)
      ptx_value_step(f->now, &f->k->insts[pc], pc);
    judge(f, l, on_every_way(f, b));
  }
}

/* ---- the test ---- */
static bool leaves_loop(const finder *f, const ptx_block *b) {
  for (uint32_t s = 0; s < b->n_succ; s++)
    if (!block_in_loop(f, b->succ[s])) return true;
  return f->k->insts[b->last].cls == PTX_CLASS_EXIT;
}

static const char *judge_setp(const finder *f, uint32_t b, ptx_pc pc, bool goes_on_if_true,
                              ptx_loop_test *test) {
  const ptx_code *c = f->k->insts[pc].code;
  copy_state(f, f->now, at_start(f, b));
  for (ptx_pc i = f->cfg->blocks[b].first; i < pc; i++) ptx_value_step(f->now, &f->k->insts[i], i);
  const ptx_value x = ptx_value_of_source(f->now, &c->src[0]),
                  y = ptx_value_of_source(f->now, &c->src[1]);
  const bool first = x.kind == PTX_VALUE_STRIDE && y.kind == PTX_VALUE_CONST;
  const bool second = y.kind == PTX_VALUE_STRIDE && x.kind == PTX_VALUE_CONST;
  if (!first && !second) return "the test compares no stepping value with a constant one";
  const ptx_value *index = first ? &x : &y;
  if (!index->known) return "the index steps by what is not known";
  const uint32_t reg = c->src[second].reg;
  const ptx_value *start = &at_start(f, f->header)[reg].value;
  *test = (ptx_loop_test){.pc = pc, .swapped = second, .step = index->number};
  test->own = start->kind == PTX_VALUE_STRIDE && start->number == index->number &&
              f->now[reg].def != PTX_DEF_START;
  return ptx_continue_compare(c, goes_on_if_true, second, &test->compare)
             ? ""
             : "the test is of a kind that counts nothing";
}

/* The branch that ends block b decides over the loop; true if it could be read. */
static bool read_test(finder *f, uint32_t b, ptx_pair_loop *loop) {
  const ptx_block *block = &f->cfg->blocks[b];
  const ptx_inst *branch = &f->k->insts[block->last];
  if (branch->cls != PTX_CLASS_BRANCH || !branch->code->guarded) return false;
  const ptx_pc setp = ptx_find_setp(f->k, block, branch->code->guard);
  if (setp == PTX_NO_PC)
    return loop->reason = "no setp beside the branch that ends the loop", false;
  const bool to_loop = branch->target < f->k->n_insts && in_loop(f, branch->target);
  ptx_loop_test test;
  loop->reason = judge_setp(f, b, setp, to_loop != (branch->code->guard_invert != 0), &test);
  if (*loop->reason) return false;
  loop->test = test;
  return true;
}

static void find_test(finder *f, ptx_pair_loop *loop) {
  uint32_t exits = 0;
  loop->reason = "no branch that leaves the loop is in every iteration";
  for (uint32_t b = 0; b < f->cfg->n_blocks; b++) {
    if (!f->reached[b] || !block_in_loop(f, b) || !leaves_loop(f, &f->cfg->blocks[b])) continue;
    exits++;
    if (loop->test.pc == PTX_NO_PC && on_every_way(f, b) && read_test(f, b, loop))
      loop->reason = "";
  }
  loop->early_exits = exits - (loop->test.pc != PTX_NO_PC && exits);
}

static void find_entry(const finder *f, ptx_pair_loop *loop) {
  if (loop->test.pc == PTX_NO_PC || !loop->test.own) return;
  uint32_t before = UINT32_MAX;
  const ptx_cfg *g = f->cfg;
  for (uint32_t p = g->first_pred[f->header]; p < g->first_pred[f->header + 1]; p++) {
    if (block_in_loop(f, g->pred[p])) continue;
    if (before != UINT32_MAX) return; /* entered from several places */
    before = g->pred[p];
  }
  if (before != UINT32_MAX)
    ptx_find_entry_test(f->k, g, before, f->header, &loop->test, &loop->entry);
}

/* ---- what the addresses depend on ---- */
static void note_sources(finder *f) {
  for (uint32_t b = 0; b < f->cfg->n_blocks; b++) {
    if (!f->reached[b] || !block_in_loop(f, b)) continue;
    copy_state(f, f->now, at_start(f, b));
    for (ptx_pc i = f->cfg->blocks[b].first; i <= f->cfg->blocks[b].last; i++) {
      const ptx_code *c = f->k->insts[i].code;
      for (int s = 0; s < 4; s++)
        f->from[i][s] = s < c->n_src ? ptx_def_of_source(f->now, &c->src[s]) : PTX_DEF_SEVERAL;
      ptx_value_step(f->now, &f->k->insts[i], i);
    }
  }
}

static void add_to_chain(finder *f, ptx_pair_loop *loop, ptx_pc pc);

static void follow_sources(finder *f, ptx_pair_loop *loop, ptx_pc pc) {
  const ptx_code *c = f->k->insts[pc].code;
  for (int s = 0; s < c->n_src && s < 4; s++) {
    uint32_t def = f->from[pc][s];
    if (c->src[s].kind != PTX_SOURCE_REG) continue;
    if (def == PTX_DEF_START)
      def = f->latch[c->src[s].reg].def; /* written in the iteration before, if at all */
    if (def < f->k->n_insts) add_to_chain(f, loop, def);
  }
}

static void add_to_chain(finder *f, ptx_pair_loop *loop, ptx_pc pc) {
  if (f->k->insts[pc].cls == PTX_CLASS_LOAD) return; /* a target itself */
  for (uint32_t i = 0; i < loop->n_chain; i++)
    if (loop->chain[i] == pc) return;
  if (loop->n_chain == PTX_PAIR_CHAIN) {
    loop->chain_cut = true;
    return;
  }
  loop->chain[loop->n_chain++] = pc;
  follow_sources(f, loop, pc);
}

static void find_chain(finder *f, ptx_pair_loop *loop) {
  note_sources(f);
  for (uint32_t i = 0; i < f->pairs->n_loads; i++) {
    const ptx_pair_load *l = &f->pairs->loads[i];
    if (l->loop == f->loop && l->role != PTX_LOAD_NONE) follow_sources(f, loop, l->pc);
  }
}

/* ---- all of it ---- */
static void find_header(finder *f, ptx_pair_loop *loop) {
  /* The block that every branch back goes to: of the loop's blocks the one that is entered from
   * outside, or the first. */
  const ptx_cfg *g = f->cfg;
  f->header = g->block_of[f->k->loops[f->loop].low];
  for (uint32_t b = 0; b < g->n_blocks; b++) {
    if (!block_in_loop(f, b)) continue;
    for (uint32_t p = g->first_pred[b]; p < g->first_pred[b + 1]; p++)
      if (!block_in_loop(f, g->pred[p])) f->header = b;
  }
  loop->first = g->blocks[f->header].first;
  for (uint32_t p = g->first_pred[f->header]; p < g->first_pred[f->header + 1]; p++) {
    const uint32_t b = g->pred[p];
    if (block_in_loop(f, b) && (loop->back == PTX_NO_PC || g->blocks[b].last > loop->back))
      loop->back = g->blocks[b].last;
  }
}

static void hint_loop(const finder *f, const ptx_pair_loop *loop) {
  uint8_t *h = f->pairs->hints;
  bool any = false;
  for (uint32_t i = 0; i < f->pairs->n_loads; i++) {
    const ptx_pair_load *l = &f->pairs->loads[i];
    if (l->loop != f->loop || l->role == PTX_LOAD_NONE) continue;
    any = true;
    h[l->pc] |= l->role == PTX_LOAD_HEAD ? PTX_HINT_HEAD : PTX_HINT_TAIL;
  }
  if (!any) return;
  if (loop->test.pc != PTX_NO_PC) h[loop->test.pc] |= PTX_HINT_TEST;
  if (loop->entry.pc != PTX_NO_PC) h[loop->entry.pc] |= PTX_HINT_ENTRY;
  for (uint32_t i = 0; i < loop->n_chain; i++) h[loop->chain[i]] |= PTX_HINT_CHAIN;
}

static void look_at_loop(finder *f) {
  ptx_pair_loop *loop = &f->pairs->loops[f->loop];
  find_header(f, loop);
  find_values(f);
  judge_loads(f);
  find_test(f, loop);
  find_entry(f, loop);
  find_chain(f, loop);
  hint_loop(f, loop);
}

static const char *not_looked_at(const ptx_kernel *k) {
  return k->calls ? "not looked at: the kernel calls functions"
                  : "not looked at: the kernel is too large";
}

static void list_loads(ptx_pairs *p, const ptx_kernel *k) {
  for (int pass = 0; pass < 2; pass++) {
    uint32_t n = 0;
    for (ptx_pc i = 0; i < k->n_insts; i++) {
      const ptx_inst *inst = &k->insts[i];
      const bool global = inst->space == PTX_SPACE_GLOBAL || inst->space == PTX_SPACE_GLOBAL_NC ||
                          inst->space == PTX_SPACE_GENERIC;
      if (inst->cls != PTX_CLASS_LOAD || !global) continue;
      if (pass)
        p->loads[n] = (ptx_pair_load){.pc = i,
                                      .loop = k->loop_of[i],
                                      .head = PTX_NO_PC,
                                      .reason = k->loop_of[i] == PTX_NO_LOOP ? "in no loop"
                                                                             : not_looked_at(k)};
      n++;
    }
    if (!pass) p->loads = wf_calloc((size_t)n + 1, sizeof *p->loads);
    p->n_loads = n;
  }
}

ptx_pairs *ptx_find_pairs(const ptx_kernel *k) {
  ptx_pairs *p = wf_calloc(1, sizeof *p);
  p->hints = wf_calloc((size_t)k->n_insts + 1, 1);
  p->n_loops = k->n_loops;
  p->loops = wf_calloc((size_t)k->n_loops + 1, sizeof *p->loops);
  for (uint32_t l = 0; l < k->n_loops; l++)
    p->loops[l] = (ptx_pair_loop){.first = k->loops[l].low,
                                  .back = PTX_NO_PC,
                                  .test = {.pc = PTX_NO_PC},
                                  .entry = {.pc = PTX_NO_PC},
                                  .reason = not_looked_at(k)};
  list_loads(p, k);
  finder f = {.k = k, .pairs = p, .cfg = ptx_cfg_of_kernel(k)};
  if (!k->calls && (uint64_t)f.cfg->n_blocks * k->n_regs <= STATE_LIMIT) {
    f.in = wf_calloc((size_t)f.cfg->n_blocks * k->n_regs + 1, sizeof *f.in);
    f.reached = wf_calloc((size_t)f.cfg->n_blocks + 1, 1);
    f.now = wf_calloc(2 * (size_t)k->n_regs + 1, sizeof *f.now);
    f.latch = f.now + k->n_regs;
    f.from = wf_calloc((size_t)k->n_insts + 1, sizeof *f.from);
    for (f.loop = 0; f.loop < k->n_loops; f.loop++) look_at_loop(&f);
    free(f.in);
    free(f.reached);
    free(f.now);
    free(f.from);
  }
  ptx_cfg_destroy(f.cfg);
  return p;
}

void ptx_pairs_destroy(ptx_pairs *p) {
  if (!p) return;
  free(p->loads);
  free(p->loops);
  free(p->hints);
  free(p);
}
