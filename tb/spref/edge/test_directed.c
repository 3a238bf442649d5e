/* Directed tests of spref_edge: when the unit sees what is told, who goes first, and what is told
 * unasked. Every edge is also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/spref/edge/edge_bench.h"

enum { OTHER = 0 };

static edge_bench *open_unit(const char *config) {
  return wf_test_open(&edge_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, edge_bench *b, open_unit(config), wf_test_finish)

static edge_says nothing(void) {
  return edge_bench_nothing();
}
static void say(edge_bench *b, edge_says s) {
  ok(b, wf_edge(b, &s));
}
static uint64_t value(const wf_port *port) {
  return wf_port_get(port);
}

static edge_try waits(unsigned warp, bool end) {
  return (edge_try){.is = {.warp = warp, .pc = 9, .op = OTHER}, .end = end};
}
static edge_try goes(edge_instruction is, bool end) {
  return (edge_try){.is = is, .end = end, .goes = true};
}

/* What is told is what the unit sees at the next edge, once. */
TEST(what_is_told_goes_in_at_the_next_edge, "paper") {
  const edge_instruction i = {.warp = 47, .pc = 77, .op = OTHER, .data = {1, 2, 3, 4}};
  edge_says s = nothing();
  s.tries[0] = goes(i, true);
  assert_true(edge_bench_may(b, &s, 0));
  say(b, s);
  assert_int_equal(value(b->p.u_in_valid), 1);
  assert_int_equal(value(b->p.u_in_warp), 47);
  assert_int_equal(value(b->p.u_in_pc), 77);
  say(b, nothing());
  assert_int_equal(value(b->p.u_in_valid), 0);
  assert_int_equal(b->counter[EDGE_CNT_edge_waits], 0);
}

TEST(every_edge_may_be_used, "paper") {
  for (unsigned n = 0; n < 8; n++) {
    const edge_instruction i = {.warp = n, .pc = n, .op = OTHER, .data = {n}};
    edge_says s = nothing();
    s.tries[1] = goes(i, true);
    assert_true(edge_bench_may(b, &s, 1));
    say(b, s);
    assert_int_equal(value(b->p.u_in_warp), n);
  }
  assert_int_equal(b->counter[EDGE_CNT_edge_told], 8);
  assert_int_equal(b->counter[EDGE_CNT_edge_waits], 0);
}

/* While the unit is not ready what was told stays, and nothing else that must be told issues. */
TEST(the_register_waits_for_the_unit, "small") {
  const edge_instruction i = {.warp = 3, .pc = 200, .op = OTHER, .data = {5, 6}},
                         j = {.warp = 1, .pc = 100, .op = OTHER, .data = {7, 8}};
  edge_says s = nothing();
  s.tries[0] = goes(i, true);
  say(b, s);
  s.in_ready = false;
  s.tries[0] = goes(j, true);
  s.tries[1] = waits(2, false);
  s.load = 1;
  for (unsigned n = 0; n < 3; n++) {
    assert_false(edge_bench_may(b, &s, 0));
    assert_true(edge_bench_may(b, &s, 1));
    say(b, s);
    assert_int_equal(value(b->p.u_in_warp), 3);
    assert_int_equal(value(b->p.u_in_pc), 200);
  }
  assert_int_equal(b->counter[EDGE_CNT_edge_waits], 3);
  assert_int_equal(b->counter[EDGE_CNT_edge_told], 1);
  s.in_ready = true;
  s.buffer = (edge_instruction){.pc = 50, .op = EDGE_LOAD};
  say(b, s); /* the load follows at once, then the one that waited */
  assert_int_equal(value(b->p.u_in_pc), 50);
  say(b, s);
  assert_int_equal(value(b->p.u_in_pc), 100);
  assert_int_equal(b->counter[EDGE_CNT_edge_told], 2);
  s = nothing();
  s.ld = s.load = 1;
  say(b, s);
}

/* Of two that must be told, which both go, the first has the port; one that need not goes beside
 * it. */
TEST(the_first_that_goes_is_told, "paper") {
  const edge_instruction i = {.warp = 1, .pc = 4, .op = OTHER, .data = {7}},
                         j = {.warp = 2, .pc = 5, .op = OTHER, .data = {8}};
  edge_says s = nothing();
  s.tries[0] = goes(i, true);
  s.tries[1] = goes(j, true);
  assert_false(edge_bench_may(b, &s, 1));
  assert_int_equal(edge_bench_told(b, &s)->warp, 1);
  say(b, s);
  s.tries[0].goes = false;
  assert_int_equal(edge_bench_told(b, &s)->warp, 2);
  say(b, s);
  s.tries[0] = goes(i, false);
  assert_true(edge_bench_may(b, &s, 0) && !edge_bench_must(b, &s, 0));
  say(b, s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told], 3);
}

