/* Load-pairs: hand-written loops of many shapes, and what was found checked by running them: a
 * head-load's address must step as foretold, a tail-load's be what the formula says, the tests
 * count the iterations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/ptx/code.h"
#include "sim/ptx/loadpairs.h"

/* edges at %rd1, attributes at %rd2, first edge %r1, end %r2: %r3 and %rd3 are free to step. */
#define HEAD                                                                                       \
  ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 edges, .param "    \
  ".u64 what, .param .u32 from, "                                                                  \
  ".param .u32 to)\n{\n.reg .pred %p<9>;\n.reg .b16 %rs<4>;\n.reg .b32 %r<20>;\n.reg .b64 "        \
  "%rd<20>;\n"                                                                                     \
  "ld.param.u64 %rd1, [edges];\nld.param.u64 %rd2, [what];\nld.param.u32 %r1, "                    \
  "[from];\nld.param.u32 %r2, [to];\n"                                                             \
  "mov.u32 %r9, 0;\n"
#define SKIP "setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra END;\n"
#define TAIL_OF_R4                                                                                 \
  "mul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd2, %rd5;\nld.global.nc.u32 %r5, [%rd6];\nadd.u32 " \
  "%r9, %r9, %r5;\n"
#define POINTER "mul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd3, %rd1, %rd4;\n"
#define DONE "END:\nst.global.u32 [%rd2], %r9;\nret;\n}\n"

typedef struct found {
  ptx_module *m;
  const ptx_kernel *k;
  ptx_pairs *p;
} found;

static found look(const char *text) {
  wf_error err = {0};
  found f = {.m = ptx_parse_text("pairs", text, strlen(text), NULL, 0, &err)};
  if (!f.m) fail_msg("%s", err.text);
  f.k = ptx_kernel_at(f.m, 0);
  f.p = ptx_find_pairs(f.k);
  return f;
}

static void forget(found *f) {
  ptx_pairs_destroy(f->p);
  ptx_module_destroy(f->m);
}

static const ptx_pair_load *load(const found *f, uint32_t i) {
  assert_in_range(i, 0, f->p->n_loads - 1);
  return &f->p->loads[i];
}

static void check_role(const found *f, uint32_t i, ptx_load_role role, const char *reason) {
  const ptx_pair_load *l = load(f, i);
  if (l->role != role || strcmp(l->reason, reason) != 0)
    fail_msg("load %u: role %u, reason '%s'", i, l->role, l->reason);
}

/* ---- running it: one lane ---- */
enum { EDGES = 40, VALUES = 64, BYTES = 4 * (EDGES + VALUES) };

typedef struct outcome {
  uint32_t sum, executed[8]; /* per load of the table */
} outcome;

static bool holds(uint32_t x, uint32_t y, uint8_t compare) {
  switch (compare) {
  case PTX_EQ:
    return x == y;
  case PTX_NE:
    return x != y;
  case PTX_LT:
    return x < y;
  case PTX_LE:
    return x <= y;
  case PTX_GT:
    return x > y;
  default:
    return x >= y;
  }
}

/* How often the test holds from now on. */
static uint32_t count(const found *f, const ptx_loop_test *t, const ptx_warp *w) {
  const ptx_code *c = f->k->insts[t->pc].code;
  uint64_t value[2];
  for (int s = 0; s < 2; s++) {
    const ptx_source *from = &c->src[s];
    uint32_t low, high = 0;
    if (from->kind == PTX_SOURCE_REG)
      low = w->reg[from->reg][0], high = from->wide ? w->reg[from->reg + 1][0] : 0;
    else
      memcpy(&low, from->plane, 4),
          memcpy(&high, (const uint8_t *)from->plane + 4, from->wide ? 4 : 0);
    value[s] = (uint64_t)high << 32 | low;
  }
  uint32_t x = (uint32_t)value[t->swapped], y = (uint32_t)value[!t->swapped], n = 0;
  for (; holds(x, y, t->compare) && n < 1000; n++) x += (uint32_t)t->step;
  return n;
}

typedef struct machine {
  const found *f;
  ptx_warp w;
  outcome o;
  uint64_t last[8], head_value[8];
  uint32_t left; /* iterations that the tests foretold; UINT32_MAX: nothing yet */
  uint8_t *memory;
} machine;

static void watch_load(machine *m, uint32_t i, const ptx_effect *e) {
  const ptx_pair_load *l = &m->f->p->loads[i];
  const uint64_t at = e->addr[0];
  m->o.executed[i]++;
  if (l->role == PTX_LOAD_HEAD) {
    if (m->o.executed[i] > 1) assert_int_equal(at - m->last[i], l->stride);
    memcpy(&m->head_value[i], m->memory + (at - 0x1000), 4);
  }
  if (l->role == PTX_LOAD_TAIL && l->simple) {
    uint32_t head = 0;
    while (m->f->p->loads[head].pc != l->head) head++;
    const uint64_t base = (uint64_t)m->w.reg[l->base + 1][0] << 32 | m->w.reg[l->base][0];
    uint64_t v = (uint32_t)m->head_value[head];
    if (l->extend == 1) v = (uint64_t)(int64_t)(int32_t)v;
    assert_int_equal(at, (v << l->shift) + base + (uint64_t)l->offset);
  }
  m->last[i] = at;
}

static void watch_tests(machine *m, ptx_pc pc) {
  for (uint32_t l = 0; l < m->f->p->n_loops; l++) {
    const ptx_pair_loop *loop = &m->f->p->loops[l];
    if (pc == loop->entry.pc) m->left = count(m->f, &loop->entry, &m->w);
    if (pc == loop->test.pc && loop->test.own) {
      if (m->left != UINT32_MAX && m->f->p->n_loops == 1)
        assert_int_equal(count(m->f, &loop->test, &m->w), --m->left);
      else if (m->f->p->n_loops == 1)
        m->left = count(m->f, &loop->test, &m->w);
    }
  }
}

static outcome run(const found *f, uint32_t from, uint32_t to) {
  static uint8_t memory[BYTES] __attribute__((aligned(64)));
  static uint32_t regs[64][PTX_LANES] __attribute__((aligned(64))), preds[32];
  uint32_t words[EDGES + VALUES];
  for (uint32_t i = 0; i < EDGES; i++) words[i] = i * 37 % VALUES;
  for (uint32_t i = 0; i < VALUES; i++) words[EDGES + i] = i * i % 61;
  memcpy(memory, words, BYTES);
  uint8_t params[24] = {0};
  const uint64_t edges = 0x1000, what = 0x1000 + 4 * EDGES;
  memcpy(params, &edges, 8);
  memcpy(params + 8, &what, 8);
  memcpy(params + 16, &from, 4);
  memcpy(params + 20, &to, 4);
  ptx_launch launch = {.kernel = f->k,
                       .params = params,
                       .ntid = {1, 1, 1},
                       .nctaid = {1, 1, 1},
                       .global = memory,
                       .global_base = 0x1000,
                       .global_bytes = BYTES};
  assert_in_range(f->k->n_regs, 1, 63);
  machine m = {.f = f,
               .w = {.launch = &launch, .reg = regs, .pred = preds, .valid = 1},
               .left = UINT32_MAX,
               .memory = memory};
  ptx_effect e;
  wf_error err = {0};
  uint32_t steps = 0;
  for (ptx_pc pc = 0; pc < f->k->n_insts; steps++) {
    const ptx_inst *inst = &f->k->insts[pc];
    assert_in_range(steps, 0, 20000);
    watch_tests(&m, pc);
    e.active = e.taken = 0;
    if (!ptx_execute(inst, &m.w, 1, &e, &err)) fail_msg("%s", err.text);
    for (uint32_t i = 0; i < f->p->n_loads; i++)
      if (f->p->loads[i].pc == pc && e.active) watch_load(&m, i, &e);
    if (inst->cls == PTX_CLASS_EXIT && e.active) break;
    pc = inst->cls == PTX_CLASS_BRANCH && e.taken ? inst->target : pc + 1;
  }
  memcpy(&m.o.sum, memory + 4 * EDGES, 4);
  return m.o;
}

static uint32_t expected_sum(uint32_t from, uint32_t to) {
  uint32_t sum = 0;
  for (uint32_t i = from; i < to; i++) sum += (i * 37 % VALUES) * (i * 37 % VALUES) % 61;
  return sum;
}

/* A loop over all edges with one pair: as a whole. */
static void check_pair(const char *text, int64_t stride, uint32_t chain, bool entry) {
  found f = look(text);
  assert_int_equal(f.p->n_loads, 2);
  check_role(&f, 0, PTX_LOAD_HEAD, "");
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  assert_int_equal(load(&f, 0)->stride, stride);
  assert_int_equal(load(&f, 1)->head, load(&f, 0)->pc);
  assert_true(load(&f, 1)->simple && load(&f, 1)->base_v);
  assert_int_equal(load(&f, 1)->shift, 2);
  assert_int_equal(load(&f, 1)->extend, 2);
  const ptx_pair_loop *loop = &f.p->loops[0];
  assert_string_equal(loop->reason, "");
  assert_int_equal(loop->n_chain, chain);
  assert_int_equal(loop->entry.pc != PTX_NO_PC, entry);
  assert_int_equal(f.p->hints[load(&f, 0)->pc], PTX_HINT_HEAD);
  assert_int_equal(f.p->hints[load(&f, 1)->pc], PTX_HINT_TAIL);
  assert_true(f.p->hints[loop->test.pc] & PTX_HINT_TEST);
  for (uint32_t n = 1; n < EDGES; n += 5) {
    const outcome o = run(&f, 2, 2 + n < EDGES ? 2 + n : EDGES);
    assert_int_equal(o.executed[0], 2 + n < EDGES ? n : EDGES - 2);
    assert_int_equal(o.sum, expected_sum(2, 2 + o.executed[0]));
  }
  forget(&f);
}

static void counting_up(void **state) {
  (void)state;
  check_pair(HEAD SKIP "mov.u32 %r3, %r1;\nLOOP:\nmul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd3, %rd1, "
                       "%rd4;\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                       "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, %r2;\n@%p2 bra LOOP;\n" DONE,
             4, 5, true);
}

static void counting_down_with_a_pointer(void **state) {
  (void)state; /* as clang writes it */
  check_pair(HEAD SKIP POINTER
             "sub.u32 %r3, %r2, %r1;\nLOOP:\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
             "add.s32 %r3, %r3, -1;\nadd.s64 %rd3, %rd3, 4;\nsetp.ne.s32 %p2, %r3, 0;\n@%p2 bra "
             "LOOP;\n" DONE,
             4, 3, true);
}

static void leaving_by_a_branch_forwards(void **state) {
  (void)state;
  check_pair(HEAD SKIP POINTER
             "mov.u32 %r3, %r1;\nLOOP:\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
             "add.s32 %r3, %r3, 1;\nadd.s64 %rd3, %rd3, 4;\nsetp.eq.s32 %p2, %r2, %r3;\n@%p2 bra "
             "END;\nbra LOOP;\n" DONE,
             4, 3, true);
}

static void negated_guards_and_exchanged_operands(void **state) {
  (void)state;
  check_pair(HEAD "setp.lt.u32 %p1, %r1, %r2;\n@!%p1 bra END;\n" POINTER
                  "mov.u32 %r3, %r1;\nLOOP:\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                  "add.s32 %r3, %r3, 1;\nadd.s64 %rd3, %rd3, 4;\nsetp.le.u32 %p2, %r2, %r3;\n@!%p2 "
                  "bra LOOP;\n" DONE,
             4, 3, true);
}

/* The pointer itself is compared with where it ends. */
static void ending_at_a_pointer(void **state) {
  (void)state;
  check_pair(HEAD SKIP POINTER
             "mul.wide.u32 %rd7, %r2, 4;\nadd.s64 %rd8, %rd1, %rd7;\nLOOP:\nld.global.nc.u32 %r4, "
             "[%rd3];\n" TAIL_OF_R4
             "add.s64 %rd3, %rd3, 4;\nsetp.lt.u64 %p2, %rd3, %rd8;\n@%p2 bra LOOP;\n" DONE,
             4, 3, true);
}

static void no_test_before_the_loop(void **state) {
  (void)state;
  check_pair(HEAD POINTER "mov.u32 %r3, %r1;\nLOOP:\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                          "add.s32 %r3, %r3, 1;\nadd.s64 %rd3, %rd3, 4;\nsetp.lt.u32 %p2, %r3, "
                          "%r2;\n@%p2 bra LOOP;\n" DONE,
             4, 3, false);
}

/* It compares something else: nothing is claimed. */
static void another_test_before_the_loop(void **state) {
  (void)state;
  check_pair(HEAD "setp.ge.u32 %p1, %r9, %r2;\n@%p1 bra END;\n" POINTER
                  "mov.u32 %r3, %r1;\nLOOP:\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                  "add.s32 %r3, %r3, 1;\nadd.s64 %rd3, %rd3, 4;\nsetp.lt.u32 %p2, %r3, %r2;\n@%p2 "
                  "bra LOOP;\n" DONE,
             4, 3, false);
}

static void test_at_the_top(void **state) {
  (void)state;
  check_pair(HEAD "mov.u32 %r3, %r1;\nLOOP:\nsetp.ge.u32 %p2, %r3, %r2;\n@%p2 bra "
                  "END;\nmul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd3, %rd1, %rd4;\n"
                  "ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                  "add.u32 %r3, %r3, 1;\nbra LOOP;\n" DONE,
             4, 5, false);
}

static void backwards_through_the_list(void **state) {
  (void)state;
  found f = look(HEAD SKIP "mul.wide.u32 %rd4, %r2, 4;\nadd.s64 %rd3, %rd1, %rd4;\nmov.u32 %r3, "
                           "%r2;\nLOOP:\nld.global.nc.u32 %r4, [%rd3+-4];\n" TAIL_OF_R4
                           "add.s64 %rd3, %rd3, -4;\nsub.u32 %r3, %r3, 1;\nsetp.gt.u32 %p2, %r3, "
                           "%r1;\n@%p2 bra LOOP;\n" DONE);
  check_role(&f, 0, PTX_LOAD_HEAD, "");
  assert_int_equal(load(&f, 0)->stride, -4);
  assert_int_equal(f.p->loops[0].test.step, -1);
  assert_int_equal(f.p->loops[0].test.compare, PTX_GT);
  assert_true(f.p->loops[0].entry.pc != PTX_NO_PC);
  assert_int_equal(run(&f, 3, 30).executed[0], 27);
  assert_int_equal(run(&f, 3, 30).sum, expected_sum(3, 30));
  forget(&f);
}

static void every_other_edge(void **state) {
  (void)state;
  found f =
      look(HEAD SKIP "mov.u32 %r3, %r1;\nLOOP:\nmad.wide.u32 %rd3, %r3, 4, %rd1;\nld.global.nc.u32 "
                     "%r4, [%rd3];\n" TAIL_OF_R4
                     "add.u32 %r3, %r3, 2;\nsetp.lt.u32 %p2, %r3, %r2;\n@%p2 bra LOOP;\n" DONE);
  check_role(&f, 0, PTX_LOAD_HEAD, "");
  assert_int_equal(load(&f, 0)->stride, 8);
  assert_int_equal(f.p->loops[0].test.step, 2);
  assert_int_equal(f.p->loops[0].entry.step, 2);
  assert_int_equal(run(&f, 3, 30).executed[0], 14);
  forget(&f);
}

/* ---- what is no pair ---- */
#define LOOP_END                                                                                   \
  "add.s32 %r3, %r3, 1;\nadd.s64 %rd3, %rd3, 4;\nsetp.lt.u32 %p2, %r3, %r2;\n@%p2 bra "            \
  "LOOP;\n" DONE
#define LOOP_START HEAD SKIP POINTER "mov.u32 %r3, %r1;\nLOOP:\n"

static const struct {
  const char *text;
  ptx_load_role role[2];
  const char *reason[2];
} no_pairs[] = {
    {LOOP_START "ld.global.u32 %r4, [%rd3];\n" TAIL_OF_R4 LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"not ld.global.nc", "address from a load that is no head-load"}},
    {LOOP_START "ld.global.nc.u32 %r4, [%rd3];\nmul.wide.u32 %rd5, %r4, 4;\nadd.s64 %rd6, %rd2, "
                "%rd5;\nld.global.u32 %r5, [%rd6];\n" LOOP_END,
     {PTX_LOAD_HEAD, PTX_LOAD_NONE},
     {"", "not ld.global.nc"}},
    {LOOP_START
     "setp.eq.u32 %p3, %r3, 5;\n@%p3 bra OVER;\nld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
     "OVER:\n" LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"not in every iteration", "not in every iteration"}},
    {LOOP_START
     "setp.eq.u32 %p3, %r3, 5;\nmov.u32 %r4, 0;\n@%p3 ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
         LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"not in every iteration", "address neither steps nor comes from one load"}},
    {LOOP_START
     "ld.global.nc.u32 %r4, [%rd3];\nsetp.eq.u32 %p3, %r4, 5;\n@%p3 mov.u32 %r4, 7;\n" TAIL_OF_R4
         LOOP_END,
     {PTX_LOAD_HEAD, PTX_LOAD_NONE},
     {"", "address neither steps nor comes from one load"}},
    {LOOP_START "ld.global.nc.u32 %r4, [%rd3];\nsetp.eq.u32 %p3, %r4, 5;\n@%p3 bra "
                "OVER;\nmov.u32 %r4, 7;\nOVER:\n" TAIL_OF_R4 LOOP_END,
     {PTX_LOAD_HEAD, PTX_LOAD_NONE},
     {"", "address neither steps nor comes from one load"}},
    {LOOP_START "ld.global.nc.u32 %r4, [%rd3];\nxor.b32 %r4, %r4, 1;\n" TAIL_OF_R4 LOOP_END,
     {PTX_LOAD_HEAD, PTX_LOAD_NONE},
     {"", "address neither steps nor comes from one load"}},
    {LOOP_START "ld.global.nc.u32 %r4, [%rd1];\n" TAIL_OF_R4 LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"the same address in every iteration", "address from a load that is no head-load"}},
    {LOOP_START "ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                "setp.eq.u32 %p3, %r4, 5;\n@%p3 add.s64 %rd3, %rd3, 4;\n" LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"address neither steps nor comes from one load", "address from a load that is no head-load"}},
    {LOOP_START "ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4 "add.s64 %rd3, %rd3, %rd4;\n" LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"address neither steps nor comes from one load", "address from a load that is no head-load"}},
    {LOOP_START "mul.lo.u32 %r6, %r3, %r1;\nmad.wide.u32 %rd7, %r6, 4, %rd1;\nld.global.nc.u32 "
                "%r4, [%rd7];\n" TAIL_OF_R4 LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"steps by what is not known", "address from a load that is no head-load"}},
    {LOOP_START "ld.global.nc.v2.u32 {%r4, %r6}, [%rd3];\n" TAIL_OF_R4 LOOP_END,
     {PTX_LOAD_NONE, PTX_LOAD_NONE},
     {"a vector", "address neither steps nor comes from one load"}},
};

