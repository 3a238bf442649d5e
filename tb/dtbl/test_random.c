/* Constrained random launches over several shapes: a few kernels that differ in one field of their
 * keys, groups that hit and miss them, table entries that collide, every port with random stalls,
 * blocks of random length, diversions, resets. */
#include "tb/common/wf_test.h"
#include "tb/dtbl/dtbl_bench.h"

enum { FUNCTIONS = 6, KMU = 1024 };

static const wf_plan plans[] = {
    {"small", NULL, 320},
    {"odd", NULL, 240},
    {"tiny", NULL, 60},
    {"replay", NULL, 80},
    {"lines", NULL, 160},
    {"lines", "Lines=2", 40},
    {"ring", NULL, 160},
    {"ring", "Ring=64 Lines=2 AgtEntries=4", 40},
    {"paper", NULL, 100},
    {"small", "NumSmx=1 MaxTb=7 SearchSlots=1 NumKde=2 AgtEntries=2 DoneDepth=5", 60},
    {"odd", "NumSmx=2 MaxTb=1 SearchSlots=8 NumKde=1 PoolBits=2 CounterBits=0", 60},
    {"small", "NumSmx=6 MaxTb=2 SearchSlots=2 NumKde=3 TidBits=3 XBits=9 YBits=6 AddrBits=28", 80},
    {"small", "NumSmx=70 MaxTb=2", 40},
};

/* How a phase is: percents of edges. */
typedef struct mix {
  unsigned kern, agg, host, known, collide, big, length, divert;
  unsigned tb, dk, kdone, done, mem, latency, functions, pool;
} mix;

typedef struct traffic {
  dtbl_bench *b;
  mix m;
  struct {
    uint32_t pc, tbdim, smem, warps, regs, shm;
  } function[FUNCTIONS];
  dtbl_kernel kmu[KMU]; /* device kernels first come, first served */
  unsigned n_kmu;
  dtbl_kernel kernel;
  dtbl_group group;
  bool has_kernel, has_group, drain;
  wf_mask divert;
  uint64_t ends_at[DTBL_MAX_SMX][DTBL_MAX_TB]; /* 0: nothing runs */
  int ending[DTBL_MAX_SMX];                    /* slot on offer, -1: none */
  unsigned open_groups, place;                 /* place: of the last group's record */
} traffic;

static uint32_t below(traffic *t, uint64_t bound) {
  return (uint32_t)wf_rng_below(&t->b->base.rng, bound);
}
static bool chance(traffic *t, unsigned percent) {
  return below(t, 100) < percent;
}
static uint32_t bits(traffic *t, const char *parameter) {
  return (uint32_t)wf_rng_next(&t->b->base.rng) & dtbl_bench_mask(t->b, parameter);
}
static uint32_t one_bit(traffic *t, const char *parameter) {
  uint32_t mask = dtbl_bench_mask(t->b, parameter);
  return UINT32_C(1) << below(t, (uint64_t)__builtin_popcount(mask));
}
static uint32_t up_to(traffic *t, unsigned most) {
  return 1 + below(t, most);
}

static unsigned percent(traffic *t) {
  static const unsigned values[] = {100, 100, 90, 50, 10};
  return values[below(t, 5)];
}

static void new_phase(traffic *t) {
  t->m = (mix){.kern = up_to(t, 60),
               .agg = below(t, 3) ? up_to(t, 100) : 0,
               .host = below(t, 101),
               .known = below(t, 3) ? 95 : 50,
               .collide = below(t, 101),
               .big = below(t, 20),
               .length = below(t, 2) ? up_to(t, 6) : up_to(t, 200),
               .divert = below(t, 3) ? 0 : up_to(t, 5),
               .tb = percent(t),
               .dk = percent(t),
               .kdone = percent(t),
               .done = percent(t),
               .mem = percent(t),
               .latency = below(t, 2) ? below(t, 3) : below(t, 60),
               .functions = up_to(t, FUNCTIONS),
               .pool = up_to(t, 600)};
  const dtbl_shape *s = &t->b->ref.shape;
  unsigned kind = below(t, 3); /* light kernels, heavy ones, both */
  for (unsigned f = 0; f < FUNCTIONS; f++) {
    bool light = kind == 0 || (kind == 1 && below(t, 2));
    t->function[f].pc = bits(t, "PcBits");
    t->function[f].tbdim = bits(t, "TbDimBits");
    t->function[f].smem = bits(t, "SmemBits");
    if (f && below(t, 2)) { /* as the one before, but for one bit */
      t->function[f].pc = t->function[f - 1].pc;
      t->function[f].tbdim = t->function[f - 1].tbdim;
      t->function[f].smem = t->function[f - 1].smem;
      unsigned which = below(t, 3);
      uint32_t *field = which == 0   ? &t->function[f].pc
                        : which == 1 ? &t->function[f].tbdim
                                     : &t->function[f].smem;
      *field ^= one_bit(t, which == 0 ? "PcBits" : which == 1 ? "TbDimBits" : "SmemBits");
    }
    t->function[f].warps = light ? 1 : up_to(t, s->warps);
    t->function[f].regs = light ? below(t, 2) : below(t, s->regs + 1);
    t->function[f].shm = light ? below(t, 2) : below(t, s->shm + 1);
  }
  dtbl_bench_memory(t->b, t->m.latency, t->m.mem);
}