/* What the unit needs is told, what ends a warp too; what writes nothing never. */
TEST(what_must_be_told, "four") {
  edge_says s = nothing();
  for (unsigned k = 0; k < 4; k++) s.tries[k] = waits(k, k == 2);
  s.need = 1u << 1 | 1u << 3;
  s.tries[3].plain = true;
  say(b, s);
  assert_int_equal(value(b->p.must), 1u << 1 | 1u << 2);
  assert_int_equal(value(b->p.may), 15);
  s.tries[1].goes = true;
  say(b, s);
  s.tries[1].goes = s.in_ready = false;
  say(b, s);
  assert_int_equal(value(b->p.may), 1u << 0 | 1u << 3);
}

/* Loads are told in turn, from the one behind the last. */
TEST(loads_take_turns, "paper") {
  static const unsigned turns[] = {3, 17, 47, 2};
  edge_says s = nothing();
  s.buffer.op = EDGE_LOAD;
  s.load = 1u << 3;
  say(b, s);
  s.load = 1u << 3 | 1u << 2 | 1u << 17 | (uint64_t)1 << 47;
  for (unsigned n = 1; n < 4; n++) {
    s.buffer.pc = n;
    say(b, s);
    assert_int_equal(value(b->p.u_in_warp), turns[n]);
    assert_int_equal(value(b->p.u_in_pc), n);
  }
  assert_int_equal(b->told, s.load);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 4);
  for (unsigned n = 0; n < 4; n++) { /* they issue, and nothing else comes */
    s.ld = (uint64_t)1 << turns[n];
    say(b, s);
    s.load &= ~s.ld;
  }
  s.ld = 0;
  say(b, s);
  ok(b, wf_edge_rest(b));
}

/* A load is told once; that which comes behind it as it issues is another. */
TEST(a_warps_next_load_is_told_as_well, "small") {
  edge_says s = nothing();
  s.buffer.op = EDGE_LOAD;
  s.load = 4;
  for (unsigned n = 0; n < 3; n++) say(b, s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 1);
  s.ld = 4;
  say(b, s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 1);
  s.ld = 0;
  say(b, s);
  assert_int_equal(b->counter[EDGE_CNT_edge_told_loads], 2);
  say(b, s);
  s.ld = 4;
  say(b, s);
  s.ld = s.load = 0;
  say(b, s);
  ok(b, wf_edge_rest(b));
}

/* While a load waits to be told, nothing else that must be may issue. */
TEST(loads_go_before_what_must_be_told, "small") {
  const edge_instruction i = {.warp = 1, .pc = 9, .op = OTHER};
  edge_says s = nothing();
  s.buffer.op = EDGE_LOAD;
  s.load = 1;
  s.tries[0] = goes(i, true);
  s.tries[1] = waits(2, false);
  assert_false(edge_bench_may(b, &s, 0));
  assert_true(edge_bench_may(b, &s, 1));
  say(b, s);
  assert_int_equal(value(b->p.u_in_warp), 0);
  assert_true(edge_bench_may(b, &s, 0));
  say(b, s);
  assert_int_equal(value(b->p.u_in_warp), 1);
  s.tries[0].goes = false;
  s.ld = 1;
  say(b, s);
}

/* The loop's test: its operands go in beat by beat, and the next waits for the last. */
TEST(one_test_at_a_time, "paper") {
  const edge_instruction i = {.warp = 5, .pc = 60, .op = EDGE_SETP};
  edge_says s = nothing();
  s.tests = (edge_tests){.test_v = true, .test_pc = 60};
  say(b, s);
  s.tries[0] = goes(i, false);
  say(b, s);
  s.tries[0].goes = false;
  s.tries[0].is.warp = 6;
  for (unsigned beat = 0; beat < 4; beat++) {
    assert_int_equal(value(b->p.u_cnt_valid), 1);
    assert_int_equal(value(b->p.u_cnt_beat), beat);
    s.cnt_ready = beat != 2;
    if (beat == 2) { /* the unit keeps it waiting: the same beat again */
      say(b, s);
      assert_int_equal(value(b->p.u_cnt_beat), 2);
      s.cnt_ready = true;
    }
    assert_false(edge_bench_may(b, &s, 0));
    say(b, s);
  }
  assert_int_equal(value(b->p.u_cnt_valid), 0);
  assert_true(edge_bench_may(b, &s, 0));
  s.tries[0].goes = true;
  say(b, s);
  assert_int_equal(b->counter[EDGE_CNT_edge_beats], 4);
  for (unsigned beat = 0; beat < 4; beat++) say(b, nothing());
}

