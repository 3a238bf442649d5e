#include "tb/apcm/apcm_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/apcm/apcm_cover.h"

// clang-format off
#define PORTS(X) \
  X(bypass_en_i) X(protect_en_i) X(threshold_i) X(remonitor_i) X(renew_i) X(ld_valid_i) \
  X(ld_ready_o) X(ld_warp_i) X(ld_pc_i) X(ld_rsp_valid_o) X(ld_rsp_tracked_o) X(ld_rsp_id_o) \
  X(ld_rsp_method_o) X(ld_rsp_last_o) X(acc_valid_i) X(acc_ready_o) X(acc_warp_i) X(acc_tracked_i) \
  X(acc_id_i) X(acc_method_i) X(acc_last_i) X(acc_nth_i) X(acc_line_i) X(acc_set_i) X(acc_hit_i) \
  X(acc_way_i) X(acc_invalid_i) X(acc_reserved_i) X(acc_rank_i) X(acc_rsp_valid_o) \
  X(acc_rsp_alloc_o) X(acc_rsp_way_o) X(acc_rsp_protect_o) X(ev_valid_i) X(ev_ready_o) \
  X(ev_kind_i) X(ev_warp_i) X(ev_id_i) X(ev_lo_i) X(ev_hi_i) X(psb_o) X(mon_valid_o) X(mon_warp_o) \
  X(cnt_snapshot_i) X(cnt_clear_i) X(idle_o)
// clang-format on

typedef struct ports {
#define X(name) const wf_port *name;
  PORTS(X)
#undef X
} ports;

struct apcm_bench {
  wf_bench base;
  ports p;
  apcm_ref ref;
  apcm_shape shape;
  apcm_load_answer load_answer;
  apcm_access_answer access_answer;
  unsigned pc_bits, gate_percent,
      inside; /* inside: edges until the last transfer has left the unit */
  apcm_cover cover;
};

const apcm_ref *apcm_bench_ref(const apcm_bench *b) {
  return &b->ref;
}
unsigned apcm_bench_pc_bits(const apcm_bench *b) {
  return b->pc_bits;
}
const apcm_load_answer *apcm_bench_load_answer(const apcm_bench *b) {
  return &b->load_answer;
}
const apcm_access_answer *apcm_bench_access_answer(const apcm_bench *b) {
  return &b->access_answer;
}
wf_bench *apcm_bench_base(apcm_bench *b) {
  return &b->base;
}

static unsigned parameter(const apcm_bench *b, const char *name) {
  return (unsigned)wf_bench_parameter(&b->base, name);
}

apcm_bench *apcm_bench_create(const char *config, const char *parameters, uint64_t seed,
                              unsigned gate_percent, wf_error *err) {
  wf_model_request request = {.unit = getenv("APCM_UNIT") ? getenv("APCM_UNIT") : "apcm",
                              .config = config,
                              .parameters = parameters};
  apcm_bench *b = wf_calloc(1, sizeof *b);
  const wf_bench_port table[] = {
#define X(port) {&b->p.port, #port},
      PORTS(X)
#undef X
  };
  b->gate_percent = gate_percent;
  if (!wf_bench_open(&b->base, &request, seed, table, sizeof table / sizeof *table, err)) {
    apcm_bench_destroy(b);
    return NULL;
  }
  b->shape = (apcm_shape){.warps = parameter(b, "NumWarp"),
                          .ids = parameter(b, "Ids"),
                          .mta_entries = parameter(b, "MtaEntries"),
                          .mta_ways = parameter(b, "MtaWays"),
                          .sets = parameter(b, "Sets"),
                          .ways = parameter(b, "Ways"),
                          .line_bits = parameter(b, "LineBits"),
                          .count_max = (1u << parameter(b, "CountBits")) - 1};
  b->pc_bits = parameter(b, "PcBits");
  apcm_bench_configure(
      b, &(apcm_settings){.bypass = true, .protect = true, .threshold = b->shape.count_max});
  if (!apcm_bench_reset(b)) {
    wf_fail(err, WF_EXIT_WRONG, "%s", b->base.failure);
    apcm_bench_destroy(b);
    return NULL;
  }
  return b;
}

