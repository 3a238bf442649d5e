/* Chapter 5 of the thesis on graph programs: strategies of BFS, SSSP and colouring on graphs of
 * five kinds, on its K40c. The forms are those of sim/apps/graph/driven.h. */
#include "tests/strategies/paper/strategies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BFS, SSSP, CLR, ALGORITHMS };
enum { THREAD, WARP, BALLOT, QUEUE, UNROLL, FORMS };
enum { WEB, SOCIAL, ROAD, ER, RGG, GRAPHS, STRIP = GRAPHS, ALL_GRAPHS };

static const struct {
  const char *name, *app, *options;
  int forms; /* that it has */
} algorithms[ALGORITHMS] = {{"BFS", "gbfs", " --set app.undirected=1", FORMS},
                            {"SSSP", "gsssp", " --set app.undirected=1", UNROLL},
                            {"CLR", "gclr", "", UNROLL}};
static const char *const forms[FORMS] = {"thread", "warp", "warp --set app.ballot=1", "queue",
                                         "unroll"},
                         *const form_names[FORMS] = {"thread", "warp", "ballot", "queue", "unroll"};

/* Tables 15 to 17: the thesis' graph, and what stands for it; the same, smaller, for colouring. */
static const struct {
  const char *name, *stands_for, *small, *small_clr, *full;
  double rounds[ALGORITHMS], warp_over_thread[ALGORITHMS];
} graphs[ALL_GRAPHS] = {{"web",
                         "in-2004",
                         "data/debian12.mtx.gz",
                         "rmat:scale=12,edges=40000",
                         "graphs/cnr-2000.mtx.gz",
                         {26, 64, 708},
                         {117.28 / 40.76, 346.72 / 105.84, 3104.86 / 6817.73}},
                        {"social",
                         "coPapersDBLP",
                         "cite:n=8192,degree=28",
                         "cite:n=2048,degree=28",
                         "cite:n=131072,degree=28",
                         {15, 76, 423},
                         {16.67 / 10.97, 357.56 / 89.57, 428.10 / 1551.16}},
                        {"road",
                         "great-britain",
                         "grid:x=90,y=90",
                         "grid:x=90,y=90",
                         "graphs/USA-road-d.NY.gr.gz",
                         {6389, 6432, 12},
                         {3090.12 / 27220.40, 5616.61 / 30045.40, 17.56 / 97.45}},
                        {"er",
                         "er-fact1.5-scale22",
                         "er:scale=13",
                         "er:scale=12",
                         "er:scale=18",
                         {7, 40, 68},
                         {151.58 / 77.54, 1393.94 / 921.59, 731.83 / 2836.51}},
                        {"rgg",
                         "rgg_n_2_22_s0",
                         "rgg:scale=13",
                         "rgg:scale=13",
                         "rgg:scale=18",
                         {1141, 2549, 38},
                         {512.62 / 3327.49, 19760.71 / 13120.24, 125.33 / 328.74}},
                        {"strip",
                         "roads of many rounds",
                         "grid:x=8,y=1500",
                         "grid:x=8,y=1500",
                         "grid:x=64,y=6000",
                         {NAN, NAN, NAN},
                         {NAN, NAN, NAN}}};

bool strategies_full(void) {
  const char *scale = getenv("SCALE");
  if (scale && *scale && strcmp(scale, "full") != 0)
    paper_fail("SCALE=%s: expected full, or nothing", scale);
  return scale && *scale;
}

/* False: its file is not there. */
static bool path_of(const paper *p, int a, int g, char path[PAPER_PATH]) {
  const char *spec = strategies_full() ? graphs[g].full
                     : a == CLR        ? graphs[g].small_clr
                                       : graphs[g].small;
  if (strncmp(spec, "graphs/", 7) != 0) return snprintf(path, PAPER_PATH, "%s", spec) > 0;
  return paper_shared(p, spec, path);
}

static const cJSON *result(paper *p, int a, int g, int form, const char *options) {
  char path[PAPER_PATH];
  if (form >= algorithms[a].forms || !path_of(p, a, g, path)) return NULL;
  return paper_result(p, algorithms[a].app,
                      "--config k40c --app %s --graph %s%s --set app.strategy=%s%s",
                      algorithms[a].app, path, algorithms[a].options, forms[form], options);
}

static double number(paper *p, int a, int g, int form, const char *key) {
  return paper_number(result(p, a, g, form, ""), key);
}

