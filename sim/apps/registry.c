/* The table of applications. */
#include <stdio.h>
#include <string.h>

#include "sim/apps/cache/suite.h"
#include "sim/apps/launch/launch_app.h"

static const wf_app *const apps[] = {
    &wf_app_pagerank, &wf_app_bfs,     &wf_app_sssp,    &wf_app_wcc,         &wf_app_chase,
    &wf_app_halves,   &wf_app_atomics, &wf_app_reach,   &wf_app_stream,      &wf_app_random,
    &wf_app_noc,      &wf_app_mshr,    &wf_app_compute, &wf_app_bfs_rodinia, &wf_app_kmn,
    &wf_app_wc,       &wf_app_iix,     &wf_app_gc,      &wf_app_ssp,         &wf_app_spmv,
    &wf_app_mm,       &wf_app_ss,      &wf_app_ccl,     &wf_app_ge,          &wf_app_srd,
    &wf_app_mri,      &wf_app_sgm,     &wf_app_stn,     &wf_app_aps,         &wf_app_bfs_dp,
    &wf_app_sssp_dp,  &wf_app_clr,     &wf_app_join,    &wf_app_amr,         &wf_app_bht,
    &wf_app_pre,      &wf_app_regx,    &wf_app_hbfs,    &wf_app_hsssp,       &wf_app_hmst,
    &wf_app_lsbfs,    &wf_app_lssssp,  &wf_app_lsmst,   &wf_app_stcon,       &wf_app_eds,
    &wf_app_hsp,      &wf_app_jac,     &wf_app_mma,     &wf_app_ptf,         &wf_app_gbfs,
    &wf_app_gsssp,    &wf_app_gclr,    &wf_app_gmis,    &wf_app_lat,         &wf_app_misses,
};
enum { N_APPS = sizeof apps / sizeof apps[0] };

const wf_app *const *wf_app_list(size_t *count) {
  *count = N_APPS;
  return apps;
}

const wf_app *wf_app_find(const char *name, wf_error *err) {
  char names[1024] = "";
  size_t used = 0;
  for (size_t i = 0; i < N_APPS; i++) {
    if (strcmp(apps[i]->name, name) == 0) return apps[i];
    used +=
        (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", apps[i]->name);
  }
  wf_fail(err, WF_EXIT_BAD_INPUT, "unknown application '%s'; there are: %s", name, names);
  return NULL;
}

bool wf_app_check(const wf_app *app, const wf_options *options, const wf_graph *graph,
                  wf_error *err) {
  if (app->needs_graph && !graph)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "application '%s' needs a graph: --graph FILE|GENERATOR",
                   app->name);
  if (graph && !app->needs_graph)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--graph: application '%s' takes no graph", app->name);
  for (size_t i = 0; i < options->count; i++)
    if (strncmp(options->items[i].key, "app.", 4) == 0 &&
        !wf_app_has_option(app, options->items[i].key))
      return wf_fail(err, WF_EXIT_BAD_INPUT, "--set %s: no such option of application '%s'",
                     options->items[i].key, app->name);
  if (app->needs_graph == WF_APP_WEIGHTED_GRAPH && graph->no_weights)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s", graph->no_weights);
  return wf_parameters_read(app->options, "app", options, NULL, err);
}

bool wf_app_start(const wf_app *app, wf_app_run *run, wf_error *err) {
  run->verified = false;
  run->verdict[0] = 0;
  run->supersteps = 0;
  run->strategy[0] = 0;
  run->n_metrics = 0;
  return wf_app_check(app, wf_gpu_options(run->gpu), run->graph, err) && app->run(run, err);
}

bool wf_app_has_option(const wf_app *app, const char *key) {
  return strncmp(key, "app.", 4) == 0 && wf_parameters_find(app->options, key + 4);
}

double wf_app_metric_value(const wf_app_run *run, const char *name, double otherwise) {
  for (size_t i = 0; i < run->n_metrics; i++)
    if (strcmp(run->metrics[i].name, name) == 0) return run->metrics[i].value;
  return otherwise;
}

void wf_app_report(wf_app_run *run, const char *name, double value) {
  if (run->n_metrics == WF_APP_MAX_METRICS) return;
  wf_app_metric *m = &run->metrics[run->n_metrics++];
  snprintf(m->name, sizeof m->name, "%s", name);
  m->value = value;
}

extern const wf_app_kernels wf_app_kernels_table[]; /* made by the build, ends with a NULL name */

const wf_app_kernels *wf_app_kernels_at(size_t index) {
  for (size_t i = 0; i <= index; i++)
    if (!wf_app_kernels_table[i].name) return NULL;
  return &wf_app_kernels_table[index];
}

const wf_app_kernels *wf_app_kernels_find(const char *name) {
  for (const wf_app_kernels *k = wf_app_kernels_table; k->name; k++)
    if (strcmp(k->name, name) == 0) return k;
  return NULL;
}
