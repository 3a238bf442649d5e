/* A unit where instructions issue, played by the test: it has a load injected into a spare register
 * and a move put in a later load's place. What the fabric must notice of a unit that is wrong: the
 * value, lanes, a prefetch under way, the load's type, an address that comes back otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/issue_unit.h"
#include "sim/gpu/sm_clock.h"
#include "sim/ptx/code.h"

/* Out of `in`, 0 to 2047: two words 64 lines apart are added. %rd5 comes late. */
static const char kernel[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry k(.param .u64 in)\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [in];\nmul.wide.u32 %rd2, %r1, 4;\n"
    "add.u64 %rd2, %rd1, %rd2;\nld.global.u64 %rd5, [%rd1+8192];\n"
    "ld.global.nc.u32 %r2, [%rd2];\nadd.u32 %r3, %r2, 1;\n"
    "ld.global.nc.u32 %r4, [%rd2+4096];\nadd.u32 %r4, %r4, %r3;\n"
    "st.global.u32 [%rd2+65536], %r4;\nst.global.u64 [%rd1+131072], %rd5;\nret;\n}\n";
enum { APART = 4096, OUT = 65536, LANES = 32, MAX_INSTS = 64 };

typedef enum fault {
  NONE,
  WRONG_WORD,   /* another address */
  FEW_LANES,    /* lane 0 is left out */
  EARLY,        /* the move goes while the load is on its way */
  WRONG_TYPE,   /* of the injected load */
  OTHER_BACK,   /* a kept address comes back otherwise */
  NONE_BACK,    /* it is said to be no address */
  FROM_NOWHERE, /* one comes back that never went in */
  FAULTS
} fault;

typedef struct fake {
  wf_unit unit;
  wf_gpu *gpu;
  wf_issue_counters counters;
  wf_issue_wires wires;
  fault fault;
  bool over; /* the address goes to the unit with its instruction, and comes back with the offer */
  bool asks[MAX_INSTS], told, answered, came;
  bool nowhere;        /* the injected load's address is none */
  bool late, waited;   /* its base is %rd5, which was still to come with the answer */
  uint64_t deaf_until; /* cycle */
  bool refuses;        /* the first instruction that is offered, once */
  bool sleeps;         /* and keeps its warp back for some cycles after that */
  uint64_t refused_at, next_at, goes_at;
  wf_issue_told load;
  wf_issue_answer answer;
  wf_issue_addresses kept;
  unsigned loads, ends;
} fake;

static wf_issue_settings on_settings(const wf_unit *u) {
  (void)u;
  return (wf_issue_settings){.cycles = 1};
}
static const bool *on_kernel(wf_unit *u, const ptx_kernel *k, unsigned spare) {
  fake *f = (fake *)u;
  assert_true(spare >= 1 && k->n_insts < MAX_INSTS);
  for (ptx_pc pc = 0; pc < k->n_insts; pc++)
    f->asks[pc] = k->insts[pc].space == PTX_SPACE_GLOBAL_NC;
  return f->asks;
}
static void on_warp_end(wf_unit *u, unsigned sm, unsigned warp) {
  (void)sm, (void)warp;
  ((fake *)u)->ends++;
}
static void on_tell(wf_unit *u, const wf_issue_told *t) {
  fake *f = (fake *)u;
  if (!f->asks[t->pc]) return;
  f->load = *t;
  f->told = true;
}
/* Nothing of warp 0 may go. */
static void hold(fake *f, bool on) {
  wf_sm *sm = &f->gpu->sms[0];
  f->wires.now.hold = on;
  f->wires.chosen = f->wires.now;
  wf_issue_answered(sm, 0, NULL, wf_sm_now(sm));
}
static bool on_takes(wf_unit *u, unsigned sm, unsigned warp, ptx_pc pc) {
  fake *f = (fake *)u;
  const uint64_t now = wf_sm_now(&f->gpu->sms[sm]);
  (void)warp, (void)pc;
  if (f->refuses && !f->refused_at) {
    f->refused_at = now;
    f->goes_at = now + 20;
    if (f->sleeps) hold(f, true);
    return false;
  }
  if (f->refused_at && !f->next_at) f->next_at = now;
  return true;
}
static const wf_issue_wires *on_wires(const wf_unit *u, unsigned sm) {
  (void)sm;
  return &((const fake *)u)->wires;
}

static uint16_t base_of(const fake *f) {
  const ptx_inst *inst = &f->load.arch->launch->kernel->insts[f->load.pc];
  return (uint16_t)(f->late ? inst[-1].code->dst[0].reg : inst->code->src[0].reg);
}

static bool base_is_to_come(const fake *f, unsigned warp) {
  const unsigned base = base_of(f);
  return f->gpu->sms[0].warps[warp].pending[base / 64] >> base % 64 & 1;
}

/* The first load has issued: the one that is injected for it is offered. */
static void on_issues(wf_unit *u, unsigned sm, unsigned warp, unsigned type,
                      const wf_issue_addresses *base) {
  fake *f = (fake *)u;
  (void)sm;
  f->wires.now.go = f->wires.now.moves = 0;
  f->wires.chosen = f->wires.now;
  if (f->loads++) return;
  assert_false(base_is_to_come(f, warp));
  assert_true(!base == !f->over);
  if (base) f->kept = *base;
  f->wires.now.waits = (uint64_t)1 << warp;
  f->wires.chosen = f->wires.now;
  f->wires.offered = true;
  f->wires.offer = (wf_issue_offer){.sum = f->over || f->fault == FROM_NOWHERE,
                                    .reg_v = true,
                                    .base_v = !f->over && f->fault != FROM_NOWHERE,
                                    .base = base_of(f),
                                    .warp = (uint8_t)warp,
                                    .type = (uint8_t)(type ^ (f->fault == WRONG_TYPE)),
                                    .offset = APART + 4 * (f->fault == WRONG_WORD),
                                    .mask = f->answer.mask,
                                    .address = f->kept};
  if (f->nowhere) f->wires.offer.offset = INT32_MIN;
  if (f->fault == OTHER_BACK) f->wires.offer.address.lane[3] += 4;
  if (f->fault == NONE_BACK) f->wires.offer.address.none = true;
}
static void on_takes_offer(wf_unit *u, unsigned sm) {
  fake *f = (fake *)u;
  (void)sm;
  f->wires.offered = false;
  f->wires.now.waits = 0;
  f->wires.chosen = f->wires.now;
}
static bool on_sum(wf_unit *u, unsigned sm, unsigned place, const wf_issue_addresses *made) {
  (void)u, (void)sm, (void)place, (void)made;
  fail_msg("no multiply-add was offered");
  return false;
}
static void on_done(wf_unit *u, unsigned sm, unsigned warp, unsigned reg, bool failed) {
  fake *f = (fake *)u;
  (void)sm, (void)warp;
  assert_int_equal(reg, 0);
  assert_int_equal(failed, f->nowhere);
  if (f->deaf_until) assert_int_equal(f->gpu->sms[0].live_loads, 1); /* all others are long back */
  assert_true(wf_sm_now(&f->gpu->sms[0]) >= f->deaf_until);
  f->came = true;
}
static wf_issue_counters *on_counters(wf_unit *u) {
  return &((fake *)u)->counters;
}

/* The first load is answered with a load for the second, the second with a move. */
static void answer(fake *f) {
  const bool second = f->loads;
  wf_sm *sm = &f->gpu->sms[0];
  f->told = false;
  f->answered = true;
  f->waited |= !second && base_is_to_come(f, f->load.warp);
  f->answer = second ? (wf_issue_answer){.move = !f->nowhere}
                     : (wf_issue_answer){.inject = true,
                                         .reg_v = true,
                                         .base_v = !f->over,
                                         .over = f->over,
                                         .base = base_of(f),
                                         .mask = f->load.mask & ~(f->fault == FEW_LANES ? 1u : 0)};
  wf_issue_answered(sm, f->load.warp, &f->answer, wf_sm_now(sm));
}

static bool on_tick(wf_unit *u, wf_error *err) {
  fake *f = (fake *)u;
  wf_sm *sm = &f->gpu->sms[0];
  (void)err;
  if (f->wires.now.hold && wf_sm_now(sm) == f->goes_at) hold(f, false);
  if (f->told) answer(f);
  f->wires.done_ready = wf_sm_now(sm) >= f->deaf_until;
  if (f->wires.offered) wf_issue_answered(sm, f->load.warp, NULL, wf_sm_now(sm));
  if (!f->answered || (f->answer.move && !f->came && f->fault != EARLY)) return true;
  f->answered = false;
  f->wires.now.go = (uint64_t)1 << f->load.warp;
  f->wires.now.moves = f->answer.move ? f->wires.now.go : 0;
  f->wires.chosen = f->wires.now;
  wf_issue_answered(sm, f->load.warp, NULL, wf_sm_now(sm));
  return true;
}
static bool on_idle(const wf_unit *u) {
  const fake *f = (const fake *)u;
  return !f->told && !f->answered && !f->wires.offered && !f->wires.now.hold &&
         (f->came || !f->deaf_until);
}
static void on_destroy(wf_unit *u) {
  (void)u;
}

static const wf_issue_ops ops = {on_settings, on_kernel, on_warp_end, on_tell,
                                 on_takes,    on_wires,  on_issues,   on_takes_offer,
                                 on_sum,      on_done,   on_counters};
static const wf_unit_class cls = {.name = "fake",
                                  .claims = WF_CLAIM_ISSUE,
                                  .destroy = on_destroy,
                                  .tick = on_tick,
                                  .idle = on_idle,
                                  .issue_stage = &ops};

/* One block of a warp; its result is looked at if it ends well. */
static bool run(fake *f, wf_error *err) {
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", err));
  config.n_sm = 1;
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, err);
  assert_non_null(gpu);
  f->unit.cls = &cls;
  f->gpu = gpu;
  f->wires.load_ready = true;
  f->wires.done_ready = !f->deaf_until;
  if (!wf_gpu_seat_unit(gpu, &f->unit, err)) fail_msg("%s", err->text);
  if (!wf_gpu_load_ptx(gpu, "test", kernel, strlen(kernel), err)) fail_msg("%s", err->text);
  uint64_t in = wf_gpu_alloc(gpu, 1 << 20, "in", err);
  for (uint32_t i = 0; i < 2048; i++) wf_gpu_write(gpu, in + 4 * i, &i, 4, err);
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = {&in}, .n_params = 1};
  const bool ok = wf_gpu_launch(gpu, &args, err);
  for (uint32_t i = 0, got; ok && i < LANES; i++) {
    assert_true(wf_gpu_read(gpu, &got, in + OUT + 4 * i, 4, NULL));
    assert_int_equal(got, i + 1 + i + APART / 4);
  }
  wf_gpu_destroy(gpu);
  return ok;
}

