/* Experiments of the MFF paper (Park et al., Memory Fast-Forward): figures 5, 8, 9, 10 and the
 * averages of section 6.2. Usage: paper_mff WARPFAB OUT_FOLDER GRAPH_FOLDER SHIPPED_GRAPH */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/papers/paper.h"

enum { APPS = 4, GRAPHS = 4, WINDOWS = 9 };

static const struct {
  const char *name;
  const char *options; /* super-steps are bounded, so that the whole takes under 20 minutes */
  double paper;        /* average speedup where the paper states it */
} apps[APPS] = {{"pagerank", "--set app.supersteps=1", 1.75},
                {"sssp", "--set app.supersteps=10", NAN},
                {"wcc", "--set app.supersteps=4", NAN},
                {"bfs", "--set app.supersteps=0", 5.22}};

static const struct {
  const char *name, *file; /* file NULL: the shipped graph */
  bool in_paper;
} graphs[GRAPHS] = {{"cnr-2000", "cnr-2000.mtx.gz", true},
                    {"dblp-2010", "dblp-2010.mtx.gz", true},
                    {"soc-Epinions1", "soc-Epinions1.mtx.gz", false},
                    {"debian12", NULL, false}};

typedef struct experiment {
  paper_jobs jobs;
  paper_report report;
  char paths[GRAPHS][512];
  bool have[GRAPHS];
  const char *out;
  /* base: the paper's loop, an edge at a time; strong: eight edges in flight per thread */
  size_t base[APPS][GRAPHS], strong[APPS][GRAPHS], mff[APPS][GRAPHS], big[APPS][GRAPHS],
      window[GRAPHS];
} experiment;

static void find_graphs(experiment *e, const char *folder, const char *shipped) {
  for (int g = 0; g < GRAPHS; g++) {
    if (graphs[g].file)
      snprintf(e->paths[g], sizeof e->paths[g], "%s/%s", folder, graphs[g].file);
    else
      snprintf(e->paths[g], sizeof e->paths[g], "%s", shipped);
    e->have[g] = access(e->paths[g], R_OK) == 0;
    if (!e->have[g]) printf("SKIPPED %s: %s is not there\n", graphs[g].name, e->paths[g]);
  }
}

static void add_jobs(experiment *e) {
  char name[64];
  for (int g = 0; g < GRAPHS; g++) {
    if (!e->have[g]) continue;
    for (int a = 0; a < APPS; a++) {
      snprintf(name, sizeof name, "%s-%s-base", apps[a].name, graphs[g].name);
      e->base[a][g] = paper_add(&e->jobs, name, "--app %s --graph %s %s --set app.unroll=1",
                                apps[a].name, e->paths[g], apps[a].options);
      snprintf(name, sizeof name, "%s-%s-strong", apps[a].name, graphs[g].name);
      e->strong[a][g] = paper_add(&e->jobs, name, "--app %s --graph %s %s", apps[a].name,
                                  e->paths[g], apps[a].options);
      snprintf(name, sizeof name, "%s-%s-mff", apps[a].name, graphs[g].name);
      e->mff[a][g] = paper_add(&e->jobs, name, "--app %s --graph %s %s --unit mff", apps[a].name,
                               e->paths[g], apps[a].options);
      snprintf(name, sizeof name, "%s-%s-l1x16", apps[a].name, graphs[g].name);
      e->big[a][g] = paper_add(&e->jobs, name,
                               "--app %s --graph %s %s --set app.unroll=1 --set l1.bytes=262144",
                               apps[a].name, e->paths[g], apps[a].options);
    }
    snprintf(name, sizeof name, "window-%s", graphs[g].name);
    e->window[g] = paper_add(&e->jobs, name,
                             "--app pagerank --graph %s --set app.supersteps=1 --set app.unroll=1 "
                             "--set probe.coalescing=1",
                             e->paths[g]);
  }
}

/* Mean of ratios over graphs: only the paper's, or all. */
static double mean_over(const experiment *e, const double v[GRAPHS], bool paper_only) {
  double sum = 0, n = 0;
  for (int g = 0; g < GRAPHS; g++)
    if (e->have[g] && (graphs[g].in_paper || !paper_only)) {
      sum += v[g];
      n++;
    }
  return n > 0 ? sum / n : NAN;
}

static double ratio_of(const experiment *e, size_t a, size_t b, const char *path) {
  return paper_number(&e->jobs, a, path) / paper_number(&e->jobs, b, path);
}

