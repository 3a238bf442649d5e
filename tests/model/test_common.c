/* rtl/common against small reference models: RAM, counters, and the
 * combinational pickers. Queues and skid buffers are in test_agents.c. */
#include "tests/model/model_test.h"

#define INI(name) "tests/model/rtl/" name ".ini"

/* An instance, with random numbers of the test's own. */
typedef struct bench {
  wf_model_lib *lib;
  wf_model *m;
  wf_rng rng;
} bench;

static bench open_bench(const char *ini, const char *config) {
  bench b = {.lib = test_library(ini, config, NULL, NULL)};
  b.m = test_model(b.lib, test_seed);
  wf_rng_seed(&b.rng, test_seed);
  return b;
}

static void close_bench(bench *b) {
  wf_model_destroy(b->m);
  wf_model_unload(b->lib);
}

static int64_t parameter(const bench *b, const char *name) {
  int64_t value = 0;
  if (!wf_model_parameter(b->m, name, &value)) fail_msg("no parameter %s", name);
  return value;
}

static void set(const bench *b, const char *port, uint64_t value) {
  wf_port_set(test_port(b->m, port), value);
}

static uint64_t get(const bench *b, const char *port) {
  return wf_port_get(test_port(b->m, port));
}

static uint32_t below(bench *b, uint64_t bound) {
  return (uint32_t)wf_rng_below(&b->rng, bound);
}

/* --- wf_ram_1r1w --- */

static void ram_agrees(const char *config) {
  bench b = open_bench(INI("wf_ram_1r1w"), config);
  uint32_t width = (uint32_t)parameter(&b, "Width"), depth = (uint32_t)parameter(&b, "Depth");
  uint32_t part = (uint32_t)parameter(&b, "PartBits"), parts = width / part;
  uint32_t memory[8][3] = {{0}}, data[3], read[3] = {0}, got[3];
  bool written[8] = {false}, known = false, masked;
  const wf_port *wr_data = test_port(b.m, "wr_data_i"), *rd_data = test_port(b.m, "rd_data_o");
  int same_address = 0;
  for (int cycle = 0; cycle < 20000; cycle++) {
    bool write = below(&b, 2), reading = below(&b, 2);
    uint32_t wa = below(&b, depth), ra = below(&b, depth), mask = below(&b, 1u << parts);
    if (!written[wa]) mask = (1u << parts) - 1; /* a first write defines the whole word */
    for (int i = 0; i < 3; i++) data[i] = (uint32_t)wf_rng_next(&b.rng);
    set(&b, "wr_en_i", write);
    set(&b, "wr_addr_i", wa);
    set(&b, "wr_mask_i", mask);
    wf_port_write(wr_data, 0, width, data);
    set(&b, "rd_en_i", reading);
    set(&b, "rd_addr_i", ra);
    assert_runs(b.m, wf_model_step(b.m));
    if (reading) { /* the old word, even if it is written at this edge */
      known = written[ra];
      memcpy(read, memory[ra], sizeof read);
      same_address += write && wa == ra;
    }
    memset(got, 0, sizeof got);
    wf_port_read(rd_data, 0, width, got);
    if (known) assert_memory_equal(got, read, sizeof got);
    if (!write) continue;
    for (uint32_t bit = 0; bit < width; bit++) {
      masked = !(mask >> (bit / part) & 1);
      if (masked) continue;
      memory[wa][bit / 32] &= ~(1u << (bit % 32));
      memory[wa][bit / 32] |= (data[bit / 32] >> (bit % 32) & 1) << (bit % 32);
    }
    written[wa] |= mask != 0;
  }
  assert_true(same_address > 500);
  if (depth & (depth - 1)) { /* rule 1: an address beyond a depth that is no power of two */
    set(&b, "wr_en_i", 1);
    set(&b, "wr_addr_i", depth);
    assert_int_equal(wf_model_step(b.m), WF_MODEL_ASSERTION);
    assert_non_null(strstr(wf_model_last_error(b.m), "Rule 1"));
  }
  close_bench(&b);
}

static void ram(void **state) {
  (void)state;
  ram_agrees("whole");
  ram_agrees("parts");
  ram_agrees("one");
}

/* --- wf_counter_bank --- */

