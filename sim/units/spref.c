/* Socket of the spare-register prefetching unit: one RTL instance per SM. It puts one instruction, one row of counts, one finished
 * prefetch and one event a cycle on the ports and hands the answers to the fabric. What is found and decided is the RTL's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"
#include "sim/ptx/loadpairs.h"
#include "sim/units/issue.h"
#include "sim/units/registry.h"
#include "sim/units/rtl_model.h"
#include "sim/units/spref_count.h"
#include "sim/units/spref_decode.h"
#include "sim/units/spref_hints.h"
#include "sim/units/spref_ports.h"
#include "sim/units/spref_trace.h"

enum { MODE_OFF, MODE_SPREF1, MODE_SPREF, MODE_CSPREF1, MODE_CSPREF, MODE_SPREF1C, MODES };
static const char *const mode_names[MODES] = {"off", "spref1", "spref", "cspref1", "cspref", "spref1c"};

static const wf_unit_parameter parameters[] = {
    {"mode", NULL, 0, MODES - 1, MODE_SPREF, "off, spref1, spref, cspref1, cspref, spref1c: by name or number"},
    {"values", NULL, 0, 1, 1, "names: 1 of values, as before allocation; 0 of architectural registers"},
    {"widen", NULL, 0, 1, 1, "indexes are followed from 32 to 64 bits: they do not wrap in a loop"},
    {"spare", NULL, 0, 32, 32, "spare registers of a thread, at most; the kernel's room may be less"},
    {"all_loads", NULL, 0, 1, 0, "of a trace: every load from global memory may be a target, not only read-only ones"},
    {"in_order", NULL, 0, 1, 0, "an injected load that waits holds its warp back"},
    {"move_latency", NULL, 0, 255, 0, "cycles from a move to its use; 0: the integer units'"},
    {"counter_bits", "CounterBits", 0, 64, 40, "width of the performance counters; 0 leaves them out"},
    {"gate", NULL, 0, 1, 1, "do not clock idle RTL; 0 clocks it always, same results"},
    {NULL, NULL, 0, 0, 0, NULL},
};

enum {
  QUEUE = 16,   /* instructions that may wait for the port before nothing issues any more */
  MESSAGES = 512,
  INSIDE = 64,
  ANSWER = 6,   /* edges from an instruction to its answer */
  DONES = 2048,
  LANES = PTX_LANES
};
enum { EV_START, EV_END, EV_KERNEL };
enum { MSG_INSTR, MSG_START, MSG_END };

typedef struct message {
  uint8_t kind, warp;
  bool taken;
  ptx_pc pc;
  uint32_t mask;
  uint64_t ready_at;
  int64_t a[LANES], b[LANES]; /* of a setp, as signed numbers of the same order and differences */
} message;

typedef struct row {
  uint8_t warp, n[LANES];
  uint64_t at;
} row;

/* What one SM's instance is told and answers. Rings: head and count. */
typedef struct side {
  wf_rtl_model rtl;
  spref_ports port;
  message *messages; /* [MESSAGES]: the first n_inside are in the RTL, instructions only */
  unsigned head, n_messages, n_inside;
  row rows[INSIDE];
  unsigned n_rows;
  struct { uint8_t warp; bool fault; } dones[DONES];
  unsigned done_head, n_dones;
  unsigned awaited;  /* instructions told for whose answer somebody waits: loads, setps */
  uint64_t empty_at; /* first cycle in which the instructions taken so far are out, had its clock never stopped */
  uint64_t in_loop;  /* warps whose last instruction was in a loop, or is not known to be outside all */
  uint8_t tests[64]; /* setps told whose answer or counts are still to come */
} side;

typedef struct spref {
  wf_unit unit;
  wf_unit_env env;
  side *sides;
  unsigned mode, spare;
  bool values, widen, gate;
  const ptx_kernel *kernel;
  spref_code *code;
  spref_trace *trace; /* not NULL: the RTL is told by it, and by nobody else */
  const char *fault;
  uint64_t clocked, left_out, kernels, skipped, no_names, no_room;
  unsigned room_least, room_most;
  wf_issue_counters book;
} spref;

