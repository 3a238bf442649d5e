/* Launches by threads: every block of every launched grid runs once; calls take their time; what
 * cannot be is told or refused; the dispatcher's order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/wf_rng.h"
#include "sim/gpu/dispatch.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/launch.h"
#include "sim/gpu/launch_pool.h"

#define HEAD ".version 3.2\n.target sm_35\n.address_size 64\n"
#define REGS ".reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>;\n"
/* Each thread of the child adds 1 to out[base + its number]. */
#define CHILD                                                                                      \
  ".visible .entry child(.param .u64 out, .param .u32 base)\n{\n" REGS                             \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\nmad.lo.u32 %r1, %r2, %r3, "  \
  "%r4;\n"                                                                                         \
  "ld.param.u64 %rd1, [out]; ld.param.u32 %r5, [base]; add.u32 %r1, %r1, %r5;\n"                   \
  "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2; red.global.add.u32 [%rd2], 1; ret; }\n"
/* %r1: the thread's number, %rd1: out; %rd2: out + 4 * number. Threads from `many` on leave. */
#define PARENT                                                                                     \
  ".visible .entry parent(.param .u64 out, .param .u32 many)\n{\n" REGS                            \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\nmad.lo.u32 %r1, %r2, %r3, "  \
  "%r4;\n"                                                                                         \
  "ld.param.u64 %rd1, [out]; ld.param.u32 %r5, [many]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, "  \
  "%rd1, %rd2;\n"                                                                                  \
  "setp.ge.u32 %p1, %r1, %r5; @%p1 ret;\n"
#define BUFFER(BYTES)                                                                              \
  "{ .param .b64 a; st.param.b64 [a], 8; .param .b64 b; st.param.b64 [b], " BYTES                  \
  "; .param .b64 q;\n"                                                                             \
  "call.uni (q), cudaGetParameterBuffer, (a, b); ld.param.b64 %rd3, [q]; }\n"
/* Thread t launches t % 3 + 1 blocks of 32 at base 96 t. */
#define FILL                                                                                       \
  "mul.lo.u32 %r6, %r1, 96; st.u64 [%rd3], %rd1; st.u32 [%rd3+8], %r6; rem.u32 %r7, %r1, 3; "      \
  "add.u32 %r7, %r7, 1;\n"

typedef struct bench {
  wf_gpu *gpu;
  uint64_t out;
  wf_error err;
} bench;

static bench open_gpu(const char *config_name, const char *const *settings, const char *ptx,
                      unsigned words) {
  bench b = {0};
  wf_gpu_config config;
  wf_options options = {0};
  assert_true(wf_gpu_config_load(&config, config_name, &b.err));
  for (; settings && *settings; settings++) {
    wf_options one = {0};
    assert_true(wf_options_add(&one, *settings, &b.err));
    if (!wf_gpu_config_has(one.items[0].key))
      wf_options_put(&options, one.items[0].key, one.items[0].value);
    else if (!wf_gpu_config_set(&config, one.items[0].key, one.items[0].value, &b.err))
      fail_msg("%s", b.err.text);
    wf_options_free(&one);
  }
  b.gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &b.err);
  if (!b.gpu) fail_msg("%s", b.err.text);
  wf_options_free(&options);
  if (!wf_gpu_load_ptx(b.gpu, "test", ptx, strlen(ptx), &b.err)) fail_msg("%s", b.err.text);
  b.out = wf_gpu_alloc(b.gpu, 4ull * words, "out", &b.err);
  assert_true(b.out && wf_gpu_fill(b.gpu, b.out, 0, 4ull * words, &b.err));
  return b;
}

static bool launch(bench *b, uint32_t grid, uint32_t block, uint32_t many) {
  const wf_launch_args args = {.kernel = "parent",
                               .grid = {grid, 1, 1},
                               .block = {block, 1, 1},
                               .params = {&b->out, &many},
                               .n_params = 2};
  return wf_gpu_launch(b->gpu, &args, &b->err);
}

static const char kernels[] =
    HEAD PARENT BUFFER("16") FILL "cuda.stream.create %rd4; cuda.launch.device %r8, child, %rd3, "
                                  "{%r7, 1, 1}, {32, 1, 1}, 0; ret; }\n" CHILD;
static const char groups[] = HEAD PARENT BUFFER("16") FILL
    "cuda.launch.group %r8, child, %rd3, {%r7, 1, 1}, {32, 1, 1}, 0; ret; }\n" CHILD;

enum { THREADS = 300, WORDS = 96 * THREADS };

