/* Counts from files: Verilator's, one point per line,
 *     C '\1f\2FILE\1l\2LINE\1n\2COLUMN\1page\2KIND/MODULE\1o\2NAME\1S\2LINES\1h\2HIERARCHY' COUNT
 * and bins, "NAME COUNT". */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "verify/coverage/coverage.h"

enum { FILE_LIMIT = 1 << 28 };

typedef struct entry {
  char *key;
  size_t at;
  UT_hash_handle hh;
} entry;

/* Adds to the point of the same key, or a new one; takes over the strings. */
static void add(point_set *set, point p) {
  char *key = wf_text("%d|%s|%u|%u|%s|%s", p.kind, p.file, p.line, p.column, p.name, p.lines);
  entry *index = set->index, *e;
  HASH_FIND_STR(index, key, e);
  if (e) {
    set->items[e->at].count += p.count;
    free(key), free(p.file), free(p.module), free(p.name), free(p.lines);
    return;
  }
  if ((set->count & (set->count - 1)) == 0) /* room for a power of two */
    set->items = wf_realloc(set->items, set->count ? 2 * set->count : 1, sizeof *set->items);
  e = wf_calloc(1, sizeof *e);
  *e = (entry){.key = key, .at = set->count};
  set->items[set->count++] = p;
  HASH_ADD_KEYPTR(hh, index, e->key, strlen(e->key), e);
  set->index = index;
}

/* The value of a key in Verilator's line, "" if absent. */
static char *value(const char *line, const char *key) {
  char mark[16];
  int n = snprintf(mark, sizeof mark, "\1%s\2", key);
  const char *at = strstr(line, mark);
  if (!at) return wf_strdup("");
  at += n;
  return wf_text("%.*s", (int)strcspn(at, "\1'"), at);
}

static unsigned number(const char *line, const char *key) {
  char *text = value(line, key);
  unsigned n = (unsigned)strtoul(text, NULL, 10);
  free(text);
  return n;
}

/* "rtl/a/../common/x.v" is "rtl/common/x.v". */
static void shorten(char *path) {
  char *up;
  while ((up = strstr(path, "/../")) && up != path) {
    char *from = up;
    while (from > path && from[-1] != '/') from--;
    memmove(from, up + 4, strlen(up + 4) + 1);
  }
}

/* A bound cover point "....u_cover.v.cover_merge" of module mff_table_cover is bin
 * "mff_table.v.merge". */
static char *bin_name(const char *module, const char *hierarchy) {
  static const char COVER[] = "cover_";
  size_t bytes = strlen(module) >= 6 && strcmp(module + strlen(module) - 6, "_cover") == 0
                     ? strlen(module) - 6
                     : strlen(module);
  const char *inside = strstr(hierarchy, ".u_cover."), *last = strrchr(hierarchy, '.');
  const char *name = last ? last + 1 : hierarchy;
  if (strncmp(name, COVER, strlen(COVER)) == 0) name += strlen(COVER);
  if (!inside || !last || inside + strlen(".u_cover.") > last)
    return wf_text("%.*s.%s", (int)bytes, module, name);
  inside += strlen(".u_cover.");
  return wf_text("%.*s.%.*s.%s", (int)bytes, module, (int)(last - inside), inside, name);
}

static bool add_line(point_set *set, const char *line) {
  static const char *const kinds[] = {"v_line", "v_branch", "v_toggle", "v_user"};
  char *page = value(line, "page"), *slash = strchr(page, '/'), *quote = strrchr(line, '\'');
  int kind = 0;
  if (slash) *slash = 0;
  while (kind < 4 && strcmp(kinds[kind], page) != 0) kind++;
  if (!slash || !quote || kind == 4) {
    free(page);
    return false;
  }
  char *module = slash + 1, *parameters = strstr(module, "__");
  if (parameters) *parameters = 0;
  point p = {.kind = (point_kind)kind,
             .file = value(line, "f"),
             .module = wf_strdup(module),
             .name = value(line, "o"),
             .line = number(line, "l"),
             .column = number(line, "n"),
             .lines = value(line, "S"),
             .count = strtoull(quote + 1, NULL, 10)};
  shorten(p.file);
  if (p.kind == POINT_BIN) {
    char *hierarchy = value(line, "h");
    free(p.name);
    p.name = bin_name(module, hierarchy);
    free(hierarchy);
  }
  free(page);
  add(set, p);
  return true;
}

static bool add_bin(point_set *set, const char *line) {
  char name[256], end;
  unsigned long long count;
  if (sscanf(line, "%255s %llu%c", name, &count, &end) != 2) return false;
  add(set, (point){.kind = POINT_BIN,
                   .file = wf_strdup(""),
                   .module = wf_strdup(""),
                   .name = wf_strdup(name),
                   .lines = wf_strdup(""),
                   .count = count});
  return true;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

bool point_set_read(point_set *set, const char *path, wf_error *err) {
  size_t bytes;
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, err), *rest = text, *line;
  bool ok = text != NULL, bins = ends_with(path, ".bins");
  for (unsigned n = 1; ok && (line = strsep(&rest, "\n")); n++) {
    if (!*line || *line == '#') continue;
    ok = bins ? add_bin(set, line) : strncmp(line, "C '", 3) == 0 && add_line(set, line);
    if (!ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s:%u: %.60s: not a coverage count", path, n, line);
  }
  free(text);
  return ok;
}

bool point_set_read_folder(point_set *set, const char *folder, wf_error *err) {
  DIR *dir = opendir(folder);
  if (!dir) return wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", folder, strerror(errno));
  bool ok = true;
  unsigned files = 0;
  for (struct dirent *e; ok && (e = readdir(dir));) {
    if (!ends_with(e->d_name, ".dat") && !ends_with(e->d_name, ".bins")) continue;
    char *path = wf_text("%s/%s", folder, e->d_name);
    ok = point_set_read(set, path, err);
    files++;
    free(path);
  }
  closedir(dir);
  return ok && (files || wf_fail(err, WF_EXIT_BAD_INPUT,
                                 "%s: no counts: did the tests run on coverage models?", folder));
}

void point_set_free(point_set *set) {
  entry *index = set->index, *e, *next;
  HASH_ITER(hh, index, e, next) {
    HASH_DEL(index, e);
    free(e->key);
    free(e);
  }
  for (size_t i = 0; i < set->count; i++)
    free(set->items[i].file), free(set->items[i].module), free(set->items[i].name),
        free(set->items[i].lines);
  free(set->items);
  *set = (point_set){0};
}
