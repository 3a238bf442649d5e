/* Searches by one block; see block.h. */
#include "sim/apps/graph/block.h"

enum { STATIC_BYTES = 32 }; /* of the kernels' shared memory */

bool wf_block_check(const wf_app_run *run, wf_error *err) {
  const uint32_t bytes = wf_gpu_get_config(run->gpu)->shared_bytes_per_sm;
  return bytes >= WF_BLOCK_BYTES ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--set core.shared_bytes=%u: strategy block needs %d bytes; expected those, or "
                 "another strategy",
                 bytes, WF_BLOCK_BYTES);
}

uint32_t wf_block_room(const wf_gpu *gpu) {
  return (wf_gpu_get_config(gpu)->shared_bytes_per_sm - STATIC_BYTES) / 4;
}

bool wf_block_launch(const wf_app_run *run, const char *kernel, uint32_t words,
                     const void *const *params, unsigned n_params, wf_error *err) {
  return wf_app_launch_blocks(run->gpu, kernel, wf_gpu_get_config(run->gpu)->n_sm, WF_BLOCK_THREADS,
                              words * 4, params, n_params, err);
}
