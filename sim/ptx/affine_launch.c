/* Values of a launch: parameters and dimensions, what kernels compute from them by any operator
 * (the executor's own code runs for that), and the highest number of each loop's iterations by
 * interval arithmetic. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/affine_private.h"
#include "sim/ptx/loop_values.h"
#include "sim/ptx/types.h"

enum { MAX_DEPTH = 64 };
enum { NEW, BUSY, KNOWN, UNKNOWN };
static const int64_t endless = (int64_t)1 << 40;

/* An atom's value; or how often a loop can go on by one of its tests. */
struct ptx_affine_known {
  int64_t value;
  uint8_t state;
};

void ptx_affine_values_init(ptx_affine_values *v, const ptx_affine *a, const uint32_t grid[3],
                            const uint32_t block[3], const uint8_t *params) {
  *v = (ptx_affine_values){.a = a, .grid = grid, .block = block, .params = params};
  v->known = wf_calloc(a->forms.n_atoms, sizeof *v->known);
  v->exits = wf_calloc((size_t)a->n_exits + 1, sizeof *v->exits);
}

void ptx_affine_values_free(ptx_affine_values *v) {
  free(v->known);
  free(v->exits);
}

/* ---- what is known ---- */
static bool parameter_value(const ptx_affine_values *v, const ptx_atom *atom, int64_t *value) {
  const uint32_t offset = atom->id >> 8, bytes = ptx_type_bytes((ptx_type)(atom->id & 255));
  const char kind = ptx_type_kind((ptx_type)(atom->id & 255));
  uint64_t bits = 0;
  if (offset + bytes > v->a->k->param_bytes) return false;
  memcpy(&bits, v->params + offset, bytes);
  /* ld.param.u32 stands for signed ones, too */
  if (bytes == 4 || (bytes < 4 && kind == 's'))
    *value = (int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes);
  else
    *value = (int64_t)bits;
  return true;
}

static bool known_value(ptx_affine_values *v, uint32_t id, int64_t *value);

static bool form_value(ptx_affine_values *v, const ptx_form *form, int64_t *value) {
  ptx_affine_residue r;
  if (!ptx_affine_reduce(v, form, &r) || r.n) return false;
  *value = r.number;
  return true;
}

static void set_register(ptx_warp *w, const ptx_source *s, int64_t value) {
  w->reg[s->reg][0] = (uint32_t)value;
  if (s->wide) w->reg[s->reg + 1][0] = (uint32_t)((uint64_t)value >> 32);
}

/* The instruction, run for one lane. */
static bool run_operator(ptx_affine_values *v, const ptx_atom *atom, int64_t *value) {
  const ptx_kernel *k = v->a->k;
  const ptx_inst *inst = &k->insts[atom->pc];
  const ptx_code *c = inst->code;
  const ptx_launch launch = {
      .kernel = k, .params = v->params, .ntid = {1, 1, 1}, .nctaid = {1, 1, 1}};
  int64_t in[PTX_CODE_SRC];
  for (uint32_t i = 0; i < atom->n_args; i++)
    if (!form_value(v, atom->args[i], &in[i])) return false;
  const size_t bytes = ((size_t)k->n_regs + 2) * PTX_LANES * 4;
  ptx_warp w = {.launch = &launch, .reg = aligned_alloc(64, bytes), .valid = 1};
  uint32_t no_predicates[8] = {0};
  ptx_effect effect = {0};
  wf_error err = {0};
  if (!w.reg) return false;
  w.pred = no_predicates;
  memset(w.reg, 0, bytes);
  for (uint32_t i = 0; i < atom->n_args; i++)
    if (c->src[i].kind == PTX_SOURCE_REG) set_register(&w, &c->src[i], in[i]);
  const bool fine = c->run(c, &w, 1, &effect, &err);
  const uint32_t low = w.reg[c->dst[0].reg][0],
                 high = c->dst[0].bytes == 8 ? w.reg[c->dst[0].reg + 1][0] : 0;
  free(w.reg);
  *value = c->dst[0].bytes == 8          ? (int64_t)((uint64_t)high << 32 | low)
           : ptx_has_modifier(c, ".u32") ? (int64_t)low
                                         : (int32_t)low;
  return fine;
}

