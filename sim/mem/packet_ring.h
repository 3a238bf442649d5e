/* FIFO of packets in a ring whose size is a power of two. The owner keeps count within its limit;
 * the ring only has to be as large. */
#ifndef WF_PACKET_RING_H
#define WF_PACKET_RING_H

#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/mem/mem.h"

typedef struct wf_packet_ring {
  wf_packet *slot;
  uint32_t mask, head, count, limit;
} wf_packet_ring;

static inline uint32_t wf_ring_size(uint32_t limit) {
  uint32_t size = 1;
  while (size < limit) size *= 2;
  return size;
}

static inline void wf_packet_ring_init(wf_packet_ring *r, uint32_t limit) {
  uint32_t size = wf_ring_size(limit);
  *r = (wf_packet_ring){.slot = wf_calloc(size, sizeof *r->slot), .mask = size - 1, .limit = limit};
}

static inline void wf_packet_ring_free(wf_packet_ring *r) {
  free(r->slot);
}
static inline bool wf_packet_ring_full(const wf_packet_ring *r) {
  return r->count >= r->limit;
}
static inline wf_packet *wf_packet_ring_front(const wf_packet_ring *r) {
  return &r->slot[r->head & r->mask];
}
static inline wf_packet *wf_packet_ring_push(wf_packet_ring *r, const wf_packet *packet) {
  wf_packet *slot = &r->slot[(r->head + r->count++) & r->mask];
  *slot = *packet;
  return slot;
}
static inline void wf_packet_ring_pop(wf_packet_ring *r) {
  r->head++;
  r->count--;
}

#endif
