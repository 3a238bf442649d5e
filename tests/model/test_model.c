/* The C API over the probe unit: ports of every width, statuses, several instances, waves,
 * coverage. */
#include <signal.h>
#include <sys/resource.h>

#include "tests/model/model_test.h"

#define PROBE "tests/model/rtl/probe.ini"

typedef struct fixture {
  wf_model_lib *lib;
  wf_model *m;
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  f->lib = test_library(PROBE, "small", NULL, NULL);
  f->m = test_model(f->lib, test_seed);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  wf_model_destroy(f->m);
  wf_model_unload(f->lib);
  free(f);
  return 0;
}

static void ports_are_described(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  static const struct {
    const char *name;
    uint32_t width, bytes;
    bool output;
  } expected[] = {{"bit_i", 1, 1, false},   {"byte_i", 8, 1, false}, {"half_i", 13, 2, false},
                  {"word_i", 32, 4, false}, {"long_o", 48, 8, true}, {"wide_o", 130, 20, true},
                  {"clk_i", 1, 1, false},   {"stop_i", 3, 1, false}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const wf_port *p = test_port(m, expected[i].name);
    assert_int_equal(p->width, expected[i].width);
    assert_int_equal(p->bytes, expected[i].bytes);
    assert_int_equal(p->is_output, expected[i].output);
    assert_int_equal(p->words != NULL, p->width > 16);
  }
  assert_null(wf_model_port(m, "no_such_port"));
  assert_null(wf_model_port_at(m, wf_model_port_count(m)));
  assert_string_equal(wf_model_port_at(m, 0)->name, "clk_i");
}

static void values_of_every_width_pass(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  static const char *const names[] = {"bit", "byte", "half", "word", "long"};
  wf_rng rng;
  wf_rng_seed(&rng, test_seed);
  for (int round = 0; round < 200; round++) {
    uint64_t sent[5];
    uint32_t wide[5];
    char name[16];
    for (int i = 0; i < 5; i++) {
      snprintf(name, sizeof name, "%s_i", names[i]);
      const wf_port *p = test_port(m, name);
      uint64_t value = wf_rng_next(&rng);
      wf_port_set(p, value); /* excess bits must be dropped */
      sent[i] = value & (((uint64_t)1 << p->width) - 1);
      assert_int_equal(wf_port_get(p), sent[i]);
    }
    for (int i = 0; i < 5; i++) wide[i] = (uint32_t)wf_rng_next(&rng);
    wf_port_write(test_port(m, "wide_i"), 0, 130, wide);
    wide[4] &= 3;
    assert_runs(m, wf_model_step(m));
    for (int i = 0; i < 5; i++) {
      snprintf(name, sizeof name, "%s_o", names[i]);
      assert_int_equal(wf_port_get(test_port(m, name)), sent[i]);
    }
    assert_memory_equal(test_port(m, "wide_o")->words, wide, sizeof wide);
  }
}

