#include "sim/units/spref/spref_trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"
#include "sim/units/spref/spref_sass.h"

enum { INSIDE = 16, PATIENCE = 10000, FAR_AHEAD = 1 << 16, COUNT_MOST = 15 };
enum { HEAD = 1, TAIL = 2 };

typedef struct told {
  ptx_pc pc;
  unsigned warp;
} told;

typedef struct side {
  wf_rtl *rtl;
  spref_ports port;
  told inside[INSIDE]; /* without an answer, oldest first */
  unsigned n_inside;
  ptx_pc
      head_of[SPREF_NAMES]; /* of each spare register: the head-load that was prefetched into it */
} side;

/* What was found of a load. */
typedef struct finding {
  uint8_t role;
  ptx_pc head; /* of a tail */
  uint8_t scale, ext;
  bool base_v;
  uint16_t base;
  int32_t offset; /* of a head: step times distance, and its own */
  uint64_t executed, lanes, moves, injected;
} finding;

typedef struct kernel {
  const wf_trace_program *program;
  spref_sass *sass;
  finding *found; /* [n_insts] */
} kernel;

struct spref_trace {
  wf_warp_source source; /* first */
  wf_warp_source *from;
  wf_unit_env env;
  spref_levels levels;
  unsigned spare;
  bool all_loads, timed;
  side *sides;
  kernel *kernels;
  unsigned n_kernels;
  kernel *now; /* NULL: nothing is told of the launch */
  uint64_t told_instructions, *edges;
  wf_error error; /* found where none can be returned */
};

/* ---- life ---- */

void spref_trace_destroy(spref_trace *t) {
  if (!t) return;
  for (unsigned k = 0; k < t->n_kernels; k++) {
    spref_sass_free(t->kernels[k].sass);
    free(t->kernels[k].found);
  }
  free(t->kernels);
  free(t->sides);
  free(t);
}

/* ---- the RTL ---- */

static bool fail(spref_trace *t, const char *what) {
  return t->error.code ? false : wf_fail(&t->error, WF_EXIT_WRONG, "spref: %s", what);
}

/* What the answer on the ports says of the load at pc. False: it cannot be. */
static bool note(kernel *k, side *s, const spref_ports *p, ptx_pc pc) {
  finding *f = &k->found[pc];
  const unsigned role = wf_port_word(p->out_inject);
  f->moves += wf_port_get(p->out_move);
  if (!role) return true;
  if (k->sass->code->rows[pc].op != SPREF_OP_LOAD) return false;
  f->role = (uint8_t)role;
  f->injected++;
  f->base_v = wf_port_get(p->out_base_v);
  f->base = k->sass->code->reg_of_name[wf_port_get(p->out_base)];
  f->offset = spref_ports_offset(p->out_offset);
  if (role == HEAD && wf_port_get(p->out_reg_v)) s->head_of[wf_port_get(p->out_reg)] = pc;
  if (role == TAIL) {
    f->head = s->head_of[wf_port_get(p->out_index)];
    f->scale = (uint8_t)wf_port_get(p->out_scale);
    f->ext = (uint8_t)wf_port_get(p->out_ext);
  }
  return true;
}

static bool take_answer(spref_trace *t, side *s) {
  const spref_ports *p = &s->port;
  if (!wf_port_get(p->out_valid)) return true;
  const told g = s->inside[0];
  if (!s->n_inside || wf_port_get(p->out_warp) != g.warp)
    return fail(t, "an answer to what was not asked");
  memmove(s->inside, s->inside + 1, --s->n_inside * sizeof s->inside[0]);
  return note(t->now, s, p, g.pc) || fail(t, "a load beside what is none");
}

bool spref_trace_note(spref_trace *t, unsigned sm, const spref_ports *ports, ptx_pc pc) {
  return note(t->now, &t->sides[sm], ports, pc);
}

static bool edge(spref_trace *t, side *s) {
  const spref_ports *p = &s->port;
  ++*t->edges;
  if (!wf_rtl_clock(s->rtl, wf_unit_now(&t->env), &t->error)) return false;
  spref_ports_rest(p);
  return take_answer(t, s);
}

