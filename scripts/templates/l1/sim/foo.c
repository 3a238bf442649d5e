/* Socket of the FOO unit: one RTL instance beside each SM's L1. It puts a load and a request a
 * cycle on the ports and hands the answers back; what is decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/units/foo/ports.h"
#include "sim/units/rtl_set.h"

typedef struct settings {
  unsigned bypass, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"bypass", NULL, 0, 1, 0, FIELD(bypass), NULL, "all loads go past the L1"},
    {"counter_bits", "CounterBits", 0, 64, 40, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { FLIGHT = 4 };

/* A miss whose answer the fabric has not fetched. */
typedef struct decision {
  wf_l1_verdict verdict;
  unsigned way;
} decision;

/* What is on its way between an SM and its instance. */
typedef struct side {
  wf_rtl *rtl;
  foo_ports port;
  unsigned loads, asked, known;    /* without a verdict: all, of these sent, of these answered */
  bool offered, waits, waits_miss; /* a request to be sent; one whose answer comes at this edge */
  wf_l1_access offer;
  decision decided[FLIGHT];
  wf_ring decided_ring;
} side;

typedef struct foo {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  side *sides; /* [n_sm] */
  settings set;
  uint64_t verdict_waits;
} foo;

/* ---- creation ---- */

static void foo_destroy(wf_unit *unit) {
  foo *m = (foo *)unit;
  free(m->sides);
  free(m);
}

static bool foo_bind(wf_unit *unit, wf_error *err) {
  foo *m = (foo *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    s->rtl = &m->rtl.at[k];
    if (!foo_ports_bind(&s->port, s->rtl->model, err)) return false;
    wf_port_set(s->port.bypass, m->set.bypass);
  }
  return true;
}

static bool foo_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  foo *m = (foo *)unit;
  m->unit.rtl[0] = &m->rtl;
  m->env = *env;
  m->sides = wf_calloc(env->n_sm, sizeof *m->sides);
  if (env->l1_ways > WF_L1_MAX_WAYS)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit foo: an L1 of %u ways: at most %d", env->l1_ways,
                   WF_L1_MAX_WAYS);
  const wf_rtl_value fixed[] = {{"Ways", m->env.l1_ways}, {0}};
  const wf_rtl_request request = {
      .unit = "foo", .config = "paper", .fixed = fixed, .of = unit, .env = env};
  return wf_rtl_set_open(&m->rtl, env->n_sm, &request, err);
}

/* ---- what the fabric tells and asks (sim/seam/l1.h; what is NULL there it does not tell) ---- */

static void foo_load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  ((foo *)unit)->sides[sm].loads++;
}

static wf_l1_verdict foo_verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  foo *m = (foo *)unit;
  side *s = &m->sides[sm];
  if (!s->known) return m->verdict_waits++, WF_L1_WAIT;
  s->loads--;
  s->asked--;
  s->known--;
  return m->set.bypass ? WF_L1_BYPASS : WF_L1_CACHE;
}

static bool foo_access(wf_unit *unit, const wf_l1_access *a) {
  side *s = &((foo *)unit)->sides[a->sm];
  if (s->offered || s->decided_ring.count + s->waits_miss == FLIGHT) return false;
  s->offered = true;
  s->offer = *a;
  return true;
}

static wf_l1_verdict foo_decision(wf_unit *unit, unsigned sm, unsigned *way) {
  side *s = &((foo *)unit)->sides[sm];
  if (!s->decided_ring.count) return WF_L1_WAIT;
  const decision d = s->decided[wf_ring_pop(&s->decided_ring, FLIGHT)];
  *way = d.way;
  return d.verdict;
}

static const wf_l1_ops l1_ops = {
    .load = foo_load,
    .verdict = foo_verdict,
    .access = foo_access,
    .decision = foo_decision,
};

/* ---- one cycle at the ports ---- */

