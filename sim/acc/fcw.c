/* The fcw directive. Its types say whether the tile is filled from memory (FETCH), whether the
 * block's iterations see each other's writes (CHANNEL), and whether each writes its own element,
 * the pivot, back (WB). A write has a barrier before and one behind it; one under a condition is
 * put off until the condition's end, where all threads meet. */
#include <stdlib.h>
#include <string.h>

#include "sim/acc/tile.h"

bool acc_fcw_type(const acc_clause *list, bool *fetches, bool *channel, bool *back) {
  static const struct {
    const char *name;
    bool fetches, channel, back;
  } types[] = {{"FETCH_ONLY", true, false, false},
               {"CHANNEL_ONLY", false, true, false},
               {"FETCH_CHANNEL", true, true, false},
               {"CHANNEL_WB", false, true, true},
               {"FETCH_CHANNEL_WB", true, true, true}};
  for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
    if (!strcmp(types[i].name, list->text)) {
      *fetches = types[i].fetches;
      *channel = types[i].channel;
      *back = types[i].back;
      return true;
    }
  return false;
}

/* ---- the tile ---- */

/* [pivot:before:after] as the part that a thread names. Of a pivot that no rule of acc_spread_of
 * tells, a block's iterations are taken to follow each other in x along the last dimension, in y
 * along the one before; --check looks. */
static bool read_tile(acc_tile *t, const acc_item *item, wf_error *err) {
  acc_source *s = t->s;
  if (!acc_symbol_named(s, item->name, t->begin, &t->symbol, err)) return false;
  if (item->n_ranges != t->symbol.n_dims || item->n_ranges > 2)
    return acc_fail(s, item->at, err,
                    "fcw: '%s' has %u dimensions; a range for each of one or two "
                    "is taken",
                    item->name, t->symbol.n_dims);
  acc_item *part = acc_new(s, sizeof *part);
  *part = *item;
  for (unsigned d = 0; d < item->n_ranges; d++) {
    if (!item->lower[d] || !item->length[d])
      return acc_fail(s, item->at, err, "fcw: '%s[pivot:before:after]' lacks a part", item->name);
    const unsigned axis = item->n_ranges - 1 - d;
    if (!acc_spread_of(s, t->k, item->lower[d], t->begin, &t->spread[d]))
      t->spread[d] = (acc_spread){.axis = (int)axis, .rate = "1", .assumed = true};
    if (t->spread[d].axis >= (int)t->k->n_loops)
      return acc_fail(s, item->at, err,
                      "fcw: '%s' has more dimensions than there are parallel "
                      "loops",
                      item->name);
    part->lower[d] = acc_keep(s, "(%s) - (%s)", item->lower[d], item->length[d]);
    part->length[d] = acc_keep(s, "(%s) + 1 + (%s)", item->length[d], item->after[d]);
  }
  t->item = part;
  t->bounded = true;
  return true;
}

static void write_accessors(const acc_tile *t, FILE *out) {
  const char *name = t->item->name, *type = t->symbol.type;
  const bool two = t->item->n_ranges > 1;
  const char *at = acc_tile_storage(t, 'c', "wf_i", two ? "wf_j" : NULL);
  const char *places = two ? "int wf_i, int wf_j" : "int wf_i";
  fprintf(out, "auto wf_get_%s = [&](%s) -> %s { %sreturn %s; }; (void)wf_get_%s; ", name, places,
          type, acc_tile_promise(t), at, name);
  if (t->written)
    fprintf(out, "auto wf_put_%s = [&](%s, %s wf_v) { %s%s = wf_v; }; ", name, places, type,
            acc_tile_promise(t), at);
}

static void write_head(const acc_tile *t, bool fetches, FILE *out) {
  fprintf(out, "__shared__ %s wf_c_%s%s; ", t->symbol.type, t->item->name, acc_tile_sizes(t));
  for (unsigned d = 0; d < t->item->n_ranges; d++) acc_tile_range(t, d, out);
  if (fetches) acc_tile_copy(t, false, out);
  write_accessors(t, out);
}

static void write_tail(const acc_tile *t, const acc_item *item, FILE *out) {
  const char *second = item->n_ranges > 1 ? item->lower[1] : NULL;
  fprintf(out, " if (wf_acc_in(%s, wf_lo_%s, wf_hi_%s)) %s = wf_get_%s(%s%s%s); ", item->lower[0],
          item->name, item->name, acc_tile_memory(t, item->lower[0], second), item->name,
          item->lower[0], second ? ", " : "", second ? second : "");
}

