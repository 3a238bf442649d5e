/* Runs of a store as tables and lists. */
#ifndef WF_STORE_TABLE_H
#define WF_STORE_TABLE_H

#include <stdio.h>

#include "sim/store/store.h"

typedef struct wf_store_choice {
  const char *const *where; /* "KEY=VALUE" */
  unsigned n_where;
  const char *columns; /* "app,l1.bytes,cycles"; NULL: those that the form has by itself */
} wf_store_choice;

/* A line for each run, columns in line with one another. */
bool wf_store_print_list(FILE *out, wf_store *store, const wf_store_choice *choice, wf_error *err);
/* RFC 4180, a head line first. By itself: the columns of a run, what --set said, and every number
 * of its result that is not in an array. */
bool wf_store_print_csv(FILE *out, wf_store *store, const wf_store_choice *choice, wf_error *err);
/* An array of records, all that is known. */
bool wf_store_print_json(FILE *out, wf_store *store, const wf_store_choice *choice, wf_error *err);
/* A value as these print it: "" for none. The caller frees it. */
char *wf_store_text(const cJSON *value);

#endif
