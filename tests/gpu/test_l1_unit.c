/* A unit beside the L1, played by the test: what it hears, and that its decisions are carried out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"
/* %r1: thread of the grid, %r4: of the block; %rd1: out; %rd2: out + 4 * %r1. */
#define KERNEL(BODY)                                                                               \
  HEAD ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<20>;\n"             \
       ".reg .b64 %rd<9>;\nmov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"    \
       "mad.lo.u32 %r1, %r2, %r3, %r4;\nld.param.u64 %rd1, [out];\n"                               \
       "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\n" BODY "ret;\n}\n"
enum { FIRST = 7, LOG = 4096, DELAY = 3, READY = 5 };

typedef enum heard {
  KERNEL_START,
  WARP_START,
  WARP_EXIT,
  MOVED,
  LOAD,
  ACCESS,
  DECIDED,
  LOAD_GONE,
  LOAD_DONE
} heard;

typedef struct entry {
  heard what;
  unsigned sm, warp, a, b;
  bool jump, split;
  wf_l1_access access;
} entry;

/* Answers after DELAY askings; takes every second offer only. Misses go to the way of the highest
 * rank that is not reserved, or past the L1. */
typedef struct fake {
  wf_unit unit;
  entry log[LOG];
  unsigned n;
  bool bypass_loads, bypass_misses;
  unsigned asked, decision_asked, offers, ready_asked, move_asked, done_asked, marks;
  struct {
    unsigned way;
    uint32_t line;
  } misses[8];
  unsigned waiting, told;
} fake;

static entry *note(wf_unit *unit, heard what, unsigned sm, unsigned warp, unsigned a, unsigned b) {
  fake *f = (fake *)unit;
  assert_true(f->n < LOG);
  f->log[f->n] = (entry){.what = what, .sm = sm, .warp = warp, .a = a, .b = b};
  return &f->log[f->n++];
}

static void on_kernel(wf_unit *u, const ptx_kernel *k) {
  note(u, KERNEL_START, 0, 0, k->n_insts, 0);
}
static void on_start(wf_unit *u, unsigned sm, unsigned warp, const ptx_kernel *kernel) {
  assert_non_null(kernel);
  note(u, WARP_START, sm, warp, 0, 0);
}
static void on_exit_(wf_unit *u, unsigned sm, unsigned warp) {
  note(u, WARP_EXIT, sm, warp, 0, 0);
}
/* Ready at the fifth asking. */
static bool on_ready(wf_unit *u) {
  return ++((fake *)u)->ready_asked >= READY;
}
static void on_moved(wf_unit *u, const wf_stack_move *m) {
  entry *e = note(u, MOVED, m->sm, m->warp, m->from, m->to);
  e->jump = m->jump;
  e->split = m->split;
}
static bool on_may_move(wf_unit *u, unsigned sm) {
  (void)sm;
  return ++((fake *)u)->move_asked % 3;
}
static void on_load(wf_unit *u, unsigned sm, unsigned warp, ptx_pc pc) {
  note(u, LOAD, sm, warp, pc, 0);
  ((fake *)u)->told++;
}
static void on_gone(wf_unit *u, unsigned sm, unsigned warp) {
  note(u, LOAD_GONE, sm, warp, 0, 0);
}
/* Hears of every third at the second asking. */
static bool on_done(wf_unit *u, unsigned sm, unsigned warp, uint8_t mark) {
  if (++((fake *)u)->done_asked % 4 == 3) return false;
  note(u, LOAD_DONE, sm, warp, mark, 0);
  return true;
}

static wf_l1_verdict on_verdict(wf_unit *u, unsigned sm, uint8_t *mark) {
  fake *f = (fake *)u;
  (void)sm;
  assert_true(f->told > 0);
  if (++f->asked % DELAY) return WF_L1_WAIT;
  *mark = (uint8_t)++f->marks;
  f->told--;
  return f->bypass_loads ? WF_L1_BYPASS : WF_L1_CACHE;
}

static bool on_access(wf_unit *u, const wf_l1_access *a) {
  fake *f = (fake *)u;
  if (++f->offers % 2) return false;
  note(u, ACCESS, a->sm, a->warp, a->line, a->nth)->access = *a;
  if (a->bypassed || a->hit) return true;
  unsigned best = WF_L1_MAX_WAYS;
  for (unsigned w = 0; w < 4; w++)
    if (!(a->reserved >> w & 1) && (best == WF_L1_MAX_WAYS || a->rank[w] > a->rank[best])) best = w;
  assert_true(best < WF_L1_MAX_WAYS); /* the fabric offers no miss to a set without a way */
  f->misses[f->waiting].line = a->line;
  f->misses[f->waiting++].way = best;
  return true;
}

