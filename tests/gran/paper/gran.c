/* Granularity predictors at the L1, and at the L1 and the L2 (cache policies for graph kernels,
 * chapter 4), over caches of sectors, beside whole lines. Means of speedups are harmonic. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

enum { ROWS = KERNELS * INPUTS };

static const char slow[] = "--config fermi16 --set core.sms=2 --set l2.partitions=1",
                  fast[] = "--config fermi16-144 --set core.sms=2 --set l2.partitions=1";

enum { STRAW, LINES, SECTORS, NAP, SPP, BIM, NAP2, SPP2, BIM2, VARIANTS };
static const struct {
  const char *name, *options;
} variants[VARIANTS] = {
    [STRAW] = {"lines-both", "--set l2.fill=line"},
    [LINES] = {"lines", ""},
    [SECTORS] = {"sectors", "--set l1.sectored=1"},
    [NAP] = {"NAP", "--set l1.sectored=1 --unit gran"},
    [SPP] = {"SPP", "--set l1.sectored=1 --unit gran:kind=spp"},
    [BIM] = {"BIM", "--set l1.sectored=1 --unit gran:kind=bim"},
    [NAP2] = {"NAP-both", "--set l1.sectored=1 --unit gran:level=both"},
    [SPP2] = {"SPP-both", "--set l1.sectored=1 --unit gran:level=both --set gran.kind=spp"},
    [BIM2] = {"BIM-both", "--set l1.sectored=1 --unit gran:level=both --set gran.kind=bim"}};

static const cJSON *result(paper *p, const char *machine, int row, int variant) {
  char label[64];
  const int kernel = row / INPUTS, input = row % INPUTS;
  snprintf(label, sizeof label, "%s-%s", graph_kernels[kernel].name, graph_inputs[input].name);
  return paper_result(p, label, "%s --app %s --graph %s %s", machine, graph_kernels[kernel].options,
                      graph_inputs[input].graph, variants[variant].options);
}

static double number(paper *p, const char *machine, int row, int variant, const char *path) {
  return paper_number(result(p, machine, row, variant), path);
}

static paper_table of_runs(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int r = 0; r < ROWS; r++)
    paper_row(&t, 0, "%s-%s", graph_kernels[r / INPUTS].name, graph_inputs[r % INPUTS].name);
  return t;
}

/* ---- figures 40, 43 ---- */

typedef struct rows {
  const char *figure, *file, *title, *machine;
  double paper[VARIANTS]; /* over lines in both caches; 0: it gives none */
} rows;

/* A column: `variant` over `over`. */
static void add(paper *p, paper_table *t, const char *machine, int variant, int over,
                const char *name) {
  const int c = paper_column(t, name);
  for (int r = 0; r < ROWS; r++)
    t->v[r][c] = number(p, machine, r, over, "cycles") / number(p, machine, r, variant, "cycles");
}

static const char strawman[] = "two SMs' misses wait for DRAM's latency, not for its bytes, and a "
                               "line is a prefetch: with more "
                               "MSHRs and DRAM nearer sectors win (PART=waiting)";

static void speedups(paper *p, const rows *f) {
  paper_table t = of_runs(f->file, f->title, PAPER_HARMONIC);
  static const char *const today[VARIANTS] = {
      [NAP] = "NAP/sectors", [SPP] = "SPP/sectors", [BIM] = "BIM/sectors"};
  for (int v = SECTORS; v <= BIM; v++) add(p, &t, f->machine, v, STRAW, variants[v].name);
  add(p, &t, f->machine, LINES, STRAW, variants[LINES].name);
  const int first = t.columns;
  for (int v = NAP; v <= BIM; v++) add(p, &t, f->machine, v, SECTORS, today[v]);
  paper_show(p, &t);
  for (int v = SECTORS; v <= BIM; v++) {
    paper_note(p, f->figure, f->paper[v], paper_mean_all(&t, v - SECTORS), 1.05, NAN, "x",
               "%s over lines in both caches (the paper's baseline)", variants[v].name);
    paper_why(p, strawman);
  }
  for (int v = NAP; v <= BIM; v++)
    paper_note(p, f->figure, f->paper[v] / f->paper[SECTORS], paper_mean_all(&t, first + v - NAP),
               0.95, 1.1, "x", "%s over sectors (today's default)", variants[v].name);
}

