/* Options of the applications and what follows from them. */
#include <stdio.h>
#include <string.h>

#include "sim/apps/app_internal.h"

bool wf_app_number(const wf_gpu *gpu, const char *key, long low, long high, long otherwise,
                   long *value, wf_error *err) {
  const char *text = wf_gpu_option_text(gpu, key);
  *value = otherwise;
  if (!text) return true;
  if (!wf_parse_long(text, value) || *value < low || *value > high)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s=%s: must be a whole number, %ld..%ld", key, text,
                   low, high);
  return true;
}

bool wf_app_choice(const wf_gpu *gpu, const char *key, const char *const *words, unsigned n,
                   unsigned otherwise, unsigned *index, wf_error *err) {
  const char *text = wf_gpu_option_text(gpu, key);
  *index = otherwise;
  if (!text) return true;
  char list[256] = "";
  size_t used = 0;
  for (unsigned i = 0; i < n; i++) {
    if (strcmp(words[i], text) == 0) {
      *index = i;
      return true;
    }
    int wrote = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    if (wrote > 0 && used + (size_t)wrote < sizeof list) used += (size_t)wrote;
  }
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s=%s: must be one of %s", key, text, list);
}

bool wf_app_source(const wf_app_run *run, uint32_t *source, wf_error *err) {
  long chosen;
  if (!wf_app_number(run->gpu, "app.source", -1, (long)run->graph->n_vertices - 1, -1, &chosen,
                     err))
    return false;
  *source = chosen < 0 ? wf_graph_busiest_vertex(run->graph) : (uint32_t)chosen;
  return true;
}

bool wf_app_choose_variant(const wf_gpu *gpu, long default_supersteps, wf_app_variant *variant,
                           wf_error *err) {
  static const char *const unrolls[] = {"1", "4", "8"}, *const bitsets[] = {"atomic", "test"},
                           *const uses[] = {"0", "1"};
  unsigned unroll, bitset, use;
  if (!wf_app_choice(gpu, "app.unroll", unrolls, 3, 2, &unroll, err) ||
      !wf_app_choice(gpu, "app.bitset", bitsets, 2, 0, &bitset, err) ||
      !wf_app_choice(gpu, "app.mff", uses, 2, 1, &use, err) ||
      !wf_app_number(gpu, "app.supersteps", 0, 1000000, default_supersteps, &variant->supersteps,
                     err))
    return false;
  variant->mff = use && wf_gpu_has_unit(gpu, "mff");
  variant->unroll = unroll == 0 ? 1 : 4 * unroll;
  variant->bitset_test = bitset;
  variant->shared_bytes = variant->mff ? WF_APP_MFF_AREA_BYTES * (WF_APP_BLOCK / 32) : 0;
  return true;
}

void wf_app_gather_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                          size_t bytes) {
  if (variant->mff)
    snprintf(kernel, bytes, "%s_mff", name);
  else
    snprintf(kernel, bytes, "%s_u%u", name, variant->unroll);
}

void wf_app_scatter_kernel(const wf_app_variant *variant, const char *name, char *kernel,
                           size_t bytes) {
  if (variant->mff)
    snprintf(kernel, bytes, "%s_mff", name);
  else
    snprintf(kernel, bytes, "%s_u%u_%s", name, variant->unroll,
             variant->bitset_test ? "test" : "atomic");
}
