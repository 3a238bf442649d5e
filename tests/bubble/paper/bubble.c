/* Figures 34, 38, 39 and 40 of chapter 6 of Wang, Acceleration and optimization of dynamic
 * parallelism for irregular applications on GPUs, and rivals. The baseline is LaPerm's scheduler,
 * as the paper's. Means of shares and differences are arithmetic, as it gives them. */
#include <math.h>
#include <string.h>

#include "tests/papers/paper.h"

/* Inputs after table 7, scaled to seconds. group: as the paper names them, for what they show
 * there; the others are its first. */
enum { ONE, TWO };
static const char *const groups[] = {"group1", "group2", NULL};
static const struct {
  const char *name, *arguments;
  int group;
} apps[] = {
    {"amr", "--app amr --set app.side=64 --set app.low=100", ONE},
    {"bht", "--app bht --set app.bodies=65536", ONE},
    {"bfs_citation", "--app bfs_dp --graph cite:n=32768,degree=4", ONE},
    {"bfs_cage15", "--app bfs_dp --graph band:n=16384", ONE},
    {"clr_citation", "--app clr --set app.rounds=1 --graph cite:n=16384,degree=4", ONE},
    {"clr_cage15", "--app clr --set app.rounds=1 --graph band:n=16384", ONE},
    {"join_gaussian",
     "--app join --set app.spread=gaussian --set app.left=8192 --set app.right=12288 --set "
     "app.keys=1024",
     ONE},
    {"sssp_citation", "--app sssp_dp --graph cite:n=8192,degree=4", ONE},
    {"sssp_cage15", "--app sssp_dp --graph band:n=2048", ONE},
    {"bfs_graph500", "--app bfs_dp --graph rmat:scale=13,edges=130000,a=0.57,b=0.19,c=0.19,d=0.05",
     TWO},
    {"clr_graph500",
     "--app clr --set app.rounds=1 --graph "
     "rmat:scale=12,edges=130000,a=0.57,b=0.19,c=0.19,d=0.05",
     TWO},
    {"sssp_graph500", "--app sssp_dp --graph rmat:scale=11,edges=30000,a=0.57,b=0.19,c=0.19,d=0.05",
     TWO},
    {"regx_darpa", "--app regx --set app.texts=2048", TWO},
    {"regx_string", "--app regx --set app.kind=strings --set app.texts=4096", TWO},
    {"pre", "--app pre --set app.users=1024 --set app.products=512 --set app.least=1000", TWO},
    {"join_uniform", "--app join --set app.left=8192 --set app.right=16384 --set app.keys=1024",
     TWO},
};
enum { APPS = sizeof apps / sizeof apps[0], BHT = 1, BFS_CITATION = 2, JOIN_GAUSSIAN = 6 };

/* WATCH: samples are taken, nothing else is done. FEWER: SMs, without the unit. */
typedef enum form {
  PLAIN,
  WATCH,
  FULL,
  SLOW,
  AT_ONCE,
  DIVERT,
  EMPTY,
  FREE,
  FEWER,
  QUICK,
  QUICKER,
  QUICK_SLOW,
  QUICK_TWO,
  TWO_WARPS,
  EIGHT_WARPS,
  DRAIN_1,
  DRAIN_40,
  FORMS
} form;
static const struct {
  const char *name, *options;
} forms[FORMS] = {
    [PLAIN] = {"plain", "--unit laperm"},
    [WATCH] = {"watch", "--unit laperm,bubble:drain=0 --set bubble.gpu_level=0"},
    [FULL] = {"full", "--unit laperm,bubble"},
    [SLOW] = {"P20", "--unit laperm,bubble:transition=20"},
    [AT_ONCE] = {"at_once", "--unit laperm,bubble:mode=at_once"},
    [DIVERT] = {"divert", "--unit laperm,bubble:mode=divert"},
    [EMPTY] = {"empty", "--unit laperm,bubble:threshold=1"},
    [FREE] = {"P0", "--unit laperm,bubble:transition=0"},
    [FEWER] = {"10SMs", "--unit laperm --set core.sms=10"},
    [QUICK] = {"100", "--unit laperm,bubble:sample=100"},
    [QUICKER] = {"50", "--unit laperm,bubble:sample=50"},
    [QUICK_SLOW] = {"100-P5", "--unit laperm,bubble:sample=100 --set bubble.transition=5"},
    [QUICK_TWO] = {"100-T2", "--unit laperm,bubble:sample=100 --set bubble.threshold=2"},
    [TWO_WARPS] = {"T2", "--unit laperm,bubble:threshold=2"},
    [EIGHT_WARPS] = {"T8", "--unit laperm,bubble:threshold=8"},
    [DRAIN_1] = {"W1", "--unit laperm,bubble:drain=1"},
    [DRAIN_40] = {"W40", "--unit laperm,bubble:drain=40"},
};

