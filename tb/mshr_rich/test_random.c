/* Random requests and fills over several shapes. */
#include "tb/common/wf_test.h"
#include "tb/mshr_rich/mshr_rich_bench.h"

static const wf_plan plans[] = {
    {"paper", NULL, 100},
    {"small", NULL, 250},
    {"odd", NULL, 250},
    {"small", "Lines=32 Ways=8 Stash=16 Rows=8 Slots=16", 100},
    {"odd", "Lines=6 Rows=2 SubBits=1", 50},
    {"small", "Lines=32 Rows=64 Ways=2 CounterBits=0", 150},
    {"large", NULL, 50},
};

/* How the traffic is for a while. */
typedef struct traffic {
  unsigned lines;           /* that are asked for */
  unsigned requests, fills; /* one cycle in so many */
  unsigned gives_up;        /* one refused request in so many */
  unsigned held_up;         /* one cycle in so many, 0: never */
} traffic;

static unsigned below(rich_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

static traffic random_traffic(rich_bench *b) {
  const uint64_t most = UINT64_C(1) << b->shape.line_bits;
  const unsigned lines = 1 + below(b, 3 * b->shape.lines + 2);
  return (traffic){.lines = lines < most ? lines : (unsigned)most,
                   .requests = 1 + below(b, 3),
                   .fills = 1 + below(b, 20),
                   .gives_up = 1 + below(b, 6),
                   .held_up = below(b, 4)};
}

static bool random_fill(rich_bench *b, rich_offer *o) {
  if (!b->used) return false;
  o->filled = b->at[below(b, b->used)].line;
  return true;
}

static rich_offer random_offer(rich_bench *b, const traffic *t, const rich_offer *last) {
  const uint64_t most = (UINT64_C(1) << b->shape.line_bits) - 1;
  rich_offer o = {.held_up = t->held_up && below(b, t->held_up)};
  if (last->request && !b->taken && below(b, t->gives_up)) {
    o.request = true;
    o.line = last->line;
    o.sub = last->sub;
  } else if (!below(b, t->requests)) {
    o.request = true;
    o.line = below(b, t->lines);
    if (!below(b, 4)) o.line = most - o.line; /* of all bits */
    if (!below(b, 8)) o.line = (o.line << 5 | o.line >> 3) & most;
    if (b->filled && !below(b, 4)) o.line = b->last_filled;
    o.sub = wf_rng_next(&b->base.rng);
  }
  o.fill = !below(b, t->fills) && random_fill(b, &o);
  return o;
}

static bool drain(rich_bench *b) {
  rich_offer o = {.fill = true};
  bool well = true;
  while (well && random_fill(b, &o)) well = wf_edge(b, &o);
  return well && rich_bench_rest(b);
}

static bool run(void *bench, uint64_t edges) {
  rich_bench *b = bench;
  traffic t = {0};
  rich_offer last = {0};
  bool well = true;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 512 == 0) t = random_traffic(b);
    if (i % 4096 == 4000) {
      well = drain(b);
      last.request = false;
    }
    if (well && i % 8192 == 4000) well = wf_bench_check_counters(b) && wf_bench_clear_counters(b);
    if (well && i % 16384 == 9000) {
      well = wf_bench_reset(b);
      last.request = false;
    }
    if (!well) break;
    const rich_offer o = random_offer(b, &t, &last);
    last = o;
    well = wf_edge(b, o.request || o.fill || o.held_up ? &o : NULL);
  }
  return well && drain(b) && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_requests",
                                 .cls = &rich_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 120000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
