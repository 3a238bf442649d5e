#include "sim/cuda/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_text.h"

enum { PATH_BYTES = 1024 };

/* The path of `.file NUMBER "PATH"`; false: there is none. */
static bool file_path(const char *ptx, unsigned number, char path[PATH_BYTES]) {
  for (const char *at = ptx; (at = strstr(at, ".file")); at++) {
    unsigned n;
    if (sscanf(at, ".file %u \"%1023[^\"]\"", &n, path) == 2 && n == number) return true;
  }
  return false;
}

/* Is it none of the headers that stand between the program and its instructions? */
static bool is_programs(const char *path) {
  return !strstr(path, "__clang_cuda_") && !strstr(path, "sim/cuda/include/");
}

/* The last .loc of the program before line `line` of the text; false: there is none. */
static bool last_location(const char *ptx, unsigned long line, unsigned *at,
                          char path[PATH_BYTES]) {
  char other[PATH_BYTES];
  unsigned known = 0; /* the file that `other` is of */
  bool found = false;
  const char *text = ptx;
  for (unsigned long n = 1; n <= line && text; n++) {
    unsigned f, l;
    if (sscanf(text, " .loc %u %u", &f, &l) == 2 && l) {
      if (f != known && file_path(ptx, f, other)) known = f;
      if (f == known && is_programs(other)) *at = l, found = true, strcpy(path, other);
    }
    text = strchr(text, '\n');
    if (text) text++;
  }
  return found;
}

void wf_cuda_name_line(wf_error *fault, const char *path, const char *ptx) {
  static const char mark[] = " (its PTX):";
  const size_t length = strlen(path);
  if (strncmp(fault->text, path, length) != 0) return;
  const char *number = fault->text + length;
  if (strncmp(number, mark, sizeof mark - 1) != 0) return;
  char *end;
  const unsigned long line = strtoul(number + sizeof mark - 1, &end, 10);
  unsigned at;
  char source[PATH_BYTES];
  if (!last_location(ptx, line, &at, source)) return;
  const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
  char *told = wf_text("%s:%u (its PTX:%lu)%s", name, at, line, end);
  snprintf(fault->text, sizeof fault->text, "%s", told);
  free(told);
}
