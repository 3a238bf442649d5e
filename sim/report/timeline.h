/* A run as a picture over time, in the Chrome trace-event format (JSON), which Perfetto and
 * chrome://tracing open: kernels of the host, grids that threads launched, thread blocks on the
 * slots of their SMs, units while they have something to do, warps if wanted; and as counters, the
 * warps, clock and voltage of each SM and the GPU's power. A microsecond of the picture is a core
 * cycle. Written as it happens; of the run only what is on the GPU at the moment is kept.
 *
 * Events: complete ones ("X") whose categories are kernel, block, warp, unit: a block from cycle ts
 * to ts+dur-1; blocks of one slot never overlap. Launched grids are asynchronous ("b", "e";
 * category grid, id KERNEL.GRID): outer from the call for the parameters' buffer to the end of its
 * last block, inner `waiting` to the start of its first; an instant ("n") `refused` where a group
 * joined no kernel. Counters ("C") hold from their ts to the next: of an SM `warps` that its blocks
 * have, `MHz`, and `voltage` as a share of the full one; of the GPU `watts`, mean power over
 * timeline.interval cycles, without what RTL counts of a unit's events. Processes: 0 kernels, 1
 * launched grids, 2 units, 3 the GPU, 10+N SM N, threads in it 1+S block slot S, 101+W warp slot W.
 */
#ifndef WF_REPORT_TIMELINE_H
#define WF_REPORT_TIMELINE_H

#include "sim/energy/energy.h"
#include "sim/gpu/gpu.h"

typedef struct wf_timeline wf_timeline;

typedef struct wf_timeline_settings {
  unsigned warps;    /* warps as well */
  unsigned interval; /* cycles between two values of power; 0: none */
} wf_timeline_settings;
extern const wf_parameter wf_timeline_parameters[];

/* NULL and *err (code 2): the file cannot be written. Nothing stands under its name before
 * wf_timeline_close(). */
wf_timeline *wf_timeline_open(const char *path, const wf_gpu_config *config,
                              const wf_timeline_settings *settings, wf_error *err);
/* From now on the GPU's events go there; the timeline must outlive its kernels, and they and the
 * model it. */
void wf_timeline_attach(wf_timeline *timeline, wf_gpu *gpu, const wf_energy_model *energy);
/* Completes the file. False and *err (code 2): it could not be written. Frees the timeline. */
bool wf_timeline_close(wf_timeline *timeline, wf_error *err);
/* Frees it and leaves no file; NULL is fine. */
void wf_timeline_abandon(wf_timeline *timeline);

#endif
