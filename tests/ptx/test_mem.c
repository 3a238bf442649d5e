/* Loads, stores and atomics in every space, their effects, and precise faults. */
#include "sim/ptx/half.h"
#include "tests/ptx/float_reference.h"
#include "tests/ptx/lane_harness.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"
#define OPEN                                                                                       \
  HEAD ".entry k(.param .u64 p0) {\n.reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; "         \
       ".reg .f32 %f<8>; .reg .f64 %g<8>; .reg .pred %p<8>;\n"
#define CLOSE "\nret; }\n"
#define KERNEL(body) OPEN body CLOSE
/* %d0: the buffer, %d1: lane * 8, %d2: buffer + lane * 8, %r0: lane */
#define SETUP                                                                                      \
  "ld.param.u64 %d0, [p0]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 8; "                        \
  "add.u64 %d2, %d0, %d1;\n"

static void run(lane_machine *m, const char *text) {
  machine_create(m, text, 4096);
  for (int i = 0; i < 2048; i++) m->memory[i] = (uint8_t)(i * 37 + 11);
}

static uint64_t value_at(const lane_machine *m, int at, int bytes) {
  uint64_t v = 0;
  memcpy(&v, m->memory + at, (size_t)bytes);
  return v;
}

/* ---- extension: every memory type into every register wide enough ---- */
static int64_t sign_extended(uint64_t v, int bytes) {
  return (int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static void check_extension(const char *type, int bytes, bool is_signed, char reg, int width) {
  char text[1024], body[256];
  snprintf(body, sizeof body,
           "test.here; ld.global.%s %%%c1, [%%d2]; st.global.b%d [%%d2+1024], %%%c1;", type, reg,
           8 * width, reg);
  join_text(text, sizeof text, OPEN, SETUP, body, CLOSE, NULL);
  lane_machine m;
  run(&m, text);
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++) {
    const uint64_t raw = value_at(&m, 8 * lane, bytes);
    uint64_t want = is_signed ? (uint64_t)sign_extended(raw, bytes) : raw;
    if (width < 8) want &= ((uint64_t)1 << (8 * width)) - 1;
    assert_int_equal(value_at(&m, 1024 + 8 * lane, width), want);
  }
  machine_destroy(&m);
}

static void test_load_extension(void **state) {
  (void)state;
  const struct {
    const char *type;
    int bytes;
    bool is_signed;
  } types[] = {{"u8", 1, false},  {"s8", 1, true},   {"b8", 1, false},  {"u16", 2, false},
               {"s16", 2, true},  {"b16", 2, false}, {"u32", 4, false}, {"s32", 4, true},
               {"b32", 4, false}, {"u64", 8, false}, {"s64", 8, true},  {"b64", 8, false}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    if (types[t].bytes <= 2)
      check_extension(types[t].type, types[t].bytes, types[t].is_signed, 'h', 2);
    if (types[t].bytes <= 4)
      check_extension(types[t].type, types[t].bytes, types[t].is_signed, 'r', 4);
    check_extension(types[t].type, types[t].bytes, types[t].is_signed, 'd', 8);
  }
}

/* A register wider than the type stores its low bytes, and only those. */
static void test_narrow_store(void **state) {
  (void)state;
  lane_machine m;
  run(&m, KERNEL(SETUP "mov.u64 %d3, 0x1122334455667788; mov.u32 %r3, 0x99aabbcc; "
                       "st.global.u8 [%d2], %d3; st.global.u16 [%d2+256], %r3; "
                       "st.global.u32 [%d2+512], %d3; st.global.u8 [%d2+768], 255;"));
  uint8_t before[2048];
  memcpy(before, m.memory, sizeof before);
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++) {
    assert_int_equal(value_at(&m, 8 * lane, 1), 0x88);
    assert_memory_equal(m.memory + 8 * lane + 1, before + 8 * lane + 1, 7);
    assert_int_equal(value_at(&m, 256 + 8 * lane, 2), 0xbbcc);
    assert_memory_equal(m.memory + 256 + 8 * lane + 2, before + 256 + 8 * lane + 2, 6);
    assert_int_equal(value_at(&m, 512 + 8 * lane, 4), 0x55667788);
    assert_int_equal(value_at(&m, 768 + 8 * lane, 1), 0xff);
  }
  machine_destroy(&m);
}