void apcm_bench_destroy(apcm_bench *b) {
  if (!b) return;
  if (b->base.model && !apcm_cover_write(&b->cover))
    fprintf(stderr, "functional bins cannot be written\n");
  wf_bench_close(&b->base);
  free(b);
}

void apcm_bench_configure(apcm_bench *b, const apcm_settings *s) {
  b->ref.settings = *s;
  wf_port_set(b->p.bypass_en_i, s->bypass);
  wf_port_set(b->p.protect_en_i, s->protect);
  wf_port_set(b->p.threshold_i, s->threshold);
  wf_port_set(b->p.remonitor_i, s->remonitor);
  wf_port_set(b->p.renew_i, s->renew);
}

bool apcm_bench_reset(apcm_bench *b) {
  apcm_settings settings = b->ref.settings;
  if (!wf_bench_ok(&b->base, wf_model_reset(b->base.model, 2))) return false;
  apcm_ref_reset(&b->ref, &b->shape);
  b->load_answer.valid = b->access_answer.valid = false;
  b->inside = 0;
  apcm_bench_configure(b, &settings);
  return true;
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_load(apcm_bench *b, const apcm_load *load) {
  apcm_load any = {.warp = (uint32_t)wf_rng_below(&b->base.rng, b->shape.warps),
                   .pc = wf_rng_next(&b->base.rng)};
  const apcm_load *l = load ? load : &any;
  wf_port_set(b->p.ld_valid_i, load != NULL);
  wf_port_set(b->p.ld_warp_i, l->warp);
  wf_port_set(b->p.ld_pc_i, l->pc);
}

static void drive_access(apcm_bench *b, const apcm_access *access) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng), ranks = 0;
  apcm_access any = {.warp = (uint32_t)(x & 63),
                     .id = (uint32_t)(x >> 6),
                     .method = (uint32_t)(x >> 12 & 3),
                     .last = (uint32_t)(x >> 14),
                     .nth = (uint32_t)(x >> 20 & 3),
                     .tracked = x >> 22 & 1,
                     .hit = x >> 23 & 1,
                     .line = x >> 5,
                     .set = (uint32_t)wf_rng_below(&b->base.rng, b->shape.sets),
                     .way = (uint32_t)(x >> 34 & 15),
                     .invalid = (uint32_t)(x >> 40),
                     .reserved = (uint32_t)(x >> 44)};
  const apcm_access *a = access ? access : &any;
  unsigned way_bits = p->acc_way_i->width;
  for (unsigned w = 0; w < b->shape.ways; w++)
    ranks |= (uint64_t)(a->rank[w] & ((1u << way_bits) - 1)) << (w * way_bits);
  wf_port_set(p->acc_valid_i, access != NULL);
  wf_port_set(p->acc_warp_i, a->warp);
  wf_port_set(p->acc_tracked_i, a->tracked);
  wf_port_set(p->acc_id_i, a->id);
  wf_port_set(p->acc_method_i, a->method);
  wf_port_set(p->acc_last_i, a->last);
  wf_port_set(p->acc_nth_i, a->nth);
  wf_port_set(p->acc_line_i, a->line);
  wf_port_set(p->acc_set_i, a->set);
  wf_port_set(p->acc_hit_i, a->hit);
  wf_port_set(p->acc_way_i, a->way);
  wf_port_set(p->acc_invalid_i, a->invalid);
  wf_port_set(p->acc_reserved_i, a->reserved);
  wf_port_set(p->acc_rank_i, ranks);
}

