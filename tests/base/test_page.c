/* Sections of a generated page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/base/wf_file.h"
#include "sim/base/wf_page.h"

static char folder[] = "/tmp/wf_page_XXXXXX";
static char path[64];

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(path, sizeof path, "%s/unit.md", folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  unlink(path);
  return rmdir(folder);
}

static void write_section(const char *name, const char *text) {
  wf_error err = {0};
  assert_true(wf_page_write(path, name, "make it", text, &err));
}

static void expect_page(const char *expected) {
  size_t bytes;
  char *text = wf_file_read(path, 1 << 16, &bytes, NULL);
  assert_string_equal(text, expected);
  free(text);
}

#define PROOFS "<!-- proofs: made by make it -->\np\n<!-- end of proofs -->\n"
#define FIGURES(TEXT) "<!-- figures: made by make it -->\n" TEXT "<!-- end of figures -->\n"

static void sections_keep_their_order_and_each_other(void **state) {
  (void)state;
  write_section("proofs", "p\n");
  expect_page("# unit: results\n\n" PROOFS);
  write_section("figures", "f\n");
  expect_page("# unit: results\n\n" FIGURES("f\n") "\n" PROOFS);
  write_section("figures", "g\n");
  write_section("figures", "g\n");
  expect_page("# unit: results\n\n" FIGURES("g\n") "\n" PROOFS);
  write_section("synthesis top", "s\n");
  expect_page("# unit: results\n\n" FIGURES(
      "g\n") "\n" PROOFS
             "\n<!-- synthesis top: made by make it -->\ns\n<!-- end of synthesis top -->\n");
}

/* A mark within a section's text is no place for another section. */
static void marks_are_no_sections(void **state) {
  (void)state;
#define TABLE                                                                                      \
  "| a |\n| <!-- top {area: um2} -->1<!-- --> | : made by hand\n<!-- top {x} -->1<!-- -->\n"
  unlink(path);
  write_section("figures", TABLE);
  write_section("proofs", "p\n");
  expect_page("# unit: results\n\n" FIGURES(TABLE) "\n" PROOFS);
}

static void a_section_without_end_is_refused(void **state) {
  (void)state;
  wf_error err = {0};
  FILE *f = fopen(path, "w");
  fputs("<!-- proofs: made by make it -->\n", f);
  fclose(f);
  assert_false(wf_page_write(path, "proofs", "make it", "p\n", &err));
  assert_non_null(strstr(err.text, "end of proofs"));
  expect_page("<!-- proofs: made by make it -->\n");
}

static void a_unit_and_its_top_modules_have_one_page(void **state) {
  (void)state;
  wf_error err = {0};
  char *unit = wf_page_path("tests/base/here/unit.ini", &err),
       *top = wf_page_path("tests/base/here/top.ini", &err), *common = wf_page_path("common", &err);
  assert_string_equal(unit, "docs/results/short.md");
  assert_string_equal(top, unit);
  assert_string_equal(common, "docs/results/common.md");
  assert_null(wf_page_path("nothere", &err));
  free(unit);
  free(top);
  free(common);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sections_keep_their_order_and_each_other),
                                     cmocka_unit_test(marks_are_no_sections),
                                     cmocka_unit_test(a_section_without_end_is_refused),
                                     cmocka_unit_test(a_unit_and_its_top_modules_have_one_page)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
