/* What the socket of the spare-register unit tells of PTX: classes and registers of instructions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/ptx/code.h"
#include "sim/units/spref/spref_decode.h"

/* As a compiler writes the loop over a vertex's neighbours; %rd5 to %rd7 do not live at once. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
    " .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<12>; .reg .b16 %rs<4>;\n"
    " ld.param.u64 %rd1, [a];\n"
    " ld.param.u64 %rd2, [b];\n"
    " ld.param.u32 %r1, [n];\n"
    " mov.u32 %r2, 0;\n"
    "L:\n"
    " ld.global.nc.u32 %r3, [%rd1+8];\n"         /* 4 */
    " mul.wide.u32 %rd5, %r3, 4;\n"              /* 5 */
    " add.s64 %rd6, %rd2, %rd5;\n"               /* 6 */
    " ld.global.nc.u8 %rs1, [%rd6];\n"           /* 7 */
    " setp.ne.s16 %p1, %rs1, 0;\n"               /* 8 */
    " cvt.s64.s32 %rd7, %r3;\n"                  /* 9 */
    " shl.b64 %rd7, %rd7, 3;\n"                  /* 10 */
    " @%p1 st.global.u32 [%rd7], %r3;\n"         /* 11 */
    " sub.s32 %r2, %r2, -1;\n"                   /* 12 */
    " add.s64 %rd1, %rd1, 4;\n"                  /* 13 */
    " mad.lo.s32 %r5, %r3, 8, %r2;\n"            /* 14 */
    " @!%p1 mov.u32 %r6, %r5;\n"                 /* 15 */
    " setp.gt.u32 %p2, 7, %r2;\n"                /* 16 */
    " @%p2 bra L;\n"                             /* 17 */
    " ld.global.nc.u64 %rd9, [%rd1];\n"          /* 18 */
    " ld.global.nc.v2.u32 {%r7, %r8}, [%rd1];\n" /* 19 */
    " add.s64 %rd9, %rd9, 40000;\n"              /* 20 */
    " st.global.v2.u32 [%rd9], {%r7, %r8};\n"
    " st.global.u32 [%rd9], %r6;\n"
    " ret;\n}\n";

typedef struct bench {
  ptx_module *m;
  const ptx_kernel *k;
  spref_code *c;
} bench;

static bench decode(void) {
  wf_error err = {0};
  bench b = {.m = ptx_parse_text("k.ptx", text, strlen(text), NULL, 0, &err)};
  if (!b.m) fail_msg("%s", err.text);
  b.k = ptx_kernel_at(b.m, 0);
  b.c = spref_decode(b.k);
  assert_true(b.c->fits && b.c->loads);
  return b;
}

static void end(bench *b) {
  spref_code_free(b->c);
  ptx_module_destroy(b->m);
}

static void classes(void **state) {
  (void)state;
  bench b = decode();
  static const uint8_t op[] = {0, 0, 0, 0, 5, 3, 1, 5, 0, 3, 3, 0, 1, 1, 4, 3, 6, 7, 5, 8, 0};
  for (unsigned pc = 0; pc < sizeof op; pc++) assert_int_equal(b.c->rows[pc].op, op[pc]);
  const spref_row *r = b.c->rows;
  assert_true(r[4].imm == 8 && !r[4].wide && r[4].dst_v && !r[4].guard);
  assert_true(r[5].sh == 2 && r[5].ext == 2 && r[5].a == r[4].dst);
  assert_true(r[6].bkind == 1 && r[6].b == r[5].dst);
  assert_true(r[7].a == r[6].dst && b.c->asks[7] && b.c->asks[4] && !b.c->asks[19]);
  assert_true(r[8].pd_v && !r[8].dst_v);
  assert_true(r[9].ext == 1 && r[9].sh == 0 && r[10].sh == 3 && r[10].ext == 0);
  assert_true(r[11].guard && !r[11].gneg && r[11].gpred == r[8].pd && !r[11].dst_v);
  assert_true(r[12].bkind == 2 && r[12].imm == 1 && r[12].dst == r[12].a);
  assert_true(r[13].imm == 4 && r[13].dst == r[13].a && r[13].a == r[4].a);
  assert_true(r[14].sh == 3 && r[14].bkind == 1 && r[14].b == r[12].dst);
  assert_true(r[15].guard && r[15].gneg);
  assert_true(r[16].swapped && r[16].cmp == PTX_LT && r[16].bkind == 2 && r[16].imm == 7 &&
              r[16].a == r[12].dst && r[16].pd_v);
  assert_true(r[17].guard && r[17].target == 4 && r[17].gpred == r[16].pd);
  assert_true(r[18].wide);
  assert_true(!r[19].dst_v && !r[20].bkind && r[20].dst_v); /* 40000 is no 16-bit number */
  end(&b);
}

/* Registers, and which of them are pairs; values share them. */
static void registers(void **state) {
  (void)state;
  bench b = decode();
  const ptx_inst *at = b.k->insts;
  const spref_row *r = b.c->rows;
  assert_int_equal(b.c->n_names, b.k->n_regs);
  assert_int_equal(at[5].dst[0], at[6].dst[0]); /* or the text shows nothing */
  for (ptx_pc pc = 0; pc < b.k->n_insts; pc++)
    if (r[pc].dst_v) assert_int_equal(r[pc].dst, at[pc].dst[0]);
  assert_true(!r[4].pair_dst && r[4].pair_a); /* a word, from an address */
  assert_true(r[5].pair_dst && !r[5].pair_a); /* mul.wide */
  assert_true(r[6].pair_dst && r[6].pair_a && r[6].pair_b);
  assert_true(!r[12].pair_dst && !r[12].pair_a && !r[16].pair_a);
  assert_true(r[18].pair_dst && r[18].wide);
  end(&b);
}

/* What need not be told: what writes nothing that has a name. A load waits, in a loop or not. */
static void instructions_left_out(void **state) {
  (void)state;
  bench b = decode();
  for (ptx_pc pc = 0; pc < b.k->n_insts; pc++) {
    assert_int_equal(b.c->idle[pc], pc == 11 || pc == 21 || pc == 22);
    assert_int_equal(b.c->asks[pc], pc == 4 || pc == 7 || pc == 18);
  }
  end(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(classes), cmocka_unit_test(registers),

                                     cmocka_unit_test(instructions_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
