/* Register allocation: random programs give the same memory with allocation as with a register of
 * its own for every virtual one; live values never share a register; counts are what they must be.
 */
#include "sim/ptx/allocate.h"
#include "sim/ptx/internal.h"
#include "tests/ptx/lane_harness.h"

enum { N_REGS = 12, N_BLOCKS = 8, MAX_STEPS = 2000 };

/* A program of N_BLOCKS blocks of random arithmetic over 32-, 64-bit and predicate registers, some
 * of it guarded, with random branches; a step counter ends it. Few registers are stored at the end,
 * so that others die in one branch while they live in another, and share places with values of
 * other widths. */
#define R(n) (unsigned)wf_rng_below(rng, n)
static char *random_instruction(char *out, wf_rng *rng, unsigned defined) {
  switch (R(11)) {
  case 9:
    out += sprintf(out, "mov.u32 %%r%u, %u;\n", R(defined), R(99));
    break;
  case 10:
    out += sprintf(out, "cvt.u64.u32 %%d%u, %%r%u;\n", R(defined), R(defined));
    break;
  case 0:
    out += sprintf(out, "add.u32 %%r%u, %%r%u, %%r%u;\n", R(defined), R(defined), R(defined));
    break;
  case 1:
    out += sprintf(out, "xor.b32 %%r%u, %%r%u, %u;\n", R(defined), R(defined), R(99999));
    break;
  case 2:
    out += sprintf(out, "mad.wide.s32 %%d%u, %%r%u, %%r%u, %%d%u;\n", R(defined), R(defined),
                   R(defined), R(defined));
    break;
  case 3:
    out += sprintf(out, "cvt.u32.u64 %%r%u, %%d%u;\n", R(defined), R(defined));
    break;
  case 4:
    out += sprintf(out, "mov.b64 {%%r%u, %%r%u}, %%d%u;\n", R(defined / 2),
                   defined / 2 + R(defined - defined / 2), R(defined));
    break;
  case 5:
    out += sprintf(out, "mov.b64 %%d%u, {%%r%u, %%r%u};\n", R(defined), R(defined), R(defined));
    break;
  case 6:
    out += sprintf(out, "setp.lt.and.s32 %%p0|%%p%u, %%r%u, %%r%u, %%p%u;\n", 1 + R(3), R(defined),
                   R(defined), R(4));
    break;
  case 7:
    out += sprintf(out, "selp.b64 %%d%u, %%d%u, %%d%u, %%p%u;\n", R(defined), R(defined),
                   R(defined), R(4));
    break;
  default:
    out += sprintf(out, "add.cc.u32 %%r%u, %%r%u, %%r%u; addc.u32 %%r%u, %%r%u, 7;\n", R(defined),
                   R(defined), R(defined), R(defined), R(defined));
    break;
  }
  return out;
}

static void random_program(char *out, wf_rng *rng) {
  out += sprintf(out,
                 ".entry k(.param .u64 p0) { .reg .b32 %%r<%d>, %%t, %%left; .reg .b64 %%d<%d>, "
                 "%%base, %%o; .reg .pred %%p<4>, %%end;\n",
                 N_REGS, N_REGS);
  out +=
      sprintf(out, "ld.param.u64 %%base, [p0]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%o, %%t, 256; "
                   "add.u64 %%base, %%base, %%o; mov.u32 %%left, 60;\n");
  const unsigned defined =
      2 + R(N_REGS - 2); /* the others are first written further on, or never */
  for (unsigned k = 0; k < defined; k++)
    out += sprintf(out, "ld.global.u32 %%r%u, [%%base+%u]; ld.global.u64 %%d%u, [%%base+%u];\n", k,
                   8 * k, k, 128 + 8 * (k % 8));
  for (unsigned k = 0; k < 4; k++)
    out += sprintf(out, "setp.lt.s32 %%p%u, %%r0, %u;\n", k, R(1u << 31));
  for (unsigned b = 0; b < N_BLOCKS; b++) {
    out += sprintf(
        out, "B%u: sub.u32 %%left, %%left, 1; setp.eq.u32 %%end, %%left, 0; @%%end bra E;\n", b);
    for (unsigned k = 1 + R(6); k--;) {
      if (R(8) == 0) out += sprintf(out, "@%s%%p%u ", R(2) ? "!" : "", R(4));
      out = random_instruction(out, rng, defined);
    }
    if (R(3)) out += sprintf(out, "@%%p%u bra B%u;\n", R(4), R(N_BLOCKS));
    if (R(4) == 0) out += sprintf(out, "bra B%u;\n", R(N_BLOCKS));
  }
  out += sprintf(out, "E:\n");
  for (unsigned k = 0; k < 2; k++)
    out += sprintf(out, "st.global.u32 [%%base+%u], %%r%u; st.global.u64 [%%base+%u], %%d%u;\n",
                   8 * k, k, 128 + 8 * k, k);
  sprintf(out, "ret; }\n");
#undef R
}

