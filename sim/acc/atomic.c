/* `#pragma acc atomic`: one statement that no other thread may come between. */
#include <string.h>

#include "sim/acc/kernel.h"

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
  acc_node *value = acc_bare(n->first->next);
  const char *target = text(s, n->first);
  if (!value || value->kind != CXCursor_BinaryOperator) return NULL;
  const char *sign = acc_operator(s, value);
  const char *left = text(s, value->first), *right = text(s, value->first->next);
  if (!strcmp(left, target)) return call(s, sign, target, right);
  return !strcmp(right, target) && sign[0] != '-' ? call(s, sign, target, left) : NULL;
}

static char *update_text(acc_source *s, const acc_node *n) {
  if (n->kind == CXCursor_CompoundAssignOperator)
    return call(s, acc_operator(s, n), text(s, n->first), text(s, n->first->next));
  if (n->kind == CXCursor_UnaryOperator) return call(s, acc_operator(s, n), text(s, n->first), "1");
  if (n->kind == CXCursor_BinaryOperator && !strcmp(acc_operator(s, n), "="))
    return assigned(s, (acc_node *)n);
  return NULL;
}

static bool is_set(acc_source *s, const acc_node *n) {
  return n && n->kind == CXCursor_BinaryOperator && !strcmp(acc_operator(s, n), "=");
}

/* v = update: what x is behind it; v = x++, v = x--: what it was. */
static char *captured(acc_source *s, acc_node *set) {
  acc_node *value = acc_bare(set->first->next);
  const char *made = value ? update_text(s, value) : NULL;
  if (!made || value->kind == CXCursor_BinaryOperator) return NULL;
  const bool before = value->kind == CXCursor_UnaryOperator && value->first->begin == value->begin;
  return acc_keep(s, "%s = wf_acc_%s_%s", text(s, set->first), before ? "before" : "behind",
                  made + strlen("wf_acc_"));
}

/* { v = x; update } and { update; v = x; } */
static char *captured_pair(acc_source *s, acc_node *block) {
  acc_node *first = block->first, *second = first ? first->next : NULL;
  if (!second || second->next) return NULL;
  for (int before = 1; before >= 0; before--) {
    acc_node *set = before ? first : second, *update = before ? second : first;
    const char *made = update_text(s, update);
    if (!made || !is_set(s, set) || !update->first) continue;
    if (strcmp(text(s, set->first->next), text(s, update->first)) != 0) continue;
    return acc_keep(s, "%s = wf_acc_%s_%s", text(s, set->first), before ? "before" : "behind",
                    made + strlen("wf_acc_"));
  }
  return NULL;
}

static char *capture_text(acc_source *s, acc_node *n, wf_error *err) {
  char *made = is_set(s, n)                       ? captured(s, n)
               : n->kind == CXCursor_CompoundStmt ? captured_pair(s, n)
                                                  : NULL;
  if (!made)
    acc_fail(s, n->begin, err,
             "atomic capture: the statement is none of v = x++; v = --x; v = x op= e; "
             "{ v = x; update } { update v = x; }");
  return made;
}

char *acc_atomic_text(acc_source *s, const acc_directive *d, wf_error *err) {
  acc_node *n = d->statement;
  if (acc_clause_find(d, ACC_ATOMIC_READ) || acc_clause_find(d, ACC_ATOMIC_WRITE))
    return acc_slice(s, n->begin, acc_statement_end(s, n)); /* of a word, it is anyway */
  if (acc_clause_find(d, ACC_ATOMIC_CAPTURE)) return capture_text(s, n, err);
  char *made = update_text(s, n);
  if (!made)
    acc_fail(s, n->begin, err,
             "atomic: the statement is none of x op= e; x++; x--; x = x op e; "
             "with + - * & | ^");
  return made;
}
