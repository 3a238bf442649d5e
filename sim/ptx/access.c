#include "sim/ptx/access.h"

#include <inttypes.h>

#include "sim/ptx/handlers.h"

static const char *const space_names[] = {
    [PTX_SPACE_NONE] = "no",        [PTX_SPACE_PARAM] = "parameter",
    [PTX_SPACE_GLOBAL] = "global",  [PTX_SPACE_GLOBAL_NC] = "global",
    [PTX_SPACE_SHARED] = "shared",  [PTX_SPACE_LOCAL] = "local",
    [PTX_SPACE_CONST] = "constant", [PTX_SPACE_GENERIC] = "generic"};

static void compute_addresses(const ptx_code *c, const ptx_warp *w, u64 *restrict addr) {
  const int last = c->n_src - 1;
  const u64 offset = (u64)c->offset;
  if (c->src[last].wide) {
    GET_u64(p, last);
    LANES addr[i] = p[i] + offset;
  } else {
    const lane32 *p = ptx_in(c, w, last);
    LANES addr[i] = p[i] + offset;
  }
}

static ptx_space generic_space(u64 address) {
  if (address >= PTX_SHARED_WINDOW) return PTX_SPACE_SHARED;
  return address >= PTX_LOCAL_WINDOW ? PTX_SPACE_LOCAL : PTX_SPACE_GLOBAL;
}

static bool report_mixed(const ptx_code *c, const ptx_warp *w, u32 m, const u64 *addr,
                         wf_error *err) {
  const unsigned first = (unsigned)__builtin_ctz(m);
  unsigned other = first;
  while (generic_space(addr[other]) == generic_space(addr[first]) || !((m >> other) & 1)) other++;
  return ptx_fault(c, w, other, err,
                   "generic address 0x%" PRIx64 " is %s memory, but lane %u's 0x%" PRIx64
                   " is %s memory: one access must stay in one space",
                   addr[other], space_names[generic_space(addr[other])], first, addr[first],
                   space_names[generic_space(addr[first])]);
}

/* All active lanes must mean the same space; windows then start at 0 again. */
static bool resolve_generic(const ptx_code *c, const ptx_warp *w, u32 m, u64 *addr,
                            ptx_space *space, wf_error *err) {
  u32 shared = 0, local = 0; /* lanes at or above each window; the shared one is the higher */
  LANES shared |= addr[i] >= PTX_SHARED_WINDOW ? BIT(i) : 0;
  LANES local |= addr[i] >= PTX_LOCAL_WINDOW ? BIT(i) : 0;
  shared &= m, local &= m;
  *space = shared ? PTX_SPACE_SHARED : local ? PTX_SPACE_LOCAL : PTX_SPACE_GLOBAL;
  if (shared ? shared != m : local && local != m) return report_mixed(c, w, m, addr, err);
  const u64 window = shared ? PTX_SHARED_WINDOW : local ? PTX_LOCAL_WINDOW : 0;
  if (window) LANES addr[i] -= window;
  return true;
}

static ptx_access window_of(const ptx_warp *w, ptx_space space) {
  switch (space) {
  case PTX_SPACE_SHARED:
    return (ptx_access){.host = w->shared, .bytes = w->shared_limit};
  case PTX_SPACE_LOCAL: {
    const u32 bytes = w->launch->kernel->local_bytes;
    return (ptx_access){.host = w->local, .bytes = bytes, .lane_step = bytes};
  }
  case PTX_SPACE_PARAM: /* read only: the decoder lets no store through */
    return (ptx_access){.host = (u8 *)(uintptr_t)w->launch->params,
                        .bytes = w->launch->kernel->param_bytes};
  default:
    return (ptx_access){.host = w->launch->global,
                        .base = w->launch->global_base,
                        .bytes = w->launch->global_bytes};
  }
}

static bool report(const ptx_code *c, const ptx_warp *w, unsigned lane, u64 address, u32 bytes,
                   ptx_space space, const ptx_access *a, wf_error *err) {
  if (address & (bytes - 1))
    return ptx_fault(c, w, lane, err,
                     "%s address 0x%" PRIx64 " is not a multiple of the access's %u bytes",
                     space_names[space], address, bytes);
  return ptx_fault(c, w, lane, err,
                   "access of %u bytes at %s address 0x%" PRIx64 " is outside 0x%" PRIx64
                   " .. 0x%" PRIx64,
                   bytes, space_names[space], address, a->base, a->base + a->bytes);
}

bool ptx_access_prepare(const ptx_code *c, const ptx_warp *w, u32 m, ptx_effect *e, u32 bytes,
                        ptx_access *a, wf_error *err) {
  ptx_space space = (ptx_space)c->space;
  u64 *addr = e->addr;
  compute_addresses(c, w, addr);
  if (space == PTX_SPACE_GENERIC && !resolve_generic(c, w, m, addr, &space, err)) return false;
  if (space == PTX_SPACE_GLOBAL_NC) space = PTX_SPACE_GLOBAL;
  e->space = (uint8_t)space;
  *a = window_of(w, space);
  const u64 last = a->bytes - bytes, base = a->base;
  u32 bad = 0;
  LANES bad |= addr[i] - base > last || (addr[i] & (bytes - 1)) ? BIT(i) : 0;
  if (a->bytes < bytes) bad = UINT32_MAX;
  bad &= m;
  if (!bad) return true;
  const unsigned lane = (unsigned)__builtin_ctz(bad);
  return report(c, w, lane, addr[lane], bytes, space, a, err);
}
