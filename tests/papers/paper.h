/* What the experiments of all papers share: runs of warpfab as jobs, figures judged by bands,
 * output as text and JSON. */
#ifndef WF_PAPER_H
#define WF_PAPER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One run: `warpfab run ARGUMENTS --json FILE`. */
typedef struct paper_job {
  char name[96];
  char arguments[512];
  cJSON *result; /* after paper_run(); NULL if it failed */
} paper_job;

/* Adds a job; args as in printf. Jobs stay where they are until all are added: refer by index. */
typedef struct paper_jobs {
  paper_job *jobs;
  size_t count;
  const char *program, *folder; /* build/warpfab, build/paper/runs */
  bool traces;                  /* runs of traces: nothing to verify */
} paper_jobs;

size_t paper_add(paper_jobs *jobs, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Runs them all, two at a time; false if one failed or was not verified (which are named; runs of
 * traces need not be). */
bool paper_run(paper_jobs *jobs);
void paper_free(paper_jobs *jobs);
/* A number of a job's result by dotted path; ends the program if it is not there. */
double paper_number(const paper_jobs *jobs, size_t job, const char *path);

/* FOLDER/PAPER-NAME.dat, for a plot; ends the program if it cannot be written. */
FILE *paper_data(const char *folder, const char *paper, const char *name);

/* One figure: the paper's value (NAN: it gives none), ours, and the band in which ours is right. */
typedef struct paper_figure {
  char figure[24], quantity[96];
  double paper, ours, low, high;
  const char *unit;
  const char *why; /* if it is outside: the finding that explains it; NULL: none is known */
} paper_figure;

typedef struct paper_report {
  paper_figure *figures;
  size_t count;
} paper_report;

/* low/high NAN: no band, for information. */
void paper_note(paper_report *r, const char *figure, double paper, double ours, double low,
                double high, const char *unit, const char *quantity, ...)
    __attribute__((format(printf, 8, 9)));
/* What explains the figure noted last, should it be outside its band. It still counts as outside.
 */
void paper_why(paper_report *r, const char *why);
/* Prints the table, writes FILE.json; returns the number of figures outside their bands. */
size_t paper_finish(const paper_report *r, const char *title, const char *json_path);

#endif
