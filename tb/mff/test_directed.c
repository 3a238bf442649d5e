/* Directed tests of mff_unit: the paper's worked examples, corners of sizes and addresses, refused
 * commands, one test per rule that random traffic meets rarely. */
#include "tb/common/wf_test.h"
#include "tb/mff/mff_load.h"

enum { C = 0x1000, V = 0x9000, BITS = 0x21000 }; /* bases, multiples of all interleaves */

static const mff_bench_options quiet = {
    .burst = 1, .latency_min = 20, .latency_max = 20, .in_order = true, .hang_after = 5000};

static mff_bench *open_set(const char *config, const char *set, const mff_bench_options *o) {
  if (set && getenv("WF_PLAIN")) skip();
  mff_bench *b = wf_test_open(&mff_bench_class, config, set);
  b->options = *o;
  for (uint32_t i = 0; i < 8192; i++) b->memory[V / 4 + i] = 0x5eed0000u + i;
  return b;
}

static mff_bench *open_with(const char *config, const mff_bench_options *o) {
  return open_set(config, NULL, o);
}

/* For tests that see single reads, last sectors or edges of the unit's own memory ports. */
static mff_bench *open_native(const char *config, const char *set, const mff_bench_options *o) {
  mff_bench *b = open_set(config, set, o);
  if (!b->bus) return b;
  wf_bench_destroy(b);
  skip();
  return NULL;
}

static void configure(mff_bench *b) {
  mff_bench_mark(b);
  ok(b, mff_bench_configure(b, MFF_CFG_C_BASE, C) && mff_bench_configure(b, MFF_CFG_V_BASE, V) &&
            mff_bench_configure(b, MFF_CFG_B_BASE, BITS));
}

/* C[i] for the test at hand. */
static void set_c(mff_bench *b, uint32_t i, uint32_t vertex) {
  b->memory[C / 4 + i] = vertex;
}

static void finish(mff_bench *b) {
  ok(b, mff_bench_drain(b) && mff_bench_check_end(b));
  wf_bench_destroy(b);
}
#define TEST(name, config) WF_DIRECTED(name, mff_bench *b, open_with(config, &quiet), finish)
#define TEST_NATIVE(name, config)                                                                  \
  WF_DIRECTED(name, mff_bench *b, open_native(config, NULL, &quiet), finish)

static void slow_memory(mff_bench *b, unsigned latency) {
  b->options.latency_min = b->options.latency_max = latency;
}

/* All lanes of `mask` read size elements from lane * stride on. */
static void send(mff_bench *b, unsigned slice, uint32_t op, uint32_t sm, uint32_t warp,
                 uint32_t tag, uint32_t mask, uint32_t stride, uint32_t size) {
  mff_lane lanes[MFF_LANES];
  for (uint32_t n = 0; n < MFF_LANES; n++) lanes[n] = (mff_lane){n * stride, size};
  mff_cmd_header h = {.op = op, .sm = sm, .warp = warp, .tag = tag, .lane_mask = mask};
  mff_bench_send(b, slice, &h, lanes, 0);
}

static uint64_t total(mff_bench *b, unsigned index) {
  uint64_t sum = 0;
  for (unsigned s = 0; s < b->slices; s++) sum += mff_bench_counter(b, s, index);
  return sum;
}

static uint64_t v_reads(mff_bench *b) {
  mff_bench_snapshot(b);
  return total(b, MFF_CNT_V_LOOKUPS) - total(b, MFF_CNT_V_MERGES);
}

/* Figures 1 and 3: threads 0..3 of a warp; V[3] is needed by threads 0, 1 and 2, and V is one
 * block. */
TEST(figure_3_one_warp_reads_each_block_once, "small") {
  static const uint32_t c[] = {0, 3, 1, 4, 5, 6, 2, 7, 3, 1, 3, 9, 10, 11, 12, 0, 1};
  static const uint32_t r[] = {0, 8, 9, 15, 17};
  for (uint32_t i = 0; i < 17; i++) set_c(b, i, c[i]);
  configure(b);
  mff_lane lanes[MFF_LANES] = {{0}};
  for (uint32_t n = 0; n < 4; n++) lanes[n] = (mff_lane){r[n], r[n + 1] - r[n]};
  mff_cmd_header h = {.sm = 0, .warp = 0, .tag = 0, .lane_mask = 15};
  mff_bench_send(b, 0, &h, lanes, 0);
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.words, 17);
  assert_int_equal(b->stats.blocks_read, 2); /* one of C, one of V */
  assert_int_equal(v_reads(b), 1);
}

/* Figure 4: eight warp-level requests over time touch four blocks; a core that coalesces within a
 * warp only sends eleven requests. While the first is outstanding the unit sends four. */
TEST(figure_4_eleven_requests_become_four, "tuned") {
  slow_memory(b, 400);
  static const uint8_t blocks[8] = {1,     1,     2, 4,
                                    2 | 8, 4 | 8, 1, 2 | 8}; /* 11 bits: blocks per warp */
  unsigned coalesced = 0;
  for (unsigned t = 0; t < 8; t++) {
    uint32_t use[4], n = 0;
    for (uint32_t k = 0; k < 4; k++)
      if (blocks[t] >> k & 1) use[n++] = k;
    coalesced += n;
    for (uint32_t lane = 0; lane < 4; lane++) set_c(b, t * 4 + lane, use[lane % n] * 32 + lane);
  }
  assert_int_equal(coalesced, 11);
  configure(b);
  for (uint32_t t = 0; t < 8; t++) {
    mff_lane lanes[MFF_LANES];
    for (uint32_t n = 0; n < MFF_LANES; n++) lanes[n] = (mff_lane){t * 4 + n, 1};
    mff_cmd_header h = {.sm = t, .warp = t, .tag = t, .lane_mask = 15};
    mff_bench_send(b, 0, &h, lanes, 0);
  }
  ok(b, mff_bench_drain(b));
  assert_int_equal(v_reads(b), 4);
  assert_int_equal(b->stats.blocks_read, 5); /* and one of C */
}

TEST(sizes_0_and_32_and_33, "small") {
  for (uint32_t i = 0; i < 1100; i++) set_c(b, i, (i * 37) % 900);
  configure(b);
  send(b, 0, MFF_OP_GATHER, 0, 0, 1, 0, 0, 5);         /* no lane */
  send(b, 1, MFF_OP_GATHER, 0, 1, 2, ~0u, 1, 0);       /* all lanes empty */
  send(b, 0, MFF_OP_GATHER, 1, 2, 3, ~0u, 32, 32);     /* 1024 words */
  send(b, 1, MFF_OP_GATHER, 1, 3, 4, 1u << 31, 1, 33); /* refused */
  send(b, 0, MFF_OP_SCATTER_SET, 1, 1, 5, 0, 0, 0);
  send(b, 1, MFF_OP_SCATTER_SET, 0, 2, 6, ~0u, 32, 32);
  send(b, 0, MFF_OP_SCATTER_SET, 0, 3, 7, 0x40, 1, 63); /* refused */
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.refused, 2);
  assert_int_equal(b->stats.words, 1024);
  assert_int_equal(b->stats.bits, 1024);
}

/* Every start in a block with every length that crosses its end. */
TEST(runs_across_block_boundaries, "three") {
  for (uint32_t i = 0; i < 64; i++) set_c(b, i, 63 - i);
  configure(b);
  mff_cmd_header h = {.lane_mask = ~0u};
  for (uint32_t size = 1; size <= 32; size++) {
    mff_lane lanes[MFF_LANES];
    for (uint32_t n = 0; n < MFF_LANES; n++) lanes[n] = (mff_lane){n, size};
    h.tag = size;
    mff_bench_send(b, size % 3, &h, lanes, 0);
  }
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.words, 32 * 33 / 2 * 32);
}

