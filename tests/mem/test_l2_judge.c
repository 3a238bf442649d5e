/* A slice of L2 with listeners, and with a judge who says what takes a way and what leaves. */
#include "tests/mem/harness.h"

enum { HEARD = 4096, ASKED = 64 };

/* Answers `delay` cycles of the slice after it was asked. */
typedef struct judge {
  wf_slice_judge class;
  wf_cache_row row;
  wf_cache_event heard[HEARD];
  unsigned n_heard;
  struct {
    unsigned slice, wait;
    wf_slice_answer answer;
  } asked[ASKED];
  wf_ring ring;
  unsigned delay, questions;
  wf_slice_answer says;
  bool only_misses;
  uint64_t random; /* not 0: past or not is drawn */
} judge;

static void hear(void *self, const wf_cache_event *e) {
  judge *j = self;
  if (j->n_heard < HEARD) j->heard[j->n_heard++] = *e;
}

static bool ask(void *self, const wf_cache_event *e) {
  judge *j = self;
  const bool miss = e->way == WF_CACHE_NO_WAY && !e->coming;
  assert_true(e->what == WF_CACHE_LOOK && e->level == WF_CACHE_L2);
  if (j->only_misses && !miss) return false;
  const unsigned at = wf_ring_push(&j->ring, ASKED);
  j->asked[at].slice = e->at;
  j->asked[at].wait = j->delay;
  j->asked[at].answer = j->says;
  if (j->random) {
    j->random = j->random * 6364136223846793005u + 1442695040888963407u;
    j->asked[at].answer.past = j->random >> 40 & 1;
    j->asked[at].answer.leaves = j->random >> 41 & 1;
    j->asked[at].answer.more = j->random >> 42 & 15;
  }
  j->questions++;
  return true;
}

static bool answer(void *self, unsigned slice, wf_slice_answer *to) {
  judge *j = self;
  if (!j->ring.count || j->asked[j->ring.head].slice != slice) return false;
  if (j->asked[j->ring.head].wait-- > 1) return false;
  *to = j->asked[wf_ring_pop(&j->ring, ASKED)].answer;
  return true;
}

static judge *listen(wf_mem *mem, bool judges) {
  judge *j = calloc(1, sizeof *j);
  j->delay = 2;
  j->row = (wf_cache_row){.at = {{j, hear}}, .n = 1};
  j->class = (wf_slice_judge){.self = j, .ask = ask, .answer = answer};
  wf_mem_listen(mem, &j->row);
  if (judges) wf_mem_judge(mem, &j->class);
  return j;
}

static wf_l2 *slice_of(wf_mem *mem, uint64_t address) {
  return &mem->l2[wf_mem_partition(mem, address)];
}

static bool has_way(wf_mem *mem, uint64_t address) {
  const wf_l2 *l2 = slice_of(mem, address);
  for (unsigned i = 0; i < l2->first_wayless; i++)
    if (l2->tag[i] == wf_l2_local_line(l2, address)) return true;
  return false;
}

static unsigned count(const judge *j, wf_cache_what what) {
  unsigned n = 0;
  for (unsigned i = 0; i < j->n_heard; i++) n += j->heard[i].what == what;
  return n;
}

static wf_packet told(wf_packet p, unsigned pc) {
  p.pc = (uint16_t)pc;
  return p;
}

/* As many lines of one set as it has ways, and one. */
static void fill_set(wf_mem *mem, uint64_t *lines) {
  const wf_l2 *l2 = &mem->l2[0];
  unsigned n = 0;
  for (uint64_t k = 0; n <= l2->ways; k++) {
    const uint64_t a = 0x100000 + line_of(mem, 0, k);
    const uint32_t line = wf_l2_local_line(l2, a), first = wf_l2_local_line(l2, 0x100000);
    const uint32_t sets = l2->sets;
    if (wf_mem_partition(mem, a) == 0 && (!n || line % sets == first % sets)) lines[n++] = a;
  }
}