/* What every parent thread's launch left behind: each of its threads once. */
static void assert_each_once(bench *b) {
  static uint32_t out[WORDS];
  assert_true(wf_gpu_read(b->gpu, out, b->out, sizeof out, &b->err));
  for (uint32_t i = 0; i < WORDS; i++)
    if (out[i] != (i % 96 < (i / 96 % 3 + 1) * 32)) fail_msg("word %u: %u", i, out[i]);
}

static uint64_t run_all(const char *config, const char *const *settings, const char *ptx,
                        wf_launch_counters *c) {
  bench b = open_gpu(config, settings, ptx, WORDS);
  if (!launch(&b, 3, 128, THREADS)) fail_msg("%s", b.err.text);
  assert_each_once(&b);
  *c = *wf_gpu_launch_counters(b.gpu);
  const uint64_t cycles = wf_gpu_cycles(b.gpu);
  wf_gpu_destroy(b.gpu);
  return cycles;
}

static void every_block_once(void **state) {
  (void)state;
  static const char *const none[] = {NULL}, *const ideal[] = {"launch.ideal=1", NULL},
                           *const narrow[] = {"launch.kernels=2", "launch.ways=0", NULL},
                           *const two[] = {"launch.ways=2", NULL},
                           *const free_ways[] = {"launch.ways=0", NULL},
                           *const slow[] = {"sim.skip=0", NULL};
  wf_launch_counters c;
  const uint64_t plain = run_all("k20c", none, kernels, &c);
  assert_int_equal(c.kernels, THREADS);
  assert_int_equal(c.started, THREADS);
  assert_int_equal(c.blocks, 2 * THREADS);
  assert_int_equal(c.threads, 64 * THREADS);
  assert_true(c.peak_pending > 32 && c.peak_pending <= THREADS &&
              c.peak_bytes == (64 + 64) * c.peak_pending);
  assert_int_equal(run_all("k20c", slow, kernels, &c), plain);
  assert_true(run_all("k20c", ideal, kernels, &c) + 20000 < plain);
  assert_true(run_all("gtx480", none, kernels, &c) + 20000 < plain);
  assert_true(plain > THREADS * 283); /* one dispatch after the other */
  const uint64_t with_two = run_all("k20c", two, kernels, &c);
  assert_true(with_two > THREADS * 283 / 2 && with_two < plain - THREADS * 283 / 4);
  const uint64_t with_all = run_all("k20c", free_ways, kernels, &c);
  assert_true(with_all < with_two - THREADS * 283 / 4);
  assert_true(run_all("k20c", narrow, kernels, &c) > with_all + 10000);
  assert_int_equal(c.started, THREADS);
}

static void groups_join(void **state) {
  (void)state;
  static const char *const none[] = {NULL}, *const slow[] = {"sim.skip=0", NULL},
                           *const ideal[] = {"launch.ideal=1", NULL};
  wf_launch_counters c, k;
  const uint64_t with_kernels = run_all("k20c", none, kernels, &k),
                 plain = run_all("k20c", none, groups, &c);
  assert_int_equal(c.groups, THREADS);
  assert_int_equal(c.kernels, 0);
  assert_true(c.groups_refused >= 1 && c.groups_refused < THREADS); /* the first found no kernel */
  assert_true(plain + 10000 < with_kernels && c.waiting_cycles < k.waiting_cycles);
  assert_int_equal(run_all("k20c", slow, groups, &c), plain);
  assert_true(run_all("k20c", ideal, groups, &c) < plain);
}

