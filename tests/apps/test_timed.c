/* The applications on the timed GPU: graph applications verify, and the micro-benchmarks measure
 * what the gtx480 configuration says it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "sim/apps/apps.h"

typedef struct timed {
  wf_app_run run;
  uint64_t cycles;
} timed;

static timed run_app(const char *name, const char *graph_spec, const char *const *settings) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  if (!wf_gpu_config_load(&config, "gtx480", &err)) fail_msg("%s", err.text);
  for (; settings && *settings; settings++)
    if (!wf_options_add(&options, *settings, &err)) fail_msg("%s", err.text);
  for (size_t i = 0; i < options.count; i++)
    if (wf_gpu_config_has(options.items[i].key) &&
        !wf_gpu_config_set(&config, options.items[i].key, options.items[i].value, &err))
      fail_msg("%s", err.text);
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  wf_graph *graph = graph_spec ? wf_graph_open(graph_spec, 3, &err) : NULL;
  timed t = {.run = {.gpu = gpu, .graph = graph, .seed = 1}};
  const wf_app *app = wf_app_find(name, &err);
  if (!app || !wf_app_start(app, &t.run, &err)) fail_msg("%s: %s", name, err.text);
  if (!t.run.verified) fail_msg("%s: %s", name, t.run.verdict);
  t.cycles = wf_gpu_cycles(gpu);
  wf_graph_destroy(graph);
  wf_gpu_destroy(gpu);
  wf_options_free(&options);
  return t;
}

static double metric(const timed *t, const char *name) {
  double value = wf_app_metric_value(&t->run, name, -1);
  if (value < 0) fail_msg("no metric %s", name);
  return value;
}

static void graph_applications_verify(void **state) {
  (void)state;
  static const char *const apps[] = {"pagerank", "bfs", "sssp", "wcc"};
  for (size_t i = 0; i < 4; i++) {
    timed t = run_app(apps[i], "rmat:scale=12,edges=30000", NULL);
    assert_true(t.cycles > 1000);
    timed again = run_app(apps[i], "rmat:scale=12,edges=30000", NULL);
    assert_true(t.cycles == again.cycles);
  }
}

/* Blocks that meet at a barrier of their own: as many as come forward side by side, also where few
 * warps may issue. In steps that see only what was there before, and in others. */
static void resident_blocks_meet(void **state) {
  (void)state;
  static const char *const apps[] = {"bfs", "sssp", "wcc"};
  static const char *const sets[][5] = {
      {"app.strategy=edges", NULL},
      {"app.strategy=edges", "app.supersteps=3", NULL},
      {"app.strategy=edges", "core.swl=1", NULL},
      {"app.strategy=edges", "core.swl=2", "core.scheduler=gto", NULL},
      {"app.strategy=edges", "core.warps=4", "core.sms=3", "app.supersteps=2", NULL}};
  for (size_t a = 0; a < 3; a++)
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
      run_app(apps[a], "rmat:scale=9,edges=3000", sets[s]);
}

/* At small sizes, on caches of 16 KB and 128 KB: verified whatever the cache, the same twice, and
 * loads of the kinds the cache-management paper tells apart gain from the larger cache or do not.
 */
static void benchmark_applications(void **state) {
  (void)state;
  enum { GAINS, DIFFERS, STAYS };
  static const struct {
    const char *name, *graph, *settings[3];
    int class;
  } apps[] = {
      {"bfs_rodinia", "random:n=8192,degree=6", {NULL}, GAINS},
      {"kmn", NULL, {"app.points=8192"}, GAINS},
      {"wc", NULL, {"app.bytes=60000"}, GAINS},
      {"iix", NULL, {"app.bytes=200000"}, GAINS},
      {"gc", "random:n=6000,degree=4", {"app.rounds=2"}, GAINS},
      {"ssp", "random:n=6000,degree=4", {NULL}, GAINS},
      {"spmv", "random:n=8192,degree=4", {NULL}, GAINS},
      {"mm", NULL, {"app.n=64", "app.rows=0", "app.inner=0"}, DIFFERS},
      {"ss", NULL, {"app.documents=80", "app.queries=0", "app.features=64"}, DIFFERS},
      {"ccl", "random:n=4096,degree=4", {NULL}, DIFFERS},
      {"ge", NULL, {"app.n=24"}, STAYS},
      {"srd", NULL, {"app.n=128", "app.turns=1"}, STAYS},
      {"mri", NULL, {"app.side=12", "app.samples=1000"}, DIFFERS},
      {"sgm", NULL, {"app.m=128", "app.n=128", "app.k=64"}, STAYS},
      {"stn", NULL, {"app.n=128", "app.turns=1"}, STAYS},
      {"aps", NULL, {"app.n=32"}, STAYS},
  };
  for (size_t i = 0; i < sizeof apps / sizeof apps[0]; i++) {
    const char *small[5] = {"l1.bytes=16384"}, *large[5] = {"l1.bytes=131072"};
    for (int k = 0; k < 3; k++) small[k + 1] = large[k + 1] = apps[i].settings[k];
    timed s = run_app(apps[i].name, apps[i].graph, small),
          l = run_app(apps[i].name, apps[i].graph, large);
    timed again = run_app(apps[i].name, apps[i].graph, small);
    assert_true(s.cycles == again.cycles);
    double gain = (double)s.cycles / (double)l.cycles;
    print_message("%s: %.2f times as fast with 128 KB as with 16 KB\n", apps[i].name, gain);
    if (apps[i].class == GAINS) assert_true(gain > 1.1);
    if (apps[i].class == STAYS) assert_true(gain > 0.95 && gain < 1.1);
  }
}

