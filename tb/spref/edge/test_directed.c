/* Directed tests of spref_edge: what is said between two edges of the unit, who goes first, and
 * what is asked unasked. Every edge is also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/spref/edge/edge_bench.h"

enum { OTHER = 0, LOAD = 5 };

static edge_bench *open_unit(const char *config) {
  return wf_test_open(&edge_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, edge_bench *b, open_unit(config), wf_test_finish)

static edge_says between(void) {
  return edge_bench_nothing(false);
}
static edge_says tick(void) {
  return edge_bench_nothing(true);
}
#define SAY(...)                                                                                   \
  do {                                                                                             \
    const edge_says say_ = __VA_ARGS__;                                                            \
    ok(b, wf_edge(b, &say_));                                                                      \
  } while (0)

static edge_try ends(unsigned warp) {
  return (edge_try){.is = {.warp = warp, .pc = 9, .op = OTHER}, .end = true};
}
static edge_try goes(edge_instruction is, bool end) {
  return (edge_try){.is = is, .end = end, .goes = true};
}

/* What is told between is what the unit sees at its next edge, once. */
TEST(told_between_goes_in_at_the_next_edge, "paper") {
  const edge_instruction i = {.warp = 47, .pc = 77, .op = OTHER, .data = {1, 2, 3, 4}};
  edge_says s = between();
  s.tries[0] = goes(i, true);
  ok(b, edge_bench_may(b, &s, 0));
  SAY(s);
  s = tick();
  s.tries[0] = ends(3);
  assert_false(edge_bench_may(b, &s, 0));
  SAY(s);
  assert_int_equal(b->counter[EDGE_CNT_edge_kept], 1);
  SAY(tick());
  assert_int_equal(wf_port_get(b->p.u_in_valid), 0);
}

TEST(the_unit_may_have_every_edge, "paper") {
  for (unsigned n = 0; n < 8; n++) {
    const edge_instruction i = {.warp = n, .pc = n, .op = OTHER, .data = {n}};
    edge_says s = tick();
    s.tries[1] = goes(i, true);
    ok(b, edge_bench_may(b, &s, 1));
    SAY(s);
  }
  assert_int_equal(b->counter[EDGE_CNT_edge_told], 8);
  assert_int_equal(b->counter[EDGE_CNT_edge_kept], 0);
}

/* Of two that must be told, which both go, the first has the port; one that need not goes beside
 * it.
 */
TEST(the_first_that_goes_is_told, "paper") {
  const edge_instruction i = {.warp = 1, .pc = 4, .op = OTHER, .data = {7}},
                         j = {.warp = 2, .pc = 5, .op = OTHER, .data = {8}};
  edge_says s = tick();
  s.tries[0] = goes(i, true);
  s.tries[1] = goes(j, true);
  assert_false(edge_bench_may(b, &s, 1));
  assert_int_equal(edge_bench_told(b, &s)->warp, 1);
  SAY(s);
  s.tries[0].goes = false;
  assert_int_equal(edge_bench_told(b, &s)->warp, 2);
  SAY(s);
  s.tries[0] = goes(i, false);
  ok(b, edge_bench_may(b, &s, 0) && !edge_bench_must(b, &s, 0));
  SAY(s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told], 3);
}

/* Without Ahead a load is told as it waited when the cycle began, and a warp that issues says
 * nothing of what it does next. */
TEST(what_issues_is_seen_an_edge_later, "begun") {
  const edge_load ld = {.warp = 2};
  edge_says s = tick();
  s.load = 4;
  SAY(s);
  s.go = s.have = s.iss = 4;
  s.ld = &ld;
  SAY(s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 1);
  s.iss = 0;
  s.ld = NULL;
  SAY(s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 2);
  s.ask = s.iss = s.have = 2;
  SAY(s);
  assert_int_equal(wf_port_get(b->p.u_next_valid), 0);
  s.iss = 0;
  SAY(s);
  assert_int_equal(wf_port_get(b->p.u_next_valid), 1);
  s.ld = &ld;
  SAY(s);
}

