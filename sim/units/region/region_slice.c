/* At the slices of L2. */
#include "sim/units/region/region.h"

/* acc_kind_i */
enum { HIT, MISS, JOIN, FILL, VICTIM, STORE };
enum { MOST_SETS = 4096, MOST_WAYS = 16, MOST_MSHRS = 1024 }; /* of its RTL */

bool region_slices_fit(const region *m, wf_error *err) {
  const unsigned mshrs = m->env.l2_mshrs;
  return wf_cache_level_fits("region", &m->env, WF_CACHE_L2, MOST_SETS, MOST_WAYS, err) &&
         ((mshrs >= 2 && mshrs <= MOST_MSHRS) ||
          wf_fail(err, WF_EXIT_BAD_INPUT,
                  "--unit region: an L2 slice of %u MSHRs (l2.mshrs): 2 to %d", mshrs, MOST_MSHRS));
}

static region_slice *slice_of(wf_unit *unit, unsigned slice) {
  return (region_slice *)wf_cache_level_side(&((region *)unit)->slices, slice);
}

/* ---- what the slices tell and ask (sim/seam/cache.h) ---- */

static bool listens(const wf_unit *unit, unsigned level) {
  (void)unit;
  return level == WF_CACHE_L2;
}

static bool judges(const wf_unit *unit) {
  (void)unit;
  return true;
}

/* A slice's tags do one thing a cycle, and the port takes one. */
static void offer(wf_unit *unit, const wf_cache_event *e, bool asks) {
  region_slice *s = slice_of(unit, e->at);
  if (!wf_cache_side_takes(&s->base, REGION_FLIGHT))
    wf_fail(&unit->fault, WF_EXIT_WRONG, "region: slice %u: two accesses in a cycle", e->at);
  s->base.offered = true;
  s->offer = *e;
  s->asks = asks;
}

static void event(wf_unit *unit, const wf_cache_event *e) {
  if (e->what == WF_CACHE_FILL) offer(unit, e, false);
}

/* Of atomics it hears those that bring a line. */
static bool ask(wf_unit *unit, const wf_cache_event *e) {
  const bool miss = !e->hit && !e->coming;
  if (!e->keep || miss) offer(unit, e, !e->keep);
  return !e->keep;
}

static bool answer(wf_unit *unit, unsigned slice, wf_slice_answer *to) {
  region_slice *s = slice_of(unit, slice);
  if (!s->base.told.count) return false;
  *to = s->answer[wf_ring_pop(&s->base.told, REGION_FLIGHT)];
  return true;
}

const wf_cache_ops region_cache_ops = {.listens = listens,
                                       .event = event,
                                       .judges = judges,
                                       .moves = true,
                                       .ask = ask,
                                       .answer = answer};

/* ---- one cycle at the ports ---- */

static unsigned kind_of(const wf_cache_event *e) {
  if (e->what == WF_CACHE_FILL)
    return e->mshr != WF_CACHE_NO_MSHR ? FILL : e->returned ? VICTIM : STORE;
  return e->coming ? JOIN : e->hit ? HIT : MISS;
}

static bool works(const wf_cache_side *to) {
  return to->offered || !wf_port_get(((const region_slice *)to)->port.idle);
}

static void drive(const wf_cache_level *level, wf_cache_side *to) {
  region_slice *s = (region_slice *)to;
  const slice_ports *p = &s->port;
  const wf_cache_event *e = &s->offer;
  (void)level;
  wf_port_set(p->acc_valid, to->offered);
  if (!to->offered) return;
  to->offered = false;
  to->sent.count += s->asks;
  wf_port_set(p->acc_kind, kind_of(e));
  wf_port_set(p->acc_asks, s->asks);
  wf_port_set(p->acc_set, e->set);
  wf_port_set(p->acc_way, e->way == WF_CACHE_NO_WAY ? 0 : e->way);
  wf_port_set(p->acc_mshr, e->mshr == WF_CACHE_NO_MSHR ? 0 : e->mshr);
  wf_port_set(p->acc_core, e->sm);
  wf_port_set(p->acc_past, (e->mode & WF_MODE_PAST) != 0);
  wf_port_set(p->acc_keeps, e->to_l1);
}

/* The answer of this edge. */
static bool take(wf_cache_side *from, wf_error *err) {
  region_slice *s = (region_slice *)from;
  const slice_ports *p = &s->port;
  if (!wf_port_get(p->acc_rsp_valid)) return true;
  if (!from->sent.count)
    return wf_fail(err, WF_EXIT_WRONG, "region: an answer to a read that was not made");
  from->sent.count--;
  const unsigned mode = (wf_port_get(p->acc_rsp_shared) ? WF_MODE_SHARED : 0) |
                        (wf_port_get(p->acc_rsp_private) ? WF_MODE_PRIVATE : 0);
  s->answer[wf_ring_push(&from->told, REGION_FLIGHT)] =
      (wf_slice_answer){.past = wf_port_get(p->acc_rsp_past),
                        .leaves = wf_port_get(p->acc_rsp_leaves),
                        .mode = (uint8_t)mode};
  return true;
}

/* ---- creation ---- */

static const wf_cache_level_class class = {WF_CACHE_L2, sizeof(region_slice), "l2_", works, drive,
                                           take};

bool region_slices_open(region *m, wf_error *err) {
  const wf_unit_env *env = &m->env;
  unsigned core_bits = 1;
  while (1u << core_bits < env->n_sm) core_bits++;
  const wf_rtl_value fixed[] = {{"Sets", env->l2_sets},
                                {"Ways", env->l2_ways},
                                {"Mshrs", env->l2_mshrs},
                                {"CoreBits", core_bits},
                                {0}};
  const wf_rtl_request request = {
      .unit = "region_slice", .config = "paper", .fixed = fixed, .of = &m->unit, .env = env};
  return wf_cache_level_open(&m->slices, &class, &request, err);
}

bool region_slices_bind(region *m, wf_error *err) {
  for (unsigned k = 0; k < m->slices.rtl.n; k++) {
    region_slice *s = slice_of(&m->unit, k);
    if (!slice_ports_bind(&s->port, s->base.rtl->model, err)) return false;
  }
  return true;
}
