/* setp, set, slct. One handler per type and comparison: the lanes' truth values as a mask. */
#include "sim/ptx/float_lanes.h"
#include "sim/ptx/handlers.h"

/* p = combine(t, c); with a second destination also q = combine(!t, c). */
static inline u32 combine(const ptx_code *c, u32 t, u32 with) {
  switch (c->op2) {
  case PTX_BOOL_AND:
    return t & with;
  case PTX_BOOL_OR:
    return t | with;
  case PTX_BOOL_XOR:
    return t ^ with;
  default:
    return t;
  }
}

static inline bool finish_setp(const ptx_code *c, ptx_warp *w, u32 m, u32 t) {
  if (c->op2 == PTX_BOOL_NONE && c->n_dst == 1) {
    ptx_keep_pred(c, w, 0, t, m);
    return true;
  }
  const u32 with = c->op2 != PTX_BOOL_NONE ? ptx_in_pred(c, w, 2) : 0;
  ptx_keep_pred(c, w, 0, combine(c, t, with), m);
  if (c->n_dst > 1) ptx_keep_pred(c, w, 1, combine(c, ~t, with), m);
  return true;
}

typedef u32 test_function(const void *a, const void *b);

#define COMPARE(T, name, expr)                                                                     \
  static inline u32 test_##name##_##T(const void *va, const void *vb) {                            \
    const PLANE_##T *pa = va, *pb = vb;                                                            \
    u32 t = 0;                                                                                     \
    LANES {                                                                                        \
      const T a = (T)pa[i], b = (T)pb[i];                                                          \
      t |= (expr) ? BIT(i) : 0;                                                                    \
    }                                                                                              \
    return t;                                                                                      \
  }                                                                                                \
  HANDLER(setp_##name##_##T) {                                                                     \
    UNUSED_EFFECT;                                                                                 \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    return finish_setp(c, w, m, test_##name##_##T(pa, pb));                                        \
  }

#define ORDERED(T)                                                                                 \
  COMPARE(T, eq, a == b)                                                                           \
  COMPARE(T, lt, a < b)                                                                            \
  COMPARE(T, le, a <= b)                                                                           \
  COMPARE(T, gt, a > b)                                                                            \
  COMPARE(T, ge, a >= b)
#define INTEGER(T) ORDERED(T) COMPARE(T, ne, a != b)
/* In PTX even ne is false when an operand is NaN; neu is C's !=. */
#define FLOATING(T)                                                                                \
  ORDERED(T)                                                                                       \
  COMPARE(T, ne, a<b || a> b)                                                                      \
  COMPARE(T, equ, !(a < b || a > b))                                                               \
  COMPARE(T, neu, a != b)                                                                          \
  COMPARE(T, ltu, !(a >= b))                                                                       \
  COMPARE(T, leu, !(a > b))                                                                        \
  COMPARE(T, gtu, !(a <= b))                                                                       \
  COMPARE(T, geu, !(a < b))                                                                        \
  COMPARE(T, num, a == a && b == b)                                                                \
  COMPARE(T, nan, a != a || b != b)

INTEGER(u16)
INTEGER(s16)
INTEGER(u32)
INTEGER(s32)
INTEGER(u64)
INTEGER(s64)
FLOATING(f32)
FLOATING(f64)

#define INTEGER_ROW(prefix, T)                                                                     \
  {                                                                                                \
    [PTX_EQ] = prefix##_eq_##T, [PTX_NE] = prefix##_ne_##T, [PTX_LT] = prefix##_lt_##T,            \
    [PTX_LE] = prefix##_le_##T, [PTX_GT] = prefix##_gt_##T, [PTX_GE] = prefix##_ge_##T             \
  }
#define FLOATING_ROW(prefix, T)                                                                    \
  {                                                                                                \
    [PTX_EQ] = prefix##_eq_##T, [PTX_NE] = prefix##_ne_##T, [PTX_LT] = prefix##_lt_##T,            \
    [PTX_LE] = prefix##_le_##T, [PTX_GT] = prefix##_gt_##T, [PTX_GE] = prefix##_ge_##T,            \
    [PTX_EQU] = prefix##_equ_##T, [PTX_NEU] = prefix##_neu_##T, [PTX_LTU] = prefix##_ltu_##T,      \
    [PTX_LEU] = prefix##_leu_##T, [PTX_GTU] = prefix##_gtu_##T, [PTX_GEU] = prefix##_geu_##T,      \
    [PTX_NUM] = prefix##_num_##T, [PTX_NAN] = prefix##_nan_##T                                     \
  }
/* Untyped comparisons are eq and ne only; the decoder sees to that. */
#define TABLE(prefix)                                                                              \
  {                                                                                                \
    [PTX_U16] = INTEGER_ROW(prefix, u16), [PTX_U32] = INTEGER_ROW(prefix, u32),                    \
    [PTX_U64] = INTEGER_ROW(prefix, u64), [PTX_S16] = INTEGER_ROW(prefix, s16),                    \
    [PTX_S32] = INTEGER_ROW(prefix, s32), [PTX_S64] = INTEGER_ROW(prefix, s64),                    \
    [PTX_B16] = INTEGER_ROW(prefix, u16), [PTX_B32] = INTEGER_ROW(prefix, u32),                    \
    [PTX_B64] = INTEGER_ROW(prefix, u64), [PTX_F32] = FLOATING_ROW(prefix, f32),                   \
    [PTX_F64] = FLOATING_ROW(prefix, f64)                                                          \
  }

static ptx_handler *const setp_table[PTX_TYPE_COUNT][PTX_NAN + 1] = TABLE(setp);
static test_function *const test_table[PTX_TYPE_COUNT][PTX_NAN + 1] = TABLE(test);

static void flush_plane(const void *in, lanef out[PTX_LANES]) {
  const lanef *p = in;
  LANES out[i] = ptx_flush(p[i]);
}

/* Any comparison by table, flushing first where asked. */
static u32 test_by_table(const ptx_code *c, const ptx_warp *w) {
  test_function *test = test_table[c->type][c->op];
  lane64 both[2][PTX_LANES];
  lanef a[PTX_LANES], b[PTX_LANES];
  if (!c->ftz) return test(ptx_in_any(c, w, 0, both[0]), ptx_in_any(c, w, 1, both[1]));
  flush_plane(ptx_in(c, w, 0), a);
  flush_plane(ptx_in(c, w, 1), b);
  return test(a, b);
}

HANDLER(setp_ftz) {
  UNUSED_EFFECT;
  return finish_setp(c, w, m, test_by_table(c, w));
}

ptx_handler *ptx_setp_handler(ptx_type type, ptx_compare compare, bool ftz) {
  ptx_handler *h = setp_table[type][compare];
  return h && ftz ? (type == PTX_F32 ? setp_ftz : NULL) : h;
}

/* All ones, or 1.0 where the result is a float. */
HANDLER(set_any) {
  const u32 with = c->op2 != PTX_BOOL_NONE ? ptx_in_pred(c, w, 2) : 0;
  const u32 t = combine(c, test_by_table(c, w), with);
  const u32 truth = c->type2 == PTX_F32 ? 0x3f800000u : UINT32_MAX;
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  LANES r[i] = (t >> i) & 1 ? truth : 0;
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_set_handler(ptx_type type, ptx_compare compare) {
  return test_table[type][compare] ? set_any : NULL;
}

/* A NaN selector counts as negative, -0 as not negative. */
#define SELECT(T, selector, plane, flushed)                                                        \
  HANDLER(slct_##T##_##selector) {                                                                 \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    const plane *ps = ptx_in(c, w, 2);                                                             \
    PLANE_##T r[PTX_LANES];                                                                        \
    UNUSED_EFFECT;                                                                                 \
    LANES r[i] = (selector)(flushed) >= 0 ? pa[i] : pb[i];                                         \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    return true;                                                                                   \
  }
SELECT(u32, s32, lane32, ps[i])
SELECT(u64, s32, lane32, ps[i])
SELECT(u32, f32, lanef, c->ftz ? ptx_flush(ps[i]) : ps[i])
SELECT(u64, f32, lanef, c->ftz ? ptx_flush(ps[i]) : ps[i])

ptx_handler *ptx_slct_handler(ptx_type type, ptx_type selector) {
  bool wide = ptx_type_bytes(type) == 8;
  if (selector == PTX_S32) return wide ? slct_u64_s32 : slct_u32_s32;
  return selector == PTX_F32 ? (wide ? slct_u64_f32 : slct_u32_f32) : NULL;
}
