#include "sim/ptx/decode.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/ptx/lanes.h"
#include "sim/ptx/listing.h"

bool ptx_decode_fail(const ptx_decoder *d, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return wf_fail(d->b->lex->err, WF_EXIT_BAD_INPUT, "%s:%u: '%.120s': %s", d->b->lex->name,
                 d->s->line, d->s->text, text);
}

/* ---- modifiers ---- */
static bool is_mod(const ptx_decoder *d, unsigned k, const char *text) {
  return d->mods[k] && strlen(text) == d->mod_bytes[k] &&
         memcmp(d->mods[k], text, d->mod_bytes[k]) == 0;
}

bool ptx_take(ptx_decoder *d, const char *modifier) {
  for (unsigned k = 0; k < d->n_mods; k++)
    if (is_mod(d, k, modifier)) {
      d->mods[k] = NULL;
      return true;
    }
  return false;
}

int ptx_take_one(ptx_decoder *d, const char *const *list) {
  for (unsigned k = 0; k < d->n_mods; k++)
    for (int i = 0; list[i]; i++)
      if (is_mod(d, k, list[i])) {
        d->mods[k] = NULL;
        return i;
      }
  return -1;
}

ptx_type ptx_take_type(ptx_decoder *d) {
  for (unsigned k = 0; k < d->n_mods; k++) {
    const ptx_type t = d->mods[k] ? ptx_type_find(d->mods[k], d->mod_bytes[k]) : PTX_NO_TYPE;
    if (t == PTX_NO_TYPE) continue;
    d->mods[k] = NULL;
    return t;
  }
  return PTX_NO_TYPE;
}

ptx_rounding ptx_take_rounding(ptx_decoder *d) {
  static const char *const names[] = {"rn",  "rz",  "rm",  "rp",  "rni",
                                      "rzi", "rmi", "rpi", "rna", NULL};
  return (ptx_rounding)(ptx_take_one(d, names) + 1);
}

/* The mnemonic cut at its dots, first part left out. */
static bool split(ptx_decoder *d) {
  const char *at = d->s->mnemonic, *end = at + d->s->mnemonic_bytes;
  while (at < end && *at != '.') at++;
  while (at < end) {
    const char *start = ++at;
    while (at < end && *at != '.') at++;
    if (d->n_mods == PTX_MAX_MODS) return ptx_decode_fail(d, "too many modifiers");
    d->mods[d->n_mods] = start;
    d->mod_bytes[d->n_mods++] = (size_t)(at - start);
  }
  return true;
}

/* ---- operands ---- */
bool ptx_need_args(const ptx_decoder *d, uint32_t least, uint32_t most) {
  if (d->s->n_args >= least && d->s->n_args <= most) return true;
  if (least == most) return ptx_decode_fail(d, "needs %u operands, has %u", least, d->s->n_args);
  return ptx_decode_fail(d, "needs %u to %u operands, has %u", least, most, d->s->n_args);
}

/* May a register declared as `reg` serve where the instruction says `type`? */
static bool fits(ptx_type reg, ptx_type type, bool wider) {
  const unsigned have = ptx_type_bytes(reg), want = ptx_type_bytes(type);
  const char a = ptx_type_kind(reg), b = ptx_type_kind(type);
  if (a == 'p' || b == 'p') return a == b;
  if (wider && have > want) return b != 'f';
  if (have != want) return false;
  return wider || a == 'b' || b == 'b' || (a == 'f') == (b == 'f');
}

static bool misfit(const ptx_decoder *d, ptx_type reg, ptx_type type) {
  return ptx_decode_fail(d, "an operand is a .%s register where .%s is needed", ptx_type_name(reg),
                         ptx_type_name(type));
}

