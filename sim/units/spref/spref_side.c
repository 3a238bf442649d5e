#include "sim/units/spref/spref_side.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"

void spref_side_init(spref_side *s, spref_shared *shared, unsigned sm) {
  s->shared = shared;
  s->sm = sm;
}

/* Wires between the two modules. */
static void join_unit(const spref_side *s) {
  const spref_ports *u = &s->port;
  const spref_edge_ports *e = &s->edge;
  const wf_port *const wires[][2] = {{u->quiet, e->quiet},     {u->test_v, e->test_v},
                                     {u->test_pc, e->test_pc}, {u->pre_v, e->pre_v},
                                     {u->pre_pc, e->pre_pc},   {u->in_ready, e->u_in_ready},
                                     {u->held, e->held},       {u->cnt_ready, e->u_cnt_ready},
                                     {u->ask, e->ask},         {u->hold, e->hold},
                                     {u->wait, e->wait}};
  for (unsigned i = 0; i < sizeof wires / sizeof *wires; i++)
    spref_ports_join(wires[i][0], wires[i][1]);
}

static void settle(const spref_side *s, wf_rtl *rtl) {
  wf_rtl_ok(rtl, wf_model_settle(rtl->model), s->shared->fault);
}

/* ---- what the fabric tells ---- */

static uint64_t operand(const ptx_source *s, const ptx_warp *w, unsigned lane) {
  uint32_t narrow;
  uint64_t v;
  if (s->kind == PTX_SOURCE_CONSTANT) {
    memcpy(&narrow, (const uint8_t *)s->plane + (s->wide ? 8 : 4) * lane, 4);
    v = narrow;
    if (s->wide) memcpy(&v, (const uint8_t *)s->plane + 8 * lane, 8);
    return v;
  }
  v = w->reg[s->reg][lane];
  return s->wide ? v | (uint64_t)w->reg[s->reg + 1][lane] << 32 : v;
}

static void read_operands(spref_side *s, const wf_issue_told *t, bool pre) {
  const ptx_code *c = s->shared->kernel->insts[t->pc].code;
  const bool swapped = s->shared->code->rows[t->pc].swapped;
  s->operands = (spref_operands){.warp = (uint8_t)t->warp,
                                 .pre = pre,
                                 .wide = c->src[swapped].wide,
                                 .sign = ptx_type_kind((ptx_type)c->type) == 's',
                                 .mask = t->mask};
  for (unsigned l = 0; l < PTX_LANES; l++) {
    s->operands.a[l] = operand(&c->src[swapped], t->arch, l);
    s->operands.b[l] = operand(&c->src[!swapped], t->arch, l);
  }
}

/* The loop's test, or the one before it: its operands are in the SM's collector. Of a trace they
 * can be made. */
static void keep_operands(spref_side *s, const wf_issue_told *t) {
  if (s->shared->trace)
    spref_trace_operands(s->shared->trace, t->arch, t->pc, t->mask, &s->operands);
  else
    read_operands(s, t, wf_port_get(s->edge.tell_pre));
  s->wires.now.held |= (uint64_t)1 << t->warp;
}

/* Must the instruction be told, and may it issue? The RTL's answers in this cycle. */
bool spref_side_takes(spref_side *s, unsigned warp, ptx_pc pc) {
  const spref_ports *u = &s->port;
  const spref_edge_ports *e = &s->edge;
  const spref_code *code = s->shared->code;
  const unsigned at = warp % e->may->width, op = code->rows[pc].op;
  s->needs = false;
  spref_ports_try(e->try_warp, e->try_pc, e->try_op, at, warp, pc, op);
  wf_port_set_bit(e->try_plain, at, code->idle[pc]);
  if (code->idle[pc]) return true;
  s->spoken = true;
  wf_port_set_bit(e->try_go, at, true);
  spref_ports_try(u->try_warp, u->try_pc, u->try_op, at, warp, pc, op);
  settle(s, s->rtl);
  wf_port_set_bit(e->try_end, at, s->shared->kernel->insts[pc].cls == PTX_CLASS_EXIT);
  spref_ports_join(s->port.need, e->need);
  settle(s, s->edge_rtl);
  s->needs = wf_port_bit(e->must, at);
  return wf_port_bit(e->may, at);
}

