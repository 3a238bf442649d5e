/* What the spare-register unit is told of machine code: who reads what, lane by lane; guards and
 * targets that masks show; forms and numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/units/spref/spref_sass.h"

typedef struct line {
  unsigned pc;
  uint32_t mask;
  const char *text;
} line;

/* A trace of one warp. */
static wf_trace *open_lines(const line *lines, unsigned n, unsigned binary, unsigned tracer) {
  char path[] = "/tmp/warpfab-sass-XXXXXX.traceg";
  const int fd = mkstemps(path, 7);
  assert_true(fd >= 0);
  FILE *f = fdopen(fd, "w");
  fprintf(f,
          "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = "
          "0\n-nregs = 32\n-binary version = %u\n"
          "-accelsim tracer version = %u\n#traces format = ...\n#BEGIN_TB\nthread block = "
          "0,0,0\nwarp = 0\ninsts = %u\n",
          binary, tracer, n);
  for (unsigned i = 0; i < n; i++)
    fprintf(f, "%04x %08x %s\n", lines[i].pc, lines[i].mask, lines[i].text);
  fprintf(f, "#END_TB\n");
  fclose(f);
  wf_error err = {0};
  const wf_trace_options options = {.flow = true};
  wf_trace *t = wf_trace_open(path, &options, &err);
  unlink(path);
  if (!t) fail_msg("%s", err.text);
  assert_non_null(wf_trace_program_at(t, 0)->flow);
  return t;
}
#define OPEN(lines, binary, tracer)                                                                \
  open_lines(lines, sizeof(lines) / sizeof(lines)[0], binary, tracer)

static uint32_t op_at(const wf_trace *t, uint64_t pc) {
  const wf_trace_program *p = wf_trace_program_at(t, 0);
  for (uint32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].pc == pc) return i;
  fail_msg("no instruction at pc %llx", (unsigned long long)pc);
  return 0;
}

/* The row of the instruction at pc. */
static const spref_row *row_at(const wf_trace *t, const spref_sass *s, uint64_t pc) {
  return &s->code->rows[wf_trace_program_at(t, 0)->ops[op_at(t, pc)].index];
}

static uint32_t root(const wf_trace *t, uint32_t value) {
  return wf_flow_root(wf_trace_program_at(t, 0)->flow, value);
}
static uint32_t writes(const wf_trace *t, uint64_t pc) {
  return root(t, wf_flow_writes(op_at(t, pc), 0, 0));
}
static uint32_t reads(const wf_trace *t, uint64_t pc, unsigned s) {
  return root(t, wf_flow_op_at(wf_trace_program_at(t, 0)->flow, op_at(t, pc))->reads[s]);
}

/* A register that is used twice has two values; a write that is read in the lanes of both makes
 * them one. */
static void values_are_told_apart_lane_by_lane(void **state) {
  (void)state;
  static const line lines[] = {{0x00, ~0u, "1 R2 MOV 0 0"},
                               {0x10, ~0u, "1 R3 IADD3 2 R2 R255 0"},
                               {0x20, 0xff, "1 R2 MOV 0 0"},           /* guarded */
                               {0x30, 0xff, "1 R4 IADD3 2 R2 R255 0"}, /* reads the second only */
                               {0x40, ~0u, "1 R5 S2R 0 0"},
                               {0x50, 0xff, "1 R5 S2R 0 0"},
                               {0x60, ~0u, "1 R6 IADD3 2 R5 R255 0"}, /* of both */
                               {0x70, ~0u, "1 R8 IMAD.WIDE 2 R6 R7 0"},
                               {0x80, ~0u, "1 R10 IADD3 2 R9 R255 0"}, /* the upper word */
                               {0x90, ~0u, "1 R11 IADD3 2 R8 R255 0"},
                               {0xa0, ~0u, "0 EXIT 0 0"}};
  wf_trace *t = OPEN(lines, 80, 3);
  assert_int_equal(reads(t, 0x10, 0), writes(t, 0x00));
  assert_int_equal(reads(t, 0x30, 0), writes(t, 0x20));
  assert_int_not_equal(writes(t, 0x00), writes(t, 0x20));
  assert_int_equal(reads(t, 0x60, 0), writes(t, 0x40));
  assert_int_equal(reads(t, 0x60, 0), writes(t, 0x50));
  assert_int_equal(reads(t, 0x90, 0), writes(t, 0x70));
  assert_int_equal(reads(t, 0x80, 0), root(t, wf_flow_writes(op_at(t, 0x70), 0, 1)));
  assert_int_not_equal(reads(t, 0x80, 0), reads(t, 0x90, 0));
  const wf_flow *f = wf_trace_program_at(t, 0)->flow;
  for (unsigned pc = 0; pc <= 0xa0; pc += 0x10)
    assert_int_equal(wf_flow_op_at(f, op_at(t, pc))->guarded,
                     pc == 0x20 || pc == 0x30 || pc == 0x50);
  wf_trace_close(t);
}

