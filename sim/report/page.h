/* A page about results, for a browser: one file in HTML with pictures in SVG, and without anything
 * that a network would have to bring. It is whole without scripts; one is there if a result has
 * values over time, for a closer look at them. */
#ifndef WF_REPORT_PAGE_H
#define WF_REPORT_PAGE_H

#include <stdio.h>

#include "sim/report/facts.h"

/* So many results get sections of their own; those after are in the comparison only. */
enum { WF_PAGE_DETAILED = 8, WF_PAGE_RESULTS = 1000 };

/* Figures of a paper beside ours: what `make paper-UNIT` leaves in build/paper/UNIT.json. */
typedef struct wf_figures {
  const char *label;
  const cJSON *rows; /* figure quantity paper ours unit direction close within why */
} wf_figures;

typedef struct wf_page_content {
  const wf_facts *facts; /* the results */
  size_t n;
  const wf_facts *reference; /* what they are compared with; none: with each other */
  size_t n_reference;
  const wf_figures *figures;
  size_t n_figures;
} wf_page_content;

/* There is a result or a paper. Every number of a result stands in a mark's data-value, with its
 * path in data-key (html.h). */
void wf_page_print(FILE *out, const wf_page_content *content);

#endif
