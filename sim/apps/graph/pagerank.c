/* PageRank on the GPU: all vertices in every super-step. V of the gather is the contribution
 * (rank / out-degree), double-buffered. */
#include <stdlib.h>

#include "sim/apps/app_internal.h"
#include "sim/apps/reference.h"
#include "sim/base/wf_alloc.h"

/* Every super-step does the same work, so two of them (the first from a uniform start) stand for
 * all. */
static const wf_parameter options[] = {WF_APP_GRAPH_OPTIONS(2), {0}};

enum { MAX_STEPS = 1000 };
static const float damping = 0.85f, tolerance = 1e-4f;

typedef struct pagerank_device {
  uint64_t in_row, in_col, inv_out, contribution[2], rank, changed;
} pagerank_device;

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

/* One launch. last: also write the ranks. */
static bool step(wf_app_run *run, pagerank_device *d, const wf_app_variant *variant, bool check,
                 bool last, wf_error *err) {
  uint32_t n = run->graph->n_vertices;
  float base = (1.0f - damping) / (float)n;
  uint64_t rank = last ? d->rank : 0, changed = check ? d->changed : 0;
  const void *params[] = {
      &n,    &d->in_row, &d->in_col, &d->inv_out, &d->contribution[0], &d->contribution[1],
      &rank, &changed,   &base,      &damping,    &tolerance};
  char kernel[64];
  wf_app_gather_kernel(variant, "pagerank", kernel, sizeof kernel);
  if (!wf_app_mff_bases(run->gpu, variant, d->in_col, d->contribution[0], 0, err) ||
      !wf_app_launch(run->gpu, kernel, n, variant->shared_bytes, params,
                     sizeof params / sizeof params[0], err))
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

static bool check(wf_app_run *run, const pagerank_device *d, const wf_app_variant *variant,
                  wf_error *err) {
  const wf_graph *g = run->graph;
  uint32_t n = g->n_vertices;
  float *got = wf_calloc(n, sizeof *got), *expected = wf_calloc(n, sizeof *expected);
  wf_ref_csr in = {n, g->in_row, g->in_col, NULL};
  wf_ref_pagerank_setup setup = {damping, tolerance, variant->supersteps, MAX_STEPS};
  unsigned steps = wf_ref_pagerank(&in, g->out_row, &setup, expected);
  bool ok = wf_gpu_read(run->gpu, got, d->rank, n * sizeof *got, err);
  if (ok) {
    wf_app_compare_u64(run, "super-steps", run->supersteps, steps);
    /* Same operations in the same order, none fused: the bits must agree. */
    wf_app_compare_f32(run, "rank of vertex", got, expected, n);
  }
  free(got);
  free(expected);
  return ok;
}

static bool run_pagerank(wf_app_run *run, wf_error *err) {
  wf_app_variant given = {0};
  pagerank_device d = {0};
  if (!wf_app_read_options(run, options, &given, err)) return false;
  const wf_app_variant variant = wf_app_variant_of(run->gpu, &given);
  wf_graph_need_in(run->graph);
  if (!wf_app_load_forms(run->gpu, "pagerank", &variant, err) || !set_up(run, &d, err) ||
      !iterate(run, &d, &variant, err) || !check(run, &d, &variant, err))
    return false;
  wf_app_report(run, "edges_per_cycle",
                (double)run->graph->n_edges * run->supersteps / (double)wf_gpu_cycles(run->gpu));
  return true;
}

const wf_app wf_app_pagerank = {"pagerank", "PageRank over in-edges, all vertices each super-step",
                                true, options, run_pagerank};