/* Cycles between two readings of the clock around each call, written by lane 0. */
static void calls_take_their_time(void **state) {
  (void)state;
  static const char timed[] = HEAD PARENT "mov.u64 %rd10, %clock64;\n" BUFFER(
      "16") "mov.u64 %rd11, %clock64;\n" FILL "cuda.stream.create %rd4;\nmov.u64 %rd12, %clock64;\n"
            "cuda.launch.device %r8, child, %rd3, {%r7, 1, 1}, {32, 1, 1}, 0;\nmov.u64 %rd13, "
            "%clock64;\n"
            "setp.ne.u32 %p2, %r1, 0; @%p2 ret;\nsub.u64 %rd14, %rd11, %rd10; sub.u64 %rd15, "
            "%rd13, %rd12;\n"
            "cvt.u32.u64 %r9, %rd14; cvt.u32.u64 %r10, %rd15; add.u64 %rd16, %rd1, 40000;\n"
            "st.global.u32 [%rd16], %r9; st.global.u32 [%rd16+4], %r10; ret; }\n" CHILD;
  static const uint32_t lanes[] = {1, 5, 32};
  for (unsigned i = 0; i < 3; i++) {
    uint32_t cycles[2];
    bench b = open_gpu("k20c", NULL, timed, 20000);
    if (!launch(&b, 1, 32, lanes[i])) fail_msg("%s", b.err.text);
    assert_true(wf_gpu_read(b.gpu, cycles, b.out + 40000, sizeof cycles, &b.err));
    /* The reading before may be followed by a cycle of waiting for the pipeline. */
    const uint32_t buffer = 8023 + 129 * lanes[i], device = 12187 + 1592 * lanes[i];
    if (cycles[0] < buffer || cycles[0] > buffer + 12 || cycles[1] < device ||
        cycles[1] > device + 12)
      fail_msg("%u lanes: %u and %u cycles", lanes[i], cycles[0], cycles[1]);
    /* The warp's scheduler had nothing else to do. */
    const uint64_t *stalls = wf_gpu_sm_counters(b.gpu)->stalls;
    assert_true(stalls[WF_STALL_LAUNCH] >= buffer + device && !stalls[WF_STALL_UNIT]);
    wf_gpu_destroy(b.gpu);
  }
}

