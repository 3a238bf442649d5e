/* Words as bytes and halves, masks, and sums over a warp, against plain C. */
#include <math.h>

#include "tests/ptx/float_reference.h"
#include "tests/ptx/lane_harness.h"

typedef uint32_t u32;
typedef int64_t s64;

static s64 element(uint64_t word, int k, int bits, bool is_signed) {
  const uint64_t x = word >> k * bits & ((1u << bits) - 1);
  return is_signed && x >> (bits - 1) ? (s64)x - (1 << bits) : (s64)x;
}

#define DOT(name, sa, sb)                                                                          \
  static void ref_dp4a_##name(const uint64_t *v, uint64_t *r) {                                    \
    s64 sum = (s64)v[2];                                                                           \
    for (int k = 0; k < 4; k++) sum += element(v[0], k, 8, sa) * element(v[1], k, 8, sb);          \
    r[0] = (u32)sum;                                                                               \
  }                                                                                                \
  static void ref_dp2a_lo_##name(const uint64_t *v, uint64_t *r) {                                 \
    s64 sum = (s64)v[2];                                                                           \
    for (int k = 0; k < 2; k++) sum += element(v[0], k, 16, sa) * element(v[1], k, 8, sb);         \
    r[0] = (u32)sum;                                                                               \
  }                                                                                                \
  static void ref_dp2a_hi_##name(const uint64_t *v, uint64_t *r) {                                 \
    s64 sum = (s64)v[2];                                                                           \
    for (int k = 0; k < 2; k++) sum += element(v[0], k, 16, sa) * element(v[1], k + 2, 8, sb);     \
    r[0] = (u32)sum;                                                                               \
  }
DOT(uu, false, false)
DOT(us, false, true)
DOT(su, true, false)
DOT(ss, true, true)

/* Bits a .. a + b - 1. */
static uint64_t ones(uint64_t from, uint64_t count) {
  uint64_t r = 0;
  for (uint64_t k = 0; k < 32; k++) r |= k >= from && k < from + count ? (uint64_t)1 << k : 0;
  return r;
}
static void ref_bmsk_clamp(const uint64_t *v, uint64_t *r) {
  r[0] = ones(v[0], v[1] > 32 ? 32 : v[1]);
}
static void ref_bmsk_wrap(const uint64_t *v, uint64_t *r) {
  r[0] = ones(v[0] & 31, v[1] & 31);
}

static uint64_t limit(uint64_t word, s64 least, s64 most, uint64_t mask) {
  const s64 x = (int32_t)word;
  return (uint64_t)(x < least ? least : x > most ? most : x) & mask;
}
#define PACK(name, least, most, bits)                                                              \
  static void ref_pack_##name(const uint64_t *v, uint64_t *r) {                                    \
    const uint64_t mask = (1u << (bits)) - 1;                                                      \
    r[0] = (limit(v[0], least, most, mask) << (bits) | limit(v[1], least, most, mask) |            \
            ((bits) == 8 ? v[2] << 16 : 0)) &                                                      \
           UINT32_MAX;                                                                             \
  }
PACK(u16, 0, 65535, 16)
PACK(s16, -32768, 32767, 16)
PACK(u8, 0, 255, 8)
PACK(s8, -128, 127, 8)

static void ref_szext_u32(const uint64_t *v, uint64_t *r) {
  const uint64_t bits = v[1] < 32 ? v[1] : 32;
  r[0] = v[0] & ((UINT64_C(1) << bits) - 1);
}
static void ref_szext_s32(const uint64_t *v, uint64_t *r) {
  const unsigned bits = v[1] & 31;
  r[0] = v[0] & ((UINT64_C(1) << bits) - 1);
  if (bits && r[0] >> (bits - 1)) r[0] |= UINT32_MAX & ~((UINT64_C(1) << bits) - 1);
}
/* As the PTX ISA writes it. */
static void ref_fns(const uint64_t *v, uint64_t *r) {
  const int64_t base = (int32_t)v[1], offset = (int32_t)v[2];
  r[0] = UINT32_MAX;
  if (offset == 0) {
    if (base >= 0 && base < 32 && v[0] >> base & 1) r[0] = (uint64_t)base;
    return;
  }
  int64_t count = (offset < 0 ? -offset : offset) - 1;
  for (int64_t at = base; at >= 0 && at<32; at += offset> 0 ? 1 : -1)
    if (v[0] >> at & 1 && count-- == 0) {
      r[0] = (uint64_t)at;
      return;
    }
}

