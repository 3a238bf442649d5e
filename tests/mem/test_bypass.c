/* Rules by which misses go past a cache, each by itself, and in a slice of L2. */
#include "sim/mem/bypass.h"
#include "tests/mem/harness.h"

enum { IB = 100, VB = 200, SET = 3, WAY = 1 };

static const wf_bypass_miss over_vb = {
    .set = SET, .way = WAY, .line = IB, .victim = VB, .victim_valid = true};

/* Misses until one is what is wanted; nothing is tracked before: the set's tracker is freed. */
static void until(wf_bypass *b, bool past) {
  for (unsigned i = 0; i < 10000; i++) {
    if (wf_bypass_decides(b, &over_vb) == past) return;
    wf_bypass_access(b, SET, past ? VB : IB, past ? WF_BYPASS_NO_WAY : WAY);
  }
  fail_msg("10000 misses and none was decided so");
}

/* Past: the victim's way asked for first speaks for it, the line itself against it. */
static void ab_learns_of_what_went_past(void **state) {
  (void)state;
  for (unsigned first_way = 0; first_way < 2; first_way++) {
    wf_bypass *b = wf_bypass_create(WF_BYPASS_AB, 8, 1);
    assert_int_equal(wf_bypass_exponent(b, SET), 6);
    unsigned before = 6;
    bool past = false;
    while (!past) {
      before = wf_bypass_exponent(b, SET);
      past = wf_bypass_decides(b, &over_vb);
      if (!past) wf_bypass_access(b, SET, IB, WAY); /* what was tracked is decided */
    }
    wf_bypass_access(b, SET, 999, WAY + 1); /* another */
    assert_int_equal(wf_bypass_exponent(b, SET), before);
    wf_bypass_access(b, SET, first_way ? VB : IB, first_way ? WAY : WF_BYPASS_NO_WAY);
    const unsigned rarer = before < 8 ? before + 1 : 8;
    assert_int_equal(wf_bypass_exponent(b, SET), first_way ? before - 1 : rarer);
    const unsigned then = wf_bypass_exponent(b, SET);
    wf_bypass_access(b, SET, IB, WF_BYPASS_NO_WAY); /* once only */
    wf_bypass_access(b, SET, VB, WAY);
    assert_int_equal(wf_bypass_exponent(b, SET), then);
    wf_bypass_destroy(b);
  }
}

/* Of lines that came in one of 16 is tracked; the probability stays within 1/256 and 1. */
static void ab_learns_of_what_came_in(void **state) {
  (void)state;
  wf_bypass *b = wf_bypass_create(WF_BYPASS_AB, 8, 7);
  for (unsigned i = 0; i < 3000; i++) {
    wf_bypass_access(b, SET, IB, WF_BYPASS_NO_WAY);
    if (!wf_bypass_decides(b, &over_vb)) wf_bypass_access(b, SET, IB, WAY); /* IB first */
  }
  assert_int_equal(wf_bypass_exponent(b, SET), 8);
  for (unsigned i = 0; i < 3000; i++) {
    const bool past = wf_bypass_decides(b, &over_vb);
    wf_bypass_access(b, SET, VB, past ? WAY : WF_BYPASS_NO_WAY); /* VB first */
  }
  assert_int_equal(wf_bypass_exponent(b, SET), 0);
  assert_true(wf_bypass_decides(b, &over_vb)); /* always, now */
  wf_bypass_miss m = over_vb;
  m.victim_valid = false;
  assert_false(wf_bypass_decides(b, &m));
  m = over_vb;
  m.keep = true;
  assert_false(wf_bypass_decides(b, &m));
  assert_int_equal(wf_bypass_exponent(b, SET + 1), 6); /* each set for itself */
  wf_bypass_destroy(b);
}

