/* Random SMs and units on both sides of spref_edge, over several shapes and ratios of the clocks.
 */
#include "tb/common/wf_test.h"
#include "tb/spref/edge/edge_bench.h"

static const wf_plan plans[] = {{"paper", NULL, 100},
                                {"small", NULL, 300},
                                {"odd", NULL, 250},
                                {"tiny", NULL, 100},
                                {"bare", NULL, 50},
                                {"small", "NumWarp=64 Tries=8", 100},
                                {"begun", NULL, 200},
                                {"odd", "Ahead=0", 100},
                                {"small", "Lanes=64 CntLanes=64 CounterBits=0", 100}};

/* What stands at the ports until the unit's next edge, and how busy both are. */
typedef struct scene {
  edge_says says;
  unsigned ratio, phase, rate, ready;
  uint64_t loads; /* warps whose next instruction is a load */
  bool drains;
  edge_load ld;
  edge_sum sum;
  edge_done done;
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
/* Branches and tests come often. */
static unsigned random_op(edge_bench *b) {
  return below(b, 2) ? below(b, 9) : EDGE_SETP + below(b, 2);
}

/* The unit's side is anew after each of its edges. */
static void new_unit(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  const bool all = c->drains;
  s->quiet = below(b, 2);
  s->in_ready = all || now_and_then(b, c->ready);
  s->cnt_ready = all || now_and_then(b, c->ready);
  s->ld_ready = all || now_and_then(b, c->ready);
  s->done_ready = now_and_then(b, c->ready);
  s->inj_valid = below(b, 2);
  s->test_v = below(b, 2);
  s->pre_v = below(b, 2);
  s->test_pc = random_pc(b);
  s->pre_pc = random_pc(b);
  s->held = some(b);
  s->go = all || below(b, 2) ? b->told : b->told & some(b);
  s->ask = below(b, 3) ? some(b) : 0;
  s->hold = some(b);
  s->wait = some(b);
}

/* Those that go, which they do if they may. */
static void random_tries(edge_bench *b, scene *c) {
  for (unsigned k = 0; k < b->tries; k++) {
    edge_try *t = &c->says.tries[k];
    *t = (edge_try){.is = {.warp = below(b, b->warps < 3 ? b->warps : 3 + below(b, b->warps - 2)),
                           .pc = random_pc(b),
                           .op = random_op(b)},
                    .plain = below(b, 4) == 0,
                    .end = below(b, 8) == 0,
                    .goes = !c->drains && now_and_then(b, c->rate)};
    fill(b, t->is.data, b->data_bits);
  }
}

static void random_addresses(edge_bench *b, edge_addresses *a) {
  a->far = below(b, 2);
  fill(b, a->word, b->lanes * b->address_bits);
}

static void random_loads(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  const uint64_t may = s->go & b->told, began = c->loads;
  s->ld = NULL;
  if (s->ld_ready && !b->has_ld && may && (c->drains || now_and_then(b, c->rate))) {
    uint64_t m = may;
    for (unsigned n = below(b, (unsigned)__builtin_popcountll(may)); n; n--) m &= m - 1;
    c->ld = (edge_load){
        .warp = (unsigned)__builtin_ctzll(m), .type = below(b, 16), .over = below(b, 2)};
    random_addresses(b, &c->ld.base);
    s->ld = &c->ld;
    c->loads &= ~((uint64_t)1 << c->ld.warp);
    s->go &= ~((uint64_t)1 << c->ld.warp) | (s->tick ? 0 : ~(uint64_t)0);
  }
  if (!c->drains && now_and_then(b, c->rate)) c->loads |= some(b);
  s->load = b->ahead ? c->loads : began;
  s->load_then = below(b, 2) ? began : s->load;
  s->buffer = (edge_instruction){.pc = random_pc(b), .op = 5};
  fill(b, s->buffer.data, b->data_bits);
}

static void random_injected(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  const unsigned rate = c->drains ? 0 : c->rate;
  s->take = s->inj_valid && !b->has_take && now_and_then(b, rate);
  s->sum = !b->has_sum && now_and_then(b, rate) ? &c->sum : NULL;
  s->sum_ready = c->drains || now_and_then(b, c->ready);
  s->done = s->done_ready && !b->has_done && now_and_then(b, rate) ? &c->done : NULL;
  c->sum.slot = below(b, b->waiting);
  random_addresses(b, &c->sum.at);
  c->done = (edge_done){
      .warp = below(b, b->warps), .reg = below(b, 1u << b->reg_bits), .fault = below(b, 2)};
  s->iss = now_and_then(b, rate) ? some(b) : 0;
  s->have = some(b) | (below(b, 2) ? some(b) : 0);
}

static bool edge(edge_bench *b, scene *c) {
  edge_says *s = &c->says;
  s->tick = c->phase == 0;
  s->need = below(b, 256);
  const uint64_t go = s->go;
  random_loads(b, c);
  s->go = go;
  random_tries(b, c);
  random_injected(b, c);
  if (!wf_edge(b, s)) return false;
  if (s->tick) new_unit(b, c);
  c->phase = c->phase ? c->phase - 1 : c->ratio - 1;
  return true;
}

/* Loads that were told issue; nothing more comes. */
static bool drain(edge_bench *b, scene *c) {
  bool well = true;
  c->drains = true;
  for (unsigned i = 0; i < 10000 && well && (b->told | c->loads); i++) well = edge(b, c);
  c->drains = false;
  return well && wf_edge_rest(b) && wf_bench_check_counters(b) &&
         (below(b, 2) || wf_bench_clear_counters(b));
}

static void new_habits(edge_bench *b, scene *c) {
  c->ratio = 1 + below(b, 4);
  c->phase = 0;
  c->rate = 1 + below(b, 15);
  c->ready = 4 + below(b, 13);
}

static bool run(void *bench, uint64_t edges) {
  edge_bench *b = bench;
  scene *c = calloc(1, sizeof *c);
  bool well = true;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 512 == 0) {
      well = drain(b, c) && (i % 8192 || wf_bench_reset(b));
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
