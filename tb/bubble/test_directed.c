/* Directed tests of bubble_power: each step of the paper's flow (figure 36) once by itself, on four
 * SMXs of 64 warps, T = 4 warps, blocks of 2, P = one sample. Every edge is judged by the reference
 * model as well; what is asserted here comes from the paper. */
#include "tb/bubble/bubble_bench.h"
#include "tb/common/wf_test.h"

static bubble_bench *open_unit(bubble_mode mode) {
  bubble_bench *b = wf_test_open(&bubble_bench_class, "four", NULL);
  b->reg.mode = mode;
  return b;
}
#define TEST(name, mode) WF_DIRECTED(name, bubble_bench *b, open_unit(mode), wf_test_finish)

static void hold(bubble_bench *b, uint32_t u0, uint32_t u1, uint32_t u2, uint32_t u3) {
  const uint32_t used[] = {u0, u1, u2, u3};
  memcpy(b->world.used, used, sizeof used);
}
static void samples(bubble_bench *b, unsigned n) {
  ok(b, bubble_bench_samples(b, n));
}

static void steps(bubble_bench *b, unsigned n) {
  for (unsigned i = 0; i < n; i++) ok(b, bubble_bench_step(b));
}

/* States by letter, SMX 0 first: Normal, Drain, Parked, down (>), Low, up (<). */
static void check_are(bubble_bench *b, const char *states, int line) {
  const uint64_t dvr = wf_port_get(b->p.dvr), drn = wf_port_get(b->p.drn),
                 dvfs = wf_port_get(b->p.dvfs) >> 1, busy = wf_port_get(b->p.busy);
  char are[5] = "";
  for (unsigned s = 0; s < 4; s++) {
    const unsigned x = (unsigned)(dvr >> s & 1) << 3 | (unsigned)(drn >> s & 1) << 2 |
                       (unsigned)(dvfs >> s & 1) << 1 | (unsigned)(busy >> s & 1);
    are[s] = "N--<----P-L>D---"[x];
  }
  if (strcmp(are, states) != 0)
    fail_msg("line %d, sample %u: SMXs are %s, should be %s", line,
             (unsigned)b->ref.counter[BUBBLE_COUNT_samples], are, states);
}
#define are(b, states) check_are(b, states, __LINE__)

/* A and B: an empty SMX goes down at once, and comes up when the others are full. */
TEST(empty_goes_down, BUBBLE_FULL) {
  hold(b, 0, 40, 64, 10);
  samples(b, 1);
  are(b, ">NNN");
  samples(b, 1);
  are(b, "LNNN"); /* after P */
  samples(b, 3);
  are(b, "LNNN");
  hold(b, 0, 64, 64, 64);
  b->world.waiting = 1;
  samples(b, 1);
  are(b, "<NNN");
  assert_int_equal(b->world.waiting, 1);
  unsigned edges = 0;
  while (b->world.waiting) {
    ok(b, bubble_bench_step(b));
    edges++;
  }
  assert_in_range(edges, b->world.transition - 5, b->world.transition + 2);
  assert_int_equal(b->world.used[0], 2);
}

/* C */
TEST(drains, BUBBLE_FULL) {
  hold(b, 2, 40, 40, 40);
  samples(b, 3);
  are(b, "DNNN");
  b->world.waiting = 3;
  samples(b, 1);
  assert_int_equal(b->world.used[0], 2); /* nothing more comes */
  hold(b, 0, 40, 40, 40);
  samples(b, 1);
  are(b, ">NNN");
}

/* D */
TEST(drains_in_vain, BUBBLE_FULL) {
  hold(b, 2, 40, 40, 40);
  samples(b, 10);
  are(b, "DNNN");
  samples(b, 1);
  are(b, "NNNN"); /* ten samples after the one in which it began */
  samples(b, 9);
  are(b, "NNNN");
  samples(b, 1);
  are(b, "DNNN"); /* the next attempt */
  samples(b, 10);
  are(b, "NNNN");
  hold(b, 4, 40, 40, 40);
  samples(b, 1);
  hold(b, 2, 40, 40, 40); /* it was no bubble: the hold is over */
  samples(b, 1);
  are(b, "DNNN");
}

