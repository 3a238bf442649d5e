/* cvt between all integer types, f32 and f64, and between f16 and f32.
 *
 * Integers go through 64-bit lanes: read with the source type's extension, clamped where the
 * instruction saturates, cut to the destination type, extended again to the destination register.
 * Float to integer always clamps to the destination's range; a NaN becomes 0 if neither side has 64
 * bits, else the destination's top bit alone (PTX ISA, cvt). */
#include "sim/ptx/exec_round.h"
#include "sim/ptx/float_lanes.h"
#include "sim/ptx/handlers.h"

#include <math.h>

/* ---- integers in and out of 64-bit lanes ---- */
#define READ(T)                                                                                    \
  if (wide)                                                                                        \
    LANES out[i] = (u64)(T)p64[i];                                                                 \
  else                                                                                             \
    LANES out[i] = (u64)(T)p32[i];                                                                 \
  break

static void read_ints(const ptx_code *c, const ptx_warp *w, lane64 out[PTX_LANES]) {
  const bool wide = c->src[0].wide;
  lane64 both[PTX_LANES];
  const lane64 *p64 = wide ? ptx_in_wide(c, w, 0, both) : both;
  const lane32 *p32 = ptx_in(c, w, 0);
  switch (c->type2) {
  case PTX_U8:
    READ(u8);
  case PTX_S8:
    READ(s8);
  case PTX_U16:
    READ(u16);
  case PTX_S16:
    READ(s16);
  case PTX_U32:
    READ(u32);
  case PTX_S32:
    READ(s32);
  default:
    LANES out[i] = p64[i];
  }
}

#define CUT(T)                                                                                     \
  LANES v[i] = (u64)(T)v[i];                                                                       \
  break

/* Cuts to the destination type and writes the register, extended to its width. */
static void write_ints(const ptx_code *c, ptx_warp *w, u32 m, lane64 v[PTX_LANES]) {
  switch (c->type) {
  case PTX_U8:
    CUT(u8);
  case PTX_S8:
    CUT(s8);
  case PTX_U16:
    CUT(u16);
  case PTX_S16:
    CUT(s16);
  case PTX_U32:
    CUT(u32);
  case PTX_S32:
    CUT(s32);
  default:
    break;
  }
  if (c->dst[0].bytes == 8) {
    ptx_keep64(ptx_out(c, w, 0), v, m);
    return;
  }
  const u32 mask = c->dst[0].bytes == 4 ? UINT32_MAX : 0xffff;
  lane32 r[PTX_LANES];
  LANES r[i] = (u32)v[i] & mask;
  ptx_keep32(ptx_out(c, w, 0), r, m);
}

static unsigned type_bits(unsigned type) {
  return 8 * ptx_type_bytes((ptx_type)type);
}
static bool is_signed(unsigned type) {
  return ptx_type_kind((ptx_type)type) == 's';
}
static u64 type_max(unsigned type) {
  return UINT64_MAX >> (64 - type_bits(type) + is_signed(type));
}

static void clamp_ints(const ptx_code *c, lane64 v[PTX_LANES]) {
  const u64 max = type_max(c->type);
  if (!is_signed(c->type2)) {
    LANES v[i] = v[i] > max ? max : v[i];
    return;
  }
  const s64 high = max > INT64_MAX ? INT64_MAX : (s64)max;
  const s64 low = is_signed(c->type) ? -high - 1 : 0;
  LANES v[i] = (u64)((s64)v[i] > high ? high : (s64)v[i] < low ? low : (s64)v[i]);
}

HANDLER(int_to_int) {
  lane64 v[PTX_LANES];
  UNUSED_EFFECT;
  read_ints(c, w, v);
  if (c->sat) clamp_ints(c, v);
  write_ints(c, w, m, v);
  return true;
}

/* The frequent ones. */
#define DIRECT(name, T, RT, expr)                                                                  \
  HANDLER(name) {                                                                                  \
    GET_##T(pa, 0);                                                                                \
    RT r[PTX_LANES];                                                                               \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i];                                                                        \
      r[i] = (expr);                                                                               \
    }                                                                                              \
    (sizeof(RT) == 8 ? ptx_keep64 : ptx_keep32)(ptx_out(c, w, 0), r, m);                           \
    return true;                                                                                   \
  }
DIRECT(widen_u32, u32, lane64, a)
DIRECT(widen_s32, s32, lane64, (u64)(s64)a)
DIRECT(narrow_64, u64, lane32, (u32)a)
DIRECT(s32_to_f32, s32, lane32, ptx_float_bits((f32)a))
DIRECT(u32_to_f32, u32, lane32, ptx_float_bits((f32)a))
DIRECT(s32_to_f64, s32, lane64, ptx_double_bits((f64)a))
DIRECT(u32_to_f64, u32, lane64, ptx_double_bits((f64)a))
DIRECT(f32_to_f64, f32, lane64, ptx_result64((f64)(c->ftz ? ptx_flush(a) : a)))
DIRECT(f32_to_s32_rz, f32, lane32,
       (u32)(a >= 0x1p31f   ? INT32_MAX
             : a > -0x1p31f ? (s32)a
             : a == a       ? INT32_MIN
                            : 0))

