/* Sum of two matrices: the plain form and the one through shared memory. */
#include "sim/apps/cache/suite.h"

enum { TILE = 16 };

typedef struct settings {
  uint32_t form, rows, cols, strip;
} settings;
static const wf_parameter options[] = {
    WF_APP_CHOICE(
        settings, form, wf_suite_forms, 0,
        "plain, or shared: tiles of both matrices through shared memory; double: a thread goes "
        "down a column, the row after the next loaded ahead; copy: a block does, rows copied ahead "
        "(cp.async)"),
    WF_SUITE_STRIP_OPTION(settings),
    WF_APP_NUMBER(settings, rows, 1, 8192, 1024, "rows"),
    WF_APP_NUMBER(settings, cols, 1, 8192, 1024, "columns"),
    {0}};

static bool mma(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  static const char *const kernels[] = {"mma_plain", "mma_shared", "mma_double", "mma_copy"};
  settings s;
  if (!wf_app_read_options(run, options, &s, err) ||
      !wf_suite_strip_takes(run, s.form, s.cols, err))
    return false;
  const uint32_t rows = s.rows, cols = s.cols;
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
         (s.form >= WF_SUITE_DOUBLE
              ? WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_strips(s.form, rows, cols, s.strip),
                                err, &device_a, &device_b, &c, &rows, &cols, &s.strip)
              : WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_plane(cols, rows, TILE, TILE), err,
                                &device_a, &device_b, &c, &rows, &cols)) &&
         wf_suite_check_f32(run, host, "element", c, expected, words, err);
}

WF_SUITE_APP(mma, "sum of two matrices, plain or through shared memory", options, false, mma);