/* A warp whose test is in the register is held, and what issued beside it; the operands do not wait
 * for it. A setp that is not told holds its warp for an edge. */
TEST(a_tests_warp_is_held, "small") {
  const edge_instruction i = {.warp = 2, .pc = 60, .op = EDGE_SETP},
                         j = {.warp = 0, .pc = 7, .op = OTHER};
  edge_says s = nothing();
  s.tests = (edge_tests){.test_v = true, .test_pc = 60};
  say(b, s);
  s.tries[0] = goes(j, false);
  s.tries[1] = goes(i, false);
  say(b, s);
  s.tries[0].goes = s.tries[1].goes = false;
  s.in_ready = false;
  s.held = 8;
  for (unsigned n = 0; n < 3; n++) {
    say(b, s);
    assert_int_equal(value(b->p.sm_held), 8 | 4 | 1);
  }
  assert_int_equal(value(b->p.u_cnt_valid), 0);
  assert_int_equal(value(b->p.u_in_counted), 1);
  s.in_ready = true;
  s.tries[1].is.pc = 61;
  s.tries[1].goes = true;
  say(b, s);
  assert_int_equal(value(b->p.sm_held), 8 | 4);
  assert_int_equal(value(b->p.u_in_valid), 0);
  s.tries[1].goes = false;
  say(b, s);
  assert_int_equal(value(b->p.sm_held), 8);
  s.held = 0;
  say(b, s);
}

/* Where the tests are is seen an edge later, and so is that they are no more. */
TEST(a_test_is_seen_an_edge_later, "small") {
  const edge_tests tests = {.test_v = true, .test_pc = 60, .pre_v = true, .pre_pc = 61};
  edge_says s = nothing();
  s.tries[0] = (edge_try){.is = {.warp = 0, .pc = 60, .op = EDGE_SETP}};
  s.tries[1] = (edge_try){.is = {.warp = 1, .pc = 61, .op = EDGE_SETP}};
  s.tests = tests;
  assert_false(edge_bench_must(b, &s, 0) || edge_bench_must(b, &s, 1));
  say(b, s);
  assert_true(edge_bench_must(b, &s, 0) && edge_bench_must(b, &s, 1));
  s.tests = (edge_tests){0};
  s.tries[1].goes = true;
  assert_true(edge_bench_must(b, &s, 0));
  say(b, s);
  assert_int_equal(value(b->p.u_in_counted), 1);
  s.tries[1].goes = false;
  assert_false(edge_bench_must(b, &s, 0) || edge_bench_must(b, &s, 1));
  for (unsigned n = 0; n < 3; n++) say(b, s);
}

/* Of what comes behind a branch all is told until it has acted: four edges from the one at which it
 * went in, for which it may have to wait. */
TEST(a_branch_acts_four_edges_after_it_went_in, "paper") {
  const edge_instruction branch = {.warp = 8, .pc = 1, .op = EDGE_BRANCH};
  edge_says s = nothing();
  s.tries[0] = goes(branch, true);
  say(b, s);
  s.tries[0] = (edge_try){.is = {.warp = 8, .pc = 2, .op = OTHER}};
  s.tries[1] = (edge_try){.is = {.warp = 9, .pc = 2, .op = OTHER}};
  for (unsigned n = 0; n < 6; n++) {
    s.in_ready = n >= 2;
    assert_true(edge_bench_must(b, &s, 0));
    assert_false(edge_bench_must(b, &s, 1));
    say(b, s);
  }
  assert_false(edge_bench_must(b, &s, 0));
  say(b, s);
}

/* Branches of three warps, one behind the other: each acts in its own time. */
TEST(branches_act_one_after_the_other, "four") {
  edge_says s = nothing();
  for (unsigned w = 0; w < 3; w++) {
    const edge_instruction branch = {.warp = w, .pc = 1, .op = EDGE_BRANCH};
    s = nothing();
    s.tries[0] = goes(branch, true);
    say(b, s);
  }
  s = nothing();
  for (unsigned w = 0; w < 4; w++) s.tries[w] = (edge_try){.is = {.warp = w, .pc = 2, .op = OTHER}};
  static const unsigned must[] = {7, 7, 6, 4, 0};
  for (unsigned n = 0; n < 5; n++) {
    for (unsigned w = 0; w < 4; w++) assert_int_equal(edge_bench_must(b, &s, w), must[n] >> w & 1);
    say(b, s);
  }
}