/* Random reads and writes of bit ranges against a plain array of bits. */
static void bit_ranges_agree_with_bits(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  static const char *const names[] = {"byte_i", "half_i", "word_i", "long_i", "wide_i"};
  wf_rng rng;
  wf_rng_seed(&rng, test_seed + 1);
  for (size_t n = 0; n < 5; n++) {
    const wf_port *p = test_port(m, names[n]);
    bool bits[130] = {false};
    memset(p->data, 0, p->bytes);
    for (int round = 0; round < 5000; round++) {
      uint32_t lsb = (uint32_t)wf_rng_below(&rng, p->width);
      uint32_t width = 1 + (uint32_t)wf_rng_below(&rng, p->width - lsb);
      uint32_t words[5], back[5];
      for (int i = 0; i < 5; i++) words[i] = (uint32_t)wf_rng_next(&rng);
      if (width <= 64 && round % 2) {
        wf_port_set_bits(p, lsb, width, words[0] | (uint64_t)words[1] << 32);
      } else {
        wf_port_write(p, lsb, width, words);
      }
      for (uint32_t i = 0; i < width; i++) bits[lsb + i] = words[i / 32] >> (i % 32) & 1;
      lsb = (uint32_t)wf_rng_below(&rng, p->width);
      width = 1 + (uint32_t)wf_rng_below(&rng, p->width - lsb);
      memset(back, 0xff, sizeof back);
      wf_port_read(p, lsb, width, back);
      for (uint32_t i = 0; i < (width + 31) / 32 * 32; i++)
        assert_int_equal(back[i / 32] >> (i % 32) & 1, i < width && bits[lsb + i]);
      if (width <= 64)
        assert_int_equal(wf_port_get_bits(p, lsb, width),
                         back[0] | (width > 32 ? (uint64_t)back[1] << 32 : 0));
      assert_int_equal(wf_port_bit(p, lsb), bits[lsb]);
      bool flipped = !bits[lsb];
      wf_port_set_bit(p, lsb, flipped);
      bits[lsb] = flipped;
    }
  }
}

static void settle_moves_no_state(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  const wf_port *word = test_port(m, "word_i"), *sum = test_port(m, "sum_o");
  const wf_port *count = test_port(m, "count_o");
  for (uint32_t i = 0; i < 10; i++) {
    for (uint32_t j = 0; j < 3; j++) {
      wf_port_set(word, 1000 * j);
      assert_runs(m, wf_model_settle(m));
      assert_int_equal(wf_port_get(sum), 1000 * j + i);
      assert_int_equal(wf_port_get(count), i);
    }
    assert_runs(m, wf_model_edge(m));
    assert_int_equal(wf_port_get(count), i + 1);
    assert_int_equal(wf_model_cycle(m), i + 1);
  }
}

static void reset_starts_over(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  wf_port_set(test_port(m, "byte_i"), 7);
  for (int i = 0; i < 5; i++) assert_runs(m, wf_model_step(m));
  assert_int_equal(wf_port_get(test_port(m, "byte_o")), 7);
  assert_runs(m, wf_model_reset(m, 1));
  assert_int_equal(wf_port_get(test_port(m, "byte_o")), 0xa5);
  assert_int_equal(wf_port_get(test_port(m, "byte_i")), 0);
  assert_int_equal(wf_port_get(test_port(m, "count_o")), 0);
  assert_int_equal(wf_model_cycle(m), 0);
  wf_model_set_cycle(m, 500);
  assert_runs(m, wf_model_step(m));
  assert_int_equal(wf_model_cycle(m), 501);
  wf_model_set_cycle(m, 3); /* backwards: ignored */
  assert_int_equal(wf_model_cycle(m), 501);
}

static void parameters_are_readable(void **state) {
  fixture *f = *state;
  int64_t value = 0;
  assert_true(wf_model_parameter(f->m, "Step", &value));
  assert_int_equal(value, 1);
  assert_true(wf_model_parameter(f->m, "Code", &value));
  assert_int_equal(value, 0xa5);
  assert_true(wf_model_parameter(f->m, "Offset", &value));
  assert_int_equal(value, -3);
  assert_true(wf_model_parameter(f->m, "Twice", &value));
  assert_int_equal(value, 2);
  assert_false(wf_model_parameter(f->m, "Thrice", &value));
  assert_int_equal(wf_model_lib_parameter_count(f->lib), 4);
  assert_string_equal(wf_model_lib_unit(f->lib), "probe");
  assert_string_equal(wf_model_lib_config(f->lib), "small");
  assert_string_equal(wf_model_lib_variant(f->lib), "fast");
}

static void idle_follows_the_port(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  assert_true(wf_model_has_idle(m));
  assert_true(wf_model_idle(m));
  wf_port_set(test_port(m, "bit_i"), 1);
  assert_runs(m, wf_model_settle(m));
  assert_false(wf_model_idle(m));
}

