/* Directed tests of spare_reg_pref: figures 6 to 9 and table 1 of the paper's chapter 3 as worked
 * examples, and each situation of its section 3.3 by itself. Every answer is also compared with the
 * reference model, and every replaced load with the load; what is asserted here comes from the
 * paper and from the README's rules. */
#include "tb/common/wf_test.h"
#include "tb/spref/spref_programs.h"

enum {
  BASE = 20,
  P1 = 1,
  P2 = 2,
  ALL = 15 /* lanes of `small` */,
  LOW = 100 /* first instruction of the loops here */
};

/* ---- the unit ---- */

static spref_bench *open_unit(const char *config, const char *parameters) {
  return wf_test_open(&spref_bench_class, config, parameters);
}

static void idle_edge(spref_bench *b) {
  spref_offer none = {.take_answers = true};
  ok(b, spref_bench_edge(b, &none));
}

static void levels(spref_bench *b, spref_levels l) {
  ok(b, spref_bench_rest(b));
  spref_bench_configure(b, &l);
  for (unsigned i = 0; i < 3; i++) idle_edge(b);
}

static spref_levels spare(unsigned distance, unsigned registers) {
  return (spref_levels){.enable = true,
                        .distance = distance,
                        .widen = true,
                        .max_s = BASE,
                        .max_d = BASE + registers};
}

static uint64_t counter(const spref_bench *b, spref_counter c) {
  return b->ref.counter[c];
}

/* Counters are what they should be, and begin at 0 again. */
static void counters_afresh(spref_bench *b) {
  ok(b, wf_bench_check_counters(b) && wf_bench_clear_counters(b));
}

static void new_kernel(spref_bench *b) {
  spref_offer o = {.new_kernel = true, .take_answers = true};
  ok(b, spref_bench_edge(b, &o));
  ok(b, spref_bench_rest(b));
}

static void fault(spref_bench *b, unsigned warp) {
  const spref_done done = {.warp = warp, .reg = BASE, .fault = true};
  spref_offer o = {.done = &done, .take_answers = true};
  while (!o.done_taken) ok(b, spref_bench_edge(b, &o));
}

/* An instruction goes in and its answer comes. */
static spref_answer send(spref_bench *b, const spref_instr *i) {
  bool pre;
  spref_instr x = *i;
  x.counted = i->op == SPREF_SETP && spref_ref_is_test(&b->ref, i->pc, &pre);
  spref_offer o = {.in = &x, .take_answers = true};
  while (!o.in_taken) ok(b, spref_bench_edge(b, &o));
  spref_offer wait = {.take_answers = true};
  while (!wait.answered) ok(b, spref_bench_edge(b, &wait));
  return wait.answer;
}

static void counts(spref_bench *b, unsigned warp, uint64_t mask, unsigned left,
                   const spref_answer *question) {
  spref_count c = {.warp = warp};
  for (unsigned l = 0; l < b->ref.shape.lanes; l++)
    if (mask >> l & 1) spref_bench_operands(&c, l, question, left > 15 ? 15 : left);
  spref_offer o = {.count = &c, .take_answers = true};
  ok(b, spref_bench_edge(b, &o));
  assert_true(o.count_taken);
  o.count = NULL;
  while (!o.counted) ok(b, spref_bench_edge(b, &o));
}

/* ---- instructions ---- */

static spref_instr add_num(unsigned d, unsigned a, int n) {
  return (spref_instr){
      .op = SPREF_ADD, .dst_v = true, .dst = d, .a = a, .bkind = SPREF_NUM, .imm = n};
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
  return (spref_instr){.op = SPREF_SETP,
                       .pd_v = true,
                       .pd = P1,
                       .cmp = SPREF_LT,
                       .a = a,
                       .bkind = SPREF_REG,
                       .b = r};
}
static spref_instr other(unsigned d, unsigned a) {
  return (spref_instr){.op = SPREF_OTHER, .dst_v = true, .dst = d, .a = a};
}
static spref_instr branch_back(unsigned warp, unsigned from, unsigned to) {
  return (spref_instr){
      .op = SPREF_BRA, .warp = warp, .pc = from, .target = to, .mask = ALL, .taken = true};
}

/* ---- a loop, instruction by instruction ---- */

enum { MOST = 24, TRIPS = 12 };
/* Straight code at program counters LOW .. that ends with @p1 bra LOW (negate: @!p1), and what was
 * answered in iteration k to instruction i. */
typedef struct situation {
  spref_bench *b;
  spref_instr code[MOST];
  unsigned n;
  unsigned shift; /* all program counters are so much higher */
  bool negate;
  spref_answer out[TRIPS][MOST];
} situation;

/* The loop of figures 6 to 8: r28 counts (by a register that holds 1), r4 = r28 * 4 + r16 is the
 * address of load A, load B depends on it. Registers fit the small configurations: 8 index, 6
 * bound, 2 step, 3 edges, 7 visited. */
enum { SCALE_A, ADD_A, LOAD_A, SCALE_B, ADD_B, LOAD_B, USE, STEP, TEST };
static void figure_loop(situation *t) {
  t->n = 0;
  t->negate = false;
  t->code[t->n++] = shl(9, 8, 2);
  t->code[t->n++] = arith(SPREF_ADD, 10, 9, 3);
  t->code[t->n++] = load(11, 10, 0);
  t->code[t->n++] = shl(12, 11, 2);
  t->code[t->n++] = arith(SPREF_ADD, 13, 12, 7);
  t->code[t->n++] = load(14, 13, 4);
  t->code[t->n++] = other(15, 14);
  t->code[t->n++] = (spref_instr){
      .op = SPREF_ADD, .dst_v = true, .dst = 8, .a = 8, .bkind = SPREF_UNIFORM, .b = 2, .imm = 1};
  t->code[t->n++] = less(8, 6);
}

/* A new kernel with the figures' loop. */
static void again(situation *t, spref_levels l) {
  levels(t->b, l);
  new_kernel(t->b);
  figure_loop(t);
}

/* Every test starts with the figures' loop, distance 1 and four spare registers; at its end
 * counters must be right. */
static int set_up(void **state) {
  situation *t = calloc(1, sizeof *t);
  *state = t;
  t->b = open_unit("small", NULL);
  levels(t->b, spare(1, 4));
  figure_loop(t);
  return 0;
}

static int tear_down(void **state) {
  situation *t = *state;
  const bool right = wf_bench_check_counters(t->b);
  if (!right) print_error("%s\n", t->b->base.failure);
  wf_bench_destroy(t->b);
  free(t);
  return right ? 0 : -1;
}

/* Instruction i of the loop; i = n: its branch. */
static spref_instr instruction(const situation *t, unsigned warp, unsigned i, uint64_t mask,
                               bool taken) {
  spref_instr x = i < t->n ? t->code[i]
                           : (spref_instr){.op = SPREF_BRA,
                                           .guard = true,
                                           .gpred = P1,
                                           .gneg = t->negate,
                                           .target = LOW + t->shift,
                                           .taken = taken};
  x.warp = warp;
  x.pc = LOW + t->shift + i;
  x.mask = mask;
  return x;
}

/* Sent, its answer noted; counts that were asked for say `left`. */
static void run_one(situation *t, unsigned k, unsigned i, const spref_instr *x, uint64_t lanes,
                    unsigned left) {
  t->out[k][i] = send(t->b, x);
  if (t->out[k][i].ask) counts(t->b, x->warp, lanes, left, &t->out[k][i]);
}

