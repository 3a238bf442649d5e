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

template <class T>
static void row(const char *name, T (*function)(T), long double (*truth)(long double), double from,
                double to, double limit) {
  double worst = 0, at = 0;
  for (int i = 0; i < 200000; i++) {
    T x = (T)(from + (to - from) * uniform());
    if (i % 4 == 0) x = (T)std::ldexp((double)x, -(int)(uniform() * 30)); // small ones, too
    if ((double)x < from || (double)x > to) continue;
    const double off = units_off<T>(function(x), truth((long double)x));
    if (off > worst) worst = off, at = (double)x;
  }
  printf("%-10s %-6s %10g .. %-10g %8.2f of %g%s\n", name, sizeof(T) == 4 ? "float" : "double",
         from, to, worst, limit, worst > limit ? "  WRONG" : "");
  if (worst > limit) printf("  at %.17g\n", at), failed++;
}
#define BOTH(NAME, FROM, TO, LIMIT32, LIMIT64)                                                     \
  row<float>(#NAME, __nv_##NAME##f, NAME##l, FROM, TO, LIMIT32);                                   \
  row<double>(#NAME, __nv_##NAME, NAME##l, FROM, TO, LIMIT64);

template <class T> static void powers(T (*function)(T, T), double limit) {
  double worst = 0, at = 0, to = 0;
  for (int i = 0; i < 200000; i++) {
    const T x = (T)std::exp2(40 * uniform() - 20), y = (T)(6 * uniform() - 3);
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
  powers<float>(__nv_powf, 2);
  powers<double>(__nv_pow, 2);
  remainders<float>(__nv_remquof);
  remainders<double>(__nv_remquo);
  return failed != 0;
}