/* ---- creation ---- */

static void spref_destroy(wf_unit *unit) {
  spref *m = (spref *)unit;
  for (unsigned s = m->env.n_sm; m->sides && s-- > 0;) { /* the first one owns the library */
    wf_rtl_close(&m->sides[s].rtl);
    free(m->sides[s].messages);
  }
  spref_code_free(m->code);
  spref_trace_destroy(m->trace);
  free(m->sides);
  free(m);
}

static bool read_mode(spref *m, wf_error *err) {
  const char *text = wf_options_text(m->env.options, "spref.mode");
  long number = MODE_SPREF;
  bool known = !text || (wf_parse_long(text, &number) && number >= 0 && number < MODES);
  for (int i = 0; text && i < MODES; i++)
    if (strcmp(text, mode_names[i]) == 0) known = true, number = i;
  m->mode = (unsigned)number;
  return known || wf_fail(err, WF_EXIT_BAD_INPUT, "spref.mode=%s: expected off, spref1, spref, cspref1, cspref or spref1c", text);
}

static bool open_rtl(spref *m, wf_error *err) {
  const wf_unit_env *e = &m->env;
  char fixed[64] = "";
  if (e->warps_per_sm != 48) snprintf(fixed, sizeof fixed, "NumWarp=%u", e->warps_per_sm);
  for (unsigned s = 0; s < e->n_sm; s++) {
    side *x = &m->sides[s];
    bool ok = s ? wf_rtl_clone(&x->rtl, &m->sides[0].rtl, e->seed + s, err)
                : wf_rtl_open(&x->rtl, "spare_reg_pref", "ptx", "spref", fixed, parameters, e, err);
    if (!ok || !spref_ports_bind(&x->port, &x->rtl, e->warps_per_sm, err)) return false;
    x->messages = wf_calloc(MESSAGES, sizeof *x->messages);
  }
  return true;
}

static wf_unit *spref_create(const wf_unit_env *env, wf_error *err) {
  spref *m = wf_calloc(1, sizeof *m);
  long values = 0, widen = 0, spare = 0, gate = 0, in_order, move_latency;
  m->unit.cls = &wf_unit_spref;
  m->env = *env;
  m->room_least = UINT32_MAX;
  m->sides = wf_calloc(env->n_sm, sizeof *m->sides);
  const wf_options *o = env->options;
  bool ok = wf_options_number(o, "spref.values", 0, 1, 1, &values, err) && wf_options_number(o, "spref.widen", 0, 1, 1, &widen, err) &&
            wf_options_number(o, "spref.spare", 0, WF_ISSUE_SPARE, WF_ISSUE_SPARE, &spare, err) &&
            wf_options_number(o, "spref.in_order", 0, 1, 0, &in_order, err) &&
            wf_options_number(o, "spref.move_latency", 0, 255, 0, &move_latency, err) && wf_options_number(o, "spref.gate", 0, 1, 1, &gate, err);
  m->values = values;
  m->widen = widen;
  m->spare = (unsigned)spare;
  m->gate = gate;
  if (ok && read_mode(m, err) && open_rtl(m, err)) return &m->unit;
  spref_destroy(&m->unit);
  return NULL;
}

/* Waves and recordings are of SM 0. */
static bool spref_wave(wf_unit *unit, const char *path, uint64_t from, uint64_t to, wf_error *err) {
  spref *m = (spref *)unit;
  wf_rtl_model traced = {.unit = m->sides[0].rtl.unit, .config = m->sides[0].rtl.config,
                         .overrides = wf_strdup(m->sides[0].rtl.overrides)};
  for (unsigned s = m->env.n_sm; s-- > 0;) wf_rtl_close(&m->sides[s].rtl);
  m->sides[0].rtl = traced;
  if (!wf_rtl_wave(&m->sides[0].rtl, &m->env, path, from, to, err)) return false;
  for (unsigned s = 0; s < m->env.n_sm; s++)
    if ((s && !wf_rtl_clone(&m->sides[s].rtl, &m->sides[0].rtl, m->env.seed + s, err)) || !spref_ports_bind(&m->sides[s].port, &m->sides[s].rtl, m->env.warps_per_sm, err)) return false;
  return true;
}