/* Every lane on its own, so that any divergence happens; ends when all have left. */
static void run_lanes(const ptx_kernel *k, uint8_t *memory, uint64_t bytes) {
  const uint64_t params[] = {0x10000};
  ptx_launch launch = {.kernel = k,
                       .params = (const uint8_t *)params,
                       .ntid = {32, 1, 1},
                       .nctaid = {1, 1, 1},
                       .global = memory,
                       .global_base = 0x10000,
                       .global_bytes = bytes};
  uint32_t(*reg)[PTX_LANES] = aligned_alloc(64, k->n_regs * sizeof *reg);
  memset(reg, 0xee, k->n_regs * sizeof *reg); /* nothing may depend on what was there */
  ptx_warp warp = {
      .launch = &launch, .reg = reg, .pred = malloc((k->n_preds + 1) * 4), .valid = UINT32_MAX};
  memset(warp.pred, 0xee, k->n_preds * 4);
  ptx_pc pc[PTX_LANES] = {0};
  ptx_effect e;
  wf_error err = {0};
  for (uint32_t step = 0; step < MAX_STEPS * PTX_LANES; step++) {
    /* The lane that is furthest behind, with all others at the same place. */
    ptx_pc least = k->n_insts;
    uint32_t mask = 0;
    for (int i = 0; i < PTX_LANES; i++) least = pc[i] < least ? pc[i] : least;
    if (least == k->n_insts) break;
    for (int i = 0; i < PTX_LANES; i++) mask |= (uint32_t)(pc[i] == least) << i;
    const ptx_inst *inst = &k->insts[least];
    if (!ptx_execute(inst, &warp, mask, &e, &err)) fail_msg("%s", err.text);
    for (int i = 0; i < PTX_LANES; i++)
      if ((mask >> i) & 1)
        pc[i] = (e.taken >> i) & 1                                   ? inst->target
                : inst->cls == PTX_CLASS_EXIT && (e.active >> i) & 1 ? k->n_insts
                                                                     : least + 1;
  }
  for (int i = 0; i < PTX_LANES; i++) assert_int_equal(pc[i], k->n_insts);
  free(warp.pred);
  free(reg);
}

static void test_same_results(void **state) {
  (void)state;
  static char text[1 << 16];
  enum { BYTES = 32 * 256 };
  uint8_t *plain = malloc(BYTES), *allocated = malloc(BYTES);
  wf_rng rng;
  wf_rng_seed(&rng, 42);
  uint32_t saved = 0;
  for (int round = 0; round < 1500; round++) {
    wf_error err = {0};
    random_program(text, &rng);
    ptx_module *a = ptx_parse_internal("a", text, strlen(text), NULL, 0, true, &err);
    ptx_module *b = ptx_parse_text("b", text, strlen(text), NULL, 0, &err);
    if (!a || !b) fail_msg("%s\n%s", err.text, text);
    for (int i = 0; i < BYTES; i += 8) {
      const uint64_t v = wf_rng_next(&rng);
      memcpy(plain + i, &v, 8);
    }
    memcpy(allocated, plain, BYTES);
    run_lanes(ptx_kernel_at(a, 0), plain, BYTES);
    run_lanes(ptx_kernel_at(b, 0), allocated, BYTES);
    if (memcmp(plain, allocated, BYTES) != 0) fail_msg("round %d differs:\n%s", round, text);
    assert_true(ptx_kernel_at(b, 0)->n_regs <= ptx_kernel_at(a, 0)->n_regs);
    saved += ptx_kernel_at(a, 0)->n_regs - ptx_kernel_at(b, 0)->n_regs;
    ptx_module_destroy(a);
    ptx_module_destroy(b);
  }
  assert_true(saved > 400); /* allocation did share registers */
  free(plain);
  free(allocated);
}

/* ---- no two live values in one register ---- */
static bool ranges_meet(const ptx_ranges *r, uint32_t a, uint32_t b) {
  for (uint32_t i = r->first[a]; i < r->first[a + 1]; i++)
    for (uint32_t j = r->first[b]; j < r->first[b + 1]; j++)
      if (r->items[i].start < r->items[j].end && r->items[j].start < r->items[i].end) return true;
  return false;
}

