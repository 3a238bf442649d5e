#include "tests/papers/cache.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/wf_out.h"
#include "sim/report/compare.h"

static unsigned long long hash(unsigned long long h, const void *data, size_t bytes) { /* FNV-1a */
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}
#define HASH_START 0xcbf29ce484222325ull

static bool hash_file(unsigned long long *h, const char *path) {
  FILE *f = fopen(path, "rb");
  char block[65536];
  size_t n;
  if (!f)
    return fprintf(stderr, "%s: cannot be read; start this in the repository's root\n", path) < 0;
  while ((n = fread(block, 1, sizeof block, f)) > 0) *h = hash(*h, block, n);
  const bool ok = !ferror(f);
  fclose(f);
  return ok;
}

bool paper_cache_open(paper_cache *c, const char *program, const char *out,
                      const char *const *patterns) {
  *c = (paper_cache){.build = HASH_START};
  bool ok = hash_file(&c->build, program);
  for (; ok && *patterns; patterns++) {
    glob_t files = {0};
    ok = glob(*patterns, 0, NULL, &files) == 0;
    if (!ok) fprintf(stderr, "%s: no such files; start this in the repository's root\n", *patterns);
    for (size_t i = 0; ok && i < files.gl_pathc; i++) ok = hash_file(&c->build, files.gl_pathv[i]);
    globfree(&files);
  }
  const int n = snprintf(c->folder, sizeof c->folder, "%s/runs", out);
  if (n >= (int)sizeof c->folder) return fprintf(stderr, "%s: too long a name\n", out) < 0;
  mkdir(out, 0777);
  mkdir(c->folder, 0777);
  c->all.program = c->missing.program = program;
  c->all.folder = c->missing.folder = c->folder;
  return ok;
}

static void file_of(const paper_cache *c, const paper_job *j, const char *ending, char *path,
                    size_t bytes) {
  snprintf(path, bytes, "%s/%s.%s", c->folder, j->name, ending);
}

static void key_text(const paper_cache *c, const paper_job *j, char *key, size_t bytes) {
  snprintf(key, bytes, "%016llx %s\n", c->build, j->arguments);
}

/* The kept result, if its key is that of this build and it was verified. */
static cJSON *kept(const paper_cache *c, const paper_job *j) {
  char path[640], key[640], was[640] = "";
  file_of(c, j, "key", path, sizeof path);
  FILE *f = fopen(path, "r");
  if (!f) return NULL;
  const bool read = fgets(was, sizeof was, f) != NULL;
  fclose(f);
  key_text(c, j, key, sizeof key);
  if (!read || strcmp(was, key)) return NULL;
  file_of(c, j, "json", path, sizeof path);
  wf_error err = {0};
  cJSON *result = wf_json_read(path, &err);
  if (cJSON_IsTrue(cJSON_GetObjectItem(result, "verified"))) return result;
  cJSON_Delete(result);
  return NULL;
}

/* Before the run: an old result must not be taken for this one if it fails; a key without result
 * does not count. */
static void remember(const paper_cache *c, const paper_job *j) {
  char path[640], key[640];
  file_of(c, j, "json", path, sizeof path);
  remove(path);
  file_of(c, j, "key", path, sizeof path);
  key_text(c, j, key, sizeof key);
  FILE *f = fopen(path, "w");
  if (!f) return; /* then it is run again next time */
  fputs(key, f);
  fclose(f);
}

static size_t find(const paper_jobs *jobs, const char *arguments) {
  size_t i = 0;
  while (i < jobs->count && strcmp(jobs->jobs[i].arguments, arguments)) i++;
  return i;
}

const cJSON *paper_cache_get(paper_cache *c, const char *label, const char *arguments) {
  size_t at = find(&c->all, arguments);
  if (at < c->all.count) return c->all.jobs[at].result;
  char name[96];
  snprintf(name, sizeof name, "%.60s-%016llx", label,
           hash(HASH_START, arguments, strlen(arguments)));
  at = paper_add(&c->all, name, "%s", arguments);
  if ((c->all.jobs[at].result = kept(c, &c->all.jobs[at])))
    c->found++;
  else
    paper_add(&c->missing, name, "%s", arguments);
  return c->all.jobs[at].result;
}

bool paper_cache_run(paper_cache *c) {
  for (size_t i = 0; i < c->missing.count; i++) remember(c, &c->missing.jobs[i]);
  const bool ok = paper_run(&c->missing);
  for (size_t i = 0; ok && i < c->missing.count; i++) {
    paper_job *j = &c->missing.jobs[i];
    c->all.jobs[find(&c->all, j->arguments)].result = j->result;
    j->result = NULL;
  }
  paper_free(&(paper_jobs){.jobs = c->missing.jobs, .count = c->missing.count});
  c->missing.jobs = NULL;
  c->missing.count = 0;
  return ok;
}

void paper_cache_close(paper_cache *c) {
  paper_free(&c->all);
}
