/* Decoders of operations on words as bytes and halves, of masks, sums over a warp, and hints. */
#include "sim/ptx/decode.h"

static bool word(ptx_decoder *d, ptx_word_op op, uint32_t sources, ptx_class cls) {
  d->code.op = (uint8_t)op;
  if (!ptx_need_args(d, sources + 1, sources + 1) ||
      !ptx_dest_reg(d, &d->s->args[0], PTX_B32, false))
    return false;
  for (uint32_t k = 1; k <= sources; k++)
    if (!ptx_source_value(d, &d->s->args[k], PTX_B32, false)) return false;
  return ptx_decoded(d, ptx_word_handler(), cls);
}

/* dp4a and dp2a: as an integer multiplication with addition. */
PTX_DECODER(ptx_decode_dot) {
  static const char *const halves[] = {"lo", "hi", NULL};
  const ptx_type a = ptx_take_type(d), b = ptx_take_type(d);
  if ((a != PTX_U32 && a != PTX_S32) || (b != PTX_U32 && b != PTX_S32))
    return ptx_decode_fail(d, "needs two types, .u32 or .s32");
  d->code.type = (uint8_t)a;
  d->code.type2 = (uint8_t)b;
  if (op->a == PTX_WORD_DP2A) {
    const int half = ptx_take_one(d, halves);
    if (half < 0) return ptx_decode_fail(d, "needs .lo or .hi");
    d->code.op2 = (uint8_t)half;
  }
  return word(d, (ptx_word_op)op->a, 3, PTX_CLASS_IMUL);
}

PTX_DECODER(ptx_decode_bmsk) {
  static const char *const modes[] = {"clamp", "wrap", NULL};
  const ptx_type type = ptx_take_type(d);
  const int mode = ptx_take_one(d, modes);
  (void)op;
  if (mode < 0 || type != PTX_B32) return ptx_decode_fail(d, "needs .clamp or .wrap, and .b32");
  d->code.op2 = (uint8_t)mode;
  return word(d, PTX_WORD_MASK, 2, PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_szext) {
  static const char *const modes[] = {"clamp", "wrap", NULL};
  const ptx_type type = ptx_take_type(d);
  const int mode = ptx_take_one(d, modes);
  (void)op;
  if (mode < 0 || (type != PTX_U32 && type != PTX_S32))
    return ptx_decode_fail(d, "needs .clamp or .wrap, and .u32 or .s32");
  d->code.op2 = (uint8_t)mode;
  d->code.type = (uint8_t)type;
  return word(d, PTX_WORD_EXTEND, 2, PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_fns) {
  (void)op;
  if (ptx_take_type(d) != PTX_B32) return ptx_decode_fail(d, "needs .b32");
  return word(d, PTX_WORD_NTH, 3, PTX_CLASS_IMUL);
}

/* cvt.pack.sat.u8.s32.b32 d, a, b, c; halves without c. .pack is taken. */
bool ptx_decode_pack(ptx_decoder *d) {
  const ptx_type part = ptx_take_type(d), from = ptx_take_type(d), rest = ptx_take_type(d);
  const unsigned bytes = ptx_type_bytes(part);
  if (!ptx_take(d, "sat") || from != PTX_S32 || bytes > 2 || !bytes ||
      (ptx_type_kind(part) != 'u' && ptx_type_kind(part) != 's') ||
      (bytes == 1) != (rest == PTX_B32))
    return ptx_decode_fail(d, "is .pack.sat.u16.s32, .s16.s32, .u8.s32.b32 or .s8.s32.b32");
  d->code.type = (uint8_t)part;
  return word(d, PTX_WORD_PACK, bytes == 1 ? 3 : 2, PTX_CLASS_INT);
}

/* As votes and shuffles: an integer operation. */
PTX_DECODER(ptx_decode_redux) {
  static const char *const names[] = {"add", "min", "max", "and", "or", "xor", NULL};
  const bool sync = ptx_take(d, "sync");
  const int which = ptx_take_one(d, names);
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (!sync || which < 0 ||
      (which >= PTX_REDUX_AND ? type != PTX_B32 : type != PTX_U32 && type != PTX_S32))
    return ptx_decode_fail(d, "needs .sync and .add, .min or .max with .u32 or .s32, or .and, .or "
                              "or .xor with .b32");
  d->code.op = (uint8_t)which;
  d->code.type = (uint8_t)type;
  return ptx_need_args(d, 3, 3) && ptx_dest_reg(d, &d->s->args[0], type, false) &&
         ptx_source_value(d, &d->s->args[1], type, false) &&
         ptx_source_value(d, &d->s->args[2], PTX_U32, false) &&
         ptx_decoded(d, ptx_redux_handler(), PTX_CLASS_INT);
}

/* A sleep may be as short as nothing. */
PTX_DECODER(ptx_decode_nanosleep) {
  (void)op;
  if (ptx_take_type(d) != PTX_U32) return ptx_decode_fail(d, "needs .u32");
  return ptx_need_args(d, 1, 1) && ptx_source_value(d, &d->s->args[0], PTX_U32, false) &&
         ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_INT);
}

/* Policies of the L2 are read and have no effect: the value is a constant. */
PTX_DECODER(ptx_decode_createpolicy) {
  static const char *const known[] = {"fractional",
                                      "range",
                                      "cvt",
                                      "L2",
                                      "global",
                                      "L2::evict_last",
                                      "L2::evict_normal",
                                      "L2::evict_first",
                                      "L2::evict_unchanged",
                                      NULL};
  const ptx_arg one = {.kind = PTX_ARG_INTEGER, .bits = 1};
  (void)op;
  while (ptx_take_one(d, known) >= 0) {
  }
  if (ptx_take_type(d) != PTX_B64) return ptx_decode_fail(d, "needs .b64");
  return ptx_need_args(d, 1, 4) && ptx_dest_reg(d, &d->s->args[0], PTX_B64, false) &&
         ptx_source_value(d, &one, PTX_B64, false) &&
         ptx_decoded(d, ptx_bits_handlers[PTX_BITS_MOV][PTX_B64], PTX_CLASS_INT);
}

/* Prefetches of caches and their like: hints, of which nothing comes. */
PTX_DECODER(ptx_decode_hint) {
  static const char *const known[] = {
      "global", "local", "L1", "L2", "tensormap", "L2::evict_last", "L2::evict_normal", NULL};
  (void)op;
  while (ptx_take_one(d, known) >= 0) {
  }
  return ptx_need_args(d, 1, 2) && ptx_source_address(d, &d->s->args[0]) &&
         ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_INT);
}
