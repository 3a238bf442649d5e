/* Boruvka's minimum spanning forest, for hmst and lsmst: device data, what both do after the
 * search, the check. */
#ifndef WF_APP_MST_H
#define WF_APP_MST_H

#include "sim/apps/prefetch/form.h"

typedef struct wf_mst {
  uint32_t n;
  uint64_t row, col, weight;                                 /* of the symmetrised graph */
  uint64_t colour, component;                                /* lsmst: component only */
  uint64_t active, found_weight, found_other, found_edge;    /* by vertex */
  uint64_t least_weight, least_other, least_edge, successor; /* by component */
  uint64_t in_tree, again;
  wf_prefetch_kernel search;
} wf_mst;

/* Symmetrises the graph, draws weights if it has none, and puts everything on the device; search:
 * the kernel, of `block` threads, in the form that app.form names. */
bool wf_mst_set_up(wf_app_run *run, wf_suite_host *host, const char *search, uint32_t block,
                   wf_mst *m, wf_error *err);
/* Calls round() until no component has an edge that leaves it. */
bool wf_mst_rounds(wf_app_run *run, wf_mst *m,
                   bool (*round)(wf_app_run *, const wf_mst *, wf_error *), wf_error *err);
/* The edges chosen are a forest, of the least weight there is, and it joins what is connected;
 * components[n]: the device address of each vertex's component. */
bool wf_mst_check(wf_app_run *run, wf_suite_host *host, const wf_mst *m, uint64_t components,
                  wf_error *err);

#endif
