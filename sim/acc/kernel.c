#include "sim/acc/kernel.h"
#include "sim/acc/cache.h"

#include <string.h>

static const char axis[] = "xyz";

/* ---- parameters ---- */

static const char *extent_name(acc_source *s, const acc_symbol *a, unsigned dim) {
  return acc_keep(s, "wf_m_%s_%u", a->name, dim);
}

/* Extents that are no numbers are passed besides, since C++ has no arrays of such. */
static char *array_parameter(acc_source *s, const acc_symbol *a) {
  if (a->fixed) return acc_keep(s, ", %s", acc_pointer_text(s, a, a->name));
  char *text = acc_keep(s, ", %s *wf_m_%s", a->type, a->name);
  for (unsigned i = 1; i < a->n_dims; i++)
    text = acc_keep(s, "%s, long %s", text, extent_name(s, a, i));
  return text;
}

char *acc_launch_parameters(acc_source *s, const acc_kernel *k) {
  char *text = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < k->n_variables; i++) {
    const acc_variable *v = &k->variables[i];
    if (v->role == ACC_SHARED_ARRAY)
      text = acc_keep(s, "%s%s", text, array_parameter(s, &v->symbol));
    if (v->role == ACC_SHARED_ARRAY && v->bounded)
      text = acc_keep(s, "%s, int wf_lo_%s, int wf_hi_%s", text, v->symbol.name, v->symbol.name);
    if (v->role == ACC_VALUE) text = acc_keep(s, "%s, %s %s", text, v->symbol.type, v->symbol.name);
    if (v->role == ACC_REDUCED)
      text = acc_keep(s, "%s, %s *wf_out_%s", text, v->symbol.type, v->symbol.name);
  }
  return text;
}

static char *launch_arguments(acc_source *s, const acc_kernel *k) {
  char *text = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < k->n_variables; i++) {
    const acc_symbol *a = &k->variables[i].symbol;
    const acc_role role = k->variables[i].role;
    if (role == ACC_SHARED_ARRAY)
      text = acc_keep(s, "%s, %s%s", text, a->fixed ? "" : "wf_m_", a->name);
    for (unsigned d = 1; role == ACC_SHARED_ARRAY && !a->fixed && d < a->n_dims; d++)
      text = acc_keep(s, "%s, %s", text, extent_name(s, a, d));
    if (role == ACC_SHARED_ARRAY && k->variables[i].bounded)
      text = acc_keep(s, "%s, wf_lo_%s, wf_hi_%s", text, a->name, a->name);
    if (role == ACC_VALUE) text = acc_keep(s, "%s, %s", text, a->name);
    if (role == ACC_REDUCED) text = acc_keep(s, "%s, wf_out_%s", text, a->name);
  }
  return text;
}

/* ---- the body ---- */

bool acc_thread_edits(acc_source *s, const acc_kernel *k, unsigned begin, unsigned end,
                      acc_edits *edits, wf_error *err) {
  for (unsigned i = 0; i < s->n_directives; i++) {
    const acc_directive *d = &s->directives[i];
    if (d->begin < begin || d->end > end) continue;
    if (d->kind == ACC_ATOMIC) {
      const char *call = acc_atomic_text(s, d, err);
      if (!call) return false;
      acc_replace(s, edits, d->begin, acc_statement_end(s, d->statement), call);
    } else if (d->kind == ACC_CACHE) {
      if (!acc_cache_edits(s, k, d, edits, err)) return false;
    } else if (d->kind == ACC_FCW) {
      if (!acc_fcw_edits(s, k, d, false, edits, err)) return false;
    } else if (d->kind == ACC_FCW_BARRIER) {
      acc_replace(s, edits, d->begin, d->end, "__syncthreads();");
    } else if (d->kind == ACC_LOOP || d->kind == ACC_ROUTINE) {
      acc_replace(s, edits, d->begin, d->end, "");
    } else {
      return acc_fail(s, d->begin, err, "'%s' stands inside of a compute region",
                      acc_kind_name(d->kind));
    }
  }
  return true;
}

/* A jump that belongs to the loop whose body this is, not to one within. */
static acc_node *jump(acc_node *body, enum CXCursorKind kind) {
  for (acc_node *n = body; n; n = acc_next_below(body, n)) {
    if (n->kind != kind) continue;
    const acc_node *p = n;
    while (p != body && p->kind != CXCursor_ForStmt && p->kind != CXCursor_WhileStmt &&
           p->kind != CXCursor_DoStmt &&
           !(p->kind == CXCursor_SwitchStmt && kind == CXCursor_BreakStmt))
      p = p->parent;
    if (p == body) return n;
  }
  return NULL;
}

static bool no_way_out(acc_source *s, acc_node *body, wf_error *err) {
  const acc_node *out = jump(body, CXCursor_BreakStmt);
  for (acc_node *n = body; n && !out; n = acc_next_below(body, n))
    if (n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt) out = n;
  return !out || acc_fail(s, out->begin, err, "a parallel loop is left from within");
}

