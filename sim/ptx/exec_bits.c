/* Logic, shifts, bit fields, moves and selection: operations on bits, whatever the type. */
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

#define UNARY(name, T, RT, expr)                                                                   \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    PLANE_##RT r[PTX_LANES];                                                                       \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i];                                                                        \
      r[i] = STORED_##RT(expr);                                                                    \
    }                                                                                              \
    KEEP_##RT(ptx_out(c, w, 0), r, m);                                                             \
    return true;                                                                                   \
  }

/* BT: type of the second operand (a shift amount is always 32 bits). */
#define BINARY(name, T, BT, expr)                                                                  \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    GET_##BT(pb, 1);                                                                               \
    PLANE_##T r[PTX_LANES];                                                                        \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i];                                                                        \
      const BT b = (BT)pb[i];                                                                      \
      r[i] = STORED_##T(expr);                                                                     \
    }                                                                                              \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    return true;                                                                                   \
  }

#define TERNARY(name, T, BT, CT, expr)                                                             \
  HANDLER(name##_##T) {                                                                            \
    GET_##T(pa, 0);                                                                                \
    GET_##BT(pb, 1);                                                                               \
    GET_##CT(pd, 2);                                                                               \
    PLANE_##T r[PTX_LANES];                                                                        \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const T a = (T)pa[i];                                                                        \
      const BT b = (BT)pb[i];                                                                      \
      const CT d = (CT)pd[i];                                                                      \
      r[i] = STORED_##T(expr);                                                                     \
    }                                                                                              \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    return true;                                                                                   \
  }

#define WIDTH(T) (8 * sizeof(T))

/* Shift amounts above the width act like the width (PTX clamps them). */
#define SHL(T, a, b) ((b) >= WIDTH(T) ? 0 : (u64)(a) << ((b) & (WIDTH(T) - 1)))
#define SHL_u32(a, b) ((b) >= 32 ? 0 : (a) << ((b)&31)) /* stays 32 bits wide */
#define SHR(T, a, b) ((b) >= WIDTH(T) ? 0 : (a) >> ((b) & (WIDTH(T) - 1)))
#define SAR(T, a, b) ((a) >> ((b) >= WIDTH(T) ? WIDTH(T) - 1 : (b)))

#define X(T)                                                                                       \
  BINARY(and, T, T, a &b)                                                                          \
  BINARY(or, T, T, a | b)                                                                          \
  BINARY(xor, T, T, a ^ b)                                                                         \
  UNARY(not, T, T, ~a)                                                                             \
  UNARY(cnot, T, T, a == 0)                                                                        \
  UNARY(mov, T, T, a)                                                                              \
  BINARY(shr, T, u32, SHR(T, a, b))
X(u16)
X(u32)
X(u64)
#undef X
BINARY(shl, u16, u32, SHL(u16, a, b))
BINARY(shl, u32, u32, SHL_u32(a, b))
BINARY(shl, u64, u32, SHL(u64, a, b))
BINARY(shr, s16, u32, SAR(s16, a, b))
BINARY(shr, s32, u32, SAR(s32, a, b))
BINARY(shr, s64, u32, SAR(s64, a, b))

#define SELECT(T)                                                                                  \
  HANDLER(selp_##T) {                                                                              \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    const u32 p = ptx_in_pred(c, w, 2);                                                            \
    PLANE_##T r[PTX_LANES];                                                                        \
    UNUSED_EFFECT;                                                                                 \
    LANES r[i] = (p >> i) & 1 ? pa[i] : pb[i];                                                     \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    return true;                                                                                   \
  }
SELECT(u32)
SELECT(u64)

/* ---- counting and finding ---- */
static inline u32 find_top(u64 a) {
  return a ? 63 - (u32)__builtin_clzll(a) : UINT32_MAX;
}
static inline u32 find_shift(u64 a, u32 msb) {
  return a ? msb - find_top(a) : UINT32_MAX;
}
#define NON_SIGN32(a) ((u32)((s32)(a) < 0 ? ~(a) : (a)))
#define NON_SIGN64(a) ((u64)((s64)(a) < 0 ? ~(a) : (a)))

