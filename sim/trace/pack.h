/* Internal to sim/trace: a warp's instructions, packed: one or two bytes each, and a few per
 * address. */
#ifndef WF_TRACE_PACK_H
#define WF_TRACE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/ptx.h"

typedef struct wf_pack_state {
  uint32_t op, mask; /* of the instruction before */
  uint64_t base;     /* first address of the access before */
} wf_pack_state;

typedef struct wf_pack {
  uint8_t *bytes;
  size_t n, capacity;
  wf_pack_state last;
} wf_pack;

/* addresses: NULL if the instruction has none; otherwise of the lanes in mask, in `space`. */
void wf_pack_put(wf_pack *pack, uint32_t op, uint32_t mask, ptx_space space,
                 const uint64_t *addresses);
void wf_pack_free(wf_pack *pack);

/* Reads a pack from its start. */
typedef struct wf_unpack {
  const uint8_t *at, *end;
  wf_pack_state last;
  uint32_t op, mask; /* of the instruction read */
  bool addressed;
  uint8_t space;
} wf_unpack;
wf_unpack wf_unpack_start(const wf_pack *pack);
/* False at the end. If `addressed`, wf_unpack_addresses() must follow before the next one. */
bool wf_unpack_next(wf_unpack *u);
void wf_unpack_addresses(wf_unpack *u, uint64_t addresses[PTX_LANES]);

#endif
