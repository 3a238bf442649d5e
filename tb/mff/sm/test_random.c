/* Constrained random instructions, replies and stalls over several shapes: words of all commands in
 * any order and mixed, completions before, between and after them, refused commands, sparse and
 * full warps, targets that clash. */
#include "tb/common/wf_test.h"
#include "tb/mff/sm/sm_bench.h"

static const wf_plan plans[] = {
    {"small", NULL, 400},  {"odd", NULL, 150},
    {"tiny", NULL, 100},   {"tuned", NULL, 150},
    {"replay", NULL, 100}, {"small", "Commands=2 NSlice=4 CounterBits=0", 100},
};

/* How a phase is: percents of edges or of things, and sizes. */
typedef struct mix {
  unsigned issue, beat, cmd, rsp;
  unsigned active, size, scatter, empty; /* lanes that are active, the largest list */
  unsigned words, lanes;                 /* of a reply, at most */
  unsigned early, refused;               /* completions */
  unsigned stride;                       /* of targets, in words; 0: any */
} mix;

typedef struct traffic {
  sm_bench *b;
  mix m;
  sm_instruction iss;
  mff_rsp rsp;
  bool has_iss, has_rsp, beat;
} traffic;

static unsigned below(traffic *t, uint64_t bound) {
  return (unsigned)wf_rng_below(&t->b->base.rng, bound);
}
static bool chance(traffic *t, unsigned percent) {
  return below(t, 100) < percent;
}

static void new_phase(traffic *t) {
  static const unsigned often[] = {100, 90, 50, 10}, strides[] = {0, 1, 32, 33, 8};
  t->m = (mix){.issue = often[below(t, 4)],
               .beat = often[below(t, 3)],
               .cmd = often[below(t, 4)],
               .rsp = often[below(t, 4)],
               .active = below(t, 3) ? below(t, 101) : 100,
               .size = below(t, 3) ? 1 + below(t, 4) : 32,
               .scatter = below(t, 3) ? 20 : 90,
               .empty = below(t, 2) ? 0 : 20,
               .words = 1 + below(t, 5),
               .lanes = 1 + below(t, 5),
               .early = below(t, 2) ? 0 : 30,
               .refused = below(t, 3) ? 0 : 5,
               .stride = strides[below(t, 5)]};
}

static void make_instruction(traffic *t) {
  const sm_shape *s = &t->b->shape;
  const bool empty = chance(t, t->m.empty), full = t->m.size == 32 && chance(t, 10);
  const unsigned base = below(t, s->shared_words);
  sm_instruction *i = &t->iss;
  *i = (sm_instruction){.op = chance(t, t->m.scatter) ? MFF_OP_SCATTER_SET : MFF_OP_GATHER,
                        .warp = below(t, s->warps)};
  for (unsigned l = 0; l < MFF_LANES; l++) {
    i->mask |= (uint32_t)(full || chance(t, t->m.active)) << l;
    i->lane[l] =
        (mff_lane){(uint32_t)wf_rng_next(&t->b->base.rng), full    ? 32
                                                           : empty ? 0
                                                                   : below(t, t->m.size + 1)};
    i->target[l] = (t->m.stride ? base + l * t->m.stride : below(t, s->shared_words)) &
                   ((1u << s->addr_bits) - 1);
  }
}

static bool edge(traffic *t, bool more) {
  sm_taken taken;
  const mix *m = &t->m;
  if (!t->has_iss && more && chance(t, m->issue)) {
    make_instruction(t);
    t->has_iss = true;
  }
  t->beat = t->has_iss && (t->beat || chance(t, m->beat));
  if (!t->has_rsp && chance(t, m->rsp))
    t->has_rsp = sm_bench_answer(t->b, m->words, m->lanes, chance(t, m->early),
                                 chance(t, m->refused), &t->rsp);
  const sm_offers o = {.iss = t->has_iss ? &t->iss : NULL,
                       .beat = t->beat,
                       .rsp = t->has_rsp ? &t->rsp : NULL,
                       .cmd_ready = chance(t, m->cmd)};
  if (!sm_bench_cycle(t->b, &o, &taken)) return false;
  if (taken.beat) t->beat = false;
  if (taken.iss) t->has_iss = false;
  if (taken.rsp) t->has_rsp = false;
  return true;
}

/* What was begun is taken. */
static bool finish(traffic *t) {
  while (t->has_iss || t->has_rsp)
    if (!edge(t, false)) return false;
  return true;
}

static bool run(void *bench, uint64_t edges) {
  sm_bench *b = bench;
  traffic t = {.b = b};
  bool ok = true;
  const unsigned phases = (unsigned)(edges / 700) + 4;
  for (unsigned phase = 0; phase < phases && ok; phase++) {
    new_phase(&t);
    for (uint64_t i = 0; i < edges / phases && ok; i++) ok = edge(&t, true);
    if (ok && phase % 16 == 7) { /* at any moment */
      ok = wf_bench_reset(b);
      t.has_iss = t.has_rsp = t.beat = false;
    }
    if (ok && phase % 4 == 1)
      ok = finish(&t) && wf_bench_check_counters(b) &&
           (phase % 8 == 1 || wf_bench_clear_counters(b));
  }
  return ok && finish(&t) && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_traffic",
                                 .cls = &sm_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 400000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
