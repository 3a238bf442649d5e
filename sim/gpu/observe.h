/* What happens when and where in the GPU, told to whoever asked (wf_gpu_observe): kernels of the
 * host, grids that threads launched, thread blocks on SMs, warps, units, clocks. Nothing is kept by
 * the GPU for it. */
#ifndef WF_GPU_OBSERVE_H
#define WF_GPU_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum wf_seen_kind {
  WF_SEEN_KERNEL_BEGIN, /* of the host: name, blocks, threads; it is grid 0 until its end */
  WF_SEEN_KERNEL_END,
  WF_SEEN_LAUNCH, /* a thread launches a grid: name, blocks, threads, group, sm, slot (of the warp),
                     since */
  WF_SEEN_REFUSED,     /* a group joined no kernel and becomes one */
  WF_SEEN_START,       /* first block of a launched grid */
  WF_SEEN_END,         /* its last block has ended */
  WF_SEEN_BLOCK_START, /* grid, sm, slot, blocks (its index), warps; name of its kernel */
  WF_SEEN_BLOCK_END,   /* sm, slot */
  WF_SEEN_BLOCK_GO, /* sm, slot: its warps may issue (with a unit that preloads; otherwise they may
                       from its start) */
  WF_SEEN_WARP_START, /* sm, slot: of the warp; grid, name */
  WF_SEEN_WARP_END,   /* sm, slot */
  WF_SEEN_UNIT_BUSY,  /* a unit (name, sm: its number) has something to do; only seen in cycles that
                         are not skipped */
  WF_SEEN_UNIT_IDLE,
  WF_SEEN_CLOCK, /* sm: its clock and voltage from now on: mhz, low; of all SMs when the observer
                    comes */
  WF_SEEN_SAMPLE /* `every` cycles have passed: the GPU's counters are those of now */
} wf_seen_kind;

/* Fields that a kind does not name are 0. An end's cycle is the last in which the thing was there.
 */
typedef struct wf_seen {
  wf_seen_kind kind;
  uint64_t cycle, since; /* since: of a launch, when its thread asked for the parameters' buffer */
  const char *name;
  uint32_t grid; /* number within the host's kernel: 1 and up for launched ones */
  uint32_t blocks[3], threads[3];
  unsigned sm, slot, warps, mhz;
  bool group, low;
} wf_seen;

typedef struct wf_observer {
  void (*see)(void *user, const wf_seen *what);
  void *user;
  bool warps;     /* wants those as well */
  uint64_t every; /* cycles to the next sample; 0: none. see() may change it at a sample */
} wf_observer;

enum { WF_OBSERVERS = 2 };
struct wf_gpu;
/* From now on; the observer must outlive the GPU's last kernel. Kernels run no slower without one.
 */
void wf_gpu_observe(struct wf_gpu *gpu, const wf_observer *observer);

#endif