static void speedups(experiment *e) {
  FILE *f = paper_data(e->out, "mff", "speedup");
  double mean[APPS];
  fprintf(f, "graph pagerank sssp wcc bfs\n");
  double s[APPS][GRAPHS], strong[APPS][GRAPHS];
  for (int g = 0; g < GRAPHS; g++) {
    if (!e->have[g]) continue;
    fprintf(f, "%s", graphs[g].name);
    for (int a = 0; a < APPS; a++) {
      s[a][g] = ratio_of(e, e->base[a][g], e->mff[a][g], "cycles");
      strong[a][g] = ratio_of(e, e->strong[a][g], e->mff[a][g], "cycles");
      fprintf(f, " %.4f", s[a][g]);
      paper_note(&e->report, "-", NAN, strong[a][g], NAN, NAN, "x",
                 "speedup over the strong baseline, %s on %s", apps[a].name, graphs[g].name);
      paper_note(&e->report, "figure 10", NAN, s[a][g], NAN, NAN, "x", "speedup, %s on %s",
                 apps[a].name, graphs[g].name);
    }
    fputc('\n', f);
  }
  fputs("average", f);
  for (int a = 0; a < APPS; a++) {
    mean[a] = mean_over(e, s[a], false);
    fprintf(f, " %.4f", mean[a]);
    double low = 1.75;
    paper_note(&e->report, "figure 10", apps[a].paper, mean[a], low, NAN, "x",
               "average speedup, %s", apps[a].name);
    paper_note(&e->report, "-", NAN, mean_over(e, strong[a], false), 1, NAN, "x",
               "average speedup over the strong baseline, %s", apps[a].name);
  }
  fputc('\n', f);
  fclose(f);
  double least_rest = fmin(fmin(mean[1], mean[2]), mean[3]);
  double most_rest = fmax(fmax(mean[0], mean[1]), mean[2]);
  paper_note(&e->report, "figure 10", NAN, least_rest / mean[0], 1, NAN, "x",
             "slowest other algorithm over PageRank (lowest)");
  paper_note(&e->report, "figure 10", NAN, mean[3] / most_rest, 1, NAN, "x",
             "BFS (highest) over the fastest other");
}

static double dram_bytes(const experiment *e, size_t job) {
  return paper_number(&e->jobs, job, "dram.read_bytes") +
         paper_number(&e->jobs, job, "dram.write_bytes");
}

/* Averages over algorithms and graphs; the paper's statements are judged on the paper's graphs. */
static void averages(experiment *e) {
  double traffic = 0, stalls = 0, flits = 0, energy = 0, unit = 0, n = 0, big = 0;
  FILE *f = paper_data(e->out, "mff", "energy");
  fprintf(f, "run energy\n");
  for (int g = 0; g < GRAPHS; g++)
    for (int a = 0; a < APPS && e->have[g]; a++) {
      double en = ratio_of(e, e->mff[a][g], e->base[a][g], "energy_joules.total");
      double t = dram_bytes(e, e->mff[a][g]) / dram_bytes(e, e->base[a][g]);
      double st = ratio_of(e, e->mff[a][g], e->base[a][g], "noc.stall_cycles");
      double b = ratio_of(e, e->mff[a][g], e->big[a][g], "cycles"); /* big L1's speed over MFF's */
      fprintf(f, "%s/%s %.4f\n", apps[a].name, graphs[g].name, en);
      paper_note(&e->report, "figure 8", NAN, 100 * (1 - en), NAN, NAN, "%",
                 "energy saved, %s on %s", apps[a].name, graphs[g].name);
      paper_note(&e->report, "section 6.2", NAN, 100 * (1 - t), NAN, NAN, "%",
                 "DRAM traffic saved, %s on %s", apps[a].name, graphs[g].name);
      paper_note(&e->report, "section 6.2", NAN, 100 * (1 - st), NAN, NAN, "%",
                 "interconnect stalls saved, %s on %s", apps[a].name, graphs[g].name);
      paper_note(&e->report, "section 6.2", NAN, 100 * b, NAN, NAN, "%",
                 "16x L1's speed over MFF's, %s on %s", apps[a].name, graphs[g].name);
      if (!graphs[g].in_paper) continue;
      traffic += t;
      stalls += st;
      flits += ratio_of(e, e->mff[a][g], e->base[a][g], "noc.flits");
      energy += en;
      big += b;
      unit += paper_number(&e->jobs, e->mff[a][g], "energy_joules.unit") /
              paper_number(&e->jobs, e->mff[a][g], "energy_joules.total");
      n++;
    }
  fclose(f);
  if (n == 0) return;
  paper_note(&e->report, "section 6.2", 27.5, 100 * (1 - traffic / n), 27.5, NAN, "%",
             "DRAM traffic saved, average, paper's graphs");
  paper_note(&e->report, "section 6.2", 88.3, 100 * (1 - stalls / n), 88, NAN, "%",
             "interconnect stall cycles saved, average, paper's graphs");
  paper_note(&e->report, "section 6.2", NAN, 100 * (1 - flits / n), NAN, NAN, "%",
             "interconnect flits saved, average, paper's graphs");
  paper_note(&e->report, "figure 8", 54.6, 100 * (1 - energy / n), 45, NAN, "%",
             "energy saved, average, paper's graphs");
  paper_note(&e->report, "figure 9", 0.3, 100 * unit / n, NAN, 3, "%",
             "the unit's share of energy, paper's graphs");
  paper_note(&e->report, "section 6.2", 71, 100 * big / n, NAN, 100, "%",
             "16x L1's speed over MFF's, average, paper's graphs");
}

