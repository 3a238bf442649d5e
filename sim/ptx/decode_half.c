/* Decoders of f16, bf16, their pairs, and tf32. Their operations cost what those of f32 do: GPUs
 * issue both at one rate, a pair in an instruction. */
#include "sim/ptx/decode.h"
#include "sim/ptx/half.h"

bool ptx_is_half(ptx_type type) {
  return type == PTX_F16 || ptx_type_kind(type) == 'h';
}

static bool is_bf16(ptx_type type) {
  return type == PTX_BF16 || type == PTX_BF16X2;
}

static ptx_type bits_of(ptx_type type) {
  return ptx_type_bytes(type) == 2 ? PTX_B16 : PTX_B32;
}

/* add, sub, mul, fma, neg, abs, min, max, and ex2 and tanh with .approx. */
bool ptx_decode_half(ptx_decoder *d, ptx_type type, int op, int n) {
  const bool fma = op == PTX_FLOAT_FMA, extreme = op == PTX_FLOAT_MIN || op == PTX_FLOAT_MAX;
  const bool sums = op == PTX_FLOAT_ADD || op == PTX_FLOAT_SUB || op == PTX_FLOAT_MUL || fma;
  const bool approximate = op == PTX_FLOAT_EX2 || op == PTX_FLOAT_TANH;
  if (!sums && !extreme && !approximate && op != PTX_FLOAT_NEG && op != PTX_FLOAT_ABS)
    return ptx_decode_fail(d, "there is no such operation of .%s", ptx_type_name(type));
  if (sums && !ptx_take(d, "rn") && fma) return ptx_decode_fail(d, "needs .rn");
  if (approximate && !ptx_take(d, "approx")) return ptx_decode_fail(d, "needs .approx");
  d->code.ftz = (!is_bf16(type) || op == PTX_FLOAT_EX2) && ptx_take(d, "ftz");
  d->code.sat = sums && !is_bf16(type) && ptx_take(d, "sat");
  if (fma && !d->code.sat && ptx_take(d, "relu")) d->code.op2 |= PTX_HALF_RELU;
  if (extreme && ptx_take(d, "NaN")) d->code.op2 |= PTX_HALF_NAN;
  if (extreme && ptx_take(d, "xorsign") && ptx_take(d, "abs")) d->code.op2 |= PTX_HALF_XORSIGN;
  d->code.op = (uint8_t)op;
  d->code.type = (uint8_t)type;
  if (!ptx_need_args(d, (uint32_t)n + 1, (uint32_t)n + 1) ||
      !ptx_dest_reg(d, &d->s->args[0], bits_of(type), false))
    return false;
  for (int k = 1; k <= n; k++)
    if (!ptx_source_value(d, &d->s->args[k], bits_of(type), false)) return false;
  return ptx_decoded(d, ptx_half_handler(), approximate ? PTX_CLASS_SFU : PTX_CLASS_FP32);
}

/* setp: the comparison and its combination are taken already. */
bool ptx_decode_half_setp(ptx_decoder *d, ptx_type type) {
  const uint32_t n = d->code.op2 != PTX_BOOL_NONE ? 4 : 3;
  d->code.type = (uint8_t)type;
  return ptx_need_args(d, n, n) && ptx_source_value(d, &d->s->args[1], bits_of(type), false) &&
         ptx_source_value(d, &d->s->args[2], bits_of(type), false) &&
         (n == 3 || ptx_source_pred(d, &d->s->args[3])) &&
         ptx_dest_pair(d, &d->s->args[0], PTX_PRED) &&
         ptx_decoded(d, ptx_half_setp_handler(), PTX_CLASS_FP32);
}

/* cvt.rn.f16x2.f32 d, a, b */
static bool decode_pack(ptx_decoder *d, ptx_type to, ptx_type from) {
  if (from != PTX_F32) return ptx_decode_fail(d, "pairs are made of .f32");
  if (d->code.rounding != PTX_ROUND_RN && d->code.rounding != PTX_ROUND_RZ)
    return ptx_decode_fail(d, "needs .rn or .rz");
  d->code.type = (uint8_t)to;
  return ptx_need_args(d, 3, 3) && ptx_dest_reg(d, &d->s->args[0], PTX_B32, false) &&
         ptx_source_value(d, &d->s->args[1], PTX_F32, false) &&
         ptx_source_value(d, &d->s->args[2], PTX_F32, false) &&
         ptx_decoded(d, ptx_half_cvt_handler(true), PTX_CLASS_FP32);
}

/* cvt to or from one of them; rounding, .ftz and .sat are taken. */
bool ptx_decode_half_cvt(ptx_decoder *d, ptx_type to, ptx_type from) {
  const bool to_float = ptx_type_kind(to) == 'f' || ptx_is_half(to);
  const bool from_float = ptx_type_kind(from) == 'f' || ptx_is_half(from);
  const bool integral = d->code.rounding >= PTX_ROUND_RNI && d->code.rounding <= PTX_ROUND_RPI;
  /* A wider format holds every value of a narrower one. */
  const bool exact = from_float && to_float && to != from &&
                     ptx_type_bytes(to) > ptx_type_bytes(from) && to != PTX_TF32;
  if (ptx_take(d, "relu")) d->code.op2 |= PTX_HALF_RELU;
  if (to == PTX_F16X2 || to == PTX_BF16X2) return decode_pack(d, to, from);
  if (from == PTX_F16X2 || from == PTX_BF16X2 || from == PTX_TF32)
    return ptx_decode_fail(d, "there is no conversion from .%s", ptx_type_name(from));
  if (to == PTX_TF32 &&
      (from != PTX_F32 || (d->code.rounding != PTX_ROUND_RNA && d->code.rounding != PTX_ROUND_RN &&
                           d->code.rounding != PTX_ROUND_RZ)))
    return ptx_decode_fail(d, "tf32 is made of .f32, with .rna, .rn or .rz");
  if (exact      ? d->code.rounding != PTX_ROUND_NONE
      : to_float ? (to == from ? !integral : integral || d->code.rounding == PTX_ROUND_NONE)
                 : !integral)
    return ptx_decode_fail(d, "needs %s",
                           exact                    ? "no rounding"
                           : to_float && to != from ? "a rounding, e.g. .rn"
                                                    : "a rounding to an integer, e.g. .rni");
  d->code.type = (uint8_t)to;
  d->code.type2 = (uint8_t)from;
  return ptx_need_args(d, 2, 2) &&
         ptx_dest_reg(d, &d->s->args[0], ptx_is_half(to) ? bits_of(to) : to, !ptx_is_half(to)) &&
         ptx_source_value(d, &d->s->args[1], ptx_is_half(from) ? bits_of(from) : from, true) &&
         ptx_decoded(d, ptx_half_cvt_handler(false),
                     to == PTX_F64 || from == PTX_F64 ? PTX_CLASS_FP64 : PTX_CLASS_FP32);
}