/* Until all is answered. */
static bool drain(spref_trace *t, side *s) {
  for (unsigned i = 0; s->n_inside; i++)
    if (i == PATIENCE)
      return fail(t, "the RTL does not answer");
    else if (!edge(t, s))
      return false;
  return true;
}

static bool rest(spref_trace *t, side *s) {
  for (unsigned i = 0; i < PATIENCE; i++) {
    if (!edge(t, s)) return false;
    if (wf_port_get(s->port.idle)) return true;
  }
  return fail(t, "the RTL does not come to rest");
}

static void new_kernel(spref_trace *t, side *s) {
  if (t->error.code || !drain(t, s)) return;
  spref_ports_kernel(&s->port);
  edge(t, s);
}

/* ---- counts ---- */

/* How often each lane comes by the test again before it leaves the loop: what the subtraction
 * beside the setp would say, and less for a lane that breaks out. */
typedef struct look_ahead {
  ptx_pc test;
  ptx_loop loop;
  uint32_t lanes; /* not decided */
  uint8_t n[PTX_LANES];
  unsigned steps;
} look_ahead;

static bool look(void *user, ptx_pc pc, uint32_t mask, const uint64_t *addresses) {
  look_ahead *a = user;
  (void)addresses;
  if (++a->steps > FAR_AHEAD) return false;
  if (pc < a->loop.low || pc > a->loop.high)
    a->lanes &= ~mask;
  else if (pc == a->test)
    for (uint32_t m = mask & a->lanes; m; m &= m - 1) {
      const unsigned l = (unsigned)__builtin_ctz(m);
      if (++a->n[l] == COUNT_MOST) a->lanes &= ~(1u << l);
    }
  return a->lanes != 0;
}

/* A trace has no values: operands of which the test would hold n times. */
static void make_operands(const spref_sass_test *s, spref_operands *o, unsigned lane, unsigned n) {
  const uint64_t x = 1 << 20, size = (uint64_t)1 << s->shift, way = n * size,
                 less = s->cmp == PTX_LE || s->cmp == PTX_GE ? size : 0;
  const uint64_t y = s->down ? x - way + less : x + way - less;
  o->a[lane] = s->swap ? y : x;
  o->b[lane] = s->swap ? x : y;
}

void spref_trace_operands(spref_trace *t, const ptx_warp *w, ptx_pc pc, uint32_t mask,
                          spref_operands *o) {
  const ptx_kernel *k = t->now->program->kernel;
  look_ahead a = {.test = pc, .lanes = mask, .loop = {0, k->n_insts, 0}};
  if (k->loop_of[pc] != PTX_NO_LOOP) a.loop = k->loops[k->loop_of[pc]];
  t->from->ahead(t->from, w, look, &a);
  *o = (spref_operands){.warp = (uint8_t)w->warp_slot, .wide = true, .sign = true, .mask = mask};
  for (unsigned l = 0; l < PTX_LANES; l++) make_operands(&t->now->sass->tests[pc], o, l, a.n[l]);
}

static bool give_counts(spref_trace *t, side *s, const ptx_warp *w, ptx_pc pc, uint32_t mask) {
  const spref_ports *p = &s->port;
  spref_operands o;
  spref_trace_operands(t, w, pc, mask, &o);
  for (unsigned l = 0; l < PTX_LANES; l += p->cnt_mask->width) {
    spref_ports_operands(p, &o, l);
    if (!edge(t, s)) return false;
  }
  for (unsigned i = 0; !wf_port_get(p->counted); i++)
    if (i == PATIENCE)
      return fail(t, "the RTL does not count");
    else if (!edge(t, s))
      return false;
  return edge(t, s);
}

/* ---- telling ---- */

static bool wait_for_port(spref_trace *t, side *s) {
  for (unsigned i = 0; !wf_port_get(s->port.in_ready); i++)
    if (i == PATIENCE)
      return fail(t, "the RTL takes no instruction");
    else if (!edge(t, s))
      return false;
  return s->n_inside < INSIDE || fail(t, "more instructions are inside than fit");
}

