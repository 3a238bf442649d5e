/* The whole memory system under random traffic: nothing is lost, nothing invented, every run is
 * repeatable, and skipping quiet cycles changes nothing. */
#include "sim/mem/prefetch.h"
#include "tests/mem/dram_checker.h"

enum { IMAGE_BYTES = 8 << 20, MAX_OUT = 48 };

/* Traffic of all kinds from all SMs and units, in phases from nothing to flood, with stalls. */
typedef struct traffic {
  wf_mem *mem;
  wf_image *image;
  wf_rng rng;
  bool stalls;   /* ends stop taking now and then */
  bool silent;   /* the unit's port sends nothing */
  unsigned rate; /* of 1024 per SM and cycle */
  uint64_t sent, victims, replies, beats, unit_reads, unit_writes, unit_packets;
  uint64_t refused[64], taken[64];
  uint64_t digest; /* of all that came out, and when */
  uint64_t cycle, skipped;
  uint16_t waiting[64][MAX_OUT]; /* per SM and id: kind + 1 of the request in flight */
} traffic;

static traffic *traffic_new(wf_mem_config c, uint64_t seed, bool stalls) {
  traffic *t = calloc(1, sizeof *t);
  t->image = make_image(IMAGE_BYTES);
  t->mem = make(&c, t->image);
  t->stalls = stalls;
  wf_rng_seed(&t->rng, seed);
  return t;
}

static void traffic_free(traffic *t) {
  wf_mem_destroy(t->mem);
  wf_image_destroy(t->image);
  free(t);
}

static void digest(traffic *t, uint64_t value) {
  t->digest = (t->digest ^ value ^ t->cycle << 20) * UINT64_C(0x9e3779b97f4a7c15);
  t->digest ^= t->digest >> 29;
}

static uint64_t random_line(traffic *t) {
  uint64_t lines = IMAGE_BYTES / 128, x = wf_rng_next(&t->rng);
  /* half the accesses in a small hot region */
  return WF_IMAGE_BASE + (x & 1 ? x >> 8 & 255 : (x >> 8) % lines) * 128;
}

static void send_one(traffic *t, unsigned sm) {
  uint64_t x = wf_rng_next(&t->rng);
  unsigned id = (unsigned)(x >> 32) % MAX_OUT, sectors = 1 + (unsigned)(x >> 40) % 15;
  wf_packet p = {.address = random_line(t), .id = id, .payload = WF_NO_PAYLOAD};
  const bool port = sm == t->mem->config.n_sm; /* sends no packets for units, moves nothing */
  if ((x & 31) == 31 && !port) {
    p.kind = WF_PKT_UNIT;
    p.part = (uint8_t)((x >> 8) % t->mem->config.n_part);
    p.bytes = (uint16_t)((x >> 16) % 257);
    p.payload = wf_mem_payload_new(t->mem);
    if (wf_mem_send(t->mem, sm, &p))
      t->unit_packets++;
    else
      wf_mem_payload_free(t->mem, p.payload);
    return;
  }
  if (t->mem->config.l2_exclusive && (x & 31) >= 29 && !port) {
    p.kind = WF_PKT_VICTIM;
    p.bytes = 128;
    p.sectors = 15;
    t->victims += wf_mem_send(t->mem, sm, &p);
    return;
  }
  if (t->waiting[sm][id]) return;
  p.kind = (x & 31) < 18 ? WF_PKT_READ : (x & 31) < 28 ? WF_PKT_WRITE : WF_PKT_ATOMIC;
  p.sectors = (uint8_t)sectors;
  p.moves = t->mem->config.l2_exclusive && p.kind == WF_PKT_READ && !port && (x >> 44 & 1);
  if (p.kind == WF_PKT_WRITE) {
    p.bytes = (uint16_t)(32 * __builtin_popcount(sectors));
    p.full_sectors = (uint8_t)(sectors & (x >> 50));
  } else {
    p.bytes = p.kind == WF_PKT_ATOMIC ? 16 : 0;
    p.reply_bytes =
        p.kind == WF_PKT_READ || x >> 60 & 1 ? (uint16_t)(32 * __builtin_popcount(sectors)) : 0;
    p.atomic_conflicts = (uint8_t)((x >> 54) % 5);
  }
  if (!wf_mem_send(t->mem, sm, &p)) {
    t->refused[sm]++;
    return;
  }
  t->waiting[sm][id] = (uint16_t)(p.kind + 1);
  t->sent++;
}

