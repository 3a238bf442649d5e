/* The port of a unit in a partition: data, order, and who may block whom. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/mem/harness.h"

enum { IMAGE_BYTES = 1 << 20 };

typedef struct rig {
  wf_image *image;
  wf_mem *mem;
} rig;

static rig setup_with(wf_mem_config c) {
  rig r = {.image = make_image(IMAGE_BYTES)};
  uint32_t *words = (uint32_t *)(void *)wf_image_data(r.image);
  for (uint32_t i = 0; i < IMAGE_BYTES / 4; i++) words[i] = i;
  r.mem = make(&c, r.image);
  return r;
}
static rig setup(void) {
  return setup_with(gtx480());
}

static void teardown(rig r) {
  finish(r.mem);
  wf_image_destroy(r.image);
}

/* The n-th line of a partition that lies in memory. */
static uint64_t at(const rig *r, unsigned part, uint64_t n) {
  return line_of(r->mem, part, n + 2 * (WF_IMAGE_BASE / 256 / 6 + 1));
}
static uint32_t word_at(uint64_t address) {
  return (uint32_t)(address - WF_IMAGE_BASE) / 4;
}

static uint32_t beat_word(const wf_mem_beat *b, unsigned i) {
  uint32_t w;
  memcpy(&w, b->data + 4 * i, 4);
  return w;
}

/* Ticks until the unit has taken a whole block; returns ticks until beat 0. */
static unsigned take_block(wf_mem *mem, unsigned part, uint32_t id, uint32_t *words) {
  unsigned first = 0;
  for (unsigned t = 0, beat = 0; beat < 4; t++) {
    assert_true(t < 10000);
    const wf_mem_beat *b = wf_mem_unit_beat(mem, 0, part);
    if (b) {
      if (beat == 0) first = t;
      assert_int_equal(b->beat, beat);
      assert_int_equal(b->id, id);
      for (unsigned i = 0; i < 8; i++) words[8 * beat + i] = beat_word(b, i);
      wf_mem_unit_beat_pop(mem, part);
      beat++;
      assert_null(wf_mem_unit_beat(mem, 0, part)); /* one a cycle */
    }
    wf_mem_tick(mem);
  }
  return first;
}

static void test_read_latency_and_data(void **state) {
  (void)state;
  wf_mem_config c = one_clock();
  rig r = setup_with(c);
  uint32_t words[32];
  uint64_t a = at(&r, 2, 5);
  assert_true(wf_mem_unit_read(r.mem, 0, 2, a, 77));
  unsigned miss = take_block(r.mem, 2, 77, words);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(words[i], word_at(a) + i);
  assert_true(wf_mem_unit_read(r.mem, 0, 2, a, 78));
  unsigned hit = take_block(r.mem, 2, 78, words);
  assert_int_equal(hit, c.l2_latency + 1);
  assert_int_equal(miss, hit + 1 + c.tRCD + c.tCCDL + c.tCL + 2 + c.dram_latency);
  const wf_mem_counters *n = wf_mem_get_counters(r.mem);
  assert_int_equal(n->l2.unit_reads, 2);
  assert_int_equal(n->l2.unit_hits, 1);
  assert_int_equal(n->l2.hits + n->l2.misses, 0);
  teardown(r);
}

/* Hits stream at a beat a cycle. */
static void test_read_bandwidth(void **state) {
  (void)state;
  rig r = setup();
  unsigned beats = 0;
  for (unsigned t = 0; t < 6000; t++) {
    while (wf_mem_unit_read(r.mem, 0, 1, at(&r, 1, t % 16), t)) {
    }
    if (wf_mem_unit_beat(r.mem, 0, 1)) {
      wf_mem_unit_beat_pop(r.mem, 1);
      beats += t >= 1000;
    }
    wf_mem_tick(r.mem);
  }
  assert_in_range(beats, 4995, 5000);
  teardown(r);
}

static void test_write_masks(void **state) {
  (void)state;
  rig r = setup();
  uint64_t a = at(&r, 0, 3);
  uint32_t line[32], words[32];
  for (unsigned i = 0; i < 32; i++) line[i] = 0xabc00000u + i;
  uint32_t mask = 0x00ff0007; /* sector 0 in part, sector 2 whole */
  assert_true(wf_mem_unit_write(r.mem, 0, 0, a, mask, (const uint8_t *)line));
  assert_true(wf_mem_unit_write(r.mem, 0, 0, a, 0, (const uint8_t *)line)); /* no words: nothing */
  assert_true(wf_mem_unit_read(r.mem, 0, 0, a, 1));
  (void)take_block(r.mem, 0, 1, words);
  for (unsigned i = 0; i < 32; i++)
    assert_int_equal(words[i], mask >> i & 1 ? line[i] : word_at(a) + i);
  const wf_mem_counters *n = wf_mem_get_counters(r.mem);
  assert_int_equal(n->l2.unit_writes, 1);
  assert_int_equal(n->dram.read_bytes, 128); /* sector 2 was valid, but its burst was not */
  teardown(r);
}

