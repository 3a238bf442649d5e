/* A unit that keeps loads past the L1, played by the test: while it is right, cycles are those of
 * the SM's own account, and whatever wrong it says, the book finds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/load_seat.h"

/* Each thread adds up words all over, three loads at once. */
#define LOAD(n)                                                                                    \
  "mad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 15;\n"                             \
  "mul.wide.u32 %rd2, %r7, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r1" n ", [%rd3];\n"
#define KERNEL                                                                                     \
  ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"         \
  ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"                                      \
  "mov.u32 %r4, %tid.x;\nld.param.u64 %rd1, [out];\nmov.u32 %r5, 0;\nand.b32 %r6, %r4, 63;\n"      \
  "LOOP:\n" LOAD("1") LOAD("2")                                                                    \
      LOAD("3") "add.u32 %r9, %r11, %r12;\nadd.u32 %r9, %r9, %r13;\nadd.u32 %r5, %r5, 1;\n"        \
                "setp.lt.u32 %p3, %r5, 12;\n@%p3 bra LOOP;\nret;\n}\n"

enum { SMS = 2, ENTRIES = 6 };
/* What is wrong, from the 50th occasion on. */
typedef enum lie {
  TRUTH,
  REFUSES,
  TAKES,
  GIVES_TAKEN,
  CHANGES,
  OTHER_LOAD,
  OTHER_LANES,
  OTHER_OFFSET,
  NOT_LAST,
  NEVER
} lie;

typedef struct entry {
  wf_load_told told; /* of all its lanes */
  unsigned pending;
  bool used, closed;
} entry;

typedef struct fake {
  wf_unit unit;
  wf_gpu *gpu;
  lie lie;
  entry entry[SMS][ENTRIES];
  unsigned open[SMS];
  wf_load_told told[SMS];
  bool owes[SMS];
  unsigned refused, occasions;
} fake;

static bool lies(fake *f, lie lie) {
  return f->lie == lie && f->occasions++ > 50;
}

static unsigned free_entry(const fake *f, unsigned sm) {
  unsigned e = 0;
  while (e < ENTRIES && f->entry[sm][e].used) e++;
  return e;
}

static wf_load_answer on_line(wf_unit *unit, unsigned sm, const wf_load_line *line) {
  fake *f = (fake *)unit;
  if (line->first) {
    const unsigned e = free_entry(f, sm);
    if (e == ENTRIES) {
      f->refused++;
      return (wf_load_answer){lies(f, TAKES), 0};
    }
    if (lies(f, REFUSES)) return (wf_load_answer){false, 0};
    f->open[sm] = e;
    f->entry[sm][e] = (entry){.used = true, .told = {.load = line->load}};
    memcpy(f->entry[sm][e].told.offset, line->offset, WF_LOAD_LANES);
  }
  entry *at = &f->entry[sm][f->open[sm]];
  at->pending++;
  at->closed = line->last;
  wf_load_answer a = {true, f->open[sm]};
  if (!line->first && lies(f, CHANGES)) a.entry ^= 1;
  for (unsigned e = 0; line->first && e < ENTRIES; e++)
    if (e != a.entry && f->entry[sm][e].used && lies(f, GIVES_TAKEN)) a.entry = e;
  return a;
}

static void on_reply(wf_unit *unit, unsigned sm, unsigned number, uint32_t mask) {
  fake *f = (fake *)unit;
  entry *at = &f->entry[sm][number];
  wf_load_told *told = &f->told[sm];
  *told = at->told;
  told->mask = mask;
  if (!--at->pending) at->used = !(told->last = at->closed);
  f->owes[sm] = true;
  if (lies(f, OTHER_LOAD)) told->load ^= 1;
  if (lies(f, OTHER_LANES)) told->mask ^= 1;
  if (lies(f, OTHER_OFFSET)) told->offset[__builtin_ctz(mask)] ^= 4;
  if (told->last && lies(f, NOT_LAST)) told->last = false;
}

static bool on_tick(wf_unit *unit, wf_error *err) {
  fake *f = (fake *)unit;
  (void)err;
  for (unsigned s = 0; s < SMS; s++) {
    if (!f->owes[s] || lies(f, NEVER)) continue;
    f->owes[s] = false;
    wf_load_told_by(&f->gpu->sms[s], &f->told[s]);
  }
  return true;
}

static bool on_idle(const wf_unit *unit) {
  const fake *f = (const fake *)unit;
  return f->lie == NEVER || (!f->owes[0] && !f->owes[1]);
}
static void on_destroy(wf_unit *unit) {
  (void)unit;
}
static const wf_miss_ops ops = {.line = on_line, .reply = on_reply};
static const wf_unit_class cls = {
    .name = "fake", .destroy = on_destroy, .tick = on_tick, .idle = on_idle, .misses = &ops};

/* Runs the kernel; the cycles that it took. f: NULL: with the SM's own account. */
static uint64_t run(const char *config, fake *f, wf_error *err) {
  wf_gpu_config c;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&c, config, err));
  c.n_sm = SMS;
  c.lsu_past = 1;
  c.lsu_loads = ENTRIES;
  wf_gpu *gpu = wf_gpu_create(&c, &options, NULL, 0, 1, err);
  if (!gpu) fail_msg("%s", err->text);
  if (f) {
    f->gpu = gpu;
    f->unit.cls = &cls;
    if (!wf_gpu_seat_unit(gpu, &f->unit, err)) fail_msg("%s", err->text);
  }
  if (!wf_gpu_load_ptx(gpu, "test", KERNEL, strlen(KERNEL), err)) fail_msg("%s", err->text);
  uint64_t out = wf_gpu_alloc(gpu, 1 << 20, "out", err);
  const wf_launch_args args = {
      .kernel = "k", .grid = {8, 1, 1}, .block = {128, 1, 1}, .params = {&out}, .n_params = 1};
  wf_gpu_launch(gpu, &args, err);
  const uint64_t cycles = gpu->cycle;
  wf_gpu_destroy(gpu);
  return cycles;
}

static void while_it_is_right_nothing_changes(void **state) {
  static const char *const machines[] = {"fermi16", "k20c"};
  (void)state;
  for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++) {
    wf_error err = {0};
    fake f = {.lie = TRUTH};
    const uint64_t cycles = run(machines[m], &f, &err);
    if (err.code) fail_msg("%s", err.text);
    assert_true(f.refused > 100);
    assert_int_equal(cycles, run(machines[m], NULL, &err));
  }
}

static void the_book_finds_what_is_wrong(void **state) {
  static const char *const says[] = {[REFUSES] = "a line is taken: 0",
                                     [TAKES] = "a line is taken: 1",
                                     [GIVES_TAKEN] = "an entry that is not free",
                                     [CHANGES] = "a load's later line",
                                     [OTHER_LOAD] = "a line is for load",
                                     [OTHER_LANES] = "a line is for lanes",
                                     [OTHER_OFFSET] = "a lane's offset",
                                     [NOT_LAST] = "the load's last",
                                     [NEVER] = "answered"};
  (void)state;
  for (lie l = REFUSES; l <= NEVER; l++) {
    wf_error err = {0};
    fake f = {.lie = l};
    run("fermi16", &f, &err);
    assert_int_equal(err.code, WF_EXIT_WRONG);
    if (!strstr(err.text, says[l])) fail_msg("%d: %s", l, err.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(while_it_is_right_nothing_changes),
                                     cmocka_unit_test(the_book_finds_what_is_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
