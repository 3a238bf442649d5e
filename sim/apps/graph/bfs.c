/* Breadth-first search on the GPU: scatter only, along out-edges. */
#include <stdlib.h>

#include "sim/apps/graph/bfs_queue.h"
#include "sim/apps/graph/strategy.h"
#include "sim/apps/reference.h"
#include "sim/base/wf_alloc.h"

typedef struct settings {
  wf_app_variant variant; /* first: its rows are shared */
  uint32_t source;
} settings;
static const wf_parameter options[] = {
    WF_APP_GRAPH_OPTIONS(0),
    WF_APP_SCATTER_OPTION,
    WF_APP_FRONTIER_OPTIONS(
        WF_STRATEGY_EDGES, WF_STRATEGY_DIRECTION,
        "; edges, and while the frontier is large each vertex that is not "
        "reached looks for an in-neighbour in it: direction. By one block, queue and visited bits "
        "in its shared memory: block. By a block of each SM, pieces of lists in a segment of each: "
        "segments",
        "block if no list has 64 edges, their mean is at most 12, and there are fewer vertices "
        "than 512; else direction if a tenth of neighbours are far, unless lists lead to lists of "
        "less than half "
        "their length, or the graph is small: a mean of 6, and 4 edges for each thread that the "
        "GPU holds; else block if no list has 64 edges, their mean is at most 12, and a level has "
        "768 at most, or 1792 if no list has 5 edges and their mean is above 3; else segments, but "
        "edges where those would take more than 512 MB; with mff: sim/apps/README.md"),
    WF_APP_SOURCE_OPTION(settings),
    {0}};

typedef struct bfs_device {
  uint64_t out_row, out_col, level, active, next, changed;
} bfs_device;

static bool set_up(wf_app_run *run, bfs_device *d, wf_error *err) {
  const wf_graph *g = run->graph;
  wf_gpu *gpu = run->gpu;
  uint64_t n = g->n_vertices;
  return (d->out_row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "out_row", err)) &&
         (d->out_col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "out_col", err)) &&
         (d->level = wf_app_reserve(gpu, 0xff, n * 4, "level", err));
}

/* One super-step; *changed: whether it visited a vertex. */
static bool step(wf_app_run *run, bfs_device *d, const wf_app_variant *variant, uint32_t level,
                 uint32_t *changed, wf_error *err) {
  uint32_t n = run->graph->n_vertices;
  const void *params[] = {&n,         &d->out_row, &d->out_col, &d->level,
                          &d->active, &d->next,    &d->changed, &level};
  char kernel[64];
  wf_app_scatter_kernel(variant, "bfs", kernel, sizeof kernel);
  if (!wf_app_write_u32(run->gpu, d->changed, 0, err) ||
      !wf_app_mff_bases(run->gpu, variant, d->out_col, 0, d->next, err) ||
      !wf_app_launch(run->gpu, kernel, n, 0, params, sizeof params / sizeof params[0], err) ||
      !wf_app_read_u32(run->gpu, d->changed, changed, err))
    return false;
  uint64_t swap = d->active;
  d->active = d->next;
  d->next = swap;
  return true;
}

static bool over_bits(wf_app_run *run, bfs_device *d, const wf_app_variant *variant,
                      uint32_t source, wf_error *err) {
  const uint64_t words = ((uint64_t)run->graph->n_vertices + 31) / 32;
  uint32_t changed = 1;
  if (!(d->active = wf_app_reserve(run->gpu, 0, words * 4, "active_vertex_list", err)) ||
      !(d->next = wf_app_reserve(run->gpu, 0, words * 4, "active_vertex_list", err)) ||
      !(d->changed = wf_app_reserve(run->gpu, 0, 4, "changed", err)) ||
      !wf_app_write_u32(run->gpu, d->active + source / 32 * 4, 1u << source % 32, err))
    return false;
  for (uint32_t level = 0; changed && (!variant->supersteps || level < variant->supersteps);
       level++) {
    if (!step(run, d, variant, level, &changed, err)) return false;
    if (changed) run->supersteps++;
  }
  return true;
}

static bool search(wf_app_run *run, bfs_device *d, const wf_app_variant *variant,
                   const wf_degrees *degrees, uint32_t source, wf_error *err) {
  switch (variant->strategy) {
  case WF_STRATEGY_QUEUE:
    return wf_bfs_queue(run, variant, source, d->out_row, d->out_col, d->level, err);
  case WF_STRATEGY_EDGES:
  case WF_STRATEGY_DIRECTION:
    return wf_bfs_edges(run, variant, source, d->out_row, d->out_col, d->level, err);
  case WF_STRATEGY_BLOCK:
    return wf_bfs_block(run, variant, degrees, source, d->out_row, d->out_col, d->level, err);
  case WF_STRATEGY_SEGMENTS:
    return wf_bfs_segments(run, variant, degrees, source, d->out_row, d->out_col, d->level, err);
  default:
    return over_bits(run, d, variant, source, err);
  }
}

static bool check(wf_app_run *run, const bfs_device *d, uint32_t source,
                  const wf_app_variant *variant, wf_error *err) {
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices;
  uint32_t *got = wf_calloc(n, sizeof *got), *expected = wf_calloc(n, sizeof *expected);
  wf_ref_csr out = {n, g->out_row, g->out_col, NULL};
  unsigned steps = wf_ref_bfs(&out, source, variant->supersteps, expected);
  bool ok = wf_gpu_read(run->gpu, got, d->level, n * sizeof *got, err);
  if (ok) {
    wf_app_compare_u64(run, "super-steps", run->supersteps, steps);
    wf_app_compare_u32(run, "level of vertex", got, expected, n);
    double reached = 0, edges = 0;
    for (uint32_t v = 0; v < n; v++) {
      if (got[v] == WF_APP_UNREACHED) continue;
      reached++;
      edges += wf_graph_out_degree(g, v);
    }
    wf_app_report(run, "reached", reached);
    wf_app_report(run, "edges_per_cycle", edges / (double)wf_gpu_cycles(run->gpu));
  }
  free(got);
  free(expected);
  return ok;
}

static bool run_bfs(wf_app_run *run, wf_error *err) {
  settings s;
  bfs_device d = {0};
  if (!wf_app_read_options(run, options, &s, err) || !wf_app_source(run, &s.source, err))
    return false;
  wf_app_variant variant = wf_app_variant_of(run->gpu, &s.variant);
  const uint32_t source = s.source;
  const wf_degrees degrees =
      wf_degrees_of(run->graph->out_row, run->graph->out_col, run->graph->n_vertices);
  if (!wf_strategy_choose(run, WF_FAMILY_SEARCH, &variant, &degrees, err) ||
      !wf_app_load_forms(run->gpu, "bfs", &variant, err) || !set_up(run, &d, err))
    return false;
  if (!search(run, &d, &variant, &degrees, source, err)) return false;
  wf_app_report(run, "source", source);
  return check(run, &d, source, &variant, err);
}

const wf_app wf_app_bfs = {"bfs", "breadth-first search along out-edges, scatter with a bit vector",
                           true, options, run_bfs};