/* The way that is watched gets another line: not known. */
static void ab_forgets_what_is_replaced(void **state) {
  (void)state;
  wf_bypass *b = wf_bypass_create(WF_BYPASS_AB, 8, 1);
  until(b, true);
  const unsigned then = wf_bypass_exponent(b, SET);
  wf_bypass_miss m = over_vb;
  m.victim_valid = false; /* the line was dropped, and the way is taken */
  assert_false(wf_bypass_decides(b, &m));
  wf_bypass_access(b, SET, 300, WAY);
  wf_bypass_access(b, SET, IB, WF_BYPASS_NO_WAY);
  assert_int_equal(wf_bypass_exponent(b, SET), then);
  wf_bypass_destroy(b);
}

static void mat_compares_counts(void **state) {
  (void)state;
  wf_bypass *b = wf_bypass_create(WF_BYPASS_MAT, 8, 1);
  assert_false(wf_bypass_decides(b, &over_vb)); /* 0 and 0 */
  for (unsigned i = 0; i < 3; i++) wf_bypass_access(b, SET, VB, WAY);
  wf_bypass_access(b, SET, IB, WF_BYPASS_NO_WAY);
  assert_int_equal(wf_bypass_count(b, VB), 3);
  assert_int_equal(wf_bypass_count(b, VB + 7 - VB % 8), 3); /* its KB */
  assert_int_equal(wf_bypass_count(b, VB + 8 * 1024), 3);   /* no tag */
  assert_true(wf_bypass_decides(b, &over_vb));
  assert_true(wf_bypass_decides(b, &over_vb)); /* 1 below 2 */
  assert_int_equal(wf_bypass_count(b, VB), 1);
  assert_false(wf_bypass_decides(b, &over_vb)); /* 1 and 1 */
  for (unsigned i = 0; i < 300; i++) wf_bypass_access(b, SET, VB, WAY);
  assert_int_equal(wf_bypass_count(b, VB), 255);
  for (unsigned i = 0; i < 252; i++) wf_bypass_access(b, SET, IB, WF_BYPASS_NO_WAY);
  assert_int_equal(wf_bypass_count(b, IB), 253);
  assert_false(wf_bypass_decides(b, &over_vb)); /* 253 is not below 0.99 * 255 */
  wf_bypass_miss m = over_vb;
  m.keep = true;
  for (unsigned i = 0; i < 8; i++) assert_false(wf_bypass_decides(b, &m));
  wf_bypass_destroy(b);
}

/* In a slice: lines of few accesses go past those of many, atomics never, and all is answered. */
static void a_slice_bypasses(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.n_part = 1;
  c.l2_bytes = 2 * 2 * 128;
  c.l2_ways = 2;
  for (unsigned kind = WF_BYPASS_AB; kind <= WF_BYPASS_MAT; kind++) {
    c.l2_bypass = kind;
    wf_mem *mem = make(&c, NULL);
    const wf_l2 *l2 = &mem->l2[0];
    wf_rng rng;
    wf_rng_seed(&rng, 1);
    unsigned past = 0;
    for (unsigned i = 0; i < 4000; i++) {
      const uint64_t hot = 0x10000 + 128 * wf_rng_below(&rng, 4),
                     cold = 0x20000 + 1024 * wf_rng_below(&rng, 512), a = i % 4 ? hot : cold;
      (void)round_trip(mem, 0, i % 64 ? read_of(a, i) : atomic_of(a, i, 1));
      bool there = false;
      for (unsigned w = 0; w < l2->first_wayless; w++)
        there = there || l2->tag[w] == wf_l2_local_line(l2, a);
      past += !there;
      assert_true(there || i % 64);
    }
    assert_true(past > (kind == WF_BYPASS_MAT ? 500 : 10));
    finish(mem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ab_learns_of_what_went_past),
      cmocka_unit_test(ab_learns_of_what_came_in),
      cmocka_unit_test(ab_forgets_what_is_replaced),
      cmocka_unit_test(mat_compares_counts),
      cmocka_unit_test(a_slice_bypasses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
