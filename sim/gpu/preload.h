/* The fabric's side of a unit that preloads thread blocks (sim/seam/preload.h). Blocks are placed
 * as without it, but their warps wait for the unit's `go`. Its fetches leave through the
 * SM's miss queue, behind the stores that came before them; what comes back lies in a place of
 * shared memory. Loads of global memory look the places up beside the L1 and take what they find
 * from there, in shared memory's time. Each byte that a load takes is compared with what the
 * program must read. */
#ifndef WF_GPU_PRELOAD_H
#define WF_GPU_PRELOAD_H

#include "sim/gpu/seat.h"

bool wf_preload_sit(wf_seat *seat, wf_error *err);

/* ---- for the unit ---- */
bool wf_preload_fetch(struct wf_gpu *gpu, unsigned sm, uint32_t line, unsigned place);
void wf_preload_go(struct wf_gpu *gpu, unsigned sm, unsigned slot);

#endif
