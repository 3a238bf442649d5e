/* Rules of propagation: table 1 of the work on spare-register prefetching, with the operations that
 * compilers use for the same ends (mad, cvt, cvta, mov, wide forms). */
#include "sim/ptx/loop_values.h"

#include <string.h>

static const ptx_value other = {.kind = PTX_VALUE_OTHER};

/* ---- text ---- */
static const char *mnemonic(const ptx_code *c) {
  const char *at = c->text;
  while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '{') at++;
  if (*at == '@') {
    while (*at && *at != ' ' && *at != '\t' && *at != '\n') at++;
    while (*at == ' ' || *at == '\t' || *at == '\n') at++;
  }
  return at;
}

bool ptx_is_mnemonic(const ptx_code *c, const char *name) {
  const char *at = mnemonic(c);
  const size_t n = strlen(name);
  return strncmp(at, name, n) == 0 && (at[n] == '.' || at[n] == ' ' || at[n] == '\t');
}

bool ptx_has_modifier(const ptx_code *c, const char *modifier) {
  const char *at = mnemonic(c), *end = at + strcspn(at, " \t\n;");
  const size_t n = strlen(modifier);
  for (; at + n <= end; at++)
    if (memcmp(at, modifier, n) == 0 && (at[n] == '.' || at + n == end)) return true;
  return false;
}

/* ---- reading and writing ---- */
static bool is_start(const ptx_value *v, uint32_t reg) {
  return v->kind == PTX_VALUE_START && !v->wide && v->reg == reg && v->number == 0;
}

static ptx_value read_wide(const ptx_reg_state *state, uint32_t reg) {
  const ptx_value *low = &state[reg].value, *high = &state[reg + 1].value;
  if (low->wide) return *low;
  if (is_start(low, reg) && is_start(high, reg + 1))
    return (ptx_value){.kind = PTX_VALUE_START, .wide = true, .reg = (uint16_t)reg};
  if (low->kind == PTX_VALUE_CONST && high->kind == PTX_VALUE_CONST && low->reg_v && high->reg_v &&
      low->reg == reg && high->reg == reg + 1 && low->number == 0 && high->number == 0)
    return (ptx_value){.kind = PTX_VALUE_CONST, .wide = true, .reg_v = true, .reg = (uint16_t)reg};
  return other;
}

ptx_value ptx_value_of_source(const ptx_reg_state *state, const ptx_source *s) {
  if (s->kind == PTX_SOURCE_CONSTANT) {
    int32_t narrow;
    int64_t wide;
    memcpy(&narrow, s->plane, sizeof narrow);
    memcpy(&wide, s->plane, s->wide ? sizeof wide : 0);
    return (ptx_value){
        .kind = PTX_VALUE_CONST, .wide = s->wide, .known = true, .number = s->wide ? wide : narrow};
  }
  if (s->kind != PTX_SOURCE_REG) return other;
  if (s->wide) return read_wide(state, s->reg);
  return state[s->reg].value.wide || state[s->reg].value.kind == PTX_VALUE_UPPER
             ? other
             : state[s->reg].value;
}

uint32_t ptx_def_of_source(const ptx_reg_state *state, const ptx_source *s) {
  return s->kind == PTX_SOURCE_REG ? state[s->reg].def : PTX_DEF_SEVERAL;
}

static void break_pair(ptx_reg_state *state, uint32_t reg) {
  if (state[reg].value.kind == PTX_VALUE_UPPER) state[state[reg].value.reg].value = other;
  if (state[reg].value.wide) state[reg + 1].value = other;
}

static bool same(const ptx_value *a, const ptx_value *b) {
  return a->kind == b->kind && a->wide == b->wide && a->known == b->known && a->reg_v == b->reg_v &&
         a->simple == b->simple && a->extend == b->extend && a->shift == b->shift &&
         a->reg == b->reg && a->load == b->load && a->number == b->number;
}

static void write_dest(ptx_reg_state *state, const ptx_dest *d, ptx_value v, ptx_pc pc,
                       bool guarded) {
  if (!d->bytes) return; /* predicates are looked up where they are needed */
  const bool wide = d->bytes == 8;
  if (guarded) {
    const ptx_value old = wide ? read_wide(state, d->reg) : state[d->reg].value;
    v.wide = wide;
    if (!same(&old, &v)) v = other;
    pc = PTX_DEF_SEVERAL;
  }
  for (unsigned k = 0; k < 1u + wide; k++) {
    break_pair(state, d->reg + k);
    state[d->reg + k].def = pc;
  }
  v.wide = wide && v.kind != PTX_VALUE_OTHER;
  state[d->reg].value = v;
  if (wide)
    state[d->reg + 1].value =
        v.wide ? (ptx_value){.kind = PTX_VALUE_UPPER, .reg = (uint16_t)d->reg} : other;
}

