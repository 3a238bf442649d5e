/* Figures 32 to 35 and 38 to 40 of chapter 6 of Wang, Acceleration and optimization of dynamic
 * parallelism for irregular applications on GPUs, and rivals. The baseline is LaPerm's scheduler,
 * as the paper's. Means of shares and differences are arithmetic, as it gives them. */
#include <math.h>
#include <string.h>

#include "tests/bubble/paper/bubble.h"
#include "tests/papers/launched.h"

/* The inputs of table 7. group: as the paper names them, for what they show there; the others are
 * its first. */
enum { ONE, TWO };
static const char *const groups[] = {"group1", "group2", NULL};
static const struct {
  int input, group;
} apps[] = {
    {AMR, ONE},          {BHT, ONE},          {BFS_CITATION, ONE},  {BFS_CAGE15, ONE},
    {CLR_CITATION, ONE}, {CLR_CAGE15, ONE},   {JOIN_GAUSSIAN, ONE}, {SSSP_CITATION, ONE},
    {SSSP_CAGE15, ONE},  {BFS_GRAPH500, TWO}, {CLR_GRAPH500, TWO},  {SSSP_GRAPH500, TWO},
    {REGX_DARPA, TWO},   {REGX_STRING, TWO},  {PRE, TWO},           {JOIN_UNIFORM, TWO},
};
enum { APPS = sizeof apps / sizeof apps[0] };

static int row_of(int input) {
  int a = 0;
  while (apps[a].input != input) a++;
  return a;
}

/* WATCH: samples are taken, nothing else is done; LEVEL: only the whole GPU goes low. Without the
 * unit: fewer SMs; all SMs at a lower clock and voltage; the GPU's own dispatcher, OWN, and blocks
 * on the fullest SM, PACKED, empty ones of which go low in PACKED_LOW; persistent threads in place
 * of launches; software that launches nothing. */
