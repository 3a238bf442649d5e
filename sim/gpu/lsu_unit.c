/* Loads when a unit decides over the L1. Its look-up of the load instruction and its choice of a
 * victim overlap the L1's own pipeline: a hit is not later for them. A miss leaves when its
 * decision is there; until then no request of its set may pass, for the set is not yet as the
 * decision will leave it. */
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/lsu.h"

void wf_lsu_tell(wf_sm *sm, wf_lsu_entry *e) {
  wf_unit *unit = sm->gpu->l1_unit;
  e->told = sm->effect.space == PTX_SPACE_GLOBAL;
  e->verdict = e->told ? WF_L1_WAIT : WF_L1_CACHE;
  e->waited = 0;
  const ptx_kernel *k = sm->warps[e->warp].arch.launch->kernel;
  if (e->told) unit->cls->l1->load(unit, sm->id, e->warp, (ptx_pc)(e->inst - k->insts));
}

bool wf_lsu_undecided_in_set(const wf_sm *sm, uint32_t line) {
  for (unsigned i = 0; i < sm->undecided_count; i++)
    if (sm->undecided[(sm->undecided_head + i) % WF_MAX_UNDECIDED].set == wf_l1_set(sm->l1, line))
      return true;
  return false;
}

static bool stall(wf_sm *sm) {
  sm->l1_counters.stall_cycles++;
  return false;
}

static bool bypass(wf_sm *sm, const wf_lsu_entry *e, wf_l1_access *a, bool can_send) {
  wf_unit *unit = sm->gpu->l1_unit;
  a->bypassed = true;
  if (!can_send || !unit->cls->l1->access(unit, a)) return stall(sm);
  wf_lsu_send_past(sm, a->line, e->at[e->next_line].sectors, e->load);
  return true;
}

static bool offer(wf_sm *sm, wf_l1_access *a) {
  wf_unit *unit = sm->gpu->l1_unit;
  wf_l1_rank_ways(sm->l1, a);
  return unit->cls->l1->access(unit, a);
}

static bool use(wf_sm *sm, const wf_lsu_entry *e, wf_l1_access *a, uint64_t now) {
  if (!wf_l1_may_use(sm->l1, a) || !offer(sm, a)) return stall(sm);
  if (wf_l1_use(sm->l1, a, e->load) != WF_L1_HIT) return true;
  unsigned hidden = e->waited < sm->config->l1_latency ? e->waited : sm->config->l1_latency;
  uint64_t ready_at = now + sm->config->l1_latency - hidden;
  if (sm->loads[e->load].ready_at < ready_at) sm->loads[e->load].ready_at = ready_at;
  wf_lsu_transaction_done(sm, e->load, now);
  return true;
}

static bool miss(wf_sm *sm, const wf_lsu_entry *e, wf_l1_access *a, bool can_send) {
  uint64_t all = sm->config->l1_ways < 64 ? ((uint64_t)1 << sm->config->l1_ways) - 1 : UINT64_MAX;
  bool room = can_send && sm->undecided_count < WF_MAX_UNDECIDED &&
              wf_l1_free_mshrs(sm->l1) > sm->undecided_count;
  if (!room || a->reserved == all || !offer(sm, a)) return stall(sm);
  sm->undecided[(sm->undecided_head + sm->undecided_count++) % WF_MAX_UNDECIDED] = (wf_undecided){
      .line = a->line, .set = a->set, .load = e->load, .sectors = e->at[e->next_line].sectors};
  return true;
}

bool wf_lsu_managed_load(wf_sm *sm, wf_lsu_entry *e, bool can_send, uint64_t now) {
  wf_unit *unit = sm->gpu->l1_unit;
  if (e->verdict == WF_L1_WAIT &&
      (e->verdict = (uint8_t)unit->cls->l1->verdict(unit, sm->id)) == WF_L1_WAIT) {
    e->waited++;
    return false;
  }
  uint32_t line = e->at[e->next_line].line;
  wf_l1_access a = {.sm = sm->id,
                    .warp = e->warp,
                    .told = e->told,
                    .nth = e->next_line,
                    .last = e->next_line + 1 == e->n_lines,
                    .line = line};
  if (e->verdict == WF_L1_BYPASS) return bypass(sm, e, &a, can_send);
  if (wf_lsu_undecided_in_set(sm, line)) return stall(sm);
  wf_l1_look(sm->l1, line, &a);
  return a.hit ? use(sm, e, &a, now) : miss(sm, e, &a, can_send);
}

void wf_lsu_decide(wf_sm *sm) {
  wf_unit *unit = sm->gpu->l1_unit;
  unsigned way;
  wf_l1_verdict verdict = unit->cls->l1->decision(unit, sm->id, &way);
  if (verdict == WF_L1_WAIT) return;
  const wf_undecided *u = &sm->undecided[sm->undecided_head];
  if (verdict == WF_L1_CACHE)
    wf_lsu_send_miss(sm, u->line, wf_l1_take(sm->l1, u->line, way, u->load));
  else
    wf_lsu_send_past(sm, u->line, u->sectors, u->load);
  sm->undecided_head = (sm->undecided_head + 1) % WF_MAX_UNDECIDED;
  sm->undecided_count--;
}
