/* Graph colouring by independent sets on the symmetrised graph, in the textbooks' forms: the
 * largest number among neighbours without colour takes the round's. */
#include "sim/apps/graph/driven.h"

#define NO_COLOUR 0xffffffffu

static const wf_parameter options[] = {
    WF_DRIVEN_ROUNDS_OPTIONS("colours at most; 0: until every vertex has one"), {0}};

typedef struct colouring {
  wf_app_run *run;
  const wf_driven_rounds *s;
  wf_frontier frontier; /* of strategy queue */
  wf_driven_graph device;
  uint64_t colour, left; /* device */
  uint64_t queued;       /* sum of frontiers */
} colouring;

static bool set_up(colouring *c, wf_suite_host *host, const uint32_t *number, wf_error *err) {
  wf_gpu *gpu = c->run->gpu;
  const uint64_t n = c->run->graph->n_vertices;
  return wf_driven_upload(c->run, number, &c->device, err) &&
         (c->colour = wf_app_reserve(gpu, 0xff, n * 4, "colour", err)) &&
         (c->left = wf_app_reserve(gpu, 0, 4, "left", err)) &&
         wf_driven_all(c->run, host, &c->s->form, &c->frontier, err);
}

/* *left: whether a vertex is still without colour. */
static bool round_over_flags(colouring *c, uint32_t now, uint32_t *left, wf_error *err) {
  const uint32_t n = c->run->graph->n_vertices;
  const void *params[] = {&n,         &c->device.row, &c->device.col, &c->device.number,
                          &c->colour, &now,           &c->left};
  char kernel[32];
  wf_driven_kernel(&c->s->form, "gclr", "gclr_thread", kernel, sizeof kernel);
  return wf_app_write_u32(c->run->gpu, c->left, 0, err) &&
         wf_app_launch(c->run->gpu, kernel, n, 0, params, sizeof params / sizeof *params, err) &&
         wf_app_read_u32(c->run->gpu, c->left, left, err);
}

static bool round_over_queue(colouring *c, uint32_t now, uint32_t *left, wf_error *err) {
  enum { PARAMS = 7 };
  wf_frontier *f = &c->frontier;
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {
      &f->count, &f->ids, &c->device.row, &c->device.col, &c->device.number, &c->colour, &now};
  c->queued += f->count;
  const bool ok = wf_frontier_advance(f, "gclr_queue", f->count, params, PARAMS, err);
  *left = f->count;
  return ok;
}

static bool colour_all(colouring *c, wf_error *err) {
  const uint32_t bound = c->s->rounds, n = c->run->graph->n_vertices;
  uint32_t left = 1;
  /* n: a wrong kernel must not loop for ever. */
  for (unsigned i = 0; left && (!bound || i < bound) && i <= n; i++, c->run->supersteps++)
    if (!(c->s->form.strategy == WF_DRIVEN_QUEUE ? round_over_queue : round_over_flags)(c, i, &left,
                                                                                        err))
      return false;
  return true;
}

/* A vertex gets its colour in the round after the last of its larger neighbours. Returns the rounds
 * done; *waited: vertices without colour, summed over the rounds. */
static uint32_t reference(wf_suite_host *host, const wf_graph *g, const uint32_t *number,
                          uint32_t bound, uint32_t *colour, uint64_t *waited) {
  const uint32_t n = g->n_vertices, *vertex = wf_driven_by_number(host, number, n);
  uint32_t rounds = 0;
  *waited = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = vertex[i];
    uint32_t at = 0;
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) {
      const uint32_t w = g->out_col[e];
      if (number[w] > number[v] && colour[w] >= at) at = colour[w] + 1;
    }
    colour[v] = at;
    rounds = at >= rounds ? at + 1 : rounds;
  }
  if (bound && rounds > bound) rounds = bound;
  for (uint32_t v = 0; v < n; v++) {
    *waited += colour[v] < rounds ? colour[v] + 1 : rounds;
    if (colour[v] >= rounds) colour[v] = NO_COLOUR;
  }
  return rounds;
}

/* Arcs between vertices of one colour. */
static uint64_t conflicts(const wf_graph *g, const uint32_t *colour) {
  uint64_t n = 0;
  for (uint32_t v = 0; v < g->n_vertices; v++)
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++)
      n += colour[v] != NO_COLOUR && colour[v] == colour[g->out_col[e]];
  return n;
}

static bool gclr(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  wf_driven_rounds s;
  uint32_t *got;
  uint64_t waited;
  colouring c = {.run = run, .s = &s};
  if (!wf_driven_read(run, options, &s, err) || !wf_graph_make_symmetric(run->graph, err))
    return false;
  const wf_graph *g = run->graph;
  const uint32_t n = g->n_vertices, *number = wf_suite_order(host, run->seed, n);
  if (!set_up(&c, host, number, err) || !colour_all(&c, err)) return false;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  wf_app_compare_u64(run, "rounds", run->supersteps,
                     reference(host, g, number, s.rounds, expected, &waited));
  if (s.form.strategy == WF_DRIVEN_QUEUE)
    wf_app_compare_u64(run, "vertices queued", c.queued, waited);
  if (!wf_suite_check_u32(run, host, "colour of vertex", c.colour, expected, n, &got, err))
    return false;
  wf_app_compare_u64(run, "neighbours of one colour", conflicts(g, got), 0);
  return true;
}

WF_SUITE_APP(gclr, "graph colouring whose search ends at the first larger number, by strategies",
             options, true, gclr);