/* Lanes part: the others come first, then those that jumped. */
static void branches_have_the_targets_of_their_lanes(void **state) {
  (void)state;
  static const line lines[] = {{0x00, ~0u, "0 ISETP.LT.AND 1 R1 0"},
                               {0x10, 0xff, "0 BRA 0 0"},
                               {0x20, ~0xffu, "1 R2 MOV 0 0"},
                               {0x30, ~0xffu, "0 BSYNC 0 0"},
                               {0x50, 0xff, "1 R3 MOV 0 0"},
                               {0x60, ~0u, "1 R4 MOV 0 0"},
                               {0x70, 0, "0 BRA 0 0"},
                               {0x80, ~0u, "0 BRA 0 0"},
                               {0xc0, ~0u, "0 EXIT 0 0"}};
  wf_trace *t = OPEN(lines, 80, 3);
  const wf_flow *f = wf_trace_program_at(t, 0)->flow;
  assert_int_equal(wf_flow_op_at(f, op_at(t, 0x10))->target, WF_FLOW_NONE);
  assert_true(wf_flow_op_at(f, op_at(t, 0x10))->guarded);
  assert_true(wf_flow_op_at(f, op_at(t, 0x70))->guarded);
  assert_int_equal(wf_flow_op_at(f, op_at(t, 0x70))->target, WF_FLOW_NONE);
  assert_false(wf_flow_op_at(f, op_at(t, 0x80))->guarded);
  assert_int_equal(wf_flow_op_at(f, op_at(t, 0x80))->target, op_at(t, 0xc0));
  wf_trace_close(t);
}

static void strides_are_those_of_most_lanes(void **state) {
  (void)state;
  static const line lines[] = {{0x00, ~0u, "1 R2 LDG.E 1 R4 4 1 0x1000 256"},
                               {0x10, ~0u, "0 BRA 0 0"},
                               {0x00, ~0u, "1 R2 LDG.E 1 R4 4 1 0x100c 256"},
                               {0x10, ~0u, "0 BRA 0 0"},
                               {0x00, 0xff, "1 R2 LDG.E 1 R4 4 1 0x1018 256"},
                               {0x10, 0, "0 BRA 0 0"},
                               {0x20, ~0u, "0 EXIT 0 0"}};
  wf_trace *t = OPEN(lines, 80, 3);
  const wf_flow_op *o = wf_flow_op_at(wf_trace_program_at(t, 0)->flow, op_at(t, 0));
  assert_int_equal(o->stride, 12);
  assert_int_equal(o->moves, 40);
  assert_int_equal(o->same, 40);
  wf_trace_close(t);
}

/* Two passes over a loop of the given instructions; `last` branches back. */
typedef struct form {
  const char *text;
  unsigned op, bkind, sh, ext;
  int imm; /* of bkind 2 */
} form;

