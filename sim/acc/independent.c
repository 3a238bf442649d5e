/* Can a loop's iterations run in any order? Told by names: each iteration sets only what is its
 * own, elements found by the loop's variable. Two names are taken for two objects. */
#include <ctype.h>
#include <string.h>

#include "sim/acc/region.h"

enum { MAX_SUBSCRIPTS = 4 };

typedef struct element {
  const char *at[MAX_SUBSCRIPTS]; /* without blanks; the outermost first */
  unsigned n;
  bool pointer; /* reached by *p or with too many subscripts */
} element;

static const char *dense(acc_source *s, const acc_node *n) {
  char *text = acc_slice(s, n->begin, n->end), *to = text;
  for (const char *from = text; *from; from++)
    if (!isspace((unsigned char)*from)) *to++ = *from;
  *to = '\0';
  return text;
}

static void read_element(acc_source *s, const acc_node *reference, element *e) {
  *e = (element){0};
  for (const acc_node *n = reference; n->parent; n = n->parent) {
    const acc_node *p = n->parent;
    if (p->kind == CXCursor_ArraySubscriptExpr && p->first == n) {
      if (e->n == MAX_SUBSCRIPTS)
        e->pointer = true;
      else
        e->at[e->n++] = dense(s, p->last);
    } else if (p->kind == CXCursor_UnaryOperator) {
      e->pointer |= acc_operator(s, p)[0] == '*';
    } else if (p->kind != CXCursor_UnexposedExpr && p->kind != CXCursor_ParenExpr &&
               p->kind != CXCursor_MemberRefExpr) {
      break;
    }
  }
}

/* i, i+1, i-2 */
static bool is_shifted(const char *text, const char *index) {
  const size_t n = strlen(index);
  if (strncmp(text, index, n) != 0) return false;
  if (!text[n]) return true;
  return (text[n] == '+' || text[n] == '-') && text[n + 1] &&
         strspn(text + n + 1, "0123456789") == strlen(text + n + 1);
}

/* i*W+j, where j runs from 0 below W within. */
static bool is_row(acc_source *s, const char *text, const acc_loop *loop) {
  const char *star = strchr(text, '*'), *plus = strrchr(text, '+');
  if (!star || !plus || plus < star ||
      strncmp(text, loop->index.name, strlen(loop->index.name)) != 0 ||
      star != text + strlen(loop->index.name))
    return false;
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    acc_loop inner;
    wf_error ignored;
    if (n->kind != CXCursor_ForStmt || !acc_loop_read(s, n, &inner, &ignored)) continue;
    if (!strcmp(inner.index.name, plus + 1) && !strcmp(inner.first, "0") && !inner.down &&
        !inner.inclusive && strlen(inner.limit) == (size_t)(plus - star - 1) &&
        !strncmp(inner.limit, star + 1, strlen(inner.limit)))
      return true;
  }
  return false;
}

/* Subscripts that differ from e's are common no longer. */
static void drop_others(element *common, const element *e) {
  for (unsigned i = 0; i < MAX_SUBSCRIPTS; i++)
    if (common->at[i] && (i >= e->n || strcmp(common->at[i], e->at[i]) != 0)) common->at[i] = NULL;
}

/* Do all uses of the array in the loop have one subscript that differs in each iteration? */
static bool own_elements(acc_source *s, const acc_loop *loop, const acc_symbol *array) {
  element common = {0};
  bool first = true;
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    acc_symbol symbol;
    element e;
    if (!acc_symbol_of(s, n, &symbol) || !acc_same(&symbol, array)) continue;
    read_element(s, n, &e);
    if (e.pointer || !e.n) return false;
    if (first) common = e;
    first = false;
    drop_others(&common, &e);
  }
  for (unsigned i = 0; i < common.n; i++)
    if (common.at[i] &&
        (is_shifted(common.at[i], loop->index.name) || is_row(s, common.at[i], loop)))
      return true;
  return false;
}

static bool calls(acc_source *s, const acc_loop *loop, const char **why) {
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    if (n->kind != CXCursor_CallExpr) continue;
    const CXCursor callee = clang_getCursorReferenced(n->cursor);
    if (clang_Location_isInSystemHeader(clang_getCursorLocation(callee))) continue;
    *why = acc_keep(s, "it calls '%s'", acc_take(s, clang_getCursorSpelling(callee)));
    return true;
  }
  return false;
}

/* Is the node reached in each iteration? */
static bool unconditional(const acc_node *n, const acc_loop *loop) {
  for (; n && n != loop->body; n = n->parent)
    if (n->kind == CXCursor_IfStmt || n->kind == CXCursor_SwitchStmt ||
        n->kind == CXCursor_ConditionalOperator)
      return false;
  return true;
}

/* A value that is set anywhere must be set before it is read, in each iteration. */
static bool value_carried(acc_source *s, const acc_loop *loop, const acc_symbol *symbol) {
  bool first = true, own = false, set = false;
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    acc_symbol other;
    acc_node *whole;
    if (!acc_symbol_of(s, n, &other) || !acc_same(&other, symbol)) continue;
    const acc_use use = acc_use_of(s, n, &whole);
    if (first) own = use == ACC_WRITE && unconditional(n, loop);
    first = false;
    set |= use != ACC_READ;
  }
  return set && !own;
}

static bool carried(acc_source *s, const acc_loop *loop, acc_node *n, const acc_symbol *symbol) {
  acc_node *whole;
  if (symbol->shape == ACC_SCALAR || symbol->shape == ACC_RECORD)
    return value_carried(s, loop, symbol);
  return acc_use_of(s, n, &whole) != ACC_READ && !own_elements(s, loop, symbol);
}

static bool reduced(const acc_source *s, const acc_loop *loop, const acc_symbol *symbol) {
  const acc_directive *d = acc_directive_of(s, loop->statement, ACC_LOOP);
  for (unsigned i = 0; d && i < d->n_clauses; i++)
    for (unsigned j = 0; d->clauses[i].kind == ACC_REDUCTION && j < d->clauses[i].n_items; j++)
      if (!strcmp(d->clauses[i].items[j].name, symbol->name)) return true;
  return false;
}

/* A pointer that an iteration declares may lead to anything. */
static bool writes_behind(acc_source *s, const acc_loop *loop, const char **why) {
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    acc_symbol symbol;
    acc_node *whole;
    if (!acc_symbol_of(s, n, &symbol) || symbol.shape != ACC_POINTER ||
        !acc_declared_in(s, &symbol, loop->statement->begin, loop->statement->end) ||
        acc_use_of(s, n, &whole) == ACC_READ || whole == n)
      continue;
    *why = acc_keep(s, "it writes through '%s'", symbol.name);
    return true;
  }
  return false;
}

bool acc_independent(acc_source *s, const acc_loop *loop, const char **why) {
  if (calls(s, loop, why) || writes_behind(s, loop, why)) return false;
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    acc_symbol symbol;
    if (!acc_symbol_of(s, n, &symbol) || acc_same(&symbol, &loop->index) ||
        acc_declared_in(s, &symbol, loop->statement->begin, loop->statement->end))
      continue;
    if (reduced(s, loop, &symbol) || !carried(s, loop, n, &symbol)) continue;
    *why = acc_keep(s, "an iteration may need what another one leaves in '%s'", symbol.name);
    return false;
  }
  return true;
}