static void refused_launches(void **state) {
  (void)state;
#define LAUNCH(BEFORE, GRID, BLOCK, SHARED)                                                        \
  HEAD PARENT BUFFER("16") FILL BEFORE "cuda.launch.device %r8, child, %rd3, " GRID ", " BLOCK     \
                                       ", " SHARED "; ret; }\n" CHILD
  static const struct {
    const char *ptx, *says;
  } bad[] = {
      {LAUNCH("", "{0, 1, 1}", "{32, 1, 1}", "0"), "grid of 0x1x1 blocks of 32x1x1"},
      {LAUNCH("", "{1, 1, 1}", "{32, 0, 1}", "0"), "blocks of 32x0x1"},
      {LAUNCH("", "{1, 1, 1}", "{1025, 1, 1}", "0"), "at most 1024"},
      {LAUNCH("", "{1, 1, 1}", "{512, 4, 1}", "0"), "block of 2048 threads"},
      {LAUNCH("", "{1, 65536, 1}", "{1, 1, 1}", "0"), "a grid's at most 2147483647, 65535, 65535"},
      {LAUNCH("", "{-1, 1, 1}", "{1, 1, 1}", "0"), "a grid's at most 2147483647, 65535, 65535"},
      {HEAD PARENT BUFFER("16") FILL
       "cuda.launch.group %r8, small, %rd3, {1, 1, 1}, {65, 1, 1}, 0; ret; }\n"
       ".entry small(.param .u64 a) .maxntid 64, 1, 1 { ret; }\n",
       "small: 65 threads a block, its .maxntid is 64"},
      {LAUNCH("", "{1, 1, 1}", "{32, 1, 1}", "49153"), "shared memory, an SM has 49152"},
      {LAUNCH("", "{1, 1, 1}", "{32, 1, 1}", "-1"), "shared memory, an SM has 49152"},
      {LAUNCH("add.u64 %rd3, %rd3, 8;", "{1, 1, 1}", "{32, 1, 1}", "0"), "no parameter buffer"},
      {LAUNCH("mov.u64 %rd3, 0;", "{1, 1, 1}", "{32, 1, 1}", "0"), "0x0 is no parameter buffer"},
      {LAUNCH("cuda.launch.device %r8, child, %rd3, {1,1,1}, {32,1,1}, 0;", "{1, 1, 1}",
              "{32, 1, 1}", "0"),
       "one launched before"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    bench b = open_gpu("k20c", NULL, bad[i].ptx, WORDS);
    assert_false(launch(&b, 1, 32, 3));
    assert_int_equal(b.err.code, WF_EXIT_WRONG);
    if (!strstr(b.err.text, bad[i].says) ||
        !strstr(b.err.text, "kernel parent, CTA (0, 0, 0), warp 0, lane 0"))
      fail_msg("%s", b.err.text);
    wf_gpu_destroy(b.gpu);
  }
  wf_error err = {0};
  bench b = open_gpu("k20c", NULL, HEAD CHILD, 1);
  static const char unknown[] =
      HEAD PARENT "cuda.launch.group %r8, nobody, %rd3, {1,1,1}, {1,1,1}, 0; ret; }\n" CHILD;
  assert_false(wf_gpu_load_ptx(b.gpu, "test", unknown, strlen(unknown), &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "launch of an unknown kernel"));
  wf_gpu_destroy(b.gpu);
}

/* out[t]: 1000 + the code that the launch returned, or 7 where there was no buffer. */
static void limits(void **state) {
  (void)state;
  static const char asks[] =
      HEAD PARENT "mov.u32 %r9, 7; mov.u64 %rd20, %rd2; add.u64 %rd1, %rd1, 4096;\n" BUFFER(
          "16") "setp.eq.u64 %p3, %rd3, 0; @%p3 bra END;\n" FILL
                "cuda.launch.device %r8, child, %rd3, {1, 1, 1}, {32, 1, 1}, 0; add.u32 %r9, %r8, "
                "1000;\n"
                "END:\nst.global.u32 [%rd20], %r9; ret; }\n" CHILD;
  static const char *const small[] = {"launch.pool_kib=1", NULL}, *const few[] = {
                                                                      "launch.pending=5", NULL};
  for (unsigned i = 0; i < 2; i++) {
    uint32_t out[32], launched = 0;
    bench b = open_gpu("k20c", i ? few : small, asks, 8192);
    for (unsigned again = 0; again < 2; again++) { /* buffers are there again for the next kernel */
      if (!launch(&b, 1, 32, 32)) fail_msg("%s", b.err.text);
      assert_true(wf_gpu_read(b.gpu, out, b.out, sizeof out, &b.err));
      launched = 0;
      for (unsigned t = 0; t < 32; t++) {
        assert_true(out[t] == 1000 || out[t] == (i ? 1069 : 7));
        launched += out[t] == 1000;
      }
      assert_int_equal(launched, i ? 5 : 16); /* 1 KiB in pieces of 64 bytes */
    }
    const wf_launch_counters *c = wf_gpu_launch_counters(b.gpu);
    assert_int_equal(c->kernels, 2 * launched);
    assert_int_equal(i ? c->over_limit : c->no_buffer, 2 * (32 - launched));
    wf_gpu_destroy(b.gpu);
  }
}

/* What follows one kernel at a time is refused beside kernels that launch. */
static void one_kernel_at_a_time(void **state) {
  (void)state;
  static const char *const probe[] = {"probe.locality=1", NULL};
  bench b = open_gpu("k20c", probe, groups, WORDS);
  assert_false(launch(&b, 1, 32, 1));
  assert_int_equal(b.err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(b.err.text, "not with probe.locality"));
  wf_gpu_destroy(b.gpu);
}

/* A child that launches itself, 3 deep, from the host's kernel of the same code: its groups join
 * it. */
static void a_kernel_joins_itself(void **state) {
  (void)state;
  static const char itself[] =
      HEAD ".visible .entry parent(.param .u64 out, .param .u32 many)\n{\n" REGS
           "ld.param.u64 %rd1, [out]; ld.param.u32 %r5, [many]; mul.wide.u32 %rd2, %r5, 4; add.u64 "
           "%rd2, %rd1, %rd2;\n"
           "red.global.add.u32 [%rd2], 1; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r5, 0; @%p1 ret;\n"
           "setp.ge.u32 %p2, %r1, 2; @%p2 ret;\n" BUFFER(
               "16") "sub.u32 %r6, %r5, 1; st.u64 [%rd3], %rd1; st.u32 [%rd3+8], %r6;\n"
                     "cuda.launch.group %r8, parent, %rd3, {1, 1, 1}, {32, 1, 1}, 0; ret; }\n";
  bench b = open_gpu("k20c", NULL, itself, 16);
  uint32_t out[4];
  if (!launch(&b, 1, 32, 3)) fail_msg("%s", b.err.text);
  assert_true(wf_gpu_read(b.gpu, out, b.out, sizeof out, &b.err));
  for (uint32_t level = 0; level < 4; level++) assert_int_equal(out[level], 32u << (3 - level));
  const wf_launch_counters *c = wf_gpu_launch_counters(b.gpu);
  assert_int_equal(c->groups, 2 + 4 + 8);
  assert_int_equal(c->groups_refused, 0);
  wf_gpu_destroy(b.gpu);
}

/* ---- a unit in the dispatcher's place ---- */

/* The GPU's own dispatcher behind one that is slow: it takes and answers only in some cycles, tells
 * of ends later. */
typedef struct slow_unit {
  wf_unit unit;
  wf_dispatcher *own;
  wf_rng rng;
  unsigned done[512], n_done;
  uint32_t taken[512], n_taken; /* kernels, in their order */
  unsigned from[512];           /* the SMs that launched them */
  uint64_t asked, placed;
} slow_unit;

static bool now_and_then(slow_unit *u) {
  return wf_rng_below(&u->rng, 4) == 0;
}
static unsigned slow_free(const void *self) {
  return wf_dispatcher_ops.free_kernels(((const slow_unit *)self)->own);
}
static bool slow_kernel(void *self, const wf_grid *g) {
  slow_unit *u = self;
  const bool taken = now_and_then(u) && wf_dispatcher_ops.kernel(u->own, g);
  if (taken && u->n_taken < 512) {
    u->from[u->n_taken] = g->sm;
    u->taken[u->n_taken++] = g->id;
  }
  return taken;
}
static bool slow_group(void *self, const wf_grid *g) {
  slow_unit *u = self;
  return now_and_then(u) && wf_dispatcher_ops.group(u->own, g);
}
static bool slow_refused(void *self, uint32_t *id) {
  slow_unit *u = self;
  return now_and_then(u) && wf_dispatcher_ops.refused(u->own, id);
}
static bool slow_place(void *self, wf_placement *p) {
  slow_unit *u = self;
  u->asked++;
  const bool placed = now_and_then(u) && wf_dispatcher_ops.place(u->own, p);
  u->placed += placed;
  return placed;
}
static bool slow_may_place(const void *self) {
  return wf_dispatcher_ops.may_place(((const slow_unit *)self)->own);
}
static void slow_done(void *self, unsigned sm, unsigned slot) {
  slow_unit *u = self;
  assert_true(u->n_done < 512);
  u->done[u->n_done++] = sm * 32 + slot;
}
static size_t slow_describe(const void *self, char *text, size_t bytes) {
  return wf_dispatcher_ops.describe(((const slow_unit *)self)->own, text, bytes);
}
static bool slow_tick(wf_unit *unit, wf_error *err) {
  slow_unit *u = (slow_unit *)unit;
  (void)err;
  if (!u->n_done || !now_and_then(u)) return true;
  const unsigned first = u->done[0];
  wf_dispatcher_ops.block_done(u->own, first / 32, first % 32);
  memmove(u->done, u->done + 1, --u->n_done * sizeof *u->done);
  return true;
}
static bool slow_idle(const wf_unit *unit) {
  return ((const slow_unit *)unit)->n_done == 0;
}

/* Kernels with an odd number wait in a higher queue of the KMU. */
static unsigned slow_queue(const void *self, const wf_grid *g) {
  (void)self;
  return g->id % 2 ? WF_KMU_QUEUES - 1 : 0;
}

#define SLOW_OPS                                                                                   \
  .free_kernels = slow_free, .kernel = slow_kernel, .group = slow_group, .refused = slow_refused,  \
  .place = slow_place, .may_place = slow_may_place, .block_done = slow_done,                       \
  .describe = slow_describe
static const wf_dispatch_ops slow_ops = {SLOW_OPS}, ranked_ops = {SLOW_OPS, .queue = slow_queue};
static const wf_unit_class slow_class = {
    .name = "slow", .dispatch = &slow_ops, .tick = slow_tick, .idle = slow_idle};
static const wf_unit_class ranked_class = {
    .name = "slow", .dispatch = &ranked_ops, .tick = slow_tick, .idle = slow_idle};

static slow_unit seat(bench *b, const wf_unit_class *cls, uint64_t seed) {
  slow_unit u = {.unit = {.cls = cls}, .own = wf_dispatcher_create(&b->gpu->config)};
  wf_rng_seed(&u.rng, seed);
  return u;
}

/* As if the unit had been named when the GPU was made. */
static void run_with(bench *b, slow_unit *u) {
  wf_launcher_destroy(b->gpu->launcher);
  assert_true(wf_gpu_seat_unit(b->gpu, &u->unit, &b->err));
  b->gpu->launcher = wf_launcher_create(b->gpu);
  if (!launch(b, 3, 128, THREADS)) fail_msg("%s", b->err.text);
  assert_each_once(b);
}

static void unseat(bench *b, slow_unit *u) {
  b->gpu->n_units = 0;
  wf_dispatcher_destroy(u->own);
  wf_gpu_destroy(b->gpu);
}

static void unit_in_its_place(void **state) {
  (void)state;
  static const char *const both[] = {kernels, groups};
  for (unsigned i = 0; i < 2; i++) {
    bench b = open_gpu("k20c", NULL, both[i], WORDS);
    slow_unit u = seat(&b, &slow_class, i);
    run_with(&b, &u);
    const wf_launch_counters *c = wf_gpu_launch_counters(b.gpu);
    assert_int_equal(c->started, THREADS);
    assert_true(u.placed == 3 + 2 * THREADS && u.asked > 2 * u.placed && u.n_done == 0);
    assert_int_equal(slow_free(&u), 32);
    unseat(&b, &u);
  }
}

/* Mean place of kernels with even and odd numbers in the order in which the unit gets them. */
static void places(const slow_unit *u, double mean[2]) {
  unsigned n[2] = {0};
  mean[0] = mean[1] = 0;
  for (unsigned i = 0; i < u->n_taken; i++) {
    mean[u->taken[i] % 2] += i;
    n[u->taken[i] % 2]++;
  }
  for (unsigned odd = 0; odd < 2; odd++) mean[odd] /= n[odd];
}

/* While kernels wait, the higher queue goes first; without queues they come as they were launched.
 */
static void ranked_kernels(void **state) {
  (void)state;
  static const wf_unit_class *const classes[] = {&slow_class, &ranked_class};
  for (unsigned ranked = 0; ranked < 2; ranked++) {
    bench b = open_gpu("k20c", NULL, kernels, WORDS);
    slow_unit u = seat(&b, classes[ranked], 7);
    run_with(&b, &u);
    double mean[2];
    places(&u, mean);
    assert_int_equal(u.n_taken, 1 + THREADS);
    if (ranked) assert_true(mean[1] + THREADS / 4.0 < mean[0]);
    for (unsigned i = 1; !ranked && i < u.n_taken; i++) assert_true(u.taken[i - 1] < u.taken[i]);
    unseat(&b, &u);
  }
}

/* In order of launches many of an SM come one behind the other; with SMs in turn few do, and of
 * each SM they come as they were launched. */
static void kernels_of_sms_in_turn(void **state) {
  (void)state;
  static const char *const in_turn[] = {"launch.kmu=sms", NULL};
  for (unsigned turns = 0; turns < 2; turns++) {
    bench b = open_gpu("k20c", turns ? in_turn : NULL, kernels, WORDS);
    slow_unit u = seat(&b, &slow_class, 7);
    run_with(&b, &u);
    unsigned same = 0;
    uint32_t last[64] = {0};
    assert_int_equal(u.n_taken, 1 + THREADS);
    for (unsigned i = 1; i < u.n_taken; i++) {
      same += i > 1 && u.from[i] == u.from[i - 1];
      assert_true(u.taken[i] > last[u.from[i]]);
      last[u.from[i]] = u.taken[i];
    }
    if (turns)
      assert_true(same < THREADS / 8);
    else
      assert_true(same > THREADS / 2);
    unseat(&b, &u);
  }
}

/* ---- the dispatcher by itself ---- */

static wf_grid make_grid(uint32_t id, const ptx_kernel *k, uint32_t blocks, uint32_t warps) {
  return (wf_grid){.id = id,
                   .kernel = k,
                   .blocks = {blocks, 1, 1},
                   .threads = {32 * warps, 1, 1},
                   .warps = warps,
                   .registers = 1024 * warps};
}

/* First come, first served; blocks go round the SMs; groups after the kernel's own; none overtakes.
 */
static void dispatch_order(void **state) {
  (void)state;
  wf_gpu_config config;
  wf_error err = {0};
  assert_true(wf_gpu_config_load(&config, "k20c", &err));
  config.n_sm = 3;
  config.ctas_per_sm = 2;
  wf_dispatcher *d = wf_dispatcher_create(&config);
  const wf_dispatch_ops *ops = &wf_dispatcher_ops;
  static const ptx_kernel kernel_a, kernel_b;
  const wf_grid a = make_grid(1, &kernel_a, 4, 1), b = make_grid(2, &kernel_b, 2, 64),
                group = make_grid(3, &kernel_a, 2, 1), stranger = make_grid(4, &kernel_a, 1, 2);
  assert_int_equal(ops->free_kernels(d), 32);
  assert_true(ops->kernel(d, &a) && ops->kernel(d, &b) && ops->group(d, &group) &&
              ops->group(d, &stranger));
  uint32_t id;
  assert_true(ops->refused(d, &id));
  assert_int_equal(id, 4); /* its blocks are larger */
  assert_false(ops->refused(d, &id));
  static const unsigned order[][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 0},
                                      {1, 0, 1}, {3, 1, 1}, {3, 2, 1}};
  wf_placement p;
  for (unsigned i = 0; i < 6; i++) {
    assert_true(ops->may_place(d) && ops->place(d, &p));
    assert_true(p.id == order[i][0] && p.sm == order[i][1] && p.slot == order[i][2]);
    assert_int_equal(p.block[0], i < 4 ? i : i - 4);
  }
  /* b needs a whole SM. */
  assert_false(ops->may_place(d) || ops->place(d, &p));
  ops->block_done(d, 2, 0);
  assert_false(ops->place(d, &p));
  ops->block_done(d, 2, 1);
  assert_true(ops->place(d, &p) && p.id == 2 && p.sm == 2 && p.slot == 0);
  assert_false(ops->place(d, &p));
  for (unsigned s = 0; s < 2; s++)
    for (unsigned slot = 0; slot < 2; slot++) ops->block_done(d, s, slot);
  assert_int_equal(ops->free_kernels(d), 31); /* a and its group are over */
  assert_true(ops->place(d, &p) && p.id == 2 && p.sm == 0 && p.block[0] == 1);
  ops->block_done(d, 0, 0);
  ops->block_done(d, 2, 0);
  assert_int_equal(ops->free_kernels(d), 32);
  wf_dispatcher_destroy(d);
}

