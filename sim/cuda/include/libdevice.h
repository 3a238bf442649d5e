// The mathematics behind clang's CUDA headers (`__nv_...`), which a CUDA installation brings as
// libdevice. What is not here is refused by name when the program is loaded. How far off each is
// from the true value: docs/your-program.md, measured by tests/cuda/accuracy.sh.
#ifndef WARPFAB_LIBDEVICE_H
#define WARPFAB_LIBDEVICE_H

#define WF_NV extern "C" __device__ __inline__ __attribute__((always_inline))
#define WF_MATH static __device__ __inline__ __attribute__((always_inline))
#define WF_LARGE static __device__ __inline__ // the compiler may leave it a function

namespace wf_math {
// ---- the two widths alike ----
template <class WfT> struct of;
template <> struct of<float> {
  typedef int bits;
  enum { MANTISSA = 23, BIAS = 127, EXP_TERMS = 8, LOG_TERMS = 5, SIN_TERMS = 5, ATAN_TERMS = 10 };
  enum { ERF_TERMS = 18, ERFC_TERMS = 16, TAYLOR_TERMS = 8 };
};
template <> struct of<double> {
  typedef long long bits;
  enum { MANTISSA = 52, BIAS = 1023, EXP_TERMS = 14, LOG_TERMS = 11, SIN_TERMS = 9 };
  enum { ATAN_TERMS = 21, ERF_TERMS = 36, ERFC_TERMS = 60, TAYLOR_TERMS = 16 };
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
template <class WfT> WF_MATH WfT infinity() {
  return from_bits((typename of<WfT>::bits)(2 * of<WfT>::BIAS + 1) << of<WfT>::MANTISSA);
}
template <class WfT> WF_MATH WfT nothing() {
  return infinity<WfT>() - infinity<WfT>();
}
template <class WfT> WF_MATH bool finite(WfT x) {
  return abs(x) < infinity<WfT>();
}
template <class WfT> WF_MATH WfT with_sign(WfT x, WfT sign) {
  const typename of<WfT>::bits top = (typename of<WfT>::bits)1 << (8 * sizeof(WfT) - 1);
  return from_bits((bits_of(x) & ~top) | (bits_of(sign) & top));
}

// ---- sums of series, by Horner; the constants are folded ----
template <class WfT, int WfK, int WfN> struct series {
  // 1/(2K+1) + z/(2K+3) + ..: of atanh; with -z of atan
  WF_MATH WfT odd(WfT z) {
    return fma(z, series<WfT, WfK + 1, WfN>::odd(z), WfT(1) / WfT(2 * WfK + 1));
  }
  // 1/(2K+1)! - z/(2K+3)! ..
  WF_MATH WfT sine(WfT z) {
    return fma(-z / WfT((2 * WfK + 2) * (2 * WfK + 3)), series<WfT, WfK + 1, WfN>::sine(z), WfT(1));
  }
  WF_MATH WfT cosine(WfT z) {
    return fma(-z / WfT((2 * WfK + 1) * (2 * WfK + 2)), series<WfT, WfK + 1, WfN>::cosine(z),
               WfT(1));
  }
  // sum of (2x^2)^k / (2k+1)!!
  WF_MATH WfT error(WfT z) {
    return fma(z / WfT(2 * WfK + 3), series<WfT, WfK + 1, WfN>::error(z), WfT(1));
  }
  // K/(x + (K+1)/(x + ..)) halves
  WF_MATH WfT tail(WfT x) { return (WfT(WfK) / 2) / (x + series<WfT, WfK + 1, WfN>::tail(x)); }
};
template <class WfT, int WfN> struct series<WfT, WfN, WfN> {
  WF_MATH WfT odd(WfT) { return WfT(1) / WfT(2 * WfN + 1); }
  WF_MATH WfT sine(WfT) { return WfT(1); }
  WF_MATH WfT cosine(WfT) { return WfT(1); }
  WF_MATH WfT error(WfT) { return WfT(1); }
  WF_MATH WfT tail(WfT) { return WfT(0); }
};
template <int WfK> struct factorial {
  static constexpr double value = WfK * factorial<WfK - 1>::value;
};
template <> struct factorial<0> { static constexpr double value = 1; };
// 1/WfK! + r/(WfK+1)! ..
template <class WfT, int WfK, int WfN> struct exponential {
  WF_MATH WfT sum(WfT r) {
    return fma(r, exponential<WfT, WfK + 1, WfN>::sum(r), WfT(1 / factorial<WfK>::value));
  }
};
template <class WfT, int WfN> struct exponential<WfT, WfN, WfN> {
  WF_MATH WfT sum(WfT) { return WfT(1 / factorial<WfN>::value); }
};

// ---- powers of two ----
template <class WfT> WF_MATH WfT power_of_two(int k) { // of normal numbers
  return from_bits((typename of<WfT>::bits)(k + of<WfT>::BIAS) << of<WfT>::MANTISSA);
}
// x * 2^k, rounded once: what lies between are normal numbers
template <class WfT> WF_MATH WfT scale(WfT x, int k) {
  const int most = 4 * (of<WfT>::BIAS - 2);
  k = k < -most ? -most : k > most ? most : k;
  const WfT part = power_of_two<WfT>(k / 4);
  return x * part * part * part * power_of_two<WfT>(k - k / 4 * 3);
}
// x = m * 2^e with 1 <= m < 2, of finite x > 0
template <class WfT> WF_MATH WfT split(WfT x, int *e) {
  typedef typename of<WfT>::bits bits;
  const WfT least = power_of_two<WfT>(1 - of<WfT>::BIAS);
  int extra = 0;
  if (x < least) x *= power_of_two<WfT>(of<WfT>::MANTISSA + 1), extra = -(of<WfT>::MANTISSA + 1);
  const bits b = bits_of(x);
  *e = (int)(b >> of<WfT>::MANTISSA) - of<WfT>::BIAS + extra;
  const bits fraction = ((bits)1 << of<WfT>::MANTISSA) - 1;
  return from_bits((b & fraction) | (bits)of<WfT>::BIAS << of<WfT>::MANTISSA);
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
template <class WfT> WF_MATH WfT expm1(WfT x) {
  if (abs(x) < WfT(0.35)) return x * exponential<WfT, 1, of<WfT>::EXP_TERMS>::sum(x);
  return exp(x) - 1;
}
// log(x) = e * log(2) + log(m), m near 1; log(m) = 2 atanh(s)
template <class WfT> WF_MATH WfT near_one(WfT x, int *e) {
  WfT m = split(x, e);
  if (m > WfT(1.41421356)) m *= WfT(0.5), *e += 1;
  return m;
}
template <class WfT> WF_MATH WfT odd_log(WfT x, WfT r) { // for what is no positive number
  if (x > 0) return x < infinity<WfT>() ? r : x;
  return x == 0 ? -infinity<WfT>() : x < 0 ? nothing<WfT>() : x;
}
template <class WfT> WF_MATH WfT log_of(WfT m) {
  const WfT s = (m - 1) / (m + 1), z = s * s;
  // m - 1 = f: 2s = f - s f, which keeps the last bits
  const WfT f = m - 1, tail = z * series<WfT, 1, of<WfT>::LOG_TERMS>::odd(z) * 2;
  return f - s * (f - tail);
}
template <class WfT> WF_MATH WfT log(WfT x) {
  int e;
  const WfT m = near_one(x, &e);
  const WfT high = sizeof(WfT) == 8 ? WfT(6.93147180369123816490e-01) : WfT(6.93145752e-1),
            low = sizeof(WfT) == 8 ? WfT(1.90821492927058770002e-10) : WfT(1.42860677e-6);
  return odd_log(x, fma(WfT(e), high, fma(WfT(e), low, log_of(m))));
}
template <class WfT> WF_MATH WfT log2(WfT x) {
  int e;
  const WfT m = near_one(x, &e);
  return odd_log(x, fma(log_of(m), WfT(1.44269504088896340736), WfT(e)));
}
template <class WfT> WF_MATH WfT log10(WfT x) {
  int e;
  const WfT m = near_one(x, &e);
  return odd_log(x,
                 fma(log_of(m), WfT(0.43429448190325182765), WfT(e) * WfT(0.30102999566398119521)));
}
template <class WfT> WF_MATH WfT log1p(WfT x) {
  const WfT u = 1 + x;
  if (u == 1) return x;
  return u == infinity<WfT>() || !(u > 0) ? log(u) : log(u) * (x / (u - 1));
}

// ---- powers: the logarithm as a sum of two numbers ----
template <class WfT> WF_MATH bool whole(WfT y) {
  return trunc(y) == y;
}
template <class WfT> WF_MATH bool odd(WfT y) {
  return whole(y) && abs(y) < power_of_two<WfT>(of<WfT>::MANTISSA + 1) && trunc(y / 2) * 2 != y;
}
template <class WfT> WF_MATH WfT positive_power(WfT x, WfT y) { // of finite x > 0
#pragma clang fp contract(off)                                  // what a rounding leaves is used
  int e;
  const WfT m = near_one(x, &e);
  const WfT f = m - 1, g = m + 1, g_low = m < 1 ? m - (g - 1) : 1 - (g - m), s = f / g;
  const WfT s_low = (fma(-s, g, f) - s * g_low) / g, z = s * s;
  // 2s + 2/3 s^3, and what lies below
  const WfT c = WfT(0.66666666666666666667),
            c_low = sizeof(WfT) == 8 ? WfT(3.7007434154171883e-17) : WfT(-1.98682149e-08);
  const WfT cube = s * z, cube_low = fma(s, z, -cube) + s * fma(s, s, -z) + 3 * s_low * z;
  const WfT third = cube * c, third_low = fma(cube, c, -third) + cube * c_low + cube_low * c;
  WfT high = 2 * s + third;
  WfT tail = third - (high - 2 * s) + third_low + 2 * s_low +
             2 * cube * z * series<WfT, 2, of<WfT>::LOG_TERMS>::odd(z);
  const WfT ln2 = sizeof(WfT) == 8 ? WfT(6.93147180369123816490e-01) : WfT(6.93145752e-1),
            ln2_low = sizeof(WfT) == 8 ? WfT(1.90821492927058770002e-10) : WfT(1.42860677e-6);
  const WfT whole_part = WfT(e) * ln2, sum = whole_part + high;
  tail += e ? high - (sum - whole_part) : 0;
  high = sum;
  tail = fma(WfT(e), ln2_low, tail);
  const WfT p = y * high, rest = fma(y, high, -p) + y * tail;
  const WfT q = finite(p) ? p + rest : p, q_low = rest - (q - p);
  const WfT r = exp(q);
  return finite(r) && finite(q_low) ? fma(r, q_low, r) : r;
}
template <class WfT> WF_MATH WfT pow(WfT x, WfT y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  const WfT a = abs(x);
  if (!finite(y)) return a == 1 ? WfT(1) : (a > 1) == (y > 0) ? infinity<WfT>() : WfT(0);
  WfT r = a == 0      ? (y > 0 ? WfT(0) : infinity<WfT>())
          : finite(a) ? positive_power(a, y)
                      : (y > 0 ? infinity<WfT>() : WfT(0));
  if (bits_of(x) >= 0) return r;
  if (!whole(y) && a != 0 && finite(a)) return nothing<WfT>();
  return odd(y) ? -r : r;
}
template <class WfT> WF_MATH WfT cube_root(WfT x) {
  const WfT a = abs(x);
  if (a == 0 || !finite(a)) return x;
  WfT r = exp(log(a) / 3);
  r -= (r - a / (r * r)) / 3;
  return with_sign(r, x);
}

// ---- sine and cosine: quarter turns, and what is left of them ----
// Bit j, from the highest of the second word on, is 2^-j of 2 / pi.
static __device__ const unsigned long long two_over_pi[21] = {0,
                                                              0x517cc1b727220a94u,
                                                              0xfe13abe8fa9a6ee0u,
                                                              0x6db14acc9e21c820u,
                                                              0xff28b1d5ef5de2b0u,
                                                              0xdb92371d2126e970u,
                                                              0x0324977504e8c90eu,
                                                              0x7f0ef58e5894d39fu,
                                                              0x74411afa975da242u,
                                                              0x74ce38135a2fbf20u,
                                                              0x9cc8eb1cc1a99cfau,
                                                              0x4e422fc5defc941du,
                                                              0x8ffc4bffef02cc07u,
                                                              0xf79788c5ad05368fu,
                                                              0xb69b3f6793e584dbu,
                                                              0xa7a31fb34f2ff516u,
                                                              0xba93dd63f5f2f8bdu,
                                                              0x9e839cfbc5294975u,
                                                              0x35fdafd88fc6ae84u,
                                                              0x2b0198237e3db5d5u,
                                                              0xf867de104d7a1b0eu};
// x = m * 2^e, of 2^-10 or more: the bits of 2 / pi that make whole turns of m * 2^e * 2 / pi are
// left out, 192 others times m have its quarter turns in the highest two (Payne and Hanek).
WF_LARGE double far_quarter(double x, int *turns) {
  typedef unsigned long long word;
  typedef unsigned __int128 wide;
  const word m = ((word)bits_of(x) & 0xfffffffffffffu) | 0x10000000000000u;
  const int first = (int)((word)bits_of(x) >> 52 & 0x7ff) - 1023 - 52 - 1 + 64, shift = first & 63;
  const word *from = two_over_pi + (first >> 6);
  word f[3];
  for (int i = 0; i < 3; i++)
    f[i] = shift ? from[i] << shift | from[i + 1] >> (64 - shift) : from[i];
  const wide low = (wide)f[2] * m, middle = (wide)f[1] * m + (word)(low >> 64);
  word high = f[0] * m + (word)(middle >> 64), next = (word)middle, last = (word)low;
  *turns = (int)((high + (1ull << 61)) >> 62);
  high <<= 2, high |= next >> 62, next = next << 2 | last >> 62, last <<= 2; // of a quarter turn
  const bool minus = high >> 63; // the nearest turn lies above
  if (minus) high = ~high, next = ~next, last = ~last;
  int zeros = 0;
  if (!high) high = next, next = last, last = 0, zeros = 64;
  const int more = high ? __builtin_clzll(high) : 63;
  if (more) high = high << more | next >> (64 - more), next = next << more | last >> (64 - more);
  const double scale = power_of_two<double>(-64 - zeros - more);
  const double big = (double)(high & ~0x7ffull) * scale,
               rest = ((double)(high & 0x7ff) + (double)next * 5.421010862427522e-20) * scale;
  const double r =
      fma(big, 1.5707963267948966, fma(big, 6.123233995736766e-17, rest * 1.5707963267948966));
  if (bits_of(x) < 0) *turns = -*turns;
  return minus != (bits_of(x) < 0) ? -r : r;
}
WF_MATH double quarter(double x, int *turns) {
  if (abs(x) >= 1e9) return far_quarter(x, turns);
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
template <class WfT> WF_MATH WfT small_sine(WfT r) {
  const WfT z = r * r;
  return fma(r * z * WfT(-1.0 / 6), series<WfT, 1, of<WfT>::SIN_TERMS>::sine(z), r);
}
template <class WfT> WF_MATH WfT small_cosine(WfT r) {
  const WfT z = r * r;
  return fma(z * WfT(-0.5), series<WfT, 1, of<WfT>::SIN_TERMS + 1>::cosine(z), WfT(1));
}
template <class WfT> WF_MATH WfT turned(WfT x, int more) {
  int turns;
  if (!finite(x)) return nothing<WfT>();
  const WfT r = quarter(x, &turns), v = (turns + more) & 1 ? small_cosine(r) : small_sine(r);
  return (turns + more) & 2 ? -v : v;
}
template <class WfT> WF_MATH WfT sin(WfT x) {
  return turned(x, 0);
}
template <class WfT> WF_MATH WfT cos(WfT x) {
  return turned(x, 1);
}
template <class WfT> WF_MATH WfT tan(WfT x) {
  return sin(x) / cos(x);
}
template <class WfT> WF_MATH WfT turned_pi(WfT x, int more) { // of pi * x
  if (!finite(x)) return nothing<WfT>();
  if (abs(x) >= power_of_two<WfT>(of<WfT>::MANTISSA + 1)) x = with_sign(WfT(0), x); // whole turns
  const WfT k = even(2 * x), r = fma(k, WfT(-0.5), x) * WfT(3.14159265358979323846);
  const int turns = (int)(long long)(k - 4 * trunc(k / 4)) + more;
  const WfT v = turns & 1 ? small_cosine(r) : small_sine(r);
  return turns & 2 ? -v : v;
}

// ---- arcs ----
template <class WfT> WF_MATH WfT atan(WfT x) {
  const WfT a = abs(x);
  const bool steep = a > 1;
  const WfT t = steep ? 1 / a : a;
  const bool upper = t > WfT(0.41421356);
  const WfT u = upper ? (t - 1) / (t + 1) : t, z = -u * u;
  WfT r = fma(u * z, series<WfT, 1, of<WfT>::ATAN_TERMS>::odd(z), u);
  if (upper) r += WfT(0.78539816339744830962);
  if (steep) r = WfT(1.57079632679489661923) - r;
  return x == x ? with_sign(r, x) : x;
}
template <class WfT> WF_MATH WfT atan2(WfT y, WfT x) {
  if (x != x || y != y) return x + y;
  const WfT a = abs(x), b = abs(y), pi = WfT(3.14159265358979323846);
  WfT r = a == b ? (a == 0 ? WfT(0) : pi / 4) : b < a ? atan(b / a) : pi / 2 - atan(a / b);
  if (bits_of(x) < 0) r = pi - r;
  return with_sign(r, y);
}
template <class WfT> WF_MATH WfT asin(WfT x) {
  const WfT a = abs(x);
  if (a > 1) return nothing<WfT>();
  return a == 1 ? with_sign(WfT(1.57079632679489661923), x) : atan(x / sqrt((1 - a) * (1 + a)));
}
template <class WfT> WF_MATH WfT acos(WfT x) {
  if (abs(x) > 1) return nothing<WfT>();
  return x == -1 ? WfT(3.14159265358979323846) : 2 * atan(sqrt((1 - x) / (1 + x)));
}

// ---- hyperbolic ----
template <class WfT> WF_MATH WfT sinh(WfT x) {
  const WfT a = abs(x);
  if (a > WfT(of<WfT>::BIAS) * WfT(0.69)) return with_sign(exp(a / 2) * (exp(a / 2) / 2), x);
  const WfT e = expm1(a);
  return with_sign((e + e / (e + 1)) / 2, x);
}
template <class WfT> WF_MATH WfT cosh(WfT x) {
  const WfT a = abs(x);
  if (a > WfT(of<WfT>::BIAS) * WfT(0.69)) return exp(a / 2) * (exp(a / 2) / 2);
  const WfT e = exp(a);
  return (e + 1 / e) / 2;
}
template <class WfT> WF_MATH WfT tanh(WfT x) {
  const WfT a = abs(x);
  const WfT e = expm1(2 * a), r = a > 22 ? WfT(1) : e / (e + 2);
  return x == x ? with_sign(r, x) : x;
}
template <class WfT> WF_MATH WfT asinh(WfT x) {
  const WfT a = abs(x);
  if (a > WfT(1e8)) return with_sign(log(a) + WfT(0.69314718055994530942), x);
  return with_sign(log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}
template <class WfT> WF_MATH WfT acosh(WfT x) {
  if (x > WfT(1e8)) return log(x) + WfT(0.69314718055994530942);
  return x < 1 ? nothing<WfT>() : log1p((x - 1) + sqrt((x - 1) * (x + 1)));
}
template <class WfT> WF_MATH WfT atanh(WfT x) {
  const WfT a = abs(x);
  return with_sign(log1p(2 * a / (1 - a)) / 2, x);
}

// ---- remainders, roots, parts ----
template <class WfT> WF_MATH WfT fmod(WfT x, WfT y) {
  WfT r = abs(x);
  const WfT d = abs(y);
  if (!finite(x) || d == 0 || d != d || x != x) return nothing<WfT>();
  if (d == infinity<WfT>()) return x;
  while (r >= d) { // the largest d * 2^k that r holds goes off, exactly
    int a, b;
    split(r, &a);
    split(d, &b);
    WfT step = scale(d, a - b);
    if (step > r) step = scale(d, a - b - 1);
    r -= step;
  }
  return with_sign(r, x);
}
// x - n y for the whole n nearest to x/y; the last three bits of n, with its sign, as remquo wants
template <class WfT> WF_MATH WfT remainder(WfT x, WfT y, int *quotient) {
  const WfT d = abs(y);
  WfT r = abs(fmod(x, 8 * d)); // d of infinity / 8 or more: all of x
  int n = 0;
  if (r != r || d != d) return *quotient = 0, nothing<WfT>();
  if (r >= 4 * d) r -= 4 * d, n += 4;
  if (r >= 2 * d) r -= 2 * d, n += 2;
  // twice, as r may still hold all of d; r - d/2 without halving what is subnormal
  for (int k = 0; k < 2; k++)
    if (r > d - r || (r == d - r && n & 1)) r -= d, n++;
  n &= 7;
  *quotient = (bits_of(x) < 0) != (bits_of(y) < 0) ? -n : n;
  return bits_of(x) < 0 ? -r : r;
}
template <class WfT> WF_MATH WfT hypot(WfT x, WfT y) {
  const WfT a = abs(x), b = abs(y);
  const WfT large = a > b ? a : b, small = a > b ? b : a;
  if (a == infinity<WfT>() || b == infinity<WfT>()) return infinity<WfT>(); // beside NaN, too
  if (x != x || y != y) return x + y;
  if (large == 0) return 0;
  int e;
  split(large, &e);
  const WfT p = scale(large, -e), q = scale(small, -e);
  return scale(sqrt(fma(p, p, q * q)), e);
}
template <class WfT> WF_MATH WfT round_away(WfT x) {
  const WfT t = trunc(x);
  return abs(x - t) >= WfT(0.5) ? t + with_sign(WfT(1), x) : with_sign(t, x);
}
template <class WfT> WF_MATH WfT frexp(WfT x, int *e) {
  const WfT a = abs(x);
  if (a == 0 || !finite(a)) return *e = 0, x;
  const WfT m = split(a, e);
  *e += 1;
  return with_sign(m / 2, x);
}
template <class WfT> WF_MATH int ilogb(WfT x) {
  const WfT a = abs(x);
  int e = a == 0 ? -2147483647 - 1 : 2147483647;
  if (a != 0 && finite(a)) split(a, &e);
  return e;
}
template <class WfT> WF_MATH WfT logb(WfT x) {
  return x == 0 ? -infinity<WfT>() : finite(x) ? WfT(ilogb(x)) : abs(x);
}
template <class WfT> WF_MATH WfT next(WfT x, WfT to) {
  if (x != x || to != to) return x + to;
  if (x == to) return to;
  if (x == 0) return with_sign(from_bits((typename of<WfT>::bits)1), to);
  return from_bits(bits_of(x) + ((x < to) == (x > 0) ? 1 : -1));
}
template <class WfT> WF_MATH WfT fdim(WfT x, WfT y) {
  return x > y ? x - y : x == x && y == y ? WfT(0) : x + y;
}
#include "wf_special.h"
} // namespace wf_math

#define WF_BOTH(NAME, EXPRESSION)                                                                  \
  WF_NV float __nv_##NAME##f(float x) {                                                            \
    return (float)(EXPRESSION);                                                                    \
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
WF_BOTH(erfcx, wf_math::erfcx(x))
WF_BOTH(normcdf, wf_math::normal_below(x))
WF_BOTH(erfinv, wf_math::erf_inverse(x))
WF_BOTH(erfcinv, wf_math::erfc_inverse(x))
WF_BOTH(normcdfinv, wf_math::normal_inverse(x))
WF_BOTH(tgamma, wf_math::gamma(x))
WF_BOTH(lgamma, wf_math::log_gamma(x))
WF_BOTH(j0, wf_math::bessel_j(0, x))
WF_BOTH(j1, wf_math::bessel_j(1, x))
WF_BOTH(y0, wf_math::bessel_y(0, x))
WF_BOTH(y1, wf_math::bessel_y(1, x))
WF_BOTH(cyl_bessel_i0, wf_math::bessel_i(0, x))
WF_BOTH(cyl_bessel_i1, wf_math::bessel_i(1, x))
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
WF_NV float __nv_jnf(int n, float x) {
  return (float)wf_math::bessel_jn(n, x);
}
WF_NV double __nv_jn(int n, double x) {
  return wf_math::bessel_jn(n, x);
}
WF_NV float __nv_ynf(int n, float x) {
  return (float)wf_math::bessel_yn(n, x);
}
WF_NV double __nv_yn(int n, double x) {
  return wf_math::bessel_yn(n, x);
}
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
  return wf_math::finite(x) ? wf_math::with_sign(x - *whole, x)
         : x == x           ? wf_math::with_sign(0.0f, x)
                            : x;
}
WF_NV double __nv_modf(double x, double *whole) {
  *whole = wf_math::trunc(x);
  return wf_math::finite(x) ? wf_math::with_sign(x - *whole, x)
         : x == x           ? wf_math::with_sign(0.0, x)
                            : x;
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
#define WF_NORMS(SUFFIX, TYPE)                                                                     \
  WF_NV TYPE __nv_norm3d##SUFFIX(TYPE x, TYPE y, TYPE z) {                                         \
    return wf_math::hypot(wf_math::hypot(x, y), z);                                                \
  }                                                                                                \
  WF_NV TYPE __nv_norm4d##SUFFIX(TYPE x, TYPE y, TYPE z, TYPE w) {                                 \
    return wf_math::hypot(wf_math::hypot(x, y), wf_math::hypot(z, w));                             \
  }                                                                                                \
  WF_NV TYPE __nv_norm##SUFFIX(int n, const TYPE *x) {                                             \
    TYPE r = 0;                                                                                    \
    for (int i = 0; i < n; i++) r = wf_math::hypot(r, x[i]);                                       \
    return r;                                                                                      \
  }                                                                                                \
  WF_NV TYPE __nv_rnorm3d##SUFFIX(TYPE x, TYPE y, TYPE z) {                                        \
    return 1 / __nv_norm3d##SUFFIX(x, y, z);                                                       \
  }                                                                                                \
  WF_NV TYPE __nv_rnorm4d##SUFFIX(TYPE x, TYPE y, TYPE z, TYPE w) {                                \
    return 1 / __nv_norm4d##SUFFIX(x, y, z, w);                                                    \
  }                                                                                                \
  WF_NV TYPE __nv_rnorm##SUFFIX(int n, const TYPE *x) {                                            \
    return 1 / __nv_norm##SUFFIX(n, x);                                                            \
  }                                                                                                \
  WF_NV TYPE __nv_remquo##SUFFIX(TYPE x, TYPE y, int *quotient) {                                  \
    return wf_math::remainder(x, y, quotient);                                                     \
  }                                                                                                \
  WF_NV TYPE __nv_remainder##SUFFIX(TYPE x, TYPE y) {                                              \
    int quotient;                                                                                  \
    return wf_math::remainder(x, y, &quotient);                                                    \
  }
