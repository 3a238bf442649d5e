/* Best software with the unit over best software without, then the paper's plain form: the unit
 * runs that alone. Without it there are the forms through shared memory and those that are double
 * buffered by hand (sim/apps/preload/strip.cuh). */
#include <math.h>
#include <stdio.h>

#include "tests/teleport/paper/teleport.h"

enum { DOUBLES = 4, PLAIN = 0, SHARED, DOUBLE, UNIT = DOUBLE + DOUBLES, CANDIDATES };

/* Rows of a thread; of PTF, whose form has no such thing, the first. */
static const unsigned strips[DOUBLES] = {4, 8, 16, 32};

/* NAN: there is no such candidate. */
static double cycles(paper *p, int app, int candidate) {
  const char *name = teleport_apps[app].name;
  char label[64], options[96] = "";
  const int d = candidate - DOUBLE;
  const bool is_double = d >= 0 && d < DOUBLES;
  if (is_double && d && app == TELEPORT_PTF) return NAN;
  if (is_double && app != TELEPORT_PTF)
    snprintf(options, sizeof options, " --set app.strip=%u", strips[d]);
  if (candidate == UNIT)
    snprintf(options, sizeof options,
             " --unit teleport --set teleport.controllers=3 --set teleport.keep_unread=1");
  snprintf(label, sizeof label, "best-%s", name);
  return paper_number(paper_result(p, label, "--app %s --set app.form=%s%s", name,
                                   is_double             ? "double"
                                   : candidate == SHARED ? "shared"
                                                         : "plain",
                                   options),
                      "cycles");
}

void teleport_best(paper *p) {
  static const char *const names[CANDIDATES] = {"plain",     "shared",    "double-4",  "double-8",
                                                "double-16", "double-32", "plain+unit"};
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
      paper_best_try(&best[a], c == UNIT ? PAPER_WITH : PAPER_WITHOUT, n);
      if (c == PLAIN) best[a].kernel[PAPER_WITHOUT] = n;
      if (c == UNIT) best[a].kernel[PAPER_WITH] = n;
    }
  }
  paper_show(p, &all);
  paper_best_table(p, &t, best);
  paper_best_means(p, &t, 1.56);
}
