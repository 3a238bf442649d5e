/* f16, bf16, their pairs and tf32 against arithmetic of 113 bits, rounded once. */
#include <math.h>

#include "tests/ptx/float_reference.h"
#include "tests/ptx/lane_harness.h"

typedef __float128 quad;

static quad value16(uint64_t bits, int width) { /* width of the exponent: 5 f16, 8 bf16 */
  const int fraction = 15 - width, most = (1 << width) - 1;
  const int exponent = (int)(bits >> fraction) & most;
  const int part = (int)(bits & ((1u << fraction) - 1));
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == most) return part ? (quad)NAN : sign * (quad)INFINITY;
  const double units = exponent ? part + (1 << fraction) : part;
  return sign * ldexp(units, (exponent ? exponent : 1) - most / 2 - fraction);
}

/* By search: the two neighbours, and which is nearer; the even one of equals. */
static uint64_t bits16(quad x, int width) {
  const uint64_t infinity = width == 5 ? 0x7c00 : 0x7f80, sign = signbit((double)x) ? 0x8000 : 0;
  uint64_t low = 0, high = infinity;
  if (x != x) return 0x7fff;
  if (x < 0) x = -x;
  /* The infinity's place is that of the number which would follow. */
  const quad last = value16(infinity - 1, width),
             top = last + (last - value16(infinity - 2, width));
  if (x >= top) return sign | infinity;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    if (value16(middle, width) <= x)
      low = middle;
    else
      high = middle;
  }
  const quad below = x - value16(low, width),
             above = (high == infinity ? top : value16(high, width)) - x;
  return sign | (below < above || (below == above && !(low & 1)) ? low : high);
}

/* A number that is far below the other counts as a crumb of its sign: 113 bits do not hold both. */
static quad sum(quad a, quad b) {
  const quad x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  if (x > y && y > 0 && !isinf((double)x) && y < x * 0x1p-70) b = (b < 0 ? -1 : 1) * x * 0x1p-70;
  if (y > x && x > 0 && !isinf((double)y) && x < y * 0x1p-70) a = (a < 0 ? -1 : 1) * y * 0x1p-70;
  return a + b;
}

static quad pick(quad a, quad b, bool greater, bool nan) {
  if (a != a || b != b) return nan || (a != a && b != b) ? (quad)NAN : a != a ? b : a;
  if (a == 0 && b == 0) return (signbit((double)a) != 0) != greater ? a : b;
  return (a < b) != greater ? a : b;
}

static quad flush16(quad x) {
  return x < 0x1p-14 && x > -0x1p-14 ? (signbit((double)x) ? -0.0 : 0.0) : x;
}

#define ONE(name, width, expr)                                                                     \
  static uint64_t one_##name(const uint64_t *v) {                                                  \
    const quad a = value16(v[0] & 0xffff, width), b = value16(v[1] & 0xffff, width),               \
               c = value16(v[2] & 0xffff, width);                                                  \
    (void)a, (void)b, (void)c;                                                                     \
    return expr;                                                                                   \
  }                                                                                                \
  static void ref_##name(const uint64_t *v, uint64_t *r) {                                         \
    r[0] = one_##name(v);                                                                          \
  }                                                                                                \
  static void two_##name(const uint64_t *v, uint64_t *r) {                                         \
    const uint64_t upper[3] = {v[0] >> 16, v[1] >> 16, v[2] >> 16};                                \
    r[0] = one_##name(v) | one_##name(upper) << 16;                                                \
  }
#define BOTH(name, expr) ONE(name##_f, 5, bits16(expr, 5)) ONE(name##_b, 8, bits16(expr, 8))
BOTH(add, sum(a, b))
BOTH(sub, sum(a, -b))
BOTH(mul, a *b)
BOTH(fma, sum(a *b, c))
BOTH(relu, pick(sum(a *b, c), 0, true, true))
BOTH(min, pick(a, b, false, false))
BOTH(max, pick(a, b, true, false))
BOTH(min_nan, pick(a, b, false, true))
BOTH(max_nan, pick(a, b, true, true))
ONE(neg, 5, (v[0] & 0xffff) ^ 0x8000)
ONE(abs, 5, v[0] & 0x7fff)
static quad saturate(quad x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}
ONE(sat, 5, bits16(saturate(sum(a, b)), 5))
static uint64_t flushed_bits(quad x) {
  const uint64_t bits = bits16(x, 5);
  return bits & 0x7c00 ? bits : bits & 0x8000;
}
ONE(ftz, 5, flushed_bits(sum(flush16(a) * flush16(b), flush16(c))))
ONE(exp, 5, bits16((quad)exp2((double)a), 5))
ONE(tan, 5, bits16((quad)tanh((double)a), 5))

