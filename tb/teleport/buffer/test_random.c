/* Constrained random thread blocks, ranges, loads and stores over several shapes: few blocks, so
 * that everything meets everything; replies in any order, every port with random stalls, thread
 * blocks of random length, kernels that leave more or less room. */
#include "tb/common/wf_test.h"
#include "tb/teleport/buffer/buffer_bus.h"

static const wf_plan plans[] = {
    {"small", NULL, 320},
    {"odd", NULL, 200},
    {"tiny", NULL, 60},
    {"replay", NULL, 80},
    {"paper", NULL, 80},
    {"small", "Sets=1 Ways=7 MaxTb=4 CounterBits=0", 60},
    {"odd", "Sets=16 Ways=2 MaxTb=1", 50},
    {"keep", NULL, 100},
    {"odd", "Ways=12 KeepUnread=1", 50},
};

/* How a phase is: percents of edges, and what blocks are used. */
typedef struct mix {
  unsigned ask, acc, store, rsp, hold, fetch, go, end;
  unsigned length; /* ranges of a thread block, at most */
  unsigned pool;   /* blocks in use */
  unsigned runs;   /* percent of ranges that follow the one before */
  unsigned tiles;  /* percent of ranges that have several lines */
  unsigned far;    /* percent of ranges that begin and end anywhere */
  unsigned early;  /* percent of thread blocks that come while their slot still runs */
  unsigned hot;    /* percent of accesses to blocks that are here */
  uint64_t base;
  bool overlap;
} mix;

typedef struct traffic {
  buffer_bench *b;
  mix m;
  front_range ask;
  buffer_acc acc;
  bool has_ask, has_acc, inside; /* inside: a thread block's ranges */
  unsigned slot, left, start_ways;
  bool has_start;
  uint64_t before;
} traffic;

static unsigned below(traffic *t, uint64_t bound) {
  return (unsigned)wf_rng_below(&t->b->base.rng, bound);
}
static bool chance(traffic *t, unsigned percent) {
  return below(t, 100) < percent;
}
static const buffer_shape *shape(const traffic *t) {
  return &t->b->ref.shape;
}
static uint64_t top(const traffic *t) {
  return (UINT64_C(1) << shape(t)->block_bits) - 1;
}
static uint64_t any_block(traffic *t) {
  return (t->m.base + below(t, t->m.pool)) & top(t);
}

/* A block that is in a line; any, if the first few lines that are looked at have none. */
static uint64_t held_block(traffic *t) {
  for (unsigned i = 0; i < 8; i++) {
    const buffer_line *line = &t->b->ref.line[below(t, shape(t)->sets)][below(t, shape(t)->ways)];
    if (line->state == BUFFER_HERE) return line->block;
  }
  return any_block(t);
}

static void new_phase(traffic *t) {
  static const unsigned often[] = {100, 90, 50, 10};
  unsigned lines = shape(t)->sets * shape(t)->ways;
  t->m = (mix){.ask = often[below(t, 4)],
               .acc = below(t, 3)   ? below(t, 60)
                      : below(t, 2) ? 100
                                    : 0,
               .store = below(t, 3) ? below(t, 30) : 0,
               .rsp = often[below(t, 4)],
               .hold = below(t, 4) ? 0 : 60,
               .fetch = often[below(t, 4)],
               .go = often[below(t, 4)],
               .end = 1 + below(t, 30),
               .length = 1 + below(t, below(t, 2) ? 6 : lines),
               .tiles = below(t, 2) ? below(t, 101) : 0,
               .far = below(t, 3) ? 0 : 10,
               .pool = 1 + below(t, 3 * lines),
               .runs = below(t, 101),
               .early = below(t, 60),
               .hot = below(t, 2) ? 90 : 0,
               .base = wf_rng_next(&t->b->base.rng),
               .overlap = below(t, 4) == 0};
  if (!t->b->bus) return;
  wf_bus_options *o = &t->b->bus->options;
  *o = (wf_bus_options){.stall_ask = below(t, 2) ? below(t, 80) : 0,
                        .stall_answer = below(t, 2) ? below(t, 60) : 0,
                        .burst = 1 + below(t, 6),
                        .latency_max = below(t, 20),
                        .errors = below(t, 2) ? 5 : 0};
  t->b->bus->fill_percent = below(t, 2) ? 100 : 30;
}

/* Where in memory the next range is. */
static void place_range(traffic *t, front_range *r) {
  const front_shape *f = &shape(t)->front;
  const unsigned address = f->block_bits + f->line_shift;
  const uint64_t size = UINT64_C(1) << f->line_shift;
  t->before = chance(t, t->m.runs) ? (t->before + 1) & top(t) : any_block(t);
  r->low = (int64_t)(t->before * size + below(t, size));
  r->high = r->low + (int64_t)wf_rng_below(&t->b->base.rng, below(t, 3) ? size : 3 * size);
  if (chance(t, t->m.far)) {
    const int64_t a = (int64_t)(wf_rng_next(&t->b->base.rng) >> (63 - address)) -
                      (INT64_C(1) << address),
                  b = (int64_t)(wf_rng_next(&t->b->base.rng) >> (63 - address)) -
                      (INT64_C(1) << address);
    r->low = a < b ? a : b;
    r->high = a < b ? b : a;
  }
  if (r->high >> address) r->high = (INT64_C(1) << address) - 1;
  if (!chance(t, t->m.tiles)) return;
  r->lines = below(t, below(t, 2) ? 4 : 1u << f->height_bits) & ((1u << f->height_bits) - 1);
  r->pitch = below(t, 2) ? size * below(t, 4) : wf_rng_next(&t->b->base.rng);
  r->pitch &= (UINT64_C(1) << f->pitch_bits) - 1;
}