static void test_vectors(void **state) {
  (void)state;
  lane_machine m;
  run(&m,
      KERNEL(SETUP "add.u64 %d3, %d2, %d1; \n" /* buffer + lane * 16 */
                   "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d3]; "
                   "st.global.v4.u32 [%d3+1024], {%r4, %r3, %r2, %r1}; "
                   "ld.global.v2.u64 {%d4, %d5}, [%d3]; st.global.v2.u64 [%d3+2048], {%d5, %d4};"
                   "ld.global.v2.u8 {%h1, %h2}, [%d3+2]; st.global.v2.u8 [%d3+3072], {%h2, %h1};"));
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++) {
    for (int k = 0; k < 4; k++)
      assert_int_equal(value_at(&m, 1024 + 16 * lane + 4 * k, 4),
                       value_at(&m, 16 * lane + 12 - 4 * k, 4));
    assert_int_equal(value_at(&m, 2048 + 16 * lane, 8), value_at(&m, 16 * lane + 8, 8));
    assert_int_equal(value_at(&m, 2048 + 16 * lane + 8, 8), value_at(&m, 16 * lane, 8));
    assert_int_equal(value_at(&m, 3072 + 16 * lane, 1), value_at(&m, 16 * lane + 3, 1));
    assert_int_equal(value_at(&m, 3072 + 16 * lane + 1, 1), value_at(&m, 16 * lane + 2, 1));
  }
  const ptx_inst *load = NULL;
  for (uint32_t i = 0; i < m.kernel->n_insts && !load; i++)
    if (m.kernel->insts[i].vec == 4) load = &m.kernel->insts[i];
  assert_non_null(load);
  assert_int_equal(load->n_dst, 4);
  assert_int_equal(load->n_src, 2);
  assert_int_equal(load->bytes, 4);
  machine_destroy(&m);
}

/* .v8: 32 bytes of a lane, in two halves that cross; a partial mask leaves the others. */
static void test_vectors_of_eight(void **state) {
  static const uint32_t masks[] = {UINT32_MAX, 0x80000001, 0x0ff0f00f};
  (void)state;
  for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
    lane_machine m;
    run(&m,
        KERNEL(
            SETUP
            "mul.wide.u32 %d3, %r0, 24; add.u64 %d3, %d3, %d1; add.u64 %d3, %d3, %d0;\n"
            "test.here; ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%d3];"
            "test.here; st.global.v8.b32 [%d3+1024], {%r8, %r7, %r6, %r5, %r4, %r3, %r2, %r1};"));
    uint8_t before[4096];
    memcpy(before, m.memory, sizeof before);
    machine_run(&m, masks[i]);
    for (int lane = 0; lane < 32; lane++)
      for (int k = 0; k < 8; k++) {
        uint32_t want;
        const bool runs = masks[i] >> lane & 1;
        memcpy(&want, before + (runs ? 32 * lane + 28 - 4 * k : 1024 + 32 * lane + 4 * k), 4);
        assert_int_equal(value_at(&m, 1024 + 32 * lane + 4 * k, 4), want);
      }
    machine_destroy(&m);
  }
}

/* mov.b64 {a, b} and back, in 2 and 4 parts. */
static void test_pack(void **state) {
  (void)state;
  lane_machine m;
  run(&m,
      KERNEL(SETUP "ld.global.u64 %d3, [%d2]; mov.b64 {%r1, %r2}, %d3; mov.b64 %d4, {%r2, %r1}; "
                   "st.global.u64 [%d2+1024], %d4; mov.b64 {%h1, %h2, %h3, %h4}, %d3; "
                   "mov.b64 %d5, {%h4, %h3, %h2, %h1}; st.global.u64 [%d2+2048], %d5; "
                   "mov.b32 {%h1, %h2}, %r1; mov.b32 %r3, {%h2, %h1}; "
                   "st.global.u32 [%d2+3072], %r3; mov.b64 {%r4, _}, %d3; "
                   "st.global.u32 [%d2+3076], %r4;"));
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++) {
    const uint64_t v = value_at(&m, 8 * lane, 8);
    assert_int_equal(value_at(&m, 1024 + 8 * lane, 8), v << 32 | v >> 32);
    assert_int_equal(value_at(&m, 2048 + 8 * lane, 8),
                     v << 48 | (v >> 16 & 0xffff) << 32 | (v >> 32 & 0xffff) << 16 | v >> 48);
    assert_int_equal(value_at(&m, 3072 + 8 * lane, 4), (uint32_t)v << 16 | (uint32_t)v >> 16);
    assert_int_equal(value_at(&m, 3076 + 8 * lane, 4), (uint32_t)v);
  }
  machine_destroy(&m);
}

