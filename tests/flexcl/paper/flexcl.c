/* Exclusion and flexible exclusion (cache policies for graph kernels, chapter 4): what the ten
 * kernels gain, what the L2 misses, what moves between the caches. Means are harmonic, of speedups,
 * and arithmetic of the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/papers/graph_kernels.h"
#include "tests/papers/paper.h"

/* An eighth of the paper's machine, and a 64th of its RMAT20; stores go through both caches to
 * DRAM, a miss brings its line, each L1 has a victim cache of 1 KB. */
#define MACHINE                                                                                    \
  "--config fermi16 --set core.sms=2 --set l2.partitions=1 --set l2.write=evict --set "            \
  "l2.fill=line --graph rmat:scale=14,edges=129062"
#define VICTIMS " --set l1.victim_lines=8"
enum { BASE, EXCLUSION, FLEXCLUSION, PLAIN, BIG_L1, FORMS };
static const struct {
  const char *name, *options;
} forms[FORMS] = {[BASE] = {"base", VICTIMS},
                  [EXCLUSION] = {"exclusion", VICTIMS " --set l2.exclusive=1"},
                  [FLEXCLUSION] = {"flexclusion", VICTIMS " --unit flexcl"},
                  [PLAIN] = {"no-victim-cache", ""},
                  [BIG_L1] = {"64KB", " --set l1.bytes=65536 --set l1.ways=8" VICTIMS}};

static const cJSON *of_form(paper *p, int kernel, int form) {
  char *split, app[128];
  snprintf(app, sizeof app, "%s", graph_kernels[kernel].options);
  if (form == BIG_L1 && (split = strstr(app, SPLIT)))
    snprintf(split, sizeof app - (size_t)(split - app), " --set core.shared_bytes=49152");
  return paper_result(p, graph_kernels[kernel].name, MACHINE " --app %s%s", app,
                      forms[form].options);
}

static paper_table of_kernels(const char *file, const char *title, paper_mean mean) {
  paper_table t = {.file = file, .title = title, .mean = mean};
  for (int k = 0; k < KERNELS; k++) paper_row(&t, 0, "%s", graph_kernels[k].name);
  return t;
}

/* A form's number over the baseline's. */
static void column(paper *p, paper_table *t, int form, const char *key, bool speedup) {
  const int c = paper_column(t, forms[form].name);
  for (int k = 0; k < KERNELS; k++) {
    const double with = paper_number(of_form(p, k, form), key),
                 without = paper_number(of_form(p, k, BASE), key);
    t->v[k][c] = speedup ? without / with : with / without;
  }
}

static const char machine[] =
    "the paper's machine is eight times as large, and its baseline is not told whole";

static void speedups(paper *p) {
  paper_table t = of_kernels("23", "Speedup over non-inclusive caches", PAPER_HARMONIC);
  for (int f = BASE + 1; f < FORMS; f++) column(p, &t, f, "cycles", true);
  paper_show(p, &t);
  paper_note(p, "figure 23", 1.06, paper_mean_all(&t, 0), 0.97, NAN, "x", "exclusion");
  paper_why(p, machine);
  paper_note(p, "figure 23", 1.04, paper_mean_all(&t, 1), 0.97, NAN, "x", "flexclusion");
  paper_why(p, machine);
  paper_note(p, "beside", NAN, paper_mean_all(&t, 1) / paper_mean_all(&t, 0), 0.95, 1.1, "x",
             "flexclusion over exclusion");
  paper_note(p, "beside", NAN, paper_mean_all(&t, 2), 0.9, 1.02, "x", "without the victim cache");
}

/* Of one figure: exclusion's and flexclusion's number over the baseline's. */
typedef struct figure {
  const char *name, *file, *title, *key;
  double exclusion, flexclusion, low, high;
} figure;

static void traffic(paper *p) {
  static const figure figures[] = {
      {"figure 24", "24", "Misses of L2 over those of non-inclusive caches", "l2.misses", 0.94,
       0.96, NAN, 1.1},
      {"figure 25", "25", "Flits over those of non-inclusive caches", "noc.flits", 1.34, 1.22, 1.0,
       NAN},
      {"beside", "26", "Bytes from DRAM over those of non-inclusive caches", "dram.read_bytes", NAN,
       NAN, NAN, 1.1}};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    const figure *f = &figures[i];
    paper_table t = of_kernels(f->file, f->title, PAPER_ARITHMETIC);
    column(p, &t, EXCLUSION, f->key, false);
    column(p, &t, FLEXCLUSION, f->key, false);
    paper_show(p, &t);
    paper_note(p, f->name, f->exclusion, paper_mean_all(&t, 0), f->low, f->high, "x",
               "exclusion: %s", f->key);
    paper_why(p, machine);
    paper_note(p, f->name, f->flexclusion, paper_mean_all(&t, 1), f->low, f->high, "x",
               "flexclusion: %s", f->key);
    paper_why(p, machine);
  }
}

/* How often the duel says exclusive, and changes its mind. */
static void duel(paper *p) {
  paper_table t = of_kernels("duel",
                             "The duel: reads answered exclusive, %, times it turned, "
                             "victims that L2 kept, %",
                             PAPER_NO_MEAN);
  paper_column(&t, "exclusive-%");
  paper_column(&t, "turns");
  paper_column(&t, "victims-kept-%");
  for (int k = 0; k < KERNELS; k++) {
    const cJSON *r = of_form(p, k, FLEXCLUSION);
    const double sent = paper_number(r, "l2.victims");
    t.v[k][0] =
        100 * paper_number(r, "unit.flexcl.exclusive") / paper_number(r, "unit.flexcl.requests");
    t.v[k][1] = paper_number(r, "unit.flexcl.flips");
    t.v[k][2] =
        100 *
        (1 - (paper_number(r, "l2.victims_dropped") + paper_number(r, "l2.victims_stale")) / sent);
  }
  paper_show(p, &t);
}

static const paper_part parts[] = {{"speedups", "figure 23", speedups, false},
                                   {"traffic", "figures 24, 25", traffic, false},
                                   {"duel", "the duel", duel, false},
                                   {0}};
const paper_unit paper_this = {"flexcl", "Exclusion and flexible exclusion", parts};