typedef enum form {
  PLAIN,
  WATCH,
  FULL,
  SLOW,
  AT_ONCE,
  DIVERT,
  EMPTY,
  LEVEL,
  FREE,
  SMS_10,
  SMS_7,
  MHZ_600,
  MHZ_500,
  MHZ_400,
  MHZ_300,
  OWN,
  PACKED,
  PACKED_LOW,
  PT_64,
  PT_128,
  PT_256,
  FLAT,
  BINS,
  SCAN,
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
#define DTBL "app.form=dtbl "
/* V = 0.55 + 0.45 (f - 100) / 600 of the full one; leakage goes with it. */
#define ALL_AT(MHZ, VOLTS)                                                                         \
  DTBL "--unit laperm --set core.sm_mhz=" MHZ " --set energy.low_volts=" VOLTS                     \
       " --set energy.low_leak=" VOLTS
static const struct {
  const char *name, *options;
} forms[FORMS] = {
    [PLAIN] = {"plain", DTBL "--unit laperm"},
    [WATCH] = {"watch", DTBL "--unit laperm,bubble:drain=0 --set bubble.gpu_level=0"},
    [FULL] = {"full", DTBL "--unit laperm,bubble"},
    [SLOW] = {"P20", DTBL "--unit laperm,bubble:transition=20"},
    [AT_ONCE] = {"at_once", DTBL "--unit laperm,bubble:mode=at_once"},
    [DIVERT] = {"divert", DTBL "--unit laperm,bubble:mode=divert"},
    [EMPTY] = {"empty", DTBL "--unit laperm,bubble:threshold=1"},
    [LEVEL] = {"level", DTBL "--unit laperm,bubble:drain=0"},
    [FREE] = {"P0", DTBL "--unit laperm,bubble:transition=0"},
    [SMS_10] = {"10SMs", DTBL "--unit laperm --set core.sms=10"},
    [SMS_7] = {"7SMs", DTBL "--unit laperm --set core.sms=7"},
    [MHZ_600] = {"600MHz", ALL_AT("600", "0.925")},
    [MHZ_500] = {"500MHz", ALL_AT("500", "0.85")},
    [MHZ_400] = {"400MHz", ALL_AT("400", "0.775")},
    [MHZ_300] = {"300MHz", ALL_AT("300", "0.7")},
    [OWN] = {"own", DTBL},
    [PACKED] = {"packed", DTBL "--set core.cta_place=fullest"},
    [PACKED_LOW] = {"packed-low", DTBL "--set core.cta_place=fullest --unit bubble:threshold=1"},
    [PT_64] = {"pt-64", "app.form=pt --set app.from=32 --set app.chunk=64"},
    [PT_128] = {"pt-128", "app.form=pt --set app.from=128 --set app.chunk=128"},
    [PT_256] = {"pt-256", "app.form=pt"},
    [FLAT] = {"flat", "app.form=flat"},
    [BINS] = {"bins", "app.form=bins --set app.from=64 --set app.chunk=64"},
    [SCAN] = {"scan", "app.form=scan --set app.from=64 --set app.chunk=64"},
    [QUICK] = {"100", DTBL "--unit laperm,bubble:sample=100"},
    [QUICKER] = {"50", DTBL "--unit laperm,bubble:sample=50"},
    [QUICK_SLOW] = {"100-P5", DTBL "--unit laperm,bubble:sample=100 --set bubble.transition=5"},
    [QUICK_TWO] = {"100-T2", DTBL "--unit laperm,bubble:sample=100 --set bubble.threshold=2"},
    [TWO_WARPS] = {"T2", DTBL "--unit laperm,bubble:threshold=2"},
    [EIGHT_WARPS] = {"T8", DTBL "--unit laperm,bubble:threshold=8"},
    [DRAIN_1] = {"W1", DTBL "--unit laperm,bubble:drain=1"},
    [DRAIN_40] = {"W40", DTBL "--unit laperm,bubble:drain=40"},
};

static const char
    diverted[] = "blocks gather on few SMs; diversion without DVFS costs as much time",
    inputs[] = "inputs decide how many SMs are left without blocks: PART=inputs, "
               "PART=larger",
    woken[] = "all SMs wake together after the pause between kernels: PART=host",
    slow[] = "a change takes 14 us, as long as our small kernels: bfs_cage15 loses 124 % at "
             "16,384 vertices, 12 % at 262,144 (PART=inputs)";

/* Of which inputs: LaPerm's, or the same scaled to seconds, where hundreds of runs are needed. What
 * the host takes to begin a kernel: 5 us as on a card, or nothing. */
typedef const cJSON *inputs_of(paper *p, int input, const char *form, const char *options);
static const char five_us[] = " --set launch.host=3530";
static inputs_of *inputs_now = launched_small_result;
static const char *host_now = five_us;
static bool one_order; /* further orders of arbitration would cost too much */

static const cJSON *result_of(paper *p, int app, form f) {
  char options[256];
  if (one_order && !paper_first_order(p)) return NULL;
  snprintf(options, sizeof options, "%s%s", forms[f].options, host_now);
  return inputs_now(p, apps[app].input, forms[f].name, options);
}
static double number(paper *p, int app, form f, const char *path) {
  return paper_number(result_of(p, app, f), path);
}

static paper_table of_apps(const char *file, const char *title, const char *const *columns) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_ARITHMETIC, .groups = groups};
  for (int a = 0; a < APPS; a++) paper_row(&t, apps[a].group, "%s", launched_name(apps[a].input));
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

/* An SM's leakage and idle clocks in watts (energy_table.c). */
static const double leak = 3.2, idle_clock = 1.59;

/* Of the energy without control: what 13 idle SMs take, and, at most, what is saved if those in
 * bubbles take none of it. */
static double idle_share_of(const cJSON *plain, const cJSON *watch) {
  const double seconds = paper_number(watch, "cycles") / 706e6;
  return 13 * (leak + idle_clock) * seconds / paper_number(plain, "energy_joules.total");
}
static double idle_share(paper *p, int a) {
  return idle_share_of(result_of(p, a, PLAIN), result_of(p, a, WATCH));
}
static double bound(paper *p, int a) {
  return number(p, a, WATCH, "unit.bubble.bubble_share") * idle_share(p, a);
}

