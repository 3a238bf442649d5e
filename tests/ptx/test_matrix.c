/* mma.sync, wmma, ldmatrix and mbarrier against plain C. Where the fragments' elements are is
 * written here as the PTX ISA tables it, shape by shape. */
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

/* ---- wmma: matrices from memory to memory, by each order of each ---- */

/* Registers of A and B as the PTX ISA tables them. */
static const struct wmma_shape {
  const char *name, *type;
  int rows, columns, depth, a, b;
} wmma_shapes[] = {
    {"m16n16k16", "f16", 16, 16, 16, 8, 8}, {"m8n32k16", "f16", 8, 32, 16, 8, 8},
    {"m32n8k16", "f16", 32, 8, 16, 8, 8},   {"m16n16k16", "bf16", 16, 16, 16, 4, 4},
    {"m8n32k16", "bf16", 8, 32, 16, 2, 8},  {"m32n8k16", "bf16", 32, 8, 16, 8, 2},
    {"m16n16k8", "tf32", 16, 16, 8, 4, 4},  {"m16n16k16", "s8", 16, 16, 16, 2, 2},
    {"m8n32k16", "s8", 8, 32, 16, 1, 4},    {"m32n8k16", "s8", 32, 8, 16, 4, 1},
    {"m16n16k16", "u8", 16, 16, 16, 2, 2},  {"m8n32k16", "u8", 8, 32, 16, 1, 4},
    {"m32n8k16", "u8", 32, 8, 16, 4, 1},
};

enum { AT_A = 0, AT_B = 2048, AT_C = 4096, AT_D = 6144 };

/* One of a kernel's matrices: where it is, and how. */
typedef struct lying {
  const char *type;
  int at, rows, columns, registers;
  bool by_column;
} lying;

static int bits_of(const char *type) {
  return type[1] == '8' ? 8 : strstr(type, "32") ? 32 : 16;
}
static int stride_of(const lying *l) { /* 16 bytes more than a line */
  return (l->by_column ? l->rows : l->columns) + 128 / bits_of(l->type);
}
static int sum_registers(const char *type) {
  return strcmp(type, "f16") ? 8 : 4;
}

static uint8_t *element_of(lane_machine *m, const lying *l, int row, int column) {
  const int stride = stride_of(l);
  return m->memory + l->at +
         (l->by_column ? column * stride + row : row * stride + column) * bits_of(l->type) / 8;
}
static double value_of(lane_machine *m, const lying *l, int row, int column) {
  uint32_t bits = 0;
  memcpy(&bits, element_of(m, l, row, column), (size_t)bits_of(l->type) / 8);
  return decode(l->type, bits);
}
static void set_random(lane_machine *m, const lying *l, wf_rng *rng) {
  const int range = l->type[1] == '8' ? 256 : 129;
  for (int row = 0; row < l->rows; row++)
    for (int column = 0; column < l->columns; column++) {
      const int n = (int)wf_rng_below(rng, (uint64_t)range) - range / 2;
      const uint32_t bits =
          l->type[0] == 's' && l->type[1] == '3' ? (uint32_t)n * 999u : encode(l->type, n);
      memcpy(element_of(m, l, row, column), &bits, (size_t)bits_of(l->type) / 8);
    }
}

static char *list(char *out, char letter, int n) {
  *out++ = '{';
  for (int k = 0; k < n; k++) out += sprintf(out, "%s%%%c%d", k ? "," : "", letter, k);
  return out + sprintf(out, "}");
}

static char *move(char *out, const char *what, const char *shape, const lying *l, char letter) {
  const bool store = what[0] == 's';
  char data[80];
  list(data, letter, l->registers);
  out += sprintf(out, "mov.u32 %%r1, %d;\nwmma.%s.sync.aligned.%s.%s%s.%s ", stride_of(l), what,
                 l->by_column ? "col" : "row", shape, l->at == AT_B ? "" : ".global", l->type);
  return store ? out + sprintf(out, "[%%d0+%d], %s, %%r1;\n", l->at, data)
               : out + sprintf(out, "%s, [%%d0+%d], %%r1;\n", data, l->at);
}

