/* A unit that preloads thread blocks, played by the test: blocks are held back, what loads find is
 * served from shared memory in its time, everything that may go wrong between unit and fabric is
 * noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/preload.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"
/* %r1: thread of the grid; %rd1: out; %rd2: out + 4 * %r1. */
#define KERNEL(BODY)                                                                               \
  HEAD ".visible .entry k(.param .u64 out)\n{\n.local .align 4 .b8 mine[16];\n.reg .pred "         \
       "%p<9>;\n.reg .b32 %r<20>;\n"                                                               \
       ".reg .b64 %rd<9>;\nmov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"    \
       "mad.lo.u32 %r1, %r2, %r3, %r4;\nld.param.u64 %rd1, [out];\n"                               \
       "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\n" BODY "ret;\n}\n"
#define COPY                                                                                       \
  KERNEL("ld.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, 7;\nst.global.u32 [%rd2+65536], %r5;\n")

enum { PLACES = 8, DELAY = 3, QUEUE = 64 };
typedef enum fault {
  NONE,
  GO_TWICE,
  GO_NOBODY,
  FETCH_OUTSIDE,
  FETCH_TWICE,
  WRONG_PLACE,
  NO_SUCH_PLACE,
  UNASKED,
  DEAF
} fault;

/* Fetches the first PLACES lines of `out`, once a kernel, and lets every block go when they are
 * there, or at once. */
typedef struct fake {
  wf_unit unit;
  wf_gpu *gpu;
  wf_preload_counters counters;
  fault fault;
  bool overlap, eager, busy, done; /* eager: takes an access in any cycle; busy: may_place() says
                                      no; done: the fault has happened */
  uint64_t slots;                  /* in use */
  unsigned hold;                   /* cycles more that a block is held */
  unsigned n_rows, loads, stores, blocks, ends, fetched, filled, refused;
  wf_preload_row rows[4];
  uint32_t first;                  /* line of `out` */
  bool here[PLACES], gone[PLACES]; /* gone: a store came */
  struct {
    unsigned sm, slot;
    uint64_t at;
  } held[32];
  unsigned n_held;
  struct {
    bool store;
    uint32_t line;
    uint64_t at;
    wf_preload_answer answer;
    unsigned place;
  } asked[QUEUE];
  unsigned n_asked;
} fake;

static bool on_kernel(wf_unit *u, const wf_preload_kernel *k, bool *active, wf_error *err) {
  fake *f = (fake *)u;
  (void)err;
  assert_string_equal(k->launch->kernel->name, "k");
  memset(f->here, 0, sizeof f->here);
  memset(f->gone, 0, sizeof f->gone);
  f->fetched = f->filled = 0;
  *active = true;
  return true;
}
static wf_preload_counters *on_counters(wf_unit *u) {
  return &((fake *)u)->counters;
}
static wf_preload_settings on_settings(const wf_unit *u) {
  (void)u;
  return (wf_preload_settings){.places = PLACES};
}
static void on_row(wf_unit *u, const wf_preload_row *row) {
  fake *f = (fake *)u;
  if (row)
    f->rows[f->n_rows++] = *row;
  else
    f->n_rows = 0;
}
static bool on_may_place(const wf_unit *u) {
  return !((const fake *)u)->busy;
}
static void on_block(wf_unit *u, unsigned sm, unsigned slot, const uint32_t block[3]) {
  fake *f = (fake *)u;
  assert_int_equal(block[0], f->blocks++);
  assert_true(slot < 8 && !(f->slots >> slot & 1));
  f->slots |= (uint64_t)1 << slot;
  f->held[f->n_held].sm = sm;
  f->held[f->n_held].at = f->gpu->cycle;
  f->held[f->n_held++].slot = slot;
}
static void on_end(wf_unit *u, unsigned sm, unsigned slot) {
  fake *f = (fake *)u;
  (void)sm;
  assert_true(f->slots >> slot & 1);
  for (unsigned i = 0; i < f->n_held; i++)
    assert_true(f->held[i].slot != slot); /* it never ran without its go */
  f->slots &= ~((uint64_t)1 << slot);
  f->ends++;
}
static bool on_access(wf_unit *u, unsigned sm, bool store, uint32_t line) {
  fake *f = (fake *)u;
  (void)sm;
  if (f->n_asked == QUEUE || (!f->eager && f->gpu->cycle % 5 == 0)) return false;
  f->loads += !store;
  f->stores += store;
  const unsigned i = line - f->first;
  if (i < PLACES && store && f->fault != DEAF) f->gone[i] = true;
  const bool mine = i < PLACES && !f->gone[i];
  if (store) return true;
  f->asked[f->n_asked].at = f->gpu->cycle;
  f->asked[f->n_asked].line = line;
  f->asked[f->n_asked].place = f->fault == WRONG_PLACE     ? (i + 1) % PLACES
                               : f->fault == NO_SUCH_PLACE ? PLACES
                                                           : i;
  f->asked[f->n_asked++].answer = !mine        ? WF_PRELOAD_MISS
                                  : f->here[i] ? WF_PRELOAD_HIT
                                               : WF_PRELOAD_COMING;
  return true;
}

