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

static bool writes_memory(acc_source *s, acc_node *statement) {
  for (acc_node *n = statement; n; n = acc_next_below(statement, n)) {
    acc_symbol symbol;
    acc_node *whole;
    if (!acc_symbol_of(s, n, &symbol)) continue;
    if (symbol.shape != ACC_POINTER && symbol.shape != ACC_ARRAY) continue;
    if (acc_use_of(s, n, &whole) != ACC_READ) return true;
  }
  return acc_directive_of(s, statement, ACC_ATOMIC) != NULL;
}

static const acc_clause *reduction_of(const acc_source *s, const acc_node *loop) {
  return acc_clause_find(acc_directive_of(s, loop, ACC_LOOP), ACC_REDUCTION);
}

/* for (i = FIRST + threadIdx.x * STEP; ...; i += STEP * blockDim.x), its sums joined behind it. */
static bool share_loop(acc_source *s, acc_node *n, acc_edits *edits, wf_error *err) {
  acc_loop loop;
  if (!acc_loop_read(s, n, &loop, err)) return false;
  if (loop.scales)
    return acc_fail(s, n->begin, err,
                    "a vector loop's step by * or / is not supported; make it the gang loop");
  const char *open = "{ ", *close = "";
  const acc_clause *c = reduction_of(s, n);
  for (unsigned i = 0; c && i < c->n_items; i++) {
    const char *name = c->items[i].name, *op = acc_reducer(c->text);
    open = acc_keep(s, "%sauto wf_s_%s = %s; %s = %s::identity(%s); ", open, name, name, name, op,
                    name);
    close = acc_keep(s, "%s %s = %s::join(wf_s_%s, wf_acc_block<%s>(%s));", close, name, op, name,
                     op, name);
  }
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

bool acc_share_loops(acc_source *s, acc_node *n, acc_edits *edits, wf_error *err) {
  if (acc_is_vector_loop(s, n)) return share_loop(s, n, edits, err);
  const bool nest = n->kind == CXCursor_CompoundStmt || n->kind == CXCursor_ForStmt ||
                    n->kind == CXCursor_IfStmt || n->kind == CXCursor_WhileStmt ||
                    n->kind == CXCursor_DoStmt;
  if (nest) {
    for (acc_node *c = n->first; c; c = c->next)
      if (!acc_share_loops(s, c, edits, err)) return false;
    return true;
  }
  if (n->kind == CXCursor_DeclStmt || !writes_memory(s, n)) return true;
  if (holds_vector_loop(s, n))
    return acc_fail(s, n->begin, err, "a vector loop inside of this statement is not supported");
  acc_insert(s, edits, n->begin, "{ if (threadIdx.x == 0) { ");
  acc_close(s, edits, acc_statement_end(s, n), " } __syncthreads(); }");
  return true;
}
