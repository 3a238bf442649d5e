/* Policies that a unit beside the L1 is compared with: static warp limit, tokens (PCAL), adaptive
 * bypassing, protection distance, bypassing on stalls; and the second built-in configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/l1.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"

/* ---- the L1 alone: line numbers 0, 1024, 2048 .. fall into sets by their hash; same() finds lines
 * of one set ---- */
typedef struct bench {
  wf_gpu_config config;
  wf_l1_counters counters;
  wf_l1 *l1;
} bench;

static void open_l1(bench *b, const char *key, const char *value) {
  wf_error err = {0};
  memset(b, 0, sizeof *b);
  assert_true(wf_gpu_config_load(&b->config, "gtx480", &err));
  if (key && !wf_gpu_config_set(&b->config, key, value, &err)) fail_msg("%s", err.text);
  b->l1 = wf_l1_create(&b->config, &b->counters);
}

/* The n-th line of set 0. */
static uint32_t same(const bench *b, unsigned n) {
  for (uint32_t line = 0;; line++)
    if (wf_l1_set(b->l1, line) == 0 && n-- == 0) return line;
}

/* Asks, and fills at once. */
static wf_l1_result ask(bench *b, uint32_t line, uint8_t slot, bool may_allocate) {
  wf_l1_fetch fetch;
  unsigned n;
  const wf_l1_request r = {
      .line = line, .slot = slot, .may_allocate = may_allocate, .can_send = true};
  wf_l1_result result = wf_l1_load(b->l1, &r, &fetch);
  if (result == WF_L1_MISS) wf_l1_fill(b->l1, fetch.mshr, fetch.sectors, &n);
  return result;
}

static void plain_lru(void **state) {
  (void)state;
  bench b;
  open_l1(&b, NULL, NULL);
  for (unsigned n = 0; n < 4; n++) assert_int_equal(ask(&b, same(&b, n), 0, true), WF_L1_MISS);
  assert_int_equal(ask(&b, same(&b, 0), 0, true), WF_L1_HIT);
  assert_int_equal(ask(&b, same(&b, 4), 0, true), WF_L1_MISS); /* evicts line 1 */
  assert_int_equal(ask(&b, same(&b, 0), 0, true), WF_L1_HIT);
  assert_int_equal(ask(&b, same(&b, 1), 0, true), WF_L1_MISS);
  wf_l1_destroy(b.l1);
}

static void without_token(void **state) {
  (void)state;
  bench b;
  open_l1(&b, NULL, NULL);
  assert_int_equal(ask(&b, 7, 0, false), WF_L1_PAST);
  assert_int_equal(ask(&b, 7, 0, true), WF_L1_MISS);
  assert_int_equal(ask(&b, 7, 0, false), WF_L1_HIT); /* it may use what others brought */
  wf_l1_destroy(b.l1);
}

/* Distance 8: a line stays for 8 accesses of its set since its last, then may be evicted. */
static void protection_distance(void **state) {
  (void)state;
  bench b;
  open_l1(&b, "l1.pd", "8");
  for (unsigned n = 0; n < 4; n++)
    assert_int_equal(ask(&b, same(&b, n), 0, true), WF_L1_MISS); /* accesses 0 .. 3 */
  for (unsigned n = 4; n < 8; n++)
    assert_int_equal(ask(&b, same(&b, n), 0, true), WF_L1_PAST); /* 4 .. 7 */
  assert_int_equal(ask(&b, same(&b, 1), 0, true), WF_L1_HIT);    /* 8: stays longer */
  assert_int_equal(ask(&b, same(&b, 9), 0, true), WF_L1_MISS);   /* 9: line 0 is due */
  assert_int_equal(ask(&b, same(&b, 1), 0, true), WF_L1_HIT);    /* 10 */
  assert_int_equal(ask(&b, same(&b, 10), 0, true), WF_L1_MISS);  /* 11: lines 2 and 3 are due */
  assert_int_equal(ask(&b, same(&b, 11), 0, true), WF_L1_MISS);
  assert_int_equal(ask(&b, same(&b, 12), 0, true), WF_L1_PAST);
  assert_int_equal(ask(&b, same(&b, 1), 0, true), WF_L1_HIT);
  wf_l1_destroy(b.l1);
}

/* Load 3 streams, load 5 reuses: the former learns to go past, the latter does not; a line that
 * went past and is asked for again corrects it. */
