/* Searches by one block; the others read the graph into the L2. The kernels' side: block.cuh. */
#ifndef WF_APPS_BLOCK_H
#define WF_APPS_BLOCK_H

#include "sim/apps/graph/strategy.h"

/* *err (code 2) if an SM has less shared memory than WF_BLOCK_BYTES. */
bool wf_block_check(const wf_app_run *run, wf_error *err);
/* Words of an SM's shared memory, but for the kernels' own. */
uint32_t wf_block_room(const wf_gpu *gpu);
/* In as many blocks as there are SMs, with `words` of shared memory. */
bool wf_block_launch(const wf_app_run *run, const char *kernel, uint32_t words,
                     const void *const *params, unsigned n_params, wf_error *err);

#endif