/* Bubbles without control, and what gating the idle SMs in them would save at most. */
static void bubbles(paper *p) {
  static const char *const columns[] = {
      "bubbles%", "idle-SMs-of-power%", "gated%", "low55%", "low30%", "low16%", NULL};
  const double low_clock = idle_clock * 0.55 * 0.55 * 100 / 706; /* left when it is low */
  static const double leaks[] = {0.55, 0.30, 0.16};
  paper_table t =
      of_apps("34", "Figure 34: bubbles, and the most that can be saved in them", columns);
  for (int a = 0; a < APPS; a++) {
    t.v[a][0] = 100 * number(p, a, WATCH, "unit.bubble.bubble_share");
    t.v[a][1] = 100 * idle_share(p, a);
    t.v[a][2] = 100 * bound(p, a);
    for (int l = 0; l < 3; l++)
      t.v[a][3 + l] = t.v[a][2] * (1 - (leak * leaks[l] + low_clock) / (leak + idle_clock));
  }
  paper_show(p, &t);
  paper_note(p, "figure 34", 32.7, paper_mean_of(&t, 0, ONE, ONE), 20, NAN, "%",
             "bubbles, group 1, mean");
  paper_note(p, "figure 34", 4.1, paper_mean_of(&t, 0, TWO, TWO), NAN, 15, "%",
             "bubbles, group 2, mean");
  paper_why(p, inputs);
  paper_note(p, "figure 34", 45.7, t.v[row_of(JOIN_GAUSSIAN)][0], 20, NAN, "%",
             "bubbles, join_gaussian");
  paper_why(p, inputs);
  paper_note(p, "figure 34", 27.7, t.v[row_of(BHT)][0], 15, NAN, "%", "bubbles, bht");
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
  paper_note(p, "figure 38", 24.9, t.v[row_of(JOIN_GAUSSIAN)][SAVED], 5, NAN, "%",
             "energy saved, join_gaussian");
  paper_why(p, inputs);
  paper_note(p, "figure 38", 2.5, t.v[row_of(BHT)][SAVED], 0, NAN, "%", "energy saved, bht");
  paper_note(p, "figure 38", 17.4, t.v[row_of(BHT)][LOST], 5, 30, "%", "time lost, bht");
  paper_why(p, woken);
  paper_note(p, "figure 38", 1.5, t.v[row_of(BFS_CITATION)][LOST], NAN, 10, "%",
             "time lost, bfs_citation");
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
  paper_why(p, slow);
  paper_note(p, "figure 40", NAN, paper_mean_of(&t, SAVED_ONCE, ONE, ONE), -5, 5, "pts",
             "without draining less with, energy saved, group 1");
  paper_note(p, "figure 40", -3.2, t.v[row_of(AMR)][SAVED_ONCE], NAN, 1, "pts",
             "amr, energy saved");
  paper_note(p, "figure 40", 7.9, t.v[row_of(AMR)][LOST_ONCE], 0, NAN, "pts", "amr, time lost");
  paper_note(p, "figure 40", -1.2, t.v[row_of(JOIN_GAUSSIAN)][SAVED_ONCE], NAN, 1, "pts",
             "join_gaussian, energy saved");
  paper_note(p, "figure 40", 4.4, t.v[row_of(JOIN_GAUSSIAN)][LOST_ONCE], 0, NAN, "pts",
             "join_gaussian, time lost");
}

/* A column: of these forms, up to PLAIN, the one of least energy times delay. */
enum { MOST_FORMS = 6 };
typedef struct choice {
  const char *name; /* NULL: of the only one */
  form of[MOST_FORMS];
} choice;

static const char *name_of(const choice *c) {
  return c->name ? c->name : forms[c->of[0]].name;
}

static double edp(paper *p, int a, form f) {
  return (1 - saved(p, a, f) / 100) * (1 + lost(p, a, f) / 100);
}

static form best_of(paper *p, int a, const choice *c) {
  form best = c->of[0];
  for (const form *f = c->of; *f != PLAIN; f++)
    if (edp(p, a, *f) < edp(p, a, best)) best = *f;
  return best;
}

/* Energy, time and their product over no control, of choices up to one of PLAIN; before them, in
 * `gated`, the bound: all bubbles' SMs take no power, and no time is lost. */
