/* Forms of values. Blocks are gone through in reverse postorder, so that all but what comes around
 * loops is known when it is needed; what comes around is opaque at first. A round that shows an
 * opaque one to step by the same form in every iteration makes it (what the loop was entered with)
 * + step * iteration, and another round follows; each later round checks that again. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/affine_private.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/loop_values.h"

enum {
  MAX_ROUNDS = 24,
  NEW_ROUNDS = 10 /* in which steps are learnt, then only forgotten */,
  MAX_ARGS = 16
};

typedef struct eval {
  ptx_affine *a;
  ptx_forms *f;
  uint8_t sreg[12]; /* numbers of tid, ntid, ctaid, nctaid */
} eval;

/* ---- atoms ---- */
static ptx_atom *atom_at(eval *e, uint32_t atom) {
  return &e->f->atoms[atom];
}

static void bound(ptx_atom *atom, int64_t low, int64_t high) {
  atom->bounded = true;
  atom->low = low;
  atom->high = high;
}

static const ptx_form *special(eval *e, unsigned which) {
  static const uint8_t kinds[] = {PTX_ATOM_TID, PTX_ATOM_NTID, PTX_ATOM_CTAID, PTX_ATOM_NCTAID};
  const uint32_t id = ptx_atom_find(e->f, (ptx_atom_kind)kinds[which / 3], which % 3);
  const int64_t threads = e->a->k->max_ntid ? e->a->k->max_ntid : 1024;
  ptx_atom *atom = atom_at(e, id);
  if (which < 3)
    bound(atom, 0, threads - 1);
  else if (which < 6)
    bound(atom, 1, threads);
  else
    bound(atom, which >= 9, INT32_MAX);
  atom->uniform = which / 3 % 2;
  return ptx_form_atom(e->f, id);
}

static const ptx_form *parameter(eval *e, int64_t offset, ptx_type type) {
  if (offset < 0 || offset + ptx_type_bytes(type) > e->a->k->param_bytes || offset >= 1 << 23)
    return NULL;
  const uint32_t id = ptx_atom_find(e->f, PTX_ATOM_PARAM, (uint32_t)offset << 8 | type);
  ptx_atom *atom = atom_at(e, id);
  atom->uniform = true;
  if (ptx_type_kind(type) == 'u' && ptx_type_bytes(type) < 4)
    bound(atom, 0, (1 << 8 * ptx_type_bytes(type)) - 1);
  return ptx_form_atom(e->f, id);
}

static const ptx_form *iteration(eval *e, uint32_t header) {
  const uint32_t id = ptx_atom_find(e->f, PTX_ATOM_ITERATION, header);
  ptx_atom *atom = atom_at(e, id);
  bound(atom, 0, (int64_t)1 << 40);
  atom->cause = PTX_CAUSE_INDUCTION;
  atom->pc = e->a->ssa->cfg->blocks[header].first;
  return ptx_form_atom(e->f, id);
}

static const ptx_form **keep_args(eval *e, const ptx_form *const *args, uint32_t n) {
  const ptx_form **kept = ptx_arena_small(&e->f->arena, (n + 1) * sizeof *kept);
  memcpy(kept, args, n * sizeof *kept);
  return kept;
}

/* Something that only comes from this result. */
static uint32_t opaque(eval *e, ptx_atom_kind kind, uint32_t name, ptx_pc pc, uint8_t cause) {
  const uint32_t id = ptx_atom_find(e->f, kind, name);
  ptx_atom *atom = atom_at(e, id);
  atom->cause = cause;
  atom->pc = pc;
  atom->n_args = 0;
  atom->bounded = atom->uniform = atom->choice_of_order = false;
  atom->depth = atom->zeros = 0;
  return id;
}

/* One of the values; the one, if they are the same. */
static const ptx_form *choice(eval *e, uint32_t name, ptx_pc pc, const ptx_form *const *values,
                              uint32_t n, bool of_order) {
  const ptx_form *args[MAX_ARGS];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = 0;
    while (at < kept && !ptx_form_same(args[at], values[i])) at++;
    if (at == kept && kept < MAX_ARGS)
      args[kept++] = values[i];
    else if (at == kept)
      args[kept - 1] = NULL; /* too many: one of them is unknown */
  }
  if (kept == 1 && args[0]) return args[0];
  const uint32_t id =
      opaque(e, PTX_ATOM_CHOICE, name, pc, of_order ? PTX_CAUSE_OPERATOR : PTX_CAUSE_CONTROL);
  const ptx_form **list = keep_args(e, args, kept);
  ptx_atom *atom = atom_at(e, id);
  atom->args = list;
  atom->n_args = kept;
  atom->choice_of_order = of_order;
  int64_t low = INT64_MAX, high = INT64_MIN, l, h;
  bool bounded = true;
  for (uint32_t i = 0; i < kept; i++) {
    bounded = bounded && ptx_form_bounds(e->f, args[i], &l, &h);
    if (bounded && l < low) low = l;
    if (bounded && h > high) high = h;
  }
  if (bounded) bound(atom, low, high);
  return ptx_form_atom(e->f, id);
}

