// What device code has, in clang's CUDA mode.
#ifndef WARPFAB_DEVICE_H
#define WARPFAB_DEVICE_H

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>

#define __nvvm_memcpy(s, d, n, a) __builtin_memcpy(s, d, n)
#define __nvvm_memset(d, c, n, a) __builtin_memset(d, c, n)
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

#include "libdevice.h"

extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void free(void *) __attribute((nothrow));
__device__ void *malloc(size_t) __attribute((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
__device__ static inline void __assert_fail(const char *what, const char *file, unsigned line,
                                            const char *function) {
  __assertfail(what, file, line, function, 1);
}
}
namespace std {
__device__ static inline void free(void *pointer) {
  ::free(pointer);
}
__device__ static inline void *malloc(size_t bytes) {
  return ::malloc(bytes);
}
} // namespace std

#include <new> // clang's, which has the device's
extern "C" __device__ inline void __cxa_pure_virtual() {
  __assertfail("a pure virtual function was called", "", 0, "", 1);
}

#define WF_BUILTIN(NAME)                                                                           \
  __device__ inline __cuda_builtin_##NAME##_t::operator dim3() const {                             \
    return dim3(x, y, z);                                                                          \
  }                                                                                                \
  __device__ inline __cuda_builtin_##NAME##_t::operator uint3() const {                            \
    return {x, y, z};                                                                              \
  }
WF_BUILTIN(threadIdx)
WF_BUILTIN(blockIdx)
WF_BUILTIN(blockDim)
WF_BUILTIN(gridDim)
#undef WF_BUILTIN

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
typedef unsigned int cuuint32_t;
#include <__clang_cuda_intrinsics.h>

#define WF_DEVICE static __device__ __forceinline__

// What CUDA's own headers add to clang's: the float forms under the double ones' names.
#define WF_FLOAT_FORM(RESULT, NAME)                                                                \
  WF_DEVICE RESULT NAME(float x) {                                                                 \
    return ::NAME##f(x);                                                                           \
  }
#define WF_FLOAT_FORM_OF_TWO(NAME)                                                                 \
  WF_DEVICE float NAME(float x, float y) {                                                         \
    return ::NAME##f(x, y);                                                                        \
  }
WF_FLOAT_FORM(float, acosh)
WF_FLOAT_FORM(float, asinh)
WF_FLOAT_FORM(float, atanh)
WF_FLOAT_FORM(float, cbrt)
WF_FLOAT_FORM(float, erf)
WF_FLOAT_FORM(float, erfc)
WF_FLOAT_FORM(float, exp2)
WF_FLOAT_FORM(float, expm1)
WF_FLOAT_FORM(int, ilogb)
WF_FLOAT_FORM(float, lgamma)
WF_FLOAT_FORM(long long, llrint)
WF_FLOAT_FORM(long long, llround)
WF_FLOAT_FORM(float, log1p)
WF_FLOAT_FORM(float, log2)
WF_FLOAT_FORM(float, logb)
WF_FLOAT_FORM(long, lrint)
WF_FLOAT_FORM(long, lround)
WF_FLOAT_FORM(float, nearbyint)
WF_FLOAT_FORM(float, rint)
WF_FLOAT_FORM(float, round)
WF_FLOAT_FORM(float, tgamma)
WF_FLOAT_FORM(float, trunc)
WF_FLOAT_FORM(float, rsqrt)
WF_FLOAT_FORM(float, rcbrt)
WF_FLOAT_FORM(float, sinpi)
WF_FLOAT_FORM(float, cospi)
WF_FLOAT_FORM(float, normcdf)
WF_FLOAT_FORM(float, normcdfinv)
WF_FLOAT_FORM(float, erfinv)
WF_FLOAT_FORM(float, erfcinv)
WF_FLOAT_FORM(float, erfcx)
WF_FLOAT_FORM(float, j0)
WF_FLOAT_FORM(float, j1)
WF_FLOAT_FORM(float, y0)
WF_FLOAT_FORM(float, y1)
WF_FLOAT_FORM(float, cyl_bessel_i0)
WF_FLOAT_FORM(float, cyl_bessel_i1)
WF_FLOAT_FORM_OF_TWO(copysign)
WF_FLOAT_FORM_OF_TWO(fdim)
WF_FLOAT_FORM_OF_TWO(fmax)
WF_FLOAT_FORM_OF_TWO(fmin)
WF_FLOAT_FORM_OF_TWO(hypot)
WF_FLOAT_FORM_OF_TWO(nextafter)
WF_FLOAT_FORM_OF_TWO(remainder)
WF_DEVICE float nanf(const char *) {
  return __builtin_nanf("");
}
WF_DEVICE double nan(const char *) {
  return __builtin_nan("");
}
WF_DEVICE float fma(float x, float y, float z) {
  return ::fmaf(x, y, z);
}
WF_DEVICE float jn(int n, float x) {
  return ::jnf(n, x);
}
WF_DEVICE float yn(int n, float x) {
  return ::ynf(n, x);
}
WF_DEVICE float scalbn(float x, int k) {
  return ::scalbnf(x, k);
}
WF_DEVICE float scalbln(float x, long k) {
  return ::scalblnf(x, k);
}
#undef WF_FLOAT_FORM
#undef WF_FLOAT_FORM_OF_TWO

// clang 14 takes its own barriers not to touch shared memory that the kernel's file alone knows,
// and moves accesses across; memory clobbered keeps them.
WF_DEVICE void wf_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
WF_DEVICE void wf_syncwarp(unsigned mask = 0xffffffff) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
#define __syncthreads() wf_syncthreads()
#define __syncwarp(...) wf_syncwarp(__VA_ARGS__)
#define WF_VOTING_BARRIER(NAME, OPERATION)                                                         \
  WF_DEVICE int wf_syncthreads_##NAME(int mine) {                                                  \
    int all;                                                                                       \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." OPERATION                     \
                 ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                                          \
                 : "=r"(all)                                                                       \
                 : "r"(mine)                                                                       \
                 : "memory");                                                                      \
    return all;                                                                                    \
  }
WF_VOTING_BARRIER(and, "and")
WF_VOTING_BARRIER(or, "or")
#undef WF_VOTING_BARRIER
WF_DEVICE int wf_syncthreads_count(int mine) {
  int all;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(all)
               : "r"(mine)
               : "memory");
  return all;
}
#define __syncthreads_and(mine) wf_syncthreads_and(mine)
#define __syncthreads_or(mine) wf_syncthreads_or(mine)
#define __syncthreads_count(mine) wf_syncthreads_count(mine)

WF_DEVICE void __nanosleep(unsigned ns) {
  asm volatile("nanosleep.u32 %0;" ::"r"(ns));
}
WF_DEVICE unsigned long long __globaltimer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

#include "wf_atomics.h"
#include "wf_intrinsics.h"
#include "wf_minmax.h"
#include "wf_shuffles.h"

#endif
