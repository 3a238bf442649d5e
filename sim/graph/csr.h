/* Arc lists and their conversion to CSR: what readers and generators build graphs with. */
#ifndef WF_GRAPH_CSR_H
#define WF_GRAPH_CSR_H

#include "sim/graph/graph.h"

/* A growing list of arcs tail -> head. `weight` stays NULL unless `weighted`. */
typedef struct wf_arcs {
  uint64_t n, capacity;
  uint64_t limit_bytes; /* host memory that list and CSR together may take */
  bool weighted;
  bool lenient;     /* a value that is no weight drops all weights */
  char *no_weights; /* why they were dropped, or NULL */
  uint32_t *tail, *head, *weight;
} wf_arcs;

/* max_host_bytes as in wf_graph_options: 0 means the machine's memory. */
void wf_arcs_init(wf_arcs *arcs, bool weighted, uint64_t max_host_bytes);
void wf_arcs_free(wf_arcs *arcs);
void wf_arcs_drop_weights(wf_arcs *arcs, const char *why);
/* Makes room for at least `more` further arcs; `what` begins the message on failure. */
bool wf_arcs_reserve(wf_arcs *arcs, uint64_t more, const char *what, wf_error *err);

static inline void wf_arcs_put(wf_arcs *arcs, uint32_t tail, uint32_t head, uint32_t weight) {
  arcs->tail[arcs->n] = tail;
  arcs->head[arcs->n] = head;
  if (arcs->weighted) arcs->weight[arcs->n] = weight;
  arcs->n++;
}

/* Refuses sizes that cannot be right or do not fit: vertices out of range or far more numerous than
 * `entries` could make sensible (so that a corrupt header cannot claim gigabytes), too many arcs,
 * or more host memory than limit_bytes. `what` begins the message. */
bool wf_graph_check_size(uint64_t n_vertices, uint64_t entries, uint64_t n_arcs, bool weighted,
                         uint64_t limit_bytes, const char *what, wf_error *err);

/* Turns the list into a graph and empties it. mirror: add head -> tail for each arc that is no
 * loop. All ids must be below n_vertices. NULL and *err if too large. O(n + m). */
wf_graph *wf_graph_from_list(const char *name, uint64_t n_vertices, wf_arcs *arcs, bool mirror,
                             const char *what, wf_error *err);

/* Merges parallel arcs, keeping the least weight; drops self loops unless keep_loops. */
void wf_graph_merge_parallel(wf_graph *g, bool keep_loops);

#endif