/* How many times as fast as the thread form. */
static double speed(paper *p, int a, int g, int form) {
  return number(p, a, g, THREAD, "cycles") / number(p, a, g, form, "cycles");
}

/* ---- table 17: warp over thread; table 16: rounds ---- */

static void tables(paper *p) {
  paper_table t = {.file = "17",
                   .title = "Table 17 and figures 55 to 74: speed over the thread form",
                   .mean = PAPER_GEOMETRIC},
              rounds = {.file = "16", .title = "Table 16: rounds, beside the thesis'"};
  for (int f = WARP; f < FORMS; f++) paper_column(&t, form_names[f]);
  paper_column(&t, "thesis-warp");
  paper_column(&rounds, "ours");
  paper_column(&rounds, "thesis");
  for (int a = 0; a < ALGORITHMS; a++)
    for (int g = 0; g < GRAPHS; g++) {
      const int r = paper_row(&t, 0, "%s/%s", algorithms[a].name, graphs[g].name),
                s = paper_row(&rounds, 0, "%s/%s", algorithms[a].name, graphs[g].name);
      for (int f = WARP; f < FORMS; f++) t.v[r][f - WARP] = speed(p, a, g, f);
      t.v[r][FORMS - WARP] = graphs[g].warp_over_thread[a];
      rounds.v[s][0] = number(p, a, g, THREAD, "supersteps");
      rounds.v[s][1] = graphs[g].rounds[a];
      char path[PAPER_PATH];
      if (paper_reporting(p) && !path_of(p, a, g, path))
        printf("SKIPPED %s on %s: %s is not there\n", algorithms[a].name, graphs[g].name, path);
      if (isnan(t.v[r][0])) continue;
      paper_note(p, "table 17", graphs[g].warp_over_thread[a], t.v[r][0], NAN, NAN, "x",
                 "%s: speed of warp over thread, %s for %s", algorithms[a].name, graphs[g].name,
                 graphs[g].stands_for);
    }
  paper_show(p, &t);
  paper_show(p, &rounds);
}

/* ---- what the text says of figures 55 to 74 ---- */

/* The form of fewest cycles; FORMS while runs are collected. The thesis has no ballot. */
static int fastest(paper *p, int a, int g) {
  int best = FORMS;
  for (int f = 0; f < algorithms[a].forms; f++)
    if (f != BALLOT && !(number(p, a, g, f, "cycles") >=
                         (best == FORMS ? INFINITY : number(p, a, g, best, "cycles"))))
      best = f;
  return best;
}

static void order(paper *p) {
  static const int best_bfs[GRAPHS] = {WARP, WARP, QUEUE, WARP, THREAD},
                   best_sssp[GRAPHS] = {WARP, WARP, THREAD, WARP, WARP};
  char path[PAPER_PATH];
  for (int g = 0; g < GRAPHS; g++) {
    const bool clr = path_of(p, CLR, g, path);
    if (!clr) continue;
    const int expected[ALGORITHMS] = {best_bfs[g], best_sssp[g], THREAD};
    for (int a = 0; a < ALGORITHMS; a++) {
      const int best = fastest(p, a, g);
      paper_note(p,
                 a == BFS    ? "figures 55-63"
                 : a == SSSP ? "figures 65-69"
                             : "figures 70-74",
                 1, best == expected[a], NAN, NAN, "", "%s, %s: %s is fastest (ours: %s)",
                 algorithms[a].name, graphs[g].name, form_names[expected[a]],
                 best == FORMS ? "-" : form_names[best]);
    }
    paper_note(p, "figures 55-63", NAN, speed(p, BFS, g, UNROLL), NAN, 1, "x",
               "BFS, %s: unroll over thread", graphs[g].name);
    paper_why(p, "threads follow a small grid's paths by themselves: few rounds");
  }
}

/* ---- figures 55 to 63, c to f: power, energy, instructions and DRAM accesses of BFS ---- */