static void listeners_hear_what_the_slice_does(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_write = WF_L2_WRITE_EVICT;
  wf_mem *mem = make(&c, NULL);
  judge *j = listen(mem, false);
  const uint64_t a = 0x30000;
  (void)round_trip(mem, 1, told(read_of(a, 1), 17));
  assert_int_equal(j->n_heard, 2);
  const wf_cache_event *look = &j->heard[0], *fill = &j->heard[1];
  assert_true(look->what == WF_CACHE_LOOK && !look->hit && !look->coming && !look->keep);
  assert_true(look->pc == 17 && look->sm == 1 && look->way == WF_CACHE_NO_WAY);
  assert_int_equal(look->at, wf_mem_partition(mem, a));
  assert_int_equal(look->line, wf_l2_local_line(slice_of(mem, a), a));
  assert_true(fill->what == WF_CACHE_FILL && fill->line == look->line && fill->set == look->set);
  assert_int_equal(fill->sectors, 15);
  (void)round_trip(mem, 0, told(read_of(a, 2), 18));
  assert_true(j->heard[2].hit && j->heard[2].way == fill->way && j->heard[2].pc == 18);
  (void)round_trip(mem, 0, told(atomic_of(a, 3, 1), 19));
  assert_true(j->heard[3].hit && j->heard[3].keep && j->heard[3].pc == 19);
  (void)round_trip(mem, 0, write_of(a, 4, 1, 1)); /* takes the line along */
  assert_int_equal(j->n_heard, 5);
  assert_true(j->heard[4].what == WF_CACHE_EVICT && j->heard[4].line == look->line);
  assert_int_equal(j->heard[4].way, fill->way);
  finish(mem);
  free(j);
}

static void a_replaced_line_is_told_before_who_comes(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.n_part = 1;
  c.l2_bytes = 96 * 8 * 128; /* sets by remainder */
  c.l2_ways = 8;
  wf_mem *mem = make(&c, NULL);
  judge *j = listen(mem, false);
  uint64_t lines[32];
  fill_set(mem, lines);
  for (unsigned i = 0; i <= c.l2_ways; i++) (void)round_trip(mem, 0, read_of(lines[i], i));
  assert_int_equal(count(j, WF_CACHE_EVICT), 1);
  const wf_cache_event *e = &j->heard[j->n_heard - 2];
  assert_true(e[-1].what == WF_CACHE_LOOK && e->what == WF_CACHE_EVICT &&
              e[1].what == WF_CACHE_FILL);
  assert_int_equal(e->line, wf_l2_local_line(&mem->l2[0], lines[0]));
  assert_int_equal(e->way, e[1].way);
  finish(mem);
  free(j);
}

static void what_goes_past_takes_no_way(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  for (unsigned delay = 1; delay < 4; delay++) {
    wf_mem *mem = make(&c, NULL);
    judge *j = listen(mem, true);
    j->delay = delay;
    j->says.past = true;
    const uint64_t a = 0x30000;
    (void)round_trip(mem, 0, read_of(a, 1));
    assert_false(has_way(mem, a));
    (void)round_trip(mem, 0, atomic_of(a, 2, 1)); /* takes one whatever is said */
    assert_true(has_way(mem, a));
    j->says.past = false;
    (void)round_trip(mem, 0, read_of(a + 0x10000, 3));
    assert_true(has_way(mem, a + 0x10000));
    assert_int_equal(j->questions, 3);
    assert_int_equal(wf_mem_get_counters(mem)->dram.reads, 3);
    finish(mem);
    free(j);
  }
}

static void victims_are_shown_and_kept_where_it_goes_past(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.n_part = 1;
  c.l2_bytes = 96 * 8 * 128;
  c.l2_ways = 8;
  wf_mem *mem = make(&c, NULL);
  judge *j = listen(mem, true);
  uint64_t lines[32];
  fill_set(mem, lines);
  for (unsigned i = 0; i < c.l2_ways; i++) (void)round_trip(mem, 0, read_of(lines[i], i));
  j->says.past = true;
  (void)round_trip(mem, 0, read_of(lines[c.l2_ways], 9));
  assert_true(has_way(mem, lines[0]) && !has_way(mem, lines[c.l2_ways]));
  j->says.past = false;
  (void)round_trip(mem, 0, read_of(lines[c.l2_ways], 10));
  assert_true(!has_way(mem, lines[0]) && has_way(mem, lines[c.l2_ways]));
  finish(mem);
  free(j);
}

