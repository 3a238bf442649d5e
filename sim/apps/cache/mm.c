/* Matrix product as in Mars: no tiles, a thread per element. */
#include "sim/apps/cache/suite.h"

enum { BLOCK = 256 };

static const char *const layouts[] = {"columns", "rows"};
typedef struct settings {
  uint32_t n, rows, inner, b;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, n, 1, 4096, 2048, "columns of the product"),
    WF_APP_NUMBER(settings, rows, 0, 4096, 16, "its rows; 0: as many as columns"),
    WF_APP_NUMBER(settings, inner, 0, 4096, 128, "length of each sum; 0: as columns"),
    WF_APP_CHOICE(
        settings, b, layouts, 0,
        "how B lies in memory: columns (each lane walks its own) or rows (lanes side by side)"),
    {0}};

static bool mm(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.n, rows = s.rows ? s.rows : n, inner = s.inner ? s.inner : n;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  const uint32_t words = rows * n;
  float *a = wf_suite_floats(host, &rng, (uint64_t)rows * inner, -1.0f, 1.0f),
        *b = wf_suite_floats(host, &rng, (uint64_t)inner * n, -1.0f, 1.0f),
        *expected = wf_suite_array(host, words, sizeof *expected);
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t k = 0; k < inner; k++) /* each sum in the order of k, as in the kernel */
      for (uint32_t j = 0; j < n; j++)
        expected[i * n + j] += a[i * inner + k] * (s.b ? b[k * n + j] : b[j * inner + k]);
  uint64_t device_a, device_b, c;
  return (device_a = wf_app_upload(run->gpu, a, rows * inner * 4ull, "a", err)) &&
         (device_b = wf_app_upload(run->gpu, b, inner * n * 4ull, "b", err)) &&
         (c = wf_app_reserve(run->gpu, 0xff, words * 4ull, "c", err)) &&
         WF_SUITE_LAUNCH(run, s.b ? "mm_rows" : "mm_columns", wf_suite_line(words, BLOCK), err,
                         &device_a, &device_b, &c, &rows, &n, &inner) &&
         wf_suite_check_f32(run, host, "element", c, expected, words, err);
}

WF_SUITE_APP(mm, "matrix product, a thread per element, as in Mars", options, false, mm);