static void a_move_takes_a_loads_place(void **state) {
  (void)state;
  for (unsigned over = 0; over < 2; over++) {
    fake f = {.over = over};
    wf_error err = {0};
    if (!run(&f, &err)) fail_msg("%s", err.text);
    assert_int_equal(f.counters.replaced, 1);
    assert_int_equal(f.counters.replaced_lanes, LANES);
    assert_int_equal(f.counters.injected, 1);
    assert_int_equal(f.counters.useless, 0);
    assert_int_equal(f.ends, 1);
  }
}

/* Until the unit hears of it: that it is free then, and once, the kernel's end looks at. */
static void an_injected_load_keeps_its_place(void **state) {
  (void)state;
  for (unsigned nowhere = 0; nowhere < 2; nowhere++) {
    fake f = {.nowhere = nowhere, .deaf_until = 20000};
    wf_error err = {0};
    if (!run(&f, &err)) fail_msg("%s", err.text);
    assert_true(f.came);
    assert_int_equal(f.counters.faults, nowhere);
    assert_int_equal(f.counters.replaced, !nowhere);
  }
}

/* A load waits for the base of what is injected with it: 0, which is no address. */
static void a_load_waits_for_the_other_loads_base(void **state) {
  (void)state;
  fake f = {.late = true, .nowhere = true};
  wf_error err = {0};
  if (!run(&f, &err)) fail_msg("%s", err.text);
  assert_true(f.waited);
  assert_int_equal(f.counters.faults, 1);
}

