/* Constrained random tables and thread blocks over several shapes: plausible rows and hostile ones,
 * tiles, every port with random stalls, table changes between thread blocks. */
#include "tb/common/wf_test.h"
#include "tb/teleport/controller/controller_bench.h"

static const wf_plan plans[] = {
    {"small", NULL, 300},
    {"paper", NULL, 250},
    {"odd", NULL, 150},
    {"tiny", NULL, 50},
    {"wide", NULL, 100},
    {"replay", NULL, 50},
    {"small", "Rows=1 NumSm=1 MaxTb=64 PitchBits=11 HeightBits=1", 50},
    {"wide",
     "AddrBits=63 ProdBits=32 IdxBits=32 SizeBits=16 PitchBits=32 HeightBits=31 Rows=3 "
     "CounterBits=0",
     50},
};

/* How a phase is: percents of edges, and what rows and blocks are like. */
typedef struct mix {
  unsigned set, tb, ready, flush, hostile, reach, near;
} mix;
typedef struct traffic {
  controller_bench *b;
  mix m;
  controller_set set;
  controller_tb tb;
  bool has_set, has_tb;
} traffic;

static uint64_t below(traffic *t, uint64_t bound) {
  return wf_rng_below(&t->b->base.rng, bound);
}
static bool chance(traffic *t, unsigned percent) {
  return below(t, 100) < percent;
}
static uint64_t bits(traffic *t, unsigned n) {
  return wf_rng_next(&t->b->base.rng) >> (64 - n);
}
static int64_t as_signed(uint64_t value, unsigned n) {
  return (int64_t)(value << (64 - n)) >> (64 - n);
}
static const controller_shape *shape(const traffic *t) {
  return &t->b->ref.shape;
}

/* A value of n bits: random, an extreme, or small. */
static int64_t factor(traffic *t, unsigned n) {
  uint64_t kind = below(t, 8);
  if (kind == 0) return as_signed(UINT64_C(1) << (n - 1), n); /* the least */
  if (kind == 1) return (int64_t)((UINT64_C(1) << (n - 1)) - 1);
  if (kind == 2) return -1;
  if (kind == 3) return 0;
  return as_signed(bits(t, n), n) >> below(t, n);
}
static uint64_t index_value(traffic *t) {
  unsigned n = shape(t)->idx_bits;
  return below(t, 6) ? bits(t, n) >> below(t, n) : UINT64_MAX >> (64 - n);
}

static controller_row random_row(traffic *t) {
  const controller_shape *s = shape(t);
  unsigned n = s->prod_bits;
  controller_row row = {.base = bits(t, s->addr_bits) >> (below(t, 2) ? below(t, s->addr_bits) : 0),
                        .size = (uint32_t)(bits(t, s->size_bits) >> below(t, s->size_bits)),
                        .lo = {factor(t, n), factor(t, n), factor(t, n), factor(t, n)}};
  if (below(t, 2)) {
    row.pitch = bits(t, s->pitch_bits) >> below(t, s->pitch_bits);
    row.lines = (uint32_t)(bits(t, s->height_bits) >> (below(t, 2) ? below(t, s->height_bits) : 0));
  }
  if (chance(t, t->m.hostile)) {
    row.hi = (controller_end){factor(t, n), factor(t, n), factor(t, n), factor(t, n)};
    return row;
  }
  row.hi = row.lo;
  if (below(t, 2)) row.lo.y = row.lo.z = row.hi.y = row.hi.z = 0;
  int64_t top = (INT64_C(1) << (n - 1)) - 1, least = -top - 1,
          offset = row.lo.offset + (int64_t)below(t, t->m.reach) - 1;
  row.hi.offset = offset > top ? top : offset < least ? least : offset;
  return row;
}

static void make_set(traffic *t) {
  const controller_ref *r = &t->b->ref;
  t->set = (controller_set){.flush = chance(t, t->m.flush), .row = random_row(t)};
  if (r->n_rows && chance(t, 30)) { /* close to a row that is there */
    t->set.row = r->row[below(t, r->n_rows)];
    t->set.row.base =
        (t->set.row.base + below(t, 300)) & (UINT64_MAX >> (64 - shape(t)->addr_bits));
  }
  t->has_set = true;
}

static void make_tb(traffic *t) {
  const controller_shape *s = shape(t);
  t->tb = (controller_tb){(uint32_t)below(t, s->sms), (uint32_t)below(t, s->slots), index_value(t),
                          index_value(t), index_value(t)};
  t->has_tb = true;
}

static void new_phase(traffic *t) {
  static const unsigned readies[] = {100, 100, 90, 50, 10};
  t->m = (mix){.set = (unsigned)below(t, 3) ? (unsigned)below(t, 10) : 60,
               .tb = 5 + (unsigned)below(t, 96),
               .ready = readies[below(t, 5)],
               .flush = (unsigned)below(t, 2) ? 10 : 40,
               .hostile = (unsigned)below(t, 101),
               .reach = 1 + (unsigned)below(t, below(t, 2) ? 8 : 2000)};
  controller_bench_open_end(t->b, below(t, 2));
}

static bool edge(traffic *t) {
  bool set_taken, tb_taken;
  if (!t->has_set && chance(t, t->m.set)) make_set(t);
  if (!t->has_tb && chance(t, t->m.tb)) make_tb(t);
  if (!controller_bench_cycle(t->b, t->has_set ? &t->set : NULL, t->has_tb ? &t->tb : NULL,
                              chance(t, t->m.ready), &set_taken, &tb_taken))
    return false;
  t->has_set = t->has_set && !set_taken;
  t->has_tb = t->has_tb && !tb_taken;
  unsigned count;
  controller_bench_taken(t->b, &count);
  return true;
}

static bool run(void *bench, uint64_t edges) {
  controller_bench *b = bench;
  traffic t = {.b = b};
  bool ok = true;
  unsigned phases = (unsigned)(edges / 500) + 4;
  for (unsigned phase = 0; phase < phases && ok; phase++) {
    new_phase(&t);
    for (uint64_t i = 0; i < edges / phases && ok; i++) ok = edge(&t);
    t.m.set = t.m.tb = 0;
    while (ok && (t.has_set || t.has_tb)) ok = edge(&t);
    if (ok && phase % 16 == 7) ok = wf_bench_reset(b); /* at any moment */
    ok = ok && controller_bench_rest(b);
    if (ok && phase % 4 == 1)
      ok = wf_bench_check_counters(b) && (phase % 8 == 1 || wf_bench_clear_counters(b));
  }
  return ok && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_tables",
                                 .cls = &controller_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 500000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
