/* Beside the SMs' L1s. */
#include "sim/units/region/region.h"

enum { LINE_BITS_LEAST = 25, PC_BITS = 16 };

enum { MOST_SETS = 1024, MOST_WAYS = 16 }; /* of its RTL */
static const char *const configs[REGION_MODES] = {"rex", "paper", "paper"};

bool region_cores_fit(const region *m, wf_error *err) {
  if (!wf_cache_level_fits("region", &m->env, WF_CACHE_L1, MOST_SETS, MOST_WAYS, err)) return false;
  if (m->set.region_rows > m->set.regions || m->set.probe == 1)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "region.region_rows=%u, region.probe=%u: at most region.regions=%u rows; probe "
                   "is 0, or at least 2",
                   m->set.region_rows, m->set.probe, m->set.regions);
  return true;
}

static region_core *core_of(wf_unit *unit, unsigned sm) {
  return (region_core *)wf_cache_level_side(&((region *)unit)->cores, sm);
}

/* ---- what the fabric tells and asks (sim/seam/l1.h) ---- */

/* The runtime writes the allocations' ranges, as many as there is room for. */
static void kernel_start(wf_unit *unit, const ptx_kernel *kernel) {
  region *m = (region *)unit;
  size_t n;
  (void)kernel;
  wf_image_allocations(m->env.image, &n);
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    core_of(unit, k)->clears = true;
    core_of(unit, k)->maps = n < m->set.regions ? n : m->set.regions;
  }
}

static bool ready(wf_unit *unit) {
  return wf_cache_level_idle(&((const region *)unit)->cores);
}

static void load(wf_unit *unit, unsigned sm, unsigned warp, ptx_pc pc) {
  (void)warp, (void)pc;
  core_of(unit, sm)->base.loads++;
}

/* No load goes past as a whole. */
static wf_l1_verdict verdict(wf_unit *unit, unsigned sm, uint8_t *mark) {
  (void)mark;
  core_of(unit, sm)->base.loads--;
  return WF_L1_CACHE;
}

static bool offer(wf_unit *unit, const wf_l1_access *a) {
  region_core *s = core_of(unit, a->sm);
  if (!wf_cache_side_takes(&s->base, REGION_FLIGHT))
    return ((region *)unit)->request_waits++, false;
  s->base.offered = true;
  s->offer = *a;
  return true;
}

static wf_l1_verdict decision(wf_unit *unit, unsigned sm, unsigned *way) {
  region_core *s = core_of(unit, sm);
  if (!s->base.told.count) return WF_L1_WAIT;
  s->last = s->decided[wf_ring_pop(&s->base.told, REGION_FLIGHT)];
  *way = s->last.way;
  return s->last.past ? WF_L1_BYPASS : WF_L1_CACHE;
}

static wf_l1_label label(wf_unit *unit, unsigned sm) {
  return core_of(unit, sm)->last.label;
}

static void came(wf_unit *unit, unsigned sm, wf_l1_label l) {
  region_core *s = core_of(unit, sm);
  if (s->reply_ring.count == REGION_REPLIES)
    wf_fail(&unit->fault, WF_EXIT_WRONG, "region: SM %u: replies come faster than one a cycle", sm);
  else
    s->reply[wf_ring_push(&s->reply_ring, REGION_REPLIES)] = l;
}

const wf_l1_ops region_l1_ops = {
    .any_sector = true,
    .any_way = true,
    .kernel_start = kernel_start,
    .ready = ready,
    .load = load,
    .verdict = verdict,
    .access = offer,
    .decision = decision,
    .label = label,
    .came = came,
};

/* ---- one cycle at the ports ---- */

static bool works(const wf_cache_side *to) {
  const region_core *s = (const region_core *)to;
  return s->clears || s->maps || to->offered || s->reply_ring.count || !wf_port_get(s->port.idle);
}

static void drive_request(region_core *s) {
  const core_ports *p = &s->port;
  const wf_l1_access *a = &s->offer;
  const bool there = a->hit && !(a->reserved >> a->way & 1);
  wf_port_set(p->acc_valid, s->base.offered);
  if (!s->base.offered) return;
  s->base.offered = false;
  const unsigned at = wf_ring_push(&s->base.sent, REGION_FLIGHT);
  s->sent[at].asks = !a->hit;
  s->sent[at].way = a->victim;
  wf_port_set(p->acc_pc, a->pc & ((1u << PC_BITS) - 1));
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_way, a->hit ? a->way : a->victim);
  wf_port_set(p->acc_hit, there);
  wf_port_set(p->acc_miss, !a->hit);
}