/* Each of the four resources alone keeps a second block off an SM of its own. */
static void dispatch_room(void **state) {
  (void)state;
  static const struct {
    unsigned warps, registers, shared_bytes, slots;
  } needs[] = {{33, 1, 1, 16}, {1, 32769, 1, 16}, {1, 1, 24577, 16}, {1, 1, 1, 1}};
  for (size_t i = 0; i < 4; i++) {
    wf_gpu_config config;
    wf_error err = {0};
    assert_true(wf_gpu_config_load(&config, "k20c", &err));
    config.n_sm = 1;
    config.ctas_per_sm = needs[i].slots;
    wf_dispatcher *d = wf_dispatcher_create(&config);
    const wf_dispatch_ops *ops = &wf_dispatcher_ops;
    static const ptx_kernel k;
    wf_grid g = make_grid(0, &k, 3, 1);
    g.warps = needs[i].warps;
    g.registers = needs[i].registers;
    g.shared_bytes = needs[i].shared_bytes;
    wf_placement p;
    assert_true(ops->kernel(d, &g));
    for (unsigned block = 0; block < 3; block++) {
      assert_true(ops->place(d, &p) && p.block[0] == block);
      assert_false(ops->place(d, &p));
      ops->block_done(d, 0, 0);
    }
    assert_int_equal(ops->free_kernels(d), 32);
    /* A group of the same block but other shared memory is none of it. */
    assert_true(ops->kernel(d, &g));
    g.shared_bytes++;
    uint32_t id;
    assert_true(ops->group(d, &g) && ops->refused(d, &id));
    wf_dispatcher_destroy(d);
  }
}

