/* Directed tests of obm: each way in which a pair is decided, once by itself, from the thesis.
 * Every edge is also compared with the reference model. */
#include "tb/common/wf_test.h"
#include "tb/obm/obm_bench.h"

static obm_bench *open_unit(const char *config) {
  return wf_test_open(&obm_bench_class, config, NULL);
}
#define TEST(name, config) WF_DIRECTED(name, obm_bench *b, open_unit(config), wf_test_finish)

enum { PC_A = 1, PC_B = 2, START = 15, HALF = 16 };

static bool ask(obm_bench *b, obm_request r) {
  bool past;
  ok(b, obm_bench_ask(b, &r, &past));
  return past;
}

static void enter_empty(obm_bench *b, uint64_t line, uint64_t pc, unsigned way) {
  assert_false(ask(b, (obm_request){.pc = pc, .line = line, .miss = true, .victim_way = way}));
}

/* Misses of IB over VB until they are a pair: one of eight in the mean. */
static void pair_up(obm_bench *b, uint64_t ib, uint64_t vb) {
  for (unsigned i = 0; i < 200 && !b->pair[0].open; i++) {
    enter_empty(b, vb, PC_B, 0);
    ask(b, (obm_request){.pc = PC_A, .line = ib, .miss = true, .victim = true, .victim_line = vb});
  }
  assert_true(b->pair[0].open);
}

static void hit(obm_bench *b, uint64_t line) {
  ask(b, (obm_request){.pc = 9, .line = line});
}

TEST(incoming_line_first, "paper") {
  pair_up(b, 128, 64);
  hit(b, 128);
  assert_int_equal(b->count[PC_A], START - 1);
  assert_int_equal(b->count[PC_B], HALF);
  assert_false(b->pair[0].open);
}

TEST(victim_first, "paper") {
  pair_up(b, 128, 64);
  hit(b, 64);
  assert_int_equal(b->count[PC_A], HALF);
  assert_int_equal(b->count[PC_B], START - 1);
}

TEST(neither_comes_back, "paper") {
  pair_up(b, 128, 64);
  assert_int_equal(b->count[PC_A], START);
  ask(b,
      (obm_request){
          .pc = PC_B, .line = 192, .miss = true, .victim = true, .victim_line = 128}); /* IB goes */
  assert_int_equal(b->count[PC_A], HALF);
  /* What goes past, and where it may not. */
  const obm_request r = {.pc = PC_A, .line = 320, .miss = true, .victim = true, .victim_line = 256};
  assert_true(ask(b, r));
  assert_false(ask(b, (obm_request){.pc = PC_A, .line = 320, .miss = true}));   /* an empty way */
  assert_false(ask(b, (obm_request){.pc = PC_A, .line = 320, .victim = true})); /* a hit */
  obm_request kept = r;
  kept.keep = true;
  assert_false(ask(b, kept)); /* whatever was learned */
}

TEST(clearing_forgets_pairs_and_keeps_counters, "paper") {
  pair_up(b, 128, 64);
  ask(b, (obm_request){.pc = PC_B, .line = 192, .miss = true, .victim = true, .victim_line = 128});
  pair_up(b, 128, 64);
  ok(b, obm_bench_clear(b));
  assert_false(b->pair[0].open);
  hit(b, 128);
  assert_int_equal(b->count[PC_A], HALF);
}

int main(void) {
  static const char *const wrong[] = {"Sets=1025",  "Ways=65",     "HashBits=3", "LineBits=16",
                                      "PcIdBits=9", "CountBits=1", "DrawBits=0", "CounterBits=65"};
  const struct CMUnitTest tests[] = {cmocka_unit_test(incoming_line_first),
                                     cmocka_unit_test(victim_first),
                                     cmocka_unit_test(neither_comes_back),
                                     cmocka_unit_test(clearing_forgets_pairs_and_keeps_counters)};
  WF_TEST_REFUSED(&obm_bench_class, "paper", wrong);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
