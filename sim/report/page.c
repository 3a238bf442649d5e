#include "sim/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_text.h"
#include "sim/report/findings.h"
#include "sim/report/page_internal.h"

void wf_page_section(const wf_page *p, const char *id, const char *title) {
  fprintf(p->out, "<section aria-labelledby=\"r%u-%s\">\n<h%u id=\"r%u-%s\">", p->number, id,
          p->level, p->number, id);
  wf_html_text(p->out, title);
  fprintf(p->out, "</h%u>\n", p->level);
}

void wf_page_section_end(const wf_page *p) {
  fputs("</section>\n", p->out);
}

/* ---- the sections of a result ---- */

static void print_fact(FILE *out, const char *name, const char *key, const char *format,
                       double value, const char *unit) {
  char text[WF_HTML_NUMBER_BYTES];
  wf_html_number(text, format, value);
  fprintf(out, "<div><dt>%s</dt><dd", name);
  wf_html_mark(out, key, value);
  fprintf(out, ">%s%s</dd></div>\n", text, unit);
}

static void print_heading_facts(FILE *out, const wf_facts *f) {
  fputs("<dl>\n", out);
  print_fact(out, "Cycles", "cycles", "%.0f", wf_facts_number(f, "cycles"), "");
  if (f->machine) print_fact(out, "Time, modelled", ":ms", "%.3f", 1e3 * f->seconds, " ms");
  print_fact(out, "Warp instructions", "warp_instructions", "%.0f",
             wf_facts_number(f, "warp_instructions"), "");
  print_fact(out, "Thread instructions a cycle", "ipc", "%.2f", wf_facts_number(f, "ipc"), "");
  print_fact(out, "Energy", ":mj", "%.3f", 1e3 * wf_facts_number(f, "energy_joules.total"), " mJ");
  const cJSON *verified = wf_facts_item(f, "verified");
  fprintf(out, "<div><dt>Result</dt><dd>%s</dd></div>\n</dl>\n",
          cJSON_IsTrue(verified)    ? "verified"
          : cJSON_IsFalse(verified) ? "WRONG"
                                    : "not verified");
}

static void print_settings(FILE *out, const wf_facts *f) {
  const cJSON *item;
  fputs("<p class=\"soft\">", out);
  wf_html_print(out, "Machine %s; seed %.0f", wf_facts_text(f, "config"),
                wf_facts_number(f, "seed"));
  cJSON_ArrayForEach(item, wf_facts_item(f, "units"))
      wf_html_print(out, "; unit %s", cJSON_IsString(item) ? item->valuestring : "?");
  cJSON_ArrayForEach(item, wf_facts_item(f, "settings"))
      wf_html_print(out, "; %s=%s", item->string, cJSON_IsString(item) ? item->valuestring : "?");
  fputs(".</p>\n", out);
}

static void print_summary(const wf_page *p, const wf_facts *f) {
  wf_finding found[WF_FINDINGS_MAX];
  const unsigned n = wf_findings(f, found);
  wf_page_section(p, "summary", "Summary");
  print_heading_facts(p->out, f);
  print_settings(p->out, f);
  fputs("<ol class=\"found\">\n", p->out);
  for (unsigned i = 0; i < n; i++) {
    fputs("<li data-finding=\"", p->out);
    wf_html_text(p->out, found[i].id);
    fputs("\"><strong>", p->out);
    wf_html_print(p->out, "%s.", found[i].head);
    fputs("</strong> ", p->out);
    wf_html_print(p->out, "%s %s", found[i].text, found[i].advice);
    fputs("<small>", p->out);
    wf_html_print(p->out, "Said when: %s.", found[i].rule);
    fputs("</small></li>\n", p->out);
  }
  fputs("</ol>\n", p->out);
  wf_page_section_end(p);
}

