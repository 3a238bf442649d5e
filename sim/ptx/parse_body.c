/* A kernel's body: declarations, labels, statements, nested scopes. */
#include <ctype.h>
#include <string.h>

#include "sim/ptx/build.h"
#include "sim/ptx/handlers.h"
#include "sim/ptx/lanes.h"

#define SHOWN(token) (int)((token).bytes < 80 ? (token).bytes : 80), (token).text

/* name.x .. name.w of a vector, or .r .. .a */
static bool part_of(const ptx_token *name, uint32_t *k) {
  static const char parts[] = "xyzwrgba";
  const char *at = name->bytes > 2 && name->text[name->bytes - 2] == '.'
                       ? strchr(parts, name->text[name->bytes - 1])
                       : NULL;
  if (!at || !*at) return false;
  *k = (uint32_t)(at - parts) % 4;
  return true;
}

/* %r1.b0 .. .b3, .h0, .h1: 1 .. 6; else 0. */
static uint8_t select_of(const ptx_token *name) {
  if (name->bytes < 4 || name->text[name->bytes - 3] != '.') return 0;
  const char kind = name->text[name->bytes - 2];
  const unsigned k = (unsigned)(name->text[name->bytes - 1] - '0');
  return (uint8_t)(kind == 'b' && k < 4 ? 1 + k : kind == 'h' && k < 2 ? 5 + k : 0);
}

/* .reg .b32 %r<42>, %x; .reg .v4 .f32 v; */
bool ptx_parse_registers(ptx_build *b) {
  ptx_lexer *lex = b->lex;
  uint32_t parts = 1;
  while (ptx_token_is(lex, ".v2") || ptx_token_is(lex, ".v4")) {
    parts = (uint32_t)(lex->token.text[2] - '0');
    if (!ptx_lexer_next(lex)) return false;
  }
  const ptx_type type = lex->token.kind == TOKEN_WORD
                            ? ptx_type_find(lex->token.text + 1, lex->token.bytes - 1)
                            : PTX_NO_TYPE;
  if (type == PTX_NO_TYPE)
    return ptx_lexer_fail(lex, "'%.*s' is no type of a register", SHOWN(lex->token));
  if (!ptx_lexer_next(lex)) return false;
  for (bool more = true, range; more;) {
    const ptx_token name = lex->token;
    if (name.kind != TOKEN_WORD || name.text[0] == '.')
      return ptx_lexer_fail(lex, "expected a register's name, found '%.*s'", SHOWN(name));
    if (!ptx_lexer_next(lex) || !ptx_token_accept(lex, "<", &range)) return false;
    ptx_symbol symbol = {.kind = PTX_SYMBOL_REG, .type = type};
    if (range) {
      if (lex->token.kind != TOKEN_INTEGER || lex->token.bits > 1000000000)
        return ptx_lexer_fail(lex, "expected how many registers, at most 1000000000");
      symbol.kind = PTX_SYMBOL_RANGE;
      symbol.number = (uint32_t)lex->token.bits;
      if (!ptx_lexer_next(lex) || !ptx_token_expect(lex, ">")) return false;
    } else {
      symbol.number = ptx_new_vreg(b, type);
      for (uint32_t k = 1; k < parts; k++) ptx_new_vreg(b, type);
    }
    symbol.parts = parts;
    if (range && parts > 1) return ptx_lexer_fail(lex, "vectors are declared one by one");
    if (!ptx_symbols_add(b->symbols, name.text, name.bytes, symbol))
      return ptx_lexer_fail(lex, "register '%.*s' is declared twice in one scope", SHOWN(name));
    if (!ptx_token_accept(lex, ",", &more)) return false;
  }
  return ptx_token_expect(lex, ";");
}

/* The symbol of a word; a register of a range becomes a register of its own when first met. */
static const ptx_symbol *lookup(ptx_build *b, const ptx_token *t) {
  uint32_t index;
  ptx_symbol *s = ptx_symbols_find(b->symbols, t->text, t->bytes, &index);
  if (!s || s->kind != PTX_SYMBOL_RANGE) return s;
  const ptx_symbol reg = {
      .kind = PTX_SYMBOL_REG, .type = s->type, .number = ptx_new_vreg(b, s->type)};
  ptx_symbols_add_beside(b->symbols, s, t->text, t->bytes, reg);
  return ptx_symbols_find(b->symbols, t->text, t->bytes, &index);
}

