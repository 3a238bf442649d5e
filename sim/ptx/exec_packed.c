/* Words as bytes and halves, masks, and sums over a warp. */
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

/* ---- one word from up to three ---- */

/* Byte or half k, extended by code.type (of a) or type2 (of b). */
static s32 part(u32 word, u32 k, u32 bits, unsigned type) {
  const u32 x = word >> k * bits;
  if (bits == 8) return type == PTX_S32 ? (s8)x : (u8)x;
  return type == PTX_S32 ? (s16)x : (u16)x;
}

static u32 dot4(const ptx_code *c, u32 a, u32 b, u32 d) {
  for (u32 k = 0; k < 4; k++) d += (u32)(part(a, k, 8, c->type) * part(b, k, 8, c->type2));
  return d;
}

/* code.op2: 1: the upper two bytes of b. */
static u32 dot2(const ptx_code *c, u32 a, u32 b, u32 d) {
  for (u32 k = 0; k < 2; k++)
    d += (u32)(part(a, k, 16, c->type) * part(b, k + 2u * c->op2, 8, c->type2));
  return d;
}

/* code.op2: 0 clamp, 1 wrap. */
static u32 mask(const ptx_code *c, u32 a, u32 b) {
  const bool clamp = c->op2 == 0;
  const u32 from = a & 31, end = from + (b & 31);
  if (clamp && a >= 32) return 0;
  const u32 above = end >= 32 || (clamp && b >= 32) ? 0 : UINT32_MAX << end;
  return UINT32_MAX << from & ~above;
}

/* The lower b bits of a. code.op2: 0 clamp, 1 wrap. */
static u32 extend(const ptx_code *c, u32 a, u32 b) {
  const u32 bits = c->op2 ? b & 31 : b < 32 ? b : 32, by = 32 - bits;
  if (bits == 0) return 0;
  return c->type == PTX_S32 ? (u32)((s32)(a << by) >> by) : a << by >> by;
}

/* Where the n-th 1 of a mask is, from bit `base` on, upwards or downwards; n 0: is it there? */
static u32 nth_one(u32 ones, u32 base, s32 n) {
  const s32 step = n < 0 ? -1 : 1;
  s64 left = n < 0 ? -(s64)n : n;
  if (base < 32 && n == 0) return ones >> base & 1 ? base : UINT32_MAX;
  for (s64 at = (s32)base; n && at >= 0 && at < 32; at += step)
    if (ones >> at & 1 && --left == 0) return (u32)at;
  return UINT32_MAX;
}

static s32 clamped(s32 x, unsigned type) {
  const u32 bits = 8 * ptx_type_bytes((ptx_type)type);
  const bool is_signed = ptx_type_kind((ptx_type)type) == 's';
  const s32 most = (1 << (bits - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
  return x < least ? least : x > most ? most : x;
}

/* code.type: of the parts. */
static u32 pack(const ptx_code *c, u32 a, u32 b, u32 rest) {
  const u32 bits = 8 * ptx_type_bytes((ptx_type)c->type), ones = (1u << bits) - 1;
  const u32 two =
      ((u32)clamped((s32)a, c->type) & ones) << bits | ((u32)clamped((s32)b, c->type) & ones);
  return bits == 16 ? two : rest << 2 * bits | two;
}

HANDLER(word) {
  const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1),
               *pd = ptx_in(c, w, c->n_src > 2 ? 2 : 1);
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  switch (c->op) {
  case PTX_WORD_DP4A:
    LANES r[i] = dot4(c, pa[i], pb[i], pd[i]);
    break;
  case PTX_WORD_DP2A:
    LANES r[i] = dot2(c, pa[i], pb[i], pd[i]);
    break;
  case PTX_WORD_MASK:
    LANES r[i] = mask(c, pa[i], pb[i]);
    break;
  case PTX_WORD_EXTEND:
    LANES r[i] = extend(c, pa[i], pb[i]);
    break;
  case PTX_WORD_NTH:
    LANES r[i] = nth_one(pa[i], pb[i], (s32)pd[i]);
    break;
  default:
    LANES r[i] = pack(c, pa[i], pb[i], c->n_src > 2 ? pd[i] : 0);
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_word_handler(void) {
  return word;
}

/* ---- redux.sync: over the lanes of the member mask that are here ---- */

static u32 reduce(const ptx_code *c, u32 a, u32 b) {
  const bool is_signed = c->type == PTX_S32;
  const bool less = is_signed ? (s32)a < (s32)b : a < b;
  switch (c->op) {
  case PTX_REDUX_ADD:
    return a + b;
  case PTX_REDUX_MIN:
    return less ? a : b;
  case PTX_REDUX_MAX:
    return less ? b : a;
  case PTX_REDUX_AND:
    return a & b;
  case PTX_REDUX_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

HANDLER(redux) {
  const lane32 *p = ptx_in(c, w, 0);
  const lane32 *members = ptx_in(c, w, 1);
  lane32 r[PTX_LANES] = {0};
  UNUSED_EFFECT;
  for (u32 left = m; left;) { /* group after group */
    const u32 group = m & (members[__builtin_ctz(left)] | BIT(__builtin_ctz(left)));
    u32 result = p[__builtin_ctz(group)];
    ACTIVE_LANES(group & (group - 1)) result = reduce(c, result, p[i]);
    ACTIVE_LANES(group) r[i] = result;
    left &= ~group;
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_redux_handler(void) {
  return redux;
}
