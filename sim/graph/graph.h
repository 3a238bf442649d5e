/* Graphs: readers, writers, generators and statistics.  A leaf: uses only sim/base.
 *
 * A graph is directed and held in compressed sparse rows (CSR). Vertices are 0 .. n_vertices-1.
 * Within a row, neighbours are in ascending order. Row offsets are 32-bit, as on the device.
 * A graph that is undirected in its source (a "symmetric" matrix, a grid) holds both arcs of each
 * edge and says so in `symmetric`.
 *
 * Files: MatrixMarket coordinate (.mtx), SNAP or plain edge list (.el, .txt), DIMACS shortest path
 * (.gr), and our binary CSR (.wfg); each plain, gzip or Zstandard. Readers look at the content, not
 * at the name; writers go by the name. Formats and choices are described in sim/graph/README.md. */
#ifndef WF_GRAPH_H
#define WF_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

#define WF_GRAPH_MAX_VERTICES 0x7fffffffu /* 2^31 - 1 */
#define WF_GRAPH_MAX_EDGES                                                                         \
  0x7fffffffu /* arcs held, both directions of a symmetric file counted                            \
               */
#define WF_GRAPH_MAX_WEIGHT 0x7fffffffu
#define WF_GRAPH_DRAWN_WEIGHT_MAX 64 /* wf_graph_need_weights draws from 1 .. this */

/* All fields may be read by anybody; only this module writes them. */
typedef struct wf_graph {
  char *name;           /* file name without folder and endings, or the generator's text */
  char *no_weights;     /* why the values of its file are no weights (drop_weights), or NULL */
  uint32_t n_vertices;  /* >= 1 */
  uint64_t n_edges;     /* arcs held in out_col, <= WF_GRAPH_MAX_EDGES */
  uint64_t n_entries;   /* edges as the source counts them: a symmetric file's entries, once each */
  bool symmetric;       /* for every arc u->v there is v->u, of the same weight */
  uint32_t *out_row;    /* [n_vertices + 1]: arcs of u are out_row[u] .. out_row[u+1]-1 */
  uint32_t *out_col;    /* [n_edges] heads, ascending within a row */
  uint32_t *out_weight; /* [n_edges], or NULL until a file or wf_graph_need_weights gives them */
  uint32_t *in_row;     /* [n_vertices + 1], or NULL until wf_graph_need_in */
  uint32_t *in_col;     /* [n_edges] tails of the arcs that enter v, ascending within a row */
  uint32_t *in_weight;  /* [n_edges], the weight of the same arc as in out_weight; NULL without */
  /* When symmetric, in_* are the same arrays as out_*. */
} wf_graph;

/* Progress of long work: called now and then with done <= total (same unit; total 0 = unknown). */
typedef void wf_graph_progress(void *user, const char *what, uint64_t done, uint64_t total);

typedef struct wf_graph_options {
  uint64_t seed;           /* of generators whose text has no seed= */
  bool simplify;           /* drop self loops, merge parallel arcs keeping the least weight */
  bool ignore_weights;     /* read the structure only: any values are accepted */
  bool drop_weights;       /* the same once a value is no weight; wf_graph_need_weights tells it */
  uint64_t max_host_bytes; /* refuse graphs that would need more; 0: the machine's memory */
  wf_graph_progress *progress; /* or NULL */
  void *progress_user;
} wf_graph_options;

/* Opens a file or runs a generator.
 * spec: path of a file, or generator text NAME:key=value,... (see wf_graph_generators).
 * Returns NULL and fills *err (code 2; names file, line, value and what would be right) when the
 * file cannot be read or is not a well-formed graph, or the text is no valid generator.
 * wf_graph_open drops weights that are none: most algorithms need the structure only. */
wf_graph *wf_graph_open(const char *spec, uint64_t seed, wf_error *err);
wf_graph *wf_graph_open_with(const char *spec, const wf_graph_options *options, wf_error *err);
void wf_graph_destroy(wf_graph *graph); /* NULL is fine */

/* Builds a graph from `n_arcs` arcs tail[i] -> head[i] (weight NULL or [n_arcs]), all ids below
 * n_vertices. The arrays stay the caller's. symmetric: add v->u for each u->v with u != v. */
