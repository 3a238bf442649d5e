/* Random reads over several shapes; which leaders miss more changes now and then. */
#include "tb/common/wf_test.h"
#include "tb/flexcl/flexcl_bench.h"

static const wf_plan plans[] = {{"paper", NULL, 200}, {"small", NULL, 150},
                                {"odd", NULL, 150},   {"paper", "Sets=2 Leaders=1 PselBits=4", 50},
                                {"bare", NULL, 100},  {"paper", "CounterBits=0", 50}};

static unsigned below(flexcl_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

/* Leading sets come often. */
static flexcl_request random_request(flexcl_bench *b, unsigned non_rate, unsigned excl_rate) {
  const unsigned group = below(b, b->leaders) * b->sets / b->leaders, kind = below(b, 3);
  flexcl_request r = {.keeps = below(b, 8) != 0};
  r.set = kind == 0 ? group : kind == 1 ? group + b->sets / (2 * b->leaders) : below(b, b->sets);
  r.miss = below(b, 8) < (kind == 0 ? non_rate : kind == 1 ? excl_rate : 4);
  return r;
}

static bool run(void *bench, uint64_t edges) {
  flexcl_bench *b = bench;
  unsigned non_rate = 4, excl_rate = 4, rate = 1;
  bool well = true;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 4096 == 0) {
      non_rate = 1 + below(b, 8);
      excl_rate = 1 + below(b, 8);
      rate = 1 + below(b, 4);
    }
    if (i % 1024 == 1000) {
      well = wf_edge_rest(b) && wf_bench_check_counters(b) &&
             (below(b, 2) || wf_bench_clear_counters(b)) &&
             (i % 32768 != 1000 || wf_bench_reset(b));
      continue;
    }
    const flexcl_request r = random_request(b, non_rate, excl_rate);
    well = wf_edge(b, below(b, rate) ? NULL : &r);
  }
  return well && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_reads",
                                 .cls = &flexcl_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 120000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
