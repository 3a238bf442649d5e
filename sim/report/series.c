#include "sim/report/series.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/energy/collect.h"
#include "sim/gpu/observe.h"

enum { FIRST_INTERVAL = 16, MOST_POINTS = 10000 };

typedef enum counter {
  OCCUPIED,
  ISSUE,
  MEMORY,
  IDLE,
  WARP_INSTRUCTIONS,
  L1_ACCESSES,
  L1_HITS,
  L2_ACCESSES,
  L2_HITS,
  FLITS,
  DRAM_BYTES,
  JOULES,
  COUNTERS
} counter;

const char *const wf_series_counters[] = {[OCCUPIED] = "occupied_warp_cycles",
                                          [ISSUE] = "issue",
                                          [MEMORY] = "memory",
                                          [IDLE] = "idle",
                                          [WARP_INSTRUCTIONS] = "warp_instructions",
                                          [L1_ACCESSES] = "l1_accesses",
                                          [L1_HITS] = "l1_hits",
                                          [L2_ACCESSES] = "l2_accesses",
                                          [L2_HITS] = "l2_hits",
                                          [FLITS] = "flits",
                                          [DRAM_BYTES] = "dram_bytes",
                                          [JOULES] = "joules",
                                          [COUNTERS] = NULL};

/* Everything from the run's begin to here. */
typedef struct point {
  uint64_t cycle;
  double total[COUNTERS];
} point;

struct wf_series {
  wf_observer observer;
  const wf_gpu *gpu;
  const wf_energy_model *energy;
  point *points;
  size_t n, room; /* room: even, and without the run's last point */
};

const wf_parameter wf_series_parameters[] = {
    {"series.points", NULL, 0, MOST_POINTS, 0, offsetof(wf_series_settings, points), NULL,
     "`series` in the result, which `warpfab report` draws over time: at most so many points (3 or "
     "more); 0: none"},
    {0},
};

static point look(const wf_series *s) {
  const wf_sm_counters *sm = wf_gpu_sm_counters(s->gpu);
  const wf_l1_counters *l1 = wf_gpu_l1_counters(s->gpu);
  const wf_mem_counters *m = wf_gpu_mem_counters(s->gpu);
  wf_energy_counts counts;
  wf_energy energy;
  wf_energy_collect_running(s->gpu, &counts);
  wf_energy_compute(s->energy, &counts, &energy);
  return (point){.cycle = wf_gpu_cycles(s->gpu),
                 .total = {[OCCUPIED] = (double)sm->occupied_warp_cycles,
                           [ISSUE] = (double)sm->issue_cycles,
                           [MEMORY] = (double)sm->stalls[WF_STALL_MEMORY],
                           [IDLE] = (double)sm->stalls[WF_STALL_IDLE],
                           [WARP_INSTRUCTIONS] = (double)sm->warp_instructions,
                           [L1_ACCESSES] = (double)l1->accesses,
                           [L1_HITS] = (double)l1->hits,
                           [L2_ACCESSES] = (double)(m->l2.reads + m->l2.writes + m->l2.atomics),
                           [L2_HITS] = (double)m->l2.hits,
                           [FLITS] = (double)m->noc.flits,
                           [DRAM_BYTES] = (double)(m->dram.read_bytes + m->dram.write_bytes),
                           [JOULES] = energy.total}};
}

/* Every second point goes: intervals twice as long. */
static void thin(wf_series *s) {
  s->n /= 2;
  for (size_t i = 0; i < s->n; i++) s->points[i] = s->points[2 * i + 1];
  s->observer.every *= 2;
}

static void see(void *user, const wf_seen *what) {
  wf_series *s = user;
  if (what->kind != WF_SEEN_SAMPLE) return;
  s->points[s->n++] = look(s);
  if (s->n == s->room) thin(s);
}

wf_series *wf_series_create(const wf_series_settings *settings) {
  if (!settings->points) return NULL;
  wf_series *s = wf_calloc(1, sizeof *s);
  s->observer = (wf_observer){.see = see, .user = s, .every = FIRST_INTERVAL};
  s->room = settings->points < 3 ? 2 : (settings->points - 1) / 2 * 2;
  s->points = wf_calloc(s->room + 1, sizeof *s->points);
  return s;
}

void wf_series_attach(wf_series *s, wf_gpu *gpu, const wf_energy_model *energy) {
  s->gpu = gpu;
  s->energy = energy;
  wf_gpu_observe(gpu, &s->observer);
}

cJSON *wf_series_json(const wf_series *s) {
  cJSON *root = cJSON_CreateObject(), *end = cJSON_AddArrayToObject(root, "end");
  const point last = look(s);
  size_t n = s->n;
  if (!n || s->points[n - 1].cycle < last.cycle)
    s->points[n++] = last; /* there is room for it */
  else
    s->points[n - 1] = last; /* the run ended with a sample, after which more was counted */
  for (size_t i = 0; i < n; i++)
    cJSON_AddItemToArray(end, cJSON_CreateNumber((double)s->points[i].cycle));
  for (counter c = 0; c < COUNTERS; c++) {
    cJSON *array = cJSON_AddArrayToObject(root, wf_series_counters[c]);
    for (size_t i = 0; i < n; i++)
      cJSON_AddItemToArray(
          array, cJSON_CreateNumber(s->points[i].total[c] - (i ? s->points[i - 1].total[c] : 0)));
  }
  return root;
}

void wf_series_destroy(wf_series *s) {
  if (!s) return;
  free(s->points);
  free(s);
}
