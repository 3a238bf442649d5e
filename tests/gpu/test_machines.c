/* The machines of the 2020s: every DRAM command of each against the rules, shares of machines, the
 * carve-out of the L1, slices turned by upper address bits, the longer way to the other half. */
#include "tests/mem/dram_checker.h"

#include "sim/gpu/config.h"

static const char *const machines[] = {"a100", "h100", "rtx4090", "rtx3070"};
enum { MACHINES = sizeof machines / sizeof *machines };

static wf_gpu_config load(const char *name, const char *key, const char *value) {
  wf_gpu_config c;
  wf_error err = {0};
  if (!wf_gpu_config_load(&c, name, &err) || (key && !wf_gpu_config_set(&c, key, value, &err)) ||
      !wf_gpu_config_check(&c, &err))
    fail_msg("%s", err.text);
  return c;
}

/* A slice's port and the SM's is kept busy by reads and writes of random lines and of rows. */
static void traffic(wf_mem *mem, const wf_mem_config *c, unsigned cycles) {
  wf_rng rng;
  wf_rng_seed(&rng, 7);
  for (unsigned t = 0; t < cycles; t++) {
    for (unsigned sm = 0; sm < c->n_sm; sm++) {
      const uint64_t x = wf_rng_next(&rng), wide = (x >> 8) % (UINT64_C(6) << 30);
      const uint64_t at = t / 500 % 2 ? wide : ((uint64_t)t * c->n_sm + sm) * 128;
      const unsigned sectors = 1 + (unsigned)(x >> 4) % 15;
      const wf_packet p =
          x % 3 ? read_of(at & ~UINT64_C(127), sm) : write_of(at & ~UINT64_C(127), sm, sectors, 0);
      wf_mem_send(mem, sm, &p);
      if (wf_mem_peek(mem, sm)) wf_mem_pop(mem, sm);
    }
    wf_mem_tick(mem);
  }
}

static void test_every_command_keeps_the_rules(void **state) {
  (void)state;
  for (unsigned j = 0; j < 2 * MACHINES; j++) {
    const unsigned i = j / 2;
    wf_mem_config c = load(machines[i], "scale", "1/8").mem;
    c.dram_row_bus = j % 2;
    c.l2_bytes = c.l2_ways * c.line_bytes * 64; /* what is written comes back soon */
    checker *k = checker_new(&c);
    wf_mem *mem = make(&c, NULL);
    wf_mem_trace_dram(mem, check_command, k);
    traffic(mem, &c, 40000);
    print_message("%s: %" PRIu64 " commands, %" PRIu64 " activates, %" PRIu64 " writes\n",
                  machines[i], k->commands, k->count[WF_DRAM_ACT], k->count[WF_DRAM_WRITE]);
    const uint64_t each = 100 * (uint64_t)c.n_part; /* of every kind in a channel, on average */
    assert_true(k->count[WF_DRAM_ACT] > 10 * each && k->count[WF_DRAM_READ] > 10 * each);
    assert_true(k->count[WF_DRAM_WRITE] > each && k->count[WF_DRAM_REFRESH] >= c.n_part);
    assert_true(!k->together == !c.dram_row_bus);
    assert_int_equal(k->column_after[0], c.tRCD); /* and no later than it may */
    assert_int_equal(k->column_after[1], c.tRCDW ? c.tRCDW : c.tRCD);
    wf_mem_destroy(mem);
    free(k);
  }
}

/* The vendor's GB/s, of the pins; a refresh's and a turn's share is lost besides. */
static void test_bandwidth_of_the_pins(void **state) {
  (void)state;
  static const double gbs[MACHINES] = {1555, 3352, 1008, 448};
  for (unsigned i = 0; i < MACHINES; i++) {
    const wf_mem_config c = load(machines[i], NULL, NULL).mem;
    const double ours = 1e-3 * c.n_part * c.dram_bus_bytes * c.dram_beats_per_clock * c.dram_mhz;
    if (ours < 0.995 * gbs[i] || ours > 1.005 * gbs[i])
      fail_msg("%s: %.0f GB/s, the vendor's is %.0f", machines[i], ours, gbs[i]);
  }
}

