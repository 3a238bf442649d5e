#include "sim/units/apcm/apcm_side.h"

enum { EV_LOAD_DONE, EV_WARP_START = 2, EV_WARP_EXIT, EV_KERNEL_START };

void apcm_side_init(apcm_side *s, apcm_shared *shared, unsigned sm, unsigned distance) {
  s->shared = shared;
  s->sm = sm;
  apcm_distance_open(&s->distance, shared->env.l1_sets, shared->env.l1_ways, distance);
}

void apcm_side_free(apcm_side *s) {
  apcm_distance_free(&s->distance);
}

/* ---- one cycle at the ports ---- */

/* The oldest load that is not asked. */
static apcm_lsu_load *next_load(apcm_side *s) {
  for (; s->n_sent < s->load_ring.count; s->n_sent++) {
    apcm_lsu_load *l = &s->loads[wf_ring_at(&s->load_ring, s->n_sent, APCM_SIDE_LOADS)];
    if (!l->far) return l;
    if (s->n_known != s->n_sent) return NULL; /* answers keep order */
    s->n_known++;
  }
  return NULL;
}

static void drive_load(apcm_side *s) {
  const apcm_lsu_load *l = next_load(s);
  wf_port_set(s->port.ld_valid, l != NULL);
  if (!l) return;
  wf_port_set(s->port.ld_pc, l->pc);
  if (wf_port_get(s->port.ld_ready)) s->n_sent++;
}

/* Taken for certain: it was offered with ready high, and ready does not move without an edge. */
static void drive_request(apcm_side *s) {
  const wf_l1_access *a = &s->offer;
  apcm_lsu_load *l = &s->offer_load;
  const bool keep = s->distance.length && l->method == APCM_PROTECT;
  const apcm_ports *p = &s->port;
  wf_port_set(p->acc_valid, s->offered);
  if (!s->offered) return;
  if (keep) l->method = APCM_NORMAL;
  const uint64_t reserved = a->reserved | apcm_distance_access(&s->distance, a, keep);
  wf_port_set(p->acc_warp, a->warp);
  wf_port_set(p->acc_tracked, l->tracked);
  wf_port_set(p->acc_id, l->id);
  wf_port_set(p->acc_method, l->method);
  wf_port_set(p->acc_last, l->last);
  wf_port_set(p->acc_few, a->nth < 2);
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_hit, a->hit);
  wf_port_set(p->acc_way, a->way);
  wf_port_set(p->acc_invalid, a->invalid);
  wf_port_set(p->acc_reserved, reserved);
  const uint32_t width = p->acc_way->width;
  for (unsigned w = 0; w < s->shared->env.l1_ways; w++)
    wf_port_set_bits(p->acc_rank, w * width, width, a->rank[w]);
  s->flight[wf_ring_push(&s->flight_ring, APCM_SIDE_FLIGHT)] =
      (apcm_request){.warp = (uint8_t)a->warp,
                     .miss = !a->bypassed && !a->hit,
                     .row = l->row,
                     .reserved = reserved,
                     .set = a->set,
                     .keep = keep};
  s->in_flight[a->warp]++;
  s->offered = false;
}

static bool exit_waits(const apcm_side *s) {
  return s->branch_ring.count && s->branches[s->branch_ring.head].exit;
}

/* The event on the port; one that was offered stays there. */
static apcm_event next_event(apcm_side *s) {
  if (!s->offered_event)
    s->offered_event = s->first.valid  ? APCM_OF_START
                       : s->done.valid ? APCM_OF_LOAD
                       : exit_waits(s) ? APCM_OF_EXIT
                                       : APCM_NO_EVENT;
  switch (s->offered_event) {
  case APCM_OF_START:
    return s->first;
  case APCM_OF_LOAD:
    return s->done;
  case APCM_OF_EXIT:
    return (apcm_event){.valid = true,
                        .kind = EV_WARP_EXIT,
                        .warp = (uint8_t)s->branches[s->branch_ring.head].move.warp};
  default:
    return (apcm_event){0};
  }
}

static void drop_event(apcm_side *s) {
  if (s->offered_event == APCM_OF_START) s->first.valid = false;
  if (s->offered_event == APCM_OF_LOAD) s->done.valid = false;
  if (s->offered_event == APCM_OF_EXIT) wf_ring_pop(&s->branch_ring, APCM_SIDE_BRANCHES);
  s->offered_event = APCM_NO_EVENT;
}

static void drive_event(apcm_side *s) {
  const apcm_ports *p = &s->port;
  const apcm_event e = next_event(s);
  wf_port_set(p->ev_valid, e.valid);
  if (!e.valid) return;
  wf_port_set(p->ev_kind, e.kind);
  wf_port_set(p->ev_warp, e.warp);
  wf_port_set(p->ev_id, e.id);
  if (wf_port_get(p->ev_ready)) drop_event(s);
}