/* The next range: of the thread block, or the first of another one. False if no slot can have
 * one. */
static bool make_ask(traffic *t) {
  const buffer_ref *r = &t->b->ref;
  if (!t->inside) {
    uint64_t running = buffer_bench_running(t->b);
    unsigned slot = below(t, shape(t)->slots);
    bool busy = r->slot[slot].used, runs = running >> slot & 1;
    if (buffer_bench_waiting(t->b) >> slot & 1 || (busy && !(runs && chance(t, t->m.early))))
      return false;
    t->inside = true;
    t->slot = slot;
    t->left = below(t, t->m.length);
    t->before = any_block(t);
  }
  t->ask = (front_range){.slot = t->slot, .last = t->left == 0, .none = chance(t, 10)};
  place_range(t, &t->ask);
  return true;
}

/* Bounds of memory, and what a thread block may ask for. */
static void new_levels(traffic *t) {
  const front_shape *f = &shape(t)->front;
  front_levels l = {.bound_hi = top(t), .cap = (1u << f->cap_bits) - 1};
  if (below(t, 3) == 0) l.cap = below(t, l.cap < 8 ? l.cap + 1 : 8);
  if (below(t, 3) == 0) l.bound_lo = any_block(t);
  if (below(t, 3) == 0) l.bound_hi = any_block(t);
  buffer_bench_front(t->b, &l);
}

static void choose_reply(traffic *t, buffer_offers *o) {
  const uint32_t *lines = t->b->w.flying;
  const unsigned n = t->b->w.n_flying;
  if (n && chance(t, t->m.rsp) && !chance(t, t->m.hold))
    o->rsp_line = (int)lines[below(t, 2) ? 0 : below(t, n)];
}

static void choose_end(traffic *t, buffer_offers *o) {
  uint64_t running = buffer_bench_running(t->b);
  if (!running || !chance(t, t->m.end)) return;
  unsigned slot = below(t, shape(t)->slots);
  if (running >> slot & 1) o->end_slot = (int)slot;
}

static bool edge(traffic *t, bool more) {
  buffer_offers o = BUFFER_NO_OFFERS;
  buffer_taken taken;
  if (!t->has_ask && (more || t->inside) && chance(t, t->m.ask)) t->has_ask = make_ask(t);
  if (!t->has_acc && more && chance(t, t->m.acc)) {
    t->acc =
        (buffer_acc){chance(t, t->m.store), chance(t, t->m.hot) ? held_block(t) : any_block(t)};
    t->has_acc = true;
  }
  o.ask = t->has_ask ? &t->ask : NULL;
  o.acc = t->has_acc ? &t->acc : NULL;
  o.start_ways = t->has_start ? (int)t->start_ways : -1;
  o.fetch_ready = chance(t, t->m.fetch);
  o.go_ready = chance(t, t->m.go);
  choose_reply(t, &o);
  choose_end(t, &o);
  if (!buffer_bench_cycle(t->b, &o, &taken)) return false;
  if (taken.ask) {
    t->has_ask = false;
    if (t->left) t->left--;
    t->inside = !t->ask.last;
  }
  t->has_acc = t->has_acc && !taken.acc;
  t->has_start = t->has_start && !taken.start;
  return true;
}

/* All that was begun is taken; then a kernel starts, at times while blocks are still on their way.
 */
static bool next_kernel(traffic *t) {
  bool ok = true;
  unsigned edges = 0;
  while (ok && (t->inside || t->has_ask || t->has_acc)) {
    ok = edge(t, false);
    if (ok && ++edges > 100000) ok = wf_bench_fail(&t->b->base, "ranges are not taken");
  }
  for (edges = 0; ok && edges < 4; edges++)
    ok = edge(t, false); /* no access waits for its answer */
  t->start_ways = below(t, 4) ? shape(t)->ways : below(t, shape(t)->ways + 1);
  if (ok && below(t, 2)) ok = buffer_bench_drain(t->b);
  t->has_start = true;
  for (edges = 0; ok && t->has_start; edges++) {
    ok = edge(t, false);
    if (ok && edges > 100000) ok = wf_bench_fail(&t->b->base, "a kernel does not start");
  }
  if (ok) {
    new_phase(t);
    buffer_bench_overlap(t->b, t->m.overlap);
    new_levels(t);
  }
  return ok;
}

static bool run(void *bench, uint64_t edges) {
  buffer_bench *b = bench;
  traffic t = {.b = b};
  bool ok = true;
  unsigned phases = (unsigned)(edges / 500) + 4;
  new_phase(&t);
  for (unsigned phase = 0; phase < phases && ok; phase++) {
    for (uint64_t i = 0; i < edges / phases && ok; i++) ok = edge(&t, true);
    if (ok && phase % 16 == 7) { /* at any moment */
      ok = wf_bench_reset(b);
      t.has_ask = t.has_acc = t.inside = false;
    }
    if (ok && phase % 4 == 3) continue; /* the phase goes on in the same kernel */
    ok = ok && next_kernel(&t);
    if (ok && phase % 4 == 1)
      ok = wf_bench_check_counters(b) && (phase % 8 == 1 || wf_bench_clear_counters(b));
  }
  return ok && next_kernel(&t) && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_traffic",
                                 .cls = &buffer_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 500000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