static void counters_agree(const char *config) {
  bench b = open_bench(INI("wf_counter_bank"), config);
  uint32_t n = (uint32_t)parameter(&b, "N"), width = (uint32_t)parameter(&b, "Width");
  uint32_t bits = (uint32_t)parameter(&b, "IncBits");
  uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
  uint64_t live[8] = {0}, shot[8] = {0}, increments[8];
  bool shown = false;
  const wf_port *inc = test_port(b.m, "inc_i");
  for (int cycle = 0; cycle < 20000; cycle++) {
    bool snapshot = below(&b, 8) == 0, clear = below(&b, 50) == 0, quiet = below(&b, 3) == 0;
    for (uint32_t i = 0; i < n; i++) {
      increments[i] = quiet ? 0 : wf_rng_next(&b.rng) >> (64 - bits);
      wf_port_set_bits(inc, i * bits, bits, increments[i]);
    }
    set(&b, "snapshot_i", snapshot);
    set(&b, "clear_i", clear);
    assert_runs(b.m, wf_model_step(b.m));
    for (uint32_t i = 0; i < n; i++) {
      if (snapshot) shot[i] = live[i];
      live[i] = clear ? 0 : (live[i] + increments[i]) & mask;
    }
    shown |= snapshot;
    uint32_t index = below(&b, n > 4 ? 8 : n); /* 5 counters: 5, 6 and 7 read as 0 */
    set(&b, "index_i", index);
    assert_runs(b.m, wf_model_settle(b.m));
    if (shown) assert_int_equal(get(&b, "value_o"), index < n ? shot[index] : 0);
  }
  close_bench(&b);
}

static void counters(void **state) {
  (void)state;
  counters_agree("small");
  counters_agree("one");
}

/* --- wf_counter_ram --- */

enum {
  PASS = 70
}; /* cycles after which a pass is over, behind another one, of any instance here */

static void read_all(bench *b, uint32_t n, uint64_t *values) {
  for (uint32_t i = 0; i < n; i++) {
    set(b, "index_i", i);
    assert_runs(b->m, wf_model_step(b->m));
    values[i] = get(b, "value_o");
  }
}

/* Random increments for some cycles, of quiet ones or not; sums are kept in `sum`. */
static void count_up(bench *b, uint32_t n, uint32_t bits, uint32_t narrow, uint32_t cycles,
                     uint64_t *sum) {
  const wf_port *inc = test_port(b->m, "inc_i");
  for (uint32_t cycle = 0; cycle < cycles; cycle++) {
    bool quiet = below(b, 3) == 0;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t width = i % 2 ? bits : narrow; /* odd ones are wide */
      uint64_t add = quiet         ? 0
                     : below(b, 4) ? ((uint64_t)1 << width) - 1
                                   : wf_rng_next(&b->rng) >> (64 - width);
      wf_port_set_bits(inc, i * bits, bits, add);
      sum[i] += add;
    }
    assert_runs(b->m, wf_model_step(b->m));
    set(b, "snapshot_i", 0);
    set(b, "clear_i", 0);
  }
  for (uint32_t i = 0; i < n; i++) wf_port_set_bits(inc, i * bits, bits, 0);
}

