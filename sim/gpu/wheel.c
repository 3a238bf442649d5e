#include "sim/gpu/wheel.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"

void wf_wheel_free(wf_wheel *wheel) {
  for (unsigned b = 0; b < WF_WHEEL; b++) free(wheel->at[b].events);
}

void wf_wheel_add(wf_wheel *wheel, uint64_t when, wf_wheel_event event) {
  wf_bucket *b = &wheel->at[when % WF_WHEEL];
  if (b->count == b->capacity) {
    b->capacity = b->capacity ? 2 * b->capacity : 4;
    b->events = wf_realloc(b->events, b->capacity, sizeof *b->events);
  }
  b->events[b->count++] = event;
  wheel->used[when % WF_WHEEL / 64] |= (uint64_t)1 << (when % 64);
}

uint64_t wf_wheel_next(const wf_wheel *wheel, uint64_t now) {
  unsigned start = (unsigned)((now + 1) % WF_WHEEL);
  for (unsigned i = 0; i <= WF_WHEEL / 64; i++) {
    unsigned word = (start / 64 + i) % (WF_WHEEL / 64);
    uint64_t bits = wheel->used[word];
    if (i == 0) bits &= ~(uint64_t)0 << (start % 64);
    if (bits) {
      unsigned at = word * 64 + (unsigned)__builtin_ctzll(bits);
      return now + 1 + (at - start + WF_WHEEL) % WF_WHEEL;
    }
  }
  return WF_NEVER;
}
