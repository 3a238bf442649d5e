#include "sim/acc/host.h"

#include <stdlib.h>
#include <string.h>

#include "sim/acc/cache.h"
#include "sim/acc/edit.h"
#include "sim/acc/kernel.h"

/* ---- arguments of a launch ---- */

static const char *value_kind(acc_source *s, const acc_symbol *a) {
  return acc_keep(s, "\"%s\"", a->layout);
}

static const char *array_argument(acc_source *s, const acc_variable *v) {
  const acc_symbol *a = &v->symbol;
  char *text = v->raw ? acc_keep(s, ", (void *)%s", a->name)
                      : acc_keep(s, ", wf_acc_device(&wf_r, \"%s\", %s)", a->name, a->name);
  for (unsigned d = 1; !a->fixed && d < a->n_dims; d++)
    text = acc_keep(s, "%s, (long)(%s)", text, a->dims[d]);
  return text;
}

static char *arguments(acc_source *s, const acc_kernel *k) {
  char *text = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < k->n_variables; i++) {
    const acc_variable *v = &k->variables[i];
    if (v->role == ACC_SHARED_ARRAY) text = acc_keep(s, "%s%s", text, array_argument(s, v));
    if (v->role == ACC_SHARED_ARRAY && v->bounded)
      text = acc_keep(s,
                      "%s, wf_acc_extent(&wf_r, \"%s\", %s, sizeof *%s, 0), "
                      "wf_acc_extent(&wf_r, \"%s\", %s, sizeof *%s, 1)",
                      text, v->symbol.name, v->symbol.name, v->symbol.name, v->symbol.name,
                      v->symbol.name, v->symbol.name);
    if (v->role == ACC_VALUE) text = acc_keep(s, "%s, %s", text, v->symbol.name);
    if (v->role == ACC_REDUCED) text = acc_keep(s, "%s, wf_out_%s", text, v->symbol.name);
  }
  return text;
}

/* ---- a kernel's launch ---- */

void acc_shape_write(const acc_kernel *k, FILE *out) {
  fprintf(out, "long wf_n[3] = {");
  for (unsigned i = 0; i < 3; i++) {
    const acc_loop *l = i < k->n_loops ? &k->loops[k->n_loops - 1 - i] : NULL;
    if (l)
      fprintf(out, "%swf_acc_%s(&wf_r, (long)(%s), (long)(%s), (long)(%s), %d, %d)", i ? ", " : "",
              l->scales ? "scaled_trips" : "trips", l->first, l->limit, l->step, l->down,
              l->inclusive);
    else
      fprintf(out, "%s1", i ? ", " : "");
  }
  fprintf(out, "}; unsigned wf_b[3] = {%s, %s, %s}; ", k->block[0], k->block[1], k->block[2]);
}

static void write_join(const acc_variable *v, FILE *out) {
  const char *name = v->symbol.name, *type = v->symbol.type, *op = v->operator;
  fprintf(out,
          "{ %s *wf_p = (%s *)wf_acc_partials_read(&wf_r, wf_out_%s); "
          "for (long wf_k = 0; wf_k < wf_blocks; wf_k++) ",
          type, type, name);
  if (op[0] == 'm')
    fprintf(out, "%s = wf_p[wf_k] %c %s ? wf_p[wf_k] : %s; ", name, op[1] == 'a' ? '>' : '<', name,
            name);
  else
    fprintf(out, "%s = %s %s wf_p[wf_k]; ", name, name, op);
  fprintf(out, "wf_acc_partials_free(&wf_r, wf_out_%s, wf_p); } ", name);
}

/* Two names may be of one array, which the text does not tell. */
static void write_apart(const acc_kernel *k, FILE *out) {
  for (unsigned i = 0; k->guessed && i < k->n_variables; i++)
    for (unsigned j = 0; j < i; j++) {
      const acc_variable *a = &k->variables[i], *b = &k->variables[j];
      const bool arrays = a->role == ACC_SHARED_ARRAY && b->role == ACC_SHARED_ARRAY;
      const bool pointer = a->symbol.shape == ACC_POINTER || b->symbol.shape == ACC_POINTER;
      if (arrays && pointer && (a->written || b->written) && !a->symbol.restricted &&
          !b->symbol.restricted)
        fprintf(out, "wf_acc_apart(&wf_r, \"%s\", %s, \"%s\", %s); ", a->symbol.name,
                a->symbol.name, b->symbol.name, b->symbol.name);
    }
}

