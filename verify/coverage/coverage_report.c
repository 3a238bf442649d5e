/* The report: per source file lines, branches, toggles; missed lines with their reasons; bins. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"
#include "verify/coverage/coverage.h"

enum { FILE_LIMIT = 1 << 26 };

typedef struct source {
  const coverage_unit *unit;
  const char *path;
  char *text, **lines; /* lines[0 .. n_lines) without their ends */
  unsigned n_lines;
  struct state {
    bool counted, missed, partial; /* partial: a branch that starts here was never taken */
    uint64_t most;
  } * state;
  unsigned counted, covered, branches, taken, bits, toggled, reasons, no_reason;
} source;

typedef struct source_list {
  const coverage_unit *unit;
  source *items;
  size_t count;
} source_list;

static bool read_source(source *s, const coverage_unit *unit, const char *path, wf_error *err) {
  size_t bytes;
  *s = (source){.unit = unit, .path = path};
  if (!(s->text = wf_file_read(path, FILE_LIMIT, &bytes, err))) return false;
  char *rest = s->text, *line;
  while ((line = strsep(&rest, "\n"))) {
    s->lines = wf_realloc(s->lines, s->n_lines + 1, sizeof *s->lines);
    s->lines[s->n_lines++] = line;
  }
  s->state = wf_calloc(s->n_lines, sizeof *s->state);
  return true;
}

static void free_sources(source_list *list) {
  for (size_t i = 0; i < list->count; i++)
    free(list->items[i].text), free(list->items[i].lines), free(list->items[i].state);
  free(list->items);
}

/* Counts one line of a point: covered when every point that stands for it was met. */
static void count_line(source *s, unsigned line, uint64_t count) {
  if (line == 0 || line > s->n_lines) return;
  struct state *t = &s->state[line - 1];
  t->counted = true;
  t->missed |= count == 0;
  if (count > t->most) t->most = count;
}

/* "49-50,53" */
static void count_lines(source *s, const point *p) {
  for (const char *at = p->lines; *at;) {
    char *end;
    unsigned first = (unsigned)strtoul(at, &end, 10), last = first;
    if (*end == '-') last = (unsigned)strtoul(end + 1, &end, 10);
    for (unsigned line = first; line && line <= last; line++) count_line(s, line, p->count);
    if (end == at) return;
    at = *end == ',' ? end + 1 : end;
  }
}

static source *source_of(source_list *list, const char *path, wf_error *err) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i].path, path) == 0) return &list->items[i];
  list->items = wf_realloc(list->items, list->count + 1, sizeof *list->items);
  source *s = &list->items[list->count];
  if (!read_source(s, list->unit, path, err)) return NULL;
  list->count++;
  return s;
}

static void count_point(source *s, const point *p) {
  switch (p->kind) {
  case POINT_BRANCH:
    s->branches++;
    s->taken += p->count > 0;
    if (!p->count && p->line && p->line <= s->n_lines) s->state[p->line - 1].partial = true;
    count_lines(s, p);
    break;
  case POINT_TOGGLE:
    s->bits++;
    s->toggled += p->count > 0;
    break;
  case POINT_LINE:
    count_lines(s, p);
    break;
  case POINT_BIN:
    break;
  }
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const source *)a)->path, ((const source *)b)->path);
}

static const char MARK[] = "// coverage: ";

/* The reason on a line, or NULL; `alone`: only as a line of its own. */
static const char *reason_on(const source *s, unsigned line, bool alone) {
  const char *text = s->lines[line - 1], *at = strstr(text, MARK);
  if (!at || !at[strlen(MARK)] || (alone && strspn(text, " ") != (size_t)(at - text))) return NULL;
  return at + strlen(MARK);
}

static const char *unused_reason(const source *s, unsigned line) {
  const char *slash = strrchr(s->path, '/'), *name = slash ? slash + 1 : s->path;
  for (unsigned i = 0; i < s->unit->n_unused; i++) {
    const coverage_unused *u = &s->unit->unused[i];
    if (strcmp(u->file, name) == 0 && strstr(s->lines[line - 1], u->text)) return u->reason;
  }
  return NULL;
}

/* The reason of a missed line: the unit's; at its end, or on a line of its own above it or above
 * the missed lines that it follows; or NULL. */
static const char *reason_of(const source *s, unsigned line) {
  const char *reason = unused_reason(s, line);
  if (!reason) reason = reason_on(s, line, false);
  while (!reason && --line > 0) {
    reason = reason_on(s, line, true);
    if (!s->state[line - 1].missed) break;
  }
  return reason;
}

static const char ELABORATED[] = "evaluated when the design is elaborated";

