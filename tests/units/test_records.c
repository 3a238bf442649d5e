/* Records of launched groups beside memory of more than 4 GB: what the unit itself reads and writes
 * lies in the first 4 GB, or is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/units/records.h"

#define GB (UINT64_C(1) << 30)

static void parameters_lie_below(void **state) {
  (void)state;
  char why[256] = "";
  assert_true(wf_records_reach(&(wf_grid){.params = 0}, why, sizeof why));
  assert_true(wf_records_reach(&(wf_grid){.params = 4 * GB - 16}, why, sizeof why));
  assert_string_equal(why, "");
  assert_false(wf_records_reach(&(wf_grid){.params = 4 * GB}, why, sizeof why));
  assert_non_null(strstr(why, "parameters at 0x100000000: the unit's addresses have 32 bits"));
}

static void told_ring(void *book, uint32_t base, uint32_t bytes) {
  uint32_t *told = book;
  told[0] = base;
  told[1] = bytes;
}

/* A ring of 16 places after so much other memory; where it lies, or 0. */
static uint32_t ring_after(uint64_t used, wf_error *err) {
  uint32_t word = 0, told[2] = {0};
  const wf_port port = {.words = &word, .width = 32, .bytes = 4, .data = &word};
  wf_image *image = wf_image_create(8 * GB, err);
  const wf_unit_env env = {.image = image};
  wf_records r = {.env = &env,
                  .name = "unit.ring",
                  .ring = 16,
                  .port = {.ring_base = &port},
                  .book = told,
                  .ring_at = told_ring};
  assert_non_null(image);
  assert_true(wf_image_alloc(image, used, "other", err));
  if (wf_records_provide_ring(&r, err)) {
    assert_int_equal(told[0], word);
    assert_int_equal(told[1], 16 * WF_GRID_HEADER);
    assert_int_equal(told[0] % told[1], 0);
  }
  wf_image_destroy(image);
  return told[0];
}

static void the_ring_lies_below(void **state) {
  (void)state;
  wf_error err = {0};
  assert_in_range(ring_after(3 * GB, &err), 3 * GB, UINT32_MAX);
  assert_int_equal(err.code, 0);
  assert_int_equal(ring_after(4 * GB, &err), 0);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "unit.ring would lie at 0x1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_lie_below),
      cmocka_unit_test(the_ring_lies_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