static wf_rtl_model *spref_rtl(wf_unit *unit) { return &((spref *)unit)->sides[0].rtl; }

static bool spref_write_register(wf_unit *unit, const char *reg, uint32_t value, wf_error *err) {
  (void)unit, (void)value;
  return wf_fail(err, WF_EXIT_BAD_INPUT, "spref: no register %s; it has none", reg);
}

/* ---- what the fabric tells ---- */

static message *new_message(spref *m, side *s, uint8_t kind, unsigned warp) {
  if (s->n_messages == MESSAGES) {
    m->fault = "more instructions wait than warps can bring";
    s->n_messages--;
  }
  message *g = &s->messages[(s->head + s->n_messages++) % MESSAGES];
  g->kind = kind;
  g->warp = (uint8_t)warp;
  return g;
}

static bool awaited(const spref *m, ptx_pc pc) { return m->code->waits[pc] || m->code->rows[pc].op == SPREF_OP_SETP; }

static void note_operands(message *g, const ptx_code *c, bool swapped, const ptx_warp *w) {
  for (unsigned l = 0; l < LANES; l++) {
    g->a[l] = spref_operand(c, &c->src[swapped], w, l);
    g->b[l] = spref_operand(c, &c->src[!swapped], w, l);
  }
}

static void spref_tell(wf_unit *unit, const wf_issue_told *t) {
  spref *m = (spref *)unit;
  side *s = &m->sides[t->sm];
  const uint64_t warp = (uint64_t)1 << t->warp;
  if (m->code->idle[t->pc] || (m->code->outside[t->pc] && !(s->in_loop & warp))) {
    m->left_out++;
    return;
  }
  s->in_loop = m->code->outside[t->pc] ? s->in_loop & ~warp : s->in_loop | warp;
  message *g = new_message(m, s, MSG_INSTR, t->warp);
  g->pc = t->pc;
  g->mask = t->mask;
  g->taken = t->taken;
  g->ready_at = t->ready_at;
  s->awaited += awaited(m, t->pc);
  const spref_row *r = &m->code->rows[t->pc];
  if (r->op != SPREF_OP_SETP) return;
  note_operands(g, m->kernel->insts[t->pc].code, r->swapped, t->arch);
  s->tests[t->warp]++;
}

static void spref_warp_start(wf_unit *unit, unsigned sm, unsigned warp) {
  spref *m = (spref *)unit;
  m->sides[sm].in_loop &= ~((uint64_t)1 << warp);
  new_message(m, &m->sides[sm], MSG_START, warp);
}

static void spref_warp_end(wf_unit *unit, unsigned sm, unsigned warp) {
  spref *m = (spref *)unit;
  new_message(m, &m->sides[sm], MSG_END, warp);
}

static bool spref_full(const wf_unit *unit, unsigned sm) {
  const side *s = &((const spref *)unit)->sides[sm];
  return s->n_messages - s->n_inside >= QUEUE;
}

static bool spref_holds_branch(const wf_unit *unit, unsigned sm, unsigned warp) {
  return ((const spref *)unit)->sides[sm].tests[warp] != 0;
}

static void spref_done(wf_unit *unit, unsigned sm, unsigned warp, bool fault) {
  spref *m = (spref *)unit;
  side *s = &m->sides[sm];
  if (s->n_dones == DONES) {
    m->fault = "more prefetches are over than were sent";
    return;
  }
  const unsigned at = (s->done_head + s->n_dones++) % DONES;
  s->dones[at].warp = (uint8_t)warp;
  s->dones[at].fault = fault;
}