/* Loads that entered are told before what their warps do next. */
static void drive_stack(apcm_side *s) {
  const apcm_ports *p = &s->port;
  const bool some = s->branch_ring.count && !exit_waits(s) && (s->move_offered || s->lsu_in <= 1);
  wf_port_set(p->lsu_in, s->lsu_in > 0);
  wf_port_set(p->lsu_out, s->lsu_out > 0);
  s->lsu_in -= s->lsu_in > 0;
  s->lsu_out -= s->lsu_out > 0;
  wf_port_set(p->cf_valid, some);
  s->move_offered = some && !wf_port_get(p->cf_ready);
  if (!some) return;
  const wf_stack_move *m = &s->branches[s->branch_ring.head].move;
  wf_port_set(p->cf_warp, m->warp);
  wf_port_set(p->cf_from, m->from);
  wf_port_set(p->cf_to, m->to);
  wf_port_set(p->cf_jump, m->jump);
  wf_port_set(p->cf_push, m->split);
  if (wf_port_get(p->cf_ready)) wf_ring_pop(&s->branch_ring, APCM_SIDE_BRANCHES);
}

static bool take_load_answer(apcm_side *s, wf_error *err) {
  if (!wf_port_get(s->port.ld_rsp_valid)) return true;
  if (s->n_known == s->n_sent)
    return wf_fail(err, WF_EXIT_WRONG, "apcm: an answer to a load that was not asked");
  apcm_lsu_load *l = &s->loads[wf_ring_at(&s->load_ring, s->n_known++, APCM_SIDE_LOADS)];
  l->tracked = (uint8_t)wf_port_get(s->port.ld_rsp_tracked);
  l->id = (uint8_t)wf_port_get(s->port.ld_rsp_id);
  l->method = (uint8_t)wf_port_get(s->port.ld_rsp_method);
  l->last = (uint8_t)wf_port_get(s->port.ld_rsp_last);
  if (l->method > APCM_PROTECT || (!l->tracked && l->method))
    return wf_fail(err, WF_EXIT_WRONG, "apcm: method %u for a load that is %stracked", l->method,
                   l->tracked ? "" : "not ");
  return true;
}

static bool take_request_answer(apcm_side *s, wf_error *err) {
  if (!wf_port_get(s->port.acc_rsp_valid)) return true;
  if (!s->flight_ring.count)
    return wf_fail(err, WF_EXIT_WRONG, "apcm: an answer to a request that was not made");
  apcm_request r = s->flight[wf_ring_pop(&s->flight_ring, APCM_SIDE_FLIGHT)];
  s->in_flight[r.warp]--;
  bool alloc = wf_port_get(s->port.acc_rsp_alloc), pinned = wf_port_get(s->port.acc_rsp_protect);
  unsigned way = wf_port_word(s->port.acc_rsp_way);
  if (alloc && (!r.miss || way >= s->shared->env.l1_ways || r.reserved >> way & 1))
    return wf_fail(err, WF_EXIT_WRONG, "apcm: way %u for a request that %s", way,
                   r.miss ? "cannot have it: a fill is on its way" : "is no miss");
  if (r.row) {
    r.row->pinned += pinned;
    r.row->refused += r.miss && !alloc;
  }
  if (!r.miss) return true;
  if (alloc) apcm_distance_fill(&s->distance, r.set, way, r.keep);
  unsigned at = wf_ring_push(&s->decided_ring, APCM_SIDE_FLIGHT);
  s->decided[at].verdict = alloc ? WF_L1_CACHE : WF_L1_BYPASS;
  s->decided[at].way = (uint8_t)way;
  return true;
}

bool apcm_side_has_work(const apcm_side *s) {
  return s->n_known < s->load_ring.count || s->offered || s->first.valid || s->done.valid ||
         s->flight_ring.count || s->branch_ring.count || s->lsu_in || s->lsu_out ||
         !wf_port_get(s->port.idle);
}

bool apcm_side_clock(apcm_side *s, wf_error *err) {
  drive_load(s);
  drive_request(s);
  drive_event(s);
  drive_stack(s);
  return wf_rtl_clock(s->rtl, wf_unit_now(&s->shared->env), err) && take_load_answer(s, err) &&
         take_request_answer(s, err);
}

/* ---- what the fabric tells ---- */

/* Without protection and without a request that may cause some, the RTL need not hear when it would
 * end. */
static bool concerns(const apcm_side *s, unsigned warp) {
  bool offered = s->offered && s->offer.warp == warp;
  return wf_port_bit(s->port.psb, warp) || s->in_flight[warp] || offered;
}

/* Is it the watched warp, or will it be? */
static bool watched(const apcm_side *s, unsigned warp) {
  return (s->first.valid && s->first.warp == warp) ||
         (wf_port_get(s->port.mon_valid) && wf_port_get(s->port.mon_warp) == warp);
}

static void push_branch(apcm_side *s, apcm_branch b) {
  if (s->branch_ring.count == APCM_SIDE_BRANCHES)
    wf_fail(s->shared->fault, WF_EXIT_WRONG,
            "apcm: more branches than the schedulers have outputs");
  else
    s->branches[wf_ring_push(&s->branch_ring, APCM_SIDE_BRANCHES)] = b;
}