/* Loads are told in turn, from the one behind the last. */
TEST(loads_take_turns, "paper") {
  static const unsigned turns[] = {3, 17, 47, 2};
  edge_says s = tick();
  s.load = 1u << 3;
  SAY(s);
  s.load = 1u << 3 | 1u << 2 | 1u << 17 | (uint64_t)1 << 47;
  for (unsigned n = 1; n < 4; n++) {
    s.buffer.pc = n;
    SAY(s);
    assert_int_equal(b->last_load, turns[n]);
  }
  assert_int_equal(b->told, s.load);
  for (unsigned n = 0; n < 4; n++) { /* they issue, and nothing else comes */
    const edge_load ld = {.warp = turns[n]};
    s.load &= ~((uint64_t)1 << turns[n]);
    s.go = b->told;
    s.ld = &ld;
    SAY(s);
  }
  ok(b, wf_edge_rest(b));
}

/* A load that is told as the one before issues. */
TEST(a_warps_next_load_waits_at_once, "small") {
  edge_says s = tick();
  const edge_load ld = {.warp = 2};
  s.load = 4;
  SAY(s);
  s.go = 4;
  s.ld = &ld;
  SAY(s);
  assert_int_equal(b->told, 4);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 2);
  s.load = 0;
  SAY(s);
  ok(b, wf_edge_rest(b));
}

/* While a load waits to be told, nothing else that must be may issue. */
TEST(loads_go_before_what_must_be_told, "small") {
  edge_says s = between();
  s.load = s.load_then = 1;
  s.tries[0] = ends(1);
  s.tries[1] = (edge_try){.is = {.warp = 2, .op = OTHER}};
  assert_false(edge_bench_may(b, &s, 0));
  assert_true(edge_bench_may(b, &s, 1));
  SAY(s);
  s.tick = true;
  SAY(s);
  const edge_load ld = {.warp = 0};
  s = tick();
  s.go = 1;
  s.ld = &ld;
  SAY(s);
}

/* The loop's test: its operands go in beat by beat, and the next waits for the last. */
TEST(one_test_at_a_time, "paper") {
  const edge_instruction i = {.warp = 5, .pc = 60, .op = EDGE_SETP};
  edge_says s = between();
  s.test_v = true;
  s.test_pc = 60;
  s.tries[0] = goes(i, false);
  SAY(s);
  s.tries[0].goes = false;
  s.tries[0].is.warp = 6;
  for (unsigned beat = 0; beat < 4; beat++) {
    s.tick = true;
    s.cnt_ready = beat != 2;
    if (beat == 2) { /* the unit keeps it waiting: the same beat again */
      SAY(s);
      s.cnt_ready = true;
    }
    assert_false(edge_bench_may(b, &s, 0));
    SAY(s);
  }
  assert_true(edge_bench_may(b, &s, 0));
  SAY(s);
  assert_int_equal(b->counter[EDGE_CNT_edge_beats], 4);
}

/* Of what comes behind a branch all is told until it has acted: four edges of the unit. */
TEST(a_branch_acts_four_edges_later, "paper") {
  const edge_instruction branch = {.warp = 8, .pc = 1, .op = EDGE_BRANCH};
  edge_says s = between();
  s.tries[0] = goes(branch, true);
  SAY(s);
  s.tries[0] = (edge_try){.is = {.warp = 8, .pc = 2, .op = OTHER}};
  s.tries[1] = (edge_try){.is = {.warp = 9, .pc = 2, .op = OTHER}};
  for (unsigned n = 0; n < 7; n++) {
    s.tick = n % 2 == 0;
    assert_true(edge_bench_must(b, &s, 0));
    assert_false(edge_bench_must(b, &s, 1));
    SAY(s);
  }
  s.tick = false;
  assert_false(edge_bench_must(b, &s, 0));
  SAY(s);
}

