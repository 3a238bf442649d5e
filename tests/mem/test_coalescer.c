/* The request coalescer: its table alone, and in front of an L2 slice. */
#include "sim/mem/coalescer.h"
#include "tests/mem/harness.h"

/* ---- the table alone ---- */

static wf_coalescer table(unsigned entries, unsigned merges) {
  wf_coalescer c;
  wf_coalescer_init(&c, entries, merges);
  return c;
}

/* The entry with which the packet goes on, or -1 if it is kept. */
static int take(wf_coalescer *c, wf_packet p) {
  const bool joins = wf_coalescer_joins(c, &p), kept = wf_coalescer_take(c, &p);
  assert_int_equal(joins, kept);
  return kept ? -1 : p.entry;
}

/* Answers the entry; the ids of the requests that shared it must be from, from + 1 .. */
static void answer(wf_coalescer *c, int entry, unsigned from, unsigned n) {
  wf_coalescer_answer(c, (unsigned)entry);
  for (unsigned i = 0; i < n; i++) {
    const wf_packet *p = wf_coalescer_next(c);
    assert_non_null(p);
    assert_int_equal(p->id, from + i);
    assert_int_equal(p->entry, WF_COALESCER_NONE);
    wf_coalescer_pop(c);
  }
  assert_null(wf_coalescer_next(c));
}

static void test_shares(void **state) {
  (void)state;
  wf_coalescer c = table(8, 4);
  const int a = take(&c, read_of(0x1000, 0)), b = take(&c, read_of(0x2000, 10));
  assert_int_not_equal(a, b);
  for (unsigned id = 1; id < 4; id++) assert_int_equal(take(&c, read_of(0x1000, id)), -1);
  /* Four share the access: the fifth begins another, which those behind it join. */
  const int more = take(&c, read_of(0x1000, 4));
  assert_true(more >= 0 && more != a && more != b);
  assert_int_equal(take(&c, read_of(0x1000, 5)), -1);
  assert_int_equal(wf_coalescer_used(&c), 3);
  answer(&c, a, 1, 3);
  answer(&c, more, 5, 1);
  answer(&c, b, 0, 0);
  assert_int_equal(wf_coalescer_used(&c), 0);
  /* Once it is answered nobody joins. */
  assert_true(take(&c, read_of(0x1000, 6)) >= 0);
  wf_coalescer_free(&c);
}

static void test_sectors(void **state) {
  (void)state;
  wf_coalescer c = table(4, 4);
  wf_packet p = read_of(0x1000, 1);
  p.sectors = 3;
  const int two = take(&c, p);
  p.sectors = 2;
  assert_int_equal(take(&c, p), -1);
  p.sectors = 6; /* one of them is not on its way */
  const int other = take(&c, p);
  assert_true(other >= 0 && other != two);
  p.sectors = 3; /* the line's open entry is the new one */
  assert_true(take(&c, p) >= 0);
  p.urgent = 1; /* would wait for what is not urgent */
  assert_true(take(&c, p) >= 0);
  assert_int_equal(wf_coalescer_used(&c), 4);
  wf_coalescer_free(&c);
}

static void test_full_table(void **state) {
  (void)state;
  wf_coalescer c = table(3, 2);
  int entry[3];
  for (unsigned i = 0; i < 3; i++) entry[i] = take(&c, read_of(0x1000 * (i + 1), i));
  assert_int_equal(take(&c, read_of(0x9000, 9)), WF_COALESCER_NONE);
  assert_int_equal(take(&c, read_of(0x9000, 9)), WF_COALESCER_NONE); /* nor does it join itself */
  assert_int_equal(take(&c, read_of(0x2000, 5)), -1);                /* those there are joined */
  /* An entry is free when all of its requests are answered, not before. */
  wf_coalescer_answer(&c, (unsigned)entry[1]);
  assert_int_equal(take(&c, read_of(0x9000, 9)), WF_COALESCER_NONE);
  wf_coalescer_pop(&c);
  assert_int_equal(take(&c, read_of(0x9000, 9)), entry[1]);
  wf_coalescer_free(&c);
}

