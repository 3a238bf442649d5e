/* Best software with the unit over best software without, then the paper's plain form. Each side
 * has the plain form, the one through shared memory and those that are double buffered by hand,
 * through registers or by copies (sim/apps/preload/strip.cuh). */
#include <math.h>
#include <stdio.h>

#include "tests/teleport/paper/teleport.h"

typedef struct candidate {
  const char *form;
  unsigned strip; /* rows of a thread; 0: the form has no such thing */
} candidate;
static const candidate candidates[] = {{"plain", 0},  {"shared", 0},  {"double", 4},
                                       {"double", 8}, {"double", 16}, {"double", 32},
                                       {"copy", 16},  {"copy", 32},   {"copy", 64}};
enum { PLAIN = 0, DOUBLE = 2, UNIT = sizeof candidates / sizeof *candidates, ALL = 2 * UNIT };

/* NAN: there is no such candidate: PTF has one form of strips. From UNIT on: with the unit. */
static double cycles_as(paper *p, int app, int number, const char *options) {
  const char *name = teleport_apps[app].name;
  const candidate *c = &candidates[number % UNIT];
  char label[64], strip[64] = "";
  if (app == TELEPORT_PTF && number % UNIT > DOUBLE) return NAN;
  if (c->strip && app != TELEPORT_PTF)
    snprintf(strip, sizeof strip, " --set app.strip=%u", c->strip);
  snprintf(label, sizeof label, "best-%s", name);
  return paper_number(paper_result(p, label, "--app %s --set app.form=%s%s%s%s", name, c->form,
                                   strip, number < UNIT ? "" : " --unit teleport", options),
                      "cycles");
}

static double cycles(paper *p, int app, int number) {
  return cycles_as(p, app, number, "");
}

void teleport_best(paper *p) {
  paper_best best[TELEPORT_APPS];
  paper_table all = {.file = "best-all",
                     .title = "Candidates, kcycles; double, copy: by rows of a thread",
                     .mean = PAPER_NO_MEAN},
              t = {.file = "best",
                   .title = "Speedup by the unit: best software, the paper's kernels; cycles; the "
                            "best without over the paper's with",
                   .mean = PAPER_GEOMETRIC};
  static char names[ALL][32];
  for (int c = 0; c < ALL; c++) {
    const candidate *k = &candidates[c % UNIT];
    const char *unit = c < UNIT ? "" : "+unit";
    if (k->strip)
      snprintf(names[c], sizeof names[c], "%s-%u%s", k->form, k->strip, unit);
    else
      snprintf(names[c], sizeof names[c], "%s%s", k->form, unit);
    paper_column(&all, names[c]);
  }
  for (int a = 0; a < TELEPORT_APPS; a++) {
    paper_row(&all, 0, "%s", teleport_apps[a].title);
    paper_row(&t, 0, "%s", teleport_apps[a].title);
    best[a] = paper_best_none();
    for (int c = 0; c < ALL; c++) {
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

/* The machine's other split of its 64 KB, which a program chooses for each kernel: what the unit
 * fills is L1. */
#define OTHER_SPLIT " --set l1.bytes=49152 --set l1.ways=12 --set core.shared_bytes=16384"

/* The fastest of all forms, by either split. */
static double fastest(paper *p, int app, int from) {
  double least = INFINITY;
  for (int c = from; c < from + (int)UNIT; c++) least = fmin(least, cycles(p, app, c));
  for (int c = 0; c < (int)UNIT; c++) least = fmin(least, cycles_as(p, app, c, OTHER_SPLIT));
  return least;
}

void teleport_split(paper *p) {
  paper_table t = {.file = "split",
                   .title =
                       "Speedup of plain forms by 48 KB of L1, by the unit, one over the other; "
                       "best software, by either split",
                   .mean = PAPER_GEOMETRIC};
  const int l1 = paper_column(&t, "L1-48K"), unit = paper_column(&t, "TELEPORT"),
            over = paper_column(&t, "TELEPORT/L1-48K"), best = paper_column(&t, "best/best");
  for (int a = 0; a < TELEPORT_APPS; a++) {
    const double plain = cycles(p, a, PLAIN), large = cycles_as(p, a, PLAIN, OTHER_SPLIT),
                 with = cycles(p, a, UNIT);
    paper_row(&t, 0, "%s", teleport_apps[a].title);
    t.v[a][l1] = plain / large;
    t.v[a][unit] = plain / with;
    t.v[a][over] = large / with;
    t.v[a][best] = fastest(p, a, 0) / fastest(p, a, UNIT);
  }
  paper_show(p, &t);
  paper_note(p, "split", NAN, paper_mean_all(&t, l1), 1, NAN, "x",
             "48 KB of L1 and no unit over 16 KB, plain forms, mean");
  paper_note(p, "split", NAN, paper_mean_all(&t, over), 1, NAN, "x",
             "TELEPORT over 48 KB of L1 and no unit, plain forms, mean");
  paper_note(p, "split", NAN, t.v[TELEPORT_HSP][over], 1, NAN, "x",
             "TELEPORT over 48 KB of L1 and no unit, HSP");
  paper_why(p, "columns beside a tile come as whole lines: without their rows (section 7.5.3) it "
               "is nearly even");
  paper_note(p, "split", NAN, paper_mean_all(&t, best), 1, NAN, "x",
             "the unit's gain, best software by either split, mean");
}
