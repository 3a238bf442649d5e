/* The optimal bypass monitor (cache policies for graph kernels, chapter 4): at the L1, over an L1
 * of lines and of sectors, beside rivals; and at the L1 and the L2's slices, in the paper's
 * machine. Means are harmonic, of speedups. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

#define MACHINE "--config fermi16 --set core.sms=2 --set l2.partitions=1"

enum { OBM, OBM_LINE, SECTORS, BOTH, BOTH_MSHR, ABYP, PD32, PD64, STALLS, APCM, KB64, VARIANTS };
static const struct {
  const char *name, *options;
} variants[VARIANTS] = {
    [OBM] = {"OBM", "--unit obm"},
    [OBM_LINE] = {"OBM-line", "--unit obm --set l1.past=line"},
    [SECTORS] = {"sectors", "--set l1.sectored=1"},
    [BOTH] = {"OBM+sectors", "--unit obm --set l1.sectored=1"},
    [BOTH_MSHR] = {"OBM-MSHR+sectors", "--unit obm --set l1.sectored=1 --set l1.past=line"},
    [ABYP] = {"ABYP", "--set l1.abyp=1"},
    [PD32] = {"PD-32", "--set l1.pd=32"},
    [PD64] = {"PD-64", "--set l1.pd=64"},
    [STALLS] = {"past-on-stall", "--set l1.bypass_stalls=1"},
    [APCM] = {"APCM", "--unit apcm"},
    [KB64] = {"64KB", "--set l1.bytes=65536 --set l1.ways=8"}};

/* Kernels that need the shared memory have their own split of it and the L1, but with 64 KB. */
static const cJSON *result(paper *p, int kernel, int input, const char *options) {
  char label[64], app[128];
  const bool other = options == variants[KB64].options;
  char *split;
  snprintf(label, sizeof label, "%s-%s", graph_kernels[kernel].name, graph_inputs[input].name);
  snprintf(app, sizeof app, "%s", graph_kernels[kernel].options);
  if (other && (split = strstr(app, SPLIT)))
    snprintf(split, sizeof app - (size_t)(split - app), " --set core.shared_bytes=49152");
  return paper_result(p, label, MACHINE " --app %s --graph %s %s", app, graph_inputs[input].graph,
                      options);
}

static paper_table of_runs(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int k = 0; k < KERNELS; k++)
    for (int i = 0; i < INPUTS; i++)
      paper_row(&t, 0, "%s-%s", graph_kernels[k].name, graph_inputs[i].name);
  return t;
}

static const char one_level[] =
    "the paper's monitor sits at the L2 as well, and its machine is eight times as large";

static void speedups(paper *p) {
  paper_table t = of_runs("33", "Speedup over an L1 of lines", PAPER_HARMONIC);
  for (int v = 0; v < VARIANTS; v++) {
    paper_column(&t, variants[v].name);
    for (int k = 0; k < KERNELS; k++)
      for (int i = 0; i < INPUTS; i++)
        t.v[k * INPUTS + i][v] = paper_number(result(p, k, i, ""), "cycles") /
                                 paper_number(result(p, k, i, variants[v].options), "cycles");
  }
  paper_show(p, &t);
  static const struct {
    const char *figure, *what;
    double paper;
    int variant;
  } rows[] = {{"figure 33", "OBM, lines past (paper: at L1 and L2)", 1.14, OBM_LINE},
              {"figure 40", "sectors", 1.39, SECTORS},
              {"figure 44", "OBM and sectors (paper: at L1 and L2)", 1.54, BOTH}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    paper_note(p, rows[r].figure, rows[r].paper, paper_mean_all(&t, rows[r].variant), 1.0, NAN, "x",
               "%s", rows[r].what);
    paper_why(p, one_level);
  }
  static const struct {
    const char *what;
    int variant, over;
  } beside[] = {{"OBM, past by sectors without MSHRs, over lines past with them", OBM, OBM_LINE},
                {"OBM and sectors over sectors", BOTH, SECTORS},
                {"the same, what goes past keeps an MSHR", BOTH_MSHR, SECTORS},
                {"OBM over ABYP", OBM, ABYP},
                {"OBM over PD-64", OBM, PD64},
                {"OBM over going past where a miss would stall", OBM, STALLS},
                {"OBM over APCM", OBM, APCM},
                {"OBM over 64 KB", OBM, KB64}};
  for (size_t r = 0; r < sizeof beside / sizeof *beside; r++)
    paper_note(p, "beside", NAN,
               paper_mean_all(&t, beside[r].variant) / paper_mean_all(&t, beside[r].over), 0.8,
               1.25, "x", "%s", beside[r].what);
}

