/* The GPU's own dispatcher: runs of consecutive blocks for one SM; which SM is next; which block.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/dispatch.h"

enum { SMS = 4, WARPS = 48, SLOTS = 8 };
static const ptx_kernel kernel;

static wf_gpu_config machine(unsigned run) {
  wf_gpu_config config = {0};
  wf_error err = {0};
  if (!wf_gpu_config_load(&config, "gtx480", &err) || !wf_gpu_config_check(&config, &err))
    fail_msg("%s", err.text);
  assert_int_equal(config.warps_per_sm, WARPS);
  assert_int_equal(config.ctas_per_sm, SLOTS);
  config.n_sm = SMS;
  config.cta_run = run;
  return config;
}

static wf_grid grid_of(uint32_t x, uint32_t y, uint32_t warps) {
  return (wf_grid){.kernel = &kernel,
                   .blocks = {x, y, 1},
                   .threads = {32 * warps, 1, 1},
                   .warps = warps,
                   .registers = 64};
}

static wf_dispatcher *open_grid(const wf_gpu_config *config, uint32_t x, uint32_t y,
                                uint32_t warps) {
  wf_dispatcher *d = wf_dispatcher_create(config);
  const wf_grid g = grid_of(x, y, warps);
  assert_true(wf_dispatcher_ops.kernel(d, &g));
  return d;
}

static void divert(wf_dispatcher *d, uint64_t sms) {
  wf_dispatcher_ops.divert(d, &(wf_mask){{sms}});
}

/* Places what has room; sm_of[y * x + x]. Returns how many. */
static unsigned place_all(wf_dispatcher *d, uint32_t x, wf_placement *placed) {
  unsigned n = 0;
  for (; wf_dispatcher_ops.may_place(d); n++) {
    assert_true(wf_dispatcher_ops.place(d, &placed[n]));
    if (n)
      assert_int_equal(placed[n].block[1] * x + placed[n].block[0],
                       placed[n - 1].block[1] * x + placed[n - 1].block[0] + 1);
  }
  wf_placement none;
  assert_false(wf_dispatcher_ops.place(d, &none));
  return n;
}

static void one_by_one(void **state) {
  (void)state;
  for (unsigned run = 0; run < 2; run++) {
    const wf_gpu_config config = machine(run);
    wf_dispatcher *d = open_grid(&config, 10, 2, 8);
    wf_placement p[64];
    assert_int_equal(place_all(d, 10, p), 20);
    for (unsigned i = 0; i < 20; i++) assert_int_equal(p[i].sm, i % SMS);
    wf_dispatcher_destroy(d);
  }
}

/* Runs of four in rows of ten: 4, 4, 2. */
static void runs_stay_together(void **state) {
  (void)state;
  const wf_gpu_config config = machine(4);
  wf_dispatcher *d = open_grid(&config, 10, 3, 4);
  wf_placement p[64];
  static const struct {
    unsigned blocks, sm;
  } expected[9] = {{4, 0}, {4, 1}, {2, 2}, {4, 3}, {4, 0},
                   {2, 1}, {4, 2}, {4, 3}, {2, 1}}; /* then SM 0 is full */
  assert_int_equal(place_all(d, 10, p), 30);
  for (unsigned run = 0, i = 0; run < 9; run++)
    for (unsigned k = 0; k < expected[run].blocks; k++, i++)
      assert_int_equal(p[i].sm, expected[run].sm);
  wf_dispatcher_destroy(d);
}

/* A run waits for room for all of it, or for an empty SM if it is longer than what fits. */
static void a_run_waits_for_room(void **state) {
  (void)state;
  const wf_gpu_config config = machine(4);
  wf_dispatcher *d = open_grid(&config, 64, 1, 8); /* six fit */
  wf_placement p[64];
  assert_int_equal(place_all(d, 64, p), 4 * SMS);
  wf_dispatcher_ops.block_done(d, p[0].sm, p[0].slot);
  assert_false(wf_dispatcher_ops.may_place(d)); /* three */
  wf_dispatcher_ops.block_done(d, p[1].sm, p[1].slot);
  wf_placement q[64];
  assert_int_equal(place_all(d, 64, q), 4);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(q[i].sm, 0);
  wf_dispatcher_destroy(d);
  const wf_gpu_config large = machine(64);
  d = open_grid(&large, 64, 1, 8);
  assert_int_equal(place_all(d, 64, p), 6 * SMS);
  for (unsigned i = 0; i < 6 * SMS; i++) assert_int_equal(p[i].sm, i / 6);
  wf_dispatcher_destroy(d);
}

/* Blocks go past diverted SMs; what waits and what is free is told. */
static void diverted_sms_get_none(void **state) {
  (void)state;
  const wf_gpu_config config = machine(1);
  wf_dispatcher *d = open_grid(&config, 20, 1, 8); /* six to an SM */
  wf_placement p[64];
  wf_dispatch_rooms r;
  divert(d, 5);
  assert_int_equal(place_all(d, 20, p), 12);
  for (unsigned i = 0; i < 12; i++) assert_int_equal(p[i].sm, i % 2 ? 3 : 1);
  wf_dispatcher_ops.rooms(d, &r);
  assert_true(r.waits && !wf_mask_any(&r.bound, WF_MASK_WORDS) && r.room.w[0] == 5);
  assert_true(r.free_warps[0] == WARPS && r.free_warps[1] == 0);
  divert(d, 1);
  assert_int_equal(place_all(d, 20, p), 6);
  for (unsigned i = 0; i < 6; i++) assert_int_equal(p[i].sm, 2);
  divert(d, 0);
  assert_int_equal(place_all(d, 20, p), 2);
  wf_dispatcher_ops.rooms(d, &r);
  assert_true(!r.waits && r.room.w[0] == 1 && r.free_warps[0] == WARPS - 16);
  wf_dispatcher_destroy(d);
}

