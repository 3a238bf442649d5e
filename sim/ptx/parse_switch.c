/* brx.idx, a branch by a number to one of a .branchtargets list: read as a tree of comparisons and
 * branches, whose text is parsed in its place. */
#include <stdio.h>
#include <string.h>

#include "sim/ptx/build.h"

/* "name: .branchtargets a, b;" */
struct ptx_switch {
  const char *name; /* in the module's text, as the labels are */
  size_t bytes;
  ptx_token *labels;
  uint32_t n;
  struct ptx_switch *next;
};

static bool append_label(ptx_build *b, struct ptx_switch *s) {
  if (b->lex->token.kind != TOKEN_WORD)
    return ptx_lexer_fail(b->lex, "expected a label, found '%.*s'", (int)b->lex->token.bytes,
                          b->lex->token.text);
  if ((s->n & (s->n - 1)) == 0) { /* 0 or a power of two: full */
    ptx_token *labels = ptx_arena_alloc(&b->module->arena, (2 * s->n + 1) * sizeof *labels);
    if (s->n) memcpy(labels, s->labels, s->n * sizeof *labels);
    s->labels = labels;
  }
  s->labels[s->n++] = b->lex->token;
  return ptx_lexer_next(b->lex);
}

bool ptx_parse_targets(ptx_build *b) {
  struct ptx_switch *s = ptx_arena_alloc(&b->module->arena, sizeof *s);
  bool more;
  *s = (struct ptx_switch){.name = b->label.text, .bytes = b->label.bytes, .next = b->switches};
  if (!s->name) return ptx_lexer_fail(b->lex, "a list of targets needs a label before it");
  b->switches = s;
  do {
    if (!append_label(b, s) || !ptx_token_accept(b->lex, ",", &more)) return false;
    if (s->n == PTX_SWITCH_LIMIT)
      return ptx_lexer_fail(b->lex, "more than %d targets", PTX_SWITCH_LIMIT);
  } while (more);
  return ptx_token_expect(b->lex, ";");
}

/* What is written while the tree is made. */
typedef struct tree {
  const struct ptx_switch *list;
  ptx_token index;
  uint32_t number; /* of the switch: its labels are its own */
  char *text;
  size_t used, room;
} tree;

static void add(tree *t, const char *more) {
  const size_t bytes = strlen(more);
  if (t->used + bytes < t->room) memcpy(t->text + t->used, more, bytes + 1), t->used += bytes;
}

static void add_branch(tree *t, uint32_t first, uint32_t n) {
  char text[256];
  const ptx_token *label = &t->list->labels[first];
  if (n == 1) {
    snprintf(text, sizeof text, "bra %.*s; ", (int)label->bytes, label->text);
    add(t, text);
    return;
  }
  const uint32_t left = n / 2, middle = first + left;
  snprintf(text, sizeof text,
           "setp.lt.u32 %%wf_switch, %.*s, %u; @!%%wf_switch bra $wf_switch_%u_%u; ",
           (int)t->index.bytes, t->index.text, middle, t->number, middle);
  add(t, text);
  add_branch(t, first, left);
  snprintf(text, sizeof text, "$wf_switch_%u_%u: ", t->number, middle);
  add(t, text);
  add_branch(t, middle, n - left);
}

static const struct ptx_switch *find_list(const ptx_build *b, const ptx_token *name) {
  for (const struct ptx_switch *s = b->switches; s; s = s->next)
    if (s->bytes == name->bytes && memcmp(s->name, name->text, s->bytes) == 0) return s;
  return NULL;
}

static bool parse_tree(ptx_build *b, tree *t, uint32_t line) {
  ptx_lexer *outer = b->lex, inner;
  t->room = 64 + t->list->n * 400u;
  t->text = ptx_arena_alloc(&b->module->arena, t->room);
  add(t, "{ .reg .pred %wf_switch; ");
  add_branch(t, 0, t->list->n);
  add(t, "}");
  if (!ptx_lexer_start(&inner, outer->name, t->text, t->used, outer->err)) return false;
  inner.line = inner.token.line = line;
  b->lex = &inner;
  const bool fine = ptx_parse_body(b);
  b->lex = outer;
  return fine;
}

bool ptx_parse_switch(ptx_build *b) {
  ptx_lexer *lex = b->lex;
  const uint32_t line = lex->token.line;
  tree t = {.number = b->n_switches++};
  if (!ptx_lexer_next(lex)) return false;
  t.index = lex->token;
  if (t.index.kind != TOKEN_WORD || t.index.bytes > 64)
    return ptx_lexer_fail(lex, "expected a register, found '%.*s'", (int)t.index.bytes,
                          t.index.text);
  if (!ptx_lexer_next(lex) || !ptx_token_expect(lex, ",")) return false;
  t.list = find_list(b, &lex->token);
  if (!t.list)
    return ptx_lexer_fail(lex, "'%.*s' is no list of .branchtargets before this",
                          (int)lex->token.bytes, lex->token.text);
  for (uint32_t k = 0; k < t.list->n; k++)
    if (t.list->labels[k].bytes > 128)
      return ptx_lexer_fail(lex, "a label of more than 128 characters");
  return ptx_lexer_next(lex) && ptx_token_is(lex, ";") && parse_tree(b, &t, line) &&
         ptx_lexer_next(lex);
}
