/* Gaussian elimination as in Rodinia; what is compared is the triangle, multipliers and right side.
 */
#include "sim/apps/cache/suite.h"

enum { FAN1_BLOCK = 512, FAN2_SIDE = 4 };

typedef struct settings {
  uint32_t n;
} settings;
static const wf_parameter options[] = {WF_APP_NUMBER(settings, n, 1, 2048, 128, "equations"), {0}};

static void eliminate(uint32_t n, float *m, float *a, float *b) {
  for (uint32_t t = 0; t + 1 < n; t++)
    for (uint32_t row = t + 1; row < n; row++) {
      m[n * row + t] = a[n * row + t] / a[n * t + t];
      for (uint32_t column = t; column < n; column++)
        a[n * row + column] -= m[n * row + t] * a[n * t + column];
      b[row] -= m[n * row + t] * b[t];
    }
}

static bool ge(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.n;
  uint64_t words = (uint64_t)n * n;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *a = wf_suite_floats(host, &rng, words, -1.0f, 1.0f), *m = wf_suite_array(host, words, 4),
        *b = wf_suite_floats(host, &rng, n, -1.0f, 1.0f);
  for (uint32_t i = 0; i < n; i++) a[n * i + i] += (float)n; /* so that no pivot comes near zero */
  uint64_t device_m, device_a, device_b;
  if (!(device_m = wf_app_upload(run->gpu, m, words * 4, "m", err)) ||
      !(device_a = wf_app_upload(run->gpu, a, words * 4, "a", err)) ||
      !(device_b = wf_app_upload(run->gpu, b, n * 4ull, "b", err)))
    return false;
  for (uint32_t t = 0; t + 1 < n; t++, run->supersteps++)
    if (!WF_SUITE_LAUNCH(run, "ge_fan1", wf_suite_line(n, FAN1_BLOCK), err, &device_m, &device_a,
                         &n, &t) ||
        !WF_SUITE_LAUNCH(run, "ge_fan2", wf_suite_plane(n, n, FAN2_SIDE, FAN2_SIDE), err, &device_m,
                         &device_a, &device_b, &n, &t))
      return false;
  eliminate(n, m, a, b);
  return wf_suite_check_f32(run, host, "multiplier", device_m, m, words, err) &&
         wf_suite_check_f32(run, host, "element", device_a, a, words, err) &&
         wf_suite_check_f32(run, host, "right side", device_b, b, n, err);
}

WF_SUITE_APP(ge, "Gaussian elimination, Fan1 and Fan2, as in Rodinia", options, false, ge);
