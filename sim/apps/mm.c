/* Matrix product as in Mars: no tiles, a thread per element. */
#include "sim/apps/suite.h"

enum { BLOCK = 256 };

static const wf_app_option options[] = {
    {"app.n", "192", "rows and columns"},
    {"app.b", "columns", "how B lies in memory: columns (each lane walks its own) or rows (lanes side by side)"},
    {NULL, NULL, NULL}};

static bool mm(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  static const char *const layouts[] = {"columns", "rows"};
  uint32_t n;
  unsigned by_rows;
  if (!wf_suite_number(run, options, "app.n", 1, 4096, &n, err) ||
      !wf_app_choice(run->gpu, "app.b", layouts, 2, 0, &by_rows, err))
    return false;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  uint32_t words = n * n;
  float *a = wf_suite_floats(host, &rng, words, -1.0f, 1.0f),
        *b = wf_suite_floats(host, &rng, words, -1.0f, 1.0f),
        *expected = wf_suite_array(host, words, sizeof *expected);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) /* each sum in the order of k, as in the kernel */
      for (uint32_t j = 0; j < n; j++)
        expected[i * n + j] += a[i * n + k] * (by_rows ? b[k * n + j] : b[j * n + k]);
  uint64_t device_a, device_b, c;
  return (device_a = wf_app_upload(run->gpu, a, words * 4ull, "a", err)) &&
         (device_b = wf_app_upload(run->gpu, b, words * 4ull, "b", err)) &&
         (c = wf_app_reserve(run->gpu, 0xff, words * 4ull, "c", err)) &&
         WF_SUITE_LAUNCH(run, by_rows ? "mm_rows" : "mm_columns", wf_suite_line(words, BLOCK), err,
                         &device_a, &device_b, &c, &n) &&
         wf_suite_check_f32(run, host, "element", c, expected, words, err);
}

WF_SUITE_APP(mm, "matrix product, a thread per element, as in Mars", false, mm);
