/* What the parser accepts, and what it says about the rest: file, line, text and reason. */
#include <sys/resource.h>

#include "tests/ptx/lane_harness.h"

static ptx_module *parse(const char *text, wf_error *err) {
  static const ptx_custom_op ops[] = {{"mff.gather.b32", "mrr", 0, 0}};
  *err = (wf_error){0};
  return ptx_parse_text("file.ptx", text, strlen(text), ops, 1, err);
}

/* A kernel with the statement on line 5. */
static void check_statement_error(const char *statement, const char *say) {
  char text[1024];
  wf_error err;
  join_text(
      text, sizeof text,
      ".version 3.2\n.target sm_35\n.address_size 64\n.entry k(.param .u64 p0) { .reg .b16 %h<4>; "
      ".reg .u32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<4>; .reg .f64 %g<4>; .reg .pred %p<4>;\n",
      statement, "\nret;\n}\n", NULL);
  ptx_module *m = parse(text, &err);
  if (m) fail_msg("accepted: %s", statement);
  if (strncmp(err.text, "file.ptx:5: ", 12) != 0 || !strstr(err.text, say))
    fail_msg("%s\n gives: %s\n should say line 5 and: %s", statement, err.text, say);
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
}

static const struct {
  const char *statement, *say;
} wrong_statements[] = {
    {"frobnicate.u32 %r1, %r2;", "unknown or unsupported instruction 'frobnicate.u32'"},
    {"add.u32 %r1, %r2;", "needs 3 operands, has 2"},
    {"add.u32 %r1, %r2, %r3, %r4;", "needs 3 operands, has 4"},
    {"add.u33 %r1, %r2, %r3;", "a type"},
    {"add %r1, %r2, %r3;", "a type"},
    {"add.wrong.u32 %r1, %r2, %r3;", "modifier '.wrong'"},
    {"add.cc.f32 %f1, %f2, %f3;", "modifier '.cc'"},
    {"add.sat.u32 %r1, %r2, %r3;", "does not exist"},
    {"add.ftz.f64 %g1, %g2, %g3;", "modifier '.ftz'"},
    {"add.u8 %h1, %h2, %h3;", ".u8 is needed"},
    {"add.u32 %d1, %r2, %r3;", ".b64 register where .u32"},
    {"add.u32 %r1, %r2, %d3;", ".b64 register where .u32"},
    {"add.f32 %f1, %f2, %r3;", ".u32 register where .f32"},
    {"add.u32 %r1, %f2, %r3;", ".f32 register where .u32"},
    {"add.u32 %r1, %p2, %r3;", ".pred register where .u32"},
    {"add.u32 %r1, %r2, 1.5;", "whole number"},
    {"add.f32 %f1, %f2, 1;", "floating-point number"},
    {"add.u32 5, %r2, 1;", "destination must be a register"},
    {"add.u32 %r1, %r2, %r8;", "'%r8' is neither a declared register"},
    {"add.u32 %r1, %r2, %r01;", "'%r01' is neither"},
    {"add.u32 %r1, %r2, nothing;", "'nothing' is not declared"},
    {"add.u32 %r1, %r2, %warpsize;", "nor a special register"},
    {"mul.u32 %r1, %r2, %r3;", ".lo, .hi or .wide"},
    {"mul.wide.u64 %d1, %d2, %d3;", ".wide is for 16 and 32"},
    {"setp.lt.b32 %p1, %r1, %r2;", ".eq and .ne only"},
    {"setp.wat.u32 %p1, %r1, %r2;", "comparison"},
    {"setp.ltu.u32 %p1, %r1, %r2;", "does not exist"},
    {"setp.lt.and.u32 %p1, %r1, %r2;", "needs 4 operands"},
    {"setp.lt.u32 %r1, %r1, %r2;", ".pred is needed"},
    {"cvt.f32.s32 %f1, %r1;", "does not exist"},
    {"cvt.s32.f32 %r1, %f1;", "does not exist"},
    {"cvt.rn.f64.f32 %g1, %f1;", "does not exist"},
    {"cvt.u32.u64 %r1, %r2;", ".u64 is needed"},
    {"ld.global.u32 %r1, %d1;", "address in brackets"},
    {"ld.global.u32 %r1, [%f1];", "an address is held in"},
    {"ld.global.u32 %r1, [%d1+%d2];", "number as offset"},
    {"ld.global.u32 %r1, [nowhere];", "'nowhere' is undeclared"},
    {"ld.global.u64 %r1, [%d1];", ".u64 is needed"},
    {"ld.global.v2.u32 %r1, [%d1];", "as many registers in braces"},
    {"ld.global.v4.u32 {%r1, %r2}, [%d1];", "as many registers in braces"},
    {"ld.shared.nc.u32 %r1, [%d1];", ".nc is for .global"},
    {"ld.global.u32 %r1, [%d1;", "expected ']'"},
    {"st.param.u32 [p0], %r1;", "read only"},
    {"st.const.u32 [%d1], %r1;", "read only"},
    {"atom.global.add.b32 %r1, [%d1], 1;", "does not exist"},
    {"atom.global.u32 %r1, [%d1], 1;", "needs an operation"},
    {"atom.local.add.u32 %r1, [%d1], 1;", "atomics act on"},
    {"red.global.cas.b32 [%d1], 1, 2;", "red has no such"},
    {"bra nowhere;", "label 'nowhere' is not defined in k"},
    {"bra %r1;", "target must be a label"},
    {"@%r1 bra done; done:", "guard '%r1' is no declared predicate"},
    {"@%p9 bra done; done:", "guard '%p9'"},
    {"here: here: add.u32 %r1, %r1, 1;", "label 'here' is defined twice"},
    {"add.u32 %r1.b0, %r1, %r2;", "parts of registers"},
    {"add.u32 %r1, %r1.h1, %r2;", "parts of registers"},
    {"vadd.u32.u32.u32.add %r1.b0, %r1, %r2, %r3;", "no second operation"},
    {"bar.sync 16;", "barriers 0 to 15"},
    {"bar.arrive 0;", "needs 2 operands"},
    {"bar.sync 0, 65;", "multiple of 32"},
    {"bar.red.popc.u32 %r1, 0;", "needs 3 to 4"},
    {"bar.red.and.u32 %r1, 0, %r1;", "needs .popc.u32"},
    {"barrier.cluster.arrive;", "no clusters"},
    {"call.uni (%r1), f, (%r2);", "function that is not declared"},
    {"call f;", "function that is not declared"},
    {"call (%r1, %r2), f, (%r2);", "is written as call"},
    {"call %r1, (%r2);", "a .u32 register where .u64"},
    {"call %d1, (5), p;", "called with .param variables"},
    {".param .align 3 .b8 x[16];", "power of two"},
    {"{ .param .b32 x; mov.b32 %r1, x; }", "has no address"},
    {".reg .b32 %r1, %r1;", "declared twice"},
    {".reg .wat %x;", "no type of a register"},
    {".reg .b32 %x<a>;", "how many registers"},
    {".local .align 3 .b8 x[4];", "power of two"},
    {".local .b8 x[];", "leave their size open"},
    {".shared .u32 x = 3;", "initial values"},
    {".local .b8 x[99999999];", "local variables take more"},
    {".wat;", "unknown directive '.wat'"},
    {"add.u32 %r1, %r2, 99999999999999999999;", "does not fit 64 bits"},
    {"add.u32 %r1, %r2, 09;", "malformed number"},
    {"add.u32 %r1, %r2, 0x;", "malformed number"},
    {"add.f32 %f1, %f2, 0f12;", "8 hexadecimal digits"},
    {"add.u32 %r1, %r2, 1 add.u32 %r1, %r1, 1;", "expected ';', found 'add.u32'"},
    {"add.u32 %r1 %r2, 1;", "expected ';', found '%r2'"},
    {"# add", "unexpected character '#'"},
    {"shfl.idx.b32 %r1|%r2, %r3, 0, 31;", "the second a predicate"},
    {"setp.eq.u32 %p1|;", "expected a name after '|', found ';'"},
    {"mov.b64 {%r1, %r2, %r3}, %d1;", "between a vector and one register"},
    {"mov.u32 %r1, %clock64;", "has 64 bits"},
    {"mff.gather.b32 [%d1], %r1;", "needs 3 operands"},
    {"mff.gather.b32 %d1, %r1, %r2;", "address in brackets"},
    {"mff.scatter.b32 [%d1];", "unknown or unsupported instruction 'mff.scatter.b32'"},
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f0}, [%d1, {%f1, %f2}];", ""},
    {"div.approx.f64 %g1, %g2, %g3;", "approximate forms"},
    {"/* never closed", "comment without its closing"},
    {"\"string", "without its closing quote"},
    {"selp %r1, %r2, %r3, %p1;", "register where"},
    {"slct.pred.s32 %p1, %p2, %p3, %r1;", "needs a type"},
    {"not.pred %p1, 3.5;", "must be a predicate"},
};