/* All lanes of `warp` run the loop `trips` times and leave it. */
static void run(situation *t, unsigned warp, unsigned trips) {
  for (unsigned k = 0; k < trips; k++)
    for (unsigned i = 0; i <= t->n; i++) {
      const bool stays = k + 1 < trips;
      const spref_instr x = instruction(t, warp, i, i < t->n || stays ? ALL : 0, stays);
      run_one(t, k, i, &x, ALL, trips - 1 - k);
    }
  const spref_instr after = {.op = SPREF_OTHER, .warp = warp, .pc = LOW + 100, .mask = ALL};
  send(t->b, &after);
}

/* One more iteration of a warp that stays in the loop; instruction `thin` is run by `lanes` only.
 */
enum { NOBODY_THIN = MOST };
static void stay(situation *t, unsigned warp, unsigned k, unsigned thin, uint64_t lanes) {
  for (unsigned i = 0; i <= t->n; i++) {
    const spref_instr x = instruction(t, warp, i, i == thin ? lanes : ALL, true);
    run_one(t, k, i, &x, ALL, 9);
  }
}

static bool as_it_is(const spref_answer *a) {
  return !a->move && !a->inject;
}

/* The answer is a prefetch of a head (1), of a tail (2), or none (0), and a move or none. */
static void expect(const spref_answer *a, unsigned inject, bool move) {
  assert_int_equal(a->inject, inject);
  assert_int_equal(a->move, move);
}

/* ---- the paper's figures ---- */

/* Figure 7: known by the end of the third iteration; before it every instruction is issued as it
 * is. */
static void figure_7_detection(void **state) {
  situation *t = *state;
  run(t, 0, 3);
  assert_int_equal(counter(t->b, SPREF_CNT_tables),
                   0); /* the third iteration did not branch back */
  run(t, 1, 5);
  assert_int_equal(counter(t->b, SPREF_CNT_tables), 1);
  for (unsigned k = 0; k < 3; k++)
    for (unsigned i = 0; i <= t->n; i++) assert_true(as_it_is(&t->out[k][i]) && !t->out[k][i].ask);
  const spref_ref *r = &t->b->ref;
  assert_int_equal(r->head[0].off, LOAD_A);
  assert_int_equal(r->head[0].num, 4);
  assert_int_equal(r->tail[0].off, LOAD_B);
  assert_int_equal(r->tail[0].scale, 2);
  assert_int_equal(r->tail[0].base, 7);
  assert_false(r->head[1].ok);
}

/* Figure 6 C: in each iteration A and B become moves, and both are prefetched for the next one. */
static void figure_6_stream(void **state) {
  situation *t = *state;
  run(t, 0, 6);
  run(t, 1, 6);
  for (unsigned k = 0; k < 6; k++) {
    const spref_answer *A = &t->out[k][LOAD_A], *B = &t->out[k][LOAD_B];
    /* The first iteration has no counts; the second prefetches; the last one has nothing to
     * prefetch. */
    const bool prefetches = k >= 1 && k < 5;
    expect(A, prefetches ? 1 : 0, k >= 2);
    expect(B, prefetches ? 2 : 0, k >= 2);
    if (prefetches) {
      assert_int_equal(A->base, 10);
      assert_int_equal(A->offset, 4);
      assert_int_equal(A->reg, BASE);
      assert_int_equal(A->mask, ALL);
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
    for (unsigned i = 0; i <= t->n; i++) {
      if (i == LOAD_A || i == LOAD_B) continue;
      assert_true(as_it_is(&t->out[k][i]));
      assert_int_equal(t->out[k][i].ask, i == TEST);
    }
  }
}

/* Figure 8: the test asks for (bound - index) over the step. */
static void figure_8_counts(void **state) {
  situation *t = *state;
  static const struct {
    spref_cmp cmp, want;
    bool neg, swap, down;
    int step;
    unsigned shift;
  } rows[] = {{SPREF_LT, SPREF_LT, false, false, false, 1, 0},
              {SPREF_GE, SPREF_LT, true, false, false, 4, 2},
              {SPREF_GT, SPREF_LT, false, true, false, 2, 1},
              {SPREF_LE, SPREF_GT, true, false, true, -1, 0},
              {SPREF_NE, SPREF_NE, false, false, true, -8, 3},
              {SPREF_EQ, SPREF_NE, true, true, false, 1, 0},
              {SPREF_GE, SPREF_GE, false, false, true, -2, 1},
              {SPREF_LE, SPREF_LE, false, false, false, 1, 0}};
  for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
    again(t, spare(1, 4));
    t->code[STEP].imm = rows[r].step;
    t->code[TEST].cmp = rows[r].cmp;
    if (rows[r].swap) t->code[TEST].a = 6, t->code[TEST].b = 8;
    t->negate = rows[r].neg;
    for (unsigned k = 0; k < 6; k++) stay(t, 0, k, NOBODY_THIN, 0);
    const spref_answer *a = &t->out[5][TEST];
    assert_true(a->ask);
    assert_int_equal(a->cmp, rows[r].want);
    assert_int_equal(a->swap, rows[r].swap);
    assert_int_equal(a->down, rows[r].down);
    assert_int_equal(a->shift, rows[r].shift);
  }
}

/* Figure 9: lists of three, whose pointers go round; algorithm 1: the distance by the mean count.
 */
