/* The way of memory accesses as a picture: SM, L1, crossbar, L2, DRAM, with what went between. */
#include <string.h>

#include "sim/report/page_internal.h"
#include "sim/units/registry.h"

enum { BOX = 140, GAP = 110, TOP = 16, HEIGHT = 112, STEP = BOX + GAP, COLUMNS = 5, UNIT = 30 };
typedef enum column { SM, L1, CROSSBAR, L2, DRAM } column;

typedef struct chart {
  FILE *out;
  const wf_facts *f;
  unsigned line[COLUMNS]; /* lines in each box */
} chart;

static void line(chart *c, column at, const char *key, const char *format, double value,
                 const char *after) {
  char text[WF_HTML_NUMBER_BYTES];
  wf_html_number(text, format, value);
  fprintf(c->out, "<text x=\"%d\" y=\"%u\"", at * STEP + BOX / 2, TOP + 46 + 18 * c->line[at]++);
  wf_html_mark(c->out, key, value);
  fprintf(c->out, ">%s %s</text>\n", text, after);
}

static void number(chart *c, column at, const char *key, const char *format, const char *after) {
  line(c, at, key, format, wf_facts_number(c->f, key), after);
}

static void box(chart *c, column at, const char *title) {
  fprintf(c->out,
          "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>"
          "<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n",
          at * STEP + 1, TOP, BOX - 2, HEIGHT, at * STEP + BOX / 2, TOP + 24, title);
}

/* Text between two boxes, above or below the arrows. */
static void between(chart *c, column left, int row, const char *key, const char *format,
                    double value, const char *after) {
  char text[WF_HTML_NUMBER_BYTES];
  wf_html_number(text, format, value);
  fprintf(c->out, "<text class=\"flow\" x=\"%d\" y=\"%d\"", left * STEP + BOX + GAP / 2,
          TOP + (row >= 0 ? 14 + 14 * row : 78 - 14 * row));
  wf_html_mark(c->out, key, value);
  fprintf(c->out, ">%s %s</text>\n", text, after);
}

static void flow(chart *c, column left, int row, const char *key, const char *after) {
  between(c, left, row, key, "%.0f", wf_facts_number(c->f, key), after);
}

static void arrow(chart *c, column left, bool back) {
  const int from = left * STEP + BOX + 6, to = (left + 1) * STEP - 6, y = TOP + (back ? 76 : 62);
  fprintf(c->out, "<path class=\"arrow\" d=\"M%d %dH%dm%d -4l%d 4l%d 4\"/>\n", back ? to : from, y,
          back ? from : to, back ? 6 : -6, back ? -6 : 6, back ? 6 : -6);
}

static void print_boxes(chart *c) {
  static const char *const titles[COLUMNS] = {"SMs", "L1", "Crossbar", "L2", "DRAM"};
  const wf_speed *s = c->f->speed;
  for (column at = SM; at <= DRAM; at++) box(c, at, titles[at]);
  const double l2 = wf_facts_number(c->f, "l2.reads") + wf_facts_number(c->f, "l2.writes") +
                    wf_facts_number(c->f, "l2.atomics"),
               rows = wf_facts_number(c->f, "dram.row_hits") +
                      wf_facts_number(c->f, "dram.row_misses");
  if (c->f->machine) line(c, SM, ":sms", "%.0f", c->f->config.n_sm, "SMs");
  line(c, SM, ":occupancy", "%.1f", 100 * wf_facts_number(c->f, "sm.occupancy"), "% of warp slots");
  number(c, SM, "ipc", "%.1f", "lanes a cycle");
  line(c, L1, ":l1.hit_rate", "%.1f", 100 * wf_facts_number(c->f, "l1.hit_rate"), "% of loads hit");
  if (c->f->machine) {
    line(c, L1, ":l1.share", "%.1f", 100 * s[WF_PART_L1].share, "% of peak");
    line(c, CROSSBAR, ":request.share", "%.1f", 100 * s[WF_PART_REQUEST].share, "% to the L2");
    line(c, CROSSBAR, ":reply.share", "%.1f", 100 * s[WF_PART_REPLY].share, "% to the SMs");
  }
  number(c, L1, "l1.stall_cycles", "%.0f", "stalls");
  number(c, CROSSBAR, "noc.stall_cycles", "%.0f", "stalls");
  line(c, L2, ":l2.hit_rate", "%.1f", l2 > 0 ? 100 * wf_facts_number(c->f, "l2.hits") / l2 : 0,
       "% hit");
  if (c->f->machine) line(c, L2, ":l2.share", "%.1f", 100 * s[WF_PART_L2].share, "% of peak");
  number(c, L2, "l2.writebacks", "%.0f", "write-backs");
  line(c, DRAM, ":dram.row_rate", "%.1f",
       rows > 0 ? 100 * wf_facts_number(c->f, "dram.row_hits") / rows : 0, "% row hits");
  line(c, DRAM, ":dram.share", "%.1f", 100 * s[WF_PART_DRAM].share, "% of peak");
  number(c, DRAM, "dram.gb_per_second", "%.2f", "GB/s");
}

