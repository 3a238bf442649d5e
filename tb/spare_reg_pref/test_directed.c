/* Directed tests of spare_reg_pref: figures 6 to 9 and table 1 of the paper's chapter 3 as worked examples, and each situation of
 * its section 3.3 by itself. Every answer is also compared with the reference model, and every replaced load with the load; what is
 * asserted here comes from the paper and from the README's rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tb/spare_reg_pref/spref_programs.h"

#define ok(b, condition) \
  do { \
    if (!(condition)) fail_msg("line %d: %s", __LINE__, spref_bench_failure(b)); \
  } while (0)

enum { BASE = 20, P1 = 1 };

static spref_bench *open_unit(const char *config, const char *parameters) {
  wf_error err = {0};
  spref_bench *b = spref_bench_create(config, parameters, 1, 0, &err);
  if (!b) fail_msg("%s", err.text);
  return b;
}

static void finish(spref_bench *b) {
  ok(b, spref_bench_check_counters(b));
  spref_bench_destroy(b);
}

static void levels(spref_bench *b, spref_levels l) {
  ok(b, spref_bench_rest(b));
  spref_bench_configure(b, &l);
  for (unsigned i = 0; i < 3; i++) {
    spref_offer none = {.take_answers = true};
    ok(b, spref_bench_edge(b, &none));
  }
}

static spref_levels spare(unsigned distance, unsigned registers) {
  return (spref_levels){.enable = true, .distance = distance, .widen = true, .max_s = BASE, .max_d = BASE + registers};
}

static uint64_t counter(const spref_bench *b, spref_counter c) { return spref_bench_ref(b)->counter[c]; }

/* ---- one warp, instruction by instruction ---- */

static spref_answer send(spref_bench *b, const spref_instr *i) {
  spref_offer o = {.in = i, .take_answers = true};
  while (!o.in_taken) ok(b, spref_bench_edge(b, &o));
  spref_offer wait = {.take_answers = true};
  while (!wait.answered) ok(b, spref_bench_edge(b, &wait));
  if (wait.answer.inject && wait.answer.reg_v) {
    spref_done done = {.warp = i->warp};
    spref_offer back = {.done = &done, .take_answers = true};
    ok(b, spref_bench_edge(b, &back));
  }
  return wait.answer;
}

static void event(spref_bench *b, spref_event_kind kind, unsigned warp) {
  spref_event e = {.kind = kind, .warp = warp};
  spref_offer o = {.event = &e, .take_answers = true};
  ok(b, spref_bench_edge(b, &o));
  assert_true(o.event_taken);
  ok(b, spref_bench_rest(b));
}

static void counts(spref_bench *b, unsigned warp, uint64_t mask, unsigned left) {
  spref_count c = {.warp = warp};
  for (unsigned l = 0; l < spref_bench_ref(b)->shape.lanes; l++)
    if (mask >> l & 1) c.n[l] = (uint8_t)(left > 15 ? 15 : left);
  spref_offer o = {.count = &c, .take_answers = true};
  ok(b, spref_bench_edge(b, &o));
  assert_true(o.count_taken);
}

/* A loop at program counters 100 .. of straight code that ends with @p1 bra 100; all lanes run it `trips` times. What
 * was answered in iteration k to instruction i is in out[k][i]. */
enum { MOST = 16, TRIPS = 12 };
static void iterate(spref_bench *b, unsigned warp, const spref_instr *code, unsigned n, unsigned trips, uint64_t mask,
                    spref_answer out[TRIPS][MOST]) {
  for (unsigned k = 0; k < trips; k++)
    for (unsigned i = 0; i <= n; i++) {
      spref_instr x = i < n ? code[i] : (spref_instr){.op = SPREF_BRA, .guard = true, .gpred = P1, .target = 100};
      x.warp = warp;
      x.pc = 100 + i;
      x.mask = i < n ? mask : k + 1 < trips ? mask : 0;
      x.taken = i == n && k + 1 < trips;
      out[k][i] = send(b, &x);
      if (out[k][i].ask) counts(b, warp, mask, trips - 1 - k);
    }
  spref_instr after = {.op = SPREF_OTHER, .warp = warp, .pc = 200, .mask = mask};
  send(b, &after);
}

