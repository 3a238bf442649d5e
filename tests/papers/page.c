/* The figures' section of docs/results/UNIT.md: rows beside the paper, plots, findings.md. In the
 * findings stand, in place of numbers,
 *   {FIGURE: QUANTITY}        our number of that row; {paper FIGURE: QUANTITY}: the paper's
 *   {cell FILE: ROW, COLUMN}  a number of a table
 *   {table FILE}              a table, on a line of its own
 * and marks of scripts/figures, which stay as they are.
 * A part that is made only by its name (PART=...) has a section of its own, with its tables, or the
 * text of findings-PART.md. */
#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_file.h"
#include "sim/base/wf_page.h"
#include "sim/base/wf_text.h"
#include "tests/papers/inside.h"

enum { LIMIT = 1 << 20 };

/* Rows of neither paper nor band are for tables and findings. */
static bool is_beside(const paper_figure *r) {
  return isnan(r->paper) && paper_within(r) == PAPER_OPEN;
}

/* False: there are none. */
static bool put_rows(FILE *f, const paper *p) {
  static const char *const words[] = {"no", "yes", ""};
  size_t shown = 0;
  for (size_t i = 0; i < p->n_figures; i++) shown += !is_beside(&p->figures[i]);
  if (!shown) return false;
  fputs("| figure | quantity | paper | ours | direction | close | band |\n"
        "|---|---|---|---|---|---|---|\n",
        f);
  for (size_t i = 0; i < p->n_figures; i++) {
    const paper_figure *r = &p->figures[i];
    const paper_verdict within = paper_within(r);
    if (is_beside(r)) continue;
    char paper[24], ours[24], low[24], high[24], spread[40];
    paper_number_text(paper, sizeof paper, r->paper, r->unit);
    paper_number_text(ours, sizeof ours, r->ours, r->unit);
    paper_number_text(low, sizeof low, r->low, r->unit);
    paper_number_text(high, sizeof high, r->high, r->unit);
    fprintf(f, "| %s | %s | %s | %s %s", r->figure, r->quantity, paper, ours, r->unit);
    paper_spread_text(spread, sizeof spread, p, r);
    fprintf(f, "%s | %s | %s |", spread, words[paper_direction(r)], words[paper_close(r)]);
    if (within != PAPER_OPEN) fprintf(f, " %s .. %s", low, high);
    if (within == PAPER_NO)
      fprintf(f, ": **outside**%s%s", r->why ? ", " : "", r->why ? r->why : "");
    fputs(" |\n", f);
  }
  return true;
}

static void put_share(FILE *f, const paper *p, const char *what, paper_judge judge) {
  const size_t yes = paper_count(p, judge, PAPER_YES);
  fprintf(f, "%zu of %zu rows are %s", yes, yes + paper_count(p, judge, PAPER_NO), what);
}

/* Of rows with a number in the paper; what its words say of others is our reading. */
static void put_direction(FILE *f, const paper *p) {
  size_t with[2] = {0}, without[2] = {0};
  for (size_t i = 0; i < p->n_figures; i++) {
    const paper_verdict way = paper_direction(&p->figures[i]);
    if (way != PAPER_OPEN) (isnan(p->figures[i].paper) ? without : with)[way]++;
  }
  const size_t n_with = with[PAPER_NO] + with[PAPER_YES],
               n_without = without[PAPER_NO] + without[PAPER_YES];
  if (n_with)
    fprintf(f, "%zu of %zu rows with a number in the paper are in its direction", with[PAPER_YES],
            n_with);
  if (n_without)
    fprintf(f, "%s%zu of %zu %s in their bands", n_with ? ", " : "", without[PAPER_YES], n_without,
            n_with ? "others" : "rows without a number in the paper");
  if (n_with + n_without) fputs(".\n", f);
}

static void put_median(FILE *f, const paper *p) {
  const double error = paper_median_error(p);
  if (!isnan(error))
    fprintf(f, "The median row is %.0f %% away from the paper's number.\n", 100 * error);
}

/* Of a section whose rows have numbers in the paper. */
static void put_shares(FILE *f, const paper *p) {
  if (paper_count(p, paper_close, PAPER_OPEN) == p->n_figures) return;
  put_direction(f, p);
  put_share(f, p, "close to its number (10 %, or 2 points).\n", paper_close);
  put_median(f, p);
}

static void put_orders(FILE *f, const paper *p) {
  if (p->orders > 1)
    fprintf(
        f,
        "In brackets: the least and the most over %u orders of arbitration; without, they agree.\n",
        p->orders);
  else
    fputs("Of one order of arbitration; `ORDERS=3` adds how far each row goes over three.\n", f);
}

