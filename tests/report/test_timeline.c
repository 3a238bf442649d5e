/* The timeline: JSON that Perfetto takes; what begins ends; every block once, where and as long as
 * the counters say; a launched grid's blocks lie within its time; the SMs' warps add up to their
 * blocks', and power to the run's energy. The checks are tried on pictures with a fault. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "sim/energy/collect.h"
#include "sim/report/timeline.h"

enum { SMS = 13, SLOTS = 16, WARPS = 64, PID_SM = 10, MAX_GRIDS = 4096 };

typedef struct totals {
  double blocks, warp_cycles, held, cycles, launches, refused, kernels, warps, joules, clocks;
} totals;

/* What the counters say, and the picture. */
typedef struct picture {
  totals counted;
  cJSON *json;
} picture;

static const char path[] = "test_timeline.tmp.json";

static wf_gpu *create(const char *form, const char *setting, wf_gpu_config *config) {
  wf_error err = {0};
  wf_options options = {0};
  assert_true(wf_gpu_config_load(config, "k20c", &err));
  if (setting) wf_options_put(&options, setting, "0");
  for (const char *const *s =
           (const char *const[]){"app.left=600", "app.right=2000", "app.keys=50", NULL};
       *s; s++)
    assert_true(wf_options_add(&options, *s, &err));
  wf_options_put(&options, "app.form", form);
  wf_gpu *gpu = wf_gpu_create(config, &options, NULL, 0, 1, &err);
  wf_options_free(&options);
  assert_non_null(gpu);
  return gpu;
}

static double joules(const wf_gpu *gpu, const wf_energy_model *model) {
  wf_energy_counts counts;
  wf_energy energy;
  wf_energy_collect(gpu, &counts);
  wf_energy_compute(model, &counts, &energy);
  return energy.total;
}

static picture draw_every(const char *form, bool warps, const char *setting, unsigned interval) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_energy_model model;
  wf_energy_default(&model, WF_ENERGY_GTX480);
  wf_gpu *gpu = create(form, setting, &config);
  wf_timeline *t = wf_timeline_open(path, &config, &(wf_timeline_settings){warps, interval}, &err);
  if (!t) fail_msg("%s", err.text);
  assert_int_not_equal(access(path, F_OK), 0); /* not before it is complete */
  wf_timeline_attach(t, gpu, &model);
  wf_app_run run = {.gpu = gpu, .seed = 1};
  if (!wf_app_start(wf_app_find("join", &err), &run, &err) || !run.verified)
    fail_msg("%s %s", err.text, run.verdict);
  if (!wf_timeline_close(t, &err)) fail_msg("%s", err.text);
  const wf_launch_counters *l = wf_gpu_launch_counters(gpu);
  const wf_sm_counters *s = wf_gpu_sm_counters(gpu);
  size_t kernels;
  wf_gpu_kernels(gpu, &kernels);
  picture p = {.counted = {.blocks = (double)s->ctas,
                           .warp_cycles = (double)s->occupied_warp_cycles,
                           .cycles = (double)wf_gpu_cycles(gpu),
                           .launches = (double)(l->kernels + l->groups),
                           .refused = (double)l->groups_refused,
                           .kernels = (double)kernels,
                           .joules = interval ? joules(gpu, &model) : 0,
                           .clocks = SMS}};
  p.counted.held = p.counted.warp_cycles;
  wf_gpu_destroy(gpu);
  p.json = wf_json_read(path, &err);
  if (!p.json) fail_msg("%s", err.text);
  unlink(path);
  return p;
}

static picture draw(const char *form, bool warps, const char *setting) {
  return draw_every(form, warps, setting, 500);
}

static double number(const cJSON *o, const char *key) {
  const cJSON *n = cJSON_GetObjectItem(o, key);
  return cJSON_IsNumber(n) ? n->valuedouble : -1;
}
static const char *text(const cJSON *o, const char *key) {
  const char *s = cJSON_GetStringValue(cJSON_GetObjectItem(o, key));
  return s ? s : "";
}

typedef struct span {
  double row, from, to; /* row: process and thread */
} span;

