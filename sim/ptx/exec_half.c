/* f16 and bf16, single and in pairs, and tf32: values are computed in double and rounded once. */
#include <math.h>

#include "sim/ptx/float_lanes.h"
#include "sim/ptx/half.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

/* ---- formats ---- */

typedef struct format {
  int precision, least, most; /* bits with the hidden one; exponents of normal values */
  int shift;                  /* of the sign, exponent and fraction within the stored word */
  u32 nan;
} format;

static const format formats[] = {
    [PTX_HALF_F16] = {11, -14, 15, 0, 0x7fff},
    [PTX_HALF_BF16] = {8, -126, 127, 0, 0x7fff},
    [PTX_HALF_TF32] = {11, -126, 127, 13, 0x7fffffff},
};

static f64 value_of(const format *f, u32 bits) {
  const int fraction_bits = f->precision - 1;
  const u32 width = f->most == 15 ? 5 : 8, all = (1u << width) - 1;
  bits >>= f->shift;
  const u32 exponent = bits >> fraction_bits & all, fraction = bits & ((1u << fraction_bits) - 1);
  const bool negative = bits >> (fraction_bits + (int)width) & 1;
  f64 x = exponent == all ? (fraction ? (f64)NAN : (f64)INFINITY)
          : exponent      ? ldexp((f64)(fraction | 1u << fraction_bits),
                                  (int)exponent - f->most - fraction_bits)
                          : ldexp((f64)fraction, f->least - fraction_bits);
  return negative ? -x : x;
}

/* The multiple of 2^unit that x rounds to; x below 2^53 units. */
static f64 round_units(f64 x, int unit, ptx_rounding rounding) {
  const f64 n = ldexp(x, -unit);
  switch (rounding) {
  case PTX_ROUND_RZ:
    return trunc(n);
  case PTX_ROUND_RM:
    return floor(n);
  case PTX_ROUND_RP:
    return ceil(n);
  case PTX_ROUND_RNA:
    return round(n);
  default:
    return rint(n);
  }
}

static u32 bits_of(const format *f, f64 x, ptx_rounding rounding) {
  const int fraction_bits = f->precision - 1;
  const u32 width = f->most == 15 ? 5 : 8;
  const u32 sign = signbit(x) ? 1u << (fraction_bits + (int)width) : 0;
  const u32 infinity = ((1u << width) - 1) << fraction_bits;
  if (x != x) return f->nan;
  if (isinf(x)) return (sign | infinity) << f->shift;
  if (x == 0) return sign << f->shift;
  int exponent = ilogb(x);
  if (exponent < f->least) exponent = f->least;
  const f64 units = fabs(round_units(x, exponent - fraction_bits, rounding));
  u32 bits = 0;
  /* Exponent and fraction are one number: a carry out of the fraction is right as it stands. */
  if (exponent <= f->most) bits = ((u32)(exponent - f->least) << fraction_bits) + (u32)units;
  if (exponent > f->most || bits >= infinity) {
    const bool stays = rounding == PTX_ROUND_RZ || (rounding == PTX_ROUND_RM && !sign) ||
                       (rounding == PTX_ROUND_RP && sign);
    bits = infinity - stays;
  }
  return (sign | bits) << f->shift;
}

f64 ptx_half_value(ptx_half kind, u32 bits) {
  return value_of(&formats[kind], bits);
}

u32 ptx_half_bits(ptx_half kind, f64 x, ptx_rounding rounding) {
  return bits_of(&formats[kind], x, rounding);
}

/* a + b, with its last bit odd where it is not exact: rounding that to half as many bits is as
 * rounding the sum itself. */
