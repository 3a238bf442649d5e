/* Where the unit pays: PageRank over graphs that the L2 does not hold, breadth-first search over
 * meshes, few warps, another machine. The fastest form with the unit over the fastest without; and
 * what Hopper's request coalescer gives in the unit's place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/mff/paper/mff.h"

enum { APPS = 2 };
#define COALESCER " --set l2.coalescer=1024"

static const struct {
  const char *app, *plain[MFF_STRATEGIES], *with;
} apps[APPS] = {{"pagerank --set app.supersteps=1", {"bins", "edges", "kept"}, "edges"},
                {"bfs", {"thread", "edges", "segments", "direction", "block"}, "thread"}};

/* The others would take long, and are known to lose: searches where neighbours are far, sums over
 * meshes. coalescer: in the unit's place, on two kinds of graphs in two sizes. */
static const struct {
  const char *name, *options;
  bool wanted[APPS], coalescer;
} rows[] = {
    {"rmat14", "--graph rmat:scale=14,edges=150000", {true, true}, true},
    {"rmat18", "--graph rmat:scale=18,edges=2000000", {true, false}, true},
    {"rmat20", "--graph rmat:scale=20,edges=8000000", {true, false}, false},
    {"random18", "--graph random:n=262144,degree=8", {true, false}, false},
    {"rgg14", "--graph rgg:scale=14", {true, true}, true},
    {"rgg16", "--graph rgg:scale=16", {true, true}, true},
    {"grid28x28x28", "--graph grid:x=28,y=28,z=28", {true, true}, false},
    {"grid64x64x64", "--graph grid:x=64,y=64,z=64", {true, true}, false},
    {"grid150", "--graph grid:x=150,y=150", {false, true}, false},
    {"grid250", "--graph grid:x=250,y=250", {false, true}, false},
    {"rmat14-2-blocks",
     "--graph rmat:scale=14,edges=150000 --set core.ctas=2",
     {true, true},
     false},
    {"rgg14-2-blocks", "--graph rgg:scale=14 --set core.ctas=2", {true, true}, false},
    {"rmat14-k20c", "--graph rmat:scale=14,edges=150000 --config k20c", {true, true}, false},
    {"rgg14-k20c", "--graph rgg:scale=14 --config k20c", {true, true}, false}};

void mff_where(paper *p) {
  paper_table t = {.file = "where",
                   .title = "Speed over the fastest form without: the form with the unit, and the "
                            "fastest with `l2.coalescer=1024`",
                   .mean = PAPER_NO_MEAN,
                   .columns = 2 * APPS,
                   .names = {"pagerank/unit", "bfs/unit", "pagerank/coalescer", "bfs/coalescer"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const int r = paper_row(&t, 0, "%s", rows[i].name);
    for (int a = 0; a < APPS; a++) {
      t.v[r][a] = t.v[r][APPS + a] = NAN;
      if (!rows[i].wanted[a]) continue;
      char what[128], other[sizeof what + sizeof COALESCER];
      snprintf(what, sizeof what, "%s %s", apps[a].app, rows[i].options);
      snprintf(other, sizeof other, "%s" COALESCER, what);
      const double without = mff_fastest(p, "where", what, apps[a].plain);
      t.v[r][a] = without / mff_cycles(p, "where", what, apps[a].with, "--unit mff");
      if (rows[i].coalescer)
        t.v[r][APPS + a] = without / mff_fastest(p, "where", other, apps[a].plain);
    }
  }
  paper_show(p, &t);
  for (int r = 0; r < t.rows; r++)
    for (int c = 0; c < t.columns; c++)
      if (!isnan(t.v[r][c]))
        paper_note(p, "where", NAN, t.v[r][c], NAN, NAN, "x", "%s on %s", t.names[c],
                   t.row_names[r]);
}

/* Searches on which the unit is ahead, beside what else its area or the machine gives: the other
 * split of an SM's 64 KB, which costs nothing; six ways more in each slice of L2, 576 KB, which by
 * the prices of synth/README.md cost about as much as the unit. */
void mff_area(paper *p) {
  static const char *const options[] = {
      "", " --set l1.bytes=49152 --set l1.ways=12 --set core.shared_bytes=16384",
      " --set l2.bytes=229376 --set l2.ways=14"};
  enum { MACHINES = sizeof options / sizeof *options, GRAPHS = 3 };
  static const struct {
    const char *name, *graph, *plain[MFF_STRATEGIES];
  } graphs[GRAPHS] = {
      {"dblp-2010", "graphs/dblp-2010.mtx.gz", {"edges", "segments", "direction"}},
      {"rgg", "rgg:scale=14", {"thread", "edges", "segments", "direction", "block"}},
      {"grid28x28x28",
       "grid:x=28,y=28,z=28",
       {"thread", "edges", "segments", "direction", "block"}}};
  paper_table t = {.file = "area",
                   .title = "Breadth-first search: speed of the form with the unit over the "
                            "fastest without, on which L1 or L2 is larger",
                   .mean = PAPER_GEOMETRIC,
                   .columns = MACHINES,
                   .names = {"as it is", "48 KB of L1", "L2 of 14 ways"}};
  for (int g = 0; g < GRAPHS; g++) {
    char path[PAPER_PATH], what[PAPER_PATH + 160];
    if (strncmp(graphs[g].graph, "graphs/", 7) != 0)
      snprintf(path, sizeof path, "%s", graphs[g].graph);
    else if (!paper_shared(p, graphs[g].graph, path))
      continue;
    const int r = paper_row(&t, 0, "%s", graphs[g].name);
    snprintf(what, sizeof what, "bfs --graph %s", path);
    const double with = mff_cycles(p, "area", what, "thread", "--unit mff");
    for (int m = 0; m < MACHINES; m++) {
      snprintf(what, sizeof what, "bfs --graph %s%s", path, options[m]);
      t.v[r][m] = mff_fastest(p, "area", what, graphs[g].plain) / with;
    }
  }
  paper_show(p, &t);
  paper_note(p, "area", NAN, paper_mean_all(&t, 1), 1, NAN, "x",
             "bfs: the unit over the fastest without, which has 48 KB of L1");
  paper_note(p, "area", NAN, paper_mean_all(&t, 2), 1, NAN, "x",
             "bfs: the unit over the fastest without, whose L2 has 14 ways");
}
