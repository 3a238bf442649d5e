#include "sim/units/spref/spref_side.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"

void spref_side_init(spref_side *s, spref_shared *shared, unsigned sm) {
  s->shared = shared;
  s->sm = sm;
}

/* ---- what the fabric tells ---- */

static bool awaited(const spref_side *s, const spref_told *g) {
  return s->shared->code->waits[g->pc] || g->counted || g->last;
}

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

/* The loop's test, or the one before it: from the next cycle on its operands go to the unit, as the
 * SM's collector holds them. */
static bool send_operands(spref_side *s, const wf_issue_told *t) {
  bool pre;
  if (!asks_for(s, t->pc, &pre)) return false;
  spref_operands *o = &s->operands;
  const ptx_code *c = s->shared->kernel->insts[t->pc].code;
  const bool swapped = s->shared->code->rows[t->pc].swapped;
  *o = (spref_operands){.warp = (uint8_t)t->warp,
                        .pre = pre,
                        .wide = c->src[swapped].wide,
                        .sign = ptx_type_kind((ptx_type)c->type) == 's',
                        .mask = t->mask,
                        .at = wf_unit_now(&s->shared->env) + 1};
  for (unsigned l = 0; l < PTX_LANES; l++) {
    o->a[l] = operand(&c->src[swapped], t->arch, l);
    o->b[l] = operand(&c->src[!swapped], t->arch, l);
  }
  return s->sending = true;
}

bool spref_side_takes(const spref_side *s, ptx_pc pc) {
  bool pre;
  return s->shared->code->idle[pc] || (!s->on_port && !s->offers && wf_port_get(s->port.in_ready) &&
                                       !(s->sending && asks_for(s, pc, &pre)));
}

/* A load that waits stays in its warp's instruction buffer until it is its turn. */
void spref_side_tell(spref_side *s, const wf_issue_told *t) {
  const spref_code *code = s->shared->code;
  const spref_told g = {.pc = t->pc, .warp = (uint8_t)t->warp, .mask = t->mask, .taken = t->taken};
  if (code->waits[t->pc]) {
    s->offers |= (uint64_t)1 << t->warp;
    s->offered[t->warp] = g;
    return;
  }
  if (code->idle[t->pc]) {
    s->shared->left_out++;
    return;
  }
  if (s->on_port) wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: two instructions at one port");
  s->on_port = true;
  s->told = g;
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

void spref_side_fault(spref_side *s, unsigned warp) {
  s->faults |= (uint64_t)1 << warp;
}

/* ---- one cycle at the ports ---- */

/* Of the loads that wait, the first after the warp that was last. */
static void take_offer(spref_side *s) {
  const uint64_t after = s->offers & ~(((uint64_t)2 << s->last_offer) - 1);
  s->last_offer = (unsigned)__builtin_ctzll(after ? after : s->offers);
  s->offers &= ~((uint64_t)1 << s->last_offer);
  s->told = s->offered[s->last_offer];
  s->on_port = true;
}

static void drive_instruction(spref_side *s) {
  const spref_ports *p = &s->port;
  if (!s->on_port && s->offers && wf_port_get(p->in_ready)) take_offer(s);
  wf_port_set(p->in_valid, 0);
  if (!s->on_port) return;
  const spref_told *g = &s->told;
  spref_ports_instruction(p, &s->shared->code->rows[g->pc], g->warp, g->pc, g->mask, g->taken);
  wf_port_set(p->in_counted, g->counted);
  wf_port_set(p->in_last, g->last);
  s->inside[wf_ring_push(&s->inside_ring, SPREF_SIDE_INSIDE)] = *g;
  s->awaited += awaited(s, g);
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

static void drive_fault(spref_side *s) {
  wf_port_set(s->port.fault_valid, s->faults != 0);
  if (!s->faults) return;
  wf_port_set(s->port.fault_warp, (unsigned)__builtin_ctzll(s->faults));
  s->faults &= s->faults - 1;
}

/* ---- answers ---- */

static bool spare_number(const spref_code *code, uint64_t name, uint8_t *number) {
  *number = (uint8_t)(name - code->n_names);
  return name >= code->n_names && name - code->n_names < WF_ISSUE_SPARE;
}

/* The injected load, in the fabric's terms. False: it names a register that it must not. */
static bool read_injected(const spref_side *s, wf_issue_answer *a) {
  const spref_ports *p = &s->port;
  const spref_code *code = s->shared->code;
  a->reg_v = wf_port_get(p->out_reg_v);
  a->base_v = wf_port_get(p->out_base_v);
  bool fine = !a->reg_v || spare_number(code, wf_port_get(p->out_reg), &a->reg);
  fine = fine &&
         (a->inject != WF_INJECT_TAIL || spare_number(code, wf_port_get(p->out_index), &a->index));
  const uint64_t base = wf_port_get(p->out_base);
  fine = fine && (!a->base_v || base < code->n_names);
  a->base = a->base_v && fine ? code->reg_of_name[base] : 0;
  a->scale = (uint8_t)wf_port_get(p->out_scale);
  a->ext = (uint8_t)wf_port_get(p->out_ext);
  a->offset = spref_ports_offset(p);
  a->mask = wf_port_word(p->out_mask);
  return fine;
}

/* An answer is on the port; it goes with the next edge. */
static bool take_answer(spref_side *s, wf_error *err) {
  const spref_ports *p = &s->port;
  const wf_unit_env *env = &s->shared->env;
  if (!wf_port_get(p->out_valid)) return true;
  if (!s->inside_ring.count || wf_port_get(p->out_warp) != s->inside[s->inside_ring.head].warp)
    return wf_fail(err, WF_EXIT_WRONG, "spref: an answer to what was not asked");
  const spref_told *g = &s->inside[wf_ring_pop(&s->inside_ring, SPREF_SIDE_INSIDE)];
  s->awaited -= awaited(s, g);
  wf_issue_answer a = {.move = wf_port_get(p->out_move),
                       .inject = (uint8_t)wf_port_get(p->out_inject)};
  if (!s->shared->code->waits[g->pc])
    return (!a.move && !a.inject) ||
           wf_fail(err, WF_EXIT_WRONG, "spref: a move or a load with `%s`",
                   ptx_inst_text(&s->shared->kernel->insts[g->pc]));
  const bool fine =
      (!a.move || spare_number(s->shared->code, wf_port_get(p->out_move_reg), &a.move_reg)) &&
      (!a.inject || read_injected(s, &a));
  if (!fine)
    return wf_fail(err, WF_EXIT_WRONG,
                   "spref: an answer names a register that is not spare, or no base");
  env->issue_answer(env->gpu, s->sm, g->warp, &a);
  return true;
}

/* ---- the clock ---- */

bool spref_side_has_work(const spref_side *s) {
  return s->on_port || s->offers || s->sending || s->faults || !wf_port_get(s->port.idle);
}

/* Inputs keep their order, and each acts a fixed number of edges after it was taken: so it may stop
 * while nothing comes and nobody waits for what is inside. Not while a table is being made: that
 * takes edges of its own. */
bool spref_side_needs_edge(const spref_side *s) {
  if (!s->shared->gate || s->on_port || s->offers || s->sending || s->faults || s->awaited ||
      wf_port_get(s->port.held) || wf_port_get(s->port.counted))
    return true;
  return s->inside_ring.count ? !wf_port_get(s->port.live) : !wf_port_get(s->port.idle);
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
  drive_fault(s);
  if (!wf_rtl_clock(s->rtl, now, err)) return false;
  take_counted(s);
  return take_answer(s, err);
}