static wf_issue_counters *spref_book(wf_unit *unit) { return &((spref *)unit)->book; }

/* ---- one cycle at the ports ---- */

/* The first message that is not inside: an instruction, if there is room; an event, once nothing of its warp is inside. */
static void drive_message(spref *m, side *s, uint64_t now) {
  const spref_ports *p = &s->port;
  wf_port_set(p->in_valid, 0);
  wf_port_set(p->ev_valid, 0);
  if (s->n_inside == s->n_messages) return;
  message *g = &s->messages[(s->head + s->n_inside) % MESSAGES];
  if (g->kind == MSG_INSTR) {
    wf_port_set(p->in_warp, g->warp);
    wf_port_set(p->in_pc, g->pc);
    wf_port_set(p->in_mask, g->mask);
    wf_port_set(p->in_taken, g->taken);
    spref_ports_row(p, &m->code->rows[g->pc]);
    wf_port_set(p->in_valid, 1);
    if (!wf_port_get(p->in_ready)) return;
    s->n_inside++;
    s->empty_at = now + ANSWER;
    return;
  }
  if (now < s->empty_at || s->tests[g->warp]) return; /* events leave the ring at its head */
  wf_port_set(p->ev_valid, 1);
  wf_port_set(p->ev_kind, g->kind == MSG_START ? EV_START : EV_END);
  wf_port_set(p->ev_warp, g->warp);
  s->head = (s->head + 1) % MESSAGES;
  s->n_messages--;
}

static int drive_counts(side *s, uint64_t now) {
  wf_port_set(s->port.cnt_valid, 0);
  for (unsigned i = 0; i < s->n_rows; i++) {
    const row *r = &s->rows[i];
    if (r->at > now) continue;
    uint32_t words[LANES / 8] = {0};
    for (unsigned l = 0; l < LANES; l++) words[l / 8] |= (uint32_t)r->n[l] << (l % 8 * 4);
    wf_port_set(s->port.cnt_valid, 1);
    wf_port_set(s->port.cnt_warp, r->warp);
    wf_port_write(s->port.cnt_row, 0, 4 * LANES, words);
    const int warp = r->warp;
    s->tests[warp]--;
    memmove(&s->rows[i], &s->rows[i + 1], (--s->n_rows - i) * sizeof *s->rows);
    return warp;
  }
  return -1;
}

static void drive_done(side *s) {
  wf_port_set(s->port.done_valid, s->n_dones > 0);
  if (!s->n_dones) return;
  wf_port_set(s->port.done_warp, s->dones[s->done_head].warp);
  wf_port_set(s->port.done_fault, s->dones[s->done_head].fault);
  s->done_head = (s->done_head + 1) % DONES;
  s->n_dones--;
}

static bool spare_number(const spref *m, uint64_t name, uint8_t *number) {
  *number = (uint8_t)(name - m->code->n_names);
  return name >= m->code->n_names && name - m->code->n_names < WF_ISSUE_SPARE;
}

static bool ask(spref *m, side *s, const message *g, wf_error *err) {
  const spref_ports *p = &s->port;
  const spref_question q = {.cmp = (unsigned)wf_port_get(p->out_cmp), .shift = (unsigned)wf_port_get(p->out_shift),
                      .swap = wf_port_get(p->out_swap), .down = wf_port_get(p->out_down)};
  const ptx_code *c = m->kernel->insts[g->pc].code;
  if (m->code->rows[g->pc].op != SPREF_OP_SETP || s->n_rows == INSIDE)
    return wf_fail(err, WF_EXIT_WRONG, "spref: counts asked of `%s`, which is no test", ptx_inst_text(&m->kernel->insts[g->pc]));
  row *r = &s->rows[s->n_rows++];
  *r = (row){.warp = g->warp, .at = g->ready_at};
  for (unsigned l = 0; l < LANES; l++)
    if (g->mask >> l & 1) r->n[l] = (uint8_t)spref_count(c, q.swap ? g->b[l] : g->a[l], q.swap ? g->a[l] : g->b[l], &q);
  return true;
}