static void figure_9_lists(void **state) {
  situation *t = *state;
  levels(t->b, spare(0, 6));
  run(t, 0, 4);
  run(t, 2, 12); /* 11 left when counted: distance 3 */
  for (unsigned k = 1; k < 12; k++) {
    const spref_answer *A = &t->out[k][LOAD_A], *B = &t->out[k][LOAD_B];
    expect(A, k < 9 ? 1 : 0, k >= 4);
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
  for (unsigned d = 0; d < 4; d++) {
    run(t, 1, 4 + d);
    assert_int_equal(t->out[1][LOAD_A].inject, 1);
    assert_int_equal(t->out[1][LOAD_A].offset, 4 * distances[d]);
  }
}

/* Algorithm 1's end: the distance is reduced until the registers suffice; then targets go, the last
 * one first. */
static void spare_registers_limit(void **state) {
  situation *t = *state;
  static const struct {
    unsigned registers, offset;
    bool head, tail;
  } rows[] = {{0, 0, false, false}, {1, 4, true, false}, /* one register holds one head-load at
                                                            distance 1 only */
              {2, 4, true, true},   {3, 4, true, true},  {4, 8, true, true},
              {5, 8, true, true},   {6, 12, true, true}};
  for (unsigned r = 0; r < 7; r++) {
    again(t, spare(3, rows[r].registers));
    run(t, 0, 4);
    run(t, 1, 8);
    assert_int_equal(t->out[1][LOAD_A].inject, rows[r].head);
    assert_int_equal(t->out[1][LOAD_B].inject, rows[r].tail ? 2 : 0);
    assert_int_equal(t->out[1][LOAD_A].offset, rows[r].offset);
    assert_int_equal(t->out[7][LOAD_A].move, rows[r].head);
    assert_int_equal(t->out[7][LOAD_B].move, rows[r].tail);
  }
}

/* Counts are known at the test: a tail-load after it is no target and takes no registers, so the
 * head's list is as long as they allow. */
static void a_tail_after_the_test_is_no_target(void **state) {
  situation *t = *state;
  static const unsigned order[] = {SCALE_A, ADD_A, LOAD_A, STEP, TEST, SCALE_B, ADD_B, LOAD_B, USE};
  enum { A = 2, B = 7 };
  spref_instr usual_order[MOST];
  memcpy(usual_order, t->code, sizeof usual_order);
  for (unsigned i = 0; i < t->n; i++) t->code[i] = usual_order[order[i]];
  levels(t->b, spare(3, 3));
  run(t, 0, 4);
  run(t, 1, 8);
  expect(&t->out[1][A], 1, false);
  assert_int_equal(t->out[1][A].offset, 12);
  assert_true(t->out[4][A].move);
  for (unsigned k = 0; k < 8; k++) assert_true(as_it_is(&t->out[k][B]));
}

/* Table 1 and the load-id tags: what becomes of the address decides. Each row computes register 10
 * (of A) or 13 (of B). */
static void table_1_tags(void **state) {
  situation *t = *state;
  spref_instr guarded = add_num(10, 9, 64), twice = add_num(9, 9, 4), raw_shl = shl(8, 8, 1),
              mul = shl(9, 8, 3);
  spref_instr mixed = arith(SPREF_OTHER, 10, 9, 3);
  guarded.guard = true;
  guarded.gpred = P2;
  const struct {
    const char *what;
    unsigned at; /* instruction of the figure's loop that is replaced */
    spref_instr by;
    bool head, tail;
  } rows[] = {
      {"const + const is const: no stride", ADD_A, arith(SPREF_ADD, 10, 3, 7), false, false},
      {"stride + const", ADD_A, arith(SPREF_ADD, 10, 9, 3), true, true},
      {"const + stride", ADD_A, arith(SPREF_ADD, 10, 3, 9), true, true},
      {"stride - const", ADD_A, arith(SPREF_SUB, 10, 9, 3), true, true},
      {"const - stride is not followed", ADD_A, arith(SPREF_SUB, 10, 3, 9), false, false},
      {"stride + number", ADD_A, add_num(10, 9, 64), true, true},
      {"stride + stride is random", ADD_A, arith(SPREF_ADD, 10, 9, 8), false, false},
      {"stride * 8", SCALE_A, mul, true, true},
      {"another opcode is random", ADD_A, mixed, false, false},
      {"a load is random", SCALE_A, other(9, 3), false, false},
      {"guarded writes are random", ADD_A, guarded, false, false},
      {"a register that is written twice", ADD_A, twice, false, false},
      {"updates by a shift are no stride", STEP, raw_shl, false, false},
      {"load + const + number", ADD_B, add_num(13, 12, 40), true, true},
      {"load + stride is random", ADD_B, arith(SPREF_ADD, 13, 12, 9), true, false},
      {"const - load is not followed", ADD_B, arith(SPREF_SUB, 13, 7, 12), true, false},
      {"load + const + const is not followed", SCALE_B, arith(SPREF_ADD, 12, 11, 3), true, false},
      {"load, other opcode", SCALE_B, other(12, 11), true, false},
  };
  for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
    again(t, spare(1, 4));
    t->code[rows[r].at] = rows[r].by;
    run(t, 0, 5);
    run(t, 1, 5);
    const spref_answer *A = &t->out[3][LOAD_A], *B = &t->out[3][LOAD_B];
    if (A->move != rows[r].head || B->move != rows[r].tail)
      fail_msg("%s: head %d tail %d", rows[r].what, A->move, B->move);
  }
}

/* ---- programs on the machine ---- */

static void send_hints(spref_bench *b, const spref_hint *h, unsigned n) {
  for (unsigned k = 0; k < n;) {
    spref_offer o = {.hint = &h[k], .take_answers = true};
    ok(b, spref_bench_edge(b, &o));
    k += o.hint_taken;
  }
}

/* A kernel of one loop, which every warp runs six times. With l.hints a compiler says what is in
 * it. */
static spref_tally run_shape(spref_bench *b, spref_levels l, spref_loop_shape s, unsigned warps) {
  spref_program p;
  spref_marks marks;
  spref_tally tally;
  spref_hint hints[16];
  levels(b, l);
  new_kernel(b);
  spref_program_loop(&p, &s, &marks);
  if (l.hints) send_hints(b, hints, spref_program_hints(&p, &s, &marks, hints));
  ok(b, spref_bench_rest(b));
  spref_run how = {.warps = warps, .repeats = 6, .rate = 100, .ahead = 4};
  ok(b, spref_machine_run(b, &p, &how, &tally));
  return tally;
}

static const spref_loop_shape usual = {.cmp = SPREF_LT, .trips = 12, .base = 300};

static void every_shape_of_loop(void **state) {
  situation *t = *state;
  for (unsigned distance = 0; distance < 4; distance++)
    for (unsigned k = 0; k < 9; k++) {
      spref_loop_shape s = usual;
      if (k == 1) s.indexed = s.mad = s.ext = true; /* mul.wide of an index */
      if (k == 2)
        s.down = true, s.cmp = SPREF_NE; /* count-down beside a pointer, as clang emits it */
      if (k == 3) s.down = s.indexed = true, s.cmp = SPREF_GT;
      if (k == 4) s.layout = SPREF_TOP, s.negate = true;
      if (k == 5) s.layout = SPREF_ROTATED;
      if (k == 6) s.two = s.tail_2 = true;
      if (k == 7) s.no_tail = true, s.guard_zero = true;
      if (k == 8) s.nested = true, s.twist = SPREF_BARRIER, s.step_shift = 2, s.cmp = SPREF_LE;
      spref_tally got = run_shape(t->b, spare(distance, 12), s, 4);
      if (got.moves == 0) fail_msg("shape %u, distance %u: no load was replaced", k, distance);
      if (got.wasted_lanes)
        fail_msg("shape %u, distance %u: %llu lanes prefetched for nothing", k, distance,
                 (unsigned long long)got.wasted_lanes);
    }
}

static void what_happens_between_the_loads(void **state) {
  situation *t = *state;
  for (spref_twist twist = SPREF_PLAIN; twist < SPREF_TWISTS; twist++)
    for (unsigned k = 0; k < 4; k++) {
      spref_loop_shape s = usual;
      s.twist = twist;
      s.trips = 20;
      s.nested = k & 1;
      s.indexed = k & 2;
      spref_tally got = run_shape(t->b, spare(k % 3, 8), s, 4);
      bool may_waste = twist == SPREF_BREAK || twist >= SPREF_SKIP_TAIL;
      if (got.wasted_lanes && !may_waste)
        fail_msg("twist %u: %llu lanes prefetched for nothing", twist,
                 (unsigned long long)got.wasted_lanes);
      bool target =
          twist != SPREF_PREDICATED_HEAD && twist != SPREF_MOVE_BASE && twist != SPREF_CLOBBERS;
      if (target && !(twist == SPREF_SKIP_STEP && k < 2) && twist != SPREF_MOVE_BOUND &&
          got.moves == 0)
        fail_msg("twist %u, %u: no load was replaced", twist, k);
      if (twist == SPREF_PREDICATED_HEAD) assert_int_equal(got.moves, 0);
    }
}

/* Compiler-guided: prefetches from the first iteration of the first warp on, no training. */
static void hints_start_at_once(void **state) {
  situation *t = *state;
  for (unsigned distance = 0; distance < 2; distance++) {
    spref_loop_shape s = usual;
    s.guard_zero = true;
    spref_levels l = spare(distance, 6);
    spref_tally hardware = run_shape(t->b, l, s, 4);
    assert_int_not_equal(counter(t->b, SPREF_CNT_loops_found), 0);
    counters_afresh(t->b);
    l.hints = true;
    spref_tally compiler = run_shape(t->b, l, s, 4);
    assert_int_equal(counter(t->b, SPREF_CNT_loops_found), 0);
    assert_int_equal(compiler.wasted_lanes, 0);
    assert_true(compiler.moves * 10 > compiler.loads * 6);
    assert_true(compiler.moves * hardware.loads > hardware.moves * compiler.loads);
    counters_afresh(t->b);
  }
}