static void print_speed(const wf_page *p, const wf_facts *f) {
  FILE *out = p->out;
  wf_page_section(p, "speed", "Speed of light");
  if (!f->machine) {
    fputs("<p>The machine is not known, so L1, crossbar and L2 have no peak here: ", out);
    wf_html_text(out, f->unknown.text);
    fputs(".</p>\n", out);
  }
  wf_html_table(
      out, "Share of what each part could do in the run's time",
      (const char *const[]){"Part", "0 to 100 %, and what is counted", "Of its peak, %", NULL}, 2);
  for (wf_part part = 0; part < WF_PARTS; part++) {
    const wf_speed *s = &f->speed[part];
    if (!(s->peak > 0)) continue;
    char *key = wf_text(":speed.%s", wf_part_key(part)),
         *label = wf_text("%s: %.1f %% of the peak", wf_part_name(part), 100 * s->share);
    fprintf(out, "<tr><th scope=\"row\">%s</th>", wf_part_name(part));
    fputs("<td class=\"wide\">", out);
    wf_html_bar(out, label, key, s->share);
    char done[WF_HTML_NUMBER_BYTES], peak[WF_HTML_NUMBER_BYTES];
    wf_html_number(done, "%.0f", s->done);
    wf_html_number(peak, "%.0f", s->peak);
    fprintf(out, "<small>%s of %s: %s</small></td><td>%.1f</td></tr>\n", done, peak,
            wf_part_what(part), 100 * s->share);
    free(key);
    free(label);
  }
  wf_html_table_end(out);
  wf_page_section_end(p);
}

/* The parts of an object of numbers, all but those named. */
static void print_parts(const wf_page *p, const cJSON *object, const char *path, wf_stack *stack,
                        const char *const *without) {
  char *paths[WF_PIECES_MAX];
  const cJSON *item;
  cJSON_ArrayForEach(item, object) {
    bool skip = !cJSON_IsNumber(item) || stack->n == WF_PIECES_MAX;
    for (const char *const *w = without; *w; w++) skip = skip || !strcmp(*w, item->string);
    if (skip) continue;
    paths[stack->n] = wf_text("%s.%s", path, item->string);
    wf_stack_add(stack, item->string, paths[stack->n], item->valuedouble);
  }
  const unsigned n = stack->n;
  wf_stack_print(p, stack);
  for (unsigned i = 0; i < n; i++) free(paths[i]);
}

static void print_schedulers(const wf_page *p, const wf_facts *f) {
  wf_stack stack = {.title = "What the schedulers' cycles went to",
                    .what = "Cause",
                    .unit = "Cycles",
                    .format = "%.0f",
                    .scale = 1};
  if (!(f->schedulers > 0)) return;
  wf_page_section(p, "schedulers", "Schedulers and stall reasons");
  fputs("<p>Each cycle of each scheduler is an issue or has one cause; together they are all "
        "cycles. <code>memory</code> and <code>dependency</code> wait for operands, "
        "<code>idle</code> has no warp.</p>\n",
        p->out);
  print_parts(p, cJSON_GetObjectItemCaseSensitive(wf_facts_item(f, "sm"), "scheduler_cycles"),
              "sm.scheduler_cycles", &stack, (const char *const[]){NULL});
  wf_page_section_end(p);
}

static void print_energy(const wf_page *p, const wf_facts *f) {
  wf_stack stack = {.title = "What the energy went to",
                    .what = "Part",
                    .unit = "mJ",
                    .format = "%.4f",
                    .scale = 1e3};
  const cJSON *energy = wf_facts_item(f, "energy_joules");
  if (!energy) return;
  wf_page_section(p, "energy", "Energy");
  fputs("<dl>\n", p->out);
  print_fact(p->out, "Total", ":mj", "%.3f", 1e3 * wf_facts_number(f, "energy_joules.total"),
             " mJ");
  print_fact(p->out, "Power", "energy_joules.watts", "%.1f",
             wf_facts_number(f, "energy_joules.watts"), " W");
  fputs("</dl>\n", p->out);
  print_parts(p, energy, "energy_joules", &stack, (const char *const[]){"total", "watts", NULL});
  wf_page_pstates(p, f);
  wf_page_section_end(p);
}

static void print_result(const wf_page *p, const wf_facts *f, bool alone) {
  print_summary(p, f);
  print_speed(p, f);
  if (alone) wf_page_roof(p, f, 1);
  wf_page_memory(p, f);
  print_schedulers(p, f);
  wf_page_series(p, f);
  wf_page_kernels(p, f);
  wf_page_loads(p, f);
  wf_page_units(p, f);
  print_energy(p, f);
}

/* ---- the page ---- */

enum { FIGURES = 1000 }; /* sections of papers are numbered from here on */

static void print_title(FILE *out, const wf_facts *f) {
  const char *graph = wf_facts_text(f, "graph");
  wf_html_print(out, "%s%s%s", wf_facts_text(f, "app"), *graph ? " on " : "", graph);
}