/* A register, special register, variable, label, or _. */
static bool parse_name(ptx_build *b, ptx_arg *arg) {
  ptx_lexer *lex = b->lex;
  const ptx_token t = lex->token;
  uint8_t number;
  if (ptx_token_is(lex, "WARP_SZ")) {
    *arg = (ptx_arg){.kind = PTX_ARG_INTEGER, .bits = PTX_LANES};
    return ptx_lexer_next(lex);
  }
  if (t.bytes == 1 && t.text[0] == '_') {
    arg->kind = PTX_ARG_SINK;
    return ptx_lexer_next(lex);
  }
  const ptx_symbol *s = lookup(b, &t);
  uint32_t part = 0;
  uint8_t select = 0;
  if (!s && (select = select_of(&t))) {
    const ptx_token whole = {.kind = TOKEN_WORD, .text = t.text, .bytes = t.bytes - 3};
    s = lookup(b, &whole);
    if (s && (s->kind != PTX_SYMBOL_REG || s->parts > 1)) s = NULL;
  } else if (!s && part_of(&t, &part)) {
    const ptx_token whole = {.kind = TOKEN_WORD, .text = t.text, .bytes = t.bytes - 2};
    s = lookup(b, &whole);
    if (s && (s->kind != PTX_SYMBOL_REG || part >= s->parts)) s = NULL;
  } else if (s && s->kind == PTX_SYMBOL_REG && s->parts > 1) {
    *arg = (ptx_arg){.kind = PTX_ARG_VECTOR, .type = s->type, .reg = s->number, .count = s->parts};
    return ptx_lexer_next(lex);
  }
  if (s && s->kind == PTX_SYMBOL_REG) {
    *arg =
        (ptx_arg){.kind = PTX_ARG_REG, .type = s->type, .reg = s->number + part, .select = select};
  } else if (s && s->kind == PTX_SYMBOL_FUNCTION) {
    *arg = (ptx_arg){.kind = PTX_ARG_FUNCTION, .function = s->function};
  } else if (s) {
    *arg = (ptx_arg){.kind = PTX_ARG_SYMBOL, .variable = s->variable};
  } else if (ptx_sreg_find(t.text, t.bytes, &number, &arg->type)) {
    arg->kind = PTX_ARG_SREG;
    arg->reg = number;
  } else if (t.text[0] == '%') {
    return ptx_lexer_fail(lex,
                          "'%.*s' is neither a declared register nor a special register "
                          "known here",
                          SHOWN(t));
  } else {
    *arg = (ptx_arg){.kind = PTX_ARG_NAME, .name = t.text, .bytes = t.bytes};
  }
  return ptx_lexer_next(lex);
}

static bool parse_number(ptx_build *b, ptx_arg *arg, bool negative) {
  ptx_lexer *lex = b->lex;
  const uint64_t bits = lex->token.bits;
  switch (lex->token.kind) {
  case TOKEN_INTEGER:
    *arg = (ptx_arg){.kind = PTX_ARG_INTEGER, .bits = negative ? 0 - bits : bits};
    break;
  case TOKEN_FLOAT:
    *arg = (ptx_arg){.kind = PTX_ARG_FLOAT, .bits = bits ^ (uint64_t)negative << 63};
    break;
  case TOKEN_FLOAT32:
    *arg = (ptx_arg){.kind = PTX_ARG_FLOAT32, .bits = bits ^ (uint64_t)negative << 31};
    break;
  default:
    return ptx_lexer_fail(lex, "expected an operand, found '%.*s'", SHOWN(lex->token));
  }
  return ptx_lexer_next(lex);
}

/* + number or - number after a base, if there is one. */
static bool parse_offset(ptx_build *b, uint64_t *offset) {
  ptx_lexer *lex = b->lex;
  bool plus, minus;
  if (!ptx_token_accept(lex, "+", &plus) || !ptx_token_accept(lex, "-", &minus)) return false;
  if (!plus && !minus) return true;
  if (lex->token.kind != TOKEN_INTEGER)
    return ptx_lexer_fail(lex, "expected a number as offset, found '%.*s'", SHOWN(lex->token));
  *offset += minus ? 0 - lex->token.bits : lex->token.bits;
  return ptx_lexer_next(lex);
}

