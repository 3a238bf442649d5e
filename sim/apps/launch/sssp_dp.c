/* Shortest paths over a queue of the vertices whose distance fell, in the forms of launch_app.h.
 * How many rounds it takes depends on the order of warps; the distances do not. */
#include "sim/apps/launch/launch_app.h"
#include "sim/apps/reference.h"

enum { BLOCK = 128 };

typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t source;
} settings;
static const wf_parameter options[] = {WF_APP_SOURCE_OPTION(settings), WF_LAUNCH_OPTIONS, {0}};

/* As the kernels have it. */
typedef struct device_graph {
  uint64_t row, col, weight, distance, queued, next, next_size;
} device_graph;

static bool search(wf_app_run *run, const wf_launch_form *form, device_graph *d, uint64_t queue,
                   wf_error *err) {
  uint32_t size = 1, n = run->graph->n_vertices;
  /* The bound: a wrong kernel must not loop for ever. */
  for (uint32_t round = 1; size && round <= n; round++) {
    if (!wf_app_write_u32(run->gpu, d->next_size, 0, err) ||
        !WF_LAUNCH_IN_FORM(run, form, "sssp_dp_relax", wf_suite_line(size, BLOCK), err, d, &queue,
                           &size, &round, &form->block) ||
        !wf_app_read_u32(run->gpu, d->next_size, &size, err))
      return false;
    if (size > n)
      return wf_fail(err, WF_EXIT_WRONG, "round %u: a queue of %u vertices of %u", round, size, n);
    const uint64_t swap = queue;
    queue = d->next;
    d->next = swap;
    run->supersteps++;
  }
  return true;
}

static bool sssp_dp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err) || !wf_app_source(run, &s.source, err))
    return false;
  if (!wf_graph_need_weights(run->graph, run->seed, err)) return false;
  wf_graph_need_in(run->graph);
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  const wf_ref_csr in = {g->n_vertices, g->in_row, g->in_col, g->in_weight},
                   out = {g->n_vertices, g->out_row, g->out_col, g->out_weight};
  unsigned rounds;
  if (!wf_ref_sssp(&in, &out, s.source, 0, expected, &rounds, err)) return false;
  wf_gpu *gpu = run->gpu;
  device_graph d;
  uint64_t queue;
  if (!(d.row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) ||
      !(d.col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(d.weight = wf_app_upload(gpu, g->out_weight, g->n_edges * 4, "weight", err)) ||
      !(d.distance = wf_app_reserve(gpu, 0xff, n * 4, "distance", err)) ||
      !(d.queued = wf_app_reserve(gpu, 0, n * 4, "queued", err)) ||
      !(d.next = wf_app_reserve(gpu, 0, n * 4, "queue", err)) ||
      !(d.next_size = wf_app_reserve(gpu, 0, 4, "queue size", err)) ||
      !(queue = wf_app_reserve(gpu, 0, n * 4, "queue", err)) ||
      !wf_app_write_u32(gpu, queue, s.source, err) ||
      !wf_app_write_u32(gpu, d.distance + 4ull * s.source, 0, err) ||
      !wf_launch_open(run, &s.form, n, g->n_edges, err) || !search(run, &s.form, &d, queue, err))
    return false;
  wf_app_report(run, "source", s.source);
  return wf_suite_check_u32(run, host, "distance of vertex", d.distance, expected, n, NULL, err);
}

WF_SUITE_APP(sssp_dp, "shortest paths whose threads may launch a vertex's edges", options,
             WF_APP_WEIGHTED_GRAPH, sssp_dp);
