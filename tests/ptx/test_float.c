/* Floating-point instructions against C, on edge values: NaN, infinities, zeros of both signs,
 * subnormals, and random bits. */
#include <fenv.h>

#include "tests/ptx/float_reference.h"
#include "tests/ptx/lane_harness.h"

#define SINGLE(name, expr)                                                                         \
  static inline void f_##name(const uint64_t *x, uint64_t *r) {                                    \
    const float a = as_float(x[0]), b = as_float(x[1]), c = as_float(x[2]);                        \
    (void)a, (void)b, (void)c;                                                                     \
    r[0] = float_bits(expr);                                                                       \
  }                                                                                                \
  static inline void f_##name##_ftz(const uint64_t *x, uint64_t *r) {                              \
    const float a = flushed(as_float(x[0])), b = flushed(as_float(x[1])),                          \
                c = flushed(as_float(x[2]));                                                       \
    (void)a, (void)b, (void)c;                                                                     \
    r[0] = float_bits(flushed(expr));                                                              \
  }                                                                                                \
  static inline void f_##name##_sat(const uint64_t *x, uint64_t *r) {                              \
    const float a = as_float(x[0]), b = as_float(x[1]), c = as_float(x[2]);                        \
    (void)a, (void)b, (void)c;                                                                     \
    r[0] = float_bits(saturated(expr));                                                            \
  }
#define DOUBLE(name, expr)                                                                         \
  static inline void d_##name(const uint64_t *x, uint64_t *r) {                                    \
    const double a = as_double(x[0]), b = as_double(x[1]), c = as_double(x[2]);                    \
    (void)a, (void)b, (void)c;                                                                     \
    r[0] = double_bits(expr);                                                                      \
  }

/* Zeros are ordered, and a NaN yields to a number. */
static double least(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) ? b : a;
  return a < b || (a == b && signbit(a)) ? a : b;
}
static double most(double a, double b) {
  return -least(-a, -b);
}

SINGLE(add, a + b)
SINGLE(sub, a - b)
SINGLE(mul, a *b)
SINGLE(fma, fmaf(a, b, c))
SINGLE(div, a / b)
SINGLE(rcp, 1 / a)
SINGLE(sqrt, sqrtf(a))
SINGLE(rsqrt, 1 / sqrtf(a))
SINGLE(sin, sinf(a))
SINGLE(cos, cosf(a))
SINGLE(ex2, exp2f(a))
SINGLE(lg2, log2f(a))
SINGLE(min, (float)least(a, b))
SINGLE(max, (float)most(a, b))
DOUBLE(add, a + b)
DOUBLE(sub, a - b)
DOUBLE(mul, a *b)
DOUBLE(fma, fma(a, b, c))
DOUBLE(div, a / b)
DOUBLE(rcp, 1 / a)
DOUBLE(sqrt, sqrt(a))
DOUBLE(rsqrt, 1 / sqrt(a))
DOUBLE(min, least(a, b))
DOUBLE(max, most(a, b))

/* Coarse double forms: high words only, subnormals zero; a NaN stays one. */
static double high_word(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  bits &= 0xffffffff00000000;
  if (!(bits & 0x7ff0000000000000)) bits &= 0x8000000000000000;
  return as_double(bits);
}
DOUBLE(rcp_gross, high_word(1 / high_word(a)))
DOUBLE(rsqrt_gross, high_word(1 / sqrt(high_word(a))))

