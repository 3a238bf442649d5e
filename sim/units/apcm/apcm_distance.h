/* APCM-pN, a rival: lines of protect loads stay for N accesses of their set, whatever the warp
 * does. The RTL only tells which loads to protect: it hears of ordinary loads, and of kept lines as
 * if fills were on their way to them. */
#ifndef WF_UNITS_APCM_DISTANCE_H
#define WF_UNITS_APCM_DISTANCE_H

#include "sim/seam/l1.h"

/* Of one L1: until which access of its set a line stays. */
typedef struct apcm_distance {
  unsigned length; /* accesses; 0: as APCM, nothing is kept here */
  unsigned sets, ways;
  uint32_t *accesses; /* by set */
  uint32_t *until;    /* by set and way; 0: free to go */
} apcm_distance;

void apcm_distance_open(apcm_distance *d, unsigned sets, unsigned ways, unsigned length);
void apcm_distance_free(apcm_distance *d);
/* All lines are free to go: a kernel starts. */
void apcm_distance_clear(apcm_distance *d);
/* An access of the L1; keep: of a load to protect. Returns the ways that are kept. */
uint64_t apcm_distance_access(apcm_distance *d, const wf_l1_access *a, bool keep);
/* A miss has got this way. */
void apcm_distance_fill(apcm_distance *d, unsigned set, unsigned way, bool keep);

#endif
