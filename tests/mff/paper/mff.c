/* The MFF paper (Park et al., Memory Fast-Forward): figures 5, 8, 9, 10 and the averages of section
 * 6.2. */
#include "tests/mff/paper/mff.h"

#include <math.h>

#include "sim/report/compare.h"

enum { APPS = 4, GRAPHS = 4, WINDOWS = 9, WINDOW_16 = 4 };

static const struct {
  const char *name;
  const char *options; /* super-steps are bounded, so that the whole takes under 20 minutes */
  double paper;        /* average speedup where the paper states it */
} apps[APPS] = {{"pagerank", "--set app.supersteps=1", 1.75},
                {"sssp", "--set app.supersteps=10", NAN},
                {"wcc", "--set app.supersteps=4", NAN},
                {"bfs", "--set app.supersteps=0", 5.22}};

static const struct {
  const char *name, *file; /* file NULL: the shipped graph */
  bool in_paper;
} graphs[GRAPHS] = {{"cnr-2000", "graphs/cnr-2000.mtx.gz", true},
                    {"dblp-2010", "graphs/dblp-2010.mtx.gz", true},
                    {"soc-Epinions1", "graphs/soc-Epinions1.mtx.gz", false},
                    {"debian12", NULL, false}};
#define SHIPPED "data/debian12.mtx.gz"

/* BASE: the paper's loop, an edge at a time; STRONG: eight edges in flight per thread; ROWS: with
 * rows of lanes for all commands that a slice may hold. */
typedef enum form { BASE, STRONG, MFF, BIG_L1, ROWS, FORMS } form;
static const char *const form_options[FORMS] = {
    "--set app.strategy=thread --set app.unroll=1", "--set app.strategy=thread",
    "--unit mff --set app.strategy=thread",
    "--set app.strategy=thread --set app.unroll=1 --set l1.bytes=262144",
    "--unit mff --set app.strategy=thread --set mff.lane_rows=258"};

static bool path_of(const paper *p, int g, char path[PAPER_PATH]) {
  if (graphs[g].file) return paper_shared(p, graphs[g].file, path);
  return snprintf(path, PAPER_PATH, SHIPPED) > 0;
}

static bool have(const paper *p, int g) {
  char path[PAPER_PATH];
  return path_of(p, g, path);
}

static double number(paper *p, int a, int g, form f, const char *path) {
  char graph[PAPER_PATH];
  if (!path_of(p, g, graph)) return NAN;
  return paper_number(paper_result(p, apps[a].name, "--app %s --graph %s %s %s", apps[a].name,
                                   graph, apps[a].options, form_options[f]),
                      path);
}

static double ratio(paper *p, int a, int g, form over, form under, const char *path) {
  return number(p, a, g, over, path) / number(p, a, g, under, path);
}

/* ---- figure 10: speedup ---- */

static paper_table speedups_over(paper *p, form base, const char *file, const char *title) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_ARITHMETIC};
  for (int a = 0; a < APPS; a++) paper_column(&t, apps[a].name);
  for (int g = 0; g < GRAPHS; g++) {
    if (!have(p, g)) continue;
    const int r = paper_row(&t, 0, "%s", graphs[g].name);
    for (int a = 0; a < APPS; a++) t.v[r][a] = ratio(p, a, g, base, MFF, "cycles");
  }
  paper_show(p, &t);
  return t;
}

