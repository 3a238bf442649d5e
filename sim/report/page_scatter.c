/* Many results against others: against a reference, or each against the first of its program and
 * graph; and figures of papers beside ours. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/report/axes.h"
#include "sim/report/page_internal.h"

enum { WIDTH = 640, HIGH = 460, FEWEST = 3 };

typedef struct pair {
  const wf_facts *ours, *theirs;
  size_t number; /* of ours */
} pair;
typedef struct pairs {
  pair *at;
  size_t n;
  const char *whose; /* theirs, for axes and tables */
} pairs;

/* ---- who belongs to whom ---- */

static bool is_about_reports(const char *key) {
  return !strncmp(key, "series.", 7) || !strncmp(key, "probe.", 6) || !strncmp(key, "timeline.", 9);
}

/* The settings of `of` are in the others, too. */
static bool settings_in(const cJSON *of, const cJSON *others) {
  const cJSON *item;
  cJSON_ArrayForEach(item, of) {
    const cJSON *other = cJSON_GetObjectItemCaseSensitive(others, item->string);
    if (!is_about_reports(item->string) && !cJSON_Compare(item, other, true)) return false;
  }
  return true;
}

/* What the reference does not say, it does not ask for: of hardware there is no `settings`. */
static bool same_item(const wf_facts *ours, const wf_facts *theirs, const char *key) {
  const cJSON *item = wf_facts_item(theirs, key);
  return !item || cJSON_Compare(item, wf_facts_item(ours, key), true);
}
static bool same_run(const wf_facts *ours, const wf_facts *theirs) {
  const cJSON *a = wf_facts_item(ours, "settings"), *b = wf_facts_item(theirs, "settings");
  for (const char *const *key = (const char *const[]){"app", "graph", "config", "units", "seed", 0};
       *key; key++)
    if (!same_item(ours, theirs, *key)) return false;
  return !b || (settings_in(a, b) && settings_in(b, a));
}

static pairs find_pairs(const wf_page_content *c) {
  pairs p = {.at = wf_calloc(c->n + 1, sizeof *p.at),
             .whose = c->n_reference ? "the reference" : "the first of its program and graph"};
  for (size_t i = 0; i < c->n; i++) {
    const wf_facts *theirs = NULL;
    for (size_t r = 0; !theirs && r < c->n_reference; r++)
      if (same_run(&c->facts[i], &c->reference[r])) theirs = &c->reference[r];
    if (!c->n_reference) theirs = wf_page_base(c->facts, i);
    if (theirs && theirs != &c->facts[i]) p.at[p.n++] = (pair){&c->facts[i], theirs, i};
  }
  return p;
}

/* ---- how near they are ---- */

typedef struct nearness {
  size_t n;
  double ratio, error, correlation; /* correlation: NAN where nothing varies */
} nearness;

static nearness compare(const pairs *p, const char *path) {
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  nearness of = {0};
  for (size_t i = 0; i < p->n; i++) {
    const double theirs = wf_facts_number(p->at[i].theirs, path),
                 ours = wf_facts_number(p->at[i].ours, path);
    if (!(theirs > 0) || !(ours > 0)) continue;
    const double a = log(theirs), b = log(ours);
    x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    of.error += fabs(ours / theirs - 1);
    of.n++;
  }
  const double n = (double)of.n, spread = (xx - x * x / n) * (yy - y * y / n);
  of.ratio = exp((y - x) / n);
  of.error /= n;
  of.correlation = spread > 1e-9 ? (xy - x * y / n) / sqrt(spread) : NAN;
  return of;
}

static void print_nearness(FILE *out, const pairs *p) {
  static const struct {
    const char *name, *path;
  } rows[] = {{"Cycles", "cycles"},
              {"Warp instructions", "warp_instructions"},
              {"L1 hit rate", "l1.hit_rate"},
              {"Crossbar flits", "noc.flits"},
              {"DRAM bytes read", "dram.read_bytes"},
              {"Energy", "energy_joules.total"}};
  wf_html_table(out, "How near: each result over the one it is compared with",
                (const char *const[]){"Quantity", "Pairs", "Mean ratio (geometric)",
                                      "Mean difference, %", "Correlation of logarithms", NULL},
                1);
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const nearness of = compare(p, rows[r].path);
    if (!of.n) continue;
    fprintf(out, "<tr><th scope=\"row\">%s</th>", rows[r].name);
    wf_html_cell(out, ":pairs", "%.0f", (double)of.n);
    wf_html_cell(out, ":pairs.ratio", "%.3f", of.ratio);
    wf_html_cell(out, ":pairs.error", "%.1f", 100 * of.error);
    if (isnan(of.correlation))
      fputs("<td>-</td>", out);
    else
      wf_html_cell(out, ":pairs.correlation", "%.3f", of.correlation);
    fputs("</tr>\n", out);
  }
  wf_html_table_end(out);
}