TEST(all_lanes_one_vertex, "tuned") {
  for (uint32_t i = 0; i < 1024; i++) set_c(b, i, 77);
  configure(b);
  for (uint32_t k = 0; k < 12; k++) send(b, k % 6, k & 1, k, k, k, ~0u, 32, 32);
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.words, 6 * 1024);
  assert_int_equal(b->stats.bits, 6 * 1024);
}

/* More commands than token entries scatter into one block: it is written early, bits stay right. */
TEST(scatter_of_many_commands_into_one_block, "small") {
  slow_memory(b, 3000);
  for (uint32_t i = 0; i < 64; i++) set_c(b, i, i * 13 % 1024);
  configure(b);
  for (uint32_t k = 0; k < 38; k++) {
    mff_lane lanes[MFF_LANES] = {{k, 1}};
    mff_cmd_header h = {
        .op = MFF_OP_SCATTER_SET, .sm = k & 1, .warp = k & 3, .tag = k, .lane_mask = 1};
    mff_bench_send(b, k & 1, &h, lanes, 0);
  }
  ok(b, mff_bench_drain(b));
  mff_bench_snapshot(b);
  assert_int_equal(v_reads(b), 1);
  assert_true(total(b, MFF_CNT_EARLY_WRITES) >= 1);
  assert_true(total(b, MFF_CNT_BLOCKS_WRITTEN) > total(b, MFF_CNT_EARLY_WRITES));
}

/* Back-to-back sets in one word go through the forwarding paths of the walk. */
static void scatter_to_one_word_back_to_back(void **state) {
  (void)state;
  mff_bench_options slow = quiet; /* the whole list is there when the block lands */
  slow.latency_min = slow.latency_max = 200;
  mff_bench *b = open_native("small", NULL, &slow);
  for (uint32_t i = 0; i < 32; i++) set_c(b, i, 64 + (i * 11) % 32);
  configure(b);
  send(b, 0, MFF_OP_SCATTER_SET, 0, 0, 1, 1, 0, 32);
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->memory[BITS / 4 + 2], ~0u);
  assert_int_equal(b->stats.blocks_written, 1);
  assert_int_equal(b->stats.sectors_written, 1);
  finish(b);
}

/* What one command sets in a block is one token, not one for each word: more words than tokens fit.
 */
TEST_NATIVE(scatter_of_one_command_needs_one_token, "small") {
  slow_memory(b, 400);
  for (uint32_t i = 0; i < 64; i++)
    set_c(b, i, i % 32 * 32 + i / 32 * 2048); /* a bit of each word: one block of each slice */
  configure(b);
  send(b, 0, MFF_OP_SCATTER_SET, 0, 0, 1, 3, 32, 32);
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.blocks_written, 2);
  mff_bench_snapshot(b);
  assert_int_equal(total(b, MFF_CNT_EARLY_WRITES), 0);
}

/* The bit vector lies inside V: gathers and scatters meet in the same lists. */
static void gather_and_scatter_in_one_block(void **state) {
  (void)state;
  mff_bench_options o = quiet;
  o.overlap = true;
  mff_bench *b = open_with("small", &o);
  for (uint32_t i = 0; i < 256; i++) set_c(b, i, i % 32);
  for (uint32_t i = 0; i < 32; i++) b->memory[V / 4 + i] = i << 20;
  configure(b);
  ok(b, mff_bench_configure(b, MFF_CFG_B_BASE, V));
  for (uint32_t k = 0; k < 24; k++) send(b, k & 1, k % 3 == 0, k & 1, k & 3, k, 0xff, 32, 32);
  finish(b);
}

TEST(misaligned_bases_are_refused, "small") {
  for (uint32_t i = 0; i < 32; i++) set_c(b, i, i);
  configure(b);
  ok(b, mff_bench_configure(b, MFF_CFG_V_BASE, V + 2));
  send(b, 0, MFF_OP_GATHER, 0, 0, 1, 3, 4, 4);      /* refused */
  send(b, 1, MFF_OP_SCATTER_SET, 0, 0, 2, 3, 4, 4); /* does not use V */
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.refused, 1);
  ok(b,
     mff_bench_configure(b, MFF_CFG_V_BASE, V) && mff_bench_configure(b, MFF_CFG_B_BASE, BITS + 1));
  send(b, 0, MFF_OP_GATHER, 0, 0, 3, 3, 4, 4);
  send(b, 1, MFF_OP_SCATTER_SET, 0, 0, 4, 3, 4, 4); /* refused */
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.refused, 2);
  ok(b,
     mff_bench_configure(b, MFF_CFG_B_BASE, BITS) && mff_bench_configure(b, MFF_CFG_C_BASE, C + 3));
  send(b, 0, MFF_OP_GATHER, 0, 0, 5, 3, 4, 4);
  send(b, 1, MFF_OP_SCATTER_SET, 0, 0, 6, 3, 4, 4);
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.refused, 4);
  ok(b, mff_bench_configure(b, 7, 0)); /* no such register: counted, nothing else */
}

TEST(unknown_senders_and_wrong_framing_are_refused, "small") {
  /* 2 SMs, 4 warps */
  for (uint32_t i = 0; i < 32; i++) set_c(b, i, i);
  configure(b);
  send(b, 0, MFF_OP_GATHER, 2, 0, 1, ~0u, 0, 8);
  send(b, 1, MFF_OP_GATHER, 0, 4, 2, ~0u, 0, 8);
  send(b, 0, MFF_OP_SCATTER_SET, 63, 63, 3, 1, 0, 8);
  mff_lane lanes[MFF_LANES] = {{0, 3}};
  for (uint32_t extra = 1; extra < 2; extra++)
    for (uint32_t lanes_in = 0; lanes_in <= 32; lanes_in += 8) {
      mff_cmd_header h = {.sm = 1,
                          .warp = 3,
                          .tag = 16 + lanes_in,
                          .lane_mask = lanes_in == 32 ? ~0u : (1u << lanes_in) - 1};
      mff_bench_send(b, 1, &h, lanes, extra);
    }
  send(b, 1, MFF_OP_GATHER, 1, 3, 4, ~0u, 0, 8); /* and the next one is fine */
  ok(b, mff_bench_drain(b));
  assert_int_equal(b->stats.refused, 3 + 5);
  assert_int_equal(b->stats.words, 256);
}

/* Everything has one entry: still right, only slow; latency per command stays bounded. */
TEST(tiny_tables, "tiny") {
  for (uint32_t i = 0; i < 64; i++) set_c(b, i, (i * 67) % 512);
  configure(b);
  for (uint32_t k = 0; k < 6; k++) send(b, 0, k & 1, 0, 0, k, 0x80000001u, 1, 20);
  ok(b, mff_bench_drain(b));
  /* 80 elements at a read, a walk and a write each, one after the other */
  assert_in_range(b->stats.longest_command, 1, 6 * 40 * (3 * 20 + 60));
}

/* What happened at the ports, and when: two runs with equal traces did the same. */
typedef struct trace {
  uint64_t start, hash;
} trace;

static void add_to_trace(void *user, uint64_t cycle, unsigned slice, mff_event_kind kind,
                         uint32_t value) {
  trace *t = user;
  if (kind == MFF_EV_CMD) value = 0; /* names a record of the bench */
  const uint64_t items[] = {cycle - t->start, slice, (uint64_t)kind, value};
  for (size_t i = 0; i < sizeof items / sizeof *items; i++)
    t->hash = (t->hash ^ items[i]) * 0x100000001b3;
}

/* Between two commands the unit is idle; how long does not change what follows, nor when (clock
 * gating). */
