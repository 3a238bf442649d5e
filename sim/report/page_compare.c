/* Results side by side, and where they stand between the two limits of the machine. */
#include <math.h>
#include <string.h>

#include "sim/report/axes.h"
#include "sim/report/page_internal.h"

typedef struct column {
  const char *title, *path, *format;
  double scale;
  bool ratio; /* a column with the ratio to the base follows */
} column;

static const column columns[] = {{"Cycles", "cycles", "%.0f", 1, true},
                                 {"Thread instr. a cycle", "ipc", "%.2f", 1, false},
                                 {"Occupancy, %", "sm.occupancy", "%.1f", 100, false},
                                 {"L1 hits, %", "l1.hit_rate", "%.1f", 100, false},
                                 {"Crossbar flits", "noc.flits", "%.0f", 1, true},
                                 {"DRAM read, MB", "dram.read_bytes", "%.2f", 1e-6, true},
                                 {"DRAM written, MB", "dram.write_bytes", "%.2f", 1e-6, false},
                                 {"Energy, mJ", "energy_joules.total", "%.3f", 1e3, true}};
enum { COLUMNS = sizeof columns / sizeof *columns };

const wf_facts *wf_page_base(const wf_facts *facts, size_t i) {
  size_t b = 0;
  while (strcmp(wf_facts_text(&facts[b], "app"), wf_facts_text(&facts[i], "app")) ||
         strcmp(wf_facts_text(&facts[b], "graph"), wf_facts_text(&facts[i], "graph")))
    b++;
  return &facts[b];
}

/* What was run, as far as the result says. */
static void print_what(FILE *out, const wf_facts *f) {
  const cJSON *item;
  const char *graph = wf_facts_text(f, "graph");
  wf_html_print(out, "%s%s%s, %s", wf_facts_text(f, "app"), *graph ? " on " : "", graph,
                wf_facts_text(f, "config"));
  cJSON_ArrayForEach(item, wf_facts_item(f, "units"))
      wf_html_print(out, ", unit %s", cJSON_IsString(item) ? item->valuestring : "?");
  cJSON_ArrayForEach(item, wf_facts_item(f, "settings"))
      wf_html_print(out, ", %s=%s", item->string, cJSON_IsString(item) ? item->valuestring : "?");
  if (wf_facts_number(f, "seed") > 1) wf_html_print(out, ", seed %.0f", wf_facts_number(f, "seed"));
}

static void print_row(FILE *out, const wf_facts *facts, size_t i) {
  const wf_facts *f = &facts[i], *base = wf_page_base(facts, i);
  fprintf(out, "<tr data-result=\"%zu\"><th scope=\"row\">", i);
  wf_html_print(out, "%zu. %s", i + 1, f->label);
  fputs("</th><td class=\"text what\">", out);
  print_what(out, f);
  fputs("</td>", out);
  for (unsigned c = 0; c < COLUMNS; c++) {
    const double v = wf_facts_number(f, columns[c].path),
                 of = wf_facts_number(base, columns[c].path);
    char text[WF_HTML_NUMBER_BYTES];
    wf_html_number(text, columns[c].format, v * columns[c].scale);
    fputs("<td", out);
    wf_html_mark(out, columns[c].path, v);
    fprintf(out, ">%s</td>", text);
    if (!columns[c].ratio) continue;
    if (f == base || !(of > 0))
      fputs("<td>-</td>", out);
    else
      wf_html_cell(out, ":ratio", "%.3f", v / of);
  }
  const cJSON *verified = wf_facts_item(f, "verified");
  fprintf(out, "<td>%s</td></tr>\n",
          cJSON_IsTrue(verified)    ? "yes"
          : cJSON_IsFalse(verified) ? "WRONG"
                                    : "-");
}

static void print_table(FILE *out, const wf_facts *facts, size_t n) {
  const char *titles[3 + 2 * COLUMNS + 1] = {"Result", "Program"};
  unsigned t = 2;
  for (unsigned c = 0; c < COLUMNS; c++) {
    titles[t++] = columns[c].title;
    if (columns[c].ratio) titles[t++] = "ratio";
  }
  titles[t] = "Verified";
  wf_html_table(out, "Results, and ratios to the first of the same program and graph", titles, 2);
  for (size_t i = 0; i < n; i++) print_row(out, facts, i);
  wf_html_table_end(out);
}

static void print_sentences(FILE *out, const wf_facts *facts, size_t n) {
  fputs("<ul>\n", out);
  for (size_t i = 1; i < n; i++) {
    const wf_facts *f = &facts[i], *base = wf_page_base(facts, i);
    const double cycles = wf_facts_number(f, "cycles"),
                 energy = wf_facts_number(base, "energy_joules.total");
    if (f == base || !(cycles > 0)) continue;
    fputs("<li>", out);
    wf_html_print(out, "%s is %.2f times as fast as %s", f->label,
                  wf_facts_number(base, "cycles") / cycles, base->label);
    if (energy > 0)
      wf_html_print(out, " and takes %.2f times its energy",
                    wf_facts_number(f, "energy_joules.total") / energy);
    fputs(".</li>\n", out);
  }
  fputs("</ul>\n", out);
}

