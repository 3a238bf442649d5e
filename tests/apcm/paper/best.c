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

static double cycles(paper *p, int row, int form, int side) {
  const char *program = candidates[row][form].program, *unit = side == PAPER_WITH ? APCM_BOTH : "";
  char options[160];
  snprintf(options, sizeof options, "%s%s%s", candidates[row][form].options,
           *unit && *candidates[row][form].options ? " " : "", unit);
  return paper_number(row == RANDOM ? paper_result(p, row_name(row), "--app %s " RANDOM_GRAPH " %s",
                                                   program, options)
                                    : apcm_result(p, row, program, options),
                      "cycles");
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
