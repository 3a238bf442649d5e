/* Bits of floats, and what PTX says about flushing, saturation and NaN, written for the tests. */
#ifndef WF_TEST_FLOAT_REFERENCE_H
#define WF_TEST_FLOAT_REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float as_float(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, 4);
  return f;
}
static inline double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}
/* A NaN result has one pattern. */
static inline uint64_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return isnan(f) ? 0x7fffffff : bits;
}
static inline uint64_t double_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, 8);
  return isnan(d) ? 0xfff8000000000000 : bits;
}
static inline float flushed(float f) {
  return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}
static inline float saturated(float f) {
  return isnan(f) || f <= 0 ? 0 : f >= 1 ? 1 : f;
}

#endif
