/* Classes of loads from their forms, and forms as text. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/affine_private.h"
#include "sim/ptx/types.h"

enum { MAX_WALK = 256, MAX_LOOK = 6, MAX_FORMS = 8 };

const char *ptx_affine_class_name(unsigned cls) {
  static const char *const names[] = {"static", "quasi-static", "none"};
  return cls < PTX_AFFINE_CLASSES ? names[cls] : "?";
}

const char *ptx_affine_cause_name(unsigned cause) {
  static const char *const names[] = {"-", "induction", "indirect", "control", "operator"};
  return cause < PTX_CAUSES ? names[cause] : "?";
}

/* ---- what a form is made of ---- */
typedef struct content {
  unsigned causes; /* 1 << ptx_affine_cause */
  bool ids;        /* tid, ctaid */
  bool possible;   /* nothing opaque, all loops bounded */
  unsigned needs;
} content;

static bool is_bounded(const ptx_affine *a, uint32_t header) {
  for (uint32_t i = 0; i < a->n_exits; i++)
    if (a->exits[i].header == header) return true;
  return false;
}

static void add_atom(const ptx_affine *a, const ptx_atom *atom, content *c) {
  if (atom->cause) c->causes |= 1u << atom->cause;
  switch (atom->kind) {
  case PTX_ATOM_TID:
  case PTX_ATOM_CTAID:
    c->ids = true;
    break;
  case PTX_ATOM_ITERATION:
    c->needs |= PTX_RELAX_LOOPS;
    c->possible = c->possible && is_bounded(a, atom->id);
    break;
  case PTX_ATOM_CHOICE:
    c->needs |= PTX_RELAX_CHOICES;
    break;
  case PTX_ATOM_OPERATOR:
    c->needs |= PTX_RELAX_OPERATORS;
    c->possible = c->possible && atom->uniform;
    break;
  case PTX_ATOM_LOADED:
  case PTX_ATOM_MEETING:
    c->possible = false;
    break;
  default:
    break;
  }
}

/* Choices count with all that they choose from. */
static content look_into(const ptx_affine *a, const ptx_form *address) {
  content c = {.possible = true};
  const ptx_form *list[MAX_WALK] = {address};
  uint32_t seen[MAX_WALK], n_seen = 0, n = 1;
  for (uint32_t at = 0; at < n; at++) {
    if (!list[at]) {
      c.causes |= 1u << PTX_CAUSE_OPERATOR;
      c.possible = false;
      continue;
    }
    for (uint32_t i = 0; i < list[at]->n; i++)
      for (int k = 0; k < PTX_FORM_DEGREE && list[at]->term[i].atom[k]; k++) {
        const uint32_t id = list[at]->term[i].atom[k];
        const ptx_atom *atom = &a->forms.atoms[id];
        add_atom(a, atom, &c);
        uint32_t s = 0;
        while (s < n_seen && seen[s] != id) s++;
        if (atom->kind != PTX_ATOM_CHOICE || s < n_seen) continue;
        if (n_seen == MAX_WALK || n + atom->n_args > MAX_WALK) {
          c.possible = false;
          continue;
        }
        seen[n_seen++] = id;
        for (uint32_t x = 0; x < atom->n_args; x++) list[n++] = atom->args[x];
      }
  }
  return c;
}

static uint8_t first_cause(unsigned causes) {
  static const uint8_t order[] = {PTX_CAUSE_OPERATOR, PTX_CAUSE_INDIRECT, PTX_CAUSE_CONTROL,
                                  PTX_CAUSE_INDUCTION};
  for (size_t i = 0; i < sizeof order; i++)
    if (causes >> order[i] & 1) return order[i];
  return PTX_CAUSE_NONE;
}

/* ---- arrays ---- */
/* Whether an atom is a parameter, or part of one, that may be a pointer: its offset, or -1. */
static int32_t pointer_at(const ptx_atom *atom) {
  if (atom->kind != PTX_ATOM_PARAM || ptx_type_bytes((ptx_type)(atom->id & 255)) != 8) return -1;
  return (int32_t)(atom->id >> 8);
}

