/* Figures 16 to 23 of the DTBL paper (Wang, Acceleration and optimization of dynamic parallelism
 * for irregular applications on GPUs, chapter 4). Means over applications are geometric of ratios,
 * arithmetic of shares and differences. What only a launch has (waiting, footprint, hit rates)
 * counts where something is launched. */
#include <math.h>
#include <string.h>

#include "tests/dtbl/paper/dtbl.h"

/* INF: by the GPU's own dispatcher, whose table of groups has no bound; BARE: the RTL as the paper
 * has it, without lines and ring of records; CDP2, CDP4, CDP_FREE: so many kernels leave the KMU at
 * once, as many as there are entries, in place of one. */
typedef enum dtbl_form {
  FLAT,
  CDPI,
  DTBLI,
  CDP,
  DTBL,
  DTBLI_INF,
  DTBL_INF,
  DTBLI_BARE,
  DTBL_BARE,
  CDP2,
  CDP4,
  CDP_FREE,
  FORMS
} dtbl_form;
#define IDEAL " --set launch.ideal=1"
static const struct {
  const char *name, *options;
} forms[FORMS] = {
    [FLAT] = {"flat", "app.form=flat"},
    [CDPI] = {"CDPI", "app.form=cdp" IDEAL},
    [DTBLI] = {"DTBLI", "app.form=dtbl" IDEAL " --unit dtbl"},
    [CDP] = {"CDP", "app.form=cdp"},
    [DTBL] = {"DTBL", "app.form=dtbl --unit dtbl"},
    [DTBLI_INF] = {"DTBLI-inf", "app.form=dtbl" IDEAL},
    [DTBL_INF] = {"DTBL-inf", "app.form=dtbl"},
    [DTBLI_BARE] = {"DTBLI-bare", "app.form=dtbl" IDEAL " --unit dtbl --set dtbl.lines=0"},
    [DTBL_BARE] = {"DTBL-bare", "app.form=dtbl --unit dtbl --set dtbl.lines=0"},
    [CDP2] = {"CDP-2", "app.form=cdp --set launch.ways=2"},
    [CDP4] = {"CDP-4", "app.form=cdp --set launch.ways=4"},
    [CDP_FREE] = {"CDP-free", "app.form=cdp --set launch.ways=0"}};

/* What explains a row that is outside its band (findings.md). */
static const char overflow[] =
    "most groups that wait are records in memory, for the table is full; "
    "the lines hold too few of them",
                  inputs[] = "graph500's graph is not even; a thread walks a hub's list alone",
                  even[] = "a list is longer than a warp and shorter than two",
                  small[] = "inputs of seconds leave some flat forms short of warps";

static const cJSON *result_of(paper *p, int app, dtbl_form form, const char *options) {
  char all[2 * PAPER_PATH];
  snprintf(all, sizeof all, "%s%s%s", forms[form].options, *options ? " " : "", options);
  return launched_result(p, app, forms[form].name, all);
}

static double number(paper *p, int app, dtbl_form form, const char *options, const char *path) {
  return paper_number(result_of(p, app, form, options), path);
}

/* 0 where the result has no such number (launches, where none happened). */
static double number_or_0(paper *p, int app, dtbl_form form, const char *options,
                          const char *path) {
  return paper_number_or(result_of(p, app, form, options), path, 0);
}

static bool launches(paper *p, int app, dtbl_form form) {
  return !(number_or_0(p, app, form, "", "launches.started") < 1); /* NAN: may */
}

static paper_table of_apps(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int a = 0; a < APPS; a++)
    paper_row(&t, a < PAPERS ? 0 : PAPER_BESIDE, "%s", launched_name(a));
  return t;
}

static paper_table of_forms(const char *file, const char *title, paper_mean mean,
                            const dtbl_form *shown, int n) {
  paper_table t = of_apps(file, title, mean);
  for (int c = 0; c < n; c++) paper_column(&t, forms[shown[c]].name);
  return t;
}