void apcm_side_kernel_start(apcm_side *s) {
  s->branch_ring = (wf_ring){0};
  s->lsu_in = s->lsu_out = 0;
  apcm_distance_clear(&s->distance);
  s->started = false;
  s->first = (apcm_event){.valid = true, .kind = EV_KERNEL_START};
  s->shared->counters.events++;
}

/* Of a kernel's warps only the first is watched. */
void apcm_side_warp_start(apcm_side *s, unsigned warp, apcm_code code) {
  s->code[warp] = code;
  s->shared->counters.dropped_events += s->started;
  s->shared->counters.events += !s->started;
  if (!s->started)
    s->first = (apcm_event){.valid = true, .kind = EV_WARP_START, .warp = (uint8_t)warp};
  s->started = true;
}

void apcm_side_warp_exit(apcm_side *s, unsigned warp) {
  const bool told = concerns(s, warp) || watched(s, warp);
  s->shared->counters.dropped_events += !told;
  s->shared->counters.events += told;
  if (told) push_branch(s, (apcm_branch){.exit = true, .move.warp = warp});
}

void apcm_side_moved(apcm_side *s, const wf_stack_move *move) {
  const ptx_pc first = s->code[move->warp].first;
  apcm_branch b = {.move = *move};
  b.move.from += first;
  b.move.to += first;
  s->shared->counters.moves++;
  if ((b.move.from | b.move.to) >> APCM_PC_BITS)
    s->shared->counters.far_moves++;
  else
    push_branch(s, b);
}

bool apcm_side_may_move(apcm_side *s) {
  const bool may = s->branch_ring.count < APCM_SIDE_MOVES;
  s->shared->counters.branch_waits += !may;
  return may;
}

void apcm_side_load(apcm_side *s, unsigned warp, ptx_pc pc) {
  if (s->load_ring.count == APCM_SIDE_LOADS) {
    wf_fail(s->shared->fault, WF_EXIT_WRONG,
            "apcm: more loads wait than the load/store unit queues");
    return;
  }
  const apcm_code *c = &s->code[warp];
  const ptx_pc number = c->first + pc;
  s->loads[wf_ring_push(&s->load_ring, APCM_SIDE_LOADS)] = (apcm_lsu_load){
      .pc = number, .row = &c->rows[pc], .warp = (uint8_t)warp, .far = number >> APCM_PC_BITS};
  s->shared->counters.far_loads += number >> APCM_PC_BITS != 0;
  s->lsu_in++;
}

wf_l1_verdict apcm_side_verdict(apcm_side *s, uint8_t *mark) {
  next_load(s);
  if (!s->n_known) return s->shared->counters.verdict_waits++, WF_L1_WAIT;
  s->current = s->loads[wf_ring_pop(&s->load_ring, APCM_SIDE_LOADS)];
  s->n_sent--;
  s->n_known--;
  *mark = s->current.tracked ? (uint8_t)(s->current.id + 1) : 0;
  apcm_load_row *row = s->current.row;
  row->loads++;
  row->tracked = s->current.tracked;
  row->method = s->current.method;
  return s->current.method == APCM_BYPASS ? WF_L1_BYPASS : WF_L1_CACHE;
}

bool apcm_side_access(apcm_side *s, const wf_l1_access *a) {
  if (s->offered || !wf_port_get(s->port.acc_ready) || s->flight_ring.count == APCM_SIDE_FLIGHT)
    return s->shared->counters.refused_offers++, false;
  s->offered = true;
  s->offer = *a;
  s->offer_load = a->told ? s->current : (apcm_lsu_load){.warp = (uint8_t)a->warp};
  if (a->told) {
    s->current.row->requests++;
    s->current.row->bypassed += a->bypassed;
  }
  return true;
}

void apcm_side_load_gone(apcm_side *s) {
  s->lsu_out++;
}

wf_l1_verdict apcm_side_decision(apcm_side *s, unsigned *way) {
  if (!s->decided_ring.count) return WF_L1_WAIT;
  const unsigned at = wf_ring_pop(&s->decided_ring, APCM_SIDE_FLIGHT);
  *way = s->decided[at].way;
  return s->decided[at].verdict;
}

/* The mark is the load's number in the RTL, and 1. */
bool apcm_side_load_done(apcm_side *s, unsigned warp, uint8_t mark) {
  if (!concerns(s, warp)) return s->shared->counters.dropped_events++, true;
  if (s->done.valid) return s->shared->counters.done_waits++, false;
  s->done = (apcm_event){
      .valid = true, .kind = EV_LOAD_DONE, .warp = (uint8_t)warp, .id = (uint8_t)(mark - 1)};
  s->shared->counters.events++;
  return true;
}

bool apcm_side_over(const apcm_side *s, wf_error *err) {
  if (s->load_ring.count || s->decided_ring.count)
    return wf_fail(err, WF_EXIT_WRONG,
                   "apcm: SM %u: %u loads and %u decisions were never asked for", s->sm,
                   s->load_ring.count, s->decided_ring.count);
  for (unsigned w = 0; w < s->shared->env.warps_per_sm; w++)
    if (wf_port_bit(s->port.psb, w))
      return wf_fail(err, WF_EXIT_WRONG, "apcm: SM %u: warp %u protects lines after its end", s->sm,
                     w);
  return true;
}