/* The same data through shared, local, generic and constant memory. */
static void test_spaces(void **state) {
  (void)state;
  lane_machine m;
  run(&m,
      HEAD ".const .align 4 .b8 table[128] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};\n"
           ".global .align 8 .u64 counter = 77;\n.global .u64 pointer = generic(counter);\n"
           ".extern .shared .align 8 .b8 dynamic[];\n"
           ".entry k(.param .u64 p0) {\n.reg .b32 %r<16>; .reg .b64 %d<32>;\n"
           ".shared .align 8 .b8 pad[24]; .shared .align 8 .b64 own[32]; "
           ".local .align 8 .b8 stack[64];\n" SETUP "ld.global.u64 %d3, [%d2];\n"
           "mov.u64 %d4, own; add.u64 %d5, %d4, %d1; st.shared.u64 [%d5], %d3;\n"
           "cvta.shared.u64 %d6, %d5; ld.u64 %d7, [%d6]; st.global.u64 [%d2+1024], %d7;\n"
           "mov.u64 %d8, stack; st.local.u64 [%d8+8], %d3; cvta.local.u64 %d9, %d8; "
           "add.u64 %d9, %d9, 8; ld.u64 %d10, [%d9]; st.global.u64 [%d2+1280], %d10;\n"
           "cvta.to.local.u64 %d11, %d9; ld.local.u64 %d12, [%d11]; "
           "cvta.global.u64 %d13, %d2; st.u64 [%d13+1536], %d12;\n"
           "mov.u64 %d14, table; ld.const.u32 %r1, [table+4]; ld.const.u32 %r2, [%d14+8]; "
           "ld.global.u64 %d20, [counter]; ld.global.u64 %d21, [pointer]; ld.u64 %d22, [%d21];\n"
           "mov.u64 %d15, dynamic; add.u64 %d16, %d15, %d1; st.shared.u64 [%d16], %d1; "
           "ld.shared.u64 %d17, [%d16]; mov.u64 %d18, pad; st.shared.u64 [pad+16], %d18;\n"
           "st.global.u64 [%d2+1792], %d17;\n"
           "st.global.u32 [%d2+2048], %r1; st.global.u32 [%d2+2052], %r2; "
           "st.global.u64 [%d2+2304], %d20; st.global.u64 [%d2+2560], %d22;\nret; }\n");
  size_t bytes;
  ptx_module_place(m.module, 0x10000 + 3584);
  const uint8_t *globals = ptx_module_globals(m.module, &bytes);
  assert_true(bytes >= 144 && bytes <= 160);
  memcpy(m.memory + 3584, globals, bytes);
  machine_run(&m, UINT32_MAX);
  for (int lane = 0; lane < 32; lane++) {
    const uint64_t v = value_at(&m, 8 * lane, 8);
    assert_int_equal(value_at(&m, 1024 + 8 * lane, 8), v);
    assert_int_equal(value_at(&m, 1280 + 8 * lane, 8), v);
    assert_int_equal(value_at(&m, 1536 + 8 * lane, 8), v);
    assert_int_equal(value_at(&m, 1792 + 8 * lane, 8), 8 * lane);
    assert_int_equal(value_at(&m, 2048 + 8 * lane, 4), 0x08070605);
    assert_int_equal(value_at(&m, 2052 + 8 * lane, 4), 0x0c0b0a09);
    assert_int_equal(value_at(&m, 2304 + 8 * lane, 8), 77);
    assert_int_equal(value_at(&m, 2560 + 8 * lane, 8), 77);
  }
  assert_int_equal(m.kernel->shared_bytes, 24 + 256);
  assert_int_equal(m.kernel->local_bytes, 64);
  uint64_t address;
  assert_true(ptx_module_symbol(m.module, "counter", &address, &bytes));
  assert_int_equal(address, 0x10000 + 3584 + 128);
  assert_int_equal(bytes, 8);
  assert_false(ptx_module_symbol(m.module, "nothing", &address, &bytes));
  machine_destroy(&m);
}

/* ---- effects, seen by timing ---- */
static const ptx_inst *marked(const lane_machine *m) {
  for (uint32_t i = 0; i + 1 < m->kernel->n_insts; i++)
    if (m->kernel->insts[i].cls == PTX_CLASS_CUSTOM) return &m->kernel->insts[i + 1];
  fail_msg("no marked instruction");
  return NULL;
}

