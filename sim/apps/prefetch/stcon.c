/* st-connectivity after Harish and Narayanan: breadth-first searches from both ends until one
 * vertex has both colours, then a path. Arcs count as they are from both ends; on a directed graph
 * two ends are thus connected if both reach one vertex. */
#include <string.h>

#include "sim/apps/prefetch/form.h"

enum { BLOCK = 512, RED = 1, GREEN = 2, BOTH = RED | GREEN };
#define NOWHERE 0xffffffffu

typedef struct settings {
  wf_suite_search search; /* first: its rows are shared */
  uint32_t target, form;
} settings;
static const wf_parameter options[] = {
    WF_SUITE_SEARCH_OPTIONS,
    WF_APP_VERTEX(settings, target,
                  "the other end; -1: the last vertex but the source that has an out-edge"),
    WF_PREFETCH_FORM_OPTION(settings),
    {0}};

typedef struct stcon_device {
  uint64_t vertices, edges, state, frontier, red_next, green_next, red_parent, green_parent, again,
      met;
  wf_prefetch_kernel visit;
} stcon_device;

typedef struct stcon_task {
  uint32_t source, target, form;
} stcon_task;

static bool choose_ends(wf_app_run *run, stcon_task *ends, wf_error *err) {
  const wf_graph *g = run->graph;
  settings s;
  if (!wf_app_read_options(run, options, &s, err) || !wf_suite_search_begin(run, &s.search, err) ||
      !wf_app_check_vertex(run, "target", s.target, err))
    return false;
  *ends = (stcon_task){s.search.source, s.target, s.form};
  if (s.target != WF_APP_ANY_VERTEX) return true;
  ends->target = ends->source;
  for (uint32_t v = g->n_vertices; ends->target == ends->source && v-- > 0;)
    if (wf_graph_out_degree(g, v)) ends->target = v;
  return true;
}

/* ---- the reference: the same two searches, level by level ---- */
typedef struct reference {
  uint32_t *state, *red, *green; /* by vertex: colours; level of each */
  uint32_t *fresh, n_fresh, *next;
  uint32_t met;
  unsigned steps;
} reference;

static void colour(reference *r, uint32_t v, uint32_t bit, uint32_t level, uint32_t *count) {
  if (r->state[v] & bit) return;
  r->state[v] |= bit;
  *(bit == RED ? &r->red[v] : &r->green[v]) = level;
  r->next[2 * *count] = v;
  r->next[2 * (*count)++ + 1] = bit;
}

static bool reference_step(reference *r, const wf_graph *g) {
  uint32_t count = 0;
  r->steps++;
  for (uint32_t i = 0; i < r->n_fresh; i++) {
    const uint32_t v = r->fresh[2 * i], bit = r->fresh[2 * i + 1];
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++)
      colour(r, g->out_col[e], bit, r->steps, &count);
  }
  for (uint32_t i = 0; i < count; i++)
    if (r->state[r->next[2 * i]] == BOTH && r->next[2 * i] < r->met) r->met = r->next[2 * i];
  uint32_t *old = r->fresh;
  r->fresh = r->next;
  r->next = old;
  r->n_fresh = count;
  return count && r->met == NOWHERE;
}

static reference reference_of(const wf_graph *g, const stcon_task *ends, wf_suite_host *host) {
  const uint64_t n = g->n_vertices;
  reference r = {.met = NOWHERE};
  r.state = wf_suite_array(host, n, 4);
  r.red = wf_suite_array(host, n, 4);
  r.green = wf_suite_array(host, n, 4);
  r.fresh = wf_suite_array(host, 4 * n, 4);
  r.next = wf_suite_array(host, 4 * n, 4);
  uint32_t count = 0;
  colour(&r, ends->source, RED, 0, &count);
  colour(&r, ends->target, GREEN, 0, &count);
  memcpy(r.fresh, r.next, 8ull * count);
  r.n_fresh = count;
  if (ends->source == ends->target)
    r.met = ends->source;
  else
    while (reference_step(&r, g)) {
    }
  return r;
}

/* ---- the device ---- */
static bool set_up(wf_app_run *run, stcon_device *d, const stcon_task *ends, wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  wf_gpu *gpu = run->gpu;
  const uint8_t red = RED, green = GREEN;
  return (d->vertices = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "vertices", err)) &&
         (d->edges = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "edges", err)) &&
         (d->state = wf_app_reserve(gpu, 0, n, "state", err)) &&
         (d->frontier = wf_app_reserve(gpu, 0, n, "frontier", err)) &&
         (d->red_next = wf_app_reserve(gpu, 0, n, "red_next", err)) &&
         (d->green_next = wf_app_reserve(gpu, 0, n, "green_next", err)) &&
         (d->red_parent = wf_app_reserve(gpu, 0xff, n * 4, "red_parent", err)) &&
         (d->green_parent = wf_app_reserve(gpu, 0xff, n * 4, "green_parent", err)) &&
         (d->again = wf_app_reserve(gpu, 0, 4, "again", err)) &&
         (d->met = wf_app_reserve(gpu, 0xff, 4, "met", err)) &&
         wf_gpu_write(gpu, d->state + ends->source, &red, 1, err) &&
         wf_gpu_write(gpu, d->frontier + ends->source, &red, 1, err) &&
         wf_gpu_write(gpu, d->state + ends->target, &green, 1, err) &&
         wf_gpu_write(gpu, d->frontier + ends->target, &green, 1, err);
}

