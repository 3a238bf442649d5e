/* Adaptive mesh refinement around a front, in the forms of launch_app.h. */
#include "sim/apps/launch/launch_app.h"

enum { BLOCK = 128 };

typedef struct settings {
  wf_launch_form form; /* first: its rows are shared */
  uint32_t side, levels, sources, low, high;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, side, 1, 1024, 160, "coarse cells of the square's side"),
    WF_APP_NUMBER(settings, levels, 1, 2, 1, "of refinement, 1 or 2"),
    WF_APP_NUMBER(settings, sources, 1, 4096, 32, "of heat"),
    WF_APP_NUMBER(settings, low, 0, 1l << 31, 5000,
                  "a cell is refined whose heat is so much or more"),
    WF_APP_NUMBER(settings, high, 0, 1l << 31, 200000, "and less than this"),
    WF_LAUNCH_FORM_OPTIONS,
    {0}};

typedef struct source {
  uint32_t x, y, strength, falloff;
} source;

/* As the kernels have it. */
typedef struct device_mesh {
  uint64_t sources, sum, cells;
  uint32_t n_sources, low, high;
} device_mesh;

/* On a square of so many units; halved every 1/2 or 1 coarse cell's side. */
static source *draw_sources(wf_suite_host *host, uint64_t seed, uint32_t n, uint32_t units,
                            uint32_t coarse) {
  source *s = wf_suite_array(host, n, sizeof *s);
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  for (uint32_t i = 0; i < n; i++)
    s[i] =
        (source){(uint32_t)wf_rng_below(&rng, units), (uint32_t)wf_rng_below(&rng, units), 1u << 20,
                 (uint32_t)__builtin_ctz(coarse) - 1 + (uint32_t)wf_rng_below(&rng, 2)};
  return s;
}

static uint32_t away(uint32_t a, uint32_t b) {
  return a > b ? a - b : b - a;
}

static uint32_t heat(const device_mesh *m, const source *s, uint32_t x, uint32_t y, uint32_t size) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < m->n_sources; i++) {
    const uint32_t far = (away(x + size / 2, s[i].x) + away(y + size / 2, s[i].y)) >> s[i].falloff;
    if (far < 32) sum += s[i].strength >> far;
  }
  return sum;
}

/* Adds the finest cells in a cell. */
static void refine(const device_mesh *m, const source *s, uint32_t x, uint32_t y, uint32_t size,
                   uint32_t *sum, uint32_t *cells) {
  const uint32_t h = heat(m, s, x, y, size);
  if (size == 1 || h < m->low || h >= m->high) {
    *sum += h;
    ++*cells;
    return;
  }
  for (uint32_t i = 0; i < 64; i++)
    refine(m, s, x + i % 8 * (size / 8), y + i / 8 * (size / 8), size / 8, sum, cells);
}

static bool amr(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings set;
  if (!wf_app_read_options(run, options, &set, err)) return false;
  device_mesh m = {.n_sources = set.sources, .low = set.low, .high = set.high};
  const uint32_t side = set.side;
  const uint64_t n = (uint64_t)side * side;
  const uint32_t coarse =
      set.levels == 1 ? 8 : 64; /* units of a coarse cell's side; the finest have 1 */
  const source *s = draw_sources(host, run->seed, m.n_sources, side * coarse, coarse);
  wf_gpu *gpu = run->gpu;
  if (!(m.sources = wf_app_upload(gpu, s, m.n_sources * sizeof *s, "sources", err)) ||
      !(m.sum = wf_app_reserve(gpu, 0, n * 4, "sum", err)) ||
      !(m.cells = wf_app_reserve(gpu, 0, n * 4, "cells", err)) ||
      !wf_launch_open(run, &set.form, n, 64 * n, err) ||
      !WF_LAUNCH_IN_FORM(run, &set.form, "amr_coarse", wf_suite_line((uint32_t)n, BLOCK), err, &m,
                         &side, &coarse))
    return false;
  uint32_t *sum = wf_suite_array(host, n, 4), *cells = wf_suite_array(host, n, 4);
  uint64_t finest = 0;
  for (uint32_t i = 0; i < n; i++) {
    refine(&m, s, i % side * coarse, i / side * coarse, coarse, &sum[i], &cells[i]);
    finest += cells[i];
  }
  wf_app_report(run, "cells", (double)finest);
  return wf_suite_check_u32(run, host, "cells in coarse cell", m.cells, cells, n, NULL, err) &&
         wf_suite_check_u32(run, host, "heat of coarse cell", m.sum, sum, n, NULL, err);
}

WF_SUITE_APP(amr, "mesh refinement whose threads may launch a cell's finer cells", options, false,
             amr);
