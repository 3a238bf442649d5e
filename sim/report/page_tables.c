/* Bars of parts, and the tables of kernels, loads and units. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/base/wf_text.h"
#include "sim/report/page_internal.h"

static double get(const cJSON *o, const char *key) {
  const cJSON *n = cJSON_GetObjectItemCaseSensitive(o, key);
  return cJSON_IsNumber(n) ? n->valuedouble : 0;
}

static const char *text_of(const cJSON *o, const char *key) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, key));
  return text ? text : "";
}

/* ---- parts of a whole ---- */

void wf_stack_add(wf_stack *s, const char *name, const char *path, double value) {
  if (s->n < WF_PIECES_MAX) s->piece[s->n++] = (wf_piece){name, path, value};
}

static int by_value(const void *a, const void *b) {
  const double x = ((const wf_piece *)a)->value, y = ((const wf_piece *)b)->value;
  return (x < y) - (x > y);
}

static void print_pieces(FILE *out, const wf_stack *s, double total) {
  fputs("<svg class=\"stack\" role=\"img\" width=\"100%\" height=\"34\"><title>", out);
  wf_html_text(out, s->title);
  fputs("</title><desc>", out);
  for (unsigned i = 0; i < s->n; i++)
    if (s->piece[i].value > 0)
      wf_html_print(out, "%s%s %.1f %%", i ? ", " : "", s->piece[i].name,
                    100 * s->piece[i].value / total);
  fputs("</desc>\n", out);
  double x = 0;
  for (unsigned i = 0; i < s->n; i++) {
    const double width = 100 * s->piece[i].value / total;
    if (!(width > 0)) continue;
    char *key = wf_text(":share.%s", s->piece[i].path);
    fprintf(out, "<rect class=\"piece k%u\" x=\"%.4f%%\" width=\"%.4f%%\" height=\"34\"", i % 8, x,
            width);
    wf_html_mark(out, key, width);
    fputs("/>", out);
    if (width >= 3) fprintf(out, "<text x=\"%.4f%%\" y=\"22\">%c</text>", x + width / 2, 'A' + i);
    fputc('\n', out);
    free(key);
    x += width;
  }
  fputs("</svg>\n", out);
}

void wf_stack_print(const wf_page *page, wf_stack *s) {
  double total = 0;
  FILE *out = page->out;
  qsort(s->piece, s->n, sizeof *s->piece, by_value);
  for (unsigned i = 0; i < s->n; i++) total += s->piece[i].value;
  if (!(total > 0)) return;
  print_pieces(out, s, total);
  wf_html_table(out, s->title, (const char *const[]){"Key", s->what, s->unit, "Share, %", NULL}, 2);
  for (unsigned i = 0; i < s->n; i++) {
    if (!(s->piece[i].value > 0)) continue;
    char number[WF_HTML_NUMBER_BYTES];
    wf_html_number(number, s->format, s->piece[i].value * s->scale);
    fprintf(out, "<tr><td class=\"text\"><span class=\"key k%u\">%c</span></td><th scope=\"row\">",
            i % 8, 'A' + i);
    wf_html_text(out, s->piece[i].name);
    fputs("</th><td", out);
    wf_html_mark(out, s->piece[i].path, s->piece[i].value);
    fprintf(out, ">%s</td><td>%.1f</td></tr>\n", number, 100 * s->piece[i].value / total);
  }
  wf_html_table_end(out);
}

/* ---- kernels ---- */

typedef struct kernel_sum {
  const char *name;
  double launches, cycles, instructions, threads, blocks, block, fit, registers;
} kernel_sum;

static int by_cycles(const void *a, const void *b) {
  const double x = ((const kernel_sum *)a)->cycles, y = ((const kernel_sum *)b)->cycles;
  return (x < y) - (x > y);
}

/* Launches of one name together. */
static size_t sum_kernels(const cJSON *kernels, kernel_sum *sums) {
  size_t n = 0, i;
  const cJSON *k;
  cJSON_ArrayForEach(k, kernels) {
    const char *name = text_of(k, "name");
    for (i = 0; i < n && strcmp(sums[i].name, name); i++) continue;
    if (i == n) sums[n++] = (kernel_sum){.name = name};
    kernel_sum *s = &sums[i];
    s->launches++;
    s->cycles += get(k, "cycles");
    s->instructions += get(k, "warp_instructions");
    s->threads += get(k, "thread_instructions");
    s->blocks += wf_facts_product(k, "grid");
    s->block = wf_facts_product(k, "block");
    s->fit = get(k, "ctas_per_sm");
    s->registers = get(k, "registers");
  }
  qsort(sums, n, sizeof *sums, by_cycles);
  return n;
}