/* A number of each application by form, times a factor. */
static paper_table values(paper *p, const char *file, const char *title, const char *path,
                          double factor, const dtbl_form *shown, int n) {
  paper_table t = of_forms(file, title, PAPER_ARITHMETIC, shown, n);
  for (int a = 0; a < APPS; a++)
    for (int c = 0; c < n; c++) t.v[a][c] = number(p, a, shown[c], "", path) * factor;
  paper_show(p, &t);
  return t;
}

/* Mean of column a over column b, of the means (as the paper gives them: 0.029 or 1.14x). */
static double of_means(const paper_table *t, int a, int b) {
  return paper_mean_all(t, a) / paper_mean_all(t, b);
}
static double difference(const paper_table *t, int a, int b) {
  return paper_mean_all(t, a) - paper_mean_all(t, b);
}

static void warp_activity(paper *p) {
  static const dtbl_form shown[] = {FLAT, CDP, DTBL};
  const paper_table t = values(p, "16", "Figure 16: active threads of a warp, %",
                               "sm.lanes_per_instruction", 100.0 / 32, shown, 3);
  paper_note(p, "figure 16", 10.7, difference(&t, 1, 0), 5, NAN, "pts",
             "warp activity, CDP less flat, mean");
  paper_note(p, "figure 16", 10.7, difference(&t, 2, 0), 5, NAN, "pts",
             "warp activity, DTBL less flat, mean");
  paper_note(p, "figure 16", NAN, difference(&t, 2, 1), -3, 3, "pts",
             "warp activity, DTBL less CDP: the same code");
  paper_note(p, "figure 16", 45.3, t.v[AMR][1] - t.v[AMR][0], 20, NAN, "pts", "amr, CDP less flat");
  paper_note(p, "figure 16", 21.3, t.v[JOIN_GAUSSIAN][1] - t.v[JOIN_GAUSSIAN][0], 10, NAN, "pts",
             "join_gaussian");
  paper_note(p, "figure 16", -5.9, t.v[CLR_CAGE15][1] - t.v[CLR_CAGE15][0], -10, 5, "pts",
             "clr_cage15");
  paper_note(p, "figure 16", 0, t.v[CLR_GRAPH500][1] - t.v[CLR_GRAPH500][0], -10, 10, "pts",
             "clr_graph500");
  paper_why(p, inputs);
  paper_note(p, "figure 16", 0, t.v[CLR_EVEN][1] - t.v[CLR_EVEN][0], -10, 10, "pts",
             "colouring of a graph of even degrees");
  paper_why(p, even);
}

static void dram_efficiency(paper *p) {
  static const dtbl_form shown[] = {FLAT, CDP, DTBL, DTBL_INF};
  const paper_table t =
      values(p, "17", "Figure 17: DRAM efficiency", "dram.efficiency", 1, shown, 4);
  paper_note(p, "figure 17", 1.14, of_means(&t, 1, 0), 1.0, NAN, "x",
             "DRAM efficiency, CDP over flat");
  paper_note(p, "figure 17", 1.27, of_means(&t, 2, 0), 1.1, NAN, "x",
             "DRAM efficiency, DTBL over flat");
  paper_note(p, "figure 17", 1.08, of_means(&t, 2, 1), 1.0, NAN, "x",
             "DRAM efficiency, DTBL over CDP");
  paper_why(p, overflow);
  paper_note(p, "figure 17", 1.08, of_means(&t, 3, 1), NAN, NAN, "x",
             "DRAM efficiency, DTBL over CDP, table without bound");
}

