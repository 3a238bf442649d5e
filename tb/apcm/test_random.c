/* Constrained random transfers over several shapes: every channel with random gaps, all corner
 * values, few lines and few loads, so that everything meets everything. */
#include "tb/apcm/apcm_bench.h"
#include "tb/common/wf_test.h"

enum { KEPT = 32, MOST_LOADS = 60 };

static const wf_plan plans[] = {
    {"paper", NULL, 210},
    {"kepler", NULL, 100},
    {"assoc4", NULL, 80},
    {"full", NULL, 60},
    {"small", NULL, 150},
    {"odd", NULL, 130},
    {"tiny", NULL, 50},
    {"replay", NULL, 60},
    {"small", "Ids=32 Sets=1 Ways=8 MtaEntries=2", 40},
    {"kepler", "Ids=32 Ways=64 Sets=2 MtaEntries=8 MtaWays=8 CountBits=8 CounterBits=0", 40},
    {"paper", "Ways=1 Sets=64 MtaEntries=64 LineBits=7 NumWarp=33", 40},
    {"ways16", NULL, 40},
};

/* How the traffic of a phase is. */
typedef struct mix {
  unsigned load, access, event, move, lsu;  /* percent of edges with an offer */
  unsigned kernel;                          /* of 10000 events */
  unsigned warps, lines, sets, pcs;         /* how many are in use */
  unsigned hit, bypass, protect, untracked; /* percent of accesses */
  unsigned invalid, reserved;               /* percent of ways */
  unsigned as_answered;                     /* percent of accesses that keep the load's answer */
  bool no_exit;                             /* the watched warp goes on */
  bool far; /* lines and pcs use all their bits; neighbours differ in one */
  uint64_t salt;
} mix;

typedef struct traffic {
  apcm_bench *b;
  mix m;
  apcm_load load;
  apcm_access access;
  apcm_event done, exit, start;
  apcm_move move;
  bool has_load, has_access, has_done, has_exit, has_start, has_move, kernel;
  struct {
    apcm_load load;
    apcm_load_answer answer;
    unsigned requests;
  } kept[KEPT]; /* loads whose requests are made */
  unsigned n_kept;
  unsigned inside;    /* loads of the load/store unit */
  apcm_access before; /* the access that was taken last */
  bool waits;         /* it has no answer */
} traffic;

static uint32_t below(traffic *t, uint64_t bound) {
  return (uint32_t)wf_rng_below(&t->b->base.rng, bound);
}
static bool chance(traffic *t, unsigned percent) {
  return below(t, 100) < percent;
}

static mix random_mix(traffic *t) {
  const apcm_shape *s = &t->b->ref.shape;
  unsigned few = 1 + below(t, 4);
  return (mix){.load = 5 + below(t, 90),
               .access = 20 + below(t, 81),
               .event = below(t, 80),
               .move = below(t, 2) ? below(t, 100) : 5,
               .lsu = below(t, 60),
               .kernel = below(t, 3) ? 5 : 300,
               .warps = below(t, 2)      ? s->warps
                        : few < s->warps ? few
                                         : s->warps,
               .lines = below(t, 2) ? 1 + below(t, 3 * s->mta_entries) : 1 + below(t, 6),
               .sets = below(t, 2) ? s->sets : 1,
               .pcs = 1 + below(t, 2) * s->ids + below(t, s->ids),
               .hit = below(t, 3) ? below(t, 90) : 97,
               .bypass = below(t, 40),
               .protect = below(t, 101),
               .untracked = below(t, 20),
               .invalid = below(t, 3) ? 0 : below(t, 60),
               .reserved = below(t, 2) ? 0 : below(t, 80),
               .as_answered = below(t, 2) ? 100 : below(t, 101),
               .no_exit = below(t, 2),
               .far = below(t, 2),
               .salt = wf_rng_next(&t->b->base.rng)};
}

static void settings(traffic *t) {
  unsigned full = t->b->ref.shape.count_max;
  apcm_settings s = {.bypass = below(t, 4) != 0,
                     .protect = below(t, 4) != 0,
                     .threshold = below(t, 2) ? full : below(t, full + 1),
                     .renew = below(t, 3) ? below(t, 5) : below(t, 16),
                     .keep = below(t, 2) ? t->b->keep_max : below(t, t->b->keep_max + 1)};
  apcm_bench_configure(t->b, &s);
}

/* The index-th of a phase's values of `bits` bits. Far: pairs of random values that differ in one
 * bit. */
