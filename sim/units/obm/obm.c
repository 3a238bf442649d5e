/* Socket of the OBM unit: one RTL instance beside each SM's L1, or at each slice of L2, or both. It
 * puts a request a cycle on the ports and hands the answers back; what is learned and decided is
 * the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/units/obm/ports.h"
#include "sim/units/rtl_set.h"

enum { AT_L1, AT_L2, AT_BOTH };

typedef struct settings {
  unsigned level, bypass, seed, draw_bits, count_bits, id_bits, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const char *const levels[] = {"l1", "l2", "both", NULL};
static const wf_parameter parameters[] = {
    {"level", NULL, AT_L1, AT_BOTH, AT_L1, FIELD(level), levels,
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

enum { FLIGHT = 4, LINE_BITS_LEAST = 25, PC_BITS = 12 };

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
  wf_rtl *rtl;
  obm_ports port;
  unsigned loads; /* of an SM: that entered and have no verdict */
  bool clears;    /* the cache is empty: a kernel begins */
  bool offered;   /* a request to be sent */
  wf_cache_event offer;
  bool asks; /* its answer is waited for */
  request sent[FLIGHT];
  decision decided[FLIGHT];
  wf_ring sent_ring, decided_ring;
} side;

/* The caches of a level. */
typedef struct level {
  wf_rtl_set rtl;
  side *sides; /* [n] */
  unsigned n;
} level;

typedef struct obm {
  wf_unit unit;
  wf_unit_env env;
  level at[WF_CACHE_LEVELS];
  settings set;
  uint64_t request_waits;
} obm;

static bool stands(const obm *m, unsigned at) {
  return m->set.level == AT_BOTH || m->set.level == at;
}

/* ---- creation ---- */

static void obm_destroy(wf_unit *unit) {
  obm *m = (obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++) free(m->at[l].sides);
  free(m);
}

static bool obm_bind(wf_unit *unit, wf_error *err) {
  obm *m = (obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++)
    for (unsigned k = 0; k < m->at[l].n; k++) {
      side *s = &m->at[l].sides[k];
      s->rtl = &m->at[l].rtl.at[k];
      s->clears = true; /* takes the seed */
      if (!obm_ports_bind(&s->port, s->rtl->model, err)) return false;
      wf_port_set(s->port.seed, (m->set.seed + k) & 0xffff);
    }
  return true;
}

/* The shape of a level's caches. */
typedef struct shape {
  const char *what, *keys;
  unsigned n, sets, ways, line_bits;
} shape;

static bool open_level(obm *m, unsigned at, const shape *c, wf_error *err) {
  level *l = &m->at[at];
  if (c->ways > WF_L1_MAX_WAYS || c->sets < 2 || c->sets > 1024)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit obm: an %s of %u sets and %u ways (%s): 2 to 1024 sets, at most %d ways",
                   c->what, c->sets, c->ways, c->keys, WF_L1_MAX_WAYS);
  static const wf_rtl_value given[] = {{"PcBits", PC_BITS}, {0}};
  const wf_rtl_value fixed[] = {
      {"Sets", c->sets}, {"Ways", c->ways}, {"LineBits", c->line_bits}, {0}};
  const wf_rtl_request request = {.unit = "obm",
                                  .config = at == AT_L1 ? "paper" : "slice",
                                  .fixed = fixed,
                                  .given = given,
                                  .of = &m->unit,
                                  .env = &m->env};
  m->unit.rtl[m->unit.rtl[0] ? 1 : 0] = &l->rtl;
  l->n = c->n;
  l->sides = wf_calloc(c->n, sizeof *l->sides);
  if (!wf_rtl_set_open(&l->rtl, c->n, &request, err)) return false;
  l->rtl.prefix = at == AT_L1 ? "" : "l2_";
  return true;
}

static bool obm_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  obm *m = (obm *)unit;
  unsigned line_bits = LINE_BITS_LEAST;
  while ((WF_IMAGE_BASE + wf_image_bytes(env->image)) / env->line_bytes >> line_bits) line_bits++;
  m->env = *env;
  const shape l1 = {"L1", "l1.bytes, l1.ways", env->n_sm, env->l1_sets, env->l1_ways, line_bits},
              l2 = {"L2 slice",   "l2.bytes, l2.ways", env->n_part,
                    env->l2_sets, env->l2_ways,        line_bits};
  return (!stands(m, AT_L1) || open_level(m, AT_L1, &l1, err)) &&
         (!stands(m, AT_L2) || open_level(m, AT_L2, &l2, err));
}

/* ---- what the fabric tells and asks (sim/seam/l1.h, cache.h; what is NULL there it does not tell)
 * ---- */

static bool obm_at_l1(const wf_unit *unit) {
  return stands((const obm *)unit, AT_L1);
}

static bool obm_judges(const wf_unit *unit) {
  return stands((const obm *)unit, AT_L2);
}

/* The L2 keeps its lines, and so its pairs. */
static void obm_kernel_start(wf_unit *unit, const ptx_kernel *kernel) {
  obm *m = (obm *)unit;
  (void)kernel;
  for (unsigned k = 0; k < m->at[AT_L1].n; k++) m->at[AT_L1].sides[k].clears = true;
}

