/* Socket of the OBM unit: one RTL instance beside each SM's L1, or at each slice of L2, or both. It
 * puts a request a cycle on the ports and hands the answers back; what is learned and decided is
 * the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/units/cache_level.h"
#include "sim/units/obm/ports.h"

typedef struct settings {
  unsigned level, bypass, seed, draw_bits, count_bits, id_bits, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"level", NULL, WF_CACHE_L1, WF_CACHE_BOTH, WF_CACHE_L1, FIELD(level), wf_cache_level_words,
     "which caches have one: each SM's L1, each slice of L2, or both"},
    {"bypass", NULL, 0, 1, 1, FIELD(bypass), NULL,
     "what it says is done; 0: it learns, and every line goes in"},
    {"seed", NULL, 0, 65535, 1, FIELD(seed), NULL,
     "where the draws of pairs begin; each instance adds its number"},
    {"draw_bits", "DrawBits", 1, 8, 3, FIELD(draw_bits), NULL,
     "one of 2^draw_bits misses makes a pair"},
    {"count_bits", "CountBits", 2, 8, 5, FIELD(count_bits), NULL, "of the counter of a PC"},
    {"id_bits", "PcIdBits", 1, 8, 5, FIELD(id_bits), NULL, "2^id_bits counters"},
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { FLIGHT = 4, LINE_BITS_LEAST = 25, PC_BITS = 12, MOST_SETS = 1024 };

/* A request between its edge and its answer. */
typedef struct request {
  bool asks;
  unsigned victim;
} request;

/* A miss whose answer the fabric has not fetched. */
typedef struct decision {
  bool past;
  unsigned way;
} decision;

/* What is on its way between a cache and its instance. */
typedef struct side {
  wf_cache_side base;
  obm_ports port;
  bool clears; /* the cache is empty: a kernel begins */
  wf_cache_event offer;
  bool asks; /* its answer is waited for */
  request sent[FLIGHT];
  decision decided[FLIGHT];
} side;

typedef struct obm {
  wf_unit unit;
  wf_unit_env env;
  wf_cache_level at[WF_CACHE_LEVELS];
  settings set;
  uint64_t request_waits;
} obm;

static side *side_of(wf_unit *unit, unsigned at, unsigned k) {
  return (side *)wf_cache_level_side(&((obm *)unit)->at[at], k);
}

/* ---- what the fabric tells and asks (sim/seam/l1.h, cache.h; what is NULL there it does not tell)
 * ---- */

static bool obm_at_l1(const wf_unit *unit) {
  return wf_cache_stands(((const obm *)unit)->set.level, WF_CACHE_L1);
}

static bool obm_judges(const wf_unit *unit) {
  return wf_cache_stands(((const obm *)unit)->set.level, WF_CACHE_L2);
}

/* The L2 keeps its lines, and so its pairs. */
static void obm_kernel_start(wf_unit *unit, const ptx_kernel *kernel) {
  obm *m = (obm *)unit;
  (void)kernel;
  for (unsigned k = 0; k < m->at[WF_CACHE_L1].rtl.n; k++)
    side_of(unit, WF_CACHE_L1, k)->clears = true;
}

static bool obm_idle(const wf_unit *unit) {
  const obm *m = (const obm *)unit;
  return wf_cache_level_idle(&m->at[WF_CACHE_L1]) && wf_cache_level_idle(&m->at[WF_CACHE_L2]);
}

static bool obm_ready(wf_unit *unit) {
  return obm_idle(unit);
}

static void obm_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  side_of(unit, WF_CACHE_L1, sm)->base.loads++;
}

/* No load goes past as a whole. */
static wf_l1_verdict obm_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  side_of(unit, WF_CACHE_L1, sm)->base.loads--;
  return WF_L1_CACHE;
}

static bool offer(obm *m, side *s, const wf_cache_event *e, bool asks) {
  if (!wf_cache_side_takes(&s->base, FLIGHT)) return m->request_waits++, false;
  s->base.offered = true;
  s->offer = *e;
  s->asks = asks;
  return true;
}