/* ---- the roofline ---- */

enum { WIDTH = 640, HIGH = 340 };

static double intensity(const wf_facts *f) {
  const double bytes =
      wf_facts_number(f, "dram.read_bytes") + wf_facts_number(f, "dram.write_bytes");
  return bytes > 0 ? wf_facts_number(f, "warp_instructions") / bytes : 0;
}
static double rate(const wf_facts *f) {
  const double cycles = wf_facts_number(f, "cycles");
  return cycles > 0 ? wf_facts_number(f, "warp_instructions") / cycles : 0;
}

static void print_dots(FILE *out, const wf_axes *r, const wf_facts *facts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const wf_facts *f = &facts[i];
    if (!(intensity(f) > 0) || !(rate(f) > 0)) continue;
    const double x = wf_axes_x(r, intensity(f)), y = wf_axes_y(r, rate(f));
    fprintf(out, "<g data-result=\"%zu\"><title>", i);
    wf_html_print(out, "%s: %.4g instructions a byte, %.4g a cycle", f->label, intensity(f),
                  rate(f));
    fprintf(out, "</title><circle class=\"dot\" cx=\"%.2f\" cy=\"%.2f\" r=\"5\"", x, y);
    wf_html_mark(out, ":roof.rate", rate(f));
    fputs("/>", out);
    if (n <= WF_PAGE_DETAILED)
      fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%zu</text>",
              x > WIDTH - 60 ? x - 9 : x + 9, y + 4, x > WIDTH - 60 ? "end" : "start", i + 1);
    fputs("</g>\n", out);
  }
}

void wf_page_roof(const wf_page *page, const wf_facts *facts, size_t n) {
  const wf_gpu_config *c = &facts[0].config;
  FILE *out = page->out;
  if (!facts[0].machine) return;
  const double issue = (double)c->n_sm * c->schedulers,
               bytes = (double)c->mem.n_part * c->mem.dram_bus_bytes * c->mem.dram_beats_per_clock *
                       c->mem.dram_mhz / c->mem.core_mhz;
  wf_axes r =
      wf_axes_log(WIDTH, HIGH, "warp instructions a byte of DRAM", "warp instructions a cycle");
  wf_axes_widen(&r.x0, &r.x1, issue / bytes);
  wf_axes_widen(&r.y0, &r.y1, issue);
  for (size_t i = 0; i < n; i++) {
    wf_axes_widen(&r.x0, &r.x1, intensity(&facts[i]));
    wf_axes_widen(&r.y0, &r.y1, rate(&facts[i]));
  }
  wf_axes_close(&r);
  wf_page_section(page, "roof", "Roofline");
  fputs("<p>", out);
  wf_html_print(out,
                "The limits are those of the %s%s: %.0f warp instructions a "
                "cycle, and %.1f bytes a cycle of DRAM. A point far below both waits.",
                n > 1 ? "first result's machine, " : "machine, ",
                wf_facts_text(&facts[0], "config"), issue, bytes);
  fputs("</p>\n<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Roofline\">\n",
        out);
  fprintf(out,
          "<svg class=\"roof\" role=\"img\" viewBox=\"0 0 %d %d\"><title>Roofline</title>"
          "<desc>Each result by its warp instructions a byte of DRAM and a cycle; the numbers are "
          "those of the results in the table.</desc>\n",
          WIDTH, HIGH);
  wf_axes_print(out, &r);
  const double low = pow(10, r.x0), from = bytes * low, bottom = pow(10, r.y0);
  fprintf(out, "<path class=\"limit\" d=\"M%.1f %.1fL%.1f %.1fH%d\"/>\n",
          from < bottom ? wf_axes_x(&r, bottom / bytes) : wf_axes_x(&r, low),
          from < bottom ? wf_axes_y(&r, bottom) : wf_axes_y(&r, from), wf_axes_x(&r, issue / bytes),
          wf_axes_y(&r, issue), WIDTH - WF_AXES_RIGHT);
  print_dots(out, &r, facts, n);
  fputs("</svg></div>\n", out);
  wf_page_section_end(page);
}

void wf_page_compare(const wf_page *page, const wf_facts *facts, size_t n) {
  if (n < 2) return;
  wf_page_section(page, "compare", "Comparison");
  if (n <= WF_PAGE_DETAILED) print_sentences(page->out, facts, n);
  print_table(page->out, facts, n);
  if (n > WF_PAGE_DETAILED)
    fprintf(page->out, "<p>The first %d results have sections of their own.</p>\n",
            WF_PAGE_DETAILED);
  wf_page_section_end(page);
  wf_page_roof(page, facts, n);
}
