/* --cache=auto: a compiler's pass in the place of the programmer's cache directive. It looks for
 * sequential loops in which a block's threads read parts of arrays that are known before the loop
 * begins, small enough for shared memory, and each element more than once. Subscripts must be sums
 * of constants times variables, the loops' counts numbers; arrays are those that the kernel only
 * reads. */
#include <stdlib.h>
#include <string.h>

#include "sim/acc/tile.h"

enum { MAX_TERMS = 6, MAX_FOUND = 8, MAX_TILE_BYTES = 8 << 10, MIN_READS = 4 };

/* constant + sum of factor * variable */
typedef struct linear {
  long constant;
  unsigned n;
  struct {
    acc_symbol symbol;
    long factor;
  } terms[MAX_TERMS];
} linear;

/* What one array needs in a loop. */
typedef struct part {
  acc_symbol symbol;
  linear lower[ACC_MAX_RANGES];
  long length[ACC_MAX_RANGES];
  long reads; /* of a thread */
} part;

typedef struct search {
  acc_source *s;
  const acc_kernel *k;
  acc_node *loop;
  part parts[MAX_FOUND];
  unsigned n;
} search;

/* ---- linear expressions ---- */

static bool number_of(const acc_node *n, long *value) {
  CXEvalResult r = clang_Cursor_Evaluate(n->cursor);
  const bool is = r && clang_EvalResult_getKind(r) == CXEval_Int;
  if (is) *value = (long)clang_EvalResult_getAsLongLong(r);
  if (r) clang_EvalResult_dispose(r);
  return is;
}

static bool add(linear *to, const linear *from, long factor) {
  to->constant += factor * from->constant;
  for (unsigned i = 0; i < from->n; i++) {
    unsigned j = 0;
    while (j < to->n && !acc_same(&to->terms[j].symbol, &from->terms[i].symbol)) j++;
    if (j == MAX_TERMS) return false;
    if (j == to->n) {
      to->terms[j].symbol = from->terms[i].symbol;
      to->terms[j].factor = 0;
      to->n++;
    }
    to->terms[j].factor += factor * from->terms[i].factor;
    if (!to->terms[j].factor) to->terms[j] = to->terms[--to->n];
  }
  return true;
}

static bool linear_of(acc_source *s, acc_node *n, linear *to) {
  acc_symbol symbol;
  linear left, right;
  *to = (linear){0};
  n = acc_bare(n);
  if (!n) return false;
  if (n->kind == CXCursor_DeclRefExpr && acc_symbol_of(s, n, &symbol)) {
    to->n = 1;
    to->terms[0].symbol = symbol;
    to->terms[0].factor = 1;
    return symbol.shape == ACC_SCALAR && symbol.integer;
  }
  if (number_of(n, &to->constant)) return true;
  if (n->kind != CXCursor_BinaryOperator || !linear_of(s, n->first, &left) ||
      !linear_of(s, n->first->next, &right))
    return false;
  const char *sign = acc_operator(s, n);
  if (!strcmp(sign, "+")) return add(to, &left, 1) && add(to, &right, 1);
  if (!strcmp(sign, "-")) return add(to, &left, 1) && add(to, &right, -1);
  if (strcmp(sign, "*") != 0) return false;
  return !left.n ? add(to, &right, left.constant) : !right.n && add(to, &left, right.constant);
}

static bool same_terms(const linear *a, const linear *b) {
  linear d = *a;
  return add(&d, b, -1) && !d.n;
}

static const char *text_of(acc_source *s, const linear *l) {
  const char *text = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < l->n; i++)
    text = acc_keep(s, "%s%s%s", text, i ? " + " : "",
                    l->terms[i].factor == 1
                        ? l->terms[i].symbol.name
                        : acc_keep(s, "%ld * %s", l->terms[i].factor, l->terms[i].symbol.name));
  if (!l->n) return acc_keep(s, "%ld", l->constant);
  if (!l->constant) return text;
  return acc_keep(s, "%s %c %ld", text, l->constant < 0 ? '-' : '+', labs(l->constant));
}

/* ---- loops ---- */

/* First value and iterations of a loop that counts up by a number; the last value is
 * first + (trips - 1) * step. */
