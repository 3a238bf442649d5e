#include "sim/trace/sass_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_text.h"
#include "sim/ptx/code.h"
#include "sim/ptx/loop_values.h"

enum { RZ = 255, MOST = 4 };

typedef struct text {
  char opcode[48];
  uint8_t src[MOST];
  unsigned n_src;
  int64_t immediate;
} text;

/* ---- operands ---- */

static bool is_reg(const ptx_code *c, unsigned s) {
  return s < c->n_src && c->src[s].kind == PTX_SOURCE_REG;
}

static int64_t number(const ptx_code *c, unsigned s) {
  int32_t narrow;
  int64_t n;
  if (s >= c->n_src || c->src[s].kind != PTX_SOURCE_CONSTANT) return 0;
  memcpy(&narrow, c->src[s].plane, sizeof narrow);
  n = narrow;
  if (c->src[s].wide) memcpy(&n, c->src[s].plane, sizeof n);
  return n;
}

static void add(text *t, unsigned reg) {
  if (t->n_src < MOST) t->src[t->n_src++] = (uint8_t)(reg == RZ ? RZ : reg % RZ);
}

/* Registers of sources first .. last; the last number among them becomes the immediate. */
static void add_sources(text *t, const ptx_code *c, unsigned first, unsigned last) {
  for (unsigned s = first; s <= last && s < c->n_src; s++)
    if (is_reg(c, s))
      add(t, c->src[s].reg);
    else if (c->src[s].kind == PTX_SOURCE_CONSTANT)
      t->immediate = number(c, s);
}

static void name(text *t, const char *opcode, const char *suffix) {
  snprintf(t->opcode, sizeof t->opcode, "%s%s", opcode, suffix);
}

/* ---- memory ---- */

bool wf_sass_addressed(const ptx_inst *i) {
  const bool memory =
      i->cls == PTX_CLASS_LOAD || i->cls == PTX_CLASS_STORE || i->cls == PTX_CLASS_ATOMIC;
  return memory && i->space != PTX_SPACE_PARAM && i->space != PTX_SPACE_CONST;
}

static const char *size_suffix(const ptx_inst *i) {
  switch (i->bytes * i->vec) {
  case 1:
    return ".U8";
  case 2:
    return ".U16";
  case 8:
    return ".64";
  case 16:
    return ".128";
  default:
    return "";
  }
}

static const char *memory_opcode(const ptx_inst *i) {
  const bool load = i->cls == PTX_CLASS_LOAD, store = i->cls == PTX_CLASS_STORE;
  switch (i->space) {
  case PTX_SPACE_SHARED:
    return load ? "LDS" : store ? "STS" : "ATOMS.ADD";
  case PTX_SPACE_LOCAL:
    return load ? "LDL" : "STL";
  case PTX_SPACE_GENERIC:
    return load ? "LD.E" : store ? "ST.E" : "ATOM.E.ADD";
  case PTX_SPACE_GLOBAL_NC:
    return "LDG.E.CONSTANT";
  default:
    return load       ? (i->bypass_l1 ? "LDG.E.STRONG.GPU" : "LDG.E")
           : store    ? "STG.E"
           : i->n_dst ? "ATOMG.E.ADD"
                      : "RED.E.ADD";
  }
}

/* ---- arithmetic ---- */

static bool is_float(const ptx_code *c) {
  return ptx_type_kind((ptx_type)c->type) == 'f';
}
static bool is_wide(const ptx_code *c) {
  return c->n_dst && c->dst[0].bytes == 8;
}

static void sum(text *t, const ptx_code *c, bool minus) {
  name(t, "IADD3", is_wide(c) ? ".64" : "");
  add_sources(t, c, 0, 1);
  if (minus) t->immediate = -t->immediate;
  add(t, RZ);
}

/* shifted: the second source is a shift. */
static void product(text *t, const ptx_code *c, bool plus) {
  const bool wide = ptx_has_modifier(c, ".wide");
  name(t, "IMAD",
       !wide                         ? is_wide(c) ? ".64" : ""
       : ptx_has_modifier(c, ".s32") ? ".WIDE"
                                     : ".WIDE.U32");
  if (plus)
    add_sources(t, c, 2, 2), t->n_src = 0; /* a number that is added gives way to the multiplier */
  add_sources(t, c, 0, 1);
  if (!plus)
    add(t, RZ);
  else if (is_reg(c, 2))
    add(t, c->src[2].reg);
}

static void compare(text *t, const ptx_code *c) {
  static const char *const names[] = {"EQ", "NE", "LT", "LE", "GT", "GE"}, *const mirrored[] = {
                                                                               "EQ", "NE", "GT",
                                                                               "GE", "LT", "LE"};
  static const char *const bools[] = {".AND", ".AND", ".OR", ".XOR"};
  const unsigned bytes = ptx_type_bytes((ptx_type)c->type);
  const char *kind = is_float(c) ? bytes == 8 ? "DSETP" : "FSETP" : "ISETP";
  const char *cmp = c->op > PTX_GE ? "NAN" : is_reg(c, 0) ? names[c->op] : mirrored[c->op];
  const char *width = bytes < 4                                 ? ".U16"
                      : bytes == 8                              ? ".64"
                      : ptx_type_kind((ptx_type)c->type) == 's' ? ""
                                                                : ".U32";
  snprintf(t->opcode, sizeof t->opcode, "%s.%s%s%s", kind, cmp, is_float(c) ? "" : width,
           bools[c->op2 & 3]);
  add_sources(t, c, 0, 1);
}

