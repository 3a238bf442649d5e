#include "tb/spref/spref_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "tb/spref/spref_cover.h"

// clang-format off
#define PORTS(X) \
  X(en_i) X(hints_on_i) X(distance_i) X(cache_only_i) X(widen_i) X(max_s_i) X(max_d_i) \
  X(in_valid_i) X(in_ready_o) X(in_warp_i) X(in_pc_i) X(in_op_i) X(in_guard_i) X(in_gpred_i) \
  X(in_gneg_i) X(in_mask_i) X(in_dst_v_i) X(in_dst_i) X(in_a_i) X(in_bkind_i) X(in_b_i) \
  X(in_imm_i) X(in_ext_i) X(in_sh_i) X(in_wide_i) X(in_cmp_i) X(in_pd_v_i) X(in_pd_i) \
  X(in_target_i) X(in_taken_i) X(out_valid_o) X(out_ready_i) X(out_warp_o) X(out_move_o) \
  X(out_move_reg_o) X(out_inject_o) X(out_reg_v_o) X(out_reg_o) X(out_base_v_o) X(out_base_o) \
  X(out_index_o) X(out_scale_o) X(out_ext_o) X(out_offset_o) X(out_mask_o) X(out_ask_o) \
  X(out_cmp_o) X(out_swap_o) X(out_shift_o) X(out_down_o) X(cnt_valid_i) X(cnt_ready_o) \
  X(cnt_warp_i) X(cnt_row_i) X(done_valid_i) X(done_ready_o) X(done_warp_i) X(done_fault_i) \
  X(ev_valid_i) X(ev_ready_o) X(ev_kind_i) X(ev_warp_i) X(hint_valid_i) X(hint_ready_o) \
  X(hint_kind_i) X(hint_slot_i) X(hint_pc_i) X(hint_reg_v_i) X(hint_reg_i) X(hint_imm_i) \
  X(hint_sh_i) X(hint_ext_i) X(hint_wide_i) X(hint_cmp_i) X(hint_swap_i) X(inflight_o) X(live_o) \
  X(idle_o)
// clang-format on

enum { QUEUE = 64, PATIENCE = 2000 };

typedef struct ports {
#define X(name) const wf_port *name;
  PORTS(X)
#undef X
} ports;

struct spref_bench {
  wf_bench base;
  ports p;
  spref_ref ref;
  spref_shape shape;
  spref_answer expected[QUEUE];
  unsigned first, inside, gate_percent, edges, quiet; /* quiet: edges since the last offer */
  spref_cover cover;
};

const spref_ref *spref_bench_ref(const spref_bench *b) {
  return &b->ref;
}
wf_bench *spref_bench_base(spref_bench *b) {
  return &b->base;
}
wf_rng *spref_bench_rng(spref_bench *b) {
  return &b->base.rng;
}
uint64_t spref_bench_cycles(const spref_bench *b) {
  return b->base.cycle;
}
unsigned spref_bench_inside(const spref_bench *b) {
  return b->inside;
}
const char *spref_bench_failure(const spref_bench *b) {
  return b->base.failure;
}

static unsigned parameter(const spref_bench *b, const char *name) {
  return (unsigned)wf_bench_parameter(&b->base, name);
}

spref_bench *spref_bench_create(const char *config, const char *parameters, uint64_t seed,
                                unsigned gate_percent, wf_error *err) {
  const char *unit = getenv("SPREF_UNIT");
  wf_model_request request = {
      .unit = unit ? unit : "spref", .config = config, .parameters = parameters};
  spref_bench *b = wf_calloc(1, sizeof *b);
  const wf_bench_port table[] = {
#define X(port) {&b->p.port, #port},
      PORTS(X)
#undef X
  };
  b->gate_percent = gate_percent;
  if (!wf_bench_open(&b->base, &request, seed, table, sizeof table / sizeof *table, err)) {
    spref_bench_destroy(b);
    return NULL;
  }
  b->shape = (spref_shape){.warps = parameter(b, "NumWarp"),
                           .lanes = parameter(b, "Lanes"),
                           .reg_bits = parameter(b, "RegBits"),
                           .pc_bits = parameter(b, "PcBits"),
                           .pc_step = parameter(b, "PcStep"),
                           .off_bits = parameter(b, "OffBits"),
                           .pred_bits = parameter(b, "PredBits"),
                           .forms = parameter(b, "NumForm"),
                           .max_tries = parameter(b, "MaxTries"),
                           .age_bits = parameter(b, "AgeBits"),
                           .queue = parameter(b, "Queue")};
  spref_bench_configure(
      b, &(spref_levels){.enable = true, .distance = 1, .widen = true, .max_s = 10, .max_d = 14});
  if (!spref_bench_reset(b)) {
    wf_fail(err, WF_EXIT_WRONG, "%s", b->base.failure);
    spref_bench_destroy(b);
    return NULL;
  }
  return b;
}

