#include "tb/spref/spref_bench.h"

#include <string.h>

#include "tb/spref/spref_cover.h"

enum {
  PATIENCE = 2000,
  CALM = 12, /* edges within which what is said of loads has acted */
  ACTS = 4   /* edges after which counts have acted, or a warp's instruction */
};

static bool open(void *bench, wf_error *err) {
  spref_bench *b = bench;
  const wf_bench *w = bench;
  b->shape = (spref_shape){.warps = wf_bench_parameter(w, "NumWarp"),
                           .lanes = wf_bench_parameter(w, "Lanes"),
                           .reg_bits = wf_bench_parameter(w, "RegBits"),
                           .pc_bits = wf_bench_parameter(w, "PcBits"),
                           .pc_step = wf_bench_parameter(w, "PcStep"),
                           .off_bits = wf_bench_parameter(w, "OffBits"),
                           .pred_bits = wf_bench_parameter(w, "PredBits"),
                           .forms = wf_bench_parameter(w, "NumForm"),
                           .max_tries = wf_bench_parameter(w, "MaxTries"),
                           .age_bits = wf_bench_parameter(w, "AgeBits"),
                           .queue = wf_bench_parameter(w, "Queue")};
  b->places = wf_bench_parameter(w, "Waiting");
  b->addr_bits = wf_bench_parameter(w, "AddrBits");
  b->near_bits = wf_bench_parameter(w, "NearBits");
  b->cnt_lanes = wf_bench_parameter(w, "CntLanes");
  b->beats = (b->shape.lanes + b->cnt_lanes - 1) / b->cnt_lanes;
  b->ref.levels =
      (spref_levels){.enable = true, .distance = 1, .widen = true, .max_s = 10, .max_d = 14};
  b->base.counted = b->ref.counter;
  return spref_ports_bind(&b->p, w->model, err);
}

void spref_bench_configure(spref_bench *b, const spref_levels *l) {
  b->ref.levels = *l;
  wf_port_set(b->p.en, l->enable);
  wf_port_set(b->p.hints_on, l->hints);
  wf_port_set(b->p.distance, l->distance);
  wf_port_set(b->p.cache_only, l->cache_only);
  wf_port_set(b->p.widen, l->widen);
  wf_port_set(b->p.max_s, l->max_s);
  wf_port_set(b->p.max_d, l->max_d);
}

static void reset(void *bench) {
  spref_bench *b = bench;
  const spref_levels levels = b->ref.levels;
  spref_ref_reset(&b->ref, &b->shape);
  spref_wait_reset(&b->wait, b->shape.warps, b->places);
  spref_sieve_reset(&b->sieve, b->near_bits);
  b->inside = (wf_ring){0};
  b->quiet = b->edges = b->calm = b->n_owed = b->acts_until = 0;
  b->issued = 0;
  b->next = false;
  b->sending = b->row = false;
  memset(b->owed, 0, sizeof b->owed);
  memset(b->told_at, 0, sizeof b->told_at);
  spref_bench_configure(b, &levels);
}

/* ---- driving: what is not offered is garbage, different every cycle ---- */

static void drive_in(spref_bench *b, const spref_instr *i) {
  const spref_ports *p = &b->p;
  wf_port_set(p->in_valid, i != NULL);
  if (!i) {
    wf_bench_garbage(&b->base, &p->in_warp, &p->in_last);
    return;
  }
  wf_port_set(p->in_warp, i->warp);
  wf_port_set(p->in_pc, i->pc);
  wf_port_set(p->in_op, i->op);
  wf_port_set(p->in_guard, i->guard);
  wf_port_set(p->in_gpred, i->gpred);
  wf_port_set(p->in_gneg, i->gneg);
  wf_port_set(p->in_mask, i->mask);
  wf_port_set(p->in_dst_v, i->dst_v);
  wf_port_set(p->in_dst, i->dst);
  wf_port_set(p->in_a, i->a);
  wf_port_set(p->in_bkind, i->bkind);
  wf_port_set(p->in_b, i->b);
  wf_port_set(p->in_pair, (uint64_t)(i->pair_b << 2 | i->pair_a << 1 | i->pair_dst));
  wf_port_set(p->in_imm, (uint64_t)i->imm & 0xffff);
  wf_port_set(p->in_ext, i->ext);
  wf_port_set(p->in_sh, i->sh);
  wf_port_set(p->in_wide, i->wide);
  wf_port_set(p->in_cmp, i->cmp);
  wf_port_set(p->in_pd_v, i->pd_v);
  wf_port_set(p->in_pd, i->pd);
  wf_port_set(p->in_target, i->target);
  wf_port_set(p->in_taken, i->taken);
  wf_port_set(p->in_counted, i->counted);
  wf_port_set(p->in_last, i->last);
}

