/* Addresses of loads as forms: classes and causes of hand-written kernels, and the rows that they
 * become at launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/ptx/affine.h"

#define HEAD                                                                                       \
  ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 "   \
  "b, .param .u32 n, .param .u32 m)\n"                                                             \
  "{\n.reg .pred %p<9>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n.shared "       \
  ".align 4 .b8 tile[4096];\n"                                                                     \
  "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u32 %r1, [n];\nld.param.u32 %r2, "   \
  "[m];\n"                                                                                         \
  "mov.u32 %r3, %tid.x;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ntid.x;\nmov.u32 %r6, "             \
  "%tid.y;\nmov.u32 %r7, %ctaid.y;\n"                                                              \
  "mov.u32 %r8, %ntid.y;\nmad.lo.s32 %r9, %r4, %r5, %r3;\nmad.lo.s32 %r10, %r7, %r8, %r6;\n"
/* a[%r11], at line 20 + lines of what stands between */
#define LOAD_A                                                                                     \
  "mul.wide.s32 %rd3, %r11, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.global.f32 %r12, [%rd4];\n"
#define TAIL "st.global.u32 [%rd2], %r12;\nret;\n}\n"

typedef struct found {
  ptx_module *m;
  const ptx_kernel *k;
  ptx_affine *a;
  const ptx_affine_load *load;
  uint32_t n;
} found;

static found look(const char *text) {
  wf_error err = {0};
  found f = {.m = ptx_parse_text("affine", text, strlen(text), NULL, 0, &err)};
  if (!f.m) fail_msg("%s", err.text);
  f.k = ptx_kernel_at(f.m, 0);
  f.a = ptx_affine_analyse(f.k);
  f.load = ptx_affine_loads(f.a, &f.n);
  return f;
}

static void forget(found *f) {
  ptx_affine_destroy(f->a);
  ptx_module_destroy(f->m);
}

/* ---- one load: class, cause, form ---- */
typedef struct single {
  const char *code; /* between HEAD and TAIL */
  ptx_affine_class cls;
  ptx_affine_cause cause;
  const char *form; /* or NULL */
  bool possible;
} single;

static void check_single(const single *s) {
  char text[8192], form[400];
  snprintf(text, sizeof text, "%s%s%s", HEAD, s->code, TAIL);
  found f = look(text);
  assert_true(f.n >= 1);
  const uint32_t last = f.n - 1;
  ptx_affine_text(f.a, last, form, sizeof form);
  if (f.load[last].cls != s->cls || f.load[last].cause != s->cause ||
      (s->form && strcmp(form, s->form) != 0) || f.load[last].possible != s->possible)
    fail_msg("%s:\n%s, %s, possible %d, form %s", s->code, ptx_affine_class_name(f.load[last].cls),
             ptx_affine_cause_name(f.load[last].cause), f.load[last].possible, form);
  forget(&f);
}

