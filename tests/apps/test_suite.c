/* The applications modelled on published benchmarks, executed without timing at small and odd
 * sizes: results must be verified, a wrong one must be found wrong, bad options refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "tests/apps/functional_gpu.h"

enum { MAX_OPTIONS = 4 };

/* What one case runs: options end with NULL. */
typedef struct suite_case {
  const char *app, *graph, *options[MAX_OPTIONS + 1];
} suite_case;

typedef struct outcome {
  bool ran;
  wf_app_run run;
  wf_error err;
  uint64_t instructions;
} outcome;

static outcome start(const suite_case *c, bool corrupt) {
  outcome o = {0};
  const wf_app *app = wf_app_find(c->app, &o.err);
  assert_non_null(app);
  wf_gpu *gpu = fg_create(64u << 20, NULL);
  gpu->corrupt = corrupt;
  for (const char *const *option = c->options; *option; option++)
    assert_true(wf_options_add(&gpu->options, *option, &o.err));
  wf_graph *graph = c->graph ? wf_graph_open(c->graph, 5, &o.err) : NULL;
  if (c->graph && !graph) fail_msg("%s", o.err.text);
  o.run = (wf_app_run){.gpu = gpu, .graph = graph, .seed = 11};
  o.ran = wf_app_start(app, &o.run, &o.err);
  o.instructions = gpu->instructions;
  wf_graph_destroy(graph);
  fg_destroy(gpu);
  return o;
}

