/* Directed tests of region_core: what a region and a load must show, and what follows, from the
 * thesis. Every edge is also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/region/core/core_bench.h"

static core_bench *open_unit(const char *config) {
  return wf_test_open(&core_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, core_bench *b, open_unit(config), wf_test_finish)

enum { OWN, SHARED, BOTH, NEITHER, PERIOD = 1024, LINES = 1000 };

/* Four regions, each with a habit, until all are trained: every eighth reply of a habit shows it.
 */
static void learn_regions(core_bench *b) {
  for (unsigned r = 0; r < 4; r++) ok(b, core_bench_map(b, r, r * LINES, r * LINES + LINES - 1));
  for (unsigned i = 0; i < PERIOD; i++) {
    const unsigned habit = i % 4;
    const bool shows = i / 4 % 8 == 0;
    const core_reply reply = {.region = habit,
                              .shared = shows && (habit == SHARED || habit == BOTH),
                              .own = shows && (habit == OWN || habit == BOTH)};
    ok(b, core_bench_cycle(b, NULL, &reply));
  }
  ok(b, wf_edge_rest(b));
}

static core_answer miss(core_bench *b, uint64_t pc, unsigned region) {
  core_answer a;
  ok(b, core_bench_ask(
            b, &(core_request){.pc = pc, .line = region * LINES + 7, .miss = true, .way = 1}, &a));
  assert_int_equal(a.region, region < 4 ? region : 31);
  return a;
}

static void says(core_answer a, bool past_l1, bool past_l2, bool copy) {
  assert_int_equal(a.past_l1, past_l1);
  assert_int_equal(a.past_l2, past_l2);
  assert_int_equal(a.copy, copy);
}

TEST(nothing_is_known_at_first, "paper") {
  for (unsigned r = 0; r < 5; r++) says(miss(b, 3, 4), false, false, false);
}

TEST(private_regions_are_exclusive, "rex") {
  learn_regions(b);
  says(miss(b, 3, OWN), false, true, true);
  says(miss(b, 3, SHARED), false, false, false);
  says(miss(b, 3, BOTH), false, false, false);
  says(miss(b, 3, NEITHER), false, false, false);
  says(miss(b, 3, 5), false, false, false);
  ok(b, core_bench_clear(b));
  ok(b, core_bench_map(b, OWN, 0, LINES - 1));
  says(miss(b, 3, OWN), false, false, false);
}

/* Loads of PC 1 hit, those of PC 2 never. */
static void learn_loads(core_bench *b) {
  for (unsigned i = 0; i < PERIOD; i++) {
    const core_request miss_of_2 = {.pc = 2, .line = 1u << 20, .set = 2, .miss = true},
                       brings = {.pc = 1, .line = 1u << 20, .set = 1, .way = 2, .miss = true},
                       hits = {.pc = 9, .line = 1u << 20, .set = 1, .way = 2, .hit = true};
    const core_reply none = {.region = b->regions};
    ok(b, core_bench_cycle(b, i % 3 == 0 ? &brings : i % 3 == 1 ? &hits : &miss_of_2, &none));
  }
  ok(b, wf_edge_rest(b));
  assert_true(b->pc.row[0].trained && b->pc.row[0].flag[0]);
}

TEST(table_12, "paper") {
  learn_regions(b);
  learn_loads(b);
  says(miss(b, 2, NEITHER), true, true, false);
  says(miss(b, 2, OWN), false, true, true);
  says(miss(b, 2, SHARED), true, false, false);
  says(miss(b, 2, BOTH), true, false, false);
  says(miss(b, 1, NEITHER), false, true, false);
  says(miss(b, 1, OWN), false, true, true);
  says(miss(b, 1, SHARED), false, false, false);
  says(miss(b, 1, BOTH), false, false, false);
  says(miss(b, 2, 5), true, false, false);
  says(miss(b, 1, 5), false, false, false);
  says(miss(b, 77, OWN), false, true, true);
  says(miss(b, 77, NEITHER), false, true, false);
  says(miss(b, 77, SHARED), false, false, false);
}

