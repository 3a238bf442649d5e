/* mma.sync, ldmatrix and mbarrier against plain C. Where the fragments' elements are is written
 * here as the PTX ISA tables it, shape by shape. */
#include <math.h>

#include "tests/ptx/lane_harness.h"

typedef struct place {
  int row, column;
} place;

/* Element i of a lane's part of A; group = lane / 4, in = lane % 4. */
static place a_half16(int group, int in, int i) { /* m16n8k16, f16 and bf16 */
  return (place){i < 2 || (i >= 4 && i < 6) ? group : group + 8,
                 in * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
}
static place a_half8(int group, int in, int i) { /* m16n8k8 */
  return (place){i < 2 ? group : group + 8, in * 2 + (i & 1)};
}
static place a_single4(int group, int in, int i) { /* m16n8k4, tf32 */
  return (place){i == 0 ? group : group + 8, in};
}
static place a_single8(int group, int in, int i) { /* m16n8k8, tf32 */
  return (place){i == 0 || i == 2 ? group : group + 8, i < 2 ? in : in + 4};
}
static place a_byte16(int group, int in, int i) { /* m16n8k16, s8 and u8 */
  return (place){i < 4 ? group : group + 8, in * 4 + (i & 3)};
}
static place a_byte32(int group, int in, int i) { /* m16n8k32 */
  return (place){i < 4 || (i >= 8 && i < 12) ? group : group + 8,
                 in * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
}
/* Element i of B: which of the inner dimension. */
static int b_half(int in, int i) {
  return in * 2 + (i & 1) + (i >= 2 ? 8 : 0);
}
static int b_single(int in, int i) {
  return in + 4 * i;
}
static int b_byte(int in, int i) {
  return in * 4 + (i & 3) + (i >= 4 ? 16 : 0);
}

typedef struct shape {
  const char *name, *a, *b, *sum; /* types */
  int words_a, words_b, bits, depth;
  place (*at_a)(int group, int in, int i);
  int (*at_b)(int in, int i);
} shape;

static const shape shapes[] = {
    {"m16n8k8", "f16", "f16", "f32", 2, 1, 16, 8, a_half8, b_half},
    {"m16n8k16", "f16", "f16", "f32", 4, 2, 16, 16, a_half16, b_half},
    {"m16n8k8", "f16", "f16", "f16", 2, 1, 16, 8, a_half8, b_half},
    {"m16n8k16", "f16", "f16", "f16", 4, 2, 16, 16, a_half16, b_half},
    {"m16n8k8", "bf16", "bf16", "f32", 2, 1, 16, 8, a_half8, b_half},
    {"m16n8k16", "bf16", "bf16", "f32", 4, 2, 16, 16, a_half16, b_half},
    {"m16n8k4", "tf32", "tf32", "f32", 2, 1, 32, 4, a_single4, b_single},
    {"m16n8k8", "tf32", "tf32", "f32", 4, 2, 32, 8, a_single8, b_single},
    {"m16n8k16", "s8", "s8", "s32", 2, 1, 8, 16, a_byte16, b_byte},
    {"m16n8k16", "u8", "s8", "s32", 2, 1, 8, 16, a_byte16, b_byte},
    {"m16n8k32", "s8", "s8", "s32", 4, 2, 8, 32, a_byte32, b_byte},
    {"m16n8k32", "s8", "u8", "s32", 4, 2, 8, 32, a_byte32, b_byte},
    {"m16n8k32", "u8", "u8", "s32", 4, 2, 8, 32, a_byte32, b_byte},
};

/* ---- numbers ---- */

/* A number of few bits as an element, whose products and sums are exact. */
static uint32_t encode(const char *type, int n) {
  const float x = (float)n / 8;
  uint32_t bits;
  memcpy(&bits, &x, 4);
  if (type[1] == '8') return (uint8_t)n;
  if (!strcmp(type, "bf16")) return bits >> 16;
  if (!strcmp(type, "tf32") || !strcmp(type, "f32")) return bits;
  if (n == 0) return 0;
  return (bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 1023);
}

static double decode(const char *type, uint32_t bits) {
  float x;
  if (!strcmp(type, "s8")) return (int8_t)bits;
  if (!strcmp(type, "u8")) return (uint8_t)bits;
  if (!strcmp(type, "s32")) return (int32_t)bits;
  if (!strcmp(type, "bf16")) bits <<= 16;
  if (!strcmp(type, "f16")) {
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (bits & 1023) + (exponent ? 1024 : 0);
    return (bits & 0x8000 ? -1 : 1) * ldexp(fraction, (exponent ? exponent : 1) - 25);
  }
  memcpy(&x, &bits, 4);
  return (double)x;
}

enum { WORDS = 16 }; /* planes of memory: A, B, C, D */

static uint32_t *plane(lane_machine *m, int k) {
  return (uint32_t *)(void *)m->memory + 32 * k;
}

static uint32_t get(lane_machine *m, int first, int lane, int i, int bits) {
  const int per = 32 / bits;
  const uint32_t word = plane(m, first + i / per)[lane] >> i % per * bits;
  return bits == 32 ? word : word & ((1u << bits) - 1);
}

static void fill(lane_machine *m, int first, int words, const char *type, int bits, wf_rng *rng) {
  for (int k = 0; k < words; k++)
    for (int lane = 0; lane < 32; lane++) {
      uint32_t word = 0;
      for (int part = 0; part < 32; part += bits) {
        const int range = type[1] == '8' ? 256 : 129;
        word |= encode(type, (int)wf_rng_below(rng, (uint64_t)range) - range / 2) << part;
      }
      plane(m, first + k)[lane] = word;
    }
}

static void kernel_of(const shape *s, char *out) {
  const int sums = !strcmp(s->sum, "f16") ? 2 : 4;
  out += sprintf(out, ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                      ".reg .b32 %%r<20>; .reg .b64 %%d<4>;\nld.param.u64 %%d0, [p0]; mov.u32 "
                      "%%r19, %%tid.x;\nmul.wide.u32 %%d1, %%r19, 4; add.u64 %%d0, %%d0, %%d1;\n");
  for (int k = 0; k < WORDS; k++)
    out += sprintf(out, "ld.global.b32 %%r%d, [%%d0+%d];\n", k, 128 * k);
  out += sprintf(
      out, "test.here;\nmma.sync.aligned.%s.row.col.%s.%s.%s.%s {%%r12,%%r13%s}, {%%r0,%%r1%s}, ",
      s->name, s->sum, s->a, s->b, s->sum, sums == 4 ? ",%r14,%r15" : "",
      s->words_a == 4 ? ",%r2,%r3" : "");
  out += sprintf(out, "{%%r4%s}, {%%r8,%%r9%s};\n", s->words_b == 2 ? ",%r5" : "",
                 sums == 4 ? ",%r10,%r11" : "");
  for (int k = 12; k < WORDS; k++)
    out += sprintf(out, "st.global.b32 [%%d0+%d], %%r%d;\n", 128 * k, k);
  sprintf(out, "ret; }\n");
}

static void check_shape(const shape *s) {
  char text[4096];
  lane_machine m;
  wf_rng rng;
  kernel_of(s, text);
  machine_create(&m, text, HARNESS_MEMORY);
  wf_rng_seed(&rng, 3);
  const bool pairs = !strcmp(s->sum, "f16");
  for (int round = 0; round < 50; round++) {
    double a[16][32] = {{0}}, b[32][8] = {{0}};
    fill(&m, 0, 4, s->a, s->bits, &rng);
    fill(&m, 4, 2, s->b, s->bits, &rng);
    fill(&m, 8, 4, s->sum[0] == 's' ? "s8" : s->sum, pairs ? 16 : 32, &rng);
    for (int lane = 0; lane < 32; lane++) {
      for (int i = 0; i < s->words_a * 32 / s->bits; i++) {
        const place at = s->at_a(lane / 4, lane % 4, i);
        a[at.row][at.column] = decode(s->a, get(&m, 0, lane, i, s->bits));
      }
      for (int i = 0; i < s->words_b * 32 / s->bits; i++)
        b[s->at_b(lane % 4, i)][lane / 4] = decode(s->b, get(&m, 4, lane, i, s->bits));
    }
    machine_run(&m, UINT32_MAX);
    for (int lane = 0; lane < 32; lane++)
      for (int i = 0; i < 4; i++) {
        const int row = i < 2 ? lane / 4 : lane / 4 + 8, column = lane % 4 * 2 + (i & 1);
        double want = decode(s->sum, get(&m, 8, lane, i, pairs ? 16 : 32));
        for (int k = 0; k < s->depth; k++) want += a[row][k] * b[k][column];
        double got = decode(s->sum, get(&m, 12, lane, i, pairs ? 16 : 32));
        /* Sums of f16 take more bits than it has: within half of its last one. */
        const double slack = pairs ? ldexp(1, ilogb(want ? want : 1) - 11) : 0;
        if (!(fabs(got - want) <= slack))
          fail_msg("%s.%s.%s into %s: row %d, column %d: %g, should be %g", s->name, s->a, s->b,
                   s->sum, row, column, got, want);
      }
  }
  machine_destroy(&m);
}

static void test_mma(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) check_shape(&shapes[k]);
}

/* What is no number, or too large for the sum. */
static void test_mma_corners(void **state) {
  (void)state;
  char text[4096];
  lane_machine m;
  kernel_of(&shapes[1], text);
  machine_create(&m, text, HARNESS_MEMORY);
  plane(&m, 0)[0] = 0x7c00; /* A[0][0]: infinity */
  plane(&m, 4)[0] = 0x3c00; /* B[0][0]: 1 */
  plane(&m, 4)[4] = 0xbc00; /* B[0][1]: -1 */
  machine_run(&m, UINT32_MAX);
  assert_int_equal(plane(&m, 12)[0], 0x7f800000);
  assert_int_equal(plane(&m, 13)[0], 0xff800000);
  assert_int_equal(plane(&m, 12)[1], 0x7fffffff); /* infinity times 0 */
  assert_int_equal(plane(&m, 12)[4], 0);
  machine_destroy(&m);
}

/* ---- ldmatrix ---- */

static void check_ldmatrix(int count, bool trans) {
  char text[2048], *out = text;
  static const char *const into[] = {"", "{%r4}", "{%r4,%r5}", "", "{%r4,%r5,%r6,%r7}"};
  out += sprintf(out, ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                      ".reg .b32 %%r<9>; .reg .b64 %%d<4>; .shared .align 16 .b8 s[512];\n"
                      "ld.param.u64 %%d0, [p0]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, s;\n"
                      "mul.wide.u32 %%d1, %%r0, 4; add.u64 %%d0, %%d0, %%d1;\n"
                      "shl.b32 %%r2, %%r0, 4; add.u32 %%r1, %%r1, %%r2;\n");
  for (int k = 0; k < 4; k++)
    out += sprintf(out, "ld.global.b32 %%r3, [%%d0+%d]; st.shared.b32 [%%r1+%d], %%r3;\n", 128 * k,
                   4 * k);
  /* Rows in reverse order, so that addresses matter. */
  out += sprintf(out,
                 "mov.u32 %%r1, s; sub.u32 %%r2, 496, %%r2; add.u32 %%r1, %%r1, %%r2;\n"
                 "test.here;\nldmatrix.sync.aligned.m8n8.x%d%s.shared.b16 %s, [%%r1];\n",
                 count, trans ? ".trans" : "", into[count]);
  for (int k = 0; k < count; k++)
    out += sprintf(out, "st.global.b32 [%%d0+%d], %%r%d;\n", 512 + 128 * k, 4 + k);
  sprintf(out, "ret; }\n");
  lane_machine m;
  wf_rng rng;
  machine_create(&m, text, HARNESS_MEMORY);
  wf_rng_seed(&rng, 9);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 32; i++) plane(&m, k)[i] = (uint32_t)wf_rng_next(&rng);
  machine_run(&m, UINT32_MAX);
  for (int j = 0; j < count; j++)
    for (int lane = 0; lane < 32; lane++)
      for (int k = 0; k < 2; k++) {
        const int row = trans ? lane % 4 * 2 + k : lane / 4,
                  column = trans ? lane / 4 : lane % 4 * 2 + k;
        const int giver = 31 - (8 * j + row); /* row r is what lane r stored */
        const uint32_t want = plane(&m, column / 2)[giver] >> 16 * (column % 2) & 0xffff;
        assert_int_equal(plane(&m, 4 + j)[lane] >> 16 * k & 0xffff, want);
      }
  machine_destroy(&m);
}

