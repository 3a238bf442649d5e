#include "sim/units/spref/spref_side.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"

enum {
  QUEUE = 16, /* instructions that may wait for the port before nothing issues any more */
  MESSAGES = 512,
  ANSWER = 6 /* edges from an instruction to its answer */
};

struct spref_message {
  bool instr, taken;
  uint8_t event, warp; /* event: spref_event_kind, if it is no instruction */
  ptx_pc pc;
  uint32_t mask;
  bool counted; /* a test: its operands go to the unit */
};

void spref_side_init(spref_side *s, spref_shared *shared, unsigned sm) {
  s->shared = shared;
  s->sm = sm;
  s->messages = wf_calloc(MESSAGES, sizeof *s->messages);
}

void spref_side_free(spref_side *s) {
  free(s->messages);
}

void spref_side_kernel_start(spref_side *s) {
  s->empty_at = 0;
}

/* ---- what the fabric tells ---- */

static spref_message *message_at(const spref_side *s, unsigned i) {
  return &s->messages[wf_ring_at(&s->message_ring, i, MESSAGES)];
}

static spref_message *new_message(spref_side *s, unsigned warp) {
  if (s->message_ring.count == MESSAGES) {
    wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: more instructions wait than warps can bring");
    s->message_ring.count--;
  }
  spref_message *g = &s->messages[wf_ring_push(&s->message_ring, MESSAGES)];
  g->warp = (uint8_t)warp;
  return g;
}

static void drop_message(spref_side *s) {
  wf_ring_pop(&s->message_ring, MESSAGES);
}

