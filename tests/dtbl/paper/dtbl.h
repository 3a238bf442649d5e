#ifndef WF_PAPER_DTBL_H
#define WF_PAPER_DTBL_H

#include "tests/papers/paper.h"

/* SMX occupancy over time, by kernel, of a --timeline file: dtbl-occupancy-FORM.dat. */
void dtbl_occupancy(const paper *p, const char *timeline, const char *form);

#endif
