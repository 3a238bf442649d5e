/* Options of the applications and what follows from them. */
#include <stdio.h>
#include <string.h>

#include "sim/apps/app_internal.h"

const wf_parameter wf_app_no_options[] = {{0}};
const char *const wf_app_unrolls[] = {"1", "4", "8"};
const char *const wf_app_bitsets[] = {"atomic", "test"};

bool wf_app_read_options(const wf_app_run *run, const wf_parameter *table, void *settings,
                         wf_error *err) {
  return wf_parameters_read(table, "app", wf_gpu_options(run->gpu), settings, err);
}

bool wf_app_named(const wf_app_run *run, const char *key, const char **value) {
  *value = NULL;
  const wf_options *given = wf_gpu_options(run->gpu);
  for (size_t i = 0; i < given->count; i++)
    if (strcmp(given->items[i].key, key) == 0) *value = given->items[i].value;
  return *value;
}

bool wf_app_check_vertex(const wf_app_run *run, const char *name, uint32_t vertex, wf_error *err) {
  return vertex == WF_APP_ANY_VERTEX || vertex < run->graph->n_vertices ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "--set app.%s=%u: expected a vertex of the graph, -1..%u",
                 name, vertex, run->graph->n_vertices - 1);
}

bool wf_app_source(const wf_app_run *run, uint32_t *source, wf_error *err) {
  if (!wf_app_check_vertex(run, "source", *source, err)) return false;
  if (*source == WF_APP_ANY_VERTEX) *source = wf_graph_busiest_vertex(run->graph);
  return true;
}

wf_app_variant wf_app_variant_of(const wf_gpu *gpu, const wf_app_variant *given) {
  wf_app_variant v = *given;
  v.mff = v.mff && wf_gpu_has_unit(gpu, "mff");
  v.unroll = v.unroll == 0 ? 1 : 4 * v.unroll;
  v.lanes = 4u << v.lanes;
  v.shared_bytes = v.mff ? WF_APP_MFF_AREA_BYTES * (WF_APP_BLOCK / 32) : 0;
  return v;
}

void wf_app_gather_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                          size_t bytes) {
  if (variant->mff)
    snprintf(kernel, bytes, variant->strategy == WF_STRATEGY_EDGES ? "%s_edges_mff" : "%s_mff",
             name);
  else if (variant->strategy == WF_STRATEGY_THREAD)
    snprintf(kernel, bytes, "%s_u%u", name, variant->unroll);
  else if (variant->strategy == WF_STRATEGY_WARP)
    snprintf(kernel, bytes, "%s_warp%u", name, variant->lanes);
  else
    snprintf(kernel, bytes, "%s_%s", name, wf_app_strategies[variant->strategy]);
}

void wf_app_scatter_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                           size_t bytes) {
  if (variant->mff)
    snprintf(kernel, bytes, "%s_mff", name);
  else if (variant->strategy != WF_STRATEGY_THREAD)
    snprintf(kernel, bytes, "%s_%s", name, wf_app_strategies[variant->strategy]);
  else
    snprintf(kernel, bytes, "%s_u%u_%s", name, variant->unroll,
             variant->bitset ? "test" : "atomic");
}
