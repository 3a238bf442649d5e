/* A run over time: pictures in SVG, each with its numbers as JSON beside it, which the page's
 * script (page.js) gives to uPlot. Nothing but numbers and texts of this file gets there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wf_alloc.h"
#include "sim/report/axes.h"
#include "sim/report/page_internal.h"
#include "sim/report/series.h"

enum { WIDTH = 900, HEIGHT = 240, LINES = 3, KERNELS_MOST = 40 };

/* A line is counter / (of, or the interval's cycles) * scale. */
typedef struct line {
  const char *key, *name, *counter, *of;
} line;
typedef struct picture {
  const char *id, *title, *unit;
  double top; /* 0: as high as the values */
  line lines[LINES];
} picture;

static const picture pictures[] = {
    {"work",
     "Warps on the SMs, and what the schedulers did",
     "%",
     100,
     {{"occupancy", "warp slots taken", "occupied_warp_cycles", NULL},
      {"issue", "cycles with an issue", "issue", NULL},
      {"memory", "cycles that wait for memory", "memory", NULL}}},
    {"hits",
     "Hits in the caches",
     "%",
     100,
     {{"l1", "L1: of its loads", "l1_hits", "l1_accesses"},
      {"l2", "L2: of the SMs' requests", "l2_hits", "l2_accesses"}}},
    {"traffic",
     "Traffic",
     "GB/s",
     0,
     {{"dram", "DRAM", "dram_bytes", NULL}, {"crossbar", "crossbar", "flits", NULL}}},
    {"power", "Power", "W", 0, {{"watts", "of the GPU", "joules", NULL}}},
};

typedef struct drawing {
  const wf_page *page;
  const wf_facts *f;
  const cJSON *series;
  size_t n;
  double *end, *value[LINES]; /* value: NAN where there is none */
  unsigned lines;
  double begins[KERNELS_MOST];
  unsigned kernels;
} drawing;

/* n numbers of an array; what is none is NAN. */
static double *numbers(const cJSON *object, const char *key, size_t n) {
  double *v = wf_calloc(n, sizeof *v);
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  item = cJSON_IsArray(item) ? item->child : NULL;
  for (size_t i = 0; i < n; i++, item = item ? item->next : NULL)
    v[i] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
  return v;
}

/* What one core cycle's worth of a counter is in the line's unit. */
static double scale_of(const wf_facts *f, const line *l) {
  const wf_gpu_config *c = &f->config;
  const double hertz = 1e6 * c->mem.core_mhz, slots = (double)c->n_sm * c->warps_per_sm,
               schedulers = (double)c->n_sm * c->schedulers;
  if (l->of) return 100;
  if (!strcmp(l->counter, "occupied_warp_cycles")) return 100 / slots;
  if (!strcmp(l->counter, "dram_bytes")) return 1e-9 * hertz;
  if (!strcmp(l->counter, "flits")) return 1e-9 * hertz * c->mem.flit_bytes;
  return !strcmp(l->counter, "joules") ? hertz : 100 / schedulers;
}

static double *values(const drawing *d, const line *l) {
  double *v = numbers(d->series, l->counter, d->n),
         *of = l->of ? numbers(d->series, l->of, d->n) : NULL;
  const double scale = scale_of(d->f, l);
  for (size_t i = 0; i < d->n; i++) {
    v[i] *= scale / (of ? of[i] : d->end[i] - (i ? d->end[i - 1] : 0));
    if (!isfinite(v[i]) || v[i] < 0) v[i] = NAN;
  }
  free(of);
  return v;
}

/* ---- the picture ---- */

/* Steps: what an interval's mean is holds from its begin to its end. */
static void print_line(const drawing *d, const wf_axes *a, const picture *p, unsigned l) {
  FILE *out = d->page->out;
  bool on = false;
  fprintf(out, "<path class=\"line s%u\" data-line=\"%s\" d=\"", l, p->lines[l].key);
  for (size_t i = 0; i < d->n; i++) {
    const double y = wf_axes_y(a, d->value[l][i]);
    const bool there = !isnan(y);
    if (there && on) fprintf(out, "V%.2f", y);
    if (there && !on) fprintf(out, "M%.2f %.2f", wf_axes_x(a, i ? d->end[i - 1] : 0), y);
    if (there) fprintf(out, "H%.2f", wf_axes_x(a, d->end[i]));
    on = there;
  }
  fputs("\"/>\n", out);
}

static void describe(const drawing *d, const picture *p) {
  for (unsigned l = 0; l < d->lines; l++) {
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < d->n; i++) {
      if (isnan(d->value[l][i])) continue;
      least = fmin(least, d->value[l][i]);
      most = fmax(most, d->value[l][i]);
    }
    if (least <= most)
      wf_html_print(d->page->out, "%s%s: %.3g to %.3g %s", l ? "; " : "", p->lines[l].name, least,
                    most, p->unit);
  }
}

static double top_of(const drawing *d, const picture *p) {
  double most = 0;
  for (unsigned l = 0; l < d->lines; l++)
    for (size_t i = 0; i < d->n; i++)
      if (d->value[l][i] > most) most = d->value[l][i];
  const double step = wf_axes_step(most, 4);
  return p->top > 0 ? p->top : most > 0 ? step * ceil(most / step) : 1;
}

