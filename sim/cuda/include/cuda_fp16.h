// Half precision: __half, __half2, their conversions and arithmetic. Threads have the instructions
// (sm_53 and later); the host computes in float and rounds, which for one operation is the same.
#ifndef WARPFAB_CUDA_FP16_H
#define WARPFAB_CUDA_FP16_H

#include <string.h>

#include "cuda_runtime.h"

#define WF_HALF static __host__ __device__ __forceinline__

struct __half_raw {
  unsigned short x;
};

#if !defined(__CUDA_ARCH__)
// Nearest, ties to even.
WF_HALF unsigned short wf_half_bits(float value) {
  unsigned b;
  memcpy(&b, &value, sizeof b);
  const unsigned sign = b >> 16 & 0x8000, magnitude = b & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return (unsigned short)(sign | 0x7c00);
  if (magnitude >= 0x38800000) {
    const unsigned rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return (unsigned short)(sign | (rounded - 0x38000000) >> 13);
  }
  if (magnitude < 0x33000000) return (unsigned short)sign;
  const unsigned shift = 126 - (magnitude >> 23), whole = (magnitude & 0x7fffff) | 0x800000;
  const unsigned kept = whole >> shift, rest = whole & ((1u << shift) - 1),
                 half = 1u << (shift - 1);
  return (unsigned short)(sign | (kept + (rest > half || (rest == half && (kept & 1)))));
}
WF_HALF float wf_half_value(unsigned short h) {
  const unsigned sign = (unsigned)(h & 0x8000) << 16, magnitude = h & 0x7fff;
  unsigned b;
  float value;
  if (magnitude >= 0x7c00)
    b = sign | 0x7f800000 | magnitude << 13;
  else if (magnitude >= 0x400)
    b = sign | ((magnitude << 13) + 0x38000000);
  else {
    value = (float)magnitude / 16777216.0f;
    memcpy(&b, &value, sizeof b);
    b |= sign;
  }
  memcpy(&value, &b, sizeof value);
  return value;
}
#else
WF_HALF unsigned short wf_half_bits(float value) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(value));
  return h;
}
WF_HALF float wf_half_value(unsigned short h) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(h));
  return value;
}
#endif

struct __align__(2) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __forceinline__ __half(__half_raw raw) : __x(raw.x) {}
  __host__ __device__ __forceinline__ __half(float value) : __x(wf_half_bits(value)) {}
  __host__ __device__ __forceinline__ __half(double value) : __x(wf_half_bits((float)value)) {}
  __host__ __device__ __forceinline__ __half(int value) : __x(wf_half_bits((float)value)) {}
  __host__ __device__ __forceinline__ operator float() const {
    return wf_half_value(__x);
  }
};
typedef __half half;
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __forceinline__ __half2(__half x, __half y) : x(x), y(y) {}
};
typedef __half2 half2;

WF_HALF __half wf_half_of(unsigned short bits) {
  return __half(__half_raw{bits});
}
WF_HALF __half __float2half(float value) {
  return __half(value);
}
WF_HALF __half __float2half_rn(float value) {
  return __half(value);
}
WF_HALF float __half2float(__half h) {
  return (float)h;
}
WF_HALF unsigned short __half_as_ushort(__half h) {
  return h.__x;
}
WF_HALF __half __ushort_as_half(unsigned short bits) {
  return wf_half_of(bits);
}
WF_HALF __half __int2half_rn(int value) {
  return __half((float)value);
}
WF_HALF int __half2int_rz(__half h) {
  return (int)(float)h;
}
WF_HALF __half2 __halves2half2(__half x, __half y) {
  return __half2(x, y);
}
WF_HALF __half2 __half2half2(__half h) {
  return __half2(h, h);
}
WF_HALF __half2 __float2half2_rn(float value) {
  return __half2(__half(value), __half(value));
}
WF_HALF __half2 __floats2half2_rn(float x, float y) {
  return __half2(__half(x), __half(y));
}
WF_HALF __half2 __float22half2_rn(float2 v) {
  return __half2(__half(v.x), __half(v.y));
}
WF_HALF float2 __half22float2(__half2 v) {
  return float2{(float)v.x, (float)v.y};
}
WF_HALF float __low2float(__half2 v) {
  return (float)v.x;
}
WF_HALF float __high2float(__half2 v) {
  return (float)v.y;
}
WF_HALF __half __low2half(__half2 v) {
  return v.x;
}
WF_HALF __half __high2half(__half2 v) {
  return v.y;
}

