/* The file of a sweep: values, axes, points; what is refused, with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/sweep/internal.h"

static wf_sweep *read_ok(const char *text) {
  wf_error err = {0};
  wf_sweep *s = wf_sweep_read_text("dir/x.ini", text, strlen(text), &err);
  if (!s) fail_msg("%s", err.text);
  return s;
}

static void expect_point(const wf_sweep *s, uint64_t point, const char *expected) {
  char **words;
  const size_t n = wf_sweep_words(s, point, &words);
  char *text = wf_identity_text(words, n);
  assert_string_equal(text, expected);
  free(text);
  wf_identity_words_free(words, n);
}

static void expect_values(const char *text, const char *expected) {
  char **words = NULL;
  size_t n = 0;
  const char *why = NULL;
  if (!sweep_expand(text, &words, &n, 100, &why)) fail_msg("%s: %s", text, why);
  char *all = wf_identity_text(words, n);
  assert_string_equal(all, expected);
  free(all);
  wf_identity_words_free(words, n);
}

static void values(void **state) {
  (void)state;
  expect_values("a b\tc", "a b c");
  expect_values("  x  ", "x");
  expect_values("{1..4}", "1 2 3 4");
  expect_values("{10..50+20}", "10 30 50");
  expect_values("{1..20*4}", "1 4 16");
  expect_values("{9223372036854775806..9223372036854775807}",
                "9223372036854775806 9223372036854775807");
  expect_values("{1..9223372036854775807*3037000500}", "1 3037000500");
  expect_values("rgg:scale={8,10}", "rgg:scale=8 rgg:scale=10");
  expect_values("{a,b}{1..2} c", "a1 a2 b1 b2 c");
  expect_values("{,x}", "'' x");
  expect_values("\"a b\" \"\" c\"d e\"f", "'a b' '' 'cd ef'");
}

static void wrong_values(void **state) {
  static const struct {
    const char *text, *why;
  } cases[] = {{"{1..3", "without its }"},      {"1..3}", "} without a {"},
               {"{3..1}", "a range goes up"},   {"{1..3+0}", "a range goes up"},
               {"{1..3*1}", "a range goes up"}, {"{0..3*2}", "a range goes up"},
               {"{x}", "expected {A..B}"},      {"{1..x}", "expected {A..B}"},
               {"{1..3+x}", "expected {A..B}"}, {"{}", "expected {A..B}"},
               {"{{1..2}}", "without its }"},   {"\"a", "without its end"},
               {"{1..1000}", "too many values"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char **words = NULL;
    size_t n = 0;
    const char *why = "";
    assert_false(sweep_expand(cases[i].text, &words, &n, 100, &why));
    if (!strstr(why, cases[i].why)) fail_msg("%s: %s", cases[i].text, why);
    wf_identity_words_free(words, n);
  }
}

static void points_are_a_product(void **state) {
  (void)state;
  wf_sweep *s =
      read_ok("; a comment\n[run]\nconfig = k20c\nscale = 1/2\n[product]\napp = bfs\n  pagerank\n"
              "unit = none foo\n[zip caches]\nl1.bytes = 16384 32768\n"
              "l1.ways = 4 default\n[slurm]\npartition = long\n");
  assert_int_equal(wf_sweep_points(s), 8);
  assert_string_equal(wf_sweep_store(s), "dir/x.db");
  assert_string_equal(wf_sweep_slurm(s, 0), "--partition=long");
  assert_null(wf_sweep_slurm(s, 1));
  expect_point(s, 0,
               "--config k20c --set scale=1/2 --app bfs --set l1.bytes=16384 --set l1.ways=4");
  expect_point(s, 1, "--config k20c --set scale=1/2 --app bfs --set l1.bytes=32768");
  expect_point(
      s, 2,
      "--config k20c --set scale=1/2 --app bfs --unit foo --set l1.bytes=16384 --set l1.ways=4");
  expect_point(s, 7,
               "--config k20c --set scale=1/2 --app pagerank --unit foo --set l1.bytes=32768");
  size_t n;
  uint64_t *models = wf_sweep_of_models(s, &n); /* app chooses no RTL */
  assert_int_equal(n, 2);
  assert_int_equal(models[0], 2);
  assert_int_equal(models[1], 3);
  free(models);
  wf_sweep_destroy(s);
  s = read_ok("[run]\nargs = --ptx k.ptx --kernel k --json lost.json\n[sweep]\nstore = here.db\n");
  assert_int_equal(wf_sweep_points(s), 1);
  assert_string_equal(wf_sweep_store(s), "here.db");
  expect_point(s, 0, "--ptx k.ptx --kernel k");
  wf_sweep_destroy(s);
}

