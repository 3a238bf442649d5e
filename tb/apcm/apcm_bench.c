#include "tb/apcm/apcm_bench.h"

#include "tb/apcm/apcm_cover.h"

static bool open(void *bench, wf_error *err) {
  apcm_bench *b = bench;
  const wf_bench *w = bench;
  b->shape = (apcm_shape){.warps = wf_bench_parameter(w, "NumWarp"),
                          .ids = wf_bench_parameter(w, "Ids"),
                          .mta_entries = wf_bench_parameter(w, "MtaEntries"),
                          .mta_ways = wf_bench_parameter(w, "MtaWays"),
                          .sets = wf_bench_parameter(w, "Sets"),
                          .ways = wf_bench_parameter(w, "Ways"),
                          .line_bits = wf_bench_parameter(w, "LineBits"),
                          .count_max = (1u << wf_bench_parameter(w, "CountBits")) - 1};
  b->pc_bits = wf_bench_parameter(w, "PcBits");
  b->ref.settings =
      (apcm_settings){.bypass = true, .protect = true, .threshold = b->shape.count_max};
  b->base.counted = b->ref.counter;
  return apcm_ports_bind(&b->p, w->model, err);
}

void apcm_bench_configure(apcm_bench *b, const apcm_settings *s) {
  b->ref.settings = *s;
  wf_port_set(b->p.bypass_en, s->bypass);
  wf_port_set(b->p.protect_en, s->protect);
  wf_port_set(b->p.threshold, s->threshold);
  wf_port_set(b->p.remonitor, s->remonitor);
  wf_port_set(b->p.renew, s->renew);
}

static void reset(void *bench) {
  apcm_bench *b = bench;
  const apcm_settings settings = b->ref.settings;
  apcm_ref_reset(&b->ref, &b->shape);
  b->load_answer.valid = b->access_answer.valid = false;
  b->inside = 0;
  apcm_bench_configure(b, &settings);
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_load(apcm_bench *b, const apcm_load *l) {
  wf_port_set(b->p.ld_valid, l != NULL);
  if (!l) {
    wf_bench_garbage(&b->base, &b->p.ld_warp, &b->p.ld_pc);
    return;
  }
  wf_port_set(b->p.ld_warp, l->warp);
  wf_port_set(b->p.ld_pc, l->pc);
}

static void drive_access(apcm_bench *b, const apcm_access *a) {
  const apcm_ports *p = &b->p;
  const unsigned way_bits = p->acc_way->width;
  uint64_t ranks = 0;
  wf_port_set(p->acc_valid, a != NULL);
  if (!a) {
    wf_bench_garbage(&b->base, &p->acc_warp, &p->acc_rank);
    return;
  }
  for (unsigned w = 0; w < b->shape.ways; w++)
    ranks |= (uint64_t)(a->rank[w] & ((1u << way_bits) - 1)) << (w * way_bits);
  wf_port_set(p->acc_warp, a->warp);
  wf_port_set(p->acc_tracked, a->tracked);
  wf_port_set(p->acc_id, a->id);
  wf_port_set(p->acc_method, a->method);
  wf_port_set(p->acc_last, a->last);
  wf_port_set(p->acc_nth, a->nth);
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_hit, a->hit);
  wf_port_set(p->acc_way, a->way);
  wf_port_set(p->acc_invalid, a->invalid);
  wf_port_set(p->acc_reserved, a->reserved);
  wf_port_set(p->acc_rank, ranks);
}

static void drive_event(apcm_bench *b, const apcm_event *e) {
  wf_port_set(b->p.ev_valid, e != NULL);
  if (!e) {
    wf_bench_garbage(&b->base, &b->p.ev_kind, &b->p.ev_hi);
    return;
  }
  wf_port_set(b->p.ev_kind, (uint64_t)e->kind);
  wf_port_set(b->p.ev_warp, e->warp);
  wf_port_set(b->p.ev_id, e->id);
  wf_port_set(b->p.ev_lo, e->lo);
  wf_port_set(b->p.ev_hi, e->hi);
}

/* ---- comparing ---- */