static spref_answer send_at(spref_bench *b, spref_instr x, unsigned pc) {
  x.pc = pc;
  x.mask = ALL;
  return send(b, &x);
}

/* Instructions that must run are anywhere in a long loop, and in any entry of the table. */
static void a_compilers_table_of_a_long_loop(void **state) {
  situation *t = *state;
  enum { HEAD = LOW + 5, TAIL = LOW + 210, MUST = 8, FROM = 24, LAST = LOW + 220 };
  static const unsigned at[MUST] = {9, 22, 37, 70, 101, 131, 150, 197};
  spref_levels l = spare(1, 4);
  l.hints = true;
  for (unsigned turn = 0; turn < MUST; turn++) {
    again(t, l);
    spref_hint h[6 + MUST] = {{.kind = SPREF_LOW, .pc = LOW},
                              {.kind = SPREF_HIGH, .pc = LAST + 1},
                              {.kind = SPREF_HEAD, .pc = HEAD, .imm = 4},
                              {.kind = SPREF_TAIL, .pc = TAIL, .reg_v = true, .reg = 7, .sh = 2},
                              {.kind = SPREF_TEST, .pc = LAST, .cmp = SPREF_LT}};
    for (unsigned k = 0; k < MUST; k++) {
      const unsigned c = (k + turn) % MUST;
      h[5 + k] = (spref_hint){.kind = SPREF_CRIT, .pc = LOW + at[c], .reg = FROM + c};
    }
    h[5 + MUST] = (spref_hint){.kind = SPREF_COMMIT};
    send_hints(t->b, h, 6 + MUST);
    ok(t->b, spref_bench_rest(t->b));
    for (unsigned k = 0; k < 5; k++) {
      const spref_answer head = send_at(t->b, load(11, 10, 0), HEAD);
      for (unsigned c = 0; c < MUST; c++)
        send_at(t->b, add_num(FROM + c, FROM + c, 4), LOW + at[c]);
      const spref_answer tail = send_at(t->b, load(14, 13, 0), TAIL),
                         test = send_at(t->b, less(8, 6), LAST);
      counts(t->b, 0, ALL, 9, &test);
      const spref_instr back = branch_back(0, LAST + 1, LOW);
      send(t->b, &back);
      expect(&head, k > 0 ? 1 : 0, k > 1);
      expect(&tail, k > 0 ? 2 : 0, k > 1);
    }
  }
}

/* A long loop by hints: entry k's value is made at made[k] and read last at last[k]. */
enum { FAR_HEAD = 5, FAR_TAIL = 210, FAR_END = 220, FAR_MUST = 8, FAR_REG = 24 };
typedef struct far_loop {
  unsigned made[FAR_MUST], last[FAR_MUST];
} far_loop;

static void far_table(spref_bench *b, const far_loop *f) {
  spref_hint h[6 + FAR_MUST] = {
      {.kind = SPREF_LOW, .pc = LOW},
      {.kind = SPREF_HIGH, .pc = LOW + FAR_END + 1},
      {.kind = SPREF_HEAD, .pc = LOW + FAR_HEAD, .imm = 4},
      {.kind = SPREF_TAIL, .pc = LOW + FAR_TAIL, .reg_v = true, .reg = 7, .sh = 2},
      {.kind = SPREF_TEST, .pc = LOW + FAR_END, .cmp = SPREF_LT}};
  for (unsigned k = 0; k < FAR_MUST; k++)
    h[5 + k] = (spref_hint){.kind = SPREF_CRIT,
                            .pc = LOW + f->made[k],
                            .reg = FAR_REG + k,
                            .imm = (int)(f->last[k] - f->made[k])};
  h[5 + FAR_MUST] = (spref_hint){.kind = SPREF_COMMIT};
  send_hints(b, h, 6 + FAR_MUST);
  ok(b, spref_bench_rest(b));
}

/* An iteration, in which entry `which`'s register is written at `at`; 0: it is not. */
static void far_iteration(spref_bench *b, const far_loop *f, unsigned which, unsigned at) {
  const spref_instr back = branch_back(0, LOW + FAR_END + 1, LOW);
  for (unsigned off = FAR_HEAD; off < FAR_END; off++) {
    if (off == FAR_HEAD) send_at(b, load(11, 10, 0), LOW + off);
    if (off == FAR_TAIL) send_at(b, load(14, 13, 0), LOW + off);
    for (unsigned k = 0; k < FAR_MUST; k++)
      if (f->made[k] == off) send_at(b, add_num(FAR_REG + k, 12, 4), LOW + off);
    if (off == at) send_at(b, other(FAR_REG + which, 1), LOW + off);
  }
  const spref_answer test = send_at(b, less(8, 6), LOW + FAR_END);
  counts(b, 0, ALL, 9, &test);
  send(b, &back);
}

/* Who writes what an address rests on, between its making and its last use, is seen: in any entry
 * of the table, whatever the others' last uses are. */
static void a_write_anywhere_in_a_long_loop(void **state) {
  situation *t = *state;
  static const unsigned made[FAR_MUST] = {9, 22, 37, 70, 101, 131, 150, 197};
  spref_levels l = spare(1, 4);
  l.hints = true;
  for (unsigned turn = 0; turn < 3 * FAR_MUST; turn++) {
    far_loop f;
    for (unsigned k = 0; k < FAR_MUST; k++) {
      f.made[k] = made[(k + turn) % FAR_MUST];
      f.last[k] = f.made[k] + 2 + (unsigned)wf_rng_below(&t->b->base.rng, FAR_TAIL - 2 - f.made[k]);
    }
    again(t, l);
    far_table(t->b, &f);
    for (unsigned n = 0; n < 4 * FAR_MUST; n++) {
      const unsigned k = n % FAR_MUST, bit = 1u << wf_rng_below(&t->b->base.rng, 8),
                     near = f.last[k] + (unsigned)wf_rng_below(&t->b->base.rng, 5) - 2,
                     at = n / FAR_MUST % 2 ? near : near ^ bit;
      bool free = at > FAR_HEAD && at < FAR_END && at != FAR_TAIL;
      for (unsigned i = 0; i < FAR_MUST; i++) free &= at != f.made[i];
      if (!free) continue;
      for (unsigned i = 0; i < 2; i++) far_iteration(t->b, &f, 0, 0);
      const uint64_t breaks = counter(t->b, SPREF_CNT_breaks);
      far_iteration(t->b, &f, k, at);
      assert_int_equal(counter(t->b, SPREF_CNT_breaks) - breaks, at > f.made[k] && at < f.last[k]);
    }
  }
}

/* SPREF1-C: tails into the cache only; loops without tails prefetch their heads so. */
static void cache_only(void **state) {
  situation *t = *state;
  spref_levels l = spare(1, 1);
  l.cache_only = true;
  spref_loop_shape s = usual;
  spref_tally got = run_shape(t->b, l, s, 2);
  assert_true(got.moves > 0);
  assert_int_equal(counter(t->b, SPREF_CNT_moves_tail), 0);
  assert_int_equal(counter(t->b, SPREF_CNT_injected_cache), counter(t->b, SPREF_CNT_injected_tail));
  assert_int_not_equal(counter(t->b, SPREF_CNT_injected_tail), 0);
  counters_afresh(t->b);
  s.no_tail = true;
  got = run_shape(t->b, l, s, 2);
  assert_int_equal(got.moves, 0);
  assert_int_equal(counter(t->b, SPREF_CNT_injected_cache), counter(t->b, SPREF_CNT_injected_head));
  assert_int_not_equal(counter(t->b, SPREF_CNT_injected_head), 0);
}

