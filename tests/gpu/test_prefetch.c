/* Prefetchers beside the L1 (rivals to prefetching into spare registers): what they foretell, how
 * their lines are accounted for, what they do in the GPU; and the machine that they are compared
 * on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/l1.h"
#include "sim/mem/prefetch.h"

/* ---- the prefetchers alone ---- */
typedef struct bench {
  wf_prefetcher *p;
  uint64_t dropped;
} bench;

static void open_bench(bench *b, wf_prefetch_kind kind) {
  b->dropped = 0;
  b->p = wf_prefetcher_create(&(wf_prefetch_settings){.kind = kind}, &b->dropped);
}

static void miss(bench *b, uint32_t warp, uint32_t pc, uint32_t line) {
  wf_prefetcher_train(b->p,
                      &(wf_prefetch_access){.line = line, .pc = pc, .warp = warp, .miss = true});
}

static void hit(bench *b, uint32_t warp, uint32_t pc, uint32_t line) {
  wf_prefetcher_train(b->p, &(wf_prefetch_access){.line = line, .pc = pc, .warp = warp});
}

static void expect_line(bench *b, uint32_t expected) {
  uint32_t line = 0;
  assert_true(wf_prefetcher_next(b->p, &line));
  assert_int_equal(line, expected);
  wf_prefetcher_pop(b->p);
}

static void expect_nothing(const bench *b) {
  uint32_t line;
  assert_false(wf_prefetcher_next(b->p, &line));
}

static void stride_by_warp_and_load(void **state) {
  (void)state;
  bench b;
  open_bench(&b, WF_PREFETCH_STRIDE);
  miss(&b, 1, 7, 1000);
  miss(&b, 1, 7, 1003);
  expect_nothing(&b);   /* one stride is none */
  miss(&b, 2, 7, 1001); /* another warp, another load: entries of their own */
  miss(&b, 1, 8, 1002);
  hit(&b, 1, 7, 1006); /* hits train, too */
  expect_line(&b, 1009);
  miss(&b, 1, 7, 1006); /* the same line again changes nothing */
  expect_nothing(&b);
  miss(&b, 1, 7, 1009);
  expect_line(&b, 1012);
  miss(&b, 1, 7, 1011); /* another stride: to be confirmed */
  expect_nothing(&b);
  miss(&b, 1, 7, 1013);
  expect_line(&b, 1015);
  miss(&b, 3, 7, 2000); /* down */
  miss(&b, 3, 7, 1990);
  miss(&b, 3, 7, 1980);
  expect_line(&b, 1970);
  miss(&b, 4, 7, 511); /* the region ends at line 511: 512 is another entry */
  miss(&b, 4, 7, 512);
  miss(&b, 4, 7, 513);
  expect_nothing(&b);
  wf_prefetcher_destroy(b.p);
}

/* 1024 entries: 3000 warps' worth of strides do not fit. */
static void the_stride_table_is_finite(void **state) {
  (void)state;
  bench b;
  unsigned told = 0;
  uint32_t line;
  open_bench(&b, WF_PREFETCH_STRIDE);
  for (uint32_t step = 0; step < 3; step++)
    for (uint32_t w = 0; w < 3000; w++) {
      miss(&b, w, 5, 100 + 2 * step);
      while (wf_prefetcher_next(b.p, &line)) wf_prefetcher_pop(b.p), told++;
    }
  assert_in_range(told, 0, 1023);
  told = 0;
  for (uint32_t step = 0; step < 3; step++)
    for (uint32_t w = 0; w < 500; w++) {
      miss(&b, 10000 + w, 5, 100 + 2 * step);
      while (wf_prefetcher_next(b.p, &line)) wf_prefetcher_pop(b.p), told++;
    }
  assert_in_range(told, 400, 500);
  wf_prefetcher_clear(b.p);
  miss(&b, 10000, 5, 106);
  expect_nothing(&b);
  wf_prefetcher_destroy(b.p);
}

