#include "sim/units/spref/spref_decode.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/cfg.h"
#include "sim/ptx/code.h"
#include "sim/ptx/loop_values.h"

/* ---- what decoders share ---- */

spref_code *spref_code_new(uint32_t n_insts) {
  spref_code *o = wf_calloc(1, sizeof *o);
  o->rows = wf_calloc((size_t)n_insts + 1, sizeof *o->rows);
  o->waits = wf_calloc((size_t)n_insts + 1, sizeof *o->waits);
  o->outside = wf_calloc((size_t)n_insts + 1, sizeof *o->outside);
  o->idle = wf_calloc((size_t)n_insts + 1, sizeof *o->idle);
  return o;
}

uint8_t spref_code_name(spref_code *o, int16_t *name, unsigned reg) {
  if (*name < 0) {
    if (o->n_names == SPREF_NAMES) return o->fits = false, 0;
    o->reg_of_name[o->n_names] = (uint16_t)reg;
    *name = (int16_t)o->n_names++;
  }
  return (uint8_t)*name;
}

int spref_log2(int64_t n) {
  return n > 0 && n <= 1 << 15 && !(n & (n - 1)) ? __builtin_ctzll((uint64_t)n) : -1;
}

uint8_t spref_mirrored(unsigned cmp) {
  static const uint8_t mirror[] = {PTX_EQ, PTX_NE, PTX_GT, PTX_GE, PTX_LT, PTX_LE};
  return mirror[cmp];
}

/* ---- names: definitions that reach a common use are one ---- */

typedef struct def {
  uint16_t reg, n; /* 32-bit registers */
  uint32_t web;
  ptx_pc pc;
  bool guarded;
} def;

typedef struct webs {
  const ptx_kernel *k;
  ptx_cfg *cfg;
  def *defs; /* first those before the kernel, a register each */
  uint32_t n_defs, words;
  uint32_t *first_def; /* by instruction */
  uint64_t *in, *now;  /* in: [block][words] */
} webs;

static uint32_t root(webs *w, uint32_t d) {
  while (w->defs[d].web != d) d = w->defs[d].web = w->defs[w->defs[d].web].web;
  return d;
}

static void list_defs(webs *w) {
  const ptx_kernel *k = w->k;
  uint32_t most = k->n_regs;
  for (ptx_pc pc = 0; pc < k->n_insts; pc++) most += k->insts[pc].code->n_dst;
  w->defs = wf_calloc((size_t)most + 1, sizeof *w->defs);
  w->first_def = wf_calloc((size_t)k->n_insts + 1, sizeof *w->first_def);
  for (uint32_t r = 0; r < k->n_regs; r++) w->defs[w->n_defs++] = (def){.reg = (uint16_t)r, .n = 1};
  for (ptx_pc pc = 0; pc < k->n_insts; pc++) {
    const ptx_code *c = k->insts[pc].code;
    w->first_def[pc] = w->n_defs;
    for (unsigned d = 0; d < c->n_dst; d++)
      w->defs[w->n_defs++] = (def){.reg = (uint16_t)c->dst[d].reg,
                                   .pc = pc,
                                   .guarded = c->guarded,
                                   .n = c->dst[d].bytes == 8 ? 2
                                        : c->dst[d].bytes    ? 1
                                                             : 0};
  }
  w->first_def[k->n_insts] = w->n_defs;
  for (uint32_t d = 0; d < w->n_defs; d++) w->defs[d].web = d;
  w->words = w->n_defs / 64 + 1;
}

static bool touches(const def *d, uint32_t reg, uint32_t n) {
  return d->n && d->reg < reg + n && reg < d->reg + d->n;
}

static void define(webs *w, ptx_pc pc) {
  for (uint32_t d = w->first_def[pc]; d < w->first_def[pc + 1]; d++) {
    if (!w->defs[d].n) continue;
    for (uint32_t e = 0; e < w->n_defs && !w->defs[d].guarded; e++)
      if (touches(&w->defs[e], w->defs[d].reg, w->defs[d].n))
        w->now[e / 64] &= ~((uint64_t)1 << (e % 64));
    w->now[d / 64] |= (uint64_t)1 << (d % 64);
  }
}