/* ---- writes ---- */

static acc_node *statement_of(acc_node *n) {
  while (n->parent && n->parent->kind != CXCursor_CompoundStmt &&
         n->parent->kind != CXCursor_IfStmt && n->parent->kind != CXCursor_ForStmt &&
         n->parent->kind != CXCursor_WhileStmt && n->parent->kind != CXCursor_DoStmt)
    n = n->parent;
  return n;
}

/* The outermost condition around a write, up to the loop or the region that it stands in. */
static bool condition_of(const acc_tile *t, acc_node *n, acc_node **condition, wf_error *err) {
  *condition = NULL;
  for (acc_node *p = n->parent; p && p->begin >= t->begin; p = p->parent) {
    if (p->kind == CXCursor_IfStmt || p->kind == CXCursor_SwitchStmt) *condition = p;
    if (p->kind != CXCursor_ForStmt && p->kind != CXCursor_WhileStmt && p->kind != CXCursor_DoStmt)
      continue;
    for (acc_node *q = p->parent; q && q->begin >= t->begin; q = q->parent)
      if (q->kind == CXCursor_IfStmt || q->kind == CXCursor_SwitchStmt)
        return acc_fail(t->s, n->begin, err,
                        "fcw: a write to '%s' in a loop under a condition: not "
                        "all threads would meet at its barriers",
                        t->item->name);
    break;
  }
  return true;
}

static bool read_later(const acc_tile *t, const acc_node *write, const acc_node *condition) {
  for (acc_node *n = (acc_node *)condition; n; n = acc_next_below(condition, n)) {
    acc_symbol symbol;
    if (n->begin >= write->end && acc_symbol_of(t->s, n, &symbol) && acc_same(&symbol, &t->symbol))
      return true;
  }
  return false;
}

typedef struct write {
  acc_node *statement, *value; /* NULL: by one, as sign says */
  const char *at, *sign;       /* the subscripts; "=", "+=", "++" */
} write;

/* In a kernel elements are reached by the tile's functions, on the host by macros of wf_acc.h. */
static const char *get_text(const acc_tile *t, const char *at) {
  if (!t->host) return acc_keep(t->s, "wf_get_%s(%s)", t->item->name, at);
  return acc_keep(t->s, "WF_ACC_ELEMENT%u(%s, %s)", t->item->n_ranges, t->item->name, at);
}

static const char *put_text(const acc_tile *t, const char *at, const char *value) {
  if (!t->host) return acc_keep(t->s, "wf_put_%s(%s, %s)", t->item->name, at, value);
  return acc_keep(t->s, "%s = %s", get_text(t, at), value);
}

static const char *note_text(const acc_tile *t, const char *to, const char *at) {
  if (!t->host) return acc_keep(t->s, "wf_acc_at(%s, %s)", to, at);
  return acc_keep(t->s, "WF_ACC_AT%u(%s, %s)", t->item->n_ranges, to, at);
}

static const char *meet_text(const acc_tile *t) {
  return t->host ? "wf_acc_meet();" : "__syncthreads();";
}

/* What is stored, with reads of the tile as calls: the edits of reads go with the text. */
static char *value_text(const acc_tile *t, const write *w, acc_edits *reads) {
  acc_source *s = t->s;
  const char *value = w->value ? acc_edited(s, reads, w->value->begin, w->value->end) : "1";
  if (!strcmp(w->sign, "=")) return acc_keep(s, "%s", value);
  return acc_keep(s, "%s %.*s (%s)", get_text(t, w->at), (int)(w->value ? strlen(w->sign) - 1 : 1),
                  w->sign, value);
}

