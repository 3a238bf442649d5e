// Rounds over active vertices, an edge at a time; see driven.h.
#ifndef WARPFAB_DRIVEN_CUH
#define WARPFAB_DRIVEN_CUH

#include "queue.cuh"

#define UNREACHED 0xffffffffu
typedef unsigned char uint8_t;

// Says once what many may say: the test keeps most warps from writing one hot word.
DEVICE void say(uint32_t *flag) {
  if (!*flag) *flag = 1;
}

// The warp's 32 vertices one after the other, those of them that are active(v): each(v), by all
// lanes. BALLOT: a lane looks at each, else all of them at one after the other.
template <bool BALLOT, class Active, class Each>
DEVICE void by_warp(uint32_t n, Active active, Each each) {
  uint32_t first = global_thread() & ~(uint32_t)(WARP_LANES - 1);
  if (BALLOT) {
    uint32_t mine = global_thread();
    for (uint32_t left = warp_ballot(mine < n && active(mine)); left; left &= left - 1)
      each(first + (uint32_t)__builtin_ctz(left));
    return;
  }
#pragma clang loop unroll(disable)
  for (uint32_t v = first; v < n && v < first + WARP_LANES; v++)
    if (active(v)) each(v);
}

// Whether found(e) of an edge in e .. end; looks no further than it must.
template <class Found> DEVICE bool any_alone(uint32_t e, uint32_t end, Found found) {
#pragma clang loop unroll(disable)
  for (; e < end; e++)
    if (found(e)) return true;
  return false;
}

// The same by all lanes of the warp, an edge each.
template <class Found> DEVICE bool any_together(uint32_t e, uint32_t end, Found found) {
#pragma clang loop unroll(disable)
  for (; e < end; e += WARP_LANES) {
    uint32_t own = e + lane_id();
    if (warp_any(own < end && found(own))) return true;
  }
  return false;
}

#endif