/* Runs up to the marked instruction with all lanes, then that one under the mask. */
static bool run_marked(lane_machine *m, uint32_t mask, ptx_effect *effect, wf_error *err) {
  const ptx_inst *last = marked(m);
  for (const ptx_inst *i = m->kernel->insts; i < last; i++)
    assert_true(ptx_execute(i, &m->warp, UINT32_MAX, effect, err));
  return ptx_execute(last, &m->warp, mask, effect, err);
}

static void test_effects(void **state) {
  (void)state;
  ptx_effect e;
  wf_error err = {0};
  lane_machine m;
  run(&m,
      KERNEL(SETUP "setp.lt.u32 %p1, %r0, 20;\ntest.here;\n@!%p1 ld.global.nc.u32 %r1, [%d2+4];"));
  assert_true(run_marked(&m, 0xffff0000, &e, &err));
  assert_int_equal(e.active, 0xfff00000);
  assert_int_equal(e.space, PTX_SPACE_GLOBAL);
  assert_int_equal(marked(&m)->space, PTX_SPACE_GLOBAL_NC);
  assert_int_equal(marked(&m)->cls, PTX_CLASS_LOAD);
  for (unsigned lane = 20; lane < 32; lane++)
    assert_int_equal(e.addr[lane], 0x10000 + 8 * lane + 4);
  machine_destroy(&m);

  run(&m, KERNEL(".shared .b8 s[512];\n" SETUP "mov.u64 %d3, s; cvta.shared.u64 %d4, %d3; "
                 "add.u64 %d4, %d4, %d1;\ntest.here;\nst.volatile.u32 [%d4+16], %r0;"));
  assert_true(run_marked(&m, 0xf, &e, &err));
  assert_int_equal(e.space, PTX_SPACE_SHARED);
  assert_int_equal(e.addr[3], 3 * 8 + 16);
  assert_int_equal(marked(&m)->space, PTX_SPACE_GENERIC);
  assert_true(marked(&m)->bypass_l1);
  machine_destroy(&m);

  run(&m, KERNEL(SETUP "test.here;\nld.global.nc.L1::no_allocate.u32 %r1, [%d2];"));
  assert_true(marked(&m)->no_allocate && !marked(&m)->bypass_l1);
  machine_destroy(&m);

  run(&m,
      KERNEL(SETUP "setp.gt.u32 %p1, %r0, 29;\ntest.here;\n@%p1 bra L;\nadd.u32 %r1, %r0, 1;\nL:"));
  assert_true(run_marked(&m, 0x7fffffff, &e, &err));
  assert_int_equal(e.taken, 0x40000000);
  assert_int_equal(marked(&m)->cls, PTX_CLASS_BRANCH);
  assert_false(marked(&m)->uniform);
  assert_int_equal(marked(&m)->target, marked(&m)->reconverge);
  machine_destroy(&m);
}

/* An atomic is marked if its result is read nowhere and red has its operation. */
static void check_unread(const char *atomic, bool unread) {
  char text[1024];
  lane_machine m;
  join_text(text, sizeof text, OPEN SETUP "test.here;\n", atomic,
            "\nst.global.u32 [%d2], %r5;" CLOSE, NULL);
  run(&m, text);
  assert_int_equal(marked(&m)->unread, unread);
  assert_int_equal(marked(&m)->n_dst, strncmp(atomic, "red", 3) != 0);
  ptx_reduce_unread(m.kernel);
  assert_int_equal(marked(&m)->n_dst, !unread && strncmp(atomic, "red", 3) != 0);
  machine_destroy(&m);
}

static void test_unread(void **state) {
  (void)state;
  check_unread("atom.global.add.u32 %r4, [%d2], 1;", true);
  check_unread("atom.global.max.s32 %r4, [%d2], 1;", true);
  check_unread("atom.global.add.u32 %r5, [%d2], 1;", false);
  check_unread("atom.global.add.u32 %r4, [%d2], 1; mov.u32 %r5, %r4;", false);
  check_unread("atom.global.exch.b32 %r4, [%d2], 1;", false);
  check_unread("atom.global.cas.b32 %r4, [%d2], 1, 2;", false);
  check_unread("red.global.add.u32 [%d2], 1;", false);
}