static void each_form(const form *f, unsigned binary, unsigned tracer) {
  char first[96], line_5[96];
  const char *tail = tracer >= 5 ? " 0" : "";
  snprintf(first, sizeof first, "%s", f->text);
  snprintf(line_5, sizeof line_5, "0 BRA 0 0%s", tail);
  char set[32], end[32];
  snprintf(set, sizeof set, "1 R9 S2R 0 0%s", tail);
  snprintf(end, sizeof end, "0 EXIT 0 0%s", tail);
  const line lines[] = {{0x00, ~0u, set},   {0x10, ~0u, first}, {0x20, ~0u, line_5},
                        {0x10, ~0u, first}, {0x20, 0, line_5},  {0x30, ~0u, end}};
  wf_trace *t = OPEN(lines, binary, tracer);
  spref_sass *s = spref_sass_decode(wf_trace_program_at(t, 0), false);
  const spref_row *r = row_at(t, s, 0x10);
  if (r->op != f->op || r->bkind != f->bkind || r->sh != f->sh || r->ext != f->ext ||
      (f->bkind == 2 && r->imm != f->imm))
    fail_msg("%s (%u): op %u, b %u, shift %u, ext %u, number %d", f->text, binary, r->op, r->bkind,
             r->sh, r->ext, r->imm);
  assert_true(row_at(t, s, 0x20)->op == SPREF_OP_BRANCH && row_at(t, s, 0x20)->guard);
  assert_int_equal(row_at(t, s, 0x20)->target, 1);
  spref_sass_free(s);
  wf_trace_close(t);
}

