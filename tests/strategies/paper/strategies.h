#ifndef WF_PAPER_STRATEGIES_H
#define WF_PAPER_STRATEGIES_H

#include "tests/papers/paper.h"

/* Whether the graphs are of the thesis' sizes, or nearly: make paper-strategies SCALE=full. */
bool strategies_full(void);

/* Which strategy wins on which graph, with and without each unit (map.c). */
void strategies_map(paper *p);

#endif
