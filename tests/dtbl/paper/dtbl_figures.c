/* Figures 16 to 23 of the DTBL paper. Means over applications are geometric of ratios, arithmetic
 * of shares and differences. What only a launch has (waiting, footprint, hit rates) counts where
 * something is launched. */
#include <math.h>

#include "tests/dtbl/paper/dtbl.h"

#define NOTE(FIGURE, PAPER, OURS, LOW, HIGH, UNIT, ...)                                            \
  do {                                                                                             \
    if (e->reporting) paper_note(&e->report, FIGURE, PAPER, OURS, LOW, HIGH, UNIT, __VA_ARGS__);   \
  } while (0)
#define WHY(TEXT) (e->reporting ? paper_why(&e->report, TEXT) : (void)0)
/* Findings of docs/dtbl-paper.md. */
static const char overflow[] = "thousands of groups wait, the table holds 1024: most are records "
                               "in memory, of which 16 lines hold too few",
                  inputs[] = "graph500's graph is not even; a thread walks a hub's list alone",
                  even[] = "lists of 40 leave the second warp of a block 8 lanes",
                  small[] =
                      "inputs of seconds leave the flat form short of warps in five applications";
#define NUMBER(APP, FORM, PATH) dtbl_number(e, APP, FORM, "", PATH)

static bool launches(dtbl_experiment *e, int app, dtbl_form form) {
  return !(dtbl_number_or_0(e, app, form, "", "launches.started") < 1); /* NAN: may */
}

static dtbl_table forms_table(dtbl_experiment *e, const char *figure, const char *title,
                              bool arithmetic, const dtbl_form *forms, int n) {
  (void)e;
  dtbl_table t = {.figure = figure, .title = title, .arithmetic = arithmetic, .columns = n};
  for (int c = 0; c < n; c++) t.names[c] = dtbl_form_names[forms[c]];
  return t;
}

/* A number of each application by form, times a factor. */
static dtbl_table values(dtbl_experiment *e, const char *figure, const char *title,
                         const char *path, double factor, const dtbl_form *forms, int n) {
  dtbl_table t = forms_table(e, figure, title, true, forms, n);
  for (int a = 0; a < DTBL_APPS; a++)
    for (int c = 0; c < n; c++) t.v[a][c] = NUMBER(a, forms[c], path) * factor;
  dtbl_show(e, &t);
  return t;
}

/* Mean of column a over column b, of the means (as the paper gives them: 0.029 or 1.14x). */
static double of_means(const dtbl_table *t, int a, int b) {
  return dtbl_mean(t, a) / dtbl_mean(t, b);
}
static double difference(const dtbl_table *t, int a, int b) {
  return dtbl_mean(t, a) - dtbl_mean(t, b);
}

static void warp_activity(dtbl_experiment *e) {
  static const dtbl_form forms[] = {DTBL_FLAT, DTBL_CDP, DTBL_DTBL};
  const dtbl_table t = values(e, "16", "active threads of a warp, %", "sm.lanes_per_instruction",
                              100.0 / 32, forms, 3);
  NOTE("figure 16", 10.7, difference(&t, 1, 0), 5, NAN, "pts",
       "warp activity, CDP less flat, mean");
  NOTE("figure 16", 10.7, difference(&t, 2, 0), 5, NAN, "pts",
       "warp activity, DTBL less flat, mean");
  NOTE("figure 16", NAN, difference(&t, 2, 1), -3, 3, "pts",
       "warp activity, DTBL less CDP: the same code");
  NOTE("figure 16", 45.3, t.v[DTBL_AMR][1] - t.v[DTBL_AMR][0], 20, NAN, "pts",
       "amr, CDP less flat");
  NOTE("figure 16", 21.3, t.v[DTBL_JOIN_GAUSSIAN][1] - t.v[DTBL_JOIN_GAUSSIAN][0], 10, NAN, "pts",
       "join_gaussian");
  NOTE("figure 16", -5.9, t.v[DTBL_CLR_CAGE15][1] - t.v[DTBL_CLR_CAGE15][0], -10, 5, "pts",
       "clr_cage15");
  NOTE("figure 16", 0, t.v[DTBL_CLR_GRAPH500][1] - t.v[DTBL_CLR_GRAPH500][0], -10, 10, "pts",
       "clr_graph500");
  WHY(inputs);
  NOTE("figure 16", 0, t.v[DTBL_CLR_EVEN][1] - t.v[DTBL_CLR_EVEN][0], -10, 10, "pts",
       "colouring of a graph of even degrees");
  WHY(even);
}