static void drive_beat(spref_bench *b, bool valid) {
  const spref_ports *p = &b->p;
  const spref_count *c = &b->sent;
  wf_port_set(p->cnt_valid, valid);
  if (!valid) {
    wf_bench_garbage(&b->base, &p->cnt_warp, &p->cnt_b);
    return;
  }
  wf_port_set(p->cnt_warp, c->warp);
  wf_port_set(p->cnt_pre, c->pre);
  wf_port_set(p->cnt_wide, c->wide);
  wf_port_set(p->cnt_sign, c->sign);
  for (unsigned k = 0; k < b->cnt_lanes; k++) {
    const unsigned l = b->beat * b->cnt_lanes + k;
    const bool there = l < b->shape.lanes;
    wf_port_set_bits(p->cnt_mask, k, 1, there ? c->mask >> l & 1 : 0);
    wf_port_set_bits(p->cnt_a, 64 * k, 64, there ? c->a[l] : 0);
    wf_port_set_bits(p->cnt_b, 64 * k, 64, there ? c->b[l] : 0);
  }
}

void spref_bench_operands(spref_count *c, unsigned lane, const spref_answer *q, unsigned n) {
  const uint64_t x = 1000 + lane, once = q->cmp == SPREF_LE || q->cmp == SPREF_GE,
                 way = (uint64_t)n << q->shift, less = once ? UINT64_C(1) << q->shift : 0;
  const uint64_t y = q->down ? x - way + less : x + way - less;
  c->wide = c->sign = true;
  c->mask |= UINT64_C(1) << lane;
  c->a[lane] = q->swap ? y : x;
  c->b[lane] = q->swap ? x : y;
}

void spref_bench_addresses(const spref_bench *b, spref_addresses *a, const uint64_t *value,
                           uint64_t mask) {
  const uint64_t fits = UINT64_MAX >> (64 - b->addr_bits);
  *a = (spref_addresses){0};
  for (unsigned l = 0; l < b->shape.lanes; l++) {
    a->lane[l] = value[l] & fits;
    a->far |= (mask >> l & 1) && value[l] > fits;
  }
}

static void drive_addresses(spref_bench *b, const wf_port *far, const wf_port *addr,
                            const spref_addresses *a) {
  wf_port_set(far, a->far);
  for (unsigned l = 0; l < b->shape.lanes; l++)
    wf_port_set_bits(addr, b->addr_bits * l, b->addr_bits, a->lane[l]);
}

/* Addresses come whole, and are garbage at the edge after; from then on the same garbage, since
 * they are wide. */
static void spoil_addresses(spref_bench *b) {
  uint64_t value[SPREF_MAX_LANES] = {0};
  spref_addresses a;
  for (unsigned l = 0; l < b->shape.lanes; l++) value[l] = wf_rng_next(&b->base.rng);
  spref_bench_addresses(b, &a, value, value[0]);
  drive_addresses(b, b->p.ld_far, b->p.ld_addr, &a);
  drive_addresses(b, b->p.sum_far, b->p.sum_addr, &a);
}

/* A load that issues, with its base; a sum. */
static void drive_places(spref_bench *b, const spref_offer *o) {
  const spref_ports *p = &b->p;
  const bool over = o->load && spref_wait_over(&b->wait, o->load->warp);
  if (b->addressed) spoil_addresses(b);
  wf_bench_garbage(&b->base, &p->ld_warp, &p->ld_over);
  wf_bench_garbage(&b->base, &p->sum_slot, &p->sum_slot);
  wf_port_set(p->ld_valid, o->load != NULL);
  if (o->load) {
    wf_port_set(p->ld_warp, o->load->warp);
    wf_port_set(p->ld_type, o->load->type);
    wf_port_set(p->ld_inject, wf_port_bit(p->inject, o->load->warp));
    wf_port_set(p->ld_over, over);
  }
  if (over) drive_addresses(b, p->ld_far, p->ld_addr, &o->load->base);
  wf_port_set(p->sum_valid, o->sum != NULL);
  if (o->sum) {
    wf_port_set(p->sum_slot, o->sum->place);
    drive_addresses(b, p->sum_far, p->sum_addr, &o->sum->address);
  }
  b->addressed = over || o->sum;
}

