/* The strategies of the graph applications on small graphs, executed without timing: lists that are
 * empty, of one edge, of a warp, of a block and of many tiles, beside each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/apps/graph/strategy.h"
#include "sim/apps/reference.h"
#include "tests/apps/functional_gpu.h"

static const char *const graphs[] = {
    "rmat:scale=10,edges=6000", /* lists of all lengths, and empty ones */
    "star:n=40000",             /* a list of 40 tiles, the others of one edge */
    "complete:n=70",            /* all of a warp's length */
    "er:scale=8,edges=300",     /* vertices without any edge */
    "random:n=1000,edges=1",    /* hardly any edge */
    "band:n=2000",
    "chain:n=70",
    "chain:n=1",
    NULL};
/* For forms that know no tiles. */
static const char *const small_graphs[] = {
    "rmat:scale=10,edges=6000", "star:n=2500", "complete:n=70", "er:scale=8,edges=300",
    "random:n=1000,edges=1",    "band:n=300",  "chain:n=1",     NULL};
enum { MOST_OPTIONS = 4 };

typedef struct outcome {
  bool ran;
  wf_app_run run;
  uint64_t instructions;
  wf_error err;
} outcome;

static outcome start_on(const char *name, wf_graph *graph, const char *const *options) {
  outcome o = {0};
  const wf_app *app = wf_app_find(name, &o.err);
  assert_non_null(app);
  wf_gpu *gpu = fg_create(96u << 20, NULL);
  gpu->config.shared_bytes_per_sm = FG_MAX_SHARED;
  gpu->config.warps_per_sm = 1; /* edges of sssp takes some of the graphs in order, some not */
  for (; *options; options++) assert_true(wf_options_add(&gpu->options, *options, &o.err));
  o.run = (wf_app_run){.gpu = gpu, .graph = graph, .seed = 11};
  o.ran = wf_app_start(app, &o.run, &o.err);
  o.instructions = gpu->instructions;
  fg_destroy(gpu);
  return o;
}

static outcome start(const char *name, const char *graph_spec, const char *const *options) {
  wf_error err = {0};
  wf_graph *graph = wf_graph_open(graph_spec, 5, &err);
  if (!graph) fail_msg("%s", err.text);
  const outcome o = start_on(name, graph, options);
  wf_graph_destroy(graph);
  return o;
}

static void every_strategy(const char *app, const char *const *on,
                           const char *const (*variants)[MOST_OPTIONS]) {
  for (; (*variants)[0]; variants++)
    for (const char *const *g = on; *g; g++) {
      const char *const *v = *variants;
      outcome o = start(app, *g, v);
      if (!o.ran) fail_msg("%s %s on %s: %s", app, v[0], *g, o.err.text);
      if (!o.run.verified) fail_msg("%s %s on %s: %s", app, v[0], *g, o.run.verdict);
    }
}

static void pagerank(void **state) {
  (void)state;
  static const char *const variants[][MOST_OPTIONS] = {{"app.strategy=auto"},
                                                       {"app.strategy=thread"},
                                                       {"app.strategy=warp"},
                                                       {"app.strategy=warp", "app.lanes=4"},
                                                       {"app.strategy=warp", "app.lanes=8"},
                                                       {"app.strategy=warp", "app.lanes=16"},
                                                       {"app.strategy=bins"},
                                                       {"app.strategy=kept"},
                                                       {"app.strategy=edges"},
                                                       {NULL}};
  every_strategy("pagerank", graphs, variants);
}

