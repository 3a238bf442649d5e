/* Directives that move data: data, host_data, declare, enter data, exit data and update. */
#include <string.h>

#include "sim/acc/host.h"

const char *acc_if_text(const acc_directive *d) {
  const acc_clause *c = acc_clause_find(d, ACC_IF);
  return c ? c->text : "1";
}

/* A region with moves must come to its end. */
static bool stays_within(acc_source *s, const acc_directive *d, wf_error *err) {
  for (acc_node *n = d->statement; n; n = acc_next_below(d->statement, n)) {
    const acc_node *p = n;
    bool leaves = n->kind == CXCursor_ReturnStmt || n->kind == CXCursor_GotoStmt;
    if (n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ContinueStmt) {
      while (p != d->statement && p->kind != CXCursor_ForStmt && p->kind != CXCursor_WhileStmt &&
             p->kind != CXCursor_DoStmt && p->kind != CXCursor_SwitchStmt)
        p = p->parent;
      leaves = p->kind == CXCursor_CompoundStmt;
    }
    if (leaves)
      return acc_fail(s, n->begin, err,
                      "a data region is left from within; set a flag, and leave "
                      "behind it");
  }
  return true;
}

static bool edit_data(acc_source *s, const acc_directive *d, acc_edits *edits, wf_error *err) {
  char *moves;
  const unsigned line = acc_line(s, d->begin);
  if (!acc_moves_text(s, d, "wf_r", &moves, err) || !stays_within(s, d, err)) return false;
  const char *begin =
      acc_keep(s,
               "{ wf_acc_region wf_r = wf_acc_begin(\"%s\", %u, %s); "
               "if (wf_r.device) {%s } wf_acc_keep(&wf_r);\n#line %u \"%s\"\n",
               s->path, line, acc_if_text(d), moves, acc_line(s, d->end) + 1, s->path);
  acc_replace(s, edits, d->begin, d->end + (s->text[d->end] == '\n'), begin);
  acc_close(s, edits, acc_statement_end(s, d->statement), " wf_acc_end_data(); }");
  return true;
}

/* Within it the arrays' names are the device's addresses. */
static bool edit_host_data(acc_source *s, const acc_directive *d, acc_edits *edits, wf_error *err) {
  char *text = acc_keep(s, "{ wf_acc_region wf_r = wf_acc_begin(\"%s\", %u, %s); ", s->path,
                        acc_line(s, d->begin), acc_if_text(d));
  const int if_present = acc_clause_find(d, ACC_IF_PRESENT) != NULL;
  char *names = acc_keep(s, "%s", "");
  for (unsigned i = 0; i < d->n_clauses; i++)
    for (unsigned j = 0; d->clauses[i].kind == ACC_USE_DEVICE && j < d->clauses[i].n_items; j++) {
      const acc_item *item = &d->clauses[i].items[j];
      acc_symbol a;
      if (!acc_symbol_named(s, item->name, item->at, &a, err)) return false;
      if ((a.shape != ACC_ARRAY && a.shape != ACC_POINTER) || item->n_ranges)
        return acc_fail(s, item->at, err, "use_device(%s): names of arrays and pointers are taken",
                        item->name);
      const char *kept = acc_keep(s, "wf_u_%s", a.name);
      text = acc_keep(s, "%s%s = wf_acc_use(&wf_r, \"%s\", %s, %d); ", text,
                      acc_pointer_text(s, &a, kept), a.name, a.name, if_present);
      names = acc_keep(s, "%s%s = %s; (void)%s; ", names, acc_pointer_text(s, &a, a.name), kept,
                       a.name);
    }
  if (!*names) return acc_fail(s, d->begin, err, "host_data without use_device(...)");
  acc_replace(s, edits, d->begin, d->end, acc_keep(s, "%s{ %s", text, names));
  acc_close(s, edits, acc_statement_end(s, d->statement), " } wf_acc_leave(&wf_r); }");
  return true;
}

static acc_node *main_of(acc_source *s) {
  for (acc_node *n = s->root.first; n; n = n->next)
    if (n->kind == CXCursor_FunctionDecl && clang_isCursorDefinition(n->cursor) && n->last &&
        n->last->kind == CXCursor_CompoundStmt &&
        !strcmp(acc_take(s, clang_getCursorSpelling(n->cursor)), "main"))
      return n->last;
  return NULL;
}

static bool in_function(const acc_source *s, const acc_directive *d) {
  for (const acc_node *n = s->root.first; n; n = n->next)
    if (n->kind == CXCursor_FunctionDecl && n->begin < d->begin && d->end < n->end) return true;
  return false;
}

/* In a function it lasts to the end of the block, at file scope as long as the program. */
static bool edit_declare(acc_source *s, const acc_directive *d, acc_edits *edits, wf_error *err) {
  char *moves;
  const unsigned line = acc_line(s, d->begin);
  const char *name = acc_keep(s, "wf_d%u", line);
  if (!acc_moves_text(s, d, name, &moves, err)) return false;
  if (in_function(s, d)) {
    acc_replace(s, edits, d->begin, d->end,
                acc_keep(s,
                         "__attribute__((cleanup(wf_acc_end_declared))) wf_acc_region %s = "
                         "wf_acc_begin(\"%s\", %u, 1);%s",
                         name, s->path, line, moves));
    return true;
  }
  for (unsigned i = 0; i < d->n_clauses; i++)
    if (d->clauses[i].kind == ACC_COPY || d->clauses[i].kind == ACC_COPYOUT ||
        d->clauses[i].kind == ACC_PRESENT)
      return acc_fail(s, d->clauses[i].at, err,
                      "declare %s(...) outside of functions: copyin, create, device_resident and "
                      "link are taken there",
                      d->clauses[i].name);
  const acc_node *body = main_of(s);
  if (!body)
    return acc_fail(s, d->begin, err,
                    "declare outside of functions is done when main() begins, which is not in this "
                    "file");
  acc_replace(s, edits, d->begin, d->end, "");
  acc_insert(s, edits, body->begin + 1,
             acc_keep(s,
                      " { wf_acc_region %s = wf_acc_begin(\"%s\", %u, 1);%s "
                      "wf_acc_leave(&%s); }",
                      name, s->path, line, moves, name));
  return true;
}

static bool edit_alone(acc_source *s, const acc_directive *d, acc_edits *edits, wf_error *err) {
  char *moves;
  if (!acc_moves_text(s, d, "wf_r", &moves, err)) return false;
  acc_replace(s, edits, d->begin, d->end,
              acc_keep(s,
                       "{ wf_acc_region wf_r = wf_acc_begin(\"%s\", %u, %s); "
                       "wf_r.if_present = %d; if (wf_r.device) {%s } wf_acc_leave(&wf_r); }",
                       s->path, acc_line(s, d->begin), acc_if_text(d),
                       acc_clause_find(d, ACC_IF_PRESENT) != NULL, moves));
  return true;
}

bool acc_data_edits(acc_source *s, const acc_directive *d, acc_edits *edits, wf_error *err) {
  if (d->kind == ACC_DATA) return edit_data(s, d, edits, err);
  if (d->kind == ACC_HOST_DATA) return edit_host_data(s, d, edits, err);
  return d->kind == ACC_DECLARE ? edit_declare(s, d, edits, err) : edit_alone(s, d, edits, err);
}
