/* Kernels one by one: when each is offered, to the edge; order and memory's places; what the RTL
 * refuses. */
#include "tb/common/wf_test.h"
#include "tb/dtbl/kmu/kmu_bench.h"

static kmu_bench *begin(const char *config, const char *parameters) {
  return wf_test_open(&kmu_bench_class, config, parameters);
}

/* Launches one; it must be taken at once. */
static void launch(kmu_bench *b) {
  const kmu_kernel k = kmu_bench_kernel(b);
  kmu_taken t;
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.launch = &k}, &t));
  assert_true(t.launch);
}

/* Edges until a kernel is taken. */
static unsigned take(kmu_bench *b) {
  kmu_taken t = {0};
  unsigned edges = 0;
  while (!t.kern && edges < 10000) {
    ok(b, kmu_bench_cycle(b, &(kmu_offer){.kern_ready = true}, &t));
    edges++;
  }
  assert_true(t.kern);
  return edges;
}

static void end_one(kmu_bench *b) {
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.kdone = true}, NULL));
}

WF_DIRECTED(one_after_the_other, kmu_bench *b, begin("tuned", NULL), wf_test_finish) {
  for (unsigned i = 0; i < 3; i++) launch(b);
  assert_int_equal(take(b), 283 - 2); /* two edges have passed */
  assert_int_equal(take(b), 283);
  assert_int_equal(take(b), 283);
  launch(b);
  assert_int_equal(take(b), 283);
}

WF_DIRECTED(two_and_four_at_once, kmu_bench *b, begin("tuned", "Ways=4"), wf_test_finish) {
  for (unsigned i = 0; i < 6; i++) launch(b);
  assert_int_equal(take(b), 283 - 5);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(take(b), 1);
  assert_int_equal(take(b), 283 - 3);
  assert_int_equal(take(b), 1);
}

/* A kernel that is not taken holds up nobody's dispatch. */
WF_DIRECTED(not_taken, kmu_bench *b, begin("tuned", NULL), wf_test_finish) {
  launch(b);
  launch(b);
  for (unsigned i = 0; i < 283 + 100; i++) ok(b, kmu_bench_cycle(b, NULL, NULL));
  assert_int_equal(take(b), 1);
  assert_int_equal(take(b), 283 - 102);
}

WF_DIRECTED(an_entry_each, kmu_bench *b, begin("tuned", "NumKde=2 Dispatch=10"), wf_test_finish) {
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.host = true}, NULL));
  launch(b);
  launch(b);
  assert_int_equal(take(b), 9);
  for (unsigned i = 0; i < 50; i++)
    ok(b, kmu_bench_cycle(b, &(kmu_offer){.kern_ready = true}, NULL));
  assert_int_equal(b->n, 1);
  assert_true(wf_port_get(b->p.idle)); /* until an entry comes free */
  end_one(b);
  assert_int_equal(take(b), 10);
}

WF_DIRECTED(groups_first, kmu_bench *b, begin("small", NULL), wf_test_finish) {
  const kmu_kernel group = kmu_bench_kernel(b), kernel = kmu_bench_kernel(b);
  kmu_taken t;
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.group = &group, .launch = &kernel}, &t));
  assert_true(t.group && !t.launch);
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.launch = &kernel}, &t));
  assert_true(t.launch);
}

/* All that a warp launches is taken at once, and most of it waits in memory: the bench compares
 * each kernel. Memory is quick enough that none is late. */
WF_DIRECTED(most_in_memory, kmu_bench *b, begin("tuned", "Ring=64"), wf_test_finish) {
  b->latency = 200;
  for (unsigned i = 0; i < 32; i++) launch(b);
  for (unsigned i = 0; i < 200; i++) ok(b, kmu_bench_cycle(b, NULL, NULL));
  for (unsigned i = 0; i < 32; i++) launch(b);
  assert_int_equal(take(b), 283 - 263);
  assert_int_equal(kmu_bench_in_memory(b) + b->n - 16 >= 32, true);
  for (unsigned i = 1; i < 64; i++) {
    assert_int_equal(take(b), 283);
    if (i >= 31) end_one(b);
  }
}