static const ptx_form *loaded(eval *e, uint32_t name, ptx_pc pc) {
  const ptx_inst *inst = &e->a->k->insts[pc];
  const uint32_t id = opaque(e, PTX_ATOM_LOADED, name, pc, PTX_CAUSE_INDIRECT);
  const ptx_type type = (ptx_type)inst->code->type;
  if (inst->cls == PTX_CLASS_LOAD && inst->bytes < 4 && ptx_type_kind(type) != 's')
    bound(atom_at(e, id), 0, (1 << 8 * inst->bytes) - 1);
  return ptx_form_atom(e->f, id);
}

/* ---- operands ---- */
static int64_t number_of(const ptx_source *s) {
  int32_t narrow;
  int64_t wide = 0;
  memcpy(&narrow, s->plane, sizeof narrow);
  if (s->wide) memcpy(&wide, s->plane, sizeof wide);
  return s->wide ? wide : narrow;
}

static bool is_wide_value(const eval *e, uint32_t name) {
  const ptx_pc pc = ptx_ssa_pc(e->a->ssa, name);
  if (pc == PTX_SSA_NO_PC) return true; /* a meeting: its ways were looked at when they were read */
  return e->a->k->insts[pc].code->dst[(name - e->a->ssa->first_result) % PTX_CODE_DST].bytes == 8;
}

static const ptx_form *source(eval *e, const ptx_source *s, const uint32_t *now) {
  if (s->kind == PTX_SOURCE_CONSTANT) return ptx_form_number(e->f, number_of(s));
  if (s->kind != PTX_SOURCE_REG) return NULL;
  const uint32_t name = ptx_ssa_source(e->a->ssa, s, now);
  if (name < PTX_NAME_FIRST) return NULL;
  if (name >= e->a->ssa->first_result && is_wide_value(e, name) != s->wide) return NULL;
  return e->a->value[name];
}

/* ---- operations ---- */
static const ptx_form *operator_atom(eval *e, uint32_t name, ptx_pc pc, const ptx_form *const *args,
                                     uint32_t n) {
  const ptx_inst *inst = &e->a->k->insts[pc];
  const ptx_code *c = inst->code;
  const uint32_t id = opaque(e, PTX_ATOM_OPERATOR, name, pc, PTX_CAUSE_OPERATOR);
  const ptx_form **list = keep_args(e, args, n);
  ptx_atom *atom = atom_at(e, id);
  unsigned depth = 0;
  bool uniform = inst->cls <= PTX_CLASS_SFU && c->n_dst == 1 && c->dst[0].bytes && !c->guarded &&
                 n && n <= PTX_CODE_SRC;
  for (uint32_t i = 0; i < n; i++) {
    uniform = uniform && c->src[i].kind <= PTX_SOURCE_REG &&
              ptx_form_only(e->f, args[i], PTX_KINDS_LAUNCH);
    for (uint32_t t = 0; uniform && t < args[i]->n; t++)
      for (int k = 0; k < PTX_FORM_DEGREE && args[i]->term[t].atom[k]; k++)
        if (atom_at(e, args[i]->term[t].atom[k])->depth > depth)
          depth = atom_at(e, args[i]->term[t].atom[k])->depth;
  }
  static const char *const across[] = {"shfl",   "vote", "match",  "activemask", "wmma",
                                       "add.cc", "addc", "sub.cc", "subc"};
  for (size_t i = 0; i < sizeof across / sizeof *across; i++)
    uniform = uniform && !ptx_is_mnemonic(c, across[i]);
  atom->args = list;
  atom->n_args = n;
  atom->depth = (uint8_t)(depth + 1);
  atom->uniform = uniform && depth + 1 < PTX_ATOM_DEPTH && !ptx_has_modifier(c, ".cc");
  return ptx_form_atom(e->f, id);
}