static void forms_of_opcodes(void **state) {
  (void)state;
  static const form v3[] =
      {
          {"1 R4 IADD3 2 R4 R255 0", SPREF_OP_ADD, 2, 0, 0, 1},
          {"1 R4 IADD3 2 R9 R255 0", SPREF_OP_ADD, 1, 0, 0, 0},
          {"1 R4 IADD3 3 R9 R8 R255 0", SPREF_OP_ADD, 1, 0, 0, 0},
          {"1 R4 IADD3 3 R9 R255 R255 0", SPREF_OP_SCALE, 0, 0, 0, 0},
          {"1 R4 IADD3 2 R9 R8 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 IADD3.X 2 R9 R255 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 IMAD.MOV.U32 3 R255 R255 R9 0", SPREF_OP_SCALE, 0, 0, 0, 0},
          {"1 R4 IMAD.IADD 2 R9 R8 0", SPREF_OP_ADD, 1, 0, 0, 0},
          {"1 R4 IMAD.WIDE 2 R9 R10 0", SPREF_OP_MAD, 1, 2, 1, 0},
          {"1 R4 IMAD.WIDE.U32 1 R9 0", SPREF_OP_MAD, 1, 2, 2, 0},
          {"1 R4 IMAD.WIDE 3 R9 R10 R255 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 IMAD 3 R9 R10 R11 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 IMAD.HI.U32 2 R9 R255 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 LEA 2 R9 R8 0", SPREF_OP_MAD, 1, 2, 0, 0},
          {"1 R4 LEA.HI.X.SX32 2 R9 R8 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 SHF.L.U32 2 R9 R255 0", SPREF_OP_SCALE, 0, 2, 0, 0},
          {"1 R4 SHF.L.U32 3 R9 R8 R255 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 SHF.R.S32.HI 2 R255 R9 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 MOV 1 R9 0", SPREF_OP_SCALE, 0, 0, 0, 0},
          {"0 ISETP.GE.AND 2 R9 R8 0", SPREF_OP_SETP, 1, 0, 0, 0},
          {"0 ISETP.GE.AND 1 R9 0", SPREF_OP_SETP, 1, 0, 0, 0},
          {"0 ISETP.GE.OR 2 R9 R8 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"0 ISETP.GE.AND.EX 2 R9 R8 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 LDG.E.CONSTANT 1 R8 4 1 0x1000 4", SPREF_OP_LOAD, 0, 0, 0, 0},
          {"1 R4 LDG.E.128.CONSTANT 1 R8 16 1 0x1000 16", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 LDG.E 1 R8 4 1 0x1000 4", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 LDS 1 R8 4 1 0x1000 4", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 LOP3.LUT 2 R9 R8 0", SPREF_OP_OTHER, 0, 0, 0, 0},
          {"1 R4 FROBNICATE 1 R9 0", SPREF_OP_OTHER, 0, 0, 0, 0},
      },
                    v5[] =
                        {
                            {"1 R4 IADD3 2 R4 R255 0 -8", SPREF_OP_ADD, 2, 0, 0, -8},
                            {"1 R4 IADD3 2 R4 R255 0 4294967292", SPREF_OP_ADD, 2, 0, 0, -4},
                            {"1 R4 VIADD 1 R9 0 12", SPREF_OP_ADD, 2, 0, 0, 12},
                            {"1 R4 LEA 2 R9 R8 0 3", SPREF_OP_MAD, 1, 3, 0, 0},
                            {"1 R4 IMAD.WIDE 2 R9 R8 0 0x10", SPREF_OP_MAD, 1, 4, 1, 0},
                            {"1 R4 IMAD.WIDE 2 R9 R8 0 12", SPREF_OP_OTHER, 0, 0, 0, 0},
                            {"1 R4 IMAD.SHL.U32 2 R9 R255 0 32", SPREF_OP_SCALE, 0, 5, 0, 0},
                        },
                    old[] = {
                        {"1 R4 IADD 1 R4 0", SPREF_OP_ADD, 2, 0, 0, 1},
                        {"1 R4 IADD 2 R9 R8 0", SPREF_OP_ADD, 1, 0, 0, 0},
                        {"1 R4 ISCADD 2 R9 R8 0", SPREF_OP_MAD, 1, 2, 0, 0},
                        {"1 R4 SHL 1 R9 0", SPREF_OP_SCALE, 0, 2, 0, 0},
                        {"1 R4 LDG.E.CI 1 R8 4 1 0x1000 4", SPREF_OP_LOAD, 0, 0, 0, 0},
                        {"1 R4 XMAD 2 R9 R8 0", SPREF_OP_OTHER, 0, 0, 0, 0},
                    };
  for (size_t i = 0; i < sizeof v3 / sizeof v3[0]; i++) each_form(&v3[i], 80, 3);
  for (size_t i = 0; i < sizeof v5 / sizeof v5[0]; i++) each_form(&v5[i], 90, 5);
  for (size_t i = 0; i < sizeof old / sizeof old[0]; i++) each_form(&old[i], 52, 3);
  each_form(&(form){"1 R4 LDG.E 1 R8 4 1 0x1000 4", SPREF_OP_LOAD, 0, 0, 0, 0}, 35,
            3); /* Kepler: LDG is the read-only path, LD the other */
}

/* The sense of the guard is that in which the loop goes on while the register has not arrived. */
static void tests_are_those_of_stepping_registers(void **state) {
  (void)state;
  static const struct {
    const char *setp, *step;
    bool chosen, gneg;
  } c[] = {{"0 ISETP.LT.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 4", true, false},
           {"0 ISETP.GE.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 4", true, true},
           {"0 ISETP.GT.AND 2 R5 R4 0 0", "1 R4 IADD3 2 R4 R255 0 4", true, false},
           {"0 ISETP.GE.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 -4", true, false},
           {"0 ISETP.LT.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 -4", true, true},
           {"0 ISETP.NE.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 4", true, false},
           {"0 ISETP.EQ.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 -4", true, true},
           {"0 ISETP.LT.AND 2 R6 R5 0 0", "1 R4 IADD3 2 R4 R255 0 4", false, false},
           {"0 FSETP.LT.AND 2 R4 R5 0 0", "1 R4 IADD3 2 R4 R255 0 4", false, false}};
  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
    const line lines[] = {{0x00, ~0u, "1 R4 S2R 0 0 0"}, {0x10, ~0u, c[i].step},
                          {0x20, ~0u, c[i].setp},        {0x30, ~0u, "0 BRA 0 0 0"},
                          {0x10, ~0u, c[i].step},        {0x20, ~0u, c[i].setp},
                          {0x30, 0, "0 BRA 0 0 0"},      {0x40, ~0u, "0 EXIT 0 0 0"}};
    wf_trace *t = OPEN(lines, 80, 5);
    spref_sass *s = spref_sass_decode(wf_trace_program_at(t, 0), false);
    const spref_row *setp = row_at(t, s, 0x20), *branch = row_at(t, s, 0x30);
    const bool chosen = setp->op == SPREF_OP_SETP && setp->pd == branch->gpred;
    if (chosen != c[i].chosen || (chosen && branch->gneg != c[i].gneg))
      fail_msg("%s: chosen %d, gneg %d", c[i].setp, chosen, branch->gneg);
    spref_sass_free(s);
    wf_trace_close(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_told_apart_lane_by_lane),
      cmocka_unit_test(branches_have_the_targets_of_their_lanes),
      cmocka_unit_test(strides_are_those_of_most_lanes),
      cmocka_unit_test(forms_of_opcodes),
      cmocka_unit_test(tests_are_those_of_stepping_registers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
