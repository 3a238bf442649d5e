/* SSSP and WCC on the GPU: per super-step a gather and a commit kernel (relax.cuh). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/apps/graph/relax_queue.h"
#include "sim/apps/graph/strategy.h"
#include "sim/apps/reference.h"
#include "sim/base/wf_alloc.h"

typedef struct settings {
  wf_app_variant variant; /* first: its rows are shared */
  uint32_t source;        /* of sssp */
} settings;
static const wf_parameter sssp_options[] = {
    WF_APP_GRAPH_OPTIONS(0),
    WF_APP_SCATTER_OPTION,
    WF_APP_FRONTIER_OPTIONS(WF_STRATEGY_EDGES, WF_STRATEGY_SEGMENTS,
                            ", and near vertices first from a step on that has "
                            "an edge for each thread that the GPU holds, if the graph has 8, with "
                            "a list of 64 edges 32. The nearest vertices first: by one block, "
                            "values and queue in its shared memory: block; by a block of each SM, "
                            "some lanes a list: segments",
                            "block if no list has 64 edges, and there are fewer vertices than 512, "
                            "or less than a tenth of neighbours are far and a level has at most "
                            "550 edges; else segments if they fit, but edges if a list has 64 and "
                            "less than a tenth are far, or a list has 512 and the graph less than "
                            "15 edges for each thread that the GPU holds, unless lists lead "
                            "to lists of less than half their length; edges with "
                            "app.supersteps"),
    WF_APP_SOURCE_OPTION(settings),
    {0}};
static const wf_parameter wcc_options[] = {
    WF_APP_GRAPH_OPTIONS(0),
    WF_APP_SCATTER_OPTION,
    WF_APP_FRONTIER_OPTIONS(WF_STRATEGY_HOOK, WF_STRATEGY_QUEUE,
                            "; not by labels that spread, but by trees that are hooked together: "
                            "hook",
                            "hook; edges with app.supersteps"),
    {0}};

typedef struct relax_run {
  wf_relax_task task;
  wf_relax_push *pushes; /* of strategies over a frontier; NULL */
  wf_ref_csr in;
  uint64_t in_row, in_col, in_weight, out_row, out_col; /* device */
  uint64_t value, update, active, next, changed;
} relax_run;

static bool upload_csr(wf_gpu *gpu, const wf_ref_csr *csr, uint64_t *row, uint64_t *col,
                       wf_error *err) {
  return (*row = wf_app_upload(gpu, csr->row, ((uint64_t)csr->n + 1) * 4, "row", err)) &&
         (*col = wf_app_upload(gpu, csr->col, (uint64_t)csr->row[csr->n] * 4, "col", err));
}

/* value and update: n words each; bits: the first active_vertex_list. */
static bool set_up(relax_run *r, const uint32_t *value, const uint32_t *update,
                   const uint32_t *bits, wf_error *err) {
  wf_gpu *gpu = r->task.run->gpu;
  uint64_t n = r->in.n, words = (n + 31) / 32;
  if (!upload_csr(gpu, &r->in, &r->in_row, &r->in_col, err)) return false;
  if (r->in.row == r->task.out.row) {
    r->out_row = r->in_row;
    r->out_col = r->in_col;
  } else if (!upload_csr(gpu, &r->task.out, &r->out_row, &r->out_col, err)) {
    return false;
  }
  if (r->in.weight &&
      !(r->in_weight = wf_app_upload(gpu, r->in.weight, (uint64_t)r->in.row[n] * 4, "weight", err)))
    return false;
  return (r->value = wf_app_upload(gpu, value, n * 4, "value", err)) &&
         (r->update = wf_app_upload(gpu, update, n * 4, "update", err)) &&
         (r->active = wf_app_upload(gpu, bits, words * 4, "active_vertex_list", err)) &&
         (r->next = wf_app_reserve(gpu, 0, words * 4, "active_vertex_list", err)) &&
         (r->changed = wf_app_reserve(gpu, 0, 4, "changed", err));
}

static bool gather(relax_run *r, wf_error *err) {
  uint32_t n = r->in.n;
  const void *params[] = {&n,        &r->in_row, &r->in_col, &r->in_weight,
                          &r->value, &r->update, &r->active};
  char prefix[32], kernel[64];
  snprintf(prefix, sizeof prefix, "%s_gather", r->task.name);
  wf_app_gather_kernel(&r->task.variant, prefix, kernel, sizeof kernel);
  return wf_app_mff_bases(r->task.run->gpu, &r->task.variant, r->in_col, r->value, 0, err) &&
         wf_app_launch(r->task.run->gpu, kernel, n, r->task.variant.shared_bytes, params,
                       sizeof params / sizeof params[0], err);
}