static void put_about(FILE *f, const paper *p) {
  fprintf(f,
          "## The paper's figures\n%s.\n`make paper-%s` made this from %zu runs, each of which "
          "verified its result",
          p->unit->title, p->unit->name, p->n_runs);
  const size_t unverified = paper_unverified(p);
  if (unverified)
    fprintf(f, ", but for %zu of traces or of kernels without a reference", unverified);
  fputs(".\n", f);
  put_orders(f, p);
  put_direction(f, p);
  put_share(f, p, "close to its number (10 %, or 2 points)", paper_close);
  const size_t idle = paper_count(p, paper_close_idle, PAPER_YES);
  if (idle) fprintf(f, "; %zu of them would be at 1.00, without any effect", idle);
  fputs(".\n", f);
  put_share(f, p, "within the bands that the target judges by; it exits with 1 if one is not.\n",
            paper_within);
  put_median(f, p);
  fputc('\n', f);
}

/* Those of extra parts, UNIT-PART.gp, stand in their sections. */
static bool of_extra_part(const paper *p, const char *plot) {
  for (const paper_part *part = p->unit->parts; part->name; part++) {
    char *name = wf_text("%s-%s.gp", p->unit->name, part->name);
    const bool is = part->extra && !strcmp(name, plot);
    free(name);
    if (is) return true;
  }
  return false;
}

static void put_plots(FILE *f, const paper *p) {
  glob_t plots = {0};
  char *pattern = wf_text("tests/%s/paper/%s*.gp", p->unit->name, p->file);
  if (glob(pattern, 0, NULL, &plots) == 0)
    for (size_t i = 0; i < plots.gl_pathc; i++) {
      const char *name = strrchr(plots.gl_pathv[i], '/') + 1;
      if (!p->n_parts && of_extra_part(p, name)) continue;
      fprintf(f, "\n![%.*s](%.*s.svg)\n", (int)strlen(name) - 3, name, (int)strlen(name) - 3, name);
    }
  globfree(&plots);
  free(pattern);
}

static const paper_table *table_of(const paper *p, const char *file, size_t n) {
  for (size_t i = 0; i < p->n_tables; i++)
    if (strlen(p->tables[i]->file) == n && !strncmp(p->tables[i]->file, file, n))
      return p->tables[i];
  return NULL;
}

static void put_line(FILE *f, const char *name, const paper_table *t, const double *v) {
  fprintf(f, "\n| %s |", name);
  for (int c = 0; c < t->columns; c++) {
    char text[32];
    paper_cell_text(text, sizeof text, t, c, v[c]);
    fprintf(f, " %s |", text);
  }
}

/* Without the end of its last line. */
static void put_table(FILE *f, const paper_table *t) {
  paper_mean_rows means;
  paper_means(t, &means);
  fprintf(f, "%s:\n\n| |", t->title);
  for (int c = 0; c < t->columns; c++) fprintf(f, " %s |", t->names[c]);
  fputs("\n|---|", f);
  for (int c = 0; c < t->columns; c++) fputs("---|", f);
  for (int r = 0; r < t->rows; r++) put_line(f, t->row_names[r], t, t->v[r]);
  for (int m = 0; m < means.n; m++) put_line(f, means.names[m], t, means.v[m]);
}

/* "FILE: ROW, COLUMN" */
static bool put_cell(FILE *f, const paper *p, const char *key) {
  const char *row = strstr(key, ": "), *column = row ? strstr(row, ", ") : NULL;
  const paper_table *t = column ? table_of(p, key, (size_t)(row - key)) : NULL;
  if (!t) return false;
  row += 2;
  paper_mean_rows means;
  paper_means(t, &means);
  int c = 0, r = 0;
  const size_t n = (size_t)(column - row);
  while (c < t->columns && strcmp(t->names[c], column + 2) != 0) c++;
  const int all = t->rows + means.n;
  const char *name = NULL;
  for (; r < all; r++) {
    name = r < t->rows ? t->row_names[r] : means.names[r - t->rows];
    if (strlen(name) == n && !strncmp(name, row, n)) break;
  }
  if (c == t->columns || r == all) return false;
  char text[32];
  paper_number_text(text, sizeof text, r < t->rows ? t->v[r][c] : means.v[r - t->rows][c], "x");
  return fputs(text, f) >= 0;
}

static bool put_row_number(FILE *f, const paper *p, const char *key) {
  const bool theirs = !strncmp(key, "paper ", 6);
  if (theirs) key += 6;
  for (size_t i = 0; i < p->n_figures; i++) {
    const paper_figure *r = &p->figures[i];
    const size_t n = strlen(r->figure);
    if (strncmp(key, r->figure, n) || strncmp(key + n, ": ", 2) || strcmp(key + n + 2, r->quantity))
      continue;
    char text[24];
    paper_number_text(text, sizeof text, theirs ? r->paper : r->ours, r->unit);
    return fputs(text, f) >= 0;
  }
  return false;
}

