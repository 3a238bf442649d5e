/* Clocks of SMs: a slower SM computes the same in so much more time, whether dead time is ticked
 * through or not; what it did at the lower voltage is counted. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/observe.h"
#include "sim/gpu/sm_clock.h"

enum { SMS = 4, BLOCKS = 16, THREADS = 64, ROUNDS = 200 };

/* Each thread counts to ROUNDS and adds that to its word. */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry count(.param .u64 out, .param .u32 rounds)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r1, %r2, %r3, %r4; ld.param.u64 %rd1, [out]; ld.param.u32 %r5, [rounds];\n"
    "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; mov.u32 %r6, 0;\n"
    "loop: add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r5; @%p1 bra loop;\n"
    "ld.global.u32 %r7, [%rd2]; add.u32 %r7, %r7, %r6; st.global.u32 [%rd2], %r7; ret; }\n";

typedef struct bench {
  wf_gpu *gpu;
  uint64_t out;
  wf_error err;
} bench;

static bench open_slow_gpu(bool skip, unsigned sm_mhz) {
  bench b = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &b.err));
  config.n_sm = SMS;
  config.sm_mhz = sm_mhz;
  if (!skip) wf_options_put(&options, "sim.skip", "0");
  b.gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &b.err);
  wf_options_free(&options);
  if (!b.gpu || !wf_gpu_load_ptx(b.gpu, "test", ptx, strlen(ptx), &b.err))
    fail_msg("%s", b.err.text);
  b.out = wf_gpu_alloc(b.gpu, 4 * BLOCKS * THREADS, "out", &b.err);
  assert_true(wf_gpu_fill(b.gpu, b.out, 0, 4 * BLOCKS * THREADS, &b.err));
  return b;
}

static bench open_gpu(bool skip) {
  return open_slow_gpu(skip, 0);
}

static void set_all(const bench *b, unsigned ticks, unsigned of, wf_pstate state) {
  for (unsigned s = 0; s < SMS; s++)
    wf_sm_set_clock(&b->gpu->sms[s], &(wf_sm_pace){ticks, of, state});
}

