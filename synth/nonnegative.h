/* Least squares without negative coefficients. */
#ifndef WF_SYNTH_NONNEGATIVE_H
#define WF_SYNTH_NONNEGATIVE_H

#include <stddef.h>

/* The x[n], none below 0, that make the sum over rows of (row . x - y)^2 least; rows[count][n]. A
 * column that tells nothing gets 0. */
void nonnegative_fit(const double *rows, const double *y, size_t count, size_t n, double *x);

#endif
