/* Flushing, saturation and NaN of PTX floating point, per lane.
 *
 * A NaN result has one bit pattern, whatever the operands' payloads: 0x7fffffff in single
 * precision (as PTX says), 0xfff8000000000000 in double (left open by PTX), so that results do not
 * depend on how the host's compiler ordered the operands. */
#ifndef WF_PTX_FLOAT_LANES_H
#define WF_PTX_FLOAT_LANES_H

#include "sim/ptx/lanes.h"

#define PTX_NAN32 0x7fffffffu
#define PTX_NAN64 0xfff8000000000000u

/* Subnormal to zero, sign kept. */
static inline f32 ptx_flush(f32 x) {
  u32 bits = ptx_float_bits(x);
  return ptx_bits_float(bits & 0x7f800000u ? bits : bits & 0x80000000u);
}

/* To [0, 1]; NaN and -0 become +0. */
static inline f32 ptx_saturate32(f32 x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}
static inline f64 ptx_saturate64(f64 x) {
  return x > 0 ? (x < 1 ? x : 1) : 0;
}

static inline u32 ptx_result32(f32 x) {
  return x != x ? PTX_NAN32 : ptx_float_bits(x);
}
static inline u64 ptx_result64(f64 x) {
  return x != x ? PTX_NAN64 : ptx_double_bits(x);
}

#endif