/* A beat is what memory holds when it leaves its line: with all writes accepted before, whatever
 * was asked first, and with none accepted after. */
static void test_a_read_sees_memory_when_served(void **state) {
  (void)state;
  rig r = setup();
  uint64_t a = at(&r, 0, 3);
  uint32_t first[32], second[32], words[32];
  memset(first, 0x11, sizeof first);
  memset(second, 0x22, sizeof second);
  assert_true(wf_mem_unit_read(r.mem, 0, 0, a, 1));
  assert_true(wf_mem_unit_write(r.mem, 0, 0, a, UINT32_MAX, (const uint8_t *)first));
  for (unsigned t = 0; !wf_mem_unit_beat(r.mem, 0, 0); t++) {
    assert_true(t < 10000);
    wf_mem_tick(r.mem);
  }
  assert_true(wf_mem_unit_write(r.mem, 0, 0, a, 0x101, (const uint8_t *)second));
  (void)take_block(r.mem, 0, 1, words);
  assert_int_equal(words[0], 0x11111111); /* on offer when it was written */
  assert_int_equal(words[8], 0x22222222);
  assert_int_equal(words[9], 0x11111111);
  assert_true(wf_mem_unit_read(r.mem, 0, 0, a, 2));
  (void)take_block(r.mem, 0, 2, words);
  assert_int_equal(words[0], 0x22222222);
  teardown(r);
}

/* What the unit of slice 0 has asked for and what an observer has seen of it, in their orders. */
typedef struct book {
  wf_mem *mem;
  unsigned burst_sectors;
  struct {
    uint32_t line;
    unsigned sectors;
  } write[1 << 16]; /* accepted; `stored` of them are in their lines */
  unsigned writes, stored;
  struct {
    uint32_t line;
    uint64_t due; /* L2 cycle from which its beats may leave the line */
  } read[1 << 14];
  unsigned reads;
  uint8_t owed[64]; /* sectors that DRAM has yet to be sent, by line */
  uint64_t sent;    /* sectors in the bursts that it has been sent */
  bool misses;
} book;

/* Number, in its slice, of line at(r, part, n). */
static uint32_t number_of(uint64_t n) {
  return (uint32_t)n + 2 * (WF_IMAGE_BASE / 256 / 6 + 1);
}

static unsigned sectors_of_bursts(const book *b, unsigned sectors) {
  const unsigned one = (1u << b->burst_sectors) - 1;
  unsigned n = 0;
  for (unsigned s = 0; s < 4; s += b->burst_sectors)
    if (sectors & one << s) n += b->burst_sectors;
  return n;
}

static void see(void *user, const wf_data_move *m) {
  book *b = user;
  const uint32_t n = m->line - number_of(0);
  if (m->slice) return;
  switch (m->what) {
  case WF_DATA_STORE:
    assert_true(b->stored < b->writes);
    assert_int_equal(m->line, b->write[b->stored].line);
    assert_int_equal(m->sectors, b->write[b->stored++].sectors);
    b->owed[n] |= (uint8_t)m->sectors;
    break;
  case WF_DATA_BACK:
    assert_int_equal(m->sectors, b->owed[n]);
    b->owed[n] = 0;
    b->sent += sectors_of_bursts(b, m->sectors);
    break;
  case WF_DATA_PERFORM:
    b->read[b->reads].line = m->line;
    b->read[b->reads++].due = b->mem->l2_clock.edges - 1 + b->mem->config.l2_latency;
    break;
  default:
    break;
  }
}

static book *open_book(wf_mem *mem) {
  book *b = calloc(1, sizeof *b);
  b->mem = mem;
  b->burst_sectors = mem->config.dram_bus_bytes * mem->config.dram_burst_beats / 32;
  wf_mem_trace_data(mem, see, b);
  return b;
}

static void write_sector(rig *r, book *b, uint64_t n, unsigned sector, uint32_t words) {
  static const uint8_t line[128];
  if (!wf_mem_unit_write(r->mem, 0, 0, at(r, 0, n), words << 8 * sector, line)) return;
  b->write[b->writes].line = number_of(n);
  b->write[b->writes++].sectors = 1u << sector;
}

static bool is_to_be_written(const book *b, uint32_t line, unsigned sector) {
  for (unsigned i = b->stored; i < b->writes; i++)
    if (b->write[i].line == line && b->write[i].sectors >> sector & 1) return true;
  return false;
}

/* A cycle's reads and writes of eight lines: a run of writes, or none. */
static void ask(rig *r, wf_rng *rng, book *b, unsigned t) {
  const unsigned n = (unsigned)wf_rng_below(rng, 8), sector = (unsigned)wf_rng_below(rng, 4);
  (void)wf_mem_unit_read(r->mem, 0, 0, at(r, 0, wf_rng_below(rng, 8)), t);
  if (t / 64 % 2 == 0) write_sector(r, b, n, sector, 1);
}