/* The same of SMs in every word of a mask: a machine of 132, of which few are left. */
static void diverted_of_many(void **state) {
  (void)state;
  enum { MANY = 132 };
  static const unsigned left[] = {0, 63, 64, 127, 128, 131};
  wf_gpu_config config = machine(1);
  config.n_sm = MANY;
  wf_dispatcher *d = open_grid(&config, 60, 1, 8);
  wf_placement p[64];
  wf_dispatch_rooms r;
  wf_mask sms = wf_mask_below(MANY);
  for (unsigned i = 0; i < 6; i++) wf_mask_clear(&sms, left[i]);
  wf_dispatcher_ops.divert(d, &sms);
  assert_int_equal(place_all(d, 60, p), 36);
  for (unsigned i = 0; i < 36; i++) assert_int_equal(p[i].sm, left[i % 6]);
  wf_dispatcher_ops.rooms(d, &r);
  assert_true(wf_mask_same(&r.room, &sms));
  assert_true(r.free_warps[131] == 0 && r.free_warps[130] == WARPS);
  wf_mask_clear(&sms, 130);
  wf_dispatcher_ops.divert(d, &sms);
  assert_int_equal(place_all(d, 60, p), 6);
  for (unsigned i = 0; i < 6; i++) assert_int_equal(p[i].sm, 130);
  wf_dispatcher_destroy(d);
}

/* An SM is filled before the next gets a block; of several that were left, the one with least
 * room. */
static void the_fullest_first(void **state) {
  (void)state;
  wf_gpu_config config = machine(1);
  config.cta_place = WF_PLACE_FULLEST;
  wf_dispatcher *d = open_grid(&config, 24, 1, 8); /* six to an SM */
  wf_placement p[64], q[64];
  divert(d, 2);
  assert_int_equal(place_all(d, 24, p), 18);
  for (unsigned i = 0; i < 18; i++) assert_int_equal(p[i].sm, i < 6 ? 0 : i / 6 + 1);
  for (unsigned i = 0; i < 3; i++) wf_dispatcher_ops.block_done(d, 0, p[i].slot);
  wf_dispatcher_ops.block_done(d, 2, p[6].slot);
  divert(d, 0);
  assert_int_equal(place_all(d, 24, q), 6);
  static const unsigned expected[] = {2, 0, 0, 0, 1, 1};
  for (unsigned i = 0; i < 6; i++) assert_int_equal(q[i].sm, expected[i]);
  wf_dispatcher_destroy(d);
}

/* Every SM gets a share, as it comes; as many fit as in turns; the same again with the same seed.
 */
static void one_at_random(void **state) {
  (void)state;
  wf_gpu_config config = machine(1);
  config.cta_place = WF_PLACE_RANDOM;
  wf_placement p[2][64];
  unsigned out_of_turn = 0, of_sm[SMS] = {0};
  for (unsigned again = 0; again < 2; again++) {
    wf_dispatcher *d = open_grid(&config, 40, 1, 8); /* six to an SM */
    assert_int_equal(place_all(d, 40, p[again]), 6 * SMS);
    wf_dispatcher_destroy(d);
  }
  for (unsigned i = 0; i < 6 * SMS; i++) {
    assert_int_equal(p[0][i].sm, p[1][i].sm);
    out_of_turn += p[0][i].sm != i % SMS;
    of_sm[p[0][i].sm]++;
  }
  assert_true(out_of_turn > SMS);
  for (unsigned s = 0; s < SMS; s++) assert_int_equal(of_sm[s], 6);
}

/* Groups go before what waits of the kernel, the last one first; then the kernel goes on. */
static void the_newest_first(void **state) {
  (void)state;
  wf_gpu_config config = machine(1);
  config.launch_order = WF_LAUNCH_NEWEST;
  wf_dispatcher *d = open_grid(&config, 64, 1, 8);
  wf_placement p[64];
  assert_int_equal(place_all(d, 64, p), 6 * SMS);
  for (uint32_t id = 1; id <= 2; id++) {
    wf_grid g = grid_of(2, 1, 8);
    g.id = id;
    g.params = 64;
    assert_true(wf_dispatcher_ops.group(d, &g));
  }
  for (unsigned i = 0; i < 6; i++) wf_dispatcher_ops.block_done(d, p[i].sm, p[i].slot);
  static const struct {
    unsigned id, block;
  } expected[] = {{2, 0}, {2, 1}, {1, 0}, {1, 1}, {0, 24}, {0, 25}};
  for (unsigned i = 0; i < 6; i++) {
    assert_true(wf_dispatcher_ops.place(d, &p[i]));
    assert_int_equal(p[i].id, expected[i].id);
    assert_int_equal(p[i].block[0], expected[i].block);
  }
  assert_false(wf_dispatcher_ops.may_place(d));
  wf_dispatcher_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_by_one),           cmocka_unit_test(runs_stay_together),
      cmocka_unit_test(a_run_waits_for_room), cmocka_unit_test(diverted_sms_get_none),
      cmocka_unit_test(diverted_of_many),     cmocka_unit_test(the_fullest_first),
      cmocka_unit_test(one_at_random),        cmocka_unit_test(the_newest_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
