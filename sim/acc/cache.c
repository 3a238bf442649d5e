#include "sim/acc/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

acc_cache_options acc_cache_how = {.entries = 16};

/* ---- what is cached, where ---- */

static bool read_item(acc_tile *c, wf_error *err) {
  acc_source *s = c->s;
  const acc_item *item = c->item;
  if (!acc_symbol_named(s, item->name, c->begin, &c->symbol, err)) return false;
  if (c->symbol.shape != ACC_ARRAY && c->symbol.shape != ACC_POINTER)
    return acc_fail(s, item->at, err, "cache: '%s' is no array", item->name);
  if (!item->n_ranges || item->n_ranges != c->symbol.n_dims || item->n_ranges > 2)
    return acc_fail(s, item->at, err,
                    "cache: '%s' has %u dimensions; a range for each of one or "
                    "two is taken",
                    item->name, c->symbol.n_dims);
  c->alone = acc_cache_how.alone;
  c->bounded = c->directive->found; /* it may guess too much, at an array's ends */
  for (unsigned d = 0; d < item->n_ranges; d++) {
    if (!item->lower[d] || !item->length[d])
      return acc_fail(s, item->at, err, "cache: '%s[start:length]' says where and how much",
                      item->name);
    if (!acc_spread_of(s, c->k, item->lower[d], c->begin, &c->spread[d])) c->alone = true;
  }
  return true;
}

/* ---- the region's head ---- */

/* wf_get_NAME, wf_put_NAME: the accesses that the region's own become. */
static void write_accessors(const acc_tile *c, FILE *out) {
  const char *name = c->item->name, *type = c->symbol.type;
  const bool two = c->item->n_ranges > 1;
  const char *places = two ? "int wf_i, int wf_j" : "int wf_i";
  const char *test = acc_tile_holds(c);
  const char *near = acc_tile_storage(c, 'c', "wf_i", two ? "wf_j" : NULL);
  const char *far = acc_tile_memory(c, "wf_i", two ? "wf_j" : NULL);
  const bool tested = acc_cache_how.method == ACC_RBC;
  const char *promise = tested ? "" : acc_tile_promise(c);
  fprintf(out, "auto wf_get_%s = [&](%s) -> %s { %s", name, places, type, promise);
  if (tested)
    fprintf(out, "return %s ? %s : %s; }; ", test, near, far);
  else
    fprintf(out, "return %s; }; ", near);
  if (!c->written) return;
  fprintf(out, "auto wf_put_%s = [&](%s, %s wf_v) -> %s { %s", name, places, type, type, promise);
  if (tested) fprintf(out, "if (!(%s)) return %s = wf_v; ", test, far);
  fprintf(out, "%s = wf_v; %sreturn wf_v; }; ", near,
          acc_cache_how.back
              ? acc_keep(c->s, "%s = 1; ", acc_tile_storage(c, 'd', "wf_i", two ? "wf_j" : NULL))
              : acc_keep(c->s, "%s = wf_v; ", far));
}

/* EHC: an emulated hardware cache. Its tags are elements' numbers, -1 where nothing is yet. */
static void write_emulated(const acc_tile *c, FILE *out) {
  const char *name = c->item->name, *type = c->symbol.type;
  const bool two = c->item->n_ranges > 1;
  const char *places = two ? "int wf_i, int wf_j" : "int wf_i";
  const char *find =
      acc_keep(c->s,
               "%s *wf_p = &%s; const int wf_x = (int)(wf_p - &%s[0]%s); "
               "%s &wf_n = wf_c_%s[wf_acc_lane()][wf_x & %u]; "
               "int &wf_t = wf_d_%s[wf_acc_lane()][wf_x & %u];",
               type, acc_tile_memory(c, "wf_i", two ? "wf_j" : NULL), name, two ? "[0]" : "", type,
               name, acc_cache_how.entries - 1, name, acc_cache_how.entries - 1);
  for (int tags = 0; tags < 2; tags++)
    fprintf(out, "__shared__ %s wf_%c_%s[(%s) * (%s) * (%s)][%u]; ", tags ? "int" : type,
            tags ? 'd' : 'c', name, c->k->block[0], c->k->block[1], c->k->block[2],
            acc_cache_how.entries);
  fprintf(out,
          "for (int wf_k = 0; wf_k < %u; wf_k++) wf_d_%s[wf_acc_lane()][wf_k] = -1; "
          "auto wf_get_%s = [&](%s) -> %s { %s "
          "if (wf_t != wf_x) wf_n = *wf_p, wf_t = wf_x; return wf_n; }; ",
          acc_cache_how.entries, name, name, places, type, find);
  if (c->written)
    fprintf(out,
            "auto wf_put_%s = [&](%s, %s wf_v) -> %s { %s "
            "wf_t = wf_x; *wf_p = wf_n = wf_v; return wf_v; }; ",
            name, places, type, type, find);
  for (unsigned d = 0; d < c->item->n_ranges; d++)
    fprintf(out, "for (int wf_%u = (int)(%s); wf_%u < (int)(%s) + (int)(%s); wf_%u++) ", d,
            c->item->lower[d], d, c->item->lower[d], c->item->length[d], d);
  fprintf(out, "wf_get_%s(wf_0%s); ", name, two ? ", wf_1" : "");
}

