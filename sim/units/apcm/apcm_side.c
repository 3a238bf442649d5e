#include "sim/units/apcm/apcm_side.h"

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
  s->offered = false;
}

/* A kernel starts when the RTL takes offers: after reset it clears its RAMs. */
static void drive_starts(apcm_side *s) {
  const apcm_ports *p = &s->port;
  const bool kernel = s->kernel && wf_port_get(p->done_ready);
  wf_port_set(p->kernel, kernel);
  wf_port_set(p->start, s->start);
  if (s->start) wf_port_set(p->start_warp, s->start_warp);
  s->kernel &= !kernel;
  s->start = false;
}

/* Taken for certain, as a request. */
static void drive_done(apcm_side *s) {
  const apcm_ports *p = &s->port;
  wf_port_set(p->done_valid, s->done.valid);
  if (!s->done.valid) return;
  wf_port_set(p->done_warp, s->done.warp);
  wf_port_set(p->done_id, s->done.id);
  s->done.valid = false;
}

/* The oldest output of the branch units, if it is an exit, or a change of a stack. */
static const apcm_branch *oldest(const apcm_side *s, bool exit) {
  const apcm_branch *b = &s->branches[s->branch_ring.head];
  return s->branch_ring.count && b->exit == exit ? b : NULL;
}

static void drive_exit(apcm_side *s) {
  const apcm_ports *p = &s->port;
  const apcm_branch *b = oldest(s, true);
  wf_port_set(p->exit_valid, b != NULL);
  if (!b) return;
  wf_port_set(p->exit_warp, b->move.warp);
  if (wf_port_get(p->exit_ready)) wf_ring_pop(&s->branch_ring, APCM_SIDE_BRANCHES);
}

/* That behind an exit goes with it. */
static void drive_move(apcm_side *s) {
  const apcm_ports *p = &s->port;
  const apcm_branch *b = oldest(s, false);
  wf_port_set(p->cf_valid, b != NULL);
  if (!b) return;
  wf_port_set(p->cf_warp, b->move.warp);
  wf_port_set(p->cf_from, b->move.from);
  wf_port_set(p->cf_to, b->move.to);
  wf_port_set(p->cf_jump, b->move.jump);
  wf_port_set(p->cf_push, b->move.split);
  if (wf_port_get(p->cf_ready)) wf_ring_pop(&s->branch_ring, APCM_SIDE_BRANCHES);
}

static bool drive_lsu(apcm_side *s, wf_error *err) {
  const apcm_ports *p = &s->port;
  if (s->lsu_in >> p->lsu_in->width || s->lsu_out > 1)
    return wf_fail(err, WF_EXIT_WRONG,
                   "apcm: SM %u: %u loads enter the load/store unit between two edges, %u leave it",
                   s->sm, s->lsu_in, s->lsu_out);
  const bool more = wf_port_get(p->lsu_in) != s->lsu_in;
  wf_port_set(p->lsu_in, s->lsu_in);
  wf_port_set(p->lsu_out, s->lsu_out);
  s->lsu_in = s->lsu_out = 0;
  /* Whether a change of a stack is taken depends on the loads that enter. */
  return !more || wf_rtl_ok(s->rtl, wf_model_settle(s->rtl->model), err);
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
  if (s->has_outcome)
    return wf_fail(err, WF_EXIT_WRONG, "apcm: SM %u: the L1 has not taken a miss's way", s->sm);
  s->has_outcome = true;
  s->outcome = (apcm_outcome){alloc ? WF_L1_CACHE : WF_L1_BYPASS, (uint8_t)way};
  return true;
}

bool apcm_side_has_work(const apcm_side *s) {
  return s->n_known < s->load_ring.count || s->offered || s->kernel || s->start || s->done.valid ||
         s->flight_ring.count || s->branch_ring.count || s->lsu_in || s->lsu_out ||
         !wf_port_get(s->port.idle);
}

bool apcm_side_clock(apcm_side *s, wf_error *err) {
  drive_load(s);
  drive_request(s);
  drive_starts(s);
  drive_done(s);
  drive_exit(s);
  if (!drive_lsu(s, err)) return false;
  drive_move(s);
  return wf_rtl_clock(s->rtl, wf_unit_now(&s->shared->env), err) && take_load_answer(s, err) &&
         take_request_answer(s, err);
}

/* ---- what the fabric tells ---- */

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
  s->kernel = true;
  s->shared->counters.events++;
}

/* Of warps that start in one cycle one is told. */
void apcm_side_warp_start(apcm_side *s, unsigned warp, apcm_code code) {
  s->code[warp] = code;
  const bool told = wf_port_get(s->port.ask_start) && !s->start;
  s->shared->counters.dropped_events += !told;
  s->shared->counters.events += told;
  if (!told) return;
  s->start = true;
  s->start_warp = (uint8_t)warp;
}

void apcm_side_warp_exit(apcm_side *s, unsigned warp) {
  const bool told = wf_port_bit(s->port.ask_exit, warp);
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
  const bool may = s->branch_ring.count < APCM_SIDE_BRANCHES;
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

/* One load leaves between two edges: beside a unit that serves loads itself several could. */
wf_l1_verdict apcm_side_verdict(apcm_side *s, uint8_t *mark) {
  next_load(s);
  if (!s->n_known || s->lsu_out) return s->shared->counters.verdict_waits++, WF_L1_WAIT;
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
  if (!s->has_outcome) return WF_L1_WAIT;
  s->has_outcome = false;
  *way = s->outcome.way;
  return s->outcome.verdict;
}

/* The mark is the load's number in the RTL, and 1. */
bool apcm_side_load_done(apcm_side *s, unsigned warp, uint8_t mark) {
  const bool request_waits = s->offered && s->offer.warp == warp;
  if (!request_waits && !wf_port_bit(s->port.ask_done, warp))
    return s->shared->counters.dropped_events++, true;
  if (request_waits || s->done.valid || !wf_port_get(s->port.done_ready))
    return s->shared->counters.done_waits++, false;
  s->done = (apcm_end){.valid = true, .warp = (uint8_t)warp, .id = (uint8_t)(mark - 1)};
  s->shared->counters.events++;
  return true;
}

bool apcm_side_over(const apcm_side *s, wf_error *err) {
  if (s->load_ring.count || s->has_outcome)
    return wf_fail(err, WF_EXIT_WRONG,
                   "apcm: SM %u: %u loads and %d decisions were never asked for", s->sm,
                   s->load_ring.count, s->has_outcome);
  for (unsigned w = 0; w < s->shared->env.warps_per_sm; w++)
    if (wf_port_bit(s->port.psb, w))
      return wf_fail(err, WF_EXIT_WRONG, "apcm: SM %u: warp %u protects lines after its end", s->sm,
                     w);
  return true;
}
