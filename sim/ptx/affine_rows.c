/* Rows of the preload table for one launch: each load's form becomes one or more ranges of bytes,
 * linear in ctaid; ranges with the same products that touch become one; those of one size at one
 * distance become a tile, which is one row. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/ptx/affine_private.h"

enum { MAX_ROWS = 1024, MAX_LOCALS = PTX_FORM_TERMS };
static const int64_t far_away = (int64_t)1 << 48; /* no address differs from another by more */

/* Bytes low..high in thread block 0; each of ctaid's components adds its products. */
typedef struct span {
  int64_t low, high, low_product[3], high_product[3];
  uint32_t element; /* bytes that the load reads */
  uint32_t loads;   /* that it serves */
  uint32_t load;    /* one of them */
  uint32_t range;   /* that it is part of, or is, once merged */
  uint32_t more;    /* further ranges like it, each pitch bytes behind the one before */
  int64_t pitch;
  bool plain; /* one of them needs no relaxation */
  bool kept;
} span;

/* A step over the threads of a block, or the iterations of a loop: factor * 0..n - 1. */
typedef struct local {
  int64_t factor, n;
} local;

typedef struct maker {
  const ptx_affine *a;
  ptx_affine_values values;
  ptx_affine_table table;
  span *spans;
  size_t n, capacity;
  const char *reason; /* why the load looked at has no rows */
} maker;

static bool refuse(maker *m, const char *reason) {
  m->reason = reason;
  return false;
}

/* ---- one form ---- */
typedef struct shape {
  span first;
  local locals[MAX_LOCALS];
  uint32_t n_locals;
  bool empty; /* it does not run in this launch */
} shape;

static bool grow(int64_t *sum, int64_t factor, int64_t times) {
  int64_t product;
  return !__builtin_mul_overflow(factor, times, &product) &&
         !__builtin_add_overflow(*sum, product, sum) && *sum<far_away && * sum> - far_away;
}

static bool add_term(maker *m, shape *s, const ptx_affine_open *t, uint32_t block) {
  int axis = -1, n = 0;
  int64_t reach = 1, top;
  for (int k = 0; k < PTX_FORM_DEGREE && t->atom[k]; k++) {
    const ptx_atom *atom = &m->a->forms.atoms[t->atom[k]];
    if (atom->kind == PTX_ATOM_CTAID) {
      if (axis >= 0) return refuse(m, "blockIdx to a higher degree than the first");
      axis = (int)atom->id;
      continue;
    }
    if (!ptx_affine_highest(&m->values, t->atom[k], block, &top))
      return refuse(m, "a loop whose bound is not known at launch");
    if (top < 0) s->empty = true;
    if (__builtin_mul_overflow(reach, top, &reach)) return refuse(m, "a range too large");
    n++;
  }
  bool fine = true;
  if (axis >= 0) {
    if (n == 0 || t->factor < 0)
      fine &= grow(&s->first.low_product[axis], t->factor, n ? reach : 1);
    if (n == 0 || t->factor > 0)
      fine &= grow(&s->first.high_product[axis], t->factor, n ? reach : 1);
  } else if (n == 1) {
    if (reach > 0) s->locals[s->n_locals++] = (local){t->factor, reach + 1};
  } else {
    fine = grow(t->factor < 0 ? &s->first.low : &s->first.high, t->factor, reach);
  }
  return fine || refuse(m, "a range too large");
}

static bool shape_of(maker *m, const ptx_form *form, uint32_t load, shape *s) {
  const ptx_pc pc = m->a->loads[load].pc;
  const ptx_inst *inst = &m->a->k->insts[pc];
  ptx_affine_residue r;
  *s = (shape){.first = {.element = (uint32_t)inst->bytes * inst->vec,
                         .load = load,
                         .loads = 1,
                         .plain = !m->a->loads[load].needs}};
  if (!ptx_affine_reduce(&m->values, form, &r))
    return refuse(m, "a value that is not known at launch");
  if (r.number < 0 || r.number >= far_away) return refuse(m, "an address out of reach");
  s->first.low = r.number;
  s->first.high = r.number + s->first.element - 1;
  for (uint32_t i = 0; i < r.n; i++)
    if (!add_term(m, s, &r.term[i], m->a->ssa->cfg->block_of[pc])) return false;
  return true;
}

