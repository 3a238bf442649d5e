/* At the slices of L2. */
#include "sim/units/region/region.h"

/* acc_kind_i */
enum { HIT, MISS, JOIN, FILL, VICTIM, STORE };

bool region_slices_fit(const region *m, wf_error *err) {
  const wf_unit_env *env = &m->env;
  if (env->l2_ways > 16 || env->l2_sets < 2 || env->l2_sets > 4096 || env->l2_mshrs < 2 ||
      env->l2_mshrs > 1024)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit region: an L2 slice of %u sets, %u ways and %u MSHRs (l2.bytes, l2.ways, "
        "l2.mshrs): 2 to 4096 sets, at most 16 ways, 2 to 1024 MSHRs",
        env->l2_sets, env->l2_ways, env->l2_mshrs);
  return true;
}

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
  m->slices = wf_calloc(env->n_part, sizeof *m->slices);
  if (!wf_rtl_set_open(&m->slices_rtl, env->n_part, &request, err)) return false;
  m->slices_rtl.prefix = "l2_";
  return true;
}

bool region_slices_bind(region *m, wf_error *err) {
  for (unsigned k = 0; k < m->env.n_part; k++) {
    m->slices[k].rtl = &m->slices_rtl.at[k];
    if (!slice_ports_bind(&m->slices[k].port, m->slices[k].rtl->model, err)) return false;
  }
  return true;
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
  region_slice *s = &((region *)unit)->slices[e->at];
  if (s->offered || s->sent + s->answers.count == REGION_FLIGHT)
    wf_fail(&unit->fault, WF_EXIT_WRONG, "region: slice %u: two accesses in a cycle", e->at);
  s->offered = true;
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
  region_slice *s = &((region *)unit)->slices[slice];
  if (!s->answers.count) return false;
  *to = s->answer[wf_ring_pop(&s->answers, REGION_FLIGHT)];
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

static void drive(region_slice *s) {
  const slice_ports *p = &s->port;
  const wf_cache_event *e = &s->offer;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  s->offered = false;
  s->sent += s->asks;
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
static bool take(region_slice *s, wf_error *err) {
  const slice_ports *p = &s->port;
  if (!wf_port_get(p->acc_rsp_valid)) return true;
  if (!s->sent) return wf_fail(err, WF_EXIT_WRONG, "region: an answer to a read that was not made");
  s->sent--;
  const unsigned mode = (wf_port_get(p->acc_rsp_shared) ? WF_MODE_SHARED : 0) |
                        (wf_port_get(p->acc_rsp_private) ? WF_MODE_PRIVATE : 0);
  s->answer[wf_ring_push(&s->answers, REGION_FLIGHT)] =
      (wf_slice_answer){.past = wf_port_get(p->acc_rsp_past),
                        .leaves = wf_port_get(p->acc_rsp_leaves),
                        .mode = (uint8_t)mode};
  return true;
}

bool region_slice_works(const region_slice *s) {
  return s->offered || !wf_port_get(s->port.idle);
}

/* In the clock's domain of L2. */
bool region_slices_clock(region *m, wf_error *err) {
  if (!wf_mem_l2_edge(m->env.mem)) return true;
  for (unsigned k = 0; k < m->env.n_part; k++) {
    region_slice *s = &m->slices[k];
    if (!wf_rtl_due(&m->slices_rtl, region_slice_works(s))) continue;
    drive(s);
    if (!wf_rtl_clock(s->rtl, wf_unit_now(&m->env), err) || !take(s, err)) return false;
  }
  return true;
}