static bool known_value(ptx_affine_values *v, uint32_t id, int64_t *value) {
  const ptx_atom *atom = &v->a->forms.atoms[id];
  struct ptx_affine_known *known = &v->known[id];
  bool fine;
  switch (atom->kind) {
  case PTX_ATOM_PARAM:
    return parameter_value(v, atom, value);
  case PTX_ATOM_NTID:
    return *value = v->block[atom->id], true;
  case PTX_ATOM_NCTAID:
    return *value = v->grid[atom->id], true;
  case PTX_ATOM_OPERATOR:
    if (!atom->uniform || known->state == BUSY || known->state == UNKNOWN) return false;
    if (known->state == KNOWN) return *value = known->value, true;
    known->state = BUSY;
    fine = v->depth++ < MAX_DEPTH && run_operator(v, atom, &known->value);
    v->depth--;
    known->state = fine ? KNOWN : UNKNOWN;
    *value = known->value;
    return fine;
  default:
    return false;
  }
}

/* ---- forms with what is known put in ---- */
static bool is_open(uint8_t kind) {
  return kind == PTX_ATOM_TID || kind == PTX_ATOM_CTAID || kind == PTX_ATOM_ITERATION;
}

static bool is_zero(const ptx_affine_values *v, const ptx_atom *atom) {
  return (atom->kind == PTX_ATOM_TID && v->block[atom->id] == 1) ||
         (atom->kind == PTX_ATOM_CTAID && v->grid[atom->id] == 1);
}

static bool add_open(ptx_affine_residue *r, const ptx_affine_open *t) {
  if (!t->factor) return true;
  if (!t->atom[0]) return !__builtin_add_overflow(r->number, t->factor, &r->number);
  uint32_t at = 0;
  while (at < r->n && memcmp(r->term[at].atom, t->atom, sizeof t->atom) != 0) at++;
  if (at == r->n) {
    r->term[r->n++] = *t;
    return true;
  }
  if (__builtin_add_overflow(r->term[at].factor, t->factor, &r->term[at].factor)) return false;
  if (!r->term[at].factor) r->term[at] = r->term[--r->n];
  return true;
}

bool ptx_affine_reduce(ptx_affine_values *v, const ptx_form *form, ptx_affine_residue *r) {
  *r = (ptx_affine_residue){0};
  for (uint32_t i = 0; form && i < form->n; i++) {
    ptx_affine_open t = {.factor = form->term[i].factor};
    unsigned n = 0;
    for (int k = 0; k < PTX_FORM_DEGREE && form->term[i].atom[k]; k++) {
      const uint32_t id = form->term[i].atom[k];
      const ptx_atom *atom = &v->a->forms.atoms[id];
      int64_t value = 0;
      if (is_open(atom->kind) && !is_zero(v, atom)) {
        t.atom[n++] = id;
        continue;
      }
      if (!is_open(atom->kind) && !known_value(v, id, &value)) return false;
      if (__builtin_mul_overflow(t.factor, value, &t.factor)) return false;
    }
    if (!add_open(r, &t)) return false;
  }
  return form;
}

/* ---- loops ---- */
static int64_t up_quotient(int64_t a, int64_t b) {
  return a <= 0 ? 0 : (a - 1) / b + 1;
} /* b > 0 */

/* How often start + step * i (compare) 0 holds in a row, from i = 0, for the start in low..high
 * that makes it longest. */
