/* Runs tests on faults, several at a time, each under a limit of processor time. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_clock.h"
#include "sim/base/wf_file.h"
#include "sim/base/wf_text.h"
#include "verify/mutate/mutate.h"

enum { MAX_JOBS = 64, MAX_WORDS = 32, LOG_LIMIT = 1 << 26, WALL_FACTOR = 20 };

typedef enum { ENDED_PASS, ENDED_FAIL, ENDED_LIMIT, ENDED_NO_PROGRAM } ending;

typedef struct runner {
  const mutate_unit *unit;
  const char *build, *config;
  char *faults, *logs;                 /* WF_FAULTS; folder of the tests' output */
  double baseline[MUTATE_MAX_KILLERS]; /* processor seconds of the unchanged design */
} runner;

typedef struct slot {
  fault *fault; /* NULL: free */
  unsigned killer;
  pid_t pid;
  double started;
} slot;

/* "{config}" in a killer's words stands for the configuration. */
static char *substitute(const char *text, const char *config) {
  const char *at = strstr(text, "{config}");
  return at ? wf_text("%.*s%s%s", (int)(at - text), text, config, at + strlen("{config}"))
            : wf_strdup(text);
}

/* A fault gets ten times the processor time of the unchanged design, and some seconds more. */
static unsigned cpu_limit(const runner *r, unsigned killer) {
  return (unsigned)(4 + 10 * r->baseline[killer]);
}

static char *log_path(const runner *r, unsigned number) {
  return wf_text("%s/%u.log", r->logs, number);
}

/* In the child: the killer's program with its environment. */
static void run_killer(const runner *r, unsigned number, unsigned killer) {
  char *words = substitute(r->unit->killers[killer], r->config), *rest = words, *word;
  char *program = NULL, *log = log_path(r, number);
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  setenv("WF_MUTANT", text, 1);
  setenv("WF_FAULTS", r->faults, 1);
  setenv("WARPFAB_BUILD", r->build, 1);
  setenv("WARPFAB_BUILD_MODEL", "verify/mutate/model", 1);
  while ((word = strtok_r(rest, " \t", &rest))) {
    if (!program)
      program = wf_text("%s/%s", r->build, word);
    else
      putenv(word);
  }
  struct rlimit cpu = {cpu_limit(r, killer), cpu_limit(r, killer) + 5};
  if (r->baseline[killer] > 0) setrlimit(RLIMIT_CPU, &cpu);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  setpgid(0, 0);
  if (freopen(log, "w", stdout) && dup2(STDOUT_FILENO, STDERR_FILENO) >= 0)
    execl(program, program, (char *)NULL);
  _exit(127);
}

static ending judge(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return ENDED_PASS;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) return ENDED_NO_PROGRAM;
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return ENDED_LIMIT;
  return ENDED_FAIL;
}

static bool start(const runner *r, slot *s, unsigned number, wf_error *err) {
  s->started = wf_clock_seconds();
  s->pid = fork();
  if (s->pid == 0) run_killer(r, number, s->killer);
  return s->pid > 0 || wf_fail(err, WF_EXIT_BAD_INPUT, "fork: %s", strerror(errno));
}

static bool cannot_run(const runner *r, unsigned killer, wf_error *err) {
  return wf_fail(err, WF_EXIT_BAD_INPUT, "%s/%s: cannot be run", r->build,
                 r->unit->killers[killer]);
}

