/* Values of an axis: words, ranges in braces. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_options.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"

typedef struct list {
  char ***words;
  size_t *n, limit;
  const char **why;
} list;

static bool wrong(const list *l, const char *why) {
  *l->why = why;
  return false;
}

static bool add(const list *l, const char *word) {
  if (*l->n >= l->limit) return wrong(l, "too many values");
  if (!(*l->n & (*l->n - 1))) /* doubled at each power of two */
    *l->words = wf_realloc(*l->words, *l->n ? 2 * *l->n : 1, sizeof **l->words);
  (*l->words)[(*l->n)++] = wf_strdup(word);
  return true;
}

static bool expand_word(const list *l, const char *word);

/* The word with `text` in place of its first braces. */
static bool expand_with(const list *l, const char *word, const char *open, const char *close,
                        const char *text) {
  char *next = wf_text("%.*s%s%s", (int)(open - word), word, text, close + 1);
  const bool ok = expand_word(l, next);
  free(next);
  return ok;
}

/* "A..B", "A..B+S", "A..B*F"; false: it is none. */
static bool parse_range(const char *text, long *from, long *to, char *how, long *step) {
  char *copy = wf_strdup(text), *dots = strstr(copy, ".."), *end = NULL;
  bool ok = dots != NULL;
  *how = '+';
  *step = 1;
  if (ok) {
    *dots = '\0';
    end = dots + 2 + strcspn(dots + 2, "+*");
    if (*end) {
      *how = *end;
      *end = '\0';
      ok = wf_parse_long(end + 1, step);
    }
    ok = ok && wf_parse_long(copy, from) && wf_parse_long(dots + 2, to);
  }
  free(copy);
  return ok;
}

static bool expand_range(const list *l, const char *word, const char *open, const char *close,
                         const char *text) {
  long from, to, step;
  char how;
  if (!parse_range(text, &from, &to, &how, &step))
    return wrong(l, "expected {A..B}, {A..B+STEP}, {A..B*FACTOR} or {x,y}");
  if (from > to || step < (how == '*' ? 2 : 1) || (how == '*' && from < 1))
    return wrong(l, "a range goes up: {1..8}, {10..50+10}, {1..64*2}");
  for (long v = from; v <= to;) {
    char *number = wf_text("%ld", v);
    const bool ok = expand_with(l, word, open, close, number);
    free(number);
    if (!ok) return false;
    const bool over =
        how == '*' ? __builtin_mul_overflow(v, step, &v) : __builtin_add_overflow(v, step, &v);
    if (over) break;
  }
  return true;
}

static bool expand_list(const list *l, const char *word, const char *open, const char *close,
                        char *text) {
  for (char *one; (one = strsep(&text, ","));)
    if (!expand_with(l, word, open, close, one)) return false;
  return true;
}

static bool expand_word(const list *l, const char *word) {
  const char *open = strchr(word, '{'), *close = open ? strchr(open, '}') : NULL;
  if (!open && strchr(word, '}')) return wrong(l, "a } without a {");
  if (!open) return add(l, word);
  if (!close || memchr(open + 1, '{', (size_t)(close - open - 1)))
    return wrong(l, "a { without its }");
  char *text = wf_text("%.*s", (int)(close - open - 1), open + 1);
  const bool ok = strchr(text, ',') ? expand_list(l, word, open, close, text)
                                    : expand_range(l, word, open, close, text);
  free(text);
  return ok;
}

/* Moves *at past a word and returns it, without its quotes; NULL: a quote is not closed. */
static char *next_word(const char **at) {
  char *word = wf_calloc(strlen(*at) + 1, 1), *to = word;
  bool quoted = false;
  for (; **at && (quoted || !strchr(" \t\r\n", **at)); ++*at)
    if (**at == '"')
      quoted = !quoted;
    else
      *to++ = **at;
  if (!quoted) return word;
  free(word);
  return NULL;
}

bool sweep_expand(const char *text, char ***words, size_t *n, size_t limit, const char **why) {
  const list l = {words, n, limit, why};
  while (*(text += strspn(text, " \t\r\n"))) {
    char *word = next_word(&text);
    if (!word) return wrong(&l, "a \" without its end");
    const bool ok = expand_word(&l, word);
    free(word);
    if (!ok) return false;
  }
  return true;
}
