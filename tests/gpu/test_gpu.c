/* The SM and the launch path, by small PTX kernels: divergence, barriers, shared and local memory,
 * atomics, fences, predicated exit, faults, refused launches; and the configuration reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"
/* Thread's own address out + 4 * global thread in %rd2, its number in %r1. */
#define ENTRY(NAME, MORE)                                                                          \
  HEAD ".visible .entry " NAME "(.param .u64 out)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<20>;\n"      \
       ".reg .b64 %rd<9>;\n" MORE                                                                  \
       "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                       \
       "mad.lo.u32 %r1, %r2, %r3, %r4;\nld.param.u64 %rd1, [out];\n"                               \
       "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\n"

typedef struct bench {
  wf_gpu *gpu;
  uint64_t out;
  wf_error err;
} bench;

static bench open_gpu_with(unsigned launch_host, const char *ptx, unsigned words) {
  bench b = {0};
  wf_gpu_config config;
  wf_options none = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &b.err));
  config.launch_host = launch_host;
  b.gpu = wf_gpu_create(&config, &none, NULL, 0, 1, &b.err);
  assert_non_null(b.gpu);
  if (!wf_gpu_load_ptx(b.gpu, "test", ptx, strlen(ptx), &b.err)) fail_msg("%s", b.err.text);
  b.out = wf_gpu_alloc(b.gpu, words * 4, "out", &b.err);
  assert_int_not_equal(b.out, 0);
  return b;
}

static bench open_gpu(const char *ptx, unsigned words) {
  return open_gpu_with(0, ptx, words);
}

static bool launch(bench *b, const char *kernel, uint32_t grid, uint32_t block) {
  wf_launch_args args = {.kernel = kernel,
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .params = {&b->out},
                         .n_params = 1};
  return wf_gpu_launch(b->gpu, &args, &b->err);
}

static void run(bench *b, uint32_t grid, uint32_t block, uint32_t *out, unsigned words) {
  if (!launch(b, "k", grid, block)) fail_msg("%s", b->err.text);
  assert_true(wf_gpu_read(b->gpu, out, b->out, words * 4, &b->err));
}

/* Nested branches and a loop whose trip count differs by lane: every lane's own result. */
static void divergence(void **state) {
  (void)state;
  bench b = open_gpu(
      ENTRY("k",
            "") "and.b32 %r5, %r1, 7;\nmov.u32 %r6, 0;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra DONE;\n"
                "LOOP:\nadd.u32 %r6, %r6, %r5;\nand.b32 %r7, %r5, 1;\nsetp.eq.u32 %p2, %r7, 0;\n"
                "@%p2 bra EVEN;\nadd.u32 %r6, %r6, 100;\nbra.uni NEXT;\nEVEN:\nadd.u32 %r6, %r6, "
                "10;\n"
                "NEXT:\nsub.u32 %r5, %r5, 1;\nsetp.ne.u32 %p3, %r5, 0;\n@%p3 bra LOOP;\nDONE:\n"
                "st.global.u32 [%rd2], %r6;\nret;\n}\n",
      512);
  uint32_t out[512];
  run(&b, 4, 128, out, 512);
  for (uint32_t t = 0; t < 512; t++) {
    uint32_t want = 0;
    for (uint32_t k = t & 7; k; k--) want += k + (k & 1 ? 100 : 10);
    assert_int_equal(out[t], want);
  }
  wf_gpu_destroy(b.gpu);
}

/* Lanes leave early under a guard; the rest of the warp goes on. */
static void predicated_exit(void **state) {
  (void)state;
  bench b = open_gpu(ENTRY("k", "") "and.b32 %r5, %r1, 3;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 ret;\n"
                                    "st.global.u32 [%rd2], 7;\nret;\n}\n",
                     96);
  uint32_t out[96];
  assert_true(wf_gpu_fill(b.gpu, b.out, 0, sizeof out, &b.err));
  run(&b, 1, 96, out, 96);
  for (uint32_t t = 0; t < 96; t++) assert_int_equal(out[t], (t & 3) == 1 ? 0 : 7);
  wf_gpu_destroy(b.gpu);
}