WF_NORMS(f, float)
WF_NORMS(, double)
#undef WF_NORMS
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
  WF_NV float __nv_fmaf_ieee_##MODE(float x, float y, float z) {                                   \
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
  }
WF_ROUNDED(rn, rn)
WF_ROUNDED(rz, rz)
WF_ROUNDED(rd, rm)
WF_ROUNDED(ru, rp)
#undef WF_ROUNDED
#define WF_ROUNDED(MODE, PTX)                                                                      \
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
WF_ROUNDED(rd, rm)
WF_ROUNDED(ru, rp)
#undef WF_ROUNDED
// clang 14 takes a whole number's conversion toward zero for one to nearest.
#define WF_TOWARD_ZERO(RESULT, TO, OUT, NAME, FROM, PTX, IN)                                       \
  WF_NV RESULT __nv_##NAME##2##RESULT##_rz(FROM x) {                                               \
    RESULT r;                                                                                      \
    asm("cvt.rz." TO "." PTX " %0, %1;" : OUT(r) : IN(x));                                         \
    return r;                                                                                      \
  }
WF_TOWARD_ZERO(float, "f32", "=f", int, int, "s32", "r")
WF_TOWARD_ZERO(float, "f32", "=f", uint, unsigned, "u32", "r")
WF_TOWARD_ZERO(float, "f32", "=f", ll, long long, "s64", "l")
WF_TOWARD_ZERO(float, "f32", "=f", ull, unsigned long long, "u64", "l")
WF_TOWARD_ZERO(double, "f64", "=d", ll, long long, "s64", "l")
WF_TOWARD_ZERO(double, "f64", "=d", ull, unsigned long long, "u64", "l")
#undef WF_TOWARD_ZERO
#endif

#undef WF_NV
#undef WF_MATH
#undef WF_LARGE

#endif
