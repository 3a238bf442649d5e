/* Best software with the unit over best software without, then the paper's loop: of one launch of
 * each search the cycles in all forms of sim/apps/prefetch/forms.cuh, without the unit, with it by
 * itself, and with it and a compiler's table; at distance 1 or its own. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/spref/paper/spref.h"

enum { FORMS = 9, MODES = 2 };
static const char *const forms[FORMS] = {"plain", "fine", "swp",   "swpnc", "ahead",
                                         "unr2",  "unr3", "wide4", "wide8"};
/* At the clock that the RTL closes at, by itself and with a compiler's table. */
#define UNIT "--unit spref --set spref.mode="
static const char *const modes[2][MODES] = {{UNIT "spref1", UNIT "spref"},
                                            {UNIT "cspref1", UNIT "cspref"}};

/* R4_2e20 at an eighth of its size, so that all forms take minutes. */
#define GRAPH "random:n=131072,degree=4"
#define LEAST (1e6 / 8) /* warp instructions of a sample, as of the paper's graph a million */

static const cJSON *run_as(paper *p, int kernel, int form, const char *launch, const char *machine,
                           const char *unit) {
  const spref_kernel *k = &spref_kernels[kernel];
  char label[64];
  snprintf(label, sizeof label, "best-%s-%s", k->app, forms[form]);
  return paper_result(p, label,
                      "--config fermi16 --app %s --graph " GRAPH " --set app.form=%s --set "
                      "sample.kernel=%s%s%s --set sample.launches=%s %s %s",
                      k->app, forms[form], k->kernel, form ? "_" : "", form ? forms[form] : "",
                      launch, machine, unit);
}

static const cJSON *run(paper *p, int kernel, int form, const char *launch, const char *unit) {
  return run_as(p, kernel, form, launch, spref_kernels[kernel].options, unit);
}

/* As for the other tables the smallest launch of LEAST, which is the same work in all forms; if
 * none has as much, the largest. Where a search takes another way in each form, its last, in which
 * nothing improves any more. 0: not known yet. */
static unsigned launch_of(paper *p, int kernel, int form) {
  const bool last = kernel == SPREF_LSBFS || kernel == SPREF_LSSSSP;
  const cJSON *survey = run(p, kernel, last ? form : 0, "none", ""), *k;
  const size_t length = strlen(spref_kernels[kernel].kernel);
  unsigned launch = 0, found = 0;
  double best = 0;
  cJSON_ArrayForEach(k, cJSON_GetObjectItem(survey, "kernels")) {
    if (strncmp(cJSON_GetStringValue(cJSON_GetObjectItem(k, "name")), spref_kernels[kernel].kernel,
                length))
      continue;
    const double n = cJSON_GetNumberValue(cJSON_GetObjectItem(k, "warp_instructions"));
    launch++;
    if (!last && found && (best < LEAST ? n <= best : n < LEAST || n >= best)) continue;
    best = n;
    found = launch;
  }
  return found;
}

static double cycles_as(paper *p, int kernel, int form, const char *machine, const char *unit) {
  char launch[16];
  const unsigned n = launch_of(p, kernel, form);
  if (!n) return NAN;
  snprintf(launch, sizeof launch, "%u", n);
  return paper_number(run_as(p, kernel, form, launch, machine, unit), "cycles");
}

static double cycles(paper *p, int kernel, int form, const char *unit) {
  return cycles_as(p, kernel, form, spref_kernels[kernel].options, unit);
}

/* With the unit: with a compiler's table or by itself. */
static double cycles_with(paper *p, int kernel, int form, bool table) {
  double least = INFINITY;
  for (int m = 0; m < MODES; m++) least = fmin(least, cycles(p, kernel, form, modes[table][m]));
  return least;
}

static paper_table table_of(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int k = 0; k < SPREF_KERNELS; k++) paper_row(&t, 0, "%s", spref_kernels[k].name);
  return t;
}

