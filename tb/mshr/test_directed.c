/* Directed tests of mshr_file: each event of the source's table once by itself. Every cycle is also
 * compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/mshr/mshr_bench.h"

static mshr_bench *open_unit(const char *config) {
  return wf_test_open(&mshr_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, mshr_bench *b, open_unit(config), wf_test_finish)

/* Is it taken? */
static bool ask(mshr_bench *b, uint64_t line, uint64_t sub) {
  ok(b, wf_edge(b, &(mshr_offer){.request = true, .line = line, .sub = sub}));
  return b->taken;
}

static void fill(mshr_bench *b, uint64_t line) {
  const unsigned entry = mshr_bench_find(b, line);
  assert_int_not_equal(entry, MSHR_NONE);
  ok(b, wf_edge(b, &(mshr_offer){.fill = true, .entry = entry}));
}

static uint64_t answered(const mshr_bench *b, unsigned nth) {
  return wf_port_get_bits(b->p.done_subs, nth * b->shape.sub_bits, b->shape.sub_bits);
}

TEST(misses_take_entries_until_all_are_taken, "small") {
  for (unsigned line = 0; line < 4; line++) {
    assert_true(ask(b, line, line));
    assert_int_equal(b->counter[MSHR_CNT_new], line + 1);
  }
  assert_false(ask(b, 4, 9));
  assert_true(ask(b, 3, 9)); /* merging needs no entry */
  assert_int_equal(wf_port_get(b->p.empty), 0);
}

TEST(a_line_has_so_many_requests, "small") {
  assert_true(ask(b, 7, 1));
  assert_true(ask(b, 7, 2));
  assert_false(ask(b, 7, 3)); /* though entries are free */
  assert_true(ask(b, 8, 4));
  fill(b, 7);
  assert_int_equal(wf_port_get(b->p.done_count), 2);
  assert_int_equal(answered(b, 0), 1);
  assert_int_equal(answered(b, 1), 2);
}

TEST(a_fill_is_first_in_its_cycle, "small") {
  for (unsigned line = 0; line < 4; line++) assert_true(ask(b, line, line));
  /* The last entry's line comes: its place, and not what it held, is the request's. */
  const unsigned entry = mshr_bench_find(b, 2);
  ok(b, wf_edge(
            b, &(mshr_offer){.request = true, .line = 2, .sub = 17, .fill = true, .entry = entry}));
  assert_true(b->taken);
  assert_int_equal(b->entry, entry);
  assert_int_equal(wf_port_get(b->p.done_count), 1);
  assert_int_equal(answered(b, 0), 2);
  fill(b, 2);
  assert_int_equal(answered(b, 0), 17);
}

TEST(a_hundred_and_twenty_eight_lines_eight_requests_each, "paper") {
  for (unsigned n = 0; n < 8; n++)
    for (unsigned line = 0; line < 128; line++) assert_true(ask(b, line, 8 * line + n));
  assert_false(ask(b, 128, 0));
  assert_false(ask(b, 5, 0));
  for (unsigned line = 0; line < 128; line++) {
    fill(b, 127 - line);
    for (unsigned n = 0; n < 8; n++) assert_int_equal(answered(b, n), 8 * (127 - line) + n);
  }
  ok(b, wf_edge(b, NULL));
  assert_int_equal(wf_port_get(b->p.empty), 1);
}

int main(void) {
  static const char *const wrong[] = {"Entries=0",   "Entries=1025",  "Merge=0",
                                      "Merge=65",    "LineBits=61",   "SubBits=0",
                                      "SubBits=513", "CounterBits=65"};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(misses_take_entries_until_all_are_taken),
      cmocka_unit_test(a_line_has_so_many_requests), cmocka_unit_test(a_fill_is_first_in_its_cycle),
      cmocka_unit_test(a_hundred_and_twenty_eight_lines_eight_requests_each)};
  WF_TEST_REFUSED(&mshr_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
