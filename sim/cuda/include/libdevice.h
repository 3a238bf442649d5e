// The mathematics behind clang's CUDA headers (`__nv_...`), which a CUDA installation brings as
// libdevice. What is not here is refused by name when the program is loaded. How far off each is
// from the true value: docs/your-program.md, measured by tests/cuda/accuracy.sh.
#ifndef WARPFAB_LIBDEVICE_H
#define WARPFAB_LIBDEVICE_H

#define WF_NV extern "C" __device__ __inline__ __attribute__((always_inline))
#define WF_MATH static __device__ __inline__ __attribute__((always_inline))

namespace wf_math {
// ---- the two widths alike ----
template <class T> struct of;
template <> struct of<float> {
  typedef int bits;
  enum { MANTISSA = 23, BIAS = 127, EXP_TERMS = 8, LOG_TERMS = 5, SIN_TERMS = 5, ATAN_TERMS = 10 };
  enum { ERF_TERMS = 18, ERFC_TERMS = 16 };
};
template <> struct of<double> {
  typedef long long bits;
  enum { MANTISSA = 52, BIAS = 1023, EXP_TERMS = 14, LOG_TERMS = 11, SIN_TERMS = 9 };
  enum { ATAN_TERMS = 21, ERF_TERMS = 36, ERFC_TERMS = 50 };
};
WF_MATH int bits_of(float x) {
  return __nvvm_bitcast_f2i(x);
}
WF_MATH long long bits_of(double x) {
  return __nvvm_bitcast_d2ll(x);
}
WF_MATH float from_bits(int b) {
  return __nvvm_bitcast_i2f(b);
}
WF_MATH double from_bits(long long b) {
  return __nvvm_bitcast_ll2d(b);
}
WF_MATH float fma(float a, float b, float c) {
  return __nvvm_fma_rn_f(a, b, c);
}
WF_MATH double fma(double a, double b, double c) {
  return __nvvm_fma_rn_d(a, b, c);
}
WF_MATH float abs(float x) {
  return __nvvm_fabs_f(x);
}
WF_MATH double abs(double x) {
  return __nvvm_fabs_d(x);
}
WF_MATH float sqrt(float x) {
  return __nvvm_sqrt_rn_f(x);
}
WF_MATH double sqrt(double x) {
  return __nvvm_sqrt_rn_d(x);
}
WF_MATH float even(float x) {
  return __builtin_rintf(x);
}
WF_MATH double even(double x) {
  return __builtin_rint(x);
}
WF_MATH float trunc(float x) {
  return __builtin_truncf(x);
}
WF_MATH double trunc(double x) {
  return __builtin_trunc(x);
}
template <class T> WF_MATH T infinity() {
  return from_bits((typename of<T>::bits)(2 * of<T>::BIAS + 1) << of<T>::MANTISSA);
}
template <class T> WF_MATH T nothing() {
  return infinity<T>() - infinity<T>();
}
template <class T> WF_MATH bool finite(T x) {
  return abs(x) < infinity<T>();
}
template <class T> WF_MATH T with_sign(T x, T sign) {
  const typename of<T>::bits top = (typename of<T>::bits)1 << (8 * sizeof(T) - 1);
  return from_bits((bits_of(x) & ~top) | (bits_of(sign) & top));
}

// ---- sums of series, by Horner; the constants are folded ----
template <class T, int K, int N> struct series {
  // 1/(2K+1) + z/(2K+3) + ..: of atanh; with -z of atan
  WF_MATH T odd(T z) { return fma(z, series<T, K + 1, N>::odd(z), T(1) / T(2 * K + 1)); }
  // 1/(2K+1)! - z/(2K+3)! ..
  WF_MATH T sine(T z) {
    return fma(-z / T((2 * K + 2) * (2 * K + 3)), series<T, K + 1, N>::sine(z), T(1));
  }
  WF_MATH T cosine(T z) {
    return fma(-z / T((2 * K + 1) * (2 * K + 2)), series<T, K + 1, N>::cosine(z), T(1));
  }
  // sum of (2x^2)^k / (2k+1)!!
  WF_MATH T error(T z) { return fma(z / T(2 * K + 3), series<T, K + 1, N>::error(z), T(1)); }
  // K/(x + (K+1)/(x + ..)) halves
  WF_MATH T tail(T x) { return (T(K) / 2) / (x + series<T, K + 1, N>::tail(x)); }
};
template <class T, int N> struct series<T, N, N> {
  WF_MATH T odd(T) { return T(1) / T(2 * N + 1); }
  WF_MATH T sine(T) { return T(1); }
  WF_MATH T cosine(T) { return T(1); }
  WF_MATH T error(T) { return T(1); }
  WF_MATH T tail(T) { return T(0); }
};
template <int K> struct factorial { static constexpr double value = K * factorial<K - 1>::value; };
template <> struct factorial<0> { static constexpr double value = 1; };
// 1/K! + r/(K+1)! ..
template <class T, int K, int N> struct exponential {
  WF_MATH T sum(T r) {
    return fma(r, exponential<T, K + 1, N>::sum(r), T(1 / factorial<K>::value));
  }
};
template <class T, int N> struct exponential<T, N, N> {
  WF_MATH T sum(T) { return T(1 / factorial<N>::value); }
};

// ---- powers of two ----
template <class T> WF_MATH T power_of_two(int k) { // of normal numbers
  return from_bits((typename of<T>::bits)(k + of<T>::BIAS) << of<T>::MANTISSA);
}
// x * 2^k, rounded once: what lies between are normal numbers
template <class T> WF_MATH T scale(T x, int k) {
  const int most = 4 * (of<T>::BIAS - 2);
  k = k < -most ? -most : k > most ? most : k;
  const T part = power_of_two<T>(k / 4);
  return x * part * part * part * power_of_two<T>(k - k / 4 * 3);
}
// x = m * 2^e with 1 <= m < 2, of finite x > 0
template <class T> WF_MATH T split(T x, int *e) {
  typedef typename of<T>::bits bits;
  const T least = power_of_two<T>(1 - of<T>::BIAS);
  int extra = 0;
  if (x < least) x *= power_of_two<T>(of<T>::MANTISSA + 1), extra = -(of<T>::MANTISSA + 1);
  const bits b = bits_of(x);
  *e = (int)(b >> of<T>::MANTISSA) - of<T>::BIAS + extra;
  const bits fraction = ((bits)1 << of<T>::MANTISSA) - 1;
  return from_bits((b & fraction) | (bits)of<T>::BIAS << of<T>::MANTISSA);
}

// ---- exponential and logarithm ----
WF_MATH float exp(float given) {
  const float x = given > 89 ? 89 : given < -104 ? -104 : given; // the ends give infinity and 0
  const float j = trunc(x * 1.44269504f);
  const float f = fma(j, -1.42860677e-6f, fma(j, -6.93145752e-1f, x)) * 1.44269502f;
  return __nvvm_ex2_approx_f(f) * __nvvm_ex2_approx_f(j);
}
WF_MATH double exp(double x) {
  const double j = even(x * 1.4426950408889634);
  const double r = fma(j, -1.9082149292705877e-10, fma(j, -6.93147180369123816490e-01, x));
  const double sum = exponential<double, 0, of<double>::EXP_TERMS>::sum(r);
  if (x > 710) return infinity<double>();
  if (x < -746) return 0;
  const int k = (int)j;
  return x == x ? sum * power_of_two<double>(k / 2) * power_of_two<double>(k - k / 2) : x;
}
template <class T> WF_MATH T expm1(T x) {
  if (abs(x) < T(0.35)) return x * exponential<T, 1, of<T>::EXP_TERMS>::sum(x);
  return exp(x) - 1;
}
// log(x) = e * log(2) + log(m), m near 1; log(m) = 2 atanh(s)
template <class T> WF_MATH T near_one(T x, int *e) {
  T m = split(x, e);
  if (m > T(1.41421356)) m *= T(0.5), *e += 1;
  return m;
}
template <class T> WF_MATH T odd_log(T x, T r) { // for what is no positive number
  if (x > 0) return x < infinity<T>() ? r : x;
  return x == 0 ? -infinity<T>() : x < 0 ? nothing<T>() : x;
}
template <class T> WF_MATH T log_of(T m) {
  const T s = (m - 1) / (m + 1), z = s * s;
  // m - 1 = f: 2s = f - s f, which keeps the last bits
  const T f = m - 1, tail = z * series<T, 1, of<T>::LOG_TERMS>::odd(z) * 2;
  return f - s * (f - tail);
}
template <class T> WF_MATH T log(T x) {
  int e;
  const T m = near_one(x, &e);
  const T high = sizeof(T) == 8 ? T(6.93147180369123816490e-01) : T(6.93145752e-1),
          low = sizeof(T) == 8 ? T(1.90821492927058770002e-10) : T(1.42860677e-6);
  return odd_log(x, fma(T(e), high, fma(T(e), low, log_of(m))));
}
template <class T> WF_MATH T log2(T x) {
  int e;
  const T m = near_one(x, &e);
  return odd_log(x, fma(log_of(m), T(1.44269504088896340736), T(e)));
}
template <class T> WF_MATH T log10(T x) {
  int e;
  const T m = near_one(x, &e);
  return odd_log(x, fma(log_of(m), T(0.43429448190325182765), T(e) * T(0.30102999566398119521)));
}
template <class T> WF_MATH T log1p(T x) {
  const T u = 1 + x;
  if (u == 1) return x;
  return u == infinity<T>() || !(u > 0) ? log(u) : log(u) * (x / (u - 1));
}

// ---- powers: the logarithm as a sum of two numbers ----
template <class T> WF_MATH bool whole(T y) {
  return trunc(y) == y;
}
template <class T> WF_MATH bool odd(T y) {
  return whole(y) && abs(y) < power_of_two<T>(of<T>::MANTISSA + 1) && trunc(y / 2) * 2 != y;
}
template <class T> WF_MATH T positive_power(T x, T y) { // of finite x > 0
#pragma clang fp contract(off)                          // what a rounding leaves is used
  int e;
  const T m = near_one(x, &e);
  const T f = m - 1, g = m + 1, g_low = 1 - (g - m), s = f / g;
  const T s_low = (fma(-s, g, f) - s * g_low) / g, z = s * s;
  T tail = 2 * (s * z * series<T, 1, of<T>::LOG_TERMS>::odd(z) + s_low);
  T high = 2 * s;
  const T ln2 = sizeof(T) == 8 ? T(6.93147180369123816490e-01) : T(6.93145752e-1),
          ln2_low = sizeof(T) == 8 ? T(1.90821492927058770002e-10) : T(1.42860677e-6);
  const T whole_part = T(e) * ln2, sum = whole_part + high;
  tail += e ? high - (sum - whole_part) : 0;
  high = sum;
  tail = fma(T(e), ln2_low, tail);
  const T p = y * high, rest = fma(y, high, -p) + y * tail;
  const T q = p + rest, q_low = rest - (q - p);
  const T r = exp(q);
  return finite(r) && finite(q_low) ? fma(r, q_low, r) : r;
}
template <class T> WF_MATH T pow(T x, T y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  const T a = abs(x);
  if (!finite(y)) return a == 1 ? T(1) : (a > 1) == (y > 0) ? infinity<T>() : T(0);
  T r = a == 0      ? (y > 0 ? T(0) : infinity<T>())
        : finite(a) ? positive_power(a, y)
                    : (y > 0 ? infinity<T>() : T(0));
  if (bits_of(x) >= 0) return r;
  if (!whole(y) && a != 0 && finite(a)) return nothing<T>();
  return odd(y) ? -r : r;
}
template <class T> WF_MATH T cube_root(T x) {
  const T a = abs(x);
  if (a == 0 || !finite(a)) return x;
  T r = exp(log(a) / 3);
  r -= (r - a / (r * r)) / 3;
  return with_sign(r, x);
}

// ---- sine and cosine: quarter turns, and what is left of them ----
WF_MATH double quarter(double x, int *turns) {
  const double k = even(x * 0.63661977236758134308);
  *turns = (int)(long long)k;
  double r = fma(k, -1.5707963267948966, x);
  r = fma(k, -6.123233995736766e-17, r);
  return fma(k, 1.4973849048591833e-33, r);
}
WF_MATH float quarter(float x, int *turns) {
  if (abs(x) > 30000) return (float)quarter((double)x, turns);
  const float k = even(x * 0.636619747f);
  *turns = (int)k;
  float r = fma(k, -1.57079601e+00f, x);
  r = fma(k, -3.13916473e-07f, r);
  return fma(k, -5.39030253e-15f, r);
}
template <class T> WF_MATH T small_sine(T r) {
  const T z = r * r;
  return fma(r * z * T(-1.0 / 6), series<T, 1, of<T>::SIN_TERMS>::sine(z), r);
}
template <class T> WF_MATH T small_cosine(T r) {
  const T z = r * r;
  return fma(z * T(-0.5), series<T, 1, of<T>::SIN_TERMS + 1>::cosine(z), T(1));
}
template <class T> WF_MATH T turned(T x, int more) {
  int turns;
  if (!finite(x)) return nothing<T>();
  const T r = quarter(x, &turns), v = (turns + more) & 1 ? small_cosine(r) : small_sine(r);
  return (turns + more) & 2 ? -v : v;
}
template <class T> WF_MATH T sin(T x) {
  return turned(x, 0);
}
template <class T> WF_MATH T cos(T x) {
  return turned(x, 1);
}
template <class T> WF_MATH T tan(T x) {
  return sin(x) / cos(x);
}
template <class T> WF_MATH T turned_pi(T x, int more) { // of pi * x
  if (!finite(x)) return nothing<T>();
  const T k = even(2 * x), r = fma(k, T(-0.5), x) * T(3.14159265358979323846);
  const int turns = (int)(long long)(k - 4 * trunc(k / 4)) + more;
  const T v = turns & 1 ? small_cosine(r) : small_sine(r);
  return turns & 2 ? -v : v;
}

// ---- arcs ----
template <class T> WF_MATH T atan(T x) {
  const T a = abs(x);
  const bool steep = a > 1;
  const T t = steep ? 1 / a : a;
  const bool upper = t > T(0.41421356);
  const T u = upper ? (t - 1) / (t + 1) : t, z = -u * u;
  T r = fma(u * z, series<T, 1, of<T>::ATAN_TERMS>::odd(z), u);
  if (upper) r += T(0.78539816339744830962);
  if (steep) r = T(1.57079632679489661923) - r;
  return x == x ? with_sign(r, x) : x;
}
template <class T> WF_MATH T atan2(T y, T x) {
  if (x != x || y != y) return x + y;
  const T a = abs(x), b = abs(y), pi = T(3.14159265358979323846);
  T r = a == b ? (a == 0 ? T(0) : pi / 4) : b < a ? atan(b / a) : pi / 2 - atan(a / b);
  if (bits_of(x) < 0) r = pi - r;
  return with_sign(r, y);
}
template <class T> WF_MATH T asin(T x) {
  const T a = abs(x);
  if (a > 1) return nothing<T>();
  return a == 1 ? with_sign(T(1.57079632679489661923), x) : atan(x / sqrt((1 - a) * (1 + a)));
}
template <class T> WF_MATH T acos(T x) {
  if (abs(x) > 1) return nothing<T>();
  return x == -1 ? T(3.14159265358979323846) : 2 * atan(sqrt((1 - x) / (1 + x)));
}

// ---- hyperbolic ----
template <class T> WF_MATH T sinh(T x) {
  const T a = abs(x);
  if (a > T(of<T>::BIAS) * T(0.69)) return with_sign(exp(a / 2) * (exp(a / 2) / 2), x);
  const T e = expm1(a);
  return with_sign((e + e / (e + 1)) / 2, x);
}
template <class T> WF_MATH T cosh(T x) {
  const T a = abs(x);
  if (a > T(of<T>::BIAS) * T(0.69)) return exp(a / 2) * (exp(a / 2) / 2);
  const T e = exp(a);
  return (e + 1 / e) / 2;
}
template <class T> WF_MATH T tanh(T x) {
  const T a = abs(x);
  const T e = expm1(2 * a), r = a > 22 ? T(1) : e / (e + 2);
  return x == x ? with_sign(r, x) : x;
}
template <class T> WF_MATH T asinh(T x) {
  const T a = abs(x);
  if (a > T(1e8)) return with_sign(log(a) + T(0.69314718055994530942), x);
  return with_sign(log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}
template <class T> WF_MATH T acosh(T x) {
  if (x > T(1e8)) return log(x) + T(0.69314718055994530942);
  return x < 1 ? nothing<T>() : log1p((x - 1) + sqrt((x - 1) * (x + 1)));
}
template <class T> WF_MATH T atanh(T x) {
  const T a = abs(x);
  return with_sign(log1p(2 * a / (1 - a)) / 2, x);
}

// ---- error function ----
template <class T> WF_MATH T erfc_far(T a) { // of a >= 2
  return exp(-a * a) * T(0.56418958354775628695) / (a + series<T, 1, of<T>::ERFC_TERMS>::tail(a));
}
template <class T> WF_MATH T erf_near(T x) { // of |x| < 2
  const T z = x * x;
  return T(1.12837916709551257390) * x * exp(-z) * series<T, 0, of<T>::ERF_TERMS>::error(2 * z);
}
template <class T> WF_MATH T erf(T x) {
  const T a = abs(x);
  if (a > 6) return with_sign(T(1), x);
  return a < 2 ? erf_near(x) : with_sign(1 - erfc_far(a), x);
}
template <class T> WF_MATH T erfc(T x) {
  const T a = abs(x);
  if (a < 2) return 1 - erf_near(x);
  const T r = a > 28 ? T(0) : erfc_far(a);
  return x < 0 ? 2 - r : r;
}

// ---- remainders, roots, parts ----
template <class T> WF_MATH T fmod(T x, T y) {
  T r = abs(x);
  const T d = abs(y);
  if (!finite(x) || d == 0 || d != d || x != x) return nothing<T>();
  if (d == infinity<T>()) return x;
  while (r >= d) { // the largest d * 2^k that r holds goes off, exactly
    int a, b;
    split(r, &a);
    split(d, &b);
    T step = scale(d, a - b);
    if (step > r) step = scale(d, a - b - 1);
    r -= step;
  }
  return with_sign(r, x);
}
template <class T> WF_MATH T hypot(T x, T y) {
  const T a = abs(x), b = abs(y);
  const T large = a > b ? a : b, small = a > b ? b : a;
  if (!finite(large)) return large;
  if (large == 0) return 0;
  int e;
  split(large, &e);
  const T p = scale(large, -e), q = scale(small, -e);
  return scale(sqrt(fma(p, p, q * q)), e);
}
template <class T> WF_MATH T round_away(T x) {
  const T t = trunc(x);
  return abs(x - t) >= T(0.5) ? t + with_sign(T(1), x) : with_sign(t, x);
}
template <class T> WF_MATH T frexp(T x, int *e) {
  const T a = abs(x);
  if (a == 0 || !finite(a)) return *e = 0, x;
  const T m = split(a, e);
  *e += 1;
  return with_sign(m / 2, x);
}
template <class T> WF_MATH int ilogb(T x) {
  const T a = abs(x);
  int e = a == 0 ? -2147483647 - 1 : 2147483647;
  if (a != 0 && finite(a)) split(a, &e);
  return e;
}
template <class T> WF_MATH T logb(T x) {
  return x == 0 ? -infinity<T>() : finite(x) ? T(ilogb(x)) : abs(x);
}
template <class T> WF_MATH T next(T x, T to) {
  if (x != x || to != to) return x + to;
  if (x == to) return to;
  if (x == 0) return with_sign(from_bits((typename of<T>::bits)1), to);
  return from_bits(bits_of(x) + ((x < to) == (x > 0) ? 1 : -1));
}
template <class T> WF_MATH T fdim(T x, T y) {
  return x > y ? x - y : x == x && y == y ? T(0) : x + y;
}
template <class T> WF_MATH T normal_below(T x) {
  return erfc(-x * T(0.70710678118654752440)) / 2;
}
} // namespace wf_math

#define WF_BOTH(NAME, EXPRESSION)                                                                  \
  WF_NV float __nv_##NAME##f(float x) {                                                            \
    return EXPRESSION;                                                                             \
  }                                                                                                \
  WF_NV double __nv_##NAME(double x) {                                                             \
    return EXPRESSION;                                                                             \
  }
