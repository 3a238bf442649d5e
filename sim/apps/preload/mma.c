/* Sum of two matrices: the plain form and the one through shared memory. */
#include "sim/apps/cache/suite.h"

enum { TILE = 16 };

static const wf_app_option options[] = {
    {"app.form", "plain", "plain, or shared: tiles of both matrices through shared memory"},
    {"app.rows", "1024", "rows"},
    {"app.cols", "1024", "columns"},
    {NULL, NULL, NULL}};

static bool mma(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  static const char *const kernels[] = {"mma_plain", "mma_shared"};
  uint32_t rows, cols;
  unsigned form;
  if (!wf_suite_form(run, &form, err) ||
      !wf_suite_number(run, options, "app.rows", 1, 8192, &rows, err) ||
      !wf_suite_number(run, options, "app.cols", 1, 8192, &cols, err))
    return false;
  const uint64_t words = (uint64_t)rows * cols;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *a = wf_suite_floats(host, &rng, words, -1.0f, 1.0f),
        *b = wf_suite_floats(host, &rng, words, -1.0f, 1.0f),
        *expected = wf_suite_array(host, words, sizeof *expected);
  for (uint64_t i = 0; i < words; i++) expected[i] = a[i] + b[i];
  uint64_t device_a, device_b, c;
  return (device_a = wf_app_upload(run->gpu, a, words * 4, "a", err)) &&
         (device_b = wf_app_upload(run->gpu, b, words * 4, "b", err)) &&
         (c = wf_app_reserve(run->gpu, 0xff, words * 4, "c", err)) &&
         WF_SUITE_LAUNCH(run, kernels[form], wf_suite_plane(cols, rows, TILE, TILE), err, &device_a,
                         &device_b, &c, &rows, &cols) &&
         wf_suite_check_f32(run, host, "element", c, expected, words, err);
}

WF_SUITE_APP(mma, "sum of two matrices, plain or through shared memory", false, mma);
