#include "sim/base/wf_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"

enum { FIRST_BYTES = 1 << 16 };

/* Reads to the end of the file, or to one byte past the limit. */
static char *read_all(FILE *file, size_t limit, size_t *bytes) {
  size_t capacity = FIRST_BYTES, n = 0, got;
  char *text = wf_calloc(capacity, 1);
  while (n <= limit && (got = fread(text + n, 1, capacity - 1 - n, file)) > 0)
    if ((n += got) == capacity - 1) text = wf_realloc(text, capacity *= 2, 1);
  text[n] = '\0';
  *bytes = n;
  return text;
}

char *wf_file_read(const char *path, size_t limit, size_t *bytes, wf_error *err) {
  FILE *file = fopen(path, "rb");
  char *text = file ? read_all(file, limit, bytes) : NULL;
  bool broken = !file || ferror(file);
  if (broken)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
  else if (*bytes > limit)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: larger than %zu bytes", path, limit);
  if (file) fclose(file);
  if (!broken && *bytes <= limit) return text;
  free(text);
  return NULL;
}