/* ---- its ranges ---- */
static int by_factor(const void *a, const void *b) {
  const int64_t x = ((const local *)a)->factor, y = ((const local *)b)->factor;
  return x < y ? -1 : x > y;
}

static bool make_positive(maker *m, shape *s) {
  for (uint32_t i = 0; i < s->n_locals; i++) {
    if (s->locals[i].factor > 0) continue;
    if (!grow(&s->first.low, s->locals[i].factor, s->locals[i].n - 1) ||
        !grow(&s->first.high, s->locals[i].factor, s->locals[i].n - 1))
      return refuse(m, "a range too large");
    s->locals[i].factor = -s->locals[i].factor;
  }
  qsort(s->locals, s->n_locals, sizeof *s->locals, by_factor);
  return true;
}

static bool stretch(maker *m, span *s, const local *l) {
  return grow(&s->high, l->factor, l->n - 1) || refuse(m, "a range too large");
}

static void add_span(maker *m, const span *s) {
  if (m->n == m->capacity)
    m->spans =
        wf_realloc(m->spans, m->capacity = m->capacity ? 2 * m->capacity : 64, sizeof *m->spans);
  m->spans[m->n++] = *s;
}

static void add_spans(maker *m, span s, const local *apart, uint32_t n) {
  if (!n) {
    add_span(m, &s);
    return;
  }
  for (int64_t i = 0; i < apart[n - 1].n; i++) {
    add_spans(m, s, apart, n - 1);
    s.low += apart[n - 1].factor;
    s.high += apart[n - 1].factor;
  }
}

/* Steps that leave no block untouched between two places make one range; each place of the others
 * has a range of its own, if that is not too many, else one range over all of them, if it is not
 * too sparse. */
static bool make_spans(maker *m, shape *s) {
  const int64_t line = m->table.line_bytes;
  uint32_t at = 0;
  if (!make_positive(m, s)) return false;
  for (; at < s->n_locals && s->locals[at].factor - (s->first.high - s->first.low + 1) < line; at++)
    if (!stretch(m, &s->first, &s->locals[at])) return false;
  int64_t places = 1;
  span all = s->first;
  for (uint32_t i = at; i < s->n_locals; i++) {
    if (!stretch(m, &all, &s->locals[i])) return false;
    if (__builtin_mul_overflow(places, s->locals[i].n, &places))
      return refuse(m, "too many ranges too far apart");
  }
  if (places <= m->table.rows) {
    add_spans(m, s->first, s->locals + at, s->n_locals - at);
    return true;
  }
  const int64_t blocks_each = (s->first.high - s->first.low) / line + 1,
                blocks_all = (all.high - all.low) / line + 1;
  if (places < far_away / blocks_each && blocks_all <= blocks_each * places * m->table.waste) {
    add_span(m, &all);
    return true;
  }
  return refuse(m, "too many ranges too far apart");
}

static bool spans_of_load(maker *m, uint32_t load) {
  const ptx_affine_load *l = &m->a->loads[load];
  if (m->table.only && m->table.only != l) return refuse(m, "not asked for");
  if (l->uncached) return refuse(m, "not cached: volatile");
  if (l->written && m->table.read_only) return refuse(m, "the kernel writes this array");
  if (!l->possible || (l->needs & ~m->table.relax))
    return refuse(m, l->cause ? ptx_affine_cause_name(l->cause) : "too many forms");
  for (uint32_t i = m->a->first_form[load]; i < m->a->first_form[load + 1]; i++) {
    shape s;
    if (!shape_of(m, m->a->forms_of[i], load, &s)) return false;
    if (!s.empty && !make_spans(m, &s)) return false;
  }
  return true;
}

/* ---- merging ---- */
static int by_products(const void *a, const void *b) {
  const span *x = a, *y = b;
  int order = memcmp(x->low_product, y->low_product, sizeof x->low_product);
  if (!order) order = memcmp(x->high_product, y->high_product, sizeof x->high_product);
  return order                ? order
         : x->low != y->low   ? (x->low < y->low ? -1 : 1)
         : x->high != y->high ? (x->high < y->high ? -1 : 1)
                              : 0;
}

/* First come loads that need no relaxation, then what serves most. */
static int by_use(const void *a, const void *b) {
  const span *x = a, *y = b;
  if (x->plain != y->plain) return x->plain ? -1 : 1;
  return x->loads != y->loads ? (x->loads > y->loads ? -1 : 1)
         : x->low < y->low    ? -1
                              : x->low > y->low;
}

