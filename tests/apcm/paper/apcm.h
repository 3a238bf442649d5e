/* The experiments of the APCM paper (Koo et al., Access Pattern-Aware Cache Management), split in
 * files: runs with their cache, tables of applications by variants, figures. A figure's function is
 * called again until every run it asks for is there; numbers that are not there yet are NAN. */
#ifndef WF_PAPER_APCM_H
#define WF_PAPER_APCM_H

#include <stdio.h>

#include "tests/papers/cache.h"

enum { APCM_CS, APCM_CM, APCM_CI, APCM_CLASSES };
enum { APCM_APPS = 16, APCM_SENSITIVE = 10 }; /* CS and CM: the first ten */
enum { APCM_MAX_COLUMNS = 24, APCM_OPTIONS = 256 };

typedef struct apcm_app {
  const char *name, *input; /* further arguments, or a graph in the folder of graphs */
  const char *instead;      /* arguments without that folder; NULL: input is arguments */
  int class;
} apcm_app;
extern const apcm_app apcm_apps[APCM_APPS];

typedef struct apcm_experiment {
  paper_cache cache;
  paper_report report;
  const char *out, *graphs;
  bool reporting; /* every run is there: figures may write */
} apcm_experiment;

/* The run of an application with further options; asks for it if it is not there. */
double apcm_number(apcm_experiment *e, int app, const char *options, const char *path);
const cJSON *apcm_result(apcm_experiment *e, int app,
                         const char *options); /* NULL: not there yet */
double apcm_ipc(apcm_experiment *e, int app, const char *options);
/* Of n choices of options the one of most IPC; -1 while a run is not there. */
int apcm_best(apcm_experiment *e, int app, char options[][APCM_OPTIONS], int n);
/* Values of applications 0..apps-1 by variant. */
typedef struct apcm_table {
  const char *figure, *title;
  int apps, columns;
  const char *names[APCM_MAX_COLUMNS]; /* without blanks */
  double v[APCM_APPS][APCM_MAX_COLUMNS];
  bool arithmetic; /* means: else geometric */
} apcm_table;

void apcm_column(apcm_table *t, const char *name);
/* Mean of a column over classes low..high. */
double apcm_mean(const apcm_table *t, int column, int low, int high);
/* While reporting: prints it with means and writes OUT/apcm-FIGURE.dat; else does nothing. */
void apcm_show(const apcm_experiment *e, const apcm_table *t);

typedef struct apcm_part {
  const char *name, *figures;
  void (*make)(apcm_experiment *e);
} apcm_part;
extern const apcm_part apcm_parts[];
extern const size_t apcm_n_parts;

#endif
