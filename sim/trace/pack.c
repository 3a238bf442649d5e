#include "sim/trace/pack.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { NEW_MASK = 1, ADDRESSED = 2, TOKEN_SHIFT = 2 };
enum { STRIDE, DELTAS, SPACE_SHIFT = 1 };
enum { MOST = 16 + 10 * (PTX_LANES + 3) }; /* bytes of one instruction */

static uint64_t zigzag(int64_t v) {
  return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}
static int64_t unzigzag(uint64_t v) {
  return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

static void put(wf_pack *p, uint64_t v) {
  for (; v > 127; v >>= 7) p->bytes[p->n++] = (uint8_t)(v | 128);
  p->bytes[p->n++] = (uint8_t)v;
}

static uint64_t get(wf_unpack *u) {
  uint64_t v = 0;
  unsigned shift = 0;
  while (*u->at & 128) {
    v |= (uint64_t)(*u->at++ & 127) << shift;
    shift += 7;
  }
  return v | (uint64_t)*u->at++ << shift;
}

static void put_addresses(wf_pack *p, uint32_t mask, ptx_space space, const uint64_t *address) {
  const unsigned first = (unsigned)__builtin_ctz(mask);
  uint64_t before = address[first];
  int64_t stride = 0;
  bool even = true;
  unsigned n = 0;
  for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
    const uint64_t now = address[__builtin_ctz(m)];
    if (n++ == 0) stride = (int64_t)(now - before);
    even = even && (int64_t)(now - before) == stride;
    before = now;
  }
  put(p, (uint64_t)space << SPACE_SHIFT | (even ? STRIDE : DELTAS));
  put(p, zigzag((int64_t)(address[first] - p->last.base)));
  p->last.base = before = address[first];
  if (even) {
    put(p, zigzag(stride));
    return;
  }
  for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
    const uint64_t now = address[__builtin_ctz(m)];
    put(p, zigzag((int64_t)(now - before)));
    before = now;
  }
}

void wf_pack_put(wf_pack *p, uint32_t op, uint32_t mask, ptx_space space,
                 const uint64_t *addresses) {
  if (p->capacity < p->n + MOST) {
    p->capacity = 2 * p->capacity + 2 * MOST;
    p->bytes = wf_realloc(p->bytes, p->capacity, 1);
  }
  const bool new_mask = mask != p->last.mask, with = addresses && mask;
  put(p, zigzag((int64_t)op - p->last.op - 1) << TOKEN_SHIFT | (new_mask ? NEW_MASK : 0) |
             (with ? ADDRESSED : 0));
  if (new_mask) {
    memcpy(p->bytes + p->n, &mask, sizeof mask);
    p->n += sizeof mask;
  }
  p->last.op = op;
  p->last.mask = mask;
  if (with) put_addresses(p, mask, space, addresses);
}

void wf_pack_free(wf_pack *p) {
  free(p->bytes);
  *p = (wf_pack){0};
}

wf_unpack wf_unpack_start(const wf_pack *p) {
  return (wf_unpack){.at = p->bytes, .end = p->bytes ? p->bytes + p->n : NULL};
}

bool wf_unpack_next(wf_unpack *u) {
  if (u->at == u->end) return false;
  const uint64_t token = get(u);
  u->op = u->last.op = (uint32_t)((int64_t)u->last.op + 1 + unzigzag(token >> TOKEN_SHIFT));
  if (token & NEW_MASK) {
    memcpy(&u->last.mask, u->at, sizeof u->last.mask);
    u->at += sizeof u->last.mask;
  }
  u->mask = u->last.mask;
  u->addressed = token & ADDRESSED;
  if (u->addressed) u->space = *u->at >> SPACE_SHIFT;
  return true;
}

void wf_unpack_addresses(wf_unpack *u, uint64_t address[PTX_LANES]) {
  const bool even = (get(u) & 1) == STRIDE;
  uint64_t now = u->last.base + (uint64_t)unzigzag(get(u));
  u->last.base = now;
  const uint64_t stride = even ? (uint64_t)unzigzag(get(u)) : 0;
  address[__builtin_ctz(u->mask)] = now;
  for (uint32_t m = u->mask & (u->mask - 1); m; m &= m - 1) {
    now += even ? stride : (uint64_t)unzigzag(get(u));
    address[__builtin_ctz(m)] = now;
  }
}