/* Each way to stop has its status and a message that says who, when and why; and it is sticky. */
static void each_stop_has_its_status(void **state) {
  wf_model_lib *lib = ((fixture *)*state)->lib;
  static const struct {
    unsigned stop;
    wf_model_status status;
    const char *texts[3];
  } cases[] = {
      {1,
       WF_MODEL_ASSERTION,
       {"probe_inner.v:", "probe.u_inner.rule_7_quiet: ", "Rule 7: nobody trips"}},
      {2, WF_MODEL_FINISH, {"probe.v:", "$finish", "cycle 3"}},
      {3, WF_MODEL_ASSERTION, {"probe.v:", "probe says no to 77", "probe-small"}},
      {4, WF_MODEL_FATAL, {"probe.v:", "converge", "cycle 3"}},
      {5, WF_MODEL_ASSERTION, {"probe.v:", "$stop", "cycle 3"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wf_model *m = test_model(lib, test_seed);
    for (int c = 0; c < 3; c++) assert_runs(m, wf_model_step(m));
    wf_port_set(test_port(m, "word_i"), 77);
    wf_port_set(test_port(m, "stop_i"), cases[i].stop);
    assert_int_equal(wf_model_step(m), cases[i].status);
    for (int t = 0; t < 3; t++)
      if (!strstr(wf_model_last_error(m), cases[i].texts[t]))
        fail_msg("case %u: \"%s\" lacks \"%s\"", cases[i].stop, wf_model_last_error(m),
                 cases[i].texts[t]);
    assert_null(strstr(wf_model_last_error(m), "TOP."));
    uint64_t cycle = wf_model_cycle(m);
    wf_port_set(test_port(m, "stop_i"), 0);
    assert_int_equal(wf_model_settle(m), cases[i].status);
    assert_int_equal(wf_model_edge(m), cases[i].status);
    assert_int_equal(wf_model_reset(m, 1), cases[i].status);
    assert_int_equal(wf_model_cycle(m), cycle);
    wf_model_destroy(m);
  }
  assert_int_equal(wf_model_get_status(((fixture *)*state)->m), WF_MODEL_OK);
}

static void assertions_are_quiet_in_reset(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  wf_port_set(test_port(m, "rst_ni"), 0);
  wf_port_set(test_port(m, "stop_i"), 1);
  for (int i = 0; i < 3; i++) assert_runs(m, wf_model_step(m));
  wf_port_set(test_port(m, "rst_ni"), 1);
  assert_int_equal(wf_model_step(m), WF_MODEL_ASSERTION);
}

static void a_watchdog_can_stop_it(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  wf_model_stop(m, WF_MODEL_HANG, "nothing moves");
  assert_int_equal(wf_model_step(m), WF_MODEL_HANG);
  assert_string_equal(wf_model_last_error(m), "probe-small, cycle 0: nothing moves");
  wf_model_stop(m, WF_MODEL_FATAL, "later");
  assert_int_equal(wf_model_get_status(m), WF_MODEL_HANG);
}

/* Two libraries and three instances, interleaved: nobody sees anybody else's state. */
static void instances_are_independent(void **state) {
  fixture *f = *state;
  wf_model_lib *other = test_library(PROBE, "large", "Step=7", NULL);
  assert_string_equal(wf_model_lib_config(other), "large+Step.7");
  wf_model *a = f->m, *b = test_model(f->lib, test_seed), *c = test_model(other, test_seed);
  assert_int_equal(wf_port_get(test_port(c, "byte_o")), 0x11);
  for (uint32_t i = 1; i <= 50; i++) {
    wf_port_set(test_port(a, "word_i"), i);
    wf_port_set(test_port(b, "word_i"), 2 * i);
    wf_port_set(test_port(c, "word_i"), 3 * i);
    assert_runs(a, wf_model_step(a));
    assert_runs(c, wf_model_step(c));
    if (i % 2) assert_runs(b, wf_model_step(b));
    assert_int_equal(wf_port_get(test_port(a, "word_o")), i);
    assert_int_equal(wf_port_get(test_port(c, "word_o")), 3 * i);
    assert_int_equal(wf_port_get(test_port(a, "count_o")), i);
    assert_int_equal(wf_port_get(test_port(b, "count_o")), (i + 1) / 2);
    assert_int_equal(wf_port_get(test_port(c, "count_o")), 7 * i);
  }
  wf_port_set(test_port(c, "stop_i"), 1);
  assert_int_equal(wf_model_step(c), WF_MODEL_ASSERTION);
  assert_runs(a, wf_model_step(a));
  wf_model_destroy(b);
  wf_model_destroy(c);
  wf_model_unload(other);
}

static void bad_libraries_are_refused(void **state) {
  (void)state;
  wf_error err = {0};
  assert_null(wf_model_load("build/no/such/library.so", &err));
  assert_non_null(strstr(err.text, "build/no/such/library.so"));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_null(wf_model_load("/lib/x86_64-linux-gnu/libz.so.1", &err));
  assert_non_null(strstr(err.text, "not a model library"));
}

static void counters_by_name(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  uint64_t values[3];
  assert_int_equal(wf_model_counter_count(m), 3);
  assert_string_equal(wf_model_counter_name(m, 0), "cycles");
  assert_string_equal(wf_model_counter_name(m, 2), "bytes");
  assert_null(wf_model_counter_name(m, 3));
  wf_port_set(test_port(m, "bit_i"), 1);
  wf_port_set(test_port(m, "byte_i"), 200);
  for (int i = 0; i < 10; i++) assert_runs(m, wf_model_step(m));
  wf_port_set(test_port(m, "bit_i"), 0);
  assert_runs(m, wf_model_counters_read(m, values));
  assert_int_equal(values[0], 10);
  assert_int_equal(values[1], 10);
  assert_int_equal(values[2], 2000);
  assert_runs(m, wf_model_step(m));
  assert_runs(m, wf_model_counters_fetch(m, values)); /* still the snapshot */
  assert_int_equal(values[0], 10);
  assert_runs(m, wf_model_counters_clear(m));
  wf_port_set(test_port(m, "byte_i"), 0);
  assert_runs(m, wf_model_counters_read(m, values));
  assert_int_equal(values[0], 0);
  assert_int_equal(values[2], 0);
}

static void waves_need_their_variant(void **state) {
  wf_model *m = ((fixture *)*state)->m;
  wf_error err = {0};
  assert_false(wf_model_wave_open(m, "/tmp/never.fst", &err));
  assert_non_null(strstr(err.text, "trace"));
  assert_false(wf_model_coverage_write(m, "/tmp/never.dat", &err));
  assert_non_null(strstr(err.text, "cov"));
  assert_runs(m, wf_model_step(m)); /* none the worse */
}

static long file_bytes(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return -1;
  fseek(f, 0, SEEK_END);
  long bytes = ftell(f);
  fclose(f);
  return bytes;
}

/* Bytes of a wave of `cycles` random cycles of which first .. end - 1 are in the window. */
static long record(wf_model_lib *lib, const char *path, uint64_t first, uint64_t end) {
  wf_error err = {0};
  wf_model *m = test_model(lib, test_seed);
  wf_rng rng;
  wf_rng_seed(&rng, test_seed);
  if (!wf_model_wave_open(m, path, &err)) fail_msg("%s", err.text);
  wf_model_wave_window(m, first, end);
  for (int i = 0; i < 4000; i++) {
    for (int w = 0; w < 4; w++) test_port(m, "wide_i")->words[w] = (uint32_t)wf_rng_next(&rng);
    assert_runs(m, wf_model_step(m));
  }
  if (!wf_model_wave_close(m, &err)) fail_msg("%s", err.text);
  wf_model_destroy(m);
  long bytes = file_bytes(path);
  remove(path);
  return bytes;
}

static void waves_record_the_window(void **state) {
  (void)state;
  wf_model_lib *lib = test_library(PROBE, "small", NULL, "trace");
  char path[4200];
  snprintf(path, sizeof path, "%s/tests/model/probe.fst", test_build);
  long all = record(lib, path, 0, UINT64_MAX), part = record(lib, path, 1000, 1400);
  assert_true(all > 100000); /* 4000 cycles of 128 random bits twice cannot be packed below */
  assert_true(part > all / 20 && part < all / 5);
  wf_model *m = test_model(lib, 1);
  wf_error err = {0};
  assert_false(wf_model_wave_open(m, "/no/such/folder/x.fst", &err));
  assert_non_null(strstr(err.text, "/no/such/folder/x.fst"));
  wf_model_destroy(m);
  wf_model_unload(lib);
}

/* A file that may not grow stands for a full disk: the edge or the end says so, nothing dies. */
static void waves_that_do_not_fit_are_told(void **state) {
  (void)state;
  wf_model_lib *lib = test_library(PROBE, "small", NULL, "trace");
  char path[4200], hierarchy[4210];
  snprintf(path, sizeof path, "%s/tests/model/full.fst", test_build);
  snprintf(hierarchy, sizeof hierarchy, "%s.hier", path);
  struct rlimit before, small = {4096, 4096};
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  small.rlim_max = before.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  wf_model *m = test_model(lib, 1);
  wf_error err = {0};
  assert_true(wf_model_wave_open(m, path, &err));
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  wf_rng rng;
  wf_rng_seed(&rng, 1);
  for (int i = 0; i < 4000 && wf_model_get_status(m) == WF_MODEL_OK; i++) {
    for (int w = 0; w < 4; w++) test_port(m, "wide_i")->words[w] = (uint32_t)wf_rng_next(&rng);
    wf_model_step(m);
  }
  assert_true(wf_model_get_status(m) == WF_MODEL_OK || wf_model_get_status(m) == WF_MODEL_WAVE);
  assert_false(wf_model_wave_close(m, &err));
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "the wave file: cannot be written: File too large"));
  wf_model_destroy(m);
  wf_model_unload(lib);
  remove(path);
  remove(hierarchy);
}