/* A beat leaves its line when no write of its sector waits before the tags, and then at once. */
static void test_a_beat_waits_for_writes(void **state) {
  (void)state;
  rig r = setup();
  book *b = open_book(r.mem);
  wf_rng rng;
  wf_rng_seed(&rng, 1);
  unsigned beats = 0, waited = 0, others = 0;
  for (unsigned t = 0; t < 40000; t++) {
    ask(&r, &rng, b, t);
    const unsigned next = beats / 4, sector = beats % 4;
    const bool ready = next < b->reads && b->read[next].due <= r.mem->l2_clock.edges,
               waits = ready && is_to_be_written(b, b->read[next].line, sector);
    wf_mem_tick(r.mem);
    const wf_mem_beat *beat = wf_mem_unit_beat(r.mem, 0, 0);
    assert_int_equal(beat != NULL, ready && !waits);
    waited += waits;
    if (!beat) continue;
    assert_int_equal(beat->beat, sector);
    others += b->writes - b->stored > 1;
    wf_mem_unit_beat_pop(r.mem, 0);
    beats++;
  }
  assert_true(beats > 20000 && b->writes > 10000 && waited > 1000 && others > 1000);
  teardown(r);
  free(b);
}

static wf_mem_config few_ways(unsigned ways) {
  wf_mem_config c = gtx480();
  c.l2_ways = ways;
  c.l2_bytes = 4 * ways * c.line_bytes;
  return c;
}

enum { FROM_SM = 1 << 20 }; /* of an SM's request, in its id */

/* Nothing waits to be written of what an SM's request finds in a line, or of all that DRAM is asked
 * for at once as a sector is not there; reads: while something else does. */
static void see_requests(void *user, const wf_data_move *m) {
  book *b = user;
  if (m->slice) return;
  const bool sms = m->packet && m->packet->id >= FROM_SM;
  if (m->what == WF_DATA_STORE && !sms) b->stored++;
  if (m->what == WF_DATA_PERFORM && b->misses) return; /* its line comes later */
  const bool fetch = m->what == WF_DATA_FETCH;
  if (!fetch && m->what != WF_DATA_PERFORM && !(m->what == WF_DATA_STORE && sms)) return;
  const unsigned step = fetch ? b->burst_sectors : 1;
  for (unsigned s = 0; s < 4; s += step) {
    unsigned writes = 0;
    for (unsigned i = s; i < s + step; i++) writes += is_to_be_written(b, m->line, i);
    if (m->sectors >> s & 1) assert_true(writes < step);
  }
  b->reads += b->writes > b->stored;
}

static wf_packet any_request(wf_rng *rng, uint64_t address, unsigned id) {
  const unsigned sector = 1u << wf_rng_below(rng, 4), kind = (unsigned)wf_rng_below(rng, 4);
  wf_packet p = kind == 0   ? write_of(address, id, sector, wf_rng_below(rng, 2) ? sector : 0)
                : kind == 1 ? atomic_of(address, id, 1)
                            : read_of(address, id);
  if (p.kind == WF_PKT_READ) p.reply_bytes = 32;
  p.sectors = (uint8_t)sector;
  return p;
}

/* SMs' requests of some lines while a unit writes runs of them; all are there, or few. */
static void check_sms_wait(wf_mem_config c, unsigned lines, bool misses) {
  rig r = setup_with(c);
  book *b = open_book(r.mem);
  b->misses = misses;
  wf_rng rng;
  wf_rng_seed(&rng, 3);
  for (unsigned n = 0; n < lines; n++) (void)round_trip(r.mem, 0, read_of(at(&r, 0, n), n));
  wf_mem_trace_data(r.mem, see_requests, b);
  unsigned replies = 0, most = 0;
  for (unsigned t = 0; t < 40000; t++) {
    const wf_packet p = any_request(&rng, at(&r, 0, wf_rng_below(&rng, lines)), FROM_SM + t);
    (void)wf_mem_send(r.mem, t % 15, &p);
    if (t / 64 % 2 == 0) write_sector(&r, b, wf_rng_below(&rng, lines), t % 4, 1);
    wf_mem_tick(r.mem);
    if (b->writes - b->stored > most) most = b->writes - b->stored;
    for (uint64_t m = wf_mem_pending_sms(r.mem, 0); m; m &= m - 1) {
      wf_mem_pop(r.mem, (unsigned)__builtin_ctzll(m));
      replies++;
    }
  }
  print_message("%u requests beside writes, %u replies, %u writes, %u at once\n", b->reads, replies,
                b->stored, most);
  assert_true(b->reads > 1000 && replies > 5000 && b->stored > 4000 && most == 8);
  teardown(r);
  free(b);
}

static void test_sms_wait_for_writes(void **state) {
  (void)state;
  check_sms_wait(gtx480(), 8, false);
  check_sms_wait(few_ways(8), 64, true);
}

/* A unit that writes one sector in every cycle it may: an SM's read of it comes back, and another's
 * behind it. */
