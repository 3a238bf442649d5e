/* The five applications of the work on preloading for thread blocks, executed without timing: all
 * forms give the reference's results at sizes that fill tiles and at such that do not, wrong ones
 * are found, bad options refused; and what the forms are: the plain one without shared memory,
 * the shared one with each word of its tile read once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/apps/apps.h"
#include "tests/apps/functional_gpu.h"

enum { MAX_OPTIONS = 4, N_APPS = 5, FORMS = 3 };
static const char *const apps[N_APPS] = {"eds", "hsp", "jac", "mma", "ptf"};
static const char *const forms[FORMS] = {"app.form=plain", "app.form=shared", "app.form=double"};

typedef struct outcome {
  bool ran;
  wf_app_run run;
  wf_error err;
  uint64_t instructions;
} outcome;

static outcome start(const char *app_name, const char *form, const char *const *options,
                     bool corrupt) {
  outcome o = {0};
  const wf_app *app = wf_app_find(app_name, &o.err);
  assert_non_null(app);
  assert_false(app->needs_graph);
  wf_gpu *gpu = fg_create(64u << 20, NULL);
  gpu->corrupt = corrupt;
  if (form) assert_true(wf_options_add(&gpu->options, form, &o.err));
  for (; *options; options++) assert_true(wf_options_add(&gpu->options, *options, &o.err));
  o.run = (wf_app_run){.gpu = gpu, .seed = 11};
  o.ran = wf_app_start(app, &o.run, &o.err);
  o.instructions = gpu->instructions;
  fg_destroy(gpu);
  return o;
}

static void results_are_right(void **state) {
  (void)state;
  static const char *const sizes[][2] = {
      {"app.rows=48", "app.cols=64"}, {"app.rows=37", "app.cols=53"},
      {"app.rows=16", "app.cols=16"}, {"app.rows=2", "app.cols=300"},
      {"app.rows=70", "app.cols=1"},  {"app.rows=3", "app.cols=3"}};
  for (size_t a = 0; a < N_APPS; a++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      for (size_t f = 0; f < FORMS; f++) {
        outcome o =
            start(apps[a], forms[f], (const char *const[]){sizes[s][0], sizes[s][1], NULL}, false);
        if (!o.ran) fail_msg("%s %s %s: %s", apps[a], forms[f], sizes[s][0], o.err.text);
        if (!o.run.verified)
          fail_msg("%s %s %s: %s", apps[a], forms[f], sizes[s][0], o.run.verdict);
        assert_non_null(strstr(o.run.verdict, "equal"));
      }
}

/* As many steps at once as the tile allows, one, and numbers of turns that this does not divide, in
 * the forms that take the option; the others refuse it. */
static void steps_at_once(void **state) {
  (void)state;
  enum { PLAIN = 1, SHARED = 2, DOUBLE = 4 };
  static const struct {
    const char *app, *options[MAX_OPTIONS + 1];
    uint32_t turns, takes; /* forms, a bit each */
  } cases[] = {{"hsp", {"app.rows=40", "app.cols=33", "app.turns=7", "app.pyramid=7"}, 7, SHARED},
               {"hsp", {"app.rows=40", "app.cols=33", "app.turns=7", "app.pyramid=3"}, 7, SHARED},
               {"hsp", {"app.rows=20", "app.cols=70", "app.turns=3", "app.pyramid=1"}, 3, SHARED},
               {"hsp", {"app.rows=20", "app.cols=70", "app.turns=2", "app.pyramid=5"}, 2, SHARED},
               {"jac", {"app.rows=35", "app.cols=50", "app.turns=5"}, 5, PLAIN | SHARED | DOUBLE},
               {"jac", {"app.rows=35", "app.cols=50", "app.turns=3", "app.strip=1"}, 3, DOUBLE},
               {"hsp", {"app.rows=40", "app.cols=33", "app.turns=3", "app.strip=5"}, 3, DOUBLE},
               {"hsp", {"app.rows=40", "app.cols=33", "app.turns=3", "app.strip=100"}, 3, DOUBLE},
               {"ptf", {"app.rows=30", "app.cols=700", "app.pyramid=1"}, 29, SHARED | DOUBLE},
               {"ptf", {"app.rows=30", "app.cols=700", "app.pyramid=127"}, 29, SHARED | DOUBLE},
               {"ptf", {"app.rows=200", "app.cols=40", "app.pyramid=127"}, 199, SHARED | DOUBLE},
               {"ptf", {"app.rows=30", "app.cols=700", "app.pyramid=9"}, 29, SHARED | DOUBLE}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (size_t f = 0; f < FORMS; f++) {
      outcome o = start(cases[i].app, forms[f], cases[i].options, false);
      if (cases[i].takes >> f & 1) {
        if (!o.ran) fail_msg("%s case %zu %s: %s", cases[i].app, i, forms[f], o.err.text);
        if (!o.run.verified)
          fail_msg("%s case %zu %s: %s", cases[i].app, i, forms[f], o.run.verdict);
        assert_int_equal(o.run.supersteps, cases[i].turns);
      } else {
        assert_false(o.ran);
        assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
        assert_non_null(strstr(o.err.text, "does not use it; expected --set app.form="));
      }
    }
}

/* Tiles that reach beyond the array on each side, strips of one row and longer than it; rows that
 * sixteen bytes do not divide are refused. */
static void copies_ahead(void **state) {
  (void)state;
  static const char *const sizes[][3] = {{"app.rows=48", "app.cols=256", "app.strip=16"},
                                         {"app.rows=37", "app.cols=132", "app.strip=1"},
                                         {"app.rows=2", "app.cols=300", "app.strip=64"},
                                         {"app.rows=70", "app.cols=4", "app.strip=9"},
                                         {"app.rows=3", "app.cols=128", "app.strip=2"}};
  for (size_t a = 0; a < N_APPS - 1; a++) { /* but ptf */
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const char *const *size = sizes[s];
      outcome o = start(apps[a], "app.form=copy",
                        (const char *const[]){size[0], size[1], size[2], NULL}, false);
      if (!o.ran) fail_msg("%s %s %s: %s", apps[a], size[0], size[1], o.err.text);
      if (!o.run.verified) fail_msg("%s %s %s: %s", apps[a], size[0], size[1], o.run.verdict);
    }
    outcome o = start(apps[a], "app.form=copy", (const char *const[]){"app.cols=53", NULL}, false);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    assert_non_null(strstr(o.err.text, "app.cols=53: form copy copies 16 bytes at once"));
    o = start(apps[a], "app.form=copy", (const char *const[]){"app.rows=20", "app.cols=40", NULL},
              true);
    assert_true(o.ran && !o.run.verified);
  }
}

