// CUDA on the host, for comparison: a block's threads are fibres, blocks run one after the other,
// device memory is the host's. emulate.awk makes C++ of the two things that are none.
#ifndef EMULATION_CUDA_RUNTIME_H
#define EMULATION_CUDA_RUNTIME_H

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

#include "host_defines.h"

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "wf_templates.h"

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
static const int warpSize = 32;

namespace emulation {
extern bool in_kernel;
void *dynamic_shared();
void block_barrier();
int block_vote(int mine); // how many said yes
// What each lane of the mask gave, when all have; and which lanes those were.
const unsigned long long *exchange(unsigned mask, unsigned long long mine);
unsigned partners();
unsigned lane();
unsigned living();
void run(dim3 grid, dim3 block, size_t shared, const std::function<void()> &thread);

struct at {
  dim3 grid, block;
  size_t shared;
  at(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t = 0)
      : grid(grid), block(block), shared(shared) {}
  template <class K, class... A> void operator()(K kernel, A... arguments) const {
    run(grid, block, shared, [&]() { kernel(arguments...); });
  }
};
} // namespace emulation

// ---- threads together ----
inline void __syncthreads() {
  emulation::block_barrier();
}
inline int __syncthreads_count(int mine) {
  return emulation::block_vote(mine);
}
inline int __syncthreads_or(int mine) {
  return emulation::block_vote(mine) != 0;
}
inline int __syncthreads_and(int mine) {
  return emulation::block_vote(!mine) == 0;
}
inline void __syncwarp(unsigned mask = ~0u) {
  emulation::exchange(mask, 0);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline unsigned __activemask() {
  return emulation::living();
}
inline unsigned __ballot_sync(unsigned mask, int mine) {
  const unsigned long long *all = emulation::exchange(mask, mine != 0);
  unsigned votes = 0;
  for (int l = 0; l < 32; l++)
    if (emulation::partners() >> l & 1) votes |= (unsigned)all[l] << l;
  return votes;
}
inline int __any_sync(unsigned mask, int mine) {
  return __ballot_sync(mask, mine) != 0;
}
inline int __all_sync(unsigned mask, int mine) {
  return __ballot_sync(mask, !mine) == 0;
}
template <class T> inline T emulation_shuffle(unsigned mask, T mine, int from) {
  unsigned long long bits = 0;
  memcpy(&bits, &mine, sizeof mine);
  bits = emulation::exchange(mask, bits)[from & 31];
  memcpy(&mine, &bits, sizeof mine);
  return mine;
}
template <class T> inline T __shfl_sync(unsigned mask, T mine, int from, int width = 32) {
  const int base = (int)emulation::lane() & ~(width - 1);
  return emulation_shuffle(mask, mine, base + (from & (width - 1)));
}
template <class T> inline T __shfl_up_sync(unsigned mask, T mine, unsigned by, int width = 32) {
  const int lane = (int)emulation::lane(), base = lane & ~(width - 1);
  return emulation_shuffle(mask, mine, lane - (int)by < base ? lane : lane - (int)by);
}
template <class T> inline T __shfl_down_sync(unsigned mask, T mine, unsigned by, int width = 32) {
  const int lane = (int)emulation::lane(), end = (lane & ~(width - 1)) + width;
  return emulation_shuffle(mask, mine, lane + (int)by < end ? lane + (int)by : lane);
}
template <class T> inline T __shfl_xor_sync(unsigned mask, T mine, int by, int width = 32) {
  const int lane = (int)emulation::lane(), to = lane ^ by;
  return emulation_shuffle(mask, mine, to < (lane & ~(width - 1)) + width ? to : lane);
}

// ---- memory ----
template <class T> inline T __ldg(const T *at) {
  return *at;
}
template <class T> inline T emulation_swap(T *at, T value) {
  const T old = *at;
  *at = value;
  return old;
}
template <class T> inline T atomicAdd(T *at, T value) {
  return emulation_swap(at, *at + value);
}
inline float atomicAdd(float *at, float value) {
  return emulation_swap(at, *at + value);
}
inline unsigned atomicAdd(unsigned *at, unsigned value) {
  return emulation_swap(at, *at + value);
}
template <class T> inline T atomicSub(T *at, T value) {
  return emulation_swap(at, *at - value);
}
template <class T> inline T atomicMin(T *at, T v) {
  return emulation_swap(at, v < *at ? v : *at);
}
template <class T> inline T atomicMax(T *at, T v) {
  return emulation_swap(at, *at < v ? v : *at);
}
template <class T> inline T atomicAnd(T *at, T value) {
  return emulation_swap(at, *at & value);
}
template <class T> inline T atomicOr(T *at, T value) {
  return emulation_swap(at, *at | value);
}
template <class T> inline T atomicXor(T *at, T value) {
  return emulation_swap(at, *at ^ value);
}
template <class T> inline T atomicExch(T *at, T value) {
  return emulation_swap(at, value);
}
template <class T> inline T atomicCAS(T *at, T expected, T value) {
  return emulation_swap(at, *at == expected ? value : *at);
}
inline unsigned atomicInc(unsigned *at, unsigned most) {
  return emulation_swap(at, *at >= most ? 0 : *at + 1);
}

// ---- numbers ----
#include "nvvm.h"

#include "libdevice.h"

#include "wf_minmax.h"
#include "wf_shuffles.h"

inline int __popc(unsigned x) {
  return __builtin_popcount(x);
}
inline int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
inline int __clz(int x) {
  return __nv_clz(x);
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline unsigned __brev(unsigned x) {
  return __builtin_bitreverse32(x);
}
inline unsigned __umulhi(unsigned x, unsigned y) {
  return __nv_umulhi(x, y);
}
inline int __mul24(int x, int y) {
  return __nv_mul24(x, y);
}
// ---- packed integers, cached accesses ----
template <class A, class B, class T> inline T emulation_dot(const A *a, const B *b, int n, T sum) {
  for (int i = 0; i < n; i++) sum += (T)a[i] * (T)b[i];
  return sum;
}
inline int __dp4a(int a, int b, int c) {
  return emulation_dot((const signed char *)&a, (const signed char *)&b, 4, c);
}
inline int __dp2a_lo(int a, int b, int c) {
  return emulation_dot((const short *)&a, (const signed char *)&b, 2, c);
}
inline int __dp2a_hi(int a, int b, int c) {
  return emulation_dot((const short *)&a, (const signed char *)&b + 2, 2, c);
}
template <class T> inline T __ldcs(const T *at) {
  return *at;
}
template <class T> inline T __ldcg(const T *at) {
  return *at;
}
template <class T> inline void __stcs(T *at, T value) {
  *at = value;
}
template <class T> inline void __stcg(T *at, T value) {
  *at = value;
}
template <class T> inline void __stwt(T *at, T value) {
  *at = value;
}
inline float norm3df(float x, float y, float z) {
  return __nv_norm3df(x, y, z);
}
inline float norm4df(float x, float y, float z, float w) {
  return __nv_norm4df(x, y, z, w);
}
inline unsigned __umul24(unsigned x, unsigned y) {
  return __nv_umul24(x, y);
}
inline int __float_as_int(float x) {
  return __nv_float_as_int(x);
}
inline float __int_as_float(int x) {
  return __nv_int_as_float(x);
}
inline unsigned __float_as_uint(float x) {
  return __nv_float_as_uint(x);
}
inline float __uint_as_float(unsigned x) {
  return __nv_uint_as_float(x);
}
inline float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float rsqrtf(float x) {
  return __nv_rsqrtf(x);
}
inline double rsqrt(double x) {
  return __nv_rsqrt(x);
}
#define EMULATION_OF_DEVICE(NAME)                                                                  \
  inline float NAME##f(float x) {                                                                  \
    return __nv_##NAME##f(x);                                                                      \
  }                                                                                                \
  inline float NAME(float x) {                                                                     \
    return __nv_##NAME##f(x);                                                                      \
  }                                                                                                \
  inline double NAME(double x) {                                                                   \
    return __nv_##NAME(x);                                                                         \
  }
EMULATION_OF_DEVICE(normcdf)
EMULATION_OF_DEVICE(normcdfinv)
EMULATION_OF_DEVICE(erfinv)
EMULATION_OF_DEVICE(erfcinv)
EMULATION_OF_DEVICE(erfcx)
EMULATION_OF_DEVICE(cyl_bessel_i0)
EMULATION_OF_DEVICE(cyl_bessel_i1)
#define __expf(x) __nv_fast_expf(x)
#define __logf(x) __nv_fast_logf(x)
#define __sinf(x) __nv_fast_sinf(x)
#define __cosf(x) __nv_fast_cosf(x)
#define __powf(x, y) __nv_fast_powf(x, y)
#define __fdividef(x, y) __nv_fast_fdividef(x, y)
#define __saturatef(x) __nv_saturatef(x)

// In a kernel the device's, elsewhere the host's.
#define EMULATION_OF_ONE(NAME)                                                                     \
  inline float emulation_##NAME(float x) {                                                         \
    return emulation::in_kernel ? __nv_##NAME##f(x) : ::NAME##f(x);                                \
  }                                                                                                \
  inline float emulation_##NAME##f(float x) {                                                      \
    return emulation_##NAME(x);                                                                    \
  }                                                                                                \
  inline double emulation_##NAME(double x) {                                                       \
    return emulation::in_kernel ? __nv_##NAME(x) : ::NAME(x);                                      \
  }                                                                                                \
  inline double emulation_##NAME(int x) {                                                          \
    return emulation_##NAME((double)x);                                                            \
  }                                                                                                \
  namespace std {                                                                                  \
  using ::emulation_##NAME;                                                                        \
  }