static void test_words(void **state) {
  (void)state;
#define DOTS(name, types)                                                                          \
  {"dp4a." types " $0, $1, $2, $3;", "w:www", ref_dp4a_##name},                                    \
      {"dp2a.lo." types " $0, $1, $2, $3;", "w:www", ref_dp2a_lo_##name}, {                        \
    "dp2a.hi." types " $0, $1, $2, $3;", "w:www", ref_dp2a_hi_##name                               \
  }
  static const lane_case cases[] = {
      DOTS(uu, "u32.u32"),
      DOTS(us, "u32.s32"),
      DOTS(su, "s32.u32"),
      DOTS(ss, "s32.s32"),
      {"bmsk.clamp.b32 $0, $1, $2;", "w:ww", ref_bmsk_clamp},
      {"bmsk.wrap.b32 $0, $1, $2;", "w:ww", ref_bmsk_wrap},
      {"szext.clamp.u32 $0, $1, $2;", "w:ww", ref_szext_u32},
      {"szext.wrap.s32 $0, $1, $2;", "w:ww", ref_szext_s32},
      {"fns.b32 $0, $1, $2, $3;", "w:www", ref_fns},
      {"cvt.pack.sat.u16.s32 $0, $1, $2;", "w:ww", ref_pack_u16},
      {"cvt.pack.sat.s16.s32 $0, $1, $2;", "w:ww", ref_pack_s16},
      {"cvt.pack.sat.u8.s32.b32 $0, $1, $2, $3;", "w:www", ref_pack_u8},
      {"cvt.pack.sat.s8.s32.b32 $0, $1, $2, $3;", "w:www", ref_pack_s8},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- video ---- */
static s64 between(s64 x, s64 least, s64 most) {
  return x < least ? least : x > most ? most : x;
}

/* Four forms of each: saturated with an unsigned byte and a signed half; one byte of the result,
 * the rest of c; with a second operation; all bytes, saturated, and all halves, added up. */
#define VIDEO(name, expr)                                                                          \
  static s64 do_##name(s64 a, s64 b) {                                                             \
    return expr;                                                                                   \
  }                                                                                                \
  static void sat_##name(const uint64_t *v, uint64_t *r) {                                         \
    const s64 a = element(v[0], 2, 8, false), b = element(v[1], 1, 16, true);                      \
    r[0] = (u32)between(do_##name(a, b), INT32_MIN, INT32_MAX);                                    \
  }                                                                                                \
  static void byte_##name(const uint64_t *v, uint64_t *r) {                                        \
    const s64 a = element(v[0], 0, 16, true), b = element(v[1], 3, 8, false);                      \
    r[0] = (v[2] & 0xffff00ff) | ((uint64_t)between(do_##name(a, b), -128, 127) & 0xff) << 8;      \
  }                                                                                                \
  static void least_##name(const uint64_t *v, uint64_t *r) {                                       \
    const int32_t x = (int32_t)do_##name((int32_t)v[0], (int32_t)v[1]), c = (int32_t)v[2];         \
    r[0] = (u32)(x < c ? x : c);                                                                   \
  }                                                                                                \
  static void most_##name(const uint64_t *v, uint64_t *r) {                                        \
    const u32 x = (u32)do_##name((u32)v[0], (u32)v[1]), c = (u32)v[2];                             \
    r[0] = x > c ? x : c;                                                                          \
  }                                                                                                \
  static void four_##name(const uint64_t *v, uint64_t *r) {                                        \
    r[0] = 0;                                                                                      \
    for (int k = 0; k < 4; k++)                                                                    \
      r[0] |= (uint64_t)between(do_##name(element(v[0], k, 8, false), element(v[1], k, 8, true)),  \
                                0, 255)                                                            \
              << 8 * k;                                                                            \
  }                                                                                                \
  static void two_##name(const uint64_t *v, uint64_t *r) {                                         \
    s64 sum = (s64)v[2];                                                                           \
    for (int k = 0; k < 2; k++)                                                                    \
      sum += do_##name(element(v[0], k, 16, true), element(v[1], k, 16, true));                    \
    r[0] = (u32)sum;                                                                               \
  }
VIDEO(vadd, a + b)
VIDEO(vsub, a - b)
VIDEO(vabsdiff, a < b ? b - a : a - b)
VIDEO(vmin, a < b ? a : b)
VIDEO(vmax, a < b ? b : a)

