/* Decoders of arithmetic, logic and bit operations. */
#include "sim/ptx/decode.h"
#include "sim/ptx/half.h"

static ptx_class int_class(int op) {
  switch (op) {
  case PTX_INT_DIV:
  case PTX_INT_REM:
    return PTX_CLASS_IDIV;
  case PTX_INT_ADD:
  case PTX_INT_SUB:
  case PTX_INT_ABS:
  case PTX_INT_NEG:
  case PTX_INT_MIN:
  case PTX_INT_MAX:
  case PTX_INT_ADD_SAT:
  case PTX_INT_SUB_SAT:
  case PTX_INT_ADD_CARRY:
  case PTX_INT_SUB_CARRY:
  case PTX_INT_SAD:
    return PTX_CLASS_INT;
  default:
    return PTX_CLASS_IMUL;
  }
}

/* One destination and n sources, all of one type. */
static bool same_type_args(ptx_decoder *d, ptx_type type, int n) {
  if (!ptx_need_args(d, (uint32_t)n + 1, (uint32_t)n + 1) ||
      !ptx_dest_reg(d, &d->s->args[0], type, false))
    return false;
  for (int k = 0; k < n; k++)
    if (!ptx_source_value(d, &d->s->args[k + 1], type, false)) return false;
  return true;
}

static bool need_type(const ptx_decoder *d, ptx_type type) {
  return type != PTX_NO_TYPE || ptx_decode_fail(d, "a type such as .u32 is missing");
}

static bool is_float(ptx_type type) {
  return ptx_type_kind(type) == 'f' || ptx_is_half(type);
}

static bool is_sfu(int op) {
  return op == PTX_FLOAT_DIV || op == PTX_FLOAT_TANH ||
         (op >= PTX_FLOAT_RCP && op <= PTX_FLOAT_LG2);
}

/* Floating point; type and modifiers other than the type still to be taken. */
static bool decode_float(ptx_decoder *d, ptx_type type, int op, int n) {
  if (ptx_is_half(type)) return ptx_decode_half(d, type, op, n);
  static const char *const precisions[] = {"approx", "full", NULL};
  const bool only_approximate =
      op == PTX_FLOAT_TANH || (op >= PTX_FLOAT_RSQRT && op <= PTX_FLOAT_LG2);
  const bool rounds = op <= PTX_FLOAT_SQRT, saturates = op <= PTX_FLOAT_FMA;
  bool approximate = false;
  if (is_sfu(op)) approximate = ptx_take_one(d, precisions) >= 0;
  if (rounds && !approximate) d->code.rounding = (uint8_t)ptx_take_rounding(d);
  if (d->code.rounding > PTX_ROUND_RP)
    return ptx_decode_fail(d, "rounding to an integer is for cvt");
  const bool gross = approximate && type == PTX_F64 && ptx_take(d, "ftz");
  if (gross)
    return same_type_args(d, type, n) &&
           ptx_decoded(d, ptx_gross_handler((ptx_float_op)op), PTX_CLASS_FP64);
  if (op != PTX_FLOAT_COPYSIGN) d->code.ftz = type == PTX_F32 && ptx_take(d, "ftz");
  if (saturates) d->code.sat = type == PTX_F32 && ptx_take(d, "sat");
  if (type == PTX_F64 && approximate && !only_approximate)
    return ptx_decode_fail(d, "of .f64 only rcp and rsqrt have approximate forms, .approx.ftz");
  if (type == PTX_F32 && (op == PTX_FLOAT_MIN || op == PTX_FLOAT_MAX)) {
    if (ptx_take(d, "NaN")) d->code.op2 |= PTX_HALF_NAN;
    if (ptx_take(d, "xorsign") && ptx_take(d, "abs")) d->code.op2 |= PTX_HALF_XORSIGN;
  }
  if (!same_type_args(d, type, n)) return false;
  d->code.op = (uint8_t)op;
  if (d->code.op2) return ptx_decoded(d, ptx_extreme_handler(), PTX_CLASS_FP32);
  d->code.type = (uint8_t)type;
  const bool directed = d->code.rounding > PTX_ROUND_RN;
  ptx_handler *h = directed ? ptx_rounded_handler(type)
                            : ptx_float_handler((ptx_float_op)op, type, d->code.ftz || d->code.sat);
  return ptx_decoded(d, h,
                     type == PTX_F64 ? PTX_CLASS_FP64
                     : is_sfu(op)    ? PTX_CLASS_SFU
                                     : PTX_CLASS_FP32);
}

