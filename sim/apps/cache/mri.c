/* Gridding of MRI samples as in Parboil (mri-gridding), on samples along spokes through k-space. */
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { CUBE = 4, BIN_BLOCK = 256, GRID_BLOCK = CUBE * CUBE * CUBE };

typedef struct settings {
  uint32_t side, samples, cutoff;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, side, CUBE, 256, 32, "grid points along each axis, a multiple of 4"),
    WF_APP_NUMBER(settings, samples, 1, 1 << 24, 16384, "samples"),
    WF_APP_NUMBER(settings, cutoff, 1, 16, 2, "reach of the kernel in grid points"),
    {0}};

typedef struct sample {
  float real, imag, x, y, z, density, unused;
  uint32_t id;
} sample;

typedef struct mri_size {
  uint32_t side, cells, n;
  float cutoff;
} mri_size;

/* Spokes from the middle to random points of the cube's faces, 64 samples each, as a radial scan
 * has. */
static sample *draw(wf_suite_host *host, uint64_t seed, const mri_size *s) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  sample *samples = wf_suite_array(host, s->n, sizeof *samples);
  float to[3] = {0}, middle = 0.5f * (float)s->side;
  for (uint32_t i = 0; i < s->n; i++) {
    if (i % 64 == 0) {
      for (int k = 0; k < 3; k++) to[k] = (float)s->side * (float)wf_rng_unit(&rng);
      to[wf_rng_below(&rng, 3)] = wf_rng_below(&rng, 2) ? 0.0f : (float)s->side;
    }
    float along = (float)(i % 64) / 64.0f, at[3];
    for (int k = 0; k < 3; k++) {
      at[k] = middle + along * (to[k] - middle);
      if (at[k] >= (float)s->side) at[k] = (float)s->side - 0.5f;
    }
    samples[i] = (sample){.real = (float)wf_rng_unit(&rng),
                          .imag = (float)wf_rng_unit(&rng),
                          .x = at[0],
                          .y = at[1],
                          .z = at[2],
                          .density = 0.5f + along,
                          .id = i};
  }
  return samples;
}

static uint32_t cell_of(const mri_size *s, const sample *p) {
  return ((uint32_t)p->z * s->side + (uint32_t)p->y) * s->side + (uint32_t)p->x;
}

static float weight_of(const sample *p, uint32_t x, uint32_t y, uint32_t z, float limit) {
  float dx = p->x - (float)x, dy = p->y - (float)y, dz = p->z - (float)z;
  float distance = dx * dx + dy * dy + dz * dz;
  if (distance >= limit) return 0.0f;
  float u = 1.0f - distance / limit;
  return p->density * (u * u * (3.0f - 2.0f * u));
}

/* Sums over the samples near one grid point, in their order; far ones add a zero. */
static void gather(const mri_size *s, const uint32_t *first, const sample *sorted, uint32_t at,
                   float *real, float *imag) {
  uint32_t side = s->side, x = at % side, y = at / side % side, z = at / side / side,
           reach = (uint32_t)s->cutoff + 1;
  uint32_t high = side - 1, x_low = x < reach ? 0 : x - reach,
           x_high = x + reach > high ? high : x + reach;
  for (uint32_t cz = z < reach ? 0 : z - reach; cz <= z + reach && cz < side; cz++)
    for (uint32_t cy = y < reach ? 0 : y - reach; cy <= y + reach && cy < side; cy++) {
      uint32_t row = (cz * side + cy) * side;
      for (uint32_t i = first[row + x_low]; i < first[row + x_high + 1]; i++) {
        float weight = weight_of(&sorted[i], x, y, z, s->cutoff * s->cutoff);
        *real += weight * sorted[i].real;
        *imag += weight * sorted[i].imag;
      }
    }
}

/* Within a cell the order is that of the device's atomics; everything else is determined: each cell
 * holds its samples, whole, each once. */
