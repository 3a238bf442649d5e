#include "sim/units/spref/spref_decode.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"
#include "sim/ptx/loop_values.h"

/* ---- what decoders share ---- */

spref_code *spref_code_new(uint32_t n_insts) {
  spref_code *o = wf_calloc(1, sizeof *o);
  o->rows = wf_calloc((size_t)n_insts + 1, sizeof *o->rows);
  o->asks = wf_calloc((size_t)n_insts + 1, sizeof *o->asks);
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

/* ---- opcode classes ---- */

typedef struct decoder {
  const ptx_kernel *k;
  spref_code *out;
  const ptx_inst *inst;
  spref_row *row;
} decoder;

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

static void first(decoder *d, unsigned s) {
  const ptx_source *x = &d->inst->code->src[s];
  d->row->a = (uint8_t)x->reg;
  d->row->pair_a = x->wide;
}

/* b: a register or a short number. */
static bool second(decoder *d, unsigned s) {
  int64_t n;
  if (is_reg(d->inst->code, s)) {
    d->row->bkind = 1;
    d->row->b = (uint8_t)d->inst->code->src[s].reg;
    d->row->pair_b = d->inst->code->src[s].wide;
    return true;
  }
  if (!short_number(d->inst->code, s, &n)) return false;
  d->row->bkind = 2;
  d->row->imm = (int16_t)n;
  return true;
}

static bool decode_sum(decoder *d, bool minus) {
  const ptx_code *c = d->inst->code;
  const unsigned x = !minus && !is_reg(c, 0);
  if (c->n_src != 2 || !is_reg(c, x) || !second(d, !x)) return false;
  first(d, x);
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
  first(d, 0);
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
  first(d, d->row->swapped);
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
  first(d, 0);
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
    if (c->dst[i].bytes) {
      r->dst = (uint8_t)c->dst[i].reg;
      r->pair_dst = c->dst[i].bytes == 8;
      registers++;
    } else {
      r->pd = (uint8_t)c->dst[i].reg, predicates++;
    }
  }
  if (registers > 1 || predicates > 1) *r = (spref_row){.op = SPREF_OP_CLOBBER};
  r->dst_v = r->op != SPREF_OP_CLOBBER && registers == 1;
  r->pd_v = r->op != SPREF_OP_CLOBBER && predicates == 1;
}

void spref_code_sort(spref_code *o, const ptx_kernel *k) {
  for (ptx_pc pc = 0; pc < k->n_insts; pc++) {
    const spref_row *r = &o->rows[pc];
    o->idle[pc] =
        r->op == SPREF_OP_OTHER && !r->dst_v && !r->pd_v && k->insts[pc].cls != PTX_CLASS_EXIT;
    o->asks[pc] = r->op == SPREF_OP_LOAD;
    o->loads |= o->asks[pc];
  }
}

spref_code *spref_decode(const ptx_kernel *k) {
  spref_code *o = spref_code_new(k->n_insts);
  o->fits = !k->calls && k->n_preds <= SPREF_PREDICATES && k->n_regs < SPREF_NAMES;
  o->n_names = k->n_regs;
  for (unsigned r = 0; r < k->n_regs && o->fits; r++) o->reg_of_name[r] = (uint16_t)r;
  for (ptx_pc pc = 0; pc < k->n_insts && o->fits; pc++)
    decode_one(&(decoder){.k = k, .out = o, .inst = &k->insts[pc], .row = &o->rows[pc]});
  spref_code_sort(o, k);
  return o;
}

void spref_code_free(spref_code *o) {
  if (!o) return;
  free(o->rows);
  free(o->asks);
  free(o->idle);
  free(o);
}