static bool stalled(traffic *t, unsigned end) {
  return t->stalls && ((t->cycle >> 9) + end) % 5 == 0;
}

static void take_reply(traffic *t, unsigned sm) {
  const wf_packet *p = wf_mem_peek(t->mem, sm);
  if (stalled(t, sm)) return;
  assert_non_null(p);
  assert_int_equal(p->sm, sm);
  digest(t, (uint64_t)p->kind << 40 | (uint64_t)sm << 32 | p->id);
  if (p->kind == WF_PKT_UNIT) {
    wf_mem_payload_free(t->mem, p->payload);
  } else {
    assert_int_equal(t->waiting[sm][p->id], p->kind + 1);
    t->waiting[sm][p->id] = 0;
    t->replies++;
    t->taken[sm]++;
  }
  wf_mem_pop(t->mem, sm);
}

static void take_replies(traffic *t) {
  const wf_mem_config *c = &t->mem->config;
  for (uint64_t m = wf_mem_pending_sms(t->mem, 0); m; m &= m - 1)
    take_reply(t, (unsigned)__builtin_ctzll(m));
  if (c->unit_port && wf_mem_peek(t->mem, c->n_sm)) take_reply(t, c->n_sm);
}

/* A unit that answers packets with packets, and reads and writes blocks of its partition. */
static void run_unit(traffic *t, unsigned part, bool active) {
  const wf_packet *p = wf_mem_unit_peek(t->mem, 0, part);
  if (stalled(t, part + 1)) return;
  if (p && wf_mem_unit_send(t->mem, 0, part, p)) wf_mem_unit_pop(t->mem, part);
  const wf_mem_beat *b = wf_mem_unit_beat(t->mem, 0, part);
  if (b) {
    digest(t, (uint64_t)b->id << 8 | b->beat);
    t->beats++;
    wf_mem_unit_beat_pop(t->mem, part);
  }
  if (!active) return;
  uint64_t x = wf_rng_next(&t->rng), a = random_line(t);
  if (wf_mem_partition(t->mem, a) != part) return;
  uint8_t line[128] = {0};
  if ((x & 3) == 0) t->unit_reads += wf_mem_unit_read(t->mem, 0, part, a, (uint32_t)(x >> 40));
  if ((x & 3) == 1)
    t->unit_writes += wf_mem_unit_write(t->mem, 0, part, a, (uint32_t)(x >> 32), line);
}

static void cycle(traffic *t, bool active) {
  static const unsigned RATES[] = {1024, 0, 3, 200, 0, 30, 1024, 1};
  if (t->cycle % 4096 == 0) {
    t->rate = RATES[t->cycle / 4096 % 8];
    wf_mem_forget_stores(t->mem);
  }
  const unsigned ends = t->mem->config.n_sm + (t->mem->config.unit_port && !t->silent);
  for (unsigned sm = 0; active && t->rate && sm < ends; sm++)
    if (wf_rng_below(&t->rng, 1024) < t->rate) send_one(t, sm);
  take_replies(t);
  if (wf_mem_l2_edge(t->mem))
    for (unsigned p = 0; p < t->mem->config.n_part; p++) run_unit(t, p, active && t->rate);
  wf_mem_tick(t->mem);
  t->cycle++;
}

/* With skip, quiet time is skipped where the traffic generator has nothing to do either. */
static void run(traffic *t, uint64_t cycles, bool skip) {
  while (t->cycle < cycles) {
    cycle(t, true);
    uint64_t left = 4096 - t->cycle % 4096;
    if (!skip || t->rate || left == 4096 || t->cycle >= cycles) continue;
    if (left > cycles - t->cycle) left = cycles - t->cycle;
    uint64_t quiet = wf_mem_quiet_cycles(t->mem);
    if (quiet > left) quiet = left;
    if (t->cycle & 1 && quiet > 1) quiet /= 2; /* any part of it may be skipped */
    wf_mem_skip(t->mem, quiet);
    t->cycle += quiet;
    t->skipped += quiet;
  }
}

