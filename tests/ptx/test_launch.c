/* Launches: calls of the device runtime by name, kernels named as text, operands per lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/ptx/ptx.h"

static const char good[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".extern .func (.param .b64 r) cudaGetParameterBuffer (.param .b64 a, .param .b64 b);\n"
    ".entry parent(.param .u64 p) {\n"
    ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r1, 1; add.u32 %r2, %r0, 3; mov.u64 %rd1, 8; mov.u64 %rd2, 24;\n"
    "setp.lt.u32 %p, %r0, 5;\n"
    "@%p bra GO;\nret;\nGO:\n"
    "{ // callseq\n.reg .b32 temp_param_reg;\n.param .b64 param0;\nst.param.b64 [param0+0], %rd1;\n"
    ".param .b64 param1;\nst.param.b64 [param1+0], %rd2;\n.param .b64 retval0;\n"
    "call.uni (retval0),\ncudaGetParameterBuffer,\n(\nparam0,\nparam1\n);\nld.param.b64 %rd3, "
    "[retval0+0];\n}\n"
    "cuda.stream.create %rd4;\n"
    "cuda.launch.device %r3, child, %rd3, {%r2, %r1, 2}, {64, %r1, %r1}, 16;\n"
    "cuda.launch.group %r4, child, %rd3, {%r2, %r1, %r1}, {32, 1, 1}, %r0;\n"
    "ret; }\n"
    ".entry child(.param .u64 a, .param .u32 n) { ret; }\n";

static ptx_module *parse(const char *text) {
  wf_error err = {0};
  ptx_module *m = ptx_parse_text("t", text, strlen(text), NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  return m;
}

/* Runs the kernel's instructions straight through; answers launches with 0x100000000 * op + lane.
 */
static void run(const ptx_kernel *k, uint32_t (*reg)[PTX_LANES], ptx_effect seen[4], unsigned *n) {
  static uint8_t params[64], memory[64];
  uint32_t pred[64] = {0};
  ptx_launch launch = {.kernel = k,
                       .params = params,
                       .ntid = {32, 1, 1},
                       .nctaid = {1, 1, 1},
                       .global = memory,
                       .global_base = 0x1000,
                       .global_bytes = sizeof memory};
  ptx_warp w = {.launch = &launch, .reg = reg, .pred = pred, .valid = UINT32_MAX};
  uint32_t mask = UINT32_MAX;
  wf_error err = {0};
  for (ptx_pc pc = 0; pc < k->n_insts;) {
    const ptx_inst *i = &k->insts[pc];
    ptx_effect *e = &seen[*n];
    if (!ptx_execute(i, &w, mask, e, &err)) fail_msg("%s", err.text);
    pc = e->taken ? i->target : pc + 1;
    if (e->taken) mask = e->taken;
    if (i->cls != PTX_CLASS_LAUNCH) continue;
    uint64_t value[PTX_LANES];
    for (unsigned l = 0; l < PTX_LANES; l++) value[l] = ((uint64_t)i->custom_id + 1) << 32 | l;
    ptx_write_result(i, &w, e->active, value);
    if (i->custom_id == PTX_LAUNCH_DEVICE || i->custom_id == PTX_LAUNCH_GROUP)
      assert_string_equal(ptx_inst_callee(i)->name, "child");
    else
      assert_null(ptx_inst_callee(i));
    (*n)++;
  }
}

static void operands_reach_the_caller(void **state) {
  (void)state;
  ptx_module *m = parse(good);
  const ptx_kernel *k = ptx_kernel_at(m, 0);
  assert_true(k->launches);
  assert_false(ptx_kernel_at(m, 1)->launches);
  uint32_t(*reg)[PTX_LANES] = aligned_alloc(64, k->n_regs * sizeof *reg);
  memset(reg, 0, k->n_regs * sizeof *reg);
  static ptx_effect seen[5];
  unsigned n = 0;
  run(k, reg, seen, &n);
  free(reg);
  assert_int_equal(n, 4);
  for (unsigned l = 0; l < 5; l++) {
    assert_int_equal(seen[0].operand[0][l], 8);
    assert_int_equal(seen[0].operand[1][l], 24);
    const uint64_t device[8] = {((uint64_t)1 << 32) + l, l + 3, 1, 2, 64, 1, 1, 16},
                   group[8] = {((uint64_t)1 << 32) + l, l + 3, 1, 1, 32, 1, 1, l};
    for (unsigned o = 0; o < 8; o++) {
      assert_int_equal(seen[2].operand[o][l], device[o]); /* the buffer is what the call returned */
      assert_int_equal(seen[3].operand[o][l], group[o]);
    }
  }
  for (unsigned i = 0; i < 4; i++) assert_int_equal(seen[i].active, 0x1f);
  ptx_module_destroy(m);
}

static void wrong_ones_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *body, *says;
  } bad[] = {
      {"cuda.launch.device %r0, nobody, %rd0, {1,1,1}, {1,1,1}, 0;",
       "unknown kernel: t: no kernel 'nobody'; there are: k"},
      {"cuda.launch.device %r0, k, %rd0, {1,1}, {1,1,1}, 0;", "the grid as {x, y, z}"},
      {"cuda.launch.device %r0, k, %rd0, {1,1,1}, 32, 0;", "the block as {x, y, z}"},
      {"cuda.launch.device %r0, k, %r0, {1,1,1}, {1,1,1}, 0;", ".b64 is needed"},
      {"cuda.launch.device %r0, %rd0, %rd0, {1,1,1}, {1,1,1}, 0;", "the name of a kernel"},
      {"cuda.launch.group %r0, k, %rd0;", "needs 6 operands"},
      {"cuda.launch.grid %r0, k, %rd0;", "there are cuda.stream.create"},
      {"cuda.stream.create %r0;", ".b64 is needed"},
      {"{ .param .b64 a; .param .b64 q; call (q), cudaDeviceSynchronize, (a, a); }",
       "not declared"},
      {"{ .param .b64 a; call (a), cudaGetParameterBuffer, (a); }", "(alignment, bytes)"},
      {"{ .param .b64 a; st.param.b64 [a+4], %rd0; }", "as a whole"},
      {"{ .param .b64 a; st.param.b32 [a], %r0; }", ".b64 is needed"},
      {"{ .param .pred a; }", "predicates cannot be passed"},
      {"{ .param .b64 a; .param .b64 a; }", "declared twice"},
      {"mov.u32 (%r0), %r0;", "parentheses are for calls"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[512];
    snprintf(text, sizeof text,
             ".version 3.2\n.target sm_35\n.address_size 64\n"
             ".entry k(.param .u64 p) {\n.reg .b32 %%r<9>; .reg .b64 %%rd<9>;\n%s\nret; }\n",
             bad[i].body);
    wf_error err = {0};
    assert_null(ptx_parse_text("t", text, strlen(text), NULL, 0, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    if (!strstr(err.text, bad[i].says) || strncmp(err.text, "t:6", 3))
      fail_msg("%s: %s", bad[i].body, err.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(operands_reach_the_caller),
                                     cmocka_unit_test(wrong_ones_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