/* What was chosen behind it was not offered either: it is offered again two turns later. */
static void who_is_refused_loses_the_next_turn(void **state) {
  (void)state;
  fake f = {.refuses = true};
  wf_error err = {0};
  if (!run(&f, &err)) fail_msg("%s", err.text);
  assert_int_equal(f.next_at, f.refused_at + 2);
  assert_int_equal(f.counters.replaced, 1);
}

/* Though its SM has nothing to issue in that turn, which it sleeps over. */
static void the_next_turn_is_lost_asleep(void **state) {
  (void)state;
  fake f = {.refuses = true, .sleeps = true};
  wf_error err = {0};
  if (!run(&f, &err)) fail_msg("%s", err.text);
  assert_int_equal(f.next_at, f.goes_at);
  assert_int_equal(f.counters.replaced, 1);
}

static void faults(void **state) {
  (void)state;
  static const struct {
    bool over;
    const char *text;
  } of[FAULTS] = {[WRONG_WORD] = {false, "a move brings 0x401 into lane 0, the load 0x400"},
                  [FEW_LANES] = {false, "in lane 0, for which nothing was prefetched"},
                  [EARLY] = {false, "a move from a register whose prefetch is under way"},
                  [WRONG_TYPE] = {false, "of type"},
                  [OTHER_BACK] = {true, "of lane 3, "},
                  [NONE_BACK] = {true, "has no address, and should not"},
                  [FROM_NOWHERE] = {false, "place 0 brings back an address, none went in"}};
  for (fault i = WRONG_WORD; i < FAULTS; i++) {
    fake f = {.fault = i, .over = of[i].over};
    wf_error err = {0};
    if (run(&f, &err)) fail_msg("fault %d is not noticed", i);
    if (!strstr(err.text, of[i].text)) fail_msg("expected '%s' in: %s", of[i].text, err.text);
    assert_int_equal(err.code, WF_EXIT_WRONG);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_move_takes_a_loads_place),
      cmocka_unit_test(an_injected_load_keeps_its_place),
      cmocka_unit_test(a_load_waits_for_the_other_loads_base),
      cmocka_unit_test(who_is_refused_loses_the_next_turn),
      cmocka_unit_test(the_next_turn_is_lost_asleep),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
