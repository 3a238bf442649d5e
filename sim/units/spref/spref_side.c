#include "sim/units/spref/spref_side.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"

enum { BRANCH_ACTS = 4 }; /* edges after a branch is told */

void spref_side_init(spref_side *s, spref_shared *shared, unsigned sm) {
  s->shared = shared;
  s->sm = sm;
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

static bool asks_for(const spref_side *s, ptx_pc pc, bool *pre) {
  const spref_ports *p = &s->port;
  if (s->shared->code->rows[pc].op != SPREF_OP_SETP) return false;
  *pre = wf_port_get(p->pre_v) && wf_port_word(p->pre_pc) == pc;
  return *pre || (wf_port_get(p->test_v) && wf_port_word(p->test_pc) == pc);
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

/* The loop's test, or the one before it: from the next cycle on its operands go to the unit, as the
 * SM's collector holds them. Of a trace only those of the loop's can be made. */
static bool send_operands(spref_side *s, const wf_issue_told *t) {
  bool pre;
  if (!asks_for(s, t->pc, &pre) || (pre && s->shared->trace)) return false;
  if (s->shared->trace)
    spref_trace_operands(s->shared->trace, t->arch, t->pc, t->mask, &s->operands);
  else
    read_operands(s, t, pre);
  s->operands.at = wf_unit_now(&s->shared->env) + 1;
  return s->sending = true;
}

/* Must the instruction be told? The RTL's answer in this cycle. A warp's ends and tests always, and
 * what follows a branch before that has acted (which no machine of ours is quick enough for). */
static bool needs(const spref_side *s, unsigned warp, ptx_pc pc) {
  const spref_ports *p = &s->port;
  const unsigned at = warp % p->need->width;
  bool pre;
  if (s->shared->code->idle[pc]) return false;
  if (s->shared->kernel->insts[pc].cls == PTX_CLASS_EXIT || asks_for(s, pc, &pre) ||
      wf_unit_now(&s->shared->env) < s->ask_from[warp])
    return true;
  spref_ports_try(p, &s->shared->code->rows[pc], at, warp, pc);
  wf_rtl_ok(s->rtl, wf_model_settle(s->rtl->model), s->shared->fault);
  return wf_port_bit(p->need, at);
}

bool spref_side_takes(spref_side *s, unsigned warp, ptx_pc pc) {
  bool pre;
  s->needs = needs(s, warp, pc);
  return !s->needs || (!s->on_port && !s->untold && wf_port_get(s->port.in_ready) &&
                       !(s->sending && asks_for(s, pc, &pre)));
}

/* Until the unit has seen what the warp does next, it holds it. */
static void note_issue(spref_side *s, unsigned warp) {
  const uint64_t bit = s->wires.waits & (uint64_t)1 << warp;
  s->issued |= bit;
  s->wires.hold |= bit;
}

/* A load that waits stays in its warp's instruction buffer until it is its turn. */
void spref_side_tell(spref_side *s, const wf_issue_told *t) {
  const spref_code *code = s->shared->code;
  if (!code->asks[t->pc]) note_issue(s, t->warp);
  const spref_told g = {.pc = t->pc, .warp = (uint8_t)t->warp, .mask = t->mask, .taken = t->taken};
  if (code->asks[t->pc]) {
    s->untold |= (uint64_t)1 << t->warp;
    s->untold_load[t->warp] = g;
    return;
  }
  if (!s->needs) {
    s->shared->left_out++;
    return;
  }
  if (s->on_port) wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: two instructions at one port");
  s->on_port = true;
  s->told = g;
  if (code->rows[t->pc].op == SPREF_OP_BRANCH)
    s->ask_from[t->warp] = wf_unit_now(&s->shared->env) + BRANCH_ACTS * s->shared->cycles_per_edge;
  s->told.counted = send_operands(s, t);
}

void spref_side_warp_end(spref_side *s, unsigned warp) {
  if (!s->on_port || s->told.warp != warp)
    wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: a warp ends without an instruction");
  s->told.last = true;
}

bool spref_side_holds(const spref_side *s, unsigned warp) {
  return (s->on_port && s->told.counted && s->told.warp == warp) ||
         wf_port_get(s->port.held) >> warp & 1;
}

void spref_side_issues(spref_side *s, unsigned warp, unsigned type,
                       const wf_issue_addresses *base) {
  const uint64_t bit = (uint64_t)1 << warp;
  s->loads = true;
  s->over = base != NULL;
  if (base) s->base = *base;
  s->load_warp = warp;
  s->load_type = type;
  s->wires.load_ready = false;
  s->wires.go &= ~bit;
  s->wires.waits |= bit; /* if it injects: seen with the next edge */
  note_issue(s, warp);
}

void spref_side_takes_offer(spref_side *s) {
  s->takes = true;
  s->wires.offered = false;
}

/* One waits at most: multiply-adds are offered three edges apart or more, a sum waits for one. */
void spref_side_sum(spref_side *s, unsigned place, const wf_issue_addresses *made) {
  if (s->is_sum) wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: a sum, and one before it waits");
  s->is_sum = true;
  s->sum_place = place;
  s->sum = *made;
}

void spref_side_done(spref_side *s, unsigned warp, unsigned reg, bool fault) {
  s->is_done = true;
  s->done_warp = warp;
  s->done_reg = reg + s->shared->code->n_names;
  s->done_failed = fault;
  s->wires.done_ready = false;
}

/* ---- one cycle at the ports ---- */

/* Of the loads that wait, the first after the warp that was last. */
static void take_untold(spref_side *s) {
  const uint64_t after = s->untold & ~(((uint64_t)2 << s->last_told) - 1);
  s->last_told = (unsigned)__builtin_ctzll(after ? after : s->untold);
  s->untold &= ~((uint64_t)1 << s->last_told);
  s->told = s->untold_load[s->last_told];
  s->on_port = true;
}

static void drive_instruction(spref_side *s) {
  const spref_ports *p = &s->port;
  if (!s->on_port && s->untold && wf_port_get(p->in_ready)) take_untold(s);
  wf_port_set(p->in_valid, 0);
  if (!s->on_port) return;
  const spref_told *g = &s->told;
  spref_ports_instruction(p, &s->shared->code->rows[g->pc], g->warp, g->pc, g->mask, g->taken);
  wf_port_set(p->in_counted, g->counted);
  wf_port_set(p->in_last, g->last);
  s->inside[wf_ring_push(&s->inside_ring, SPREF_SIDE_INSIDE)] = *g;
  s->on_port = false;
}

/* A beat of the test's operands. */
static void drive_operands(spref_side *s, uint64_t now) {
  wf_port_set(s->port.cnt_valid, 0);
  if (!s->sending || s->operands.at > now) return;
  spref_ports_operands(&s->port, &s->operands, s->beat);
  if (!wf_port_get(s->port.cnt_ready)) return;
  s->beat += s->port.cnt_mask->width;
  if (s->beat < PTX_LANES) return;
  s->beat = 0;
  s->sending = false;
}

static void drive_loads(spref_side *s) {
  const spref_ports *p = &s->port;
  wf_port_set(p->ld_valid, s->loads);
  wf_port_set(p->ld_warp, s->load_warp);
  wf_port_set(p->ld_type, s->load_type);
  wf_port_set(p->ld_over, s->loads && s->over);
  if (s->loads && s->over) spref_ports_addresses(p->ld_far, p->ld_addr, &s->base);
  wf_port_set(p->inj_ready, s->takes);
  wf_port_set(p->sum_valid, s->is_sum);
  wf_port_set(p->sum_slot, s->sum_place);
  if (s->is_sum) spref_ports_addresses(p->sum_far, p->sum_addr, &s->sum);
  wf_port_set(p->done_valid, s->is_done);
  wf_port_set(p->done_warp, s->done_warp);
  wf_port_set(p->done_reg, s->done_reg);
  wf_port_set(p->done_fault, s->done_failed);
  wf_port_set(p->issued, s->issued);
  s->loads = s->takes = s->is_done = false;
}

/* The sum goes in with this edge, or waits at the end of its pipe. */
static void take_sum(spref_side *s) {
  if (!s->is_sum) return;
  wf_rtl_ok(s->rtl, wf_model_settle(s->rtl->model), s->shared->fault);
  s->is_sum = !wf_port_get(s->port.sum_ready);
}

/* A warp whose next instruction the unit wants to know, and which has one: the first after the one
 * that was last. */
static bool find_next(const spref_side *s, unsigned *warp, ptx_pc *pc) {
  const wf_unit_env *env = &s->shared->env;
  const uint64_t want = wf_port_get(s->port.ask) | s->issued,
                 after = want & ~(((uint64_t)2 << s->last_next) - 1);
  for (unsigned pass = 0; want && pass < 2; pass++)
    for (uint64_t m = pass ? want : after; m; m &= m - 1) {
      *warp = (unsigned)__builtin_ctzll(m);
      if (env->issue_next(env->gpu, s->sm, *warp, pc)) return true;
    }
  return false;
}

static void drive_next(spref_side *s) {
  const spref_ports *p = &s->port;
  ptx_pc pc;
  const bool some = find_next(s, &s->last_next, &pc);
  wf_port_set(p->next_valid, some);
  if (!some) return;
  const spref_row *r = &s->shared->code->rows[pc];
  wf_port_set(p->next_warp, s->last_next);
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

void spref_side_see(spref_side *s) {
  const spref_ports *p = &s->port;
  wf_issue_wires *w = &s->wires;
  w->go = wf_port_get(p->go);
  w->moves = wf_port_get(p->move);
  w->hold = wf_port_get(p->hold);
  w->waits = wf_port_get(p->wait);
  w->load_ready = wf_port_get(p->ld_ready);
  w->done_ready = wf_port_get(p->done_ready);
  w->place = (unsigned)wf_port_get(p->ld_slot);
  w->offered = wf_port_get(p->inj_valid);
}

/* What the SM sees after the edge; it looks again at warps that may do more. */
static bool see(spref_side *s, wf_error *err) {
  const wf_unit_env *env = &s->shared->env;
  const wf_issue_wires was = s->wires;
  spref_side_see(s);
  const wf_issue_wires *is = &s->wires;
  if (is->offered && !read_offer(s, &s->wires.offer))
    return wf_fail(err, WF_EXIT_WRONG,
                   "spref: an injected load's register is not spare, or its "
                   "base is none");
  uint64_t look = (is->go & ~was.go) | (was.hold & ~is->hold) | (was.waits & ~is->waits);
  s->issued = 0;
  if (is->offered && !was.offered) look |= (uint64_t)1 << is->offer.warp;
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
                       .over = wf_port_get(p->out_over),
                       .mask = wf_port_word(p->out_mask)};
  if (!s->shared->code->asks[g->pc])
    return (!a.move && !a.inject) ||
           wf_fail(err, WF_EXIT_WRONG, "spref: a move or a load with `%s`",
                   ptx_inst_text(&s->shared->kernel->insts[g->pc]));
  const spref_code *code = s->shared->code;
  if ((a.move && !spare_number(code, wf_port_get(p->out_move_reg), &a.move_reg)) ||
      (a.reg_v && !spare_number(code, wf_port_get(p->out_reg), &a.reg)) ||
      (a.over && base >= code->n_names))
    return wf_fail(err, WF_EXIT_WRONG,
                   "spref: an answer names a register that is not spare, or no base");
  if (a.over) a.base = code->reg_of_name[base];
  a.own = code->rows[g->pc].imm;
  if (s->shared->trace && !spref_trace_note(s->shared->trace, s->sm, p, g->pc))
    return wf_fail(err, WF_EXIT_WRONG, "spref: a load beside what is none");
  env->issue_answer(env->gpu, s->sm, g->warp, &a);
  return true;
}

/* ---- the clock ---- */

/* Something of loads that issue or are injected goes in with the next edge. */
static bool says(const spref_side *s) {
  unsigned warp;
  ptx_pc pc;
  return s->loads || s->takes || s->is_sum || s->is_done || s->issued || find_next(s, &warp, &pc);
}

static bool comes(const spref_side *s) {
  return s->on_port || s->untold || s->sending || says(s);
}

bool spref_side_has_work(const spref_side *s) {
  return comes(s) || !wf_port_get(s->port.idle);
}

/* As the RTL says; and a warp whose next instruction it asks for may have one with the next cycle.
 */
bool spref_side_busy(const spref_side *s) {
  return comes(s) || wf_port_get(s->port.ask) || !wf_port_get(s->port.quiet);
}

/* A warp's counts act with the next edge: its branch may issue. */
static void take_counted(const spref_side *s) {
  const wf_unit_env *env = &s->shared->env;
  if (wf_port_get(s->port.counted))
    env->issue_answer(env->gpu, s->sm, (unsigned)wf_port_get(s->port.counted_warp), NULL);
}

bool spref_side_clock(spref_side *s, uint64_t now, wf_error *err) {
  drive_instruction(s);
  drive_operands(s, now);
  drive_next(s);
  drive_loads(s);
  take_sum(s);
  if (!wf_rtl_clock(s->rtl, now, err) || !see(s, err)) return false;
  take_counted(s);
  return take_answer(s, err);
}
