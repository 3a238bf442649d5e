/* The prefetcher in an L2 slice: what it brings, what it leaves alone. */
#include "sim/mem/prefetch.h"
#include "tests/mem/harness.h"

static wf_mem_config with(wf_prefetch_kind kind) {
  wf_mem_config c = one_clock();
  c.l2_prefetch = kind;
  return c;
}

/* One SM reads a line after the other, each when it has the last; returns the cycles. */
static unsigned read_in_turn(wf_mem *mem, const uint64_t *address, unsigned n) {
  unsigned done = 0, t = 0;
  bool sent = false;
  for (; done < n && t < 1000000; t++) {
    const wf_packet p = read_of(address[done], done), *back = wf_mem_peek(mem, 0);
    if (back) {
      assert_int_equal(back->id, done);
      assert_int_equal(back->address, address[done]);
      wf_mem_pop(mem, 0);
      done++;
      sent = false;
    } else if (!sent) {
      sent = wf_mem_send(mem, 0, &p);
    }
    wf_mem_tick(mem);
  }
  assert_int_equal(done, n);
  return t;
}

enum { LINES = 400 };

static unsigned run(wf_prefetch_kind kind, const uint64_t *address, wf_mem_counters *n) {
  const wf_mem_config c = with(kind);
  wf_mem *mem = make(&c, NULL);
  const unsigned cycles = read_in_turn(mem, address, LINES);
  drain(mem);
  assert_conserved(mem);
  *n = *wf_mem_get_counters(mem);
  assert_int_equal(n->l2.reads, LINES);
  assert_int_equal(n->l2.hits + n->l2.misses + n->l2.merges, LINES);
  assert_int_equal(n->dram.reads, n->l2.misses + n->l2.prefetches);
  assert_true(n->l2.prefetches_useful <= n->l2.prefetches);
  wf_mem_destroy(mem);
  return cycles;
}

/* Lines in order, of all partitions: each slice sees its own in order. */
static void test_lines_in_order(void **state) {
  (void)state;
  static const wf_prefetch_kind kinds[] = {WF_PREFETCH_STRIDE, WF_PREFETCH_STREAM, WF_PREFETCH_GHB};
  uint64_t address[LINES];
  wf_mem_counters plain, n;
  for (unsigned i = 0; i < LINES; i++) address[i] = UINT64_C(0x100000) + 128 * i;
  const unsigned alone = run(WF_PREFETCH_NONE, address, &plain);
  assert_int_equal(plain.l2.misses, LINES);
  assert_int_equal(plain.l2.prefetches, 0);
  for (unsigned k = 0; k < 3; k++) {
    const unsigned cycles = run(kinds[k], address, &n);
    assert_true(n.l2.prefetches_useful > LINES / 2);
    assert_true(n.l2.misses < LINES / 2);
    assert_true(cycles < alone * 8 / 10);
  }
}

/* Lines without order: next to nothing is foretold, and no time is lost. */
static void test_lines_without_order(void **state) {
  (void)state;
  uint64_t address[LINES];
  wf_mem_counters plain, n;
  for (unsigned i = 0; i < LINES; i++)
    address[i] = ((uint64_t)i * 2654435761u % 65536) * UINT64_C(4096);
  const unsigned alone = run(WF_PREFETCH_NONE, address, &plain);
  const unsigned cycles = run(WF_PREFETCH_STREAM, address, &n);
  assert_true(n.l2.prefetches < LINES / 20);
  assert_true(cycles <= alone * 102 / 100);
}

/* Only kinds that see lines can stand there. */
static void test_range(void **state) {
  (void)state;
  wf_error err = {0};
  const wf_mem_config c = with(WF_PREFETCH_IMP);
  assert_null(wf_mem_create(&c, NULL, &err));
  assert_non_null(strstr(err.text, "l2_prefetch = 4"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines_in_order),
      cmocka_unit_test(test_lines_without_order),
      cmocka_unit_test(test_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
