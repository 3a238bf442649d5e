/* Best software with the unit over best software without, then the paper's plain form. Each side
 * has the plain form, the one through shared memory and those that are double buffered by hand
 * (sim/apps/preload/strip.cuh). */
#include <math.h>
#include <stdio.h>

#include "tests/teleport/paper/teleport.h"

enum { DOUBLES = 4, PLAIN = 0, SHARED, DOUBLE, UNIT = DOUBLE + DOUBLES, CANDIDATES = 2 * UNIT };

/* Rows of a thread; of PTF, whose form has no such thing, the first. */
static const unsigned strips[DOUBLES] = {4, 8, 16, 32};

/* NAN: there is no such candidate. From UNIT on: with the unit. */
static double cycles(paper *p, int app, int candidate) {
  const char *name = teleport_apps[app].name;
  char label[64], strip[64] = "";
  const int form = candidate % UNIT, d = form - DOUBLE;
  if (d > 0 && app == TELEPORT_PTF) return NAN;
  if (d >= 0 && app != TELEPORT_PTF)
    snprintf(strip, sizeof strip, " --set app.strip=%u", strips[d]);
  snprintf(label, sizeof label, "best-%s", name);
  return paper_number(paper_result(p, label, "--app %s --set app.form=%s%s%s", name,
                                   d >= 0           ? "double"
                                   : form == SHARED ? "shared"
                                                    : "plain",
                                   strip, candidate < UNIT ? "" : " --unit teleport"),
                      "cycles");
}

void teleport_best(paper *p) {
  static const char *const names[CANDIDATES] = {
      "plain",         "shared",        "double-4",       "double-8",
      "double-16",     "double-32",     "plain+unit",     "shared+unit",
      "double-4+unit", "double-8+unit", "double-16+unit", "double-32+unit"};
  paper_best best[TELEPORT_APPS];
  paper_table all = {.file = "best-all",
                     .title = "Candidates, kcycles; double: by rows of a thread",
                     .mean = PAPER_NO_MEAN},
              t = {.file = "best",
                   .title = "Speedup by the unit: best software, the paper's kernels; cycles; the "
                            "best without over the paper's with",
                   .mean = PAPER_GEOMETRIC};
  for (int c = 0; c < CANDIDATES; c++) paper_column(&all, names[c]);
  for (int a = 0; a < TELEPORT_APPS; a++) {
    paper_row(&all, 0, "%s", teleport_apps[a].title);
    paper_row(&t, 0, "%s", teleport_apps[a].title);
    best[a] = paper_best_none();
    for (int c = 0; c < CANDIDATES; c++) {
      const double n = cycles(p, a, c);
      all.v[a][c] = n / 1000;
      paper_best_try(&best[a], c < UNIT ? PAPER_WITHOUT : PAPER_WITH, n);
      if (c == PLAIN) best[a].kernel[PAPER_WITHOUT] = n;
      if (c == UNIT) best[a].kernel[PAPER_WITH] = n;
    }
  }
  paper_show(p, &all);
  paper_best_table(p, &t, best);
  paper_best_means(p, &t, 1.56);
}
