/* Matrix product: as in Mars, no tiles, a thread per element; or by tiles. */
#include "sim/apps/cache/suite.h"

enum { BLOCK = 256, ROWS_EACH = 4 };

static const char *const layouts[] = {"columns", "rows"};
static const char *const forms[] = {"plain", "tile"};
typedef struct settings {
  uint32_t n, rows, inner, b, form;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, n, 1, 4096, 2048, "columns of the product"),
    WF_APP_NUMBER(settings, rows, 0, 4096, 16, "its rows; 0: as many as columns"),
    WF_APP_NUMBER(settings, inner, 0, 4096, 128, "length of each sum; 0: as columns"),
    WF_APP_CHOICE(
        settings, b, layouts, 0,
        "how B lies in memory: columns (each lane walks its own) or rows (lanes side by side)"),
    WF_APP_CHOICE(settings, form, forms, 0,
                  "plain: as in Mars; tile: blocks of 16 x 32 elements through shared memory"),
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
  static const char *const kernels[2][2] = {{"mm_columns", "mm_rows"},
                                            {"mm_tile_columns", "mm_tile_rows"}};
  const wf_suite_shape shape =
      s.form ? wf_suite_strips(WF_SUITE_DOUBLE, rows, n, ROWS_EACH) : wf_suite_line(words, BLOCK);
  uint64_t device_a, device_b, c;
  return (device_a = wf_app_upload(run->gpu, a, rows * inner * 4ull, "a", err)) &&
         (device_b = wf_app_upload(run->gpu, b, inner * n * 4ull, "b", err)) &&
         (c = wf_app_reserve(run->gpu, 0xff, words * 4ull, "c", err)) &&
         WF_SUITE_LAUNCH(run, kernels[s.form][s.b], shape, err, &device_a, &device_b, &c, &rows, &n,
                         &inner) &&
         wf_suite_check_f32(run, host, "element", c, expected, words, err);
}

WF_SUITE_APP(mm, "matrix product, a thread per element, as in Mars", options, false, mm);
