#include "sim/acc/tile.h"

#include <string.h>

static const char axis_name[] = "xyz";

/* Storage in the block's shared memory, along dimension d. */
static char *size_of(const acc_tile *c, unsigned d) {
  const acc_spread *p = &c->spread[d];
  if (c->alone || p->axis < 0) return acc_keep(c->s, "(%s)", c->item->length[d]);
  return acc_keep(c->s, "((%s) + %s * ((%s) - 1))", c->item->length[d], p->rate,
                  c->k->block[p->axis]);
}

char *acc_tile_sizes(const acc_tile *c) {
  char *text = c->alone ? acc_keep(c->s, "[(%s) * (%s) * (%s)]", c->k->block[0], c->k->block[1],
                                   c->k->block[2])
                        : acc_keep(c->s, "%s", "");
  for (unsigned d = 0; d < c->item->n_ranges; d++)
    text = acc_keep(c->s, "%s[%s]", text, size_of(c, d));
  return text;
}

void acc_tile_widths(const acc_tile *c, FILE *out) {
  for (unsigned a = 0; a < 3; a++) {
    const char x = axis_name[a], *block = c->k->block[a];
    if (a >= c->k->n_loops)
      fprintf(out, "const int wf_w%c = 1; ", x);
    else if (acc_cache_how.width == ACC_FIXED)
      fprintf(out, "const int wf_w%c = (int)(%s); ", x, block);
    else if (acc_cache_how.width == ACC_BY_ARGUMENTS)
      fprintf(out, "const int wf_w%c = wf_acc_width_%c(wf_n%c); ", x, x, x);
    else
      fprintf(out,
              "const int wf_w%c = __syncthreads_count(threadIdx.%c == 0 && threadIdx.%c == 0);", x,
              axis_name[(a + 1) % 3], axis_name[(a + 2) % 3]);
    fprintf(out, "(void)wf_w%c; ", x);
  }
}

/* The first element that the block holds: of its first thread, or, counting down, of its last. */
static void write_private_start(const acc_tile *c, unsigned d, FILE *out) {
  const acc_spread *p = &c->spread[d];
  fprintf(out, "const int wf_s%u_%s = (int)(%s)", d, c->item->name, c->item->lower[d]);
  if (!c->alone && p->axis >= 0 && !p->down)
    fprintf(out, " - %s * (int)threadIdx.%c", p->rate, axis_name[p->axis]);
  if (!c->alone && p->axis >= 0 && p->down)
    fprintf(out, " + %s * ((int)threadIdx.%c - (wf_w%c - 1))", p->rate, axis_name[p->axis],
            axis_name[p->axis]);
  fprintf(out, "; ");
}

static void write_shared_start(const acc_tile *c, unsigned d, FILE *out) {
  const acc_spread *p = &c->spread[d];
  const char *name = c->item->name;
  const char x = axis_name[p->axis];
  fprintf(out,
          "__shared__ int wf_t%u_%s; if ((int)threadIdx.%c == %s) wf_t%u_%s = (int)(%s); "
          "__syncthreads(); const int wf_s%u_%s = wf_t%u_%s; ",
          d, name, x, p->down ? acc_keep(c->s, "wf_w%c - 1", x) : "0", d, name, c->item->lower[d],
          d, name, d, name);
}

void acc_tile_range(const acc_tile *c, unsigned d, FILE *out) {
  const acc_spread *p = &c->spread[d];
  const bool shared = !c->alone && p->axis >= 0;
  if (shared && acc_cache_how.communicating)
    write_shared_start(c, d, out);
  else
    write_private_start(c, d, out);
  fprintf(out, "const int wf_e%u_%s = ", d, c->item->name);
  if (p->assumed)
    fprintf(out, "!wf_acc_agreed(wf_s%u_%s) ? wf_s%u_%s : ", d, c->item->name, d, c->item->name);
  fprintf(out, "wf_s%u_%s + (%s)", d, c->item->name, c->item->length[d]);
  if (shared) fprintf(out, " + %s * (wf_w%c - 1)", p->rate, axis_name[p->axis]);
  fprintf(out, "; (void)wf_e%u_%s; ", d, c->item->name);
}