static void print_svg(const drawing *d, const picture *p, double top) {
  FILE *out = d->page->out;
  const wf_axes a = {WIDTH, HEIGHT, false, 0, d->end[d->n - 1], 0, top, "core cycles", p->unit};
  fprintf(
      out,
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n"
      "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 %d %d\"><title>%s over time</title><desc>",
      p->title, WIDTH, HEIGHT, p->title);
  describe(d, p);
  fputs("</desc>\n", out);
  wf_axes_print(out, &a);
  for (unsigned k = 0; k < d->kernels; k++)
    fprintf(out, "<path class=\"begin\" d=\"M%.2f %dV%d\"/>\n", wf_axes_x(&a, d->begins[k]),
            WF_AXES_ABOVE, HEIGHT - WF_AXES_BELOW);
  for (unsigned l = 0; l < d->lines; l++) print_line(d, &a, p, l);
  fputs("</svg></div>\n<ul class=\"legend\">\n", out);
  for (unsigned l = 0; l < d->lines; l++)
    fprintf(out,
            "<li><svg width=\"34\" height=\"10\" aria-hidden=\"true\"><path class=\"line s%u\" "
            "d=\"M1 5H33\"/></svg> %s</li>\n",
            l, p->lines[l].name);
  fputs("</ul>\n", out);
}

static void print_numbers(FILE *out, const char *key, const double *v, size_t n) {
  fprintf(out, "\"%s\":[", key);
  for (size_t i = 0; i < n; i++) {
    if (i) fputc(',', out);
    if (isnan(v[i]))
      fputs("null", out);
    else
      fprintf(out, "%.9g", v[i]);
  }
  fputc(']', out);
}

static void print_json(const drawing *d, const picture *p, double top) {
  FILE *out = d->page->out;
  fprintf(out, "<script type=\"application/json\">{\"unit\":\"%s\",\"top\":%.9g,", p->unit, top);
  print_numbers(out, "end", d->end, d->n);
  fputc(',', out);
  print_numbers(out, "begins", d->begins, d->kernels);
  fputs(",\"lines\":[", out);
  for (unsigned l = 0; l < d->lines; l++) {
    fprintf(out, "%s{\"key\":\"%s\",\"name\":\"%s\",", l ? "," : "", p->lines[l].key,
            p->lines[l].name);
    print_numbers(out, "values", d->value[l], d->n);
    fputc('}', out);
  }
  fputs("]}</script>\n", out);
}

static void print_picture(drawing *d, const picture *p) {
  FILE *out = d->page->out;
  for (d->lines = 0; d->lines < LINES && p->lines[d->lines].key; d->lines++)
    d->value[d->lines] = values(d, &p->lines[d->lines]);
  const double top = top_of(d, p);
  fprintf(out, "<figure class=\"series\" id=\"r%u-series-%s\"><figcaption>%s, %s</figcaption>\n",
          d->page->number, p->id, p->title, p->unit);
  print_svg(d, p, top);
  print_json(d, p, top);
  fputs("</figure>\n", out);
  for (unsigned l = 0; l < d->lines; l++) free(d->value[l]);
}

/* ---- the section ---- */

/* The ends of the intervals; false: they are none. */
static bool read_ends(drawing *d) {
  d->n = (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(d->series, "end"));
  if (!d->n) return false;
  d->end = numbers(d->series, "end", d->n);
  for (size_t i = 0; i < d->n; i++)
    if (!(d->end[i] > (i ? d->end[i - 1] : 0)) || d->end[i] > 1e18) return free(d->end), false;
  return true;
}

static void read_begins(drawing *d) {
  const cJSON *kernel, *kernels = wf_facts_item(d->f, "kernels");
  if (cJSON_GetArraySize(kernels) > KERNELS_MOST) return;
  cJSON_ArrayForEach(kernel, kernels) {
    const cJSON *at = cJSON_GetObjectItemCaseSensitive(kernel, "start_cycle");
    if (cJSON_IsNumber(at) && at->valuedouble >= 0 && at->valuedouble <= d->end[d->n - 1])
      d->begins[d->kernels++] = at->valuedouble;
  }
}

bool wf_page_has_series(const wf_facts *f) {
  const cJSON *series = wf_facts_item(f, "series");
  return f->machine && cJSON_IsObject(series) &&
         cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(series, "end")) > 0;
}

void wf_page_series(const wf_page *page, const wf_facts *f) {
  drawing d = {.page = page, .f = f, .series = wf_facts_item(f, "series")};
  wf_page_section(page, "series", "Over time");
  if (!wf_page_has_series(f) || !read_ends(&d)) {
    fputs("<p>The result has no values over time: <code>--set series.points=200</code> adds "
          "them.</p>\n",
          page->out);
    wf_page_section_end(page);
    return;
  }
  read_begins(&d);
  fputs("<p>", page->out);
  wf_html_print(page->out, "Means over intervals of %.0f core cycles.", d.end[0]);
  if (d.kernels) fputs(" A thin line stands where a kernel begins.", page->out);
  if (cJSON_GetArraySize(wf_facts_item(f, "units")))
    fputs(" Power is without what the RTL of units counts.", page->out);
  fputs("</p>\n", page->out);
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) print_picture(&d, &pictures[i]);
  free(d.end);
  wf_page_section_end(page);
}

void wf_page_scripts(FILE *out) {
  fputs("<script>//<![CDATA[\n/* uPlot, for the pictures over time:\n", out);
  fputs(wf_page_uplot_licence, out);
  fputs("*/\n", out);
  fputs(wf_page_uplot, out);
  fputs(wf_page_script, out);
  fputs("//]]></script>\n", out);
}