/* A base and a sum of the same edge: the sum goes in an edge of the unit later. */
TEST(a_sum_waits_for_a_base, "paper") {
  edge_says s = tick();
  edge_load ld = {.warp = 1, .over = true, .type = 9};
  edge_sum sum = {.slot = 15, .at.far = true};
  for (unsigned i = 0; i < EDGE_ADDRESS; i++) ld.base.word[i] = i, sum.at.word[i] = ~i;
  s.load = 2;
  SAY(s);
  s.go = 2;
  s.load = 0;
  s.tick = false;
  s.ld = &ld;
  s.sum = &sum;
  SAY(s);
  s.ld = NULL;
  s.sum = NULL;
  s.tick = true;
  s.sum_ready = false;
  SAY(s);
  assert_true(b->has_sum && !b->has_ld);
  SAY(between());
  s.sum_ready = true;
  SAY(s);
  assert_false(b->has_sum);
}

/* What comes back, and an offer that is taken, between two edges. */
TEST(an_offer_is_taken_once, "small") {
  const edge_done done = {.warp = 3, .reg = 31, .fault = true};
  edge_says s = between();
  s.inj_valid = true;
  s.take = true;
  s.done = &done;
  SAY(s);
  s.take = false;
  s.done = NULL;
  SAY(s);
  assert_int_equal(wf_port_get(b->p.sm_inj_valid), 0);
  assert_int_equal(wf_port_get(b->p.sm_done_ready), 0);
  s.tick = true;
  SAY(s);
  assert_false(b->has_take || b->has_done);
  SAY(s);
  assert_int_equal(wf_port_get(b->p.sm_inj_valid), 1);
}

/* Warps of which the unit asks take turns, those that have no instruction are passed over. */
TEST(asked_warps_take_turns, "paper") {
  edge_says s = tick();
  s.ask = 1u << 1 | 1u << 5 | (uint64_t)1 << 40;
  s.have = ~(uint64_t)0;
  static const int turns[] = {1, 5, 40, 1};
  for (unsigned n = 0; n < 4; n++) {
    SAY(s);
    assert_int_equal(b->last_next, turns[n]);
  }
  s.have = (uint64_t)1 << 40;
  SAY(s);
  assert_int_equal(b->last_next, 40);
  s.have = 0;
  s.ask = 1u << 5;
  SAY(s);
  s.have = 1u << 5 | 1u << 6;
  s.ask = 1u << 5 | 1u << 6;
  SAY(s);
  assert_int_equal(b->last_next, 6);
}

/* A warp that issues between is held until the unit has seen it. */
TEST(who_issues_is_held, "small") {
  edge_says s = between();
  s.wait = 2;
  s.iss = 3;
  SAY(s);
  s.iss = 0;
  SAY(s);
  assert_int_equal(wf_port_get(b->p.sm_hold), 2);
  s.tick = true;
  SAY(s);
  s.tick = false;
  SAY(s);
  assert_int_equal(wf_port_get(b->p.sm_hold), 0);
}

int main(void) {
  static const char *const wrong[] = {"NumWarp=65",  "Lanes=65",       "CntLanes=33",
                                      "Tries=0",     "Tries=9",        "AddrBits=0",
                                      "AddrBits=65", "CounterBits=65", "Ahead=2"};
  const struct CMUnitTest tests[] = {cmocka_unit_test(told_between_goes_in_at_the_next_edge),
                                     cmocka_unit_test(the_unit_may_have_every_edge),
                                     cmocka_unit_test(the_first_that_goes_is_told),
                                     cmocka_unit_test(what_issues_is_seen_an_edge_later),
                                     cmocka_unit_test(loads_take_turns),
                                     cmocka_unit_test(a_warps_next_load_waits_at_once),
                                     cmocka_unit_test(loads_go_before_what_must_be_told),
                                     cmocka_unit_test(one_test_at_a_time),
                                     cmocka_unit_test(a_branch_acts_four_edges_later),
                                     cmocka_unit_test(a_sum_waits_for_a_base),
                                     cmocka_unit_test(an_offer_is_taken_once),
                                     cmocka_unit_test(asked_warps_take_turns),
                                     cmocka_unit_test(who_issues_is_held)};
  WF_TEST_REFUSED(&edge_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
