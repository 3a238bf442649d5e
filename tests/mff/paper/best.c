/* Best software with the unit over best software without: each side has all its strategies, and of
 * these the fastest on the graph at hand; breadth-first search without also a user's own kernel. */
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
    {"bfs", "--set app.supersteps=0", {"thread", "queue", "edges", "direction"}, {"thread"}},
    {"sssp", "--set app.supersteps=4", {"queue", "edges"}, {"thread"}},
    {"wcc", "--set app.supersteps=2", {"queue", "edges"}, {"thread"}}};

static const struct {
  const char *name;
  bool large;                /* SSSP and WCC with the unit take long: not run */
  unsigned vertices, source; /* of the most out-edges: --app bfs starts there */
} graphs[] = {{"data/debian12.mtx.gz", false, 63666, 42435},
              {"graphs/cnr-2000.mtx.gz", true, 325557, 217849},
              {"graphs/soc-Epinions1.mtx.gz", true, 75879, 645},
              {"graphs/dblp-2010.mtx.gz", true, 326186, 185172},
              {"rmat:scale=14,edges=150000", false, 16384, 0},
              {"er:scale=14,edges=150000", true, 16384, 8807},
              {"rgg:scale=14", true, 16384, 979},
              {"grid:x=150,y=150", true, 22500, 151}};
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
    for (int a = 0; a < APPS; a++) {
      t.v[r][a] = NAN;
      if (a > BFS && graphs[g].large) continue;
      double without = least(p, a, graph, apps[a].without, "");
      if (a == BFS) without = fmin(without, user_cycles(p, g, graph));
      t.v[r][a] = without / least(p, a, graph, apps[a].with, "--unit mff");
    }
  }
  paper_show(p, &t);
  for (int a = 0; a < APPS; a++)
    paper_note(p, "best", NAN, paper_mean_all(&t, a), NAN, 1, "x",
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