static void occupancy(paper *p) {
  static const dtbl_form shown[] = {FLAT, CDPI, DTBLI, CDP, DTBL, DTBLI_INF, DTBL_INF};
  const paper_table t =
      values(p, "18", "Figure 18: SMX occupancy, %", "sm.occupancy", 100, shown, 7);
  paper_note(p, "figure 18", 1.24, of_means(&t, 2, 1), 1.1, NAN, "x",
             "SMX occupancy, DTBLI over CDPI");
  paper_why(p, overflow);
  paper_note(p, "figure 18", 1.24, of_means(&t, 5, 1), NAN, NAN, "x",
             "SMX occupancy, DTBLI over CDPI, table without bound");
  paper_note(p, "figure 18", 17.9, difference(&t, 2, 1), 3, NAN, "pts",
             "SMX occupancy, DTBLI less CDPI");
  paper_why(p, overflow);
  paper_note(p, "figure 18", 1.38, t.v[BHT][2] / t.v[BHT][1], 1.1, NAN, "x",
             "bht, DTBLI over CDPI");
  paper_why(p, overflow);
  paper_note(p, "figure 18", 1.14, t.v[REGX_STRING][2] / t.v[REGX_STRING][1], 1.05, NAN, "x",
             "regx_string, DTBLI over CDPI");
  paper_why(p, overflow);
  paper_note(p, "figure 18", 1.48, t.v[REGX_STRING][4] / t.v[REGX_STRING][3], 1.05, NAN, "x",
             "regx_string, DTBL over CDP");
  paper_why(p, overflow);
  paper_note(p, "figure 18", 1.01, t.v[PRE][2] / t.v[PRE][1], 0.9, 1.2, "x",
             "pre, DTBLI over CDPI");
  paper_note(p, "figure 18", 0.865, of_means(&t, 3, 1), NAN, NAN, "x",
             "SMX occupancy, CDP over CDPI: latency");
  paper_note(p, "figure 18", 0.924, of_means(&t, 4, 2), NAN, NAN, "x",
             "SMX occupancy, DTBL over DTBLI: latency");
}

/* Of the second form over the first, where both launch. */
static paper_table launch_ratio(paper *p, const char *file, const char *title, const char *path) {
  paper_table t = of_apps(file, title, PAPER_GEOMETRIC);
  static const char *const names[] = {"CDPI",       "DTBLI",    "CDP",      "DTBL",
                                      "DTBLI/CDPI", "DTBL/CDP", "inf/CDPI", "inf/CDP"};
  for (int c = 0; c < 8; c++) paper_column(&t, names[c]);
  static const dtbl_form shown[] = {CDPI, DTBLI, CDP, DTBL}, free_forms[] = {DTBLI_INF, DTBL_INF};
  for (int a = 0; a < APPS; a++) {
    for (int c = 0; c < 4; c++)
      t.v[a][c] = launches(p, a, shown[c]) ? number_or_0(p, a, shown[c], "", path) : NAN;
    for (int pair = 0; pair < 2; pair++) {
      const double from = t.v[a][2 * pair], to = t.v[a][2 * pair + 1];
      const double free_to =
          launches(p, a, free_forms[pair]) ? number_or_0(p, a, free_forms[pair], "", path) : NAN;
      t.v[a][4 + pair] = from > 0 && to > 0 ? to / from : NAN;
      t.v[a][6 + pair] = from > 0 && free_to > 0 ? free_to / from : NAN;
    }
  }
  paper_show(p, &t);
  return t;
}

static void waiting(paper *p) {
  const paper_table t =
      launch_ratio(p, "19", "Figure 19: cycles from asking for parameters to the first block",
                   "launches.waiting_cycles");
  paper_note(p, "figure 19", 0.812, paper_mean_all(&t, 4), NAN, 1, "x",
             "waiting, DTBLI over CDPI, mean");
  paper_why(p, overflow);
  paper_note(p, "figure 19", 0.759, paper_mean_all(&t, 5), NAN, 0.9, "x",
             "waiting, DTBL over CDP, mean");
  paper_why(p, overflow);
  paper_note(p, "figure 19", 0.812, paper_mean_all(&t, 6), NAN, NAN, "x",
             "waiting, DTBLI over CDPI, table without bound");
  paper_note(p, "figure 19", 0.759, paper_mean_all(&t, 7), NAN, NAN, "x",
             "waiting, DTBL over CDP, table without bound");
  paper_note(p, "figure 19", 0.582, t.v[REGX_STRING][5], NAN, 0.9, "x",
             "waiting, regx_string, DTBL over CDP");
  paper_why(p, overflow);
  paper_note(p, "figure 19", 1, t.v[CLR_GRAPH500][5], NAN, NAN, "x",
             "waiting, clr_graph500, DTBL over CDP");
}

