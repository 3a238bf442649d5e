/* What the compared runs' caches count: misses of both, flits, lines that L2 takes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/cache/paper/policies.h"

typedef struct of_figure {
  const char *policy;
  double paper, low, high;
} of_figure;

typedef struct figure {
  const char *name, *file, *title, *key, *why;
  of_figure rows[5];
} figure;

#define TWO_SMS                                                                                    \
  "two SMs share less than sixteen do, and have more of a launch each: the row of the whole "      \
  "machine (PART=whole) is beside it"

#define STALE                                                                                      \
  "a third of the victims is dropped by the filter of written lines, which the paper does not "    \
  "have: "                                                                                         \
  "with them it is above (the row of victims that are dropped)"

static const figure figures[] = {
    {"figure 24",
     "24",
     "Misses of L2 over those of non-inclusive caches",
     "l2.misses",
     TWO_SMS,
     {{"exclusion", 0.94, NAN, 1.1}, {"flexclusion", 0.96, NAN, 1.1}, {"R-EX", 0.94, NAN, 1.1}}},
    {"figure 25",
     "25",
     "Flits over those of non-inclusive caches",
     "noc.flits",
     TWO_SMS,
     {{"exclusion", 1.34, 1.0, NAN}, {"flexclusion", 1.22, 1.0, NAN}, {"R-EX", 1.07, 0.95, NAN}}},
    {"figure 26",
     "26",
     "Lines that take a way in L2 over those of non-inclusive caches",
     "l2.insertions",
     STALE,
     {{"exclusion", 1.06, 0.96, 1.16}, {"flexclusion", 1.13, 1.03, 1.23}, {"R-EX", 1.0, 0.9, 1.1}}},
    {"figure 34",
     "34",
     "Misses of L1 over those of non-inclusive caches",
     "l1.misses",
     TWO_SMS,
     {{"MAT", NAN, 1.0, NAN},
      {"AB", NAN, NAN, 1.1},
      {"OBM", NAN, NAN, 1.1},
      {"B+C", NAN, NAN, 1.1}}},
    {"figure 35",
     "35",
     "Misses of L2 over those of non-inclusive caches, policies of bypass",
     "l2.misses",
     TWO_SMS,
     {{"MAT", NAN, 1.0, NAN},
      {"AB", NAN, NAN, 1.1},
      {"OBM", NAN, NAN, 1.1},
      {"B+C", NAN, NAN, 1.1}}},
};

static paper_table of_kernels(const setting *s, const char *file, const char *title) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_ARITHMETIC};
  for (int k = 0; k < kernels_of(s); k++)
    paper_row(&t, 0, "%s", graph_kernels[kernel_at(s, k)].name);
  return t;
}

/* A policy's number over the baseline's. */
static int column(paper *p, const setting *s, paper_table *t, const char *name, const char *key,
                  const char *over) {
  const int c = paper_column(t, name);
  for (int k = 0; k < kernels_of(s); k++)
    t->v[k][c] = paper_number(run_of(p, s, kernel_at(s, k), policy_of(s, name)->options), key) /
                 paper_number(baseline_of(p, s, kernel_at(s, k)), over);
  return c;
}

static void show_figure(paper *p, const setting *s, const figure *f, bool beside) {
  char file[32], title[128];
  snprintf(file, sizeof file, "%s%s", f->file, beside ? "-whole" : "");
  snprintf(title, sizeof title, "%s%s", f->title, beside ? ", the whole machine" : "");
  paper_table t = of_kernels(s, file, title);
  for (const of_figure *r = f->rows; r < f->rows + 5 && r->policy; r++)
    column(p, s, &t, r->policy, f->key, f->key);
  paper_show(p, &t);
  for (int c = 0; c < t.columns; c++) {
    const of_figure *r = &f->rows[c];
    paper_note(p, beside ? "beside" : f->name, r->paper, paper_mean_all(&t, c), r->low, r->high,
               "x", "%s%s: %s", beside ? "whole machine: " : "", r->policy, f->key);
    paper_why(p, beside ? IN_CACHES : f->why);
  }
}

/* Figure 26 if L2 kept what it drops: victims that another SM has written since, or that find no
 * room. */
static void with_dropped(paper *p, const setting *s, bool beside) {
  static const char *const sending[] = {"exclusion", "flexclusion", "R-EX"};
  static const char *const parts[] = {"l2.insertions", "l2.victims_dropped", "l2.victims_stale"};
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int k = 0; k < kernels_of(s); k++)
      for (int n = 0; n < 3; n++)
        sum += paper_number_or(run_of(p, s, kernel_at(s, k), policy_of(s, sending[i])->options),
                               parts[n], 0) /
               paper_number(baseline_of(p, s, kernel_at(s, k)), parts[0]);
    paper_note(p, "beside", NAN, sum / kernels_of(s), 1, NAN, "x",
               "%s%s: l2.insertions and victims that are dropped", beside ? "whole machine: " : "",
               sending[i]);
  }
}

/* What the paper says of single kernels: the greatest of those named is at most `high`, or the
 * least at least `low`, of a policy over the baseline or over another policy. */
typedef struct of_kernels_named {
  const char *figure, *what, *policy, *over, *key, *kernels;
  double low, high;
} of_kernels_named;

#define SPEED NULL
#define MAT_LOSES "H-BFS H-SSSP CLR MIS BFS-WC"
#define MAT_KEEPS "H-MST LS-BFS LS-SSSP LS-MST BFS-DD"
#define ALL_TEN MAT_LOSES " " MAT_KEEPS

