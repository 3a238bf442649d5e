/* Helpers of the applications modelled on published benchmarks; see suite.h. */
#include "sim/apps/cache/suite.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

void *wf_suite_array(wf_suite_host *host, uint64_t count, size_t bytes) {
  assert(host->n < WF_SUITE_ARRAYS);
  return host->arrays[host->n++] = wf_calloc(count ? count : 1, bytes);
}

void wf_suite_free(wf_suite_host *host) {
  while (host->n) free(host->arrays[--host->n]);
}

const char *const wf_suite_forms[] = {"plain", "shared", "double", "copy"};
const wf_parameter wf_suite_search_options[] = {WF_SUITE_SEARCH_OPTIONS, {0}};

bool wf_suite_search_begin(wf_app_run *run, wf_suite_search *search, wf_error *err) {
  return (!search->undirected || wf_graph_make_symmetric(run->graph, err)) &&
         wf_app_source(run, &search->source, err);
}

bool wf_suite_search_read(wf_app_run *run, uint32_t *source, wf_error *err) {
  wf_suite_search search;
  if (!wf_app_read_options(run, wf_suite_search_options, &search, err) ||
      !wf_suite_search_begin(run, &search, err))
    return false;
  *source = search.source;
  return true;
}

float *wf_suite_floats(wf_suite_host *host, wf_rng *rng, uint64_t n, float low, float high) {
  float *values = wf_suite_array(host, n, sizeof *values);
  for (uint64_t i = 0; i < n; i++)
    values[i] = low + (high - low) * ((float)wf_rng_below(rng, 4096) / 4096.0f);
  return values;
}

uint32_t *wf_suite_order(wf_suite_host *host, uint64_t seed, uint32_t n) {
  uint32_t *number = wf_suite_array(host, n, sizeof *number);
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t at = (uint32_t)wf_rng_below(&rng, v + 1);
    number[v] = number[at];
    number[at] = v + 1;
  }
  return number;
}

wf_suite_shape wf_suite_plane(uint32_t x, uint32_t y, uint32_t block_x, uint32_t block_y) {
  return (wf_suite_shape){(x + block_x - 1) / block_x, (y + block_y - 1) / block_y, block_x,
                          block_y};
}

bool wf_suite_forms_take(const wf_app_run *run, const char *key, uint32_t form, uint32_t takes,
                         wf_error *err) {
  const char *value;
  char names[64] = "";
  if (takes >> form & 1 || !wf_app_named(run, key, &value)) return true;
  for (uint32_t f = 0; f < sizeof wf_suite_forms / sizeof *wf_suite_forms; f++)
    if (takes >> f & 1)
      snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? " or " : "",
               wf_suite_forms[f]);
  return wf_fail(err, WF_EXIT_BAD_INPUT,
                 "--set %s=%s: form %s does not use it; expected --set app.form=%s too", key, value,
                 wf_suite_forms[form], names);
}

wf_suite_shape wf_suite_strips(uint32_t form, uint32_t rows, uint32_t cols, uint32_t strip) {
  const bool copy = form == WF_SUITE_COPY;
  return wf_suite_plane(cols, (rows + strip - 1) / strip, copy ? 128 : 32, copy ? 1 : 4);
}

bool wf_suite_strip_takes(const wf_app_run *run, uint32_t form, uint32_t cols, wf_error *err) {
  if (form == WF_SUITE_COPY && cols % 4)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--set app.cols=%u: form copy copies 16 bytes at once; expected a multiple of 4",
                   cols);
  return wf_suite_forms_take(run, "app.strip", form, 1u << WF_SUITE_DOUBLE | 1u << WF_SUITE_COPY,
                             err);
}

wf_suite_shape wf_suite_line(uint32_t n, uint32_t block) {
  return wf_suite_plane(n, 1, block, 1);
}

bool wf_suite_launch(wf_app_run *run, const char *kernel, wf_suite_shape shape,
                     const void *const *params, unsigned n_params, wf_error *err) {
  wf_launch_args args = {.kernel = kernel,
                         .grid = {shape.grid_x, shape.grid_y, 1},
                         .block = {shape.block_x, shape.block_y, 1},
                         .n_params = n_params};
  assert(n_params <= sizeof args.params / sizeof args.params[0]);
  memcpy(args.params, params, n_params * sizeof *params);
  return wf_gpu_launch(run->gpu, &args, err);
}

bool wf_suite_check_u32(wf_app_run *run, wf_suite_host *host, const char *what, uint64_t device,
                        const uint32_t *expected, uint64_t n, uint32_t **got, wf_error *err) {
  uint32_t *words = wf_suite_array(host, n, sizeof *words);
  if (!wf_gpu_read(run->gpu, words, device, n * sizeof *words, err)) return false;
  wf_app_compare_u32(run, what, words, expected, n);
  if (got) *got = words;
  return true;
}

bool wf_suite_check_f32(wf_app_run *run, wf_suite_host *host, const char *what, uint64_t device,
                        const float *expected, uint64_t n, wf_error *err) {
  float *values = wf_suite_array(host, n, sizeof *values);
  if (!wf_gpu_read(run->gpu, values, device, n * sizeof *values, err)) return false;
  wf_app_compare_f32(run, what, values, expected, n);
  return true;
}