/* What the configuration adds up to for a lone load, in core cycles: level 0 an L1 hit, 1 an L2
 * hit, 2 DRAM with a row to close and one to open. */
static double expected_latency(int level) {
  wf_gpu_config c;
  wf_error err = {0};
  assert_true(wf_gpu_config_load(&c, "gtx480", &err));
  const wf_mem_config *m = &c.mem;
  if (level == 0) return c.l1_latency + 1;
  double reply_flits = ceil((128.0 + m->packet_header_bytes) / m->flit_bytes);
  double noc = (2.0 * m->noc_latency + reply_flits) * m->core_mhz / m->noc_mhz;
  double cycles =
      noc + (double)m->l2_latency * m->core_mhz / m->l2_mhz + 4; /* LSU, miss queue, fill */
  if (level == 1) return cycles;
  double burst = 128.0 / (m->dram_bus_bytes * m->dram_beats_per_clock);
  return cycles + (m->dram_latency + m->tRP + m->tRCD + m->tCL + burst) * m->core_mhz / m->dram_mhz;
}

/* L1 hit, L2 hit, DRAM, an L2 of today: by working set. Real Fermi cards: 45, 310, 560 to 680 hot
 * clocks, two to a core cycle. */
static void latencies(void **state) {
  (void)state;
  static const char *const sets[][3] = {{"app.bytes=8192"},
                                        {"app.bytes=262144"},
                                        {"app.bytes=33554432"},
                                        {"app.bytes=4194304", "l2.bytes=1048576"}};
  static const int levels[] = {0, 1, 2, 1};
  for (int i = 0; i < 4; i++) {
    timed t = run_app("chase", NULL, sets[i]);
    double cycles = metric(&t, "cycles_per_load"), want = expected_latency(levels[i]);
    print_message("chase %s: %.1f cycles per load, the configuration adds up to %.1f\n", sets[i][0],
                  cycles, want);
    assert_true(fabs(cycles - want) <= 2);
  }
}

/* Bytes of line data that one crossbar port delivers per core cycle: whole flits, header included.
 */
static double port_bytes(void) {
  wf_gpu_config c;
  wf_error err = {0};
  assert_true(wf_gpu_config_load(&c, "gtx480", &err));
  double flits = ceil((128.0 + c.mem.packet_header_bytes) / c.mem.flit_bytes);
  return 128.0 / flits * c.mem.noc_mhz / c.mem.core_mhz;
}

/* A core cycle's worth of DRAM (177.4 GB/s at 700 MHz) and of the six partitions' reply ports.
 * Reading in order comes near the lesser; random blocks and a block per lane cannot be faster than
 * that. */
static void bandwidths(void **state) {
  (void)state;
  static const char *const less[] = {"app.turns=4", NULL}, *const once[] = {"app.turns=1", NULL};
  timed stream = run_app("stream", NULL, NULL), random = run_app("random", NULL, less),
        mshr = run_app("mshr", NULL, once);
  double dram = 253.4, replies = 6 * port_bytes();
  double limit = dram < replies ? dram : replies;
  double s = metric(&stream, "bytes_per_cycle"), r = metric(&random, "bytes_per_cycle"),
         m = metric(&mshr, "bytes_per_cycle");
  print_message("bytes per cycle: stream %.1f of %.1f, random %.1f, a block a lane %.1f\n", s,
                limit, r, m);
  assert_true(s < limit && s >= 0.85 * limit);
  assert_true(r < limit && r > 0.3 * limit);
  assert_true(m < limit && m > 0.3 * limit);
}

/* One SM: by default its 32 MSHRs over the L2's latency limit it; with more of them its port or the
 * issue of the loads (some four cycles each), whichever is less. */
static void one_port(void **state) {
  (void)state;
  static const char *const more[] = {"l1.mshrs=128", NULL};
  timed few = run_app("noc", NULL, NULL), many = run_app("noc", NULL, more);
  double by_mshrs = metric(&few, "bytes_per_cycle"), by_port = metric(&many, "bytes_per_cycle");
  double limit = port_bytes() < 31 ? port_bytes() : 31;
  print_message("one SM: %.1f bytes per cycle, with 128 MSHRs %.1f of %.1f\n", by_mshrs, by_port,
                limit);
  assert_true(by_mshrs < 32 * 128 / 130.0 && by_mshrs > 32 * 128 / 290.0);
  assert_true(by_port >= by_mshrs && by_port <= limit && by_port > 0.85 * limit);
}

/* 480 lanes at twice the core clock. */
static void compute_peak(void **state) {
  (void)state;
  timed t = run_app("compute", NULL, NULL);
  double peak = metric(&t, "fma_per_cycle");
  print_message("fused multiply-adds per core cycle: %.0f\n", peak);
  assert_true(peak > 430 && peak <= 960);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graph_applications_verify),
      cmocka_unit_test(resident_blocks_meet),
      cmocka_unit_test(benchmark_applications),
      cmocka_unit_test(latencies),
      cmocka_unit_test(bandwidths),
      cmocka_unit_test(one_port),
      cmocka_unit_test(compute_peak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
