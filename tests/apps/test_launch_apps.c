/* Applications whose threads launch work, executed without timing: every form gives the right
 * result, launches where it should and does the work itself where it cannot; a wrong result is
 * found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "tests/apps/functional_gpu.h"

enum { MAX_OPTIONS = 6, FLAT = 0, CDP, DTBL, BINS, SCAN, BINS_DTBL, SCAN_DTBL, PT, FORMS };

typedef struct launch_case {
  const char *app, *graph, *options[MAX_OPTIONS + 1];
  bool none; /* too little to do for a launch */
} launch_case;

static const launch_case cases[] = {
    {"bfs_dp", "rmat:scale=9,edges=9000", {NULL}, false},
    {"bfs_dp", "star:n=300", {"app.block=32"}, false},
    {"bfs_dp", "star:n=300", {"app.source=5"}, false},
    {"bfs_dp", "rmat:scale=9,edges=9000", {"app.expand=thread"}, false},
    {"bfs_dp", "grid:x=17,y=13", {NULL}, true},
    {"bfs_dp", "chain:n=1", {NULL}, true},
    {"bfs_dp", "complete:n=33", {"app.block=256"}, false},
    {"bfs_dp", "complete:n=32", {NULL}, true}, /* 31 neighbours each */
    {"sssp_dp", "rmat:scale=9,edges=9000", {NULL}, false},
    {"sssp_dp", "star:n=300", {"app.source=5"}, false},
    {"sssp_dp", "chain:n=70", {NULL}, true},
    {"clr", "rmat:scale=9,edges=9000", {"app.rounds=0"}, false},
    {"clr", "rmat:scale=9,edges=9000", {NULL}, false},
    {"clr", "star:n=300", {"app.rounds=0"}, false},
    {"clr", "grid:x=17,y=13", {"app.rounds=0"}, true},
    {"clr", "chain:n=1", {NULL}, true},
    {"join", NULL, {"app.left=300", "app.right=5000", "app.keys=100"}, false},
    {"join",
     NULL,
     {"app.left=300", "app.right=5000", "app.keys=100", "app.spread=gaussian"},
     false},
    {"join", NULL, {"app.left=300", "app.right=200", "app.keys=5000"}, true},
    {"join", NULL, {"app.left=1", "app.right=1", "app.keys=1"}, true},
    {"amr", NULL, {"app.side=5", "app.sources=2"}, false},
    {"amr", NULL, {"app.side=5", "app.sources=2", "app.levels=2"}, false},
    {"amr", NULL, {"app.side=1", "app.low=0", "app.high=2000000000", "app.levels=2"}, false},
    {"amr", NULL, {"app.side=5", "app.low=5", "app.high=5"}, true},
    {"bht", NULL, {"app.bodies=3000", "app.first=2"}, false},
    {"bht", NULL, {"app.bodies=3000", "app.first=0", "app.worth=1"}, false},
    {"bht", NULL, {"app.bodies=1", "app.first=0"}, true},
    {"pre", NULL, {"app.users=300", "app.products=90"}, false},
    {"pre", NULL, {"app.users=300", "app.given=300", "app.least=1", "app.ratings=3"}, true},
    {"pre", NULL, {"app.users=1", "app.given=1", "app.products=1", "app.ratings=1"}, true},
    {"regx", NULL, {"app.texts=100"}, false},
    {"regx", NULL, {"app.texts=100", "app.kind=strings", "app.block=32"}, false},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };
static const char *const forms[FORMS] = {
    "app.form=flat", "app.form=cdp",       "app.form=dtbl",      "app.form=bins",
    "app.form=scan", "app.form=bins_dtbl", "app.form=scan_dtbl", "app.form=pt"};
/* Lists go to other warps where threads of the other forms launch. */
static const char *const sharing[] = {"app.from=32", "app.chunk=32"};

static bool launches_groups(unsigned form) {
  return form == DTBL || form == BINS_DTBL || form == SCAN_DTBL;
}

typedef struct outcome {
  bool ran;
  wf_app_run run;
  wf_error err;
  uint64_t instructions, launched[2];
} outcome;

