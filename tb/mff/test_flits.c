/* Flit layouts: what is packed comes back, and every field lies where README.md says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/units/mff/mff_flits.h"

static void header_round_trip(void **state) {
  (void)state;
  wf_rng rng;
  wf_rng_seed(&rng, 1);
  for (int i = 0; i < 1000; i++) {
    mff_cmd_header in = {.op = wf_rng_next(&rng) & 1,
                         .sm = wf_rng_next(&rng) & 63,
                         .warp = wf_rng_next(&rng) & 63,
                         .tag = wf_rng_next(&rng) & 255,
                         .lane_mask = (uint32_t)wf_rng_next(&rng),
                         .lane_flits = wf_rng_next(&rng) & 7},
                   out;
    uint32_t flit[MFF_FLIT_WORDS];
    mff_pack_header(flit, &in);
    mff_unpack_header(&out, flit);
    assert_memory_equal(&in, &out, sizeof in);
  }
}

static void command_packs_the_lanes_of_the_mask(void **state) {
  (void)state;
  mff_cmd_header h = {.op = 1, .sm = 3, .warp = 7, .tag = 9, .lane_mask = 0x800000f1u};
  mff_lane by_lane[MFF_LANES], lanes[MFF_LANES_PER_FLIT];
  for (uint32_t n = 0; n < MFF_LANES; n++) by_lane[n] = (mff_lane){1000 + n, n};
  uint32_t flits[1 + MFF_MAX_LANE_FLITS][MFF_FLIT_WORDS];
  assert_int_equal(mff_pack_command(flits, &h, by_lane), 2);
  assert_int_equal(flits[0][2], 1);
  mff_unpack_lanes(lanes, flits[1]);
  const uint32_t expected[] = {0, 4, 5, 6, 7, 31};
  for (uint32_t k = 0; k < 6; k++) {
    assert_int_equal(lanes[k].c_index, 1000 + expected[k]);
    assert_int_equal(lanes[k].size, expected[k]);
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

static void fields_of_flat_vectors(void **state) {
  (void)state;
  uint32_t v[3] = {0};
  mff_set_field(v, 5, 16, 0xbeef);
  assert_int_equal(v[2], 0xbeef0000);
  assert_int_equal(mff_field(v, 5, 16), 0xbeef);
  mff_set_field(v, 1, 32, 0x12345678);
  assert_int_equal(mff_field(v, 1, 32), 0x12345678);
  assert_int_equal(mff_owner(256 * 7, 256, 6), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(header_round_trip), cmocka_unit_test(command_packs_the_lanes_of_the_mask),
      cmocka_unit_test(response_fields), cmocka_unit_test(fields_of_flat_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