static void settle(traffic *t) {
  t->stalls = false;
  for (unsigned i = 0; i < 100000 && !wf_mem_idle(t->mem); i++) cycle(t, false);
  assert_true(wf_mem_idle(t->mem));
  assert_conserved(t->mem);
  assert_int_equal(t->sent, t->replies);
  assert_int_equal(t->beats, 4 * t->unit_reads);
}

static void check_counters(const traffic *t) {
  const wf_mem_counters *n = wf_mem_get_counters(t->mem);
  assert_int_equal(n->l2.reads + n->l2.writes + n->l2.atomics + n->l2.coalesced, t->sent);
  assert_int_equal(n->l2.hits + n->l2.misses + n->l2.merges + n->l2.coalesced, t->sent);
  assert_int_equal(n->l2.unit_reads, t->unit_reads);
  assert_int_equal(n->dram.row_hits + n->dram.row_misses, n->dram.reads + n->dram.writes);
  assert_int_equal(n->dram.writes, n->l2.writebacks);
  assert_int_equal(n->noc.packets, 2 * (t->sent + t->unit_packets) + t->victims);
  assert_int_equal(n->l2.victims, t->victims);
  assert_true(!t->victims ||
              (n->l2.moved > 0 && n->l2.victims_stale > 10 && n->l2.victims_dropped > 10));
  assert_int_equal(n->noc.flits, n->noc.request_flits + n->noc.reply_flits);
}

static void test_millions(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  traffic *t = traffic_new(c, 5, true);
  checker *k = checker_new(&c);
  wf_mem_trace_dram(t->mem, check_command, k);
  run(t, 5000000, false);
  settle(t);
  check_counters(t);
  print_message(
      "%.2f M requests, %.2f M beats, %.2f M unit packets, %.2f M DRAM commands checked\n",
      1e-6 * (double)t->sent, 1e-6 * (double)t->beats, 1e-6 * (double)t->unit_packets,
      1e-6 * (double)k->commands);
  assert_true(t->sent > 1000000);
  free(k);
  traffic_free(t);
}

enum { CORNERS = 18 };

/* Odd shapes: few of everything, other clocks, other sizes. */
static void corner_shapes(wf_mem_config shapes[CORNERS]) {
  for (unsigned i = 0; i < CORNERS; i++) shapes[i] = gtx480();
  shapes[0].n_sm = 1;
  shapes[0].n_part = 1;
  shapes[1].noc_input_flits = shapes[1].noc_output_flits = 9;
  shapes[1].noc_lookahead = 1;
  shapes[1].l2_mshrs = 2;
  shapes[1].l2_mshr_merge = 1;
  shapes[1].l2_queue = 1;
  shapes[1].dram_queue = 2;
  shapes[1].l2_bytes = 1024;
  shapes[2].n_sm = 64;
  shapes[2].n_part = 16;
  shapes[2].noc_mhz = 1400;
  shapes[2].dram_queue = 64;
  shapes[3].noc_mhz = 333;
  shapes[3].l2_mhz = 511;
  shapes[3].dram_mhz = 123;
  shapes[3].tREFI = 900;
  shapes[3].tRFC = 50;
  shapes[4].line_bytes = 64;
  shapes[4].interleave_bytes = 64;
  shapes[4].l2_bytes = 96 * 1024;
  shapes[4].l2_ways = 12;
  shapes[4].flit_bytes = 16;
  shapes[4].noc_latency = 1;
  shapes[5].line_bytes = 32;
  shapes[5].dram_bus_bytes = 4;
  shapes[5].l2_latency = 1;
  shapes[5].l2_ways = 1;
  shapes[5].flit_bytes = 64;
  shapes[5].dram_latency = 0;
  shapes[6].l2_coalescer = 1024;
  shapes[6].l2_coalescer_merges = 4;
  shapes[7].l2_coalescer = 3;
  shapes[7].l2_coalescer_merges = 2;
  shapes[7].l2_queue = 1;
  shapes[8].l2_prefetch = WF_PREFETCH_STREAM;
  shapes[8].l2_mshrs = 4;
  shapes[9].l2_prefetch = WF_PREFETCH_GHB;
  shapes[9].l2_bytes = 1024;
  shapes[10].l2_prefetch = WF_PREFETCH_STRIDE;
  shapes[10].l2_prefetch_degree = 16;
  shapes[10].dram_queue = 2;
  for (unsigned i = 11; i < 14; i++) shapes[i].l2_exclusive = 1;
  shapes[12].l2_bytes = 1024;
  shapes[12].l2_mshr_merge = 2;
  shapes[13].l2_coalescer = 64;
  shapes[13].l2_coalescer_merges = 4;
  shapes[13].l2_fill = WF_L2_FILL_LINE;
  for (unsigned i = 13; i < 15; i++) shapes[i].l2_write = WF_L2_WRITE_EVICT;
  shapes[14].dram_queue = 2;
  for (unsigned i = 15; i < CORNERS; i++) shapes[i].unit_port = 1;
  shapes[16].n_sm = 1;
  shapes[16].n_part = 1;
  shapes[17].l2_exclusive = 1;
  shapes[17].l2_prefetch = WF_PREFETCH_STREAM;
  shapes[17].l2_far_latency = 20;
  shapes[17].l2_coalescer = 8;
  shapes[17].l2_coalescer_merges = 3;
}

