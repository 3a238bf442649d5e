/* Rows beside a paper: which are in its direction, close, within their bands; means; what findings
 * may name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/papers/inside.h"

static const paper_part parts[] = {{"some", "some", NULL, false}, {0}};
static const paper_unit unit = {"nounit", "No unit", parts};

void paper_fail(const char *format, ...) {
  fail_msg("%s", format);
  abort();
}

void paper_output(const paper *p, const char *name, char path[PAPER_PATH]) {
  snprintf(path, PAPER_PATH, "%s/%s", p->out, name);
}

static void judged(double paper, double ours, const char *unit_of, int direction, int close) {
  const paper_figure f = {.paper = paper,
                          .ours = ours,
                          .least = ours,
                          .most = ours,
                          .low = NAN,
                          .high = NAN,
                          .turn = NAN,
                          .unit = unit_of};
  assert_int_equal(paper_direction(&f), direction);
  assert_int_equal(paper_close(&f), close);
}

static void direction_and_closeness(void **state) {
  (void)state;
  judged(1.5, 1.4, "x", PAPER_YES, PAPER_YES);
  judged(1.5, 1.1, "x", PAPER_YES, PAPER_NO);
  judged(1.5, 0.9, "x", PAPER_NO, PAPER_NO);
  judged(0.8, 0.5, "x", PAPER_YES, PAPER_NO);
  judged(1.01, 0.98, "x", PAPER_YES, PAPER_YES); /* the paper says: no change */
  judged(1.01, 1.3, "x", PAPER_NO, PAPER_NO);
  judged(10, 1, "%", PAPER_YES, PAPER_NO);
  judged(3, 1.5, "%", PAPER_YES, PAPER_YES); /* 2 points */
  judged(-6, 4, "pts", PAPER_NO, PAPER_NO);
  judged(0.8, 0.75, "", PAPER_OPEN, PAPER_YES); /* a rate has no direction */
  judged(NAN, 2, "x", PAPER_OPEN, PAPER_OPEN);
}

static void a_number_has_the_direction_of_its_claim(void **state) {
  (void)state;
  paper p = {.unit = &unit, .reporting = true, .orders = 2};
  const double rates[2][3] = {{0.9, 0.4, 0.6}, {0.9, 0.3, 0.45}};
  for (p.order = 0; p.order < p.orders; p.order++) {
    p.n_seen = 0;
    for (int r = 0; r < 3; r++) {
      paper_note(&p, "f", 0.8, rates[p.order][r], NAN, NAN, "", "row");
      paper_turn(&p, 0.5);
    }
  }
  assert_int_equal(paper_direction(&p.figures[0]), PAPER_YES);
  assert_int_equal(paper_direction(&p.figures[1]), PAPER_NO);
  assert_int_equal(paper_direction(&p.figures[2]), PAPER_NO); /* not in all orders */
  free(p.figures);
}

static void close_to_a_small_effect_says_little(void **state) {
  (void)state;
  paper_figure f = {.paper = 1.05, .ours = 0.99, .low = NAN, .high = NAN, .turn = NAN, .unit = "x"};
  assert_int_equal(paper_close(&f), PAPER_YES);
  assert_int_equal(paper_close_idle(&f), PAPER_YES);
  f.ours = 1.2;
  assert_int_equal(paper_close_idle(&f), PAPER_NO);
  f.paper = 1.25;
  assert_int_equal(paper_close(&f), PAPER_YES);
  assert_int_equal(paper_close_idle(&f), PAPER_NO);
  f.unit = "%";
  assert_int_equal(paper_close_idle(&f), PAPER_OPEN);
}

static void words_of_the_paper_are_a_band(void **state) {
  (void)state;
  paper_figure f = {.paper = NAN, .ours = 1.2, .low = 1, .high = NAN, .turn = NAN, .unit = "x"};
  assert_int_equal(paper_direction(&f), PAPER_YES);
  assert_int_equal(paper_within(&f), PAPER_YES);
  f.ours = 0.99;
  assert_int_equal(paper_direction(&f), PAPER_NO);
  assert_int_equal(paper_within(&f), PAPER_NO);
  assert_int_equal(paper_close(&f), PAPER_OPEN);
}

/* A gain that another order of arbitration does not give is no direction. */
static void a_direction_holds_in_all_orders(void **state) {
  (void)state;
  paper p = {.unit = &unit, .reporting = true, .orders = 3};
  const double gains[3][2] = {{1.05, 1.2}, {0.99, 1.1}, {1.06, 1.3}};
  for (p.order = 0; p.order < p.orders; p.order++) {
    p.n_seen = 0;
    for (int r = 0; r < 2; r++) paper_note(&p, "f", 1.2, gains[p.order][r], NAN, NAN, "x", "row");
  }
  assert_int_equal(p.n_figures, 2);
  assert_float_equal(p.figures[0].ours, 1.05, 1e-9);
  assert_float_equal(p.figures[0].least, 0.99, 1e-9);
  assert_float_equal(p.figures[0].most, 1.06, 1e-9);
  assert_float_equal(p.figures[1].most, 1.3, 1e-9);
  assert_int_equal(paper_direction(&p.figures[0]), PAPER_NO);
  assert_int_equal(paper_direction(&p.figures[1]), PAPER_YES);
  assert_float_equal(paper_median_error(&p), (0.15 / 1.2 + 0) / 2, 1e-9);
  free(p.figures);
}