static void idle_time_changes_nothing(void **state) {
  (void)state;
  static const unsigned waits[] = {0, 1, 2, 3, 5, 6, 7, 500};
  uint64_t first = 0;
  for (size_t w = 0; w < sizeof waits / sizeof *waits; w++) {
    mff_bench *b = open_native("small", NULL, &quiet);
    for (uint32_t i = 0; i < 256; i++) set_c(b, i, (i * 29) % 700);
    configure(b);
    for (uint32_t k = 0; k < 8; k++) send(b, k & 1, k & 1, 0, k & 3, k, ~0u, 8, 7);
    ok(b, mff_bench_drain(b));
    for (unsigned i = 0; i < waits[w]; i++) ok(b, mff_bench_cycle(b));
    trace t = {.start = b->stats.cycles};
    b->event = add_to_trace;
    b->event_user = &t;
    for (uint32_t k = 0; k < 8; k++) send(b, k & 1, k & 1, 0, k & 3, k, ~0u, 8, 7);
    ok(b, mff_bench_drain(b));
    b->event = NULL;
    if (w == 0) first = t.hash;
    assert_true(t.hash == first);
    finish(b);
  }
}

/* Once idle_o is up it stays, and by then nothing has moved for some cycles: the clock may stop. */
TEST(idle_is_final, "small") {
  const wf_port *idle = wf_model_port(b->base.model, "idle_o"),
                *empty = wf_model_port(b->base.model, "cfg_ready_o");
  for (uint32_t i = 0; i < 256; i++) set_c(b, i, (i * 29) % 700);
  configure(b);
  for (uint32_t k = 0; k < 8; k++) {
    send(b, k & 1, k & 1, 0, k & 3, k, ~0u, 8, 1 + k);
    unsigned rest = 0, waited = 0;
    for (; b->pending || !wf_port_get(idle); waited++) {
      assert_true(waited < 2000);
      rest = wf_port_get(empty) ? rest + 1 : 0;
      ok(b, mff_bench_cycle(b));
    }
    assert_true(rest >= 5);
    for (unsigned i = 0; i < 40; i++) {
      assert_true(wf_port_get(idle) && wf_port_get(empty));
      ok(b, mff_bench_cycle(b));
    }
  }
}

/* A reset at any moment leaves nothing behind. */
static void reset_in_the_middle(void **state) {
  (void)state;
  mff_bench *b = open_with("small", &quiet);
  for (uint32_t i = 0; i < 256; i++) set_c(b, i, (i * 29) % 700);
  for (unsigned cycles = 3; cycles < 700; cycles += cycles / 8 + 7) {
    configure(b);
    for (uint32_t k = 0; k < 8; k++) send(b, k & 1, k % 3 == 1, k & 1, k & 3, k, ~0u, 8, 1 + k);
    for (unsigned i = 0; i < cycles; i++) ok(b, mff_bench_cycle(b));
    ok(b, wf_bench_reset(b));
    configure(b);
    for (uint32_t k = 0; k < 4; k++) send(b, k & 1, k == 2, k & 1, k & 3, k, 0xf0f0u, 8, 7);
    ok(b, mff_bench_drain(b) && mff_bench_check_end(b));
    ok(b, wf_bench_reset(b));
  }
  wf_bench_destroy(b);
}

/* All jobs of a slice end while nobody takes responses: their completions wait, and none is lost.
 */
static void all_jobs_complete_at_once(void **state) {
  (void)state;
  mff_bench_options o = quiet;
  mff_bench *b = open_with("small", &o); /* 20 jobs per slice */
  for (uint32_t i = 0; i < 1100; i++) set_c(b, i, (i * 37) % 900);
  configure(b);
  for (unsigned round = 0; round < 3; round++) {
    o.stall_rsp = 99;
    o.burst = 400;
    b->options = o;
    for (uint32_t k = 0; k < 50; k++) /* no elements, refused, one element */
      send(b, k & 1, (k >> 1) & 1, k % 3, k & 3, k, 0x8001u << round, 1,
           round == 1 && k % 5 ? 40 : round == 2);
    for (unsigned i = 0; i < 1500; i++) ok(b, mff_bench_cycle(b));
    o.stall_rsp = 0;
    b->options = o;
    ok(b, mff_bench_drain(b));
  }
  finish(b);
}

/* Jobs wait for the sequencer, runs for C lines: every queue between a command and memory is full
 * for a while. */
static void every_job_waits_for_a_slow_memory(void **state) {
  (void)state;
  mff_bench_options slow = quiet;
  slow.latency_min = slow.latency_max = 700;
  slow.hang_after = 20000;
  mff_bench *b = open_with("small", &slow);
  for (uint32_t i = 0; i < 4096; i++) set_c(b, i, (i * 613) % 8000);
  configure(b);
  for (uint32_t k = 0; k < 60; k++)
    send(b, k & 1, k % 7 == 3, k & 1, (k >> 1) & 3, k, 0x01010101u << (k & 7), 128, 3);
  ok(b, mff_bench_drain(b));
  mff_bench_snapshot(b);
  assert_true(total(b, MFF_CNT_STALL_JOB) > 0);
  assert_true(total(b, MFF_CNT_C_STALL_TAG) > 0);
  finish(b);
}

static void run_cycles(mff_bench *b, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++) ok(b, mff_bench_cycle(b));
}

/* What each counter of a slice adds per cycle while nothing moves but what waits. */
typedef struct rates {
  unsigned per_cycle[MFF_CNT_COUNT];
} rates;

/* Two snapshots, `rounds` of the counters' rounds apart, so that each counter has the same time. */
static void check_rates(mff_bench *b, const rates expected[2], unsigned rounds) {
  const unsigned apart = rounds * MFF_CNT_COUNT;
  uint64_t first[2][MFF_CNT_COUNT], start = b->stats.cycles;
  mff_bench_snapshot(b);
  for (unsigned s = 0; s < 2; s++)
    for (unsigned i = 0; i < MFF_CNT_COUNT; i++) first[s][i] = mff_bench_counter(b, s, i);
  run_cycles(b, (unsigned)(start + apart - b->stats.cycles));
  mff_bench_snapshot(b);
  for (unsigned s = 0; s < 2; s++)
    for (unsigned i = 0; i < MFF_CNT_COUNT; i++) {
      uint64_t added = mff_bench_counter(b, s, i) - first[s][i];
      if (added != (uint64_t)expected[s].per_cycle[i] * apart)
        fail_msg("slice %u: counter %u added %llu in %u cycles, %u a cycle expected", s, i,
                 (unsigned long long)added, apart, expected[s].per_cycle[i]);
    }
}

/* Nothing comes back from memory: jobs, C lines and C registers fill to the last one, and no
 * further. */
static void every_c_table_fills(void **state) {
  (void)state;
  mff_bench_options slow = quiet;
  slow.latency_min = slow.latency_max = 4000;
  slow.hang_after = 20000;
  mff_bench *b = open_native("small", "LaneRows=24", &slow);   /* a row for each job */
  static const uint32_t blocks[2][3] = {{0, 1, 4}, {2, 3, 6}}; /* of C, by slice */
  for (uint32_t i = 0; i < 256; i++) set_c(b, i, i * 7);
  configure(b);
  uint32_t jobs = wf_bench_parameter(&b->base, "JobEntries") / 2, sent = jobs + 8;
  for (uint32_t s = 0; s < 2; s++)
    for (uint32_t k = 0; k < sent; k++) {
      mff_lane lanes[MFF_LANES] = {{0}};
      for (uint32_t n = 0; n < 6; n++) lanes[n] = (mff_lane){blocks[n & 1][n / 2] * 32 + k, 1};
      mff_cmd_header h = {.sm = s, .warp = k & 3, .tag = k, .lane_mask = 63};
      mff_bench_send(b, s, &h, lanes, 0);
    }
  run_cycles(b, 1500);
  assert_int_equal(b->stats.blocks_read, 2 * wf_bench_parameter(&b->base, "CLines"));
  for (uint32_t s = 0; s < 2; s++) /* two flits a command, two flits wait at the port */
    assert_int_equal(b->slice[s].flit_count, 2 * (sent - jobs) - 2);
  mff_bench_snapshot(b);
  assert_int_equal(total(b, MFF_CNT_C_LOOKUPS), wf_bench_parameter(&b->base, "CRegs"));
  static const rates waits = {{[MFF_CNT_CYCLES] = 1,
                               [MFF_CNT_JOB_OCC] = 20,
                               [MFF_CNT_STALL_JOB] = 1,
                               [MFF_CNT_C_STALL_REG] = 1,
                               [MFF_CNT_C_OCC] = 3}};
  check_rates(b, (const rates[2]){waits, waits}, 20);
  b->options = quiet;
  run_cycles(b, 4000);
  finish(b);
}