/* The answer to a hit: the line goes, the mode comes with the reply. */
static void lines_leave_with_a_reply(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *mem = make(&c, NULL);
  judge *j = listen(mem, true);
  const uint64_t a = 0x30000;
  wf_packet reply;
  j->says = (wf_slice_answer){.leaves = true, .mode = 5};
  const wf_packet p = read_of(a, 1);
  for (unsigned turn = 0; turn < 2; turn++) {
    assert_true(wf_mem_send(mem, 0, &p));
    (void)wait_reply(mem, 0, &reply);
    assert_int_equal(reply.mode, 5);
    assert_int_equal(has_way(mem, a), !turn); /* a miss's stays */
  }
  (void)round_trip(mem, 0, atomic_of(a, 2, 1));
  (void)round_trip(mem, 0, p); /* newer than DRAM's: stays */
  assert_true(has_way(mem, a));
  finish(mem);
  free(j);
}

/* Where lines move, what was written since is known, and a victim that is older is dropped. */
static void written_lines_are_noted_where_lines_move(void **state) {
  (void)state;
  for (unsigned moves = 0; moves < 2; moves++) {
    wf_mem_config c = gtx480();
    c.l2_write = WF_L2_WRITE_EVICT;
    wf_mem *mem = make(&c, NULL);
    judge *j = listen(mem, false);
    j->class.moves = moves;
    wf_mem_judge(mem, &j->class);
    j->says = (wf_slice_answer){.past = true, .leaves = true, .mode = WF_MODE_COPY_BACK};
    const uint64_t a = 0x30000, b = 0x40000;
    const wf_packet victim = {.address = a, .bytes = 128, .kind = WF_PKT_VICTIM, .sectors = 15},
                    other = {.address = b, .bytes = 128, .kind = WF_PKT_VICTIM, .sectors = 15};
    (void)round_trip(mem, 0, read_of(a, 1));
    (void)round_trip(mem, 1, write_of(a, 2, 1, 1));
    assert_true(wf_mem_send(mem, 0, &victim));
    assert_true(wf_mem_send(mem, 0, &other));
    drain(mem);
    assert_int_equal(wf_mem_get_counters(mem)->l2.victims_stale, moves);
    assert_int_equal(has_way(mem, a), !moves);
    assert_true(has_way(mem, b));
    (void)round_trip(mem, 0, read_of(b, 3)); /* and leaves again */
    assert_false(has_way(mem, b));
    finish(mem);
    free(j);
  }
}

/* Two that ask for one line at once: the second joins what the first brings, unless it came before
 * its answer, when it goes past. */
static void a_set_waits_for_its_judge(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  static const unsigned delays[] = {1, 20, 2000};
  for (unsigned i = 0; i < 3; i++) {
    const bool late = delays[i] == 2000;
    wf_mem *mem = make(&c, NULL);
    judge *j = listen(mem, true);
    j->delay = delays[i];
    j->only_misses = true;
    const uint64_t a = 0x30000;
    const wf_packet first = read_of(a, 1), second = read_of(a, 2);
    assert_true(wf_mem_send(mem, 0, &first));
    assert_true(wf_mem_send(mem, 1, &second));
    (void)wait_reply(mem, 0, NULL);
    (void)wait_reply(mem, 1, NULL);
    drain(mem);
    assert_int_equal(has_way(mem, a), !late);
    assert_int_equal(wf_mem_get_counters(mem)->dram.reads, late ? 2 : 1);
    finish(mem);
    free(j);
  }
}

/* Questions whose answer belongs to a request: it is in its MSHR's list. */
static unsigned awaited(const wf_l2 *l2) {
  unsigned n = 0;
  for (unsigned i = 0; i < l2->undecided_ring.count; i++) {
    const wf_l2_undecided *u = &l2->undecided[wf_ring_at(&l2->undecided_ring, i, WF_L2_UNDECIDED)];
    if (u->hit || u->mshr == WF_L2_NO_MSHR) continue;
    assert_true(u->place < l2->mshr[u->mshr].requests);
    n++;
  }
  return n;
}

/* A unit's read brings a line, reads of two SMs join it, the first of which has its answer soon;
 * the line comes, and all is taken. Cycles in which a read waited for an answer that is its own. */
