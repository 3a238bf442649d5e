/* Flit layouts: every field lies where README.md says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "sim/units/mff/mff_flits.h"

static void header_fields(void **state) {
  (void)state;
  const mff_cmd_header in = {
      .op = 1, .sm = 0x2a, .warp = 0x15, .tag = 0xab, .lane_mask = 0xdeadbeef, .lane_flits = 5};
  uint32_t flit[MFF_FLIT_WORDS];
  const uint32_t expected[MFF_FLIT_WORDS] = {0xab152a01, 0xdeadbeef, 5};
  mff_pack_header(flit, &in);
  assert_memory_equal(flit, expected, sizeof flit);
}

static void command_packs_the_lanes_of_the_mask(void **state) {
  (void)state;
  mff_cmd_header h = {.op = 1, .sm = 3, .warp = 7, .tag = 9, .lane_mask = 0x800000f1u};
  mff_lane by_lane[MFF_LANES];
  for (uint32_t n = 0; n < MFF_LANES; n++) by_lane[n] = (mff_lane){1000 + n, n};
  uint32_t flits[1 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS];
  assert_int_equal(mff_pack_command(flits, &h, by_lane), 2);
  assert_int_equal(flits[0][2], 1);
  const uint64_t sizes = flits[1][6] | (uint64_t)flits[1][7] << 32;
  const uint32_t expected[] = {0, 4, 5, 6, 7, 31};
  for (uint32_t k = 0; k < 6; k++) {
    assert_int_equal(flits[1][k], 1000 + expected[k]);
    assert_int_equal(sizes >> (6 * k) & 63, expected[k]);
  }
  h.lane_mask = 0;
  assert_int_equal(mff_pack_command(flits, &h, by_lane), 1);
  h.lane_mask = ~0u;
  assert_int_equal(mff_pack_command(flits, &h, by_lane), 7);
}

static void response_fields(void **state) {
  (void)state;
  uint32_t flit[MFF_FLIT_WORDS] = {11, 12, 13, 14, 15, 0, 0, 0xab2a0650};
  /* word k: lane 3k+1, a_offset 30-k */
  uint64_t places = 0;
  for (unsigned k = 0; k < 5; k++) places |= (uint64_t)((30 - k) << 5 | (3 * k + 1)) << (10 * k);
  flit[5] = (uint32_t)places;
  flit[6] = (uint32_t)(places >> 32);
  mff_rsp r;
  mff_unpack_rsp(&r, flit);
  assert_int_equal(r.is_done, 0);
  assert_int_equal(r.count, 5);
  assert_int_equal(r.sm, 6);
  assert_int_equal(r.warp, 42);
  assert_int_equal(r.tag, 0xab);
  for (unsigned k = 0; k < 5; k++) {
    assert_int_equal(r.word[k], 11 + k);
    assert_int_equal(r.lane[k], 3 * k + 1);
    assert_int_equal(r.a_offset[k], 30 - k);
  }
  uint32_t done[MFF_FLIT_WORDS] = {1u << 17 | 1u << 16 | 1024, 0, 0, 0, 0, 0, 0, 1};
  mff_unpack_rsp(&r, done);
  assert_int_equal(r.is_done, 1);
  assert_int_equal(r.words_delivered, 1024);
  assert_int_equal(r.op, 1);
  assert_int_equal(r.error, 1);
}

static void owner_of_an_address(void **state) {
  (void)state;
  assert_int_equal(mff_owner(256 * 7, 256, 6, false), 1);
  /* Row 1 of six is turned by one place, row 16 by 16 + 1. */
  assert_int_equal(mff_owner(256 * 7, 256, 6, true), 2);
  assert_int_equal(mff_owner(256 * (16 * 6 + 1), 256, 6, true), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(header_fields), cmocka_unit_test(command_packs_the_lanes_of_the_mask),
      cmocka_unit_test(response_fields), cmocka_unit_test(owner_of_an_address)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
