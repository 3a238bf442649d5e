/* A unit in the place of the L1s' MSHRs, played by the test: while it is right, cycles are those of
 * the L1s' own, and whatever wrong it says, the book finds it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/miss_seat.h"

/* Each thread adds up words of lines that warps share, and stores some. */
#define KERNEL                                                                                     \
  ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"         \
  ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"                                      \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                            \
  "mad.lo.u32 %r1, %r2, %r3, %r4;\nld.param.u64 %rd1, [out];\nmov.u32 %r5, 0;\n"                   \
  "and.b32 %r6, %r4, 31;\n"                                                                        \
  "LOOP:\nmad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 15;\n"                      \
  "mul.wide.u32 %rd2, %r7, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r8, [%rd3];\n"            \
  "and.b32 %r9, %r6, 0x3f0000;\nsetp.eq.u32 %p2, %r9, 65536;\n"                                    \
  "@!%p2 bra NOSTORE;\nst.global.u32 [%rd3], %r8;\nNOSTORE:\nadd.u32 %r5, %r5, 1;\n"               \
  "setp.lt.u32 %p3, %r5, 24;\n@%p3 bra LOOP;\nret;\n}\n"

enum { SMS = 2, ENTRIES = 12, MERGE = 4 };
/* What is wrong, from the 50th occasion on. */
typedef enum lie { TRUTH, SAYS_FULL, SAYS_NEW, SAYS_MERGED, GIVES_TAKEN, SWAPS, LOSES, NEVER } lie;

typedef struct entry {
  uint32_t line;
  uint16_t load[MERGE];
  unsigned n;
} entry;

typedef struct fake {
  wf_unit unit;
  wf_gpu *gpu;
  lie lie;
  entry entry[SMS][ENTRIES], told[SMS];
  unsigned merged, full, merge_full, occasions;
} fake;

static bool lies(fake *f, lie lie) {
  return f->lie == lie && f->occasions++ > 50;
}

static wf_miss_answer answer(fake *f, unsigned sm, uint32_t line, uint16_t load) {
  unsigned free = ENTRIES;
  for (unsigned e = 0; e < ENTRIES; e++) {
    entry *at = &f->entry[sm][e];
    if (!at->n) free = e;
    if (!at->n || at->line != line) continue;
    if (at->n == MERGE) return f->merge_full++, (wf_miss_answer){.what = WF_MISS_MERGE_FULL};
    at->load[at->n++] = load;
    return f->merged++, (wf_miss_answer){WF_MISS_MERGED, e};
  }
  if (free == ENTRIES) return f->full++, (wf_miss_answer){.what = WF_MISS_FULL};
  f->entry[sm][free] = (entry){.line = line, .load = {load}, .n = 1};
  return (wf_miss_answer){WF_MISS_NEW, free};
}

static wf_miss_answer on_request(wf_unit *unit, unsigned sm, uint32_t line, uint16_t load) {
  fake *f = (fake *)unit;
  wf_miss_answer a = answer(f, sm, line, load);
  if (a.what == WF_MISS_NEW) {
    if (lies(f, SAYS_FULL)) a.what = WF_MISS_FULL;
    if (lies(f, SAYS_MERGED)) a.what = WF_MISS_MERGED;
    for (unsigned e = 0; e < ENTRIES; e++)
      if (e != a.entry && f->entry[sm][e].n && lies(f, GIVES_TAKEN)) a.entry = e;
  } else if (a.what == WF_MISS_MERGED && lies(f, SAYS_NEW)) {
    a.what = WF_MISS_NEW;
  }
  return a;
}

static void on_fill(wf_unit *unit, unsigned sm, unsigned number) {
  fake *f = (fake *)unit;
  entry *at = &f->entry[sm][number];
  f->told[sm] = *at;
  at->n = 0;
  entry *told = &f->told[sm];
  if (told->n > 1 && lies(f, SWAPS)) {
    told->load[0] = told->load[1];
    told->load[1] = at->load[0];
  }
  if (told->n > 1 && lies(f, LOSES)) told->n--;
}