static void a_million_points_are_a_few_lines(void **state) {
  (void)state;
  wf_sweep *s = read_ok("[product]\napp = bfs\ngraph = rgg:scale={1..10}\nseed = {1..100000}\n");
  assert_int_equal(wf_sweep_points(s), 1000000);
  expect_point(s, 999999, "--app bfs --graph rgg:scale=10 --seed 100000");
  size_t n;
  uint64_t *some = wf_sweep_some(s, 100, &n); /* each scale, some seeds */
  assert_in_range(n, 30, 100);
  bool last = false;
  for (size_t i = 0; i < n; i++) {
    assert_true(some[i] < 1000000);
    last |= some[i] == 900000;
  }
  assert_true(last);
  free(some);
  some = wf_sweep_some(s, 2000000, &n);
  assert_int_equal(n, 1000000);
  free(some);
  wf_sweep_destroy(s);
}

static void what_is_refused(void **state) {
  static const struct {
    const char *text, *why;
  } cases[] = {
      {"", "dir/x.ini: no keys"},
      {"app = bfs\n", "dir/x.ini:1: app=bfs: expected a section first"},
      {"[product]\napp\n", "dir/x.ini:2: line: expected [section] or key = values"},
      {"[axes]\napp = bfs\n", "dir/x.ini:2: section=axes: expected [run], [product]"},
      {"[product]\nap = bfs\n", "dir/x.ini:2: ap: no such key"},
      {"[product]\njson = x\n", "dir/x.ini:2: json: no such key"},
      {"[product]\nl1.by tes = x\n", "no such key"},
      {"[product]\napp = bfs\nseed = 1\n\napp = sssp\n", "dir/x.ini:5: app: given in line 2"},
      {"[run]\napp = bfs\n[zip a]\napp = sssp\n", "dir/x.ini:4: app: given in line 2"},
      {"[product]\napp =\n", "dir/x.ini:2: app=: expected values"},
      {"[product]\nseed = {4..1}\n", "dir/x.ini:2: seed={4..1}: a range goes up"},
      {"[zip a]\napp = bfs sssp\nseed = 1 2 3\n", "dir/x.ini:3: seed: 3 values, and app"},
      {"[zip a]\napp = bfs\n[zip a]\nseed = 1\n", "each has a name of its own"},
      {"[run]\napp = bfs\n  sssp\n", "dir/x.ini:3: app=sssp: [run] has one value"},
      {"[sweep]\nstore = a\nstore = b\n", "dir/x.ini:3: store=b: expected one name"},
      {"[sweep]\njobs = 4\n", "dir/x.ini:2: jobs: [sweep] has store"},
      {"[slurm]\nTime = 4\n", "dir/x.ini:2: Time: expected an option of sbatch"},
      {"[product]\nseed = {1..1000000}\nl1.ways = {1..1001}\n", "more than 1000000000"},
      {"[product]\nseed = {1..3000000}\n", "too many values"}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wf_error err = {0};
    if (wf_sweep_read_text("dir/x.ini", cases[i].text, strlen(cases[i].text), &err))
      fail_msg("%s", cases[i].text);
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(err.text, cases[i].why)) fail_msg("%s: %s", cases[i].text, err.text);
  }
  char line[300];
  wf_error err = {0};
  snprintf(line, sizeof line, "[product]\nseed = %0250d\n", 1);
  assert_null(wf_sweep_read_text("x", line, strlen(line), &err));
  assert_non_null(strstr(err.text, "x:2: a line of more than 190 bytes"));
  assert_null(wf_sweep_read_text("x", "[run]\na\0b", 9, &err));
  assert_non_null(strstr(err.text, "x:2: a byte 0"));
  assert_null(wf_sweep_read("/nowhere/x.ini", &err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values),
      cmocka_unit_test(wrong_values),
      cmocka_unit_test(points_are_a_product),
      cmocka_unit_test(a_million_points_are_a_few_lines),
      cmocka_unit_test(what_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
