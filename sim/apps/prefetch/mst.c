/* Boruvka's minimum spanning forest; the reference is Kruskal's. */
#include "sim/apps/prefetch/mst.h"

#include <stdlib.h>

enum { NOTHING = 0xff }; /* every byte of the word */

bool wf_mst_set_up(wf_app_run *run, wf_suite_host *host, const char *search, uint32_t block,
                   wf_mst *m, wf_error *err) {
  unsigned form;
  if (!wf_prefetch_form_read(run, &form, err)) return false;
  m->search = wf_prefetch_kernel_of(form, search, block);
  if (!wf_graph_make_symmetric(run->graph, err)) return false;
  if (!wf_graph_need_weights(run->graph, run->seed, err)) return false;
  const wf_graph *g = run->graph;
  const uint64_t n = m->n = g->n_vertices;
  uint32_t *self = wf_suite_array(host, n, sizeof *self);
  for (uint32_t v = 0; v < n; v++) self[v] = v;
  wf_gpu *gpu = run->gpu;
  return (m->row = wf_app_upload(gpu, g->out_row, (n + 1) * 4, "vertices", err)) &&
         (m->col = wf_app_upload(gpu, g->out_col, g->n_edges * 4, "edges", err)) &&
         (m->weight = wf_app_upload(gpu, g->out_weight, g->n_edges * 4, "weights", err)) &&
         (m->colour = wf_app_upload(gpu, self, n * 4, "colour", err)) &&
         (m->component = wf_app_upload(gpu, self, n * 4, "component", err)) &&
         (m->active = wf_app_reserve(gpu, 1, n, "active", err)) &&
         (m->found_weight = wf_app_reserve(gpu, NOTHING, n * 4, "found_weight", err)) &&
         (m->found_other = wf_app_reserve(gpu, NOTHING, n * 4, "found_other", err)) &&
         (m->found_edge = wf_app_reserve(gpu, NOTHING, n * 4, "found_edge", err)) &&
         (m->least_weight = wf_app_reserve(gpu, NOTHING, n * 4, "least_weight", err)) &&
         (m->least_other = wf_app_reserve(gpu, NOTHING, n * 4, "least_other", err)) &&
         (m->least_edge = wf_app_reserve(gpu, NOTHING, n * 4, "least_edge", err)) &&
         (m->successor = wf_app_upload(gpu, self, n * 4, "successor", err)) &&
         (m->in_tree = wf_app_reserve(gpu, 0, g->n_edges, "in_tree", err)) &&
         (m->again = wf_app_reserve(gpu, 0, 4, "again", err));
}

bool wf_mst_rounds(wf_app_run *run, wf_mst *m,
                   bool (*round)(wf_app_run *, const wf_mst *, wf_error *), wf_error *err) {
  uint32_t again = 1;
  /* The bound: a wrong kernel must not loop for ever. */
  for (; again && run->supersteps <= m->n; run->supersteps++)
    if (!wf_app_write_u32(run->gpu, m->again, 0, err) || !round(run, m, err) ||
        !wf_app_read_u32(run->gpu, m->again, &again, err))
      return false;
  return true;
}

/* Union-find whose roots are the smallest vertices. */
static uint32_t root_of(uint32_t *parent, uint32_t v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]];
  return v;
}

static bool unite(uint32_t *parent, uint32_t a, uint32_t b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  if (a == b) return false;
  parent[a > b ? a : b] = a > b ? b : a;
  return true;
}

static void alone(uint32_t *parent, uint32_t n) {
  for (uint32_t v = 0; v < n; v++) parent[v] = v;
}

typedef struct forest {
  uint64_t edges, weight, cycles; /* cycles: edges that close one */
} forest;

static void add_edge(forest *f, uint32_t *parent, uint32_t a, uint32_t b, uint32_t weight) {
  const bool joins = unite(parent, a, b);
  f->edges += joins;
  f->cycles += !joins;
  f->weight += weight;
}

static int by_weight(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* The graph is symmetric: of each edge the arc upwards stands for both. */
static forest kruskal(const wf_graph *g, wf_suite_host *host, const uint32_t *tail,
                      uint32_t *parent) {
  uint64_t *order = wf_suite_array(host, g->n_edges, sizeof *order), n = 0;
  for (uint32_t e = 0; e < g->n_edges; e++)
    if (tail[e] < g->out_col[e]) order[n++] = (uint64_t)g->out_weight[e] << 32 | e;
  qsort(order, n, sizeof *order, by_weight);
  forest f = {0};
  alone(parent, g->n_vertices);
  for (uint64_t i = 0; i < n; i++) {
    const uint32_t e = (uint32_t)order[i];
    if (root_of(parent, tail[e]) != root_of(parent, g->out_col[e]))
      add_edge(&f, parent, tail[e], g->out_col[e], g->out_weight[e]);
  }
  return f;
}

/* The edges that the device marked. */
static bool chosen(wf_app_run *run, wf_suite_host *host, const wf_mst *m, const uint32_t *tail,
                   uint32_t *parent, forest *f, wf_error *err) {
  const wf_graph *g = run->graph;
  uint8_t *in_tree = wf_suite_array(host, g->n_edges, 1);
  if (g->n_edges && !wf_gpu_read(run->gpu, in_tree, m->in_tree, g->n_edges, err)) return false;
  alone(parent, g->n_vertices);
  for (uint32_t e = 0; e < g->n_edges; e++)
    if (in_tree[e]) add_edge(f, parent, tail[e], g->out_col[e], g->out_weight[e]);
  return true;
}

/* Component numbers are any vertex of the component: each becomes its smallest vertex. */
static void smallest_of_component(uint32_t *component, uint32_t *smallest, uint32_t n) {
  for (uint32_t v = n; v-- > 0;)
    if (component[v] < n) smallest[component[v]] = v;
  for (uint32_t v = 0; v < n; v++)
    if (component[v] < n) component[v] = smallest[component[v]];
}

bool wf_mst_check(wf_app_run *run, wf_suite_host *host, const wf_mst *m, uint64_t components,
                  wf_error *err) {
  const wf_graph *g = run->graph;
  const uint32_t n = m->n;
  uint32_t *tail = wf_suite_array(host, g->n_edges, 4), *parent = wf_suite_array(host, n, 4),
           *got = wf_suite_array(host, n, 4), *smallest = wf_suite_array(host, n, 4);
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t e = g->out_row[v]; e < g->out_row[v + 1]; e++) tail[e] = v;
  forest ours = {0};
  if (!chosen(run, host, m, tail, parent, &ours, err) ||
      !wf_gpu_read(run->gpu, got, components, n * 4ull, err))
    return false;
  const forest least = kruskal(g, host, tail, parent);
  wf_app_compare_u64(run, "edges that close a cycle", ours.cycles, 0);
  wf_app_compare_u64(run, "edges of the forest", ours.edges, least.edges);
  wf_app_compare_u64(run, "weight of the forest", ours.weight, least.weight);
  for (uint32_t v = 0; v < n; v++) parent[v] = root_of(parent, v);
  smallest_of_component(got, smallest, n);
  wf_app_compare_u32(run, "component of vertex", got, parent, n);
  wf_app_report(run, "forest_edges", (double)ours.edges);
  wf_app_report(run, "forest_weight", (double)ours.weight);
  return true;
}