TEST(every_64th_does_not_know_its_load, "paper") {
  learn_loads(b);
  unsigned stays = 0;
  for (unsigned i = 0; i < 640; i++) stays += !miss(b, 2, 5).past_l1;
  assert_int_equal(stays, 10);
}

TEST(few_hits_are_no_reuse, "paper") {
  const core_reply none = {.region = b->regions};
  for (unsigned i = 0; i < PERIOD; i++) { /* 8 of 512: no more than a 64th */
    const core_request r = {
        .pc = 4, .line = 1, .set = 3, .miss = i % 64 != 63, .hit = i % 64 == 63};
    ok(b, core_bench_cycle(b, &r, &none));
  }
  ok(b, wf_edge_rest(b));
  assert_true(b->pc.row[0].trained);
  assert_false(b->pc.row[0].flag[0]);
}

/* Rows that are not asked for are halved to nothing; hits of their lines then say nothing. */
TEST(hits_without_requests_are_no_reuse, "paper") {
  const core_reply none = {.region = b->regions};
  const core_request brings = {.pc = 2, .line = 1u << 20, .set = 2, .way = 1, .miss = true},
                     hits = {.pc = 9, .line = 1u << 20, .set = 2, .way = 1, .hit = true};
  for (unsigned i = 0; i < 24 * PERIOD; i++) /* between replies rows are halved */
    ok(b, core_bench_cycle(b, i < 130 ? &brings : NULL, i % 2 ? &none : NULL));
  ok(b, wf_edge_rest(b));
  assert_true(b->pc.row[0].trained);
  assert_int_equal(b->pc.row[0].accesses, 0);
  for (unsigned i = 0; i < PERIOD; i++) ok(b, core_bench_cycle(b, i % 2 ? &hits : NULL, &none));
  ok(b, wf_edge_rest(b));
  assert_true(miss(b, 2, 5).past_l1);
}

/* Loads that come as rows are halved, each in the cycle after one was, take rows, and are judged in
 * the next period. */
TEST(loads_come_while_rows_are_halved, "paper") {
  const core_reply none = {.region = b->regions};
  const core_request first = {.pc = 1, .line = 1, .set = 1, .miss = true};
  for (unsigned i = 0; i < PERIOD; i++) ok(b, core_bench_cycle(b, i < 130 ? &first : NULL, &none));
  for (unsigned i = 0; i < 28; i++) {
    const core_request next = {.pc = 2 + i / 2, .line = 1, .set = 2, .miss = true};
    ok(b, core_bench_cycle(b, i % 2 ? &next : NULL, NULL));
  }
  ok(b, wf_edge_rest(b));
  assert_true(b->base.bin[CORE_BIN_take_while_judged] > 2);
  for (unsigned e = 0; e < b->pc_rows; e++) {
    assert_true(b->pc.row[e].there);
    assert_int_equal(b->pc.row[e].trained, e == 0);
  }
  for (unsigned i = 0; i < PERIOD; i++) {
    const core_request again = {.pc = 2, .line = 1, .set = 3, .miss = i % 2, .hit = !(i % 2)};
    ok(b, core_bench_cycle(b, &again, &none));
  }
  ok(b, wf_edge_rest(b));
  says(miss(b, 1, 5), true, false, false);
  says(miss(b, 2, 5), false, false, false);
  says(miss(b, 3, 5), false, false, false);
}

/* The same of regions: replies of new ones, each in the cycle after a row was halved. */
TEST(regions_come_while_rows_are_halved, "paper") {
  const core_reply first = {.region = 0};
  for (unsigned i = 0; i < PERIOD; i++) ok(b, core_bench_cycle(b, NULL, &first));
  for (unsigned i = 0; i < 40; i++) {
    const core_reply next = {.region = 1 + i / 2};
    ok(b, core_bench_cycle(b, NULL, i % 2 ? &next : NULL));
  }
  ok(b, wf_edge_rest(b));
  for (unsigned e = 0; e <= 20; e++) {
    assert_true(b->region.row[e].there);
    assert_int_equal(b->region.row[e].trained, e == 0);
  }
}