/* No test can run it, and none has to. */
static bool elaborated(const source *s, unsigned line) {
  const char *reason = reason_of(s, line);
  return reason && strncmp(reason, ELABORATED, strlen(ELABORATED)) == 0;
}

static bool collect(source_list *list, const point_set *set, wf_error *err) {
  for (size_t i = 0; i < set->count; i++) {
    const point *p = &set->items[i];
    if (p->kind == POINT_BIN || strncmp(p->file, "rtl/", 4) != 0) continue;
    source *s = source_of(list, p->file, err);
    if (!s) return false;
    count_point(s, p);
  }
  if (!list->count) return wf_fail(err, WF_EXIT_BAD_INPUT, "no counts of files below rtl/");
  qsort(list->items, list->count, sizeof *list->items, by_path);
  for (size_t i = 0; i < list->count; i++) {
    source *s = &list->items[i];
    for (unsigned n = 1; n <= s->n_lines; n++) {
      struct state *t = &s->state[n - 1];
      if (t->missed && elaborated(s, n)) t->counted = false;
      s->counted += t->counted;
      s->covered += t->counted && !t->missed;
      if (t->counted && t->missed) reason_of(s, n) ? s->reasons++ : s->no_reason++;
    }
  }
  return true;
}

/* Each line with its count: "-" lines are not counted, "!" a missed line, "~" a branch never taken.
 */