/* ---- faults ---- */
static void check_fault(const char *body, const char *say) {
  ptx_effect e;
  wf_error err = {0};
  lane_machine m;
  char text[2048];
  join_text(text, sizeof text, OPEN, body, CLOSE, NULL);
  run(&m, text);
  uint8_t before[4096];
  memcpy(before, m.memory, sizeof before);
  assert_false(run_marked(&m, 0xfffffff0, &e, &err));
  if (!strstr(err.text, say)) fail_msg("'%s' does not say '%s'", err.text, say);
  assert_non_null(strstr(err.text, "harness:"));
  assert_non_null(strstr(err.text, "kernel k, CTA (0, 0, 0), warp 0, lane "));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_memory_equal(m.memory, before, sizeof before); /* nothing done before the check */
  machine_destroy(&m);
}

static void test_faults(void **state) {
  (void)state;
  check_fault(SETUP "test.here; st.global.u32 [%d2+3968], %r0;",
              "lane 16: access of 4 bytes at global "
              "address 0x11000");
  check_fault(SETUP "test.here; st.global.u32 [%d2-40], %r0;", "lane 4: access of 4 bytes");
  check_fault(SETUP "test.here; st.global.u64 [%d2+4], %d1;",
              "is not a multiple of the access's 8");
  check_fault(SETUP "test.here; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d2];",
              "lane 5: global address "
              "0x10028 is not a multiple of the access's 16");
  check_fault(SETUP "test.here; ld.global.u32 %r1, [%d2+1];", "is not a multiple");
  check_fault(SETUP "test.here; ld.global.u32 %r1, [%d2+2];", "is not a multiple");
  check_fault(SETUP "test.here; ld.shared.u32 %r1, [%d2];", "at shared address");
  check_fault(SETUP "test.here; ld.local.u32 %r1, [%d1];", "at local address");
  check_fault(SETUP "test.here; ld.param.u32 %r1, [%d1];", "at parameter address 0x20");
  check_fault(SETUP "test.here; st.u32 [1], %r0;", "0x1 is not a multiple");
  check_fault(SETUP
              "setp.gt.u32 %p1, %r0, 9; cvta.shared.u64 %d3, %d1; selp.u64 %d4, %d3, %d2, %p1; "
              "test.here; st.u32 [%d4], %r0;",
              "one access must stay in one space");
  check_fault(SETUP "test.here; atom.global.add.u32 %r1, [%d2+100000], 1;", "outside");
  check_fault(SETUP "test.here; trap;", "trap");
}

/* An address near the top of the range must not wrap around the check. */
static void test_fault_extremes(void **state) {
  (void)state;
  check_fault(SETUP "test.here; ld.global.u64 %d3, [0xfffffffffffffff8];", "0xfffffffffffffff8");
  check_fault(SETUP "test.here; ld.global.u64 %d3, [0x10ff9];", "multiple");
  check_fault(SETUP "test.here; ld.global.u32 %r1, [0xfffc];", "0xfffc is outside");
}

/* The last byte counts, not only the first: 4 bytes at 4 of 6. */
static void test_fault_straddling(void **state) {
  (void)state;
  ptx_effect e;
  wf_error err = {0};
  lane_machine m;
  run(&m, KERNEL(SETUP "test.here; st.shared.u32 [4], %r0;"));
  m.warp.shared_limit = 8;
  assert_true(run_marked(&m, UINT32_MAX, &e, &err));
  m.warp.shared_limit = 7;
  assert_false(run_marked(&m, UINT32_MAX, &e, &err));
  m.warp.shared_limit = 2; /* less than one access */
  assert_false(run_marked(&m, UINT32_MAX, &e, &err));
  machine_destroy(&m);
}

/* ---- atomics: old values and final memory, all lanes on few words, in lane order ---- */
typedef uint64_t atomic_reference(uint64_t old, uint64_t b, uint64_t c);
typedef struct atomic_case {
  const char *op, *type;
  char reg;
  atomic_reference *reference;
  bool red;
} atomic_case;

#define ATOMIC(name, expr)                                                                         \
  static uint64_t at_##name(uint64_t o, uint64_t b, uint64_t c) {                                  \
    (void)o, (void)b, (void)c;                                                                     \
    return (expr);                                                                                 \
  }
