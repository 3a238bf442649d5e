/* The fabric's side of a unit that keeps the SMs' misses (sim/seam/miss.h). The L1's own MSHRs are
 * the book that each of its answers is compared with. */
#ifndef WF_GPU_MISS_SEAT_H
#define WF_GPU_MISS_SEAT_H

#include "sim/gpu/seat.h"
#include "sim/gpu/sm_state.h"

bool wf_miss_sit(wf_seat *seat, wf_error *err);
/* May a unit of the class sit in this machine? Asked before its model is built. */
bool wf_miss_may_sit(const struct wf_gpu *gpu, const wf_unit_class *cls, wf_error *err);
/* The line of an entry is here, for which by the book these loads wait. */
void wf_miss_filled(wf_sm *sm, unsigned entry, const uint16_t *loads, unsigned count, uint64_t now);
/* By the unit they are these. */
void wf_miss_done(wf_sm *sm, const uint16_t *loads, unsigned count);
/* By a unit that answers later (wf_miss_ops.fill_line): the request of this cycle is of a line that
 * nobody waited for; this load waited, its line's last. */
void wf_miss_known(wf_sm *sm, bool is_new);
void wf_miss_told(wf_sm *sm, uint16_t load, bool last, uint64_t now);

#endif
