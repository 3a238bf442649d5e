/* The locality probe: each row of the paper's table 2, equation 1, reuse distances, counts per line
 * in the L1 without bound and in the real one, and that asking changes no cycle. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"

static void ask(wf_locality *l, unsigned sm, uint64_t warp, ptx_pc pc, uint32_t line) {
  wf_locality_access(l, sm, warp, pc, &line, 1, sizeof line);
}

static void types(void **state) {
  (void)state;
  static const ptx_inst insts[4];
  const ptx_kernel k = {.name = "k", .insts = insts, .n_insts = 4};
  wf_locality *l = wf_locality_create(2);
  wf_locality_begin(l, &k);
  ask(l, 0, 1, 0, 100);                                             /* streaming */
  ask(l, 0, 1, 1, 200), ask(l, 0, 2, 0, 200);                       /* inter, brought by load 1 */
  for (int i = 0; i < 3; i++) ask(l, 0, 1, 1, 300);                 /* intra */
  ask(l, 0, 1, 1, 400), ask(l, 0, 1, 1, 400), ask(l, 0, 2, 1, 400); /* both */
  ask(l, 0, 3, 1, 301), ask(l, 0, 3, 2, 301); /* intra, by another load of the warp */
  ask(l, 1, 1, 0, 300);                       /* another SM: its own line */
  wf_locality_begin(l, &k);                   /* another launch: all lines are new */
  ask(l, 0, 1, 0, 200);
  wf_locality_begin(l, NULL);
  wf_locality_totals t = wf_locality_get(l);
  assert_int_equal(t.lines[WF_LOCALITY_STREAMING], 3);
  assert_int_equal(t.lines[WF_LOCALITY_INTER], 1);
  assert_int_equal(t.lines[WF_LOCALITY_INTRA], 2);
  assert_int_equal(t.lines[WF_LOCALITY_BOTH], 1);
  const wf_locality_load *a = wf_locality_load_at(l, 0), *b = wf_locality_load_at(l, 1);
  assert_int_equal(a->accesses, 4);
  assert_int_equal(a->lines[WF_LOCALITY_STREAMING], 3);
  assert_int_equal(b->pc, 1);
  assert_int_equal(b->lines[WF_LOCALITY_INTRA], 2);
  assert_int_equal(wf_locality_load_at(l, 2)->accesses, 1); /* load 2 asked, and brought nothing */
  assert_null(wf_locality_load_at(l, 3));
  assert_true(t.aps > 5.0 / 7 - 1e-9 && t.aps < 5.0 / 7 + 1e-9); /* 3 of 3 and 2 of 4 lines */
  assert_int_equal(t.counts_infinite[0], 3);
  assert_int_equal(t.counts_infinite[1], 2);
  assert_int_equal(t.counts_infinite[2], 2);
  assert_int_equal(t.distances[WF_LOCALITY_INTRA][0], 3); /* each the SM's next access */
  assert_int_equal(t.distances[WF_LOCALITY_INTER][0], 1);
  wf_locality_destroy(l);
}

static void distances_and_bins(void **state) {
  (void)state;
  static const ptx_inst insts[1];
  const ptx_kernel k = {.name = "k", .insts = insts, .n_insts = 1};
  wf_locality *l = wf_locality_create(1);
  wf_locality_begin(l, &k);
  ask(l, 0, 1, 0, 7);
  for (uint32_t i = 0; i < 5000; i++) ask(l, 0, 1, 0, 1000 + i); /* the table grows */
  ask(l, 0, 1, 0, 7);                                            /* 5001 later */
  wf_locality_begin(l, NULL);
  wf_locality_totals t = wf_locality_get(l);
  assert_int_equal(t.distances[WF_LOCALITY_INTRA][12], 1); /* 4096 .. 8191 */
  assert_int_equal(t.lines[WF_LOCALITY_STREAMING], 5000);
  for (unsigned bin = 0; bin < WF_LOCALITY_COUNTS; bin++) {
    assert_int_equal(wf_locality_count_bin(wf_locality_count_low(bin)), bin);
    if (bin) assert_int_equal(wf_locality_count_bin(wf_locality_count_low(bin) - 1), bin - 1);
  }
  assert_int_equal(wf_locality_count_bin(1u << 30), WF_LOCALITY_COUNTS - 1);
  wf_locality_destroy(l);
}

/* Every warp of one SM walks 64 lines of its own twice: intra in an L1 without bound, yet each line
 * is lost before it is needed again. */
static const char walk[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg "
    ".pred %p<3>;\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nshr.u32 "
    "%r2, %r1, 5;\n"
    "mul.lo.u32 %r3, %r2, 8192;\ncvt.u64.u32 %rd2, %r3;\nadd.u64 %rd1, %rd1, %rd2;\nmov.u32 %r4, "
    "128;\n"
    "LOOP:\nsub.u32 %r4, %r4, 1;\nand.b32 %r5, %r4, 63;\nmul.wide.u32 %rd3, %r5, 128;\nadd.u64 "
    "%rd4, %rd1, %rd3;\n"
    "ld.global.u32 %r6, [%rd4];\nadd.u32 %r7, %r7, %r6;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra LOOP;\n"
    "st.global.u32 [%rd1], %r7;\nret;\n}\n";

static uint64_t run_walk(const char *probe, wf_locality_totals *totals) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &err));
  config.n_sm = 1;
  wf_options_put(&options, "probe.locality", probe);
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  assert_non_null(gpu);
  wf_options_free(&options);
  if (!wf_gpu_load_ptx(gpu, "walk", walk, sizeof walk - 1, &err)) fail_msg("%s", err.text);
  uint64_t p = wf_gpu_alloc(gpu, 32 * 8192, "p", &err);
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {1024, 1, 1}, .params = {&p}, .n_params = 1};
  if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  uint64_t cycles = wf_gpu_cycles(gpu);
  if (totals) *totals = wf_locality_get(wf_gpu_locality(gpu));
  wf_gpu_destroy(gpu);
  return cycles;
}

static void locality_lost(void **state) {
  (void)state;
  wf_locality_totals t;
  assert_int_equal(run_walk("0", NULL), run_walk("1", &t));
  assert_int_equal(t.lines[WF_LOCALITY_INTRA], 32 * 64);
  assert_int_equal(t.counts_infinite[1], 32 * 64);
  uint64_t lives = 0, accesses = 0;
  for (unsigned bin = 0; bin < 16; bin++) {
    lives += t.counts_l1[bin];
    accesses += t.counts_l1[bin] * wf_locality_count_low(bin);
  }
  assert_int_equal(accesses, 32 * 128);
  assert_true(lives > 32 * 120);
  assert_true(t.aps == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(types),
      cmocka_unit_test(distances_and_bins),
      cmocka_unit_test(locality_lost),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
