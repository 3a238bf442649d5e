/* A unit that hears both levels of caches and decides at the L2's slices, played by the test: what
 * it hears is one story of each way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_ring.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"

/* Each thread walks an array of words by steps that differ, loads, adds to some by an atomic, and
 * stores some. */
#define KERNEL                                                                                     \
  ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"         \
  ".reg .pred %p<9>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"                                      \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                            \
  "mad.lo.u32 %r1, %r2, %r3, %r4;\nld.param.u64 %rd1, [out];\nmov.u32 %r5, 0;\nmov.u32 %r6, "      \
  "%r1;\n"                                                                                         \
  "LOOP:\nmad.lo.u32 %r6, %r6, 1664525, 1013904223;\nshr.u32 %r7, %r6, 15;\n"                      \
  "mul.wide.u32 %rd2, %r7, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r8, [%rd3];\n"            \
  "and.b32 %r9, %r6, 0x1f0000;\nsetp.eq.u32 %p1, %r9, 0;\n@!%p1 bra NOATOM;\n"                     \
  "atom.global.add.u32 %r10, [%rd3], 1;\nNOATOM:\nsetp.eq.u32 %p2, %r9, 65536;\n"                  \
  "@!%p2 bra NOSTORE;\nst.global.u32 [%rd3], %r8;\nNOSTORE:\nadd.u32 %r5, %r5, 1;\n"               \
  "setp.lt.u32 %p3, %r5, 24;\n@%p3 bra LOOP;\nret;\n}\n"

enum { MOST = 1 << 16, QUESTIONS = 64, DELAY = 2 };

typedef struct fake {
  wf_unit unit;
  bool judges;
  /* [level][cache][set][way]: line + 1 */
  uint32_t story[WF_CACHE_LEVELS][MOST];
  uint64_t n[WF_CACHE_LEVELS][3], hits[WF_CACHE_LEVELS], atomics, past;
  struct {
    unsigned slice, wait;
    bool past;
  } asked[QUESTIONS];
  wf_ring ring;
} fake;

static uint32_t *at_way(fake *f, const wf_cache_event *e) {
  const unsigned i = (e->at * 128u + e->set) * 16u + e->way;
  assert_true(e->set < 128 && e->way < 16 && i < MOST);
  return &f->story[e->level][i];
}

static void on_event(wf_unit *unit, const wf_cache_event *e) {
  fake *f = (fake *)unit;
  f->n[e->level][e->what]++;
  if (e->what == WF_CACHE_LOOK) {
    f->hits[e->level] += e->hit;
    f->atomics += e->keep;
    assert_true(e->pc > 0 && e->sectors);
    if (e->hit && e->way != WF_CACHE_NO_WAY && !e->coming)
      assert_int_equal(*at_way(f, e), e->line + 1);
    return;
  }
  uint32_t *way = at_way(f, e);
  if (e->what == WF_CACHE_FILL) {
    assert_true(*way == 0 || *way == e->line + 1);
    *way = e->line + 1;
  } else {
    assert_true(*way == 0 || *way == e->line + 1); /* 0: was still on its way */
    *way = 0;
  }
}

static bool on_ask(wf_unit *unit, const wf_cache_event *e) {
  fake *f = (fake *)unit;
  if (e->way != WF_CACHE_NO_WAY || e->coming) return false;
  const unsigned at = wf_ring_push(&f->ring, QUESTIONS);
  f->asked[at].slice = e->at;
  f->asked[at].wait = DELAY;
  f->asked[at].past = e->line & 1;
  return true;
}

static bool on_answer(wf_unit *unit, unsigned slice, wf_slice_answer *to) {
  fake *f = (fake *)unit;
  if (!f->ring.count || f->asked[f->ring.head].slice != slice) return false;
  if (f->asked[f->ring.head].wait-- > 1) return false;
  to->past = f->asked[wf_ring_pop(&f->ring, QUESTIONS)].past;
  f->past += to->past;
  return true;
}

