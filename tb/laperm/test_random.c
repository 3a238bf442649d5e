/* Constrained random launches over several shapes and all policies: a few kernels that differ in
 * one field of their keys, groups that hit and miss them, queues that overflow, every port with
 * random stalls, blocks of random length that launch from where they run, diversions, resets. */
#include "tb/common/wf_test.h"
#include "tb/laperm/laperm_bench.h"

enum { FUNCTIONS = 6, KMU = 1024 };

static const wf_plan plans[] = {
    {"small", NULL, 320},
    {"ring", NULL, 300},
    {"odd", NULL, 240},
    {"tiny", NULL, 60},
    {"replay", NULL, 80},
    {"ring", "Ring=64 Lines=2 Reads=1 Cluster=4", 40},
    {"ring", "Ring=256 Lines=16 Reads=5 Cluster=1", 120},
    {"paper", NULL, 60},
    {"small", "NumSmx=1 MaxTb=7 SearchSlots=1 NumKde=2 Skip=1", 60},
    {"odd", "NumSmx=2 Cluster=1 MaxTb=1 SearchSlots=8 NumKde=1 PoolBits=2 CounterBits=0", 60},
    {"small", "NumSmx=6 MaxTb=2 SearchSlots=2 NumKde=3 XBits=9 YBits=6 AddrBits=28 Levels=7", 80},
    {"small", "NumSmx=70 MaxTb=2", 40},
};

/* How a phase is: percents of edges. */
typedef struct mix {
  unsigned kern, agg, host, known, big, length, divert, near;
  unsigned tb, dk, kdone, done, mem, latency, functions, pool, floor; /* floor: parents' level */
} mix;

typedef struct traffic {
  laperm_bench *b;
  mix m;
  struct {
    uint32_t pc, tbdim, smem, warps, regs, shm;
  } function[FUNCTIONS];
  laperm_kernel kmu[KMU]; /* device kernels first come, first served */
  unsigned n_kmu;
  laperm_kernel kernel;
  laperm_group group;
  bool has_kernel, has_group, drain;
  wf_mask divert;
  uint64_t ends_at[LAPERM_MAX_SMX][LAPERM_MAX_TB]; /* 0: nothing runs */
  uint32_t level[LAPERM_MAX_SMX][LAPERM_MAX_TB];
  int ending[LAPERM_MAX_SMX]; /* slot on offer, -1: none */
  unsigned place;             /* of the last group's record */
} traffic;

static uint32_t below(traffic *t, uint64_t bound) {
  return (uint32_t)wf_rng_below(&t->b->base.rng, bound);
}
static bool chance(traffic *t, unsigned percent) {
  return below(t, 100) < percent;
}
static uint32_t bits(traffic *t, const char *parameter) {
  return (uint32_t)wf_rng_next(&t->b->base.rng) & laperm_bench_mask(t->b, parameter);
}
static uint32_t one_bit(traffic *t, const char *parameter) {
  const uint32_t mask = laperm_bench_mask(t->b, parameter);
  return UINT32_C(1) << below(t, (uint64_t)__builtin_popcount(mask));
}
static uint32_t up_to(traffic *t, unsigned most) {
  return 1 + below(t, most);
}
static unsigned percent(traffic *t) {
  static const unsigned values[] = {100, 100, 90, 50, 10};
  return values[below(t, 5)];
}

static void new_functions(traffic *t) {
  const laperm_shape *s = &t->b->ref.shape;
  const unsigned kind = below(t, 3); /* light kernels, heavy ones, both */
  for (unsigned f = 0; f < FUNCTIONS; f++) {
    const bool light = kind == 0 || (kind == 1 && below(t, 2));
    t->function[f].pc = bits(t, "PcBits");
    t->function[f].tbdim = bits(t, "TbDimBits");
    t->function[f].smem = bits(t, "SmemBits");
    if (f && below(t, 2)) { /* as the one before, but for one bit */
      t->function[f] = t->function[f - 1];
      const unsigned which = below(t, 3);
      uint32_t *field = which == 0   ? &t->function[f].pc
                        : which == 1 ? &t->function[f].tbdim
                                     : &t->function[f].smem;
      *field ^= one_bit(t, which == 0 ? "PcBits" : which == 1 ? "TbDimBits" : "SmemBits");
    }
    t->function[f].warps = light ? 1 : up_to(t, s->warps);
    t->function[f].regs = light ? below(t, 2) : below(t, s->regs + 1);
    t->function[f].shm = light ? below(t, 2) : below(t, s->shm + 1);
  }
}