static spref_instr add_num(unsigned d, unsigned a, int n) {
  return (spref_instr){.op = SPREF_ADD, .dst_v = true, .dst = d, .a = a, .bkind = SPREF_NUM, .imm = n};
}
static spref_instr arith(unsigned op, unsigned d, unsigned a, unsigned r) {
  return (spref_instr){.op = op, .dst_v = true, .dst = d, .a = a, .bkind = SPREF_REG, .b = r};
}
static spref_instr shl(unsigned d, unsigned a, unsigned n) {
  return (spref_instr){.op = SPREF_SCALE, .dst_v = true, .dst = d, .a = a, .sh = n};
}
static spref_instr load(unsigned d, unsigned a, int n) {
  return (spref_instr){.op = SPREF_LDNC, .dst_v = true, .dst = d, .a = a, .imm = n};
}
static spref_instr less(unsigned a, unsigned r) {
  return (spref_instr){.op = SPREF_SETP, .pd_v = true, .pd = P1, .cmp = SPREF_LT, .a = a, .bkind = SPREF_REG, .b = r};
}

/* The loop of figures 6 to 8: r28 counts (by a register that holds 1), r4 = r28 * 4 + r16 is the address of load A, load B
 * depends on it. Registers fit the small configurations: 8 index, 6 bound, 2 step, 3 edges, 7 visited. */
static unsigned figure_loop(spref_instr code[MOST]) {
  unsigned n = 0;
  code[n++] = shl(9, 8, 2);
  code[n++] = arith(SPREF_ADD, 10, 9, 3);
  code[n++] = load(11, 10, 0); /* load A */
  code[n++] = shl(12, 11, 2);
  code[n++] = arith(SPREF_ADD, 13, 12, 7);
  code[n++] = load(14, 13, 4); /* load B */
  code[n++] = (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = 15, .a = 14};
  code[n++] = (spref_instr){.op = SPREF_ADD, .dst_v = true, .dst = 8, .a = 8, .bkind = SPREF_UNIFORM, .b = 2, .imm = 1};
  code[n++] = less(8, 6);
  return n;
}
enum { LOAD_A = 2, LOAD_B = 5, TEST = 8 };

/* Figure 7: known by the end of the third iteration; before it every instruction is issued as it is. */
static void figure_7_detection(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  iterate(b, 0, code, n, 3, 15, out);
  assert_int_equal(counter(b, SPREF_CNT_tables), 0); /* the third iteration did not branch back */
  iterate(b, 1, code, n, 5, 15, out);
  assert_int_equal(counter(b, SPREF_CNT_tables), 1);
  for (unsigned k = 0; k < 3; k++)
    for (unsigned i = 0; i <= n; i++) assert_true(!out[k][i].move && !out[k][i].inject && !out[k][i].ask);
  const spref_ref *r = spref_bench_ref(b);
  assert_int_equal(r->head[0].off, LOAD_A);
  assert_int_equal(r->head[0].num, 4);
  assert_int_equal(r->tail[0].off, LOAD_B);
  assert_int_equal(r->tail[0].scale, 2);
  assert_int_equal(r->tail[0].base, 7);
  assert_false(r->head[1].ok);
  finish(b);
}

/* Figure 6 C: in each iteration A and B become moves, and both are prefetched for the next one. */
static void figure_6_stream(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  iterate(b, 0, code, n, 6, 15, out);
  iterate(b, 1, code, n, 6, 15, out);
  for (unsigned k = 0; k < 6; k++) {
    const spref_answer *A = &out[k][LOAD_A], *B = &out[k][LOAD_B];
    /* The first iteration has no counts; the second prefetches; the last one has nothing to prefetch. */
    assert_int_equal(A->move, k >= 2);
    assert_int_equal(B->move, k >= 2);
    assert_int_equal(A->inject, k >= 1 && k < 5 ? 1 : 0);
    assert_int_equal(B->inject, k >= 1 && k < 5 ? 2 : 0);
    if (A->inject) {
      assert_int_equal(A->base, 10);
      assert_int_equal(A->offset, 4);
      assert_int_equal(A->reg, BASE);
      assert_int_equal(A->mask, 15);
      assert_int_equal(B->index, BASE);
      assert_int_equal(B->scale, 2);
      assert_int_equal(B->base, 7);
      assert_int_equal(B->offset, 4);
      assert_int_equal(B->reg, BASE + 1);
    }
    if (A->move) {
      assert_int_equal(A->move_reg, BASE);
      assert_int_equal(B->move_reg, BASE + 1);
    }
    for (unsigned i = 0; i <= n; i++) {
      if (i == LOAD_A || i == LOAD_B) continue;
      assert_true(!out[k][i].move && !out[k][i].inject);
      assert_int_equal(out[k][i].ask, i == TEST);
    }
  }
  finish(b);
}

