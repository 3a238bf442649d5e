/* Maximal independent set after Luby on the symmetrised graph, in the textbooks' forms. */
#include <string.h>

#include "sim/apps/graph/driven.h"

enum { ACTIVE, IN = 2, OUT }; /* as in gmis.cu */
#define NEVER 0xffffffffu

static const wf_parameter options[] = {
    WF_DRIVEN_ROUNDS_OPTIONS("at most; 0: until no vertex is active"), {0}};

typedef struct set {
  wf_app_run *run;
  const wf_driven_rounds *s;
  wf_frontier frontier; /* of strategy queue */
  wf_driven_graph device;
  uint64_t status, joined; /* device */
} set;

static bool set_up(set *m, wf_suite_host *host, const uint32_t *number, wf_error *err) {
  wf_gpu *gpu = m->run->gpu;
  const uint64_t n = m->run->graph->n_vertices;
  return wf_driven_upload(m->run, number, &m->device, err) &&
         (m->status = wf_app_reserve(gpu, ACTIVE, n * 4, "status", err)) &&
         (m->joined = wf_app_reserve(gpu, 0, 4, "joined", err)) &&
         wf_driven_all(m->run, host, &m->s->form, &m->frontier, err);
}

static bool find_over_flags(set *m, wf_error *err) {
  const uint32_t n = m->run->graph->n_vertices;
  const void *params[] = {&n,         &m->device.row, &m->device.col, &m->device.number,
                          &m->status, &m->joined};
  char kernel[32];
  wf_driven_kernel(&m->s->form, "gmis_find", "gmis_find_thread", kernel, sizeof kernel);
  return wf_app_launch(m->run->gpu, kernel, n, 0, params, sizeof params / sizeof *params, err);
}

static bool leave_over_flags(set *m, wf_error *err) {
  const uint32_t n = m->run->graph->n_vertices;
  const void *params[] = {&n, &m->device.row, &m->device.col, &m->status};
  char kernel[32];
  wf_driven_kernel(&m->s->form, "gmis_leave", "gmis_leave_thread", kernel, sizeof kernel);
  return wf_app_launch(m->run->gpu, kernel, n, 0, params, sizeof params / sizeof *params, err);
}

static bool find_over_queue(set *m, wf_error *err) {
  enum { PARAMS = 7 };
  wf_frontier *f = &m->frontier;
  const void *params[PARAMS + WF_FRONTIER_PARAMS] = {
      &f->count,         &f->ids,    &m->device.row, &m->device.col,
      &m->device.number, &m->status, &m->joined};
  return wf_frontier_advance(f, "gmis_find_queue", f->count, params, PARAMS, err);
}

/* Over the queue in which those that joined were; it is now where the next one will be. */
static bool leave_over_queue(set *m, uint32_t size, wf_error *err) {
  const void *params[] = {&size, &m->frontier.next, &m->device.row, &m->device.col, &m->status};
  return wf_app_launch(m->run->gpu, "gmis_leave_queue", size, 0, params,
                       sizeof params / sizeof *params, err);
}

/* *joined: whether a vertex did. */
static bool round_of(set *m, uint32_t *joined, wf_error *err) {
  const bool queue = m->s->form.strategy == WF_DRIVEN_QUEUE;
  const uint32_t size = m->frontier.count;
  *joined = 0;
  if (queue && !size) return true;
  return wf_app_write_u32(m->run->gpu, m->joined, 0, err) &&
         (queue ? find_over_queue : find_over_flags)(m, err) &&
         wf_app_read_u32(m->run->gpu, m->joined, joined, err) &&
         (!*joined || (queue ? leave_over_queue(m, size, err) : leave_over_flags(m, err)));
}

static bool choose(set *m, wf_error *err) {
  const uint32_t bound = m->s->rounds, n = m->run->graph->n_vertices;
  uint32_t joined = 1;
  /* n: a wrong kernel must not loop for ever. */
  for (unsigned i = 0; joined && (!bound || i < bound) && i <= n; i++) {
    if (!round_of(m, &joined, err)) return false;
    m->run->supersteps += joined;
  }
  return true;
}

/* By falling number: a vertex is in the set if no larger neighbour is, and joins in the round after
 * the last of those has left, which is when the first of their neighbours joined. Returns the
 * rounds done. */
static uint32_t reference(wf_suite_host *host, const wf_graph *g, const uint32_t *number,
                          uint32_t bound, uint32_t *status) {
  const uint32_t n = g->n_vertices, *vertex = wf_driven_by_number(host, number, n);
  uint32_t *joins = wf_suite_array(host, n, sizeof *joins), rounds = 0,
           *leaves = wf_suite_array(host, n, sizeof *leaves);
  memset(joins, 0xff, n * sizeof *joins);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t v = vertex[i];
    uint32_t free_from = 0;
    leaves[v] = NEVER;
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) {
      const uint32_t w = g->out_col[e];
      if (number[w] < number[v]) continue;
      if (joins[w] < leaves[v]) leaves[v] = joins[w];
      if (joins[w] == NEVER && leaves[w] >= free_from) free_from = leaves[w] + 1;
    }
    if (leaves[v] == NEVER) joins[v] = free_from;
    if (leaves[v] == NEVER && free_from >= rounds) rounds = free_from + 1;
  }
  if (bound && rounds > bound) rounds = bound;
  for (uint32_t v = 0; v < n; v++)
    status[v] = joins[v] < rounds ? IN : leaves[v] < rounds ? OUT : ACTIVE;
  return rounds;
}

static bool gmis(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  wf_driven_rounds s;
  set m = {.run = run, .s = &s};
  if (!wf_driven_read(run, options, &s, err) || !wf_graph_make_symmetric(run->graph, err))
    return false;
  const uint32_t n = run->graph->n_vertices, *number = wf_suite_order(host, run->seed, n);
  if (!set_up(&m, host, number, err) || !choose(&m, err)) return false;
  uint32_t *expected = wf_suite_array(host, n, sizeof *expected);
  const uint32_t rounds = reference(host, run->graph, number, s.rounds, expected);
  wf_app_compare_u64(run, "rounds", run->supersteps, rounds);
  double members = 0;
  for (uint32_t v = 0; v < n; v++) members += expected[v] == IN;
  wf_app_report(run, "members", members);
  return wf_suite_check_u32(run, host, "status of vertex", m.status, expected, n, NULL, err);
}

WF_SUITE_APP(gmis, "maximal independent set after Luby, by strategies", options, true, gmis);