void spref_bench_destroy(spref_bench *b) {
  if (!b) return;
  if (b->base.model && !spref_cover_write(&b->cover))
    fprintf(stderr, "functional bins cannot be written\n");
  wf_bench_close(&b->base);
  free(b);
}

void spref_bench_configure(spref_bench *b, const spref_levels *l) {
  b->ref.levels = *l;
  wf_port_set(b->p.en_i, l->enable);
  wf_port_set(b->p.hints_on_i, l->hints);
  wf_port_set(b->p.distance_i, l->distance);
  wf_port_set(b->p.cache_only_i, l->cache_only);
  wf_port_set(b->p.widen_i, l->widen);
  wf_port_set(b->p.max_s_i, l->max_s);
  wf_port_set(b->p.max_d_i, l->max_d);
}

bool spref_bench_reset(spref_bench *b) {
  if (!wf_bench_ok(&b->base, wf_model_reset(b->base.model, 2))) return false;
  spref_ref_reset(&b->ref, &b->shape);
  b->inside = b->first = b->quiet = b->edges = 0;
  return true;
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static uint64_t cut(uint64_t x, const wf_port *p) {
  return p->width >= 64 ? x : x & ((UINT64_C(1) << p->width) - 1);
}

static void drive_in(spref_bench *b, const spref_instr *in) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng), y = wf_rng_next(&b->base.rng);
  spref_instr any = {.warp = (unsigned)wf_rng_below(&b->base.rng, b->shape.warps),
                     .op = (unsigned)(x >> 8 & 15),
                     .gpred = (unsigned)(x >> 12),
                     .dst = (unsigned)(x >> 20 & 255),
                     .a = (unsigned)(x >> 28 & 255),
                     .bkind = (unsigned)(x & 3),
                     .b = (unsigned)(x >> 36 & 255),
                     .ext = (unsigned)(x >> 2 & 3),
                     .sh = (unsigned)(x >> 4 & 15),
                     .cmp = (unsigned)(x >> 44 & 7),
                     .pd = (unsigned)(x >> 47),
                     .guard = x >> 56 & 1,
                     .gneg = x >> 57 & 1,
                     .dst_v = x >> 58 & 1,
                     .wide = x >> 59 & 1,
                     .pd_v = x >> 60 & 1,
                     .taken = x >> 61 & 1,
                     .pc = y,
                     .target = y >> 7,
                     .mask = y >> 3,
                     .imm = (int)(y & 0xffff)};
  const spref_instr *i = in ? in : &any;
  wf_port_set(p->in_valid_i, in != NULL);
  wf_port_set(p->in_warp_i, cut(i->warp, p->in_warp_i));
  wf_port_set(p->in_pc_i, cut(i->pc, p->in_pc_i));
  wf_port_set(p->in_op_i, i->op);
  wf_port_set(p->in_guard_i, i->guard);
  wf_port_set(p->in_gpred_i, cut(i->gpred, p->in_gpred_i));
  wf_port_set(p->in_gneg_i, i->gneg);
  wf_port_set(p->in_mask_i, cut(i->mask, p->in_mask_i));
  wf_port_set(p->in_dst_v_i, i->dst_v);
  wf_port_set(p->in_dst_i, cut(i->dst, p->in_dst_i));
  wf_port_set(p->in_a_i, cut(i->a, p->in_a_i));
  wf_port_set(p->in_bkind_i, i->bkind);
  wf_port_set(p->in_b_i, cut(i->b, p->in_b_i));
  wf_port_set(p->in_imm_i, (uint64_t)i->imm & 0xffff);
  wf_port_set(p->in_ext_i, i->ext);
  wf_port_set(p->in_sh_i, i->sh);
  wf_port_set(p->in_wide_i, i->wide);
  wf_port_set(p->in_cmp_i, i->cmp);
  wf_port_set(p->in_pd_v_i, i->pd_v);
  wf_port_set(p->in_pd_i, cut(i->pd, p->in_pd_i));
  wf_port_set(p->in_target_i, cut(i->target, p->in_target_i));
  wf_port_set(p->in_taken_i, i->taken);
}

