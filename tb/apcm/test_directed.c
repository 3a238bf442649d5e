/* Directed tests of apcm: the paper's table 2 and section 5.3, and each rule of the unit once by
 * itself. Every edge is also compared with the reference model; what is asserted here comes from
 * the paper, not from the model. */
#include "tb/apcm/apcm_bench.h"
#include "tb/common/wf_test.h"

enum { PC_A = 0x100, PC_B = 0x140, PC_C = 0x180, PC_TOP = 0xfff };

static apcm_bench *open_unit(const char *config, const char *parameters) {
  return wf_test_open(&apcm_bench_class, config, parameters);
}
#define TEST(name, ...) WF_DIRECTED(name, apcm_bench *b, open_unit(__VA_ARGS__), wf_test_finish)

static void event(apcm_bench *b, apcm_kind kind, uint32_t warp, uint32_t id) {
  ok(b, apcm_bench_event(b, &(apcm_event){.kind = kind, .warp = warp, .id = id}));
}

static void move(apcm_bench *b, uint32_t warp, uint64_t from, uint64_t to, bool jump) {
  ok(b, apcm_bench_move(b, &(apcm_move){.warp = warp, .from = from, .to = to, .jump = jump}));
}

/* Another warp showed the loop; this one goes behind it. */
static void loop_exit(apcm_bench *b, uint32_t warp, uint64_t lo, uint64_t hi) {
  move(b, warp, hi, lo, true);
  move(b, warp, hi, hi + 1, false);
  ok(b, apcm_bench_rest(b));
}

/* Entries of the MTA that are in use. */
static unsigned entries(const apcm_bench *b) {
  unsigned n = 0;
  for (unsigned i = 0; i < b->shape.mta_entries; i++) n += b->ref.mta[i].valid;
  return n;
}

static apcm_load_answer load(apcm_bench *b, uint32_t warp, uint64_t pc) {
  apcm_load_answer answer;
  ok(b, apcm_bench_rest(b)); /* what was taught is known */
  ok(b, apcm_bench_load(b, &(apcm_load){.warp = warp, .pc = pc}, &answer));
  assert_true(answer.valid);
  return answer;
}

/* A request as its load was told; all ways of set `line` mod sets valid, way 0 the oldest. */
static apcm_access request(const apcm_bench *b, uint32_t warp, const apcm_load_answer *l,
                           uint64_t line) {
  const apcm_shape *s = &b->ref.shape;
  apcm_access a = {.warp = warp,
                   .tracked = l->tracked,
                   .id = l->id,
                   .method = l->method,
                   .last = l->last,
                   .few = true,
                   .line = line,
                   .set = (uint32_t)(line % s->sets)};
  for (unsigned w = 0; w < s->ways; w++) a.rank[w] = s->ways - 1 - w;
  return a;
}

static apcm_access_answer send(apcm_bench *b, const apcm_access *a) {
  apcm_access_answer answer;
  ok(b, apcm_bench_access(b, a, &answer));
  assert_true(answer.valid);
  return answer;
}

/* One load instruction of a warp with one request that misses the L1 (or hits it in `way`). */
static apcm_access_answer miss(apcm_bench *b, uint32_t warp, uint64_t pc, uint64_t line) {
  apcm_load_answer l = load(b, warp, pc);
  apcm_access a = request(b, warp, &l, line);
  return send(b, &a);
}

static void hit(apcm_bench *b, uint32_t warp, uint64_t pc, uint64_t line, uint32_t way) {
  apcm_load_answer l = load(b, warp, pc);
  apcm_access a = request(b, warp, &l, line);
  a.hit = true;
  a.way = way;
  send(b, &a);
}

/* The warp protects lines, from now on at least. */
static void pin(apcm_bench *b, uint32_t warp, uint64_t line) {
  if (!(apcm_ref_psb(&b->ref) >> warp & 1)) assert_true(miss(b, warp, PC_A, line).protect);
}

static void watched_ends(apcm_bench *b, uint32_t warp) {
  event(b, APCM_WARP_EXIT, warp, 0);
  ok(b, apcm_bench_rest(b));
}

/* Warp 0 was watched and showed load A to reuse its lines itself, in a loop. */
static void learn_a_in_loop(apcm_bench *b) {
  event(b, APCM_WARP_START, 0, 0);
  for (unsigned i = 0; i < 5; i++) miss(b, 0, PC_A, 77);
  watched_ends(b, 0);
}

/* Table 2: what total and own counts say. */
static void table_2_every_row(void **state) {
  (void)state;
  static const struct {
    unsigned own, others, method;
  } rows[] = {{1, 0, APCM_BYPASS},  {1, 1, APCM_NORMAL}, {1, 6, APCM_NORMAL}, {2, 0, APCM_PROTECT},
              {7, 0, APCM_PROTECT}, {2, 1, APCM_NORMAL}, {5, 4, APCM_NORMAL}};
  static const char *const configs[] = {"paper", "assoc4", "full"};
  for (unsigned c = 0; c < 3; c++) {
    apcm_bench *b = open_unit(configs[c], NULL);
    event(b, APCM_WARP_START, 3, 0);
    for (unsigned i = 0; i < 7; i++) {
      assert_int_equal(load(b, 3, PC_A + i).method, APCM_NORMAL); /* nothing is known yet */
      for (unsigned n = 0; n < rows[i].own; n++) miss(b, 3, PC_A + i, 100 + i);
      for (unsigned n = 0; n < rows[i].others; n++) miss(b, 4 + n, PC_A + i, 100 + i);
    }
    watched_ends(b, 3);
    for (unsigned i = 0; i < 7; i++) {
      apcm_load_answer l = load(b, 9, PC_A + i);
      assert_int_equal(l.method, rows[i].method);
      assert_int_equal(l.id, i);
      assert_int_equal(l.last, i);
    }
    wf_test_finish(b);
  }
}