/* Carry flag: read by addc and its like, written with .cc. flags: bit 0 read, bit 1 written. */
static bool decode_carry(ptx_decoder *d, ptx_type type, int op, int n, unsigned flags) {
  if (!need_type(d, type) || !same_type_args(d, type, n)) return false;
  if (d->b->carry == PTX_NO_REG) d->b->carry = ptx_new_vreg(d->b, PTX_PRED);
  const ptx_arg carry = {.kind = PTX_ARG_REG, .type = PTX_PRED, .reg = d->b->carry};
  if (flags & 1 && !ptx_source_pred(d, &carry)) return false;
  if (flags & 2 && !ptx_dest_reg(d, &carry, PTX_PRED, false)) return false;
  d->code.op = (uint8_t)flags;
  return ptx_decoded(d, ptx_int_handlers[op][type], int_class(op));
}

static int carry_form(int op) {
  return op == PTX_INT_ADD ? PTX_INT_ADD_CARRY : op == PTX_INT_SUB ? PTX_INT_SUB_CARRY : -1;
}

PTX_DECODER(ptx_decode_arith) {
  const ptx_type type = ptx_take_type(d);
  if (!need_type(d, type)) return false;
  if (is_float(type)) return decode_float(d, type, op->b, op->n);
  int a = op->a;
  if (carry_form(a) >= 0) {
    if (ptx_take(d, "cc")) return decode_carry(d, type, carry_form(a), op->n, 2);
    if (ptx_take(d, "sat")) a = a == PTX_INT_ADD ? PTX_INT_ADD_SAT : PTX_INT_SUB_SAT;
  }
  if (!same_type_args(d, type, op->n)) return false;
  return ptx_decoded(d, ptx_int_handlers[a][type], int_class(a));
}

PTX_DECODER(ptx_decode_int) {
  const ptx_type type = ptx_take_type(d);
  if (!need_type(d, type) || !same_type_args(d, type, op->n)) return false;
  return ptx_decoded(d, ptx_int_handlers[op->a][type], int_class(op->a));
}

PTX_DECODER(ptx_decode_float) {
  const ptx_type type = ptx_take_type(d);
  if (!need_type(d, type)) return false;
  if (!is_float(type)) return ptx_decode_fail(d, "needs .f32 or .f64");
  return decode_float(d, type, op->b, op->n);
}

static ptx_type doubled(ptx_type type) {
  switch (type) {
  case PTX_U16:
    return PTX_U32;
  case PTX_S16:
    return PTX_S32;
  case PTX_U32:
    return PTX_U64;
  case PTX_S32:
    return PTX_S64;
  default:
    return PTX_NO_TYPE;
  }
}

static const char *const halves[] = {"lo", "hi", "wide", NULL};