static int by_address(const void *a, const void *b) {
  const span *x = a, *y = b;
  return x->low != y->low ? (x->low < y->low ? -1 : 1) : by_products(a, b);
}

static bool same_products(const span *a, const span *b) {
  return !memcmp(a->low_product, b->low_product, sizeof a->low_product) &&
         !memcmp(a->high_product, b->high_product, sizeof a->high_product);
}

/* Into merged[]; returns how many. */
static uint32_t merge(maker *m, span *merged) {
  uint32_t n = 0;
  for (size_t i = 0; i < m->n; i++) {
    span *s = &m->spans[i], *last = n ? &merged[n - 1] : NULL;
    if (!last || !same_products(last, s) || s->low - last->high > (int64_t)m->table.line_bytes) {
      s->range = n;
      merged[n++] = *s;
      continue;
    }
    s->range = n - 1;
    if (s->high > last->high) last->high = s->high;
    if (s->element < last->element) last->element = s->element;
    last->loads += s->load != last->load;
    last->plain |= s->plain;
    last->load = s->load;
  }
  return n;
}

/* ---- tiles ---- */
/* Is s the next line of the tile that begins with t? */
static bool continues(const ptx_affine_table *table, const span *t, const span *s) {
  const int64_t pitch = s->low - t->low - t->more * t->pitch;
  return same_products(t, s) && s->high - s->low == t->high - t->low && s->element == t->element &&
         s->plain == t->plain && t->more + 1 < table->lines && pitch > 0 &&
         (t->more ? pitch == t->pitch : !(pitch >> table->pitch_bits));
}

/* Of the merged ranges, in their order; returns how many there are then. */
static uint32_t make_tiles(maker *m, span *merged, uint32_t n) {
  uint32_t *tile_of = wf_calloc((size_t)n + 1, sizeof *tile_of), tiles = 0;
  for (uint32_t i = 0; i < n; i++) {
    const span s = merged[i];
    span *t = tiles ? &merged[tiles - 1] : NULL;
    if (t && continues(&m->table, t, &s)) {
      t->pitch = s.low - t->low - t->more * t->pitch;
      t->more++;
      if (s.loads > t->loads) t->loads = s.loads;
    } else {
      merged[tiles] = s;
      merged[tiles].range = tiles;
      tiles++;
    }
    tile_of[i] = tiles - 1;
  }
  for (size_t i = 0; i < m->n; i++) m->spans[i].range = tile_of[m->spans[i].range];
  free(tile_of);
  return tiles;
}

/* ---- rows ---- */
static bool fits(int64_t value, uint32_t bits) {
  return value >= -((int64_t)1 << (bits - 1)) && value < (int64_t)1 << (bits - 1);
}

static bool encode_with(const span *s, const ptx_affine_table *t, int64_t element,
                        wf_preload_row *row) {
  const int64_t last = (s->high - s->low) /
                       element; /* of the element with the last byte, if the range began there */
  *row = (wf_preload_row){.base = (uint64_t)s->low,
                          .element_bytes = (uint32_t)element,
                          .max_offset = (int32_t)last,
                          .pitch = (uint32_t)s->pitch,
                          .more = s->more};
  if (!fits(last, t->prod_bits)) return false;
  for (int d = 0; d < 3; d++) {
    if (s->low_product[d] % element || s->high_product[d] % element) return false;
    const int64_t low = s->low_product[d] / element, high = s->high_product[d] / element;
    if (!fits(low, t->prod_bits) || !fits(high, t->prod_bits)) return false;
    row->min[d] = (int32_t)low;
    row->max[d] = (int32_t)high;
  }
  return true;
}

/* In elements of what the load reads, or else the smallest in which products and offsets fit. */
static const char *encode(const span *s, const ptx_affine_table *t, wf_preload_row *row) {
  const int64_t largest = ((int64_t)1 << t->size_bits) - 1;
  if (s->low < 0 || (t->addr_bits < 63 && s->low >> t->addr_bits))
    return "an address beyond the table's width";
  for (int64_t e = s->element; e <= largest; e++)
    if (encode_with(s, t, e, row)) return NULL;
  for (int64_t e = 1; e < s->element && e <= largest; e++)
    if (encode_with(s, t, e, row)) return NULL;
  return "products or offsets too wide for the table";
}