/* Section 5.3, figure 11 a to d: two warps, one load in a loop, a direct-mapped L1. */
TEST(figure_11, "paper", "Ways=1") {
  event(b, APCM_WARP_START, 5, 0);
  for (unsigned i = 0; i < 4; i++) miss(b, 5, PC_A, 64);
  watched_ends(b, 5);
  event(b, APCM_WARP_START, 0, 0);
  event(b, APCM_WARP_START, 1, 0);
  /* a: warp 0 allocates and protects. */
  apcm_access_answer a = miss(b, 0, PC_A, 32);
  assert_true(a.alloc && a.protect);
  assert_int_equal(apcm_ref_psb(&b->ref), 1);
  /* b: warp 1 finds the line protected: it bypasses, and its bit is not set. */
  assert_false(miss(b, 1, PC_A, 96).alloc);
  assert_int_equal(apcm_ref_psb(&b->ref), 1);
  /* c: warp 0 hits, again and again; then the loop ends. */
  for (unsigned i = 0; i < 3; i++) {
    hit(b, 0, PC_A, 32, 0);
    event(b, APCM_LOAD_DONE, 0, 0); /* the load is its own last one: its end ends nothing */
    assert_int_equal(apcm_ref_psb(&b->ref), 1);
    assert_false(miss(b, 1, PC_A, 96).alloc);
  }
  loop_exit(b, 0, PC_A - 16, PC_A + 16);
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
  /* d: warp 1 takes the line and protects it. */
  a = miss(b, 1, PC_A, 96);
  assert_true(a.alloc && a.protect);
  assert_int_equal(apcm_ref_psb(&b->ref), 2);
  assert_false(miss(b, 0, PC_A, 32).alloc);
}

static void first_16_loads_are_tracked(void **state) {
  (void)state;
  static const struct {
    const char *config, *parameters;
    unsigned ids;
  } sizes[] = {{"small", NULL, 4}, {"paper", NULL, 16}, {"kepler", "Ids=32", 32}};
  for (unsigned s = 0; s < 3; s++) {
    apcm_bench *b = open_unit(sizes[s].config, sizes[s].parameters);
    event(b, APCM_WARP_START, 0, 0);
    for (unsigned round = 0; round < 2; round++)
      for (unsigned i = 0; i < sizes[s].ids + 3; i++) {
        apcm_load_answer l = load(b, 1, 0x800 + 8 * i);
        assert_int_equal(l.tracked, i < sizes[s].ids);
        if (l.tracked) assert_int_equal(l.id, i);
        assert_int_equal(l.method, APCM_NORMAL);
      }
    /* A load that is not tracked takes no MTA entry, and is managed as usual for ever. */
    for (unsigned i = 0; i < 3; i++) miss(b, 0, 0x800 + 8 * sizes[s].ids, 5);
    assert_int_equal(entries(b), 0);
    watched_ends(b, 0);
    assert_int_equal(load(b, 1, 0x800 + 8 * sizes[s].ids).method, APCM_NORMAL);
    wf_test_finish(b);
  }
}

/* Of a load with many requests only the first two take MTA entries; the others are dropped, but
 * count if they hit one. */
TEST(uncoalesced_loads, "paper", NULL) {
  event(b, APCM_WARP_START, 0, 0);
  for (unsigned round = 0; round < 2; round++) {
    apcm_load_answer l = load(b, 0, PC_A);
    for (unsigned n = 0; n < 6; n++) {
      apcm_access a = request(b, 0, &l, (round ? 20 : 0) + n); /* lines 0..5, then 20..25 */
      if (n >= 2) a.line = n;                                  /* 2..5 again */
      a.few = n < 2;
      send(b, &a);
    }
  }
  assert_int_equal(entries(b), 4);
  apcm_load_answer l = load(b, 0, PC_B); /* its third request finds line 0, taken by A */
  apcm_access a = request(b, 0, &l, 0);
  a.few = false;
  send(b, &a);
  watched_ends(b, 0);
  l = load(b, 1, PC_A);
  assert_int_equal(l.method, APCM_PROTECT);
  assert_int_equal(l.last, 1);                            /* B */
  assert_int_equal(load(b, 1, PC_B).method, APCM_NORMAL); /* B took no entry */
}

/* A line that another warp brought: the count of the L1's tag is the start. */
TEST(hit_in_l1_and_miss_in_mta, "paper", NULL) {
  event(b, APCM_WARP_START, 0, 0);
  load(b, 1, PC_A);
  apcm_access_answer a = miss(b, 1, PC_A, 9); /* line 9 by warp 1: count 1 */
  hit(b, 0, PC_A, 9, a.way);                  /* count 2, of which one own: shared, not streaming */
  a = miss(b, 0, PC_B, 10);                   /* streaming, for comparison */
  hit(b, 1, PC_C, 10, a.way);
  a = miss(b, 1, PC_C, 11);
  for (unsigned i = 0; i < 20; i++) hit(b, 1, PC_C, 11, a.way); /* saturated in the L1's tag */
  hit(b, 0, PC_C, 11, a.way);
  watched_ends(b, 0);
  assert_int_equal(load(b, 2, PC_A).method, APCM_NORMAL);
  assert_int_equal(load(b, 2, PC_B).method, APCM_NORMAL);
  assert_int_equal(load(b, 2, PC_C).method, APCM_NORMAL);
  assert_int_equal(b->ref.cait[0].count, 2);
  assert_int_equal(b->ref.cait[2].count, 15);
}

