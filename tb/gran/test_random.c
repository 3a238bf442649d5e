/* Random requests over each predictor in several shapes, at an L1 that follows them. */
#include "tb/common/wf_test.h"
#include "tb/gran/gran_bench.h"

static const wf_plan plans[] = {
    {"paper", NULL, 150},
    {"spp", NULL, 150},
    {"bim", NULL, 150},
    {"small", NULL, 150},
    {"small_spp", NULL, 150},
    {"small_bim", NULL, 150},
    {"bare", NULL, 0}, /* faults made by machine */
    {"bare_spp", NULL, 0},
    {"bare_bim", NULL, 0},
    {"paper", "Ways=1 Sets=2 NapAbove=9", 30},
    {"spp", "Ways=16 SppEntries=16 SppWays=4 CounterBits=0", 30},
    {"bim", "Ways=3 FilterBits=128 Refresh=30 Fine=1", 40},
};

/* What of the L1 the unit is shown. */
typedef struct cache {
  bool valid[GRAN_SETS][GRAN_WAYS];
  uint64_t line[GRAN_SETS][GRAN_WAYS];
  unsigned pattern[16]; /* sectors that a PC likes */
  unsigned down;        /* PCs that miss with the highest of them */
  bool steady;          /* it touches nothing else */
  bool full, runs_out;  /* few PCs touch all sectors; then, in the next kernel, few of them */
  unsigned pcs;
} cache;

static unsigned below(gran_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

/* Lines of few sets, from a range in which some come back; PCs that mostly touch the same. */
static gran_request random_request(gran_bench *b, cache *c, unsigned range) {
  const unsigned sets = b->shape.sets < 4 ? b->shape.sets : 4;
  const uint64_t most_line = (UINT64_C(1) << b->shape.line_bits) - 1,
                 most_pc = (UINT64_C(1) << b->shape.pc_bits) - 1;
  const unsigned pc = below(b, c->pcs);
  /* Of four neighbours each differs from the first in one bit. */
  const uint64_t one = (const uint64_t[]){0, (most_pc + 1) / 2, 2, 1}[pc % 4];
  gran_request r = {.pc = ((pc / 4 * 7 + (pc & 4 ? 0x1234 : 0)) ^ one) & most_pc,
                    .set = below(b, sets),
                    .way = below(b, b->shape.ways),
                    .miss = true};
  r.line = (r.set + (uint64_t)b->shape.sets * below(b, range)) & most_line;
  r.sectors = 1u << below(b, 4);
  if (c->steady || below(b, 3)) r.sectors = c->pattern[pc];
  if (!c->steady && below(b, 4)) r.sectors &= -r.sectors; /* one after the other */
  for (unsigned w = 0; w < b->shape.ways; w++)
    if (c->valid[r.set][w] && c->line[r.set][w] == r.line) r.miss = false, r.way = w;
  if (!r.miss && below(b, 2)) r.sectors = c->pattern[pc];
  if (r.miss && c->down >> pc & 1)
    r.sectors = c->pattern[pc] >= 8 ? 8 : c->pattern[pc] >= 4 ? 4 : 2;
  if (r.miss && (c->full || c->runs_out)) r.sectors = 1u << below(b, 4);
  r.victim = c->valid[r.set][r.way];
  r.victim_line = r.victim ? c->line[r.set][r.way] : wf_rng_next(&b->base.rng) & most_line;
  if (!r.miss) r.victim = below(b, 2); /* of a hit it says nothing */
  return r;
}

static void follow(gran_bench *b, cache *c, const gran_request *r) {
  c->valid[r->set][r->way] = below(b, 64) != 0; /* now and then a store drops it */
  c->line[r->set][r->way] = r->line;
}

/* What PCs touch. Counters of all distances fill in some kernels, and run out in the next. */
static void choose_patterns(gran_bench *b, cache *c) {
  c->runs_out = c->full;
  c->full = !c->runs_out && !below(b, 4);
  if (!c->runs_out) {
    c->steady = c->full || !below(b, 3);
    c->down = below(b, 2) ? below(b, 1 << 16) : 0;
    c->pcs = 1 + below(b, c->full ? 4 : 16);
  }
  for (unsigned i = 0; i < 16; i++) c->pattern[i] = c->full ? 15 : 1 + below(b, 15);
}

static bool begin_kernel(gran_bench *b, cache *c) {
  memset(c->valid, 0, sizeof c->valid);
  choose_patterns(b, c);
  if (!wf_edge_rest(b)) return false;
  gran_bench_configure(b, below(b, 4) != 0);
  return true;
}

static bool run(void *bench, uint64_t edges) {
  gran_bench *b = bench;
  cache *c = calloc(1, sizeof *c);
  bool well = true;
  unsigned range = 8, rate = 2;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 1024 == 0) {
      well = begin_kernel(b, c);
      range = c->full ? 3 : 2 + below(b, 40); /* lines stay until all is touched */
      rate = 1 + below(b, 4) * below(b, 2);
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
    const gran_request r = random_request(b, c, range);
    well = wf_edge(b, &r);
    follow(b, c, &r);
  }
  free(c);
  return well && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_requests",
                                 .cls = &gran_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 120000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