/* C comes back, V does not: V tags fill, or, with few blocks, V registers. Those are waited for
 * until their sum has passed 2^23: the largest counters carry as far as nobody else's test does. */
static void every_v_table_fills(void **state) {
  (void)state;
  enum { LONG = 6800 }; /* rounds: 40 registers a cycle */
  for (int few = 0; few < 2; few++) {
    mff_bench_options o = quiet;
    o.hang_after = 300000;
    mff_bench *b = open_native("small", "VWays=4", &o); /* one set: every tag serves every block */
    /* Neighbours lie in different slices, so that each element is a request. */
    for (uint32_t i = 0; i < 64; i++) set_c(b, i, (i & 1) * 64 + (few ? 0 : i / 2 * 128) + i % 32);
    configure(b);
    for (uint32_t k = 0; k < 4; k++) send(b, k & 1, MFF_OP_GATHER, 0, k, k, 3, 32, 32);
    while (b->stats.blocks_read < 2) ok(b, mff_bench_cycle(b));
    o.latency_min = o.latency_max = few ? 214000 : 4000;
    b->options = o;
    run_cycles(b, 1500);
    mff_bench_snapshot(b);
    int64_t tags = 1, least = wf_bench_parameter(&b->base, "TagEntries") -
                              wf_bench_parameter(&b->base, "CLines");
    while (tags < least) tags *= 2;
    int64_t registers =
        wf_bench_parameter(&b->base, "WorkRegs") - wf_bench_parameter(&b->base, "CRegs");
    assert_int_equal(b->stats.blocks_read, few ? 4 : 2 + 2 * tags);
    if (few) assert_int_equal(total(b, MFF_CNT_V_LOOKUPS), registers);
    /* Two commands of each slice; both C blocks lie in slice 0, whose next request waits for its
     * crossbar. */
    rates waits = {{[MFF_CNT_CYCLES] = 1,
                    [MFF_CNT_JOB_OCC] = 2,
                    [MFF_CNT_V_TAG_OCC] = few ? 1 : (unsigned)tags,
                    [MFF_CNT_V_REG_OCC] = few ? (unsigned)registers / 2 : (unsigned)tags}};
    waits.per_cycle[few ? MFF_CNT_V_STALL_REG : MFF_CNT_V_STALL_TAG] = 1;
    rates with_c = waits;
    with_c.per_cycle[MFF_CNT_C_OCC] = 2;
    with_c.per_cycle[MFF_CNT_C_STALL_OUT] = 1;
    check_rates(b, (const rates[2]){with_c, waits}, few ? LONG : 20);
    o.latency_min = o.latency_max = 20;
    b->options = o;
    run_cycles(b, 4000);
    finish(b);
  }
}

/* All lanes of a command of slice s read the 32 elements of its first block of C, which name those
 * of its first block of V. */
static void send_one_block(mff_bench *b, uint32_t s, uint32_t warp) {
  mff_lane lanes[MFF_LANES];
  for (uint32_t n = 0; n < MFF_LANES; n++) lanes[n] = (mff_lane){s * 64, 32};
  mff_cmd_header h = {.op = MFF_OP_GATHER, .warp = warp, .lane_mask = ~0u};
  mff_bench_send(b, s, &h, lanes, 0);
}

/* Responses are held: words of each slice's one command fill the packing buffer, what carries them
 * there waits, each in its place, and each is counted: lists of all 40 registers of V behind it. */
static void held_responses_are_counted(void **state) {
  (void)state;
  enum { HELD = 20 * MFF_CNT_COUNT + 2000, RSP = 1 /* of mff_slice_state.stall */ };
  mff_bench_options o = quiet;
  o.hang_after = 20000;
  mff_bench *b = open_native("small", NULL, &o);
  for (uint32_t i = 0; i < 128; i++) set_c(b, i, i);
  configure(b);
  for (uint32_t s = 0; s < 2; s++) {
    send_one_block(b, s, s);
    b->slice[s].stall[RSP] = HELD;
  }
  run_cycles(b, 1500);
  static const rates waits = {{[MFF_CNT_CYCLES] = 1,
                               [MFF_CNT_JOB_OCC] = 1,
                               [MFF_CNT_C_STALL_REG] = 1,
                               [MFF_CNT_C_OCC] = 1,
                               [MFF_CNT_C_STALL_OUT] = 1,
                               [MFF_CNT_V_STALL_REG] = 1,
                               [MFF_CNT_V_TAG_OCC] = 1,
                               [MFF_CNT_V_REG_OCC] = 40,
                               [MFF_CNT_STALL_WALK] = 1,
                               [MFF_CNT_STALL_RSP] = 1}};
  check_rates(b, (const rates[2]){waits, waits}, 20);
  finish(b);
}

/* Commands of both slices that memory holds up: what their lanes read, and what counts then. */
typedef struct held_up {
  uint32_t op, lanes;
  uint32_t c_stride, v_stride; /* of lanes in C, of what C names there: words of V, or bits */
  unsigned channel;            /* held from the second read on; 0: nothing lands */
  rates waits;
} held_up;

/* Sends them, and holds their channel for so many cycles. */
static void start_held(mff_bench *b, const held_up *h, unsigned cycles) {
  const uint32_t unit = h->op ? 32 : 1; /* a scatter's index names a bit */
  for (uint32_t i = 0; i < 64; i++)     /* what a slice's C names lies in that slice */
    set_c(b, i / 32 * 64 + i % 32, i / 32 * 64 * unit + i % 32 * h->v_stride * unit);
  configure(b);
  for (uint32_t s = 0; s < 2; s++) {
    mff_lane lanes[MFF_LANES];
    for (uint32_t n = 0; n < MFF_LANES; n++) lanes[n] = (mff_lane){s * 64 + n * h->c_stride, 1};
    const mff_cmd_header header = {.op = h->op, .warp = s, .lane_mask = h->lanes};
    mff_bench_send(b, s, &header, lanes, 0);
  }
  while (h->channel && b->stats.blocks_read < 2) ok(b, mff_bench_cycle(b)); /* of C */
  for (uint32_t s = 0; s < 2 && h->channel; s++) b->slice[s].stall[h->channel] = cycles;
}

static void hold_up(const held_up *h) {
  enum { HELD = 20 * MFF_CNT_COUNT + 2000 };
  mff_bench_options o = quiet;
  o.hang_after = 20000;
  if (!h->channel) o.latency_min = o.latency_max = HELD;
  mff_bench *b = open_native("small", NULL, &o);
  start_held(b, h, HELD);
  run_cycles(b, 1500);
  check_rates(b, (const rates[2]){h->waits, h->waits}, 20);
  finish(b);
}

static const held_up writes_held = {MFF_OP_SCATTER_SET,
                                    7,
                                    1,
                                    128,
                                    4 /* of mff_slice_state.stall: writes */,
                                    {{[MFF_CNT_CYCLES] = 1,
                                      [MFF_CNT_JOB_OCC] = 1,
                                      [MFF_CNT_C_OCC] = 1,
                                      [MFF_CNT_V_TAG_OCC] = 3,
                                      [MFF_CNT_V_REG_OCC] = 1,
                                      [MFF_CNT_STALL_LINE] = 1,
                                      [MFF_CNT_STALL_WALK] = 1}}};

/* What memory holds up waits in its place, and is counted there in each slice: blocks of C that
 * have no line, reads of V behind those that nobody takes, blocks that find both lines of V waiting
 * for a write. */
