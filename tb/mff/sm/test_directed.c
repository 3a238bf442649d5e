/* Directed tests of mff_sm: each rule once by itself. Every edge is also compared with the
 * reference model; what is asserted here is counted by hand. */
#include "tb/common/wf_test.h"
#include "tb/mff/sm/sm_bench.h"

static sm_bench *open_unit(const char *config) {
  return wf_test_open(&sm_bench_class, config, NULL);
}
#define TEST(name, ...) WF_DIRECTED(name, sm_bench *b, open_unit(__VA_ARGS__), wf_test_finish)

/* A gather of `size` words for the lanes of the mask; targets `stride` words apart. */
static sm_instruction gather(uint32_t warp, uint32_t mask, uint32_t size, uint32_t stride) {
  sm_instruction i = {.op = MFF_OP_GATHER, .warp = warp, .mask = mask};
  for (unsigned l = 0; l < MFF_LANES; l++) {
    i.lane[l] = (mff_lane){100 + l, size};
    i.target[l] = l * stride;
  }
  return i;
}

static mff_rsp done_of(uint32_t tag, uint32_t words, bool refused) {
  return (mff_rsp){.is_done = 1, .tag = tag, .words_delivered = words, .error = refused};
}

/* A word of each of the lanes, at this place. */
static mff_rsp words_of(uint32_t tag, uint32_t place, unsigned n, const uint32_t *lanes) {
  mff_rsp r = {.tag = tag, .count = n};
  for (unsigned k = 0; k < n; k++) {
    r.lane[k] = lanes[k];
    r.a_offset[k] = place;
    r.word[k] = 1000 * place + lanes[k];
  }
  return r;
}

/* Edges from the offer of the reply to the end of its writes; the unit is at rest before. */
static unsigned edges_of(sm_bench *b, const mff_rsp *rsp) {
  unsigned edges = 0;
  ok(b, sm_bench_reply(b, rsp));
  for (; b->ref.n_replies; edges++) ok(b, sm_bench_run(b, 1, true));
  return edges;
}

static void send(sm_bench *b, const sm_instruction *i) {
  ok(b, sm_bench_issue(b, i));
  while (!sm_ref_rests(&b->ref)) ok(b, sm_bench_run(b, 1, true));
}

/* Three lanes of 32 travel in one row; the header leaves four edges after the last beat. */
TEST(sparse_command, "small") {
  const sm_instruction i = gather(2, 0x80010002, 3, 1);
  ok(b, sm_bench_issue(b, &i));
  for (unsigned edge = 0; edge < 4; edge++) {
    assert_int_equal(b->ref.out, 0);
    ok(b, sm_bench_run(b, 1, true));
  }
  ok(b, sm_bench_run(b, 1, true));
  assert_int_equal(b->ref.out, 1);
  assert_int_equal(b->ref.n_flits, 2);
  assert_int_equal(b->ref.flits[1][0], 101);
  assert_int_equal(b->ref.flits[1][1], 116);
  assert_int_equal(b->ref.flits[1][2], 131);
  assert_true(wf_port_bit(b->p.gathers, 2));
}

/* 32 lanes: six rows, the last of two lanes, in consecutive edges. */
TEST(full_command, "tuned") {
  const sm_instruction i = gather(47, UINT32_MAX, 32, 1);
  ok(b, sm_bench_issue(b, &i));
  while (!b->ref.at_flit) ok(b, sm_bench_run(b, 1, true));
  unsigned edges = 0;
  for (; b->ref.at_flit; edges++) ok(b, sm_bench_run(b, 1, true));
  assert_int_equal(edges, 6);
  assert_int_equal(b->ref.flits[6][1], 131);
  assert_int_equal(b->ref.flits[6][2], 0);
  assert_int_equal(b->ref.command[0].expected, 1024);
}

/* Nothing remains: no command, and the warp need not wait. */
TEST(empty_command, "small") {
  const sm_instruction none = gather(1, 0, 3, 1), zero = gather(1, UINT32_MAX, 0, 1);
  send(b, &none);
  send(b, &zero);
  ok(b, sm_bench_run(b, 20, true));
  assert_int_equal(wf_port_get(b->p.gathers), 0);
  assert_int_equal(b->ref.counter[SM_CNT_sm_empty], 2);
  assert_int_equal(b->ref.counter[SM_CNT_sm_commands], 0);
}

