/* Directed tests of teleport_buffer: each rule of its page once by itself. Every edge is also
 * compared with the reference model; what is asserted here is written from the rules. */
#include "tb/common/wf_test.h"
#include "tb/teleport/buffer/buffer_bench.h"

static buffer_bench *open_unit(const char *config, const char *parameters, unsigned ways) {
  buffer_bench *b = wf_test_open(&buffer_bench_class, config, parameters);
  if (ways) ok(b, buffer_bench_start(b, ways));
  return b;
}
#define TEST(name, ...) WF_DIRECTED(name, buffer_bench *b, open_unit(__VA_ARGS__), wf_test_finish)
/* Of two reads of one block a bus answers either. */
static void not_behind_a_bus(buffer_bench *b) {
  if (!b->bus) return;
  wf_bench_destroy(b);
  skip();
}
static void ask(buffer_bench *b, unsigned slot, uint64_t block) {
  ok(b, buffer_bench_ask(b, slot, false, block));
}
static void close_slot(buffer_bench *b, unsigned slot) {
  ok(b, buffer_bench_ask(b, slot, true, 0));
  ok(b, buffer_bench_run(b, 16, false, NULL));
}
/* Thread blocks that are let go within a few edges. */
static uint64_t gone(buffer_bench *b) {
  uint64_t slots;
  ok(b, buffer_bench_run(b, 12, true, &slots));
  return slots;
}
static unsigned flying(const buffer_bench *b) {
  return b->w.n_flying;
}
static void reply_all(buffer_bench *b) {
  while (flying(b)) ok(b, buffer_bench_reply(b, b->w.flying[0]));
}
static buffer_answer load(buffer_bench *b, uint64_t block) {
  buffer_answer answer;
  ok(b, buffer_bench_access(b, false, block, &answer));
  assert_true(answer.valid);
  return answer;
}
static buffer_answer store(buffer_bench *b, uint64_t block) {
  buffer_answer answer;
  ok(b, buffer_bench_access(b, true, block, &answer));
  assert_true(answer.valid);
  return answer;
}
static uint64_t count(const buffer_bench *b, buffer_counter counter) {
  return b->ref.counter[counter];
}

/* A thread block waits for all its blocks, in any order of replies, and starts after the last. */
TEST(starts_after_its_last_block, "replay", NULL, 4) {
  for (unsigned i = 0; i < 4; i++) ask(b, 1, 16 + i);
  close_slot(b, 1);
  assert_int_equal(flying(b), 4);
  for (unsigned i = 0; i < 3; i++) {
    const unsigned n = flying(b);
    assert_int_equal(gone(b), 0);
    assert_false(load(b, 16).hit && n == 4);
    ok(b, buffer_bench_reply(b, b->w.flying[n - 1]));
  }
  assert_int_equal(gone(b), 0);
  ok(b, buffer_bench_reply(b, b->w.flying[0]));
  ok(b, buffer_bench_run(b, 4, true, NULL));
  buffer_taken t;
  buffer_offers o = BUFFER_NO_OFFERS;
  o.go_ready = true;
  ok(b, buffer_bench_cycle(b, &o, &t)); /* offered 5 edges after the reply's, taken at the next */
  ok(b, t.go == 1 || buffer_bench_cycle(b, &o, &t));
  assert_int_equal(t.go, 1);
  for (unsigned i = 0; i < 4; i++) assert_true(load(b, 16 + i).hit);
}

TEST(without_blocks, "replay", NULL, 4) {
  close_slot(b, 0);
  assert_int_equal(gone(b), 1);
  assert_int_equal(flying(b), 0);
}

/* A block that is here, or on its way, for whom ever, is not fetched again; who asks for what is on
 * its way waits for it. */
TEST(fetched_once, "replay", NULL, 4) {
  ask(b, 0, 5);
  ask(b, 0, 5); /* overlapping rows */
  ask(b, 0, 6);
  ask(b, 0, 5);
  close_slot(b, 0);
  assert_int_equal(flying(b), 2);
  ask(b, 1, 6);
  ask(b, 1, 6);
  close_slot(b, 1);
  assert_int_equal(flying(b), 2);
  uint32_t five = b->w.flying[0], six = b->w.flying[1];
  ok(b, buffer_bench_reply(b, six));
  assert_int_equal(gone(b), 2); /* slot 1 has all it wants */
  ok(b, buffer_bench_reply(b, five));
  assert_int_equal(gone(b), 1);
  ok(b, buffer_bench_end(b, 0));
  ask(b, 0, 5);
  ask(b, 0, 6);
  close_slot(b, 0);
  assert_int_equal(flying(b), 0); /* both are here */
  assert_int_equal(gone(b), 1);
  assert_int_equal(count(b, BUFFER_CNT_fetches), 2);
  assert_int_equal(count(b, BUFFER_CNT_asks_known), 3);
  assert_int_equal(count(b, BUFFER_CNT_asks_here), 2);
  assert_int_equal(count(b, BUFFER_CNT_asks_coming), 1);
}