static void streams(void **state) {
  (void)state;
  bench b;
  open_bench(&b, WF_PREFETCH_STREAM);
  hit(&b, 1, 0, 100); /* only a miss begins one */
  hit(&b, 1, 0, 101);
  hit(&b, 1, 0, 102);
  expect_nothing(&b);
  miss(&b, 1, 0, 200);
  miss(&b, 1, 0, 203);
  expect_nothing(&b);
  hit(&b, 1, 0, 205); /* the second step upwards confirms */
  expect_line(&b, 206);
  expect_line(&b, 207);
  expect_nothing(&b); /* two an access */
  hit(&b, 1, 0, 204); /* against the direction */
  expect_nothing(&b);
  for (uint32_t i = 0; i < 4; i++)
    hit(&b, 1, 0, 206 + (i > 2)); /* no further than eight lines ahead */
  for (uint32_t line = 208; line <= 211; line++) expect_line(&b, line);
  expect_nothing(&b);
  miss(&b, 2, 0, 212); /* another warp */
  expect_nothing(&b);
  miss(&b, 1, 0, 240); /* outside the window: a new stream */
  miss(&b, 1, 0, 238);
  miss(&b, 1, 0, 236);
  expect_line(&b, 235);
  expect_line(&b, 234);
  wf_prefetcher_destroy(b.p);
}

static void ghb_repeats_deltas(void **state) {
  (void)state;
  bench b;
  open_bench(&b, WF_PREFETCH_GHB);
  static const uint32_t deltas[] = {1, 3, 2, 1, 3};
  uint32_t line = 32 * 50; /* a zone begins */
  miss(&b, 0, 0, line);
  for (unsigned i = 0; i < 4; i++) miss(&b, 0, 0, line += deltas[i]);
  hit(&b, 0, 0, line + 1); /* hits are no history */
  expect_nothing(&b);
  miss(&b, 9, 3, line += deltas[4]); /* 1, 3 again, whatever warp: after them came 2, 1, 3 */
  expect_line(&b, line + 2);
  expect_line(&b, line + 3);
  expect_line(&b, line + 6);
  expect_line(&b, line + 8); /* and so on */
  expect_nothing(&b);
  wf_prefetcher_destroy(b.p);
}

static void ghb_forgets(void **state) {
  (void)state;
  for (unsigned between = 0; between < 2; between++) {
    bench b;
    open_bench(&b, WF_PREFETCH_GHB);
    uint32_t line = 32 * 50;
    static const uint32_t deltas[] = {1, 3, 2, 1, 3};
    miss(&b, 0, 0, line);
    for (unsigned i = 0; i < 4; i++) miss(&b, 0, 0, line += deltas[i]);
    /* 1024 misses later, or a zone that takes the place in the index. */
    if (!between)
      for (uint32_t i = 0; i < 1024; i++)
        miss(&b, 0, 0, 32 * (1000 + i * 128) + 32 * 1 + i % 7 * 3);
    else
      miss(&b, 0, 0, 32 * (50 + 128));
    uint32_t any;
    while (wf_prefetcher_next(b.p, &any)) wf_prefetcher_pop(b.p);
    miss(&b, 0, 0, line += deltas[4]);
    expect_nothing(&b);
    wf_prefetcher_destroy(b.p);
  }
}

static void a_full_queue_drops_the_oldest(void **state) {
  (void)state;
  bench b;
  open_bench(&b, WF_PREFETCH_STRIDE);
  for (uint32_t i = 0; i < 2 + WF_PREFETCH_QUEUE + 3; i++) miss(&b, 0, 0, 10 * i);
  assert_int_equal(b.dropped, 3);
  expect_line(&b, 10 * 6);
  miss(&b, 1, 0, 300);
  miss(&b, 1, 0, 303);
  miss(&b, 1, 0, 306);
  miss(&b, 2, 0, 307);
  miss(&b, 2, 0, 308);
  miss(&b, 2, 0, 309); /* 310 */
  for (unsigned i = 0; i < WF_PREFETCH_QUEUE - 1; i++) wf_prefetcher_pop(b.p);
  expect_line(&b, 310);
  expect_nothing(&b);
  wf_prefetcher_destroy(b.p);
}

/* ---- kinds that see lanes ---- */
enum { LANES = 32 };
typedef struct memory {
  uint32_t word[4096]; /* at address 0 */
  bool held;           /* the L1 has all lines */
} memory;

static bool holds(void *of, uint32_t line) {
  (void)line;
  return ((const memory *)of)->held;
}
static uint64_t word_at(void *of, uint64_t address, unsigned bytes) {
  assert_int_equal(bytes, 4);
  const memory *m = of;
  return address < sizeof m->word ? m->word[address / 4] : 0;
}

/* Lanes of `active` load from address[]. */
static void load(bench *b, memory *m, uint32_t warp, uint32_t pc, uint32_t active,
                 const uint64_t *address) {
  wf_prefetcher_load(b->p, &(wf_prefetch_load){.pc = pc,
                                               .warp = warp,
                                               .active = active,
                                               .bytes = 4,
                                               .address = address,
                                               .eye = {m, holds, word_at}});
}