static void add_dest(ptx_decoder *d, uint32_t vreg) {
  const ptx_type type = (ptx_type)d->b->vregs[vreg].type;
  ptx_dest *dest = &d->code.dst[d->code.n_dst++];
  dest->reg = vreg;
  dest->bytes = (uint8_t)(type == PTX_PRED            ? 0
                          : ptx_type_bytes(type) == 1 ? 2
                                                      : ptx_type_bytes(type));
}

bool ptx_dest_reg(ptx_decoder *d, const ptx_arg *arg, ptx_type type, bool wider) {
  if (d->code.n_dst == PTX_CODE_DST) return ptx_decode_fail(d, "too many destinations");
  if (arg->kind == PTX_ARG_SINK) {
    add_dest(d, ptx_new_vreg(d->b, type));
    return true;
  }
  if (arg->kind != PTX_ARG_REG || arg->negate)
    return ptx_decode_fail(d, "the destination must be a register");
  if (arg->select && !d->selects)
    return ptx_decode_fail(d, "parts of registers are for video instructions");
  if (!fits(arg->type, type, wider)) return misfit(d, arg->type, type);
  add_dest(d, arg->reg);
  return true;
}

bool ptx_dest_pair(ptx_decoder *d, const ptx_arg *arg, ptx_type type) {
  if (arg->kind != PTX_ARG_PAIR) return ptx_dest_reg(d, arg, type, false);
  const uint32_t first = arg->reg == PTX_NO_REG ? ptx_new_vreg(d->b, type) : arg->reg;
  if (!fits((ptx_type)d->b->vregs[first].type, type, false))
    return misfit(d, (ptx_type)d->b->vregs[first].type, type);
  add_dest(d, first);
  add_dest(d, arg->reg2 == PTX_NO_REG ? ptx_new_vreg(d->b, PTX_PRED) : arg->reg2);
  return true;
}

void ptx_decode_extra(ptx_decoder *d, const ptx_code *code, const ptx_inst *inst) {
  ptx_code *c = ptx_append(d->b);
  *c = *code;
  c->text = d->s->text;
  c->file = d->b->module->file;
  c->line = d->s->line;
  d->b->insts[d->b->n - 1] = *inst;
  d->b->insts[d->b->n - 1].line = d->s->line;
  d->b->targets[d->b->n - 1] = (ptx_label_ref){0};
}

static ptx_source *add_source(ptx_decoder *d, ptx_source source) {
  d->code.src[d->code.n_src] = source;
  return &d->code.src[d->code.n_src++];
}

/* A special register outside mov: moved into a register of its own first. */
static uint32_t read_sreg(ptx_decoder *d, const ptx_arg *arg) {
  const uint32_t vreg = ptx_new_vreg(d->b, arg->type);
  const ptx_code code = {.run = ptx_sreg_handler(),
                         .op = (uint8_t)arg->reg,
                         .n_dst = 1,
                         .dst = {{vreg, (uint8_t)ptx_type_bytes(arg->type)}}};
  ptx_decode_extra(d, &code, &(ptx_inst){.cls = PTX_CLASS_INT});
  return vreg;
}

static ptx_source frame_source(void) {
  return (ptx_source){.kind = PTX_SOURCE_REG, .reg = PTX_VREG_FRAME, .wide = true};
}

static ptx_source wide_constant(ptx_decoder *d, uint64_t bits) {
  return (ptx_source){.kind = PTX_SOURCE_CONSTANT,
                      .wide = true,
                      .plane = ptx_constant_plane(d->b->module, bits, true)};
}

/* The address of a function's variable in local memory, which is added up first. */
static void add_frame_address(ptx_decoder *d, uint64_t offset, bool wide) {
  const uint32_t vreg = ptx_new_vreg(d->b, PTX_U64);
  ptx_code code = {.run = ptx_int_handlers[PTX_INT_ADD][PTX_U64], .n_dst = 1, .n_src = 2};
  code.dst[0] = (ptx_dest){vreg, 8};
  code.src[0] = frame_source();
  code.src[1] = wide_constant(d, offset);
  ptx_decode_extra(d, &code, &(ptx_inst){.cls = PTX_CLASS_INT});
  add_source(d, (ptx_source){.kind = PTX_SOURCE_REG, .reg = vreg, .wide = wide});
}