static void reasons(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof no_pairs / sizeof no_pairs[0]; i++) {
    found f = look(no_pairs[i].text);
    assert_int_equal(f.p->n_loads, 2);
    for (uint32_t l = 0; l < 2; l++)
      if (load(&f, l)->role != no_pairs[i].role[l] ||
          strcmp(load(&f, l)->reason, no_pairs[i].reason[l]) != 0)
        fail_msg("case %zu, load %u: role %u, '%s'", i, l, load(&f, l)->role, load(&f, l)->reason);
    forget(&f);
  }
}

static void a_third_level(void **state) {
  (void)state;
  found f =
      look(LOOP_START "ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                      "mul.wide.u32 %rd9, %r5, 4;\nadd.s64 %rd10, %rd2, %rd9;\n"
                      "ld.global.nc.u32 %r6, [%rd10];\nld.global.nc.u32 %r7, [%rd3+4];\n" LOOP_END);
  assert_int_equal(f.p->n_loads, 4);
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  check_role(&f, 2, PTX_LOAD_NONE, "address from a tail-load");
  check_role(&f, 3, PTX_LOAD_HEAD, "");
  run(&f, 0, 20);
  forget(&f);
}

static void tail_addresses(void **state) {
  (void)state;
  /* signed, an offset, the base added first; then two bases: no formula */
  found f = look(LOOP_START "ld.global.nc.u32 %r4, [%rd3];\nmad.wide.s32 %rd6, %r4, 2, "
                            "%rd2;\nadd.s64 %rd6, %rd6, 6;\nld.global.nc.u16 %rs1, [%rd6+-6];\n"
                            "cvt.u32.u16 %r5, %rs1;\nadd.u32 %r9, %r9, %r5;\n" LOOP_END);
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  assert_true(load(&f, 1)->simple);
  assert_int_equal(load(&f, 1)->extend, 1);
  assert_int_equal(load(&f, 1)->shift, 1);
  assert_int_equal(load(&f, 1)->offset, 0);
  run(&f, 0, 20);
  forget(&f);
  /* the base computed in the loop */
  f = look(LOOP_START "ld.global.nc.u32 %r4, [%rd3];\nadd.s64 %rd8, %rd2, 8;\nmul.wide.u32 %rd6, "
                      "%r4, 4;\nadd.s64 %rd6, %rd6, %rd8;\n"
                      "ld.global.nc.u32 %r5, [%rd6+-8];\nadd.u32 %r9, %r9, %r5;\n" LOOP_END);
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  assert_true(load(&f, 1)->simple);
  assert_int_equal(load(&f, 1)->offset, 0);
  run(&f, 0, 20);
  forget(&f);
  f = look(LOOP_START "ld.global.nc.u32 %r4, [%rd3];\nmul.wide.u32 %rd6, %r4, 4;\nadd.s64 %rd6, "
                      "%rd6, %rd2;\nadd.s64 %rd6, %rd6, %rd4;\n"
                      "ld.global.nc.u32 %r5, [%rd6];\nadd.u32 %r9, %r9, %r5;\n" LOOP_END);
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  assert_false(load(&f, 1)->simple);
  forget(&f);
}

