/* Rows beside the paper: their judgement, as text and JSON. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_out.h"
#include "sim/base/wf_text.h"
#include "tests/papers/inside.h"

/* Rows come in the same order each time. */
static void widen(paper *p, double ours) {
  if (!p->reporting) return;
  paper_figure *f = &p->figures[p->n_seen++];
  f->least = fmin(f->least, ours); /* the other where one is NAN */
  f->most = fmax(f->most, ours);
  f->orders += !isnan(ours);
}

void paper_note(paper *p, const char *figure, double paper, double ours, double low, double high,
                const char *unit, const char *quantity, ...) {
  if (p->order) widen(p, ours);
  if (p->order || !p->reporting) return;
  p->figures = wf_realloc(p->figures, p->n_figures + 1, sizeof *p->figures);
  paper_figure *f = &p->figures[p->n_figures++];
  *f = (paper_figure){.paper = paper,
                      .ours = ours,
                      .least = ours,
                      .most = ours,
                      .orders = !isnan(ours),
                      .turn = NAN,
                      .low = low,
                      .high = high,
                      .unit = unit};
  snprintf(f->figure, sizeof f->figure, "%s", figure);
  va_list args;
  va_start(args, quantity);
  vsnprintf(f->quantity, sizeof f->quantity, quantity, args);
  va_end(args);
}

void paper_turn(paper *p, double turn) {
  if (p->reporting && !p->order) p->figures[p->n_figures - 1].turn = turn;
}

void paper_why(paper *p, const char *why) {
  if (p->reporting && !p->order) p->figures[p->n_figures - 1].why = why;
}

/* ---- judgement ---- */

static bool is_percent(const paper_figure *f) {
  return !strcmp(f->unit, "%") || !strcmp(f->unit, "pts");
}

paper_verdict paper_within(const paper_figure *f) {
  if (isnan(f->low) && isnan(f->high)) return PAPER_OPEN;
  return (isnan(f->low) || f->ours >= f->low) && (isnan(f->high) || f->ours <= f->high);
}

paper_verdict paper_close(const paper_figure *f) {
  if (isnan(f->paper)) return PAPER_OPEN;
  const double off = fabs(f->ours - f->paper);
  return off <= 0.1 * fabs(f->paper) || (is_percent(f) && off <= 2);
}

paper_verdict paper_close_idle(const paper_figure *f) {
  paper_figure none = *f;
  none.ours = 1;
  return strcmp(f->unit, "x") || isnan(f->paper) ? PAPER_OPEN
                                                 : paper_close(f) && paper_close(&none);
}

paper_verdict paper_direction(const paper_figure *f) {
  const bool percent = is_percent(f);
  if (isnan(f->paper)) return paper_within(f);
  const bool own = !isnan(f->turn);
  if (!own && !percent && strcmp(f->unit, "x")) return PAPER_OPEN;
  const double turn = own ? f->turn : !percent, theirs = f->paper - turn;
  if (!own && fabs(theirs) <= (percent ? 2 : 0.0201)) return paper_close(f);
  return (f->least - turn) * theirs > 0 && (f->most - turn) * theirs > 0;
}

size_t paper_count(const paper *p, paper_judge judge, paper_verdict verdict) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_figures; i++) n += judge(&p->figures[i]) == verdict;
  return n;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double paper_median_error(const paper *p) {
  double *errors = wf_calloc(p->n_figures + 1, sizeof *errors), median = NAN;
  size_t n = 0;
  for (size_t i = 0; i < p->n_figures; i++) {
    const paper_figure *f = &p->figures[i];
    if (!isnan(f->ours) && !isnan(f->paper) && fabs(f->paper) > 0)
      errors[n++] = fabs(f->ours / f->paper - 1);
  }
  qsort(errors, n, sizeof *errors, by_value);
  if (n) median = (errors[(n - 1) / 2] + errors[n / 2]) / 2;
  free(errors);
  return median;
}

/* ---- text and JSON ---- */

void paper_spread_text(char *text, size_t bytes, const paper *p, const paper_figure *f) {
  const char *format = strcmp(f->unit, "x") ? " (%.3g .. %.3g)" : " (%.3f .. %.3f)";
  *text = '\0';
  if (f->most > f->least)
    snprintf(text, bytes, format, f->least, f->most);
  else if (f->orders && f->orders < p->orders)
    snprintf(text, bytes, " (one order)");
}

