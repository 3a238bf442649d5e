/* SSSP and WCC in equal shares of edges; see relax_queue.h. */
#include <stdio.h>

#include "sim/apps/graph/relax_queue.h"
#include "sim/apps/graph/shares.h"

bool wf_relax_edges(wf_app_run *run, const char *name, const wf_app_variant *variant,
                    const wf_ref_csr *out, const uint32_t *host_value, const uint32_t *ids,
                    uint32_t count, uint64_t *value, wf_error *err) {
  enum { PARAMS = 8, COPY_SLOTS_BYTES = 64 };
  wf_gpu *gpu = run->gpu;
  const uint64_t n = out->n, edges = out->row[n];
  const uint32_t steps = variant->supersteps ? variant->supersteps : UINT32_MAX;
  uint64_t row, col, weight = 0, queued, carried = 0, copied = 0;
  wf_share_state state = {.step = 1};
  wf_shares shares;
  if (!wf_shares_create(&shares, gpu, out, ids, count, true, &state, err) ||
      !(row = wf_app_upload(gpu, out->row, (n + 1) * 4, "row", err)) ||
      !(col = wf_app_upload(gpu, out->col, edges * 4, "col", err)) ||
      (out->weight && !(weight = wf_app_upload(gpu, out->weight, edges * 4, "weight", err))) ||
      !(*value = wf_app_upload(gpu, host_value, n * 4, "value", err)) ||
      !(queued = wf_app_reserve(gpu, 0, n * 4, "queued", err)) ||
      (variant->supersteps &&
       (!(carried = wf_app_reserve(gpu, 0, n * 4, "frontier_values", err)) ||
        !(copied = wf_app_reserve(gpu, 0, COPY_SLOTS_BYTES, "frontier_copied", err)))))
    return false;
  const void *params[WF_SHARES_PARAMS + PARAMS];
  const void *const mine[PARAMS] = {&row, &col, &weight, value, &queued, &carried, &copied, &steps};
  wf_shares_params(&shares, params);
  for (int i = 0; i < PARAMS; i++) params[WF_SHARES_PARAMS + i] = mine[i];
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_edges", name);
  if (!wf_shares_run(&shares, kernel, params, WF_SHARES_PARAMS + PARAMS, &state, err)) return false;
  run->supersteps = state.deepest;
  return true;
}
