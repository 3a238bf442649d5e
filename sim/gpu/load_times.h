/* How long loads take, and how long warps wait for them, by load instruction (--set probe.loads=1).
 * A probe: no effect on cycles. */
#ifndef WF_GPU_LOAD_TIMES_H
#define WF_GPU_LOAD_TIMES_H

#include "sim/ptx/ptx.h"

typedef struct wf_load_times wf_load_times;

/* A load or value-returning atomic of a kernel. */
typedef struct wf_load_time {
  const ptx_kernel *kernel;
  ptx_pc pc;
  uint64_t loads;  /* warp instructions that came back, or in whose place a move went */
  uint64_t moved;  /* of these, moves */
  uint64_t cycles; /* from issue until the last lane's word is there, summed */
  /* From when the warp's next instruction could have been issued but for what this load brings
   * until it was there, summed. Where it lacks what two loads bring, both count. Of a move, also
   * the cycles in which it lacked nothing but its prefetch. */
  uint64_t waits;
  /* Of its lines: that looked the L1 up, and that found theirs there or on its way; 0 with a unit
   * beside it. */
  uint64_t lines, hits;
} wf_load_time;

wf_load_times *wf_load_times_create(void);
void wf_load_times_destroy(wf_load_times *t); /* NULL is fine */
/* The running kernel, until the next: its record goes on if it ran before. */
void wf_load_times_begin(wf_load_times *t, const ptx_kernel *kernel);
void wf_load_times_done(wf_load_times *t, ptx_pc pc, uint64_t cycles);
/* A move in its place, which lacked its prefetch for so long, and takes so long. */
void wf_load_times_moved(wf_load_times *t, ptx_pc pc, uint64_t late, uint64_t latency);
void wf_load_times_wait(wf_load_times *t, ptx_pc pc, uint64_t cycles);
void wf_load_times_line(wf_load_times *t, ptx_pc pc, bool hit);
/* Loads that were executed, by kernel and pc; NULL past the last. */
const wf_load_time *wf_load_times_at(const wf_load_times *t, size_t index);

#endif
