/* 9-point stencil in two dimensions as in SHOC (Stencil2D). */
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { TILE = 16 };
static const float centre = 0.25f, cardinal = 0.15f, diagonal = 0.05f;

typedef struct settings {
  uint32_t n, turns;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, n, TILE, 8192, 512,
                  "rows and columns without border, a multiple of 16"),
    WF_APP_NUMBER(settings, turns, 1, 10000, 4, "steps"),
    {0}};

static void reference_step(uint32_t n, const float *in, float *out) {
  uint32_t pitch = n + 2;
  for (uint32_t y = 1; y <= n; y++)
    for (uint32_t x = 1; x <= n; x++) {
      const float *at = in + y * pitch + x, *up = at - pitch, *down = at + pitch;
      float cardinals = up[0] + down[0] + at[-1] + at[1];
      float diagonals = up[-1] + up[1] + down[-1] + down[1];
      out[y * pitch + x] = centre * at[0] + cardinal * cardinals + diagonal * diagonals;
    }
}

static bool stn(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.n, turns = s.turns;
  if (n % TILE)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.n=%u: must be a multiple of %d", n, TILE);
  uint64_t words = (n + 2ull) * (n + 2);
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *in = wf_suite_floats(host, &rng, words, 0.0f, 1.0f), *out = wf_suite_array(host, words, 4);
  memcpy(out, in, words * 4);
  uint64_t device_in, device_out;
  if (!(device_in = wf_app_upload(run->gpu, in, words * 4, "in", err)) ||
      !(device_out = wf_app_upload(run->gpu, in, words * 4, "out", err)))
    return false;
  for (; run->supersteps < turns; run->supersteps++) {
    if (!WF_SUITE_LAUNCH(run, "stn_step", wf_suite_plane(n, n, TILE, TILE), err, &device_in,
                         &device_out, &n, &centre, &cardinal, &diagonal))
      return false;
    reference_step(n, in, out);
    float *swap = in;
    in = out;
    out = swap;
    uint64_t device_swap = device_in;
    device_in = device_out;
    device_out = device_swap;
  }
  return wf_suite_check_f32(run, host, "point", device_in, in, words, err);
}

WF_SUITE_APP(stn, "9-point stencil in two dimensions, as in SHOC", options, false, stn);