/* Waits for a slot's process to end; false while it runs. */
static bool ended(const runner *r, slot *s, ending *how, double *seconds) {
  int status;
  struct rusage usage;
  pid_t pid = wait4(s->pid, &status, WNOHANG, &usage);
  if (pid == 0) {
    /* Something that sleeps uses no processor time. */
    double most = WALL_FACTOR * (double)cpu_limit(r, s->killer);
    if (r->baseline[s->killer] > 0 && wf_clock_seconds() - s->started > most)
      kill(-s->pid, SIGKILL);
    return false;
  }
  *how = pid < 0 ? ENDED_NO_PROGRAM : judge(status);
  *seconds = pid < 0 ? 0
                     : (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  return true;
}

/* The first line of a test's output that says what was wrong. */
static char *what_it_said(const runner *r, unsigned number) {
  char *path = log_path(r, number);
  size_t bytes;
  char *text = wf_file_read(path, LOG_LIMIT, &bytes, NULL), *said = NULL;
  free(path);
  static const char *const marks[] = {"ERROR: ", "error: ", "Assertion"};
  for (size_t i = 0; text && i < sizeof marks / sizeof *marks && !said; i++) {
    const char *at = strstr(text, marks[i]);
    if (!at) continue;
    at += i < 2 ? strlen(marks[i]) : 0;
    said = wf_text("%.*s", (int)strcspn(at, "\n"), at);
  }
  free(text);
  return said ? said : wf_strdup("");
}

static void nap(void) {
  struct timespec t = {.tv_nsec = 3000000};
  nanosleep(&t, NULL);
}

/* Fault 0 is the design as it is: a killer that fails on it proves nothing about the others. */
static bool measure_baseline(runner *r, unsigned k, wf_error *err) {
  const char *killer = r->unit->killers[k];
  slot s = {.killer = k};
  ending how;
  double seconds = 0;
  if (!start(r, &s, 0, err)) return false;
  while (!ended(r, &s, &how, &seconds)) nap();
  if (how == ENDED_NO_PROGRAM) return cannot_run(r, k, err);
  if (how != ENDED_PASS) {
    char *said = what_it_said(r, 0);
    wf_fail(err, WF_EXIT_WRONG, "the unchanged design (fault 0 of %s) does not pass %s: %s",
            r->config, killer, said);
    free(said);
    return false;
  }
  r->baseline[k] = seconds > 0.001 ? seconds : 0.001;
  printf("  %-6s fault 0 (none) passes in %5.1f s: %s\n", r->config, seconds, killer);
  return true;
}

/* Not noticed by a killer so far; one that never ends may be noticed by the next. */
static bool is_open(const fault *f) {
  return f->state == FAULT_OPEN || f->state == FAULT_ENDLESS;
}

/* A killer came to its end on a fault. False on an error. */
static bool take_ending(const runner *r, slot *s, ending how, double seconds, wf_error *err) {
  fault *f = s->fault;
  f->seconds += seconds;
  s->fault = NULL;
  if (how == ENDED_NO_PROGRAM) return cannot_run(r, s->killer, err);
  if (how == ENDED_LIMIT) f->state = FAULT_ENDLESS;
  if (how != ENDED_FAIL) return true;
  f->state = FAULT_KILLED;
  f->killer = s->killer;
  f->said = what_it_said(r, f->number);
  char *log = log_path(r, f->number);
  remove(log);
  free(log);
  return true;
}

static void tell(const runner *r, size_t done, size_t all) {
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r  %s: %zu of %zu ", r->config, done, all);
}

/* One killer on all faults of the list, from `next` on, that are open. */
static bool run_pass(const runner *r, unsigned killer, fault_list *list, size_t next, unsigned jobs,
                     wf_error *err) {
  slot slots[MAX_JOBS] = {{0}};
  size_t running = 0;
  bool ok = true;
  while (ok && (next < list->count || running)) {
    bool moved = false;
    for (unsigned i = 0; i < jobs && ok; i++) {
      slot *s = &slots[i];
      ending how;
      double seconds;
      while (!s->fault && next < list->count && !is_open(&list->items[next])) next++;
      if (!s->fault && next < list->count) {
        *s = (slot){.fault = &list->items[next++], .killer = killer};
        ok = start(r, s, s->fault->number, err);
        running++;
        moved = true;
      } else if (s->fault && ended(r, s, &how, &seconds)) {
        ok = take_ending(r, s, how, seconds, err);
        running--;
        moved = true;
        tell(r, next - running, list->count);
      }
    }
    if (!moved) nap();
  }
  for (unsigned i = 0; i < jobs && !ok; i++)
    if (slots[i].fault && slots[i].pid > 0) kill(-slots[i].pid, SIGKILL);
  return ok;
}

static size_t count_open(const fault_list *list, size_t first) {
  size_t n = 0;
  for (size_t i = first; i < list->count; i++) n += is_open(&list->items[i]);
  return n;
}

/* Each killer on what those before it left; it is not run at all where they left nothing. */
static bool run_all(runner *r, fault_list *list, size_t first, unsigned jobs, wf_error *err) {
  for (unsigned k = 0; k < r->unit->n_killers && count_open(list, first); k++)
    if (!measure_baseline(r, k, err) || !run_pass(r, k, list, first, jobs, err)) return false;
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
  for (size_t i = first; i < list->count; i++) {
    fault *f = &list->items[i];
    if (f->state == FAULT_OPEN) f->state = f->listed ? f->listed : FAULT_SURVIVED;
  }
  return true;
}

bool mutate_run(const mutate_unit *u, fault_list *list, size_t first, const char *build,
                const char *config, const char *library, unsigned jobs, wf_error *err) {
  runner r = {.unit = u, .build = build, .config = config};
  r.faults = wf_text("%s %s %s", u->unit, config, library);
  r.logs = wf_text("%s/mutate/%s/logs-%s", build, u->unit, config);
  mkdir(r.logs, 0777);
  if (jobs > MAX_JOBS) jobs = MAX_JOBS;
  const bool ok = run_all(&r, list, first, jobs ? jobs : 1, err);
  free(r.faults);
  free(r.logs);
  return ok;
}
