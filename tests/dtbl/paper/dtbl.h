#ifndef WF_PAPER_DTBL_H
#define WF_PAPER_DTBL_H

#include "tests/papers/paper.h"

/* SMX occupancy over time, by kernel, of a --timeline file: dtbl-occupancy-FORM.dat. */
void dtbl_occupancy(const paper *p, const char *timeline, const char *form);

/* Of the paper's table 6, which means are over; then one of ours: a graph in which all vertices
 * have much the same degree, as the paper says of graph500. */
enum {
  AMR,
  BHT,
  BFS_CITATION,
  BFS_ROAD,
  BFS_CAGE15,
  CLR_CITATION,
  CLR_GRAPH500,
  CLR_CAGE15,
  REGX_DARPA,
  REGX_STRING,
  PRE,
  JOIN_UNIFORM,
  JOIN_GAUSSIAN,
  SSSP_CITATION,
  SSSP_FLIGHT,
  SSSP_CAGE15,
  PAPERS,
  CLR_EVEN = PAPERS,
  APPS
};

const char *dtbl_app_name(int app);
/* form: for the file's name; options: behind --set. */
const cJSON *dtbl_result(paper *p, int app, const char *form, const char *options);
/* Kernels written for speed, with the unit and without. */
void dtbl_best(paper *p);

#endif
