#include "sim/units/spref/spref_sass.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/code.h"

enum {
  CONSTANT = 0,
  TEST_PREDICATE = 1,
  OTHER_PREDICATE = 0,
  GUARD = 2,
  ASSUMED_SHIFT = 2,
  NEVER = 0xffff
};

typedef struct decoder {
  const wf_trace_program *p;
  const ptx_kernel *k;
  wf_flow *flow;
  spref_sass *out;
  bool all_loads;
  int16_t *name;  /* by root; -1: none yet */
  bool *unnamed;  /* by root: written in a loop by what cannot name it */
  int16_t *steps; /* by root: the number that is added to it in a loop; else 0 */
  /* the instruction */
  ptx_pc pc;
  const wf_trace_op *op;
  const wf_flow_op *o;
  spref_row *row;
  unsigned base;                           /* length of the opcode up to its first dot */
  unsigned regs[WF_TRACE_MAX_SRC], n_regs; /* sources that are not RZ */
} decoder;

/* ---- opcode ---- */

static bool is(const decoder *d, const char *name) {
  return strlen(name) == d->base && !memcmp(d->o->opcode, name, d->base);
}

static bool has(const decoder *d, const char *suffix) {
  const size_t n = strlen(suffix), length = d->o->opcode_bytes;
  for (size_t i = d->base; i + n < length; i++)
    if (d->o->opcode[i] == '.' && !memcmp(d->o->opcode + i + 1, suffix, n) &&
        (i + 1 + n == length || d->o->opcode[i + 1 + n] == '.'))
      return true;
  return false;
}

static void look_at(decoder *d, ptx_pc pc) {
  const uint32_t op = d->out->op[pc];
  d->pc = pc;
  d->op = &d->p->ops[op];
  d->o = wf_flow_op_at(d->flow, op);
  d->row = &d->out->code->rows[pc];
  const char *dot = d->o ? memchr(d->o->opcode, '.', d->o->opcode_bytes) : NULL;
  d->base = !d->o ? 0 : dot ? (unsigned)(dot - d->o->opcode) : d->o->opcode_bytes;
  d->n_regs = 0;
  for (unsigned s = 0; d->o && s < d->o->n_src; s++)
    if (!wf_trace_no_register(d->o->src[s])) d->regs[d->n_regs++] = s;
}

static bool in_loop(const decoder *d) {
  return d->k->loop_of[d->pc] != PTX_NO_LOOP;
}

/* ---- names ---- */

static uint32_t root_read(const decoder *d, unsigned i) {
  const uint32_t v = d->o->reads[d->regs[i]];
  return v == WF_FLOW_NONE ? WF_FLOW_NONE : wf_flow_root(d->flow, v);
}

static uint32_t root_written(const decoder *d) {
  return wf_flow_root(d->flow, wf_flow_writes(d->out->op[d->pc], 0, 0));
}

static uint8_t name_of(decoder *d, uint32_t root, unsigned reg) {
  return spref_code_name(d->out->code, &d->name[root], reg);
}

/* The i-th register among the sources; false: nothing is known of it. */
static bool source(decoder *d, unsigned i, uint8_t *name) {
  const uint32_t root = root_read(d, i);
  if (root == WF_FLOW_NONE) return *name = CONSTANT, true; /* no lane ever ran it */
  if (d->unnamed[root]) return false;
  *name = name_of(d, root, d->o->src[d->regs[i]]);
  return true;
}

static bool own(const decoder *d, unsigned i) {
  return d->o->n_dst && root_read(d, i) == root_written(d);
}

/* ---- numbers ---- */

static bool number(const decoder *d, int64_t *n) {
  *n = d->op->immediate;
  if (*n > INT32_MAX && *n <= UINT32_MAX) *n = (int32_t)*n;
  return d->op->has_immediate && *n;
}

/* By how much a register steps: its instruction's number, or what the addresses of a load through
 * it do; else 1. */