/* mul and mad: op->a is the .lo form; .hi and .wide follow it. */
PTX_DECODER(ptx_decode_mul) {
  const ptx_type type = ptx_take_type(d);
  if (!need_type(d, type)) return false;
  if (is_float(type)) return decode_float(d, type, op->b, op->n);
  const int half = ptx_take_one(d, halves);
  if (half < 0) return ptx_decode_fail(d, "needs .lo, .hi or .wide");
  if (half == 2) {
    const ptx_type result = doubled(type);
    if (result == PTX_NO_TYPE) return ptx_decode_fail(d, ".wide is for 16 and 32 bits");
    if (!ptx_need_args(d, (uint32_t)op->n + 1, (uint32_t)op->n + 1) ||
        !ptx_dest_reg(d, &d->s->args[0], result, false) ||
        !ptx_source_value(d, &d->s->args[1], type, false) ||
        !ptx_source_value(d, &d->s->args[2], type, false) ||
        (op->n > 2 && !ptx_source_value(d, &d->s->args[3], result, false)))
      return false;
    return ptx_decoded(d, ptx_int_handlers[op->a + 2][type], PTX_CLASS_IMUL);
  }
  if (op->n == 3 && ptx_take(d, "cc"))
    return decode_carry(d, type, half ? PTX_INT_MAD_HI_CARRY : PTX_INT_MAD_LO_CARRY, 3, 2);
  const bool sat = op->n == 3 && half == 1 && ptx_take(d, "sat");
  if (!same_type_args(d, type, op->n)) return false;
  return ptx_decoded(d, ptx_int_handlers[sat ? PTX_INT_MAD_HI_SAT : op->a + half][type],
                     PTX_CLASS_IMUL);
}

PTX_DECODER(ptx_decode_mul24) {
  const ptx_type type = ptx_take_type(d);
  const int half = ptx_take_one(d, halves);
  if (!need_type(d, type)) return false;
  if (half < 0 || half > 1) return ptx_decode_fail(d, "needs .lo or .hi");
  const bool sat = op->n == 3 && half == 1 && ptx_take(d, "sat");
  if (!same_type_args(d, type, op->n)) return false;
  return ptx_decoded(d, ptx_int_handlers[sat ? PTX_INT_MAD24_HI_SAT : op->a + half][type],
                     PTX_CLASS_IMUL);
}

PTX_DECODER(ptx_decode_carry) {
  const ptx_type type = ptx_take_type(d);
  int a = op->a;
  if (op->n == 3) {
    const int half = ptx_take_one(d, halves);
    if (half < 0 || half > 1) return ptx_decode_fail(d, "needs .lo or .hi");
    a += half;
  }
  return decode_carry(d, type, a, op->n, ptx_take(d, "cc") ? 3 : 1);
}

PTX_DECODER(ptx_decode_logic) {
  const ptx_type type = ptx_take_type(d);
  if (!need_type(d, type)) return false;
  if (type != PTX_PRED) {
    if (!same_type_args(d, type, op->n)) return false;
    return ptx_decoded(d, ptx_bits_handlers[op->a][type], PTX_CLASS_INT);
  }
  if (!ptx_need_args(d, (uint32_t)op->n + 1, (uint32_t)op->n + 1) ||
      !ptx_dest_reg(d, &d->s->args[0], PTX_PRED, false))
    return false;
  for (int k = 0; k < op->n; k++)
    if (!ptx_source_pred(d, &d->s->args[k + 1])) return false;
  return ptx_decoded(d, ptx_pred_handler((ptx_bits_op)op->a), PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_shift) {
  const ptx_type type = ptx_take_type(d);
  if (!need_type(d, type) || !ptx_need_args(d, 3, 3) ||
      !ptx_dest_reg(d, &d->s->args[0], type, false) ||
      !ptx_source_value(d, &d->s->args[1], type, false) ||
      !ptx_source_value(d, &d->s->args[2], PTX_U32, false))
    return false;
  return ptx_decoded(d, ptx_bits_handlers[op->a][type], PTX_CLASS_INT);
}

/* popc, clz, brev, bfind: a count is 32 bits whatever the source. */
PTX_DECODER(ptx_decode_count) {
  const ptx_type type = ptx_take_type(d);
  const bool amount = op->a == PTX_BITS_BFIND && ptx_take(d, "shiftamt");
  const ptx_type result = op->a == PTX_BITS_BREV ? type : PTX_U32;
  if (!need_type(d, type) || !ptx_need_args(d, 2, 2) ||
      !ptx_dest_reg(d, &d->s->args[0], result, false) ||
      !ptx_source_value(d, &d->s->args[1], type, false))
    return false;
  return ptx_decoded(d, ptx_bits_handlers[amount ? PTX_BITS_BFIND_SHIFT : op->a][type],
                     PTX_CLASS_IMUL);
}

/* dst, n sources of the type, then sources of 32 bits. */
static bool mixed_args(ptx_decoder *d, ptx_type type, uint32_t n, uint32_t narrow) {
  if (!need_type(d, type) || !ptx_need_args(d, 1 + n + narrow, 1 + n + narrow) ||
      !ptx_dest_reg(d, &d->s->args[0], type, false))
    return false;
  for (uint32_t k = 0; k < n + narrow; k++)
    if (!ptx_source_value(d, &d->s->args[k + 1], k < n ? type : PTX_U32, false)) return false;
  return true;
}

PTX_DECODER(ptx_decode_bfe) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  return mixed_args(d, type, 1, 2) &&
         ptx_decoded(d, ptx_bits_handlers[PTX_BITS_BFE][type], PTX_CLASS_IMUL);
}