/* E */
TEST(one_stays, BUBBLE_FULL) {
  hold(b, 2, 3, 0, 1);
  samples(b, 1);
  are(b, "NNNN");
  hold(b, 2, 5, 0, 1);
  samples(b, 1);
  are(b, "DN>D");
}

/* F */
TEST(one_is_woken_a_sample, BUBBLE_FULL) {
  hold(b, 0, 0, 40, 40);
  samples(b, 3);
  are(b, "LLNN");
  hold(b, 0, 0, 64, 64);
  b->world.waiting = 80;
  b->world.transition = 60;
  samples(b, 1);
  are(b, "<LNN");
  samples(b, 1);
  are(b, "<<NN"); /* the first one is still coming up */
}

TEST(one_is_woken_at_a_time, BUBBLE_FULL) {
  b->reg.calm = true;
  hold(b, 0, 0, 40, 40);
  samples(b, 3);
  hold(b, 0, 0, 64, 64);
  b->world.waiting = 80;
  b->world.transition = 60;
  samples(b, 3);
  are(b, "<LNN");
}

/* G */
TEST(nowhere_to_divert_to, BUBBLE_FULL) {
  hold(b, 0, 64, 64, 64);
  samples(b, 2);
  are(b, "NNNN");
  hold(b, 0, 40, 40, 40);
  b->world.no_room = (wf_mask){{0xe}}; /* registers */
  samples(b, 2);
  are(b, "NNNN");
  assert_true(b->ref.counter[BUBBLE_COUNT_no_target] == 4);
}

/* H: wanted again while it goes down. */
TEST(wanted_while_it_goes_down, BUBBLE_FULL) {
  b->world.transition = 3 * 20;
  hold(b, 0, 40, 40, 40);
  samples(b, 1);
  hold(b, 0, 64, 64, 64);
  b->world.waiting = 1;
  unsigned n = 0;
  while (b->world.waiting && n < 100) {
    samples(b, 1);
    n++;
  }
  assert_in_range(n, 2 * 3, 2 * 3 + 2); /* down and up again */
}

/* I */
TEST(whole_gpu, BUBBLE_FULL) {
  hold(b, 0, 40, 0, 2);
  samples(b, 3);
  are(b, "LNLD");
  hold(b, 0, 0, 0, 0);
  samples(b, 1);
  are(b, "LNLP");
  assert_true(wf_port_get(b->p.gpu_low) && wf_port_get(b->p.gpu_busy));
  assert_int_equal(wf_port_get(b->p.divert), 0xf);
  steps(b, 60);
  assert_false(wf_port_get(b->p.gpu_busy));
  assert_true(wf_port_get(b->p.idle)); /* no sample until something waits, then at once */
  b->world.waiting = 4;
  steps(b, 2);
  are(b, "NNNN");
  assert_true(wf_port_get(b->p.gpu_busy) && !wf_port_get(b->p.gpu_low));
  steps(b, 20);
  assert_int_equal(b->world.waiting, 4);
  assert_int_equal(wf_port_get(b->p.dvfs), 0);
  steps(b, 6);
  assert_int_equal(b->world.waiting, 0);
}

TEST(whole_gpu_only_if_asked, BUBBLE_FULL) {
  b->reg.gpu_level = false;
  samples(b, 4);
  assert_int_equal(wf_port_get(b->p.dvfs), 0);
  are(b, "NNNN");
}

/* J */
TEST(without_draining, BUBBLE_AT_ONCE) {
  hold(b, 2, 40, 40, 40);
  samples(b, 1);
  are(b, ">NNN");
  samples(b, 2);
  are(b, "LNNN");
  assert_int_equal(b->world.used[0], 2);
}

/* K: work that may only run on a diverted SMX. */
TEST(bound_work_wakes_its_smx, BUBBLE_FULL) {
  hold(b, 0, 0, 40, 40);
  samples(b, 3);
  are(b, "LLNN");
  wf_mask_set(&b->world.bound, 1);
  samples(b, 1);
  are(b, "L<NN"); /* although others have room, and SMX 0 would be first */
  samples(b, 2);
  assert_false(wf_mask_any(&b->world.bound, WF_MASK_WORDS));
  assert_int_equal(b->world.used[1], 2);
}

TEST(bound_work_forbids_diversion, BUBBLE_FULL) {
  hold(b, 2, 40, 40, 40);
  wf_mask_set(&b->world.bound, 0);
  wf_mask_set(&b->world.no_room, 0);
  samples(b, 2);
  are(b, "NNNN");
}