static void speedups(paper *p) {
  const paper_table t = speedups_over(p, BASE, "speedup", "Figure 10: speedup over the baseline"),
                    strong = speedups_over(
                        p, STRONG, "strong",
                        "Speedup over a baseline with eight edges in flight per thread");
  double mean[APPS];
  for (int a = 0; a < APPS; a++) {
    mean[a] = paper_mean_all(&t, a);
    paper_note(p, "figure 10", apps[a].paper, mean[a], 1.75, NAN, "x", "average speedup, %s",
               apps[a].name);
    paper_note(p, "beyond", NAN, paper_mean_all(&strong, a), 1, NAN, "x",
               "average speedup over the strong baseline, %s", apps[a].name);
  }
  paper_note(p, "figure 10", NAN, fmin(fmin(mean[1], mean[2]), mean[3]) / mean[0], 1, NAN, "x",
             "slowest other algorithm over PageRank (lowest)");
  paper_note(p, "figure 10", NAN, mean[3] / fmax(fmax(mean[0], mean[1]), mean[2]), 1, NAN, "x",
             "BFS (highest) over the fastest other");
}

/* ---- section 6.2, figures 8 and 9: what a run costs; means over the paper's graphs ---- */

static double dram_bytes(paper *p, int a, int g, form f) {
  return number(p, a, g, f, "dram.read_bytes") + number(p, a, g, f, "dram.write_bytes");
}

static void costs(paper *p) {
  enum { ENERGY, TRAFFIC, STALLS, STALLS_ROWS, FLITS, LARGE_L1, UNIT, COLUMNS };
  paper_table t = {
      .file = "energy",
      .title = "Figure 8, section 6.2: with MFF over the baseline; 16xL1: its speed over MFF's; "
               "unit: its share of energy",
      .mean = PAPER_ARITHMETIC,
      .columns = COLUMNS,
      .names = {"energy", "DRAM", "stalls", "stalls/258", "flits", "16xL1", "unit"}};
  for (int g = 0; g < GRAPHS; g++)
    for (int a = 0; a < APPS && have(p, g); a++) {
      const int r = paper_row(&t, graphs[g].in_paper ? 0 : PAPER_BESIDE, "%s/%s", apps[a].name,
                              graphs[g].name);
      t.v[r][ENERGY] = ratio(p, a, g, MFF, BASE, "energy_joules.total");
      t.v[r][TRAFFIC] = dram_bytes(p, a, g, MFF) / dram_bytes(p, a, g, BASE);
      t.v[r][STALLS] = ratio(p, a, g, MFF, BASE, "noc.stall_cycles");
      t.v[r][STALLS_ROWS] = ratio(p, a, g, ROWS, BASE, "noc.stall_cycles");
      t.v[r][FLITS] = ratio(p, a, g, MFF, BASE, "noc.flits");
      t.v[r][LARGE_L1] = ratio(p, a, g, MFF, BIG_L1, "cycles");
      t.v[r][UNIT] =
          number(p, a, g, MFF, "energy_joules.unit") / number(p, a, g, MFF, "energy_joules.total");
    }
  paper_show(p, &t);
  double mean[COLUMNS];
  for (int c = 0; c < COLUMNS; c++) mean[c] = 100 * paper_mean_all(&t, c);
  paper_note(p, "section 6.2", 27.5, 100 - mean[TRAFFIC], 27.5, NAN, "%",
             "DRAM traffic saved, average, paper's graphs");
  paper_note(p, "section 6.2", 88.3, 100 - mean[STALLS], 88, NAN, "%",
             "interconnect stall cycles saved, average, paper's graphs");
  paper_note(p, "section 6.2", NAN, 100 - mean[FLITS], NAN, NAN, "%",
             "interconnect flits saved, average, paper's graphs");
  paper_note(p, "figure 8", 54.6, 100 - mean[ENERGY], 45, NAN, "%",
             "energy saved, average, paper's graphs");
  paper_note(p, "figure 9", 0.3, mean[UNIT], NAN, 3, "%",
             "the unit's share of energy, paper's graphs");
  paper_note(p, "section 6.2", 71, mean[LARGE_L1], NAN, 100, "%",
             "16x L1's speed over MFF's, average, paper's graphs");
}