static void test_arithmetic(void **state) {
  (void)state;
  const lane_case cases[] = {
      {"add.f32 $0, $1, $2;", "w:FF", f_add},
      {"add.rn.f32 $0, $1, $2;", "w:FF", f_add},
      {"add.ftz.f32 $0, $1, $2;", "w:FF", f_add_ftz},
      {"add.sat.f32 $0, $1, $2;", "w:FF", f_add_sat},
      {"sub.f32 $0, $1, $2;", "w:FF", f_sub},
      {"sub.ftz.f32 $0, $1, $2;", "w:FF", f_sub_ftz},
      {"sub.sat.f32 $0, $1, $2;", "w:FF", f_sub_sat},
      {"mul.f32 $0, $1, $2;", "w:FF", f_mul},
      {"mul.rn.ftz.f32 $0, $1, $2;", "w:FF", f_mul_ftz},
      {"mul.sat.f32 $0, $1, $2;", "w:FF", f_mul_sat},
      {"fma.rn.f32 $0, $1, $2, $3;", "w:FFF", f_fma},
      {"mad.rn.f32 $0, $1, $2, $3;", "w:FFF", f_fma},
      {"fma.rn.ftz.f32 $0, $1, $2, $3;", "w:FFF", f_fma_ftz},
      {"fma.rn.sat.f32 $0, $1, $2, $3;", "w:FFF", f_fma_sat},
      {"div.rn.f32 $0, $1, $2;", "w:FF", f_div},
      {"div.rn.ftz.f32 $0, $1, $2;", "w:FF", f_div_ftz},
      {"div.full.f32 $0, $1, $2;", "w:FF", f_div},
      {"div.approx.ftz.f32 $0, $1, $2;", "w:FF", f_div_ftz},
      {"rcp.rn.f32 $0, $1;", "w:F", f_rcp},
      {"rcp.approx.ftz.f32 $0, $1;", "w:F", f_rcp_ftz},
      {"sqrt.rn.f32 $0, $1;", "w:F", f_sqrt},
      {"sqrt.approx.f32 $0, $1;", "w:F", f_sqrt},
      {"sqrt.approx.ftz.f32 $0, $1;", "w:F", f_sqrt_ftz},
      {"rsqrt.approx.f32 $0, $1;", "w:F", f_rsqrt},
      {"rsqrt.approx.ftz.f32 $0, $1;", "w:F", f_rsqrt_ftz},
      {"sin.approx.f32 $0, $1;", "w:F", f_sin},
      {"cos.approx.f32 $0, $1;", "w:F", f_cos},
      {"ex2.approx.f32 $0, $1;", "w:F", f_ex2},
      {"ex2.approx.ftz.f32 $0, $1;", "w:F", f_ex2_ftz},
      {"lg2.approx.f32 $0, $1;", "w:F", f_lg2},
      {"lg2.approx.ftz.f32 $0, $1;", "w:F", f_lg2_ftz},
      {"min.f32 $0, $1, $2;", "w:FF", f_min},
      {"min.ftz.f32 $0, $1, $2;", "w:FF", f_min_ftz},
      {"max.f32 $0, $1, $2;", "w:FF", f_max},
      {"max.ftz.f32 $0, $1, $2;", "w:FF", f_max_ftz},
      {"add.f64 $0, $1, $2;", "d:DD", d_add},
      {"sub.rn.f64 $0, $1, $2;", "d:DD", d_sub},
      {"mul.f64 $0, $1, $2;", "d:DD", d_mul},
      {"fma.rn.f64 $0, $1, $2, $3;", "d:DDD", d_fma},
      {"div.rn.f64 $0, $1, $2;", "d:DD", d_div},
      {"rcp.rn.f64 $0, $1;", "d:D", d_rcp},
      {"sqrt.rn.f64 $0, $1;", "d:D", d_sqrt},
      {"rsqrt.approx.f64 $0, $1;", "d:D", d_rsqrt},
      {"rcp.approx.ftz.f64 $0, $1;", "d:D", d_rcp_gross},
      {"rsqrt.approx.ftz.f64 $0, $1;", "d:D", d_rsqrt_gross},
      {"min.f64 $0, $1, $2;", "d:DD", d_min},
      {"max.f64 $0, $1, $2;", "d:DD", d_max},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- bits of the sign ---- */
#define PLAIN(name, expr)                                                                          \
  static void ref_##name(const uint64_t *x, uint64_t *r) {                                         \
    r[0] = (expr);                                                                                 \
  }
#define TOP 0x80000000u
#define TOP64 ((uint64_t)1 << 63)
static uint64_t raw_flushed(uint64_t x) {
  return x & 0x7f800000 ? x : x & TOP;
}
PLAIN(abs, x[0] & ~(uint64_t)TOP)
PLAIN(abs_ftz, raw_flushed(x[0]) & ~(uint64_t)TOP)
PLAIN(neg, x[0] ^ TOP)
PLAIN(neg_ftz, raw_flushed(x[0]) ^ TOP)
PLAIN(copysign, (x[0] & TOP) | (x[1] & ~(uint64_t)TOP))
PLAIN(abs64, x[0] & ~TOP64)
PLAIN(neg64, x[0] ^ TOP64)
PLAIN(copysign64, (x[0] & TOP64) | (x[1] & ~TOP64))
#define CLASS (fpclassify(as_float(x[0])))
#define CLASS64 (fpclassify(as_double(x[0])))
PLAIN(finite, CLASS != FP_NAN && CLASS != FP_INFINITE)
PLAIN(infinite, CLASS == FP_INFINITE)
PLAIN(number, CLASS != FP_NAN)
PLAIN(notanumber, CLASS == FP_NAN)
PLAIN(normal, CLASS == FP_NORMAL)
PLAIN(subnormal, CLASS == FP_SUBNORMAL)
PLAIN(infinite64, CLASS64 == FP_INFINITE)
PLAIN(subnormal64, CLASS64 == FP_SUBNORMAL)
PLAIN(slct_f32, as_float(x[2]) >= 0 ? x[0] : x[1])
PLAIN(slct_ftz, flushed(as_float(x[2])) >= 0 ? x[0] : x[1])

static void test_signs_and_classes(void **state) {
  (void)state;
  const lane_case cases[] = {
      {"abs.f32 $0, $1;", "w:F", ref_abs},
      {"abs.ftz.f32 $0, $1;", "w:F", ref_abs_ftz},
      {"neg.f32 $0, $1;", "w:F", ref_neg},
      {"neg.ftz.f32 $0, $1;", "w:F", ref_neg_ftz},
      {"copysign.f32 $0, $1, $2;", "w:FF", ref_copysign},
      {"abs.f64 $0, $1;", "d:D", ref_abs64},
      {"neg.f64 $0, $1;", "d:D", ref_neg64},
      {"copysign.f64 $0, $1, $2;", "d:DD", ref_copysign64},
      {"testp.finite.f32 $0, $1;", "p:F", ref_finite},
      {"testp.infinite.f32 $0, $1;", "p:F", ref_infinite},
      {"testp.number.f32 $0, $1;", "p:F", ref_number},
      {"testp.notanumber.f32 $0, $1;", "p:F", ref_notanumber},
      {"testp.normal.f32 $0, $1;", "p:F", ref_normal},
      {"testp.subnormal.f32 $0, $1;", "p:F", ref_subnormal},
      {"testp.infinite.f64 $0, $1;", "p:D", ref_infinite64},
      {"testp.subnormal.f64 $0, $1;", "p:D", ref_subnormal64},
      {"slct.b32.f32 $0, $1, $2, $3;", "w:wwF", ref_slct_f32},
      {"slct.f64.f32 $0, $1, $2, $3;", "d:ddF", ref_slct_f32},
      {"slct.ftz.s32.f32 $0, $1, $2, $3;", "w:wwF", ref_slct_ftz},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- directed rounding: the host does it, told by fesetround() ---- */
#define ROUNDED(name, mode, expr)                                                                  \
  static inline void f_##name(const uint64_t *x, uint64_t *r) {                                    \
    volatile float a = as_float(x[0]), b = as_float(x[1]), c = as_float(x[2]), y;                  \
    (void)a, (void)b, (void)c;                                                                     \
    fesetround(mode);                                                                              \
    y = (expr);                                                                                    \
    fesetround(FE_TONEAREST);                                                                      \
    r[0] = float_bits(y);                                                                          \
  }                                                                                                \
  static inline void d_##name(const uint64_t *x, uint64_t *r) {                                    \
    volatile double a = as_double(x[0]), b = as_double(x[1]), c = as_double(x[2]), y;              \
    (void)a, (void)b, (void)c;                                                                     \
    fesetround(mode);                                                                              \
    y = (expr);                                                                                    \
    fesetround(FE_TONEAREST);                                                                      \
    r[0] = double_bits(y);                                                                         \
  }
ROUNDED(add_rz, FE_TOWARDZERO, a + b)
ROUNDED(sub_rp, FE_UPWARD, a - b)
ROUNDED(mul_rm, FE_DOWNWARD, a *b)
ROUNDED(div_rz, FE_TOWARDZERO, a / b)
ROUNDED(rcp_rp, FE_UPWARD, 1 / a)
static void f_fma_rm(const uint64_t *x, uint64_t *r) {
  volatile float a = as_float(x[0]), b = as_float(x[1]), c = as_float(x[2]), y;
  fesetround(FE_DOWNWARD);
  y = fmaf(a, b, c);
  fesetround(FE_TONEAREST);
  r[0] = float_bits(y);
}
static void f_sqrt_rp(const uint64_t *x, uint64_t *r) {
  volatile float a = as_float(x[0]), y;
  fesetround(FE_UPWARD);
  y = sqrtf(a);
  fesetround(FE_TONEAREST);
  r[0] = float_bits(y);
}

static void test_directed_rounding(void **state) {
  (void)state;
  const lane_case cases[] = {
      {"add.rz.f32 $0, $1, $2;", "w:FF", f_add_rz},
      {"sub.rp.f32 $0, $1, $2;", "w:FF", f_sub_rp},
      {"mul.rm.f32 $0, $1, $2;", "w:FF", f_mul_rm},
      {"div.rz.f32 $0, $1, $2;", "w:FF", f_div_rz},
      {"rcp.rp.f32 $0, $1;", "w:F", f_rcp_rp},
      {"sqrt.rp.f32 $0, $1;", "w:F", f_sqrt_rp},
      {"fma.rm.f32 $0, $1, $2, $3;", "w:FFF", f_fma_rm},
      {"add.rz.f64 $0, $1, $2;", "d:DD", d_add_rz},
      {"sub.rp.f64 $0, $1, $2;", "d:DD", d_sub_rp},
      {"mul.rm.f64 $0, $1, $2;", "d:DD", d_mul_rm},
      {"div.rz.f64 $0, $1, $2;", "d:DD", d_div_rz},
      {"rcp.rp.f64 $0, $1;", "d:D", d_rcp_rp},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
  assert_int_equal(fegetround(), FE_TONEAREST);
  /* One known value each way, so that a mode ignored by host and reference alike would show. */
  uint64_t up = 0, nearest = 0;
  const uint64_t seventh[] = {0x3f800000, 0x40e00000, 0};
  f_div_rz(seventh, &up);
  f_div(seventh, &nearest);
  assert_int_equal(up, 0x3e124924);
  assert_int_equal(nearest, 0x3e124925);
}

/* ---- comparisons ---- */
#define UNORDERED (isnan(a) || isnan(b))
#define COMPARE(name, expr)                                                                        \
  static inline void f_##name(const uint64_t *x, uint64_t *r) {                                    \
    const float a = as_float(x[0]), b = as_float(x[1]);                                            \
    r[0] = (expr);                                                                                 \
  }                                                                                                \
  static inline void d_##name(const uint64_t *x, uint64_t *r) {                                    \
    const double a = as_double(x[0]), b = as_double(x[1]);                                         \
    r[0] = (expr);                                                                                 \
  }                                                                                                \
  static inline void f_##name##_ftz_or(const uint64_t *x, uint64_t *r) {                           \
    const float a = flushed(as_float(x[0])), b = flushed(as_float(x[1]));                          \
    r[0] = (expr) || x[2];                                                                         \
    r[1] = !(expr) || x[2];                                                                        \
  }                                                                                                \
  static inline void f_##name##_set(const uint64_t *x, uint64_t *r) {                              \
    const float a = as_float(x[0]), b = as_float(x[1]);                                            \
    r[0] = (expr) ? 0x3f800000 : 0;                                                                \
  }