static void what_memory_holds_up_is_counted(void **state) {
  (void)state;
  enum { READ = 2 /* of mff_slice_state.stall */ };
  static const held_up no_line = {MFF_OP_GATHER,
                                  0xff,
                                  128,
                                  0,
                                  0,
                                  {{[MFF_CNT_CYCLES] = 1,
                                    [MFF_CNT_JOB_OCC] = 1,
                                    [MFF_CNT_C_STALL_TAG] = 1,
                                    [MFF_CNT_C_OCC] = 3}}},
                       reads = {MFF_OP_GATHER,
                                0xffff,
                                1,
                                128,
                                READ,
                                {{[MFF_CNT_CYCLES] = 1,
                                  [MFF_CNT_JOB_OCC] = 1,
                                  [MFF_CNT_C_OCC] = 1,
                                  [MFF_CNT_C_STALL_OUT] = 1,
                                  [MFF_CNT_V_STALL_RD] = 1,
                                  [MFF_CNT_V_TAG_OCC] = 3,
                                  [MFF_CNT_V_REG_OCC] = 3}}};
  hold_up(&no_line);
  hold_up(&reads);
  hold_up(&writes_held);
}

/* A write that is held some cycles longer adds so many to the counters of what waits for it: any
 * number of them, at any place of the counters' round. */
static void each_cycle_held_is_counted(void **state) {
  (void)state;
  enum { FEWEST = 100, MOST = FEWEST + 40 };
  static const unsigned stalls[2] = {MFF_CNT_STALL_LINE, MFF_CNT_STALL_WALK};
  mff_bench *b = open_native("small", NULL, &quiet);
  uint64_t fewest[2][2];
  for (unsigned held = FEWEST; held <= MOST; held++) {
    start_held(b, &writes_held, held);
    ok(b, mff_bench_drain(b) && mff_bench_check_end(b));
    for (unsigned s = 0; s < 2; s++)
      for (unsigned i = 0; i < 2; i++) {
        const uint64_t value = mff_bench_counter(b, s, stalls[i]);
        if (held == FEWEST) fewest[s][i] = value;
        assert_int_equal(value, fewest[s][i] + held - FEWEST);
      }
    ok(b, wf_bench_reset(b));
  }
  wf_bench_destroy(b);
}

/* A command that is alone waits for nobody, and nobody's wait is counted. */
static void a_lone_command_counts_no_stalls(void **state) {
  (void)state;
  static const unsigned stalls[] = {MFF_CNT_STALL_JOB,   MFF_CNT_C_STALL_TAG, MFF_CNT_C_STALL_REG,
                                    MFF_CNT_C_STALL_OUT, MFF_CNT_V_STALL_TAG, MFF_CNT_V_STALL_REG,
                                    MFF_CNT_V_STALL_RD,  MFF_CNT_STALL_LINE,  MFF_CNT_STALL_WALK,
                                    MFF_CNT_STALL_RSP};
  mff_bench *b = open_native("small", NULL, &quiet);
  for (uint32_t i = 0; i < 64; i++) set_c(b, i, i % 2 * 64 + i);
  configure(b);
  for (uint32_t k = 0; k < 8; k++) {
    send(b, k & 1, k >> 1 & 1, 0, 0, k, 1, 0, 1 + (k >> 2));
    ok(b, mff_bench_drain(b));
  }
  mff_bench_snapshot(b);
  for (uint32_t s = 0; s < 2; s++)
    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++)
      assert_int_equal(mff_bench_counter(b, s, stalls[i]), 0);
  finish(b);
}

/* Four indexes of a run a cycle, in each slice: 32 lanes of 32 elements of one block. What eight C
 * registers hold bounds them to 455 cycles. */
static void runs_go_four_indexes_a_cycle(void **state) {
  (void)state;
  for (uint32_t s = 0; s < 2; s++) {
    mff_bench *b = open_native("small", NULL, &quiet);
    for (uint32_t i = 0; i < 128; i++) set_c(b, i, i);
    configure(b);
    uint64_t begun = b->stats.cycles;
    send_one_block(b, s, 0);
    ok(b, mff_bench_drain(b));
    assert_in_range(b->stats.cycles - begun, 32 * 32 / 4, 500); /* 787 at two a cycle */
    finish(b);
  }
}

/* Three blocks that share their set in both banks, of one way each: the third waits for one of the
 * others, which nobody else wants, to go, while most tags and lines are free. */
static void a_block_waits_for_room_in_its_sets(void **state) {
  (void)state;
  mff_bench *b = open_native("small", "VLines=8", &quiet);
  static const uint32_t blocks[] = {0, 0x11,
                                    0x44}; /* of V, whose base is a multiple of 32 blocks */
  for (uint32_t i = 0; i < 3; i++) set_c(b, i, blocks[i] * 32);
  configure(b);
  send(b, 0, MFF_OP_GATHER, 0, 0, 0, 1, 0, 3);
  while (b->stats.blocks_read < 1) ok(b, mff_bench_cycle(b));
  slow_memory(b, 500);
  run_cycles(b, 300);
  assert_int_equal(b->stats.blocks_read, 1 + 2);
  mff_bench_snapshot(b);
  assert_true(total(b, MFF_CNT_V_STALL_TAG) > 100);
  ok(b, mff_bench_drain(b));
  assert_int_equal(v_reads(b), 3);
  finish(b);
}

/* Two words of a command that reach a slice a few cycles apart share a flit, whenever they come:
 * flushing starts when nothing more is on its way. */
TEST(words_a_few_cycles_apart_share_a_flit, "small") {
  for (uint32_t i = 0; i < 64; i++)
    set_c(b, i, i % 2 * 128); /* V[0] and V[128]: two blocks of one slice */
  configure(b);
  for (uint32_t k = 0; k < 64; k++) {
    uint64_t flits = b->stats.data_flits;
    send(b, k & 1, MFF_OP_GATHER, 0, 0, k, 1, 0, 2);
    ok(b, mff_bench_drain(b));
    assert_int_equal(b->stats.data_flits - flits, 1);
    for (uint32_t i = 0; i < k % 11; i++) ok(b, mff_bench_cycle(b));
  }
}

typedef struct tally {
  mff_event_kind kind;
  unsigned n[2]; /* by slice */
} tally;

static void count_events(void *user, uint64_t cycle, unsigned slice, mff_event_kind kind,
                         uint32_t value) {
  (void)cycle, (void)value;
  tally *t = user;
  if (kind == t->kind) t->n[slice]++;
}

/* Counts the transfers of a kind from now on. */
static void watch(mff_bench *b, tally *t, mff_event_kind kind) {
  *t = (tally){.kind = kind};
  b->event = count_events;
  b->event_user = t;
}

/* A word is swept out of its flit only after two visits of the sweep without another word: words of
 * one command that trickle in, fewer cycles apart than the sweep needs for a round, leave in full
 * flits. */
