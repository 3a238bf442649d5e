/* Output files through stdio (sim/base/wf_target.h says where they go), and JSON in them. */
#ifndef WF_OUT_H
#define WF_OUT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/base/wf_error.h"
#include "sim/base/wf_target.h"

/* Opened at the start, so that a path that cannot be written is found before the work; named at the
 * end. */
typedef struct wf_out_file {
  FILE *file;
  wf_target target;
  int error; /* errno of the first wf_out_write that failed */
} wf_out_file;
bool wf_out_open(wf_out_file *out, const char *path, wf_error *err);
/* As fwrite; the commit tells why it failed. */
void wf_out_write(wf_out_file *out, const void *from, size_t bytes);
/* False and *err if any write failed, whenever that was. */
bool wf_out_commit(wf_out_file *out, wf_error *err);
void wf_out_abandon(wf_out_file *out);

bool wf_json_write(wf_out_file *out, const cJSON *json, wf_error *err);
/* NULL and *err for a file that cannot be read, is too large, or is no JSON object. */
cJSON *wf_json_read(const char *path, wf_error *err);
cJSON *wf_json_read_any(const char *path, wf_error *err); /* object or array */
/* The three steps at once, for small files. */
bool wf_json_save(const char *path, const cJSON *json, wf_error *err);
/* At a program's start, so that nothing is lost without a word: a closed pipe and a file's
 * largest size are errors of the write; 0, 1 and 2 are no files of ours; cJSON allocates through
 * sim/base/wf_alloc.h, since an object that lacks what found no memory would be written as if it
 * were whole. */
void wf_process_guard(void);

#endif
