/* liberty_join FILE...: the cells of several Liberty files of one library as one file, on standard
 * output. Yosys' abc takes one. Units, voltages and thresholds must be the same in all; templates
 * of tables are taken from where they are, and may not differ under one name. The library's name is
 * what the names of all have in common. Exit code 2: they do not fit together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "synth/liberty.h"

typedef struct item {
  liberty_kind kind;
  char *type, *name;
  const char *text;
  size_t bytes;
  const char *path;
  int line;
} item;

typedef struct joined {
  const char *path; /* being read */
  item *items;
  size_t count;
} joined;

/* Said about a file, or a limit for design rules that are not checked here: the first counts. */
static bool first_counts(const char *type) {
  return !strcmp(type, "comment") || !strcmp(type, "date") || !strcmp(type, "revision") ||
         !strncmp(type, "default_max_", 12);
}

/* Do both say the same thing of a library, so that they may not say it differently? */
static bool same_key(const item *i, const liberty_statement *s) {
  if (i->kind != s->kind || strcmp(i->type, s->type) != 0) return false;
  return s->kind == LIBERTY_SIMPLE || !strcmp(s->type, "capacitive_load_unit") ||
         !strcmp(i->name, s->name);
}

static bool same_text(const item *i, const liberty_statement *s) {
  return i->bytes == s->bytes && memcmp(i->text, s->text, s->bytes) == 0;
}

/* Drivers' waveforms are told apart by an attribute inside. */
static bool may_repeat(const liberty_statement *s) {
  return strcmp(s->type, "normalized_driver_waveform") == 0;
}

static bool add(void *user, const liberty_statement *s, wf_error *err) {
  joined *j = user;
  for (size_t n = 0; n < j->count; n++) {
    const item *i = &j->items[n];
    if (!same_key(i, s)) continue;
    if (first_counts(s->type) || (same_text(i, s) && strcmp(s->type, "cell") != 0)) return true;
    if (may_repeat(s)) continue;
    return wf_fail(err, WF_EXIT_BAD_INPUT,
                   "%s:%d: %s %s is %s %s:%d; files of one library are needed", j->path, s->line,
                   s->type, s->name,
                   strcmp(s->type, "cell") ? "not that of" : "a second one, the first is in",
                   i->path, i->line);
  }
  j->items = wf_realloc(j->items, j->count + 1, sizeof *j->items);
  j->items[j->count++] = (item){.kind = s->kind,
                                .type = wf_strdup(s->type),
                                .name = wf_strdup(s->name),
                                .text = s->text,
                                .bytes = s->bytes,
                                .path = j->path,
                                .line = s->line};
  return true;
}

/* Cuts `name` to what it has in common with `other`, whole words. */
static void common_name(char *name, const char *other) {
  size_t n = 0;
  while (name[n] && name[n] == other[n]) n++;
  if ((name[n] && name[n] != '_') || (other[n] && other[n] != '_'))
    while (n && name[n] != '_') n--;
  name[n] = 0;
}

static void print(const joined *j, const char *name) {
  printf("library (%s) {\n", *name ? name : "joined");
  for (int cells = 0; cells < 2; cells++)
    for (size_t n = 0; n < j->count; n++) {
      const item *i = &j->items[n];
      if ((strcmp(i->type, "cell") == 0) == cells) printf("  %.*s\n", (int)i->bytes, i->text);
    }
  printf("}\n");
}

int main(int argc, char **argv) {
  wf_error err = {0};
  joined j = {0};
  char name[64] = "", **texts = wf_calloc((size_t)argc + 1, sizeof *texts);
  bool ok = argc > 1 || wf_fail(&err, WF_EXIT_BAD_INPUT, "usage: liberty_join FILE...");
  for (int f = 1; f < argc && ok; f++) {
    liberty lib = {0};
    size_t bytes;
    j.path = argv[f];
    texts[f] = wf_file_read(argv[f], LIBERTY_LIMIT_BYTES, &bytes, &err);
    ok = texts[f] && liberty_scan(&lib, argv[f], texts[f], add, &j, &err);
    if (f == 1)
      snprintf(name, sizeof name, "%s", lib.name);
    else
      common_name(name, lib.name);
    liberty_free(&lib);
  }
  if (ok)
    print(&j, name);
  else
    fprintf(stderr, "synth: %s\n", err.text);
  for (size_t n = 0; n < j.count; n++) free(j.items[n].type), free(j.items[n].name);
  free(j.items);
  for (int f = 1; f < argc; f++) free(texts[f]);
  free(texts);
  return ok ? 0 : err.code;
}
