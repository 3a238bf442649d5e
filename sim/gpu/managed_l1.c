/* A stage that asks a unit what the L1 keeps. The unit's look-up of the load instruction and its
 * choice of a victim overlap the L1's own pipeline: a hit is not later for them. A miss leaves when
 * its decision is there; until then no request of its set may pass, for the set is not yet as the
 * decision will leave it. */
#include "sim/gpu/managed_l1.h"

#include <stdlib.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_ring.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/lsu.h"

enum { UNDECIDED = 8 };

/* A miss until the unit has decided where it goes. */
typedef struct undecided {
  uint32_t line;
  unsigned set;
  ptx_pc pc;
  uint16_t load;
  uint8_t sectors;
} undecided;

/* Beside one SM's L1. */
struct wf_managed_l1 {
  wf_unit *unit;
  const wf_l1_ops *ops;
  undecided undecided[UNDECIDED];
  wf_ring ring; /* of undecided */
  unsigned most;
  /* The load whose requests are coming. */
  wf_l1_verdict verdict;
  unsigned waited; /* cycles for the verdict */
  bool known;      /* its first request has come */
};

static void enter(wf_sm *sm, wf_lsu_entry *e, unsigned at) {
  const wf_managed_l1 *m = sm->managed;
  (void)at;
  if (e->kind != KIND_LOAD || !e->n_lines || !e->global) return;
  m->ops->load(m->unit, sm->id, e->warp, wf_sm_pc_of(sm, e->warp, e->inst));
}

static bool waits_in_set(const wf_sm *sm, uint32_t line) {
  const wf_managed_l1 *m = sm->managed;
  for (unsigned i = 0; i < m->ring.count; i++)
    if (m->undecided[wf_ring_at(&m->ring, i, UNDECIDED)].set == wf_l1_set(sm->l1, line))
      return true;
  return false;
}

static bool may_store(wf_sm *sm, const wf_lsu_entry *e, uint32_t line) {
  (void)e;
  return !waits_in_set(sm, line);
}

/* For the unit's sake. */
static bool stall(wf_sm *sm) {
  sm->l1_counters.stall_cycles++;
  return false;
}

static bool bypass(wf_sm *sm, const wf_line_request *r, wf_l1_access *a) {
  const wf_managed_l1 *m = sm->managed;
  a->bypassed = true;
  if (!wf_lsu_can_send(sm)) return wf_lsu_stall(sm);
  if (!m->ops->access(m->unit, a)) return stall(sm);
  wf_lsu_send_past(sm, a->line, r->sectors, r->load, (wf_l1_label){0});
  return true;
}

static bool offer(wf_sm *sm, wf_l1_access *a, uint8_t sectors) {
  const wf_managed_l1 *m = sm->managed;
  wf_l1_rank_ways(sm->l1, a);
  if (!m->ops->access(m->unit, a)) return false;
  wf_l1_tell_look(sm->l1, a, sectors);
  return true;
}

/* Places in the miss queue and MSHRs are promised to the undecided. */
static bool may_ask(const wf_sm *sm) {
  return wf_lsu_can_send(sm) && wf_l1_free_mshrs(sm->l1) > sm->managed->ring.count;
}

static bool use(wf_sm *sm, const wf_line_request *r, wf_l1_access *a, uint64_t now) {
  const unsigned latency = sm->config->l1_latency, waited = sm->managed->waited;
  wf_l1_fetch fetch;
  if (!wf_l1_may_use(sm->l1, a, r->sectors, may_ask(sm))) return wf_lsu_stall(sm);
  if (!offer(sm, a, r->sectors)) return stall(sm);
  const wf_l1_result result =
      wf_l1_use(sm->l1, a, &(wf_l1_part){.load = r->load, .sectors = r->sectors}, &fetch);
  if (result == WF_L1_MISS) wf_lsu_send_miss(sm, r->line, fetch, a->pc);
  if (result != WF_L1_HIT) return true;
  const unsigned hidden = r->asked_at < now ? 0 : waited < latency ? waited : latency;
  wf_lsu_hit(sm, r->load, r->asked_at + latency - hidden, now);
  return true;
}

