/* What the flow must know of a cell library: a small reader of Liberty files. */
#ifndef WF_SYNTH_LIBERTY_H
#define WF_SYNTH_LIBERTY_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/wf_error.h"

typedef struct lib_cell {
  char name[64];
  double area;      /* in the library's unit, um2 by custom */
  double input_cap; /* largest of its input pins, in ff */
  bool flop, latch; /* has an ff or latch group */
} lib_cell;

typedef struct liberty {
  char name[64];
  char wire_load[64]; /* default_wire_load; empty: none */
  double ff_per_unit; /* capacitive_load_unit in femtofarads */
  double volts;       /* nom_voltage */
  lib_cell *cells;
  size_t count;
} liberty;

enum { LIBERTY_LIMIT_BYTES = 256 << 20 };

/* key : value;   key (arguments);   key (arguments) { ... } */
typedef enum { LIBERTY_SIMPLE, LIBERTY_COMPLEX, LIBERTY_GROUP } liberty_kind;

/* A statement of the library's own level; `text` is all of it. */
typedef struct liberty_statement {
  liberty_kind kind;
  const char *type, *name; /* key; value or first argument */
  const char *text;
  size_t bytes;
  int line; /* its last */
} liberty_statement;

typedef bool liberty_each(void *user, const liberty_statement *s, wf_error *err);

/* Tells of each statement of a library's text in turn; false if that is none or `each` says so. */
bool liberty_scan(liberty *lib, const char *path, const char *text, liberty_each *each, void *user,
                  wf_error *err);
/* False and *err (code 2) naming file and line if it is no Liberty library with cells and areas. */
bool liberty_read(liberty *lib, const char *path, wf_error *err);
void liberty_free(liberty *lib);
const lib_cell *liberty_cell(const liberty *lib, const char *name); /* NULL: no such cell */
/* The smallest cell whose name starts with (or, after an underscore, contains) the word in any
 * case: "nand2", "buf", "inv". NULL: none. */
const lib_cell *liberty_smallest(const liberty *lib, const char *word);

#endif