ATOMIC(add, o + b)
ATOMIC(and, o &b)
ATOMIC(or, o | b)
ATOMIC(xor, o ^ b)
ATOMIC(exch, b)
ATOMIC(cas, o == b ? c : o)
ATOMIC(inc, (uint32_t)o >= (uint32_t)b ? 0 : o + 1)
ATOMIC(dec, o == 0 || (uint32_t)o > (uint32_t)b ? b : o - 1)
ATOMIC(minu, o < b ? o : b)
ATOMIC(maxu, o > b ? o : b)
ATOMIC(min32, (int32_t)o < (int32_t)b ? o : b)
ATOMIC(max32, (int32_t)o > (int32_t)b ? o : b)
ATOMIC(min64, (int64_t)o < (int64_t)b ? o : b)
ATOMIC(max64, (int64_t)o > (int64_t)b ? o : b)
ATOMIC(addf, float_bits(as_float(o) + as_float(b)))
ATOMIC(addd, double_bits(as_double(o) + as_double(b)))

/* How halves are rounded is tested with their arithmetic (test_half). */
static uint64_t half_sum(ptx_half kind, uint64_t a, uint64_t b) {
  return ptx_half_bits(kind, ptx_half_value(kind, a & 0xffff) + ptx_half_value(kind, b & 0xffff),
                       PTX_ROUND_RN);
}
ATOMIC(addh, half_sum(PTX_HALF_F16, o, b))
ATOMIC(addb, half_sum(PTX_HALF_BF16, o, b))
ATOMIC(addh2, half_sum(PTX_HALF_F16, o >> 16, b >> 16) << 16 | half_sum(PTX_HALF_F16, o, b))
ATOMIC(addb2, half_sum(PTX_HALF_BF16, o >> 16, b >> 16) << 16 | half_sum(PTX_HALF_BF16, o, b))

/* By a case's letter: h two bytes, H a half, r and W four bytes, W two halves, f and g floats. */
static int atomic_bytes(char reg) {
  return strchr("hH", reg) ? 2 : strchr("rfW", reg) ? 4 : 8;
}
static char operand_letter(char reg) {
  return reg == 'f' ? 'F' : reg == 'g' ? 'D' : reg == 'r' ? 'w' : reg;
}

/* The instruction acts on word (lane & 3) of four, at 8 bytes each, with operands %X and %Y and
 * result %Z, registers of the case's kind; %a is the address. */
static void atomic_text(char *text, size_t bytes, const atomic_case *k, const char *space,
                        bool red) {
  char parts[1024];
  const int bits = 8 * atomic_bytes(k->reg);
  const bool shared = strcmp(space, "shared") == 0;
  snprintf(parts, sizeof parts,
           ".reg .b%d %%X, %%Y, %%Z; .reg .b64 %%a;\n"
           "ld.global.b%d %%X, [%%d2+256]; ld.global.b%d %%Y, [%%d2+512];\n"
           "%s\ntest.here;\n%s.%s%s%s.%s %s[%%a], %%X%s;\n%s\n",
           bits, bits, bits,
           shared ? "mov.u64 %a, s; add.u64 %a, %a, %d3; ld.global.b64 %d6, [%d4]; "
                    "st.shared.b64 [%a], %d6;"
                  : "mov.u64 %a, %d4;",
           red ? "red" : "atom", space, *space ? "." : "", k->op, k->type, red ? "" : "%Z, ",
           strcmp(k->op, "cas") == 0 ? ", %Y" : "",
           shared ? "ld.shared.b64 %d6, [%a]; st.global.b64 [%d4], %d6;" : "");
  join_text(text, bytes, OPEN, ".shared .align 8 .b8 s[64];\n", SETUP,
            "and.b64 %d3, %d1, 24; add.u64 %d4, %d0, %d3;\n", parts,
            red          ? ""
            : bits == 16 ? "st.global.b16 [%d2+1024], %Z;"
            : bits == 32 ? "st.global.b32 [%d2+1024], %Z;"
                         : "st.global.b64 [%d2+1024], %Z;",
            CLOSE, NULL);
}