static void at_100(paper *p) {
  static const rows f = {"figure 40",
                         "40",
                         "Speedup over lines in both caches, and over sectors in both",
                         slow,
                         {[SECTORS] = 1.39, [SPP] = 1.39, [BIM] = 1.38, [NAP] = 1.40}};
  speedups(p, &f);
}

static void at_144(paper *p) {
  static const rows f = {"figure 43",
                         "43",
                         "The same with 144 GB/s in place of 100.8",
                         fast,
                         {[SECTORS] = 1.14, [SPP] = 1.14, [BIM] = 1.15, [NAP] = 1.17}};
  speedups(p, &f);
}

/* ---- figures 39, 42 ---- */

/* How many of a line's sectors are asked for until it is replaced, as NAP counts them. */
static void sectors(paper *p) {
  paper_table t =
      of_runs("39", "Lines by sectors that were asked for, % of lines replaced", PAPER_ARITHMETIC);
  static const char *const names[] = {"1", "2", "3"};
  static const char *const paths[] = {"unit.gran.one_sector", "unit.gran.two_sectors",
                                      "unit.gran.three_sectors"};
  for (int s = 0; s < 3; s++) {
    paper_column(&t, names[s]);
    for (int r = 0; r < ROWS; r++)
      t.v[r][s] =
          100 * number(p, slow, r, NAP, paths[s]) / number(p, slow, r, NAP, "unit.gran.evictions");
  }
  paper_column(&t, "4");
  for (int r = 0; r < ROWS; r++) t.v[r][3] = 100 - t.v[r][0] - t.v[r][1] - t.v[r][2];
  paper_show(p, &t);
  paper_note(p, "figure 39", NAN, paper_mean_all(&t, 0), 30, 100, "%",
             "lines of which one sector is asked for (paper: over half)");
}

static void traffic(paper *p) {
  static const char *const names[] = {"sectors",     "NAP",         "SPP",        "BIM",
                                      "NAP-guesses", "SPP-guesses", "BIM-guesses"};
  paper_table t = of_runs("42",
                          "Bytes read from DRAM, over lines in both caches; sectors guessed per "
                          "miss of a line",
                          PAPER_ARITHMETIC);
  for (int v = SECTORS; v <= BIM; v++) {
    const int c = paper_column(&t, names[v - SECTORS]);
    for (int r = 0; r < ROWS; r++)
      t.v[r][c] =
          number(p, slow, r, v, "dram.read_bytes") / number(p, slow, r, STRAW, "dram.read_bytes");
  }
  for (int v = NAP; v <= BIM; v++) {
    const int c = paper_column(&t, names[1 + BIM - SECTORS + v - NAP]);
    for (int r = 0; r < ROWS; r++)
      t.v[r][c] =
          number(p, slow, r, v, "unit.gran.guesses") / number(p, slow, r, v, "unit.gran.misses");
  }
  paper_show(p, &t);
  for (int v = SECTORS; v <= BIM; v++)
    paper_note(p, "figure 42", NAN, paper_mean_all(&t, v - SECTORS), 0.2, 1, "x",
               "bytes read from DRAM, %s (guesses at the L1 alone)", variants[v].name);
  paper_note(p, "figure 42", NAN, paper_mean_all(&t, 1) / paper_mean_all(&t, 0), 1, NAN, "x",
             "the same, NAP over sectors (paper: bytes grow)");
}

/* ---- figures 41, 42: predictors at the slices as well, on one input ---- */

static void by_kernel(paper *p, paper_table *t, int variant, int over, const char *name,
                      const char *key) {
  const int c = paper_column(t, name);
  for (int k = 0; k < KERNELS; k++) {
    const int row = k * INPUTS + RMAT_20;
    t->v[k][c] =
        key ? number(p, slow, row, variant, key) / number(p, slow, row, over, key)
            : number(p, slow, row, over, "cycles") / number(p, slow, row, variant, "cycles");
  }
}