static void pool_of_buffers(void **state) {
  (void)state;
  wf_launch_pool *p = wf_launch_pool_create(0x10000, 1024);
  uint64_t at[16];
  for (unsigned i = 0; i < 16; i++) {
    at[i] = wf_launch_pool_take(p, 48, 100 + i);
    assert_int_equal(at[i], 0x10010 + 64 * i);
    assert_int_equal(wf_launch_pool_bytes(p, at[i]), 48);
    assert_int_equal(wf_launch_pool_since(p, at[i]), 100 + i);
  }
  assert_int_equal(wf_launch_pool_take(p, 1, 0), 0);
  assert_int_equal(wf_launch_pool_bytes(p, at[3] + 16), 0);
  assert_int_equal(wf_launch_pool_bytes(p, 0), 0);
  wf_launch_pool_launch(p, at[3]);
  assert_int_equal(wf_launch_pool_bytes(p, at[3]), 0);
  wf_launch_pool_give(p, at[3]);
  wf_launch_pool_give(p, at[7]);
  wf_launch_pool_give(p, at[7]); /* no buffer any more: nothing happens */
  assert_int_equal(wf_launch_pool_take(p, 48, 0), at[7]);
  assert_int_equal(wf_launch_pool_take(p, 48, 0), at[3]);
  assert_int_equal(wf_launch_pool_bytes(p, at[3]), 48);
  assert_int_equal(wf_launch_pool_take(p, 48, 0), 0);
  wf_launch_pool_reset(p);
  assert_int_equal(wf_launch_pool_bytes(p, at[0]), 0);
  assert_int_equal(wf_launch_pool_take(p, 1009, 0), 0); /* with what lies below it: too many */
  assert_int_equal(wf_launch_pool_take(p, 1008, 0), 0x10010);
  assert_int_equal(wf_launch_pool_take(p, 0, 0), 0);
  assert_int_equal(wf_launch_pool_take(p, 5000, 0), 0);
  wf_launch_pool_destroy(p);
}