/* Lane l reads word 64 l + turn of an index, then target[index]. */
static void indirect(bench *b, memory *m, unsigned turn, uint32_t active) {
  enum { TARGETS = 1 << 20 };
  uint64_t index[LANES], target[LANES];
  for (unsigned l = 0; l < LANES; l++) {
    index[l] = 4 * (64 * l + turn);
    target[l] = TARGETS + 8 * (uint64_t)m->word[index[l] / 4];
  }
  load(b, m, 3, 10, active, index);
  load(b, m, 3, 12, active, target);
}

static void indirect_loads_are_found(void **state) {
  (void)state;
  for (unsigned held = 0; held < 2; held++) {
    bench b;
    memory m = {.held = held};
    open_bench(&b, WF_PREFETCH_IMP);
    for (unsigned i = 0; i < 4096; i++) m.word[i] = i * 2654435761u >> 16;
    for (unsigned turn = 0; turn < 3; turn++) {
      indirect(&b, &m, turn, 0x30);
      expect_nothing(&b); /* the same base three times */
    }
    indirect(&b, &m, 3, 0x30);
    for (unsigned l = 4; l < 6; l++)
      expect_line(&b, held ? ((1u << 20) + 8 * m.word[64 * l + 4]) / 128 : 4 * (64 * l + 4) / 128);
    expect_nothing(&b);
    wf_prefetcher_clear(b.p);
    indirect(&b, &m, 4, 0x30);
    expect_nothing(&b);
    wf_prefetcher_destroy(b.p);
  }
}

/* Targets that follow no word: nothing is foretold. */
static void other_loads_are_none(void **state) {
  (void)state;
  bench b;
  static memory m = {.held = true};
  open_bench(&b, WF_PREFETCH_IMP);
  for (unsigned i = 0; i < 4096; i++) m.word[i] = i * 2654435761u >> 16;
  for (unsigned turn = 0; turn < 50; turn++) {
    uint64_t index[LANES], other[LANES];
    for (unsigned l = 0; l < LANES; l++) {
      index[l] = 4 * (64 * l + turn);
      other[l] = 77 * m.word[(turn * LANES + l) % 4096];
    }
    load(&b, &m, 3, 10, ~0u, index);
    load(&b, &m, 3, 12, ~0u, other);
    expect_nothing(&b);
  }
  wf_prefetcher_destroy(b.p);
}

static void at(uint64_t address[LANES], uint64_t first) {
  for (unsigned l = 0; l < LANES; l++) address[l] = first + 4 * l;
}

/* Loads 1, 2, 3 of a warp lie 1024 and 4096 bytes apart; warps begin anywhere. */
static void chains_of_strides(void **state) {
  (void)state;
  bench b;
  memory m = {0};
  uint64_t address[LANES];
  static const uint64_t first[] = {0, 70000, 31232, 256000};
  open_bench(&b, WF_PREFETCH_SNAKE);
  for (uint32_t warp = 0; warp < 4; warp++) {
    for (uint32_t i = 0; i < 3; i++) {
      at(address, first[warp] + (i ? 1024 : 0) + (i > 1 ? 4096 : 0));
      load(&b, &m, warp, 1 + i, ~0u, address);
      if (warp < 3) expect_nothing(&b); /* three warps must agree */
    }
  }
  at(address, 512000);
  load(&b, &m, 5, 1, ~0u, address);
  uint32_t line, last = 0;
  while (wf_prefetcher_next(b.p, &line)) {
    last = line;
    wf_prefetcher_pop(b.p);
  }
  assert_int_equal(last, (512000 + 1024 + 4096) / 128);
  wf_prefetcher_destroy(b.p);
}

static void strides_across_warps(void **state) {
  (void)state;
  bench b;
  memory m = {0};
  uint64_t address[LANES];
  open_bench(&b, WF_PREFETCH_SNAKE);
  for (uint32_t warp = 0; warp < 5; warp++) {
    at(address, 8192 * warp);
    load(&b, &m, warp, 9, ~0u, address);
    if (warp < 3) expect_nothing(&b);
  }
  uint32_t line, n = 0;
  for (; wf_prefetcher_next(b.p, &line); n++) {
    assert_true(line == 8192 * 4 / 128 || line == 8192 * 5 / 128);
    wf_prefetcher_pop(b.p);
  }
  assert_true(n >= 1);
  wf_prefetcher_destroy(b.p);
}