static int by_row(const void *a, const void *b) {
  const span *x = a, *y = b;
  if (x->row != y->row) return x->row < y->row ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static bool overlap(span *s, size_t n) {
  qsort(s, n, sizeof *s, by_row);
  for (size_t i = 1; i < n; i++)
    if (s[i].row == s[i - 1].row && s[i].from < s[i - 1].to) return true;
  return false;
}

/* A launched grid: outer and inner pair; what its blocks are. */
typedef struct grid_seen {
  double begun, launched, waiting, started, ended, expected, blocks, first, last;
} grid_seen;

static grid_seen *grid_of(grid_seen *all, double kernel, double grid) {
  const size_t at = (size_t)kernel * 1024 + (size_t)grid;
  return kernel < 0 || grid < 0 || grid > 1023 || at >= MAX_GRIDS ? NULL : &all[at];
}

static bool take_grid(grid_seen *all, const cJSON *e, totals *t) {
  unsigned kernel, grid;
  if (sscanf(text(e, "id"), "%u.%u", &kernel, &grid) != 2) return false;
  grid_seen *g = grid_of(all, kernel, grid);
  const bool waiting = !strcmp(text(e, "name"), "waiting");
  const double ts = number(e, "ts");
  if (!g) return false;
  switch (*text(e, "ph")) {
  case 'n':
    t->refused++;
    return !strcmp(text(e, "name"), "refused") && g->begun && !g->started && ts >= g->launched;
  case 'b':
    if (waiting) return g->begun == ts + 1 && !g->waiting && (g->waiting = ts + 1);
    if (g->begun) return false;
    g->begun = ts + 1;
    t->launches++;
    const cJSON *args = cJSON_GetObjectItem(e, "args"), *blocks = cJSON_GetObjectItem(args, "grid");
    g->launched = number(args, "launched");
    g->expected = 1;
    for (int d = 0; d < 3; d++) g->expected *= cJSON_GetNumberValue(cJSON_GetArrayItem(blocks, d));
    return g->launched >= ts;
  case 'e':
    if (waiting) return g->waiting && !g->started && ts >= g->launched && (g->started = ts + 1);
    return g->started && !g->ended && (g->ended = ts + 1);
  default:
    return false;
  }
}

static bool take_block(grid_seen *all, const cJSON *e, totals *t) {
  const cJSON *args = cJSON_GetObjectItem(e, "args");
  const double from = number(e, "ts"), to = from + number(e, "dur"), sm = number(e, "pid") - PID_SM,
               slot = number(e, "tid") - 1;
  t->blocks++;
  t->warp_cycles += number(args, "warps") * number(e, "dur");
  if (sm < 0 || sm >= SMS || slot < 0 || slot >= SLOTS || number(e, "dur") < 1) return false;
  if (number(args, "grid") == 0) return true;
  grid_seen *g = grid_of(all, number(args, "kernel"), number(args, "grid"));
  if (!g || !g->begun) return false; /* blocks come after their grid's begin */
  g->blocks++;
  if (!g->first || from < g->first) g->first = from;
  if (to > g->last) g->last = to;
  return true;
}

/* Of each process what its counter was last, and since when. */
typedef struct last_value {
  double since, value;
} last_value;
enum { PID_GPU = 3 };
static const double mega_hertz = 706;

/* Adds what the last value came to. False: time goes backwards. */
static bool take_value(last_value *last, double now, double value, double *sum) {
  const bool forth = now >= last->since;
  *sum += last->value * (now - last->since);
  *last = (last_value){now, value};
  return forth;
}

static bool take_counter(last_value *warps, last_value *watts, const cJSON *e, totals *t) {
  const char *name = text(e, "name");
  const double pid = number(e, "pid"), value = number(cJSON_GetObjectItem(e, "args"), name);
  const int sm = (int)pid - PID_SM;
  if (!strcmp(name, "watts"))
    return pid == PID_GPU && value > 0 && take_value(watts, number(e, "ts"), value, &t->joules);
  if (sm < 0 || sm >= SMS) return false;
  if (!strcmp(name, "MHz")) return t->clocks++, value == mega_hertz;
  if (!strcmp(name, "voltage")) return value == 1;
  return !strcmp(name, "warps") && value >= 0 && value <= WARPS &&
         take_value(&warps[sm], number(e, "ts"), value, &t->held);
}

/* NULL: the picture is whole and as counted; else what is not. */
static const char *judge(const cJSON *json, const totals *counted) {
  const cJSON *events = cJSON_GetObjectItem(json, "traceEvents"), *e;
  const size_t n = (size_t)cJSON_GetArraySize(events);
  span *spans = wf_calloc(n + 1, sizeof *spans);
  grid_seen *all = wf_calloc(MAX_GRIDS, sizeof *all);
  size_t n_spans = 0;
  totals t = {0};
  const char *wrong = NULL;
  last_value warps[SMS] = {0}, watts = {0};
  cJSON_ArrayForEach(e, events) {
    const char *category = text(e, "cat"), *phase = text(e, "ph");
    if (!strcmp(phase, "M")) continue;
    if (!strcmp(phase, "X"))
      spans[n_spans++] = (span){number(e, "pid") * 1000 + number(e, "tid"), number(e, "ts"),
                                number(e, "ts") + number(e, "dur")};
    if (!strcmp(category, "kernel") && !strcmp(phase, "X"))
      t.kernels++, t.cycles += number(e, "dur");
    else if (!strcmp(category, "warp") && !strcmp(phase, "X"))
      t.warps += number(e, "dur");
    else if (!strcmp(category, "block") && !strcmp(phase, "X"))
      wrong = take_block(all, e, &t) ? wrong : "a block";
    else if (!strcmp(category, "grid"))
      wrong = take_grid(all, e, &t) ? wrong : "a launched grid";
    else if (!strcmp(phase, "C"))
      wrong = take_counter(warps, &watts, e, &t) ? wrong : "a counter";
    else
      wrong = "an event of no known kind";
  }
  for (size_t g = 0; g < MAX_GRIDS; g++)
    if (all[g].begun && (!all[g].ended || all[g].blocks != all[g].expected ||
                         all[g].first + 1 != all[g].started || all[g].last + 1 != all[g].ended))
      wrong = "a grid's blocks or end";
  for (int s = 0; s < SMS; s++)
    if (warps[s].value != 0) wrong = "an SM that is left with warps";
  take_value(&watts, counted->cycles, 0, &t.joules);
  t.joules /= 1e6 * mega_hertz;
  if (overlap(spans, n_spans)) wrong = "two at a time in one place";
  free(spans);
  free(all);
  if (wrong) return wrong;
  if (t.blocks != counted->blocks) return "number of blocks";
  if (t.warp_cycles != counted->warp_cycles) return "occupancy";
  if (t.held != counted->held) return "warps of SMs";
  if (t.clocks != counted->clocks) return "clocks";
  if (fabs(t.joules - counted->joules) > 1e-3 * counted->joules) return "power";
  if (t.kernels != counted->kernels || t.cycles != counted->cycles) return "kernels of the host";
  if (t.launches != counted->launches || t.refused != counted->refused) return "launches";
  return t.warps > counted->warp_cycles || (counted->warps && !t.warps) ? "warps" : NULL;
}

static void assert_whole(const char *form, bool warps, const char *setting) {
  picture p = draw(form, warps, setting);
  p.counted.warps = warps;
  const char *wrong = judge(p.json, &p.counted);
  if (wrong) fail_msg("%s: %s", form, wrong);
  cJSON_Delete(p.json);
}

static void pictures_are_whole(void **state) {
  (void)state;
  assert_whole("flat", false, NULL);
  assert_whole("cdp", false, NULL);
  assert_whole("dtbl", true, NULL);
  assert_whole("dtbl", false, "sim.skip"); /* ticked through dead time */
  static const unsigned intervals[] = {0, 1, 7777, 1000000000};
  for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
    picture p = draw_every("dtbl", false, NULL, intervals[i]);
    const char *wrong = judge(p.json, &p.counted);
    if (wrong) fail_msg("power every %u cycles: %s", intervals[i], wrong);
    cJSON_Delete(p.json);
  }
}

