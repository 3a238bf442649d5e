/* L2 slice seen from an SM: latencies, write-validate bookkeeping, MSHRs, atomics, eviction. */
#include "tests/mem/harness.h"

/* Request crossbar, L2, reply crossbar, and one cycle at the SM's end. */
static unsigned hit_cycles(const wf_mem_config *c, unsigned request_flits, unsigned reply_flits) {
  return (request_flits + c->noc_latency) + c->l2_latency + (reply_flits - 1 + c->noc_latency) + 1;
}

/* Clocks from the cycle after the request was taken to the return, closed bank. */
static unsigned dram_clocks(const wf_mem_config *c, unsigned bursts) {
  return c->tRCD + (bursts - 1) * c->tCCDL + c->tCL + 2 + c->dram_latency;
}

static void test_latency_one_clock(void **state) {
  (void)state;
  wf_mem_config c = one_clock();
  wf_mem *mem = make(&c, NULL);
  unsigned miss = round_trip(mem, 3, read_of(0x20000, 11));
  unsigned hit = round_trip(mem, 4, read_of(0x20000, 12));
  assert_int_equal(hit, hit_cycles(&c, 1, 5));
  assert_int_equal(miss, hit + 1 + dram_clocks(&c, 2));
  /* A write carries 5 flits there, one back; it validates the line without DRAM. */
  assert_int_equal(round_trip(mem, 0, write_of(0x40000, 1, 15, 15)), hit_cycles(&c, 5, 1));
  assert_int_equal(round_trip(mem, 0, read_of(0x40000, 2)), hit_cycles(&c, 1, 5));
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  assert_int_equal(n->l2.hits, 2);
  assert_int_equal(n->l2.misses, 2);
  assert_int_equal(n->l2.reads, 3);
  assert_int_equal(n->l2.writes, 1);
  assert_int_equal(n->dram.reads, 1);
  assert_int_equal(n->dram.writes, 0);
  assert_int_equal(n->noc.packets, 8);
  assert_int_equal(n->noc.request_flits, 1 + 1 + 5 + 1);
  assert_int_equal(n->noc.reply_flits, 5 + 5 + 1 + 5);
  assert_int_equal(n->noc.stall_cycles, 0);
  finish(mem);
}

static void test_latency_gtx480(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  unsigned miss = round_trip(mem, 3, read_of(0x20000, 11));
  unsigned hit = round_trip(mem, 4, read_of(0x20000, 12));
  assert_int_equal(hit, hit_cycles(&c, 1, 5));
  double dram = (1 + dram_clocks(&c, 2)) * 700.0 / 924.0; /* phase: a cycle either way */
  print_message("hit %u, miss %u core cycles\n", hit, miss);
  assert_true(miss >= hit + dram - 1.0 && miss <= hit + dram + 1.0);
  assert_in_range(hit, 140, 200);
  assert_in_range(miss, 330, 400);
  finish(mem);
}

/* Half-speed crossbar and L2: their part of the latency doubles. */
static void test_latency_scales_with_clocks(void **state) {
  (void)state;
  wf_mem_config c = one_clock();
  c.noc_mhz = c.l2_mhz = c.core_mhz / 2;
  wf_mem *mem = make(&c, NULL);
  (void)round_trip(mem, 0, read_of(0x20000, 1));
  unsigned hit = round_trip(mem, 0, read_of(0x20000, 1)), want = 2 * hit_cycles(&c, 1, 5);
  assert_in_range(hit, want - 4, want);
  finish(mem);
}

static void test_partition_mapping(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  for (uint64_t a = 0; a < 1 << 20; a += 128) {
    assert_int_equal(wf_mem_partition(mem, a), a / 256 % 6);
    const wf_l2 *l2 = &mem->l2[wf_mem_partition(mem, a)];
    assert_int_equal(wf_l2_local_line(l2, a), a / 256 / 6 * 2 + a / 128 % 2);
  }
  assert_int_equal(line_of(mem, 4, 3), (1 * 6 + 4) * 256 + 128);
  finish(mem);
}

