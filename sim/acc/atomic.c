/* `#pragma acc atomic`: one statement that no other thread may come between. */
#include <string.h>

#include "sim/acc/kernel.h"

static acc_node *bare(acc_node *n) {
  while (n && (n->kind == CXCursor_ParenExpr || n->kind == CXCursor_UnexposedExpr)) n = n->first;
  return n;
}

static const char *text(acc_source *s, const acc_node *n) {
  return acc_slice(s, n->begin, n->end);
}

const char *acc_reducer(const char *operator) {
  static const char *const names[][2] = {
      {"+", "wf_acc_add"},   {"*", "wf_acc_mul"},  {"max", "wf_acc_max"},
      {"min", "wf_acc_min"}, {"&", "wf_acc_and"},  {"|", "wf_acc_or"},
      {"^", "wf_acc_xor"},   {"&&", "wf_acc_all"}, {"||", "wf_acc_any"}};
  for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
    if (!strcmp(names[i][0], operator)) return names[i][1];
  return NULL;
}

static char *call(acc_source *s, const char *sign, const char *target, const char *value) {
  const bool minus = sign[0] == '-';
  const char op[2] = {minus ? '+' : sign[0], '\0'};
  const char *reducer = acc_reducer(op);
  if (!reducer) return NULL;
  return acc_keep(s, "wf_acc_atomic<%s>(&(%s), %s(%s));", reducer, target, minus ? "-" : "", value);
}

/* x = x op e, x = e op x */
static char *assigned(acc_source *s, acc_node *n) {
  acc_node *value = bare(n->first->next);
  const char *target = text(s, n->first);
  if (!value || value->kind != CXCursor_BinaryOperator) return NULL;
  const char *sign = acc_operator(s, value);
  const char *left = text(s, value->first), *right = text(s, value->first->next);
  if (!strcmp(left, target)) return call(s, sign, target, right);
  return !strcmp(right, target) && sign[0] != '-' ? call(s, sign, target, left) : NULL;
}

char *acc_atomic_text(acc_source *s, const acc_directive *d, wf_error *err) {
  acc_node *n = d->statement;
  char *made = NULL;
  if (acc_clause_find(d, ACC_ATOMIC_READ) || acc_clause_find(d, ACC_ATOMIC_WRITE))
    return acc_slice(s, n->begin, acc_statement_end(s, n)); /* of a word, it is anyway */
  if (n->kind == CXCursor_CompoundAssignOperator)
    made = call(s, acc_operator(s, n), text(s, n->first), text(s, n->first->next));
  else if (n->kind == CXCursor_UnaryOperator)
    made = call(s, acc_operator(s, n), text(s, n->first), "1");
  else if (n->kind == CXCursor_BinaryOperator && !strcmp(acc_operator(s, n), "="))
    made = assigned(s, n);
  if (!made)
    acc_fail(s, n->begin, err,
             "atomic: the statement is none of x op= e; x++; x--; x = x op e; "
             "with + - * & | ^");
  return made;
}