#define QUASI PTX_AFFINE_QUASI, PTX_CAUSE_NONE
#define STATIC PTX_AFFINE_STATIC, PTX_CAUSE_NONE
#define NONE(cause) PTX_AFFINE_NONE, PTX_CAUSE_##cause
static const single singles[] = {
    {"mov.u32 %r11, %r9;\n" LOAD_A, QUASI, "a + 4 ntid.x*ctaid.x + 4 tid.x", true},
    {"mov.u32 %r11, 5;\n" LOAD_A, STATIC, "a + 20", true},
    {"mad.lo.s32 %r11, %r5, %r1, %r2;\n" LOAD_A, STATIC, NULL, true},
    /* subtraction, shift, negation, wide multiplication, offsets */
    {"sub.s32 %r11, %r9, %r1;\nshl.b32 %r11, %r11, 3;\n" LOAD_A, QUASI, NULL, true},
    {"neg.s32 %r11, %r3;\n" LOAD_A, QUASI, "a - 4 tid.x", true},
    {"mul.wide.u32 %rd3, %r3, 12;\nadd.s64 %rd4, %rd3, %rd1;\nld.global.nc.u16 %rs1, [%rd4+-6];\n",
     QUASI, "a + 12 tid.x - 6", true},
    /* how clang widens a shifted index, and puts together what does not overlap */
    {"cvt.u64.u32 %rd3, %r9;\nshl.b64 %rd3, %rd3, 32;\nshr.s64 %rd3, %rd3, 30;\nadd.s64 %rd4, "
     "%rd1, %rd3;\nld.global.u32 %r12, [%rd4];\n",
     QUASI, "a + 4 ntid.x*ctaid.x + 4 tid.x", true},
    {"shl.b32 %r11, %r4, 10;\nor.b32 %r11, %r11, %r3;\n" LOAD_A, QUASI,
     "a + 4096 ctaid.x + 4 tid.x", true},
    {"shl.b32 %r11, %r4, 9;\nor.b32 %r11, %r11, %r3;\n" LOAD_A, NONE(OPERATOR), NULL,
     false}, /* tid may reach 1023 */
    {"shl.b32 %r11, %r3, 4;\nand.b32 %r11, %r11, -8;\n" LOAD_A, QUASI, "a + 64 tid.x", true},
    {"and.b32 %r11, %r3, 1023;\n" LOAD_A, QUASI, "a + 4 tid.x", true},
    /* causes */
    {"and.b32 %r11, %r3, 31;\n" LOAD_A, NONE(OPERATOR), NULL, false},
    {"shr.u32 %r11, %r9, 5;\n" LOAD_A, NONE(OPERATOR), NULL, false},
    {"div.u32 %r11, %r9, %r1;\n" LOAD_A, NONE(OPERATOR), NULL, false},
    {"shr.u32 %r11, %r1, 1;\nadd.s32 %r11, %r11, %r3;\n" LOAD_A, NONE(OPERATOR), NULL,
     true}, /* known at launch */
    {"mov.u32 %r11, %laneid;\n" LOAD_A, NONE(OPERATOR), NULL, false},
    {"min.s32 %r11, %r9, %r1;\n" LOAD_A, NONE(OPERATOR), NULL, true},
    {"ld.global.u32 %r11, [%rd2];\n" LOAD_A, NONE(INDIRECT), NULL, false},
    {"ld.global.u32 %r13, [%rd2];\nadd.s32 %r11, %r13, %r3;\n" LOAD_A, NONE(INDIRECT), NULL, false},
    {"ld.shared.u32 %r11, [tile];\n" LOAD_A, NONE(INDIRECT), NULL, false},
    {"atom.global.add.u32 %r11, [%rd2], 1;\n" LOAD_A, NONE(INDIRECT), NULL, false},
    {"ld.global.u32 %r13, [%rd2];\nand.b32 %r11, %r13, 31;\n" LOAD_A, NONE(OPERATOR), NULL,
     false}, /* operators come first */
    {"setp.lt.s32 %p1, %r3, %r1;\nselp.b32 %r11, 1, 0, %p1;\n" LOAD_A, NONE(CONTROL), NULL, true},
    {"setp.lt.s32 %p1, %r3, %r1;\nselp.b32 %r11, %r3, %r3, %p1;\n" LOAD_A, QUASI, NULL, true},
    {"mov.u32 %r11, 7;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 mov.u32 %r11, %r9;\n" LOAD_A,
     NONE(CONTROL), NULL, true},
    {"mov.u32 %r11, 7;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra D;\nmov.u32 %r11, %r9;\nD:\n" LOAD_A,
     NONE(CONTROL), NULL, true},
    {"mov.u32 %r11, %r9;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra D;\nmov.u32 %r11, %r9;\nD:\n" LOAD_A,
     QUASI, NULL, true}, /* the same both ways */
    {"ld.global.u32 %r13, [%rd2];\nsetp.lt.s32 %p1, %r3, %r1;\nselp.b32 %r11, %r13, 0, "
     "%p1;\n" LOAD_A,
     NONE(INDIRECT), NULL, false},
    /* guards decide whether, not where */
    {"mov.u32 %r11, %r9;\nsetp.ge.s32 %p1, %r9, %r1;\n@%p1 bra E;\n" LOAD_A "E:\n", QUASI, NULL,
     true},
    /* never written; half of a pair */
    {"mov.u32 %r11, %r33;\n" LOAD_A, NONE(OPERATOR), NULL, false},
    {"mov.b64 {%r20, %r21}, %rd1;\nmov.b64 %rd4, {%r20, %r21};\nld.global.u32 %r12, [%rd4];\n",
     NONE(OPERATOR), NULL, false},
    /* too large for numbers of 64 bits */
    {"cvt.u64.u32 %rd3, %r3;\nshl.b64 %rd3, %rd3, 62;\nmul.lo.s64 %rd3, %rd3, 8;\nadd.s64 %rd4, "
     "%rd1, %rd3;\nld.global.u32 %r12, [%rd4];\n",
     NONE(OPERATOR), NULL, false},
    /* loops: stepping index, at the end and at the top tested; stepping pointer; a loop around a
       loop */
    {"mov.u32 %r11, %r3;\nL:\n" LOAD_A
     "add.s32 %r11, %r11, %r5;\nsetp.lt.s32 %p1, %r11, %r1;\n@%p1 bra L;\n",
     NONE(INDUCTION), "a + 4 tid.x + 4 iteration(25)*ntid.x", true},
    {"mov.u32 %r11, %r3;\nL:\nsetp.ge.s32 %p1, %r11, %r1;\n@%p1 bra E;\n" LOAD_A
     "add.s32 %r11, %r11, 1;\nbra L;\nE:\n",
     NONE(INDUCTION), NULL, true},
    {"mov.u64 %rd4, %rd1;\nmov.u32 %r13, 0;\nL:\nld.global.u32 %r12, [%rd4];\nadd.s64 %rd4, %rd4, "
     "16;\nadd.s32 %r13, %r13, 1;\n"
     "setp.ne.s32 %p1, %r13, %r1;\n@%p1 bra L;\n",
     NONE(INDUCTION), NULL, true},
    {"mov.u32 %r13, 0;\nO:\nmov.u32 %r14, 0;\nI:\nmad.lo.s32 %r11, %r13, %r2, %r14;\n" LOAD_A
     "add.s32 %r14, %r14, 1;\nsetp.lt.s32 %p1, %r14, %r2;\n"
     "@%p1 bra I;\nadd.s32 %r13, %r13, 1;\nsetp.lt.s32 %p2, %r13, %r1;\n@%p2 bra O;\n",
     NONE(INDUCTION), NULL, true},
    /* a loop that starts, or ends, where a load says; that doubles; that loads its variable anew */
    {"ld.global.u32 %r11, [%rd2];\nL:\n" LOAD_A
     "add.s32 %r11, %r11, 1;\nsetp.lt.s32 %p1, %r11, %r1;\n@%p1 bra L;\n",
     NONE(INDUCTION), NULL, false},
    {"mov.u32 %r11, 0;\nld.global.u32 %r13, [%rd2];\nL:\n" LOAD_A
     "add.s32 %r11, %r11, 1;\nsetp.lt.s32 %p1, %r11, %r13;\n@%p1 bra L;\n",
     NONE(INDUCTION), NULL, false},
    {"mov.u32 %r11, 1;\nL:\n" LOAD_A
     "shl.b32 %r11, %r11, 1;\nsetp.lt.s32 %p1, %r11, %r1;\n@%p1 bra L;\n",
     NONE(INDUCTION), NULL, false},
    {"mov.u32 %r11, 1;\nL:\n" LOAD_A
     "mov.u32 %r11, %r12;\nsetp.lt.s32 %p1, %r11, %r1;\n@%p1 bra L;\n",
     NONE(INDIRECT), NULL, false},
    /* what does not change in a loop is no induction */
    {"mov.u32 %r11, %r9;\nmov.u32 %r13, 0;\nL:\n" LOAD_A
     "add.s32 %r13, %r13, 1;\nsetp.lt.s32 %p1, %r13, %r1;\n@%p1 bra L;\n",
     QUASI, NULL, true},
};