static uint64_t spread(const traffic *t, unsigned index, unsigned bits) {
  uint64_t mask = (UINT64_C(1) << bits) - 1, hash = (index / 2 + t->m.salt) * 0x9e3779b97f4a7c15u;
  if (!t->m.far) return index & mask;
  hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
  return (hash >> 16 ^ (uint64_t)(index & 1) << (hash & 0xffff) % bits) & mask;
}

static uint64_t pc_of(const traffic *t, unsigned index) {
  return spread(t, index, t->b->pc_bits);
}

static void make_load(traffic *t) {
  t->load = (apcm_load){.warp = below(t, t->m.warps), .pc = pc_of(t, below(t, t->m.pcs))};
  t->has_load = true;
}

/* What a load was told, or anything that it could have been told. */
static void make_access(traffic *t) {
  const apcm_ref *r = &t->b->ref;
  unsigned ways = r->shape.ways;
  apcm_access a = {.warp = below(t, t->m.warps)};
  if (t->n_kept && chance(t, t->m.as_answered)) {
    unsigned k = below(t, t->n_kept);
    apcm_load_answer *l = &t->kept[k].answer;
    a = (apcm_access){.warp = t->kept[k].load.warp,
                      .tracked = l->tracked,
                      .id = l->id,
                      .method = l->method,
                      .last = l->last,
                      .few = t->kept[k].requests++ < 2};
  } else if (r->loads && !chance(t, t->m.untracked)) {
    a.tracked = true;
    a.id = below(t, r->loads);
    a.last = chance(t, 40) ? a.id : below(t, r->loads);
    a.method = chance(t, t->m.bypass)    ? APCM_BYPASS
               : chance(t, t->m.protect) ? APCM_PROTECT
                                         : APCM_NORMAL;
    a.few = below(t, 3) != 0;
  }
  a.line = spread(t, below(t, t->m.lines), r->shape.line_bits);
  a.set = below(t, t->m.sets);
  a.hit = chance(t, t->m.hit);
  a.way = below(t, ways);
  for (unsigned w = 0; w < ways; w++) {
    a.rank[w] = w;
    uint32_t other = below(t, w + 1), rank = a.rank[other];
    a.rank[other] = a.rank[w];
    a.rank[w] = rank;
    if (chance(t, t->m.invalid))
      a.invalid |= UINT64_C(1) << w;
    else if (chance(t, t->m.reserved))
      a.reserved |= UINT64_C(1) << w;
  }
  if (a.hit) a.invalid &= ~(UINT64_C(1) << a.way);
  t->access = a;
  const bool missed = t->waits && t->before.method != APCM_BYPASS && !t->before.hit;
  t->has_access = !(missed && a.set == t->before.set && a.method != APCM_BYPASS);
}

/* Also of warps whose events are not asked for: they change nothing. */
static void make_event(traffic *t) {
  const apcm_ref *r = &t->b->ref;
  static const apcm_kind kinds[] = {APCM_LOAD_DONE, APCM_LOAD_DONE, APCM_WARP_START,
                                    APCM_WARP_EXIT};
  apcm_event e = {.kind = kinds[below(t, 4)], .warp = below(t, t->m.warps)};
  uint64_t on = apcm_ref_psb(r);
  for (unsigned i = 0; i < 4 && !(on >> e.warp & 1); i++) e.warp = below(t, t->m.warps);
  if (r->state == APCM_NONE && chance(t, 30)) e.kind = APCM_WARP_START;
  if (e.kind == APCM_WARP_EXIT && t->m.no_exit && e.warp == r->watched && chance(t, 97))
    e.kind = APCM_LOAD_DONE;
  e.id = r->loads ? below(t, r->loads) : 0;
  if (e.kind == APCM_LOAD_DONE && on >> e.warp & 1 && chance(t, 50)) e.id = r->psb[e.warp].last;
  if (e.kind == APCM_LOAD_DONE && !t->has_done) t->done = e, t->has_done = true;
  if (e.kind == APCM_WARP_EXIT && !t->has_exit) t->exit = e, t->has_exit = true;
  if (e.kind == APCM_WARP_START && !r->busy) t->start = e, t->has_start = true;
}

/* At the edges of a loop that is known, or anywhere. */
static void make_move(traffic *t) {
  const apcm_ref *r = &t->b->ref;
  const uint64_t top = (UINT64_C(1) << t->b->pc_bits) - 1;
  apcm_move m = {.warp = below(t, t->m.warps),
                 .from = pc_of(t, below(t, 4 * t->m.pcs)),
                 .to = pc_of(t, below(t, 4 * t->m.pcs)),
                 .jump = below(t, 2),
                 .push = chance(t, 20)};
  const uint64_t on = apcm_ref_psb(r);
  for (unsigned i = 0; i < 4 && !(on >> m.warp & 1); i++) m.warp = below(t, t->m.warps);
  const unsigned l = below(t, r->shape.loops);
  if (r->loop[l].valid && chance(t, 70)) {
    const uint64_t low = r->loop[l].low, high = r->loop[l].high;
    const uint64_t at[] = {low, high, low ? low - 1 : low, high < top ? high + 1 : high,
                           low + below(t, high - low + 1)};
    m.from = at[below(t, 5)];
    if (below(t, 2)) m.to = at[below(t, 5)];
  }
  t->move = m;
  t->has_move = true;
}