/* What the L1 is asked for and what of it goes past. */
static void lines(paper *p) {
  static const int shown[] = {OBM_LINE, BOTH_MSHR};
  paper_table t = of_runs("34",
                          "Misses of the L1 with OBM over those without (lines, sectors), and "
                          "misses that go past, %",
                          PAPER_ARITHMETIC);
  paper_column(&t, "misses");
  paper_column(&t, "misses-sectors");
  paper_column(&t, "past-%");
  paper_column(&t, "past-%-sectors");
  for (int k = 0; k < KERNELS; k++)
    for (int i = 0; i < INPUTS; i++)
      for (int s = 0; s < 2; s++) {
        const cJSON *with = result(p, k, i, variants[shown[s]].options),
                    *without = result(p, k, i, s ? variants[SECTORS].options : "");
        const double misses = paper_number(with, "l1.misses");
        t.v[k * INPUTS + i][s] = misses / paper_number(without, "l1.misses");
        t.v[k * INPUTS + i][2 + s] = 100 * paper_number(with, "l1.bypasses") / misses;
      }
  paper_show(p, &t);
  paper_note(p, "figure 34", NAN, paper_mean_all(&t, 0), NAN, 1.05, "x", "misses of the L1, lines");
  paper_why(p, "H-BFS, H-SSSP, CLR, MIS and BFS-WC, whose lines are used again, ask anew for what "
               "went past, and "
               "lose by it; the other five have 0.84 to 0.98 (by kernel below)");
  paper_note(p, "figure 36", NAN, paper_mean_all(&t, 2), 1, 99, "%", "misses that go past, lines");
}

static void seeds(paper *p) {
  paper_table t =
      of_runs("seeds", "Speedup of OBM (lines past) by the seed of its draws", PAPER_HARMONIC);
  static const char *const names[] = {"seed-1", "seed-100", "seed-1000"};
  static const char *const options[] = {"", " --set obm.seed=100", " --set obm.seed=1000"};
  for (int s = 0; s < 3; s++) {
    paper_column(&t, names[s]);
    for (int k = 0; k < KERNELS; k++)
      for (int i = 0; i < INPUTS; i++) {
        char of_seed[96];
        snprintf(of_seed, sizeof of_seed, "%s%s", variants[OBM_LINE].options, options[s]);
        t.v[k * INPUTS + i][s] = paper_number(result(p, k, i, ""), "cycles") /
                                 paper_number(result(p, k, i, of_seed), "cycles");
      }
  }
  paper_show(p, &t);
}

/* ---- both levels, in the paper's machine: stores go through both caches to DRAM and take their
 * lines along, a miss brings its line from there, and what goes past the L1 keeps its MSHR ---- */

#define PAPERS " --set l2.write=evict --set l1.past=line"
#define BY_LINE PAPERS " --set l2.fill=line"
#define BY_SECTOR PAPERS " --set l1.sectored=1"
enum { BASE, AT_L1, AT_L2, AT_BOTH, MAT_BOTH, AB_BOTH, IN_SECTORS, ALL, FORMS };
static const struct {
  const char *name, *options;
} forms[FORMS] = {[BASE] = {"base", BY_LINE},
                  [AT_L1] = {"OBM-L1", BY_LINE " --unit obm"},
                  [AT_L2] = {"OBM-L2", BY_LINE " --unit obm:level=l2"},
                  [AT_BOTH] = {"OBM", BY_LINE " --unit obm:level=both"},
                  [MAT_BOTH] = {"MAT", BY_LINE " --set l1.bypass=mat --set l2.bypass=mat"},
                  [AB_BOTH] = {"AB", BY_LINE " --set l1.bypass=ab --set l2.bypass=ab"},
                  [IN_SECTORS] = {"sectors", BY_SECTOR},
                  [ALL] = {"OBM+sectors", BY_SECTOR " --unit obm:level=both"}};

/* Of one input: these runs are of a baseline that takes two to three times as long. */
enum { RMAT20 = 1 };
static const cJSON *of_form(paper *p, int kernel, int form) {
  return result(p, kernel, RMAT20, forms[form].options);
}