static wf_l2_line *line_state(wf_mem *mem, uint64_t address) {
  wf_l2 *l2 = &mem->l2[wf_mem_partition(mem, address)];
  uint32_t line = wf_l2_local_line(l2, address);
  for (unsigned i = 0; i < l2->sets * l2->stride; i++)
    if (l2->tag[i] == line) return &l2->line[i];
  return NULL;
}

static void check_line(wf_mem *mem, uint64_t address, unsigned valid, unsigned partial,
                       unsigned dirty) {
  const wf_l2_line *l = line_state(mem, address);
  assert_non_null(l);
  assert_int_equal(l->valid, valid);
  assert_int_equal(l->partial, partial);
  assert_int_equal(l->dirty, dirty);
}

static void test_write_validate(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  uint64_t a = 0x30000;
  /* Sector 0 whole, sector 1 in part. */
  (void)round_trip(mem, 0, write_of(a, 1, 3, 1));
  check_line(mem, a, 1, 2, 3);
  assert_int_equal(n->dram.reads, 0);
  /* Reading the whole sector hits. */
  wf_packet p = read_of(a, 2);
  p.sectors = 1;
  p.reply_bytes = 32;
  assert_int_equal(round_trip(mem, 0, p), hit_cycles(&c, 1, 2));
  assert_int_equal(n->dram.reads, 0);
  /* Reading the partial one fetches its burst, and only that, and merges. */
  p.sectors = 2;
  (void)round_trip(mem, 0, p);
  check_line(mem, a, 3, 0, 3);
  assert_int_equal(n->dram.read_bytes, 64);
  /* The other half is still missing. */
  (void)round_trip(mem, 0, read_of(a, 3));
  check_line(mem, a, 15, 0, 3);
  assert_int_equal(n->dram.read_bytes, 128);
  assert_int_equal(n->dram.reads, 2);
  /* A partial write to a valid sector leaves it valid. */
  (void)round_trip(mem, 0, write_of(a, 4, 8, 0));
  check_line(mem, a, 15, 0, 11);
  assert_int_equal(n->l2.hits, 2);
  assert_int_equal(n->l2.misses, 3);
  finish(mem);
}

/* A write to a line whose fetch is under way is kept; the fill adds the rest. */
static void test_write_during_fetch(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  uint64_t a = 0x30000;
  wf_packet r = read_of(a, 1), w = write_of(a, 2, 4, 0);
  assert_true(wf_mem_send(mem, 0, &r));
  assert_true(wf_mem_send(mem, 1, &w));
  (void)wait_reply(mem, 1, NULL);
  check_line(mem, a, 0, 4, 4);
  (void)wait_reply(mem, 0, NULL);
  check_line(mem, a, 15, 0, 4);
  finish(mem);
}

static void test_eviction_writes_dirty_bursts(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_bytes = 8 * 128; /* one set */
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  (void)round_trip(mem, 0, write_of(line_of(mem, 0, 0), 1, 1, 1));   /* one burst dirty */
  (void)round_trip(mem, 0, write_of(line_of(mem, 0, 1), 1, 15, 15)); /* two */
  for (unsigned i = 2; i < 8; i++) (void)round_trip(mem, 0, read_of(line_of(mem, 0, i), i));
  assert_int_equal(n->l2.evictions, 0);
  (void)round_trip(mem, 0, read_of(line_of(mem, 0, 1), 1)); /* line 0 is now the oldest */
  (void)round_trip(mem, 0, read_of(line_of(mem, 0, 8), 1));
  drain(mem);
  assert_int_equal(n->l2.evictions, 1);
  assert_int_equal(n->l2.writebacks, 1);
  assert_int_equal(n->dram.write_bytes, 64);
  assert_null(line_state(mem, line_of(mem, 0, 0)));
  for (unsigned i = 9; i < 16; i++) (void)round_trip(mem, 0, read_of(line_of(mem, 0, i), i));
  drain(mem);
  assert_int_equal(n->l2.evictions, 8);
  assert_int_equal(n->l2.writebacks, 2);
  assert_int_equal(n->dram.write_bytes, 64 + 128);
  assert_int_equal(n->dram.writes, 2);
  finish(mem);
}

