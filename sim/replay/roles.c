/* Section [replay] of unit.ini: which ports form streams. */
#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/replay/wf_replay.h"

typedef struct context {
  wf_roles *roles;
  const char *path;
  wf_error *err;
  bool failed;
} context;

/* A key given again, or continued on an indented line, goes on with the same stream. */
static int add_words(context *c, const char *name, const char *value) {
  wf_roles *all = c->roles;
  if (!all->count || strcmp(all->streams[all->count - 1].name, name) != 0) {
    all->streams = wf_realloc(all->streams, all->count + 1, sizeof *all->streams);
    all->streams[all->count++] = (wf_role){.name = wf_strdup(name)};
  }
  wf_role *role = &all->streams[all->count - 1];
  char *copy = wf_strdup(value), *save = NULL;
  bool fits = true;
  for (char *word = strtok_r(copy, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) {
    if (!role->valid)
      role->valid = wf_strdup(word);
    else if (!role->ready)
      role->ready = wf_strdup(word);
    else if (role->n_payload < WF_REPLAY_MAX_PAYLOAD)
      role->payload[role->n_payload++] = wf_strdup(word);
    else
      fits = false;
  }
  free(copy);
  if (fits && role->ready) return 1;
  c->failed = true;
  wf_fail(c->err, WF_EXIT_BAD_INPUT,
          "%s: [replay] %s = %s: expected VALID READY [PAYLOAD ...], names of ports, at most %d of "
          "payload; READY may be -",
          c->path, name, value, WF_REPLAY_MAX_PAYLOAD);
  return 0;
}

static int add_loose(context *c, const char *value) {
  wf_roles *all = c->roles;
  char *copy = wf_strdup(value), *save = NULL;
  for (char *word = strtok_r(copy, " \t\n", &save); word; word = strtok_r(NULL, " \t\n", &save)) {
    all->loose = wf_realloc(all->loose, all->n_loose + 1, sizeof *all->loose);
    all->loose[all->n_loose++] = wf_strdup(word);
  }
  free(copy);
  return 1;
}

static int on_key(void *user, const char *section, const char *key, const char *value) {
  context *c = user;
  if (c->failed) return 0;
  if (strcmp(section, "unit") == 0) {
    char **to = strcmp(key, "clock") == 0   ? &c->roles->clock
                : strcmp(key, "reset") == 0 ? &c->roles->reset
                                            : NULL;
    if (to) {
      free(*to);
      *to = wf_strdup(value);
    }
    return 1;
  }
  if (strcmp(section, "replay") != 0) return 1;
  return strcmp(key, "may_be_unknown") == 0 ? add_loose(c, value) : add_words(c, key, value);
}

bool wf_roles_read(wf_roles *roles, const char *ini_path, wf_error *err) {
  *roles = (wf_roles){0};
  context c = {roles, ini_path, err, false};
  int line = ini_parse(ini_path, on_key, &c);
  if (c.failed) return false;
  if (line < 0) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: cannot be read", ini_path);
  if (line > 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: expected [section] or key = value", ini_path,
                   line);
  if (!roles->clock || !roles->reset)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: [unit] names no clock and reset", ini_path);
  return true;
}

void wf_roles_free(wf_roles *roles) {
  for (size_t i = 0; i < roles->count; i++) {
    wf_role *s = &roles->streams[i];
    free(s->name);
    free(s->valid);
    free(s->ready);
    for (unsigned p = 0; p < s->n_payload; p++) free(s->payload[p]);
  }
  for (size_t i = 0; i < roles->n_loose; i++) free(roles->loose[i]);
  free(roles->loose);
  free(roles->streams);
  free(roles->clock);
  free(roles->reset);
  *roles = (wf_roles){0};
}