/* Only more accesses overwrite what is known of a load. */
TEST(cait_is_overwritten_by_more_accesses, "paper", NULL) {
  /* lines 32 apart share an entry of the MTA */
  event(b, APCM_WARP_START, 0, 0);
  load(b, 1, PC_B);
  for (unsigned i = 0; i < 3; i++) miss(b, 0, PC_A, 1);
  assert_int_equal(load(b, 1, PC_A).method, APCM_NORMAL); /* not yet evicted */
  miss(b, 0, PC_A, 33);                                   /* evicts: 3 accesses, all own */
  assert_int_equal(load(b, 1, PC_A).method, APCM_PROTECT);
  miss(b, 0, PC_A, 1); /* evicts: 1 access */
  assert_int_equal(load(b, 1, PC_A).method, APCM_PROTECT);
  miss(b, 1, PC_B, 1);
  miss(b, 1, PC_B, 1);
  miss(b, 0, PC_A, 33); /* evicts: 3 accesses, shared: not more */
  assert_int_equal(load(b, 1, PC_A).method, APCM_PROTECT);
  for (unsigned i = 0; i < 3; i++) miss(b, 1, PC_B, 33);
  miss(b, 0, PC_A, 1); /* evicts: 4 accesses, shared */
  apcm_load_answer l = load(b, 1, PC_A);
  assert_int_equal(l.method, APCM_NORMAL);
  assert_int_equal(l.last, 0); /* B came first */
  assert_int_equal(l.id, 1);
}

static void count_above_threshold_tells_at_once(void **state) {
  (void)state;
  for (unsigned threshold = 1; threshold < 15; threshold += 4) {
    apcm_bench *b = open_unit("paper", NULL);
    apcm_bench_configure(b,
                         &(apcm_settings){.bypass = true, .protect = true, .threshold = threshold});
    event(b, APCM_WARP_START, 0, 0);
    for (unsigned i = 0; i < threshold; i++) miss(b, 0, PC_A, 1);
    assert_int_equal(load(b, 1, PC_A).method, APCM_NORMAL);
    miss(b, 0, PC_A, 1);
    assert_int_equal(load(b, 1, PC_A).method, APCM_PROTECT);
    miss(b, 1, PC_A, 1); /* and goes on: now it is shared */
    assert_int_equal(load(b, 1, PC_A).method, APCM_NORMAL);
    wf_test_finish(b);
  }
}

/* A full access count does not let the own count catch up. */
TEST(counts_saturate_together, "paper", NULL) {
  event(b, APCM_WARP_START, 0, 0);
  miss(b, 0, PC_A, 1);
  miss(b, 1, PC_A, 1);
  for (unsigned i = 0; i < 30; i++) miss(b, 0, PC_A, 1);
  for (unsigned i = 0; i < 30; i++) miss(b, 0, PC_B, 2);
  miss(b, 1, PC_B, 2); /* after the count was full: it tells nothing */
  watched_ends(b, 0);
  assert_int_equal(load(b, 1, PC_A).method, APCM_NORMAL);
  assert_int_equal(load(b, 1, PC_B).method, APCM_PROTECT);
}

TEST(kernel_start_forgets_everything, "small", NULL) {
  load(b, 0, PC_B);
  learn_a_in_loop(b);
  event(b, APCM_WARP_START, 1, 0);
  for (unsigned i = 0; i < 2; i++) assert_true(miss(b, 1, PC_A, 2).protect);
  event(b, APCM_KERNEL_START, 0, 0);
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
  ok(b, apcm_bench_rest(b));
  apcm_load_answer l = load(b, 1, PC_A);
  assert_int_equal(l.id, 0); /* was 1 */
  assert_int_equal(l.method, APCM_NORMAL);
  /* Protect something again, by other means: the lines of the kernel before are not protected. */
  l.method = APCM_PROTECT;
  apcm_access a = request(b, 1, &l, 3);
  assert_true(send(b, &a).protect);
  a = request(b, 2, &l, 2);
  a.method = APCM_NORMAL;
  assert_true(send(b, &a).alloc);
  /* And a warp is watched again; the MTA is empty, the L1's counts are 0. */
  event(b, APCM_WARP_START, 3, 0);
  hit(b, 3, PC_B, 77, 1); /* set 1, way 1 */
  watched_ends(b, 3);
  assert_int_equal(load(b, 1, PC_B).method,
                   APCM_BYPASS); /* 1 access; line 77 was counted 5 before */
}

static void kernel_start_stops_a_scan(void **state) {
  (void)state;
  for (unsigned wait = 0; wait < 12; wait++) {
    apcm_bench *b = open_unit("small", NULL);
    event(b, APCM_WARP_START, 0, 0);
    for (unsigned line = 0; line < 8; line++) miss(b, 0, PC_A, line);
    event(b, APCM_WARP_EXIT, 0, 0);
    for (unsigned i = 0; i < wait; i++) ok(b, apcm_bench_cycle(b, NULL));
    event(b, APCM_KERNEL_START, 0, 0);
    ok(b, apcm_bench_rest(b));
    assert_int_equal(load(b, 1, PC_A).method, APCM_NORMAL);
    event(b, APCM_WARP_START, 2, 0);
    for (unsigned i = 0; i < 2; i++) miss(b, 2, PC_A, 7);
    watched_ends(b, 2);
    assert_int_equal(load(b, 1, PC_A).method, APCM_PROTECT);
    wf_test_finish(b);
  }
}