static void dram_efficiency(dtbl_experiment *e) {
  static const dtbl_form forms[] = {DTBL_FLAT, DTBL_CDP, DTBL_DTBL, DTBL_DTBL_INF};
  const dtbl_table t = values(e, "17", "DRAM efficiency", "dram.efficiency", 1, forms, 4);
  NOTE("figure 17", 1.14, of_means(&t, 1, 0), 1.0, NAN, "x", "DRAM efficiency, CDP over flat");
  NOTE("figure 17", 1.27, of_means(&t, 2, 0), 1.1, NAN, "x", "DRAM efficiency, DTBL over flat");
  NOTE("figure 17", 1.08, of_means(&t, 2, 1), 1.0, NAN, "x", "DRAM efficiency, DTBL over CDP");
  WHY(overflow);
  NOTE("figure 17", 1.08, of_means(&t, 3, 1), NAN, NAN, "x", "the same, table without bound");
}

static void occupancy(dtbl_experiment *e) {
  static const dtbl_form forms[] = {DTBL_FLAT, DTBL_CDPI,      DTBL_DTBLI,   DTBL_CDP,
                                    DTBL_DTBL, DTBL_DTBLI_INF, DTBL_DTBL_INF};
  const dtbl_table t = values(e, "18", "SMX occupancy, %", "sm.occupancy", 100, forms, 7);
  NOTE("figure 18", 1.24, of_means(&t, 2, 1), 1.1, NAN, "x", "SMX occupancy, DTBLI over CDPI");
  WHY(overflow);
  NOTE("figure 18", 1.24, of_means(&t, 5, 1), NAN, NAN, "x", "the same, table without bound");
  NOTE("figure 18", 17.9, difference(&t, 2, 1), 3, NAN, "pts", "SMX occupancy, DTBLI less CDPI");
  WHY(overflow);
  NOTE("figure 18", 1.38, t.v[DTBL_BHT][2] / t.v[DTBL_BHT][1], 1.1, NAN, "x",
       "bht, DTBLI over CDPI");
  WHY(overflow);
  NOTE("figure 18", 1.14, t.v[DTBL_REGX_STRING][2] / t.v[DTBL_REGX_STRING][1], 1.05, NAN, "x",
       "regx_string, DTBLI over CDPI");
  WHY(overflow);
  NOTE("figure 18", 1.48, t.v[DTBL_REGX_STRING][4] / t.v[DTBL_REGX_STRING][3], 1.05, NAN, "x",
       "regx_string, DTBL over CDP");
  WHY(overflow);
  NOTE("figure 18", 1.01, t.v[DTBL_PRE][2] / t.v[DTBL_PRE][1], 0.9, 1.2, "x",
       "pre, DTBLI over CDPI");
  NOTE("figure 18", 0.865, of_means(&t, 3, 1), NAN, NAN, "x",
       "SMX occupancy, CDP over CDPI: latency");
  NOTE("figure 18", 0.924, of_means(&t, 4, 2), NAN, NAN, "x",
       "SMX occupancy, DTBL over DTBLI: latency");
}