static int32_t array_of(const ptx_affine *a, const ptx_form *address, int looks) {
  int32_t found = -1;
  for (; looks > 0 && address; looks--) {
    const ptx_form *next = NULL;
    for (uint32_t i = 0; i < address->n; i++) {
      const ptx_term *t = &address->term[i];
      if (t->factor != 1 || !t->atom[0] || t->atom[1]) continue;
      const ptx_atom *atom = &a->forms.atoms[t->atom[0]];
      const int32_t p = pointer_at(atom);
      if (p >= 0 && (found < 0 || atom->pointer)) found = p;
      if ((atom->kind == PTX_ATOM_MEETING || atom->kind == PTX_ATOM_CHOICE) && atom->n_args)
        next = atom->args[0];
      for (uint32_t x = 1; next && atom->kind == PTX_ATOM_CHOICE && x < atom->n_args; x++)
        if (array_of(a, atom->args[x], looks - 2) != array_of(a, next, looks - 2)) next = NULL;
    }
    if (found >= 0) break;
    address = next;
  }
  return found;
}

int32_t ptx_affine_array(const ptx_affine *a, const ptx_form *address) {
  return array_of(a, address, MAX_LOOK);
}

/* ---- loads ---- */
static bool is_global(const ptx_inst *i) {
  return i->space == PTX_SPACE_GLOBAL || i->space == PTX_SPACE_GLOBAL_NC ||
         i->space == PTX_SPACE_GENERIC;
}

static ptx_affine_load classify(const ptx_affine *a, ptx_pc pc) {
  const ptx_inst *inst = &a->k->insts[pc];
  ptx_affine_load l = {.pc = pc, .line = inst->line, .array = -1, .uncached = inst->bypass_l1};
  const content c = look_into(a, a->ssa ? a->address[pc] : NULL);
  l.cause = first_cause(c.causes);
  l.cls = l.cause ? PTX_AFFINE_NONE : c.ids ? PTX_AFFINE_QUASI : PTX_AFFINE_STATIC;
  l.possible = c.possible;
  l.needs = (uint8_t)(c.possible ? c.needs : 0);
  if (a->ssa) l.array = ptx_affine_array(a, a->address[pc]);
  return l;
}

/* Which arrays are read, and which are written. */
static void find_arrays(ptx_affine *a) {
  const uint32_t n = a->k->param_bytes;
  bool *touched = wf_calloc((size_t)n + 1, sizeof *touched),
       *written = wf_calloc((size_t)n + 1, sizeof *written);
  for (ptx_pc i = 0; a->ssa && i < a->k->n_insts; i++) {
    const ptx_inst *inst = &a->k->insts[i];
    const bool load = inst->cls == PTX_CLASS_LOAD;
    if ((!load && inst->cls != PTX_CLASS_STORE && inst->cls != PTX_CLASS_ATOMIC) ||
        !is_global(inst))
      continue;
    const int32_t array = ptx_affine_array(a, a->address[i]);
    if (array >= 0) touched[array] = true;
    if (!load) written[array >= 0 ? (uint32_t)array : n] = true;
  }
  for (uint32_t i = 0; i < n; i++) a->arrays += touched[i];
  for (uint32_t i = 0; i < a->n_loads; i++)
    a->loads[i].written = written[a->loads[i].array >= 0 ? (uint32_t)a->loads[i].array : n];
  free(touched);
  free(written);
}

static void list_loads(ptx_affine *a) {
  uint32_t n = 0;
  for (ptx_pc i = 0; i < a->k->n_insts; i++)
    n += a->k->insts[i].cls == PTX_CLASS_LOAD && is_global(&a->k->insts[i]);
  a->loads = wf_calloc((size_t)n + 1, sizeof *a->loads);
  for (ptx_pc i = 0; i < a->k->n_insts; i++)
    if (a->k->insts[i].cls == PTX_CLASS_LOAD && is_global(&a->k->insts[i]))
      a->loads[a->n_loads++] = classify(a, i);
}

/* ---- choices made ---- */

/* The forms that an address may take, into list; 0 if there are more than MAX_FORMS, or an unknown
 * one. */
static uint32_t expand(ptx_affine *a, const ptx_form *address, const ptx_form *list[MAX_FORMS]) {
  uint32_t n = 1, at = 0;
  list[0] = address;
  while (at < n) {
    const ptx_form *form = list[at];
    uint32_t choice = 0;
    for (uint32_t i = 0; form && i < form->n; i++)
      for (int k = 0; k < PTX_FORM_DEGREE && form->term[i].atom[k]; k++)
        if (a->forms.atoms[form->term[i].atom[k]].kind == PTX_ATOM_CHOICE)
          choice = form->term[i].atom[k];
    if (!form) return 0;
    if (!choice) {
      at++;
      continue;
    }
    const ptx_atom *atom = &a->forms.atoms[choice];
    if (n - 1 + atom->n_args > MAX_FORMS || !atom->n_args) return 0;
    for (uint32_t x = 0; x < atom->n_args; x++)
      list[x ? n++ : at] = ptx_form_replace(&a->forms, form, choice, atom->args[x]);
  }
  return n;
}