static void test_writes_do_not_starve_sms(void **state) {
  (void)state;
  static const uint8_t line[128];
  rig r = setup();
  (void)round_trip(r.mem, 0, read_of(at(&r, 0, 0), 1));
  (void)round_trip(r.mem, 1, read_of(at(&r, 0, 1), 1));
  unsigned back[2] = {0}, writes = 0;
  for (unsigned t = 1; t < 2000; t++) {
    writes += wf_mem_unit_write(r.mem, 0, 0, at(&r, 0, 0), 1, line);
    wf_packet p = read_of(at(&r, 0, t == 60), 2);
    if (t == 50 || t == 60) assert_true(wf_mem_send(r.mem, t == 60, &p));
    wf_mem_tick(r.mem);
    for (uint64_t m = wf_mem_pending_sms(r.mem, 0); m; m &= m - 1) {
      const unsigned sm = (unsigned)__builtin_ctzll(m);
      back[sm] = t;
      wf_mem_pop(r.mem, sm);
    }
  }
  print_message("back after %u and %u cycles beside %u writes\n", back[0] - 50, back[1] - 60,
                writes);
  assert_in_range(back[0], 50, 400);
  assert_in_range(back[1], 60, 400);
  assert_true(writes > 1000);
  teardown(r);
}

/* Nor does it keep its own beats back, the first in order and those behind it. */
static void test_writes_do_not_starve_beats(void **state) {
  (void)state;
  static const uint8_t line[128];
  rig r = setup();
  (void)round_trip(r.mem, 0, read_of(at(&r, 0, 0), 1));
  unsigned reads = 0, beats = 0, writes = 0, sector = 0;
  for (unsigned t = 1; t < 4000; t++) {
    writes += wf_mem_unit_write(r.mem, 0, 0, at(&r, 0, 0), 1u << 8 * sector, line);
    if (t % 1000 == 0) sector++;
    reads += t % 8 == 0 && wf_mem_unit_read(r.mem, 0, 0, at(&r, 0, t / 8 % 2), t);
    wf_mem_tick(r.mem);
    if (!wf_mem_unit_beat(r.mem, 0, 0)) continue;
    wf_mem_unit_beat_pop(r.mem, 0);
    beats++;
  }
  print_message("%u beats of %u reads beside %u writes\n", beats, reads, writes);
  assert_true(reads > 400 && writes > 2000);
  assert_in_range(beats, 4 * (reads - 64), 4 * reads);
  teardown(r);
}

/* Reads lines of slice 0 far from the others, until nothing else is left in it. */
static void evict(rig *r) {
  for (unsigned i = 0; i < 512; i++)
    while (!wf_mem_unit_read(r->mem, 0, 0, at(r, 0, 300 + i), i)) {
      if (wf_mem_unit_beat(r->mem, 0, 0)) wf_mem_unit_beat_pop(r->mem, 0);
      wf_mem_tick(r->mem);
    }
  drain(r->mem);
}

/* All that was accepted has been stored, and DRAM has been sent what was stored. */
static void assert_written(rig *r, const book *b) {
  drain(r->mem);
  assert_int_equal(b->stored, b->writes);
  evict(r);
  for (unsigned n = 0; n < sizeof b->owed; n++) assert_int_equal(b->owed[n], 0);
  const wf_mem_counters *n = wf_mem_get_counters(r->mem);
  assert_int_equal(n->l2.unit_writes, b->writes);
  assert_int_equal(n->dram.write_bytes, 32 * b->sent);
}

/* Few sets of two ways, of which reads pin one: beats that wait for writes do not stop them. */
static void test_few_ways_go_on(void **state) {
  (void)state;
  for (unsigned ways = 2; ways <= 8; ways *= 2) {
    rig r = setup_with(few_ways(ways));
    book *b = open_book(r.mem);
    wf_rng rng;
    wf_rng_seed(&rng, ways);
    for (unsigned t = 0, last = 0; t < 50000; t++) {
      const uint64_t a = at(&r, 0, wf_rng_below(&rng, 32));
      if (wf_rng_below(&rng, 4) == 0) (void)wf_mem_unit_read(r.mem, 0, 0, a, t);
      if (wf_rng_below(&rng, 2) == 0)
        write_sector(&r, b, wf_rng_below(&rng, 32), t / 8 % 4, 1u << t % 8);
      if (wf_mem_unit_beat(r.mem, 0, 0)) {
        wf_mem_unit_beat_pop(r.mem, 0);
        last = t;
      }
      assert_true(t - last < 2000);
      wf_mem_tick(r.mem);
    }
    assert_written(&r, b);
    teardown(r);
    free(b);
  }
}

/* A read's line is pinned: of one way none would be left to others, so no unit may read there. */
static void test_no_reads_of_one_way(void **state) {
  (void)state;
  rig r = setup_with(few_ways(1));
  (void)fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)fclose(stderr);
    (void)wf_mem_unit_read(r.mem, 0, 0, at(&r, 0, 0), 0);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  teardown(r);
}

