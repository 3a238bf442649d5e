#include <ctype.h>
#include <string.h>

#include "sim/acc/source.h"

#define ON(kind) (1u << (kind))
enum {
  COMPUTE = ON(ACC_PARALLEL) | ON(ACC_KERNELS) | ON(ACC_SERIAL),
  MOVES = COMPUTE | ON(ACC_DATA) | ON(ACC_DECLARE),
  STAYS = COMPUTE | ON(ACC_DATA),
  LOOPS = ON(ACC_LOOP),
  QUEUED = COMPUTE | ON(ACC_DATA) | ON(ACC_ENTER) | ON(ACC_EXIT) | ON(ACC_UPDATE) | ON(ACC_WAIT)
};

/* What stands in a clause's parentheses. */
typedef enum argument { NOTHING, OPTIONAL, EXPRESSION, SIZES, ITEMS, OPERATOR_ITEMS } argument;

/* where: the directives that take it; a combined one takes those of loop besides. */
static const struct {
  const char *name;
  acc_clause_kind kind;
  argument argument;
  unsigned where;
} clauses[] = {
    {"copy", ACC_COPY, ITEMS, MOVES},
    {"pcopy", ACC_COPY, ITEMS, MOVES},
    {"present_or_copy", ACC_COPY, ITEMS, MOVES},
    {"copyin", ACC_COPYIN, ITEMS, MOVES | ON(ACC_ENTER)},
    {"pcopyin", ACC_COPYIN, ITEMS, MOVES | ON(ACC_ENTER)},
    {"present_or_copyin", ACC_COPYIN, ITEMS, MOVES | ON(ACC_ENTER)},
    {"copyout", ACC_COPYOUT, ITEMS, MOVES | ON(ACC_EXIT)},
    {"pcopyout", ACC_COPYOUT, ITEMS, MOVES},
    {"present_or_copyout", ACC_COPYOUT, ITEMS, MOVES},
    {"create", ACC_CREATE, ITEMS, MOVES | ON(ACC_ENTER)},
    {"pcreate", ACC_CREATE, ITEMS, MOVES | ON(ACC_ENTER)},
    {"present_or_create", ACC_CREATE, ITEMS, MOVES | ON(ACC_ENTER)},
    {"present", ACC_PRESENT, ITEMS, MOVES},
    {"deviceptr", ACC_DEVICEPTR, ITEMS, STAYS},
    {"device_resident", ACC_CREATE, ITEMS, ON(ACC_DECLARE)},
    {"link", ACC_IGNORED, ITEMS, ON(ACC_DECLARE)}, /* arrays are found by their host's address */
    {"use_device", ACC_USE_DEVICE, ITEMS, ON(ACC_HOST_DATA)},
    {"delete", ACC_DELETE, ITEMS, ON(ACC_EXIT)},
    {"self", ACC_HOST, ITEMS, ON(ACC_UPDATE)},
    {"host", ACC_HOST, ITEMS, ON(ACC_UPDATE)},
    {"device", ACC_DEVICE, ITEMS, ON(ACC_UPDATE)},
    {"private", ACC_PRIVATE, ITEMS, COMPUTE | LOOPS},
    {"firstprivate", ACC_FIRSTPRIVATE, ITEMS, COMPUTE},
    {"reduction", ACC_REDUCTION, OPERATOR_ITEMS, COMPUTE | LOOPS},
    {"if", ACC_IF, EXPRESSION,
     STAYS | ON(ACC_ENTER) | ON(ACC_EXIT) | ON(ACC_UPDATE) | ON(ACC_HOST_DATA)},
    {"async", ACC_IGNORED, OPTIONAL, QUEUED},
    {"wait", ACC_IGNORED, OPTIONAL, QUEUED},
    {"num_gangs", ACC_IGNORED, EXPRESSION, COMPUTE},
    {"num_workers", ACC_IGNORED, EXPRESSION, COMPUTE},
    {"finalize", ACC_IGNORED, NOTHING, ON(ACC_EXIT)},
    {"if_present", ACC_IF_PRESENT, NOTHING, ON(ACC_UPDATE) | ON(ACC_HOST_DATA)},
    {"vector_length", ACC_VECTOR_LENGTH, EXPRESSION, COMPUTE},
    {"default", ACC_DEFAULT, EXPRESSION, COMPUTE},
    {"gang", ACC_GANG, OPTIONAL, LOOPS | ON(ACC_ROUTINE)},
    {"worker", ACC_WORKER, OPTIONAL, LOOPS | ON(ACC_ROUTINE)},
    {"vector", ACC_VECTOR, OPTIONAL, LOOPS | ON(ACC_ROUTINE)},
    {"seq", ACC_SEQ, NOTHING, LOOPS | ON(ACC_ROUTINE)},
    {"auto", ACC_AUTO, NOTHING, LOOPS},
    {"independent", ACC_INDEPENDENT, NOTHING, LOOPS},
    {"collapse", ACC_COLLAPSE, EXPRESSION, LOOPS},
    {"tile", ACC_COLLAPSE, SIZES, LOOPS}, /* thread blocks are tiles; of which size is ours */
    {"read", ACC_ATOMIC_READ, NOTHING, ON(ACC_ATOMIC)},
    {"write", ACC_ATOMIC_WRITE, NOTHING, ON(ACC_ATOMIC)},
    {"update", ACC_ATOMIC_UPDATE, NOTHING, ON(ACC_ATOMIC)},
    {"capture", ACC_ATOMIC_CAPTURE, NOTHING, ON(ACC_ATOMIC)},
};
enum { N_CLAUSES = sizeof clauses / sizeof clauses[0] };