/* Two values that step, added: both steps. */
static void steps_add_up(void **state) {
  (void)state;
  found f = look(LOOP_START "mul.wide.u32 %rd7, %r3, 4;\nadd.s64 %rd8, %rd7, %rd1;\nadd.s64 %rd9, "
                            "%rd8, %rd7;\nld.global.nc.u32 %r4, [%rd9];\n"
                            "sub.s64 %rd10, %rd9, %rd7;\nld.global.nc.u32 %r6, [%rd10];\nadd.u32 "
                            "%r9, %r9, %r6;\n" LOOP_END);
  check_role(&f, 0, PTX_LOAD_HEAD, "");
  assert_int_equal(load(&f, 0)->stride, 8);
  assert_int_equal(load(&f, 1)->stride, 4);
  assert_int_equal(run(&f, 1, 12).executed[0], 11);
  forget(&f);
}

/* The test looks at the index before it steps: one iteration more than the test before the loop
 * would say. */
static void test_before_the_step(void **state) {
  (void)state;
  found f = look(LOOP_START "ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                            "setp.lt.u32 %p2, %r3, %r2;\nadd.s32 %r3, %r3, 1;\n"
                            "add.s64 %rd3, %rd3, 4;\n@%p2 bra LOOP;\n" DONE);
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  assert_int_not_equal(f.p->loops[0].test.pc, PTX_NO_PC);
  assert_false(f.p->loops[0].test.own);
  assert_int_equal(f.p->loops[0].entry.pc, PTX_NO_PC);
  assert_int_equal(run(&f, 1, 12).executed[0], 12);
  forget(&f);
}

