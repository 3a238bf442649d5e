#include "synth/nonnegative.h"

#include <math.h>
#include <stdlib.h>

#include "sim/base/wf_alloc.h"

/* Along one coordinate the sum of squares is a parabola: to its lowest point that is not negative.
 * In turn, until no coordinate moves: the sum is convex, so that is its minimum. Columns are taken
 * at length 1. */
enum { TURNS = 200000 };

static double product(const double *rows, size_t count, size_t n, size_t a, const double *b,
                      size_t step) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += rows[i * n + a] * b[i * step];
  return sum;
}

void nonnegative_fit(const double *rows, const double *y, size_t count, size_t n, double *x) {
  double *square = wf_calloc(n * n + 2 * n, sizeof *square), *right = square + n * n,
         *length = right + n;
  for (size_t a = 0; a < n; a++) {
    x[a] = 0;
    length[a] = sqrt(product(rows, count, n, a, rows + a, n));
  }
  for (size_t a = 0; a < n; a++) {
    if (!(length[a] > 0)) continue;
    right[a] = product(rows, count, n, a, y, 1) / length[a];
    for (size_t b = 0; b < n; b++)
      if (length[b] > 0)
        square[a * n + b] = product(rows, count, n, a, rows + b, n) / length[a] / length[b];
  }
  double moved = 1;
  for (int turn = 0; turn < TURNS && moved > 1e-12; turn++) {
    moved = 0;
    for (size_t a = 0; a < n; a++) {
      double slope = right[a], was = x[a];
      for (size_t b = 0; b < n; b++) slope -= square[a * n + b] * x[b];
      if (length[a] > 0) x[a] = fmax(0, x[a] + slope);
      moved = fmax(moved, fabs(x[a] - was) / (1e-30 + fabs(right[a])));
    }
  }
  for (size_t a = 0; a < n; a++)
    if (length[a] > 0) x[a] /= length[a];
  free(square);
}