/* *changed: whether a vertex improved. */
static bool commit(relax_run *r, uint32_t *changed, wf_error *err) {
  uint32_t n = r->in.n;
  const void *params[] = {&n,         &r->out_row, &r->out_col, &r->value,
                          &r->update, &r->active,  &r->next,    &r->changed};
  char prefix[32], kernel[64];
  snprintf(prefix, sizeof prefix, "%s_commit", r->task.name);
  wf_app_scatter_kernel(&r->task.variant, prefix, kernel, sizeof kernel);
  if (!wf_app_write_u32(r->task.run->gpu, r->changed, 0, err) ||
      !wf_app_mff_bases(r->task.run->gpu, &r->task.variant, r->out_col, 0, r->next, err) ||
      !wf_app_launch(r->task.run->gpu, kernel, n, 0, params, sizeof params / sizeof params[0],
                     err) ||
      !wf_app_read_u32(r->task.run->gpu, r->changed, changed, err))
    return false;
  uint64_t swap = r->active;
  r->active = r->next;
  r->next = swap;
  return true;
}

static bool iterate(relax_run *r, wf_error *err) {
  uint32_t changed = 1;
  unsigned bound = r->task.variant.supersteps;
  for (unsigned i = 0; changed && (!bound || i < bound); i++) {
    if (!gather(r, err) || !commit(r, &changed, err)) return false;
    if (changed) r->task.run->supersteps++;
  }
  return true;
}

static bool compare(relax_run *r, const char *what, const uint32_t *expected, unsigned rounds,
                    wf_error *err) {
  uint32_t n = r->in.n;
  uint32_t *got = wf_calloc(n, sizeof *got);
  bool ok = wf_gpu_read(r->task.run->gpu, got, r->value, (uint64_t)n * sizeof *got, err);
  if (ok) {
    const unsigned by = r->task.variant.strategy;
    if (r->task.variant.supersteps || (by != WF_STRATEGY_EDGES && by != WF_STRATEGY_HOOK &&
                                       by != WF_STRATEGY_BLOCK && by != WF_STRATEGY_SEGMENTS))
      wf_app_compare_u64(r->task.run, "super-steps that changed a value", r->task.run->supersteps,
                         rounds);
    wf_app_compare_u32(r->task.run, what, got, expected, n);
  }
  free(got);
  return ok;
}

static bool choose(relax_run *r, wf_strategy_family family, const wf_graph *g, wf_error *err) {
  r->task.degrees = wf_degrees_of(g->out_row, g->out_col, g->n_vertices);
  if (!wf_strategy_choose(r->task.run, family, &r->task.variant, &r->task.degrees, err))
    return false;
  if (r->task.variant.strategy == WF_STRATEGY_HOOK) r->pushes = wf_relax_hook;
  if (r->task.variant.strategy == WF_STRATEGY_QUEUE) r->pushes = wf_relax_queue;
  if (r->task.variant.strategy == WF_STRATEGY_EDGES) r->pushes = wf_relax_edges;
  if (r->task.variant.strategy == WF_STRATEGY_BLOCK) r->pushes = wf_relax_block;
  if (r->task.variant.strategy == WF_STRATEGY_SEGMENTS) r->pushes = wf_relax_segments;
  return wf_app_load_forms(r->task.run->gpu, r->task.name, &r->task.variant, err);
}

static bool sssp_on_device(relax_run *r, uint32_t source, uint32_t *scratch, wf_error *err) {
  uint32_t n = r->in.n, changed;
  memset(scratch, 0xff, (size_t)n * sizeof *scratch);
  if (r->pushes) {
    scratch[source] = 0;
    return r->pushes(&r->task, scratch, &source, 1, &r->value, err);
  }
  uint32_t *bits = wf_calloc((n + 31) / 32, sizeof *bits);
  bits[source / 32] = 1u << source % 32;
  uint32_t *update = wf_calloc(n, sizeof *update);
  bool ok = set_up(r, scratch, update, bits, err);
  free(bits);
  free(update);
  /* update[source] is 0: committing it gives the source its distance and activates its neighbours.
   */
  return ok && commit(r, &changed, err) && iterate(r, err);
}

