/* Loads, stores and address conversions. A store's lanes act in lane order: the highest wins. */
#include "sim/ptx/access.h"
#include "sim/ptx/handlers.h"

/* Loads write the lanes of m only, straight into the registers: the addresses were saved first, and
 * nothing else is read. The value is extended to the register's width as its type says. */
#define ONE_LANE(T, assign)                                                                        \
  {                                                                                                \
    T value;                                                                                       \
    memcpy(&value, from + a.lane_step * i + (e->addr[i] - a.base), sizeof(T));                     \
    assign;                                                                                        \
  }
#define EACH_LANE(T, assign)                                                                       \
  {                                                                                                \
    if (m == UINT32_MAX)                                                                           \
      for (u32 i = 0; i < PTX_LANES; i++) ONE_LANE(T, assign)                                      \
    else                                                                                           \
      ACTIVE_LANES(m) ONE_LANE(T, assign)                                                          \
  }

#define LOAD(T)                                                                                    \
  HANDLER(load_##T) {                                                                              \
    ptx_access a;                                                                                  \
    if (!ptx_access_prepare(c, w, m, e, (u32)sizeof(T) * c->n_dst, &a, err)) return false;         \
    for (u32 k = 0; k < c->n_dst; k++) {                                                           \
      lane32 *d = ptx_out(c, w, (int)k);                                                           \
      const u8 *from = a.host + k * sizeof(T);                                                     \
      if (c->dst[k].bytes == 8)                                                                    \
        EACH_LANE(T, ptx_set_lane64(d, i, (u64)value))                                             \
      else if (c->dst[k].bytes == 4)                                                               \
        EACH_LANE(T, d[i] = (u32)value)                                                            \
      else                                                                                         \
        EACH_LANE(T, d[i] = (u16)value)                                                            \
    }                                                                                              \
    return true;                                                                                   \
  }                                                                                                \
  /* At a constant address (kernel parameters, mostly) all lanes read the same. */                 \
  HANDLER(load_same_##T) {                                                                         \
    ptx_access a;                                                                                  \
    if (!ptx_access_prepare(c, w, m, e, (u32)sizeof(T) * c->n_dst, &a, err)) return false;         \
    for (u32 k = 0; k < c->n_dst; k++) {                                                           \
      const unsigned width = c->dst[k].bytes;                                                      \
      T value;                                                                                     \
      memcpy(&value, ptx_access_lane(&a, e, 0) + k * sizeof(T), sizeof(T));                        \
      if (width == 8) {                                                                            \
        lane64 r[PTX_LANES];                                                                       \
        LANES r[i] = (u64)value;                                                                   \
        ptx_keep64(ptx_out(c, w, (int)k), r, m);                                                   \
      } else {                                                                                     \
        lane32 r[PTX_LANES];                                                                       \
        LANES r[i] = width == 4 ? (u32)value : (u16)value;                                         \
        ptx_keep32(ptx_out(c, w, (int)k), r, m);                                                   \
      }                                                                                            \
    }                                                                                              \
    return true;                                                                                   \
  }
LOAD(u8)
LOAD(s8)
LOAD(u16)
LOAD(s16)
LOAD(u32)
LOAD(s32)
LOAD(u64)

#define STORE(T)                                                                                   \
  HANDLER(store_##T) {                                                                             \
    const u32 n = c->n_src - 1u;                                                                   \
    ptx_access a;                                                                                  \
    if (!ptx_access_prepare(c, w, m, e, (u32)sizeof(T) * n, &a, err)) return false;                \
    const void *p[PTX_CODE_DST];                                                                   \
    lane64 both[PTX_CODE_DST][PTX_LANES];                                                          \
    for (u32 k = 0; k < n; k++) p[k] = ptx_in_any(c, w, (int)k, both[k]);                          \
    ACTIVE_LANES(m) {                                                                              \
      u8 *to = ptx_access_lane(&a, e, i);                                                          \
      for (u32 k = 0; k < n; k++) {                                                                \
        const T value =                                                                            \
            (T)(c->src[k].wide ? ((const lane64 *)p[k])[i] : ((const lane32 *)p[k])[i]);           \
        memcpy(to + k * sizeof(T), &value, sizeof(T));                                             \
      }                                                                                            \
    }                                                                                              \
    return true;                                                                                   \
  }