/* Warps of which the unit asks take turns, those that have no instruction are passed over. A buffer
 * is read at the edge after the choice, at which its warp is not chosen again. */
TEST(asked_warps_take_turns, "paper") {
  edge_says s = nothing();
  s.ask = s.hold = 1u << 1 | 1u << 5 | (uint64_t)1 << 40;
  s.have = ~(uint64_t)0;
  static const unsigned turns[] = {1, 5, 40, 1};
  for (unsigned n = 0; n < 4; n++) {
    assert_int_equal(value(b->p.u_next_valid), n > 0);
    say(b, s);
    assert_int_equal(value(b->p.u_next_warp), turns[n]);
    assert_int_equal(value(b->p.u_next_bit), (uint64_t)1 << turns[n]);
  }
  s.have = (uint64_t)1 << 40;
  say(b, s);
  assert_int_equal(value(b->p.u_next_warp), 40);
  say(b, s);
  assert_int_equal(value(b->p.u_next_valid), 0);
  s.have = 0;
  s.ask = 1u << 5;
  say(b, s);
  s.have = 1u << 5 | 1u << 6;
  s.ask = 1u << 5 | 1u << 6;
  say(b, s);
  assert_int_equal(value(b->p.u_next_warp), 6);
}

/* A warp with a load that waits, or whose load issues, is held for two edges: the unit hears of it,
 * and is told what it does next. */
TEST(who_issues_is_held, "small") {
  edge_says s = nothing();
  s.buffer.op = EDGE_LOAD;
  s.load = 8;
  say(b, s);
  say(b, s);
  s.wait = 2;
  for (unsigned w = 0; w < 2; w++)
    s.tries[w] = goes((edge_instruction){.warp = w, .pc = 5, .op = OTHER}, false);
  s.ld = 8;
  say(b, s);
  assert_int_equal(value(b->p.sm_hold), 2 | 8);
  assert_int_equal(value(b->p.issued), 2 | 8);
  s = nothing();
  s.have = 15;
  say(b, s);
  assert_int_equal(value(b->p.sm_hold), 2 | 8);
  assert_int_equal(value(b->p.issued), 0);
  assert_int_equal(value(b->p.u_next_bit), 2);
  say(b, s);
  assert_int_equal(value(b->p.sm_hold), 0);
  assert_int_equal(value(b->p.u_next_valid), 0);
}

/* Both clocks may rest when nothing is said. */
TEST(clocks_rest, "small") {
  edge_says s = nothing();
  say(b, s);
  assert_int_equal(value(b->p.wake) | value(b->p.busy), 0);
  s.stirs = true;
  say(b, s);
  assert_int_equal(value(b->p.wake), 1);
  assert_int_equal(value(b->p.busy), 0);
  s = nothing();
  s.quiet = false;
  say(b, s);
  assert_int_equal(value(b->p.wake), 1);
  assert_int_equal(value(b->p.busy), 0);
  s = nothing();
  s.tests = (edge_tests){.pre_v = true, .pre_pc = 3};
  assert_int_equal(value(b->p.idle), 1);
  say(b, s);
  assert_int_equal(value(b->p.wake) | value(b->p.busy), 0);
  assert_int_equal(value(b->p.idle), 1);
  say(b, nothing());
}

int main(void) {
  static const char *const wrong[] = {"NumWarp=65", "Lanes=65",       "CntLanes=33",    "Tries=0",
                                      "Tries=9",    "CounterBits=65", "CounterBits=-1", "Ahead=1"};
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_told_goes_in_at_the_next_edge),
                                     cmocka_unit_test(every_edge_may_be_used),
                                     cmocka_unit_test(the_register_waits_for_the_unit),
                                     cmocka_unit_test(the_first_that_goes_is_told),
                                     cmocka_unit_test(what_must_be_told),
                                     cmocka_unit_test(loads_take_turns),
                                     cmocka_unit_test(a_warps_next_load_is_told_as_well),
                                     cmocka_unit_test(loads_go_before_what_must_be_told),
                                     cmocka_unit_test(one_test_at_a_time),
                                     cmocka_unit_test(a_tests_warp_is_held),
                                     cmocka_unit_test(a_test_is_seen_an_edge_later),
                                     cmocka_unit_test(a_branch_acts_four_edges_after_it_went_in),
                                     cmocka_unit_test(branches_act_one_after_the_other),
                                     cmocka_unit_test(asked_warps_take_turns),
                                     cmocka_unit_test(who_issues_is_held),
                                     cmocka_unit_test(clocks_rest)};
  WF_TEST_REFUSED(&edge_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
