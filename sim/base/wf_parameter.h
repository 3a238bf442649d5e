/* A table of parameters says all of each key once: its name, what it may be, its default, what it
 * means, and where its value goes. Reading the table fills a struct. */
#ifndef WF_PARAMETER_H
#define WF_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_options.h"

typedef struct wf_parameter {
  const char *name; /* NULL ends a table */
  const char *rtl;  /* of the RTL: sets this parameter of it; NULL: none */
  long low, high, preset;
  size_t field;             /* offset of an unsigned; of a const char * if it is a text; in the row
                               that ends a table: 0, or of a uint64_t: wf_parameters_given() */
  const char *const *words; /* NULL: a number; else names of low..high; wf_any_text: any text */
  const char *meaning;
} wf_parameter;

/* In `words`: the field gets the text as it was given, which the options keep; NULL if it was not.
 */
extern const char *const wf_any_text[];

/* Fills the struct at `fields`; NULL: only checks the values. The key of a row is <prefix>.<name>,
 * or name if prefix is NULL. False with *err naming key, value and what is expected. */
bool wf_parameters_read(const wf_parameter *table, const char *prefix, const wf_options *options,
                        void *fields, wf_error *err);
/* Was the key of this row given, or has it its default? Of a struct that was filled, and a table
 * that ends with a field for that: {.field = ...}; of its first 64 rows. */
bool wf_parameters_given(const wf_parameter *table, const void *fields, const char *name);
/* NULL: none of this name. */
const wf_parameter *wf_parameters_find(const wf_parameter *table, const char *name);
/* The default as one would write it, and what it may be: "0..255", "off, bypass or both", "text".
 */
void wf_parameter_describe(const wf_parameter *parameter, char *preset, size_t preset_bytes,
                           char *range, size_t range_bytes);

/* Each key (<prefix>.<name>) with the text that was given for it or its default; number: a number
 * is expected, not a word or text. */
typedef void wf_parameter_value(void *user, const char *key, const char *text, bool number);
void wf_parameters_each(const wf_parameter *table, const char *prefix, const wf_options *options,
                        wf_parameter_value *each, void *user);

#endif