static void off_changes_nothing(void **state) {
  situation *t = *state;
  spref_levels l = spare(1, 8);
  l.enable = false;
  spref_tally got = run_shape(t->b, l, usual, 4);
  assert_int_equal(got.moves + got.injected_lanes, 0);
  assert_int_equal(counter(t->b, SPREF_CNT_loops_found), 0);
}

/* Of nested loops the inner one is the target, though the outer one branches as well; an inner loop
 * without targets takes the outer one with it. */
static void nested_loops(void **state) {
  situation *t = *state;
  spref_loop_shape s = usual;
  s.nested = true;
  spref_program p;
  spref_marks m;
  spref_program_loop(&p, &s, &m);
  run_shape(t->b, spare(1, 8), s, 4);
  assert_int_equal(t->b->ref.lo, 300 + m.low);
  assert_int_equal(counter(t->b, SPREF_CNT_drops), 0);
  counters_afresh(t->b);
  s.twist = SPREF_PREDICATED_HEAD;
  run_shape(t->b, spare(1, 8), s, 4);
  assert_int_equal(counter(t->b, SPREF_CNT_tables), 0);
  assert_true(counter(t->b, SPREF_CNT_loops_refused) >= 1);
}

/* ---- tables come and go ---- */

/* A table whose loop is not run any more gives way to the loop that is. */
static void another_loop_takes_over(void **state) {
  situation *t = *state;
  run(t, 0, 5);
  assert_int_equal(counter(t->b, SPREF_CNT_tables), 1);
  spref_instr foreign = branch_back(0, 520, 500);
  foreign.guard = true;
  foreign.gpred = P2;
  for (unsigned k = 0; k < 8; k++) {
    assert_int_equal(counter(t->b, SPREF_CNT_drops), 0);
    send(t->b, &foreign);
  }
  assert_int_equal(counter(t->b, SPREF_CNT_drops), 1);
  run(t, 0, 5);
  assert_int_equal(counter(t->b, SPREF_CNT_tables), 2);
}

/* Two heads; if lanes are missing at the second one, the warp begins anew. */
static void second_head(void **state) {
  situation *t = *state;
  enum { LOAD_C = 6 };
  t->code[LOAD_C] = load(15, 5, 16);
  t->code[7] = add_num(5, 5, 8);
  t->code[8] = add_num(8, 8, 1);
  t->code[9] = less(8, 6);
  t->n = 10;
  run(t, 0, 5);
  run(t, 1, 6);
  for (unsigned k = 1; k < 5; k++) {
    const spref_answer *C = &t->out[k][LOAD_C];
    expect(C, 1, k > 1);
    assert_int_equal(C->offset, 24);
    assert_int_equal(C->base, 5);
    assert_int_equal(C->reg, BASE + 2);
  }
  for (unsigned k = 0; k < 7; k++) stay(t, 2, k, k == 4 ? LOAD_C : NOBODY_THIN, 7);
  assert_true(t->out[3][LOAD_C].move);
  assert_true(t->out[4][LOAD_A].move);
  expect(&t->out[4][LOAD_C], 0, false);
  assert_false(t->out[5][LOAD_A].move);
  expect(&t->out[5][LOAD_C], 1, false);
  assert_true(t->out[6][LOAD_C].move);
}

/* A later branch to the same place makes a loop longer; a loop that is longer than offsets reach is
 * none. */
static void loops_grow(void **state) {
  situation *t = *state;
  const spref_ref *r = &t->b->ref;
  const spref_instr longer = branch_back(2, LOW + 50, LOW), too_long = branch_back(2, 500, LOW),
                    anew = branch_back(2, LOW + 20, LOW);
  run(t, 0, 5);
  send(t->b, &longer);
  assert_int_equal(r->hi, LOW + 50);
  run(t, 0, 5);
  assert_true(t->out[3][LOAD_A].move);
  send(t->b, &too_long);
  assert_int_equal(counter(t->b, SPREF_CNT_drops), 1);
  send(t->b, &anew);
  assert_int_equal(r->state, SPREF_PASS_A);
  send(t->b, &longer); /* training begins anew, with all of the loop */
  assert_int_equal(r->state, SPREF_PASS_A);
  assert_int_equal(r->hi, LOW + 50);
  send(t->b, &too_long);
  assert_int_equal(counter(t->b, SPREF_CNT_loops_refused), 1);
  run(t, 0, 6);
  assert_int_equal(counter(t->b, SPREF_CNT_tables), 1);
}

/* Four iterations of warp 3, a tail's prefetch of whose third may fail. */
static void four_iterations(situation *t, bool fails) {
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i <= t->n; i++) {
      const spref_instr x = instruction(t, 3, i, ALL, true);
      const spref_answer a = send(t->b, &x);
      if (a.ask) counts(t->b, 3, ALL, 9, &a);
      if (a.inject && fails && k == 2 && i != LOAD_A) fault(t->b, 3);
      t->out[k][i] = a;
    }
  ok(t->b, spref_bench_rest(t->b));
}

/* A fault makes the warp begin anew; the end of a warp forgets it. */
static void faults_and_ends_forget(void **state) {
  situation *t = *state;
  run(t, 0, 5);
  for (unsigned round = 0; round < 3; round++) {
    const bool fails = round == 1;
    four_iterations(t, fails);
    assert_int_equal(t->out[3][LOAD_A].move, !fails);
    assert_true(t->b->ref.warp[3].alive);
    const spref_instr last = {.op = SPREF_OTHER, .warp = 3, .pc = LOW + USE, .last = true};
    send(t->b, &last);
    assert_false(t->b->ref.warp[3].alive);
    const spref_instr next = instruction(t, 3, LOAD_A, ALL, true);
    const spref_answer a = send(t->b, &next);
    assert_true(as_it_is(&a)); /* of the slot's next warp nothing is known */
    send(t->b, &last);
  }
}

static void a_new_kernel_forgets_all(void **state) {
  situation *t = *state;
  run(t, 0, 5);
  run(t, 0, 5);
  assert_true(t->out[3][LOAD_A].move);
  new_kernel(t->b);
  run(t, 0, 3);
  for (unsigned k = 0; k < 3; k++) assert_false(t->out[k][TEST].ask);
}

/* ---- what is injected waits ---- */

enum { SOON = 60 }; /* edges within which the unit does what it need not wait for */

static void edge(spref_bench *b, spref_offer *o) {
  o->take_answers = true;
  ok(b, spref_bench_edge(b, o));
}

static spref_addresses some_addresses(spref_bench *b, uint64_t mask, unsigned bits) {
  uint64_t value[SPREF_MAX_LANES];
  spref_addresses a;
  for (unsigned l = 0; l < b->shape.lanes; l++) value[l] = wf_rng_next(&b->base.rng) >> (64 - bits);
  spref_bench_addresses(b, &a, value, mask);
  return a;
}

/* A warp's load issues; what it does next is no base. False: not soon. */
static bool issue(spref_bench *b, unsigned warp) {
  const spref_load l = {.warp = warp, .type = 5, .base = some_addresses(b, ALL, 50)};
  const spref_next n = {.warp = warp};
  for (unsigned k = 0; k < SOON; k++) {
    spref_offer o = {.next = &n};
    if (spref_bench_go(b, warp) && !spref_bench_held(b, warp))
      o = (spref_offer){.load = &l, .issued = UINT64_C(1) << warp};
    edge(b, &o);
    if (o.load_taken) return true;
  }
  return false;
}

/* What is offered is taken. False: nothing is, soon. */
static bool inject(spref_bench *b, spref_injected *i) {
  for (unsigned k = 0; k < SOON; k++) {
    spref_offer o = {.take_injected = true};
    edge(b, &o);
    *i = o.injection;
    if (o.injected) return true;
  }
  return false;
}

