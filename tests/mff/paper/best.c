/* Best software with the unit over best software without: the forms that use the unit, and what
 * auto chooses where it is there, each over the fastest that there is without it on the graph at
 * hand; in breadth-first search that may be a user's own kernel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/mff/paper/mff.h"

enum { BFS = 1, APPS = 4, MOST = 4 };

static const struct {
  const char *name, *options, *without[MOST], *with; /* strategies */
} apps[APPS] = {
    {"pagerank", "--set app.supersteps=1", {"thread", "bins", "edges"}, "edges"},
    {"bfs", "--set app.supersteps=0", {"thread", "queue", "edges", "direction"}, "thread"},
    {"sssp", "", {"queue", "edges"}, "thread"},
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

static double cycles(paper *p, int a, const char *graph, const char *strategy, const char *unit) {
  return paper_number(paper_result(p, apps[a].name,
                                   "--app %s --graph %s %s --set app.strategy=%s %s", apps[a].name,
                                   graph, apps[a].options, strategy, unit),
                      "cycles");
}

/* bfs_user.cu, with blocks that are all resident. */
static double user_cycles(paper *p, int g, const char *graph) {
  enum { LEVELS_BYTES = 65536 };
  const unsigned n = graphs[g].vertices;
  return paper_number(
      paper_result(p, "user",
                   "--ptx tests/mff/paper/bfs_user.cu --kernel ubfs --grid 15 --block 256 --graph "
                   "%s --param graph:out_row --param graph:out_col --param buf:%u --param buf:%u "
                   "--param buf:%d --param buf:%d --param buf:%d --param u32:%u --param buf:4 "
                   "--param buf:%u",
                   graph, 4 * n, 8 * n + 8, LEVELS_BYTES, LEVELS_BYTES, LEVELS_BYTES,
                   graphs[g].source, n / 8 + 8),
      "cycles");
}

/* NAN while runs are collected. */
static double least(paper *p, int a, const char *graph) {
  double best = INFINITY;
  for (int s = 0; s < MOST && apps[a].without[s]; s++) {
    const double c = cycles(p, a, graph, apps[a].without[s], "");
    best = c < best ? c : best;
  }
  return best;
}

/* The row's figures of one application. */
static void compare(paper *p, int a, int g, const char *graph, double *forms, double *chosen) {
  *forms = *chosen = NAN;
  if (a > BFS && graphs[g].large) return;
  double without = least(p, a, graph);
  if (a == BFS) without = fmin(without, user_cycles(p, g, graph));
  *chosen = without / cycles(p, a, graph, "auto", "--unit mff");
  if (a <= BFS || graphs[g].forms)
    *forms = without / cycles(p, a, graph, apps[a].with, "--unit mff");
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
    for (int r = 0; r < forms->rows; r++) {
      faster[a] += forms->v[r][a] > 1;
      most[a] = fmax(most[a], forms->v[r][a]);
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