static unsigned beside_a_unit(wf_mem *mem, judge *j, uint64_t a, wf_packet *reply) {
  const wf_mem_counters before = *wf_mem_get_counters(mem), *n = wf_mem_get_counters(mem);
  const unsigned slice = wf_mem_partition(mem, a), delay = j->delay;
  const wf_packet p = read_of(a, 1);
  wf_l2 *l2 = &mem->l2[slice];
  unsigned waited = 0, taken = 0;
  assert_true(wf_mem_unit_read(mem, 0, slice, a, 77));
  while (n->l2.unit_reads == before.l2.unit_reads) wf_mem_tick(mem);
  j->delay = 1;
  assert_true(wf_mem_send(mem, 1, &p));
  while (n->l2.merges == before.l2.merges || awaited(l2)) wf_mem_tick(mem);
  j->delay = delay;
  assert_true(wf_mem_send(mem, 0, &p));
  for (unsigned t = 0; taken < 6; t++) { /* the unit's beats are four */
    assert_true(t < 10000);
    if (wf_mem_unit_beat(mem, 0, slice)) wf_mem_unit_beat_pop(mem, slice), taken++;
    for (unsigned sm = 0; sm < 2; sm++) {
      const wf_packet *got = wf_mem_peek(mem, sm);
      if (!got) continue;
      reply[sm] = *got;
      wf_mem_pop(mem, sm), taken++;
    }
    waited += awaited(l2);
    wf_mem_tick(mem);
  }
  assert_int_equal(n->l2.merges, before.l2.merges + 2);
  return waited;
}

/* The unit's read leaves the MSHR's list first, and what is behind it moves up. An answer in time
 * is its read's; one after the line is nobody's: neither of the request at that place, nor of the
 * line that has the MSHR next. */
static void late_answers_beside_a_units_read(void **state) {
  (void)state;
  static const unsigned delays[] = {2, 100, 450};
  for (unsigned i = 0; i < 3; i++) {
    const bool late = delays[i] == 450;
    wf_mem_config c = gtx480();
    wf_image *image = make_image(1 << 20);
    wf_mem *mem = make(&c, image);
    judge *j = listen(mem, true);
    wf_packet reply[2] = {{0}};
    uint64_t a = WF_IMAGE_BASE + 0x3000, b = a + 0x1000;
    const unsigned slice = wf_mem_partition(mem, a);
    while (wf_mem_partition(mem, b) != slice) b += c.line_bytes;
    j->delay = delays[i];
    j->says.mode = 5;
    const unsigned waited = beside_a_unit(mem, j, a, reply);
    assert_int_equal(reply[1].mode, 5);
    assert_int_equal(reply[0].mode, late ? 0 : 5);
    assert_true(waited && (late ? waited < delays[i] : waited <= delays[i]));
    assert_int_equal(mem->l2[slice].undecided_ring.count, late);
    j->only_misses = true; /* of the next line it is not asked */
    assert_int_equal(beside_a_unit(mem, j, b, reply), 0);
    assert_true(!reply[0].mode && !reply[1].mode);
    assert_int_equal(mem->l2[slice].undecided_ring.count, 0);
    assert_true(has_way(mem, a) && has_way(mem, b));
    assert_int_equal(j->questions, 2);
    assert_int_equal(wf_mem_get_counters(mem)->dram.reads, 2);
    finish(mem);
    free(j);
    wf_image_destroy(image);
  }
}

/* Sectors that the judge names come along, of a miss, and a hit fetches none. A store that takes a
 * way is told with its sectors. */
static void misses_are_widened(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.dram_burst_beats = WF_SECTOR_BYTES / c.dram_bus_bytes;
  wf_mem *mem = make(&c, NULL);
  judge *j = listen(mem, true);
  const uint64_t a = 0x30000, b = 0x50000;
  wf_packet p = told(read_of(a, 1), 17);
  p.sectors = 1;
  j->says.more = 6;
  (void)round_trip(mem, 1, p);
  drain(mem);
  const wf_l2 *l2 = slice_of(mem, a);
  unsigned way = 0;
  while (l2->tag[way] != wf_l2_local_line(l2, a)) way++;
  assert_int_equal(l2->line[way].valid, 7);
  const uint64_t reads = wf_mem_get_counters(mem)->dram.reads;
  j->says.more = 8;
  p.sectors = 4;
  (void)round_trip(mem, 0, p);
  drain(mem);
  assert_int_equal(l2->line[way].valid, 7);
  assert_int_equal(wf_mem_get_counters(mem)->dram.reads, reads);
  j->n_heard = 0;
  p = told(write_of(b, 2, 2, 0), 19);
  (void)round_trip(mem, 0, p);
  assert_int_equal(j->n_heard, 1);
  assert_true(j->heard[0].what == WF_CACHE_FILL && j->heard[0].written == 2);
  assert_int_equal(j->heard[0].pc, 19);
  finish(mem);
  free(j);
}