/* Waiting blocks end a drain first: it costs nothing. */
TEST(a_drain_is_resumed_first, BUBBLE_FULL) {
  hold(b, 0, 2, 40, 40);
  samples(b, 3);
  are(b, "LDNN");
  hold(b, 0, 2, 64, 64);
  b->world.waiting = 1;
  samples(b, 1);
  are(b, "LNNN");
}

/* The trap of blocking by DVR alone, which is clear in Up. */
TEST(nothing_starts_while_it_comes_up, BUBBLE_FULL) {
  hold(b, 0, 64, 64, 64);
  b->world.used[1] = 40;
  samples(b, 3);
  b->world.used[1] = 64;
  b->world.waiting = 1;
  b->world.transition = 100;
  samples(b, 1);
  are(b, "<NNN");
  assert_int_equal(wf_port_get(b->p.dvr), 0);
  assert_int_equal(wf_port_get(b->p.divert), 1);
  samples(b, 4);
  assert_int_equal(b->world.waiting, 1);
}

TEST(divert_only, BUBBLE_DIVERT) {
  hold(b, 0, 2, 40, 40);
  samples(b, 2);
  are(b, "PDNN");
  hold(b, 0, 0, 64, 64);
  samples(b, 1);
  are(b, "PPNN");
  b->world.waiting = 1;
  samples(b, 1);
  are(b, "NPNN");
  assert_int_equal(wf_port_get(b->p.dvfs), 0);
}

/* L: figure 35: empty, diverted; the others fill; resumed; low again, drained; the tail. */
TEST(figure_35, BUBBLE_FULL) {
  hold(b, 0, 20, 30, 64);
  samples(b, 3);
  are(b, "LNNN");
  b->world.waiting = 60; /* more than the others hold */
  samples(b, 3);
  assert_int_equal(b->world.used[1], 64);
  assert_int_equal(b->world.used[2], 64);
  are(b, "<NNN");
  samples(b, 3);
  assert_int_equal(b->world.waiting, 0);
  are(b, "NNNN");
  hold(b, 2, 20, 10, 30);
  samples(b, 2);
  are(b, "DNNN");
  hold(b, 0, 10, 2, 10);
  samples(b, 1);
  are(b, ">NDN");
  hold(b, 0, 2, 0, 4);
  samples(b, 3);
  are(b, "LDLN");
  hold(b, 0, 0, 0, 4);
  samples(b, 4);
  are(b, "LLLN"); /* one runs to the end */
}

TEST(watches_only, BUBBLE_FULL) {
  b->reg.drain = 0;
  hold(b, 0, 2, 40, 40);
  samples(b, 3);
  are(b, "NNNN");
  assert_int_equal(b->ref.counter[BUBBLE_COUNT_bubbles], 6);
}

TEST(off_brings_all_up, BUBBLE_FULL) {
  hold(b, 0, 2, 40, 40);
  samples(b, 3);
  are(b, "LDNN");
  b->reg.mode = BUBBLE_OFF;
  steps(b, 3 * b->reg.sample);
  are(b, "NNNN");
  assert_true(wf_port_get(b->p.idle));
}

static void refuses(void **state) {
  (void)state;
  static const char *const wrong[] = {"NumSmx=257",    "WarpUnits=1025", "SampleBits=3",
                                      "DrainBits=0",   "DrainBits=17",   "Settle=2",
                                      "CounterBits=65"};
  WF_TEST_REFUSED(&bubble_bench_class, "four", wrong);
}

#define T(name) cmocka_unit_test(name)
int main(void) {
  const struct CMUnitTest tests[] = {
      T(empty_goes_down),
      T(drains),
      T(drains_in_vain),
      T(one_stays),
      T(one_is_woken_a_sample),
      T(one_is_woken_at_a_time),
      T(nowhere_to_divert_to),
      T(wanted_while_it_goes_down),
      T(whole_gpu),
      T(whole_gpu_only_if_asked),
      T(without_draining),
      T(bound_work_wakes_its_smx),
      T(bound_work_forbids_diversion),
      T(a_drain_is_resumed_first),
      T(nothing_starts_while_it_comes_up),
      T(divert_only),
      T(figure_35),
      T(watches_only),
      T(off_brings_all_up),
      T(refuses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
