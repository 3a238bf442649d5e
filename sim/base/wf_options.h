/* A small ordered map of option texts, "key" -> "value" (--set key=value). */
#ifndef WF_OPTIONS_H
#define WF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

typedef struct wf_option {
  char *key, *value;
} wf_option;

typedef struct wf_options {
  wf_option *items;
  size_t count;
} wf_options;

/* "key=value"; false if there is no '=', no key, or a value for the key already. */
bool wf_options_add(wf_options *options, const char *assignment, wf_error *err);
/* Replaces an earlier value. */
void wf_options_put(wf_options *options, const char *key, const char *value);
const char *wf_options_text(const wf_options *options, const char *key); /* NULL if absent */
void wf_options_copy(wf_options *to, const wf_options *from);
void wf_options_free(wf_options *options);

/* Arguments that have one value: false and *err if one of `once` (ends with NULL) is given twice.
 */
bool wf_options_once(int argc, char *const *argv, const char *const *once, wf_error *err);

/* A whole decimal or 0x number that fills the text: 010 is ten. */
bool wf_parse_long(const char *text, long *value);
bool wf_parse_u64(const char *text, uint64_t *value);

#endif