static bool on_listens(const wf_unit *unit, unsigned level) {
  (void)unit, (void)level;
  return true;
}
static bool on_judges(const wf_unit *unit) {
  return ((const fake *)unit)->judges;
}
static void on_kernel(wf_unit *unit, const ptx_kernel *kernel) {
  (void)kernel;
  memset(((fake *)unit)->story[WF_CACHE_L1], 0, sizeof((fake *)unit)->story[WF_CACHE_L1]);
}
static void on_destroy(wf_unit *unit) {
  (void)unit;
}
static const wf_cache_ops ops = {.listens = on_listens,
                                 .event = on_event,
                                 .judges = on_judges,
                                 .ask = on_ask,
                                 .answer = on_answer,
                                 .kernel_start = on_kernel};
static const wf_unit_class cls = {
    .name = "fake", .claims = WF_CLAIM_SLICE, .destroy = on_destroy, .caches = &ops};

/* Runs the kernel with the settings; *cycles. */
static fake *run(const char *const settings[][2], bool judges, bool seated, uint64_t *cycles) {
  fake *f = calloc(1, sizeof *f);
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "fermi16", &err));
  for (unsigned i = 0; settings[i][0]; i++)
    assert_true(wf_gpu_config_set(&config, settings[i][0], settings[i][1], &err));
  config.n_sm = 2;
  config.mem.l2_bytes = 96 * 2 * 128;
  config.mem.l2_ways = 2;
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu) fail_msg("%s", err.text);
  *f = (fake){.unit.cls = &cls, .judges = judges};
  if (seated && !wf_gpu_seat_unit(gpu, &f->unit, &err)) fail_msg("%s", err.text);
  if (!wf_gpu_load_ptx(gpu, "test", KERNEL, strlen(KERNEL), &err)) fail_msg("%s", err.text);
  uint64_t out = wf_gpu_alloc(gpu, 1 << 20, "out", &err);
  const wf_launch_args args = {
      .kernel = "k", .grid = {8, 1, 1}, .block = {128, 1, 1}, .params = {&out}, .n_params = 1};
  if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  *cycles = gpu->cycle;
  wf_gpu_destroy(gpu);
  return f;
}

static const char *const machines[][8][2] = {
    {{NULL, NULL}},
    {{"l1.sectored", "1"}, {NULL, NULL}},
    {{"l1.allocate", "fill"}, {"l1.victim_lines", "8"}, {NULL, NULL}},
    {{"l1.write_keep", "1"}, {"l1.sectored", "1"}, {NULL, NULL}},
    {{"l2.write", "evict"}, {"l2.fill", "line"}, {NULL, NULL}},
};
enum { MACHINES = sizeof machines / sizeof *machines };

static void what_it_hears_is_one_story(void **state) {
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    uint64_t cycles, alone;
    fake *f = run(machines[m], false, true, &cycles);
    for (unsigned level = 0; level < WF_CACHE_LEVELS; level++)
      for (unsigned what = 0; what < 3; what++) assert_true(f->n[level][what] > 100);
    assert_true(f->hits[WF_CACHE_L1] > 100 && f->hits[WF_CACHE_L2] > 100 && f->atomics > 10);
    free(f);
    free(run(machines[m], false, false, &alone));
    assert_int_equal(cycles, alone); /* who only hears changes nothing */
  }
}

static void it_decides_at_the_slices(void **state) {
  (void)state;
  for (unsigned m = 0; m < MACHINES; m++) {
    uint64_t cycles;
    fake *f = run(machines[m], true, true, &cycles);
    assert_true(f->past > 100);
    free(f);
  }
}

static void it_does_not_go_with_exclusion(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config config;
  wf_options none = {0};
  assert_true(wf_gpu_config_load(&config, "fermi16", &err));
  config.mem.l2_exclusive = 1;
  wf_gpu *gpu = wf_gpu_create(&config, &none, NULL, 0, 1, &err);
  fake *f = calloc(1, sizeof *f);
  *f = (fake){.unit.cls = &cls, .judges = true};
  assert_false(wf_gpu_seat_unit(gpu, &f->unit, &err));
  assert_non_null(strstr(err.text, "l2.exclusive"));
  wf_gpu_destroy(gpu);
  free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_it_hears_is_one_story),
      cmocka_unit_test(it_decides_at_the_slices),
      cmocka_unit_test(it_does_not_go_with_exclusion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