static void classes_and_forms(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) check_single(&singles[i]);
}

/* ---- the paper's example ---- */
/* Listing 7.2: nodes, edges, mask, visited, cost, over, n. A node has two words: starting,
 * no_of_edges. */
static const char bfs[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry Kernel(.param .u64 nodes, "
    ".param .u64 edges, .param .u64 mask,\n"
    ".param .u64 visited, .param .u64 cost, .param .u64 over, .param .u32 n)\n{\n.reg .pred "
    "%p<9>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<20>;\n"
    ".reg .b64 %rd<40>;\nld.param.u64 %rd1, [nodes];\nld.param.u64 %rd2, [edges];\nld.param.u64 "
    "%rd3, [mask];\nld.param.u64 %rd4, [visited];\n"
    "ld.param.u64 %rd5, [cost];\nld.param.u64 %rd6, [over];\nld.param.u32 %r1, [n];\nmov.u32 %r2, "
    "%ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\nsetp.ge.s32 %p1, %r5, %r1;\n@%p1 bra "
    "END;\ncvt.s64.s32 %rd10, %r5;\n"
    "add.s64 %rd11, %rd3, %rd10;\nld.global.u8 %rs1, [%rd11];\nsetp.eq.s16 %p2, %rs1, 0;\n@%p2 bra "
    "END;\nmov.u16 %rs2, 0;\n"
    "st.global.u8 [%rd11], %rs2;\nadd.s64 %rd12, %rd4, %rd10;\nst.global.u8 [%rd12], "
    "%rs1;\nmul.wide.s32 %rd13, %r5, 8;\nadd.s64 %rd14, %rd1, %rd13;\n"
    "ld.global.u32 %r6, [%rd14];\nld.global.u32 %r7, [%rd14+4];\nld.global.u32 %r8, "
    "[%rd14];\nadd.s32 %r9, %r7, %r8;\nsetp.ge.s32 %p3, %r6, %r9;\n"
    "@%p3 bra END;\nLOOP:\nmul.wide.s32 %rd15, %r6, 4;\nadd.s64 %rd16, %rd2, %rd15;\nld.global.u32 "
    "%r10, [%rd16];\ncvt.s64.s32 %rd17, %r10;\n"
    "add.s64 %rd18, %rd4, %rd17;\nld.global.u8 %rs3, [%rd18];\nsetp.ne.s16 %p4, %rs3, 0;\n@%p4 bra "
    "NEXT;\nmul.wide.s32 %rd19, %r5, 4;\n"
    "add.s64 %rd20, %rd5, %rd19;\nld.global.u32 %r11, [%rd20];\nadd.s32 %r12, %r11, "
    "1;\nmul.wide.s32 %rd21, %r10, 4;\nadd.s64 %rd22, %rd5, %rd21;\n"
    "st.global.u32 [%rd22], %r12;\nadd.s64 %rd23, %rd3, %rd17;\nst.global.u8 [%rd23], "
    "%rs1;\nst.global.u8 [%rd6], %rs1;\nNEXT:\n"
    "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p5, %r6, %r9;\n@%p5 bra LOOP;\nEND:\nret;\n}\n";

static void table_7_1(void **state) {
  (void)state;
  /* In the order of the text; the paper lists cost[tid] before edges and visited. */
  static const struct {
    const char *array;
    uint8_t cls, cause;
    bool written;
  } expected[] = {
      {"mask", QUASI, true},   {"nodes", QUASI, false},           {"nodes", QUASI, false},
      {"nodes", QUASI, false}, {"edges", NONE(INDUCTION), false}, {"visited", NONE(INDIRECT), true},
      {"cost", QUASI, true}};
  found f = look(bfs);
  assert_int_equal(f.n, 7);
  for (uint32_t i = 0; i < f.n; i++) {
    char array[40];
    ptx_affine_array_text(f.a, &f.load[i], array, sizeof array);
    assert_string_equal(array, expected[i].array);
    assert_int_equal(f.load[i].cls, expected[i].cls);
    assert_int_equal(f.load[i].cause, expected[i].cause);
    assert_int_equal(f.load[i].written, expected[i].written);
  }
  const ptx_affine_totals t = ptx_affine_count(f.a);
  assert_int_equal(t.arrays, 6);
  assert_int_equal(t.loads, 7);
  assert_int_equal(t.by_class[PTX_AFFINE_QUASI], 5); /* 5 of 7 */
  assert_int_equal(t.by_cause[PTX_CAUSE_INDUCTION], 1);
  assert_int_equal(t.by_cause[PTX_CAUSE_INDIRECT], 1);
  assert_int_equal(t.bounded, 0);
  forget(&f);
}

static void put64(uint8_t *params, uint32_t at, uint64_t value) {
  memcpy(params + at, &value, 8);
}
static void put32(uint8_t *params, uint32_t at, uint32_t value) {
  memcpy(params + at, &value, 4);
}

static void check_row(const wf_preload_row *r, uint64_t base, uint32_t element, int32_t bx,
                      int32_t by, int32_t max_offset) {
  if (r->base != base || r->element_bytes != element || r->min[0] != bx || r->max[0] != bx ||
      r->min[1] != by || r->max[1] != by || r->min_offset != 0 || r->max_offset != max_offset)
    fail_msg("base 0x%llx, %u bytes, products %d %d to %d %d, offsets %d to %d",
             (unsigned long long)r->base, r->element_bytes, r->min[0], r->min[1], r->max[0],
             r->max[1], r->min_offset, r->max_offset);
  assert_int_equal(r->min[2], 0);
  assert_int_equal(r->max[2], 0);
}

/* Listing 7.3: products are the block's threads; offsets up to the last element (the paper's, one
 * more). A node is two words here. */
static void listing_7_3(void **state) {
  (void)state;
  uint8_t params[64] = {0};
  for (uint32_t p = 0; p < 6; p++) put64(params, 8 * p, 0x10000 * (p + 1));
  put32(params, 48, 5000);
  found f = look(bfs);
  wf_preload_row rows[WF_PRELOAD_ROWS];
  ptx_affine_fate fates[7];
  const ptx_affine_made made = ptx_affine_rows(f.a, (uint32_t[]){20, 1, 1}, (uint32_t[]){256, 1, 1},
                                               params, NULL, rows, fates);
  assert_int_equal(made.rows, 3);
  assert_int_equal(made.left_out, 2);
  check_row(&rows[0], 0x10000, 4, 512, 0, 511); /* nodes */
  check_row(&rows[1], 0x30000, 1, 256, 0, 255); /* mask */
  check_row(&rows[2], 0x50000, 4, 256, 0, 255); /* cost */
  assert_int_equal(made.bytes, 2048 + 256 + 1024);
  for (int i = 0; i < 7; i++) assert_int_equal(fates[i].rows, i < 4 || i == 6);
  assert_string_equal(fates[4].reason, "induction");
  assert_string_equal(fates[5].reason, "indirect");
  const ptx_affine_table only_read = {.read_only = true};
  assert_int_equal(ptx_affine_rows(f.a, (uint32_t[]){20, 1, 1}, (uint32_t[]){256, 1, 1}, params,
                                   &only_read, rows, fates)
                       .rows,
                   1);
  assert_string_equal(fates[0].reason, "the kernel writes this array");
  forget(&f);
}

/* ---- rows ---- */
typedef struct launched {
  found f;
  wf_preload_row rows[1024];
  ptx_affine_fate fates[16];
  ptx_affine_made made;
} launched;

enum { BASE_A = 0x100000, BASE_B = 0x900000 };

static launched *launch(const char *code, const uint32_t grid[3], const uint32_t block[3],
                        uint32_t n, uint32_t m, const ptx_affine_table *table) {
  static launched l;
  char text[16384];
  uint8_t params[32] = {0};
  put64(params, 0, BASE_A);
  put64(params, 8, BASE_B);
  put32(params, 16, n);
  put32(params, 20, m);
  snprintf(text, sizeof text, "%s%s%s", HEAD, code, TAIL);
  l.f = look(text);
  assert_in_range(l.f.n, 1, 16);
  l.made = ptx_affine_rows(l.f.a, grid, block, params, table, l.rows, l.fates);
  return &l;
}

static void check_refused(const char *code, const uint32_t grid[3], const uint32_t block[3],
                          uint32_t n, const ptx_affine_table *table, const char *reason) {
  launched *l = launch(code, grid, block, n, n, table);
  assert_string_equal(l->fates[l->f.n - 1].reason, reason);
  assert_int_equal(l->made.rows, 0);
  forget(&l->f);
}

#define DIM(x, y) ((const uint32_t[]){x, y, 1})
#define TILE "mad.lo.s32 %r11, %r10, %r1, %r9;\n" LOAD_A
/* The nine loads of a smoothing stencil, %r1 the pitch. */
#define AROUND                                                                                     \
  "mad.lo.s32 %r11, %r10, %r1, %r9;\nmul.wide.s32 %rd3, %r11, 4;\nadd.s64 %rd4, %rd1, "            \
  "%rd3;\nmul.wide.s32 %rd5, %r1, 4;\n"                                                            \
  "sub.s64 %rd6, %rd4, %rd5;\nadd.s64 %rd7, %rd4, %rd5;\nld.global.u32 %r12, "                     \
  "[%rd6+-4];\nld.global.u32 %r12, [%rd6];\n"                                                      \
  "ld.global.u32 %r12, [%rd6+4];\nld.global.u32 %r12, [%rd4+-4];\nld.global.u32 %r12, "            \
  "[%rd4];\nld.global.u32 %r12, [%rd4+4];\n"                                                       \
  "ld.global.u32 %r12, [%rd7+-4];\nld.global.u32 %r12, [%rd7];\nld.global.u32 %r12, [%rd7+4];\n"

static void check_tile(const launched *l, unsigned row, unsigned rows, uint64_t base,
                       uint32_t pitch, uint32_t lines) {
  assert_int_equal(l->made.rows, rows);
  assert_int_equal(l->rows[row].base, base);
  assert_int_equal(l->rows[row].more + 1, lines);
  assert_int_equal(l->rows[row].pitch, pitch);
}

/* A tile takes a row of the table for each of its own, the stencil's two more, of two elements
 * more. */
static void tiles(void **state) {
  (void)state;
  launched *l = launch(TILE, DIM(8, 8), DIM(16, 16), 1024, 0, NULL);
  assert_int_equal(l->made.rows, 16);
  for (int y = 0; y < 16; y++)
    check_row(&l->rows[y], BASE_A + 4096u * (unsigned)y, 4, 16, 16384, 15);
  forget(&l->f);
  l = launch(AROUND, DIM(8, 8), DIM(16, 16), 1024, 0, NULL);
  assert_int_equal(l->made.rows, 18);
  for (int y = 0; y < 18; y++)
    check_row(&l->rows[y], (uint64_t)(BASE_A + 4096 * (y - 1) - 4), 4, 16, 16384, 17);
  for (int i = 0; i < 9; i++) assert_int_equal(l->fates[i].rows, 16);
  forget(&l->f);
  /* A table of tiles has one row; four of eight lines, or so many that none is left over. */
  l = launch(AROUND, DIM(8, 8), DIM(16, 16), 1024, 0, &(ptx_affine_table){.lines = 256});
  check_tile(l, 0, 1, BASE_A - 4096 - 4, 4096, 18);
  assert_int_equal(l->made.bytes, 18 * 256);
  for (int i = 0; i < 9; i++) assert_int_equal(l->fates[i].rows, 1);
  forget(&l->f);
  l = launch(TILE, DIM(8, 8), DIM(16, 16), 1024, 0, &(ptx_affine_table){.lines = 6});
  for (unsigned r = 0; r < 3; r++) check_tile(l, r, 3, BASE_A + 6 * 4096 * r, 4096, r < 2 ? 6 : 4);
  forget(&l->f);
  l = launch(TILE, DIM(8, 8), DIM(16, 16), 1024, 0,
             &(ptx_affine_table){.lines = 256, .pitch_bits = 12}); /* too far apart */
  assert_int_equal(l->made.rows, 16);
  forget(&l->f);
  /* Rows of a narrow matrix touch: one range. */
  l = launch(TILE, DIM(1, 8), DIM(16, 16), 16, 0, NULL);
  assert_int_equal(l->made.rows, 1);
  check_row(&l->rows[0], BASE_A, 4, 0, 256, 255);
  forget(&l->f);
  /* Products beyond 16 bits: larger elements. */
  l = launch(TILE, DIM(8, 8), DIM(16, 16), 4096, 0, NULL);
  assert_int_equal(l->made.rows, 16);
  check_row(&l->rows[0], BASE_A, 16, 4, 16384, 3);
  forget(&l->f);
}

static void what_does_not_fit(void **state) {
  (void)state;
  const ptx_affine_table narrow = {.addr_bits = 16}, few = {.rows = 10}, wide = {.prod_bits = 32};
  check_refused(TILE, DIM(8, 8), DIM(16, 16), 1024, &narrow, "an address beyond the table's width");
  check_refused("mul.lo.s32 %r11, %r9, %r9;\n" LOAD_A, DIM(8, 1), DIM(16, 1), 9, NULL,
                "blockIdx to a higher degree than the first");
  check_refused("mul.lo.s32 %r11, %r9, %r1;\n" LOAD_A, DIM(8, 1), DIM(256, 1), 1024, NULL,
                "too many ranges too far apart");
  check_refused("mul.lo.s32 %r11, %r4, 77777777;\n" LOAD_A, DIM(8, 1), DIM(256, 1), 1, NULL,
                "products or offsets too wide for the table");
  check_refused("mul.wide.s32 %rd3, %r9, 4;\nadd.s64 %rd4, %rd1, %rd3;\nld.volatile.global.u32 "
                "%r12, [%rd4];\n",
                DIM(8, 1), DIM(256, 1), 1, NULL, "not cached: volatile");
  launched *l = launch(TILE, DIM(8, 8), DIM(16, 16), 1024, 0, &few);
  assert_int_equal(l->made.rows, 0); /* 16 places, ten rows, and one range would be too sparse */
  forget(&l->f);
  l = launch(AROUND, DIM(8, 8), DIM(16, 16), 1024, 0, &(ptx_affine_table){.rows = 17});
  assert_int_equal(l->made.rows, 17);
  assert_int_equal(l->made.over, 1);
  assert_string_equal(l->fates[8].reason,
                      "no place left in the table"); /* the last row: as few loads as the first */
  assert_int_equal(l->fates[8].rows, 15);
  assert_string_equal(l->fates[0].reason, "");
  forget(&l->f);
  l = launch("mul.lo.s32 %r11, %r4, 77777777;\n" LOAD_A, DIM(8, 1), DIM(256, 1), 1, 1, &wide);
  assert_int_equal(l->made.rows, 1);
  forget(&l->f);
}

/* Negative factors, products of tid and ctaid, blocks without a second dimension. */
static void signs(void **state) {
  (void)state;
  launched *l = launch("sub.s32 %r11, %r1, %r9;\n" LOAD_A, DIM(8, 1), DIM(32, 1), 1000, 0, NULL);
  assert_int_equal(l->made.rows, 1);
  check_row(&l->rows[0], BASE_A + 4 * (1000 - 31), 4, -32, 0, 31);
  forget(&l->f);
  l = launch("mul.lo.s32 %r11, %r3, %r4;\n" LOAD_A, DIM(8, 1), DIM(32, 1), 0, 0, NULL);
  assert_int_equal(l->made.rows, 1);
  assert_int_equal(l->rows[0].min[0], 0);
  assert_int_equal(l->rows[0].max[0], 31);
  assert_int_equal(l->rows[0].max_offset, 0);
  forget(&l->f);
  l = launch("mul.lo.s32 %r11, %r4, %r4;\n" LOAD_A, DIM(1, 1), DIM(32, 1), 0, 0,
             NULL); /* the one thread block is 0 */
  assert_int_equal(l->made.rows, 1);
  check_row(&l->rows[0], BASE_A, 4, 0, 0, 0);
  forget(&l->f);
}

/* ---- what is relaxed ---- */
static void loops(void **state) {
  (void)state;
  static const char step_end[] =
      "mov.u32 %r11, %r3;\nL:\n" LOAD_A
      "add.s32 %r11, %r11, %r5;\nsetp.lt.s32 %p1, %r11, %r1;\n@%p1 bra L;\n";
  static const char step_top[] =
      "mul.lo.s32 %r11, %r3, %r1;\nmad.lo.s32 %r13, %r3, %r1, %r1;\nL:\nsetp.ge.s32 %p1, %r11, "
      "%r13;\n@%p1 bra E;\n" LOAD_A "add.s32 %r11, %r11, 1;\nbra L;\nE:\n";
  static const char step_down[] =
      "mov.u32 %r11, %r1;\nL:\n" LOAD_A
      "add.s32 %r11, %r11, -2;\nsetp.ne.s32 %p1, %r11, 0;\n@%p1 bra L;\n";
  const ptx_affine_table relaxed = {.relax = PTX_RELAX_LOOPS};
  launched *l = launch(step_end, DIM(4, 1), DIM(32, 1), 320, 0, NULL);
  assert_int_equal(l->made.rows, 0);
  forget(&l->f);
  l = launch(step_end, DIM(4, 1), DIM(32, 1), 320, 0,
             &relaxed); /* 320 words, as all thread blocks read them */
  assert_int_equal(l->made.rows, 1);
  check_row(&l->rows[0], BASE_A, 4, 0, 0, 319);
  forget(&l->f);
  l = launch(step_top, DIM(4, 1), DIM(32, 1), 10, 0,
             &relaxed); /* ten words each, and never the eleventh */
  check_row(&l->rows[0], BASE_A, 4, 0, 0, 319);
  forget(&l->f);
  l = launch(step_top, DIM(4, 1), DIM(32, 1), 0, 0, &relaxed); /* it never runs */
  assert_int_equal(l->made.rows, 0);
  assert_string_equal(l->fates[0].reason, "");
  forget(&l->f);
  l = launch(step_down, DIM(4, 1), DIM(32, 1), 20, 0, &relaxed); /* 20, 18, .., 2 */
  check_row(&l->rows[0], BASE_A + 8, 4, 0, 0, 18);
  forget(&l->f);
}

/* What needs no relaxation comes first where there are not enough places. */
static void plain_rows_first(void **state) {
  (void)state;
  static const char both[] = "mov.u32 %r11, 0;\nL:\nmul.wide.s32 %rd3, %r11, 4096;\nadd.s64 %rd4, "
                             "%rd1, %rd3;\nld.global.f32 %r12, [%rd4];\n"
                             "add.s32 %r11, %r11, 1;\nsetp.lt.s32 %p1, %r11, %r1;\n@%p1 bra "
                             "L;\nmul.wide.s32 %rd3, %r9, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
                             "ld.global.f32 %r12, [%rd4];\n";
  launched *l =
      launch(both, DIM(4, 1), DIM(32, 1), 64, 0, &(ptx_affine_table){.relax = PTX_RELAX_LOOPS});
  assert_int_equal(l->made.rows, 64);
  assert_int_equal(l->made.over, 1);
  assert_int_equal(l->made.left_out, 1);
  check_row(&l->rows[63], BASE_B, 4, 32, 0, 31);
  assert_int_equal(l->fates[0].rows, 63);
  forget(&l->f);
}

static void choices_and_operators(void **state) {
  (void)state;
  static const char clamp[] = "add.s32 %r11, %r9, 1;\nmin.s32 %r11, %r11, %r1;\n" LOAD_A,
                    half[] = "shr.u32 %r11, %r1, 1;\nadd.s32 %r11, %r11, %r9;\n" LOAD_A;
  launched *l =
      launch(clamp, DIM(4, 1), DIM(32, 1), 100, 0, &(ptx_affine_table){.relax = PTX_RELAX_CHOICES});
  assert_int_equal(l->made.rows, 2);
  check_row(&l->rows[0], BASE_A + 4, 4, 32, 0, 31);
  check_row(&l->rows[1], BASE_A + 400, 4, 0, 0, 0);
  forget(&l->f);
  l = launch(half, DIM(4, 1), DIM(32, 1), 101, 0,
             &(ptx_affine_table){.relax = PTX_RELAX_OPERATORS});
  assert_int_equal(l->made.rows, 1);
  check_row(&l->rows[0], BASE_A + 200, 4, 32, 0, 31);
  forget(&l->f);
  check_refused(clamp, DIM(4, 1), DIM(32, 1), 100, NULL, "operator");
  check_refused(half, DIM(4, 1), DIM(32, 1), 100, NULL, "operator");
}

/* ---- random code against the executor ---- */
enum { STATEMENTS = 9, REGISTERS = 6, TEXT = 8192 };

typedef struct code {
  wf_rng rng;
  char text[TEXT];
  size_t n;
  unsigned labels;
} code;

static unsigned below(code *c, unsigned n) {
  return (unsigned)wf_rng_below(&c->rng, n);
}
static unsigned any_reg(code *c) {
  return 20 + below(c, REGISTERS);
}

static void put(code *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(code *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  c->n += (size_t)vsnprintf(c->text + c->n, TEXT - c->n, format, args);
  va_end(args);
  assert_true(c->n < TEXT);
}

static void put_load(code *c) {
  put(c, "mov.u32 %%r11, %%r%u;\n%s", any_reg(c), LOAD_A);
}

static void put_arithmetic(code *c) {
  const unsigned d = any_reg(c), a = any_reg(c), b = any_reg(c);
  const int n = (int)below(c, 9) - 2;
  switch (below(c, 9)) {
  case 0:
    put(c, "add.s32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
    break;
  case 1:
    put(c, "sub.s32 %%r%u, %%r%u, %d;\n", d, a, n);
    break;
  case 2:
    put(c, "mul.lo.s32 %%r%u, %%r%u, %d;\n", d, a, n);
    break;
  case 3:
    put(c, "shl.b32 %%r%u, %%r%u, %u;\n", d, a, below(c, 4));
    break;
  case 4:
    put(c, "or.b32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
    break;
  case 5:
    put(c, "and.b32 %%r%u, %%r%u, %d;\n", d, a,
        below(c, 2) ? -(1 << below(c, 4)) : (1 << below(c, 8)) - 1);
    break;
  case 6:
    put(c, "min.s32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
    break;
  case 7:
    put(c, "setp.lt.s32 %%p1, %%r%u, %%r%u;\n@%%p1 mov.u32 %%r%u, %%r%u;\n", a, b, d, a);
    break;
  default:
    put(c, "mul.lo.s32 %%r%u, %%r%u, %%r%u;\n", d, a, b);
  }
}

/* Around its body a loop of a few turns: %r30 counts from something by something to something,
 * tested at the end or at the top; another way out now and then, which not every turn passes. */
static void put_loop(code *c) {
  static const char *const up[] = {"lt.s32", "le.s32", "ne.s32"}, *const down[] = {
                                                                      "gt.s32", "ge.s32", "ne.s32"};
  const unsigned label = c->labels++, d = any_reg(c), compare = below(c, 3), top = below(c, 2);
  const int step = (int)below(c, 3) + 1, sign = below(c, 2) ? 1 : -1, turns = (int)below(c, 5) + 1;
  const char *test = (sign > 0 ? up : down)[compare];
  put(c, "mov.u32 %%r30, %%r%u;\nadd.s32 %%r31, %%r30, %d;\n", any_reg(c),
      sign * (step * turns + (compare == 2 ? 0 : (int)below(c, (unsigned)step))));
  put(c, "L%u:\n", label);
  if (top) put(c, "setp.%s %%p1, %%r30, %%r31;\n@!%%p1 bra E%u;\n", test, label);
  if (below(c, 2)) put(c, "mov.u32 %%r%u, %%r30;\n", any_reg(c));
  put(c, "add.s32 %%r%u, %%r%u, %d;\n", d, d, (int)below(c, 7) - 2);
  if (below(c, 2)) put_arithmetic(c);
  if (below(c, 2)) put_load(c);
  if (below(c, 4) == 0)
    put(c,
        "setp.lt.s32 %%p2, %%r3, 4;\n@%%p2 bra S%u;\nsetp.lt.s32 %%p3, %%r30, 2;\n@%%p3 bra "
        "E%u;\nS%u:\n",
        label, label, label);
  put(c, "add.s32 %%r30, %%r30, %d;\n", sign * step);
  if (top)
    put(c, "bra L%u;\n", label);
  else
    put(c, "setp.%s %%p1, %%r30, %%r31;\n@%%p1 bra L%u;\n", test, label);
  put(c, "E%u:\n", label);
}

static void put_branch(code *c) {
  const unsigned label = c->labels++;
  put(c, "setp.lt.s32 %%p4, %%r%u, %u;\n@%%p4 bra S%u;\n", any_reg(c), below(c, 9), label);
  put_arithmetic(c);
  if (below(c, 2)) put_load(c);
  put(c, "S%u:\n", label);
}

static void random_code(code *c) {
  static const int known[REGISTERS] = {1, 2, 3, 4, 6, 7};
  c->n = 0;
  put(c, "%s", HEAD);
  for (int i = 0; i < REGISTERS; i++) put(c, "mov.u32 %%r%d, %%r%d;\n", 20 + i, known[i]);
  for (int i = 0; i < STATEMENTS; i++) {
    const unsigned what = below(c, 8);
    if (what == 0)
      put_loop(c);
    else if (what == 1)
      put_branch(c);
    else
      put_arithmetic(c);
  }
  put_load(c);
  put(c, "%s", TAIL);
}

typedef struct ranges {
  wf_preload_row rows[1024];
  uint32_t n;
  bool whole;
} ranges;

static bool is_within(const ranges *r, const uint32_t block[3], uint64_t address) {
  for (uint32_t i = 0; i < r->n; i++) {
    const wf_preload_row *row = &r->rows[i];
    const int64_t size = row->element_bytes, x = block[0], y = block[1];
    const int64_t low =
        (int64_t)row->base + size * (row->min[0] * x + row->min[1] * y + row->min_offset);
    const int64_t high =
        (int64_t)row->base + size * (row->max[0] * x + row->max[1] * y + row->max_offset + 1);
    if ((int64_t)address >= low && (int64_t)address + 4 <= high) return true;
  }
  return false;
}

/* One thread, to its end or until it leaves memory; counts what was checked. */
static void run_thread(const found *f, const ptx_launch *l, const uint32_t block[3], uint32_t warp,
                       unsigned lane, const ranges *r, const char *text, unsigned *checked) {
  wf_error err = {0};
  ptx_effect e;
  ptx_warp w = {.launch = l,
                .reg = aligned_alloc(64, (f->k->n_regs + 1u) * 128),
                .pred = calloc(f->k->n_preds + 1u, 4),
                .ctaid = {block[0], block[1], block[2]},
                .warp_in_cta = warp,
                .valid = UINT32_MAX};
  ptx_pc pc = 0;
  for (int steps = 0; pc < f->k->n_insts && steps < 2000; steps++) {
    const ptx_inst *inst = &f->k->insts[pc];
    if (!ptx_execute(inst, &w, 1u << lane, &e, &err)) break;
    const ptx_affine_load *load = ptx_affine_at(f->a, pc);
    if (load && e.active) {
      *checked += r[load - f->load].whole;
      if (r[load - f->load].whole && !is_within(&r[load - f->load], block, e.addr[lane]))
        fail_msg("block %u %u, warp %u, lane %u, line %u: 0x%llx is in no row\n%s", block[0],
                 block[1], warp, lane, inst->line, (unsigned long long)e.addr[lane], text);
    }
    pc = inst->cls == PTX_CLASS_BRANCH && e.taken ? inst->target : pc + 1;
  }
  free(w.reg);
  free(w.pred);
}

static void random_forms_hold(void **state) {
  (void)state;
  enum { BYTES = 1 << 22, MIDDLE = BYTES / 2, TURNS = 4000 };
  static ranges r[64];
  static code c;
  const uint64_t seed = getenv("AFFINE_SEED") ? strtoull(getenv("AFFINE_SEED"), NULL, 10) : 71;
  uint8_t *memory = calloc(BYTES, 1);
  unsigned checked = 0, ranged = 0, quasi = 0, bounded = 0;
  wf_rng_seed(&c.rng, seed);
  for (int turn = 0; turn < TURNS; turn++) {
    uint8_t params[32] = {0};
    random_code(&c);
    put64(params, 0, MIDDLE);
    put64(params, 8, MIDDLE);
    put32(params, 16, below(&c, 40));
    put32(params, 20, below(&c, 9));
    found f = look(c.text);
    const ptx_launch l = {.kernel = f.k,
                          .params = params,
                          .ntid = {8, 8, 1},
                          .nctaid = {3, 2, 1},
                          .global = memory,
                          .global_bytes = BYTES};
    assert_in_range(f.n, 1, 64);
    for (uint32_t i = 0; i < f.n; i++) {
      const ptx_affine_table table = {
          .rows = 1024, .prod_bits = 32, .relax = 7, .waste = 1000, .only = &f.load[i]};
      ptx_affine_fate fates[64];
      r[i].n = ptx_affine_rows(f.a, l.nctaid, l.ntid, params, &table, r[i].rows, fates).rows;
      r[i].whole = !fates[i].reason[0];
      ranged += r[i].whole;
      quasi += f.load[i].cls == PTX_AFFINE_QUASI;
      bounded += r[i].whole && f.load[i].cause == PTX_CAUSE_INDUCTION;
    }
    for (unsigned i = 0; i < 24; i++) {
      const uint32_t block[3] = {i / 4 % 3, i / 12, 0};
      run_thread(&f, &l, block, i / 2 % 2, (const unsigned[]){0, 7, 31, 11, 24, 5}[i % 6], r,
                 c.text, &checked);
    }
    forget(&f);
  }
  printf("%u loads with rows (%u quasi-static, %u by induction), %u addresses\n", ranged, quasi,
         bounded, checked);
  assert_true(ranged > TURNS / 2 && quasi > TURNS / 8 && bounded > TURNS / 50 &&
              checked > 10 * TURNS);
  free(memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes_and_forms),
      cmocka_unit_test(table_7_1),
      cmocka_unit_test(listing_7_3),
      cmocka_unit_test(tiles),
      cmocka_unit_test(what_does_not_fit),
      cmocka_unit_test(signs),
      cmocka_unit_test(loops),
      cmocka_unit_test(plain_rows_first),
      cmocka_unit_test(choices_and_operators),
      cmocka_unit_test(random_forms_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
