/* The [formal NAME] sections of a unit's description files. */
#include <dirent.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"
#include "verify/formal/formal.h"

typedef struct reader {
  formal_unit *unit;
  const char *path;
  wf_error *err;
  bool failed;
} reader;

static int refuse(reader *r, const char *section, const char *key, const char *value,
                  const char *expected) {
  r->failed = true;
  wf_fail(r->err, WF_EXIT_BAD_INPUT, "%s: [%s] %s = %s: expected %s", r->path, section, key, value,
          expected);
  return 0;
}

static formal_proof *proof_of(formal_unit *u, const char *name) {
  for (size_t i = 0; i < u->n_proofs; i++)
    if (strcmp(u->proofs[i].name, name) == 0) return &u->proofs[i];
  u->proofs = wf_realloc(u->proofs, u->n_proofs + 1, sizeof *u->proofs);
  char *top = wf_text("%s_props", name);
  u->proofs[u->n_proofs] = (formal_proof){.name = wf_strdup(name),
                                          .top = top,
                                          .set = wf_strdup(""),
                                          .define = wf_strdup(""),
                                          .assume = wf_strdup(""),
                                          .free_cells = wf_strdup(""),
                                          .says = wf_strdup("")};
  return &u->proofs[u->n_proofs++];
}

static bool read_engine(formal_engine *e, const char *word) {
  static const char *const names[] = {"induction", "pdr", "bmc", "sat"};
  char name[16];
  int used = 0;
  *e = (formal_engine){.seconds = 120};
  if (sscanf(word, "%15[a-z]:%u%n", name, &e->limit, &used) != 2 || !e->limit) return false;
  int kind = 0;
  while (kind < 4 && strcmp(names[kind], name) != 0) kind++;
  e->kind = (formal_kind)kind;
  if (kind == FORMAL_PDR) e->seconds = e->limit;
  if (word[used] == ':') {
    int more = 0;
    if (sscanf(word + used, ":%u%n", &e->seconds, &more) != 1 || !e->seconds) return false;
    used += more;
  }
  return kind < 4 && !word[used];
}

static bool read_engines(formal_proof *p, const char *text) {
  char *copy = wf_strdup(text), *rest = copy, *word;
  bool ok = true;
  while (ok && (word = strtok_r(rest, " ,\t", &rest)))
    ok = p->n_engines < FORMAL_MAX_ENGINES && read_engine(&p->engines[p->n_engines++], word);
  free(copy);
  return ok && p->n_engines;
}

static bool read_number(const char *text, unsigned *number) {
  char end;
  return sscanf(text, "%u%c", number, &end) == 1;
}

static int proof_key(reader *r, const char *section, const char *key, const char *value) {
  formal_proof *p = proof_of(r->unit, section + strlen("formal "));
  struct {
    const char *key;
    char **slot;
  } texts[] = {{"top", &p->top},       {"set", &p->set},         {"define", &p->define},
               {"assume", &p->assume}, {"free", &p->free_cells}, {"says", &p->says}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(key, texts[i].key) != 0) continue;
    free(*texts[i].slot);
    *texts[i].slot = wf_strdup(value);
    return 1;
  }
  unsigned number = 0;
  if (strcmp(key, "engine") == 0) {
    if (!read_engines(p, value))
      return refuse(r, section, key, value, "induction:K, pdr:SECONDS, bmc:K or sat:K[:SECONDS]");
  } else if (strcmp(key, "cover") == 0) {
    if (!read_number(value, &p->cover)) return refuse(r, section, key, value, "a number of steps");
  } else if (strcmp(key, "quick") == 0) {
    if (!read_number(value, &number) || number > 1) return refuse(r, section, key, value, "0 or 1");
    p->quick = number;
  } else if (strcmp(key, "shallow") == 0) {
    if (!read_number(value, &number) || number > 1) return refuse(r, section, key, value, "0 or 1");
    p->shallow = number;
  } else {
    return refuse(r, section, key, value,
                  "one of top, set, define, assume, free, engine, cover, quick, shallow, says");
  }
  return 1;
}

static int on_key(void *context, const char *section, const char *key, const char *value) {
  reader *r = context;
  if (r->failed) return 0;
  return strncmp(section, "formal ", 7) == 0 ? proof_key(r, section, key, value) : 1;
}

static bool read_ini(formal_unit *unit, const char *path, wf_error *err) {
  reader r = {unit, path, err, false};
  int line = ini_parse(path, on_key, &r);
  if (r.failed) return false;
  if (line != 0)
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%d: expected [section] or key = value", path, line);
  return true;
}

static bool check_engines(const formal_unit *u, wf_error *err) {
  for (size_t i = 0; i < u->n_proofs; i++)
    if (!u->proofs[i].n_engines)
      return wf_fail(err, WF_EXIT_BAD_INPUT,
                     "%s: [formal %s] needs engine = ..., e.g. engine = pdr:60", u->unit,
                     u->proofs[i].name);
  return true;
}

bool formal_unit_read(formal_unit *u, const char *name, wf_error *err) {
  *u = (formal_unit){.unit = wf_strdup(name)};
  wf_place place;
  if (!wf_place_find("", name, &place, err)) {
    formal_unit_free(u);
    return false;
  }
  const char *folder = place.folder;
  struct dirent **entries;
  int n = scandir(folder, &entries, NULL, alphasort);
  if (n < 0) {
    formal_unit_free(u);
    return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", folder, strerror(errno));
  }
  bool ok = true;
  for (int i = 0; i < n; i++) {
    const char *dot = strrchr(entries[i]->d_name, '.');
    if (ok && dot && strcmp(dot, ".ini") == 0) {
      char *path = wf_text("%s/%s", folder, entries[i]->d_name);
      ok = read_ini(u, path, err);
      free(path);
    }
    free(entries[i]);
  }
  free(entries);
  ok = ok && check_engines(u, err);
  if (!ok) formal_unit_free(u);
  return ok;
}

void formal_unit_free(formal_unit *u) {
  for (size_t i = 0; i < u->n_proofs; i++) {
    formal_proof *p = &u->proofs[i];
    char *texts[] = {p->name, p->top, p->set, p->define, p->assume, p->free_cells, p->says};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) free(texts[t]);
  }
  free(u->proofs);
  free(u->unit);
  *u = (formal_unit){0};
}

const formal_proof *formal_unit_find(const formal_unit *u, const char *name) {
  for (size_t i = 0; i < u->n_proofs; i++)
    if (strcmp(u->proofs[i].name, name) == 0) return &u->proofs[i];
  return NULL;
}
