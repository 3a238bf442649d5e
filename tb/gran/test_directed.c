/* Directed tests of gran: each rule of each predictor once by itself, from the text. Every edge is
 * also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/gran/gran_bench.h"

static gran_bench *open_unit(const char *config) {
  return wf_test_open(&gran_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, gran_bench *b, open_unit(config), wf_test_finish)

enum { A = 0x105, B = 0x205, C = 0x305, D = 0x405, E = 0x505 }; /* PCs of one entry of NAP */

static unsigned ask(gran_bench *b, gran_request r) {
  unsigned more;
  ok(b, gran_bench_ask(b, &r, &more));
  return more;
}

/* Misses over the line that is in way 0 of set 0. */
static unsigned bring(gran_bench *b, uint64_t pc, unsigned sectors) {
  static uint64_t line;
  line += 64;
  return ask(b, (gran_request){.pc = pc,
                               .line = line,
                               .sectors = sectors,
                               .miss = true,
                               .victim = b->line[0][0].touched != 0,
                               .victim_line = line - 64});
}

static void touch(gran_bench *b, unsigned sectors) {
  ask(b, (gran_request){.pc = 7, .sectors = sectors});
}

TEST(nap_fetches_neighbours_that_are_touched, "paper") {
  assert_int_equal(bring(b, A, 2), 0);
  touch(b, 4);
  assert_int_equal(bring(b, A, 2), 0); /* teaches now */
  touch(b, 4);
  assert_int_equal(bring(b, A, 2), 4);     /* distance 1 stands at 8 */
  assert_int_equal(bring(b, A, 4), 0 + 8); /* wherever the first one is */
  assert_int_equal(bring(b, A, 8), 0);     /* no sector there */
  assert_int_equal(bring(b, A, 2 + 4), 0); /* wanted already */
  assert_int_equal(bring(b, B, 2), 0);     /* takes the entry */
  assert_int_equal(bring(b, A, 2), 0);     /* and A it back, untaught */
  ok(b, wf_edge_rest(b));
}

TEST(nap_forgets_what_is_not_touched, "paper") {
  for (unsigned i = 0; i < 20; i++) {
    bring(b, A, 1);
    touch(b, 10);
  }
  assert_int_equal(b->nap[A % 32].count[4], 15); /* full */
  assert_int_equal(bring(b, A, 1), 10);
  for (unsigned i = 0; i < 8; i++) bring(b, A, 1); /* their guesses teach nothing */
  assert_int_equal(bring(b, A, 1), 0);
}

TEST(nap_lines_of_an_entry_that_changed_hands_teach_nothing, "paper") {
  bring(b, A, 1);
  touch(b, 15);
  bring(b, A, 1);
  touch(b, 15);
  bring(b, B, 1); /* A's line teaches no one: B has the entry */
  assert_false(b->nap[A % 32].taught);
  assert_int_equal(b->nap[A % 32].number, 2);
}

TEST(spp_fetches_the_last_pattern, "spp") {
  assert_int_equal(bring(b, A, 2), 0);
  touch(b, 8);
  assert_int_equal(bring(b, A, 2), 0); /* the pattern comes as the line goes */
  assert_int_equal(bring(b, A, 2), 8);
  assert_int_equal(bring(b, A, 2), 0); /* that one touched nothing more */
  touch(b, 8);
  assert_int_equal(bring(b, A, 4), 0); /* another sector: another entry */
  assert_int_equal(bring(b, B, 2), 0);
  ask(b, (gran_request){.pc = B, .sectors = 1});
  assert_int_equal(bring(b, A, 2), 8);
}

TEST(spp_keeps_the_eight_used_last, "spp") {
  for (unsigned i = 0; i < 9; i++) { /* nine keys of a set */
    bring(b, 0x20 * i, 1);
    touch(b, 4);
  }
  bring(b, 0x20 * 8, 1);
  assert_int_equal(bring(b, 0x20 * 1, 1), 4);
  assert_int_equal(bring(b, 0x20 * 0, 1), 0); /* had to go */
  assert_int_equal(bring(b, 0x20 * 3, 1), 4);
  assert_int_equal(bring(b, 0x20 * 2, 1), 0); /* for that one */
}

TEST(bim_brings_lines_whole_but_those_of_few_sectors, "bim") {
  const gran_request fine = {.line = 0x1000, .sectors = 1, .miss = true},
                     coarse = {.line = 0x2000, .sectors = 1, .miss = true};
  gran_request next = coarse;
  assert_int_equal(ask(b, fine), 14);
  next.victim = true;
  next.victim_line = fine.line;
  assert_int_equal(ask(b, next), 14);
  touch(b, 7);
  gran_request again = fine;
  again.victim = true;
  again.victim_line = coarse.line;
  assert_int_equal(ask(b, again), 0);
  assert_int_equal(ask(b, next), 14); /* three sectors: coarse */
}

/* 512 fine lines of 700 that went: the default is fine then. */
TEST(bim_turns_when_most_lines_are_of_the_other_class, "bim") {
  for (unsigned round = 0; round < 2; round++) {
    for (unsigned i = 0; b->counter[GRAN_CNT_taught] == round; i++) {
      bring(b, A, 1);
      if (round ? i % 2 : i % 4 == 0) touch(b, 15); /* of the second round, half */
    }
    assert_int_equal(b->counter[GRAN_CNT_turned], 1);
  }
  assert_true(b->fine);
  const gran_request r = {.line = 0x7777, .sectors = 2, .miss = true};
  assert_int_equal(ask(b, r), 0);
}

TEST(learns_without_guessing, "spp") {
  gran_bench_configure(b, false);
  bring(b, A, 2);
  touch(b, 8);
  bring(b, A, 2);
  touch(b, 8);
  assert_int_equal(bring(b, A, 2), 0);
  touch(b, 8);
  gran_bench_configure(b, true);
  assert_int_equal(bring(b, A, 2), 8);
}

int main(void) {
  static const char *const wrong[] = {"Sets=1",      "Ways=65",        "LineBits=3",
                                      "PcBits=3",    "NapEntries=3",   "NapEntries=512",
                                      "NapAbove=16", "CounterBits=65", "Kind=3"};
  static const char *const wrong_spp[] = {"SppWays=3", "SppEntries=8", "SppEntries=96"};
  static const char *const wrong_bim[] = {"FilterBits=100", "FilterBits=8192", "Refresh=1",
                                          "Fine=4"};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nap_fetches_neighbours_that_are_touched),
      cmocka_unit_test(nap_forgets_what_is_not_touched),
      cmocka_unit_test(nap_lines_of_an_entry_that_changed_hands_teach_nothing),
      cmocka_unit_test(spp_fetches_the_last_pattern),
      cmocka_unit_test(spp_keeps_the_eight_used_last),
      cmocka_unit_test(bim_brings_lines_whole_but_those_of_few_sectors),
      cmocka_unit_test(bim_turns_when_most_lines_are_of_the_other_class),
      cmocka_unit_test(learns_without_guessing)};
  WF_TEST_REFUSED(&gran_bench_class, "paper", wrong);
  WF_TEST_REFUSED(&gran_bench_class, "spp", wrong_spp);
  WF_TEST_REFUSED(&gran_bench_class, "bim", wrong_bim);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
