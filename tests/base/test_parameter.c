/* A table of parameters fills its struct: defaults, numbers, words, texts; what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_parameter.h"

typedef struct settings {
  unsigned mode, size;
  const char *file;
  uint64_t given;
} settings;

static const char *const modes[] = {"off", "half", "on"};
static const wf_parameter table[] = {
    {"mode", NULL, 0, 2, 2, offsetof(settings, mode), modes, ""},
    {"size", NULL, 2, 64, 16, offsetof(settings, size), NULL, ""},
    {"file", NULL, 0, 0, 0, offsetof(settings, file), wf_any_text, ""},
    {.field = offsetof(settings, given)},
};

static bool read_one(const char *assignment, settings *set, wf_error *err) {
  wf_options options = {0};
  *err = (wf_error){0};
  assert_true(wf_options_add(&options, assignment, err));
  const bool ok = wf_parameters_read(table, "u", &options, set, err);
  if (set->file) assert_string_equal(set->file, "x");
  set->file = NULL;
  wf_options_free(&options);
  return ok;
}

static void what_is_not_set_is_as_the_table_says(void **state) {
  (void)state;
  settings set;
  wf_error err;
  assert_true(read_one("other.size=3", &set, &err));
  assert_true(set.mode == 2 && set.size == 16 && !set.file);
}

static void what_is_set_goes_into_its_field(void **state) {
  (void)state;
  settings set;
  wf_error err;
  assert_true(read_one("u.mode=half", &set, &err) && set.mode == 1 && set.size == 16);
  assert_true(read_one("u.size=64", &set, &err) && set.mode == 2 && set.size == 64);
  assert_true(read_one("u.size=0x10", &set, &err) && set.size == 16);
  assert_true(read_one("u.file=x", &set, &err));
}

static void a_key_that_was_given_differs_from_its_default(void **state) {
  (void)state;
  settings set;
  wf_error err;
  assert_true(read_one("u.size=16", &set, &err) && set.size == 16);
  assert_true(wf_parameters_given(table, &set, "size"));
  assert_false(wf_parameters_given(table, &set, "mode"));
  assert_false(wf_parameters_given(table, &set, "file"));
  assert_true(read_one("other.size=16", &set, &err) && set.size == 16);
  assert_false(wf_parameters_given(table, &set, "size"));
}

static void what_is_wrong_is_refused_with_key_value_and_range(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
  } wrong[] = {{"u.mode=2", "u.mode=2: expected off, half or on"},
               {"u.mode=", "u.mode=: expected off"},
               {"u.size=1", "u.size=1: expected a whole number 2..64"},
               {"u.size=65", "u.size=65: expected a whole number 2..64"},
               {"u.size=4x", "u.size=4x: expected a whole number"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    settings set = {0};
    wf_error err;
    assert_false(read_one(wrong[i].text, &set, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(err.text, wrong[i].expected)) fail_msg("%s", err.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_set_is_as_the_table_says),
      cmocka_unit_test(what_is_set_goes_into_its_field),
      cmocka_unit_test(a_key_that_was_given_differs_from_its_default),
      cmocka_unit_test(what_is_wrong_is_refused_with_key_value_and_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
