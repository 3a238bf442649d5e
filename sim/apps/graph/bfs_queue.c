/* Breadth-first search over a queue, a step's frontier after the other. Strategy direction: while
 * the frontier is large, vertices that are not visited look for a neighbour in it instead (Beamer,
 * Asanovic and Patterson, SC 2012, with its alpha and beta). */
#include "sim/apps/graph/bfs_queue.h"

#include "sim/apps/graph/frontier.h"

enum { ALPHA = 14, BETA = 24 };

typedef struct search {
  wf_app_run *run;
  const wf_app_variant *variant;
  wf_frontier frontier;
  uint64_t out_row, out_col, level, visited;    /* device */
  uint64_t in_row, in_col, active, next, edges; /* device, of strategy direction */
  uint64_t edges_left;                          /* out-edges of vertices not visited */
  uint32_t frontier_edges;
  bool pulls;
} search;

static bool set_up(search *s, uint32_t source, wf_error *err) {
  const wf_graph *g = s->run->graph;
  wf_gpu *gpu = s->run->gpu;
  const uint64_t words = ((uint64_t)g->n_vertices + 31) / 32;
  return wf_frontier_create(&s->frontier, gpu, g->n_vertices, &source, 1, s->variant->queue, err) &&
         (s->visited = wf_app_reserve(gpu, 0, words * 4, "visited", err)) &&
         (s->edges = wf_app_reserve(gpu, 0, 4, "frontier_edges", err)) &&
         wf_app_write_u32(gpu, s->level + source * 4ull, 0, err) &&
         wf_app_write_u32(gpu, s->visited + source / 32 * 4, 1u << source % 32, err);
}

static bool set_up_pull(search *s, wf_error *err) {
  if (s->variant->strategy != WF_STRATEGY_DIRECTION) return true;
  wf_graph *g = s->run->graph;
  wf_gpu *gpu = s->run->gpu;
  wf_graph_need_in(g);
  const uint64_t words = ((uint64_t)g->n_vertices + 31) / 32;
  if (g->symmetric) {
    s->in_row = s->out_row;
    s->in_col = s->out_col;
  } else if (!(s->in_row =
                   wf_app_upload(gpu, g->in_row, (g->n_vertices + 1ull) * 4, "in_row", err)) ||
             !(s->in_col = wf_app_upload(gpu, g->in_col, g->n_edges * 4, "in_col", err))) {
    return false;
  }
  return (s->active = wf_app_reserve(gpu, 0, words * 4, "active", err)) &&
         (s->next = wf_app_reserve(gpu, 0, words * 4, "active", err));
}

/* Edges of the new frontier; 0 of one too small to be worth counting. */
static bool count_edges(search *s, wf_error *err) {
  enum { WORTH = 256 };
  wf_frontier *f = &s->frontier;
  const void *params[] = {&f->count, &f->ids, &s->out_row, &s->edges};
  s->edges_left -= s->frontier_edges;
  s->frontier_edges = 0;
  if (s->variant->strategy != WF_STRATEGY_DIRECTION || f->count < s->run->graph->n_vertices / WORTH)
    return true;
  return wf_app_write_u32(f->gpu, s->edges, 0, err) &&
         wf_app_launch(f->gpu, "bfs_edges", f->count, 0, params, 4, err) &&
         wf_app_read_u32(f->gpu, s->edges, &s->frontier_edges, err);
}

static bool push(search *s, uint32_t level, wf_error *err) {
  enum { PARAMS = 8 };
  wf_frontier *f = &s->frontier;
  const uint32_t lanes = wf_frontier_lanes(f);
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {
      &f->count, &lanes, &f->ids, &s->out_row, &s->out_col, &s->visited, &s->level, &level};
  return wf_frontier_advance(f, "bfs_queue", f->count * lanes, params, PARAMS, err) &&
         count_edges(s, err);
}

static bool pull(search *s, uint32_t level, wf_error *err) {
  const uint32_t n = s->run->graph->n_vertices;
  wf_frontier *f = &s->frontier;
  const void *params[] = {&n,        &s->in_row, &s->in_col, &s->active, &s->visited,
                          &s->level, &level,     &s->next,   &f->size};
  if (!wf_app_write_u32(f->gpu, f->size, 0, err) ||
      !wf_app_launch(f->gpu, "bfs_pull", n, 0, params, sizeof params / sizeof *params, err) ||
      !wf_app_read_u32(f->gpu, f->size, &f->count, err))
    return false;
  const uint64_t swap = s->active;
  s->active = s->next;
  s->next = swap;
  return true;
}

static bool to_bits(search *s, wf_error *err) {
  const wf_graph *g = s->run->graph;
  const void *params[] = {&s->frontier.count, &s->frontier.ids, &s->active};
  s->pulls = true;
  return wf_gpu_fill(s->run->gpu, s->active, 0, (g->n_vertices + 31ull) / 32 * 4, err) &&
         wf_app_launch(s->run->gpu, "bfs_to_bits", s->frontier.count, 0, params, 3, err);
}

static bool to_queue(search *s, wf_error *err) {
  enum { PARAMS = 2 };
  const uint32_t n = s->run->graph->n_vertices;
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {&n, &s->active};
  s->pulls = false;
  s->frontier_edges = 0; /* unknown, and little */
  return wf_frontier_advance(&s->frontier, "bfs_to_queue", n, params, PARAMS, err);
}

/* From push to pull when the frontier grows, has more than 1/alpha of the edges left, and is large
 * enough not to turn back at once; back when it shrinks and has fewer than 1/beta of the vertices.
 */
static bool turn(search *s, uint32_t before, wf_error *err) {
  if (s->variant->strategy != WF_STRATEGY_DIRECTION || !s->frontier.count) return true;
  const wf_graph *g = s->run->graph;
  const bool grows = s->frontier.count >= before, small = s->frontier.count < g->n_vertices / BETA;
  if (s->pulls) return !small || grows || to_queue(s, err);
  const bool heavy = !small || s->frontier_edges > g->n_edges / ALPHA;
  return !grows || !heavy || s->frontier_edges <= s->edges_left / ALPHA || to_bits(s, err);
}

bool wf_bfs_queue(wf_app_run *run, const wf_app_variant *variant, uint32_t source, uint64_t out_row,
                  uint64_t out_col, uint64_t level, wf_error *err) {
  const wf_graph *g = run->graph;
  search s = {.run = run,
              .variant = variant,
              .out_row = out_row,
              .out_col = out_col,
              .level = level,
              .edges_left = g->n_edges,
              .frontier_edges = wf_graph_out_degree(g, source)};
  if (!set_up(&s, source, err) || !set_up_pull(&s, err)) return false;
  unsigned pulled = 0;
  for (uint32_t step = 1, before = 0; s.frontier.count; step++) {
    run->supersteps++;
    if (variant->supersteps && step >= variant->supersteps) break;
    if (!turn(&s, before, err)) return false;
    before = s.frontier.count;
    pulled += s.pulls;
    if (!(s.pulls ? pull : push)(&s, step, err)) return false;
  }
  wf_app_report(run, "steps_pulled", pulled);
  return true;
}