static void new_phase(traffic *t) {
  t->m = (mix){.kern = up_to(t, 60),
               .agg = below(t, 3) ? up_to(t, 100) : 0,
               .host = below(t, 101),
               .known = below(t, 3) ? 95 : 50,
               .big = below(t, 20),
               .length = below(t, 2) ? up_to(t, 6) : up_to(t, 200),
               .divert = below(t, 3) ? 0 : up_to(t, 5),
               .near = below(t, 3) ? below(t, 101) : 100,
               .tb = percent(t),
               .dk = percent(t),
               .kdone = percent(t),
               .done = percent(t),
               .mem = percent(t),
               .latency = below(t, 2) ? below(t, 3) : below(t, 60),
               .functions = up_to(t, FUNCTIONS),
               .pool = up_to(t, 600),
               .floor = below(t, 3) ? 0 : below(t, t->b->ref.shape.levels + 1)};
  new_functions(t);
  laperm_bench_memory(t->b, t->m.latency, t->m.mem);
}

static void dimensions(traffic *t, uint32_t *x, uint32_t *y, uint32_t *z) {
  const bool big = chance(t, t->m.big);
  *x = up_to(t, big ? 12 : 3) & laperm_bench_mask(t->b, "XBits");
  *y = (chance(t, 20) ? up_to(t, big ? 4 : 2) : 1) & laperm_bench_mask(t->b, "YBits");
  *z = (chance(t, 20) ? up_to(t, big ? 3 : 2) : 1) & laperm_bench_mask(t->b, "ZBits");
  if (!*x) *x = 1;
  if (!*y) *y = 1;
  if (!*z) *z = 1;
  if (!chance(t, 4)) return; /* else one of them far up in its range */
  static const char *const names[] = {"XBits", "YBits", "ZBits"};
  uint32_t *const field[] = {x, y, z}, which = below(t, 3),
                  mask = laperm_bench_mask(t->b, names[which]);
  *x = *y = *z = 1;
  *field[which] = up_to(t, mask < 300 ? mask : 300);
}

/* Records lie side by side, mostly in the order of launches, and lines are used again soon. */
static uint32_t address(traffic *t) {
  const unsigned places = laperm_bench_mask(t->b, "AddrBits") >= 0x4000 ? 1000 : 250;
  if (chance(t, 5)) t->place = below(t, places);
  do t->place = (t->place + 1) % places;
  while (laperm_ref_param_used(&t->b->ref, 16 * (t->place + 1)));
  return 16 * (t->place + 1);
}

static laperm_kernel kernel_of(traffic *t, unsigned f) {
  laperm_kernel k = {.pc = t->function[f].pc,
                     .tbdim = t->function[f].tbdim,
                     .smem = t->function[f].smem,
                     .warps = t->function[f].warps,
                     .regs = t->function[f].regs,
                     .shm = t->function[f].shm,
                     .param = address(t)};
  dimensions(t, &k.x, &k.y, &k.z);
  return k;
}

static void offer_kernel(traffic *t) {
  if (t->has_kernel || (!t->drain && !chance(t, t->m.kern)) || (t->drain && !t->n_kmu)) return;
  t->has_kernel = true;
  if (t->n_kmu && (t->drain || !chance(t, t->m.host))) {
    t->kernel = t->kmu[0];
    t->n_kmu--;
    memmove(t->kmu, t->kmu + 1, t->n_kmu * sizeof *t->kmu);
    return;
  }
  t->kernel = kernel_of(t, below(t, t->m.functions));
  t->kernel.param ^= below(t, 16); /* only groups' are multiples of 16 */
  t->kernel.host = true;
  t->kernel.smx = bits(t, "SmxW");
  t->kernel.prio = bits(t, "LevW");
}

/* Launched by a block that runs, if there is one where the first look falls. */
static void offer_group(traffic *t) {
  const laperm_shape *s = &t->b->ref.shape;
  const unsigned most = s->kdes == 1 && t->m.pool > 200 ? 200 : t->m.pool;
  if (t->has_group || t->drain || !chance(t, t->m.agg) || t->b->ref.n_groups >= most ||
      t->n_kmu > KMU - 600)
    return;
  const unsigned f = chance(t, t->m.known) ? below(t, t->m.functions) : below(t, FUNCTIONS);
  const laperm_kernel k = kernel_of(t, f);
  const unsigned smx = chance(t, t->m.near) ? 0 : below(t, s->smx), slot = below(t, s->tbs);
  t->group =
      (laperm_group){.pc = k.pc,
                     .tbdim = k.tbdim,
                     .smem = k.smem,
                     .x = k.x,
                     .y = k.y,
                     .z = k.z,
                     .param = k.param,
                     .smx = smx,
                     .prio = t->ends_at[smx][slot] ? t->level[smx][slot] : below(t, s->levels + 1),
                     .last = chance(t, 20)};
  if (t->group.prio < t->m.floor) t->group.prio = t->m.floor;
  t->has_group = true;
}

