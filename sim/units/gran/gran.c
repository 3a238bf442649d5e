/* Socket of the GRAN unit: one RTL instance beside each SM's L1, or at each slice of L2, or both.
 * It puts a request a cycle on the ports and hands the answers back; what is learned and guessed is
 * the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/units/cache_level.h"
#include "sim/units/gran/ports.h"

enum { NAP, SPP, BIM, KINDS };

typedef struct settings {
  unsigned kind, level, predict, nap_entries, nap_above, spp_entries, filter_bits, refresh, fine;
  unsigned counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const char *const kind_words[] = {"nap", "spp", "bim", NULL};
static const char *const configs[KINDS] = {"paper", "spp", "bim"};
static const char *const slice_configs[KINDS] = {"slice", "slicespp", "slicebim"};
static const wf_parameter parameters[] = {
    {"kind", NULL, 0, KINDS - 1, NAP, FIELD(kind), kind_words,
     "nap: by PC, what neighbours of the first sector do; spp: by PC and sector, the last pattern; "
     "bim: by line, fine or coarse"},
    {"level", NULL, WF_CACHE_L1, WF_CACHE_BOTH, WF_CACHE_L1, FIELD(level), wf_cache_level_words,
     "which caches have one: each SM's L1, each slice of L2, or both"},
    {"predict", NULL, 0, 1, 1, FIELD(predict), NULL,
     "what it guesses is fetched; 0: it learns, and misses fetch what is wanted"},
    {"nap_entries", "NapEntries", 2, 256, 32, FIELD(nap_entries), NULL,
     "nap: entries of the table, a power of two"},
    {"nap_above", "NapAbove", 0, 15, 7, FIELD(nap_above), NULL,
     "nap: a neighbour is fetched if its counter stands above this"},
    {"spp_entries", "SppEntries", 32, 2048, 256, FIELD(spp_entries), NULL,
     "spp: entries of the table, a power of two"},
    {"filter_bits", "FilterBits", 16, 4096, 1024, FIELD(filter_bits), NULL,
     "bim: of each of the filter's four banks, a power of two"},
    {"refresh", "Refresh", 2, 4095, 512, FIELD(refresh), NULL,
     "bim: insertions after which an array of the filter is cleared"},
    {"fine", "Fine", 1, 3, 2, FIELD(fine), NULL,
     "bim: the most sectors that are touched of a fine line"},
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { FLIGHT = 4, LINE_BITS_LEAST = 25, KERNELS = 64, MOST_SETS = 1024 };
static const unsigned pc_bits[WF_CACHE_LEVELS] = {16, 12};

/* A line request. */
typedef struct request {
  uint32_t pc, line, victim_line;
  unsigned set, way; /* way: the line's; of a miss that it takes */
  uint8_t sectors;
  bool miss, victim_valid;
  bool asks; /* of a miss: its answer is waited for */
} request;

/* A miss whose answer the fabric has not fetched. */
typedef struct decision {
  unsigned way;
  uint8_t more;
} decision;

/* What is on its way between a cache and its instance. */
typedef struct side {
  wf_cache_side base;
  gran_ports port;
  request offer;
  request sent[FLIGHT]; /* misses between their edge and their answer */
  decision decided[FLIGHT];
  uint8_t more;        /* of an SM's decision that was fetched last */
  wf_cache_event gone; /* of a slice: the last that left; what: WF_CACHE_EVICT, or nothing */
} side;

/* Where a kernel's code lies. */
typedef struct code {
  const ptx_kernel *kernel;
  uint32_t at;
} code;

typedef struct gran {
  wf_unit unit;
  wf_unit_env env;
  wf_cache_level at[WF_CACHE_LEVELS];
  settings set;
  code codes[KERNELS];
  unsigned n_codes;
  uint32_t code_end;
  uint64_t request_waits;
} gran;

static side *side_of(wf_unit *unit, unsigned at, unsigned k) {
  return (side *)wf_cache_level_side(&((gran *)unit)->at[at], k);
}

/* ---- what the fabric tells and asks (sim/seam/l1.h, cache.h; what is NULL there it does not tell)
 * ---- */

/* Kernels' code lies one behind another, in the order in which they are met. */
static uint32_t code_of(gran *m, const ptx_kernel *kernel) {
  for (unsigned i = 0; i < m->n_codes; i++)
    if (m->codes[i].kernel == kernel) return m->codes[i].at;
  const uint32_t at = m->code_end;
  if (m->n_codes == KERNELS) return at; /* all further ones lie here */
  m->codes[m->n_codes++] = (code){kernel, at};
  m->code_end += kernel->n_insts;
  return at;
}

