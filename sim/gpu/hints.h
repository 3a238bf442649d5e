/* Cache hints on chosen loads, as a programmer writes them who has seen the profile of a run
 * (--set probe.loads=1): ptx.cg, ptx.no_allocate. */
#ifndef WF_GPU_HINTS_H
#define WF_GPU_HINTS_H

#include "sim/gpu/gpu.h"

/* To the modules that are there, before the first launch. text: KERNEL:LINE+LINE,KERNEL:LINE; NULL:
 * none. False and *err (code 2): no such kernel or load. */
bool wf_gpu_hint(const wf_gpu *gpu, const char *key, const char *text, ptx_cache_hint hint,
                 wf_error *err);

#endif