/* One flipped bit in what is read back: every form must notice and say where. */
static void wrong_results_are_found(void **state) {
  (void)state;
  for (size_t a = 0; a < N_APPS; a++)
    for (size_t f = 0; f < FORMS; f++) {
      outcome o =
          start(apps[a], forms[f], (const char *const[]){"app.rows=20", "app.cols=40", NULL}, true);
      assert_true(o.ran);
      if (o.run.verified)
        fail_msg("%s %s: a wrong result passed: %s", apps[a], forms[f], o.run.verdict);
      assert_non_null(strstr(o.run.verdict, "got"));
      assert_non_null(strstr(o.run.verdict, "expected"));
    }
}

static void plain_is_the_default(void **state) {
  (void)state;
  static const char *const size[] = {"app.rows=32", "app.cols=64", NULL};
  for (size_t a = 0; a < N_APPS; a++) {
    const outcome none = start(apps[a], NULL, size, false),
                  plain = start(apps[a], forms[0], size, false),
                  shared = start(apps[a], forms[1], size, false);
    assert_int_equal(none.instructions, plain.instructions);
    assert_int_not_equal(none.instructions, shared.instructions);
  }
}

static void bad_options_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *app, *option, *says;
  } bad[] = {{"eds", "app.rows=0", "1..8192"},   {"mma", "app.cols=9000", "1..8192"},
             {"hsp", "app.pyramid=8", "1..7"},   {"ptf", "app.pyramid=128", "1..127"},
             {"ptf", "app.rows=1", "2..8192"},   {"jac", "app.turns=x", "1..10000"},
             {"mma", "app.form=tiled", "shared"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    outcome o = start(bad[i].app, NULL, (const char *const[]){bad[i].option, NULL}, false);
    assert_false(o.ran);
    assert_int_equal(o.err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(o.err.text, bad[i].says))
      fail_msg("%s %s: %s", bad[i].app, bad[i].option, o.err.text);
  }
}

/* Loads from global and accesses to shared memory of one kernel. */
static void count_accesses(const char *app, const char *form, unsigned *global, unsigned *shared,
                           uint32_t *shared_bytes) {
  wf_error err = {0};
  char name[32];
  snprintf(name, sizeof name, "%s_%s", app, form);
  const wf_app_kernels *k = wf_app_kernels_find(app);
  assert_non_null(k);
  ptx_module *m = ptx_parse_text(k->name, k->ptx, k->bytes, NULL, 0, &err);
  const ptx_kernel *kernel = ptx_find_kernel(m, name, &err);
  if (!kernel) fail_msg("%s", err.text);
  *global = *shared = 0;
  for (uint32_t i = 0; i < kernel->n_insts; i++) {
    const ptx_inst *in = &kernel->insts[i];
    if (in->cls == PTX_CLASS_LOAD &&
        (in->space == PTX_SPACE_GLOBAL || in->space == PTX_SPACE_GLOBAL_NC))
      ++*global;
    if ((in->cls == PTX_CLASS_LOAD || in->cls == PTX_CLASS_STORE) && in->space == PTX_SPACE_SHARED)
      ++*shared;
  }
  *shared_bytes = kernel->shared_bytes;
  ptx_module_destroy(m);
}

static void what_the_forms_are(void **state) {
  (void)state;
  static const struct {
    unsigned plain_loads, shared_loads;
    uint32_t bytes;
  } expected[N_APPS] = {{8, 1, 18 * 18 * 4},
                        {6, 2, 3 * 1024},
                        {9, 9, 18 * 18 * 4},
                        {2, 2, 2 * 1024},
                        {4, 2, 2 * 1024}};
  for (size_t a = 0; a < N_APPS; a++) {
    unsigned global, shared;
    uint32_t bytes;
    count_accesses(apps[a], "plain", &global, &shared, &bytes);
    assert_int_equal(global, expected[a].plain_loads);
    assert_int_equal(shared, 0);
    assert_int_equal(bytes, 0);
    count_accesses(apps[a], "shared", &global, &shared, &bytes);
    assert_int_equal(global, expected[a].shared_loads);
    assert_true(shared > global); /* each is put into shared memory, and read there at least once */
    assert_int_equal(bytes, expected[a].bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_are_right),    cmocka_unit_test(steps_at_once),
      cmocka_unit_test(copies_ahead),         cmocka_unit_test(wrong_results_are_found),
      cmocka_unit_test(plain_is_the_default), cmocka_unit_test(bad_options_are_refused),
      cmocka_unit_test(what_the_forms_are)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
