/* Random traffic of a slice's tags over several shapes: lines come and go, cores meet at them. */
#include "tb/common/wf_test.h"
#include "tb/region/slice/slice_bench.h"

static const wf_plan plans[] = {{"paper", NULL, 200}, {"small", NULL, 150},
                                {"odd", NULL, 150},   {"paper", "Ways=1 Sets=2 Mshrs=2", 50},
                                {"bare", NULL, 100},  {"paper", "Ways=16 CoreBits=8", 50}};

static unsigned below(slice_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

/* Few, that differ in a bit. */
static unsigned random_core(slice_bench *b) {
  return below(b, 2) ? 0 : 1u << below(b, b->core_bits);
}

/* A fill ends an MSHR that is open, a hit finds a line. */
static slice_op random_op(slice_bench *b) {
  slice_op op = {.kind = (slice_kind)below(b, 6),
                 .set = below(b, b->sets < 4 ? b->sets : 4),
                 .way = below(b, b->ways),
                 .mshr = below(b, b->mshrs < 4 ? b->mshrs : 4),
                 .core = random_core(b),
                 .past = below(b, 2),
                 .keeps = below(b, 4) != 0};
  const bool there = b->line[op.set][op.way].there, open = b->flight[op.mshr].open;
  if (op.kind == SLICE_HIT && !there) op.kind = SLICE_VICTIM;
  if ((op.kind == SLICE_JOIN || op.kind == SLICE_FILL) && !open) op.kind = SLICE_MISS;
  op.asks = op.kind <= SLICE_JOIN && below(b, 8) != 0;
  return op;
}

static bool run(void *bench, uint64_t edges) {
  slice_bench *b = bench;
  unsigned rate = 1;
  bool well = true;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 4096 == 0) rate = 1 + below(b, 4);
    if (i % 1024 == 1000) {
      well = wf_edge_rest(b) && wf_bench_check_counters(b) &&
             (below(b, 2) || wf_bench_clear_counters(b)) && (i % 8192 != 1000 || wf_bench_reset(b));
      continue;
    }
    const slice_op op = random_op(b);
    well = wf_edge(b, below(b, rate) ? NULL : &op);
  }
  return well && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_tags",
                                 .cls = &slice_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 120000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
