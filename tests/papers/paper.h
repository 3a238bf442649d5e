/* What the experiments of all papers share: runs that are kept, tables, rows beside the paper and
 * their judgement, the page in docs/results. A folder tests/UNIT/paper has the C files of one
 * program, which define `paper_this`, and optionally UNIT*.gp (plots) and findings.md (text of the
 * page); `make paper-UNIT` builds and runs it.
 *
 * A part is made again until every run that it asks for is there, with NAN for what is not there
 * yet; then once more, reporting: only then do rows and tables count. */
#ifndef WF_PAPER_H
#define WF_PAPER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct paper paper;

typedef struct paper_part {
  const char *name, *what;
  void (*make)(paper *p);
  bool extra; /* made only when it is named (PART=...) */
} paper_part;

typedef struct paper_unit {
  const char *name, *title;
  const paper_part *parts; /* ends with one without a name */
} paper_unit;
extern const paper_unit paper_this;

bool paper_reporting(const paper *p);
/* The first order of arbitration is on; in a further one (ORDERS=N) what costs too much may be NAN:
 * the rows that follow from it are of one order then, and say so. */
bool paper_first_order(const paper *p);
/* Ends the program: status 2 (bad input), message as printf does. */
void paper_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* ---- runs ---- */

/* Result of `warpfab run ARGUMENTS` (as printf does), of `warpfab ARGUMENTS` where these begin with
 * "acc ", of `warpfab cuda` where they end with "--cuda FILE"; NULL: not there yet, it is asked
 * for. label: part of its file's name. */
const cJSON *paper_result(paper *p, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A number by dotted path; NAN without a result. Ends the program if the result has none. */
double paper_number(const cJSON *result, const char *path);
double paper_number_or(const cJSON *result, const char *path, double otherwise);
/* Of the first order's runs: seconds of each, added up; seconds that they took here, so many at a
 * time, the compilation of models with them, or NAN where some were kept from before. */
typedef struct paper_time {
  double runs, here;
  int at_a_time;
} paper_time;
paper_time paper_time_of(const paper *p);
enum { PAPER_PATH = 512 };
/* Path of a file in the folder of shared data; false if it is not there. */
bool paper_shared(const paper *p, const char *file, char path[PAPER_PATH]);
/* Of a graph, or the generator that stands for it where the folder does not have it. */
void paper_graph(const paper *p, const char *file, const char *instead, char path[PAPER_PATH]);
/* build/NAME; build/paper/UNIT-NAME. */
void paper_built(const paper *p, const char *name, char path[PAPER_PATH]);
void paper_output(const paper *p, const char *name, char path[PAPER_PATH]);

/* ---- tables ---- */

/* Means are of numbers that are there. */
typedef enum paper_mean {
  PAPER_NO_MEAN,
  PAPER_GEOMETRIC,
  PAPER_ARITHMETIC,
  PAPER_HARMONIC
} paper_mean;
enum { PAPER_ROWS = 128, PAPER_COLUMNS = 24, PAPER_BESIDE = -1 };

typedef struct paper_table {
  const char *file; /* of its data: build/paper/UNIT-FILE.dat */
  const char *title;
  paper_mean mean;
  const char *const *groups; /* names of groups of rows, for means of each; NULL: one group, 0 */
  int rows, columns;
  char row_names[PAPER_ROWS][40];      /* without blanks */
  int group[PAPER_ROWS];               /* PAPER_BESIDE: in no mean */
  const char *names[PAPER_COLUMNS];    /* without blanks */
  double v[PAPER_ROWS][PAPER_COLUMNS]; /* NAN: has none */
} paper_table;

int paper_row(paper_table *t, int group, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int paper_column(paper_table *t, const char *name);
/* Of a column over the rows of groups low..high; over all rows that are in a mean. */
double paper_mean_of(const paper_table *t, int column, int low, int high);
double paper_mean_all(const paper_table *t, int column);
/* While reporting: prints it, writes its data for the plot, keeps it for the page. */
void paper_show(paper *p, const paper_table *t);
/* build/paper/UNIT-NAME.dat, for what is no table. */
FILE *paper_data(const paper *p, const char *name);

/* ---- best software ---- */

/* Cycles of the fastest software and of the paper's kernels, without the unit and with it. */
enum { PAPER_WITHOUT, PAPER_WITH, PAPER_SIDES };
typedef struct paper_best {
  double best[PAPER_SIDES], kernel[PAPER_SIDES];
} paper_best;
paper_best paper_best_none(void);
/* A candidate; NAN: there is none. */
void paper_best_try(paper_best *best, int side, double cycles);
/* Of t's rows, which have their names: fills in these columns, shows the table, notes what the unit
 * gains in each row. */
enum {
  PAPER_BEST_GAIN,
  PAPER_KERNEL_GAIN,
  PAPER_BEST_WITHOUT,
  PAPER_BEST_WITH,
  PAPER_KERNEL_WITHOUT,
  PAPER_KERNEL_WITH,
  PAPER_BEST_FASTER, /* best without the unit over the paper's kernel with it */
  PAPER_BEST_COLUMNS
};
void paper_best_table(paper *p, paper_table *t, const paper_best *rows);
/* Notes the means; paper: the gain that it claims. */
void paper_best_means(paper *p, const paper_table *t, double paper);

/* ---- rows beside the paper ---- */

/* One figure: the paper's value (NAN: it gives none), ours, the band in which ours is right
 * (NAN: open on that side). unit: "x" for ratios, "%", "pts", or "". While reporting. */
void paper_note(paper *p, const char *figure, double paper, double ours, double low, double high,
                const char *unit, const char *quantity, ...) __attribute__((format(printf, 8, 9)));
/* At which number the claim of the row noted last turns: a rate of more than a half, say. Rows in
 * "x" turn at 1, in % and pts at 0, others, without this, nowhere: they have no direction. */
void paper_turn(paper *p, double turn);
/* The finding that explains the row noted last, should it be outside its band; NULL: none is
 * known. It still counts as outside. */
void paper_why(paper *p, const char *why);

#endif