#define EMULATION_OF_TWO(NAME)                                                                     \
  inline float emulation_##NAME(float x, float y) {                                                \
    return emulation::in_kernel ? __nv_##NAME##f(x, y) : ::NAME##f(x, y);                          \
  }                                                                                                \
  inline float emulation_##NAME##f(float x, float y) {                                             \
    return emulation_##NAME(x, y);                                                                 \
  }                                                                                                \
  inline double emulation_##NAME(double x, double y) {                                             \
    return emulation::in_kernel ? __nv_##NAME(x, y) : ::NAME(x, y);                                \
  }                                                                                                \
  namespace std {                                                                                  \
  using ::emulation_##NAME;                                                                        \
  }
EMULATION_OF_ONE(exp)
EMULATION_OF_ONE(exp2)
EMULATION_OF_ONE(log)
EMULATION_OF_ONE(log2)
EMULATION_OF_ONE(sin)
EMULATION_OF_ONE(cos)
EMULATION_OF_ONE(tan)
EMULATION_OF_ONE(atan)
EMULATION_OF_ONE(tanh)
EMULATION_OF_ONE(erf)
EMULATION_OF_ONE(erfc)
EMULATION_OF_ONE(tgamma)
EMULATION_OF_ONE(lgamma)
EMULATION_OF_ONE(j0)
EMULATION_OF_ONE(j1)
EMULATION_OF_ONE(y0)
EMULATION_OF_ONE(y1)
inline double emulation_jn(int n, double x) {
  return emulation::in_kernel ? __nv_jn(n, x) : ::jn(n, x);
}
inline double emulation_yn(int n, double x) {
  return emulation::in_kernel ? __nv_yn(n, x) : ::yn(n, x);
}
EMULATION_OF_TWO(pow)
EMULATION_OF_TWO(atan2)
EMULATION_OF_TWO(hypot)
#define exp emulation_exp
#define expf emulation_expf
#define exp2f emulation_exp2f
#define log emulation_log
#define logf emulation_logf
#define log2f emulation_log2f
#define sin emulation_sin
#define sinf emulation_sinf
#define cos emulation_cos
#define cosf emulation_cosf
#define tan emulation_tan
#define tanf emulation_tanf
#define atanf emulation_atanf
#define tanhf emulation_tanhf
#define erff emulation_erff
#define erfcf emulation_erfcf
#define erf emulation_erf
#define erfc emulation_erfc
#define tgamma emulation_tgamma
#define tgammaf emulation_tgammaf
#define lgamma emulation_lgamma
#define lgammaf emulation_lgammaf
#define j0 emulation_j0
#define j0f emulation_j0f
#define j1 emulation_j1
#define j1f emulation_j1f
#define y0 emulation_y0
#define y1 emulation_y1
#define jn emulation_jn
#define yn emulation_yn
#define pow emulation_pow
#define powf emulation_powf
#define atan2f emulation_atan2f
#define hypotf emulation_hypotf

#endif