/* Every burst of some lines is written once, so that DRAM is sent each once, with no observer. */
static void test_writes_reach_memory(void **state) {
  (void)state;
  static const uint8_t line[128];
  for (unsigned i = 0; i < 4; i++) {
    wf_mem_config c = few_ways(i & 1 ? 8 : 2);
    if (i & 2) c.l2_write = WF_L2_WRITE_EVICT;
    rig r = setup_with(c);
    unsigned writes = 0;
    while (writes < 400) {
      const unsigned n = writes * 77 % 400; /* each burst once, in some order */
      const uint32_t words = writes & 4 ? 0xffff : 0x100;
      writes += wf_mem_unit_write(r.mem, 0, 0, at(&r, 0, n / 2), words << n % 2 * 16, line);
      wf_mem_tick(r.mem);
    }
    drain(r.mem);
    evict(&r);
    const wf_mem_counters *n = wf_mem_get_counters(r.mem);
    assert_int_equal(n->l2.unit_writes, 400);
    assert_int_equal(n->dram.write_bytes, 400 * 64);
    teardown(r);
  }
}

/* Reads until refused; then ticks without taking a beat. Returns the number accepted. */
static unsigned clog_reads(rig *r, unsigned part, unsigned cycles) {
  unsigned taken = 0;
  for (unsigned t = 0; t < cycles; t++) {
    while (wf_mem_unit_read(r->mem, 0, part, at(r, part, 3 * taken), taken)) taken++;
    wf_mem_tick(r->mem);
  }
  return taken;
}

/* A unit that takes no beats: its reads stop, its writes and the SMs go on. */
static void test_untaken_beats_block_only_reads(void **state) {
  (void)state;
  rig r = setup();
  unsigned part = 3, taken = clog_reads(&r, part, 3000);
  assert_in_range(taken, 16, 64);
  assert_false(wf_mem_unit_read(r.mem, 0, part, at(&r, part, 0), 1));
  assert_int_equal(r.mem->l2[part].free_count, r.mem->l2[part].n_mshrs); /* holds no MSHR */
  assert_int_equal(wf_dram_waiting(&r.mem->dram[part]), 0);
  uint8_t line[128] = {0};
  unsigned writes = 0;
  for (unsigned t = 0; t < 3000; t++) {
    uint64_t far = at(&r, part, 300 + t % 600); /* more than a slice's worth with the reads */
    writes += wf_mem_unit_write(r.mem, 0, part, far, UINT32_MAX, line);
    wf_mem_tick(r.mem);
  }
  assert_true(writes > 2900);
  for (unsigned i = 0; i < 50; i++)
    assert_true(round_trip(r.mem, 1, read_of(at(&r, part, 1000 + 7 * i), i)) < 1000);
  char text[8192];
  (void)wf_mem_describe(r.mem, text, sizeof text);
  assert_non_null(strstr(text, "blocks wait for the unit to take beats"));
  teardown(r);
}

/* SMs that take no replies: a unit's reads, hits and misses, and its writes still work. */
static void test_blocked_sms_do_not_block_the_unit(void **state) {
  (void)state;
  rig r = setup();
  unsigned part = 4;
  uint32_t words[32];
  assert_true(wf_mem_unit_read(r.mem, 0, part, at(&r, part, 0), 0));
  (void)take_block(r.mem, part, 0, words);
  for (unsigned t = 0; t < 20000; t++) {
    for (unsigned sm = 0; sm < 15; sm++) {
      wf_packet p = read_of(at(&r, part, (t * 15 + sm) % 1200), t);
      (void)wf_mem_send(r.mem, sm, &p);
    }
    wf_mem_tick(r.mem);
  }
  assert_true(r.mem->l2[part].replay_wait.blocked); /* the slice is full of replies */
  uint8_t line[128] = {0};
  for (unsigned i = 0; i < 200; i++) {
    uint64_t a = at(&r, part, (uint64_t)i * 6);
    for (unsigned t = 0; !wf_mem_unit_write(r.mem, 0, part, at(&r, part, 200 + i), 1, line); t++) {
      assert_true(t < 1000);
      wf_mem_tick(r.mem);
    }
    assert_true(wf_mem_unit_read(r.mem, 0, part, a, i));
    unsigned cycles = take_block(r.mem, part, i, words);
    assert_true(cycles < 2000);
    assert_int_equal(words[31], word_at(a) + 31);
  }
  teardown(r);
}