static void nested_loops(void **state) {
  (void)state;
  found f =
      look(HEAD SKIP
           "mov.u32 %r3, %r1;\nOUTER:\nmad.wide.u32 %rd3, %r3, 4, %rd1;\nld.global.nc.u32 %r4, "
           "[%rd3];\nmov.u32 %r6, 0;\nmov.u64 %rd7, %rd2;\n"
           "INNER:\nld.global.nc.u32 %r7, [%rd7];\nadd.u32 %r9, %r9, %r7;\nadd.s64 %rd7, %rd7, "
           "4;\nadd.u32 %r6, %r6, 1;\nsetp.lt.u32 %p3, %r6, 3;\n@%p3 bra INNER;\n" TAIL_OF_R4
           "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p2, %r3, %r2;\n@%p2 bra OUTER;\n" DONE);
  assert_int_equal(f.p->n_loops, 2);
  check_role(&f, 0, PTX_LOAD_HEAD, "");
  check_role(&f, 1, PTX_LOAD_HEAD, "");
  check_role(&f, 2, PTX_LOAD_TAIL, "");
  assert_int_equal(load(&f, 0)->loop, load(&f, 2)->loop);
  assert_int_not_equal(load(&f, 0)->loop, load(&f, 1)->loop);
  assert_int_equal(f.p->loops[load(&f, 1)->loop].test.step, 1);
  assert_int_equal(f.p->loops[load(&f, 0)->loop].early_exits, 0);
  forget(&f);
}