static void drive(const foo *m, side *s) {
  const foo_ports *p = &s->port;
  const wf_l1_access *a = &s->offer;
  const bool load = s->asked < s->loads;
  wf_port_set(p->ld_valid, load);
  s->asked += load;
  wf_port_set(p->acc_valid, s->offered);
  s->waits = s->offered;
  s->waits_miss = s->offered && !a->bypassed && !a->hit;
  s->offered = false;
  if (!s->waits) return;
  const uint32_t width = p->acc_rsp_way->width;
  for (unsigned w = 0; w < m->env.l1_ways; w++)
    wf_port_set_bits(p->acc_rank, w * width, width, a->rank[w]);
  wf_port_set(p->acc_miss, s->waits_miss);
  wf_port_set(p->acc_invalid, a->invalid);
  wf_port_set(p->acc_reserved, a->reserved);
}

/* The answers of this edge. */
static bool take(const foo *m, side *s, wf_error *err) {
  const foo_ports *p = &s->port;
  if (wf_port_get(p->ld_rsp_valid)) {
    s->known++;
    if (s->known > s->asked || wf_port_get(p->ld_rsp_bypass) != m->set.bypass)
      return wf_fail(err, WF_EXIT_WRONG, "foo: a wrong answer to a load, or one too many");
  }
  if (wf_port_get(p->acc_rsp_valid) != s->waits)
    return wf_fail(err, WF_EXIT_WRONG, "foo: a request and its answer do not go together");
  if (!s->waits_miss) return true;
  const bool alloc = wf_port_get(p->acc_rsp_alloc);
  const unsigned way = (unsigned)wf_port_get(p->acc_rsp_way);
  if (alloc && (way >= m->env.l1_ways || s->offer.reserved >> way & 1))
    return wf_fail(err, WF_EXIT_WRONG, "foo: way %u cannot be had", way);
  s->decided[wf_ring_push(&s->decided_ring, FLIGHT)] =
      (decision){alloc ? WF_L1_CACHE : WF_L1_BYPASS, way};
  return true;
}

static bool has_work(const side *s) {
  return s->known < s->loads || s->offered || !wf_port_get(s->port.idle);
}

static bool foo_tick(wf_unit *unit, wf_error *err) {
  foo *m = (foo *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    side *s = &m->sides[k];
    if (!wf_rtl_due(&m->rtl, has_work(s))) continue;
    drive(m, s);
    if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err) || !take(m, s, err)) return false;
  }
  return true;
}

static bool foo_idle(const wf_unit *unit) {
  const foo *m = (const foo *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k])) return false;
  return true;
}

static bool foo_kernel_end(wf_unit *unit, wf_error *err) {
  const foo *m = (const foo *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (m->sides[k].loads || m->sides[k].decided_ring.count)
      return wf_fail(err, WF_EXIT_WRONG,
                     "foo: SM %u: %u loads and %u decisions were never asked for", k,
                     m->sides[k].loads, m->sides[k].decided_ring.count);
  return true;
}

static void foo_describe(const wf_unit *unit, FILE *out) {
  const foo *m = (const foo *)unit;
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if (has_work(&m->sides[k])) fprintf(out, "foo of SM %u: %u loads wait\n", k, m->sides[k].loads);
}

static const wf_unit_counter counters[] = {{"verdict_waits", offsetof(foo, verdict_waits)}, {0}};

/* From `make synth UNIT=foo CONFIG=paper`, once the RTL does something. */
static const wf_energy_event energy[] = {
    {"requests", WF_EN_PART_UNIT, 0.0, NULL, "not synthesized yet"},
    {0},
};

const wf_unit_class wf_unit_foo = {
    .name = "foo",
    .summary = "what it does, in a line",
    .claims = WF_CLAIM_L1,
    .bytes = sizeof(foo),
    .settings = offsetof(foo, set),
    .open = foo_open,
    .destroy = foo_destroy,
    .tick = foo_tick,
    .idle = foo_idle,
    .kernel_end = foo_kernel_end,
    .counters = counters,
    .describe = foo_describe,
    .bind = foo_bind,
    .parameters = parameters,
    .events = energy,
    .example = "--app mm --set app.n=128",
    .l1 = &l1_ops,
};