/* Unit packets: both ways, payloads, and a unit that leaves them does not stop memory requests. */
static void test_packets(void **state) {
  (void)state;
  rig r = setup();
  uint32_t handle = wf_mem_payload_new(r.mem);
  for (unsigned i = 0; i < 256; i++) wf_mem_payload(r.mem, handle)[i] = (uint8_t)i;
  wf_packet p = {
      .address = 0x1234, .id = 9, .payload = handle, .bytes = 256, .kind = WF_PKT_UNIT, .part = 5};
  assert_true(wf_mem_send(r.mem, 7, &p));
  for (unsigned t = 0; !wf_mem_unit_peek(r.mem, 0, 5); t++) {
    assert_int_equal(wf_mem_quiet_cycles(r.mem) < 10, 1);
    wf_mem_tick(r.mem);
    assert_true(t < 30);
  }
  const wf_packet *q = wf_mem_unit_peek(r.mem, 0, 5);
  assert_int_equal(q->sm, 7);
  assert_int_equal(q->address, 0x1234);
  assert_int_equal(q->payload, handle);
  assert_int_equal(wf_mem_payload(r.mem, q->payload)[255], 255);
  wf_packet back = *q;
  wf_mem_unit_pop(r.mem, 5);
  back.bytes = 64;
  assert_true(wf_mem_unit_send(r.mem, 0, 5, &back));
  wf_packet reply;
  assert_in_range(wait_reply(r.mem, 7, &reply), 8, 14);
  assert_int_equal(reply.part, 5);
  assert_int_equal(reply.kind, WF_PKT_UNIT);
  wf_error err = {0};
  assert_false(wf_mem_check_conservation(r.mem, &err)); /* the payload is still held */
  assert_non_null(strstr(err.text, "1 payload"));
  wf_mem_payload_free(r.mem, handle);
  assert_null(wf_mem_payload(r.mem, handle));
  teardown(r);
}

static void test_packets_left_alone(void **state) {
  (void)state;
  rig r = setup();
  /* SM 0 floods the unit of partition 1, which takes nothing. */
  unsigned sent = 0;
  for (unsigned t = 0; t < 2000; t++) {
    wf_packet p = {.payload = WF_NO_PAYLOAD, .bytes = 256, .kind = WF_PKT_UNIT, .part = 1};
    sent += wf_mem_send(r.mem, 0, &p);
    wf_mem_tick(r.mem);
  }
  assert_int_equal(sent, 3 + 3); /* output and input buffers of 32 flits, packets of 9 */
  for (unsigned i = 0; i < 20; i++)
    assert_true(round_trip(r.mem, 1, read_of(at(&r, 1, i), i)) < 1000);
  teardown(r);
}

/* A slice busy with replies still lets the unit's packets out, and the other way round. */
static void test_packets_share_the_reply_port(void **state) {
  (void)state;
  rig r = setup();
  unsigned part = 2, unit = 0, replies = 0;
  for (unsigned t = 0; t < 12000; t++) {
    for (unsigned sm = 0; sm < 15; sm++) {
      wf_packet p = read_of(at(&r, part, 0), t);
      (void)wf_mem_send(r.mem, sm, &p);
    }
    wf_packet u = {.payload = WF_NO_PAYLOAD, .bytes = 256, .sm = (uint8_t)(t % 15)};
    (void)wf_mem_unit_send(r.mem, 0, part, &u);
    for (uint64_t m = wf_mem_pending_sms(r.mem, 0); m; m &= m - 1) {
      unsigned sm = (unsigned)__builtin_ctzll(m);
      if (t >= 2000) *(wf_mem_peek(r.mem, sm)->kind == WF_PKT_UNIT ? &unit : &replies) += 1;
      wf_mem_pop(r.mem, sm);
    }
    wf_mem_tick(r.mem);
  }
  assert_in_range(unit, 700, 720); /* in turn: 9 + 5 flits for a pair */
  assert_in_range(replies, 700, 720);
  teardown(r);
}

typedef struct port_use {
  unsigned beats, replies;
} port_use;

/* 6,000 cycles in which SMs read a line without end, 4,000 of which count. */
static port_use use_port(rig r, bool reads, bool takes) {
  enum { CYCLES = 6000, PART = 2 };
  port_use use = {0};
  for (unsigned t = 0; t < CYCLES; t++) {
    const bool counts = t >= CYCLES / 3;
    for (unsigned sm = 0; sm < 15; sm++) {
      wf_packet p = read_of(at(&r, PART, 0), t);
      (void)wf_mem_send(r.mem, sm, &p);
    }
    if (reads) (void)wf_mem_unit_read(r.mem, 0, PART, at(&r, PART, t % 16), t);
    if (takes && wf_mem_unit_beat(r.mem, 0, PART)) {
      wf_mem_unit_beat_pop(r.mem, PART);
      use.beats += counts;
    }
    for (uint64_t m = wf_mem_pending_sms(r.mem, 0); m; m &= m - 1) {
      use.replies += counts;
      wf_mem_pop(r.mem, (unsigned)__builtin_ctzll(m));
    }
    wf_mem_tick(r.mem);
  }
  return use;
}

/* One port reads the lines, as wide as the crossbar: a unit beside replies without end has half of
 * it, or its beat a cycle, and one that takes no beats leaves the port to them. */