static void test_statement_errors(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof wrong_statements / sizeof *wrong_statements; k++)
    check_statement_error(wrong_statements[k].statement, wrong_statements[k].say);
}

static void check_module_error(const char *text, const char *say) {
  wf_error err;
  if (parse(text, &err)) fail_msg("accepted: %s", text);
  if (!strstr(err.text, say)) fail_msg("%s\n gives: %s\n should say: %s", text, err.text, say);
}

static void test_module_errors(void **state) {
  (void)state;
  check_module_error(".version x\n", "file.ptx:1: .version needs a number");
  check_module_error(".version 3.2\n.address_size 16\n",
                     "file.ptx:2: .address_size must be 64 or 32");
  check_module_error("\n\nhello\n", "file.ptx:3: expected .version");
  check_module_error(".entry k { ret;\n", "never closed");
  check_module_error(".entry k { ret; }\n.entry k { ret; }\n",
                     "file.ptx:2: kernel 'k' is defined twice");
  check_module_error(".entry k(.param .u32 a, .param .u32 a) { ret; }", "'a' is declared twice");
  check_module_error(".entry k(.param .b8 a[40000]) { ret; }", "at most 32764 bytes");
  check_module_error(".global .u32 x = 1, x = 2;", "'x' is declared twice");
  check_module_error(".global .u32 x[2] = {1, 2, 3};", "more initial values");
  check_module_error(".global .u32 x = y;", "name of a global variable");
  check_module_error(".global .u32 y; .global .u32 x = y;", "needs a .u64");
  check_module_error(".global .u32 x = 1.5;", "whole numbers");
  check_module_error(".extern .global .u32 x;", "'x' is defined nowhere: a module is complete");
  check_module_error(".extern .global .u32 x; .global .u32 x[2];", "8 bytes here and 4 where");
  check_module_error(".extern .global .u32 x; .const .u32 x;", "'x' is declared twice");
  check_module_error(".global .b8 x[2000000000];", "up to");
  check_module_error(".entry k { .reg .pred p; setp.eq.u32 p| }",
                     "expected a name after '|', found '}'");
  check_module_error(".func f() {", "never closed");
  check_module_error(".func f() {}\n.func f() {}", "file.ptx:2: function 'f' is defined twice");
  check_module_error(".global .u32 f; .func f() {}", "'f' is declared twice");
  check_module_error(".func f(.param .pred p) {}", "predicates cannot be passed");
  check_module_error(".func f(.param .b32 p[2]", "where ')' should be");
  check_module_error(".func (.param .b32 a, .param .b32 b) f() {}", "at most one result");
  check_module_error(".func f(); .entry k { call f; }", "'f' is declared, but not defined");
  check_module_error(".func f(.reg .u32 a) { ret; } .entry k { call f; }",
                     "f takes 1 operands, 0 are given");
  check_module_error(".func f() { ret; } .entry k { .param .b32 r; call (r), f; }",
                     "f has no result");
  check_module_error(".func f(.param .b32 a) { ret; } .entry k {\n"
                     " .param .b8 x[4]; call f, (x); }",
                     "file.ptx:2: 'call f, (x)': 'a' is no array");
  check_module_error(".func (.param .b64 r) f() { ret; } .entry k { .param .b32 r; call (r), f; }",
                     "the result of f has 64 bits");
  check_module_error(".func f() {\n bad; } .entry k { call f; }", "file.ptx:2: 'bad'");
  wf_error err = {0};
  assert_null(ptx_parse_file("/nonexistent/x.ptx", NULL, 0, &err));
  assert_non_null(strstr(err.text, "/nonexistent/x.ptx: cannot be read: No such file"));
  assert_null(ptx_parse_text("x", "nonsense", 8, NULL, 0, NULL)); /* err may be NULL */
}