static const suite_case cases[] = {
    {"kmn", NULL, {"app.points=1000", "app.features=34"}},
    {"kmn", NULL, {"app.points=700", "app.features=7", "app.clusters=9", "app.turns=3"}},
    {"kmn", NULL, {"app.points=513", "app.features=5", "app.turns=2", "app.layout=points"}},
    {"kmn", NULL, {"app.points=1", "app.features=1", "app.clusters=1", "app.turns=1"}},
    {"kmn", NULL, {"app.points=1000", "app.features=34", "app.form=tile"}},
    {"kmn", NULL, {"app.points=65", "app.features=100", "app.form=tile", "app.turns=1"}},
    {"kmn", NULL, {"app.points=1", "app.features=1", "app.form=tile"}},
    {"wc", NULL, {"app.bytes=20000", "app.line=64"}},
    {"wc", NULL, {"app.bytes=5000", "app.line=4"}},
    {"wc",
     NULL,
     {"app.bytes=200000", "app.line=8"}}, /* words cut short meet longer ones in the table */
    {"wc", NULL, {"app.bytes=2"}},
    {"wc", NULL, {"app.bytes=20000", "app.line=64", "app.form=marks"}},
    {"wc", NULL, {"app.bytes=5000", "app.line=4", "app.form=marks"}},
    {"wc", NULL, {"app.bytes=200000", "app.line=8", "app.form=far"}},
    {"wc", NULL, {"app.bytes=2", "app.form=marks"}},
    {"iix", NULL, {"app.bytes=40000", "app.line=200", "app.form=marks"}},
    {"iix", NULL, {"app.bytes=40000", "app.line=1000", "app.form=far"}},
    {"iix", NULL, {"app.bytes=3000", "app.line=20", "app.form=marks"}},
    {"iix", NULL, {"app.bytes=40000", "app.line=200"}},
    {"iix", NULL, {"app.bytes=3000", "app.line=20"}}, /* most links are cut off */
    {"spmv", NULL, {"app.turns=2"}},
    {"spmv", NULL, {"app.turns=2", "app.form=ahead"}},
    {"spmv", NULL, {"app.turns=2", "app.form=far"}},
    {"mm", NULL, {"app.n=45"}},
    {"mm", NULL, {"app.n=33", "app.b=rows"}},
    {"mm", NULL, {"app.n=1"}},
    {"mm", NULL, {"app.n=45", "app.form=tile"}},
    {"mm", NULL, {"app.n=33", "app.inner=65", "app.b=rows", "app.form=tile"}},
    {"mm", NULL, {"app.n=64", "app.rows=16", "app.inner=32", "app.form=tile"}},
    {"mm", NULL, {"app.n=1", "app.form=tile"}},
    {"ss", NULL, {"app.documents=37", "app.features=19"}},
    {"ss", NULL, {"app.documents=37", "app.features=19", "app.form=tile"}},
    {"ss", NULL, {"app.documents=70", "app.queries=0", "app.features=64", "app.form=tile"}},
    {"ge", NULL, {"app.n=37"}},
    {"ge", NULL, {"app.n=1"}},
    {"srd", NULL, {"app.n=48", "app.turns=3"}},
    {"srd", NULL, {"app.n=16", "app.turns=1"}},
    {"mri", NULL, {"app.side=12", "app.samples=1500"}},
    {"mri", NULL, {"app.side=4", "app.samples=200", "app.cutoff=3"}},
    {"sgm", NULL, {"app.m=128", "app.n=48", "app.k=24"}},
    {"sgm", NULL, {"app.m=256", "app.n=16", "app.k=8"}},
    {"stn", NULL, {"app.n=48", "app.turns=3"}},
    {"stn", NULL, {"app.n=16", "app.turns=1"}},
    {"aps", NULL, {"app.n=45", "app.degree=3"}},
    {"aps", NULL, {"app.n=1"}},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static const char *const graphs[] = {"rmat:scale=10,edges=6000",
                                     "grid:x=17,y=13",
                                     "star:n=300",
                                     "chain:n=70",
                                     "complete:n=40",
                                     "chain:n=1",
                                     "er:scale=8,edges=300"};
enum { N_GRAPHS = sizeof graphs / sizeof graphs[0] };
static const suite_case graph_cases[] = {
    {"bfs_rodinia", NULL, {NULL}},
    {"bfs_rodinia", NULL, {"app.undirected=1", "app.source=0"}},
    {"gc", NULL, {"app.rounds=0"}},
    {"gc", NULL, {"app.rounds=2"}},
    {"gc", NULL, {"app.rounds=0", "app.form=far"}},
    {"gc", NULL, {"app.rounds=2", "app.form=far"}},
    {"ssp", NULL, {NULL}},
    {"ssp", NULL, {"app.undirected=1", "app.source=0"}},
    {"ccl", NULL, {NULL}},
    {"spmv", NULL, {NULL}},
    {"spmv", NULL, {"app.form=ahead"}},
    {"spmv", NULL, {"app.form=far"}}};
enum { N_GRAPH_CASES = sizeof graph_cases / sizeof graph_cases[0] };

static void assert_verified(const suite_case *c) {
  outcome o = start(c, false);
  const char *first = c->options[0] ? c->options[0] : "";
  const char *graph = c->graph ? c->graph : "";
  if (!o.ran) fail_msg("%s %s %s: %s", c->app, graph, first, o.err.text);
  if (!o.run.verified) fail_msg("%s %s %s: %s", c->app, graph, first, o.run.verdict);
  assert_true(strstr(o.run.verdict, "equal") != NULL);
}

static void generated_inputs(void **state) {
  (void)state;
  for (size_t i = 0; i < N_CASES; i++) {
    suite_case c = cases[i];
    if (strcmp(c.app, "spmv") == 0) c.graph = graphs[0];
    assert_verified(&c);
  }
}

static void graph_inputs(void **state) {
  (void)state;
  for (size_t i = 0; i < N_GRAPH_CASES; i++)
    for (size_t g = 0; g < N_GRAPHS; g++) {
      suite_case c = graph_cases[i];
      c.graph = graphs[g];
      assert_verified(&c);
    }
}

/* One flipped bit in what is read back: every application must notice and say where. */
static void wrong_results_are_found(void **state) {
  (void)state;
  static const suite_case wrong[] = {
      {"bfs_rodinia", "grid:x=17,y=13", {NULL}},
      {"kmn", NULL, {"app.points=200", "app.features=3"}},
      {"kmn", NULL, {"app.points=200", "app.features=3", "app.turns=1"}},
      {"wc", NULL, {"app.bytes=2000"}},
      {"iix", NULL, {"app.bytes=2000"}},
      {"kmn", NULL, {"app.points=200", "app.features=3", "app.form=tile"}},
      {"wc", NULL, {"app.bytes=2000", "app.form=marks"}},
      {"iix", NULL, {"app.bytes=2000", "app.form=far"}},
      {"gc", "grid:x=17,y=13", {"app.form=far"}},
      {"spmv", "grid:x=17,y=13", {"app.form=ahead"}},
      {"mm", NULL, {"app.n=9", "app.form=tile"}},
      {"ss", NULL, {"app.documents=9", "app.features=5", "app.form=tile"}},
      {"gc", "grid:x=17,y=13", {NULL}},
      {"ssp", "grid:x=17,y=13", {NULL}},
      {"spmv", "grid:x=17,y=13", {NULL}},
      {"ccl", "grid:x=17,y=13", {NULL}},
      {"mm", NULL, {"app.n=9"}},
      {"ss", NULL, {"app.documents=9", "app.features=5"}},
      {"ge", NULL, {"app.n=9"}},
      {"srd", NULL, {"app.n=16"}},
      {"mri", NULL, {"app.side=4", "app.samples=100"}},
      {"sgm", NULL, {"app.m=128", "app.n=16", "app.k=8"}},
      {"stn", NULL, {"app.n=16"}},
      {"aps", NULL, {"app.n=9"}},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    outcome o = start(&wrong[i], true);
    if (!o.ran) fail_msg("%s: %s", wrong[i].app, o.err.text);
    if (o.run.verified) fail_msg("%s: a wrong result passed: %s", wrong[i].app, o.run.verdict);
    assert_non_null(strstr(o.run.verdict, "got"));
    assert_non_null(strstr(o.run.verdict, "expected"));
  }
}

/* Same seed, same input: instruction for instruction. Another seed: another input. */
static void inputs_follow_the_seed(void **state) {
  (void)state;
  static const suite_case c = {"wc", NULL, {"app.bytes=20000"}};
  assert_int_equal(start(&c, false).instructions, start(&c, false).instructions);
  outcome o = {0};
  wf_gpu *gpu = fg_create(16u << 20, NULL);
  assert_true(wf_options_add(&gpu->options, c.options[0], &o.err));
  o.run = (wf_app_run){.gpu = gpu, .seed = 12};
  assert_true(wf_app_start(wf_app_find("wc", &o.err), &o.run, &o.err));
  assert_true(o.run.verified);
  assert_int_not_equal(gpu->instructions, start(&c, false).instructions);
  fg_destroy(gpu);
}

static void bad_options_are_refused(void **state) {
  (void)state;
  static const struct {
    suite_case c;
    const char *says;
  } bad[] = {
      {{"kmn", NULL, {"app.points=0"}}, "1..4194304"},
      {{"kmn", NULL, {"app.points=4194304", "app.features=256"}}, "more than 4 GiB"},
      {{"kmn", NULL, {"app.layout=rows"}}, "features or points"},
      {{"wc", NULL, {"app.bytes=1"}}, "2..268435456"},
      {{"iix", NULL, {"app.line=x"}}, "app.line=x"},
      {{"mm", NULL, {"app.b=both"}}, "columns or rows"},
      {{"ss", NULL, {"app.form=shared"}}, "plain or tile"},
      {{"wc", NULL, {"app.form=words"}}, "plain, marks or far"},
      {{"srd", NULL, {"app.n=40"}}, "multiple of 16"},
      {{"stn", NULL, {"app.n=17"}}, "multiple of 16"},
      {{"sgm", NULL, {"app.m=200"}}, "multiple of 128"},
      {{"sgm", NULL, {"app.k=9"}}, "multiple of 8"},
      {{"mri", NULL, {"app.side=10"}}, "multiple of 4"},
      {{"ge", NULL, {"app.n=0"}}, "1..2048"},
      {{"aps", NULL, {"app.degree=-1"}}, "1..4096"},
      {{"gc", "chain:n=70", {"app.rounds=-1"}}, "0..1000000"},
      {{"ssp", "chain:n=70", {"app.source=70"}}, "-1..69"},
      {{"bfs_rodinia", "chain:n=70", {"app.undirected=2"}}, "0..1"},
      {{"spmv", NULL, {NULL}}, "--graph"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    outcome o = start(&bad[i].c, false);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(o.err.text, bad[i].says)) fail_msg("%s: %s", bad[i].c.options[0], o.err.text);
  }
}

static void full_memory_is_reported(void **state) {
  (void)state;
  size_t count;
  const wf_app *const *apps = wf_app_list(&count);
  for (size_t i = 0; i < count; i++) {
    wf_error err = {0};
    wf_gpu *gpu = fg_create(4096, NULL);
    wf_graph *graph = apps[i]->needs_graph ? wf_graph_open("grid:x=100,y=100", 1, &err) : NULL;
    wf_app_run run = {.gpu = gpu, .graph = graph};
    if (wf_app_start(apps[i], &run, &err)) fail_msg("%s ran in 4096 bytes", apps[i]->name);
    if (!strstr(err.text, "memory full")) fail_msg("%s: %s", apps[i]->name, err.text);
    wf_graph_destroy(graph);
    fg_destroy(gpu);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(generated_inputs),        cmocka_unit_test(graph_inputs),
      cmocka_unit_test(wrong_results_are_found), cmocka_unit_test(inputs_follow_the_seed),
      cmocka_unit_test(bad_options_are_refused), cmocka_unit_test(full_memory_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