static void print_flows(chart *c) {
  flow(c, SM, 0, "l1.accesses", "loads");
  flow(c, SM, 1, "l1.stores", "stores");
  flow(c, SM, 2, "l1.atomics", "atomics");
  flow(c, L1, 2, "noc.request_flits", "flits");
  flow(c, L1, -1, "noc.reply_flits", "flits");
  flow(c, CROSSBAR, 0, "l2.reads", "reads");
  flow(c, CROSSBAR, 1, "l2.writes", "writes");
  flow(c, CROSSBAR, 2, "l2.atomics", "atomics");
  between(c, L2, 2, ":dram.write_mb", "%.2f", 1e-6 * wf_facts_number(c->f, "dram.write_bytes"),
          "MB written");
  between(c, L2, -1, ":dram.read_mb", "%.2f", 1e-6 * wf_facts_number(c->f, "dram.read_bytes"),
          "MB read");
  if (c->f->machine && c->f->seconds > 0) {
    const double flit = 1e-9 * c->f->config.mem.flit_bytes / c->f->seconds;
    between(c, L1, 1, ":request.gb", "%.1f", flit * wf_facts_number(c->f, "noc.request_flits"),
            "GB/s");
    between(c, L1, -2, ":reply.gb", "%.1f", flit * wf_facts_number(c->f, "noc.reply_flits"),
            "GB/s");
  }
  for (column left = SM; left < DRAM; left++) {
    arrow(c, left, false);
    arrow(c, left, true);
  }
}

/* The columns that a unit sits at, as its class says. */
static unsigned seats_of(const char *name) {
  const wf_unit_class *cls = wf_unit_find(name, NULL);
  if (!cls) return 0;
  unsigned seats = 0;
  if (cls->l1 || cls->misses) seats |= 1u << L1;
  if (cls->caches || cls->receive) seats |= 1u << L2;
  if (cls->ops || cls->issue_stage || cls->dispatch || cls->preload || !seats) seats |= 1u << SM;
  return seats;
}

static unsigned print_units(chart *c, bool draw) {
  unsigned row[COLUMNS] = {0}, most = 0;
  const cJSON *name;
  cJSON_ArrayForEach(name, wf_facts_item(c->f, "units")) {
    if (!cJSON_IsString(name)) continue;
    const unsigned seats = seats_of(name->valuestring);
    for (column at = SM; at <= DRAM; at++) {
      if (!(seats >> at & 1)) continue;
      const int x = at * STEP + 15, y = TOP + HEIGHT + 12 + UNIT * (int)row[at]++;
      if (row[at] > most) most = row[at];
      if (!draw) continue;
      fprintf(c->out,
              "<path class=\"tie\" d=\"M%d %dv-12\"/><rect class=\"unit\" x=\"%d\" y=\"%d\" "
              "width=\"%d\" height=\"22\" rx=\"4\"/><text class=\"name\" x=\"%d\" y=\"%d\">",
              x + 55, y, x, y, BOX - 30, x + 55, y + 16);
      wf_html_print(c->out, "unit %s", name->valuestring);
      fputs("</text>\n", c->out);
    }
  }
  return most;
}

static void describe(const chart *c) {
  const wf_facts *f = c->f;
  wf_html_print(c->out,
                "From left to right: SMs, L1, crossbar, L2, DRAM. The L1 gets %.0f loads, %.0f "
                "stores and %.0f atomics and answers %.1f %% of the loads. %.0f flits go to the L2 "
                "and %.0f come back. The L2 gets %.0f reads, %.0f writes, %.0f atomics. DRAM reads "
                "%.2f MB and writes %.2f MB, %.1f %% of its peak.",
                wf_facts_number(f, "l1.accesses"), wf_facts_number(f, "l1.stores"),
                wf_facts_number(f, "l1.atomics"), 100 * wf_facts_number(f, "l1.hit_rate"),
                wf_facts_number(f, "noc.request_flits"), wf_facts_number(f, "noc.reply_flits"),
                wf_facts_number(f, "l2.reads"), wf_facts_number(f, "l2.writes"),
                wf_facts_number(f, "l2.atomics"), 1e-6 * wf_facts_number(f, "dram.read_bytes"),
                1e-6 * wf_facts_number(f, "dram.write_bytes"), 100 * f->speed[WF_PART_DRAM].share);
}

void wf_page_memory(const wf_page *page, const wf_facts *f) {
  chart c = {.out = page->out, .f = f};
  const unsigned units = print_units(&c, false);
  wf_page_section(page, "memory", "Memory chart");
  fprintf(page->out,
          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Memory chart\">\n"
          "<svg class=\"chart\" role=\"img\" aria-labelledby=\"r%u-mt r%u-md\" viewBox=\"0 0 %d "
          "%u\"><title id=\"r%u-mt\">Memory chart</title><desc id=\"r%u-md\">",
          page->number, page->number, DRAM * STEP + BOX, TOP + HEIGHT + 12 + UNIT * units,
          page->number, page->number);
  describe(&c);
  fputs("</desc>\n", page->out);
  print_boxes(&c);
  print_flows(&c);
  print_units(&c, true);
  fputs("</svg></div>\n", page->out);
  wf_page_section_end(page);
}
