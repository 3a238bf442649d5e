#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"

bool wf_out_open(wf_out_file *out, const char *path, wf_error *err) {
  *out = (wf_out_file){0};
  const int fd = wf_target_open(&out->target, path, err);
  if (fd < 0) return false;
  out->file = fdopen(fd, "w");
  if (out->file) return true;
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be written: %s", path, strerror(errno));
  wf_target_abandon(&out->target, fd);
  return false;
}

void wf_out_write(wf_out_file *out, const void *from, size_t bytes) {
  errno = 0;
  if (fwrite(from, 1, bytes, out->file) != bytes && !out->error) out->error = errno ? errno : EIO;
}

/* Closes the stream and leaves a descriptor of the file, which the target syncs and closes. */
static int close_stream(wf_out_file *out, int *error) {
  errno = 0;
  const bool ok = fflush(out->file) == 0 && !ferror(out->file);
  *error = ok ? 0 : out->error ? out->error : errno ? errno : EIO;
  const int fd = dup(fileno(out->file));
  if (fd < 0 && !*error) *error = errno;
  if (fclose(out->file) != 0 && !*error) *error = errno;
  out->file = NULL;
  return fd;
}

bool wf_out_commit(wf_out_file *out, wf_error *err) {
  int error;
  const int fd = close_stream(out, &error);
  return wf_target_commit(&out->target, fd, error, err);
}

void wf_out_abandon(wf_out_file *out) {
  int error;
  if (out->file) wf_target_abandon(&out->target, close_stream(out, &error));
}

bool wf_json_write(wf_out_file *out, const cJSON *json, wf_error *err) {
  char *text = cJSON_Print(json);
  if (!text) {
    wf_out_abandon(out);
    return wf_fail(err, WF_EXIT_BAD_INPUT, "out of host memory for JSON");
  }
  wf_out_write(out, text, strlen(text));
  fputc('\n', out->file);
  cJSON_free(text);
  return wf_out_commit(out, err);
}
bool wf_json_save(const char *path, const cJSON *json, wf_error *err) {
  wf_out_file out;
  return wf_out_open(&out, path, err) && wf_json_write(&out, json, err);
}

enum { JSON_LIMIT = 64 << 20 };

static unsigned line_of(const char *text, const char *end) {
  unsigned line = 1;
  for (; text < end && *text; text++) line += *text == '\n';
  return line;
}

static cJSON *read_json(const char *path, bool array, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, JSON_LIMIT, &bytes, err);
  if (!text) return NULL;
  const bool whole = strlen(text) == bytes; /* a byte 0 would hide what is behind it */
  const char *end = text + bytes;           /* where it was understood no further */
  cJSON *json = whole ? cJSON_ParseWithOpts(text, &end, true) : NULL;
  const bool right = cJSON_IsObject(json) || (array && cJSON_IsArray(json));
  const unsigned line = json ? 1 : line_of(text, end);
  free(text);
  if (right) return json;
  cJSON_Delete(json);
  wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%u: not a JSON object%s, and nothing else", path, line,
          array ? " or array" : "");
  return NULL;
}

cJSON *wf_json_read(const char *path, wf_error *err) {
  return read_json(path, false, err);
}
cJSON *wf_json_read_any(const char *path, wf_error *err) {
  return read_json(path, true, err);
}

static void *allocate(size_t bytes) {
  return wf_calloc(1, bytes);
}

void wf_process_guard(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd) _exit(WF_EXIT_BAD_INPUT);
  cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = free});
}