static bool range_of(acc_source *s, acc_node *n, acc_symbol *index, linear *first, long *trips,
                     long *step) {
  acc_loop loop;
  wf_error none;
  linear limit;
  if (!acc_loop_read(s, n, &loop, &none) || loop.down || loop.scales ||
      !acc_number(s, loop.step, step) || *step < 1)
    return false;
  *index = loop.index;
  acc_node *init = n->first, *condition = acc_bare(init->next);
  acc_node *from = init->kind == CXCursor_DeclStmt ? init->first->last : init->first->next;
  if (!condition || condition->kind != CXCursor_BinaryOperator || !linear_of(s, from, first) ||
      !linear_of(s, condition->first->next, &limit) || !add(&limit, first, -1) || limit.n)
    return false;
  const long span = limit.constant + loop.inclusive;
  *trips = span <= 0 ? 0 : (span + *step - 1) / *step;
  return *trips > 0;
}

/* Loops around a reference, up to the search's, give way to the range of what they add. */
static bool spread_out(const search *f, const acc_node *reference, linear *lower, long *length,
                       long *reads) {
  for (acc_node *n = reference->parent; n; n = n->parent) {
    acc_symbol index;
    linear first;
    long trips, step;
    if (n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt) return false;
    if (n->kind == CXCursor_ForStmt) {
      if (!range_of(f->s, n, &index, &first, &trips, &step)) return false;
      if (reads) *reads *= trips;
      for (unsigned i = 0; i < lower->n; i++) {
        if (!acc_same(&lower->terms[i].symbol, &index)) continue;
        const long factor = lower->terms[i].factor;
        if (factor < 0) return false;
        *length += factor * (trips - 1) * step;
        lower->terms[i] = lower->terms[--lower->n];
        if (!add(lower, &first, factor)) return false;
        break;
      }
    }
    if (n == f->loop) return true;
  }
  return false;
}

/* ---- arrays ---- */

static bool only_read(const search *f, const acc_symbol *symbol) {
  for (unsigned i = 0; i < f->k->n_variables; i++)
    if (acc_same(&f->k->variables[i].symbol, symbol))
      return f->k->variables[i].role == ACC_SHARED_ARRAY && !f->k->variables[i].written &&
             !f->k->variables[i].raw;
  return false;
}

/* The part that one reference needs. */
static bool part_of(const search *f, acc_node *reference, part *p) {
  const acc_node *e = acc_element_of(f->s, reference);
  unsigned d = p->symbol.n_dims;
  p->reads = 1;
  for (; e && e->kind == CXCursor_ArraySubscriptExpr && d--; e = acc_bare(e->first)) {
    p->length[d] = 1;
    if (!linear_of(f->s, e->last, &p->lower[d]) ||
        !spread_out(f, reference, &p->lower[d], &p->length[d], d ? NULL : &p->reads))
      return false;
  }
  return d == 0 && e == reference;
}

static bool widen(part *p, const part *other) {
  for (unsigned d = 0; d < p->symbol.n_dims; d++) {
    if (!same_terms(&p->lower[d], &other->lower[d])) return false;
    const long at = p->lower[d].constant, from = other->lower[d].constant;
    const long end = at + p->length[d], to = from + other->length[d];
    p->lower[d].constant = at < from ? at : from;
    p->length[d] = (end > to ? end : to) - p->lower[d].constant;
  }
  p->reads += other->reads;
  return true;
}

/* Elements of the block's tile; 0: its threads' parts do not make one. */
static long tile_of(const search *f, const part *p, unsigned at) {
  long elements = 1;
  for (unsigned d = 0; d < p->symbol.n_dims; d++) {
    acc_spread spread;
    long block = 1;
    if (!acc_spread_of(f->s, f->k, text_of(f->s, &p->lower[d]), at, &spread)) return 0;
    if (spread.axis >= 0 &&
        (strcmp(spread.rate, "1") != 0 || !acc_number(f->s, f->k->block[spread.axis], &block)))
      return 0;
    elements *= p->length[d] + block - 1;
  }
  return elements;
}

static long bytes_of(const acc_symbol *symbol) {
  CXType type = clang_getCanonicalType(clang_getCursorType(symbol->declared));
  for (unsigned d = 0; d < symbol->n_dims; d++)
    type = clang_getCanonicalType(type.kind == CXType_Pointer ? clang_getPointeeType(type)
                                                              : clang_getArrayElementType(type));
  return (long)clang_Type_getSizeOf(type);
}

static void drop(search *f, unsigned i) {
  f->parts[i] = f->parts[--f->n];
}

