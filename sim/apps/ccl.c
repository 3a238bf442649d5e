/* Connected component labelling of an image by label equivalence: each pixel ends with the smallest
 * index of its component (four neighbours, equal colour). */
#include "sim/apps/suite.h"

enum { BLOCK = 256, MAX_PIXELS = 1 << 26 };

static const wf_app_option options[] = {
    {"app.width", "512", "pixels of a row"},
    {"app.height", "512", "rows"},
    {"app.blob", "12", "mean width of a run of one colour"},
    {NULL, NULL, NULL}};

/* Two colours; a pixel mostly takes its upper or left neighbour's, which makes ragged blobs. */
static uint8_t *make_image(wf_suite_host *host, uint64_t seed, uint32_t width, uint32_t height, uint32_t blob) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  uint8_t *image = wf_suite_array(host, (uint64_t)width * height, 1);
  for (uint32_t i = 0; i < width * height; i++) {
    bool up = i >= width && (i % width == 0 || wf_rng_below(&rng, 2));
    bool fresh = i == 0 || wf_rng_below(&rng, blob) == 0;
    image[i] = fresh ? (uint8_t)wf_rng_below(&rng, 2) : image[i - (up ? width : 1)];
  }
  return image;
}

static uint32_t root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b) {
  a = root(parent, a);
  b = root(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

/* Returns the number of components. */
static uint32_t reference(const uint8_t *image, uint32_t width, uint32_t n, uint32_t *label) {
  uint32_t components = 0;
  for (uint32_t i = 0; i < n; i++) label[i] = i;
  for (uint32_t i = 0; i < n; i++) {
    if (i % width && image[i] == image[i - 1]) join(label, i, i - 1);
    if (i >= width && image[i] == image[i - width]) join(label, i, i - width);
  }
  for (uint32_t i = 0; i < n; i++) {
    label[i] = root(label, i);
    components += label[i] == i;
  }
  return components;
}

static bool ccl(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  uint32_t width, height, blob, again = 1;
  if (!wf_suite_number(run, options, "app.width", 1, 1 << 16, &width, err) ||
      !wf_suite_number(run, options, "app.height", 1, 1 << 16, &height, err) ||
      !wf_suite_number(run, options, "app.blob", 1, 1 << 16, &blob, err))
    return false;
  if ((uint64_t)width * height > MAX_PIXELS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.width=%u app.height=%u: at most %d pixels", width, height,
                   MAX_PIXELS);
  uint32_t n = width * height, *first = wf_suite_array(host, n, 4), *expected = wf_suite_array(host, n, 4);
  uint8_t *image = make_image(host, run->seed, width, height, blob);
  for (uint32_t i = 0; i < n; i++) first[i] = i;
  wf_gpu *gpu = run->gpu;
  uint64_t device_image, labels, table, changed;
  if (!(device_image = wf_app_upload(gpu, image, n, "image", err)) ||
      !(labels = wf_app_upload(gpu, first, n * 4ull, "labels", err)) ||
      !(table = wf_app_upload(gpu, first, n * 4ull, "equivalences", err)) ||
      !(changed = wf_app_reserve(gpu, 0, 4, "changed", err)))
    return false;
  wf_suite_shape shape = wf_suite_line(n, BLOCK);
  for (; again; run->supersteps++) {
    if (!wf_app_write_u32(gpu, changed, 0, err) ||
        !WF_SUITE_LAUNCH(run, "ccl_scan", shape, err, &device_image, &labels, &table, &changed, &width, &n) ||
        !wf_app_read_u32(gpu, changed, &again, err) ||
        (again && (!WF_SUITE_LAUNCH(run, "ccl_analyse", shape, err, &labels, &table, &n) ||
                   !WF_SUITE_LAUNCH(run, "ccl_label", shape, err, &labels, &table, &n))))
      return false;
  }
  wf_app_report(run, "components", reference(image, width, n, expected));
  return wf_suite_check_u32(run, host, "label of pixel", labels, expected, n, NULL, err);
}

WF_SUITE_APP(ccl, "connected components of an image by label equivalence", false, ccl);