static bool in_frame(const ptx_decoder *d, const ptx_arg *arg) {
  return arg->variable && arg->variable->space == PTX_SPACE_LOCAL && !arg->variable->of_module &&
         ptx_in_function(d->b);
}

bool ptx_frame_sum(ptx_decoder *d, const ptx_arg *arg) {
  if (arg->kind != PTX_ARG_SYMBOL || !in_frame(d, arg)) return false;
  add_source(d, frame_source());
  add_source(d, wide_constant(d, arg->variable->offset + arg->bits));
  return true;
}

/* The bits of an immediate in the instruction's type. */
static bool immediate_bits(const ptx_decoder *d, const ptx_arg *arg, ptx_type type,
                           uint64_t *bits) {
  const unsigned bytes = ptx_type_bytes(type);
  const char kind = ptx_type_kind(type);
  *bits = arg->bits;
  if (arg->kind == PTX_ARG_INTEGER) {
    if (kind == 'f') return ptx_decode_fail(d, "needs a floating-point number, e.g. 0f3F800000");
    if (bytes < 8) *bits &= ((uint64_t)1 << (8 * bytes)) - 1;
    return true;
  }
  if (kind == 'u' || kind == 's' || bytes < 4)
    return ptx_decode_fail(d, "needs a whole number, not a floating-point one");
  if (arg->kind == PTX_ARG_FLOAT && bytes == 4) *bits = ptx_float_bits((f32)ptx_bits_double(*bits));
  if (arg->kind == PTX_ARG_FLOAT32 && bytes == 8)
    *bits = ptx_double_bits((f64)ptx_bits_float((u32)*bits));
  return true;
}

bool ptx_source_value(ptx_decoder *d, const ptx_arg *arg, ptx_type type, bool wider) {
  const bool wide = ptx_type_bytes(type) == 8;
  uint64_t bits;
  if (d->code.n_src == PTX_CODE_SRC) return ptx_decode_fail(d, "too many sources");
  switch (arg->kind) {
  case PTX_ARG_REG:
    if (arg->negate) return ptx_decode_fail(d, "'!' is for predicates read as such");
    if (arg->select && !d->selects)
      return ptx_decode_fail(d, "parts of registers are for video instructions");
    if (d->b->vregs[arg->reg].call && !arg->whole)
      return ptx_decode_fail(d, "a parameter in a register has no address: read it with ld.param");
    if (!fits(arg->type, type, wider)) return misfit(d, arg->type, type);
    add_source(d, (ptx_source){.kind = PTX_SOURCE_REG,
                               .reg = arg->reg,
                               .wide = ptx_type_bytes(arg->type) == 8});
    return true;
  case PTX_ARG_SREG:
    if (!fits(arg->type, type, true)) return misfit(d, arg->type, type);
    add_source(d, (ptx_source){.kind = PTX_SOURCE_REG,
                               .reg = read_sreg(d, arg),
                               .wide = ptx_type_bytes(arg->type) == 8});
    if (ptx_type_bytes(arg->type) == 8 && !wide && !wider) return misfit(d, arg->type, type);
    return true;
  case PTX_ARG_INTEGER:
  case PTX_ARG_FLOAT:
  case PTX_ARG_FLOAT32:
    if (!immediate_bits(d, arg, type, &bits)) return false;
    add_source(d, (ptx_source){.kind = PTX_SOURCE_CONSTANT,
                               .wide = wide,
                               .plane = ptx_constant_plane(d->b->module, bits, wide)});
    return true;
  case PTX_ARG_SYMBOL:
    if (ptx_type_bytes(type) < 4 || ptx_type_kind(type) == 'f')
      return ptx_decode_fail(d, "the address of '%s' needs a 64-bit operand", arg->variable->name);
    if (arg->variable->of_module && !ptx_place_thread(d->b, arg->variable)) return false;
    if (in_frame(d, arg)) {
      add_frame_address(d, arg->variable->offset + arg->bits, wide);
      return true;
    }
    add_source(d, (ptx_source){.kind = PTX_SOURCE_CONSTANT,
                               .wide = wide,
                               .plane = ptx_address_plane(d->b, arg->variable, arg->bits, wide)});
    return true;
  case PTX_ARG_FUNCTION:
    if (!wide || ptx_type_kind(type) == 'f')
      return ptx_decode_fail(d, "the address of '%s' needs a 64-bit operand", arg->function->name);
    add_source(d, wide_constant(d, ptx_function_address(arg->function)));
    return true;
  case PTX_ARG_NAME:
    return ptx_decode_fail(d, "'%.*s' is not declared", (int)(arg->bytes < 80 ? arg->bytes : 80),
                           arg->name);
  default:
    return ptx_decode_fail(d, "an operand must be a register or a number");
  }
}

