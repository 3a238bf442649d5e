/* Best software with a unit over best software without, and the paper's kernels the same way. */
#include <math.h>

#include "tests/papers/paper.h"

paper_best paper_best_none(void) {
  return (paper_best){{NAN, NAN}, {NAN, NAN}};
}

void paper_best_try(paper_best *b, int side, double cycles) {
  b->best[side] = fmin(b->best[side], cycles); /* the other where one is NAN */
}

void paper_best_table(paper *p, paper_table *t, const paper_best *rows) {
  static const char *const names[PAPER_BEST_COLUMNS] = {
      "best_with/best_without", "paper_with/paper_without",
      "best_without",           "best_with",
      "paper_without",          "paper_with",
      "best_without/paper_with"};
  for (int c = 0; c < PAPER_BEST_COLUMNS; c++) paper_column(t, names[c]);
  for (int r = 0; r < t->rows; r++) {
    const double *best = rows[r].best, *kernel = rows[r].kernel;
    const double row[PAPER_BEST_COLUMNS] = {best[PAPER_WITHOUT] / best[PAPER_WITH],
                                            kernel[PAPER_WITHOUT] / kernel[PAPER_WITH],
                                            best[PAPER_WITHOUT],
                                            best[PAPER_WITH],
                                            kernel[PAPER_WITHOUT],
                                            kernel[PAPER_WITH],
                                            kernel[PAPER_WITH] / best[PAPER_WITHOUT]};
    for (int c = 0; c < PAPER_BEST_COLUMNS; c++) t->v[r][c] = row[c];
    paper_note(p, "best", NAN, row[PAPER_BEST_GAIN], NAN, NAN, "x",
               "%s, best with over best without", t->row_names[r]);
    paper_note(p, "best", NAN, row[PAPER_KERNEL_GAIN], NAN, NAN, "x",
               "%s, paper's with over paper's without", t->row_names[r]);
  }
  paper_show(p, t);
}

void paper_best_means(paper *p, const paper_table *t, double paper) {
  paper_note(p, "best", paper, paper_mean_all(t, PAPER_BEST_GAIN), NAN, NAN, "x",
             "the unit's gain, best software, mean");
  paper_note(p, "best", paper, paper_mean_all(t, PAPER_KERNEL_GAIN), NAN, NAN, "x",
             "the unit's gain, the paper's kernels, mean");
  paper_note(p, "best", NAN, paper_mean_all(t, PAPER_BEST_FASTER), 1, NAN, "x",
             "best software over the paper's kernels with the unit, mean");
  paper_note(p, "best", NAN,
             paper_mean_all(t, PAPER_KERNEL_WITHOUT) / paper_mean_all(t, PAPER_BEST_WITHOUT), 1,
             NAN, "x", "best software over the paper's plain kernels, mean");
}
