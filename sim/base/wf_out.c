#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"

bool wf_out_open(wf_out_file *out, const char *path, wf_error *err) {
  size_t n = strlen(path) + 32;
  *out = (wf_out_file){.path = wf_strdup(path), .temporary = wf_calloc(n, 1)};
  snprintf(out->temporary, n, "%s.%ld.tmp", path, (long)getpid());
  out->file = fopen(out->temporary, "w");
  if (out->file) return true;
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
  wf_out_abandon(out);
  return false;
}

bool wf_out_commit(wf_out_file *out, wf_error *err) {
  bool ok = fflush(out->file) == 0 && !ferror(out->file);
  ok = fclose(out->file) == 0 && ok;
  out->file = NULL;
  ok = ok && rename(out->temporary, out->path) == 0;
  if (!ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", out->path, strerror(errno));
  wf_out_abandon(out);
  return ok;
}

void wf_out_abandon(wf_out_file *out) {
  if (out->file) fclose(out->file);
  if (out->temporary) unlink(out->temporary);
  free(out->temporary);
  free(out->path);
  *out = (wf_out_file){0};
}

bool wf_json_write(wf_out_file *out, const cJSON *json, wf_error *err) {
  char *text = cJSON_Print(json);
  fputs(text, out->file);
  fputc('\n', out->file);
  free(text);
  return wf_out_commit(out, err);
}

bool wf_json_save(const char *path, const cJSON *json, wf_error *err) {
  wf_out_file out;
  return wf_out_open(&out, path, err) && wf_json_write(&out, json, err);
}

enum { JSON_LIMIT = 64 << 20 };

cJSON *wf_json_read(const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, JSON_LIMIT, &bytes, err);
  if (!text) return NULL;
  cJSON *json = cJSON_Parse(text);
  free(text);
  if (cJSON_IsObject(json)) return json;
  cJSON_Delete(json);
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: not a JSON object", path);
  return NULL;
}
