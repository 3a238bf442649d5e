/* A ring in an array of its owner's: where the oldest entry is and how many there are. All of it is
 * index arithmetic. The array has `capacity` entries: any number, which costs a comparison and
 * never a division, or a constant power of two, which costs an AND. The owner looks whether there
 * is room; to push without is a bug of the program. */
#ifndef WF_BASE_RING_H
#define WF_BASE_RING_H

#include <assert.h>
#include <stdint.h>

typedef struct wf_ring {
  uint32_t head, count; /* head is always an index of the array */
} wf_ring;

/* Index of the entry after the i oldest; i is at most the capacity. */
static inline uint32_t wf_ring_at(const wf_ring *r, uint32_t i, uint32_t capacity) {
  const uint32_t at = r->head + i;
  if (__builtin_constant_p(capacity) && !(capacity & (capacity - 1))) return at & (capacity - 1);
  return at < capacity ? at : at - capacity;
}

/* Index for a new entry, the youngest. */
static inline uint32_t wf_ring_push(wf_ring *r, uint32_t capacity) {
  assert(r->count < capacity);
  return wf_ring_at(r, r->count++, capacity);
}

/* Index of the oldest entry, which leaves: it is good until the next push. */
static inline uint32_t wf_ring_pop(wf_ring *r, uint32_t capacity) {
  const uint32_t at = r->head;
  assert(r->count);
  r->head = wf_ring_at(r, 1, capacity);
  r->count--;
  return at;
}

/* The same in an array whose size, a power of two, is known when the program runs: mask is the size
 * less one. */
static inline uint32_t wf_ring_size(uint32_t limit) {
  uint32_t size = 1;
  while (size < limit) size *= 2;
  return size;
}
static inline uint32_t wf_ring_at_mask(const wf_ring *r, uint32_t i, uint32_t mask) {
  return (r->head + i) & mask;
}
static inline uint32_t wf_ring_push_mask(wf_ring *r, uint32_t mask) {
  assert(r->count <= mask);
  return wf_ring_at_mask(r, r->count++, mask);
}
static inline void wf_ring_pop_mask(wf_ring *r, uint32_t mask) {
  assert(r->count);
  r->head = wf_ring_at_mask(r, 1, mask);
  r->count--;
}

#endif
