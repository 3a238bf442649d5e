/* The GPU's own dispatcher: first come, first served, at most one block a cycle, to the next SM
 * round robin that has room, the fullest, or one at random (core.cta_place); what threads launched
 * newest first, if launch.order says so. Groups join a kernel of the same
 * code, block and shared memory that is still in the distributor; there is no limit to them and
 * joining takes no time: what a unit with a table of finite size does is compared with this. */
#ifndef WF_GPU_DISPATCH_H
#define WF_GPU_DISPATCH_H

#include "sim/base/wf_rng.h"
#include "sim/gpu/config.h"
#include "sim/seam/dispatch.h"

typedef struct wf_dispatcher wf_dispatcher;

extern const wf_dispatch_ops wf_dispatcher_ops;

wf_dispatcher *wf_dispatcher_create(const wf_gpu_config *config);
/* The first block goes to the SM that `rng` says. */
void wf_dispatcher_order(wf_dispatcher *dispatcher, wf_rng *rng);
void wf_dispatcher_destroy(wf_dispatcher *dispatcher);

#endif