/* Which axis walks dimension d: its own, unless an earlier dimension has it (m[i:2][i:2]), else one
 * that no other dimension has; of a last one, all threads. */
static int walker(const acc_tile *c, unsigned d) {
  bool own = c->spread[d].axis >= 0;
  for (unsigned o = 0; o < d; o++) own &= c->spread[o].axis != c->spread[d].axis;
  if (own) return c->spread[d].axis;
  for (unsigned a = 0; a < c->k->n_loops; a++) {
    bool taken = false;
    for (unsigned o = 0; o < c->item->n_ranges; o++) taken |= c->spread[o].axis == (int)a;
    for (unsigned o = d + 1; o < c->item->n_ranges; o++)
      taken |= c->spread[o].axis < 0 && walker(c, o) == (int)a;
    if (!taken) return (int)a;
  }
  return -1;
}

static void write_walk(const acc_tile *c, unsigned d, FILE *out) {
  const char *name = c->item->name;
  const int axis = walker(c, d);
  if (c->alone || axis < 0)
    fprintf(out, "for (int wf_%u = wf_s%u_%s; wf_%u < wf_e%u_%s; wf_%u++) ", d, d, name, d, d, name,
            d);
  else
    fprintf(out,
            "for (int wf_%u = wf_s%u_%s + (int)threadIdx.%c; wf_%u < wf_e%u_%s; wf_%u += "
            "wf_w%c) ",
            d, d, name, axis_name[axis], d, d, name, d, axis_name[axis]);
}

/* kind: 'c' the copy, 'd' what of it has been set. */
char *acc_tile_storage(const acc_tile *c, char kind, const char *first, const char *second) {
  const char *name = c->item->name;
  char *text = acc_keep(c->s, "wf_%c_%s%s[%s - wf_s0_%s]", kind, name,
                        c->alone ? "[wf_acc_lane()]" : "", first, name);
  return second ? acc_keep(c->s, "%s[%s - wf_s1_%s]", text, second, name) : text;
}

char *acc_tile_memory(const acc_tile *c, const char *first, const char *second) {
  return acc_keep(c->s, "%s[%s]%s", c->item->name, first,
                  second ? acc_keep(c->s, "[%s]", second) : "");
}

/* Ranges of blocks may overlap: back goes what this block has set, and no more. */
bool acc_tile_marks(const acc_tile *c) {
  return c->written && acc_cache_how.back;
}

/* Of the first dimension the launch says what there is, of the second the array's type. */
static char *inside_text(const acc_tile *c) {
  const char *name = c->item->name;
  char *text = acc_keep(c->s, "wf_acc_in(wf_0, wf_lo_%s, wf_hi_%s)", name, name);
  if (c->item->n_ranges < 2) return text;
  return acc_keep(c->s, "%s && wf_acc_in(wf_1, 0, %s)", text,
                  c->symbol.fixed ? acc_keep(c->s, "(int)(%s)", c->symbol.dims[1])
                                  : acc_keep(c->s, "(int)wf_m_%s_1", name));
}

void acc_tile_copy(const acc_tile *c, bool back, FILE *out) {
  const char *second = c->item->n_ranges > 1 ? "wf_1" : NULL;
  const char *near = acc_tile_storage(c, 'c', "wf_0", second),
             *far = acc_tile_memory(c, "wf_0", second);
  const char *mark = acc_tile_storage(c, 'd', "wf_0", second);
  for (unsigned d = 0; d < c->item->n_ranges; d++) write_walk(c, d, out);
  if (c->bounded) fprintf(out, "if (%s) ", inside_text(c));
  if (acc_cache_how.check && !c->bounded && !back)
    fprintf(out, "if (wf_acc_exists(%s, \"%s\"), true) ", inside_text(c), c->item->name);
  if (back)
    fprintf(out, "if (%s) %s = %s; ", mark, far, near);
  else if (acc_tile_marks(c))
    fprintf(out, "%s = %s, %s = 0; ", near, far, mark);
  else
    fprintf(out, "%s = %s; ", near, far);
}