static void test_module_contents(void **state) {
  (void)state;
  wf_error err;
  ptx_module *m = parse(
      "//\n// Generated\n//\n.version 7.0\n.target sm_70, debug\n.address_size 64\n.file 1 "
      "\"a.cu\"\n"
      ".visible .global .align 4 .f32 weights[3] = {0f3F800000, 2.5, -1};\n"
      ".const .align 8 .f64 d = 0d3FF8000000000000; .global .s16 s[4] = {-1, 2};\n"
      ".weak .func (.param .b32 r) helper(.param .b32 a) { { ret; } }\n"
      ".func other(); .extern .func external (.param .b64 x);\n"
      ".visible .entry first(\n.param .u64 .ptr .global .align 16 first_param_0,\n"
      ".param .u8 flag, .param .align 8 .b8 structure[12], .param .f32 last)\n"
      ".maxntid 16, 4, 2\n.minnctapersm 2\n{\n.loc 1 2 3\n.pragma \"nounroll\";\nret;\n}\n"
      ".entry second { }\n.entry third () .reqntid 32 { .reg .pred p; @p exit; { .reg .b32 x; "
      "mov.u32 x, 1; { .reg .b64 x; mov.u64 x, 2; inner: @p bra inner; } bra.uni inner; inner: } "
      "ret; }\n"
      ".section .debug_abbrev { .b8 1, 2; .b8 3 }\n",
      &err);
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(ptx_kernel_count(m), 3);
  const ptx_kernel *k = ptx_find_kernel(m, "first", &err);
  assert_non_null(k);
  assert_int_equal(k->max_ntid, 128);
  assert_int_equal(k->n_params, 4);
  const ptx_param expected[] = {{"first_param_0", 0, 8, PTX_U64},
                                {"flag", 8, 1, PTX_U8},
                                {"structure", 16, 12, PTX_B8},
                                {"last", 28, 4, PTX_F32}};
  for (int i = 0; i < 4; i++) {
    assert_string_equal(k->params[i].name, expected[i].name);
    assert_int_equal(k->params[i].offset, expected[i].offset);
    assert_int_equal(k->params[i].bytes, expected[i].bytes);
    assert_int_equal(k->params[i].type, expected[i].type);
  }
  assert_int_equal(k->param_bytes, 32);
  assert_int_equal(k->n_regs, 1);
  const ptx_kernel *second = ptx_find_kernel(m, "second", &err);
  assert_int_equal(second->n_insts, 1); /* the return it implies */
  assert_int_equal(second->insts[0].cls, PTX_CLASS_EXIT);
  const ptx_kernel *third = ptx_find_kernel(m, "third", &err);
  assert_int_equal(third->n_insts, 6);
  assert_int_equal(third->insts[3].target, 3); /* the inner scope's label */
  assert_int_equal(third->insts[4].target, 5); /* the outer one's */
  assert_true(third->insts[4].uniform);
  assert_string_equal(ptx_inst_text(&third->insts[3]), "@p bra inner");
  assert_null(ptx_find_kernel(m, "fourth", &err));
  assert_non_null(strstr(err.text, "no kernel 'fourth'; there are: first, second, third"));
  size_t bytes;
  const uint8_t *g = ptx_module_globals(m, &bytes);
  assert_int_equal(bytes, 32);
  const float weights[] = {1, 2.5f, -1};
  const double d = 1.5;
  const int16_t s[] = {-1, 2, 0, 0};
  assert_memory_equal(g, weights, sizeof weights);
  assert_memory_equal(g + 16, &d, sizeof d);
  assert_memory_equal(g + 24, s, sizeof s);
  ptx_module_destroy(m);
}