static void adaptive_bypassing(void **state) {
  (void)state;
  bench b;
  open_l1(&b, "l1.abyp", "1");
  wf_abyp_l2 *l2 = wf_abyp_l2_create(6144);
  wf_l1_share_abyp(b.l1, l2);
  unsigned past = 0;
  uint32_t line = 100000;
  for (unsigned i = 0; i < 2000; i++) past += ask(&b, line++, 3, true) == WF_L1_PAST;
  assert_in_range(past, 1700, 1900); /* 128 lines fill the L1, eight more have to leave unused */
  for (unsigned i = 0; i < 2000; i++)
    assert_int_not_equal(ask(&b, 5 * (i / 8), 5, true), WF_L1_PAST);
  uint32_t again = line;
  assert_int_equal(ask(&b, again, 3, true), WF_L1_PAST);
  for (unsigned i = 0; i < 16; i++) past = (unsigned)ask(&b, again, 3, true);
  assert_int_equal(past, WF_L1_HIT); /* after corrections it is brought, and found */
  wf_l1_destroy(b.l1);
  wf_abyp_l2_destroy(l2);
}

static void bypass_on_stall(void **state) {
  (void)state;
  for (int on = 0; on < 2; on++) {
    bench b;
    wf_l1_fetch fetch;
    open_l1(&b, "l1.bypass_stalls", on ? "1" : "0");
    wf_l1_request r = {.may_allocate = true, .can_send = true};
    for (unsigned n = 0; n < 4; n++) {
      r.line = same(&b, n);
      assert_int_equal(wf_l1_load(b.l1, &r, &fetch), WF_L1_MISS);
    }
    r.line = same(&b, 4); /* every way waits for its fill */
    assert_int_equal(wf_l1_load(b.l1, &r, &fetch), on ? WF_L1_PAST : WF_L1_STALL);
    r.line = same(&b, 0);
    for (unsigned n = 1; n < b.config.l1_mshr_merge; n++)
      assert_int_equal(wf_l1_load(b.l1, &r, &fetch), WF_L1_MERGED);
    assert_int_equal(wf_l1_load(b.l1, &r, &fetch), on ? WF_L1_PAST : WF_L1_STALL);
    r.can_send = false;
    assert_int_equal(wf_l1_load(b.l1, &r, &fetch), WF_L1_STALL);
    wf_l1_destroy(b.l1);
  }
}

/* ---- in the GPU ---- */

/* Every thread reads the clock, works, reads it again: how many warps overlap? */
static const char overlap[] = HEAD
    ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 8;\nadd.u64 %rd1, "
    "%rd1, %rd2;\n"
    "mov.u32 %r2, %clock;\nmov.u32 %r4, 100;\nLOOP:\nsub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, "
    "0;\n@%p1 bra LOOP;\n"
    "mov.u32 %r3, %clock;\nst.global.u32 [%rd1], %r2;\nst.global.u32 [%rd1+4], %r3;\nret;\n}\n";

static unsigned most_at_once(const char *limit, const char *text, size_t bytes) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options none = {0};
  static uint32_t times[1024][2];
  assert_true(wf_gpu_config_load(&config, "gtx480", &err) &&
              wf_gpu_config_set(&config, "core.swl", limit, &err));
  wf_gpu *gpu = wf_gpu_create(&config, &none, NULL, 0, 1, &err);
  if (!gpu || !wf_gpu_load_ptx(gpu, "t", text, bytes, &err)) fail_msg("%s", err.text);
  uint64_t p = wf_gpu_alloc(gpu, sizeof times, "p", &err);
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {1024, 1, 1}, .params = {&p}, .n_params = 1};
  if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  assert_true(wf_gpu_read(gpu, times, p, sizeof times, &err));
  wf_gpu_destroy(gpu);
  unsigned most = 0;
  for (unsigned w = 0; w < 32; w++) {
    unsigned n = 0;
    for (unsigned v = 0; v < 32; v++)
      n += times[32 * v][0] <= times[32 * w][0] && times[32 * w][0] < times[32 * v][1];
    if (n > most) most = n;
  }
  return most;
}

static void warp_limit(void **state) {
  (void)state;
  assert_true(most_at_once("0", overlap, sizeof overlap - 1) > 24);
  assert_int_equal(most_at_once("3", overlap, sizeof overlap - 1),
                   6); /* of each of two schedulers */
  assert_int_equal(most_at_once("1", overlap, sizeof overlap - 1), 2);
}

