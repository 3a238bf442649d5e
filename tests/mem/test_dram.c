/* One DRAM channel on its own: latency, bandwidth, fairness, and every timing rule. */
#include "tests/mem/dram_checker.h"

typedef struct rig {
  wf_mem_config config;
  wf_mem_counters counters;
  wf_dram dram;
  checker *checker;
  uint64_t clock, returned;
  uint64_t last_return; /* clock at which it could be taken */
} rig;

static rig *rig_new(wf_mem_config c) {
  rig *r = calloc(1, sizeof *r);
  r->config = c;
  wf_dram_init(&r->dram, &r->config, 0, &r->counters);
  r->checker = checker_new(&c);
  r->dram.trace = check_command;
  r->dram.trace_user = r->checker;
  return r;
}

static void rig_free(rig *r) {
  wf_dram_free(&r->dram);
  free(r->checker);
  free(r);
}

/* One command clock; takes a return if there is one and take is set. */
static void step(rig *r, bool take) {
  if (r->dram.next <= r->clock) wf_dram_tick(&r->dram, r->clock);
  if (take && r->dram.return_time <= r->clock) {
    r->last_return = r->clock;
    r->returned++;
    wf_dram_return_pop(&r->dram);
  }
  r->clock++;
}

/* Clocks until n more reads are back. */
static uint64_t run_reads(rig *r, uint64_t n) {
  uint64_t start = r->clock, want = r->returned + n;
  while (r->returned < want && r->clock < start + 100000) step(r, true);
  assert_int_equal(r->returned, want);
  return r->last_return - start;
}

/* A line in a given bank and row: searched through the mapping. */
static uint32_t line_in(const rig *r, unsigned bank, uint32_t row, unsigned nth) {
  uint32_t rows = r->config.dram_row_bytes / r->config.line_bytes * r->config.dram_banks;
  for (uint32_t l = row * rows; l < (row + 1) * rows; l++) {
    wf_dram_place p = wf_dram_map(&r->dram, l);
    assert_int_equal(p.row, row);
    if (p.bank == bank && nth-- == 0) return l;
  }
  fail_msg("no line in bank %u row %u", bank, row);
  return 0;
}

static void test_mapping_is_a_bijection(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  unsigned bursts = 32, banks = 16, rows = 64;
  uint8_t *seen = calloc((size_t)rows * banks * bursts, 1);
  for (uint32_t l = 0; l < rows * banks * bursts / 2; l++) {
    wf_dram_place p = wf_dram_map(&r->dram, l);
    assert_true(p.row < rows && p.bank < banks && p.column < bursts && p.column % 2 == 0);
    size_t i = ((size_t)p.row * banks + p.bank) * bursts + p.column;
    assert_int_equal(seen[i], 0);
    seen[i] = 1;
  }
  free(seen);
  rig_free(r);
}

static void test_lone_read_latency(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  const wf_mem_config *c = &r->config;
  unsigned fixed = c->tCL + 2 + c->dram_latency;
  wf_dram_push(&r->dram, false, 0, 3, 7);
  assert_int_equal(wf_dram_return_front(&r->dram)->tag, 0);
  assert_int_equal(run_reads(r, 1), c->tRCD + c->tCCDL + fixed);
  for (int i = 0; i < 200; i++) step(r, true);
  wf_dram_push(&r->dram, false, 1, 1, 7); /* same row, one burst */
  assert_int_equal(run_reads(r, 1), fixed);
  for (int i = 0; i < 200; i++) step(r, true);
  wf_dram_push(&r->dram, false, line_in(r, 0, 16, 0), 1, 7); /* another row of bank 0 */
  assert_int_equal(run_reads(r, 1), c->tRP + c->tRCD + fixed);
  assert_int_equal(r->counters.dram.row_hits, 1);
  assert_int_equal(r->counters.dram.row_misses, 2);
  assert_int_equal(r->counters.dram.activates, 2);
  assert_int_equal(r->counters.dram.row_changes, 1);
  assert_int_equal(r->counters.dram.reads, 3);
  assert_int_equal(r->counters.dram.read_bytes, 4 * 64);
  assert_int_equal(r->counters.dram.busy_cycles, 4 * 2);
  /* From the clock after its arrival to the end of its data, each of the three. */
  assert_int_equal(r->counters.dram.active_cycles,
                   (c->tRCD + c->tCCDL) + 0 + (c->tRP + c->tRCD) + 3 * (c->tCL + 2));
  rig_free(r);
}

