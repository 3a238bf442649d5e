/* Speckle-reducing anisotropic diffusion as in Rodinia (srad_v2). */
#include "sim/apps/cache/suite.h"

enum { TILE = 16 };
static const float lambda = 0.5f;

typedef struct settings {
  uint32_t n, turns;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, n, TILE, 4096, 512, "rows and columns, a multiple of 16"),
    WF_APP_NUMBER(settings, turns, 1, 10000, 2, "steps of the diffusion"),
    {0}};

/* Variance over mean squared of the image: the host's part, as in Rodinia. */
static float speckle(const float *image, uint32_t words) {
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < words; i++) {
    sum += (double)image[i];
    squares += (double)image[i] * (double)image[i];
  }
  double mean = sum / words, variance = squares / words - mean * mean;
  return (float)(variance / (mean * mean));
}

/* Neighbour towards (dy, dx), or the pixel itself beyond the edge. */
static uint32_t beside(uint32_t n, uint32_t y, uint32_t x, int dy, int dx) {
  uint32_t to_y = (dy < 0 && y == 0) || (dy > 0 && y == n - 1) ? y : y + (uint32_t)dy;
  uint32_t to_x = (dx < 0 && x == 0) || (dx > 0 && x == n - 1) ? x : x + (uint32_t)dx;
  return to_y * n + to_x;
}

static float coefficient(float jc, const float d[4], float q0sqr) {
  float g2 = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]) / (jc * jc);
  float l = (d[0] + d[1] + d[2] + d[3]) / jc, den = 1.0f + 0.25f * l;
  float qsqr = (0.5f * g2 - 0.0625f * (l * l)) / (den * den);
  float value = 1.0f / (1.0f + (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr)));
  return value < 0.0f ? 0.0f : value > 1.0f ? 1.0f : value;
}

/* d: [n * n][4] differences to north, south, west, east; c: coefficients. */
static void reference_step(uint32_t n, float *image, float (*d)[4], float *c, float q0sqr) {
  static const int dy[] = {-1, 1, 0, 0}, dx[] = {0, 0, -1, 1};
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++) {
      uint32_t i = y * n + x;
      for (int k = 0; k < 4; k++) d[i][k] = image[beside(n, y, x, dy[k], dx[k])] - image[i];
      c[i] = coefficient(image[i], d[i], q0sqr);
    }
  for (uint32_t y = 0; y < n; y++)
    for (uint32_t x = 0; x < n; x++) {
      uint32_t i = y * n + x;
      float cs = c[beside(n, y, x, 1, 0)], ce = c[beside(n, y, x, 0, 1)];
      float sum = c[i] * d[i][0] + cs * d[i][1] + c[i] * d[i][2] + ce * d[i][3];
      image[i] = image[i] + 0.25f * lambda * sum;
    }
}

static bool srd(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.n, turns = s.turns;
  if (n % TILE)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.n=%u: must be a multiple of %d", n, TILE);
  uint32_t words = n * n;
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *image = wf_suite_floats(host, &rng, words, 1.0f, 2.0f),
        *c = wf_suite_array(host, words, 4);
  float(*d)[4] = wf_suite_array(host, words, sizeof *d);
  uint64_t device[6]; /* image, c, and the differences */
  if (!(device[0] = wf_app_upload(run->gpu, image, words * 4ull, "image", err))) return false;
  for (int i = 1; i < 6; i++)
    if (!(device[i] = wf_app_reserve(run->gpu, 0xff, words * 4ull, "coefficients", err)))
      return false;
  wf_suite_shape shape = wf_suite_plane(n, n, TILE, TILE);
  for (; run->supersteps < turns; run->supersteps++) {
    float q0sqr = speckle(image, words);
    if (!WF_SUITE_LAUNCH(run, "srd_coefficients", shape, err, &device[0], &device[2], &device[3],
                         &device[4], &device[5], &device[1], &n, &q0sqr) ||
        !WF_SUITE_LAUNCH(run, "srd_update", shape, err, &device[0], &device[2], &device[3],
                         &device[4], &device[5], &device[1], &n, &lambda))
      return false;
    reference_step(n, image, d, c, q0sqr);
  }
  return wf_suite_check_f32(run, host, "coefficient", device[1], c, words, err) &&
         wf_suite_check_f32(run, host, "pixel", device[0], image, words, err);
}

WF_SUITE_APP(srd, "speckle-reducing anisotropic diffusion, as in Rodinia", options, false, srd);