/* An answer is on the port; it goes with the next edge. */
static bool take_answer(spref *m, unsigned sm, wf_error *err) {
  side *s = &m->sides[sm];
  const spref_ports *p = &s->port;
  if (!wf_port_get(p->out_valid)) return true;
  const message *g = &s->messages[s->head];
  if (!s->n_inside || wf_port_get(p->out_warp) != g->warp) return wf_fail(err, WF_EXIT_WRONG, "spref: an answer to what was not asked");
  s->head = (s->head + 1) % MESSAGES;
  s->n_messages--;
  s->n_inside--;
  s->awaited -= awaited(m, g->pc);
  const bool asked = wf_port_get(p->out_ask);
  if (asked && !ask(m, s, g, err)) return false;
  if (m->code->rows[g->pc].op == SPREF_OP_SETP && !asked && !--s->tests[g->warp]) m->env.issue_answer(m->env.gpu, sm, g->warp, NULL);
  wf_issue_answer a = {.move = wf_port_get(p->out_move), .inject = (uint8_t)wf_port_get(p->out_inject)};
  if (!m->code->waits[g->pc])
    return (!a.move && !a.inject) ||
           wf_fail(err, WF_EXIT_WRONG, "spref: a move or a load with `%s`", ptx_inst_text(&m->kernel->insts[g->pc]));
  bool fine = !a.move || spare_number(m, wf_port_get(p->out_move_reg), &a.move_reg);
  if (a.inject) {
    a.reg_v = wf_port_get(p->out_reg_v);
    a.base_v = wf_port_get(p->out_base_v);
    fine = fine && (!a.reg_v || spare_number(m, wf_port_get(p->out_reg), &a.reg));
    fine = fine && (a.inject != WF_INJECT_TAIL || spare_number(m, wf_port_get(p->out_index), &a.index));
    const uint64_t base = wf_port_get(p->out_base);
    fine = fine && (!a.base_v || base < m->code->n_names);
    a.base = a.base_v && fine ? m->code->reg_of_name[base] : 0;
    a.scale = (uint8_t)wf_port_get(p->out_scale);
    a.ext = (uint8_t)wf_port_get(p->out_ext);
    a.offset = (int32_t)((uint32_t)wf_port_get(p->out_offset) << 13) >> 13;
    a.mask = (uint32_t)wf_port_get(p->out_mask);
  }
  if (!fine) return wf_fail(err, WF_EXIT_WRONG, "spref: an answer names a register that is not spare, or no base");
  m->env.issue_answer(m->env.gpu, sm, g->warp, &a);
  return true;
}

/* Something is inside, or will be. */
static bool has_work(const side *s) { return s->n_messages || s->n_rows || s->n_dones || !wf_port_get(s->port.idle); }

static bool row_due(const side *s, uint64_t now) {
  for (unsigned i = 0; i < s->n_rows; i++)
    if (s->rows[i].at <= now) return true;
  return false;
}

/* Its clock may stop while nothing comes and nobody waits for what is inside: inputs keep their order, and each acts a fixed number
 * of edges after it was taken. Not while a table is being made: that takes edges of its own. */
static bool needs_edge(const side *s, uint64_t now) {
  if (s->n_messages > s->n_inside || s->n_dones || s->awaited || row_due(s, now)) return true;
  return s->n_inside ? !wf_port_get(s->port.live) : !wf_port_get(s->port.idle);
}

/* Before an event: what would be out by now comes out. */
static bool catch_up(spref *m, unsigned sm, wf_error *err) {
  side *s = &m->sides[sm];
  wf_port_set(s->port.in_valid, 0);
  wf_port_set(s->port.ev_valid, 0);
  wf_port_set(s->port.cnt_valid, 0);
  wf_port_set(s->port.done_valid, 0);
  while (s->n_inside) {
    m->clocked++;
    if (!wf_rtl_edge(&s->rtl, err) || !take_answer(m, sm, err)) return false;
  }
  return true;
}

