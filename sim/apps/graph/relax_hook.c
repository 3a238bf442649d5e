/* WCC by hooking and pointer jumping; see relax_queue.h and hook.cuh. */
#include "sim/apps/graph/relax_queue.h"

enum { LARGE_BYTES = 8, HUB_BITS = 20 }; /* as in hook.cuh */
enum { OF_SM = 3 };

/* at_once: a vertex a thread. Else few blocks, which shortens the long ways of graphs whose
 * neighbours are near. */
static bool jump(const wf_relax_task *task, uint64_t value, uint64_t large, uint32_t shift,
                 bool at_once, wf_error *err) {
  wf_gpu *gpu = task->run->gpu;
  const uint32_t n = task->out.n, all = (n + WF_APP_BLOCK - 1) / WF_APP_BLOCK;
  const uint32_t few = OF_SM * wf_gpu_get_config(gpu)->n_sm;
  const uint32_t blocks = at_once || all < few ? all : few, part = (n + blocks - 1) / blocks;
  const void *const params[] = {&n, &value, &large, &shift, &part};
  return wf_app_launch_blocks(gpu, "wcc_hook_jump", blocks, WF_APP_BLOCK, 0, params, 5, err);
}

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
      !(large = wf_app_reserve(gpu, 0, LARGE_BYTES, "large", err)))
    return false;
  const bool spread = wf_strategy_has_few_steps(&task->degrees);
  uint32_t shift = 0;
  while (n >> shift >> HUB_BITS) shift++;
  const void *const join[] = {&n, &row, &col, value, &large, &shift};
  return wf_app_launch(gpu, "wcc_hook_one", n, 0, join, 6, err) &&
         jump(task, *value, large, shift, spread, err) &&
         wf_app_launch(gpu, "wcc_hook_two", n, 0, join, 5, err) &&
         jump(task, *value, large, shift, true, err) &&
         wf_app_launch(gpu, "wcc_hook_rest", n, 0, join, 5, err) &&
         jump(task, *value, large, shift, true, err);
}