static paper_table over_none(paper *p, const char *file, const char *what, const choice *shown) {
  const char *columns[PAPER_COLUMNS + 1] = {"gated"};
  char files[2][32], titles[3][80];
  int n = 1;
  for (; shown[n - 1].of[0] != PLAIN; n++) columns[n] = name_of(&shown[n - 1]);
  snprintf(files[0], sizeof files[0], "%s-energy", file);
  snprintf(files[1], sizeof files[1], "%s-time", file);
  snprintf(titles[0], sizeof titles[0], "%s: energy over no control", what);
  snprintf(titles[1], sizeof titles[1], "%s: time over no control", what);
  snprintf(titles[2], sizeof titles[2], "%s: energy times delay over no control", what);
  paper_table energy = of_apps(files[0], titles[0], columns),
              time = of_apps(files[1], titles[1], columns),
              product = of_apps(file, titles[2], columns);
  for (int a = 0; a < APPS; a++) {
    for (int c = 0; c < n; c++) {
      const form f = c ? best_of(p, a, &shown[c - 1]) : PLAIN;
      energy.v[a][c] = c ? 1 - saved(p, a, f) / 100 : 1 - bound(p, a);
      time.v[a][c] = c ? 1 + lost(p, a, f) / 100 : 1;
      product.v[a][c] = energy.v[a][c] * time.v[a][c];
    }
  }
  energy.mean = time.mean = product.mean = PAPER_GEOMETRIC;
  paper_show(p, &energy);
  paper_show(p, &time);
  paper_show(p, &product);
  for (int c = 0; c < n; c++) {
    paper_note(p, file, NAN, paper_mean_all(&energy, c), NAN, NAN, "x",
               "energy over no control, %s", columns[c]);
    paper_note(p, file, NAN, paper_mean_all(&product, c), NAN, NAN, "x",
               "energy times delay over no control, %s", columns[c]);
  }
  return product;
}

#define ONLY(FORM)                                                                                 \
  {                                                                                                \
    NULL, {                                                                                        \
      FORM, PLAIN                                                                                  \
    }                                                                                              \
  }
static const choice best_pt = {"PT", {PT_64, PT_128, PT_256, PLAIN}};

/* Each rival at its best settings for the application, as the unit is; then each setting. */
static void rivals_of_one(paper *p) {
  const choice best[] = {{"unit", {FULL, QUICKER, EMPTY, PLAIN}},
                         ONLY(FULL),
                         ONLY(DIVERT),
                         ONLY(EMPTY),
                         ONLY(FREE),
                         {"fewer-SMs", {SMS_10, SMS_7, PLAIN}},
                         {"DVFS", {MHZ_600, MHZ_500, MHZ_400, MHZ_300, PLAIN}},
                         ONLY(OWN),
                         ONLY(PACKED),
                         ONLY(PACKED_LOW),
                         best_pt,
                         {NULL, {PLAIN}}};
  static const choice each[] = {ONLY(QUICKER), ONLY(SMS_10),  ONLY(SMS_7),    ONLY(MHZ_600),
                                ONLY(MHZ_500), ONLY(MHZ_400), ONLY(MHZ_300),  ONLY(PT_64),
                                ONLY(PT_128),  ONLY(PT_256),  {NULL, {PLAIN}}};
  const paper_table product = over_none(p, "rivals", "Rivals at their best settings", best);
  over_none(p, "settings", "Settings of rivals", each);
  static const struct {
    int column;
    const char *what;
  } judged[] = {{1, "unit"}, {6, "fewer SMs"}, {7, "DVFS of all SMs"}, {11, "persistent threads"}};
  for (size_t i = 0; i < sizeof judged / sizeof *judged; i++)
    paper_note(p, "rivals", NAN, paper_mean_all(&product, judged[i].column), NAN, 1, "x",
               "energy times delay at best settings, %s, mean", judged[i].what);
  paper_note(p, "rivals", NAN, paper_mean_all(&product, 9), 1, NAN, "x",
             "energy times delay, blocks on the fullest SM, mean");
  double watts = 0;
  for (int a = 0; a < APPS; a++) {
    const char *path = "energy_joules.watts";
    watts +=
        100 * (number(p, a, PLAIN, path) / number(p, a, best_of(p, a, &best_pt), path) - 1) / APPS;
  }
  paper_note(p, "text", -12.7, watts, NAN, 0, "%", "power, DTBL over persistent threads, mean");
}

static void rivals(paper *p) {
  one_order = true;
  rivals_of_one(p);
  one_order = false;
}

