/* Floating-point arithmetic, rounded to nearest even.
 *
 * add, sub, mul, fma, div, rcp and sqrt are exact IEEE results. So are the .approx and .full forms
 * of div, rcp and sqrt here, which PTX allows (it only bounds their error); the same for the
 * other functions: rsqrt is 1 / sqrt, sin, cos, ex2 and lg2 are the host C library's
 * single-precision functions, whose error is below the hardware's. Subnormals are kept unless .ftz
 * is given, also where hardware's approximate functions would flush them. */
#include "sim/ptx/float_lanes.h"
#include "sim/ptx/half.h"
#include "sim/ptx/handlers.h"

#include <math.h>

/* Each operation comes twice: plain, and "modified", which honours ftz and sat. */
#define F32(name, n, expr)                                                                         \
  static inline __attribute__((always_inline)) bool name##_any32(const ptx_code *c, ptx_warp *w,   \
                                                                 u32 m, bool modified) {           \
    const lanef *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, (n) > 1 ? 1 : 0),                        \
                *pd = ptx_in(c, w, (n) > 2 ? 2 : 0);                                               \
    const bool ftz = modified && c->ftz, sat = modified && c->sat;                                 \
    lane32 r[PTX_LANES];                                                                           \
    LANES {                                                                                        \
      const f32 a = ftz ? ptx_flush(pa[i]) : pa[i], b = ftz ? ptx_flush(pb[i]) : pb[i],            \
                d = ftz ? ptx_flush(pd[i]) : pd[i];                                                \
      (void)b, (void)d;                                                                            \
      f32 x = (expr);                                                                              \
      if (ftz) x = ptx_flush(x);                                                                   \
      if (sat) x = ptx_saturate32(x);                                                              \
      r[i] = ptx_result32(x);                                                                      \
    }                                                                                              \
    ptx_keep32(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }                                                                                                \
  HANDLER(name##_f32) {                                                                            \
    UNUSED_EFFECT;                                                                                 \
    return name##_any32(c, w, m, false);                                                           \
  }                                                                                                \
  HANDLER(name##_f32_modified) {                                                                   \
    UNUSED_EFFECT;                                                                                 \
    return name##_any32(c, w, m, true);                                                            \
  }

#define F64(name, n, expr)                                                                         \
  HANDLER(name##_f64) {                                                                            \
    GET_f64(pa, 0);                                                                                \
    GET_f64(pb, (n) > 1 ? 1 : 0);                                                                  \
    GET_f64(pd, (n) > 2 ? 2 : 0);                                                                  \
    lane64 r[PTX_LANES];                                                                           \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const f64 a = pa[i], b = pb[i], d = pd[i];                                                   \
      (void)b, (void)d;                                                                            \
      r[i] = ptx_result64(expr);                                                                   \
    }                                                                                              \
    ptx_keep64(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }

/* The other operand if one is NaN; -0 below +0. */
static inline f32 min32(f32 a, f32 b) {
  f32 tie = ptx_bits_float(ptx_float_bits(a) | ptx_float_bits(b));
  return a < b ? a : b < a ? b : a == b ? tie : a != a ? b : a;
}
static inline f32 max32(f32 a, f32 b) {
  f32 tie = ptx_bits_float(ptx_float_bits(a) & ptx_float_bits(b));
  return a > b ? a : b > a ? b : a == b ? tie : a != a ? b : a;
}
static inline f64 min64(f64 a, f64 b) {
  f64 tie = ptx_bits_double(ptx_double_bits(a) | ptx_double_bits(b));
  return a < b ? a : b < a ? b : a == b ? tie : a != a ? b : a;
}
static inline f64 max64(f64 a, f64 b) {
  f64 tie = ptx_bits_double(ptx_double_bits(a) & ptx_double_bits(b));
  return a > b ? a : b > a ? b : a == b ? tie : a != a ? b : a;
}

