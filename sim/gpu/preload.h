/* The fabric's side of a unit that preloads thread blocks (sim/seam/preload.h). Blocks are placed
 * as without it, but their warps wait for the unit's `go`; or they are bound to an SM before it has
 * room and start when they have both. Its fetches leave through the SM's miss queue, behind the
 * stores that came before them; what comes back lies in a place of shared memory. Loads of global
 * memory look the places up beside the L1 and take what they find from there, in shared memory's
 * time. Each byte that a load takes is compared with what the program must read. */
#ifndef WF_GPU_PRELOAD_H
#define WF_GPU_PRELOAD_H

#include "sim/gpu/seat.h"
#include "sim/seam/dispatch.h"

typedef struct wf_preload wf_preload;

bool wf_preload_sit(wf_seat *seat, wf_error *err);

/* ---- for the launcher, while a kernel preloads ---- */
bool wf_preload_may_place(const wf_preload *p);
void wf_preload_block(struct wf_gpu *gpu, unsigned sm, unsigned slot, const uint32_t block[3]);
/* Does it? And if so, are blocks bound to SMs ahead of room instead of
 * placed? Those are started where there is room when the unit let them go, the oldest first. */
bool wf_preload_active(const wf_preload *p);
bool wf_preload_is_ahead(const wf_preload *p);
unsigned wf_preload_ahead(const wf_preload *p);    /* blocks of an SM */
unsigned wf_preload_resident(const wf_preload *p); /* blocks that an SM can hold */
unsigned wf_preload_run(const wf_preload *p);      /* consecutive blocks that go to the same SM */
void wf_preload_bind(wf_preload *p, const wf_placement *block);
uint64_t wf_preload_ready(const wf_preload *p); /* SMs with a block that may start */
/* The oldest of those of such an SM starts in `slot`. */
void wf_preload_start(wf_preload *p, unsigned sm, unsigned slot, wf_placement *block);

/* ---- for the unit ---- */
bool wf_preload_fetch(struct wf_gpu *gpu, unsigned sm, uint32_t line, unsigned place);
void wf_preload_go(struct wf_gpu *gpu, unsigned sm, unsigned slot);

/* ---- for the load/store unit ---- */
struct wf_sm;
void wf_preload_fill(struct wf_sm *sm, unsigned place, uint64_t now); /* a fetch is back */

#endif