static bool on_tick(wf_unit *unit, wf_error *err) {
  fake *f = (fake *)unit;
  (void)err;
  for (unsigned s = 0; s < SMS; s++) {
    if (!f->told[s].n || lies(f, NEVER)) continue;
    wf_miss_done(&f->gpu->sms[s], f->told[s].load, f->told[s].n);
    f->told[s].n = 0;
  }
  return true;
}

static bool on_idle(const wf_unit *unit) {
  const fake *f = (const fake *)unit;
  return f->lie == NEVER || (!f->told[0].n && !f->told[1].n);
}
static void on_destroy(wf_unit *unit) {
  (void)unit;
}
static const wf_miss_ops ops = {.request = on_request, .fill = on_fill};
static const wf_unit_class cls = {.name = "fake",
                                  .claims = WF_CLAIM_L1,
                                  .destroy = on_destroy,
                                  .tick = on_tick,
                                  .idle = on_idle,
                                  .misses = &ops};

static wf_gpu *machine(const char *const settings[][2]) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "fermi16", &err));
  for (unsigned i = 0; settings[i][0]; i++)
    assert_true(wf_gpu_config_set(&config, settings[i][0], settings[i][1], &err));
  config.n_sm = SMS;
  config.l1_mshrs = ENTRIES;
  config.l1_mshr_merge = MERGE;
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  return gpu;
}

/* Runs the kernel; the cycles that it took. unit: NULL: with the L1s' own. */
static uint64_t run_on(wf_gpu *gpu, wf_unit *unit, wf_error *err) {
  if (unit && !wf_gpu_seat_unit(gpu, unit, err)) fail_msg("%s", err->text);
  if (!wf_gpu_load_ptx(gpu, "test", KERNEL, strlen(KERNEL), err)) fail_msg("%s", err->text);
  uint64_t out = wf_gpu_alloc(gpu, 1 << 20, "out", err);
  const wf_launch_args args = {
      .kernel = "k", .grid = {8, 1, 1}, .block = {128, 1, 1}, .params = {&out}, .n_params = 1};
  wf_gpu_launch(gpu, &args, err);
  const uint64_t cycles = gpu->cycle;
  wf_gpu_destroy(gpu);
  return cycles;
}

static uint64_t run(const char *const settings[][2], fake *f, wf_error *err) {
  wf_gpu *gpu = machine(settings);
  if (!f) return run_on(gpu, NULL, err);
  f->gpu = gpu;
  f->unit.cls = &cls;
  return run_on(gpu, &f->unit, err);
}

static const char *const machines[][8][2] = {
    {{NULL, NULL}},
    {{"l1.allocate", "fill"}, {"l1.victim_lines", "8"}, {NULL, NULL}},
    {{"l1.past", "line"}, {"l1.abyp", "1"}, {NULL, NULL}},
    {{"l1.pd", "16"}, {NULL, NULL}},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void while_it_is_right_nothing_changes(void **state) {
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    wf_error err = {0};
    fake f = {.lie = TRUTH};
    const uint64_t cycles = run(machines[m], &f, &err);
    if (err.code) fail_msg("%s", err.text);
    assert_true(f.merged > 100 && f.full > 100 && f.merge_full > 10);
    assert_int_equal(cycles, run(machines[m], NULL, &err));
  }
}

static void the_book_finds_what_is_wrong(void **state) {
  static const char *const says[] = {[SAYS_FULL] = "is full",
                                     [SAYS_NEW] = "by the book merged",
                                     [SAYS_MERGED] = "is merged",
                                     [GIVES_TAKEN] = "is new as entry",
                                     [SWAPS] = "the load that waited is",
                                     [LOSES] = "loads that waited",
                                     [NEVER] = "answered"};
  (void)state;
  for (lie l = SAYS_FULL; l <= NEVER; l++) {
    wf_error err = {0};
    fake f = {.lie = l};
    run(machines[0], &f, &err);
    assert_int_equal(err.code, WF_EXIT_WRONG);
    if (!strstr(err.text, says[l])) fail_msg("%d: %s", l, err.text);
  }
}