static paper_table of_kernels(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int k = 0; k < KERNELS; k++) paper_row(&t, 0, "%s", graph_kernels[k].name);
  return t;
}

/* Misses of a level over those without; of them, what goes past, %. */
static void slice_lines(paper *p) {
  static const int shown[] = {MAT_BOTH, AB_BOTH, AT_BOTH};
  static const char *const names[] = {"L1-MAT", "L1-AB", "L1-OBM", "L2-MAT", "L2-AB", "L2-OBM"};
  paper_table t =
      of_kernels("35", "Misses in the paper's machine over those without", PAPER_ARITHMETIC);
  for (int c = 0; c < 6; c++) paper_column(&t, names[c]);
  paper_column(&t, "past-L1-%");
  paper_column(&t, "past-L2-%");
  for (int k = 0; k < KERNELS; k++) {
    double *v = t.v[k];
    const cJSON *base = of_form(p, k, BASE), *obm = of_form(p, k, AT_BOTH);
    for (int c = 0; c < 6; c++) {
      const char *key = c < 3 ? "l1.misses" : "l2.misses";
      v[c] = paper_number(of_form(p, k, shown[c % 3]), key) / paper_number(base, key);
    }
    v[6] = 100 * paper_number(obm, "l1.bypasses") / paper_number(obm, "l1.misses");
    v[7] = 100 * paper_number(obm, "unit.obm.l2_past") / paper_number(obm, "unit.obm.l2_misses");
  }
  paper_show(p, &t);
  paper_note(p, "figure 34", NAN, paper_mean_all(&t, 2), NAN, 1.1, "x",
             "OBM at both: misses of L1");
  paper_note(p, "figure 35", NAN, paper_mean_all(&t, 5), NAN, 1.1, "x",
             "OBM at both: misses of L2");
  paper_note(p, "figure 37", NAN, paper_mean_all(&t, 7), 1, 99, "%", "OBM: L2 misses that go past");
}

#define EIGHTH "the machine is an eighth of the paper's, and its baseline is not told whole"

static void slice_rows(paper *p, const paper_table *t) {
  static const struct {
    const char *figure, *what;
    double paper;
    int form;
    const char *why;
  } rows[] = {{"figure 32, 44", "OBM at the L2", 1.05, AT_L2, EIGHTH},
              {"figure 33", "MAT at both", 1.03, MAT_BOTH,
               "what goes past L1 is asked of L2 again, and goes past L2, too: at either alone it "
               "gains (paper-cache PART=victims)"},
              {"figure 33", "AB at both", 1.04, AB_BOTH, EIGHTH},
              {"figure 33, 44", "OBM at both", 1.14, AT_BOTH, EIGHTH},
              {"figure 44", "sectors", 1.39, IN_SECTORS, EIGHTH},
              {"figure 44", "OBM at both and sectors", 1.54, ALL, EIGHTH}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    paper_note(p, rows[r].figure, rows[r].paper, paper_mean_all(t, rows[r].form), 1.0, NAN, "x",
               "%s", rows[r].what);
    paper_why(p, rows[r].why);
  }
  paper_note(p, "beside", NAN, paper_mean_all(t, AT_BOTH) / paper_mean_all(t, AT_L1), 0.9, 1.2, "x",
             "OBM at both over OBM at the L1");
  paper_note(p, "beside", NAN, paper_mean_all(t, ALL) / paper_mean_all(t, IN_SECTORS), 0.8, 1.25,
             "x", "OBM at both and sectors over sectors");
}

static void slices(paper *p) {
  paper_table t = of_kernels("32", "Speedup in the paper's machine, RMAT20", PAPER_HARMONIC);
  for (int f = 0; f < FORMS; f++) {
    paper_column(&t, forms[f].name);
    for (int k = 0; k < KERNELS; k++)
      t.v[k][f] =
          paper_number(of_form(p, k, BASE), "cycles") / paper_number(of_form(p, k, f), "cycles");
  }
  paper_show(p, &t);
  slice_rows(p, &t);
  slice_lines(p);
}

static const paper_part parts[] = {
    {"speedups", "figures 33, 40, 44", speedups, false},
    {"lines", "figures 34, 36", lines, false},
    {"seeds", "seeds of the draws", seeds, false},
    {"slices", "At the L1 and at L2's slices: figures 32 to 35, 37, 44", slices, true},
    {0}};
const paper_unit paper_this = {"obm", "Optimal bypass monitor at the L1 and at L2's slices", parts};