static bool parse_address(ptx_build *b, ptx_arg *arg) {
  ptx_lexer *lex = b->lex;
  ptx_arg base = {.kind = PTX_ARG_INTEGER};
  if (lex->token.kind == TOKEN_WORD) {
    if (!parse_name(b, &base)) return false;
    if (base.kind != PTX_ARG_REG && base.kind != PTX_ARG_SYMBOL)
      return ptx_lexer_fail(lex,
                            "an address is a register, a variable or a number, with an "
                            "offset; '%.*s' is undeclared",
                            (int)(base.bytes < 80 ? base.bytes : 80), base.name ? base.name : "");
  } else if (lex->token.kind == TOKEN_INTEGER) {
    if (!parse_number(b, &base, false)) return false;
  } else {
    return ptx_lexer_fail(lex, "expected an address, found '%.*s'", SHOWN(lex->token));
  }
  *arg = base;
  arg->kind = PTX_ARG_ADDRESS;
  if (base.kind != PTX_ARG_REG) arg->reg = PTX_NO_REG;
  return parse_offset(b, &arg->bits) && ptx_token_expect(lex, "]");
}

static bool parse_arg(ptx_build *b, ptx_statement *s, ptx_arg *arg, bool inside);

/* Up to the closing brace, or parenthesis of a call. */
static bool parse_vector(ptx_build *b, ptx_statement *s, ptx_arg *arg, const char *close) {
  ptx_arg elements[PTX_MAX_ELEMENTS];
  uint32_t n = 0;
  for (bool more = *close != ')' || !ptx_token_is(b->lex, close); more;) {
    if (n == PTX_MAX_ELEMENTS - s->n_elements)
      return ptx_lexer_fail(b->lex, "more than %d vector elements in a statement",
                            PTX_MAX_ELEMENTS);
    if (!parse_arg(b, s, &elements[n++], true) || !ptx_token_accept(b->lex, ",", &more))
      return false;
  }
  *arg = (ptx_arg){.kind = PTX_ARG_VECTOR, .first = s->n_elements, .count = n};
  memcpy(&s->elements[s->n_elements], elements, n * sizeof *elements);
  s->n_elements += n;
  return ptx_token_expect(b->lex, close);
}

/* A vector's name stands for its parts. */
static bool spread(ptx_build *b, ptx_statement *s, ptx_arg *arg, bool inside) {
  if (inside || arg->count > PTX_MAX_ELEMENTS - s->n_elements)
    return ptx_lexer_fail(b->lex, "a vector does not stand here");
  arg->first = s->n_elements;
  for (uint32_t k = 0; k < arg->count; k++)
    s->elements[s->n_elements++] =
        (ptx_arg){.kind = PTX_ARG_REG, .type = arg->type, .reg = arg->reg + k};
  return true;
}

/* 4 * 8 + 1: from left to right. */
static bool parse_sum(ptx_build *b, ptx_arg *arg) {
  ptx_lexer *lex = b->lex;
  while (ptx_token_is(lex, "+") || ptx_token_is(lex, "-") || ptx_token_is(lex, "*")) {
    const char op = lex->token.text[0];
    ptx_arg next;
    if (!ptx_lexer_next(lex)) return false;
    if (ptx_token_is(lex, "WARP_SZ") ? !parse_name(b, &next) : !parse_number(b, &next, false))
      return false;
    if (next.kind != PTX_ARG_INTEGER) return ptx_lexer_fail(lex, "expected a whole number");
    arg->bits = op == '+'   ? arg->bits + next.bits
                : op == '-' ? arg->bits - next.bits
                            : arg->bits * next.bits;
  }
  return true;
}

/* inside: an element of a vector, which holds no vectors or addresses. */
static bool parse_arg(ptx_build *b, ptx_statement *s, ptx_arg *arg, bool inside) {
  ptx_lexer *lex = b->lex;
  bool found, negative, invert;
  *arg = (ptx_arg){0};
  if (!inside) {
    if (!ptx_token_accept(lex, "{", &found)) return false;
    if (found) return parse_vector(b, s, arg, "}");
    if (!ptx_token_accept(lex, "[", &found)) return false;
    if (found) return parse_address(b, arg);
  }
  if (!ptx_token_accept(lex, "!", &invert) || !ptx_token_accept(lex, "-", &negative)) return false;
  if (lex->token.kind != TOKEN_WORD)
    return invert ? ptx_lexer_fail(lex, "'!' goes before a predicate")
                  : parse_number(b, arg, negative) &&
                        (arg->kind != PTX_ARG_INTEGER || parse_sum(b, arg));
  if (negative) return ptx_lexer_fail(lex, "'-' goes before a number");
  if (!parse_name(b, arg)) return false;
  if (arg->kind == PTX_ARG_VECTOR) return spread(b, s, arg, inside);
  if (arg->kind == PTX_ARG_INTEGER) return parse_sum(b, arg);
  if (invert && (arg->kind != PTX_ARG_REG || arg->type != PTX_PRED))
    return ptx_lexer_fail(lex, "'!' goes before a predicate");
  arg->negate = invert;
  if (arg->kind == PTX_ARG_SYMBOL) return parse_offset(b, &arg->bits);
  if (!ptx_token_accept(lex, "|", &found)) return false;
  if (!found) return true;
  if (lex->token.kind != TOKEN_WORD)
    return ptx_lexer_fail(lex, "expected a name after '|', found '%.*s'", SHOWN(lex->token));
  ptx_arg second = {0};
  if (!parse_name(b, &second)) return false;
  if (arg->kind == PTX_ARG_SINK && second.kind == PTX_ARG_REG) arg->reg = PTX_NO_REG;
  if (second.kind == PTX_ARG_SINK) second.reg = PTX_NO_REG;
  if ((arg->kind != PTX_ARG_REG && arg->kind != PTX_ARG_SINK) || invert ||
      (second.kind != PTX_ARG_SINK && (second.kind != PTX_ARG_REG || second.type != PTX_PRED)))
    return ptx_lexer_fail(lex, "'|' joins two destinations, the second a predicate");
  arg->kind = PTX_ARG_PAIR;
  arg->reg2 = second.reg;
  return true;
}