static bool event_next(const side *s) {
  return s->n_messages > s->n_inside && s->messages[(s->head + s->n_inside) % MESSAGES].kind != MSG_INSTR;
}

static bool clock_side(spref *m, unsigned sm, uint64_t now, wf_error *err) {
  side *s = &m->sides[sm];
  if (s->n_inside && now >= s->empty_at && event_next(s) && !catch_up(m, sm, err)) return false;
  drive_message(m, s, now);
  const int counted = drive_counts(s, now);
  drive_done(s);
  m->clocked++;
  wf_model_set_cycle(s->rtl.model, now);
  if (!wf_rtl_edge(&s->rtl, err)) return false;
  if (counted >= 0 && !s->tests[counted]) m->env.issue_answer(m->env.gpu, sm, (unsigned)counted, NULL);
  return take_answer(m, sm, err);
}

static bool spref_tick(wf_unit *unit, wf_error *err) {
  spref *m = (spref *)unit;
  if (m->fault) return wf_fail(err, WF_EXIT_WRONG, "spref: %s", m->fault);
  if (m->trace) return true;
  const uint64_t now = m->env.cycle(m->env.gpu);
  for (unsigned k = 0; k < m->env.n_sm; k++)
    if ((!m->gate || needs_edge(&m->sides[k], now)) && !clock_side(m, k, now, err)) return false;
  return true;
}

/* A warp's end brings the rest out. */
static bool spref_idle(const wf_unit *unit) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->env.n_sm && !m->trace; k++)
    if (m->gate ? m->sides[k].n_rows || needs_edge(&m->sides[k], 0) : has_work(&m->sides[k])) return false;
  return true;
}

/* ---- kernels ---- */

/* Between kernels, in time that the fabric does not count: a real launch takes far longer. */
static bool rest(spref *m, side *s) {
  wf_error err = {0};
  for (unsigned i = 0; i < 10000; i++) {
    if (!wf_rtl_edge(&s->rtl, &err)) return false;
    wf_port_set(s->port.ev_valid, 0);
    if (wf_port_get(s->port.idle)) return true;
  }
  (void)m;
  return false;
}

static bool send_hint(side *s, const spref_hint *h) {
  wf_error err = {0};
  const spref_ports *p = &s->port;
  spref_ports_hint(p, h);
  wf_port_set(p->hint_valid, 1);
  bool taken = false;
  for (unsigned i = 0; i < 1000 && !taken; i++) {
    taken = wf_port_get(p->hint_ready);
    if (!wf_rtl_edge(&s->rtl, &err)) return false;
  }
  wf_port_set(p->hint_valid, 0);
  return taken;
}

static bool send_hints(side *s, const spref_hint *hints, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if (!send_hint(s, &hints[i])) return false;
  return true;
}

static void set_levels(const spref *m, side *s, unsigned spare) {
  const spref_ports *p = &s->port;
  const bool hints = m->mode == MODE_CSPREF1 || m->mode == MODE_CSPREF;
  wf_port_set(p->en, 1);
  wf_port_set(p->hints_on, hints);
  wf_port_set(p->distance, m->mode == MODE_SPREF || m->mode == MODE_CSPREF ? 0 : 1);
  wf_port_set(p->cache_only, m->mode == MODE_SPREF1C);
  wf_port_set(p->widen, m->widen);
  wf_port_set(p->max_s, m->code->n_names);
  wf_port_set(p->max_d, m->code->n_names + spare);
}