static void test_arithmetic(void **state) {
  (void)state;
#define FORMS(op, name, rest, h, w)                                                                \
  {op ".f16 $0, $1" rest, h, ref_##name##_f}, {op ".f16x2 $0, $1" rest, w, two_##name##_f},        \
      {op ".bf16 $0, $1" rest, h, ref_##name##_b}, {                                               \
    op ".bf16x2 $0, $1" rest, w, two_##name##_b                                                    \
  }
#define TWO ", $2;", "h:HH", "w:WW"
#define THREE ", $2, $3;", "h:HHH", "w:WWW"
#define FORMS_(...) FORMS(__VA_ARGS__)
  static const lane_case cases[] = {
      FORMS_("add.rn", add, TWO),
      FORMS_("add", add, TWO),
      FORMS_("sub.rn", sub, TWO),
      FORMS_("mul.rn", mul, TWO),
      FORMS_("fma.rn", fma, THREE),
      FORMS_("fma.rn.relu", relu, THREE),
      FORMS_("min", min, TWO),
      FORMS_("max", max, TWO),
      FORMS_("min.NaN", min_nan, TWO),
      FORMS_("max.NaN", max_nan, TWO),
      {"neg.f16 $0, $1;", "h:H", ref_neg},
      {"neg.bf16 $0, $1;", "h:H", ref_neg},
      {"neg.f16x2 $0, $1;", "w:W", two_neg},
      {"neg.bf16x2 $0, $1;", "w:W", two_neg},
      {"abs.f16 $0, $1;", "h:H", ref_abs},
      {"abs.bf16 $0, $1;", "h:H", ref_abs},
      {"abs.f16x2 $0, $1;", "w:W", two_abs},
      {"abs.bf16x2 $0, $1;", "w:W", two_abs},
      {"add.sat.f16 $0, $1, $2;", "h:HH", ref_sat},
      {"add.rn.sat.f16x2 $0, $1, $2;", "w:WW", two_sat},
      {"fma.rn.ftz.f16 $0, $1, $2, $3;", "h:HHH", ref_ftz},
      {"fma.rn.ftz.f16x2 $0, $1, $2, $3;", "w:WWW", two_ftz},
      {"ex2.approx.f16 $0, $1;", "h:H", ref_exp},
      {"ex2.approx.f16x2 $0, $1;", "w:W", two_exp},
      {"tanh.approx.f16 $0, $1;", "h:H", ref_tan},
      {"tanh.approx.f16x2 $0, $1;", "w:W", two_tan},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- conversions ---- */

/* To nearest in magnitude and down in magnitude, of 8 or 11 bits of a single's 24. */
static uint64_t short_single(uint64_t bits, int dropped, bool away) {
  const uint32_t word = (uint32_t)bits;
  if (as_float(bits) != as_float(bits)) return 0x7fffffff;
  if (isinf(as_float(bits))) return word;
  const uint32_t odd = away ? 0 : word >> dropped & 1;
  const uint32_t half = (1u << (dropped - 1)) - (away ? 0 : 1) + odd;
  return (word + half) >> dropped << dropped;
}

#define REF(name, expr)                                                                            \
  static void ref_##name(const uint64_t *v, uint64_t *r) {                                         \
    r[0] = (expr);                                                                                 \
  }
REF(f16_f32, bits16(as_float(v[0]), 5))
REF(f32_f16, float_bits((float)value16(v[0], 5)))
REF(f16_f64, bits16(as_double(v[0]), 5))
REF(bf16_f32, bits16(as_float(v[0]), 8))
REF(f32_bf16, float_bits((float)value16(v[0], 8)))
REF(f16_s32, bits16((int32_t)v[0], 5))
REF(f16_u32, bits16((uint32_t)v[0], 5))
REF(f16_u64, bits16((quad)v[0], 5))
REF(f16_s64, bits16((quad)(int64_t)v[0], 5))
REF(f16_s16, bits16((int16_t)v[0], 5))
REF(tf32_rna, short_single(v[0], 13, true))
REF(tf32_rn, short_single(v[0], 13, false))
REF(pair_f16, bits16(as_float(v[0]), 5) << 16 | bits16(as_float(v[1]), 5))
REF(pair_bf16, bits16(as_float(v[0]), 8) << 16 | bits16(as_float(v[1]), 8))
REF(relu_bf16, bits16(pick(as_float(v[0]), 0, true, true), 8))

static uint64_t whole(quad x, quad least, quad most) {
  if (x != x) return 0;
  const quad n = rint((double)x);
  return (uint64_t)(int64_t)(n < least ? least : n > most ? most : n);
}
REF(s32_f16, whole(value16(v[0], 5), -2147483648.0, 2147483647.0) & 0xffffffff)
REF(u16_f16, whole(value16(v[0], 5), 0, 65535))
REF(s8_f16, whole(value16(v[0], 5), -128, 127) & 0xffff)

static void test_conversions(void **state) {
  (void)state;
  static const lane_case cases[] = {
      {"cvt.rn.f16.f32 $0, $1;", "h:F", ref_f16_f32},
      {"cvt.f32.f16 $0, $1;", "w:H", ref_f32_f16},
      {"cvt.rn.f16.f64 $0, $1;", "h:D", ref_f16_f64},
      {"cvt.rn.bf16.f32 $0, $1;", "h:F", ref_bf16_f32},
      {"cvt.f32.bf16 $0, $1;", "w:H", ref_f32_bf16},
      {"cvt.rn.f16.s32 $0, $1;", "h:w", ref_f16_s32},
      {"cvt.rn.f16.u32 $0, $1;", "h:w", ref_f16_u32},
      {"cvt.rn.f16.u64 $0, $1;", "h:d", ref_f16_u64},
      {"cvt.rn.f16.s64 $0, $1;", "h:d", ref_f16_s64},
      {"cvt.rn.f16.s16 $0, $1;", "h:h", ref_f16_s16},
      {"cvt.rni.s32.f16 $0, $1;", "w:H", ref_s32_f16},
      {"cvt.rni.u16.f16 $0, $1;", "h:H", ref_u16_f16},
      {"cvt.rni.s8.f16 $0, $1;", "h:H", ref_s8_f16},
      {"cvt.rna.tf32.f32 $0, $1;", "w:F", ref_tf32_rna},
      {"cvt.rn.tf32.f32 $0, $1;", "w:F", ref_tf32_rn},
      {"cvt.rn.f16x2.f32 $0, $1, $2;", "w:FF", ref_pair_f16},
      {"cvt.rn.bf16x2.f32 $0, $1, $2;", "w:FF", ref_pair_bf16},
      {"cvt.rn.relu.bf16.f32 $0, $1;", "h:F", ref_relu_bf16},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- comparisons ---- */
#define COMPARE(name, expr)                                                                        \
  static bool is_##name(uint64_t x, uint64_t y) {                                                  \
    const quad a = value16(x & 0xffff, 5), b = value16(y & 0xffff, 5);                             \
    return expr;                                                                                   \
  }                                                                                                \
  static void ref_##name(const uint64_t *v, uint64_t *r) {                                         \
    r[0] = is_##name(v[0], v[1]);                                                                  \
    r[1] = !r[0];                                                                                  \
  }                                                                                                \
  static void two_##name(const uint64_t *v, uint64_t *r) {                                         \
    r[0] = is_##name(v[0], v[1]);                                                                  \
    r[1] = is_##name(v[0] >> 16, v[1] >> 16);                                                      \
  }
COMPARE(lt, a < b)
COMPARE(geu, !(a < b))
COMPARE(ne, a == a && b == b && a != b)
COMPARE(num, a == a && b == b)
static void ref_and(const uint64_t *v, uint64_t *r) {
  r[0] = is_lt(v[0], v[1]) && v[2];
  r[1] = !is_lt(v[0], v[1]) && v[2];
}

static void test_comparisons(void **state) {
  (void)state;
  static const lane_case cases[] = {
      {"setp.lt.f16 $0|$1, $2, $3;", "pp:HH", ref_lt},
      {"setp.geu.f16 $0|$1, $2, $3;", "pp:HH", ref_geu},
      {"setp.ne.f16 $0|$1, $2, $3;", "pp:HH", ref_ne},
      {"setp.num.f16 $0|$1, $2, $3;", "pp:HH", ref_num},
      {"setp.lt.f16x2 $0|$1, $2, $3;", "pp:WW", two_lt},
      {"setp.geu.f16x2 $0|$1, $2, $3;", "pp:WW", two_geu},
      {"setp.ne.f16x2 $0|$1, $2, $3;", "pp:WW", two_ne},
      {"setp.num.f16x2 $0|$1, $2, $3;", "pp:WW", two_num},
      {"setp.lt.and.f16 $0|$1, $2, $3, $4;", "pp:HHp", ref_and},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_arithmetic),
                                     cmocka_unit_test(test_conversions),
                                     cmocka_unit_test(test_comparisons)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
