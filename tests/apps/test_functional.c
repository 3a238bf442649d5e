/* Graph applications in every form that needs no unit on small graphs, executed without timing:
 * results must be verified, and a wrong one must be found wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "tests/apps/functional_gpu.h"

static const char *const graphs[] = {"rmat:scale=10,edges=6000",
                                     "grid:x=17,y=13",
                                     "star:n=300",
                                     "chain:n=70",
                                     "complete:n=40",
                                     "chain:n=1",
                                     "er:scale=8,edges=300"};
enum { N_GRAPHS = sizeof graphs / sizeof graphs[0] };

typedef struct outcome {
  bool ran;
  wf_app_run run;
  wf_error err;
} outcome;

/* options: up to 4 "app.key=value", ended by NULL. */
static outcome start(const char *app_name, const char *graph_spec, bool corrupt,
                     const char *const *options) {
  outcome o = {0};
  const wf_app *app = wf_app_find(app_name, &o.err);
  assert_non_null(app);
  wf_gpu *gpu = fg_create(96u << 20, NULL);
  gpu->corrupt = corrupt;
  for (; options && *options; options++)
    assert_true(wf_options_add(&gpu->options, *options, &o.err));
  wf_graph *graph = graph_spec ? wf_graph_open(graph_spec, 5, &o.err) : NULL;
  if (graph_spec && !graph) fail_msg("%s", o.err.text);
  o.run = (wf_app_run){.gpu = gpu, .graph = graph, .seed = 11};
  o.ran = wf_app_start(app, &o.run, &o.err);
  wf_graph_destroy(graph);
  fg_destroy(gpu);
  return o;
}

static void assert_verified(const outcome *o, const char *app, const char *graph) {
  if (!o->ran) fail_msg("%s on %s: %s", app, graph, o->err.text);
  if (!o->run.verified) fail_msg("%s on %s: %s", app, graph, o->run.verdict);
}

static void plain_forms(void **state) {
  (void)state;
  static const char *const apps[] = {"pagerank", "bfs", "sssp", "wcc"};
  static const char *const variants[][4] = {
      {"app.unroll=1", "app.bitset=atomic"}, {"app.unroll=1", "app.bitset=test"},
      {"app.unroll=4", "app.bitset=atomic"}, {"app.unroll=4", "app.bitset=test"},
      {"app.unroll=8", "app.bitset=test"},   {"app.supersteps=3"}};
  for (size_t a = 0; a < 4; a++)
    for (size_t g = 0; g < N_GRAPHS; g++)
      for (size_t v = 0; v < 6; v++) {
        const char *const options[] = {"app.strategy=thread", variants[v][0],
                                       a ? variants[v][1] : NULL,
                                       NULL}; /* PageRank scatters nothing */
        outcome o = start(apps[a], graphs[g], false, options);
        assert_verified(&o, apps[a], graphs[g]);
      }
}

static void pagerank_to_convergence(void **state) {
  (void)state;
  static const char *const all[] = {"app.supersteps=0", NULL};
  outcome o = start("pagerank", graphs[0], false, all);
  assert_verified(&o, "pagerank", graphs[0]);
  assert_in_range(o.run.supersteps, 5, 200);
}

static void start_vertex(void **state) {
  (void)state;
  static const char *const last[] = {"app.source=69", NULL};
  outcome o = start("bfs", "chain:n=70", false, last);
  assert_verified(&o, "bfs", "chain:n=70");
  assert_true(wf_app_metric_value(&o.run, "source", -1) == 69);
  static const char *const first[] = {"app.source=0", NULL};
  o = start("bfs", "chain:n=70", false, first);
  assert_verified(&o, "bfs", "chain:n=70");
  assert_int_equal(o.run.supersteps, 70);
}

static void micro_benchmarks(void **state) {
  (void)state;
  static const char *const both[] = {"app.bytes=65536", "app.turns=3", NULL},
                           *const bytes[] = {"app.bytes=65536", NULL},
                           *const few[] = {"app.turns=5", NULL}, *const none[] = {NULL};
  static const struct {
    const char *name, *const *options;
  } apps[] = {{"chase", both},   {"random", both},  {"noc", both},     {"mshr", both},
              {"atomics", both}, {"stream", bytes}, {"halves", bytes}, {"reach", bytes},
              {"compute", few},  {"lat", none},     {"misses", none}};
  for (size_t a = 0; a < sizeof apps / sizeof *apps; a++) {
    outcome o = start(apps[a].name, NULL, false, apps[a].options);
    assert_verified(&o, apps[a].name, "no graph");
    assert_true(o.run.n_metrics >= 2);
  }
}

/* One flipped bit in what is read back: every application must notice and say where. */
static void wrong_results_are_found(void **state) {
  (void)state;
  static const char *const apps[] = {"pagerank", "bfs", "sssp", "wcc", "random", "compute"};
  static const char *const few[] = {"app.turns=2", NULL}, *const two[] = {"app.supersteps=2", NULL},
                           *const bits[] = {"app.supersteps=2", "app.strategy=thread", NULL};
  for (size_t a = 0; a < 6; a++) {
    outcome o = start(apps[a], a < 4 ? graphs[0] : NULL, true, a == 0 ? bits : a < 4 ? two : few);
    assert_true(o.ran);
    assert_false(o.run.verified);
    assert_non_null(strstr(o.run.verdict, "got"));
    assert_non_null(strstr(o.run.verdict, "expected"));
    assert_non_null(strstr(o.run.verdict, "1 of"));
  }
}

static void bad_options_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *option, *says;
  } bad[] = {{"app.bitset=maybe", "atomic or test"}, {"app.unroll=3", "1, 4 or 8"},
             {"app.supersteps=-1", "0..1000000"},    {"app.source=70", "-1..69"},
             {"app.source=x", "app.source=x"},       {"app.mff=yes", "0..1"},
             {"app.target=3", "no such option"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const char *const options[] = {bad[i].option, NULL};
    outcome o = start("bfs", "chain:n=70", false, options);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(o.err.text, bad[i].says)) fail_msg("%s: %s", bad[i].option, o.err.text);
  }
  outcome o = start("pagerank", NULL, false, NULL);
  assert_false(o.ran);
  assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(o.err.text, "--graph"));
  static const char *const stride[] = {"app.stride=12", NULL};
  o = start("chase", NULL, false, stride);
  assert_false(o.ran);
  assert_non_null(strstr(o.err.text, "multiple of 8"));
  static const char *const one[] = {"app.stride=64", "app.bytes=64", NULL};
  o = start("chase", NULL, false, one);
  assert_false(o.ran);
  assert_non_null(strstr(o.err.text, "app.bytes=64: must be two elements"));
}

static void full_memory_is_reported(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu *gpu = fg_create(4096, NULL);
  wf_graph *graph = wf_graph_open("grid:x=100,y=100", 1, &err);
  wf_app_run run = {.gpu = gpu, .graph = graph};
  assert_false(wf_app_start(wf_app_find("bfs", &err), &run, &err));
  assert_non_null(strstr(err.text, "memory full"));
  wf_graph_destroy(graph);
  fg_destroy(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_forms),
      cmocka_unit_test(pagerank_to_convergence),
      cmocka_unit_test(start_vertex),
      cmocka_unit_test(micro_benchmarks),
      cmocka_unit_test(wrong_results_are_found),
      cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(full_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
