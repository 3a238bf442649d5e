/* All policies of caches side by side, each over the same baseline: those of the work on cache
 * policies for graph kernels (chapter 4), their rivals, and a larger L1; and what is left of them
 * over caches of sectors. A row is a policy: the harmonic mean of its ten speedups, the least and
 * the greatest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

#define GRAPH " --graph rmat:scale=14,edges=129062"
/* An eighth of the chapter's machine. */
#define LINES                                                                                      \
  "--config fermi16 --set core.sms=2 --set l2.partitions=1 --set l2.write=evict --set "            \
  "l2.fill=line" GRAPH
/* A twelfth of today's, whose caches have sectors; an L1 of whole lines there is a setting. */
#define SECTORS                                                                                    \
  "--config rtx3070 --set core.sms=4 --set l2.partitions=2 --set l1.ways=16 --set "                \
  "l1.write_keep=0" GRAPH
#define VICTIMS " --set l1.victim_lines=8"
#define PAST " --set l1.past=line"

typedef struct policy {
  const char *name, *options, *figure; /* the paper's figure, or NULL */
  double paper, low, high;
} policy;

static const policy of_lines[] = {
    {"exclusion", VICTIMS " --set l2.exclusive=1", "figure 23", 1.06, 0.97, NAN},
    {"flexclusion", VICTIMS " --unit flexcl", "figure 23", 1.04, 0.97, NAN},
    {"R-EX", " --unit region:mode=rex", "figure 23", 1.05, 0.97, NAN},
    {"B+C", PAST " --unit region:mode=bc", "figure 33", 1.09, 1.0, NAN},
    {"MAT", PAST " --set l1.bypass=mat --set l2.bypass=mat", "figure 33", 1.03, 0.95, NAN},
    {"AB", PAST " --set l1.bypass=ab --set l2.bypass=ab", "figure 33", 1.04, 1.0, NAN},
    {"OBM", PAST " --unit obm:level=both", "figure 33", 1.14, 1.0, NAN},
    {"OBM-L1", PAST " --unit obm", NULL, NAN, 0.95, NAN},
    {"ABYP", " --set l1.abyp=1", NULL, NAN, 0.9, NAN},
    {"PD-64", " --set l1.pd=64", NULL, NAN, 0.9, NAN},
    {"PCAL-12", " --set l1.tokens=12", NULL, NAN, 0.9, NAN},
    {"past-on-stall", " --set l1.bypass_stalls=1", NULL, NAN, 0.9, NAN},
    {"APCM", " --unit apcm", NULL, NAN, 0.9, NAN},
    {"sectors", " --set l2.fill=sector --set l1.sectored=1", "figure 40", 1.39, 1.0, NAN},
    {"64KB", VICTIMS " --set l1.bytes=65536 --set l1.ways=8", NULL, NAN, 1.0, NAN},
    {0}};
static const policy of_sectors[] = {
    {"OBM-L1", " --unit obm", NULL, NAN, 0.9, 1.1},
    {"OBM", " --unit obm:level=both", NULL, NAN, 0.9, 1.1},
    {"NAP", " --unit gran", NULL, NAN, 0.95, 1.1},
    {"stores-stay", " --set l1.write_keep=1", NULL, NAN, 0.9, 1.1},
    {"lines", " --set l1.sectored=0 --set l2.fill=line", NULL, NAN, NAN, 1.1},
    {"B+C-of-lines", " --set l1.sectored=0 --set l2.fill=line --unit region", NULL, NAN, NAN, 1.1},
    {0}};

/* Kernels that need the shared memory have their own split of it and the L1, but with 64 KB. */
static const cJSON *result(paper *p, const char *machine, int kernel, const char *options) {
  char *split, app[128];
  snprintf(app, sizeof app, "%s", graph_kernels[kernel].options);
  if ((split = strstr(app, SPLIT)) && (machine[9] == 'r' || strstr(options, "l1.bytes")))
    snprintf(split, sizeof app - (size_t)(split - app), "%s",
             machine[9] == 'r' ? "" : " --set core.shared_bytes=49152");
  return paper_result(p, graph_kernels[kernel].name, "%s --app %s%s", machine, app, options);
}

enum { MEAN, LEAST, MOST, FASTER, COLUMNS };

/* The policy's row; its kernels' speedups go to `by`. */
static void fill_row(paper *p, paper_table *t, int row, const char *machine, const char *base,
                     const policy *of, double by[KERNELS]) {
  double sum = 0, least = INFINITY, most = 0, faster = 0;
  for (int k = 0; k < KERNELS; k++) {
    by[k] = paper_number(result(p, machine, k, base), "cycles") /
            paper_number(result(p, machine, k, of->options), "cycles");
    sum += 1 / by[k];
    least = fmin(least, by[k]);
    most = fmax(most, by[k]);
    faster += by[k] > 1;
  }
  t->v[row][MEAN] = KERNELS / sum;
  t->v[row][LEAST] = least;
  t->v[row][MOST] = most;
  t->v[row][FASTER] = faster;
}

static void compare(paper *p, const char *file, const char *title, const char *machine,
                    const char *base, const policy *policies) {
  paper_table t = {.file = file, .title = title, .mean = PAPER_NO_MEAN}, all = t;
  char by_kernel[32], of_all[128];
  snprintf(by_kernel, sizeof by_kernel, "%s-kernels", file);
  snprintf(of_all, sizeof of_all, "%s, kernel by kernel", title);
  all.file = by_kernel;
  all.title = of_all;
  static const char *const heads[COLUMNS] = {"mean", "least", "greatest", "kernels-faster"};
  for (int c = 0; c < COLUMNS; c++) paper_column(&t, heads[c]);
  for (int k = 0; k < KERNELS; k++) paper_row(&all, 0, "%s", graph_kernels[k].name);
  for (int i = 0; policies[i].name; i++) {
    double by[KERNELS];
    fill_row(p, &t, paper_row(&t, 0, "%s", policies[i].name), machine, base, &policies[i], by);
    paper_column(&all, policies[i].name);
    for (int k = 0; k < KERNELS; k++) all.v[k][i] = by[k];
  }
  paper_show(p, &t);
  paper_show(p, &all);
  for (int i = 0; policies[i].name; i++) {
    const policy *of = &policies[i];
    paper_note(p, of->figure ? of->figure : "beside", of->paper, t.v[i][MEAN], of->low, of->high,
               "x", "%s%s", of->name, *base ? "" : ", over sectors");
    if (of->figure)
      paper_why(p, "the machine is an eighth of the paper's, and its baseline is not told whole");
  }
}

static void lines(paper *p) {
  compare(p, "lines", "Speedup over non-inclusive caches of lines", LINES, VICTIMS, of_lines);
}

static void sectors(paper *p) {
  compare(p, "sectors", "Speedup over caches of sectors: four SMs of rtx3070, 16 ways", SECTORS, "",
          of_sectors);
}

static const paper_part parts[] = {
    {"lines", "over caches of lines", lines, false},
    {"sectors", "Over caches of sectors, as GPUs have them", sectors, true},
    {0}};
const paper_unit paper_this = {"cache", "Policies of caches side by side", parts};
