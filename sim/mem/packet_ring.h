/* FIFO of packets in a ring whose size is a power of two. The owner keeps count within its limit;
 * the ring only has to be as large. */
#ifndef WF_PACKET_RING_H
#define WF_PACKET_RING_H

#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/mem/mem.h"

typedef struct wf_packet_ring {
  wf_packet *slot;
  uint32_t mask, limit;
  wf_ring ring;
} wf_packet_ring;

static inline void wf_packet_ring_init(wf_packet_ring *r, uint32_t limit) {
  uint32_t size = wf_ring_size(limit);
  *r = (wf_packet_ring){.slot = wf_calloc(size, sizeof *r->slot), .mask = size - 1, .limit = limit};
}

static inline void wf_packet_ring_free(wf_packet_ring *r) {
  free(r->slot);
}
static inline uint32_t wf_packet_ring_count(const wf_packet_ring *r) {
  return r->ring.count;
}
static inline bool wf_packet_ring_full(const wf_packet_ring *r) {
  return r->ring.count >= r->limit;
}
static inline wf_packet *wf_packet_ring_at(const wf_packet_ring *r, uint32_t i) {
  return &r->slot[wf_ring_at_mask(&r->ring, i, r->mask)];
}
static inline wf_packet *wf_packet_ring_front(const wf_packet_ring *r) {
  return &r->slot[r->ring.head];
}
static inline wf_packet *wf_packet_ring_push(wf_packet_ring *r, const wf_packet *packet) {
  wf_packet *slot = &r->slot[wf_ring_push_mask(&r->ring, r->mask)];
  *slot = *packet;
  return slot;
}
static inline void wf_packet_ring_pop(wf_packet_ring *r) {
  wf_ring_pop_mask(&r->ring, r->mask);
}

#endif