static void offer_ends(traffic *t, laperm_in *in) {
  const laperm_shape *s = &t->b->ref.shape;
  for (unsigned i = 0; i < s->smx; i++) {
    if (t->ending[i] < 0 && (t->drain || chance(t, t->m.done))) {
      const unsigned from = below(t, s->tbs);
      for (unsigned n = 0; n < s->tbs && t->ending[i] < 0; n++) {
        const unsigned slot = (from + n) % s->tbs;
        if (t->ends_at[i][slot] && t->ends_at[i][slot] <= t->b->base.cycle)
          t->ending[i] = (int)slot;
      }
    }
    if (t->ending[i] < 0) continue;
    wf_mask_set(&in->done, i);
    in->done_slot[i] = (uint8_t)t->ending[i];
  }
}

/* A refused group becomes a kernel of the KMU. */
static void take_refused(traffic *t, const laperm_group *d) {
  for (unsigned f = 0; f < FUNCTIONS; f++)
    if (t->function[f].pc == d->pc && t->function[f].tbdim == d->tbdim &&
        t->function[f].smem == d->smem) {
      t->kmu[t->n_kmu++] = (laperm_kernel){.pc = d->pc,
                                           .tbdim = d->tbdim,
                                           .smem = d->smem,
                                           .x = d->x,
                                           .y = d->y,
                                           .z = d->z,
                                           .param = d->param,
                                           .warps = t->function[f].warps,
                                           .regs = t->function[f].regs,
                                           .shm = t->function[f].shm,
                                           .smx = d->smx,
                                           .prio = d->prio};
      return;
    }
}

static void after(traffic *t, const laperm_in *in, const laperm_out *o) {
  for (unsigned i = 0; i < t->b->ref.shape.smx; i++)
    if (wf_mask_has(&in->done, i) && wf_mask_has(&o->done_ready, i)) {
      t->ends_at[i][t->ending[i]] = 0;
      t->ending[i] = -1;
    }
  if (o->tb_valid && in->tb_ready) {
    t->ends_at[o->tb.smx][o->tb.slot] = t->b->base.cycle + up_to(t, t->m.length);
    t->level[o->tb.smx][o->tb.slot] = o->tb.prio;
  }
  if (o->dk_valid && in->dk_ready) take_refused(t, &o->dk);
  if (in->kern && o->kern_ready) t->has_kernel = false;
  if (in->agg && o->agg_ready) t->has_group = false;
}

static bool edge(traffic *t) {
  const laperm_shape *s = &t->b->ref.shape;
  if (t->drain)
    t->divert = (wf_mask){0};
  else if (chance(t, t->m.divert))
    t->divert = below(t, 8)   ? wf_bench_some(&t->b->base, s->smx)
                : below(t, 2) ? wf_mask_below(s->smx)
                              : (wf_mask){0};
  offer_kernel(t);
  offer_group(t);
  laperm_in in = {.divert = t->divert,
                  .kern = t->has_kernel ? &t->kernel : NULL,
                  .agg = t->has_group ? &t->group : NULL,
                  .dk_ready = t->drain || chance(t, t->m.dk),
                  .tb_ready = t->drain || chance(t, t->m.tb),
                  .kdone_ready = t->drain || chance(t, t->m.kdone)};
  offer_ends(t, &in);
  const laperm_out shown = t->b->out;
  if (!laperm_bench_cycle(t->b, &in)) return false;
  after(t, &in, &shown);
  return true;
}

/* Nothing new: all must come to its end. */
static bool rest(traffic *t) {
  t->drain = true;
  laperm_bench_memory(t->b, t->m.latency, 100);
  for (unsigned i = 0; i < 400000; i++) {
    if (!edge(t)) return false;
    if (laperm_ref_empty(&t->b->ref) && t->b->out.idle && !t->n_kmu && !t->has_kernel &&
        !t->has_group) {
      t->drain = false;
      return true;
    }
  }
  return wf_bench_fail(&t->b->base, "policy %d: what was launched does not come to its end",
                       t->b->ref.shape.policy);
}

static void forget(traffic *t) {
  memset(t->ends_at, 0, sizeof t->ends_at);
  for (unsigned i = 0; i < LAPERM_MAX_SMX; i++) t->ending[i] = -1;
  t->has_kernel = t->has_group = false;
  t->n_kmu = 0;
}

static bool run(void *bench, uint64_t edges) {
  laperm_bench *b = bench;
  static traffic t;
  t = (traffic){.b = b};
  forget(&t);
  bool ok = true;
  for (unsigned phase = 0; ok && (phase < 8 || b->base.cycle < edges); phase++) {
    laperm_bench_policy(b, (laperm_policy)(phase % 4));
    new_phase(&t);
    const unsigned length = 200 + below(&t, 1500);
    for (unsigned i = 0; i < length && ok; i++) ok = edge(&t);
    if (ok && phase % 8 == 7) {
      ok = wf_bench_reset(b);
      forget(&t);
      continue;
    }
    ok = ok && rest(&t) && (phase % 4 != 2 || laperm_bench_counters(b)) &&
         (phase % 8 != 2 || laperm_bench_clear(b));
  }
  return ok && rest(&t) && laperm_bench_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_launches",
                                 .cls = &laperm_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 600000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