static bool is_mask_of_low(uint64_t mask) {
  return mask && (mask & (mask + 1)) == 0;
}

/* x & mask where that leaves x, or NULL. */
static const ptx_form *masked(eval *e, const ptx_form *x, int64_t mask, bool wide) {
  int64_t low, high;
  const uint64_t m = wide ? (uint64_t)mask : (uint32_t)mask, all = wide ? UINT64_MAX : UINT32_MAX;
  const unsigned zeros = ptx_form_zeros(e->f, x);
  const uint64_t below =
      zeros >= 64 ? UINT64_MAX : ((uint64_t)1 << zeros) - 1; /* bits that are 0 in x anyway */
  if ((m | below) == all) return x;
  if (is_mask_of_low(m | below) && ptx_form_bounds(e->f, x, &low, &high) && low >= 0 &&
      (uint64_t)high <= (m | below))
    return x;
  /* The lower 32 bits of a product with a power of two: how indexes are widened after they were
   * shifted. */
  if (wide && zeros < 32 && (m | below) == ((uint64_t)UINT32_MAX << zeros | below)) return x;
  return NULL;
}

static const ptx_form *disjoint_or(eval *e, const ptx_form *x, const ptx_form *y) {
  for (int turn = 0; turn < 2; turn++) {
    int64_t low, high;
    const unsigned zeros = ptx_form_zeros(e->f, turn ? y : x);
    if (ptx_form_bounds(e->f, turn ? x : y, &low, &high) && low >= 0 &&
        (zeros >= 63 || high < (int64_t)1 << zeros))
      return ptx_form_sum(e->f, x, y, 1);
  }
  return NULL;
}

static const ptx_form *shifted(eval *e, const ptx_code *c, const ptx_form *x, const ptx_form *by) {
  int64_t n;
  if (!ptx_form_is_number(by, &n) || n < 0 || n > 62) return NULL;
  if (ptx_is_mnemonic(c, "shr")) return ptx_form_shifted_down(e->f, x, (unsigned)n);
  return ptx_form_product(e->f, x, ptx_form_number(e->f, (int64_t)1 << n));
}

static const ptx_form *multiplied(eval *e, const ptx_form *x, const ptx_form *y,
                                  const ptx_form *more, bool mad) {
  const ptx_form *p = ptx_form_product(e->f, x, y);
  return mad ? ptx_form_sum(e->f, p, more, 1) : p;
}

/* A sum of products, or NULL. */
static const ptx_form *arithmetic(eval *e, const ptx_inst *inst, const ptx_form *const *v) {
  const ptx_code *c = inst->code;
  const bool mad = ptx_is_mnemonic(c, "mad") || ptx_is_mnemonic(c, "mad24");
  int64_t mask;
  if (inst->cls > PTX_CLASS_IMUL || c->n_dst != 1 || ptx_has_modifier(c, ".cc") ||
      ptx_has_modifier(c, ".sat") || ptx_has_modifier(c, ".hi"))
    return NULL;
  if ((ptx_is_mnemonic(c, "mov") || ptx_is_mnemonic(c, "cvta")) && c->n_src == 1) return v[0];
  if (ptx_is_mnemonic(c, "cvt")) {
    const bool whole =
        ptx_type_kind((ptx_type)c->type) != 'f' && ptx_type_kind((ptx_type)c->type2) != 'f';
    return whole && ptx_type_bytes((ptx_type)c->type) >= 4 ? v[0] : NULL;
  }
  if (ptx_is_mnemonic(c, "add")) return ptx_form_sum(e->f, v[0], v[1], 1);
  if (ptx_is_mnemonic(c, "sub")) return ptx_form_sum(e->f, v[0], v[1], -1);
  if (ptx_is_mnemonic(c, "neg")) return ptx_form_sum(e->f, ptx_form_number(e->f, 0), v[0], -1);
  if (ptx_is_mnemonic(c, "shl") || ptx_is_mnemonic(c, "shr")) return shifted(e, c, v[0], v[1]);
  if (mad || ptx_is_mnemonic(c, "mul") || ptx_is_mnemonic(c, "mul24"))
    return multiplied(e, v[0], v[1], mad ? v[2] : NULL, mad);
  if (ptx_is_mnemonic(c, "or")) return disjoint_or(e, v[0], v[1]);
  if (ptx_is_mnemonic(c, "and") && ptx_form_is_number(v[1], &mask))
    return masked(e, v[0], mask, c->dst[0].bytes == 8);
  if (ptx_is_mnemonic(c, "and") && ptx_form_is_number(v[0], &mask))
    return masked(e, v[1], mask, c->dst[0].bytes == 8);
  return NULL;
}

