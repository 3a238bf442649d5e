/* Where the unit pays: PageRank over graphs that the L2 does not hold, breadth-first search over
 * meshes, few warps, another machine. The fastest form with the unit over the fastest without. */
#include <math.h>

#include "tests/mff/paper/mff.h"

enum { COLUMNS = 2 };

static const struct {
  const char *app, *plain[MFF_STRATEGIES], *with;
} apps[COLUMNS] = {{"pagerank --set app.supersteps=1", {"bins", "edges", "kept"}, "edges"},
                   {"bfs", {"thread", "edges", "direction", "block"}, "thread"}};

/* The others would take long, and are known to lose: searches where neighbours are far, sums over
 * meshes. */
static const struct {
  const char *name, *options;
  bool wanted[COLUMNS];
} rows[] = {
    {"rmat14", "--graph rmat:scale=14,edges=150000", {true, true}},
    {"rmat18", "--graph rmat:scale=18,edges=2000000", {true, false}},
    {"random18", "--graph random:n=262144,degree=8", {true, false}},
    {"rgg14", "--graph rgg:scale=14", {true, true}},
    {"rgg16", "--graph rgg:scale=16", {true, true}},
    {"grid150", "--graph grid:x=150,y=150", {false, true}},
    {"grid250", "--graph grid:x=250,y=250", {false, true}},
    {"rmat14-2-blocks", "--graph rmat:scale=14,edges=150000 --set core.ctas=2", {true, true}},
    {"rgg14-2-blocks", "--graph rgg:scale=14 --set core.ctas=2", {true, true}},
    {"rmat14-k20c", "--graph rmat:scale=14,edges=150000 --config k20c", {true, true}},
    {"rgg14-k20c", "--graph rgg:scale=14 --config k20c", {true, true}}};

void mff_where(paper *p) {
  paper_table t = {.file = "where",
                   .title = "Speed: the form with the unit over the fastest without",
                   .mean = PAPER_NO_MEAN,
                   .columns = COLUMNS,
                   .names = {"pagerank", "bfs"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const int r = paper_row(&t, 0, "%s", rows[i].name);
    for (int a = 0; a < COLUMNS; a++) {
      t.v[r][a] = NAN;
      if (!rows[i].wanted[a]) continue;
      char what[128];
      snprintf(what, sizeof what, "%s %s", apps[a].app, rows[i].options);
      t.v[r][a] = mff_fastest(p, "where", what, apps[a].plain) /
                  mff_cycles(p, "where", what, apps[a].with, "--unit mff");
    }
  }
  paper_show(p, &t);
  for (int r = 0; r < t.rows; r++)
    for (int a = 0; a < COLUMNS; a++)
      if (rows[r].wanted[a])
        paper_note(p, "where", NAN, t.v[r][a], NAN, NAN, "x", "%s on %s", t.names[a],
                   t.row_names[r]);
}
