/* Random loads and replies over several shapes. */
#include "tb/common/wf_test.h"
#include "tb/prt/prt_bench.h"

static const wf_plan plans[] = {
    {"paper", NULL, 200},
    {"slots", NULL, 150},
    {"small", NULL, 200},
    {"places", NULL, 200},
    {"small", "Entries=1 Lanes=1 OffBits=1 LoadBits=1", 50},
    {"places", "Entries=5 Lanes=32 LaneSlots=32", 100},
    {"half", "Lanes=7 OffBits=12 LoadBits=64 CounterBits=0", 100},
};

/* How the traffic is for a while. */
typedef struct traffic {
  unsigned lines;             /* a load has at most */
  unsigned lanes;             /* at most one in so many is idle */
  unsigned requests, replies; /* one cycle in so many */
  unsigned gives_up;          /* one refused load in so many */
} traffic;

static unsigned below(prt_bench *b, unsigned n) {
  return (unsigned)wf_rng_below(&b->base.rng, n);
}

static traffic random_traffic(prt_bench *b) {
  return (traffic){.lines = 1 + below(b, b->shape.lanes),
                   .lanes = 1 + below(b, 6),
                   .requests = 1 + below(b, 4),
                   .replies = 1 + below(b, 10),
                   .gives_up = 1 + below(b, 6)};
}

/* Lanes of a load on lines of which each has at least one. */
static prt_load random_load(prt_bench *b, const traffic *t) {
  prt_load load = {.number = wf_rng_next(&b->base.rng)};
  if (b->shape.load_bits < 64) load.number &= (UINT64_C(1) << b->shape.load_bits) - 1;
  for (unsigned l = 0; l < b->shape.lanes; l++) {
    load.offset[l] = (uint16_t)below(b, 1u << b->shape.off_bits);
    if (t->lanes == 1 || below(b, t->lanes)) load.active |= 1u << l;
  }
  if (!load.active) load.active = 1u << below(b, b->shape.lanes);
  const unsigned lines = 1 + below(b, t->lines);
  for (unsigned n = 0; n < lines; n++) load.mask[n] = 0;
  for (uint32_t m = load.active; m; m &= m - 1) load.mask[below(b, lines)] |= m & (0 - m);
  for (unsigned n = 0; n < lines; n++)
    if (load.mask[n]) load.mask[load.n++] = load.mask[n];
  return load;
}

/* A line that is on its way, of a random entry. */
static bool random_reply(prt_bench *b, prt_offer *o) {
  const unsigned n = b->shape.entries, start = below(b, n);
  unsigned nth = 0;
  for (unsigned i = 0; i < n; i++) {
    o->entry = (start + i) % n;
    if (!prt_bench_due(b, o->entry, below(b, b->shape.lanes), &nth)) continue;
    o->mask = b->at[o->entry].lanes[nth];
    return true;
  }
  return false;
}

static prt_offer random_offer(prt_bench *b, const traffic *t, const prt_offer *last) {
  prt_offer o = {0};
  const bool refused = last->request && !b->taken;
  if (b->open != PRT_NONE) { /* a load's lines come one after the other */
    o.load = b->at[b->open].load;
    o.nth = b->at[b->open].asked;
    o.request = !below(b, t->requests);
  } else if (refused && below(b, t->gives_up)) {
    o = *last;
  } else if (!below(b, t->requests)) {
    o.load = random_load(b, t);
    o.request = true;
  }
  o.reply = !below(b, t->replies) && random_reply(b, &o);
  if (!o.reply) o.entry = o.mask = 0;
  return o;
}

/* All that was begun ends. */
static bool drain(prt_bench *b) {
  bool well = true;
  while (well && b->used) {
    prt_offer o = {0};
    if (b->open != PRT_NONE) {
      o.load = b->at[b->open].load;
      o.nth = b->at[b->open].asked;
      o.request = true;
    }
    o.reply = random_reply(b, &o);
    well = wf_edge(b, &o);
  }
  return well && wf_edge_rest(b);
}

/* A snapshot leaves the totals as they are. */
static bool check_twice(void *bench) {
  bool well = true;
  for (unsigned i = 0; i < 2 && well; i++) well = wf_bench_check_counters(bench);
  return well;
}

static bool run(void *bench, uint64_t edges) {
  prt_bench *b = bench;
  traffic t = {0};
  prt_offer last = {0};
  bool well = true;
  for (uint64_t i = 0; i < edges && well; i++) {
    if (i % 512 == 0) t = random_traffic(b);
    if (i % 4096 == 4000) {
      well = drain(b);
      last.request = false;
    }
    if (well && i % 8192 == 4000) well = check_twice(b) && wf_bench_clear_counters(b);
    if (well && i % 16384 == 9000) {
      well = wf_bench_reset(b);
      last.request = false;
    }
    if (!well) break;
    const prt_offer o = random_offer(b, &t, &last);
    last = o;
    well = wf_edge(b, o.request || o.reply ? &o : NULL);
  }
  return well && drain(b) && wf_bench_check_counters(b) && wf_bench_clear_counters(b) &&
         wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_loads",
                                 .cls = &prt_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 100000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