static bool tell(spref_trace *t, const ptx_warp *w, ptx_pc pc, uint32_t mask) {
  side *s = &t->sides[w->sm_id];
  const spref_ports *p = &s->port;
  const spref_row *r = &t->now->sass->code->rows[pc];
  t->told_instructions++;
  t->now->found[pc].executed++;
  t->now->found[pc].lanes += (unsigned)__builtin_popcount(mask);
  if (!wait_for_port(t, s)) return false;
  spref_ports_instruction(p, r, w->warp_slot, pc, mask, r->op == SPREF_OP_BRANCH && mask);
  const bool counted =
      r->op == SPREF_OP_SETP && wf_port_get(p->test_v) && wf_port_word(p->test_pc) == pc;
  wf_port_set(p->in_counted, counted);
  wf_port_set(p->in_last, 0);
  s->inside[s->n_inside++] = (told){pc, w->warp_slot};
  if (!edge(t, s)) return false;
  return !counted || (drain(t, s) && give_counts(t, s, w, pc, mask));
}

/* The trace's last instruction has been told before its warp is known to end: one more, of no
 * class, ends it. */
static void tell_end(spref_trace *t, const ptx_warp *w) {
  static const spref_row nothing;
  side *s = &t->sides[w->sm_id];
  if (t->error.code || !drain(t, s) || !wait_for_port(t, s)) return;
  const ptx_pc pc = t->now->program->kernel->n_insts;
  spref_ports_instruction(&s->port, &nothing, w->warp_slot, pc, 0, false);
  wf_port_set(s->port.in_counted, 0);
  wf_port_set(s->port.in_last, 1);
  s->inside[s->n_inside++] = (told){pc, w->warp_slot};
  edge(t, s);
}

/* ---- the source ---- */

static spref_trace *self_of(wf_warp_source *s) {
  return (spref_trace *)s;
}
static bool passes(spref_trace *t, wf_error *err) {
  return !t->error.code || wf_fail(err, t->error.code, "%s", t->error.text);
}

static bool source_begin(wf_warp_source *s, const ptx_launch *launch, uint32_t shared_bytes,
                         uint64_t memory_used, wf_error *err) {
  spref_trace *t = self_of(s);
  return t->from->begin(t->from, launch, shared_bytes, memory_used, err);
}

static bool source_end(wf_warp_source *s, wf_error *err) {
  spref_trace *t = self_of(s);
  for (unsigned k = 0; t->now && !t->error.code && k < t->env.n_sm; k++)
    if (drain(t, &t->sides[k])) rest(t, &t->sides[k]);
  return t->from->end(t->from, err) && passes(t, err);
}

static void source_start_cta(wf_warp_source *s, uint32_t ctaid[3]) {
  self_of(s)->from->start_cta(self_of(s)->from, ctaid);
}

static ptx_pc source_start_warp(wf_warp_source *s, const ptx_warp *w) {
  return self_of(s)->from->start_warp(self_of(s)->from, w);
}

static void source_end_warp(wf_warp_source *s, const ptx_warp *w) {
  spref_trace *t = self_of(s);
  if (t->now) tell_end(t, w);
  t->from->end_warp(t->from, w);
}

static bool source_execute(wf_warp_source *s, const ptx_inst *inst, ptx_warp *w, uint32_t mask,
                           ptx_effect *effect, wf_error *err) {
  spref_trace *t = self_of(s);
  if (!t->from->execute(t->from, inst, w, mask, effect, err)) return false;
  if (!t->now || t->error.code) return passes(t, err);
  return tell(t, w, (ptx_pc)(inst - t->now->program->kernel->insts), effect->active) ||
         passes(t, err);
}

static ptx_pc source_next(wf_warp_source *s, const ptx_warp *w) {
  return self_of(s)->from->next(self_of(s)->from, w);
}

static void source_ahead(wf_warp_source *s, const ptx_warp *w, wf_source_each *each, void *user) {
  self_of(s)->from->ahead(self_of(s)->from, w, each, user);
}