static void dimensions(traffic *t, uint32_t *x, uint32_t *y, uint32_t *z) {
  bool big = chance(t, t->m.big);
  *x = up_to(t, big ? 12 : 3) & dtbl_bench_mask(t->b, "XBits");
  *y = (chance(t, 20) ? up_to(t, big ? 4 : 2) : 1) & dtbl_bench_mask(t->b, "YBits");
  *z = (chance(t, 20) ? up_to(t, big ? 3 : 2) : 1) & dtbl_bench_mask(t->b, "ZBits");
  if (!*x) *x = 1;
  if (!*y) *y = 1;
  if (!*z) *z = 1;
  if (!chance(t, 4))
    return; /* one of them far up in its range, which the counters of blocks bound */
  static const char *const bits[] = {"XBits", "YBits", "ZBits"};
  uint32_t *const field[] = {x, y, z}, which = below(t, 3),
                  mask = dtbl_bench_mask(t->b, bits[which]);
  *x = *y = *z = 1;
  *field[which] = up_to(t, mask < 300 ? mask : 300);
}

/* With lines records lie side by side, mostly in the order of launches, and lines are used again
 * soon. */
static uint32_t address_in_line(traffic *t) {
  enum { PLACES = 1000 };
  if (chance(t, 5)) t->place = below(t, PLACES);
  do t->place = (t->place + 1) % PLACES;
  while (dtbl_score_param_used(&t->b->score, 16 * (t->place + 1)));
  return 16 * (t->place + 1);
}

static uint32_t address(traffic *t) {
  uint32_t a = 0;
  if (wf_bench_parameter(&t->b->base, "Lines")) return address_in_line(t);
  while (!a || dtbl_score_param_used(&t->b->score, a)) a = bits(t, "AddrBits") & ~1u;
  return a;
}