PTX_DECODER(ptx_decode_bfi) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  return mixed_args(d, type, 2, 2) &&
         ptx_decoded(d, ptx_bits_handlers[PTX_BITS_BFI][type], PTX_CLASS_IMUL);
}

PTX_DECODER(ptx_decode_prmt) {
  static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16", NULL};
  const ptx_type type = ptx_take_type(d);
  (void)op;
  d->code.op = (uint8_t)(ptx_take_one(d, modes) + 1);
  return mixed_args(d, type, 3, 0) &&
         ptx_decoded(d, ptx_bits_handlers[PTX_BITS_PRMT][type], PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_shf) {
  static const char *const directions[] = {"l", "r", NULL}, *const modes[] = {"clamp", "wrap",
                                                                              NULL};
  const ptx_type type = ptx_take_type(d);
  const int direction = ptx_take_one(d, directions), mode = ptx_take_one(d, modes);
  (void)op;
  if (direction < 0 || mode < 0) return ptx_decode_fail(d, "needs .l or .r and .clamp or .wrap");
  return mixed_args(d, type, 3, 0) &&
         ptx_decoded(d, ptx_bits_handlers[PTX_BITS_SHF_L_CLAMP + 2 * direction + mode][type],
                     PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_lop3) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (!need_type(d, type) || !ptx_need_args(d, 5, 5)) return false;
  if (d->s->args[4].kind != PTX_ARG_INTEGER || d->s->args[4].bits > 255)
    return ptx_decode_fail(d, "the truth table is a number from 0 to 255");
  d->code.op = (uint8_t)d->s->args[4].bits;
  if (!ptx_dest_reg(d, &d->s->args[0], type, false)) return false;
  for (int k = 1; k < 4; k++)
    if (!ptx_source_value(d, &d->s->args[k], type, false)) return false;
  return ptx_decoded(d, ptx_bits_handlers[PTX_BITS_LOP3][type], PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_testp) {
  static const char *const classes[] = {"finite", "infinite",  "number", "notanumber",
                                        "normal", "subnormal", NULL};
  const ptx_type type = ptx_take_type(d);
  const int which = ptx_take_one(d, classes);
  (void)op;
  if (which < 0) return ptx_decode_fail(d, "needs what to test, e.g. .finite");
  d->code.op = (uint8_t)which;
  if (!need_type(d, type) || !ptx_need_args(d, 2, 2) ||
      !ptx_dest_reg(d, &d->s->args[0], PTX_PRED, false) ||
      !ptx_source_value(d, &d->s->args[1], type, false))
    return false;
  return ptx_decoded(d, ptx_testp_handler(type), ptx_float_class(type));
}
