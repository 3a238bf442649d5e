/* Decoders of moves, selection, comparison and conversion. */
#include "sim/ptx/decode.h"

static bool mov_vector(ptx_decoder *d, ptx_type type) {
  const ptx_arg *to = &d->s->args[0], *from = &d->s->args[1];
  const ptx_arg *vector = to->kind == PTX_ARG_VECTOR ? to : from;
  const unsigned bytes = vector->count ? ptx_type_bytes(type) / vector->count : 0;
  const ptx_type part = bytes == 4 ? PTX_B32 : bytes == 2 ? PTX_B16 : PTX_NO_TYPE;
  if (part == PTX_NO_TYPE || bytes * vector->count != ptx_type_bytes(type) ||
      (to->kind == PTX_ARG_VECTOR && from->kind == PTX_ARG_VECTOR))
    return ptx_decode_fail(d, "between a vector and one register: .b32 with 2 parts of 16 bits, "
                              ".b64 with 2 of 32 or 4 of 16");
  for (uint32_t k = 0; k < vector->count; k++) {
    const ptx_arg *e = &d->s->elements[vector->first + k];
    if (!(vector == to ? ptx_dest_reg(d, e, part, false) : ptx_source_value(d, e, part, false)))
      return false;
  }
  if (!(vector == to ? ptx_source_value(d, from, type, false) : ptx_dest_reg(d, to, type, false)))
    return false;
  return ptx_decoded(d,
                     vector == to ? ptx_unpack_handler(type, vector->count)
                                  : ptx_pack_handler(type, vector->count),
                     PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_mov) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (type == PTX_NO_TYPE) return ptx_decode_fail(d, "a type such as .u32 is missing");
  if (!ptx_need_args(d, 2, 2)) return false;
  const ptx_arg *to = &d->s->args[0], *from = &d->s->args[1];
  if (to->kind == PTX_ARG_VECTOR || from->kind == PTX_ARG_VECTOR) return mov_vector(d, type);
  if (!ptx_dest_reg(d, to, type, false)) return false;
  if (type == PTX_PRED)
    return ptx_source_pred(d, from) &&
           ptx_decoded(d, ptx_pred_handler(PTX_BITS_MOV), PTX_CLASS_INT);
  if (from->kind == PTX_ARG_SREG) {
    if (ptx_type_kind(type) == 'f') return ptx_decode_fail(d, "special registers are integers");
    if (ptx_type_bytes(type) < 8 && from->type == PTX_U64)
      return ptx_decode_fail(d, "this special register has 64 bits");
    d->code.op = (uint8_t)from->reg;
    return ptx_decoded(d, ptx_sreg_handler(), PTX_CLASS_INT);
  }
  if (ptx_type_bytes(type) == 8 && ptx_frame_sum(d, from))
    return ptx_decoded(d, ptx_int_handlers[PTX_INT_ADD][PTX_U64], PTX_CLASS_INT);
  return ptx_source_value(d, from, type, false) &&
         ptx_decoded(d, ptx_bits_handlers[PTX_BITS_MOV][type], PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_selp) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (!ptx_need_args(d, 4, 4) || !ptx_dest_reg(d, &d->s->args[0], type, false) ||
      !ptx_source_value(d, &d->s->args[1], type, false) ||
      !ptx_source_value(d, &d->s->args[2], type, false) || !ptx_source_pred(d, &d->s->args[3]))
    return false;
  return ptx_decoded(d, ptx_bits_handlers[PTX_BITS_SELP][type], PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_slct) {
  const ptx_type type = ptx_take_type(d), selector = ptx_take_type(d);
  (void)op;
  d->code.ftz = selector == PTX_F32 && ptx_take(d, "ftz");
  if (type == PTX_PRED || ptx_type_bytes(type) < 2)
    return ptx_decode_fail(d, "needs a type of 16, 32 or 64 bits");
  if (!ptx_need_args(d, 4, 4) || !ptx_dest_reg(d, &d->s->args[0], type, false) ||
      !ptx_source_value(d, &d->s->args[1], type, false) ||
      !ptx_source_value(d, &d->s->args[2], type, false) ||
      !ptx_source_value(d, &d->s->args[3], selector, false))
    return false;
  return ptx_decoded(d, ptx_slct_handler(type, selector), ptx_float_class(selector));
}

/* The comparison and how it combines with a further predicate. */
static bool take_compare(ptx_decoder *d) {
  /* In the order of ptx_compare; then the unsigned names of lt, le, gt, ge. */
  static const char *const names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                      "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
                                      "lo",  "ls",  "hi",  "hs",  NULL};
  static const char *const combinations[] = {"and", "or", "xor", NULL};
  const int which = ptx_take_one(d, names);
  if (which < 0) return ptx_decode_fail(d, "needs a comparison, e.g. .lt");
  d->code.op = (uint8_t)(which > PTX_NAN ? which - PTX_NAN - 1 + PTX_LT : which);
  d->code.op2 = (uint8_t)(ptx_take_one(d, combinations) + 1);
  d->code.ftz = ptx_take(d, "ftz");
  return true;
}