static bool same(apcm_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(apcm_bench *b) {
  const apcm_ports *p = &b->p;
  const apcm_ref *r = &b->ref;
  const apcm_load_answer *l = &b->load_answer;
  const apcm_access_answer *a = &b->access_answer;
  bool ok = same(b, p->ld_rsp_valid, l->valid) && same(b, p->acc_rsp_valid, a->valid);
  if (ok && l->valid)
    ok = same(b, p->ld_rsp_tracked, l->tracked) && same(b, p->ld_rsp_id, l->id) &&
         same(b, p->ld_rsp_method, l->method) && same(b, p->ld_rsp_last, l->last);
  if (ok && a->valid)
    ok = same(b, p->acc_rsp_alloc, a->alloc) && (!a->alloc || same(b, p->acc_rsp_way, a->way)) &&
         same(b, p->acc_rsp_protect, a->protect);
  return ok && same(b, p->psb, apcm_ref_psb(r)) && same(b, p->mon_valid, r->state == APCM_WATCH) &&
         (r->state != APCM_WATCH || same(b, p->mon_warp, r->watched));
}

/* The three readies and idle_o, after an edge: they are not delayed as answers are. */
static bool compare_state(apcm_bench *b, bool scanned) {
  bool ready = apcm_ref_ready(&b->ref), idle = b->inside == 0 && ready && !scanned;
  return same(b, b->p.ld_ready, ready) && same(b, b->p.acc_ready, ready) &&
         same(b, b->p.ev_ready, ready) && same(b, b->p.idle, idle);
}

bool apcm_bench_cycle(apcm_bench *b, const apcm_load *load, const apcm_access *access,
                      const apcm_event *event, bool *taken) {
  bool ready = wf_port_get(b->p.ld_ready), any = load || access || event;
  if (taken) *taken = ready;
  if (b->base.failure[0]) return false;
  apcm_cover_cycle(b->base.bin, &b->ref, load, access, event, ready);
  b->base.cycle++;
  drive_load(b, load);
  drive_access(b, access);
  drive_event(b, event);
  if (!any && wf_port_get(b->p.idle) && wf_bench_gated(&b->base)) return true;
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  b->load_answer = b->ref.load_answer;
  b->access_answer = b->ref.access_answer;
  if (!compare(b)) return false;
  if (b->inside) b->inside--;
  bool scanned = b->ref.state == APCM_SCAN;
  if (any && ready) b->inside = load || access ? 2 : b->inside > 1 ? b->inside : 1;
  apcm_ref_step(&b->ref, ready ? load : NULL, ready ? access : NULL, ready ? event : NULL);
  return compare_state(b, scanned);
}

bool apcm_bench_load(apcm_bench *b, const apcm_load *load, apcm_load_answer *answer) {
  bool taken = false;
  while (!taken)
    if (!apcm_bench_cycle(b, load, NULL, NULL, &taken)) return false;
  if (!apcm_bench_cycle(b, NULL, NULL, NULL, NULL)) return false;
  if (answer) *answer = b->load_answer;
  return true;
}

bool apcm_bench_access(apcm_bench *b, const apcm_access *access, apcm_access_answer *answer) {
  bool taken = false;
  while (!taken)
    if (!apcm_bench_cycle(b, NULL, access, NULL, &taken)) return false;
  if (!apcm_bench_cycle(b, NULL, NULL, NULL, NULL)) return false;
  if (answer) *answer = b->access_answer;
  return true;
}

bool apcm_bench_event(apcm_bench *b, const apcm_event *event) {
  bool taken = false;
  while (!taken)
    if (!apcm_bench_cycle(b, NULL, NULL, event, &taken)) return false;
  return apcm_bench_cycle(b, NULL, NULL, NULL, NULL);
}

bool apcm_bench_rest(void *bench) {
  apcm_bench *b = bench;
  for (unsigned i = 0; i < 2 * (b->shape.mta_entries + b->shape.sets) + 8; i++) {
    if (!apcm_bench_cycle(b, NULL, NULL, NULL, NULL)) return false;
    if (wf_port_get(b->p.idle)) return true;
  }
  return wf_bench_fail(&b->base, "not idle in time");
}

static bool quiet_edge(void *user) {
  return apcm_bench_cycle(user, NULL, NULL, NULL, NULL);
}

const wf_bench_class apcm_bench_class = {
    .unit = "apcm",
    .bytes = sizeof(apcm_bench),
    .open = open,
    .reset = reset,
    .rest = apcm_bench_rest,
    .after = quiet_edge,
    .bins = (const char *const[]){APCM_BINS(WF_BENCH_PORT_NAME)},
    .n_bins = APCM_BIN_COUNT,
    .counters = (const char *const[]){APCM_COUNTERS(WF_BENCH_NAME)},
    .n_counters = APCM_CNT_COUNT};
