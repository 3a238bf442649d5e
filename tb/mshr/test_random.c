/* Random requests and fills over several shapes. */
#include "tb/common/wf_test.h"
#include "tb/mshr/mshr_bench.h"

static const wf_plan plans[] = {
    {"paper", NULL, 150},
    {"gtx480", NULL, 150},
    {"small", NULL, 200},
    {"odd", NULL, 200},
    {"small", "Entries=1 Merge=1", 50},
    {"odd", "Entries=5 Merge=1 SubBits=1", 50},
    {"full", "Entries=2 Merge=3 CounterBits=0", 50},
};

/* How the traffic is for a while. */
typedef struct traffic {
  unsigned lines;           /* that are asked for */
  unsigned requests, fills; /* one cycle in so many */
  unsigned gives_up;        /* one refused request in so many */
} traffic;

static unsigned below(mshr_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

static traffic random_traffic(mshr_bench *b) {
  const uint64_t most = UINT64_C(1) << b->shape.line_bits;
  const unsigned lines = 1 + below(b, 2 * b->shape.entries + 2);
  return (traffic){.lines = lines < most ? lines : (unsigned)most,
                   .requests = 1 + below(b, 3),
                   .fills = 1 + below(b, 12),
                   .gives_up = 1 + below(b, 6)};
}

/* A line that is on its way, from a random place on. */
static bool random_fill(mshr_bench *b, mshr_offer *o) {
  const unsigned n = b->shape.entries, first = below(b, n);
  for (unsigned i = 0; i < n; i++) {
    o->entry = (first + i) % n;
    if (b->waiting[o->entry].n) return true;
  }
  return false;
}

static mshr_offer random_offer(mshr_bench *b, const traffic *t, const mshr_offer *last) {
  mshr_offer o = {0};
  const bool refused = last->request && !b->taken;
  if (refused && below(b, t->gives_up)) {
    o.request = true;
    o.line = last->line;
    o.sub = last->sub;
  } else if (!below(b, t->requests)) {
    const uint64_t most = (UINT64_C(1) << b->shape.line_bits) - 1;
    o.request = true;
    o.line = below(b, t->lines);
    if (!below(b, 4)) o.line = most - o.line; /* of all bits */
    o.sub = wf_rng_next(&b->base.rng);
  }
  o.fill = !below(b, t->fills) && random_fill(b, &o);
  if (o.fill && !below(b, 8)) { /* asked for as it comes */
    o.request = true;
    o.line = b->waiting[o.entry].line;
    o.sub = wf_rng_next(&b->base.rng);
  }
  return o;
}

static bool drain(mshr_bench *b) {
  mshr_offer o = {.fill = true};
  bool well = true;
  while (well && random_fill(b, &o)) well = wf_edge(b, &o);
  return well && wf_edge_rest(b);
}

/* A snapshot leaves the totals as they are. */
static bool check_twice(void *bench) {
  bool well = true;
  for (unsigned i = 0; i < 2 && well; i++) well = wf_bench_check_counters(bench);
  return well;
}

static bool run(void *bench, uint64_t edges) {
  mshr_bench *b = bench;
  traffic t = {0};
  mshr_offer last = {0};
  bool well = true;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 512 == 0) t = random_traffic(b);
    if (i % 4096 == 4000) well = drain(b);
    if (well && i % 8192 == 4000) well = check_twice(b) && wf_bench_clear_counters(b);
    if (well && i % 16384 == 9000) {
      well = wf_bench_reset(b);
      last.request = false;
    }
    if (!well) break;
    const mshr_offer o = random_offer(b, &t, &last);
    last = o;
    well = wf_edge(b, o.request || o.fill ? &o : NULL);
  }
  return well && drain(b) && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_requests",
                                 .cls = &mshr_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 120000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
