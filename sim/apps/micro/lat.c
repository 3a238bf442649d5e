/* The thread-latency benchmark: one block of 2, 4 .. 1024 threads, each of which loads a few lines
 * that are in the L2 and not in the L1. While the lines fit what keeps misses, one thread more
 * costs a reply's cycles; the one that does not fit waits for a round trip. */
#include <stdlib.h>
#include <string.h>

#include "sim/apps/micro/lat.h"
#include "sim/base/wf_alloc.h"
#include "sim/base/wf_rng.h"

enum { LINE_WORDS = 32, LINES = LAT_LOADS * LAT_THREADS };

static const char *const patterns[] = {"lanes", "warps", "line", "scatter", NULL};
static const wf_parameter lat_options[] = {
    WF_APP_NUMBER(wf_lat_shape, loads, 1, LAT_LOADS, 1, "loads of each thread"),
    {"pattern", NULL, LAT_LANES, LAT_SCATTER, LAT_LANES, offsetof(wf_lat_shape, pattern), patterns,
     "who shares a line: neighbouring lanes, successive warps lane by lane, or all (line: in the "
     "first load; each warp in the others); scatter: nobody does, and lines lie anywhere"},
    WF_APP_NUMBER(wf_lat_shape, share, 1, 32, 1,
                  "so many lanes or warps share one, 1: none do; of scatter: which places"),
    {0}};

/* Data on the device. */
struct wf_lat {
  wf_app_run *run;
  uint64_t data, lines, sums, cycles;
  uint32_t word[LINES];                  /* the first of each line */
  uint32_t line[LAT_LOADS][LAT_THREADS]; /* of the shape in use */
  uint64_t wrong;                        /* sums so far */
};

/* Aligned to all of it: the sets of a cache fill evenly. */
static uint64_t upload(wf_lat *l, wf_error *err) {
  const uint64_t bytes = (uint64_t)LINES * LINE_WORDS * 4;
  uint32_t *host = wf_calloc(bytes, 1);
  wf_rng rng;
  wf_rng_seed(&rng, l->run->seed);
  for (uint32_t i = 0; i < LINES; i++)
    host[i * LINE_WORDS] = l->word[i] = (uint32_t)wf_rng_next(&rng);
  uint64_t at = wf_gpu_alloc(l->run->gpu, 2 * bytes, "lines", err);
  at = (at + bytes - 1) / bytes * bytes;
  if (at && !wf_gpu_write(l->run->gpu, at, host, bytes, err)) at = 0;
  free(host);
  return at;
}

wf_lat *wf_lat_open(wf_app_run *run, wf_error *err) {
  wf_lat *l = wf_calloc(1, sizeof *l);
  l->run = run;
  if (wf_app_load_kernels(run->gpu, "lat", err) && (l->data = upload(l, err)) &&
      (l->lines = wf_app_reserve(run->gpu, 0, sizeof l->line, "lines of threads", err)) &&
      (l->sums = wf_app_reserve(run->gpu, 0, 4 * LAT_THREADS, "sums", err)) &&
      (l->cycles = wf_app_reserve(run->gpu, 0, 4, "cycles", err)))
    return l;
  free(l);
  return NULL;
}

void wf_lat_close(wf_lat *l) {
  wf_app_compare_u64(l->run, "wrong sums", l->wrong, 0);
  free(l);
}

static uint32_t line_of(const wf_lat_shape *s, uint32_t thread, uint32_t load) {
  if (s->pattern == LAT_LINE) return load ? thread / 32 : 0;
  if (s->pattern == LAT_LANES) return thread / s->share;
  return thread % 32 + 32 * (thread / (32 * s->share));
}

/* Any lines, none twice. */
static void scatter(wf_lat *l, uint64_t seed) {
  uint32_t places[LINES], n = 0;
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  for (uint32_t i = 0; i < LINES; i++) places[i] = i;
  for (uint32_t k = 0; k < LAT_LOADS; k++)
    for (uint32_t t = 0; t < LAT_THREADS; t++, n++) {
      const uint32_t other = n + (uint32_t)wf_rng_below(&rng, LINES - n);
      l->line[k][t] = places[other];
      places[other] = places[n];
    }
}

/* Each thread's lines; a launch of all brings them to the L2. */
static bool prepare(wf_lat *l, const wf_lat_shape *s, wf_error *err) {
  for (uint32_t k = 0; k < LAT_LOADS; k++)
    for (uint32_t t = 0; t < LAT_THREADS; t++) l->line[k][t] = k * LAT_THREADS + line_of(s, t, k);
  if (s->pattern == LAT_SCATTER) scatter(l, s->share);
  return wf_gpu_write(l->run->gpu, l->lines, l->line, sizeof l->line, err);
}

