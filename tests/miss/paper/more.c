/* What more outstanding misses buy on a machine of today: irregular applications, each in the
 * fastest of its forms on each machine, over MSHRs x requests of a line, and over loads past the
 * L1; and thousands of them in RTL, on the same machine with whole lines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/wf_text.h"
#include "tests/miss/paper/miss.h"

/* Parts of what is sold: six SMs of 384 MSHRs x 48 requests, seven of 512 x 64. */
static const char rtx3070[] = "--config rtx3070 --set scale=1/8",
                  a100[] = "--config a100 --set scale=1/16";
#define GRAPH " --graph rmat:scale=14,edges=250000"

typedef struct machine {
  const char *name, *settings; /* name: a column's */
  double low, high;            /* band of the mean */
} machine;
/* The first is the machine as it is sold. */
static const machine machines[] = {
    {"384x48", "", NAN, NAN},
    {"32x48", " --set l1.mshrs=32", 0.86, 0.91},
    {"128x48", " --set l1.mshrs=128", 0.97, 1.03},
    {"1024x48", " --set l1.mshrs=1024", 0.97, 1.03},
    {"4096x48", " --set l1.mshrs=4096 --set l1.miss_queue=64", 0.97, 1.03},
    {"4096-fill", " --set l1.mshrs=4096 --set l1.miss_queue=64 --set l1.allocate=fill", 0.97, 1.03},
    {"4096-L2-too",
     " --set l1.mshrs=4096 --set l1.miss_queue=64 --set l1.allocate=fill --set l2.mshrs=1024", 0.97,
     1.03},
    {"384x4", " --set l1.mshr_merge=4", 0.93, 0.98},
    {"384x8", " --set l1.mshr_merge=8", 0.97, 1.03},
    {"384x16", " --set l1.mshr_merge=16", 0.97, 1.03},
    {"PRT-22", " --set lsu.past=1 --set lsu.loads=22", 0.43, 0.49},
    {"PRT-44", " --set lsu.past=1 --set lsu.loads=44", 0.43, 0.49},
    {"PRT-88", " --set lsu.past=1 --set lsu.loads=88", 0.43, 0.49},
    {"PRT-176", " --set lsu.past=1 --set lsu.loads=176", 0.43, 0.49},
};
static const machine of_a100[] = {
    {"512x64", "", NAN, NAN},
    {"32x64", " --set l1.mshrs=32", 0.68, 0.74},
    {"128x64", " --set l1.mshrs=128", 0.96, 1.02},
    {"4096x64", " --set l1.mshrs=4096 --set l1.miss_queue=64", 0.97, 1.03},
    {"512x4", " --set l1.mshr_merge=4", 0.9, 0.96},
    {"PRT-44", " --set lsu.past=1 --set lsu.loads=44", 0.71, 0.77},
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
  OF_A100 = sizeof of_a100 / sizeof *of_a100,
  OF_LINES = sizeof of_lines / sizeof *of_lines,
  FORMS = 3
};

typedef struct application {
  const char *name;
  const char *form[FORMS]; /* arguments of each; NULL: no more */
  bool per_launch;         /* an order of arbitration may spare it a round of launches */
} application;
static const application applications[] = {
    {"pagerank", {"--app pagerank" GRAPH, "--app pagerank --set app.strategy=thread" GRAPH}, false},
    {"bfs", {"--app bfs" GRAPH}, false},
    {"sssp", {"--app sssp" GRAPH}, false},
    {"wcc", {"--app wcc" GRAPH}, false},
    {"spmv",
     {"--app spmv" GRAPH, "--app spmv --set app.form=ahead" GRAPH,
      "--app spmv --set app.form=far" GRAPH},
     false},
    {"ccl", {"--app ccl" GRAPH}, true},
};
enum { APPLICATIONS = sizeof applications / sizeof *applications };

/* Cycles, or those of a launch, of the fastest form. */
static double best(paper *p, const char *gpu, const application *a, const machine *m) {
  double least = NAN;
  for (unsigned f = 0; f < FORMS && a->form[f]; f++) {
    char label[64];
    snprintf(label, sizeof label, "more-%s-%u-%s", a->name, f, m->name);
    const cJSON *result = paper_result(p, label, "%s %s%s", gpu, a->form[f], m->settings);
    double cycles = paper_number(result, "cycles");
    if (isnan(cycles)) return NAN;
    if (a->per_launch)
      cycles /= cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(result, "kernels"));
    least = fmin(least, cycles);
  }
  return least;
}