static void footprint(paper *p) {
  const paper_table t = launch_ratio(p, "20", "Figure 20: bytes of launches that wait, at most",
                                     "launches.peak_bytes");
  paper_note(p, "figure 20", 0.744, paper_mean_all(&t, 5), NAN, 0.9, "x",
             "footprint, DTBL over CDP, mean");
  paper_note(p, "figure 20", 0.744, paper_mean_all(&t, 7), NAN, NAN, "x",
             "footprint, DTBL over CDP, table without bound");
  paper_note(p, "figure 20", 0.488, t.v[REGX_STRING][5], NAN, 0.9, "x",
             "footprint, regx_string, DTBL over CDP");
  paper_note(p, "figure 20", 1, t.v[CLR_GRAPH500][5], NAN, NAN, "x",
             "footprint, clr_graph500, DTBL over CDP");
}

static void performance(paper *p) {
  static const dtbl_form shown[] = {CDPI,       DTBLI,     CDP,  DTBL, DTBLI_INF, DTBL_INF,
                                    DTBLI_BARE, DTBL_BARE, CDP2, CDP4, CDP_FREE};
  enum { SHOWN = sizeof shown / sizeof shown[0], I_INF = 4, INF, I_BARE, BARE, TWO, FOUR, FREE };
  paper_table t = of_forms("21", "Figure 21: speedup over the flat form", PAPER_GEOMETRIC, shown,
                           SHOWN),
              joules = of_forms("21-energy", "Energy over the flat form's", PAPER_GEOMETRIC, shown,
                                SHOWN);
  for (int a = 0; a < APPS; a++)
    for (int c = 0; c < SHOWN; c++) {
      t.v[a][c] = number(p, a, FLAT, "", "cycles") / number(p, a, shown[c], "", "cycles");
      joules.v[a][c] = number(p, a, shown[c], "", "energy_joules.total") /
                       number(p, a, FLAT, "", "energy_joules.total");
    }
  paper_show(p, &t);
  paper_show(p, &joules);
  paper_note(p, "figure 21", 1.43, paper_mean_all(&t, 0), 1.43, NAN, "x", "speedup, CDPI, mean");
  paper_note(p, "figure 21", 1.63, paper_mean_all(&t, 1), 1.63, NAN, "x", "speedup, DTBLI, mean");
  paper_why(p, overflow);
  paper_note(p, "figure 21", 0.86, paper_mean_all(&t, 2), NAN, 1, "x", "speedup, CDP, mean");
  paper_why(p, small);
  paper_note(p, "figure 21", 1.21, paper_mean_all(&t, 3), 1.21, NAN, "x", "speedup, DTBL, mean");
  paper_why(p, overflow);
  paper_note(p, "figure 21", 1.40, of_means(&t, 3, 2), 1.2, NAN, "x", "DTBL over CDP, mean");
  paper_why(p, overflow);
  paper_note(p, "figure 21", 1.63, paper_mean_all(&t, I_INF), NAN, NAN, "x",
             "speedup, DTBLI, table without bound");
  paper_note(p, "figure 21", 1.21, paper_mean_all(&t, INF), NAN, NAN, "x",
             "speedup, DTBL, table without bound");
  paper_note(p, "figure 21", 1.40, of_means(&t, INF, 2), NAN, NAN, "x",
             "DTBL over CDP, table without bound");
  paper_note(p, "figure 21", 1.63, paper_mean_all(&t, I_BARE), NAN, NAN, "x",
             "speedup, DTBLI, without lines of records (the paper's unit)");
  paper_note(p, "figure 21", 1.21, paper_mean_all(&t, BARE), NAN, NAN, "x",
             "speedup, DTBL, without lines of records (the paper's unit)");
  paper_note(p, "figure 21", 1.40, of_means(&t, BARE, 2), NAN, NAN, "x",
             "DTBL over CDP, without lines of records");
  paper_note(p, "own", NAN, of_means(&t, 3, INF), 0.95, NAN, "x",
             "DTBL over DTBL with a table without bound");
  paper_note(p, "figure 21", 0.86, paper_mean_all(&t, TWO), NAN, NAN, "x",
             "speedup, CDP, two kernels leave the KMU at once");
  paper_note(p, "figure 21", 0.86, paper_mean_all(&t, FOUR), NAN, NAN, "x",
             "speedup, CDP, four at once");
  paper_note(p, "figure 21", 0.86, paper_mean_all(&t, FREE), NAN, NAN, "x",
             "speedup, CDP, one for each entry at once");
  paper_note(p, "figure 21", 1.0, t.v[BFS_ROAD][3], 0.97, 1.05, "x", "DTBL, bfs_usa_road");
  paper_note(p, "figure 21", 1.0, t.v[SSSP_FLIGHT][3], 0.97, 1.05, "x", "DTBL, sssp_flight");
  paper_note(p, "figure 21", 0.97, t.v[CLR_GRAPH500][3], 0.85, 1.1, "x", "DTBL, clr_graph500");
  paper_why(p, inputs);
  paper_note(p, "figure 21", 0.97, t.v[CLR_EVEN][3], 0.85, 1.1, "x",
             "DTBL, colouring of a graph of even degrees");
  paper_why(p, overflow);
  paper_note(p, "figure 21", 2.73, t.v[REGX_STRING][0], NAN, NAN, "x", "CDPI, regx_string");
  paper_note(p, "figure 21", 3.10, t.v[REGX_STRING][1], 1.5, NAN, "x", "DTBLI, regx_string");
  paper_why(p, overflow);
  paper_note(p, "figure 21", 0.95, t.v[REGX_STRING][3], NAN, NAN, "x", "DTBL, regx_string");
  paper_note(p, "energy", NAN, paper_mean_all(&joules, 3), NAN, 1, "x",
             "energy, DTBL over flat, mean");
  paper_why(p, overflow);
}