static int16_t step_of(decoder *d) {
  const uint32_t root = root_written(d);
  int64_t n;
  if (number(d, &n) && n >= INT16_MIN && n <= INT16_MAX) return (int16_t)n;
  d->out->assumed[d->pc] = true;
  for (uint32_t i = 0; i < d->p->n_ops; i++) {
    const wf_flow_op *o = wf_flow_op_at(d->flow, i);
    if (!o || d->p->ops[i].inst.cls != PTX_CLASS_LOAD || !o->n_src || o->reads[0] == WF_FLOW_NONE ||
        wf_flow_root(d->flow, o->reads[0]) != root)
      continue;
    if (2 * o->same > o->moves && o->stride && o->stride >= INT16_MIN && o->stride <= INT16_MAX)
      return (int16_t)o->stride;
  }
  return 1;
}

/* product: the number multiplies; else it is the shift itself. */
static int shift_of(decoder *d, bool product) {
  int64_t n;
  if (number(d, &n)) return product ? spref_log2(n) : n >= 0 && n <= 15 ? (int)n : -1;
  d->out->assumed[d->pc] = true;
  return ASSUMED_SHIFT;
}

/* ---- classes ---- */

static bool scale(decoder *d, unsigned i, int shift, unsigned ext) {
  if (shift < 0 || (d->n_regs && !source(d, i, &d->row->a))) return false;
  d->row->op = SPREF_OP_SCALE;
  d->row->sh = (uint8_t)shift;
  d->row->ext = (uint8_t)ext;
  return true;
}

/* The i-th register, or a constant if there are fewer. */
static bool second(decoder *d, unsigned i) {
  d->row->bkind = 1;
  d->row->b = CONSTANT;
  return i >= d->n_regs || source(d, i, &d->row->b);
}

/* known: the instruction's number is what is added. */
static bool sum(decoder *d, unsigned operands, bool known) {
  spref_row *r = d->row;
  int64_t n;
  if (d->o->n_src >= operands && d->n_regs == 1)
    return scale(d, 0, 0, 0); /* of registers only, the others RZ */
  if (!d->n_regs || d->n_regs > 2 || (d->n_regs == 2 && d->o->n_src < operands) ||
      !source(d, 0, &r->a))
    return false;
  r->op = SPREF_OP_ADD;
  if (d->n_regs == 1 && own(d, 0)) {
    r->bkind = 2;
    r->imm = step_of(d);
  } else if (d->n_regs == 1 && known && number(d, &n) && n >= INT16_MIN && n <= INT16_MAX) {
    r->bkind = 2;
    r->imm = (int16_t)n;
  } else {
    return second(d, 1);
  }
  return true;
}

/* a times a constant, plus a register or a constant. Of two registers without a third the second is
 * taken for what is added: if it is the multiplier, it must be constant all the same. */
static bool product(decoder *d, unsigned ext) {
  const bool three = d->o->n_src == 3;
  if (!d->n_regs) return scale(d, 0, 0, 0);
  if (three && d->n_regs == 2 && wf_trace_no_register(d->o->src[2]))
    return false; /* of two registers */
  if (d->n_regs > 2 || !scale(d, 0, three && d->n_regs == 1 ? 0 : shift_of(d, true), ext))
    return false;
  if (d->n_regs == 1 && d->o->n_src > 1) return true; /* plus RZ, or RZ times RZ plus it */
  d->row->op = SPREF_OP_MAD;
  return second(d, 1);
}

static bool shifted_sum(decoder *d) {
  if (!d->n_regs || d->n_regs > 2 || !scale(d, 0, shift_of(d, false), 0)) return false;
  if (d->n_regs == 1 && d->o->n_src > 1) return true;
  d->row->op = SPREF_OP_MAD;
  return second(d, 1);
}

static bool multiply_add(decoder *d) {
  if (has(d, "X") || has(d, "HI")) return false;
  if (has(d, "MOV")) return d->n_regs <= 1 && scale(d, 0, 0, 0);
  if (has(d, "IADD")) return sum(d, 2, false);
  if (has(d, "SHL")) return d->n_regs <= 1 && scale(d, 0, shift_of(d, true), 0);
  return product(d, !has(d, "WIDE") ? 0 : has(d, "U32") ? 2 : 1);
}

