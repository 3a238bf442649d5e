/* Inputs of programs whose threads launch work, on k20c: those of DTBL's paper (table 6), of
 * LaPerm's (table 7) and one of ours. */
#ifndef WF_PAPER_LAUNCHED_H
#define WF_PAPER_LAUNCHED_H

#include "tests/papers/paper.h"

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
  CLR_EVEN,
  BFS_GRAPH500,
  SSSP_GRAPH500,
  LAUNCHED_INPUTS
};

const char *launched_name(int input);
/* form: for the file's name; options: behind --set. */
const cJSON *launched_result(paper *p, int input, const char *form, const char *options);
/* Of an input of LaPerm's paper, scaled to seconds. */
const cJSON *launched_small_result(paper *p, int input, const char *form, const char *options);

#endif
