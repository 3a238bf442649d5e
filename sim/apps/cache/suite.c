/* Helpers of the applications modelled on published benchmarks; see suite.h. */
#include "sim/apps/cache/suite.h"

#include <assert.h>
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

bool wf_suite_number(const wf_app_run *run, const wf_app_option *options, const char *key, long low,
                     long high, uint32_t *value, wf_error *err) {
  while (strcmp(options->key, key) != 0) options++; /* the callers' tables hold their keys */
  long otherwise = 0;
  bool whole = wf_parse_long(options->otherwise, &otherwise);
  assert(whole);
  (void)whole;
  long number;
  if (!wf_app_number(run->gpu, key, low, high, otherwise, &number, err)) return false;
  *value = (uint32_t)number;
  return true;
}

bool wf_suite_form(const wf_app_run *run, unsigned *form, wf_error *err) {
  static const char *const forms[] = {"plain", "shared"};
  return wf_app_choice(run->gpu, "app.form", forms, 2, 0, form, err);
}

float *wf_suite_floats(wf_suite_host *host, wf_rng *rng, uint64_t n, float low, float high) {
  float *values = wf_suite_array(host, n, sizeof *values);
  for (uint64_t i = 0; i < n; i++)
    values[i] = low + (high - low) * ((float)wf_rng_below(rng, 4096) / 4096.0f);
  return values;
}

wf_suite_shape wf_suite_plane(uint32_t x, uint32_t y, uint32_t block_x, uint32_t block_y) {
  return (wf_suite_shape){(x + block_x - 1) / block_x, (y + block_y - 1) / block_y, block_x,
                          block_y};
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
