/* Random transfers over several shapes. */
#include "tb/common/wf_test.h"
#include "tb/foo/foo_bench.h"

static const wf_plan plans[] = {
    {"paper", NULL, 100},
    {"small", NULL, 100},
    {"odd", NULL, 100},
    {"paper", "Ways=1", 50},
    {"paper", "Ways=16 CounterBits=0", 50},
};

static foo_request random_request(foo_bench *b) {
  wf_rng *rng = &b->base.rng;
  const uint32_t all = (1u << b->ways) - 1;
  foo_request r = {.miss = wf_rng_below(rng, 4) != 0};
  r.reserved = wf_rng_below(rng, 4) ? (uint32_t)wf_rng_next(rng) & all : all;
  r.invalid = (uint32_t)wf_rng_next(rng) & (uint32_t)wf_rng_next(rng) & all;
  for (unsigned w = 0; w < b->ways; w++) { /* a shuffle */
    const unsigned other = (unsigned)wf_rng_below(rng, w + 1);
    r.rank[w] = r.rank[other];
    r.rank[other] = (uint8_t)w;
  }
  return r;
}

static bool run(void *bench, uint64_t edges) {
  foo_bench *b = bench;
  for (uint64_t i = 0; i < edges; i++) {
    const foo_request r = random_request(b);
    const bool load = wf_rng_below(&b->base.rng, 2), ask = wf_rng_below(&b->base.rng, 3);
    if (i % 64 == 63) {
      if (!foo_bench_rest(b)) return false;
      foo_bench_configure(b, wf_rng_below(&b->base.rng, 2));
    }
    if (!foo_bench_cycle(b, load, ask ? &r : NULL)) return false;
  }
  return wf_bench_check_counters(b) && wf_bench_clear_counters(b) && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_transfers",
                                 .cls = &foo_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 40000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
