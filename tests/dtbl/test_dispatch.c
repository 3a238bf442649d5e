/* Without launches by threads the scheduler in RTL (--unit dtbl) is the GPU's own dispatcher, cycle
 * by cycle: the same block, in the same cycle, on the same SM, in the same slot, over whole
 * applications, on two GPUs; and kernels of many short blocks, of which several of an SM end
 * together. With launches: every form of every application is verified by both. Kernels that
 * threads launch wait in the unit's RTL as in the GPU's own management unit in front of the same
 * scheduler: the same blocks in the same cycles, for any number of ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/base/wf_alloc.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/launch.h"
#include "sim/units/unit.h"

typedef struct placed {
  uint64_t cycle;
  wf_placement p;
} placed;

/* Stands between the fabric and a dispatcher and writes down where blocks go. */
typedef struct spy {
  wf_gpu *gpu;
  const wf_dispatch_ops *ops;
  void *self;
  wf_dispatch_ops spied; /* what the launcher sees */
  placed *log;
  size_t n, capacity;
} spy;

static unsigned spy_free_kernels(const void *s) {
  return ((const spy *)s)->ops->free_kernels(((const spy *)s)->self);
}
static bool spy_kernel(void *s, const wf_grid *g) {
  return ((spy *)s)->ops->kernel(((spy *)s)->self, g);
}
static bool spy_group(void *s, const wf_grid *g) {
  return ((spy *)s)->ops->group(((spy *)s)->self, g);
}
static bool spy_refused(void *s, uint32_t *id) {
  return ((spy *)s)->ops->refused(((spy *)s)->self, id);
}
static bool spy_may_place(const void *s) {
  return ((const spy *)s)->ops->may_place(((const spy *)s)->self);
}
static void spy_done(void *s, unsigned sm, unsigned slot) {
  ((spy *)s)->ops->block_done(((spy *)s)->self, sm, slot);
}
static size_t spy_describe(const void *s, char *text, size_t bytes) {
  const spy *y = s;
  return y->ops->describe ? y->ops->describe(y->self, text, bytes) : 0;
}
static bool spy_place(void *self, wf_placement *p) {
  spy *s = self;
  if (!s->ops->place(s->self, p)) return false;
  if (s->n == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 4096;
    s->log = wf_realloc(s->log, s->capacity, sizeof *s->log);
  }
  s->log[s->n++] = (placed){s->gpu->cycle, *p};
  return true;
}
static const wf_dispatch_ops spy_ops = {.free_kernels = spy_free_kernels,
                                        .kernel = spy_kernel,
                                        .group = spy_group,
                                        .refused = spy_refused,
                                        .place = spy_place,
                                        .may_place = spy_may_place,
                                        .block_done = spy_done,
                                        .describe = spy_describe};

static bool spy_launch(void *s, const wf_grid *g) {
  return ((spy *)s)->ops->launch(((spy *)s)->self, g);
}
/* own_kmu: the dispatcher's kernel management unit is used if it has one, else the GPU's, to which
 * kernels go as to that one. */
static void watch(spy *s, wf_gpu *gpu, bool own_kmu) {
  *s = (spy){.gpu = gpu, .ops = gpu->blocks.ops, .self = gpu->blocks.self, .spied = spy_ops};
  s->spied.kernels_wait = s->ops->launch != NULL;
  if (own_kmu && s->ops->launch) s->spied.launch = spy_launch;
  gpu->blocks = (wf_block_source){&s->spied, s};
  wf_launcher_destroy(gpu->launcher);
  gpu->launcher = wf_launcher_create(gpu);
}