spref_trace *spref_trace_create(const wf_unit_env *env, wf_rtl_set *rtl, const spref_levels *levels,
                                unsigned spare, bool all_loads, bool timed, wf_error *err) {
  spref_trace *t = wf_calloc(1, sizeof *t);
  t->source = (wf_warp_source){.follows = true,
                               .begin = source_begin,
                               .end = source_end,
                               .start_cta = source_start_cta,
                               .start_warp = source_start_warp,
                               .end_warp = source_end_warp,
                               .execute = source_execute,
                               .next = source_next,
                               .ahead = source_ahead};
  t->env = *env;
  t->levels = *levels;
  t->edges = &rtl->busy;
  t->spare = spare;
  t->all_loads = all_loads;
  t->timed = timed;
  t->sides = wf_calloc(env->n_sm, sizeof *t->sides);
  bool ok = true;
  for (unsigned k = 0; ok && k < env->n_sm; k++) {
    t->sides[k].rtl = &rtl->at[k];
    ok = spref_ports_open(&t->sides[k].port, &rtl->at[k], err);
  }
  if (ok) return t;
  spref_trace_destroy(t);
  return NULL;
}

/* ---- kernels ---- */

static kernel *kernel_of(spref_trace *t, const wf_trace_program *p) {
  for (unsigned i = 0; i < t->n_kernels; i++)
    if (t->kernels[i].program == p) return &t->kernels[i];
  t->kernels = wf_realloc(t->kernels, t->n_kernels + 1, sizeof *t->kernels);
  kernel *k = &t->kernels[t->n_kernels++];
  *k = (kernel){.program = p, .sass = spref_sass_decode(p, t->all_loads)};
  if (k->sass->code->n_names > t->levels.max_d) k->sass->code->fits = false;
  k->found = wf_calloc(p->kernel->n_insts + 1u, sizeof *k->found);
  return k;
}

static void set_levels(const spref_trace *t, side *s) {
  const unsigned names = t->now->sass->code->n_names;
  spref_levels levels = t->levels;
  levels.max_s = names;
  levels.max_d = names + t->spare > t->levels.max_d ? t->levels.max_d : names + t->spare;
  spref_ports_levels(&s->port, &levels);
}

wf_warp_source *spref_trace_listen(spref_trace *t, wf_warp_source *from,
                                   const wf_trace_kernel *launch, wf_error *err) {
  t->from = from;
  t->now = NULL;
  if (!launch->program->flow)
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "--unit spref: %s: its warps take turns, or it has no program counters: "
                   "expected a trace grouped by thread block (.traceg)",
                   launch->file),
           NULL;
  kernel *k = kernel_of(t, launch->program);
  if (!k->sass->code->fits || !k->sass->code->loads) return from;
  t->now = k;
  if (t->timed) return from; /* the fabric tells */
  for (unsigned i = 0; i < t->env.n_sm; i++) {
    side *s = &t->sides[i];
    new_kernel(t, s);
    if (!rest(t, s)) break;
    set_levels(t, s);
    if (!rest(t, s)) break;
  }
  return passes(t, err) ? &t->source : NULL;
}

spref_code *spref_trace_code(const spref_trace *t) {
  return t->now ? t->now->sass->code : NULL;
}

/* ---- what was found ---- */

static const char *const ext_names[] = {"none", "sign", "zero", "?"};

static const char *role_of(const finding *f) {
  return f->role == HEAD ? "head" : f->role == TAIL ? "tail" : "none";
}

static const char *reason_of(const kernel *k, ptx_pc pc) {
  if (!k->sass->code->fits)
    return "the loop's values are more than the unit has names for (spref.reg_bits)";
  return k->sass->reason[pc] ? k->sass->reason[pc]
                             : "its address is not of a form that the unit follows, or no pass "
                               "over the loop was regular";
}

/* A load in a loop; NULL: no such. */
static const wf_trace_op *load_at(const kernel *k, ptx_pc pc) {
  const uint32_t op = k->sass->op[pc];
  const bool target = k->sass->code->rows[pc].op == SPREF_OP_LOAD || k->sass->reason[pc];
  return op != WF_FLOW_NONE && target && k->program->kernel->loop_of[pc] != PTX_NO_LOOP
             ? &k->program->ops[op]
             : NULL;
}

static uint64_t trace_pc(const kernel *k, ptx_pc pc) {
  return k->program->ops[k->sass->op[pc]].pc;
}

