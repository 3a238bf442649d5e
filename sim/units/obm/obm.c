/* Socket of the OBM unit: one RTL instance beside each SM's L1. It puts a request a cycle on the
 * ports and hands the answers back; what is learned and decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/units/obm/ports.h"
#include "sim/units/rtl_set.h"

typedef struct settings {
  unsigned bypass, seed, draw_bits, count_bits, id_bits, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"bypass", NULL, 0, 1, 1, FIELD(bypass), NULL,
     "what it says is done; 0: it learns, and every line goes in"},
    {"seed", NULL, 0, 65535, 1, FIELD(seed), NULL,
     "where the draws of pairs begin; each SM's instance adds its number"},
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
  bool miss;
  unsigned victim;
} request;

/* A miss whose answer the fabric has not fetched. */
typedef struct decision {
  wf_l1_verdict verdict;
  unsigned way;
} decision;

/* What is on its way between an SM and its instance. */
typedef struct side {
  wf_rtl *rtl;
  obm_ports port;
  unsigned loads; /* that entered and have no verdict */
  bool clears;    /* a kernel begins */
  bool offered;   /* a request to be sent */
  wf_l1_access offer;
  request sent[FLIGHT];
  decision decided[FLIGHT];
  wf_ring sent_ring, decided_ring;
} side;

typedef struct obm {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  side *sides; /* [n_sm] */
  settings set;
  uint64_t request_waits;
} obm;

/* ---- creation ---- */

static void obm_destroy(wf_unit *unit) {
  obm *m = (obm *)unit;
  free(m->sides);
  free(m);
}

static bool obm_bind(wf_unit *unit, wf_error *err) {
  obm *m = (obm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    s->rtl = &m->rtl.at[k];
    if (!obm_ports_bind(&s->port, s->rtl->model, err)) return false;
    wf_port_set(s->port.bypass_en, m->set.bypass);
    wf_port_set(s->port.seed, (m->set.seed + k) & 0xffff);
  }
  return true;
}

static bool obm_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  obm *m = (obm *)unit;
  unsigned line_bits = LINE_BITS_LEAST;
  while ((WF_IMAGE_BASE + wf_image_bytes(env->image)) / env->line_bytes >> line_bits) line_bits++;
  m->unit.rtl[0] = &m->rtl;
  m->env = *env;
  m->sides = wf_calloc(env->n_sm, sizeof *m->sides);
  if (env->l1_ways > WF_L1_MAX_WAYS || env->l1_sets < 2 || env->l1_sets > 1024)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit obm: an L1 of %u sets and %u ways (l1.bytes, l1.ways): 2 to 1024 sets, at "
        "most %d ways",
        env->l1_sets, env->l1_ways, WF_L1_MAX_WAYS);
  static const wf_rtl_value given[] = {{"PcBits", PC_BITS}, {0}};
  const wf_rtl_value fixed[] = {
      {"Sets", env->l1_sets}, {"Ways", env->l1_ways}, {"LineBits", line_bits}, {0}};
  const wf_rtl_request request = {
      .unit = "obm", .config = "paper", .fixed = fixed, .given = given, .of = unit, .env = env};
  return wf_rtl_set_open(&m->rtl, env->n_sm, &request, err);
}

/* ---- what the fabric tells and asks (sim/seam/l1.h; what is NULL there it does not tell) ---- */

static void obm_kernel_start(wf_unit *unit, const ptx_kernel *kernel) {
  obm *m = (obm *)unit;
  (void)kernel;
  for (unsigned k = 0; k < m->env.n_sm; k++) m->sides[k].clears = true;
}

static bool has_work(const side *s) {
  return s->clears || s->offered || !wf_port_get(s->port.idle);
}

static bool obm_idle(const wf_unit *unit) {
  const obm *m = (const obm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k])) return false;
  return true;
}

static bool obm_ready(wf_unit *unit) {
  return obm_idle(unit);
}

static void obm_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  ((obm *)unit)->sides[sm].loads++;
}

