/* Options and queues of the textbooks' forms; see driven.h. */
#include "sim/apps/graph/driven.h"

#include <stdio.h>

#include "sim/apps/graph/strategy.h"

const char *const wf_driven_strategies[] = {"thread", "warp", "queue", "unroll"};

bool wf_driven_read(const wf_app_run *run, const wf_parameter *table, void *settings,
                    wf_error *err) {
  static const struct {
    const char *key;
    wf_driven_strategy of;
  } own[] = {{"app.ballot", WF_DRIVEN_WARP},
             {"app.queue", WF_DRIVEN_QUEUE},
             {"app.loop", WF_DRIVEN_THREAD}};
  const wf_driven *form = settings;
  const char *value;
  if (!wf_app_read_options(run, table, settings, err)) return false;
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (form->strategy != own[i].of && wf_app_named(run, own[i].key, &value))
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "--set %s=%s: is of strategy %s; expected --set app.strategy=%s too",
                     own[i].key, value, wf_driven_strategies[own[i].of],
                     wf_driven_strategies[own[i].of]);
  return true;
}

bool wf_driven_search_begin(wf_app_run *run, const wf_parameter *table, void *settings,
                            const char *thread_module, const char *unroll_module, wf_error *err) {
  wf_driven_search *s = settings;
  if (!wf_driven_read(run, table, settings, err)) return false;
  wf_suite_search search = {s->source, s->undirected};
  const char *module = s->form.strategy == WF_DRIVEN_UNROLL ? unroll_module : thread_module;
  const bool ok =
      wf_app_load_kernels(run->gpu, module, err) && wf_suite_search_begin(run, &search, err);
  s->source = search.source;
  return ok;
}

void wf_driven_kernel(const wf_driven *form, const char *name, const char *thread, char *kernel,
                      size_t bytes) {
  if (form->strategy == WF_DRIVEN_THREAD)
    snprintf(kernel, bytes, "%s", thread);
  else
    snprintf(kernel, bytes, "%s_%s", name,
             form->strategy == WF_DRIVEN_QUEUE ? "queue"
             : form->ballot                    ? "ballot"
                                               : "flags");
}

bool wf_driven_upload(const wf_app_run *run, const uint32_t *number, wf_driven_graph *device,
                      wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  return (device->row = wf_app_upload(run->gpu, g->out_row, (n + 1) * 4, "row", err)) &&
         (device->col = wf_app_upload(run->gpu, g->out_col, g->n_edges * 4, "col", err)) &&
         (device->number = wf_app_upload(run->gpu, number, n * 4, "number", err));
}

bool wf_driven_all(wf_app_run *run, wf_suite_host *host, const wf_driven *form, wf_frontier *f,
                   wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  if (form->strategy != WF_DRIVEN_QUEUE) return true;
  uint32_t *ids = wf_suite_array(host, n, sizeof *ids);
  for (uint32_t v = 0; v < n; v++) ids[v] = v;
  return wf_frontier_create(f, run->gpu, n, ids, n, form->queue, err);
}

uint32_t *wf_driven_by_number(wf_suite_host *host, const uint32_t *number, uint32_t n) {
  uint32_t *vertex = wf_suite_array(host, n, sizeof *vertex);
  for (uint32_t v = 0; v < n; v++) vertex[n - number[v]] = v;
  return vertex;
}
