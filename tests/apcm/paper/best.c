/* Best software with the unit over best software without, then the paper's kernels: of the ten
 * applications that a cache matters to, each with its input. Both sides have the same candidates.
 * The L1 keeps its 16 KB. */
#include <math.h>
#include <stdio.h>

#include "tests/apcm/paper/apcm.h"

enum { FORMS = 6, RANDOM = APCM_SENSITIVE, ROWS }; /* RANDOM: spmv on another graph, in no mean */
#define RANDOM_GRAPH "--graph random:n=131072,degree=8 --set l1.mshrs=64"

/* The first is the paper's kernel; programs that do the same on the same input. */
static const struct {
  const char *name, *program, *options;
} candidates[ROWS][FORMS] = {
    [APCM_BFS] = {{"paper", "bfs_rodinia", ""},
                  {"thread", "bfs", "--set app.strategy=thread"},
                  {"bins", "bfs", "--set app.strategy=bins"},
                  {"edges", "bfs", "--set app.strategy=edges"},
                  {"direction", "bfs", "--set app.strategy=direction"}},
    [APCM_KMN] = {{"paper", "kmn", ""}, {"tile", "kmn", "--set app.form=tile"}},
    [APCM_IIX] = {{"paper", "iix", ""},
                  {"marks", "iix", "--set app.form=marks"},
                  {"far", "iix", "--set app.form=far"}},
    [APCM_WC] = {{"paper", "wc", ""},
                 {"marks", "wc", "--set app.form=marks"},
                 {"far", "wc", "--set app.form=far"}},
    [APCM_GC] = {{"paper", "gc", ""},
                 {"far", "gc", "--set app.form=far"},
                 {"first-larger", "gclr", "--set app.rounds=3"},
                 {"bins", "clr", "--set app.form=bins"}},
    [APCM_SSP] = {{"paper", "ssp", ""},
                  {"edges", "sssp", "--set app.strategy=edges"},
                  {"queue", "gsssp", "--set app.strategy=queue"},
                  {"queue-near", "gsssp", "--set app.strategy=queue --set app.walk=near"},
                  {"queue-far", "gsssp", "--set app.strategy=queue --set app.walk=far"},
                  {"scan", "sssp_dp", "--set app.form=scan"}},
    [APCM_SPMV] = {{"paper", "spmv", ""},
                   {"ahead", "spmv", "--set app.form=ahead"},
                   {"far", "spmv", "--set app.form=far"}},
    [APCM_MM] = {{"paper", "mm", ""},
                 {"rows", "mm", "--set app.b=rows"},
                 {"tile", "mm", "--set app.form=tile"},
                 {"tile-rows", "mm", "--set app.form=tile --set app.b=rows"}},
    [APCM_SS] = {{"paper", "ss", ""}, {"tile", "ss", "--set app.form=tile"}},
    [APCM_CCL] = {{"paper", "ccl", ""}, {"hook", "wcc", "--set app.strategy=hook"}},
    [RANDOM] = {{"paper", "spmv", ""},
                {"ahead", "spmv", "--set app.form=ahead"},
                {"far", "spmv", "--set app.form=far"}},
};

static const char *row_name(int row) {
  return row == RANDOM ? "spmv-random" : apcm_app_name(row);
}

static double cycles_as(paper *p, int row, int form, int side, const char *machine) {
  const char *program = candidates[row][form].program, *unit = side == PAPER_WITH ? APCM_BOTH : "";
  char options[256];
  snprintf(options, sizeof options, "%s%s%s%s", candidates[row][form].options,
           *unit && *candidates[row][form].options ? " " : "", unit, machine);
  return paper_number(row == RANDOM ? paper_result(p, row_name(row), "--app %s " RANDOM_GRAPH " %s",
                                                   program, options)
                                    : apcm_result(p, row, program, options),
                      "cycles");
}

static double cycles(paper *p, int row, int form, int side) {
  return cycles_as(p, row, form, side, "");
}