/* The first warp of a kernel is watched, and none after it. */
TEST(one_warp_is_watched, "paper", NULL) {
  event(b, APCM_WARP_START, 7, 0);
  event(b, APCM_WARP_START, 8, 0);
  assert_int_equal(b->ref.watched, 7);
  watched_ends(b, 7);
  event(b, APCM_WARP_START, 9, 0);
  for (unsigned i = 0; i < 3; i++) miss(b, 9, PC_A, 4);
  watched_ends(b, 9);
  assert_int_equal(load(b, 8, PC_A).method, APCM_NORMAL);
  event(b, APCM_KERNEL_START, 0, 0);
  event(b, APCM_WARP_START, 9, 0);
  for (unsigned i = 0; i < 3; i++) miss(b, 9, PC_A, 4);
  watched_ends(b, 9);
  assert_int_equal(load(b, 8, PC_A).method, APCM_PROTECT);
}

/* Right-hand case of figure 7: the lines of A are used last by B. */
TEST(protection_ends_with_the_last_load, "paper", NULL) {
  event(b, APCM_WARP_START, 0, 0);
  for (unsigned i = 0; i < 2; i++) {
    miss(b, 0, PC_A, i);
    miss(b, 0, PC_B, i);
  }
  load(b, 0, PC_C);
  watched_ends(b, 0);
  apcm_load_answer l = load(b, 6, PC_A);
  assert_int_equal(l.method, APCM_PROTECT);
  assert_int_equal(l.last, 1);
  assert_true(miss(b, 6, PC_A, 8).protect);
  event(b, APCM_LOAD_DONE, 6, 0); /* A itself */
  event(b, APCM_LOAD_DONE, 6, 2); /* C */
  event(b, APCM_LOAD_DONE, 5, 1); /* B of another warp */
  loop_exit(b, 6, 0, PC_TOP - 1); /* it is no loop */
  assert_int_equal(apcm_ref_psb(&b->ref), 1u << 6);
  event(b, APCM_LOAD_DONE, 6, 1);
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
}

/* Left-hand case: only leaving the outermost loop ends it. */
TEST(protection_ends_with_the_loop, "paper", NULL) {
  learn_a_in_loop(b);
  const struct {
    uint64_t from, to;
    bool ends;
  } moves[] = {{0xf8, 0x104, false},  /* into the loop */
               {0x104, 0x118, false}, /* inside */
               {0x118, 0x100, false}, /* an inner loop turns */
               {0x118, 0x119, false}, /* and is left */
               {0x120, 0x0f0, false}, /* a turn */
               {0x104, 0x140, true},  /* a break */
               {0x120, 0x121, true},  /* the end */
               {0x0f0, PC_TOP, true}};
  move(b, 5, 0x120, 0x0f0, true); /* any warp shows the loop */
  for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++) {
    pin(b, 2, 8);
    event(b, APCM_LOAD_DONE, 2, 0);
    move(b, 3, 0x120, 0x121, false); /* another warp */
    move(b, 2, moves[i].from, moves[i].to, moves[i].to <= moves[i].from);
    ok(b, apcm_bench_rest(b));
    assert_int_equal(apcm_ref_psb(&b->ref), moves[i].ends ? 0 : 4);
  }
  /* Some lanes leave, the others wait on the stack: it is not left. A pop to lanes that are further
   * up is no loop. */
  pin(b, 2, 9);
  ok(b, apcm_bench_move(b, &(apcm_move){.warp = 2, .from = 0x110, .to = 0x130, .push = true}));
  move(b, 2, 0x134, 0x111, false);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 4);
  move(b, 2, 0x120, 0x134, false);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
  /* And the end of the warp, in any case. */
  pin(b, 2, 9);
  assert_true(miss(b, 3, PC_A, 10).protect);
  event(b, APCM_WARP_EXIT, 2, 0);
  assert_int_equal(apcm_ref_psb(&b->ref), 8);
}

/* The loop around is known from its first turn on; what is around it takes its place. */
TEST(outermost_loops, "paper", NULL) {
  learn_a_in_loop(b);
  pin(b, 2, 8);
  loop_exit(b, 2, 0xf8, 0x110); /* nobody has shown the loop around it */
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
  move(b, 2, 0x120, 0xf0, true);
  move(b, 2, 0x220, 0x200, true);
  move(b, 2, 0x320, 0x300, true); /* there are two places */
  pin(b, 2, 8);
  move(b, 2, 0x110, 0x111, false);
  move(b, 2, 0x320, 0x321, false);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 4);
  move(b, 2, 0x400, 0x10, true); /* a loop around both */
  move(b, 2, 0x520, 0x500, true);
  move(b, 2, 0x120, 0x121, false);
  move(b, 2, 0x220, 0x221, false);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 4);
  move(b, 2, 0x400, 0x401, false);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
  pin(b, 2, 8);
  move(b, 2, 0x520, 0x521, false);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
}

/* An exit waits for the loads that had entered the load/store unit; two may wait, a third branch
 * does. */
TEST(exits_wait_for_loads, "paper", "Exits=2") {
  learn_a_in_loop(b);
  for (uint32_t w = 2; w < 5; w++) assert_true(miss(b, w, PC_A, 8 + w).protect);
  const apcm_offers in = {.lsu_in = 1}, out = {.lsu_out = true};
  move(b, 2, 0x120, 0xf0, true);
  for (unsigned i = 0; i < 3; i++) ok(b, apcm_bench_cycle(b, &in));
  move(b, 2, 0x120, 0x121, false);
  ok(b, apcm_bench_cycle(b, &in));
  move(b, 3, 0x120, 0x121, false);
  const apcm_move third = {.warp = 4, .from = 0x120, .to = 0x121};
  const apcm_offers waits = {.move = &third};
  for (unsigned i = 0; i < 9; i++) {
    ok(b, apcm_bench_cycle(b, &waits));
    assert_false(b->taken.move);
  }
  assert_int_equal(apcm_ref_psb(&b->ref), 0x1c);
  for (unsigned i = 0; i < 3; i++)
    ok(b, apcm_bench_cycle(b, &(apcm_offers){.move = &third, .lsu_out = true}));
  for (unsigned i = 0; i < 3 && !b->taken.move; i++) ok(b, apcm_bench_cycle(b, &waits));
  assert_true(b->taken.move);
  ok(b, apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 0x18); /* of warp 2 */
  ok(b, apcm_bench_cycle(b, &out) && apcm_bench_rest(b));
  assert_int_equal(apcm_ref_psb(&b->ref), 0);
}