/* The web that a read of the register is of; all definitions that reach it become one. */
static uint32_t use(webs *w, uint32_t reg, bool wide) {
  uint32_t first = UINT32_MAX;
  for (uint32_t d = 0; d < w->n_defs; d++) {
    if (!(w->now[d / 64] >> (d % 64) & 1) || !touches(&w->defs[d], reg, wide ? 2 : 1)) continue;
    if (first == UINT32_MAX)
      first = root(w, d);
    else
      w->defs[root(w, d)].web = first;
  }
  return first == UINT32_MAX ? root(w, reg) : root(w, first);
}

static void through(webs *w, uint32_t b, bool uses) {
  memcpy(w->now, w->in + (size_t)b * w->words, w->words * sizeof *w->now);
  for (ptx_pc pc = w->cfg->blocks[b].first; pc <= w->cfg->blocks[b].last; pc++) {
    const ptx_code *c = w->k->insts[pc].code;
    for (unsigned s = 0; uses && s < c->n_src; s++)
      if (c->src[s].kind == PTX_SOURCE_REG) (void)use(w, c->src[s].reg, c->src[s].wide);
    /* A guarded write leaves the old value in some lanes: it is read. */
    for (unsigned d = 0; uses && c->guarded && d < c->n_dst; d++) {
      const def *x = &w->defs[w->first_def[pc] + d];
      if (x->n) w->defs[root(w, w->first_def[pc] + d)].web = use(w, x->reg, x->n == 2);
    }
    define(w, pc);
  }
}

static void reach(webs *w) {
  for (uint32_t r = 0; r < w->k->n_regs; r++) w->in[r / 64] |= (uint64_t)1 << (r % 64);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 0; b < w->cfg->n_blocks; b++) {
      through(w, b, false);
      for (uint32_t s = 0; s < w->cfg->blocks[b].n_succ; s++) {
        uint64_t *to = w->in + (size_t)w->cfg->blocks[b].succ[s] * w->words;
        for (uint32_t i = 0; i < w->words; i++) {
          changed |= (w->now[i] & ~to[i]) != 0;
          to[i] |= w->now[i];
        }
      }
    }
  }
}

/* ---- opcode classes ---- */

typedef struct decoder {
  spref_code *out;
  webs *w;
  int16_t *name_of_web;
  const ptx_inst *inst;
  ptx_pc pc;
  spref_row *row;
} decoder;

static uint8_t name_of(decoder *d, uint32_t web, uint32_t reg) {
  return spref_code_name(d->out, &d->name_of_web[web], reg);
}

static uint8_t source(decoder *d, unsigned s) {
  const ptx_source *x = &d->inst->code->src[s];
  return name_of(d, use(d->w, x->reg, x->wide), x->reg);
}

static uint8_t destination(decoder *d, unsigned i) {
  return name_of(d, root(d->w, d->w->first_def[d->pc] + i), d->inst->code->dst[i].reg);
}

static bool is_reg(const ptx_code *c, unsigned s) {
  return s < c->n_src && c->src[s].kind == PTX_SOURCE_REG;
}

static bool number(const ptx_code *c, unsigned s, int64_t *n) {
  int32_t narrow;
  if (s >= c->n_src || c->src[s].kind != PTX_SOURCE_CONSTANT) return false;
  memcpy(&narrow, c->src[s].plane, sizeof narrow);
  *n = narrow;
  if (c->src[s].wide) memcpy(n, c->src[s].plane, sizeof *n);
  return true;
}

static bool short_number(const ptx_code *c, unsigned s, int64_t *n) {
  return number(c, s, n) && *n >= INT16_MIN && *n <= INT16_MAX;
}

/* b: a register or a short number. */
static bool second(decoder *d, unsigned s) {
  int64_t n;
  if (is_reg(d->inst->code, s)) return d->row->bkind = 1, d->row->b = source(d, s), true;
  if (!short_number(d->inst->code, s, &n)) return false;
  d->row->bkind = 2;
  d->row->imm = (int16_t)n;
  return true;
}

static bool decode_sum(decoder *d, bool minus) {
  const ptx_code *c = d->inst->code;
  const unsigned first = !minus && !is_reg(c, 0);
  if (c->n_src != 2 || !is_reg(c, first) || !second(d, !first)) return false;
  d->row->a = source(d, first);
  d->row->op = SPREF_OP_ADD;
  if (minus && d->row->bkind == 1)
    d->row->op = SPREF_OP_SUB;
  else if (minus && d->row->imm == INT16_MIN)
    return false;
  else if (minus)
    d->row->imm = (int16_t)-d->row->imm;
  return true;
}

