/* Which launches are timed (--set sample.*). The others are executed without timing, on the same
 * memory; L2 and DRAM stay as they were. */
#ifndef WF_GPU_SAMPLE_H
#define WF_GPU_SAMPLE_H

#include "sim/gpu/functional.h"
#include "sim/gpu/settings.h"

typedef struct wf_sample wf_sample;

typedef struct wf_sample_counters {
  uint64_t timed, executed;                        /* launches of all kernels */
  uint64_t warp_instructions, thread_instructions; /* of the executed */
} wf_sample_counters;

/* sample.kernel=NAME: only launches of this kernel are timed. sample.launches=3,5-7 or none: only
 * these, counted from 1 among that kernel's launches, or all if no kernel is named.
 * sample.min_instructions=N: only those that have at least N warp instructions when they are
 * executed without timing, which is tried first. *sample is NULL if nothing
 * of this is asked for. */
bool wf_sample_create(const wf_gpu_settings *settings, wf_sample **sample, wf_error *err);
void wf_sample_destroy(wf_sample *sample);             /* NULL is fine */
const char *wf_sample_kernel(const wf_sample *sample); /* NULL: of all */
/* The launch that is set up comes now: *timed, or it has been executed, with *counts. memory: its
 * used bytes. */
bool wf_sample_launch(wf_sample *sample, const ptx_launch *launch, uint32_t shared_bytes,
                      uint64_t used, bool *timed, wf_functional_counts *counts, wf_error *err);
const wf_sample_counters *wf_sample_get(const wf_sample *sample);

#endif
