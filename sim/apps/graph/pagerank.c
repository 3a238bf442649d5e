/* PageRank on the GPU: all vertices in every super-step. V of the gather is the contribution
 * (rank / out-degree), double-buffered. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/apps/graph/strategy.h"
#include "sim/apps/reference.h"
#include "sim/base/wf_alloc.h"

/* PageRank's are not side by side among all strategies: as an option, one is its word's index. */
static const char *const words[] = {"auto", "edges", "thread", "warp", "bins", "kept"};
static const unsigned strategy_of_word[] = {WF_STRATEGY_AUTO, WF_STRATEGY_EDGES, WF_STRATEGY_THREAD,
                                            WF_STRATEGY_WARP, WF_STRATEGY_BINS,  WF_STRATEGY_KEPT};
/* Every super-step does the same work, so two of them (the first from a uniform start) stand for
 * all. */
static const wf_parameter options[] = {
    WF_APP_GRAPH_OPTIONS(2),
    WF_APP_CHOICE(
        wf_app_variant, strategy, words, 0,
        "who walks a vertex's list: its thread; app.lanes lanes (warp); by its length a thread, a "
        "warp from 32 edges, a block from 1024 (bins); thread or warp of a block in each SM, which "
        "keeps the first contributions in shared memory (kept); or blocks with equal shares of all "
        "lists' edges (edges: merge path). auto: by the lists' lengths, and where neighbours lie "
        "(sim/apps/README.md); the result says what it took"),
    WF_APP_CHOICE(wf_app_variant, lanes, wf_app_lanes, 3, "lanes a vertex in strategy warp"),
    {0}};

enum { MAX_STEPS = 1000 };
static const float damping = 0.85f, tolerance = 1e-4f;

typedef struct pagerank_device {
  uint64_t in_row, in_col, inv_out, contribution[2], rank, changed;
  uint32_t tiles; /* of strategy edges */
  uint64_t tile_list, tile_head, tile_tail;
  uint64_t next; /* vertex, of strategy kept */
} pagerank_device;

static bool set_up_strategy(wf_app_run *run, pagerank_device *d, const wf_app_variant *variant,
                            wf_error *err) {
  if (variant->strategy == WF_STRATEGY_KEPT)
    return (d->next = wf_app_reserve(run->gpu, 0, 4, "next", err)) != 0;
  if (variant->strategy != WF_STRATEGY_EDGES) return true;
  if (!wf_strategy_tiles(run, run->graph->in_row, &d->tiles, err)) return false;
  const uint64_t bytes = (uint64_t)d->tiles * 4;
  return (d->tile_list = wf_app_reserve(run->gpu, 0, bytes + 4, "tile_list", err)) &&
         (d->tile_head = wf_app_reserve(run->gpu, 0, bytes, "tile_head", err)) &&
         (d->tile_tail = wf_app_reserve(run->gpu, 0, bytes, "tile_tail", err));
}

static bool set_up(wf_app_run *run, pagerank_device *d, wf_error *err) {
  const wf_graph *g = run->graph;
  uint64_t n = g->n_vertices, bytes = n * sizeof(float);
  float *inv_out = wf_calloc(n, sizeof *inv_out), *first = wf_calloc(n, sizeof *first);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t degree = wf_graph_out_degree(g, v);
    inv_out[v] = degree ? 1.0f / (float)degree : 0.0f;
    first[v] = 1.0f / (float)n * inv_out[v];
  }
  wf_gpu *gpu = run->gpu;
  bool ok = (d->in_row = wf_app_upload(gpu, g->in_row, (n + 1) * 4, "in_row", err)) &&
            (d->in_col = wf_app_upload(gpu, g->in_col, g->n_edges * 4, "in_col", err)) &&
            (d->inv_out = wf_app_upload(gpu, inv_out, bytes, "inv_out_degree", err)) &&
            (d->contribution[0] = wf_app_upload(gpu, first, bytes, "contribution", err)) &&
            (d->contribution[1] = wf_app_reserve(gpu, 0, bytes, "contribution", err)) &&
            (d->rank = wf_app_reserve(gpu, 0, bytes, "rank", err)) &&
            (d->changed = wf_app_reserve(gpu, 0, 4, "changed", err));
  free(inv_out);
  free(first);
  return ok;
}

/* params: of the step; room behind them for the strategy's own. */
static bool launch(wf_app_run *run, pagerank_device *d, const wf_app_variant *variant,
                   const void **params, unsigned n_params, wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  char kernel[64];
  wf_app_gather_kernel(variant, "pagerank", kernel, sizeof kernel);
  if (variant->strategy == WF_STRATEGY_KEPT) {
    params[n_params++] = &d->next;
    return wf_app_write_u32(run->gpu, d->next, 0, err) &&
           wf_app_launch_blocks(run->gpu, kernel, wf_gpu_get_config(run->gpu)->n_sm,
                                WF_KEPT_THREADS, 0, params, n_params, err);
  }
  if (variant->strategy != WF_STRATEGY_EDGES)
    return wf_app_launch(run->gpu, kernel, wf_strategy_threads(variant, n), variant->shared_bytes,
                         params, n_params, err);
  params[n_params++] = &d->tile_list;
  params[n_params++] = &d->tile_head;
  params[n_params++] = &d->tile_tail;
  if (!wf_app_launch_blocks(run->gpu, kernel, d->tiles, WF_TILE_THREADS, 0, params, n_params, err))
    return false;
  params[n_params++] = &d->tiles;
  return wf_app_launch(run->gpu, "pagerank_edges_end", d->tiles, 0, params, n_params, err);
}

