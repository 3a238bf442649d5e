/* lower = rate * i + offset, told from its words: i a parallel loop's variable, the rate of
 * constants, the offset the same for all threads of a block. */
#include <ctype.h>
#include <string.h>

#include "sim/acc/cache.h"

static bool name_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const acc_loop *loop_of(const acc_kernel *k, const char *name, unsigned *axis) {
  for (unsigned i = 0; i < k->n_loops; i++)
    if (!strcmp(k->loops[i].index.name, name)) {
      *axis = k->n_loops - 1 - i;
      return &k->loops[i];
    }
  return NULL;
}

static bool same_for_all(acc_source *s, const acc_kernel *k, const char *text, unsigned at,
                         unsigned depth);

/* A sequential loop's variable is, if its header is. */
static bool uniform_name(acc_source *s, const acc_kernel *k, const char *name, unsigned at,
                         unsigned depth) {
  acc_symbol symbol;
  wf_error none;
  unsigned axis;
  if (loop_of(k, name, &axis)) return false;
  if (!acc_symbol_named(s, name, at, &symbol, &none)) return true; /* a macro, an enumerator */
  for (unsigned i = 0; i < k->n_variables; i++)
    if (acc_same(&k->variables[i].symbol, &symbol) && k->variables[i].role == ACC_VALUE)
      return true;
  for (acc_node *n = k->statement; n && depth < 8; n = acc_next_below(k->statement, n)) {
    acc_loop loop;
    if (n->kind != CXCursor_ForStmt || at < n->begin || at >= n->end) continue;
    if (acc_loop_read(s, n, &loop, &none) && acc_same(&loop.index, &symbol))
      return same_for_all(s, k, loop.first, n->begin, depth + 1) &&
             same_for_all(s, k, loop.limit, n->begin, depth + 1) &&
             same_for_all(s, k, loop.step, n->begin, depth + 1);
  }
  return false;
}

static bool same_for_all(acc_source *s, const acc_kernel *k, const char *text, unsigned at,
                         unsigned depth) {
  for (const char *t = text; *t;) {
    const char *from = t;
    while (name_char(*t)) t++;
    if (t > from && !isdigit((unsigned char)*from) &&
        !uniform_name(s, k, acc_keep(s, "%.*s", (int)(t - from), from), at, depth))
      return false;
    if (*t == '[' || *t == '.') return false; /* what memory holds */
    if (t == from) t++;
  }
  return true;
}

bool acc_same_for_all(acc_source *s, const acc_kernel *k, const char *text, unsigned at) {
  return same_for_all(s, k, text, at, 0);
}

/* No variable at all: the compiler can size an array with it. */
static bool constant(acc_source *s, const char *text, unsigned at) {
  for (const char *t = text; *t;) {
    const char *from = t;
    acc_symbol symbol;
    wf_error none;
    while (name_char(*t)) t++;
    if (t > from && !isdigit((unsigned char)*from) &&
        acc_symbol_named(s, acc_keep(s, "%.*s", (int)(t - from), from), at, &symbol, &none))
      return false;
    if (t == from) t++;
  }
  return true;
}

/* Without blanks and without brackets around all of it. */
static char *stripped(acc_source *s, const char *text) {
  char *dense = acc_keep(s, "%s", text), *to = dense;
  for (const char *t = text; *t; t++)
    if (!isspace((unsigned char)*t)) *to++ = *t;
  *to = '\0';
  for (;;) {
    const size_t n = strlen(dense);
    unsigned depth = 0;
    size_t i = 0;
    for (; i < n; i++) {
      depth += dense[i] == '(';
      depth -= dense[i] == ')';
      if (!depth) break;
    }
    if (n < 2 || dense[0] != '(' || i != n - 1) return dense;
    dense[n - 1] = '\0';
    dense++;
  }
}

/* Cuts the next piece off, at one of `signs` outside of brackets; *sign is the one before it. */
static char *piece(acc_source *s, const char **at, const char *signs, char *sign) {
  const char *t = *at;
  unsigned depth = 0;
  *sign = strchr(signs, *t) && *t ? *t++ : '\0';
  const char *from = t;
  for (; *t && (depth || t == from || !strchr(signs, *t)); t++) {
    depth += *t == '(' || *t == '[';
    depth -= *t == ')' || *t == ']';
  }
  *at = t;
  return acc_keep(s, "%.*s", (int)(t - from), from);
}

/* i, or constants * i in any order. */
static bool product(acc_source *s, const acc_kernel *k, const char *term, unsigned at,
                    acc_spread *spread) {
  const char *rate = "1", *t = term;
  bool found = false;
  while (*t) {
    char sign;
    unsigned axis;
    const char *factor = stripped(s, piece(s, &t, "*", &sign));
    const acc_loop *loop = loop_of(k, factor, &axis);
    if (loop && (found || loop->scales)) return false;
    if (loop) {
      found = true;
      spread->axis = (int)axis;
      spread->down = loop->down;
      if (strcmp(loop->step, "1") != 0) rate = acc_keep(s, "%s * (%s)", rate, loop->step);
      if (!constant(s, loop->step, at)) return false;
    } else if (constant(s, factor, at)) {
      rate = acc_keep(s, "%s * (%s)", rate, factor);
    } else {
      return false;
    }
  }
  spread->rate = rate;
  return found;
}

bool acc_spread_of(acc_source *s, const acc_kernel *k, const char *lower, unsigned at,
                   acc_spread *spread) {
  const char *t = stripped(s, lower);
  *spread = (acc_spread){.axis = -1, .rate = "0"};
  while (*t) {
    char sign;
    const char *term = stripped(s, piece(s, &t, "+-", &sign));
    if (same_for_all(s, k, term, at, 0)) continue;
    if (sign == '-' || spread->axis >= 0 || !product(s, k, term, at, spread)) return false;
  }
  return true;
}
