#include "sim/ptx/affine_form.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

/* ---- atoms ---- */
void ptx_forms_init(ptx_forms *f) {
  *f = (ptx_forms){.n_atoms = 1, .n_slots = 64, .capacity = 64};
  f->atoms = wf_calloc(f->capacity, sizeof *f->atoms);
  f->slots = wf_calloc(f->n_slots, sizeof *f->slots);
}

void ptx_forms_free(ptx_forms *f) {
  ptx_arena_free(&f->arena);
  free(f->atoms);
  free(f->slots);
}

static uint32_t slot_of(const ptx_forms *f, unsigned kind, uint32_t id) {
  uint32_t at = (id * 2654435761u ^ kind * 40503u) & (f->n_slots - 1);
  while (f->slots[at] && (f->atoms[f->slots[at]].kind != kind || f->atoms[f->slots[at]].id != id))
    at = (at + 1) & (f->n_slots - 1);
  return at;
}

static void grow(ptx_forms *f) {
  f->capacity *= 2;
  f->atoms = wf_realloc(f->atoms, f->capacity, sizeof *f->atoms);
  free(f->slots);
  f->n_slots *= 2;
  f->slots = wf_calloc(f->n_slots, sizeof *f->slots);
  for (uint32_t a = 1; a < f->n_atoms; a++)
    f->slots[slot_of(f, f->atoms[a].kind, f->atoms[a].id)] = a;
}

uint32_t ptx_atom_find(ptx_forms *f, ptx_atom_kind kind, uint32_t id) {
  uint32_t at = slot_of(f, kind, id);
  if (f->slots[at]) return f->slots[at];
  if (f->n_atoms * 2 > f->n_slots || f->n_atoms == f->capacity) {
    grow(f);
    at = slot_of(f, kind, id);
  }
  f->atoms[f->n_atoms] = (ptx_atom){.kind = (uint8_t)kind, .id = id};
  return f->slots[at] = f->n_atoms++;
}

uint32_t ptx_atom_get(const ptx_forms *f, ptx_atom_kind kind, uint32_t id) {
  return f->slots[slot_of(f, kind, id)];
}

/* ---- a form being made ---- */
typedef struct draft {
  bool fine;
  uint32_t n;
  ptx_term term[PTX_FORM_TERMS];
} draft;

static int order(const ptx_term *a, const ptx_term *b) {
  for (int k = 0; k < PTX_FORM_DEGREE; k++)
    if (a->atom[k] != b->atom[k]) return a->atom[k] < b->atom[k] ? -1 : 1;
  return 0;
}

static void put(draft *d, const ptx_term *t) {
  uint32_t at = 0;
  if (!t->factor || !d->fine) return;
  while (at < d->n && order(&d->term[at], t) < 0) at++;
  if (at < d->n && order(&d->term[at], t) == 0) {
    if (__builtin_add_overflow(d->term[at].factor, t->factor, &d->term[at].factor)) d->fine = false;
    if (d->term[at].factor == 0)
      memmove(&d->term[at], &d->term[at + 1], (--d->n - at) * sizeof *d->term);
    return;
  }
  if (d->n == PTX_FORM_TERMS) {
    d->fine = false;
    return;
  }
  memmove(&d->term[at + 1], &d->term[at], (d->n++ - at) * sizeof *d->term);
  d->term[at] = *t;
}

static const ptx_form *keep(ptx_forms *f, const draft *d) {
  if (!d->fine) return NULL;
  ptx_form *form = ptx_arena_small(&f->arena, sizeof *form + d->n * sizeof *d->term);
  form->n = d->n;
  memcpy(form->term, d->term, d->n * sizeof *d->term);
  return form;
}

static void put_scaled(draft *d, const ptx_form *a, int64_t scale) {
  for (uint32_t i = 0; i < a->n; i++) {
    ptx_term t = a->term[i];
    if (__builtin_mul_overflow(t.factor, scale, &t.factor)) d->fine = false;
    put(d, &t);
  }
}

/* The product of two terms; false if it has too many atoms, or overflows. */
static bool multiply(const ptx_term *a, const ptx_term *b, ptx_term *product) {
  unsigned i = 0, j = 0, n = 0;
  *product = (ptx_term){0};
  if (__builtin_mul_overflow(a->factor, b->factor, &product->factor)) return false;
  for (;;) {
    const uint32_t x = i < PTX_FORM_DEGREE ? a->atom[i] : 0,
                   y = j < PTX_FORM_DEGREE ? b->atom[j] : 0;
    if (!x && !y) return true;
    if (n == PTX_FORM_DEGREE) return false;
    product->atom[n++] = x >= y ? x : y;
    if (x >= y)
      i++;
    else
      j++;
  }
}

static void put_product(draft *d, const ptx_form *a, const ptx_form *b) {
  for (uint32_t i = 0; i < a->n && d->fine; i++)
    for (uint32_t j = 0; j < b->n && d->fine; j++) {
      ptx_term t;
      d->fine &= multiply(&a->term[i], &b->term[j], &t);
      if (d->fine) put(d, &t);
    }
}

const ptx_form *ptx_form_number(ptx_forms *f, int64_t number) {
  draft d = {.fine = true};
  put(&d, &(ptx_term){.factor = number});
  return keep(f, &d);
}

const ptx_form *ptx_form_atom(ptx_forms *f, uint32_t atom) {
  draft d = {.fine = true, .n = 1, .term = {{.factor = 1, .atom = {atom}}}};
  return keep(f, &d);
}