static void power(experiment *e) {
  static const char *const parts[] = {"core", "registers", "l1",   "l2",
                                      "noc",  "dram",      "unit", "static"};
  FILE *f = paper_data(e->out, "mff", "power");
  fprintf(f, "run core registers l1 l2 noc dram unit static\n");
  for (int g = 0; g < GRAPHS; g++) {
    if (!e->have[g] || (g != 0 && graphs[g].file)) continue; /* cnr-2000 and the shipped graph */
    for (int a = 0; a < APPS; a++)
      for (int m = 0; m < 2; m++) {
        size_t job = m ? e->mff[a][g] : e->base[a][g];
        double seconds = paper_number(&e->jobs, job, "energy_joules.total") /
                         paper_number(&e->jobs, job, "energy_joules.watts");
        fprintf(f, "%s/%s/%s", apps[a].name, graphs[g].name, m ? "mff" : "base");
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
          char path[64];
          snprintf(path, sizeof path, "energy_joules.%s", parts[p]);
          fprintf(f, " %.3f", paper_number(&e->jobs, job, path) / seconds);
        }
        fputc('\n', f);
      }
  }
  fclose(f);
}

static const cJSON *window_of(const experiment *e, int g, const char *array) {
  const cJSON *all = cJSON_GetObjectItem(e->jobs.jobs[e->window[g]].result, "coalescing");
  const cJSON *w = cJSON_GetObjectItem(cJSON_GetObjectItem(all, array), "requests");
  if (cJSON_GetArraySize(w) == WINDOWS) return w;
  fprintf(stderr, "%s: no coalescing counts of %s\n", graphs[g].name, array);
  exit(1);
}

static void windows(experiment *e) {
  static const char *const arrays[] = {"in_col", "contribution"}, *const names[] = {"C", "V"};
  for (int k = 0; k < 2; k++) {
    FILE *f = paper_data(e->out, "mff", names[k]);
    fprintf(f, "window");
    for (int g = 0; g < GRAPHS; g++)
      if (e->have[g]) fprintf(f, " %s", graphs[g].name);
    for (int w = 0; w < WINDOWS; w++) {
      fprintf(f, "\n%d", 1 << w);
      for (int g = 0; g < GRAPHS; g++) {
        if (!e->have[g]) continue;
        const cJSON *v = window_of(e, g, "contribution"), *mine = window_of(e, g, arrays[k]);
        /* The paper normalises both parts to V reads at window 1. */
        double left =
            cJSON_GetArrayItem(mine, w)->valuedouble / cJSON_GetArrayItem(v, 0)->valuedouble;
        double own =
            cJSON_GetArrayItem(mine, w)->valuedouble / cJSON_GetArrayItem(mine, 0)->valuedouble;
        fprintf(f, " %.5f", left);
        if (w == 4 && k == 1)
          paper_note(&e->report, "figure 5b", graphs[g].in_paper ? 45.8 : NAN, 100 * (1 - own), 25,
                     NAN, "%", "V requests left out by windows of 16, %s (paper: Amazon)",
                     graphs[g].name);
        if (w == 4 && k == 0)
          paper_note(&e->report, "figure 5a", NAN, 100 * (1 - own), NAN, NAN, "%",
                     "C requests saved by a window of 16, %s", graphs[g].name);
      }
    }
    fputc('\n', f);
    fclose(f);
  }
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: paper_mff WARPFAB OUT_FOLDER GRAPH_FOLDER SHIPPED_GRAPH\n");
    return 2;
  }
  static experiment e;
  char runs[512], json[512];
  e.out = argv[2];
  snprintf(runs, sizeof runs, "%s/runs", argv[2]);
  snprintf(json, sizeof json, "%s/mff.json", argv[2]);
  mkdir(argv[2], 0777);
  mkdir(runs, 0777);
  e.jobs.program = argv[1];
  e.jobs.folder = runs;
  find_graphs(&e, argv[3], argv[4]);
  add_jobs(&e);
  if (!paper_run(&e.jobs)) return 1;
  windows(&e);
  speedups(&e);
  averages(&e);
  power(&e);
  size_t outside =
      paper_finish(&e.report, "Memory Fast-Forward (MFF): the paper beside ours", json);
  paper_free(&e.jobs);
  free(e.report.figures);
  return outside ? 1 : 0;
}
