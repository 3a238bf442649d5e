/* Directed tests of mshr_rich: each event of its table once by itself. Every cycle is also compared
 * with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/mshr_rich/mshr_rich_bench.h"

static rich_bench *open_unit(const char *config) {
  rich_bench *b = wf_test_open(&rich_bench_class, config, NULL);
  ok(b, rich_bench_rest(b)); /* its tables are cleared */
  return b;
}
#define TEST(name, config) WF_DIRECTED(name, rich_bench *b, open_unit(config), wf_test_finish)

/* Is it taken? */
static bool ask(rich_bench *b, uint64_t line, uint64_t sub) {
  ok(b, wf_edge(b, &(rich_offer){.request = true, .held_up = true, .line = line, .sub = sub}));
  return b->taken;
}

/* The cycles until it is. */
static unsigned ask_until(rich_bench *b, uint64_t line, uint64_t sub) {
  unsigned cycles = 1;
  while (!ask(b, line, sub)) assert_true(cycles++ < 200);
  return cycles;
}

static void fill(rich_bench *b, uint64_t line) {
  assert_int_not_equal(rich_bench_find(b, line), RICH_NONE);
  ok(b, wf_edge(b, &(rich_offer){.fill = true, .held_up = true, .filled = line}));
}

/* The next that is told is this one. */
static void told(rich_bench *b, uint64_t sub, bool last) {
  for (unsigned i = 0; !wf_port_get(b->p.done_valid); i++) {
    assert_true(i < 4);
    ok(b, wf_edge(b, &(rich_offer){.held_up = true}));
  }
  assert_int_equal(wf_port_get(b->p.done_sub), sub);
  assert_int_equal(wf_port_get(b->p.done_last), last);
  ok(b, wf_edge(b, &(rich_offer){0}));
}

TEST(a_new_line_a_merged_one_and_both_answers, "small") {
  assert_true(ask(b, 9, 1));
  assert_int_equal(wf_port_get(b->p.ans_new), 1);
  assert_true(ask(b, 9, 2));
  assert_int_equal(wf_port_get(b->p.ans_new), 0);
  assert_int_equal(wf_port_get(b->p.empty), 0);
  fill(b, 9);
  assert_true(ask(b, 9, 3)); /* asked for anew */
  assert_int_equal(wf_port_get(b->p.ans_new), 1);
  told(b, 1, false);
  told(b, 2, true);
  fill(b, 9);
  told(b, 3, true);
  ok(b, rich_bench_rest(b));
  assert_int_equal(wf_port_get(b->p.empty), 1);
}

TEST(rows_of_a_line_are_linked, "small") {
  for (unsigned i = 0; i < 7; i++) assert_true(ask(b, 5, i));
  assert_true(ask(b, 6, 20));
  fill(b, 6);
  fill(b, 5);
  told(b, 20, true);
  for (unsigned i = 0; i < 7; i++) told(b, i, i == 6);
}

TEST(rows_run_out_and_come_back, "small") {
  for (unsigned i = 0; i < 23; i++) assert_true(ask_until(b, 3, i) < 4);
  const uint64_t before = b->counter[RICH_CNT_no_row];
  for (unsigned i = 0; i < 8; i++) assert_false(ask(b, 4, 30));
  assert_int_equal(b->counter[RICH_CNT_no_row], before + 8);
  fill(b, 3);
  for (unsigned i = 0; i < 4; i++) told(b, i, false);
  assert_true(ask_until(b, 4, 30) < 8);
  fill(b, 4);
  for (unsigned i = 4; i < 23; i++) told(b, i, i == 22);
  told(b, 30, true);
}

TEST(a_fill_goes_before_the_request_of_its_cycle, "small") {
  assert_true(ask(b, 9, 1));
  const rich_offer both = {
      .request = true, .fill = true, .held_up = true, .line = 10, .sub = 2, .filled = 9};
  ok(b, wf_edge(b, &both));
  assert_false(b->taken);
  assert_int_equal(b->counter[RICH_CNT_behind_fill], 1);
  assert_true(ask(b, 10, 2));
  told(b, 1, true);
  fill(b, 10);
  told(b, 2, true);
}