char *acc_tile_holds(const acc_tile *c) {
  const char *name = c->item->name;
  if (c->item->n_ranges < 2)
    return acc_keep(c->s, "wf_acc_in(wf_i, wf_s0_%s, wf_e0_%s)", name, name);
  return acc_keep(c->s,
                  "wf_acc_in(wf_i, wf_s0_%s, wf_e0_%s) && wf_acc_in(wf_j, wf_s1_%s, wf_e1_%s)",
                  name, name, name, name);
}

char *acc_tile_promise(const acc_tile *c) {
  return acc_keep(c->s, "wf_acc_promised(%s, \"%s\", \"%s\"); ", acc_tile_holds(c),
                  acc_kind_name(c->directive->kind), c->item->name);
}

/* A subscript is taken as it stands: what it reads must not be in shared memory itself. */
static bool plain_subscript(const acc_tile *c, acc_node *subscript, wf_error *err) {
  for (acc_node *n = subscript; n; n = acc_next_below(subscript, n))
    for (unsigned i = 0; i < c->directive->n_clauses; i++)
      for (unsigned j = 0; j < c->directive->clauses[i].n_items; j++) {
        acc_symbol symbol;
        const char *name = c->directive->clauses[i].items[j].name;
        if (acc_symbol_of(c->s, n, &symbol) && !strcmp(symbol.name, name))
          return acc_fail(c->s, n->begin, err,
                          "'%s' is in shared memory here, and in a subscript of '%s' as well; read "
                          "it into a variable first",
                          name, c->item->name);
      }
  return true;
}

/* Behind the bracket that closes the one at `at`; 0: none does. */
static unsigned behind_bracket(const acc_source *s, unsigned at) {
  unsigned depth = 0;
  for (; at < s->bytes; at++) {
    depth += s->text[at] == '[' || s->text[at] == '(';
    depth -= s->text[at] == ']' || s->text[at] == ')';
    if (!depth) return at + 1;
  }
  return 0;
}

static bool plain_subscripts(const acc_tile *c, const acc_node *element, wf_error *err) {
  for (const acc_node *e = element; e && e->kind == CXCursor_ArraySubscriptExpr;
       e = acc_bare(e->first))
    if (!plain_subscript(c, e->last, err)) return false;
  return true;
}

/* The subscripts of an element as arguments, as its text has them: macros may be in them, but the
 * element itself must stand there. */
bool acc_tile_places(const acc_tile *c, const acc_node *reference, char **text, wf_error *err) {
  acc_source *s = c->s;
  const acc_node *element = acc_element_of(s, (acc_node *)reference);
  const char *name = c->item->name;
  unsigned n = 0, at = element->begin + (unsigned)strlen(name);
  *text = acc_keep(s, "%s", "");
  if (element == reference)
    return acc_fail(s, reference->begin, err,
                    "'%s' is in shared memory here, and is used otherwise than by its elements",
                    name);
  if (!strncmp(s->text + element->begin, name, strlen(name)))
    for (; n < c->item->n_ranges && s->text[acc_skip_blank(s, at)] == '['; n++) {
      const unsigned open = acc_skip_blank(s, at);
      at = behind_bracket(s, open);
      if (!at) break;
      *text = acc_keep(s, "%s%s%s", *text, n ? ", " : "", acc_slice(s, open + 1, at - 1));
    }
  if (n != c->item->n_ranges || at != element->end)
    return acc_fail(s, reference->begin, err,
                    "'%s' is in shared memory here; its elements stand as %s[...]%s, outside of "
                    "macros and without brackets",
                    name, name, c->item->n_ranges > 1 ? "[...]" : "");
  return plain_subscripts(c, element, err);
}

