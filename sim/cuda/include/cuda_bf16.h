// bfloat16: __nv_bfloat16, __nv_bfloat162, their conversions and arithmetic, in float and rounded,
// which for one operation is the same.
#ifndef WARPFAB_CUDA_BF16_H
#define WARPFAB_CUDA_BF16_H

#include <string.h>

#include "cuda_runtime.h"

#define WF_BF16 static __host__ __device__ __forceinline__

// Nearest, ties to even.
WF_BF16 unsigned short wf_bf16_bits(float value) {
  unsigned b;
  memcpy(&b, &value, sizeof b);
  if ((b & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return (unsigned short)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}
WF_BF16 float wf_bf16_value(unsigned short h) {
  const unsigned b = (unsigned)h << 16;
  float value;
  memcpy(&value, &b, sizeof value);
  return value;
}

struct __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float value) : __x(wf_bf16_bits(value)) {}
  __host__ __device__ __nv_bfloat16(double value) : __x(wf_bf16_bits((float)value)) {}
  __host__ __device__ __nv_bfloat16(int value) : __x(wf_bf16_bits((float)value)) {}
  __host__ __device__ operator float() const { return wf_bf16_value(__x); }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) : x(x), y(y) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WF_BF16 __nv_bfloat16 __float2bfloat16(float value) {
  return __nv_bfloat16(value);
}
WF_BF16 __nv_bfloat16 __float2bfloat16_rn(float value) {
  return __nv_bfloat16(value);
}
WF_BF16 float __bfloat162float(__nv_bfloat16 h) {
  return (float)h;
}
WF_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  __nv_bfloat16 h;
  h.__x = bits;
  return h;
}
WF_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) {
  return h.__x;
}
WF_BF16 __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return __nv_bfloat162(x, y);
}
WF_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
  return __nv_bfloat162(x, x);
}
WF_BF16 __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
}
WF_BF16 __nv_bfloat162 __float2bfloat162_rn(float x) {
  return __floats2bfloat162_rn(x, x);
}
WF_BF16 float __low2float(__nv_bfloat162 h) {
  return (float)h.x;
}
WF_BF16 float __high2float(__nv_bfloat162 h) {
  return (float)h.y;
}
WF_BF16 float2 __bfloat1622float2(__nv_bfloat162 h) {
  return make_float2((float)h.x, (float)h.y);
}

#define WF_BF16_OPERATION(NAME, SIGN)                                                              \
  WF_BF16 __nv_bfloat16 NAME(__nv_bfloat16 a, __nv_bfloat16 b) {                                   \
    return __nv_bfloat16((float)a SIGN(float) b);                                                  \
  }                                                                                                \
  WF_BF16 __nv_bfloat162 NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) {                             \
    return __nv_bfloat162(NAME(a.x, b.x), NAME(a.y, b.y));                                         \
  }                                                                                                \
  WF_BF16 __nv_bfloat16 operator SIGN(__nv_bfloat16 a, __nv_bfloat16 b) {                          \
    return NAME(a, b);                                                                             \
  }                                                                                                \
  WF_BF16 __nv_bfloat16 &operator SIGN##=(__nv_bfloat16 &a, __nv_bfloat16 b) {                     \
    return a = NAME(a, b);                                                                         \
  }                                                                                                \
  WF_BF16 __nv_bfloat162 operator SIGN(__nv_bfloat162 a, __nv_bfloat162 b) {                       \
    return NAME##2(a, b);                                                                          \
  }
WF_BF16_OPERATION(__hadd, +)
WF_BF16_OPERATION(__hsub, -)
WF_BF16_OPERATION(__hmul, *)
WF_BF16_OPERATION(__hdiv, /)
#undef WF_BF16_OPERATION
WF_BF16 __nv_bfloat16 __hneg(__nv_bfloat16 h) {
  return __ushort_as_bfloat16((unsigned short)(h.__x ^ 0x8000));
}
WF_BF16 __nv_bfloat16 __habs(__nv_bfloat16 h) {
  return __ushort_as_bfloat16((unsigned short)(h.__x & 0x7fff));
}
WF_BF16 bool __hisnan(__nv_bfloat16 h) {
  return (h.__x & 0x7fff) > 0x7f80;
}
#define WF_BF16_COMPARISON(SIGN, NAME)                                                             \
  WF_BF16 bool NAME(__nv_bfloat16 a, __nv_bfloat16 b) {                                            \
    return (float)a SIGN(float) b;                                                                 \
  }                                                                                                \
  WF_BF16 bool operator SIGN(__nv_bfloat16 a, __nv_bfloat16 b) {                                   \
    return NAME(a, b);                                                                             \
  }
WF_BF16_COMPARISON(==, __heq)
WF_BF16_COMPARISON(!=, __hne)
WF_BF16_COMPARISON(<, __hlt)
WF_BF16_COMPARISON(<=, __hle)
WF_BF16_COMPARISON(>, __hgt)
WF_BF16_COMPARISON(>=, __hge)
#undef WF_BF16_COMPARISON

// Rounded once: by the instruction, or, of the exact product and the sum's error, to odd on the
// way.
WF_BF16 __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#ifdef __CUDA_ARCH__
  unsigned short r;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __ushort_as_bfloat16(r);
#else
  const double product = (double)(float)a * (double)(float)b, addend = (double)(float)c;
  const double sum = product + addend, part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  float nearest = (float)sum;
  unsigned bits;
  memcpy(&bits, &nearest, sizeof bits);
  const double rest = (sum - (double)nearest) + error;
  if (rest != 0 && !(bits & 1)) { // towards where the rest is
    if (nearest == 0)
      bits = rest > 0 ? 1 : 0x80000001;
    else if ((bits & 0x7f800000) != 0x7f800000)
      bits += (rest > 0) == (nearest > 0) ? 1 : -1;
    memcpy(&nearest, &bits, sizeof nearest);
  }
  return __nv_bfloat16(nearest);
#endif
}
WF_BF16 __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#undef WF_BF16

#endif
