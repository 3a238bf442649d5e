/* Output files that are there whole or not at all, and JSON in them. */
#ifndef WF_OUT_H
#define WF_OUT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/base/wf_error.h"

/* Files appear whole or not at all: opened under a temporary name at the start, so that a path that
 * cannot be written is found before the work; renamed at the end. */
typedef struct wf_out_file {
  FILE *file;
  char *path, *temporary;
} wf_out_file;
bool wf_out_open(wf_out_file *out, const char *path, wf_error *err);
bool wf_out_commit(wf_out_file *out, wf_error *err);
void wf_out_abandon(wf_out_file *out);

bool wf_json_write(wf_out_file *out, const cJSON *json, wf_error *err);
/* NULL and *err for a file that cannot be read, is too large, or is no JSON object. */
cJSON *wf_json_read(const char *path, wf_error *err);
/* The three steps at once, for small files. */
bool wf_json_save(const char *path, const cJSON *json, wf_error *err);

#endif