/* A, B and C from global memory, the product, D into global memory on the way through shared. */
static void wmma_text(char *out, const struct wmma_shape *s, const lying m[4], const char *more) {
  const bool halves = !strcmp(s->type, "f16");
  char types[40];
  snprintf(types, sizeof types, halves ? "%s.%s" : "%s.%s.%s.%s", m[3].type,
           halves ? m[2].type : s->type, s->type, m[2].type);
  out += sprintf(out, ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p0) {\n"
                      ".reg .b32 %%a<8>, %%b<8>, %%c<8>, %%e<8>, %%r<4>; .reg .b64 %%d<4>;\n"
                      ".shared .align 32 .b8 s[2048];\nld.param.u64 %%d0, [p0];\n");
  out = move(out, "load.a", s->name, &m[0], 'a');
  out = move(out, "load.b", s->name, &m[1], 'b');
  out = move(out, "load.c", s->name, &m[2], 'c');
  out +=
      sprintf(out, "test.here;\nwmma.mma.sync.aligned.%s.%s.%s.%s%s ",
              m[0].by_column ? "col" : "row", m[1].by_column ? "col" : "row", s->name, types, more);
  out = list(out, 'e', m[3].registers);
  for (int k = 0; k < 3; k++) out = list(out + sprintf(out, ", "), "abc"[k], m[k].registers);
  out += sprintf(out, ";\nwmma.store.d.sync.aligned.col.%s.shared.%s [s], ", s->name, m[3].type);
  out = list(out, 'e', m[3].registers);
  out += sprintf(out, ";\nmov.u32 %%r0, s;\nwmma.load.c.sync.aligned.col.%s.shared.%s ", s->name,
                 m[3].type);
  out = list(out, 'e', m[3].registers);
  out = move(out + sprintf(out, ", [%%r0];\n"), "store.d", s->name, &m[3], 'e');
  sprintf(out, "ret; }\n");
}

static void describe(lying m[4], const struct wmma_shape *s, const char *c, const char *d,
                     int way) {
  m[0] = (lying){s->type, AT_A, s->rows, s->depth, s->a, way & 1};
  m[1] = (lying){s->type, AT_B, s->depth, s->columns, s->b, way & 2};
  m[2] = (lying){c, AT_C, s->rows, s->columns, sum_registers(c), way & 4};
  m[3] = (lying){d, AT_D, s->rows, s->columns, sum_registers(d), way & 8};
}

static void check_wmma(const struct wmma_shape *s, const char *c, const char *d, int way) {
  char text[4096];
  lying l[4];
  lane_machine m;
  wf_rng rng;
  describe(l, s, c, d, way);
  wmma_text(text, s, l, "");
  machine_create(&m, text, HARNESS_MEMORY);
  wf_rng_seed(&rng, (uint64_t)way + 1);
  for (int k = 0; k < 3; k++) set_random(&m, &l[k], &rng);
  memset(m.memory + AT_D, 0x5a, 2048);
  machine_run(&m, UINT32_MAX);
  size_t written = 0;
  for (int row = 0; row < s->rows; row++)
    for (int column = 0; column < s->columns; column++) {
      double want = value_of(&m, &l[2], row, column);
      for (int k = 0; k < s->depth; k++)
        want += value_of(&m, &l[0], row, k) * value_of(&m, &l[1], k, column);
      const double got = value_of(&m, &l[3], row, column);
      const double slack = strcmp(d, "f16") ? 0 : ldexp(1, ilogb(want ? want : 1) - 11);
      if (!(fabs(got - want) <= slack))
        fail_msg("way %d: row %d, column %d: %g, should be %g\n%s", way, row, column, got, want,
                 text);
      memset(element_of(&m, &l[3], row, column), 0x5a, (size_t)bits_of(d) / 8);
      written += (size_t)bits_of(d) / 8;
    }
  for (int k = 0; k < 2048; k++) assert_int_equal(m.memory[AT_D + k], 0x5a); /* nothing beside */
  assert_int_equal(written, s->rows * s->columns * bits_of(d) / 8);
  machine_destroy(&m);
}

static void test_wmma(void **state) {
  static const char *const sums[] = {"f32", "f16"};
  (void)state;
  for (size_t k = 0; k < sizeof wmma_shapes / sizeof *wmma_shapes; k++) {
    const struct wmma_shape *s = &wmma_shapes[k];
    for (int way = 0; way < 16; way++) {
      const char *whole = s->type[1] == '8' ? "s32" : "f32";
      if (strcmp(s->type, "f16"))
        check_wmma(s, whole, whole, way);
      else
        for (int both = 0; both < 4; both++) check_wmma(s, sums[both & 1], sums[both >> 1], way);
    }
  }
}

/* What D[0][0] is where A[0][0], B[0][0] and C[0][0] are these bits, all else being 0. */
static uint32_t wmma_corner(int shape, const char *sum, const char *more, uint32_t a, uint32_t b,
                            uint32_t c) {
  const struct wmma_shape *s = &wmma_shapes[shape];
  char text[4096];
  lying l[4];
  lane_machine m;
  uint32_t d = 0;
  describe(l, s, sum, sum, 0);
  wmma_text(text, s, l, more);
  machine_create(&m, text, HARNESS_MEMORY);
  memcpy(m.memory + AT_A, &a, (size_t)bits_of(s->type) / 8);
  memcpy(m.memory + AT_B, &b, (size_t)bits_of(s->type) / 8);
  memcpy(m.memory + AT_C, &c, (size_t)bits_of(sum) / 8);
  machine_run(&m, UINT32_MAX);
  memcpy(&d, m.memory + AT_D, (size_t)bits_of(sum) / 8);
  machine_destroy(&m);
  return d;
}