static ptx_affine_table with_defaults(const ptx_affine_table *t) {
  ptx_affine_table r = t ? *t : (ptx_affine_table){0};
  if (!r.rows) r.rows = WF_PRELOAD_ROWS;
  if (r.rows > MAX_ROWS) r.rows = MAX_ROWS;
  if (!r.line_bytes) r.line_bytes = 128;
  if (!r.size_bits || r.size_bits > 16) r.size_bits = 8;
  if (!r.prod_bits || r.prod_bits > 32) r.prod_bits = 16;
  if (!r.addr_bits) r.addr_bits = 32;
  if (!r.waste) r.waste = 4;
  if (!r.lines) r.lines = 1;
  if (!r.pitch_bits || r.pitch_bits > 31) r.pitch_bits = 20;
  return r;
}

/* The merged spans that become rows, in rows[]; the others' reasons, by range. */
static uint32_t choose(maker *m, span *merged, uint32_t n, wf_preload_row *rows,
                       const char **reasons, ptx_affine_made *made) {
  uint32_t kept = 0;
  qsort(merged, n, sizeof *merged, by_use);
  for (uint32_t i = 0; i < n; i++) {
    wf_preload_row row;
    const char **reason = &reasons[merged[i].range];
    *reason = encode(&merged[i], &m->table, &row);
    if (!*reason && kept == m->table.rows) *reason = "no place left in the table", made->over++;
    merged[i].kept = !*reason;
    kept += merged[i].kept;
  }
  const uint32_t line = m->table.line_bytes;
  span *sorted = wf_calloc((size_t)n + 1, sizeof *sorted);
  memcpy(sorted, merged, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, by_address);
  for (uint32_t i = 0, at = 0; i < n; i++) {
    if (!sorted[i].kept) continue;
    encode(&sorted[i], &m->table, &rows[at++]);
    for (uint32_t k = 0; k <= sorted[i].more; k++) {
      const uint64_t further = k * (uint64_t)sorted[i].pitch;
      made->bytes += (((uint64_t)sorted[i].high + further) / line -
                      ((uint64_t)sorted[i].low + further) / line + 1) *
                     line;
    }
  }
  free(sorted);
  return kept;
}

/* Loads that lost rows, and why. */
static void tell_fates(const maker *m, const char *const *reasons, ptx_affine_fate *fates) {
  uint32_t *behind = wf_calloc((size_t)m->a->n_loads + 1, sizeof *behind); /* its last row, and 1 */
  for (size_t i = 0; i < m->n; i++) {
    const span *s = &m->spans[i];
    if (reasons[s->range])
      fates[s->load].reason = reasons[s->range];
    else
      fates[s->load].rows += behind[s->load] != s->range + 1;
    behind[s->load] = s->range + 1;
  }
  free(behind);
}

static void make_all(maker *m, ptx_affine_fate *fates, wf_preload_row *rows,
                     ptx_affine_made *made) {
  for (uint32_t i = 0; i < m->a->n_loads; i++) {
    const size_t before = m->n;
    m->reason = "";
    if (!spans_of_load(m, i)) m->n = before;
    fates[i] = (ptx_affine_fate){.reason = m->reason};
  }
  span *merged = wf_calloc(m->n + 1, sizeof *merged);
  const char **reasons = wf_calloc(m->n + 1, sizeof *reasons);
  if (m->n) qsort(m->spans, m->n, sizeof *m->spans, by_products);
  const uint32_t n = make_tiles(m, merged, merge(m, merged));
  made->rows = choose(m, merged, n, rows, reasons, made);
  tell_fates(m, reasons, fates);
  for (uint32_t i = 0; i < m->a->n_loads; i++) made->left_out += fates[i].reason[0] != 0;
  free(merged);
  free(reasons);
}

ptx_affine_made ptx_affine_rows(const ptx_affine *a, const uint32_t grid[3],
                                const uint32_t block[3], const uint8_t *params,
                                const ptx_affine_table *table, wf_preload_row *rows,
                                ptx_affine_fate *fates) {
  maker m = {.a = a, .table = with_defaults(table)};
  ptx_affine_made made = {0};
  ptx_affine_fate *told = wf_calloc((size_t)a->n_loads + 1, sizeof *told);
  ptx_affine_values_init(&m.values, a, grid, block, params);
  make_all(&m, told, rows, &made);
  if (fates && a->n_loads) memcpy(fates, told, a->n_loads * sizeof *fates);
  ptx_affine_values_free(&m.values);
  free(m.spans);
  free(told);
  return made;
}
