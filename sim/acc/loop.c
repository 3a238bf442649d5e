#include "sim/acc/loop.h"

#include <ctype.h>
#include <string.h>

/* A part of the header: begin ... first;limit;step ... end */
typedef struct part {
  unsigned begin, end;
  acc_node *node; /* the outermost expression or declaration in it */
} part;

static bool not_counted(acc_source *s, const acc_node *loop, wf_error *err, const char *why) {
  return acc_fail(s, loop->begin, err,
                  "the loop is not counted: %s; write for (i = first; i < limit; i += step)", why);
}

static bool split(acc_source *s, acc_node *loop, part parts[3], unsigned *header, wf_error *err) {
  const char *open = strchr(s->text + loop->begin, '(');
  if (!open || strncmp(s->text + loop->begin, "for", 3) != 0)
    return not_counted(s, loop, err, "its header comes from a macro");
  unsigned at = (unsigned)(open - s->text) + 1, depth = 0, n = 0;
  parts[0].begin = at;
  for (; at < loop->end && (depth || s->text[at] != ')'); at++) {
    depth += s->text[at] == '(';
    depth -= s->text[at] == ')';
    if (depth || s->text[at] != ';' || n == 2) continue;
    parts[n++].end = at;
    parts[n].begin = at + 1;
  }
  if (n < 2) return not_counted(s, loop, err, "its header comes from a macro");
  parts[2].end = at;
  *header = at + 1;
  for (unsigned i = 0; i < 3; i++) {
    parts[i].node = NULL;
    for (acc_node *c = loop->first; c; c = c->next)
      if (c->begin >= parts[i].begin && c->end <= parts[i].end + 1) parts[i].node = c;
    if (!parts[i].node) return not_counted(s, loop, err, "a part of its header is empty");
  }
  return true;
}

static const char *text_between(acc_source *s, unsigned begin, unsigned end) {
  begin = acc_skip_blank(s, begin);
  while (end > begin && isspace((unsigned char)s->text[end - 1])) end--;
  return begin < end ? acc_slice(s, begin, end) : "";
}

static bool is_index(acc_source *s, const acc_loop *loop, acc_node *n) {
  acc_symbol symbol;
  n = acc_bare(n);
  return n && acc_symbol_of(s, n, &symbol) && acc_same(&symbol, &loop->index);
}

static bool read_first(acc_source *s, const part *p, acc_loop *loop, wf_error *err) {
  acc_node *n = p->node;
  acc_symbol *index = &loop->index;
  if (n->kind == CXCursor_DeclStmt && n->first && !n->first->next) {
    loop->declares = true;
    if (!acc_symbol_named(s, acc_take(s, clang_getCursorSpelling(n->first->cursor)), p->end, index,
                          err))
      return false;
  } else if (n->kind != CXCursor_BinaryOperator || strcmp(acc_operator(s, n), "=") != 0 ||
             !acc_symbol_of(s, acc_bare(n->first), index)) {
    return not_counted(s, loop->statement, err, "it does not begin by setting one variable");
  }
  if (index->shape != ACC_SCALAR || !index->integer)
    return not_counted(s, loop->statement, err, "its variable is no integer");
  const char *sign = memchr(s->text + p->begin, '=', p->end - p->begin);
  if (!sign) return not_counted(s, loop->statement, err, "its first value is missing");
  loop->first = text_between(s, (unsigned)(sign - s->text) + 1, p->end);
  return true;
}

static bool read_limit(acc_source *s, const part *p, acc_loop *loop, wf_error *err) {
  acc_node *n = acc_bare(p->node);
  const char *sign = n->kind == CXCursor_BinaryOperator ? acc_operator(s, n) : "";
  if (!*sign || !strchr("<>", sign[0]) || (sign[1] && strcmp(sign + 1, "=") != 0))
    return not_counted(s, loop->statement, err, "its condition is none of < <= > >=");
  const unsigned at = acc_skip_blank(s, n->first->end);
  const bool left = is_index(s, loop, n->first);
  if (!left && !is_index(s, loop, n->first->next))
    return not_counted(s, loop->statement, err, "its condition does not compare its variable");
  loop->inclusive = sign[1] == '=';
  loop->down = (sign[0] == '>') == left;
  loop->limit =
      left ? text_between(s, at + (unsigned)strlen(sign), n->end) : text_between(s, n->begin, at);
  return true;
}

/* The step's operator and operand: of i += 2 and i = i + 2 as of i = 2 + i. "": none is taken. */
typedef struct step {
  const char *sign;
  const acc_node *by; /* NULL: one */
} step;

/* i + c, i - c, c + i, and the same of * / << >> */
static step read_assigned(acc_source *s, acc_node *n, const acc_loop *loop) {
  n = acc_bare(n);
  if (!n || n->kind != CXCursor_BinaryOperator) return (step){"", NULL};
  const char *sign = acc_operator(s, n);
  if (is_index(s, loop, n->first)) return (step){sign, n->first->next};
  const bool swaps = (sign[0] == '+' || sign[0] == '*') && is_index(s, loop, n->first->next);
  return swaps ? (step){sign, n->first} : (step){"", NULL};
}