static bool edit_write(const acc_tile *t, const write *w, unsigned number, acc_edits *reads,
                       acc_edits *edits, wf_error *err) {
  acc_source *s = t->s;
  acc_node *condition;
  const char *name = t->item->name, *type = t->symbol.type;
  const bool two = t->item->n_ranges > 1;
  if (!condition_of(t, w->statement, &condition, err)) return false;
  const char *value = value_text(t, w, reads);
  const unsigned end = acc_statement_end(s, w->statement);
  const char *meet = meet_text(t);
  if (!condition) {
    acc_replace(s, edits, w->statement->begin, end,
                acc_keep(s, "{ const %s wf_v = %s; %s %s; %s }", type, value, meet,
                         put_text(t, w->at, "wf_v"), meet));
    return true;
  }
  if (read_later(t, w->statement, condition))
    return acc_fail(s, w->statement->begin, err,
                    "fcw: '%s' is set under a condition and used again "
                    "before the condition's end",
                    name);
  const char *at = acc_keep(s, "wf_i%u%s", number, two ? acc_keep(s, ", wf_j%u", number) : "");
  acc_insert(s, edits, condition->begin,
             acc_keep(s, "{ _Bool wf_f%u = 0; %s wf_v%u; int wf_i%u%s; ", number, type, number,
                      number, two ? acc_keep(s, ", wf_j%u", number) : ""));
  acc_replace(s, edits, w->statement->begin, end,
              acc_keep(s, "{ wf_f%u = 1; wf_v%u = %s; %s; }", number, number, value,
                       note_text(t, at, w->at)));
  acc_close(s, edits, acc_statement_end(s, condition),
            acc_keep(s, " %s if (wf_f%u) %s; %s }", meet, number,
                     put_text(t, at, acc_keep(s, "wf_v%u", number)), meet));
  return true;
}

/* ---- the region's accesses ---- */

static bool read_access(const acc_tile *t, acc_node *n, acc_edits *reads, write *w, wf_error *err) {
  acc_source *s = t->s;
  acc_node *whole;
  char *at;
  const acc_use use = acc_use_of(s, n, &whole);
  *w = (write){0};
  if (!acc_tile_places(t, n, &at, err)) return false;
  if (use == ACC_ESCAPES || (whole->kind == CXCursor_MemberRefExpr && use != ACC_READ))
    return acc_fail(s, whole->begin, err, "fcw: elements of '%s' are read, or set whole",
                    t->item->name);
  if (use == ACC_READ) {
    const acc_node *element = acc_element_of(s, n);
    if (!t->host) acc_replace(s, reads, element->begin, element->end, get_text(t, at));
    return true;
  }
  acc_node *p = whole->parent;
  *w = (write){statement_of(n), p->first->next, at, acc_operator(s, p)};
  return w->statement == p ||
         acc_fail(s, n->begin, err, "fcw: '%s' is set in the middle of a statement", t->item->name);
}

/* One tile's accesses: first the reads alone, since written values may hold reads of any tile. */
static bool each_access(acc_tile *t, acc_edits *reads, acc_edits *edits, bool channel,
                        unsigned *number, wf_error *err) {
  for (acc_node *n = t->k->statement; n; n = acc_next_below(t->k->statement, n)) {
    write w;
    if (!acc_tile_names(t, n)) continue;
    if (!read_access(t, n, reads, &w, err)) return false;
    if (!w.statement) continue;
    t->written = true;
    if (!channel)
      return acc_fail(t->s, n->begin, err, "fcw: '%s' is set, and FETCH_ONLY only reads",
                      t->item->name);
    if (edits && !edit_write(t, &w, (*number)++, reads, edits, err)) return false;
  }
  return true;
}

/* ---- the directive ---- */

enum { MAX_TILES = 16 };

/* The tiles of one directive. */
typedef struct tiles {
  acc_tile list[MAX_TILES];
  const acc_item *items[MAX_TILES]; /* as written */
  bool fetches[MAX_TILES], channel[MAX_TILES], back[MAX_TILES];
  unsigned n;
  acc_edits reads;
} tiles;

static bool add_list(tiles *all, const acc_tile *first, const acc_clause *list, wf_error *err) {
  acc_source *s = first->s;
  bool fetches, channel, back;
  if (!acc_fcw_type(list, &fetches, &channel, &back))
    return acc_fail(s, list->at, err,
                    "fcw %s(...): the types are FETCH_ONLY, CHANNEL_ONLY, "
                    "FETCH_CHANNEL, CHANNEL_WB and FETCH_CHANNEL_WB",
                    list->text);
  for (unsigned i = 0; i < list->n_items; i++, all->n++) {
    if (all->n == MAX_TILES)
      return acc_fail(s, list->at, err, "fcw: more than %d arrays", MAX_TILES);
    acc_tile *t = &all->list[all->n];
    *t = *first;
    all->items[all->n] = &list->items[i];
    all->fetches[all->n] = fetches;
    all->channel[all->n] = channel;
    all->back[all->n] = back;
    if (!read_tile(t, &list->items[i], err) ||
        !each_access(t, &all->reads, NULL, channel, NULL, err))
      return false;
  }
  return true;
}

