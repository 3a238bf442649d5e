/* All pairs shortest paths by Floyd and Warshall on a drawn dense graph. */
#include "sim/apps/cache/suite.h"

/* FAR twice fits 32 bits. */
enum { SIDE = 16, FAR = 0x3fffffff, MAX_WEIGHT = 1000 };

typedef struct settings {
  uint32_t n, degree;
} settings;
static const wf_parameter options[] = {
    WF_APP_NUMBER(settings, n, 1, 4096, 192, "vertices"),
    WF_APP_NUMBER(settings, degree, 1, 4096, 8, "mean arcs of a vertex"),
    {0}};

static void draw(uint64_t seed, uint32_t n, uint32_t degree, uint32_t *distance) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  for (uint32_t i = 0; i < n * n; i++) {
    bool arc = wf_rng_below(&rng, n) < degree;
    distance[i] = i / n == i % n ? 0 : arc ? 1 + (uint32_t)wf_rng_below(&rng, MAX_WEIGHT) : FAR;
  }
}

static void reference(uint32_t n, uint32_t *distance) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t from = 0; from < n; from++)
      for (uint32_t to = 0; to < n; to++) {
        uint32_t through = distance[from * n + k] + distance[k * n + to];
        if (through < distance[from * n + to]) distance[from * n + to] = through;
      }
}

static bool aps(wf_app_run *run, wf_suite_host *host, wf_error *err) {
  settings s;
  if (!wf_app_read_options(run, options, &s, err)) return false;
  const uint32_t n = s.n;
  uint32_t *distance = wf_suite_array(host, (uint64_t)n * n, sizeof *distance);
  draw(run->seed, n, s.degree, distance);
  uint64_t device = wf_app_upload(run->gpu, distance, n * n * 4ull, "distances", err);
  if (!device) return false;
  for (uint32_t k = 0; k < n; k++, run->supersteps++)
    if (!WF_SUITE_LAUNCH(run, "aps_through", wf_suite_plane(n, n, SIDE, SIDE), err, &device, &n,
                         &k))
      return false;
  reference(n, distance);
  return wf_suite_check_u32(run, host, "distance of pair", device, distance, (uint64_t)n * n, NULL,
                            err);
}

WF_SUITE_APP(aps, "all pairs shortest paths, Floyd-Warshall, a launch per vertex", options, false,
             aps);
