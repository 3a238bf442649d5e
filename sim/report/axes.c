#include "sim/report/axes.h"

#include <math.h>

#include "sim/report/html.h"

wf_axes wf_axes_log(int width, int height, const char *x_title, const char *y_title) {
  return (wf_axes){width, height, true, INFINITY, -INFINITY, INFINITY, -INFINITY, x_title, y_title};
}

/* Logarithms of 1, 2, 5, 10, ...: the i-th. */
static double log_tick(double i) {
  static const double steps[] = {1, 2, 5};
  const double decade = floor(i / 3);
  return decade + log10(steps[(int)(i - 3 * decade)]);
}

void wf_axes_widen(double *low, double *high, double v) {
  if (!(v > 0) || !isfinite(v)) return;
  const double at = log10(v);
  double i = 3 * floor(at);
  while (log_tick(i + 1) <= at) i++;
  *low = fmin(*low, log_tick(i));
  *high = fmax(*high, log_tick(i) < at ? log_tick(i + 1) : at);
}

static void close_one(double *low, double *high) {
  if (!(*low <= *high)) *low = 0, *high = 1;
  if (*high <= *low) *high = *low + 1;
}

void wf_axes_close(wf_axes *a) {
  close_one(&a->x0, &a->x1);
  close_one(&a->y0, &a->y1);
}

static double share(const wf_axes *a, double v, double from, double to) {
  return ((a->logarithmic ? log10(v) : v) - from) / (to - from);
}

double wf_axes_x(const wf_axes *a, double v) {
  return WF_AXES_LEFT + share(a, v, a->x0, a->x1) * (a->width - WF_AXES_LEFT - WF_AXES_RIGHT);
}

double wf_axes_y(const wf_axes *a, double v) {
  return a->height - WF_AXES_BELOW -
         share(a, v, a->y0, a->y1) * (a->height - WF_AXES_ABOVE - WF_AXES_BELOW);
}

double wf_axes_step(double range, unsigned count) {
  if (!(range > 0) || !isfinite(range)) return 1;
  const double rough = range / count, ten = pow(10, floor(log10(rough)));
  return ten * (rough <= ten ? 1 : rough <= 2 * ten ? 2 : rough <= 5 * ten ? 5 : 10);
}

/* 20000 -> 20k */
static void tick_text(char text[WF_HTML_NUMBER_BYTES], double v) {
  static const struct {
    double from;
    const char *letter;
  } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (v >= units[i].from && v < 1e12) {
      snprintf(text, WF_HTML_NUMBER_BYTES, "%g%s", v / units[i].from, units[i].letter);
      return;
    }
  snprintf(text, WF_HTML_NUMBER_BYTES, "%g", v);
}

static void print_x_tick(FILE *out, const wf_axes *a, double v) {
  char text[WF_HTML_NUMBER_BYTES];
  tick_text(text, v);
  const double x = wf_axes_x(a, v);
  fprintf(out,
          "<path class=\"axis\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
          "text-anchor=\"middle\">%s</text>\n",
          x, WF_AXES_ABOVE, a->height - WF_AXES_BELOW, x, a->height - WF_AXES_BELOW + 17, text);
}

static void print_y_tick(FILE *out, const wf_axes *a, double v) {
  char text[WF_HTML_NUMBER_BYTES];
  tick_text(text, v);
  const double y = wf_axes_y(a, v);
  fprintf(out,
          "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
          "text-anchor=\"end\">%s</text>\n",
          WF_AXES_LEFT, y, a->width - WF_AXES_RIGHT, WF_AXES_LEFT - 6, y + 4, text);
}

typedef void print_tick(FILE *out, const wf_axes *axes, double value);

/* Each of 1, 2, 5, 10, ... where there is room for that, else each power of ten. */
static void print_log_ticks(FILE *out, const wf_axes *a, double from, double to, print_tick *tick) {
  const double step = to - from > 3 ? 3 : 1;
  for (double i = step * floor(3 * from / step); log_tick(i) <= to + 1e-9; i += step)
    if (log_tick(i) >= from - 1e-9) tick(out, a, pow(10, log_tick(i)));
}

static void print_ticks(FILE *out, const wf_axes *a, double from, double to, unsigned count,
                        print_tick *tick) {
  const double step = wf_axes_step(to - from, count);
  for (double i = ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++)
    tick(out, a, i * step + 0.0); /* no -0 */
}

void wf_axes_print(FILE *out, const wf_axes *a) {
  if (a->logarithmic) {
    print_log_ticks(out, a, a->x0, a->x1, print_x_tick);
    print_log_ticks(out, a, a->y0, a->y1, print_y_tick);
  } else {
    print_ticks(out, a, a->x0, a->x1, 10, print_x_tick);
    print_ticks(out, a, a->y0, a->y1, 6, print_y_tick);
  }
  fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
          (a->width + WF_AXES_LEFT) / 2, a->height - 8, a->x_title);
  fprintf(out,
          "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
          (a->height - WF_AXES_BELOW) / 2, a->y_title);
}