/* ---- pictures ---- */

static void begin_picture(FILE *out, const wf_axes *a, const char *title, const char *what) {
  fprintf(
      out,
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
      "<svg class=\"roof\" role=\"img\" viewBox=\"0 0 %d %d\"><title>%s</title><desc>%s</desc>\n",
      title, a->width, a->height, title, what);
  wf_axes_print(out, a);
}

/* Where ours is theirs. */
static void print_diagonal(FILE *out, const wf_axes *a) {
  fprintf(out, "<path class=\"limit\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", (double)WF_AXES_LEFT,
          (double)(a->height - WF_AXES_BELOW), (double)(a->width - WF_AXES_RIGHT),
          (double)WF_AXES_ABOVE);
}

static void print_cycles(FILE *out, const pairs *p) {
  char *title = wf_text("cycles of %s", p->whose);
  wf_axes a = wf_axes_log(WIDTH, HIGH, title, "cycles");
  for (size_t i = 0; i < p->n; i++) {
    wf_axes_widen(&a.x0, &a.x1, wf_facts_number(p->at[i].ours, "cycles"));
    wf_axes_widen(&a.x0, &a.x1, wf_facts_number(p->at[i].theirs, "cycles"));
  }
  wf_axes_close(&a);
  a.y0 = a.x0, a.y1 = a.x1; /* the same both ways */
  begin_picture(out, &a, "Cycles against cycles",
                "Each result by its cycles and those of what it is compared with; below the line "
                "it is faster. The numbers are those of the table of results.");
  print_diagonal(out, &a);
  for (size_t i = 0; i < p->n; i++) {
    const double x = wf_facts_number(p->at[i].theirs, "cycles"),
                 y = wf_facts_number(p->at[i].ours, "cycles");
    if (!(x > 0) || !(y > 0)) continue;
    fprintf(out, "<g data-result=\"%zu\"><title>", p->at[i].number);
    wf_html_print(out, "%s: %.0f cycles, %s: %.0f", p->at[i].ours->label, y, p->at[i].theirs->label,
                  x);
    fprintf(out, "</title><circle class=\"dot\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"", wf_axes_x(&a, x),
            wf_axes_y(&a, y));
    wf_html_mark(out, "cycles", y);
    fputs("/></g>\n", out);
  }
  fputs("</svg></div>\n", out);
  free(title);
}

bool wf_page_has_correlation(const wf_page_content *c) {
  pairs p = find_pairs(c);
  free(p.at);
  return c->n_reference || p.n >= FEWEST;
}

void wf_page_correlation(const wf_page *page, const wf_page_content *c) {
  pairs p = find_pairs(c);
  FILE *out = page->out;
  if (c->n_reference || p.n >= FEWEST) {
    wf_page_section(page, "correlation", "Correlation");
    fputs("<p>", out);
    wf_html_print(out, "%zu of %zu results have one to be compared with: ", p.n, c->n);
    fputs(c->n_reference ? "that of the reference with the same program, graph, machine, units, "
                           "settings and seed, as far as it names them.</p>\n"
                         : "the first of the same program and graph.</p>\n",
          out);
    if (p.n) {
      print_cycles(out, &p);
      print_nearness(out, &p);
    }
    wf_page_section_end(page);
  }
  free(p.at);
}

/* ---- papers ---- */

static double number(const cJSON *row, const char *key) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(row, key);
  return cJSON_IsNumber(v) && fabs(v->valuedouble) < 1e18 ? v->valuedouble : NAN;
}
static const char *text(const cJSON *row, const char *key) {
  const char *t = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, key));
  return t ? t : "";
}

static void print_value(FILE *out, const cJSON *row, unsigned i, const char *key) {
  const double v = number(row, key);
  char *path = wf_text("%u.%s", i, key);
  if (isnan(v))
    fputs("<td>-</td>", out);
  else
    wf_html_cell(out, path, !strcmp(text(row, "unit"), "x") ? "%.2f" : "%.3g", v);
  free(path);
}

static void print_verdict(FILE *out, const cJSON *row, const char *key, const char *no) {
  const cJSON *v = cJSON_GetObjectItemCaseSensitive(row, key);
  fprintf(out, "<td>%s</td>", cJSON_IsTrue(v) ? "yes" : cJSON_IsFalse(v) ? no : "-");
}