/* Figure 8: the test asks for (bound - index) over the step. */
static void figure_8_counts(void **state) {
  (void)state;
  static const struct {
    spref_cmp cmp, want;
    bool neg, swap, down;
    int step;
    unsigned shift;
  } rows[] = {{SPREF_LT, SPREF_LT, false, false, false, 1, 0}, {SPREF_GE, SPREF_LT, true, false, false, 4, 2},
              {SPREF_GT, SPREF_LT, false, true, false, 2, 1},  {SPREF_LE, SPREF_GT, true, false, true, -1, 0},
              {SPREF_NE, SPREF_NE, false, false, true, -8, 3}, {SPREF_EQ, SPREF_NE, true, true, false, 1, 0},
              {SPREF_GE, SPREF_GE, false, false, true, -2, 1}, {SPREF_LE, SPREF_LE, false, false, false, 1, 0}};
  spref_bench *b = open_unit("small", "NumForm=12");
  for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
    levels(b, spare(1, 4));
    event(b, SPREF_KERNEL, 0);
    spref_instr code[MOST];
    spref_answer a = {0};
    unsigned n = figure_loop(code);
    code[7].imm = rows[r].step;
    code[TEST].cmp = rows[r].cmp;
    if (rows[r].swap) code[TEST].a = 6, code[TEST].b = 8;
    for (unsigned k = 0; k < 6; k++)
      for (unsigned i = 0; i <= n; i++) {
        spref_instr x = i < n ? code[i] : (spref_instr){.op = SPREF_BRA, .guard = true, .gpred = P1, .gneg = rows[r].neg, .target = 100, .taken = true};
        x.pc = 100 + i;
        x.mask = 15;
        spref_answer got = send(b, &x);
        if (got.ask) {
          a = got;
          counts(b, 0, 15, 9);
        }
      }
    assert_true(a.ask);
    assert_int_equal(a.cmp, rows[r].want);
    assert_int_equal(a.swap, rows[r].swap);
    assert_int_equal(a.down, rows[r].down);
    assert_int_equal(a.shift, rows[r].shift);
  }
  finish(b);
}

/* Figure 9: lists of three, whose pointers go round; algorithm 1: the distance by the mean count. */
static void figure_9_lists(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(0, 6));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  iterate(b, 0, code, n, 4, 15, out);
  iterate(b, 2, code, n, 12, 15, out); /* 11 left when counted: distance 3 */
  for (unsigned k = 1; k < 12; k++) {
    const spref_answer *A = &out[k][LOAD_A], *B = &out[k][LOAD_B];
    assert_int_equal(A->inject != 0, k < 9);
    assert_int_equal(A->move, k >= 4);
    if (A->inject) {
      assert_int_equal(A->reg, BASE + (k - 1) % 3);
      assert_int_equal(A->offset, 12);
      assert_int_equal(B->reg, BASE + 3 + (k - 1) % 3);
      assert_int_equal(B->index, A->reg);
    }
    if (A->move) {
      assert_int_equal(A->move_reg, BASE + (k - 1) % 3);
      assert_int_equal(B->move_reg, BASE + 3 + (k - 1) % 3);
    }
  }
  /* Means of 3, 4, 5, 6: distances 1, 2, 2, 3. */
  static const unsigned distances[] = {1, 2, 2, 3};
  for (unsigned t = 0; t < 4; t++) {
    iterate(b, 1, code, n, 4 + t, 15, out);
    assert_int_equal(out[1][LOAD_A].inject != 0, 1);
    assert_int_equal(out[1][LOAD_A].offset, 4 * distances[t]);
  }
  finish(b);
}

