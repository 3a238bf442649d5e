/* The sixteen barriers of a block, as its warps come to them. */
#ifndef WF_GPU_BARRIER_H
#define WF_GPU_BARRIER_H

#include "sim/ptx/ptx.h"

enum { WF_BARRIERS = 16 };

typedef struct wf_barrier {
  uint32_t at, need;       /* warps that came; that it opens for, 0: all that run */
  uint32_t votes, threads; /* of bar.red: lanes that say yes, of how many */
} wf_barrier;

/* Where a warp waits, and for what. */
typedef struct wf_barrier_wait {
  const ptx_inst *inst;
  uint32_t mask;
  uint8_t id;
} wf_barrier_wait;

/* A warp is at an instruction of PTX_CLASS_BARRIER; false: it goes on (bar.arrive). wait->id is set
 * even then. */
bool wf_barrier_come(wf_barrier *barriers, const ptx_inst *inst, const ptx_effect *effect,
                     wf_barrier_wait *wait);
/* May the barrier open, with so many warps of the block running? */
bool wf_barrier_opens(const wf_barrier *b, unsigned running);
/* What the warp waited for. */
void wf_barrier_leave(const wf_barrier *b, const wf_barrier_wait *wait, ptx_warp *warp);

#endif
