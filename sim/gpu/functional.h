/* Runs a launch without timing, on the same memory: block after block, in a block each warp to its
 * next barrier in turn. */
#ifndef WF_GPU_FUNCTIONAL_H
#define WF_GPU_FUNCTIONAL_H

#include "sim/ptx/ptx.h"

typedef struct wf_functional_counts {
  uint64_t warp_instructions, thread_instructions;
} wf_functional_counts;

/* shared_bytes: of a block. Adds to *counts. False: a fault of the kernel, as in a timed launch; a
 * unit's or a launch's instruction (code WF_EXIT_BAD_INPUT); a warp that seems to wait for another
 * one without a barrier (WF_EXIT_HANG). */
bool wf_functional_run(const ptx_launch *launch, uint32_t shared_bytes,
                       wf_functional_counts *counts, wf_error *err);

#endif