static const char diverted[] =
    "blocks gather on few SMs; diversion without DVFS costs as much time",
                  inputs[] = "inputs of seconds leave SMs without blocks";

static const cJSON *result_of(paper *p, int app, form f) {
  char label[64];
  snprintf(label, sizeof label, "%s-%s", apps[app].name, forms[f].name);
  return paper_result(p, label, "--config k20c %s --set app.form=dtbl %s", apps[app].arguments,
                      forms[f].options);
}
static double number(paper *p, int app, form f, const char *path) {
  return paper_number(result_of(p, app, f), path);
}

static paper_table of_apps(const char *file, const char *title, const char *const *columns) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_ARITHMETIC, .groups = groups};
  for (int a = 0; a < APPS; a++) paper_row(&t, apps[a].group, "%s", apps[a].name);
  for (; *columns; columns++) paper_column(&t, *columns);
  return t;
}

/* Of the same application without control: percent of energy saved, of time lost. */
static double saved(paper *p, int app, form f) {
  const char *total = "energy_joules.total";
  return 100 * (1 - number(p, app, f, total) / number(p, app, PLAIN, total));
}
static double lost(paper *p, int app, form f) {
  return 100 * (number(p, app, f, "cycles") / number(p, app, PLAIN, "cycles") - 1);
}

/* Bubbles without control, and what gating the idle SMs in them would save at most. */
static void bubbles(paper *p) {
  static const char *const columns[] = {
      "bubbles%", "idle-SMs-of-power%", "gated%", "low55%", "low30%", "low16%", NULL};
  /* An SM's leakage and idle clocks (energy_table.c), and what is left of them when it is low. */
  const double leak = 3.2, clock = 1.59, low_clock = clock * 0.55 * 0.55 * 100 / 706;
  static const double leaks[] = {0.55, 0.30, 0.16};
  paper_table t =
      of_apps("34", "Figure 34: bubbles, and the most that can be saved in them", columns);
  for (int a = 0; a < APPS; a++) {
    const double seconds = number(p, a, WATCH, "cycles") / 706e6;
    const double idle = 13 * (leak + clock) * seconds / number(p, a, PLAIN, "energy_joules.total");
    const double share = number(p, a, WATCH, "unit.bubble.bubble_share");
    t.v[a][0] = 100 * share;
    t.v[a][1] = 100 * idle;
    t.v[a][2] = 100 * share * idle;
    for (int l = 0; l < 3; l++)
      t.v[a][3 + l] = 100 * share * idle * (1 - (leak * leaks[l] + low_clock) / (leak + clock));
  }
  paper_show(p, &t);
  paper_note(p, "figure 34", 32.7, paper_mean_of(&t, 0, ONE, ONE), 20, NAN, "%",
             "bubbles, group 1, mean");
  paper_note(p, "figure 34", 4.1, paper_mean_of(&t, 0, TWO, TWO), NAN, 15, "%",
             "bubbles, group 2, mean");
  paper_why(p, inputs);
  paper_note(p, "figure 34", 45.7, t.v[JOIN_GAUSSIAN][0], 20, NAN, "%", "bubbles, join_gaussian");
  paper_why(p, inputs);
  paper_note(p, "figure 34", 27.7, t.v[BHT][0], 15, NAN, "%", "bubbles, bht");
  paper_note(p, "figure 34", 24.5, paper_mean_of(&t, 2, ONE, ONE), 12, NAN, "%",
             "ideal gating saves, group 1, mean");
  paper_note(p, "figure 34", 1.1, paper_mean_of(&t, 2, TWO, TWO), NAN, 5, "%",
             "ideal gating saves, group 2, mean");
  paper_why(p, inputs);
}