static void write_launch(acc_source *s, const acc_kernel *k, FILE *out) {
  fprintf(out, "{ extern int %s_launch(const long *, const unsigned *%s); ", k->name,
          acc_launch_parameters(s, k));
  write_apart(k, out);
  acc_shape_write(k, out);
  fprintf(out, "const long wf_blocks = wf_acc_blocks(&wf_r, wf_n, wf_b, %u, %d); ", k->n_loops,
          k->by_block);
  if (k->tiles && acc_cache_how.width == ACC_FIXED)
    fprintf(out, "wf_acc_whole_blocks(&wf_r, wf_n, wf_b, %u); ", k->n_loops);
  for (unsigned i = 0; i < k->n_variables; i++)
    if (k->variables[i].role == ACC_REDUCED)
      fprintf(out, "%s *wf_out_%s = (%s *)wf_acc_partials(&wf_r, wf_blocks, sizeof(%s)); ",
              k->variables[i].symbol.type, k->variables[i].symbol.name, k->variables[i].symbol.type,
              k->variables[i].symbol.type);
  fprintf(out, "if (wf_blocks) wf_acc_launched(&wf_r, \"%s\", %s_launch(wf_n, wf_b%s)); ", k->name,
          k->name, arguments(s, k));
  for (unsigned i = 0; i < k->n_variables; i++)
    if (k->variables[i].role == ACC_REDUCED) write_join(&k->variables[i], out);
  fprintf(out, "}\n");
}

/* ---- the same statement on the host, to compare with ---- */

static bool first_of_name(const acc_region *r, unsigned kernel, unsigned variable) {
  for (unsigned i = 0; i <= kernel; i++)
    for (unsigned j = 0; j < (i == kernel ? variable : r->kernels[i].n_variables); j++)
      if (!strcmp(r->kernels[i].variables[j].symbol.name,
                  r->kernels[kernel].variables[variable].symbol.name))
        return false;
  return true;
}

typedef void each(acc_source *s, const acc_variable *v, FILE *out);

static void for_each(acc_source *s, const acc_region *r, each *write, FILE *out) {
  for (unsigned i = 0; i < r->n_kernels; i++)
    for (unsigned j = 0; j < r->kernels[i].n_variables; j++)
      if (first_of_name(r, i, j)) write(s, &r->kernels[i].variables[j], out);
}

/* Before the launch: what the arrays on the device hold, and values that the region sets. */
static void write_before(acc_source *s, const acc_variable *v, FILE *out) {
  const acc_symbol *a = &v->symbol;
  if (v->role == ACC_SHARED_ARRAY)
    fprintf(out, "void *wf_h_%s = wf_acc_before%s(&wf_r, \"%s\", %s, %s); ", a->name,
            v->raw ? "_raw" : "", a->name, a->name, value_kind(s, a));
  else if (v->role == ACC_REDUCED)
    fprintf(out, "%s; ", acc_keep(s, "%s wf_b_%s = %s", a->type, a->name, a->name));
}

static void write_results(acc_source *s, const acc_variable *v, FILE *out) {
  (void)s;
  if (v->role == ACC_REDUCED)
    fprintf(out, "%s wf_d_%s = %s; ", v->symbol.type, v->symbol.name, v->symbol.name);
}

static void write_shadow(acc_source *s, const acc_variable *v, FILE *out) {
  const acc_symbol *a = &v->symbol;
  if (v->role == ACC_SHARED_ARRAY)
    fprintf(out, "%s = wf_h_%s; (void)%s; ", acc_pointer_text(s, a, a->name), a->name, a->name);
  else if (v->role == ACC_REDUCED)
    fprintf(out, "%s %s = wf_b_%s; ", a->type, a->name, a->name);
  else if (v->role == ACC_LOCAL || v->role == ACC_INDEX)
    fprintf(out, "%s; (void)%s; ", acc_object_text(s, a, a->name), a->name);
}

static void write_compare(acc_source *s, const acc_variable *v, FILE *out) {
  (void)s;
  if (v->role == ACC_REDUCED)
    fprintf(out, "wf_acc_same(&wf_r, \"%s\", &wf_d_%s, &%s, sizeof %s, %s); ", v->symbol.name,
            v->symbol.name, v->symbol.name, v->symbol.name, value_kind(s, &v->symbol));
}

static const char *plain(acc_source *s, const acc_region *r, bool compared) {
  acc_edits none = {0};
  for (unsigned i = 0; compared && i < r->n_kernels; i++) {
    acc_node *statement = r->kernels[i].statement;
    if (r->kernels[i].channels)
      acc_replace(s, &none, statement->begin, acc_statement_end(s, statement),
                  acc_coroutines_text(s, &r->kernels[i]));
  }
  for (unsigned i = 0; i < s->n_directives; i++)
    if (s->directives[i].begin >= r->begin && s->directives[i].end <= r->end)
      acc_replace(s, &none, s->directives[i].begin, s->directives[i].end, "");
  return acc_edited(s, &none, r->directive->statement->begin, r->end);
}