static void test_writes_and_atomics_close(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 2; kind++) {
    wf_coalescer c = table(8, 4);
    const int before = take(&c, read_of(0x1000, 0));
    assert_int_equal(take(&c, read_of(0x1000, 1)), -1);
    const wf_packet w = kind ? atomic_of(0x1000, 2, 1) : write_of(0x1000, 2, 1, 1);
    assert_int_equal(take(&c, w), WF_COALESCER_NONE); /* goes on, and is not tracked */
    const int behind = take(&c, read_of(0x1000, 3));
    assert_true(behind >= 0 && behind != before);
    assert_int_equal(take(&c, kind ? atomic_of(0x3000, 4, 1) : write_of(0x3000, 4, 1, 1)),
                     WF_COALESCER_NONE); /* another line's: no matter */
    assert_int_equal(take(&c, read_of(0x1000, 5)), -1);
    wf_coalescer_close(&c, 0x1000); /* a unit's write */
    assert_true(take(&c, read_of(0x1000, 6)) >= 0);
    answer(&c, before, 1, 1);
    answer(&c, behind, 5, 1);
    wf_coalescer_free(&c);
  }
}

static void test_absent(void **state) {
  (void)state;
  wf_coalescer c = table(0, 4);
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(take(&c, read_of(0x1000, i)), WF_COALESCER_NONE);
  assert_int_equal(wf_coalescer_used(&c), 0);
  wf_coalescer_close(&c, 0x1000);
  wf_coalescer_free(&c);
}

/* ---- in front of a slice ---- */

static wf_mem_config with(unsigned entries, unsigned merges) {
  wf_mem_config c = one_clock();
  c.l2_coalescer = entries;
  c.l2_coalescer_merges = merges;
  return c;
}

/* All SMs ask for one line in one cycle; returns the cycle after which all have it. */
static unsigned all_read(wf_mem *mem, uint64_t address) {
  uint64_t got = 0;
  for (unsigned sm = 0; sm < 15; sm++) {
    const wf_packet p = read_of(address, 100 + sm);
    assert_true(wf_mem_send(mem, sm, &p));
  }
  for (unsigned t = 0; t < 10000; t++) {
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1) {
      const unsigned sm = (unsigned)__builtin_ctzll(m);
      const wf_packet *p = wf_mem_peek(mem, sm);
      assert_int_equal(p->id, 100 + sm);
      assert_int_equal(p->sm, sm);
      assert_int_equal(p->address, address);
      assert_int_equal(p->reply_bytes, 128);
      assert_false(got >> sm & 1);
      got |= UINT64_C(1) << sm;
      wf_mem_pop(mem, sm);
    }
    if (got == (1u << 15) - 1) return t;
    wf_mem_tick(mem);
  }
  fail_msg("not all have it: %llx", (unsigned long long)got);
  return 0;
}

/* 15 requests, 4 to an access: the slice sees 4. Who waits is not later than with an access of its
 * own: replies leave at a line in five cycles either way. */
static void test_one_access_for_four(void **state) {
  (void)state;
  const wf_mem_config c = with(1024, 4), plain = with(0, 4);
  wf_mem *mem = make(&c, NULL), *without = make(&plain, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem), *m = wf_mem_get_counters(without);
  const unsigned merged = all_read(mem, 0x30000), alone = all_read(without, 0x30000);
  assert_int_equal(n->l2.reads, 4);
  assert_int_equal(n->l2.coalesced, 11);
  assert_int_equal(n->l2.coalescer_full, 0);
  assert_int_equal(n->l2.misses, 1);
  assert_int_equal(n->l2.merges, 3);
  assert_int_equal(n->dram.reads, 1);
  assert_int_equal(m->l2.reads, 15);
  assert_int_equal(m->l2.coalesced, 0);
  assert_int_equal(n->noc.flits, m->noc.flits); /* it stands behind the crossbar */
  assert_in_range(merged, alone - 8, alone);
  finish(mem);
  finish(without);
}