static void coverage_is_written(void **state) {
  (void)state;
  wf_model_lib *lib = test_library(PROBE, "small", NULL, "cov");
  wf_model *m = test_model(lib, test_seed);
  wf_error err = {0};
  char path[4200], line[512];
  snprintf(path, sizeof path, "%s/tests/model/probe.dat", test_build);
  for (int i = 0; i < 20; i++) assert_runs(m, wf_model_step(m));
  if (!wf_model_coverage_write(m, path, &err)) fail_msg("%s", err.text);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  bool probe = false;
  while (fgets(line, sizeof line, f)) probe |= strstr(line, "probe.v") != NULL;
  fclose(f);
  remove(path);
  assert_true(probe);
  assert_false(wf_model_coverage_write(m, "/no/such/folder/x.dat", &err));
  wf_model_destroy(m);
  wf_model_unload(lib);
}

/* xrand: registers that nothing sets differ between seeds, repeat with the seed; all others agree.
 */
static void unset_state_is_random_in_xrand(void **state) {
  (void)state;
  wf_model_lib *lib = test_library(PROBE, "small", NULL, "xrand");
  uint64_t unset[3];
  for (int i = 0; i < 3; i++) {
    wf_model *m = test_model(lib, i < 2 ? 11 : 12);
    assert_runs(m, wf_model_step(m));
    unset[i] = wf_port_get(test_port(m, "unset_o"));
    assert_int_equal(wf_port_get(test_port(m, "count_o")), 1);
    wf_model_destroy(m);
  }
  assert_int_equal(unset[0], unset[1]);
  assert_int_not_equal(unset[0], unset[2]);
  wf_model_unload(lib);
}

