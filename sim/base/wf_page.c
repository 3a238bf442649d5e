#include "sim/base/wf_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"

enum { LIMIT = 1 << 24 };
static const char *const ORDER[] = {"figures", "proofs",    "coverage", "mutation",
                                    "bugs",    "synthesis", "spread"};
enum { LAST = sizeof ORDER / sizeof ORDER[0] };

char *wf_page_path(const char *unit, wf_error *err) {
  wf_place place, group;
  if (!wf_place_find("", unit, &place, err)) return NULL;
  char *ini = wf_text("%s/unit.ini", place.folder);
  const bool has = access(ini, R_OK) == 0 && wf_place_find("", ini, &group, err);
  free(ini);
  return wf_text("docs/results/%s.md", has ? group.name : "common");
}

static int rank(const char *name) {
  const size_t n = strcspn(name, " :");
  int i = 0;
  while (i < LAST && (strlen(ORDER[i]) != n || strncmp(ORDER[i], name, n) != 0)) i++;
  return i;
}

/* The line that opens a section; a mark within the text is none. */
static bool opens(const char *page, const char *at) {
  const char *made = strstr(at, ": made by ");
  return (at == page || at[-1] == '\n') && made && made < at + strcspn(at, "{\n");
}

/* Where a section of that name belongs: before the first that comes after it. */
static const char *place_of(const char *page, const char *name) {
  for (const char *at = page; (at = strstr(at, "<!-- ")); at++)
    if (opens(page, at) && rank(at + strlen("<!-- ")) > rank(name)) return at;
  return page + strlen(page);
}

bool wf_page_write(const char *path, const char *name, const char *command, const char *text,
                   wf_error *err) {
  size_t bytes;
  char *old = access(path, F_OK)
                  ? wf_text("# %.*s: results\n", (int)strcspn(strrchr(path, '/') + 1, "."),
                            strrchr(path, '/') + 1)
                  : wf_file_read(path, LIMIT, &bytes, err);
  if (!old) return false;
  char *open = wf_text("<!-- %s: made by ", name), *close = wf_text("<!-- end of %s -->\n", name);
  const char *from = strstr(old, open), *end = from ? strstr(from, close) : NULL;
  bool ok = !from == !end || wf_fail(err, WF_EXIT_BAD_INPUT, "%s: no line \"%.*s\"", path,
                                     (int)strlen(close) - 1, close);
  if (!end) from = place_of(old, name);
  const char *rest = end ? end + strlen(close) : from;
  wf_out_file out;
  ok = ok && wf_out_open(&out, path, err);
  if (ok) {
    const bool blank = from > old + 1 && from[-2] == '\n';
    fprintf(out.file, "%.*s%s%s%s -->\n%s%s%s%s", (int)(from - old), old, blank ? "" : "\n", open,
            command, text, close, !end && *rest ? "\n" : "", rest);
    ok = wf_out_commit(&out, err);
  }
  free(open);
  free(close);
  free(old);
  return ok;
}