/* queue=1: nearly all of what a block finds takes the way past shared memory. */
static void frontiers(void **state) {
  (void)state;
  static const char *const apps[] = {"bfs", "sssp", "wcc"};
  static const char *const variants[][MOST_OPTIONS] = {{"app.strategy=auto"},
                                                       {"app.strategy=auto", "app.supersteps=2"},
                                                       {"app.strategy=warp"},
                                                       {"app.strategy=bins"},
                                                       {"app.strategy=queue"},
                                                       {"app.strategy=queue", "app.supersteps=2"},
                                                       {"app.strategy=queue", "app.queue=1"},
                                                       {"app.strategy=edges"},
                                                       {"app.strategy=edges", "app.supersteps=1"},
                                                       {"app.strategy=edges", "app.supersteps=2"},
                                                       {NULL}};
  static const char *const directions[][MOST_OPTIONS] = {
      {"app.strategy=direction"},
      {"app.strategy=direction", "app.supersteps=2"},
      {"app.strategy=direction", "app.supersteps=3"},
      {"app.strategy=block"},
      {"app.strategy=block", "app.supersteps=1"},
      {"app.strategy=block", "app.supersteps=2"},
      {"app.strategy=segments"},
      {"app.strategy=segments", "app.supersteps=1"},
      {"app.strategy=segments", "app.supersteps=2"},
      {NULL}};
  /* More vertices than a block keeps bits of. */
  static const char *const wide[] = {"star:n=210000", "band:n=210000", NULL};
  static const char *const far[] = {"band:n=14000", "rgg:scale=14", NULL}; /* of values */
  static const char *const block[][MOST_OPTIONS] = {{"app.strategy=block", "app.supersteps=9"},
                                                    {"app.strategy=segments", "app.supersteps=9"},
                                                    {NULL}};
  static const char *const paths[][MOST_OPTIONS] = {
      {"app.strategy=block"}, {"app.strategy=segments"}, {NULL}};
  static const char *const hook[][MOST_OPTIONS] = {{"app.strategy=hook"}, {NULL}};
  for (size_t a = 0; a < 3; a++) every_strategy(apps[a], graphs, variants);
  every_strategy("wcc", graphs, hook);
  every_strategy("bfs", graphs, directions);
  every_strategy("bfs", wide, block);
  every_strategy("sssp", far, paths);
  every_strategy("sssp", graphs, paths);
  static const char *const direction[] = {"app.strategy=direction", NULL};
  outcome o = start("bfs", "er:scale=10", direction);
  assert_true(wf_app_metric_value(&o.run, "steps_pulled", 0) > 0);
}

static void pagerank_to_convergence(void **state) {
  (void)state;
  static const char *const variants[][MOST_OPTIONS] = {{"app.strategy=bins", "app.supersteps=0"},
                                                       {"app.strategy=edges", "app.supersteps=0"}};
  for (size_t i = 0; i < 2; i++) {
    outcome o = start("pagerank", graphs[0], variants[i]);
    if (!o.ran || !o.run.verified) fail_msg("%s %s", o.err.text, o.run.verdict);
    assert_in_range(o.run.supersteps, 5, 200);
  }
}

/* Strategies block, edges and segments of sssp where far vertices fall more often than it has room
 * to say: a hub, whose list is far, falls in each step along a chain; what cannot be reached keeps
 * the limit low. */
static void far_ones_spill(void **state) {
  (void)state;
  enum { CHAIN = 120, LEAVES = 2000, APART = 300, HUB = CHAIN, FIRST = HUB + 1 + LEAVES };
  enum { N = FIRST + APART, EDGES = 2 * CHAIN + LEAVES + APART * (APART - 1) };
  static uint32_t tail[EDGES], head[EDGES], weight[EDGES];
  uint32_t m = 0;
#define ARC(FROM, TO, WEIGHT) (tail[m] = (FROM), head[m] = (TO), weight[m++] = (WEIGHT))
  for (uint32_t i = 0; i + 1 < CHAIN; i++) ARC(i, i + 1, 1);
  for (uint32_t i = 0; i < CHAIN; i++) ARC(i, HUB, 2 * (CHAIN - i));
  for (uint32_t i = 0; i < LEAVES; i++) ARC(HUB, HUB + 1 + i, 1000000);
  for (uint32_t u = 0; u < APART; u++)
    for (uint32_t v = 0; v < APART; v++)
      if (u != v) ARC(FIRST + u, FIRST + v, 1);
#undef ARC
  static const char *const options[][3] = {{"app.strategy=block", "app.source=0", NULL},
                                           {"app.strategy=edges", "app.source=0", NULL},
                                           {"app.strategy=segments", "app.source=0", NULL}};
  wf_error err = {0};
  wf_graph *graph = wf_graph_from_arcs("far", N, m, tail, head, weight, false, &err);
  assert_non_null(graph);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const outcome o = start_on("sssp", graph, options[i]);
    if (!o.ran || !o.run.verified) fail_msg("%s %s", o.err.text, o.run.verdict);
  }
  wf_graph_destroy(graph);
}

