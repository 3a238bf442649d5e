// Complex numbers as CUDA names them, on both sides.
#ifndef WARPFAB_CUCOMPLEX_H
#define WARPFAB_CUCOMPLEX_H

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define WF_COMPLEX static __host__ __device__ __forceinline__
#define WF_COMPLEX_OF(T, R, MAKE, SUFFIX)                                                          \
  WF_COMPLEX R cuCreal##SUFFIX(T x) {                                                              \
    return x.x;                                                                                    \
  }                                                                                                \
  WF_COMPLEX R cuCimag##SUFFIX(T x) {                                                              \
    return x.y;                                                                                    \
  }                                                                                                \
  WF_COMPLEX T MAKE(R x, R y) {                                                                    \
    T r;                                                                                           \
    r.x = x;                                                                                       \
    r.y = y;                                                                                       \
    return r;                                                                                      \
  }                                                                                                \
  WF_COMPLEX T cuConj##SUFFIX(T x) {                                                               \
    return MAKE(x.x, -x.y);                                                                        \
  }                                                                                                \
  WF_COMPLEX T cuCadd##SUFFIX(T a, T b) {                                                          \
    return MAKE(a.x + b.x, a.y + b.y);                                                             \
  }                                                                                                \
  WF_COMPLEX T cuCsub##SUFFIX(T a, T b) {                                                          \
    return MAKE(a.x - b.x, a.y - b.y);                                                             \
  }                                                                                                \
  WF_COMPLEX T cuCmul##SUFFIX(T a, T b) {                                                          \
    return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                     \
  }                                                                                                \
  WF_COMPLEX T cuCfma##SUFFIX(T a, T b, T c) {                                                     \
    return cuCadd##SUFFIX(cuCmul##SUFFIX(a, b), c);                                                \
  }                                                                                                \
  /* scaled, so that nothing overflows on the way */                                               \
  WF_COMPLEX T cuCdiv##SUFFIX(T a, T b) {                                                          \
    const R s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), p = a.x / s, q = a.y / s,         \
            u = b.x / s, v = b.y / s, norm = u * u + v * v;                                        \
    return MAKE((p * u + q * v) / norm, (q * u - p * v) / norm);                                   \
  }
WF_COMPLEX_OF(cuFloatComplex, float, make_cuFloatComplex, f)
WF_COMPLEX_OF(cuDoubleComplex, double, make_cuDoubleComplex, )
#undef WF_COMPLEX_OF
WF_COMPLEX float cuCabsf(cuFloatComplex x) {
  return hypotf(x.x, x.y);
}
WF_COMPLEX double cuCabs(cuDoubleComplex x) {
  return hypot(x.x, x.y);
}
WF_COMPLEX cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
#undef WF_COMPLEX

#endif
