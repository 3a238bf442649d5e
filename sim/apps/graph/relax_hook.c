/* WCC by hooking and pointer jumping; see relax_queue.h and hook.cuh. */
#include "sim/apps/graph/relax_queue.h"

enum { SAMPLE_THREADS = 32 };

bool wf_relax_hook(const wf_relax_task *task, const uint32_t *host_value, const uint32_t *ids,
                   uint32_t count, uint64_t *value, wf_error *err) {
  (void)host_value, (void)ids, (void)count;
  const wf_ref_csr *out = &task->out;
  wf_gpu *gpu = task->run->gpu;
  const uint32_t n = out->n;
  uint64_t row, col, large;
  if (!(row = wf_app_upload(gpu, out->row, (n + 1ull) * 4, "row", err)) ||
      !(col = wf_app_upload(gpu, out->col, out->row[n] * 4ull, "col", err)) ||
      !(*value = wf_app_reserve(gpu, 0, n * 4ull, "value", err)) ||
      !(large = wf_app_reserve(gpu, 0, 4, "large", err)))
    return false;
  const void *const join[] = {&n, &row, &col, value, &large}, *const jump[] = {&n, value},
                    *const sample[] = {&n, value, &large};
  return wf_app_launch(gpu, "wcc_hook_one", n, 0, join, 4, err) &&
         wf_app_launch(gpu, "wcc_hook_jump", n, 0, jump, 2, err) &&
         wf_app_launch(gpu, "wcc_hook_two", n, 0, join, 4, err) &&
         wf_app_launch(gpu, "wcc_hook_jump", n, 0, jump, 2, err) &&
         wf_app_launch_blocks(gpu, "wcc_hook_sample", 1, SAMPLE_THREADS, 0, sample, 3, err) &&
         wf_app_launch(gpu, "wcc_hook_rest", n, 0, join, 5, err) &&
         wf_app_launch(gpu, "wcc_hook_jump", n, 0, jump, 2, err);
}
