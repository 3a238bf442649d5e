/* Integer arithmetic, logic, shifts, bit fields and comparisons against plain C. */
#include "tests/ptx/lane_harness.h"

typedef unsigned __int128 u128;
typedef __int128 s128;

/* ref_NAME_T for the integer types; a, b, c are the sources as values of T, wide in 128 bits. */
#define REFERENCE(name, T, expr)                                                                   \
  static void ref_##name##_##T(const uint64_t *x, uint64_t *r) {                                   \
    const T##_t a = (T##_t)x[0], b = (T##_t)x[1], c = (T##_t)x[2];                                 \
    const s128 A = a, B = b, C = c;                                                                \
    (void)A, (void)B, (void)C;                                                                     \
    r[0] = (u##T##_t)(expr);                                                                       \
  }
/* Types by short names, with the unsigned type of the same width. */
typedef uint16_t u16_t, uu16_t, us16_t;
typedef uint32_t u32_t, uu32_t, us32_t;
typedef uint64_t u64_t, uu64_t, us64_t;
typedef int16_t s16_t;
typedef int32_t s32_t;
typedef int64_t s64_t;

#define BITS(T) (8 * (int)sizeof(T##_t))
#define ALL(X, ...) X(u16) X(s16) X(u32) X(s32) X(u64) X(s64)

/* Exact in 128 bits, as unsigned where T is. */
#define PRODUCT(T) ((u128)A * (u128)B)

#define X(T)                                                                                       \
  REFERENCE(add, T, A + B)                                                                         \
  REFERENCE(sub, T, A - B)                                                                         \
  REFERENCE(mul_lo, T, PRODUCT(T))                                                                 \
  REFERENCE(mul_hi, T, PRODUCT(T) >> BITS(T))                                                      \
  REFERENCE(mad_lo, T, PRODUCT(T) + (u128)C)                                                       \
  REFERENCE(mad_hi, T, (PRODUCT(T) >> BITS(T)) + (u128)C)                                          \
  REFERENCE(div, T, b == 0 ? -1 : A / B)                                                           \
  REFERENCE(rem, T, b == 0 ? A : A % B)                                                            \
  REFERENCE(min, T, a < b ? a : b)                                                                 \
  REFERENCE(max, T, a < b ? b : a)                                                                 \
  REFERENCE(sad, T, (u128)C + (u128)(A < B ? B - A : A - B))                                       \
  REFERENCE(shr, T, A >> ((u32_t)x[1] > 64 ? 64 : (u32_t)x[1]))
ALL(X)
#undef X
#define X(T)                                                                                       \
  REFERENCE(abs, T, A < 0 ? -A : A)                                                                \
  REFERENCE(neg, T, -A)
X(s16)
X(s32)
X(s64)
#undef X
#define X(T)                                                                                       \
  REFERENCE(and, T, a &b)                                                                          \
  REFERENCE(or, T, a | b)                                                                          \
  REFERENCE(xor, T, a ^ b)                                                                         \
  REFERENCE(not, T, ~a)                                                                            \
  REFERENCE(cnot, T, !a)                                                                           \
  REFERENCE(mov, T, a)                                                                             \
  REFERENCE(shl, T, (u32_t)x[1] >= 64 ? 0 : (u128)a << (u32_t)x[1])
X(u16)
X(u32)
X(u64)
#undef X

#define CASE(text, types, f)                                                                       \
  { text, types, f }
#define ROW(op, T, name, n, letter) CASE(op "." #T " $0, $1" n, letter, ref_##name##_##T)
#define SIX(op, name, rest, h, w, d)                                                               \
  ROW(op, u16, name, rest, h), ROW(op, s16, name, rest, h), ROW(op, u32, name, rest, w),           \
      ROW(op, s32, name, rest, w), ROW(op, u64, name, rest, d), ROW(op, s64, name, rest, d)
