#include "sim/ptx/lex.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_lexer_fail(const ptx_lexer *lex, const char *format, ...) {
  char text[768];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return wf_fail(lex->err, WF_EXIT_BAD_INPUT, "%s:%u: %s", lex->name, lex->token.line, text);
}

static bool word_start(int c) {
  return isalpha(c) || c == '_' || c == '$' || c == '%' || c == '.';
}
static bool word_part(int c) {
  return isalnum(c) || c == '_' || c == '$' || c == '.';
}

static int peek(const ptx_lexer *lex, size_t ahead) {
  return ahead < (size_t)(lex->end - lex->at) ? (unsigned char)lex->at[ahead] : 0;
}

static bool is_line_to_skip(const ptx_lexer *lex) {
  return (peek(lex, 0) == '/' && peek(lex, 1) == '/') ||
         (lex->end - lex->at > 7 && memcmp(lex->at, "@@DWARF", 7) == 0);
}

/* Past blanks, both kinds of comment, and what old compilers say to debuggers. */
static bool skip_blanks(ptx_lexer *lex) {
  while (lex->at < lex->end) {
    if (*lex->at == '\n') {
      lex->line++;
      lex->at++;
    } else if (isspace((unsigned char)*lex->at)) {
      lex->at++;
    } else if (is_line_to_skip(lex)) {
      while (lex->at < lex->end && *lex->at != '\n') lex->at++;
    } else if (peek(lex, 0) == '/' && peek(lex, 1) == '*') {
      lex->token.line = lex->line;
      for (lex->at += 2; lex->at < lex->end && !(peek(lex, 0) == '*' && peek(lex, 1) == '/');
           lex->at++)
        lex->line += *lex->at == '\n';
      if (lex->at >= lex->end) return ptx_lexer_fail(lex, "comment without its closing */");
      lex->at += 2;
    } else {
      break;
    }
  }
  return true;
}

/* 0f and 0d literals: exactly 8 or 16 hexadecimal digits, the IEEE bits. */
static bool hex_float(ptx_lexer *lex, unsigned digits) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < digits; i++) {
    int c = peek(lex, 2 + i);
    if (!isxdigit(c))
      return ptx_lexer_fail(lex, "floating-point literal needs %u hexadecimal digits", digits);
    bits = bits << 4 | (uint64_t)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
  }
  lex->token.kind = digits == 8 ? TOKEN_FLOAT32 : TOKEN_FLOAT;
  lex->token.bits = bits;
  lex->at += 2 + digits;
  return true;
}

static bool decimal_float(ptx_lexer *lex) {
  char text[64];
  size_t n = 0;
  while (n < sizeof text - 1) {
    int c = peek(lex, n);
    bool sign = (c == '+' || c == '-') && n && (text[n - 1] == 'e' || text[n - 1] == 'E');
    if (!isdigit(c) && c != '.' && c != 'e' && c != 'E' && !sign) break;
    text[n++] = (char)c;
  }
  text[n] = 0;
  char *stop;
  double value = strtod(text, &stop);
  if (n == 0 || *stop) return ptx_lexer_fail(lex, "malformed number '%s'", text);
  lex->token.kind = TOKEN_FLOAT;
  memcpy(&lex->token.bits, &value, sizeof value);
  lex->at += n;
  return true;
}

static bool integer(ptx_lexer *lex) {
  unsigned base = 10;
  if (peek(lex, 0) == '0') {
    int second = tolower(peek(lex, 1));
    base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
    if (base != 8) lex->at += 2;
  }
  uint64_t value = 0;
  bool any = false;
  for (;; lex->at++, any = true) {
    int c = tolower(peek(lex, 0));
    unsigned digit = isdigit(c) ? (unsigned)(c - '0') : isxdigit(c) ? (unsigned)(c - 'a' + 10) : 99;
    if (digit >= base) break;
    if (value > (UINT64_MAX - digit) / base)
      return ptx_lexer_fail(lex, "integer '%.*s...' does not fit 64 bits",
                            (int)(lex->at - lex->token.text), lex->token.text);
    value = value * base + digit;
  }
  if (any && peek(lex, 0) == 'U') lex->at++;
  if (!any || word_part(peek(lex, 0)))
    return ptx_lexer_fail(lex, "malformed number '%.*s%c'", (int)(lex->at - lex->token.text),
                          lex->token.text, isprint(peek(lex, 0)) ? peek(lex, 0) : ' ');
  lex->token.kind = TOKEN_INTEGER;
  lex->token.bits = value;
  return true;
}