/* ---- how far, how many ---- */
static void degrees_and_distances(void **state) {
  (void)state;
  uint64_t dropped = 0;
  wf_prefetcher *p = wf_prefetcher_create(
      &(wf_prefetch_settings){.kind = WF_PREFETCH_STRIDE, .degree = 2, .distance = 3, .queue = 2},
      &dropped);
  bench b = {.p = p};
  for (uint32_t i = 0; i < 3; i++) miss(&b, 0, 0, 10 * i);
  expect_line(&b, 20 + 30);
  expect_line(&b, 20 + 40);
  expect_nothing(&b);
  for (uint32_t i = 3; i < 5; i++) miss(&b, 0, 0, 10 * i);
  assert_int_equal(dropped, 1); /* a queue of two: 60, 70, 80 */
  expect_line(&b, 70);
  wf_prefetcher_destroy(p);
}

/* ---- their lines in the L1 ---- */
static void lines_are_accounted_for(void **state) {
  (void)state;
  wf_gpu_config c;
  wf_l1_counters n = {0};
  wf_error err = {0};
  wf_l1_fetch fetch, demand;
  unsigned done;
  assert_true(wf_gpu_config_load(&c, "gtx480", &err));
  wf_l1 *l1 = wf_l1_create(&c, &n);
  wf_l1_request r = {.line = 5, .load = 3, .sectors = 0xf, .may_allocate = true, .can_send = true};
  assert_int_equal(wf_l1_prefetch(l1, 5, false, &fetch),
                   WF_L1_STALL); /* no place in the miss queue */
  assert_int_equal(wf_l1_prefetch(l1, 5, true, &fetch), WF_L1_MISS);
  assert_int_equal(wf_l1_prefetch(l1, 5, true, &demand), WF_L1_HIT); /* on its way */
  assert_false(wf_l1_idle(l1));
  assert_false(wf_l1_holds(l1, 5)); /* on its way */
  assert_int_equal(n.accesses, 0);
  assert_int_equal(wf_l1_load(l1, &r, &demand), WF_L1_MERGED); /* late */
  assert_int_equal(wf_l1_fill(l1, fetch.mshr, 0xf, &done)[0], 3);
  assert_int_equal(done, 1);
  assert_true(wf_l1_idle(l1));
  assert_true(wf_l1_holds(l1, 5));
  assert_int_equal(n.prefetch_late, 1);
  assert_int_equal(wf_l1_load(l1, &r, &demand), WF_L1_HIT);
  assert_int_equal(n.prefetch_useful, 0);
  assert_int_equal(wf_l1_prefetch(l1, 6, true, &fetch), WF_L1_MISS);
  wf_l1_fill(l1, fetch.mshr, 0xf, &done);
  assert_int_equal(done, 0);
  r.line = 6;
  for (unsigned i = 0; i < 2; i++) assert_int_equal(wf_l1_load(l1, &r, &demand), WF_L1_HIT);
  assert_int_equal(n.prefetch_useful, 1);
  assert_int_equal(wf_l1_prefetch(l1, 7, true, &fetch), WF_L1_MISS);
  wf_l1_fill(l1, fetch.mshr, 0xf, &done);
  assert_int_equal(wf_l1_prefetch(l1, 8, true, &fetch), WF_L1_MISS);
  wf_l1_fill(l1, fetch.mshr, 0xf, &done);
  wf_l1_evict(l1, 7);
  assert_int_equal(n.prefetch_useless, 1);
  wf_l1_clear(l1);
  assert_int_equal(n.prefetch_useless, 2);
  /* Every MSHR taken: it waits as a load would. */
  for (uint32_t i = 0; i < c.l1_mshrs; i++)
    assert_int_equal(wf_l1_prefetch(l1, 100 + i, true, &fetch), WF_L1_MISS);
  assert_int_equal(wf_l1_prefetch(l1, 99, true, &fetch), WF_L1_STALL);
  r.line = 99;
  assert_int_equal(wf_l1_load(l1, &r, &demand), WF_L1_STALL);
  wf_l1_destroy(l1);
}

