/* The fabric's side of a unit that hears the caches, or decides at L2's slices (sim/seam/cache.h).
 */
#ifndef WF_GPU_CACHE_SEAT_H
#define WF_GPU_CACHE_SEAT_H

#include "sim/gpu/seat.h"

/* Told before the unit is made: does the machine do for it? */
bool wf_cache_may_sit(const struct wf_gpu *gpu, const wf_unit_class *cls, wf_error *err);
bool wf_cache_sit(wf_seat *seat, wf_error *err);

#endif
