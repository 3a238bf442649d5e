/* The agents: order and content through real queues, their own checks against a unit that breaks
 * the rules, the watchdog's report, replay of a seed. */
#include "tests/model/model_test.h"

enum { CHANNELS = 19, SKID = 18, WIDTH = 40 };

typedef struct pair {
  wf_channel *in, *out;
} pair;

typedef struct bench {
  wf_model_lib *lib;
  wf_model *m;
  wf_env *env;
  pair pairs[CHANNELS];
} bench;

static wf_channel *channel(wf_env *env, bool source, const char *name, uint32_t k, uint32_t width) {
  wf_error err = {0};
  wf_field field = {source ? "in_data_i" : "out_data_o", k * width, width};
  wf_channel_spec spec = {.name = name,
                          .valid = {source ? "in_valid_i" : "out_valid_o", k},
                          .ready = {source ? "in_ready_o" : "out_ready_i", k},
                          .fields = &field,
                          .field_count = 1};
  wf_channel *c = source ? wf_source_create(env, &spec, &err) : wf_sink_create(env, &spec, &err);
  if (!c) fail_msg("%s", err.text);
  return c;
}

static bench *open_bench(const char *ini, uint32_t count, uint32_t width, uint64_t seed) {
  bench *b = calloc(1, sizeof *b);
  b->lib = test_library(ini, "default", NULL, NULL);
  b->m = test_model(b->lib, seed);
  b->env = wf_env_create(b->m, seed);
  for (uint32_t k = 0; k < count; k++) {
    char name[16];
    snprintf(name, sizeof name, "in%u", k);
    b->pairs[k].in = channel(b->env, true, name, k, width);
    snprintf(name, sizeof name, "out%u", k);
    b->pairs[k].out = channel(b->env, false, name, k, width);
  }
  return b;
}

static void close_bench(bench *b) {
  wf_env_destroy(b->env);
  wf_model_destroy(b->m);
  wf_model_unload(b->lib);
  free(b);
}

static uint32_t depth_of(uint32_t k) {
  static const uint32_t depths[6] = {1, 2, 3, 4, 5, 8};
  return k == SKID ? 2 : depths[k % 6];
}

static void item_of(uint32_t k, uint32_t i, uint32_t item[2]) {
  item[0] = i * 2654435761u ^ k;
  item[1] = i & 0xff;
}

static void push_items(bench *b, uint32_t k, uint32_t count) {
  uint32_t item[2];
  for (uint32_t i = 0; i < count; i++) {
    item_of(k, i, item);
    wf_source_push(b->pairs[k].in, item);
  }
}

static void check_items(bench *b, uint32_t k, uint32_t count) {
  uint32_t item[2], expected[2];
  assert_int_equal(wf_sink_received(b->pairs[k].out), count);
  for (uint32_t i = 0; i < count; i++) {
    item_of(k, i, expected);
    assert_true(wf_sink_pop(b->pairs[k].out, item));
    if (memcmp(item, expected, sizeof item))
      fail_msg("queue %u, item %u: %08x %08x, expected %08x %08x", k, i, item[1], item[0],
               expected[1], expected[0]);
  }
  assert_false(wf_sink_pop(b->pairs[k].out, item));
}

/* Counts of the FIFOs: items taken in and not yet out, never above the depth. */
static void check_counts(void *context, wf_env *env) {
  bench *b = context;
  const wf_port *count = wf_model_port(wf_env_model(env), "count_o");
  for (uint32_t k = 0; k < SKID; k++) {
    /* Sampled before the edge: transfers of this cycle are not in the count yet. */
    uint64_t in = wf_channel_transfers(b->pairs[k].in), out = wf_channel_transfers(b->pairs[k].out);
    uint64_t now = wf_port_get_bits(count, 8 * k, 8);
    assert_true(now <= depth_of(k));
    assert_true(now <= in - out + 1 && now + 1 >= in - out);
  }
}