/* The table's columns: machines over the first of them. */
static void compare(paper *p, paper_table *t, const char *gpu, const machine *all, unsigned n) {
  double base[APPLICATIONS];
  for (unsigned a = 0; a < APPLICATIONS; a++) {
    paper_row(t, 0, "%s", applications[a].name);
    base[a] = best(p, gpu, &applications[a], &all[0]);
  }
  for (unsigned m = 1; m < n; m++) {
    const int c = paper_column(t, all[m].name);
    for (unsigned a = 0; a < APPLICATIONS; a++)
      t->v[a][c] = base[a] / best(p, gpu, &applications[a], &all[m]);
    paper_note(p, t->file, NAN, paper_mean_all(t, c), all[m].low, all[m].high, "x",
               "speed of six applications, best software, %s over %s", all[m].name, all[0].name);
  }
  paper_show(p, t);
}

/* Mean speed of the applications. */
static double mean_over(paper *p, const char *gpu, const machine *base, const machine *m) {
  double sum = 0;
  for (unsigned a = 0; a < APPLICATIONS; a++)
    sum += log(best(p, gpu, &applications[a], base) / best(p, gpu, &applications[a], m));
  return exp(sum / APPLICATIONS);
}

/* Settings of so many MSHRs and requests of a line, as `machines` has them. */
static void settings_of(char *text, size_t bytes, unsigned entries, unsigned merge) {
  char *own = wf_text(" --set l1.mshrs=%u%s", entries,
                      entries == 4096 ? " --set l1.miss_queue=64" : ""),
       *requests = wf_text(" --set l1.mshr_merge=%u", merge);
  snprintf(text, bytes, "%s%s", entries == 384 ? "" : own, merge == 48 ? "" : requests);
  free(own);
  free(requests);
}

static machine band_of(unsigned entries, unsigned merge) {
  return entries == 32 ? (machine){"", "", 0.83, 0.91}
         : merge == 4  ? (machine){"", "", 0.93, 0.98}
                       : (machine){"", "", 0.97, 1.03};
}

static void grid(paper *p) {
  static const unsigned entries[] = {32, 128, 384, 1024, 4096}, merges[] = {4, 8, 16, 48};
  static const char *const columns[] = {"4", "8", "16", "48"};
  enum { ENTRIES = sizeof entries / sizeof *entries, MERGES = sizeof merges / sizeof *merges };
  paper_table t = {.file = "grid",
                   .title = "Mean speed of the six by MSHRs and requests of a line, of 384 and 48"};
  for (unsigned m = 0; m < MERGES; m++) paper_column(&t, columns[m]);
  for (unsigned e = 0; e < ENTRIES; e++) {
    paper_row(&t, 0, "%u", entries[e]);
    for (unsigned m = 0; m < MERGES; m++) {
      char name[16], settings[96];
      snprintf(name, sizeof name, "%ux%u", entries[e], merges[m]);
      settings_of(settings, sizeof settings, entries[e], merges[m]);
      t.v[e][m] = mean_over(p, rtx3070, &machines[0], &(machine){name, settings, NAN, NAN});
      if (merges[m] == 48) continue; /* miss_more has it */
      const machine b = band_of(entries[e], merges[m]);
      paper_note(p, "grid", NAN, t.v[e][m], b.low, b.high, "x",
                 "speed of six applications, best software, %s over 384x48", name);
    }
  }
  paper_show(p, &t);
}

void miss_more(paper *p) {
  paper_table t = {.file = "more",
                   .title = "Speed over 384 MSHRs of 48 requests, best software on each machine, "
                            "an eighth of an RTX 3070",
                   .mean = PAPER_GEOMETRIC};
  compare(p, &t, rtx3070, machines, MACHINES);
  grid(p);
  paper_table other = {.file = "a100",
                       .title = "The same over 512 MSHRs of 64 requests, a sixteenth of an A100",
                       .mean = PAPER_GEOMETRIC};
  compare(p, &other, a100, of_a100, OF_A100);
}

void miss_rich(paper *p) {
  paper_table t = {.file = "rich",
                   .title =
                       "Speed over 384 MSHRs of 48 requests with L1s of whole lines, an eighth of "
                       "an RTX 3070; rich: in RTL",
                   .mean = PAPER_GEOMETRIC};
  compare(p, &t, rtx3070, of_lines, OF_LINES);
}