static void expand_all(ptx_affine *a) {
  a->first_form = wf_calloc((size_t)a->n_loads + 1, sizeof *a->first_form);
  a->forms_of = wf_calloc((size_t)a->n_loads * MAX_FORMS + 1, sizeof *a->forms_of);
  for (uint32_t i = 0; i < a->n_loads; i++) {
    const ptx_form **list = a->forms_of + a->first_form[i];
    const uint32_t n = a->loads[i].possible ? expand(a, a->address[a->loads[i].pc], list) : 0;
    if (!n) a->loads[i].possible = false, a->loads[i].needs = 0;
    a->first_form[i + 1] = a->first_form[i] + n;
  }
}

ptx_affine *ptx_affine_analyse(const ptx_kernel *k) {
  ptx_affine *a = wf_calloc(1, sizeof *a);
  a->k = k;
  ptx_forms_init(&a->forms);
  a->ssa = ptx_ssa_create(k);
  if (a->ssa) {
    a->value = wf_calloc(a->ssa->n_names, sizeof *a->value);
    a->compared = wf_calloc(2 * (size_t)k->n_insts + 1, sizeof *a->compared);
    a->address = wf_calloc((size_t)k->n_insts + 1, sizeof *a->address);
    a->step = wf_calloc(a->ssa->first_result, sizeof *a->step);
    a->given_up = wf_calloc(a->ssa->first_result, sizeof *a->given_up);
    ptx_affine_eval(a);
    ptx_affine_find_exits(a);
  }
  list_loads(a);
  find_arrays(a);
  expand_all(a);
  return a;
}

void ptx_affine_destroy(ptx_affine *a) {
  if (!a) return;
  ptx_ssa_destroy(a->ssa);
  ptx_forms_free(&a->forms);
  free(a->value);
  free(a->compared);
  free(a->address);
  free(a->step);
  free(a->given_up);
  free(a->exits);
  free(a->loads);
  free(a->forms_of);
  free(a->first_form);
  free(a);
}

const ptx_kernel *ptx_affine_kernel(const ptx_affine *a) {
  return a->k;
}

const ptx_affine_load *ptx_affine_loads(const ptx_affine *a, uint32_t *count) {
  *count = a->n_loads;
  return a->loads;
}

const ptx_affine_load *ptx_affine_at(const ptx_affine *a, ptx_pc pc) {
  uint32_t low = 0, high = a->n_loads;
  while (low < high) {
    const uint32_t mid = low + (high - low) / 2;
    if (a->loads[mid].pc < pc)
      low = mid + 1;
    else
      high = mid;
  }
  return low < a->n_loads && a->loads[low].pc == pc ? &a->loads[low] : NULL;
}

ptx_affine_totals ptx_affine_count(const ptx_affine *a) {
  ptx_affine_totals t = {.arrays = a->arrays, .loads = a->n_loads};
  for (uint32_t i = 0; i < a->n_loads; i++) {
    const ptx_affine_load *l = &a->loads[i];
    t.by_class[l->cls]++;
    if (l->cls != PTX_AFFINE_NONE) continue;
    t.by_cause[l->cause]++;
    t.bounded += l->cause == PTX_CAUSE_INDUCTION && l->possible;
    t.relaxed += l->possible;
  }
  return t;
}

void ptx_affine_add(ptx_affine_totals *sum, const ptx_affine_totals *more) {
  sum->arrays += more->arrays;
  sum->loads += more->loads;
  sum->bounded += more->bounded;
  sum->relaxed += more->relaxed;
  for (int i = 0; i < PTX_AFFINE_CLASSES; i++) sum->by_class[i] += more->by_class[i];
  for (int i = 0; i < PTX_CAUSES; i++) sum->by_cause[i] += more->by_cause[i];
}

/* ---- text ---- */
typedef struct writer {
  char *text;
  size_t bytes, at;
} writer;

static void say(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(w->text + w->at, w->bytes - w->at, format, args);
  va_end(args);
  if (n > 0) w->at += (size_t)n < w->bytes - w->at ? (size_t)n : w->bytes - w->at - 1;
}