/* The fast library makes an edge with one evaluation; the traced one toggles its clock. Same run.
 */
static void single_edge_equals_two_edges(void **state) {
  wf_model *a = ((fixture *)*state)->m;
  wf_model_lib *lib = test_library(PROBE, "small", NULL, "trace");
  wf_model *b = test_model(lib, test_seed);
  wf_rng rng;
  wf_rng_seed(&rng, test_seed + 2);
  for (int i = 0; i < 5000; i++) {
    for (size_t p = 0; p < wf_model_port_count(a); p++) {
      const wf_port *x = wf_model_port_at(a, p), *y = wf_model_port_at(b, p);
      if (x->is_output || !strcmp(x->name, "clk_i") || !strcmp(x->name, "stop_i")) continue;
      uint32_t words[5];
      for (int w = 0; w < 5; w++) words[w] = (uint32_t)wf_rng_next(&rng);
      if (strcmp(x->name, "rst_ni") == 0) words[0] = wf_rng_below(&rng, 50) != 0;
      wf_port_write(x, 0, x->width, words);
      wf_port_write(y, 0, y->width, words);
    }
    bool settle = wf_rng_below(&rng, 2) != 0;
    for (int half = settle ? 0 : 1; half < 2; half++) {
      assert_runs(a, half ? wf_model_edge(a) : wf_model_settle(a));
      assert_runs(b, half ? wf_model_edge(b) : wf_model_settle(b));
      for (size_t p = 0; p < wf_model_port_count(a); p++) {
        const wf_port *x = wf_model_port_at(a, p), *y = wf_model_port_at(b, p);
        if (x->is_output && strcmp(x->name, "random_o") && memcmp(x->data, y->data, x->bytes))
          fail_msg("cycle %d: %s differs", i, x->name);
      }
    }
  }
  wf_model_destroy(b);
  wf_model_unload(lib);
}

