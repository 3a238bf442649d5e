/* Connected component labelling of a graph by hooking and pointer jumping: each vertex ends with
 * the smallest vertex of its component. Arcs count in both directions. */
#include "sim/apps/cache/suite.h"
#include "sim/apps/reference.h"

enum { BLOCK = 256 };

typedef struct ccl_device {
  uint64_t from, to, parent, changed;
} ccl_device;

static bool set_up(wf_app_run *run, wf_suite_host *host, ccl_device *d, wf_error *err) {
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices, *from = wf_suite_array(host, g->n_edges, 4),
           *self = wf_suite_array(host, n, 4);
  for (uint32_t v = 0; v < n; v++) {
    self[v] = v;
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) from[e] = v;
  }
  return (d->from = wf_app_upload(run->gpu, from, g->n_edges * 4, "from", err)) &&
         (d->to = wf_app_upload(run->gpu, g->out_col, g->n_edges * 4, "to", err)) &&
         (d->parent = wf_app_upload(run->gpu, self, n * 4ull, "parent", err)) &&
         (d->changed = wf_app_reserve(run->gpu, 0, 4, "changed", err));
}

static bool label(wf_app_run *run, const ccl_device *d, wf_error *err) {
  uint32_t n = run->graph->n_vertices, n_edges = (uint32_t)run->graph->n_edges, again = n_edges > 0;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= n; run->supersteps++)
    if (!wf_app_write_u32(run->gpu, d->changed, 0, err) ||
        !WF_SUITE_LAUNCH(run, "ccl_hook", wf_suite_line(n_edges, BLOCK), err, &d->from, &d->to,
                         &d->parent, &d->changed, &n_edges) ||
        !WF_SUITE_LAUNCH(run, "ccl_jump", wf_suite_line(n, BLOCK), err, &d->parent, &n) ||
        !wf_app_read_u32(run->gpu, d->changed, &again, err))
      return false;
  return true;
}

static bool ccl(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  ccl_device d;
  if (!set_up(run, host, &d, err) || !label(run, &d, err)) return false;
  if (!wf_graph_make_symmetric(run->graph, err)) return false; /* for the reference only */
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices, *expected = wf_suite_array(host, n, 4), components = 0;
  wf_ref_csr both = {n, g->out_row, g->out_col, NULL};
  wf_ref_wcc(&both, 0, expected);
  for (uint32_t v = 0; v < n; v++) components += expected[v] == v;
  wf_app_report(run, "components", components);
  return wf_suite_check_u32(run, host, "label of vertex", d.parent, expected, n, NULL, err);
}

WF_SUITE_APP(ccl, "connected components by hooking and pointer jumping", wf_app_no_options, true,
             ccl);