/* Until the unit has seen what the warp does next, it holds it. */
static void note_issue(spref_side *s, unsigned warp) {
  wf_port_set_bit(s->edge.iss, warp, true);
  s->wires.now.hold |= s->wires.now.waits & (uint64_t)1 << warp;
  s->spoken = true;
}

/* A load that waits stays in its warp's instruction buffer until it is its turn. */
void spref_side_tell(spref_side *s, const wf_issue_told *t) {
  const spref_edge_ports *e = &s->edge;
  const spref_row *r = &s->shared->code->rows[t->pc];
  s->spoken = true;
  if (s->shared->code->asks[t->pc]) {
    s->loads |= (uint64_t)1 << t->warp;
    s->load[t->warp] = (spref_told){.pc = t->pc, .warp = (uint8_t)t->warp, .mask = t->mask};
    return;
  }
  note_issue(s, t->warp);
  const unsigned at = t->warp % e->may->width, bits = e->try_data->width / e->may->width;
  wf_port_set_bit(e->try_go, at, true);
  if (!s->needs) {
    s->shared->left_out++;
    return;
  }
  spref_ports_data(&s->port, e->try_data, at * bits, r, t->mask, t->taken);
  settle(s, s->edge_rtl);
  if (!wf_port_get(e->tell_valid))
    wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: an instruction issues untold");
  if (wf_port_get(e->tell_counted)) keep_operands(s, t);
}

void spref_side_warp_end(spref_side *s, unsigned warp) {
  const spref_edge_ports *e = &s->edge;
  const unsigned tries = e->may->width, at = warp % tries, bits = e->try_data->width / tries,
                 warp_bits = e->try_warp->width / tries;
  if (!wf_port_bit(e->try_go, at) ||
      wf_port_get_bits(e->try_warp, at * warp_bits, warp_bits) != warp)
    wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: a warp ends without an instruction");
  wf_port_set_bit(e->try_data, (at + 1) * bits - 1, true);
}

void spref_side_issues(spref_side *s, unsigned warp, unsigned type,
                       const wf_issue_addresses *base) {
  const spref_ports *u = &s->port;
  const uint64_t bit = (uint64_t)1 << warp;
  wf_port_set(s->edge.ld_bit, bit);
  wf_port_set(u->ld_valid, 1);
  wf_port_set(u->ld_warp, warp);
  wf_port_set(u->ld_type, type);
  wf_port_set(u->ld_inject, wf_port_bit(u->inject, warp));
  wf_port_set(u->ld_over, base != NULL);
  if (base) spref_ports_addresses(u->ld_far, u->ld_addr, base);
  s->loads &= ~bit;
  s->wires.load_ready = false;
  s->wires.now.go &= ~bit;
  s->wires.now.waits |= bit; /* if it injects: seen with the next edge */
  note_issue(s, warp);
}

void spref_side_takes_offer(spref_side *s) {
  wf_port_set(s->port.inj_ready, 1);
  s->wires.offered = false;
  s->spoken = true;
}

bool spref_side_sum(spref_side *s, unsigned place, const wf_issue_addresses *made) {
  const spref_ports *u = &s->port;
  if (wf_port_get(u->sum_valid)) return false;
  wf_port_set(u->sum_valid, 1);
  wf_port_set(u->sum_slot, place);
  spref_ports_addresses(u->sum_far, u->sum_addr, made);
  return s->spoken = true;
}

void spref_side_done(spref_side *s, unsigned warp, unsigned reg, bool fault) {
  const spref_ports *u = &s->port;
  wf_port_set(u->done_valid, 1);
  wf_port_set(u->done_warp, warp);
  wf_port_set(u->done_reg, reg + s->shared->code->n_names);
  wf_port_set(u->done_fault, fault);
  s->wires.done_ready = false;
  s->spoken = true;
}