F32(add, 2, a + b)
F32(sub, 2, a - b)
F32(mul, 2, a *b)
F32(fma, 3, fmaf(a, b, d))
F32(div, 2, a / b)
F32(rcp, 1, 1 / a)
F32(sqrt, 1, sqrtf(a))
F32(rsqrt, 1, 1 / sqrtf(a))
F32(min, 2, min32(a, b))
F32(max, 2, max32(a, b))
F64(add, 2, a + b)
F64(sub, 2, a - b)
F64(mul, 2, a *b)
F64(fma, 3, fma(a, b, d))
F64(div, 2, a / b)
F64(rcp, 1, 1 / a)
F64(sqrt, 1, sqrt(a))
F64(rsqrt, 1, 1 / sqrt(a))
F64(min, 2, min64(a, b))
F64(max, 2, max64(a, b))

/* rcp and rsqrt .approx.ftz.f64: only the high words of operand and result count, subnormals are
 * zero (PTX ISA). The result is the exact one, cut. */
static inline f64 high_word(f64 x) {
  const u64 bits = ptx_double_bits(x) & ~(u64)UINT32_MAX;
  return ptx_bits_double(bits >> 52 & 2047 ? bits : bits & (u64)1 << 63);
}
F64(rcp_gross, 1, high_word(1 / high_word(a)))
F64(rsqrt_gross, 1, high_word(1 / sqrt(high_word(a))))

ptx_handler *ptx_gross_handler(ptx_float_op op) {
  return op == PTX_FLOAT_RCP ? rcp_gross_f64 : op == PTX_FLOAT_RSQRT ? rsqrt_gross_f64 : NULL;
}