/* A block turns its numbers round in shared memory: wrong without the barrier. */
static void barrier_and_shared(void **state) {
  (void)state;
  bench b = open_gpu(
      ENTRY("k", ".shared .align 4 .b8 s[1024];\n") "mov.u64 %rd3, s;\nmul.wide.u32 %rd4, %r4, "
                                                    "4;\nadd.u64 %rd5, %rd3, %rd4;\n"
                                                    "st.shared.u32 [%rd5], %r1;\nbar.sync "
                                                    "0;\nsub.u32 %r5, 255, %r4;\n"
                                                    "mul.wide.u32 %rd4, %r5, 4;\nadd.u64 %rd5, "
                                                    "%rd3, %rd4;\nld.shared.u32 %r6, [%rd5];\n"
                                                    "st.global.u32 [%rd2], %r6;\nret;\n}\n",
      2560);
  static uint32_t out[2560];
  run(&b, 10, 256, out, 2560);
  for (uint32_t t = 0; t < 2560; t++) assert_int_equal(out[t], t / 256 * 256 + 255 - t % 256);
  wf_gpu_destroy(b.gpu);
}

static void atomics_and_fence(void **state) {
  (void)state;
  bench b = open_gpu(ENTRY("k", "") "atom.global.add.u32 %r5, [%rd1], 1;\nmembar.gl;\n"
                                    "red.global.max.u32 [%rd1+4], %r5;\nret;\n}\n",
                     2);
  uint32_t out[2];
  assert_true(wf_gpu_fill(b.gpu, b.out, 0, 8, &b.err));
  run(&b, 30, 192, out, 2);
  assert_int_equal(out[0], 30 * 192);
  assert_int_equal(out[1], 30 * 192 - 1); /* the last one saw all others */
  assert_true(wf_gpu_l1_counters(b.gpu)->atomics > 0);
  wf_gpu_destroy(b.gpu);
}

static void local_memory(void **state) {
  (void)state;
  bench b = open_gpu(
      ENTRY("k", ".local .align 4 .b8 l[64];\n") "mov.u64 %rd3, l;\nand.b32 %r5, %r1, "
                                                 "15;\nmul.wide.u32 %rd4, %r5, 4;\n"
                                                 "add.u64 %rd5, %rd3, %rd4;\nst.local.u32 [%rd5], "
                                                 "%r1;\nld.local.u32 %r6, [%rd5];\n"
                                                 "add.u32 %r6, %r6, 1;\nst.global.u32 [%rd2], "
                                                 "%r6;\nret;\n}\n",
      640);
  uint32_t out[640];
  run(&b, 5, 128, out, 640);
  for (uint32_t t = 0; t < 640; t++) assert_int_equal(out[t], t + 1);
  wf_gpu_destroy(b.gpu);
}

#define PLAIN ENTRY("k", "") "st.global.u32 [%rd2], %r1;\nret;\n}\n"

static void expect_refused(bench *b, const wf_launch_args *args, int code, const char *says) {
  b->err = (wf_error){0};
  assert_false(wf_gpu_launch(b->gpu, args, &b->err));
  assert_int_equal(b->err.code, code);
  if (!strstr(b->err.text, says)) fail_msg("'%s' lacks '%s'", b->err.text, says);
}

/* A kernel that a later module has: no error is left of those before. */
static void kernels_of_any_module(void **state) {
  (void)state;
  static const char one[] = ".version 3.2\n.target sm_35\n.address_size 64\n"
                            ".visible .entry one(.param .u64 out)\n{\nret;\n}\n",
                    two[] = ".version 3.2\n.target sm_35\n.address_size 64\n"
                            ".visible .entry two(.param .u64 out)\n{\nret;\n}\n";
  bench b = open_gpu(one, 1);
  assert_true(wf_gpu_load_ptx(b.gpu, "more", two, strlen(two), &b.err));
  assert_non_null(wf_gpu_find_kernel(b.gpu, "one", &b.err));
  assert_non_null(wf_gpu_find_kernel(b.gpu, "two", &b.err));
  assert_int_equal(b.err.code, 0);
  assert_null(wf_gpu_find_kernel(b.gpu, "three", &b.err));
  assert_int_equal(b.err.code, WF_EXIT_BAD_INPUT);
  wf_gpu_destroy(b.gpu);
}