/* Any reads and writes of lines of fewer bytes than traffic makes. */
static void small_lines(traffic *t, unsigned seed, unsigned bytes) {
  wf_rng rng;
  wf_rng_seed(&rng, seed);
  unsigned mask = (1u << (bytes / 32)) - 1;
  for (unsigned c = 0; c < 100000; c++) {
    for (unsigned sm = 0; sm < 15; sm++) {
      uint64_t x = wf_rng_next(&rng);
      wf_packet p = read_of((x >> 20 & 0xffff) * bytes, 0);
      p.sectors = (uint8_t)(mask & (x >> 8 | 1));
      p.kind = x & 1;
      p.bytes = x & 1 ? (uint16_t)bytes : 0;
      p.reply_bytes = x & 1 ? 0 : (uint16_t)bytes;
      p.full_sectors = (uint8_t)(x >> 4);
      if ((x >> 60) == 0) (void)wf_mem_send(t->mem, sm, &p);
      if (wf_mem_peek(t->mem, sm)) wf_mem_pop(t->mem, sm);
    }
    wf_mem_tick(t->mem);
  }
  drain(t->mem);
  assert_true(wf_mem_get_counters(t->mem)->dram.reads > 10000);
  assert_conserved(t->mem);
}

static void test_corners(void **state) {
  (void)state;
  wf_mem_config shapes[CORNERS];
  corner_shapes(shapes);
  for (unsigned i = 0; i < CORNERS; i++) {
    bool small = shapes[i].line_bytes < 128;
    traffic *t = traffic_new(shapes[i], i, true);
    checker *k = checker_new(&shapes[i]);
    wf_mem_trace_dram(t->mem, check_command, k);
    if (small) {
      small_lines(t, i, shapes[i].line_bytes);
    } else {
      run(t, 200000, false);
      settle(t);
      check_counters(t);
      assert_true(t->sent > 5000);
    }
    free(k);
    traffic_free(t);
  }
}

static void assert_same(const traffic *a, const traffic *b) {
  assert_int_equal(a->sent, b->sent);
  assert_int_equal(a->replies, b->replies);
  assert_int_equal(a->beats, b->beats);
  assert_int_equal(a->digest, b->digest);
  assert_memory_equal(wf_mem_get_counters(a->mem), wf_mem_get_counters(b->mem),
                      sizeof(wf_mem_counters));
}

/* The port of a unit takes its turns like an SM. */
static void test_unit_port(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  c.unit_port = 1;
  traffic *t = traffic_new(c, 11, true);
  run(t, 400000, false);
  settle(t);
  check_counters(t);
  uint64_t sms = 0;
  for (unsigned sm = 0; sm < c.n_sm; sm++) sms += t->taken[sm];
  assert_in_range(t->taken[c.n_sm] * c.n_sm, sms * 8 / 10, sms * 12 / 10);
  assert_in_range(t->refused[c.n_sm], 100, UINT64_MAX);
  traffic_free(t);
}