#ifdef __CUDA_ARCH__
#define WF_HALF_OPERATION(NAME, PTX, VALUE)                                                        \
  WF_HALF __half NAME(__half a, __half b) {                                                        \
    unsigned short r;                                                                              \
    asm(PTX ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                                \
    return wf_half_of(r);                                                                          \
  }
#define WF_HALF_PAIR(NAME, ONE, PTX)                                                               \
  WF_HALF __half2 NAME(__half2 a, __half2 b) {                                                     \
    unsigned p, q, r;                                                                              \
    memcpy(&p, &a, sizeof p);                                                                      \
    memcpy(&q, &b, sizeof q);                                                                      \
    asm(PTX ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(p), "r"(q));                                      \
    memcpy(&a, &r, sizeof r);                                                                      \
    return a;                                                                                      \
  }
WF_HALF __half __hfma(__half a, __half b, __half c) {
  unsigned short r;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return wf_half_of(r);
}
WF_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned p, q, s, r;
  memcpy(&p, &a, sizeof p);
  memcpy(&q, &b, sizeof q);
  memcpy(&s, &c, sizeof s);
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(p), "r"(q), "r"(s));
  memcpy(&a, &r, sizeof r);
  return a;
}
#else
#define WF_HALF_OPERATION(NAME, PTX, VALUE)                                                        \
  WF_HALF __half NAME(__half a, __half b) {                                                        \
    const float x = a, y = b;                                                                      \
    return __half((float)(VALUE));                                                                 \
  }
#define WF_HALF_PAIR(NAME, ONE, PTX)                                                               \
  WF_HALF __half2 NAME(__half2 a, __half2 b) {                                                     \
    return __half2(ONE(a.x, b.x), ONE(a.y, b.y));                                                  \
  }
WF_HALF __half __hfma(__half a, __half b, __half c) {
  return __half(__builtin_fmaf(a, b, c));
}
WF_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#endif
#ifdef __CUDA__
static __device__ __forceinline__ __half atomicAdd(__half *at, __half value) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(at), "h"(value.__x) : "memory");
  return wf_half_of(old);
}
static __device__ __forceinline__ __half2 atomicAdd(__half2 *at, __half2 value) {
  unsigned mine, old;
  memcpy(&mine, &value, sizeof mine);
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(mine) : "memory");
  memcpy(&value, &old, sizeof old);
  return value;
}
#endif
WF_HALF_OPERATION(__hadd, "add.rn", x + y)
WF_HALF_OPERATION(__hsub, "sub.rn", x - y)
WF_HALF_OPERATION(__hmul, "mul.rn", x *y)
WF_HALF_PAIR(__hadd2, __hadd, "add.rn")
WF_HALF_PAIR(__hsub2, __hsub, "sub.rn")
WF_HALF_PAIR(__hmul2, __hmul, "mul.rn")
#undef WF_HALF_OPERATION
#undef WF_HALF_PAIR

// In float, and rounded.
WF_HALF __half __hdiv(__half a, __half b) {
  return __half((float)a / (float)b);
}
WF_HALF __half __hneg(__half h) {
  return wf_half_of((unsigned short)(h.__x ^ 0x8000));
}
WF_HALF __half __habs(__half h) {
  return wf_half_of((unsigned short)(h.__x & 0x7fff));
}
WF_HALF __half hsqrt(__half h) {
  return __half(sqrtf((float)h));
}
WF_HALF __half hexp(__half h) {
  return __half(expf((float)h));
}
WF_HALF __half hlog(__half h) {
  return __half(logf((float)h));
}
WF_HALF __half hrcp(__half h) {
  return __half(1.0f / (float)h);
}
#define WF_HALF_BY_FLOAT(NAME, FUNCTION)                                                           \
  WF_HALF __half NAME(__half h) {                                                                  \
    return __half(FUNCTION((float)h));                                                             \
  }