static bool is_move(const ptx_code *c) {
  const bool plain =
      ptx_is_mnemonic(c, "mov") || (ptx_is_mnemonic(c, "cvta") && c->space == PTX_SPACE_GLOBAL);
  const unsigned to = ptx_type_bytes((ptx_type)c->type), from = ptx_type_bytes((ptx_type)c->type2);
  const bool same = ptx_is_mnemonic(c, "cvt") && to == from && to >= 4 && !is_float(c) &&
                    ptx_type_kind((ptx_type)c->type2) != 'f';
  return (plain || same) && c->n_dst == 1 && c->n_src == 1 &&
         (c->src[0].kind == PTX_SOURCE_REG || c->src[0].kind == PTX_SOURCE_CONSTANT) &&
         c->src[0].wide == (c->dst[0].bytes == 8);
}

static bool widens(const ptx_code *c) {
  return ptx_is_mnemonic(c, "cvt") && ptx_type_bytes((ptx_type)c->type) == 8 &&
         ptx_type_bytes((ptx_type)c->type2) == 4 && !is_float(c) &&
         ptx_type_kind((ptx_type)c->type2) != 'f';
}

/* Integer operations that have a form of their own; false: there is none. */
static bool integer(text *t, const ptx_code *c) {
  const bool plain = c->n_dst == 1 && c->dst[0].bytes >= 4 && !ptx_has_modifier(c, ".cc") &&
                     !ptx_has_modifier(c, ".sat") && !ptx_has_modifier(c, ".hi") && !is_float(c);
  if (ptx_is_mnemonic(c, "setp")) return compare(t, c), true;
  if (!plain) return false;
  if (is_move(c)) return name(t, "MOV", is_wide(c) ? ".64" : ""), add_sources(t, c, 0, 0), true;
  if (widens(c)) {
    name(t, "IMAD.WIDE", c->type2 == PTX_S32 ? "" : ".U32");
    add_sources(t, c, 0, 0);
    add(t, RZ);
    return t->immediate = 1, true;
  }
  if ((ptx_is_mnemonic(c, "add") || ptx_is_mnemonic(c, "sub")) && c->n_src == 2)
    return sum(t, c, ptx_is_mnemonic(c, "sub")), true;
  if (ptx_is_mnemonic(c, "mul") || ptx_is_mnemonic(c, "mad"))
    return product(t, c, ptx_is_mnemonic(c, "mad")), true;
  if (ptx_is_mnemonic(c, "shl")) {
    name(t, "SHF.L", is_wide(c) ? ".U64" : ".U32");
    add_sources(t, c, 0, 1);
    return add(t, RZ), true;
  }
  return false;
}

static const char *other_integer(const ptx_code *c) {
  static const struct {
    const char *ptx, *sass;
  } table[] = {
      {"shr", "SHF.R.U32.HI"}, {"selp", "SEL"}, {"min", "IMNMX"}, {"max", "IMNMX"}, {"mov", "S2R"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (ptx_is_mnemonic(c, table[i].ptx)) return table[i].sass;
  return "LOP3.LUT";
}

static void arithmetic(text *t, const ptx_inst *i) {
  static const char *const names[PTX_CLASS_COUNT] = {
      [PTX_CLASS_IMUL] = "IMAD.HI",     [PTX_CLASS_IDIV] = "MUFU.RCP",
      [PTX_CLASS_FP32] = "FFMA",        [PTX_CLASS_FP64] = "DFMA",
      [PTX_CLASS_SFU] = "MUFU.RCP",     [PTX_CLASS_BRANCH] = "BRA",
      [PTX_CLASS_BARRIER] = "BAR.SYNC", [PTX_CLASS_FENCE] = "MEMBAR.SC.GPU",
      [PTX_CLASS_EXIT] = "EXIT"};
  const ptx_code *c = i->code;
  const bool setp = ptx_is_mnemonic(c, "setp");
  if ((i->cls == PTX_CLASS_INT || i->cls == PTX_CLASS_IMUL || setp) && integer(t, c)) return;
  name(t, i->cls == PTX_CLASS_INT ? other_integer(c) : names[i->cls] ? names[i->cls] : "MOV", "");
  add_sources(t, c, 0, MOST - 1);
  t->immediate = 0;
}

/* ---- a line ---- */

static void build(text *t, const ptx_inst *i) {
  const bool memory =
      i->cls == PTX_CLASS_LOAD || i->cls == PTX_CLASS_STORE || i->cls == PTX_CLASS_ATOMIC;
  if (wf_sass_addressed(i)) {
    name(t, memory_opcode(i), size_suffix(i));
    add_sources(t, i->code, 0, MOST - 1);
    t->immediate = i->code->offset;
  } else if (memory) {
    name(t, "MOV", ""); /* from the constant bank */
  } else {
    arithmetic(t, i);
  }
}

char *wf_sass_key(const ptx_inst *i, uint32_t n_regs, int64_t *immediate) {
  text t = {0};
  build(&t, i);
  char dst[16] = "0 ", src[MOST * 6 + 4] = "";
  size_t n = 0;
  for (unsigned d = 0; d < i->n_dst; d++)
    if (i->dst[d] < n_regs) {
      snprintf(dst, sizeof dst, "1 R%u ", i->dst[d] % 255u);
      break;
    }
  for (unsigned s = 0; s < t.n_src; s++)
    n += (size_t)snprintf(src + n, sizeof src - n, "R%u ", t.src[s]);
  *immediate = t.immediate;
  return wf_text("%s%s %u %s%u", dst, t.opcode, t.n_src, src,
                 wf_sass_addressed(i) ? (unsigned)i->bytes * i->vec : 0);
}