/* Amounts of a clamped shift are unsigned; those of a wrapped one count modulo 32. */
static void ref_vshl(const uint64_t *v, uint64_t *r) {
  const uint64_t by = v[1] > 32 ? 32 : v[1];
  r[0] = (u32)((v[0] >> 8 & 0xff) << by);
}
static void ref_vshr(const uint64_t *v, uint64_t *r) {
  r[0] = (u32)(element(v[0], 1, 16, true) >> (v[1] & 31));
}
static void ref_vset(const uint64_t *v, uint64_t *r) {
  r[0] = (u32)((int32_t)v[0] < (s64)(v[1] & 0xff)) + v[2];
  r[0] &= UINT32_MAX;
}
static void ref_vset4(const uint64_t *v, uint64_t *r) {
  r[0] = 0;
  for (int k = 0; k < 4; k++)
    r[0] |= (uint64_t)(element(v[0], k, 8, false) >= element(v[1], k, 8, false)) << 8 * k;
}

static s64 average(s64 a, s64 b) {
  return a + b >= 0 ? (a + b + 1) / 2 : (a + b - 1) / 2;
}
static void ref_vavrg4(const uint64_t *v, uint64_t *r) {
  r[0] = 0;
  for (int k = 0; k < 4; k++)
    r[0] |= (uint64_t)(average(element(v[0], k, 8, false), element(v[1], k, 8, false)) & 0xff)
            << 8 * k;
}
static void ref_vavrg2(const uint64_t *v, uint64_t *r) {
  r[0] = 0;
  for (int k = 0; k < 2; k++)
    r[0] |= (uint64_t)(average(element(v[0], k, 16, true), element(v[1], k, 16, true)) & 0xffff)
            << 16 * k;
}

