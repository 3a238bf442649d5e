/* Minimum spanning forest after Vineet, Harish and others: six kernels a round, the first of them
 * the search that the prefetching work evaluates. */
#include "sim/apps/prefetch/mst.h"

enum { BLOCK = 512 };

static bool agree(wf_app_run *run, const wf_mst *m, wf_error *err) {
  const wf_suite_shape shape = wf_suite_line(m->n, BLOCK);
  return WF_PREFETCH_LAUNCH(run, &m->search, m->n, err, &m->row, &m->col, &m->weight, &m->colour,
                            &m->component, &m->active, &m->found_weight, &m->found_other,
                            &m->found_edge, &m->least_weight, &m->n) &&
         WF_SUITE_LAUNCH(run, "hmst_agree_other", shape, err, &m->active, &m->colour, &m->component,
                         &m->found_weight, &m->found_other, &m->least_weight, &m->least_other,
                         &m->n) &&
         WF_SUITE_LAUNCH(run, "hmst_agree_edge", shape, err, &m->active, &m->colour, &m->component,
                         &m->found_weight, &m->found_other, &m->found_edge, &m->least_weight,
                         &m->least_other, &m->least_edge, &m->n);
}

static bool one_round(wf_app_run *run, const wf_mst *m, wf_error *err) {
  const wf_suite_shape shape = wf_suite_line(m->n, BLOCK);
  return agree(run, m, err) &&
         WF_SUITE_LAUNCH(run, "hmst_hook", shape, err, &m->least_weight, &m->least_other,
                         &m->least_edge, &m->successor, &m->in_tree, &m->again, &m->n) &&
         WF_SUITE_LAUNCH(run, "hmst_recolour", shape, err, &m->colour, &m->component, &m->n) &&
         WF_SUITE_LAUNCH(run, "hmst_merge", shape, err, &m->successor, &m->component,
                         &m->least_weight, &m->least_other, &m->least_edge, &m->n);
}

static bool hmst(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  wf_mst m = {0};
  if (!wf_mst_set_up(run, host, "hmst_find_min_edge_weight", BLOCK, &m, err) ||
      !wf_mst_rounds(run, &m, one_round, err))
    return false;
  /* The last round merged nothing and recoloured all: a colour is its component. */
  return wf_mst_check(run, host, &m, m.colour, err);
}

WF_SUITE_APP(hmst, "minimum spanning forest, after Vineet, Harish and others",
             wf_prefetch_form_options, WF_APP_WEIGHTED_GRAPH, hmst);