/* Without conflicts a flit is written three edges after it came, and one can come every edge. */
TEST(replies_in_a_row, "tuned") {
  static const uint32_t lanes[] = {0, 1, 2, 3, 4};
  const sm_instruction i = gather(5, 0x1f, 32, 1);
  send(b, &i);
  mff_rsp r = words_of(0, 0, 5, lanes);
  assert_int_equal(edges_of(b, &r), 3);
  for (unsigned place = 1; place < 32; place++) {
    sm_taken t;
    r = words_of(0, place, 5, lanes);
    ok(b, sm_bench_cycle(b, &(sm_offers){.rsp = &r, .cmd_ready = true}, &t));
    assert_true(t.rsp);
  }
  r = done_of(0, 160, false);
  ok(b, sm_bench_reply(b, &r));
  ok(b, sm_bench_run(b, 10, true));
  assert_int_equal(b->ref.out, 0);
  assert_int_equal(wf_port_get(b->p.gathers), 0);
  assert_int_equal(b->ref.counter[SM_CNT_sm_look_again], 0);
}

/* Five words in one bank of shared memory: five writes. Four lanes in one bank of targets: four
 * look-ups. */
TEST(conflicts, "tuned") {
  static const uint32_t apart[] = {0, 1, 2, 3, 4}, clash[] = {0, 8, 16, 24, 1};
  const sm_instruction banks = gather(5, 0x1f, 1, 32), lanes = gather(6, UINT32_MAX, 1, 1);
  send(b, &banks);
  mff_rsp r = words_of(0, 0, 5, apart);
  assert_int_equal(edges_of(b, &r), 7);
  send(b, &lanes);
  r = words_of(1, 0, 5, clash);
  assert_int_equal(edges_of(b, &r), 6);
  assert_int_equal(b->ref.counter[SM_CNT_sm_bank_again], 4);
  assert_int_equal(b->ref.counter[SM_CNT_sm_look_again], 3);
}

/* The completion may come first; the command ends with the last word, and only then. */
TEST(done_first, "small") {
  static const uint32_t lane[] = {3};
  const sm_instruction i = gather(4, 0x8, 2, 1);
  send(b, &i);
  mff_rsp r = done_of(0, 2, false);
  ok(b, sm_bench_reply(b, &r));
  r = words_of(0, 1, 1, lane);
  ok(b, sm_bench_reply(b, &r));
  ok(b, sm_bench_run(b, 30, true));
  assert_true(wf_port_bit(b->p.gathers, 4));
  r = words_of(0, 0, 1, lane);
  ok(b, sm_bench_reply(b, &r));
  ok(b, sm_bench_run(b, 6, true));
  assert_false(wf_port_bit(b->p.gathers, 4));
}

/* A refused command brings no words; its warp does not wait for ever. */
TEST(refused_command, "small") {
  const sm_instruction i = gather(4, 0xff, 31, 1);
  send(b, &i);
  const mff_rsp r = done_of(0, 0, true);
  ok(b, sm_bench_reply(b, &r));
  ok(b, sm_bench_run(b, 8, true));
  assert_int_equal(b->ref.out, 0);
  assert_int_equal(wf_port_get(b->p.gathers), 0);
  assert_int_equal(b->ref.counter[SM_CNT_sm_refused], 1);
}

/* Five commands at three slices, two at each but one: the sixth waits for an entry, and goes to the
 * slice whose turn it is. A warp's bit falls with the last of its gathers. */