/* ---- one edge ---- */

/* The load whose turn it is, from its warp's instruction buffer. */
static void drive_load(spref_side *s) {
  const spref_edge_ports *e = &s->edge;
  if (!wf_port_get(e->load_take)) return;
  const spref_told *g = &s->load[__builtin_ctzll(wf_port_get(e->load_bit))];
  const spref_row *r = &s->shared->code->rows[g->pc];
  wf_port_set(e->load_pc, g->pc);
  wf_port_set(e->load_op, r->op);
  spref_ports_data(&s->port, e->load_data, 0, r, g->mask, false);
}

static void drive_instruction(spref_side *s) {
  const spref_ports *p = &s->port;
  const spref_edge_ports *e = &s->edge;
  spref_ports_join(e->u_in_valid, p->in_valid);
  if (!wf_port_get(e->u_in_valid)) return;
  spref_ports_join(e->u_in_warp, p->in_warp);
  spref_ports_join(e->u_in_pc, p->in_pc);
  spref_ports_join(e->u_in_op, p->in_op);
  spref_ports_join(e->u_in_counted, p->in_counted);
  spref_ports_from_data(p, e->u_in_data);
  if (!wf_port_get(p->in_ready)) return;
  s->inside[wf_ring_push(&s->inside_ring, SPREF_SIDE_INSIDE)] = (spref_told){
      .pc = (ptx_pc)wf_port_get(e->u_in_pc), .warp = (uint8_t)wf_port_get(e->u_in_warp)};
}

/* The lanes of the test's operands that the collector shows. */
static void drive_operands(const spref_side *s) {
  const spref_ports *p = &s->port;
  spref_ports_join(s->edge.u_cnt_valid, p->cnt_valid);
  if (wf_port_get(s->edge.u_cnt_valid))
    spref_ports_operands(p, &s->operands,
                         (unsigned)wf_port_get(s->edge.u_cnt_beat) * p->cnt_mask->width);
}

/* The next instruction of the warp whose turn it is, from its buffer. */
static void drive_next(const spref_side *s) {
  const spref_ports *p = &s->port;
  const wf_unit_env *env = &s->shared->env;
  const unsigned warp = (unsigned)wf_port_get(s->edge.u_next_warp);
  ptx_pc pc;
  spref_ports_join(s->edge.u_next_valid, p->next_valid);
  if (!wf_port_get(p->next_valid) || !env->issue_next(env->gpu, s->sm, warp, &pc)) return;
  const spref_row *r = &s->shared->code->rows[pc];
  wf_port_set(p->next_warp, warp);
  wf_port_set(p->next_dst_v, r->dst_v);
  wf_port_set(p->next_dst, r->dst);
  wf_port_set(p->next_all, r->op == SPREF_OP_CLOBBER);
}

/* ---- answers ---- */

static bool spare_number(const spref_code *code, uint64_t name, uint8_t *number) {
  *number = (uint8_t)(name - code->n_names);
  return name >= code->n_names && name - code->n_names < WF_ISSUE_SPARE;
}

/* The unit's offer, in the fabric's terms. False: it names a register that it must not. */
static bool read_offer(const spref_side *s, wf_issue_offer *o) {
  const spref_ports *p = &s->port;
  const spref_code *code = s->shared->code;
  *o = (wf_issue_offer){.add = wf_port_get(p->inj_add),
                        .sum = wf_port_get(p->inj_sum),
                        .reg_v = wf_port_get(p->inj_reg_v),
                        .base_v = wf_port_get(p->inj_base_v),
                        .warp = (uint8_t)wf_port_get(p->inj_warp),
                        .place = (uint8_t)wf_port_get(p->inj_slot),
                        .type = (uint8_t)wf_port_get(p->inj_type),
                        .scale = (uint8_t)wf_port_get(p->inj_scale),
                        .ext = (uint8_t)wf_port_get(p->inj_ext),
                        .offset = spref_ports_offset(p->inj_offset),
                        .mask = wf_port_word(p->inj_mask)};
  if (o->sum) spref_ports_kept(p, &o->address);
  if (o->reg_v && !spare_number(code, wf_port_get(p->inj_reg), &o->reg)) return false;
  if (o->add && !spare_number(code, wf_port_get(p->inj_index), &o->index)) return false;
  const uint64_t base = wf_port_get(p->inj_base);
  if (o->base_v && base >= code->n_names) return false;
  if (o->base_v) o->base = code->reg_of_name[base];
  return true;
}