static bool compare(decoder *d) {
  static const char *const names[] = {[PTX_EQ] = "EQ", [PTX_NE] = "NE", [PTX_LT] = "LT",
                                      [PTX_LE] = "LE", [PTX_GT] = "GT", [PTX_GE] = "GE"};
  if (has(d, "EX") || has(d, "OR") || has(d, "XOR") || has(d, "U16") || !d->n_regs ||
      d->n_regs > 2 || !source(d, 0, &d->row->a))
    return false;
  for (unsigned c = PTX_EQ; c <= PTX_GE; c++) {
    if (!has(d, names[c])) continue;
    d->row->op = SPREF_OP_SETP;
    d->row->cmp = (uint8_t)c;
    d->row->pd_v = true;
    d->row->pd = OTHER_PREDICATE;
    return second(d, 1);
  }
  return false;
}

static bool is_global_load(const decoder *d) {
  return d->op->inst.cls == PTX_CLASS_LOAD && d->op->addressed && !d->op->async &&
         (d->op->inst.space == PTX_SPACE_GLOBAL || d->op->inst.space == PTX_SPACE_GLOBAL_NC ||
          d->op->inst.space == PTX_SPACE_GENERIC);
}

static bool load(decoder *d) {
  const ptx_inst *i = &d->op->inst;
  const bool read_only = has(d, "CONSTANT") || has(d, "NC") || has(d, "CI") ||
                         (d->p->generation == WF_SASS_KEPLER && is(d, "LDG"));
  const char **why = &d->out->reason[d->pc];
  if (!is_global_load(d)) return false;
  if (!read_only && !d->all_loads)
    return *why = "not read-only by its opcode (spref.all_loads=1 follows it)", false;
  if (i->bytes * i->vec > 8) return *why = "more than 64 bits", false;
  if (d->o->n_dst != 1 || wf_trace_no_register(d->o->dst[0])) return *why = "no destination", false;
  if (!d->n_regs) return *why = "its address has no register", false;
  if (!source(d, 0, &d->row->a))
    return *why = "its address comes from what writes several registers", false;
  int64_t n;
  if (number(d, &n) && n >= INT16_MIN && n <= INT16_MAX) d->row->imm = (int16_t)n;
  d->row->op = SPREF_OP_LOAD;
  d->row->wide = i->bytes * i->vec == 8;
  return true;
}

static bool arithmetic(decoder *d) {
  const bool two = is(d, "IADD") || is(d, "IADD32I") || is(d, "VIADD");
  if (d->o->n_dst != 1 || wf_trace_no_register(d->o->dst[0])) return false;
  if (is(d, "IADD3") || two) return !has(d, "X") && sum(d, two ? 2 : 3, true);
  if (is(d, "IMAD") || is(d, "IMAD32I")) return multiply_add(d);
  if (is(d, "LEA")) return !has(d, "HI") && shifted_sum(d);
  if (is(d, "ISCADD")) return shifted_sum(d);
  if (is(d, "SHL") || (is(d, "SHF") && has(d, "L") && !has(d, "HI")))
    return d->n_regs == 1 && scale(d, 0, shift_of(d, false), 0);
  if (is(d, "MOV") || is(d, "MOV32I") || is(d, "HFMA2") || is(d, "CS2R"))
    return d->n_regs == (is(d, "MOV") && d->o->n_src ? 1 : 0) && scale(d, 0, 0, 0);
  return false;
}

static bool decode_class(decoder *d) {
  if (is_global_load(d)) return load(d);
  if (is(d, "ISETP")) return compare(d);
  return arithmetic(d);
}

static bool is_jump(const decoder *d) {
  return d->op->inst.cls == PTX_CLASS_BRANCH && (is(d, "BRA") || is(d, "BRX") || is(d, "JMP"));
}

static bool sets_predicate(const decoder *d) {
  return (d->base >= 4 && !memcmp(d->o->opcode + d->base - 4, "SETP", 4) && !has(d, "EX")) ||
         is(d, "PLOP3") || is(d, "R2P");
}

static void decode_row(decoder *d) {
  spref_row *r = d->row;
  if (is_jump(d)) {
    r->op = SPREF_OP_BRANCH;
    const uint32_t to = d->o->target;
    r->target =
        to == WF_FLOW_NONE || d->p->ops[to].index == UINT32_MAX ? d->pc + 1 : d->p->ops[to].index;
  } else if (!in_loop(d) || !decode_class(d)) {
    *r = (spref_row){0};
  }
  if (d->o->guarded) {
    r->guard = true;
    r->gpred = GUARD;
  }
  if (r->op == SPREF_OP_OTHER || !d->o->n_dst || wf_trace_no_register(d->o->dst[0])) return;
  r->dst = name_of(d, root_written(d), d->o->dst[0]);
  r->dst_v = true;
}

