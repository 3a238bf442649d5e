/* Decoder of mbarrier: as an atomic of shared memory. */
#include "sim/ptx/decode.h"

static bool take_shared(ptx_decoder *d) {
  static const char *const shared[] = {"shared", "shared::cta", NULL};
  return ptx_take_one(d, shared) >= 0 ||
         ptx_decode_fail(d,
                         "needs .shared: barriers of clusters and generic ones are not supported");
}

static bool finish(ptx_decoder *d, ptx_mbarrier_op op, const ptx_arg *address) {
  d->code.op = (uint8_t)op;
  d->code.type = PTX_B64;
  d->code.space = d->inst.space = PTX_SPACE_SHARED;
  d->inst.bytes = 8;
  d->inst.vec = 1;
  return ptx_source_address(d, address) && ptx_decoded(d, ptx_mbarrier_handler(), PTX_CLASS_ATOMIC);
}

static bool decode_arrive(ptx_decoder *d, bool drop) {
  static const char *const ignored[] = {"noComplete", "release", "relaxed", "cta", NULL};
  const uint32_t n = d->s->n_args;
  while (ptx_take_one(d, ignored) >= 0) {
  }
  if (ptx_take(d, "expect_tx"))
    return ptx_decode_fail(
        d, "transactions come with bulk copies, which are not supported: compile for sm_80");
  if (!take_shared(d) || ptx_take_type(d) != PTX_B64)
    return ptx_decode_fail(d, "is mbarrier.arrive.shared.b64 state, [address], count;");
  return ptx_need_args(d, 2, 3) && ptx_dest_reg(d, &d->s->args[0], PTX_B64, false) &&
         (n == 2 || ptx_source_value(d, &d->s->args[2], PTX_U32, false)) &&
         finish(d, drop ? PTX_MBARRIER_DROP : PTX_MBARRIER_ARRIVE, &d->s->args[1]);
}

/* test_wait and try_wait, which may answer at once. */
static bool decode_test(ptx_decoder *d) {
  static const char *const ignored[] = {"acquire", "relaxed", "cta", NULL};
  const bool parity = ptx_take(d, "parity");
  while (ptx_take_one(d, ignored) >= 0) {
  }
  if (!take_shared(d) || ptx_take_type(d) != PTX_B64)
    return ptx_decode_fail(d, "is mbarrier.test_wait.shared.b64 p, [address], state;");
  return ptx_need_args(d, 3, 4) && ptx_dest_reg(d, &d->s->args[0], PTX_PRED, false) &&
         ptx_source_value(d, &d->s->args[2], parity ? PTX_U32 : PTX_B64, false) &&
         finish(d, parity ? PTX_MBARRIER_PARITY : PTX_MBARRIER_TEST, &d->s->args[1]);
}

PTX_DECODER(ptx_decode_mbarrier) {
  static const char *const kinds[] = {"init",      "inval",    "arrive", "arrive_drop",
                                      "test_wait", "try_wait", NULL};
  const int kind = ptx_take_one(d, kinds);
  (void)op;
  if (kind < 0)
    return ptx_decode_fail(d,
                           "needs .init, .inval, .arrive, .arrive_drop, .test_wait or .try_wait");
  if (kind == 2 || kind == 3) return decode_arrive(d, kind == 3);
  if (kind > 3) return decode_test(d);
  if (!take_shared(d) || ptx_take_type(d) != PTX_B64)
    return ptx_decode_fail(d, "needs .shared.b64");
  if (kind == 1) return ptx_need_args(d, 1, 1) && finish(d, PTX_MBARRIER_INVALID, &d->s->args[0]);
  return ptx_need_args(d, 2, 2) && ptx_source_value(d, &d->s->args[1], PTX_U32, false) &&
         finish(d, PTX_MBARRIER_INIT, &d->s->args[0]);
}

/* cp.async.mbarrier.arrive: the copies' bytes are there at once, and so is the arrival. Without
 * .noinc the phase waits for one arrival more, which is this one: nothing changes. */
bool ptx_decode_copy_arrive(ptx_decoder *d) {
  const bool counted = ptx_take(d, "noinc");
  if (!ptx_take(d, "arrive") || !take_shared(d) || ptx_take_type(d) != PTX_B64)
    return ptx_decode_fail(d, "is cp.async.mbarrier.arrive{.noinc}.shared.b64 [address];");
  if (!ptx_need_args(d, 1, 1)) return false;
  if (counted) return finish(d, PTX_MBARRIER_ARRIVE, &d->s->args[0]);
  return ptx_source_address(d, &d->s->args[0]) && ptx_decoded(d, ptx_nop_handler(), PTX_CLASS_INT);
}
