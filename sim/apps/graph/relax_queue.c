/* SSSP and WCC over a queue; see relax_queue.h. */
#include "sim/apps/graph/relax_queue.h"

#include <stdio.h>

#include "sim/apps/graph/frontier.h"

typedef struct offers {
  wf_app_run *run;
  const char *name;
  wf_frontier frontier;
  uint64_t row, col, weight, value, update; /* device */
} offers;

static bool set_up(offers *o, const wf_ref_csr *out, const uint32_t *host_value, wf_error *err) {
  wf_gpu *gpu = o->run->gpu;
  const uint64_t n = out->n, edges = out->row[n];
  return (o->row = wf_app_upload(gpu, out->row, (n + 1) * 4, "row", err)) &&
         (o->col = wf_app_upload(gpu, out->col, edges * 4, "col", err)) &&
         (!out->weight ||
          (o->weight = wf_app_upload(gpu, out->weight, edges * 4, "weight", err))) &&
         (o->value = wf_app_upload(gpu, host_value, n * 4, "value", err)) &&
         (o->update = wf_app_reserve(gpu, 0xff, n * 4, "update", err));
}

static bool offer(offers *o, wf_error *err) {
  enum { PARAMS = 8 };
  wf_frontier *f = &o->frontier;
  const uint32_t lanes = wf_frontier_lanes(f);
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {&f->count, &lanes,     &f->ids,   &o->row,
                                                     &o->col,   &o->weight, &o->value, &o->update};
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_offer", o->name);
  return wf_frontier_advance(f, kernel, f->count * lanes, params, PARAMS, err);
}

static bool take(offers *o, wf_error *err) {
  const wf_frontier *f = &o->frontier;
  const void *params[] = {&f->count, &f->ids, &o->value, &o->update};
  char kernel[32];
  snprintf(kernel, sizeof kernel, "%s_take", o->name);
  return wf_app_launch(o->run->gpu, kernel, f->count, 0, params, sizeof params / sizeof *params,
                       err);
}

bool wf_relax_queue(const wf_relax_task *task, const uint32_t *host_value, const uint32_t *ids,
                    uint32_t count, uint64_t *value, wf_error *err) {
  const wf_app_variant *variant = &task->variant;
  offers o = {.run = task->run, .name = task->name};
  if (!set_up(&o, &task->out, host_value, err) ||
      !wf_frontier_create(&o.frontier, task->run->gpu, task->out.n, ids, count, variant->queue,
                          err))
    return false;
  *value = o.value;
  for (unsigned i = 0; !variant->supersteps || i < variant->supersteps; i++) {
    if (!offer(&o, err)) return false;
    if (!o.frontier.count) return true;
    if (!take(&o, err)) return false;
    task->run->supersteps++;
  }
  return true;
}
