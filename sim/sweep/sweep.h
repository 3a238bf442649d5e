/* Sweeps: a file of axes becomes points, each a run of `warpfab run`; what its store has already is
 * not run again. Engines: processes of this machine; GNU parallel over ssh; Slurm. */
#ifndef WF_SWEEP_H
#define WF_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/base/wf_error.h"
#include "sim/store/identity.h"
#include "sim/store/store.h"

typedef struct wf_sweep wf_sweep;

/* NULL and *err (code 2; file, line, value) for what is no sweep. */
wf_sweep *wf_sweep_read(const char *path, wf_error *err);
wf_sweep *wf_sweep_read_text(const char *name, const char *text, size_t bytes, wf_error *err);
void wf_sweep_destroy(wf_sweep *sweep); /* NULL is fine */

const char *
wf_sweep_store(const wf_sweep *sweep);           /* as the file says, or NAME.db beside NAME.ini */
uint64_t wf_sweep_points(const wf_sweep *sweep); /* 1 or more */
/* Arguments of `warpfab run` of a point: how many, in *words, for wf_identity_words_free(). */
size_t wf_sweep_words(const wf_sweep *sweep, uint64_t point, char ***words);
/* Line of the file with the key that a message of `warpfab run` about the point names; 0: none. */
int wf_sweep_line(const wf_sweep *sweep, uint64_t point, const char *message);

/* Points that stand for all: their number is below `limit`, or all are among them; each value of
 * each axis is in one, of long axes some. With `models`: one for each RTL that points need. The
 * caller frees. */
uint64_t *wf_sweep_some(const wf_sweep *sweep, size_t limit, size_t *n);
uint64_t *wf_sweep_of_models(const wf_sweep *sweep, size_t *n);

/* [slurm]: what is handed to sbatch, "--partition=x"; NULL behind the last. */
const char *wf_sweep_slurm(const wf_sweep *sweep, size_t index);

/* ---- running ---- */

typedef struct wf_sweep_job {
  const wf_sweep *sweep;
  const char *file;    /* the sweep's */
  const char *store;   /* of the results */
  const char *program; /* to be called with `run` */
  unsigned jobs;       /* processes at a time */
  bool retry;          /* points that failed, too */
} wf_sweep_job;

typedef struct wf_sweep_count {
  uint64_t points, there, failed_before; /* failed_before: of those there */
  uint64_t run, failed, stopped;         /* now; stopped: by others' signals, as if never begun */
  int signal;                            /* that ended it; 0: none */
} wf_sweep_count;

/* Of these points (NULL: of all), which are to be run, in order: those the store (NULL: there is
 * none) lacks, with `retry` those that failed, too. NULL and *err if the program cannot be read.
 * The caller frees. */
uint64_t *wf_sweep_missing(const wf_sweep_job *job, wf_store *store, const uint64_t *among,
                           size_t n_among, wf_sweep_count *count, size_t *n, wf_error *err);
/* Runs points by processes of this machine, which add themselves to the store. False and *err if
 * that could not be done at all; what failed is counted, and in the store. A signal (SIGINT,
 * SIGTERM, SIGHUP) ends the processes and is told in *count. */
bool wf_sweep_run_points(const wf_sweep_job *job, const uint64_t *points, size_t n,
                         wf_sweep_count *count, wf_error *err);
/* Builds the models of RTL that the points need, as many at a time. */
bool wf_sweep_build_models(const wf_sweep_job *job, wf_error *err);

/* ---- many machines: tasks of several points, each with a store of its own in STORE.parts ---- */

typedef struct wf_sweep_spread {
  wf_sweep_job job;
  unsigned points_per_task, at_once; /* at_once: tasks; 0: as many as there is room for */
  const char *hosts;                 /* of GNU parallel: --sshlogin */
} wf_sweep_spread;

/* Writes the plan of n points; how many tasks in *tasks. */
bool wf_sweep_parts_plan(const wf_sweep_spread *spread, const uint64_t *points, size_t n,
                         unsigned *tasks, wf_error *err);
/* Runs one task of the plan: what its store lacks. */
bool wf_sweep_task(const wf_sweep_spread *spread, unsigned task, wf_sweep_count *count,
                   wf_error *err);
/* Waits for tasks that still run: one goes on when the connection to it breaks. Says so once on
 * standard error. */
void wf_sweep_parts_wait(const wf_sweep_job *job);
/* Brings the tasks' runs into the store; how many in *added. */
bool wf_sweep_collect(const wf_sweep_job *job, uint64_t *added, wf_error *err);
/* The folder: its path, which the caller frees; its removal, without a word if there is none. */
char *wf_sweep_parts_path(const wf_sweep_job *job);
bool wf_sweep_parts_remove(const wf_sweep_job *job, wf_error *err);

bool wf_sweep_parallel(const wf_sweep_spread *spread, unsigned tasks, wf_error *err);
/* Submits: a job for the models, arrays of tasks, a job that collects. What it submitted is printed
 * to `out`. */
bool wf_sweep_slurm_submit(const wf_sweep_spread *spread, unsigned tasks, FILE *out, wf_error *err);
/* Jobs of the last submission that are still in the queue, "12 13", "" without any; the caller
 * frees. NULL and *err if the queue cannot be asked. */
char *wf_sweep_slurm_queue(const wf_sweep_job *job, wf_error *err);

#endif
