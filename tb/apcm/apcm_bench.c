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
                          .count_max = (1u << wf_bench_parameter(w, "CountBits")) - 1,
                          .age_steps = 1u << wf_bench_parameter(w, "AgeBits"),
                          .loops = wf_bench_parameter(w, "Loops"),
                          .exits = wf_bench_parameter(w, "Exits"),
                          .most_enter = (1u << wf_bench_parameter(w, "EnterBits")) - 1};
  b->keep_max = (1u << wf_bench_parameter(w, "CreditBits")) - 1;
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
  wf_port_set(b->p.renew, s->renew);
  wf_port_set(b->p.keep, s->keep);
}

static void reset(void *bench) {
  apcm_bench *b = bench;
  const apcm_settings settings = b->ref.settings;
  apcm_ref_reset(&b->ref, &b->shape);
  apcm_bench_configure(b, &settings);
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_load(apcm_bench *b, const apcm_load *l) {
  wf_port_set(b->p.ld_valid, l != NULL);
  if (!l) {
    wf_bench_garbage(&b->base, &b->p.ld_pc, &b->p.ld_pc);
    return;
  }
  wf_port_set(b->p.ld_pc, l->pc);
}

static void drive_access(apcm_bench *b, const apcm_access *a) {
  const apcm_ports *p = &b->p;
  const unsigned way_bits = p->acc_way->width;
  wf_port_set(p->acc_valid, a != NULL);
  if (!a) {
    wf_bench_garbage(&b->base, &p->acc_warp, &p->acc_rank);
    return;
  }
  for (unsigned w = 0; w < b->shape.ways; w++)
    wf_port_set_bits(p->acc_rank, w * way_bits, way_bits, a->rank[w]);
  wf_port_set(p->acc_warp, a->warp);
  wf_port_set(p->acc_tracked, a->tracked);
  wf_port_set(p->acc_id, a->id);
  wf_port_set(p->acc_method, a->method);
  wf_port_set(p->acc_last, a->last);
  wf_port_set(p->acc_few, a->few);
  wf_port_set(p->acc_line, a->line);
  wf_port_set(p->acc_set, a->set);
  wf_port_set(p->acc_hit, a->hit);
  wf_port_set(p->acc_way, a->way);
  wf_port_set(p->acc_invalid, a->invalid);
  wf_port_set(p->acc_reserved, a->reserved);
}

static void drive_events(apcm_bench *b, const apcm_offers *o) {
  const apcm_ports *p = &b->p;
  wf_port_set(p->kernel, o->kernel);
  wf_port_set(p->start, o->start != NULL);
  wf_port_set(p->done_valid, o->done != NULL);
  wf_port_set(p->exit_valid, o->exit != NULL);
  if (o->start)
    wf_port_set(p->start_warp, o->start->warp);
  else
    wf_bench_garbage(&b->base, &p->start_warp, &p->start_warp);
  if (o->done) {
    wf_port_set(p->done_warp, o->done->warp);
    wf_port_set(p->done_id, o->done->id);
  } else {
    wf_bench_garbage(&b->base, &p->done_warp, &p->done_id);
  }
  if (o->exit)
    wf_port_set(p->exit_warp, o->exit->warp);
  else
    wf_bench_garbage(&b->base, &p->exit_warp, &p->exit_warp);
}

static void drive_move(apcm_bench *b, const apcm_move *m) {
  wf_port_set(b->p.cf_valid, m != NULL);
  if (!m) {
    wf_bench_garbage(&b->base, &b->p.cf_warp, &b->p.cf_push);
    return;
  }
  wf_port_set(b->p.cf_warp, m->warp);
  wf_port_set(b->p.cf_from, m->from);
  wf_port_set(b->p.cf_to, m->to);
  wf_port_set(b->p.cf_jump, m->jump);
  wf_port_set(b->p.cf_push, m->push);
}

/* ---- comparing ---- */

static bool same(apcm_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(apcm_bench *b) {
  const apcm_ports *p = &b->p;
  const apcm_ref *r = &b->ref;
  const apcm_load_answer *l = &r->load_answer;
  const apcm_access_answer *a = &r->access_answer;
  bool ok = same(b, p->ld_rsp_valid, l->valid) && same(b, p->acc_rsp_valid, a->valid);
  if (ok && l->valid)
    ok = same(b, p->ld_rsp_tracked, l->tracked) && (!l->tracked || same(b, p->ld_rsp_id, l->id)) &&
         same(b, p->ld_rsp_method, l->method) && same(b, p->ld_rsp_last, l->last);
  if (ok && a->valid)
    ok = same(b, p->acc_rsp_alloc, a->alloc) && (!a->alloc || same(b, p->acc_rsp_way, a->way)) &&
         same(b, p->acc_rsp_protect, a->protect);
  return ok && same(b, p->psb, apcm_ref_psb(r)) && same(b, p->ask_done, apcm_ref_ask_done(r)) &&
         same(b, p->ask_exit, apcm_ref_ask_exit(r)) &&
         same(b, p->ask_start, apcm_ref_ask_start(r)) &&
         same(b, p->mon_valid, r->state == APCM_WATCH) &&
         (r->state != APCM_WATCH || same(b, p->mon_warp, r->watched));
}

static bool compare_ready(apcm_bench *b, unsigned lsu_in) {
  const apcm_ready ready = apcm_ref_ready(&b->ref, lsu_in);
  return same(b, b->p.ld_ready, ready.load) && same(b, b->p.acc_ready, ready.access) &&
         same(b, b->p.done_ready, ready.done) && same(b, b->p.exit_ready, ready.exit) &&
         same(b, b->p.cf_ready, ready.move) && same(b, b->p.idle, apcm_ref_idle(&b->ref));
}

bool apcm_bench_cycle(apcm_bench *b, const apcm_offers *offers) {
  static const apcm_offers nothing = {0};
  const apcm_offers *o = offers ? offers : &nothing;
  const bool any = o->load || o->access || o->done || o->exit || o->start || o->kernel || o->move ||
                   o->lsu_in || o->lsu_out;
  if (b->base.failure[0]) return false;
  b->taken = apcm_ref_ready(&b->ref, o->lsu_in);
  apcm_cover_cycle(b->base.bin, &b->ref, o);
  b->base.cycle++;
  drive_load(b, o->load);
  drive_access(b, o->access);
  drive_events(b, o);
  drive_move(b, o->move);
  wf_port_set(b->p.lsu_in, o->lsu_in);
  wf_port_set(b->p.lsu_out, o->lsu_out);
  if (!any && wf_port_get(b->p.idle) && wf_bench_gated(&b->base)) return true;
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  apcm_ref_step(&b->ref, o);
  return compare(b) && compare_ready(b, o->lsu_in);
}

/* Offers until `*taken`. */
static bool send(apcm_bench *b, const apcm_offers *o, const bool *taken) {
  do
    if (!apcm_bench_cycle(b, o)) return false;
  while (!*taken);
  return true;
}

bool apcm_bench_load(apcm_bench *b, const apcm_load *load, apcm_load_answer *answer) {
  if (!send(b, &(apcm_offers){.load = load}, &b->taken.load)) return false;
  if (answer) *answer = b->ref.load_answer;
  return true;
}

bool apcm_bench_access(apcm_bench *b, const apcm_access *access, apcm_access_answer *answer) {
  if (!send(b, &(apcm_offers){.access = access}, &b->taken.access)) return false;
  do
    if (!apcm_bench_cycle(b, NULL)) return false;
  while (!b->ref.access_answer.valid);
  if (answer) *answer = b->ref.access_answer;
  return true;
}

bool apcm_bench_event(apcm_bench *b, const apcm_event *event) {
  switch (event->kind) {
  case APCM_LOAD_DONE:
    if (!send(b, &(apcm_offers){.done = event}, &b->taken.done)) return false;
    while (b->ref.has_done)
      if (!apcm_bench_cycle(b, NULL)) return false;
    return true;
  case APCM_WARP_EXIT:
    return send(b, &(apcm_offers){.exit = event}, &b->taken.exit);
  case APCM_WARP_START:
    while (b->ref.busy)
      if (!apcm_bench_cycle(b, NULL)) return false;
    return apcm_bench_cycle(b, &(apcm_offers){.start = event}) && apcm_bench_cycle(b, NULL);
  case APCM_KERNEL_START:
    while (!apcm_ref_kernel_may(&b->ref))
      if (!apcm_bench_cycle(b, NULL)) return false;
    return apcm_bench_cycle(b, &(apcm_offers){.kernel = true}) && apcm_bench_cycle(b, NULL);
  }
  return false;
}

bool apcm_bench_move(apcm_bench *b, const apcm_move *move) {
  return send(b, &(apcm_offers){.move = move}, &b->taken.move);
}

bool apcm_bench_rest(void *bench) {
  apcm_bench *b = bench;
  for (unsigned i = 0; i < 4 * (b->shape.mta_entries + b->shape.sets) + 80; i++) {
    if (!apcm_bench_cycle(b, NULL)) return false;
    if (wf_port_get(b->p.idle)) return true;
  }
  return wf_bench_fail(&b->base, "not idle in time");
}

static bool quiet_edge(void *user) {
  return apcm_bench_cycle(user, NULL);
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
    .n_counters = APCM_CNT_COUNT,
    .live_counters = true};