/* A row that further orders did not make says so; one that they made the same needs no brackets. */
static void a_row_of_one_order_says_so(void **state) {
  (void)state;
  paper p = {.unit = &unit, .reporting = true, .orders = 3};
  const double ours[3][3] = {{1.05, 1.2, 1}, {NAN, 1.1, 1}, {NAN, 1.3, 1}};
  for (p.order = 0; p.order < p.orders; p.order++) {
    p.n_seen = 0;
    for (int r = 0; r < 3; r++) paper_note(&p, "f", 1.2, ours[p.order][r], NAN, NAN, "x", "row");
  }
  static const char *const said[3] = {" (one order)", " (1.100 .. 1.300)", ""};
  for (int r = 0; r < 3; r++) {
    char text[40];
    paper_spread_text(text, sizeof text, &p, &p.figures[r]);
    assert_string_equal(text, said[r]);
  }
  free(p.figures);
}

static void means_leave_out_what_is_not_there(void **state) {
  (void)state;
  static const char *const groups[] = {"a", "b", NULL};
  paper_table t = {.file = "t", .title = "t", .mean = PAPER_GEOMETRIC, .groups = groups};
  const double values[] = {1, 4, 9, NAN, 100};
  const int group[] = {0, 0, 1, 1, PAPER_BESIDE};
  paper_column(&t, "v");
  for (int i = 0; i < 5; i++) t.v[paper_row(&t, group[i], "r%d", i)][0] = values[i];
  assert_float_equal(paper_mean_of(&t, 0, 0, 0), 2, 1e-9);
  assert_float_equal(paper_mean_of(&t, 0, 1, 1), 9, 1e-9);
  t.mean = PAPER_ARITHMETIC;
  assert_float_equal(paper_mean_all(&t, 0), 14.0 / 3, 1e-9);
  paper_mean_rows means;
  paper_means(&t, &means);
  assert_int_equal(means.n, 3);
  assert_string_equal(means.names[0], "mean-a");
  assert_string_equal(means.names[2], "mean");
}

static void numbers_of_findings_come_from_rows_and_tables(void **state) {
  (void)state;
  char folder[] = "/tmp/wf_papers_XXXXXX", *text = NULL;
  size_t bytes;
  assert_non_null(mkdtemp(folder));
  paper p = {.unit = &unit, .out = folder, .reporting = true};
  paper_note(&p, "figure 1", 1.5, 1.234, NAN, NAN, "x", "speed, %s", "all");
  paper_table t = {.file = "1", .title = "T"};
  paper_column(&t, "ours");
  t.v[paper_row(&t, 0, "bfs")][0] = 3.14159;
  paper_show(&p, &t);
  FILE *f = open_memstream(&text, &bytes);
  assert_true(paper_fill(f, &p, "figure 1: speed, all"));
  fputc(' ', f);
  assert_true(paper_fill(f, &p, "paper figure 1: speed, all"));
  fputc(' ', f);
  assert_true(paper_fill(f, &p, "cell 1: bfs, ours"));
  fputc(' ', f);
  assert_true(paper_fill(f, &p, "table 1"));
  assert_true(
      paper_fill_text(f, &p, " <!-- a_b {c d: um2} -->5<!-- --> {cell 1: bfs, ours}", "page"));
  assert_false(paper_fill(f, &p, "figure 1: speed, some"));
  assert_false(paper_fill(f, &p, "cell 1: bfs, theirs"));
  assert_false(paper_fill(f, &p, "table 2"));
  fclose(f);
  assert_string_equal(text, "1.23 1.50 3.14 T:\n\n| | ours |\n|---|---|\n| bfs | 3.142 |"
                            " <!-- a_b {c d: um2} -->5<!-- --> 3.14");
  free(text);
  paper_tables_free(&p);
  free(p.figures);
  char file[64];
  snprintf(file, sizeof file, "%s/1.dat", folder);
  assert_int_equal(unlink(file), 0);
  assert_int_equal(rmdir(folder), 0);
}

static void best_software_is_the_fastest_there_is(void **state) {
  (void)state;
  paper p = {.unit = &unit};
  paper_table t = {.file = "best", .title = "T", .mean = PAPER_GEOMETRIC};
  paper_best best[2] = {paper_best_none(), paper_best_none()};
  const double tried[] = {NAN, 80, 70, NAN, 90};
  for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
    paper_best_try(&best[0], PAPER_WITHOUT, tried[i]);
  paper_best_try(&best[0], PAPER_WITH, 35);
  best[0].kernel[PAPER_WITHOUT] = 120;
  best[0].kernel[PAPER_WITH] = 140;
  paper_row(&t, 0, "one");
  paper_row(&t, 0, "not-there");
  paper_best_table(&p, &t, best);
  assert_float_equal(t.v[0][PAPER_BEST_GAIN], 2, 1e-9);
  assert_float_equal(t.v[0][PAPER_KERNEL_GAIN], 120.0 / 140, 1e-9);
  assert_float_equal(t.v[0][PAPER_BEST_FASTER], 2, 1e-9);
  assert_true(isnan(t.v[1][PAPER_BEST_GAIN]));
  assert_float_equal(paper_mean_all(&t, PAPER_BEST_WITHOUT), 70, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direction_and_closeness),
      cmocka_unit_test(a_number_has_the_direction_of_its_claim),
      cmocka_unit_test(a_direction_holds_in_all_orders),
      cmocka_unit_test(close_to_a_small_effect_says_little),
      cmocka_unit_test(words_of_the_paper_are_a_band),
      cmocka_unit_test(a_row_of_one_order_says_so),
      cmocka_unit_test(means_leave_out_what_is_not_there),
      cmocka_unit_test(best_software_is_the_fastest_there_is),
      cmocka_unit_test(numbers_of_findings_come_from_rows_and_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