/* False: the compiler's form has no table for this kernel. */
static bool start_rtl(spref *m, unsigned spare) {
  spref_hint hints[SPREF_HINTS_MOST];
  ptx_pairs *pairs = m->mode == MODE_CSPREF1 || m->mode == MODE_CSPREF ? ptx_find_pairs(m->kernel) : NULL;
  const unsigned n_hints = pairs ? spref_make_hints(m->code, pairs, hints) : 0;
  bool fine = true;
  for (unsigned i = 0; i < n_hints; i++)
    if (hints[i].kind == SPREF_H_PRE) m->code->outside[hints[i].pc] = false;
  for (unsigned k = 0; k < m->env.n_sm && fine; k++) {
    side *s = &m->sides[k];
    s->empty_at = s->in_loop = 0;
    wf_port_set(s->port.in_valid, 0);
    wf_port_set(s->port.cnt_valid, 0);
    wf_port_set(s->port.done_valid, 0);
    wf_port_set(s->port.ev_valid, 1);
    wf_port_set(s->port.ev_kind, EV_KERNEL);
    fine = rest(m, s);
    set_levels(m, s, spare);
    fine = fine && rest(m, s) && send_hints(s, hints, n_hints) && rest(m, s);
  }
  ptx_pairs_destroy(pairs);
  if (!fine) m->fault = "the RTL does not come to rest after a kernel's start";
  return !pairs || n_hints;
}

static const bool *spref_kernel_start(wf_unit *unit, const ptx_kernel *kernel, unsigned spare) {
  spref *m = (spref *)unit;
  if (m->kernel != kernel) {
    spref_code_free(m->code);
    m->code = spref_decode(kernel, m->values);
    m->kernel = kernel;
  }
  if (spare > m->spare) spare = m->spare;
  if (spare + m->code->n_names > SPREF_NAMES) m->code->fits = false;
  m->no_names += !m->code->fits && m->code->loops;
  if (m->mode == MODE_OFF || !m->code->fits || !m->code->loops) return m->skipped++, NULL;
  m->no_room += spare == 0;
  if (spare < m->room_least) m->room_least = spare;
  if (spare > m->room_most) m->room_most = spare;
  m->kernels++;
  if (!start_rtl(m, spare)) {
    m->kernels--;
    m->skipped++;
    return NULL;
  }
  return m->code->waits;
}

static bool spref_kernel_end(wf_unit *unit, wf_error *err) {
  const spref *m = (const spref *)unit;
  for (unsigned k = 0; k < m->env.n_sm && !m->trace; k++)
    if (has_work(&m->sides[k])) return wf_fail(err, WF_EXIT_WRONG, "spref: SM %u's instance holds instructions after the kernel", k);
  return true;
}

/* ---- traces ---- */

spref_trace *spref_of_trace(wf_unit *unit, wf_error *err) {
  spref *m = (spref *)unit;
  long all = 0;
  if (m->trace) return m->trace;
  if (m->mode == MODE_CSPREF1 || m->mode == MODE_CSPREF)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "--unit spref: spref.mode=%s: a trace comes without a compiler's table: expected off, spref1, spref or spref1c", mode_names[m->mode]), NULL;
  if (!wf_options_number(m->env.options, "spref.all_loads", 0, 1, 0, &all, err)) return NULL;
  const spref_trace_levels levels = {.on = m->mode != MODE_OFF, .distance = m->mode != MODE_SPREF, .spare = m->spare, .widen = m->widen, .cache_only = m->mode == MODE_SPREF1C, .all_loads = all};
  wf_rtl_model **rtl = wf_calloc(m->env.n_sm, sizeof *rtl);
  for (unsigned k = 0; k < m->env.n_sm; k++) rtl[k] = &m->sides[k].rtl;
  m->trace = spref_trace_create(&m->env, rtl, &levels, err);
  free(rtl);
  return m->trace;
}

/* ---- reports ---- */