static void test_mshr_merge(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_mshr_merge = 4;
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  wf_packet p = read_of(0x50000, 0);
  for (unsigned sm = 0; sm < 6; sm++) {
    p.id = sm;
    assert_true(wf_mem_send(mem, sm, &p));
  }
  for (unsigned sm = 0; sm < 6; sm++) {
    wf_packet reply;
    (void)wait_reply(mem, sm, &reply);
    assert_int_equal(reply.id, sm);
  }
  assert_int_equal(n->dram.reads, 1);
  assert_int_equal(n->l2.misses, 1);
  assert_int_equal(n->l2.merges, 3); /* the MSHR holds 4; the others wait and then hit */
  assert_int_equal(n->l2.hits, 2);
  assert_true(n->l2.stall_cycles > 100);
  finish(mem);
}

/* A second request for sectors that the first does not fetch. */
static void test_mshr_widens(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  wf_packet p = read_of(0x50000, 1);
  p.sectors = 1;
  p.reply_bytes = 32;
  assert_true(wf_mem_send(mem, 0, &p));
  p.sectors = 8;
  assert_true(wf_mem_send(mem, 1, &p));
  p.sectors = 2; /* comes with sector 0's burst */
  assert_true(wf_mem_send(mem, 2, &p));
  for (unsigned sm = 0; sm < 3; sm++) (void)wait_reply(mem, sm, NULL);
  assert_int_equal(n->dram.reads, 2);
  assert_int_equal(n->dram.read_bytes, 128);
  assert_int_equal(n->l2.merges, 2);
  check_line(mem, 0x50000, 15, 0, 0);
  finish(mem);
}

static void test_mshr_exhaustion(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_mshrs = 4;
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  unsigned most = 0, done = 0, sent = 0;
  for (unsigned t = 0; t < 20000 && done < 100; t++) {
    wf_packet p = read_of(line_of(mem, 2, 7 * sent), sent);
    if (sent < 100) sent += wf_mem_send(mem, 1, &p);
    if (wf_mem_peek(mem, 1)) {
      wf_mem_pop(mem, 1);
      done++;
    }
    wf_mem_tick(mem);
    unsigned used = mem->l2[2].n_mshrs - mem->l2[2].free_count;
    if (used > most) most = used;
    assert_true(used <= 4);
  }
  assert_int_equal(done, 100);
  assert_int_equal(most, 4);
  assert_int_equal(n->l2.misses, 100);
  assert_true(n->l2.stall_cycles > 1000);
  finish(mem);
}

/* All ways of a set waiting for DRAM: a further line of the set waits, and nothing is lost. */
static void test_pinned_ways(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_ways = 2;
  c.l2_bytes = 2 * 128;
  wf_mem *mem = make(&c, NULL);
  for (unsigned i = 0; i < 12; i++) {
    wf_packet p = read_of(line_of(mem, 0, i), i);
    assert_true(wf_mem_send(mem, i, &p));
  }
  unsigned done = 0, most = 0;
  for (unsigned t = 0; t < 20000 && done < 12; t++) {
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1, done++)
      wf_mem_pop(mem, (unsigned)__builtin_ctzll(m));
    wf_mem_tick(mem);
    unsigned used = mem->l2[0].n_mshrs - mem->l2[0].free_count;
    if (used > most) most = used;
  }
  assert_int_equal(done, 12);
  assert_int_equal(most, 2);
  assert_int_equal(wf_mem_get_counters(mem)->l2.misses, 12);
  assert_int_equal(wf_mem_get_counters(mem)->l2.evictions, 10);
  finish(mem);
}