WF_HALF_BY_FLOAT(hexp2, exp2f)
WF_HALF_BY_FLOAT(hlog2, log2f)
WF_HALF_BY_FLOAT(hlog10, log10f)
WF_HALF_BY_FLOAT(hsin, sinf)
WF_HALF_BY_FLOAT(hcos, cosf)
WF_HALF_BY_FLOAT(hrsqrt, 1.0f / sqrtf)
WF_HALF_BY_FLOAT(hfloor, floorf)
WF_HALF_BY_FLOAT(hceil, ceilf)
WF_HALF_BY_FLOAT(htrunc, truncf)
WF_HALF_BY_FLOAT(hrint, rintf)
#undef WF_HALF_BY_FLOAT
WF_HALF bool __hisnan(__half h) {
  return (h.__x & 0x7fff) > 0x7c00;
}
// Of numbers with NaN the other.
WF_HALF __half __hmax(__half a, __half b) {
  return __hisnan(a) || (float)a < (float)b ? b : a;
}
WF_HALF __half __hmin(__half a, __half b) {
  return __hisnan(a) || (float)b < (float)a ? b : a;
}
WF_HALF __half2 __hmax2(__half2 a, __half2 b) {
  return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
WF_HALF __half2 __hmin2(__half2 a, __half2 b) {
  return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
#define WF_HALF_BOTH(NAME, ONE)                                                                    \
  WF_HALF __half2 NAME(__half2 a) {                                                                \
    return __half2(ONE(a.x), ONE(a.y));                                                            \
  }
WF_HALF_BOTH(h2sqrt, hsqrt)
WF_HALF_BOTH(h2exp, hexp)
WF_HALF_BOTH(h2log, hlog)
WF_HALF_BOTH(h2exp2, hexp2)
WF_HALF_BOTH(h2log2, hlog2)
WF_HALF_BOTH(h2log10, hlog10)
WF_HALF_BOTH(h2sin, hsin)
WF_HALF_BOTH(h2cos, hcos)
WF_HALF_BOTH(h2rsqrt, hrsqrt)
WF_HALF_BOTH(h2floor, hfloor)
WF_HALF_BOTH(h2ceil, hceil)
WF_HALF_BOTH(h2trunc, htrunc)
WF_HALF_BOTH(h2rint, hrint)
WF_HALF_BOTH(h2rcp, hrcp)
WF_HALF_BOTH(__hneg2, __hneg)
WF_HALF_BOTH(__habs2, __habs)
#undef WF_HALF_BOTH
WF_HALF __half2 __h2div(__half2 a, __half2 b) {
  return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

#define WF_HALF_OPERATOR(SIGN, NAME)                                                               \
  WF_HALF __half operator SIGN(__half a, __half b) {                                               \
    return NAME(a, b);                                                                             \
  }                                                                                                \
  WF_HALF __half &operator SIGN##=(__half &a, __half b) {                                          \
    return a = NAME(a, b);                                                                         \
  }
WF_HALF_OPERATOR(+, __hadd)
WF_HALF_OPERATOR(-, __hsub)
WF_HALF_OPERATOR(*, __hmul)
WF_HALF_OPERATOR(/, __hdiv)
#undef WF_HALF_OPERATOR
#define WF_HALF_COMPARISON(SIGN, NAME)                                                             \
  WF_HALF bool NAME(__half a, __half b) {                                                          \
    return (float)a SIGN(float) b;                                                                 \
  }                                                                                                \
  WF_HALF bool operator SIGN(__half a, __half b) {                                                 \
    return NAME(a, b);                                                                             \
  }
WF_HALF_COMPARISON(==, __heq)
WF_HALF_COMPARISON(!=, __hneu)
WF_HALF_COMPARISON(<, __hlt)
WF_HALF_COMPARISON(<=, __hle)
WF_HALF_COMPARISON(>, __hgt)
WF_HALF_COMPARISON(>=, __hge)
#undef WF_HALF_COMPARISON
// Of numbers alone: with NaN it is false.
WF_HALF bool __hne(__half a, __half b) {
  return (float)a < (float)b || (float)a > (float)b;
}
WF_HALF __half operator-(__half h) {
  return __hneg(h);
}
WF_HALF __half2 operator-(__half2 h) {
  return __hneg2(h);
}
#define WF_HALF_OPERATOR(SIGN, NAME)                                                               \
  WF_HALF __half2 operator SIGN(__half2 a, __half2 b) {                                            \
    return NAME(a, b);                                                                             \
  }                                                                                                \
  WF_HALF __half2 &operator SIGN##=(__half2 &a, __half2 b) {                                       \
    return a = NAME(a, b);                                                                         \
  }
WF_HALF_OPERATOR(+, __hadd2)
WF_HALF_OPERATOR(-, __hsub2)
WF_HALF_OPERATOR(*, __hmul2)
WF_HALF_OPERATOR(/, __h2div)
#undef WF_HALF_OPERATOR
#define WF_HALF_PAIR(NAME)                                                                         \
  WF_HALF __half2 __h##NAME##2(__half2 a, __half2 b) {                                             \
    return __half2(__half(__h##NAME(a.x, b.x) ? 1.0f : 0.0f),                                      \
                   __half(__h##NAME(a.y, b.y) ? 1.0f : 0.0f));                                     \
  }                                                                                                \
  WF_HALF bool __hb##NAME##2(__half2 a, __half2 b) {                                               \
    return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                             \
  }
WF_HALF_PAIR(eq)
WF_HALF_PAIR(ne)
WF_HALF_PAIR(lt)
WF_HALF_PAIR(le)
WF_HALF_PAIR(gt)
WF_HALF_PAIR(ge)
#undef WF_HALF_PAIR
WF_HALF __half2 __low2half2(__half2 v) {
  return __half2(v.x, v.x);
}
WF_HALF __half2 __high2half2(__half2 v) {
  return __half2(v.y, v.y);
}
WF_HALF __half2 __lows2half2(__half2 a, __half2 b) {
  return __half2(a.x, b.x);
}
WF_HALF __half2 __highs2half2(__half2 a, __half2 b) {
  return __half2(a.y, b.y);
}
WF_HALF __half2 __lowhigh2highlow(__half2 v) {
  return __half2(v.y, v.x);
}
#undef WF_HALF

#endif