/* Strategy segments of sssp where a block finds more than its segment holds: all that the source
 * reaches is in one segment, and each wave of its entries offers less than those before to the same
 * leaves. Heavy arcs elsewhere make the limit high. */
static void near_ones_spill(void **state) {
  (void)state;
  enum { MIDDLE = 1500, LEAVES = 400, FIRST_LEAF = 1 + MIDDLE, SINK = FIRST_LEAF + LEAVES };
  enum { N = SINK + 3, HEAVY = 50, EDGES = MIDDLE + MIDDLE * LEAVES + LEAVES + HEAVY };
  static uint32_t tail[EDGES], head[EDGES], weight[EDGES];
  uint32_t m = 0;
#define ARC(FROM, TO, WEIGHT) (tail[m] = (FROM), head[m] = (TO), weight[m++] = (WEIGHT))
  for (uint32_t i = 0; i < MIDDLE; i++) ARC(0, 1 + i, 1);
  for (uint32_t i = 0; i < MIDDLE; i++)
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++) ARC(1 + i, FIRST_LEAF + leaf, MIDDLE - i);
  for (uint32_t leaf = 0; leaf < LEAVES; leaf++) ARC(FIRST_LEAF + leaf, SINK, 1);
  for (uint32_t i = 0; i < HEAVY; i++) ARC(SINK + 1, SINK + 2, 1u << 31);
#undef ARC
  static const char *const options[] = {"app.strategy=segments", "app.source=0", NULL};
  wf_error err = {0};
  wf_graph *graph = wf_graph_from_arcs("near", N, m, tail, head, weight, false, &err);
  assert_non_null(graph);
  const outcome o = start_on("sssp", graph, options);
  if (!o.ran || !o.run.verified) fail_msg("%s %s", o.err.text, o.run.verdict);
  assert_true(wf_app_metric_value(&o.run, "segment_overflows", 0) > 0);
  wf_graph_destroy(graph);
}

/* Values fall in place: a sum may be formed that the rounds of the reference never see, here one
 * beyond 32 bits. Light arcs apart from them make the limit low. */
static void sums_wrap(void **state) {
  (void)state;
  enum { N = 2000, LIGHT = 6000, HEAVY = INT32_MAX };
  static uint32_t tail[LIGHT + 5] = {0, 1, 0, 3, 2}, head[LIGHT + 5] = {1, 2, 3, 2, 4};
  static uint32_t weight[LIGHT + 5] = {2, HEAVY, HEAVY - 200, 100, HEAVY};
  for (uint32_t i = 0; i < LIGHT; i++) {
    tail[5 + i] = 5 + i * 7919u % (N - 5);
    head[5 + i] = 5 + i * 104729u % (N - 5);
    weight[5 + i] = 1;
  }
  static const char *const options[][3] = {{"app.strategy=block", "app.source=0", NULL},
                                           {"app.strategy=edges", "app.source=0", NULL},
                                           {"app.strategy=segments", "app.source=0", NULL},
                                           {"app.strategy=queue", "app.source=0", NULL}};
  wf_error err = {0};
  wf_graph *graph = wf_graph_from_arcs("wrap", N, LIGHT + 5, tail, head, weight, false, &err);
  assert_non_null(graph);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    const outcome o = start_on("sssp", graph, options[i]);
    if (!o.ran || !o.run.verified) fail_msg("%s: %s %s", options[i][0], o.err.text, o.run.verdict);
  }
  wf_graph_destroy(graph);
}

/* Grids have no far neighbours, however they are numbered; a long one's lie as far apart as it is
 * wide. */