static void queues_keep_order_under_stalls(void **state) {
  (void)state;
  for (uint64_t round = 0; round < 4; round++) {
    bench *b = open_bench("tests/model/rtl/queue_set.ini", CHANNELS, WIDTH, test_seed + round);
    static const double rates[4][2] = {{0, 0}, {0.3, 0.3}, {0.05, 0.6}, {0.6, 0.05}};
    wf_env_on_cycle(b->env, check_counts, b);
    wf_env_watchdog(b->env, 1000);
    for (uint32_t k = 0; k < CHANNELS; k++) {
      wf_channel_stalls(b->pairs[k].in, (wf_stalls){rates[round][0], 7});
      wf_channel_stalls(b->pairs[k].out, (wf_stalls){rates[round][1], 7});
      push_items(b, k, 2000);
    }
    assert_runs(b->m, wf_env_drain(b->env, 20, 200000));
    for (uint32_t k = 0; k < CHANNELS; k++) check_items(b, k, 2000);
    close_bench(b);
  }
}

static void a_full_queue_holds_its_depth(void **state) {
  (void)state;
  bench *b = open_bench("tests/model/rtl/queue_set.ini", CHANNELS, WIDTH, test_seed);
  for (uint32_t k = 0; k < CHANNELS; k++) {
    wf_sink_hold(b->pairs[k].out, true);
    push_items(b, k, 50);
  }
  for (int i = 0; i < 100; i++) assert_runs(b->m, wf_env_step(b->env));
  for (uint32_t k = 0; k < CHANNELS; k++) {
    assert_int_equal(wf_channel_transfers(b->pairs[k].in), depth_of(k));
    wf_sink_hold(b->pairs[k].out, false);
  }
  assert_runs(b->m, wf_env_drain(b->env, 20, 1000));
  for (uint32_t k = 0; k < CHANNELS; k++) check_items(b, k, 50);
  close_bench(b);
}

/* Without stalls, queues deep enough pass an item per cycle; the others every second or third. */
static void throughput_is_as_documented(void **state) {
  (void)state;
  bench *b = open_bench("tests/model/rtl/queue_set.ini", CHANNELS, WIDTH, test_seed);
  for (uint32_t k = 0; k < CHANNELS; k++) push_items(b, k, 2000);
  for (int i = 0; i < 1003; i++) assert_runs(b->m, wf_env_step(b->env));
  for (uint32_t k = 0; k < CHANNELS; k++) {
    uint64_t out = wf_channel_transfers(b->pairs[k].out);
    uint32_t full = k == SKID || k < 6 ? 2 : 3; /* depth for full throughput */
    if (depth_of(k) >= full)
      assert_in_range(out, 999, 1003);
    else
      assert_in_range(out, 1000 * depth_of(k) / full - 2, 1003 * depth_of(k) / full + 2);
  }
  close_bench(b);
}

static uint64_t fingerprint(uint64_t seed) {
  bench *b = open_bench("tests/model/rtl/queue_set.ini", CHANNELS, WIDTH, seed);
  uint64_t hash = 0;
  for (uint32_t k = 0; k < CHANNELS; k++) {
    wf_channel_stalls(b->pairs[k].in, (wf_stalls){0.4, 5});
    wf_channel_stalls(b->pairs[k].out, (wf_stalls){0.4, 5});
    push_items(b, k, 100000);
  }
  for (int i = 0; i < 500; i++) assert_runs(b->m, wf_env_step(b->env));
  for (uint32_t k = 0; k < CHANNELS; k++) hash = hash * 31 + wf_channel_transfers(b->pairs[k].out);
  close_bench(b);
  return hash;
}

static void a_seed_replays(void **state) {
  (void)state;
  uint64_t first = fingerprint(test_seed);
  assert_int_equal(first, fingerprint(test_seed));
  assert_int_not_equal(first, fingerprint(test_seed + 1));
}

static void assert_error_has(const wf_model *m, const char *text) {
  if (!strstr(wf_model_last_error(m), text))
    fail_msg("\"%s\" lacks \"%s\"", wf_model_last_error(m), text);
}

static bench *faulty_bench(uint64_t fault) {
  bench *b = open_bench("tests/model/rtl/faulty.ini", 1, 8, test_seed);
  wf_port_set(test_port(b->m, "fault_i"), fault);
  for (uint32_t i = 0; i < 3; i++) wf_source_push(b->pairs[0].in, &i);
  return b;
}