static void test_video(void **state) {
  (void)state;
#define FORMS(name)                                                                                \
  {#name ".s32.u32.s32.sat $0, $1.b2, $2.h1;", "w:ww", sat_##name},                                \
      {#name ".s32.s32.u32.sat $0.b1, $1.h0, $2.b3, $3;", "w:www", byte_##name},                   \
      {#name ".s32.s32.s32.min $0, $1, $2, $3;", "w:www", least_##name},                           \
      {#name ".u32.u32.u32.max $0, $1, $2, $3;", "w:www", most_##name},                            \
      {#name "4.u32.u32.s32.sat $0, $1, $2, $3;", "w:www", four_##name}, {                         \
#name "2.s32.s32.s32.add $0, $1, $2, $3;", "w:www", two_##name                                 \
  }
  static const lane_case cases[] = {
      FORMS(vadd),
      FORMS(vsub),
      FORMS(vabsdiff),
      FORMS(vmin),
      FORMS(vmax),
      {"vshl.u32.u32.u32.clamp $0, $1.b1, $2;", "w:ww", ref_vshl},
      {"vshr.s32.s32.u32.wrap $0, $1.h1, $2;", "w:ww", ref_vshr},
      {"vset.s32.u32.lt.add $0, $1, $2.b0, $3;", "w:www", ref_vset},
      {"vset4.u32.u32.ge $0, $1, $2, $3;", "w:www", ref_vset4},
      {"vavrg4.u32.u32.u32 $0, $1, $2, $3;", "w:www", ref_vavrg4},
      {"vavrg2.s32.s32.s32 $0, $1, $2, $3;", "w:www", ref_vavrg2},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- f32 ---- */
static float pick(float a, float b, bool greater) {
  if (a == b) return (signbit(a) != 0) != greater ? a : b;
  return (a < b) != greater ? a : b;
}
#define EXTREME(name, greater)                                                                     \
  static void ref_##name##_nan(const uint64_t *v, uint64_t *r) {                                   \
    const float a = as_float(v[0]), b = as_float(v[1]);                                            \
    r[0] = float_bits(a != a || b != b ? (float)NAN : pick(a, b, greater));                        \
  }                                                                                                \
  static void ref_##name##_sign(const uint64_t *v, uint64_t *r) {                                  \
    const float a = as_float(v[0]), b = as_float(v[1]);                                            \
    const float x = a != a ? fabsf(b) : b != b ? fabsf(a) : pick(fabsf(a), fabsf(b), greater);     \
    r[0] = a != a && b != b ? 0x7fffffff : float_bits(!signbit(a) == !signbit(b) ? x : -x);        \
  }
EXTREME(min, false)
EXTREME(max, true)
static void ref_tanh(const uint64_t *v, uint64_t *r) {
  r[0] = float_bits(tanhf(as_float(v[0])));
}

static void test_singles(void **state) {
  (void)state;
  static const lane_case cases[] = {
      {"min.NaN.f32 $0, $1, $2;", "w:FF", ref_min_nan},
      {"max.NaN.f32 $0, $1, $2;", "w:FF", ref_max_nan},
      {"min.xorsign.abs.f32 $0, $1, $2;", "w:FF", ref_min_sign},
      {"max.xorsign.abs.f32 $0, $1, $2;", "w:FF", ref_max_sign},
      {"tanh.approx.f32 $0, $1;", "w:F", ref_tanh},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- over a warp ---- */
typedef uint64_t combine(uint64_t a, uint64_t b);
#define COMBINE(name, expr)                                                                        \
  static uint64_t do_##name(uint64_t a, uint64_t b) {                                              \
    return (u32)(expr);                                                                            \
  }
COMBINE(add, a + b)
COMBINE(and, a &b)
COMBINE(or, a | b)
COMBINE(xor, a ^ b)
COMBINE(umin, a < b ? a : b)
COMBINE(umax, a > b ? a : b)
COMBINE(smin, (int32_t)a < (int32_t)b ? a : b)
COMBINE(smax, (int32_t)a > (int32_t)b ? a : b)

/* The lanes' member masks: all, or groups of lanes that differ in the mask's size and do not touch.
 */
static u32 members_of(int round, int lane) {
  static const u32 mixed[] = {0x80000001, 0x0000000e, 0x00aaaa00, 0x00555500, 0x7f0000f0};
  for (size_t k = 0; round % 3 == 2 && k < sizeof mixed / sizeof *mixed; k++)
    if (mixed[k] >> lane & 1) return mixed[k];
  return round % 3 ? 0xffu << (lane & 24) : UINT32_MAX;
}

static u32 redux_of(const u32 *word, u32 lanes, combine *f) {
  uint64_t result = word[__builtin_ctz(lanes)];
  for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
    result = f(result, word[__builtin_ctz(lanes)]);
  return (u32)result;
}

static void check_redux(const char *name, combine *f) {
  char text[1024];
  snprintf(text, sizeof text,
           ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p0) {\n"
           ".reg .b32 %%r<4>; .reg .b64 %%d<4>;\nld.param.u64 %%d0, [p0]; mov.u32 %%r0, %%tid.x;\n"
           "mul.wide.u32 %%d1, %%r0, 4; add.u64 %%d0, %%d0, %%d1; ld.global.u32 %%r1, [%%d0];\n"
           "ld.global.u32 %%r3, [%%d0+256];\n"
           "mov.u32 %%r2, 7; test.here;\nredux.sync.%s %%r2, %%r1, %%r3;\n"
           "st.global.u32 [%%d0+128], %%r2; ret; }\n",
           name);
  lane_machine m;
  wf_rng rng;
  machine_create(&m, text, HARNESS_MEMORY);
  wf_rng_seed(&rng, 5);
  for (int round = 0; round < 120; round++) {
    u32 word[3 * PTX_LANES];
    for (int i = 0; i < PTX_LANES; i++) {
      word[i] = (u32)operand_value(&rng, 'w');
      word[i + 2 * PTX_LANES] = members_of(round, i);
    }
    memcpy(m.memory, word, sizeof word);
    u32 mask = round % 4 ? (u32)wf_rng_next(&rng) : UINT32_MAX;
    if (!mask) mask = 1;
    machine_run(&m, mask);
    memcpy(word, m.memory, sizeof word);
    for (int i = 0; i < PTX_LANES; i++) {
      const u32 want = mask >> i & 1 ? redux_of(word, mask & members_of(round, i), f) : 7;
      if (word[i + PTX_LANES] != want)
        fail_msg("redux.sync.%s, mask %08x, members %08x, lane %d: %x, should be %x", name, mask,
                 members_of(round, i), i, word[i + PTX_LANES], want);
    }
  }
  machine_destroy(&m);
}

static void test_redux(void **state) {
  (void)state;
  check_redux("add.u32", do_add);
  check_redux("add.s32", do_add);
  check_redux("min.u32", do_umin);
  check_redux("max.u32", do_umax);
  check_redux("min.s32", do_smin);
  check_redux("max.s32", do_smax);
  check_redux("and.b32", do_and);
  check_redux("or.b32", do_or);
  check_redux("xor.b32", do_xor);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_video),
                                     cmocka_unit_test(test_singles), cmocka_unit_test(test_redux)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
