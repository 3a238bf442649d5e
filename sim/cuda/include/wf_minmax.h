// min and max in the global namespace, as CUDA has them for both sides.
#ifndef WARPFAB_MINMAX_H
#define WARPFAB_MINMAX_H

#define WF_ONE_OF(SIDES, TYPE)                                                                     \
  static SIDES __forceinline__ TYPE min(TYPE a, TYPE b) {                                          \
    return b < a ? b : a;                                                                          \
  }                                                                                                \
  static SIDES __forceinline__ TYPE max(TYPE a, TYPE b) {                                          \
    return a < b ? b : a;                                                                          \
  }
#define WF_OF_TWO(FIRST, SECOND, TYPE)                                                             \
  static __host__ __device__ __forceinline__ TYPE min(FIRST a, SECOND b) {                         \
    return (TYPE)b < (TYPE)a ? (TYPE)b : (TYPE)a;                                                  \
  }                                                                                                \
  static __host__ __device__ __forceinline__ TYPE max(FIRST a, SECOND b) {                         \
    return (TYPE)a < (TYPE)b ? (TYPE)b : (TYPE)a;                                                  \
  }
WF_ONE_OF(__host__, int) // clang has the device's
WF_ONE_OF(__host__ __device__, unsigned)
WF_ONE_OF(__host__ __device__, long)
WF_ONE_OF(__host__ __device__, unsigned long)
WF_ONE_OF(__host__ __device__, long long)
WF_ONE_OF(__host__ __device__, unsigned long long)
WF_OF_TWO(int, unsigned, unsigned)
WF_OF_TWO(unsigned, int, unsigned)
// Of numbers with NaN the other.
WF_OF_TWO(float, double, double)
WF_OF_TWO(double, float, double)
#define WF_OF_FLOATS(TYPE, LETTER)                                                                 \
  static __host__ __device__ __forceinline__ TYPE min(TYPE a, TYPE b) {                            \
    return __builtin_fmin##LETTER(a, b);                                                           \
  }                                                                                                \
  static __host__ __device__ __forceinline__ TYPE max(TYPE a, TYPE b) {                            \
    return __builtin_fmax##LETTER(a, b);                                                           \
  }
WF_OF_FLOATS(float, f)
WF_OF_FLOATS(double, )
#undef WF_ONE_OF
#undef WF_OF_TWO
#undef WF_OF_FLOATS

#endif
