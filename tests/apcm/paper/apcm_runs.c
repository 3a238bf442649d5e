/* Runs of warpfab for the APCM experiments. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/report/compare.h"
#include "sim/report/result.h"
#include "tests/apcm/paper/apcm.h"

/* Sizes: README of sim/apps. The paper's machine has 64 MSHRs. */
const apcm_app apcm_apps[APCM_APPS] = {
    {"bfs_rodinia", "--graph random:n=65536,degree=6", NULL, APCM_CS},
    {"kmn", "", NULL, APCM_CS},
    {"iix", "", NULL, APCM_CS},
    {"wc", "", NULL, APCM_CS},
    {"gc", "--graph random:n=32768,degree=4", NULL, APCM_CS},
    {"ssp", "--graph random:n=32768,degree=4", NULL, APCM_CS},
    {"spmv", "USA-road-d.NY.gr.gz", "--graph random:n=131072,degree=8", APCM_CM},
    {"mm", "", NULL, APCM_CM},
    {"ss", "", NULL, APCM_CM},
    {"ccl", "--graph random:n=65536,degree=4", NULL, APCM_CM},
    {"ge", "", NULL, APCM_CI},
    {"srd", "", NULL, APCM_CI},
    {"mri", "", NULL, APCM_CI},
    {"sgm", "", NULL, APCM_CI},
    {"stn", "", NULL, APCM_CI},
    {"aps", "", NULL, APCM_CI},
};

static void arguments_of(const apcm_experiment *e, int app, const char *options, char *text,
                         size_t bytes) {
  char path[512];
  const apcm_app *a = &apcm_apps[app];
  int n = snprintf(path, sizeof path, a->instead ? "%s/%s" : "%s", e->graphs, a->input);
  const bool real = a->instead && access(path, R_OK) == 0;
  if (n >= 0 && n < (int)sizeof path)
    n = snprintf(text, bytes, "--app %s %s %s --set l1.mshrs=64 %s", a->name,
                 real         ? "--graph"
                 : a->instead ? a->instead
                              : a->input,
                 real ? path : "", options);
  if (n >= 0 && n < (int)bytes) return;
  fprintf(stderr, "%s: too long a name of a folder\n", e->graphs);
  exit(2);
}

const cJSON *apcm_result(apcm_experiment *e, int app, const char *options) {
  char arguments[512], label[64];
  arguments_of(e, app, options, arguments, sizeof arguments);
  snprintf(label, sizeof label, "apcm-%s", apcm_apps[app].name);
  return paper_cache_get(&e->cache, label, arguments);
}

double apcm_number(apcm_experiment *e, int app, const char *options, const char *path) {
  const cJSON *result = apcm_result(e, app, options);
  double value;
  if (!result) return NAN;
  if (wf_result_number(result, path, &value)) return value;
  fprintf(stderr, "%s %s: no number %s in its result\n", apcm_apps[app].name, options, path);
  exit(1);
}

double apcm_ipc(apcm_experiment *e, int app, const char *options) {
  return apcm_number(e, app, options, "ipc");
}

int apcm_best(apcm_experiment *e, int app, char options[][APCM_OPTIONS], int n) {
  double best = 0;
  int at = -1;
  bool all = true;
  for (int i = 0; i < n; i++) {
    double ipc = apcm_ipc(e, app, options[i]);
    if (isnan(ipc)) all = false;
    if (ipc > best) best = ipc, at = i;
  }
  return all ? at : -1;
}