/* What ended stays ended, though the warp protects again. */
TEST(dropped_protection_does_not_return, "paper", "Ways=2") {
  learn_a_in_loop(b);
  assert_int_equal(miss(b, 1, PC_A, 32).way, 0);
  loop_exit(b, 1, PC_A, PC_A);
  hit(b, 5, PC_B, 64, 1);                    /* the row is met */
  assert_true(miss(b, 1, PC_A, 33).protect); /* another set; the warp's bit is set again */
  assert_int_equal(miss(b, 5, PC_B, 96).way, 0);
}

/* While a warp protects lines of one load, those of others are not. */
TEST(one_load_per_warp, "paper", NULL) {
  event(b, APCM_WARP_START, 0, 0);
  for (unsigned i = 0; i < 3; i++) {
    miss(b, 0, PC_A, 1); /* A in a loop */
    miss(b, 0, PC_B, 2); /* B in a loop */
  }
  watched_ends(b, 0);
  assert_true(miss(b, 1, PC_A, 3).protect);
  apcm_access_answer a = miss(b, 1, PC_B, 4);
  assert_true(a.alloc && !a.protect);
  assert_true(miss(b, 1, PC_A, 5).protect);
  assert_true(miss(b, 2, PC_B, 6).protect); /* another warp */
  loop_exit(b, 1, PC_A, PC_A);
  assert_true(miss(b, 1, PC_B, 7).protect);
  loop_exit(b, 1, PC_B, PC_B);
  assert_int_equal(apcm_ref_psb(&b->ref), 4);
}

TEST(victims, "paper", NULL) {
  learn_a_in_loop(b);
  apcm_load_answer n = load(b, 9, PC_B), p = load(b, 1, PC_A);
  apcm_access a = request(b, 9, &n, 32); /* set 0, way 0 the oldest */
  assert_int_equal(send(b, &a).way, 0);
  a.rank[0] = 0; /* oldest: way 1 */
  a.rank[1] = 3;
  a.rank[2] = 2;
  a.rank[3] = 1;
  assert_int_equal(send(b, &a).way, 1);
  a.reserved = 2;
  assert_int_equal(send(b, &a).way, 2);
  a.invalid = 9;
  assert_int_equal(send(b, &a).way, 0); /* the first invalid one */
  a.invalid = 0;
  a.reserved = 15;
  assert_false(send(b, &a).alloc);
  /* Four warps protect the four ways. */
  for (uint32_t w = 0; w < 4; w++) {
    a = request(b, w + 1, &p, 64);
    a.invalid = 1u << w;
    assert_true(send(b, &a).protect);
  }
  a = request(b, 5, &p, 96);
  assert_false(send(b, &a).alloc);
  assert_int_equal(apcm_ref_psb(&b->ref), 0x1e); /* warp 5 protects nothing */
  a = request(b, 1, &p, 96);
  assert_false(send(b, &a).alloc); /* nor does a warp evict its own */
  loop_exit(b, 3, PC_A, PC_A);
  a = request(b, 9, &n, 96);
  a.reserved = 4; /* the only one that might go is reserved */
  assert_false(send(b, &a).alloc);
  a.reserved = 0;
  assert_int_equal(send(b, &a).way, 2);
  /* It was taken by a load that does not protect: it goes first. */
  a.rank[2] = 0;
  a.rank[0] = 1;
  assert_int_equal(send(b, &a).way, 2);
}

/* A warp that protects all it may and goes on to other lines: every renew-th of its requests takes
 * the oldest of its own, none another's. */
TEST(renewal, "paper", NULL) {
  apcm_bench_configure(
      b, &(apcm_settings){.bypass = true, .protect = true, .threshold = 15, .renew = 3});
  learn_a_in_loop(b);
  apcm_load_answer n = load(b, 1, PC_B), p = load(b, 1, PC_A);
  static const uint32_t owner[] = {3, 1, 1, 2}; /* of ways 0, the oldest, to 3 */
  for (uint32_t w = 0; w < 4; w++) {
    apcm_access a = request(b, owner[w], &p, 64);
    a.invalid = 1u << w;
    assert_true(send(b, &a).protect);
  }
  apcm_access a = request(b, 1, &p, 96);
  assert_true(send(b, &a).protect); /* the first one does */
  apcm_access other = request(b, 4, &p, 96), plain = request(b, 1, &n, 96);
  assert_false(send(b, &other).alloc); /* has none of its own: does not count */
  assert_false(send(b, &plain).alloc); /* is not to be protected: nor does it */
  for (unsigned round = 0; round < 2; round++) {
    assert_false(send(b, &a).alloc);
    assert_false(send(b, &a).alloc);
    a.reserved = round ? 2 : 0; /* a fill is on its way to the oldest own one */
    apcm_access_answer took = send(b, &a);
    assert_true(took.alloc && took.protect);
    assert_int_equal(took.way, round ? 2 : 1);
    a.reserved = 0;
  }
  assert_int_equal(b->ref.counter[APCM_CNT_renewed], 3);
  assert_int_equal(b->ref.counter[APCM_CNT_refused], 6);
  assert_int_equal(apcm_ref_psb(&b->ref), 14);
}