/* The one sent on is as fast as without; alone a request finds nobody. */
static void test_costs_no_time(void **state) {
  (void)state;
  const wf_mem_config c = with(16, 4), plain = with(0, 0);
  wf_mem *mem = make(&c, NULL), *without = make(&plain, NULL);
  for (unsigned i = 0; i < 200; i++) {
    const uint64_t a = line_of(mem, i % 6, i * 7 % 50);
    const wf_packet p = i % 3 == 2 ? write_of(a, i, 15, 15) : read_of(a, i);
    assert_int_equal(round_trip(mem, i % 15, p), round_trip(without, i % 15, p));
  }
  assert_int_equal(wf_mem_get_counters(mem)->l2.coalesced, 0);
  finish(mem);
  finish(without);
}

static void test_write_between(void **state) {
  (void)state;
  const wf_mem_config c = with(64, 8);
  wf_mem *mem = make(&c, NULL);
  const wf_packet p[] = {read_of(0x30000, 0), read_of(0x30000, 1),      write_of(0x30000, 2, 1, 1),
                         read_of(0x30000, 3), atomic_of(0x30000, 4, 1), read_of(0x30000, 5)};
  for (unsigned i = 0; i < sizeof p / sizeof *p; i++) {
    for (unsigned t = 0; t < 6; t++) wf_mem_tick(mem); /* one after the other from one SM */
    assert_true(wf_mem_send(mem, 0, &p[i]));
  }
  drain(mem);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  assert_int_equal(n->l2.reads, 3);
  assert_int_equal(n->l2.coalesced, 1);
  assert_int_equal(n->l2.writes + n->l2.atomics, 2);
  finish(mem);
}

/* A table of one entry: a second line's reads go alone while it is taken. */
static void test_full_in_front_of_a_slice(void **state) {
  (void)state;
  const wf_mem_config c = with(1, 4);
  wf_mem *mem = make(&c, NULL);
  for (unsigned sm = 0; sm < 4; sm++) {
    const wf_packet p = read_of(line_of(mem, 0, sm / 2 * 8), sm);
    assert_true(wf_mem_send(mem, sm, &p));
    for (unsigned t = 0; t < 4; t++) wf_mem_tick(mem);
  }
  drain(mem);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  assert_int_equal(n->l2.coalesced, 1);
  assert_int_equal(n->l2.coalescer_full, 2);
  assert_int_equal(n->l2.reads, 3);
  finish(mem);
}

/* SMs that take nothing: all fills up and pushes back; when they take again all of it comes. */
static void test_pushes_back(void **state) {
  (void)state;
  const wf_mem_config c = with(4, 4);
  wf_mem *mem = make(&c, NULL);
  unsigned sent = 0, got = 0, last = 0;
  for (unsigned t = 0; t < 4000; t++) {
    for (unsigned sm = 0; sm < 15; sm++) {
      const wf_packet p = read_of(line_of(mem, 0, (t / 4 + sm) % 3), t);
      if (wf_mem_send(mem, sm, &p)) sent++, last = t;
    }
    wf_mem_tick(mem);
  }
  assert_true(last < 2000);
  assert_true(mem->l2[0].fan_wait.blocked);
  for (unsigned t = 0; t < 100000 && !wf_mem_idle(mem); t++) {
    for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1, got++)
      wf_mem_pop(mem, (unsigned)__builtin_ctzll(m));
    wf_mem_tick(mem);
  }
  assert_int_equal(got, sent);
  assert_true(wf_mem_get_counters(mem)->l2.coalesced > 0);
  finish(mem);
}

static void test_range(void **state) {
  (void)state;
  wf_error err = {0};
  wf_mem_config c = with(16, 1);
  assert_null(wf_mem_create(&c, NULL, &err));
  assert_non_null(strstr(err.text, "l2_coalescer_merges = 1"));
  c = with(5000, 4);
  assert_null(wf_mem_create(&c, NULL, &err));
  assert_non_null(strstr(err.text, "l2_coalescer = 5000"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_sectors),
      cmocka_unit_test(test_full_table),
      cmocka_unit_test(test_writes_and_atomics_close),
      cmocka_unit_test(test_absent),
      cmocka_unit_test(test_one_access_for_four),
      cmocka_unit_test(test_costs_no_time),
      cmocka_unit_test(test_write_between),
      cmocka_unit_test(test_full_in_front_of_a_slice),
      cmocka_unit_test(test_pushes_back),
      cmocka_unit_test(test_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
