/* Shortest paths in the textbooks' forms: hsssp and lssssp lend their kernels. */
#include "sim/apps/graph/driven.h"
#include "sim/apps/prefetch/lsrelax.h"
#include "sim/apps/reference.h"

enum { BLOCK = 256 };

enum { WALK_ONE, WALK_NEAR, WALK_FAR };
static const char *const walks[] = {"one", "near", "far"};
static const char *const queue_kernels[] = {"gsssp_queue", "gsssp_queue_near", "gsssp_queue_far"};

typedef struct settings {
  wf_driven_search search; /* first: its rows are shared */
  unsigned walk;
} settings;
static const wf_parameter options[] = {
    WF_DRIVEN_SEARCH_OPTIONS,
    WF_APP_CHOICE(settings, walk, walks, WALK_ONE,
                  "strategy queue: a list's edges one after the other, four at once through the L1 "
                  "(near), or past it (far)"),
    {0}};

typedef struct search {
  wf_app_run *run;
  const wf_driven_search *s;
  unsigned walk;
  wf_frontier frontier;                                        /* of strategy queue */
  uint64_t row, col, weight, mask, cost, updating_cost, again; /* device */
} search;

static bool set_up(search *b, wf_error *err) {
  const wf_graph *g = b->run->graph;
  const uint32_t source = b->s->source;
  const uint64_t n = g->n_vertices;
  const uint8_t one = 1;
  wf_gpu *gpu = b->run->gpu;
  if (!(b->row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) ||
      !(b->col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(b->weight = wf_app_upload(gpu, g->out_weight, g->n_edges * 4, "weight", err)) ||
      !(b->cost = wf_app_reserve(gpu, 0xff, n * 4, "cost", err)) ||
      !(b->updating_cost = wf_app_reserve(gpu, 0xff, n * 4, "updating_cost", err)) ||
      !wf_app_write_u32(gpu, b->cost + 4ull * source, 0, err) ||
      !wf_app_write_u32(gpu, b->updating_cost + 4ull * source, 0, err))
    return false;
  if (b->s->form.strategy == WF_DRIVEN_QUEUE)
    return wf_frontier_create(&b->frontier, gpu, g->n_vertices, &source, 1, b->s->form.queue, err);
  return (b->mask = wf_app_reserve(gpu, 0, n, "mask", err)) &&
         (b->again = wf_app_reserve(gpu, 0, 4, "again", err)) &&
         wf_gpu_write(gpu, b->mask + source, &one, 1, err);
}

/* *left: whether a cost fell. */
static bool round_over_flags(search *b, uint32_t *left, wf_error *err) {
  const uint32_t n = b->run->graph->n_vertices;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  char kernel[32];
  wf_driven_kernel(&b->s->form, "gsssp", "hsssp_kernel1", kernel, sizeof kernel);
  return wf_app_write_u32(b->run->gpu, b->again, 0, err) &&
         WF_SUITE_LAUNCH(b->run, kernel, shape, err, &b->row, &b->col, &b->weight, &b->mask,
                         &b->cost, &b->updating_cost, &n) &&
         WF_SUITE_LAUNCH(b->run, "hsssp_kernel2", shape, err, &b->mask, &b->cost, &b->updating_cost,
                         &b->again, &n) &&
         wf_app_read_u32(b->run->gpu, b->again, left, err);
}

static bool round_over_queue(search *b, uint32_t *left, wf_error *err) {
  enum { PARAMS = 3 };
  const uint32_t n = b->run->graph->n_vertices;
  wf_frontier *f = &b->frontier;
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {&n, &b->cost, &b->updating_cost};
  const bool ok = WF_SUITE_LAUNCH(b->run, queue_kernels[b->walk], wf_suite_line(f->count, BLOCK),
                                  err, &f->count, &f->ids, &b->row, &b->col, &b->weight, &b->cost,
                                  &b->updating_cost) &&
                  wf_frontier_advance(f, "gsssp_next", n, params, PARAMS, err);
  *left = f->count;
  return ok;
}

static bool gsssp(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings set;
  const wf_driven_search *s = &set.search;
  uint32_t left = 1;
  unsigned rounds;
  if (!wf_driven_search_begin(run, options, &set, "hsssp", "lssssp", err)) return false;
  if (set.walk != WALK_ONE && s->form.strategy != WF_DRIVEN_QUEUE)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--set app.walk=%s: only strategy queue has that",
                   walks[set.walk]);
  search b = {.run = run, .s = s, .walk = set.walk};
  if (s->form.strategy == WF_DRIVEN_UNROLL)
    return wf_lsrelax(run, host, "lssssp_drelax", true, err);
  if (!wf_graph_need_weights(run->graph, run->seed, err)) return false;
  wf_graph_need_in(run->graph);
  const wf_graph *g = run->graph;
  const uint32_t n = g->n_vertices;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  const wf_ref_csr in = {n, g->in_row, g->in_col, g->in_weight},
                   out = {n, g->out_row, g->out_col, g->out_weight};
  if (!wf_ref_sssp(&in, &out, s->source, 0, expected, &rounds, err) || !set_up(&b, err))
    return false;
  const bool queue = s->form.strategy == WF_DRIVEN_QUEUE;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; left && run->supersteps <= n; run->supersteps++)
    if (!(queue ? round_over_queue : round_over_flags)(&b, &left, err)) return false;
  wf_app_compare_u64(run, "rounds", run->supersteps, rounds + 1); /* the last changes nothing */
  return wf_suite_check_u32(run, host, "cost of vertex", b.cost, expected, n, NULL, err);
}

WF_SUITE_APP(gsssp, "shortest paths an edge at a time, by strategies", options,
             WF_APP_WEIGHTED_GRAPH, gsssp);
