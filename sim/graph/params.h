/* Parameters of generators: NAME:key=value,key=value with ranges and defaults from a table. */
#ifndef WF_GRAPH_PARAMS_H
#define WF_GRAPH_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/wf_error.h"

#define WF_PARAMS_MAX 8

typedef struct wf_param {
  const char *key;
  bool real;        /* a real number; otherwise a whole one */
  bool required;    /* no default */
  double low, high; /* range; both included */
} wf_param;

typedef struct wf_params {
  const char *spec; /* begins every message */
  bool given[WF_PARAMS_MAX];
  uint64_t whole[WF_PARAMS_MAX];
  double real[WF_PARAMS_MAX]; /* also set for whole ones */
} wf_params;

/* Parses what follows the ':' against the table, which ends with a NULL key. */
bool wf_params_parse(wf_params *p, const char *spec, const wf_param *table, wf_error *err);

#endif
