/* Formulas of a unit's parameters: recursive descent over whole numbers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "synth/spec.h"

typedef struct parser {
  const char *at, *all, *where;
  const spec_parameter *parameters;
  size_t count;
  wf_error *err;
  bool failed;
  int depth;
} parser;

enum { MAX_DEPTH = 64 };

static int64_t fail(parser *p, const char *what) {
  if (!p->failed)
    wf_fail(p->err, WF_EXIT_BAD_INPUT, "%s: formula `%s': %s at `%.20s'", p->where, p->all, what,
            p->at);
  p->failed = true;
  return 0;
}

static bool accept(parser *p, char c) {
  p->at += strspn(p->at, " \t");
  if (*p->at != c) return false;
  p->at++;
  return true;
}

static int64_t sum(parser *p);

static int64_t clog2(int64_t x) {
  int64_t bits = 0;
  while (x > (INT64_C(1) << bits)) bits++;
  return bits;
}

static int64_t call(parser *p, const char *name, size_t length) {
  int64_t a = sum(p), b = 0;
  bool two = accept(p, ',');
  if (two) b = sum(p);
  if (!accept(p, ')')) return fail(p, "`)' expected");
  if (length == 4 && strncmp(name, "bits", 4) == 0 && !two) return a > 2 ? clog2(a) : 1;
  if (length == 5 && strncmp(name, "clog2", 5) == 0 && !two) return clog2(a);
  if (length == 4 && strncmp(name, "pow2", 4) == 0 && !two && a >= 0 && a < 62)
    return INT64_C(1) << a;
  if (length == 3 && strncmp(name, "min", 3) == 0 && two) return a < b ? a : b;
  if (length == 3 && strncmp(name, "max", 3) == 0 && two) return a > b ? a : b;
  return fail(p, "clog2(x), bits(x), pow2(x), min(a, b) or max(a, b) expected");
}

static int64_t atom(parser *p) {
  char *end;
  p->at += strspn(p->at, " \t");
  const char *start = p->at;
  if (isdigit((unsigned char)*start)) {
    int64_t value = strtoll(start, &end, 10);
    p->at = end;
    return value;
  }
  if (accept(p, '(')) {
    int64_t value = sum(p);
    return accept(p, ')') ? value : fail(p, "`)' expected");
  }
  if (accept(p, '-')) return -atom(p);
  while (isalnum((unsigned char)*p->at) || *p->at == '_') p->at++;
  size_t length = (size_t)(p->at - start);
  if (!length) return fail(p, "a number, a parameter or `(' expected");
  if (accept(p, '(')) return call(p, start, length);
  for (size_t i = 0; i < p->count; i++)
    if (strlen(p->parameters[i].name) == length &&
        strncmp(p->parameters[i].name, start, length) == 0)
      return p->parameters[i].value;
  p->at = start;
  return fail(p, "no such parameter");
}

static int64_t product(parser *p) {
  int64_t value = atom(p);
  for (;;) {
    if (accept(p, '*')) {
      value *= atom(p);
    } else if (accept(p, '/') || accept(p, '%')) {
      char op = p->at[-1];
      int64_t by = atom(p);
      if (by == 0) return fail(p, "division by zero");
      value = op == '/' ? value / by : value % by;
    } else {
      return value;
    }
  }
}

static int64_t sum(parser *p) {
  if (++p->depth > MAX_DEPTH) return fail(p, "nested too deeply");
  int64_t value = product(p);
  for (;;) {
    if (accept(p, '+')) {
      value += product(p);
    } else if (accept(p, '-')) {
      value -= product(p);
    } else {
      p->depth--;
      return value;
    }
  }
}

bool formula_value(const char *formula, const spec_parameter *parameters, size_t count,
                   const char *where, int64_t *value, wf_error *err) {
  parser p = {.at = formula,
              .all = formula,
              .where = where,
              .parameters = parameters,
              .count = count,
              .err = err};
  *value = sum(&p);
  p.at += strspn(p.at, " \t");
  if (!p.failed && *p.at) fail(&p, "end of the formula expected");
  return !p.failed;
}
