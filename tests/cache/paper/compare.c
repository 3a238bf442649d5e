/* Speedups of a setting's policies: the harmonic mean over the kernels, the least and the greatest,
 * and over what software does by hints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/cache/paper/hints.h"
#include "tests/cache/paper/policies.h"

enum { MEAN, LEAST, MOST, FASTER, OVER_HINTS, COLUMNS };

/* The harmonic mean of its speedups over what each kernel takes otherwise. */
static double mean_of(paper *p, const setting *s, const char *options, const double over[KERNELS]) {
  double sum = 0;
  for (int k = 0; k < kernels_of(s); k++)
    sum += cycles_of(p, s, kernel_at(s, k), options) / over[k];
  return kernels_of(s) / sum;
}

static void fill_row(paper *p, const setting *s, const policy *of, const double base[KERNELS],
                     const double hints[KERNELS], double *v, double by[KERNELS]) {
  v[LEAST] = INFINITY;
  v[MOST] = v[FASTER] = 0;
  for (int k = 0; k < kernels_of(s); k++) {
    by[k] = base[k] / cycles_of(p, s, kernel_at(s, k), of->options);
    v[LEAST] = fmin(v[LEAST], by[k]);
    v[MOST] = fmax(v[MOST], by[k]);
    v[FASTER] += by[k] > 1;
  }
  v[MEAN] = mean_of(p, s, of->options, base);
  if (hints) v[OVER_HINTS] = mean_of(p, s, of->options, hints);
}

/* Of B+C over lines on a100. */
static const char given_away[] =
    "its slice holds the graph, and a line that was given to one L1 is read from DRAM again: with "
    "R-EX alone (region:mode=rex) H-MST reads 3.6 times the bytes, in 2.1 times the cycles";

/* Beside the policy that it comes with. */
static void row_over(paper *p, const setting *s, const paper_table *t, int row, const char *where) {
  const policy *of = &s->policies[row], *over = policy_of(s, of->over);
  paper_note(p, of->figure ? of->figure : "beside", of->paper / over->paper,
             t->v[row][MEAN] / t->v[over - s->policies][MEAN], 0.9, 1.25, "x", "%s over %s%s",
             of->name, over->name, where);
  if (!strcmp(over->name, "lines")) paper_why(p, given_away);
}

static void rows_of(paper *p, const setting *s, const paper_table *t) {
  const bool plain = s == &over_lines || s == &units_over_lines;
  char where[32] = "";
  if (!plain) snprintf(where, sizeof where, ", %s%s", s->file, s->six ? ", six kernels" : "");
  for (int i = 0; s->policies[i].name; i++) {
    const policy *of = &s->policies[i];
    paper_note(p, of->figure ? of->figure : "beside", of->paper, t->v[i][MEAN], of->low, of->high,
               "x", "%s%s", of->name, where);
    if (of->why) paper_why(p, s == &on_whole ? IN_CACHES : of->why);
    if (has_hints(s) && strcmp(of->options, HINTS))
      paper_note(p, "over hints", NAN, t->v[i][OVER_HINTS], 0.75, NAN, "x", "%s%s", of->name,
                 where);
    if (of->over) row_over(p, s, t, i, where);
  }
}

void compare(paper *p, const setting *s) {
  static const char *const heads[COLUMNS] = {"mean", "least", "greatest", "kernels-faster",
                                             "over-hints"};
  const bool hinted = has_hints(s);
  paper_table t = {.file = s->file, .title = s->title, .mean = PAPER_NO_MEAN}, all = t;
  char by_kernel[32], of_all[160], of_six[160];
  double base[KERNELS], hints[KERNELS];
  snprintf(by_kernel, sizeof by_kernel, "%s-kernels", s->file);
  snprintf(of_all, sizeof of_all, "%s, kernel by kernel", s->title);
  snprintf(of_six, sizeof of_six, "%s, six of the ten kernels", s->title);
  if (s->six) t.title = of_six;
  all.file = by_kernel;
  all.title = of_all;
  for (int c = 0; c < COLUMNS - !hinted; c++) paper_column(&t, heads[c]);
  for (int k = 0; k < kernels_of(s); k++) {
    const int kernel = kernel_at(s, k);
    paper_row(&all, 0, "%s", graph_kernels[kernel].name);
    base[k] = paper_number(baseline_of(p, s, kernel), "cycles");
    if (hinted) hints[k] = cycles_of(p, s, kernel, HINTS);
  }
  for (int i = 0; s->policies[i].name; i++) {
    double by[KERNELS];
    const int row = paper_row(&t, 0, "%s", s->policies[i].name);
    fill_row(p, s, &s->policies[i], base, hinted ? hints : NULL, t.v[row], by);
    paper_column(&all, s->policies[i].name);
    for (int k = 0; k < kernels_of(s); k++) all.v[k][i] = by[k];
  }
  paper_show(p, &t);
  paper_show(p, &all);
  rows_of(p, s, &t);
}

