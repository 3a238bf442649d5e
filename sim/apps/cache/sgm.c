/* Register-tiled matrix product as in Parboil (sgemm): C = alpha A B + beta C. */
#include <math.h>

#include "sim/apps/cache/suite.h"

enum { TILE_N = 16, TILE_K = 8, TILE_M = 128 };
static const float alpha = 0.75f, beta = 0.5f;

typedef struct settings {
  uint32_t m, n, k;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, m, TILE_M, 4096, 512, "rows of A and C, a multiple of 128"),
    WF_APP_NUMBER(settings, n, TILE_N, 4096, 256, "columns of B and C, a multiple of 16"),
    WF_APP_NUMBER(settings, k, TILE_K, 4096, 256, "columns of A, rows of B, a multiple of 8"),
    {0}};

static bool tiled(const char *key, uint32_t tile, uint32_t value, wf_error *err) {
  return value % tile == 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "app.%s=%u: must be a multiple of %u", key, value, tile);
}

static bool sgm(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err) || !tiled("m", TILE_M, s.m, err) ||
      !tiled("n", TILE_N, s.n, err) || !tiled("k", TILE_K, s.k, err))
    return false;
  const uint32_t m = s.m, n = s.n, k = s.k;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *a = wf_suite_floats(host, &rng, m * k, -1.0f, 1.0f),
        *b = wf_suite_floats(host, &rng, k * n, -1.0f, 1.0f),
        *c = wf_suite_floats(host, &rng, m * n, -1.0f, 1.0f);
  uint64_t device_a, device_b, device_c;
  wf_suite_shape shape = {m / TILE_M, n / TILE_N, TILE_N, TILE_K};
  if (!(device_a = wf_app_upload(run->gpu, a, m * k * 4ull, "a", err)) ||
      !(device_b = wf_app_upload(run->gpu, b, k * n * 4ull, "b", err)) ||
      !(device_c = wf_app_upload(run->gpu, c, m * n * 4ull, "c", err)) ||
      !WF_SUITE_LAUNCH(run, "sgm_nt", shape, err, &device_a, &m, &device_b, &n, &device_c, &m, &k,
                       &alpha, &beta))
    return false;
  float *sums = wf_suite_array(host, m * n, sizeof *sums);
  for (uint32_t column = 0; column < n; column++)
    for (uint32_t i = 0; i < k; i++) /* each sum in the order of i, as in the kernel */
      for (uint32_t row = 0; row < m; row++)
        sums[column * m + row] = fmaf(a[i * m + row], b[i * n + column], sums[column * m + row]);
  for (uint32_t i = 0; i < m * n; i++) c[i] = c[i] * beta + alpha * sums[i];
  return wf_suite_check_f32(run, host, "element", device_c, c, m * n, err);
}

WF_SUITE_APP(sgm, "register-tiled matrix product, as in Parboil", options, false, sgm);