static wf_gpu *open_gpu(const char *config_name, const char *const *settings, const char *form,
                        bool rtl) {
  static const char *const unit[] = {"dtbl"};
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  if (!wf_gpu_config_load(&config, config_name, &err)) fail_msg("%s", err.text);
  for (; settings && *settings; settings++) {
    wf_options one = {0};
    assert_true(wf_options_add(&one, *settings, &err));
    if (wf_gpu_config_has(one.items[0].key))
      assert_true(wf_gpu_config_set(&config, one.items[0].key, one.items[0].value, &err));
    else
      wf_options_put(&options, one.items[0].key, one.items[0].value);
    wf_options_free(&one);
  }
  if (form) wf_options_put(&options, "app.form", form);
  wf_gpu *gpu = wf_gpu_create(&config, &options, unit, rtl, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  wf_options_free(&options);
  return gpu;
}

static void assert_same(const char *what, const spy *own, const spy *rtl, uint64_t own_cycles,
                        uint64_t rtl_cycles) {
  for (size_t i = 0; i < own->n && i < rtl->n; i++) {
    const placed *a = &own->log[i], *b = &rtl->log[i];
    if (a->cycle == b->cycle && !memcmp(&a->p, &b->p, sizeof a->p)) continue;
    fail_msg("%s: block %zu of the run: own dispatcher: cycle %llu, block %u,%u,%u on SM %u slot "
             "%u; RTL: cycle %llu, block %u,%u,%u "
             "on SM %u slot %u",
             what, i, (unsigned long long)a->cycle, a->p.block[0], a->p.block[1], a->p.block[2],
             a->p.sm, a->p.slot, (unsigned long long)b->cycle, b->p.block[0], b->p.block[1],
             b->p.block[2], b->p.sm, b->p.slot);
  }
  if (own->n != rtl->n || own_cycles != rtl_cycles)
    fail_msg("%s: %zu and %zu blocks, %llu and %llu cycles", what, own->n, rtl->n,
             (unsigned long long)own_cycles, (unsigned long long)rtl_cycles);
}

/* ---- applications ---- */

typedef struct app_case {
  const char *config, *name, *graph, *settings[6];
} app_case;

static const app_case flat_cases[] = {
    {"k20c", "bfs_dp", "cite:n=1500,degree=16", {NULL}},
    {"k20c", "clr", "rmat:scale=9,edges=9000,a=0.57,b=0.19,c=0.19", {"app.rounds=2", NULL}},
    {"k20c", "join", NULL, {"app.left=600", "app.right=2000", "app.keys=50", NULL}},
    {"k20c", "amr", NULL, {"app.side=40", "app.sources=4", NULL}},
    {"k20c", "regx", NULL, {"app.texts=200", "app.kind=strings", NULL}},
    {"k20c", "sssp_dp", "cite:n=700,degree=16", {NULL}},
    {"k20c", "bht", NULL, {"app.bodies=2000", "app.first=3", NULL}},
    {"k20c", "pre", NULL, {"app.users=300", "app.products=100", "app.given=20", NULL}},
    {"k20c", "mri", NULL, {"app.samples=256", "app.side=12", NULL}},
    {"k20c", "bfs_rodinia", "random:n=2048,degree=6", {"core.sms=2", NULL}},
    {"gtx480", "bfs_dp", "cite:n=1500,degree=16", {NULL}},
    {"gtx480", "gc", "random:n=2048,degree=4", {NULL}},
    {"gtx480", "stn", NULL, {"app.n=96", NULL}},
};

static void add_mem_wait(void *sum, const char *name, double value) {
  if (!strcmp(name, "mem_wait")) *(double *)sum += value;
}

/* mem_wait: cycles in which the RTL waited for a record; may be NULL, like c. */
static uint64_t run_kmu(const app_case *a, const char *form, bool rtl, bool own_kmu, spy *s,
                        wf_launch_counters *c, double *mem_wait) {
  wf_error err = {0};
  wf_gpu *gpu = open_gpu(a->config, a->settings, form, rtl);
  watch(s, gpu, own_kmu);
  wf_graph *graph = a->graph ? wf_graph_open(a->graph, 3, &err) : NULL;
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 1};
  if (!wf_app_start(wf_app_find(a->name, &err), &run, &err))
    fail_msg("%s %s: %s", a->name, form ? form : "", err.text);
  if (!run.verified) fail_msg("%s %s: %s", a->name, form ? form : "", run.verdict);
  const uint64_t cycles = wf_gpu_cycles(gpu);
  if (c) *c = *wf_gpu_launch_counters(gpu);
  if (mem_wait) *mem_wait = 0;
  if (mem_wait && rtl) wf_unit_counters(wf_gpu_unit(gpu, 0), add_mem_wait, mem_wait);
  wf_graph_destroy(graph);
  wf_gpu_destroy(gpu);
  return cycles;
}

static uint64_t run_app(const app_case *a, const char *form, bool rtl, spy *s,
                        wf_launch_counters *c, double *mem_wait) {
  return run_kmu(a, form, rtl, true, s, c, mem_wait);
}