COMPARE(eq, !UNORDERED && a == b)
COMPARE(ne, !UNORDERED && a != b)
COMPARE(lt, !UNORDERED && a < b)
COMPARE(le, !UNORDERED && a <= b)
COMPARE(gt, !UNORDERED && a > b)
COMPARE(ge, !UNORDERED && a >= b)
COMPARE(equ, UNORDERED || a == b)
COMPARE(neu, UNORDERED || a != b)
COMPARE(ltu, UNORDERED || a < b)
COMPARE(leu, UNORDERED || a <= b)
COMPARE(gtu, UNORDERED || a > b)
COMPARE(geu, UNORDERED || a >= b)
COMPARE(num, !UNORDERED)
COMPARE(nan, UNORDERED)

#define COMPARED(name)                                                                             \
  {"setp." #name ".f32 $0, $1, $2;", "p:FF", f_##name},                                            \
      {"setp." #name ".f64 $0, $1, $2;", "p:DD", d_##name},                                        \
      {"setp." #name ".or.ftz.f32 $0|$1, $2, $3, $4;", "pp:FFp", f_##name##_ftz_or}, {             \
    "set." #name ".f32.f32 $0, $1, $2;", "w:FF", f_##name##_set                                    \
  }

static void test_compare(void **state) {
  (void)state;
  const lane_case cases[] = {COMPARED(eq),  COMPARED(ne),  COMPARED(lt),  COMPARED(le),
                             COMPARED(gt),  COMPARED(ge),  COMPARED(equ), COMPARED(neu),
                             COMPARED(ltu), COMPARED(leu), COMPARED(gtu), COMPARED(geu),
                             COMPARED(num), COMPARED(nan)};
  check_cases(cases, sizeof cases / sizeof *cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_signs_and_classes),
      cmocka_unit_test(test_directed_rounding),
      cmocka_unit_test(test_compare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