static bool count(uint8_t compare, int64_t low, int64_t high, int64_t step, int64_t *times) {
  const int64_t limit = (int64_t)1 << 60;
  if (low < -limit || high > limit || step < -limit || step > limit) return false;
  if (compare == PTX_GT || compare == PTX_GE ||
      (compare == PTX_NE && step < 0)) { /* the mirror image */
    const int64_t l = low;
    low = -high, high = -l, step = -step;
  }
  if (compare == PTX_LE || compare == PTX_GE) low--, high--; /* x <= 0: x - 1 < 0 */
  if (compare == PTX_EQ) return *times = 1, step != 0;
  if (step <= 0) return *times = 0, low >= 0 && compare != PTX_NE;
  *times = up_quotient(-low, step);
  return *times < endless;
}

static bool range(ptx_affine_values *v, const ptx_affine_residue *r, uint32_t without,
                  uint32_t block, int64_t *low, int64_t *high) {
  *low = *high = r->number;
  for (uint32_t i = 0; i < r->n; i++) {
    int64_t end = r->term[i].factor, top;
    if (r->term[i].atom[0] == without && !r->term[i].atom[1]) continue;
    for (int k = 0; k < PTX_FORM_DEGREE && r->term[i].atom[k]; k++) {
      if (r->term[i].atom[k] == without || !ptx_affine_highest(v, r->term[i].atom[k], block, &top))
        return false;
      if (top < 0) top = 0; /* it does not run at all */
      if (__builtin_mul_overflow(end, top, &end)) return false;
    }
    if (__builtin_add_overflow(end < 0 ? *low : *high, end, end < 0 ? low : high)) return false;
  }
  return true;
}

static bool exit_count(ptx_affine_values *v, const ptx_affine_exit *exit, uint32_t iteration,
                       int64_t *times) {
  ptx_affine_residue r;
  int64_t step = 0, low, high;
  if (!ptx_affine_reduce(v, exit->difference, &r)) return false;
  for (uint32_t i = 0; i < r.n; i++)
    if (r.term[i].atom[0] == iteration && !r.term[i].atom[1]) step = r.term[i].factor;
  return range(v, &r, iteration, exit->block, &low, &high) &&
         count(exit->compare, low, high, step, times);
}

/* The same, worked out once. A loop whose bound depends on itself has none. */
static bool remembered_count(ptx_affine_values *v, uint32_t exit, uint32_t iteration,
                             int64_t *times) {
  struct ptx_affine_known *known = &v->exits[exit];
  if (known->state == NEW) {
    known->state = BUSY;
    const bool fine =
        v->depth++ < MAX_DEPTH && exit_count(v, &v->a->exits[exit], iteration, &known->value);
    v->depth--;
    known->state = fine ? KNOWN : UNKNOWN;
  }
  *times = known->value;
  return known->state == KNOWN;
}

bool ptx_affine_last_iteration(ptx_affine_values *v, uint32_t header, uint32_t block,
                               int64_t *last) {
  const uint32_t iteration = ptx_atom_get(&v->a->forms, PTX_ATOM_ITERATION, header);
  *last = INT64_MAX;
  if (!iteration) return false;
  for (uint32_t i = 0; i < v->a->n_exits; i++) {
    const ptx_affine_exit *exit = &v->a->exits[i];
    int64_t times;
    if (exit->header != header || !remembered_count(v, i, iteration, &times)) continue;
    if (exit->stay != UINT32_MAX && ptx_ssa_dominates(v->a->ssa, exit->stay, block)) times--;
    if (times < *last) *last = times;
  }
  return *last != INT64_MAX;
}

bool ptx_affine_highest(ptx_affine_values *v, uint32_t id, uint32_t block, int64_t *high) {
  const ptx_atom *atom = &v->a->forms.atoms[id];
  switch (atom->kind) {
  case PTX_ATOM_TID:
    return *high = (int64_t)v->block[atom->id] - 1, true;
  case PTX_ATOM_CTAID:
    return *high = (int64_t)v->grid[atom->id] - 1, true;
  case PTX_ATOM_ITERATION:
    return ptx_affine_last_iteration(v, atom->id, block, high);
  default:
    return false;
  }
}
