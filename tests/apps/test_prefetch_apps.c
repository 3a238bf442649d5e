/* The seven applications of the work on prefetching into spare registers, executed without timing:
 * results verified on graphs of many shapes, wrong ones found, bad options refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "sim/ptx/loadpairs.h"
#include "tests/apps/functional_gpu.h"

enum { MAX_OPTIONS = 3 };

typedef struct app_case {
  const char *app, *options[MAX_OPTIONS + 1];
} app_case;

typedef struct outcome {
  bool ran;
  wf_app_run run;
  wf_error err;
} outcome;

static outcome start(const app_case *c, const char *spec, bool corrupt) {
  outcome o = {0};
  const wf_app *app = wf_app_find(c->app, &o.err);
  assert_non_null(app);
  assert_true(app->needs_graph);
  wf_gpu *gpu = fg_create(64u << 20, NULL);
  gpu->corrupt = corrupt;
  for (const char *const *option = c->options; *option; option++)
    assert_true(wf_options_add(&gpu->options, *option, &o.err));
  wf_graph *graph = wf_graph_open(spec, 5, &o.err);
  if (!graph) fail_msg("%s", o.err.text);
  o.run = (wf_app_run){.gpu = gpu, .graph = graph, .seed = 11};
  o.ran = wf_app_start(app, &o.run, &o.err);
  wf_graph_destroy(graph);
  fg_destroy(gpu);
  return o;
}

static const char *const graphs[] = {"rmat:scale=10,edges=8000",
                                     "random:n=1500,degree=4",
                                     "grid:x=17,y=13",
                                     "star:n=300",
                                     "chain:n=70",
                                     "complete:n=40",
                                     "chain:n=1",
                                     "er:scale=8,edges=300"};
enum { N_GRAPHS = sizeof graphs / sizeof graphs[0] };

static const app_case cases[] = {{"hbfs", {NULL}},
                                 {"hbfs", {"app.source=0", "app.undirected=1"}},
                                 {"hsssp", {NULL}},
                                 {"hsssp", {"app.source=0", "app.undirected=1"}},
                                 {"lsbfs", {NULL}},
                                 {"lsbfs", {"app.source=0", "app.undirected=1"}},
                                 {"lssssp", {NULL}},
                                 {"lssssp", {"app.source=0", "app.undirected=1"}},
                                 {"hmst", {NULL}},
                                 {"lsmst", {NULL}},
                                 {"stcon", {NULL}},
                                 {"stcon", {"app.source=0", "app.target=0"}},
                                 {"stcon", {"app.source=0", "app.undirected=1"}}};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void results_are_right(void **state) {
  (void)state;
  for (size_t i = 0; i < N_CASES; i++)
    for (size_t g = 0; g < N_GRAPHS; g++) {
      outcome o = start(&cases[i], graphs[g], false);
      if (!o.ran) fail_msg("%s %s: %s", cases[i].app, graphs[g], o.err.text);
      if (!o.run.verified) fail_msg("%s %s: %s", cases[i].app, graphs[g], o.run.verdict);
      assert_non_null(strstr(o.run.verdict, "equal"));
    }
}

/* Weights that a file gives, many of them alike: ties between edges and between components. */
static void equal_weights(void **state) {
  (void)state;
  enum { SIDE = 30, N = SIDE * SIDE };
  static uint32_t tail[2 * N], head[2 * N], weight[2 * N];
  for (unsigned kinds = 1; kinds <= 3; kinds++)
    for (unsigned a = 0; a < 2; a++) {
      uint32_t n = 0;
      wf_error err = {0};
      for (uint32_t v = 0; v < N; v++) { /* a grid, its vertices numbered by a stride */
        const uint32_t right = v % SIDE + 1 < SIDE ? v + 1 : v, below = v + SIDE < N ? v + SIDE : v;
        for (unsigned k = 0; k < 2; k++) {
          const uint32_t to = k ? below : right;
          if (to == v) continue;
          tail[n] = v * 7 % N;
          head[n] = to * 7 % N;
          weight[n++] = 1 + v * 31 % kinds;
        }
      }
      wf_graph *graph = wf_graph_from_arcs("ties", N, n, tail, head, weight, false, &err);
      wf_gpu *gpu = fg_create(64u << 20, NULL);
      wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 1};
      assert_true(wf_app_start(wf_app_find(a ? "lsmst" : "hmst", &err), &run, &err));
      if (!run.verified) fail_msg("%u kinds of weight: %s", kinds, run.verdict);
      assert_true(wf_app_metric_value(&run, "forest_edges", 0) == N - 1);
      wf_graph_destroy(graph);
      fg_destroy(gpu);
    }
}

static void ends_that_are_not_connected(void **state) {
  (void)state;
  static const app_case c = {"stcon", {"app.source=69", "app.target=0"}};
  outcome o = start(&c, "chain:n=70", false);
  if (!o.ran) fail_msg("%s", o.err.text);
  assert_true(o.run.verified);
  assert_true(wf_app_metric_value(&o.run, "connected", -1) ==
              (strstr(o.run.verdict, "0xffffffff") ? 0 : 1));
  static const uint32_t tail[] = {0, 2}, head[] = {1, 3};
  wf_error err = {0};
  wf_graph *graph = wf_graph_from_arcs("two", 4, 2, tail, head, NULL, true, &err);
  wf_gpu *gpu = fg_create(1u << 20, NULL);
  assert_true(wf_options_add(&gpu->options, "app.source=0", &err) &&
              wf_options_add(&gpu->options, "app.target=3", &err));
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 1};
  assert_true(wf_app_start(wf_app_find("stcon", &err), &run, &err));
  assert_true(run.verified);
  assert_true(wf_app_metric_value(&run, "connected", -1) == 0);
  wf_graph_destroy(graph);
  fg_destroy(gpu);
}