static wf_l1_verdict on_decision(wf_unit *u, unsigned sm, unsigned *way) {
  fake *f = (fake *)u;
  if (!f->waiting || ++f->decision_asked % (4 * DELAY)) return WF_L1_WAIT;
  *way = f->misses[0].way;
  note(u, DECIDED, sm, 0, f->misses[0].line, *way);
  memmove(&f->misses[0], &f->misses[1], sizeof f->misses - sizeof f->misses[0]);
  f->waiting--;
  return f->bypass_misses ? WF_L1_BYPASS : WF_L1_CACHE;
}

static const wf_l1_ops ops = {.kernel_start = on_kernel,
                              .ready = on_ready,
                              .warp_start = on_start,
                              .warp_exit = on_exit_,
                              .moved = on_moved,
                              .may_move = on_may_move,
                              .load = on_load,
                              .verdict = on_verdict,
                              .access = on_access,
                              .decision = on_decision,
                              .load_gone = on_gone,
                              .load_done = on_done};
static void on_destroy(wf_unit *u) {
  (void)u;
}
static const wf_unit_class cls = {
    .name = "fake", .claims = WF_CLAIM_L1, .destroy = on_destroy, .l1 = &ops};

typedef struct bench {
  wf_gpu *gpu;
  fake fake;
  uint64_t out;
} bench;

static bench *open_bench(const char *ptx, bool bypass_loads, bool bypass_misses) {
  bench *b = calloc(1, sizeof *b);
  wf_error err = {0};
  wf_gpu_config config;
  wf_options none = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &err));
  config.n_sm = 1;
  b->gpu = wf_gpu_create(&config, &none, NULL, 0, 1, &err);
  assert_non_null(b->gpu);
  b->fake = (fake){.unit.cls = &cls, .bypass_loads = bypass_loads, .bypass_misses = bypass_misses};
  if (!wf_gpu_seat_unit(b->gpu, &b->fake.unit, &err)) fail_msg("%s", err.text);
  if (!wf_gpu_load_ptx(b->gpu, "test", ptx, strlen(ptx), &err)) fail_msg("%s", err.text);
  b->out = wf_gpu_alloc(b->gpu, 1 << 20, "out", &err);
  return b;
}

static void run(bench *b, uint32_t grid, uint32_t block) {
  wf_error err = {0};
  wf_launch_args args = {.kernel = "k",
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .params = {&b->out},
                         .n_params = 1};
  if (!wf_gpu_launch(b->gpu, &args, &err)) fail_msg("%s", err.text);
}

static void close_bench(bench *b) {
  wf_gpu_destroy(b->gpu);
  free(b);
}

static unsigned count(const fake *f, heard what) {
  unsigned n = 0;
  for (unsigned i = 0; i < f->n; i++) n += f->log[i].what == what;
  return n;
}

static const entry *nth(const fake *f, heard what, unsigned n) {
  for (unsigned i = 0; i < f->n; i++)
    if (f->log[i].what == what && n-- == 0) return &f->log[i];
  fail_msg("event %d is not there", what);
  return NULL;
}

/* Lines a thread apart: the load touches 32 lines. Loads the same again: all hit. */
#define WIDE "shl.b32 %r5, %r1, 7;\nmul.wide.u32 %rd3, %r5, 1;\nadd.u64 %rd3, %rd1, %rd3;\n"

static void order_of_events(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL("ld.global.u32 %r6, [%rd2];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd2], %r6;\n"),
      false, false);
  run(b, 1, 32);
  static const heard want[] = {KERNEL_START, WARP_START, LOAD,      ACCESS,
                               LOAD_GONE,    DECIDED,    LOAD_DONE, WARP_EXIT};
  assert_int_equal(b->fake.n, sizeof want / sizeof want[0]);
  for (unsigned i = 0; i < b->fake.n; i++) assert_int_equal(b->fake.log[i].what, want[i]);
  assert_int_equal(b->fake.log[2].a, FIRST); /* pc */
  assert_int_equal(b->fake.log[3].access.line, b->out / 128);
  assert_true(b->fake.log[3].access.told && !b->fake.log[3].access.hit);
  assert_int_equal(b->fake.log[3].access.invalid, 0xf);
  assert_int_equal(b->fake.log[6].a, 1); /* the verdict's mark */
  close_bench(b);
}