static void test_atomics(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  uint64_t a = 0x60000;
  (void)round_trip(mem, 0, atomic_of(a, 1, 1)); /* fetches */
  check_line(mem, a, 3, 0, 1);
  assert_int_equal(n->dram.reads, 1);
  assert_int_equal(round_trip(mem, 0, atomic_of(a, 2, 1)), hit_cycles(&c, 1, 1));
  assert_int_equal(n->l2.atomics, 2);
  /* 32 conflicting lanes hold the pipeline for 32 cycles: the next request waits for them. */
  wf_packet hot = atomic_of(a, 3, 32), next = atomic_of(a, 4, 1);
  assert_true(wf_mem_send(mem, 0, &hot));
  assert_true(wf_mem_send(mem, 0, &next));
  unsigned first = wait_reply(mem, 0, NULL), second = wait_reply(mem, 0, NULL);
  assert_int_equal(first, hit_cycles(&c, 1, 1));
  assert_int_equal(second, 32);
  finish(mem);
}

/* Merged atomics on a line being fetched take their cycles when it arrives. */
static void test_atomics_replayed(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  for (unsigned i = 0; i < 4; i++) {
    wf_packet p = atomic_of(0x60000, i, 10);
    assert_true(wf_mem_send(mem, i, &p));
  }
  (void)wait_reply(mem, 0, NULL);
  for (unsigned i = 1; i < 4; i++) assert_in_range(wait_reply(mem, i, NULL), 9, 11);
  check_line(mem, 0x60000, 3, 0, 1);
  finish(mem);
}

/* The data path moves one flit a cycle: 128-byte hits of one slice leave every 5 cycles. */
static void test_reply_bandwidth(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  (void)round_trip(mem, 0, read_of(line_of(mem, 0, 0), 0));
  unsigned done = 0;
  for (unsigned t = 0; t < 6000; t++) {
    for (unsigned sm = 0; sm < 15; sm++) {
      wf_packet p = read_of(line_of(mem, 0, 0), t);
      (void)wf_mem_send(mem, sm, &p);
    }
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1) {
      wf_mem_pop(mem, (unsigned)__builtin_ctzll(m));
      done += t >= 1000;
    }
    wf_mem_tick(mem);
  }
  assert_in_range(done, 999, 1001);
  finish(mem);
}

/* Hits with short replies take all the room that replies have: a miss of a whole line is answered
 * all the same, in bounded time, with l2.reply_patience. */
static void test_miss_beside_polling(void **state) {
  (void)state;
  enum { POLLERS = 14, ASKED = 4000, WAIT = 4000, MISS = 1 << 20 };
  wf_mem_config c = gtx480();
  c.l2_reply_patience = 1024;
  wf_mem *mem = make(&c, NULL);
  (void)round_trip(mem, 0, read_of(line_of(mem, 0, 0), 0));
  unsigned answered = 0;
  for (unsigned t = 0; t < ASKED + WAIT && !answered; t++) {
    for (unsigned sm = 0; sm < POLLERS; sm++) {
      wf_packet p = read_of(line_of(mem, 0, 0), t);
      p.reply_bytes = 32;
      p.sectors = 1;
      (void)wf_mem_send(mem, sm, &p);
    }
    wf_packet miss = read_of(line_of(mem, 0, 1), MISS);
    if (t == ASKED) assert_true(wf_mem_send(mem, POLLERS, &miss));
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1) {
      const unsigned sm = (unsigned)__builtin_ctzll(m);
      if (wf_mem_peek(mem, sm)->id == MISS) answered = t;
      wf_mem_pop(mem, sm);
    }
    wf_mem_tick(mem);
  }
  assert_in_range(answered, ASKED, ASKED + WAIT);
  wf_mem_destroy(mem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_latency_one_clock),
      cmocka_unit_test(test_latency_gtx480),
      cmocka_unit_test(test_latency_scales_with_clocks),
      cmocka_unit_test(test_partition_mapping),
      cmocka_unit_test(test_write_validate),
      cmocka_unit_test(test_write_during_fetch),
      cmocka_unit_test(test_eviction_writes_dirty_bursts),
      cmocka_unit_test(test_mshr_merge),
      cmocka_unit_test(test_mshr_widens),
      cmocka_unit_test(test_mshr_exhaustion),
      cmocka_unit_test(test_pinned_ways),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_atomics_replayed),
      cmocka_unit_test(test_reply_bandwidth),
      cmocka_unit_test(test_miss_beside_polling),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