static void write_head(const acc_tile *c, FILE *out) {
  if (acc_cache_how.method == ACC_EHC) {
    write_emulated(c, out);
    return;
  }
  fprintf(out, "__shared__ %s wf_c_%s%s; ", c->symbol.type, c->item->name, acc_tile_sizes(c));
  if (acc_tile_marks(c))
    fprintf(out, "__shared__ unsigned char wf_d_%s%s; ", c->item->name, acc_tile_sizes(c));
  for (unsigned d = 0; d < c->item->n_ranges; d++) acc_tile_range(c, d, out);
  acc_tile_copy(c, false, out);
  write_accessors(c, out);
}

/* ---- the region's accesses ---- */

static bool edit_access(const acc_tile *c, acc_node *n, acc_edits *edits, wf_error *err) {
  acc_source *s = c->s;
  acc_node *whole;
  char *at;
  const acc_use use = acc_use_of(s, n, &whole);
  const acc_node *p = whole->parent;
  if (!acc_tile_places(c, n, &at, err)) return false;
  if (whole->kind == CXCursor_MemberRefExpr && use != ACC_READ)
    return acc_fail(s, whole->begin, err, "cache: elements are set whole, not member by member");
  const char *get = acc_keep(s, "wf_get_%s(%s)", c->item->name, at);
  if (use == ACC_READ) {
    const acc_node *element = acc_element_of(s, n);
    acc_replace(s, edits, element->begin, element->end, get);
  } else if (use == ACC_ESCAPES || p->kind == CXCursor_UnaryOperator) {
    if (use == ACC_ESCAPES)
      return acc_fail(s, n->begin, err, "cache: the address of an element of '%s' is taken",
                      c->item->name);
    acc_replace(
        s, edits, p->begin, p->end,
        acc_keep(s, "wf_put_%s(%s, %s %c 1)", c->item->name, at, get, acc_operator(s, p)[0]));
  } else {
    const char *sign = acc_operator(s, p);
    const acc_node *value = p->first->next;
    const char *old =
        use == ACC_WRITE ? "" : acc_keep(s, "%s %.*s ", get, (int)strlen(sign) - 1, sign);
    acc_replace(s, edits, whole->begin, value->begin,
                acc_keep(s, "wf_put_%s(%s, %s(", c->item->name, at, old));
    acc_close(s, edits, p->end, "))");
  }
  return true;
}

static bool each_access(acc_tile *c, acc_edits *edits, wf_error *err) {
  for (acc_node *n = c->k->statement; n; n = acc_next_below(c->k->statement, n)) {
    acc_node *whole;
    if (!acc_tile_names(c, n)) continue;
    c->written |= acc_use_of(c->s, n, &whole) != ACC_READ;
    if (edits && !edit_access(c, n, edits, err)) return false;
  }
  return true;
}

/* ---- the directive ---- */

bool acc_cache_edits(acc_source *s, const acc_kernel *k, const acc_directive *d, acc_edits *edits,
                     wf_error *err) {
  acc_replace(s, edits, d->begin, d->end, "");
  if (acc_cache_how.off || (acc_cache_how.automatic && !d->found)) return true;
  if (!acc_tile_fits(s, k, d, err)) return false;
  unsigned apart;
  if (!acc_tile_together(s, k, d, &apart)) {
    acc_note(s, d->begin,
             "cache is ignored here: threads of a block part in line %u, and fetch together",
             acc_line(s, apart));
    return true;
  }
  char *head, *tail;
  size_t bytes;
  FILE *to = open_memstream(&head, &bytes), *end = open_memstream(&tail, &bytes);
  acc_tile c = {.s = s, .k = k, .directive = d};
  bool ok = true;
  acc_tile_bounds(s, k, d, &c.begin, &c.end);
  const bool repeats = acc_tile_repeats(k, d->begin);
  fprintf(to, "{ ");
  acc_tile_widths(&c, to);
  if (repeats) fprintf(to, "__syncthreads(); ");
  fprintf(end, " __syncthreads(); ");
  for (unsigned i = 0; ok && i < d->clauses->n_items; i++) {
    c.item = &d->clauses->items[i];
    c.written = false;
    ok = read_item(&c, err) && each_access(&c, NULL, err);
    if (!ok) break;
    write_head(&c, to);
    if (acc_tile_marks(&c)) acc_tile_copy(&c, true, end);
    ok = each_access(&c, edits, err);
  }
  fprintf(to, "__syncthreads();\n");
  fclose(to);
  fclose(end);
  if (ok) acc_insert(s, edits, c.begin, acc_keep(s, "%s", head));
  if (ok) acc_close(s, edits, c.end, acc_keep(s, "%s}", acc_cache_how.back ? tail : " "));
  free(head);
  free(tail);
  return ok;
}