static bool check_sorted(wf_app_run *run, wf_suite_host *host, const mri_size *s,
                         const sample *samples, const uint32_t *first, uint64_t device,
                         sample **got, wf_error *err) {
  *got = wf_suite_array(host, s->n, sizeof **got);
  if (!wf_gpu_read(run->gpu, *got, device, s->n * sizeof **got, err)) return false;
  uint8_t *seen = wf_suite_array(host, s->n, 1);
  uint32_t *wrong = wf_suite_array(host, s->n, 4), *none = wf_suite_array(host, s->n, 4);
  for (uint32_t c = 0; c < s->cells; c++)
    for (uint32_t i = first[c]; i < first[c + 1]; i++) {
      const sample *p = &(*got)[i];
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bit for bit, as they were uploaded
      wrong[i] = p->id >= s->n || seen[p->id]++ || memcmp(p, &samples[p->id], sizeof *p) != 0 ||
                 cell_of(s, p) != c;
    }
  wf_app_compare_u32(run, "misplaced sample", wrong, none, s->n);
  return true;
}

static bool sort_samples(wf_app_run *run, wf_suite_host *host, const mri_size *s,
                         const sample *samples, uint32_t *first, uint64_t *device_first,
                         uint64_t *sorted, wf_error *err) {
  for (uint32_t i = 0; i < s->n; i++) first[cell_of(s, &samples[i]) + 1]++;
  uint32_t *counts = wf_suite_array(host, s->cells, 4);
  memcpy(counts, first + 1, s->cells * 4ull);
  for (uint32_t c = 0; c < s->cells; c++)
    first[c + 1] += first[c]; /* Parboil's scan, on the host */
  wf_gpu *gpu = run->gpu;
  uint64_t device_samples, count, cell, place;
  wf_suite_shape shape = wf_suite_line(s->n, BIN_BLOCK);
  return (device_samples = wf_app_upload(gpu, samples, s->n * sizeof *samples, "samples", err)) &&
         (*sorted = wf_app_reserve(gpu, 0, s->n * sizeof *samples, "sorted", err)) &&
         (*device_first = wf_app_upload(gpu, first, (s->cells + 1ull) * 4, "first", err)) &&
         (count = wf_app_reserve(gpu, 0, s->cells * 4ull, "count", err)) &&
         (cell = wf_app_reserve(gpu, 0, s->n * 4ull, "cell", err)) &&
         (place = wf_app_reserve(gpu, 0, s->n * 4ull, "place", err)) &&
         WF_SUITE_LAUNCH(run, "mri_bin", shape, err, &device_samples, &count, &cell, &place,
                         &s->side, &s->n) &&
         wf_suite_check_u32(run, host, "samples of cell", count, counts, s->cells, NULL, err) &&
         WF_SUITE_LAUNCH(run, "mri_reorder", shape, err, &device_samples, device_first, &cell,
                         &place, sorted, &s->n);
}

static bool choose(const wf_app_run *run, mri_size *s, wf_error *err) {
  settings set;
  if (!wf_app_read_options(run, options, &set, err)) return false;
  *s = (mri_size){set.side, set.side * set.side * set.side, set.samples, (float)set.cutoff};
  return s->side % CUBE == 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "app.side=%u: must be a multiple of %d", s->side, CUBE);
}

static bool mri(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  mri_size s;
  if (!choose(run, &s, err)) return false;
  sample *samples = draw(host, run->seed, &s), *order;
  uint32_t *first = wf_suite_array(host, s.cells + 1ull, sizeof *first);
  uint64_t device_first, sorted, real, imag;
  wf_suite_shape shape = {s.cells / GRID_BLOCK, 1, GRID_BLOCK, 1};
  if (!sort_samples(run, host, &s, samples, first, &device_first, &sorted, err) ||
      !check_sorted(run, host, &s, samples, first, sorted, &order, err) ||
      !(real = wf_app_reserve(run->gpu, 0xff, s.cells * 4ull, "real", err)) ||
      !(imag = wf_app_reserve(run->gpu, 0xff, s.cells * 4ull, "imag", err)) ||
      !WF_SUITE_LAUNCH(run, "mri_grid", shape, err, &sorted, &device_first, &real, &imag, &s.side,
                       &s.cutoff))
    return false;
  float *want_real = wf_suite_array(host, s.cells, 4),
        *want_imag = wf_suite_array(host, s.cells, 4);
  for (uint32_t at = 0; at < s.cells; at++)
    gather(&s, first, order, at, &want_real[at], &want_imag[at]);
  return wf_suite_check_f32(run, host, "real part of point", real, want_real, s.cells, err) &&
         wf_suite_check_f32(run, host, "imaginary part of point", imag, want_imag, s.cells, err);
}

WF_SUITE_APP(mri, "gridding of MRI samples, binned and gathered, as in Parboil", options, false,
             mri);
