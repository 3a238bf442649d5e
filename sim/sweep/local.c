/* Points as processes of this machine. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_clock.h"
#include "sim/base/wf_progress.h"
#include "sim/base/wf_text.h"
#include "sim/sweep/internal.h"
#include "sim/sweep/pool.h"

uint64_t *wf_sweep_missing(const wf_sweep_job *job, wf_store *store, const uint64_t *among,
                           size_t n_among, wf_sweep_count *count, size_t *n, wf_error *err) {
  wf_identity *identity = wf_identity_create(job->program, err);
  if (!identity) return NULL;
  const uint64_t all = among ? n_among : wf_sweep_points(job->sweep);
  uint64_t *points = wf_calloc(all + 1, sizeof *points);
  *count = (wf_sweep_count){.points = all};
  *n = 0;
  for (uint64_t i = 0; i < all; i++) {
    char **words;
    int exit;
    const size_t n_words = wf_sweep_words(job->sweep, among ? among[i] : i, &words);
    const bool there =
        store && wf_store_find(store, wf_identity_key(identity, words, n_words), &exit);
    wf_identity_words_free(words, n_words);
    if (there && exit) count->failed_before++;
    if (there && !(exit && job->retry))
      count->there++;
    else
      points[(*n)++] = among ? among[i] : i;
    if (wf_progress_due())
      wf_progress_line("looking for what is there: %" PRIu64 " of %" PRIu64 " points", i, all);
  }
  wf_identity_destroy(identity);
  wf_progress_clear();
  return points;
}

typedef struct work {
  const wf_sweep_job *job;
  const uint64_t *points;
  size_t n;
  wf_sweep_count *count;
  wf_store *store; /* for what the processes cannot say themselves */
  wf_identity *identity;
  double begin;
  bool models;
  char *failure; /* of a model: what was said first */
} work;

static char **words_of(void *user, size_t i) {
  const work *w = user;
  char **words, **all;
  const size_t n = wf_sweep_words(w->job->sweep, w->points[i], &words);
  all = wf_calloc(n + 5, sizeof *all);
  all[0] = wf_strdup(w->job->program);
  all[1] = wf_strdup("run");
  all[2] = wf_strdup(w->models ? "--models-only" : "--store");
  if (!w->models) all[3] = wf_strdup(w->job->store);
  memcpy(all + (w->models ? 3 : 4), words, n * sizeof *words);
  free(words);
  return all;
}

/* A run that was killed says nothing in the store: this does. */
static void tell_store(work *w, size_t i, const char *message) {
  char **words;
  wf_error err = {0};
  const size_t n = wf_sweep_words(w->job->sweep, w->points[i], &words);
  char *arguments = wf_identity_text(words, n);
  const wf_store_run run = {.arguments = arguments,
                            .key = wf_identity_key(w->identity, words, n),
                            .program = wf_identity_program(w->identity),
                            .rtl = wf_identity_rtl(w->identity, words, n),
                            .exit = WF_EXIT_WRONG,
                            .message = message};
  if (!wf_store_append(w->store, &run, &err)) {
    wf_progress_clear();
    fprintf(stderr, "sweep: %s\n", err.text);
  }
  free(arguments);
  wf_identity_words_free(words, n);
}

static const char *last_line(const char *said) {
  const char *at = said + strlen(said);
  while (at > said && at[-1] == '\n') at--;
  while (at > said && at[-1] != '\n' && at[-1] != '\r') at--;
  return at;
}

/* Somebody else wanted it to end: a queue that takes a task away ends its processes one by one, a
 * run perhaps before the sweep. If they are killed, the moment decides: a sweep that outlives it
 * has lost the run alone, to the kernel for want of memory as a rule, which is worth a row. */
static bool ended_by_others(int status) {
  const int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (by == SIGKILL) sleep(1);
  return by == SIGTERM || by == SIGINT || by == SIGHUP;
}

static void ended(void *user, size_t i, int status, const char *said) {
  work *w = user;
  if (ended_by_others(status)) {
    w->count->stopped++;
    return;
  }
  w->count->run++;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  w->count->failed++;
  if (w->models) {
    if (!w->failure) w->failure = wf_strdup(*said ? said : "no word of why");
  } else if (WIFSIGNALED(status)) {
    char *message =
        wf_text("ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    tell_store(w, i, message);
    free(message);
  } else if (WEXITSTATUS(status) > WF_EXIT_HANG) {
    char *message = wf_text("exit code %d: %.500s", WEXITSTATUS(status), last_line(said));
    tell_store(w, i, message);
    free(message);
  }
}

static void show(void *user) {
  const work *w = user;
  char left[WF_DURATION_BYTES] = "";
  if (!wf_progress_due()) return;
  const double now = wf_clock_seconds() - w->begin, done = (double)w->count->run;
  wf_left_text(left, done / (double)w->n, now);
  if (w->models)
    wf_progress_line("models: %" PRIu64 " of %zu%s", w->count->run, w->n, left);
  else
    wf_progress_line("%" PRIu64 " of %zu points, %" PRIu64 " failed, %.3g a second%s",
                     w->count->run, w->n, w->count->failed, now > 0 ? done / now : 0, left);
}

static bool run_pool(work *w, wf_error *err) {
  const sweep_pool pool = {
      .jobs = w->job->jobs, .n = w->n, .words = words_of, .ended = ended, .show = show, .user = w};
  w->begin = wf_clock_seconds();
  const int result = sweep_pool_run(&pool);
  wf_progress_clear();
  if (result > 0) w->count->signal = result;
  return result >= 0 ||
         wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: no process can be started: %s", strerror(errno));
}

bool wf_sweep_run_points(const wf_sweep_job *job, const uint64_t *points, size_t n,
                         wf_sweep_count *count, wf_error *err) {
  work w = {.job = job, .points = points, .n = n, .count = count};
  w.store = wf_store_open(job->store, WF_STORE_APPEND, err);
  w.identity = w.store ? wf_identity_create(job->program, err) : NULL;
  const bool ok = w.identity && run_pool(&w, err);
  wf_identity_destroy(w.identity);
  wf_store_close(w.store);
  return ok;
}

bool wf_sweep_build_models(const wf_sweep_job *job, wf_error *err) {
  wf_sweep_count count = {0};
  work w = {.job = job, .count = &count, .models = true};
  uint64_t *points = wf_sweep_of_models(job->sweep, &w.n);
  w.points = points;
  bool ok = !w.n || run_pool(&w, err);
  if (ok && w.failure)
    ok = wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: a model cannot be built: %.900s", w.failure);
  if (ok && (count.signal || count.stopped))
    ok = wf_fail(err, WF_EXIT_BAD_INPUT, "sweep: interrupted while models were built");
  free(w.failure);
  free(points);
  return ok;
}
