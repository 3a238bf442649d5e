/* A warp's SIMT stack: paths with their lanes, the one that runs on top; each goes on to its
 * reconvergence point, where the entry below takes over. A function's path lies above that of its
 * caller, which goes on when all lanes have come back. */
#ifndef WF_GPU_SIMT_H
#define WF_GPU_SIMT_H

#include "sim/ptx/ptx.h"

#define WF_SIMT_FUNCTION UINT32_MAX

typedef struct wf_simt_entry {
  ptx_pc pc, reconverge; /* WF_SIMT_FUNCTION: until it returns */
  uint32_t mask;
} wf_simt_entry;

typedef struct wf_simt {
  wf_simt_entry *entries;
  unsigned depth, capacity;
} wf_simt;

static inline wf_simt_entry *wf_simt_top(const wf_simt *s) {
  return &s->entries[s->depth - 1];
}
void wf_simt_start(wf_simt *s, const wf_simt_entry *all);
/* Paths that have reached their reconvergence point join the entry below. */
static inline void wf_simt_join(wf_simt *s) {
  while (s->depth > 1 && wf_simt_top(s)->pc == wf_simt_top(s)->reconverge) s->depth--;
}
/* The running path's branch, call or return, with what it did. */
void wf_simt_branch(wf_simt *s, const ptx_inst *inst, const ptx_effect *effect);
/* Lanes leave the kernel; true if none is left. */
bool wf_simt_drop(wf_simt *s, uint32_t lanes);

#endif
