/* The GPU's own dispatcher: runs of consecutive blocks for one SM, blocks bound ahead of room. */
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

static wf_dispatcher *open_grid(const wf_gpu_config *config, uint32_t x, uint32_t y,
                                uint32_t warps) {
  wf_dispatcher *d = wf_dispatcher_create(config);
  const wf_grid g = {.kernel = &kernel,
                     .blocks = {x, y, 1},
                     .threads = {32 * warps, 1, 1},
                     .warps = warps,
                     .registers = 64};
  assert_true(wf_dispatcher_ops.kernel(d, &g));
  return d;
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

/* Every SM gets what it holds and so many more; towards the end fewer. */
static void bound_ahead(void **state) {
  (void)state;
  const wf_gpu_config config = machine(0);
  wf_dispatcher *d = open_grid(&config, 100, 1, 16); /* three fit */
  unsigned bound[SMS] = {0}, n = 0;
  wf_placement p;
  for (; wf_dispatcher_may_bind(d, 3, 2, 1); n++) {
    assert_true(wf_dispatcher_bind(d, 3, 2, 1, &p));
    assert_int_equal(p.block[0], n);
    assert_int_equal(p.sm, n % SMS);
    bound[p.sm]++;
  }
  assert_false(wf_dispatcher_bind(d, 3, 2, 1, &p));
  for (unsigned s = 0; s < SMS; s++) assert_int_equal(bound[s], 5);
  for (unsigned i = 0; i < 3; i++) {
    assert_true(wf_dispatcher_may_start(d, 1));
    assert_int_equal(wf_dispatcher_start(d, 1), i);
  }
  assert_false(wf_dispatcher_may_start(d, 1)); /* no warps are left */
  assert_false(wf_dispatcher_may_bind(d, 3, 2, 1));
  wf_dispatcher_ops.block_done(d, 1, 2);
  assert_true(wf_dispatcher_may_start(d, 1));
  assert_true(wf_dispatcher_bind(d, 3, 2, 1, &p));
  assert_int_equal(p.sm, 1);
  assert_int_equal(wf_dispatcher_start(d, 1), 2);
  wf_dispatcher_destroy(d);
  d = open_grid(&config, 15, 1, 16); /* 12 fit: of the other three none is given away early */
  for (n = 0; wf_dispatcher_bind(d, 3, 2, 1, &p);) n++;
  assert_int_equal(n, 12);
  wf_dispatcher_destroy(d);
  d = open_grid(&config, 21, 1, 16);
  for (n = 0; wf_dispatcher_bind(d, 3, 2, 1, &p);) n++;
  assert_int_equal(n, 16); /* one more each, with nine to five left; then none */
  wf_dispatcher_destroy(d);
}

static void bound_in_runs(void **state) {
  (void)state;
  const wf_gpu_config config = machine(0);
  wf_dispatcher *d = open_grid(&config, 100, 1, 16);
  wf_placement p;
  unsigned n = 0;
  for (; wf_dispatcher_bind(d, 3, 2, 2, &p); n++) assert_int_equal(p.sm, n / 2 % SMS);
  assert_int_equal(n, 4 * SMS); /* a run of two has no room beside four of five */
  wf_dispatcher_destroy(d);
}

/* All ends: the entry is free again, also if blocks are still bound when the grid has been given
 * out. */
static void to_the_end(void **state) {
  (void)state;
  const wf_gpu_config config = machine(0);
  wf_dispatcher *d = open_grid(&config, 33, 3, 16);
  const unsigned entries = wf_dispatcher_ops.free_kernels(d) + 1;
  unsigned waiting[SMS] = {0}, slot[SMS][3], running[SMS] = {0}, ended = 0;
  for (unsigned turns = 0; ended < 99 && turns < 1000; turns++) {
    wf_placement p;
    if (wf_dispatcher_bind(d, 3, 2, 1, &p)) waiting[p.sm]++;
    const unsigned s = turns % SMS;
    if (waiting[s] && wf_dispatcher_may_start(d, s)) {
      assert_true(running[s] < 3);
      slot[s][running[s]++] = wf_dispatcher_start(d, s);
      waiting[s]--;
    } else if (running[s]) {
      assert_int_equal(wf_dispatcher_ops.free_kernels(d), entries - 1);
      wf_dispatcher_ops.block_done(d, s, slot[s][--running[s]]);
      ended++;
    }
  }
  assert_int_equal(ended, 99);
  assert_int_equal(wf_dispatcher_ops.free_kernels(d), entries);
  wf_dispatcher_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_by_one),           cmocka_unit_test(runs_stay_together),
      cmocka_unit_test(a_run_waits_for_room), cmocka_unit_test(bound_ahead),
      cmocka_unit_test(bound_in_runs),        cmocka_unit_test(to_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
