// How far the functions of libdevice.h are off, in units of the last place of the true value; the
// limit is what docs/your-program.md says.
#include <cstdio>
#include <functional>
#include <limits>

#include "cuda_runtime.h"
#undef exp
#undef log
#undef sin
#undef cos
#undef tan
#undef pow
#undef erf
#undef erfc
#undef tgamma
#undef lgamma
#undef j0
#undef j1
#undef y0
#undef y1
#undef jn
#undef yn

static unsigned long long state = 1;
static double uniform() {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(state >> 11) / 9007199254740992.0;
}

template <class T> static double units_off(T got, long double truth) {
  if (got != got) return truth != truth ? 0 : 1e9;
  const T nearest = (T)truth;
  if (std::isinf(nearest) || got == nearest) return got == nearest ? 0 : 1e9;
  int e;
  std::frexp(nearest, &e);
  const int least = sizeof(T) == 4 ? -125 : -1021, digits = sizeof(T) == 4 ? 24 : 53;
  return (double)(std::fabs((long double)got - truth) /
                  std::ldexp((long double)1, (e < least ? least : e) - digits));
}

static int failed;

// Units of 1's last place, where a function has zeros that the argument's own rounding moves.
template <class T> static double units_of_one_off(T got, long double truth) {
  return (double)(std::fabs((long double)got - truth) / std::numeric_limits<T>::epsilon());
}