/* What a unit's port of the crossbar reads is nobody's to hear or to judge, and takes a way; that a
 * line which it writes comes and goes is heard. */
static void a_units_port_is_not_judged(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.unit_port = 1;
  wf_mem *mem = make(&c, NULL);
  judge *j = listen(mem, true);
  const uint64_t a = 0x30000, b = 0x50000;
  j->says.past = true;
  (void)round_trip(mem, c.n_sm, read_of(a, 1));
  assert_true(has_way(mem, a));
  (void)round_trip(mem, c.n_sm, read_of(a, 2));
  assert_int_equal(wf_mem_get_counters(mem)->l2.hits, 1);
  (void)round_trip(mem, c.n_sm, write_of(b, 3, 1, 1));
  assert_true(has_way(mem, b));
  assert_int_equal(count(j, WF_CACHE_LOOK), 0);
  assert_int_equal(count(j, WF_CACHE_FILL), 2);
  assert_int_equal(j->questions, 0);
  /* Beside an SM's read that waits for its judge. */
  const wf_packet p = read_of(a + 0x8000, 4);
  j->delay = 40;
  assert_true(wf_mem_send(mem, 1, &p) && wf_mem_send(mem, c.n_sm, &p));
  (void)wait_reply(mem, c.n_sm, NULL);
  (void)wait_reply(mem, 1, NULL);
  assert_int_equal(j->questions, 1);
  assert_true(has_way(mem, p.address)); /* since the port wants it kept */
  finish(mem);
  free(j);
}

/* Anything at once, with a judge who draws. Each request has one reply, no line is twice. */
static void random_traffic(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.n_part = 1;
  c.l2_bytes = 12 * 4 * 128;
  c.l2_ways = 4;
  for (unsigned seed = 1; seed < 9; seed++) {
    c.l2_write = seed & 1 ? WF_L2_WRITE_EVICT : WF_L2_WRITE_BACK;
    c.unit_port = seed > 4;
    wf_mem *mem = make(&c, NULL);
    judge *j = listen(mem, true);
    wf_rng rng;
    wf_rng_seed(&rng, seed);
    j->random = seed;
    j->only_misses = seed & 2;
    j->delay = seed & 4 ? 3 : 1;
    for (unsigned i = 0; i < 20000; i++) {
      const uint64_t a = 0x10000 + 128 * wf_rng_below(&rng, 96);
      const unsigned kind = (unsigned)wf_rng_below(&rng, 8);
      wf_packet p = kind == 0   ? write_of(a, i, 1, 1)
                    : kind == 1 ? atomic_of(a, i, 1)
                                : told(read_of(a, i), kind);
      if (kind == 2) p.sectors = 2;
      (void)wf_mem_send(mem, i % (c.n_sm + c.unit_port), &p);
      if (c.unit_port && wf_mem_peek(mem, c.n_sm)) wf_mem_pop(mem, c.n_sm);
      for (uint64_t m = wf_mem_pending_sms(mem, 0); m; m &= m - 1)
        wf_mem_pop(mem, (unsigned)__builtin_ctzll(m));
      wf_mem_tick(mem);
    }
    const wf_l2 *l2 = &mem->l2[0];
    for (unsigned v = 0; v < l2->first_wayless; v++)
      for (unsigned w = 0; w < v; w++)
        assert_false(l2->tag[v] != WF_L2_NO_TAG && l2->tag[v] == l2->tag[w]);
    assert_true(j->questions > 1000);
    finish(mem);
    free(j);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(listeners_hear_what_the_slice_does),
      cmocka_unit_test(a_replaced_line_is_told_before_who_comes),
      cmocka_unit_test(what_goes_past_takes_no_way),
      cmocka_unit_test(victims_are_shown_and_kept_where_it_goes_past),
      cmocka_unit_test(lines_leave_with_a_reply),
      cmocka_unit_test(written_lines_are_noted_where_lines_move),
      cmocka_unit_test(a_set_waits_for_its_judge),
      cmocka_unit_test(late_answers_beside_a_units_read),
      cmocka_unit_test(misses_are_widened),
      cmocka_unit_test(a_units_port_is_not_judged),
      cmocka_unit_test(random_traffic),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