static void counter_ram_agrees(const char *config) {
  bench b = open_bench(INI("wf_counter_ram"), config);
  uint32_t n = (uint32_t)parameter(&b, "N"), width = (uint32_t)parameter(&b, "Width");
  uint32_t bits = (uint32_t)parameter(&b, "IncBits"),
           narrow = (uint32_t)parameter(&b, "NarrowBits");
  uint64_t mask = ((uint64_t)1 << width) - 1, sum[32] = {0}, taken[32] = {0}, values[32],
           none[32] = {0};
  for (int round = 0; round < 300; round++) {
    /* At rest: a snapshot is exact, and a clear starts anew; a snapshot asked for during a clear
     * follows it. */
    count_up(&b, n, bits, narrow, below(&b, 100), sum);
    set(&b, "snapshot_i", 1);
    count_up(&b, n, bits, narrow, 1, none);
    for (int i = 0; i < PASS; i++) assert_runs(b.m, wf_model_step(b.m));
    assert_int_equal(get(&b, "busy_o"), 0);
    read_all(&b, n, values);
    for (uint32_t i = 0; i < n; i++) assert_int_equal(values[i], (sum[i] + none[i]) & mask);
    set(&b, "clear_i", 1);
    assert_runs(b.m, wf_model_step(b.m));
    set(&b, "clear_i", 0);
    if (round % 2) {
      set(&b, "snapshot_i", 1);
      assert_runs(b.m, wf_model_step(b.m));
      set(&b, "snapshot_i", 0);
    }
    for (int i = 0; i < PASS; i++) assert_runs(b.m, wf_model_step(b.m));
    if (round % 2) {
      read_all(&b, n, values);
      for (uint32_t i = 0; i < n; i++) assert_int_equal(values[i], 0);
    }
    memset(sum, 0, sizeof sum);
    memset(none, 0, sizeof none);
    /* At work: what is copied and zeroed at once, again and again, adds up to all increments. */
    memset(taken, 0, sizeof taken);
    for (int part = 0; part < 3; part++) {
      count_up(&b, n, bits, narrow, below(&b, 60), sum);
      set(&b, "snapshot_i", 1);
      set(&b, "clear_i", 1);
      count_up(&b, n, bits, narrow, part < 2 ? PASS : 1, sum);
      for (int i = 0; part == 2 && i < PASS; i++) assert_runs(b.m, wf_model_step(b.m));
      read_all(&b, n, values);
      for (uint32_t i = 0; i < n; i++) taken[i] += values[i];
    }
    set(&b, "snapshot_i", 1);
    count_up(&b, n, bits, narrow, 1, sum);
    for (int i = 0; i < PASS; i++) assert_runs(b.m, wf_model_step(b.m));
    read_all(&b, n, values);
    for (uint32_t i = 0; i < n; i++) assert_int_equal((taken[i] + values[i]) & mask, sum[i] & mask);
    for (uint32_t i = 0; i < n; i++) sum[i] = values[i];
  }
  if (n & (n - 1)) { /* an index beyond */
    set(&b, "index_i", n);
    assert_runs(b.m, wf_model_step(b.m));
    assert_int_equal(get(&b, "value_o"), 0);
  }
  close_bench(&b);
}

static void counters_in_ram(void **state) {
  (void)state;
  counter_ram_agrees("small");
  counter_ram_agrees("one");
  counter_ram_agrees("many");
}

/* --- wf_priority_enc, wf_onehot_enc, wf_arb_rr, wf_mod_slice --- */

enum { SIZES = 6 };
static const uint32_t sizes[SIZES] = {1, 2, 3, 6, 32, 70};

static int first_from(const bool *bits, uint32_t n, uint32_t start) {
  for (uint32_t i = 0; i < n; i++)
    if (bits[(start + i) % n]) return (int)((start + i) % n);
  return -1;
}

static void assert_onehot(const wf_port *p, uint32_t lsb, int expected) {
  for (int i = 0; i < 70; i++)
    if (wf_port_bit(p, lsb + (uint32_t)i) != (i == expected))
      fail_msg("%s[%u] is wrong", p->name, lsb + (uint32_t)i);
}

static void pickers(void **state) {
  (void)state;
  bench b = open_bench(INI("pick_set"), "default");
  const wf_port *bits_i = test_port(b.m, "bits_i"), *advance = test_port(b.m, "advance_i");
  uint32_t start_free[SIZES] = {0}, start_hold[SIZES] = {0};
  int held[SIZES];
  for (int k = 0; k < SIZES; k++) held[k] = -1;
  for (int cycle = 0; cycle < 5000; cycle++) {
    bool bits[70], use[SIZES];
    uint32_t density = 1 + below(&b, 60);
    for (uint32_t i = 0; i < 70; i++) wf_port_set_bit(bits_i, i, bits[i] = below(&b, density) == 0);
    for (uint32_t k = 0; k < SIZES; k++) wf_port_set_bit(advance, k, use[k] = below(&b, 2));
    assert_runs(b.m, wf_model_settle(b.m));
    for (uint32_t k = 0; k < SIZES; k++) {
      uint32_t n = sizes[k];
      int first = first_from(bits, n, 0), fair = first_from(bits, n, start_free[k]);
      int hold = held[k] >= 0 && bits[held[k]] ? held[k] : first_from(bits, n, start_hold[k]);
      assert_onehot(test_port(b.m, "first_o"), 70 * k, first);
      assert_onehot(test_port(b.m, "free_o"), 70 * k, fair);
      assert_onehot(test_port(b.m, "hold_o"), 70 * k, hold);
      assert_int_equal(wf_port_bit(test_port(b.m, "any_o"), k), first >= 0);
      assert_int_equal(wf_port_get_bits(test_port(b.m, "index_o"), 8 * k, 8),
                       first < 0 ? 0 : first);
      assert_int_equal(wf_port_get_bits(test_port(b.m, "free_index_o"), 8 * k, 8),
                       fair < 0 ? 0 : fair);
      held[k] = use[k] ? -1 : hold;
      if (use[k] && fair >= 0) start_free[k] = ((uint32_t)fair + 1) % n;
      if (use[k] && hold >= 0) start_hold[k] = ((uint32_t)hold + 1) % n;
    }
    assert_runs(b.m, wf_model_edge(b.m));
  }
  close_bench(&b);
}