static void drive_rest(spref_bench *b, const spref_offer *o) {
  const ports *p = &b->p;
  uint64_t x = wf_rng_next(&b->base.rng);
  wf_port_set(p->cnt_valid_i, o->count != NULL);
  wf_port_set(p->cnt_warp_i,
              o->count ? o->count->warp : wf_rng_below(&b->base.rng, b->shape.warps));
  for (unsigned l = 0; l < b->shape.lanes; l += 8) {
    uint64_t row = wf_rng_next(&b->base.rng);
    unsigned lanes = b->shape.lanes - l < 8 ? b->shape.lanes - l : 8;
    for (unsigned k = 0; k < lanes && o->count; k++)
      row = (row & ~(UINT64_C(15) << 4 * k)) | (uint64_t)o->count->n[l + k] << 4 * k;
    wf_port_set_bits(p->cnt_row_i, 4 * l, 4 * lanes, row & ((UINT64_C(1) << 4 * lanes) - 1));
  }
  wf_port_set(p->done_valid_i, o->done != NULL);
  wf_port_set(p->done_warp_i, o->done ? o->done->warp : wf_rng_below(&b->base.rng, b->shape.warps));
  wf_port_set(p->done_fault_i, o->done ? o->done->fault : x & 1);
  wf_port_set(p->ev_valid_i, o->event != NULL);
  wf_port_set(p->ev_kind_i, o->event ? (uint64_t)o->event->kind : x >> 1 & 3);
  wf_port_set(p->ev_warp_i, o->event ? o->event->warp : wf_rng_below(&b->base.rng, b->shape.warps));
  spref_hint any = {.kind = (spref_hint_kind)(x >> 3 & 7),
                    .slot = x >> 6 & 1,
                    .reg_v = x >> 7 & 1,
                    .wide = x >> 8 & 1,
                    .swap = x >> 9 & 1,
                    .pc = x >> 10,
                    .reg = (unsigned)(x >> 20 & 255),
                    .sh = (unsigned)(x >> 30 & 15),
                    .ext = (unsigned)(x >> 34 & 3),
                    .cmp = (unsigned)(x >> 36 & 7),
                    .imm = (int)(x >> 40 & 0xffff)};
  const spref_hint *h = o->hint ? o->hint : &any;
  wf_port_set(p->hint_valid_i, o->hint != NULL);
  wf_port_set(p->hint_kind_i, (uint64_t)h->kind);
  wf_port_set(p->hint_slot_i, h->slot);
  wf_port_set(p->hint_pc_i, cut(h->pc, p->hint_pc_i));
  wf_port_set(p->hint_reg_v_i, h->reg_v);
  wf_port_set(p->hint_reg_i, cut(h->reg, p->hint_reg_i));
  wf_port_set(p->hint_imm_i, (uint64_t)h->imm & 0xffff);
  wf_port_set(p->hint_sh_i, h->sh);
  wf_port_set(p->hint_ext_i, h->ext);
  wf_port_set(p->hint_wide_i, h->wide);
  wf_port_set(p->hint_cmp_i, h->cmp);
  wf_port_set(p->hint_swap_i, h->swap);
}

/* ---- comparing ---- */

