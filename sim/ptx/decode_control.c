/* Decoders of control flow, barriers, warp-wide operations and units' own instructions. */
#include <string.h>

#include "sim/ptx/decode.h"

/* brx.idx is read as other instructions (parse_switch.c): here are the forms that are not. */
PTX_DECODER(ptx_decode_brx) {
  (void)op;
  return ptx_decode_fail(d, "is brx.idx, without a guard");
}

PTX_DECODER(ptx_decode_bra) {
  (void)op;
  if (!ptx_need_args(d, 1, 1)) return false;
  const ptx_arg *to = &d->s->args[0];
  if (to->kind != PTX_ARG_NAME) return ptx_decode_fail(d, "the target must be a label");
  d->inst.uniform = ptx_take(d, "uni") || !d->code.guarded;
  d->label = to->name;
  d->label_bytes = to->bytes;
  return ptx_decoded(d, ptx_branch_handler(), PTX_CLASS_BRANCH);
}

PTX_DECODER(ptx_decode_exit) {
  (void)op;
  ptx_take(d, "uni");
  return ptx_need_args(d, 0, 0) && ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_EXIT);
}

PTX_DECODER(ptx_decode_trap) {
  (void)op;
  return ptx_need_args(d, 0, 0) && ptx_decoded(d, ptx_trap_handler(), PTX_CLASS_EXIT);
}

/* The barrier's number, and how many threads, if they are told. */
static bool barrier_operands(ptx_decoder *d, uint32_t first, uint32_t n) {
  const ptx_arg *id = &d->s->args[first];
  if (id->kind == PTX_ARG_INTEGER && id->bits > 15)
    return ptx_decode_fail(d, "there are barriers 0 to 15");
  const ptx_arg *threads = &d->s->args[first + 1];
  if (n > 1 && threads->kind == PTX_ARG_INTEGER &&
      (threads->bits == 0 || threads->bits % PTX_LANES))
    return ptx_decode_fail(d, "needs a number of threads that is a multiple of %d", PTX_LANES);
  return ptx_source_value(d, id, PTX_U32, false) &&
         (n < 2 || ptx_source_value(d, threads, PTX_U32, false));
}

/* bar.red.popc.u32 d, a, b, p; .and.pred, .or.pred */
static bool decode_vote_barrier(ptx_decoder *d) {
  static const char *const names[] = {"popc", "and", "or", NULL};
  const int which = ptx_take_one(d, names);
  const ptx_type type = ptx_take_type(d);
  const uint32_t n = d->s->n_args;
  if (which < 0 || type != (which ? PTX_PRED : PTX_U32))
    return ptx_decode_fail(d, "needs .popc.u32, .and.pred or .or.pred");
  d->code.op = (uint8_t)which;
  d->inst.custom_id = PTX_BARRIER_REDUCE;
  return ptx_need_args(d, 3, 4) && ptx_dest_reg(d, &d->s->args[0], type, false) &&
         barrier_operands(d, 1, n - 2) && ptx_source_pred(d, &d->s->args[n - 1]) &&
         ptx_decoded(d, ptx_barrier_handler(), PTX_CLASS_BARRIER);
}

/* bar.warp.sync costs nothing: the lanes of a warp run in step. */
PTX_DECODER(ptx_decode_bar) {
  static const char *const kinds[] = {"sync", "arrive", "red", NULL};
  (void)op;
  if (ptx_take(d, "cluster"))
    return ptx_decode_fail(d, "there are no clusters here: compile for sm_80 or lower");
  const bool warp = ptx_take(d, "warp");
  ptx_take(d, "cta");
  ptx_take(d, "aligned");
  const int kind = ptx_take_one(d, kinds);
  if (kind < 0 || (warp && kind)) return ptx_decode_fail(d, "needs .sync, .arrive or .red");
  if (kind == 2) return decode_vote_barrier(d);
  const ptx_arg *id = &d->s->args[0];
  if (warp)
    return ptx_need_args(d, 1, 1) && ptx_source_value(d, id, PTX_U32, false) &&
           ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_INT);
  if (!ptx_need_args(d, kind ? 2 : 1, 2)) return false;
  if (d->s->n_args == 1 && id->kind == PTX_ARG_INTEGER && !id->bits)
    return ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_BARRIER);
  d->inst.custom_id = kind ? PTX_BARRIER_ARRIVE : PTX_BARRIER_SYNC;
  return barrier_operands(d, 0, d->s->n_args) &&
         ptx_decoded(d, ptx_barrier_handler(), PTX_CLASS_BARRIER);
}

