/* Experiments of the DTBL paper. Usage: paper_dtbl WARPFAB OUT_FOLDER GRAPH_FOLDER UNIT-OPTIONS
 * [all|forms|table]: forms, figures 16 to 22; table, figure 23. */
#include "tests/dtbl/paper/dtbl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/report/compare.h"

/* Inputs after table 6, scaled to minutes: docs/dtbl-paper.md has what stands for what. */
const dtbl_app dtbl_apps[DTBL_APPS] = {
    [DTBL_AMR] = {"amr", "--app amr --set app.side=256 --set app.low=100", NULL},
    [DTBL_BHT] = {"bht", "--app bht --set app.bodies=131072", NULL},
    [DTBL_BFS_CITATION] = {"bfs_citation", "--app bfs_dp --graph %s/dblp-2010.mtx.gz",
                           "--app bfs_dp --graph cite:n=65536,degree=4"},
    [DTBL_BFS_ROAD] = {"bfs_usa_road", "--app bfs_dp --graph %s/USA-road-d.NY.gr.gz",
                       "--app bfs_dp --graph grid:x=512,y=256"},
    [DTBL_BFS_CAGE15] = {"bfs_cage15", "--app bfs_dp --graph band:n=65536", NULL},
    [DTBL_CLR_CITATION] = {"clr_citation",
                           "--app clr --set app.rounds=1 --graph %s/dblp-2010.mtx.gz",
                           "--app clr --set app.rounds=1 --graph cite:n=65536,degree=4"},
    [DTBL_CLR_GRAPH500] = {"clr_graph500",
                           "--app clr --set app.rounds=1 --graph "
                           "rmat:scale=14,edges=700000,a=0.57,b=0.19,c=0.19,d=0.05",
                           NULL},
    [DTBL_CLR_CAGE15] = {"clr_cage15", "--app clr --set app.rounds=1 --graph band:n=65536", NULL},
    [DTBL_REGX_DARPA] = {"regx_darpa", "--app regx", NULL},
    [DTBL_REGX_STRING] = {"regx_string", "--app regx --set app.kind=strings --set app.texts=24576",
                          NULL},
    [DTBL_PRE] = {"pre",
                  "--app pre --set app.users=8192 --set app.products=512 --set app.least=1000",
                  NULL},
    [DTBL_JOIN_UNIFORM] =
        {"join_uniform",
         "--app join --set app.left=32768 --set app.right=65536 --set app.keys=2048", NULL},
    [DTBL_JOIN_GAUSSIAN] = {"join_gaussian",
                            "--app join --set app.spread=gaussian --set app.left=24576 --set "
                            "app.right=32768 --set app.keys=1024",
                            NULL},
    [DTBL_SSSP_CITATION] = {"sssp_citation", "--app sssp_dp --graph cite:n=32768,degree=4", NULL},
    [DTBL_SSSP_FLIGHT] = {"sssp_flight", "--app sssp_dp --graph rgg:scale=11", NULL},
    [DTBL_SSSP_CAGE15] = {"sssp_cage15", "--app sssp_dp --graph band:n=8192", NULL},
    [DTBL_CLR_EVEN] = {"clr_even", "--app clr --set app.rounds=1 --graph random:n=24576,degree=20",
                       NULL},
};

const char *const dtbl_form_names[DTBL_FORMS] = {"flat", "CDPI",      "DTBLI",   "CDP",
                                                 "DTBL", "DTBLI-inf", "DTBL-inf"};
static const char *const form_options[DTBL_FORMS] = {"app.form=flat",
                                                     "app.form=cdp --set launch.ideal=1",
                                                     "app.form=dtbl --set launch.ideal=1",
                                                     "app.form=cdp",
                                                     "app.form=dtbl",
                                                     "app.form=dtbl --set launch.ideal=1",
                                                     "app.form=dtbl"};

static const cJSON *result_of(dtbl_experiment *e, int app, dtbl_form form, const char *options) {
  const dtbl_app *a = &dtbl_apps[app];
  char input[512], arguments[512], label[64];
  int n = snprintf(input, sizeof input, a->arguments, e->graphs);
  if (a->instead) {
    const char *file = strstr(input, "--graph ");
    if (!file || access(file + strlen("--graph "), R_OK) != 0)
      n = snprintf(input, sizeof input, "%s", a->instead);
  }
  if (n >= 0 && n < (int)sizeof input)
    n = snprintf(arguments, sizeof arguments, "--config k20c %s --set %s %s %s", input,
                 form_options[form], form == DTBL_DTBL || form == DTBL_DTBLI ? e->unit : "",
                 options);
  if (n < 0 || n >= (int)sizeof arguments) {
    fprintf(stderr, "%s: too long a name of a folder\n", e->graphs);
    exit(2);
  }
  snprintf(label, sizeof label, "dtbl-%s-%s", a->name, dtbl_form_names[form]);
  return paper_cache_get(&e->cache, label, arguments);
}

