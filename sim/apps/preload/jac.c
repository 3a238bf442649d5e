/* Smoothing over nine points (Jacobi iteration): the plain form and the one through shared memory.
 */
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { TILE = 16 };
static const float w0 = 0.5f, w1 = 0.3f, w2 = 0.2f;

static const wf_app_option options[] = {
    {"app.form", "plain", "plain, or shared: tile and halo through shared memory"},
    {"app.rows", "1024", "rows, border included"},
    {"app.cols", "1024", "columns, border included"},
    {"app.turns", "1", "iterations"},
    {NULL, NULL, NULL}};

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
  static const char *const kernels[] = {"jac_plain", "jac_shared"};
  uint32_t rows, cols, turns;
  unsigned form;
  if (!wf_suite_form(run, &form, err) ||
      !wf_suite_number(run, options, "app.rows", 1, 8192, &rows, err) ||
      !wf_suite_number(run, options, "app.cols", 1, 8192, &cols, err) ||
      !wf_suite_number(run, options, "app.turns", 1, 10000, &turns, err))
    return false;
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
    if (!WF_SUITE_LAUNCH(run, kernels[form], wf_suite_plane(cols, rows, TILE, TILE), err,
                         &device_in, &device_out, &rows, &cols, &w0, &w1, &w2))
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

WF_SUITE_APP(jac, "smoothing over nine points, plain or through shared memory", false, jac);
