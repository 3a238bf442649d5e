/* Arithmetic with rounding towards zero or an infinity: the host's rounding mode, lane by lane.
 * Slow, and rare in real kernels. Also the conversions that need a directed rounding. */
#include "sim/ptx/exec_round.h"

#include <fenv.h>
#include <math.h>

#include "sim/ptx/float_lanes.h"
#include "sim/ptx/handlers.h"

static int host_mode(unsigned rounding) {
  switch (rounding) {
  case PTX_ROUND_RZ:
    return FE_TOWARDZERO;
  case PTX_ROUND_RM:
    return FE_DOWNWARD;
  case PTX_ROUND_RP:
    return FE_UPWARD;
  default:
    return FE_TONEAREST;
  }
}

/* volatile: evaluated at run time, between the calls that set the mode. */
#define COMPUTE(T, suffix)                                                                         \
  static T compute##suffix(int op, volatile T a, volatile T b, volatile T d) {                     \
    volatile T x = 0;                                                                              \
    switch (op) {                                                                                  \
    case PTX_FLOAT_ADD:                                                                            \
      x = a + b;                                                                                   \
      break;                                                                                       \
    case PTX_FLOAT_SUB:                                                                            \
      x = a - b;                                                                                   \
      break;                                                                                       \
    case PTX_FLOAT_MUL:                                                                            \
      x = a * b;                                                                                   \
      break;                                                                                       \
    case PTX_FLOAT_FMA:                                                                            \
      x = fma##suffix(a, b, d);                                                                    \
      break;                                                                                       \
    case PTX_FLOAT_DIV:                                                                            \
      x = a / b;                                                                                   \
      break;                                                                                       \
    case PTX_FLOAT_RCP:                                                                            \
      x = 1 / a;                                                                                   \
      break;                                                                                       \
    case PTX_FLOAT_SQRT:                                                                           \
      x = sqrt##suffix(a);                                                                         \
      break;                                                                                       \
    }                                                                                              \
    return x;                                                                                      \
  }
#define fmad fma
#define sqrtd sqrt
COMPUTE(f32, f)
COMPUTE(f64, d)

HANDLER(rounded_f32) {
  const lanef *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, c->n_src > 1 ? 1 : 0),
              *pd = ptx_in(c, w, c->n_src > 2 ? 2 : 0);
  lane32 r[PTX_LANES] = {0};
  int before = fegetround();
  UNUSED_EFFECT;
  fesetround(host_mode(c->rounding));
  ACTIVE_LANES(m) {
    f32 x = c->ftz ? computef(c->op, ptx_flush(pa[i]), ptx_flush(pb[i]), ptx_flush(pd[i]))
                   : computef(c->op, pa[i], pb[i], pd[i]);
    if (c->ftz) x = ptx_flush(x);
    if (c->sat) x = ptx_saturate32(x);
    r[i] = ptx_result32(x);
  }
  fesetround(before);
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

HANDLER(rounded_f64) {
  GET_f64(pa, 0);
  GET_f64(pb, c->n_src > 1 ? 1 : 0);
  GET_f64(pd, c->n_src > 2 ? 2 : 0);
  lane64 r[PTX_LANES] = {0};
  int before = fegetround();
  UNUSED_EFFECT;
  fesetround(host_mode(c->rounding));
  ACTIVE_LANES(m) r[i] = ptx_result64(computed(c->op, pa[i], pb[i], pd[i]));
  fesetround(before);
  ptx_keep64(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_rounded_handler(ptx_type type) {
  return type == PTX_F32 ? rounded_f32 : type == PTX_F64 ? rounded_f64 : NULL;
}

void ptx_round_ints(const u64 in[PTX_LANES], bool is_signed, bool to_double, unsigned rounding,
                    u64 out[PTX_LANES]) {
  int before = fegetround();
  fesetround(host_mode(rounding));
  LANES {
    volatile u64 value = in[i];
    volatile s64 negative = (s64)in[i];
    if (to_double) {
      volatile f64 x = is_signed ? (f64)negative : (f64)value;
      out[i] = ptx_double_bits(x);
    } else {
      volatile f32 x = is_signed ? (f32)negative : (f32)value;
      out[i] = ptx_float_bits(x);
    }
  }
  fesetround(before);
}

void ptx_round_doubles(const f64 in[PTX_LANES], unsigned rounding, f32 out[PTX_LANES]) {
  int before = fegetround();
  fesetround(host_mode(rounding));
  LANES {
    volatile f64 value = in[i];
    volatile f32 x = (f32)value;
    out[i] = x;
  }
  fesetround(before);
}