static void assert_twin_stops(wf_model_lib *lib, const char *input, unsigned twin,
                              const char *text) {
  wf_model *m = test_model(lib, test_seed);
  assert_runs(m, wf_model_step(m)); /* of a bench's edges the first is looked at with the next */
  wf_port_set(test_port(m, input), 1U << twin);
  const wf_model_status status = wf_model_step(m);
  assert_int_equal(status, text ? WF_MODEL_ASSERTION : WF_MODEL_OK);
  char name[64];
  snprintf(name, sizeof name, "twins.g_twin[%u].u_one.", twin);
  if (text && (!strstr(wf_model_last_error(m), name) || !strstr(wf_model_last_error(m), text)))
    fail_msg("\"%s\" lacks \"%s\" or \"%s\"", wf_model_last_error(m), name, text);
  wf_model_destroy(m);
}

static void instances_with_one_code_are_named(void **state) {
  (void)state;
  for (int bench = 0; bench < 2; bench++) {
    wf_model_lib *lib =
        test_library("tests/model/rtl/twins.ini", "default", NULL, bench ? "bench" : "fast");
    for (unsigned twin = 0; twin < 3; twin++) {
      assert_twin_stops(lib, "trip_i", twin, "Rule 1: nobody trips over the wire");
      assert_twin_stops(lib, "stray_i", twin, bench ? NULL : "Rule 2: nobody strays");
    }
    wf_model_unload(lib);
  }
}

/* What an instance that has made `before` edges, two of them in reset, says of `input` in `edges`
 * more edges, and of its end in another; `always`: it is to look at each. */
static wf_model_status twin_status(wf_model_lib *lib, const char *input, unsigned before,
                                   unsigned edges, bool always) {
  wf_model *m = test_model(lib, test_seed);
  if (always) wf_model_look_always(m);
  for (unsigned i = 2; i < before; i++) assert_runs(m, wf_model_step(m));
  wf_port_set(test_port(m, input), 1);
  for (unsigned i = 0; i < edges; i++) (void)wf_model_step(m);
  wf_port_set(test_port(m, input), 0);
  const wf_model_status status = wf_model_step(m);
  wf_model_destroy(m);
  return status;
}

