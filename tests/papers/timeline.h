/* A --timeline file as sums over bins of time, for pictures. */
#ifndef WF_PAPER_TIMELINE_H
#define WF_PAPER_TIMELINE_H

#include "tests/papers/paper.h"

typedef struct paper_timeline {
  cJSON *json;
  const cJSON *events;
  int sms;
  double warps_per_sm, last; /* last: the cycle in which the last block ends */
} paper_timeline;

/* Ends the program if there is none. */
paper_timeline paper_timeline_open(const char *path);
void paper_timeline_close(paper_timeline *timeline);
/* A field that is a number; a block's event. */
double paper_timeline_number(const cJSON *event, const char *key);
bool paper_timeline_block(const cJSON *event);
/* Adds value x time to the bins, `stride` apart, that lie between two times. */
void paper_timeline_add(double *sums, size_t n_bins, size_t stride, double bin, double from,
                        double to, double value);

#endif
