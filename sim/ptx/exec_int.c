/* Integer arithmetic. Overflow wraps, as PTX says; it is computed in unsigned types throughout.
 * Where PTX leaves a result open (division by zero) ours is fixed: quotient all ones, remainder
 * the dividend. The most negative number divided by -1 wraps to itself, remainder 0. */
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

#define UNARY(name, T, expr)                                                                       \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    PLANE_##T r[PTX_LANES];                                                                        \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i];                                                                        \
      r[i] = STORED_##T(expr);                                                                     \
    }                                                                                              \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    return true;                                                                                   \
  }

/* RT: type of the result and of the third operand where there is one. */
#define BINARY(name, T, RT, expr)                                                                  \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    PLANE_##RT r[PTX_LANES];                                                                       \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i], b = (T)pb[i];                                                          \
      r[i] = STORED_##RT(expr);                                                                    \
    }                                                                                              \
    KEEP_##RT(ptx_out(c, w, 0), r, m);                                                             \
    return true;                                                                                   \
  }

#define TERNARY(name, T, RT, expr)                                                                 \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    GET_##RT(pd, 2);                                                                               \
    PLANE_##RT r[PTX_LANES];                                                                       \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i], b = (T)pb[i];                                                          \
      const RT d = (RT)pd[i];                                                                      \
      r[i] = STORED_##RT(expr);                                                                    \
    }                                                                                              \
    KEEP_##RT(ptx_out(c, w, 0), r, m);                                                             \
    return true;                                                                                   \
  }

#define ALL_TYPES(X) X(u16) X(s16) X(u32) X(s32) X(u64) X(s64)

/* Products: the whole product in a type wide enough. */
typedef unsigned __int128 u128;
typedef __int128 s128;
#define WHOLE_u16 u32
#define WHOLE_s16 s32
#define WHOLE_u32 u64
#define WHOLE_s32 s64
#define WHOLE_u64 u128
#define WHOLE_s64 s128
#define LOW_u16(a, b) ((u32)(u16)(a) * (u32)(u16)(b))
#define LOW_s16 LOW_u16
#define LOW_u32(a, b) ((u32)(a) * (u32)(b))
#define LOW_s32 LOW_u32
#define LOW_u64(a, b) ((u64)(a) * (u64)(b))
#define LOW_s64 LOW_u64
#define HIGH(T, a, b) (((WHOLE_##T)(a) * (WHOLE_##T)(b)) >> (8 * sizeof(T)))
#define LOW24(T, a) ((s64)((T)((u32)(a) << 8) >> 8))
#define MUL24(T, a, b) (LOW24(T, a) * LOW24(T, b))

static inline s32 saturated(s64 x) {
  return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (s32)x;
}