/* What nobody reads in a form that is followed needs no name. */
static void name_others(decoder *d) {
  if (!in_loop(d) || d->row->op != SPREF_OP_OTHER || !d->o->n_dst ||
      wf_trace_no_register(d->o->dst[0]))
    return;
  const int16_t name = d->name[root_written(d)];
  d->row->dst_v = name >= 0;
  if (name >= 0) d->row->dst = (uint8_t)name;
}

/* ---- tests ---- */

static uint8_t negated(uint8_t cmp) {
  static const uint8_t not [] = {PTX_NE, PTX_EQ, PTX_GE, PTX_GT, PTX_LE, PTX_LT};
  return not [cmp];
}

static bool stepping(const decoder *d, unsigned i) {
  const uint32_t root = i < d->n_regs ? root_read(d, i) : WF_FLOW_NONE;
  return root != WF_FLOW_NONE && d->steps[root];
}

/* The trace names no predicates. A branch back is taken to be guarded by the next setp above it
 * that compares what steps; a branch out of the loop by the next setp above it, if that does; its
 * sense is the one in which the loop goes on as the register comes nearer. */
static void find_test(decoder *d) {
  const ptx_pc at = d->pc;
  spref_row *branch = d->row;
  if (!is_jump(d) || !in_loop(d) || !d->o->guarded) return;
  const ptx_loop *l = &d->k->loops[d->k->loop_of[at]];
  const bool back = branch->target <= at, out = branch->target < l->low || branch->target > l->high;
  for (ptx_pc pc = at; (back || out) && pc-- > l->low;) {
    look_at(d, pc);
    if (!d->o || !sets_predicate(d)) continue;
    const bool second_steps =
        d->row->op == SPREF_OP_SETP && d->row->bkind == 1 && !stepping(d, 0) && stepping(d, 1);
    if (d->row->op == SPREF_OP_SETP && (stepping(d, 0) || second_steps)) {
      const uint8_t cmp = second_steps ? spref_mirrored(d->row->cmp) : d->row->cmp;
      const int step = d->steps[root_read(d, second_steps)];
      const bool up = step > 0;
      const bool goes_on =
          cmp == PTX_NE || (cmp != PTX_EQ && (cmp == PTX_LT || cmp == PTX_LE) == up);
      const int shift = spref_log2(up ? step : -step);
      d->out->tests[pc] = (spref_sass_test){.cmp = goes_on ? cmp : negated(cmp),
                                            .shift = (uint8_t)(shift < 0 ? 0 : shift),
                                            .swap = second_steps,
                                            .down = !up};
      d->row->pd = TEST_PREDICATE;
      branch->gpred = TEST_PREDICATE;
      branch->gneg = out ? goes_on : !goes_on;
      return;
    }
    if (out && !back) return;
  }
}

/* ---- why not ---- */

enum { TEST_NONE, TEST_MOVES, TEST_FINE };

static bool written_in(decoder *d, const ptx_loop *l, uint32_t root) {
  for (ptx_pc pc = l->low; pc <= l->high; pc++) {
    look_at(d, pc);
    if (d->o && d->o->n_dst && root_written(d) == root) return true;
  }
  return false;
}

/* Of the setp that find_test() chose: does what the stepping register is compared with stay? */
static unsigned test_of(decoder *d, const ptx_loop *l) {
  for (ptx_pc pc = l->low; pc <= l->high; pc++) {
    look_at(d, pc);
    if (!d->o || d->row->op != SPREF_OP_SETP || d->row->pd != TEST_PREDICATE) continue;
    if (d->n_regs < 2) return TEST_FINE;
    const uint32_t other = root_read(d, stepping(d, 0) ? 1 : 0);
    return written_in(d, l, other) ? TEST_MOVES : TEST_FINE;
  }
  return TEST_NONE;
}

