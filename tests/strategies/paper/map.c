/* Which strategy wins on which graph, with and without each unit, on gtx480. Strategies are those
 * that the application itself lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/apps/apps.h"
#include "sim/units/registry.h"
#include "tests/strategies/paper/strategies.h"

enum { PAGERANK, BFS, SSSP, WCC, COLOURING, ALGORITHMS };
enum { NONE, MFF, DTBL, APCM, SPREF, UNITS };
enum { MOST = 24, NAME = 24 };

static const char *const units[UNITS] = {"none", "mff", "dtbl", "apcm", "spref"};
/* launching: the application whose threads may launch work; with_mff: strategies that have a form
 * with it, but for those of SSSP and WCC, which take long (make paper-mff PART=best has them). */
static const struct {
  const char *app, *options, *launching, *with_mff[2];
} algorithms[ALGORITHMS] = {
    [PAGERANK] = {"pagerank", " --set app.supersteps=1", NULL, {"thread", "edges"}},
    [BFS] = {"bfs", "", "bfs_dp", {"thread"}},
    [SSSP] = {"sssp", "", "sssp_dp", {NULL}},
    [WCC] = {"wcc", "", NULL, {NULL}},
    [COLOURING] = {"gclr", " --set app.rounds=4", "clr", {NULL}}};

static const struct {
  const char *name, *small, *full;
  bool large; /* apcm and spref take long: not run */
} graphs[] = {{"debian12", "data/debian12.mtx.gz", "data/debian12.mtx.gz", true},
              {"rmat", "rmat:scale=12,edges=40000", "rmat:scale=16,edges=1000000", false},
              {"er", "er:scale=12", "er:scale=16", false},
              {"cite", "cite:n=4096,degree=12", "cite:n=65536,degree=12", false},
              {"rgg", "rgg:scale=12", "rgg:scale=16", false},
              {"grid", "grid:x=64,y=64", "grid:x=250,y=250", false},
              {"soc-Epinions1", NULL, "graphs/soc-Epinions1.mtx.gz", true},
              {"dblp-2010", NULL, "graphs/dblp-2010.mtx.gz", true},
              {"cnr-2000", NULL, "graphs/cnr-2000.mtx.gz", true}};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

/* NULL: not at this scale, or its file is not there. */
static const char *path_of(const paper *p, int g, char path[PAPER_PATH]) {
  const char *spec = strategies_full() ? graphs[g].full : graphs[g].small;
  if (!spec || strncmp(spec, "graphs/", 7) != 0) return spec;
  if (paper_shared(p, spec, path)) return path;
  return NULL;
}

/* Forms of an algorithm: an application and a word for one of its options. */
typedef struct form {
  const char *app, *option, *word;
} form;

/* Whether there is anything to try: a unit beside the L1 or the SM is for any kernel, and takes its
 * time. */
static bool has_column(int a, int unit) {
  if (unit == NONE) return true;
  if (!wf_unit_find(units[unit], NULL)) return false;
  if (unit == MFF) return algorithms[a].with_mff[0] != NULL;
  return unit == DTBL ? algorithms[a].launching != NULL : a <= BFS;
}

static bool goes_with_mff(int a, const char *word) {
  for (int i = 0; i < 2 && algorithms[a].with_mff[i]; i++)
    if (!strcmp(word, algorithms[a].with_mff[i])) return true;
  return false;
}

static int add_strategies(int a, int unit, form *list, int n) {
  const wf_parameter *s =
      wf_parameters_find(wf_app_find(algorithms[a].app, NULL)->options, "strategy");
  if (unit == DTBL) return n;
  for (long i = 0; i <= s->high - s->low && n < MOST; i++)
    if (strcmp(s->words[i], "auto") != 0 && (unit != MFF || goes_with_mff(a, s->words[i])))
      list[n++] = (form){algorithms[a].app, "strategy", s->words[i]};
  return n;
}

static int add_launching(int a, int unit, form *list, int n) {
  static const char *const words[] = {"bins", "scan", "bins_dtbl", "scan_dtbl"};
  if (!algorithms[a].launching || (unit != NONE && unit != DTBL)) return n;
  for (int i = 0; i < 2 && n < MOST; i++)
    list[n++] = (form){algorithms[a].launching, "form", words[i + 2 * (unit == DTBL)]};
  return n;
}

static double cycles(paper *p, int a, int unit, const char *graph, const form *f) {
  char with[40] = "";
  if (unit != NONE) snprintf(with, sizeof with, " --unit %s", units[unit]);
  const bool launching = !strcmp(f->option, "form");
  return paper_number(paper_result(p, f->app, "--app %s --graph %s%s --set app.%s=%s%s", f->app,
                                   graph, launching && a != COLOURING ? "" : algorithms[a].options,
                                   f->option, f->word, with),
                      "cycles");
}

typedef struct winner {
  form f;
  double cycles; /* NAN: there is none, or not yet */
} winner;

static winner fastest(paper *p, int a, int unit, const char *graph, const form *list, int n) {
  winner best = {.cycles = NAN};
  for (int i = 0; i < n; i++) {
    const double c = cycles(p, a, unit, graph, &list[i]);
    if (isnan(best.cycles) || c < best.cycles) best = (winner){list[i], c};
  }
  return best;
}

/* Beside the L1 or the SM: units for any kernel. Tried on the winner without a unit, and on the
 * thread form. */
static winner with_general_unit(paper *p, int a, int unit, const char *graph, const winner *plain) {
  const form list[] = {plain->f, {algorithms[a].app, "strategy", "thread"}};
  if (isnan(plain->cycles)) return (winner){.cycles = NAN};
  return fastest(p, a, unit, graph, list, 2);
}