#define X(T)                                                                                       \
  BINARY(add, T, T, (u64)a + (u64)b)                                                               \
  BINARY(sub, T, T, (u64)a - (u64)b)                                                               \
  BINARY(mul_lo, T, T, LOW_##T(a, b))                                                              \
  BINARY(mul_hi, T, T, HIGH(T, a, b))                                                              \
  TERNARY(mad_lo, T, T, LOW_##T(a, b) + (u64)d)                                                    \
  TERNARY(mad_hi, T, T, (u64)HIGH(T, a, b) + (u64)d)                                               \
  BINARY(min, T, T, a < b ? a : b)                                                                 \
  BINARY(max, T, T, a > b ? a : b)                                                                 \
  TERNARY(sad, T, T, (u64)d + (a < b ? (u64)b - (u64)a : (u64)a - (u64)b))
ALL_TYPES(X)
#undef X

#define X(T)                                                                                       \
  UNARY(abs, T, a < 0 ? 0 - (u64)a : (u64)a)                                                       \
  UNARY(neg, T, 0 - (u64)a)
X(s16)
X(s32)
X(s64)
#undef X

#define X(T, RT)                                                                                   \
  BINARY(mul_wide, T, RT, (RT)a *(RT)b)                                                            \
  TERNARY(mad_wide, T, RT, (u64)((RT)a * (RT)b) + (u64)d)
X(u16, u32)
X(s16, s32)
X(u32, u64)
X(s32, s64)
#undef X

#define X(T)                                                                                       \
  BINARY(mul24_lo, T, T, MUL24(T, a, b))                                                           \
  BINARY(mul24_hi, T, T, MUL24(T, a, b) >> 16)                                                     \
  TERNARY(mad24_lo, T, T, (u64)MUL24(T, a, b) + (u64)d)                                            \
  TERNARY(mad24_hi, T, T, (u64)(MUL24(T, a, b) >> 16) + (u64)d)
X(u32)
X(s32)
#undef X

BINARY(add_sat, s32, s32, saturated((s64)a + b))
BINARY(sub_sat, s32, s32, saturated((s64)a - b))
TERNARY(mad_hi_sat, s32, s32, saturated((((s64)a * b) >> 32) + d))
TERNARY(mad24_hi_sat, s32, s32, saturated((MUL24(s32, a, b) >> 16) + d))

/* Up to 32 bits the quotient of doubles truncates to the exact one: a / b is at least
 * 1 / b below the next integer, far more than the rounding error. So division vectorises. */
static inline u32 quotient_u(u32 a, u32 b) {
  return b ? (u32)((f64)a / (f64)b) : UINT32_MAX;
}
static inline u32 quotient_s(s32 a, s32 b) {
  return b ? (u32)(s64)((f64)a / (f64)b) : UINT32_MAX;
}
#define X(T, quotient)                                                                             \
  BINARY(div, T, T, quotient(a, b))                                                                \
  BINARY(rem, T, T, b ? (u32)a - quotient(a, b) * (u32)b : (u32)a)
X(u16, quotient_u)
X(u32, quotient_u)
X(s16, quotient_s)
X(s32, quotient_s)
#undef X

static u64 div64_u(u64 a, u64 b) {
  return b ? a / b : UINT64_MAX;
}
static u64 rem64_u(u64 a, u64 b) {
  return b ? a % b : a;
}
static u64 div64_s(u64 a, u64 b) {
  if (b == UINT64_MAX) return 0 - a; /* -1: the most negative number would trap on the host */
  return b ? (u64)((s64)a / (s64)b) : UINT64_MAX;
}
static u64 rem64_s(u64 a, u64 b) {
  if (b == UINT64_MAX) return 0;
  return b ? (u64)((s64)a % (s64)b) : a;
}

#define DIVIDE64(name, function)                                                                   \
  HANDLER(name) {                                                                                  \
    GET_u64(pa, 0);                                                                                \
    GET_u64(pb, 1);                                                                                \
    lane64 r[PTX_LANES] = {0};                                                                     \
    UNUSED_EFFECT;                                                                                 \
    ACTIVE_LANES(m) r[i] = function(pa[i], pb[i]);                                                 \
    ptx_keep64(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }
DIVIDE64(div_u64, div64_u)
DIVIDE64(rem_u64, rem64_u)
DIVIDE64(div_s64, div64_s)
DIVIDE64(rem_s64, rem64_s)

/* Extended precision: sum (or difference) with carry (or borrow) per lane in a predicate.
 * whole: the value computed in a type that holds the carry above the T bits. */
#define CARRY(name, T, WIDE, n_src, first, whole)                                                  \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    GET_##T(pd, first);                                                                            \
    const u32 in = c->op & 1 ? ptx_in_pred(c, w, n_src) : 0;                                       \
    PLANE_##T r[PTX_LANES];                                                                        \
    u32 out = 0;                                                                                   \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i], b = (T)pb[i], d = (T)pd[i];                                            \
      const WIDE carry = (in >> i) & 1, sum = (whole);                                             \
      (void)a, (void)b, (void)d;                                                                   \
      r[i] = STORED_##T(sum);                                                                      \
      out |= (sum >> (8 * sizeof(T))) & 1 ? BIT(i) : 0;                                            \
    }                                                                                              \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    if (c->op & 2) ptx_keep_pred(c, w, 1, out, m);                                                 \
    return true;                                                                                   \
  }