static void grids_are_near(void **state) {
  (void)state;
  static const char *const grids[] = {"grid:x=1000,y=8", "grid:x=8,y=1000", "grid:x=400,y=4,z=4"};
  for (size_t i = 0; i < 3; i++) {
    wf_error err = {0};
    wf_graph *g = wf_graph_open(grids[i], 5, &err);
    assert_non_null(g);
    const wf_degrees d = wf_degrees_of(g->out_row, g->out_col, g->n_vertices);
    assert_true(d.far < 0.01);
    if (i == 1) assert_in_range(d.reach, 7, 9);
    wf_graph_destroy(g);
  }
}

/* Forms an edge at a time. */
static void textbooks(void **state) {
  (void)state;
  static const char *const searches[][MOST_OPTIONS] = {{"app.strategy=thread"},
                                                       {"app.strategy=warp", "app.undirected=1"},
                                                       {"app.strategy=warp", "app.ballot=1"},
                                                       {"app.strategy=queue"},
                                                       {"app.strategy=queue", "app.queue=1"},
                                                       {"app.strategy=unroll"},
                                                       {NULL}};
  static const char *const sets[][MOST_OPTIONS] = {{"app.strategy=thread"},
                                                   {"app.strategy=thread", "app.rounds=2"},
                                                   {"app.strategy=warp"},
                                                   {"app.strategy=warp", "app.ballot=1"},
                                                   {"app.strategy=queue"},
                                                   {"app.strategy=queue", "app.rounds=2"},
                                                   {"app.strategy=queue", "app.queue=1"},
                                                   {NULL}};
  static const char *const loops[][MOST_OPTIONS] = {{"app.loop=swp"},
                                                    {"app.loop=swpnc"},
                                                    {"app.loop=unr2"},
                                                    {"app.loop=unr3"},
                                                    {"app.loop=unr2_swp"},
                                                    {"app.loop=unr2_swpnc"},
                                                    {NULL}};
  every_strategy("gbfs", small_graphs, loops);
  every_strategy("gbfs", small_graphs, searches);
  every_strategy("gsssp", small_graphs, searches);
  every_strategy("gclr", small_graphs, sets);
  every_strategy("gmis", small_graphs, sets);
}

/* They are kernels of their own: equal results would not tell. */
static void loops_differ(void **state) {
  (void)state;
  static const char *const plain[] = {NULL}, *const unr2[] = {"app.loop=unr2", NULL},
                           *const swp[] = {"app.loop=swp", NULL};
  const uint64_t n = start("gbfs", graphs[0], plain).instructions;
  assert_true(start("gbfs", graphs[0], unr2).instructions != n);
  assert_true(start("gbfs", graphs[0], swp).instructions > n);
}

static uint32_t in_order(const void *context, uint32_t n) {
  (void)context;
  return n;
}

/* The bound of f64 against f32 holds what f32 comes to in the order of the lists, is tight enough
 * for a lost edge to stand out, and knows at which step a run may stop. */
static void bounds(void **state) {
  (void)state;
  wf_error err = {0};
  wf_graph *g = wf_graph_open(graphs[0], 5, &err);
  wf_graph_need_in(g);
  const uint32_t n = g->n_vertices;
  const wf_ref_csr in = {n, g->in_row, g->in_col, NULL};
  const wf_ref_pagerank_setup setup = {0.85f, 1e-4f, 0, 1000};
  float *f32 = wf_calloc(n, sizeof *f32);
  double *rank = wf_calloc(n, sizeof *rank), *bound = wf_calloc(n, sizeof *bound);
  const unsigned steps = wf_ref_pagerank(&in, g->out_row, &setup, f32);
  assert_true(wf_ref_pagerank_bound(&in, g->out_row, &setup, steps, in_order, NULL, rank, bound));
  for (uint32_t v = 0; v < n; v++) {
    assert_true(fabs((double)f32[v] - rank[v]) <= bound[v]);
    assert_true(bound[v] < 1e-4 * rank[v]);
  }
  assert_false(
      wf_ref_pagerank_bound(&in, g->out_row, &setup, steps - 3, in_order, NULL, rank, bound));
  assert_false(
      wf_ref_pagerank_bound(&in, g->out_row, &setup, steps + 3, in_order, NULL, rank, bound));
  free(f32);
  free(rank);
  free(bound);
  wf_graph_destroy(g);
}