static void tests_that_count_nothing(void **state) {
  (void)state;
  static const char *const ends[][2] = {
      {"setp.lt.u32 %p2, %r5, %r2;\n@%p2 bra LOOP;\n",
       "the test compares no stepping value with a constant one"},
      {"setp.ne.s32 %p4, %r3, 0;\nsetp.lt.and.u32 %p2, %r3, %r2, %p4;\n@%p2 bra LOOP;\n",
       "the test is of a kind that counts nothing"},
      {"setp.ne.s32 %p4, %r3, 0;\nsetp.lt.u32 %p5, %r3, %r2;\nand.pred %p2, %p4, %p5;\n@%p2 bra "
       "LOOP;\n",
       "no setp beside the branch that ends the loop"}};
  for (size_t i = 0; i < 3; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             "%sld.global.nc.u32 %%r4, [%%rd3];\n%sadd.s32 %%r3, %%r3, 1;\nadd.s64 %%rd3, %%rd3, "
             "4;\n%s%s",
             LOOP_START, TAIL_OF_R4, ends[i][0], DONE);
    found f = look(text);
    assert_string_equal(f.p->loops[0].reason, ends[i][1]);
    assert_int_equal(f.p->loops[0].test.pc, PTX_NO_PC);
    check_role(&f, 0, PTX_LOAD_HEAD, "");
    forget(&f);
  }
}

