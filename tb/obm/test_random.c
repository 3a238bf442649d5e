/* Random requests over several shapes, at a cache that follows the answers. */
#include "tb/common/wf_test.h"
#include "tb/obm/obm_bench.h"

static const wf_plan plans[] = {
    {"paper", NULL, 200}, {"small", NULL, 150},           {"odd", NULL, 150},
    {"slice", NULL, 100}, {"paper", "Ways=1 Sets=3", 50}, {"paper", "Ways=16 CounterBits=0", 50},
};

/* What of the cache the unit is shown. */
typedef struct cache {
  bool valid[OBM_MOST_SETS][OBM_MOST_WAYS];
  uint64_t line[OBM_MOST_SETS][OBM_MOST_WAYS];
} cache;

static unsigned below(obm_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

/* Lines of few sets, from a range in which some come back. */
static obm_request random_request(obm_bench *b, const cache *c, unsigned range) {
  const unsigned sets = b->shape.sets < 4 ? b->shape.sets : 4;
  const uint64_t most = (UINT64_C(1) << b->shape.line_bits) - 1;
  obm_request r = {.pc = below(b, 1u << (b->shape.pc_bits < 4 ? b->shape.pc_bits : 4)),
                   .set = below(b, sets),
                   .victim_way = below(b, b->shape.ways),
                   .miss = true,
                   .keep = !below(b, 5)};
  r.line = (r.set + (uint64_t)b->shape.sets * below(b, range)) & most;
  if (!below(b, 8))
    r.line ^= (b->shape.sets * ((UINT64_C(1) << b->shape.hash_bits) + 1)) & most; /* an alias */
  for (unsigned w = 0; w < b->shape.ways; w++)
    if (c->valid[r.set][w] && c->line[r.set][w] == r.line) r.miss = false;
  r.victim = c->valid[r.set][r.victim_way];
  r.victim_line = r.victim ? c->line[r.set][r.victim_way] : wf_rng_next(&b->base.rng) & most;
  return r;
}

/* The model has decided already; the unit is compared with it. */
static void follow(cache *c, const obm_request *r, bool past) {
  if (!r->miss || past) return;
  c->valid[r->set][r->victim_way] = true;
  c->line[r->set][r->victim_way] = r->line;
}

static bool begin_kernel(obm_bench *b, cache *c) {
  memset(c->valid, 0, sizeof c->valid);
  if (!wf_edge_rest(b)) return false;
  obm_bench_seed(b, below(b, 4) ? (uint16_t)wf_rng_next(&b->base.rng) : 0); /* 0 counts as 1 */
  return obm_bench_clear(b);
}

static bool run(void *bench, uint64_t edges) {
  obm_bench *b = bench;
  cache *c = calloc(1, sizeof *c);
  bool well = true;
  unsigned range = 8, rate = 2;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 512 == 0) {
      well = begin_kernel(b, c);
      range = 2 + below(b, 12);
      rate = 1 + below(b, 4);
    }
    if (i % 8192 == 4000) {
      well = well && wf_edge_rest(b) && wf_bench_check_counters(b) && wf_bench_clear_counters(b);
      if (well && i % 16384 == 4000) {
        well = wf_bench_reset(b);
        memset(c->valid, 0, sizeof c->valid);
      }
    }
    if (!well || below(b, rate)) {
      well = well && wf_edge(b, NULL);
      continue;
    }
    const obm_request r = random_request(b, c, range);
    well = wf_edge(b, &r);
    follow(c, &r, b->next.past);
  }
  free(c);
  return well && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_requests",
                                 .cls = &obm_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 120000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