template <class T>
static void row(const char *name, T (*function)(T), long double (*truth)(long double), double from,
                double to, double limit, double (*off_by)(T, long double) = units_off<T>) {
  double worst = 0, at = 0;
  for (int i = 0; i < 200000; i++) {
    T x = (T)(from + (to - from) * uniform());
    if (i % 4 == 0) x = (T)std::ldexp((double)x, -(int)(uniform() * 30)); // small ones, too
    if ((double)x < from || (double)x > to) continue;
    const double off = off_by(function(x), truth((long double)x));
    if (off > worst) worst = off, at = (double)x;
  }
  printf("%-10s %-6s %10g .. %-10g %8.2f of %g%s\n", name, sizeof(T) == 4 ? "float" : "double",
         from, to, worst, limit, worst > limit ? "  WRONG" : "");
  if (worst > limit) printf("  at %.17g\n", at), failed++;
}
#define BOTH(NAME, FROM, TO, LIMIT32, LIMIT64)                                                     \
  row<float>(#NAME, __nv_##NAME##f, NAME##l, FROM, TO, LIMIT32);                                   \
  row<double>(#NAME, __nv_##NAME, NAME##l, FROM, TO, LIMIT64);

#define BOTH_OF_ONE(NAME, FROM, TO, LIMIT32, LIMIT64)                                              \
  row<float>(#NAME, __nv_##NAME##f, NAME##l, FROM, TO, LIMIT32, units_of_one_off<float>);          \
  row<double>(#NAME, __nv_##NAME, NAME##l, FROM, TO, LIMIT64, units_of_one_off<double>);

// ---- what the host has not ----
static long double erfcxl(long double x) {
  if (x < 20) return expl(x * x) * erfcl(x);
  long double rest = 0;
  for (int k = 60; k; k--) rest = k / 2.0L / (x + rest);
  return 1 / (sqrtl(M_PIl) * (x + rest));
}
static long double normcdfl(long double x) {
  return erfcl(-x / sqrtl(2)) / 2;
}
// The x whose erfc is q, from a guess: Newton's steps for the logarithm.
static long double erfcinvl(long double q) {
  if (q > 1) return -erfcinvl(2 - q);
  long double x = __nv_erfcinv((double)q);
  for (int k = 0; k < 3; k++) {
    const long double by = q < 0.5L ? (logl(erfcxl(x)) - x * x - logl(q)) * erfcxl(x)
                                    : (1 - q - erfl(x)) * expl(x * x);
    x += by * sqrtl(M_PIl) / 2;
  }
  return x;
}
static long double erfinvl(long double y) {
  if (std::fabs(y) > 0.5L) return y < 0 ? -erfcinvl(1 + y) : erfcinvl(1 - y);
  long double x = __nv_erfinv((double)y);
  for (int k = 0; k < 3; k++) x += (y - erfl(x)) * expl(x * x) * sqrtl(M_PIl) / 2;
  return x;
}
static long double normcdfinvl(long double p) {
  return -sqrtl(2) * erfcinvl(2 * p);
}
static long double cyl_bessel_i0l(long double x) {
  return std::cyl_bessel_il(0, std::fabs(x));
}
static long double cyl_bessel_i1l(long double x) {
  return std::copysign(std::cyl_bessel_il(1, std::fabs(x)), x);
}
template <int N, class T> static T order_j(T x) {
  return sizeof(T) == 4 ? (T)__nv_jnf(N, (float)x) : (T)__nv_jn(N, (double)x);
}
template <int N> static long double order_j_truth(long double x) {
  return jnl(N, x);
}
template <int N, class T> static T order_y(T x) {
  return sizeof(T) == 4 ? (T)__nv_ynf(N, (float)x) : (T)__nv_yn(N, (double)x);
}
template <int N> static long double order_y_truth(long double x) {
  return ynl(N, x);
}
#define ORDER(LETTER, N, FROM, TO, LIMIT32, LIMIT64, OFF)                                          \
  row<float>(#LETTER "n " #N, order_##LETTER<N, float>, order_##LETTER##_truth<N>, FROM, TO,       \
             LIMIT32, OFF<float>);                                                                 \
  row<double>(#LETTER "n " #N, order_##LETTER<N, double>, order_##LETTER##_truth<N>, FROM, TO,     \
              LIMIT64, OFF<double>);

template <class T> static void powers(T (*function)(T, T), double limit) {
  double worst = 0, at = 0, to = 0;
  const double most = sizeof(T) == 4 ? 120 : 1000; // of the result's exponent
  for (int i = 0; i < 200000; i++) {
    const double exponent = i % 2 ? 40 * uniform() - 20 : 2 * uniform() - 1;
    const T x = (T)std::exp2(exponent),
            y = (T)(i % 4 < 2 ? 6 * uniform() - 3
                              : most * (2 * uniform() - 1) / std::fabs(exponent));
    const double off = units_off<T>(function(x, y), powl(x, y));
    if (off > worst) worst = off, at = x, to = y;
  }
  printf("%-10s %-6s %28.2f of %g%s\n", "pow", sizeof(T) == 4 ? "float" : "double", worst, limit,
         worst > limit ? "  WRONG" : "");
  if (worst > limit) printf("  at %.17g, %.17g\n", at, to), failed++;
}

// Remainders are exact: the host's, with the last three bits of the quotient.
template <class T> static void remainders(T (*function)(T, T, int *)) {
  int wrong = 0;
  for (int i = 0; i < 200000; i++) {
    const T x = (T)std::ldexp(2 * uniform() - 1, (int)(60 * uniform()) - 20);
    T y = (T)std::ldexp(2 * uniform() - 1, (int)(60 * uniform()) - 20);
    if (i % 3 == 0) y = x / (T)((int)(40 * uniform()) + 0.5); // halfway, nearly or quite
    if (i % 1000 == 0) y = std::numeric_limits<T>::denorm_min() * (T)(1 + i % 7);
    int mine, host;
    const T got = function(x, y, &mine), truth = std::remquo(x, y, &host);
    wrong += memcmp(&got, &truth, sizeof got) != 0 || ((mine ^ host) & 7) != 0 ||
             (mine && host && (mine < 0) != (host < 0));
  }
  printf("%-10s %-6s %28d wrong of 200000%s\n", "remquo", sizeof(T) == 4 ? "float" : "double",
         wrong, wrong ? "  WRONG" : "");
  if (wrong) failed++;
}

int main() {
  row<float>("exp", __nv_expf, expl, -87, 88.7, 2);
  row<double>("exp", __nv_exp, expl, -708, 709.7, 1);
  BOTH(expm1, -10, 10, 4, 4)
  BOTH(log, 1e-30, 100, 2, 2)
  BOTH(log2, 1e-30, 100, 2, 2)
  BOTH(log10, 1e-30, 100, 3, 3)
  BOTH(log1p, -0.9, 10, 3, 3)
  BOTH(sin, -30000, 30000, 2, 2)
  BOTH(cos, -30000, 30000, 2, 2)
  BOTH(tan, -1000, 1000, 3, 3)
  BOTH(atan, -100, 100, 3, 3)
  BOTH(asin, -1, 1, 4, 4)
  BOTH(acos, -1, 1, 4, 4)
  BOTH(sinh, -20, 20, 3, 3)
  BOTH(cosh, -20, 20, 2, 2)
  BOTH(tanh, -20, 20, 3, 3)
  BOTH(asinh, -100, 100, 3, 3)
  BOTH(cbrt, 1e-3, 1e3, 1, 1)
  BOTH(erf, -5, 5, 7, 7)
  BOTH(erfc, -5, 0.5, 7, 7)
  BOTH(erfc, 0.5, 2, 7, 7)
  BOTH(erfc, 2, 9, 7, 7)
  row<double>("erfc", __nv_erfc, erfcl, 9, 26, 7);
  BOTH(erfcx, -5, 100, 7, 7)
  BOTH(normcdf, -12, 8, 7, 7)
  row<double>("normcdf", __nv_normcdf, normcdfl, -37, -12, 7);
  BOTH(erfinv, -1, 1, 2, 7)
  BOTH(erfcinv, 1e-30, 2, 2, 7)
  row<double>("erfcinv", __nv_erfcinv, erfcinvl, 0, 1e-100, 7);
  BOTH(normcdfinv, 1e-30, 1, 2, 7)
  BOTH(tgamma, 1e-30, 34, 1, 7)
  row<double>("tgamma", __nv_tgamma, tgammal, 34, 171, 9);
  BOTH(tgamma, -33.9, 0, 1, 9)
  BOTH(lgamma, 1e-30, 100, 1, 7)
  row<double>("lgamma", __nv_lgamma, lgammal, 100, 1e300, 4);
  BOTH_OF_ONE(lgamma, -10, 0, 40, 40)
  BOTH_OF_ONE(j0, -25, 25, 1, 3)
  BOTH_OF_ONE(j0, 25, 3000, 1, 3)
  BOTH_OF_ONE(j1, -25, 25, 1, 3)
  BOTH_OF_ONE(j1, 25, 3000, 1, 3)
  BOTH_OF_ONE(y0, 0.2, 25, 1, 3)
  BOTH_OF_ONE(y0, 25, 3000, 1, 3)
  BOTH(y0, 1e-30, 0.5, 1, 7)
  BOTH_OF_ONE(y1, 0.5, 25, 1, 3)
  BOTH_OF_ONE(y1, 25, 3000, 1, 3)
  BOTH(y1, 1e-30, 1, 1, 7)
  ORDER(j, 2, -100, 100, 1, 3, units_of_one_off)
  ORDER(j, 7, 0, 100, 1, 3, units_of_one_off)
  ORDER(j, 40, 0, 100, 1, 3, units_of_one_off)
  ORDER(j, 7, 0, 5, 1, 9, units_off)
  ORDER(j, 40, 10, 35, 1, 40, units_off)
  ORDER(y, 2, 1, 100, 1, 9, units_of_one_off)
  ORDER(y, 7, 0, 5, 1, 20, units_off)
  BOTH(cyl_bessel_i0, -80, 80, 1, 11)
  BOTH(cyl_bessel_i1, -80, 80, 1, 11)
  powers<float>(__nv_powf, 2);
  powers<double>(__nv_pow, 2);
  remainders<float>(__nv_remquof);
  remainders<double>(__nv_remquo);
  BOTH(sin, -3.4e38, 3.4e38, 2, 2)
  BOTH(sin, -1e12, 1e12, 2, 2)
  BOTH(cos, -1e20, 1e20, 2, 2)
  BOTH(tan, 1e14, 1e19, 4, 4)
  row<double>("cos", __nv_cos, cosl, -8e307, 8e307, 2);
  return failed != 0;
}