static void power(paper *p) {
  enum { WATTS, JOULES, WARP_INSTRUCTIONS, THREAD_INSTRUCTIONS, ACCESSES, PER_CYCLE, COLUMNS };
  paper_table t = {
      .file = "55",
      .title = "BFS: power; energy, instructions, DRAM accesses over the thread form\'s",
      .columns = COLUMNS,
      .names = {"W", "J", "warp-instructions", "thread-instructions", "DRAM", "DRAM/kcycle"}};
  static const char *const keys[] = {"energy_joules.watts", "energy_joules.total",
                                     "warp_instructions", "thread_instructions"};
  for (int g = 0; g < GRAPHS; g++)
    for (int f = 0; f < FORMS; f++) {
      const int r = paper_row(&t, 0, "%s/%s", graphs[g].name, form_names[f]);
      double accesses[2];
      for (int i = 0; i < 2; i++)
        accesses[i] = number(p, BFS, g, i ? f : THREAD, "dram.reads") +
                      number(p, BFS, g, i ? f : THREAD, "dram.writes");
      t.v[r][WATTS] = number(p, BFS, g, f, keys[WATTS]);
      for (int c = JOULES; c <= THREAD_INSTRUCTIONS; c++)
        t.v[r][c] = number(p, BFS, g, f, keys[c]) / number(p, BFS, g, THREAD, keys[c]);
      t.v[r][ACCESSES] = accesses[1] / accesses[0];
      t.v[r][PER_CYCLE] = 1000 * accesses[1] / number(p, BFS, g, f, "cycles");
    }
  paper_show(p, &t);
  for (int g = 0; g < GRAPHS; g++) {
    const double warp = number(p, BFS, g, WARP, keys[WARP_INSTRUCTIONS]) /
                        number(p, BFS, g, THREAD, keys[WARP_INSTRUCTIONS]);
    if (isnan(warp)) continue;
    paper_note(p, "figures 55-63", NAN, warp, 1, NAN, "x",
               "BFS, %s: warp instructions, warp over thread", graphs[g].name);
  }
  paper_note(p, "figure 55", 95.0 / 75, t.v[WARP][WATTS] / t.v[THREAD][WATTS], NAN, NAN, "x",
             "BFS, web: power, warp over thread");
  paper_note(p, "figure 59", NAN, t.v[ROAD * FORMS + QUEUE][WATTS] / t.v[ROAD * FORMS][WATTS], NAN,
             1, "x", "BFS, road: power, queue over thread");
  paper_note(p, "figure 63", NAN, t.v[RGG * FORMS + QUEUE][WATTS] / t.v[RGG * FORMS][WATTS], NAN, 1,
             "x", "BFS, rgg: power, queue over thread");
}

/* ---- what the host's 5 us for each kernel change ---- */

static void host(paper *p) {
  static const struct {
    int a, g;
  } shown[] = {{BFS, ROAD}, {BFS, RGG}, {BFS, STRIP}, {SSSP, ROAD}, {SSSP, RGG}};
  static const char *const names[] = {"warp",       "warp+5us", "ballot",
                                      "ballot+5us", "queue",    "queue+5us"};
  paper_table t = {.file = "host",
                   .title = "Speed over the thread form, kernels begun in no time and in 5 us"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) paper_column(&t, names[i]);
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    static const char set[] = " --set launch.host=3725"; /* at 745 MHz */
    const int a = shown[i].a, g = shown[i].g,
              r = paper_row(&t, 0, "%s/%s", algorithms[a].name, graphs[g].name);
    for (int f = WARP; f < UNROLL; f++) {
      const int c = 2 * (f - WARP);
      t.v[r][c] = t.v[r][c + 1] = NAN;
      if (g == STRIP && f == WARP) continue; /* takes long */
      t.v[r][c] = speed(p, a, g, f);
      t.v[r][c + 1] = paper_number(result(p, a, g, THREAD, set), "cycles") /
                      paper_number(result(p, a, g, f, set), "cycles");
    }
    if (!isnan(t.v[r][1]))
      paper_note(p, "table 17", graphs[g].warp_over_thread[a], t.v[r][1], NAN, NAN, "x",
                 "%s: warp over thread, %s, with 5 us a kernel", algorithms[a].name,
                 graphs[g].name);
  }
  paper_show(p, &t);
  paper_note(p, "figure 59", NAN, t.v[2][5], 1, NAN, "x",
             "BFS, strip: queue over thread, with 5 us a kernel");
}

/* ---- figure 79: loops of the thread form ---- */

enum { PLAIN, SWP, SWPNC, UNR2, UNR3, UNR2_SWP, UNR2_SWPNC, LOOPS };

static const char *const loop_names[LOOPS] = {"plain", "SWP",      "SWPNC",     "UNR2",
                                              "UNR3",  "UNR2_SWP", "UNR2_SWPNC"};

static const cJSON *loop_result(paper *p, int g, int loop) {
  static const char *const options[LOOPS] = {"plain", "swp",      "swpnc",     "unr2",
                                             "unr3",  "unr2_swp", "unr2_swpnc"};
  char set[40];
  snprintf(set, sizeof set, " --set app.loop=%s", options[loop]);
  return result(p, BFS, g, THREAD, set);
}