static wf_preload_answer on_answer(wf_unit *u, unsigned sm, unsigned *place) {
  fake *f = (fake *)u;
  (void)sm;
  if (f->fault == UNASKED && !f->done) return f->done = true, WF_PRELOAD_MISS;
  if (!f->n_asked || f->gpu->cycle < f->asked[0].at + DELAY) return WF_PRELOAD_WAIT;
  const wf_preload_answer a = f->asked[0].answer;
  *place = f->asked[0].place;
  memmove(&f->asked[0], &f->asked[1], --f->n_asked * sizeof f->asked[0]);
  return a;
}

static void on_filled(wf_unit *u, unsigned sm, unsigned place) {
  fake *f = (fake *)u;
  (void)sm;
  f->filled++;
  f->here[place] = !f->gone[place];
}

static void let_go(fake *f) {
  for (unsigned i = 0; i < f->n_held; i++)
    if (f->overlap || (f->filled == PLACES && f->gpu->cycle >= f->held[i].at + f->hold)) {
      wf_preload_go(f->gpu, f->held[i].sm, f->held[i].slot);
      if (f->fault == GO_TWICE) wf_preload_go(f->gpu, f->held[i].sm, f->held[i].slot);
      f->held[i--] = f->held[--f->n_held];
    }
}

static bool on_tick(wf_unit *u, wf_error *err) {
  fake *f = (fake *)u;
  (void)err;
  if (f->busy) f->busy = f->gpu->cycle % 64 != 0;
  if (f->fault == GO_NOBODY) wf_preload_go(f->gpu, 0, 5);
  if (!f->blocks) return true;
  for (unsigned twice = 0; twice < 2 && f->fetched < PLACES; twice++) {
    const uint32_t line = f->fault == FETCH_OUTSIDE ? 0xfffffff : f->first + f->fetched;
    if (!wf_preload_fetch(f->gpu, 0, line, f->fetched))
      f->refused++;
    else if (f->fault == FETCH_TWICE && f->fetched == 3)
      f->fetched = 3 - f->done, f->done = true;
    else
      f->fetched++;
  }
  let_go(f);
  return true;
}
static bool on_idle(const wf_unit *u) {
  const fake *f = (const fake *)u;
  return !f->n_held && f->filled == f->fetched && f->fetched == PLACES;
}
static void on_destroy(wf_unit *u) {
  (void)u;
}

static const wf_preload_ops ops = {on_kernel, on_counters, on_settings, on_may_place, on_block,
                                   on_end,    on_access,   on_answer,   on_filled,    on_row};
static const wf_unit_class cls = {
    .name = "fake", .destroy = on_destroy, .tick = on_tick, .idle = on_idle, .preload = &ops};

typedef struct bench {
  wf_gpu *gpu;
  fake fake;
  uint64_t out;
} bench;

static bench *open_bench(const char *ptx, unsigned miss_queue) {
  bench *b = calloc(1, sizeof *b);
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", &err));
  config.n_sm = 1;
  if (miss_queue) config.l1_miss_queue = miss_queue;
  b->gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  assert_non_null(b->gpu);
  b->fake = (fake){.unit.cls = &cls, .gpu = b->gpu};
  if (!wf_gpu_seat_unit(b->gpu, &b->fake.unit, &err)) fail_msg("%s", err.text);
  if (!wf_gpu_load_ptx(b->gpu, "test", ptx, strlen(ptx), &err)) fail_msg("%s", err.text);
  b->out = wf_gpu_alloc(b->gpu, 1 << 20, "out", &err);
  b->fake.first = (uint32_t)(b->out >> 7);
  for (uint32_t i = 0; i < 1024; i++) wf_gpu_write(b->gpu, b->out + 4 * i, &i, 4, &err);
  return b;
}

