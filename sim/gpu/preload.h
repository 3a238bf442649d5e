/* The fabric's side of a unit that preloads thread blocks (sim/seam/preload.h). Blocks are placed
 * as without it, but their warps wait for the unit's `go`; or they are bound to an SM before it has
 * room and start when they have both. Its fetches leave through the SM's miss queue, behind the
 * stores that came before them; what comes back lies in a place of shared memory. Loads of global
 * memory look the places up beside the L1 and take what they find from there, in shared memory's
 * time. Each byte that a load takes is compared with what the program must read. */
#ifndef WF_GPU_PRELOAD_H
#define WF_GPU_PRELOAD_H

#include "sim/gpu/sm.h"
#include "sim/seam/dispatch.h"

typedef struct wf_preload wf_preload;
typedef struct wf_preload_sm wf_preload_sm;
struct wf_gpu;

wf_preload *wf_preload_create(struct wf_gpu *gpu, wf_unit *unit);
void wf_preload_destroy(wf_preload *p); /* NULL is fine */
/* What the program says that blocks read; NULL: it forgets what it said. */
void wf_preload_set_row(wf_preload *p, const wf_preload_row *row);

/* Around the kernel in gpu->launch. resident: blocks that an SM can hold, of shared_bytes each. */
bool wf_preload_begin(struct wf_gpu *gpu, unsigned resident, uint32_t shared_bytes, wf_error *err);
bool wf_preload_end(struct wf_gpu *gpu, wf_error *err);
/* What went wrong outside a function that can tell; true: nothing. */
bool wf_preload_ok(const wf_preload *p, wf_error *err);

/* ---- for the launcher; true also while no kernel preloads ---- */
bool wf_preload_may_place(const wf_preload *p);
void wf_preload_block(struct wf_gpu *gpu, unsigned sm, unsigned slot, const uint32_t block[3]);
/* Blocks ahead of room, so many an SM; 0: none, also while no kernel preloads. If so, blocks are
 * bound to SMs instead of placed, and started where there is room when the unit let them go, the
 * oldest first. */
unsigned wf_preload_ahead(const wf_preload *p);
unsigned wf_preload_resident(const wf_preload *p); /* blocks that an SM can hold */
unsigned wf_preload_run(const wf_preload *p);      /* consecutive blocks that go to the same SM */
void wf_preload_bind(wf_preload *p, const wf_placement *block);
uint64_t wf_preload_ready(const wf_preload *p); /* SMs with a block that may start */
/* The oldest of those of such an SM starts in `slot`. */
void wf_preload_start(wf_preload *p, unsigned sm, unsigned slot, wf_placement *block);

/* ---- for the unit ---- */
bool wf_preload_fetch(struct wf_gpu *gpu, unsigned sm, uint32_t line, unsigned place);
void wf_preload_go(struct wf_gpu *gpu, unsigned sm, unsigned slot);

/* ---- for an SM whose kernel preloads: sm->preload is not NULL ---- */
void wf_preload_block_end(wf_sm *sm, unsigned slot);
/* A load, store or atomic of global memory enters place `at` of the queue; sm->effect is its. */
void wf_preload_push(wf_sm *sm, wf_lsu_entry *e, unsigned at);
/* The next line request of the load at place `at`, the queue's head; of a store, before it leaves.
 * False: not in this cycle. */
bool wf_preload_load(wf_sm *sm, const wf_lsu_entry *e, unsigned at, uint64_t now);
bool wf_preload_store(wf_sm *sm, uint32_t line);
/* Once a cycle, before the queue's head: takes answers, sends the oldest miss on to the L1. */
void wf_preload_tick(wf_sm *sm, uint64_t now);
void wf_preload_fill(wf_sm *sm, unsigned place, uint64_t now);
bool wf_preload_busy(const wf_sm *sm); /* tick it */
bool wf_preload_takes_shared(const wf_sm *sm,
                             uint64_t now); /* shared memory's port is taken in this cycle */
size_t wf_preload_describe(const wf_sm *sm, char *text, size_t bytes);

#endif