PTX_DECODER(ptx_decode_fence) {
  static const char *const known[] = {"cta",     "gl",      "sys",     "gpu", "sc",
                                      "acq_rel", "acquire", "release", NULL};
  (void)op;
  while (ptx_take_one(d, known) >= 0) {
  }
  return ptx_need_args(d, 0, 0) && ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_FENCE);
}

/* The member mask of .sync forms. Shuffles read it, and nothing more: lanes that are not active
 * cannot take part, and active ones are in step. Votes and comparisons count its lanes alone. */
static bool member_mask(ptx_decoder *d, bool sync, uint32_t at) {
  return !sync || ptx_source_value(d, &d->s->args[at], PTX_U32, false);
}

PTX_DECODER(ptx_decode_shfl) {
  static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
  const bool sync = ptx_take(d, "sync");
  const int mode = ptx_take_one(d, modes);
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (mode < 0 || type != PTX_B32)
    return ptx_decode_fail(d, "needs .up, .down, .bfly or .idx, and .b32");
  d->code.op = (uint8_t)mode;
  return ptx_need_args(d, sync ? 5 : 4, sync ? 5 : 4) && ptx_dest_pair(d, &d->s->args[0], type) &&
         ptx_source_value(d, &d->s->args[1], type, false) &&
         ptx_source_value(d, &d->s->args[2], PTX_U32, false) &&
         ptx_source_value(d, &d->s->args[3], PTX_U32, false) && member_mask(d, sync, 4) &&
         ptx_decoded(d, ptx_shfl_handler(), PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_vote) {
  static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
  const bool sync = ptx_take(d, "sync");
  const int mode = ptx_take_one(d, modes);
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (mode < 0 || type != (mode == 3 ? PTX_B32 : PTX_PRED))
    return ptx_decode_fail(d, "needs .all, .any or .uni with .pred, or .ballot with .b32");
  d->code.op = (uint8_t)mode;
  return ptx_need_args(d, sync ? 3 : 2, sync ? 3 : 2) &&
         ptx_dest_reg(d, &d->s->args[0], type, false) && ptx_source_pred(d, &d->s->args[1]) &&
         member_mask(d, sync, 2) && ptx_decoded(d, ptx_vote_handler(), PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_match) {
  static const char *const modes[] = {"any", "all", NULL};
  const bool sync = ptx_take(d, "sync");
  const int mode = ptx_take_one(d, modes);
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (mode < 0 || !sync || (type != PTX_B32 && type != PTX_B64))
    return ptx_decode_fail(d, "needs .any or .all, .sync, and .b32 or .b64");
  d->code.op = (uint8_t)mode;
  if (!ptx_need_args(d, 3, 3)) return false;
  const bool fine = mode == 1 ? ptx_dest_pair(d, &d->s->args[0], PTX_B32)
                              : ptx_dest_reg(d, &d->s->args[0], PTX_B32, false);
  return fine && ptx_source_value(d, &d->s->args[1], type, false) && member_mask(d, sync, 2) &&
         ptx_decoded(d, ptx_match_handler(), PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_activemask) {
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (type != PTX_B32) return ptx_decode_fail(d, "needs .b32");
  return ptx_need_args(d, 1, 1) && ptx_dest_reg(d, &d->s->args[0], type, false) &&
         ptx_decoded(d, ptx_activemask_handler(), PTX_CLASS_INT);
}

bool ptx_decode_custom(ptx_decoder *d, const ptx_custom_op *op) {
  const uint32_t n = (uint32_t)strlen(op->operands);
  if (n > PTX_MAX_CUSTOM)
    return ptx_decode_fail(d, "is declared with more than %d operands", PTX_MAX_CUSTOM);
  if (!ptx_need_args(d, n, n)) return false;
  int64_t *offsets = ptx_arena_small(&d->b->module->arena, PTX_MAX_OPERANDS * sizeof *offsets);
  for (uint32_t k = 0; k < n; k++) {
    const ptx_arg *arg = &d->s->args[k];
    bool fine;
    switch (op->operands[k]) {
    case 'r':
      fine = ptx_source_value(d, arg, PTX_B32, false);
      break;
    case 'l':
      fine = ptx_source_value(d, arg, PTX_B64, false);
      break;
    case 'm':
      fine = ptx_source_address(d, arg);
      break;
    default:
      return ptx_decode_fail(d, "is declared with operand '%c'; known are r, l, m",
                             op->operands[k]);
    }
    if (!fine) return false;
    offsets[k] = d->code.offset;
    d->code.offset = 0;
  }
  d->code.custom_offset = offsets;
  d->inst.custom_unit = (uint8_t)op->unit;
  d->inst.custom_id = (uint8_t)op->id;
  return ptx_decoded(d, ptx_custom_handler(), PTX_CLASS_CUSTOM);
}