bool ptx_source_pred(ptx_decoder *d, const ptx_arg *arg) {
  ptx_source s = {.kind = PTX_SOURCE_PRED, .reg = arg->reg, .invert = arg->negate ? UINT32_MAX : 0};
  if (arg->kind == PTX_ARG_INTEGER)
    s = (ptx_source){.kind = PTX_SOURCE_TRUTH, .invert = arg->bits ? UINT32_MAX : 0};
  else if (arg->kind != PTX_ARG_REG || arg->type != PTX_PRED)
    return ptx_decode_fail(d, "an operand must be a predicate");
  if (d->code.n_src == PTX_CODE_SRC) return ptx_decode_fail(d, "too many sources");
  add_source(d, s);
  return true;
}

bool ptx_source_address(ptx_decoder *d, const ptx_arg *arg) {
  if (arg->kind != PTX_ARG_ADDRESS)
    return ptx_decode_fail(d, "needs an address in brackets, e.g. [%%rd1+4]");
  if (d->code.n_src == PTX_CODE_SRC) return ptx_decode_fail(d, "too many sources");
  ptx_arg base = *arg;
  if (arg->reg != PTX_NO_REG) {
    const unsigned bytes = ptx_type_bytes(arg->type);
    if (ptx_type_kind(arg->type) == 'f' || bytes < 4)
      return ptx_decode_fail(d, "an address is held in a 64-bit or 32-bit integer register");
    d->code.offset = (int64_t)arg->bits;
    base.kind = PTX_ARG_REG;
    return ptx_source_value(d, &base, arg->type, false);
  }
  if (in_frame(d, arg)) {
    d->code.offset = (int64_t)(arg->variable->offset + arg->bits);
    add_source(d, frame_source());
    return true;
  }
  base.kind = arg->variable ? PTX_ARG_SYMBOL : PTX_ARG_INTEGER;
  return ptx_source_value(d, &base, PTX_U64, false);
}

ptx_class ptx_float_class(ptx_type type) {
  if (ptx_type_kind(type) != 'f') return PTX_CLASS_INT;
  return type == PTX_F64 ? PTX_CLASS_FP64 : PTX_CLASS_FP32;
}

bool ptx_decoded(ptx_decoder *d, ptx_handler *handler, ptx_class cls) {
  for (unsigned k = 0; k < d->n_mods; k++)
    if (d->mods[k])
      return ptx_decode_fail(d, "modifier '.%.*s' is unknown or unsupported here",
                             (int)(d->mod_bytes[k] < 60 ? d->mod_bytes[k] : 60), d->mods[k]);
  if (!handler)
    return ptx_decode_fail(d, "this combination of operation, type and modifiers does not exist "
                              "or is not supported");
  d->code.run = handler;
  d->inst.cls = (uint8_t)cls;
  return true;
}