/* On the host the block's iterations have a copy of the whole array in the place of a tile. */
static void write_view(const tiles *all, unsigned i, FILE *head, FILE *tail) {
  const acc_tile *t = &all->list[i];
  const acc_item *item = all->items[i];
  acc_source *s = t->s;
  const char *name = item->name, *old = acc_keep(s, "wf_o_%s", name);
  fprintf(head, "%s = %s; wf_acc_meet(); %s = wf_acc_view(%u, %s, %d); wf_acc_meet(); ",
          acc_pointer_text(s, &t->symbol, old), name,
          acc_pointer_text(s, &t->symbol, acc_keep(s, "wf_t_%s", name)), i, old, all->fetches[i]);
  fprintf(tail, "wf_acc_meet(); ");
  if (all->back[i]) {
    const char *second = item->n_ranges > 1 ? acc_keep(s, "[%s]", item->lower[1]) : "";
    fprintf(tail, "if (wf_acc_held(&%s[%s]%s)) %s[%s]%s = wf_t_%s[%s]%s; ", old, item->lower[0],
            second, old, item->lower[0], second, name, item->lower[0], second);
  }
  fprintf(tail, "wf_acc_meet(); wf_acc_unview(%u); ", i);
}

static void write_names(const tiles *all, FILE *head) {
  for (unsigned i = 0; i < all->n; i++) {
    const char *name = all->items[i]->name;
    fprintf(head, "%s%s = wf_t_%s; (void)%s; ", i ? "" : "{ ",
            acc_pointer_text(all->list[i].s, &all->list[i].symbol, name), name, name);
  }
}

static bool write_tiles(tiles *all, acc_edits *edits, FILE *head, FILE *tail, wf_error *err) {
  unsigned number = 0;
  for (unsigned i = 0; i < all->n; i++) {
    if (!each_access(&all->list[i], &all->reads, edits, all->channel[i], &number, err))
      return false;
    if (all->list[i].host) {
      write_view(all, i, head, tail);
      continue;
    }
    write_head(&all->list[i], all->fetches[i], head);
    if (all->back[i]) write_tail(&all->list[i], all->items[i], tail);
  }
  for (unsigned i = 0; i < all->reads.n; i++)
    acc_replace(all->list->s, edits, all->reads.list[i].begin, all->reads.list[i].end,
                all->reads.list[i].text);
  return true;
}

bool acc_fcw_edits(acc_source *s, const acc_kernel *k, const acc_directive *d, bool host,
                   acc_edits *edits, wf_error *err) {
  acc_replace(s, edits, d->begin, d->end, "");
  if (!acc_tile_fits(s, k, d, err)) return false;
  unsigned apart;
  if (!acc_tile_together(s, k, d, &apart))
    return acc_fail(s, d->begin, err, "fcw: threads of a block part in line %u, and meet here",
                    acc_line(s, apart));
  char *head, *tail;
  size_t bytes;
  FILE *to = open_memstream(&head, &bytes), *end = open_memstream(&tail, &bytes);
  acc_tile first = {.s = s, .k = k, .directive = d, .host = host};
  tiles all = {0};
  bool ok = true;
  acc_tile_bounds(s, k, d, &first.begin, &first.end);
  fprintf(to, "{ ");
  if (!host) acc_tile_widths(&first, to);
  if (!host && acc_tile_repeats(k, d->begin)) fprintf(to, "__syncthreads(); ");
  for (unsigned i = 0; ok && i < d->n_clauses; i++)
    ok = add_list(&all, &first, &d->clauses[i], err);
  ok = ok && write_tiles(&all, edits, to, end, err);
  if (host)
    write_names(&all, to);
  else
    fprintf(to, "__syncthreads();\n");
  fclose(to);
  fclose(end);
  if (ok) acc_insert(s, edits, first.begin, acc_keep(s, "%s", head));
  if (ok) acc_close(s, edits, first.end, acc_keep(s, "%s%s}", host ? "} " : "", tail));
  free(head);
  free(tail);
  return ok;
}