/* Cycles of a launch. */
static uint64_t run(bench *b) {
  const uint32_t rounds = ROUNDS;
  const uint64_t before = wf_gpu_cycles(b->gpu);
  const wf_launch_args args = {.kernel = "count",
                               .grid = {BLOCKS, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = {&b->out, &rounds},
                               .n_params = 2};
  if (!wf_gpu_launch(b->gpu, &args, &b->err)) fail_msg("%s", b->err.text);
  return wf_gpu_cycles(b->gpu) - before;
}

static void expect_words(bench *b, uint32_t value) {
  uint32_t words[BLOCKS * THREADS];
  assert_true(wf_gpu_read(b->gpu, words, b->out, sizeof words, &b->err));
  for (unsigned i = 0; i < BLOCKS * THREADS; i++) assert_int_equal(words[i], value);
}

static void slow_sms_take_longer(void **state) {
  (void)state;
  static const struct {
    unsigned ticks, of;
  } clocks[] = {{0, 0}, {1, 2}, {100, 706}, {0, 0}, {705, 706}};
  uint64_t cycles[2][5];
  for (unsigned skip = 0; skip < 2; skip++) {
    bench b = open_gpu(skip);
    for (unsigned i = 0; i < 5; i++) {
      set_all(&b, clocks[i].ticks, clocks[i].of, WF_PSTATE_HIGH);
      cycles[skip][i] = run(&b);
      expect_words(&b, (i + 1) * ROUNDS);
    }
    wf_gpu_destroy(b.gpu);
  }
  assert_memory_equal(cycles[0], cycles[1], sizeof cycles[0]);
  const uint64_t *c = cycles[1];
  assert_in_range(c[1], 18 * c[0] / 10, 2 * c[0] + 10); /* memory keeps its clock */
  assert_in_range(c[2], 65 * c[0] / 10, 71 * c[0] / 10);
  assert_in_range(c[3], c[0] * 9 / 10, c[0] * 11 / 10);
  assert_in_range(c[4], c[3], c[3] + c[3] / 100 + 10);
}

static void low_time_is_counted(void **state) {
  (void)state;
  wf_pstate_counters low;
  double clock;
  bench b = open_gpu(true);
  run(&b);
  assert_false(wf_gpu_low_counters(b.gpu, &low, &clock));
  b.gpu->low_clock = 0.5;
  set_all(&b, 1, 2, WF_PSTATE_LOW);
  const uint64_t before = wf_gpu_sm_counters(b.gpu)->warp_instructions, cycles = run(&b);
  assert_true(wf_gpu_low_counters(b.gpu, &low, &clock) && clock == 0.5);
  assert_int_equal(low.cycles, SMS * cycles);
  assert_int_equal(low.sm.warp_instructions, wf_gpu_sm_counters(b.gpu)->warp_instructions - before);
  assert_true(low.l1.accesses > 0);
  set_all(&b, 0, 0, WF_PSTATE_HIGH);
  run(&b);
  wf_pstate_counters later;
  wf_gpu_low_counters(b.gpu, &later, &clock);
  assert_memory_equal(&later, &low, sizeof low);
  wf_gpu_destroy(b.gpu);
}

/* Whatever states SMs pass through: over them their counters are all that they did. */
static void states_add_up(void **state) {
  (void)state;
  static const struct {
    unsigned ticks, of;
    wf_pstate state;
  } steps[] = {{0, 0, WF_PSTATE_HIGH},        {0, 0, WF_PSTATE_BETWEEN}, {100, 706, WF_PSTATE_LOW},
               {100, 706, WF_PSTATE_BETWEEN}, {0, 0, WF_PSTATE_HIGH},    {3, 7, WF_PSTATE_LOW}};
  for (unsigned skip = 0; skip < 2; skip++) {
    bench b = open_gpu(skip);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      for (unsigned s = i % 2; s < SMS; s++) /* every second step leaves SM 0 as it is */
        wf_sm_set_clock(&b.gpu->sms[s], &(wf_sm_pace){steps[i].ticks, steps[i].of, steps[i].state});
      run(&b);
    }
    for (unsigned s = 0; s < SMS; s++) {
      const wf_sm *sm = &b.gpu->sms[s];
      wf_pstate_counters sum = {0}, of[WF_PSTATES];
      for (int p = 0; p < WF_PSTATES; p++) {
        wf_gpu_pstate_counters(b.gpu, s, (wf_pstate)p, &of[p]);
        wf_sm_add_pstate(sm, (wf_pstate)p, &sum);
      }
      assert_int_equal(sum.cycles, b.gpu->cycle);
      assert_int_equal(sum.ticks, wf_sm_now(sm));
      assert_memory_equal(&sum.sm, &sm->counters, sizeof sum.sm);
      assert_memory_equal(&sum.l1, &sm->l1_counters, sizeof sum.l1);
      assert_int_equal(of[WF_PSTATE_BETWEEN].entered, s ? 2 : 0);
      assert_int_equal(of[WF_PSTATE_LOW].entered, s ? 2 : 1);
      assert_int_equal(of[WF_PSTATE_HIGH].entered, 1);
      assert_true(of[WF_PSTATE_LOW].cycles > of[WF_PSTATE_LOW].ticks);
      assert_int_equal(of[WF_PSTATE_HIGH].cycles, of[WF_PSTATE_HIGH].ticks);
      assert_true(of[WF_PSTATE_LOW].sm.warp_instructions > 0);
    }
    wf_gpu_destroy(b.gpu);
  }
}

