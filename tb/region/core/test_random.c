/* Random requests at an L1 that follows the answers, and replies of regions and loads whose habits
 * change, over several shapes. */
#include "tb/common/wf_test.h"
#include "tb/region/core/core_bench.h"

static const wf_plan plans[] = {{"paper", "Period=64 Share=2", 150},
                                {"small", NULL, 150},
                                {"odd", NULL, 150},
                                {"odd_l2", NULL, 100},
                                {"small_rex", NULL, 100},
                                {"bare", NULL, 50},
                                {"rex", "Period=256 Share=3", 50},
                                {"paper", NULL, 100},
                                {"small", "Ways=1 Hashes=8 PcRows=2 Period=2", 50},
                                {"small", "Ways=16 RegionRows=4 Probe=0 CounterBits=0", 50}};

enum { LINES_PER_REGION = 4 }; /* or as many as there is room for */

typedef struct cache {
  bool valid[CORE_MOST_SETS][CORE_MOST_WAYS];
  uint64_t line[CORE_MOST_SETS][CORE_MOST_WAYS];
  unsigned regions, lines;                                    /* of a region */
  unsigned shared, own, range, request_rate, reply_rate, pcs; /* habits of the time */
} cache;

static unsigned below(core_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Low regions and PCs come more often; of a region its first lines, or those about its end. */
static core_request random_request(core_bench *b, const cache *c) {
  core_request r = {.set = below(b, least(b->sets, 3)), .way = below(b, b->ways)};
  r.pc = below(b, 1 + below(b, c->pcs));
  r.line = (uint64_t)below(b, 1 + below(b, c->regions + 1)) * c->lines;
  r.line += below(b, 2) ? below(b, c->range) : (uint64_t)c->lines - below(b, c->range);
  r.line &= (UINT64_C(1) << b->line_bits) - 1;
  r.miss = true;
  for (unsigned w = 0; w < b->ways; w++)
    if (c->valid[r.set][w] && c->line[r.set][w] == r.line) {
      r.miss = false;
      r.hit = below(b, 5) != 0;
      r.way = w;
    }
  return r;
}

static core_reply random_reply(core_bench *b, const cache *c) {
  const unsigned region = below(b, 8) ? below(b, 1 + below(b, c->regions)) : b->regions;
  return (core_reply){.region = region,
                      .shared = below(b, 16) < (region % 2 ? c->shared : 0),
                      .own = below(b, 16) < (region % 3 ? c->own : 0)};
}

static bool begin_kernel(core_bench *b, cache *c) {
  bool well = core_bench_clear(b);
  memset(c->valid, 0, sizeof c->valid);
  c->regions = 2 + below(b, least(b->regions, 6) - 1);
  c->lines = below(b, 2) ? LINES_PER_REGION : (1u << b->line_bits) / (c->regions + 1);
  const unsigned turn = below(b, c->regions); /* mapped in any order */
  for (unsigned i = 0; i < c->regions && well; i++) {
    const unsigned r = (i + turn) % c->regions;
    const uint64_t first = (uint64_t)r * c->lines;
    well = core_bench_map(b, r, first, first + below(b, c->lines + 2)); /* some overlap */
  }
  return well;
}

static void new_habits(core_bench *b, cache *c) {
  c->shared = below(b, 4) * below(b, 4);
  c->own = below(b, 4) * below(b, 4);
  c->range = 1 + below(b, 12);
  c->pcs = 2 + below(b, least(1u << least(b->pc_bits, 5), 24) - 1);
  c->request_rate = 1 + below(b, 3);
  c->reply_rate = 1 + below(b, 4);
}

static bool edge(core_bench *b, cache *c) {
  const core_request q = random_request(b, c);
  const core_reply r = random_reply(b, c);
  const bool asks = !below(b, c->request_rate), replies = !below(b, c->reply_rate);
  const core_request before = b->request;
  if (!core_bench_cycle(b, asks ? &q : NULL, replies ? &r : NULL)) return false;
  if (b->answer.valid && before.miss && !b->answer.past_l1) {
    c->valid[before.set][before.way] = true;
    c->line[before.set][before.way] = before.line;
  }
  return true;
}

static bool pause(core_bench *b, cache *c, uint64_t i) {
  bool well = wf_edge_rest(b) && wf_bench_check_counters(b);
  if (well && below(b, 2)) well = wf_bench_clear_counters(b);
  if (well && i % 32768 == 4000) {
    well = wf_bench_reset(b);
    memset(c->valid, 0, sizeof c->valid);
  }
  return well;
}

static bool run(void *bench, uint64_t edges) {
  core_bench *b = bench;
  cache *c = calloc(1, sizeof *c);
  bool well = true;
  c->regions = 2;
  c->lines = LINES_PER_REGION;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 8192 == 0) well = begin_kernel(b, c);
    if (i % 512 == 0) new_habits(b, c);
    if (well && i % 4096 == 4000) well = pause(b, c, i);
    if (well) well = edge(b, c);
  }
  free(c);
  return well && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_requests",
                                 .cls = &core_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 300000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
