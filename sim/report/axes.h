/* Axes of a picture in SVG, both linear or both logarithmic, with ticks and titles. */
#ifndef WF_REPORT_AXES_H
#define WF_REPORT_AXES_H

#include <stdbool.h>
#include <stdio.h>

enum { WF_AXES_LEFT = 62, WF_AXES_RIGHT = 22, WF_AXES_ABOVE = 16, WF_AXES_BELOW = 46 };

typedef struct wf_axes {
  int width, height;     /* of the picture */
  bool logarithmic;      /* then the limits are logarithms */
  double x0, x1, y0, y1; /* limits */
  const char *x_title, *y_title;
} wf_axes;

/* Logarithmic axes that nothing has been put on yet: widen them, then close them. */
wf_axes wf_axes_log(int width, int height, const char *x_title, const char *y_title);
void wf_axes_widen(double *low, double *high, double value);
void wf_axes_close(wf_axes *axes);

/* Where a value stands in the picture. */
double wf_axes_x(const wf_axes *axes, double value);
double wf_axes_y(const wf_axes *axes, double value);
/* 1, 2 or 5 times a power of ten: some `count` of it to the range. */
double wf_axes_step(double range, unsigned count);
void wf_axes_print(FILE *out, const wf_axes *axes);

#endif