static void test_scale(void **state) {
  (void)state;
  const wf_gpu_config whole = load("a100", NULL, NULL), part = load("a100", "scale", "1/8");
  assert_int_equal(whole.n_sm, 108);
  assert_int_equal(part.n_sm, 14); /* 13.5 */
  assert_int_equal(part.mem.n_part, 10);
  assert_int_equal(part.memory_mib, 5120);
  assert_int_equal(part.mem.l2_bytes, whole.mem.l2_bytes);
  static const char *const wrong[] = {"2", "1/0", "1/65", "1/x", "0.5", ""};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    wf_gpu_config c = whole;
    wf_error err = {0};
    assert_false(wf_gpu_config_set(&c, "scale", wrong[i], &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  }
}

static void test_carve_out(void **state) {
  (void)state;
  wf_gpu_config c = load("h100", "core.shared_bytes", "0");
  assert_int_equal(c.l1_bytes, 262144);
  assert_int_equal(c.l1_ways, 64);
  c = load("h100", "core.shared_bytes", "233472"); /* 228 KB */
  assert_int_equal(c.l1_bytes, 28672);
  assert_int_equal(c.l1_ways, 7);
  wf_error err = {0};
  assert_true(wf_gpu_config_check(&c, &err)); /* again: nothing changes */
  assert_int_equal(c.l1_ways, 7);
  static const char *const wrong[] = {"262144", "1000", "300000"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_true(wf_gpu_config_load(&c, "h100", &err));
    assert_true(wf_gpu_config_set(&c, "core.shared_bytes", wrong[i], &err));
    assert_false(wf_gpu_config_check(&c, &err));
  }
}

/* Each row of stripes has one in every slice, and no stride keeps to a few of them. */
static void test_hashed_slices(void **state) {
  (void)state;
  const wf_mem_config c = load("a100", NULL, NULL).mem;
  wf_mem *mem = make(&c, NULL);
  const unsigned n = c.n_part;
  for (uint64_t row = 0; row < 100000; row += 997) {
    uint8_t seen[WF_MAX_PARTS] = {0};
    for (unsigned i = 0; i < n; i++)
      seen[wf_mem_partition(mem, (row * n + i) * c.interleave_bytes)]++;
    for (unsigned i = 0; i < n; i++) assert_int_equal(seen[i], 1);
  }
  static const unsigned strides[] = {1, 16, 80, 160, 1024, 1280, 65536, 80 * 1024};
  for (unsigned s = 0; s < sizeof strides / sizeof *strides; s++) {
    unsigned load_of[WF_MAX_PARTS] = {0}, most = 0;
    for (uint64_t i = 0; i < 100 * n; i++) {
      const unsigned p = wf_mem_partition(mem, i * strides[s] * c.interleave_bytes);
      if (++load_of[p] > most) most = load_of[p];
    }
    if (most > 400)
      fail_msg("stride of %u stripes: %u of %u to one slice", strides[s], most, 100 * n);
  }
  wf_mem_destroy(mem);
}

static unsigned ticks_of(const wf_mem_config *c, unsigned sm, unsigned part) {
  wf_mem *mem = make(c, NULL);
  uint64_t at = 0;
  while (wf_mem_partition(mem, at) != part) at += c->interleave_bytes;
  unsigned ticks = 0;
  for (unsigned i = 0; i < 2; i++) { /* the second hits */
    const wf_packet p = read_of(at, 1);
    assert_true(wf_mem_send(mem, sm, &p));
    ticks = wait_reply(mem, sm, NULL);
  }
  wf_error err = {0};
  for (unsigned i = 0; i < 1000; i++) wf_mem_tick(mem);
  assert_true(wf_mem_idle(mem) && wf_mem_check_conservation(mem, &err));
  wf_mem_destroy(mem);
  return ticks;
}

static void test_far_half(void **state) {
  (void)state;
  wf_mem_config c = load("a100", NULL, NULL).mem;
  const unsigned near = ticks_of(&c, 3, 5);
  assert_int_equal(ticks_of(&c, 107, 79), near);
  assert_int_equal(ticks_of(&c, 3, 40), near + c.l2_far_latency);
  assert_int_equal(ticks_of(&c, 54, 39), near + c.l2_far_latency);
  c.l2_far_latency = 0;
  assert_int_equal(ticks_of(&c, 3, 79), near);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_command_keeps_the_rules),
      cmocka_unit_test(test_bandwidth_of_the_pins),
      cmocka_unit_test(test_scale),
      cmocka_unit_test(test_carve_out),
      cmocka_unit_test(test_hashed_slices),
      cmocka_unit_test(test_far_half),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