/* The rule of auto, case by case; a GPU of 1024 threads. */
typedef struct rule_case {
  wf_strategy_family family;
  wf_degrees degrees;
  unsigned strategy;
  bool mff; /* chosen where it is there */
} rule_case;

static void choose_each(const rule_case *cases, size_t n, bool mff) {
  wf_gpu *gpu = fg_create(1 << 20, NULL);
  wf_app_run run = {.gpu = gpu};
  gpu->config.n_sm = 2;
  gpu->config.warps_per_sm = 16;
  gpu->config.shared_bytes_per_sm = WF_BLOCK_BYTES;
  gpu->config.mem.n_part = 2;
  gpu->config.mem.l2_bytes = 40000;
  for (size_t i = 0; i < n; i++) {
    wf_app_variant variant = {.strategy = WF_STRATEGY_AUTO, .mff = mff, .shared_bytes = 64};
    wf_error err = {0};
    assert_true(wf_strategy_choose(&run, cases[i].family, &variant, &cases[i].degrees, &err));
    if (variant.strategy != cases[i].strategy || variant.mff != cases[i].mff)
      fail_msg("case %zu: %s, mff %u", i, wf_app_strategies[variant.strategy], variant.mff);
    assert_int_equal(variant.shared_bytes, cases[i].mff ? 64 : 0);
    assert_non_null(strstr(run.strategy, wf_app_strategies[cases[i].strategy]));
  }
  fg_destroy(gpu);
}