/* ---- in the GPU: one warp reads a list line by line, each address from the load before ---- */
static const char chase[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg "
    ".pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [p];\nmov.u64 %rd5, %rd1;\nmov.u32 %r4, 200;\nmov.u32 %r6, "
    "0;\nLOOP:\nld.global.u32 %r5, [%rd1];\ncvt.u64.u32 %rd2, %r5;\n"
    "add.u64 %rd1, %rd1, %rd2;\nadd.u32 %r6, %r6, %r5;\nsub.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, "
    "%r4, 0;\n@%p1 bra LOOP;\n"
    "st.global.u32 [%rd5], %r6;\nret;\n}\n";

typedef struct outcome {
  uint64_t cycles;
  uint32_t sum;
  wf_l1_counters l1;
} outcome;

static outcome chase_with(const char *kind, const char *skip) {
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  enum { WORDS = 201 * 32 };
  static uint32_t words[WORDS];
  for (uint32_t i = 0; i < WORDS; i++) words[i] = 128; /* a line on */
  assert_true(wf_gpu_config_load(&config, "fermi16", &err));
  assert_true(wf_options_add(&options, skip, &err));
  if (kind && !wf_gpu_config_set(&config, "l1.prefetch", kind, &err)) fail_msg("%s", err.text);
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu || !wf_gpu_load_ptx(gpu, "t", chase, sizeof chase - 1, &err)) fail_msg("%s", err.text);
  uint64_t p = wf_gpu_alloc(gpu, sizeof words, "p", &err);
  assert_true(wf_gpu_write(gpu, p, words, sizeof words, &err));
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = {&p}, .n_params = 1};
  if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
  outcome o = {.cycles = wf_gpu_cycles(gpu), .l1 = *wf_gpu_l1_counters(gpu)};
  assert_true(wf_gpu_read(gpu, &o.sum, p, 4, &err));
  assert_int_equal(o.sum, 200 * 128);
  wf_gpu_destroy(gpu);
  wf_options_free(&options);
  return o;
}

static void a_steady_walk_gains(void **state) {
  (void)state;
  const outcome plain = chase_with(NULL, "sim.skip=1"), none = chase_with("none", "sim.skip=1");
  assert_int_equal(plain.cycles, none.cycles);
  assert_memory_equal(&plain.l1, &none.l1, sizeof plain.l1);
  assert_int_equal(plain.l1.prefetch_issued, 0);
  static const char *const kinds[] = {"stride", "stream", "ghb"};
  for (unsigned k = 0; k < 3; k++) {
    const outcome o = chase_with(kinds[k], "sim.skip=1"),
                  ticked = chase_with(kinds[k], "sim.skip=0");
    if (o.cycles * 10 > plain.cycles * 9)
      fail_msg("%s: %llu cycles of %llu", kinds[k], (unsigned long long)o.cycles,
               (unsigned long long)plain.cycles);
    assert_int_equal(o.cycles, ticked.cycles);
    assert_memory_equal(&o.l1, &ticked.l1, sizeof o.l1);
    assert_true(o.l1.prefetch_useful + o.l1.prefetch_late > 60);
    assert_true(o.l1.prefetch_issued >=
                o.l1.prefetch_useful + o.l1.prefetch_late + o.l1.prefetch_useless);
    assert_int_equal(o.l1.accesses, plain.l1.accesses);
    assert_int_equal(o.l1.hits + o.l1.misses, o.l1.accesses);
  }
}

/* One warp that uses each load at once waits for all of its time but the cycle of issue; the probe
 * changes nothing. */
static void times_of_loads(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config config;
  wf_options options = {0};
  static const uint32_t words[201 * 32];
  assert_true(wf_gpu_config_load(&config, "fermi16", &err) &&
              wf_options_add(&options, "probe.loads=1", &err));
  wf_gpu *gpu = wf_gpu_create(&config, &options, NULL, 0, 1, &err);
  if (!gpu || !wf_gpu_load_ptx(gpu, "t", chase, sizeof chase - 1, &err)) fail_msg("%s", err.text);
  uint64_t p = wf_gpu_alloc(gpu, sizeof words, "p", &err);
  assert_true(wf_gpu_write(gpu, p, words, sizeof words, &err));
  wf_launch_args args = {
      .kernel = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = {&p}, .n_params = 1};
  for (unsigned launch = 1; launch <= 2; launch++) {
    if (!wf_gpu_launch(gpu, &args, &err)) fail_msg("%s", err.text);
    const wf_load_time *t = wf_load_times_at(wf_gpu_load_times(gpu), 0);
    assert_non_null(t);
    assert_null(wf_load_times_at(wf_gpu_load_times(gpu), 1));
    assert_int_equal(t->kernel->insts[t->pc].cls, PTX_CLASS_LOAD);
    assert_int_equal(t->loads, 200 * launch);
    assert_int_equal(t->waits, t->cycles - t->loads);
    assert_in_range(t->cycles, launch * (199 * 5 + 100),
                    launch * (199 * 8 + 500)); /* one line: the first misses, the others hit */
  }
  wf_gpu_destroy(gpu);
  wf_options_free(&options);
}