/* Without a compiler's table; `with_table` has the best without the unit. */
static void by_itself(paper *p, const paper_table *with_table) {
  paper_table t =
      table_of("best-alone", "Speedup by the unit without a compiler's table", PAPER_GEOMETRIC);
  paper_column(&t, "best software");
  paper_column(&t, "the paper's kernels");
  for (int k = 0; k < SPREF_KERNELS; k++) {
    double least = INFINITY;
    for (int f = 0; f < FORMS; f++) least = fmin(least, cycles_with(p, k, f, false));
    t.v[k][0] = with_table->v[k][PAPER_BEST_WITHOUT] / least;
    t.v[k][1] = cycles(p, k, 0, "") / cycles_with(p, k, 0, false);
  }
  paper_show(p, &t);
  paper_note(p, "best", NAN, paper_mean_all(&t, 0), 1, NAN, "x",
             "the unit by itself, best software, mean");
  paper_note(p, "best", 1.07, paper_mean_all(&t, 1), NAN, NAN, "x",
             "the unit by itself, the paper's kernels, mean");
}

void spref_best(paper *p) {
  static const char *const with[FORMS] = {"plain+unit", "fine+unit",  "swp+unit",
                                          "swpnc+unit", "ahead+unit", "unr2+unit",
                                          "unr3+unit",  "wide4+unit", "wide8+unit"};
  paper_best best[SPREF_KERNELS];
  paper_table all = table_of("best-all", "Candidates, Mcycles of a launch; " GRAPH, PAPER_NO_MEAN),
              t = table_of("best",
                           "Speedup by the unit: best software, the paper's kernels; cycles; the "
                           "best without over the paper's with",
                           PAPER_GEOMETRIC);
  for (int f = 0; f < FORMS; f++) paper_column(&all, forms[f]);
  for (int f = 0; f < FORMS; f++) paper_column(&all, with[f]);
  for (int k = 0; k < SPREF_KERNELS; k++) {
    double *v = all.v[k];
    best[k] = paper_best_none();
    for (int f = 0; f < FORMS; f++)
      paper_best_try(&best[k], PAPER_WITHOUT, v[f] = cycles(p, k, f, ""));
    for (int f = 0; f < FORMS; f++)
      paper_best_try(&best[k], PAPER_WITH, v[FORMS + f] = cycles_with(p, k, f, true));
    best[k].kernel[PAPER_WITHOUT] = v[0];
    best[k].kernel[PAPER_WITH] = v[FORMS];
    for (int c = 0; c < all.columns; c++) v[c] /= 1e6;
  }
  paper_show(p, &all);
  paper_best_table(p, &t, best);
  paper_note(p, "best", NAN, t.v[SPREF_HBFS][PAPER_BEST_GAIN], 1, NAN, "x",
             "the unit's gain, best software, H-BFS");
  paper_best_means(p, &t, 1.08);
  by_itself(p, &t);
}

/* 16 KB more of L1, which by the prices of synth/README.md cost half of what a unit does. */
static const char *larger_l1(int kernel) {
  return *spref_kernels[kernel].options
             ? "--set l1.bytes=32768 --set l1.ways=8 --set core.shared_bytes=49152"
             : "--set l1.bytes=65536 --set l1.ways=8";
}

void spref_area(paper *p) {
  paper_table t =
      table_of("area", "Speedup of the paper's kernels: the unit by itself; 16 KB more of L1",
               PAPER_GEOMETRIC);
  const int unit = paper_column(&t, "the unit by itself"), l1 = paper_column(&t, "16 KB of L1");
  for (int k = 0; k < SPREF_KERNELS; k++) {
    const double plain = cycles(p, k, 0, "");
    t.v[k][unit] = plain / cycles_with(p, k, 0, false);
    t.v[k][l1] = plain / cycles_as(p, k, 0, larger_l1(k), "");
  }
  paper_show(p, &t);
  paper_note(p, "area", NAN, paper_mean_all(&t, l1), 1, NAN, "x",
             "16 KB more of L1, the paper's kernels, mean");
  paper_note(p, "area", NAN, paper_mean_all(&t, unit) / paper_mean_all(&t, l1), 1, NAN, "x",
             "the unit by itself over 16 KB more of L1, the paper's kernels, mean");
  paper_why(p, "LS-SSSP decides it: most of what it reads again stays in an L1 of 32 KB");
}

/* What it costs that schedulers issue at the unit's clock: a process in which that is the SM's. */
#define EACH_EDGE " --set spref.mhz=0"