/* Algorithm 1's end: the distance is reduced until the registers suffice; then targets go, the last one first. */
static void spare_registers_limit(void **state) {
  (void)state;
  static const struct {
    unsigned registers, offset;
    bool head, tail;
  } rows[] = {{0, 0, false, false}, {1, 12, true, false}, {2, 4, true, true}, {3, 4, true, true}, {4, 8, true, true}, {5, 8, true, true}, {6, 12, true, true}};
  spref_bench *b = open_unit("small", "NumForm=12");
  for (unsigned r = 0; r < 7; r++) {
    levels(b, spare(3, rows[r].registers));
    event(b, SPREF_KERNEL, 0);
    spref_instr code[MOST];
    spref_answer out[TRIPS][MOST];
    unsigned n = figure_loop(code);
    iterate(b, 0, code, n, 4, 15, out);
    iterate(b, 1, code, n, 8, 15, out);
    assert_int_equal(out[1][LOAD_A].inject, rows[r].head);
    assert_int_equal(out[1][LOAD_B].inject, rows[r].tail ? 2 : 0);
    /* One register holds one head-load at distance 1 only. */
    assert_int_equal(out[1][LOAD_A].offset, rows[r].registers == 1 ? 4 : rows[r].offset);
    assert_int_equal(out[7][LOAD_A].move, rows[r].head);
    assert_int_equal(out[7][LOAD_B].move, rows[r].tail);
  }
  finish(b);
}

/* Counts are known at the test: a tail-load after it is no target and takes no registers, so the head's list is as long as they allow. */
static void a_tail_after_the_test_is_no_target(void **state) {
  (void)state;
  static const unsigned order[] = {0, 1, LOAD_A, 7, TEST, 3, 4, LOAD_B, 6};
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(3, 3));
  spref_instr usual_order[MOST], code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(usual_order);
  for (unsigned i = 0; i < n; i++) code[i] = usual_order[order[i]];
  iterate(b, 0, code, n, 4, 15, out);
  iterate(b, 1, code, n, 8, 15, out);
  assert_int_equal(out[1][2].inject, 1);
  assert_int_equal(out[1][2].offset, 12);
  assert_true(out[4][2].move);
  for (unsigned k = 0; k < 8; k++) assert_true(!out[k][7].inject && !out[k][7].move);
  finish(b);
}

/* Table 1 and the load-id tags: what becomes of the address decides. Each row computes register 10 (of A) or 13 (of B). */
static void table_1_tags(void **state) {
  (void)state;
  typedef struct row {
    const char *what;
    unsigned at; /* instruction of the figure's loop that is replaced */
    spref_instr by;
    bool head, tail;
  } row;
  spref_instr guarded = add_num(10, 9, 64), twice = add_num(9, 9, 4), raw_shl = shl(8, 8, 1), mul = shl(9, 8, 3);
  guarded.guard = true;
  guarded.gpred = 2;
  const row rows[] = {
      {"const + const is const: no stride", 1, arith(SPREF_ADD, 10, 3, 7), false, false},
      {"stride + const", 1, arith(SPREF_ADD, 10, 9, 3), true, true},
      {"const + stride", 1, arith(SPREF_ADD, 10, 3, 9), true, true},
      {"stride - const", 1, arith(SPREF_SUB, 10, 9, 3), true, true},
      {"const - stride is not followed", 1, arith(SPREF_SUB, 10, 3, 9), false, false},
      {"stride + number", 1, add_num(10, 9, 64), true, true},
      {"stride + stride is random", 1, arith(SPREF_ADD, 10, 9, 8), false, false},
      {"stride * 8", 0, mul, true, true},
      {"another opcode is random", 1, (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = 10, .a = 9, .bkind = SPREF_REG, .b = 3}, false, false},
      {"a load is random", 0, (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = 9, .a = 3}, false, false},
      {"guarded writes are random", 1, guarded, false, false},
      {"a register that is written twice", 1, twice, false, false},
      {"updates by a shift are no stride", 7, raw_shl, false, false},
      {"load + const + number", 4, add_num(13, 12, 40), true, true},
      {"load + stride is random", 4, arith(SPREF_ADD, 13, 12, 9), true, false},
      {"const - load is not followed", 4, arith(SPREF_SUB, 13, 7, 12), true, false},
      {"load + const + const is not followed", 3, arith(SPREF_ADD, 12, 11, 3), true, false},
      {"load, other opcode", 3, (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = 12, .a = 11}, true, false},
  };
  spref_bench *b = open_unit("small", "NumForm=12");
  for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
    levels(b, spare(1, 4));
    event(b, SPREF_KERNEL, 0);
    spref_instr code[MOST];
    spref_answer out[TRIPS][MOST];
    unsigned n = figure_loop(code);
    code[rows[r].at] = rows[r].by;
    iterate(b, 0, code, n, 5, 15, out);
    iterate(b, 1, code, n, 5, 15, out);
    if (out[3][LOAD_A].move != rows[r].head || out[3][LOAD_B].move != rows[r].tail)
      fail_msg("%s: head %d tail %d", rows[r].what, out[3][LOAD_A].move, out[3][LOAD_B].move);
  }
  finish(b);
}