/* A range in an inner scope hides a register of the same name outside, and goes with its scope. */
static void test_scopes(void **state) {
  (void)state;
  wf_error err;
  ptx_module *m =
      parse(".entry k { .reg .b32 %r1; mov.u32 %r1, 7; { .reg .b64 %r<4>; mov.u64 %r1, 1; "
            "add.u64 %r2, %r1, 5; } add.u32 %r1, %r1, 1; ret; }",
            &err);
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(ptx_kernel_at(m, 0)->insts[1].n_dst, 2);
  assert_int_equal(ptx_kernel_at(m, 0)->insts[3].n_dst, 1);
  ptx_module_destroy(m);
}

/* A jump to the end of the text has somewhere to go. */
static void test_label_at_end(void **state) {
  (void)state;
  wf_error err;
  ptx_module *m = parse(".entry k { .reg .pred p; @p bra E; ret; E: }", &err);
  if (!m) fail_msg("%s", err.text);
  const ptx_kernel *k = ptx_kernel_at(m, 0);
  assert_int_equal(k->n_insts, 3);
  assert_int_equal(k->insts[0].target, 2);
  assert_int_equal(k->insts[2].cls, PTX_CLASS_EXIT);
  ptx_module_destroy(m);
}

/* Registers and classes as timing sees them. */
static void test_described_registers(void **state) {
  (void)state;
  wf_error err;
  ptx_module *m =
      parse(".entry k(.param .u64 p) { .reg .b32 a, b, c; .reg .b64 x, y; .reg .pred q;\n"
            "ld.param.u64 x, [p]; ld.global.u32 a, [x]; setp.ne.u32 q, a, 0;\n"
            "@!q mad.wide.u32 y, a, a, x; st.global.u32 [x+4], a; @q sqrt.rn.f32 b, a;\n"
            "mul.lo.u32 c, a, b; st.global.u64 [x+8], y; st.global.u32 [x], c; ret; }",
            &err);
  if (!m) fail_msg("%s", err.text);
  const ptx_kernel *k = ptx_kernel_at(m, 0);
  const ptx_inst *mad = &k->insts[3], *root = &k->insts[5], *store = &k->insts[4];
  const uint16_t q = (uint16_t)k->n_regs, x = k->insts[0].dst[0], a = k->insts[1].dst[0];
  assert_int_equal(k->n_preds, 1);
  assert_int_equal(k->insts[0].n_dst, 2);
  assert_int_equal(k->insts[0].dst[1], x + 1);
  assert_int_equal(x % 2, 0);
  assert_int_equal(k->insts[2].dst[0], q);
  assert_int_equal(mad->cls, PTX_CLASS_IMUL);
  assert_int_equal(mad->n_src, 5); /* guard, a, a, x twice */
  assert_int_equal(mad->src[0], q);
  assert_int_equal(mad->src[1], a);
  assert_int_equal(mad->src[3], x);
  assert_int_equal(mad->src[4], x + 1);
  assert_int_equal(root->cls, PTX_CLASS_SFU);
  assert_int_equal(store->cls, PTX_CLASS_STORE);
  assert_int_equal(store->n_dst, 0);
  assert_int_equal(store->n_src, 3);
  assert_int_equal(store->line, 3);
  ptx_module_destroy(m);
}