static bool has_work(const side *s) {
  return s->clears || s->offered || !wf_port_get(s->port.idle);
}

static bool obm_idle(const wf_unit *unit) {
  const obm *m = (const obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++)
    for (unsigned k = 0; k < m->at[l].n; k++)
      if (has_work(&m->at[l].sides[k])) return false;
  return true;
}

static bool obm_ready(wf_unit *unit) {
  return obm_idle(unit);
}

static void obm_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  ((obm *)unit)->at[AT_L1].sides[sm].loads++;
}

/* No load goes past as a whole. */
static wf_l1_verdict obm_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  ((obm *)unit)->at[AT_L1].sides[sm].loads--;
  return WF_L1_CACHE;
}

static bool offer(obm *m, side *s, const wf_cache_event *e, bool asks) {
  if (s->offered || s->decided_ring.count + s->sent_ring.count == FLIGHT)
    return m->request_waits++, false;
  s->offered = true;
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
  return offer(m, &m->at[AT_L1].sides[a->sm], &e, !a->hit);
}

static wf_l1_verdict obm_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = &((obm *)unit)->at[AT_L1].sides[sm];
  if (!s->decided_ring.count) return WF_L1_WAIT;
  const decision d = s->decided[wf_ring_pop(&s->decided_ring, FLIGHT)];
  *way = d.way;
  return d.past ? WF_L1_BYPASS : WF_L1_CACHE;
}

/* A slice has a look-up a cycle, and its port takes one. */
static bool obm_ask(wf_unit *unit, const wf_cache_event *e) {
  obm *m = (obm *)unit;
  const bool miss = e->way == WF_CACHE_NO_WAY && !e->coming;
  if (!offer(m, &m->at[AT_L2].sides[e->at], e, miss))
    wf_fail(&unit->fault, WF_EXIT_WRONG, "obm: slice %u: two look-ups in a cycle", e->at);
  return miss;
}

static bool obm_answer(wf_unit *unit, unsigned slice, wf_slice_answer *answer) {
  side *s = &((obm *)unit)->at[AT_L2].sides[slice];
  if (!s->decided_ring.count) return false;
  *answer = (wf_slice_answer){.past = s->decided[wf_ring_pop(&s->decided_ring, FLIGHT)].past};
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

static void drive(const obm *m, side *s) {
  const obm_ports *p = &s->port;
  const wf_cache_event *e = &s->offer;
  const bool miss = e->way == WF_CACHE_NO_WAY && !e->coming;
  wf_port_set(p->clear, s->clears);
  wf_port_set(p->acc_valid, s->offered && !s->clears);
  if (s->clears || !s->offered) {
    s->clears = false;
    return;
  }
  s->offered = false;
  s->sent[wf_ring_push(&s->sent_ring, FLIGHT)] = (request){s->asks, e->victim};
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
static bool take(side *s, wf_error *err) {
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!s->sent_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "obm: an answer to a request that was not made");
  const request r = s->sent[wf_ring_pop(&s->sent_ring, FLIGHT)];
  const bool past = wf_port_get(s->port.acc_rsp_past);
  if (past && !r.asks) return wf_fail(err, WF_EXIT_WRONG, "obm: a hit goes past");
  if (r.asks) s->decided[wf_ring_push(&s->decided_ring, FLIGHT)] = (decision){past, r.victim};
  return true;
}

static bool clock_level(obm *m, level *l, wf_error *err) {
  for (unsigned k = 0; k < l->n; k++) {
    side *s = &l->sides[k];
    if (!wf_rtl_due(&l->rtl, has_work(s))) continue;
    drive(m, s);
    if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err) || !take(s, err)) return false;
  }
  return true;
}

/* Each level in its own clock's domain. */
static bool obm_tick(wf_unit *unit, wf_error *err) {
  obm *m = (obm *)unit;
  return clock_level(m, &m->at[AT_L1], err) &&
         (!wf_mem_l2_edge(m->env.mem) || clock_level(m, &m->at[AT_L2], err));
}

static bool obm_kernel_end(wf_unit *unit, wf_error *err) {
  const obm *m = (const obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++)
    for (unsigned k = 0; k < m->at[l].n; k++) {
      const side *s = &m->at[l].sides[k];
      if (s->loads || s->decided_ring.count)
        return wf_fail(err, WF_EXIT_WRONG,
                       "obm: %s %u: %u loads and %u decisions were never asked for",
                       l == AT_L1 ? "SM" : "slice", k, s->loads, s->decided_ring.count);
    }
  return true;
}

static void obm_describe(const wf_unit *unit, FILE *out) {
  const obm *m = (const obm *)unit;
  for (unsigned l = 0; l < WF_CACHE_LEVELS; l++)
    for (unsigned k = 0; k < m->at[l].n; k++)
      if (has_work(&m->at[l].sides[k]))
        fprintf(out, "obm of %s %u: %u requests wait\n", l == AT_L1 ? "SM" : "slice", k,
                m->at[l].sides[k].sent_ring.count);
}

static const wf_unit_counter counters[] = {
    {"request_waits", offsetof(obm, request_waits)},
    {"busy_sms", offsetof(obm, at[AT_L1].rtl.busy)},
    {"busy_slices", offsetof(obm, at[AT_L2].rtl.busy)},
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