/* last: also write the ranks. */
static bool step(wf_app_run *run, pagerank_device *d, const wf_app_variant *variant, bool check,
                 bool last, wf_error *err) {
  enum { PARAMS = 11, STRATEGY_PARAMS = 4 };
  uint32_t n = run->graph->n_vertices;
  float base = (1.0f - damping) / (float)n;
  uint64_t rank = last ? d->rank : 0, changed = check ? d->changed : 0;
  const void *params[PARAMS + STRATEGY_PARAMS] = {
      &n,    &d->in_row, &d->in_col, &d->inv_out, &d->contribution[0], &d->contribution[1],
      &rank, &changed,   &base,      &damping,    &tolerance};
  if (!wf_app_mff_bases(run->gpu, variant, d->in_col, d->contribution[0], 0, err) ||
      !launch(run, d, variant, params, PARAMS, err))
    return false;
  uint64_t swap = d->contribution[0];
  d->contribution[0] = d->contribution[1];
  d->contribution[1] = swap;
  run->supersteps++;
  return true;
}

/* To convergence the ranks are written in every step, since none knows that it is the last. */
static bool iterate(wf_app_run *run, pagerank_device *d, const wf_app_variant *variant,
                    wf_error *err) {
  bool bounded = variant->supersteps > 0;
  unsigned limit = bounded ? variant->supersteps : MAX_STEPS;
  for (unsigned i = 0; i < limit; i++) {
    uint32_t changed = 1;
    if (!bounded && !wf_app_write_u32(run->gpu, d->changed, 0, err)) return false;
    if (!step(run, d, variant, !bounded, !bounded || i + 1 == limit, err)) return false;
    if (!bounded && !wf_app_read_u32(run->gpu, d->changed, &changed, err)) return false;
    if (!changed) break;
  }
  return true;
}

static uint32_t chain_of(const void *variant, uint32_t n) {
  return wf_strategy_chain(variant, n);
}

/* Sums in another order: within what rounding can make of them. */
static void compare_sums(wf_app_run *run, const wf_app_variant *variant, const float *got) {
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices;
  double *expected = wf_calloc(n, sizeof *expected), *bound = wf_calloc(n, sizeof *bound);
  wf_ref_csr in = {n, g->in_row, g->in_col, NULL};
  wf_ref_pagerank_setup setup = {damping, tolerance, variant->supersteps, MAX_STEPS};
  bool stops = wf_ref_pagerank_bound(&in, g->out_row, &setup, run->supersteps, chain_of, variant,
                                     expected, bound);
  if (!variant->supersteps) wf_app_compare_u64(run, "stops where nothing moves", stops, true);
  wf_app_compare_within(run, "rank of vertex", got, expected, bound, n);
  free(expected);
  free(bound);
}

/* Same operations in the same order, none fused: the bits must agree. */
static void compare_bits(wf_app_run *run, const wf_app_variant *variant, const float *got) {
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices;
  float *expected = wf_calloc(n, sizeof *expected);
  wf_ref_csr in = {n, g->in_row, g->in_col, NULL};
  wf_ref_pagerank_setup setup = {damping, tolerance, variant->supersteps, MAX_STEPS};
  unsigned steps = wf_ref_pagerank(&in, g->out_row, &setup, expected);
  wf_app_compare_u64(run, "super-steps", run->supersteps, steps);
  wf_app_compare_f32(run, "rank of vertex", got, expected, n);
  free(expected);
}

static bool check(wf_app_run *run, const pagerank_device *d, const wf_app_variant *variant,
                  wf_error *err) {
  uint32_t n = run->graph->n_vertices;
  float *got = wf_calloc(n, sizeof *got);
  bool ok = wf_gpu_read(run->gpu, got, d->rank, n * sizeof *got, err);
  if (ok)
    (variant->strategy == WF_STRATEGY_THREAD ? compare_bits : compare_sums)(run, variant, got);
  free(got);
  return ok;
}

static bool run_pagerank(wf_app_run *run, wf_error *err) {
  wf_app_variant given = {0};
  pagerank_device d = {0};
  if (!wf_app_read_options(run, options, &given, err)) return false;
  given.strategy = strategy_of_word[given.strategy];
  wf_app_variant variant = wf_app_variant_of(run->gpu, &given);
  wf_graph_need_in(run->graph);
  const wf_degrees degrees =
      wf_degrees_of(run->graph->in_row, run->graph->in_col, run->graph->n_vertices);
  if (!wf_strategy_choose(run, WF_FAMILY_SUMS, &variant, &degrees, err) ||
      !wf_app_load_forms(run->gpu, "pagerank", &variant, err) || !set_up(run, &d, err) ||
      !set_up_strategy(run, &d, &variant, err) || !iterate(run, &d, &variant, err) ||
      !check(run, &d, &variant, err))
    return false;
  wf_app_report(run, "edges_per_cycle",
                (double)run->graph->n_edges * run->supersteps / (double)wf_gpu_cycles(run->gpu));
  return true;
}

const wf_app wf_app_pagerank = {"pagerank", "PageRank over in-edges, all vertices each super-step",
                                true, options, run_pagerank};