static bool launch(bench *b, uint32_t grid, uint32_t block, wf_error *err) {
  wf_launch_args args = {.kernel = "k",
                         .grid = {grid, 1, 1},
                         .block = {block, 1, 1},
                         .params = {&b->out},
                         .n_params = 1};
  return wf_gpu_launch(b->gpu, &args, err);
}

static void run(bench *b, uint32_t grid, uint32_t block) {
  wf_error err = {0};
  if (!launch(b, grid, block, &err)) fail_msg("%s", err.text);
}

static void close_bench(bench *b) {
  wf_gpu_destroy(b->gpu);
  free(b);
}

static void copied(bench *b, unsigned n) {
  uint32_t got;
  for (uint32_t i = 0; i < n; i++) {
    assert_true(wf_gpu_read(b->gpu, &got, b->out + 65536 + 4 * i, 4, NULL));
    assert_int_equal(got, i + 7);
  }
}

/* ---- right ---- */

static void blocks_wait_and_find_their_data(void **state) {
  (void)state;
  bench *b = open_bench(COPY, 0);
  b->fake.hold = 1000;
  run(b, 4, 64);
  copied(b, 256);
  const wf_preload_counters *c = &b->fake.counters;
  assert_int_equal(b->fake.ends, 4);
  assert_int_equal(c->held_blocks, 4);
  assert_true(c->held_cycles >= 4000 && c->held_cycles < 4200);
  assert_true(wf_gpu_cycles(b->gpu) > 1000 && wf_gpu_cycles(b->gpu) < 2500);
  assert_int_equal(c->looked_up, 8);
  assert_int_equal(c->found, 8);
  assert_int_equal(c->checked_bytes, 8 * 128);
  assert_int_equal(b->fake.stores, 8);
  assert_int_equal(wf_gpu_l1_counters(b->gpu)->accesses, 0);
  assert_true(wf_gpu_sm_counters(b->gpu)->stalls[WF_STALL_UNIT] > 1900); /* two schedulers */
  close_bench(b);
}

/* The dispatcher waits while the unit takes no block. */
static void a_unit_that_is_busy_holds_the_dispatcher(void **state) {
  (void)state;
  bench *b = open_bench(COPY, 0);
  b->fake.busy = true;
  run(b, 2, 32);
  copied(b, 64);
  assert_true(wf_gpu_cycles(b->gpu) > 64);
  close_bench(b);
}

#define LINK "mul.wide.u32 %x, %r5, 4;\nadd.u64 %x, %x, %rd1;\nld.global.u32 %r5, [%x];\n"
/* A chain of loads, of which four in five are waited for: each takes shared memory's time instead
 * of the L1's. */
static uint64_t chain(bool through_l1) {
  bench *b = open_bench(
      KERNEL("ld.global.u32 %r5, [%rd1];\n.reg .b64 %x;\nmov.u32 %r6, 0;\nLOOP:\n" LINK LINK LINK
                 LINK LINK "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p1, %r6, 100;\n@%p1 bra LOOP;\n"),
      0);
  if (through_l1) b->fake.gone[0] = true;
  b->fake.hold = 2000;
  b->fake.eager = true;
  wf_error err = {0};
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = {&b->out}, .n_params = 1};
  if (through_l1) b->fake.first += 5000; /* what it fetches is elsewhere */
  if (!wf_gpu_launch(b->gpu, &args, &err)) fail_msg("%s", err.text);
  const uint64_t cycles = wf_gpu_cycles(b->gpu);
  assert_int_equal(b->fake.counters.found, through_l1 ? 0 : 501);
  close_bench(b);
  return cycles;
}

static void hits_take_shared_memorys_time(void **state) {
  (void)state;
  const uint64_t buffer = chain(false), l1 = chain(true);
  /* gtx480: 14 and 20 cycles, 400 times; the first through the L1 misses, hundreds of cycles. */
  print_message("400 loads: %u cycles from the buffer, %u from the L1\n", (unsigned)buffer,
                (unsigned)l1);
  assert_true(l1 > buffer + 2400 + 100 && l1 < buffer + 2400 + 700);
}

static void a_full_miss_queue_holds_fetches(void **state) {
  (void)state;
  bench *b = open_bench(COPY, 1);
  run(b, 1, 256);
  copied(b, 256);
  assert_true(b->fake.refused > 0);
  assert_int_equal(b->fake.refused, b->fake.counters.fetch_waits);
  assert_int_equal(b->fake.counters.fetched, PLACES);
  close_bench(b);
}