const ptx_form *ptx_form_sum(ptx_forms *f, const ptx_form *a, const ptx_form *b, int64_t scale) {
  draft d = {.fine = a && b};
  if (!d.fine) return NULL;
  put_scaled(&d, a, 1);
  put_scaled(&d, b, scale);
  return keep(f, &d);
}

const ptx_form *ptx_form_product(ptx_forms *f, const ptx_form *a, const ptx_form *b) {
  draft d = {.fine = a && b};
  if (!d.fine) return NULL;
  put_product(&d, a, b);
  return keep(f, &d);
}

const ptx_form *ptx_form_shifted_down(ptx_forms *f, const ptx_form *a, unsigned bits) {
  draft d = {.fine = a && bits < 63};
  for (uint32_t i = 0; d.fine && i < a->n; i++) {
    ptx_term t = a->term[i];
    d.fine = (t.factor & (((int64_t)1 << bits) - 1)) == 0;
    t.factor >>= bits;
    put(&d, &t);
  }
  return d.fine ? keep(f, &d) : NULL;
}

/* ---- looking at forms ---- */
bool ptx_form_same(const ptx_form *a, const ptx_form *b) {
  if (!a || !b || a->n != b->n) return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->term[i].factor != b->term[i].factor || order(&a->term[i], &b->term[i]) != 0)
      return false;
  return true;
}

bool ptx_form_is_number(const ptx_form *a, int64_t *number) {
  if (!a || a->n > 1 || (a->n && a->term[0].atom[0])) return false;
  *number = a->n ? a->term[0].factor : 0;
  return true;
}

static bool has_atom(const ptx_term *t, uint32_t atom) {
  for (int k = 0; k < PTX_FORM_DEGREE; k++)
    if (t->atom[k] == atom) return true;
  return false;
}

/* t without one occurrence of the atom. */
static ptx_term without(const ptx_term *t, uint32_t atom) {
  ptx_term rest = {.factor = t->factor};
  bool gone = false;
  for (int k = 0, n = 0; k < PTX_FORM_DEGREE; k++) {
    if (t->atom[k] == atom && !gone)
      gone = true;
    else
      rest.atom[n++] = t->atom[k];
  }
  return rest;
}

const ptx_form *ptx_form_replace(ptx_forms *f, const ptx_form *a, uint32_t atom,
                                 const ptx_form *b) {
  for (int power = 0; power < PTX_FORM_DEGREE && a && b; power++) {
    draft d = {.fine = true};
    bool found = false;
    for (uint32_t i = 0; i < a->n && d.fine; i++) {
      if (!has_atom(&a->term[i], atom)) {
        put(&d, &a->term[i]);
        continue;
      }
      found = true;
      const ptx_term rest = without(&a->term[i], atom);
      for (uint32_t j = 0; j < b->n && d.fine; j++) {
        ptx_term t;
        d.fine &= multiply(&rest, &b->term[j], &t);
        if (d.fine) put(&d, &t);
      }
    }
    if (!found) return a;
    a = keep(f, &d);
  }
  return NULL;
}

static bool product_of_bounds(int64_t *low, int64_t *high, int64_t l, int64_t h) {
  int64_t corner[4];
  bool bad = __builtin_mul_overflow(*low, l, &corner[0]);
  bad |= __builtin_mul_overflow(*low, h, &corner[1]);
  bad |= __builtin_mul_overflow(*high, l, &corner[2]);
  bad |= __builtin_mul_overflow(*high, h, &corner[3]);
  *low = *high = corner[0];
  for (int k = 1; k < 4; k++) {
    if (corner[k] < *low) *low = corner[k];
    if (corner[k] > *high) *high = corner[k];
  }
  return !bad;
}

bool ptx_form_bounds(const ptx_forms *f, const ptx_form *a, int64_t *low, int64_t *high) {
  *low = *high = 0;
  for (uint32_t i = 0; a && i < a->n; i++) {
    int64_t l = a->term[i].factor, h = l;
    for (int k = 0; k < PTX_FORM_DEGREE && a->term[i].atom[k]; k++) {
      const ptx_atom *atom = &f->atoms[a->term[i].atom[k]];
      if (!atom->bounded || !product_of_bounds(&l, &h, atom->low, atom->high)) return false;
    }
    if (__builtin_add_overflow(*low, l, low) || __builtin_add_overflow(*high, h, high))
      return false;
  }
  return a;
}

unsigned ptx_form_zeros(const ptx_forms *f, const ptx_form *a) {
  unsigned least = 64;
  for (uint32_t i = 0; a && i < a->n; i++) {
    unsigned zeros = (unsigned)__builtin_ctzll((unsigned long long)a->term[i].factor);
    for (int k = 0; k < PTX_FORM_DEGREE && a->term[i].atom[k]; k++)
      zeros += f->atoms[a->term[i].atom[k]].zeros;
    if (zeros < least) least = zeros;
  }
  return a ? least : 0;
}

bool ptx_form_only(const ptx_forms *f, const ptx_form *a, unsigned kinds) {
  for (uint32_t i = 0; a && i < a->n; i++)
    for (int k = 0; k < PTX_FORM_DEGREE && a->term[i].atom[k]; k++) {
      const ptx_atom *atom = &f->atoms[a->term[i].atom[k]];
      if (!(kinds >> atom->kind & 1) || (atom->kind == PTX_ATOM_OPERATOR && !atom->uniform))
        return false;
    }
  return a;
}