/* Look-ups of another set until one that takes credit is next, or one that does not. */
static void until_it_ages(apcm_bench *b, bool ages) {
  while (apcm_ref_ages(&b->ref) != ages) hit(b, 9, PC_B, 7, 0);
}

/* Lines of ordinary loads keep their place until their credit has gone; loads that pin take them.
 */
TEST(credit, "paper", NULL) {
  apcm_bench_configure(
      b, &(apcm_settings){.bypass = true, .protect = true, .threshold = 15, .keep = 2});
  learn_a_in_loop(b);
  apcm_load_answer n = load(b, 9, PC_B), p = load(b, 1, PC_A);
  apcm_access a = request(b, 9, &n, 64);
  for (uint32_t w = 0; w < 4; w++) {
    until_it_ages(b, false);
    a.invalid = 1u << w;
    assert_true(send(b, &a).alloc);
    a.invalid = 0;
  }
  for (unsigned turn = 0; turn < 2; turn++) { /* two each; one goes in the first turn */
    until_it_ages(b, false);
    assert_false(send(b, &a).alloc);
    until_it_ages(b, true);
    if (!turn) assert_false(send(b, &a).alloc);
  }
  apcm_access hits = a;
  hits.hit = true;
  hits.way = 1;
  send(b, &hits); /* of all the second one, and way 1 has two again */
  until_it_ages(b, false);
  apcm_access_answer took = send(b, &a);
  assert_true(took.alloc);
  assert_int_equal(took.way, 0); /* the oldest */
  a.rank[0] = 0;
  a.rank[1] = 3;
  until_it_ages(b, false);
  assert_int_equal(send(b, &a).way, 2); /* way 1 is kept */
  apcm_access pins = request(b, 1, &p, 96);
  pins.rank[0] = 0;
  pins.rank[1] = 3;
  took = send(b, &pins);
  assert_true(took.protect);
  assert_int_equal(took.way, 1);
}

/* Whatever the period of a kernel's accesses, each set meets look-ups that take credit. */
static void credit_goes_at_any_period(void **state) {
  (void)state;
  for (unsigned period = 2; period <= 64; period++) {
    apcm_bench *b = open_unit("paper", NULL);
    bool met = false;
    for (unsigned i = 0; i < 64 * period && !met; i++) {
      met = i % period == 0 && apcm_ref_ages(&b->ref);
      hit(b, 9, PC_B, i % period ? 7 : 8, 0);
    }
    assert_true(met);
    wf_test_finish(b);
  }
}

/* What a request taught acts on loads from the third edge on; what it taught before a kernel's
 * start is forgotten. */
static void taught_three_edges_later(void **state) {
  (void)state;
  for (unsigned wait = 0; wait < 4; wait++) {
    apcm_bench *b = open_unit("paper", NULL);
    apcm_bench_configure(b, &(apcm_settings){.bypass = true, .protect = true, .threshold = 1});
    event(b, APCM_WARP_START, 0, 0);
    miss(b, 0, PC_A, 1);
    apcm_load_answer l = load(b, 0, PC_A), known;
    apcm_access a = request(b, 0, &l, 1);
    send(b, &a);
    if (wait == 3) event(b, APCM_KERNEL_START, 0, 0);
    for (unsigned i = 0; i < wait; i++) ok(b, apcm_bench_cycle(b, NULL));
    ok(b, apcm_bench_load(b, &(apcm_load){.warp = 1, .pc = PC_A}, &known));
    assert_int_equal(known.method, wait == 2 ? APCM_PROTECT : APCM_NORMAL);
    wf_test_finish(b);
  }
}

static void modes(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 4; mode++) {
    apcm_bench *b = open_unit("paper", NULL);
    apcm_bench_configure(
        b, &(apcm_settings){.bypass = mode & 1, .protect = mode & 2, .threshold = 15});
    learn_a_in_loop(b);
    event(b, APCM_KERNEL_START, 0, 0);
    event(b, APCM_WARP_START, 0, 0);
    for (unsigned i = 0; i < 3; i++) miss(b, 0, PC_A, 1);
    miss(b, 0, PC_B, 2);
    watched_ends(b, 0);
    assert_int_equal(load(b, 1, PC_A).method, mode & 2 ? APCM_PROTECT : APCM_NORMAL);
    assert_int_equal(load(b, 1, PC_B).method, mode & 1 ? APCM_BYPASS : APCM_NORMAL);
    /* A bypassed request does not move the L1's rows, but the MTA sees it. */
    wf_test_finish(b);
  }
}

/* An access that acts at an event's edge acts before it; hits of one set at every edge are counted.
 */
static void order_of_one_edge(void **state) {
  (void)state;
  for (unsigned wait = 0; wait < 3; wait++) {
    apcm_bench *b = open_unit("paper", NULL);
    learn_a_in_loop(b);
    apcm_load_answer p = load(b, 1, PC_A);
    apcm_access a = request(b, 1, &p, 3);
    const apcm_event e = {.kind = APCM_WARP_EXIT, .warp = 1};
    bool acted = false, left = false; /* the access is offered at edge 1, and acts at edge 2 */
    for (unsigned i = 0; i < 6; i++) {
      const apcm_offers o = {.access = i == 1 ? &a : NULL, .exit = i >= wait && !left ? &e : NULL};
      ok(b, apcm_bench_cycle(b, &o));
      acted |= b->ref.access_answer.protect && b->ref.access_answer.valid;
      left |= o.exit && b->taken.exit;
    }
    assert_true(acted && left); /* the event acts at edge 1 + wait */
    assert_int_equal(apcm_ref_psb(&b->ref), wait == 0 ? 2 : 0);
    wf_test_finish(b);
  }
  apcm_bench *b = open_unit("paper", NULL);
  learn_a_in_loop(b);
  apcm_load_answer n = load(b, 1, PC_B);
  apcm_access a = request(b, 1, &n, 3);
  a.hit = true;
  a.way = 2;
  unsigned taken = 0, edges = 0;
  for (; taken < 6; edges++) {
    ok(b, apcm_bench_cycle(b, &(apcm_offers){.access = &a}));
    taken += b->taken.access;
  }
  ok(b, apcm_bench_rest(b));
  assert_int_equal(edges, 10); /* the first two at once, then each waits for the one before */
  assert_int_equal(b->ref.line[3][2].count, taken);
  wf_test_finish(b);
}

