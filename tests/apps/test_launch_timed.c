/* Applications whose threads launch work, on the timed GPU, small: every form verifies and repeats
 * itself cycle by cycle; all that was launched was run; launches without latency are faster, and
 * groups wait less than kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"

typedef struct timed {
  uint64_t cycles;
  wf_launch_counters c;
} timed;

typedef struct app_case {
  const char *name, *graph, *settings[4];
} app_case;

static const app_case cases[] = {
    {"bfs_dp", "cite:n=1500,degree=16", {NULL}},
    {"sssp_dp", "cite:n=700,degree=16", {NULL}},
    {"clr", "rmat:scale=9,edges=9000,a=0.57,b=0.19,c=0.19", {"app.rounds=2", NULL}},
    {"join", NULL, {"app.left=600", "app.right=2000", "app.keys=50", NULL}},
    {"amr", NULL, {"app.side=40", "app.sources=4", NULL}},
    {"bht", NULL, {"app.bodies=4000", "app.first=3", NULL}},
    {"pre", NULL, {"app.users=300", "app.products=100", "app.given=20", NULL}},
    {"regx", NULL, {"app.texts=200", "app.kind=strings", NULL}},
};

static timed run_app(const app_case *a, const char *form, const char *const *launch) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  if (!wf_gpu_config_load(&config, "k20c", &err)) fail_msg("%s", err.text);
  for (; *launch; launch += 2)
    if (wf_gpu_config_has(launch[0]))
      assert_true(wf_gpu_config_set(&config, launch[0], launch[1], &err));
    else
      wf_options_put(&options, launch[0], launch[1]);
  for (const char *const *s = a->settings; *s; s++) assert_true(wf_options_add(&options, *s, &err));
  wf_options_put(&options, "app.form", form);
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  wf_graph *graph = a->graph ? wf_graph_open(a->graph, 3, &err) : NULL;
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 1};
  if (!wf_app_start(wf_app_find(a->name, &err), &run, &err))
    fail_msg("%s %s: %s", a->name, form, err.text);
  if (!run.verified) fail_msg("%s %s: %s", a->name, form, run.verdict);
  const timed t = {wf_gpu_cycles(gpu), *wf_gpu_launch_counters(gpu)};
  wf_graph_destroy(graph);
  wf_gpu_destroy(gpu);
  wf_options_free(&options);
  return t;
}

static const char *const plain[] = {NULL}, *const ideal[] = {"launch.ideal", "1", NULL},
                         *const ticked[] = {"sim.skip", "0", NULL},
                         *const scarce[] = {"launch.pool_kib", "2", "launch.pending", "9", NULL};

static void assert_all_started(const app_case *a, const timed *t, bool groups) {
  if (!(groups ? t->c.groups : t->c.kernels) || (groups ? t->c.kernels : t->c.groups) ||
      t->c.started != t->c.kernels + t->c.groups || t->c.threads < 32 * t->c.started ||
      t->c.groups_refused > t->c.groups)
    fail_msg("%s: %llu kernels, %llu groups, %llu started", a->name,
             (unsigned long long)t->c.kernels, (unsigned long long)t->c.groups,
             (unsigned long long)t->c.started);
}

static void all_forms(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const app_case *a = &cases[i];
    const timed flat = run_app(a, "flat", plain), kernels = run_app(a, "cdp", plain),
                groups = run_app(a, "dtbl", plain), kernels_ideal = run_app(a, "cdp", ideal),
                groups_ideal = run_app(a, "dtbl", ideal);
    assert_int_equal(flat.c.kernels + flat.c.groups, 0);
    assert_all_started(a, &kernels, false);
    assert_all_started(a, &groups, true);
    assert_all_started(a, &kernels_ideal, false);
    assert_all_started(a, &groups_ideal, true);
    /* Another order of blocks may cost what the latency did: a tenth. */
    if (kernels_ideal.cycles >= kernels.cycles || groups_ideal.cycles * 10 >= groups.cycles * 11 ||
        groups.cycles >= kernels.cycles ||
        groups.c.waiting_cycles * kernels.c.started >= kernels.c.waiting_cycles * groups.c.started)
      fail_msg("%s: cycles of kernels %llu, without latency %llu, of groups %llu, without latency "
               "%llu; waited %llu, %llu",
               a->name, (unsigned long long)kernels.cycles,
               (unsigned long long)kernels_ideal.cycles, (unsigned long long)groups.cycles,
               (unsigned long long)groups_ideal.cycles,
               (unsigned long long)(kernels.c.waiting_cycles / kernels.c.started),
               (unsigned long long)(groups.c.waiting_cycles / groups.c.started));
  }
}

/* Written for speed: no slower than a thread's loop; with launches, of whole warps' lists. */
static void shared_lists(void **state) {
  (void)state;
  static const char *const from[] = {"app.from", "32", "app.chunk", "32", NULL},
                           *const few[] = {
                               "app.from",       "32", "app.chunk", "32", "launch.pool_kib", "2",
                               "launch.pending", "1",  NULL};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const app_case *a = &cases[i];
    const uint64_t flat = run_app(a, "flat", plain).cycles;
    const timed bins = run_app(a, "bins", from), scan = run_app(a, "scan", from),
                groups = run_app(a, "scan_dtbl", from), scarce = run_app(a, "bins_dtbl", few);
    assert_int_equal(bins.c.groups + scan.c.groups, 0);
    if (bins.cycles > flat || scan.cycles > flat)
      fail_msg("%s: flat takes %llu cycles, bins %llu, scan %llu", a->name,
               (unsigned long long)flat, (unsigned long long)bins.cycles,
               (unsigned long long)scan.cycles);
    assert_all_started(a, &groups, true);
    assert_true(scarce.c.no_buffer + scarce.c.over_limit > 0);
  }
}

static void the_same_again(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i += 3) {
    const timed a = run_app(&cases[i], "cdp", plain), b = run_app(&cases[i], "cdp", ticked);
    assert_true(a.cycles == b.cycles && a.c.waiting_cycles == b.c.waiting_cycles &&
                a.c.peak_bytes == b.c.peak_bytes && a.c.byte_cycles == b.c.byte_cycles);
  }
}

/* Little memory for parameters, few launches at once: threads do what is left themselves. */
static void scarce_launches(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int groups = 0; groups < 2; groups++) {
      const timed t = run_app(&cases[i], groups ? "dtbl" : "cdp", scarce);
      assert_all_started(&cases[i], &t, groups);
      assert_true(t.c.no_buffer + t.c.over_limit > 0);
      assert_true(t.c.peak_pending <= 9 && t.c.peak_bytes <= 2048 + 9 * 64);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_forms), cmocka_unit_test(the_same_again),
                                     cmocka_unit_test(scarce_launches),
                                     cmocka_unit_test(shared_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