static bool obm_access(wf_unit *unit, const wf_l1_access *a) {
  obm *m = (obm *)unit;
  const wf_cache_event e = {.hit = a->hit,
                            .pc = (uint16_t)a->pc,
                            .set = a->set,
                            .line = a->line,
                            .victim = (uint16_t)a->victim,
                            .victim_valid = a->victim_valid,
                            .victim_line = a->victim_line,
                            .way = a->hit ? 0 : WF_CACHE_NO_WAY};
  return offer(m, side_of(unit, WF_CACHE_L1, a->sm), &e, !a->hit);
}

static wf_l1_verdict obm_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = side_of(unit, WF_CACHE_L1, sm);
  if (!s->base.told.count) return WF_L1_WAIT;
  const decision d = s->decided[wf_ring_pop(&s->base.told, FLIGHT)];
  *way = d.way;
  return d.past ? WF_L1_BYPASS : WF_L1_CACHE;
}

/* A slice has a look-up a cycle, and its port takes one. */
static bool obm_ask(wf_unit *unit, const wf_cache_event *e) {
  obm *m = (obm *)unit;
  const bool miss = e->way == WF_CACHE_NO_WAY && !e->coming;
  if (!offer(m, side_of(unit, WF_CACHE_L2, e->at), e, miss))
    wf_fail(&unit->fault, WF_EXIT_WRONG, "obm: slice %u: two look-ups in a cycle", e->at);
  return miss;
}

static bool obm_answer(wf_unit *unit, unsigned slice, wf_slice_answer *answer) {
  side *s = side_of(unit, WF_CACHE_L2, slice);
  if (!s->base.told.count) return false;
  *answer = (wf_slice_answer){.past = s->decided[wf_ring_pop(&s->base.told, FLIGHT)].past};
  return true;
}

static const wf_l1_ops l1_ops = {
    .any_sector = true,
    .any_way = true,
    .kernel_start = obm_kernel_start,
    .ready = obm_ready,
    .load = obm_load,
    .verdict = obm_verdict,
    .access = obm_access,
    .decision = obm_decision,
};

static const wf_cache_ops cache_ops = {
    .judges = obm_judges,
    .ask = obm_ask,
    .answer = obm_answer,
};

/* ---- one cycle at the ports ---- */

static bool works(const wf_cache_side *to) {
  const side *s = (const side *)to;
  return s->clears || to->offered || !wf_port_get(s->port.idle);
}

static void drive(const wf_cache_level *level, wf_cache_side *to) {
  const obm *m = (const obm *)level->unit;
  side *s = (side *)to;
  const obm_ports *p = &s->port;
  const wf_cache_event *e = &s->offer;
  const bool miss = e->way == WF_CACHE_NO_WAY && !e->coming;
  wf_port_set(p->clear, s->clears);
  wf_port_set(p->acc_valid, to->offered && !s->clears);
  if (s->clears || !to->offered) {
    s->clears = false;
    return;
  }
  to->offered = false;
  s->sent[wf_ring_push(&to->sent, FLIGHT)] = (request){s->asks, e->victim};
  wf_port_set(p->acc_pc, e->pc & ((1u << PC_BITS) - 1));
  wf_port_set(p->acc_line, e->line);
  wf_port_set(p->acc_set, e->set);
  wf_port_set(p->acc_miss, miss);
  wf_port_set(p->acc_keep, e->keep || !m->set.bypass);
  wf_port_set(p->acc_vway, e->victim);
  wf_port_set(p->acc_vvalid, e->victim_valid);
  wf_port_set(p->acc_vline, e->victim_line);
}

/* The answer of this edge. */
static bool take(wf_cache_side *from, wf_error *err) {
  side *s = (side *)from;
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!from->sent.count)
    return wf_fail(err, WF_EXIT_WRONG, "obm: an answer to a request that was not made");
  const request r = s->sent[wf_ring_pop(&from->sent, FLIGHT)];
  const bool past = wf_port_get(s->port.acc_rsp_past);
  if (past && !r.asks) return wf_fail(err, WF_EXIT_WRONG, "obm: a hit goes past");
  if (r.asks) s->decided[wf_ring_push(&from->told, FLIGHT)] = (decision){past, r.victim};
  return true;
}

static const wf_cache_level_class classes[WF_CACHE_LEVELS] = {
    {WF_CACHE_L1, sizeof(side), "", works, drive, take},
    {WF_CACHE_L2, sizeof(side), "l2_", works, drive, take},
};

/* ---- creation ---- */

