/* Runs of warpfab that stay: a result lies in FOLDER/runs beside a key of its arguments, the files
 * that they name, the program and the unit's RTL, and is taken from there while the key is the
 * same. Of the program counts what is loaded into memory, so that comments and lines of the sources
 * do not. */
#include <elf.h>
#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_place.h"
#include "sim/base/wf_text.h"
#include "sim/report/compare.h"
#include "tests/papers/inside.h"

typedef unsigned long long hash_value;
enum { MOST_PARALLEL = 16, FILE_LIMIT = 1 << 28 };
#define HASH_START 0xcbf29ce484222325ull

static hash_value hash(hash_value h, const void *data, size_t bytes) { /* FNV-1a */
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3ull;
  return h;
}

static bool hash_file(hash_value *h, const char *path) {
  size_t bytes;
  wf_error err = {0};
  char *text = wf_file_read(path, FILE_LIMIT, &bytes, &err);
  if (!text) return fprintf(stderr, "%s\n", err.text) < 0;
  *h = hash(*h, text, bytes);
  free(text);
  return true;
}

/* Sections that are loaded; notes hold the number of the build. */
static bool hash_sections(hash_value *h, const char *file, size_t bytes) {
  Elf64_Ehdr head;
  if (bytes < sizeof head) return false;
  memcpy(&head, file, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_shentsize != sizeof(Elf64_Shdr) ||
      head.e_shoff > bytes || head.e_shnum * sizeof(Elf64_Shdr) > bytes - head.e_shoff)
    return false;
  for (size_t i = 0; i < head.e_shnum; i++) {
    Elf64_Shdr s;
    memcpy(&s, file + head.e_shoff + i * sizeof s, sizeof s);
    if (!(s.sh_flags & SHF_ALLOC) || s.sh_type == SHT_NOTE || s.sh_type == SHT_NOBITS) continue;
    if (s.sh_offset > bytes || s.sh_size > bytes - s.sh_offset) return false;
    *h = hash(*h, file + s.sh_offset, s.sh_size);
  }
  return true;
}

static bool hash_program(hash_value *h, const char *path) {
  size_t bytes;
  wf_error err = {0};
  char *file = wf_file_read(path, FILE_LIMIT, &bytes, &err);
  const bool ok = file && hash_sections(h, file, bytes);
  if (!ok) fprintf(stderr, "%s: %s\n", path, *err.text ? err.text : "no program of 64 bits");
  free(file);
  return ok;
}

static bool hash_matches(hash_value *h, const char *folder, const char *ending) {
  glob_t files = {0};
  char *pattern = wf_text("%s/*.%s", folder, ending);
  bool ok = glob(pattern, 0, NULL, &files) == 0;
  for (size_t i = 0; ok && i < files.gl_pathc; i++) ok = hash_file(h, files.gl_pathv[i]);
  globfree(&files);
  free(pattern);
  return ok;
}

/* An experiment may be of no unit: then there is no RTL in it. */
static bool hash_build(paper *p) {
  wf_place place;
  if (!hash_program(&p->build, p->program)) return false;
  if (!wf_place_find("", p->unit->name, &place, NULL)) return true;
  return hash_matches(&p->build, place.folder, "v") &&
         hash_matches(&p->build, place.folder, "ini") && hash_matches(&p->build, "rtl/common", "v");
}

bool paper_runs_open(paper *p) {
  char *folder = wf_text("%s/runs", p->out);
  mkdir(p->out, 0777);
  mkdir(folder, 0777);
  free(folder);
  p->build = HASH_START;
  return hash_build(p);
}

/* Contents of a file, once. */
static hash_value known_file(const char *path) {
  static struct {
    char path[PAPER_PATH];
    hash_value hash;
  } files[32];
  static size_t n;
  for (size_t i = 0; i < n; i++)
    if (!strcmp(files[i].path, path)) return files[i].hash;
  hash_value h = HASH_START;
  if (!hash_file(&h, path)) exit(2);
  if (n < sizeof files / sizeof files[0] && strlen(path) < PAPER_PATH) {
    strcpy(files[n].path, path);
    files[n++].hash = h;
  }
  return h;
}

/* Of a run: PATH and KEY=PATH among the arguments count with what they hold, but for its output. */
static hash_value key_of(const paper *p, const char *arguments) {
  char *words = wf_text("%s", arguments), *rest = words, *word;
  hash_value h = hash(p->build, arguments, strlen(arguments));
  while ((word = strtok_r(rest, " ", &rest))) {
    const char *path = strrchr(word, '=') ? strrchr(word, '=') + 1 : word;
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode)) continue;
    if (!strncmp(path, p->out, strlen(p->out))) continue;
    const hash_value file = known_file(path);
    h = hash(h, &file, sizeof file);
  }
  free(words);
  return h;
}

static char *file_of(const paper *p, const paper_run *r, const char *ending) {
  return wf_text("%s/runs/%s.%s", p->out, r->name, ending);
}

