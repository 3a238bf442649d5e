/* A thread block runs one iteration of a gang loop: all its threads run the same statements, the
 * first one alone writes to memory, and vector loops are shared out along x. */
#include <string.h>

#include "sim/acc/edit.h"
#include "sim/acc/kernel.h"

static bool holds_vector_loop(acc_source *s, acc_node *top) {
  for (acc_node *n = top; n; n = acc_next_below(top, n))
    if (acc_is_vector_loop(s, n)) return true;
  return false;
}

/* A function of the program that gets an address to write to. */
static bool may_write(const acc_node *n) {
  if (n->kind != CXCursor_CallExpr) return false;
  const CXCursor callee = clang_getCursorReferenced(n->cursor);
  if (clang_Location_isInSystemHeader(clang_getCursorLocation(callee))) return false;
  for (int i = 0; i < clang_Cursor_getNumArguments(callee); i++) {
    const CXType type =
        clang_getCanonicalType(clang_getCursorType(clang_Cursor_getArgument(callee, (unsigned)i)));
    if (type.kind == CXType_Pointer && !clang_isConstQualifiedType(clang_getPointeeType(type)))
      return true;
  }
  return false;
}

static bool writes_memory(acc_source *s, acc_node *statement) {
  for (acc_node *n = statement; n; n = acc_next_below(statement, n)) {
    acc_symbol symbol;
    acc_node *whole;
    if (may_write(n)) return true;
    if (!acc_symbol_of(s, n, &symbol)) continue;
    if (symbol.shape != ACC_POINTER && symbol.shape != ACC_ARRAY) continue;
    if (acc_use_of(s, n, &whole) != ACC_READ) return true;
  }
  return acc_directive_of(s, statement, ACC_ATOMIC) != NULL;
}

/* Sums of the vector loop, joined behind it. */
static void join_sums(acc_source *s, const acc_directive *d, const char **open,
                      const char **close) {
  for (unsigned c = 0; c < d->n_clauses; c++)
    for (unsigned i = 0; d->clauses[c].kind == ACC_REDUCTION && i < d->clauses[c].n_items; i++) {
      const char *name = d->clauses[c].items[i].name, *op = acc_reducer(d->clauses[c].text);
      *open = acc_keep(s, "%sauto wf_s_%s = %s; %s = %s::identity(%s); ", *open, name, name, name,
                       op, name);
      *close = acc_keep(s, "%s %s = %s::join(wf_s_%s, wf_acc_block<%s>(%s));", *close, name, op,
                        name, op, name);
    }
}

static bool named(const acc_directive *d, acc_clause_kind kind, const char *name) {
  for (unsigned c = 0; c < d->n_clauses; c++)
    if (d->clauses[c].kind == kind && acc_clause_names(&d->clauses[c], name)) return true;
  return false;
}

/* Each thread has its own of what the loop sets: that must be of no use outside of an iteration. */
static bool values_stay(acc_source *s, acc_node *body, acc_node *loop, wf_error *err) {
  const acc_directive *d = acc_directive_of(s, loop, ACC_LOOP);
  for (acc_node *n = loop; n; n = acc_next_below(loop, n)) {
    acc_symbol symbol;
    acc_node *whole;
    if (!acc_symbol_of(s, n, &symbol) || acc_use_of(s, n, &whole) == ACC_READ ||
        (symbol.shape != ACC_SCALAR && symbol.shape != ACC_RECORD) ||
        acc_declared_in(s, &symbol, loop->begin, loop->end) ||
        named(d, ACC_REDUCTION, symbol.name) || named(d, ACC_PRIVATE, symbol.name))
      continue;
    acc_loop read;
    wf_error none;
    const bool index = acc_loop_read(s, loop, &read, &none) && acc_same(&read.index, &symbol);
    if ((!index && acc_needs_old(s, loop, &symbol, loop->begin, loop->end)) ||
        acc_needs_old(s, body, &symbol, loop->end, body->end))
      return acc_fail(
          s, n->begin, err,
          "'%s' goes from one iteration of a vector loop to the next, or out of it; say "
          "reduction(+:%s), or declare it in the loop",
          symbol.name, symbol.name);
  }
  return true;
}