/* Of the second form over the first, where both launch. */
static dtbl_table launch_ratio(dtbl_experiment *e, const char *figure, const char *title,
                               const char *path) {
  dtbl_table t = {
      .figure = figure,
      .title = title,
      .columns = 8,
      .names = {"CDPI", "DTBLI", "CDP", "DTBL", "DTBLI/CDPI", "DTBL/CDP", "inf/CDPI", "inf/CDP"}};
  static const dtbl_form forms[] = {DTBL_CDPI, DTBL_DTBLI, DTBL_CDP, DTBL_DTBL},
                         free_forms[] = {DTBL_DTBLI_INF, DTBL_DTBL_INF};
  for (int a = 0; a < DTBL_APPS; a++) {
    for (int c = 0; c < 4; c++)
      t.v[a][c] = launches(e, a, forms[c]) ? dtbl_number_or_0(e, a, forms[c], "", path) : NAN;
    for (int pair = 0; pair < 2; pair++) {
      const double from = t.v[a][2 * pair], to = t.v[a][2 * pair + 1];
      const double free_to = launches(e, a, free_forms[pair])
                                 ? dtbl_number_or_0(e, a, free_forms[pair], "", path)
                                 : NAN;
      t.v[a][4 + pair] = from > 0 && to > 0 ? to / from : NAN;
      t.v[a][6 + pair] = from > 0 && free_to > 0 ? free_to / from : NAN;
    }
  }
  dtbl_show(e, &t);
  return t;
}

static void waiting(dtbl_experiment *e) {
  const dtbl_table t = launch_ratio(e, "19", "cycles from asking for parameters to the first block",
                                    "launches.waiting_cycles");
  NOTE("figure 19", 0.812, dtbl_mean(&t, 4), NAN, 1, "x", "waiting, DTBLI over CDPI, mean");
  WHY(overflow);
  NOTE("figure 19", 0.759, dtbl_mean(&t, 5), NAN, 0.9, "x", "waiting, DTBL over CDP, mean");
  WHY(overflow);
  NOTE("figure 19", 0.812, dtbl_mean(&t, 6), NAN, NAN, "x",
       "waiting, DTBLI over CDPI, table without bound");
  NOTE("figure 19", 0.759, dtbl_mean(&t, 7), NAN, NAN, "x",
       "waiting, DTBL over CDP, table without bound");
  NOTE("figure 19", 0.582, t.v[DTBL_REGX_STRING][5], NAN, 0.9, "x",
       "waiting, regx_string, DTBL over CDP");
  WHY(overflow);
  NOTE("figure 19", 1, t.v[DTBL_CLR_GRAPH500][5], NAN, NAN, "x",
       "waiting, clr_graph500, DTBL over CDP");
}

static void footprint(dtbl_experiment *e) {
  const dtbl_table t =
      launch_ratio(e, "20", "bytes of launches that wait, at most", "launches.peak_bytes");
  NOTE("figure 20", 0.744, dtbl_mean(&t, 5), NAN, 0.9, "x", "footprint, DTBL over CDP, mean");
  NOTE("figure 20", 0.744, dtbl_mean(&t, 7), NAN, NAN, "x",
       "footprint, DTBL over CDP, table without bound");
  NOTE("figure 20", 0.488, t.v[DTBL_REGX_STRING][5], NAN, 0.9, "x",
       "footprint, regx_string, DTBL over CDP");
  NOTE("figure 20", 1, t.v[DTBL_CLR_GRAPH500][5], NAN, NAN, "x",
       "footprint, clr_graph500, DTBL over CDP");
}