f64 ptx_sum_to_odd(f64 a, f64 b) {
  const f64 sum = a + b;
  if (!isfinite(sum)) return sum;
  const f64 part = sum - a, error = (a - (sum - part)) + (b - part);
  u64 bits = ptx_double_bits(sum);
  if (error == 0 || bits & 1) return sum;
  return ptx_bits_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* ---- arithmetic ---- */

static f64 lesser(f64 a, f64 b, bool greater) {
  if (a == b) return !signbit(a) == greater ? a : b; /* -0 is below +0 */
  return (a < b) != greater ? a : b;
}

static f64 extreme(const ptx_code *c, f64 a, f64 b) {
  const bool greater = c->op == PTX_FLOAT_MAX;
  if (a != a || b != b)
    return c->op2 & PTX_HALF_NAN || (a != a && b != b) ? (f64)NAN : a != a ? b : a;
  if (!(c->op2 & PTX_HALF_XORSIGN)) return lesser(a, b, greater);
  const f64 r = lesser(fabs(a), fabs(b), greater);
  return !signbit(a) != !signbit(b) ? -r : r;
}

static f64 flushed(const ptx_code *c, ptx_half kind, f64 x) {
  return c->ftz && fabs(x) < (kind == PTX_HALF_F16 ? 0x1p-14 : 0x1p-126) ? copysign(0, x) : x;
}

static u32 compute(const ptx_code *c, ptx_half kind, const u32 x[3]) {
  f64 v[3] = {0};
  for (int k = 0; k < c->n_src; k++) v[k] = flushed(c, kind, ptx_half_value(kind, x[k]));
  f64 r;
  switch (c->op) {
  case PTX_FLOAT_ADD:
    r = ptx_sum_to_odd(v[0], v[1]);
    break;
  case PTX_FLOAT_SUB:
    r = ptx_sum_to_odd(v[0], -v[1]);
    break;
  case PTX_FLOAT_MUL:
    r = v[0] * v[1];
    break;
  case PTX_FLOAT_FMA:
    r = ptx_sum_to_odd(v[0] * v[1], v[2]);
    break;
  case PTX_FLOAT_ABS: /* of the bits: NaN keeps its own */
    return c->ftz && v[0] == 0 ? 0 : x[0] & 0x7fff;
  case PTX_FLOAT_NEG:
    return (c->ftz && v[0] == 0 ? x[0] & 0x8000 : x[0]) ^ 0x8000;
  case PTX_FLOAT_EX2:
    r = exp2(v[0]);
    break;
  case PTX_FLOAT_TANH:
    r = tanh(v[0]);
    break;
  default:
    r = extreme(c, v[0], v[1]);
    break;
  }
  if (c->op2 & PTX_HALF_RELU) r = r != r ? r : r > 0 ? r : 0;
  if (c->sat) r = ptx_saturate64(r);
  u32 bits = ptx_half_bits(kind, r, PTX_ROUND_RN);
  if (c->ftz && !(bits & (kind == PTX_HALF_F16 ? 0x7c00 : 0x7f80))) bits &= 0x8000;
  return bits;
}

static ptx_half kind_of(unsigned type) {
  return type == PTX_F16 || type == PTX_F16X2 ? PTX_HALF_F16 : PTX_HALF_BF16;
}

HANDLER(half) {
  const ptx_half kind = kind_of(c->type);
  const bool pair = c->type == PTX_F16X2 || c->type == PTX_BF16X2;
  const lane32 *p[3];
  lane32 r[PTX_LANES] = {0};
  UNUSED_EFFECT;
  for (int k = 0; k < c->n_src; k++) p[k] = ptx_in(c, w, k);
  ACTIVE_LANES(m) {
    for (u32 part = 0; part < (pair ? 32 : 16); part += 16) {
      u32 x[3] = {0};
      for (int k = 0; k < c->n_src; k++) x[k] = p[k][i] >> part & 0xffff;
      r[i] |= compute(c, kind, x) << part;
    }
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_half_handler(void) {
  return half;
}

/* ---- comparison ---- */

static bool compare(ptx_compare op, f64 a, f64 b) {
  const bool nan = a != a || b != b;
  switch (op) {
  case PTX_EQ:
    return a == b;
  case PTX_NE:
    return !nan && a != b;
  case PTX_LT:
    return a < b;
  case PTX_LE:
    return a <= b;
  case PTX_GT:
    return a > b;
  case PTX_GE:
    return a >= b;
  case PTX_NUM:
    return !nan;
  case PTX_NAN:
    return nan;
  default:
    return nan || compare((ptx_compare)(op - PTX_EQU + PTX_EQ), a, b);
  }
}

static bool combined(const ptx_code *c, bool t, bool with) {
  switch (c->op2) {
  case PTX_BOOL_AND:
    return t && with;
  case PTX_BOOL_OR:
    return t || with;
  case PTX_BOOL_XOR:
    return t != with;
  default:
    return t;
  }
}

/* One type: p, and its opposite in the second destination; pairs: a predicate for each. */
HANDLER(half_setp) {
  const ptx_half kind = kind_of(c->type);
  const bool pair = c->type == PTX_F16X2 || c->type == PTX_BF16X2;
  const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1);
  const u32 with = c->op2 != PTX_BOOL_NONE ? ptx_in_pred(c, w, 2) : 0;
  u32 result[2] = {0};
  UNUSED_EFFECT;
  ACTIVE_LANES(m) {
    for (u32 k = 0; k < 2; k++) {
      const u32 part = pair ? 16 * k : 0;
      bool t = compare((ptx_compare)c->op,
                       flushed(c, kind, ptx_half_value(kind, pa[i] >> part & 0xffff)),
                       flushed(c, kind, ptx_half_value(kind, pb[i] >> part & 0xffff)));
      if (!pair && k) t = !t;
      result[k] |= combined(c, t, with >> i & 1) ? BIT(i) : 0;
    }
  }
  for (int k = 0; k < c->n_dst; k++) ptx_keep_pred(c, w, k, result[k], m);
  return true;
}

ptx_handler *ptx_half_setp_handler(void) {
  return half_setp;
}

/* ---- conversion ---- */

/* A source as a double; of 64-bit integers the last bit is odd where it is not exact. */
static f64 read_one(const ptx_code *c, const ptx_warp *w, u32 i) {
  const ptx_source *s = &c->src[0];
  const lane32 *p = ptx_in(c, w, 0);
  const u32 low = s->wide && s->kind != PTX_SOURCE_REG ? (u32)((const lane64 *)s->plane)[i] : p[i];
  u64 all = low;
  if (s->wide)
    all = s->kind == PTX_SOURCE_REG ? (u64)p[i + PTX_LANES] << 32 | low
                                    : ((const lane64 *)s->plane)[i];
  switch (c->type2) {
  case PTX_F16:
    return ptx_half_value(PTX_HALF_F16, low & 0xffff);
  case PTX_BF16:
    return ptx_half_value(PTX_HALF_BF16, low & 0xffff);
  case PTX_F32:
    return (f64)(c->ftz ? ptx_flush(ptx_bits_float(low)) : ptx_bits_float(low));
  case PTX_F64:
    return ptx_bits_double(all);
  case PTX_U8:
    return (u8)low;
  case PTX_S8:
    return (s8)low;
  case PTX_U16:
    return (u16)low;
  case PTX_S16:
    return (s16)low;
  case PTX_U32:
    return low;
  case PTX_S32:
    return (s32)low;
  case PTX_U64: /* the halves are exact */
    return ptx_sum_to_odd((f64)(all >> 32) * 0x1p32, (f64)(u32)all);
  default:
    return ptx_sum_to_odd((f64)((s64)all >> 32) * 0x1p32, (f64)(u32)all);
  }
}

static f64 to_integer(unsigned rounding, f64 x) {
  switch (rounding) {
  case PTX_ROUND_RNI:
    return rint(x);
  case PTX_ROUND_RZI:
    return trunc(x);
  case PTX_ROUND_RMI:
    return floor(x);
  case PTX_ROUND_RPI:
    return ceil(x);
  default:
    return x;
  }
}

/* Clamped; NaN gives 0, or the top bit of 64. */
static u64 integer_of(unsigned type, f64 x) {
  const u32 bits = 8 * ptx_type_bytes((ptx_type)type);
  const bool is_signed = ptx_type_kind((ptx_type)type) == 's';
  const u64 max = UINT64_MAX >> (64 - bits + is_signed), min = is_signed ? ~max : 0;
  if (x != x) return bits == 64 ? (u64)1 << 63 : 0;
  if (x >= (f64)max) return max;
  if (is_signed) return x <= -(f64)max - 1 ? min : (u64)(s64)x;
  return x <= 0 ? 0 : (u64)x;
}

static u64 write_one(const ptx_code *c, f64 x) {
  const ptx_rounding rounding = (ptx_rounding)c->rounding;
  if (c->op2 & PTX_HALF_RELU) x = x != x ? x : x > 0 ? x : 0;
  if (c->sat) x = ptx_saturate64(x);
  switch (c->type) {
  case PTX_F16:
    return ptx_half_bits(PTX_HALF_F16, x, rounding);
  case PTX_BF16:
    return ptx_half_bits(PTX_HALF_BF16, x, rounding);
  case PTX_TF32:
    return ptx_half_bits(PTX_HALF_TF32, x, rounding);
  case PTX_F32: { /* exact: from f16 or bf16 */
    const f32 y = (f32)x;
    return ptx_result32(c->ftz ? ptx_flush(y) : y);
  }
  case PTX_F64:
    return ptx_result64(x);
  default:
    return integer_of(c->type, x);
  }
}

HANDLER(half_cvt) {
  lane32 r[PTX_LANES] = {0};
  lane64 wide[PTX_LANES] = {0};
  UNUSED_EFFECT;
  ACTIVE_LANES(m) {
    wide[i] = write_one(c, to_integer(c->rounding, read_one(c, w, i)));
    if (c->type == PTX_S8 || c->type == PTX_S16)
      wide[i] &= c->dst[0].bytes == 2 ? 0xffff : UINT32_MAX;
    r[i] = (u32)wide[i];
  }
  if (c->dst[0].bytes == 8)
    ptx_keep64(ptx_out(c, w, 0), wide, m);
  else
    ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

/* d, a, b: a to the upper half. */
HANDLER(half_pack) {
  const lanef *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1);
  lane32 r[PTX_LANES] = {0};
  UNUSED_EFFECT;
  ACTIVE_LANES(m) {
    ptx_code one = *c;
    one.type = (u8)(c->type == PTX_F16X2 ? PTX_F16 : PTX_BF16);
    r[i] = (u32)write_one(&one, (f64)pa[i]) << 16 | (u32)write_one(&one, (f64)pb[i]);
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_half_cvt_handler(bool pack) {
  return pack ? half_pack : half_cvt;
}