static bool gran_at_l1(const wf_unit *unit) {
  return wf_cache_stands(((const gran *)unit)->set.level, WF_CACHE_L1);
}

static bool gran_judges(const wf_unit *unit) {
  return wf_cache_stands(((const gran *)unit)->set.level, WF_CACHE_L2);
}

static bool gran_listens(const wf_unit *unit, unsigned at) {
  return at == WF_CACHE_L2 && gran_judges(unit);
}

static void gran_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  side_of(unit, WF_CACHE_L1, sm)->base.loads++;
}

/* Nothing goes past. */
static wf_l1_verdict gran_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  side_of(unit, WF_CACHE_L1, sm)->base.loads--;
  return WF_L1_CACHE;
}

static bool offer(gran *m, side *s, const request *r) {
  if (!wf_cache_side_takes(&s->base, FLIGHT)) return m->request_waits++, false;
  s->base.offered = true;
  s->offer = *r;
  return true;
}

static bool gran_access(wf_unit *unit, const wf_l1_access *a) {
  gran *m = (gran *)unit;
  const request r = {.pc = code_of(m, a->kernel) + a->pc,
                     .line = a->line,
                     .set = a->set,
                     .sectors = a->sectors,
                     .miss = !a->hit,
                     .asks = !a->hit,
                     .way = a->hit ? a->way : a->victim,
                     .victim_valid = a->victim_valid,
                     .victim_line = a->victim_line};
  return offer(m, side_of(unit, WF_CACHE_L1, a->sm), &r);
}

static wf_l1_verdict gran_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = side_of(unit, WF_CACHE_L1, sm);
  if (!s->base.told.count) return WF_L1_WAIT;
  const decision d = s->decided[wf_ring_pop(&s->base.told, FLIGHT)];
  *way = d.way;
  s->more = d.more;
  return WF_L1_CACHE;
}

static uint8_t gran_more(wf_unit *unit, unsigned sm) {
  return side_of(unit, WF_CACHE_L1, sm)->more;
}

/* A slice has one access a cycle, and its port takes one. */
static void slice_offer(gran *m, unsigned slice, const request *r) {
  if (!offer(m, side_of(&m->unit, WF_CACHE_L2, slice), r))
    wf_fail(&m->unit.fault, WF_EXIT_WRONG, "gran: slice %u: two accesses in a cycle", slice);
}

/* Of a line on its way past the slice nothing is kept. */
static bool gran_ask(wf_unit *unit, const wf_cache_event *e) {
  const bool miss = e->way == WF_CACHE_NO_WAY && !e->coming;
  const request r = {.pc = e->pc,
                     .line = e->line,
                     .set = e->set,
                     .sectors = e->sectors,
                     .miss = miss,
                     .asks = miss,
                     .way = miss ? e->victim : e->way,
                     .victim_valid = e->victim_valid,
                     .victim_line = e->victim_line};
  if (miss || e->way != WF_CACHE_NO_WAY) slice_offer((gran *)unit, e->at, &r);
  return miss;
}

static bool gran_answer(wf_unit *unit, unsigned slice, wf_slice_answer *answer) {
  side *s = side_of(unit, WF_CACHE_L2, slice);
  if (!s->base.told.count) return false;
  *answer = (wf_slice_answer){.more = s->decided[wf_ring_pop(&s->base.told, FLIGHT)].more};
  return true;
}

/* A store that takes a way is a miss that fetches nothing. */
static void gran_event(wf_unit *unit, const wf_cache_event *e) {
  side *s = side_of(unit, WF_CACHE_L2, e->at);
  if (e->what == WF_CACHE_EVICT) s->gone = *e;
  if (e->what != WF_CACHE_FILL || !e->written) return;
  const request r = {.pc = e->pc,
                     .line = e->line,
                     .set = e->set,
                     .sectors = e->written,
                     .miss = true,
                     .way = e->way,
                     .victim_valid = s->gone.what == WF_CACHE_EVICT && s->gone.set == e->set &&
                                     s->gone.way == e->way,
                     .victim_line = s->gone.line};
  slice_offer((gran *)unit, e->at, &r);
}

static const wf_l1_ops l1_ops = {
    .any_sector = true,
    .any_way = true,
    .load = gran_load,
    .verdict = gran_verdict,
    .access = gran_access,
    .decision = gran_decision,
    .more = gran_more,
};

static const wf_cache_ops cache_ops = {
    .listens = gran_listens,
    .event = gran_event,
    .judges = gran_judges,
    .ask = gran_ask,
    .answer = gran_answer,
};