/* Software that launches nothing, each input's best of three. */
static void software(paper *p) {
  static const choice shown[] = {{"unit", {FULL, QUICKER, EMPTY, PLAIN}},
                                 ONLY(FLAT),
                                 {"best-software", {FLAT, BINS, SCAN, PLAIN}},
                                 {NULL, {PLAIN}}};
  one_order = true;
  const paper_table product = over_none(p, "software", "Software without launches", shown);
  static const char *const what[] = {"", "the unit at its best settings", "flat kernels",
                                     "best software"};
  for (int c = 1; c < 4; c++)
    paper_note(p, "software", NAN, paper_mean_all(&product, c), 0, NAN, "x",
               "energy times delay, %s, mean", what[c]);
  one_order = false;
}

/* ---- over time ---- */

/* The paper shows a kernel of its BFS, without saying of which graph: its rows are of runs without
 * pauses between kernels; the picture has them. */
static void over_time(paper *p) {
  static const struct {
    form of;
    const char *host, *name;
  } shown[] = {{PLAIN, "", "plain-0us"},  {PT_64, "", "pt-64-0us"}, {PLAIN, five_us, "plain"},
               {PT_64, five_us, "pt-64"}, {FULL, five_us, "full"},  {QUICKER, five_us, "50"}};
  enum { SHOWN = sizeof shown / sizeof *shown };
  const int bfs = row_of(BFS_GRAPH500);
  double variance[SHOWN];
  for (int f = 0; f < SHOWN; f++) {
    char file[64], timeline[PAPER_PATH], options[PAPER_PATH + 128];
    snprintf(file, sizeof file, "%s.trace.json", shown[f].name);
    paper_output(p, file, timeline);
    snprintf(options, sizeof options, "%s%s --timeline %s", forms[shown[f].of].options,
             shown[f].host, timeline);
    const cJSON *result = paper_first_order(p)
                              ? launched_small_result(p, apps[bfs].input, shown[f].name, options)
                              : NULL;
    variance[f] = result && paper_reporting(p) ? bubble_over_time(p, timeline, shown[f].name) : NAN;
  }
  host_now = "";
  one_order = true;
  const char *watts = "energy_joules.watts", *total = "energy_joules.total";
  paper_note(p, "figure 32", 1.18,
             number(p, bfs, PT_64, "cycles") / number(p, bfs, PLAIN, "cycles"), NAN, NAN, "x",
             "bfs_graph500, time, persistent threads over DTBL");
  paper_note(p, "figure 32", -13.5,
             100 * (number(p, bfs, PLAIN, watts) / number(p, bfs, PT_64, watts) - 1), NAN, 0, "%",
             "bfs_graph500, power, DTBL over persistent threads");
  paper_note(p, "figure 32", -26.7,
             100 * (number(p, bfs, PLAIN, total) / number(p, bfs, PT_64, total) - 1), NAN, NAN, "%",
             "bfs_graph500, energy, DTBL over persistent threads");
  paper_note(
      p, "figure 32", 23.5, 100 * (variance[0] / variance[1] - 1), NAN, NAN, "%",
      "bfs_graph500, variance of occupancy, DTBL over persistent threads (the paper: of all)");
  one_order = false;
  host_now = five_us;
}

/* What the paper leaves at one value: sample, T, W; with short samples P is short too, or 500
 * cycles as before. Kernels begin in no time, which is where control loses. */
static void sweep_at_once(paper *p) {
  static const choice shown[] = {
      ONLY(FULL),      ONLY(QUICK),       ONLY(QUICKER), ONLY(QUICK_SLOW), ONLY(QUICK_TWO),
      ONLY(TWO_WARPS), ONLY(EIGHT_WARPS), ONLY(DRAIN_1), ONLY(DRAIN_40),   {NULL, {PLAIN}}};
  const paper_table product = over_none(p, "sweep", "Sample, T, W", shown);
  double energy = 0, time = 0; /* percent, means of samples of 50 cycles */
  for (int a = 0; a < APPS; a++) {
    energy += saved(p, a, QUICKER) / APPS;
    time += lost(p, a, QUICKER) / APPS;
  }
  paper_note(p, "sweep", NAN, energy, 0, NAN, "%", "energy saved, samples of 50 cycles, mean");
  paper_note(p, "sweep", NAN, time, NAN, 5, "%", "time lost, samples of 50 cycles, mean");
  paper_note(p, "sweep", NAN, paper_mean_all(&product, 3), NAN, 1, "x",
             "energy times delay, samples of 50 cycles, mean");
}

