#ifndef TESTS_MISS_PAPER_H
#define TESTS_MISS_PAPER_H

#include "tests/papers/paper.h"

/* What more misses buy on a machine of today (PART=more). */
void miss_more(paper *p);
/* The same of thousands of MSHRs in RTL (PART=rich). */
void miss_rich(paper *p);

#endif