bool ptx_value_meet(ptx_reg_state *into, const ptx_reg_state *from, uint32_t n_regs) {
  bool changed = false;
  for (uint32_t r = 0; r < n_regs; r++) {
    if (into[r].def != from[r].def && into[r].def != PTX_DEF_SEVERAL) {
      into[r].def = PTX_DEF_SEVERAL;
      changed = true;
    }
    if (same(&into[r].value, &from[r].value) || into[r].value.kind == PTX_VALUE_OTHER) continue;
    break_pair(into, r);
    into[r].value = other;
    changed = true;
  }
  return changed;
}

/* ---- arithmetic ---- */
static ptx_value constant(void) {
  return (ptx_value){.kind = PTX_VALUE_CONST};
}

static ptx_value plus_number(ptx_value v, int64_t n) {
  if (v.kind == PTX_VALUE_OTHER || v.kind == PTX_VALUE_UPPER) return other;
  if (v.kind == PTX_VALUE_STRIDE) return v;
  if (v.kind == PTX_VALUE_CONST && !v.known && !v.reg_v) return v;
  if (v.kind == PTX_VALUE_LOADED && !v.wide && n)
    v.simple = false; /* may wrap before it is extended */
  v.number += n;
  return v;
}

static ptx_value negated(ptx_value v) {
  if (v.kind == PTX_VALUE_CONST && v.known) return v.number = -v.number, v;
  if (v.kind == PTX_VALUE_CONST) return constant();
  if (v.kind == PTX_VALUE_STRIDE) return v.number = -v.number, v;
  return other;
}

static ptx_value sum(ptx_value a, ptx_value b) {
  if (b.kind == PTX_VALUE_CONST && b.known) return plus_number(a, b.number);
  if (a.kind == PTX_VALUE_CONST && a.known) return plus_number(b, a.number);
  if (a.kind == PTX_VALUE_CONST && b.kind == PTX_VALUE_CONST) return constant();
  if (a.kind == PTX_VALUE_STRIDE && b.kind == PTX_VALUE_STRIDE) {
    a.known &= b.known;
    a.number += b.number;
    return a.known && a.number == 0 ? constant() : a;
  }
  if (a.kind == PTX_VALUE_CONST) {
    const ptx_value t = a;
    a = b;
    b = t;
  }
  if (b.kind != PTX_VALUE_CONST) return other;
  if (a.kind == PTX_VALUE_STRIDE) return a;
  if (a.kind != PTX_VALUE_LOADED) return other;
  a.simple &= b.reg_v && !a.reg_v && a.wide;
  a.reg_v = true;
  a.reg = b.reg;
  a.number += b.number;
  return a;
}

/* v * n; n a power of two for a value that stays simple. */
static ptx_value times(ptx_value v, int64_t n) {
  const bool power = n > 0 && (n & (n - 1)) == 0;
  switch (v.kind) {
  case PTX_VALUE_CONST:
    if (v.known) return v.number *= n, v;
    return constant();
  case PTX_VALUE_STRIDE:
    return v.number *= n, v;
  case PTX_VALUE_LOADED:
    v.simple &= power && !v.reg_v && v.wide;
    v.shift = (uint8_t)(v.shift + (power ? __builtin_ctzll((uint64_t)n) : 0));
    v.number *= n;
    return v;
  default:
    return other;
  }
}

static ptx_value product(ptx_value a, ptx_value b) {
  if (b.kind == PTX_VALUE_CONST && b.known) return times(a, b.number);
  if (a.kind == PTX_VALUE_CONST && a.known) return times(b, a.number);
  if (a.kind == PTX_VALUE_CONST && b.kind == PTX_VALUE_CONST) return constant();
  if (a.kind == PTX_VALUE_CONST)
    a = b;
  else if (b.kind != PTX_VALUE_CONST)
    return other;
  if (a.kind == PTX_VALUE_STRIDE) return a.known = false, a;
  if (a.kind == PTX_VALUE_LOADED) return a.simple = false, a;
  return other;
}

static ptx_value widened(ptx_value v, bool sign) {
  if (v.kind == PTX_VALUE_START) return other;
  if (v.kind == PTX_VALUE_LOADED) {
    v.simple &= !v.extend && !v.shift && !v.reg_v && !v.number;
    v.extend = sign ? 1 : 2;
  }
  if (v.kind == PTX_VALUE_CONST && !v.known) return constant();
  if (v.kind == PTX_VALUE_CONST && !sign) v.number = (int64_t)(uint32_t)v.number;
  v.wide = true;
  return v;
}

static bool is_signed(const ptx_code *c) {
  return ptx_has_modifier(c, ".s32") || ptx_has_modifier(c, ".s16");
}