/* ---- one cycle at the ports ---- */

static bool works(const wf_cache_side *to) {
  return to->offered || !wf_port_get(((const side *)to)->port.idle);
}

static void drive(const wf_cache_level *level, wf_cache_side *to) {
  side *s = (side *)to;
  const gran_ports *p = &s->port;
  const request *r = &s->offer;
  wf_port_set(p->acc_valid, to->offered);
  s->gone = (wf_cache_event){0};
  if (!to->offered) return;
  to->offered = false;
  if (r->miss) s->sent[wf_ring_push(&to->sent, FLIGHT)] = *r;
  wf_port_set(p->acc_pc, r->pc & ((1u << pc_bits[level->cls->at]) - 1));
  wf_port_set(p->acc_line, r->line);
  wf_port_set(p->acc_set, r->set);
  wf_port_set(p->acc_sectors, r->sectors);
  wf_port_set(p->acc_miss, r->miss);
  wf_port_set(p->acc_way, r->way);
  wf_port_set(p->acc_vvalid, r->victim_valid);
  wf_port_set(p->acc_vline, r->victim_line);
}

/* The answer of this edge. */
static bool take(wf_cache_side *from, wf_error *err) {
  side *s = (side *)from;
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!from->sent.count)
    return wf_fail(err, WF_EXIT_WRONG, "gran: an answer to a miss that was not made");
  const request r = s->sent[wf_ring_pop(&from->sent, FLIGHT)];
  if (r.asks)
    s->decided[wf_ring_push(&from->told, FLIGHT)] =
        (decision){r.way, (uint8_t)wf_port_get(s->port.acc_rsp_more)};
  return true;
}

static const wf_cache_level_class classes[WF_CACHE_LEVELS] = {
    {WF_CACHE_L1, sizeof(side), "", works, drive, take},
    {WF_CACHE_L2, sizeof(side), "l2_", works, drive, take},
};

/* ---- creation ---- */

static void gran_destroy(wf_unit *unit) {
  gran *m = (gran *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++) wf_cache_level_free(&m->at[l]);
  free(m);
}

static bool gran_bind(wf_unit *unit, wf_error *err) {
  gran *m = (gran *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++)
    for (unsigned k = 0; k < m->at[l].rtl.n; k++) {
      side *s = side_of(unit, l, k);
      if (!gran_ports_bind(&s->port, s->base.rtl->model, err)) return false;
      wf_port_set(s->port.predict_en, m->set.predict);
    }
  return true;
}

static bool power_of_two(unsigned n, const char *key, wf_error *err) {
  return (n & (n - 1)) == 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "gran.%s=%u: expected a power of two", key, n);
}

static bool open_level(gran *m, unsigned at, wf_error *err) {
  const wf_unit_env *env = &m->env;
  const bool l1 = at == WF_CACHE_L1;
  if (!wf_cache_stands(m->set.level, at)) return true;
  if (!wf_cache_level_fits("gran", env, at, MOST_SETS, WF_L1_MAX_WAYS, err)) return false;
  const wf_rtl_value given[] = {{"PcBits", pc_bits[at]}, {0}};
  const wf_rtl_value fixed[] = {{"Kind", m->set.kind},
                                {"Sets", l1 ? env->l1_sets : env->l2_sets},
                                {"Ways", l1 ? env->l1_ways : env->l2_ways},
                                {"LineBits", wf_cache_line_bits(env, LINE_BITS_LEAST)},
                                {0}};
  const wf_rtl_request request = {.unit = "gran",
                                  .config = (l1 ? configs : slice_configs)[m->set.kind],
                                  .fixed = fixed,
                                  .given = given,
                                  .of = &m->unit,
                                  .env = env};
  m->at[at].kind = m->set.kind;
  return wf_cache_level_open(&m->at[at], &classes[at], &request, err);
}

static bool gran_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  gran *m = (gran *)unit;
  m->env = *env;
  return power_of_two(m->set.nap_entries, "nap_entries", err) &&
         power_of_two(m->set.spp_entries, "spp_entries", err) &&
         power_of_two(m->set.filter_bits, "filter_bits", err) && open_level(m, WF_CACHE_L1, err) &&
         open_level(m, WF_CACHE_L2, err);
}

/* ---- what all units have ---- */

static bool gran_tick(wf_unit *unit, wf_error *err) {
  gran *m = (gran *)unit;
  return wf_cache_level_clock(&m->at[WF_CACHE_L1], err) &&
         wf_cache_level_clock(&m->at[WF_CACHE_L2], err);
}