static void test_beats_share_the_data_port(void **state) {
  (void)state;
  for (unsigned wide = 1; wide <= 2; wide++) {
    wf_mem_config c = gtx480();
    c.noc_mhz = wide * c.l2_mhz;
    rig r = setup_with(c);
    const port_use both = use_port(r, true, true), alone = use_port(r, false, true),
                   untaken = use_port(r, true, false);
    print_message("%u beats a cycle: %u beside %u replies; %u alone, %u beside an untaken beat\n",
                  wide, both.beats, both.replies, alone.replies, untaken.replies);
    assert_in_range(both.beats, 2000 * wide - 10, 2000 * wide);
    assert_in_range(both.replies, 500 * wide - 10, 500 * wide + 10);
    assert_true(alone.replies > both.replies);
    assert_in_range(untaken.replies, alone.replies - 2, alone.replies + 2);
    teardown(r);
  }
}

/* Three clients at one slice: each is served in its turn, one with less to ask gets all it asks
 * for, and each sees what is its own only. */
static void test_clients_take_turns(void **state) {
  (void)state;
  enum { CLIENTS = 3, PART = 2 };
  rig r = setup();
  static const unsigned every[CLIENTS] = {1, 1, 16};
  unsigned reads[CLIENTS] = {0}, sends[CLIENTS] = {0}, beats[CLIENTS] = {0};
  bool to_read[CLIENTS] = {0}, to_send[CLIENTS] = {0}; /* who asks asks until he is served */
  for (unsigned t = 0; t < 8000; t++) {
    for (unsigned c = 0; c < CLIENTS && wf_mem_l2_edge(r.mem); c++) {
      wf_packet p = {.payload = WF_NO_PAYLOAD, .bytes = 24, .sm = (uint8_t)c};
      to_read[c] |= t % every[c] == 0;
      to_send[c] |= t % every[c] == 0;
      if (to_read[c] && wf_mem_unit_read(r.mem, c, PART, at(&r, PART, t % 64), c))
        reads[c]++, to_read[c] = false;
      if (to_send[c] && wf_mem_unit_send(r.mem, c, PART, &p)) sends[c]++, to_send[c] = false;
      const wf_mem_beat *b = wf_mem_unit_beat(r.mem, c, PART);
      if (!b) continue;
      assert_int_equal(b->id, c);
      beats[c]++;
      wf_mem_unit_beat_pop(r.mem, PART);
    }
    for (unsigned c = 0; c < CLIENTS; c++) {
      const wf_packet *p = wf_mem_peek(r.mem, c);
      if (!p) continue;
      assert_int_equal(p->client, c);
      wf_mem_pop(r.mem, c);
    }
    wf_mem_tick(r.mem);
  }
  assert_in_range(reads[0], reads[1] - 50, reads[1] + 50);
  assert_in_range(sends[0], sends[1] - 50, sends[1] + 50);
  assert_true(reads[2] > 100 && sends[2] > 100 && reads[0] > 500 && sends[0] > 500);
  for (unsigned c = 0; c < CLIENTS; c++) assert_true(beats[c] > 4 * (reads[c] - 64));
  wf_packet mine = {
      .payload = WF_NO_PAYLOAD, .bytes = 24, .kind = WF_PKT_UNIT, .part = PART, .client = 1};
  assert_true(wf_mem_send(r.mem, 0, &mine));
  for (unsigned t = 0; !wf_mem_unit_peek(r.mem, 1, PART); t++) {
    assert_true(t < 1000);
    assert_null(wf_mem_unit_peek(r.mem, 0, PART));
    wf_mem_tick(r.mem);
  }
  wf_mem_unit_pop(r.mem, PART);
  teardown(r);
}

static void test_payload_pool(void **state) {
  (void)state;
  rig r = setup();
  enum { N = 2000 };
  uint32_t handle[N];
  uint8_t *first = NULL;
  for (unsigned i = 0; i < N; i++) {
    handle[i] = wf_mem_payload_new(r.mem);
    uint8_t *p = wf_mem_payload(r.mem, handle[i]);
    if (i == 0) first = p;
    memset(p, (int)(i & 255), 256);
  }
  assert_ptr_equal(wf_mem_payload(r.mem, handle[0]), first); /* growth does not move buffers */
  for (unsigned i = 0; i < N; i++) {
    assert_int_equal(wf_mem_payload(r.mem, handle[i])[255], i & 255);
    wf_mem_payload_free(r.mem, handle[i]);
  }
  assert_conserved(r.mem);
  wf_mem_payload_free(r.mem, handle[0]);
  wf_error err = {0};
  assert_false(wf_mem_check_conservation(r.mem, &err));
  assert_non_null(strstr(err.text, "1 freed twice"));
  wf_mem_destroy(r.mem);
  wf_image_destroy(r.image);
}

static void test_outside_memory(void **state) {
  (void)state;
  rig r = setup();
  uint64_t a = line_of(r.mem, 0, 1000000);
  uint32_t words[32];
  assert_true(wf_mem_unit_read(r.mem, 0, 0, a, 1));
  (void)take_block(r.mem, 0, 1, words);
  for (unsigned i = 0; i < 32; i++) assert_int_equal(words[i], 0);
  wf_error err = {0};
  drain(r.mem);
  assert_false(wf_mem_check_conservation(r.mem, &err));
  assert_non_null(strstr(err.text, "1 unit reads outside memory"));
  wf_mem_destroy(r.mem);
  wf_image_destroy(r.image);
}