static void test_ldmatrix(void **state) {
  (void)state;
  for (int count = 1; count <= 4; count *= 2)
    for (int trans = 0; trans < 2; trans++) check_ldmatrix(count, trans);
}

/* ---- stmatrix: all matrices, to rows in reverse order ---- */

static void check_stmatrix(int count, bool trans) {
  char text[2048], *out = text;
  static const char *const from[] = {"", "{%r4}", "{%r4,%r5}", "", "{%r4,%r5,%r6,%r7}"};
  out += sprintf(out, ".version 7.8\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                      ".reg .b32 %%r<9>; .reg .b64 %%d<4>; .shared .align 16 .b8 s[512];\n"
                      "ld.param.u64 %%d0, [p0]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, s;\n"
                      "mul.wide.u32 %%d1, %%r0, 4; add.u64 %%d0, %%d0, %%d1;\n"
                      "shl.b32 %%r2, %%r0, 4; add.u32 %%r3, %%r1, %%r2;\n"
                      "sub.u32 %%r2, 496, %%r2; add.u32 %%r1, %%r1, %%r2;\n");
  for (int k = 0; k < 4; k++)
    out += sprintf(out, "ld.global.b32 %%r%d, [%%d0+%d]; st.shared.b32 [%%r3+%d], -1;\n", 4 + k,
                   128 * k, 4 * k);
  out += sprintf(
      out, "test.here;\nstmatrix.sync.aligned.m8n8.x%d%s.shared.b16 [%%r1], %s;\nbar.sync 0;\n",
      count, trans ? ".trans" : "", from[count]);
  for (int k = 0; k < 4; k++)
    out += sprintf(out, "ld.shared.b32 %%r8, [%%r3+%d]; st.global.b32 [%%d0+%d], %%r8;\n", 4 * k,
                   512 + 128 * k);
  sprintf(out, "ret; }\n");
  lane_machine m;
  wf_rng rng;
  uint16_t want[32][8]; /* by lane whose 16 bytes they are */
  memset(want, 0xff, sizeof want);
  machine_create(&m, text, HARNESS_MEMORY);
  wf_rng_seed(&rng, 9);
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 32; i++) plane(&m, k)[i] = (uint32_t)wf_rng_next(&rng);
  for (int j = 0; j < count; j++)
    for (int lane = 0; lane < 32; lane++)
      for (int k = 0; k < 2; k++) {
        const int row = 8 * j + (trans ? lane % 4 * 2 + k : lane / 4),
                  column = trans ? lane / 4 : lane % 4 * 2 + k;
        want[31 - row][column] = (uint16_t)(plane(&m, j)[lane] >> 16 * k);
      }
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++)
    for (int column = 0; column < 8; column++)
      assert_int_equal(plane(&m, 4 + column / 2)[lane] >> 16 * (column % 2) & 0xffff,
                       want[lane][column]);
  machine_destroy(&m);
}

