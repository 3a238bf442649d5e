/* Values over time: their sums are the run's totals, their intervals are equal and no longer than
 * asked for, none has more than its cycles allow, and the run is the same with and without them,
 * beside a timeline too. The checks are tried on values with a fault. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/energy/collect.h"
#include "sim/report/series.h"
#include "sim/report/timeline.h"

/* The counters of a run that is over, in the order of wf_series_counters, and what bounds them. */
typedef struct totals {
  double of[16];
  double cycles, slots, schedulers;
} totals;

typedef struct outcome {
  cJSON *series;
  totals totals;
} outcome;

static totals count(const wf_gpu *gpu, const wf_energy_model *model) {
  const wf_sm_counters *sm = wf_gpu_sm_counters(gpu);
  const wf_l1_counters *l1 = wf_gpu_l1_counters(gpu);
  const wf_mem_counters *m = wf_gpu_mem_counters(gpu);
  const wf_gpu_config *c = wf_gpu_get_config(gpu);
  wf_energy_counts counts;
  wf_energy energy;
  wf_energy_collect(gpu, &counts);
  wf_energy_compute(model, &counts, &energy);
  return (totals){.of = {(double)sm->occupied_warp_cycles, (double)sm->issue_cycles,
                         (double)sm->stalls[WF_STALL_MEMORY], (double)sm->stalls[WF_STALL_IDLE],
                         (double)sm->warp_instructions, (double)l1->accesses, (double)l1->hits,
                         (double)(m->l2.reads + m->l2.writes + m->l2.atomics), (double)m->l2.hits,
                         (double)m->noc.flits, (double)(m->dram.read_bytes + m->dram.write_bytes),
                         energy.total},
                  .cycles = (double)wf_gpu_cycles(gpu),
                  .slots = (double)c->n_sm * c->warps_per_sm,
                  .schedulers = (double)c->n_sm * c->schedulers};
}

static outcome run(unsigned points, bool timeline, const char *skip) {
  static const char path[] = "test_series.tmp.json";
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  wf_energy_model model;
  wf_energy_default(&model, WF_ENERGY_GTX480);
  assert_true(wf_gpu_config_load(&config, "k20c", &err));
  for (const char *const *s = (const char *const[]){"app.left=600", "app.right=2000", "app.keys=50",
                                                    "app.form=cdp", NULL};
       *s; s++)
    assert_true(wf_options_add(&options, *s, &err));
  wf_options_put(&options, "sim.skip", skip);
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  wf_series *s = wf_series_create(&(wf_series_settings){points});
  wf_timeline *t =
      timeline ? wf_timeline_open(path, &config, &(wf_timeline_settings){0, 700}, &err) : NULL;
  if (s) wf_series_attach(s, gpu, &model);
  if (t) wf_timeline_attach(t, gpu, &model);
  wf_app_run app = {.gpu = gpu, .seed = 1};
  if (!wf_app_start(wf_app_find("join", &err), &app, &err) || !app.verified)
    fail_msg("%s %s", err.text, app.verdict);
  if (t) assert_true(wf_timeline_close(t, &err));
  unlink(path);
  outcome o = {s ? wf_series_json(s) : NULL, count(gpu, &model)};
  wf_series_destroy(s);
  wf_gpu_destroy(gpu);
  wf_options_free(&options);
  return o;
}

static const cJSON *array(const cJSON *series, const char *key) {
  const cJSON *a = cJSON_GetObjectItemCaseSensitive(series, key);
  if (!cJSON_IsArray(a)) fail_msg("no %s", key);
  return a;
}
static double at(const cJSON *series, const char *key, int i) {
  return cJSON_GetArrayItem(array(series, key), i)->valuedouble;
}

/* NULL: all that must hold does; else what does not. */
static const char *fault_of(const outcome *o, int points) {
  const int n = cJSON_GetArraySize(array(o->series, "end"));
  const double every = at(o->series, "end", 0);
  if (n > points || n < 2) return "number of points";
  for (int i = 0; i < n; i++) {
    const double from = i ? at(o->series, "end", i - 1) : 0,
                 length = at(o->series, "end", i) - from;
    if (i < n - 1 ? length != every : length > every || !(length > 0)) return "intervals";
    if (at(o->series, "occupied_warp_cycles", i) > length * o->totals.slots) return "warp slots";
    if (at(o->series, "issue", i) + at(o->series, "memory", i) + at(o->series, "idle", i) >
        length * o->totals.schedulers)
      return "schedulers' cycles";
    if (at(o->series, "l1_hits", i) > at(o->series, "l1_accesses", i)) return "hits";
  }
  if (at(o->series, "end", n - 1) != o->totals.cycles) return "the end";
  for (unsigned c = 0; wf_series_counters[c]; c++) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
      if (at(o->series, wf_series_counters[c], i) < 0) return "a negative";
      sum += at(o->series, wf_series_counters[c], i);
    }
    if (fabs(sum - o->totals.of[c]) > 1e-9 * o->totals.of[c]) return wf_series_counters[c];
  }
  return NULL;
}

static void values_add_up(void **state) {
  static const unsigned points[] = {3, 4, 50, 201, 10000};
  (void)state;
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    outcome o = run(points[i], false, i % 2 ? "0" : "1");
    const char *fault = fault_of(&o, (int)points[i]);
    if (fault) fail_msg("%u points: %s", points[i], fault);
    cJSON_Delete(o.series);
  }
}

static void the_run_is_the_same(void **state) {
  (void)state;
  const outcome without = run(0, false, "1");
  assert_null(without.series);
  outcome with = run(60, false, "1"), both = run(60, true, "1"), ticked = run(60, true, "0");
  assert_memory_equal(&without.totals, &with.totals, sizeof with.totals);
  assert_memory_equal(&without.totals, &both.totals, sizeof with.totals);
  assert_true(cJSON_Compare(with.series, both.series, true));
  assert_true(cJSON_Compare(with.series, ticked.series, true)); /* also where time is jumped over */
  cJSON_Delete(with.series);
  cJSON_Delete(both.series);
  cJSON_Delete(ticked.series);
}

static void faults_are_seen(void **state) {
  (void)state;
  outcome o = run(40, false, "1");
  for (unsigned c = 0; wf_series_counters[c]; c++) {
    cJSON *v = cJSON_GetArrayItem(array(o.series, wf_series_counters[c]), 1);
    const double was = v->valuedouble;
    cJSON_SetNumberValue(v, was + 1e7);
    assert_non_null(fault_of(&o, 40));
    cJSON_SetNumberValue(v, was);
  }
  assert_null(fault_of(&o, 40));
  cJSON *end = cJSON_GetArrayItem(array(o.series, "end"), 2);
  cJSON_SetNumberValue(end, end->valuedouble + 1);
  assert_string_equal(fault_of(&o, 40), "intervals");
  cJSON_Delete(o.series);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_add_up),
                                     cmocka_unit_test(the_run_is_the_same),
                                     cmocka_unit_test(faults_are_seen)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