static bool run_sssp(wf_app_run *run, wf_error *err) {
  relax_run r = {.task.run = run, .task.name = "sssp"};
  wf_graph *g = run->graph;
  settings s = {.variant.lanes = WF_APP_LAST(wf_app_lanes)};
  if (!wf_app_read_options(run, sssp_options, &s, err) || !wf_app_source(run, &s.source, err))
    return false;
  const uint32_t source = s.source;
  r.task.variant = wf_app_variant_of(run->gpu, &s.variant);
  if (!choose(&r, WF_FAMILY_PATHS, g, err)) return false;
  if (!wf_graph_need_weights(g, run->seed, err)) return false;
  wf_graph_need_in(g);
  r.in = (wf_ref_csr){g->n_vertices, g->in_row, g->in_col, g->in_weight};
  r.task.out = (wf_ref_csr){g->n_vertices, g->out_row, g->out_col, g->out_weight};
  uint32_t *expected = wf_calloc(g->n_vertices, sizeof *expected);
  uint32_t *scratch = wf_calloc(g->n_vertices, sizeof *scratch);
  unsigned rounds; /* the reference first: it refuses distances beyond 32 bits */
  bool ok =
      wf_ref_sssp(&r.in, &r.task.out, source, r.task.variant.supersteps, expected, &rounds, err) &&
      sssp_on_device(&r, source, scratch, err) &&
      compare(&r, "distance of vertex", expected, rounds, err);
  free(expected);
  free(scratch);
  wf_app_report(run, "source", source);
  return ok;
}

static bool wcc_on_device(relax_run *r, uint32_t *labels, wf_error *err) {
  uint32_t n = r->in.n, words = (n + 31) / 32;
  uint32_t *bits = wf_calloc(words, sizeof *bits);
  for (uint32_t v = 0; v < n; v++) {
    labels[v] = v;
    bits[v / 32] |= 1u << v % 32;
  }
  bool ok = r->pushes ? r->pushes(&r->task, labels, labels, n, &r->value, err)
                      : set_up(r, labels, labels, bits, err) && iterate(r, err);
  free(bits);
  return ok;
}

static double count_components(const uint32_t *label, uint32_t n) {
  double components = 0;
  for (uint32_t v = 0; v < n; v++) components += label[v] == v;
  return components;
}

/* The caller's graph stays as it is: the symmetrised one is a copy. */
static wf_graph *symmetric_copy(const wf_graph *g, wf_error *err) {
  uint32_t *tail = wf_calloc(g->n_edges, sizeof *tail);
  for (uint32_t v = 0; v < g->n_vertices; v++)
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) tail[e] = v;
  wf_graph *copy =
      wf_graph_from_arcs(g->name, g->n_vertices, g->n_edges, tail, g->out_col, NULL, false, err);
  free(tail);
  if (!copy || wf_graph_make_symmetric(copy, err)) return copy;
  wf_graph_destroy(copy);
  return NULL;
}

static bool run_wcc(wf_app_run *run, wf_error *err) {
  relax_run r = {.task.run = run, .task.name = "wcc"};
  settings s = {.variant.lanes = WF_APP_LAST(wf_app_lanes)};
  if (!wf_app_read_options(run, wcc_options, &s, err)) return false;
  r.task.variant = wf_app_variant_of(run->gpu, &s.variant);
  wf_graph *made = run->graph->symmetric ? NULL : symmetric_copy(run->graph, err);
  if (!made && !run->graph->symmetric) return false;
  const wf_graph *g = made ? made : run->graph;
  if (!choose(&r, WF_FAMILY_COMPONENTS, g, err)) {
    wf_graph_destroy(made);
    return false;
  }
  r.in = r.task.out = (wf_ref_csr){g->n_vertices, g->out_row, g->out_col, NULL};
  uint32_t *expected = wf_calloc(g->n_vertices, sizeof *expected);
  bool ok = wcc_on_device(&r, expected, err);
  if (ok) {
    unsigned rounds = wf_ref_wcc(&r.in, r.task.variant.supersteps, expected);
    ok = compare(&r, "label of vertex", expected, rounds, err);
    if (!r.task.variant.supersteps)
      wf_app_report(run, "components", count_components(expected, g->n_vertices));
  }
  free(expected);
  wf_graph_destroy(made);
  return ok;
}

const wf_app wf_app_sssp = {"sssp", "single-source shortest paths, gather of distances and scatter",
                            WF_APP_WEIGHTED_GRAPH, sssp_options, run_sssp};
const wf_app wf_app_wcc = {"wcc", "weakly connected components, gather of labels and scatter", true,
                           wcc_options, run_wcc};