static const char *const kind_names[ACC_KINDS] = {[ACC_PARALLEL] = "parallel",
                                                  [ACC_KERNELS] = "kernels",
                                                  [ACC_SERIAL] = "serial",
                                                  [ACC_LOOP] = "loop",
                                                  [ACC_HOST_DATA] = "host_data",
                                                  [ACC_DECLARE] = "declare",
                                                  [ACC_DATA] = "data",
                                                  [ACC_ENTER] = "enter data",
                                                  [ACC_EXIT] = "exit data",
                                                  [ACC_UPDATE] = "update",
                                                  [ACC_WAIT] = "wait",
                                                  [ACC_ATOMIC] = "atomic",
                                                  [ACC_ROUTINE] = "routine",
                                                  [ACC_CACHE] = "cache",
                                                  [ACC_FCW] = "fcw",
                                                  [ACC_FCW_BARRIER] = "fcw_barrier"};

const char *acc_kind_name(acc_kind kind) {
  return kind_names[kind];
}

const acc_clause *acc_clause_find(const acc_directive *d, acc_clause_kind kind) {
  for (unsigned i = 0; i < d->n_clauses; i++)
    if (d->clauses[i].kind == kind) return &d->clauses[i];
  return NULL;
}

bool acc_clause_names(const acc_clause *c, const char *name) {
  for (unsigned i = 0; i < c->n_items; i++)
    if (!strcmp(c->items[i].name, name)) return true;
  return false;
}

/* ---- words and signs of one directive ---- */

typedef struct scanner {
  acc_source *s;
  unsigned at, end;
  wf_error *err;
} scanner;

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* Blanks, comments and continued lines are passed over. */
static char peek(scanner *c) {
  c->at = acc_skip_blank(c->s, c->at);
  return c->at < c->end ? c->s->text[c->at] : '\0';
}

static char *word(scanner *c) {
  peek(c);
  const unsigned begin = c->at;
  while (c->at < c->end && is_name(c->s->text[c->at])) c->at++;
  return acc_slice(c->s, begin, c->at);
}

static bool take(scanner *c, char sign) {
  if (peek(c) != sign) return false;
  c->at++;
  return true;
}

static bool want(scanner *c, char sign) {
  if (take(c, sign)) return true;
  const unsigned at = c->at < c->end ? c->at : c->end; /* not on the line that follows */
  return acc_fail(c->s, at, c->err, "'%c' is missing in the directive", sign);
}

/* An expression up to one of `ends` outside of all brackets. */
static char *expression(scanner *c, const char *ends) {
  peek(c);
  const unsigned begin = c->at;
  unsigned depth = 0, last = c->at;
  for (; c->at < c->end; c->at++) {
    const char sign = c->s->text[c->at];
    if (!depth && strchr(ends, sign)) break;
    depth += sign == '(' || sign == '[' || sign == '{';
    depth -= depth && (sign == ')' || sign == ']' || sign == '}');
    if (!isspace((unsigned char)sign) && sign != '\\') last = c->at + 1;
  }
  return last > begin ? acc_slice(c->s, begin, last) : NULL;
}