static double of_loop(paper *p, int g, int loop, const char *key) {
  return paper_number(loop_result(p, g, loop), key);
}

/* Plain over the loop's, or the loop's over plain. */
static paper_table loops_table(paper *p, const char *file, const char *title, const char *key,
                               bool speed) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_GEOMETRIC};
  for (int l = SWP; l < LOOPS; l++) paper_column(&t, loop_names[l]);
  for (int g = 0; g < GRAPHS; g++) {
    const int r = paper_row(&t, 0, "%s", graphs[g].name);
    for (int l = SWP; l < LOOPS; l++) {
      const double ratio = of_loop(p, g, l, key) / of_loop(p, g, PLAIN, key);
      t.v[r][l - SWP] = speed ? 1 / ratio : ratio;
    }
  }
  paper_show(p, &t);
  return t;
}

/* Table 18: registers of a thread, blocks of 256 on an SM. The thesis' card has room for more
 * blocks than its three: so few follow from its larger blocks. */
static void occupancy(paper *p) {
  static const double registers[LOOPS] = {13, 15, 16, 19, 24, 20, 20},
                      blocks[LOOPS] = {3, 3, 3, 3, 2, 3, 3};
  paper_table t = {.file = "18",
                   .title = "Table 18: registers of a thread, and blocks on an SM",
                   .columns = 4,
                   .names = {"registers", "thesis-registers", "blocks", "thesis-blocks"}};
  for (int l = 0; l < LOOPS; l++) {
    const cJSON *kernels = cJSON_GetObjectItem(loop_result(p, WEB, l), "kernels");
    const cJSON *first = cJSON_GetArrayItem(kernels, 0);
    const int r = paper_row(&t, 0, "%s", loop_names[l]);
    t.v[r][0] = paper_number(first, "registers");
    t.v[r][1] = registers[l];
    t.v[r][2] = paper_number(first, "ctas_per_sm");
    t.v[r][3] = blocks[l];
    paper_note(p, "table 18", registers[l], t.v[r][0], NAN, NAN, "", "registers, %s",
               loop_names[l]);
  }
  paper_show(p, &t);
}

static void loops(paper *p) {
  static const int gain[] = {WEB, SOCIAL, ER}, none[] = {ROAD, RGG};
  const paper_table t = loops_table(p, "79-speed", "Figure 79a: speed over the plain loop",
                                    "cycles", true),
                    n = loops_table(p, "79-instructions", "Figure 79b: instructions over its",
                                    "thread_instructions", false);
  loops_table(p, "79-dram", "Figure 79c: DRAM reads over its", "dram.reads", false);
  occupancy(p);
  paper_note(p, "figure 79a", NAN, t.v[WEB][0], NAN, 1, "x", "SWP: speed, web");
  for (size_t i = 0; i < sizeof gain / sizeof *gain; i++) {
    const int g = gain[i];
    paper_note(p, "figure 79b", NAN, n.v[g][0], 1, NAN, "x", "SWP: instructions, %s",
               graphs[g].name);
    paper_note(p, "figure 79a", NAN, t.v[g][UNR2 - SWP], 1, NAN, "x", "UNR2: speed, %s",
               graphs[g].name);
    paper_note(p, "figure 79b", NAN, n.v[g][UNR2 - SWP], NAN, 1, "x", "UNR2: instructions, %s",
               graphs[g].name);
    paper_note(p, "figure 79a", NAN, t.v[g][UNR2_SWP - SWP] / t.v[g][UNR2 - SWP], NAN, 1, "x",
               "UNR2_SWP over UNR2: speed, %s", graphs[g].name);
  }
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    paper_note(p, "figure 79a", 1, t.v[none[i]][UNR2 - SWP], NAN, NAN, "x", "UNR2: speed, %s",
               graphs[none[i]].name);
}

static const paper_part parts[] = {
    {"17", "tables 16 and 17: warp over thread", tables, false},
    {"best", "figures 55 to 74: the fastest form", order, false},
    {"55", "figures 55 to 63: power, energy, instructions, DRAM", power, false},
    {"host", "the host's time for a kernel", host, false},
    {"map", "Which strategy wins on which graph, with and without each unit", strategies_map, true},
    {"79", "Figure 79 and table 18: prefetching in the source, and unrolled loops", loops, true},
    {0}};
const paper_unit paper_this = {
    "strategies", "Implementation strategies of graph programs (chapter 5 of the thesis)", parts};