static void check_allocation(const ptx_ranges *r, const uint8_t *classes) {
  ptx_allocation a = ptx_allocate(r, classes);
  for (uint32_t v = 0; v < r->n_vregs; v++) {
    const uint32_t width = classes[v] == PTX_CLASS_WIDE ? 2 : 1;
    if (r->first[v] == r->first[v + 1]) continue;
    assert_true(classes[v] != PTX_CLASS_WIDE || a.reg[v] % 2 == 0);
    assert_true(a.reg[v] + width <= (classes[v] == PTX_CLASS_PRED ? a.n_preds : a.n_regs));
    for (uint32_t u = 0; u < v; u++) {
      if ((classes[u] == PTX_CLASS_PRED) != (classes[v] == PTX_CLASS_PRED)) continue;
      const uint32_t other = classes[u] == PTX_CLASS_WIDE ? 2 : 1;
      if (a.reg[u] < a.reg[v] + width && a.reg[v] < a.reg[u] + other)
        assert_false(ranges_meet(r, u, v));
    }
  }
  free(a.reg);
}

static void test_no_overlap(void **state) {
  (void)state;
  wf_rng rng;
  wf_rng_seed(&rng, 3);
  enum { VREGS = 60 };
  for (int round = 0; round < 300; round++) {
    static ptx_range items[VREGS * 4];
    uint32_t first[VREGS + 1], n = 0;
    uint8_t classes[VREGS];
    for (uint32_t v = 0; v < VREGS; v++) {
      classes[v] = (uint8_t)wf_rng_below(&rng, 3);
      first[v] = n;
      uint32_t at = (uint32_t)wf_rng_below(&rng, 300);
      for (uint64_t k = wf_rng_below(&rng, 5); k > 0; k--) {
        const uint32_t length = 1 + (uint32_t)wf_rng_below(&rng, 40);
        items[n++] = (ptx_range){v, at, at + length};
        at += length + 1 + (uint32_t)wf_rng_below(&rng, 50);
      }
    }
    first[VREGS] = n;
    check_allocation(&(ptx_ranges){items, first, VREGS}, classes);
  }
}

