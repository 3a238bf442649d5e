/* Where schedulers' cycles go: kernels that wait for one thing each, and the sum over causes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"

enum { BLOCKS = 15, THREADS = 256 };

/* %r1: the thread in the grid; %rd1: its 128 bytes; %r9 counts down from n. */
static const char pattern[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n.shared .align 16 .b8 s[4096];\n"
    ".reg .b32 %%r<12>;\n.reg .b64 %%rd<6>;\n.reg .f32 %%f<8>;\n.reg .pred %%p<3>;\n"
    "ld.param.u64 %%rd1, [a];\nld.param.u32 %%r9, [n];\nmov.u32 %%r2, %%tid.x;\n"
    "mov.u32 %%r3, %%ctaid.x;\nmov.u32 %%r4, %%ntid.x;\nmad.lo.u32 %%r1, %%r3, %%r4, %%r2;\n"
    "mul.wide.u32 %%rd2, %%r1, 128;\nadd.u64 %%rd1, %%rd1, %%rd2;\n"
    "cvt.rn.f32.u32 %%f1, %%r1;\nmov.u32 %%r5, s;\n%s\nret;\n}\n";

/* The body, looped n times. */
#define LOOP(body)                                                                                 \
  "again:\n" body "\nsub.u32 %%r9, %%r9, 1;\nsetp.ne.u32 %%p1, %%r9, 0;\n@%%p1 bra again;"

typedef struct situation {
  const char *body; /* printed by snprintf, so that %% is % */
  uint32_t n, threads;
  const char *key, *value; /* a setting, or NULL */
  wf_stall cause;          /* the largest of all, but for what is idle */
} situation;

static wf_sm_counters run(const situation *s, unsigned *schedulers, uint64_t *cycles) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  char text[4096], body[2048];
  snprintf(body, sizeof body, "%s", s->body);
  for (char *c = body; (c = strstr(c, "%%")); c++) memmove(c, c + 1, strlen(c));
  const int n = snprintf(text, sizeof text, pattern, body);
  assert_true(n > 0 && (size_t)n < sizeof text);
  assert_true(wf_gpu_config_load(&config, "gtx480", &err));
  if (s->key && !wf_gpu_config_set(&config, s->key, s->value, &err)) fail_msg("%s", err.text);
  *schedulers = config.n_sm * config.schedulers;
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu || !wf_gpu_load_ptx(gpu, "t", text, (size_t)n, &err)) fail_msg("%s", err.text);
  uint64_t memory = wf_gpu_alloc(gpu, (uint64_t)BLOCKS * THREADS * 128, "memory", &err);
  if (!memory) fail_msg("%s", err.text);
  wf_launch_args args = {.kernel = "k",
                         .grid = {BLOCKS, 1, 1},
                         .block = {s->threads, 1, 1},
                         .params = {&memory, &s->n},
                         .n_params = 2};
  if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  const wf_sm_counters c = *wf_gpu_sm_counters(gpu);
  *cycles = wf_gpu_cycles(gpu);
  wf_gpu_destroy(gpu);
  return c;
}

/* Each cycle of each scheduler has one cause, and most of them the one that is meant. */
static void has_cause(const situation *s) {
  unsigned schedulers;
  uint64_t cycles, sum;
  const wf_sm_counters c = run(s, &schedulers, &cycles);
  sum = c.issue_cycles;
  for (unsigned i = 0; i < WF_STALL_COUNT; i++) {
    sum += c.stalls[i];
    if (i != WF_STALL_IDLE && i != s->cause && c.stalls[i] >= c.stalls[s->cause])
      fail_msg("%s: %llu cycles, %s %llu", wf_stall_name(s->cause),
               (unsigned long long)c.stalls[s->cause], wf_stall_name((wf_stall)i),
               (unsigned long long)c.stalls[i]);
  }
  assert_int_equal(sum, cycles * schedulers);
}

static void one_cause_each(void **state) {
  (void)state;
  static const situation all[] = {
      {LOOP("ld.global.f32 %%f2, [%%rd1];\nadd.f32 %%f1, %%f1, %%f2;\n"
            "ld.global.cg.f32 %%f3, [%%rd1];\nadd.f32 %%f1, %%f1, %%f3;"),
       20, 32, NULL, NULL, WF_STALL_MEMORY},
      {LOOP("fma.rn.f32 %%f1, %%f1, %%f1, %%f1;"), 200, 32, NULL, NULL, WF_STALL_DEPENDENCY},
      {LOOP("sin.approx.f32 %%f2, %%f1;\nsin.approx.f32 %%f3, %%f1;\n"
            "sin.approx.f32 %%f4, %%f1;\nsin.approx.f32 %%f5, %%f1;"),
       200, THREADS, NULL, NULL, WF_STALL_PIPE},
      /* The first warp is long, the others wait for it. */
      {"setp.gt.u32 %%p2, %%r2, 31;\n@%%p2 bra there;\n" LOOP(
           "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;") "\nthere:\nbar.sync 0;",
       400, 64, NULL, NULL, WF_STALL_BARRIER},
      /* Each lane its own line: 32 cycles of the L1, and misses without end. */
      {LOOP("ld.global.f32 %%f2, [%%rd1];"), 20, THREADS, NULL, NULL, WF_STALL_L1_MSHR},
      {LOOP("st.global.f32 [%%rd1], %%f1;"), 20, THREADS, NULL, NULL, WF_STALL_NOC},
      /* 32 lanes on one bank. */
      {"shl.b32 %%r6, %%r2, 7;\nand.b32 %%r6, %%r6, 4095;\nadd.u32 %%r6, %%r6, %%r5;\n" LOOP(
           "st.shared.f32 [%%r6], %%f1;"),
       40, THREADS, NULL, NULL, WF_STALL_LSU_QUEUE},
      {LOOP("ld.global.f32 %%f2, [%%rd1];\nadd.f32 %%f1, %%f1, %%f2;\n"
            "fma.rn.f32 %%f1, %%f1, %%f1, %%f1;"),
       20, THREADS, "core.swl", "1", WF_STALL_LIMIT},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) has_cause(&all[i]);
}

/* A block for each of fifteen SMs, of one warp: the other scheduler of each has none. */
static void no_warp(void **state) {
  (void)state;
  const situation s = {LOOP("fma.rn.f32 %%f1, %%f1, %%f1, %%f1;"), 200, 32, NULL, NULL, 0};
  unsigned schedulers;
  uint64_t cycles;
  const wf_sm_counters c = run(&s, &schedulers, &cycles);
  assert_int_equal(schedulers, 2 * BLOCKS);
  assert_in_range(c.stalls[WF_STALL_IDLE], cycles * BLOCKS, cycles * BLOCKS + 100 * BLOCKS);
}

/* What is copied into shared memory passes its port, a lane's bank after the other. */
static void port_of_copies(void **state) {
  (void)state;
  const situation s = {
      "shl.b32 %%r6, %%r2, 7;\nand.b32 %%r6, %%r6, 4095;\nadd.u32 %%r6, %%r6, %%r5;\n" LOOP(
          "cp.async.ca.shared.global [%%r6], [%%rd1], 4;\nld.shared.f32 %%f2, [%%r5];"),
      20,
      THREADS,
      NULL,
      NULL,
      0};
  unsigned schedulers;
  uint64_t cycles;
  const wf_sm_counters c = run(&s, &schedulers, &cycles);
  assert_true(c.stalls[WF_STALL_L1_PORT] > cycles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_cause_each),
      cmocka_unit_test(no_warp),
      cmocka_unit_test(port_of_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
