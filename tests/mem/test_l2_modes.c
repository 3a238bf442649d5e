/* The L2 with stores that go on to DRAM, with whole lines brought, and as a home of what L1s
 * replace. */
#include "tests/mem/harness.h"

static const wf_l2_line *line_state(wf_mem *mem, uint64_t address) {
  wf_l2 *l2 = &mem->l2[wf_mem_partition(mem, address)];
  const uint32_t line = wf_l2_local_line(l2, address);
  for (unsigned i = 0; i < l2->first_wayless + l2->n_mshrs; i++)
    if (l2->tag[i] == line) return &l2->line[i];
  return NULL;
}

static wf_packet moving(uint64_t address, uint32_t id) {
  wf_packet p = read_of(address, id);
  p.moves = 1;
  return p;
}

static void send_victim(wf_mem *mem, unsigned sm, uint64_t address) {
  const wf_packet p = {.address = address, .bytes = 128, .kind = WF_PKT_VICTIM, .sectors = 15};
  assert_true(wf_mem_send(mem, sm, &p));
  drain(mem);
}

static void stores_go_on(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_write = WF_L2_WRITE_EVICT;
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  const uint64_t a = 0x30000;
  (void)round_trip(mem, 0, write_of(a, 1, 3, 1)); /* no line: none after it */
  assert_null(line_state(mem, a));
  (void)round_trip(mem, 0, read_of(a, 2));
  assert_int_equal(line_state(mem, a)->valid, 15);
  (void)round_trip(mem, 0, atomic_of(a, 3, 1)); /* stays there */
  assert_int_equal(line_state(mem, a)->dirty, 1);
  (void)round_trip(mem, 0, write_of(a, 4, 8, 8)); /* takes the line and the atomic's sector along */
  assert_null(line_state(mem, a));
  drain(mem);
  assert_int_equal(n->dram.writes, 2);
  assert_int_equal(n->dram.write_bytes, 64 + 128);
  wf_packet r = read_of(a, 5), w = write_of(a, 6, 4, 4); /* a line on its way stays, clean */
  assert_true(wf_mem_send(mem, 0, &r));
  assert_true(wf_mem_send(mem, 1, &w));
  (void)wait_reply(mem, 1, NULL);
  (void)wait_reply(mem, 0, NULL);
  assert_int_equal(line_state(mem, a)->valid, 15);
  assert_int_equal(line_state(mem, a)->dirty, 0);
  assert_int_equal(n->dram.writes, 3);
  finish(mem);
}

static void misses_bring_lines(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_fill = WF_L2_FILL_LINE;
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  wf_packet p = read_of(0x30000, 1);
  p.sectors = 1;
  (void)round_trip(mem, 0, p);
  assert_int_equal(n->dram.read_bytes, 128);
  (void)round_trip(mem, 0, atomic_of(0x40000, 2, 1)); /* an atomic, too */
  assert_int_equal(n->dram.read_bytes, 256);
  (void)round_trip(mem, 0, write_of(0x50000, 3, 1, 1));
  (void)round_trip(mem, 0, read_of(0x50000, 4)); /* the sectors that the store did not bring */
  assert_int_equal(line_state(mem, 0x50000)->valid, 15);
  finish(mem);
}

static void lines_move_to_an_l1_and_back(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_exclusive = 1;
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  const uint64_t a = 0x30000;
  (void)round_trip(mem, 0, moving(a, 1));
  assert_null(line_state(mem, a)); /* went past */
  send_victim(mem, 0, a);
  assert_int_equal(line_state(mem, a)->valid, 15);
  send_victim(mem, 1, a); /* there already */
  assert_int_equal(n->l2.victims_dropped, 1);
  (void)round_trip(mem, 0, moving(a, 2));
  assert_null(line_state(mem, a));
  assert_int_equal(n->l2.moved, 1);
  assert_int_equal(n->dram.reads, 1);
  (void)round_trip(mem, 0, read_of(a, 3)); /* of one who keeps nothing: it stays */
  assert_non_null(line_state(mem, a));
  (void)round_trip(mem, 0, write_of(a, 4, 1, 1));
  (void)round_trip(mem, 0, moving(a, 5)); /* newer than DRAM's: stays */
  assert_non_null(line_state(mem, a));
  assert_int_equal(n->l2.moved, 1);
  finish(mem);
}

static void stale_victims_are_dropped(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_exclusive = 1;
  c.l2_write = WF_L2_WRITE_EVICT;
  wf_mem *mem = make(&c, NULL);
  const wf_mem_counters *n = wf_mem_get_counters(mem);
  const uint64_t a = 0x30000;
  (void)round_trip(mem, 0, moving(a, 1));
  (void)round_trip(mem, 1, write_of(a, 2, 1, 1)); /* another SM's */
  send_victim(mem, 0, a);
  assert_null(line_state(mem, a));
  assert_int_equal(n->l2.victims_stale, 1);
  wf_mem_forget_stores(mem);
  send_victim(mem, 0, a);
  assert_non_null(line_state(mem, a));
  finish(mem);
}

/* Someone who wants the line kept joins one that is on its way past. */
static void a_line_without_a_way_gets_one(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_exclusive = 1;
  for (unsigned kind = 0; kind < 3; kind++) {
    wf_mem *mem = make(&c, NULL);
    const uint64_t a = 0x30000;
    const wf_packet first = moving(a, 1),
                    others[] = {read_of(a, 2), write_of(a, 2, 1, 1), atomic_of(a, 2, 1)};
    assert_true(wf_mem_send(mem, 0, &first));
    assert_true(wf_mem_send(mem, 1, &others[kind]));
    (void)wait_reply(mem, 0, NULL);
    if (kind != 1) (void)wait_reply(mem, 1, NULL); /* a store's came before */
    drain(mem);
    assert_int_equal(line_state(mem, a)->valid, 15);
    assert_int_equal(line_state(mem, a)->dirty, kind ? 1 : 0);
    assert_int_equal(wf_mem_get_counters(mem)->dram.reads, 1);
    finish(mem);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stores_go_on),
      cmocka_unit_test(misses_bring_lines),
      cmocka_unit_test(lines_move_to_an_l1_and_back),
      cmocka_unit_test(stale_victims_are_dropped),
      cmocka_unit_test(a_line_without_a_way_gets_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