static void socket_counters(const spref *m, wf_counter_fn each, void *user) {
  const wf_issue_counters *b = &m->book;
  each(user, "kernels", (double)m->kernels);
  each(user, "kernels_left_out", (double)m->skipped);
  each(user, "kernels_without_names", (double)m->no_names);
  each(user, "kernels_without_room", (double)m->no_room);
  each(user, "spare_least", m->kernels ? m->room_least : 0);
  each(user, "spare_most", m->room_most);
  each(user, "clocked_cycles", (double)m->clocked);
  each(user, "left_out", (double)m->left_out);
  each(user, "replaced", (double)b->replaced);
  each(user, "replaced_lanes", (double)b->replaced_lanes);
  each(user, "late", (double)b->late);
  each(user, "late_cycles", (double)b->late_cycles);
  each(user, "sent", (double)b->injected);
  each(user, "sent_lanes", (double)b->injected_lanes);
  each(user, "sent_to_cache", (double)b->injected_cache);
  each(user, "address_adds", (double)b->adds);
  each(user, "address_add_lanes", (double)b->add_lanes);
  each(user, "operands_read", (double)b->register_reads);
  each(user, "operands_written", (double)b->register_writes);
  each(user, "useless", (double)b->useless);
  each(user, "prefetch_faults", (double)b->faults);
  each(user, "answer_waits", (double)b->answer_waits);
  each(user, "full_cycles", (double)b->full_cycles);
}

static void spref_counters(wf_unit *unit, wf_counter_fn each, void *user) {
  spref *m = (spref *)unit;
  if (!m->trace) socket_counters(m, each, user);
  const size_t n = wf_model_counter_count(m->sides[0].rtl.model);
  uint64_t *sum = wf_calloc(n + 1, sizeof *sum);
  for (unsigned k = 0; k < m->env.n_sm; k++) {
    const side *s = &m->sides[k];
    wf_port_set(s->port.in_valid, 0);
    wf_port_set(s->port.cnt_valid, 0);
    wf_port_set(s->port.done_valid, 0);
    wf_port_set(s->port.ev_valid, 0);
    wf_port_set(s->port.snapshot, 1);
    wf_rtl_edge(&m->sides[k].rtl, NULL);
    wf_port_set(s->port.snapshot, 0);
    for (unsigned i = 0; i < n; i++) {
      wf_port_set(s->port.index, i);
      wf_model_settle(s->rtl.model);
      sum[i] += wf_port_get(s->port.value);
    }
  }
  for (unsigned i = 0; i < n; i++) each(user, wf_model_counter_name(m->sides[0].rtl.model, i), (double)sum[i]);
  free(sum);
}

static size_t spref_describe(const wf_unit *unit, char *text, size_t bytes) {
  const spref *m = (const spref *)unit;
  size_t n = 0;
  for (unsigned k = 0; k < m->env.n_sm && n < bytes; k++) {
    const side *s = &m->sides[k];
    if (has_work(s))
      n += (size_t)snprintf(text + n, bytes - n, "spref of SM %u: %u instructions wait, %u inside, %u counts, %u done\n", k,
                            s->n_messages - s->n_inside, s->n_inside, s->n_rows, s->n_dones);
  }
  return n < bytes ? n : bytes;
}

static const wf_issue_ops issue_ops = {
    .kernel_start = spref_kernel_start,
    .warp_start = spref_warp_start,
    .warp_end = spref_warp_end,
    .tell = spref_tell,
    .full = spref_full,
    .holds_branch = spref_holds_branch,
    .done = spref_done,
    .book = spref_book,
};

const wf_unit_class wf_unit_spref = {
    .name = "spref",
    .summary = "prefetching into spare registers: loads of index and target for later iterations, moves in the loads' place",
    .create = spref_create,
    .destroy = spref_destroy,
    .write_register = spref_write_register,
    .tick = spref_tick,
    .idle = spref_idle,
    .kernel_end = spref_kernel_end,
    .counters = spref_counters,
    .describe = spref_describe,
    .wave = spref_wave,
    .rtl = spref_rtl,
    .parameters = parameters,
    .issue_stage = &issue_ops,
};