/* No load goes past as a whole. */
static wf_l1_verdict obm_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  ((obm *)unit)->sides[sm].loads--;
  return WF_L1_CACHE;
}

static bool obm_access(wf_unit *unit, const wf_l1_access *a) {
  obm *m = (obm *)unit;
  side *s = &m->sides[a->sm];
  if (s->offered || s->decided_ring.count + s->sent_ring.count == FLIGHT)
    return m->request_waits++, false;
  s->offered = true;
  s->offer = *a;
  return true;
}

static wf_l1_verdict obm_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = &((obm *)unit)->sides[sm];
  if (!s->decided_ring.count) return WF_L1_WAIT;
  const decision d = s->decided[wf_ring_pop(&s->decided_ring, FLIGHT)];
  *way = d.way;
  return d.verdict;
}

static const wf_l1_ops l1_ops = {
    .any_part = true,
    .kernel_start = obm_kernel_start,
    .ready = obm_ready,
    .load = obm_load,
    .verdict = obm_verdict,
    .access = obm_access,
    .decision = obm_decision,
};

/* ---- one cycle at the ports ---- */

static void drive(side *s) {
  const obm_ports *p = &s->port;
  const wf_l1_access *a = &s->offer;
  wf_port_set(p->clear, s->clears);
  s->clears = false;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  s->offered = false;
  s->sent[wf_ring_push(&s->sent_ring, FLIGHT)] = (request){!a->hit, a->victim};
  wf_port_set(p->acc_pc, a->pc & ((1u << PC_BITS) - 1));
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_miss, !a->hit);
  wf_port_set(p->acc_vway, a->victim);
  wf_port_set(p->acc_vvalid, a->victim_valid);
  wf_port_set(p->acc_vline, a->victim_line);
}

/* The answer of this edge. */
static bool take(side *s, wf_error *err) {
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!s->sent_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "obm: an answer to a request that was not made");
  const request r = s->sent[wf_ring_pop(&s->sent_ring, FLIGHT)];
  const bool past = wf_port_get(s->port.acc_rsp_past);
  if (past && !r.miss) return wf_fail(err, WF_EXIT_WRONG, "obm: a hit goes past");
  if (r.miss)
    s->decided[wf_ring_push(&s->decided_ring, FLIGHT)] =
        (decision){past ? WF_L1_BYPASS : WF_L1_CACHE, r.victim};
  return true;
}

static bool obm_tick(wf_unit *unit, wf_error *err) {
  obm *m = (obm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    if (!wf_rtl_due(&m->rtl, has_work(s))) continue;
    drive(s);
    if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err) || !take(s, err)) return false;
  }
  return true;
}

static bool obm_kernel_end(wf_unit *unit, wf_error *err) {
  const obm *m = (const obm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (m->sides[k].loads || m->sides[k].decided_ring.count)
      return wf_fail(err, WF_EXIT_WRONG,
                     "obm: SM %u: %u loads and %u decisions were never asked for", k,
                     m->sides[k].loads, m->sides[k].decided_ring.count);
  return true;
}

static void obm_describe(const wf_unit *unit, FILE *out) {
  const obm *m = (const obm *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k]))
      fprintf(out, "obm of SM %u: %u requests wait\n", k, m->sides[k].sent_ring.count);
}

static const wf_unit_counter counters[] = {
    {"request_waits", offsetof(obm, request_waits)},
    {"busy_sms", offsetof(obm, rtl.busy)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 10.6, NULL,
     "make power UNIT=obm CONFIG=paper, NanGate 45 nm; a cycle with something offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    {0},
};

static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.00117, "make synth UNIT=obm CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_obm = {
    .name = "obm",
    .summary =
        "optimal bypass monitor: learns by pairs of lines which loads' misses go past the L1",
    .limits = "any SMs, warps and L2 slices; an L1 of 2 to 1024 sets and at most 16 ways",
    .claims = WF_CLAIM_L1,
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
};