static bool decode_scale(decoder *d, int shift, unsigned ext) {
  if (shift < 0 || shift > 15 || !is_reg(d->inst->code, 0)) return false;
  d->row->op = SPREF_OP_SCALE;
  d->row->a = source(d, 0);
  d->row->sh = (uint8_t)shift;
  d->row->ext = (uint8_t)ext;
  return true;
}

static bool decode_product(decoder *d, bool add) {
  const ptx_code *c = d->inst->code;
  const bool wide = ptx_has_modifier(c, ".wide"), sign = ptx_has_modifier(c, ".s32");
  int64_t n;
  if (ptx_has_modifier(c, ".hi") || !number(c, 1, &n) ||
      (wide && !sign && !ptx_has_modifier(c, ".u32")))
    return false;
  if (!decode_scale(d, spref_log2(n), wide ? sign ? 1 : 2 : 0)) return false;
  if (!add) return true;
  d->row->op = SPREF_OP_MAD;
  return second(d, 2);
}

static bool decode_convert(decoder *d) {
  const ptx_code *c = d->inst->code;
  const unsigned to = ptx_type_bytes((ptx_type)c->type), from = ptx_type_bytes((ptx_type)c->type2);
  if (ptx_type_kind((ptx_type)c->type) == 'f' || ptx_type_kind((ptx_type)c->type2) == 'f')
    return false;
  if (to == 8 && from == 4) return decode_scale(d, 0, c->type2 == PTX_S32 ? 1 : 2);
  return to == from && to >= 4 && decode_scale(d, 0, 0);
}

static bool decode_setp(decoder *d) {
  const ptx_code *c = d->inst->code;
  const unsigned bytes = ptx_type_bytes((ptx_type)c->type);
  if (c->n_dst != 1 || c->n_src != 2 || c->op2 != PTX_BOOL_NONE || c->op > PTX_GE || bytes < 4 ||
      ptx_type_kind((ptx_type)c->type) == 'f')
    return false;
  d->row->swapped = !is_reg(c, 0);
  if (!is_reg(c, d->row->swapped) || !second(d, !d->row->swapped)) return false;
  d->row->a = source(d, d->row->swapped);
  d->row->op = SPREF_OP_SETP;
  d->row->cmp = d->row->swapped ? spref_mirrored(c->op) : c->op;
  return true;
}

static bool decode_load(decoder *d) {
  const ptx_code *c = d->inst->code;
  if (d->inst->space != PTX_SPACE_GLOBAL_NC || d->inst->vec != 1 || c->n_dst != 1 ||
      c->n_src != 1 || d->inst->bypass_l1 || !is_reg(c, 0) || !c->src[0].wide ||
      c->offset < INT16_MIN || c->offset > INT16_MAX)
    return false;
  d->row->op = SPREF_OP_LOAD;
  d->row->a = source(d, 0);
  d->row->imm = (int16_t)c->offset;
  d->row->wide = c->dst[0].bytes == 8;
  return true;
}

static bool decode_arithmetic(decoder *d) {
  const ptx_code *c = d->inst->code;
  if (c->n_dst != 1 || c->dst[0].bytes < 4 || ptx_has_modifier(c, ".cc") ||
      ptx_has_modifier(c, ".sat") || ptx_has_modifier(c, ".f32") || ptx_has_modifier(c, ".f64"))
    return false;
  int64_t n;
  if (ptx_is_mnemonic(c, "add")) return decode_sum(d, false);
  if (ptx_is_mnemonic(c, "sub")) return decode_sum(d, true);
  if (ptx_is_mnemonic(c, "shl"))
    return number(c, 1, &n) && n >= 0 && n <= 15 && decode_scale(d, (int)n, 0);
  if (ptx_is_mnemonic(c, "mul")) return decode_product(d, false);
  if (ptx_is_mnemonic(c, "mad")) return decode_product(d, true);
  if (ptx_is_mnemonic(c, "cvt")) return decode_convert(d);
  if (ptx_is_mnemonic(c, "mov") || (ptx_is_mnemonic(c, "cvta") && c->space == PTX_SPACE_GLOBAL))
    return c->n_src == 1 && c->src[0].wide == (c->dst[0].bytes == 8) && decode_scale(d, 0, 0);
  return false;
}