bool acc_tile_repeats(const acc_kernel *k, unsigned begin) {
  const acc_node *body = k->n_loops ? k->loops[k->n_loops - 1].body : k->statement;
  for (const acc_node *n = body; n; n = acc_next_below(body, (acc_node *)n))
    if ((n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt ||
         n->kind == CXCursor_DoStmt) &&
        n->begin < begin && begin < n->end)
      return true;
  return false;
}

static acc_node *block_around(const acc_kernel *k, const acc_directive *d) {
  acc_node *found = k->statement;
  for (acc_node *n = k->statement; n; n = acc_next_below(k->statement, n))
    if (n->kind == CXCursor_CompoundStmt && n->begin < d->begin && d->end < n->end) found = n;
  return found;
}

/* Over a loop or a block: that. Else what is left of the block around. */
void acc_tile_bounds(const acc_source *s, const acc_kernel *k, const acc_directive *d,
                     unsigned *begin, unsigned *end) {
  const enum CXCursorKind kind = d->statement->kind;
  *begin = d->statement->begin;
  *end = kind == CXCursor_ForStmt || kind == CXCursor_CompoundStmt
             ? acc_statement_end(s, d->statement)
             : block_around(k, d)->end - 1;
}

static bool is_loop(const acc_node *n) {
  return n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt;
}

static bool even_loop(acc_source *s, const acc_kernel *k, acc_node *n) {
  acc_loop loop;
  wf_error none;
  return acc_loop_read(s, n, &loop, &none) && acc_same_for_all(s, k, loop.first, n->begin) &&
         acc_same_for_all(s, k, loop.limit, n->begin) &&
         acc_same_for_all(s, k, loop.step, n->begin);
}

/* A jump, before the region's end, out of or on in a loop around the directive. */
static const acc_node *jump_past(const acc_kernel *k, const acc_directive *d, unsigned end) {
  acc_node *body = k->loops[k->n_loops - 1].body;
  for (acc_node *n = body; n; n = acc_next_below(body, n)) {
    if ((n->kind != CXCursor_BreakStmt && n->kind != CXCursor_ContinueStmt)) continue;
    const acc_node *p = n;
    while (p != body && !is_loop(p) &&
           !(p->kind == CXCursor_SwitchStmt && n->kind == CXCursor_BreakStmt))
      p = p->parent;
    const bool own = p != body && is_loop(p);
    if (own ? p->begin < d->begin && d->end < p->end : n->begin < end && p == body) return n;
  }
  return NULL;
}

bool acc_tile_together(acc_source *s, const acc_kernel *k, const acc_directive *d, unsigned *at) {
  unsigned begin, end;
  acc_tile_bounds(s, k, d, &begin, &end);
  const acc_node *body = k->loops[k->n_loops - 1].body, *jump = jump_past(k, d, end);
  if (jump) return *at = jump->begin, false;
  for (acc_node *n = d->statement->parent; n && n != body->parent; n = n->parent) {
    *at = n->begin;
    if (n->kind == CXCursor_CompoundStmt || (n->kind == CXCursor_ForStmt && even_loop(s, k, n)))
      continue;
    return false;
  }
  return true;
}

bool acc_tile_fits(acc_source *s, const acc_kernel *k, const acc_directive *d, wf_error *err) {
  const char *name = acc_kind_name(d->kind);
  if (!k || !k->n_loops || k->by_block)
    return acc_fail(s, d->begin, err, "%s stands in a loop whose iterations are threads", name);
  for (unsigned i = 0; i < k->n_variables; i++)
    if (k->variables[i].role == ACC_REDUCED)
      return acc_fail(s, d->begin, err,
                      "%s and a reduction of the loop around it are not supported together", name);
  return true;
}

bool acc_tile_names(const acc_tile *t, const acc_node *n) {
  acc_symbol symbol;
  return n->begin >= t->begin && n->end <= t->end && acc_symbol_of(t->s, n, &symbol) &&
         acc_same(&symbol, &t->symbol);
}