/* What a change of voltage costs: an SM's capacitance is charged again by 0.45 V from its supply of
 * 1 V, C x V x dV each time it comes back. C: what a busy SM switches in a cycle, by its power at
 * 706 MHz, some 15 nF; with ten times that beside it, which holds a step of load to a tenth of the
 * voltage; with a share of the package. */
static double changes(paper *p, int a, form f) {
  return number(p, a, f, "unit.bubble.downs") + 13 * number(p, a, f, "unit.bubble.gpu_downs");
}

static void change_at_once(paper *p) {
  static const char *const columns[] = {"500-changes", "500-15nF%",  "500-165nF%", "500-500nF%",
                                        "500-saved%",  "50-changes", "50-15nF%",   "50-165nF%",
                                        "50-500nF%",   "50-saved%",  "gated%",     NULL};
  static const double farads[] = {15e-9, 165e-9, 500e-9};
  static const form shown[] = {FULL, QUICKER};
  enum { EACH = 5, SAVED = 4, GATED_MOST = 2 * EACH };
  paper_table t =
      of_apps("change",
              "Changes of voltage, at most, samples of 500, 50 cycles: share of energy at three "
              "capacitances, saved; gated at most",
              columns);
  double product[3][2] = {{0}}; /* logarithms of energy times delay */
  for (int a = 0; a < APPS; a++) {
    t.v[a][GATED_MOST] = 100 * bound(p, a);
    for (int f = 0; f < 2; f++) {
      double *row = &t.v[a][EACH * f];
      const double base = number(p, a, PLAIN, "energy_joules.total");
      row[0] = changes(p, a, shown[f]);
      row[SAVED] = saved(p, a, shown[f]);
      for (int c = 0; c < 3; c++) {
        row[1 + c] = 100 * row[0] * farads[c] * 1.0 * 0.45 / base;
        product[c][f] +=
            log((1 - (row[SAVED] - row[1 + c]) / 100) * (1 + lost(p, a, shown[f]) / 100)) / APPS;
      }
    }
  }
  paper_show(p, &t);
  static const char *const names[] = {"15 nF", "165 nF", "500 nF"};
  for (int f = 0; f < 2; f++)
    for (int c = 0; c < 3; c++) {
      const int samples = f ? 50 : 500;
      paper_note(p, "change", NAN, paper_mean_all(&t, EACH * f + 1 + c), 0, NAN, "%",
                 "energy of changes, samples of %d, %s, mean", samples, names[c]);
      paper_note(p, "change", NAN,
                 paper_mean_all(&t, EACH * f + SAVED) - paper_mean_all(&t, EACH * f + 1 + c), -100,
                 NAN, "%", "energy saved less that of changes, samples of %d, %s, mean", samples,
                 names[c]);
      paper_note(p, "change", NAN, exp(product[c][f]), 0, NAN, "x",
                 "energy times delay with that of changes, samples of %d, %s, mean", samples,
                 names[c]);
    }
}

static void sweep(paper *p) {
  host_now = "";
  sweep_at_once(p);
  host_now = five_us;
}
static void change(paper *p) {
  host_now = "";
  change_at_once(p);
  host_now = five_us;
}

/* ---- other inputs ---- */

/* Bubbles, what gating them saves at most; what control saves, and the time that it costs. */
enum { SHARE, GATED, SAVES, COSTS };
static const char *const by_input[] = {"bubbles%", "gated%", "saved%", "lost%", NULL};
static const form forms_by_input[] = {PLAIN, WATCH, FULL};
enum { FORMS_BY_INPUT = sizeof forms_by_input / sizeof *forms_by_input };

static void fill_by_input(double *row, const cJSON *const r[FORMS_BY_INPUT]) {
  const cJSON *plain = r[0], *watch = r[1], *full = r[2];
  const char *total = "energy_joules.total", *cycles = "cycles";
  row[SHARE] = 100 * paper_number(watch, "unit.bubble.bubble_share");
  row[GATED] = row[SHARE] * idle_share_of(plain, watch);
  row[SAVES] = 100 * (1 - paper_number(full, total) / paper_number(plain, total));
  row[COSTS] = 100 * (paper_number(full, cycles) / paper_number(plain, cycles) - 1);
}

