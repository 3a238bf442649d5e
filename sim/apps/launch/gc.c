/* Graph colouring by independent sets, as in Pannotia, on the symmetrised graph without self loops.
 */
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { BLOCK = 256, UNCOLOURED = 0xffffffff };

static const char *const forms[] = {"plain", "far"};
typedef struct settings {
  uint32_t rounds, form;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, rounds, 0, 1000000, 3,
                  "colours at most; 0: until every vertex has one"),
    WF_APP_CHOICE(settings, form, forms, 0,
                  "plain: as in Pannotia; far: four neighbours at once, past the L1, until one is "
                  "larger"),
    {0}};

/* One round over the uncoloured vertices; true if one had an uncoloured neighbour. */
static bool reference_round(const wf_graph *g, const uint32_t *number, uint32_t now,
                            uint32_t *colour, uint32_t *next) {
  bool left = false;
  memcpy(next, colour, g->n_vertices * sizeof *next);
  for (uint32_t v = 0; v < g->n_vertices; v++) {
    if (colour[v] != UNCOLOURED) continue;
    bool largest = true;
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) {
      if (colour[g->out_col[e]] != UNCOLOURED) continue;
      left = true;
      if (number[g->out_col[e]] > number[v]) largest = false;
    }
    if (largest) next[v] = now;
  }
  memcpy(colour, next, g->n_vertices * sizeof *next);
  return left;
}

/* Arcs between vertices of one colour. */
static uint64_t conflicts(const wf_graph *g, const uint32_t *colour) {
  uint64_t n = 0;
  for (uint32_t v = 0; v < g->n_vertices; v++)
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++)
      n += colour[v] != UNCOLOURED && colour[v] == colour[g->out_col[e]];
  return n;
}

typedef struct gc_device {
  uint64_t row, col, number, colour, left;
  uint64_t largest; /* of form far: what still waits, in turns with number */
} gc_device;

static bool one_round(wf_app_run *run, const settings *s, const gc_device *d, wf_error *err) {
  const uint32_t n = run->graph->n_vertices, odd = run->supersteps & 1;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  if (s->form)
    return WF_SUITE_LAUNCH(run, "gc_far", shape, err, &d->row, &d->col,
                           odd ? &d->largest : &d->number, odd ? &d->number : &d->largest,
                           &d->colour, &d->left, &run->supersteps, &n);
  return WF_SUITE_LAUNCH(run, "gc_find_max", shape, err, &d->row, &d->col, &d->number, &d->colour,
                         &d->left, &d->largest, &n) &&
         WF_SUITE_LAUNCH(run, "gc_take", shape, err, &d->number, &d->colour, &d->largest,
                         &run->supersteps, &n);
}

static bool colour_all(wf_app_run *run, const settings *s, const gc_device *d, wf_error *err) {
  uint32_t left = 1;
  for (; left && (!s->rounds || run->supersteps < s->rounds); run->supersteps++)
    if (!wf_app_write_u32(run->gpu, d->left, 0, err) || !one_round(run, s, d, err) ||
        !wf_app_read_u32(run->gpu, d->left, &left, err))
      return false;
  return true;
}

static bool gc(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  uint32_t *got;
  gc_device d = {0};
  if (!wf_app_read_options(run, options, &s, err) || !wf_graph_make_symmetric(run->graph, err))
    return false;
  const wf_graph *g = run->graph;
  wf_gpu *gpu = run->gpu;
  uint64_t n = g->n_vertices;
  uint32_t *number = wf_suite_order(host, run->seed, (uint32_t)n),
           *expected = wf_suite_array(host, n, 4), *next = wf_suite_array(host, n, 4), steps = 0;
  if (!(d.row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) ||
      !(d.col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(d.number = wf_app_upload(gpu, number, n * 4, "number", err)) ||
      !(d.colour = wf_app_reserve(gpu, 0xff, n * 4, "colour", err)) ||
      !(d.left = wf_app_reserve(gpu, 0, 4, "left", err)) ||
      !(d.largest = wf_app_reserve(gpu, 0, n * 4, "largest", err)) || !colour_all(run, &s, &d, err))
    return false;
  memset(expected, 0xff, n * 4);
  for (bool left = true; left && (!s.rounds || steps < s.rounds); steps++)
    left = reference_round(g, number, steps, expected, next);
  wf_app_compare_u64(run, "rounds", run->supersteps, steps);
  if (!wf_suite_check_u32(run, host, "colour of vertex", d.colour, expected, n, &got, err))
    return false;
  wf_app_compare_u64(run, "neighbours of one colour", conflicts(g, got), 0);
  wf_app_report(run, "colours", run->supersteps);
  return true;
}

WF_SUITE_APP(gc, "graph colouring by independent sets, as in Pannotia", options, true, gc);