#define TWO ", $2;", "h:hh", "w:ww", "d:dd"
#define THREE ", $2, $3;", "h:hhh", "w:www", "d:ddd"
#define UNTYPED(op, name, rest, h, w, d)                                                           \
  CASE(op ".b16 $0, $1" rest, h, ref_##name##_u16),                                                \
      CASE(op ".b32 $0, $1" rest, w, ref_##name##_u32),                                            \
      CASE(op ".b64 $0, $1" rest, d, ref_##name##_u64)
#define SIX_(...) SIX(__VA_ARGS__)
#define UNTYPED_(...) UNTYPED(__VA_ARGS__)

static void test_arithmetic(void **state) {
  (void)state;
  const lane_case cases[] = {
      SIX_("add", add, TWO),
      SIX_("sub", sub, TWO),
      SIX_("mul.lo", mul_lo, TWO),
      SIX_("mul.hi", mul_hi, TWO),
      SIX_("div", div, TWO),
      SIX_("rem", rem, TWO),
      SIX_("min", min, TWO),
      SIX_("max", max, TWO),
      SIX_("mad.lo", mad_lo, THREE),
      SIX_("mad.hi", mad_hi, THREE),
      SIX_("sad", sad, THREE),
      ROW("abs", s16, abs, ";", "h:h"),
      ROW("abs", s32, abs, ";", "w:w"),
      ROW("abs", s64, abs, ";", "d:d"),
      ROW("neg", s16, neg, ";", "h:h"),
      ROW("neg", s32, neg, ";", "w:w"),
      ROW("neg", s64, neg, ";", "d:d"),
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

static void test_logic_and_shifts(void **state) {
  (void)state;
  const lane_case cases[] = {
      UNTYPED_("and", and, TWO),
      UNTYPED_("or", or, TWO),
      UNTYPED_("xor", xor, TWO),
      UNTYPED_("not", not, ";", "h:h", "w:w", "d:d"),
      UNTYPED_("cnot", cnot, ";", "h:h", "w:w", "d:d"),
      UNTYPED_("mov", mov, ";", "h:h", "w:w", "d:d"),
      UNTYPED_("shl", shl, ", $2;", "h:hw", "w:ww", "d:dw"),
      UNTYPED_("shr", shr, ", $2;", "h:hw", "w:ww", "d:dw"),
      SIX_("shr", shr, ", $2;", "h:hw", "w:ww", "d:dw"),
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- widening, 24 bits, saturation, carry ---- */
#define PLAIN(name, expr)                                                                          \
  static void ref_##name(const uint64_t *x, uint64_t *r) {                                         \
    r[0] = (expr);                                                                                 \
  }
#define S32(v) ((int64_t)(int32_t)(v))
#define U32(v) ((uint64_t)(uint32_t)(v))
#define S24(v) ((int64_t)((int32_t)((uint32_t)(v) << 8) >> 8))
#define U24(v) ((int64_t)((v)&0xffffff))
static uint64_t clamp32(int64_t v) {
  return (uint32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}
PLAIN(wide_s16, (uint32_t)((int16_t)x[0] * (int16_t)x[1]))
PLAIN(wide_u16, (uint32_t)x[0] * (uint32_t)x[1])
PLAIN(wide_s32, (uint64_t)(S32(x[0]) * S32(x[1])))
PLAIN(wide_u32, x[0] * x[1])
PLAIN(mad_wide_s32, (uint64_t)(S32(x[0]) * S32(x[1])) + x[2])
PLAIN(mad_wide_u32, x[0] * x[1] + x[2])
PLAIN(mad_wide_u16, (uint32_t)((uint32_t)x[0] * (uint32_t)x[1] + (uint32_t)x[2]))
PLAIN(mul24_lo_s, U32(S24(x[0]) * S24(x[1])))
PLAIN(mul24_lo_u, U32(U24(x[0]) * U24(x[1])))
PLAIN(mul24_hi_s, U32((S24(x[0]) * S24(x[1])) >> 16))
PLAIN(mul24_hi_u, U32((U24(x[0]) * U24(x[1])) >> 16))
PLAIN(mad24_lo_s, U32((uint64_t)(S24(x[0]) * S24(x[1])) + x[2]))
PLAIN(mad24_hi_u, U32((uint64_t)((U24(x[0]) * U24(x[1])) >> 16) + x[2]))
PLAIN(mad24_hi_sat, clamp32(((S24(x[0]) * S24(x[1])) >> 16) + S32(x[2])))
PLAIN(add_sat, clamp32(S32(x[0]) + S32(x[1])))
PLAIN(sub_sat, clamp32(S32(x[0]) - S32(x[1])))
PLAIN(mad_hi_sat, clamp32(((S32(x[0]) * S32(x[1])) >> 32) + S32(x[2])))
PLAIN(not_pred, !x[0])
PLAIN(and_pred, x[0] & x[1])
PLAIN(or_pred, x[0] | x[1])
PLAIN(xor_pred, x[0] ^ x[1])
PLAIN(and_not_pred, x[0] & !x[1])
PLAIN(selp, x[2] ? x[0] : x[1])
PLAIN(selp_not, x[2] ? x[1] : x[0])
PLAIN(slct_s32, S32(x[2]) >= 0 ? x[0] : x[1])

static void test_widening_and_saturation(void **state) {
  (void)state;
  const lane_case cases[] = {
      {"mul.wide.s16 $0, $1, $2;", "w:hh", ref_wide_s16},
      {"mul.wide.u16 $0, $1, $2;", "w:hh", ref_wide_u16},
      {"mul.wide.s32 $0, $1, $2;", "d:ww", ref_wide_s32},
      {"mul.wide.u32 $0, $1, $2;", "d:ww", ref_wide_u32},
      {"mad.wide.s32 $0, $1, $2, $3;", "d:wwd", ref_mad_wide_s32},
      {"mad.wide.u32 $0, $1, $2, $3;", "d:wwd", ref_mad_wide_u32},
      {"mad.wide.u16 $0, $1, $2, $3;", "w:hhw", ref_mad_wide_u16},
      {"mul24.lo.s32 $0, $1, $2;", "w:ww", ref_mul24_lo_s},
      {"mul24.lo.u32 $0, $1, $2;", "w:ww", ref_mul24_lo_u},
      {"mul24.hi.s32 $0, $1, $2;", "w:ww", ref_mul24_hi_s},
      {"mul24.hi.u32 $0, $1, $2;", "w:ww", ref_mul24_hi_u},
      {"mad24.lo.s32 $0, $1, $2, $3;", "w:www", ref_mad24_lo_s},
      {"mad24.hi.u32 $0, $1, $2, $3;", "w:www", ref_mad24_hi_u},
      {"mad24.hi.sat.s32 $0, $1, $2, $3;", "w:www", ref_mad24_hi_sat},
      {"add.sat.s32 $0, $1, $2;", "w:ww", ref_add_sat},
      {"sub.sat.s32 $0, $1, $2;", "w:ww", ref_sub_sat},
      {"mad.hi.sat.s32 $0, $1, $2, $3;", "w:www", ref_mad_hi_sat},
      {"not.pred $0, $1;", "p:p", ref_not_pred},
      {"and.pred $0, $1, $2;", "p:pp", ref_and_pred},
      {"or.pred $0, $1, $2;", "p:pp", ref_or_pred},
      {"xor.pred $0, $1, $2;", "p:pp", ref_xor_pred},
      {"and.pred $0, $1, !$2;", "p:pp", ref_and_not_pred},
      {"selp.b32 $0, $1, $2, $3;", "w:wwp", ref_selp},
      {"selp.u64 $0, $1, $2, $3;", "d:ddp", ref_selp},
      {"selp.s16 $0, $1, $2, $3;", "h:hhp", ref_selp},
      {"selp.f32 $0, $1, $2, !$3;", "w:wwp", ref_selp_not},
      {"slct.u32.s32 $0, $1, $2, $3;", "w:www", ref_slct_s32},
      {"slct.b64.s32 $0, $1, $2, $3;", "d:ddw", ref_slct_s32},
      {"slct.b16.s32 $0, $1, $2, $3;", "h:hhw", ref_slct_s32},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- bit fields, bit by bit as the PTX ISA's pseudo-code has them ---- */
static uint64_t bfe(uint64_t a, uint32_t b, uint32_t c, int width, bool is_signed) {
  const int msb = width - 1, pos = b & 0xff, len = c & 0xff;
  const int top = pos + len - 1 < msb ? pos + len - 1 : msb;
  const uint64_t sign = !is_signed || len == 0 ? 0 : a >> top & 1;
  uint64_t d = 0;
  for (int i = 0; i <= msb; i++) d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : sign) << i;
  return d;
}
static uint64_t bfi(uint64_t a, uint64_t b, uint32_t c, uint32_t d, int width) {
  const int msb = width - 1, pos = c & 0xff, len = d & 0xff;
  for (int i = 0; i < len && pos + i <= msb; i++)
    b = (b & ~((uint64_t)1 << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
static uint64_t bfind(uint64_t a, int width, bool is_signed, bool shift) {
  if (is_signed && a >> (width - 1) & 1) a = ~a;
  for (int i = width - 1; i >= 0; i--)
    if (a >> i & 1) return (uint32_t)(shift ? width - 1 - i : i);
  return UINT32_MAX;
}
static uint64_t clz(uint64_t a, int width) {
  int n = 0;
  while (n < width && !(a >> (width - 1 - n) & 1)) n++;
  return (uint64_t)n;
}
static uint64_t popc(uint64_t a) {
  uint64_t n = 0;
  for (; a; a >>= 1) n += a & 1;
  return n;
}
static uint64_t brev(uint64_t a, int width) {
  uint64_t d = 0;
  for (int i = 0; i < width; i++) d |= (a >> i & 1) << (width - 1 - i);
  return d;
}
static uint64_t prmt(uint64_t a, uint64_t b, uint32_t c) {
  const uint64_t ab = b << 32 | a;
  uint64_t d = 0;
  for (int i = 0; i < 4; i++) {
    const uint32_t s = c >> (4 * i) & 15;
    uint64_t byte = ab >> (8 * (s & 7)) & 0xff;
    if (s & 8) byte = byte & 0x80 ? 0xff : 0;
    d |= byte << (8 * i);
  }
  return d;
}
static uint64_t funnel(uint64_t a, uint64_t b, uint32_t n, bool left) {
  const u128 both = (u128)(b << 32 | a);
  return (uint32_t)(left ? (both << n) >> 32 : both >> n);
}
static uint64_t lop3(uint64_t a, uint64_t b, uint64_t c, uint32_t table) {
  uint64_t d = 0;
  for (int i = 0; i < 32; i++)
    d |= (uint64_t)(table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return d;
}
#define B ((uint32_t)x[1])
#define C ((uint32_t)x[2])
PLAIN(bfe_u32, bfe(x[0], B, C, 32, false))
PLAIN(bfe_s32, bfe(x[0], B, C, 32, true))
PLAIN(bfe_u64, bfe(x[0], B, C, 64, false))
PLAIN(bfe_s64, bfe(x[0], B, C, 64, true))
PLAIN(bfi_32, bfi(x[0], x[1], C, (uint32_t)x[3], 32))
PLAIN(bfi_64, bfi(x[0], x[1], C, (uint32_t)x[3], 64))
PLAIN(bfind_u32, bfind(x[0], 32, false, false))
PLAIN(bfind_s32, bfind(x[0], 32, true, false))
PLAIN(bfind_u64, bfind(x[0], 64, false, false))
PLAIN(bfind_s64, bfind(x[0], 64, true, false))
PLAIN(bfind_shift_u32, bfind(x[0], 32, false, true))
PLAIN(bfind_shift_s32, bfind(x[0], 32, true, true))
PLAIN(bfind_shift_u64, bfind(x[0], 64, false, true))
PLAIN(bfind_shift_s64, bfind(x[0], 64, true, true))
PLAIN(clz_32, clz(x[0], 32))
PLAIN(clz_64, clz(x[0], 64))
PLAIN(popc, popc(x[0]))
PLAIN(brev_32, brev(x[0], 32))
PLAIN(brev_64, brev(x[0], 64))
PLAIN(prmt, prmt(x[0], x[1], C))
PLAIN(prmt_f4e, prmt(x[0], x[1], 0x3210 + 0x1111 * (C & 3)))
PLAIN(prmt_b4e, prmt(x[0], x[1], (uint32_t[]){0x5670, 0x6701, 0x7012, 0x0123}[C & 3]))
PLAIN(prmt_rc8, prmt(x[0], x[1], 0x1111 * (C & 3)))
PLAIN(prmt_ecl, prmt(x[0], x[1], (uint32_t[]){0x3210, 0x3211, 0x3222, 0x3333}[C & 3]))
PLAIN(prmt_ecr, prmt(x[0], x[1], (uint32_t[]){0x0000, 0x1110, 0x2210, 0x3210}[C & 3]))
PLAIN(prmt_rc16, prmt(x[0], x[1], C & 1 ? 0x3232 : 0x1010))
PLAIN(shf_l_clamp, funnel(x[0], x[1], C < 32 ? C : 32, true))
PLAIN(shf_l_wrap, funnel(x[0], x[1], C & 31, true))
PLAIN(shf_r_clamp, funnel(x[0], x[1], C < 32 ? C : 32, false))
PLAIN(shf_r_wrap, funnel(x[0], x[1], C & 31, false))
PLAIN(lop3_96, lop3(x[0], x[1], x[2], 0x96))
PLAIN(lop3_ca, lop3(x[0], x[1], x[2], 0xca))
#undef B
#undef C

static void test_bits(void **state) {
  (void)state;
  const lane_case cases[] = {
      {"bfe.u32 $0, $1, $2, $3;", "w:www", ref_bfe_u32},
      {"bfe.s32 $0, $1, $2, $3;", "w:www", ref_bfe_s32},
      {"bfe.u64 $0, $1, $2, $3;", "d:dww", ref_bfe_u64},
      {"bfe.s64 $0, $1, $2, $3;", "d:dww", ref_bfe_s64},
      {"bfi.b32 $0, $1, $2, $3, $4;", "w:wwww", ref_bfi_32},
      {"bfi.b64 $0, $1, $2, $3, $4;", "d:ddww", ref_bfi_64},
      {"bfind.u32 $0, $1;", "w:w", ref_bfind_u32},
      {"bfind.s32 $0, $1;", "w:w", ref_bfind_s32},
      {"bfind.u64 $0, $1;", "w:d", ref_bfind_u64},
      {"bfind.s64 $0, $1;", "w:d", ref_bfind_s64},
      {"bfind.shiftamt.u32 $0, $1;", "w:w", ref_bfind_shift_u32},
      {"bfind.shiftamt.s32 $0, $1;", "w:w", ref_bfind_shift_s32},
      {"bfind.shiftamt.u64 $0, $1;", "w:d", ref_bfind_shift_u64},
      {"bfind.shiftamt.s64 $0, $1;", "w:d", ref_bfind_shift_s64},
      {"clz.b32 $0, $1;", "w:w", ref_clz_32},
      {"clz.b64 $0, $1;", "w:d", ref_clz_64},
      {"popc.b32 $0, $1;", "w:w", ref_popc},
      {"popc.b64 $0, $1;", "w:d", ref_popc},
      {"brev.b32 $0, $1;", "w:w", ref_brev_32},
      {"brev.b64 $0, $1;", "d:d", ref_brev_64},
      {"prmt.b32 $0, $1, $2, $3;", "w:www", ref_prmt},
      {"prmt.b32.f4e $0, $1, $2, $3;", "w:www", ref_prmt_f4e},
      {"prmt.b32.b4e $0, $1, $2, $3;", "w:www", ref_prmt_b4e},
      {"prmt.b32.rc8 $0, $1, $2, $3;", "w:www", ref_prmt_rc8},
      {"prmt.b32.ecl $0, $1, $2, $3;", "w:www", ref_prmt_ecl},
      {"prmt.b32.ecr $0, $1, $2, $3;", "w:www", ref_prmt_ecr},
      {"prmt.b32.rc16 $0, $1, $2, $3;", "w:www", ref_prmt_rc16},
      {"shf.l.clamp.b32 $0, $1, $2, $3;", "w:www", ref_shf_l_clamp},
      {"shf.l.wrap.b32 $0, $1, $2, $3;", "w:www", ref_shf_l_wrap},
      {"shf.r.clamp.b32 $0, $1, $2, $3;", "w:www", ref_shf_r_clamp},
      {"shf.r.wrap.b32 $0, $1, $2, $3;", "w:www", ref_shf_r_wrap},
      {"lop3.b32 $0, $1, $2, $3, 0x96;", "w:www", ref_lop3_96},
      {"lop3.b32 $0, $1, $2, $3, 0xca;", "w:www", ref_lop3_ca},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- comparisons ---- */
#define COMPARE(name, T, op)                                                                       \
  static void cmp_##name##_##T(const uint64_t *x, uint64_t *r) {                                   \
    r[0] = (T##_t)x[0] op(T##_t) x[1];                                                             \
  }                                                                                                \
  static void both_##name##_##T(const uint64_t *x, uint64_t *r) {                                  \
    const bool t = (T##_t)x[0] op(T##_t) x[1];                                                     \
    r[0] = t && x[2];                                                                              \
    r[1] = !t && x[2];                                                                             \
  }                                                                                                \
  static void set_##name##_##T(const uint64_t *x, uint64_t *r) {                                   \
    r[0] = ((T##_t)x[0] op(T##_t) x[1]) != (x[2] != 0) ? UINT32_MAX : 0;                           \
  }
#define X(T)                                                                                       \
  COMPARE(eq, T, ==)                                                                               \
  COMPARE(ne, T, !=) COMPARE(lt, T, <) COMPARE(le, T, <=) COMPARE(gt, T, >) COMPARE(ge, T, >=)
ALL(X)
#undef X

#define COMPARISONS(T, w)                                                                          \
  COMPARED(eq, T, w), COMPARED(ne, T, w), COMPARED(lt, T, w), COMPARED(le, T, w),                  \
      COMPARED(gt, T, w), COMPARED(ge, T, w)
#define COMPARED(name, T, w)                                                                       \
  {"setp." #name "." #T " $0, $1, $2;", "p:" w w, cmp_##name##_##T},                               \
      {"setp." #name ".and." #T " $0|$1, $2, $3, $4;", "pp:" w w "p", both_##name##_##T}, {        \
    "set." #name ".xor.u32." #T " $0, $1, $2, $3;", "w:" w w "p", set_##name##_##T                 \
  }

static void test_compare(void **state) {
  (void)state;
  const lane_case cases[] = {COMPARISONS(u16, "h"),
                             COMPARISONS(s16, "h"),
                             COMPARISONS(u32, "w"),
                             COMPARISONS(s32, "w"),
                             COMPARISONS(u64, "d"),
                             COMPARISONS(s64, "d"),
                             {"setp.lo.u32 $0, $1, $2;", "p:ww", cmp_lt_u32},
                             {"setp.ls.u32 $0, $1, $2;", "p:ww", cmp_le_u32},
                             {"setp.hi.u32 $0, $1, $2;", "p:ww", cmp_gt_u32},
                             {"setp.hs.u64 $0, $1, $2;", "p:dd", cmp_ge_u64},
                             {"setp.eq.b32 $0, $1, $2;", "p:ww", cmp_eq_u32}};
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* ---- carry chains: 128-bit sums, differences and products from parts ---- */
typedef struct chain {
  const char *body;
  u128 (*reference)(u128 a, u128 b, u128 c);
} chain;
static u128 chain_add(u128 a, u128 b, u128 c) {
  (void)c;
  return a + b;
}
static u128 chain_sub(u128 a, u128 b, u128 c) {
  (void)c;
  return a - b;
}
static u128 chain_mad(u128 a, u128 b, u128 c) {
  return (u64_t)a * (u128)(u64_t)b + c;
}

static void check_chain(const chain *k) {
  char text[4096], *out = text;
  out += sprintf(out, ".version 3.2\n.target sm_35\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                      ".reg .b32 %%a<4>, %%b<4>, %%c<4>, %%r<4>; .reg .b64 %%p;\n"
                      "ld.param.u64 %%p, [p0];\n");
  for (int i = 0; i < 4; i++)
    out += sprintf(out,
                   "ld.global.u32 %%a%d, [%%p+%d]; ld.global.u32 %%b%d, [%%p+%d];\n"
                   "ld.global.u32 %%c%d, [%%p+%d];\n",
                   i, 4 * i, i, 16 + 4 * i, i, 32 + 4 * i);
  out += sprintf(out, "%s\n", k->body);
  for (int i = 0; i < 4; i++)
    out += sprintf(out, "st.global.u32 [%%p+%d], %%r%d;\n", 48 + 4 * i, i);
  sprintf(out, "ret; }");
  lane_machine m;
  wf_rng rng;
  machine_create(&m, text, 4096);
  wf_rng_seed(&rng, 7);
  for (int round = 0; round < 500; round++) {
    u128 v[3], got;
    for (int i = 0; i < 3; i++) v[i] = (u128)edge_integer(&rng, 8) << 64 | edge_integer(&rng, 8);
    memcpy(m.memory, v, sizeof v);
    machine_run(&m, UINT32_MAX);
    memcpy(&got, m.memory + 48, sizeof got);
    assert_true(got == k->reference(v[0], v[1], v[2]));
  }
  machine_destroy(&m);
}

static void test_carry(void **state) {
  (void)state;
  const chain chains[] = {
      {"add.cc.u32 %r0, %a0, %b0; addc.cc.u32 %r1, %a1, %b1; addc.cc.u32 %r2, %a2, %b2; "
       "addc.u32 %r3, %a3, %b3;",
       chain_add},
      {"sub.cc.u32 %r0, %a0, %b0; subc.cc.u32 %r1, %a1, %b1; subc.cc.u32 %r2, %a2, %b2; "
       "subc.u32 %r3, %a3, %b3;",
       chain_sub},
      {"mad.lo.cc.u32 %r0, %a0, %b0, %c0; madc.hi.cc.u32 %r1, %a0, %b0, %c1; "
       "addc.cc.u32 %r2, %c2, 0; addc.u32 %r3, %c3, 0;\n"
       "mad.lo.cc.u32 %r1, %a1, %b0, %r1; madc.hi.cc.u32 %r2, %a1, %b0, %r2; "
       "addc.u32 %r3, %r3, 0;\n"
       "mad.lo.cc.u32 %r1, %a0, %b1, %r1; madc.hi.cc.u32 %r2, %a0, %b1, %r2; "
       "addc.u32 %r3, %r3, 0;\n"
       "mad.lo.cc.u32 %r2, %a1, %b1, %r2; madc.hi.u32 %r3, %a1, %b1, %r3;",
       chain_mad},
  };
  for (size_t k = 0; k < sizeof chains / sizeof *chains; k++) check_chain(&chains[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_logic_and_shifts),
      cmocka_unit_test(test_widening_and_saturation),
      cmocka_unit_test(test_bits),
      cmocka_unit_test(test_compare),
      cmocka_unit_test(test_carry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