static void power(paper *p) {
  static const char *const parts[] = {"core", "registers", "l1",   "l2",
                                      "noc",  "dram",      "unit", "static"};
  enum { PARTS = sizeof parts / sizeof parts[0] };
  paper_table t = {.file = "power", .title = "Figure 9: power by part, W"};
  for (int c = 0; c < PARTS; c++) paper_column(&t, parts[c]);
  for (int g = 0; g < GRAPHS; g++) {
    if (!have(p, g) || (g != 0 && graphs[g].file)) continue; /* cnr-2000 and the shipped graph */
    for (int a = 0; a < APPS; a++)
      for (int m = 0; m < 2; m++) {
        const form f = m ? MFF : BASE;
        const int r =
            paper_row(&t, 0, "%s/%s/%s", apps[a].name, graphs[g].name, m ? "mff" : "base");
        const double seconds =
            number(p, a, g, f, "energy_joules.total") / number(p, a, g, f, "energy_joules.watts");
        for (int c = 0; c < PARTS; c++) {
          char path[64];
          snprintf(path, sizeof path, "energy_joules.%s", parts[c]);
          t.v[r][c] = number(p, a, g, f, path) / seconds;
        }
      }
  }
  paper_show(p, &t);
}

/* ---- figure 5: requests left when coalesced over windows of warp-level operations ---- */

static double requests(paper *p, int g, const char *array, int window) {
  char graph[PAPER_PATH];
  if (!path_of(p, g, graph)) return NAN;
  const cJSON *result =
      paper_result(p, "window",
                   "--app pagerank --graph %s --set app.supersteps=1 --set app.strategy=thread "
                   "--set app.unroll=1 --set "
                   "probe.coalescing=1",
                   graph);
  if (!result) return NAN;
  const cJSON *counts = cJSON_GetObjectItem(
      cJSON_GetObjectItem(cJSON_GetObjectItem(result, "coalescing"), array), "requests");
  if (cJSON_GetArraySize(counts) != WINDOWS)
    paper_fail("%s: no coalescing counts of %s", graphs[g].name, array);
  return cJSON_GetArrayItem(counts, window)->valuedouble;
}

/* The paper normalises both parts to the reads of V at window 1. */
static void windows_of(paper *p, const char *array, const char *file, const char *title) {
  paper_table t = {.file = file, .title = title};
  for (int w = 0; w < WINDOWS; w++) paper_row(&t, 0, "%d", 1 << w);
  for (int g = 0; g < GRAPHS; g++) {
    if (!have(p, g)) continue;
    const int c = paper_column(&t, graphs[g].name);
    for (int w = 0; w < WINDOWS; w++)
      t.v[w][c] = requests(p, g, array, w) / requests(p, g, "contribution", 0);
  }
  paper_show(p, &t);
}

static void windows(paper *p) {
  windows_of(p, "in_col", "C", "Figure 5a: requests of C left, by window");
  windows_of(p, "contribution", "V", "Figure 5b: requests of V left, by window");
  for (int g = 0; g < GRAPHS; g++)
    if (have(p, g))
      paper_note(
          p, "figure 5b", graphs[g].in_paper ? 45.8 : NAN,
          100 * (1 - requests(p, g, "contribution", WINDOW_16) / requests(p, g, "contribution", 0)),
          25, NAN, "%", "V requests left out by windows of 16, %s (paper: Amazon)", graphs[g].name);
}

static const paper_part parts[] = {
    {"10", "speedup", speedups, false},
    {"8", "figures 8, 9, section 6.2: energy, traffic", costs, false},
    {"9", "power by part", power, false},
    {"5", "windows of coalescing", windows, false},
    {"best", "Best software with the unit over best software without", mff_best, true},
    {"where", "Where the unit pays: large graphs, few warps, another machine", mff_where, true},
    {"area", "The unit's area as cache", mff_area, true},
    {"sizes", "Sizes: what the unit's tables buy", mff_sizes, true},
    {0}};
const paper_unit paper_this = {"mff", "Memory Fast-Forward (MFF)", parts};
