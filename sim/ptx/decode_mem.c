/* Decoders of memory accesses and address conversions. */
#include "sim/ptx/decode.h"

static const char *const space_names[] = {"param",       "param::entry", "global", "shared",
                                          "shared::cta", "local",        "const",  NULL};
static const uint8_t spaces[] = {PTX_SPACE_PARAM,  PTX_SPACE_PARAM,  PTX_SPACE_GLOBAL,
                                 PTX_SPACE_SHARED, PTX_SPACE_SHARED, PTX_SPACE_LOCAL,
                                 PTX_SPACE_CONST};

static ptx_space take_space(ptx_decoder *d) {
  const int which = ptx_take_one(d, space_names);
  return which < 0 ? PTX_SPACE_GENERIC : (ptx_space)spaces[which];
}

/* Memory ordering and its scope: all accesses here are sequential already. True if any. */
static bool take_ordering(ptx_decoder *d) {
  static const char *const orders[] = {"relaxed", "acquire", "release", "acq_rel", NULL};
  static const char *const scopes[] = {"cta", "gpu", "sys", "cluster", NULL};
  const bool ordered = ptx_take_one(d, orders) >= 0;
  ptx_take_one(d, scopes);
  return ordered;
}

/* .ca .cg .cs .lu .cv .wb .wt, eviction and prefetch hints: whether L1 is bypassed, and whether
 * the access leaves nothing there. */
static bool take_cache_hints(ptx_decoder *d) {
  static const char *const operators[] = {"cg", "cv", "ca", "cs", "lu", "wb", "wt", NULL};
  static const char *const hints[] = {"L1::no_allocate", "L1::evict_normal", "L1::evict_unchanged",
                                      "L1::evict_first", "L1::evict_last",   "L2::64B",
                                      "L2::128B",        "L2::256B",         NULL};
  const int which = ptx_take_one(d, operators);
  for (int hint; (hint = ptx_take_one(d, hints)) >= 0;) d->inst.no_allocate |= hint == 0;
  return which == 0 || which == 1;
}

/* n operands, and one more, a policy of the L2, with its modifier: read, and without effect. */
static bool need_access_args(ptx_decoder *d, uint32_t n) {
  if (!ptx_take(d, "L2::cache_hint")) return ptx_need_args(d, n, n);
  if (!ptx_need_args(d, n + 1, n + 1)) return false;
  const ptx_arg *policy = &d->s->args[n];
  return (policy->kind == PTX_ARG_REG && ptx_type_bytes(policy->type) == 8) ||
         ptx_decode_fail(d, "the policy must be a register of 64 bits");
}

/* Elements per lane, or 0 if the vector's length is not what the modifier says. */
static uint8_t take_vector(ptx_decoder *d, const ptx_arg *arg) {
  const uint8_t n = ptx_take(d, "v2") ? 2 : ptx_take(d, "v4") ? 4 : ptx_take(d, "v8") ? 8 : 1;
  const bool vector = arg->kind == PTX_ARG_VECTOR;
  return vector ? (arg->count == n ? n : 0) : (n == 1 ? n : 0);
}

static bool describe_access(ptx_decoder *d, ptx_space space, ptx_type type, uint8_t vec) {
  if (type == PTX_NO_TYPE || type == PTX_PRED || type == PTX_F16)
    return ptx_decode_fail(d, "needs a type, e.g. .u32");
  if (vec == 0)
    return ptx_decode_fail(d,
                           "the data must be as many registers in braces as .v2, .v4 or .v8 says");
  if (vec == 8 && ptx_type_bytes(type) != 4)
    return ptx_decode_fail(d, ".v8 is of 32-bit elements: .b32, .u32, .s32, .f32");
  d->code.space = d->inst.space = (uint8_t)space;
  d->code.type = (uint8_t)type;
  d->inst.bytes = (uint8_t)ptx_type_bytes(type);
  d->inst.vec = vec;
  return true;
}

PTX_DECODER(ptx_decode_ld) {
  (void)op;
  if (!need_access_args(d, 2)) return false;
  const ptx_arg *to = &d->s->args[0];
  const uint8_t vec = take_vector(d, to);
  ptx_space space = take_space(d);
  if (ptx_is_call_param(d, space, &d->s->args[1]))
    return ptx_decode_call_param(d, to, &d->s->args[1], ptx_take_type(d));
  if (space == PTX_SPACE_PARAM) space = ptx_param_space(d, &d->s->args[1]);
  if (ptx_take(d, "nc")) {
    if (space != PTX_SPACE_GLOBAL) return ptx_decode_fail(d, ".nc is for .global");
    space = PTX_SPACE_GLOBAL_NC;
  }
  bool bypass = ptx_take(d, "volatile");
  bypass |= take_ordering(d);
  bypass |= take_cache_hints(d);
  ptx_take(d, "weak");
  const ptx_type type = ptx_take_type(d);
  if (!describe_access(d, space, type, vec)) return false;
  d->inst.bypass_l1 = bypass;
  for (uint32_t k = 0; k < vec; k++)
    if (!ptx_dest_reg(d, to->kind == PTX_ARG_VECTOR ? &d->s->elements[to->first + k] : to, type,
                      true))
      return false;
  return ptx_source_address(d, &d->s->args[1]) &&
         ptx_decoded(d, ptx_load_handler(&d->code), PTX_CLASS_LOAD);
}

