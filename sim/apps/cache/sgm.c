/* Register-tiled matrix product as in Parboil (sgemm): C = alpha A B + beta C. */
#include <math.h>

#include "sim/apps/cache/suite.h"

enum { TILE_N = 16, TILE_K = 8, TILE_M = 128 };
static const float alpha = 0.75f, beta = 0.5f;

static const wf_app_option options[] = {
    {"app.m", "512", "rows of A and C, a multiple of 128"},
    {"app.n", "256", "columns of B and C, a multiple of 16"},
    {"app.k", "256", "columns of A, rows of B, a multiple of 8"},
    {NULL, NULL, NULL}};

static bool tiled(const wf_app_run *run, const char *key, uint32_t tile, uint32_t *value,
                  wf_error *err) {
  if (!wf_suite_number(run, options, key, tile, 4096, value, err)) return false;
  return *value % tile == 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "%s=%u: must be a multiple of %u", key, *value, tile);
}

static bool sgm(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  uint32_t m, n, k;
  if (!tiled(run, "app.m", TILE_M, &m, err) || !tiled(run, "app.n", TILE_N, &n, err) ||
      !tiled(run, "app.k", TILE_K, &k, err))
    return false;
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

WF_SUITE_APP(sgm, "register-tiled matrix product, as in Parboil", false, sgm);
