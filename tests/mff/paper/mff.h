#ifndef WF_PAPER_MFF_H
#define WF_PAPER_MFF_H

#include "tests/papers/paper.h"

/* Of a run of `what`, an application and its options; NAN while runs are collected. */
double mff_cycles(paper *p, const char *label, const char *what, const char *strategy,
                  const char *unit);
/* Without the unit, of the strategies, at most MFF_STRATEGIES, NULL behind the last if fewer. */
enum { MFF_STRATEGIES = 6 };
double mff_fastest(paper *p, const char *label, const char *what, const char *const *strategies);

/* Best software with the unit over best software without (best.c). */
void mff_best(paper *p);
/* Where it pays (where.c). */
void mff_where(paper *p);
/* Its area as cache (where.c). */
void mff_area(paper *p);
/* What the unit's tables buy (sizes.c). */
void mff_sizes(paper *p);

#endif
