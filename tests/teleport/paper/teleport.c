/* Experiments of TELEPORT. Usage: paper_teleport WARPFAB OUT_FOLDER STATEMENTS_FILE. */
#include "tests/teleport/paper/teleport.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/report/compare.h"

/* At their default sizes, on gtx480, which has what table 7.2 lists. */
const tele_app tele_apps[TELE_APPS] = {[TELE_EDS] = {"eds", "EDS"},
                                       [TELE_HSP] = {"hsp", "HSP"},
                                       [TELE_JAC] = {"jac", "JAC"},
                                       [TELE_MMA] = {"mma", "MMA"},
                                       [TELE_PTF] = {"ptf", "PTF"}};
const char *const tele_form_names[TELE_FORMS] = {"baseline", "hand-written", "TELEPORT",
                                                 "as-the-paper"};
static const char *const form_options[TELE_FORMS] = {
    "app.form=plain", "app.form=shared", "app.form=plain --unit teleport",
    "app.form=plain --unit teleport --set teleport.controllers=1 --set teleport.keep_unread=0"};

/* What TELE_PORT has unless the options say otherwise. */
static const char *const defaults[] = {"teleport.controllers=3", "teleport.keep_unread=1"};

static bool mentions(const char *options, const char *setting) {
  const size_t key = strcspn(setting, "=");
  for (const char *at = options; (at = strstr(at, "--set ")); at++)
    if (!strncmp(at + strlen("--set "), setting, key + 1)) return true;
  return false;
}

double tele_number(tele_experiment *e, int app, tele_form form, const char *options,
                   const char *path) {
  char arguments[512], label[64];
  int n = snprintf(arguments, sizeof arguments, "--app %s --set %s%s%s", tele_apps[app].name,
                   form_options[form], *options ? " " : "", options);
  for (size_t d = 0; form == TELE_PORT && d < sizeof defaults / sizeof defaults[0]; d++)
    if (!mentions(options, defaults[d]))
      n += snprintf(arguments + n, sizeof arguments - (size_t)n, " --set %s", defaults[d]);
  snprintf(label, sizeof label, "teleport-%s-%s", tele_apps[app].name, tele_form_names[form]);
  const cJSON *result = paper_cache_get(&e->cache, label, arguments);
  double value;
  if (!result) return NAN;
  if (wf_result_number(result, path, &value)) return value;
  fprintf(stderr, "%s: no number %s in its result\n", arguments, path);
  exit(1);
}

tele_table tele_table_of_apps(const char *figure, const char *title) {
  tele_table t = {.figure = figure, .title = title, .rows = TELE_APPS};
  for (int a = 0; a < TELE_APPS; a++) t.row_names[a] = tele_apps[a].title;
  return t;
}

int tele_column(tele_table *t, const char *name) {
  if (t->columns == TELE_MAX_COLUMNS) abort();
  t->names[t->columns] = name;
  return t->columns++;
}

double tele_mean(const tele_table *t, int column) {
  double sum = 0;
  for (int r = 0; r < t->rows; r++) sum += log(t->v[r][column]);
  return exp(sum / t->rows);
}

static void row(FILE *dat, const char *name, const tele_table *t, const double *v) {
  printf("  %-14s", name);
  fputs(name, dat);
  for (int c = 0; c < t->columns; c++) {
    if (isnan(v[c]))
      printf(" %13s", "-");
    else
      printf(fabs(v[c]) >= 1000 || v[c] == floor(v[c]) ? " %13.0f" : " %13.3f", v[c]);
    fprintf(dat, isnan(v[c]) ? " -" : " %.6g", v[c]);
  }
  putchar('\n');
  fputc('\n', dat);
}

void tele_show(const tele_experiment *e, const tele_table *t) {
  if (!e->reporting) return;
  FILE *dat = paper_data(e->out, "teleport", t->figure);
  printf("\n%s: %s\n  %-14s", t->figure, t->title, "");
  fputs("app", dat);
  for (int c = 0; c < t->columns; c++) {
    printf(" %13s", t->names[c]);
    fprintf(dat, " %s", t->names[c]);
  }
  putchar('\n');
  fputc('\n', dat);
  for (int r = 0; r < t->rows; r++) row(dat, t->row_names[r], t, t->v[r]);
  if (t->mean) {
    double means[TELE_MAX_COLUMNS];
    for (int c = 0; c < t->columns; c++) means[c] = tele_mean(t, c);
    row(dat, "mean", t, means);
  }
  fclose(dat);
}

enum { ROUNDS = 4 };

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s WARPFAB OUT_FOLDER STATEMENTS_FILE\n", argv[0]);
    return 2;
  }
  static tele_experiment e;
  char json[512];
  snprintf(json, sizeof json, "%s/teleport.json", argv[2]);
  e.out = argv[2];
  e.lines = argv[3];
  if (!paper_cache_open(&e.cache, argv[1], argv[2],
                        (const char *const[]){"rtl/teleport_prefetch/*.v",
                                              "rtl/teleport_prefetch/*.v", "rtl/common/*.v", NULL}))
    return 2;
  for (int round = 0; round < ROUNDS; round++) {
    tele_figures(&e);
    if (!e.cache.missing.count) break;
    if (!paper_cache_run(&e.cache)) return 1;
  }
  printf("%zu runs, each verified; %zu of them from %s\n", e.cache.all.count, e.cache.found,
         e.cache.folder);
  e.reporting = true;
  tele_analysis(&e);
  tele_figures(&e);
  const size_t outside = paper_finish(&e.report, "TELEPORT: the paper beside ours", json);
  paper_cache_close(&e.cache);
  free(e.report.figures);
  return outside ? 1 : 0;
}