bool paper_fill(FILE *f, const paper *p, const char *key) {
  if (!strncmp(key, "table ", 6)) {
    const paper_table *t = table_of(p, key + 6, strlen(key + 6));
    if (t) return put_table(f, t), true;
  }
  return !strncmp(key, "cell ", 5) ? put_cell(f, p, key + 5) : put_row_number(f, p, key);
}

/* Whether a brace is that of a mark, <!-- NAME {...} -->, which scripts/figures fills. */
static bool of_mark(const char *text, const char *brace) {
  while (brace > text && (islower(brace[-1]) || brace[-1] == '_' || brace[-1] == ' ')) brace--;
  return brace - text >= 4 && !strncmp(brace - 4, "<!--", 4);
}

bool paper_fill_text(FILE *f, const paper *p, const char *text, const char *path) {
  const char *at = text;
  bool ok = true;
  while (ok && *at) {
    const size_t n = strcspn(at, "{"), length = strcspn(at + n, "}");
    fwrite(at, 1, n, f);
    at += n;
    if (!*at) break;
    char *key = wf_text("%.*s", (int)length - 1, at + 1);
    ok = at[length] && (of_mark(text, at) ? fprintf(f, "{%s}", key) > 0 : paper_fill(f, p, key));
    if (!ok) fprintf(stderr, "%s: no row, cell or table {%s}\n", path, key);
    free(key);
    at += length + 1;
  }
  return ok;
}

/* Text of the page, or of an extra part's section. *there: it has one. */
static bool put_findings(FILE *f, const paper *p, const paper_part *part, bool *there) {
  char *path = wf_text("tests/%s/paper/findings%s%s.md", p->unit->name, part ? "-" : "",
                       part ? part->name : "");
  size_t bytes;
  char *text = wf_file_read(path, LIMIT, &bytes, NULL);
  const bool ok = !text || paper_fill_text(f, p, text, path);
  *there = text;
  free(text);
  free(path);
  return ok;
}

static bool put_all(FILE *f, const paper *p) {
  put_about(f, p);
  put_rows(f, p);
  put_plots(f, p);
  fputc('\n', f);
  bool told;
  return put_findings(f, p, NULL, &told);
}

/* The extra part that alone was made; NULL: none. */
static const paper_part *extra_part(const paper *p) {
  const paper_part *part = p->unit->parts;
  while (part->name && (p->n_parts != 1 || strcmp(part->name, p->parts[0]) != 0)) part++;
  return part->name && part->extra ? part : NULL;
}

/* How far rows of tables go over the orders: what is a ratio, and no row beside the paper. */
static void put_spread(FILE *f, const paper *p) {
  size_t n = 0;
  for (size_t i = 0; i < p->n_figures; i++) {
    const paper_figure *r = &p->figures[i];
    if (!is_beside(r) || r->orders < 2) continue;
    if (!n++)
      fprintf(f,
              "\nOver %u orders of arbitration:\n\n| quantity | ours | least | most |\n"
              "|---|---|---|---|\n",
              p->orders);
    fprintf(f, "| %s | %.3f | %.3f | %.3f |\n", r->quantity, r->ours, r->least, r->most);
  }
}

/* Its text has its tables; without a text all of them. */
static bool put_extra(FILE *f, const paper *p, const paper_part *part) {
  bool told;
  fprintf(f, "## %s\n", part->what);
  put_orders(f, p);
  put_shares(f, p);
  fputc('\n', f);
  const bool rows = put_rows(f, p), ok = put_findings(f, p, part, &told);
  for (size_t i = 0; i < p->n_tables && !told; i++) {
    if (i || rows) fputc('\n', f);
    put_table(f, p->tables[i]);
    fputc('\n', f);
  }
  put_spread(f, p);
  put_plots(f, p);
  return ok;
}

bool paper_page(const paper *p) {
  const paper_part *extra = extra_part(p);
  if (p->n_parts && !extra) return true;
  char *text = NULL, *path = wf_text("docs/results/%s.md", p->unit->name),
       *command = wf_text("make paper-%s%s%s", p->unit->name, extra ? " PART=" : "",
                          extra ? extra->name : ""),
       *section = wf_text("figures%s%s", extra ? " " : "", extra ? extra->name : "");
  size_t bytes;
  wf_error err = {0};
  FILE *f = open_memstream(&text, &bytes);
  bool ok = extra ? put_extra(f, p, extra) : put_all(f, p);
  paper_put_spot(f, p);
  fclose(f);
  if (ok) {
    ok = wf_page_write(path, section, command, text, &err);
    printf("%s\n", ok ? path : err.text);
  }
  free(section);
  free(command);
  free(path);
  free(text);
  return ok;
}
