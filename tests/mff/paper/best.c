/* Best software with the unit over best software without: the forms that use the unit, and what
 * auto chooses where it is there, each over the fastest that there is without it on the graph at
 * hand; in breadth-first search that may be a user's own kernel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/mff/paper/mff.h"

enum { BFS = 1, APPS = 4 };
static const double counts_from = 1.02; /* below, a graph does not count as faster */

static const struct {
  const char *name, *options, *without[MFF_STRATEGIES], *with; /* strategies */
} apps[APPS] = {
    {"pagerank", "--set app.supersteps=1", {"thread", "bins", "edges", "kept"}, "edges"},
    {"bfs",
     "--set app.supersteps=0",
     {"thread", "queue", "edges", "segments", "direction", "block"},
     "thread"},
    {"sssp", "", {"queue", "edges", "segments", "block"}, "thread"},
    {"wcc", "", {"edges", "hook"}, "thread"}};

static const struct {
  const char *name;
  bool large, forms;         /* SSSP and WCC: not run; in forms with the unit, which take long */
  unsigned vertices, source; /* of the most out-edges: --app bfs starts there */
} graphs[] = {{"data/debian12.mtx.gz", false, false, 63666, 42435},
              {"graphs/cnr-2000.mtx.gz", true, false, 325557, 217849},
              {"graphs/soc-Epinions1.mtx.gz", true, false, 75879, 645},
              {"graphs/dblp-2010.mtx.gz", true, false, 326186, 185172},
              {"rmat:scale=14,edges=150000", false, true, 16384, 0},
              {"er:scale=14,edges=150000", false, false, 16384, 8807},
              {"rgg:scale=14", false, false, 16384, 979},
              {"grid:x=150,y=150", false, false, 22500, 151}};
enum { GRAPHS = sizeof graphs / sizeof graphs[0] };

static bool path_of(const paper *p, int g, char path[PAPER_PATH]) {
  if (strncmp(graphs[g].name, "graphs/", 7) == 0) return paper_shared(p, graphs[g].name, path);
  return snprintf(path, PAPER_PATH, "%s", graphs[g].name) > 0;
}

double mff_cycles(paper *p, const char *label, const char *what, const char *strategy,
                  const char *unit) {
  return paper_number(
      paper_result(p, label, "--app %s --set app.strategy=%s %s", what, strategy, unit), "cycles");
}

double mff_fastest(paper *p, const char *label, const char *what, const char *const *strategies) {
  double best = INFINITY;
  for (int s = 0; s < MFF_STRATEGIES && strategies[s]; s++) {
    const double c = mff_cycles(p, label, what, strategies[s], "");
    best = c < best ? c : best;
  }
  return best;
}

/* The user's kernel, with blocks that are all resident. */
static double user_cycles(paper *p, int g, const char *graph) {
  enum { LEVELS_BYTES = 65536 };
  const unsigned n = graphs[g].vertices;
  return paper_number(
      paper_result(p, "user",
                   "--ptx tests/apps/user/bfs.cu --kernel ubfs --grid 15 --block 256 --graph "
                   "%s --param graph:out_row --param graph:out_col --param buf:%u --param buf:%u "
                   "--param buf:%d --param buf:%d --param buf:%d --param u32:%u --param buf:4 "
                   "--param buf:%u",
                   graph, 4 * n, 8 * n + 8, LEVELS_BYTES, LEVELS_BYTES, LEVELS_BYTES,
                   graphs[g].source, n / 8 + 8),
      "cycles");
}

/* The row's figures of one application. */
static void compare(paper *p, int a, int g, const char *graph, double *forms, double *chosen) {
  *forms = *chosen = NAN;
  if (a > BFS && graphs[g].large) return;
  const char *app = apps[a].name;
  char what[2 * PAPER_PATH];
  snprintf(what, sizeof what, "%s --graph %s %s", app, graph, apps[a].options);
  double without = mff_fastest(p, app, what, apps[a].without);
  if (a == BFS) without = fmin(without, user_cycles(p, g, graph));
  *chosen = without / mff_cycles(p, app, what, "auto", "--unit mff");
  if (a <= BFS || graphs[g].forms)
    *forms = without / mff_cycles(p, app, what, apps[a].with, "--unit mff");
}

static void note(paper *p, const paper_table *forms, const paper_table *chosen) {
  double lowest = INFINITY;
  for (int a = 0; a < APPS; a++) {
    paper_note(p, "best", NAN, paper_mean_all(forms, a), NAN, NAN, "x",
               "forms with the unit over best software without, %s", apps[a].name);
    paper_note(p, "best", NAN, paper_mean_all(chosen, a), 1, NAN, "x",
               "auto with the unit over best software without, %s", apps[a].name);
    for (int r = 0; r < chosen->rows; r++) lowest = fmin(lowest, chosen->v[r][a]);
  }
  paper_note(p, "best", NAN, lowest, 0.98, NAN, "x",
             "auto with the unit over best software without: the lowest");
  int faster[APPS] = {0};
  double most[APPS] = {0};
  for (int a = 0; a <= BFS; a++) {
    for (int r = 0; r < chosen->rows; r++) {
      faster[a] += chosen->v[r][a] >= counts_from;
      most[a] = fmax(most[a], chosen->v[r][a]);
    }
    paper_note(p, "best", NAN, faster[a], 1, NAN, "",
               "%s: graphs on which it is faster with the unit", apps[a].name);
    paper_note(p, "best", NAN, most[a], 1, NAN, "x", "%s: the highest", apps[a].name);
  }
}

void mff_best(paper *p) {
  paper_table forms = {.file = "best",
                       .title = "Speed: the form with the unit over the fastest software without",
                       .mean = PAPER_GEOMETRIC},
              chosen = {.file = "best-auto",
                        .title = "Speed: what auto chooses where the unit is there over the "
                                 "fastest software without",
                        .mean = PAPER_GEOMETRIC};
  for (int a = 0; a < APPS; a++) {
    paper_column(&forms, apps[a].name);
    paper_column(&chosen, apps[a].name);
  }
  for (int g = 0; g < GRAPHS; g++) {
    char graph[PAPER_PATH];
    if (!path_of(p, g, graph)) continue;
    const char *slash = strrchr(graphs[g].name, '/'), *name = slash ? slash + 1 : graphs[g].name;
    const int r = paper_row(&forms, 0, "%.*s", (int)strcspn(name, ".:"), name);
    paper_row(&chosen, 0, "%s", forms.row_names[r]);
    for (int a = 0; a < APPS; a++) compare(p, a, g, graph, &forms.v[r][a], &chosen.v[r][a]);
  }
  paper_show(p, &forms);
  paper_show(p, &chosen);
  note(p, &forms, &chosen);
}