/* Keeps the queue full from a generator of lines; returns blocks per clock. */
static double saturate(rig *r, bool random, unsigned write_1024, uint64_t clocks) {
  wf_rng rng;
  wf_rng_seed(&rng, 42);
  uint32_t next = 0;
  for (uint64_t warm = 0; warm < 2; warm++) {
    wf_mem_counters before = r->counters;
    for (uint64_t end = r->clock + clocks; r->clock < end; step(r, true))
      while (wf_dram_room(&r->dram)) {
        uint64_t x = wf_rng_next(&rng);
        uint32_t line = random ? (uint32_t)(x >> 40) : next++;
        wf_dram_push(&r->dram, (x & 1023) < write_1024, line, 3, 0);
      }
    if (warm)
      return (double)(r->counters.dram.reads + r->counters.dram.writes - before.dram.reads -
                      before.dram.writes) /
             (double)clocks;
  }
  return 0;
}

static void test_streaming_bandwidth(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  double blocks = saturate(r, false, 0, 50000), peak = 1.0 / 4; /* 128 bytes at 32 a clock */
  print_message("streaming reads: %.1f %% of the pins\n", 100 * blocks / peak);
  assert_true(blocks >= 0.90 * peak && blocks <= peak);
  rig_free(r);
  r = rig_new(gtx480());
  blocks = saturate(r, false, 1024, 50000);
  print_message("streaming writes: %.1f %%\n", 100 * blocks / peak);
  assert_true(blocks >= 0.90 * peak && blocks <= peak);
  rig_free(r);
}

/* Random blocks: each needs an ACT, so tRRD, and tRC over all banks, bound the rate. */
static void check_random(wf_mem_config c) {
  rig *r = rig_new(c);
  double blocks = saturate(r, true, 0, 50000);
  double clocks = c.tRRD > 4 ? c.tRRD : 4;
  if ((double)c.tRC / c.dram_banks > clocks) clocks = (double)c.tRC / c.dram_banks;
  print_message("random reads, tRRD %u, %u banks: %.1f %% of the bound\n", c.tRRD, c.dram_banks,
                100 * blocks * clocks);
  assert_true(blocks * clocks <= 1.0);
  assert_true(blocks * clocks >= 0.90);
  rig_free(r);
}

static void test_random_bound(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  check_random(c);
  c.dram_banks = 4;
  c.tRRD = 4;
  c.dram_queue = 64;
  check_random(c); /* bank bound */
}

static void test_first_ready_and_cap(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  uint32_t other = line_in(r, 0, 16, 0);
  wf_dram_push(&r->dram, false, line_in(r, 0, 0, 0), 3, 1);
  for (int i = 0; i < 20; i++) step(r, true);
  /* A row conflict first, then a flood of row hits: hits pass it, but only so many. */
  wf_dram_push(&r->dram, false, other, 3, 99);
  unsigned passed = 0;
  bool served = false;
  for (unsigned i = 0; i < 2000 && !served; i++) {
    if (wf_dram_room(&r->dram)) wf_dram_push(&r->dram, false, line_in(r, 0, 0, i % 16), 3, 1);
    if (r->dram.return_time <= r->clock) {
      served = wf_dram_return_front(&r->dram)->tag == 99;
      passed += !served;
    }
    step(r, true);
  }
  assert_true(served);
  assert_in_range(passed, 2, 18);
  rig_free(r);
}

static void test_write_drain(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  /* Below the high mark and with reads around, writes wait. */
  for (unsigned i = 0; i < 8; i++) wf_dram_push(&r->dram, false, line_in(r, i, 1, 0), 3, 0);
  for (unsigned i = 0; i < 15; i++) wf_dram_push(&r->dram, true, line_in(r, i, 2, 0), 3, 0);
  while (r->dram.count[0]) {
    assert_int_equal(r->counters.dram.writes, 0);
    step(r, true);
  }
  while (r->dram.count[1]) step(r, true); /* then they go, as nothing else waits */
  assert_int_equal(r->counters.dram.writes, 15);
  /* At the high mark they go before the reads, down to the low mark. */
  for (unsigned i = 0; i < 8; i++) wf_dram_push(&r->dram, false, line_in(r, i, 3, 0), 3, 0);
  for (unsigned i = 0; i < 16; i++) wf_dram_push(&r->dram, true, line_in(r, i, 4, 0), 3, 0);
  uint64_t reads = r->counters.dram.reads;
  while (r->dram.count[1] > 4) {
    assert_int_equal(r->counters.dram.reads, reads);
    step(r, true);
  }
  while (r->counters.dram.reads == reads) step(r, true);
  assert_in_range(r->dram.count[1], 3, 4);
  rig_free(r);
}