static void automatic(void **state) {
  (void)state;
  static const rule_case cases[] = {
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 4, .max = 8, .near = 0.9},
       WF_STRATEGY_THREAD,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 4, .max = 9, .near = 0.5},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_SUMS, {.vertices = 257, .mean = 4, .max = 9}, WF_STRATEGY_BINS, false},
      {WF_FAMILY_SUMS, {.vertices = 256, .mean = 4, .max = 127}, WF_STRATEGY_THREAD, false},
      {WF_FAMILY_SUMS, {.vertices = 256, .mean = 4, .max = 128}, WF_STRATEGY_BINS, false},
      {WF_FAMILY_SUMS,
       {.vertices = 256, .mean = 4, .max = 128, .crowd = 900},
       WF_STRATEGY_EDGES,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 256, .mean = 4, .max = 128, .crowd = 800},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 4, .max = 31, .near = 0.6},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 4, .max = 32, .near = 0.6},
       WF_STRATEGY_EDGES,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 16, .max = 2000, .near = 0.1},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 17, .max = 64, .near = 0.1},
       WF_STRATEGY_EDGES,
       false},
      {WF_FAMILY_SUMS, {.vertices = 9999, .mean = 13, .max = 63}, WF_STRATEGY_EDGES, false},
      {WF_FAMILY_SUMS, {.vertices = 9999, .mean = 13, .max = 64}, WF_STRATEGY_BINS, false},
      {WF_FAMILY_PATHS,
       {.vertices = 511, .mean = 50, .max = 63, .far = 0.5},
       WF_STRATEGY_BLOCK,
       false},
      {WF_FAMILY_PATHS, {.vertices = 12100, .mean = 5, .max = 63}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_PATHS, {.vertices = 12321, .mean = 5, .max = 63}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_PATHS,
       {.vertices = 99999, .mean = 5, .max = 9, .reach = 110},
       WF_STRATEGY_BLOCK,
       false},
      {WF_FAMILY_PATHS,
       {.vertices = 99999, .mean = 5, .max = 9, .reach = 111},
       WF_STRATEGY_SEGMENTS,
       false},
      {WF_FAMILY_PATHS, {.vertices = 12100, .mean = 5, .max = 64}, WF_STRATEGY_EDGES, false},
      {WF_FAMILY_PATHS,
       {.vertices = 12100, .mean = 5, .max = 64, .far = 0.1},
       WF_STRATEGY_SEGMENTS,
       false},
      {WF_FAMILY_PATHS, {.vertices = 4000000, .mean = 5, .max = 9}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_PATHS, {.vertices = 40000000, .mean = 5, .max = 9}, WF_STRATEGY_EDGES, false},
      {WF_FAMILY_PATHS,
       {.vertices = 7679, .mean = 2, .max = 511, .far = 1},
       WF_STRATEGY_SEGMENTS,
       false},
      {WF_FAMILY_PATHS,
       {.vertices = 7679, .mean = 2, .max = 512, .far = 1},
       WF_STRATEGY_EDGES,
       false},
      {WF_FAMILY_PATHS,
       {.vertices = 7680, .mean = 2, .max = 512, .far = 1},
       WF_STRATEGY_SEGMENTS,
       false},
      {WF_FAMILY_PATHS,
       {.vertices = 7679, .mean = 2, .max = 512, .far = 1, .narrows = 2.1},
       WF_STRATEGY_SEGMENTS,
       false},
      {WF_FAMILY_COMPONENTS, {.mean = 4, .max = 9}, WF_STRATEGY_HOOK, false},
      {WF_FAMILY_SEARCH, {.vertices = 4096, .mean = 12, .max = 63}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_SEARCH, {.vertices = 4097, .mean = 12, .max = 63}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 200704, .mean = 4, .max = 4}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_SEARCH, {.vertices = 200705, .mean = 4, .max = 4}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 65537, .mean = 3, .max = 4}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 36865, .mean = 4, .max = 5}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 4, .max = 64}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 13, .max = 31}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 8000000, .mean = 4, .max = 64}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 9000000, .mean = 4, .max = 63}, WF_STRATEGY_EDGES, false},
      {WF_FAMILY_SEARCH,
       {.vertices = 1024, .mean = 4, .max = 8, .far = 0.1},
       WF_STRATEGY_DIRECTION,
       false},
      {WF_FAMILY_SEARCH,
       {.vertices = 1023, .mean = 4, .max = 8, .far = 0.1},
       WF_STRATEGY_SEGMENTS,
       false},
      {WF_FAMILY_SEARCH,
       {.vertices = 512, .mean = 9, .max = 9, .far = 0.1},
       WF_STRATEGY_DIRECTION,
       false},
      {WF_FAMILY_SEARCH,
       {.vertices = 511, .mean = 9, .max = 9, .far = 0.1},
       WF_STRATEGY_BLOCK,
       false},
      {WF_FAMILY_SEARCH,
       {.vertices = 9999, .mean = 9, .max = 900, .far = 0.1, .narrows = 2.0},
       WF_STRATEGY_DIRECTION,
       false},
      {WF_FAMILY_SEARCH,
       {.vertices = 9999, .mean = 9, .max = 900, .far = 0.1, .narrows = 2.1},
       WF_STRATEGY_SEGMENTS,
       false}};
  choose_each(cases, sizeof cases / sizeof *cases, false);
}

static void automatic_with_mff(void **state) {
  (void)state;
  static const rule_case cases[] = {
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 4, .max = 8, .far = 0.9},
       WF_STRATEGY_THREAD,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 256, .mean = 9, .max = 31, .far = 0.9},
       WF_STRATEGY_THREAD,
       false},
      {WF_FAMILY_SUMS, {.vertices = 256, .mean = 9, .max = 32}, WF_STRATEGY_THREAD, true},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 6, .max = 900, .far = 0.25},
       WF_STRATEGY_EDGES,
       true},
      {WF_FAMILY_SUMS,
       {.vertices = 10001, .mean = 6, .max = 900, .far = 0.25},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 6, .max = 900, .far = 0.2},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_SUMS,
       {.vertices = 9999, .mean = 5, .max = 900, .far = 0.25},
       WF_STRATEGY_BINS,
       false},
      {WF_FAMILY_PATHS, {.mean = 4, .max = 9}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_COMPONENTS, {.mean = 4, .max = 9}, WF_STRATEGY_HOOK, false},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 4, .max = 63}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 12, .max = 63}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_SEARCH, {.vertices = 2500, .mean = 4, .max = 63}, WF_STRATEGY_BLOCK, false},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 16, .max = 1023}, WF_STRATEGY_THREAD, true},
      {WF_FAMILY_SEARCH, {.vertices = 1025, .mean = 16, .max = 1023}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH,
       {.vertices = 3075, .mean = 16, .max = 9, .far = 0.2},
       WF_STRATEGY_THREAD,
       true},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 17, .max = 1023}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH, {.vertices = 1024, .mean = 16, .max = 1024}, WF_STRATEGY_SEGMENTS, false},
      {WF_FAMILY_SEARCH,
       {.vertices = 5000, .mean = 7, .max = 9, .far = 0.25},
       WF_STRATEGY_DIRECTION,
       false}};
  choose_each(cases, sizeof cases / sizeof *cases, true);
}