WF_BOTH(exp, wf_math::exp(x))
WF_BOTH(expm1, wf_math::expm1(x))
WF_BOTH(log, wf_math::log(x))
WF_BOTH(log2, wf_math::log2(x))
WF_BOTH(log10, wf_math::log10(x))
WF_BOTH(log1p, wf_math::log1p(x))
WF_BOTH(sin, wf_math::sin(x))
WF_BOTH(cos, wf_math::cos(x))
WF_BOTH(tan, wf_math::tan(x))
WF_BOTH(sinpi, wf_math::turned_pi(x, 0))
WF_BOTH(cospi, wf_math::turned_pi(x, 1))
WF_BOTH(asin, wf_math::asin(x))
WF_BOTH(acos, wf_math::acos(x))
WF_BOTH(atan, wf_math::atan(x))
WF_BOTH(sinh, wf_math::sinh(x))
WF_BOTH(cosh, wf_math::cosh(x))
WF_BOTH(tanh, wf_math::tanh(x))
WF_BOTH(asinh, wf_math::asinh(x))
WF_BOTH(acosh, wf_math::acosh(x))
WF_BOTH(atanh, wf_math::atanh(x))
WF_BOTH(erf, wf_math::erf(x))
WF_BOTH(erfc, wf_math::erfc(x))
WF_BOTH(normcdf, wf_math::normal_below(x))
WF_BOTH(cbrt, wf_math::cube_root(x))
WF_BOTH(rcbrt, 1 / wf_math::cube_root(x))
WF_BOTH(sqrt, wf_math::sqrt(x))
WF_BOTH(fabs, wf_math::abs(x))
WF_BOTH(trunc, wf_math::trunc(x))
WF_BOTH(rint, wf_math::even(x))
WF_BOTH(nearbyint, wf_math::even(x))
WF_BOTH(round, wf_math::round_away(x))
WF_BOTH(logb, wf_math::logb(x))
WF_NV float __nv_exp2f(float x) {
  return __nvvm_ex2_approx_f(x);
}
WF_NV double __nv_exp2(double x) {
  return wf_math::pow(2.0, x);
}
WF_NV float __nv_exp10f(float x) {
  return wf_math::pow(10.0f, x);
}
WF_NV double __nv_exp10(double x) {
  return wf_math::pow(10.0, x);
}
WF_NV float __nv_ceilf(float x) {
  return __builtin_ceilf(x);
}
WF_NV double __nv_ceil(double x) {
  return __builtin_ceil(x);
}
WF_NV float __nv_floorf(float x) {
  return __builtin_floorf(x);
}
WF_NV double __nv_floor(double x) {
  return __builtin_floor(x);
}
WF_NV float __nv_rsqrtf(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
WF_NV double __nv_rsqrt(double x) {
  return 1 / wf_math::sqrt(x);
}
#undef WF_BOTH

#define WF_BOTH(NAME, EXPRESSION)                                                                  \
  WF_NV float __nv_##NAME##f(float x, float y) {                                                   \
    return EXPRESSION;                                                                             \
  }                                                                                                \
  WF_NV double __nv_##NAME(double x, double y) {                                                   \
    return EXPRESSION;                                                                             \
  }
