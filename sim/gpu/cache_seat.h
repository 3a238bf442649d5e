/* The fabric's side of a unit that hears the caches, or decides at L2's slices (sim/seam/cache.h).
 */
#ifndef WF_GPU_CACHE_SEAT_H
#define WF_GPU_CACHE_SEAT_H

#include "sim/gpu/seat.h"

bool wf_cache_sit(wf_seat *seat, wf_error *err);

#endif