static bool waits(const traffic *t) {
  return t->has_load || t->has_access || t->has_done || t->has_exit || t->has_move;
}

/* Before a kernel's start all that was offered is taken, and it acts alone. */
static void make_offers(traffic *t) {
  t->kernel |= below(t, 10000) < t->m.kernel * t->m.event / 100;
  if (t->kernel) return;
  if (!t->has_load && chance(t, t->m.load)) make_load(t);
  if (!t->has_access && chance(t, t->m.access)) make_access(t);
  if (!t->has_move && chance(t, t->m.move)) make_move(t);
  if (chance(t, t->m.event)) make_event(t);
  if (t->m.event && !t->has_done && !t->has_exit && below(t, 50) == 0) make_event(t), make_event(t);
}

static bool start_kernel(traffic *t) {
  apcm_bench *b = t->b;
  t->kernel = false;
  t->n_kept = t->inside = 0;
  return apcm_bench_cycle(b, &(apcm_offers){.kernel = true}) && apcm_bench_cycle(b, NULL);
}

static void keep_answer(traffic *t) {
  unsigned at = t->n_kept < KEPT ? t->n_kept++ : below(t, KEPT);
  t->kept[at].load = t->load;
  t->kept[at].answer = t->b->ref.load_answer;
  t->kept[at].requests = 0;
}

static unsigned entering(traffic *t) {
  const unsigned most = t->b->shape.most_enter, room = MOST_LOADS - t->inside;
  if (t->kernel || t->b->ref.busy || !chance(t, t->m.lsu)) return 0;
  const unsigned n = below(t, 2) ? 1 : 1 + below(t, most);
  return n < room ? n : room;
}

static bool edge(traffic *t) {
  make_offers(t);
  if (t->kernel && !waits(t) && !t->waits && apcm_ref_kernel_may(&t->b->ref))
    return start_kernel(t);
  const apcm_offers o = {.load = t->has_load ? &t->load : NULL,
                         .access = t->has_access ? &t->access : NULL,
                         .done = t->has_done ? &t->done : NULL,
                         .exit = t->has_exit ? &t->exit : NULL,
                         .start = t->has_start ? &t->start : NULL,
                         .move = t->has_move ? &t->move : NULL,
                         .lsu_in = entering(t),
                         .lsu_out =
                             t->b->ref.entered > t->b->ref.left && !t->b->ref.busy && below(t, 4)};
  if (!apcm_bench_cycle(t->b, &o)) return false;
  const apcm_ready *taken = &t->b->taken;
  t->inside += o.lsu_in;
  t->inside -= o.lsu_out;
  t->has_start = false;
  if (o.load && taken->load) keep_answer(t), t->has_load = false;
  if (t->b->ref.access_answer.valid) t->waits = false;
  if (o.access && taken->access) {
    t->waits = true;
    t->before = t->access;
    t->has_access = false;
  }
  if (o.move && taken->move) t->has_move = false;
  if (o.done && taken->done) t->has_done = false;
  if (o.exit && taken->exit) t->has_exit = false;
  return true;
}

static bool run(void *bench, uint64_t edges) {
  apcm_bench *b = bench;
  traffic t = {.b = b};
  bool ok = true;
  unsigned phases = (unsigned)(edges / 700) + 4;
  for (unsigned phase = 0; phase < phases && ok; phase++) {
    ok = apcm_bench_rest(b);
    settings(&t);
    t.m = random_mix(&t);
    for (uint64_t i = 0; i < edges / phases && ok; i++) ok = edge(&t);
    /* An offer that waits must be taken before resting. */
    while (ok && waits(&t)) {
      t.m.load = t.m.access = t.m.event = t.m.move = 0;
      ok = edge(&t);
    }
    if (ok && phase % 16 == 7) {
      ok = wf_bench_reset(b);
      t.kernel = false;
      t.n_kept = 0;
      t.inside = 0;
      t.waits = false;
    }
    if (ok && phase % 32 == 19) ok = wf_bench_check_counters(b) && wf_bench_clear_counters(b);
  }
  return ok && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_transfers",
                                 .cls = &apcm_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 600000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