static void requests_of_a_wide_load(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL(WIDE "ld.global.u32 %r6, [%rd3];\nadd.u32 %r6, %r6, 1;\nld.global.u32 %r7, [%rd3];\n"
                  "add.u32 %r7, %r7, %r6;\nst.global.u32 [%rd2], %r7;\n"),
      false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, ACCESS), 64);
  assert_int_equal(count(&b->fake, DECIDED), 32);
  assert_int_equal(count(&b->fake, LOAD_GONE), 2);
  uint64_t ways[32] = {0};
  for (unsigned i = 0; i < 64; i++) {
    const wf_l1_access *a = &nth(&b->fake, ACCESS, i)->access;
    assert_int_equal(a->nth, i % 32);
    assert_int_equal(a->line, b->out / 128 + i % 32);
    assert_int_equal(a->hit, i >= 32);
    if (i < 32)
      ways[i] = nth(&b->fake, DECIDED, i)->b;
    else
      assert_int_equal(a->way, ways[i - 32]); /* it lies where the unit put it */
  }
  const wf_l1_counters *l1 = wf_gpu_l1_counters(b->gpu);
  assert_int_equal(l1->hits, 32);
  assert_int_equal(l1->misses, 32);
  close_bench(b);
}

static void loads_go_past(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL(WIDE "ld.global.u32 %r6, [%rd3];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd2], %r6;\n"),
      true, false);
  run(b, 1, 64);
  assert_int_equal(count(&b->fake, ACCESS), 64);
  for (unsigned i = 0; i < 64; i++) assert_true(nth(&b->fake, ACCESS, i)->access.bypassed);
  const wf_l1_counters *l1 = wf_gpu_l1_counters(b->gpu);
  assert_int_equal(l1->accesses, 0);
  assert_int_equal(l1->bypasses, 64);
  assert_int_equal(count(&b->fake, LOAD_DONE), 2);
  close_bench(b);
}

/* Loads that end are told once each, with their marks, also those that have to wait. */
static void loads_are_written_back(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL("ld.global.u32 %r6, [%rd2];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd2], %r6;\n"),
      false, false);
  run(b, 1, 256);
  assert_int_equal(count(&b->fake, LOAD_DONE), 8);
  assert_true(b->fake.done_asked >= 10);
  unsigned marks = 0;
  for (unsigned i = 0; i < 8; i++) marks |= 1u << nth(&b->fake, LOAD_DONE, i)->a;
  assert_int_equal(marks, 0x1fe);
  close_bench(b);
}

/* Refused misses leave nothing in the L1, so the second load misses as well. */
static void misses_go_past(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL("ld.global.u32 %r6, [%rd2];\nadd.u32 %r6, %r6, 1;\nld.global.u32 %r7, [%rd2];\n"
             "add.u32 %r7, %r7, %r6;\nst.global.u32 [%rd2], %r7;\n"),
      false, true);
  run(b, 1, 32);
  const wf_l1_counters *l1 = wf_gpu_l1_counters(b->gpu);
  assert_int_equal(count(&b->fake, DECIDED), 2);
  assert_int_equal(l1->hits + l1->misses, 0);
  assert_int_equal(l1->bypasses, 2);
  close_bench(b);
}

/* While a miss waits, no other request of its set is offered: warps ask for one line each, all in
 * one set. */
static void one_undecided_miss_a_set(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL("shr.u32 %r5, %r1, 5;\nmul.lo.u32 %r5, %r5, 135168;\ncvt.u64.u32 %rd3, %r5;\n"
             "add.u64 %rd3, %rd1, %rd3;\nld.global.u32 %r6, [%rd3];\nadd.u32 %r6, %r6, 1;\n"
             "st.global.u32 [%rd2], %r6;\n"),
      false, false);
  run(b, 1, 192);
  int open = -1;
  for (unsigned i = 0; i < b->fake.n; i++) {
    const entry *e = &b->fake.log[i];
    if (e->what == ACCESS && !e->access.hit) {
      assert_int_not_equal(e->access.set, open);
      open = (int)e->access.set;
    }
    if (e->what == DECIDED) open = -1;
  }
  assert_int_equal(count(&b->fake, ACCESS), 6);
  unsigned first = nth(&b->fake, ACCESS, 0)->access.set;
  for (unsigned i = 1; i < 6; i++) assert_int_equal(nth(&b->fake, ACCESS, i)->access.set, first);
  close_bench(b);
}