static void explain(decoder *d, uint32_t loop) {
  const ptx_loop *l = &d->k->loops[loop];
  const unsigned test = test_of(d, l);
  bool inner = false;
  for (uint32_t i = 0; i < d->k->n_loops; i++) inner |= d->k->loops[i].parent == loop;
  for (ptx_pc pc = l->low; pc <= l->high; pc++) {
    const char **why = &d->out->reason[pc];
    if (d->k->loop_of[pc] != loop || d->out->code->rows[pc].op != SPREF_OP_LOAD) continue;
    look_at(d, pc);
    const bool steps = d->n_regs && stepping(d, 0);
    if (inner)
      *why = "a loop within this one is followed instead";
    else if (test == TEST_NONE)
      *why = steps ? "its address steps, but no test of a stepping register ends the loop"
                   : "no test of a stepping register ends the loop";
    else if (test == TEST_MOVES)
      *why = steps ? "its address steps, but the loop writes what its test compares with"
                   : "the loop writes what its test compares with";
  }
}

/* ---- all of a kernel ---- */

static void each(decoder *d, void (*what)(decoder *d)) {
  for (ptx_pc pc = 0; pc < d->k->n_insts; pc++) {
    if (d->out->op[pc] == WF_FLOW_NONE) continue;
    look_at(d, pc);
    if (d->o) what(d);
  }
}

static void note_unnamed(decoder *d) {
  if (!in_loop(d)) return;
  for (unsigned i = 0; i < d->o->n_dst; i++)
    for (unsigned w = i ? 0 : 1; w < d->o->dst_words; w++)
      d->unnamed[wf_flow_root(d->flow, wf_flow_writes(d->out->op[d->pc], i, w))] = true;
}

static void note_steps(decoder *d) {
  if (d->row->op == SPREF_OP_ADD && d->row->bkind == 2 && d->row->a == d->row->dst)
    d->steps[root_written(d)] = d->row->imm;
}

static void index_ops(decoder *d) {
  for (ptx_pc pc = 0; pc < d->k->n_insts; pc++) d->out->op[pc] = WF_FLOW_NONE;
  for (uint32_t i = 0; i < d->p->n_ops; i++) {
    const wf_trace_op *op = &d->p->ops[i];
    if (op->index >= d->k->n_insts) continue;
    d->out->op[op->index] = i;
    if (op->is_exit && !d->p->given) d->out->op[op->index + 1] = i;
  }
}

spref_sass *spref_sass_decode(const wf_trace_program *p, bool all_loads) {
  const ptx_kernel *k = p->kernel;
  spref_sass *s = wf_calloc(1, sizeof *s);
  spref_code *c = s->code = spref_code_new(k->n_insts);
  s->op = wf_calloc((size_t)k->n_insts + 1, sizeof *s->op);
  s->reason = wf_calloc((size_t)k->n_insts + 1, sizeof *s->reason);
  s->tests = wf_calloc((size_t)k->n_insts + 1, sizeof *s->tests);
  s->assumed = wf_calloc((size_t)k->n_insts + 1, sizeof *s->assumed);
  c->fits = true;
  c->n_names = 1;
  c->reg_of_name[CONSTANT] = NEVER;
  const size_t roots = wf_flow_roots(p->flow);
  decoder d = {.p = p, .k = k, .flow = p->flow, .out = s, .all_loads = all_loads};
  d.name = wf_calloc(roots + 1, sizeof *d.name);
  d.unnamed = wf_calloc(roots + 1, sizeof *d.unnamed);
  d.steps = wf_calloc(roots + 1, sizeof *d.steps);
  for (size_t i = 0; i < roots; i++) d.name[i] = -1;
  index_ops(&d);
  each(&d, note_unnamed);
  each(&d, decode_row);
  each(&d, note_steps);
  each(&d, name_others);
  each(&d, find_test);
  for (uint32_t l = 0; l < k->n_loops; l++) explain(&d, l);
  spref_code_sort(c, k);
  free(d.name);
  free(d.unnamed);
  free(d.steps);
  return s;
}

void spref_sass_free(spref_sass *s) {
  if (!s) return;
  spref_code_free(s->code);
  free(s->op);
  free((void *)s->reason);
  free(s->tests);
  free(s->assumed);
  free(s);
}
