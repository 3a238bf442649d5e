/* Breadth-first search as in Rodinia: level-synchronous, a thread per vertex, byte masks. */
#include "sim/apps/cache/suite.h"
#include "sim/apps/reference.h"

enum { BLOCK = 512 };

typedef struct bfs_device {
  uint64_t nodes, edges, mask, updating, visited, cost, over;
} bfs_device;

static bool set_up(wf_app_run *run, wf_suite_host *host, bfs_device *d, uint32_t source,
                   wf_error *err) {
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices;
  uint32_t *nodes = wf_suite_array(host, 2ull * n, sizeof *nodes);
  for (uint32_t v = 0; v < n; v++) {
    nodes[2 * v] = g->out_row[v];
    nodes[2 * v + 1] = wf_graph_out_degree(g, v);
  }
  wf_gpu *gpu = run->gpu;
  const uint8_t one = 1;
  return (d->nodes = wf_app_upload(gpu, nodes, 8ull * n, "nodes", err)) &&
         (d->edges = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "edges", err)) &&
         (d->mask = wf_app_reserve(gpu, 0, n, "mask", err)) &&
         (d->updating = wf_app_reserve(gpu, 0, n, "updating_mask", err)) &&
         (d->visited = wf_app_reserve(gpu, 0, n, "visited", err)) &&
         (d->cost = wf_app_reserve(gpu, 0xff, 4ull * n, "cost", err)) &&
         (d->over = wf_app_reserve(gpu, 0, 4, "over", err)) &&
         wf_gpu_write(gpu, d->mask + source, &one, 1, err) &&
         wf_gpu_write(gpu, d->visited + source, &one, 1, err) &&
         wf_app_write_u32(gpu, d->cost + 4ull * source, 0, err);
}

static bool level(wf_app_run *run, bfs_device *d, uint32_t *again, wf_error *err) {
  uint32_t n = run->graph->n_vertices;
  wf_suite_shape shape = wf_suite_line(n, BLOCK);
  return wf_app_write_u32(run->gpu, d->over, 0, err) &&
         WF_SUITE_LAUNCH(run, "bfs_rodinia_visit", shape, err, &d->nodes, &d->edges, &d->mask,
                         &d->updating, &d->visited, &d->cost, &n) &&
         WF_SUITE_LAUNCH(run, "bfs_rodinia_update", shape, err, &d->mask, &d->updating, &d->visited,
                         &d->over, &n) &&
         wf_app_read_u32(run->gpu, d->over, again, err);
}

static bool bfs(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  bfs_device d = {0};
  uint32_t source, again = 1;
  if (!wf_suite_search_read(run, &source, err) || !set_up(run, host, &d, source, err)) return false;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= run->graph->n_vertices; run->supersteps++)
    if (!level(run, &d, &again, err)) return false;
  const wf_graph *g = run->graph;
  uint32_t *expected = wf_suite_array(host, g->n_vertices, sizeof *expected);
  wf_ref_csr out = {g->n_vertices, g->out_row, g->out_col, NULL};
  unsigned steps = wf_ref_bfs(&out, source, 0, expected);
  wf_app_compare_u64(run, "levels", run->supersteps, steps);
  return wf_suite_check_u32(run, host, "level of vertex", d.cost, expected, g->n_vertices, NULL,
                            err);
}

WF_SUITE_APP(bfs_rodinia, "breadth-first search with byte masks, as in Rodinia",
             wf_suite_search_options, true, bfs);