/* for (i = FIRST + threadIdx.x * STEP; ...; i += STEP * blockDim.x), its sums joined behind it. */
static bool share_loop(acc_source *s, acc_node *n, acc_edits *edits, wf_error *err) {
  acc_loop loop;
  if (!acc_loop_read(s, n, &loop, err)) return false;
  if (loop.scales)
    return acc_fail(s, n->begin, err,
                    "a vector loop's step by * or / is not supported; make it the gang loop");
  const char *open = "{ __syncthreads(); ", *close = "";
  join_sums(s, acc_directive_of(s, n, ACC_LOOP), &open, &close);
  const char *sign = loop.down ? "-" : "+";
  const char *type = loop.declares ? acc_keep(s, "%s ", loop.index.type) : "";
  acc_replace(s, edits, n->begin, loop.header,
              acc_keep(s,
                       "%sfor (%s%s = (%s) %s (%s)threadIdx.x * (%s); %s; %s %s= (%s)blockDim.x "
                       "* (%s))",
                       open, type, loop.index.name, loop.first, sign, loop.index.type, loop.step,
                       acc_loop_condition(s, &loop), loop.index.name, sign, loop.index.type,
                       loop.step));
  acc_close(s, edits, acc_statement_end(s, n), acc_keep(s, "%s __syncthreads(); }", close));
  return true;
}

/* An array of the iteration is one for all of its block's threads. */
static bool share_arrays(acc_source *s, acc_node *n, acc_edits *edits, wf_error *err) {
  bool arrays = false, others = false;
  for (const acc_node *v = n->first; v; v = v->next) {
    const CXType type = clang_getCanonicalType(clang_getCursorType(v->cursor));
    const bool array = v->kind == CXCursor_VarDecl && type.kind == CXType_ConstantArray;
    if (type.kind == CXType_VariableArray ||
        (array && memchr(s->text + v->begin, '=', v->end - v->begin)))
      return acc_fail(s, v->begin, err,
                      "an array of a gang loop's iteration, which its vector loops share, has a "
                      "number as its extent and is set by statements");
    arrays |= array;
    others |= !array;
  }
  if (arrays && others)
    return acc_fail(s, n->begin, err,
                    "declare the array, which vector loops share, by a statement of its own");
  if (arrays) acc_insert(s, edits, n->begin, "__shared__ ");
  return true;
}

/* What one thread alone runs must leave its values as all others have them. */
static bool sets_no_value(acc_source *s, acc_node *statement, wf_error *err) {
  for (acc_node *n = statement; n; n = acc_next_below(statement, n)) {
    acc_symbol symbol;
    acc_node *whole;
    if (acc_symbol_of(s, n, &symbol) &&
        (symbol.shape == ACC_SCALAR || symbol.shape == ACC_RECORD) &&
        acc_use_of(s, n, &whole) != ACC_READ &&
        !acc_declared_in(s, &symbol, statement->begin, statement->end))
      return acc_fail(s, n->begin, err,
                      "a statement of a gang loop sets memory and '%s' at once; write two",
                      symbol.name);
  }
  return true;
}

static bool share_below(acc_source *s, acc_node *body, acc_node *n, acc_edits *edits,
                        wf_error *err) {
  if (acc_is_vector_loop(s, n)) return values_stay(s, body, n, err) && share_loop(s, n, edits, err);
  const bool nest = n->kind == CXCursor_CompoundStmt || n->kind == CXCursor_ForStmt ||
                    n->kind == CXCursor_IfStmt || n->kind == CXCursor_WhileStmt ||
                    n->kind == CXCursor_DoStmt;
  if (nest) {
    for (acc_node *c = n->first; c; c = c->next)
      if (!share_below(s, body, c, edits, err)) return false;
    return true;
  }
  if (n->kind == CXCursor_DeclStmt) return share_arrays(s, n, edits, err);
  if (!writes_memory(s, n)) return true;
  if (holds_vector_loop(s, n))
    return acc_fail(s, n->begin, err, "a vector loop inside of this statement is not supported");
  if (!sets_no_value(s, n, err)) return false;
  acc_insert(s, edits, n->begin, "{ __syncthreads(); if (threadIdx.x == 0) { ");
  acc_close(s, edits, acc_statement_end(s, n), " } __syncthreads(); }");
  return true;
}

bool acc_share_loops(acc_source *s, acc_node *body, acc_edits *edits, wf_error *err) {
  return share_below(s, body, body, edits, err);
}