/* Warps that wait at a barrier do not count: or else none would come to it. */
static void warp_limit_and_barrier(void **state) {
  (void)state;
  char text[sizeof overlap + 32];
  const char *at = strstr(overlap, "mov.u32 %r2, %clock");
  snprintf(text, sizeof text, "%.*sbar.sync 0;\n%s", (int)(at - overlap), overlap, at);
  assert_int_equal(most_at_once("1", text, strlen(text)), 2);
}

/* A warp reads the same line twice, the second time when the first is done: lines 9 and 12. */
static const char twice[] =
    HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
         "ld.param.u64 %rd1, [p];\n"
         "ld.global.u32 %r1, [%rd1];\ncvt.u64.u32 %rd2, %r1;\nadd.u64 %rd2, %rd1, %rd2;\n"
         "ld.global.u32 %r2, [%rd2];\nst.global.u32 [%rd2], %r2;\nret;\n}\n";

/* False and *err if the launch is refused. */
static bool hinted(const char *option, wf_l1_counters *counters, wf_error *err) {
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, "gtx480", err) &&
              (!option || wf_options_add(&options, option, err)));
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, err);
  if (!gpu || !wf_gpu_load_ptx(gpu, "t", twice, sizeof twice - 1, err)) fail_msg("%s", err->text);
  uint64_t p = wf_gpu_alloc(gpu, 128, "p", err);
  const wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = {&p}, .n_params = 1};
  const bool ok = wf_gpu_launch(gpu, &args, err);
  *counters = *wf_gpu_l1_counters(gpu);
  wf_gpu_destroy(gpu);
  wf_options_free(&options);
  return ok;
}

static void hints(void **state) {
  static const struct {
    const char *option;
    unsigned hits, misses, past;
  } cases[] = {{NULL, 1, 1, 0},
               {"ptx.cg=k:9", 0, 1, 1},
               {"ptx.cg=k:9+12", 0, 0, 2},
               {"ptx.cg=k:12", 0, 1, 1},
               {"ptx.cg=all", 0, 0, 2},
               {"ptx.no_allocate=k:9", 0, 1, 1},
               {"ptx.no_allocate=k:12", 1, 1, 0},
               {"ptx.no_allocate=k:9,k:12", 0, 0, 2}};
  static const char *const wrong[] = {"ptx.cg=k:10", "ptx.cg=k:9+", "ptx.cg=k",
                                      "ptx.cg=k:x",  "ptx.cg=l:9",  "ptx.cg=k:9;12"};
  wf_l1_counters n;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    wf_error err = {0};
    if (!hinted(cases[i].option, &n, &err)) fail_msg("%s", err.text);
    if (n.hits != cases[i].hits || n.misses != cases[i].misses || n.bypasses != cases[i].past)
      fail_msg("%s: %llu hits, %llu misses, %llu past", cases[i].option ? cases[i].option : "none",
               (unsigned long long)n.hits, (unsigned long long)n.misses,
               (unsigned long long)n.bypasses);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    wf_error err = {0};
    assert_false(hinted(wrong[i], &n, &err));
    assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
    assert_non_null(strstr(err.text, i == 0   ? "no load of global memory"
                                     : i == 4 ? "kernel"
                                              : "="));
  }
}

static void second_machine(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config c;
  if (!wf_gpu_config_load(&c, "gtx780", &err) || !wf_gpu_config_check(&c, &err))
    fail_msg("%s", err.text);
  assert_int_equal(c.n_sm, 16);
  assert_int_equal(c.warps_per_sm, 64);
  assert_int_equal(c.ctas_per_sm, 16);
  assert_int_equal(c.schedulers, 4);
  assert_int_equal(c.registers_per_sm * 4, 256 * 1024);
  assert_int_equal(c.l1_bytes, 16384);
  assert_int_equal(c.l1_mshrs, 64);
  assert_int_equal(c.mem.core_mhz, 876);
  assert_int_equal(c.mem.n_part * c.mem.l2_bytes, 1536 * 1024);
  assert_int_equal(c.mem.l2_ways, 16);
  assert_int_equal(c.mem.dram_mhz, 1750);
  assert_int_equal(c.mem.n_part * c.mem.dram_bus_bytes * 8, 384);
  assert_int_equal(c.swl + c.l1_tokens + c.l1_abyp + c.l1_pd + c.l1_bypass_stalls, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_lru),           cmocka_unit_test(without_token),
      cmocka_unit_test(protection_distance), cmocka_unit_test(adaptive_bypassing),
      cmocka_unit_test(bypass_on_stall),     cmocka_unit_test(hints),
      cmocka_unit_test(warp_limit),          cmocka_unit_test(warp_limit_and_barrier),
      cmocka_unit_test(second_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