/* What the SM says ends with the edge; but a sum that waits for a base. */
static void hush(spref_side *s) {
  const spref_edge_ports *e = &s->edge;
  const spref_ports *u = &s->port;
  const wf_port *const ends[] = {e->try_go,   e->ld_bit,    e->iss,
                                 u->ld_valid, u->inj_ready, u->done_valid};
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) wf_port_set(ends[i], 0);
  wf_port_set(e->load, s->loads);
  s->spoken = wf_port_get(u->sum_valid);
}

/* Which of the warps that the unit asks about, or that have issued, have a next instruction now. */
static void look_at_asked(const spref_side *s) {
  const wf_unit_env *env = &s->shared->env;
  uint64_t have = 0;
  ptx_pc pc;
  for (uint64_t m = wf_port_get(s->port.ask) | wf_port_get(s->edge.issued); m; m &= m - 1)
    if (env->issue_next(env->gpu, s->sm, (unsigned)__builtin_ctzll(m), &pc)) have |= m & -m;
  wf_port_set(s->edge.have, have);
}

void spref_side_see(spref_side *s) {
  const spref_ports *u = &s->port;
  wf_issue_wires *w = &s->wires;
  hush(s);
  join_unit(s);
  settle(s, s->edge_rtl);
  look_at_asked(s);
  w->now = (wf_issue_flags){.go = wf_port_get(u->go),
                            .moves = wf_port_get(u->move),
                            .hold = wf_port_get(s->edge.sm_hold),
                            .waits = wf_port_get(u->wait),
                            .held = wf_port_get(s->edge.sm_held)};
  w->load_ready = wf_port_get(u->ld_ready);
  w->done_ready = wf_port_get(u->done_ready);
  w->place = (unsigned)wf_port_get(u->ld_slot);
  w->offered = wf_port_get(u->inj_valid);
}

static uint64_t differ(const wf_issue_flags *a, const wf_issue_flags *b) {
  return (a->go ^ b->go) | (a->moves ^ b->moves) | (a->hold ^ b->hold) | (a->waits ^ b->waits) |
         (a->held ^ b->held);
}

/* What the SM sees after the edge. It chooses by flops that have what it saw a cycle before, and
 * issues a cycle later; it looks again at warps of which that is new. */
static bool see(spref_side *s, wf_error *err) {
  const wf_unit_env *env = &s->shared->env;
  const wf_issue_wires was = s->wires;
  spref_side_see(s);
  s->wires.chosen = s->kept;
  s->kept = s->shown;
  s->shown = s->wires.now;
  if (s->wires.offered && !read_offer(s, &s->wires.offer))
    return wf_fail(err, WF_EXIT_WRONG,
                   "spref: an injected load's register is not spare, or its "
                   "base is none");
  uint64_t look = differ(&was.chosen, &s->wires.chosen);
  if (s->wires.offered && !was.offered) look |= (uint64_t)1 << s->wires.offer.warp;
  for (; look; look &= look - 1)
    env->issue_answer(env->gpu, s->sm, (unsigned)__builtin_ctzll(look), NULL);
  return true;
}