/* ---- opcodes ---- */
static const ptx_opcode opcodes[] = {
    {"add", ptx_decode_arith, PTX_INT_ADD, PTX_FLOAT_ADD, 2},
    {"sub", ptx_decode_arith, PTX_INT_SUB, PTX_FLOAT_SUB, 2},
    {"mul", ptx_decode_mul, PTX_INT_MUL_LO, PTX_FLOAT_MUL, 2},
    {"mad", ptx_decode_mul, PTX_INT_MAD_LO, PTX_FLOAT_FMA, 3},
    {"mul24", ptx_decode_mul24, PTX_INT_MUL24_LO, 0, 2},
    {"mad24", ptx_decode_mul24, PTX_INT_MAD24_LO, 0, 3},
    {"addc", ptx_decode_carry, PTX_INT_ADD_CARRY, 0, 2},
    {"subc", ptx_decode_carry, PTX_INT_SUB_CARRY, 0, 2},
    {"madc", ptx_decode_carry, PTX_INT_MAD_LO_CARRY, 0, 3},
    {"fma", ptx_decode_float, 0, PTX_FLOAT_FMA, 3},
    {"div", ptx_decode_arith, PTX_INT_DIV, PTX_FLOAT_DIV, 2},
    {"rem", ptx_decode_int, PTX_INT_REM, 0, 2},
    {"abs", ptx_decode_arith, PTX_INT_ABS, PTX_FLOAT_ABS, 1},
    {"neg", ptx_decode_arith, PTX_INT_NEG, PTX_FLOAT_NEG, 1},
    {"min", ptx_decode_arith, PTX_INT_MIN, PTX_FLOAT_MIN, 2},
    {"max", ptx_decode_arith, PTX_INT_MAX, PTX_FLOAT_MAX, 2},
    {"sad", ptx_decode_int, PTX_INT_SAD, 0, 3},
    {"rcp", ptx_decode_float, 0, PTX_FLOAT_RCP, 1},
    {"sqrt", ptx_decode_float, 0, PTX_FLOAT_SQRT, 1},
    {"rsqrt", ptx_decode_float, 0, PTX_FLOAT_RSQRT, 1},
    {"sin", ptx_decode_float, 0, PTX_FLOAT_SIN, 1},
    {"cos", ptx_decode_float, 0, PTX_FLOAT_COS, 1},
    {"ex2", ptx_decode_float, 0, PTX_FLOAT_EX2, 1},
    {"lg2", ptx_decode_float, 0, PTX_FLOAT_LG2, 1},
    {"tanh", ptx_decode_float, 0, PTX_FLOAT_TANH, 1},
    {"copysign", ptx_decode_float, 0, PTX_FLOAT_COPYSIGN, 2},
    {"testp", ptx_decode_testp, 0, 0, 0},
    {"and", ptx_decode_logic, PTX_BITS_AND, 0, 2},
    {"or", ptx_decode_logic, PTX_BITS_OR, 0, 2},
    {"xor", ptx_decode_logic, PTX_BITS_XOR, 0, 2},
    {"not", ptx_decode_logic, PTX_BITS_NOT, 0, 1},
    {"cnot", ptx_decode_logic, PTX_BITS_CNOT, 0, 1},
    {"shl", ptx_decode_shift, PTX_BITS_SHL, 0, 2},
    {"shr", ptx_decode_shift, PTX_BITS_SHR, 0, 2},
    {"popc", ptx_decode_count, PTX_BITS_POPC, 0, 1},
    {"clz", ptx_decode_count, PTX_BITS_CLZ, 0, 1},
    {"brev", ptx_decode_count, PTX_BITS_BREV, 0, 1},
    {"bfind", ptx_decode_count, PTX_BITS_BFIND, 0, 1},
    {"bfe", ptx_decode_bfe, 0, 0, 0},
    {"bfi", ptx_decode_bfi, 0, 0, 0},
    {"prmt", ptx_decode_prmt, 0, 0, 0},
    {"shf", ptx_decode_shf, 0, 0, 0},
    {"lop3", ptx_decode_lop3, 0, 0, 0},
    {"dp4a", ptx_decode_dot, PTX_WORD_DP4A, 0, 0},
    {"dp2a", ptx_decode_dot, PTX_WORD_DP2A, 0, 0},
    {"bmsk", ptx_decode_bmsk, 0, 0, 0},
    {"szext", ptx_decode_szext, 0, 0, 0},
    {"fns", ptx_decode_fns, 0, 0, 0},
    {"vadd", ptx_decode_video, PTX_VIDEO_ADD, 0, 1},
    {"vsub", ptx_decode_video, PTX_VIDEO_SUB, 0, 1},
    {"vabsdiff", ptx_decode_video, PTX_VIDEO_ABSDIFF, 0, 1},
    {"vmin", ptx_decode_video, PTX_VIDEO_MIN, 0, 1},
    {"vmax", ptx_decode_video, PTX_VIDEO_MAX, 0, 1},
    {"vshl", ptx_decode_video, PTX_VIDEO_SHL, 0, 1},
    {"vshr", ptx_decode_video, PTX_VIDEO_SHR, 0, 1},
    {"vset", ptx_decode_video, PTX_VIDEO_SET, 0, 1},
    {"vadd2", ptx_decode_video, PTX_VIDEO_ADD, 0, 2},
    {"vsub2", ptx_decode_video, PTX_VIDEO_SUB, 0, 2},
    {"vabsdiff2", ptx_decode_video, PTX_VIDEO_ABSDIFF, 0, 2},
    {"vavrg2", ptx_decode_video, PTX_VIDEO_AVERAGE, 0, 2},
    {"vmin2", ptx_decode_video, PTX_VIDEO_MIN, 0, 2},
    {"vmax2", ptx_decode_video, PTX_VIDEO_MAX, 0, 2},
    {"vset2", ptx_decode_video, PTX_VIDEO_SET, 0, 2},
    {"vadd4", ptx_decode_video, PTX_VIDEO_ADD, 0, 4},
    {"vsub4", ptx_decode_video, PTX_VIDEO_SUB, 0, 4},
    {"vabsdiff4", ptx_decode_video, PTX_VIDEO_ABSDIFF, 0, 4},
    {"vavrg4", ptx_decode_video, PTX_VIDEO_AVERAGE, 0, 4},
    {"vmin4", ptx_decode_video, PTX_VIDEO_MIN, 0, 4},
    {"vmax4", ptx_decode_video, PTX_VIDEO_MAX, 0, 4},
    {"vset4", ptx_decode_video, PTX_VIDEO_SET, 0, 4},
    {"mov", ptx_decode_mov, 0, 0, 0},
    {"selp", ptx_decode_selp, 0, 0, 0},
    {"slct", ptx_decode_slct, 0, 0, 0},
    {"setp", ptx_decode_setp, 0, 0, 0},
    {"set", ptx_decode_set, 0, 0, 0},
    {"cvt", ptx_decode_cvt, 0, 0, 0},
    {"ld", ptx_decode_ld, 0, 0, 0},
    {"ldu", ptx_decode_ld, 0, 0, 0},
    {"st", ptx_decode_st, 0, 0, 0},
    {"atom", ptx_decode_atom, 1, 0, 0},
    {"red", ptx_decode_atom, 0, 0, 0},
    {"cp", ptx_decode_cp, 0, 0, 0},
    {"cvta", ptx_decode_cvta, 0, 0, 0},
    {"isspacep", ptx_decode_isspacep, 0, 0, 0},
    {"bra", ptx_decode_bra, 0, 0, 0},
    {"brx", ptx_decode_brx, 0, 0, 0},
    {"exit", ptx_decode_exit, 0, 0, 0},
    {"ret", ptx_decode_ret, 0, 0, 0},
    {"trap", ptx_decode_trap, 0, 0, 0},
    {"bar", ptx_decode_bar, 0, 0, 0},
    {"barrier", ptx_decode_bar, 0, 0, 0},
    {"membar", ptx_decode_fence, 0, 0, 0},
    {"fence", ptx_decode_fence, 0, 0, 0},
    {"shfl", ptx_decode_shfl, 0, 0, 0},
    {"vote", ptx_decode_vote, 0, 0, 0},
    {"match", ptx_decode_match, 0, 0, 0},
    {"mma", ptx_decode_mma, 0, 0, 0},
    {"wmma", ptx_decode_wmma, 0, 0, 0},
    {"ldmatrix", ptx_decode_ldmatrix, 0, 0, 0},
    {"stmatrix", ptx_decode_stmatrix, 0, 0, 0},
    {"mbarrier", ptx_decode_mbarrier, 0, 0, 0},
    {"redux", ptx_decode_redux, 0, 0, 0},
    {"nanosleep", ptx_decode_nanosleep, 0, 0, 0},
    {"createpolicy", ptx_decode_createpolicy, 0, 0, 0},
    {"prefetch", ptx_decode_hint, 0, 0, 0},
    {"prefetchu", ptx_decode_hint, 0, 0, 0},
    {"applypriority", ptx_decode_hint, 0, 0, 0},
    {"discard", ptx_decode_hint, 0, 0, 0},
    {"activemask", ptx_decode_activemask, 0, 0, 0},
    {"call", ptx_decode_call, 0, 0, 0},
    {"cuda", ptx_decode_cuda, 0, 0, 0},
};

