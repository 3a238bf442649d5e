/* The [coverage] section of a unit's description. */
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_place.h"
#include "verify/coverage/coverage.h"

typedef struct reader {
  coverage_unit *unit;
  const char *path;
  wf_error *err;
  bool failed;
} reader;

static int refuse(reader *r, const char *key, const char *value, const char *expected) {
  r->failed = true;
  wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s: [coverage] %s = %s: expected %s", r->path, key, value,
          expected);
  return 0;
}

/* FILE: TEXT: REASON */
static bool read_unused(coverage_unused *u, const char *value) {
  *u = (coverage_unused){.file = wf_strdup(value)};
  char *at = strstr(u->file, ": "), *end = at ? strstr(at + 2, ": ") : NULL;
  if (end && at > u->file && end > at + 2 && end[2]) {
    *at = *end = '\0';
    u->text = at + 2;
    u->reason = end + 2;
    return true;
  }
  free(u->file);
  return false;
}

static int on_key(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  coverage_unit *u = r->unit;
  char end;
  if (r->failed) return 0;
  if (strcmp(section, "coverage") != 0) return 1;
  if (strcmp(key, "run") == 0) {
    if (u->n_runs == COVERAGE_MAX_RUNS || !*value)
      return refuse(r, key, value, "PROGRAM NAME=VALUE ..., at most 16 keys");
    u->runs[u->n_runs++] = wf_strdup(value);
    return 1;
  }
  if (strcmp(key, "limit") == 0)
    return (sscanf(value, "%u%c", &u->limit, &end) == 1 && u->limit <= 100) ||
           refuse(r, key, value, "percent, 0..100");
  if (strcmp(key, "unused") == 0) {
    if (u->n_unused == COVERAGE_MAX_UNUSED || !read_unused(&u->unused[u->n_unused], value))
      return refuse(r, key, value, "FILE: TEXT: REASON, at most 16 keys");
    u->n_unused++;
    return 1;
  }
  return refuse(r, key, value, "one of run, limit, unused");
}

bool coverage_unit_read(coverage_unit *u, const char *unit, wf_error *err) {
  *u = (coverage_unit){.unit = wf_strdup(unit), .limit = 95};
  wf_place place;
  if (!wf_place_find("", unit, &place, err)) return false;
  const char *path = place.ini;
  reader r = {.unit = u, .path = path, .err = err};
  int line = ini_parse(path, on_key, &r);
  bool ok = !r.failed && line == 0 && u->n_runs;
  if (!r.failed && line < 0)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", path);
  else if (!r.failed && line > 0)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: neither [section] nor key = value", path, line);
  else if (!r.failed && !u->n_runs)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: [coverage] must have at least one run", path);
  if (!ok) coverage_unit_free(u);
  return ok;
}

void coverage_unit_free(coverage_unit *u) {
  for (unsigned i = 0; i < u->n_runs; i++) free(u->runs[i]);
  for (unsigned i = 0; i < u->n_unused; i++) free(u->unused[i].file);
  free(u->unit);
  *u = (coverage_unit){0};
}
