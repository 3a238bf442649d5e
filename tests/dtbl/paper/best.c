/* Best software with the unit over best software without, then the paper's kernels. For each input
 * the fastest of the forms of sim/apps/launch/share.cuh of the cuts named here. */
#include <math.h>
#include <stdio.h>

#include "tests/dtbl/paper/dtbl.h"

enum { CUTS = 2, SHARES = 2, CANDIDATES = SHARES * CUTS };

/* Lists of `from` items and more are cut up or launched, `chunk` items a warp; 0: there is no such
 * candidate. Both sides have the same. */
static const struct {
  unsigned from, chunk;
} cuts[APPS][CUTS] = {
    [AMR] = {{64, 64}, {64, 32}},
    [BHT] = {{64, 64}, {32, 64}},
    [BFS_CITATION] = {{64, 64}, {64, 256}},
    [BFS_ROAD] = {{64, 64}}, /* no list is as long */
    [BFS_CAGE15] = {{64, 64}, {32, 64}},
    [CLR_CITATION] = {{64, 64}, {64, 256}},
    [CLR_GRAPH500] = {{64, 64}, {64, 256}},
    [CLR_CAGE15] = {{64, 64}, {32, 64}},
    [REGX_DARPA] = {{32, 64}, {64, 128}},
    [REGX_STRING] = {{32, 64}, {64, 128}},
    [PRE] = {{64, 256}, {64, 1024}},
    [JOIN_UNIFORM] = {{64, 64}, {32, 64}},
    [JOIN_GAUSSIAN] = {{64, 64}, {64, 256}},
    [SSSP_CITATION] = {{64, 64}, {64, 256}},
    [SSSP_FLIGHT] = {{64, 64}}, /* no list is as long */
    [SSSP_CAGE15] = {{64, 64}, {32, 64}},
    [CLR_EVEN] = {{64, 64}, {32, 64}},
};
static const char *const shares[SHARES] = {"bins", "scan"};

/* NAN: there is no such candidate. */
static double candidate(paper *p, int app, int side, int share, int cut) {
  const unsigned from = cuts[app][cut].from, chunk = cuts[app][cut].chunk;
  char form[64], options[128];
  if (!from) return NAN;
  snprintf(form, sizeof form, "%s%s-%u-%u", shares[share], side == PAPER_WITH ? "_dtbl" : "", from,
           chunk);
  snprintf(options, sizeof options, "app.form=%s%s --set app.from=%u --set app.chunk=%u%s",
           shares[share], side == PAPER_WITH ? "_dtbl" : "", from, chunk,
           side == PAPER_WITH ? " --unit dtbl" : "");
  return paper_number(launched_result(p, app, form, options), "cycles");
}

/* Figure 21 has them in three orders: the same runs. */
static double paper_kernel(paper *p, int app, int side) {
  if (!paper_first_order(p)) return NAN;
  return paper_number(
      launched_result(p, app, side == PAPER_WITH ? "DTBL" : "flat",
                      side == PAPER_WITH ? "app.form=dtbl --unit dtbl" : "app.form=flat"),
      "cycles");
}

static paper_table table_of(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int a = 0; a < APPS; a++)
    paper_row(&t, a < PAPERS ? 0 : PAPER_BESIDE, "%s", launched_name(a));
  return t;
}

/* Every candidate. */
static void candidates(paper *p, paper_best best[APPS]) {
  static const char *const names[PAPER_SIDES][CANDIDATES] = {
      {"bins", "bins-2nd", "scan", "scan-2nd"},
      {"bins+unit", "bins+unit-2nd", "scan+unit", "scan+unit-2nd"}};
  paper_table t =
      table_of("best-all",
               "Candidates, Mcycles: lists of 64 items and more are cut up or launched; "
               "2nd: of 256, in regx of 32",
               PAPER_NO_MEAN);
  for (int side = 0; side < PAPER_SIDES; side++)
    for (int c = 0; c < CANDIDATES; c++) paper_column(&t, names[side][c]);
  for (int a = 0; a < APPS; a++) {
    best[a] = paper_best_none();
    for (int side = 0; side < PAPER_SIDES; side++)
      for (int c = 0; c < CANDIDATES; c++) {
        const double n = candidate(p, a, side, c / CUTS, c % CUTS);
        t.v[a][side * CANDIDATES + c] = n / 1e6;
        paper_best_try(&best[a], side, n);
      }
  }
  paper_show(p, &t);
}

void dtbl_best(paper *p) {
  paper_best best[APPS];
  paper_table t =
      table_of("best",
               "Speedup by the unit: best software, the paper's kernels; cycles; the best "
               "without over the paper's with",
               PAPER_GEOMETRIC);
  candidates(p, best);
  for (int a = 0; a < APPS; a++)
    for (int side = 0; side < PAPER_SIDES; side++) best[a].kernel[side] = paper_kernel(p, a, side);
  paper_best_table(p, &t, best);
  paper_note(p, "best", NAN, t.v[PRE][PAPER_BEST_GAIN], 0.9, 1.1, "x",
             "the unit's gain, best software, pre");
  paper_note(p, "best", NAN, t.v[REGX_DARPA][PAPER_BEST_GAIN], 1, NAN, "x",
             "the unit's gain, best software, regx_darpa");
  paper_note(p, "best", NAN, t.v[AMR][PAPER_BEST_GAIN], NAN, 1, "x",
             "the unit's gain, best software, amr");
  paper_best_means(p, &t, 1.21);
}

/* The inputs on which the unit gains most over the best software, for orders of arbitration. A bit
 * for each candidate: those within 5 % of their side's fastest in the first order. */
static const struct {
  int app;
  unsigned near[PAPER_SIDES];
} gaining[] = {{REGX_DARPA, {0xf, 0xa}},
               {REGX_STRING, {0xc, 0xa}},
               {CLR_GRAPH500, {0xb, 0xb}},
               {JOIN_GAUSSIAN, {0xa, 0xe}}};

void dtbl_orders(paper *p) {
  paper_table t = {.file = "orders",
                   .title = "Best software, the unit's gain; cycles with and without",
                   .mean = PAPER_NO_MEAN};
  paper_column(&t, "gain");
  paper_column(&t, "without");
  paper_column(&t, "with");
  for (size_t i = 0; i < sizeof gaining / sizeof *gaining; i++) {
    const int app = gaining[i].app, row = paper_row(&t, 0, "%s", launched_name(app));
    paper_best best = paper_best_none();
    for (int side = 0; side < PAPER_SIDES; side++)
      for (int c = 0; c < CANDIDATES; c++)
        if (gaining[i].near[side] >> c & 1)
          paper_best_try(&best, side, candidate(p, app, side, c / CUTS, c % CUTS));
    t.v[row][0] = best.best[PAPER_WITHOUT] / best.best[PAPER_WITH];
    t.v[row][1] = best.best[PAPER_WITHOUT];
    t.v[row][2] = best.best[PAPER_WITH];
    paper_note(p, "orders", NAN, t.v[row][0], 1, NAN, "x", "the unit's gain, best software, %s",
               launched_name(app));
  }
  paper_show(p, &t);
}