/* Rules are looked at at edges 1 to 8 of each 127, those that compare two edges with what was kept.
 */
static void a_bench_looks_at_eight_edges_of_127(void **state) {
  (void)state;
  wf_model_lib *lib = test_library("tests/model/rtl/twins.ini", "default", NULL, "bench");
  for (unsigned before = 3; before < 260; before++) {
    const unsigned phase = before % 127;
    const bool one = phase > 0 && phase <= 8, two = phase < 8;
    if (twin_status(lib, "trip_i", before, 1, false) != (one ? WF_MODEL_ASSERTION : WF_MODEL_OK))
      fail_msg("edge %u: a rule is %slooked at", before, one ? "not " : "");
    if (twin_status(lib, "offer_i", before, 1, false) != (two ? WF_MODEL_ASSERTION : WF_MODEL_OK))
      fail_msg("edge %u: an offer is %skept", before, two ? "not " : "");
    assert_int_equal(twin_status(lib, "trip_i", before, 120, false), WF_MODEL_ASSERTION);
  }
  wf_model_unload(lib);
}

static void a_bench_looks_at_each_edge_if_asked(void **state) {
  (void)state;
  wf_model_lib *lib = test_library("tests/model/rtl/twins.ini", "default", NULL, "bench");
  for (unsigned before = 3; before < 140; before++)
    assert_int_equal(twin_status(lib, "trip_i", before, 1, true), WF_MODEL_ASSERTION);
  wf_model_unload(lib);
}

/* What is held when reset comes is forgotten, whenever that is, and in reset nothing is looked at.
 */
static void a_bench_forgets_in_reset(void **state) {
  (void)state;
  wf_model_lib *lib = test_library("tests/model/rtl/twins.ini", "default", NULL, "bench");
  for (unsigned before = 2; before < 140; before++) {
    wf_model *m = test_model(lib, test_seed);
    wf_port_set(test_port(m, "offer_i"), 1);
    for (unsigned i = 2; i < before; i++) assert_runs(m, wf_model_step(m));
    wf_port_set(test_port(m, "rst_ni"), 0);
    wf_port_set(test_port(m, "offer_i"), 0);
    wf_port_set(test_port(m, "trip_i"), 1);
    for (unsigned i = 0; i < (before == 139 ? 300 : 1); i++) assert_runs(m, wf_model_step(m));
    wf_port_set(test_port(m, "rst_ni"), 1);
    wf_port_set(test_port(m, "trip_i"), 0);
    for (int i = 0; i < 10; i++) assert_runs(m, wf_model_step(m));
    wf_model_destroy(m);
  }
  wf_model_unload(lib);
}

int main(int argc, char **argv) {
  test_start(argc, argv);
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      CASE(ports_are_described),
      CASE(values_of_every_width_pass),
      CASE(bit_ranges_agree_with_bits),
      CASE(settle_moves_no_state),
      CASE(reset_starts_over),
      CASE(parameters_are_readable),
      CASE(idle_follows_the_port),
      CASE(each_stop_has_its_status),
      CASE(assertions_are_quiet_in_reset),
      CASE(a_watchdog_can_stop_it),
      CASE(instances_are_independent),
      CASE(bad_libraries_are_refused),
      CASE(counters_by_name),
      CASE(waves_need_their_variant),
      CASE(waves_record_the_window),
      CASE(waves_that_do_not_fit_are_told),
      CASE(coverage_is_written),
      CASE(unset_state_is_random_in_xrand),
      CASE(single_edge_equals_two_edges),
      CASE(instances_with_one_code_are_named),
      CASE(a_bench_looks_at_eight_edges_of_127),
      CASE(a_bench_looks_at_each_edge_if_asked),
      CASE(a_bench_forgets_in_reset),
  };
  return test_finish(cmocka_run_group_tests_name("model", tests, NULL, NULL), argv);
}