/* What does not fit is dropped: a thread block keeps what it asked for first, and never waits for
 * the rest. */
TEST(too_small, "small", NULL, 2) {
  /* 2 sets of 2 ways */
  for (unsigned i = 0; i < 12; i++) ask(b, 0, i);
  close_slot(b, 0);
  assert_int_equal(flying(b), 4);
  assert_int_equal(count(b, BUFFER_CNT_asks_dropped), 8);
  reply_all(b);
  assert_int_equal(gone(b), 1);
  for (unsigned i = 0; i < 12; i++) assert_int_equal(load(b, i).hit, i < 4);
  ask(b, 1, 8); /* the next one may have the lines of the first */
  close_slot(b, 1);
  assert_int_equal(flying(b), 1);
  assert_int_equal(count(b, BUFFER_CNT_evictions), 1);
  reply_all(b);
  assert_int_equal(gone(b), 2);
}

TEST(no_room_at_all, "replay", NULL, 0) {
  /* as after reset */
  for (unsigned i = 0; i < 9; i++) ask(b, 0, i);
  close_slot(b, 0);
  assert_int_equal(flying(b), 0);
  assert_int_equal(gone(b), 1);
}

/* The oldest line goes: with four ways a quarter is one use, so ages order the last four uses. */
TEST(oldest_goes, "tiny", "Ways=4 BlockBits=6 CapBits=6", 4) {
  for (unsigned i = 0; i < 4; i++) ask(b, 0, 10 + i);
  close_slot(b, 0);
  reply_all(b);
  assert_int_equal(gone(b), 1);
  assert_true(load(b, 10).hit); /* now 11 is the oldest */
  ok(b, buffer_bench_end(b, 0));
  ask(b, 0, 30);
  close_slot(b, 0);
  reply_all(b);
  assert_true(load(b, 10).hit);
  assert_false(load(b, 11).hit);
  assert_true(load(b, 12).hit);
  assert_true(load(b, 13).hit);
}

/* KeepUnread: of four lines the three that nobody has read stay, though one of them is the oldest;
 * a request makes a line unread again; when all are unread the oldest goes. */
TEST(unread_stays, "tiny", "Ways=4 BlockBits=6 CapBits=6 MaxTb=2 KeepUnread=1", 4) {
  for (unsigned i = 0; i < 4; i++) ask(b, 0, 10 + i);
  close_slot(b, 0);
  reply_all(b);
  assert_int_equal(gone(b), 1);
  assert_true(load(b, 12).hit); /* now the youngest, and the only one that was read */
  ask(b, 1, 30);
  close_slot(b, 1);
  reply_all(b);
  assert_int_equal(gone(b), 2);
  assert_false(load(b, 12).hit);
  for (unsigned i = 0; i < 2; i++) assert_true(load(b, 10 + i).hit);
  ok(b, buffer_bench_end(b, 0));
  ask(b, 0, 10); /* here, and to be read again */
  ask(b, 0, 31);
  close_slot(b, 0);
  reply_all(b);
  assert_false(load(b, 11).hit);
  ok(b, buffer_bench_end(b, 1));
  ask(b, 1, 32); /* all are unread: 30 and 13 are the oldest, 30 has the lower way */
  close_slot(b, 1);
  reply_all(b);
  assert_false(load(b, 30).hit);
  assert_true(load(b, 13).hit && load(b, 10).hit && load(b, 31).hit && load(b, 32).hit);
}

/* A store makes the block go; if it is on its way what comes is not kept, but who waits for it is
 * let go; asked for again it is fetched anew. */
TEST(kernel_writes_preloaded_range, "replay", NULL, 4) {
  ask(b, 0, 40);
  ask(b, 0, 41);
  close_slot(b, 0);
  assert_true(load(b, 41).coming);
  assert_true(store(b, 41).coming);
  assert_false(load(b, 41).coming);
  reply_all(b);
  assert_int_equal(gone(b), 1);
  assert_true(load(b, 40).hit);
  assert_false(load(b, 41).hit); /* the old words */
  assert_true(store(b, 40).hit);
  assert_false(load(b, 40).hit);
  assert_false(store(b, 40).hit);
  ask(b, 1, 40);
  ask(b, 1, 41);
  close_slot(b, 1);
  assert_int_equal(flying(b), 2);
  reply_all(b);
  assert_int_equal(gone(b), 2);
  assert_true(load(b, 40).hit && load(b, 41).hit);
}

