/* What keeps an SM's misses, told from the outside: from spikes of thread latency alone, and from a
 * chain of loads that stays in the L1 up to its size. Nothing of the configuration is looked at. */
#include <stdlib.h>
#include <string.h>

#include "sim/apps/micro/lat.h"
#include "sim/base/wf_alloc.h"

/* L1_LINES: its ways run out first; there are at least so many MSHRs. */
enum { NOTHING_SEEN, MSHRS, L1_LINES, LOADS, LANE_SLOTS };
enum { MOST_LINES = 1024, LINE_BYTES = 128, PLACES = 3 };

/* A number of which threads of several loads leave a range. */
typedef struct range {
  uint32_t low, high;
} range;

static const range all = {1, UINT32_MAX}, none = {1, 0};

static bool holds(range r) {
  return r.low <= r.high;
}
static void narrow(range *r, uint32_t low, uint32_t high) {
  if (low > r->low) r->low = low;
  if (high < r->high) r->high = high;
}

/* First spikes: of lines that are each thread's own, and of those that two lanes share. */
typedef struct seen {
  uint32_t own[LAT_LOADS + 1], shared[LAT_LOADS + 1]; /* [loads]; 0: there is none */
  uint32_t one_line;                                  /* the pattern `line`, two loads */
  uint32_t scattered;  /* one load, lines anywhere: the latest of some */
  uint32_t round_trip; /* cycles */
} seen;

static bool look(wf_lat *l, seen *s, wf_error *err) {
  bool ok = true;
  for (uint32_t n = LAT_LOADS; n >= 1 && ok; n--) {
    ok = wf_lat_first(l, &(wf_lat_shape){n, LAT_LANES, 1}, &s->own[n], &s->round_trip, err);
    if (ok && n % 2 == 0)
      ok = wf_lat_first(l, &(wf_lat_shape){n, LAT_LANES, 2}, &s->shared[n], &s->round_trip, err);
  }
  return ok;
}

/* What only MSHRs have. */
static bool look_closer(wf_lat *l, seen *s, wf_error *err) {
  uint32_t threads, round_trip;
  for (uint32_t place = 1; place <= PLACES; place++) {
    if (!wf_lat_first(l, &(wf_lat_shape){1, LAT_SCATTER, place}, &threads, &round_trip, err))
      return false;
    if (threads > s->scattered) s->scattered = threads;
  }
  return wf_lat_first(l, &(wf_lat_shape){2, LAT_LINE, 1}, &s->one_line, &round_trip, err);
}

/* Lines that are waited for: spikes that move with the lines, and are there wherever fewer threads
 * have as many. Three regions fill a small L1's sets unevenly. */
static range lines_of(const seen *s) {
  range r = all;
  for (uint32_t n = 1; n <= LAT_LOADS; n *= 2) {
    if (s->shared[n] && !s->own[n]) return none;
    if (s->own[n]) narrow(&r, n * s->own[n], n * (s->own[n] + 1) - 1);
    if (s->shared[n]) narrow(&r, n * ((s->shared[n] + 1) / 2), n * ((s->shared[n] + 2) / 2) - 1);
  }
  return r;
}

/* Lanes that wait: spikes that do not. */
static range lanes_of(const seen *s) {
  range r = all;
  for (uint32_t n = 1; n <= LAT_LOADS; n++) {
    if (s->own[n]) narrow(&r, n * s->own[n], n * (s->own[n] + 1) - 1);
    if (s->shared[n]) narrow(&r, n * s->shared[n], n * (s->shared[n] + 1) - 1);
  }
  return r;
}

/* Loads that wait: these lie between warps. */
static range loads_of(const seen *s) {
  range r = all;
  for (uint32_t n = 1; n <= LAT_LOADS; n++)
    for (unsigned shared = 0; shared < 2; shared++) {
      const uint32_t threads = shared ? s->shared[n] : s->own[n];
      if (!threads) continue;
      if (threads % 32) return none;
      narrow(&r, n * threads / 32, n * (threads / 32) + n - 1);
    }
  return r;
}

/* ---- the L1: a chain of so many lines, gone through twice ---- */