enum { PLAIN, CORRUPT, NO_BUFFERS };

static outcome start_as_given(const launch_case *c, unsigned form, int how) {
  outcome o = {0};
  const wf_app *app = wf_app_find(c->app, &o.err);
  assert_non_null(app);
  wf_gpu *gpu = fg_create(64u << 20, NULL);
  gpu->corrupt = how == CORRUPT;
  gpu->no_buffers = how == NO_BUFFERS;
  for (const char *const *option = c->options; *option; option++)
    assert_true(wf_options_add(&gpu->options, *option, &o.err));
  assert_true(wf_options_add(&gpu->options, forms[form], &o.err));
  wf_graph *graph = c->graph ? wf_graph_open(c->graph, 5, &o.err) : NULL;
  if (c->graph && !graph) fail_msg("%s", o.err.text);
  o.run = (wf_app_run){.gpu = gpu, .graph = graph, .seed = 11};
  o.ran = wf_app_start(app, &o.run, &o.err);
  o.instructions = gpu->instructions;
  memcpy(o.launched, gpu->launched_in_all, sizeof o.launched);
  wf_graph_destroy(graph);
  fg_destroy(gpu);
  return o;
}

/* Blocks of a launch are of the paper's forms that launch. */
static outcome start(const launch_case *c, unsigned form, int how) {
  launch_case given = {c->app, c->graph, {NULL}, c->none};
  const bool has_blocks = form == CDP || form == DTBL;
  size_t n = 0;
  for (const char *const *o = c->options; *o; o++)
    if (has_blocks || strncmp(*o, "app.block=", 10) != 0) given.options[n++] = *o;
  for (size_t i = 0; form >= BINS && i < sizeof sharing / sizeof *sharing; i++)
    given.options[n++] = sharing[i];
  return start_as_given(&given, form, how);
}

static void assert_verified(const launch_case *c, unsigned form, const outcome *o) {
  const char *first = c->options[0] ? c->options[0] : "", *graph = c->graph ? c->graph : "";
  if (!o->ran) fail_msg("%s %s %s %s: %s", c->app, graph, first, forms[form], o->err.text);
  if (!o->run.verified)
    fail_msg("%s %s %s %s: %s", c->app, graph, first, forms[form], o->run.verdict);
  assert_true(strstr(o->run.verdict, "equal") != NULL);
}

static void every_form_is_right(void **state) {
  (void)state;
  for (size_t i = 0; i < N_CASES; i++)
    for (unsigned form = FLAT; form < FORMS; form++) {
      const outcome o = start(&cases[i], form, PLAIN);
      assert_verified(&cases[i], form, &o);
      const bool kernels = form == CDP && !cases[i].none,
                 groups = launches_groups(form) && !cases[i].none;
      if (kernels != (o.launched[0] > 0) || groups != (o.launched[1] > 0))
        fail_msg("%s %s %s: %llu kernels and %llu groups were launched", cases[i].app,
                 cases[i].options[0], forms[form], (unsigned long long)o.launched[0],
                 (unsigned long long)o.launched[1]);
    }
}

/* Without memory for parameters threads do the work themselves. */
static void without_buffers(void **state) {
  (void)state;
  for (size_t i = 0; i < N_CASES; i++)
    for (unsigned form = CDP; form < FORMS; form++) {
      const outcome o = start(&cases[i], form, NO_BUFFERS);
      assert_verified(&cases[i], form, &o);
      assert_int_equal(o.launched[0] + o.launched[1], 0);
    }
}

/* One flipped bit in what is read back. */
static void wrong_results_are_found(void **state) {
  (void)state;
  static const char *const once[] = {"bfs_dp", "sssp_dp", "clr", "join",
                                     "amr",    "bht",     "pre", "regx"};
  for (size_t a = 0; a < sizeof once / sizeof *once; a++) {
    size_t i = 0;
    while (strcmp(cases[i].app, once[a]) != 0) i++;
    for (unsigned form = DTBL; form < FORMS; form++) {
      const outcome o = start(&cases[i], form, CORRUPT);
      if (!o.ran) fail_msg("%s: %s", once[a], o.err.text);
      if (o.run.verified) fail_msg("%s: a wrong result passed: %s", once[a], o.run.verdict);
      assert_non_null(strstr(o.run.verdict, "got"));
    }
  }
}