/* Written while on its way, asked for by another thread block: that one gets a fetch of its own. */
TEST(written_while_coming_and_asked_again, "replay", NULL, 4) {
  not_behind_a_bus(b);
  ask(b, 0, 7);
  close_slot(b, 0);
  store(b, 7);
  ask(b, 1, 7);
  close_slot(b, 1);
  assert_int_equal(flying(b), 2);
  uint32_t old = b->w.flying[0], fresh = b->w.flying[1];
  assert_int_not_equal(old, fresh);
  ok(b, buffer_bench_reply(b, old));
  assert_int_equal(gone(b), 1);
  assert_false(load(b, 7).hit);
  ok(b, buffer_bench_reply(b, fresh));
  assert_int_equal(gone(b), 2);
  assert_int_equal(load(b, 7).line, fresh);
  assert_true(load(b, 7).hit);
}

/* Overlapped: a thread block goes at once, ends before its blocks came; its slot is free when they
 * have. */
TEST(ends_before_its_data_is_used, "replay", NULL, 4) {
  buffer_bench_overlap(b, true);
  ask(b, 0, 3);
  close_slot(b, 0);
  assert_int_equal(gone(b), 1);
  ok(b, buffer_bench_end(b, 0));
  ok(b, buffer_bench_run(b, 10, true, NULL));
  ask(b, 0, 9); /* the next thread block of the slot */
  ok(b, buffer_bench_run(b, 10, true, NULL));
  assert_int_equal(flying(b), 1); /* waits */
  reply_all(b);
  ok(b, buffer_bench_run(b, 12, true, NULL));
  assert_int_equal(flying(b), 1);
  assert_true(load(b, 3).hit);
  assert_true(load(b, 9).coming);
  close_slot(b, 0);
  reply_all(b);
  assert_int_equal(gone(b), 1);
}

/* Nothing of a kernel is left for the next; it starts when all thread blocks have ended. */
TEST(kernel_forgets, "replay", NULL, 4) {
  ask(b, 0, 3);
  close_slot(b, 0);
  reply_all(b);
  assert_int_equal(gone(b), 1);
  assert_true(load(b, 3).hit);
  assert_false(buffer_ref_start_ready(&b->ref));
  ok(b, buffer_bench_end(b, 0));
  ok(b, buffer_bench_start(b, 4));
  assert_false(load(b, 3).hit);
}

/* Lines are numbered {way, set}, so that fewer ways leave a range of lines from 0 on. */
TEST(fewer_ways, "replay", NULL, 3) {
  for (unsigned i = 0; i < 16; i++) ask(b, 0, i);
  close_slot(b, 0);
  const unsigned n = flying(b);
  assert_int_equal(n, 6);
  uint64_t seen = 0;
  for (unsigned i = 0; i < n; i++) seen |= UINT64_C(1) << b->w.flying[i];
  assert_int_equal(seen, 0x3f);
  reply_all(b);
  assert_int_equal(gone(b), 1);
}

/* A request a cycle, when the blocks are in address order; the paper's size, one range. */
TEST(pace, "paper", NULL, 96) {
  ok(b, buffer_bench_range(
            b, &(front_range){
                   .slot = 2, .last = true, .low = 0x12340 * 128, .high = 0x12440 * 128 - 1}));
  unsigned edges = 0;
  for (; flying(b) < 256 && edges < 1000; edges++) ok(b, buffer_bench_run(b, 1, false, NULL));
  assert_true(edges <=
              256 + 256 / 4 +
                  12); /* at most one more edge in each group of as many blocks as there are sets */
  reply_all(b);
  assert_int_equal(gone(b), 4);
}

/* Blocks that are fetched, in their order. */
static void expect_fetches(const buffer_bench *b, const uint64_t *blocks, unsigned n) {
  assert_int_equal(flying(b), n);
  for (unsigned i = 0; i < n; i++) assert_int_equal(b->w.line[b->w.flying[i]].block, blocks[i]);
}
#define FETCHES(b, ...)                                                                            \
  expect_fetches(b, (const uint64_t[]){__VA_ARGS__},                                               \
                 sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))
static void range(buffer_bench *b, bool last, int64_t low, int64_t high, uint64_t pitch,
                  uint32_t lines) {
  ok(b, buffer_bench_range(b, &(front_range){.slot = 0,
                                             .last = last,
                                             .low = low,
                                             .high = high,
                                             .pitch = pitch,
                                             .lines = lines - 1}));
  ok(b, buffer_bench_run(b, 40, false, NULL));
}