static inline u32 reverse32(u32 a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
  a = (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
  return a >> 16 | a << 16;
}

UNARY(popc, u32, u32, __builtin_popcount(a))
UNARY(popc, u64, u32, __builtin_popcountll(a))
UNARY(clz, u32, u32, a ? __builtin_clz(a) : 32)
UNARY(clz, u64, u32, a ? __builtin_clzll(a) : 64)
UNARY(brev, u32, u32, reverse32(a))
UNARY(brev, u64, u64, (u64)reverse32((u32)a) << 32 | reverse32((u32)(a >> 32)))
UNARY(bfind, u32, u32, find_top(a))
UNARY(bfind, s32, u32, find_top(NON_SIGN32(a)))
UNARY(bfind, u64, u32, find_top(a))
UNARY(bfind, s64, u32, find_top(NON_SIGN64(a)))
UNARY(bfind_shift, u32, u32, find_shift(a, 31))
UNARY(bfind_shift, s32, u32, find_shift(NON_SIGN32(a), 31))
UNARY(bfind_shift, u64, u32, find_shift(a, 63))
UNARY(bfind_shift, s64, u32, find_shift(NON_SIGN64(a), 63))

/* ---- bit fields: position and length are the low 8 bits of their operands ---- */
static inline u64 low_mask(u32 length) {
  return length >= 64 ? ~(u64)0 : ((u64)1 << length) - 1;
}

/* a: the source, sign-extended to 64 bits for signed types, so that bits past its top are its
 * sign; the field's own sign is its top bit, or the source's if the field reaches past the top. */
static inline u64 extract(u64 a, u32 position, u32 length, u32 width, bool is_signed) {
  position &= 0xff, length &= 0xff;
  if (!is_signed) return position >= width ? 0 : (a >> position) & low_mask(length);
  if (length == 0) return 0;
  u32 top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
  u64 sign = (a >> top) & 1 ? ~(u64)0 : 0;
  if (position >= width) return sign;
  u64 mask = low_mask(length);
  return ((u64)((s64)a >> position) & mask) | (sign & ~mask);
}

static inline u64 insert(u64 a, u64 b, u32 position, u32 length, u32 width) {
  position &= 0xff, length &= 0xff;
  if (position >= width) return b;
  u64 mask = low_mask(length) << position;
  return (b & ~mask) | ((a << position) & mask);
}

TERNARY(bfe, u32, u32, u32, extract(a, b, d, 32, false))
TERNARY(bfe, s32, u32, u32, extract((u64)(s64)a, b, d, 32, true))
TERNARY(bfe, u64, u32, u32, extract(a, b, d, 64, false))
TERNARY(bfe, s64, u32, u32, extract((u64)a, b, d, 64, true))

#define INSERT(T)                                                                                  \
  HANDLER(bfi_##T) {                                                                               \
    GET_##T(pa, 0);                                                                                \
    GET_##T(pb, 1);                                                                                \
    const lane32 *position = ptx_in(c, w, 2), *length = ptx_in(c, w, 3);                           \
    PLANE_##T r[PTX_LANES];                                                                        \
    UNUSED_EFFECT;                                                                                 \
    LANES r[i] = (T)insert(pa[i], pb[i], position[i], length[i], WIDTH(T));                        \
    KEEP_##T(ptx_out(c, w, 0), r, m);                                                              \
    return true;                                                                                   \
  }
INSERT(u32)
INSERT(u64)

/* ---- byte permutation; code.op: 0 by selector nibbles, else the mode's number ---- */
static inline u32 pick_byte(u64 ab, u32 selector) {
  u32 byte = (u32)(ab >> (8 * (selector & 7))) & 0xff;
  return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}

/* Selector nibbles of the modes f4e, b4e, rc8, ecl, ecr, rc16 for the control values 0 to 3. */
static const u16 permute_modes[7][4] = {
    {0},
    {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
    {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
    {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
    {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
    {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
    {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
};

HANDLER(prmt_u32) {
  const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1), *ps = ptx_in(c, w, 2);
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  LANES {
    const u64 ab = (u64)pb[i] << 32 | pa[i];
    const u32 s = c->op ? permute_modes[c->op][ps[i] & 3] : ps[i];
    r[i] = pick_byte(ab, s) | pick_byte(ab, s >> 4) << 8 | pick_byte(ab, s >> 8) << 16 |
           pick_byte(ab, s >> 12) << 24;
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

/* ---- funnel shift of b:a ---- */
#define FUNNEL(name, amount, expr)                                                                 \
  HANDLER(name) {                                                                                  \
    const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1), *ps = ptx_in(c, w, 2);              \
    lane32 r[PTX_LANES];                                                                           \
    UNUSED_EFFECT;                                                                                 \
    LANES {                                                                                        \
      const u64 ba = (u64)pb[i] << 32 | pa[i];                                                     \
      const u32 n = amount(ps[i]);                                                                 \
      r[i] = (u32)(expr);                                                                          \
    }                                                                                              \
    ptx_keep32(ptx_out(c, w, 0), r, m);                                                            \
    return true;                                                                                   \
  }
#define CLAMPED(n) ((n) < 32 ? (n) : 32)
#define WRAPPED(n) ((n)&31)
FUNNEL(shf_l_clamp, CLAMPED, (ba << n) >> 32)
FUNNEL(shf_l_wrap, WRAPPED, (ba << n) >> 32)
FUNNEL(shf_r_clamp, CLAMPED, ba >> n)
FUNNEL(shf_r_wrap, WRAPPED, ba >> n)

/* ---- any function of three inputs; code.op is its truth table ---- */
HANDLER(lop3_u32) {
  const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1), *pd = ptx_in(c, w, 2);
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  LANES {
    u32 value = 0;
    for (u32 k = 0; k < 8; k++) {
      const u32 minterm =
          (k & 4 ? pa[i] : ~pa[i]) & (k & 2 ? pb[i] : ~pb[i]) & (k & 1 ? pd[i] : ~pd[i]);
      value |= (c->op >> k) & 1 ? minterm : 0;
    }
    r[i] = value;
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

/* ---- predicates ---- */
#define PREDICATE(name, expr)                                                                      \
  HANDLER(name##_pred) {                                                                           \
    const u32 a = ptx_in_pred(c, w, 0), b = c->n_src > 1 ? ptx_in_pred(c, w, 1) : 0;               \
    UNUSED_EFFECT;                                                                                 \
    (void)b;                                                                                       \
    ptx_keep_pred(c, w, 0, (expr), m);                                                             \
    return true;                                                                                   \
  }
PREDICATE(and, a &b)
PREDICATE(or, a | b)
PREDICATE(xor, a ^ b)
PREDICATE(not, ~a)
PREDICATE(mov, a)

ptx_handler *ptx_pred_handler(ptx_bits_op op) {
  switch (op) {
  case PTX_BITS_AND:
    return and_pred;
  case PTX_BITS_OR:
    return or_pred;
  case PTX_BITS_XOR:
    return xor_pred;
  case PTX_BITS_NOT:
    return not_pred;
  case PTX_BITS_MOV:
    return mov_pred;
  default:
    return NULL;
  }
}

/* ---- vectors packed into one value, element 0 in the low bits ---- */
#define PACK(name, WHOLE, parts, bits)                                                             \
  HANDLER(pack_##name) {                                                                           \
    PLANE_##WHOLE r[PTX_LANES] = {0};                                                              \
    UNUSED_EFFECT;                                                                                 \
    for (int k = 0; k < (parts); k++) {                                                            \
      const lane32 *p = ptx_in(c, w, k);                                                           \
      LANES r[i] |= (WHOLE)((WHOLE)(p[i] & (u32)low_mask(bits)) << ((bits)*k));                    \
    }                                                                                              \
    KEEP_##WHOLE(ptx_out(c, w, 0), r, m);                                                          \
    return true;                                                                                   \
  }                                                                                                \
  HANDLER(unpack_##name) {                                                                         \
    GET_##WHOLE(p, 0);                                                                             \
    lane32 r[parts][PTX_LANES];                                                                    \
    UNUSED_EFFECT;                                                                                 \
    for (int k = 0; k < (parts); k++)                                                              \
      LANES r[k][i] = (u32)(p[i] >> ((bits)*k)) & (u32)low_mask(bits);                             \
    for (int k = 0; k < (parts); k++) ptx_keep32(ptx_out(c, w, k), r[k], m);                       \
    return true;                                                                                   \
  }
PACK(32, u32, 2, 16)
PACK(64, u64, 2, 32)
PACK(64x4, u64, 4, 16)

ptx_handler *ptx_pack_handler(ptx_type whole, unsigned parts) {
  if (ptx_type_bytes(whole) == 4) return parts == 2 ? pack_32 : NULL;
  if (ptx_type_bytes(whole) == 8) return parts == 2 ? pack_64 : parts == 4 ? pack_64x4 : NULL;
  return NULL;
}

ptx_handler *ptx_unpack_handler(ptx_type whole, unsigned parts) {
  if (ptx_type_bytes(whole) == 4) return parts == 2 ? unpack_32 : NULL;
  if (ptx_type_bytes(whole) == 8) return parts == 2 ? unpack_64 : parts == 4 ? unpack_64x4 : NULL;
  return NULL;
}

#define ROW_B(f)                                                                                   \
  { [PTX_B16] = f##_u16, [PTX_B32] = f##_u32, [PTX_B64] = f##_u64 }
#define ROW_ANY(f)                                                                                 \
  {                                                                                                \
    [PTX_U16] = f##_u16, [PTX_S16] = f##_u16, [PTX_B16] = f##_u16, [PTX_F16] = f##_u16,            \
    [PTX_U32] = f##_u32, [PTX_S32] = f##_u32, [PTX_B32] = f##_u32, [PTX_F32] = f##_u32,            \
    [PTX_U64] = f##_u64, [PTX_S64] = f##_u64, [PTX_B64] = f##_u64, [PTX_F64] = f##_u64             \
  }
#define ROW_B32_64(f)                                                                              \
  { [PTX_B32] = f##_u32, [PTX_B64] = f##_u64 }
#define ROW_US(f)                                                                                  \
  { [PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64, [PTX_S64] = f##_s64 }
#define selp_u16 selp_u32

const ptx_handler_row ptx_bits_handlers[PTX_BITS_OP_COUNT] = {
    [PTX_BITS_AND] = ROW_B(and),
    [PTX_BITS_OR] = ROW_B(or),
    [PTX_BITS_XOR] = ROW_B(xor),
    [PTX_BITS_NOT] = ROW_B(not ),
    [PTX_BITS_CNOT] = ROW_B(cnot),
    [PTX_BITS_SHL] = ROW_B(shl),
    [PTX_BITS_SHR] = {[PTX_B16] = shr_u16,
                      [PTX_B32] = shr_u32,
                      [PTX_B64] = shr_u64,
                      [PTX_U16] = shr_u16,
                      [PTX_U32] = shr_u32,
                      [PTX_U64] = shr_u64,
                      [PTX_S16] = shr_s16,
                      [PTX_S32] = shr_s32,
                      [PTX_S64] = shr_s64},
    [PTX_BITS_MOV] = ROW_ANY(mov),
    [PTX_BITS_SELP] = ROW_ANY(selp),
    [PTX_BITS_POPC] = ROW_B32_64(popc),
    [PTX_BITS_CLZ] = ROW_B32_64(clz),
    [PTX_BITS_BREV] = ROW_B32_64(brev),
    [PTX_BITS_BFIND] = ROW_US(bfind),
    [PTX_BITS_BFIND_SHIFT] = ROW_US(bfind_shift),
    [PTX_BITS_BFE] = ROW_US(bfe),
    [PTX_BITS_BFI] = ROW_B32_64(bfi),
    [PTX_BITS_PRMT] = {[PTX_B32] = prmt_u32},
    [PTX_BITS_SHF_L_CLAMP] = {[PTX_B32] = shf_l_clamp},
    [PTX_BITS_SHF_L_WRAP] = {[PTX_B32] = shf_l_wrap},
    [PTX_BITS_SHF_R_CLAMP] = {[PTX_B32] = shf_r_clamp},
    [PTX_BITS_SHF_R_WRAP] = {[PTX_B32] = shf_r_wrap},
    [PTX_BITS_LOP3] = {[PTX_B32] = lop3_u32},
};
