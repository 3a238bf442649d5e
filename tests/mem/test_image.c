/* Memory image and configuration check. */
#include <limits.h>

#include "tests/mem/harness.h"

static void test_alloc(void **state) {
  (void)state;
  wf_error err = {0};
  wf_image *image = make_image(1 << 20);
  assert_int_equal(wf_image_bytes(image), 1 << 20);
  assert_int_equal(wf_image_used(image), 0);
  uint64_t a = wf_image_alloc(image, 1, "a", &err), b = wf_image_alloc(image, 300, "b", &err);
  uint64_t empty = wf_image_alloc(image, 0, "empty", &err), c = wf_image_alloc(image, 4, "c", &err);
  assert_int_equal(a, WF_IMAGE_BASE);
  assert_int_equal(b, WF_IMAGE_BASE + 256);
  assert_int_equal(empty, WF_IMAGE_BASE + 256 + 512);
  assert_true(c > empty && c % 256 == 0);
  assert_int_equal(err.code, WF_OK);
  uint8_t *at = wf_image_at(image, b, 300, &err);
  assert_ptr_equal(at, wf_image_data(image) + 256);
  for (int i = 0; i < 300; i++) assert_int_equal(at[i], 0); /* fresh memory reads as zero */
  wf_image_destroy(image);
}

static void test_out_of_memory(void **state) {
  (void)state;
  wf_error err = {0};
  wf_image *image = make_image(1000); /* not a multiple of the alignment */
  assert_int_not_equal(wf_image_alloc(image, 700, "first", &err), 0);
  assert_int_equal(wf_image_alloc(image, 300, "second", &err), 0);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "second: 300 bytes"));
  assert_non_null(strstr(err.text, "768 of 1000"));
  assert_int_equal(wf_image_alloc(image, UINT64_MAX, "huge", &err), 0);
  assert_int_not_equal(wf_image_alloc(image, 232, "the rest", &err), 0);
  assert_int_equal(wf_image_used(image), 1000);
  assert_int_equal(wf_image_alloc(image, 1, "none left", &err), 0);
  wf_image_destroy(image);
  assert_null(wf_image_create(0, &err));
  assert_null(wf_image_create(UINT64_MAX, &err));
}

static void test_bounds(void **state) {
  (void)state;
  wf_error err = {0};
  wf_image *image = make_image(4096);
  assert_non_null(wf_image_at(image, WF_IMAGE_BASE, 4096, &err));
  assert_non_null(wf_image_at(image, WF_IMAGE_BASE + 4095, 1, &err));
  assert_non_null(wf_image_at(image, WF_IMAGE_BASE + 4096, 0, &err));
  assert_int_equal(err.code, WF_OK);
  static const uint64_t BAD[][2] = {{WF_IMAGE_BASE - 1, 1},      {WF_IMAGE_BASE + 4095, 2},
                                    {WF_IMAGE_BASE + 4097, 0},   {0, 4},
                                    {WF_IMAGE_BASE, UINT64_MAX}, {UINT64_MAX, 8}};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    err = (wf_error){0};
    assert_null(wf_image_at(image, BAD[i][0], BAD[i][1], &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    assert_non_null(strstr(err.text, "outside memory: 0x10000 .. 0x10fff"));
  }
  wf_image_destroy(image);
}

static void test_large_image_is_lazy(void **state) {
  (void)state;
  wf_error err = {0};
  uint64_t bytes = UINT64_C(6) << 30;
  wf_image *image = make_image(bytes);
  uint8_t *last = wf_image_at(image, WF_IMAGE_BASE + bytes - 1, 1, &err);
  assert_non_null(last);
  *last = 7;
  assert_int_equal(wf_image_data(image)[bytes - 1], 7);
  wf_image_destroy(image);
}

/* Sets one field to one value; the check must refuse it and name the field and the value. */
static void refuse(size_t offset, unsigned value, const char *key) {
  wf_mem_config c = gtx480();
  wf_error err = {0};
  char text[32];
  *(unsigned *)((char *)&c + offset) = value;
  if (wf_mem_config_check(&c, &err)) fail_msg("%s = %u was accepted", key, value);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  snprintf(text, sizeof text, "= %u: want", value);
  if (!strstr(err.text, key) || !strstr(err.text, text))
    fail_msg("message for %s = %u: %s", key, value, err.text);
  assert_null(wf_mem_create(&c, NULL, &err));
}
#define REFUSE(field, value) refuse(offsetof(wf_mem_config, field), value, #field)

static void test_config_ranges(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_error err = {0};
  assert_true(wf_mem_config_check(&c, &err));
  REFUSE(n_sm, 0);
  REFUSE(n_sm, WF_MAX_SMS + 1);
  REFUSE(n_part, 0);
  REFUSE(n_part, WF_MAX_PARTS + 1);
  REFUSE(core_mhz, 0);
  REFUSE(noc_mhz, 0);
  REFUSE(dram_mhz, 0);
  REFUSE(line_bytes, 96);
  REFUSE(line_bytes, 256);
  REFUSE(interleave_bytes, 300);
  REFUSE(flit_bytes, 8);
  REFUSE(noc_latency, 0);
  REFUSE(noc_latency, 41);
  REFUSE(noc_lookahead, 0);
  REFUSE(noc_lookahead, 9);
  REFUSE(packet_header_bytes, 0);
  REFUSE(l2_ways, 0);
  REFUSE(l2_latency, 0);
  REFUSE(l2_mshrs, 1);
  REFUSE(l2_mshr_merge, 0);
  REFUSE(l2_queue, 0);
  REFUSE(dram_banks, 12);
  REFUSE(dram_bank_groups, 3);
  REFUSE(dram_row_bytes, 128);
  REFUSE(dram_queue, 1);
  REFUSE(dram_queue, 65);
  REFUSE(tCL, 0);
  REFUSE(tRRD, 0);
}

static void test_config_rules(void **state) {
  (void)state;
  REFUSE(l2_mhz, 701);          /* faster than the core */
  REFUSE(interleave_bytes, 64); /* less than a line */
  REFUSE(noc_input_flits, 8);   /* a unit packet needs 9 */
  REFUSE(noc_output_flits, 8);
  REFUSE(l2_bytes, 100000);     /* no whole number of sets */
  REFUSE(dram_burst_beats, 2);  /* half a clock */
  REFUSE(dram_bank_groups, 32); /* more than banks */
  REFUSE(tCCDS, 1);             /* bursts would overlap */
  REFUSE(tCCDL, 1);
  REFUSE(tRC, 27);
  REFUSE(tRTW, 9);
  wf_mem_config c = gtx480();
  wf_error err = {0};
  c.dram_bus_bytes = 32; /* a burst of 256 bytes */
  assert_false(wf_mem_config_check(&c, &err));
  assert_non_null(strstr(err.text, "= 256: want at most line_bytes = 128"));
  c = gtx480();
  c.tREFI = 4000; /* refresh that takes no time */
  assert_false(wf_mem_config_check(&c, &err));
  assert_non_null(strstr(err.text, "tRFC = 0: want"));
  c.tRFC = 1000; /* nothing but refresh */
  assert_false(wf_mem_config_check(&c, &err));
  assert_non_null(strstr(err.text, "tREFI = 4000: want 0 or at least"));
  c = gtx480();
  c.l2_bytes = 96 * 1024; /* 96 sets: not a power of two, but fine */
  assert_true(wf_mem_config_check(&c, &err));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alloc),         cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_bounds),        cmocka_unit_test(test_large_image_is_lazy),
      cmocka_unit_test(test_config_ranges), cmocka_unit_test(test_config_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
