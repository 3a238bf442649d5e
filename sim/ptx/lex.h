/* Tokens of PTX text. The lexer holds one token at a time and never copies the text. */
#ifndef WF_PTX_LEX_H
#define WF_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef enum ptx_token_kind {
  TOKEN_END,
  TOKEN_WORD,       /* name, register, mnemonic with its modifiers, or directive (leading dot) */
  TOKEN_INTEGER,    /* bits: the value, unsigned */
  TOKEN_FLOAT,      /* bits: the double's bits */
  TOKEN_FLOAT32,    /* 0f...: bits: the single's bits */
  TOKEN_STRING,     /* text without the quotes, escapes as written */
  TOKEN_PUNCTUATION /* one character: text[0] */
} ptx_token_kind;

typedef struct ptx_token {
  ptx_token_kind kind;
  const char *text;
  size_t bytes;
  uint64_t bits;
  uint32_t line;
} ptx_token;

typedef struct ptx_lexer {
  const char *name; /* of the file, for messages */
  const char *at, *end;
  uint32_t line;
  ptx_token token; /* the current one */
  wf_error *err;
} ptx_lexer;

/* Starts on text[0 .. bytes) and reads the first token. */
bool ptx_lexer_start(ptx_lexer *lex, const char *name, const char *text, size_t bytes,
                     wf_error *err);
/* Moves to the next token; false on a character that starts none or a malformed number. */
bool ptx_lexer_next(ptx_lexer *lex);
/* Fills lex->err with "file:line: message", the line being the current token's. */
bool ptx_lexer_fail(const ptx_lexer *lex, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

bool ptx_token_is(const ptx_lexer *lex, const char *text);            /* word or punctuation */
bool ptx_token_accept(ptx_lexer *lex, const char *text, bool *found); /* moves on if it is */
bool ptx_token_expect(ptx_lexer *lex, const char *text);              /* moves on or fails */
/* Skips to the first token of a later line (line-ended directives: .loc, .file). */
bool ptx_lexer_skip_line(ptx_lexer *lex);
/* At an opening brace: skips past the matching closing one. */
bool ptx_lexer_skip_braces(ptx_lexer *lex);

#endif