/* Events of warps that are not asked for change nothing; a request inside asks for its warp. */
TEST(events_that_are_not_asked_for, "paper", NULL) {
  learn_a_in_loop(b);
  event(b, APCM_WARP_START, 7, 0); /* a warp was watched */
  assert_false(apcm_ref_ask_start(&b->ref));
  apcm_load_answer p = load(b, 1, PC_A);
  apcm_access a = request(b, 1, &p, 3);
  assert_int_equal(wf_port_get(b->p.ask_done), 0);
  for (uint32_t warp = 0; warp < 4; warp++) {
    event(b, APCM_LOAD_DONE, warp, p.id);
    event(b, APCM_WARP_EXIT, warp, 0);
  }
  ok(b, apcm_bench_cycle(b, &(apcm_offers){.access = &a}));
  assert_int_equal(wf_port_get(b->p.ask_done), 2);
  assert_int_equal(wf_port_get(b->p.ask_exit), 2);
  ok(b, apcm_bench_cycle(b, NULL));
  assert_true(b->ref.access_answer.protect);
  event(b, APCM_LOAD_DONE, 2, p.id);
  event(b, APCM_WARP_EXIT, 3, 0);
  assert_int_equal(wf_port_get(b->p.psb), 2);
  event(b, APCM_WARP_EXIT, 1, 0);
  assert_int_equal(wf_port_get(b->p.ask_exit), 0);
  event(b, APCM_KERNEL_START, 0, 0);
  assert_true(apcm_ref_ask_start(&b->ref));
  event(b, APCM_WARP_START, 5, 0);
  assert_int_equal(wf_port_get(b->p.ask_done), 0);
  assert_int_equal(wf_port_get(b->p.ask_exit), 1u << 5);
}

/* Of warps that start in cycles one after the other the first is watched. */
TEST(two_warps_start, "paper", NULL) {
  const apcm_event first = {.kind = APCM_WARP_START, .warp = 4}, second = {.warp = 9};
  ok(b, apcm_bench_rest(b));
  ok(b, apcm_bench_cycle(b, &(apcm_offers){.start = &first}));
  ok(b, apcm_bench_cycle(b, &(apcm_offers){.start = &second}));
  ok(b, apcm_bench_rest(b));
  assert_int_equal(wf_port_get(b->p.ask_exit), 1u << 4);
}

/* Warps 1 to 3 pin lines: 1 leaves the loop, a load of 2 ends, and warp 3. */
enum { EVENT_EDGES = 12 };
static unsigned first_clear(const uint64_t *psb, unsigned warp) {
  unsigned at = 0;
  while (at < EVENT_EDGES && psb[at] >> warp & 1) at++;
  return at;
}

/* Offers of one edge: a loop's exit goes first, then the load's end, then the warp's exit; an exit
 * that came before the end goes before it. */
static void order_of_events(void **state) {
  (void)state;
  for (unsigned late = 0; late < 2; late++) {
    apcm_bench *b = open_unit("paper", NULL);
    learn_a_in_loop(b);
    const apcm_load_answer p = load(b, 1, PC_A), other = load(b, 1, PC_B);
    for (uint32_t w = 1; w < 4; w++) {
      apcm_access a = request(b, w, &p, w);
      if (w == 2) a.last = other.id;
      assert_true(send(b, &a).protect);
    }
    move(b, 1, PC_A + 16, PC_A - 16, true);
    const apcm_move leaves = {.warp = 1, .from = PC_A + 16, .to = PC_A + 17};
    const apcm_event done = {.kind = APCM_LOAD_DONE, .warp = 2, .id = other.id},
                     exits = {.kind = APCM_WARP_EXIT, .warp = 3};
    ok(b, apcm_bench_cycle(b, &(apcm_offers){.move = &leaves}));
    bool has_done = true, has_exit = true;
    uint64_t psb[EVENT_EDGES];
    for (unsigned i = 0; i < EVENT_EDGES; i++) {
      const apcm_offers o = {.done = has_done && i >= late ? &done : NULL,
                             .exit = has_exit ? &exits : NULL};
      ok(b, apcm_bench_cycle(b, &o));
      has_done &= !(o.done && b->taken.done);
      has_exit &= !(o.exit && b->taken.exit);
      psb[i] = wf_port_get(b->p.psb);
    }
    assert_int_equal(first_clear(psb, 1), 1);
    assert_int_equal(first_clear(psb, 2), late ? 5 : 3);
    assert_int_equal(first_clear(psb, 3), late ? 3 : 5);
    wf_test_finish(b);
  }
}