static void test_read_waits_for_write_of_its_line(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  for (unsigned i = 0; i < 6; i++) wf_dram_push(&r->dram, false, line_in(r, 1, i + 20, 0), 3, 0);
  wf_dram_push(&r->dram, true, line_in(r, 3, 5, 2), 3, 0);
  wf_dram_push(&r->dram, false, line_in(r, 3, 5, 2), 3, 77);
  for (unsigned i = 0; i < 3000 && r->returned < 7; i++) {
    if (r->dram.return_time <= r->clock && wf_dram_return_front(&r->dram)->tag == 77)
      assert_int_equal(r->counters.dram.writes, 1);
    /* the read's data cannot be asked for before the write has been */
    if (r->counters.dram.writes == 0) assert_int_equal(r->dram.count[1], 1);
    step(r, true);
  }
  assert_int_equal(r->returned, 7);
  assert_int_equal(r->dram.hazards, 0);
  rig_free(r);
}

static void test_return_queue_is_finite(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  uint32_t line = 0;
  for (unsigned i = 0; i < 5000; i++) {
    while (wf_dram_room(&r->dram)) wf_dram_push(&r->dram, false, line++, 3, 0);
    step(r, false);
  }
  assert_int_equal(r->dram.ret_ring.count, r->dram.return_limit);
  uint64_t reads = r->counters.dram.reads;
  for (unsigned i = 0; i < 1000; i++) step(r, false);
  assert_int_equal(r->counters.dram.reads, reads);
  run_reads(r, line);
  assert_int_equal(wf_dram_waiting(&r->dram), 0);
  assert_int_equal(r->dram.ret_reserved, 0);
  rig_free(r);
}

static void test_refresh(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.tREFI = 3600;
  c.tRFC = 100;
  rig *r = rig_new(c);
  double blocks = saturate(r, true, 200, 50000);
  assert_int_equal(r->checker->count[WF_DRAM_REFRESH], 100000 / 3600);
  assert_true(blocks > 0.05);
  for (unsigned i = 0; i < 36000; i++) step(r, true); /* idle channels refresh as well */
  assert_int_equal(r->checker->count[WF_DRAM_REFRESH], 136000 / 3600);
  rig_free(r);
}

/* Random traffic in bursts, with random stalls of the returns, under several timings. */
/* Tags of the next n returns. */
static void returns(rig *r, unsigned n, uint16_t *tags) {
  for (unsigned i = 0; i < n; i++) {
    while (r->dram.return_time > r->clock) step(r, false);
    tags[i] = wf_dram_return_front(&r->dram)->tag;
    step(r, true);
  }
}

static void test_urgent_reads_go_first(void **state) {
  (void)state;
  rig *r = rig_new(gtx480());
  uint16_t tags[64];
  enum { PLAIN = 1, URGENT = 9 };
  /* All to one bank, other rows; and to other banks, all later than the plain ones. */
  for (unsigned i = 0; i < 6; i++) wf_dram_push(&r->dram, false, line_in(r, 0, 16, i), 3, PLAIN);
  for (unsigned i = 0; i < 6; i++) wf_dram_push(&r->dram, false, line_in(r, 5, 1, i), 3, PLAIN);
  for (unsigned i = 0; i < 3; i++)
    wf_dram_push_urgent(&r->dram, line_in(r, 0, 32, i), 3, (uint16_t)(URGENT + i));
  wf_dram_push_urgent(&r->dram, line_in(r, 7, 2, 0), 3, URGENT + 3);
  returns(r, 16, tags);
  unsigned before = 0, urgent = 0, of_bank = 0;
  for (unsigned i = 0; urgent < 4; i++) {
    assert_true(i < 16);
    if (tags[i] == PLAIN)
      before++;
    else if (tags[i] != URGENT + 3)
      assert_int_equal(tags[i], URGENT + of_bank++); /* by age */
    urgent += tags[i] != PLAIN;
  }
  assert_true(before <= 3); /* only what found the bus free meanwhile */
  /* In the same row, too: an urgent read before the row hits that came before it. */
  for (unsigned i = 0; i < 8; i++) wf_dram_push(&r->dram, false, line_in(r, 3, 5, i), 3, PLAIN);
  wf_dram_push_urgent(&r->dram, line_in(r, 3, 5, 9), 3, URGENT);
  returns(r, 9, tags);
  assert_int_equal(tags[0], URGENT);
  /* Row hits of others pass one that wants another row, but only so many. */
  for (unsigned i = 0; i < 30; i++)
    wf_dram_push(&r->dram, false, line_in(r, 3, 5, i % 16), 3, PLAIN);
  for (int i = 0; i < 8; i++) step(r, false);
  wf_dram_push_urgent(&r->dram, line_in(r, 3, 50, 0), 3, URGENT);
  returns(r, 31, tags);
  for (before = 0; tags[before] == PLAIN; before++) assert_true(before < 30);
  assert_in_range(before, 1, 22);
  rig_free(r);
}