WF_BOTH(pow, wf_math::pow(x, y))
WF_BOTH(atan2, wf_math::atan2(x, y))
WF_BOTH(fmod, wf_math::fmod(x, y))
WF_BOTH(hypot, wf_math::hypot(x, y))
WF_BOTH(rhypot, 1 / wf_math::hypot(x, y))
WF_BOTH(fdim, wf_math::fdim(x, y))
WF_BOTH(copysign, wf_math::with_sign(x, y))
WF_BOTH(nextafter, wf_math::next(x, y))
#undef WF_BOTH
WF_NV float __nv_fminf(float x, float y) {
  return __nvvm_fmin_f(x, y);
}
WF_NV double __nv_fmin(double x, double y) {
  return __nvvm_fmin_d(x, y);
}
WF_NV float __nv_fmaxf(float x, float y) {
  return __nvvm_fmax_f(x, y);
}
WF_NV double __nv_fmax(double x, double y) {
  return __nvvm_fmax_d(x, y);
}
WF_NV float __nv_fmaf(float x, float y, float z) {
  return wf_math::fma(x, y, z);
}
WF_NV double __nv_fma(double x, double y, double z) {
  return wf_math::fma(x, y, z);
}
WF_NV float __nv_powif(float x, int n) {
  return wf_math::pow(x, (float)n);
}
WF_NV double __nv_powi(double x, int n) {
  return wf_math::pow(x, (double)n);
}
WF_NV float __nv_ldexpf(float x, int k) {
  return wf_math::scale(x, k);
}
WF_NV double __nv_ldexp(double x, int k) {
  return wf_math::scale(x, k);
}
WF_NV float __nv_scalbnf(float x, int k) {
  return wf_math::scale(x, k);
}
WF_NV double __nv_scalbn(double x, int k) {
  return wf_math::scale(x, k);
}
WF_NV float __nv_frexpf(float x, int *e) {
  return wf_math::frexp(x, e);
}
WF_NV double __nv_frexp(double x, int *e) {
  return wf_math::frexp(x, e);
}
WF_NV int __nv_ilogbf(float x) {
  return wf_math::ilogb(x);
}
WF_NV int __nv_ilogb(double x) {
  return wf_math::ilogb(x);
}
WF_NV float __nv_modff(float x, float *whole) {
  *whole = wf_math::trunc(x);
  return wf_math::finite(x) ? wf_math::with_sign(x - *whole, x) : wf_math::with_sign(0.0f, x);
}
WF_NV double __nv_modf(double x, double *whole) {
  *whole = wf_math::trunc(x);
  return wf_math::finite(x) ? wf_math::with_sign(x - *whole, x) : wf_math::with_sign(0.0, x);
}
WF_NV void __nv_sincosf(float x, float *s, float *c) {
  *s = wf_math::sin(x);
  *c = wf_math::cos(x);
}
WF_NV void __nv_sincos(double x, double *s, double *c) {
  *s = wf_math::sin(x);
  *c = wf_math::cos(x);
}
WF_NV void __nv_sincospif(float x, float *s, float *c) {
  *s = wf_math::turned_pi(x, 0);
  *c = wf_math::turned_pi(x, 1);
}
WF_NV void __nv_sincospi(double x, double *s, double *c) {
  *s = wf_math::turned_pi(x, 0);
  *c = wf_math::turned_pi(x, 1);
}
WF_NV float __nv_norm3df(float x, float y, float z) {
  return wf_math::hypot(wf_math::hypot(x, y), z);
}
WF_NV double __nv_norm3d(double x, double y, double z) {
  return wf_math::hypot(wf_math::hypot(x, y), z);
}
WF_NV long long __nv_llrintf(float x) {
  return __nvvm_f2ll_rn(x);
}
WF_NV long long __nv_llrint(double x) {
  return __nvvm_d2ll_rn(x);
}
WF_NV long long __nv_llroundf(float x) {
  return __nvvm_f2ll_rz(wf_math::round_away(x));
}
WF_NV long long __nv_llround(double x) {
  return __nvvm_d2ll_rz(wf_math::round_away(x));
}
WF_NV int __nv_isinff(float x) {
  return wf_math::abs(x) == wf_math::infinity<float>();
}
WF_NV int __nv_isinfd(double x) {
  return wf_math::abs(x) == wf_math::infinity<double>();
}
WF_NV int __nv_isnanf(float x) {
  return x != x;
}
WF_NV int __nv_isnand(double x) {
  return x != x;
}
WF_NV int __nv_finitef(float x) {
  return wf_math::finite(x);
}
WF_NV int __nv_isfinited(double x) {
  return wf_math::finite(x);
}
WF_NV int __nv_signbitf(float x) {
  return wf_math::bits_of(x) < 0;
}
WF_NV int __nv_signbitd(double x) {
  return wf_math::bits_of(x) < 0;
}