static void kde_hits(paper *p) {
  static const dtbl_form shown[] = {DTBLI, DTBL};
  paper_table t = of_forms("22", "Figure 22: groups that find a kernel to join, of all",
                           PAPER_ARITHMETIC, shown, 2);
  for (int a = 0; a < APPS; a++)
    for (int c = 0; c < 2; c++) {
      const double groups = number_or_0(p, a, shown[c], "", "launches.groups"),
                   refused = number_or_0(p, a, shown[c], "", "launches.groups_refused");
      t.v[a][c] = groups > 0 ? 1 - refused / groups : NAN;
    }
  paper_show(p, &t);
  paper_note(p, "figure 22", 0.818, paper_mean_all(&t, 1), 0.75, NAN, "", "KDE hit rate, mean");
  paper_turn(p, 0.5); /* most groups find a kernel */
}

/* The table of groups, which only the RTL has. */
static void table_sizes(paper *p) {
  static const struct {
    const char *name, *options;
  } tables[] = {
      {"512", "--set dtbl.lines=0 --set dtbl.agt_entries=512"},
      {"1024", "--set dtbl.lines=0"},
      {"2048", "--set dtbl.lines=0 --set dtbl.agt_entries=2048"},
      {"spread", "--set dtbl.lines=0 --set dtbl.spread=1"}, /* 1024; equal threads of different SMs
                                                               get different entries */
      /* And no more launches wait than there are entries: further calls fail, as CUDA's do, and the
         thread works itself. */
      {"limit", "--set dtbl.lines=0 --set dtbl.spread=1 --set launch.pending=1024"},
      /* Lines of records kept by the unit and fetched ahead, records below the parameters. */
      {"lines", "--set dtbl.ring=0"},
      /* And in a ring of their own, as in the other figures. */
      {"ring", ""}};
  enum { TABLES = sizeof tables / sizeof tables[0] };
  paper_table hits = of_apps("table-hits", "Groups that find a free entry, by entries",
                             PAPER_ARITHMETIC),
              speed = of_apps("table-23", "Figure 23: performance over that with 1024 entries",
                              PAPER_GEOMETRIC),
              flat = of_apps("23-flat", "Speedup over the flat form, by entries", PAPER_GEOMETRIC);
  for (int c = 0; c < TABLES; c++) {
    const char *options = tables[c].options;
    paper_column(&hits, tables[c].name);
    paper_column(&speed, tables[c].name);
    paper_column(&flat, tables[c].name);
    for (int a = 0; a < APPS; a++) {
      const double entry = number_or_0(p, a, DTBL, options, "unit.dtbl.agt_hits"),
                   memory = number_or_0(p, a, DTBL, options, "unit.dtbl.agt_overflows");
      hits.v[a][c] = entry + memory > 0 ? entry / (entry + memory) : NAN;
      speed.v[a][c] = !launches(p, a, DTBL) ? NAN
                                            : number(p, a, DTBL, tables[1].options, "cycles") /
                                                  number(p, a, DTBL, options, "cycles");
      flat.v[a][c] = number(p, a, FLAT, "", "cycles") / number(p, a, DTBL, options, "cycles");
    }
  }
  paper_show(p, &hits);
  paper_show(p, &speed);
  paper_show(p, &flat);
  paper_note(p, "figure 23", 0.622, paper_mean_all(&hits, 0), NAN, NAN, "",
             "AGT hit rate, 512 entries");
  paper_turn(p, 0.5);
  paper_note(p, "figure 23", 0.816, paper_mean_all(&hits, 1), 0.6, NAN, "",
             "AGT hit rate, 1024 entries");
  paper_turn(p, 0.5);
  paper_why(p, overflow);
  paper_note(p, "figure 23", 0.763, paper_mean_all(&speed, 0), NAN, 1, "x",
             "512 entries over 1024");
  paper_note(p, "figure 23", 1.20, paper_mean_all(&speed, 2), 1, NAN, "x",
             "2048 entries over 1024");
}

