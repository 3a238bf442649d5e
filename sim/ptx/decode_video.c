/* Decoder of video instructions. They cost an integer multiplication each: the GPUs that have them
 * issue them at that rate, others make several instructions of one. */
#include "sim/ptx/decode.h"

/* asel and its like, of registers only. */
static bool part_source(ptx_decoder *d, const ptx_arg *arg, uint8_t *part) {
  *part = arg->select;
  return ptx_source_value(d, arg, PTX_B32, false);
}

/* The comparison of vset, or how a shift takes amounts above 31. */
static bool take_mode(ptx_decoder *d, int op, uint8_t *mode) {
  static const char *const modes[] = {"clamp", "wrap", NULL};
  static const char *const compare[] = {"eq", "ne", "lt", "le", "gt", "ge", NULL};
  const bool shifts = op == PTX_VIDEO_SHL || op == PTX_VIDEO_SHR;
  if (!shifts && op != PTX_VIDEO_SET) return true;
  const int which = ptx_take_one(d, shifts ? modes : compare);
  *mode = (uint8_t)which;
  return which >= 0 || ptx_decode_fail(d, shifts ? "needs .clamp or .wrap" : "needs .eq .. .ge");
}

static bool take_types(ptx_decoder *d, int op) {
  const ptx_type to = op == PTX_VIDEO_SET ? PTX_U32 : ptx_take_type(d), a = ptx_take_type(d),
                 b = ptx_take_type(d);
  d->code.type = (uint8_t)a;
  d->code.type2 = (uint8_t)b;
  d->code.rounding = to == PTX_S32;
  return ((to == PTX_U32 || to == PTX_S32) && (a == PTX_U32 || a == PTX_S32) &&
          (b == PTX_U32 || b == PTX_S32)) ||
         ptx_decode_fail(d, "needs the types of result and operands, .u32 or .s32");
}

PTX_DECODER(ptx_decode_video) {
  static const char *const seconds[] = {"add", "min", "max", NULL};
  ptx_video_parts p = {.lanes = (uint8_t)op->n};
  if (!take_types(d, op->a) || !take_mode(d, op->a, &p.mode)) return false;
  d->code.sat = op->a != PTX_VIDEO_SET && ptx_take(d, "sat");
  const int then = ptx_take_one(d, seconds);
  const ptx_arg *to = &d->s->args[0];
  p.d = to->select;
  d->selects = op->n == 1;
  d->code.op = (uint8_t)op->a;
  d->code.op2 = (uint8_t)(then >= 0 ? PTX_VIDEO_THEN_ADD + then : p.d ? PTX_VIDEO_THEN_MERGE : 0);
  if (op->n > 1 && then > 0) return ptx_decode_fail(d, "of all parts there is the sum only, .add");
  if (then >= 0 && p.d) return ptx_decode_fail(d, "a part of the result takes no second operation");
  const uint32_t n = op->n > 1 || d->code.op2 ? 4 : 3;
  if (!ptx_need_args(d, n, n) || !ptx_dest_reg(d, to, PTX_B32, false) ||
      !part_source(d, &d->s->args[1], &p.a) || !part_source(d, &d->s->args[2], &p.b) ||
      (n == 4 && !ptx_source_value(d, &d->s->args[3], PTX_B32, false)))
    return false;
  d->code.offset = ptx_video_pack(p);
  return ptx_decoded(d, ptx_video_handler(), PTX_CLASS_IMUL);
}
