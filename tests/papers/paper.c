#include "tests/papers/paper.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/report/compare.h"

enum { PARALLEL = 2 };

FILE *paper_data(const char *folder, const char *paper, const char *name) {
  char path[640];
  snprintf(path, sizeof path, "%s/%s-%s.dat", folder, paper, name);
  FILE *f = fopen(path, "w");
  if (f) return f;
  fprintf(stderr, "%s: cannot be written\n", path);
  exit(2);
}

size_t paper_add(paper_jobs *jobs, const char *name, const char *format, ...) {
  jobs->jobs = wf_realloc(jobs->jobs, jobs->count + 1, sizeof *jobs->jobs);
  paper_job *j = &jobs->jobs[jobs->count];
  *j = (paper_job){0};
  snprintf(j->name, sizeof j->name, "%s", name);
  va_list args;
  va_start(args, format);
  vsnprintf(j->arguments, sizeof j->arguments, format, args);
  va_end(args);
  return jobs->count++;
}

static pid_t start(const paper_jobs *jobs, const paper_job *j) {
  char command[1024];
  snprintf(command, sizeof command, "exec %s run %s --json %s/%s.json >%s/%s.log 2>&1",
           jobs->program, j->arguments, jobs->folder, j->name, jobs->folder, j->name);
  pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  return pid;
}

/* Reads the result; a run that is not verified is a failure. */
static bool collect(const paper_jobs *jobs, paper_job *j, int status) {
  char path[512];
  wf_error err = {0};
  snprintf(path, sizeof path, "%s/%s.json", jobs->folder, j->name);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) j->result = wf_json_read(path, &err);
  bool ok = j->result && (jobs->traces || cJSON_IsTrue(cJSON_GetObjectItem(j->result, "verified")));
  if (!ok)
    fprintf(stderr, "FAILED: %s (%s), see %s/%s.log\n", j->name, j->arguments, jobs->folder,
            j->name);
  return ok;
}

bool paper_run(paper_jobs *jobs) {
  pid_t pids[PARALLEL] = {0};
  size_t job_of[PARALLEL] = {0}, next = 0, done = 0;
  bool ok = true;
  time_t begin = time(NULL);
  while (done < jobs->count) {
    for (int s = 0; s < PARALLEL; s++)
      if (!pids[s] && next < jobs->count) {
        job_of[s] = next;
        pids[s] = start(jobs, &jobs->jobs[next++]);
      }
    int status;
    pid_t pid = wait(&status);
    for (int s = 0; s < PARALLEL; s++) {
      if (pids[s] != pid) continue;
      pids[s] = 0;
      done++;
      paper_job *j = &jobs->jobs[job_of[s]];
      ok = collect(jobs, j, status) && ok;
      printf("%4zu/%zu %-36s %8.0f s\n", done, jobs->count, j->name, difftime(time(NULL), begin));
      fflush(stdout);
    }
  }
  return ok;
}

void paper_free(paper_jobs *jobs) {
  for (size_t i = 0; i < jobs->count; i++) cJSON_Delete(jobs->jobs[i].result);
  free(jobs->jobs);
  *jobs = (paper_jobs){0};
}

double paper_number(const paper_jobs *jobs, size_t job, const char *path) {
  double value;
  if (wf_result_number(jobs->jobs[job].result, path, &value)) return value;
  fprintf(stderr, "%s: no number %s in its result\n", jobs->jobs[job].name, path);
  exit(1);
}

void paper_note(paper_report *r, const char *figure, double paper, double ours, double low,
                double high, const char *unit, const char *quantity, ...) {
  r->figures = wf_realloc(r->figures, r->count + 1, sizeof *r->figures);
  paper_figure *f = &r->figures[r->count++];
  *f = (paper_figure){.paper = paper, .ours = ours, .low = low, .high = high, .unit = unit};
  snprintf(f->figure, sizeof f->figure, "%s", figure);
  va_list args;
  va_start(args, quantity);
  vsnprintf(f->quantity, sizeof f->quantity, quantity, args);
  va_end(args);
}

static bool judged(const paper_figure *f) {
  return !isnan(f->low) || !isnan(f->high);
}

static bool within(const paper_figure *f) {
  return (isnan(f->low) || f->ours >= f->low) && (isnan(f->high) || f->ours <= f->high);
}

static void number_text(char *text, size_t bytes, double v) {
  if (isnan(v))
    snprintf(text, bytes, "-");
  else
    snprintf(text, bytes, fabs(v) >= 1000 ? "%.0f" : "%.3g", v);
}

static void print_figure(const paper_figure *f) {
  char paper[24], ours[24], low[24], high[24];
  number_text(paper, sizeof paper, f->paper);
  number_text(ours, sizeof ours, f->ours);
  number_text(low, sizeof low, f->low);
  number_text(high, sizeof high, f->high);
  printf("%-12s %-58s %8s %8s %-3s", f->figure, f->quantity, paper, ours, f->unit);
  if (judged(f)) printf(" %7s .. %-7s %s", low, high, within(f) ? "within" : "OUTSIDE");
  if (judged(f) && !within(f) && f->why) printf(": %s", f->why);
  putchar('\n');
}

static void add_number(cJSON *o, const char *key, double v) {
  if (isnan(v))
    cJSON_AddNullToObject(o, key);
  else
    cJSON_AddNumberToObject(o, key, v);
}

static cJSON *figure_json(const paper_figure *f) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "figure", f->figure);
  cJSON_AddStringToObject(o, "quantity", f->quantity);
  add_number(o, "paper", f->paper);
  add_number(o, "ours", f->ours);
  add_number(o, "low", f->low);
  add_number(o, "high", f->high);
  if (judged(f))
    cJSON_AddBoolToObject(o, "within", within(f));
  else
    cJSON_AddNullToObject(o, "within");
  if (judged(f) && !within(f) && f->why) cJSON_AddStringToObject(o, "why", f->why);
  return o;
}

void paper_why(paper_report *r, const char *why) {
  if (r->count) r->figures[r->count - 1].why = why;
}

size_t paper_finish(const paper_report *r, const char *title, const char *json_path) {
  size_t outside = 0, known = 0;
  cJSON *all = cJSON_CreateArray();
  printf("\n%s\n%-12s %-58s %8s %8s %-3s  band\n", title, "figure", "quantity", "paper", "ours",
         "");
  for (size_t i = 0; i < r->count; i++) {
    print_figure(&r->figures[i]);
    cJSON_AddItemToArray(all, figure_json(&r->figures[i]));
    outside += judged(&r->figures[i]) && !within(&r->figures[i]);
    known += judged(&r->figures[i]) && !within(&r->figures[i]) && r->figures[i].why;
  }
  wf_error err = {0};
  wf_out_file out;
  if (!wf_out_open(&out, json_path, &err) || !wf_json_write(&out, all, &err)) {
    fprintf(stderr, "%s\n", err.text);
    outside++;
  }
  cJSON_Delete(all);
  printf(
      "\n%zu of the judged figures outside their bands, %zu of these known findings; %s written\n",
      outside, known, json_path);
  return outside;
}