static bool same(spref_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare_answer(spref_bench *b, const spref_answer *a) {
  const ports *p = &b->p;
  return same(b, p->out_warp_o, a->warp) && same(b, p->out_move_o, a->move) &&
         same(b, p->out_move_reg_o, a->move_reg) && same(b, p->out_inject_o, a->inject) &&
         same(b, p->out_reg_v_o, a->reg_v) && same(b, p->out_reg_o, a->reg) &&
         same(b, p->out_base_v_o, a->base_v) && same(b, p->out_base_o, a->base) &&
         same(b, p->out_index_o, a->index) && same(b, p->out_scale_o, a->scale) &&
         same(b, p->out_ext_o, a->ext) && same(b, p->out_offset_o, (uint64_t)a->offset & 0x7ffff) &&
         same(b, p->out_mask_o, a->mask) && same(b, p->out_ask_o, a->ask) &&
         same(b, p->out_cmp_o, a->cmp) && same(b, p->out_swap_o, a->swap) &&
         same(b, p->out_shift_o, a->shift) && same(b, p->out_down_o, a->down);
}

bool spref_bench_edge(spref_bench *b, spref_offer *o) {
  const ports *p = &b->p;
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  o->in_taken = o->in && wf_port_get(p->in_ready_o);
  o->count_taken = o->count && wf_port_get(p->cnt_ready_o);
  o->done_taken = o->done && wf_port_get(p->done_ready_o);
  o->event_taken = o->event && wf_port_get(p->ev_ready_o);
  o->hint_taken = o->hint && wf_port_get(p->hint_ready_o);
  o->answered = o->take_answers && wf_port_get(p->out_valid_o);
  bool any = o->in || o->count || o->done || o->event || o->hint;
  if (b->edges && !same(b, p->in_ready_o, b->inside < b->shape.queue)) return false;
  if (o->answered) {
    if (b->inside == 0) return wf_bench_fail(&b->base, "an answer without an instruction");
    o->answer = b->expected[b->first];
    if (!compare_answer(b, &o->answer)) return false;
    b->first = (b->first + 1) % QUEUE;
  }
  drive_in(b, o->in);
  drive_rest(b, o);
  wf_port_set(p->out_ready_i, o->take_answers);
  bool idle = wf_port_get(p->idle_o);
  if (idle && b->inside)
    return wf_bench_fail(&b->base, "idle with %u instructions inside", b->inside);
  b->quiet = any ? 0 : b->quiet + 1;
  if (!any && idle && wf_rng_below(&b->base.rng, 100) < b->gate_percent) return true;
  b->edges++;
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model))) return false;
  unsigned inside = b->inside;
  if (o->answered) b->inside--;
  spref_cover_edge(&b->cover, &b->ref, o);
  spref_answer answer;
  spref_ref_edge(&b->ref, o->in_taken ? o->in : NULL, o->count_taken ? o->count : NULL,
                 o->done_taken ? o->done : NULL, o->event_taken ? o->event : NULL,
                 o->hint_taken ? o->hint : NULL, &answer);
  if (o->in_taken) {
    spref_cover_answer(&b->cover, &b->ref, o->in, &answer);
    b->expected[(b->first + b->inside) % QUEUE] = answer;
    b->inside++;
  }
  bool settled = b->quiet > b->shape.forms + 12; /* what was taken has acted, and a table is made */
  if (inside == 0 && settled && !same(b, p->idle_o, 1)) return false;
  if (b->quiet > 10 && !same(b, p->inflight_o, spref_ref_inflight(&b->ref))) return false;
  return !settled || same(b, p->live_o, b->ref.state == SPREF_LIVE);
}

bool spref_bench_rest(spref_bench *b) {
  for (unsigned i = 0; i < PATIENCE; i++) {
    spref_offer none = {.take_answers = true};
    if (!spref_bench_edge(b, &none)) return false;
    if (b->inside == 0 && i > 12 + b->shape.forms && wf_port_get(b->p.idle_o)) return true;
  }
  return wf_bench_fail(&b->base, "not idle in time, %u instructions inside", b->inside);
}

static bool quiet_edge(void *user) {
  spref_offer none = {.take_answers = true};
  return spref_bench_edge(user, &none);
}

bool spref_bench_check_counters(spref_bench *b) {
  static const char *const names[] = {
#define X(name) #name,
      SPREF_COUNTERS(X)
#undef X
  };
  return spref_bench_rest(b) &&
         wf_bench_counters(&b->base, names, b->ref.counter, SPREF_CNT_COUNT, quiet_edge, b);
}

bool spref_bench_clear_counters(spref_bench *b) {
  if (!spref_bench_rest(b)) return false;
  if (!wf_bench_ok(&b->base, wf_model_counters_clear(b->base.model))) return false;
  memset(b->ref.counter, 0, sizeof b->ref.counter);
  return true;
}