static void a_trickle_of_words_fills_its_flits(void **state) {
  (void)state;
  enum { APART = 8, WAITS = 64 };
  for (uint32_t test = 0; test < 2 * 4 * 2; test++) {
    /* Words of others are in so many entries; the sweep is at one place or another. */
    const uint32_t slice = test & 1, before = test / 2 % 4, later = test / 8 * 16;
    mff_bench_options o = quiet;
    o.in_order = false;
    mff_bench *b = open_native("small", NULL, &o);
    /* One element of eight lies in this slice; the others alternate between two blocks of the other
     * one, so that none of them shares a request. */
    uint32_t mine = slice * 64, other = 64 - mine;
    for (uint32_t i = 0; i < 32; i++) set_c(b, i, i % APART == 0 ? mine + i : other + i % 2 * 128);
    set_c(b, WAITS, mine + 256);
    configure(b);
    /* While a word of another command is on its way to this slice, nothing is flushed for want of
     * words. */
    mff_lane lanes[MFF_LANES] = {{WAITS, 1}};
    mff_cmd_header h = {.op = MFF_OP_GATHER, .tag = 1, .lane_mask = 1};
    mff_bench_send(b, 0, &h, lanes, 0);
    for (unsigned latency = 20; latency <= 4000; latency += 3980) {
      o.latency_min = o.latency_max = latency;
      b->options = o;
      uint64_t reads = b->stats.blocks_read;
      while (b->stats.blocks_read == reads) ok(b, mff_bench_cycle(b));
    }
    o.latency_min = o.latency_max = 20;
    b->options = o;
    tally t;
    watch(b, &t, MFF_EV_BEAT);
    for (uint32_t k = 0; k < before; k++) send(b, 0, MFF_OP_GATHER, 0, k, 3, 1, 0, 1);
    while (before && t.n[0] < 4) ok(b, mff_bench_cycle(b)); /* the block of C */
    run_cycles(b, 8 + later);
    watch(b, &t, MFF_EV_DATA);
    send(b, 0, MFF_OP_GATHER, 1, 0, 2, ~0u, 0, 32);
    while (b->pending > 1) ok(b, mff_bench_cycle(b));
    assert_int_equal(t.n[slice], before + (32 * 32 / APART + 4) / 5);
    b->event = NULL;
    finish(b);
  }
}

/* Where words of more commands come than there are entries, the next entry in rotation makes room:
 * of words that have an entry each, those that came first leave first. */
static void entries_make_room_in_rotation(void **state) {
  (void)state;
  enum { ENTRIES = 4, COMMANDS = 2 * ENTRIES };
  for (uint32_t slice = 0; slice < 2; slice++) {
    mff_bench *b = open_native("small", NULL, &quiet);
    for (uint32_t i = 0; i < 32; i++) set_c(b, slice * 64 + i, slice * 64 + i);
    configure(b);
    b->options.latency_v = 400; /* then all wait in one list, which is walked from its end */
    for (uint32_t k = 0; k < COMMANDS; k++) {
      mff_lane lanes[MFF_LANES] = {{slice * 64 + k, 1}};
      mff_cmd_header h = {.op = MFF_OP_GATHER, .tag = k, .lane_mask = 1};
      mff_bench_send(b, slice, &h, lanes, 0);
      run_cycles(b, 40);
    }
    uint32_t gone = 0;
    while (b->pending) {
      const uint32_t *flit = b->p.rsp_data->words + slice * MFF_FLIT_WORDS;
      mff_rsp rsp;
      mff_unpack_rsp(&rsp, flit);
      if (wf_port_bit(b->p.rsp_valid, slice) && !rsp.is_done && gone < ENTRIES)
        assert_int_equal(rsp.tag, COMMANDS - 1 - gone++);
      ok(b, mff_bench_cycle(b));
    }
    assert_int_equal(gone, ENTRIES);
    finish(b);
  }
}

/* Beside a stream of full flits, of which one leaves in three cycles, a word of another command
 * that comes now and then is swept out before the stream ends. On its way it meets two walks of the
 * 40 registers, four words each, and in the packing buffer two rounds of the sweep over four
 * entries, which waits eight cycles for each, and up to five flits for one that does not leave. */
static void a_lone_word_is_swept_out_beside_a_stream(void **state) {
  (void)state;
  enum { RSP = 1 /* of mff_slice_state.stall */, TAKES = 3, WAY = 40 };
  enum { WALKS = 2 * 40 * 4 / 5 * TAKES, SWEEPS = 2 * 4 * (8 + 5 * TAKES) };
  for (uint32_t slice = 0; slice < 2; slice++) {
    mff_bench *b = open_native("small", NULL, &quiet);
    uint32_t mine = slice * 64, other = 64 - mine;
    for (uint32_t i = 0; i < 32; i++) set_c(b, mine + i, mine + i);
    set_c(b, other, mine);
    configure(b);
    for (uint32_t warp = 0; warp < 4; warp++) send_one_block(b, slice, warp);
    mff_lane lanes[MFF_LANES] = {{other, 1}};
    mff_cmd_header h = {.op = MFF_OP_GATHER, .sm = 1, .lane_mask = 1};
    uint64_t sent = 0;
    for (unsigned i = 0; b->pending; i++) {
      b->slice[slice].stall[RSP] = i % TAKES != 0;
      if (!mff_bench_outstanding(b, 1, 0, h.tag) && i % 200 == 199) {
        h.tag++;
        sent = b->base.cycle;
        mff_bench_send(b, 1 - slice, &h, lanes, 0);
      }
      if (mff_bench_outstanding(b, 1, 0, h.tag))
        assert_in_range(b->base.cycle - sent, 0, WALKS + SWEEPS + WAY);
      ok(b, mff_bench_cycle(b));
    }
    assert_in_range(h.tag, 4, 12);
    finish(b);
  }
}

typedef struct pace {
  uint64_t beat, slowest;
} pace;

static void measure_pace(void *user, uint64_t cycle, unsigned slice, mff_event_kind kind,
                         uint32_t value) {
  (void)slice;
  pace *p = user;
  if (kind == MFF_EV_BEAT && value == 3) p->beat = cycle;
  if (kind == MFF_EV_DATA && cycle - p->beat > p->slowest) p->slowest = cycle - p->beat;
}

/* A word that nothing follows is flushed at once, in each slice: it does not wait for the sweep of
 * busy times, which visits an entry every 32 cycles. README.md has 16 cycles from a block's last
 * beat to its words. */
static void a_last_word_does_not_wait(void **state) {
  (void)state;
  for (uint32_t slice = 0; slice < 2; slice++) {
    mff_bench *b = open_native("small", NULL, &quiet);
    for (uint32_t i = 0; i < 32; i++) set_c(b, i, slice * 64 + i);
    configure(b);
    pace p = {0};
    b->event = measure_pace;
    b->event_user = &p;
    for (uint32_t k = 0; k < 24; k++) {
      send(b, k & 1, MFF_OP_GATHER, 0, 0, k, 1, 0, 1);
      ok(b, mff_bench_drain(b));
      run_cycles(b, k % 9);
    }
    assert_in_range(p.slowest, 10, 20);
    b->event = NULL;
    finish(b);
  }
}

/* While one slice keeps the unit busy, commands come now and then for a block of the other: it is
 * read once, because nothing wants its line. */
static void an_unwanted_line_keeps_its_block(void **state) {
  (void)state;
  for (uint32_t quiet_slice = 0; quiet_slice < 2; quiet_slice++) {
    mff_bench *b = open_native("small", NULL, &quiet);
    /* Blocks 0, 1 of four are slice 0's; C and V begin with slice 0. */
    uint32_t mine = quiet_slice * 64, other = 64 - mine;
    for (uint32_t i = 0; i < 4096; i++)
      set_c(b, i, i / 64 % 2 == quiet_slice ? mine + i % 32 : other + i * 7 / 64 * 128 + i % 64);
    configure(b);
    tally t;
    watch(b, &t, MFF_EV_READ);
    for (uint32_t k = 0; k < 30; k++) {
      mff_lane lanes[MFF_LANES];
      mff_cmd_header h = {.op = MFF_OP_GATHER, .tag = 2 * k, .lane_mask = ~0u};
      for (uint32_t n = 0; n < MFF_LANES; n++)
        lanes[n] = (mff_lane){other + (k + n) % 30 * 128, 32};
      mff_bench_send(b, 1 - quiet_slice, &h, lanes, 0);
      lanes[0] = (mff_lane){mine + k % 32, 1};
      h = (mff_cmd_header){.op = MFF_OP_GATHER, .sm = 1, .tag = k, .lane_mask = 1};
      mff_bench_send(b, quiet_slice, &h, lanes, 0);
      run_cycles(b, 300);
      assert_true(b->pending > 0); /* else all blocks would be given back */
    }
    assert_int_equal(t.n[quiet_slice], 2); /* one of C, one of V */
    assert_true(t.n[1 - quiet_slice] > 100);
    b->event = NULL;
    finish(b);
  }
}