static bool miss(wf_sm *sm, const wf_line_request *r, wf_l1_access *a) {
  wf_managed_l1 *m = sm->managed;
  const unsigned ways = sm->config->l1_ways;
  const uint64_t all = ways < 64 ? ((uint64_t)1 << ways) - 1 : UINT64_MAX;
  const bool room = may_ask(sm) && m->ring.count < m->most;
  if (!room || a->reserved == all) return wf_lsu_stall(sm);
  if (!offer(sm, a, r->sectors)) return stall(sm);
  m->undecided[wf_ring_push(&m->ring, UNDECIDED)] = (undecided){
      .line = a->line, .set = a->set, .pc = a->pc, .load = r->load, .sectors = r->sectors};
  sm->miss_promised++;
  return true;
}

static bool use_or_miss(wf_sm *sm, const wf_line_request *r, wf_l1_access *a, uint64_t now) {
  if (waits_in_set(sm, r->line)) return stall(sm);
  wf_l1_look(sm->l1, r->line, a);
  return a->hit ? use(sm, r, a, now) : miss(sm, r, a);
}

/* Of a load's first request: what becomes of the load? */
static bool know(wf_sm *sm, const wf_line_request *r) {
  wf_managed_l1 *m = sm->managed;
  if (!r->nth && !m->known) {
    m->known = true;
    m->waited = 0;
    m->verdict = r->global ? WF_L1_WAIT : WF_L1_CACHE;
  }
  if (m->verdict == WF_L1_WAIT)
    m->verdict = m->ops->verdict(m->unit, sm->id, &sm->loads[r->load].mark);
  if (m->verdict == WF_L1_WAIT) m->waited++;
  return m->verdict != WF_L1_WAIT;
}

static bool load(wf_sm *sm, const wf_line_request *r, uint64_t now) {
  wf_managed_l1 *m = sm->managed;
  if (!know(sm, r)) return false;
  wf_l1_access a = {.sm = sm->id,
                    .warp = r->warp,
                    .told = r->global,
                    .nth = r->nth,
                    .line = r->line,
                    .sectors = r->sectors,
                    .pc = wf_sm_pc_of(sm, r->warp, r->inst),
                    .kernel = sm->warps[r->warp].arch.launch->kernel};
  if (!r->served && !(m->verdict == WF_L1_BYPASS ? bypass(sm, r, &a) : use_or_miss(sm, r, &a, now)))
    return false;
  if (!r->last) return true;
  m->known = false;
  if (r->global && m->ops->load_gone) m->ops->load_gone(m->unit, sm->id, r->warp);
  return true;
}

static void send_miss(wf_sm *sm, const undecided *u, wf_l1_fetch fetch, wf_l1_label label) {
  if (label.mode & WF_MODE_COPY_BACK) wf_l1_copy_back(sm->l1, fetch.mshr);
  fetch.label = (wf_l1_label){label.mode & WF_MODE_PAST, label.note};
  wf_lsu_send_miss(sm, u->line, fetch, u->pc);
}

void wf_managed_l1_came(wf_sm *sm, wf_l1_label label) {
  const wf_managed_l1 *m = sm->managed;
  m->ops->came(m->unit, sm->id, label);
}

static void decide(wf_sm *sm, uint64_t now) {
  wf_managed_l1 *m = sm->managed;
  unsigned way;
  (void)now;
  const wf_l1_verdict verdict = m->ops->decision(m->unit, sm->id, &way);
  if (verdict == WF_L1_WAIT) return;
  const undecided *u = &m->undecided[m->ring.head];
  wf_l1_part part = {.load = u->load, .sectors = u->sectors};
  if (verdict == WF_L1_CACHE && m->ops->more) part.more = m->ops->more(m->unit, sm->id);
  const wf_l1_label label = m->ops->label ? m->ops->label(m->unit, sm->id) : (wf_l1_label){0};
  if (verdict == WF_L1_CACHE)
    send_miss(sm, u, wf_l1_take(sm->l1, u->line, way, &part), label);
  else if (sm->config->l1_past == WF_L1_PAST_LINE)
    send_miss(sm, u, wf_l1_take_past(sm->l1, u->line, &part), label);
  else
    wf_lsu_send_past(sm, u->line, u->sectors, u->load, label);
  wf_ring_pop(&m->ring, UNDECIDED);
  sm->miss_promised--;
}

static bool busy(const wf_sm *sm) {
  return sm->managed->ring.count;
}

/* ---- what the warps do ---- */

static void warp_start(wf_sm *sm, unsigned warp) {
  const wf_managed_l1 *m = sm->managed;
  if (m->ops->warp_start)
    m->ops->warp_start(m->unit, sm->id, warp, sm->warps[warp].arch.launch->kernel);
}

