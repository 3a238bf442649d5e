/* Runs of warpfab that stay: FOLDER/runs.db is a store of results (sim/store), where a run is found
 * by its arguments, the files that they name, the program and the units' RTL, while these are the
 * same. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/report/compare.h"
#include "sim/store/identity.h"
#include "sim/store/store.h"
#include "tests/papers/inside.h"

enum { MOST_PARALLEL = 16 };
#define CUDA "--cuda " /* before a CUDA program, which comes last */

bool paper_runs_open(paper *p) {
  wf_error err = {0};
  char *logs = wf_text("%s/logs", p->out);
  mkdir(p->out, 0777);
  mkdir(logs, 0777);
  free(logs);
  p->store_path = wf_text("%s/runs.db", p->out);
  p->store = wf_store_open(p->store_path, WF_STORE_APPEND, &err);
  p->identity = p->store ? wf_identity_create(p->program, &err) : NULL;
  return p->identity || fprintf(stderr, "%s\n", err.text) < 0;
}

static char *log_of(const paper *p, const paper_run *r) {
  return wf_text("%s/logs/%s.log", p->out, r->name);
}

/* A timeline is no part of the result, but who asks for it reads it: it must be of this program. */
static bool has_timeline(const paper *p, const char *arguments) {
  const char *option = strstr(arguments, "--timeline ");
  if (!option) return true;
  char *path = wf_text("%s", option + strlen("--timeline "));
  path[strcspn(path, " ")] = '\0';
  struct stat timeline, program;
  const bool there = stat(path, &timeline) == 0 && stat(p->program, &program) == 0 &&
                     timeline.st_mtime >= program.st_mtime;
  free(path);
  return there;
}

/* Only runs that ended well are found: verified, but for traces and a kernel of its own, which have
 * no reference here; tests check what they compute. */
static cJSON *kept(const paper *p, const paper_run *r) {
  return has_timeline(p, r->arguments) ? wf_store_result(p->store, r->key, r->kept_as) : NULL;
}

static void identify(const paper *p, paper_run *r) {
  char **words;
  const size_t n = wf_identity_words(r->arguments, &words);
  r->key = wf_identity_key(p->identity, words, n);
  r->kept_as = wf_identity_text(words, n);
  wf_identity_words_free(words, n);
}

const cJSON *paper_result(paper *p, const char *label, const char *format, ...) {
  char arguments[1024];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(arguments, sizeof arguments, format, args);
  va_end(args);
  if (n < 0 || n >= (int)sizeof arguments) paper_fail("%s: too many arguments", label);
  if (p->order) {
    char *cuda = strstr(arguments, CUDA), *last = wf_text("%s", cuda ? cuda : "");
    if (cuda) n = (int)(cuda - arguments);
    const size_t room = sizeof arguments - (size_t)n;
    const int more =
        snprintf(arguments + n, room, "%s--set sim.order=%u %s", cuda ? "" : " ", p->order, last);
    free(last);
    if (more >= (int)room) paper_fail("%s: too many arguments", label);
    arguments[strcspn(arguments, "\n")] = '\0';
  }
  for (size_t i = 0; i < p->n_runs; i++)
    if (!strcmp(p->runs[i].arguments, arguments)) return p->runs[i].result;
  p->runs = wf_realloc(p->runs, p->n_runs + 1, sizeof *p->runs);
  paper_run *r = &p->runs[p->n_runs++];
  *r = (paper_run){.arguments = wf_text("%s", arguments)};
  identify(p, r);
  snprintf(r->name, sizeof r->name, "%.16s-%.60s-%016llx", p->unit->name, label,
           (unsigned long long)r->key);
  r->result = kept(p, r);
  if (r->result)
    p->n_found++;
  else
    p->n_missing++;
  return r->result;
}

static pid_t start(const paper *p, const paper_run *r) {
  char *log = log_of(p, r);
  const char *cuda = strstr(r->arguments, CUDA),
             *acc = strncmp(r->arguments, "acc ", 4) ? NULL : "";
  char *what =
      cuda  ? wf_text("cuda %.*s %s", (int)(cuda - r->arguments), r->arguments, cuda + strlen(CUDA))
      : acc ? wf_text("%s", r->arguments)
            : wf_text("run %s", r->arguments);
  char *command = wf_text("exec %s %s --store %s >%s 2>&1", p->program, what, p->store_path, log);
  free(what);
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  free(command);
  free(log);
  return pid;
}

static bool collect(const paper *p, paper_run *r, int status) {
  char *log = log_of(p, r);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) r->result = kept(p, r);
  if (r->result)
    remove(log);
  else
    fprintf(stderr, "FAILED: run %s, see %s\n", r->arguments, log);
  free(log);
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
  if (!p->order) p->here += difftime(time(NULL), begin);
  return ok;
}

paper_time paper_time_of(const paper *p) {
  paper_time t = {.here = p->n_found ? NAN : p->here, .at_a_time = parallel()};
  for (size_t i = 0; i < p->n_runs; i++)
    if (!strstr(p->runs[i].arguments, "sim.order="))
      t.runs += paper_number_or(p->runs[i].result, "host.seconds", NAN);
  return t;
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
    free(p->runs[i].kept_as);
  }
  free(p->runs);
  wf_store_close(p->store);
  wf_identity_destroy(p->identity);
  free(p->store_path);
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
