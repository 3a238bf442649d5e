/* A C file with OpenACC directives as libclang sees it: text, statements by their place, and the
 * directives, which the parser leaves out. Places are offsets in the file's bytes. */
#ifndef WF_ACC_SOURCE_H
#define WF_ACC_SOURCE_H

#include <clang-c/Index.h>
#include <obstack.h>
#include <stdbool.h>

#include "sim/acc/directive.h"
#include "sim/base/wf_error.h"

typedef struct acc_node acc_node;
/* A declaration, statement or expression of the file; of one made by a macro, the macro's use, of
 * a macro's argument, the argument. */
struct acc_node {
  enum CXCursorKind kind;
  unsigned begin, end; /* [begin, end) */
  CXCursor cursor;
  struct acc_node *parent, *first, *last, *next;
};

typedef struct acc_source acc_source;
struct acc_source {
  const char *path;
  const char *const *flags; /* of the compiler */
  unsigned n_flags;
  char *text; /* ends with a zero */
  unsigned bytes;
  CXIndex index;
  CXTranslationUnit unit;
  CXFile file;
  struct obstack memory; /* what lives as long as the file */
  acc_node root;         /* its functions and variables at file scope */
  acc_directive *directives;
  unsigned n_directives;
};

/* Parses `path` as C with the compiler's `flags`. False and *err (code 2) for what clang or a
 * directive's grammar refuses. */
bool acc_source_open(acc_source *s, const char *path, const char *const *flags, unsigned n_flags,
                     wf_error *err);
void acc_source_close(acc_source *s);

/* "FILE:LINE:COLUMN: ..." with code 2; returns false. */
bool acc_fail(const acc_source *s, unsigned at, wf_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void acc_note(const acc_source *s, unsigned at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
unsigned acc_line(const acc_source *s, unsigned at);

/* Kept as long as the source; memory is zeroed. */
void *acc_new(acc_source *s, size_t bytes);
char *acc_keep(acc_source *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *acc_slice(acc_source *s, unsigned begin, unsigned end);
char *acc_take(acc_source *s, CXString text); /* and disposes of it */

/* One that is not in the text. */
void acc_source_add(acc_source *s, const acc_directive *d);
/* The directive of this kind that stands before the statement; NULL: none. Any kind with loop:
 * ACC_LOOP. */
const acc_directive *acc_directive_of(const acc_source *s, const acc_node *statement,
                                      acc_kind kind);
/* Behind its last byte, its semicolon included. */
unsigned acc_statement_end(const acc_source *s, const acc_node *statement);
/* Where a word or sign follows next: blanks and comments are passed over. */
unsigned acc_skip_blank(const acc_source *s, unsigned at);

/* The number that `text` is: itself, a macro that is one, or an enumerator. */
bool acc_number(acc_source *s, const char *text, long *value);
/* The text of a macro without arguments; NULL: there is none of that name. */
const char *acc_macro(acc_source *s, const char *name);

/* Next node after `n` of the tree below `top` in the order of the text; NULL: none. */
acc_node *acc_next_below(const acc_node *top, acc_node *n);
bool acc_inside(const acc_node *n, const acc_node *outer);

#endif