/* Sources a, b and, with a boolean combination, c. */
static bool compare_sources(ptx_decoder *d, ptx_type type) {
  const uint32_t n = d->code.op2 != PTX_BOOL_NONE ? 4 : 3;
  if (ptx_type_kind(type) == 'b' && d->code.op > PTX_NE)
    return ptx_decode_fail(d, "untyped bits compare with .eq and .ne only");
  if (d->code.ftz && type != PTX_F32) return ptx_decode_fail(d, ".ftz is for .f32");
  d->code.type = (uint8_t)type;
  return ptx_need_args(d, n, n) && ptx_source_value(d, &d->s->args[1], type, false) &&
         ptx_source_value(d, &d->s->args[2], type, false) &&
         (n == 3 || ptx_source_pred(d, &d->s->args[3]));
}

PTX_DECODER(ptx_decode_setp) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (ptx_is_half(type)) return take_compare(d) && ptx_decode_half_setp(d, type);
  return take_compare(d) && compare_sources(d, type) &&
         ptx_dest_pair(d, &d->s->args[0], PTX_PRED) &&
         ptx_decoded(d, ptx_setp_handler(type, (ptx_compare)d->code.op, d->code.ftz),
                     ptx_float_class(type));
}

PTX_DECODER(ptx_decode_set) {
  const ptx_type result = ptx_take_type(d), type = ptx_take_type(d);
  (void)op;
  if (result != PTX_U32 && result != PTX_S32 && result != PTX_F32)
    return ptx_decode_fail(d, "the result is .u32, .s32 or .f32");
  d->code.type2 = (uint8_t)result;
  return take_compare(d) && compare_sources(d, type) &&
         ptx_dest_reg(d, &d->s->args[0], result, false) &&
         ptx_decoded(d, ptx_set_handler(type, (ptx_compare)d->code.op), ptx_float_class(type));
}

PTX_DECODER(ptx_decode_cvt) {
  if (ptx_take(d, "pack")) return ptx_decode_pack(d);
  const ptx_type to = ptx_take_type(d), from = ptx_take_type(d);
  (void)op;
  if (to == PTX_NO_TYPE || from == PTX_NO_TYPE || to == PTX_PRED || from == PTX_PRED ||
      ptx_type_kind(to) == 'b' || ptx_type_kind(from) == 'b')
    return ptx_decode_fail(d, "needs two types, integer or floating-point, e.g. .s64.s32");
  d->code.rounding = (uint8_t)ptx_take_rounding(d);
  d->code.ftz = (to == PTX_F32 || from == PTX_F32) && ptx_take(d, "ftz");
  d->code.sat = ptx_take(d, "sat");
  if (ptx_is_half(to) || ptx_is_half(from)) return ptx_decode_half_cvt(d, to, from);
  d->code.type = (uint8_t)to;
  d->code.type2 = (uint8_t)from;
  if (!ptx_need_args(d, 2, 2) || !ptx_dest_reg(d, &d->s->args[0], to, true) ||
      !ptx_source_value(d, &d->s->args[1], from, true))
    return false;
  const ptx_class a = ptx_float_class(to), b = ptx_float_class(from);
  return ptx_decoded(d, ptx_cvt_handler(&d->code),
                     a == PTX_CLASS_FP64 || b == PTX_CLASS_FP64 ? PTX_CLASS_FP64
                     : a == PTX_CLASS_FP32                      ? a
                                                                : b);
}
