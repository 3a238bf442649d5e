/* Launches: from the host and from warps, through the kernel management unit to the dispatcher.
 *
 * A warp's cudaLaunchDevice takes its latency; then its kernels wait in the KMU, first in first
 * out, or in queues that the dispatcher ranks (dispatch.h), for a free entry of the kernel
 * distributor, and are dispatched launch.dispatch cycles after one is theirs. To a KMU that is the
 * dispatcher's own they go one a cycle, and the warp waits until its last is taken. Groups go from
 * the warp straight to the dispatcher, likewise. Groups that join no kernel go to the KMU.
 * Parameters lie in a pool in device memory. */
#ifndef WF_GPU_LAUNCH_H
#define WF_GPU_LAUNCH_H

#include "sim/base/wf_error.h"
#include "sim/gpu/counters.h"
#include "sim/seam/dispatch.h"

struct wf_gpu;
typedef struct wf_launcher wf_launcher;

wf_launcher *wf_launcher_create(struct wf_gpu *gpu);
void wf_launcher_destroy(wf_launcher *launcher);
/* The host's kernel. launch lives until wf_launcher_end(). */
bool wf_launcher_begin(wf_launcher *launcher, const ptx_launch *launch, uint32_t shared_bytes,
                       wf_error *err);
/* The host's kernel and all that its threads launched are over: forgets them. */
void wf_launcher_end(wf_launcher *launcher);
/* How blocks come from the dispatcher to the SMs in a kernel. */
typedef struct wf_block_stage {
  bool (*tick)(void *self, wf_launcher *launcher, wf_error *err); /* once a cycle */
  /* May tick do something in the next cycle? */
  bool (*may)(const void *self, const wf_launcher *launcher);
} wf_block_stage;
/* From the kernel that is set up to its end, in place of a stage that starts each block where and
 * when the dispatcher places it. */
void wf_launcher_put_stage(wf_launcher *launcher, const wf_block_stage *stage, void *self);
/* For a stage: the dispatcher's next block, if it places one; may it in the next cycle? */
bool wf_launcher_place(wf_launcher *launcher, wf_placement *block);
bool wf_launcher_may_place(const wf_launcher *launcher);
/* The block starts, in a free slot of its SM. */
bool wf_launcher_start(wf_launcher *launcher, const wf_placement *block, wf_error *err);
/* Once a cycle, first of all: moves what is on its way, starts at most one block. False on a fault.
 */
bool wf_launcher_tick(wf_launcher *launcher, wf_error *err);
/* Anything not finished. */
bool wf_launcher_busy(const wf_launcher *launcher);
/* The next cycle, after now, in which tick has something to do if nothing else happens; WF_NEVER:
 * none. */
uint64_t wf_launcher_wake(const wf_launcher *launcher);
/* Executes a PTX_CLASS_LAUNCH instruction whose effect is at hand. The warp is to be parked: it is
 * woken when the instruction is over. False: a launch that cannot be, *err says why. */
bool wf_launcher_issue(wf_launcher *launcher, unsigned sm, unsigned warp, const ptx_inst *inst,
                       ptx_warp *arch, const ptx_effect *effect, wf_error *err);
void wf_launcher_block_done(wf_launcher *launcher, unsigned sm, unsigned slot, uint32_t grid);
/* Blocks of all grids so far that have ended, as a share of those known. */
double wf_launcher_progress(const wf_launcher *launcher);
const wf_launch_counters *wf_launcher_counters(const wf_launcher *launcher);
size_t wf_launcher_describe(const wf_launcher *launcher, char *text, size_t bytes);

#endif