static void check_atomic(const atomic_case *k, const char *space, bool red, uint64_t seed) {
  char text[2048];
  const int bytes = atomic_bytes(k->reg);
  atomic_text(text, sizeof text, k, space, red);
  lane_machine m;
  wf_rng rng;
  run(&m, text);
  wf_rng_seed(&rng, seed);
  for (int round = 0; round < 50; round++) {
    const char letter = operand_letter(k->reg);
    memset(m.memory, 0, 2048);
    for (int i = 0; i < 96; i++) {
      uint64_t v = operand_value(&rng, letter);
      if (round % 2 && !strchr("FDHW", letter)) v %= 5; /* so that cas, inc, dec meet equals */
      memcpy(m.memory + (i < 32   ? 8 * (i & 3)
                         : i < 64 ? 256 + 8 * (i - 32)
                                  : 512 + 8 * (i - 64)),
             &v, 8);
    }
    uint64_t word[4], old[32];
    for (int i = 0; i < 4; i++) word[i] = value_at(&m, 8 * i, bytes);
    const uint32_t mask = round % 4 ? (uint32_t)wf_rng_next(&rng) : UINT32_MAX;
    for (int lane = 0; lane < 32; lane++) {
      if (!((mask >> lane) & 1)) continue;
      old[lane] = word[lane & 3];
      word[lane & 3] = k->reference(old[lane], value_at(&m, 256 + 8 * lane, bytes),
                                    value_at(&m, 512 + 8 * lane, bytes));
      if (bytes < 8) word[lane & 3] &= (UINT64_C(1) << 8 * bytes) - 1;
    }
    machine_run(&m, mask);
    for (int i = 0; i < 4; i++) assert_int_equal(value_at(&m, 8 * i, bytes), word[i]);
    for (int lane = 0; lane < 32 && !red; lane++)
      if ((mask >> lane) & 1) assert_int_equal(value_at(&m, 1024 + 8 * lane, bytes), old[lane]);
  }
  machine_destroy(&m);
}

static void test_atomics(void **state) {
  (void)state;
  const atomic_case cases[] = {
      {"add", "u32", 'r', at_add, true},
      {"add", "s32", 'r', at_add, true},
      {"add", "u64", 'd', at_add, true},
      {"and", "b32", 'r', at_and, true},
      {"or", "b32", 'r', at_or, true},
      {"xor", "b32", 'r', at_xor, true},
      {"and", "b64", 'd', at_and, true},
      {"exch", "b32", 'r', at_exch, false},
      {"exch", "b64", 'd', at_exch, false},
      {"cas", "b32", 'r', at_cas, false},
      {"cas", "b64", 'd', at_cas, false},
      {"inc", "u32", 'r', at_inc, true},
      {"dec", "u32", 'r', at_dec, true},
      {"min", "u32", 'r', at_minu, true},
      {"max", "u32", 'r', at_maxu, true},
      {"min", "s32", 'r', at_min32, true},
      {"max", "s32", 'r', at_max32, true},
      {"min", "u64", 'd', at_minu, true},
      {"max", "u64", 'd', at_maxu, true},
      {"min", "s64", 'd', at_min64, true},
      {"max", "s64", 'd', at_max64, true},
      {"add", "f32", 'f', at_addf, true},
      {"add", "f64", 'g', at_addd, true},
      {"add.noftz", "f16", 'H', at_addh, true},
      {"add.noftz", "f16x2", 'W', at_addh2, true},
      {"add.noftz", "bf16", 'H', at_addb, true},
      {"add.noftz", "bf16x2", 'W', at_addb2, true},
      {"cas", "b16", 'h', at_cas, false},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    check_atomic(&cases[k], "global", false, k);
    check_atomic(&cases[k], "shared", false, k + 100);
    check_atomic(&cases[k], "", false, k + 200);
    if (cases[k].red) check_atomic(&cases[k], "global", true, k + 300);
  }
}