static void warp_end(wf_sm *sm, unsigned warp) {
  if (sm->managed->ops->warp_exit) sm->managed->ops->warp_exit(sm->managed->unit, sm->id, warp);
}

static void branched(wf_sm *sm, unsigned warp, ptx_pc from, bool split) {
  const wf_managed_l1 *m = sm->managed;
  const wf_warp *w = &sm->warps[warp];
  if (!m->ops->moved) return;
  const ptx_inst *inst = &w->arch.launch->kernel->insts[from];
  const ptx_pc to = wf_simt_top(&w->simt)->pc;
  const bool goes = sm->source && sm->source->follows ? to != from + 1 : to == inst->target;
  m->ops->moved(m->unit, &(wf_stack_move){.sm = sm->id,
                                          .warp = warp,
                                          .from = from,
                                          .to = to,
                                          .jump = inst->cls == PTX_CLASS_BRANCH && goes,
                                          .split = split});
}

static bool may_branch(const wf_sm *sm) {
  const wf_managed_l1 *m = sm->managed;
  return !m->ops->may_move || m->ops->may_move(m->unit, sm->id);
}

static bool load_done(wf_sm *sm, unsigned warp, uint8_t mark) {
  const wf_managed_l1 *m = sm->managed;
  return !m->ops->load_done || m->ops->load_done(m->unit, sm->id, warp, mark);
}

/* ---- the seat ---- */

static const wf_stage stage = {.place = WF_PLACE_MANAGER,
                               .enter = enter,
                               .load = load,
                               .store = may_store,
                               .tick = decide,
                               .busy = busy};
static const wf_listener listener = {.warp_start = warp_start,
                                     .warp_end = warp_end,
                                     .branched = branched,
                                     .may_branch = may_branch,
                                     .load_done = load_done};

static bool begin(wf_seat *seat, const wf_kernel_room *room, wf_error *err) {
  (void)room;
  wf_gpu *gpu = seat->gpu;
  const wf_l1_ops *ops = seat->unit->cls->l1;
  if (ops->kernel_start) ops->kernel_start(seat->unit, gpu->launch.kernel);
  while (ops->ready && !seat->unit->fault.code && !ops->ready(seat->unit))
    if (!wf_gpu_wait(gpu, 1, err)) return false;
  for (unsigned s = 0; s < gpu->config.n_sm; s++) {
    wf_sm *sm = &gpu->sms[s];
    wf_row_add_stage(&sm->row, &stage);
    wf_row_add_listener(&sm->row, &listener);
    sm->may_bypass = true;
  }
  return true;
}

static void destroy(wf_seat *seat) {
  free(seat->gpu->sms[0].managed);
}

bool wf_managed_l1_sit(wf_seat *seat, wf_error *err) {
  wf_gpu *gpu = seat->gpu;
  const wf_gpu_config *c = &gpu->config;
  const char *name = seat->unit->cls->name;
  const wf_l1_ops *ops = seat->unit->cls->l1;
  if ((c->l1_sectored && !ops->any_sector) || (c->l1_past && !ops->any_way))
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit %s: it decides over %s, whose way is reserved; l1.past must be sector%s",
                   name, ops->any_sector ? "lines" : "whole lines",
                   ops->any_sector ? "" : ", l1.sectored 0");
  if (c->l1_tokens || c->l1_abyp || c->l1_pd || c->l1_bypass_stalls || c->l1_bypass ||
      c->l1_prefetch || c->l1_allocate || c->l1_victim_lines)
    return wf_fail(
        err, WF_EXIT_BAD_INPUT,
        "--unit %s: it decides over the L1; l1.tokens, l1.abyp, l1.pd, l1.bypass_stalls "
        "and l1.victim_lines must be 0, l1.prefetch and l1.bypass none, l1.allocate miss",
        name);
  if (c->l1_ways > WF_L1_MAX_WAYS)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit %s: l1.ways=%u: at most %d with a unit beside the L1", name, c->l1_ways,
                   WF_L1_MAX_WAYS);
  wf_managed_l1 *all = wf_calloc(c->n_sm, sizeof *all);
  for (unsigned s = 0; s < c->n_sm; s++) {
    all[s].unit = seat->unit;
    all[s].ops = ops;
    all[s].most = ops->undecided && ops->undecided < UNDECIDED ? ops->undecided : UNDECIDED;
    gpu->sms[s].managed = &all[s];
  }
  seat->begin = begin;
  seat->destroy = destroy;
  return true;
}