TEST(quota, "small") {
  static const uint32_t want[] = {1, 2, 0, 1, 2};
  assert_int_equal(b->shape.first, 1);
  const sm_instruction i = gather(3, 1, 1, 1);
  for (unsigned n = 0; n < 5; n++) {
    send(b, &i);
    assert_int_equal(b->ref.command[n].slice, want[n]);
  }
  for (unsigned edge = 0; edge < 30; edge++) {
    sm_taken t;
    assert_false(wf_port_get(b->p.iss_ready));
    ok(b, sm_bench_cycle(b, &(sm_offers){.cmd_ready = true}, &t));
  }
  mff_rsp r;
  while (sm_bench_answer_tag(b, 3, 5, 5, false, false, &r)) ok(b, sm_bench_reply(b, &r));
  ok(b, sm_bench_run(b, 12, true));
  assert_true(wf_port_get(b->p.iss_ready));
  assert_true(wf_port_bit(b->p.gathers, 3));
  send(b, &i);
  assert_int_equal(b->ref.command[3].slice, 0);
  ok(b, sm_bench_drain(b));
  assert_int_equal(wf_port_get(b->p.gathers), 0);
}

/* A slice that has its share is left out. */
TEST(share, "small") {
  const sm_instruction i = gather(0, 1, 1, 1);
  mff_rsp r;
  for (unsigned n = 0; n < 5; n++) send(b, &i);
  /* Slice 1 keeps tags 0 and 3; the others are answered twice. */
  for (unsigned turn = 0; turn < 2; turn++) {
    for (uint32_t tag = 0; tag < 5; tag++)
      while (b->ref.command[tag].slice != 1 && sm_bench_answer_tag(b, tag, 5, 5, false, false, &r))
        ok(b, sm_bench_reply(b, &r));
    ok(b, sm_bench_run(b, 12, true));
    for (unsigned n = 0; n < 3; n++) send(b, &i);
    assert_int_equal(b->ref.slice_out[1], 2);
  }
  ok(b, sm_bench_drain(b));
}

/* While the crossbar takes nothing, one command waits whole and the next one's lanes behind it. */
TEST(crossbar_held, "tuned") {
  const sm_instruction i = gather(1, UINT32_MAX, 1, 1);
  ok(b, sm_bench_issue(b, &i));
  ok(b, sm_bench_run(b, 6, true));
  const sm_offers held = {.iss = &i, .beat = true};
  for (unsigned edge = 0; edge < 60; edge++) ok(b, sm_bench_cycle(b, &held, NULL));
  assert_int_equal(b->ref.counter[SM_CNT_sm_commands], 1);
  ok(b, sm_bench_issue(b, &i));
  ok(b, sm_bench_drain(b));
  assert_true(b->ref.counter[SM_CNT_sm_commands] >= 3);
}

/* A flit that the crossbar does not take counts once, and nothing moves until it is taken. */
TEST(rest_before_the_crossbar, "tuned") {
  const sm_instruction i = gather(1, UINT32_MAX, 1, 1);
  ok(b, sm_bench_issue(b, &i));
  while (!b->ref.at_flit) ok(b, sm_bench_run(b, 1, true));
  assert_false(wf_port_get(b->p.idle));
  ok(b, sm_bench_run(b, 20, false));
  assert_true(wf_port_get(b->p.idle) && wf_port_get(b->p.cmd_valid));
  assert_int_equal(b->ref.at_flit, 1);
  ok(b, sm_bench_run(b, 1, true));
  assert_int_equal(b->ref.at_flit, 2);
  assert_false(wf_port_get(b->p.idle));
  ok(b, sm_bench_drain(b));
  assert_int_equal(b->ref.counter[SM_CNT_sm_held_flits], 1);
}

static void refused_parameters(void **state) {
  (void)state;
  static const char *const wrong[] = {"Commands=0",     "Commands=257",    "NSlice=0",
                                      "NSlice=25",      "NumWarp=0",       "NumWarp=65",
                                      "SharedBytes=64", "SharedBytes=200", "SharedBytes=1048704",
                                      "CounterBits=2",  "CounterBits=65"};
  WF_TEST_REFUSED(&sm_bench_class, "small", wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sparse_command),
      cmocka_unit_test(full_command),
      cmocka_unit_test(empty_command),
      cmocka_unit_test(replies_in_a_row),
      cmocka_unit_test(conflicts),
      cmocka_unit_test(done_first),
      cmocka_unit_test(refused_command),
      cmocka_unit_test(quota),
      cmocka_unit_test(share),
      cmocka_unit_test(crossbar_held),
      cmocka_unit_test(rest_before_the_crossbar),
      cmocka_unit_test(refused_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