static void test_stmatrix(void **state) {
  (void)state;
  for (int count = 1; count <= 4; count *= 2)
    for (int trans = 0; trans < 2; trans++) check_stmatrix(count, trans);
}

/* ---- mbarrier: 32 arrivals a phase, and what tests say before and after the last ---- */

static void test_mbarrier(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p0) {\n"
      ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred p, q; .shared .align 8 .b64 s;\n"
      "ld.param.u64 %d0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4;\n"
      "add.u64 %d0, %d0, %d1; setp.lt.u32 p, %r0, 12; setp.eq.u32 q, %r0, 31;\n"
      "mbarrier.init.shared.b64 [s], 33;\n"
      "@p mbarrier.arrive.shared.b64 %d2, [s];\n"
      "@p mbarrier.test_wait.shared.b64 q, [s], %d2; selp.u32 %r1, 1, 0, q; @!p mov.u32 %r1, 0;\n"
      "mbarrier.test_wait.parity.shared.b64 q, [s], 0; selp.u32 %r2, 1, 0, q;\n"
      "@!p mbarrier.arrive.shared.b64 %d2, [s], 1;\n"
      "setp.eq.u32 q, %r0, 31; @q mbarrier.arrive.shared.b64 _, [s];\n"
      "mbarrier.try_wait.shared.b64 q, [s], %d2; selp.u32 %r3, 1, 0, q;\n"
      "mbarrier.try_wait.parity.shared.b64 q, [s], 0; selp.u32 %r4, 1, 0, q;\n"
      "mbarrier.try_wait.parity.shared.b64 q, [s], 1; selp.u32 %r5, 1, 0, q;\n"
      "shl.b32 %r2, %r2, 1; or.b32 %r1, %r1, %r2; shl.b32 %r3, %r3, 2; or.b32 %r1, %r1, %r3;\n"
      "shl.b32 %r4, %r4, 3; or.b32 %r1, %r1, %r4; shl.b32 %r5, %r5, 4; or.b32 %r1, %r1, %r5;\n"
      "st.global.b32 [%d0], %r1; ret; }\n";
  lane_machine m;
  machine_create(&m, text, HARNESS_MEMORY);
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++) assert_int_equal(plane(&m, 0)[lane], 4 + 8);
  machine_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mma), cmocka_unit_test(test_mma_corners),
                                     cmocka_unit_test(test_ldmatrix),
                                     cmocka_unit_test(test_stmatrix),
                                     cmocka_unit_test(test_mbarrier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