/* Bytes 100 .. 131 of each 4096: a tile of three lines. */
TEST(tile_of_lines, "paper", NULL, 96) {
  range(b, false, 100, 131, 4096, 3); /* the last word of a block and the first of the next */
  range(b, true, 3 * 4096 + 128, 3 * 4096 + 255, 1, 2); /* a pitch below a block: the second line
                                                           straddles */
  FETCHES(b, 0, 1, 32, 33, 64, 65, 97, 98);
  assert_int_equal(count(b, BUFFER_CNT_asks), 9);
  assert_int_equal(count(b, BUFFER_CNT_asks_known), 1);
  reply_all(b);
  assert_int_equal(gone(b), 1);
}

/* Memory is blocks 2 .. 5: lines before and behind it ask for nothing, others for what is in it. */
TEST(bounds_of_memory, "paper", NULL, 96) {
  buffer_bench_front(b, &(front_levels){.bound_lo = 2, .bound_hi = 5, .cap = 1023});
  range(b, false, -300, -1, 200, 12); /* 100 .. 399 is the first that reaches block 2, 700 .. 999
                                         the last that reaches block 5 */
  FETCHES(b, 2, 3, 4, 5);
  assert_int_equal(count(b, BUFFER_CNT_lines_outside), 12 - 4);
  range(b, false, -(INT64_C(1) << 32), (INT64_C(1) << 32) - 1, 0, 1); /* everything */
  FETCHES(b, 2, 3, 4, 5);
  assert_int_equal(count(b, BUFFER_CNT_asks_known), count(b, BUFFER_CNT_asks) - 4);
  range(b, true, 768, 900, 0, 1);
  reply_all(b);
  assert_int_equal(gone(b), 1);
  assert_int_equal(count(b, BUFFER_CNT_ranges), 3);
  ok(b, buffer_bench_end(b, 0));
  ok(b, buffer_bench_drain(b));
  buffer_bench_front(b, &(front_levels){.bound_lo = 5, .bound_hi = 4, .cap = 1023}); /* none */
  range(b, true, 0, 10000, 0, 1);
  assert_int_equal(flying(b), 0);
  assert_int_equal(gone(b), 1);
}

/* A thread block gets its share, from the first on; the next one too. */
TEST(capped, "paper", NULL, 96) {
  buffer_bench_front(b, &(front_levels){.bound_hi = 0xffff, .cap = 5});
  for (unsigned again = 0; again < 2; again++) {
    range(b, false, 0, 255, 0, 1);
    range(b, false, 1024, 1151, 1024, 8);
    range(b, true, 0x8000, 0x8000, 0, 1);
    if (!again) FETCHES(b, 0, 1, 8, 16, 24);
    reply_all(b);
    assert_int_equal(gone(b), 1);
    ok(b, buffer_bench_end(b, 0));
  }
  assert_int_equal(count(b, BUFFER_CNT_fetches), 5);
  assert_int_equal(count(b, BUFFER_CNT_asks), 10);
  assert_int_equal(count(b, BUFFER_CNT_lines_cut), 12);
}

/* Ranges wait while the slot is not free; as many as there are places, then the offer waits. */
TEST(ranges_wait, "replay", NULL, 4) {
  close_slot(b, 0);
  assert_int_equal(gone(b), 1);
  unsigned taken = 0;
  for (unsigned i = 0; taken < 20; i++) {
    front_range r = {.slot = 0, .low = 16 * 40, .high = 16 * 41 - 1, .last = taken == 19};
    buffer_offers o = BUFFER_NO_OFFERS;
    buffer_taken t;
    o.ask = &r;
    o.fetch_ready = true;
    if (i == 40) { /* 4 in the queue, a tile, 2 lines, a walk, a request, 2 before the tags */
      assert_int_equal(taken, 11);
      assert_int_equal(flying(b), 0);
      o.end_slot = 0;
    }
    ok(b, buffer_bench_cycle(b, &o, &t));
    taken += t.ask;
    assert_true(i < 200);
  }
  ok(b, buffer_bench_run(b, 40, false, NULL));
  reply_all(b);
  assert_int_equal(gone(b), 1);
  assert_int_equal(count(b, BUFFER_CNT_fetches), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_after_its_last_block),
      cmocka_unit_test(without_blocks),
      cmocka_unit_test(fetched_once),
      cmocka_unit_test(too_small),
      cmocka_unit_test(no_room_at_all),
      cmocka_unit_test(oldest_goes),
      cmocka_unit_test(unread_stays),
      cmocka_unit_test(kernel_writes_preloaded_range),
      cmocka_unit_test(written_while_coming_and_asked_again),
      cmocka_unit_test(ends_before_its_data_is_used),
      cmocka_unit_test(kernel_forgets),
      cmocka_unit_test(fewer_ways),
      cmocka_unit_test(pace),
      cmocka_unit_test(tile_of_lines),
      cmocka_unit_test(bounds_of_memory),
      cmocka_unit_test(capped),
      cmocka_unit_test(ranges_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