/* Library calls: only for the lanes that need them. */
#define FUNCTION(name, function)                                                                   \
  HANDLER(name##_f32_modified) {                                                                   \
    const lanef *pa = ptx_in(c, w, 0);                                                             \
    lane32 r[PTX_LANES] = {0};                                                                     \
    UNUSED_EFFECT;                                                                                 \
    ACTIVE_LANES(m) {                                                                              \
      f32 x = function(c->ftz ? ptx_flush(pa[i]) : pa[i]);                                         \
      if (c->ftz) x = ptx_flush(x);                                                                \
      r[i] = ptx_result32(x);                                                                      \
    }                                                                                              \
    ptx_keep32(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }
FUNCTION(sin, sinf)
FUNCTION(cos, cosf)
FUNCTION(ex2, exp2f)
FUNCTION(lg2, log2f)
FUNCTION(tanh, tanhf)
#define sin_f32 sin_f32_modified
#define cos_f32 cos_f32_modified
#define ex2_f32 ex2_f32_modified
#define lg2_f32 lg2_f32_modified
#define tanh_f32 tanh_f32_modified

/* .NaN: of a NaN comes a NaN; .xorsign.abs: of the magnitudes, with the product's sign. */
HANDLER(extreme_f32) {
  const lanef *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1);
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  LANES {
    f32 a = c->ftz ? ptx_flush(pa[i]) : pa[i], b = c->ftz ? ptx_flush(pb[i]) : pb[i];
    const u32 sign = (ptx_float_bits(a) ^ ptx_float_bits(b)) & 0x80000000u;
    const bool nan = c->op2 & PTX_HALF_NAN ? a != a || b != b : a != a && b != b;
    const bool signs = c->op2 & PTX_HALF_XORSIGN;
    if (signs) a = fabsf(a), b = fabsf(b);
    const u32 bits = ptx_float_bits(c->op == PTX_FLOAT_MAX ? max32(a, b) : min32(a, b));
    r[i] = nan ? PTX_NAN32 : signs ? bits | sign : bits;
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_extreme_handler(void) {
  return extreme_f32;
}

/* Sign operations act on the bits: a NaN keeps its payload. copysign: sign of a, rest of b. */
#define SIGN32(name, n, expr)                                                                      \
  HANDLER(name##_f32) {                                                                            \
    const lanef *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, (n) > 1 ? 1 : 0);                        \
    lane32 r[PTX_LANES];                                                                           \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const u32 a = ptx_float_bits(c->ftz ? ptx_flush(pa[i]) : pa[i]), b = ptx_float_bits(pb[i]);  \
      (void)b;                                                                                     \
      r[i] = (expr);                                                                               \
    }                                                                                              \
    ptx_keep32(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }
#define SIGN64(name, n, expr)                                                                      \
  HANDLER(name##_f64) {                                                                            \
    GET_u64(pa, 0);                                                                                \
    GET_u64(pb, (n) > 1 ? 1 : 0);                                                                  \
    lane64 r[PTX_LANES];                                                                           \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const u64 a = pa[i], b = pb[i];                                                              \
      (void)b;                                                                                     \
      r[i] = (expr);                                                                               \
    }                                                                                              \
    ptx_keep64(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }
#define TOP32 0x80000000u
#define TOP64 0x8000000000000000u
SIGN32(abs, 1, a & ~TOP32)
SIGN32(neg, 1, a ^ TOP32)
SIGN32(copysign, 2, (a & TOP32) | (b & ~TOP32))
SIGN64(abs, 1, a & ~TOP64)
SIGN64(neg, 1, a ^ TOP64)
SIGN64(copysign, 2, (a & TOP64) | (b & ~TOP64))
#define abs_f32_modified abs_f32
#define neg_f32_modified neg_f32
#define copysign_f32_modified copysign_f32

static bool is_class(int op, int class) {
  switch (op) {
  case 0:
    return class != FP_NAN && class != FP_INFINITE;
  case 1:
    return class == FP_INFINITE;
  case 2:
    return class != FP_NAN;
  case 3:
    return class == FP_NAN;
  case 4:
    return class == FP_NORMAL;
  default:
    return class == FP_SUBNORMAL;
  }
}

#define TESTP(name, T)                                                                             \
  HANDLER(name) {                                                                                  \
    GET_##T(pa, 0);                                                                                \
    u32 p = 0;                                                                                     \
    UNUSED_EFFECT;                                                                                 \
    LANES p |= is_class(c->op, fpclassify(pa[i])) ? BIT(i) : 0;                                    \
    ptx_keep_pred(c, w, 0, p, m);                                                                  \
    return true;                                                                                   \
  }
TESTP(testp_f32, f32)
TESTP(testp_f64, f64)

ptx_handler *ptx_testp_handler(ptx_type type) {
  return type == PTX_F32 ? testp_f32 : type == PTX_F64 ? testp_f64 : NULL;
}

ptx_handler *ptx_float_handler(ptx_float_op op, ptx_type type, bool modified) {
#define BOTH(OP, f) [PTX_FLOAT_##OP] = { {f##_f32, f##_f32_modified}, f##_f64 }
#define ONLY32(OP, f) [PTX_FLOAT_##OP] = {{f##_f32, f##_f32_modified}, NULL}
  static const struct {
    ptx_handler *single[2], *twice;
  } table[PTX_FLOAT_OP_COUNT] = {
      BOTH(ADD, add),           BOTH(SUB, sub),     BOTH(MUL, mul),   BOTH(FMA, fma),
      BOTH(DIV, div),           BOTH(RCP, rcp),     BOTH(SQRT, sqrt), BOTH(RSQRT, rsqrt),
      ONLY32(SIN, sin),         ONLY32(COS, cos),   ONLY32(EX2, ex2), ONLY32(LG2, lg2),
      BOTH(ABS, abs),           BOTH(NEG, neg),     BOTH(MIN, min),   BOTH(MAX, max),
      BOTH(COPYSIGN, copysign), ONLY32(TANH, tanh),
  };
  return type == PTX_F32 ? table[op].single[modified] : type == PTX_F64 ? table[op].twice : NULL;
}
