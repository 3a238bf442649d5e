/* Breadth-first search after Harish and Narayanan: level-synchronous, a thread per vertex, two
 * kernels a level. */
#include "sim/apps/prefetch/form.h"
#include "sim/apps/reference.h"

enum { BLOCK = 512 };

typedef struct hbfs_device {
  uint64_t vertices, edges, mask, updating, visited, cost, again;
  wf_prefetch_kernel search;
} hbfs_device;

static bool set_up(wf_app_run *run, hbfs_device *d, uint32_t source, wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  wf_gpu *gpu = run->gpu;
  const uint8_t one = 1;
  return (d->vertices = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "vertices", err)) &&
         (d->edges = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "edges", err)) &&
         (d->mask = wf_app_reserve(gpu, 0, n, "mask", err)) &&
         (d->updating = wf_app_reserve(gpu, 0, n, "updating_mask", err)) &&
         (d->visited = wf_app_reserve(gpu, 0, n, "visited", err)) &&
         (d->cost = wf_app_reserve(gpu, 0xff, n * 4, "cost", err)) &&
         (d->again = wf_app_reserve(gpu, 0, 4, "again", err)) &&
         wf_gpu_write(gpu, d->mask + source, &one, 1, err) &&
         wf_gpu_write(gpu, d->visited + source, &one, 1, err) &&
         wf_app_write_u32(gpu, d->cost + 4ull * source, 0, err);
}

static bool level(wf_app_run *run, const hbfs_device *d, uint32_t *again, wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  return wf_app_write_u32(run->gpu, d->again, 0, err) &&
         WF_PREFETCH_LAUNCH(run, &d->search, n, err, &d->vertices, &d->edges, &d->mask,
                            &d->updating, &d->visited, &d->cost, &n) &&
         WF_SUITE_LAUNCH(run, "hbfs_kernel2", shape, err, &d->mask, &d->updating, &d->visited,
                         &d->again, &n) &&
         wf_app_read_u32(run->gpu, d->again, again, err);
}

static bool hbfs(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  hbfs_device d = {0};
  wf_prefetch_search s;
  uint32_t again = 1;
  if (!wf_prefetch_search_read(run, &s, err) || !set_up(run, &d, s.search.source, err))
    return false;
  d.search = wf_prefetch_kernel_of(s.form, "hbfs_kernel1", BLOCK);
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= run->graph->n_vertices; run->supersteps++)
    if (!level(run, &d, &again, err)) return false;
  const wf_graph *g = run->graph;
  uint32_t *expected = wf_suite_array(host, g->n_vertices, sizeof *expected);
  const wf_ref_csr out = {g->n_vertices, g->out_row, g->out_col, NULL};
  wf_app_compare_u64(run, "levels", run->supersteps,
                     wf_ref_bfs(&out, s.search.source, 0, expected));
  return wf_suite_check_u32(run, host, "level of vertex", d.cost, expected, g->n_vertices, NULL,
                            err);
}

WF_SUITE_APP(hbfs, "breadth-first search, after Harish and Narayanan", wf_prefetch_search_options,
             true, hbfs);