/* ---- programs on the machine ---- */

static spref_tally run_shape(spref_bench *b, spref_levels l, spref_loop_shape s, bool hints, unsigned warps) {
  spref_program p;
  spref_marks marks;
  spref_tally tally;
  levels(b, l);
  event(b, SPREF_KERNEL, 0);
  spref_program_loop(&p, &s, &marks);
  if (hints) {
    spref_hint h[16];
    unsigned n = spref_program_hints(&p, &s, &marks, h);
    for (unsigned k = 0; k < n;) {
      spref_offer o = {.hint = &h[k], .take_answers = true};
      ok(b, spref_bench_edge(b, &o));
      if (o.hint_taken) k++;
    }
  }
  ok(b, spref_bench_rest(b));
  spref_run run = {.warps = warps, .repeats = 6, .rate = 100, .ahead = 4};
  ok(b, spref_machine_run(b, &p, &run, &tally));
  return tally;
}

static const spref_loop_shape usual = {.cmp = SPREF_LT, .trips = 12, .base = 300};

static void every_shape_of_loop(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  for (unsigned distance = 0; distance < 4; distance++)
    for (unsigned k = 0; k < 9; k++) {
      spref_loop_shape s = usual;
      if (k == 1) s.indexed = s.mad = s.ext = true;                  /* mul.wide of an index */
      if (k == 2) s.down = true, s.cmp = SPREF_NE;                   /* count-down beside a pointer, as clang emits it */
      if (k == 3) s.down = s.indexed = true, s.cmp = SPREF_GT;
      if (k == 4) s.layout = SPREF_TOP, s.negate = true;
      if (k == 5) s.layout = SPREF_ROTATED;
      if (k == 6) s.two = s.tail_2 = true;
      if (k == 7) s.no_tail = true, s.guard_zero = true;
      if (k == 8) s.nested = true, s.twist = SPREF_BARRIER, s.step_shift = 2, s.cmp = SPREF_LE;
      spref_tally t = run_shape(b, spare(distance, 12), s, false, 4);
      if (t.moves == 0) fail_msg("shape %u, distance %u: no load was replaced", k, distance);
      if (t.wasted_lanes) fail_msg("shape %u, distance %u: %llu lanes prefetched for nothing", k, distance, (unsigned long long)t.wasted_lanes);
    }
  finish(b);
}