static void performance(dtbl_experiment *e) {
  static const dtbl_form forms[] = {DTBL_CDPI, DTBL_DTBLI,     DTBL_CDP,
                                    DTBL_DTBL, DTBL_DTBLI_INF, DTBL_DTBL_INF};
  dtbl_table t = forms_table(e, "21", "speedup over the flat form", false, forms, 6),
             over = {.columns = 2}, joules = t;
  joules.figure = "21-energy";
  joules.title = "energy over the flat form's";
  for (int a = 0; a < DTBL_APPS; a++) {
    for (int c = 0; c < 6; c++) {
      t.v[a][c] = NUMBER(a, DTBL_FLAT, "cycles") / NUMBER(a, forms[c], "cycles");
      joules.v[a][c] =
          NUMBER(a, forms[c], "energy_joules.total") / NUMBER(a, DTBL_FLAT, "energy_joules.total");
    }
    over.v[a][0] = t.v[a][3] / t.v[a][2];
    over.v[a][1] = t.v[a][5] / t.v[a][2];
  }
  dtbl_show(e, &t);
  dtbl_show(e, &joules);
  NOTE("figure 21", 1.43, dtbl_mean(&t, 0), 1.43, NAN, "x", "speedup, CDPI, mean");
  NOTE("figure 21", 1.63, dtbl_mean(&t, 1), 1.63, NAN, "x", "speedup, DTBLI, mean");
  WHY(overflow);
  NOTE("figure 21", 0.86, dtbl_mean(&t, 2), NAN, 1, "x", "speedup, CDP, mean");
  WHY(small);
  NOTE("figure 21", 1.21, dtbl_mean(&t, 3), 1.21, NAN, "x", "speedup, DTBL, mean");
  WHY(overflow);
  NOTE("figure 21", 1.40, dtbl_mean(&over, 0), 1.2, NAN, "x", "DTBL over CDP, mean");
  WHY(overflow);
  NOTE("figure 21", 1.63, dtbl_mean(&t, 4), NAN, NAN, "x", "speedup, DTBLI, table without bound");
  NOTE("figure 21", 1.21, dtbl_mean(&t, 5), NAN, NAN, "x", "speedup, DTBL, table without bound");
  NOTE("figure 21", 1.40, dtbl_mean(&over, 1), NAN, NAN, "x", "DTBL over CDP, table without bound");
  NOTE("figure 21", 1.0, t.v[DTBL_BFS_ROAD][3], 0.97, 1.05, "x", "DTBL, bfs_usa_road");
  NOTE("figure 21", 1.0, t.v[DTBL_SSSP_FLIGHT][3], 0.97, 1.05, "x", "DTBL, sssp_flight");
  NOTE("figure 21", 0.97, t.v[DTBL_CLR_GRAPH500][3], 0.85, 1.1, "x", "DTBL, clr_graph500");
  WHY(inputs);
  NOTE("figure 21", 0.97, t.v[DTBL_CLR_EVEN][3], 0.85, 1.1, "x",
       "DTBL, colouring of a graph of even degrees");
  WHY(overflow);
  NOTE("figure 21", 2.73, t.v[DTBL_REGX_STRING][0], NAN, NAN, "x", "CDPI, regx_string");
  NOTE("figure 21", 3.10, t.v[DTBL_REGX_STRING][1], 1.5, NAN, "x", "DTBLI, regx_string");
  WHY(overflow);
  NOTE("figure 21", 0.95, t.v[DTBL_REGX_STRING][3], NAN, NAN, "x", "DTBL, regx_string");
  NOTE("energy", NAN, dtbl_mean(&joules, 3), NAN, 1, "x", "energy, DTBL over flat, mean");
  WHY(overflow);
}

static void kde_hits(dtbl_experiment *e) {
  dtbl_table t = {.figure = "22",
                  .title = "groups that find a kernel to join, of all",
                  .columns = 2,
                  .arithmetic = true,
                  .names = {"DTBLI", "DTBL"}};
  static const dtbl_form forms[] = {DTBL_DTBLI, DTBL_DTBL};
  for (int a = 0; a < DTBL_APPS; a++)
    for (int c = 0; c < 2; c++) {
      const double groups = dtbl_number_or_0(e, a, forms[c], "", "launches.groups"),
                   refused = dtbl_number_or_0(e, a, forms[c], "", "launches.groups_refused");
      t.v[a][c] = groups > 0 ? 1 - refused / groups : NAN;
    }
  dtbl_show(e, &t);
  NOTE("figure 22", 0.818, dtbl_mean(&t, 1), 0.75, NAN, "", "KDE hit rate, mean");
}