static void a_path_has_the_steps_of_both_searches(void **state) {
  (void)state;
  static const app_case c = {"stcon", {"app.source=0", "app.target=220", "app.undirected=1"}};
  outcome o = start(&c, "grid:x=17,y=13", false);
  assert_true(o.ran && o.run.verified);
  assert_true(wf_app_metric_value(&o.run, "path_steps", 0) == 16 + 12); /* from corner to corner */
}

/* One flipped bit in what is read back: every application must notice and say where. */
static void wrong_results_are_found(void **state) {
  (void)state;
  for (size_t i = 0; i < N_CASES; i++) {
    if (cases[i].options[0]) continue;
    outcome o = start(&cases[i], "grid:x=17,y=13", true);
    if (!o.ran) fail_msg("%s: %s", cases[i].app, o.err.text);
    if (o.run.verified) fail_msg("%s: a wrong result passed: %s", cases[i].app, o.run.verdict);
    assert_non_null(strstr(o.run.verdict, "got"));
    assert_non_null(strstr(o.run.verdict, "expected"));
  }
}

static void bad_options_are_refused(void **state) {
  (void)state;
  static const struct {
    app_case c;
    const char *says;
  } bad[] = {{{"hbfs", {"app.source=70"}}, "-1..69"},
             {{"hsssp", {"app.undirected=2"}}, "0..1"},
             {{"lsbfs", {"app.undirected=x"}}, "0..1"},
             {{"lssssp", {"app.source=-2"}}, "-1.."},
             {{"stcon", {"app.target=70"}}, "-1..69"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    outcome o = start(&bad[i].c, "chain:n=70", false);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(o.err.text, bad[i].says)) fail_msg("%s: %s", bad[i].c.options[0], o.err.text);
  }
  static const uint32_t tail[] = {0, 1}, head[] = {1, 2}, heavy[] = {600000000, 600000000};
  wf_error err = {0};
  wf_graph *graph = wf_graph_from_arcs("far", 3, 2, tail, head, heavy, false, &err);
  wf_gpu *gpu = fg_create(1u << 20, NULL);
  wf_app_run run = {.gpu = gpu, .graph = graph, .seed = 1};
  assert_false(wf_app_start(wf_app_find("lssssp", &err), &run, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "below 1000000000"));
  wf_graph_destroy(graph);
  fg_destroy(gpu);
}

/* What the compiler's part finds in their loops: heads and tails in order, the loop's test and the
 * one before it. */
static void load_pairs(void **state) {
  (void)state;
  static const struct {
    const char *module, *kernel, *roles; /* of the loads that have one */
  } expected[] = {{"hbfs", "hbfs_kernel1", "ht"},
                  {"hsssp", "hsssp_kernel1", "hh"},
                  {"lsbfs", "lsbfs_drelax", "h"},
                  {"lssssp", "lssssp_drelax", "hh"},
                  {"hmst", "hmst_find_min_edge_weight", "hth"},
                  {"lsmst", "lsmst_boruvka_one", "ht"},
                  {"stcon", "stcon_visit", "ht"}};
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    wf_error err = {0};
    const wf_app_kernels *k = wf_app_kernels_find(expected[i].module);
    ptx_module *m = ptx_parse_text(k->name, k->ptx, k->bytes, NULL, 0, &err);
    const ptx_kernel *kernel = ptx_find_kernel(m, expected[i].kernel, &err);
    ptx_pairs *p = ptx_find_pairs(kernel);
    char roles[8] = "";
    uint32_t loop = 0, n = 0;
    for (uint32_t l = 0; l < p->n_loads; l++) {
      if (p->loads[l].role == PTX_LOAD_NONE) continue;
      assert_in_range(n, 0, 6);
      roles[n++] = p->loads[l].role == PTX_LOAD_HEAD ? 'h' : 't';
      loop = p->loads[l].loop;
      if (p->loads[l].role == PTX_LOAD_HEAD)
        assert_int_equal(p->loads[l].stride, 4);
      else
        assert_true(p->loads[l].simple);
    }
    assert_string_equal(roles, expected[i].roles);
    const ptx_pair_loop *of = &p->loops[loop];
    assert_int_not_equal(of->test.pc, PTX_NO_PC);
    assert_int_not_equal(of->entry.pc, PTX_NO_PC);
    assert_int_equal(of->early_exits, 0);
    assert_false(of->chain_cut);
    /* The last branch back is the one that the test decides: a unit finds the loop by it. */
    assert_int_equal(kernel->insts[of->back].target, of->first);
    assert_true(of->back > of->first && of->back - of->test.pc <= 2);
    ptx_pairs_destroy(p);
    ptx_module_destroy(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_right),
                                     cmocka_unit_test(equal_weights),
                                     cmocka_unit_test(ends_that_are_not_connected),
                                     cmocka_unit_test(a_path_has_the_steps_of_both_searches),
                                     cmocka_unit_test(wrong_results_are_found),
                                     cmocka_unit_test(bad_options_are_refused),
                                     cmocka_unit_test(load_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