static cJSON *load_json(const spref_trace *t, const kernel *k, ptx_pc pc, const wf_trace_op *op) {
  const finding *f = &k->found[pc];
  const wf_flow_op *o = wf_flow_op_at(k->program->flow, k->sass->op[pc]);
  cJSON *j = cJSON_CreateObject();
  cJSON_AddStringToObject(j, "kernel", k->program->name);
  cJSON_AddNumberToObject(j, "pc", (double)op->pc);
  cJSON_AddStringToObject(j, "role", role_of(f));
  if (f->role == TAIL) {
    cJSON_AddNumberToObject(j, "head_pc", (double)trace_pc(k, f->head));
    cJSON_AddNumberToObject(j, "shift", f->scale);
    cJSON_AddStringToObject(j, "extension", ext_names[f->ext & 3]);
  }
  if (f->role) cJSON_AddNumberToObject(j, "offset", f->offset);
  if (f->role != TAIL && o->moves) cJSON_AddNumberToObject(j, "stride", (double)o->stride);
  if (f->role != TAIL && o->moves)
    cJSON_AddNumberToObject(j, "strides_of_moves", (double)o->same / (double)o->moves);
  cJSON_AddNumberToObject(j, "iterations", (double)op->count);
  cJSON_AddNumberToObject(j, "lanes", (double)op->threads);
  cJSON_AddNumberToObject(j, t->timed ? "moves" : "would_move", (double)f->moves);
  cJSON_AddNumberToObject(j, t->timed ? "prefetches" : "would_prefetch", (double)f->injected);
  if (!f->role) cJSON_AddStringToObject(j, "reason", reason_of(k, pc));
  cJSON_AddStringToObject(j, "text", op->text);
  return j;
}

cJSON *spref_trace_json(const spref_trace *t) {
  cJSON *root = cJSON_CreateObject(), *loads = cJSON_CreateArray();
  unsigned heads = 0, tails = 0;
  for (unsigned i = 0; i < t->n_kernels; i++)
    for (ptx_pc pc = 0; pc < t->kernels[i].program->kernel->n_insts; pc++) {
      const wf_trace_op *op = load_at(&t->kernels[i], pc);
      if (!op) continue;
      heads += t->kernels[i].found[pc].role == HEAD;
      tails += t->kernels[i].found[pc].role == TAIL;
      cJSON_AddItemToArray(loads, load_json(t, &t->kernels[i], pc, op));
    }
  cJSON_AddNumberToObject(root, "heads", heads);
  cJSON_AddNumberToObject(root, "tails", tails);
  cJSON_AddBoolToObject(root, "timed", t->timed);
  if (!t->timed) cJSON_AddNumberToObject(root, "told_instructions", (double)t->told_instructions);
  cJSON_AddNumberToObject(root, "rtl_edges", (double)*t->edges);
  cJSON_AddBoolToObject(root, "all_loads", t->all_loads);
  cJSON_AddItemToObject(root, "loads", loads);
  return root;
}

static void print_load(FILE *out, const kernel *k, ptx_pc pc, const wf_trace_op *op) {
  const finding *f = &k->found[pc];
  const wf_flow_op *o = wf_flow_op_at(k->program->flow, k->sass->op[pc]);
  fprintf(out, "  %-20.20s %6" PRIx64 " %-4s %10" PRIu64 " %10" PRIu64 " ", k->program->name,
          op->pc, role_of(f), op->count, f->injected);
  if (f->role == TAIL)
    fprintf(out, " of head %" PRIx64 ", shift %u, extension %s", trace_pc(k, f->head), f->scale,
            ext_names[f->ext & 3]);
  if (f->role == HEAD)
    fprintf(out, " steps by %" PRId64 " in %.0f %% of its moves", o->stride,
            o->moves ? 100 * (double)o->same / (double)o->moves : 0);
  if (!f->role) fprintf(out, " %s", reason_of(k, pc));
  fprintf(out, "  [%s]\n", op->text);
}

void spref_trace_print(FILE *out, const spref_trace *t) {
  fprintf(out,
          "loads in loops, as the spare-register unit sees them%s\n  %-20s %6s %-4s %10s %10s\n",
          t->all_loads ? " (all loads from global memory)" : "", "kernel", "pc", "role",
          "warp inst", "prefetches");
  for (unsigned i = 0; i < t->n_kernels; i++)
    for (ptx_pc pc = 0; pc < t->kernels[i].program->kernel->n_insts; pc++) {
      const wf_trace_op *op = load_at(&t->kernels[i], pc);
      if (op) print_load(out, &t->kernels[i], pc, op);
    }
}