static void come(spref_bench *b, unsigned warp, unsigned reg, bool fault) {
  const spref_done d = {.warp = warp, .reg = reg, .fault = fault};
  spref_offer o = {.done = &d};
  while (!o.done_taken) edge(b, &o);
  for (unsigned k = 0; k < 5; k++) idle_edge(b);
}

/* The multiply-add of a place has its sum, some address in each lane. */
static void add_up(spref_bench *b, const spref_injected *i) {
  const spref_sum s = {.place = i->place, .address = some_addresses(b, i->mask, 50)};
  spref_offer o = {.sum = &s};
  edge(b, &o);
  assert_true(o.sum_taken);
}

/* All that waits goes, and comes; in the order of offers. */
static void bring_all(spref_bench *b) {
  spref_injected i;
  while (inject(b, &i))
    if (i.add)
      add_up(b, &i);
    else if (i.reg_v)
      come(b, i.warp, i.reg, false);
}

/* Instructions from .. to-1 of the warp's iteration k; a load issues before the next is told. */
static void issue_part(situation *t, unsigned warp, unsigned k, unsigned from, unsigned to) {
  for (unsigned i = from; i < to; i++) {
    const spref_instr x = instruction(t, warp, i, ALL, true);
    run_one(t, k, i, &x, ALL, 9);
    if (x.op == SPREF_LDNC) assert_true(issue(t->b, warp));
  }
}

/* An index fails while its tail waits for it: the tail fails as well. It goes nowhere, nobody waits
 * for its base or its register, and the next prefetch into that register is one like others. */
static void an_index_that_fails_while_its_tail_waits(void **state) {
  situation *t = *state;
  enum { W = 3 };
  const spref_next base = {.warp = W, .dst_v = true, .dst = 7};
  spref_injected i;
  run(t, 0, 5);
  issue_part(t, W, 0, 0, t->n + 1);
  issue_part(t, W, 1, 0, LOAD_B);
  assert_true(inject(t->b, &i));
  assert_int_equal(i.reg, BASE);
  issue_part(t, W, 1, LOAD_B, USE);
  assert_false(inject(t->b, &i)); /* it waits */
  spref_offer o = {.next = &base};
  edge(t->b, &o);
  assert_true(spref_bench_held(t->b, W));
  come(t->b, W, BASE, true);
  assert_false(spref_bench_held(t->b, W));
  assert_false(spref_bench_waits(t->b, W));
  assert_false(inject(t->b, &i));
  ok(t->b, spref_bench_rest(t->b));

  issue_part(t, W, 1, USE, t->n + 1);
  issue_part(t, W, 2, 0, t->n + 1);
  expect(&t->out[2][LOAD_A], 1, false); /* the warp began anew */
  expect(&t->out[2][LOAD_B], 2, false);
  bring_all(t->b);
  issue_part(t, W, 3, 0, t->n + 1);
  assert_true(t->out[3][LOAD_A].move && t->out[3][LOAD_B].move);
  bring_all(t->b);
}

/* A head is on its way, and its tail waits for it; the next iteration's head comes next. */
static spref_injected before_the_next_head(situation *t, unsigned warp) {
  spref_injected i;
  run(t, 0, 5);
  issue_part(t, warp, 0, 0, t->n + 1);
  issue_part(t, warp, 1, 0, LOAD_B);
  assert_true(inject(t->b, &i));
  issue_part(t, warp, 1, LOAD_B, t->n + 1);
  issue_part(t, warp, 2, 0, LOAD_A);
  return i;
}

/* The warp is told that head. */
static spref_injected head_on_its_way(situation *t, unsigned warp) {
  const spref_injected i = before_the_next_head(t, warp);
  const spref_instr x = instruction(t, warp, LOAD_A, ALL, true);
  run_one(t, 2, LOAD_A, &x, ALL, 9);
  expect(&t->out[2][LOAD_A], 1, true);
  assert_int_equal(t->out[2][LOAD_A].move_reg, i.reg);
  assert_false(spref_bench_go(t->b, warp));
  return i;
}

/* A move from what has failed is the load itself. */
static void a_move_whose_prefetch_fails_is_a_load(void **state) {
  situation *t = *state;
  const spref_injected i = head_on_its_way(t, 3);
  come(t->b, 3, i.reg, true);
  assert_true(spref_bench_go(t->b, 3));
  assert_false(wf_port_bit(t->b->p.move, 3));
  assert_true(issue(t->b, 3));
  bring_all(t->b);
}

/* Whenever it fails, before or after the move was told; in the first of all registers. */
static void a_prefetch_fails_beside_its_move(void **state) {
  situation *t = *state;
  enum { W = 3 };
  for (unsigned gap = 0; gap < 12; gap++) {
    again(t, (spref_levels){.enable = true, .distance = 1, .widen = true, .max_d = 2});
    const spref_injected i = before_the_next_head(t, W);
    const spref_instr x = instruction(t, W, LOAD_A, ALL, true);
    const spref_done d = {.warp = W, .reg = i.reg, .fault = true};
    bool told = false, failed = false;
    assert_int_equal(i.reg, 0);
    for (unsigned k = 0; k < SOON; k++) {
      spref_offer o = {.in = told ? NULL : &x, .done = failed || k < gap ? NULL : &d};
      edge(t->b, &o);
      told |= o.in_taken;
      failed |= o.done_taken;
    }
    assert_true(told && failed && spref_bench_go(t->b, W));
    assert_false(wf_port_bit(t->b->p.move, W));
    assert_true(issue(t->b, W));
    bring_all(t->b);
  }
}

/* A load into a register that a tail still has to read as its index waits for that. */
static void an_index_is_read_before_it_is_overwritten(void **state) {
  situation *t = *state;
  const spref_injected i = head_on_its_way(t, 3);
  spref_injected tail;
  come(t->b, 3, i.reg, false);
  assert_false(spref_bench_go(t->b, 3));
  assert_true(inject(t->b, &tail));
  assert_true(tail.add && tail.index == i.reg);
  add_up(t->b, &tail);
  for (unsigned k = 0; k < 5; k++) idle_edge(t->b);
  assert_true(spref_bench_go(t->b, 3));
  assert_true(wf_port_bit(t->b->p.move, 3));
  assert_true(issue(t->b, 3));
  bring_all(t->b);
}

/* That load goes on as well if something else is worked off first and the next offer is another
 * warp's. */
static void an_index_is_read_while_others_wait(void **state) {
  situation *t = *state;
  enum { W = 2, NEXT = 3 };
  const spref_done other = {.warp = 0, .reg = BASE + 3};
  const spref_injected i = head_on_its_way(t, W);
  issue_part(t, NEXT, 0, 0, t->n + 1);
  issue_part(t, NEXT, 1, 0, LOAD_B);
  come(t->b, W, i.reg, false);
  assert_false(spref_bench_go(t->b, W));
  spref_offer o = {.take_injected = true, .done = &other};
  edge(t->b, &o);
  assert_true(o.injected && o.injection.add && o.done_taken);
  assert_int_equal(o.injection.warp, W);
  for (unsigned k = 0; k < 5; k++) idle_edge(t->b);
  assert_true(spref_bench_go(t->b, W));
  assert_true(wf_port_bit(t->b->p.move, W));
  add_up(t->b, &o.injection);
  assert_true(issue(t->b, W));
  bring_all(t->b);
}

/* Its load overwrites the head's base: that goes with it, and comes back. At the edge at which one
 * goes in a tail's sum waits; that it is no address (more than 56 bits) comes back with it. */
