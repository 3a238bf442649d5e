/* Directed tests of wf_axi4 and wf_tlul; WF_UNIT leaves one of the two. */
#include "tb/common/bus/bus_bench.h"
#include "tb/common/wf_test.h"

static const wf_bench_class *class;

static bus_bench *open_unit(const char *config) {
  return wf_test_open(class, config, NULL);
}
static void finish(bus_bench *b) {
  ok(b, bus_bench_check(b));
  wf_bench_destroy(b);
}
#define TEST(name, config) WF_DIRECTED(name, bus_bench *b, open_unit(config), finish)

static void idle(bus_bench *b, unsigned edges) {
  const bus_offers o = {.rsp_ready = true};
  for (unsigned i = 0; i < edges; i++) ok(b, bus_bench_cycle(b, &o, NULL));
}

/* Edges until it is taken. */
static unsigned offer(bus_bench *b, const uint64_t *read, const bus_write *write, bool fence) {
  bus_taken t = {false, false};
  const bus_offers o = {.read = read, .write = write, .rsp_ready = true, .fence = fence};
  for (unsigned edges = 0;; edges++) {
    ok(b, bus_bench_cycle(b, &o, &t));
    if (read ? t.read : t.write) return edges;
    assert_true(edges < 1000);
  }
}

static bus_write write_of(const bus_bench *b, uint64_t address) {
  bus_write w = {.address = address};
  for (unsigned i = 0; i < b->sector; i++) {
    w.data[i] = (uint8_t)(address + i);
    w.strobe[i] = 1;
  }
  return w;
}

/* A read of a block that is being written waits until memory has answered; others do not. */
TEST(reads_wait_for_writes, "narrow") {
  b->options.latency_min = b->options.latency_max = 100;
  const bus_write w = write_of(b, 3 * b->block);
  const uint64_t same = 3 * b->block + 1, other = 4 * b->block;
  offer(b, NULL, &w, false);
  assert_in_range(offer(b, &other, NULL, false), 0, 2);
  assert_true(offer(b, &same, NULL, false) >= 80);
  ok(b, bus_bench_drain(b));
}

/* So does a second write of the sector; one of the sector beside it does not. */
TEST(writes_wait_for_writes_of_their_sector, "wide") {
  b->options.latency_min = b->options.latency_max = 100;
  const bus_write first = write_of(b, 2 * b->block), beside = write_of(b, 2 * b->block + b->sector);
  offer(b, NULL, &first, false);
  assert_in_range(offer(b, NULL, &beside, false), 0, 4);
  assert_true(offer(b, NULL, &first, false) >= 80);
  ok(b, bus_bench_drain(b));
}

/* A fence ends with the writes before it, not with those after it. */
TEST(a_fence_waits_for_what_was_before, "narrow") {
  b->options.latency_min = b->options.latency_max = 40;
  const bus_write first = write_of(b, 0), second = write_of(b, b->block);
  offer(b, NULL, &first, true);
  idle(b, 20);
  assert_false(wf_port_get(b->p.fence_done));
  offer(b, NULL, &second, false);
  for (unsigned edges = 0; !wf_port_get(b->p.fence_done); edges++) {
    assert_true(edges < 40);
    idle(b, 1);
  }
  assert_true(wf_bus_owed(b->bus) != 0);
}

/* Memory that fails is told block by block, and nothing hangs. */
TEST(errors_are_told, "narrow") {
  b->options.errors = 100;
  const uint64_t block = 5 * b->block;
  const bus_write w = write_of(b, 6 * b->block);
  offer(b, &block, NULL, false);
  offer(b, NULL, &w, false);
  ok(b, bus_bench_drain(b));
  assert_int_equal(b->base.bin[BUS_BIN_read_failed], 1);
  assert_true(b->base.bin[BUS_BIN_write_failed] != 0);
}

/* As quick as can be: a block a beat an edge, one after the other. */
TEST(pace, "slice") {
  const uint64_t blocks = b->size / b->block, beats = b->block / b->sector;
  const uint64_t begun = b->base.cycle;
  const unsigned words = b->block * 8 / wf_bench_parameter(&b->base, "BusBits");
  for (uint64_t i = 0; i < blocks; i++) offer(b, &(uint64_t){i * b->block}, NULL, false);
  ok(b, bus_bench_drain(b));
  const uint64_t edges = b->base.cycle - begun, each = words > beats ? words : beats;
  assert_in_range(edges, blocks * each, blocks * (each + 2) + 60);
}

static void bad_parameters_are_named(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "BlockBytes=48",  "BeatBits=12",  "BeatBits=512", "MaskBits=4", "BusBits=24",
      "BusBits=512",    "AddrBits=5",   "AddrBits=65",  "RdSlots=0",  "WrSlots=-1",
      "CounterBits=65", "MaskBits=128", "RdSlots=4096"};
  WF_TEST_REFUSED(class, "narrow", wrong);
}

static int run(const wf_bench_class *of) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_wait_for_writes),
      cmocka_unit_test(writes_wait_for_writes_of_their_sector),
      cmocka_unit_test(a_fence_waits_for_what_was_before),
      cmocka_unit_test(errors_are_told),
      cmocka_unit_test(pace),
      cmocka_unit_test(bad_parameters_are_named),
  };
  class = of;
  return cmocka_run_group_tests_name(of->unit, tests, NULL, NULL);
}

int main(void) {
  const int failed = run(&bus_bench_axi4);
  return getenv("WF_UNIT") ? failed : failed + run(&bus_bench_tlul);
}