double dtbl_number_or_0(dtbl_experiment *e, int app, dtbl_form form, const char *options,
                        const char *path) {
  const cJSON *result = result_of(e, app, form, options);
  double value;
  if (!result) return NAN;
  return wf_result_number(result, path, &value) ? value : 0;
}

double dtbl_number(dtbl_experiment *e, int app, dtbl_form form, const char *options,
                   const char *path) {
  const cJSON *result = result_of(e, app, form, options);
  double value;
  if (!result) return NAN;
  if (wf_result_number(result, path, &value)) return value;
  fprintf(stderr, "%s %s %s: no number %s in its result\n", dtbl_apps[app].name,
          dtbl_form_names[form], options, path);
  exit(1);
}

/* ---- tables ---- */

double dtbl_mean(const dtbl_table *t, int column) {
  double sum = 0, n = 0;
  for (int a = 0; a < DTBL_PAPER; a++) {
    if (isnan(t->v[a][column])) continue;
    sum += t->arithmetic ? t->v[a][column] : log(t->v[a][column]);
    n++;
  }
  return n == 0 ? NAN : t->arithmetic ? sum / n : exp(sum / n);
}

static void row(FILE *dat, const char *name, const dtbl_table *t, const double *v) {
  printf("  %-14s", name);
  fputs(name, dat);
  for (int c = 0; c < t->columns; c++) {
    if (isnan(v[c]))
      printf(" %10s", "-");
    else
      printf(fabs(v[c]) >= 1000 ? " %10.0f" : " %10.3f", v[c]);
    fprintf(dat, isnan(v[c]) ? " -" : " %.5g", v[c]);
  }
  putchar('\n');
  fputc('\n', dat);
}

void dtbl_show(const dtbl_experiment *e, const dtbl_table *t) {
  if (!e->reporting) return;
  FILE *dat = paper_data(e->out, "dtbl", t->figure);
  printf("\nFigure %s: %s\n  %-14s", t->figure, t->title, "");
  fputs("app", dat);
  for (int c = 0; c < t->columns; c++) {
    printf(" %10s", t->names[c]);
    fprintf(dat, " %s", t->names[c]);
  }
  putchar('\n');
  fputc('\n', dat);
  for (int a = 0; a < DTBL_PAPER; a++) row(dat, dtbl_apps[a].name, t, t->v[a]);
  double means[DTBL_MAX_COLUMNS];
  for (int c = 0; c < t->columns; c++) means[c] = dtbl_mean(t, c);
  row(dat, "mean", t, means);
  for (int a = DTBL_PAPER; a < DTBL_APPS; a++) row(dat, dtbl_apps[a].name, t, t->v[a]);
  fclose(dat);
}

/* ---- */

enum { ROUNDS = 4 };

int main(int argc, char **argv) {
  const char *part = argc == 6 ? argv[5] : "all";
  if (argc < 5 || argc > 6 ||
      (strcmp(part, "all") && strcmp(part, "forms") && strcmp(part, "table"))) {
    fprintf(stderr, "usage: %s WARPFAB OUT_FOLDER GRAPH_FOLDER UNIT-OPTIONS [all|forms|table]\n",
            argv[0]);
    return 2;
  }
  static dtbl_experiment e;
  char json[512];
  snprintf(json, sizeof json, "%s/dtbl%s%s.json", argv[2], strcmp(part, "all") ? "-" : "",
           strcmp(part, "all") ? part : "");
  e.out = argv[2];
  e.graphs = argv[3];
  e.unit = argv[4];
  e.forms = strcmp(part, "table") != 0;
  e.table = strcmp(part, "forms") != 0 && *e.unit; /* only the RTL has one */
  if (!paper_cache_open(&e.cache, argv[1], argv[2],
                        (const char *const[]){"rtl/agt_dtbl/*.v", "rtl/common/*.v", NULL}))
    return 2;
  for (int round = 0; round < ROUNDS; round++) {
    dtbl_figures(&e);
    if (!e.cache.missing.count) break;
    if (!paper_cache_run(&e.cache)) return 1;
  }
  printf("%zu runs, each verified; %zu of them from %s; groups dispatched by %s\n",
         e.cache.all.count, e.cache.found, e.cache.folder,
         *e.unit ? "the RTL" : "the GPU's own dispatcher");
  e.reporting = true;
  dtbl_figures(&e);
  const size_t outside =
      paper_finish(&e.report, "Dynamic thread block launch (DTBL): the paper beside ours", json);
  paper_cache_close(&e.cache);
  free(e.report.figures);
  return outside ? 1 : 0;
}