static paper_table of_kernels(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int k = 0; k < KERNELS; k++) paper_row(&t, 0, "%s", graph_kernels[k].name);
  return t;
}

static void both_levels(paper *p) {
  paper_table t = of_kernels("41",
                             "Speedup over lines in both caches, RMAT20: guesses at the L1, "
                             "and at both levels",
                             PAPER_HARMONIC),
              bytes = of_kernels("42-both", "Bytes read from DRAM over those of sectors, RMAT20",
                                 PAPER_ARITHMETIC);
  for (int v = SECTORS; v < VARIANTS; v++) by_kernel(p, &t, v, STRAW, variants[v].name, NULL);
  for (int v = NAP; v < VARIANTS; v++)
    by_kernel(p, &bytes, v, SECTORS, variants[v].name, "dram.read_bytes");
  paper_show(p, &t);
  paper_show(p, &bytes);
  const double sectors = paper_mean_all(&t, 0);
  for (int v = NAP2; v < VARIANTS; v++) {
    const double both = paper_mean_all(&t, v - SECTORS);
    paper_note(p, "figure 41", NAN, both / sectors, 0.9, 1.1, "x", "%s over sectors",
               variants[v].name);
    paper_note(p, "figure 41", NAN, both / paper_mean_all(&t, v - NAP2 + NAP - SECTORS), 0.9, 1.1,
               "x", "%s over guesses at the L1 alone", variants[v].name);
    paper_note(p, "figure 42", NAN, paper_mean_all(&bytes, v - NAP), 1, NAN, "x",
               "%s, bytes over sectors (paper: they grow)", variants[v].name);
  }
}

/* ---- why sectors lose with 144 GB/s: lines are a prefetch, of what is waited for ---- */

#define MORE_MISSES                                                                                \
  " --set l1.mshrs=128 --set l1.miss_queue=32 --set l2.mshrs=256 --set l2.queue=64"

static void waiting(paper *p) {
  static const int losing[] = {0, 6, 7, 8, 9}; /* the five kernels that lose the most */
  static const struct {
    const char *name, *what, *settings;
    double low, high;
  } machines[] = {{"as-it-is", "as it is", "", NAN, 1},
                  {"more-misses", "four times the MSHRs", MORE_MISSES, NAN, NAN},
                  {"near-DRAM", "and near DRAM", MORE_MISSES " --set dram.latency=20", 1, NAN}};
  paper_table t = {.file = "waiting",
                   .title = "Speedup of sectors over lines in both caches, 144 GB/s, RMAT20",
                   .mean = PAPER_HARMONIC};
  for (int i = 0; i < 5; i++) paper_row(&t, 0, "%s", graph_kernels[losing[i]].name);
  for (int m = 0; m < 3; m++) {
    char machine[256];
    snprintf(machine, sizeof machine, "%s%s", fast, machines[m].settings);
    const int c = paper_column(&t, machines[m].name);
    for (int i = 0; i < 5; i++) {
      const int row = losing[i] * INPUTS + RMAT_20;
      t.v[i][c] =
          number(p, machine, row, STRAW, "cycles") / number(p, machine, row, SECTORS, "cycles");
    }
    paper_note(p, "beside", NAN, paper_mean_all(&t, c), machines[m].low, machines[m].high, "x",
               "sectors over lines with 144 GB/s, five kernels, %s", machines[m].what);
  }
  paper_show(p, &t);
}

static const paper_part parts[] = {{"speedups", "figure 40: IPC", at_100, false},
                                   {"bandwidth", "figure 43: IPC with 144 GB/s", at_144, false},
                                   {"sectors", "figure 39: sectors of a line", sectors, false},
                                   {"traffic", "figure 42: bytes from DRAM", traffic, false},
                                   {"waiting", "Why sectors lose with 144 GB/s", waiting, true},
                                   {"both", "At both levels: figures 41, 42", both_levels, true},
                                   {0}};
const paper_unit paper_this = {"gran", "Granularity predictors", parts};