static void what_happens_between_the_loads(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  for (spref_twist twist = SPREF_PLAIN; twist < SPREF_TWISTS; twist++)
    for (unsigned k = 0; k < 4; k++) {
      spref_loop_shape s = usual;
      s.twist = twist;
      s.trips = 20;
      s.nested = k & 1;
      s.indexed = k & 2;
      spref_tally t = run_shape(b, spare(k % 3, 8), s, false, 4);
      bool may_waste = twist == SPREF_BREAK || twist >= SPREF_SKIP_TAIL;
      if (t.wasted_lanes && !may_waste) fail_msg("twist %u: %llu lanes prefetched for nothing", twist, (unsigned long long)t.wasted_lanes);
      bool target = twist != SPREF_PREDICATED_HEAD && twist != SPREF_MOVE_BASE && twist != SPREF_CLOBBERS;
      if (target && !(twist == SPREF_SKIP_STEP && k < 2) && twist != SPREF_MOVE_BOUND && t.moves == 0)
        fail_msg("twist %u, %u: no load was replaced", twist, k);
      if (twist == SPREF_PREDICATED_HEAD) assert_int_equal(t.moves, 0);
    }
  finish(b);
}

/* Compiler-guided: prefetches from the first iteration of the first warp on, no training. */
static void hints_start_at_once(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  for (unsigned distance = 0; distance < 2; distance++) {
    spref_loop_shape s = usual;
    s.guard_zero = true;
    spref_levels l = spare(distance, 6);
    spref_tally hardware = run_shape(b, l, s, false, 4);
    assert_int_not_equal(counter(b, SPREF_CNT_loops_found), 0);
    ok(b, spref_bench_check_counters(b) && spref_bench_clear_counters(b));
    l.hints = true;
    spref_tally compiler = run_shape(b, l, s, true, 4);
    assert_int_equal(counter(b, SPREF_CNT_loops_found), 0);
    assert_int_equal(compiler.wasted_lanes, 0);
    assert_true(compiler.moves * 10 > compiler.loads * 6);
    assert_true(compiler.moves * hardware.loads > hardware.moves * compiler.loads);
    ok(b, spref_bench_check_counters(b) && spref_bench_clear_counters(b));
  }
  finish(b);
}

/* SPREF1-C: tails into the cache only; loops without tails prefetch their heads so. */
static void cache_only(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  spref_levels l = spare(1, 1);
  l.cache_only = true;
  spref_loop_shape s = usual;
  spref_tally t = run_shape(b, l, s, false, 2);
  assert_true(t.moves > 0);
  assert_int_equal(counter(b, SPREF_CNT_moves_tail), 0);
  assert_int_equal(counter(b, SPREF_CNT_injected_cache), counter(b, SPREF_CNT_injected_tail));
  assert_int_not_equal(counter(b, SPREF_CNT_injected_tail), 0);
  s.no_tail = true;
  ok(b, spref_bench_check_counters(b) && spref_bench_clear_counters(b));
  t = run_shape(b, l, s, false, 2);
  assert_int_equal(t.moves, 0);
  assert_int_equal(counter(b, SPREF_CNT_injected_cache), counter(b, SPREF_CNT_injected_head));
  assert_int_not_equal(counter(b, SPREF_CNT_injected_head), 0);
  finish(b);
}

static void off_changes_nothing(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", NULL);
  spref_levels l = spare(1, 8);
  l.enable = false;
  spref_tally t = run_shape(b, l, usual, false, 4);
  assert_int_equal(t.moves + t.injected_lanes, 0);
  assert_int_equal(counter(b, SPREF_CNT_loops_found), 0);
  finish(b);
}

/* Of nested loops the inner one is the target, though the outer one branches as well; an inner loop without targets
 * takes the outer one with it. */
static void nested_loops(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  spref_loop_shape s = usual;
  s.nested = true;
  spref_program p;
  spref_marks m;
  spref_program_loop(&p, &s, &m);
  run_shape(b, spare(1, 8), s, false, 4);
  assert_int_equal(spref_bench_ref(b)->lo, 300 + m.low);
  assert_int_equal(counter(b, SPREF_CNT_drops), 0);
  s.twist = SPREF_PREDICATED_HEAD;
  ok(b, spref_bench_check_counters(b) && spref_bench_clear_counters(b));
  run_shape(b, spare(1, 8), s, false, 4);
  assert_int_equal(counter(b, SPREF_CNT_tables), 0);
  assert_true(counter(b, SPREF_CNT_loops_refused) >= 1);
  finish(b);
}