static void print_rows(FILE *out, const wf_figures *of) {
  const cJSON *row;
  unsigned i = 0;
  wf_html_table(out, "Each figure of the paper beside ours",
                (const char *const[]){"Figure", "Quantity", "Paper", "Ours", "Unit",
                                      "Same direction", "Close (10 %, 2 points)", "In its band",
                                      NULL},
                2);
  cJSON_ArrayForEach(row, of->rows) {
    fputs("<tr><th scope=\"row\">", out);
    wf_html_text(out, text(row, "figure"));
    fputs("</th><td class=\"text what\">", out);
    wf_html_text(out, text(row, "quantity"));
    if (*text(row, "why")) wf_html_print(out, " (%s)", text(row, "why"));
    fputs("</td>", out);
    print_value(out, row, i, "paper");
    print_value(out, row, i, "ours");
    fputs("<td>", out);
    wf_html_text(out, text(row, "unit"));
    fputs("</td>", out);
    print_verdict(out, row, "direction", "<strong>no</strong>");
    print_verdict(out, row, "close", "no");
    print_verdict(out, row, "within", "<strong>no</strong>");
    fputs("</tr>\n", out);
    i++;
  }
  wf_html_table_end(out);
}

static unsigned count(const cJSON *rows, const char *key, unsigned *of) {
  const cJSON *row;
  unsigned yes = 0;
  *of = 0;
  cJSON_ArrayForEach(row, rows) {
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(row, key);
    yes += cJSON_IsTrue(v);
    *of += cJSON_IsBool(v);
  }
  return yes;
}

static bool is_ratio(const cJSON *row) {
  return !strcmp(text(row, "unit"), "x") && number(row, "paper") > 0 && number(row, "ours") > 0;
}

/* Ratios near each other on linear axes, else on logarithmic ones; the same both ways. */
static wf_axes axes_of(double least, double most) {
  wf_axes a = wf_axes_log(WIDTH, HIGH, "ratio in the paper", "ratio here");
  if (most < 5 * least) {
    const double step = wf_axes_step(most - least, 6);
    a.logarithmic = false;
    a.x0 = step * floor(least / step - 0.5);
    a.x1 = step * ceil(most / step + 0.5);
  } else {
    wf_axes_widen(&a.x0, &a.x1, least);
    wf_axes_widen(&a.x0, &a.x1, most);
    wf_axes_close(&a);
  }
  a.y0 = a.x0, a.y1 = a.x1;
  return a;
}

static void print_ratio(FILE *out, const wf_axes *a, const cJSON *row, unsigned i) {
  const double x = number(row, "paper"), y = number(row, "ours");
  const bool close = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(row, "close"));
  char *path = wf_text("%u.ours", i);
  fputs("<g><title>", out);
  wf_html_print(out, "%s: %s: %.3g in the paper, %.3g here", text(row, "figure"),
                text(row, "quantity"), x, y);
  fprintf(out, "</title><circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"",
          close ? "dot" : "dot far", wf_axes_x(a, x), wf_axes_y(a, y));
  wf_html_mark(out, path, y);
  fputs("/></g>\n", out);
  free(path);
}

/* Of those that are ratios: paper against ours. */
static void print_ratios(FILE *out, const wf_figures *of) {
  const cJSON *row;
  double least = INFINITY, most = 0;
  unsigned n = 0, i = 0;
  cJSON_ArrayForEach(row, of->rows) {
    if (!is_ratio(row)) continue;
    least = fmin(least, fmin(number(row, "paper"), number(row, "ours")));
    most = fmax(most, fmax(number(row, "paper"), number(row, "ours")));
    n++;
  }
  if (n < FEWEST) return;
  const wf_axes a = axes_of(least, most);
  begin_picture(out, &a, "Ratios of the paper against ours",
                "Each figure of the table that is a ratio; on the line ours is the paper's.");
  print_diagonal(out, &a);
  cJSON_ArrayForEach(row, of->rows) {
    if (is_ratio(row)) print_ratio(out, &a, row, i);
    i++;
  }
  fputs("</svg></div>\n<p class=\"soft\">On the line ours is the paper's. Filled: close to it "
        "(10 %).</p>\n",
        out);
}

void wf_page_figures(const wf_page *page, const wf_figures *of) {
  FILE *out = page->out;
  unsigned directed, close, judged;
  const unsigned same = count(of->rows, "direction", &directed),
                 near = count(of->rows, "close", &close), in = count(of->rows, "within", &judged);
  char *title = wf_text("The paper's figures: %s", of->label);
  wf_page_section(page, "figures", title);
  free(title);
  fputs("<p>", out);
  wf_html_print(out,
                "%u of %u rows are in the paper's direction, %u of %u close to its number, %u "
                "of %u within the band that is right for ours.",
                same, directed, near, close, in, judged);
  fputs("</p>\n", out);
  print_ratios(out, of);
  print_rows(out, of);
  wf_page_section_end(page);
}