/* ---- three seeds of the draws ---- */

enum { SEEDS = 3, OF_SEEDS = SEEDS + 3 };

static double of_seed(paper *p, const setting *s, const policy *of, int kernel, int n) {
  static const unsigned values[SEEDS] = {0, 100, 1000}; /* 0: the settings' own */
  char options[384];
  if (of->draws == OBM_DRAWS)
    snprintf(options, sizeof options, "%s --set obm.seed=%u", of->options, values[n]);
  else
    snprintf(options, sizeof options, "%s --set l1.bypass_seed=%u --set l2.bypass_seed=%u",
             of->options, values[n], values[n]);
  return paper_number(baseline_of(p, s, kernel), "cycles") /
         cycles_of(p, s, kernel, n ? options : of->options);
}

/* Its speedups by seed, the least and the greatest, by kernel; the means' spread beside the mean
 * gain. */
static void seeds_of(paper *p, const setting *s, const policy *of, paper_table *means,
                     paper_table *least, paper_table *most) {
  double *v = means->v[paper_row(means, 0, "%s", of->name)], sums[SEEDS] = {0};
  const int c = paper_column(least, of->name);
  paper_column(most, of->name);
  v[SEEDS + 2] = 0;
  for (int k = 0; k < kernels_of(s); k++) {
    double low = INFINITY, high = 0, first = NAN;
    for (int n = 0; n < SEEDS; n++) {
      const double of_n = of_seed(p, s, of, kernel_at(s, k), n);
      if (!n) first = of_n;
      low = fmin(low, of_n);
      high = fmax(high, of_n);
      sums[n] += 1 / of_n;
    }
    least->v[k][c] = low;
    most->v[k][c] = high;
    v[SEEDS + 2] += fabs(first - 1) <= high - low;
  }
  for (int n = 0; n < SEEDS; n++) v[n] = kernels_of(s) / sums[n];
  v[SEEDS] = fmin(v[0], fmin(v[1], v[2]));
  v[SEEDS + 1] = fmax(v[0], fmax(v[1], v[2]));
  paper_note(p, "seeds", NAN, v[SEEDS + 1] - v[SEEDS], NAN, fabs(v[0] - 1), "",
             "%s: greatest mean less least, to be below its gain", of->name);
  paper_why(p, "its gain is within what its draws move it by");
}

static paper_table of_kernels(const setting *s, const char *file, const char *title) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_HARMONIC};
  for (int k = 0; k < kernels_of(s); k++)
    paper_row(&t, 0, "%s", graph_kernels[kernel_at(s, k)].name);
  return t;
}

void compare_seeds(paper *p) {
  const setting s = over_lines;
  static const char *const heads[OF_SEEDS] = {"first", "seed-100", "seed-1000",
                                              "least", "greatest", "kernels-within-spread"};
  paper_table means = {.file = "seeds",
                       .title = "Speedup by the seed of the draws, and kernels whose gain is no "
                                "more than the spread",
                       .mean = PAPER_NO_MEAN},
              least = of_kernels(&s, "seeds-least", "The least of three seeds"),
              most = of_kernels(&s, "seeds-greatest", "The greatest of three seeds");
  for (int c = 0; c < OF_SEEDS; c++) paper_column(&means, heads[c]);
  for (const policy *of = over_lines.policies; of->name; of++)
    if (of->draws) seeds_of(p, &s, of, &means, &least, &most);
  paper_show(p, &means);
  paper_show(p, &least);
  paper_show(p, &most);
}