static bool awaited(const spref_side *s, const spref_message *g) {
  return s->shared->code->waits[g->pc] || g->counted;
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

/* The loop's test, or the one before it: what it reads goes to the unit as it is executed. */
static bool send_operands(spref_side *s, const wf_issue_told *t) {
  const spref_ports *p = &s->port;
  const bool pre = wf_port_get(p->pre_v) && wf_port_word(p->pre_pc) == t->pc;
  if (!pre && !(wf_port_get(p->test_v) && wf_port_word(p->test_pc) == t->pc)) return false;
  if (s->operand_ring.count == SPREF_SIDE_OPERANDS)
    return wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: more tests wait than warps can bring");
  spref_operands *o = &s->operands[wf_ring_push(&s->operand_ring, SPREF_SIDE_OPERANDS)];
  const ptx_code *c = s->shared->kernel->insts[t->pc].code;
  const bool swapped = s->shared->code->rows[t->pc].swapped;
  *o = (spref_operands){.warp = (uint8_t)t->warp,
                        .pre = pre,
                        .wide = c->src[swapped].wide,
                        .sign = ptx_type_kind((ptx_type)c->type) == 's',
                        .mask = t->mask,
                        .at = t->ready_at};
  for (unsigned l = 0; l < PTX_LANES; l++) {
    o->a[l] = operand(&c->src[swapped], t->arch, l);
    o->b[l] = operand(&c->src[!swapped], t->arch, l);
  }
  return true;
}

void spref_side_tell(spref_side *s, const wf_issue_told *t) {
  const spref_code *code = s->shared->code;
  if (code->idle[t->pc]) {
    s->shared->left_out++;
    return;
  }
  spref_message *g = new_message(s, t->warp);
  g->instr = true;
  g->pc = t->pc;
  g->mask = t->mask;
  g->taken = t->taken;
  g->counted = code->rows[t->pc].op == SPREF_OP_SETP && send_operands(s, t);
  s->awaited += awaited(s, g);
  if (!g->counted) return;
  s->tests[t->warp]++;
  s->n_tests++;
}

void spref_side_warp(spref_side *s, spref_event_kind kind, unsigned warp) {
  spref_message *g = new_message(s, warp);
  g->instr = g->counted = false;
  g->event = (uint8_t)kind;
}

void spref_side_done(spref_side *s, unsigned warp, bool fault) {
  if (s->done_ring.count == SPREF_SIDE_DONES) {
    wf_fail(s->shared->fault, WF_EXIT_WRONG, "spref: more prefetches are over than were sent");
    return;
  }
  const unsigned at = wf_ring_push(&s->done_ring, SPREF_SIDE_DONES);
  s->dones[at].warp = (uint8_t)warp;
  s->dones[at].fault = fault;
}

bool spref_side_full(const spref_side *s) {
  return s->message_ring.count - s->n_inside >= QUEUE;
}

/* ---- one cycle at the ports ---- */

/* The first message that is not inside: an instruction, if there is room; an event, once nothing of
 * its warp is inside. */
static void drive_message(spref_side *s, uint64_t now) {
  const spref_ports *p = &s->port;
  wf_port_set(p->in_valid, 0);
  wf_port_set(p->ev_valid, 0);
  if (s->n_inside == s->message_ring.count) return;
  const spref_message *g = message_at(s, s->n_inside);
  if (g->instr) {
    spref_ports_instruction(p, &s->shared->code->rows[g->pc], g->warp, g->pc, g->mask, g->taken);
    wf_port_set(p->in_counted, g->counted);
    if (!wf_port_get(p->in_ready)) return;
    s->n_inside++;
    s->empty_at = now + ANSWER;
    return;
  }
  if (now < s->empty_at || s->tests[g->warp]) return; /* events leave the ring at its head */
  spref_ports_event(p, g->event, g->warp);
  drop_message(s);
}

/* A beat of the oldest operands. */
static void drive_operands(spref_side *s, uint64_t now) {
  wf_port_set(s->port.cnt_valid, 0);
  if (!s->operand_ring.count) return;
  const spref_operands *o = &s->operands[wf_ring_at(&s->operand_ring, 0, SPREF_SIDE_OPERANDS)];
  if (o->at > now) return;
  spref_ports_operands(&s->port, o, s->beat);
  if (!wf_port_get(s->port.cnt_ready)) return;
  s->beat += s->port.cnt_mask->width;
  if (s->beat < PTX_LANES) return;
  s->beat = 0;
  wf_ring_pop(&s->operand_ring, SPREF_SIDE_OPERANDS);
}

static void drive_done(spref_side *s) {
  wf_port_set(s->port.done_valid, s->done_ring.count > 0);
  if (!s->done_ring.count) return;
  const unsigned at = wf_ring_pop(&s->done_ring, SPREF_SIDE_DONES);
  wf_port_set(s->port.done_warp, s->dones[at].warp);
  wf_port_set(s->port.done_fault, s->dones[at].fault);
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
  const spref_message *g = message_at(s, 0);
  if (!s->n_inside || wf_port_get(p->out_warp) != g->warp)
    return wf_fail(err, WF_EXIT_WRONG, "spref: an answer to what was not asked");
  drop_message(s);
  s->n_inside--;
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
  return s->message_ring.count || s->n_tests || s->done_ring.count || !wf_port_get(s->port.idle);
}

/* Inputs keep their order, and each acts a fixed number of edges after it was taken: so it may stop
 * while nothing comes and nobody waits for what is inside. Not while a table is being made: that
 * takes edges of its own. */
bool spref_side_needs_edge(const spref_side *s) {
  if (!s->shared->gate || s->message_ring.count > s->n_inside || s->done_ring.count || s->awaited ||
      s->n_tests || wf_port_get(s->port.counted))
    return true;
  return s->n_inside ? !wf_port_get(s->port.live) : !wf_port_get(s->port.idle);
}

/* A warp's counts act with the next edge: its branch may issue. */
static void take_counted(spref_side *s) {
  const wf_unit_env *env = &s->shared->env;
  if (!wf_port_get(s->port.counted)) return;
  const unsigned warp = (unsigned)wf_port_get(s->port.counted_warp);
  s->n_tests--;
  if (!--s->tests[warp]) env->issue_answer(env->gpu, s->sm, warp, NULL);
}

/* Before an event: what would be out by now comes out. */
static bool catch_up(spref_side *s, wf_error *err) {
  spref_ports_rest(&s->port);
  while (s->n_inside) {
    if (!wf_rtl_edge(s->rtl, err)) return false;
    take_counted(s);
    if (!take_answer(s, err)) return false;
  }
  return true;
}

static bool event_next(const spref_side *s) {
  return s->message_ring.count > s->n_inside && !message_at(s, s->n_inside)->instr;
}

bool spref_side_clock(spref_side *s, uint64_t now, wf_error *err) {
  if (s->n_inside && now >= s->empty_at && event_next(s) && !catch_up(s, err)) return false;
  drive_message(s, now);
  drive_operands(s, now);
  drive_done(s);
  if (!wf_rtl_clock(s->rtl, now, err)) return false;
  take_counted(s);
  return take_answer(s, err);
}
