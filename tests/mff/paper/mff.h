#ifndef WF_PAPER_MFF_H
#define WF_PAPER_MFF_H

#include "tests/papers/paper.h"

/* Best software with the unit over best software without (best.c). */
void mff_best(paper *p);
/* Where it pays (where.c). */
void mff_where(paper *p);
/* What the unit's tables buy (sizes.c). */
void mff_sizes(paper *p);

#endif