static void what_does_not_go_together(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config c;
  assert_true(wf_gpu_config_load(&c, "gtx480", &err));
  assert_false(wf_gpu_config_set(&c, "l1.prefetch", "markov", &err));
  assert_non_null(
      strstr(err.text, "l1.prefetch=markov: expected none, stride, stream, ghb, imp or snake"));
  assert_false(wf_gpu_config_set(&c, "core.scheduler", "fifo", &err));
  assert_non_null(strstr(err.text, "expected lrr or gto"));
  assert_true(wf_gpu_config_set(&c, "l1.prefetch", "ghb", &err) && wf_gpu_config_check(&c, &err));
  assert_true(wf_gpu_config_set(&c, "l1.pd", "8", &err));
  assert_false(wf_gpu_config_check(&c, &err));
  assert_int_equal(err.code, WF_EXIT_BAD_INPUT);
  assert_non_null(strstr(err.text, "l1.prefetch=ghb"));
}

/* Table 3 of the work on spare-register prefetching. */
static void the_machine(void **state) {
  (void)state;
  wf_error err = {0};
  wf_gpu_config c;
  if (!wf_gpu_config_load(&c, "fermi16", &err) || !wf_gpu_config_check(&c, &err))
    fail_msg("%s", err.text);
  assert_int_equal(c.n_sm, 16);
  assert_int_equal(c.mem.core_mhz, 1200);
  assert_int_equal(c.schedulers, 2);
  assert_int_equal(c.registers_per_sm * 4, 128 * 1024);
  assert_int_equal(c.warps_per_sm, 48);
  assert_int_equal(c.l1_bytes, 48 * 1024);
  assert_int_equal(c.l1_ways, 6);
  assert_int_equal(c.l1_latency, 4);
  assert_int_equal(c.shared_bytes_per_sm + c.l1_bytes, 64 * 1024);
  assert_int_equal(c.mem.n_part * c.mem.l2_bytes, 768 * 1024);
  assert_int_equal(c.mem.n_part, 8);
  assert_int_equal(c.mem.dram_banks, 16);
  assert_int_equal(c.mem.dram_row_bytes, 2048);
  assert_int_equal(c.mem.tCL, 20);
  assert_int_equal(c.mem.tRCD, 28);
  assert_int_equal(c.mem.tRP, 12);
  /* 100.8 GB/s within 1 % */
  assert_in_range(c.mem.n_part * c.mem.dram_bus_bytes * c.mem.dram_beats_per_clock * c.mem.dram_mhz,
                  99800, 101800);
  /* The form for kernels with 48 KB of shared memory, and the larger cache. */
  static const char *const forms[][2] = {
      {"l1.bytes", "16384"}, {"l1.ways", "4"}, {"l1.bytes", "65536"}, {"l1.ways", "8"}};
  for (unsigned i = 0; i < 4; i += 2) {
    assert_true(wf_gpu_config_set(&c, forms[i][0], forms[i][1], &err) &&
                wf_gpu_config_set(&c, forms[i + 1][0], forms[i + 1][1], &err));
    if (!wf_gpu_config_check(&c, &err)) fail_msg("%s", err.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stride_by_warp_and_load),
      cmocka_unit_test(the_stride_table_is_finite),
      cmocka_unit_test(streams),
      cmocka_unit_test(ghb_repeats_deltas),
      cmocka_unit_test(ghb_forgets),
      cmocka_unit_test(a_full_queue_drops_the_oldest),
      cmocka_unit_test(indirect_loads_are_found),
      cmocka_unit_test(other_loads_are_none),
      cmocka_unit_test(chains_of_strides),
      cmocka_unit_test(strides_across_warps),
      cmocka_unit_test(degrees_and_distances),
      cmocka_unit_test(lines_are_accounted_for),
      cmocka_unit_test(a_steady_walk_gains),
      cmocka_unit_test(times_of_loads),
      cmocka_unit_test(what_does_not_go_together),
      cmocka_unit_test(the_machine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