/* What the results of other operators are known to be like. */
static void describe_operator(eval *e, const ptx_inst *inst, const ptx_form *result,
                              const ptx_form *const *v) {
  const ptx_code *c = inst->code;
  ptx_atom *atom = atom_at(e, result->term[0].atom[0]);
  const unsigned bits = c->n_dst ? 8u * c->dst[0].bytes : 0;
  int64_t n;
  if (inst->cls > PTX_CLASS_IDIV || c->n_dst != 1 || !bits || c->n_src < 2 ||
      ptx_has_modifier(c, ".sat") || ptx_has_modifier(c, ".cc"))
    return;
  if (!ptx_form_is_number(v[1], &n)) return;
  if (ptx_is_mnemonic(c, "and") && n >= 0) bound(atom, 0, n);
  if (ptx_is_mnemonic(c, "and") && n) atom->zeros = (uint8_t)__builtin_ctzll((unsigned long long)n);
  if (ptx_is_mnemonic(c, "rem") && n > 0 && ptx_has_modifier(c, ".u32")) bound(atom, 0, n - 1);
  if (ptx_is_mnemonic(c, "shr") && ptx_has_modifier(c, ".u32") && n > 0 && n < 32)
    bound(atom, 0, ((int64_t)1 << (32 - n)) - 1);
}

static bool is_choice(const ptx_inst *inst, bool *of_order) {
  const ptx_code *c = inst->code;
  *of_order =
      inst->cls == PTX_CLASS_INT && (ptx_is_mnemonic(c, "min") || ptx_is_mnemonic(c, "max"));
  return *of_order || (ptx_is_mnemonic(c, "selp") && c->n_dst == 1);
}

static const ptx_form *computed(eval *e, uint32_t name, ptx_pc pc, const uint32_t *now) {
  const ptx_inst *inst = &e->a->k->insts[pc];
  const ptx_code *c = inst->code;
  const ptx_form *v[PTX_CODE_SRC] = {NULL};
  bool of_order;
  if (c->n_src == 0 && c->run == ptx_sreg_handler())
    for (unsigned k = 0; k < 12; k++)
      if (c->op == e->sreg[k]) return special(e, k);
  for (uint32_t k = 0; k < c->n_src && k < PTX_CODE_SRC; k++) v[k] = source(e, &c->src[k], now);
  const ptx_form *r = arithmetic(e, inst, v);
  int64_t low, high;
  if (r && c->dst[0].bytes == 2 &&
      (!ptx_form_bounds(e->f, r, &low, &high) || low < INT16_MIN || high > UINT16_MAX))
    r = NULL; /* may wrap */
  if (r && ptx_is_mnemonic(c, "cvta") && r->n == 1 && r->term[0].factor == 1)
    atom_at(e, r->term[0].atom[0])->pointer = true;
  if (r) return r;
  if (is_choice(inst, &of_order)) return choice(e, name, pc, v, 2, of_order);
  if (ptx_is_mnemonic(c, "shfl") || ptx_is_mnemonic(c, "vote") || ptx_is_mnemonic(c, "match") ||
      ptx_is_mnemonic(c, "activemask"))
    return loaded(e, name, pc);
  r = operator_atom(e, name, pc, v, c->n_src);
  if (r) describe_operator(e, inst, r, v);
  return r;
}

static const ptx_form *brought(eval *e, uint32_t name, ptx_pc pc, uint32_t d) {
  const ptx_inst *inst = &e->a->k->insts[pc];
  if (inst->cls == PTX_CLASS_LOAD && inst->space == PTX_SPACE_PARAM &&
      inst->code->src[inst->code->n_src - 1].kind == PTX_SOURCE_CONSTANT) {
    const ptx_source *at = &inst->code->src[inst->code->n_src - 1];
    const ptx_form *p = parameter(e, number_of(at) + inst->code->offset + (int64_t)d * inst->bytes,
                                  (ptx_type)inst->code->type);
    if (p) return p;
  }
  return loaded(e, name, pc);
}

static bool is_access(const ptx_inst *inst) {
  return inst->cls == PTX_CLASS_LOAD || inst->cls == PTX_CLASS_STORE ||
         inst->cls == PTX_CLASS_ATOMIC;
}