static ptx_value converted(const ptx_code *c, ptx_value v) {
  const unsigned to = ptx_type_bytes((ptx_type)c->type), from = ptx_type_bytes((ptx_type)c->type2);
  if (ptx_type_kind((ptx_type)c->type) == 'f' || ptx_type_kind((ptx_type)c->type2) == 'f')
    return v.kind == PTX_VALUE_CONST ? constant() : other;
  if (to == 8 && from == 4) return widened(v, c->type2 == PTX_S32);
  if (to == from && to >= 4) return v;
  if (v.kind == PTX_VALUE_LOADED) return v.simple = false, v;
  if (v.kind == PTX_VALUE_CONST) return constant();
  return v.kind == PTX_VALUE_STRIDE && to >= 4 ? v : other;
}

static bool all_constant(const ptx_reg_state *state, const ptx_code *c) {
  for (int k = 0; k < c->n_src; k++)
    if (ptx_value_of_source(state, &c->src[k]).kind != PTX_VALUE_CONST) return false;
  return !ptx_has_modifier(c, ".cc");
}

static ptx_value computed(const ptx_reg_state *state, const ptx_code *c) {
  ptx_value v[3] = {other, other, other};
  if (c->n_src == 0)
    return strstr(c->text, "%clock") || strstr(c->text, "%globaltimer")
               ? other
               : constant(); /* special register */
  for (int k = 0; k < c->n_src && k < 3; k++) v[k] = ptx_value_of_source(state, &c->src[k]);
  const bool plain =
      !ptx_has_modifier(c, ".cc") && !ptx_has_modifier(c, ".sat") && !ptx_has_modifier(c, ".hi");
  const bool real = ptx_has_modifier(c, ".f32") || ptx_has_modifier(c, ".f64");
  if (plain && !real && c->n_dst == 1) {
    if (ptx_is_mnemonic(c, "mov") || ptx_is_mnemonic(c, "cvta"))
      return c->n_src == 1 ? v[0] : other;
    if (ptx_is_mnemonic(c, "add")) return sum(v[0], v[1]);
    if (ptx_is_mnemonic(c, "sub")) return sum(v[0], negated(v[1]));
    if (ptx_is_mnemonic(c, "neg")) return negated(v[0]);
    if (ptx_is_mnemonic(c, "shl") && v[1].kind == PTX_VALUE_CONST && v[1].known &&
        v[1].number >= 0 && v[1].number < 32)
      return times(v[0], (int64_t)1 << v[1].number);
    const bool wide = ptx_has_modifier(c, ".wide");
    if (ptx_is_mnemonic(c, "mul") || ptx_is_mnemonic(c, "mad")) {
      const ptx_value p = wide ? product(widened(v[0], is_signed(c)), widened(v[1], is_signed(c)))
                               : product(v[0], v[1]);
      return ptx_is_mnemonic(c, "mul") ? p : sum(p, v[2]);
    }
    if (ptx_is_mnemonic(c, "cvt")) return converted(c, v[0]);
  }
  return all_constant(state, c) && c->n_dst == 1 && !ptx_is_mnemonic(c, "vote") &&
                 !ptx_is_mnemonic(c, "shfl") && !ptx_is_mnemonic(c, "match") &&
                 !ptx_is_mnemonic(c, "activemask")
             ? constant()
             : other;
}

/* 8- and 16-bit results wrap where steps do not. */
static ptx_value fitting(const ptx_code *c, ptx_value v) {
  if (c->n_dst && c->dst[0].bytes == 2 && v.kind != PTX_VALUE_CONST && v.kind != PTX_VALUE_LOADED)
    return other;
  if (c->n_dst && c->dst[0].bytes == 2 && v.kind == PTX_VALUE_CONST) return constant();
  return v;
}

ptx_value ptx_value_of_address(const ptx_reg_state *state, const ptx_code *c) {
  return plus_number(ptx_value_of_source(state, &c->src[c->n_src - 1]), c->offset);
}

static ptx_value brought(const ptx_inst *inst, ptx_pc pc) {
  if (inst->space == PTX_SPACE_PARAM) return constant();
  if (inst->vec != 1) return other;
  return (ptx_value){.kind = PTX_VALUE_LOADED, .simple = true, .load = pc};
}

void ptx_value_step(ptx_reg_state *state, const ptx_inst *inst, ptx_pc pc) {
  const ptx_code *c = inst->code;
  ptx_value v = other;
  if (!c->n_dst) return;
  if (inst->cls == PTX_CLASS_LOAD)
    v = brought(inst, pc);
  else if (inst->cls < PTX_CLASS_LOAD)
    v = fitting(c, computed(state, c));
  for (int k = 0; k < c->n_dst; k++)
    write_dest(state, &c->dst[k], k == 0 ? v : other, pc, c->guarded);
}