static void obm_destroy(wf_unit *unit) {
  obm *m = (obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++) wf_cache_level_free(&m->at[l]);
  free(m);
}

static bool obm_bind(wf_unit *unit, wf_error *err) {
  obm *m = (obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++)
    for (unsigned k = 0; k < m->at[l].rtl.n; k++) {
      side *s = side_of(unit, l, k);
      s->clears = true; /* takes the seed */
      if (!obm_ports_bind(&s->port, s->base.rtl->model, err)) return false;
      wf_port_set(s->port.seed, (m->set.seed + k) & 0xffff);
    }
  return true;
}

static bool open_level(obm *m, unsigned at, wf_error *err) {
  const wf_unit_env *env = &m->env;
  const bool l1 = at == WF_CACHE_L1;
  if (!wf_cache_stands(m->set.level, at)) return true;
  if (!wf_cache_level_fits("obm", env, at, MOST_SETS, WF_L1_MAX_WAYS, err)) return false;
  static const wf_rtl_value given[] = {{"PcBits", PC_BITS}, {0}};
  const wf_rtl_value fixed[] = {{"Sets", l1 ? env->l1_sets : env->l2_sets},
                                {"Ways", l1 ? env->l1_ways : env->l2_ways},
                                {"LineBits", wf_cache_line_bits(env, LINE_BITS_LEAST)},
                                {0}};
  const wf_rtl_request request = {.unit = "obm",
                                  .config = l1 ? "paper" : "slice",
                                  .fixed = fixed,
                                  .given = given,
                                  .of = &m->unit,
                                  .env = env};
  return wf_cache_level_open(&m->at[at], &classes[at], &request, err);
}

static bool obm_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  obm *m = (obm *)unit;
  m->env = *env;
  return open_level(m, WF_CACHE_L1, err) && open_level(m, WF_CACHE_L2, err);
}

/* ---- what all units have ---- */

static bool obm_tick(wf_unit *unit, wf_error *err) {
  obm *m = (obm *)unit;
  return wf_cache_level_clock(&m->at[WF_CACHE_L1], err) &&
         wf_cache_level_clock(&m->at[WF_CACHE_L2], err);
}

static bool obm_kernel_end(wf_unit *unit, wf_error *err) {
  const obm *m = (const obm *)unit;
  return wf_cache_level_end(&m->at[WF_CACHE_L1], err) &&
         wf_cache_level_end(&m->at[WF_CACHE_L2], err);
}

static void obm_describe(const wf_unit *unit, FILE *out) {
  const obm *m = (const obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++) wf_cache_level_describe(&m->at[l], out);
}

static const wf_unit_counter counters[] = {
    {"request_waits", offsetof(obm, request_waits)},
    {"busy_sms", offsetof(obm, at[WF_CACHE_L1].rtl.busy)},
    {"busy_slices", offsetof(obm, at[WF_CACHE_L2].rtl.busy)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 10.5, NULL,
     "make power UNIT=obm CONFIG=paper, NanGate 45 nm; a cycle with something offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    {"busy_slices", WF_EN_PART_UNIT, 11.3, NULL,
     "make power UNIT=obm CONFIG=slice, NanGate 45 nm; the same"},
    {0},
};

static const wf_energy_power power[] = {
    {"slice", NULL, "slice", 0.00174, "make synth UNIT=obm CONFIG=slice, NanGate 45 nm: leakage"},
    {"static", NULL, NULL, 0.00116, "make synth UNIT=obm CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_obm = {
    .name = "obm",
    .summary =
        "optimal bypass monitor: learns by pairs of lines which loads' misses go past a cache",
    .limits =
        "any SMs, warps and L2 slices; 2 to 1024 sets and at most 64 ways in an L1 and a slice",
    .claims = WF_CLAIM_L1 | WF_CLAIM_SLICE,
    .bytes = sizeof(obm),
    .settings = offsetof(obm, set),
    .open = obm_open,
    .destroy = obm_destroy,
    .tick = obm_tick,
    .idle = obm_idle,
    .kernel_end = obm_kernel_end,
    .counters = counters,
    .describe = obm_describe,
    .bind = obm_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app hbfs --graph rmat:scale=12 --config fermi16",
    .l1 = &l1_ops,
    .at_l1 = obm_at_l1,
    .caches = &cache_ops,
};
