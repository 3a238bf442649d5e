/* The experiments of TELEPORT (Lashgar, chapter 7): figures 7.1, 7.3 to 7.7, table 7.3 and the
 * choices of section 7.5.3. A figure is made again until every run that it asks for is there;
 * numbers that are not there yet are NAN. */
#ifndef WF_PAPER_TELEPORT_H
#define WF_PAPER_TELEPORT_H

#include <stdio.h>

#include "tests/papers/cache.h"

enum { TELE_EDS, TELE_HSP, TELE_JAC, TELE_MMA, TELE_PTF, TELE_APPS };
/* TELE_ONE: the paper's unit: one controller, LRU; TELE_PORT: three, a third of the SMs each, and
 * buffers that keep what was not read yet. */
typedef enum tele_form { TELE_BASE, TELE_HAND, TELE_PORT, TELE_ONE, TELE_FORMS } tele_form;

typedef struct tele_app {
  const char *name, *title; /* of the application; in the paper */
} tele_app;
extern const tele_app tele_apps[TELE_APPS];
extern const char *const tele_form_names[TELE_FORMS];

typedef struct tele_experiment {
  paper_cache cache;
  paper_report report;
  const char *out,
      *lines;     /* folder of results; file of statements by kernel (teleport-lines.awk) */
  bool reporting; /* every run is there: figures may write */
} tele_experiment;

/* A number of an application's run in a form, with further options; NAN: not there yet. Ends the
 * program if the result has none. */
double tele_number(tele_experiment *e, int app, tele_form form, const char *options,
                   const char *path);

/* Values by row and column; rows are applications unless there are names for them. */
enum { TELE_MAX_ROWS = 64, TELE_MAX_COLUMNS = 10 };
typedef struct tele_table {
  const char *figure, *title;
  int rows, columns;
  const char *row_names[TELE_MAX_ROWS], *names[TELE_MAX_COLUMNS]; /* without blanks */
  double v[TELE_MAX_ROWS][TELE_MAX_COLUMNS];                      /* NAN: has none (or not yet) */
  bool mean; /* a last row of geometric means */
} tele_table;

/* An empty table with a row for each application. */
tele_table tele_table_of_apps(const char *figure, const char *title);
int tele_column(tele_table *t, const char *name);
double tele_mean(const tele_table *t, int column); /* geometric */
/* While reporting: prints it and writes OUT/teleport-FIGURE.dat. */
void tele_show(const tele_experiment *e, const tele_table *t);

#define TELE_NOTE(FIGURE, PAPER, OURS, LOW, HIGH, UNIT, ...)                                       \
  do {                                                                                             \
    if (e->reporting) paper_note(&e->report, FIGURE, PAPER, OURS, LOW, HIGH, UNIT, __VA_ARGS__);   \
  } while (0)
#define TELE_WHY(TEXT) (e->reporting ? paper_why(&e->report, TEXT) : (void)0)

void tele_figures(tele_experiment *e);  /* of runs: 7.1, 7.5 to 7.7, the choices; table 7.3 */
void tele_analysis(tele_experiment *e); /* of kernels: 7.3, 7.4 */

#endif