static bool annotate(const source *s, const char *folder, wf_error *err) {
  char *name = wf_text("%s", s->path);
  for (char *c = name; *c; c++)
    if (*c == '/') *c = '-';
  char *path = wf_text("%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  bool ok = file != NULL;
  for (unsigned n = 1; ok && n <= s->n_lines; n++) {
    const struct state *t = &s->state[n - 1];
    if (t->counted || t->partial)
      fprintf(file, "%c%11llu  %s\n",
              t->missed    ? '!'
              : t->partial ? '~'
                           : ' ',
              (unsigned long long)t->most, s->lines[n - 1]);
    else
      fprintf(file, " %11s  %s\n", "-", s->lines[n - 1]);
  }
  ok = ok && fclose(file) == 0;
  if (!ok) wf_fail(err, WF_EXIT_BAD_INPUT, "%s: %s", path, strerror(errno));
  free(path);
  free(name);
  return ok;
}

static double percent(unsigned part, unsigned all) {
  return all ? 100.0 * part / all : 100.0;
}

static void print_sources(const source_list *list, const source *sum) {
  printf("  %-32s %6s %7s  %8s %7s  %6s %7s\n", "source", "lines", "%", "branches", "%", "bits",
         "toggled");
  for (size_t i = 0; i <= list->count; i++) {
    const source *s = i < list->count ? &list->items[i] : sum;
    printf("  %-32s %6u %7.1f  %8u %7.1f  %6u %7.1f\n", s->path, s->counted,
           percent(s->covered, s->counted), s->branches, percent(s->taken, s->branches), s->bits,
           percent(s->toggled, s->bits));
  }
}

static void print_missed(const source_list *list) {
  for (size_t i = 0; i < list->count; i++)
    for (unsigned n = 1; n <= list->items[i].n_lines; n++) {
      const source *s = &list->items[i];
      if (!s->state[n - 1].counted || !s->state[n - 1].missed) continue;
      const char *reason = reason_of(s, n);
      printf("  missed %s:%u: %s\n", s->path, n, reason ? reason : "NO REASON GIVEN");
    }
}

static int by_name(const void *a, const void *b) {
  const point *const *x = a, *const *y = b;
  return strcmp((*x)->name, (*y)->name);
}

/* Prints all bins, the empty ones marked; returns how many are empty. */
static unsigned print_bins(const point_set *set, cJSON *json, unsigned *all) {
  const point **bins = wf_calloc(set->count + 1, sizeof(point *));
  unsigned n = 0, empty = 0;
  for (size_t i = 0; i < set->count; i++)
    if (set->items[i].kind == POINT_BIN) bins[n++] = &set->items[i];
  qsort(bins, n, sizeof *bins, by_name);
  for (unsigned i = 0; i < n; i++) {
    printf("  bin %-52s %10llu%s\n", bins[i]->name, (unsigned long long)bins[i]->count,
           bins[i]->count ? "" : "  EMPTY");
    cJSON_AddNumberToObject(json, bins[i]->name, (double)bins[i]->count);
    empty += bins[i]->count == 0;
  }
  free(bins);
  *all = n;
  return empty;
}

static cJSON *source_json(const source *s) {
  cJSON *j = cJSON_CreateObject();
  cJSON_AddNumberToObject(j, "lines", s->counted);
  cJSON_AddNumberToObject(j, "lines_covered", s->covered);
  cJSON_AddNumberToObject(j, "branches", s->branches);
  cJSON_AddNumberToObject(j, "branches_taken", s->taken);
  cJSON_AddNumberToObject(j, "bits", s->bits);
  cJSON_AddNumberToObject(j, "bits_toggled", s->toggled);
  cJSON *missed = cJSON_AddArrayToObject(j, "missed");
  for (unsigned n = 1; s->state && n <= s->n_lines; n++) {
    if (!s->state[n - 1].counted || !s->state[n - 1].missed) continue;
    cJSON *m = cJSON_CreateObject();
    const char *reason = reason_of(s, n);
    cJSON_AddNumberToObject(m, "line", n);
    if (reason)
      cJSON_AddStringToObject(m, "reason", reason);
    else
      cJSON_AddNullToObject(m, "reason");
    cJSON_AddItemToArray(missed, m);
  }
  return j;
}

static source sum_of(const source_list *list) {
  source sum = {.path = "all"};
  for (size_t i = 0; i < list->count; i++) {
    const source *s = &list->items[i];
    sum.counted += s->counted, sum.covered += s->covered, sum.branches += s->branches,
        sum.taken += s->taken;
    sum.bits += s->bits, sum.toggled += s->toggled, sum.reasons += s->reasons,
        sum.no_reason += s->no_reason;
  }
  return sum;
}

static bool write_files(const coverage_unit *u, const source_list *list, const cJSON *root,
                        const char *build, wf_error *err) {
  char *folder = wf_text("%s/coverage/%s", build, u->unit), *path = wf_text("%s.json", folder);
  mkdir(folder, 0777);
  bool ok = true;
  for (size_t i = 0; i < list->count && ok; i++) ok = annotate(&list->items[i], folder, err);
  ok = ok && wf_json_save(path, root, err);
  free(path);
  free(folder);
  return ok;
}

/* The first of the unit's `unused` lines that is none, or that a test reaches after all; or NULL.
 */
static const coverage_unused *idle_reason(const coverage_unit *u, const source_list *list) {
  for (unsigned i = 0; i < u->n_unused; i++) {
    bool used = false;
    for (size_t f = 0; f < list->count; f++)
      for (unsigned n = 1; n <= list->items[f].n_lines; n++) {
        const source *s = &list->items[f];
        used |= s->state[n - 1].missed && reason_of(s, n) == u->unused[i].reason;
      }
    if (!used) return &u->unused[i];
  }
  return NULL;
}

bool coverage_report(const coverage_unit *u, const point_set *set, const char *build,
                     wf_error *err) {
  source_list list = {.unit = u};
  if (!collect(&list, set, err)) return free_sources(&list), false;
  const coverage_unused *idle = idle_reason(u, &list);
  if (idle) {
    wf_fail(err, WF_EXIT_WRONG, "%s: [coverage] unused = %s: %s: no missed line has this text",
            u->unit, idle->file, idle->text);
    return free_sources(&list), false;
  }
  source sum = sum_of(&list);
  double lines = percent(sum.covered, sum.counted);
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "unit", u->unit);
  cJSON_AddNumberToObject(root, "line_percent", lines);
  cJSON_AddNumberToObject(root, "limit_percent", u->limit);
  cJSON_AddItemToObject(root, "all", source_json(&sum));
  cJSON *sources = cJSON_AddObjectToObject(root, "sources"),
        *bins = cJSON_AddObjectToObject(root, "bins");
  for (size_t i = 0; i < list.count; i++)
    cJSON_AddItemToObject(sources, list.items[i].path, source_json(&list.items[i]));
  unsigned n_bins, empty = print_bins(set, bins, &n_bins);
  print_sources(&list, &sum);
  print_missed(&list);
  bool good = lines >= u->limit && !sum.no_reason && !empty;
  cJSON_AddNumberToObject(root, "bins_empty", empty);
  cJSON_AddBoolToObject(root, "passed", good);
  printf("coverage %s: %.1f %% of %u lines (limit %u), %u missed with a reason, %u without; %u "
         "bins, %u empty; "
         "branches %.1f %%, toggles %.1f %%\n",
         u->unit, lines, sum.counted, u->limit, sum.reasons, sum.no_reason, n_bins, empty,
         percent(sum.taken, sum.branches), percent(sum.toggled, sum.bits));
  bool ok = write_files(u, &list, root, build, err);
  cJSON_Delete(root);
  free_sources(&list);
  if (ok && !good)
    return wf_fail(err, WF_EXIT_WRONG, "%s: %s", u->unit,
                   lines < u->limit ? "too few lines are covered"
                   : empty ? "functional bins are empty: the tests never met these situations"
                           : "missed lines have no reason beside them (// coverage: reason)");
  return ok;
}
