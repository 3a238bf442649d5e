/* Single-source shortest paths as in LonestarGPU: topology-driven, pushing with atomic minima. How
 * many rounds it takes depends on the order of warps; the distances do not. */
#include "sim/apps/cache/suite.h"
#include "sim/apps/reference.h"

enum { BLOCK = 256 };

static bool ssp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  uint32_t source, again = 1;
  if (!wf_suite_search_read(run, &source, err)) return false;
  if (!wf_graph_need_weights(run->graph, run->seed, err)) return false;
  wf_graph_need_in(run->graph);
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices, *expected = wf_suite_array(host, n, sizeof *expected);
  wf_ref_csr in = {n, g->in_row, g->in_col, g->in_weight},
             out = {n, g->out_row, g->out_col, g->out_weight};
  unsigned rounds;
  if (!wf_ref_sssp(&in, &out, source, 0, expected, &rounds, err)) return false;
  wf_gpu *gpu = run->gpu;
  uint64_t row, col, weight, distance, changed;
  if (!(row = wf_app_upload(gpu, g->out_row, (n + 1ull) * 4, "row", err)) ||
      !(col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(weight = wf_app_upload(gpu, g->out_weight, g->n_edges * 4, "weight", err)) ||
      !(distance = wf_app_reserve(gpu, 0xff, n * 4ull, "distance", err)) ||
      !(changed = wf_app_reserve(gpu, 0, 4, "changed", err)) ||
      !wf_app_write_u32(gpu, distance + 4ull * source, 0, err))
    return false;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= n; run->supersteps++)
    if (!wf_app_write_u32(gpu, changed, 0, err) ||
        !WF_SUITE_LAUNCH(run, "ssp_relax", wf_suite_line(n, BLOCK), err, &row, &col, &weight,
                         &distance, &changed, &n) ||
        !wf_app_read_u32(gpu, changed, &again, err))
      return false;
  return wf_suite_check_u32(run, host, "distance of vertex", distance, expected, n, NULL, err);
}

WF_SUITE_APP(ssp, "shortest paths, pushing with atomic minima, as in LonestarGPU",
             wf_suite_search_options, WF_APP_WEIGHTED_GRAPH, ssp);