/* What stands behind the speedups. */
static void sizes(paper *p) {
  paper_table t = of_apps("10",
                          "Size of the runs: flat form; launches, threads of one, waiting at most "
                          "of CDP; groups of DTBL "
                          "without a kernel",
                          PAPER_NO_MEAN);
  static const char *const names[] = {"Mcycles", "launches", "threads", "waiting", "refused"};
  for (int c = 0; c < 5; c++) paper_column(&t, names[c]);
  for (int a = 0; a < APPS; a++) {
    t.v[a][0] = number(p, a, FLAT, "", "cycles") / 1e6;
    t.v[a][1] = number_or_0(p, a, CDP, "", "launches.kernels");
    t.v[a][2] = number_or_0(p, a, CDP, "", "launches.threads_per_launch");
    t.v[a][3] = number_or_0(p, a, CDP, "", "launches.peak_pending");
    t.v[a][4] = number_or_0(p, a, DTBL, "", "launches.groups_refused");
  }
  paper_show(p, &t);
}

static void all_forms(paper *p) {
  sizes(p);
  warp_activity(p);
  dram_efficiency(p);
  occupancy(p);
  waiting(p);
  footprint(p);
  performance(p);
  kde_hits(p);
}

/* ---- occupancy over time, after figure 32 ---- */

static void over_time(paper *p) {
  static const dtbl_form shown[] = {FLAT, CDP, DTBL};
  for (int f = 0; f < 3; f++) {
    char file[64], timeline[PAPER_PATH], option[PAPER_PATH + 16];
    snprintf(file, sizeof file, "%s.trace.json", forms[shown[f]].name);
    paper_output(p, file, timeline);
    snprintf(option, sizeof option, "--timeline %s", timeline);
    if (result_of(p, BFS_CITATION, shown[f], option) && paper_reporting(p))
      dtbl_occupancy(p, timeline, forms[shown[f]].name);
  }
}

static const paper_part parts[] = {
    {"forms", "figures 16 to 22", all_forms, false},
    {"table", "Figure 23: sizes of the table of groups", table_sizes, true},
    {"best", "Best software with the unit over best software without", dtbl_best, true},
    {"orders", "Gains over the best software, by orders of arbitration", dtbl_orders, true},
    {"timeline", "figure 32", over_time, false},
    {0}};
const paper_unit paper_this = {"dtbl", "Dynamic thread block launch (DTBL)", parts};