void spref_clock(paper *p) {
  paper_table t = table_of("clock",
                           "Speedup of the paper's kernels by the unit itself: at its own clock; "
                           "at each edge of the SM's",
                           PAPER_GEOMETRIC);
  const int own = paper_column(&t, "its own"), each = paper_column(&t, "each edge");
  for (int k = 0; k < SPREF_KERNELS; k++) {
    const double plain = cycles(p, k, 0, "");
    t.v[k][own] = plain / cycles_with(p, k, 0, false);
    t.v[k][each] = plain / fmin(cycles(p, k, 0, UNIT "spref1" EACH_EDGE),
                                cycles(p, k, 0, UNIT "spref" EACH_EDGE));
  }
  paper_show(p, &t);
  paper_note(p, "clock", NAN, paper_mean_all(&t, own), 1, NAN, "x",
             "the unit by itself at its own clock, the paper's kernels, mean");
  paper_note(p, "clock", NAN, paper_mean_all(&t, each), 1, NAN, "x",
             "the unit by itself at each edge of the SM's, the paper's kernels, mean");
}

/* Hardware prefetchers beside the L1, in turns with loads, by kind and with other degrees,
 * distances and queues; `-both`: in the L2's slices as well. */
static const struct {
  const char *name, *options;
} rivals[] = {
    {"stride", "--set l1.prefetch=stride"},
    {"stride-far", "--set l1.prefetch=stride --set l1.prefetch_degree=4"},
    {"stream", "--set l1.prefetch=stream"},
    {"stream-near", "--set l1.prefetch=stream --set l1.prefetch_degree=1 --set "
                    "l1.prefetch_distance=2"},
    {"ghb", "--set l1.prefetch=ghb"},
    {"stride-both", "--set l1.prefetch=stride --set l2.prefetch=stride"},
    {"stream-both", "--set l1.prefetch=stream --set l2.prefetch=stream"},
    {"ghb-both", "--set l1.prefetch=ghb --set l2.prefetch=ghb"},
    {"imp", "--set l1.prefetch=imp"},
    {"imp-long", "--set l1.prefetch=imp --set l1.prefetch_queue=128"},
    {"imp-far", "--set l1.prefetch=imp --set l1.prefetch_queue=128 --set l1.prefetch_distance=2"},
    {"snake", "--set l1.prefetch=snake"},
    {"stream-idle", "--set l1.prefetch=stream --set l1.prefetch_turn=idle"},
    {"imp-idle", "--set l1.prefetch=imp --set l1.prefetch_turn=idle"},
    {"snake-idle", "--set l1.prefetch=snake --set l1.prefetch_turn=idle"},
    {"snake-far", "--set l1.prefetch=snake --set l1.prefetch_distance=4"},
};
enum { RIVALS = sizeof rivals / sizeof *rivals };

/* Of one kernel: the fastest of all settings. */
static double best_rival(const double *speeds) {
  double most = speeds[0];
  for (int r = 1; r < RIVALS; r++) most = fmax(most, speeds[r]);
  return most;
}

void spref_rivals(paper *p) {
  enum { BEST = RIVALS, ALONE, COMPILED };
  paper_table t =
      table_of("rivals", "Speed over no prefetching, the paper's kernels; " GRAPH, PAPER_GEOMETRIC);
  for (int r = 0; r < RIVALS; r++) paper_column(&t, rivals[r].name);
  paper_column(&t, "best-of-each");
  paper_column(&t, "the-unit-by-itself");
  paper_column(&t, "C-SPREF");
  for (int k = 0; k < SPREF_KERNELS; k++) {
    const double plain = cycles(p, k, 0, "");
    for (int r = 0; r < RIVALS; r++) t.v[k][r] = plain / cycles(p, k, 0, rivals[r].options);
    t.v[k][BEST] = best_rival(t.v[k]);
    t.v[k][ALONE] = plain / cycles_with(p, k, 0, false);
    t.v[k][COMPILED] = plain / cycles_with(p, k, 0, true);
  }
  paper_show(p, &t);
  int best = 0;
  for (int r = 1; r < RIVALS; r++)
    if (paper_mean_all(&t, r) > paper_mean_all(&t, best)) best = r;
  paper_note(p, "rivals", NAN, paper_mean_all(&t, best), NAN, paper_mean_all(&t, ALONE), "x",
             "the best hardware prefetcher over none, mean");
  paper_note(p, "rivals", NAN, paper_mean_all(&t, BEST), NAN, paper_mean_all(&t, ALONE), "x",
             "each kernel's best hardware prefetcher over none, mean");
  paper_note(p, "rivals", NAN, paper_mean_all(&t, ALONE), 1, NAN, "x",
             "the unit by itself over none, mean");
  paper_note(p, "rivals", NAN, paper_mean_all(&t, COMPILED), 1, NAN, "x",
             "with a compiler's table over none, mean");
}
