#ifndef TESTS_MISS_PAPER_H
#define TESTS_MISS_PAPER_H

#include "tests/papers/paper.h"

/* What more misses buy on a machine of today (PART=more). */
void miss_more(paper *p);

#endif