/* One that sends nothing changes nothing, also not in which order arbiters begin. */
static void test_silent_unit_port(void **state) {
  (void)state;
  static const unsigned SMS[] = {1, 15, 63};
  for (unsigned i = 0; i < 3; i++) {
    wf_mem_config c = gtx480(), with;
    wf_rng a_rng, b_rng;
    c.n_sm = SMS[i];
    with = c;
    with.unit_port = 1;
    traffic *a = traffic_new(c, 31, true), *b = traffic_new(with, 31, true);
    b->silent = true;
    wf_rng_seed(&a_rng, 4);
    wf_rng_seed(&b_rng, 4);
    wf_mem_order(a->mem, &a_rng);
    wf_mem_order(b->mem, &b_rng);
    run(a, 100000, false);
    run(b, 100000, false);
    assert_same(a, b);
    assert_true(a->sent > 5000);
    traffic_free(a);
    traffic_free(b);
  }
}

static void test_deterministic(void **state) {
  (void)state;
  traffic *a = traffic_new(gtx480(), 8, true), *b = traffic_new(gtx480(), 8, true);
  traffic *other = traffic_new(gtx480(), 9, true);
  run(a, 150000, false);
  run(b, 150000, false);
  run(other, 150000, false);
  assert_same(a, b);
  assert_int_not_equal(a->digest, other->digest);
  traffic_free(a);
  traffic_free(b);
  traffic_free(other);
}

static void test_skipping_changes_nothing(void **state) {
  (void)state;
  wf_mem_config shapes[5];
  shapes[0] = shapes[1] = shapes[2] = shapes[3] = shapes[4] = gtx480();
  shapes[1].tREFI = 3600;
  shapes[1].tRFC = 100;
  shapes[1].noc_mhz = 650;
  shapes[1].l2_mhz = 600;
  shapes[2].dram_mhz = 200; /* slower than the core */
  shapes[2].noc_mhz = 1500;
  shapes[3].l2_coalescer = 8;
  shapes[3].l2_coalescer_merges = 3;
  shapes[3].l2_queue = 2;
  shapes[4].unit_port = 1;
  for (unsigned i = 0; i < 5; i++) {
    traffic *a = traffic_new(shapes[i], 21 + i, false), *b = traffic_new(shapes[i], 21 + i, false);
    for (uint64_t end = 10000; end <= 400000; end += 10000) {
      run(a, end, false);
      run(b, end, true);
      assert_int_equal(a->cycle, b->cycle);
      assert_same(a, b);
    }
    print_message("%u of %u cycles skipped\n", (unsigned)b->skipped, (unsigned)b->cycle);
    assert_true(b->skipped > 30000);
    traffic_free(a);
    traffic_free(b);
  }
}

/* One request at a time: the time nothing moves is found, to the cycle, and nothing else happens.
 */
static void test_quiet_time_of_a_lone_request(void **state) {
  (void)state;
  wf_mem_config c = gtx480();
  wf_mem *ticked = make(&c, NULL), *skipped = make(&c, NULL);
  assert_int_equal(wf_mem_quiet_cycles(ticked), UINT64_MAX);
  for (unsigned i = 0; i < 500; i++) {
    wf_packet p = i % 3 ? read_of(line_of(ticked, i % 6, i * 37), i)
                        : write_of(line_of(ticked, i % 6, i * 37), i, 15, 15);
    unsigned want = round_trip(ticked, i % 15, p), cycles = 0, ticks = 0;
    assert_true(wf_mem_send(skipped, i % 15, &p));
    while (!wf_mem_peek(skipped, i % 15)) {
      uint64_t quiet = wf_mem_quiet_cycles(skipped);
      wf_mem_skip(skipped, quiet);
      wf_mem_tick(skipped);
      cycles += (unsigned)quiet + 1;
      ticks++;
    }
    wf_mem_pop(skipped, i % 15);
    assert_int_equal(cycles, want);
    assert_true(ticks < 40);
  }
  assert_memory_equal(wf_mem_get_counters(ticked), wf_mem_get_counters(skipped),
                      sizeof(wf_mem_counters));
  finish(ticked);
  finish(skipped);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_millions),
      cmocka_unit_test(test_corners),
      cmocka_unit_test(test_unit_port),
      cmocka_unit_test(test_silent_unit_port),
      cmocka_unit_test(test_deterministic),
      cmocka_unit_test(test_skipping_changes_nothing),
      cmocka_unit_test(test_quiet_time_of_a_lone_request),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
