/* SSSP and WCC in equal shares of edges; see relax_queue.h. */
#include <stdio.h>

#include "sim/apps/graph/relax_queue.h"
#include "sim/apps/graph/shares.h"

double wf_relax_mean_weight(const wf_ref_csr *out) {
  const uint32_t edges = out->row[out->n];
  double sum = 0;
  for (uint32_t e = 0; e < edges; e++) sum += out->weight[e];
  return edges ? sum / edges : 0;
}

uint32_t wf_relax_delta(const wf_ref_csr *out, unsigned reach) {
  const uint32_t edges = out->row[out->n];
  const double delta = edges ? reach * wf_relax_mean_weight(out) / ((double)edges / out->n) : 1;
  return delta < 1 ? 1 : delta < UINT32_MAX ? (uint32_t)delta : UINT32_MAX;
}

/* What is in each kernel's parameters behind the shares'. */
typedef struct relax_edges {
  uint64_t row, col, weight, value, queued; /* device */
} relax_edges;

/* The rest in order of values (far.cuh). */
static bool run_near(wf_shares *shares, const relax_edges *r, const wf_ref_csr *out,
                     wf_share_state *state, wf_error *err) {
  enum { PARAMS = 9, SIDES = 2, ENTRY_BYTES = 8, SIZES_BYTES = 16 };
  wf_gpu *gpu = shares->gpu;
  const double mean = wf_relax_mean_weight(out);
  /* Of the vertices that are far, and of what two walks over all edges add to them. */
  const uint32_t delta = mean < 1 ? 1 : (uint32_t)mean, capacity = out->n + 2 * out->row[out->n];
  const uint64_t bytes = (uint64_t)capacity * SIDES * ENTRY_BYTES;
  uint64_t far, sizes;
  if (!(far = wf_app_reserve(gpu, 0, bytes, "far_vertices", err)) ||
      !(sizes = wf_app_reserve(gpu, 0, SIZES_BYTES, "far_vertices", err)) ||
      !wf_shares_set(shares, state, err))
    return false;
  const void *params[WF_SHARES_PARAMS + PARAMS];
  const void *const mine[PARAMS] = {&r->row, &r->col, &r->weight, &r->value, &r->queued,
                                    &far,    &sizes,  &capacity,  &delta};
  wf_shares_params(shares, params);
  for (int i = 0; i < PARAMS; i++) params[WF_SHARES_PARAMS + i] = mine[i];
  return wf_shares_run(shares, "sssp_near", params, WF_SHARES_PARAMS + PARAMS, state, err);
}

/* Edges of a step from which on the rest is ordered: it is bound by edges then, of which order
 * saves a part; but it takes more steps, which few edges do not make good. */
static uint32_t many_edges(const wf_gpu *gpu, const wf_relax_task *task) {
  /* Of the graph for a thread that the GPU holds; with hubs, which make steps few. */
  enum { WARP = 32, LONG_LIST = 64, EACH = 8, EACH_WITH_HUBS = 32 };
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  const uint32_t threads = WARP * c->n_sm * c->warps_per_sm;
  const uint32_t each = task->degrees.max < LONG_LIST ? EACH : EACH_WITH_HUBS;
  return task->out.row[task->out.n] / each >= threads ? threads : UINT32_MAX;
}

bool wf_relax_edges(const wf_relax_task *task, const uint32_t *host_value, const uint32_t *ids,
                    uint32_t count, uint64_t *value, wf_error *err) {
  enum { PARAMS = 9, COPY_SLOTS_BYTES = 64 };
  const wf_app_variant *variant = &task->variant;
  const wf_ref_csr *out = &task->out;
  wf_gpu *gpu = task->run->gpu;
  const uint64_t n = out->n, edges = out->row[n];
  const uint32_t steps = variant->supersteps ? variant->supersteps : UINT32_MAX;
  const bool orders = out->weight && !variant->supersteps;
  const uint32_t many = orders ? many_edges(gpu, task) : UINT32_MAX;
  uint64_t carried = 0, copied = 0;
  relax_edges r = {0};
  wf_share_state state = {.step = 1};
  wf_shares shares;
  if (!wf_shares_create(&shares, gpu, out, ids, count, true, &state, err) ||
      !(r.row = wf_app_upload(gpu, out->row, (n + 1) * 4, "row", err)) ||
      !(r.col = wf_app_upload(gpu, out->col, edges * 4, "col", err)) ||
      (out->weight && !(r.weight = wf_app_upload(gpu, out->weight, edges * 4, "weight", err))) ||
      !(r.value = *value = wf_app_upload(gpu, host_value, n * 4, "value", err)) ||
      !(r.queued = wf_app_reserve(gpu, 0, n * 4, "queued", err)) ||
      (variant->supersteps &&
       (!(carried = wf_app_reserve(gpu, 0, n * 4, "frontier_values", err)) ||
        !(copied = wf_app_reserve(gpu, 0, COPY_SLOTS_BYTES, "frontier_copied", err)))))
    return false;
  const void *params[WF_SHARES_PARAMS + PARAMS];
  const void *const mine[PARAMS] = {&r.row,   &r.col,  &r.weight, &r.value, &r.queued,
                                    &carried, &copied, &steps,    &many};
  wf_shares_params(&shares, params);
  for (int i = 0; i < PARAMS; i++) params[WF_SHARES_PARAMS + i] = mine[i];
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_edges", task->name);
  if (!wf_shares_run(&shares, kernel, params, WF_SHARES_PARAMS + PARAMS, &state, err) ||
      (orders && state.edges && !run_near(&shares, &r, out, &state, err)))
    return false;
  task->run->supersteps = state.deepest;
  return true;
}
