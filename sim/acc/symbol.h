/* Variables that a region of the program names: what they are, and how each use touches them. */
#ifndef WF_ACC_SYMBOL_H
#define WF_ACC_SYMBOL_H

#include "sim/acc/source.h"

typedef enum acc_shape { ACC_SCALAR, ACC_RECORD, ACC_POINTER, ACC_ARRAY, ACC_NO_SHAPE } acc_shape;

enum { ACC_MAX_DIMS = 4 };

typedef struct acc_symbol {
  const char *name;
  CXCursor declared;
  unsigned at; /* its first use here */
  acc_shape shape;
  const char *type; /* of a value; of an array or pointer, of an element */
  bool integer, restricted;
  const char *layout;             /* of an element, as wf_acc_kind */
  bool fixed;                     /* all extents but the first are numbers */
  unsigned n_dims;                /* of an array or pointer: at least 1 */
  const char *dims[ACC_MAX_DIMS]; /* extents as text; the first is NULL behind a pointer */
} acc_symbol;

typedef enum acc_use { ACC_READ, ACC_WRITE, ACC_READ_WRITE, ACC_ESCAPES } acc_use;

/* What the reference `n` (a DeclRefExpr) does to its variable, or to elements behind it. `whole`
 * becomes the outermost expression that is still the variable or one element. */
acc_use acc_use_of(acc_source *s, acc_node *n, acc_node **whole);
/* Without the parentheses and conversions around it; NULL: NULL. */
acc_node *acc_bare(acc_node *n);
/* The first use of the variable within [begin, end) of the file, below `top`: does it need what the
 * value was? */
bool acc_needs_old(acc_source *s, acc_node *top, const acc_symbol *symbol, unsigned begin,
                   unsigned end);
/* The element that the reference leads to: its last subscript, brackets and members left aside. */
acc_node *acc_element_of(acc_source *s, acc_node *n);
/* The text between an operator's two operands, or beside its only one. */
const char *acc_operator(acc_source *s, const acc_node *n);

/* The variable that `n` refers to; false if it is none (a function, an enumerator). */
bool acc_symbol_of(acc_source *s, const acc_node *n, acc_symbol *symbol);
/* The variable of this name that a directive at `at` sees. False and *err if there is none. */
bool acc_symbol_named(acc_source *s, const char *name, unsigned at, acc_symbol *symbol,
                      wf_error *err);
bool acc_same(const acc_symbol *a, const acc_symbol *b);
/* Is it declared within [begin, end) of the file? */
bool acc_declared_in(const acc_source *s, const acc_symbol *symbol, unsigned begin, unsigned end);

/* A declaration of `name` as pointer to the symbol's elements: "float (*a)[16]". */
char *acc_pointer_text(acc_source *s, const acc_symbol *symbol, const char *name);
/* Of a variable of its own kind: "float a[16]", "int n". */
char *acc_object_text(acc_source *s, const acc_symbol *symbol, const char *name);

#endif
