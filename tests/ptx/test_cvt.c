/* cvt, every pair of types: integers by C casts, floats through long double, which holds every
 * operand exactly and so leaves only the one rounding under test. */
#include "tests/ptx/float_reference.h"
#include "tests/ptx/lane_harness.h"

typedef struct type_info {
  const char *name;
  int bits;
  bool is_signed;
} type_info;

static const type_info integers[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                                     {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                                     {"u64", 64, false}, {"s64", 64, true}};
enum { N_INTEGERS = sizeof integers / sizeof *integers };

/* The harness takes plain functions: what they convert is said here. */
static struct {
  type_info from, to;
  int dest_bits;
  bool sat, ftz;
  char rounding; /* n z m p */
} now;

static __int128 extended(uint64_t bits, type_info t) {
  const uint64_t low = t.bits == 64 ? bits : bits & (((uint64_t)1 << t.bits) - 1);
  return t.is_signed && low >> (t.bits - 1) ? (__int128)low - ((__int128)1 << t.bits)
                                            : (__int128)low;
}

static uint64_t cut(__int128 v, int bits) {
  return bits == 64 ? (uint64_t)v : (uint64_t)v & (((uint64_t)1 << bits) - 1);
}

static __int128 most(type_info t) {
  return ((__int128)1 << (t.bits - t.is_signed)) - 1;
}
static __int128 least(type_info t) {
  return t.is_signed ? -most(t) - 1 : 0;
}

static __int128 clamped(__int128 v, type_info t) {
  return v > most(t) ? most(t) : v < least(t) ? least(t) : v;
}

static void int_to_int(const uint64_t *x, uint64_t *r) {
  __int128 v = extended(x[0], now.from);
  if (now.sat) v = clamped(v, now.to);
  r[0] = cut(extended(cut(v, now.to.bits), now.to), now.dest_bits);
}

static char register_letter(int bits) {
  return bits <= 16 ? 'h' : bits == 32 ? 'w' : 'd';
}

static void check_now(const char *text, char dest, char source) {
  char types[4] = {dest, ':', source, 0};
  check_case(&(lane_case){text, types, int_to_int}, 40, 11);
}

/* Destination and source registers also wider than their types, as PTX allows. */
static void test_between_integers(void **state) {
  (void)state;
  char text[64];
  for (int from = 0; from < N_INTEGERS; from++)
    for (int to = 0; to < N_INTEGERS; to++)
      for (int sat = 0; sat < 2; sat++)
        for (int dest = 16; dest <= 64; dest *= 2)
          for (int source = 16; source <= 64; source *= 2) {
            if (dest < integers[to].bits || source < integers[from].bits) continue;
            now.from = integers[from];
            now.to = integers[to];
            now.dest_bits = dest;
            now.sat = sat;
            snprintf(text, sizeof text, "cvt%s.%s.%s $0, $1;", sat ? ".sat" : "", integers[to].name,
                     integers[from].name);
            check_now(text, register_letter(dest), register_letter(source));
          }
}

static long double rounded(long double v, char mode) {
  switch (mode) {
  case 'n':
    return rintl(v);
  case 'z':
    return truncl(v);
  case 'm':
    return floorl(v);
  default:
    return ceill(v);
  }
}

static uint64_t float_to_int(long double v, bool from_double) {
  if (isnan(v)) return from_double || now.to.bits == 64 ? (uint64_t)1 << (now.to.bits - 1) : 0;
  v = rounded(v, now.rounding);
  if (v >= (long double)most(now.to)) return (uint64_t)most(now.to);
  if (v <= (long double)least(now.to)) return cut(least(now.to), now.to.bits);
  return cut((__int128)v, now.to.bits);
}

static void single_to_int(const uint64_t *x, uint64_t *r) {
  const float f = now.ftz ? flushed(as_float(x[0])) : as_float(x[0]);
  r[0] = cut(extended(float_to_int(f, false), now.to), now.dest_bits);
}
static void double_to_int(const uint64_t *x, uint64_t *r) {
  r[0] = cut(extended(float_to_int(as_double(x[0]), true), now.to), now.dest_bits);
}

static void test_float_to_integer(void **state) {
  (void)state;
  char text[64], types[4] = "x:x";
  for (int to = 0; to < N_INTEGERS; to++)
    for (const char *mode = "nzmp"; *mode; mode++)
      for (int kind = 0; kind < 3; kind++) { /* f32, f32 with ftz, f64 */
        now.to = integers[to];
        now.rounding = *mode;
        now.ftz = kind == 1;
        now.dest_bits = now.to.bits < 16 ? 32 : now.to.bits;
        types[0] = register_letter(now.dest_bits);
        types[2] = kind == 2 ? 'D' : 'F';
        snprintf(text, sizeof text, "cvt.r%ci%s.%s.f%d $0, $1;", *mode, kind == 1 ? ".ftz" : "",
                 now.to.name, kind == 2 ? 64 : 32);
        check_case(&(lane_case){text, types, kind == 2 ? double_to_int : single_to_int}, 100, 5);
      }
}

/* The single nearest in a direction, from the nearest one and a comparison. */
static float to_single(long double v, char mode) {
  const float f = (float)v;
  if (isnan(v) || isinf(v) || mode == 'n') return f;
  const bool away = fabsl((long double)f) > fabsl(v);
  if (mode == 'z') return away ? nextafterf(f, 0) : f;
  if (mode == 'm') return (long double)f > v ? nextafterf(f, -INFINITY) : f;
  return (long double)f < v ? nextafterf(f, INFINITY) : f;
}
static double to_twice(long double v, char mode) {
  const double f = (double)v;
  if (mode == 'n') return f;
  const bool away = fabsl((long double)f) > fabsl(v);
  if (mode == 'z') return away ? nextafter(f, 0) : f;
  if (mode == 'm') return (long double)f > v ? nextafter(f, -INFINITY) : f;
  return (long double)f < v ? nextafter(f, INFINITY) : f;
}

static void int_to_single(const uint64_t *x, uint64_t *r) {
  const float f = to_single((long double)extended(x[0], now.from), now.rounding);
  r[0] = float_bits(now.sat ? saturated(f) : f);
}
static void int_to_double(const uint64_t *x, uint64_t *r) {
  r[0] = double_bits(to_twice((long double)extended(x[0], now.from), now.rounding));
}

static void test_integer_to_float(void **state) {
  (void)state;
  char text[64], types[4] = "x:x";
  for (int from = 0; from < N_INTEGERS; from++)
    for (const char *mode = "nzmp"; *mode; mode++)
      for (int kind = 0; kind < 3; kind++) { /* f32, f32 saturated, f64 */
        now.from = integers[from];
        now.rounding = *mode;
        now.sat = kind == 1;
        types[0] = kind == 2 ? 'd' : 'w';
        types[2] = register_letter(now.from.bits);
        snprintf(text, sizeof text, "cvt.r%c%s.f%d.%s $0, $1;", *mode, now.sat ? ".sat" : "",
                 kind == 2 ? 64 : 32, now.from.name);
        check_case(&(lane_case){text, types, kind == 2 ? int_to_double : int_to_single}, 60, 9);
      }
}

static void double_to_single(const uint64_t *x, uint64_t *r) {
  float f = to_single(as_double(x[0]), now.rounding);
  if (now.ftz) f = flushed(f);
  r[0] = float_bits(now.sat ? saturated(f) : f);
}
static void single_to_double(const uint64_t *x, uint64_t *r) {
  r[0] = double_bits((double)(now.ftz ? flushed(as_float(x[0])) : as_float(x[0])));
}
static void single_to_integral(const uint64_t *x, uint64_t *r) {
  const float f = now.ftz ? flushed(as_float(x[0])) : as_float(x[0]);
  r[0] = float_bits((float)rounded(f, now.rounding));
}
static void double_to_integral(const uint64_t *x, uint64_t *r) {
  r[0] = double_bits((double)rounded(as_double(x[0]), now.rounding));
}
static void single_saturated(const uint64_t *x, uint64_t *r) {
  r[0] = float_bits(saturated(as_float(x[0])));
}

static void test_between_floats(void **state) {
  (void)state;
  char text[64];
  for (const char *mode = "nzmp"; *mode; mode++)
    for (int kind = 0; kind < 3; kind++) {
      now.rounding = *mode;
      now.ftz = kind == 1;
      now.sat = kind == 2;
      snprintf(text, sizeof text, "cvt.r%c%s.f32.f64 $0, $1;", *mode,
               now.ftz   ? ".ftz"
               : now.sat ? ".sat"
                         : "");
      check_case(&(lane_case){text, "w:D", double_to_single}, 200, 3);
      if (now.sat) continue;
      snprintf(text, sizeof text, "cvt.r%ci%s.f32.f32 $0, $1;", *mode, now.ftz ? ".ftz" : "");
      check_case(&(lane_case){text, "w:F", single_to_integral}, 200, 3);
      snprintf(text, sizeof text, "cvt.r%ci.f64.f64 $0, $1;", *mode);
      check_case(&(lane_case){text, "d:D", double_to_integral}, 200, 3);
    }
  now.ftz = false;
  check_case(&(lane_case){"cvt.f64.f32 $0, $1;", "d:F", single_to_double}, 200, 3);
  check_case(&(lane_case){"cvt.sat.f32.f32 $0, $1;", "w:F", single_saturated}, 200, 3);
  now.ftz = true;
  check_case(&(lane_case){"cvt.ftz.f64.f32 $0, $1;", "d:F", single_to_double}, 200, 3);
}

/* Half precision: every pattern there and back. */
static double half_value(uint64_t h) {
  const int exponent = (int)(h >> 10 & 31);
  const double fraction = (double)(h & 1023);
  const double magnitude = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
                           : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                          : ldexp(fraction, -24);
  return h & 0x8000 ? -magnitude : magnitude;
}
static void half_to_single(const uint64_t *x, uint64_t *r) {
  r[0] = float_bits((float)half_value(x[0]));
}
/* The nearest of all half values, the even one in a tie. */
static void single_to_half(const uint64_t *x, uint64_t *r) {
  const double v = as_float(x[0]), a = fabs(v);
  const uint64_t sign = x[0] >> 16 & 0x8000;
  if (isnan(v)) {
    r[0] = 0x7fff;
    return;
  }
  uint64_t low = 0, high = 0x7c00;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    *(half_value(middle) <= a ? &low : &high) = middle;
  }
  const double above = high == 0x7c00 ? 65536 : half_value(high), below = half_value(low);
  const bool up = a - below > above - a || (a - below == above - a && low & 1);
  r[0] = sign | (a >= 65536 || up ? high : low);
}

static void test_half(void **state) {
  (void)state;
  check_case(&(lane_case){"cvt.f32.f16 $0, $1;", "w:h", half_to_single}, 2000, 1);
  check_case(&(lane_case){"cvt.rn.f16.f32 $0, $1;", "h:F", single_to_half}, 2000, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_between_integers),
      cmocka_unit_test(test_float_to_integer),
      cmocka_unit_test(test_integer_to_float),
      cmocka_unit_test(test_between_floats),
      cmocka_unit_test(test_half),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
