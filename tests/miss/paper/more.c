/* What more outstanding misses buy on a machine of today: irregular applications, each in the
 * fastest of its forms on each machine, over MSHRs x requests of a line, and over loads past the
 * L1; and thousands of them in RTL, on the same machine with whole lines. */
#include <math.h>
#include <stdio.h>

#include "tests/miss/paper/miss.h"

/* An eighth of an RTX 3070: 384 MSHRs x 48 requests. */
#define TODAY "--config rtx3070 --set scale=1/8"
#define GRAPH " --graph rmat:scale=14,edges=250000"

typedef struct machine {
  const char *name, *settings; /* name: a column's */
  double low, high;            /* band of the mean */
} machine;
/* The first is the machine as it is sold. */
static const machine machines[] = {
    {"384x48", "", NAN, NAN},
    {"32x48", " --set l1.mshrs=32", 0.85, 0.98},
    {"128x48", " --set l1.mshrs=128", 0.97, 1.03},
    {"1024x48", " --set l1.mshrs=1024", 0.97, 1.03},
    {"4096x48", " --set l1.mshrs=4096 --set l1.miss_queue=64", 0.97, 1.03},
    {"4096-fill", " --set l1.mshrs=4096 --set l1.miss_queue=64 --set l1.allocate=fill", 0.97, 1.03},
    {"4096-L2-too",
     " --set l1.mshrs=4096 --set l1.miss_queue=64 --set l1.allocate=fill --set l2.mshrs=1024", 0.97,
     1.03},
    {"384x4", " --set l1.mshr_merge=4", 0.95, 1},
    {"384x8", " --set l1.mshr_merge=8", 0.97, 1.03},
    {"384x16", " --set l1.mshr_merge=16", 0.97, 1.03},
    {"PRT-22", " --set lsu.past=1 --set lsu.loads=22", 0.4, 0.7},
    {"PRT-44", " --set lsu.past=1 --set lsu.loads=44", 0.4, 0.7},
    {"PRT-88", " --set lsu.past=1 --set lsu.loads=88", 0.4, 0.7},
    {"PRT-176", " --set lsu.past=1 --set lsu.loads=176", 0.4, 0.7},
};
/* With L1s of whole lines, which mshr_rich is for. */
#define LINES " --set l1.sectored=0 --set l1.write_keep=0"
static const machine of_lines[] = {
    {"lines-384x48", LINES, NAN, NAN},
    {"lines-1024x48", LINES " --set l1.mshrs=1024", 0.97, 1.03},
    {"rich-1024", LINES " --set l1.mshrs=1024 --set l1.mshr_merge=64 --unit mshr_rich", 0.95, 1.03},
    {"rich-4096",
     LINES " --set l1.mshrs=4096 --set l1.mshr_merge=64 --set l1.miss_queue=64 --unit mshr_rich",
     0.95, 1.03},
};
enum {
  MACHINES = sizeof machines / sizeof *machines,
  OF_LINES = sizeof of_lines / sizeof *of_lines,
  FORMS = 3
};

typedef struct application {
  const char *name;
  const char *form[FORMS]; /* arguments of each; NULL: no more */
} application;
static const application applications[] = {
    {"pagerank", {"--app pagerank" GRAPH}},
    {"bfs", {"--app bfs" GRAPH}},
    {"sssp", {"--app sssp" GRAPH}},
    {"wcc", {"--app wcc" GRAPH}},
    {"spmv",
     {"--app spmv" GRAPH, "--app spmv --set app.form=ahead" GRAPH,
      "--app spmv --set app.form=far" GRAPH}},
    {"ccl", {"--app ccl" GRAPH}},
};
enum { APPLICATIONS = sizeof applications / sizeof *applications };

/* Cycles of the fastest form. */
static double best(paper *p, const application *a, const machine *m) {
  double least = NAN;
  for (unsigned f = 0; f < FORMS && a->form[f]; f++) {
    char label[64];
    snprintf(label, sizeof label, "more-%s-%u-%s", a->name, f, m->name);
    const double cycles =
        paper_number(paper_result(p, label, TODAY " %s%s", a->form[f], m->settings), "cycles");
    if (isnan(cycles)) return NAN;
    least = fmin(least, cycles);
  }
  return least;
}

/* The table's columns: machines over the first of them. */
static void compare(paper *p, paper_table *t, const machine *all, unsigned n) {
  double base[APPLICATIONS];
  for (unsigned a = 0; a < APPLICATIONS; a++) {
    paper_row(t, 0, "%s", applications[a].name);
    base[a] = best(p, &applications[a], &all[0]);
  }
  for (unsigned m = 1; m < n; m++) {
    const int c = paper_column(t, all[m].name);
    for (unsigned a = 0; a < APPLICATIONS; a++)
      t->v[a][c] = base[a] / best(p, &applications[a], &all[m]);
    paper_note(p, t->file, NAN, paper_mean_all(t, c), all[m].low, all[m].high, "x",
               "speed of six applications, best software, %s over %s", all[m].name, all[0].name);
  }
  paper_show(p, t);
}

void miss_more(paper *p) {
  paper_table t = {.file = "more",
                   .title = "Speed over 384 MSHRs of 48 requests, best software on each machine",
                   .mean = PAPER_GEOMETRIC};
  compare(p, &t, machines, MACHINES);
}

void miss_rich(paper *p) {
  paper_table t = {.file = "rich",
                   .title = "Speed over 384 MSHRs of 48 requests with L1s of whole lines, best "
                            "software on each machine; rich: in RTL",
                   .mean = PAPER_GEOMETRIC};
  compare(p, &t, of_lines, OF_LINES);
}
