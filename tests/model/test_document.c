/* The example of docs/model-api.md, exactly as printed there: compiled by a plain C compiler, run,
 * and its output compared with what the program must print and with what the text says of it. */
#include "tests/model/model_test.h"

static char *read_all(FILE *f) {
  char *text = calloc(1 << 16, 1);
  size_t bytes = fread(text, 1, (1 << 16) - 1, f);
  text[bytes] = 0;
  return text;
}

static void the_example_compiles_and_runs(void **state) {
  (void)state;
  FILE *f = fopen("docs/model-api.md", "r");
  assert_non_null(f);
  char *document = read_all(f), path[4200];
  fclose(f);
  char *from = strstr(document, "```c\n");
  assert_non_null(from);
  from += strlen("```c\n");
  char *to = strstr(from, "```\n");
  assert_non_null(to);
  snprintf(path, sizeof path, "%s/tests/model/example.c", test_build);
  f = fopen(path, "w");
  assert_non_null(f);
  fwrite(from, 1, (size_t)(to - from), f);
  assert_int_equal(fclose(f), 0);

  setenv("B", test_build, 1);
  setenv("WARPFAB_BUILD", test_build, 1); /* where the example's wf_model_build() puts its model */
  assert_int_equal(
      system("cc -std=c11 -pedantic -Wall -Wextra -Werror -I. \"$B/tests/model/example.c\" "
             "\"$B/lib/model.a\" \"$B/lib/base.a\" -ldl -o \"$B/tests/model/example\""),
      0);
  f = popen("\"$B/tests/model/example\"", "r");
  assert_non_null(f);
  char *said = read_all(f);
  assert_int_equal(pclose(f), 0);

  /* Ten items in order, and full at five while the output is held up to cycle 12. */
  char line[64], last[64] = "";
  for (unsigned i = 0; i < 10; i++) {
    snprintf(line, sizeof line, ": item %u is %u\n", i, i * i);
    if (!strstr(said, line)) fail_msg("the example did not print \"%s\" but\n%s", line, said);
  }
  assert_non_null(strstr(said, "full with 5 items"));
  assert_null(strstr(said, "full with 6 items"));
  char *end = said + strlen(said) - 1;
  while (end > said && end[-1] != '\n') end--;
  snprintf(last, sizeof last, "`%.*s`", (int)strlen(end) - 1, end);
  if (!strstr(to, last)) fail_msg("the document does not say that the last line is %s", last);
  free(said);
  free(document);
}

int main(int argc, char **argv) {
  test_start(argc, argv);
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_example_compiles_and_runs)};
  return test_finish(cmocka_run_group_tests_name("docs/model-api.md", tests, NULL, NULL), argv);
}