static void bad_options_are_refused(void **state) {
  (void)state;
  static const struct {
    launch_case c;
    const char *says;
  } bad[] = {
      {{"bfs_dp", "chain:n=70", {"app.block=31"}, false}, "32..256"},
      {{"bfs_dp", "chain:n=70", {"app.source=70"}, false}, "-1..69"},
      {{"bfs_dp", "chain:n=70", {"app.expand=block"}, false}, "warp or thread"},
      {{"amr", NULL, {"app.from=0"}, false}, "1..2147483648"},
      {{"bht", NULL, {"app.chunk=31"}, false}, "32..1048576"},
      {{"clr", "chain:n=70", {"app.rounds=-1"}, false}, "0..1000000"},
      {{"join", NULL, {"app.left=0"}, false}, "1..4194304"},
      {{"join", NULL, {"app.spread=normal"}, false}, "uniform or gaussian"},
      {{"join", NULL, {"app.left=200000", "app.right=200000", "app.keys=1"}, false}, "pairs"},
      {{"amr", NULL, {"app.side=0"}, false}, "1..1024"},
      {{"bht", NULL, {"app.first=10"}, false}, "0..9"},
      {{"pre", NULL, {"app.users=3", "app.given=4"}, false}, "there are 3 users"},
      {{"regx", NULL, {"app.kind=words"}, false}, "packets or strings"},
      {{"sssp_dp", NULL, {NULL}, false}, "--graph"},
      {{"bfs_dp", "chain:n=70", {"app.block=64"}, false}, "app.block=64: is not of form flat"},
      {{"amr", NULL, {"app.from=64"}, false}, "app.from=64: is not of form flat"},
      {{"bht", NULL, {"app.chunk=64"}, false}, "app.chunk=64: is not of form flat"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    const outcome o = start_as_given(&bad[i].c, FLAT, PLAIN);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(o.err.text, bad[i].says)) fail_msg("%s: %s", bad[i].c.options[0], o.err.text);
  }
}

static void same_seed_same_run(void **state) {
  (void)state;
  for (size_t i = 16; i < N_CASES; i++)
    assert_int_equal(start(&cases[i], CDP, PLAIN).instructions,
                     start(&cases[i], CDP, PLAIN).instructions);
}

/* Chunks of other sizes; a list that is cut up in none. */
static void lists_are_cut_anyhow(void **state) {
  (void)state;
  static const launch_case cut[] = {
      {"bfs_dp", "star:n=3000", {"app.from=1", "app.chunk=32"}, false},
      {"sssp_dp", "star:n=3000", {"app.from=1000", "app.chunk=1000"}, false},
      {"clr", "star:n=3000", {"app.from=2000", "app.chunk=70"}, false},
      {"pre", NULL, {"app.users=300", "app.products=90", "app.from=40", "app.chunk=33"}, false},
      {"join", NULL, {"app.left=300", "app.right=5000", "app.keys=9", "app.from=64"}, false},
      {"bht", NULL, {"app.bodies=3000", "app.first=0", "app.from=7"}, false},
      {"regx", NULL, {"app.texts=100", "app.from=1", "app.chunk=50"}, false},
      {"amr", NULL, {"app.side=9", "app.sources=2", "app.from=64", "app.chunk=40"}, false},
      {"amr", NULL, {"app.side=9", "app.sources=2", "app.from=65", "app.levels=2"}, true}};
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
    for (unsigned form = BINS; form < FORMS; form++) {
      const outcome o = start_as_given(&cut[i], form, PLAIN);
      assert_verified(&cut[i], form, &o);
      assert_int_equal(o.launched[0], 0);
      assert_int_equal(o.launched[1] > 0, launches_groups(form) && !cut[i].none);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_form_is_right),     cmocka_unit_test(without_buffers),
      cmocka_unit_test(wrong_results_are_found), cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(same_seed_same_run),      cmocka_unit_test(lists_are_cut_anyhow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