/* The first of its kind; of counters by their name. */
static cJSON *find(const cJSON *json, const char *category, const char *phase) {
  cJSON *e;
  const char *key = *phase == 'C' ? "name" : "cat";
  cJSON_ArrayForEach(
      e, cJSON_GetObjectItem(json, "traceEvents")) if (!strcmp(text(e, key), category) &&
                                                       !strcmp(text(e, "ph"), phase) &&
                                                       number(cJSON_GetObjectItem(e, "args"),
                                                              "grid") != 0) return e;
  fail_msg("no event %s %s", category, phase);
  return NULL;
}

static void faults_are_found(void **state) {
  (void)state;
  const picture p = draw("dtbl", false, NULL);
  static const struct {
    const char *category, *phase,
        *key; /* key: one more or less in it; NULL: the event is taken out */
  } faults[] = {{"block", "X", NULL},  {"block", "X", "dur"},  {"block", "X", "ts"},
                {"block", "X", "pid"}, {"kernel", "X", "dur"}, {"grid", "b", NULL},
                {"grid", "e", NULL},   {"grid", "e", "ts"},    {"warps", "C", NULL},
                {"warps", "C", "ts"},  {"warps", "C", "pid"},  {"watts", "C", NULL},
                {"watts", "C", "pid"}, {"MHz", "C", NULL},     {"voltage", "C", "pid"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    cJSON *json = cJSON_Duplicate(p.json, true),
          *e = find(json, faults[i].category, faults[i].phase);
    if (faults[i].key) {
      cJSON *n = cJSON_GetObjectItem(e, faults[i].key);
      cJSON_SetNumberValue(n, n->valuedouble + (strcmp(faults[i].key, "pid") ? -1 : SMS));
    } else {
      cJSON_Delete(cJSON_DetachItemViaPointer(cJSON_GetObjectItem(json, "traceEvents"), e));
    }
    if (!judge(json, &p.counted))
      fail_msg("fault %zu (%s %s %s) was not found", i, faults[i].category, faults[i].phase,
               faults[i].key ? faults[i].key : "");
    cJSON_Delete(json);
  }
  cJSON *twice = cJSON_Duplicate(p.json, true);
  cJSON_AddItemToArray(cJSON_GetObjectItem(twice, "traceEvents"),
                       cJSON_Duplicate(find(twice, "block", "X"), true));
  assert_non_null(judge(twice, &p.counted));
  cJSON_Delete(twice);
  cJSON_Delete(p.json);
}

/* A run that fails leaves nothing. */
static void abandoned(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config config;
  assert_true(wf_gpu_config_load(&config, "k20c", &err));
  const wf_timeline_settings set = {0};
  wf_timeline *t = wf_timeline_open(path, &config, &set, &err);
  assert_non_null(t);
  wf_timeline_abandon(t);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_null(wf_timeline_open("/nosuchfolder/t.json", &config, &set, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_are_whole),
                                     cmocka_unit_test(faults_are_found),
                                     cmocka_unit_test(abandoned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