/* Of so many threads: the cycles by thread 0's clock. */
static bool launch(wf_lat *l, const wf_lat_shape *s, uint32_t threads, uint32_t *cycles,
                   wf_error *err) {
  char kernel[] = "micro_lat1";
  kernel[sizeof kernel - 2] = (char)('0' + s->loads);
  const wf_launch_args args = {.kernel = kernel,
                               .grid = {1, 1, 1},
                               .block = {threads, 1, 1},
                               .params = {&l->data, &l->lines, &l->sums, &l->cycles},
                               .n_params = 4};
  uint32_t sums[LAT_THREADS];
  if (!wf_gpu_launch(l->run->gpu, &args, err) ||
      !wf_gpu_read(l->run->gpu, cycles, l->cycles, 4, err) ||
      !wf_gpu_read(l->run->gpu, sums, l->sums, 4ull * threads, err))
    return false;
  for (uint32_t t = 0; t < threads; t++) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < s->loads; k++) sum += l->word[l->line[k][t]];
    l->wrong += sum != sums[t];
  }
  return true;
}

/* A step from one point to the next: is it a spike? */
typedef struct steps {
  uint32_t last;   /* point's latency */
  int32_t largest; /* step so far */
} steps;

static bool is_spike(steps *s, uint32_t latency, int32_t *jump) {
  *jump = s->last ? (int32_t)(latency - s->last) : 0;
  const bool spike = *jump > 20 && *jump > 3 * s->largest;
  s->last = latency;
  if (*jump > s->largest) s->largest = *jump;
  return spike;
}

bool wf_lat_first(wf_lat *l, const wf_lat_shape *s, uint32_t *threads, uint32_t *round_trip,
                  wf_error *err) {
  uint32_t latency;
  int32_t jump;
  steps of = {0};
  *threads = 0;
  if (!prepare(l, s, err) || !launch(l, s, LAT_THREADS, &latency, err)) return false;
  for (uint32_t n = LAT_STEP; n <= LAT_THREADS && !*threads; n += LAT_STEP) {
    if (!launch(l, s, n, &latency, err)) return false;
    if (n == LAT_STEP) *round_trip = latency;
    const steps before = of;
    if (!is_spike(&of, latency, &jump)) continue;
    of = before; /* and with one thread more? */
    if (!launch(l, s, n - 1, &latency, err)) return false;
    *threads = n - (is_spike(&of, latency, &jump) ? 2 : 1);
  }
  return true;
}

static bool sweep(wf_lat *l, const wf_lat_shape *s, uint32_t latency[LAT_POINTS], wf_error *err) {
  uint32_t first;
  bool ok = prepare(l, s, err) && launch(l, s, LAT_THREADS, &first, err);
  for (unsigned i = 0; i < LAT_POINTS && ok; i++)
    ok = launch(l, s, LAT_STEP * (i + 1), &latency[i], err);
  return ok;
}

static void report(wf_app_run *run, const uint32_t latency[LAT_POINTS]) {
  static const char *const names[][2] = {
      {"spike", "spike_cycles"}, {"spike_2", "spike_2_cycles"}, {"spike_3", "spike_3_cycles"}};
  enum { SPIKES = sizeof names / sizeof *names };
  wf_app_report(run, "latency_2", latency[0]);
  wf_app_report(run, "latency_1024", latency[LAT_POINTS - 1]);
  steps of = {0};
  for (unsigned i = 0, n = 0; i < LAT_POINTS && n < SPIKES; i++) {
    int32_t jump;
    if (!is_spike(&of, latency[i], &jump)) continue;
    wf_app_report(run, names[n][0], LAT_STEP * i);
    wf_app_report(run, names[n++][1], jump);
  }
}

static bool run_lat(wf_app_run *run, wf_error *err) {
  wf_lat_shape s;
  uint32_t latency[LAT_POINTS];
  if (!wf_app_read_options(run, lat_options, &s, err)) return false;
  wf_lat *l = wf_lat_open(run, err);
  if (!l) return false;
  const bool ok = sweep(l, &s, latency, err);
  wf_lat_close(l);
  if (ok) report(run, latency);
  return ok;
}

const wf_app wf_app_lat = {"lat", "thread latency: when do the misses of one block not fit?", false,
                           lat_options, run_lat};