wf_graph *wf_graph_from_arcs(const char *name, uint32_t n_vertices, uint64_t n_arcs,
                             const uint32_t *tail, const uint32_t *head, const uint32_t *weight,
                             bool symmetric, wf_error *err);

/* Makes in_row, in_col (and in_weight if there are weights), if they are missing. O(n + m). */
void wf_graph_need_in(wf_graph *graph);

/* Makes out_weight (and in_weight if there is an in_row) if the file had none: each 1 .. 64, a
 * function of seed and the arc's two ends only, the same for both directions if symmetric. False
 * and *err (code 2) if the file has values that are no weights. */
bool wf_graph_need_weights(wf_graph *graph, uint64_t seed, wf_error *err);

/* Adds v->u for every u->v that lacks it and drops self loops and parallel arcs (least weight kept
 * over both directions): what undirected algorithms want. Fails (code 2) only beyond
 * WF_GRAPH_MAX_EDGES, and then the graph is still directed. */
bool wf_graph_make_symmetric(wf_graph *graph, wf_error *err);

/* Drops self loops and merges parallel arcs, keeping the least weight. */
void wf_graph_simplify(wf_graph *graph);

static inline uint32_t wf_graph_out_degree(const wf_graph *graph, uint32_t u) {
  return graph->out_row[u + 1] - graph->out_row[u];
}

/* The vertex of most out-arcs (lowest id of several): a source from which a traversal gets far. */
uint32_t wf_graph_busiest_vertex(const wf_graph *graph);

/* CRC-32 over sizes, symmetry, out_row, out_col and weights if any; the same on every machine. */
uint32_t wf_graph_checksum(const wf_graph *graph);

/* Writes by the name's ending: .mtx, .el or .txt, .gr, .wfg, each optionally with .gz or .zst. The
 * file appears under its name only when it is complete. .gr needs weights (1 is written without).
 * False and *err (code 2) when the ending is unknown or the file cannot be written. */
bool wf_graph_write(const wf_graph *graph, const char *path, wf_error *err);

/* Help text of all generators, one per line: text, default values, what it makes. */
const char *wf_graph_generators(void);

/* ---- statistics ---- */
#define WF_GRAPH_BINS 33 /* bin 0: degree 0; bin b: degrees 2^(b-1) .. 2^b - 1 */
typedef struct wf_graph_info {
  uint32_t n_vertices;
  uint64_t n_edges, n_entries;
  bool symmetric, weighted;
  uint32_t weight_min, weight_max;
  uint64_t self_loops, parallel_arcs; /* arcs beyond the first between the same two ends */
  uint64_t out_bins[WF_GRAPH_BINS], in_bins[WF_GRAPH_BINS];
  uint32_t out_degree_max, in_degree_max, out_degree_max_vertex, in_degree_max_vertex;
  double degree_mean;
  uint32_t isolated;          /* no arc to or from another vertex */
  uint32_t components;        /* weakly connected */
  uint32_t largest_component; /* vertices in the largest */
  uint32_t diameter_at_least; /* hops, undirected, largest component; lower bound by BFS sweeps */
  uint32_t bfs_depth;         /* levels below the busiest vertex along arcs */
  uint32_t bfs_reached;       /* vertices reached so, itself included */
  double reciprocity; /* share of arcs between distinct ends whose reverse exists; 0 if none */
  uint32_t checksum;
} wf_graph_info;

/* Computes all of it; builds the in-arcs (wf_graph_need_in). O(n + m). */
void wf_graph_get_info(wf_graph *graph, wf_graph_info *info);
/* Table with histogram bars, ending in a newline; free() it. */
char *wf_graph_info_text(const wf_graph *graph, const wf_graph_info *info);
/* JSON text of the same; free() it. */
char *wf_graph_info_json(const wf_graph *graph, const wf_graph_info *info);

/* ---- `warpfab graph ...` ---- argv[0] is "graph". Prints to stdout, errors to stderr; returns
 * the exit code, 0 or 2. Progress is shown only when stderr is a terminal. */
int wf_graph_command(int argc, char **argv);

#endif