/* The i-th change of a stack goes from one instruction to another, counted from FIRST. */
static void expect_move(bench *b, unsigned i, unsigned from, unsigned to, bool split) {
  const entry *e = nth(&b->fake, MOVED, i);
  assert_int_equal(e->a, FIRST + from);
  assert_int_equal(e->b, FIRST + to);
  assert_int_equal(e->jump, to < from);
  assert_int_equal(e->split, split);
}

/* Lanes stay 1 + lane % 8 turns: some leave, and wait on the stack, until the last do. A nest: both
 * branches are told each time. A loop left at once is, too. */
static void stack_moves(void **state) {
  (void)state;
  bench *b = open_bench(KERNEL("and.b32 %r5, %r4, 7;\nLOOP:\nsub.s32 %r5, %r5, 1;\nsetp.ge.s32 "
                               "%p1, %r5, 0;\n@%p1 bra LOOP;\n"),
                        false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, MOVED), 8);
  for (unsigned i = 0; i < 8; i++) expect_move(b, i, 3, i < 7 ? 1 : 4, i < 7);
  assert_int_equal(b->fake.ready_asked, READY); /* and the kernel waited for that */
  close_bench(b);
  b = open_bench(
      KERNEL("mov.u32 %r5, 3;\nOUTER:\nmov.u32 %r6, 2;\nINNER:\nsub.s32 %r6, %r6, 1;\nsetp.gt.s32 "
             "%p1, %r6, 0;\n"
             "@%p1 bra INNER;\nsub.s32 %r5, %r5, 1;\nsetp.gt.s32 %p2, %r5, 0;\n@%p2 bra OUTER;\n"),
      false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, MOVED), 9);
  for (unsigned turn = 0; turn < 3; turn++) {
    expect_move(b, 3 * turn, 4, 2, false);
    expect_move(b, 3 * turn + 1, 4, 5, false);
    expect_move(b, 3 * turn + 2, 7, turn < 2 ? 1 : 8, false);
  }
  close_bench(b);
  b = open_bench(KERNEL("mov.u32 %r5, 0;\nLOOP:\nsub.s32 %r5, %r5, 1;\nsetp.gt.s32 %p1, %r5, "
                        "0;\n@%p1 bra LOOP;\n"),
                 false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, MOVED), 1);
  expect_move(b, 0, 3, 4, false);
  close_bench(b);
}

/* Half of the lanes end within the loop, which is told; the rest leaves it. */
static void lanes_end_in_a_loop(void **state) {
  (void)state;
  bench *b = open_bench(
      KERNEL("mov.u32 %r5, 4;\nand.b32 %r6, %r4, 1;\nmad.lo.u32 %r6, %r6, 98, 1;\nLOOP:\nsub.s32 "
             "%r5, %r5, 1;\nsetp.eq.u32 %p1, %r5, %r6;\n"
             "@%p1 ret;\nsetp.gt.s32 %p2, %r5, 0;\n@%p2 bra LOOP;\nst.global.u32 [%rd2], %r5;\n"),
      false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, WARP_EXIT), 1);
  assert_int_equal(count(&b->fake, MOVED), 8);
  for (unsigned turn = 0; turn < 4; turn++) {
    expect_move(b, 2 * turn, 5, 6, false);
    expect_move(b, 2 * turn + 1, 7, turn < 3 ? 3 : 8, false);
  }
  close_bench(b);
}

static void expect_told(bench *b, unsigned i, unsigned from, unsigned to) {
  assert_int_equal(nth(&b->fake, MOVED, i)->a, FIRST + from);
  assert_int_equal(nth(&b->fake, MOVED, i)->b, FIRST + to);
}

/* Where lanes meet by a step, the top goes to lanes that a branch has put on the stack, or that
 * meet there: that is not told. Whoever leaves a loop does so by a branch: a loop ends with one. */
