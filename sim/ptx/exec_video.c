/* Video instructions: a byte, half or word of each operand; or all halves or bytes at once.
 * Computed in 64 bits. code.op: a ptx_video_op; type, type2: of a and b; rounding: the result is
 * signed; op2: what becomes of the result; offset: the parts, see ptx_video_parts(). */
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

/* Part: 0 the word, 1 .. 4 bytes, 5 and 6 halves. */
static u32 shift_of(u32 part) {
  return part >= 5 ? (part - 5) * 16 : part ? (part - 1) * 8 : 0;
}
static u32 bits_of(u32 part) {
  return part >= 5 ? 16 : part ? 8 : 32;
}

static s64 extract(u32 word, u32 part, unsigned type) {
  const u32 bits = bits_of(part);
  const u64 x = (u64)word >> shift_of(part) & (((u64)1 << bits) - 1);
  return type == PTX_S32 && x >> (bits - 1) ? (s64)x - ((s64)1 << bits) : (s64)x;
}

static bool compares(unsigned op, s64 a, s64 b) {
  switch (op) {
  case PTX_EQ:
    return a == b;
  case PTX_NE:
    return a != b;
  case PTX_LT:
    return a < b;
  case PTX_LE:
    return a <= b;
  case PTX_GT:
    return a > b;
  default:
    return a >= b;
  }
}

static s64 operate(const ptx_code *c, s64 a, s64 b, u32 mode) {
  switch (c->op) {
  case PTX_VIDEO_ADD:
    return a + b;
  case PTX_VIDEO_SUB:
    return a - b;
  case PTX_VIDEO_ABSDIFF:
    return a < b ? b - a : a - b;
  case PTX_VIDEO_MIN:
    return a < b ? a : b;
  case PTX_VIDEO_MAX:
    return a > b ? a : b;
  case PTX_VIDEO_SET:
    return compares(mode, a, b);
  case PTX_VIDEO_AVERAGE: /* halves go away from zero */
    return (a + b + (a + b >= 0)) >> 1;
  case PTX_VIDEO_SHL:
  case PTX_VIDEO_SHR: {
    const s64 by = mode ? b & 31 : b > 32 ? 32 : b; /* mode 1: wrap */
    return c->op == PTX_VIDEO_SHL ? (s64)((u64)a << by) : a >> by;
  }
  default:
    return 0;
  }
}

static s64 saturated(const ptx_code *c, s64 x, u32 bits) {
  const bool is_signed = c->rounding;
  const s64 most = is_signed ? ((s64)1 << (bits - 1)) - 1 : ((s64)1 << bits) - 1;
  const s64 least = is_signed ? -most - 1 : 0;
  if (!c->sat) return x;
  return x < least ? least : x > most ? most : x;
}

static u32 merge(u32 x, u32 part, u32 into) {
  const u32 mask = part ? ((1u << bits_of(part)) - 1) << shift_of(part) : UINT32_MAX;
  return (x << shift_of(part) & mask) | (into & ~mask);
}

static u32 second(const ptx_code *c, u32 x, u32 d) {
  const bool less = c->rounding ? (s32)x < (s32)d : x < d;
  switch (c->op2) {
  case PTX_VIDEO_THEN_ADD:
    return x + d;
  case PTX_VIDEO_THEN_MIN:
    return less ? x : d;
  case PTX_VIDEO_THEN_MAX:
    return less ? d : x;
  default:
    return x;
  }
}

/* All parts of the words; the results side by side, or added to d. */
static u32 all_parts(const ptx_code *c, ptx_video_parts p, u32 a, u32 b, u32 d) {
  const u32 first = p.lanes == 2 ? 5 : 1, bits = bits_of(first);
  u32 result = c->op2 == PTX_VIDEO_THEN_ADD ? d : 0;
  for (u32 k = 0; k < p.lanes; k++) {
    const s64 x = saturated(
        c, operate(c, extract(a, first + k, c->type), extract(b, first + k, c->type2), p.mode),
        bits);
    const u32 field = (u32)x & ((1u << bits) - 1);
    result += c->op2 == PTX_VIDEO_THEN_ADD ? (u32)x : field << k * bits;
  }
  return result;
}

HANDLER(video) {
  const ptx_video_parts p = ptx_video_unpack(c->offset);
  const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1),
               *pd = ptx_in(c, w, c->n_src > 2 ? 2 : 1);
  lane32 r[PTX_LANES] = {0};
  UNUSED_EFFECT;
  ACTIVE_LANES(m) {
    if (p.lanes > 1) {
      r[i] = all_parts(c, p, pa[i], pb[i], pd[i]);
      continue;
    }
    const s64 x = operate(c, extract(pa[i], p.a, c->type), extract(pb[i], p.b, c->type2), p.mode);
    const u32 y = (u32)saturated(c, x, bits_of(p.d));
    r[i] = c->op2 == PTX_VIDEO_THEN_MERGE ? merge(y, p.d, pd[i]) : second(c, y, pd[i]);
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_video_handler(void) {
  return video;
}