/* When room is wanted, a block that requests joined is passed over once: it is still there for a
 * request that comes while a block that nobody joined is given back, `later` cycles after the one
 * that wants room. Blocks that come `before` choose its line. `both`: another block was joined
 * after it, and that one goes. */
static void give_a_second_chance(uint32_t slice, uint32_t before, unsigned later, bool both) {
  enum { FIRST, FRESH, LAST /* fresh one */ };
  static const uint8_t once[] = {FIRST, FIRST, FRESH},
                       with_both[] = {FIRST, FRESH, FIRST, LAST, FRESH, FIRST};
  const uint8_t *round = both ? with_both : once;
  const uint32_t period = both ? sizeof with_both : sizeof once, rounds = both ? 1 : 6;
  mff_bench_options o = quiet;
  o.in_order = false;
  mff_bench *b = open_native("small", NULL, &o); /* three C lines */
  /* Half of every 128 words of C is this slice's; its elements lie in one block of V. */
  for (uint32_t i = 0; i < 1024; i++) set_c(b, i, slice * 64);
  uint32_t mine = slice * 64, other = 64 - mine;
  set_c(b, other, other);
  configure(b);
  mff_lane lanes[MFF_LANES] = {{other, 1}};
  mff_cmd_header h = {.op = MFF_OP_GATHER, .lane_mask = 1};
  /* A command that waits: else all blocks would be given back. */
  mff_bench_send(b, 1 - slice, &h, lanes, 0);
  for (unsigned latency = 20; latency <= 4000; latency += 3980) {
    o.latency_min = o.latency_max = latency;
    b->options = o;
    uint64_t reads = b->stats.blocks_read;
    while (b->stats.blocks_read == reads) ok(b, mff_bench_cycle(b));
  }
  o.latency_min = o.latency_max = 20;
  b->options = o;
  tally t;
  watch(b, &t, MFF_EV_READ);
  /* A block, joined after it landed, then one that nobody joins, and soon the first again. */
  uint32_t block = 0;
  for (uint32_t k = 0; k < before + period * rounds; k++) {
    const uint32_t at = (k - before) % period, what = k < before ? FRESH : round[at];
    block += what == FRESH;
    h.tag = k + 1;
    lanes[0] = (mff_lane){mine + (what ? block / 2 * 128 + block % 2 * 32 : 0), 1};
    mff_bench_send(b, slice, &h, lanes, 0);
    run_cycles(b, k >= before && at == (both ? 4 : 2) ? later : 150);
  }
  while (b->pending > 1) ok(b, mff_bench_cycle(b));
  assert_int_equal(t.n[slice], 1 + block + 1); /* of C, and one of V */
  b->event = NULL;
  finish(b);
}

static void a_joined_block_gets_a_second_chance(void **state) {
  (void)state;
  for (uint32_t slice = 0; slice < 2; slice++)
    for (uint32_t before = 0; before < 3; before++)
      for (unsigned later = 0; later < 8; later++) {
        give_a_second_chance(slice, before, later, false);
        /* Behind a single one the hand comes twice before it is told that there is room. */
        if (before != 1) give_a_second_chance(slice, before, later, true);
      }
}

/* Clearing starts the counters anew; a snapshot taken before stays readable. */
static void counters_are_cleared(void **state) {
  (void)state;
  mff_bench *b = open_with("small", &quiet);
  for (uint32_t i = 0; i < 256; i++) set_c(b, i, (i * 29) % 700);
  configure(b);
  uint64_t values[2][MFF_CNT_COUNT] = {{0}};
  for (int part = 0; part < 2; part++) {
    for (uint32_t k = 0; k < 8; k++) send(b, k & 1, k & 1, k & 1, k & 3, k, ~0u, 8, 7);
    ok(b, mff_bench_drain(b));
    mff_bench_snapshot(b);
    const wf_port *clear = wf_model_port(b->base.model, "cnt_clear_i");
    wf_port_set(clear, 1);
    ok(b, mff_bench_cycle(b));
    wf_port_set(clear, 0);
    for (unsigned i = 0; i < MFF_CNT_COUNT; i++) values[part][i] = total(b, i);
    /* What does not exist reads 0, whatever was read before. */
    for (unsigned i = MFF_CNT_COUNT; i < 64; i++) {
      assert_true(mff_bench_counter(b, 1, MFF_CNT_CYCLES) > 0);
      assert_int_equal(total(b, i), 0);
    }
    for (unsigned slice = 2; slice < 32; slice++)
      assert_int_equal(mff_bench_counter(b, slice, MFF_CNT_CYCLES), 0);
    mff_bench_snapshot(b);
    for (unsigned i = 0; i < MFF_CNT_COUNT; i++) assert_int_equal(total(b, i), 0);
  }
  /* Stalls depend on what the first part left in rotations; what was done does not. */
  static const unsigned same[] = {MFF_CNT_COMMANDS, MFF_CNT_RUNS,    MFF_CNT_C_LOOKUPS,
                                  MFF_CNT_ELEMENTS, MFF_CNT_V_NODES, MFF_CNT_RSP_WORDS,
                                  MFF_CNT_RSP_DONE};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    assert_int_equal(values[0][same[i]], values[1][same[i]]);
  assert_int_equal(values[0][MFF_CNT_COMMANDS], 8);
  assert_int_equal(values[0][MFF_CNT_ELEMENTS], 8 * 32 * 7);
  wf_bench_destroy(b);
}

static void pulse(mff_bench *b, const char *first, const char *second) {
  const wf_port *ports[] = {wf_model_port(b->base.model, first),
                            second ? wf_model_port(b->base.model, second) : NULL};
  for (int i = 0; i < 2; i++)
    if (ports[i]) wf_port_set(ports[i], 1);
  ok(b, mff_bench_cycle(b));
  for (int i = 0; i < 2; i++)
    if (ports[i]) wf_port_set(ports[i], 0);
}

/* Snapshots and clears, together or while the other's pass runs: in the order they were asked for.
 */
static void passes_over_counters_follow_each_other(void **state) {
  (void)state;
  static const struct {
    const char *first, *together, *then;
    unsigned seen; /* commands that the snapshot shows */
  } cases[] = {{"cnt_snapshot_i", NULL, "cnt_clear_i", 8},
               {"cnt_clear_i", NULL, "cnt_snapshot_i", 0},
               {"cnt_snapshot_i", "cnt_clear_i", NULL, 8}};
  mff_bench *b = open_with("small", &quiet);
  for (uint32_t i = 0; i < 256; i++) set_c(b, i, (i * 29) % 700);
  configure(b);
  for (unsigned apart = 0; apart < 40; apart += 3)
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
      for (uint32_t k = 0; k < 8; k++) send(b, k & 1, 0, k & 1, k & 3, k, 1, 8, 1);
      ok(b, mff_bench_drain(b));
      pulse(b, cases[c].first, cases[c].together);
      run_cycles(b, apart);
      if (cases[c].then) pulse(b, cases[c].then, NULL);
      run_cycles(b, 80);
      assert_int_equal(total(b, MFF_CNT_COMMANDS), cases[c].seen);
      mff_bench_snapshot(b);
      assert_int_equal(total(b, MFF_CNT_COMMANDS), 0);
    }
  wf_bench_destroy(b);
}