static void write_check(acc_source *s, const acc_region *r, FILE *out) {
  fprintf(out, "if (wf_acc_checks(&wf_r)) { ");
  for_each(s, r, write_results, out);
  fprintf(out, "{ ");
  for_each(s, r, write_shadow, out);
  fprintf(out, "\n#line %u \"%s\"\n%s\n", acc_line(s, r->directive->statement->begin), s->path,
          plain(s, r, true));
  for_each(s, r, write_compare, out);
  fprintf(out, "} wf_acc_after(&wf_r); }\n");
}

/* Arrays that no clause names: all of an array is moved, a pointer's must be there. */
static void write_implied(acc_source *s, const acc_variable *v, FILE *out) {
  (void)s;
  if (v->role == ACC_SHARED_ARRAY && v->symbol.shape == ACC_ARRAY)
    fprintf(out, "wf_acc_move(&wf_r, %s, \"%s\", %s, %s, sizeof %s); ",
            clang_isConstQualifiedType(
                clang_getArrayElementType(clang_getCursorType(v->symbol.declared)))
                ? "WF_ACC_IMPLIED_IN"
                : "WF_ACC_IMPLIED",
            v->symbol.name, v->symbol.name, v->symbol.name, v->symbol.name);
}

static bool comparable(acc_source *s, const acc_region *r) {
  for (unsigned i = 0; i < r->n_kernels; i++)
    if (r->kernels[i].captures ||
        (r->kernels[i].channels && !acc_coroutines_can(s, &r->kernels[i])))
      return false;
  return true;
}

static char *region_text(acc_source *s, const acc_region *r, wf_error *err) {
  char *moves, *text;
  size_t bytes;
  if (!acc_moves_text(s, r->directive, "wf_r", &moves, err)) return NULL;
  FILE *out = open_memstream(&text, &bytes);
  fprintf(out, "{ wf_acc_region wf_r = wf_acc_begin(\"%s\", %u, %s);\nif (wf_r.device) {%s ",
          s->path, acc_line(s, r->begin), acc_if_text(r->directive), moves);
  for_each(s, r, write_implied, out);
  const bool compared = comparable(s, r);
  if (compared) for_each(s, r, write_before, out);
  fprintf(out, "\n");
  for (unsigned i = 0; i < r->n_kernels; i++) write_launch(s, &r->kernels[i], out);
  if (compared)
    write_check(s, r, out);
  else
    fprintf(out, "wf_acc_unchecked(&wf_r);\n");
  fprintf(out, "wf_acc_end(&wf_r); } else {\n#line %u \"%s\"\n%s\n} }",
          acc_line(s, r->directive->statement->begin), s->path, plain(s, r, false));
  fclose(out);
  char *kept = acc_keep(s, "%s\n#line %u \"%s\"\n", text, acc_line(s, r->end), s->path);
  free(text);
  return kept;
}

/* ---- the other directives ---- */

static bool edit_directive(acc_source *s, const acc_directive *d, bool in_region, acc_edits *edits,
                           wf_error *err) {
  switch (d->kind) {
  case ACC_DATA:
  case ACC_HOST_DATA:
  case ACC_DECLARE:
  case ACC_ENTER:
  case ACC_EXIT:
  case ACC_UPDATE:
    return acc_data_edits(s, d, edits, err);
  case ACC_PARALLEL:
  case ACC_KERNELS:
  case ACC_SERIAL:
    return true;
  case ACC_ATOMIC:
  case ACC_FCW:
  case ACC_FCW_BARRIER:
    if (!in_region)
      return acc_fail(s, d->begin, err, "'%s' stands outside of compute regions",
                      acc_kind_name(d->kind));
    if (d->kind != ACC_ATOMIC) acc_replace(s, edits, d->begin, d->end, "");
    return true;
  default:
    acc_replace(s, edits, d->begin, d->end, "");
    return true; /* of a region, or nothing */
  }
}

bool acc_host_write(acc_source *s, const acc_region *regions, unsigned n, FILE *out,
                    wf_error *err) {
  acc_edits edits = {0};
  for (unsigned i = 0; i < n; i++) {
    const acc_region *r = &regions[i];
    const char *text = region_text(s, r, err);
    if (!text) return false;
    /* Between them may be an #endif. */
    acc_replace(s, &edits, r->directive->begin, r->directive->end, "");
    acc_replace(s, &edits, r->directive->statement->begin, r->end, text);
    for (unsigned k = 0; comparable(s, r) && k < r->n_kernels; k++) {
      if (!r->kernels[k].channels) continue;
      const char *thread = acc_coroutine_text(s, &r->kernels[k], err);
      if (!thread) return false;
      acc_insert(s, &edits, r->function->begin, thread);
    }
  }
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    bool inside = false;
    for (unsigned r = 0; r < n; r++)
      inside |= d->begin >= regions[r].begin && d->end <= regions[r].end;
    if (!edit_directive(s, d, inside, &edits, err)) return false;
  }
  fprintf(out, "#include \"wf_acc.h\"\n#line 1 \"%s\"\n%s", s->path,
          acc_edited(s, &edits, 0, s->bytes));
  return true;
}