// ---- fast ones: what an instruction gives ----
WF_NV float __nv_fast_expf(float x) {
  return __nvvm_ex2_approx_f(x * 1.44269504f);
}
WF_NV float __nv_fast_exp10f(float x) {
  return __nvvm_ex2_approx_f(x * 3.32192810f);
}
WF_NV float __nv_fast_logf(float x) {
  return __nvvm_lg2_approx_f(x) * 0.693147182f;
}
WF_NV float __nv_fast_log2f(float x) {
  return __nvvm_lg2_approx_f(x);
}
WF_NV float __nv_fast_log10f(float x) {
  return __nvvm_lg2_approx_f(x) * 0.301029996f;
}
WF_NV float __nv_fast_sinf(float x) {
  return __nvvm_sin_approx_f(x);
}
WF_NV float __nv_fast_cosf(float x) {
  return __nvvm_cos_approx_f(x);
}
WF_NV float __nv_fast_tanf(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
WF_NV void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}
WF_NV float __nv_fast_powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
WF_NV float __nv_fast_fdividef(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
WF_NV float __nv_saturatef(float x) {
  return __nvvm_saturate_f(x);
}
WF_NV float __nv_frsqrt_rn(float x) {
  return 1 / wf_math::sqrt(x);
}

// ---- integers ----
WF_NV int __nv_abs(int x) {
  return x < 0 ? -x : x;
}
WF_NV long long __nv_llabs(long long x) {
  return x < 0 ? -x : x;
}
WF_NV int __nv_min(int x, int y) {
  return x < y ? x : y;
}
WF_NV int __nv_max(int x, int y) {
  return x > y ? x : y;
}
WF_NV unsigned __nv_umin(unsigned x, unsigned y) {
  return x < y ? x : y;
}
WF_NV unsigned __nv_umax(unsigned x, unsigned y) {
  return x > y ? x : y;
}
WF_NV long long __nv_llmin(long long x, long long y) {
  return x < y ? x : y;
}
WF_NV long long __nv_llmax(long long x, long long y) {
  return x > y ? x : y;
}
WF_NV unsigned long long __nv_ullmin(unsigned long long x, unsigned long long y) {
  return x < y ? x : y;
}
WF_NV unsigned long long __nv_ullmax(unsigned long long x, unsigned long long y) {
  return x > y ? x : y;
}
WF_NV int __nv_clz(int x) {
  return x ? __builtin_clz((unsigned)x) : 32;
}
WF_NV int __nv_clzll(long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
WF_NV int __nv_ffs(int x) {
  return __builtin_ffs(x);
}
WF_NV int __nv_ffsll(long long x) {
  return __builtin_ffsll(x);
}
WF_NV int __nv_popc(int x) {
  return __builtin_popcount((unsigned)x);
}
WF_NV int __nv_popcll(long long x) {
  return __builtin_popcountll((unsigned long long)x);
}
WF_NV int __nv_brev(int x) {
  return (int)__builtin_bitreverse32((unsigned)x);
}
WF_NV long long __nv_brevll(long long x) {
  return (long long)__builtin_bitreverse64((unsigned long long)x);
}
WF_NV int __nv_mulhi(int x, int y) {
  return (int)((long long)x * y >> 32);
}
WF_NV unsigned __nv_umulhi(unsigned x, unsigned y) {
  return (unsigned)((unsigned long long)x * y >> 32);
}
WF_NV long long __nv_mul64hi(long long x, long long y) {
  return (long long)((__int128)x * y >> 64);
}
WF_NV unsigned long long __nv_umul64hi(unsigned long long x, unsigned long long y) {
  return (unsigned long long)((unsigned __int128)x * y >> 64);
}
WF_NV int __nv_mul24(int x, int y) {
  return (int)((unsigned)(x << 8 >> 8) * (unsigned)(y << 8 >> 8));
}
WF_NV unsigned __nv_umul24(unsigned x, unsigned y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
WF_NV unsigned __nv_sad(int x, int y, unsigned z) {
  return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
WF_NV unsigned __nv_usad(unsigned x, unsigned y, unsigned z) {
  return z + (x > y ? x - y : y - x);
}
WF_NV int __nv_hadd(int x, int y) {
  return (int)(((long long)x + y) >> 1);
}
WF_NV int __nv_rhadd(int x, int y) {
  return (int)(((long long)x + y + 1) >> 1);
}
WF_NV int __nv_uhadd(unsigned x, unsigned y) {
  return (int)(((unsigned long long)x + y) >> 1);
}
WF_NV unsigned __nv_urhadd(unsigned x, unsigned y) {
  return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}

// ---- bits and conversions ----
WF_NV int __nv_float_as_int(float x) {
  return wf_math::bits_of(x);
}
WF_NV unsigned __nv_float_as_uint(float x) {
  return (unsigned)wf_math::bits_of(x);
}
WF_NV float __nv_int_as_float(int x) {
  return wf_math::from_bits(x);
}
WF_NV float __nv_uint_as_float(unsigned x) {
  return wf_math::from_bits((int)x);
}
WF_NV unsigned long long __nv_double_as_longlong(double x) {
  return (unsigned long long)wf_math::bits_of(x);
}
WF_NV double __nv_longlong_as_double(long long x) {
  return wf_math::from_bits(x);
}
WF_NV int __nv_double2hiint(double x) {
  return (int)(wf_math::bits_of(x) >> 32);
}
WF_NV int __nv_double2loint(double x) {
  return (int)wf_math::bits_of(x);
}
WF_NV double __nv_hiloint2double(int high, int low) {
  return wf_math::from_bits((long long)high << 32 | (unsigned)low);
}
WF_NV double __nv_int2double_rn(int x) {
  return x;
}
WF_NV double __nv_uint2double_rn(unsigned x) {
  return x;
}

#ifdef __CUDA__
WF_NV int __nv_byte_perm(int x, int y, int s) {
  int r;
  __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(s));
  return r;
}
WF_NV unsigned short __nv_float2half_rn(float x) {
  unsigned short r;
  __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
  return r;
}
WF_NV float __nv_half2float(unsigned short x) {
  float r;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
  return r;
}
// One operation in each direction of rounding: CUDA's name of it, the instruction's.
#define WF_ROUNDED(MODE, PTX)                                                                      \
  WF_NV float __nv_fadd_##MODE(float x, float y) {                                                 \
    return __nvvm_add_##PTX##_f(x, y);                                                             \
  }                                                                                                \
  WF_NV float __nv_fsub_##MODE(float x, float y) {                                                 \
    return __nvvm_add_##PTX##_f(x, -y);                                                            \
  }                                                                                                \
  WF_NV float __nv_fmul_##MODE(float x, float y) {                                                 \
    return __nvvm_mul_##PTX##_f(x, y);                                                             \
  }                                                                                                \
  WF_NV float __nv_fdiv_##MODE(float x, float y) {                                                 \
    return __nvvm_div_##PTX##_f(x, y);                                                             \
  }                                                                                                \
  WF_NV float __nv_frcp_##MODE(float x) {                                                          \
    return __nvvm_rcp_##PTX##_f(x);                                                                \
  }                                                                                                \
  WF_NV float __nv_fsqrt_##MODE(float x) {                                                         \
    return __nvvm_sqrt_##PTX##_f(x);                                                               \
  }                                                                                                \
  WF_NV float __nv_fmaf_##MODE(float x, float y, float z) {                                        \
    return __nvvm_fma_##PTX##_f(x, y, z);                                                          \
  }                                                                                                \
  WF_NV double __nv_dadd_##MODE(double x, double y) {                                              \
    return __nvvm_add_##PTX##_d(x, y);                                                             \
  }                                                                                                \
  WF_NV double __nv_dsub_##MODE(double x, double y) {                                              \
    return __nvvm_add_##PTX##_d(x, -y);                                                            \
  }                                                                                                \
  WF_NV double __nv_dmul_##MODE(double x, double y) {                                              \
    return __nvvm_mul_##PTX##_d(x, y);                                                             \
  }                                                                                                \
  WF_NV double __nv_ddiv_##MODE(double x, double y) {                                              \
    return __nvvm_div_##PTX##_d(x, y);                                                             \
  }                                                                                                \
  WF_NV double __nv_drcp_##MODE(double x) {                                                        \
    return __nvvm_rcp_##PTX##_d(x);                                                                \
  }                                                                                                \
  WF_NV double __nv_dsqrt_##MODE(double x) {                                                       \
    return __nvvm_sqrt_##PTX##_d(x);                                                               \
  }                                                                                                \
  WF_NV double __nv_fma_##MODE(double x, double y, double z) {                                     \
    return __nvvm_fma_##PTX##_d(x, y, z);                                                          \
  }                                                                                                \
  WF_NV int __nv_float2int_##MODE(float x) {                                                       \
    return __nvvm_f2i_##PTX(x);                                                                    \
  }                                                                                                \
  WF_NV unsigned __nv_float2uint_##MODE(float x) {                                                 \
    return __nvvm_f2ui_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV long long __nv_float2ll_##MODE(float x) {                                                  \
    return __nvvm_f2ll_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV unsigned long long __nv_float2ull_##MODE(float x) {                                        \
    return __nvvm_f2ull_##PTX(x);                                                                  \
  }                                                                                                \
  WF_NV int __nv_double2int_##MODE(double x) {                                                     \
    return __nvvm_d2i_##PTX(x);                                                                    \
  }                                                                                                \
  WF_NV unsigned __nv_double2uint_##MODE(double x) {                                               \
    return __nvvm_d2ui_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV long long __nv_double2ll_##MODE(double x) {                                                \
    return __nvvm_d2ll_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV unsigned long long __nv_double2ull_##MODE(double x) {                                      \
    return __nvvm_d2ull_##PTX(x);                                                                  \
  }                                                                                                \
  WF_NV float __nv_double2float_##MODE(double x) {                                                 \
    return __nvvm_d2f_##PTX(x);                                                                    \
  }                                                                                                \
  WF_NV float __nv_int2float_##MODE(int x) {                                                       \
    return __nvvm_i2f_##PTX(x);                                                                    \
  }                                                                                                \
  WF_NV float __nv_uint2float_##MODE(unsigned x) {                                                 \
    return __nvvm_ui2f_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV float __nv_ll2float_##MODE(long long x) {                                                  \
    return __nvvm_ll2f_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV float __nv_ull2float_##MODE(unsigned long long x) {                                        \
    return __nvvm_ull2f_##PTX(x);                                                                  \
  }                                                                                                \
  WF_NV double __nv_ll2double_##MODE(long long x) {                                                \
    return __nvvm_ll2d_##PTX(x);                                                                   \
  }                                                                                                \
  WF_NV double __nv_ull2double_##MODE(unsigned long long x) {                                      \
    return __nvvm_ull2d_##PTX(x);                                                                  \
  }
WF_ROUNDED(rn, rn)
WF_ROUNDED(rz, rz)
WF_ROUNDED(rd, rm)
WF_ROUNDED(ru, rp)
#undef WF_ROUNDED
#endif

#undef WF_NV
#undef WF_MATH

#endif