static void slice_numbers(void **state) {
  (void)state;
  static const uint64_t counts[11] = {1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 192};
  static const uint64_t corners[] = {0,
                                     1,
                                     2,
                                     3,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     UINT64_MAX - 2,
                                     UINT64_C(0x5555555555555555),
                                     UINT64_C(0xaaaaaaaaaaaaaaaa)};
  bench b = open_bench(INI("pick_set"), "default");
  uint64_t kept = 0;
  for (uint64_t i = 0; i < 20000; i++) {
    uint64_t block = i < 9 ? corners[i] : i < 5000 ? i : wf_rng_next(&b.rng) >> below(&b, 40);
    bool enable = i == 0 || below(&b, 2);
    set(&b, "block_i", block);
    set(&b, "advance_i", enable);
    assert_runs(b.m, wf_model_settle(b.m));
    for (uint32_t k = 0; k < 11; k++)
      assert_int_equal(wf_port_get_bits(test_port(b.m, "slice_o"), 8 * k, 8), block % counts[k]);
    assert_runs(b.m, wf_model_edge(b.m));
    if (enable) kept = block;
    for (uint32_t k = 0; k < 11; k++)
      assert_int_equal(wf_port_get_bits(test_port(b.m, "slice_q_o"), 8 * k, 8), kept % counts[k]);
  }
  close_bench(&b);
}

/* What the fabric does where l2.hash=1 (sim/mem/mem.c). */
static uint64_t hashed_slice(uint64_t block, unsigned bits, uint64_t n) {
  const uint64_t x = bits < 64 ? block & (UINT64_MAX >> (64 - bits)) : block;
  const uint32_t row = (uint32_t)(x / n);
  return (x % n + (row ^ row >> 4 ^ row >> 9 ^ row >> 15) % n) % n;
}

static void hashed_slice_numbers(void **state) {
  (void)state;
  static const uint64_t counts[6] = {1, 3, 10, 16, 80, 224};
  bench b = open_bench(INI("pick_set"), "default");
  uint64_t stage[3] = {0};
  unsigned known = 0; /* stages that are filled */
  for (uint64_t i = 0; i < 20000; i++) {
    const uint64_t block = i < 5000 ? i : wf_rng_next(&b.rng) >> below(&b, 40);
    const bool enable = below(&b, 2);
    set(&b, "block_i", block);
    set(&b, "advance_i", enable);
    assert_runs(b.m, wf_model_settle(b.m));
    for (uint32_t k = 0; k < 6; k++)
      assert_int_equal(wf_port_get_bits(test_port(b.m, "hash_o"), 8 * k, 8),
                       hashed_slice(block, k == 5 ? 64 : 41 - k, counts[k]));
    assert_runs(b.m, wf_model_edge(b.m));
    if (enable) {
      stage[2] = stage[1], stage[1] = stage[0], stage[0] = block;
      known += known < 3;
    }
    for (uint32_t k = 0; k < 6 && known == 3; k++)
      assert_int_equal(wf_port_get_bits(test_port(b.m, "hash_q_o"), 8 * k, 8),
                       hashed_slice(stage[2], k == 5 ? 64 : 41 - k, counts[k]));
  }
  close_bench(&b);
}

int main(int argc, char **argv) {
  test_start(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ram),
      cmocka_unit_test(counters),
      cmocka_unit_test(counters_in_ram),
      cmocka_unit_test(pickers),
      cmocka_unit_test(slice_numbers),
      cmocka_unit_test(hashed_slice_numbers),
  };
  return test_finish(cmocka_run_group_tests_name("rtl/common", tests, NULL, NULL), argv);
}