static void drive_reply(region_core *s) {
  const core_ports *p = &s->port;
  wf_port_set(p->rep_valid, s->reply_ring.count != 0);
  if (!s->reply_ring.count) return;
  const wf_l1_label l = s->reply[wf_ring_pop(&s->reply_ring, REGION_REPLIES)];
  wf_port_set(p->rep_region, l.note - 1u);
  wf_port_set(p->rep_shared, (l.mode & WF_MODE_SHARED) != 0);
  wf_port_set(p->rep_private, (l.mode & WF_MODE_PRIVATE) != 0);
}

/* Before a kernel: when the last one's rest is gone, all is forgotten; then a range a cycle. */
static void set_up(const region *m, region_core *s) {
  const core_ports *p = &s->port;
  const bool rests = wf_port_get(p->idle);
  wf_port_set(p->clear, s->clears && rests);
  wf_port_set(p->map_valid, !s->clears && s->maps);
  if (s->clears) {
    s->clears = !rests;
  } else if (s->maps) {
    size_t n;
    const wf_allocation *a = &wf_image_allocations(m->env.image, &n)[--s->maps];
    wf_port_set(p->map_region, s->maps);
    wf_port_set(p->map_first, a->at / m->env.line_bytes);
    wf_port_set(p->map_last, (a->at + (a->bytes ? a->bytes - 1 : 0)) / m->env.line_bytes);
  }
}

static void drive(const wf_cache_level *level, wf_cache_side *to) {
  region_core *s = (region_core *)to;
  set_up((const region *)level->unit, s);
  drive_request(s);
  drive_reply(s);
}

/* The answer of this edge. */
static bool take(wf_cache_side *from, wf_error *err) {
  region_core *s = (region_core *)from;
  const core_ports *p = &s->port;
  if (!wf_port_get(p->acc_rsp_valid)) return true;
  if (!from->sent.count)
    return wf_fail(err, WF_EXIT_WRONG, "region: an answer to a request that was not made");
  const unsigned at = wf_ring_pop(&from->sent, REGION_FLIGHT);
  if (!s->sent[at].asks) return true;
  const unsigned mode = (wf_port_get(p->acc_rsp_copy) ? WF_MODE_COPY_BACK : 0) |
                        (wf_port_get(p->acc_rsp_past_l2) ? WF_MODE_PAST : 0);
  s->decided[wf_ring_push(&from->told, REGION_FLIGHT)] =
      (region_decision){.past = wf_port_get(p->acc_rsp_past_l1),
                        .way = s->sent[at].way,
                        .label = {(uint8_t)mode, (uint8_t)(wf_port_get(p->acc_rsp_region) + 1)}};
  return true;
}

/* ---- creation ---- */

static const wf_cache_level_class class = {WF_CACHE_L1, sizeof(region_core), NULL, works, drive,
                                           take};

bool region_cores_open(region *m, wf_error *err) {
  const wf_unit_env *env = &m->env;
  const wf_rtl_value fixed[] = {{"Mode", m->set.mode},
                                {"Sets", env->l1_sets},
                                {"Ways", env->l1_ways},
                                {"LineBits", wf_cache_line_bits(env, LINE_BITS_LEAST)},
                                {0}};
  static const wf_rtl_value given[] = {{"PcBits", PC_BITS}, {0}};
  const wf_rtl_request request = {.unit = "region_core",
                                  .config = configs[m->set.mode],
                                  .fixed = fixed,
                                  .given = given,
                                  .of = &m->unit,
                                  .env = env};
  m->cores.kind = m->set.mode;
  return wf_cache_level_open(&m->cores, &class, &request, err);
}

bool region_cores_bind(region *m, wf_error *err) {
  for (unsigned k = 0; k < m->cores.rtl.n; k++) {
    region_core *s = core_of(&m->unit, k);
    if (!core_ports_bind(&s->port, s->base.rtl->model, err)) return false;
  }
  return true;
}