/* Seeds that are even mix urgent reads in. */
static void soak(wf_mem_config c, uint64_t seed) {
  rig *r = rig_new(c);
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  uint64_t reads = 0, writes = 0, bursts = 0;
  for (unsigned i = 0; i < 300000; i++) {
    bool quiet = i / 1000 % 7 == 3;
    unsigned n = quiet ? 0 : (unsigned)wf_rng_below(&rng, 3);
    while (n-- && wf_dram_room(&r->dram)) {
      uint64_t x = wf_rng_next(&rng);
      bool write = (x & 7) < 3;
      uint8_t mask = (uint8_t)(1 + (x >> 8) % 3);
      if (!write && seed % 2 == 0 && x >> 62 == 0)
        wf_dram_push_urgent(&r->dram, (uint32_t)(x >> 16 & 0xffff), mask, 0);
      else
        wf_dram_push(&r->dram, write, (uint32_t)(x >> 16 & 0xffff), mask, 0);
      reads += !write;
      writes += write;
      bursts += (unsigned)__builtin_popcount(mask);
    }
    step(r, wf_rng_below(&rng, 4) != 0);
  }
  while (wf_dram_waiting(&r->dram) || r->dram.ret_ring.count) step(r, true);
  const wf_mem_counters *n = &r->counters;
  assert_int_equal(r->returned, reads);
  assert_int_equal(n->dram.reads, reads);
  assert_int_equal(n->dram.writes, writes);
  assert_int_equal(n->dram.row_hits + n->dram.row_misses, reads + writes);
  assert_int_equal(n->dram.read_bytes + n->dram.write_bytes, 64 * bursts);
  assert_int_equal(n->dram.activates, r->checker->count[WF_DRAM_ACT]);
  assert_int_equal(bursts, r->checker->count[WF_DRAM_READ] + r->checker->count[WF_DRAM_WRITE]);
  assert_true(n->dram.activates >= n->dram.row_misses);
  assert_true(n->dram.row_changes <= n->dram.activates &&
              n->dram.row_changes > n->dram.activates / 4);
  print_message("seed %u: %u commands checked\n", (unsigned)seed, (unsigned)r->checker->commands);
  assert_true(r->checker->commands > 50000);
  rig_free(r);
}

static void test_soak_all_constraints(void **state) {
  (void)state;
  soak(gtx480(), 1);
  wf_mem_config c = gtx480();
  c.tREFI = 2000;
  c.tRFC = 60;
  c.dram_queue = 64;
  soak(c, 2);
  c = gtx480();
  c.dram_banks = 8;
  c.dram_bank_groups = 1;
  c.tRRD = 9;
  c.tCCDL = 2;
  c.tWTR = 20;
  c.tWR = 30;
  c.tRTP = 15;
  c.dram_queue = 16;
  soak(c, 3);
  c = gtx480();
  c.dram_banks = 32;
  c.dram_bank_groups = 8;
  c.tCCDS = 3;
  c.tCCDL = 7;
  c.tRC = 60;
  c.tRTW = 25;
  c.dram_latency = 0;
  soak(c, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mapping_is_a_bijection),
      cmocka_unit_test(test_lone_read_latency),
      cmocka_unit_test(test_streaming_bandwidth),
      cmocka_unit_test(test_random_bound),
      cmocka_unit_test(test_first_ready_and_cap),
      cmocka_unit_test(test_urgent_reads_go_first),
      cmocka_unit_test(test_write_drain),
      cmocka_unit_test(test_read_waits_for_write_of_its_line),
      cmocka_unit_test(test_return_queue_is_finite),
      cmocka_unit_test(test_refresh),
      cmocka_unit_test(test_soak_all_constraints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
