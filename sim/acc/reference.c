/* What kernels with fcw are compared with: the same C, a block's iterations as coroutines. */
#include <stdlib.h>

#include "sim/acc/cache.h"
#include "sim/acc/host.h"

/* Extents and steps must be those that C has words for in another function. */
bool acc_coroutines_can(const acc_source *s, const acc_kernel *k) {
  (void)s;
  for (unsigned i = 0; i < k->n_variables; i++)
    if (!k->variables[i].symbol.fixed || k->variables[i].raw) return false;
  for (unsigned i = 0; i < k->n_loops; i++)
    if (k->loops[i].scales) return false;
  return k->n_loops > 0;
}

static bool edit_body(acc_source *s, const acc_kernel *k, acc_edits *edits, wf_error *err) {
  const acc_node *body = k->loops[k->n_loops - 1].body;
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    if (d->begin < body->begin || d->end > body->end) continue;
    if (d->kind == ACC_FCW) {
      if (!acc_fcw_edits(s, k, d, true, edits, err)) return false;
    } else {
      acc_replace(s, edits, d->begin, d->end, d->kind == ACC_FCW_BARRIER ? "wf_acc_meet();" : "");
    }
  }
  return true;
}

static void write_variable(acc_source *s, const acc_variable *v, unsigned at, FILE *out) {
  const acc_symbol *a = &v->symbol;
  if (v->role == ACC_SHARED_ARRAY)
    fprintf(out, "%s = wf_v[%u]; (void)%s;\n", acc_pointer_text(s, a, a->name), at, a->name);
  if (v->role == ACC_VALUE)
    fprintf(out, "%s %s = *(%s *)wf_v[%u]; (void)%s;\n", a->type, a->name, a->type, at, a->name);
  if (v->role == ACC_LOCAL) fprintf(out, "%s;\n", acc_object_text(s, a, a->name));
}

const char *acc_coroutine_text(acc_source *s, const acc_kernel *k, wf_error *err) {
  const acc_node *body = k->loops[k->n_loops - 1].body;
  acc_edits edits = {0};
  if (!edit_body(s, k, &edits, err)) return NULL;
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  fprintf(out, "static void %s_thread(void **wf_v, const long *wf_at) {\n", k->name);
  for (unsigned i = 0; i < k->n_variables; i++) write_variable(s, &k->variables[i], i, out);
  for (unsigned i = 0; i < k->n_loops; i++) {
    const acc_loop *l = &k->loops[i];
    fprintf(out, "%s %s = %s;\n", l->index.type, l->index.name,
            acc_loop_later(s, l, l->first, acc_keep(s, "wf_at[%u]", k->n_loops - 1 - i)));
  }
  fprintf(out, "#line %u \"%s\"\ndo %s while (0);\n}\n", acc_line(s, body->begin), s->path,
          acc_edited(s, &edits, body->begin, acc_statement_end(s, body)));
  fclose(out);
  char *kept =
      acc_keep(s, "\n%s#line %u \"%s\"\n", text, acc_line(s, k->statement->begin), s->path);
  free(text);
  return kept;
}

const char *acc_coroutines_text(acc_source *s, const acc_kernel *k) {
  char *text;
  size_t bytes;
  FILE *out = open_memstream(&text, &bytes);
  fprintf(out, "{ ");
  acc_shape_write(k, out);
  fprintf(out, "void *wf_v[] = {");
  for (unsigned i = 0; i < k->n_variables; i++) {
    const acc_variable *v = &k->variables[i];
    fprintf(out,
            v->role == ACC_SHARED_ARRAY ? "%s"
            : v->role == ACC_VALUE      ? "&%s"
                                        : "0",
            v->symbol.name);
    fprintf(out, ", ");
  }
  fprintf(out, "0}; wf_acc_coroutines(&wf_r, %s_thread, wf_v, wf_n, wf_b); }", k->name);
  fclose(out);
  char *kept = acc_keep(s, "%s", text);
  free(text);
  return kept;
}