/* ---- a unit's own instructions ---- */
static void test_custom(void **state) {
  (void)state;
  static const ptx_custom_op ops[] = {
      {"mff.gather.b32", "mrr", 3, 7}, {"mff.wait", "", 3, 8}, {"mff.put", "lm", 3, 9}};
  const char *text = KERNEL(SETUP "mff.gather.b32 [%d2+16], %r0, 42;\nmff.wait;\n"
                                  "mff.put %d1, [%d0-8];");
  wf_error err = {0};
  ptx_module *module = ptx_parse_text("custom", text, strlen(text), ops, 3, &err);
  assert_non_null(module);
  const ptx_kernel *kernel = ptx_kernel_at(module, 0);
  lane_machine m;
  run(&m, KERNEL(SETUP));
  m.launch.kernel = kernel;
  uint32_t(*reg)[PTX_LANES] = aligned_alloc(64, kernel->n_regs * sizeof *reg);
  m.warp.pred = realloc(m.warp.pred, 64);
  free(m.warp.reg);
  m.warp.reg = reg;
  ptx_effect e;
  for (uint32_t i = 0; i < kernel->n_insts; i++) {
    const ptx_inst *inst = &kernel->insts[i];
    assert_true(ptx_execute(inst, &m.warp, UINT32_MAX, &e, &err));
    if (inst->cls != PTX_CLASS_CUSTOM) continue;
    assert_int_equal(inst->custom_unit, 3);
    for (unsigned lane = 0; lane < 32; lane++) {
      if (inst->custom_id == 7) {
        assert_int_equal(e.operand[0][lane], 0x10000 + 8 * lane + 16);
        assert_int_equal(e.operand[1][lane], lane);
        assert_int_equal(e.operand[2][lane], 42);
      }
      if (inst->custom_id == 9) {
        assert_int_equal(e.operand[0][lane], 8 * lane);
        assert_int_equal(e.operand[1][lane], 0x10000 - 8);
      }
    }
    assert_int_equal(inst->n_dst, 0);
    assert_int_equal(inst->n_src, inst->custom_id == 7 ? 3 : inst->custom_id == 8 ? 0 : 4);
  }
  ptx_module_destroy(module);
  machine_destroy(&m);
}

/* ---- copies to shared memory ---- */

/* 16 bytes a lane by way of shared memory; reads(lane): how many of them are not zeros. */
static void check_copy(const char *operation, const char *more, unsigned (*reads)(unsigned lane)) {
  char text[2048], body[512];
  snprintf(body, sizeof body,
           "shl.b32 %%r1, %%r0, 4; mad.wide.u32 %%d3, %%r0, 16, %%d0; rem.u32 %%r6, %%r0, 17; "
           "setp.gt.u32 %%p1, %%r0, 20;\ntest.here;\n%s [%%r1], [%%d3]%s;\n"
           "cp.async.commit_group; cp.async.wait_group 0;\n"
           "ld.shared.v4.u32 {%%r2, %%r3, %%r4, %%r5}, [%%r1];\n"
           "st.global.v4.u32 [%%d3+1024], {%%r2, %%r3, %%r4, %%r5};",
           operation, more);
  join_text(text, sizeof text, OPEN, SETUP, body, CLOSE, NULL);
  lane_machine m;
  run(&m, text);
  machine_run(&m, UINT32_MAX);
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned i = 0; i < 16; i++)
      assert_int_equal(m.memory[1024 + 16 * lane + i],
                       i < reads(lane) ? m.memory[16 * lane + i] : 0);
  machine_destroy(&m);
}

static unsigned all_read(unsigned lane) {
  return lane < 32 ? 16 : 0;
}
static unsigned some_read(unsigned lane) {
  return lane % 17;
}
static unsigned few_read(unsigned lane) {
  return lane > 20 ? 0 : 16;
}

static void test_copies(void **state) {
  (void)state;
  check_copy("cp.async.cg.shared.global", ", 16", all_read);
  check_copy("cp.async.ca.shared::cta.global.L2::128B", ", 16, %r6", some_read);
  check_copy("cp.async.cg.shared.global", ", 16, 16", all_read);
  check_copy("cp.async.ca.shared.global", ", 16, %p1", few_read);
}

static void test_copy_faults(void **state) {
  (void)state;
#define COPY(to, from, more)                                                                       \
  SETUP "mul.wide.u32 %d3, %r0, 16; add.u64 %d3, %d3, %d0; shl.b32 %r1, %r0, 4;\n"                 \
        "test.here; cp.async.ca.shared.global [" to "], [" from "], " more ";"
  check_fault(COPY("%r1+4096", "%d3", "16"), "lane 4: copy of 16 bytes to shared address 0x1040");
  check_fault(COPY("0", "%d3+8", "16"), "is not a multiple of the access's 16");
  check_fault(COPY("0", "%d3", "16, 17"), "reads 17 bytes to write 16");
#undef COPY
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_copy_faults),
      cmocka_unit_test(test_load_extension),
      cmocka_unit_test(test_narrow_store),
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_vectors_of_eight),
      cmocka_unit_test(test_pack),
      cmocka_unit_test(test_spaces),
      cmocka_unit_test(test_unread),
      cmocka_unit_test(test_effects),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_fault_extremes),
      cmocka_unit_test(test_fault_straddling),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_custom),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