static bool number(ptx_lexer *lex) {
  if (peek(lex, 0) == '0') {
    int second = tolower(peek(lex, 1));
    if (second == 'f') return hex_float(lex, 8);
    if (second == 'd') return hex_float(lex, 16);
    if (second == 'x' || second == 'b') return integer(lex);
  }
  size_t digits = 0;
  while (isdigit(peek(lex, digits))) digits++;
  int after = peek(lex, digits);
  return after == '.' || after == 'e' || after == 'E' ? decimal_float(lex) : integer(lex);
}

/* A directive ends where the next one begins: .param.u64 is two. */
static void word(ptx_lexer *lex) {
  const bool directive = *lex->at++ == '.';
  for (;;) {
    if (word_part(peek(lex, 0)) && !(directive && peek(lex, 0) == '.')) {
      lex->at++;
    } else if (peek(lex, 0) == ':' && peek(lex, 1) == ':') { /* .shared::cta */
      lex->at += 2;
    } else {
      break;
    }
  }
  lex->token.kind = TOKEN_WORD;
}

static bool string(ptx_lexer *lex) {
  for (lex->at++; lex->at < lex->end && *lex->at != '"' && *lex->at != '\n'; lex->at++)
    if (*lex->at == '\\' && peek(lex, 1) != '\n' && lex->at + 1 < lex->end) lex->at++;
  if (lex->at >= lex->end || *lex->at != '"')
    return ptx_lexer_fail(lex, "string without its closing quote");
  lex->at++;
  lex->token.kind = TOKEN_STRING;
  return true;
}

bool ptx_lexer_next(ptx_lexer *lex) {
  if (!skip_blanks(lex)) return false;
  lex->token = (ptx_token){.kind = TOKEN_END, .text = lex->at, .line = lex->line};
  if (lex->at >= lex->end) return true;
  int c = (unsigned char)*lex->at;
  bool fine = true;
  if (isdigit(c) || (c == '.' && isdigit(peek(lex, 1)))) {
    fine = number(lex);
  } else if (word_start(c)) {
    word(lex);
  } else if (c == '"') {
    fine = string(lex);
  } else if (c && strchr(",;:{}[]()<>=+-|!@~*/&", c)) {
    lex->token.kind = TOKEN_PUNCTUATION;
    lex->at++;
  } else {
    return ptx_lexer_fail(
        lex, isprint(c) ? "unexpected character '%c'" : "unexpected character with code %d", c);
  }
  if (!fine) return false;
  lex->token.bytes = (size_t)(lex->at - lex->token.text);
  return true;
}

bool ptx_lexer_start(ptx_lexer *lex, const char *name, const char *text, size_t bytes,
                     wf_error *err) {
  *lex = (ptx_lexer){.name = name, .at = text, .end = text + bytes, .line = 1, .err = err};
  return ptx_lexer_next(lex);
}

bool ptx_token_is(const ptx_lexer *lex, const char *text) {
  const ptx_token *t = &lex->token;
  return (t->kind == TOKEN_WORD || t->kind == TOKEN_PUNCTUATION) && strlen(text) == t->bytes &&
         memcmp(t->text, text, t->bytes) == 0;
}

bool ptx_token_accept(ptx_lexer *lex, const char *text, bool *found) {
  *found = ptx_token_is(lex, text);
  return !*found || ptx_lexer_next(lex);
}

bool ptx_token_expect(ptx_lexer *lex, const char *text) {
  if (ptx_token_is(lex, text)) return ptx_lexer_next(lex);
  if (lex->token.kind == TOKEN_END)
    return ptx_lexer_fail(lex, "the text ends where '%s' should be", text);
  return ptx_lexer_fail(lex, "expected '%s', found '%.*s'", text,
                        (int)(lex->token.bytes < 80 ? lex->token.bytes : 80), lex->token.text);
}

bool ptx_lexer_skip_line(ptx_lexer *lex) {
  uint32_t line = lex->token.line;
  while (lex->token.kind != TOKEN_END && lex->token.line == line)
    if (!ptx_lexer_next(lex)) return false;
  return true;
}

bool ptx_lexer_skip_braces(ptx_lexer *lex) {
  uint32_t opened = lex->token.line;
  size_t depth = 0;
  do {
    if (lex->token.kind == TOKEN_END)
      return ptx_lexer_fail(lex, "the '{' of line %u is never closed", opened);
    if (ptx_token_is(lex, "{")) depth++;
    if (ptx_token_is(lex, "}")) depth--;
    if (!ptx_lexer_next(lex)) return false;
  } while (depth);
  return true;
}