/* The paper does not say how large its relations are. */
static void joins(paper *p) {
  static const struct {
    unsigned left, right, keys;
  } sizes[] = {{8192, 49152, 1024}, {8192, 12288, 1024}, {2048, 24576, 512},
               {1024, 24576, 512},  {1024, 24576, 1024}, {512, 24576, 512}};
  paper_table t = {
      .file = "joins", .title = "join_gaussian, tuples left, right, keys", .mean = PAPER_NO_MEAN};
  for (int c = 0; by_input[c]; c++) paper_column(&t, by_input[c]);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int row = paper_row(&t, 0, "%u-%u-%u", sizes[i].left, sizes[i].right, sizes[i].keys);
    const cJSON *r[FORMS_BY_INPUT];
    for (int f = 0; f < FORMS_BY_INPUT; f++)
      r[f] = paper_result(p, forms[forms_by_input[f]].name,
                          "--config k20c --app join --set app.spread=gaussian --set app.left=%u "
                          "--set app.right=%u --set app.keys=%u --set %s%s",
                          sizes[i].left, sizes[i].right, sizes[i].keys,
                          forms[forms_by_input[f]].options, host_now);
    fill_by_input(t.v[row], r);
    const char *name = t.row_names[row];
    paper_note(p, "inputs", 45.7, t.v[row][SHARE], NAN, NAN, "%", "bubbles, join %s", name);
    paper_note(p, "inputs", 24.9, t.v[row][SAVES], NAN, NAN, "%", "energy saved, join %s", name);
    paper_note(p, "inputs", NAN, t.v[row][COSTS], NAN, 15, "%", "time lost, join %s", name);
  }
  paper_show(p, &t);
}

static const cJSON *band(paper *p, unsigned vertices, form f, const char *host) {
  return paper_result(p, forms[f].name, "--config k20c --app bfs_dp --graph band:n=%u --set %s%s",
                      vertices, forms[f].options, host);
}

/* bfs_cage15: the more vertices, the more blocks a round has. Of one order: they take minutes. */
static void bands(paper *p) {
  static const unsigned sizes[] = {16384, 65536, 262144};
  paper_table t = {.file = "bands",
                   .title = "bfs_cage15 by vertices, kernels begun in 5 us and in no time (0us)",
                   .mean = PAPER_NO_MEAN};
  for (int c = 0; by_input[c]; c++) paper_column(&t, by_input[c]);
  const int at_once = paper_column(&t, "0us-saved%");
  paper_column(&t, "0us-lost%");
  const int slowly = paper_column(&t, "P20-lost%");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int row = paper_row(&t, 0, "%u", sizes[i]);
    for (int h = 0; h < 2; h++) {
      const cJSON *r[FORMS_BY_INPUT] = {NULL};
      double filled[sizeof by_input / sizeof *by_input];
      for (int f = 0; f < FORMS_BY_INPUT && paper_first_order(p); f++) {
        const form of = h && forms_by_input[f] == WATCH ? FULL : forms_by_input[f];
        r[f] = band(p, sizes[i], of, h ? "" : five_us);
      }
      fill_by_input(filled, r);
      for (int c = h ? SAVES : SHARE; c <= COSTS; c++)
        t.v[row][h ? at_once + c - SAVES : c] = filled[c];
    }
    double *v = t.v[row];
    v[slowly] = NAN;
    if (paper_first_order(p)) {
      const cJSON *plain = band(p, sizes[i], PLAIN, five_us),
                  *slow20 = band(p, sizes[i], SLOW, five_us);
      v[slowly] = 100 * (paper_number(slow20, "cycles") / paper_number(plain, "cycles") - 1);
    }
    paper_note(p, "inputs", NAN, v[SAVES], -100, NAN, "%", "energy saved, band of %u", sizes[i]);
    paper_note(p, "inputs", NAN, v[COSTS], NAN, 100, "%", "time lost, band of %u", sizes[i]);
    paper_note(p, "inputs", NAN, v[at_once + 1], NAN, 200, "%",
               "time lost, band of %u, kernels begun in no time", sizes[i]);
    paper_note(p, "inputs", NAN, v[slowly], NAN, 200, "%",
               "time lost, band of %u, P of 10000 cycles", sizes[i]);
  }
  paper_show(p, &t);
}

