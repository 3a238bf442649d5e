#ifndef WF_PAPER_MFF_H
#define WF_PAPER_MFF_H

#include "tests/papers/paper.h"

/* What the unit's tables buy (sizes.c). */
void mff_sizes(paper *p);

#endif