/* Favourable stream: each slice's commands stay in its own partition, V blocks are shared. */
static double nodes_per_cycle(uint32_t op) {
  mff_bench *b = open_with("tuned", &quiet);
  uint32_t *memory = b->memory;
  /* 6 * 64 interleave units of C, V and bits; C of slice s points to V (or bits) of slice s. */
  enum { UNITS = 6 * 64, CB = 0x0, VB = 6 * 256 * 128, BB = 6 * 256 * 256 };
  for (uint32_t u = 0; u < UNITS; u++)
    for (uint32_t w = 0; w < 64; w++) {
      uint32_t slice = u % 6, home_word = slice * 64 + (w * 5 + u) % 32;
      memory[CB / 4 + u * 64 + w] = op ? slice * 2048 + (w * 97 + u) % 1024 : home_word;
    }
  mff_bench_mark(b);
  ok(b, mff_bench_configure(b, MFF_CFG_C_BASE, CB) && mff_bench_configure(b, MFF_CFG_V_BASE, VB) &&
            mff_bench_configure(b, MFF_CFG_B_BASE, BB));
  uint64_t cycles[2], nodes[2], sent = 0;
  for (int part = 0; part < 2; part++) {
    for (unsigned i = 0; i < (part ? 20000u : 5000u); i++) {
      for (uint32_t s = 0; s < 6; s++)
        if (b->slice[s].flit_count < 14) {
          mff_lane lanes[MFF_LANES];
          for (uint32_t n = 0; n < MFF_LANES; n++)
            lanes[n] =
                (mff_lane){((uint32_t)(sent / 6 * 16 + n / 2) % 64 * 6 + s) * 64 + n % 2 * 32, 32};
          mff_cmd_header h = {.op = op, .sm = s, .lane_mask = ~0u};
          h.warp = (uint32_t)(sent / 6) % 48;
          h.tag = (uint32_t)(sent / 6 / 48) % 256;
          if (mff_bench_outstanding(b, h.sm, h.warp, h.tag)) continue;
          mff_bench_send(b, s, &h, lanes, 0);
          sent++;
        }
      ok(b, mff_bench_cycle(b));
    }
    mff_bench_snapshot(b);
    cycles[part] = mff_bench_counter(b, 0, MFF_CNT_CYCLES);
    nodes[part] = total(b, MFF_CNT_V_NODES);
  }
  double rate = (double)(nodes[1] - nodes[0]) / (double)(cycles[1] - cycles[0]) / 6;
  finish(b);
  return rate;
}

static void sustained_rate(void **state) {
  (void)state;
  double gather = nodes_per_cycle(MFF_OP_GATHER), scatter = nodes_per_cycle(MFF_OP_SCATTER_SET);
  print_message("   list nodes per cycle and slice: gather %.3f, scatter %.3f\n", gather, scatter);
  assert_true(gather >= 0.95);
  assert_true(scatter >= 0.90); /* write-backs read the line */
}

/* Each of 5,120 elements lies in a block of its own, and none lands before all tags are taken. */
static void thousands_of_blocks_are_outstanding(void **state) {
  (void)state;
  if (getenv("WF_CONFIG")) skip();
  enum { BLOCKS = 5120, VB = 1 << 20, WORDS = 32 };
  mff_bench *b = open_native("many", NULL, &quiet);
  for (uint32_t i = 0; i < BLOCKS; i++) set_c(b, i, WORDS * i);
  mff_bench_mark(b);
  ok(b, mff_bench_configure(b, MFF_CFG_C_BASE, C) && mff_bench_configure(b, MFF_CFG_V_BASE, VB));
  b->options.in_order = false;
  b->options.latency_v = 20000;
  b->options.hang_after = 40000;
  for (uint32_t w = 0; w < 2 * BLOCKS / 1024; w++) {
    mff_lane lanes[MFF_LANES];
    for (uint32_t n = 0; n < MFF_LANES; n++)
      lanes[n] = (mff_lane){w % (BLOCKS / 1024) * 1024 + 32 * n, 32};
    const mff_cmd_header h = {.warp = w, .lane_mask = ~0u};
    mff_bench_send(b, 0, &h, lanes, 0);
  }
  ok(b, mff_bench_drain(b));
  mff_bench_snapshot(b);
  print_message("   of 4,096 tags %u were held at once\n", b->slice[0].most_reads);
  assert_in_range(b->slice[0].most_reads, 4096, 4096 + 16);
  assert_true(mff_bench_counter(b, 0, MFF_CNT_V_STALL_TAG) > 0);
  assert_true(mff_bench_counter(b, 0, MFF_CNT_V_MERGES) > 0);
  finish(b);
}

/* Parameters outside their range are refused by name. */
static void bad_parameters_are_named(void **state) {
  (void)state;
  if (getenv("WF_CONFIG")) skip(); /* builds only */
  static const struct {
    const char *set, *says;
  } table[] = {{"TagEntries=3", "TagEntries must be CLines+1..CLines+4096"},
               {"PackWords=6", "PackWords must be 1..5"},
               {"VWays=3", "VWays must be 1, 2, 4 or 8"},
               {"LaneRows=5", "LaneRows must be 6..6144"},
               {"CRegs=1", "CRegs must be at least NSlice"},
               {"AddrBits=31", "AddrBits must be 32..64"},
               {"BlockBytes=32", "BlockBytes must be 64, 128 or 256"},
               {"ElemBytes=2", "ElemBytes must be 4 or 8"},
               {"ElemBytes=8", "PackWords must be 1..5, or 1..3 of 8 bytes"},
               {"BlockBytes=256 InterleaveBytes=128", "a power of two, BlockBytes or more"},
               {"InterleaveBytes=96", "InterleaveBytes must be a power of two"}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char command[256], text[4096];
    snprintf(command, sizeof command,
             "BUILD=${WARPFAB_BUILD:-build} sim/model/build-model mff small '%s' 2>&1",
             table[i].set);
    FILE *tool = popen(command, "r");
    assert_non_null(tool);
    text[fread(text, 1, sizeof text - 1, tool)] = 0;
    assert_int_not_equal(pclose(tool), 0);
    if (!strstr(text, table[i].says)) fail_msg("%s: message is: %s", table[i].set, text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_3_one_warp_reads_each_block_once),
      cmocka_unit_test(figure_4_eleven_requests_become_four),
      cmocka_unit_test(sizes_0_and_32_and_33),
      cmocka_unit_test(runs_across_block_boundaries),
      cmocka_unit_test(all_lanes_one_vertex),
      cmocka_unit_test(scatter_of_many_commands_into_one_block),
      cmocka_unit_test(scatter_to_one_word_back_to_back),
      cmocka_unit_test(scatter_of_one_command_needs_one_token),
      cmocka_unit_test(gather_and_scatter_in_one_block),
      cmocka_unit_test(misaligned_bases_are_refused),
      cmocka_unit_test(unknown_senders_and_wrong_framing_are_refused),
      cmocka_unit_test(tiny_tables),
      cmocka_unit_test(idle_time_changes_nothing),
      cmocka_unit_test(idle_is_final),
      cmocka_unit_test(reset_in_the_middle),
      cmocka_unit_test(all_jobs_complete_at_once),
      cmocka_unit_test(every_job_waits_for_a_slow_memory),
      cmocka_unit_test(every_c_table_fills),
      cmocka_unit_test(every_v_table_fills),
      cmocka_unit_test(held_responses_are_counted),
      cmocka_unit_test(what_memory_holds_up_is_counted),
      cmocka_unit_test(each_cycle_held_is_counted),
      cmocka_unit_test(a_lone_command_counts_no_stalls),
      cmocka_unit_test(runs_go_four_indexes_a_cycle),
      cmocka_unit_test(a_block_waits_for_room_in_its_sets),
      cmocka_unit_test(words_a_few_cycles_apart_share_a_flit),
      cmocka_unit_test(a_trickle_of_words_fills_its_flits),
      cmocka_unit_test(entries_make_room_in_rotation),
      cmocka_unit_test(a_lone_word_is_swept_out_beside_a_stream),
      cmocka_unit_test(an_unwanted_line_keeps_its_block),
      cmocka_unit_test(a_joined_block_gets_a_second_chance),
      cmocka_unit_test(counters_are_cleared),
      cmocka_unit_test(passes_over_counters_follow_each_other),
      cmocka_unit_test(a_last_word_does_not_wait),
      cmocka_unit_test(sustained_rate),
      cmocka_unit_test(thousands_of_blocks_are_outstanding),
      cmocka_unit_test(bad_parameters_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