static void refused_launches(void **state) {
  (void)state;
  bench b = open_gpu(PLAIN, 64);
  wf_launch_args good = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .params = {&b.out}, .n_params = 1};
  wf_launch_args a = good;
  a.kernel = "nosuch";
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "nosuch");
  a = good;
  a.n_params = 0;
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "0 parameters given, it takes 1");
  a = good;
  a.params[0] = NULL;
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "parameter out is missing");
  a = good;
  a.grid[1] = 0;
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "at least 1");
  a = good;
  a.block[0] = 2048;
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "at most 1024");
  a = good;
  a.block[0] = 1024;
  a.block[1] = 2;
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "an SM has 48");
  a = good;
  a.shared_bytes = 49153;
  expect_refused(&b, &a, WF_EXIT_BAD_INPUT, "an SM has 49152");
  assert_true(wf_gpu_launch(b.gpu, &good, &b.err)); /* and it still works */
  wf_gpu_destroy(b.gpu);
}

static void faults_are_precise(void **state) {
  (void)state;
  bench b = open_gpu(PLAIN, 64);
  b.out = 64; /* below device memory */
  assert_false(launch(&b, "k", 1, 32));
  assert_int_equal(b.err.code, WF_EXIT_WRONG);
  assert_non_null(strstr(b.err.text, "0x40"));
  wf_gpu_destroy(b.gpu);
  b = open_gpu(ENTRY("k", "") "LOOP:\nbra.uni LOOP;\n}\n", 4);
  wf_gpu_limit_cycles(b.gpu, 50000);
  assert_false(launch(&b, "k", 1, 32));
  assert_int_equal(b.err.code, WF_EXIT_HANG);
  assert_non_null(strstr(b.err.text, "SM 0 warp 0"));
  wf_gpu_destroy(b.gpu);
}

/* The host's time stands before each kernel, and in no kernel's own. */
static void host_launches(void **state) {
  (void)state;
  enum { HOST = 3500, LAUNCHES = 3 };
  uint64_t end[2];
  for (unsigned slow = 0; slow < 2; slow++) {
    bench b = open_gpu_with(slow * HOST, PLAIN, 64);
    uint64_t at = 0;
    size_t n;
    for (int i = 0; i < LAUNCHES; i++) assert_true(launch(&b, "k", 1, 32));
    const wf_kernel_record *k = wf_gpu_kernels(b.gpu, &n);
    assert_int_equal(n, LAUNCHES);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(k[i].start_cycle, at + slow * HOST);
      at = k[i].start_cycle + k[i].cycles;
    }
    assert_int_equal(wf_gpu_cycles(b.gpu), at);
    end[slow] = at;
    wf_gpu_destroy(b.gpu);
  }
  assert_in_range(end[1], end[0] + LAUNCHES * HOST - 50, end[0] + LAUNCHES * HOST + 50);
}

static void bad_configurations(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } bad[] = {{"[l1]\nbytes = twelve\n", ":2: l1.bytes=twelve"},
             {"[l1]\nbites = 12\n", "unknown configuration key 'l1.bites'"},
             {"[core]\nscheduler = random\n", "expected lrr or gto"},
             {"[core]\nsms = 15\n", "key core.warps is missing"},
             {"no section\n", "expected [section] or key = value"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char path[] = "/tmp/wf_config_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bad[i].text, strlen(bad[i].text)), (ssize_t)strlen(bad[i].text));
    close(fd);
    wf_gpu_config config;
    wf_error err = {0};
    assert_false(wf_gpu_config_load(&config, path, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(err.text, bad[i].says)) fail_msg("'%s' lacks '%s'", err.text, bad[i].says);
    unlink(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(divergence),
      cmocka_unit_test(predicated_exit),
      cmocka_unit_test(barrier_and_shared),
      cmocka_unit_test(atomics_and_fence),
      cmocka_unit_test(local_memory),
      cmocka_unit_test(refused_launches),
      cmocka_unit_test(kernels_of_any_module),
      cmocka_unit_test(faults_are_precise),
      cmocka_unit_test(bad_configurations),
      cmocka_unit_test(host_launches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