/* An answer is on the port; it goes with the next edge. */
static bool take_answer(spref_side *s, wf_error *err) {
  const spref_ports *p = &s->port;
  const wf_unit_env *env = &s->shared->env;
  if (!wf_port_get(p->out_valid)) return true;
  if (!s->inside_ring.count || wf_port_get(p->out_warp) != s->inside[s->inside_ring.head].warp)
    return wf_fail(err, WF_EXIT_WRONG, "spref: an answer to what was not asked");
  const spref_told *g = &s->inside[wf_ring_pop(&s->inside_ring, SPREF_SIDE_INSIDE)];
  const uint64_t base = wf_port_get(p->out_base);
  wf_issue_answer a = {.move = wf_port_get(p->out_move),
                       .inject = wf_port_get(p->out_inject) != 0,
                       .reg_v = wf_port_get(p->out_reg_v),
                       .base_v = wf_port_get(p->out_base_v),
                       .over = wf_port_get(p->out_over),
                       .mask = wf_port_word(p->out_mask)};
  if (!s->shared->code->asks[g->pc])
    return (!a.move && !a.inject) ||
           wf_fail(err, WF_EXIT_WRONG, "spref: a move or a load with `%s`",
                   ptx_inst_text(&s->shared->kernel->insts[g->pc]));
  const spref_code *code = s->shared->code;
  if ((a.move && !spare_number(code, wf_port_get(p->out_move_reg), &a.move_reg)) ||
      (a.reg_v && !spare_number(code, wf_port_get(p->out_reg), &a.reg)) ||
      ((a.base_v || a.over) && base >= code->n_names))
    return wf_fail(err, WF_EXIT_WRONG,
                   "spref: an answer names a register that is not spare, or no base");
  if (a.base_v || a.over) a.base = code->reg_of_name[base];
  a.own = code->rows[g->pc].imm;
  if (s->shared->trace && !spref_trace_note(s->shared->trace, s->sm, p, g->pc))
    return wf_fail(err, WF_EXIT_WRONG, "spref: a load beside what is none");
  env->issue_answer(env->gpu, s->sm, g->warp, &a);
  return true;
}

/* ---- the clock ---- */

bool spref_side_has_work(const spref_side *s) {
  return spref_side_busy(s) || !wf_port_get(s->port.idle);
}

/* As the RTL says; and a warp whose next instruction it asks for may have one with the next cycle.
 */
bool spref_side_busy(const spref_side *s) {
  return s->spoken || differ(&s->wires.chosen, &s->kept) || differ(&s->kept, &s->shown) ||
         wf_port_get(s->edge.wake) || wf_port_get(s->edge.busy);
}

/* Of a sum is known before the edge whether it is taken. */
static bool clock_unit(spref_side *s, uint64_t now, wf_error *err) {
  drive_instruction(s);
  drive_operands(s);
  drive_next(s);
  spref_ports_join(s->edge.issued, s->port.issued);
  settle(s, s->rtl);
  const bool stays = wf_port_get(s->port.sum_valid) && !wf_port_get(s->port.sum_ready);
  if (!wf_rtl_clock(s->rtl, now, err)) return false;
  if (!stays) wf_port_set(s->port.sum_valid, 0);
  return true;
}

bool spref_side_rests(spref_side *s, wf_error *err) {
  if (!wf_rtl_edge(s->rtl, err)) return false;
  join_unit(s);
  settle(s, s->edge_rtl);
  return wf_rtl_edge(s->edge_rtl, err);
}

bool spref_side_clock(spref_side *s, uint64_t now, wf_error *err) {
  const spref_edge_ports *e = &s->edge;
  const spref_ports *u = &s->port;
  wf_port_set(e->stirs, wf_port_get(u->ld_valid) | wf_port_get(u->inj_ready) |
                            wf_port_get(u->sum_valid) | wf_port_get(u->done_valid));
  settle(s, s->edge_rtl);
  drive_load(s);
  const bool wakes = wf_rtl_due(s->shared->rtl, wf_port_get(e->wake));
  if (wakes && !clock_unit(s, now, err)) return false;
  if (wf_rtl_due(s->shared->edge_rtl, wf_port_get(e->busy)) && !wf_rtl_clock(s->edge_rtl, now, err))
    return false;
  if (!see(s, err)) return false;
  return !wakes || take_answer(s, err);
}