static void early_exits_are_counted(void **state) {
  (void)state;
  found f = look(LOOP_START "ld.global.nc.u32 %r4, [%rd3];\n" TAIL_OF_R4
                            "setp.eq.u32 %p3, %r4, 5;\n@%p3 bra END;\n" LOOP_END);
  assert_int_equal(f.p->loops[0].early_exits, 1);
  assert_int_equal(f.p->loops[0].test.step, 1);
  check_role(&f, 1, PTX_LOAD_TAIL, "");
  forget(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counting_up),
                                     cmocka_unit_test(counting_down_with_a_pointer),
                                     cmocka_unit_test(leaving_by_a_branch_forwards),
                                     cmocka_unit_test(negated_guards_and_exchanged_operands),
                                     cmocka_unit_test(ending_at_a_pointer),
                                     cmocka_unit_test(no_test_before_the_loop),
                                     cmocka_unit_test(another_test_before_the_loop),
                                     cmocka_unit_test(test_at_the_top),
                                     cmocka_unit_test(backwards_through_the_list),
                                     cmocka_unit_test(every_other_edge),
                                     cmocka_unit_test(reasons),
                                     cmocka_unit_test(a_third_level),
                                     cmocka_unit_test(tail_addresses),
                                     cmocka_unit_test(steps_add_up),
                                     cmocka_unit_test(test_before_the_step),
                                     cmocka_unit_test(nested_loops),
                                     cmocka_unit_test(tests_that_count_nothing),
                                     cmocka_unit_test(early_exits_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
