/* atom and red, lane after lane. Float addition is IEEE, subnormals kept, also in global memory,
 * where some hardware flushes them. */
#include "sim/ptx/access.h"
#include "sim/ptx/float_lanes.h"
#include "sim/ptx/half.h"
#include "sim/ptx/handlers.h"

#define SET_u16(d, i, v) ((lane32 *)(d))[i] = (v)
#define SET_u32(d, i, v) ((lane32 *)(d))[i] = (v)
#define SET_s32(d, i, v) ((lane32 *)(d))[i] = (u32)(v)
#define SET_f32(d, i, v) ((lane32 *)(d))[i] = ptx_float_bits(v)
#define SET_u64(d, i, v) ptx_set_lane64(d, i, v)
#define SET_s64(d, i, v) ptx_set_lane64(d, i, (u64)(v))
#define SET_f64(d, i, v) ptx_set_lane64(d, i, ptx_double_bits(v))

/* expr computes the new value from old, b and (cas) d. The old value goes to the destination. */
#define ATOMIC(name, T, expr)                                                                      \
  HANDLER(name##_##T) {                                                                            \
    ptx_access a;                                                                                  \
    if (!ptx_access_prepare(c, w, m, e, (u32)sizeof(T), &a, err)) return false;                    \
    GET_##T(pb, 0);                                                                                \
    GET_##T(pd, c->n_src > 2 ? 1 : 0);                                                             \
    void *out = c->n_dst ? ptx_out(c, w, 0) : NULL;                                                \
    ACTIVE_LANES(m) {                                                                              \
      u8 *at = ptx_access_lane(&a, e, i);                                                          \
      const T b = (T)pb[i], d = (T)pd[i];                                                          \
      T old;                                                                                       \
      memcpy(&old, at, sizeof old);                                                                \
      (void)b, (void)d;                                                                            \
      const T new = (T)(expr);                                                                     \
      memcpy(at, &new, sizeof new);                                                                \
      if (out) SET_##T(out, i, old);                                                               \
    }                                                                                              \
    return true;                                                                                   \
  }

#define BOTH_WIDTHS(name, expr) ATOMIC(name, u32, expr) ATOMIC(name, u64, expr)
BOTH_WIDTHS(add, old + b)
BOTH_WIDTHS(and, old &b)
BOTH_WIDTHS(or, old | b)
BOTH_WIDTHS(xor, old ^ b)
BOTH_WIDTHS(exch, b)
BOTH_WIDTHS(cas, old == b ? d : old)
BOTH_WIDTHS(min, old < b ? old : b)
BOTH_WIDTHS(max, old > b ? old : b)
ATOMIC(min, s32, old < b ? old : b)
ATOMIC(max, s32, old > b ? old : b)
ATOMIC(min, s64, old < b ? old : b)
ATOMIC(max, s64, old > b ? old : b)
ATOMIC(inc, u32, old >= b ? 0 : old + 1)
ATOMIC(dec, u32, old == 0 || old > b ? b : old - 1)
ATOMIC(add, f32, ptx_bits_float(ptx_result32(old + b)))
ATOMIC(add, f64, ptx_bits_double(ptx_result64(old + b)))

/* Halves, one or a pair, each rounded by itself. */
static u32 half_sum(ptx_half kind, u32 a, u32 b, u32 parts) {
  u32 sum = 0;
  for (u32 k = 0; k < 16 * parts; k += 16) {
    const f64 exact = ptx_half_value(kind, a >> k & 0xffff) + ptx_half_value(kind, b >> k & 0xffff);
    sum |= ptx_half_bits(kind, exact, PTX_ROUND_RN) << k;
  }
  return sum;
}
ATOMIC(add_f16, u16, half_sum(PTX_HALF_F16, old, b, 1))
ATOMIC(add_f16, u32, half_sum(PTX_HALF_F16, old, b, 2))
ATOMIC(add_bf16, u16, half_sum(PTX_HALF_BF16, old, b, 1))
ATOMIC(add_bf16, u32, half_sum(PTX_HALF_BF16, old, b, 2))
ATOMIC(cas, u16, old == b ? d : old)

#define UNTYPED(f)                                                                                 \
  { [PTX_B32] = f##_u32, [PTX_B64] = f##_u64 }
#define SIGNS(f)                                                                                   \
  { [PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64, [PTX_S64] = f##_s64 }

static const ptx_handler_row table[PTX_ATOM_OP_COUNT] = {
    [PTX_ATOM_ADD] = {[PTX_U32] = add_u32,
                      [PTX_S32] = add_u32,
                      [PTX_U64] = add_u64,
                      [PTX_S64] = add_u64,
                      [PTX_F32] = add_f32,
                      [PTX_F64] = add_f64,
                      [PTX_F16] = add_f16_u16,
                      [PTX_F16X2] = add_f16_u32,
                      [PTX_BF16] = add_bf16_u16,
                      [PTX_BF16X2] = add_bf16_u32},
    [PTX_ATOM_AND] = UNTYPED(and),
    [PTX_ATOM_OR] = UNTYPED(or),
    [PTX_ATOM_XOR] = UNTYPED(xor),
    [PTX_ATOM_EXCH] = UNTYPED(exch),
    [PTX_ATOM_CAS] = {[PTX_B16] = cas_u16, [PTX_B32] = cas_u32, [PTX_B64] = cas_u64},
    [PTX_ATOM_MIN] = SIGNS(min),
    [PTX_ATOM_MAX] = SIGNS(max),
    [PTX_ATOM_INC] = {[PTX_U32] = inc_u32},
    [PTX_ATOM_DEC] = {[PTX_U32] = dec_u32},
};

ptx_handler *ptx_atomic_handler(ptx_atomic_op op, ptx_type type) {
  return table[op][type];
}