void wf_page_kernels(const wf_page *page, const wf_facts *f) {
  static const char *const columns[] = {"Kernel",
                                        "Launches",
                                        "Cycles",
                                        "Share, %",
                                        "Warp instructions",
                                        "Lanes an instr.",
                                        "Instr./cycle",
                                        "Blocks",
                                        "Threads a block",
                                        "Blocks an SM",
                                        "Registers",
                                        NULL};
  const cJSON *kernels = wf_facts_item(f, "kernels");
  const size_t launches = (size_t)cJSON_GetArraySize(kernels);
  const double cycles = wf_facts_number(f, "cycles");
  if (!launches) return;
  kernel_sum *sums = wf_calloc(launches, sizeof *sums);
  const size_t n = sum_kernels(kernels, sums);
  wf_page_section(page, "kernels", "Kernels");
  wf_html_table(page->out, "Kernels, launches of one name together; the longest first", columns, 1);
  for (size_t i = 0; i < n; i++) {
    const kernel_sum *s = &sums[i];
    fputs("<tr><th scope=\"row\">", page->out);
    wf_html_text(page->out, s->name);
    fputs("</th>", page->out);
    wf_html_cell(page->out, ":kernel.launches", "%.0f", s->launches);
    wf_html_cell(page->out, ":kernel.cycles", "%.0f", s->cycles);
    wf_html_cell(page->out, ":kernel.share", "%.1f", cycles > 0 ? 100 * s->cycles / cycles : 0);
    wf_html_cell(page->out, ":kernel.instructions", "%.0f", s->instructions);
    wf_html_cell(page->out, ":kernel.lanes", "%.1f",
                 s->instructions > 0 ? s->threads / s->instructions : 0);
    wf_html_cell(page->out, ":kernel.ipc", "%.2f", s->cycles > 0 ? s->instructions / s->cycles : 0);
    wf_html_cell(page->out, ":kernel.blocks", "%.0f", s->blocks);
    wf_html_cell(page->out, ":kernel.block", "%.0f", s->block);
    wf_html_cell(page->out, ":kernel.fit", "%.0f", s->fit);
    wf_html_cell(page->out, ":kernel.registers", "%.0f", s->registers);
    fputs("</tr>\n", page->out);
  }
  wf_html_table_end(page->out);
  wf_page_section_end(page);
  free(sums);
}

/* ---- loads ---- */

typedef struct load_column {
  const char *title, *key, *format;
} load_column;

static void print_loads(FILE *out, const char *caption, const char *path, const cJSON *loads,
                        const load_column *columns, unsigned n) {
  const char *titles[12] = {"Kernel", "Instruction"};
  for (unsigned c = 0; c < n; c++) titles[2 + c] = columns[c].title;
  wf_html_table(out, caption, titles, 2);
  const cJSON *l;
  unsigned row = 0;
  cJSON_ArrayForEach(l, loads) {
    fputs("<tr><th scope=\"row\">", out);
    wf_html_text(out, text_of(l, "kernel"));
    fputs("</th><td class=\"text\"><code>", out);
    wf_html_text(out, text_of(l, "text"));
    fputs("</code></td>", out);
    for (unsigned c = 0; c < n; c++) {
      char *key = wf_text("%s.%u.%s", path, row, columns[c].key);
      if (!strcmp(columns[c].key, "line")) { /* a number to look for, without commas */
        fputs("<td", out);
        wf_html_mark(out, key, get(l, "line"));
        fprintf(out, ">%.0f</td>", get(l, "line"));
      } else if (columns[c].format) {
        wf_html_cell(out, key, columns[c].format, get(l, columns[c].key));
      } else {
        fputs("<td>", out);
        wf_html_text(out, text_of(l, columns[c].key));
        fputs("</td>", out);
      }
      free(key);
    }
    fputs("</tr>\n", out);
    row++;
  }
  wf_html_table_end(out);
}

