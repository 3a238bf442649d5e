/* Speed of the layer itself: a 512-bit register (cost of settle and edge), the associative table
 * with a lookup every cycle, agents on 19 channels. Prints a table; asserts nothing. */
#include <time.h>

#include "tests/model/model_test.h"

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* other work on the machine does not count */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void row(const char *what, double cycles, double since) {
  double each = (seconds() - since) / cycles;
  printf("| %s | %.1f | %.2f |\n", what, each * 1e9, 1e-6 / each);
}

static wf_model *open_model(const char *ini, const char *config, const char *parameters) {
  wf_error err = {0};
  wf_model_request q = {
      .unit = ini, .config = config, .parameters = parameters, .build_dir = test_build};
  char *path = wf_model_build(&q, &err);
  wf_model_lib *lib = path ? wf_model_load(path, &err) : NULL;
  wf_model *m = lib ? wf_model_create(lib, NULL, 1, &err) : NULL;
  free(path);
  if (!m) fprintf(stderr, "%s\n", err.text), exit(WF_EXIT_BAD_INPUT);
  wf_model_reset(m, 2);
  return m;
}

/* One process per table: instances and libraries live until its end. */
static void bench_register(void) {
  enum { CYCLES = 10000000 };
  wf_model *m = open_model("tests/model/rtl/wide_register.ini", "default", NULL);
  const wf_port *d = wf_model_port(m, "d_i"), *sum = wf_model_port(m, "sum_o");
  uint64_t total = 0;
  double start = seconds();
  for (uint32_t i = 0; i < CYCLES; i++) {
    d->words[0] = i;
    wf_model_edge(m);
  }
  row("512-bit register: set a word, edge", CYCLES, start);
  start = seconds();
  for (uint32_t i = 0; i < CYCLES; i++) {
    d->words[0] = i;
    wf_model_settle(m);
    total += wf_port_get(sum);
    wf_model_edge(m);
  }
  row("512-bit register: set a word, settle, read, edge", CYCLES, start);
  if (!total) printf("(unexpected sum)\n");
}

static void bench_agents(void) {
  enum { CYCLES = 100000, CHANNELS = 19, WIDTH = 40 };
  wf_model *m = open_model("tests/model/rtl/queue_set.ini", "default", NULL);
  wf_env *env = wf_env_create(m, 1);
  wf_env_watchdog(env, 1000);
  for (uint32_t k = 0; k < CHANNELS; k++) {
    wf_field in = {"in_data_i", k * WIDTH, WIDTH}, out = {"out_data_o", k * WIDTH, WIDTH};
    wf_channel_spec spec = {"in", {"in_valid_i", k}, {"in_ready_o", k}, &in, 1};
    wf_channel *source = wf_source_create(env, &spec, NULL);
    for (uint32_t i = 0; i < CYCLES; i++) wf_source_push(source, (uint32_t[2]){i, k});
    spec = (wf_channel_spec){"out", {"out_valid_o", k}, {"out_ready_i", k}, &out, 1};
    wf_channel_stalls(wf_sink_create(env, &spec, NULL), (wf_stalls){0.2, 3});
  }
  double start = seconds();
  for (uint32_t i = 0; i < CYCLES && !wf_env_step(env); i++) {
  }
  row("19 queues with 38 agents", CYCLES, start);
  wf_env_destroy(env);
}

int main(int argc, char **argv) {
  test_start(argc, argv);
  printf("| what | ns per cycle | million cycles/s |\n|---|---|---|\n");
  bench_register();
  bench_agents();
  return 0;
}