static void drive_loads(spref_bench *b, const spref_offer *o) {
  const spref_ports *p = &b->p;
  drive_places(b, o);
  wf_bench_garbage(&b->base, &p->done_warp, &p->done_fault);
  wf_bench_garbage(&b->base, &p->next_warp, &p->next_dst);
  wf_port_set(p->inj_ready, o->take_injected);
  wf_port_set(p->done_valid, o->done != NULL);
  if (o->done) {
    wf_port_set(p->done_warp, o->done->warp);
    wf_port_set(p->done_reg, o->done->reg);
    wf_port_set(p->done_fault, o->done->fault);
  }
  wf_port_set(p->next_valid, o->next != NULL);
  if (o->next) {
    wf_port_set(p->next_warp, o->next->warp);
    wf_port_set(p->next_dst_v, o->next->dst_v);
    wf_port_set(p->next_all, o->next->all);
    wf_port_set(p->next_dst, o->next->dst);
  }
  wf_port_set(p->issued, o->issued);
}

static void drive_hint(spref_bench *b, const spref_hint *h) {
  const spref_ports *p = &b->p;
  wf_port_set(p->hint_valid, h != NULL);
  if (!h) {
    wf_bench_garbage(&b->base, &p->hint_kind, &p->hint_swap);
    return;
  }
  wf_port_set(p->hint_kind, (uint64_t)h->kind);
  wf_port_set(p->hint_slot, h->slot);
  wf_port_set(p->hint_pc, h->pc);
  wf_port_set(p->hint_reg_v, h->reg_v);
  wf_port_set(p->hint_reg, h->reg);
  wf_port_set(p->hint_imm, (uint64_t)h->imm & 0xffff);
  wf_port_set(p->hint_sh, h->sh);
  wf_port_set(p->hint_ext, h->ext);
  wf_port_set(p->hint_wide, h->wide);
  wf_port_set(p->hint_cmp, h->cmp);
  wf_port_set(p->hint_swap, h->swap);
}

/* ---- comparing ---- */

static bool same(spref_bench *b, const wf_port *port, uint64_t expected) {
  return wf_bench_same(&b->base, port, expected);
}

static bool compare_answer(spref_bench *b, const spref_answer *a) {
  const spref_ports *p = &b->p;
  return same(b, p->out_warp, a->warp) && same(b, p->out_move, a->move) &&
         same(b, p->out_move_reg, a->move_reg) && same(b, p->out_inject, a->inject) &&
         same(b, p->out_reg_v, a->reg_v) && same(b, p->out_reg, a->reg) &&
         same(b, p->out_base_v, a->base_v) && same(b, p->out_base, a->base) &&
         same(b, p->out_over, a->over) && same(b, p->out_index, a->index) &&
         same(b, p->out_scale, a->scale) && same(b, p->out_ext, a->ext) &&
         same(b, p->out_offset, (uint64_t)a->offset & 0x7ffff) && same(b, p->out_mask, a->mask);
}

/* Warps with a test whose counts have not acted. */
static uint64_t held(const spref_bench *b) {
  uint64_t mask = 0;
  for (unsigned w = 0; w < b->shape.warps; w++)
    if (b->owed[w]) mask |= UINT64_C(1) << w;
  return mask;
}

bool spref_bench_go(const spref_bench *b, unsigned warp) {
  return wf_port_bit(b->p.go, warp);
}
bool spref_bench_held(const spref_bench *b, unsigned warp) {
  return wf_port_bit(b->p.hold, warp) || b->issued >> warp & 1;
}
bool spref_bench_waits(const spref_bench *b, unsigned warp) {
  return wf_port_bit(b->p.wait, warp) || b->issued >> warp & 1;
}
bool spref_bench_asks(const spref_bench *b, unsigned warp) {
  return wf_port_bit(b->p.ask, warp);
}

