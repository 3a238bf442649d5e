/* What every handler uses: lane types, operand access, masked write-back.
 *
 * A 32-bit register is one plane, 32 lanes of 32 bits. A 64-bit value takes two consecutive planes,
 * low words and high words: so each lane's bits stay in its own column, and a write by some lanes
 * of a diverged warp never touches what other lanes keep in the same registers. Handlers see 64-bit
 * operands recombined (GET_u64 and its like). 8- and 16-bit values sit zero-extended in one plane.
 * Handlers compute all 32 lanes into a local array and then write those of the mask: a result
 * may share planes with the sources, even where their widths differ. */
#ifndef WF_PTX_LANES_H
#define WF_PTX_LANES_H

#include <string.h>

#include "sim/ptx/code.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

/* Planes are reinterpreted by each instruction's type. */
typedef u32 __attribute__((may_alias)) lane32;
typedef u64 __attribute__((may_alias)) lane64;
typedef f32 __attribute__((may_alias)) lanef;
typedef f64 __attribute__((may_alias)) laned;

#define LANES for (int i = 0; i < PTX_LANES; i++)
#define BIT(i) (1u << (i))

#define HANDLER(name)                                                                              \
  static bool name(const ptx_code *c, ptx_warp *w, u32 m, ptx_effect *e, wf_error *err)
#define UNUSED_EFFECT ((void)e, (void)err)

/* Element type of a plane, and how a C value goes back to it. */
#define PLANE_u16 lane32
#define PLANE_s16 lane32
#define PLANE_u32 lane32
#define PLANE_s32 lane32
#define PLANE_u64 lane64
#define PLANE_s64 lane64
#define PLANE_f32 lanef
#define PLANE_f64 laned
#define STORED_u16(x) ((u16)(x))
#define STORED_s16(x) ((u16)(x))
#define STORED_u32(x) ((u32)(x))
#define STORED_s32(x) ((u32)(x))
#define STORED_u64(x) ((u64)(x))
#define STORED_s64(x) ((u64)(x))
#define KEEP_u16 ptx_keep32
#define KEEP_s16 ptx_keep32
#define KEEP_u32 ptx_keep32
#define KEEP_s32 ptx_keep32
#define KEEP_u64 ptx_keep64
#define KEEP_s64 ptx_keep64
#define KEEP_f32 ptx_keep32
#define KEEP_f64 ptx_keep64

static inline const void *ptx_in(const ptx_code *c, const ptx_warp *w, int k) {
  const ptx_source *s = &c->src[k];
  return s->kind == PTX_SOURCE_REG ? (const void *)w->reg[s->reg] : s->plane;
}

/* A 64-bit operand as 32 lanes of 64 bits, in `both` if it is in registers. */
static inline const void *ptx_in_wide(const ptx_code *c, const ptx_warp *w, int k, void *both) {
  const ptx_source *s = &c->src[k];
  if (s->kind != PTX_SOURCE_REG) return s->plane;
  const lane32 *low = w->reg[s->reg], *high = w->reg[s->reg + 1];
  lane64 *to = both;
  LANES to[i] = (u64)high[i] << 32 | low[i];
  return both;
}

static inline const void *ptx_in_any(const ptx_code *c, const ptx_warp *w, int k, void *both) {
  return c->src[k].wide ? ptx_in_wide(c, w, k, both) : ptx_in(c, w, k);
}

/* Declares `name`, the lanes of source k as planes of the type. */
#define GET32(plane, name, k) const plane *const name = ptx_in(c, w, k)
#define GET64(plane, name, k)                                                                      \
  plane name##_both[PTX_LANES];                                                                    \
  const plane *const name = ptx_in_wide(c, w, k, name##_both)
#define GET_u16(name, k) GET32(lane32, name, k)
#define GET_s16(name, k) GET32(lane32, name, k)
#define GET_u32(name, k) GET32(lane32, name, k)
#define GET_s32(name, k) GET32(lane32, name, k)
#define GET_f32(name, k) GET32(lanef, name, k)
#define GET_u64(name, k) GET64(lane64, name, k)
#define GET_s64(name, k) GET64(lane64, name, k)
#define GET_f64(name, k) GET64(laned, name, k)

static inline void *ptx_out(const ptx_code *c, const ptx_warp *w, int k) {
  return w->reg[c->dst[k].reg];
}

static inline u32 ptx_in_pred(const ptx_code *c, const ptx_warp *w, int k) {
  const ptx_source *s = &c->src[k];
  return (s->kind == PTX_SOURCE_PRED ? w->pred[s->reg] : 0) ^ s->invert;
}

static inline void ptx_keep_pred(const ptx_code *c, ptx_warp *w, int k, u32 value, u32 m) {
  u32 *p = &w->pred[c->dst[k].reg];
  *p = (*p & ~m) | (value & m);
}

static inline void ptx_keep32(void *dst, const void *result, u32 m) {
  lane32 *d = dst;
  const lane32 *r = result;
  LANES d[i] = (m >> i) & 1 ? r[i] : d[i];
}

static inline void ptx_keep64(void *dst, const void *result, u32 m) {
  lane32 *low = dst, *high = low + PTX_LANES;
  const lane64 *r = result;
  LANES low[i] = (m >> i) & 1 ? (u32)r[i] : low[i];
  LANES high[i] = (m >> i) & 1 ? (u32)(r[i] >> 32) : high[i];
}

static inline void ptx_set_lane64(void *dst, u32 lane, u64 value) {
  ((lane32 *)dst)[lane] = (u32)value;
  ((lane32 *)dst)[lane + PTX_LANES] = (u32)(value >> 32);
}

static inline u32 ptx_float_bits(f32 x) {
  u32 bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline f32 ptx_bits_float(u32 bits) {
  f32 x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline u64 ptx_double_bits(f64 x) {
  u64 bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline f64 ptx_bits_double(u64 bits) {
  f64 x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Calls body for the active lanes only, for operations that do not vectorise. */
#define ACTIVE_LANES(m)                                                                            \
  for (u32 left_ = (m), i = 0; left_ && (i = (u32)__builtin_ctz(left_), true); left_ &= left_ - 1)

#endif