/* Tries all of a row's, each a row of `all`. */
static paper_best best_of_row(paper *p, int row, paper_table *all) {
  paper_best best = paper_best_none();
  for (int form = 0; form < FORMS && candidates[row][form].name; form++) {
    const int at = paper_row(all, 0, "%s,%s", row_name(row), candidates[row][form].name);
    for (int side = 0; side < PAPER_SIDES; side++) {
      const double n = cycles(p, row, form, side);
      all->v[at][side] = n / 1000;
      paper_best_try(&best, side, n);
      if (!form) best.kernel[side] = n;
    }
  }
  return best;
}

void apcm_best(paper *p) {
  paper_best best[ROWS];
  paper_table all = {.file = "best-all", .title = "Candidates, kcycles", .mean = PAPER_NO_MEAN},
              t = {.file = "best",
                   .title = "Speedup by the unit: best software, the paper's kernels; cycles; the "
                            "best without over the paper's with",
                   .mean = PAPER_GEOMETRIC};
  paper_column(&all, "without");
  paper_column(&all, "with");
  for (int row = 0; row < ROWS; row++) {
    paper_row(&t, row == RANDOM ? PAPER_BESIDE : 0, "%s", row_name(row));
    best[row] = best_of_row(p, row, &all);
  }
  paper_show(p, &all);
  paper_best_table(p, &t, best);
  paper_note(p, "best", NAN, t.v[APCM_SSP][PAPER_BEST_GAIN], 1, NAN, "x",
             "the unit's gain, best software, ssp");
  paper_note(p, "best", NAN, t.v[APCM_GC][PAPER_BEST_GAIN], 1, NAN, "x",
             "the unit's gain, best software, gc");
  paper_note(p, "best", NAN, t.v[APCM_BFS][PAPER_BEST_GAIN], NAN, 1, "x",
             "the unit's gain, best software, bfs_rodinia");
  paper_best_means(p, &t, 1.33); /* of six 1.34, of four 1.32 */
}

/* The machine's other split of its 64 KB, which a program chooses for each kernel. */
#define OTHER_SPLIT " --set l1.bytes=49152 --set l1.ways=12 --set core.shared_bytes=16384"

/* The fastest form but the paper's, by 16 or 48 KB of L1. */
static double fastest(paper *p, int row, int side) {
  double least = INFINITY;
  for (int form = 1; form < FORMS && candidates[row][form].name; form++) {
    least = fmin(least, cycles(p, row, form, side));
    least = fmin(least, cycles_as(p, row, form, side, OTHER_SPLIT));
  }
  return least;
}

void apcm_split(paper *p) {
  paper_table t = {.file = "split",
                   .title = "The fastest form that is not the paper's, kcycles, each with 16 or 48 "
                            "KB of L1; speedup by the unit",
                   .mean = PAPER_GEOMETRIC};
  const int without = paper_column(&t, "without"), with = paper_column(&t, "with"),
            gain = paper_column(&t, "gain");
  for (int a = 0; a < APCM_SENSITIVE; a++) {
    paper_row(&t, 0, "%s", row_name(a));
    t.v[a][without] = fastest(p, a, PAPER_WITHOUT) / 1000;
    t.v[a][with] = fastest(p, a, PAPER_WITH) / 1000;
    t.v[a][gain] = t.v[a][without] / t.v[a][with];
  }
  paper_show(p, &t);
  paper_note(p, "split", NAN, t.v[APCM_SSP][gain], 1, NAN, "x",
             "the unit's gain, best software by either split, ssp");
  paper_note(p, "split", NAN, t.v[APCM_GC][gain], 1, NAN, "x",
             "the unit's gain, best software by either split, gc");
  paper_why(p, "what is gathered stays in 48 KB without it");
  paper_note(p, "split", NAN, paper_mean_all(&t, gain), 1, NAN, "x",
             "the unit's gain, best software by either split, mean");
  paper_why(p, "48 KB of L1 give more than the unit does at 16 KB, but for mm");
}
