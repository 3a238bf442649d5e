/* Tables: means, text, data for the plots. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "tests/papers/inside.h"

int paper_row(paper_table *t, int group, const char *format, ...) {
  va_list args;
  if (t->rows == PAPER_ROWS) paper_fail("table %s: more than %d rows", t->file, PAPER_ROWS);
  va_start(args, format);
  vsnprintf(t->row_names[t->rows], sizeof t->row_names[0], format, args);
  va_end(args);
  t->group[t->rows] = group;
  return t->rows++;
}

int paper_column(paper_table *t, const char *name) {
  if (t->columns == PAPER_COLUMNS)
    paper_fail("table %s: more than %d columns", t->file, PAPER_COLUMNS);
  t->names[t->columns] = name;
  return t->columns++;
}

double paper_mean_of(const paper_table *t, int column, int low, int high) {
  double sum = 0, n = 0;
  for (int r = 0; r < t->rows; r++) {
    const double v = t->v[r][column];
    if (t->group[r] < low || t->group[r] > high || isnan(v)) continue;
    sum += t->mean == PAPER_GEOMETRIC ? log(v) : t->mean == PAPER_HARMONIC ? 1 / v : v;
    n++;
  }
  if (n == 0) return NAN;
  return t->mean == PAPER_GEOMETRIC ? exp(sum / n) : t->mean == PAPER_HARMONIC ? n / sum : sum / n;
}

double paper_mean_all(const paper_table *t, int column) {
  return paper_mean_of(t, column, 0, PAPER_ROWS);
}

static bool has_group(const paper_table *t, int group) {
  for (int r = 0; r < t->rows; r++)
    if (t->group[r] == group) return true;
  return false;
}

static void add_mean(const paper_table *t, paper_mean_rows *rows, const char *name, int low,
                     int high) {
  snprintf(rows->names[rows->n], sizeof rows->names[0], "mean%s%s", *name ? "-" : "", name);
  for (int c = 0; c < t->columns; c++) rows->v[rows->n][c] = paper_mean_of(t, c, low, high);
  rows->n++;
}

void paper_means(const paper_table *t, paper_mean_rows *rows) {
  rows->n = 0;
  if (t->mean == PAPER_NO_MEAN) return;
  for (int g = 0; t->groups && g < PAPER_MEANS - 1 && t->groups[g]; g++)
    if (has_group(t, g)) add_mean(t, rows, t->groups[g], g, g);
  add_mean(t, rows, "", 0, PAPER_ROWS);
}

/* Numbers of a column are whole, or all have three places. */
void paper_cell_text(char *text, size_t bytes, const paper_table *t, int column, double v) {
  bool whole = true;
  for (int r = 0; r < t->rows; r++)
    whole = whole && (isnan(t->v[r][column]) || t->v[r][column] == floor(t->v[r][column]));
  if (isnan(v))
    snprintf(text, bytes, "-");
  else
    snprintf(text, bytes, fabs(v) >= 1000 || whole ? "%.0f" : "%.3f", v);
}

static void put_row(FILE *dat, const char *name, const paper_table *t, const double *v) {
  printf("\n  %-20s", name);
  fprintf(dat, "\n%s", name);
  for (int c = 0; c < t->columns; c++) {
    char text[32];
    paper_cell_text(text, sizeof text, t, c, v[c]);
    printf(" %10s", text);
    fprintf(dat, isnan(v[c]) ? " -" : " %.6g", v[c]);
  }
}

FILE *paper_data(const paper *p, const char *name) {
  char file[128], path[PAPER_PATH];
  snprintf(file, sizeof file, "%s.dat", name);
  paper_output(p, file, path);
  FILE *f = fopen(path, "w");
  if (!f) paper_fail("%s: cannot be written", path);
  return f;
}

void paper_show(paper *p, const paper_table *t) {
  if (!p->reporting || p->order) return;
  FILE *dat = paper_data(p, t->file);
  paper_mean_rows means;
  paper_means(t, &means);
  printf("\n%s\n  %-20s", t->title, "");
  fputs("row", dat);
  for (int c = 0; c < t->columns; c++) {
    printf(" %10s", t->names[c]);
    fprintf(dat, " %s", t->names[c]);
  }
  for (int r = 0; r < t->rows; r++) put_row(dat, t->row_names[r], t, t->v[r]);
  for (int m = 0; m < means.n; m++) put_row(dat, means.names[m], t, means.v[m]);
  putchar('\n');
  fputc('\n', dat);
  fclose(dat);
  p->tables = wf_realloc(p->tables, p->n_tables + 1, sizeof *p->tables);
  paper_table *copy = p->tables[p->n_tables++] = wf_calloc(1, sizeof *t);
  *copy = *t;
  copy->file = wf_text("%s", t->file);
  copy->title = wf_text("%s", t->title);
}

void paper_tables_free(paper *p) {
  for (size_t i = 0; i < p->n_tables; i++) {
    free((char *)p->tables[i]->file);
    free((char *)p->tables[i]->title);
    free(p->tables[i]);
  }
  free(p->tables);
}