static void test_wmma_corners(void **state) {
  (void)state;
  enum { F16 = 0, S8 = 7 };
  assert_int_equal(wmma_corner(S8, "s32", "", 0x7f, 0x7f, 0x7fffffff), 0x7fffffffu + 127 * 127);
  assert_int_equal(wmma_corner(S8, "s32", ".satfinite", 0x7f, 0x7f, 0x7fffffff), 0x7fffffff);
  assert_int_equal(wmma_corner(S8, "s32", ".satfinite", 0x80, 0x7f, 0x80000000), 0x80000000u);
  assert_int_equal(wmma_corner(F16, "f32", "", 0x7c00, 0xbc00, 0), 0xff800000u);
  assert_int_equal(wmma_corner(F16, "f32", ".satfinite", 0x7c00, 0xbc00, 0), 0xff7fffffu);
  assert_int_equal(wmma_corner(F16, "f32", "", 0x7c00, 0, 0), 0x7fffffff);
  assert_int_equal(wmma_corner(F16, "f16", ".satfinite", 0x7bff, 0x4000, 0), 0x7bff);
  assert_int_equal(wmma_corner(F16, "f16", "", 0x7bff, 0x4000, 0), 0x7c00);
}

/* A load may overwrite its own address and stride; the lanes of a matrix are a warp's. */
static void test_wmma_overlap(void **state) {
  (void)state;
  const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 p0) {\n"
      ".reg .b32 %r<8>; .reg .b64 %d<2>; ld.param.u64 %d0, [p0]; cvt.u32.u64 %r0, %d0;\n"
      "mov.u32 %r1, 16; cvt.u64.u32 %d1, %r0;\n"
      "wmma.load.c.sync.aligned.row.m16n16k16.global.s32 {%r1,%r0,%r2,%r3,%r4,%r5,%r6,%r7}, "
      "[%d1], %r1;\n"
      "wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%d0+1024], "
      "{%r1,%r0,%r2,%r3,%r4,%r5,%r6,%r7}; ret; }\n";
  lane_machine m;
  machine_create(&m, text, HARNESS_MEMORY);
  for (uint32_t k = 0; k < 256; k++) memcpy(m.memory + 4 * k, &k, 4);
  machine_run(&m, UINT32_MAX);
  assert_memory_equal(m.memory, m.memory + 1024, 1024);
  machine_destroy(&m);
}

static void test_wmma_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "wmma.load.a.sync.aligned.row.m8n8k4.f64 %d1, [%d0], 4;",
      "wmma.load.a.sync.aligned.row.m8n8k32.s4 %r0, [%d0], 32;",
      "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r0,%r1}, [%d0], 16;",
      "wmma.load.d.sync.aligned.row.m16n16k16.f32 {%r0,%r1}, [%d0], 16;",
      "wmma.load.c.sync.aligned.row.m16n16k8.s32 {%r0,%r1}, [%d0], 16;",
      "wmma.load.b.sync.aligned.m16n16k16.u8 {%r0,%r1}, [%d0], 16;",
      "wmma.mma.sync.aligned.row.m16n16k16.s32.s8.s8.s32 {%r0,%r1}, {%r0,%r1}, {%r0,%r1}, %r0;",
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.s8.s8.f32 {%r0}, {%r0}, {%r0}, {%r0};",
      "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%r0}, {%r0}, {%r0}, {%r0};",
      "wmma.fill %r0;",
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    char text[512];
    wf_error err = {0};
    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_80\n.address_size 64\n.entry k() {\n.reg .b32 %%r<4>; .reg "
             ".b64 %%d<2>;\n%s\nret; }",
             wrong[k]);
    if (ptx_parse_text("t", text, strlen(text), NULL, 0, &err)) fail_msg("taken: %s", wrong[k]);
    if (strncmp(err.text, "t:6: 'wmma.", 11)) fail_msg("%s: %s", wrong[k], err.text);
  }
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mma),          cmocka_unit_test(test_mma_corners),
      cmocka_unit_test(test_wmma),         cmocka_unit_test(test_wmma_corners),
      cmocka_unit_test(test_wmma_overlap), cmocka_unit_test(test_wmma_refused),
      cmocka_unit_test(test_ldmatrix),     cmocka_unit_test(test_stmatrix),
      cmocka_unit_test(test_mbarrier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