static void addresses_come_back(void **state) {
  situation *t = *state;
  enum { W = 3 };
  spref_injected head, tail;
  t->code[LOAD_A] = load(10, 10, 0);
  t->code[SCALE_B] = shl(12, 10, 2);
  run(t, 0, 5);
  issue_part(t, W, 0, 0, t->n + 1);
  issue_part(t, W, 1, 0, LOAD_B);
  assert_true(t->out[1][LOAD_A].over);
  assert_true(inject(t->b, &head));
  assert_true(head.sum && !head.base_v && head.address.lane[0]);
  come(t->b, W, head.reg, false);
  issue_part(t, W, 1, LOAD_B, USE);
  assert_true(inject(t->b, &tail));
  assert_true(tail.add && !tail.sum);
  issue_part(t, W, 1, USE, t->n + 1);
  issue_part(t, W, 2, 0, LOAD_A);
  const spref_instr x = instruction(t, W, LOAD_A, ALL, true);
  run_one(t, 2, LOAD_A, &x, ALL, 9);
  const spref_sum far = {.place = tail.place, .address = some_addresses(t->b, ALL, 64)};
  const spref_load l = {.warp = W, .type = 5, .base = some_addresses(t->b, ALL, 50)};
  assert_true(far.address.far);
  for (unsigned k = 0; k < SOON && !spref_bench_go(t->b, W); k++) idle_edge(t->b);
  spref_offer o = {.load = &l, .issued = UINT64_C(1) << W, .sum = &far};
  edge(t->b, &o);
  assert_true(o.load_taken && !o.sum_taken);
  o = (spref_offer){.sum = &far};
  edge(t->b, &o);
  assert_true(o.sum_taken);
  for (unsigned k = 0; k < 2; k++) {
    assert_true(inject(t->b, &head));
    assert_true(head.sum && !head.add);
    assert_int_equal(head.address.far, head.place == tail.place);
    come(t->b, W, head.reg, head.address.far);
  }
}

/* An address in a pair of registers: who writes a half of it between its making and its use, once,
 * is seen, and nothing is prefetched from there. */
static void a_write_between_making_and_use(void **state) {
  situation *t = *state;
  enum { OTHER = LOAD_A, HEAD };
  for (unsigned half = 4; half <= 5; half++) {
    again(t, spare(1, 4));
    memmove(&t->code[HEAD], &t->code[LOAD_A], (t->n++ - LOAD_A) * sizeof t->code[0]);
    t->code[ADD_A].dst = t->code[HEAD].a = 4;
    t->code[ADD_A].pair_dst = t->code[HEAD].pair_a = true;
    t->code[OTHER] = other(1, 1);
    run(t, 0, 5);
    for (unsigned k = 0; k < 7; k++) {
      t->code[OTHER].dst = k == 4 ? half : 1;
      stay(t, 1, k, NOBODY_THIN, 0);
    }
    expect(&t->out[3][HEAD], 1, true);
    expect(&t->out[4][HEAD], 0, false);
    expect(&t->out[5][HEAD], 1, false);
    expect(&t->out[6][HEAD], 1, true);
  }
}

/* ---- entries ---- */

/* The loop's code moves up by one place: it begins with a register that steps, and ends with a
 * write of that, so that in the second pass entry 0 is free. */
static void free_entry_0(situation *t) {
  memmove(&t->code[1], &t->code[0], t->n * sizeof t->code[0]);
  t->code[0] = add_num(1, 1, 4);
  t->code[t->n + 1] = t->code[t->n];
  t->code[t->n] = other(1, 1);
  t->n += 2;
}

/* A register is needed from where it is written to where it is read last: who writes it after that
 * changes nothing. */
static void a_write_after_the_last_use(void **state) {
  situation *t = *state;
  t->code[USE] = other(9, 14);
  free_entry_0(t);
  run(t, 0, 6);
  run(t, 1, 6);
  assert_true(t->out[3][1 + LOAD_A].move && t->out[3][1 + LOAD_B].move);
}

/* A head in entry 0, and another entry made between it and what is computed from it. */
static void a_head_in_entry_0(void **state) {
  situation *t = *state;
  const spref_instr code[] = {
      load(11, 8, 0),  add_num(2, 7, 40), shl(12, 11, 2), arith(SPREF_ADD, 13, 12, 3),
      load(14, 13, 4), add_num(8, 8, 4),  less(8, 6)};
  memcpy(t->code, code, sizeof code);
  t->n = sizeof code / sizeof *code;
  free_entry_0(t);
  run(t, 0, 6);
  run(t, 1, 6);
  assert_true(t->out[3][1].move && t->out[3][5].move);
}

/* The index is widened and moved in each entry that it can lie in: registers that step before it,
 * and are written once more, leave theirs. */
static void an_index_in_any_entry(void **state) {
  situation *t = *state;
  static const unsigned decoy[] = {1, 2, 4, 5, 9, 10};
  enum { DECOYS = sizeof decoy / sizeof *decoy };
  for (unsigned left = 0; left <= DECOYS; left++)
    for (unsigned ext = 0; ext < 3; ext++) {
      again(t, spare(1, 4));
      t->n = 0;
      for (unsigned k = 0; k < left; k++) t->code[t->n++] = add_num(decoy[k], decoy[k], 1);
      const unsigned A = t->n, B = t->n + 2;
      t->code[t->n++] = load(11, 8, 0);
      t->code[t->n] = arith(SPREF_MAD, 13, 11, 7);
      t->code[t->n].ext = ext;
      t->code[t->n++].sh = 1 + ext;
      t->code[t->n++] = load(14, 13, 4);
      t->code[t->n++] = add_num(8, 8, 4);
      t->code[t->n++] = less(8, 6);
      for (unsigned k = 0; k < left; k++) t->code[t->n++] = other(decoy[k], decoy[k]);
      run(t, 0, 5);
      run(t, 1, 5);
      expect(&t->out[3][A], 1, true);
      expect(&t->out[3][B], 2, true);
      assert_int_equal(t->out[3][B].ext, ext);
      assert_int_equal(t->out[3][B].scale, 1 + ext);
      assert_int_equal(t->out[3][B].base, 7);
    }
}

/* What steps in the second pass must be what stepped in the first: a pair, or one register. */
static void a_step_of_another_width(void **state) {
  situation *t = *state;
  enum { BEFORE = 4 };
  memmove(&t->code[BEFORE], &t->code[0], t->n * sizeof t->code[0]);
  for (unsigned k = 0; k < BEFORE; k++) t->code[k] = add_num(1 + k, 1 + k, 1);
  t->code[BEFORE + SCALE_A] = shl(9, 8, 2);
  t->code[BEFORE + ADD_A] = add_num(10, 9, 64);
  t->code[BEFORE + ADD_B] = add_num(13, 12, 40);
  t->n += BEFORE;
  spref_instr *const step = &t->code[BEFORE + STEP];
  for (unsigned k = 0; k < 6; k++) {
    step->pair_dst = step->pair_a = k == 2;
    stay(t, 0, k, NOBODY_THIN, 0);
  }
  assert_int_equal(counter(t->b, SPREF_CNT_training_failed), 1);
}

/* As many registers step as there are entries; all but the last are overwritten, so that what the
 * last makes is in entries below its own. */
static void a_stride_in_the_last_entry(void **state) {
  situation *t = *state;
  enum { OTHERS = 7, FROM = 24 };
  memmove(&t->code[OTHERS], &t->code[0], t->n * sizeof t->code[0]);
  const unsigned test = OTHERS + TEST;
  t->code[test + OTHERS] = t->code[test];
  for (unsigned k = 0; k < OTHERS; k++) {
    t->code[k] = add_num(FROM + k, FROM + k, 1);
    t->code[test + k] = other(FROM + k, 1);
  }
  t->n += 2 * OTHERS;
  run(t, 0, 6);
  run(t, 1, 6);
  assert_true(t->out[3][OTHERS + LOAD_A].move && t->out[3][OTHERS + LOAD_B].move);
}

