/* Random issue stages and units on both sides of spref_edge, over several shapes. */
#include "tb/common/wf_test.h"
#include "tb/spref/edge/edge_bench.h"

static const wf_plan plans[] = {{"paper", NULL, 150},
                                {"small", NULL, 250},
                                {"four", NULL, 150},
                                {"odd", NULL, 200},
                                {"tiny", NULL, 100},
                                {"bare", NULL, 50},
                                {"small", "NumWarp=64 Tries=8", 100},
                                {"small", "Lanes=64 CntLanes=64 CounterBits=0", 50}};

/* What stands at the ports, and how busy both sides are, in sixteenths. */
typedef struct scene {
  edge_says says;
  unsigned rate, ready;
  uint64_t loads; /* warps whose next instruction is a load */
  bool drains;
} scene;

static unsigned below(edge_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}
static bool now_and_then(edge_bench *b, unsigned rate) {
  return below(b, 16) < rate;
}
static uint64_t some(edge_bench *b) {
  const uint64_t all = b->warps == 64 ? ~(uint64_t)0 : ((uint64_t)1 << b->warps) - 1;
  uint64_t mask = wf_rng_next(&b->base.rng) & all;
  for (unsigned i = below(b, 6); i; i--) mask &= wf_rng_next(&b->base.rng);
  return mask;
}
static void fill(edge_bench *b, uint32_t *word, unsigned bits) {
  for (unsigned i = 0; 32 * i < bits; i++) word[i] = (uint32_t)wf_rng_next(&b->base.rng);
}
/* Few, so that tests are met; some differ in high bits. */
static uint64_t random_pc(edge_bench *b) {
  const uint64_t all = b->pc_bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << b->pc_bits) - 1;
  return below(b, 4) | (below(b, 4) ? 0 : wf_rng_next(&b->base.rng) & all & ~(uint64_t)3);
}
/* One that exists differs from it in one bit. */
static uint64_t near_pc(edge_bench *b, uint64_t pc) {
  return below(b, 2) ? pc : pc ^ (uint64_t)1 << below(b, b->pc_bits);
}
/* Branches and tests come often. */
static unsigned random_op(edge_bench *b) {
  return below(b, 2) ? below(b, 16) : EDGE_SETP + below(b, 2);
}

/* Where a test is it stays. */
static void random_tests(edge_bench *b, edge_tests *t) {
  const bool test_was = t->test_v, pre_was = t->pre_v;
  if (below(b, 8) == 0) t->test_v = !t->test_v;
  if (below(b, 8) == 0) t->pre_v = !t->pre_v;
  if (!test_was) t->test_pc = random_pc(b);
  if (!pre_was) t->pre_pc = below(b, 8) ? random_pc(b) : t->test_pc;
}

static void random_unit(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  const bool all = c->drains;
  s->quiet = below(b, 2);
  s->in_ready = all || now_and_then(b, c->ready);
  s->cnt_ready = all || now_and_then(b, c->ready);
  s->need = below(b, 4) ? below(b, 256) : 0;
  s->held = some(b);
  s->ask = all || below(b, 3) == 0 ? 0 : some(b);
  s->hold = all ? 0 : s->ask | some(b);
  s->wait = below(b, 4) ? some(b) : 0;
  random_tests(b, &s->tests);
}

static unsigned random_warp(edge_bench *b) {
  return below(b, b->warps < 3 ? b->warps : 3 + below(b, b->warps - 2));
}

/* Those that go, which they do if they may. */
static void random_tries(edge_bench *b, scene *c) {
  const uint64_t stopped = edge_bench_stopped(b, &c->says);
  const edge_tests *tests = &c->says.tests;
  for (unsigned k = 0; k < b->tries; k++) {
    edge_try *t = &c->says.tries[k];
    *t = (edge_try){.is = {.warp = random_warp(b), .pc = random_pc(b), .op = random_op(b)},
                    .plain = below(b, 4) == 0,
                    .end = below(b, 8) == 0};
    if (below(b, 4) == 0) t->is.pc = near_pc(b, below(b, 2) ? tests->test_pc : tests->pre_pc);
    t->goes = !c->drains && now_and_then(b, c->rate) && !(stopped >> t->is.warp & 1);
    fill(b, t->is.data, b->data_bits);
  }
}

/* One of the loads that went in issues; its warp's next instruction may be a load at once. */
static void random_loads(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  const uint64_t in = b->has_in ? (uint64_t)1 << b->in.warp : 0,
                 may = b->told & ~in & ~edge_bench_stopped(b, s);
  s->load = c->loads;
  s->buffer = (edge_instruction){.pc = random_pc(b), .op = below(b, 4) ? EDGE_LOAD : random_op(b)};
  fill(b, s->buffer.data, b->data_bits);
  s->ld = 0;
  if (may && (c->drains || now_and_then(b, c->rate))) {
    uint64_t m = may;
    for (unsigned n = below(b, (unsigned)__builtin_popcountll(may)); n; n--) m &= m - 1;
    s->ld = m & -m;
    c->loads &= ~s->ld;
  }
  if (!c->drains && now_and_then(b, c->rate)) c->loads |= some(b);
}

static void random_rest(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  s->have = some(b) | (below(b, 2) ? some(b) : 0);
  s->stirs = s->ld || (!c->drains && below(b, 8) == 0);
}

static bool edge(edge_bench *b, scene *c) {
  random_unit(b, c);
  random_loads(b, c);
  random_tries(b, c);
  random_rest(b, c);
  return edge_bench_edge(b, &c->says);
}

/* Loads that were told issue; nothing more comes. */
static bool drain(edge_bench *b, scene *c) {
  bool well = true;
  c->drains = true;
  for (unsigned i = 0; i < 10000 && well && (b->told | c->loads); i++) well = edge(b, c);
  c->drains = false;
  return well && wf_edge_rest(b) && (below(b, 4) == 0 || wf_bench_check_counters(b)) &&
         (below(b, 2) || wf_bench_clear_counters(b));
}

static void new_habits(edge_bench *b, scene *c) {
  c->rate = below(b, 16) + 1;
  c->ready = 4 + below(b, 13);
}

static bool run(void *bench, uint64_t edges) {
  edge_bench *b = bench;
  scene *c = calloc(1, sizeof *c);
  bool well = c || wf_bench_fail(&b->base, "no memory");
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 512 == 0) {
      well = drain(b, c) && (i % 8192 || wf_bench_reset(b));
      c->says = edge_bench_nothing();
      new_habits(b, c);
    }
    if (well) well = edge(b, c);
  }
  well = well && drain(b, c) && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
  free(c);
  return well;
}

int main(void) {
  static const wf_random test = {.name = "random_sms",
                                 .cls = &edge_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 150000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
