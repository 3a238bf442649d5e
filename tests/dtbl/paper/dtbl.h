/* The experiments of the dynamic thread block launch paper (Wang, Acceleration and optimization of
 * dynamic parallelism for irregular applications on GPUs, chapter 4), figures 16 to 23. A figure is
 * made again until every run that it asks for is there; numbers that are not there yet are NAN. */
#ifndef WF_PAPER_DTBL_H
#define WF_PAPER_DTBL_H

#include <stdio.h>

#include "tests/papers/cache.h"

enum { DTBL_PAPER = 16, DTBL_APPS = 17, DTBL_MAX_COLUMNS = 8 };

/* Rows: the DTBL_PAPER of the paper's table 6, which means are over; then one of ours: a graph in
 * which all vertices have much the same degree, as the paper says of graph500. */
enum {
  DTBL_AMR,
  DTBL_BHT,
  DTBL_BFS_CITATION,
  DTBL_BFS_ROAD,
  DTBL_BFS_CAGE15,
  DTBL_CLR_CITATION,
  DTBL_CLR_GRAPH500,
  DTBL_CLR_CAGE15,
  DTBL_REGX_DARPA,
  DTBL_REGX_STRING,
  DTBL_PRE,
  DTBL_JOIN_UNIFORM,
  DTBL_JOIN_GAUSSIAN,
  DTBL_SSSP_CITATION,
  DTBL_SSSP_FLIGHT,
  DTBL_SSSP_CAGE15,
  DTBL_CLR_EVEN
};

typedef struct dtbl_app {
  const char *name,
      *arguments;      /* arguments: with %s for the folder of graphs where `instead` is given */
  const char *instead; /* without that folder */
} dtbl_app;
extern const dtbl_app dtbl_apps[DTBL_APPS];

typedef enum dtbl_form {
  DTBL_FLAT,
  DTBL_CDPI,
  DTBL_DTBLI,
  DTBL_CDP,
  DTBL_DTBL,
  DTBL_DTBLI_INF,
  DTBL_DTBL_INF,
  DTBL_FORMS
} dtbl_form; /* INF: by the GPU's own dispatcher, whose table of groups has no bound */
extern const char *const dtbl_form_names[DTBL_FORMS];

typedef struct dtbl_experiment {
  paper_cache cache;
  paper_report report;
  const char *out, *graphs;
  const char
      *unit; /* options that put the RTL in the dispatcher's place; "": the GPU's own dispatcher */
  bool forms, table; /* what is wanted: figures 16 to 22; 23 */
  bool reporting;    /* every run is there: figures may write */
} dtbl_experiment;

/* A number of an application's run in a form, with further options; NAN: not there yet. Ends the
 * program if the result has no such number. */
double dtbl_number(dtbl_experiment *e, int app, dtbl_form form, const char *options,
                   const char *path);
/* The same, or 0 where the result has no such number (launches, where none happened). */
double dtbl_number_or_0(dtbl_experiment *e, int app, dtbl_form form, const char *options,
                        const char *path);

/* Values of the applications by variant. */
typedef struct dtbl_table {
  const char *figure, *title;
  int columns;
  const char *names[DTBL_MAX_COLUMNS];   /* without blanks */
  double v[DTBL_APPS][DTBL_MAX_COLUMNS]; /* NAN: has none (or not yet) */
  bool arithmetic;                       /* means: else geometric */
} dtbl_table;

/* Of the rows that have a number. */
double dtbl_mean(const dtbl_table *t, int column);
/* While reporting: prints it with means and writes OUT/dtbl-FIGURE.dat. */
void dtbl_show(const dtbl_experiment *e, const dtbl_table *t);

void dtbl_figures(dtbl_experiment *e);

#endif
