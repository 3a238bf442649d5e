/* Runs of warpfab for the APCM experiments. A result stays in OUT/runs with a key of its arguments and of the build
 * (program and RTL), and is taken from there while the key is the same. */
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/report/compare.h"
#include "sim/report/result.h"
#include "tests/papers/apcm.h"

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

static unsigned long long hash(unsigned long long h, const void *data, size_t bytes) { /* FNV-1a */
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}

static unsigned long long hash_file(unsigned long long h, const char *path) {
  FILE *f = fopen(path, "rb");
  char block[65536];
  size_t n;
  if (!f) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  while ((n = fread(block, 1, sizeof block, f)) > 0) h = hash(h, block, n);
  fclose(f);
  return h;
}

unsigned long long apcm_build_key(const char *program) {
  glob_t rtl = {0};
  if (glob("rtl/apcm/*.v", 0, NULL, &rtl) || glob("rtl/common/*.v", GLOB_APPEND, NULL, &rtl)) {
    fprintf(stderr, "rtl/apcm, rtl/common: not found; start this in the repository's root\n");
    exit(2);
  }
  unsigned long long h = hash_file(0xcbf29ce484222325ull, program);
  for (size_t i = 0; i < rtl.gl_pathc; i++) h = hash_file(h, rtl.gl_pathv[i]);
  globfree(&rtl);
  return h;
}

static void arguments_of(const apcm_experiment *e, int app, const char *options, char *text, size_t bytes) {
  char path[512];
  const apcm_app *a = &apcm_apps[app];
  int n = snprintf(path, sizeof path, a->instead ? "%s/%s" : "%s", e->graphs, a->input);
  const bool real = a->instead && access(path, R_OK) == 0;
  if (n >= 0 && n < (int)sizeof path)
    n = snprintf(text, bytes, "--app %s %s %s --set l1.mshrs=64 %s", a->name, real ? "--graph" : a->instead ? a->instead : a->input,
                 real ? path : "", options);
  if (n >= 0 && n < (int)bytes) return;
  fprintf(stderr, "%s: too long a name of a folder\n", e->graphs);
  exit(2);
}

/* The job of these arguments in a list, or its end. */
static size_t find(const paper_jobs *jobs, const char *arguments) {
  size_t i = 0;
  while (i < jobs->count && strcmp(jobs->jobs[i].arguments, arguments)) i++;
  return i;
}

static void key_text(const apcm_experiment *e, const paper_job *j, char *text, size_t bytes) {
  snprintf(text, bytes, "%016llx %s\n", e->build, j->arguments);
}

static cJSON *cached(const apcm_experiment *e, const paper_job *j) {
  char path[640], key[640], have[640] = "";
  wf_error err = {0};
  snprintf(path, sizeof path, "%s/%s.key", e->all.folder, j->name);
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  bool read = fgets(have, sizeof have, f) != NULL;
  fclose(f);
  key_text(e, j, key, sizeof key);
  if (!read || strcmp(key, have)) return NULL;
  snprintf(path, sizeof path, "%s/%s.json", e->all.folder, j->name);
  cJSON *result = wf_json_read(path, &err);
  if (result && cJSON_IsTrue(cJSON_GetObjectItem(result, "verified"))) return result;
  cJSON_Delete(result);
  return NULL;
}

/* Before the run, so that runs which end before an interruption count. */
static void remember(const apcm_experiment *e, const paper_job *j) {
  char path[640], key[640];
  snprintf(path, sizeof path, "%s/%s.json", e->all.folder, j->name);
  remove(path);
  snprintf(path, sizeof path, "%s/%s.key", e->all.folder, j->name);
  key_text(e, j, key, sizeof key);
  FILE *f = fopen(path, "w");
  if (!f) return; /* then it is run again next time */
  fputs(key, f);
  fclose(f);
}

const cJSON *apcm_result(apcm_experiment *e, int app, const char *options) {
  char arguments[512], name[96];
  arguments_of(e, app, options, arguments, sizeof arguments);
  size_t at = find(&e->all, arguments);
  if (at < e->all.count) return e->all.jobs[at].result;
  snprintf(name, sizeof name, "apcm-%s-%016llx", apcm_apps[app].name, hash(0xcbf29ce484222325ull, arguments, strlen(arguments)));
  at = paper_add(&e->all, name, "%s", arguments);
  if ((e->all.jobs[at].result = cached(e, &e->all.jobs[at])))
    e->found++;
  else
    paper_add(&e->missing, name, "%s", arguments);
  return e->all.jobs[at].result;
}

double apcm_number(apcm_experiment *e, int app, const char *options, const char *path) {
  const cJSON *result = apcm_result(e, app, options);
  double value;
  if (!result) return NAN;
  if (wf_result_number(result, path, &value)) return value;
  fprintf(stderr, "%s %s: no number %s in its result\n", apcm_apps[app].name, options, path);
  exit(1);
}

double apcm_ipc(apcm_experiment *e, int app, const char *options) { return apcm_number(e, app, options, "ipc"); }

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

bool apcm_run_missing(apcm_experiment *e) {
  for (size_t i = 0; i < e->missing.count; i++) remember(e, &e->missing.jobs[i]);
  bool ok = paper_run(&e->missing);
  for (size_t i = 0; ok && i < e->missing.count; i++) {
    paper_job *j = &e->missing.jobs[i];
    e->all.jobs[find(&e->all, j->arguments)].result = j->result;
    j->result = NULL;
  }
  paper_free(&(paper_jobs){.jobs = e->missing.jobs, .count = e->missing.count});
  e->missing.jobs = NULL;
  e->missing.count = 0;
  return ok;
}

void apcm_free(apcm_experiment *e) {
  paper_free(&e->all);
  free(e->report.figures);
}
