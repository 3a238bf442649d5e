/* LonestarGPU's topology-driven relaxation; how many rounds it takes depends on the order of warps,
 * the distances do not. */
#include "sim/apps/prefetch/lsrelax.h"

#include "sim/apps/reference.h"

enum { BLOCK = 1024, UNREACHED = 1000000000 };

typedef struct relax_device {
  uint64_t row, degree, col, weight, distance, changed;
} relax_device;

static bool references(wf_app_run *run, uint32_t source, bool weighted, uint32_t *expected,
                       wf_error *err) {
  const wf_graph *g = run->graph;
  const uint32_t n = g->n_vertices;
  const wf_ref_csr out = {n, g->out_row, g->out_col, weighted ? g->out_weight : NULL};
  unsigned rounds;
  if (weighted) {
    wf_graph_need_in(run->graph);
    const wf_ref_csr in = {n, g->in_row, g->in_col, g->in_weight};
    if (!wf_ref_sssp(&in, &out, source, 0, expected, &rounds, err)) return false;
  } else {
    wf_ref_bfs(&out, source, 0, expected);
  }
  for (uint32_t v = 0; v < n; v++) {
    if (expected[v] >= UNREACHED && expected[v] != WF_REF_UNREACHED)
      return wf_fail(
          err, WF_EXIT_BAD_INPUT,
          "distance of vertex %u from %u is %u; this application takes distances below %u: "
          "use smaller weights",
          v, source, expected[v], UNREACHED);
    if (expected[v] == WF_REF_UNREACHED) expected[v] = UNREACHED;
  }
  return true;
}

static bool set_up(wf_app_run *run, wf_suite_host *host, relax_device *d, uint32_t source,
                   bool weighted, wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  wf_gpu *gpu = run->gpu;
  uint32_t *degree = wf_suite_array(host, n, 4), *distance = wf_suite_array(host, n, 4);
  for (uint32_t v = 0; v < n; v++) {
    degree[v] = wf_graph_out_degree(g, v);
    distance[v] = v == source ? 0 : UNREACHED;
  }
  return (d->row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) &&
         (d->degree = wf_app_upload(gpu, degree, n * 4, "degree", err)) &&
         (d->col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) &&
         (!weighted ||
          (d->weight = wf_app_upload(gpu, g->out_weight, g->n_edges * 4, "weight", err))) &&
         (d->distance = wf_app_upload(gpu, distance, n * 4, "distance", err)) &&
         (d->changed = wf_app_reserve(gpu, 0, 4, "changed", err));
}

static bool relax(wf_app_run *run, const relax_device *d, const wf_prefetch_kernel *kernel,
                  bool weighted, wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  return weighted ? WF_PREFETCH_LAUNCH(run, kernel, n, err, &d->row, &d->degree, &d->col,
                                       &d->weight, &d->distance, &d->changed, &n)
                  : WF_PREFETCH_LAUNCH(run, kernel, n, err, &d->row, &d->degree, &d->col,
                                       &d->distance, &d->changed, &n);
}

bool wf_lsrelax(wf_app_run *run, wf_suite_host *host, const char *kernel, bool weighted,
                wf_error *err) {
  relax_device d = {0};
  wf_prefetch_search s;
  uint32_t again = 1;
  if (!wf_prefetch_search_read(run, &s, err)) return false;
  const wf_prefetch_kernel search = wf_prefetch_kernel_of(s.form, kernel, BLOCK);
  if (weighted && !wf_graph_need_weights(run->graph, run->seed, err)) return false;
  const uint32_t n = run->graph->n_vertices;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  if (!references(run, s.search.source, weighted, expected, err) ||
      !set_up(run, host, &d, s.search.source, weighted, err))
    return false;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= n; run->supersteps++)
    if (!wf_app_write_u32(run->gpu, d.changed, 0, err) || !relax(run, &d, &search, weighted, err) ||
        !wf_app_read_u32(run->gpu, d.changed, &again, err))
      return false;
  wf_app_compare_u64(run, "left to do", again, 0);
  return wf_suite_check_u32(run, host, weighted ? "distance of vertex" : "level of vertex",
                            d.distance, expected, n, NULL, err);
}