static void eval_inst(eval *e, ptx_pc pc, uint32_t *now) {
  const ptx_inst *inst = &e->a->k->insts[pc];
  const ptx_code *c = inst->code;
  if (is_access(inst) && c->n_src)
    e->a->address[pc] = ptx_form_sum(e->f, source(e, &c->src[c->n_src - 1], now),
                                     ptx_form_number(e->f, c->offset), 1);
  if (ptx_is_mnemonic(c, "setp") && c->n_src >= 2) {
    e->a->compared[2 * pc] = source(e, &c->src[0], now);
    e->a->compared[2 * pc + 1] = source(e, &c->src[1], now);
  }
  for (uint32_t d = 0; d < c->n_dst; d++) {
    if (!c->dst[d].bytes) continue;
    const uint32_t name = e->a->ssa->first_result + pc * PTX_CODE_DST + d;
    const ptx_form *v =
        inst->cls >= PTX_CLASS_LOAD ? brought(e, name, pc, d) : computed(e, name, pc, now);
    if (c->guarded) {
      const ptx_source old = {
          .kind = PTX_SOURCE_REG, .reg = c->dst[d].reg, .wide = c->dst[d].bytes == 8};
      const ptx_form *both[] = {source(e, &old, now), v};
      v = choice(e, name, pc, both, 2, false);
    }
    e->a->value[name] = v;
  }
  ptx_ssa_step(e->a->ssa, pc, now);
}

/* ---- meetings ---- */
typedef struct ways {
  const ptx_form *entered[MAX_ARGS], *around[MAX_ARGS];
  uint32_t n_entered, n_around;
  bool fine;
} ways;

static ways look_at_ways(const eval *e, uint32_t block, uint32_t r) {
  ways w = {.fine = true};
  uint32_t name;
  bool back;
  for (uint32_t k = 0; ptx_ssa_way(e->a->ssa, block, r, k, &name, &back); k++) {
    const ptx_form *v = name < PTX_NAME_FIRST ? NULL : e->a->value[name];
    uint32_t *n = back ? &w.n_around : &w.n_entered;
    if (*n == MAX_ARGS)
      w.fine = false;
    else
      (back ? w.around : w.entered)[(*n)++] = v;
  }
  return w;
}

static const ptx_form *common_of(const ptx_form *const *v, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    if (!ptx_form_same(v[0], v[i])) return NULL;
  return n ? v[0] : NULL;
}

static const ptx_form *meet(eval *e, uint32_t block, uint32_t r) {
  const uint32_t name = ptx_ssa_meeting(e->a->ssa, block, r);
  const ptx_pc pc = e->a->ssa->cfg->blocks[block].first;
  ways w = look_at_ways(e, block, r);
  if (!w.n_around) {
    if (!w.fine) w.entered[0] = NULL;
    return choice(e, name, pc, w.entered, w.n_entered, false);
  }
  const ptx_form *start = w.fine ? common_of(w.entered, w.n_entered) : NULL,
                 *step = e->a->step[name - PTX_NAME_FIRST];
  if (start && step) {
    const ptx_form *v =
        ptx_form_sum(e->f, start, ptx_form_product(e->f, step, iteration(e, block)), 1);
    if (v) return v;
  }
  const uint32_t id = opaque(e, PTX_ATOM_MEETING, name, pc, PTX_CAUSE_INDUCTION);
  const ptx_form **list = keep_args(e, &start, 1);
  atom_at(e, id)->args = list;
  atom_at(e, id)->n_args = 1;
  return ptx_form_atom(e->f, id);
}

static void through_blocks(eval *e, uint32_t *now) {
  const ptx_ssa *s = e->a->ssa;
  for (uint32_t i = 0; i < s->n_order; i++) {
    const uint32_t b = s->order[i];
    for (uint32_t r = 0; s->join[b] != UINT32_MAX && r < s->k->n_regs; r++) {
      const uint32_t name = ptx_ssa_meeting(s, b, r);
      if (s->same[name] == name && s->used[name]) e->a->value[name] = meet(e, b, r);
    }
    ptx_ssa_start(s, b, now);
    for (ptx_pc pc = s->cfg->blocks[b].first; pc <= s->cfg->blocks[b].last; pc++)
      eval_inst(e, pc, now);
  }
}