/* Requests of the scheduler's that memory takes in so many edges, while it always asks. */
static unsigned pass(kmu_bench *b, unsigned edges) {
  unsigned n = 0;
  for (kmu_taken t; edges > 0; edges--, n += t.side)
    ok(b, kmu_bench_cycle(b, &(kmu_offer){.side = true}, &t));
  return n;
}

/* One at every edge, without a clock; and its answers. */
WF_DIRECTED(the_scheduler_alone, kmu_bench *b, begin("tuned", NULL), wf_test_finish) {
  b->back_percent = 50;
  assert_int_equal(pass(b, 100), 100);
  assert_true(wf_port_get(b->p.idle));
}

/* Twenty kernels of 32 have no place on chip: two writes each, every one after one of the
 * scheduler's, which has all other edges. */
WF_DIRECTED(both_want_memory, kmu_bench *b, begin("tuned", NULL), wf_test_finish) {
  for (unsigned i = 0; i < 32; i++) launch(b);
  const uint64_t before = b->halves;
  const unsigned passed = pass(b, 400);
  assert_int_equal(kmu_bench_in_memory(b) >= 8, true);
  assert_int_equal(passed + (b->halves - before), 400);
}

/* No sooner: kernels that wait for memory do not overtake the scheduler, nor does it them. */
WF_DIRECTED(in_turn, kmu_bench *b, begin("small", "NumKde=1 Ways=1"), wf_test_finish) {
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.host = true}, NULL));
  for (unsigned i = 0; i < 8; i++) launch(b);
  pass(b, 4);
  const kmu_kernel k = kmu_bench_kernel(b);
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.launch = &k, .side = true}, NULL));
  pass(b, 2); /* to its queue's end */
  const uint64_t before = b->halves;
  assert_int_equal(pass(b, 2), 1); /* a half, one of the scheduler's */
  assert_int_equal(b->halves - before, 1);
}

/* With memory at rest a kernel waits until there is room, and comes in as it was. */
WF_DIRECTED(who_finds_no_room_waits, kmu_bench *b, begin("small", "NumKde=1 Ways=1"),
            wf_test_finish) {
  kmu_taken t = {.launch = true};
  kmu_kernel k;
  ok(b, kmu_bench_cycle(b, &(kmu_offer){.host = true}, NULL));
  b->mem_percent = 0;
  for (unsigned n = 0; t.launch && n < 100; n++) {
    k = kmu_bench_kernel(b);
    ok(b, kmu_bench_cycle(b, &(kmu_offer){.launch = &k}, &t));
  }
  assert_false(t.launch);
  assert_int_equal(b->n >= b->burst + b->entries, true);
  for (unsigned n = 0; n < 5; n++) {
    ok(b, kmu_bench_cycle(b, &(kmu_offer){.launch = &k}, &t));
    assert_false(t.launch);
  }
  b->mem_percent = 100;
  for (unsigned n = 0; !t.launch && n < 100; n++)
    ok(b, kmu_bench_cycle(b, &(kmu_offer){.launch = &k}, &t));
  assert_true(t.launch);
}

static void refused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "NumKde=65", "Ways=33",     "Dispatch=4",   "Dispatch=1048577",
      "Burst=2",   "Burst=257",   "Entries=7",    "Ring=4",
      "Ring=24",   "AddrBits=33", "AddrBits=23",  "CounterBits=65",
      "XBits=90",  "Entries=257", "SideIdBits=0", "SideIdBits=7"};
  WF_TEST_REFUSED(&kmu_bench_class, "tuned", wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_after_the_other),
                                     cmocka_unit_test(two_and_four_at_once),
                                     cmocka_unit_test(not_taken),
                                     cmocka_unit_test(an_entry_each),
                                     cmocka_unit_test(groups_first),
                                     cmocka_unit_test(most_in_memory),
                                     cmocka_unit_test(the_scheduler_alone),
                                     cmocka_unit_test(both_want_memory),
                                     cmocka_unit_test(in_turn),
                                     cmocka_unit_test(who_finds_no_room_waits),
                                     cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
