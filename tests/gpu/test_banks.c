/* Banks of shared memory: cycles of a warp's load, against a count over all words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"

/* Lane l loads from 16 (l * a % b). */
static const char pattern[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u32 a, .param .u32 "
    "b)\n{\n.shared .align 16 .b8 s[16384];\n.reg .b32 %%r<9>;\n.reg .f32 %%f<4>;\n.reg .f64 "
    "%%fd<4>;\n"
    "ld.param.u32 %%r1, [a];\nld.param.u32 %%r2, [b];\nmov.u32 %%r3, %%tid.x;\n"
    "mul.lo.u32 %%r3, %%r3, %%r1;\nrem.u32 %%r3, %%r3, %%r2;\nmov.u32 %%r4, s;\n"
    "add.u32 %%r4, %%r4, %%r3;\n%s\nret;\n}\n";
static const char *const loads[] = {"ld.shared.f32 %f1, [%r4];", "ld.shared.f64 %fd1, [%r4];",
                                    "ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r4];"};

static uint64_t cycles_of(const char *config_name, unsigned bytes, uint32_t a, uint32_t b) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  char text[2048];
  const int n = snprintf(text, sizeof text, pattern, loads[bytes / 8]);
  assert_true(wf_gpu_config_load(&config, config_name, &err));
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu || !wf_gpu_load_ptx(gpu, "t", text, (size_t)n, &err)) fail_msg("%s", err.text);
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = {&a, &b}, .n_params = 2};
  if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  const wf_sm_counters *c = wf_gpu_sm_counters(gpu);
  assert_int_equal(c->shared_accesses, 1);
  const uint64_t cycles = 1 + c->shared_conflict_cycles;
  wf_gpu_destroy(gpu);
  return cycles;
}

typedef struct access {
  unsigned bytes;
  uint32_t a, b;
  uint64_t cycles;
} access;
enum { ALL = 16384 };

static void take_so_long(const char *config, const access *cases, size_t n) {
  for (size_t i = 0; i < n; i++)
    assert_int_equal(cycles_of(config, cases[i].bytes, cases[i].a, cases[i].b), cases[i].cycles);
}

static void banks_of_four_bytes(void **state) {
  (void)state;
  static const access cases[] = {
      {4, 4, ALL, 1},                      /* side by side */
      {4, 0, ALL, 1},                      /* all of them the same word */
      {4, 8, ALL, 2},                      /* every second word */
      {4, 128, ALL, 32}, {4, 132, ALL, 1}, /* a row of padding */
      {4, 128, 256, 2},                    /* two words of one bank, each for 16 lanes */
      {8, 8, ALL, 2},                      /* two words a lane */
      {8, 0, ALL, 2},                      /* a group of 16 lanes after the other */
      {8, 16, ALL, 4},   {8, 128, 256, 4}, {8, 256, ALL, 32}, {16, 16, ALL, 4}, {16, 0, ALL, 4},
  };
  take_so_long("gtx480", cases, sizeof cases / sizeof *cases);
}

/* A bank of eight bytes gives both words of its row. */
static void banks_of_eight_bytes(void **state) {
  (void)state;
  static const access cases[] = {
      {4, 4, ALL, 1},    {4, 8, ALL, 1},    {4, 16, ALL, 2},  {4, 128, ALL, 16},
      {4, 256, ALL, 32}, {4, 128, 256, 1},  {8, 8, ALL, 1},   {8, 0, ALL, 1},
      {8, 16, ALL, 2},   {8, 256, ALL, 32}, {16, 16, ALL, 2}, {16, 0, ALL, 2},
  };
  take_so_long("k20c", cases, sizeof cases / sizeof *cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(banks_of_four_bytes),
      cmocka_unit_test(banks_of_eight_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
