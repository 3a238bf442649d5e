/* Cheapest way down a grid as in Rodinia (pathfinder): the plain form, a row a launch, and the one
 * through shared memory, several. */
#include "sim/apps/cache/suite.h"

enum { BLOCK = 256 };

typedef struct settings {
  uint32_t form, rows, cols, pyramid;
} settings;
static const char *const forms[] = {"plain", "shared", "double"};
static const wf_parameter options[] = {
    WF_APP_CHOICE(settings, form, forms, 0,
                  "plain: a row a launch; shared: several, in blocks that overlap; double: the "
                  "same, the wall's next row loaded ahead"),
    WF_APP_NUMBER(settings, rows, 2, 8192, 37, "rows; the first is where ways begin"),
    WF_APP_NUMBER(settings, cols, 1, 1 << 20, 100000, "columns"),
    WF_APP_NUMBER(settings, pyramid, 1, BLOCK / 2 - 1, 20,
                  "rows a launch of the forms shared and double, at most"),
    {0}};

static void reference_row(uint32_t cols, const uint32_t *wall, const uint32_t *above,
                          uint32_t *out) {
  for (uint32_t x = 0; x < cols; x++) {
    uint32_t best = above[x];
    if (x > 0 && above[x - 1] < best) best = above[x - 1];
    if (x + 1 < cols && above[x + 1] < best) best = above[x + 1];
    out[x] = wall[x] + best;
  }
}

static bool ptf(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  static const char *const kernels[] = {"ptf_plain", "ptf_shared", "ptf_double"};
  settings s;
  if (!wf_app_read_options(run, options, &s, err) ||
      !wf_suite_forms_take(run, "app.pyramid", s.form,
                           1u << WF_SUITE_SHARED | 1u << WF_SUITE_DOUBLE, err))
    return false;
  const uint32_t rows = s.rows, cols = s.cols, form = s.form;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  const uint64_t words = (uint64_t)rows * cols;
  uint32_t *wall = wf_suite_array(host, words, sizeof *wall),
           *in = wf_suite_array(host, cols, sizeof *in),
           *out = wf_suite_array(host, cols, sizeof *out);
  for (uint64_t i = 0; i < words; i++) wall[i] = (uint32_t)wf_rng_below(&rng, 10);
  for (uint32_t x = 0; x < cols; x++) in[x] = wall[x];
  uint64_t device_wall, device_in, device_out;
  if (!(device_wall = wf_app_upload(run->gpu, wall, words * 4, "wall", err)) ||
      !(device_in = wf_app_upload(run->gpu, in, cols * 4ull, "way", err)) ||
      !(device_out = wf_app_reserve(run->gpu, 0xff, cols * 4ull, "way", err)))
    return false;
  while (run->supersteps + 1 < rows) {
    const uint32_t row = run->supersteps + 1, left = rows - row,
                   now = !form              ? 1
                         : left < s.pyramid ? left
                                            : s.pyramid;
    wf_suite_shape shape = wf_suite_line(cols, form ? BLOCK - 2 * now : BLOCK);
    shape.block_x = BLOCK;
    if (!(form ? WF_SUITE_LAUNCH(run, kernels[form], shape, err, &device_wall, &device_in,
                                 &device_out, &cols, &row, &now)
               : WF_SUITE_LAUNCH(run, kernels[form], shape, err, &device_wall, &device_in,
                                 &device_out, &cols, &row)))
      return false;
    for (uint32_t i = 0; i < now; i++, run->supersteps++) {
      reference_row(cols, wall + (row + i) * (uint64_t)cols, in, out);
      uint32_t *swap = in;
      in = out;
      out = swap;
    }
    const uint64_t device_swap = device_in;
    device_in = device_out;
    device_out = device_swap;
  }
  return wf_suite_check_u32(run, host, "cell", device_in, in, cols, NULL, err);
}

WF_SUITE_APP(ptf, "cheapest way down a grid as in Rodinia, plain or through shared memory", options,
             false, ptf);