PTX_DECODER(ptx_decode_st) {
  (void)op;
  if (!need_access_args(d, 2)) return false;
  const ptx_arg *from = &d->s->args[1];
  const uint8_t vec = take_vector(d, from);
  ptx_space space = take_space(d);
  if (ptx_is_call_param(d, space, &d->s->args[0]))
    return ptx_decode_call_param(d, &d->s->args[0], from, ptx_take_type(d));
  if (space == PTX_SPACE_PARAM) space = ptx_param_space(d, &d->s->args[0]);
  if (space == PTX_SPACE_PARAM || space == PTX_SPACE_CONST)
    return ptx_decode_fail(d, "this memory is read only");
  bool bypass = ptx_take(d, "volatile");
  bypass |= take_ordering(d);
  bypass |= take_cache_hints(d);
  ptx_take(d, "weak");
  const ptx_type type = ptx_take_type(d);
  if (!describe_access(d, space, type, vec)) return false;
  d->inst.bypass_l1 = bypass;
  for (uint32_t k = 0; k < vec; k++)
    if (!ptx_source_value(d, from->kind == PTX_ARG_VECTOR ? &d->s->elements[from->first + k] : from,
                          type, true))
      return false;
  return ptx_source_address(d, &d->s->args[0]) &&
         ptx_decoded(d, ptx_store_handler(&d->code), PTX_CLASS_STORE);
}

static ptx_type bits_like(ptx_type type) {
  return ptx_type_bytes(type) == 2 ? PTX_B16 : PTX_B32;
}

/* atom (op->a 1) has a destination, red has none. */
PTX_DECODER(ptx_decode_atom) {
  static const char *const names[] = {"add", "and", "or",   "xor", "inc", "dec",
                                      "min", "max", "exch", "cas", NULL};
  const ptx_space space = take_space(d);
  take_ordering(d);
  const int which = ptx_take_one(d, names);
  const ptx_type type = ptx_take_type(d), held = ptx_is_half(type) ? bits_like(type) : type;
  if (ptx_is_half(type) && !ptx_take(d, "noftz"))
    return ptx_decode_fail(d, "halves are added as .add.noftz");
  if (which < 0) return ptx_decode_fail(d, "needs an operation, e.g. .add");
  if (space == PTX_SPACE_PARAM || space == PTX_SPACE_CONST || space == PTX_SPACE_LOCAL)
    return ptx_decode_fail(d, "atomics act on .global, .shared or generic addresses");
  if (!op->a && which >= PTX_ATOM_EXCH) return ptx_decode_fail(d, "red has no such operation");
  d->code.op = (uint8_t)which;
  const uint32_t first = op->a ? 1 : 0, n = first + (which == PTX_ATOM_CAS ? 3 : 2);
  if (!need_access_args(d, n) || !describe_access(d, space, held, 1) ||
      (op->a && !ptx_dest_reg(d, &d->s->args[0], held, false)))
    return false;
  for (uint32_t k = first + 1; k < n; k++)
    if (!ptx_source_value(d, &d->s->args[k], held, false)) return false;
  return ptx_source_address(d, &d->s->args[first]) &&
         ptx_decoded(d, ptx_atomic_handler((ptx_atomic_op)which, type), PTX_CLASS_ATOMIC);
}

PTX_DECODER(ptx_decode_cvta) {
  const bool from_generic = ptx_take(d, "to");
  const ptx_space space = take_space(d);
  const ptx_type type = ptx_take_type(d);
  (void)op;
  if (space == PTX_SPACE_GENERIC || space == PTX_SPACE_PARAM)
    return ptx_decode_fail(d, "converts .global, .shared, .local and .const addresses");
  if (d->b->module->narrow && type == PTX_U32) {
    if (space != PTX_SPACE_GLOBAL && space != PTX_SPACE_CONST)
      return ptx_decode_fail(d, "of 32-bit addresses only .global and .const ones are generic");
    return ptx_need_args(d, 2, 2) && ptx_dest_reg(d, &d->s->args[0], type, false) &&
           ptx_source_value(d, &d->s->args[1], type, false) &&
           ptx_decoded(d, ptx_bits_handlers[PTX_BITS_MOV][type], PTX_CLASS_INT);
  }
  if (type != PTX_U64) return ptx_decode_fail(d, "addresses have 64 bits here: needs .u64");
  d->code.space = (uint8_t)space;
  d->code.op = from_generic;
  return ptx_need_args(d, 2, 2) && ptx_dest_reg(d, &d->s->args[0], type, false) &&
         ptx_source_value(d, &d->s->args[1], type, false) &&
         ptx_decoded(d, ptx_cvta_handler(true), PTX_CLASS_INT);
}

PTX_DECODER(ptx_decode_isspacep) {
  const ptx_space space = take_space(d);
  (void)op;
  if (space != PTX_SPACE_GLOBAL && space != PTX_SPACE_SHARED && space != PTX_SPACE_LOCAL)
    return ptx_decode_fail(d, "needs .global, .shared or .local");
  d->code.space = (uint8_t)space;
  return ptx_need_args(d, 2, 2) && ptx_dest_reg(d, &d->s->args[0], PTX_PRED, false) &&
         ptx_source_value(d, &d->s->args[1], PTX_U64, false) &&
         ptx_decoded(d, ptx_isspacep_handler(), PTX_CLASS_INT);
}