static void control(paper *p) {
  static const char *const columns[] = {
      "saved%",     "at-V^2",    "at-DIBL",        "bound%",        "lost%",    "EDP",
      "P20-saved%", "P20-lost%", "at_once-saved%", "at_once-lost%", "emptied%", NULL};
  enum { SAVED, SQUARE, DIBL, BOUND, LOST, EDP, SAVED_20, LOST_20, SAVED_ONCE, LOST_ONCE, EMPTIED };
  paper_table t =
      of_apps("38", "Figures 38 to 40: energy saved, time lost, over no control", columns);
  for (int a = 0; a < APPS; a++) {
    const double base = number(p, a, PLAIN, "energy_joules.total");
    const double high = number(p, a, FULL, "energy_joules.total") /
                        (1 - number(p, a, FULL, "energy_joules.low.saved"));
    t.v[a][SAVED] = saved(p, a, FULL);
    t.v[a][SQUARE] =
        100 * (1 - high * (1 - number(p, a, FULL, "energy_joules.low.saved_leak_30")) / base);
    t.v[a][DIBL] =
        100 * (1 - high * (1 - number(p, a, FULL, "energy_joules.low.saved_leak_16")) / base);
    t.v[a][BOUND] = 100 * number(p, a, FULL, "unit.bubble.bubble_share") *
                    number(p, a, FULL, "energy_joules.low.power_share");
    t.v[a][LOST] = lost(p, a, FULL);
    t.v[a][EDP] = (1 - t.v[a][SAVED] / 100) * (1 + t.v[a][LOST] / 100);
    t.v[a][SAVED_20] = saved(p, a, SLOW) - t.v[a][SAVED];
    t.v[a][LOST_20] = lost(p, a, SLOW) - t.v[a][LOST];
    t.v[a][SAVED_ONCE] = saved(p, a, AT_ONCE) - t.v[a][SAVED];
    t.v[a][LOST_ONCE] = lost(p, a, AT_ONCE) - t.v[a][LOST];
    const double emptied = number(p, a, FULL, "unit.bubble.emptied"),
                 vain = number(p, a, FULL, "unit.bubble.vain");
    t.v[a][EMPTIED] = emptied + vain > 0 ? 100 * emptied / (emptied + vain) : NAN;
  }
  paper_show(p, &t);
  paper_note(p, "figure 38", 15.9, paper_mean_of(&t, SAVED, ONE, ONE), 5, NAN, "%",
             "energy saved, group 1, mean");
  paper_why(p, diverted);
  paper_note(p, "figure 38", 15.9, paper_mean_of(&t, DIBL, ONE, ONE), NAN, NAN, "%",
             "energy saved, group 1, leakage of 0.16");
  paper_note(p, "figure 38", 6.7, paper_mean_of(&t, LOST, ONE, ONE), NAN, 15, "%",
             "time lost, group 1, mean");
  paper_why(p, diverted);
  paper_note(p, "figure 38", 1.0, paper_mean_of(&t, SAVED, TWO, TWO), 0, NAN, "%",
             "energy saved, group 2, mean");
  paper_why(p, diverted);
  paper_note(p, "figure 38", 0.5, paper_mean_of(&t, LOST, TWO, TWO), NAN, 5, "%",
             "time lost, group 2, mean");
  paper_why(p, diverted);
  paper_note(p, "figure 38", 24.9, t.v[JOIN_GAUSSIAN][SAVED], 5, NAN, "%",
             "energy saved, join_gaussian");
  paper_note(p, "figure 38", 2.5, t.v[BHT][SAVED], 0, NAN, "%", "energy saved, bht");
  paper_note(p, "figure 38", 17.4, t.v[BHT][LOST], 5, 30, "%", "time lost, bht");
  paper_note(p, "figure 38", 1.5, t.v[BFS_CITATION][LOST], NAN, 10, "%", "time lost, bfs_citation");
  paper_why(p, diverted);
  paper_note(p, "figure 38", 0.90, paper_mean_of(&t, EDP, ONE, ONE), NAN, 1, "x",
             "energy times delay, group 1, mean");
  paper_why(p, diverted);
  paper_note(p, "text", 95.4, paper_mean_of(&t, EMPTIED, ONE, ONE), 80, NAN, "%",
             "drains that end within W, group 1, mean (the paper: at most)");
  paper_note(p, "figure 39", -1.2, paper_mean_of(&t, SAVED_20, ONE, ONE), NAN, 0, "pts",
             "P of 10000 cycles less 500, energy saved, group 1");
  paper_note(p, "figure 39", 0.6, paper_mean_of(&t, LOST_20, ONE, ONE), NAN, 5, "pts",
             "P of 10000 cycles less 500, time lost, group 1");
  paper_why(p, diverted);
  paper_note(p, "figure 40", NAN, paper_mean_of(&t, SAVED_ONCE, ONE, ONE), -5, 5, "pts",
             "without draining less with, energy saved, group 1");
  paper_note(p, "figure 40", -3.2, t.v[0][SAVED_ONCE], NAN, 1, "pts", "amr, energy saved");
  paper_note(p, "figure 40", 7.9, t.v[0][LOST_ONCE], 0, NAN, "pts", "amr, time lost");
  paper_note(p, "figure 40", -1.2, t.v[JOIN_GAUSSIAN][SAVED_ONCE], NAN, 1, "pts",
             "join_gaussian, energy saved");
  paper_note(p, "figure 40", 4.4, t.v[JOIN_GAUSSIAN][LOST_ONCE], 0, NAN, "pts",
             "join_gaussian, time lost");
}