static bool chain(wf_app_run *run, uint64_t data, uint64_t out, uint32_t lines, double *cycles,
                  wf_error *err) {
  const uint32_t warm = lines, turns = (lines + 7) / 8;
  const uint64_t out_cycles = out + 8;
  uint64_t *host = wf_calloc(lines, LINE_BYTES), result[2];
  for (uint32_t i = 0; i < lines; i++)
    host[i * (LINE_BYTES / 8)] = data + (uint64_t)((i + 1) % lines) * LINE_BYTES;
  const wf_launch_args args = {.kernel = "micro_chase",
                               .grid = {1, 1, 1},
                               .block = {1, 1, 1},
                               .params = {&data, &warm, &turns, &out, &out_cycles},
                               .n_params = 5};
  const bool ok = wf_gpu_write(run->gpu, data, host, (uint64_t)lines * LINE_BYTES, err) &&
                  wf_gpu_launch(run->gpu, &args, err) &&
                  wf_gpu_read(run->gpu, result, out, sizeof result, err);
  free(host);
  if (ok) *cycles = (double)result[1] / (8.0 * turns);
  return ok;
}

/* The most lines that stay; 0: none do, or more than are tried. */
static bool find_l1(wf_app_run *run, uint32_t round_trip, uint32_t *lines, wf_error *err) {
  const uint64_t bytes = (uint64_t)MOST_LINES * LINE_BYTES; /* aligned: sets fill evenly */
  uint64_t data, out;
  double hit, cycles;
  *lines = 0;
  if (!wf_app_load_kernels(run->gpu, "micro", err) ||
      !(data = wf_gpu_alloc(run->gpu, 2 * bytes, "chain", err)) ||
      !(out = wf_app_reserve(run->gpu, 0, 16, "result", err)) ||
      !chain(run, data = (data + bytes - 1) / bytes * bytes, out, 8, &hit, err))
    return false;
  if (hit > 0.5 * round_trip) return true; /* no L1 for these loads */
  uint32_t stay = 8, leave = MOST_LINES + 1;
  while (stay + 1 < leave) {
    const uint32_t middle = (stay + leave) / 2;
    if (!chain(run, data, out, middle, &cycles, err)) return false;
    if (cycles < 1.02 * hit + 1)
      stay = middle;
    else
      leave = middle;
  }
  *lines = stay == MOST_LINES ? 0 : stay;
  return true;
}

/* ---- the verdict ---- */

static bool any(const seen *s) {
  for (uint32_t n = 1; n <= LAT_LOADS; n++)
    if (s->own[n] || s->shared[n]) return true;
  return false;
}

static void conclude(wf_app_run *run, const seen *s, uint32_t l1_lines) {
  const range lines = lines_of(s), lanes = lanes_of(s), loads = loads_of(s);
  /* Lines in order fill all ways; lines anywhere those of some set before the others. */
  const bool ways = l1_lines && s->own[1] && l1_lines == s->own[1] && s->scattered < s->own[1];
  const unsigned kind = !any(s)        ? NOTHING_SEEN
                        : ways         ? L1_LINES
                        : holds(lines) ? MSHRS
                        : holds(loads) ? LOADS
                        : holds(lanes) ? LANE_SLOTS
                                       : NOTHING_SEEN;
  static const char *const names[] = {"nothing_seen", "mshrs", "l1_lines_bound", "prt_loads",
                                      "prt_lane_slots"};
  const range of = kind == MSHRS      ? lines
                   : kind == L1_LINES ? (range){l1_lines, l1_lines}
                   : kind == LOADS    ? loads
                                      : lanes;
  wf_app_report(run, names[kind], 1);
  wf_app_report(run, "round_trip", s->round_trip);
  wf_app_report(run, "l1_lines", l1_lines);
  if (kind == NOTHING_SEEN) return;
  wf_app_report(run, "entries_low", of.low);
  wf_app_report(run, "entries_high", of.high);
  const uint32_t requests = s->one_line / 32;
  if (kind <= L1_LINES && requests) wf_app_report(run, "requests_per_line", requests);
}

static bool run_misses(wf_app_run *run, wf_error *err) {
  seen s = {0};
  uint32_t l1_lines = 0;
  wf_lat *l = wf_lat_open(run, err);
  if (!l) return false;
  const bool ok = look(l, &s, err) && (!s.own[1] || look_closer(l, &s, err));
  wf_lat_close(l);
  if (!ok || !find_l1(run, s.round_trip, &l1_lines, err)) return false;
  conclude(run, &s, l1_lines);
  return true;
}

const wf_app wf_app_misses = {"misses", "what keeps an SM's misses, told from thread latency",
                              false, wf_app_no_options, run_misses};