STORE(u8)
STORE(u16)
STORE(u32)
STORE(u64)

ptx_handler *ptx_load_handler(const ptx_code *c) {
  /* Constant addresses, except in local memory, which differs from lane to lane. */
  const bool same = c->src[c->n_src - 1].kind == PTX_SOURCE_CONSTANT &&
                    (c->space == PTX_SPACE_PARAM || c->space == PTX_SPACE_CONST);
  switch (ptx_type_bytes((ptx_type)c->type)) {
  case 1:
    if (c->type == PTX_S8) return same ? load_same_s8 : load_s8;
    return same ? load_same_u8 : load_u8;
  case 2:
    if (c->type == PTX_S16) return same ? load_same_s16 : load_s16;
    return same ? load_same_u16 : load_u16;
  case 4:
    if (c->type == PTX_S32) return same ? load_same_s32 : load_s32;
    return same ? load_same_u32 : load_u32;
  default:
    return same ? load_same_u64 : load_u64;
  }
}

ptx_handler *ptx_store_handler(const ptx_code *c) {
  switch (ptx_type_bytes((ptx_type)c->type)) {
  case 1:
    return store_u8;
  case 2:
    return store_u16;
  case 4:
    return store_u32;
  default:
    return store_u64;
  }
}

/* ---- address conversions ---- */
static u64 window_start(unsigned space) {
  return space == PTX_SPACE_SHARED  ? PTX_SHARED_WINDOW
         : space == PTX_SPACE_LOCAL ? PTX_LOCAL_WINDOW
                                    : 0;
}

HANDLER(cvta_wide) {
  GET_u64(pa, 0);
  const u64 window = window_start(c->space), add = c->op ? 0 - window : window;
  lane64 r[PTX_LANES];
  UNUSED_EFFECT;
  LANES r[i] = pa[i] + add;
  ptx_keep64(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_cvta_handler(bool wide) {
  return wide ? cvta_wide : NULL;
}

HANDLER(isspacep) {
  GET_u64(pa, 0);
  u32 p = 0;
  UNUSED_EFFECT;
  LANES {
    const unsigned space = pa[i] >= PTX_SHARED_WINDOW  ? PTX_SPACE_SHARED
                           : pa[i] >= PTX_LOCAL_WINDOW ? PTX_SPACE_LOCAL
                                                       : PTX_SPACE_GLOBAL;
    p |= space == c->space ? BIT(i) : 0;
  }
  ptx_keep_pred(c, w, 0, p, m);
  return true;
}

ptx_handler *ptx_isspacep_handler(void) {
  return isspacep;
}

/* ---- predicates in local memory ---- */
HANDLER(save_pred) {
  ptx_access a;
  if (!ptx_access_prepare(c, w, m, e, sizeof(u32), &a, err)) return false;
  const u32 p = ptx_in_pred(c, w, 0);
  ACTIVE_LANES(m) {
    const u32 value = p >> i & 1;
    memcpy(ptx_access_lane(&a, e, i), &value, sizeof value);
  }
  return true;
}

HANDLER(load_pred) {
  ptx_access a;
  if (!ptx_access_prepare(c, w, m, e, sizeof(u32), &a, err)) return false;
  u32 p = 0;
  ACTIVE_LANES(m) {
    u32 value;
    memcpy(&value, ptx_access_lane(&a, e, i), sizeof value);
    p |= value ? BIT(i) : 0;
  }
  ptx_keep_pred(c, w, 0, p, m);
  return true;
}

ptx_handler *ptx_save_handler(bool load) {
  return load ? load_pred : save_pred;
}