/* Whether an atom of the kinds is in the form, choices looked into. */
static bool holds(const eval *e, const ptx_form *form, unsigned kinds, int looks) {
  for (uint32_t i = 0; form && i < form->n; i++)
    for (int k = 0; k < PTX_FORM_DEGREE && form->term[i].atom[k]; k++) {
      const ptx_atom *atom = &e->f->atoms[form->term[i].atom[k]];
      if (kinds >> atom->kind & 1 && !atom->uniform) return true;
      for (uint32_t x = 0; looks > 0 && atom->kind == PTX_ATOM_CHOICE && x < atom->n_args; x++)
        if (!atom->args[x] || holds(e, atom->args[x], kinds, looks - 1)) return true;
    }
  return false;
}

/* What a loop starts from if its variable can be told for each iteration: of one that starts where
 * a load says only the cause is told, which is induction. */
static bool is_clear_start(const eval *e, const ptx_form *start) {
  const unsigned opaque_kinds =
      1 << PTX_ATOM_LOADED | 1 << PTX_ATOM_MEETING | 1 << PTX_ATOM_OPERATOR;
  return start && !holds(e, start, opaque_kinds, 2);
}

/* A variable that the loop itself loads anew is indirect; of others it is the loop that matters. */
static uint8_t cause_around(const eval *e, const ways *w) {
  for (uint32_t way = 0; way < w->n_around; way++)
    if (holds(e, w->around[way], 1 << PTX_ATOM_LOADED, 2)) return PTX_CAUSE_INDIRECT;
  return PTX_CAUSE_INDUCTION;
}

/* A meeting of a loop's start after a round: true if another round may know more. */
static bool learn(eval *e, uint32_t block, uint32_t r, bool anything_new) {
  const uint32_t name = ptx_ssa_meeting(e->a->ssa, block, r), at = name - PTX_NAME_FIRST;
  const ways w = look_at_ways(e, block, r);
  const ptx_form *now = e->a->value[name], *start = common_of(w.entered, w.n_entered),
                 *around = common_of(w.around, w.n_around);
  if (!w.n_around || !now) return false;
  if (e->a->step[at]) {
    if (w.fine && ptx_form_same(around, ptx_form_sum(e->f, now, e->a->step[at], 1))) return false;
    e->a->step[at] = NULL;
    return e->a->given_up[at] = true;
  }
  const uint32_t id = ptx_atom_find(e->f, PTX_ATOM_MEETING, name);
  atom_at(e, id)->cause = cause_around(e, &w);
  const ptx_form *step = ptx_form_sum(e->f, around, now, -1);
  if (!anything_new || e->a->given_up[at] || !w.fine ||
      !ptx_form_only(e->f, step, PTX_KINDS_BLOCK) || !is_clear_start(e, start))
    return false;
  e->a->step[at] = step;
  return true;
}

static bool learn_all(eval *e, bool anything_new) {
  const ptx_ssa *s = e->a->ssa;
  bool more = false;
  for (uint32_t i = 0; i < s->n_order; i++) {
    const uint32_t b = s->order[i];
    for (uint32_t r = 0; s->join[b] != UINT32_MAX && r < s->k->n_regs; r++) {
      const uint32_t name = ptx_ssa_meeting(s, b, r);
      if (s->same[name] == name && s->used[name]) more |= learn(e, b, r, anything_new);
    }
  }
  return more;
}

/* Steps that the last round did not confirm are no steps. */
static void give_up(eval *e) {
  for (uint32_t i = 0; i < e->a->ssa->first_result; i++) {
    e->a->given_up[i] = true;
    e->a->step[i] = NULL;
  }
}

void ptx_affine_eval(ptx_affine *a) {
  static const char *const names[] = {"%tid.x",   "%tid.y",    "%tid.z",    "%ntid.x",
                                      "%ntid.y",  "%ntid.z",   "%ctaid.x",  "%ctaid.y",
                                      "%ctaid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z"};
  eval e = {.a = a, .f = &a->forms};
  ptx_type type;
  for (int k = 0; k < 12; k++) ptx_sreg_find(names[k], strlen(names[k]), &e.sreg[k], &type);
  uint32_t *now = wf_calloc((size_t)a->k->n_regs + 1, sizeof *now);
  bool more = true;
  for (int round = 0; more && round < MAX_ROUNDS; round++) {
    through_blocks(&e, now);
    more = learn_all(&e, round < NEW_ROUNDS);
  }
  if (more) {
    give_up(&e);
    through_blocks(&e, now);
    learn_all(&e, false);
  }
  free(now);
}
