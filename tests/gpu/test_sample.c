/* Sampling: launches that are executed without timing leave the memory that timed ones leave; which
 * launches are timed; what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"
/* Global thread in %r1, out + 4 * it in %rd2, out in %rd1. */
#define ENTRY(NAME, MORE)                                                                          \
  ".visible .entry " NAME                                                                          \
  "(.param .u64 out)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n" MORE           \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\nmad.lo.u32 %r1, %r2, %r3, "  \
  "%r4;\n"                                                                                         \
  "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\n"

/* Adds to its word what a loop with trip counts and branches of its own gives; lanes 1 of 4 leave
 * before. */
#define DIVERGE                                                                                    \
  ENTRY("diverge", "")                                                                             \
  "and.b32 %r5, %r1, 3;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 ret;\nand.b32 %r5, %r1, 7;\nmov.u32 %r6, " \
  "1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra DONE;\n"                                                 \
  "LOOP:\nadd.u32 %r6, %r6, %r5;\nand.b32 %r7, %r5, 1;\nsetp.eq.u32 %p2, %r7, 0;\n@%p2 bra "       \
  "EVEN;\nadd.u32 %r6, %r6, 100;\nbra.uni NEXT;\n"                                                 \
  "EVEN:\nadd.u32 %r6, %r6, 10;\nNEXT:\nsub.u32 %r5, %r5, 1;\nsetp.ne.u32 %p3, %r5, 0;\n@%p3 bra " \
  "LOOP;\nDONE:\n"                                                                                 \
  "ld.global.u32 %r8, [%rd2];\nadd.u32 %r8, %r8, %r6;\nst.global.u32 [%rd2], %r8;\nret;\n}\n"
/* Through shared and local memory with barriers: the word of the block's thread on the other side,
 * and an atomic sum in word 0 of `out`. */
#define SHARED                                                                                     \
  ENTRY("shared", ".shared .align 4 .b8 s[4096];\n.local .align 4 .b8 l[8];\n.reg .b64 %rl<4>;\n") \
  "mov.u64 %rd3, s;\nmul.wide.u32 %rd4, %r4, 4;\nadd.u64 %rd4, %rd3, %rd4;\nst.shared.u32 "        \
  "[%rd4], %r1;\nmov.u64 %rl1, l;\n"                                                               \
  "st.local.u32 [%rl1], %r4;\nbar.sync 0;\nsub.u32 %r5, %r3, 1;\nld.local.u32 %r6, "               \
  "[%rl1];\nsub.u32 %r5, %r5, %r6;\n"                                                              \
  "mul.wide.u32 %rd5, %r5, 4;\nadd.u64 %rd5, %rd3, %rd5;\nld.shared.u32 %r7, [%rd5];\nbar.sync "   \
  "0;\nst.shared.u32 [%rd4], 0;\n"                                                                 \
  "red.global.add.u32 [%rd1], %r7;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ret;\nst.global.u32 [%rd2], "   \
  "%r7;\nret;\n}\n"
/* Waits for what another warp writes: the first warp waits for those behind it. */
#define SPIN                                                                                       \
  ENTRY("spin", "")                                                                                \
  "setp.gt.u32 %p1, %r1, 31;\n@%p1 bra WRITE;\nWAIT:\nld.volatile.global.u32 %r5, "                \
  "[%rd1];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra WAIT;\nret;\n"                                      \
  "WRITE:\nst.global.u32 [%rd1], 1;\nret;\n}\n"
/* Writes past memory. */
#define FAULT ENTRY("fault", "") "mov.u64 %rd3, 16;\nst.global.u32 [%rd3], %r1;\nret;\n}\n"

enum { WORDS = 700 };

typedef struct bench {
  wf_gpu *gpu;
  uint64_t out;
  wf_error err;
} bench;

static bench open_with(const char *const *set) {
  static const char text[] = HEAD DIVERGE SHARED SPIN FAULT;
  bench b = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &b.err));
  for (; set && *set; set++) assert_true(wf_options_add(&options, *set, &b.err));
  b.gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &b.err);
  wf_options_free(&options);
  if (!b.gpu) return b;
  if (!wf_gpu_load_ptx(b.gpu, "test", text, sizeof text - 1, &b.err)) fail_msg("%s", b.err.text);
  b.out = wf_gpu_alloc(b.gpu, WORDS * 4, "out", &b.err);
  assert_int_not_equal(b.out, 0);
  assert_true(wf_gpu_fill(b.gpu, b.out, 0, WORDS * 4, &b.err));
  return b;
}

static bool launch(bench *b, const char *kernel, uint32_t grid, uint32_t block) {
  wf_launch_args args = {.kernel = kernel,
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .params = {&b->out},
                         .n_params = 1};
  return wf_gpu_launch(b->gpu, &args, &b->err);
}

/* The same launches on a GPU that times all of them and on one with the settings: equal memory.
 * Leaves the latter open. */
