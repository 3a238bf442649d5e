/* What is listed is what is decoded, and what is refused says what to do instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/ptx/listing.h"
#include "sim/ptx/ptx.h"

static bool is_listed(const char *name) {
  size_t n;
  const ptx_listed *l = ptx_list_known(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(l[i].name, name) == 0) return true;
  return false;
}

static bool is_decoded(const char *name) {
  const char *other;
  for (size_t i = 0; (other = ptx_decoded_name(i)); i++)
    if (strcmp(other, name) == 0) return true;
  return false;
}

static void all_are_listed(void **state) {
  (void)state;
  const char *name;
  for (size_t i = 0; (name = ptx_decoded_name(i)); i++)
    if (!is_listed(name)) fail_msg("'%s' is decoded, but not listed", name);
  size_t n;
  const ptx_listed *l = ptx_list_known(&n);
  for (size_t i = 0; i < n; i++)
    if (!is_decoded(l[i].name)) fail_msg("'%s' is listed, but not decoded", l[i].name);
}

static void refused_ones_say_what_to_do(void **state) {
  (void)state;
  size_t n;
  const ptx_listed *l = ptx_list_refused(&n);
  for (size_t i = 0; i < n; i++) {
    char text[200];
    wf_error err = {0};
    snprintf(text, sizeof text, ".version 7.0\n.entry k() {\n%s.x 1, 2;\nret; }", l[i].name);
    assert_null(ptx_parse_text("t", text, strlen(text), NULL, 0, &err));
    if (strncmp(err.text, "t:3: ", 5) || !strstr(err.text, l[i].text))
      fail_msg("%s: %s", l[i].name, err.text);
    if (is_decoded(l[i].name)) fail_msg("'%s' is refused, and decoded", l[i].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_listed),
                                     cmocka_unit_test(refused_ones_say_what_to_do)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
