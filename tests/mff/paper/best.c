/* Best software with the unit over best software without: each side has all its strategies, and of
 * these the fastest on the graph at hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/mff/paper/mff.h"

enum { BFS = 1, APPS = 4, MOST = 4 };

static const struct {
  const char *name, *options;
  const char *without[MOST], *with[MOST]; /* strategies */
} apps[APPS] = {
    {"pagerank", "--set app.supersteps=1", {"thread", "bins", "edges"}, {"edges"}},
    {"bfs", "--set app.supersteps=0", {"thread", "bins", "queue", "direction"}, {"thread"}},
    {"sssp", "--set app.supersteps=4", {"bins", "queue"}, {"thread"}},
    {"wcc", "--set app.supersteps=2", {"bins", "queue"}, {"thread"}}};

static const struct {
  const char *name;
  bool large; /* SSSP and WCC with the unit take long: not run */
} graphs[] = {{"data/debian12.mtx.gz", false},
              {"graphs/cnr-2000.mtx.gz", true},
              {"graphs/soc-Epinions1.mtx.gz", true},
              {"graphs/dblp-2010.mtx.gz", true},
              {"rmat:scale=14,edges=150000", false},
              {"er:scale=14,edges=150000", true},
              {"rgg:scale=14", true},
              {"grid:x=150,y=150", true}};
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

/* NAN while runs are collected. */
static double least(paper *p, int a, const char *graph, const char *const *strategies,
                    const char *unit) {
  double best = INFINITY;
  for (int s = 0; s < MOST && strategies[s]; s++) {
    const double c = cycles(p, a, graph, strategies[s], unit);
    best = c < best ? c : best;
  }
  return best;
}

void mff_best(paper *p) {
  paper_table t = {.file = "best",
                   .title = "Speed: the fastest strategy with the unit over the fastest without",
                   .mean = PAPER_GEOMETRIC};
  for (int a = 0; a < APPS; a++) paper_column(&t, apps[a].name);
  for (int g = 0; g < GRAPHS; g++) {
    char graph[PAPER_PATH];
    if (!path_of(p, g, graph)) continue;
    const char *slash = strrchr(graphs[g].name, '/'), *name = slash ? slash + 1 : graphs[g].name;
    const int r = paper_row(&t, 0, "%.*s", (int)strcspn(name, ".:"), name);
    for (int a = 0; a < APPS; a++)
      t.v[r][a] = a > BFS && graphs[g].large ? NAN
                                             : least(p, a, graph, apps[a].without, "") /
                                                   least(p, a, graph, apps[a].with, "--unit mff");
  }
  paper_show(p, &t);
  for (int a = 0; a < APPS; a++)
    paper_note(p, "best", NAN, paper_mean_all(&t, a), a == BFS ? 1 : NAN, a == BFS ? NAN : 1, "x",
               "speed with the unit over without, best software, %s", apps[a].name);
  int faster = 0;
  double most = 0;
  for (int r = 0; r < t.rows; r++) {
    faster += t.v[r][BFS] > 1;
    most = fmax(most, t.v[r][BFS]);
  }
  paper_note(p, "best", NAN, faster, 1, NAN, "", "bfs: graphs on which it is faster with the unit");
  paper_note(p, "best", NAN, most, 1, NAN, "x", "bfs: the highest");
}
