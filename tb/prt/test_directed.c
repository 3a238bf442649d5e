/* Directed tests of pending_request_table: each event of the source's table once by itself. Every
 * cycle is also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/prt/prt_bench.h"

static prt_bench *open_unit(const char *config) {
  return wf_test_open(&prt_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, prt_bench *b, open_unit(config), wf_test_finish)

/* A load of `lanes` lanes, a line for each. */
static prt_load load_of(uint64_t number, unsigned lanes) {
  prt_load load = {.number = number, .n = lanes};
  for (unsigned l = 0; l < lanes; l++) {
    load.active |= 1u << l;
    load.mask[l] = 1u << l;
    load.offset[l] = (uint16_t)(l & 3);
  }
  return load;
}

/* Asks for the nth line. Is it taken? */
static bool ask(prt_bench *b, prt_load load, unsigned nth) {
  ok(b, wf_edge(b, &(prt_offer){.request = true, .load = load, .nth = nth}));
  return b->taken;
}

static bool ask_all(prt_bench *b, prt_load load) {
  for (unsigned n = 0; n < load.n; n++)
    if (!ask(b, load, n)) return false;
  return true;
}

static unsigned entry_of(const prt_bench *b, uint64_t number) {
  for (unsigned e = 0; e < b->shape.entries; e++)
    if (b->at[e].used && b->at[e].load.number == number) return e;
  fail_msg("no load %llu", (unsigned long long)number);
  return 0;
}

static void reply(prt_bench *b, uint64_t number, uint32_t mask) {
  ok(b, wf_edge(b, &(prt_offer){.reply = true, .entry = entry_of(b, number), .mask = mask}));
}

static uint64_t says(const wf_port *port) {
  return wf_port_get(port);
}

TEST(a_load_waits_for_its_last_line, "small") {
  assert_true(ask_all(b, load_of(9, 4)));
  for (unsigned l = 4; l-- > 0;) {
    reply(b, 9, 1u << l);
    assert_int_equal(says(b->p.lanes_valid), 1);
    assert_int_equal(says(b->p.lanes_load), 9);
    assert_int_equal(says(b->p.lanes_mask), 1u << l);
    assert_int_equal(says(b->p.lanes_last), l == 0);
  }
  ok(b, wf_edge(b, NULL));
  assert_int_equal(says(b->p.empty), 1);
}

TEST(the_same_line_is_asked_for_again, "small") {
  prt_load one = load_of(1, 4);
  one.n = 1;
  one.mask[0] = one.active;
  assert_true(ask(b, one, 0));
  one.number = 2;
  assert_true(ask(b, one, 0));
  assert_int_equal(b->used, 2);
}

TEST(loads_are_refused_at_their_first_line, "small") {
  for (unsigned n = 0; n < 2; n++) assert_true(ask_all(b, load_of(n, 1)));
  assert_true(ask(b, load_of(2, 4), 0));
  for (unsigned n = 1; n < 4; n++) assert_true(ask(b, load_of(2, 4), n)); /* all are taken */
  assert_false(ask(b, load_of(3, 1), 0));
  reply(b, 0, 1);
  assert_true(ask(b, load_of(3, 1), 0));
}

TEST(the_last_reply_gives_its_entry_in_its_cycle, "small") {
  for (unsigned n = 0; n < 3; n++) assert_true(ask_all(b, load_of(n, 1)));
  const unsigned entry = entry_of(b, 1);
  ok(b,
     wf_edge(
         b, &(prt_offer){
                .request = true, .load = load_of(7, 1), .reply = true, .entry = entry, .mask = 1}));
  assert_true(b->taken);
  assert_int_equal(entry_of(b, 7), entry);
  assert_int_equal(says(b->p.lanes_load), 1); /* what the entry held */
}

TEST(a_line_that_comes_early_frees_nothing, "small") {
  assert_true(ask(b, load_of(5, 2), 0));
  reply(b, 5, 1);
  assert_int_equal(says(b->p.lanes_last), 0);
  assert_int_equal(b->used, 1);
  assert_true(ask(b, load_of(5, 2), 1));
  reply(b, 5, 2);
  assert_int_equal(says(b->p.lanes_last), 1);
  assert_int_equal(b->used, 0);
}

TEST(lanes_need_places, "places") {
  assert_true(ask_all(b, load_of(1, 4)));
  assert_false(ask(b, load_of(2, 4), 0)); /* though entries are free */
  assert_true(ask_all(b, load_of(3, 3)));
  assert_false(ask(b, load_of(4, 1), 0));
  for (unsigned l = 0; l < 3; l++) reply(b, 1, 1u << l);
  assert_false(ask(b, load_of(2, 4), 0)); /* places come with the last line */
  reply(b, 1, 8);
  assert_true(ask_all(b, load_of(2, 4)));
}

TEST(forty_four_loads_of_thirty_two_lanes, "paper") {
  for (unsigned n = 0; n < 44; n++) assert_true(ask_all(b, load_of(n, 32)));
  assert_int_equal(b->places, 1408);
  assert_false(ask(b, load_of(44, 1), 0));
  for (unsigned l = 0; l < 32; l++)
    for (unsigned n = 44; n-- > 0;) reply(b, n, 1u << l);
  ok(b, wf_edge(b, NULL));
  assert_int_equal(says(b->p.empty), 1);
}

int main(void) {
  static const char *const wrong[] = {"Entries=0",    "Entries=1025",    "Lanes=0",
                                      "Lanes=33",     "OffBits=0",       "OffBits=13",
                                      "LoadBits=0",   "LoadBits=65",     "LaneSlots=31",
                                      "LaneSlots=-1", "LaneSlots=32769", "CounterBits=65"};
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_load_waits_for_its_last_line),
                                     cmocka_unit_test(the_same_line_is_asked_for_again),
                                     cmocka_unit_test(loads_are_refused_at_their_first_line),
                                     cmocka_unit_test(the_last_reply_gives_its_entry_in_its_cycle),
                                     cmocka_unit_test(a_line_that_comes_early_frees_nothing),
                                     cmocka_unit_test(lanes_need_places),
                                     cmocka_unit_test(forty_four_loads_of_thirty_two_lanes)};
  WF_TEST_REFUSED(&prt_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
