/* Socket of the pending request table: one RTL instance in the place of each SM's account of loads
 * past the L1. It puts a reply and a line a cycle on the ports and hands the answers back; which
 * load waits for what is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/units/prt/ports.h"
#include "sim/units/rtl_set.h"

typedef struct settings {
  unsigned counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

enum { OFFSET_BITS = 7 };

static const wf_parameter parameters[] = {
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

/* One SM's. */
typedef struct table {
  wf_rtl *rtl;
  prt_ports port;
  bool offered; /* something is on the ports, for the edge to come */
} table;

typedef struct prt {
  wf_unit unit;
  wf_unit_env env;
  wf_rtl_set rtl;
  table *tables; /* [n_sm] */
  settings set;
} prt;

/* ---- creation ---- */

static void prt_destroy(wf_unit *unit) {
  free(((prt *)unit)->tables);
  free(unit);
}

static bool prt_bind(wf_unit *unit, wf_error *err) {
  prt *p = (prt *)unit;
  for (unsigned s = 0; s < p->env.n_sm; s++) {
    p->tables[s] = (table){.rtl = &p->rtl.at[s]};
    if (!prt_ports_bind(&p->tables[s].port, p->rtl.at[s].model, err)) return false;
  }
  return true;
}

static bool prt_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  prt *p = (prt *)unit;
  p->env = *env;
  p->unit.rtl[0] = &p->rtl;
  p->tables = wf_calloc(env->n_sm, sizeof *p->tables);
  const wf_rtl_value fixed[] = {
      {"Entries", env->lsu_loads}, {"LaneSlots", env->lsu_lane_slots}, {0}};
  const wf_rtl_request request = {
      .unit = "prt", .config = "paper", .fixed = fixed, .of = &p->unit, .env = &p->env};
  return wf_rtl_set_open(&p->rtl, env->n_sm, &request, err);
}

/* ---- what the fabric tells and asks (sim/seam/miss.h) ---- */

/* Answered in its own cycle, at whose end the table moves: prt_tick(). */
static wf_load_answer prt_line(wf_unit *unit, unsigned sm, const wf_load_line *line) {
  table *t = &((prt *)unit)->tables[sm];
  const prt_ports *p = &t->port;
  t->offered = true;
  wf_port_set(p->req_valid, 1);
  wf_port_set(p->req_first, line->first);
  wf_port_set(p->req_last, line->last);
  wf_port_set(p->req_mask, line->mask);
  wf_port_set(p->req_active, line->active);
  wf_port_set(p->req_load, line->load);
  for (unsigned l = 0; line->first && l < WF_LOAD_LANES; l++)
    wf_port_set_bits(p->req_offsets, l * OFFSET_BITS, OFFSET_BITS, line->offset[l]);
  if (!wf_rtl_ok(t->rtl, wf_model_settle(t->rtl->model), &unit->fault)) return (wf_load_answer){0};
  return (wf_load_answer){wf_port_get(p->req_ready), wf_port_word(p->req_entry)};
}

static void prt_reply(wf_unit *unit, unsigned sm, unsigned entry, uint32_t mask) {
  table *t = &((prt *)unit)->tables[sm];
  t->offered = true;
  wf_port_set(t->port.reply_valid, 1);
  wf_port_set(t->port.reply_entry, entry);
  wf_port_set(t->port.reply_mask, mask);
}

static const wf_miss_ops miss_ops = {.line = prt_line, .reply = prt_reply};

/* ---- one cycle at the ports ---- */

static bool has_work(const table *t) {
  return t->offered || !wf_port_get(t->port.idle);
}

/* The answer of this edge. */
static void take(prt *p, unsigned sm) {
  const prt_ports *port = &p->tables[sm].port;
  if (!wf_port_get(port->lanes_valid)) return;
  wf_load_told told = {.load = (uint16_t)wf_port_get(port->lanes_load),
                       .last = wf_port_get(port->lanes_last),
                       .mask = wf_port_word(port->lanes_mask)};
  for (unsigned l = 0; l < WF_LOAD_LANES; l++)
    told.offset[l] = (uint8_t)wf_port_get_bits(port->lanes_offsets, l * OFFSET_BITS, OFFSET_BITS);
  p->env.load_told(p->env.gpu, sm, &told);
}

static bool prt_tick(wf_unit *unit, wf_error *err) {
  prt *p = (prt *)unit;
  for (unsigned s = 0; s < p->env.n_sm; s++) {
    table *t = &p->tables[s];
    if (!wf_rtl_due(&p->rtl, has_work(t))) continue;
    if (!wf_rtl_clock(t->rtl, wf_unit_now(&p->env), err)) return false;
    wf_port_set(t->port.req_valid, 0);
    wf_port_set(t->port.reply_valid, 0);
    t->offered = false;
    take(p, s);
  }
  return true;
}

static bool prt_idle(const wf_unit *unit) {
  const prt *p = (const prt *)unit;
  for (unsigned s = 0; s < p->env.n_sm; s++)
    if (has_work(&p->tables[s])) return false;
  return true;
}

static bool prt_kernel_end(wf_unit *unit, wf_error *err) {
  const prt *p = (const prt *)unit;
  for (unsigned s = 0; s < p->env.n_sm; s++)
    if (!wf_port_get(p->tables[s].port.empty))
      return wf_fail(err, WF_EXIT_WRONG, "prt: SM %u: a load waits as the kernel ends", s);
  return true;
}

static void prt_describe(const wf_unit *unit, FILE *out) {
  const prt *p = (const prt *)unit;
  for (unsigned s = 0; s < p->env.n_sm; s++)
    if (!wf_port_get(p->tables[s].port.empty)) fprintf(out, "prt of SM %u: loads wait\n", s);
}

static const wf_unit_counter counters[] = {
    {"busy_sms", offsetof(prt, rtl.busy)},
    {0},
};

static const wf_energy_event energy[] = {
    {"busy_sms", WF_EN_PART_UNIT, 12.2, NULL,
     "make power UNIT=prt CONFIG=paper, NanGate 45 nm; a cycle with something offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    {0},
};

static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.00225, "make synth UNIT=prt CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_prt = {
    .name = "prt",
    .summary = "pending request table: an entry for each load past the L1, none of them merged",
    .limits = "any SMs, warps and L2 slices",
    .bytes = sizeof(prt),
    .settings = offsetof(prt, set),
    .open = prt_open,
    .destroy = prt_destroy,
    .tick = prt_tick,
    .idle = prt_idle,
    .kernel_end = prt_kernel_end,
    .counters = counters,
    .describe = prt_describe,
    .bind = prt_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app mshr --config k20c --set app.turns=1 --set lsu.past=1 --set lsu.loads=44",
    .misses = &miss_ops,
};
