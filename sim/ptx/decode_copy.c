/* Decoder of cp.async: copies from global to shared memory that a warp does not wait for, their
 * groups, and the waits for these. */
#include "sim/ptx/decode.h"

/* Both addresses' offsets: the shared one's is custom_offset[0], the global one's code.offset. */
static bool copy_addresses(ptx_decoder *d) {
  int64_t *offset = ptx_arena_small(&d->b->module->arena, sizeof *offset);
  if (!ptx_source_address(d, &d->s->args[0])) return false;
  *offset = d->code.offset;
  d->code.offset = 0;
  d->code.custom_offset = offset;
  if (d->s->n_args == 4) {
    const ptx_arg *last = &d->s->args[3];
    const bool ignored = last->kind == PTX_ARG_REG && last->type == PTX_PRED;
    d->code.op2 = ignored ? PTX_COPY_UNLESS : PTX_COPY_SOME;
    if (!(ignored ? ptx_source_pred(d, last) : ptx_source_value(d, last, PTX_U32, false)))
      return false;
  }
  return ptx_source_address(d, &d->s->args[1]);
}

static bool decode_copy(ptx_decoder *d, bool cg) {
  static const char *const shared[] = {"shared", "shared::cta", NULL};
  static const char *const ahead[] = {"L2::64B", "L2::128B", "L2::256B", NULL};
  if (ptx_take_one(d, shared) < 0 || !ptx_take(d, "global"))
    return ptx_decode_fail(d, "copies from .global to .shared: needs .shared.global");
  ptx_take_one(d, ahead);
  if (!ptx_need_args(d, 3, 4)) return false;
  const ptx_arg *size = &d->s->args[2];
  const uint64_t bytes = size->kind == PTX_ARG_INTEGER ? size->bits : 0;
  if (bytes != 16 && (cg || (bytes != 4 && bytes != 8)))
    return ptx_decode_fail(d, "copies %s bytes a lane: write that number",
                           cg ? "16" : "4, 8 or 16");
  d->code.space = d->inst.space = PTX_SPACE_GLOBAL;
  d->code.type = PTX_B32;
  d->code.op = (uint8_t)bytes;
  d->inst.bytes = 4;
  d->inst.vec = (uint8_t)(bytes / 4);
  d->inst.bypass_l1 = cg;
  return copy_addresses(d) && ptx_decoded(d, ptx_copy_handler(), PTX_CLASS_COPY);
}

static bool decode_group(ptx_decoder *d, ptx_copy_op op) {
  const ptx_arg *left = &d->s->args[0];
  const uint32_t n = op == PTX_COPY_WAIT;
  if (!ptx_need_args(d, n, n)) return false;
  if (n && left->kind != PTX_ARG_INTEGER)
    return ptx_decode_fail(d, "needs a number of groups, e.g. 1");
  d->inst.custom_id = (uint8_t)op;
  d->inst.bytes = (uint8_t)(n ? (left->bits < 255 ? left->bits : 255) : 0);
  return ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_COPY_GROUP);
}

PTX_DECODER(ptx_decode_cp) {
  static const char *const groups[] = {"commit_group", "wait_group", "wait_all", NULL};
  static const char *const levels[] = {"ca", "cg", NULL};
  (void)op;
  if (!ptx_take(d, "async")) return ptx_decode_fail(d, "only cp.async is supported");
  if (ptx_take(d, "bulk"))
    return ptx_decode_fail(d, "bulk and tensor copies are not supported: compile for sm_80");
  if (ptx_take(d, "mbarrier")) return ptx_decode_copy_arrive(d);
  const int group = ptx_take_one(d, groups);
  if (group >= 0) return decode_group(d, (ptx_copy_op)group);
  const int level = ptx_take_one(d, levels);
  if (level >= 0) return decode_copy(d, level == 1);
  return ptx_decode_fail(d, "needs .ca, .cg, .commit_group, .wait_group or .wait_all");
}
