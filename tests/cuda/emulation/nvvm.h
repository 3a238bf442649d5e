// The instructions behind libdevice.h, as the executor has them.
#ifndef EMULATION_NVVM_H
#define EMULATION_NVVM_H

#define AS(NAME, TO, FROM)                                                                         \
  inline TO NAME(FROM x) {                                                                         \
    TO r;                                                                                          \
    memcpy(&r, &x, sizeof r);                                                                      \
    return r;                                                                                      \
  }
AS(__nvvm_bitcast_f2i, int, float)
AS(__nvvm_bitcast_i2f, float, int)
AS(__nvvm_bitcast_d2ll, long long, double)
AS(__nvvm_bitcast_ll2d, double, long long)
#undef AS
inline float __nvvm_fma_rn_f(float a, float b, float c) {
  return fmaf(a, b, c);
}
inline double __nvvm_fma_rn_d(double a, double b, double c) {
  return ::fma(a, b, c);
}
inline float __nvvm_fabs_f(float x) {
  return fabsf(x);
}
inline double __nvvm_fabs_d(double x) {
  return ::fabs(x);
}
inline float __nvvm_sqrt_rn_f(float x) {
  return sqrtf(x);
}
inline double __nvvm_sqrt_rn_d(double x) {
  return ::sqrt(x);
}
inline float __nvvm_ex2_approx_f(float x) {
  return exp2f(x);
}
inline float __nvvm_lg2_approx_f(float x) {
  return log2f(x);
}
inline float __nvvm_sin_approx_f(float x) {
  return sinf(x);
}
inline float __nvvm_cos_approx_f(float x) {
  return cosf(x);
}
inline float __nvvm_rsqrt_approx_f(float x) {
  return 1 / sqrtf(x);
}
inline float __nvvm_div_approx_f(float x, float y) {
  return x / y;
}
inline float __nvvm_saturate_f(float x) {
  return x > 0 ? x < 1 ? x : 1 : 0;
}
inline float __nvvm_fmin_f(float x, float y) {
  return fminf(x, y);
}
inline float __nvvm_fmax_f(float x, float y) {
  return fmaxf(x, y);
}
inline double __nvvm_fmin_d(double x, double y) {
  return ::fmin(x, y);
}
inline double __nvvm_fmax_d(double x, double y) {
  return ::fmax(x, y);
}
inline long long __nvvm_f2ll_rn(float x) {
  return llrintf(x);
}
inline long long __nvvm_f2ll_rz(float x) {
  return (long long)x;
}
inline long long __nvvm_d2ll_rn(double x) {
  return llrint(x);
}
inline long long __nvvm_d2ll_rz(double x) {
  return (long long)x;
}

#endif
