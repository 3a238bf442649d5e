/* The experiment as the files of tests/papers see it. */
#ifndef WF_PAPER_INSIDE_H
#define WF_PAPER_INSIDE_H

#include <stdint.h>

#include "tests/papers/paper.h"

/* One figure; see paper_note(). */
typedef struct paper_figure {
  char figure[24], quantity[96];
  double paper, ours, low, high;
  double least, most; /* over all orders of arbitration */
  unsigned orders;    /* those that gave a number */
  double turn;        /* where its claim turns (paper_turn); NAN: at no change */
  const char *unit, *why;
} paper_figure;

/* yes, no, or nothing to say */
typedef enum paper_verdict { PAPER_NO, PAPER_YES, PAPER_OPEN } paper_verdict;
/* The side of "no change" (1 for x, 0 for % and points; of other numbers `turn`) on which the
 * paper's number is, or near it if the paper's is within 2 %; where the paper has words only, the
 * band says them. */
paper_verdict paper_direction(const paper_figure *f);
/* Within 10 % of the paper's number, or 2 points of a percentage. */
paper_verdict paper_close(const paper_figure *f);
/* Close, and 1.00 would be as well: of a speedup near 1 closeness says little. */
paper_verdict paper_close_idle(const paper_figure *f);
paper_verdict paper_within(const paper_figure *f);
/* What stands behind ours: how far the orders go apart, or that one order alone was run. */
void paper_spread_text(char *text, size_t bytes, const paper *p, const paper_figure *f);

typedef struct paper_run {
  char name[96], *arguments;
  char *kept_as; /* the arguments in the store */
  uint64_t key;
  cJSON *result; /* NULL: not there yet */
} paper_run;

struct paper {
  const paper_unit *unit;
  const char *program, *out, *shared; /* build/warpfab, build/paper, folder of shared data */
  char **parts;                       /* that are wanted; none: all but extra ones */
  int n_parts;
  char file[128]; /* UNIT, or UNIT-PART for some parts */
  bool reporting;
  unsigned orders, order; /* of arbitration: how many, which one now; 0: the fabric's own */
  size_t n_seen;          /* rows of this order */
  paper_run *runs;
  size_t n_runs, n_missing, n_found; /* found: taken from the store */
  double here;                       /* seconds of the first order's runs, if all are made here */
  char *store_path;
  struct wf_store *store;
  struct wf_identity *identity;
  paper_figure *figures;
  size_t n_figures;
  paper_table **tables; /* as shown */
  size_t n_tables;
};

bool paper_runs_open(paper *p);
/* Runs what was asked for; false if one failed or was not verified. */
bool paper_runs_make(paper *p);
/* Of the results that are there: without a reference (traces, --ptx). */
size_t paper_unverified(const paper *p);
void paper_runs_close(paper *p);
/* Prints the rows and writes them as JSON; returns how many are outside their bands. */
size_t paper_report(const paper *p);
void paper_number_text(char *text, size_t bytes, double v, const char *unit);
/* How many rows have that verdict, and how many have any. */
typedef paper_verdict (*paper_judge)(const paper_figure *f);
size_t paper_count(const paper *p, paper_judge judge, paper_verdict verdict);
/* The median over rows of how far ours is from the paper's number, of 1; NAN: it has none. */
double paper_median_error(const paper *p);
void paper_cell_text(char *text, size_t bytes, const paper_table *t, int column, double v);
/* Rows of means under a table: names and values, at most one a group and one of all. */
enum { PAPER_MEANS = 8 };
typedef struct paper_mean_rows {
  int n;
  char names[PAPER_MEANS][40];
  double v[PAPER_MEANS][PAPER_COLUMNS];
} paper_mean_rows;
void paper_means(const paper_table *t, paper_mean_rows *rows);
void paper_tables_free(paper *p);
/* What stands for {KEY} in findings.md; false if nothing does. */
bool paper_fill(FILE *f, const paper *p, const char *key);
/* The text of findings with what stands for each; false, and said with the path, if something does
 * not. */
bool paper_fill_text(FILE *f, const paper *p, const char *text, const char *path);
/* The section of docs/results/UNIT.md; of some parts there is none, but of an extra part. */
bool paper_page(const paper *p);
/* Its last table: runs that are made again by tests/papers/spot.sh. */
void paper_put_spot(FILE *f, const paper *p);

#endif