/* Its loads are told with the last of a line's sectors, so that cycles are others. */
static const char *const of_sectors[][4][2] = {
    {{"l1.sectored", "1"}, {NULL, NULL}},
    {{"l1.sectored", "1"}, {"l1.write_keep", "1"}, {"l1.allocate", "fill"}, {NULL, NULL}},
    {{"l1.write_keep", "1"}, {"l1.victim_lines", "8"}, {NULL, NULL}},
};
enum { OF_SECTORS = sizeof of_sectors / sizeof *of_sectors };

static void sectors_are_told_with_their_lines_last(void **state) {
  (void)state;
  for (unsigned m = 0; m < OF_SECTORS; m++) {
    wf_error err = {0};
    fake f = {.lie = TRUTH};
    run(of_sectors[m], &f, &err);
    if (err.code) fail_msg("%s", err.text);
    assert_true(f.merged > 100 && f.full > 100);
    for (lie l = SAYS_FULL; l <= NEVER; l++) {
      fake liar = {.lie = l};
      run(of_sectors[m], &liar, &err);
      assert_int_equal(err.code, WF_EXIT_WRONG);
      err = (wf_error){0};
    }
  }
}

static void machines_it_does_not_know(void **state) {
  static const char *const refused[][3][2] = {{{"l1.bypass_stalls", "1"}, {NULL, NULL}},
                                              {{"l1.prefetch", "stride"}, {NULL, NULL}}};
  (void)state;
  for (unsigned m = 0; m < sizeof refused / sizeof *refused; m++) {
    wf_error err = {0};
    wf_gpu *gpu = machine(refused[m]);
    assert_false(wf_miss_may_sit(gpu, &cls, &err));
    assert_non_null(strstr(err.text, refused[m][0][0]));
    wf_gpu_destroy(gpu);
  }
}

/* ---- a unit that answers later ---- */

typedef enum late_lie {
  LATE_TRUTH,
  KNOWN_WRONG,   /* new for merged */
  KNOWN_NEVER,   /* nor not */
  TOLD_WRONG,    /* another load */
  TOLD_NOT_LAST, /* its line's last is not */
  TOLD_NEVER,
  TOLD_TWICE,
  ANSWERS_AT_ONCE
} late_lie;

typedef struct late {
  wf_unit unit;
  wf_gpu *gpu;
  late_lie lie;
  fake lines; /* what it keeps */
  bool asked[SMS], is_new[SMS];
  struct {
    uint16_t load;
    bool last;
  } owed[SMS][4096];
  unsigned first[SMS], n[SMS], occasions, refused, turn;
} late;

static bool late_lies(late *f, late_lie lie) {
  return f->lie == lie && f->occasions++ == 50;
}

/* Refuses one in eight for reasons of its own. */
static wf_miss_answer late_request(wf_unit *unit, unsigned sm, uint32_t line, uint16_t load) {
  late *f = (late *)unit;
  if (f->turn++ % 8 == 0) return f->refused++, (wf_miss_answer){.what = WF_MISS_FULL};
  const wf_miss_answer a = answer(&f->lines, sm, line, load);
  f->asked[sm] = true;
  f->is_new[sm] = a.what == WF_MISS_NEW;
  return (wf_miss_answer){.what = late_lies(f, ANSWERS_AT_ONCE) ? a.what : WF_MISS_TAKEN};
}

static void late_fill(wf_unit *unit, unsigned sm, uint32_t line) {
  late *f = (late *)unit;
  entry *at = f->lines.entry[sm];
  while (!at->n || at->line != line) at++;
  for (unsigned i = 0; i < at->n; i++, f->n[sm]++) {
    f->owed[sm][f->n[sm] % 4096].load = at->load[i];
    f->owed[sm][f->n[sm] % 4096].last = i + 1 == at->n;
  }
  at->n = 0;
}