/* Arrays whose parts are known, fit, and are read more than once an element. */
static void keep_useful(search *f) {
  long threads = 1, left = MAX_TILE_BYTES;
  for (unsigned i = 0; i < ACC_MAX_LOOPS; i++) {
    long block = 1;
    if (!acc_number(f->s, f->k->block[i], &block)) block = 1;
    threads *= block;
  }
  for (unsigned i = 0; i < f->n;) {
    const long elements = tile_of(f, &f->parts[i], f->loop->begin);
    const long bytes = elements * bytes_of(&f->parts[i].symbol);
    if (!elements || bytes > left || threads * f->parts[i].reads < MIN_READS * elements) {
      drop(f, i);
      continue;
    }
    left -= bytes;
    i++;
  }
}

static void find_parts(search *f) {
  acc_symbol refused[MAX_FOUND];
  unsigned n_refused = 0;
  f->n = 0;
  for (acc_node *n = f->loop; n; n = acc_next_below(f->loop, n)) {
    part p = {0};
    unsigned i = 0, r = 0;
    if (!acc_symbol_of(f->s, n, &p.symbol) || !only_read(f, &p.symbol) || !p.symbol.n_dims ||
        p.symbol.n_dims > 2)
      continue;
    while (r < n_refused && !acc_same(&refused[r], &p.symbol)) r++;
    while (i < f->n && !acc_same(&f->parts[i].symbol, &p.symbol)) i++;
    if (r < n_refused || i == MAX_FOUND) continue;
    const bool known = part_of(f, n, &p) && (i == f->n || widen(&f->parts[i], &p));
    if (known && i == f->n) f->parts[f->n++] = p;
    if (known) continue;
    if (i < f->n) drop(f, i);
    if (n_refused == MAX_FOUND) {
      f->n = 0;
      return;
    }
    refused[n_refused++] = p.symbol;
  }
  keep_useful(f);
}

/* ---- the directive ---- */

static acc_directive directive_of(search *f) {
  acc_source *s = f->s;
  acc_clause *list = acc_new(s, sizeof *list);
  *list = (acc_clause){.kind = ACC_CACHED,
                       .name = acc_kind_name(ACC_CACHE),
                       .at = f->loop->begin,
                       .items = acc_new(s, f->n * sizeof *list->items),
                       .n_items = f->n};
  const char *text = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < f->n; i++) {
    const part *p = &f->parts[i];
    acc_item *item = &list->items[i];
    *item = (acc_item){.name = acc_keep(s, "%s", p->symbol.name),
                       .at = f->loop->begin,
                       .n_ranges = p->symbol.n_dims};
    text = acc_keep(s, "%s%s%s", text, i ? ", " : "", item->name);
    for (unsigned d = 0; d < item->n_ranges; d++) {
      item->lower[d] = acc_keep(s, "%s", text_of(s, &p->lower[d]));
      item->length[d] = acc_keep(s, "%ld", p->length[d]);
      text = acc_keep(s, "%s[%s:%s]", text, item->lower[d], item->length[d]);
    }
  }
  acc_note(s, f->loop->begin, "cache(%s) is found for this loop", text);
  return (acc_directive){.kind = ACC_CACHE,
                         .found = true,
                         .begin = f->loop->begin,
                         .end = f->loop->begin,
                         .statement = f->loop,
                         .clauses = list,
                         .n_clauses = 1};
}

static bool reduces(const acc_kernel *k) {
  for (unsigned i = 0; i < k->n_variables; i++)
    if (k->variables[i].role == ACC_REDUCED) return true;
  return false;
}

/* Of loops in each other the outermost that has such parts. */
static void search_kernel(acc_source *s, acc_kernel *k) {
  acc_node *body = k->loops[k->n_loops - 1].body;
  unsigned behind = 0, apart;
  for (acc_node *n = body; n; n = acc_next_below(body, n)) {
    if (n->kind != CXCursor_ForStmt || n->begin < behind) continue;
    search f = {.s = s, .k = k, .loop = n};
    find_parts(&f);
    const acc_directive place = {.begin = n->begin, .end = n->begin, .statement = n};
    if (!f.n || !acc_tile_together(s, k, &place, &apart)) continue;
    acc_directive d = directive_of(&f);
    acc_source_add(s, &d);
    k->guessed = k->tiles = true;
    for (unsigned i = 0; i < f.n; i++)
      for (unsigned v = 0; v < k->n_variables; v++)
        k->variables[v].bounded |= acc_same(&k->variables[v].symbol, &f.parts[i].symbol);
    behind = n->end;
  }
}

void acc_analyse(acc_source *s, acc_region *r) {
  for (unsigned i = 0; i < r->n_kernels; i++) {
    acc_kernel *k = &r->kernels[i];
    if (k->n_loops && !k->by_block && !k->channels && !reduces(k)) search_kernel(s, k);
  }
}