static const of_kernels_named named[] = {
    {"figure 23", "exclusion: the best of H-BFS, BFS-WC (paper: below 1)", "exclusion", NULL, SPEED,
     "H-BFS BFS-WC", NAN, 1},
    {"figure 23", "R-EX: the worst of H-BFS and LonestarGPU's (paper: none below 1)", "R-EX", NULL,
     SPEED, "H-BFS LS-BFS LS-SSSP LS-MST", 1, NAN},
    {"figure 23", "exclusion: H-SSSP (paper: near 1)", "exclusion", NULL, SPEED, "H-SSSP", NAN,
     1.1},
    {"figure 24", "exclusion: the least of H-BFS, BFS-WC (paper: above 1)", "exclusion", NULL,
     "l2.misses", "H-BFS BFS-WC", 1, NAN},
    {"figure 24", "flexclusion: the least of H-BFS, BFS-WC (paper: above 1)", "flexclusion", NULL,
     "l2.misses", "H-BFS BFS-WC", 1, NAN},
    {"figure 25", "flexclusion over exclusion, the least of H-MST, BFS-DD (paper: 1)",
     "flexclusion", "exclusion", "noc.flits", "H-MST BFS-DD", 0.9, NAN},
    {"figure 25", "flexclusion: BFS-WC (paper: 1)", "flexclusion", NULL, "noc.flits", "BFS-WC", NAN,
     1.05},
    {"figure 25", "R-EX: BFS-WC (paper: 1)", "R-EX", NULL, "noc.flits", "BFS-WC", NAN, 1.05},
    {"figure 33", "MAT: the best of " MAT_LOSES " (paper: below 1)", "MAT", NULL, SPEED, MAT_LOSES,
     NAN, 1},
    {"figure 33", "MAT: the worst of the other five (paper: none below 1)", "MAT", NULL, SPEED,
     MAT_KEEPS, 1, NAN},
    {"figure 33", "AB: the worst of ten (paper: none below 1)", "AB", NULL, SPEED, ALL_TEN, 0.99,
     NAN},
    {"figure 33", "OBM: the worst of ten (paper: none below 1)", "OBM", NULL, SPEED, ALL_TEN, 0.99,
     NAN},
    {"figure 33", "B+C: the worst of ten (paper: none below 1)", "B+C", NULL, SPEED, ALL_TEN, 0.99,
     NAN},
    {"figure 34", "MAT: the least of " MAT_LOSES " (paper: above 1)", "MAT", NULL, "l1.misses",
     MAT_LOSES, 1, NAN},
};

static double ratio(paper *p, const setting *s, const of_kernels_named *n, int kernel) {
  const cJSON *with = run_of(p, s, kernel, policy_of(s, n->policy)->options),
              *without = n->over ? run_of(p, s, kernel, policy_of(s, n->over)->options)
                                 : baseline_of(p, s, kernel);
  return n->key ? paper_number(with, n->key) / paper_number(without, n->key)
                : paper_number(without, "cycles") / paper_number(with, "cycles");
}

static bool is_named(const char *kernels, const char *kernel) {
  const size_t length = strlen(kernel);
  for (const char *at = kernels; (at = strstr(at, kernel)); at += length)
    if ((at == kernels || at[-1] == ' ') && strchr(" ", at[length])) return true;
  return false;
}

static bool is_run(const setting *s, int kernel) {
  for (int k = 0; k < kernels_of(s); k++)
    if (kernel_at(s, k) == kernel) return true;
  return false;
}

/* Why a policy is worse, or better, than it is in the paper on one kernel. */
static const char *why_of(const of_kernels_named *n) {
  static const struct {
    const char *policy, *why;
  } whys[] = {
      {"R-EX",
       "H-BFS has 6 % more misses of L2 (below): lines that were given to one L1; on sixteen "
       "SMs 1 %, and 0.99 of the speed (PART=whole)"},
      {"OBM",
       "H-BFS asks anew for what went past: 1.6 times the misses of L1, 1.1 of L2 (below); at "
       "the L1 alone it has 0.99 (PART=units), at the L2 alone 0.94 (PART=l2)"},
      {"B+C",
       "BFS-DD and H-BFS have 4 and 6 % more misses of L2 (below), and the same speed without "
       "the PCs (paper-region); on sixteen SMs the least is 0.96, of MIS (PART=whole)"},
  };
  for (size_t i = 0; i < sizeof whys / sizeof *whys; i++)
    if (!strcmp(n->policy, whys[i].policy)) return whys[i].why;
  return TWO_SMS;
}

static void show_named(paper *p, const setting *s, bool beside) {
  for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
    const of_kernels_named *n = &named[i];
    double bound = isnan(n->low) ? 0 : INFINITY;
    int missing = 0;
    for (int k = 0; k < KERNELS; k++)
      missing += is_named(n->kernels, graph_kernels[k].name) && !is_run(s, k);
    if (missing) continue;
    for (int k = 0; k < kernels_of(s); k++) {
      if (!is_named(n->kernels, graph_kernels[kernel_at(s, k)].name)) continue;
      const double of = ratio(p, s, n, kernel_at(s, k));
      bound = isnan(n->low) ? fmax(bound, of) : fmin(bound, of);
    }
    paper_note(p, beside ? "beside" : n->figure, NAN, bound, n->low, n->high, "x", "%s%s",
               beside ? "whole machine: " : "", n->what);
    paper_why(p, beside ? IN_CACHES : why_of(n));
  }
}

static void show(paper *p, const setting *s, bool beside) {
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    show_figure(p, s, &figures[i], beside);
  with_dropped(p, s, beside);
  show_named(p, s, beside);
}

void show_counters(paper *p) {
  show(p, &over_lines, false);
}

void show_counters_whole(paper *p) {
  show(p, &on_whole, true);
}
