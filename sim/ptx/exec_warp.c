/* Operations across the lanes of a warp, and special registers. */
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

/* shfl. Source lane as the PTX ISA computes it from b (lane or distance) and c (clamp in bits 4:0,
 * segment mask in bits 12:8). A lane that is not active still lends its register's value. */
HANDLER(shfl) {
  const lane32 *pa = ptx_in(c, w, 0), *pb = ptx_in(c, w, 1), *pc = ptx_in(c, w, 2);
  lane32 r[PTX_LANES];
  u32 p = 0;
  UNUSED_EFFECT;
  LANES {
    const s32 lane = i, b = (s32)(pb[i] & 31), clamp = (s32)(pc[i] & 31);
    const s32 mask = (s32)(pc[i] >> 8 & 31);
    const s32 max = (lane & mask) | (clamp & ~mask & 31), min = lane & mask;
    s32 j;
    bool inside;
    switch (c->op) {
    case 0:
      j = lane - b, inside = j >= max;
      break;
    case 1:
      j = lane + b, inside = j <= max;
      break;
    case 2:
      j = lane ^ b, inside = j <= max;
      break;
    default:
      j = min | (b & ~mask & 31), inside = j <= max;
      break;
    }
    r[i] = pa[inside ? j & 31 : lane];
    p |= inside ? BIT(i) : 0;
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  if (c->n_dst > 1) ptx_keep_pred(c, w, 1, p, m);
  return true;
}

/* The lanes that lane `lane` votes or compares with: those of its member mask, the source behind
 * the values, that are here. Lanes of several groups may come together. */
static u32 members(const ptx_code *c, const ptx_warp *w, u32 m, unsigned lane) {
  const lane32 *mask = c->n_src > 1 ? ptx_in(c, w, 1) : NULL;
  return mask ? m & mask[lane] : m;
}

static bool says_yes(const ptx_code *c, u32 votes, u32 group) {
  return c->op == 0 ? votes == group : c->op == 1 ? votes != 0 : votes == group || votes == 0;
}

HANDLER(vote) {
  const u32 votes = ptx_in_pred(c, w, 0) & m;
  lane32 r[PTX_LANES];
  u32 result = says_yes(c, votes, m) ? UINT32_MAX : 0;
  UNUSED_EFFECT;
  LANES r[i] = votes;
  if (c->n_src > 1) {
    result = 0;
    ACTIVE_LANES(m) {
      const u32 group = members(c, w, m, i);
      r[i] = votes & group;
      result |= says_yes(c, r[i], group) ? BIT(i) : 0;
    }
  }
  if (c->op == 3)
    ptx_keep32(ptx_out(c, w, 0), r, m);
  else
    ptx_keep_pred(c, w, 0, result, m);
  return true;
}

/* match.any: the active lanes with the same value; match.all: all of them, if all agree. */
HANDLER(match) {
  lane64 both[PTX_LANES];
  const void *p = ptx_in_any(c, w, 0, both);
  const bool wide = c->src[0].wide;
  lane32 r[PTX_LANES] = {0};
  u32 agree = 0;
  UNUSED_EFFECT;
  ACTIVE_LANES(m) {
    const u32 group = members(c, w, m, i);
    for (u32 j = 0; j < PTX_LANES; j++)
      if ((group >> j) & 1 && (wide ? ((const lane64 *)p)[i] == ((const lane64 *)p)[j]
                                    : ((const lane32 *)p)[i] == ((const lane32 *)p)[j]))
        r[i] |= BIT(j);
    agree |= r[i] == group ? BIT(i) : 0;
  }
  if (c->op == 1) {
    ACTIVE_LANES(m) if (!(agree >> i & 1)) r[i] = 0;
    if (c->n_dst > 1) ptx_keep_pred(c, w, 1, agree, m);
  }
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

HANDLER(activemask) {
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  LANES r[i] = m;
  ptx_keep32(ptx_out(c, w, 0), r, m);
  return true;
}

ptx_handler *ptx_shfl_handler(void) {
  return shfl;
}
ptx_handler *ptx_vote_handler(void) {
  return vote;
}
ptx_handler *ptx_match_handler(void) {
  return match;
}
ptx_handler *ptx_activemask_handler(void) {
  return activemask;
}

/* ---- special registers ---- */
typedef enum sreg {
  TID_X,
  TID_Y,
  TID_Z,
  NTID_X,
  NTID_Y,
  NTID_Z,
  CTAID_X,
  CTAID_Y,
  CTAID_Z,
  NCTAID_X,
  NCTAID_Y,
  NCTAID_Z,
  LANEID,
  WARPID,
  SMID,
  GRIDID,
  CLOCK,
  CLOCK_HI,
  CLOCK64,
  LANEMASK_EQ,
  LANEMASK_LE,
  LANEMASK_LT,
  LANEMASK_GE,
  LANEMASK_GT,
  NWARPID,
  SHARED_SIZE,
  DYNAMIC_SHARED_SIZE
} sreg;

static const struct {
  const char *name;
  sreg number;
} sregs[] = {
    {"%tid.x", TID_X},
    {"%tid.y", TID_Y},
    {"%tid.z", TID_Z},
    {"%ntid.x", NTID_X},
    {"%ntid.y", NTID_Y},
    {"%ntid.z", NTID_Z},
    {"%ctaid.x", CTAID_X},
    {"%ctaid.y", CTAID_Y},
    {"%ctaid.z", CTAID_Z},
    {"%nctaid.x", NCTAID_X},
    {"%nctaid.y", NCTAID_Y},
    {"%nctaid.z", NCTAID_Z},
    {"%laneid", LANEID},
    {"%warpid", WARPID},
    {"%nwarpid", NWARPID},
    {"%smid", SMID},
    {"%gridid", GRIDID},
    {"%clock", CLOCK},
    {"%clock_hi", CLOCK_HI},
    {"%clock64", CLOCK64},
    {"%globaltimer", CLOCK64}, /* in core cycles: no other clock is known here */
    {"%globaltimer_lo", CLOCK},
    {"%globaltimer_hi", CLOCK_HI},
    {"%lanemask_eq", LANEMASK_EQ},
    {"%lanemask_le", LANEMASK_LE},
    {"%lanemask_lt", LANEMASK_LT},
    {"%lanemask_ge", LANEMASK_GE},
    {"%lanemask_gt", LANEMASK_GT},
    {"%total_smem_size", SHARED_SIZE},
    {"%dynamic_smem_size", DYNAMIC_SHARED_SIZE},
};

bool ptx_sreg_find(const char *name, size_t bytes, uint8_t *op, ptx_type *type) {
  for (size_t k = 0; k < sizeof sregs / sizeof *sregs; k++)
    if (strlen(sregs[k].name) == bytes && memcmp(sregs[k].name, name, bytes) == 0) {
      *op = (uint8_t)sregs[k].number;
      *type = sregs[k].number == CLOCK64 ? PTX_U64 : PTX_U32;
      return true;
    }
  return false;
}

/* Thread index within the CTA: lanes count through x, then y, then z. */
static void thread_index(const ptx_warp *w, int axis, lane32 r[PTX_LANES]) {
  const u32 *n = w->launch->ntid, first = w->warp_in_cta * PTX_LANES;
  if (n[1] == 1 && n[2] == 1) {
    LANES r[i] = axis == 0 ? first + (u32)i : 0;
    return;
  }
  LANES {
    const u32 thread = first + (u32)i;
    r[i] = axis == 0 ? thread % n[0] : axis == 1 ? thread / n[0] % n[1] : thread / n[0] / n[1];
  }
}

/* The value of a register that is the same in all lanes. */
static u32 uniform_value(const ptx_warp *w, sreg number) {
  switch (number) {
  case NTID_X:
  case NTID_Y:
  case NTID_Z:
    return w->launch->ntid[number - NTID_X];
  case CTAID_X:
  case CTAID_Y:
  case CTAID_Z:
    return w->ctaid[number - CTAID_X];
  case NCTAID_X:
  case NCTAID_Y:
  case NCTAID_Z:
    return w->launch->nctaid[number - NCTAID_X];
  case WARPID:
    return w->warp_slot;
  case NWARPID:
    return 64; /* the architecture's upper bound */
  case SMID:
    return w->sm_id;
  case CLOCK:
    return (u32)w->clock;
  case CLOCK_HI:
    return (u32)(w->clock >> 32);
  case SHARED_SIZE:
    return w->shared_limit;
  case DYNAMIC_SHARED_SIZE:
    return w->shared_limit - w->launch->kernel->shared_bytes;
  default:
    return 0;
  }
}

HANDLER(read_sreg) {
  lane32 r[PTX_LANES];
  UNUSED_EFFECT;
  switch ((sreg)c->op) {
  case TID_X:
  case TID_Y:
  case TID_Z:
    thread_index(w, c->op - TID_X, r);
    break;
  case LANEID:
    LANES r[i] = (u32)i;
    break;
  case LANEMASK_EQ:
    LANES r[i] = BIT(i);
    break;
  case LANEMASK_LE:
    LANES r[i] = BIT(i) | (BIT(i) - 1);
    break;
  case LANEMASK_LT:
    LANES r[i] = BIT(i) - 1;
    break;
  case LANEMASK_GE:
    LANES r[i] = ~(BIT(i) - 1);
    break;
  case LANEMASK_GT:
    LANES r[i] = ~(BIT(i) | (BIT(i) - 1));
    break;
  default: {
    const u32 value = uniform_value(w, (sreg)c->op);
    LANES r[i] = value;
  }
  }
  if (c->dst[0].bytes == 2) LANES r[i] &= 0xffff;
  if (c->dst[0].bytes < 8) {
    ptx_keep32(ptx_out(c, w, 0), r, m);
    return true;
  }
  lane64 wide[PTX_LANES];
  LANES wide[i] = c->op == CLOCK64 ? w->clock : r[i];
  ptx_keep64(ptx_out(c, w, 0), wide, m);
  return true;
}

ptx_handler *ptx_sreg_handler(void) {
  return read_sreg;
}