static bool range(scanner *c, acc_item *item) {
  if (item->n_ranges == ACC_MAX_RANGES)
    return acc_fail(c->s, c->at, c->err, "'%s' has more than %d ranges", item->name,
                    ACC_MAX_RANGES);
  char **lower = &item->lower[item->n_ranges], **length = &item->length[item->n_ranges];
  *lower = expression(c, ":]");
  const bool pair = take(c, ':');
  *length = pair ? expression(c, ":]") : acc_keep(c->s, "1");
  if (take(c, ':')) item->after[item->n_ranges] = expression(c, "]");
  if (!pair && !*lower)
    return acc_fail(c->s, c->at, c->err, "an empty range of '%s'; write [start:length]",
                    item->name);
  item->n_ranges++;
  return want(c, ']');
}

static bool item(scanner *c, acc_clause *clause) {
  acc_item new = {0};
  peek(c);
  new.at = c->at;
  new.name = word(c);
  if (!*new.name || isdigit((unsigned char)*new.name))
    return acc_fail(c->s, new.at, c->err, "a variable's name is missing in %s(...)", clause->name);
  for (const char *text = acc_macro(c->s, new.name);
       text && is_name(*text) && !isdigit((unsigned char)*text); text = acc_macro(c->s, new.name))
    if (!strcmp(text, new.name) || text[strspn(text, LETTERS)])
      break;
    else
      new.name = acc_keep(c->s, "%s", text);
  while (take(c, '['))
    if (!range(c, &new)) return false;
  const char after = peek(c);
  if (after == '.' || after == '-')
    return acc_fail(c->s, c->at, c->err,
                    "members of structures are not moved by themselves; name the whole of '%s'",
                    new.name);
  acc_item *list = acc_new(c->s, (clause->n_items + 1) * sizeof *list);
  if (clause->n_items) memcpy(list, clause->items, clause->n_items * sizeof *list);
  list[clause->n_items++] = new;
  clause->items = list;
  return true;
}

static bool items(scanner *c, acc_clause *clause) {
  const unsigned start = c->at;
  if (!strcmp(word(c), "readonly") && take(c, ':'))
    ; /* a modifier of copyin: nothing here writes back anyway */
  else
    c->at = start;
  do
    if (!item(c, clause)) return false;
  while (take(c, ','));
  for (unsigned i = 0; clause->kind != ACC_CACHED && i < clause->n_items; i++)
    for (unsigned r = 0; r < clause->items[i].n_ranges; r++)
      if (clause->items[i].after[r])
        return acc_fail(c->s, clause->items[i].at, c->err, "a range of '%s' is %s[start:length]",
                        clause->name, clause->items[i].name);
  return true;
}

static bool operator_items(scanner *c, acc_clause *clause) {
  static const char *const known[] = {"+", "*", "max", "min", "&", "|", "^", "&&", "||"};
  clause->text = expression(c, ":");
  for (unsigned i = 0; clause->text && i < sizeof known / sizeof known[0]; i++)
    if (!strcmp(clause->text, known[i])) return want(c, ':') && items(c, clause);
  return acc_fail(c->s, c->at, c->err,
                  "reduction(%s:...): the operator is one of + * max min & | ^ && ||",
                  clause->text ? clause->text : "");
}

/* vector(length: n), gang(num: n): the word before the colon says nothing new. */
static char *sized(scanner *c) {
  const unsigned start = c->at;
  const char *first = word(c);
  if ((!strcmp(first, "length") || !strcmp(first, "num") || !strcmp(first, "static")) &&
      take(c, ':'))
    return expression(c, ")");
  c->at = start;
  return expression(c, ")");
}

/* tile(2, *): as many loops as it has sizes. */
static char *sizes(scanner *c) {
  unsigned n = 0;
  do
    if (!expression(c, ",)"))
      return NULL;
    else
      n++;
  while (take(c, ','));
  return acc_keep(c->s, "%u", n);
}

static bool argument_of(scanner *c, acc_clause *clause, argument kind) {
  if (kind == NOTHING || (kind == OPTIONAL && peek(c) != '(')) return true;
  if (!want(c, '(')) return false;
  if (kind == ITEMS) return items(c, clause) && want(c, ')');
  if (kind == OPERATOR_ITEMS) return operator_items(c, clause) && want(c, ')');
  clause->text = kind == SIZES ? sizes(c) : sized(c);
  if (!clause->text) return acc_fail(c->s, c->at, c->err, "%s(...) is empty", clause->name);
  return want(c, ')');
}

