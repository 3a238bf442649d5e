/* The parts of the experiment. */
#ifndef WF_PAPER_BUBBLE_H
#define WF_PAPER_BUBBLE_H

#include "tests/papers/paper.h"

/* Occupancy and voltage of each SM and the GPU's power over time, of a --timeline file:
 * bubble-over-time-NAME.dat and -power-NAME.dat. Returns the variance of occupancy, over SMs and
 * samples of 500 cycles, in points squared. */
double bubble_over_time(const paper *p, const char *timeline, const char *name);

#endif