static void flat_applications(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof flat_cases / sizeof *flat_cases; i++) {
    const app_case *a = &flat_cases[i];
    const bool in_forms = i < 8 || !strcmp(a->name, "bfs_dp");
    spy own, rtl;
    const uint64_t own_cycles = run_app(a, in_forms ? "flat" : NULL, false, &own, NULL, NULL),
                   rtl_cycles = run_app(a, in_forms ? "flat" : NULL, true, &rtl, NULL, NULL);
    assert_true(own.n > 0);
    assert_same(a->name, &own, &rtl, own_cycles, rtl_cycles);
    free(own.log);
    free(rtl.log);
  }
}

/* ---- many short blocks ---- */

/* Every block runs a loop of (its number * 2654435761 >> 26) & `mask` rounds: blocks of an SM end
 * together or a little apart. */
static const char short_blocks[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .u32 mask)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<4>;\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %nctaid.x; mad.lo.u32 %r1, %r2, "
    "%r3, %r1;\n"
    "ld.param.u32 %r4, [mask]; mul.lo.u32 %r5, %r1, 2654435761; shr.u32 %r5, %r5, 26; and.b32 %r5, "
    "%r5, %r4; add.u32 %r5, %r5, 1;\n"
    "L: sub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"
    "mov.u32 %r6, %tid.x; setp.ne.u32 %p2, %r6, 0; @%p2 ret;\n"
    "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; "
    "red.global.add.u32 [%rd2], 1; ret; }\n";

enum { SHORT_BLOCKS = 3000 };

static uint64_t run_short(const char *const *settings, const char *config, bool rtl, spy *s) {
  static const struct {
    uint32_t grid[3], threads, shared, mask;
  } launches[] = {{{3000, 1, 1}, 32, 0, 0},    {{600, 5, 1}, 64, 0, 63},
                  {{100, 30, 1}, 96, 3000, 7}, {{3000, 1, 1}, 32, 6016, 1},
                  {{1500, 1, 2}, 256, 0, 15},  {{17, 1, 1}, 1024, 24000, 31}};
  wf_error err = {0};
  wf_gpu *gpu = open_gpu(config, settings, NULL, rtl);
  watch(s, gpu, true);
  static uint32_t out[SHORT_BLOCKS];
  const uint64_t at = wf_gpu_alloc(gpu, sizeof out, "out", &err);
  assert_true(at && wf_gpu_load_ptx(gpu, "short", short_blocks, sizeof short_blocks - 1, &err));
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
    wf_launch_args args = {.kernel = "k",
                           .block = {launches[i].threads, 1, 1},
                           .shared_bytes = launches[i].shared,
                           .params = {&at, &launches[i].mask},
                           .n_params = 2};
    memcpy(args.grid, launches[i].grid, sizeof args.grid);
    if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  }
  /* The z of a grid is not in the block's number: those of the fifth launch count twice, of half as
   * many. */
  assert_true(wf_gpu_read(gpu, out, at, sizeof out, &err));
  for (unsigned b = 0; b < SHORT_BLOCKS; b++) {
    const uint32_t want = 4 + 2 * (b < 1500) + (b < 17);
    if (out[b] != want) fail_msg("block %u ran %u times, expected %u", b, out[b], want);
  }
  const uint64_t cycles = wf_gpu_cycles(gpu);
  wf_gpu_destroy(gpu);
  return cycles;
}

static void many_short_blocks(void **state) {
  (void)state;
  static const char *const plain[] = {NULL}, *const slow[] = {"sim.skip=0", "dtbl.gate=0", NULL},
                           *const two[] = {"core.sms=2", NULL};
  static const struct {
    const char *config, *const *own, *const *rtl;
  } runs[] = {
      {"k20c", plain, plain}, {"k20c", plain, slow}, {"k20c", two, two}, {"gtx480", plain, plain}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    spy own, rtl;
    const uint64_t own_cycles = run_short(runs[i].own, runs[i].config, false, &own),
                   rtl_cycles = run_short(runs[i].rtl, runs[i].config, true, &rtl);
    assert_int_equal(own.n, 4 * SHORT_BLOCKS + 3000 + 17);
    assert_same(runs[i].config, &own, &rtl, own_cycles, rtl_cycles);
    free(own.log);
    free(rtl.log);
  }
}

/* ---- launches ---- */

