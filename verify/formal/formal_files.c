/* Which Verilog files a proof needs, and a hash of everything its result depends on. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_place.h"
#include "verify/formal/formal.h"

/* Part of the hash: a change here makes old results void. */
static const char *const VERSION = "1";
enum { FILE_LIMIT = 1 << 24 };

/* Does the text, line comments left out, contain the word? */
static bool mentions(const char *text, const char *word) {
  size_t n = strlen(word);
  for (const char *c = text; *c; c++) {
    if (c[0] == '/' && c[1] == '/') {
      c = strchr(c, '\n');
      if (!c) return false;
    }
    bool starts = c == text || !(isalnum((unsigned char)c[-1]) || c[-1] == '_');
    if (starts && strncmp(c, word, n) == 0 && !(isalnum((unsigned char)c[n]) || c[n] == '_'))
      return true;
  }
  return false;
}

static bool listed(const formal_files *files, const char *path) {
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->path[i], path) == 0) return true;
  return false;
}

/* Adds the files of the folder whose modules the text names. */
static bool add_mentioned(formal_files *files, const char *folder, const char *text,
                          const char *overlay, wf_error *err) {
  DIR *dir = opendir(folder);
  if (!dir) return true;
  struct dirent *e;
  bool ok = true;
  while (ok && (e = readdir(dir))) {
    char module[256], path[FORMAL_PATH];
    const char *dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".v") != 0) continue;
    snprintf(module, sizeof module, "%.*s", (int)(dot - e->d_name), e->d_name);
    if (!mentions(text, module)) continue;
    snprintf(path, sizeof path, "%.250s/%.250s", overlay ? overlay : "", e->d_name);
    if (!overlay || access(path, R_OK) != 0)
      snprintf(path, sizeof path, "%.250s/%.250s", folder, e->d_name);
    if (listed(files, path)) continue;
    if (files->count == FORMAL_MAX_FILES)
      ok = wf_fail(err, WF_EXIT_BAD_INPUT, "%s: a proof needs more than %d files", path,
                   FORMAL_MAX_FILES);
    else
      snprintf(files->path[files->count++], FORMAL_PATH, "%s", path);
  }
  closedir(dir);
  return ok;
}

static int by_path(const void *a, const void *b) {
  return strcmp(a, b);
}

enum { FOLDERS = 12 };
/* Where modules may lie: beside the properties, in the unit, common, and the unit's library. */
static unsigned folders_of(char folders[FOLDERS][FORMAL_PATH], const wf_place *place) {
  unsigned n = 0;
  snprintf(folders[n++], FORMAL_PATH, "%.500s/proofs", place->bench);
  snprintf(folders[n++], FORMAL_PATH, "%s", place->folder);
  snprintf(folders[n++], FORMAL_PATH, "rtl/common");
  snprintf(folders[n++], FORMAL_PATH, "tb/common/proofs");
  char words[WF_PLACE_BYTES], *rest = words, *word;
  snprintf(words, sizeof words, "%s", place->library);
  while (n < FOLDERS && (word = strtok_r(rest, " ,\t", &rest)))
    if (strcmp(word, ".") != 0 && strcmp(word, "../common") != 0)
      snprintf(folders[n++], FORMAL_PATH, "%.250s/%.250s", place->folder, word);
  return n;
}

bool formal_files_find(formal_files *files, const char *unit, const formal_proof *proof,
                       const char *overlay, wf_error *err) {
  char folders[FOLDERS][FORMAL_PATH];
  wf_place place;
  if (!wf_place_find("", unit, &place, err)) return false;
  const unsigned n_folders = folders_of(folders, &place);
  files->count = 1;
  snprintf(files->path[0], FORMAL_PATH, "%.250s/%.250s.v", folders[0], proof->top);
  for (size_t i = 0; i < files->count; i++) {
    size_t bytes;
    char *text = wf_file_read(files->path[i], FILE_LIMIT, &bytes, err);
    if (!text) return false;
    bool ok = true;
    for (unsigned f = 0; f < n_folders && ok; f++)
      ok = add_mentioned(files, folders[f], text, overlay, err);
    free(text);
    if (!ok) return false;
  }
  qsort(files->path[1], files->count - 1, FORMAL_PATH, by_path);
  return true;
}

/* FNV-1a */
static void mix(uint64_t *hash, const char *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) *hash = (*hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
}

static bool mix_file(uint64_t *hash, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, err);
  if (!text) return false;
  mix(hash, text, bytes);
  free(text);
  return true;
}

bool formal_files_hash(const formal_files *files, const formal_proof *p, uint64_t *hash,
                       wf_error *err) {
  *hash = UINT64_C(0xcbf29ce484222325);
  char settings[4096];
  int n = snprintf(settings, sizeof settings, "%s|%s|%s|%s|%s|%s|%u", VERSION, p->top, p->set,
                   p->define, p->assume, p->free_cells, p->cover);
  mix(hash, settings, (size_t)n);
  for (unsigned i = 0; i < p->n_engines; i++) {
    n = snprintf(settings, sizeof settings, "|%d:%u:%u", (int)p->engines[i].kind,
                 p->engines[i].limit, p->engines[i].seconds);
    mix(hash, settings, (size_t)n);
  }
  if (p->only) mix(hash, p->only, strlen(p->only));
  for (size_t i = 0; i < files->count; i++)
    if (!mix_file(hash, files->path[i], err)) return false;
  return mix_file(hash, "rtl/common/wf_assert.vh", err) &&
         mix_file(hash, "verify/formal/formal.vh", err);
}