static bool clause_of(scanner *c, const acc_directive *d, acc_clause *clause) {
  peek(c);
  clause->at = c->at;
  clause->name = word(c);
  const unsigned here = ON(d->kind) | (d->loop ? LOOPS : 0);
  for (unsigned i = 0; i < N_CLAUSES; i++) {
    if (strcmp(clauses[i].name, clause->name) != 0 || !(clauses[i].where & here)) continue;
    clause->kind = clauses[i].kind;
    return argument_of(c, clause, clauses[i].argument);
  }
  for (unsigned i = 0; i < N_CLAUSES; i++)
    if (!strcmp(clauses[i].name, clause->name))
      return acc_fail(c->s, clause->at, c->err, "clause '%s' does not belong to '%s'", clause->name,
                      kind_names[d->kind]);
  return acc_fail(c->s, clause->at, c->err,
                  "clause '%s' is not supported; sim/acc/README.md lists what is",
                  *clause->name ? clause->name : acc_slice(c->s, c->at, c->at + 1));
}

static bool kind_of(scanner *c, acc_directive *d) {
  static const acc_kind data[] = {ACC_ENTER, ACC_EXIT};
  peek(c);
  const unsigned at = c->at;
  const char *name = word(c);
  for (unsigned i = 0; i < sizeof data / sizeof data[0]; i++)
    if (!strncmp(kind_names[data[i]], name, strlen(name)) && strlen(name) > 3 &&
        kind_names[data[i]][strlen(name)] == ' ') {
      d->kind = data[i];
      if (strcmp(word(c), "data") != 0)
        return acc_fail(c->s, at, c->err, "'%s' is followed by 'data'", name);
      return true;
    }
  for (acc_kind kind = 0; kind < ACC_KINDS; kind++)
    if (!strcmp(kind_names[kind], name)) {
      d->kind = kind;
      d->loop = kind == ACC_LOOP;
      return true;
    }
  return acc_fail(c->s, at, c->err,
                  "directive '%s' is not supported; sim/acc/README.md lists what is", name);
}

static acc_clause *new_clause(acc_source *s, acc_directive *d) {
  acc_clause *list = acc_new(s, (d->n_clauses + 1) * sizeof *list);
  if (d->n_clauses) memcpy(list, d->clauses, d->n_clauses * sizeof *list);
  d->clauses = list;
  return &list[d->n_clauses++];
}

/* cache(a[lower:length], ...), fcw TYPE(a[pivot:before:after], ...); a list per type may follow. */
static bool cached(scanner *c, acc_directive *d) {
  do {
    acc_clause *list = new_clause(c->s, d);
    *list = (acc_clause){.kind = ACC_CACHED, .name = kind_names[d->kind], .at = c->at};
    if (d->kind == ACC_FCW) list->text = word(c);
    if (!want(c, '(') || !items(c, list) || !want(c, ')')) return false;
    for (unsigned i = 0; i < list->n_items; i++)
      for (unsigned r = 0; r < list->items[i].n_ranges; r++)
        if (!list->items[i].after[r] != (d->kind == ACC_CACHE))
          return acc_fail(c->s, list->items[i].at, c->err, "a range of '%s' is %s[%s]",
                          kind_names[d->kind], list->items[i].name,
                          d->kind == ACC_CACHE ? "start:length" : "pivot:before:after");
  } while (d->kind == ACC_FCW && peek(c));
  return !peek(c) || acc_fail(c->s, c->at, c->err, "cache(...) has no clauses");
}

bool acc_directive_read(acc_source *s, acc_directive *d, wf_error *err) {
  scanner c = {s, d->begin, d->end, err};
  take(&c, '#');
  word(&c); /* pragma */
  word(&c); /* acc */
  if (!kind_of(&c, d)) return false;
  if (ON(d->kind) & COMPUTE) {
    const unsigned start = c.at;
    d->loop = !strcmp(word(&c), "loop");
    if (!d->loop) c.at = start;
  }
  if (d->kind == ACC_WAIT || d->kind == ACC_ROUTINE) /* wait(1), routine(name) */
    if (take(&c, '(') && (expression(&c, ")"), !want(&c, ')'))) return false;
  if (d->kind == ACC_CACHE || d->kind == ACC_FCW) return cached(&c, d);
  while (peek(&c)) {
    if (take(&c, ',')) continue;
    if (!clause_of(&c, d, new_clause(s, d))) return false;
  }
  return true;
}