static const app_case cases[] = {
    {"k20c", "bfs_dp", "cite:n=1500,degree=16", {NULL}},
    {"k20c", "sssp_dp", "cite:n=700,degree=16", {NULL}},
    {"k20c", "clr", "rmat:scale=9,edges=9000,a=0.57,b=0.19,c=0.19", {"app.rounds=2", NULL}},
    {"k20c", "join", NULL, {"app.left=600", "app.right=2000", "app.keys=50", NULL}},
    {"k20c", "amr", NULL, {"app.side=40", "app.sources=4", NULL}},
    {"k20c", "bht", NULL, {"app.bodies=4000", "app.first=3", NULL}},
    {"k20c", "pre", NULL, {"app.users=300", "app.products=100", "app.given=20", NULL}},
    {"k20c", "regx", NULL, {"app.texts=200", "app.kind=strings", NULL}},
};

/* Both run the same launches, the RTL later: searches take time, the table is finite, and a record
 * in memory is a read while which nothing is placed. */
static void launches_are_verified(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int form = 0; form < 2; form++) {
      app_case a = cases[i];
      const char *name = form ? "dtbl" : "cdp";
      spy own, rtl, ideal;
      wf_launch_counters c, d, e;
      double mem_wait;
      const uint64_t own_cycles = run_app(&a, name, false, &own, &c, NULL),
                     rtl_cycles = run_app(&a, name, true, &rtl, &d, &mem_wait);
      unsigned n = 0;
      while (a.settings[n]) n++;
      a.settings[n] = "launch.ideal=1";
      run_app(&a, name, true, &ideal, &e, NULL);
      if (d.started != d.kernels + d.groups || !d.started || e.started != e.kernels + e.groups)
        fail_msg("%s %s: %llu kernels, %llu groups, %llu started", a.name, name,
                 (unsigned long long)d.kernels, (unsigned long long)d.groups,
                 (unsigned long long)d.started);
      if ((double)rtl_cycles > 1.15 * (double)own_cycles + mem_wait ||
          own_cycles * 10 > rtl_cycles * 11)
        fail_msg("%s %s: %llu cycles, with the unit %llu", a.name, name,
                 (unsigned long long)own_cycles, (unsigned long long)rtl_cycles);
      free(own.log);
      free(rtl.log);
      free(ideal.log);
    }
}

/* Kernels alone, so that all go through it. In memory they are its traffic at the slices of L2,
 * which may hold up others' by a few cycles. */
static void kernels_wait_alike(void **state) {
  (void)state;
  static const char *const ways[] = {"launch.ways=1", "launch.ways=2", "launch.ways=4"};
  static const struct {
    app_case app;
    bool in_memory;
  } of[] = {{{"k20c", "join", NULL, {"app.left=600", "app.right=2000", "app.keys=50"}}, true},
            {{"k20c",
              "bht",
              NULL,
              {"app.bodies=4000", "app.first=3", "dtbl.kmu_entries=256", "dtbl.kmu_burst=256"}},
             false},
            {{"k20c", "bht", NULL, {"app.bodies=4000", "app.first=3"}}, true}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    for (unsigned w = 0; w < 3; w++) {
      app_case a = of[i].app;
      spy gpus, own;
      wf_launch_counters c, d;
      unsigned n = 0;
      while (a.settings[n]) n++;
      a.settings[n] = ways[w];
      const uint64_t gpus_cycles = run_kmu(&a, "cdp", true, false, &gpus, &c, NULL),
                     own_cycles = run_kmu(&a, "cdp", true, true, &own, &d, NULL);
      assert_true(c.kernels > 100 && c.kernels == d.kernels && c.started == d.started);
      if (!of[i].in_memory) assert_same(a.name, &gpus, &own, gpus_cycles, own_cycles);
      const uint64_t apart =
          gpus_cycles < own_cycles ? own_cycles - gpus_cycles : gpus_cycles - own_cycles;
      print_message("%s, %s: %llu and %llu cycles\n", a.name, ways[w],
                    (unsigned long long)gpus_cycles, (unsigned long long)own_cycles);
      assert_true(apart * 1000 <= gpus_cycles);
      free(gpus.log);
      free(own.log);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_short_blocks), cmocka_unit_test(flat_applications),
      cmocka_unit_test(kernels_wait_alike), cmocka_unit_test(launches_are_verified)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