/* clang names parameters KERNEL_param_N; of a structure the offset is told, too. */
static void say_param(const ptx_kernel *k, uint32_t offset, writer *w) {
  for (uint32_t i = 0; i < k->n_params; i++) {
    if (offset < k->params[i].offset || offset >= k->params[i].offset + k->params[i].bytes)
      continue;
    const size_t n = strlen(k->name);
    const char *name = k->params[i].name;
    say(w, "%s", strncmp(name, k->name, n) == 0 && name[n] == '_' ? name + n + 1 : name);
    if (k->params[i].bytes > 8) say(w, "[%u]", offset - k->params[i].offset);
  }
}

void ptx_affine_array_text(const ptx_affine *a, const ptx_affine_load *load, char *text,
                           size_t bytes) {
  writer w = {text, bytes, 0};
  if (!bytes) return;
  text[0] = 0;
  if (load->array < 0)
    say(&w, "-");
  else
    say_param(a->k, (uint32_t)load->array, &w);
}

static void say_atom(const ptx_affine *a, const ptx_atom *atom, writer *w) {
  static const char *const ids[] = {[PTX_ATOM_NTID] = "ntid",
                                    [PTX_ATOM_NCTAID] = "nctaid",
                                    [PTX_ATOM_TID] = "tid",
                                    [PTX_ATOM_CTAID] = "ctaid"};
  const unsigned line = atom->pc < a->k->n_insts ? a->k->insts[atom->pc].line : 0;
  switch (atom->kind) {
  case PTX_ATOM_PARAM:
    say_param(a->k, atom->id >> 8, w);
    break;
  case PTX_ATOM_NTID:
  case PTX_ATOM_NCTAID:
  case PTX_ATOM_TID:
  case PTX_ATOM_CTAID:
    say(w, "%s.%c", ids[atom->kind], "xyz"[atom->id]);
    break;
  case PTX_ATOM_ITERATION:
    say(w, "iteration(%u)", line);
    break;
  case PTX_ATOM_MEETING:
    say(w, "loop(%u)", line);
    break;
  case PTX_ATOM_CHOICE:
    say(w, "%s(%u)", atom->choice_of_order ? "order" : "choice", line);
    break;
  case PTX_ATOM_LOADED:
    say(w, "loaded(%u)", line);
    break;
  default:
    say(w, "%s(%u)", atom->uniform ? "known" : "operator", line);
    break;
  }
}

/* Where a term stands in the text: the pointer, what ctaid, tid and loops add, the rest, the
 * number. */
enum { PLACES = 6 };
static int place_of(const ptx_affine *a, const ptx_term *t) {
  unsigned kinds = 0;
  for (int k = 0; k < PTX_FORM_DEGREE && t->atom[k]; k++)
    kinds |= 1u << a->forms.atoms[t->atom[k]].kind;
  if (!t->atom[0]) return PLACES - 1;
  if (t->factor == 1 && !t->atom[1] && pointer_at(&a->forms.atoms[t->atom[0]]) >= 0) return 0;
  if (kinds & 1u << PTX_ATOM_CTAID) return 1;
  if (kinds & 1u << PTX_ATOM_TID) return 2;
  return kinds & ~(unsigned)PTX_KINDS_LAUNCH ? 3 : 4;
}

static void say_term(const ptx_affine *a, const ptx_term *term, writer *w) {
  const uint64_t size = term->factor < 0 ? 0 - (uint64_t)term->factor : (uint64_t)term->factor;
  say(w, "%s", w->at == 0 ? (term->factor < 0 ? "-" : "") : term->factor < 0 ? " - " : " + ");
  if (size != 1 || !term->atom[0]) say(w, "%" PRIu64 "%s", size, term->atom[0] ? " " : "");
  for (int k = 0; k < PTX_FORM_DEGREE && term->atom[k]; k++) {
    if (k) say(w, "*");
    say_atom(a, &a->forms.atoms[term->atom[k]], w);
  }
}

void ptx_affine_text(const ptx_affine *a, uint32_t i, char *text, size_t bytes) {
  writer w = {text, bytes, 0};
  if (!bytes) return;
  text[0] = 0;
  const ptx_form *form = a->ssa && i < a->n_loads ? a->address[a->loads[i].pc] : NULL;
  if (!form)
    say(&w, "?");
  else if (!form->n)
    say(&w, "0");
  for (int place = 0; form && place < PLACES; place++)
    for (uint32_t t = form->n; t-- > 0;)
      if (place_of(a, &form->term[t]) == place) say_term(a, &form->term[t], &w);
}