static void end_small_period(core_bench *b) {
  const core_reply none = {.region = b->regions};
  for (unsigned i = 0; i < 24; i++) ok(b, core_bench_cycle(b, NULL, &none));
  ok(b, wf_edge_rest(b));
}

static void ask_often(core_bench *b, const core_request *r, unsigned times) {
  for (unsigned i = 0; i < times; i++) ok(b, core_bench_cycle(b, r, NULL));
}

/* A load that hits a line of the least row as it takes this row: the hit is its first. Of eight
 * requests four hits are over a quarter when halved, three are not. */
TEST(a_load_takes_the_row_whose_line_it_hits, "small") {
  const core_request of_1 = {.pc = 1, .line = 33, .set = 1, .miss = true},
                     of_2 = {.pc = 2, .line = 34, .set = 2, .miss = true},
                     of_3 = {.pc = 3, .line = 35, .set = 3, .miss = true},
                     brings = {.pc = 0, .line = 32, .set = 0, .miss = true},
                     hits = {.pc = 3, .line = 32, .set = 0, .hit = true};
  ask_often(b, &brings, 1);
  ask_often(b, &of_1, 8);
  ask_often(b, &of_2, 8);
  ask_often(b, &of_3, 12);
  end_small_period(b);
  assert_true(b->offer.there);
  ask_often(b, &hits, 4);
  ask_often(b, &of_3, 4);
  end_small_period(b);
  assert_int_equal(b->base.bin[CORE_BIN_owner_swapped], 1);
  assert_int_equal(b->pc.row[0].key, 3);
  assert_true(b->pc.row[0].trained && b->pc.row[0].flag[0]);
  core_answer a;
  ok(b, core_bench_ask(b, &of_3, &a));
  assert_false(a.past_l1);
}

/* Five misses between probes: no power of two. */
static core_bench *open_probes(void) {
  return wf_test_open(&core_bench_class, "paper", "Probe=5");
}
WF_DIRECTED(every_fifth_does_not_know_its_load, core_bench *b, open_probes(), wf_test_finish) {
  learn_loads(b);
  unsigned stays = 0;
  for (unsigned i = 0; i < 100; i++) stays += !miss(b, 2, 5).past_l1;
  assert_int_equal(stays, 20);
}

int main(void) {
  static const char *const wrong[] = {
      "Mode=3",       "Sets=1",   "Ways=17",      "LineBits=1",    "PcBits=3",
      "Regions=64",   "PcRows=1", "RegionRows=1", "RegionRows=32", "Hashes=12",
      "Bits=3",       "Share=15", "Period=1",     "Probe=1",       "Probe=4097",
      "Sets=1025",    "Bits=25",  "Regions=1",    "PcRows=64",     "Hashes=128",
      "Period=65537", "Share=0",  "LineBits=61",  "PcBits=65",     "CounterBits=65"};
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_known_at_first),
                                     cmocka_unit_test(private_regions_are_exclusive),
                                     cmocka_unit_test(table_12),
                                     cmocka_unit_test(every_64th_does_not_know_its_load),
                                     cmocka_unit_test(few_hits_are_no_reuse),
                                     cmocka_unit_test(hits_without_requests_are_no_reuse),
                                     cmocka_unit_test(loads_come_while_rows_are_halved),
                                     cmocka_unit_test(regions_come_while_rows_are_halved),
                                     cmocka_unit_test(a_load_takes_the_row_whose_line_it_hits),
                                     cmocka_unit_test(every_fifth_does_not_know_its_load)};
  WF_TEST_REFUSED(&core_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
