/* A page about results, for a browser: one file in HTML with pictures in SVG, without scripts and
 * without anything that a network would have to bring. */
#ifndef WF_REPORT_PAGE_H
#define WF_REPORT_PAGE_H

#include <stdio.h>

#include "sim/report/facts.h"

/* So many results get sections of their own; those after are in the comparison only. */
enum { WF_PAGE_DETAILED = 8, WF_PAGE_RESULTS = 1000 };

/* Every number of a result stands in a mark's data-value, with its path in data-key (html.h). */
void wf_page_print(FILE *out, const wf_facts *facts, size_t n);

#endif
