/* Single-source shortest paths after Harish and Narayanan: vertices whose cost fell push along
 * their edges; two kernels a round, and each round reads the costs of the round before, so that the
 * number of rounds is exact, too. */
#include "sim/apps/prefetch/form.h"
#include "sim/apps/reference.h"

enum { BLOCK = 512 };

typedef struct hsssp_device {
  uint64_t vertices, edges, weights, mask, cost, updating_cost, again;
  wf_prefetch_kernel search;
} hsssp_device;

static bool set_up(wf_app_run *run, hsssp_device *d, uint32_t source, wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  wf_gpu *gpu = run->gpu;
  const uint8_t one = 1;
  return (d->vertices = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "vertices", err)) &&
         (d->edges = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "edges", err)) &&
         (d->weights = wf_app_upload(gpu, g->out_weight, g->n_edges * 4, "weights", err)) &&
         (d->mask = wf_app_reserve(gpu, 0, n, "mask", err)) &&
         (d->cost = wf_app_reserve(gpu, 0xff, n * 4, "cost", err)) &&
         (d->updating_cost = wf_app_reserve(gpu, 0xff, n * 4, "updating_cost", err)) &&
         (d->again = wf_app_reserve(gpu, 0, 4, "again", err)) &&
         wf_gpu_write(gpu, d->mask + source, &one, 1, err) &&
         wf_app_write_u32(gpu, d->cost + 4ull * source, 0, err) &&
         wf_app_write_u32(gpu, d->updating_cost + 4ull * source, 0, err);
}

static bool round_of(wf_app_run *run, const hsssp_device *d, uint32_t *again, wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  return wf_app_write_u32(run->gpu, d->again, 0, err) &&
         WF_PREFETCH_LAUNCH(run, &d->search, n, err, &d->vertices, &d->edges, &d->weights, &d->mask,
                            &d->cost, &d->updating_cost, &n) &&
         WF_SUITE_LAUNCH(run, "hsssp_kernel2", shape, err, &d->mask, &d->cost, &d->updating_cost,
                         &d->again, &n) &&
         wf_app_read_u32(run->gpu, d->again, again, err);
}

static bool hsssp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  hsssp_device d = {0};
  wf_prefetch_search s;
  uint32_t again = 1;
  unsigned rounds;
  if (!wf_prefetch_search_read(run, &s, err)) return false;
  d.search = wf_prefetch_kernel_of(s.form, "hsssp_kernel1", BLOCK);
  if (!wf_graph_need_weights(run->graph, run->seed, err)) return false;
  wf_graph_need_in(run->graph);
  const wf_graph *g = run->graph;
  const uint32_t n = g->n_vertices;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  const wf_ref_csr in = {n, g->in_row, g->in_col, g->in_weight},
                   out = {n, g->out_row, g->out_col, g->out_weight};
  const uint32_t source = s.search.source;
  if (!wf_ref_sssp(&in, &out, source, 0, expected, &rounds, err) || !set_up(run, &d, source, err))
    return false;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= n; run->supersteps++)
    if (!round_of(run, &d, &again, err)) return false;
  wf_app_compare_u64(run, "rounds", run->supersteps, rounds + 1); /* the last changes nothing */
  return wf_suite_check_u32(run, host, "cost of vertex", d.cost, expected, n, NULL, err);
}

WF_SUITE_APP(hsssp, "shortest paths, after Harish and Narayanan", wf_prefetch_search_options,
             WF_APP_WEIGHTED_GRAPH, hsssp);
