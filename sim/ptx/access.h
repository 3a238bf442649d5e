/* Address computation and checking, common to loads, stores and atomics. */
#ifndef WF_PTX_ACCESS_H
#define WF_PTX_ACCESS_H

#include "sim/ptx/lanes.h"

/* Where the lanes' addresses (in effect->addr) lie in host memory. */
typedef struct ptx_access {
  u8 *host;      /* of `base`, lane 0 */
  u64 base;      /* first address of the window, 0 except in global memory */
  u64 bytes;     /* of the window */
  u64 lane_step; /* local memory: bytes from one lane's window to the next */
} ptx_access;

/* Fills effect->addr (for all lanes) and effect->space, and checks range and alignment of `bytes`
 * bytes for each lane of m before anything is touched. False on a fault. */
bool ptx_access_prepare(const ptx_code *c, const ptx_warp *w, u32 m, ptx_effect *e, u32 bytes,
                        ptx_access *a, wf_error *err);

static inline u8 *ptx_access_lane(const ptx_access *a, const ptx_effect *e, u32 lane) {
  return a->host + a->lane_step * lane + (e->addr[lane] - a->base);
}

#endif
