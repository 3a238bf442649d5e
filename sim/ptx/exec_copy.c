/* cp.async. The bytes arrive at once, as those of all memory accesses do; what a copy costs, and
 * when a wait for it ends, is the timing model's. */
#include <inttypes.h>

#include "sim/ptx/access.h"
#include "sim/ptx/handlers.h"

/* How many bytes each lane reads; the rest of what it writes are zeros. False on a fault. */
static bool sizes(const ptx_code *c, const ptx_warp *w, u32 m, u32 bytes, u32 *size,
                  wf_error *err) {
  const u32 ignored = c->op2 == PTX_COPY_UNLESS ? ptx_in_pred(c, w, 1) : 0;
  const lane32 *some = c->op2 == PTX_COPY_SOME ? ptx_in(c, w, 1) : NULL;
  ACTIVE_LANES(m) {
    size[i] = ignored >> i & 1 ? 0 : some ? some[i] : bytes;
    if (size[i] > bytes)
      return ptx_fault(c, w, i, err, "reads %u bytes to write %u", size[i], bytes);
  }
  return true;
}

/* The lanes' offsets in shared memory. False on a fault. */
static bool places(const ptx_code *c, const ptx_warp *w, u32 m, u32 bytes, u64 *to, wf_error *err) {
  lane64 both[PTX_LANES];
  const void *p = ptx_in_any(c, w, 0, both);
  ACTIVE_LANES(m) {
    to[i] =
        (c->src[0].wide ? ((const lane64 *)p)[i] : ((const lane32 *)p)[i]) + (u64)*c->custom_offset;
    if (to[i] & (bytes - 1) || to[i] > w->shared_limit || w->shared_limit - to[i] < bytes)
      return ptx_fault(c, w, i, err,
                       "copy of %u bytes to shared address 0x%" PRIx64
                       ": expected a multiple of that below %u",
                       bytes, to[i], w->shared_limit);
  }
  return true;
}

HANDLER(copy) {
  const u32 bytes = c->op;
  u32 size[PTX_LANES], whole = 0, part = 0;
  ptx_access a;
  if (!sizes(c, w, m, bytes, size, err) || !places(c, w, m, bytes, e->operand[0], err))
    return false;
  ACTIVE_LANES(m) {
    whole |= size[i] == bytes ? BIT(i) : 0;
    part |= size[i] && size[i] < bytes ? BIT(i) : 0;
  }
  if (!ptx_access_prepare(c, w, whole, e, bytes, &a, err) ||
      !ptx_access_prepare(c, w, part, e, 1, &a, err))
    return false;
  ACTIVE_LANES(part)
  if (e->addr[i] & (bytes - 1) || e->addr[i] - a.base + size[i] > a.bytes)
    return ptx_fault(c, w, i, err,
                     "copy of %u bytes from global address 0x%" PRIx64
                     ": expected a multiple of %u inside memory",
                     size[i], e->addr[i], bytes);
  ACTIVE_LANES(m) {
    u8 *to = w->shared + e->operand[0][i];
    if (size[i]) memcpy(to, ptx_access_lane(&a, e, i), size[i]);
    memset(to + size[i], 0, bytes - size[i]);
  }
  e->active = whole | part; /* the others ask memory for nothing */
  return true;
}

ptx_handler *ptx_copy_handler(void) {
  return copy;
}
