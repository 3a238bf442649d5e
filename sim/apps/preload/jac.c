/* Smoothing over nine points (Jacobi iteration): the plain form and the one through shared memory.
 */
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { TILE = 16 };
static const float w0 = 0.5f, w1 = 0.3f, w2 = 0.2f;

typedef struct settings {
  uint32_t form, rows, cols, turns, strip;
} settings;
static const wf_parameter options[] = {
    WF_APP_CHOICE(settings, form, wf_suite_forms, 0,
                  "plain, or shared: tile and halo through shared memory; double: a thread goes "
                  "down a column, the row after the next loaded ahead; copy: a block does, rows "
                  "copied ahead (cp.async)"),
    WF_SUITE_STRIP_OPTION(settings),
    WF_APP_NUMBER(settings, rows, 1, 8192, 1024, "rows, border included"),
    WF_APP_NUMBER(settings, cols, 1, 8192, 1024, "columns, border included"),
    WF_APP_NUMBER(settings, turns, 1, 10000, 1, "iterations"),
    {0}};

static void reference_turn(uint32_t rows, uint32_t cols, const float *in, float *out) {
  for (uint32_t y = 1; y + 1 < rows; y++)
    for (uint32_t x = 1; x + 1 < cols; x++) {
      const float *at = in + (uint64_t)y * cols + x, *up = at - cols, *down = at + cols;
      const float beside = up[0] + down[0] + at[-1] + at[1],
                  across = up[-1] + up[1] + down[-1] + down[1];
      out[(uint64_t)y * cols + x] = w0 * at[0] + w1 * beside + w2 * across;
    }
}

static bool jac(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  static const char *const kernels[] = {"jac_plain", "jac_shared", "jac_double", "jac_copy"};
  settings s;
  if (!wf_app_read_options(run, options, &s, err) ||
      !wf_suite_strip_takes(run, s.form, s.cols, err))
    return false;
  const uint32_t rows = s.rows, cols = s.cols, turns = s.turns;
  const uint64_t words = (uint64_t)rows * cols;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *in = wf_suite_floats(host, &rng, words, 0.0f, 1.0f),
        *out = wf_suite_array(host, words, sizeof *out);
  memcpy(out, in, words * sizeof *out);
  uint64_t device_in, device_out;
  if (!(device_in = wf_app_upload(run->gpu, in, words * 4, "in", err)) ||
      !(device_out = wf_app_upload(run->gpu, in, words * 4, "out", err)))
    return false;
  for (; run->supersteps < turns; run->supersteps++) {
    if (!(s.form >= WF_SUITE_DOUBLE
              ? WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_strips(s.form, rows, cols, s.strip),
                                err, &device_in, &device_out, &rows, &cols, &w0, &w1, &w2, &s.strip)
              : WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_plane(cols, rows, TILE, TILE), err,
                                &device_in, &device_out, &rows, &cols, &w0, &w1, &w2)))
      return false;
    reference_turn(rows, cols, in, out);
    float *swap = in;
    in = out;
    out = swap;
    const uint64_t device_swap = device_in;
    device_in = device_out;
    device_out = device_swap;
  }
  return wf_suite_check_f32(run, host, "point", device_in, in, words, err);
}

WF_SUITE_APP(jac, "smoothing over nine points, plain or through shared memory", options, false,
             jac);
