#ifndef WF_PAPER_DTBL_H
#define WF_PAPER_DTBL_H

#include "tests/papers/launched.h"

/* Means are over the inputs of the paper's table 6; then one of ours: a graph in which all vertices
 * have much the same degree, as the paper says of graph500. */
enum { PAPERS = CLR_EVEN, APPS = CLR_EVEN + 1 };

/* SMX occupancy over time, by kernel, of a --timeline file: dtbl-occupancy-FORM.dat. */
void dtbl_occupancy(const paper *p, const char *timeline, const char *form);
/* Kernels written for speed, with the unit and without. */
void dtbl_best(paper *p);
/* Of the inputs on which the unit gains most over them: whether orders of arbitration decide it. */
void dtbl_orders(paper *p);

#endif