static void a_sound_unit_passes(void **state) {
  (void)state;
  bench *b = faulty_bench(0);
  wf_env_watchdog(b->env, 50);
  assert_runs(b->m, wf_env_drain(b->env, 5, 100));
  assert_int_equal(wf_sink_received(b->pairs[0].out), 3);
  close_bench(b);
}

static void dropped_valid_is_caught(void **state) {
  (void)state;
  bench *b = faulty_bench(1);
  wf_sink_hold(b->pairs[0].out, true);
  assert_int_equal(wf_env_drain(b->env, 5, 100), WF_MODEL_ASSERTION);
  assert_error_has(b->m, "channel out0: valid dropped");
  close_bench(b);
}

static void changed_payload_is_caught(void **state) {
  (void)state;
  bench *b = faulty_bench(2);
  wf_sink_hold(b->pairs[0].out, true);
  assert_int_equal(wf_env_drain(b->env, 5, 100), WF_MODEL_ASSERTION);
  assert_error_has(b->m, "channel out0: the payload changed");
  close_bench(b);
}

static void a_hang_names_who_waits(void **state) {
  (void)state;
  bench *b = faulty_bench(3);
  wf_env_watchdog(b->env, 60);
  wf_model_status status = WF_MODEL_OK;
  int cycles = 0;
  while (!status && cycles++ < 1000) status = wf_env_step(b->env);
  assert_int_equal(status, WF_MODEL_HANG);
  assert_in_range(cycles, 60, 64);
  assert_error_has(b->m, "no transfer for 60 cycles");
  assert_error_has(b->m,
                   "in0: the environment has offered for 60 cycles and waits for the UNIT's ready");
  assert_error_has(b->m, "2 items queued");
  assert_error_has(b->m, "out0: the environment waits, nothing offered by the UNIT");
  close_bench(b);

  b = faulty_bench(0);
  wf_sink_hold(b->pairs[0].out, true);
  assert_int_equal(wf_env_drain(b->env, 5, 100), WF_MODEL_HANG);
  assert_error_has(b->m, "waits for the ENVIRONMENT's ready, which is held");
  close_bench(b);
}

static void a_quiet_unit_is_no_hang(void **state) {
  (void)state;
  bench *b = open_bench("tests/model/rtl/queue_set.ini", CHANNELS, WIDTH, test_seed);
  wf_env_watchdog(b->env, 10);
  for (int i = 0; i < 100; i++) assert_runs(b->m, wf_env_step(b->env));
  close_bench(b);
}

static void bad_channels_are_refused(void **state) {
  (void)state;
  bench *b = open_bench("tests/model/rtl/faulty.ini", 0, 8, test_seed);
  wf_error err = {0};
  wf_field field = {"in_data_i", 4, 5};
  wf_channel_spec spec = {.name = "x",
                          .valid = {"in_valid_i", 0},
                          .ready = {"in_ready_o", 0},
                          .fields = &field,
                          .field_count = 1};
  assert_null(wf_source_create(b->env, &spec, &err)); /* bits 4 .. 8 of 8 */
  assert_non_null(strstr(err.text, "in_data_i[4 +: 5]"));
  field.width = 4;
  spec.valid.bit = 1;
  assert_null(wf_source_create(b->env, &spec, &err));
  assert_non_null(strstr(err.text, "valid = in_valid_i[1]"));
  spec.valid.bit = 0;
  assert_null(wf_sink_create(b->env, &spec, &err)); /* directions the wrong way round */
  assert_non_null(wf_source_create(b->env, &spec, &err));
  close_bench(b);
}

int main(int argc, char **argv) {
  test_start(argc, argv);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(queues_keep_order_under_stalls),
      cmocka_unit_test(a_full_queue_holds_its_depth),
      cmocka_unit_test(throughput_is_as_documented),
      cmocka_unit_test(a_seed_replays),
      cmocka_unit_test(a_sound_unit_passes),
      cmocka_unit_test(dropped_valid_is_caught),
      cmocka_unit_test(changed_payload_is_caught),
      cmocka_unit_test(a_hang_names_who_waits),
      cmocka_unit_test(a_quiet_unit_is_no_hang),
      cmocka_unit_test(bad_channels_are_refused),
  };
  return test_finish(cmocka_run_group_tests_name("agents", tests, NULL, NULL), argv);
}