/* Lines that share their places in both tables of the small shape. */
TEST(what_finds_no_place_goes_to_the_stash_and_is_moved, "small") {
  uint64_t line[4];
  for (unsigned n = 0, l = 0; n < 4; l++) {
    if (rich_bench_set(b, 0, l) != rich_bench_set(b, 0, 0)) continue;
    if (rich_bench_set(b, 1, l) == rich_bench_set(b, 1, 0)) line[n++] = l;
  }
  for (unsigned i = 0; i < 3; i++) assert_true(ask(b, line[i], i));
  assert_int_equal(b->base.bin[RICH_BIN_to_stash], 0); /* that is done an edge later */
  ok(b, wf_edge(b, &(rich_offer){.held_up = true}));
  assert_int_equal(b->base.bin[RICH_BIN_to_stash], 1);
  assert_true(ask(b, line[2], 20)); /* it is found there */
  assert_true(ask_until(b, line[3], 3) < 3);
  for (unsigned i = 0; i < 9; i++) assert_false(ask(b, line[3], 21)); /* though places are free */
  assert_true(b->counter[RICH_CNT_stash_full] >= 9 && b->base.bin[RICH_BIN_moved_by_turn] > 3);
  fill(b, line[0]);
  told(b, 0, true);
  assert_true(ask_until(b, line[3], 21) < 6);
  fill(b, line[2]);
  told(b, 2, false);
  told(b, 20, true);
  fill(b, line[3]);
  told(b, 3, false);
  told(b, 21, true);
  fill(b, line[1]);
  told(b, 1, true);
}

/* Lines one after the other, apart, and at random: one a cycle, but for what moves hold up. */
static void lines_enter(rich_bench *b, unsigned n, uint64_t (*line)(unsigned i), unsigned most) {
  unsigned cycles = 0;
  for (unsigned i = 0; i < n; i++) cycles += ask_until(b, line(i), i & 1023);
  print_message("  %u lines in %u cycles\n", n, cycles);
  assert_true(cycles <= most);
  assert_int_equal(b->counter[RICH_CNT_new], n);
  for (unsigned i = 0; i < n; i++) {
    fill(b, line(i));
    told(b, i & 1023, true);
  }
}
static uint64_t in_a_row(unsigned i) {
  return 4096 + i;
}
static uint64_t apart(unsigned i) {
  return (uint64_t)i << 10;
}
static uint64_t anywhere(unsigned i) {
  return (i * UINT64_C(0x9e3779b97f4a7c15)) >> 39;
}
TEST(a_thousand_lines_in_a_row, "paper") {
  lines_enter(b, 1000, in_a_row, 1100);
}
TEST(eight_in_ten_places_by_lines_apart, "paper") {
  lines_enter(b, 820, apart, 850);
}
TEST(seven_in_ten_places_by_lines_anywhere, "paper") {
  lines_enter(b, 717, anywhere, 800);
}
TEST(thousands_of_lines, "large") {
  lines_enter(b, 3280, anywhere, 4000);
}

int main(void) {
  static const char *const wrong[] = {"Ways=1",     "Ways=9",      "Lines=4",     "Lines=1020",
                                      "Lines=1536", "Stash=1",     "Stash=17",    "Rows=1",
                                      "Rows=65537", "Slots=0",     "Slots=17",    "LineBits=0",
                                      "SubBits=0",  "LineBits=61", "SubBits=513", "CounterBits=65"};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_new_line_a_merged_one_and_both_answers),
      cmocka_unit_test(rows_of_a_line_are_linked),
      cmocka_unit_test(rows_run_out_and_come_back),
      cmocka_unit_test(a_fill_goes_before_the_request_of_its_cycle),
      cmocka_unit_test(what_finds_no_place_goes_to_the_stash_and_is_moved),
      cmocka_unit_test(a_thousand_lines_in_a_row),
      cmocka_unit_test(eight_in_ten_places_by_lines_apart),
      cmocka_unit_test(seven_in_ten_places_by_lines_anywhere),
      cmocka_unit_test(thousands_of_lines)};
  WF_TEST_REFUSED(&rich_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