static void degrees(void **state) {
  (void)state;
  enum { N = 96, LISTS = 4 };
  static const uint32_t first[LISTS] = {0, 3, 3, 4}, col[] = {0, 31, 32, 7, 64, 95};
  uint32_t row[N + 1];
  for (uint32_t v = 0; v <= N; v++) row[v] = v < LISTS ? first[v] : 6;
  const wf_degrees d = wf_degrees_of(row, col, N);
  assert_int_equal(d.max, 3);
  assert_int_equal(d.crowd, 6);
  assert_true(d.mean == 1.0 / 16);
  assert_true(d.near == 2.0 / 3);
  assert_true(d.far == 4.0 / 6); /* more than 6 away */
  assert_true(d.narrows == 14.0 / 3);
  assert_int_equal(d.reach, (32 + 5 + 92) / N);
}

static void what_does_not_go_together_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *app, *options[MOST_OPTIONS], *says;
  } bad[] = {
      {"pagerank", {"app.strategy=wrap"}, "app.strategy=wrap: expected auto, edges, thread, warp"},
      {"pagerank", {"app.strategy=bins", "app.unroll=4"}, "app.unroll=4: is of strategy thread"},
      {"pagerank", {"app.strategy=bins", "app.lanes=4"}, "app.lanes=4: is of strategy warp"},
      {"pagerank", {"app.strategy=warp", "app.lanes=2"}, "4, 8, 16 or 32"},
      {"bfs", {"app.strategy=direction", "app.queue=8"}, "app.queue=8: is of strategy queue"},
      {"sssp", {"sample.launches=2"}, "sample.launches=2: strategy segments is one launch"},
      {"sssp", {"app.strategy=hook"}, "app.strategy=hook: expected edges, auto"},
      {"wcc", {"app.strategy=hook", "app.supersteps=2"}, "supersteps=2: strategy hook has no"},
      {"sssp", {"app.strategy=block", "app.supersteps=2"}, "supersteps=2: strategy block has no"},
      {"wcc", {"app.strategy=block"}, "app.strategy=block: expected hook"},
      {"gclr", {"app.strategy=unroll"}, "expected thread, warp or queue"},
      {"gclr", {"app.ballot=1"}, "app.ballot=1: is of strategy warp"},
      {"gmis", {"app.strategy=warp", "app.queue=8"}, "app.queue=8: is of strategy queue"},
      {"gbfs", {"app.strategy=warp", "app.loop=unr2"}, "app.loop=unr2: is of strategy thread"},
      {"gbfs", {"app.strategy=unroll", "app.queue=8"}, "app.queue=8: is of strategy queue"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    outcome o = start(bad[i].app, graphs[0], bad[i].options);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(o.err.text, bad[i].says)) fail_msg("%s: %s", bad[i].options[0], o.err.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pagerank),
      cmocka_unit_test(frontiers),
      cmocka_unit_test(far_ones_spill),
      cmocka_unit_test(near_ones_spill),
      cmocka_unit_test(sums_wrap),
      cmocka_unit_test(grids_are_near),
      cmocka_unit_test(textbooks),
      cmocka_unit_test(loops_differ),
      cmocka_unit_test(pagerank_to_convergence),
      cmocka_unit_test(bounds),
      cmocka_unit_test(automatic),
      cmocka_unit_test(automatic_with_mff),
      cmocka_unit_test(degrees),
      cmocka_unit_test(what_does_not_go_together_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