/* What a text declares, as opposed to contains, takes no memory: not even when it ends in an error.
 */
static void test_declared_sizes(void **state) {
  (void)state;
  wf_error err;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  const char declared[] = ".const .b32 c[244444444] = {1, 2}; .global .b32 d = 3;\n"
                          ".entry k { .reg .b64 %rd<1000000000>; mov.u64 %rd999999999, 1; ret; }\n";
  ptx_module *m = parse(declared, &err);
  if (!m) fail_msg("%s", err.text);
  size_t bytes;
  const uint8_t *g = ptx_module_globals(m, &bytes);
  assert_int_equal(bytes, 4 * (244444444u + 1));
  const int32_t start[] = {1, 2, 0}, end[] = {0, 3};
  assert_memory_equal(g, start, sizeof start);
  assert_memory_equal(g + bytes - sizeof end, end, sizeof end);
  ptx_module_destroy(m);
  check_module_error(".const .b32 c[244444444] = {1, 2};\nwrong\n",
                     "file.ptx:2: expected .version");
  check_module_error(".global .b8 c[1000000000], d[1000000000];",
                     "take more than 1073741824 bytes");
  getrusage(RUSAGE_SELF, &after);
  assert_true(after.ru_maxrss - before.ru_maxrss < 32 * 1024); /* KiB */
}