static winner with_unit(paper *p, int a, int unit, int g, const winner *plain) {
  form list[MOST];
  char path[PAPER_PATH];
  const char *graph = path_of(p, g, path);
  if (!has_column(a, unit) || (graphs[g].large && unit > DTBL)) return (winner){.cycles = NAN};
  if (unit >= APCM) return with_general_unit(p, a, unit, graph, plain);
  const int n = add_launching(a, unit, list, add_strategies(a, unit, list, 0));
  return fastest(p, a, unit, graph, list, n);
}

/* Columns of the plot that lie before, and a gap for each algorithm. */
static int columns_before(int a, int unit) {
  int n = a;
  for (int b = 0; b <= a; b++)
    for (int u = 0; u < (b == a ? unit : UNITS); u++) n += has_column(b, u);
  return n;
}

/* A line for the plot: place of the cell, speed, who; "_dtbl" says what the column does. */
static void draw(FILE *dat, int unit, int column, int row, const winner *w, double speed) {
  const bool launching = !strcmp(w->f.option, "form");
  fprintf(dat, "%d %d %.6g \"%s%.*s", column, row, speed, launching ? "dp " : "",
          (int)strcspn(w->f.word, "_"), w->f.word);
  if (unit != NONE) fprintf(dat, "\\n%.2f", speed);
  fputs("\"\n", dat);
}

/* Strategies over the fastest, without a unit. */
static void all_strategies(paper *p, int a) {
  form list[MOST];
  char file[NAME], title[96], path[PAPER_PATH];
  const int n = add_launching(a, NONE, list, add_strategies(a, NONE, list, 0));
  snprintf(file, sizeof file, "all-%s", algorithms[a].app);
  snprintf(title, sizeof title, "%s: kcycles by strategy, without a unit", algorithms[a].app);
  paper_table t = {.file = file, .title = title, .mean = PAPER_GEOMETRIC};
  static char names[ALGORITHMS][MOST][NAME]; /* the page is written later */
  for (int i = 0; i < n; i++) {
    snprintf(names[a][i], NAME, "%s%s", !strcmp(list[i].option, "form") ? "dp-" : "", list[i].word);
    paper_column(&t, names[a][i]);
  }
  for (int g = 0; g < GRAPHS; g++) {
    const char *graph = path_of(p, g, path);
    if (!graph) continue;
    const int r = paper_row(&t, 0, "%s", graphs[g].name);
    for (int i = 0; i < n; i++) t.v[r][i] = cycles(p, a, NONE, graph, &list[i]) / 1000;
  }
  paper_show(p, &t);
}

/* What a unit's best is to the best without, over an algorithm's graphs. */
static void note(paper *p, const paper_table *t, int a) {
  for (int c = 0; c < t->columns; c++)
    paper_note(p, "map", NAN, paper_mean_all(t, c), NAN, NAN, "x",
               "%s: best with %s over best without, mean", algorithms[a].app, t->names[c]);
}

static void map_of(paper *p, int a, FILE *dat) {
  char file[NAME], title[96], path[PAPER_PATH];
  snprintf(file, sizeof file, "map-%s", algorithms[a].app);
  snprintf(title, sizeof title, "%s: best with a unit over best without", algorithms[a].app);
  paper_table t = {.file = file, .title = title, .mean = PAPER_GEOMETRIC};
  for (int u = NONE + 1; u < UNITS; u++)
    if (has_column(a, u)) paper_column(&t, units[u]);
  for (int g = 0; g < GRAPHS; g++) {
    winner plain = {.cycles = NAN};
    if (!path_of(p, g, path)) continue;
    const int r = paper_row(&t, 0, "%s", graphs[g].name);
    for (int u = NONE, c = 0; u < UNITS; u++) {
      const winner w = with_unit(p, a, u, g, &plain);
      if (u == NONE) plain = w;
      const double speed = plain.cycles / w.cycles;
      if (u != NONE && has_column(a, u)) t.v[r][c++] = speed;
      if (dat && !isnan(speed)) draw(dat, u, columns_before(a, u), r, &w, speed);
    }
  }
  if (t.columns) paper_show(p, &t);
  note(p, &t, a);
}

/* Names of the plot's rows and columns. */
static void names_of_cells(paper *p) {
  char path[PAPER_PATH];
  FILE *dat = paper_data(p, "rows");
  for (int g = 0, r = 0; g < GRAPHS; g++)
    if (path_of(p, g, path))
      fprintf(dat, "%d %s\n", r++, graphs[g].name);
    else if (strategies_full())
      printf("SKIPPED %s: it is not in %s\n", graphs[g].full, "the folder of shared data");
  fclose(dat);
  dat = paper_data(p, "columns");
  for (int a = 0; a < ALGORITHMS; a++)
    for (int u = 0; u < UNITS; u++)
      if (has_column(a, u))
        fprintf(dat, "%d \"%s%s%s\"\n", columns_before(a, u), algorithms[a].app,
                u == NONE ? "" : " + ", u == NONE ? "" : units[u]);
  fclose(dat);
}

void strategies_map(paper *p) {
  FILE *dat = paper_reporting(p) ? paper_data(p, "cells") : NULL;
  for (int a = 0; a < ALGORITHMS; a++) {
    all_strategies(p, a);
    map_of(p, a, dat);
  }
  if (!dat) return;
  fclose(dat);
  names_of_cells(p);
}
