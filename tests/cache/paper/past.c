/* Figures 36 and 37: lines that come into a cache or go past it, over those that the baseline
 * brings into it. A policy that sends past what is asked for again brings more than 100 %. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/cache/paper/policies.h"

#define PRESSURE                                                                                   \
  "MAT takes as many lines past as the baseline brings; with a larger graph and smaller L1s "      \
  "(PART=pressure) half as many, and OBM the most"
#define OF_PRESSURE                                                                                \
  "L1s of a third, whose lines are replaced before they are asked for: AB finds its bypasses "     \
  "right, takes more lines past and is faster"

#define FEW_BACK                                                                                   \
  "L1s of a third replace most lines before they are asked for again, whatever is let in"

/* A line is asked of L2 by each miss that does not join another. */
static double brought_l1(const cJSON *run) {
  return paper_number(run, "l1.misses") - paper_number(run, "l1.merges");
}
static double past_l1(const cJSON *run) {
  return paper_number(run, "l1.bypasses");
}
/* Those that take no way of L2 are read past it. */
static double brought_l2(const cJSON *run) {
  return paper_number(run, "dram.reads");
}
static double past_l2(const cJSON *run) {
  return brought_l2(run) - paper_number(run, "l2.insertions");
}

typedef struct level {
  const char *file, *title;
  double (*brought)(const cJSON *run), (*past)(const cJSON *run);
} level;

static const level l1 = {"36", "Lines past L1, and all that come", brought_l1, past_l1},
                   l2 = {"37", "Lines past L2, and all that come", brought_l2, past_l2};

enum { MAT, AB, OBM, POLICIES };
static const char *const names[POLICIES] = {"MAT", "AB", "OBM"}, *const all_names[POLICIES] = {
                                                                     "MAT-all", "AB-all",
                                                                     "OBM-all"};

/* Columns: past of each policy, then all that each brings. */
static void fill(paper *p, const setting *s, const level *of, paper_table *t) {
  for (int k = 0; k < kernels_of(s); k++)
    paper_row(t, 0, "%s", graph_kernels[kernel_at(s, k)].name);
  for (int n = 0; n < 2 * POLICIES; n++) {
    const bool all = n >= POLICIES;
    const char *policy = names[n % POLICIES];
    const int c = paper_column(t, all ? all_names[n % POLICIES] : policy);
    for (int k = 0; k < kernels_of(s); k++) {
      const cJSON *run = run_of(p, s, kernel_at(s, k), policy_of(s, policy)->options);
      t->v[k][c] =
          (all ? of->brought : of->past)(run) / of->brought(baseline_of(p, s, kernel_at(s, k)));
    }
  }
}

static int row_of(const paper_table *t, const char *kernel) {
  int row = 0;
  while (strcmp(t->row_names[row], kernel) != 0) row++;
  return row;
}

/* The paper: "at the L1 MAT sometimes fetches more than the baseline for H-SSSP and BFS-WC, and
 * more into the L2 as well". */
static double least_brought(const paper_table *t) {
  return fmin(t->v[row_of(t, "H-SSSP")][POLICIES + MAT], t->v[row_of(t, "BFS-WC")][POLICIES + MAT]);
}

/* where: not on the machine of the figures. */
void show_lines_past(paper *p, const setting *s, const char *where) {
  const char *figure = where ? "beside" : "figure 36";
  char file[32], title[160], of[64] = "";
  snprintf(file, sizeof file, "%s%s%s", l1.file, where ? "-" : "", where ? s->file : "");
  snprintf(title, sizeof title, "%s, over those that the baseline brings%s%s", l1.title,
           where ? ", " : "", where ? where : "");
  if (where) snprintf(of, sizeof of, "%s: ", where);
  paper_table t = {.file = file, .title = title, .mean = PAPER_ARITHMETIC};
  fill(p, s, &l1, &t);
  paper_show(p, &t);
  const double of_mat = paper_mean_all(&t, MAT), of_obm = paper_mean_all(&t, OBM);
  paper_note(p, figure, NAN, least_brought(&t), 1, NAN, "x",
             "%slines brought, MAT: the least of H-SSSP, BFS-WC (paper: above 1)", of);
  paper_why(p, FEW_BACK);
  paper_note(p, figure, NAN, paper_mean_all(&t, AB) / of_obm, NAN, 0.5, "x",
             "%slines past L1: AB over OBM (paper: few)", of);
  paper_why(p, OF_PRESSURE);
  paper_note(p, figure, NAN, of_obm / of_mat, 1, NAN, "x",
             "%slines past L1: OBM over MAT (paper: OBM most)", of);
  paper_why(p, PRESSURE);
}

/* The mean of a policy's lines past L2 over the kernels in which AB finds, in the paper, that to go
 * past is right more often than not, or over the others. */
static double past_where(const paper_table *t, int policy, bool right) {
  static const char *const others[] = {"H-BFS", "H-SSSP", "BFS-WC"};
  double sum = 0;
  int n = 0;
  for (int r = 0; r < t->rows; r++) {
    bool other = false;
    for (int o = 0; o < 3; o++) other = other || !strcmp(t->row_names[r], others[o]);
    if (other == right) continue;
    sum += t->v[r][policy];
    n++;
  }
  return sum / n;
}

void show_lines_past_l2(paper *p, const setting *s) {
  char title[128];
  snprintf(title, sizeof title, "%s, over those that the baseline brings", l2.title);
  paper_table t = {.file = l2.file, .title = title, .mean = PAPER_ARITHMETIC};
  fill(p, s, &l2, &t);
  paper_show(p, &t);
  paper_note(p, "figure 37", NAN, least_brought(&t), 1, NAN, "x",
             "lines brought from DRAM, MAT: the least of H-SSSP, BFS-WC (paper: above 1)");
  paper_note(p, "figure 37", NAN, past_where(&t, AB, true) / past_where(&t, AB, false), 1, NAN, "x",
             "lines past L2, AB: seven kernels over H-BFS, H-SSSP, BFS-WC (paper: more)");
  paper_note(p, "figure 37", NAN, 100 * paper_mean_all(&t, OBM), 20, NAN, "%",
             "lines past L2, OBM (paper: a significant part)");
}