/* All SMs at a fixed lower clock; the core's clock is none. */
static void slow_from_the_start(void **state) {
  (void)state;
  wf_pstate_counters low;
  double clock;
  uint64_t cycles[4];
  static const unsigned mhz[] = {0, 700, 350, 70}; /* gtx480: 700 */
  for (unsigned i = 0; i < 4; i++) {
    bench b = open_slow_gpu(i % 2, mhz[i]);
    cycles[i] = run(&b);
    expect_words(&b, ROUNDS);
    assert_int_equal(wf_gpu_low_counters(b.gpu, &low, &clock), i >= 2);
    if (i >= 2) {
      assert_true(fabs(clock - mhz[i] / 700.0) < 1e-9);
      assert_int_equal(low.cycles, SMS * cycles[i]);
      assert_int_equal(low.sm.warp_instructions, wf_gpu_sm_counters(b.gpu)->warp_instructions);
    }
    wf_gpu_destroy(b.gpu);
  }
  assert_int_equal(cycles[0], cycles[1]);
  assert_in_range(cycles[2], 18 * cycles[0] / 10, 2 * cycles[0] + 10);
  assert_in_range(cycles[3], 9 * cycles[0], 10 * cycles[0] + 100);
  wf_gpu_config config;
  wf_error err = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &err));
  config.sm_mhz = 701;
  assert_false(wf_gpu_config_check(&config, &err));
  assert_non_null(strstr(err.text, "core.sm_mhz=701: expected core.mhz=700 or less"));
}

/* What an observer is told: clocks as they change, samples as often as it wants them. */
typedef struct heard {
  uint64_t samples, last;
  unsigned clocks, mhz;
  bool low;
} heard;

static void hear(void *user, const wf_seen *e) {
  heard *h = user;
  if (e->kind == WF_SEEN_CLOCK) {
    h->clocks++;
    h->mhz = e->mhz;
    h->low = e->low;
  } else if (e->kind == WF_SEEN_SAMPLE) {
    assert_int_equal(e->cycle, h->last + 64);
    h->last = e->cycle;
    h->samples++;
  }
}

static void clocks_and_samples_are_told(void **state) {
  (void)state;
  for (unsigned skip = 0; skip < 2; skip++) {
    bench b = open_gpu(skip);
    heard h = {0};
    const uint64_t without = run(&b);
    wf_gpu_destroy(b.gpu);
    b = open_gpu(skip);
    wf_gpu_observe(b.gpu, &(wf_observer){.see = hear, .user = &h, .every = 64});
    assert_true(h.clocks == SMS && h.mhz == 700 && !h.low);
    assert_int_equal(run(&b), without);
    assert_int_equal(h.samples, without / 64);
    set_all(&b, 100, 700, WF_PSTATE_LOW);
    assert_true(h.clocks == 2 * SMS && h.mhz == 100 && h.low);
    wf_gpu_destroy(b.gpu);
  }
}

/* When it ticks, told in advance, and over cycles that are skipped. */
static void clock_arithmetic(void **state) {
  (void)state;
  bench b = open_gpu(true);
  wf_sm *sm = &b.gpu->sms[0];
  wf_rng rng;
  wf_rng_seed(&rng, 1);
  for (unsigned i = 0; i < 2000; i++) {
    const unsigned of = 1 + (unsigned)wf_rng_below(&rng, 900);
    wf_sm_set_clock(sm, &(wf_sm_pace){1 + (unsigned)wf_rng_below(&rng, of), of, WF_PSTATE_HIGH});
    const uint64_t skipped = wf_rng_below(&rng, 3000);
    const wf_sm_clock from = sm->clock;
    for (uint64_t c = 0; c < skipped; c++) wf_sm_clock_ticks(sm);
    const wf_sm_clock there = sm->clock;
    sm->clock = from;
    wf_sm_clock_skip(sm, skipped);
    assert_true(sm->clock.lost == there.lost && sm->clock.sum == there.sum);
    b.gpu->cycle += skipped;
    const uint64_t when = wf_sm_now(sm) + 1 + wf_rng_below(&rng, 50);
    const uint64_t at = wf_sm_clock_reaches(sm, when);
    bool ticks = false;
    while (b.gpu->cycle < at) {
      assert_true(!ticks || wf_sm_now(sm) < when);
      b.gpu->cycle++;
      ticks = wf_sm_clock_ticks(sm);
    }
    assert_true(ticks && wf_sm_now(sm) == when);
  }
  assert_true(wf_sm_clock_reaches(sm, WF_NEVER) == WF_NEVER);
  wf_gpu_destroy(b.gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slow_sms_take_longer),
      cmocka_unit_test(low_time_is_counted),
      cmocka_unit_test(states_add_up),
      cmocka_unit_test(slow_from_the_start),
      cmocka_unit_test(clocks_and_samples_are_told),
      cmocka_unit_test(clock_arithmetic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
