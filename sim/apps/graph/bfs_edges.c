/* Breadth-first search in equal shares of edges. Strategy direction: while the frontier is large,
 * vertices that are not visited look for a visited neighbour instead (Beamer, Asanovic and
 * Patterson, SC 2012, with its alpha). */
#include "sim/apps/graph/bfs_queue.h"
#include "sim/apps/graph/shares.h"

/* An eighth of all: with Beamer's beta, 24, a graph of 10 to 20 levels is pulled to its end, each
 * time through the lists of all that is far away. */
enum { BETA = 8 };
enum { ALPHA = 14 }; /* as in bfs_strategy.cu */

typedef struct search {
  wf_app_run *run;
  const wf_app_variant *variant;
  wf_shares shares;
  wf_share_state state;
  uint64_t out_row, out_col, level, visited;
  uint64_t in_row, in_col, next, found; /* of strategy direction */
  uint32_t steps;
} search;

static bool set_up(search *s, uint32_t source, wf_error *err) {
  const wf_graph *g = s->run->graph;
  wf_gpu *gpu = s->run->gpu;
  const wf_ref_csr out = {g->n_vertices, g->out_row, g->out_col, NULL};
  const uint64_t words = ((uint64_t)g->n_vertices + 31) / 32;
  const wf_share_state first = {.step = 1, .left = (uint32_t)g->n_edges};
  return wf_shares_create(&s->shares, gpu, &out, &source, 1, false, &first, err) &&
         (s->visited = wf_app_reserve(gpu, 0, words * 4, "visited", err)) &&
         wf_app_write_u32(gpu, s->level + source * 4ull, 0, err) &&
         wf_app_write_u32(gpu, s->visited + source / 32 * 4, 1u << source % 32, err);
}

static bool set_up_pull(search *s, wf_error *err) {
  wf_graph *g = s->run->graph;
  wf_gpu *gpu = s->run->gpu;
  const uint64_t n = g->n_vertices;
  wf_graph_need_in(g);
  if (g->symmetric) {
    s->in_row = s->out_row;
    s->in_col = s->out_col;
  } else if (!(s->in_row = wf_app_upload(gpu, g->in_row, (n + 1) * 4, "in_row", err)) ||
             !(s->in_col = wf_app_upload(gpu, g->in_col, g->n_edges * 4, "in_col", err))) {
    return false;
  }
  return (s->next = wf_app_reserve(gpu, 0, (n + 31) / 32 * 4, "visited", err)) &&
         (s->found = wf_app_reserve(gpu, 0, 4, "found", err));
}

static bool push(search *s, bool pulls, wf_error *err) {
  const uint32_t edges = (uint32_t)s->run->graph->n_edges;
  const uint32_t many = !pulls ? 0 : edges < ALPHA ? 1 : edges / ALPHA;
  const void *params[WF_SHARES_PARAMS + 6];
  const void *const mine[] = {&s->out_row, &s->out_col, &s->visited, &s->level, &s->steps, &many};
  wf_shares_params(&s->shares, params);
  for (int i = 0; i < 6; i++) params[WF_SHARES_PARAMS + i] = mine[i];
  return wf_shares_run(&s->shares, "bfs_edges", params, WF_SHARES_PARAMS + 6, &s->state, err);
}

/* One level; *found: vertices. */
static bool pull(search *s, uint32_t *found, wf_error *err) {
  const uint32_t n = s->run->graph->n_vertices;
  const void *params[] = {&n,       &s->in_row, &s->in_col,     &s->visited,
                          &s->next, &s->level,  &s->state.step, &s->found};
  if (!wf_app_write_u32(s->run->gpu, s->found, 0, err) ||
      !wf_app_launch(s->run->gpu, "bfs_pull", n, 0, params, sizeof params / sizeof *params, err) ||
      !wf_app_read_u32(s->run->gpu, s->found, found, err))
    return false;
  if (*found) s->state.deepest = s->state.step;
  s->state.step++;
  const uint64_t swap = s->visited;
  s->visited = s->next;
  s->next = swap;
  return true;
}

/* As long as the frontier grows by half, or holds 1/beta of the vertices. */
static bool pull_on(search *s, unsigned *pulled, wf_error *err) {
  const uint32_t n = s->run->graph->n_vertices;
  uint32_t found = s->state.vertices, before;
  do {
    before = found;
    if (!pull(s, &found, err)) return false;
    ++*pulled;
  } while (s->state.step < s->steps && found && (found > before + before / 2 || found >= n / BETA));
  s->state.before = before;
  return true;
}

static bool to_shares(search *s, wf_error *err) {
  const uint32_t n = s->run->graph->n_vertices;
  const void *params[WF_SHARES_PARAMS + 3];
  wf_shares_params(&s->shares, params);
  params[WF_SHARES_PARAMS] = &s->out_row;
  params[WF_SHARES_PARAMS + 1] = &s->visited;
  params[WF_SHARES_PARAMS + 2] = &s->next; /* as it was before */
  return wf_shares_set(&s->shares, &s->state, err) &&
         wf_app_launch(s->run->gpu, "bfs_to_shares", n, 0, params, WF_SHARES_PARAMS + 3, err) &&
         wf_shares_pushed(&s->shares, &s->state, err) && wf_shares_set(&s->shares, &s->state, err);
}

bool wf_bfs_edges(wf_app_run *run, const wf_app_variant *variant, uint32_t source, uint64_t out_row,
                  uint64_t out_col, uint64_t level, wf_error *err) {
  const bool pulls = variant->strategy == WF_STRATEGY_DIRECTION;
  search s = {.run = run,
              .variant = variant,
              .out_row = out_row,
              .out_col = out_col,
              .level = level,
              .steps = variant->supersteps ? variant->supersteps : UINT32_MAX};
  if (!set_up(&s, source, err) || (pulls && !set_up_pull(&s, err))) return false;
  unsigned pulled = 0;
  for (;;) {
    if (!push(&s, pulls, err)) return false;
    if (!s.state.edges || s.state.step >= s.steps) break;
    if (!pull_on(&s, &pulled, err) || !to_shares(&s, err)) return false;
  }
  run->supersteps = s.state.deepest + 1;
  wf_app_report(run, "steps_pulled", pulled);
  return true;
}