/* Loads that enter together are counted before a branch is taken, and an exit waits for them. */
TEST(loads_enter_together, "paper", NULL) {
  learn_a_in_loop(b);
  pin(b, 1, 3);
  move(b, 1, PC_A + 16, PC_A - 16, true);
  const apcm_move leaves = {.warp = 1, .from = PC_A + 16, .to = PC_A + 17};
  ok(b, apcm_bench_cycle(b, &(apcm_offers){.lsu_in = 4}));
  ok(b, apcm_bench_cycle(b, &(apcm_offers){.move = &leaves, .lsu_in = 3, .lsu_out = true}));
  for (unsigned late = 0; late < 5; late++) {
    assert_false(b->taken.move);
    ok(b, apcm_bench_cycle(b, &(apcm_offers){.move = &leaves}));
  }
  assert_true(b->taken.move); /* six edges count six of seven, and this one the last */
  for (unsigned left = 1; left < 7; left++) {
    for (unsigned i = 0; i < 4; i++) ok(b, apcm_bench_cycle(b, NULL));
    assert_int_equal(wf_port_get(b->p.psb), 2);
    ok(b, apcm_bench_cycle(b, &(apcm_offers){.lsu_out = true}));
  }
  ok(b, apcm_bench_rest(b));
  assert_int_equal(wf_port_get(b->p.psb), 0);
}

/* Idle: nothing changes at 200 edges with garbage on all payloads; and withheld edges change
 * nothing. */
static void idle_is_stable(void **state) {
  (void)state;
  for (unsigned gate = 0; gate <= 100; gate += 100) {
    apcm_bench *b = open_unit("paper", NULL);
    b->base.gate_percent = gate;
    learn_a_in_loop(b);
    assert_true(miss(b, 1, PC_A, 3).protect);
    for (unsigned i = 0; i < 200; i++) ok(b, apcm_bench_cycle(b, NULL));
    assert_int_equal(load(b, 1, PC_A).method, APCM_PROTECT);
    assert_int_equal(apcm_ref_psb(&b->ref), 2);
    wf_test_finish(b);
  }
}

TEST(counters_count, "paper", NULL) {
  learn_a_in_loop(b);
  ok(b, wf_bench_check_counters(b) && wf_bench_clear_counters(b));
  miss(b, 1, PC_A, 3);
  hit(b, 1, PC_A, 3, 0);
  loop_exit(b, 1, PC_A, PC_A);
  miss(b, 2, PC_B, 3);
  const uint64_t *c = b->ref.counter;
  assert_int_equal(c[APCM_CNT_loads], 3);
  assert_int_equal(c[APCM_CNT_loads_protect], 2);
  assert_int_equal(c[APCM_CNT_accesses], 3);
  assert_int_equal(c[APCM_CNT_allocs], 2);
  assert_int_equal(c[APCM_CNT_protected], 1);
  assert_int_equal(c[APCM_CNT_psb_loop], 1);
}

/* Each warp pins a line within four edges, wherever the counters' hand is: none of four is lost. */
TEST(pins_between_two_visits_of_the_hand, "small", NULL) {
  learn_a_in_loop(b);
  ok(b, wf_bench_check_counters(b) && wf_bench_clear_counters(b));
  for (unsigned turn = 0; turn < 12; turn++) {
    apcm_access a[4];
    for (unsigned w = 0; w < 4; w++) {
      const apcm_load_answer l = load(b, w, PC_A);
      a[w] = request(b, w, &l, 4 * turn + w);
    }
    for (unsigned i = 0; i < turn; i++) ok(b, apcm_bench_cycle(b, &(apcm_offers){0}));
    for (unsigned w = 0; w < 4; w += b->taken.access)
      ok(b, apcm_bench_cycle(b, &(apcm_offers){.access = &a[w]}));
    ok(b, apcm_bench_rest(b));
    assert_int_equal(apcm_ref_psb(&b->ref), 15);
    ok(b, wf_bench_check_counters(b));
    for (unsigned w = 0; w < 4; w++) event(b, APCM_WARP_EXIT, w, 0);
  }
  assert_int_equal(b->ref.counter[APCM_CNT_psb_sets], 48);
}

static void wrong_parameters_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"MtaEntries=12 MtaWays=5",
                                      "MtaEntries=12",
                                      "NumWarp=65",
                                      "Ids=1",
                                      "LineBits=5",
                                      "CreditBits=5",
                                      "AgeBits=0",
                                      "Loops=9",
                                      "Exits=9",
                                      "EnterBits=7",
                                      "LsuBits=8"};
  WF_TEST_REFUSED(&apcm_bench_class, "paper", wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_2_every_row),
      cmocka_unit_test(figure_11),
      cmocka_unit_test(first_16_loads_are_tracked),
      cmocka_unit_test(uncoalesced_loads),
      cmocka_unit_test(hit_in_l1_and_miss_in_mta),
      cmocka_unit_test(cait_is_overwritten_by_more_accesses),
      cmocka_unit_test(count_above_threshold_tells_at_once),
      cmocka_unit_test(counts_saturate_together),
      cmocka_unit_test(kernel_start_forgets_everything),
      cmocka_unit_test(kernel_start_stops_a_scan),
      cmocka_unit_test(one_warp_is_watched),
      cmocka_unit_test(protection_ends_with_the_last_load),
      cmocka_unit_test(protection_ends_with_the_loop),
      cmocka_unit_test(outermost_loops),
      cmocka_unit_test(exits_wait_for_loads),
      cmocka_unit_test(credit),
      cmocka_unit_test(credit_goes_at_any_period),
      cmocka_unit_test(dropped_protection_does_not_return),
      cmocka_unit_test(one_load_per_warp),
      cmocka_unit_test(victims),
      cmocka_unit_test(renewal),
      cmocka_unit_test(taught_three_edges_later),
      cmocka_unit_test(modes),
      cmocka_unit_test(order_of_one_edge),
      cmocka_unit_test(events_that_are_not_asked_for),
      cmocka_unit_test(two_warps_start),
      cmocka_unit_test(order_of_events),
      cmocka_unit_test(loads_enter_together),
      cmocka_unit_test(idle_is_stable),
      cmocka_unit_test(counters_count),
      cmocka_unit_test(pins_between_two_visits_of_the_hand),
      cmocka_unit_test(wrong_parameters_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