/* One loop in the other, an instruction a cycle: counters count each. */
static void loops_in_loops(void **state) {
  situation *t = *state;
  enum { LOOPS = 40 };
  for (unsigned k = 0; k < LOOPS;) {
    const spref_instr back = branch_back(0, 300 - k, LOW + k);
    spref_offer o = {.in = &back, .take_answers = true};
    ok(t->b, spref_bench_edge(t->b, &o));
    k += o.in_taken;
  }
  ok(t->b, spref_bench_rest(t->b));
  assert_int_equal(counter(t->b, SPREF_CNT_loops_found), LOOPS);
}

/* ---- what need not be told ---- */

static bool needs(situation *t, unsigned warp, spref_instr i, unsigned pc) {
  for (unsigned k = 0; k < 5; k++) idle_edge(t->b); /* what was told has acted */
  i.warp = warp;
  i.pc = pc;
  return spref_bench_needs(t->b, &i);
}

static void what_counts_is_asked_for(void **state) {
  situation *t = *state;
  const spref_instr load_b = t->code[LOAD_B], use = t->code[USE], add_b = t->code[ADD_B];
  t->b->sieves = true;
  assert_false(needs(t, 0, use, LOW + USE));
  assert_true(needs(t, 0, load_b, LOW + LOAD_B));
  assert_true(needs(t, 0, branch_back(0, 90, 80), 90));
  assert_true(needs(t, 0, (spref_instr){.op = SPREF_CLOBBER}, 90));
  stay(t, 1, 0, NOBODY_THIN, 0); /* followed from here on */
  assert_true(needs(t, 1, use, LOW + USE));
  assert_false(needs(t, 2, use, LOW + USE));
  for (unsigned k = 1; k < 6; k++) stay(t, 1, k, NOBODY_THIN, 0);
  assert_int_equal(counter(t->b, SPREF_CNT_tables), 1);
  assert_false(needs(t, 1, use, LOW + USE)); /* it came by once */
  assert_true(needs(t, 1, add_b, LOW + ADD_B));
  /* Whatever the table says something of is told each time, also what is no critical register's. */
  for (unsigned i = 0; i < t->n; i++) assert_int_equal(needs(t, 1, t->code[i], LOW + i), i != USE);
  assert_true(needs(t, 2, use, LOW + USE)); /* which is not inside yet */
  assert_true(needs(t, 1, use, LOW + 30));  /* it leaves */
  assert_false(needs(t, 2, use, LOW + 30));
}

/* A loop that gets longer: what is new in it is told, too. */
static void a_longer_loop_is_asked_for(void **state) {
  situation *t = *state;
  const spref_instr use = t->code[USE];
  t->b->sieves = true;
  for (unsigned k = 0; k < 6; k++) stay(t, 1, k, NOBODY_THIN, 0);
  assert_false(needs(t, 1, use, LOW + USE));
  const spref_instr longer = branch_back(1, LOW + 20, LOW);
  send(t->b, &longer);
  assert_true(needs(t, 1, use, LOW + USE));
  assert_true(needs(t, 1, use, LOW + 15));
}

/* All of a loop that says nothing, at any program counter, is known after it came by. */
static void all_silent_instructions_are_left_out(void **state) {
  situation *t = *state;
  const spref_instr use = t->code[USE];
  enum { FIRST = 10, LAST = 50 };
  for (t->shift = 0; t->shift < 64; t->shift += 32) {
    const unsigned low = LOW + t->shift;
    again(t, spare(1, 4));
    for (unsigned k = 0; k < 6; k++) stay(t, 1, k, NOBODY_THIN, 0);
    const spref_instr longer = branch_back(1, low + LAST + 1, low);
    send(t->b, &longer);
    for (unsigned k = FIRST; k <= LAST; k++) {
      spref_instr x = use;
      x.warp = 1;
      x.pc = low + k;
      x.mask = ALL;
      send(t->b, &x);
    }
    for (unsigned k = FIRST; k <= LAST; k++) assert_false(needs(t, 1, use, low + k));
  }
}

/* ---- the port, the parameters ---- */

/* One instruction a cycle goes in, and one answer out, while answers are taken. */
static void one_instruction_per_cycle(void **state) {
  (void)state;
  if (!wf_bench_wants("paper")) skip();
  spref_bench *b = open_unit("paper", NULL);
  ok(b, spref_bench_rest(b));
  unsigned taken = 0, answered = 0, first = 0;
  for (unsigned k = 0; k < 200; k++) {
    spref_instr x = {
        .op = SPREF_ADD, .warp = k % 48, .pc = k, .dst_v = true, .dst = k % 60, .mask = 1};
    spref_offer o = {.in = &x, .take_answers = true};
    ok(b, spref_bench_edge(b, &o));
    taken += o.in_taken;
    answered += o.answered;
    if (o.answered && !first) first = k;
  }
  assert_int_equal(taken, 200);
  assert_int_equal(first, 6); /* taken at 0 */
  assert_int_equal(answered, 194);
  ok(b, wf_bench_check_counters(b));
  wf_bench_destroy(b);
}

static void wrong_parameters_are_refused(void **state) {
  (void)state;
  if (!wf_bench_wants("paper")) skip();
  static const char *const wrong[] = {"NumWarp=65",  "NumForm=3", "NumForm=15", "RegBits=9",
                                      "OffBits=32",  "Queue=65",  "Lanes=65",   "MaxTries=256",
                                      "NearBits=33", "Tries=9",   "AddrBits=65"};
  WF_TEST_REFUSED(&spref_bench_class, "paper", wrong);
}

#define situation_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      situation_test(figure_6_stream),
      situation_test(figure_7_detection),
      situation_test(figure_8_counts),
      situation_test(figure_9_lists),
      situation_test(a_tail_after_the_test_is_no_target),
      situation_test(table_1_tags),
      situation_test(spare_registers_limit),
      situation_test(every_shape_of_loop),
      situation_test(what_happens_between_the_loads),
      situation_test(hints_start_at_once),
      situation_test(a_compilers_table_of_a_long_loop),
      situation_test(a_write_anywhere_in_a_long_loop),
      situation_test(cache_only),
      situation_test(off_changes_nothing),
      situation_test(nested_loops),
      situation_test(another_loop_takes_over),
      situation_test(second_head),
      situation_test(loops_grow),
      situation_test(faults_and_ends_forget),
      situation_test(a_new_kernel_forgets_all),
      situation_test(an_index_that_fails_while_its_tail_waits),
      situation_test(a_move_whose_prefetch_fails_is_a_load),
      situation_test(a_prefetch_fails_beside_its_move),
      situation_test(an_index_is_read_before_it_is_overwritten),
      situation_test(an_index_is_read_while_others_wait),
      situation_test(addresses_come_back),
      situation_test(a_write_between_making_and_use),
      situation_test(a_write_after_the_last_use),
      situation_test(a_head_in_entry_0),
      situation_test(an_index_in_any_entry),
      situation_test(a_step_of_another_width),
      situation_test(a_stride_in_the_last_entry),
      situation_test(loops_in_loops),
      situation_test(what_counts_is_asked_for),
      situation_test(a_longer_loop_is_asked_for),
      situation_test(all_silent_instructions_are_left_out),
      cmocka_unit_test(one_instruction_per_cycle),
      cmocka_unit_test(wrong_parameters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