void wf_page_loads(const wf_page *page, const wf_facts *f) {
  static const load_column times[] = {{"PTX line", "line", "%.0f"},
                                      {"Loads", "loads", "%.0f"},
                                      {"Cycles a load", "cycles", "%.1f"},
                                      {"Cycles to first use", "wait", "%.1f"}};
  static const load_column treated[] = {
      {"PTX line", "line", "%.0f"},     {"Class", "class", NULL},
      {"Loads", "loads", "%.0f"},       {"Requests", "requests", "%.0f"},
      {"Bypassed", "bypassed", "%.0f"}, {"Protected", "protected", "%.0f"},
      {"Refused", "refused", "%.0f"}};
  const cJSON *loads = wf_facts_item(f, "loads"), *unit;
  wf_page_section(page, "loads", "Loads");
  bool any = cJSON_GetArraySize(loads) > 0;
  if (any) print_loads(page->out, "Load instructions", "loads", loads, times, 4);
  cJSON_ArrayForEach(unit, wf_facts_item(f, "unit")) {
    const cJSON *of = cJSON_GetObjectItemCaseSensitive(unit, "per_load");
    if (!cJSON_GetArraySize(of)) continue;
    char *path = wf_text("unit.%s.per_load", unit->string),
         *caption = wf_text("Load instructions, as unit %s treats them", unit->string);
    print_loads(page->out, caption, path, of, treated, 7);
    free(path);
    free(caption);
    any = true;
  }
  if (!any)
    fputs("<p>The result has none: <code>--set probe.loads=1</code> adds them.</p>\n", page->out);
  wf_page_section_end(page);
}

/* ---- units ---- */

void wf_page_units(const wf_page *page, const wf_facts *f) {
  const cJSON *units = wf_facts_item(f, "unit"), *unit, *counter;
  if (!cJSON_GetArraySize(units)) return;
  wf_page_section(page, "units", "Units");
  cJSON_ArrayForEach(unit, units) {
    char *caption = wf_text("Counters of unit %s", unit->string);
    wf_html_table(page->out, caption, (const char *const[]){"Counter", "Value", NULL}, 1);
    cJSON_ArrayForEach(counter, unit) {
      if (!cJSON_IsNumber(counter)) continue;
      char *key = wf_text("unit.%s.%s", unit->string, counter->string);
      fputs("<tr><th scope=\"row\">", page->out);
      wf_html_text(page->out, counter->string);
      fputs("</th>", page->out);
      wf_html_cell(page->out, key, "%.6g", counter->valuedouble);
      fputs("</tr>\n", page->out);
      free(key);
    }
    wf_html_table_end(page->out);
    free(caption);
  }
  wf_page_section_end(page);
}

/* ---- SMs' P-states ---- */

static void print_pstate(FILE *out, const cJSON *state, const char *path, double cycles) {
  static const char *const joules[] = {"events", "clock", "leakage"};
  char *key = wf_text("%s.cycles", path), text[WF_HTML_NUMBER_BYTES];
  fputs("<td", out);
  wf_html_mark(out, key, get(state, "cycles"));
  fprintf(out, ">%.1f</td>", cycles > 0 ? 100 * get(state, "cycles") / cycles : 0);
  free(key);
  key = wf_text("%s.entered", path);
  wf_html_cell(out, key, "%.0f", get(state, "entered"));
  free(key);
  for (unsigned i = 0; i < sizeof joules / sizeof *joules; i++) {
    key = wf_text("%s.%s", path, joules[i]);
    wf_html_number(text, "%.2f", 1e6 * get(state, joules[i]));
    fputs("<td", out);
    wf_html_mark(out, key, get(state, joules[i]));
    fprintf(out, ">%s</td>", text);
    free(key);
  }
}

void wf_page_pstates(const wf_page *page, const wf_facts *f) {
  static const char *const states[] = {"high", "between", "low"};
  const cJSON *low = cJSON_GetObjectItemCaseSensitive(wf_facts_item(f, "energy_joules"), "low"),
              *sms = cJSON_GetObjectItemCaseSensitive(low, "sms"), *sm;
  if (!cJSON_GetArraySize(sms)) return;
  wf_html_table(page->out,
                "SMs by P-state: at the higher voltage, on the way between the two, at the lower",
                (const char *const[]){"SM", "State", "Of its time, %", "Entered", "Events, uJ",
                                      "Clock, uJ", "Leakage, uJ", NULL},
                2);
  unsigned i = 0;
  cJSON_ArrayForEach(sm, sms) {
    for (unsigned s = 0; s < sizeof states / sizeof *states; s++) {
      char *path = wf_text("energy_joules.low.sms.%u.%s", i, states[s]);
      fprintf(page->out, "<tr><th scope=\"row\">%u</th><td class=\"text\">%s</td>", i, states[s]);
      print_pstate(page->out, cJSON_GetObjectItemCaseSensitive(sm, states[s]), path,
                   wf_facts_number(f, "cycles"));
      fputs("</tr>\n", page->out);
      free(path);
    }
    i++;
  }
  wf_html_table_end(page->out);
}