static void late_tell(late *f, unsigned s) {
  const unsigned at = f->first[s]++ % 4096;
  uint16_t load = f->owed[s][at].load;
  bool last = f->owed[s][at].last;
  if (late_lies(f, TOLD_WRONG)) load ^= 1;
  if (last && late_lies(f, TOLD_NOT_LAST)) last = false;
  if (late_lies(f, TOLD_NEVER)) return;
  wf_miss_told(&f->gpu->sms[s], load, last, f->gpu->cycle);
  if (f->first[s] == f->n[s] && late_lies(f, TOLD_TWICE))
    wf_miss_told(&f->gpu->sms[s], load, last, f->gpu->cycle);
}

static bool late_tick(wf_unit *unit, wf_error *err) {
  late *f = (late *)unit;
  (void)err;
  for (unsigned s = 0; s < SMS; s++) {
    if (f->asked[s] && !late_lies(f, KNOWN_NEVER))
      wf_miss_known(&f->gpu->sms[s], f->is_new[s] != late_lies(f, KNOWN_WRONG));
    f->asked[s] = false;
    if (f->first[s] != f->n[s]) late_tell(f, s);
  }
  return true;
}

static bool late_idle(const wf_unit *unit) {
  const late *f = (const late *)unit;
  return f->first[0] == f->n[0] && f->first[1] == f->n[1] && !f->asked[0] && !f->asked[1];
}
static const wf_miss_ops late_ops = {.request = late_request, .fill_line = late_fill};
static const wf_unit_class late_class = {.name = "late",
                                         .claims = WF_CLAIM_L1,
                                         .destroy = on_destroy,
                                         .tick = late_tick,
                                         .idle = late_idle,
                                         .misses = &late_ops};

static void run_late(const char *const settings[][2], late *f, wf_error *err) {
  f->unit.cls = &late_class;
  f->gpu = machine(settings);
  run_on(f->gpu, &f->unit, err);
}

static void a_unit_that_answers_later_may_refuse_more(void **state) {
  (void)state;
  for (unsigned m = 0; m <= OF_SECTORS; m++) {
    wf_error err = {0};
    late *f = calloc(1, sizeof *f);
    run_late(m ? of_sectors[m - 1] : machines[0], f, &err);
    if (err.code) fail_msg("%s", err.text);
    assert_true(f->refused > 100 && f->n[0] > 1000);
    free(f);
  }
}

static void the_book_finds_what_is_wrong_later(void **state) {
  static const char *const says[] = {
      [KNOWN_WRONG] = "the line of this cycle is new", [KNOWN_NEVER] = "was not told",
      [TOLD_WRONG] = "the load that waited is",        [TOLD_NOT_LAST] = "its line's last",
      [TOLD_NEVER] = "the load that waited is",        [TOLD_TWICE] = "no line is here",
      [ANSWERS_AT_ONCE] = "a request is answered"};
  (void)state;
  for (late_lie l = KNOWN_WRONG; l <= ANSWERS_AT_ONCE; l++) {
    wf_error err = {0};
    late *f = calloc(1, sizeof *f);
    f->lie = l;
    run_late(machines[0], f, &err);
    assert_int_equal(err.code, WF_EXIT_WRONG);
    if (!strstr(err.text, says[l])) fail_msg("%d: %s", l, err.text);
    free(f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(while_it_is_right_nothing_changes),
                                     cmocka_unit_test(the_book_finds_what_is_wrong),
                                     cmocka_unit_test(sectors_are_told_with_their_lines_last),
                                     cmocka_unit_test(a_unit_that_answers_later_may_refuse_more),
                                     cmocka_unit_test(the_book_finds_what_is_wrong_later),
                                     cmocka_unit_test(machines_it_does_not_know)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
