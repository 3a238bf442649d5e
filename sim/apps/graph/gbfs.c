/* Breadth-first search in the textbooks' forms: hbfs and lsbfs lend their kernels. */
#include <stdio.h>

#include "sim/apps/graph/driven.h"
#include "sim/apps/prefetch/lsrelax.h"
#include "sim/apps/reference.h"

enum { BLOCK = 256 };

static const char *const loops[] = {"plain", "swp",      "swpnc",     "unr2",
                                    "unr3",  "unr2_swp", "unr2_swpnc"};
typedef struct settings {
  wf_driven_search search; /* first: its rows are shared */
  unsigned loop;
} settings;
static const wf_parameter options[] = {
    WF_DRIVEN_SEARCH_OPTIONS,
    WF_APP_CHOICE(settings, loop, loops, 0,
                  "strategy thread: unrN: so many edges a turn; swp: the next turn's loaded ahead, "
                  "if there is one; swpnc: without that test, the last turn apart"),
    {0}};

typedef struct search {
  wf_app_run *run;
  const wf_driven_search *s;
  unsigned loop;
  wf_frontier frontier;                                    /* of strategy queue */
  uint64_t queued;                                         /* sum of frontiers */
  uint64_t row, col, cost, mask, updating, visited, again; /* device */
} search;

static bool set_up(search *b, wf_error *err) {
  const wf_graph *g = b->run->graph;
  const uint32_t source = b->s->source;
  const uint64_t n = g->n_vertices;
  const uint8_t one = 1;
  wf_gpu *gpu = b->run->gpu;
  if (!(b->row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) ||
      !(b->col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(b->cost = wf_app_reserve(gpu, 0xff, n * 4, "cost", err)) ||
      !wf_app_write_u32(gpu, b->cost + 4ull * source, 0, err))
    return false;
  if (b->s->form.strategy == WF_DRIVEN_QUEUE)
    return wf_frontier_create(&b->frontier, gpu, g->n_vertices, &source, 1, b->s->form.queue, err);
  return (b->mask = wf_app_reserve(gpu, 0, n, "mask", err)) &&
         (b->updating = wf_app_reserve(gpu, 0, n, "updating_mask", err)) &&
         (b->visited = wf_app_reserve(gpu, 0, n, "visited", err)) &&
         (b->again = wf_app_reserve(gpu, 0, 4, "again", err)) &&
         wf_gpu_write(gpu, b->mask + source, &one, 1, err) &&
         wf_gpu_write(gpu, b->visited + source, &one, 1, err);
}

/* *left: whether it reached a vertex. */
static bool level_over_flags(search *b, uint32_t *left, wf_error *err) {
  const uint32_t n = b->run->graph->n_vertices;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  char thread[32], kernel[32];
  snprintf(thread, sizeof thread, "%s%s", b->loop ? "gbfs_" : "hbfs_kernel1",
           b->loop ? loops[b->loop] : "");
  wf_driven_kernel(&b->s->form, "gbfs", thread, kernel, sizeof kernel);
  return wf_app_write_u32(b->run->gpu, b->again, 0, err) &&
         WF_SUITE_LAUNCH(b->run, kernel, shape, err, &b->row, &b->col, &b->mask, &b->updating,
                         &b->visited, &b->cost, &n) &&
         WF_SUITE_LAUNCH(b->run, "hbfs_kernel2", shape, err, &b->mask, &b->updating, &b->visited,
                         &b->again, &n) &&
         wf_app_read_u32(b->run->gpu, b->again, left, err);
}

static bool level_over_queue(search *b, uint32_t *left, wf_error *err) {
  enum { PARAMS = 6 };
  const uint32_t level = b->run->supersteps + 1;
  wf_frontier *f = &b->frontier;
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {&f->count, &f->ids,  &b->row,
                                                     &b->col,   &b->cost, &level};
  b->queued += f->count;
  const bool ok = wf_frontier_advance(f, "gbfs_queue", f->count, params, PARAMS, err);
  *left = f->count;
  return ok;
}

static bool gbfs(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings all;
  const wf_driven_search *s = &all.search;
  uint32_t left = 1;
  if (!wf_driven_search_begin(run, options, &all, "hbfs", "lsbfs", err)) return false;
  search b = {.run = run, .s = s, .loop = all.loop};
  if (s->form.strategy == WF_DRIVEN_UNROLL)
    return wf_lsrelax(run, host, "lsbfs_drelax", false, err);
  if (!set_up(&b, err)) return false;
  const wf_graph *g = run->graph;
  const bool queue = s->form.strategy == WF_DRIVEN_QUEUE;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; left && run->supersteps <= g->n_vertices; run->supersteps++)
    if (!(queue ? level_over_queue : level_over_flags)(&b, &left, err)) return false;
  uint32_t *expected = wf_suite_array(host, g->n_vertices, sizeof *expected);
  const wf_ref_csr out = {g->n_vertices, g->out_row, g->out_col, NULL};
  wf_app_compare_u64(run, "levels", run->supersteps, wf_ref_bfs(&out, s->source, 0, expected));
  uint64_t reached = 0;
  for (uint32_t v = 0; v < g->n_vertices; v++) reached += expected[v] != WF_REF_UNREACHED;
  if (queue) wf_app_compare_u64(run, "vertices queued", b.queued, reached);
  return wf_suite_check_u32(run, host, "level of vertex", b.cost, expected, g->n_vertices, NULL,
                            err);
}

WF_SUITE_APP(gbfs, "breadth-first search an edge at a time, by strategies", options, true, gbfs);