/* The table of groups, which only the RTL has. */
static void table_sizes(dtbl_experiment *e) {
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
      /* Lines of records kept by the unit and fetched ahead, as in the other figures. */
      {"lines", ""}};
  dtbl_table hits = {.figure = "23-hits",
                     .title = "groups that find a free entry, by entries",
                     .columns = 6,
                     .arithmetic = true},
             speed = {.figure = "23",
                      .title = "performance over that with 1024 entries",
                      .columns = 6},
             flat = {.columns = 6};
  for (int c = 0; c < 6; c++) {
    const char *options = tables[c].options;
    hits.names[c] = speed.names[c] = tables[c].name;
    for (int a = 0; a < DTBL_APPS; a++) {
      const double entry = dtbl_number_or_0(e, a, DTBL_DTBL, options, "unit.dtbl.agt_hits"),
                   memory = dtbl_number_or_0(e, a, DTBL_DTBL, options, "unit.dtbl.agt_overflows");
      hits.v[a][c] = entry + memory > 0 ? entry / (entry + memory) : NAN;
      speed.v[a][c] = !launches(e, a, DTBL_DTBL)
                          ? NAN
                          : dtbl_number(e, a, DTBL_DTBL, tables[1].options, "cycles") /
                                dtbl_number(e, a, DTBL_DTBL, options, "cycles");
      flat.v[a][c] =
          NUMBER(a, DTBL_FLAT, "cycles") / dtbl_number(e, a, DTBL_DTBL, options, "cycles");
    }
  }
  dtbl_show(e, &hits);
  dtbl_show(e, &speed);
  NOTE("figure 23", 0.622, dtbl_mean(&hits, 0), NAN, NAN, "", "AGT hit rate, 512 entries");
  NOTE("figure 23", 0.816, dtbl_mean(&hits, 1), 0.6, NAN, "", "AGT hit rate, 1024 entries");
  WHY(overflow);
  NOTE("figure 23", NAN, dtbl_mean(&hits, 2), NAN, NAN, "", "AGT hit rate, 2048 entries");
  NOTE("figure 23", 0.763, dtbl_mean(&speed, 0), NAN, 1, "x", "512 entries over 1024");
  NOTE("figure 23", 1.20, dtbl_mean(&speed, 2), 1, NAN, "x", "2048 entries over 1024");
  NOTE("beyond", NAN, dtbl_mean(&hits, 3), NAN, NAN, "",
       "AGT hit rate, SMs spread over the 1024 entries");
  NOTE("beyond", NAN, dtbl_mean(&flat, 3), NAN, NAN, "x",
       "speedup over flat, SMs spread over the entries");
  NOTE("beyond", NAN, dtbl_mean(&hits, 4), NAN, NAN, "", "AGT hit rate, at most 1024 wait");
  NOTE("beyond", NAN, dtbl_mean(&flat, 4), NAN, NAN, "x", "speedup over flat, at most 1024 wait");
  NOTE("beyond", NAN, dtbl_mean(&flat, 5), NAN, NAN, "x",
       "speedup over flat, records fetched ahead");
}

/* What stands behind the speedups. */
static void sizes(dtbl_experiment *e) {
  dtbl_table t = {.figure = "10",
                  .title = "size of the runs",
                  .columns = 6,
                  .arithmetic = true,
                  .names = {"Mcycles", "launches", "threads", "refused", "peak"}};
  for (int a = 0; a < DTBL_APPS; a++) {
    t.v[a][0] = NUMBER(a, DTBL_FLAT, "cycles") / 1e6;
    t.v[a][1] = dtbl_number_or_0(e, a, DTBL_CDP, "", "launches.kernels");
    t.v[a][2] = dtbl_number_or_0(e, a, DTBL_CDP, "", "launches.threads_per_launch");
    t.v[a][3] = dtbl_number_or_0(e, a, DTBL_DTBL, "", "launches.groups_refused");
    t.v[a][4] = dtbl_number_or_0(e, a, DTBL_CDP, "", "launches.peak_pending");
  }
  dtbl_show(e, &t);
}

void dtbl_figures(dtbl_experiment *e) {
  if (e->forms) {
    sizes(e);
    warp_activity(e);
    dram_efficiency(e);
    occupancy(e);
    waiting(e);
    footprint(e);
    performance(e);
    kde_hits(e);
  }
  if (e->table) table_sizes(e);
}