/* A table whose loop is not run any more gives way to the loop that is. */
static void another_loop_takes_over(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  iterate(b, 0, code, n, 5, 15, out);
  assert_int_equal(counter(b, SPREF_CNT_tables), 1);
  for (unsigned k = 0; k < 8; k++) {
    spref_instr back = {.op = SPREF_BRA, .guard = true, .gpred = 2, .pc = 520, .target = 500, .mask = 15, .taken = true};
    assert_int_equal(counter(b, SPREF_CNT_drops), 0);
    send(b, &back);
  }
  assert_int_equal(counter(b, SPREF_CNT_drops), 1);
  iterate(b, 0, code, n, 5, 15, out);
  assert_int_equal(counter(b, SPREF_CNT_tables), 2);
  finish(b);
}

/* Two heads; if lanes are missing at the second one, the warp begins anew. */
static void second_head(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  figure_loop(code);
  code[6] = load(15, 5, 16);
  code[7] = add_num(5, 5, 8);
  code[8] = (spref_instr){.op = SPREF_ADD, .dst_v = true, .dst = 8, .a = 8, .bkind = SPREF_NUM, .imm = 1};
  code[9] = less(8, 6);
  iterate(b, 0, code, 10, 5, 15, out);
  iterate(b, 1, code, 10, 6, 15, out);
  for (unsigned k = 1; k < 5; k++) {
    assert_int_equal(out[k][6].inject, 1);
    assert_int_equal(out[k][6].offset, 24);
    assert_int_equal(out[k][6].base, 5);
    assert_int_equal(out[k][6].reg, BASE + 2);
    assert_int_equal(out[k][6].move, k > 1);
  }
  for (unsigned k = 0; k < 7; k++)
    for (unsigned i = 0; i <= 10; i++) {
      spref_instr x = i < 10 ? code[i] : (spref_instr){.op = SPREF_BRA, .guard = true, .gpred = P1, .target = 100, .taken = true};
      x.warp = 2;
      x.pc = 100 + i;
      x.mask = k == 4 && i == 6 ? 7 : 15;
      out[k][i] = send(b, &x);
      if (out[k][i].ask) counts(b, 2, 15, 9);
    }
  assert_true(out[3][6].move && out[4][LOAD_A].move && !out[4][6].move && !out[4][6].inject);
  assert_true(!out[5][LOAD_A].move && !out[5][6].move && out[5][6].inject == 1 && out[6][6].move);
  finish(b);
}

/* A later branch to the same place makes a loop longer; a loop that is longer than offsets reach is none. */
static void loops_grow(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  spref_instr back = {.op = SPREF_BRA, .warp = 2, .target = 100, .pc = 150, .mask = 15, .taken = true};
  iterate(b, 0, code, n, 5, 15, out);
  send(b, &back);
  assert_int_equal(spref_bench_ref(b)->hi, 150);
  iterate(b, 0, code, n, 5, 15, out);
  assert_true(out[3][LOAD_A].move);
  back.pc = 500;
  send(b, &back);
  assert_int_equal(counter(b, SPREF_CNT_drops), 1);
  back.pc = 120;
  send(b, &back); /* a new training */
  assert_int_equal(spref_bench_ref(b)->state, SPREF_PASS_A);
  back.pc = 500;
  send(b, &back);
  assert_int_equal(counter(b, SPREF_CNT_loops_refused), 1);
  iterate(b, 0, code, n, 6, 15, out);
  assert_int_equal(counter(b, SPREF_CNT_tables), 1);
  finish(b);
}