static void lanes_meet_by_a_step(void **state) {
  (void)state;
  bench *b = open_bench(KERNEL("mov.u32 %r5, 3;\nLOOP:\nand.b32 %r6, %r4, 1;\nsetp.eq.u32 %p1, "
                               "%r6, 0;\n@%p1 bra EVEN;\nadd.u32 %r7, %r7, 1;\nbra MEET;\nEVEN:\n"
                               "add.u32 %r7, %r7, 2;\nMEET:\nsub.s32 %r5, %r5, 1;\nsetp.gt.s32 "
                               "%p2, %r5, 0;\n@%p2 bra LOOP;\n"),
                        false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, MOVED), 9);
  for (unsigned turn = 0; turn < 3; turn++) {
    expect_told(b, 3 * turn, 3, 6);
    expect_told(b, 3 * turn + 1, 5, 7); /* 6 to 4 by a step in between */
    expect_told(b, 3 * turn + 2, 9, turn < 2 ? 1 : 10);
  }
  close_bench(b);
  /* Some leave early, the others fall out of the loop and step to where those wait. */
  b = open_bench(KERNEL("mov.u32 %r5, 3;\nLOOP:\nsub.s32 %r5, %r5, 1;\nsetp.lt.s32 %p1, %r5, "
                        "%r4;\n@%p1 bra OUT;\nsetp.gt.s32 %p2, %r5, 1;\n@%p2 bra LOOP;\n"
                        "add.u32 %r7, %r7, 1;\nOUT:\nadd.u32 %r7, %r7, 2;\n"),
                 false, false);
  run(b, 1, 32);
  assert_int_equal(count(&b->fake, MOVED), 4);
  expect_told(b, 1, 5, 1);
  expect_told(b, 3, 5, 6);
  assert_true(nth(&b->fake, MOVED, 0)->split && !nth(&b->fake, MOVED, 3)->split);
  close_bench(b);
}

static bool stands_elsewhere(const wf_unit *unit) {
  (void)unit;
  return false;
}

/* Two that take the same do not go together, and are told what they both take; one that as set
 * stands elsewhere takes nothing there. */
static void claims(void **state) {
  (void)state;
  static const wf_unit_class rival = {
      .name = "rival", .claims = WF_CLAIM_ISSUE | WF_CLAIM_L1, .destroy = on_destroy};
  static const wf_unit_class other = {
      .name = "other", .claims = WF_CLAIM_DISPATCHER, .destroy = on_destroy};
  static const wf_unit_class elsewhere = {
      .name = "elsewhere", .claims = WF_CLAIM_L1, .at_l1 = stands_elsewhere, .destroy = on_destroy};
  wf_unit units[] = {{.cls = &other}, {.cls = &rival}, {.cls = &other}, {.cls = &elsewhere}};
  wf_error err = {0};
  bench *b = open_bench(KERNEL(""), false, false);
  assert_true(wf_gpu_seat_unit(b->gpu, &units[0], &err));
  assert_false(wf_gpu_seat_unit(b->gpu, &units[1], &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "fake and rival both take the place beside the L1"));
  assert_false(wf_gpu_seat_unit(b->gpu, &units[2], &err));
  assert_non_null(strstr(err.text, "other and other both take the dispatcher's place"));
  assert_true(wf_gpu_seat_unit(b->gpu, &units[3], &err));
  close_bench(b);
}

/* A unit that decides over the L1 wants no other such decisions in it. */
static void rivals_of_the_configuration(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config config;
  wf_options none = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &err));
  config.l1_tokens = 4;
  wf_gpu *gpu = wf_gpu_create(&config, &none, NULL, 0, 1, &err);
  fake unit = {.unit.cls = &cls};
  assert_false(wf_gpu_seat_unit(gpu, &unit.unit, &err));
  assert_non_null(strstr(err.text, "l1.tokens"));
  wf_gpu_destroy(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_of_events),
      cmocka_unit_test(requests_of_a_wide_load),
      cmocka_unit_test(loads_go_past),
      cmocka_unit_test(misses_go_past),
      cmocka_unit_test(one_undecided_miss_a_set),
      cmocka_unit_test(stack_moves),
      cmocka_unit_test(lanes_end_in_a_loop),
      cmocka_unit_test(lanes_meet_by_a_step),
      cmocka_unit_test(loads_are_written_back),
      cmocka_unit_test(claims),
      cmocka_unit_test(rivals_of_the_configuration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