/* A thread that asks again and again, one buffer at a time: they come back while the kernel runs.
 */
static void buffers_come_back(void **state) {
  (void)state;
  static const char again[] = HEAD PARENT "mov.u32 %r20, 0;\nLOOP:\n" BUFFER(
      "16") "setp.eq.u64 %p3, %rd3, 0; @%p3 bra LOOP;\n"
            "st.u64 [%rd3], %rd1; mov.u32 %r6, 0; st.u32 [%rd3+8], %r6;\n"
            "cuda.launch.group %r8, child, %rd3, {1, 1, 1}, {1, 1, 1}, 0; add.u32 %r20, %r20, 1;\n"
            "setp.lt.u32 %p4, %r20, 100; @%p4 bra LOOP; ret; }\n" CHILD;
  static const char *const small[] = {"launch.pool_kib=1", NULL};
  bench b = open_gpu("k20c", small, again, 64);
  uint32_t out;
  if (!launch(&b, 1, 1, 1)) fail_msg("%s", b.err.text);
  assert_true(wf_gpu_read(b.gpu, &out, b.out, sizeof out, &b.err));
  assert_int_equal(out, 100);
  wf_gpu_destroy(b.gpu);
}

/* Random grids and ends: every block once, its SM with room, in the order of the rule. */
static void dispatch_random(void **state) {
  (void)state;
  enum { KERNELS = 3, GRIDS = 400, RUNNING = 13 * 16 };
  static const ptx_kernel k[KERNELS];
  static uint32_t left[GRIDS], next[GRIDS];
  struct {
    unsigned sm, slot, grid;
  } running[RUNNING];
  wf_gpu_config config;
  wf_error err = {0};
  wf_rng rng;
  wf_rng_seed(&rng, 7);
  assert_true(wf_gpu_config_load(&config, "k20c", &err));
  wf_dispatcher *d = wf_dispatcher_create(&config);
  const wf_dispatch_ops *ops = &wf_dispatcher_ops;
  unsigned made = 0, n = 0, warps[13] = {0};
  uint64_t blocks = 0, placed = 0;
  for (unsigned cycle = 0; cycle < 60000 && (made < GRIDS || placed < blocks || n); cycle++) {
    if (made < GRIDS && wf_rng_below(&rng, 4) == 0) {
      const unsigned which = (unsigned)wf_rng_below(&rng, KERNELS);
      const wf_grid g =
          make_grid(made, &k[which], 1 + (uint32_t)wf_rng_below(&rng, 40), 1 + 7 * which);
      const bool group = wf_rng_below(&rng, 2);
      uint32_t id;
      if (group ? ops->group(d, &g) : ops->kernel(d, &g)) {
        left[made] = g.blocks[0];
        if (ops->refused(d, &id) && !ops->kernel(d, &g))
          continue; /* given up: the number is free again */
        blocks += g.blocks[0];
        made++;
      }
    }
    wf_placement p;
    if (ops->place(d, &p)) {
      assert_true(p.id < made && left[p.id] && p.block[0] == next[p.id]++ && n < RUNNING);
      left[p.id]--;
      placed++;
      running[n].sm = p.sm;
      running[n].slot = p.slot;
      running[n++].grid = p.id;
      for (unsigned i = 0; i + 1 < n; i++)
        assert_false(running[i].sm == p.sm && running[i].slot == p.slot);
      assert_true(p.slot < config.ctas_per_sm && ++warps[p.sm] <= 16);
    }
    if (n && wf_rng_below(&rng, 3)) {
      const unsigned i = (unsigned)wf_rng_below(&rng, n);
      ops->block_done(d, running[i].sm, running[i].slot);
      warps[running[i].sm]--;
      running[i] = running[--n];
    }
  }
  assert_int_equal(made, GRIDS);
  assert_true(placed == blocks && n == 0);
  assert_int_equal(ops->free_kernels(d), 32);
  wf_dispatcher_destroy(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_block_once),
      cmocka_unit_test(groups_join),
      cmocka_unit_test(calls_take_their_time),
      cmocka_unit_test(refused_launches),
      cmocka_unit_test(limits),
      cmocka_unit_test(a_kernel_joins_itself),
      cmocka_unit_test(dispatch_order),
      cmocka_unit_test(dispatch_random),
      cmocka_unit_test(dispatch_room),
      cmocka_unit_test(pool_of_buffers),
      cmocka_unit_test(buffers_come_back),
      cmocka_unit_test(unit_in_its_place),
      cmocka_unit_test(ranked_kernels),
      cmocka_unit_test(kernels_of_sms_in_turn),
      cmocka_unit_test(one_kernel_at_a_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
