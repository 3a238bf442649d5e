/* Edges of an image by Sobel's filter: the plain form and the one through shared memory. */
#include <stdlib.h>

#include "sim/apps/cache/suite.h"

enum { TILE = 16, WHITE = 255 };

typedef struct settings {
  uint32_t form, rows, cols, strip;
} settings;
static const wf_parameter options[] = {
    WF_APP_CHOICE(settings, form, wf_suite_forms, 0,
                  "plain, or shared: tile and halo through shared memory; double: a thread goes "
                  "down a column, the row after the next loaded ahead; copy: a block does, rows "
                  "copied ahead (cp.async)"),
    WF_SUITE_STRIP_OPTION(settings),
    WF_APP_NUMBER(settings, rows, 1, 8192, 1024, "rows"),
    WF_APP_NUMBER(settings, cols, 1, 8192, 1024, "columns"),
    {0}};

/* A slope with bright rectangles and noise. */
static int32_t *draw(wf_suite_host *host, uint64_t seed, uint32_t rows, uint32_t cols) {
  enum { RECTANGLES = 24 };
  int32_t *image = wf_suite_array(host, (uint64_t)rows * cols, sizeof *image);
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < cols; x++)
      image[(uint64_t)y * cols + x] =
          (int32_t)((x + y) * 96ull / (rows + cols) + wf_rng_below(&rng, 16));
  for (int i = 0; i < RECTANGLES; i++) {
    const uint32_t top = (uint32_t)wf_rng_below(&rng, rows),
                   left = (uint32_t)wf_rng_below(&rng, cols),
                   high = (uint32_t)wf_rng_below(&rng, rows / 4 + 1),
                   wide = (uint32_t)wf_rng_below(&rng, cols / 4 + 1);
    for (uint32_t y = top; y < rows && y < top + high; y++)
      for (uint32_t x = left; x < cols && x < left + wide; x++)
        image[(uint64_t)y * cols + x] ^= 128;
  }
  return image;
}

static int32_t pixel(const int32_t *image, uint32_t rows, uint32_t cols, int64_t y, int64_t x) {
  return y < 0 || x < 0 || y >= rows || x >= cols ? 0 : image[y * cols + x];
}

static int32_t edge(const int32_t *image, uint32_t rows, uint32_t cols, int64_t y, int64_t x) {
  static const int32_t across[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  int32_t gx = 0, gy = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      const int32_t p = pixel(image, rows, cols, y + j - 1, x + i - 1);
      gx += across[j][i] * p;
      gy += across[i][j] * p;
    }
  const int32_t sum = abs(gx) + abs(gy);
  return sum < WHITE ? sum : WHITE;
}

static bool eds(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  static const char *const kernels[] = {"eds_plain", "eds_shared", "eds_double", "eds_copy"};
  settings s;
  if (!wf_app_read_options(run, options, &s, err) ||
      !wf_suite_strip_takes(run, s.form, s.cols, err))
    return false;
  const uint32_t rows = s.rows, cols = s.cols;
  const uint64_t words = (uint64_t)rows * cols;
  int32_t *image = draw(host, run->seed, rows, cols);
  uint32_t *expected = wf_suite_array(host, words, sizeof *expected);
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < cols; x++)
      expected[(uint64_t)y * cols + x] = (uint32_t)edge(image, rows, cols, y, x);
  uint64_t device_image, edges;
  return (device_image = wf_app_upload(run->gpu, image, words * 4, "image", err)) &&
         (edges = wf_app_reserve(run->gpu, 0xff, words * 4, "edges", err)) &&
         (s.form >= WF_SUITE_DOUBLE
              ? WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_strips(s.form, rows, cols, s.strip),
                                err, &device_image, &edges, &rows, &cols, &s.strip)
              : WF_SUITE_LAUNCH(run, kernels[s.form], wf_suite_plane(cols, rows, TILE, TILE), err,
                                &device_image, &edges, &rows, &cols)) &&
         wf_suite_check_u32(run, host, "pixel", edges, expected, words, NULL, err);
}

WF_SUITE_APP(eds, "edges of an image by Sobel's filter, plain or through shared memory", options,
             false, eds);