static void test_wrong_partition(void **state) {
  (void)state;
  rig r = setup();
  uint32_t words[32];
  uint64_t a = at(&r, 4, 0);
  assert_true(wf_mem_unit_read(r.mem, 0, 3, a, 1));
  (void)take_block(r.mem, 3, 1, words);
  assert_int_equal(words[5], word_at(a) + 5);
  wf_error err = {0};
  drain(r.mem);
  assert_false(wf_mem_check_conservation(r.mem, &err));
  assert_non_null(strstr(err.text, "partition 3: 1 unit accesses of another partition's lines"));
  wf_mem_destroy(r.mem);
  wf_image_destroy(r.image);
}

/* Random reads, writes and stalls of one unit: each beat against the memory of the moment at which
 * it was first on offer. */
static void test_soak(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.l2_bytes = 4096; /* evictions */
  c.l2_mshrs = 8;
  rig r = setup_with(c);
  wf_rng rng;
  wf_rng_seed(&rng, 77);
  enum { LINES = 48, IDS = 256 };
  uint32_t *model = calloc(LINES * 32, 4), expect[8];
  unsigned *line_of_id = calloc(IDS, sizeof *line_of_id);
  bool *busy = calloc(IDS, 1), offered = false;
  for (unsigned l = 0; l < LINES; l++)
    for (unsigned i = 0; i < 32; i++) model[l * 32 + i] = word_at(at(&r, 5, l)) + i;
  unsigned blocks = 0, next = 0, taking = 100, accepted = 0;
  for (unsigned t = 0; t < 300000; t++) {
    if (t % 500 == 0) taking = (unsigned)wf_rng_below(&rng, 101);
    uint64_t x = wf_rng_next(&rng);
    unsigned l = (unsigned)(x >> 20) % LINES;
    if ((x & 3) == 0 && !busy[next % IDS] &&
        wf_mem_unit_read(r.mem, 0, 5, at(&r, 5, l), next % IDS)) {
      busy[next % IDS] = true;
      line_of_id[next % IDS] = l;
      next++;
    }
    if ((x >> 2 & 3) == 0) {
      uint32_t line[32], mask = (uint32_t)wf_rng_next(&rng);
      for (unsigned i = 0; i < 32; i++) line[i] = (uint32_t)wf_rng_next(&rng);
      l = (unsigned)(x >> 30) % LINES;
      if (wf_mem_unit_write(r.mem, 0, 5, at(&r, 5, l), mask, (const uint8_t *)line)) {
        accepted++;
        for (unsigned i = 0; i < 32; i++)
          if (mask >> i & 1) model[l * 32 + i] = line[i];
      }
    }
    const wf_mem_beat *b = wf_mem_unit_beat(r.mem, 0, 5);
    if (b && wf_rng_below(&rng, 100) < taking) {
      assert_true(busy[b->id] && offered);
      assert_memory_equal(b->data, expect, 32);
      busy[b->id] = b->beat < 3;
      blocks += b->beat == 3;
      wf_mem_unit_beat_pop(r.mem, 5);
      offered = false;
    }
    wf_mem_tick(r.mem);
    if (!offered && (b = wf_mem_unit_beat(r.mem, 0, 5))) {
      memcpy(expect, &model[line_of_id[b->id] * 32 + 8 * b->beat], sizeof expect);
      offered = true;
    }
  }
  print_message("%u blocks read, %u writes\n", blocks, accepted);
  assert_true(blocks > 10000 && accepted > 10000);
  free(model);
  free(line_of_id);
  free(busy);
  teardown(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read_latency_and_data),
      cmocka_unit_test(test_read_bandwidth),
      cmocka_unit_test(test_write_masks),
      cmocka_unit_test(test_a_read_sees_memory_when_served),
      cmocka_unit_test(test_a_beat_waits_for_writes),
      cmocka_unit_test(test_sms_wait_for_writes),
      cmocka_unit_test(test_writes_do_not_starve_sms),
      cmocka_unit_test(test_writes_do_not_starve_beats),
      cmocka_unit_test(test_few_ways_go_on),
      cmocka_unit_test(test_no_reads_of_one_way),
      cmocka_unit_test(test_writes_reach_memory),
      cmocka_unit_test(test_untaken_beats_block_only_reads),
      cmocka_unit_test(test_blocked_sms_do_not_block_the_unit),
      cmocka_unit_test(test_packets),
      cmocka_unit_test(test_packets_left_alone),
      cmocka_unit_test(test_packets_share_the_reply_port),
      cmocka_unit_test(test_beats_share_the_data_port),
      cmocka_unit_test(test_clients_take_turns),
      cmocka_unit_test(test_payload_pool),
      cmocka_unit_test(test_outside_memory),
      cmocka_unit_test(test_wrong_partition),
      cmocka_unit_test(test_soak),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