/* Signs are cut before their '='. */
static step read_change(acc_source *s, acc_node *n, const acc_loop *loop) {
  const char *sign = acc_operator(s, n);
  if (!n->first || !is_index(s, loop, n->first)) return (step){"", NULL};
  if (n->kind == CXCursor_UnaryOperator)
    return (step){!strcmp(sign, "++") ? "+" : !strcmp(sign, "--") ? "-" : "", NULL};
  if (n->kind == CXCursor_CompoundAssignOperator)
    return (step){acc_keep(s, "%.*s", (int)strlen(sign) - 1, sign), n->first->next};
  if (n->kind == CXCursor_BinaryOperator && !strcmp(sign, "="))
    return read_assigned(s, n->first->next, loop);
  return (step){"", NULL};
}

static bool read_step(acc_source *s, const part *p, acc_loop *loop, wf_error *err) {
  static const struct {
    const char *sign;
    bool down, scales, shifts;
  } kinds[] = {{"+", false, false, false}, {"-", true, false, false}, {"*", false, true, false},
               {"/", true, true, false},   {"<<", false, true, true}, {">>", true, true, true}};
  enum { N_KINDS = sizeof kinds / sizeof *kinds };
  const step change = read_change(s, acc_bare(p->node), loop);
  unsigned k = 0;
  while (k < N_KINDS && strcmp(kinds[k].sign, change.sign) != 0) k++;
  if (k == N_KINDS)
    return not_counted(s, loop->statement, err, "its step is none of ++ -- += -= *= /= <<= >>=");
  if (kinds[k].down != loop->down)
    return not_counted(s, loop->statement, err, "its step leads away from its limit");
  loop->scales = kinds[k].scales;
  loop->step = change.by ? text_between(s, change.by->begin, change.by->end) : "1";
  if (kinds[k].shifts) loop->step = acc_keep(s, "(%s)1 << (%s)", loop->index.type, loop->step);
  return true;
}

static bool counts_alone(acc_source *s, const acc_loop *loop, wf_error *err) {
  for (acc_node *n = loop->body; n; n = acc_next_below(loop->body, n)) {
    acc_symbol symbol;
    acc_node *whole;
    if (acc_symbol_of(s, n, &symbol) && acc_same(&symbol, &loop->index) &&
        acc_use_of(s, n, &whole) != ACC_READ)
      return acc_fail(s, n->begin, err, "the loop is not counted: its variable is set in its body");
  }
  return true;
}

bool acc_loop_read(acc_source *s, acc_node *statement, acc_loop *loop, wf_error *err) {
  part parts[3];
  memset(loop, 0, sizeof *loop);
  loop->statement = statement;
  loop->body = statement->last;
  return split(s, statement, parts, &loop->header, err) && read_first(s, &parts[0], loop, err) &&
         read_limit(s, &parts[1], loop, err) && read_step(s, &parts[2], loop, err) &&
         counts_alone(s, loop, err);
}

char *acc_loop_condition(acc_source *s, const acc_loop *loop) {
  return acc_keep(s, "%s %s%s (%s)", loop->index.name, loop->down ? ">" : "<",
                  loop->inclusive ? "=" : "", loop->limit);
}

char *acc_loop_later(acc_source *s, const acc_loop *loop, const char *from, const char *times) {
  const char *type = loop->index.type;
  if (loop->scales)
    return acc_keep(s, "wf_acc_scaled<%s>((%s)(%s), (%s)(%s), %s, %s)", type, type, from, type,
                    loop->step, times, loop->down ? "true" : "false");
  return acc_keep(s, "(%s)((%s) %s (%s)%s * (%s))", type, from, loop->down ? "-" : "+", type, times,
                  loop->step);
}

acc_node *acc_only_statement(acc_node *body) {
  while (body && body->kind == CXCursor_CompoundStmt) {
    if (!body->first || body->first->next) return NULL;
    body = body->first;
  }
  return body;
}

bool acc_header_depends(acc_source *s, const acc_loop *loop, const acc_node *within) {
  for (acc_node *n = loop->statement->first; n && n != loop->body; n = n->next)
    for (acc_node *m = n; m; m = acc_next_below(n, m)) {
      acc_symbol symbol;
      if (!acc_symbol_of(s, m, &symbol) || acc_same(&symbol, &loop->index)) continue;
      if (acc_declared_in(s, &symbol, within->begin, within->end)) return true;
      for (acc_node *u = (acc_node *)within; u; u = acc_next_below(within, u)) {
        acc_symbol other;
        acc_node *whole;
        if (acc_symbol_of(s, u, &other) && acc_same(&other, &symbol) &&
            acc_use_of(s, u, &whole) != ACC_READ)
          return true;
      }
    }
  return false;
}