static void other_inputs(paper *p) {
  joins(p);
  bands(p);
}

/* LaPerm's, which take minutes. */
static void larger(paper *p) {
  static const char fewer[] =
      "the larger an input the fewer SMs are left without blocks: PART=inputs";
  static const char gathered[] =
      "blocks gather on few SMs, and cost time: of bfs_cage15 at 65,536 vertices diversion alone "
      "(bubble:mode=divert) takes 2.8 times the cycles, the unit 1.24";
  paper_table t = of_apps("larger", "LaPerm's inputs", by_input);
  inputs_now = launched_result;
  for (int a = 0; a < APPS; a++) {
    const cJSON *r[FORMS_BY_INPUT];
    for (int f = 0; f < FORMS_BY_INPUT; f++) r[f] = result_of(p, a, forms_by_input[f]);
    fill_by_input(t.v[a], r);
  }
  inputs_now = launched_small_result;
  paper_show(p, &t);
  static const struct {
    double paper[2];
    int column;
    double low[2], high[2];
    const char *what;
  } rows[] = {{{32.7, 4.1}, SHARE, {20, NAN}, {NAN, 15}, "bubbles"},
              {{24.5, 1.1}, GATED, {12, NAN}, {NAN, 5}, "ideal gating saves"},
              {{15.9, 1.0}, SAVES, {5, 0}, {NAN, NAN}, "energy saved"},
              {{6.7, 0.5}, COSTS, {NAN, NAN}, {15, 5}, "time lost"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int g = ONE; g <= TWO; g++) {
      paper_note(p, "larger", rows[i].paper[g], paper_mean_of(&t, rows[i].column, g, g),
                 rows[i].low[g], rows[i].high[g], "%", "%s, group %d, mean", rows[i].what, g + 1);
      paper_why(p, i < 2 ? fewer : gathered);
    }
}

/* ---- the host's time ---- */

/* A kernel that begins at the edge after the last one ended finds most SMs asleep; in 5 us all
 * SMs' P-state, which wakes them together, comes into it. */
static void host(paper *p) {
  static const char *const columns[] = {"0us-saved%", "0us-lost%",  "0us-level%",
                                        "5us-saved%", "5us-lost%",  "5us-level%",
                                        "0us-gated%", "5us-gated%", NULL};
  enum { NOTED = 6 };
  paper_table t = of_apps(
      "host",
      "Kernels begun in no time and in 5 us: energy saved, time lost, saved by the whole GPU's "
      "P-state alone, gated at most",
      columns);
  for (int c = 0; c < NOTED; c += 3) {
    host_now = c ? five_us : "";
    for (int a = 0; a < APPS; a++) {
      t.v[a][c] = saved(p, a, FULL);
      t.v[a][c + 1] = lost(p, a, FULL);
      t.v[a][c + 2] = saved(p, a, LEVEL);
      t.v[a][NOTED + c / 3] = 100 * bound(p, a);
    }
  }
  paper_show(p, &t);
  static const char *const what[] = {"energy saved, kernels begun in no time",
                                     "time lost, kernels begun in no time",
                                     "all SMs' P-state alone saves, kernels begun in no time",
                                     "energy saved, kernels begun in 5 us",
                                     "time lost, kernels begun in 5 us",
                                     "all SMs' P-state alone saves, kernels begun in 5 us"};
  for (int c = 0; c < NOTED; c++)
    for (int g = ONE; g <= TWO; g++)
      paper_note(p, "host", NAN, paper_mean_of(&t, c, g, g), -100, NAN, "%", "%s, group %d, mean",
                 what[c], g + 1);
}

static const paper_part parts[] = {
    {"34", "Figure 34: bubbles", bubbles, false},
    {"38", "Figures 38 to 40: control", control, false},
    {"rivals", "Rivals", rivals, false},
    {"32", "Figures 32, 33 and 35: over time", over_time, false},
    {"software", "Software without launches", software, true},
    {"sweep", "Samples, thresholds and drains", sweep, true},
    {"change", "What changes of voltage cost", change, true},
    {"inputs", "Inputs of other sizes", other_inputs, true},
    {"larger", "Larger inputs", larger, true},
    {"host", "What the host's time between kernels does", host, true},
    {0}};
const paper_unit paper_this = {"bubble", "Occupancy bubbles", parts};
