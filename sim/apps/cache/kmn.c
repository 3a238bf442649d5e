/* k-means as in Rodinia: the first kernel (as the paper ran it), and turns of the point kernel. */
#include <float.h>
#include <string.h>

#include "sim/apps/cache/suite.h"

enum { BLOCK = 256, TILE_POINTS = 32 };

static const char *const layouts[] = {"features", "points"}, *const forms[] = {"plain", "tile"};
typedef struct settings {
  uint32_t points, features, clusters, turns, layout, form;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, points, 1, 1 << 22, 32768, "points, rows of the input"),
    WF_APP_NUMBER(settings, features, 1, 256, 34, "features, words of a row"),
    WF_APP_NUMBER(settings, clusters, 1, 256, 5, "centres"),
    WF_APP_NUMBER(settings, turns, 0, 1000, 0,
                  "assignments after the first kernel; 0: the first kernel only"),
    WF_APP_CHOICE(settings, layout, layouts, 0,
                  "what the point kernel reads: features (inverted) or points (rows)"),
    WF_APP_CHOICE(settings, form, forms, 0,
                  "of the first kernel: plain, a row a thread, or tile, through shared memory"),
    {0}};

/* The nearest centre of each point; same operations in the same order as the kernel. */
static void assign(const settings *s, const float *points, const float *centres,
                   uint32_t *membership) {
  for (uint32_t p = 0; p < s->points; p++) {
    float least = FLT_MAX;
    membership[p] = 0;
    for (uint32_t c = 0; c < s->clusters; c++) {
      float sum = 0.0f;
      for (uint32_t f = 0; f < s->features; f++) {
        float difference = points[p * s->features + f] - centres[c * s->features + f];
        sum += difference * difference;
      }
      if (sum >= least) continue;
      least = sum;
      membership[p] = c;
    }
  }
}

/* Centres of the members, by the host as in Rodinia; a centre without members stays. */
static void move_centres(const settings *s, const float *points, const uint32_t *membership,
                         uint32_t *members, float *sums, float *centres) {
  memset(members, 0, s->clusters * sizeof *members);
  memset(sums, 0, s->clusters * s->features * sizeof *sums);
  for (uint32_t p = 0; p < s->points; p++) {
    members[membership[p]]++;
    for (uint32_t f = 0; f < s->features; f++)
      sums[membership[p] * s->features + f] += points[p * s->features + f];
  }
  for (uint32_t i = 0; i < s->clusters * s->features; i++) {
    uint32_t n = members[i / s->features];
    if (n) centres[i] = sums[i] / (float)n;
  }
}

static bool turns(wf_app_run *run, wf_suite_host *host, const settings *s, const float *points,
                  uint64_t rows, uint64_t inverted, wf_error *err) {
  uint32_t words = s->clusters * s->features;
  float *centres = wf_suite_array(host, words, 4), *sums = wf_suite_array(host, words, 4);
  uint32_t *expected = wf_suite_array(host, s->points, 4),
           *got = wf_suite_array(host, s->points, 4),
           *members = wf_suite_array(host, s->clusters, 4);
  for (uint32_t i = 0; i < words; i++) /* the first points, as in Rodinia */
    centres[i] = points[i / s->features % s->points * s->features + i % s->features];
  uint64_t device_centres = wf_app_upload(run->gpu, centres, words * 4ull, "centres", err),
           membership = wf_app_reserve(run->gpu, 0xff, s->points * 4ull, "membership", err);
  if (!device_centres || !membership) return false;
  const char *kernel = s->layout ? "kmn_point_points" : "kmn_point_features";
  const uint64_t *layout = s->layout ? &rows : &inverted;
  for (uint32_t t = 0; t < s->turns; t++, run->supersteps++) {
    if (!wf_gpu_write(run->gpu, device_centres, centres, words * 4ull, err) ||
        !WF_SUITE_LAUNCH(run, kernel, wf_suite_line(s->points, BLOCK), err, layout, &device_centres,
                         &s->points, &s->features, &s->clusters, &membership) ||
        !wf_gpu_read(run->gpu, got, membership, s->points * 4ull, err))
      return false;
    assign(s, points, centres, expected);
    wf_app_compare_u32(run, "centre of point", got, expected, s->points);
    move_centres(s, points, expected, members, sums, centres);
  }
  return true;
}

static bool kmn(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  uint64_t words = (uint64_t)s.points * s.features;
  if (words > UINT32_MAX / 4)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "app.points=%u app.features=%u: more than 4 GiB",
                   s.points, s.features);
  wf_rng rng;
  wf_rng_seed(&rng, run->seed);
  float *points = wf_suite_floats(host, &rng, words, 0.0f, 1.0f),
        *expected = wf_suite_array(host, words, sizeof *expected);
  for (uint64_t i = 0; i < words; i++)
    expected[i % s.features * s.points + i / s.features] = points[i];
  wf_suite_shape shape = wf_suite_line(s.points, s.form ? TILE_POINTS : BLOCK);
  shape.block_x = BLOCK;
  uint64_t rows, inverted;
  return (rows = wf_app_upload(run->gpu, points, words * 4, "points", err)) &&
         (inverted = wf_app_reserve(run->gpu, 0, words * 4, "features", err)) &&
         WF_SUITE_LAUNCH(run, s.form ? "kmn_invert_tile" : "kmn_invert_mapping", shape, err, &rows,
                         &inverted, &s.points, &s.features) &&
         wf_suite_check_f32(run, host, "inverted feature", inverted, expected, words, err) &&
         turns(run, host, &s, points, rows, inverted, err);
}

WF_SUITE_APP(kmn, "k-means: inverts the layout of the points, then assigns them, as in Rodinia",
             options, false, kmn);
