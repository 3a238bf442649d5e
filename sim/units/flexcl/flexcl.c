/* Socket of the FLEXCL unit: one RTL instance at each slice of L2. It puts a read a cycle on the
 * ports and hands the answers back; what is decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/units/cache_level.h"
#include "sim/units/flexcl/ports.h"

typedef struct settings {
  unsigned leaders, psel_bits, counter_bits, gate;
} settings;
#define FIELD(f) offsetof(settings, f)

static const wf_parameter parameters[] = {
    {"leaders", "Leaders", 1, 16, 2, FIELD(leaders), NULL,
     "sets of a slice that keep each of the two policies"},
    {"psel_bits", "PselBits", 2, 16, 11, FIELD(psel_bits), NULL,
     "of the counter that tells which policy misses less"},
    {"counter_bits", "CounterBits", 0, 64, 28, FIELD(counter_bits), NULL,
     "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, FIELD(gate), NULL,
     "do not clock idle RTL; 0 clocks it always, same results"},
    {0},
};

enum { FLIGHT = 4 };

/* What is on its way between a slice and its instance. */
typedef struct side {
  wf_cache_side base;
  flexcl_ports port;
  wf_cache_event offer;
  bool exclusive[FLIGHT]; /* told */
} side;

typedef struct flexcl {
  wf_unit unit;
  wf_unit_env env;
  wf_cache_level slices;
  settings set;
} flexcl;

static side *side_of(wf_unit *unit, unsigned slice) {
  return (side *)wf_cache_level_side(&((flexcl *)unit)->slices, slice);
}

/* ---- what the slices tell and ask (sim/seam/cache.h) ---- */

static bool flexcl_judges(const wf_unit *unit) {
  (void)unit;
  return true;
}

/* Atomics are not its matter: their lines stay. A slice has a look-up a cycle. */
static bool flexcl_ask(wf_unit *unit, const wf_cache_event *e) {
  side *s = side_of(unit, e->at);
  if (e->keep) return false;
  if (!wf_cache_side_takes(&s->base, FLIGHT))
    wf_fail(&unit->fault, WF_EXIT_WRONG, "flexcl: slice %u: two look-ups in a cycle", e->at);
  s->base.offered = true;
  s->offer = *e;
  return true;
}

static bool flexcl_answer(wf_unit *unit, unsigned slice, wf_slice_answer *answer) {
  side *s = side_of(unit, slice);
  if (!s->base.told.count) return false;
  const bool exclusive = s->exclusive[wf_ring_pop(&s->base.told, FLIGHT)];
  *answer = (wf_slice_answer){
      .past = exclusive, .leaves = exclusive, .mode = exclusive ? WF_MODE_COPY_BACK : 0};
  return true;
}

static const wf_cache_ops cache_ops = {
    .judges = flexcl_judges, .moves = true, .ask = flexcl_ask, .answer = flexcl_answer};

/* ---- one cycle at the ports ---- */

static bool works(const wf_cache_side *to) {
  return to->offered || !wf_port_get(((const side *)to)->port.idle);
}

static void drive(const wf_cache_level *level, wf_cache_side *to) {
  side *s = (side *)to;
  const flexcl_ports *p = &s->port;
  (void)level;
  wf_port_set(p->acc_valid, to->offered);
  if (!to->offered) return;
  to->offered = false;
  to->sent.count++;
  wf_port_set(p->acc_set, s->offer.set);
  wf_port_set(p->acc_miss, s->offer.way == WF_CACHE_NO_WAY && !s->offer.coming);
  wf_port_set(p->acc_keeps, s->offer.to_l1);
}

/* The answer of this edge. */
static bool take(wf_cache_side *from, wf_error *err) {
  side *s = (side *)from;
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!from->sent.count)
    return wf_fail(err, WF_EXIT_WRONG, "flexcl: an answer to a read that was not made");
  from->sent.count--;
  s->exclusive[wf_ring_push(&from->told, FLIGHT)] = wf_port_get(s->port.acc_rsp_excl);
  return true;
}

static const wf_cache_level_class class = {WF_CACHE_L2, sizeof(side), NULL, works, drive, take};

/* ---- what all units have ---- */

static void flexcl_destroy(wf_unit *unit) {
  flexcl *m = (flexcl *)unit;
  wf_cache_level_free(&m->slices);
  free(m);
}

static bool flexcl_bind(wf_unit *unit, wf_error *err) {
  flexcl *m = (flexcl *)unit;
  for (unsigned k = 0; k < m->slices.rtl.n; k++) {
    side *s = side_of(unit, k);
    if (!flexcl_ports_bind(&s->port, s->base.rtl->model, err)) return false;
  }
  return true;
}

static bool flexcl_open(wf_unit *unit, const wf_unit_env *env, wf_error *err) {
  flexcl *m = (flexcl *)unit;
  m->env = *env;
  if (env->l2_sets < 2 * m->set.leaders || env->l2_sets > 4096)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit flexcl: an L2 slice of %u sets (l2.bytes, l2.ways): twice "
                   "flexcl.leaders=%u, to 4096",
                   env->l2_sets, m->set.leaders);
  const wf_rtl_value fixed[] = {{"Sets", env->l2_sets}, {0}};
  const wf_rtl_request request = {
      .unit = "flexcl", .config = "paper", .fixed = fixed, .of = unit, .env = &m->env};
  return wf_cache_level_open(&m->slices, &class, &request, err);
}

static bool flexcl_tick(wf_unit *unit, wf_error *err) {
  return wf_cache_level_clock(&((flexcl *)unit)->slices, err);
}

static bool flexcl_idle(const wf_unit *unit) {
  return wf_cache_level_idle(&((const flexcl *)unit)->slices);
}

static bool flexcl_kernel_end(wf_unit *unit, wf_error *err) {
  return wf_cache_level_end(&((const flexcl *)unit)->slices, err);
}

static void flexcl_describe(const wf_unit *unit, FILE *out) {
  wf_cache_level_describe(&((const flexcl *)unit)->slices, out);
}

static const wf_unit_counter counters[] = {{"busy_slices", offsetof(flexcl, slices.rtl.busy)}, {0}};

static const wf_energy_event energy[] = {
    {"busy_slices", WF_EN_PART_UNIT, 3.9, NULL,
     "make power UNIT=flexcl CONFIG=paper, NanGate 45 nm; a cycle with a read offered or inside, "
     "outside which a clock gate on idle_o stops it"},
    {0},
};

static const wf_energy_power power[] = {
    {"static", NULL, NULL, 0.000157, "make synth UNIT=flexcl CONFIG=paper, NanGate 45 nm: leakage"},
    {0},
};

const wf_unit_class wf_unit_flexcl = {
    .name = "flexcl",
    .summary = "flexible exclusion: duelling sets tell whether a line lives in L1 alone or in both",
    .limits = "any SMs and warps; L2 slices of 4 to 4096 sets; whole lines in the L1",
    .claims = WF_CLAIM_SLICE,
    .bytes = sizeof(flexcl),
    .settings = offsetof(flexcl, set),
    .open = flexcl_open,
    .destroy = flexcl_destroy,
    .tick = flexcl_tick,
    .idle = flexcl_idle,
    .kernel_end = flexcl_kernel_end,
    .counters = counters,
    .describe = flexcl_describe,
    .bind = flexcl_bind,
    .parameters = parameters,
    .events = energy,
    .power = power,
    .example = "--app hbfs --graph rmat:scale=12 --config fermi16",
    .caches = &cache_ops,
};