CARRY(add_carry, u32, u64, 2, 1, (u64)a + b + carry)
CARRY(add_carry, u64, u128, 2, 1, (u128)a + b + carry)
CARRY(sub_carry, u32, u64, 2, 1, (u64)a - b - carry)
CARRY(sub_carry, u64, u128, 2, 1, (u128)a - b - carry)
CARRY(mad_lo_carry, u32, u64, 3, 2, (u64)LOW_u32(a, b) + d + carry)
CARRY(mad_lo_carry, u64, u128, 3, 2, (u128)LOW_u64(a, b) + d + carry)
CARRY(mad_hi_carry, u32, u64, 3, 2, (u64)(u32)HIGH(u32, a, b) + d + carry)
CARRY(mad_hi_carry, s32, u64, 3, 2, (u64)(u32)HIGH(s32, a, b) + (u32)d + carry)
CARRY(mad_hi_carry, u64, u128, 3, 2, (u128)(u64)HIGH(u64, a, b) + d + carry)
CARRY(mad_hi_carry, s64, u128, 3, 2, (u128)(u64)HIGH(s64, a, b) + (u64)d + carry)

#define ROW(f)                                                                                     \
  {                                                                                                \
    [PTX_U16] = f##_u16, [PTX_S16] = f##_s16, [PTX_U32] = f##_u32, [PTX_S32] = f##_s32,            \
    [PTX_U64] = f##_u64, [PTX_S64] = f##_s64                                                       \
  }
#define ROW_SIGNED(f)                                                                              \
  { [PTX_S16] = f##_s16, [PTX_S32] = f##_s32, [PTX_S64] = f##_s64 }
#define ROW_NARROW(f)                                                                              \
  { [PTX_U16] = f##_u16, [PTX_S16] = f##_s16, [PTX_U32] = f##_u32, [PTX_S32] = f##_s32 }
#define ROW_32(f)                                                                                  \
  { [PTX_U32] = f##_u32, [PTX_S32] = f##_s32 }
#define ROW_SIGNLESS(f)                                                                            \
  {                                                                                                \
    [PTX_U32] = f##_u32, [PTX_S32] = f##_u32, [PTX_B32] = f##_u32, [PTX_U64] = f##_u64,            \
    [PTX_S64] = f##_u64, [PTX_B64] = f##_u64                                                       \
  }

const ptx_handler_row ptx_int_handlers[PTX_INT_OP_COUNT] = {
    [PTX_INT_ADD] = ROW(add),
    [PTX_INT_SUB] = ROW(sub),
    [PTX_INT_MUL_LO] = ROW(mul_lo),
    [PTX_INT_MUL_HI] = ROW(mul_hi),
    [PTX_INT_MUL_WIDE] = ROW_NARROW(mul_wide),
    [PTX_INT_MAD_LO] = ROW(mad_lo),
    [PTX_INT_MAD_HI] = ROW(mad_hi),
    [PTX_INT_MAD_WIDE] = ROW_NARROW(mad_wide),
    [PTX_INT_MUL24_LO] = ROW_32(mul24_lo),
    [PTX_INT_MUL24_HI] = ROW_32(mul24_hi),
    [PTX_INT_MAD24_LO] = ROW_32(mad24_lo),
    [PTX_INT_MAD24_HI] = ROW_32(mad24_hi),
    [PTX_INT_DIV] = ROW(div),
    [PTX_INT_REM] = ROW(rem),
    [PTX_INT_ABS] = ROW_SIGNED(abs),
    [PTX_INT_NEG] = ROW_SIGNED(neg),
    [PTX_INT_MIN] = ROW(min),
    [PTX_INT_MAX] = ROW(max),
    [PTX_INT_SAD] = ROW(sad),
    [PTX_INT_ADD_SAT] = {[PTX_S32] = add_sat_s32},
    [PTX_INT_SUB_SAT] = {[PTX_S32] = sub_sat_s32},
    [PTX_INT_MAD_HI_SAT] = {[PTX_S32] = mad_hi_sat_s32},
    [PTX_INT_MAD24_HI_SAT] = {[PTX_S32] = mad24_hi_sat_s32},
    [PTX_INT_ADD_CARRY] = ROW_SIGNLESS(add_carry),
    [PTX_INT_SUB_CARRY] = ROW_SIGNLESS(sub_carry),
    [PTX_INT_MAD_LO_CARRY] = ROW_SIGNLESS(mad_lo_carry),
    [PTX_INT_MAD_HI_CARRY] = {[PTX_U32] = mad_hi_carry_u32,
                              [PTX_S32] = mad_hi_carry_s32,
                              [PTX_U64] = mad_hi_carry_u64,
                              [PTX_S64] = mad_hi_carry_s64},
};