/* Energy, time and their product over no control, of forms up to PLAIN. */
static paper_table over_none(paper *p, const char *file, const char *what, const form *shown) {
  const char *columns[FORMS + 1] = {0};
  char files[2][32], titles[3][64];
  for (int c = 0; shown[c] != PLAIN; c++) columns[c] = forms[shown[c]].name;
  snprintf(files[0], sizeof files[0], "%s-energy", file);
  snprintf(files[1], sizeof files[1], "%s-time", file);
  snprintf(titles[0], sizeof titles[0], "%s: energy over no control", what);
  snprintf(titles[1], sizeof titles[1], "%s: time over no control", what);
  snprintf(titles[2], sizeof titles[2], "%s: energy times delay over no control", what);
  paper_table energy = of_apps(files[0], titles[0], columns),
              time = of_apps(files[1], titles[1], columns), edp = of_apps(file, titles[2], columns);
  for (int a = 0; a < APPS; a++) {
    for (int c = 0; shown[c] != PLAIN; c++) {
      energy.v[a][c] = 1 - saved(p, a, shown[c]) / 100;
      time.v[a][c] = 1 + lost(p, a, shown[c]) / 100;
      edp.v[a][c] = energy.v[a][c] * time.v[a][c];
    }
  }
  energy.mean = time.mean = edp.mean = PAPER_GEOMETRIC;
  paper_show(p, &energy);
  paper_show(p, &time);
  paper_show(p, &edp);
  for (int c = 0; shown[c] != PLAIN; c++)
    paper_note(p, file, NAN, paper_mean_all(&edp, c), NAN, NAN, "x",
               "energy times delay over no control, %s", columns[c]);
  return edp;
}

/* The best of each row is what control is worth. */
static void rivals(paper *p) {
  static const form shown[] = {FULL, DIVERT, EMPTY, FREE, FEWER, PLAIN};
  over_none(p, "rivals", "Rivals", shown);
}

/* What the paper leaves at one value: sample, T, W; with short samples P is short too, or 500
 * cycles as before. */
static void sweep(paper *p) {
  static const form shown[] = {FULL,      QUICK,       QUICKER, QUICK_SLOW, QUICK_TWO,
                               TWO_WARPS, EIGHT_WARPS, DRAIN_1, DRAIN_40,   PLAIN};
  const paper_table edp = over_none(p, "sweep", "Sample, T, W", shown);
  double energy = 0, time = 0; /* percent, means of samples of 50 cycles */
  for (int a = 0; a < APPS; a++) {
    energy += saved(p, a, QUICKER) / APPS;
    time += lost(p, a, QUICKER) / APPS;
  }
  paper_note(p, "sweep", NAN, energy, 0, NAN, "%", "energy saved, samples of 50 cycles, mean");
  paper_note(p, "sweep", NAN, time, NAN, 5, "%", "time lost, samples of 50 cycles, mean");
  paper_note(p, "sweep", NAN, paper_mean_all(&edp, 2), NAN, 1, "x",
             "energy times delay, samples of 50 cycles, mean");
}

static const paper_part parts[] = {{"34", "Figure 34: bubbles", bubbles, false},
                                   {"38", "Figures 38 to 40: control", control, false},
                                   {"rivals", "Rivals", rivals, false},
                                   {"sweep", "Samples, thresholds and drains", sweep, true},
                                   {0}};
const paper_unit paper_this = {"bubble", "Occupancy bubbles", parts};
