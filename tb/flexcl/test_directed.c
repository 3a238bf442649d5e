/* Directed tests of flexcl: each rule of the thesis once by itself. Every edge is also compared
 * with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/flexcl/flexcl_bench.h"

static flexcl_bench *open_unit(const char *config) {
  return wf_test_open(&flexcl_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, flexcl_bench *b, open_unit(config), wf_test_finish)

enum { NON = 0, OTHER_NON = 48, EXCL = 24, OTHER_EXCL = 72, FOLLOWER = 7, HALF = 1024 };

static bool read_of(flexcl_bench *b, unsigned set, bool miss) {
  bool excl;
  ok(b, flexcl_bench_ask(b, &(flexcl_request){.set = set, .miss = miss, .keeps = true}, &excl));
  return excl;
}

TEST(leaders_keep_their_policy, "paper") {
  for (unsigned i = 0; i < 3; i++) {
    assert_false(read_of(b, NON, i & 1));
    assert_false(read_of(b, OTHER_NON, true));
    assert_true(read_of(b, EXCL, true));
    assert_true(read_of(b, OTHER_EXCL, i & 1));
  }
}

/* Exclusive once the non-inclusive leaders have missed more often. */
TEST(others_follow_the_duel, "paper") {
  assert_false(read_of(b, FOLLOWER, true));
  assert_false(read_of(b, NON, true));
  assert_int_equal(b->psel, HALF + 1);
  assert_true(read_of(b, FOLLOWER, true));
  assert_true(read_of(b, FOLLOWER, false));
  (void)read_of(b, EXCL, false); /* a hit speaks for nobody */
  assert_true(read_of(b, FOLLOWER, false));
  (void)read_of(b, EXCL, true);
  assert_false(read_of(b, FOLLOWER, false));
  (void)read_of(b, OTHER_EXCL, true);
  (void)read_of(b, OTHER_NON, true);
  assert_false(read_of(b, FOLLOWER, false));
  assert_int_equal(b->psel, HALF);
}

TEST(psel_stops_at_its_ends, "paper") {
  const flexcl_request non = {.set = NON, .miss = true, .keeps = true},
                       excl = {.set = EXCL, .miss = true, .keeps = true};
  for (unsigned i = 0; i < 1100; i++) ok(b, wf_edge(b, &non));
  assert_int_equal(b->psel, 2 * HALF - 1);
  assert_true(read_of(b, FOLLOWER, true));
  for (unsigned i = 0; i < 2200; i++) ok(b, wf_edge(b, &excl));
  assert_int_equal(b->psel, 0);
  assert_false(read_of(b, FOLLOWER, true));
  for (unsigned i = 0; i < HALF; i++) ok(b, wf_edge(b, &non));
  assert_false(read_of(b, FOLLOWER, true));
  (void)read_of(b, NON, true);
  assert_true(read_of(b, FOLLOWER, true));
}

TEST(what_the_l1_does_not_keep_stays, "paper") {
  bool excl;
  (void)read_of(b, NON, true);
  ok(b, flexcl_bench_ask(b, &(flexcl_request){.set = EXCL, .miss = true}, &excl));
  assert_false(excl);
  assert_int_equal(b->psel, HALF); /* it missed all the same */
  (void)read_of(b, NON, true);
  ok(b, flexcl_bench_ask(b, &(flexcl_request){.set = FOLLOWER}, &excl));
  assert_false(excl);
}

int main(void) {
  static const char *const wrong[] = {"Sets=1",     "Sets=4097",  "Leaders=0",   "Leaders=17",
                                      "Leaders=49", "PselBits=1", "PselBits=17", "CounterBits=65"};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaders_keep_their_policy), cmocka_unit_test(others_follow_the_duel),
      cmocka_unit_test(psel_stops_at_its_ends), cmocka_unit_test(what_the_l1_does_not_keep_stays)};
  WF_TEST_REFUSED(&flexcl_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