static bench beside(const char *const *set) {
  uint32_t want[WORDS], got[WORDS];
  bench all = open_with(NULL), some = open_with(set);
  assert_non_null(some.gpu);
  for (int i = 0; i < 3; i++)
    for (bench *b = &all; b; b = b == &all ? &some : NULL)
      if (!launch(b, "diverge", 5, 140) || !launch(b, "shared", 7, 100))
        fail_msg("%s", b->err.text);
  assert_true(wf_gpu_read(all.gpu, want, all.out, sizeof want, &all.err) &&
              wf_gpu_read(some.gpu, got, some.out, sizeof got, &some.err));
  assert_memory_equal(got, want, sizeof want);
  assert_int_not_equal(want[0], 0);
  assert_int_equal(want[WORDS - 1], 600); /* of the last block: thread 0's word */
  size_t n, m;
  const wf_kernel_record *a = wf_gpu_kernels(all.gpu, &n), *k = wf_gpu_kernels(some.gpu, &m);
  assert_int_equal(n, 6);
  assert_int_equal(m, 6);
  for (size_t i = 0; i < n;
       i++) { /* no kernel here has instructions that depend on the order of warps */
    assert_int_equal(k[i].warp_instructions, a[i].warp_instructions);
    assert_int_equal(k[i].thread_instructions, a[i].thread_instructions);
    assert_true(k[i].executed ? k[i].cycles == 0 : k[i].cycles > 0);
  }
  wf_gpu_destroy(all.gpu);
  return some;
}

/* Launches that were timed, as letters: t or -. */
static void timed_are(const char *const *set, const char *want) {
  bench b = beside(set);
  size_t n, timed = 0;
  char got[7] = "";
  const wf_kernel_record *k = wf_gpu_kernels(b.gpu, &n);
  const wf_sample_counters *s = wf_gpu_sampled(b.gpu);
  uint64_t instructions = 0;
  for (size_t i = 0; i < n; i++) {
    got[i] = k[i].executed ? '-' : 't';
    timed += !k[i].executed;
    instructions += k[i].executed ? 0 : k[i].warp_instructions;
  }
  assert_string_equal(got, want);
  assert_int_equal(s->timed, timed);
  assert_int_equal(s->executed, n - timed);
  assert_int_equal(wf_gpu_sm_counters(b.gpu)->warp_instructions, instructions);
  assert_true(timed ? wf_gpu_cycles(b.gpu) > 0 : wf_gpu_cycles(b.gpu) == 0);
  wf_gpu_destroy(b.gpu);
}
#define SET(...)                                                                                   \
  (const char *const[]) {                                                                          \
    __VA_ARGS__, NULL                                                                              \
  }

static void choice(void **state) {
  (void)state;
  timed_are(SET("sample.launches=none"), "------");
  timed_are(SET("sample.launches=2,4-5"), "-t-tt-");
  timed_are(SET("sample.kernel=shared"), "-t-t-t");
  timed_are(SET("sample.kernel=shared", "sample.launches=2"), "---t--");
  timed_are(SET("sample.launches=1-999"), "tttttt");
}

/* `diverge` has more of them. What is tried first and then timed must start from the memory before:
 * it adds. */
static void by_instructions(void **state) {
  (void)state;
  timed_are(SET("sample.min_instructions=1"), "tttttt");
  timed_are(SET("sample.min_instructions=1000"), "t-t-t-");
  timed_are(SET("sample.min_instructions=1000", "sample.launches=3-4"), "--t---");
  timed_are(SET("sample.min_instructions=100000000"), "------");
}

static void not_asked(void **state) {
  (void)state;
  bench b = open_with(NULL);
  assert_null(wf_gpu_sampled(b.gpu));
  wf_gpu_destroy(b.gpu);
}

static void refused(const char *set, const char *why) {
  bench b = open_with(SET(set));
  assert_null(b.gpu);
  assert_int_equal(b.err.code, WF_EXIT_BAD_INPUT);
  if (!strstr(b.err.text, why)) fail_msg("%s", b.err.text);
}

static void bad_settings(void **state) {
  (void)state;
  const char *const lists[] = {"sample.launches=",
                               "sample.launches=0",
                               "sample.launches=3,",
                               "sample.launches=5-4",
                               "sample.launches=2 3",
                               "sample.launches=-1",
                               "sample.launches=99999999999999999999"};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    refused(lists[i], "none or numbers from 1 on");
  refused("sample.min_instructions=-1", "sample.min_instructions");
  bench b = open_with(SET("sample.kernel=nobody"));
  assert_false(launch(&b, "diverge", 1, 32));
  assert_int_equal(b.err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(b.err.text, "nobody"));
  wf_gpu_destroy(b.gpu);
}

static void faults(void **state) {
  (void)state;
  bench b = open_with(SET("sample.launches=none"));
  assert_false(launch(&b, "fault", 1, 32));
  assert_int_equal(b.err.code, WF_EXIT_BAD_INPUT); /* as when it is timed */
  assert_non_null(strstr(b.err.text, "fault"));
  wf_gpu_destroy(b.gpu);
}

/* Timed, a warp may wait for another; one after the other it cannot. */
static void waiting_warps(void **state) {
  (void)state;
  bench b = open_with(NULL);
  if (!launch(&b, "spin", 1, 64)) fail_msg("%s", b.err.text);
  wf_gpu_destroy(b.gpu);
  b = open_with(SET("sample.launches=none"));
  assert_false(launch(&b, "spin", 1, 64));
  assert_int_equal(b.err.code, WF_EXIT_HANG);
  assert_non_null(strstr(b.err.text, "waits for another warp"));
  wf_gpu_destroy(b.gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(choice),    cmocka_unit_test(by_instructions),
                                     cmocka_unit_test(not_asked), cmocka_unit_test(bad_settings),
                                     cmocka_unit_test(faults),    cmocka_unit_test(waiting_warps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