static bool gran_idle(const wf_unit *unit) {
  const gran *m = (const gran *)unit;
  return wf_cache_level_idle(&m->at[WF_CACHE_L1]) && wf_cache_level_idle(&m->at[WF_CACHE_L2]);
}

static bool gran_kernel_end(wf_unit *unit, wf_error *err) {
  const gran *m = (const gran *)unit;
  return wf_cache_level_end(&m->at[WF_CACHE_L1], err) &&
         wf_cache_level_end(&m->at[WF_CACHE_L2], err);
}

static void gran_describe(const wf_unit *unit, FILE *out) {
  const gran *m = (const gran *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++) wf_cache_level_describe(&m->at[l], out);
}

static const wf_unit_counter counters[] = {
    {"request_waits", offsetof(gran, request_waits)},
    {"busy_nap", offsetof(gran, at[WF_CACHE_L1].busy[NAP])},
    {"busy_spp", offsetof(gran, at[WF_CACHE_L1].busy[SPP])},
    {"busy_bim", offsetof(gran, at[WF_CACHE_L1].busy[BIM])},
    {"busy_slices_nap", offsetof(gran, at[WF_CACHE_L2].busy[NAP])},
    {"busy_slices_spp", offsetof(gran, at[WF_CACHE_L2].busy[SPP])},
    {"busy_slices_bim", offsetof(gran, at[WF_CACHE_L2].busy[BIM])},
    {0},
};

#define BUSY                                                                                       \
  "; a cycle with something offered or inside, outside which a clock gate on "                     \
  "idle_o stops it"
static const wf_energy_event energy[] = {
    {"busy_nap", WF_EN_PART_UNIT, 11.5, NULL,
     "make power UNIT=gran CONFIG=paper, NanGate 45 nm" BUSY},
    {"busy_spp", WF_EN_PART_UNIT, 13.5, NULL,
     "make power UNIT=gran CONFIG=spp, NanGate 45 nm" BUSY},
    {"busy_bim", WF_EN_PART_UNIT, 9.9, NULL, "make power UNIT=gran CONFIG=bim, NanGate 45 nm" BUSY},
    {"busy_slices_nap", WF_EN_PART_UNIT, 11.3, NULL,
     "make power UNIT=gran CONFIG=slice, NanGate 45 nm" BUSY},
    {"busy_slices_spp", WF_EN_PART_UNIT, 12.9, NULL,
     "make power UNIT=gran CONFIG=slicespp, NanGate 45 nm" BUSY},
    {"busy_slices_bim", WF_EN_PART_UNIT, 9.7, NULL,
     "make power UNIT=gran CONFIG=slicebim, NanGate 45 nm" BUSY},
    {0},
};

static const wf_energy_power power[] = {
    {"slicespp", NULL, "slicespp", 0.0033,
     "make synth UNIT=gran CONFIG=slicespp, NanGate 45 nm: leakage"},
    {"slicebim", NULL, "slicebim", 0.00172,
     "make synth UNIT=gran CONFIG=slicebim, NanGate 45 nm: leakage"},
    {"slice", NULL, "slice", 0.00246, "make synth UNIT=gran CONFIG=slice, NanGate 45 nm: leakage"},
    {"static_spp", NULL, "spp", 0.00262, "make synth UNIT=gran CONFIG=spp, NanGate 45 nm: leakage"},
    {"static_bim", NULL, "bim", 0.00144, "make synth UNIT=gran CONFIG=bim, NanGate 45 nm: leakage"},
    {"static", NULL, NULL, 0.00162, "make synth UNIT=gran CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

static const wf_unit_form forms[] = {
    {"nap", "kind=nap"}, {"spp", "kind=spp"}, {"bim", "kind=bim"}, {0}};

const wf_unit_class wf_unit_gran = {
    .name = "gran",
    .forms = forms,
    .summary = "granularity predictors: which sectors of a line a miss fetches (nap, spp, bim)",
    .limits =
        "any SMs, warps and L2 slices; 2 to 1024 sets and at most 64 ways in an L1 and a slice",
    .claims = WF_CLAIM_L1 | WF_CLAIM_SLICE,
    .bytes = sizeof(gran),
    .settings = offsetof(gran, set),
    .open = gran_open,
    .destroy = gran_destroy,
    .tick = gran_tick,
    .idle = gran_idle,
    .kernel_end = gran_kernel_end,
    .counters = counters,
    .describe = gran_describe,
    .bind = gran_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app hbfs --graph rmat:scale=12 --config fermi16 --set l1.sectored=1",
    .l1 = &l1_ops,
    .at_l1 = gran_at_l1,
    .caches = &cache_ops,
};
