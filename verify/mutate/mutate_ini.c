/* The [mutate] section of a unit's description. */
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_place.h"
#include "verify/mutate/mutate.h"

typedef struct reader {
  mutate_unit *unit;
  const char *path;
  wf_error *err;
  bool failed;
} reader;

static bool read_samples(mutate_sample *samples, unsigned *count, const char *text) {
  char *copy = wf_strdup(text), *rest = copy, *word;
  bool ok = true;
  while (ok && (word = strtok_r(rest, " \t", &rest))) {
    char *colon = strchr(word, ':'), end;
    ok = *count < MUTATE_MAX_SAMPLES && colon && colon != word;
    if (!ok) break;
    mutate_sample *s = &samples[(*count)++];
    *colon = 0;
    s->config = wf_strdup(word);
    ok = sscanf(colon + 1, "%u%c", &s->count, &end) == 1 && s->count > 0 && s->count < 65536;
  }
  free(copy);
  return ok && *count;
}

static bool read_number(const char *text, unsigned high, unsigned *number) {
  char end;
  return sscanf(text, "%u%c", number, &end) == 1 && *number <= high;
}

static int refuse(reader *r, const char *key, const char *value, const char *expected) {
  r->failed = true;
  wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s: [mutate] %s = %s: expected %s", r->path, key, value,
          expected);
  return 0;
}

static int on_key(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  mutate_unit *u = r->unit;
  if (r->failed) return 0;
  if (strcmp(section, "mutate") != 0) return 1;
  static const char SAMPLES[] = "CONFIG:COUNT ..., counts 1..65535";
  if (strcmp(key, "sample") == 0)
    return read_samples(u->samples, &u->n_samples, value) || refuse(r, key, value, SAMPLES);
  if (strcmp(key, "check") == 0)
    return read_samples(u->check, &u->n_check, value) || refuse(r, key, value, SAMPLES);
  if (strcmp(key, "seed") == 0)
    return read_number(value, 1u << 30, &u->seed) || refuse(r, key, value, "a number below 2^30");
  if (strcmp(key, "limit") == 0)
    return read_number(value, 100, &u->limit) || refuse(r, key, value, "percent, 0..100");
  if (strcmp(key, "check_limit") == 0)
    return read_number(value, 100, &u->check_limit) || refuse(r, key, value, "percent, 0..100");
  if (strcmp(key, "check_kill") == 0)
    return (read_number(value, MUTATE_MAX_KILLERS, &u->check_kill) && u->check_kill) ||
           refuse(r, key, value, "a number, 1..8");
  if (strcmp(key, "kill") == 0) {
    if (u->n_killers == MUTATE_MAX_KILLERS || !*value)
      return refuse(r, key, value, "PROGRAM NAME=VALUE ..., at most 8 keys");
    u->killers[u->n_killers++] = wf_strdup(value);
    return 1;
  }
  if (strcmp(key, "seeded") == 0) return u->seeded = true; /* read by verify/mutate/seeded */
  return refuse(r, key, value,
                "one of sample, check, seed, limit, check_limit, check_kill, kill, seeded");
}

bool mutate_unit_read(mutate_unit *u, const char *unit, wf_error *err) {
  *u = (mutate_unit){.unit = wf_strdup(unit),
                     .seed = 1,
                     .limit = 95,
                     .check_limit = 80,
                     .check_kill = MUTATE_MAX_KILLERS};
  wf_place place;
  if (!wf_place_find("", unit, &place, err)) return false;
  const char *path = place.ini;
  reader r = {.unit = u, .path = path, .err = err};
  int line = ini_parse(path, on_key, &r);
  bool ok = false;
  if (r.failed)
    ok = false;
  else if (line < 0)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", path);
  else if (line > 0)
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: neither [section] nor key = value", path, line);
  else if (!u->n_samples != !u->n_killers || (!u->n_samples && !u->seeded))
    wf_fail(err, WF_EXIT_BAD_INPUT, "%s: [mutate] must have sample and kill, or only seeded", path);
  else
    ok = true;
  if (!ok) mutate_unit_free(u);
  return ok;
}

void mutate_unit_free(mutate_unit *u) {
  for (unsigned i = 0; i < u->n_samples; i++) free(u->samples[i].config);
  for (unsigned i = 0; i < u->n_check; i++) free(u->check[i].config);
  for (unsigned i = 0; i < u->n_killers; i++) free(u->killers[i]);
  free(u->unit);
  *u = (mutate_unit){0};
}