static char *body_text(acc_source *s, const acc_kernel *k, wf_error *err) {
  acc_node *body = k->n_loops ? k->loops[k->n_loops - 1].body : k->statement;
  const unsigned end = acc_statement_end(s, body);
  acc_edits edits = {0};
  if (!acc_thread_edits(s, k, body->begin, end, &edits, err)) return NULL;
  if (k->by_block && !acc_share_loops(s, body, &edits, err)) return NULL;
  if (k->n_loops && !no_way_out(s, body, err)) return NULL;
  const bool skips = k->n_loops && jump(body, CXCursor_ContinueStmt);
  const char *text = acc_edited(s, &edits, body->begin, end);
  return skips ? acc_keep(s, "do %s while (0);", text) : acc_keep(s, "%s", text);
}

/* ---- the kernel ---- */

static void write_locals(acc_source *s, const acc_kernel *k, FILE *out) {
  for (unsigned i = 0; i < k->n_variables; i++) {
    const acc_symbol *a = &k->variables[i].symbol;
    const acc_role role = k->variables[i].role;
    if (role == ACC_LOCAL)
      fprintf(out, "  %s%s;\n", k->by_block && a->shape == ACC_ARRAY ? "__shared__ " : "",
              acc_object_text(s, a, a->name));
    if (role == ACC_REDUCED)
      fprintf(out, "  %s %s = %s::identity((%s)0);\n", a->type, a->name,
              acc_reducer(k->variables[i].operator), a->type);
    if (role != ACC_SHARED_ARRAY || a->fixed) continue;
    fprintf(out, "  const wf_acc_rows<%s, %u> %s = {wf_m_%s", a->type, a->n_dims, a->name, a->name);
    for (unsigned d = 1; d < a->n_dims; d++)
      fprintf(out, "%s%s", d == 1 ? ", {" : ", ", extent_name(s, a, d));
    fprintf(out, "}};\n");
  }
}

static void write_indices(acc_source *s, const acc_kernel *k, FILE *out) {
  for (unsigned i = 0; i < k->n_loops; i++) {
    const acc_loop *loop = &k->loops[i];
    const char *type = loop->index.type;
    const char *times = acc_keep(s, "wf_%c", axis[k->n_loops - 1 - i]);
    fprintf(out, "    %s %s = %s;\n", type, loop->index.name,
            acc_loop_later(s, loop, loop->first, times));
  }
}

static void write_ends(const acc_kernel *k, FILE *out) {
  for (unsigned i = 0; i < k->n_variables; i++) {
    const acc_variable *v = &k->variables[i];
    if (v->role == ACC_REDUCED)
      fprintf(out, "  wf_acc_partial<%s>(%s, wf_out_%s, %s);\n", acc_reducer(v->operator),
              v->symbol.name, v->symbol.name, k->by_block ? "true" : "false");
  }
}

static void write_guard(const acc_kernel *k, FILE *out) {
  if (!k->n_loops) {
    fprintf(out, "  if (blockIdx.x == 0 && threadIdx.x == 0) {\n");
    return;
  }
  for (unsigned i = 0; i < k->n_loops; i++)
    fprintf(out,
            k->by_block ? "  const int wf_%c = blockIdx.%c;\n"
                        : "  const int wf_%c = wf_acc_thread_%c();\n",
            axis[i], axis[i]);
  fprintf(out, "  if (");
  for (unsigned i = 0; i < k->n_loops; i++)
    fprintf(out, "%swf_%c < wf_n%c", i ? " && " : "", axis[i], axis[i]);
  fprintf(out, ") {\n");
}

static void write_launch(acc_source *s, const acc_kernel *k, FILE *out) {
  fprintf(out, "extern \"C\" int %s_launch(const long *wf_n, const unsigned *wf_b%s) {\n", k->name,
          acc_launch_parameters(s, k));
  fprintf(out,
          "  dim3 wf_grid, wf_block;\n"
          "  wf_acc_shape(wf_n, wf_b, %u, %s, &wf_grid, &wf_block);\n",
          k->n_loops, k->by_block ? "true" : "false");
  fprintf(out, "  %s<<<wf_grid, wf_block>>>((int)wf_n[0], (int)wf_n[1], (int)wf_n[2]%s);\n",
          k->name, launch_arguments(s, k));
  fprintf(out, "  return (int)cudaGetLastError();\n}\n");
}

bool acc_kernel_write(acc_source *s, const acc_kernel *k, FILE *out, wf_error *err) {
  const char *body = body_text(s, k, err);
  if (!body) return false;
  fprintf(out, "\nextern \"C\" __global__ void %s(int wf_nx, int wf_ny, int wf_nz%s) {\n", k->name,
          acc_launch_parameters(s, k));
  write_locals(s, k, out);
  write_guard(k, out);
  write_indices(s, k, out);
  const acc_node *from = k->n_loops ? k->loops[k->n_loops - 1].body : k->statement;
  fprintf(out, "#line %u \"%s\"\n%s\n  }\n", acc_line(s, from->begin), s->path, body);
  write_ends(k, out);
  fprintf(out, "}\n");
  write_launch(s, k, out);
  return true;
}
