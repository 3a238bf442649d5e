/* The GPU's own dispatcher: first come, first served, at most one block a cycle, to the next SM
 * round robin that has room. Groups join a kernel of the same code, block and shared memory that is
 * still in the distributor; there is no limit to them and joining takes no time: what a unit with a
 * table of finite size does is compared with this. */
#ifndef WF_GPU_DISPATCH_H
#define WF_GPU_DISPATCH_H

#include "sim/gpu/config.h"
#include "sim/seam/dispatch.h"

typedef struct wf_dispatcher wf_dispatcher;

extern const wf_dispatch_ops wf_dispatcher_ops;

wf_dispatcher *wf_dispatcher_create(const wf_gpu_config *config);
void wf_dispatcher_destroy(wf_dispatcher *dispatcher);

/* Ahead of room, for a unit that preloads: blocks are bound to SMs, and started there by their
 * number later. Only while one grid is all there is. Binds the next block to the next SM round
 * robin that has fewer than resident + ahead (running or bound; towards the grid's end fewer); all
 * but the slot of *bound is set. False: no SM, or no block. */
bool wf_dispatcher_bind(wf_dispatcher *dispatcher, unsigned resident, unsigned ahead, unsigned run,
                        wf_placement *bound);
bool wf_dispatcher_may_bind(const wf_dispatcher *dispatcher, unsigned resident, unsigned ahead,
                            unsigned run);
/* Has the SM, to which a block is bound, room for it? If so, start() takes it and returns the slot.
 */
bool wf_dispatcher_may_start(const wf_dispatcher *dispatcher, unsigned sm);
unsigned wf_dispatcher_start(wf_dispatcher *dispatcher, unsigned sm);

#endif