/* @p or @!p */
static bool parse_guard(ptx_build *b, ptx_statement *s) {
  ptx_lexer *lex = b->lex;
  if (!ptx_token_accept(lex, "!", &s->guard_negate)) return false;
  const ptx_symbol *p = lex->token.kind == TOKEN_WORD ? lookup(b, &lex->token) : NULL;
  if (!p || p->kind != PTX_SYMBOL_REG || p->type != PTX_PRED)
    return ptx_lexer_fail(lex, "guard '%.*s' is no declared predicate", SHOWN(lex->token));
  s->guard = p->number;
  return ptx_lexer_next(lex);
}

/* The statement's text on one line, single blanks. */
static const char *statement_text(ptx_build *b, const char *from, const char *to) {
  char *text = ptx_arena_text(&b->module->arena, from, (size_t)(to - from)), *out = text;
  for (const char *in = text; *in; in++) {
    const bool blank = isspace((unsigned char)*in);
    if (!blank || (out > text && out[-1] != ' ')) *out++ = blank ? ' ' : *in;
  }
  *out = 0;
  return text;
}

static bool is_call(const ptx_statement *s) {
  return s->mnemonic_bytes >= 4 && memcmp(s->mnemonic, "call", 4) == 0 &&
         (s->mnemonic_bytes == 4 || s->mnemonic[4] == '.');
}

/* An operand, or a call's list in parentheses. */
static bool parse_operand(ptx_build *b, ptx_statement *s, ptx_arg *arg) {
  bool list;
  if (!ptx_token_accept(b->lex, "(", &list)) return false;
  if (!list) return parse_arg(b, s, arg, false);
  if (!is_call(s))
    return ptx_lexer_fail(b->lex, "'%.*s': parentheses are for calls",
                          (int)(s->mnemonic_bytes < 80 ? s->mnemonic_bytes : 80), s->mnemonic);
  return parse_vector(b, s, arg, ")");
}

static bool parse_statement(ptx_build *b) {
  ptx_lexer *lex = b->lex;
  ptx_statement s = {.guard = PTX_NO_REG, .line = lex->token.line};
  const char *start = lex->token.text;
  bool guarded, more;
  if (!ptx_token_accept(lex, "@", &guarded)) return false;
  if (guarded && !parse_guard(b, &s)) return false;
  s.line = lex->token.line;
  if (lex->token.kind != TOKEN_WORD || !isalpha((unsigned char)lex->token.text[0]))
    return ptx_lexer_fail(lex, "expected an instruction, found '%.*s'", SHOWN(lex->token));
  s.mnemonic = lex->token.text;
  s.mnemonic_bytes = lex->token.bytes;
  if (!ptx_lexer_next(lex)) return false;
  more = !ptx_token_is(lex, ";");
  while (more) {
    if (s.n_args == PTX_MAX_ARGS) return ptx_lexer_fail(lex, "more than %d operands", PTX_MAX_ARGS);
    if (!parse_operand(b, &s, &s.args[s.n_args++])) return false;
    if (!ptx_token_accept(lex, ",", &more)) return false;
  }
  if (!ptx_token_is(lex, ";")) return ptx_token_expect(lex, ";");
  s.text = statement_text(b, start, lex->token.text);
  /* Decoded before moving on, so that messages name this line. */
  const uint32_t line = lex->token.line;
  lex->token.line = s.line;
  if (!ptx_decode(b, &s)) return false;
  lex->token.line = line;
  return ptx_lexer_next(lex);
}

