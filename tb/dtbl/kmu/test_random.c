/* Constrained random kernels and groups over several shapes: bursts and single ones, all ports with
 * random stalls, a memory of any speed, a scheduler that asks it, too, kernels that run long,
 * resets. */
#include "tb/common/wf_test.h"
#include "tb/dtbl/kmu/kmu_bench.h"

static const wf_plan plans[] = {
    {"small", NULL, 300},
    {"odd", NULL, 250},
    {"tiny", NULL, 100},
    {"replay", NULL, 80},
    {"small", "Ways=1 Entries=9 Ring=16", 70},
    {"small", "Ways=3 Dispatch=5 Burst=3", 100},
    {"odd", "Entries=8 Ring=8 CounterBits=0 Dispatch=64", 60},
    {"tuned", NULL, 40},
};

typedef struct traffic {
  kmu_bench *b;
  unsigned group, launch, kern, kdone, host, side, rests; /* percents of edges; rests: of bursts */
  bool quiet;
  kmu_kernel next_group, next_launch;
  bool has_group, has_launch;
} traffic;

static bool chance(traffic *t, unsigned percent) {
  return wf_rng_below(&t->b->base.rng, 100) < percent;
}
static unsigned one_of(traffic *t, const unsigned *values, unsigned n) {
  return values[wf_rng_below(&t->b->base.rng, n)];
}

static void new_phase(traffic *t) {
  static const unsigned rates[] = {0, 2, 10, 40, 100}, stalls[] = {100, 100, 60, 10},
                        ends[] = {1, 5, 30, 100}, waits[] = {0, 3, 30, 100},
                        backs[] = {0, 0, 5, 60};
  t->group = one_of(t, rates, 5);
  t->launch = one_of(t, rates, 5);
  t->kern = one_of(t, stalls, 4);
  t->kdone = one_of(t, ends, 4);
  t->host = chance(t, 50) ? 3 : 0;
  t->side = one_of(t, rates, 5);
  t->b->back_percent = one_of(t, backs, 4);
  t->rests = one_of(t, ends, 4);
  t->b->mem_percent = one_of(t, stalls, 4);
  t->b->rsp_percent = one_of(t, stalls, 4);
  t->b->latency = one_of(t, waits, 4);
}

static bool cycle(traffic *t) {
  kmu_bench *b = t->b;
  kmu_taken taken;
  if (chance(t, t->rests / 4)) t->quiet = !t->quiet;
  const bool room = b->n < b->ring + b->entries + 2 * b->burst && b->n + 2 < KMU_MOST;
  if (!t->has_group && !t->quiet && room && chance(t, t->group)) {
    t->has_group = true;
    t->next_group = kmu_bench_kernel(b);
  }
  if (!t->has_launch && !t->quiet && room && chance(t, t->launch)) {
    t->has_launch = true;
    t->next_launch = kmu_bench_kernel(b);
  }
  kmu_offer o = {.group = t->has_group ? &t->next_group : NULL,
                 .launch = t->has_launch ? &t->next_launch : NULL,
                 .kern_ready = chance(t, t->kern),
                 .kdone = b->entered && chance(t, t->kdone),
                 .side = chance(t, t->side)};
  o.host = !b->n && !o.group && !o.launch && b->free && chance(t, t->host);
  if (!kmu_bench_cycle(b, &o, &taken)) return false;
  t->has_group = t->has_group && !taken.group;
  t->has_launch = t->has_launch && !taken.launch;
  return true;
}

/* What is on offer stays until it is taken. */
static bool drain(traffic *t) {
  t->quiet = true;
  t->rests = t->side = 0;
  t->kern = t->kdone = t->b->mem_percent = t->b->rsp_percent = 100;
  while (t->has_group || t->has_launch)
    if (!cycle(t)) return false;
  return true;
}

static bool run(void *bench, uint64_t cycles) {
  kmu_bench *b = bench;
  while (cycles) {
    traffic t = {.b = b};
    uint64_t left = 1000 + wf_rng_below(&b->base.rng, 20000);
    if (left > cycles) left = cycles;
    cycles -= left;
    for (; left; left--) {
      if (left % 500 == 0 || !t.kern) new_phase(&t);
      if (!cycle(&t)) return false;
    }
    if (!drain(&t) || !wf_bench_check_counters(b)) return false;
    if (wf_rng_below(&b->base.rng, 2) ? !wf_bench_clear_counters(b) : !wf_bench_reset(b))
      return false;
  }
  return true;
}

static const wf_random tests[] = {
    {"kernels", &kmu_bench_class, plans, sizeof plans / sizeof *plans, 400000, run}};

int main(void) {
  return wf_random_main(tests, 1, __FILE__);
}