/* False if the run was not verified; of traces there is nothing to verify. */
static cJSON *read_result(const paper *p, const paper_run *r) {
  char *path = file_of(p, r, "json");
  cJSON *result = access(path, R_OK) ? NULL : wf_json_read(path, NULL);
  const cJSON *verified = cJSON_GetObjectItem(result, "verified");
  free(path);
  /* A kernel of its own has no reference here; tests check what it computes. */
  const bool own = cJSON_IsNull(verified) && strncmp(r->arguments, "--ptx", 5) == 0;
  if (!verified || cJSON_IsTrue(verified) || own) return result;
  cJSON_Delete(result);
  return NULL;
}

static cJSON *kept(const paper *p, const paper_run *r) {
  hash_value key = 0;
  char *path = file_of(p, r, "key");
  FILE *f = fopen(path, "r");
  const bool same = f && fscanf(f, "%llx", &key) == 1 && key == r->key;
  if (f) fclose(f);
  free(path);
  return same ? read_result(p, r) : NULL;
}

/* Before the run: an old result must not be taken for this one if it fails; a key without result
 * does not count. */
static void remember(const paper *p, const paper_run *r) {
  char *result = file_of(p, r, "json"), *path = file_of(p, r, "key");
  remove(result);
  FILE *f = fopen(path, "w");
  if (f) { /* else it is run again next time */
    fprintf(f, "%016llx %s\n", r->key, r->arguments);
    fclose(f);
  }
  free(result);
  free(path);
}

const cJSON *paper_result(paper *p, const char *label, const char *format, ...) {
  char arguments[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(arguments, sizeof arguments, format, args);
  va_end(args);
  if (n < 0 || n >= (int)sizeof arguments) paper_fail("%s: too many arguments", label);
  if (p->order) {
    const size_t room = sizeof arguments - (size_t)n;
    const int more = snprintf(arguments + n, room, " --set sim.order=%u", p->order);
    if (more >= (int)room) paper_fail("%s: too many arguments", label);
    n += more;
  }
  for (size_t i = 0; i < p->n_runs; i++)
    if (!strcmp(p->runs[i].arguments, arguments)) return p->runs[i].result;
  p->runs = wf_realloc(p->runs, p->n_runs + 1, sizeof *p->runs);
  paper_run *r = &p->runs[p->n_runs++];
  *r = (paper_run){.arguments = wf_text("%s", arguments), .key = key_of(p, arguments)};
  snprintf(r->name, sizeof r->name, "%.16s-%.60s-%016llx", p->unit->name, label,
           hash(HASH_START, arguments, (size_t)n));
  r->result = kept(p, r);
  if (r->result)
    p->n_found++;
  else
    p->n_missing++;
  return r->result;
}

static pid_t start(const paper *p, const paper_run *r) {
  char *json = file_of(p, r, "json"), *log = file_of(p, r, "log");
  char *command = wf_text("exec %s run %s --json %s >%s 2>&1", p->program, r->arguments, json, log);
  remember(p, r);
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  free(command);
  free(json);
  free(log);
  return pid;
}

static bool collect(const paper *p, paper_run *r, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) r->result = read_result(p, r);
  if (!r->result)
    fprintf(stderr, "FAILED: run %s, see %s/runs/%s.log\n", r->arguments, p->out, r->name);
  return r->result;
}

/* As many at a time as there are processors, or JOBS. */
static int parallel(void) {
  const char *jobs = getenv("JOBS");
  const long n = jobs && atoi(jobs) > 0 ? atoi(jobs) : sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > MOST_PARALLEL ? MOST_PARALLEL : (int)n;
}

bool paper_runs_make(paper *p) {
  pid_t pids[MOST_PARALLEL] = {0};
  size_t run_of[MOST_PARALLEL] = {0}, next = 0, done = 0;
  const size_t all = p->n_missing;
  const int slots = parallel();
  bool ok = true;
  const time_t begin = time(NULL);
  while (done < all) {
    for (int s = 0; s < slots; s++) {
      if (pids[s]) continue;
      while (next < p->n_runs && p->runs[next].result) next++;
      if (next == p->n_runs) break;
      run_of[s] = next;
      pids[s] = start(p, &p->runs[next++]);
    }
    int status;
    const pid_t pid = wait(&status);
    for (int s = 0; s < slots; s++) {
      if (pids[s] != pid) continue;
      paper_run *r = &p->runs[run_of[s]];
      pids[s] = 0;
      ok = collect(p, r, status) && ok;
      printf("%4zu/%zu %-48.48s %8.0f s\n", ++done, all, r->name, difftime(time(NULL), begin));
      fflush(stdout);
    }
  }
  p->n_missing = 0;
  return ok;
}

size_t paper_unverified(const paper *p) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_runs; i++)
    n += !cJSON_IsTrue(cJSON_GetObjectItem(p->runs[i].result, "verified"));
  return n;
}

void paper_runs_close(paper *p) {
  for (size_t i = 0; i < p->n_runs; i++) {
    cJSON_Delete(p->runs[i].result);
    free(p->runs[i].arguments);
  }
  free(p->runs);
}

double paper_number_or(const cJSON *result, const char *path, double otherwise) {
  double value;
  if (!result) return NAN;
  return wf_result_number(result, path, &value) ? value : otherwise;
}

double paper_number(const cJSON *result, const char *path) {
  double value;
  if (!result) return NAN;
  if (!wf_result_number(result, path, &value))
    paper_fail("a run's result has no number %s: it begins with\n%.300s", path,
               cJSON_Print(result));
  return value;
}