/* ---- counts on programs small enough to count by hand ---- */
static void check_count(const char *body, uint32_t regs, uint32_t preds) {
  char text[2048];
  wf_error err = {0};
  join_text(text, sizeof text,
            ".entry k(.param .u64 p) { .reg .b32 a, b, c, d; .reg .b64 x, y; "
            ".reg .pred q, s;\n",
            body, "\nret; }", NULL);
  ptx_module *m = ptx_parse_text("count", text, strlen(text), NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  const ptx_kernel *k = ptx_kernel_at(m, 0);
  if (k->n_regs != regs || k->n_preds != preds)
    fail_msg("%s: %u registers and %u predicates, should be %u and %u", body, k->n_regs, k->n_preds,
             regs, preds);
  ptx_module_destroy(m);
}

static void test_counts(void **state) {
  (void)state;
  check_count("", 1, 0); /* never none */
  check_count("mov.u32 a, 1; add.u32 b, a, 1; add.u32 c, b, 1;", 1, 0);
  check_count("mov.u32 a, 1; mov.u32 b, 2; add.u32 c, a, b;", 2, 0);
  check_count("mov.u64 x, 1; add.u64 y, x, 1; mov.u32 a, 3;", 2, 0);
  check_count("mov.u32 a, 1; mov.u64 x, 1; cvt.u64.u32 y, a; add.u64 x, x, y;", 4, 0);
  check_count("setp.eq.u32 q, 1, 1; @q mov.u32 a, 1; setp.eq.u32 s, 2, 2; @s mov.u32 b, 1;", 1, 1);
  /* a lives around the loop while b and c come and go */
  check_count("mov.u32 a, 9; L: mov.u32 b, 1; add.u32 c, b, 1; sub.u32 a, a, c; "
              "setp.ne.u32 q, a, 0; @q bra L;",
              2, 1);
  /* a guarded write keeps the old value alive */
  check_count("mov.u32 a, 9; setp.eq.u32 q, 1, 1; mov.u32 b, 3; @q mov.u32 a, b; add.u32 c, a, 1;",
              2, 1);
  /* holes: a is dead between its two lives, b fits there */
  check_count("mov.u32 a, 9; add.u32 d, a, 1; mov.u32 b, 1; add.u32 d, d, b; mov.u32 a, 2; "
              "add.u32 d, d, a;",
              2, 0);
}

/* Many registers and blocks: allocation stays fast and right in size. */
static void test_large_kernel(void **state) {
  (void)state;
  enum { N = 20000 };
  char *text = malloc(N * 120 + 200), *out = text;
  wf_error err = {0};
  out += sprintf(out, ".entry k { .reg .b32 %%r<%d>; .reg .pred %%p<%d>; mov.u32 %%r0, 1;\n", N + 1,
                 N + 1);
  for (int i = 0; i < N; i++)
    out +=
        sprintf(out, "add.u32 %%r%d, %%r%d, 1; setp.eq.u32 %%p%d, %%r%d, 3; @%%p%d bra L%d; L%d:\n",
                i + 1, i, i, i, i, i, i);
  sprintf(out, "ret; }");
  ptx_module *m = ptx_parse_text("large", text, strlen(text), NULL, 0, &err);
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(ptx_kernel_at(m, 0)->n_insts, 1 + 3 * N + 1);
  assert_true(ptx_kernel_at(m, 0)->n_regs <= 2);
  assert_int_equal(ptx_kernel_at(m, 0)->n_preds, 1);
  ptx_module_destroy(m);
  free(text);
}

static ptx_module *parse_and_free(char *text, wf_error *err) {
  *err = (wf_error){0};
  ptx_module *m = ptx_parse_text("limit", text, strlen(text), NULL, 0, err);
  free(text);
  return m;
}

/* n registers that all hold values at once. */
static ptx_module *all_live(int n, wf_error *err) {
  char *text = malloc((size_t)n * 64 + 200), *out = text;
  out += sprintf(out, ".entry k { .reg .b32 %%s, %%r<%d>; mov.u32 %%s, 1;\n", n);
  for (int i = 0; i < n; i++) out += sprintf(out, "mov.u32 %%r%d, 1;\n", i);
  for (int i = 0; i < n; i++) out += sprintf(out, "add.u32 %%s, %%s, %%r%d;\n", i);
  sprintf(out, "ret; }");
  return parse_and_free(text, err);
}

/* n blocks in a chain that runs from the text's end to its start, each with a register of its own
 * that the first block writes: n^2 / 2 live registers over the blocks, in the order worst for
 * iterating. */
static ptx_module *backward_chain(int n, wf_error *err) {
  char *text = malloc((size_t)n * 80 + 200), *out = text;
  out += sprintf(out, ".entry k { .reg .b32 %%r<%d>;\n", n);
  for (int i = 0; i < n; i++) out += sprintf(out, "mov.u32 %%r%d, 1;\n", i);
  out += sprintf(out, "bra L%d;\n", n - 1);
  for (int i = 0; i < n; i++)
    out += sprintf(out, "L%d: add.u32 %%r%d, %%r%d, 1; bra L%d;\n", i, i, i, i ? i - 1 : n);
  sprintf(out, "L%d: ret; }", n);
  return parse_and_free(text, err);
}

/* Beyond the limits, a message, and soon; just below them, the right answer. */
static void test_limits(void **state) {
  (void)state;
  wf_error err;
  ptx_module *m = all_live(PTX_REGISTER_LIMIT - 1, &err);
  assert_non_null(m);
  assert_int_equal(ptx_kernel_at(m, 0)->n_regs, PTX_REGISTER_LIMIT);
  ptx_module_destroy(m);
  const int too_many[] = {PTX_REGISTER_LIMIT, 100000};
  for (int k = 0; k < 2; k++) {
    assert_null(all_live(too_many[k], &err));
    assert_non_null(strstr(err.text, "kernel k needs more than 4096 registers"));
  }
  m = backward_chain(2046, &err); /* 2046 * 2047 / 2 < 2^21 */
  if (!m) fail_msg("%s", err.text);
  assert_int_equal(ptx_kernel_at(m, 0)->n_regs, 2046);
  ptx_module_destroy(m);
  const int too_long[] = {2048, 20000}; /* 2048 * 2049 / 2 > 2^21 */
  for (int k = 0; k < 2; k++) {
    assert_null(backward_chain(too_long[k], &err));
    assert_non_null(strstr(err.text, "kernel k is too large to allocate registers for: over its "));
    assert_non_null(strstr(err.text, "blocks more than 2097152 live registers"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_results), cmocka_unit_test(test_no_overlap),
      cmocka_unit_test(test_counts),       cmocka_unit_test(test_large_kernel),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