const char *ptx_decoded_name(size_t index) {
  return index < sizeof opcodes / sizeof *opcodes ? opcodes[index].name : NULL;
}

static bool decode_named(ptx_decoder *d) {
  const ptx_statement *s = d->s;
  for (size_t k = 0; k < d->b->n_ops; k++)
    if (strlen(d->b->ops[k].mnemonic) == s->mnemonic_bytes &&
        memcmp(d->b->ops[k].mnemonic, s->mnemonic, s->mnemonic_bytes) == 0)
      return ptx_decode_custom(d, &d->b->ops[k]);
  size_t bytes = 0;
  while (bytes < s->mnemonic_bytes && s->mnemonic[bytes] != '.') bytes++;
  for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
    if (strlen(opcodes[k].name) == bytes && memcmp(opcodes[k].name, s->mnemonic, bytes) == 0)
      return split(d) && opcodes[k].decode(d, &opcodes[k]);
  const char *instead = ptx_instead_of(s->mnemonic, bytes);
  if (instead)
    return ptx_decode_fail(d, "'%.*s' is not supported: %s", (int)(bytes < 80 ? bytes : 80),
                           s->mnemonic, instead);
  return ptx_decode_fail(d, "unknown or unsupported instruction '%.*s'",
                         (int)(s->mnemonic_bytes < 80 ? s->mnemonic_bytes : 80), s->mnemonic);
}

bool ptx_decode(ptx_build *b, const ptx_statement *s) {
  ptx_decoder d = {.b = b, .s = s};
  if (s->guard != PTX_NO_REG) {
    d.code.guarded = true;
    d.code.guard = s->guard;
    d.code.guard_invert = s->guard_negate ? UINT32_MAX : 0;
  }
  d.code.text = s->text;
  d.code.file = b->module->file;
  d.code.line = d.inst.line = s->line;
  if (!decode_named(&d)) return false;
  *ptx_append(b) = d.code;
  b->insts[b->n - 1] = d.inst;
  b->targets[b->n - 1] = (ptx_label_ref){d.label, d.label_bytes, b->scope};
  return true;
}