static bool search(wf_app_run *run, const stcon_device *d, uint32_t *met, wf_error *err) {
  const uint32_t n = run->graph->n_vertices;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  wf_gpu *gpu = run->gpu;
  uint32_t again = 1;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && *met == NOWHERE && run->supersteps <= n; run->supersteps++)
    if (!wf_app_write_u32(gpu, d->again, 0, err) ||
        !WF_PREFETCH_LAUNCH(run, &d->visit, n, err, &d->vertices, &d->edges, &d->state,
                            &d->frontier, &d->red_next, &d->green_next, &d->red_parent,
                            &d->green_parent, &n) ||
        !WF_SUITE_LAUNCH(run, "stcon_advance", shape, err, &d->state, &d->frontier, &d->red_next,
                         &d->green_next, &d->again, &d->met, &n) ||
        !wf_app_read_u32(gpu, d->again, &again, err) || !wf_app_read_u32(gpu, d->met, met, err))
      return false;
  return true;
}

static bool has_arc(const wf_graph *g, uint32_t from, uint32_t to) {
  for (uint32_t e = g->out_row[from]; e < g->out_row[from + 1]; e++)
    if (g->out_col[e] == to) return true;
  return false;
}

/* Steps from `at` back to `end` over the parents; UINT64_MAX if they are no path of the graph. */
static uint64_t steps_back(const wf_graph *g, const uint32_t *parent, uint32_t at, uint32_t end) {
  uint64_t steps = 0;
  for (; at != end; steps++) {
    const uint32_t up = parent[at];
    if (up >= g->n_vertices || steps >= g->n_vertices || !has_arc(g, up, at)) return UINT64_MAX;
    at = up;
  }
  return steps;
}

static bool check_path(wf_app_run *run, wf_suite_host *host, const stcon_device *d,
                       const stcon_task *ends, const reference *r, wf_error *err) {
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  uint32_t *red = wf_suite_array(host, n, 4), *green = wf_suite_array(host, n, 4);
  if (!wf_gpu_read(run->gpu, red, d->red_parent, n * 4, err) ||
      !wf_gpu_read(run->gpu, green, d->green_parent, n * 4, err))
    return false;
  wf_app_compare_u64(run, "steps of the path from the source",
                     steps_back(g, red, r->met, ends->source), r->red[r->met]);
  wf_app_compare_u64(run, "steps of the path from the target",
                     steps_back(g, green, r->met, ends->target), r->green[r->met]);
  wf_app_report(run, "path_steps", r->red[r->met] + r->green[r->met]);
  return true;
}

static bool check_states(wf_app_run *run, wf_suite_host *host, const stcon_device *d,
                         const reference *r, wf_error *err) {
  const uint64_t n = run->graph->n_vertices;
  uint8_t *bytes = wf_suite_array(host, n, 1);
  uint32_t *got = wf_suite_array(host, n, 4);
  if (!wf_gpu_read(run->gpu, bytes, d->state, n, err)) return false;
  for (uint64_t v = 0; v < n; v++) got[v] = bytes[v];
  wf_app_compare_u32(run, "colours of vertex", got, r->state, n);
  return true;
}

static bool stcon(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  stcon_device d = {0};
  stcon_task ends;
  if (!choose_ends(run, &ends, err) || !set_up(run, &d, &ends, err)) return false;
  d.visit = wf_prefetch_kernel_of(ends.form, "stcon_visit", BLOCK);
  const bool same = ends.source == ends.target;
  uint32_t met = same ? ends.source : NOWHERE;
  if (!search(run, &d, &met, err)) return false;
  reference r = reference_of(run->graph, &ends, host);
  if (same) r.state[ends.source] = GREEN; /* what was written last; nothing ran */
  wf_app_compare_u64(run, "levels", run->supersteps, r.steps);
  wf_app_compare_u64(run, "vertex where they met", met, r.met);
  wf_app_report(run, "connected", r.met != NOWHERE);
  if (!check_states(run, host, &d, &r, err)) return false;
  return !run->verified || r.met == NOWHERE || same || check_path(run, host, &d, &ends, &r, err);
}

WF_SUITE_APP(stcon, "st-connectivity, after Harish and Narayanan", options, true, stcon);
