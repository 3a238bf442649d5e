/* The header of a replay file: what was recorded, in which configuration. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/reader_internal.h"

void wf_replay_header_free(wf_replay_header *h) {
  free(h->unit);
  free(h->config);
  free(h->overrides);
  for (size_t i = 0; i < h->parameter_count; i++) free(h->parameter_names[i]);
  free(h->parameter_names);
  free(h->parameter_values);
  *h = (wf_replay_header){0};
}

/* Names become parts of paths and commands. */
static bool is_plain(const char *text, const char *also) {
  size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  while (text[n] && strchr(also, text[n]))
    n +=
        1 + strspn(text + n + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  return n > 0 && !text[n];
}

static bool take_name(char **to, const char *value, const char *also) {
  if (*to || !is_plain(value, also)) return false;
  *to = wf_strdup(value);
  return true;
}

static bool take_parameter(wf_replay_header *h, const char *value) {
  char name[128];
  int64_t number;
  int used = 0;
  if (sscanf(value, "%127s %" SCNd64 " %n", name, &number, &used) != 2 || !used || value[used])
    return false;
  h->parameter_names =
      wf_realloc(h->parameter_names, h->parameter_count + 1, sizeof *h->parameter_names);
  h->parameter_values =
      wf_realloc(h->parameter_values, h->parameter_count + 1, sizeof *h->parameter_values);
  h->parameter_names[h->parameter_count] = wf_strdup(name);
  h->parameter_values[h->parameter_count++] = number;
  return true;
}

static bool take_number(const char *value, uint64_t low, uint64_t high, uint64_t *number) {
  char *end;
  *number = strtoull(value, &end, 10);
  return *value >= '0' && *value <= '9' && !*end && *number >= low && *number <= high;
}

/* One "key value" line; false if the value is wrong. */
static bool take_key(wf_replay_header *h, const char *key, const char *value, bool *known) {
  uint64_t number = 0;
  *known = true;
  if (strcmp(key, "unit") == 0) return take_name(&h->unit, value, "");
  if (strcmp(key, "config") == 0) return take_name(&h->config, value, ".-");
  if (strcmp(key, "overrides") == 0) return take_name(&h->overrides, value, " =-");
  if (strcmp(key, "parameter") == 0) return take_parameter(h, value);
  if (strcmp(key, "note") == 0) return true;
  if (strcmp(key, "seed") == 0) return take_number(value, 0, UINT64_MAX, &h->seed);
  if (strcmp(key, "reset") == 0) {
    bool ok = take_number(value, 1, 1000, &number);
    h->reset_cycles = (unsigned)number;
    return ok;
  }
  if (strcmp(key, "body") == 0) {
    h->script = strcmp(value, "transactions") == 0;
    return h->script || strcmp(value, "cycles") == 0;
  }
  return *known = false;
}

static bool check_version(wf_reader *r, wf_error *err) {
  int version = 0, used = 0;
  int got = wf_reader_take_line(r, err);
  if (got < 0) return false;
  if (!got || sscanf(r->line, "warpfab-replay %d %n", &version, &used) != 1 || !used ||
      r->line[used])
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: not a replay file: its first line must be `warpfab-replay %d'", r->path,
                   WF_REPLAY_VERSION);
  return version == WF_REPLAY_VERSION ||
         wf_fail(err, WF_EXIT_BAD_INPUT,
                 "%s: format version %d; this program reads version %d: record it again", r->path,
                 version, WF_REPLAY_VERSION);
}

bool wf_reader_read_header(wf_reader *r, wf_error *err) {
  if (!check_version(r, err)) return false;
  r->header.reset_cycles = 2;
  for (;;) {
    int got = wf_reader_take_line(r, err);
    if (got <= 0) {
      if (!got)
        wf_reader_fail(r, err,
                       "the header ends early: `body cycles' or `body transactions' expected");
      return false;
    }
    char *key = r->line, *value = key + strcspn(key, " \t\r");
    if (*value) *value++ = '\0';
    value += strspn(value, " \t");
    for (size_t n = strlen(value); n && strchr(" \t\r", value[n - 1]); n--) value[n - 1] = '\0';
    bool known;
    if (!take_key(&r->header, key, value, &known)) {
      wf_reader_fail(r, err,
                     known ? "%.40s %.60s: malformed, out of range, or given twice"
                           : "%.40s %.60s: no such key; there are unit config overrides parameter "
                             "seed reset note body",
                     key, value);
      return false;
    }
    if (strcmp(key, "body") == 0) break;
  }
  if (!r->header.unit || !r->header.config) {
    wf_reader_fail(r, err, "the header has no `%s' line", r->header.unit ? "config" : "unit");
    return false;
  }
  if (!r->header.overrides) r->header.overrides = wf_strdup("");
  return true;
}

bool wf_replay_check_model(const wf_reader *r, const wf_model_lib *lib, wf_error *err) {
  const wf_replay_header *h = &r->header;
  for (size_t i = 0; i < h->parameter_count; i++) {
    int64_t value = 0;
    bool there = wf_model_lib_parameter(lib, h->parameter_names[i], &value);
    if (there && value == h->parameter_values[i]) continue;
    char now[32] = "no such parameter";
    if (there) snprintf(now, sizeof now, "%" PRId64, value);
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s: made for another configuration: parameter %s was %" PRId64
                   ", %s in configuration "
                   "%s has %s; record it again",
                   r->path, h->parameter_names[i], h->parameter_values[i], wf_model_lib_unit(lib),
                   wf_model_lib_config(lib), now);
  }
  return true;
}