static void print_navigation(FILE *out, const wf_page_content *c) {
  const wf_facts *facts = c->facts;
  const size_t n = c->n;
  static const struct {
    const char *id, *title, *of; /* of: the item of the result that it is about */
  } links[] = {{"summary", "Summary", "app"},      {"speed", "Speed of light", "app"},
               {"roof", "Roofline", "config"},     {"memory", "Memory chart", "app"},
               {"schedulers", "Schedulers", "sm"}, {"series", "Over time", "app"},
               {"kernels", "Kernels", "kernels"},  {"loads", "Loads", "app"},
               {"units", "Units", "unit"},         {"energy", "Energy", "energy_joules"}};
  fputs("<nav aria-label=\"Sections\"><ul>\n", out);
  if (n > 1) fputs("<li><a href=\"#r0-compare\">Comparison</a></li>\n", out);
  if (wf_page_has_correlation(c))
    fputs("<li><a href=\"#r0-correlation\">Correlation</a></li>\n", out);
  for (size_t i = 0; n == 1 && i < sizeof links / sizeof *links; i++) {
    const cJSON *of = wf_facts_item(facts, links[i].of);
    if (cJSON_IsString(of) || (of && of->child))
      fprintf(out, "<li><a href=\"#r1-%s\">%s</a></li>\n", links[i].id, links[i].title);
  }
  for (size_t i = 0; n > 1 && i < n && i < WF_PAGE_DETAILED; i++) {
    fprintf(out, "<li><a href=\"#result%zu\">", i + 1);
    wf_html_text(out, facts[i].label);
    fputs("</a></li>\n", out);
  }
  for (size_t i = 0; i < c->n_figures; i++) {
    fprintf(out, "<li><a href=\"#r%zu-figures\">", FIGURES + i);
    wf_html_print(out, "The paper's figures: %s", c->figures[i].label);
    fputs("</a></li>\n", out);
  }
  fputs("</ul></nav>\n", out);
}

static void print_details(FILE *out, const wf_facts *facts, size_t n) {
  for (size_t i = 0; i < n && i < WF_PAGE_DETAILED; i++) {
    const wf_page p = {out, (unsigned)i + 1, n > 1 ? 3 : 2};
    fprintf(out, "<article data-result=\"%zu\" id=\"result%zu\">\n", i, i + 1);
    if (n > 1) {
      fputs("<h2>", out);
      wf_html_print(out, "%s: ", facts[i].label);
      print_title(out, &facts[i]);
      fputs("</h2>\n", out);
    }
    print_result(&p, &facts[i], n == 1);
    fputs("</article>\n", out);
  }
}

static bool any_series(const wf_facts *facts, size_t n) {
  for (size_t i = 0; i < n && i < WF_PAGE_DETAILED; i++)
    if (wf_page_has_series(&facts[i])) return true;
  return false;
}

static void print_heading(FILE *out, const wf_page_content *c) {
  if (c->n == 1)
    print_title(out, &c->facts[0]);
  else if (c->n)
    fprintf(out, "%zu results", c->n);
  else
    fputs("Papers' figures beside ours", out);
}

static void print_head(FILE *out, const wf_page_content *c, bool scripts) {
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>", out);
  print_heading(out, c);
  fputs(" - warpfab report</title>\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\"/>\n<meta "
        "http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
        "'unsafe-inline'\"/>\n<style>\n",
        out);
  if (scripts) fputs(wf_page_uplot_style, out);
  fputs(wf_page_style, out);
  fputs("</style>\n</head>\n<body>\n<header>\n<h1>", out);
  print_heading(out, c);
  fputs("</h1>\n<p class=\"soft\">", out);
  if (c->n == 1)
    wf_html_text(out, c->facts[0].label);
  else if (c->n)
    fputs("Ratios are to the first result of the same program and graph.", out);
  fputs("</p>\n</header>\n", out);
}

void wf_page_print(FILE *out, const wf_page_content *c) {
  const bool scripts = any_series(c->facts, c->n);
  print_head(out, c, scripts);
  print_navigation(out, c);
  fputs("<main>\n", out);
  wf_page_compare(&(wf_page){out, 0, 2}, c->facts, c->n);
  wf_page_correlation(&(wf_page){out, 0, 2}, c);
  print_details(out, c->facts, c->n);
  for (size_t i = 0; i < c->n_figures; i++)
    wf_page_figures(&(wf_page){out, (unsigned)(FIGURES + i), 2}, &c->figures[i]);
  fputs("</main>\n<footer><p class=\"soft\">Made by <code>warpfab report</code>.</p></footer>\n",
        out);
  if (scripts) wf_page_scripts(out);
  fputs("</body>\n</html>\n", out);
}
