/* Graph colouring by independent sets on the symmetrised graph, in the forms of launch_app.h. */
#include <string.h>

#include "sim/apps/launch/launch_app.h"

enum { BLOCK = 128 };
#define UNCOLOURED 0xffffffffu

typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t rounds;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, rounds, 0, 1000000, 3,
                  "colours at most; 0: until every vertex has one"),
    WF_LAUNCH_OPTIONS,
    {0}};

/* As the kernels have it. */
typedef struct device_graph {
  uint64_t row, col, number, colour, largest, left;
} device_graph;

/* The largest number of v's neighbours without colour; itself does not count. */
static uint32_t largest_near(const wf_graph *g, const uint32_t *number, const uint32_t *colour,
                             uint32_t v) {
  uint32_t largest = 0;
  for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) {
    const uint32_t w = g->out_col[e];
    if (colour[w] == UNCOLOURED && number[w] > largest) largest = number[w];
  }
  return largest;
}

/* Rounds done. */
static uint32_t reference(const wf_graph *g, const uint32_t *number, uint32_t rounds,
                          uint32_t *colour, uint32_t *largest) {
  uint32_t done = 0;
  memset(colour, 0xff, (size_t)g->n_vertices * sizeof *colour);
  for (bool left = true; left && (!rounds || done < rounds); done++) {
    left = false;
    for (uint32_t v = 0; v < g->n_vertices; v++) {
      if (colour[v] != UNCOLOURED) continue;
      largest[v] = largest_near(g, number, colour, v);
      left |= largest[v] != 0;
    }
    for (uint32_t v = 0; v < g->n_vertices; v++)
      if (colour[v] == UNCOLOURED && number[v] > largest[v]) colour[v] = done;
  }
  return done;
}

static bool colour_all(wf_app_run *run, const wf_launch_form *form, const device_graph *d,
                       uint32_t rounds, wf_error *err) {
  uint32_t n = run->graph->n_vertices, left = 1;
  const wf_suite_shape shape = wf_suite_line(n, BLOCK);
  for (; left && (!rounds || run->supersteps < rounds) && run->supersteps <= n; run->supersteps++)
    if (!wf_app_write_u32(run->gpu, d->left, 0, err) ||
        !WF_LAUNCH_IN_FORM(run, form, "clr_find", shape, err, d, &n, &form->block) ||
        !WF_SUITE_LAUNCH(run, "clr_take", shape, err, &d->number, &d->colour, &d->largest,
                         &run->supersteps, &n) ||
        !wf_app_read_u32(run->gpu, d->left, &left, err))
      return false;
  return true;
}

static bool clr(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err) || !wf_graph_make_symmetric(run->graph, err))
    return false;
  const wf_graph *g = run->graph;
  const uint64_t n = g->n_vertices;
  wf_gpu *gpu = run->gpu;
  device_graph d;
  uint32_t *number = wf_suite_order(host, run->seed, (uint32_t)n);
  if (!(d.row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "row", err)) ||
      !(d.col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "col", err)) ||
      !(d.number = wf_app_upload(gpu, number, n * 4, "number", err)) ||
      !(d.colour = wf_app_reserve(gpu, 0xff, n * 4, "colour", err)) ||
      !(d.largest = wf_app_reserve(gpu, 0, n * 4, "largest", err)) ||
      !(d.left = wf_app_reserve(gpu, 0, 4, "left", err)) ||
      !wf_launch_open(run, &s.form, n, g->n_edges, err) ||
      !colour_all(run, &s.form, &d, s.rounds, err))
    return false;
  uint32_t *expected = wf_suite_array(host, n, 4), *largest = wf_suite_array(host, n, 4);
  const uint32_t done = reference(g, number, s.rounds, expected, largest);
  wf_app_compare_u64(run, "rounds", run->supersteps, done);
  return wf_suite_check_u32(run, host, "colour of vertex", d.colour, expected, n, NULL, err);
}

WF_SUITE_APP(clr, "graph colouring whose threads may launch a vertex's neighbours", options, true,
             clr);