void paper_number_text(char *text, size_t bytes, double v, const char *unit) {
  if (isnan(v))
    snprintf(text, bytes, "-");
  else
    snprintf(text, bytes, fabs(v) >= 1000 ? "%.0f" : !strcmp(unit, "x") ? "%.2f" : "%.3g", v);
}

static const char *word(paper_verdict v) {
  return (const char *const[]){"no", "yes", "-"}[v];
}

static void print_figure(const paper *p, const paper_figure *f) {
  char paper[24], ours[24], low[24], high[24], spread[40];
  paper_number_text(paper, sizeof paper, f->paper, f->unit);
  paper_number_text(ours, sizeof ours, f->ours, f->unit);
  paper_number_text(low, sizeof low, f->low, f->unit);
  paper_number_text(high, sizeof high, f->high, f->unit);
  printf("%-16s %-58s %8s %8s %-3s %9s %5s", f->figure, f->quantity, paper, ours, f->unit,
         word(paper_direction(f)), word(paper_close(f)));
  paper_spread_text(spread, sizeof spread, p, f);
  printf("%s", spread);
  const paper_verdict within = paper_within(f);
  if (within != PAPER_OPEN)
    printf(" %7s .. %-7s %s", low, high, within == PAPER_YES ? "within" : "OUTSIDE");
  if (within == PAPER_NO && f->why) printf(": %s", f->why);
  putchar('\n');
}

static void add_number(cJSON *o, const char *key, double v) {
  cJSON_AddItemToObject(o, key, isnan(v) ? cJSON_CreateNull() : cJSON_CreateNumber(v));
}

static void add_verdict(cJSON *o, const char *key, paper_verdict v) {
  cJSON_AddItemToObject(o, key, v == PAPER_OPEN ? cJSON_CreateNull() : cJSON_CreateBool(v));
}

static cJSON *figure_json(const paper_figure *f) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, "figure", f->figure);
  cJSON_AddStringToObject(o, "quantity", f->quantity);
  add_number(o, "paper", f->paper);
  add_number(o, "ours", f->ours);
  add_number(o, "least", f->least);
  add_number(o, "most", f->most);
  cJSON_AddStringToObject(o, "unit", f->unit);
  add_verdict(o, "direction", paper_direction(f));
  add_verdict(o, "close", paper_close(f));
  add_number(o, "low", f->low);
  add_number(o, "high", f->high);
  add_verdict(o, "within", paper_within(f));
  if (paper_within(f) == PAPER_NO && f->why) cJSON_AddStringToObject(o, "why", f->why);
  return o;
}

static bool write_json(const paper *p, const char *path) {
  wf_error err = {0};
  cJSON *all = cJSON_CreateArray();
  for (size_t i = 0; i < p->n_figures; i++) cJSON_AddItemToArray(all, figure_json(&p->figures[i]));
  const bool ok = wf_json_save(path, all, &err);
  if (!ok) fprintf(stderr, "%s\n", err.text);
  cJSON_Delete(all);
  return ok;
}

static void print_share(const paper *p, const char *what, paper_judge judge) {
  const size_t yes = paper_count(p, judge, PAPER_YES);
  printf("%zu of %zu %s; ", yes, yes + paper_count(p, judge, PAPER_NO), what);
}

size_t paper_report(const paper *p) {
  printf("\n%s: the paper beside ours\n%-16s %-58s %8s %8s %-3s %9s %5s  band\n", p->unit->title,
         "figure", "quantity", "paper", "ours", "", "direction", "close");
  for (size_t i = 0; i < p->n_figures; i++) print_figure(p, &p->figures[i]);
  char *path = wf_text("%s/%s.json", p->out, p->file);
  size_t outside = paper_count(p, paper_within, PAPER_NO);
  putchar('\n');
  print_share(p, "in the paper's direction", paper_direction);
  print_share(p, "close to its number", paper_close);
  printf("%zu outside their bands\n", outside);
  if (write_json(p, path))
    printf("%s written\n", path);
  else
    outside++;
  free(path);
  return outside;
}