static bool open_scope(ptx_build *b, size_t depth) {
  if (depth == PTX_SCOPE_LIMIT)
    return ptx_lexer_fail(b->lex, "more than %d scopes inside each other", PTX_SCOPE_LIMIT);
  size_t capacity = b->scope_capacity;
  b->scopes = ptx_grow(b->scopes, sizeof *b->scopes, b->n_scopes, &capacity);
  b->scope_capacity = (uint32_t)capacity;
  b->scopes[b->n_scopes].parent = b->scope;
  b->scope = b->n_scopes++;
  ptx_symbols_open(b->symbols);
  return ptx_lexer_next(b->lex);
}

static bool close_scope(ptx_build *b) {
  ptx_symbols_close(b->symbols);
  b->scope = b->scopes[b->scope].parent;
  return ptx_lexer_next(b->lex);
}

/* Prototypes say nothing that calls do not say again. */
static bool skip_statement(ptx_lexer *lex) {
  while (!ptx_token_is(lex, ";") && lex->token.kind != TOKEN_END)
    if (!ptx_lexer_next(lex)) return false;
  return ptx_token_expect(lex, ";");
}

static bool parse_directive(ptx_build *b) {
  ptx_lexer *lex = b->lex;
  const struct {
    const char *name;
    ptx_space space;
  } spaces[] = {{".shared", PTX_SPACE_SHARED},
                {".local", PTX_SPACE_LOCAL},
                {".global", PTX_SPACE_GLOBAL},
                {".const", PTX_SPACE_CONST}};
  if (ptx_token_is(lex, ".loc") || ptx_token_is(lex, ".file")) return ptx_lexer_skip_line(lex);
  if (ptx_token_is(lex, ".reg")) return ptx_lexer_next(lex) && ptx_parse_registers(b);
  if (ptx_token_is(lex, ".pragma"))
    // NOLINTNEXTLINE(misc-redundant-expression): two tokens further
    return ptx_lexer_next(lex) && ptx_lexer_next(lex) && ptx_token_expect(lex, ";");
  for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
    if (ptx_token_is(lex, spaces[k].name))
      return ptx_lexer_next(lex) &&
             ptx_parse_variable(lex, b->module, b->symbols, b, spaces[k].space, false);
  if (ptx_token_is(lex, ".param")) return ptx_lexer_next(lex) && ptx_parse_call_param(b);
  if (ptx_token_is(lex, ".branchtargets")) return ptx_lexer_next(lex) && ptx_parse_targets(b);
  if (ptx_token_is(lex, ".callprototype") || ptx_token_is(lex, ".calltargets"))
    return skip_statement(lex);
  return ptx_lexer_fail(lex, "unknown directive '%.*s'", SHOWN(lex->token));
}

/* A word followed by a colon is a label: the lexer stands on the word, the colon is next. */
static bool at_label(const ptx_lexer *lex) {
  ptx_lexer ahead = *lex;
  wf_error ignored = {0};
  ahead.err = &ignored;
  return lex->token.kind == TOKEN_WORD && lex->token.text[0] != '.' && ptx_lexer_next(&ahead) &&
         ptx_token_is(&ahead, ":");
}

bool ptx_parse_body(ptx_build *b) {
  ptx_lexer *lex = b->lex;
  const uint32_t opened = lex->token.line;
  size_t depth = 0;
  if (!ptx_token_is(lex, "{")) return ptx_token_expect(lex, "{");
  do {
    bool fine;
    if (lex->token.kind == TOKEN_END)
      return ptx_lexer_fail(lex, "the '{' of line %u is never closed", opened);
    if (ptx_token_is(lex, "{")) {
      fine = open_scope(b, depth++);
    } else if (ptx_token_is(lex, "}")) {
      depth--;
      fine = close_scope(b);
    } else if (ptx_token_is(lex, ";")) {
      fine = ptx_lexer_next(lex);
    } else if (lex->token.kind == TOKEN_WORD && lex->token.text[0] == '.') {
      fine = parse_directive(b);
    } else if (at_label(lex)) {
      b->label = lex->token;
      fine = ptx_define_label(b, lex->token.text, lex->token.bytes) && ptx_lexer_next(lex) &&
             ptx_lexer_next(lex);
    } else if (ptx_token_is(lex, "brx.idx") || ptx_token_is(lex, "brx.idx.uni")) {
      fine = ptx_parse_switch(b);
    } else {
      fine = parse_statement(b);
    }
    if (!fine) return false;
  } while (depth);
  return true;
}