/* Registers may be given away when inflight_o is 0 only; a fault makes the warp begin anew; the end of a warp forgets it. */
static void registers_are_given_back(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  iterate(b, 0, code, n, 5, 15, out);
  for (unsigned round = 0; round < 3; round++) {
    for (unsigned k = 0; k < 4; k++)
      for (unsigned i = 0; i <= n; i++) {
        spref_instr x = i < n ? code[i] : (spref_instr){.op = SPREF_BRA, .guard = true, .gpred = P1, .target = 100, .taken = true};
        x.warp = 3;
        x.pc = 100 + i;
        x.mask = 15;
        spref_offer o = {.in = &x, .take_answers = true};
        while (!o.in_taken) ok(b, spref_bench_edge(b, &o));
        spref_offer wait = {.take_answers = true};
        while (!wait.answered) ok(b, spref_bench_edge(b, &wait));
        if (wait.answer.ask) counts(b, 3, 15, 9);
        if (wait.answer.inject && (k < 2 || i != LOAD_A)) {
          spref_done done = {.warp = 3, .fault = round == 1 && k == 2};
          spref_offer back = {.done = &done, .take_answers = true};
          ok(b, spref_bench_edge(b, &back));
        }
        out[k][i] = wait.answer;
      }
    ok(b, spref_bench_rest(b));
    assert_int_equal(out[3][LOAD_A].move, round != 1); /* the tail of iteration 2 failed: all is forgotten */
    assert_int_equal(spref_ref_inflight(spref_bench_ref(b)), 8);
    for (unsigned k = 0; k < 2; k++) {
      spref_done done = {.warp = 3};
      spref_offer back = {.done = &done, .take_answers = true};
      ok(b, spref_bench_edge(b, &back));
    }
    event(b, round ? SPREF_WARP_START : SPREF_WARP_END, 3);
    assert_int_equal(spref_ref_inflight(spref_bench_ref(b)), 0);
    assert_false(spref_bench_ref(b)->warp[3].known);
  }
  finish(b);
}

static void a_new_kernel_forgets_all(void **state) {
  (void)state;
  spref_bench *b = open_unit("small", "NumForm=12");
  levels(b, spare(1, 4));
  spref_instr code[MOST];
  spref_answer out[TRIPS][MOST];
  unsigned n = figure_loop(code);
  iterate(b, 0, code, n, 5, 15, out);
  iterate(b, 0, code, n, 5, 15, out);
  assert_true(out[3][LOAD_A].move);
  event(b, SPREF_KERNEL, 0);
  iterate(b, 0, code, n, 3, 15, out);
  for (unsigned k = 0; k < 3; k++) assert_false(out[k][TEST].ask);
  finish(b);
}

/* One instruction a cycle goes in, and one answer out, while answers are taken. */
static void one_instruction_per_cycle(void **state) {
  (void)state;
  spref_bench *b = open_unit("paper", NULL);
  ok(b, spref_bench_rest(b));
  unsigned taken = 0, answered = 0, first = 0;
  for (unsigned k = 0; k < 200; k++) {
    spref_instr x = {.op = SPREF_ADD, .warp = k % 48, .pc = k, .dst_v = true, .dst = k % 60, .mask = 1};
    spref_offer o = {.in = &x, .take_answers = true};
    ok(b, spref_bench_edge(b, &o));
    taken += o.in_taken;
    answered += o.answered;
    if (o.answered && !first) first = k;
  }
  assert_int_equal(taken, 200);
  assert_int_equal(first, 6); /* taken at 0 */
  assert_int_equal(answered, 194);
  finish(b);
}

static void wrong_parameters_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"NumWarp=65", "NumForm=3", "NumForm=15", "RegBits=9", "OffBits=32", "Queue=65", "Lanes=65", "MaxTries=256"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    wf_error err = {0};
    assert_null(spref_bench_create("paper", wrong[i], 1, 0, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_6_stream),
      cmocka_unit_test(figure_7_detection),
      cmocka_unit_test(figure_8_counts),
      cmocka_unit_test(figure_9_lists),
      cmocka_unit_test(a_tail_after_the_test_is_no_target),
      cmocka_unit_test(table_1_tags),
      cmocka_unit_test(spare_registers_limit),
      cmocka_unit_test(every_shape_of_loop),
      cmocka_unit_test(what_happens_between_the_loads),
      cmocka_unit_test(hints_start_at_once),
      cmocka_unit_test(cache_only),
      cmocka_unit_test(off_changes_nothing),
      cmocka_unit_test(nested_loops),
      cmocka_unit_test(another_loop_takes_over),
      cmocka_unit_test(second_head),
      cmocka_unit_test(loops_grow),
      cmocka_unit_test(registers_are_given_back),
      cmocka_unit_test(a_new_kernel_forgets_all),
      cmocka_unit_test(one_instruction_per_cycle),
      cmocka_unit_test(wrong_parameters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