static void what_comes_is_asked_of_the_l1(void **state) {
  (void)state;
  bench *b = open_bench(COPY, 0);
  b->fake.overlap = true;
  run(b, 1, 256);
  copied(b, 256);
  const wf_preload_counters *c = &b->fake.counters;
  assert_true(c->found_coming >= 6);
  assert_int_equal(c->found + c->found_coming + c->not_found, 8);
  assert_int_equal(wf_gpu_l1_counters(b->gpu)->accesses, c->found_coming + c->not_found);
  close_bench(b);
}

/* Volatile loads, loads past the L1 and local memory's are not looked up; atomics count as stores.
 */
static void only_what_the_l1_may_keep(void **state) {
  (void)state;
  bench *b = open_bench(KERNEL("ld.volatile.global.u32 %r5, [%rd2];\nld.global.cg.u32 %r6, "
                               "[%rd2];\nst.local.u32 [mine], %r5;\nld.local.u32 %r7, [mine];\n"
                               "red.global.add.u32 [%rd2], 1;\natom.global.add.u32 %r8, [%rd2], "
                               "1;\nst.global.u32 [%rd2+65536], %r7;\n"),
                        0);
  run(b, 1, 32);
  assert_int_equal(b->fake.loads, 0);
  assert_int_equal(b->fake.stores, 3);
  uint32_t got;
  assert_true(wf_gpu_read(b->gpu, &got, b->out + 65536 + 4 * 9, 4, NULL) && got == 9);
  close_bench(b);
}

#define IN_PLACE                                                                                   \
  KERNEL("ld.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, 7;\nbar.sync 0;\nst.global.u32 [%rd2], "   \
         "%r5;\nbar.sync 0;\n"                                                                     \
         "ld.global.u32 %r6, [%rd2];\nst.global.u32 [%rd2+65536], %r6;\n")
static void stores_are_told(void **state) {
  (void)state;
  bench *b = open_bench(IN_PLACE, 0);
  run(b, 1, 64);
  copied(b, 64);
  assert_int_equal(b->fake.counters.found, 2);
  assert_int_equal(b->fake.counters.not_found, 2);
  close_bench(b);
}

static void rows_of_the_program(void **state) {
  (void)state;
  bench *b = open_bench(COPY, 0);
  const wf_preload_row row[2] = {{.base = 1}, {.base = 2, .max = {1, 2, 3}}};
  wf_gpu_cta_tracker(b->gpu, &row[0]);
  wf_gpu_cta_flush(b->gpu);
  wf_gpu_cta_tracker(b->gpu, &row[1]);
  assert_int_equal(b->fake.n_rows, 1);
  assert_memory_equal(b->fake.rows, &row[1], sizeof row[1]);
  close_bench(b);
}

/* ---- wrong ---- */

static void faults(void **state) {
  (void)state;
  const struct {
    fault fault;
    const char *ptx, *text;
  } all[] = {
      {GO_TWICE, COPY, "slot 0 may go: no block waits there"},
      {GO_NOBODY, COPY, "slot 5 may go: no block waits there"},
      {FETCH_OUTSIDE, COPY, "no such memory"},
      {FETCH_TWICE, COPY, "one to which a line is on its way"},
      {WRONG_PLACE, COPY, "which holds"},
      {NO_SUCH_PLACE, COPY, "an answer with no such place"},
      {UNASKED, IN_PLACE, "which holds"},
      {DEAF, IN_PLACE, "the buffer is stale"},
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    bench *b = open_bench(all[i].ptx, 0);
    wf_error err = {0};
    b->fake.fault = all[i].fault;
    if (launch(b, 1, 64, &err)) fail_msg("fault %d is not noticed", all[i].fault);
    if (!strstr(err.text, all[i].text)) fail_msg("expected '%s' in: %s", all[i].text, err.text);
    assert_int_equal(err.code, WF_EXIT_WRONG);
    close_bench(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_wait_and_find_their_data),
      cmocka_unit_test(a_unit_that_is_busy_holds_the_dispatcher),
      cmocka_unit_test(hits_take_shared_memorys_time),
      cmocka_unit_test(a_full_miss_queue_holds_fetches),
      cmocka_unit_test(what_comes_is_asked_of_the_l1),
      cmocka_unit_test(only_what_the_l1_may_keep),
      cmocka_unit_test(stores_are_told),
      cmocka_unit_test(rows_of_the_program),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
