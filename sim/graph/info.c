/* Statistics of a graph; all in O(n + m). */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/graph/graph.h"

static unsigned bin_of(uint32_t degree) {
  return degree ? 32u - (unsigned)__builtin_clz(degree) : 0;
}

static void count_degrees(const wf_graph *g, const uint32_t *row, uint64_t *bins, uint32_t *most,
                          uint32_t *most_vertex) {
  for (uint32_t u = 0; u < g->n_vertices; u++) {
    uint32_t degree = row[u + 1] - row[u];
    bins[bin_of(degree)]++;
    if (degree > *most) {
      *most = degree;
      *most_vertex = u;
    }
  }
}

static void count_weights(const wf_graph *g, wf_graph_info *info) {
  info->weighted = g->out_weight != NULL;
  if (!info->weighted || g->n_edges == 0) return;
  info->weight_min = UINT32_MAX;
  for (uint64_t i = 0; i < g->n_edges; i++) {
    uint32_t w = g->out_weight[i];
    if (w < info->weight_min) info->weight_min = w;
    if (w > info->weight_max) info->weight_max = w;
  }
}

/* Arcs of u to distinct others whose reverse exists: rows are ascending, so out- and in-row merge.
 */
static uint64_t reciprocal_arcs(const wf_graph *g, uint32_t u) {
  uint64_t both = 0;
  uint32_t j = g->in_row[u];
  for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
    uint32_t v = g->out_col[i];
    while (j < g->in_row[u + 1] && g->in_col[j] < v) j++;
    both += v != u && j < g->in_row[u + 1] && g->in_col[j] == v;
  }
  return both;
}

static bool has_neighbour(const uint32_t *row, const uint32_t *col, uint32_t u) {
  for (uint32_t i = row[u]; i < row[u + 1]; i++)
    if (col[i] != u) return true;
  return false;
}

static void count_arcs(const wf_graph *g, wf_graph_info *info) {
  uint64_t both = 0;
  for (uint32_t u = 0; u < g->n_vertices; u++) {
    for (uint32_t i = g->out_row[u]; i < g->out_row[u + 1]; i++) {
      info->self_loops += g->out_col[i] == u;
      info->parallel_arcs += i > g->out_row[u] && g->out_col[i] == g->out_col[i - 1];
    }
    both += reciprocal_arcs(g, u);
    info->isolated +=
        !has_neighbour(g->out_row, g->out_col, u) && !has_neighbour(g->in_row, g->in_col, u);
  }
  uint64_t others = g->n_edges - info->self_loops;
  info->reciprocity = others ? (double)both / (double)others : 0;
}

/* ---- breadth-first searches ---- */

typedef struct bfs {
  const wf_graph *g;
  uint32_t *mark;  /* last search that reached the vertex, 1 .. */
  uint32_t *queue; /* [n_vertices] */
  uint32_t search;
  uint32_t reached, depth, last; /* results: vertices, levels below the source, a deepest vertex */
} bfs;

static void bfs_visit(bfs *b, const uint32_t *row, const uint32_t *col, uint32_t u,
                      uint32_t *tail) {
  for (uint32_t i = row[u]; i < row[u + 1]; i++) {
    uint32_t v = col[i];
    if (b->mark[v] == b->search) continue;
    b->mark[v] = b->search;
    b->queue[(*tail)++] = v;
  }
}

static void bfs_run(bfs *b, uint32_t source, bool both_ways) {
  const wf_graph *g = b->g;
  uint32_t head = 0, tail = 1, level_end = 1;
  b->search++;
  b->mark[source] = b->search;
  b->queue[0] = source;
  b->depth = 0;
  while (head < tail) {
    if (head == level_end) {
      b->depth++;
      level_end = tail;
    }
    uint32_t u = b->queue[head++];
    bfs_visit(b, g->out_row, g->out_col, u, &tail);
    if (both_ways && !g->symmetric) bfs_visit(b, g->in_row, g->in_col, u, &tail);
  }
  b->reached = tail;
  b->last = b->queue[tail - 1];
}

/* Weak components; visits each vertex once. Returns a vertex of the largest. */
static uint32_t count_components(bfs *b, wf_graph_info *info) {
  uint32_t in_largest = 0;
  for (uint32_t u = 0; u < b->g->n_vertices; u++) {
    if (b->mark[u]) continue;
    b->search = 0; /* all components share the mark 1 */
    bfs_run(b, u, true);
    info->components++;
    if (b->reached > info->largest_component) {
      info->largest_component = b->reached;
      in_largest = u;
    }
  }
  return in_largest;
}

/* Sweeps from ever farther ends; each depth is a lower bound of the diameter. */
static uint32_t diameter_at_least(bfs *b, uint32_t start) {
  uint32_t best = 0;
  bfs_run(b, start, true);
  for (int sweep = 0; sweep < 4; sweep++) {
    bfs_run(b, b->last, true);
    if (b->depth <= best) break;
    best = b->depth;
  }
  return best;
}

void wf_graph_get_info(wf_graph *g, wf_graph_info *info) {
  *info = (wf_graph_info){.n_vertices = g->n_vertices,
                          .n_edges = g->n_edges,
                          .n_entries = g->n_entries,
                          .symmetric = g->symmetric};
  wf_graph_need_in(g);
  count_weights(g, info);
  count_degrees(g, g->out_row, info->out_bins, &info->out_degree_max, &info->out_degree_max_vertex);
  count_degrees(g, g->in_row, info->in_bins, &info->in_degree_max, &info->in_degree_max_vertex);
  info->degree_mean = (double)g->n_edges / (double)g->n_vertices;
  count_arcs(g, info);
  bfs b = {.g = g,
           .mark = wf_calloc(g->n_vertices, sizeof *b.mark),
           .queue = wf_calloc(g->n_vertices, sizeof *b.queue)};
  uint32_t in_largest = count_components(&b, info);
  info->diameter_at_least = diameter_at_least(&b, in_largest);
  bfs_run(&b, wf_graph_busiest_vertex(g), false);
  info->bfs_depth = b.depth;
  info->bfs_reached = b.reached;
  free(b.mark);
  free(b.queue);
  info->checksum = wf_graph_checksum(g);
}