static void drive_event(apcm_bench *b, const apcm_event *event) {
  uint64_t x = wf_rng_next(&b->base.rng);
  apcm_event any = {.kind = (apcm_kind)(x & 7),
                    .warp = (uint32_t)(x >> 3 & 63),
                    .id = (uint32_t)(x >> 9 & 63),
                    .lo = x >> 15,
                    .hi = x >> 31};
  const apcm_event *e = event ? event : &any;
  wf_port_set(b->p.ev_valid_i, event != NULL);
  wf_port_set(b->p.ev_kind_i, (uint64_t)e->kind);
  wf_port_set(b->p.ev_warp_i, e->warp);
  wf_port_set(b->p.ev_id_i, e->id);
  wf_port_set(b->p.ev_lo_i, e->lo);
  wf_port_set(b->p.ev_hi_i, e->hi);
}

/* ---- comparing ---- */

static bool same(apcm_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare(apcm_bench *b) {
  const ports *p = &b->p;
  const apcm_ref *r = &b->ref;
  const apcm_load_answer *l = &b->load_answer;
  const apcm_access_answer *a = &b->access_answer;
  bool ok = same(b, p->ld_rsp_valid_o, l->valid) && same(b, p->acc_rsp_valid_o, a->valid);
  if (ok && l->valid)
    ok = same(b, p->ld_rsp_tracked_o, l->tracked) && same(b, p->ld_rsp_id_o, l->id) &&
         same(b, p->ld_rsp_method_o, l->method) && same(b, p->ld_rsp_last_o, l->last);
  if (ok && a->valid)
    ok = same(b, p->acc_rsp_alloc_o, a->alloc) &&
         (!a->alloc || same(b, p->acc_rsp_way_o, a->way)) &&
         same(b, p->acc_rsp_protect_o, a->protect);
  return ok && same(b, p->psb_o, apcm_ref_psb(r)) &&
         same(b, p->mon_valid_o, r->state == APCM_WATCH) &&
         (r->state != APCM_WATCH || same(b, p->mon_warp_o, r->watched));
}

/* The three readies and idle_o, after an edge: they are not delayed as answers are. */
static bool compare_state(apcm_bench *b, bool scanned) {
  bool ready = apcm_ref_ready(&b->ref), idle = b->inside == 0 && ready && !scanned;
  return same(b, b->p.ld_ready_o, ready) && same(b, b->p.acc_ready_o, ready) &&
         same(b, b->p.ev_ready_o, ready) && same(b, b->p.idle_o, idle);
}

bool apcm_bench_cycle(apcm_bench *b, const apcm_load *load, const apcm_access *access,
                      const apcm_event *event, bool *taken) {
  bool ready = wf_port_get(b->p.ld_ready_o), any = load || access || event;
  if (taken) *taken = ready;
  if (b->base.failure[0]) return false;
  apcm_cover_cycle(&b->cover, &b->ref, load, access, event, ready);
  b->base.cycle++;
  drive_load(b, load);
  drive_access(b, access);
  drive_event(b, event);
  if (!any && wf_port_get(b->p.idle_o) && wf_rng_below(&b->base.rng, 100) < b->gate_percent)
    return true;
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

bool apcm_bench_rest(apcm_bench *b) {
  for (unsigned i = 0; i < 2 * (b->shape.mta_entries + b->shape.sets) + 8; i++) {
    if (!apcm_bench_cycle(b, NULL, NULL, NULL, NULL)) return false;
    if (wf_port_get(b->p.idle_o)) return true;
  }
  return wf_bench_fail(&b->base, "not idle in time");
}

static bool quiet_edge(void *user) {
  return apcm_bench_cycle(user, NULL, NULL, NULL, NULL);
}

bool apcm_bench_check_counters(apcm_bench *b) {
  static const char *const names[] = {
#define X(name) #name,
      APCM_COUNTERS(X)
#undef X
  };
  return apcm_bench_rest(b) &&
         wf_bench_counters(&b->base, names, b->ref.counter, APCM_CNT_COUNT, quiet_edge, b);
}

bool apcm_bench_clear_counters(apcm_bench *b) {
  if (!apcm_bench_rest(b)) return false;
  if (!wf_bench_ok(&b->base, wf_model_counters_clear(b->base.model))) return false;
  for (unsigned i = 0; i < APCM_CNT_COUNT; i++) b->ref.counter[i] = 0;
  return true;
}