/* Braces inside braces end at a limit; beside each other they may be many, each with its own label.
 */
static void test_many_scopes(void **state) {
  (void)state;
  enum { SIBLINGS = 200000 };
  wf_error err;
  char nested[400], *out = nested;
  for (int depth = 64; depth <= 65; depth++) {
    out = nested + sprintf(nested, ".entry k\n");
    for (int k = 0; k < depth; k++) *out++ = '{';
    out += sprintf(out, " bra a; a: ");
    for (int k = 0; k < depth; k++) *out++ = '}';
    *out = 0;
    ptx_module *m = parse(nested, &err);
    assert_int_equal(m != NULL, depth == 64);
    ptx_module_destroy(m);
  }
  assert_non_null(strstr(err.text, "file.ptx:2: more than 64 scopes inside each other"));
  const char one[] = "{a: bra a;}";
  char *text = malloc(SIBLINGS * sizeof one + 100);
  out = text + sprintf(text, ".entry k {");
  for (int k = 0; k < SIBLINGS; k++) out += sprintf(out, "%s", one);
  sprintf(out, "}");
  ptx_module *m = parse(text, &err);
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(ptx_kernel_at(m, 0)->n_insts, SIBLINGS);
  for (uint32_t k = 0; k < SIBLINGS; k++) assert_int_equal(ptx_kernel_at(m, 0)->insts[k].target, k);
  ptx_module_destroy(m);
  free(text);
}

/* The name of each kernel is compared with all before it. */
static void test_many_kernels(void **state) {
  (void)state;
  enum { KERNELS = 100000 };
  wf_error err;
  char *text = malloc(KERNELS * 32), *out = text;
  for (int k = 0; k < KERNELS; k++) out += sprintf(out, ".entry k%d {}\n", k);
  ptx_module *m = parse(text, &err);
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(ptx_kernel_count(m), KERNELS);
  ptx_module_destroy(m);
  sprintf(out, ".entry k77 {}\n");
  check_module_error(text, "file.ptx:100001: kernel 'k77' is defined twice");
  free(text);
}

/* One part of a module declares what another one defines, before and behind it. */
static void test_external(void **state) {
  (void)state;
  static const char text[] = ".extern .global .u32 x;\n"
                             ".entry k { .reg .u32 r; ld.global.u32 r, [x]; ret; }\n"
                             ".visible .global .u32 x = 7;\n.extern .global .u32 x;\n";
  wf_error err = {0};
  ptx_module *m = ptx_parse_text("file.ptx", text, strlen(text), NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  assert_non_null(ptx_kernel_at(m, 0));
  ptx_module_destroy(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_statement_errors),
      cmocka_unit_test(test_external),
      cmocka_unit_test(test_module_errors),
      cmocka_unit_test(test_module_contents),
      cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_label_at_end),
      cmocka_unit_test(test_described_registers),
      cmocka_unit_test(test_declared_sizes),
      cmocka_unit_test(test_many_scopes),
      cmocka_unit_test(test_many_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
