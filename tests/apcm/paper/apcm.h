#ifndef WF_PAPER_APCM_H
#define WF_PAPER_APCM_H

#include "tests/papers/paper.h"

#define APCM_BOTH "--unit apcm:mode=both"

/* Cache-sensitive and cache-moderate ones, in this order. */
enum {
  APCM_BFS,
  APCM_KMN,
  APCM_IIX,
  APCM_WC,
  APCM_GC,
  APCM_SSP,
  APCM_SPMV,
  APCM_MM,
  APCM_SS,
  APCM_CCL,
  APCM_SENSITIVE
};

const char *apcm_app_name(int app);
/* Of a program on an application's input, with further options. */
const cJSON *apcm_result(paper *p, int app, const char *program, const char *options);
/* Programs written for speed, with the unit and without. */
void apcm_best(paper *p);
/* The same where a program chooses between 16 and 48 KB of L1. */
void apcm_split(paper *p);

#endif