static bool decode_class(decoder *d) {
  switch (d->inst->cls) {
  case PTX_CLASS_LOAD:
    return decode_load(d);
  case PTX_CLASS_BRANCH:
    d->row->op = SPREF_OP_BRANCH;
    d->row->target = d->inst->target;
    return true;
  case PTX_CLASS_INT:
  case PTX_CLASS_IMUL:
    return ptx_is_mnemonic(d->inst->code, "setp") ? decode_setp(d) : decode_arithmetic(d);
  default:
    return false;
  }
}

static void decode_one(decoder *d) {
  const ptx_code *c = d->inst->code;
  spref_row *r = d->row;
  if (!decode_class(d)) *r = (spref_row){0};
  if (c->guarded) {
    r->guard = true;
    r->gneg = c->guard_invert != 0;
    r->gpred = (uint8_t)c->guard;
  }
  unsigned registers = 0, predicates = 0;
  for (unsigned i = 0; i < c->n_dst; i++) {
    if (c->dst[i].bytes)
      r->dst = destination(d, i), registers++;
    else
      r->pd = (uint8_t)c->dst[i].reg, predicates++;
  }
  if (registers > 1 || predicates > 1) *r = (spref_row){.op = SPREF_OP_CLOBBER};
  r->dst_v = r->op != SPREF_OP_CLOBBER && registers == 1;
  r->pd_v = r->op != SPREF_OP_CLOBBER && predicates == 1;
}

static void decode_block(decoder *d, const ptx_block *b) {
  for (ptx_pc pc = b->first; pc <= b->last; pc++) {
    d->pc = pc;
    d->inst = &d->w->k->insts[pc];
    d->row = &d->out->rows[pc];
    decode_one(d);
    define(d->w, pc);
  }
}

/* A loop is, for the unit, what lies between a branch backwards and its target. */
static void find_loops(const ptx_kernel *k, spref_code *o) {
  for (ptx_pc pc = 0; pc < k->n_insts; pc++) {
    o->outside[pc] = true;
    o->idle[pc] = o->rows[pc].op == SPREF_OP_OTHER && !o->rows[pc].dst_v && !o->rows[pc].pd_v;
  }
  for (ptx_pc pc = 0; pc < k->n_insts; pc++)
    for (ptx_pc at = o->rows[pc].target; o->rows[pc].op == SPREF_OP_BRANCH && at <= pc; at++)
      o->outside[at] = false;
  for (ptx_pc pc = 0; pc < k->n_insts; pc++) {
    o->waits[pc] = o->rows[pc].op == SPREF_OP_LOAD && !o->outside[pc];
    o->loops |= o->waits[pc];
  }
}

spref_code *spref_decode(const ptx_kernel *k, bool values) {
  spref_code *o = spref_code_new(k->n_insts);
  o->fits = k->n_preds <= SPREF_PREDICATES && (values || k->n_regs <= SPREF_NAMES);
  webs w = {.k = k, .cfg = ptx_cfg_of_kernel(k)};
  list_defs(&w);
  w.in = wf_calloc((size_t)w.cfg->n_blocks * w.words + 1, sizeof *w.in);
  w.now = wf_calloc(w.words, sizeof *w.now);
  reach(&w);
  for (uint32_t b = 0; b < w.cfg->n_blocks; b++) through(&w, b, true);
  decoder d = {
      .out = o, .w = &w, .name_of_web = wf_calloc((size_t)w.n_defs + 1, sizeof *d.name_of_web)};
  for (uint32_t i = 0; i < w.n_defs; i++) d.name_of_web[i] = -1;
  if (!values) {
    o->n_names = k->n_regs;
    for (uint32_t r = 0; r < k->n_regs && r < SPREF_NAMES; r++) o->reg_of_name[r] = (uint16_t)r;
    for (uint32_t i = 0; i < w.n_defs && o->fits; i++) d.name_of_web[i] = (int16_t)w.defs[i].reg;
  }
  for (uint32_t b = 0; b < w.cfg->n_blocks && o->fits; b++) {
    memcpy(w.now, w.in + (size_t)b * w.words, w.words * sizeof *w.now);
    decode_block(&d, &w.cfg->blocks[b]);
  }
  find_loops(k, o);
  free(d.name_of_web);
  free(w.in);
  free(w.now);
  free(w.defs);
  free(w.first_def);
  ptx_cfg_destroy(w.cfg);
  return o;
}

void spref_code_free(spref_code *o) {
  if (!o) return;
  free(o->rows);
  free(o->waits);
  free(o->outside);
  free(o->idle);
  free(o);
}