/* What loads and warps may do, against the model. */
static bool compare_loads(spref_bench *b) {
  const spref_ports *p = &b->p;
  for (unsigned w = 0; w < b->shape.warps; w++) {
    if (b->wait.warp[w].odd) continue;
    if (wf_port_get(p->ld_ready) && wf_port_bit(p->go, w) && !spref_wait_may(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u's load may issue, and must not", w);
    if (wf_port_bit(p->go, w) && wf_port_bit(p->move, w) != spref_wait_moves(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u's load is a move, or is not", w);
    if (!spref_bench_held(b, w) && spref_wait_holds(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u is not held, and a base may be overwritten", w);
    if (!spref_bench_waits(b, w) && spref_wait_busy(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u has loads that wait, and may end", w);
  }
  return true;
}

/* A tail whose index has failed keeps its place while an offer stands: as long its register is to
 * come, and the place is not free. */
static bool dead_waits(const spref_bench *b) {
  bool some = false;
  for (unsigned i = 0; i < b->places; i++) some |= b->wait.place[i].dead;
  return some && wf_port_get(b->p.inj_valid);
}

/* Nothing was said for a while: what may issue does, and nobody is held for nothing. */
static bool compare_calm(spref_bench *b) {
  const spref_ports *p = &b->p;
  if (dead_waits(b) || b->next) return true;
  for (unsigned w = 0; w < b->shape.warps; w++) {
    if (b->wait.warp[w].odd) continue;
    if (!wf_port_bit(p->go, w) && spref_wait_may(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u's load might issue, and may not", w);
    if (wf_port_bit(p->ask, w) && !spref_wait_asks(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u is asked for nothing", w);
    if (wf_port_bit(p->hold, w) && !wf_port_bit(p->ask, w) && !spref_wait_holds(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u is held for nothing", w);
    if (wf_port_bit(p->wait, w) && !spref_wait_busy(&b->wait, w))
      return wf_bench_fail(&b->base, "warp %u has no load that waits, and must not end", w);
  }
  return true;
}

static void read_injection(const spref_bench *b, spref_injected *i) {
  const spref_ports *p = &b->p;
  *i = (spref_injected){.warp = wf_port_word(p->inj_warp),
                        .place = wf_port_word(p->inj_slot),
                        .type = wf_port_word(p->inj_type),
                        .reg = wf_port_word(p->inj_reg),
                        .base = wf_port_word(p->inj_base),
                        .index = wf_port_word(p->inj_index),
                        .scale = wf_port_word(p->inj_scale),
                        .ext = wf_port_word(p->inj_ext),
                        .add = wf_port_get(p->inj_add),
                        .sum = wf_port_get(p->inj_sum),
                        .reg_v = wf_port_get(p->inj_reg_v),
                        .base_v = wf_port_get(p->inj_base_v),
                        .offset = (int32_t)(wf_port_word(p->inj_offset) << 13) >> 13,
                        .mask = wf_port_get(p->inj_mask)};
  if (!i->sum) return;
  i->address.far = wf_port_get(p->inj_far);
  for (unsigned l = 0; l < b->shape.lanes; l++)
    i->address.lane[l] = wf_port_get_bits(p->inj_addr, b->addr_bits * l, b->addr_bits);
}

/* What of these channels is taken at the edge. */
static bool look_at_loads(spref_bench *b, spref_offer *o) {
  const spref_ports *p = &b->p;
  o->load_taken = o->load && wf_port_get(p->ld_ready);
  o->done_taken = o->done && wf_port_get(p->done_ready);
  o->injected = o->take_injected && wf_port_get(p->inj_valid);
  o->moved = o->load && wf_port_bit(p->move, o->load->warp);
  o->place = wf_port_word(p->ld_slot);
  if (o->injected) read_injection(b, &o->injection);
  if (o->load_taken && b->wait.warp[o->load->warp].a.inject &&
      !spref_wait_is_free(&b->wait, o->place))
    return wf_bench_fail(&b->base, "place %u is given away twice", o->place);
  return !b->edges || (compare_loads(b) && (b->calm < CALM || compare_calm(b)));
}

/* And what becomes of it. */
static bool step_loads(spref_bench *b, const spref_offer *o) {
  const char *wrong = o->injected ? spref_wait_take(&b->wait, &o->injection) : NULL;
  if (wrong) return wf_bench_fail(&b->base, "%s", wrong);
  if (o->sum_taken) spref_wait_sum(&b->wait, o->sum);
  if (o->done_taken) spref_wait_done(&b->wait, o->done);
  spref_wait_issued(&b->wait, o->issued);
  b->issued = o->issued;
  b->next = o->next != NULL;
  if (o->next) spref_wait_next(&b->wait, o->next);
  if (o->load_taken) spref_wait_issue(&b->wait, o->load, o->place);
  if (o->new_kernel) spref_wait_reset(&b->wait, b->shape.warps, b->places);
  return true;
}

/* A sum waits for a base that comes with a load, and for nothing else. */
static bool take_sum(spref_bench *b, spref_offer *o) {
  if (!wf_bench_ok(&b->base, wf_model_settle(b->base.model))) return false;
  o->sum_taken = !(o->load_taken && spref_wait_over(&b->wait, o->load->warp));
  b->base.bin[SPREF_BIN_sum_waits] += !o->sum_taken;
  return wf_bench_same(&b->base, b->p.sum_ready, o->sum_taken);
}

/* A load waits to be injected, as long as nobody takes it. */
static bool waits_any(const spref_bench *b) {
  for (unsigned w = 0; w < b->shape.warps; w++)
    if (spref_wait_busy(&b->wait, w)) return true;
  return false;
}

/* Operands, or counts that act. */
static bool counts_inside(const spref_bench *b) {
  return b->row || (b->sending && b->beat) || b->edges < b->acts_until;
}

/* What is taken at this edge. */
static void take_offers(spref_bench *b, spref_offer *o) {
  const spref_ports *p = &b->p;
  o->in_taken = o->in && wf_port_get(p->in_ready);
  o->count_taken = o->count && !b->sending;
  if (o->count_taken) {
    b->sending = true;
    b->sent = *o->count;
    b->beat = 0;
  }
  o->hint_taken = o->hint && wf_port_get(p->hint_ready);
  o->answered = o->take_answers && wf_port_get(p->out_valid);
  o->counted_warp = b->row_count.warp;
  o->counted = b->row && b->owed[o->counted_warp] && b->owed_at[o->counted_warp] + 4 <= b->edges &&
               b->row_at + 2 <= b->edges;
}

static bool outputs_right(spref_bench *b, spref_offer *o) {
  const spref_ports *p = &b->p;
  if (b->edges && (!same(b, p->cnt_ready, !b->row) || !same(b, p->counted, o->counted)))
    return false;
  if (b->edges &&
      (!same(b, p->in_ready, b->inside.count < b->shape.queue) || !same(b, p->held, held(b))))
    return false;
  if (!o->answered) return true;
  if (b->inside.count == 0) return wf_bench_fail(&b->base, "an answer without an instruction");
  o->answer = b->expected[b->inside.head];
  return compare_answer(b, &o->answer);
}

static void drive(spref_bench *b, const spref_offer *o, bool beat) {
  drive_in(b, o->in);
  drive_beat(b, beat);
  drive_loads(b, o);
  wf_port_set(b->p.new_kernel, o->new_kernel);
  drive_hint(b, o->hint);
  wf_port_set(b->p.out_ready, o->take_answers);
}

/* Counts: what is owed, and the row that waits. */
static void step_counts(spref_bench *b, const spref_offer *o, bool beat_taken, unsigned now) {
  if (o->counted) {
    b->row = b->owed[b->row_count.warp] = false;
    b->n_owed--;
    b->acts_until = now + ACTS;
  }
  if (o->in_taken && o->in->counted) {
    b->owed[o->in->warp] = true;
    b->owed_at[o->in->warp] = now;
    b->n_owed++;
  }
  if (beat_taken && ++b->beat == b->beats) {
    b->row = true;
    b->row_count = b->sent;
    b->row_at = now;
    b->sending = false;
  }
}

bool spref_bench_needs(spref_bench *b, const spref_instr *i) {
  const spref_ports *p = &b->p;
  const unsigned tries = p->need->width, at = i->warp % tries;
  const uint32_t warp_bits = p->try_warp->width / tries, pc_bits = p->try_pc->width / tries;
  wf_bench_garbage(&b->base, &p->try_warp, &p->try_op);
  wf_port_set_bits(p->try_warp, at * warp_bits, warp_bits, i->warp);
  wf_port_set_bits(p->try_pc, at * pc_bits, pc_bits, i->pc);
  wf_port_set_bits(p->try_op, at * 4, 4, i->op);
  return !wf_bench_ok(&b->base, wf_model_settle(b->base.model)) || wf_port_bit(p->need, at);
}

/* An instruction that is taken and need not have been told. */
static bool left_out(spref_bench *b, const spref_offer *o, unsigned now) {
  bool pre;
  return b->sieves && o->in_taken && !o->in->odd && !o->in->last &&
         b->told_at[o->in->warp] + ACTS <= now && !spref_ref_is_test(&b->ref, o->in->pc, &pre) &&
         !spref_bench_needs(b, o->in);
}

static void edge_of(spref_ref *r, const spref_offer *o, const spref_instr *in,
                    const spref_count *acts, spref_answer *answer) {
  spref_ref_edge(r, in, o->counted ? acts : NULL,
                 o->done_taken && o->done->fault ? &o->done->warp : NULL, o->new_kernel,
                 o->hint_taken ? o->hint : NULL, answer);
}

/* The reference was the same without the instruction, but for what counts instructions. */
static bool changed_nothing(spref_ref *without, const spref_offer *o, const spref_count *acts,
                            const spref_ref *with) {
  edge_of(without, o, NULL, acts, NULL);
  without->age = with->age;
  memcpy(without->counter, with->counter, sizeof without->counter);
  const void *one = without, *other = with; /* began as the same bytes */
  return memcmp(one, other, sizeof *with) == 0;
}

/* acts: the counts that act at this edge; needless: the instruction need not have been told. */
static void step_reference(spref_bench *b, const spref_offer *o, const spref_count *acts,
                           bool needless) {
  static spref_ref before;
  spref_answer answer;
  spref_cover_edge(b->base.bin, &b->ref, o);
  b->base.bin[SPREF_BIN_needless] += needless;
  b->base.bin[SPREF_BIN_needless_in_loop] +=
      needless && b->ref.state == SPREF_LIVE && o->in->pc >= b->ref.lo && o->in->pc <= b->ref.hi;
  if (needless) before = b->ref;
  const bool silent = o->in_taken && spref_sieve_is_silent(&b->ref, o->in);
  edge_of(&b->ref, o, o->in_taken ? o->in : NULL, acts, &answer);
  if (needless && !changed_nothing(&before, o, acts, &b->ref))
    wf_bench_fail(&b->base, "warp %u, pc %llu: the unit does not ask for it, and it counts",
                  o->in->warp, (unsigned long long)o->in->pc);
  spref_sieve_edge(&b->sieve, &b->ref, silent ? o->in : NULL);
  if (!o->in_taken) return;
  b->told_at[o->in->warp] = b->edges;
  spref_cover_answer(b->base.bin, &b->ref, o->in, &answer);
  const unsigned at = wf_ring_push(&b->inside, SPREF_QUEUE);
  b->expected[at] = answer;
  b->of_load[at] = o->in->op == SPREF_LDNC;
}

/* What the unit shows, but for `need` and what counters say. */
static uint64_t shown(const spref_bench *b) {
  const spref_ports *p = &b->p;
  const wf_port *const ports[] = {
      p->in_ready,  p->out_valid, p->counted,  p->held,     p->go,         p->move, p->ld_ready,
      p->inj_valid, p->inj_add,   p->inj_slot, p->inj_warp, p->done_ready, p->ask,  p->hold,
      p->wait,      p->cnt_ready, p->live,     p->test_v,   p->test_pc,    p->idle};
  uint64_t all = 0;
  for (unsigned i = 0; i < sizeof ports / sizeof *ports; i++)
    all = all * UINT64_C(0x9e3779b97f4a7c15) + wf_port_get(ports[i]);
  return all;
}

bool spref_bench_edge(spref_bench *b, spref_offer *o) {
  if (b->base.failure[0]) return false;
  b->base.cycle++;
  take_offers(b, o);
  const bool beat = b->sending && wf_rng_below(&b->base.rng, 4) != 0;
  if (!look_at_loads(b, o)) return false;
  const bool offered = o->in || o->load || o->done || o->sum || o->next || o->injected ||
                       o->new_kernel || o->hint || o->issued || beat;
  const bool any = o->in || o->load || o->done || o->sum || o->next || o->injected ||
                   o->new_kernel || o->hint || b->sending || b->row || b->n_owed;
  if (!outputs_right(b, o)) return false;
  drive(b, o, beat);
  if (o->sum && !take_sum(b, o)) return false;
  const bool idle = wf_port_get(b->p.idle);
  if (idle && (b->inside.count || waits_any(b) || counts_inside(b)))
    return wf_bench_fail(&b->base,
                         "idle with %u instructions inside, with loads that wait, or with counts",
                         b->inside.count);
  b->quiet = any || waits_any(b) ? 0 : b->quiet + 1;
  const bool quiet = !offered && wf_port_get(b->p.quiet);
  if (quiet && wf_bench_gated(&b->base)) return true;
  const uint64_t was = quiet ? shown(b) : 0;
  const bool needless = left_out(b, o, b->edges);
  const unsigned now = b->edges++, inside = b->inside.count;
  const bool beat_taken = wf_port_get(b->p.cnt_ready) && beat;
  if (!wf_bench_ok(&b->base, wf_model_edge(b->base.model)) || !step_loads(b, o)) return false;
  if (quiet && shown(b) != was)
    return wf_bench_fail(&b->base, "quiet, and something changes without the clock's leave");
  b->calm = o->load_taken || o->done_taken || o->sum || o->injected || o->answered || o->new_kernel
                ? 0
                : b->calm + 1;
  if (o->answered) {
    const unsigned at = wf_ring_pop(&b->inside, SPREF_QUEUE);
    if (b->of_load[at]) spref_wait_answer(&b->wait, &b->expected[at]);
  }
  const spref_count acts = b->row_count;
  step_counts(b, o, beat_taken, now);
  step_reference(b, o, &acts, needless);
  const bool settled =
      b->quiet > b->shape.forms + 12; /* what was taken has acted, a table is made */
  if (inside == 0 && settled && !same(b, b->p.idle, 1)) return false;
  return !settled || same(b, b->p.live, b->ref.state == SPREF_LIVE);
}

/* An instruction in the loop or beside it. */
static spref_instr any_near(spref_bench *b) {
  wf_rng *rng = &b->base.rng;
  const uint64_t from = b->ref.lo, step = b->shape.pc_step, steps = (b->ref.hi - from) / step + 8,
                 pcs = UINT64_C(1) << b->shape.pc_bits;
  const uint64_t at = wf_rng_below(rng, 4) ? from + step * wf_rng_below(rng, steps)
                                           : step * wf_rng_below(rng, pcs / step);
  return (spref_instr){.warp = (unsigned)wf_rng_below(rng, b->shape.warps),
                       .op = (unsigned)wf_rng_below(rng, SPREF_CLOBBER + 1),
                       .pc = at & (pcs - 1)};
}

/* All that was said has acted. */
static bool sieve_right(spref_bench *b) {
  enum { PROBES = 64 };
  for (unsigned n = 0; b->sieves && b->ref.levels.enable && n < PROBES; n++) {
    const spref_instr i = any_near(b);
    const bool must = spref_sieve_needs(&b->sieve, &b->ref, &i), asked = spref_bench_needs(b, &i);
    if (b->base.failure[0]) return false;
    b->base.bin[SPREF_BIN_sieve_silent] +=
        !must && b->ref.state == SPREF_LIVE && i.pc >= b->ref.lo && i.pc <= b->ref.hi;
    if (asked != must)
      return wf_bench_fail(&b->base, "warp %u, pc %llu, op %u: %s", i.warp,
                           (unsigned long long)i.pc, i.op,
                           asked ? "asked for, and does not count" : "not asked for, and counts");
  }
  return true;
}

bool spref_bench_rest(void *bench) {
  spref_bench *b = bench;
  for (unsigned i = 0; i < PATIENCE; i++) {
    spref_offer none = {.take_answers = true};
    if (!spref_bench_edge(b, &none)) return false;
    if (b->inside.count == 0 && i > 12 + b->shape.forms && wf_port_get(b->p.idle))
      return sieve_right(b);
  }
  return wf_bench_fail(&b->base, "not idle in time, %u instructions inside", b->inside.count);
}

static bool quiet_edge(void *user) {
  spref_offer none = {.take_answers = true};
  return spref_bench_edge(user, &none);
}

const wf_bench_class spref_bench_class = {
    .unit = "spref",
    .bytes = sizeof(spref_bench),
    .open = open,
    .reset = reset,
    .rest = spref_bench_rest,
    .after = quiet_edge,
    .bins = (const char *const[]){SPREF_BINS(WF_BENCH_PORT_NAME)},
    .n_bins = SPREF_BIN_COUNT,
    .counters = (const char *const[]){SPREF_COUNTERS(WF_BENCH_NAME)},
    .n_counters = SPREF_CNT_COUNT};