static dtbl_kernel kernel_of(traffic *t, unsigned f) {
  dtbl_kernel k = {.pc = t->function[f].pc,
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
  if (t->has_kernel || t->drain || !chance(t, t->m.kern)) {
    if (!t->has_kernel && t->drain && t->n_kmu) goto device;
    return;
  }
  if (t->n_kmu && !chance(t, t->m.host)) {
  device:
    t->kernel = t->kmu[0];
    t->n_kmu--;
    memmove(t->kmu, t->kmu + 1, t->n_kmu * sizeof *t->kmu);
    t->has_kernel = true;
    return;
  }
  t->kernel = kernel_of(t, below(t, t->m.functions));
  t->kernel.param ^= below(t, 2); /* only groups' are even */
  t->kernel.host = true;
  t->has_kernel = true;
}

static void offer_group(traffic *t) {
  const dtbl_shape *s = &t->b->ref.shape;
  if (t->has_group || t->drain || !chance(t, t->m.agg) || t->open_groups >= t->m.pool ||
      t->n_kmu > KMU - 600)
    return;
  unsigned f = chance(t, t->m.known) ? below(t, t->m.functions) : below(t, FUNCTIONS);
  dtbl_kernel k = kernel_of(t, f);
  t->group = (dtbl_group){.pc = k.pc,
                          .tbdim = k.tbdim,
                          .smem = k.smem,
                          .x = k.x,
                          .y = k.y,
                          .z = k.z,
                          .param = k.param,
                          .warps = k.warps,
                          .regs = k.regs,
                          .shm = k.shm,
                          .tid = chance(t, t->m.collide) ? below(t, 2) : bits(t, "TidBits"),
                          .smx = below(t, s->smx),
                          .last = chance(t, 20)};
  t->has_group = true;
}

static void offer_ends(traffic *t, dtbl_in *in) {
  const dtbl_shape *s = &t->b->ref.shape;
  for (unsigned i = 0; i < s->smx; i++) {
    if (t->ending[i] < 0 && (t->drain || chance(t, t->m.done))) {
      unsigned from = below(t, s->tbs);
      for (unsigned n = 0; n < s->tbs && t->ending[i] < 0; n++) {
        unsigned slot = (from + n) % s->tbs;
        if (t->ends_at[i][slot] && t->ends_at[i][slot] <= t->b->base.cycle)
          t->ending[i] = (int)slot;
      }
    }
    if (t->ending[i] < 0) continue;
    wf_mask_set(&in->done, i);
    in->done_slot[i] = (uint8_t)t->ending[i];
  }
}

static void after(traffic *t, const dtbl_in *in, const dtbl_out *o) {
  for (unsigned i = 0; i < t->b->ref.shape.smx; i++)
    if (wf_mask_has(&in->done, i) && wf_mask_has(&o->done_ready, i)) {
      t->ends_at[i][t->ending[i]] = 0;
      t->ending[i] = -1;
    }
  if (o->tb_valid && in->tb_ready)
    t->ends_at[o->tb.smx][o->tb.slot] = t->b->base.cycle + up_to(t, t->m.length);
  if (o->dk_valid && in->dk_ready)
    t->kmu[t->n_kmu++] = (dtbl_kernel){.pc = o->dk.pc,
                                       .tbdim = o->dk.tbdim,
                                       .smem = o->dk.smem,
                                       .x = o->dk.x,
                                       .y = o->dk.y,
                                       .z = o->dk.z,
                                       .param = o->dk.param,
                                       .warps = o->dk.warps,
                                       .regs = o->dk.regs,
                                       .shm = o->dk.shm};
  if (in->kern && o->kern_ready) t->has_kernel = false;
  if (in->agg && o->agg_ready) t->has_group = false;
}

static void count_groups(traffic *t) { /* now and then: it looks at them all */
  const dtbl_score *s = &t->b->score;
  t->open_groups = 0;
  for (unsigned g = 0; g < DTBL_SCORE_GROUPS; g++) t->open_groups += s->group[g].used;
}

static bool edge(traffic *t) {
  const dtbl_shape *s = &t->b->ref.shape;
  if (t->b->base.cycle % 32 == 0) count_groups(t);
  if (t->drain)
    t->divert = (wf_mask){0};
  else if (chance(t, t->m.divert))
    t->divert = below(t, 8)   ? wf_bench_some(&t->b->base, s->smx)
                : below(t, 2) ? wf_mask_below(s->smx)
                              : (wf_mask){0};
  offer_kernel(t);
  offer_group(t);
  dtbl_in in = {.divert = t->divert,
                .kern = t->has_kernel ? &t->kernel : NULL,
                .agg = t->has_group ? &t->group : NULL,
                .dk_ready = t->drain || chance(t, t->m.dk),
                .tb_ready = t->drain || chance(t, t->m.tb),
                .kdone_ready = t->drain || chance(t, t->m.kdone)};
  offer_ends(t, &in);
  dtbl_out shown = t->b->out;
  if (!dtbl_bench_cycle(t->b, &in)) return false;
  after(t, &in, &shown);
  return true;
}

/* Nothing new: all must come to its end. */
static bool rest(traffic *t) {
  t->drain = true;
  dtbl_bench_memory(t->b, t->m.latency, 100);
  for (unsigned i = 0; i < 400000; i++) {
    if (!edge(t)) return false;
    if (dtbl_score_empty(&t->b->score) && t->b->out.idle && !t->n_kmu && !t->has_kernel &&
        !t->has_group) {
      t->drain = false;
      return true;
    }
  }
  return wf_bench_fail(&t->b->base, "what was launched does not come to its end");
}

static void forget(traffic *t) {
  memset(t->ends_at, 0, sizeof t->ends_at);
  for (unsigned i = 0; i < DTBL_MAX_SMX; i++) t->ending[i] = -1;
  t->has_kernel = t->has_group = false;
  t->n_kmu = 0;
}

static bool run(void *bench, uint64_t edges) {
  dtbl_bench *b = bench;
  static traffic t;
  t = (traffic){.b = b};
  forget(&t);
  bool ok = true;
  for (unsigned phase = 0; ok && (phase < 4 || b->base.cycle < edges); phase++) {
    new_phase(&t);
    unsigned length = 200 + below(&t, 1500);
    for (unsigned i = 0; i < length && ok; i++) ok = edge(&t);
    if (ok && phase % 8 == 7) {
      ok = wf_bench_reset(b);
      forget(&t);
      continue;
    }
    ok = ok && rest(&t);
    if (ok && phase % 2 == 0)
      ok = wf_bench_check_counters(b) && (phase % 4 == 0 || wf_bench_clear_counters(b));
  }
  return ok && (b->base.cycle == 0 || rest(&t)) && wf_bench_check_counters(b);
}

int main(void) {
  static const wf_random test = {.name = "random_launches",
                                 .cls = &dtbl_bench_class,
                                 .plans = plans,
                                 .n_plans = sizeof plans / sizeof *plans,
                                 .cycles = 600000,
                                 .run = run};
  return wf_random_main(&test, 1, __FILE__);
}