HANDLER(int_to_float) {
  u64 v[PTX_LANES], bits[PTX_LANES];
  const bool from_signed = is_signed(c->type2), to_double = c->type == PTX_F64;
  UNUSED_EFFECT;
  read_ints(c, w, v);
  ptx_round_ints(v, from_signed, to_double, c->rounding, bits);
  if (to_double) {
    if (c->sat) LANES bits[i] = ptx_double_bits(ptx_saturate64(ptx_bits_double(bits[i])));
    ptx_keep64(ptx_out(c, w, 0), bits, m);
    return true;
  }
  lane32 r[PTX_LANES];
  LANES {
    const f32 x = ptx_bits_float((u32)bits[i]);
    r[i] = ptx_float_bits(c->sat ? ptx_saturate32(x) : x);
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

/* ---- floats, as doubles ---- */
static void read_floats(const ptx_code *c, const ptx_warp *w, laned out[PTX_LANES]) {
  const lanef *p32 = ptx_in(c, w, 0);
  if (c->type2 == PTX_F64) {
    GET_f64(p64, 0);
    LANES out[i] = p64[i];
  } else {
    LANES out[i] = c->ftz ? ptx_flush(p32[i]) : p32[i];
  }
}

static void round_to_integers(unsigned rounding, laned v[PTX_LANES]) {
  switch (rounding) {
  case PTX_ROUND_RNI:
    LANES v[i] = rint(v[i]);
    break;
  case PTX_ROUND_RZI:
    LANES v[i] = trunc(v[i]);
    break;
  case PTX_ROUND_RMI:
    LANES v[i] = floor(v[i]);
    break;
  case PTX_ROUND_RPI:
    LANES v[i] = ceil(v[i]);
    break;
  default:
    break;
  }
}

HANDLER(float_to_int) {
  laned x[PTX_LANES];
  lane64 v[PTX_LANES];
  UNUSED_EFFECT;
  read_floats(c, w, x);
  round_to_integers(c->rounding, x);
  const u64 max = type_max(c->type), min = is_signed(c->type) ? ~max : 0;
  const f64 high = (f64)max, low = is_signed(c->type) ? -(f64)max - 1 : 0; /* exact to 53 bits */
  const u64 nan =
      c->type2 == PTX_F64 || type_bits(c->type) == 64 ? (u64)1 << (type_bits(c->type) - 1) : 0;
  if (is_signed(c->type))
    LANES v[i] = x[i] >= high ? max : x[i] > low ? (u64)(s64)x[i] : x[i] == x[i] ? min : nan;
  else
    LANES v[i] = x[i] >= high ? max : x[i] > low ? (u64)x[i] : x[i] == x[i] ? min : nan;
  write_ints(c, w, m, v);
  return true;
}

HANDLER(float_to_f64) {
  laned x[PTX_LANES];
  lane64 r[PTX_LANES];
  UNUSED_EFFECT;
  read_floats(c, w, x);
  round_to_integers(c->rounding, x);
  LANES r[i] = ptx_result64(c->sat ? ptx_saturate64(x[i]) : x[i]);
  ptx_keep64(ptx_out(c, w, 0), r, m);
  return true;
}

HANDLER(float_to_f32) {
  laned x[PTX_LANES];
  lanef narrow[PTX_LANES];
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  read_floats(c, w, x);
  round_to_integers(c->rounding, x);
  if (c->type2 == PTX_F64 && c->rounding != PTX_ROUND_RN && c->rounding < PTX_ROUND_RNI)
    ptx_round_doubles(x, c->rounding, narrow);
  else
    LANES narrow[i] = (f32)x[i];
  LANES {
    f32 y = narrow[i];
    if (c->ftz) y = ptx_flush(y);
    r[i] = ptx_result32(c->sat ? ptx_saturate32(y) : y);
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

static ptx_handler *int_handler(const ptx_code *c) {
  const unsigned to = type_bits(c->type), from = type_bits(c->type2), reg = c->dst[0].bytes;
  if (c->rounding != PTX_ROUND_NONE) return NULL;
  if (c->sat) return int_to_int;
  if (to == 64 && c->type2 == PTX_U32 && !c->src[0].wide) return widen_u32;
  if (to == 64 && c->type2 == PTX_S32 && !c->src[0].wide) return widen_s32;
  if (to == 32 && from == 64 && reg == 4) return narrow_64;
  return int_to_int;
}

static ptx_handler *to_float_handler(const ptx_code *c) {
  if (c->rounding < PTX_ROUND_RN || c->rounding > PTX_ROUND_RP) return NULL;
  if (c->rounding == PTX_ROUND_RN && !c->sat && !c->src[0].wide) {
    if (c->type2 == PTX_S32) return c->type == PTX_F32 ? s32_to_f32 : s32_to_f64;
    if (c->type2 == PTX_U32) return c->type == PTX_F32 ? u32_to_f32 : u32_to_f64;
  }
  return int_to_float;
}

static ptx_handler *float_handler(const ptx_code *c) {
  const bool integral = c->rounding >= PTX_ROUND_RNI;
  if (c->type == PTX_F64) {
    if (c->rounding && (!integral || c->type2 != PTX_F64)) return NULL;
    return c->type2 == PTX_F32 && !c->sat ? f32_to_f64 : float_to_f64;
  }
  /* Narrowing needs a rounding; the same width takes only roundings to integers. */
  if (c->type2 == PTX_F64 ? !c->rounding || integral : c->rounding && !integral) return NULL;
  return float_to_f32;
}

ptx_handler *ptx_cvt_handler(const ptx_code *c) {
  const bool to_float = ptx_type_kind((ptx_type)c->type) == 'f';
  const bool from_float = ptx_type_kind((ptx_type)c->type2) == 'f';
  if (!from_float) return to_float ? to_float_handler(c) : int_handler(c);
  if (to_float) return float_handler(c);
  if (c->rounding < PTX_ROUND_RNI) return NULL;
  return c->type == PTX_S32 && c->type2 == PTX_F32 && c->rounding == PTX_ROUND_RZI && !c->ftz &&
                 c->dst[0].bytes == 4
             ? f32_to_s32_rz
             : float_to_int;
}
