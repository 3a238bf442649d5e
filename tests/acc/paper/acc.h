/* What the parts of this paper's experiments share. */
#ifndef WF_PAPER_ACC_H
#define WF_PAPER_ACC_H

#include "tests/papers/paper.h"

#define K20C " --config k20c"
/* A K20c keeps no global data in its L1s; what its read-only cache does is not modelled. */
#define PAST_L1 K20C " --set ptx.cg=all"
#define HERE "tests/acc/programs/"

/* tests/acc/programs/PROGRAM.c; options: each with a blank before it. */
const cJSON *acc_of(paper *p, const char *program, const char *options);
/* tests/acc/paper/PROGRAM.cu */
const cJSON *acc_by_hand(paper *p, const char *program, const char *macros, const char *options);
double acc_cycles(const cJSON *result);
/* Microseconds with what the host takes for each launch. */
double acc_with_launches(double kernel_cycles, int launches);

/* acc_more.c */
void acc_tile(paper *p);
void acc_window(paper *p);
void acc_small(paper *p);
void acc_hotspot(paper *p);
void acc_dyadic(paper *p);
void acc_vectors(paper *p);

#endif
